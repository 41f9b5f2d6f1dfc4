/*
 * Whether an id numbers or names the cases. Such an id predicts nothing about new cases, and a rich
 * model leaves it out.
 *
 * Neither the name alone nor different values alone are enough: prices and times are all different
 * as well. Values are judged by their form (addresses, UUIDs, hashes, codes), numbers by their name
 * or by being row numbers. Values with a date in them are kept, as are numbers with units and names
 * that several rows share, unless the names are of people or of a few rows each.
 */
#include "kinds/kinds.h"

enum {
    SHARED_MOST = 10,  /* rows that share a name, on average */
    SHARED_LEAST = 30, /* different names that are shared */
    HASH_LEAST = 16,   /* hexadecimal digits */
    GROUPED_LEAST = 8, /* bytes of digits in groups */
    LONG_ALWAYS = 15,  /* digits that no amount has */
    YEAR_LEAST = 1950, /* of dates in ids */
    YEAR_MOST = 2049,
    RESIDUE = 16 /* characters of a unit besides digits */
};

/* The value with the n-th smallest hash, as far as it was kept; empty if it was cut. */
static hcbr_i_text kept(const hcbr_i_tally *c, size_t n) {
    const hcbr_i_sampled *x = hcbr_i_sample_get(&c->different, n);
    const size_t length = x->length < HCBR_I_SAMPLE_TEXT ? x->length : HCBR_I_SAMPLE_TEXT;
    return (hcbr_i_text){x->text, hcbr_i_says_missing(c->listed, x->text, length) ? 0 : length};
}

/* ---- dates in ids ---------------------------------------------------------------------------- */

static unsigned number_at(const char *text, size_t digits) {
    unsigned value = 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (unsigned)(text[i] - '0');
    return value;
}

static bool is_day(unsigned month, unsigned day) {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* The first four digits in a row or more. */
static hcbr_i_text first_run(hcbr_i_text x) {
    for (size_t i = 0, n; i < x.length; i += n + 1) {
        for (n = 0; i + n < x.length && hcbr_i_ascii_digit(x.at[i + n]);)
            n++;
        if (n >= 4)
            return (hcbr_i_text){x.at + i, n};
    }
    return (hcbr_i_text){NULL, 0};
}

/* How an id may begin with a date. */
typedef enum dated { DATED_DAY, DATED_SHORT_DAY, DATED_YEAR, DATED_WAYS } dated;

/* The date of that form in a run; 0: none. */
static unsigned date_in(hcbr_i_text run, bool alone, dated way) {
    const unsigned year = run.length >= 4 ? number_at(run.at, 4) : 0;
    const bool is_year = year >= YEAR_LEAST && year <= YEAR_MOST;
    if (way == DATED_YEAR) /* with more after it */
        return is_year && (alone ? run.length >= 7 : run.length == 4) ? year : 0;
    if (way == DATED_DAY)
        return is_year && run.length >= 8 &&
                       is_day(number_at(run.at + 4, 2), number_at(run.at + 6, 2))
                   ? number_at(run.at, 8)
                   : 0;
    return run.length >= 9 && is_day(number_at(run.at + 2, 2), number_at(run.at + 4, 2))
               ? 1 + number_at(run.at, 6)
               : 0;
}

/* Whether a run is seconds, milliseconds, microseconds or nanoseconds since 1970, from 1990 to
 * 2049. */
static bool is_clock(hcbr_i_text run, size_t *digits) {
    const bool same = *digits == 0 || *digits == run.length;
    *digits = run.length;
    if (!same || run.length < 9 || (run.length - 9) % 3 > 1)
        return false;
    const unsigned first = number_at(run.at, 9) / ((run.length - 9) % 3 == 1 ? 1 : 10);
    return (run.length - 9) % 3 == 1 ? first >= 63115200 && first < 252460800 : first >= 63115200;
}

/* Whether all values hold a date and the dates differ. `clock`: as seconds and the like. */
static bool carries_time(const hcbr_i_tally *c, bool clock) {
    unsigned ways = (1 << DATED_WAYS) - 1, varied = 0, last[DATED_WAYS] = {0};
    size_t digits = 0, values = 0;
    for (size_t n = 0; n < c->different.count; n++) {
        const hcbr_i_text x = kept(c, n);
        if (x.length == 0)
            continue;
        const hcbr_i_text run = first_run(x);
        values++;
        clock = clock && run.length == x.length && is_clock(run, &digits);
        for (unsigned way = 0; way < DATED_WAYS; way++) {
            const unsigned date = date_in(run, run.length == x.length, (dated)way);
            if (date == 0)
                ways &= ~(1U << way);
            varied |= (last[way] != 0 && last[way] != date ? 1U : 0U) << way;
            last[way] = date;
        }
    }
    return values > 0 && (clock || (ways & varied) != 0);
}

/* ---- forms ----------------------------------------------------------------------------------- */

bool hcbr_i_are_hashes(const hcbr_i_tally *c) {
    size_t length = 0;
    for (size_t n = 0; n < c->different.count; n++) {
        const hcbr_i_text x = kept(c, n);
        if (x.length == 0)
            continue;
        if (x.length < HASH_LEAST || (length && x.length != length))
            return false;
        length = x.length;
        for (size_t i = 0; i < length; i++) {
            const char low = hcbr_i_lower(x.at[i]);
            if (!hcbr_i_ascii_digit(x.at[i]) && (low < 'a' || low > 'f'))
                return false;
        }
    }
    return length > 0;
}

/* The characters besides digits, points and signs of a value that begins with a digit or sign;
 * false: it begins otherwise, or has more. */
static bool take_residue(hcbr_i_text x, char out[RESIDUE]) {
    size_t n = 0;
    memset(out, 0, RESIDUE);
    if (x.length == 0 || (!hcbr_i_ascii_digit(*x.at) && strchr("+-<>~$", *x.at) == NULL))
        return false;
    for (size_t i = 0; i < x.length; i++) {
        if (hcbr_i_ascii_digit(x.at[i]) || x.at[i] == '.' || x.at[i] == ',')
            continue;
        if (n == RESIDUE)
            return false;
        out[n++] = hcbr_i_lower(x.at[i]);
    }
    return true;
}

/* Whether the values are amounts, `10x20mm` or `5'11`: half of them have the same characters
 * besides digits. Digits in groups of a fixed length, `123-45-6789`, are a code. */
static bool are_amounts(const hcbr_i_tally *c) {
    size_t values = 0, begun = 0, same = 0, length = 0;
    char first[RESIDUE] = "", one[RESIDUE];
    bool fixed = true, dashes = true;
    for (size_t n = 0; n < c->different.count; n++) {
        const hcbr_i_text x = kept(c, n);
        values += x.length > 0;
        if (!take_residue(x, one))
            continue;
        if (begun++ == 0)
            memcpy(first, one, RESIDUE);
        same += memcmp(first, one, RESIDUE) == 0;
        fixed = fixed && (length == 0 || x.length == length);
        length = x.length;
        dashes = dashes && one[strspn(one, "-/")] == '\0' && *one;
    }
    return same * 2 >= values && values > 0 && !(dashes && fixed && length >= GROUPED_LEAST);
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* Names that several rows share: of people, or of a few rows each. */
static bool is_shared(const hcbr_i_kind *k, uint64_t values, bool person) {
    return k->distinct >= SHARED_LEAST && (person || k->distinct * SHARED_MOST >= values);
}

bool hcbr_i_judge_aside(const hcbr_i_kind *k, const hcbr_i_tally *c, unsigned says) {
    const uint64_t values = c->values - c->forms;
    const bool nearly = hcbr_i_nearly_all(k->distinct, values);
    const bool person = says & HCBR_I_NAME_PERSON;
    const bool other = says & (HCBR_I_NAME_MEASURE | HCBR_I_NAME_TIME);
    switch (k->look) {
    case HCBR_I_LOOK_ROW:
        return !other;
    case HCBR_I_LOOK_NAMED:
        if (k->numbers && c->smallest < 0)
            return false;
        if (k->distinct * 10 >= values * 9)
            return !carries_time(c, false);
        return says & HCBR_I_NAME_ID && is_shared(k, values, person);
    case HCBR_I_LOOK_LONG:
        return !other && (c->shortest == c->longest || c->shortest >= LONG_ALWAYS) &&
               !carries_time(c, true);
    case HCBR_I_LOOK_HASH:
    case HCBR_I_LOOK_MAIL:
    case HCBR_I_LOOK_UUID:
        return nearly || is_shared(k, values, false);
    case HCBR_I_LOOK_URL:
        return nearly;
    case HCBR_I_LOOK_TOKEN:
        return !carries_time(c, false) && (says & HCBR_I_NAME_KEY || !are_amounts(c));
    default: /* words: a column may be all that rows have, and rows repeat */
        return false;
    }
}
