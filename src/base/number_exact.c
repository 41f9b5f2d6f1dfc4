/*
 * Exact comparison of a decimal with a binary number, for the rare cases that 128 bits leave open.
 * Both sides are brought to integers: factors of ten become factors of five and shifts.
 */
#include "base/base.h"

#include <assert.h>

/** More digits than any point halfway between two doubles has (767). */
enum { DIGITS_MOST = 780 };

/** Room for both sides: a decimal of DIGITS_MOST + 1 digits times 2^1075 has 3671 bits. */
enum { WORDS = 72 };

/** A non-negative integer, lowest word first, without zero words at the end. */
typedef struct big {
    size_t count;
    uint64_t words[WORDS];
} big;

static void big_push(big *n, uint64_t word) {
    assert(n->count < WORDS);
    n->words[n->count++] = word;
}

/** n = n * factor + term */
static void big_multiply_add(big *n, uint64_t factor, uint64_t term) {
    uint64_t carry = term;
    for (size_t i = 0; i < n->count; i++) {
        hcbr_i_u128 product = (hcbr_i_u128)n->words[i] * factor + carry;
        n->words[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0)
        big_push(n, carry);
}

static void big_multiply_pow5(big *n, int64_t exponent) {
    const uint64_t pow5_27 = 7450580596923828125u; // the largest that fits
    for (; exponent >= 27; exponent -= 27)
        big_multiply_add(n, pow5_27, 0);
    uint64_t rest = 1;
    for (; exponent > 0; exponent--)
        rest *= 5;
    big_multiply_add(n, rest, 0);
}

static void big_shift(big *n, int64_t bits) {
    size_t words = (size_t)bits / 64;
    big_multiply_add(n, (uint64_t)1 << bits % 64, 0);
    if (words == 0 || n->count == 0)
        return;
    assert(n->count + words <= WORDS);
    memmove(n->words + words, n->words, n->count * sizeof n->words[0]);
    memset(n->words, 0, words * sizeof n->words[0]);
    n->count += words;
}

static int big_compare(const big *a, const big *b) {
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/**
 * Read the digits; returns how many at the end were left out. Of what follows the first DIGITS_MOST
 * only its presence can change a comparison: a single 1 replaces it.
 */
static int64_t big_read(big *n, const char *digits, size_t length) {
    const char *end = digits + length;
    int64_t left_out = 0;
    int read = 0;
    n->count = 0;
    for (; digits < end && read < DIGITS_MOST; digits++)
        if (*digits != '.') {
            big_multiply_add(n, 10, (uint64_t)(*digits - '0'));
            read += n->count > 0; // leading zeros do not count
        }
    bool more = false;
    for (; digits < end; digits++)
        if (*digits != '.') {
            more = more || *digits != '0';
            left_out++;
        }
    if (more) {
        big_multiply_add(n, 10, 1);
        left_out--;
    }
    return left_out;
}

int hcbr_i_number_compare(const char *digits, size_t length, int64_t k, uint64_t m, int q) {
    big decimal, binary = {.count = 0};
    k += big_read(&decimal, digits, length);
    big_multiply_add(&binary, 1, m);
    big_multiply_pow5(k >= 0 ? &decimal : &binary, k >= 0 ? k : -k);
    int64_t shift = k - q; // of the decimal against the binary
    big_shift(shift >= 0 ? &decimal : &binary, shift >= 0 ? shift : -shift);
    return big_compare(&decimal, &binary);
}
