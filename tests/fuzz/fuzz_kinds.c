/*
 * Columns of values. The first byte chooses the column's name and whether memory gives out, each
 * line after it is a value. Promised: whatever order and division the values are added in, the
 * verdict is the same; what it says of odd and missing values is what reading them one by one
 * gives; numbers are written as numbers, and dates are days that the calendar has.
 */
#include "fuzz.h"
#include "kinds/kinds.h"

enum { MOST_VALUES = 64 };

/** The values of an input. */
typedef struct lines {
    const char *text[MOST_VALUES];
    size_t length[MOST_VALUES], count;
} lines;

static lines cut(const uint8_t *data, size_t size) {
    lines l = {.count = 0};
    const char *p = (const char *)data, *end = p + size, *stop;
    for (; p < end && l.count < MOST_VALUES; p = stop + 1, l.count++) {
        stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        l.text[l.count] = p;
        l.length[l.count] = (size_t)(stop - p);
    }
    return l;
}

static void check_value(const char *text, size_t length) {
    hcbr_i_numeral n;
    hcbr_i_moment m, first;
    char out[HCBR_I_NUMERAL_TEXT];
    double value;
    uint8_t spelling;
    unsigned marks = hcbr_i_numeral_read(&n, text, length);
    for (unsigned mark = HCBR_I_MARK_POINT; mark <= HCBR_I_MARK_COMMA; mark++)
        for (int million = 0; million < 2; million++)
            if (marks & mark) {
                size_t size = hcbr_i_numeral_write(out, &n, mark, million);
                FUZZ_CHECK(size <= sizeof out && hcbr_i_decimal_read(&value, &spelling, out, size));
                FUZZ_CHECK(memchr(out, 'e', size) == NULL);
            }
    unsigned orders = hcbr_i_moment_orders(&first, text, length);
    for (unsigned order = 0; order < 4; order++) {
        bool read = hcbr_i_moment_read(&m, (hcbr_i_order)order, text, length);
        FUZZ_CHECK(read == (orders >> order & 1));
        FUZZ_CHECK(m.hour < 24 && m.minute < 60 && m.second <= 60 && m.nano < 1000000000);
        FUZZ_CHECK(m.day <= hcbr_i_month_days(m.year, m.month) || m.day == 0);
        if (m.has & HCBR_I_HAS_DAY) {
            int32_t year;
            uint8_t month, day;
            hcbr_i_day_of_days(hcbr_i_days_of(m.year, m.month, m.day), &year, &month, &day);
            FUZZ_CHECK(year == m.year && month == m.month && day == m.day && day > 0);
        }
        FUZZ_CHECK(read || m.has == 0);
    }
}

static void add(hcbr_i_tally *column, const lines *l, size_t i, uint64_t count) {
    uint64_t before = column->values;
    while (!hcbr_i_tally_add(column, l->text[i], l->length[i], count))
        FUZZ_CHECK(column->values == before); // memory gave out once; it is back now
    FUZZ_CHECK(column->values == before + count);
}

/** How many values are odd, or say missing, one by one. */
static void check_counts(const hcbr_i_kind *kind, const lines *l, size_t twice) {
    uint64_t odd = 0, missing = 0;
    for (size_t i = 0; i < l->count; i++) {
        hcbr_i_reading reading;
        hcbr_i_taken taken = hcbr_i_kind_take(&reading, kind, l->text[i], l->length[i]);
        odd += taken == HCBR_I_TAKEN_ODD ? 1U + (i < twice) : 0U;
        missing += taken == HCBR_I_TAKEN_MISSING ? 1U + (i < twice) : 0U;
    }
    bool reads = kind->kind == HCBR_I_KIND_NUMBER || kind->kind == HCBR_I_KIND_DATE ||
                 kind->kind == HCBR_I_KIND_FLAG;
    FUZZ_CHECK(odd == kind->odd);
    FUZZ_CHECK(missing == (reads ? kind->forms : missing));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"x", "created_at", "id", "code"};
    fuzz_input in = {data, size};
    unsigned choice = fuzz_choice(&in), fault = choice >> 2;
    const char *name = names[choice & 3];
    lines l = cut(in.at, in.left);
    size_t twice = l.count / 2; // the first half counts twice
    hcbr_i_tally one, other, rest;
    hcbr_i_kind kind, same;
    char why[HCBR_I_KIND_WHY], again[HCBR_I_KIND_WHY];
    hcbr_i_tally_init(&one);
    hcbr_i_tally_init(&other);
    hcbr_i_tally_init(&rest);
    fuzz_arm(fault);
    for (size_t i = 0; i < l.count; i++)
        add(&one, &l, i, 1 + (i < twice));
    fuzz_disarm();
    for (size_t i = l.count; i-- > 0;) {
        add(i % 3 ? &other : &rest, &l, i, 1);
        if (i < twice)
            add(i % 2 ? &other : &rest, &l, i, 1);
        check_value(l.text[i], l.length[i]);
    }
    FUZZ_CHECK(hcbr_i_tally_merge(&rest, &other));
    hcbr_i_tally_judge(&kind, &one, name, strlen(name), 0);
    hcbr_i_tally_judge(&same, &rest, name, strlen(name), 0);
    size_t length = hcbr_i_kind_describe(why, &kind);
    FUZZ_CHECK(length == hcbr_i_kind_describe(again, &same) && memcmp(why, again, length) == 0);
    FUZZ_CHECK(kind.kind == same.kind && kind.order == same.order && kind.mark == same.mark &&
               kind.odd == same.odd && kind.distinct == same.distinct &&
               kind.ambiguous == same.ambiguous && kind.separator == same.separator);
    check_counts(&kind, &l, twice);
    hcbr_i_tally_clear(&one);
    hcbr_i_tally_clear(&other);
    hcbr_i_tally_clear(&rest);
    return 0;
}
