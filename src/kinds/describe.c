/*
 * The verdict in words: one sentence with the kind of a column and the reason.
 */
#include "kinds/kinds.h"

#include <stdarg.h>
#include <stdio.h>

/** A sentence that grows; what does not fit is cut. */
typedef struct sentence {
    char *text;
    size_t length;
} sentence;

static void put(sentence *s, const char *format, ...) HCBR_I_PRINTF(2, 3);

static void put(sentence *s, const char *format, ...) {
    size_t room = HCBR_I_KIND_WHY - s->length;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->text + s->length, room, format, args);
    va_end(args);
    if (n > 0)
        s->length += (size_t)n < room ? (size_t)n : room - 1;
}

const char *hcbr_i_kind_name(hcbr_i_kind_of kind) {
    static const char *const names[HCBR_I_KINDS] = {"empty", "constant", "flag", "number",  "date",
                                                    "text",  "set",      "id",   "category"};
    assert(kind < HCBR_I_KINDS);
    return names[kind];
}

static void put_odd(sentence *s, const hcbr_i_kind *k) {
    unsigned long long values = k->values;
    if (k->odd > 0)
        put(s, "; %llu of %llu values %s not and stay%s as %s", (unsigned long long)k->odd, values,
            k->odd == 1 ? "is" : "are", k->odd == 1 ? "s" : "", k->odd == 1 ? "it is" : "they are");
    if (k->forms > 0)
        put(s, "; %llu of %llu %s missing", (unsigned long long)k->forms, values,
            k->forms == 1 ? "says" : "say");
}

static void put_number(sentence *s, const hcbr_i_kind *k) {
    const char *join = " with";
    put(s, "numbers");
    if (k->mark == HCBR_I_MARK_COMMA) {
        put(s, "%s a decimal comma", join);
        join = " and";
    }
    if (k->thousands) {
        const char *mark = k->thousands == ' '    ? "blanks"
                           : k->thousands == ','  ? "commas"
                           : k->thousands == '.'  ? "points"
                           : k->thousands == '\'' ? "apostrophes"
                                                  : "underscores";
        put(s, "%s %s between thousands", join, mark);
        join = " and";
    }
    if (k->unit.length > 0)
        put(s, "%s the unit %.*s", join, (int)k->unit.length, k->unit.text);
    put_odd(s, k);
    if (k->ambiguous)
        put(s, "; no value shows whether the mark before three digits groups thousands");
    if (k->doubtful)
        put(s, "; whole numbers that may be names of categories");
}

static void put_date(sentence *s, const hcbr_i_kind *k) {
    static const char *const orders[] = {"", ", day first", ", month first", ", year first"};
    static const char *const clocks[] = {"", " written as eight digits", " as seconds since 1970",
                                         " as milliseconds since 1970"};
    bool date = k->has & HCBR_I_HAS_DATE, time = k->has & HCBR_I_HAS_TIME;
    put(s, "%s%s%s",
        !date  ? "times of day"
        : time ? "dates with times"
               : "dates",
        orders[k->order], clocks[k->clock]);
    if (date && !(k->has & HCBR_I_HAS_DAY))
        put(s, " of a month alone");
    put_odd(s, k);
    if (k->ambiguous)
        put(s, "; every value would also be a date %s",
            k->order == HCBR_I_ORDER_DMY ? "with the month first" : "with the day first");
}

static void put_id(sentence *s, const hcbr_i_kind *k) {
    static const char *const looks[] = {"values",
                                        "whole numbers that count the rows",
                                        "an id by its name",
                                        "e-mail addresses",
                                        "web addresses",
                                        "UUIDs",
                                        "single words with digits or signs",
                                        "whole numbers of many digits",
                                        "no value twice",
                                        "hexadecimal digits, as many in each"};
    put(s, "%s, %llu different in %llu rows", looks[k->look], (unsigned long long)k->distinct,
        (unsigned long long)(k->values - k->forms));
    put_odd(s, k);
}

size_t hcbr_i_kind_describe(char out[HCBR_I_KIND_WHY], const hcbr_i_kind *k) {
    sentence s = {out, 0};
    unsigned long long distinct = k->distinct;
    *out = 0;
    switch (k->kind) {
    case HCBR_I_KIND_EMPTY:
        put(&s, k->values ? "every value says missing" : "no values");
        break;
    case HCBR_I_KIND_CONSTANT:
        put(&s, "all values are the same");
        break;
    case HCBR_I_KIND_FLAG:
        put(&s, "two words or numbers for yes and no");
        put_odd(&s, k);
        break;
    case HCBR_I_KIND_NUMBER:
        put_number(&s, k);
        break;
    case HCBR_I_KIND_DATE:
        put_date(&s, k);
        break;
    case HCBR_I_KIND_TEXT:
        put(&s, "two words or more on average, %llu different values", distinct);
        break;
    case HCBR_I_KIND_SET:
        put(&s, "lists of parts that occur again, between %c", k->separator);
        put_odd(&s, k);
        break;
    case HCBR_I_KIND_ID:
        put_id(&s, k);
        break;
    default:
        put(&s, "%llu different values%s", distinct,
            k->plain      ? "; half of the values or more are numbers"
            : k->doubtful ? ", among them digits that begin with 0"
                          : "");
        break;
    }
    return s.length;
}
