/*
 * Plain numbers of a column. Most have the usual spelling: the double and the number of places give
 * all counts, and the text is not read.
 *
 * Invariant: a number counts the same whether it comes as a text or as a double with its spelling.
 */
#include "kinds/kinds.h"

#define WHOLE_MOST 1e17  /* whole numbers below it are written without an exponent */
#define PLAIN_LEAST 1e-5 /* and so are fractions from here on */

enum { WHOLE_DIGITS = 17, THREE_PLACES = HCBR_I_SPELLED_FIXED + 3 };

/* ---- whole numbers --------------------------------------------------------------------------- */

/* Of a number below 10^17. */
static unsigned digits_of(uint64_t value) {
    static const uint64_t powers[WHOLE_DIGITS + 1] = {1,
                                                      10,
                                                      100,
                                                      1000,
                                                      10000,
                                                      100000,
                                                      1000000,
                                                      10000000,
                                                      100000000,
                                                      1000000000,
                                                      10000000000,
                                                      100000000000,
                                                      1000000000000,
                                                      10000000000000,
                                                      100000000000000,
                                                      1000000000000000,
                                                      10000000000000000,
                                                      100000000000000000};
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned least = bits * 1233 >> 12; /* of digits, less 1 or exact: log10(2) is 1233 / 4096 */
    return least + (value >= powers[least]) + (value == 0);
}

/* Numbers of 8 to 13 digits that are moments, as hcbr_i_clock_read() has it. */
static void add_clocks(hcbr_i_tally *c, uint64_t value, unsigned digits, uint64_t count) {
    char text[24];
    hcbr_i_moment ignored;
    /* seconds have 9 or 10 digits, milliseconds 12 or 13; all of them are valid */
    if (digits != 8) {
        c->clocks[HCBR_I_CLOCK_SECONDS] += digits == 9 || digits == 10 ? count : 0;
        c->clocks[HCBR_I_CLOCK_MILLIS] += digits >= 12 ? count : 0;
        return;
    }
    unsigned month = (unsigned)(value / 100 % 100);
    if (month < 1 || month > 12)
        return;
    for (unsigned i = digits; i-- > 0; value /= 10)
        text[i] = (char)('0' + value % 10);
    if (hcbr_i_clock_read(&ignored, HCBR_I_CLOCK_COMPACT, text, digits))
        c->clocks[HCBR_I_CLOCK_COMPACT] += count;
}

static void add_whole(hcbr_i_tally *c, int64_t value, uint64_t count) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    c->whole += count;
    c->smallest = value < c->smallest ? value : c->smallest;
    c->largest = value > c->largest ? value : c->largest;
    *(size > 999 ? &c->above : &c->below) += count;
    if (value < 0)
        return;
    unsigned digits = digits_of(size);
    c->shortest = digits < c->shortest ? digits : c->shortest;
    c->longest = digits > c->longest ? digits : c->longest;
    if (digits >= 8 && digits <= 13)
        add_clocks(c, size, digits, count);
}

static void add_flags(hcbr_i_tally *c, double value, uint64_t count) {
    if (value == 0 || value == 1)
        c->flags[HCBR_I_FLAGS_ONE][value == 1] += count;
    if (value == -1 || value == 1)
        c->flags[HCBR_I_FLAGS_MINUS][value == 1] += count;
}

/* ---- by their texts -------------------------------------------------------------------------- */

void hcbr_i_tally_add_spelled(hcbr_i_tally *c, const char *text, size_t length, double value,
                              uint64_t count) {
    const char *point = memchr(text, '.', length);
    size_t sign = *text == '-', digits = sign;
    c->plain += count;
    add_flags(c, value, count);
    if (point != NULL) {
        hcbr_i_numeral numeral;
        bool three = text + length - point == 4 &&
                     (hcbr_i_numeral_read(&numeral, text, length) & HCBR_I_MARK_COMMA);
        *(three ? &c->threes : &c->pointed) += count;
        return;
    }
    int64_t whole = 0;
    for (; digits < length && hcbr_i_ascii_digit(text[digits]); digits++)
        if (digits - sign < WHOLE_DIGITS)
            whole = whole * 10 + (text[digits] - '0');
    if (digits < length)
        return; /* an exponent */
    if (digits - sign <= WHOLE_DIGITS) {
        add_whole(c, sign ? -whole : whole, count);
        return;
    }
    c->whole += count;
    c->above += count;
    uint32_t bytes = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
    if (!sign) {
        c->shortest = bytes < c->shortest ? bytes : c->shortest;
        c->longest = bytes > c->longest ? bytes : c->longest;
    }
}

/* ---- by their values ------------------------------------------------------------------------- */

/* Whether a number spelled shortest has three places and one to three digits before them. */
static bool has_three(double size) {
    if (size < 1 || size >= 1000)
        return false;
    uint64_t thousandths = (uint64_t)(size * 1000 + 0.5);
    return (double)thousandths / 1000 == size && thousandths % 10 != 0;
}

bool hcbr_i_number_is_pointed(double value, uint8_t spelling) {
    const double size = value < 0 ? -value : value;
    if (size >= WHOLE_MOST || (size < PLAIN_LEAST && size > 0))
        return false;
    if (spelling != HCBR_I_SPELLED_SHORTEST)
        return spelling < HCBR_I_SPELLED_OTHER &&
               (spelling != THREE_PLACES || size < 1 || size >= 1000);
    return (double)(int64_t)value != value && !has_three(size);
}

static inline uint64_t hash_of(double value, uint8_t spelling) {
    return hcbr_i_mix(hcbr_i_bits_of(value) ^ (uint64_t)spelling << 40);
}

/* The samples. The text of a number is needed only if it is added to one. */
static void add_sampled(hcbr_i_tally *c, double value, uint8_t spelling, uint64_t count) {
    uint64_t hash = hash_of(value, spelling);
    size_t place = 0, odd_place = 0;
    bool known =
        hash > c->different.bound || hcbr_i_sample_count(&c->different, hash, count, &place);
    bool no_date =
        hash > c->not_dates.bound || hcbr_i_sample_count(&c->not_dates, hash, count, &odd_place);
    if (HCBR_I_LIKELY(known && no_date))
        return;
    char text[HCBR_NUMBER_SIZE];
    size_t length = hcbr_i_decimal_spell(text, value, spelling);
    if (!known)
        hcbr_i_sample_insert(&c->different, place, hash, text, length, count);
    if (!no_date)
        hcbr_i_sample_insert(&c->not_dates, odd_place, hash, text, length, count);
}

bool hcbr_i_tally_add_number(hcbr_i_tally *c, double value, uint8_t spelling, uint64_t count) {
    assert(spelling < HCBR_I_SPELLED_OTHER);
    if (!hcbr_i_sample_reserve(&c->different) || !hcbr_i_sample_reserve(&c->not_dates))
        return false;
    if (count == 0)
        return true;
    c->values += count;
    add_sampled(c, value, spelling, count);
    double size = value < 0 ? -value : value;
    if (HCBR_I_UNLIKELY(size >= WHOLE_MOST || (size < PLAIN_LEAST && size > 0))) {
        char text[HCBR_NUMBER_SIZE]; /* with an exponent, perhaps */
        size_t length = hcbr_i_decimal_spell(text, value, spelling);
        hcbr_i_tally_add_spelled(c, text, length, value, count);
        return true;
    }
    c->plain += count;
    if (spelling != HCBR_I_SPELLED_SHORTEST) {
        if (size <= 1)
            add_flags(c, value, count);
        *(spelling == THREE_PLACES && size >= 1 && size < 1000 ? &c->threes : &c->pointed) += count;
    } else if ((double)(int64_t)value == value) {
        if (size <= 1)
            add_flags(c, value, count);
        add_whole(c, (int64_t)value, count);
    } else {
        *(has_three(size) ? &c->threes : &c->pointed) += count;
    }
    return true;
}

/* With its text. */
__attribute__((noinline)) static void insert_whole(hcbr_i_tally *c, size_t place, uint64_t hash,
                                                   double value) {
    char room[HCBR_NUMBER_SIZE];
    const size_t length = hcbr_i_decimal_spell(room, value, HCBR_I_SPELLED_SHORTEST);
    hcbr_i_sample_insert(&c->different, place, hash, room, length, 1);
}

bool hcbr_i_tally_meet_whole(hcbr_i_tally *c, double value, bool text) {
    const uint64_t hash = hash_of(value, HCBR_I_SPELLED_SHORTEST);
    size_t place;
    if (hash > c->different.bound || hcbr_i_sample_count(&c->different, hash, 1, &place))
        return true;
    if (!hcbr_i_sample_reserve(&c->different))
        return false;
    if (text)
        insert_whole(c, place, hash, value);
    else
        hcbr_i_sample_insert(&c->different, place, hash, "", 0, 1);
    return true;
}

void hcbr_i_tally_add_wholes(hcbr_i_tally *c, int64_t least, int64_t most, uint64_t count) {
    const unsigned shortest = digits_of((uint64_t)least), longest = digits_of((uint64_t)most);
    c->values += count;
    c->plain += count;
    c->whole += count;
    c->smallest = least < c->smallest ? least : c->smallest;
    c->largest = most > c->largest ? most : c->largest;
    c->shortest = shortest < c->shortest ? shortest : c->shortest;
    c->longest = longest > c->longest ? longest : c->longest;
}
