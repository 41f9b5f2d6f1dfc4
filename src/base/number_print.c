/*
 * A double to decimal text, the same in every locale: shortest (hcbr_number_format) or rounded to a
 * number of digits (hcbr_number_round).
 *
 * The shortest decimal follows Giulietti's Schubfach: of the decimals with the coarsest spacing
 * that must hit the interval of numbers that read back as the double, or ten times coarser where
 * that hits it too, the nearest. Notation is plain for exponents (of the first digit) from -5 to
 * 16, else d.ddde[-]N. Both functions share digits and layout.
 */
#include "base/base.h"

#include <assert.h>
#include <math.h>

enum { PLAIN_FIRST = -5, PLAIN_LAST = 16 };

/** The digits of a number; neither the first nor the last is 0. */
typedef struct digits {
    char text[32]; /**< 17, and room for copies of fixed length */
    int count;
    int exponent; /**< of the first digit */
} digits;

static const uint64_t powers[20] = {1u,
                                    10u,
                                    100u,
                                    1000u,
                                    10000u,
                                    100000u,
                                    1000000u,
                                    10000000u,
                                    100000000u,
                                    1000000000u,
                                    10000000000u,
                                    100000000000u,
                                    1000000000000u,
                                    10000000000000u,
                                    100000000000000u,
                                    1000000000000000u,
                                    10000000000000000u,
                                    100000000000000000u,
                                    1000000000000000000u,
                                    10000000000000000000u};

static int digit_count(uint64_t n) {
    int guess = ((64 - __builtin_clzll(n | 1)) * 1233) >> 12; // log10(2) is 1233 / 4096
    return guess + (n >= powers[guess]);
}

/** Write n in exactly count digits. */
static void write_integer(char *out, uint64_t n, int count) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; count >= 2; count -= 2, n /= 100)
        memcpy(out + count - 2, pairs + n % 100 * 2, 2);
    if (count == 1)
        *out = (char)('0' + n % 10);
}

/** The 8 digits of n < 10^8, one in each byte, the first one lowest. */
static inline uint64_t eight_digits(uint32_t n) {
    uint64_t x = n / 10000 | (uint64_t)(n % 10000) << 32; // two numbers below 10^4,
    uint64_t q = ((x * 10486) >> 20) & 0x0000007F0000007Fu;
    x = q | (x - q * 100) << 16; // four below 100,
    q = ((x * 103) >> 10) & 0x000F000F000F000Fu;
    return q | (x - q * 10) << 8; // eight below 10: all lanes divided at once
}

static void put_eight(char *out, uint64_t eight) {
    eight |= UINT64_MAX / 255 * '0';
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    memcpy(out, &eight, sizeof eight);
}

/** The digits of n * 10^k for 0 < n < 10^17. */
static void set_digits(digits *d, uint64_t n, int k) {
    int count = digit_count(n);
    d->exponent = k + count - 1;
    n *= powers[17 - count];
    d->text[0] = (char)('0' + n / powers[16]);
    n %= powers[16];
    uint64_t upper = eight_digits((uint32_t)(n / 100000000));
    uint64_t lower = eight_digits((uint32_t)(n % 100000000));
    put_eight(d->text + 1, upper);
    put_eight(d->text + 9, lower);
    if (lower != 0)
        d->count = 17 - __builtin_clzll(lower) / 8;
    else
        d->count = upper != 0 ? 9 - __builtin_clzll(upper) / 8 : 1;
}

/** The digits with their point after the first `before` of them; returns the end. */
static char *lay_out_split(char *out, const digits *d, int before) {
    memcpy(out, d->text, 24);
    if (before >= d->count)
        return out + d->count;
    // At most 16 digits follow the point; more than 8 only if it comes early.
    out[before] = '.';
    memcpy(out + before + 1, d->text + before, 8);
    if (d->count - before > 8)
        memcpy(out + before + 9, d->text + before + 8, 8);
    return out + d->count + 1;
}

static char *lay_out_exponent(char *out, int exponent) {
    *out++ = 'e';
    if (exponent < 0)
        *out++ = '-';
    uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    int count = digit_count(size);
    write_integer(out, size, count);
    return out + count;
}

/** Sign, digits, point and exponent. Nothing is written beyond HCBR_NUMBER_SIZE bytes. */
static size_t lay_out(char *text, bool negative, const digits *d) {
    char *out = text;
    *out = '-';
    out += negative;
    if (d->exponent < PLAIN_FIRST || d->exponent > PLAIN_LAST) {
        out = lay_out_split(out, d, 1);
        out = lay_out_exponent(out, d->exponent);
    } else if (d->exponent < 0) {
        memcpy(out, "0.000000", 8);
        out += 1 - d->exponent;
        memcpy(out, d->text, 24);
        out += d->count;
    } else {
        int zeros = d->exponent + 1 - d->count;
        out = lay_out_split(out, d, d->exponent + 1);
        for (; zeros > 0; zeros--)
            *out++ = '0';
    }
    *out = 0;
    return (size_t)(out - text);
}

/** The parts of a double: c * 2^q. */
typedef struct parts {
    uint64_t c;
    int q;
    bool negative;
    bool border; /**< c is the least of its exponent: the double below is nearer */
} parts;

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static parts take_apart(double value) {
    uint64_t bits = bits_of(value);
    uint64_t c = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52 & 2047);
    parts p = {c, biased - 1075, bits >> 63 != 0, c == 0 && biased > 1};
    if (biased == 0)
        p.q = -1074;
    else
        p.c |= (uint64_t)1 << 52;
    return p;
}

/** Zero, infinities and NaN; 0 if value is none of these. */
static size_t write_special(char *text, double value) {
    const char *words;
    bool negative = bits_of(value) >> 63 != 0;
    if (value == 0)
        words = negative ? "-0" : "0";
    else if (value - value == 0)
        return 0;
    else if (value != value)
        words = "nan";
    else
        words = negative ? "-inf" : "inf";
    size_t length = strlen(words);
    memcpy(text, words, length + 1);
    return length;
}

/**
 * x * power / 2^128, where power is an entry of the table plus one; the lowest bit is set if the
 * true product is not an integer. That the 128 bits suffice to see this is proved by
 * tools/gen_pow10.py --check: a fraction that is not 0 is at least 2^-66, and the error of the
 * product is below that.
 */
static uint64_t multiply_odd(hcbr_i_u128 power, uint64_t x) {
    hcbr_i_u128 lower = (hcbr_i_u128)(uint64_t)power * x;
    hcbr_i_u128 upper = (hcbr_i_u128)(uint64_t)(power >> 64) * x + (uint64_t)(lower >> 64);
    bool inexact = (uint64_t)upper != 0 || (uint64_t)lower >> 62 != 0;
    return (uint64_t)(upper >> 64) | inexact;
}

/** The shortest decimal: returns n and sets *k, the number being n * 10^k. */
static uint64_t shortest(parts p, int *k) {
    *k = (p.q * 1262611 - (p.border ? 524031 : 0)) >> 22; // floor(log10(width of the interval))
    int shift = p.q + hcbr_i_log2_pow10(-*k) + 1;
    const uint64_t *entry = hcbr_i_pow10[-*k - HCBR_I_POW10_FIRST];
    hcbr_i_u128 power = ((hcbr_i_u128)entry[0] << 64 | entry[1]) + 1;
    // Four times the value and the ends of the interval, in units of 10^k. An odd c does not
    // include the ends, since they read back as its even neighbours.
    uint64_t odd = p.c & 1;
    uint64_t value = multiply_odd(power, 4 * p.c << shift);
    uint64_t low = multiply_odd(power, (4 * p.c - 2 + p.border) << shift) + odd;
    uint64_t high = multiply_odd(power, (4 * p.c + 2) << shift) - odd;
    uint64_t n = value / 4;
    if (n >= 10) {
        uint64_t tens = n / 10;
        bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;
        if (below != above) {
            ++*k;
            return tens + above;
        }
    }
    bool below = low <= 4 * n, above = 4 * n + 4 <= high;
    if (below != above)
        return n + above;
    uint64_t middle = 4 * n + 2;
    return n + (value > middle || (value == middle && (n & 1) != 0));
}

/**
 * Whether the value is n / 10^6 for an n below 10^15. The check is exact: one division of exact
 * numbers rounds as reading does, and no two decimals of 15 digits or less read as the same double.
 * So n / 10^6 is the shortest decimal.
 */
static bool is_short(double value, uint64_t *n) {
    double size = value < 0 ? -value : value;
    if (!(size < 1e8))
        return false;
    *n = (uint64_t)(int64_t)(size * 1e6 + 0.5);
    return *n != 0 && (double)(int64_t)*n / 1e6 == size;
}

/** Any number. It is separate from integers, so that their path stays short. */
__attribute__((noinline)) static size_t format(char *text, double value) {
    size_t length = write_special(text, value);
    if (length > 0)
        return length;
    int k = -6;
    uint64_t n;
    if (!is_short(value, &n))
        n = shortest(take_apart(value), &k);
    digits d;
    set_digits(&d, n, k);
    return lay_out(text, value < 0, &d);
}

size_t hcbr_number_format(char text[HCBR_NUMBER_SIZE], double value) {
    if (!(value > -0x1p53 && value < 0x1p53))
        return format(text, value);
    int64_t integer = (int64_t)value;
    if (integer == 0 || (double)integer != value)
        return format(text, value);
    // The next doubles are 1 or less away: all digits are needed.
    bool negative = integer < 0;
    uint64_t size = (uint64_t)(negative ? -integer : integer);
    int count = digit_count(size);
    *text = '-';
    text += negative;
    write_integer(text, size, count);
    text[count] = 0;
    return (size_t)count + negative;
}

/** The double nearest to the shortest decimal of c * 2^q among numbers of fewer bits. */
static double widen(parts p) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    char text[HCBR_NUMBER_SIZE];
    double value;
    digits d;
    int k;
    uint64_t n = shortest(p, &k);
    if (k >= -22 && k <= 22) { // one operation on exact numbers rounds as reading does
        value = k < 0 ? (double)(int64_t)n / tens[-k] : (double)(int64_t)n * tens[k];
        return p.negative ? -value : value;
    }
    set_digits(&d, n, k);
    return hcbr_number_parse(&value, text, lay_out(text, p.negative, &d)) ? value : 0;
}

double hcbr_i_number_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t c = bits & 0x7FFFFF;
    int biased = (int)(bits >> 23 & 255);
    if (biased == 255 || (bits & 0x7FFFFFFF) == 0 ||
        (value > -0x1p24F && value < 0x1p24F && (float)(int32_t)value == value))
        return (double)value;
    parts p = {c, biased - 150, bits >> 31 != 0, c == 0 && biased > 1};
    if (biased == 0)
        p.q = -149;
    else
        p.c |= 0x800000;
    return widen(p);
}

double hcbr_i_number_of_f16(uint16_t bits) {
    uint16_t c = bits & 0x3FF;
    int biased = bits >> 10 & 31;
    bool negative = bits >> 15 != 0;
    if (biased == 31)
        return c != 0 ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
    if (biased == 0 && c == 0)
        return 0;
    parts p = {c, biased - 25, negative, c == 0 && biased > 1};
    if (biased == 0)
        p.q = -24;
    else
        p.c |= 0x400;
    return widen(p);
}

/** lay_out() for digits as eight_digits() gives them and an exponent of -99 to -1, without a sign.
 */
static inline size_t lay_out_small(char *text, bool negative, uint64_t eight, int exponent) {
    int count = 8 - __builtin_clzll(eight) / 8;
    char *out = text + negative;
    *text = '-';
    put_eight(out + 1, eight);
    out[0] = out[1];
    out[1] = '.';
    out += count + (count > 1);
    memcpy(out, "e-", 2);
    out += 2;
    *out = (char)('0' + exponent / 10);
    out += exponent >= 10;
    *out++ = (char)('0' + exponent % 10);
    *out = 0;
    return (size_t)(out - text);
}

/** Whether c * 2^q is above the middle between n and n + 1 units of 10^k; at the middle, whether n
 *  is odd. */
static bool middle_is_passed(parts p, uint64_t n, int k) {
    char middle[20];
    int count = digit_count(10 * n + 5);
    write_integer(middle, 10 * n + 5, count);
    int side = hcbr_i_number_compare(middle, (size_t)count, k - 1, p.c, p.q);
    return side < 0 || (side == 0 && (n & 1) != 0);
}

/** Any number, with as many bits as needed. */
__attribute__((noinline)) static size_t round_slowly(char *text, double value, int significant) {
    size_t length = write_special(text, value);
    if (length > 0)
        return length;
    parts p = take_apart(value);
    // The exponent of the first digit is this or one more.
    int exponent = ((p.q + 63 - __builtin_clzll(p.c)) * 1262611) >> 22;
    hcbr_i_scaled scaled;
    int k, shift;
    for (;; exponent++) {
        k = exponent + 1 - significant;
        scaled = hcbr_i_number_scale(p.c, -k);
        shift = -(scaled.exponent + p.q); // 66 to 127, since 1 <= value / 10^k < 10^18
        if ((uint64_t)(scaled.low >> shift) < powers[significant])
            break;
    }
    // Round both ends of the interval, the lower one down at the middle and the upper one up.
    hcbr_i_u128 half = (hcbr_i_u128)1 << (shift - 1), fraction = half | (half - 1);
    hcbr_i_u128 upper = scaled.low + 2;
    uint64_t n = (uint64_t)(scaled.low >> shift) + ((scaled.low & fraction) > half);
    uint64_t most = (uint64_t)(upper >> shift) + ((upper & fraction) >= half);
    if (n != most)
        n += middle_is_passed(p, n, k);
    if (n == powers[significant]) { // 99.. rounded up
        n /= 10;
        k++;
    }
    digits d;
    set_digits(&d, n, k);
    return lay_out(text, p.negative, &d);
}

/**
 * The upper 64 bits of a normal number and of the power of ten decide almost always. Returns n, the
 * number being about n * 10^k with `significant` digits, or 0 if more bits are needed.
 */
static inline uint64_t round_fast(uint64_t bits, int significant, int *k) {
    int top = (int)(bits >> 52 & 2047) - 1023; // of the highest bit
    if (top == -1023 || top == 1024)
        return 0;
    uint64_t w = bits << 11 | (uint64_t)1 << 63;
    int exponent = (top * 1262611) >> 22; // of the first digit, or one less
    int above = hcbr_i_log2_pow10(exponent + 1);
    uint64_t power = hcbr_i_pow10[exponent + 1 - HCBR_I_POW10_FIRST][0];
    if (above == top && w == power)
        return 0; // about 10^(exponent + 1)
    exponent += above == top && w > power;
    *k = exponent + 1 - significant;
    if (-*k < HCBR_I_POW10_FIRST || -*k > HCBR_I_POW10_LAST)
        return 0;
    power = hcbr_i_pow10[-*k - HCBR_I_POW10_FIRST][0];
    // At least this and less than 2 more, since both the power and the product are rounded down.
    uint64_t scaled = (uint64_t)(((hcbr_i_u128)w * power) >> 64);
    int shift = 62 - top - hcbr_i_log2_pow10(-*k);
    uint64_t half = (uint64_t)1 << (shift - 1), fraction = scaled & (half | (half - 1));
    if (fraction - (half - 2) <= 2)
        return 0; // too near the middle to decide
    return (scaled >> shift) + (fraction > half);
}

/** About n * 10^k, in any notation. */
__attribute__((noinline)) static size_t lay_out_any(char *text, bool negative, uint64_t n, int k) {
    digits d;
    set_digits(&d, n, k);
    return lay_out(text, negative, &d);
}

size_t hcbr_number_round(char text[HCBR_NUMBER_SIZE], double value, int significant) {
    assert(significant >= 1 && significant <= 17);
    const uint64_t bits = bits_of(value);
    const bool negative = bits >> 63 != 0;
    int k;
    uint64_t n = round_fast(bits, significant, &k);
    if (HCBR_I_UNLIKELY(n == 0))
        return round_slowly(text, value, significant);
    if (n == powers[significant]) { // 99.. rounded up
        n /= 10;
        k++;
    }
    const int exponent = k + significant - 1;
    if (significant > 8 || exponent >= 0 || exponent <= -100)
        return lay_out_any(text, negative, n, k);
    uint64_t eight = eight_digits((uint32_t)(n * powers[8 - significant]));
    if (exponent < PLAIN_FIRST)
        return lay_out_small(text, negative, eight, -exponent);
    char *out = text + negative; // by far most numbers
    *text = '-';
    memcpy(out, "0.000000", 8);
    out += 1 - exponent;
    put_eight(out, eight);
    out += 8 - __builtin_clzll(eight) / 8;
    *out = 0;
    return (size_t)(out - text);
}
