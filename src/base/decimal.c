/*
 * Numbers as they are written: whether a text is a number, the nearest double, and whether its
 * spelling is the usual one.
 *
 * Two texts are the same number if their decimal values are equal, and only then. Most decimals are
 * what hcbr_number_format() writes for their double: among them equal doubles are equal numbers.
 * The others are WIDE: another decimal has the same double, so their canonical texts are compared.
 * Whether a decimal is WIDE depends on its value alone, never on its spelling.
 *
 * Invariant: canonical texts are their own canonical texts, and read as numbers.
 */
#include "base/base.h"

#define MOST_EXPONENT 1000000000000000 /* of a number other than 0; larger ones make a code */

enum {
    PLAIN_FIRST = -5, /* exponents that are written without e, as hcbr_number_format() has them */
    PLAIN_LAST = 16,
    PLAIN_ZEROS = 15 /* long numbers too, with fewer zeros than this at the end */
};

static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* ---- decimals of any length ------------------------------------------------------------------ */

/** The value of a text: 0.d1d2d3... * 10^exponent, with d1 and the last digit other than 0. */
typedef struct decimal {
    bool negative;
    const char *at, *end; /**< from d1 to after the last digit; may include a point */
    int64_t exponent;     /**< 0 for 0, which has no digits */
} decimal;

static inline unsigned digit_at(const char *p) {
    return (unsigned)(unsigned char)*p - '0';
}

/* Read the exponent after an e; false if it is too large to be of use. */
static bool read_places(const char *p, const char *end, int64_t *places) {
    bool negative = *p == '-';
    int64_t value = 0;
    for (p += *p == '-' || *p == '+'; p < end; p++) {
        value = value * 10 + (int64_t)digit_at(p);
        if (value > 8 * (int64_t)MOST_EXPONENT)
            return false;
    }
    *places = negative ? -value : value;
    return true;
}

/* Parse a text that hcbr_number_parse() accepts. Returns false for codes. */
static bool take_apart(decimal *d, const char *text, size_t length) {
    const char *p = text, *end = text + length, *point;
    int64_t places = 0;
    d->negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (*p == '0' && end - p > 1 && digit_at(p + 1) <= 9)
        return false; /* a code */
    for (point = p; point < end && digit_at(point) <= 9;)
        point++;
    const char *last = point;
    if (last < end && *last == '.')
        for (last++; last < end && digit_at(last) <= 9;)
            last++;
    bool fits = last == end || read_places(last + 1, end, &places);
    while (p < last && (*p == '0' || *p == '.'))
        p++;
    while (last > p && (last[-1] == '0' || last[-1] == '.'))
        last--;
    d->at = p;
    d->end = last;
    if (p == last) { /* 0, whatever its exponent */
        d->negative = false;
        d->exponent = 0;
        return true;
    }
    d->exponent = places + (p < point ? point - p : point + 1 - p);
    return fits && d->exponent <= MOST_EXPONENT && d->exponent > -MOST_EXPONENT;
}

/* Whether two decimals are equal. */
static bool same_decimal(const decimal *a, const decimal *b) {
    const char *p = a->at, *q = b->at;
    if (a->exponent != b->exponent || a->negative != b->negative)
        return false;
    for (;; p++, q++) {
        p += p < a->end && *p == '.';
        q += q < b->end && *q == '.';
        if (p == a->end || q == b->end)
            return p == a->end && q == b->end;
        if (*p != *q)
            return false;
    }
}

/* Any text. Nearly all are short ones, for the function below. */
__attribute__((noinline)) static bool read_any(double *value, uint8_t *spelling, const char *text,
                                               size_t length) {
    char usual[HCBR_NUMBER_SIZE];
    decimal have, want;
    double nearest;
    if (!hcbr_number_parse(&nearest, text, length) || !take_apart(&have, text, length))
        return false;
    nearest += 0.0; /* -0 becomes 0 */
    size_t usual_length = hcbr_number_format(usual, nearest);
    *value = nearest;
    if (usual_length == length && memcmp(usual, text, length) == 0)
        *spelling = HCBR_I_SPELLED_SHORTEST;
    else
        *spelling = take_apart(&want, usual, usual_length) && same_decimal(&have, &want)
                        ? HCBR_I_SPELLED_OTHER
                        : HCBR_I_SPELLED_WIDE;
    return true;
}

/* ---- short texts ----------------------------------------------------------------------------- */

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The last 8 bytes of n <= 8, zeros as digits before them. */
static inline uint64_t load_last(const char *text, size_t n) {
    const unsigned char *b = (const unsigned char *)text;
    uint64_t word;
    if (n == 8)
        return hcbr_i_load64(b);
    if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, b, sizeof first);
        memcpy(&last, b + n - 4, sizeof last);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        first = __builtin_bswap32(first);
        last = __builtin_bswap32(last);
#endif
        word = first | (uint64_t)last << (8 * (n - 4));
    } else {
        word = b[0] | (uint64_t)b[n / 2] << (8 * (n / 2)) | (uint64_t)b[n - 1] << (8 * (n - 1));
    }
    return word << (64 - 8 * n) | EACH('0') >> (8 * n);
}

/* Marks the first byte that is a point by its top bit; higher bytes may be wrong. */
static inline uint64_t find_point(uint64_t word) {
    uint64_t x = word ^ EACH('.');
    return (x - EACH(1)) & ~x & EACH(0x80);
}

/* Whether all 8 bytes are digits. */
static inline bool all_digits(uint64_t word) {
    return ((word & EACH(0xF0)) | ((word + EACH(6)) & EACH(0xF0)) >> 4) == EACH(0x33);
}

/*
 * At most 16 bytes without a sign: at most 15 digits, perhaps with a point between two of them.
 * Returns false for any other text; *places is the number of digits after the point.
 */
static inline bool read_short(uint64_t *digits, unsigned *places, const char *text, size_t n) {
    uint64_t low = n > 8 ? load_last(text, n - 8) : EACH('0'); /* the digits before ... */
    uint64_t high = n > 8 ? hcbr_i_load64(text + n - 8) : load_last(text, n); /* ... the last 8 */
    uint64_t point = find_point(high);
    *places = 0;
    if (point) {
        unsigned bit = (unsigned)__builtin_ctzll(point) - 7; /* where its byte begins */
        *places = 7 - bit / 8;
        uint64_t behind = bit == 56 ? 0 : high >> (bit + 8) << (bit + 8);
        uint64_t before = high & (((uint64_t)1 << bit) - 1);
        high = behind | before << 8 | low >> 56;
        low = low << 8 | '0';
    } else if ((point = find_point(low))) {
        unsigned bit = (unsigned)__builtin_ctzll(point) - 7;
        *places = 15 - bit / 8;
        uint64_t behind = bit == 56 ? 0 : low >> (bit + 8) << (bit + 8);
        low = behind | (low & (((uint64_t)1 << bit) - 1)) << 8 | '0';
    } else if (n > HCBR_I_SPELLED_DIGITS) {
        return false;
    }
    if (n <= 8) {
        if ((point && (*places == 0 || *places == n - 1)) || !all_digits(high))
            return false;
        *digits = hcbr_i_digits_value(high, 0);
        return true;
    }
    if ((point && (*places == 0 || *places == n - 1)) || !all_digits(low) || !all_digits(high))
        return false;
    *digits = (uint64_t)hcbr_i_digits_value(low, 0) * 100000000 + hcbr_i_digits_value(high, 0);
    return true;
}

bool hcbr_i_decimal_read(double *value, uint8_t *spelling, const char *text, size_t length) {
    if (length == 0)
        return false;
    bool negative = *text == '-';
    const char *first = text + negative;
    size_t n = length - negative;
    unsigned places;
    uint64_t digits;
    if (n - 1 >= 16 || digit_at(first) > 9)
        return (n > 16 || *text == '+' || *text == '.' || (negative && n > 0 && *first == '.')) &&
               read_any(value, spelling, text, length);
    if (*first == '0' && n > 1 && digit_at(first + 1) <= 9)
        return false; /* a code, or no number at all */
    if (HCBR_I_UNLIKELY(!read_short(&digits, &places, first, n)))
        return read_any(value, spelling, text, length);
    /* Both are exact, so the quotient is the nearest double. No branches: signs and last digits are
       unpredictable. */
    double nearest = (double)digits / powers[places];
    bool unusual = places && ((first[n - 1] == '0') | (nearest < 1e-5));
    *spelling = (uint8_t)((HCBR_I_SPELLED_FIXED + places) & (0 - (unsigned)unusual));
    *value = hcbr_i_from_bits(hcbr_i_bits_of(nearest) | (uint64_t)(negative && digits) << 63);
    if (HCBR_I_UNLIKELY(digits == 0) && negative)
        *spelling = HCBR_I_SPELLED_OTHER;
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Copy up to `count` digits, zeros where there are none; moves d->at. */
static char *put_digits(char *out, decimal *d, int64_t count) {
    for (; count > 0; count--) {
        d->at += d->at < d->end && *d->at == '.';
        *out++ = '0';
        if (d->at < d->end)
            out[-1] = *d->at++;
    }
    return out;
}

/* The text of a WIDE number: as hcbr_number_format() lays numbers out, or with all its digits. */
static size_t write_wide(char *out, decimal d) {
    char *start = out;
    int64_t count = d.end - d.at - (memchr(d.at, '.', (size_t)(d.end - d.at)) != NULL);
    int64_t exponent = d.exponent - 1; /* of the first digit */
    if (d.negative)
        *out++ = '-';
    if (exponent >= 0 && (exponent <= PLAIN_LAST || exponent < count + PLAIN_ZEROS)) {
        out = put_digits(out, &d, exponent + 1);
        count -= exponent + 1;
    } else if (exponent < 0 && exponent >= PLAIN_FIRST) {
        *out++ = '0';
        count -= exponent + 1; /* with the zeros after the point */
    } else {
        out = put_digits(out, &d, 1);
        if (--count > 0)
            *out++ = '.';
        out = put_digits(out, &d, count);
        *out++ = 'e';
        return (size_t)(out - start) + hcbr_number_format(out, (double)exponent);
    }
    if (count > 0)
        *out++ = '.';
    for (int64_t zeros = exponent + 1; zeros < 0; zeros++, count--)
        *out++ = '0';
    return (size_t)(put_digits(out, &d, count) - start);
}

size_t hcbr_i_decimal_canonical(char *out, const char *text, size_t length) {
    double value = 0;
    uint8_t spelling = HCBR_I_SPELLED_OTHER;
    decimal d;
    bool is_number = hcbr_i_decimal_read(&value, &spelling, text, length);
    assert(is_number);
    (void)is_number;
    if (spelling == HCBR_I_SPELLED_SHORTEST) {
        memcpy(out, text, length);
        return length;
    }
    if (spelling != HCBR_I_SPELLED_WIDE || !take_apart(&d, text, length)) {
        char usual[HCBR_NUMBER_SIZE];
        size_t usual_length = hcbr_number_format(usual, value);
        memcpy(out, usual, usual_length);
        return usual_length;
    }
    return write_wide(out, d);
}

size_t hcbr_i_decimal_spell(char out[HCBR_NUMBER_SIZE], double value, uint8_t spelling) {
    if (spelling == HCBR_I_SPELLED_SHORTEST)
        return hcbr_number_format(out, value);
    unsigned places = (unsigned)spelling - HCBR_I_SPELLED_FIXED;
    assert(places >= 1 && places <= HCBR_I_SPELLED_DIGITS);
    /* At most 15 digits: the product is off by less than a quarter of the last one. */
    uint64_t digits = (uint64_t)((value < 0 ? -value : value) * powers[places] + 0.5);
    char *p = out;
    char reversed[HCBR_NUMBER_SIZE];
    unsigned count = 0;
    for (; digits || count <= places; digits /= 10)
        reversed[count++] = (char)('0' + digits % 10);
    if (value < 0)
        *p++ = '-';
    while (count > 0) {
        *p++ = reversed[--count];
        if (count == places)
            *p++ = '.';
    }
    return (size_t)(p - out);
}
