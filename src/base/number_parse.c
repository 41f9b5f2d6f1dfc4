/*
 * Decimal text to the nearest double (ties to even), the same in every locale.
 *
 * Short numbers are one exact operation on doubles. For the others the first 19 digits times a
 * 128-bit power of ten give an interval that holds the true value (the approach of Eisel and
 * Lemire); if both its ends round to the same double, that is the answer, else big integers decide.
 */
#include "base/base.h"

#define EXACT_INTEGER ((uint64_t)1 << 53) // doubles hold all integers up to here

/** A number as it is written: its digits * 10^exponent. */
typedef struct decimal {
    const char *digits, *end; /**< with a point somewhere, perhaps */
    uint64_t count;           /**< of digits */
    uint64_t value;           /**< of the digits, if they are at most 19 */
    int64_t exponent;
} decimal;

static inline unsigned digit_at(const char *p) {
    return (unsigned)(unsigned char)*p - '0';
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Bits of the double nearest to n * 2^exponent, n >= 2^126; those of infinity if too large. */
static uint64_t nearest(hcbr_i_u128 n, int exponent) {
    if (n >> 127 == 0) {
        n <<= 1;
        exponent--;
    }
    int biased = exponent + 127 + 1023;
    if (biased >= 2047)
        return (uint64_t)2047 << 52;
    if (biased < -52) // less than half the least denormal
        return 0;
    int shift = 75; // keeps 53 bits; fewer for denormals
    if (biased < 1) {
        shift += 1 - biased;
        biased = 1;
    }
    hcbr_i_u128 half = (hcbr_i_u128)1 << (shift - 1);
    hcbr_i_u128 rest = n & (half | (half - 1));
    uint64_t m = shift == 128 ? 0 : (uint64_t)(n >> shift);
    m += rest > half || (rest == half && (m & 1) != 0);
    return ((uint64_t)(biased - 1) << 52) + m; // a carry out of m moves to the next exponent
}

/** Decide between the double of these bits and the next one by the point halfway. */
static uint64_t decide(const decimal *d, uint64_t bits) {
    uint64_t m = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52);
    if (biased == 0)
        biased = 1;
    else
        m |= (uint64_t)1 << 52;
    int side = hcbr_i_number_compare(d->digits, (size_t)(d->end - d->digits), d->exponent,
                                     2 * m + 1, biased - 1076);
    return bits + (side > 0 || (side == 0 && (m & 1) != 0));
}

/** The nearest double to a number that is not short. Infinity if it is too large. */
static double round_decimal(decimal *d) {
    uint64_t w = d->value;
    int64_t exponent = d->exponent;
    bool cut = false;
    if (d->count > 19) {
        while (d->digits < d->end && (*d->digits == '0' || *d->digits == '.')) {
            d->count -= *d->digits == '0';
            d->digits++;
        }
        w = 0;
        uint64_t taken = 0;
        for (const char *p = d->digits; p < d->end && taken < 19; p++)
            if (*p != '.') {
                w = w * 10 + digit_at(p);
                taken++;
            }
        cut = d->count > 19;
        if (cut)
            exponent += (int64_t)(d->count - 19);
    }
    if (w == 0 || exponent < HCBR_I_POW10_FIRST) // 10^19 * 10^-343 is less than half the least
        return 0;
    if (exponent > 308)
        return from_bits((uint64_t)2047 << 52);
    hcbr_i_scaled low = hcbr_i_number_scale(w, (int)exponent);
    hcbr_i_scaled high = cut ? hcbr_i_number_scale(w + 1, (int)exponent) : low;
    uint64_t least = nearest(low.low, low.exponent);
    uint64_t most = nearest(high.low + 2, high.exponent);
    return from_bits(least == most ? least : decide(d, least));
}

/** Read the exponent after its "e"; false if there are no digits or something else follows. */
static bool read_exponent(const char *p, const char *end, int64_t *exponent) {
    bool negative = p < end && *p == '-';
    int64_t value = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (digit_at(p) > 9)
            return false;
        if (value < (int64_t)1 << 58) // far beyond what the digits of a text can balance
            value = value * 10 + (int64_t)digit_at(p);
    }
    *exponent += negative ? -value : value;
    return true;
}

/** What follows the digits before the point, whose value and count d holds. */
static bool read_rest(decimal *d, const char *p, const char *end) {
    if (p < end && *p == '.') {
        const char *point = p++;
        for (; p < end && digit_at(p) <= 9; p++)
            d->value = d->value * 10 + digit_at(p);
        d->exponent = point + 1 - p;
        d->count += (uint64_t)(p - point - 1);
    }
    d->end = p;
    if (d->count == 0)
        return false;
    if (p == end)
        return true;
    return (*p == 'e' || *p == 'E') && read_exponent(p + 1, end, &d->exponent);
}

/** The value of a decimal that has a point, an exponent or many digits. */
static double value_of(decimal *d) {
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->count <= 19 && d->value <= EXACT_INTEGER && d->exponent >= -22 && d->exponent <= 22) {
        // Both numbers are exact, so the one operation rounds correctly.
        double value = (double)d->value;
        return d->exponent < 0 ? value / exact[-d->exponent] : value * exact[d->exponent];
    }
    return round_decimal(d);
}

/** Any text. It is separate from the fast path below, so that that one stays short. */
__attribute__((noinline)) static int parse(double *out, const char *text, size_t length) {
    const char *p = text, *end = text + length;
    bool negative = false;
    *out = 0;
    if (length > 0 && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    decimal d = {.digits = p};
    for (; p < end && digit_at(p) <= 9; p++)
        d.value = d.value * 10 + digit_at(p);
    d.count = (uint64_t)(p - d.digits);
    if (!read_rest(&d, p, end))
        return 0;
    double value = value_of(&d);
    if (value > 0x1.fffffffffffffp1023)
        return 0;
    *out = negative ? -value : value;
    return 1;
}

int hcbr_number_parse(double *out, const char *text, size_t length) {
    if (length - 1 >= 18)
        return parse(out, text, length);
    int64_t value = 0;
    size_t i = 0;
    do {
        unsigned digit = digit_at(text + i);
        if (digit > 9)
            return parse(out, text, length);
        value = value * 10 + digit;
    } while (++i < length);
    *out = (double)value; // 18 digits at most: one conversion, which rounds correctly
    return 1;
}
