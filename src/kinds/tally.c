/*
 * Counts over the values of a column: which readers accept them, how many words they have, and a
 * sample of them.
 *
 * Invariant: every count is a sum, a minimum or a maximum over the values, and the samples do not
 * depend on their order. So parts of a column can be counted separately and merged.
 */
#include "kinds/kinds.h"

enum {
    SCAN_MOST = HCBR_I_NUMERAL_LONG, /* bytes of a value that are scanned for words */
    UUID_LENGTH = 36
};

void hcbr_i_tally_init(hcbr_i_tally *column) {
    memset(column, 0, sizeof *column);
    column->smallest = INT64_MAX;
    column->largest = INT64_MIN;
    column->shortest = UINT32_MAX;
    hcbr_i_sample_init(&column->different, HCBR_I_TALLY_SAMPLE);
    hcbr_i_sample_init(&column->not_numbers, HCBR_I_TALLY_ODD);
    hcbr_i_sample_init(&column->not_dates, HCBR_I_TALLY_ODD);
    for (unsigned mark = HCBR_I_MARK_POINT; mark <= HCBR_I_MARK_COMMA; mark++)
        hcbr_i_sample_init(&column->units[mark], HCBR_I_TALLY_UNITS);
}

void hcbr_i_tally_clear(hcbr_i_tally *column) {
    const bool listed = column->listed;
    hcbr_i_free(column->different.values);
    hcbr_i_free(column->not_numbers.values);
    hcbr_i_free(column->not_dates.values);
    for (unsigned mark = HCBR_I_MARK_POINT; mark <= HCBR_I_MARK_COMMA; mark++)
        hcbr_i_free(column->units[mark].values);
    hcbr_i_tally_init(column);
    column->listed = listed;
}

/* ---- other values ---------------------------------------------------------------------------- */

enum {
    LETTER = 1,
    DIGIT = 2,
    BLANK = 4,
    AT = 8,
    OTHER = 16,
    SEPARATOR_BITS = 5, /* from here on, one for each of HCBR_I_SEPARATORS */
    BAR = OTHER | 1 << SEPARATOR_BITS,
    SEMICOLON = OTHER | 1 << (SEPARATOR_BITS + 1),
    COMMA = OTHER | 1 << (SEPARATOR_BITS + 2),
    SLASH = OTHER | 1 << (SEPARATOR_BITS + 3),
    ANY_SEPARATOR = (1 << (sizeof HCBR_I_SEPARATORS - 1)) - 1
};

#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTEEN(x) EIGHT(x), EIGHT(x)

/* The class of a byte; bytes of UTF-8 beyond ASCII are letters. */
static const uint16_t classes[256] = {
    /* clang-format off */
    EIGHT(OTHER), OTHER, BLANK, BLANK, OTHER, OTHER, BLANK, OTHER, OTHER,
    SIXTEEN(OTHER),
    BLANK, EIGHT(OTHER), OTHER, OTHER, OTHER, COMMA, OTHER, OTHER, SLASH,
    EIGHT(DIGIT), DIGIT, DIGIT, OTHER, SEMICOLON, OTHER, OTHER, OTHER, OTHER,
    AT, EIGHT(LETTER), LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
    EIGHT(LETTER), LETTER, LETTER, LETTER, OTHER, OTHER, OTHER, OTHER, OTHER,
    OTHER, EIGHT(LETTER), LETTER, LETTER, LETTER, LETTER, LETTER, LETTER, LETTER,
    EIGHT(LETTER), LETTER, LETTER, LETTER, OTHER, BAR, OTHER, OTHER, OTHER,
    SIXTEEN(LETTER), SIXTEEN(LETTER), SIXTEEN(LETTER), SIXTEEN(LETTER),
    SIXTEEN(LETTER), SIXTEEN(LETTER), SIXTEEN(LETTER), SIXTEEN(LETTER),
    /* clang-format on */
};

/** The result of scanning a value. */
typedef struct scan {
    uint32_t words; /**< runs between blanks that have a letter */
    unsigned has;   /**< which of the classes above */
} scan;

static scan scan_value(const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    const unsigned char *end = p + (length < SCAN_MOST ? length : SCAN_MOST);
    scan s = {0, 0};
    while (p < end) {
        unsigned run = 0; /* up to a blank */
        do
            run |= classes[*p++];
        while (!(run & BLANK) && p < end);
        s.words += run & LETTER;
        s.has |= run;
    }
    return s;
}

static bool starts(const char *text, size_t length, const char *with) {
    size_t n = strlen(with);
    return length > n && hcbr_i_is_word(text, n, with);
}

static bool is_url(const char *text, size_t length) {
    return starts(text, length, "http://") || starts(text, length, "https://") ||
           starts(text, length, "ftp://") || starts(text, length, "www.");
}

static bool is_uuid(const char *text, size_t length) {
    if (length != UUID_LENGTH)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = hcbr_i_lower(text[i]);
        bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? c != '-' : !hcbr_i_ascii_digit(c) && (c < 'a' || c > 'f'))
            return false;
    }
    return true;
}

static void add_looks(hcbr_i_tally *c, const scan *s, const char *text, size_t length,
                      uint64_t count) {
    const char *at = NULL, *end = text + length;
    if (s->has & BLANK || !(s->has & (OTHER | AT)))
        return;
    if (s->has & AT) {
        at = memchr(text, '@', length);
        if (memchr(at + 1, '@', (size_t)(end - at) - 1) != NULL)
            at = NULL;
    }
    if (at != NULL && at > text && memchr(at, '.', (size_t)(end - at)) != NULL)
        c->mails += count;
    else if (strchr("hHfFwW", *text) && is_url(text, length))
        c->urls += count;
    else if (is_uuid(text, length))
        c->uuids += count;
}

/* Digits that begin with 0, which make a code. */
static bool is_code(const char *text, size_t length) {
    if (length < 2 || *text != '0')
        return false;
    for (size_t i = 1; i < length; i++)
        if (!hcbr_i_ascii_digit(text[i]))
            return false;
    return true;
}

static void add_code(hcbr_i_tally *c, size_t length, uint64_t count) {
    uint32_t bytes = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
    c->codes += count;
    c->shortest = bytes < c->shortest ? bytes : c->shortest;
    c->longest = bytes > c->longest ? bytes : c->longest;
}

/* A number in disguise; false: not one. */
static bool add_numeral(hcbr_i_tally *c, const char *text, size_t length, uint64_t count) {
    hcbr_i_numeral n;
    unsigned marks = hcbr_i_numeral_read(&n, text, length);
    if (marks == 0)
        return false;
    uint64_t unit = n.unit.length ? hcbr_i_value_hash(n.unit.text, n.unit.length) : 0;
    for (unsigned mark = HCBR_I_MARK_POINT; mark <= HCBR_I_MARK_COMMA; mark++) {
        if (!(marks & mark))
            continue;
        c->fits[mark] += count;
        c->sure[mark] += marks == mark ? count : 0;
        c->grouped[mark] += n.grouped & mark ? count : 0;
        if (n.unit.length == 0)
            continue;
        c->with_unit[mark] += count;
        hcbr_i_sample_add(&c->units[mark], unit, n.unit.text, n.unit.length, count);
    }
    if (n.runs == 1)
        *(n.run[0] > 3 ? &c->above : &c->below) += count;
    if (n.grouped) {
        c->by_blank += n.mark[0] == ' ' ? count : 0;
        c->by_quote += n.mark[0] == '\'' ? count : 0;
        c->by_line += n.mark[0] == '_' ? count : 0;
    }
    c->scaled += n.scale != 0 ? count : 0;
    return true;
}

/* Days, and times of days, that can be read in one way. */
static void add_clear(hcbr_i_tally *c, uint64_t days, uint64_t times) {
    for (unsigned order = 0; order < 4; order++)
        c->orders[order] += days + times;
    c->moments += days + times;
    c->with_day += days + times;
    c->with_time += times;
}

void hcbr_i_tally_add_iso(hcbr_i_tally *c, uint64_t days, uint64_t times) {
    c->values += days + times;
    add_clear(c, days, times);
}

/* A date or a time; false: neither. */
static bool add_moment(hcbr_i_tally *c, const char *text, size_t length, uint64_t count) {
    hcbr_i_moment m;
    if (hcbr_i_iso_read(&m, text, length)) {
        const bool time = m.has & HCBR_I_HAS_TIME;
        add_clear(c, time ? 0 : count, time ? count : 0);
        return true;
    }
    unsigned orders = hcbr_i_moment_orders(&m, text, length);
    if (orders == 0)
        return false;
    for (unsigned order = 0; order < 4; order++)
        c->orders[order] += orders >> order & 1 ? count : 0;
    c->moments += count;
    if (orders >> HCBR_I_ORDER_DMY & orders >> HCBR_I_ORDER_MDY & ~orders & 1) {
        c->firsts |= 1U << m.day; /* m is the day in the first of these orders */
        c->seconds |= 1U << m.month;
    }
    c->only_times += m.has & HCBR_I_HAS_DATE ? 0 : count;
    c->with_time += m.has & HCBR_I_HAS_TIME ? count : 0;
    c->with_zone += m.has & HCBR_I_HAS_ZONE ? count : 0;
    c->with_day += m.has & HCBR_I_HAS_DAY ? count : 0;
    return true;
}

/* A bit for each pair with a word that begins with this letter, in lower case. */
static unsigned flags_of(char first) {
    switch (first) {
    case 'y':
    case 'n':
    case 'j':
    case 's':
        return 1 << HCBR_I_FLAGS_YES;
    case 't':
    case 'f':
    case 'w':
    case 'v':
        return 1 << HCBR_I_FLAGS_TRUE;
    case 'o':
        return 1 << HCBR_I_FLAGS_YES | 1 << HCBR_I_FLAGS_ON;
    case ' ': /* the word after it decides */
        return 1 << HCBR_I_FLAGS_YES | 1 << HCBR_I_FLAGS_TRUE | 1 << HCBR_I_FLAGS_ON;
    default:
        return 0;
    }
}

static void add_flags(hcbr_i_tally *c, const char *text, size_t length, uint64_t count) {
    const unsigned may = length > 8 ? 0 : flags_of(hcbr_i_lower(*text));
    bool yes;
    for (unsigned pair = 0; may >> pair; pair++)
        if (may >> pair & 1 && hcbr_i_flag_read(&yes, (hcbr_i_flags)pair, text, length))
            c->flags[pair][yes] += count;
}

/* Whether a column with at least `odd` values that do not fit is still possible. See
 * hcbr_i_few_odd(). */
static inline bool is_open(const hcbr_i_tally *c, uint64_t odd) {
    return c->expected == 0 || odd <= c->expected / HCBR_I_ODD_FEW_MOST;
}

/* Of odd values only their number up to the limit is used. */
static inline bool takes_more(const hcbr_i_tally *c, const hcbr_i_sample *odd) {
    return c->expected == 0 || odd->count < odd->limit;
}

static bool may_be_numbers(const hcbr_i_tally *c) {
    return is_open(c, c->values - c->forms - c->plain - c->fits[HCBR_I_MARK_POINT] -
                          c->sure[HCBR_I_MARK_COMMA]);
}

/* A value that is neither a plain number nor a date of ISO 8601; false: no memory. */
static bool add_other(hcbr_i_tally *c, uint64_t hash, const char *text, size_t length,
                      uint64_t count) {
    const scan s = scan_value(text, length);
    const bool digit = s.has & DIGIT;
    const bool numbers = (digit || takes_more(c, &c->not_numbers)) && may_be_numbers(c);
    const bool dates =
        (digit || takes_more(c, &c->not_dates)) && is_open(c, c->values - c->forms - c->moments);
    bool number = false, moment = false;
    if (digit && numbers &&
        !(hcbr_i_sample_reserve(&c->units[HCBR_I_MARK_POINT]) &&
          hcbr_i_sample_reserve(&c->units[HCBR_I_MARK_COMMA])))
        return false;
    c->words += s.words * count;
    c->with_signs += s.has & (DIGIT | OTHER | AT) ? count : 0;
    c->separators |= length > SCAN_MOST ? ANY_SEPARATOR : s.has >> SEPARATOR_BITS;
    if (hcbr_i_says_missing(c->listed, text, length)) {
        c->forms += count;
        return true;
    }
    if (!digit) {
        add_flags(c, text, length, count);
    } else if (length <= SCAN_MOST) {
        moment = dates && add_moment(c, text, length, count);
        number = numbers && add_numeral(c, text, length, count);
        if (!number && is_code(text, length))
            add_code(c, length, count);
    }
    add_looks(c, &s, text, length, count);
    if (!number && numbers && takes_more(c, &c->not_numbers))
        hcbr_i_sample_add(&c->not_numbers, hash, text, length, count);
    if (!moment && dates && takes_more(c, &c->not_dates))
        hcbr_i_sample_add(&c->not_dates, hash, text, length, count);
    return true;
}

bool hcbr_i_tally_add(hcbr_i_tally *c, const char *text, size_t length, uint64_t count) {
    double value;
    uint8_t spelling;
    if (!hcbr_i_sample_reserve(&c->different) || !hcbr_i_sample_reserve(&c->not_numbers) ||
        !hcbr_i_sample_reserve(&c->not_dates))
        return false;
    if (count == 0)
        return true;
    uint64_t hash;
    const unsigned ends =
        length ? classes[(unsigned char)*text] | classes[(unsigned char)text[length - 1]] : 0;
    bool dated = length >= 10 && text[4] == '-' && text[7] == '-'; /* 2019-03-14 is not a number */
    if (!dated && !(ends & LETTER) && hcbr_i_decimal_read(&value, &spelling, text, length)) {
        if (spelling < HCBR_I_SPELLED_OTHER)
            return hcbr_i_tally_add_number(c, value, spelling, count);
        hash = hcbr_i_value_hash(text, length);
        hcbr_i_tally_add_spelled(c, text, length, spelling == HCBR_I_SPELLED_WIDE ? 2 : value,
                                 count);
        hcbr_i_sample_add(&c->not_dates, hash, text, length, count);
    } else {
        hash = hcbr_i_value_hash(text, length);
        if (!dated || !add_moment(c, text, length, count)) {
            if (!add_other(c, hash, text, length, count))
                return false;
        } else {
            c->separators |= ANY_SEPARATOR; /* not looked at */
            hcbr_i_sample_add(&c->not_numbers, hash, text, length, count);
        }
    }
    c->values += count;
    hcbr_i_sample_add(&c->different, hash, text, length, count);
    return true;
}

/* ---- scaling and merging
 * --------------------------------------------------------------------------------- */

/* Room for all values that may be added. */
static bool reserve_all(hcbr_i_sample *into, const hcbr_i_sample *from) {
    size_t need = into->count + from->count;
    need = need < into->limit ? need : into->limit;
    return hcbr_i_grow(&into->values, &into->capacity, need, sizeof *into->values);
}

static void scale(uint64_t *counts, size_t count, uint64_t to, uint64_t from) {
    for (size_t i = 0; i < count; i++)
        counts[i] = (uint64_t)(((hcbr_i_u128)counts[i] * to + from / 2) / from);
}

#define SCALE(field) scale(&c->field, 1, values, from)
#define SCALE_ALL(field) scale(c->field, sizeof c->field / sizeof *c->field, values, from)

void hcbr_i_tally_scale(hcbr_i_tally *c, uint64_t values) {
    const uint64_t from = c->values;
    if (from == 0)
        return;
    SCALE(missing), SCALE(forms), SCALE(plain), SCALE(pointed), SCALE(threes), SCALE(whole),
        SCALE(below), SCALE(above);
    SCALE(codes), SCALE(scaled), SCALE(by_blank), SCALE(by_quote), SCALE(by_line);
    SCALE(moments), SCALE(only_times), SCALE(with_time), SCALE(with_zone), SCALE(with_day),
        SCALE(words), SCALE(with_signs);
    SCALE(mails), SCALE(urls), SCALE(uuids);
    SCALE_ALL(fits), SCALE_ALL(sure), SCALE_ALL(grouped), SCALE_ALL(with_unit);
    SCALE_ALL(orders), SCALE_ALL(clocks);
    scale(c->flags[0], sizeof c->flags / sizeof **c->flags, values, from);
    c->values = values;
}

#define ADD(field) (into->field += from->field)

bool hcbr_i_tally_merge(hcbr_i_tally *into, const hcbr_i_tally *from) {
    if (!reserve_all(&into->different, &from->different) ||
        !reserve_all(&into->not_numbers, &from->not_numbers) ||
        !reserve_all(&into->not_dates, &from->not_dates) ||
        !reserve_all(&into->units[HCBR_I_MARK_POINT], &from->units[HCBR_I_MARK_POINT]) ||
        !reserve_all(&into->units[HCBR_I_MARK_COMMA], &from->units[HCBR_I_MARK_COMMA]))
        return false;
    ADD(values), ADD(missing), ADD(forms), ADD(plain), ADD(pointed), ADD(threes), ADD(whole),
        ADD(below), ADD(above);
    ADD(codes), ADD(scaled), ADD(by_blank), ADD(by_quote), ADD(by_line);
    ADD(moments), ADD(only_times), ADD(with_time), ADD(with_zone), ADD(with_day), ADD(words),
        ADD(with_signs);
    ADD(mails), ADD(urls), ADD(uuids);
    for (unsigned i = 0; i < 3; i++)
        ADD(fits[i]), ADD(sure[i]), ADD(grouped[i]), ADD(with_unit[i]);
    for (unsigned i = 0; i < 4; i++)
        ADD(orders[i]);
    for (unsigned i = 0; i < HCBR_I_CLOCKS; i++)
        ADD(clocks[i]);
    for (unsigned i = 0; i < HCBR_I_FLAGS_COUNT; i++)
        ADD(flags[i][0]), ADD(flags[i][1]);
    into->separators |= from->separators;
    into->firsts |= from->firsts;
    into->seconds |= from->seconds;
    into->smallest = from->smallest < into->smallest ? from->smallest : into->smallest;
    into->largest = from->largest > into->largest ? from->largest : into->largest;
    into->shortest = from->shortest < into->shortest ? from->shortest : into->shortest;
    into->longest = from->longest > into->longest ? from->longest : into->longest;
    hcbr_i_sample_merge(&into->different, &from->different);
    hcbr_i_sample_merge(&into->not_numbers, &from->not_numbers);
    hcbr_i_sample_merge(&into->not_dates, &from->not_dates);
    for (unsigned mark = HCBR_I_MARK_POINT; mark <= HCBR_I_MARK_COMMA; mark++)
        hcbr_i_sample_merge(&into->units[mark], &from->units[mark]);
    return true;
}
