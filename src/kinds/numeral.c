/*
 * Numbers in disguise: one value parsed, and written as a plain decimal.
 *
 * The digits are kept as runs between marks. Whether a mark groups thousands or begins the fraction
 * depends on the column, so both readings are tried and the caller chooses. No number passes
 * through a double: the output has exactly the digits of the input.
 *
 * Invariant: for each reading that hcbr_i_numeral_read() returns, hcbr_i_numeral_write() gives a
 * text that hcbr_i_decimal_read() accepts.
 */
#include "kinds/kinds.h"

enum { MOST_PLACES = 200 }; /* of an exponent: anything near it is out of the range of doubles */

/** The unread text. */
typedef struct rest {
    const char *at, *end;
} rest;

static void skip_blanks(rest *r) {
    size_t size;
    while ((size = hcbr_i_blank_size(r->at, r->end)) > 0)
        r->at += size;
}

/* ---- before the digits ----------------------------------------------------------------------- */

/* A sign: + - or one of the dashes that word processors put there (U+2212, U+2013). */
static bool take_sign(rest *r, bool *negative) {
    if (r->at == r->end)
        return false;
    if (*r->at == '+' || *r->at == '-') {
        *negative = *r->at++ == '-';
        return true;
    }
    if (r->end - r->at >= 3 &&
        (memcmp(r->at, "\xE2\x88\x92", 3) == 0 || memcmp(r->at, "\xE2\x80\x93", 3) == 0)) {
        *negative = true;
        r->at += 3;
        return true;
    }
    return false;
}

/* Signs and a currency, each at most once, in any order; parentheses around what follows. */
static bool take_front(rest *r, hcbr_i_numeral *n) {
    bool sign = false, currency = false, parentheses = false;
    for (;;) {
        size_t size;
        skip_blanks(r);
        if (r->at == r->end)
            return false;
        if (hcbr_i_ascii_digit(*r->at) || *r->at == '.' || *r->at == ',')
            return true;
        if (*r->at == '(' && r->end[-1] == ')' && !parentheses && !sign) {
            parentheses = n->negative = true;
            r->at++;
            r->end--;
            hcbr_i_trim(&r->at, &r->end);
        } else if (!sign && !parentheses && take_sign(r, &n->negative)) {
            sign = true;
        } else if (!currency && (size = hcbr_i_currency_size(r->at, r->end)) > 0) {
            currency = true;
            if (!hcbr_i_unit_add(&n->unit, r->at, r->at + size))
                return false;
            r->at += size;
        } else {
            return false;
        }
    }
}

/* ---- the digits ------------------------------------------------------------------------------ */

/* Bytes of a mark between digits; *mark receives its kind. */
static size_t mark_size(const rest *r, char *mark) {
    size_t size;
    if (r->at == r->end)
        return 0;
    *mark = *r->at;
    if (*r->at == '.' || *r->at == ',' || *r->at == '\'' || *r->at == '_')
        return 1;
    if (r->end - r->at >= 3 && memcmp(r->at, "\xE2\x80\x99", 3) == 0) {
        *mark = '\'';
        return 3;
    }
    size = hcbr_i_blank_size(r->at, r->end);
    *mark = ' ';
    return size;
}

static bool take_digits(rest *r, hcbr_i_numeral *n) {
    n->digits = r->at;
    for (n->runs = 0;; n->runs++) {
        const char *start = r->at;
        if (n->runs == HCBR_I_NUMERAL_RUNS)
            return false;
        while (r->at < r->end && hcbr_i_ascii_digit(*r->at))
            r->at++;
        n->run[n->runs] = (uint8_t)(r->at - start);
        size_t size = mark_size(r, &n->mark[n->runs]);
        n->mark_size[n->runs] = (uint8_t)size;
        if (size == 0 || (size_t)(r->end - r->at) <= size || !hcbr_i_ascii_digit(r->at[size]))
            break; /* the number ends before the mark */
        r->at += size;
    }
    n->mark_size[n->runs] = 0;
    n->mark[n->runs] = 0;
    n->runs++;
    return n->runs > 1 || n->run[0] > 0;
}

/* Whether the first `runs` runs are the groups of a whole number: thousands, or lakhs with
 * commas. */
static bool groups_fit(const hcbr_i_numeral *n, unsigned runs) {
    bool lakhs = n->mark[0] == ',' && runs > 2 && n->run[0] <= 2;
    if (n->run[0] < 1 || n->run[0] > 3 || *n->digits == '0' || n->run[runs - 1] != 3)
        return false;
    for (unsigned i = 0; i + 1 < runs; i++)
        if (n->mark[i] != n->mark[0] || (i > 0 && n->run[i] != 3 && n->run[i] != 2))
            return false;
    for (unsigned i = 1; i + 1 < runs; i++)
        if (n->run[i] != n->run[1] || (n->run[i] == 2 && !lakhs))
            return false;
    return true;
}

/* Whether the marks make a number if this one is the decimal mark. */
static bool mark_fits(const hcbr_i_numeral *n, char decimal, bool *grouped) {
    unsigned runs = n->runs;
    for (unsigned i = 0; i + 2 < n->runs; i++)
        if (n->mark[i] == decimal)
            return false;
    if (runs > 1 && n->mark[runs - 2] == decimal)
        runs--;
    *grouped = runs > 1;
    if (runs > 1)
        return groups_fit(n, runs);
    return n->run[0] < 2 || *n->digits != '0'; /* else a code */
}

static void find_readings(hcbr_i_numeral *n) {
    bool grouped;
    n->marks = n->grouped = 0;
    if (mark_fits(n, '.', &grouped)) {
        n->marks |= HCBR_I_MARK_POINT;
        n->grouped |= grouped ? HCBR_I_MARK_POINT : 0;
    }
    if (mark_fits(n, ',', &grouped)) {
        n->marks |= HCBR_I_MARK_COMMA;
        n->grouped |= grouped ? HCBR_I_MARK_COMMA : 0;
    }
}

/* ---- after the digits ------------------------------------------------------------------------ */

/* An exponent; a number with thousands separators has none. */
static bool take_exponent(rest *r, hcbr_i_numeral *n) {
    const char *p = r->at;
    if (p == r->end || hcbr_i_lower(*p) != 'e')
        return true;
    bool negative = ++p < r->end && *p == '-';
    p += p < r->end && (*p == '-' || *p == '+');
    const char *first = p;
    int places = 0;
    for (; p < r->end && hcbr_i_ascii_digit(*p); p++)
        if ((places = places * 10 + (*p - '0')) > MOST_PLACES)
            return false;
    if (p == first)
        return true; /* the e of a unit */
    n->scale = (int16_t)(negative ? -places : places);
    n->marks &= (uint8_t)~n->grouped;
    n->grouped = 0;
    r->at = p;
    return true;
}

/* The end of the next word: a blank, or the sign of a currency after k or M. */
static const char *word_end(const rest *r) {
    const char *p = r->at;
    while (p < r->end && hcbr_i_blank_size(p, r->end) == 0)
        p++;
    if (p - r->at >= 2 && hcbr_i_currency_size(r->at + 1, p) == (size_t)(p - r->at - 1) &&
        !hcbr_i_ascii_digit(r->at[1]) && (r->at[1] == '$' || (unsigned char)r->at[1] >= 0x80))
        return r->at + 1;
    return p;
}

static bool money_follows(const char *at, const char *end) {
    rest r = {at, end};
    skip_blanks(&r);
    return r.at < end && hcbr_i_currency_size(r.at, end) == (size_t)(end - r.at);
}

/* Powers of ten and the unit, two words at most. */
static bool take_back(rest *r, hcbr_i_numeral *n) {
    bool money = n->unit.length > 0;
    unsigned words = 0;
    skip_blanks(r);
    while (r->at < r->end) {
        const char *stop = word_end(r);
        size_t length = (size_t)(stop - r->at);
        int power = words == 0 ? hcbr_i_multiplier(r->at, length) : 0;
        if (words == 0 && length == 1 && *r->at == 'm' && (money || money_follows(stop, r->end)))
            power = 6;
        if (power > 0 && n->scale < MOST_PLACES) {
            n->scale = (int16_t)(n->scale + power);
        } else {
            if (++words > 2 || !hcbr_i_unit_add(&n->unit, r->at, stop))
                return false;
        }
        r->at = stop;
        skip_blanks(r);
    }
    n->may_be_million = n->unit.length == 1 && n->unit.text[0] == 'm';
    return true;
}

/* The start of one or two letters or digits in brackets that end there; NULL: none. Two digits in
 * round brackets are not a mark. */
static const char *bracket(const char *start, const char *end) {
    const bool round = end[-1] == ')';
    const char *p = end - 1;
    unsigned digits = 0;
    while (p > start && end - p < 3 && p[-1] != (round ? '(' : '[')) {
        const char c = *--p;
        digits += hcbr_i_ascii_digit(c);
        if (!hcbr_i_ascii_digit(c) && (hcbr_i_lower(c) < 'a' || hcbr_i_lower(c) > 'z'))
            return NULL;
    }
    return p > start && p + 1 < end && p[-1] == (round ? '(' : '[') && !(round && digits > 1)
               ? p - 1
               : NULL;
}

/* Leave out the footnote mark after digits: stars, a dagger, `(p)`, `[1]`. */
static void drop_mark(rest *r) {
    const char *p = r->end;
    if (p - r->at < 2 || hcbr_i_ascii_digit(p[-1]))
        return;
    if (p[-1] == '*') {
        while (p > r->at && p[-1] == '*')
            p--;
    } else if (p[-1] == ')' || p[-1] == ']') {
        p = bracket(r->at, p);
        if (p == NULL)
            return;
    } else if (p - r->at > 3 && (unsigned char)p[-3] == 0xE2 && (unsigned char)p[-2] == 0x80 &&
               ((unsigned char)p[-1] | 1) == 0xA1) {
        p -= 3;
    } else {
        return;
    }
    while (p > r->at && p[-1] == ' ')
        p--;
    if (p > r->at && hcbr_i_ascii_digit(p[-1]))
        r->end = p;
}

unsigned hcbr_i_numeral_read(hcbr_i_numeral *out, const char *text, size_t length) {
    rest r = {text, text + length};
    out->negative = out->may_be_million = false;
    out->scale = 0;
    out->unit.length = 0;
    out->runs = out->marks = out->grouped = 0;
    if (length > HCBR_I_NUMERAL_LONG)
        return 0;
    hcbr_i_trim(&r.at, &r.end);
    drop_mark(&r);
    bool plus = r.at < r.end && *r.at == '+';
    if (!take_front(&r, out) || !take_digits(&r, out))
        return 0;
    find_readings(out);
    bool phone = plus && out->grouped && out->mark[0] == ' '; /* +49 170 123 456 */
    if (out->marks == 0 || phone || !take_exponent(&r, out))
        return out->marks = 0;
    if (r.at < r.end && *r.at == '-' && r.at + 1 == r.end && !out->negative) {
        out->negative = true; /* 1234- */
        r.at++;
    }
    if (!take_back(&r, out))
        return out->marks = 0;
    return out->marks;
}

/* ---- writing --------------------------------------------------------------------------------- */

size_t hcbr_i_numeral_write(char out[HCBR_I_NUMERAL_TEXT], const hcbr_i_numeral *n, unsigned mark,
                            bool million) {
    char digits[HCBR_I_NUMERAL_LONG], decimal = mark == HCBR_I_MARK_COMMA ? ',' : '.';
    int count = 0, point = 0; /* digits in all, and before the point */
    const char *p = n->digits;
    assert(n->marks & mark);
    for (unsigned i = 0; i < n->runs; i++) {
        memcpy(digits + count, p, n->run[i]);
        count += n->run[i];
        if (i + 1 == n->runs || n->mark[i] != decimal)
            point = i > 0 && n->mark[i - 1] == decimal ? point : count;
        else
            point = count;
        p += n->run[i] + n->mark_size[i];
    }
    point += n->scale + (million && n->may_be_million ? 6 : 0);
    int first = 0, size = 0;
    while (first < count && digits[first] == '0')
        first++;
    while (count > first && digits[count - 1] == '0')
        count--;
    if (first == count) {
        out[0] = '0';
        return 1;
    }
    if (n->negative)
        out[size++] = '-';
    for (int i = first < point ? first : point; i < point; i++)
        out[size++] = i >= 0 && i < count ? digits[i] : '0';
    if (point <= first)
        out[size++] = '0';
    if (count > point)
        out[size++] = '.';
    for (int i = point; i < count; i++)
        out[size++] = i >= 0 ? digits[i] : '0';
    return (size_t)size;
}
