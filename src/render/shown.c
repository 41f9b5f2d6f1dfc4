/*
 * Features and tests on parts of dates (and, by shown_number.c, on numbers) for display: `pickup:
 * day of week>5` is `pickup: Saturday to Sunday`, `pickup: days>17968.5` is `pickup > 2019-03-13`.
 *
 * A test is a text of an engine. Invariant: it is reworded only if it was understood completely and
 * its column has dates in the model; else it is unchanged.
 */
#include "model/model.h"
#include "render/items.h"

#include <stdarg.h>
#include <stdio.h>

#define FAR 3000000 /* days and years beyond it are not put into words */

enum { DAY_MINUTES = 24 * 60 };

/* The text, and its subject. */
typedef struct sentence {
    char *text; /* HCBR_SHOWN_SIZE bytes */
    size_t used;
    bool failed;
    const char *column; /* NULL: not known yet */
    size_t column_length;
    hcbr_i_part_of part;
    unsigned pieces;
    bool denied; /* none of the pieces holds */
} sentence;

/* Numbers from `first` to `last`, as far as there are such ends. */
typedef struct span {
    int64_t first, last;
    bool from, to;
} span;

typedef struct rest {
    const char *at, *end;
} rest;

static void say(sentence *s, const char *format, ...) HCBR_I_PRINTF(2, 3);

static void say(sentence *s, const char *format, ...) {
    size_t room = HCBR_SHOWN_SIZE - s->used;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->text + s->used, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= room)
        s->failed = true;
    else
        s->used += (size_t)n;
}

static void say_column(sentence *s) {
    if (s->column_length >= HCBR_SHOWN_SIZE - s->used) {
        s->failed = true;
        return;
    }
    memcpy(s->text + s->used, s->column, s->column_length);
    s->used += s->column_length;
}

static void say_word(sentence *s, hcbr_word word) {
    say(s, "%s", hcbr_word_get(word));
}

/* Text before a date. */
static void say_lead(sentence *s) {
    say_column(s);
    say_word(s, s->denied ? HCBR_WORD_IS_NOT : HCBR_WORD_IS);
}

/* ---- one piece ------------------------------------------------------------------------------- */

static void say_day(sentence *s, int64_t days) {
    hcbr_i_moment m = {.has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY};
    char text[HCBR_I_MOMENT_TEXT];
    hcbr_i_day_of_days(days, &m.year, &m.month, &m.day);
    say(s, "%.*s", (int)hcbr_i_moment_write(text, &m), text);
}

/* `pickup > 2019-03-14`: a comparison names its column by itself. */
static void say_days(sentence *s, const span *x) {
    if (x->from && x->to && x->first == x->last) {
        if (!s->denied || s->pieces == 1)
            say_lead(s);
        say_day(s, x->first);
        return;
    }
    if (x->from && x->to) {
        say_day(s, x->first - 1);
        say(s, " < ");
    }
    say_column(s);
    say(s, x->to ? " <= " : " > ");
    say_day(s, x->to ? x->last : x->first - 1);
}

static void say_clock(sentence *s, int64_t minutes) {
    say(s, "%02d:%02d", (int)(minutes / 60), (int)(minutes % 60));
}

/* Minutes of the day. */
static void say_times(sentence *s, const span *x) {
    if (!x->from && x->last + 1 < DAY_MINUTES) {
        say_word(s, HCBR_WORD_BEFORE);
        say_clock(s, x->last + 1);
        return;
    }
    say_clock(s, x->first);
    if (!x->to) {
        say_word(s, HCBR_WORD_OR_LATER);
    } else if (x->last > x->first) {
        say_word(s, HCBR_WORD_RANGE_TO);
        say_clock(s, x->last);
    }
}

static void say_names(sentence *s, const span *x) {
    const hcbr_word first = s->part == HCBR_I_PART_MONTH ? HCBR_WORD_JANUARY : HCBR_WORD_MONDAY;
    say_word(s, first + (unsigned)x->first - 1);
    if (x->first < x->last) {
        say_word(s, HCBR_WORD_RANGE_TO);
        say_word(s, first + (unsigned)x->last - 1);
    }
}

static void say_last(sentence *s, const span *x) {
    say_word(s, HCBR_WORD_RANGE_TO);
    say(s, "%lld", (long long)x->last);
}

static void say_years(sentence *s, const span *x) {
    say_word(s, HCBR_WORD_YEAR);
    say(s, "%lld", (long long)(x->from ? x->first : x->last));
    if (!x->from)
        say_word(s, HCBR_WORD_OR_EARLIER);
    else if (!x->to)
        say_word(s, HCBR_WORD_OR_LATER);
    else if (x->first < x->last)
        say_last(s, x);
}

static void say_numbers(sentence *s, const span *x, hcbr_word of) {
    say_word(s, HCBR_WORD_DAY);
    say(s, "%lld", (long long)x->first);
    if (x->first < x->last)
        say_last(s, x);
    say_word(s, of);
}

/* Where a part begins and ends, if it does. */
static bool narrow(sentence *s, span *x) {
    static const int64_t ends[HCBR_I_PARTS][2] = {
        [HCBR_I_PART_YEAR] = {-FAR, FAR},  [HCBR_I_PART_MONTH] = {1, 12},
        [HCBR_I_PART_DAY] = {1, 31},       [HCBR_I_PART_WEEKDAY] = {1, 7},
        [HCBR_I_PART_YEAR_DAY] = {1, 366}, [HCBR_I_PART_HOUR] = {0, 23},
        [HCBR_I_PART_MINUTE] = {0, 1439},  [HCBR_I_PART_DAYS] = {-FAR, FAR}};
    const int64_t least = ends[s->part][0], most = ends[s->part][1];
    if (!x->from)
        x->first = least;
    if (!x->to)
        x->last = most;
    if (x->first < least || x->last > most || x->first > x->last)
        s->failed = true;
    return !s->failed;
}

static void say_span(sentence *s, span x) {
    if (!narrow(s, &x))
        return;
    if (s->pieces++ > 0)
        say_word(s, s->denied ? HCBR_WORD_NOR : HCBR_WORD_OR);
    if (s->part == HCBR_I_PART_DAYS) {
        say_days(s, &x);
        return;
    }
    if (s->pieces == 1)
        say_lead(s);
    switch (s->part) {
    case HCBR_I_PART_YEAR:
        say_years(s, &x);
        break;
    case HCBR_I_PART_MONTH:
    case HCBR_I_PART_WEEKDAY:
        say_names(s, &x);
        break;
    case HCBR_I_PART_HOUR:
        x.first *= 60;
        x.last = x.last * 60 + 59;
        say_times(s, &x);
        break;
    case HCBR_I_PART_MINUTE:
        say_times(s, &x);
        break;
    default:
        say_numbers(s, &x,
                    s->part == HCBR_I_PART_DAY ? HCBR_WORD_OF_THE_MONTH : HCBR_WORD_OF_THE_YEAR);
    }
}

/* ---- tests of an engine ---------------------------------------------------------------------- */

static bool take_word(rest *r, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* A number; *below is the largest whole one that is not above it. */
static bool take_number(rest *r, int64_t *below, bool *whole) {
    const char *p = r->at;
    double value;
    uint8_t spelling;
    while (p < r->end && (hcbr_i_ascii_digit(*p) || *p == '.' || *p == '-'))
        p++;
    if (!hcbr_i_decimal_read(&value, &spelling, r->at, (size_t)(p - r->at)) || value < -FAR ||
        value > FAR)
        return false;
    *below = (int64_t)value;
    *whole = (double)*below == value;
    *below -= (double)*below > value;
    r->at = p;
    return true;
}

/* The name of a part of a date, the same as before. */
static bool take_part(rest *r, sentence *s, const hcbr_i_schema *schema) {
    const char *mark = r->at;
    for (; (mark = memchr(mark, ':', (size_t)(r->end - mark))) != NULL; mark++) {
        const size_t length = (size_t)(mark - r->at);
        const hcbr_i_schema_column *c = hcbr_i_schema_find(schema, r->at, length);
        if (!c || (c->use != HCBR_I_USE_DATE && c->use != HCBR_I_USE_PARTS))
            continue;
        for (unsigned part = 0; part < HCBR_I_PARTS; part++) {
            rest behind = {mark, r->end};
            if (!take_word(&behind, ": ") ||
                !take_word(&behind, hcbr_i_part_name((hcbr_i_part_of)part)) ||
                (behind.at < r->end && strchr("<>= ", *behind.at) == NULL))
                continue;
            if (s->column && (s->part != part || s->column_length != length ||
                              memcmp(s->column, c->name.at, length) != 0))
                return false;
            s->part = (hcbr_i_part_of)part;
            s->column = c->name.at;
            s->column_length = length;
            r->at = behind.at;
            return true;
        }
    }
    return false;
}

/* `6|7` */
static bool take_values(rest *r, sentence *s) {
    do {
        int64_t value;
        bool whole;
        if (!take_number(r, &value, &whole) || !whole)
            return false;
        say_span(s, (span){value, value, true, true});
    } while (take_word(r, "|"));
    return true;
}

/* `x<=t`, `x>t`, `t<x<=u`, `x=v|w`, `x not v|w` */
static bool take_piece(rest *r, sentence *s, const hcbr_i_schema *schema) {
    const rest start = *r;
    span x = {0};
    bool whole, above = false;
    x.from = take_number(r, &x.first, &whole) && take_word(r, "<") && take_part(r, s, schema);
    if (!x.from) {
        *r = start;
        if (!take_part(r, s, schema))
            return false;
    }
    if (!x.from && take_word(r, "="))
        return take_values(r, s);
    if (!x.from && take_word(r, " not ")) {
        s->denied = true;
        return take_values(r, s);
    }
    if (take_word(r, "<="))
        x.to = take_number(r, &x.last, &whole);
    else if (!x.from && take_word(r, ">"))
        x.from = above = take_number(r, &x.first, &whole);
    if (s->denied || !(x.to || above))
        return false;
    x.first++; // the values above the cut
    say_span(s, x);
    return true;
}

/* All pieces of a test. */
static bool take_test(rest r, sentence *s, const hcbr_i_schema *schema) {
    const bool brackets = r.end - r.at > 1 && *r.at == '(' && r.end[-1] == ')';
    if (brackets) {
        r.at++;
        r.end--;
        say(s, "(");
    }
    s->denied = take_word(&r, "not "); // of one value
    do {
        if (s->pieces > 0 && take_word(&r, "missing")) {
            say_word(s, HCBR_WORD_OR_MISSING);
            break;
        }
        if (!take_piece(&r, s, schema))
            return false;
    } while (take_word(&r, " or "));
    if (take_word(&r, " nor missing"))
        say_word(s, HCBR_WORD_NOR_MISSING);
    if (brackets)
        say(s, ")");
    return r.at == r.end && !s->failed;
}

static hcbr_feature shown_number(const hcbr_model *model, const hcbr_feature *f, char *room) {
    size_t length = hcbr_i_shown_word(model, f, room);
    if (!length)
        length = hcbr_i_shown_number(model, f, room);
    if (!length)
        length = hcbr_i_shown_category(model, f, room);
    return length ? (hcbr_feature){room, length, NULL, 0} : *f;
}

hcbr_feature hcbr_shown_feature(const hcbr_model *model, const hcbr_feature *f,
                                char room[HCBR_SHOWN_SIZE]) {
    const hcbr_i_schema *schema = model->schema;
    sentence s = {.text = room};
    *room = '\0';
    if (!f->key)
        return *f;
    if (!hcbr_i_schema_changes(schema) || !memchr(f->key, ':', f->key_length))
        return shown_number(model, f, room);
    rest key = {f->key, f->key + f->key_length};
    rest value = {f->value, f->value ? f->value + f->value_length : NULL};
    bool said = f->value ? take_part(&key, &s, schema) && key.at == key.end &&
                               take_values(&value, &s) && value.at == value.end && s.pieces == 1
                         : take_test(key, &s, schema);
    return said && !s.failed ? (hcbr_feature){room, s.used, NULL, 0} : shown_number(model, f, room);
}

/* The start of the value after the name of its column: after the whole key and one more byte, or
 * after `pickup: `, if it is a part of a date. 0: there is no name. */
static size_t skip_name(const hcbr_feature *shown, const hcbr_feature *f) {
    size_t same = 0, behind = 0;
    while (same < shown->key_length && same < f->key_length && shown->key[same] == f->key[same]) {
        same++;
        if (same > 1 && memcmp(f->key + same - 2, ": ", 2) == 0)
            behind = same;
    }
    return same == f->key_length && same + 1 < shown->key_length ? same + 1 : behind;
}

const char *hcbr_shown_value(const hcbr_model *model, const hcbr_feature *f,
                             char room[HCBR_SHOWN_SIZE], size_t *length) {
    const hcbr_feature shown = hcbr_shown_feature(model, f, room);
    if (shown.value) {
        *length = shown.value_length;
        return shown.value;
    }
    const size_t name = f->value ? skip_name(&shown, f) : 0;
    *length = shown.key_length - name;
    return shown.key + name;
}

void hcbr_i_json_shown(hcbr_writer *w, const hcbr_model *model, const char *name,
                       const hcbr_feature *feature) {
    char room[HCBR_SHOWN_SIZE];
    if (hcbr_page_hides(&w->page.options, feature))
        return;
    const hcbr_feature shown = hcbr_shown_feature(model, feature, room);
    if (shown.key == room)
        PUT(w, FEATURE(name, &shown));
}

void hcbr_i_json_words(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *features,
                       size_t count) {
    char room[HCBR_SHOWN_SIZE];
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = hcbr_shown_feature(model, &features[i], room).key == room;
    if (any)
        hcbr_i_json_all_words(w, model, features, count);
}

void hcbr_i_json_all_words(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *features,
                           size_t count) {
    char room[HCBR_SHOWN_SIZE];
    PUT(w, OPEN("words", '['));
    for (size_t i = 0; i < count; i++) {
        const bool hidden = hcbr_page_hides(&w->page.options, &features[i]);
        const hcbr_feature shown = hcbr_shown_feature(model, &features[i], room);
        PUT(w, FEATURE(NULL, hidden ? &features[i] : &shown));
    }
    PUT(w, CLOSE(']'));
}
