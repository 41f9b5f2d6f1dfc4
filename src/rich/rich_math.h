/**
 * @file rich_math.h
 * Small arithmetic of the rich model, the same on every machine; private to src/rich.
 */
#ifndef HCBR_I_RICH_MATH_H
#define HCBR_I_RICH_MATH_H

#include "base/base.h"

#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HCBR_I_RICH_BLOCK 8u

typedef double hcbr_i_rich_pair __attribute__((vector_size(16)));
typedef uint64_t hcbr_i_rich_bits __attribute__((vector_size(16)));

/** One of two numbers, by mask. */
static inline hcbr_i_rich_pair hcbr_i_rich_select(hcbr_i_rich_bits mask, hcbr_i_rich_pair yes,
                                                  hcbr_i_rich_pair no) {
    return (hcbr_i_rich_pair)(((hcbr_i_rich_bits)yes & mask) | ((hcbr_i_rich_bits)no & ~mask));
}

/** Load and store two numbers at once, so that they can be reloaded without a stall. */
static inline hcbr_i_rich_pair hcbr_i_rich_get_pair(const double *from) {
    hcbr_i_rich_pair pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

static inline void hcbr_i_rich_put_pair(double *to, hcbr_i_rich_pair pair) {
    memcpy(to, &pair, sizeof pair);
}

/** The larger of each two. */
static inline hcbr_i_rich_pair hcbr_i_rich_larger(hcbr_i_rich_pair a, hcbr_i_rich_pair b) {
#ifdef __SSE2__
    return _mm_max_pd(a, b);
#else
    return hcbr_i_rich_select((hcbr_i_rich_bits)(a > b), a, b);
#endif
}

/** x limited to -700 .. 700. */
static inline hcbr_i_rich_pair hcbr_i_rich_clamp(hcbr_i_rich_pair x) {
    const hcbr_i_rich_pair most = {700, 700};
#ifdef __SSE2__
    return _mm_max_pd(-most, _mm_min_pd(most, x));
#else
    x = hcbr_i_rich_select((hcbr_i_rich_bits)(x > most), most, x);
    return hcbr_i_rich_select((hcbr_i_rich_bits)(x < -most), -most, x);
#endif
}

/** p r + c of four pairs, interleaved so that none waits for another. */
static inline void hcbr_i_rich_four(hcbr_i_rich_pair *p, const hcbr_i_rich_pair *r, double c) {
    p[0] = p[0] * r[0] + c;
    p[1] = p[1] * r[1] + c;
    p[2] = p[2] * r[2] + c;
    p[3] = p[3] * r[3] + c;
}

/** Split x into a power of two and the rest. */
static inline void hcbr_i_rich_reduce(hcbr_i_rich_pair x, hcbr_i_rich_pair *rest,
                                      hcbr_i_rich_pair *power) {
    const double magic = 0x1.8p52; // adding it leaves the whole part in the lowest bits
    x = hcbr_i_rich_clamp(x);
    hcbr_i_rich_pair shifted = x * 0x1.71547652b82fep+0 + magic, k = shifted - magic;
    *rest = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    *power = (hcbr_i_rich_pair)(((hcbr_i_rich_bits)shifted << 52) + ((uint64_t)1023 << 52));
}

/** e^x of a block of numbers in place, |x| <= 700 (limited), to about 1e-13: faster than the
 *  library's and the same everywhere. */
static inline void hcbr_i_rich_exp_block(double *x) {
    hcbr_i_rich_pair p[4], r[4], power[4];
    hcbr_i_rich_reduce(hcbr_i_rich_get_pair(x), &r[0], &power[0]);
    hcbr_i_rich_reduce(hcbr_i_rich_get_pair(x + 2), &r[1], &power[1]);
    hcbr_i_rich_reduce(hcbr_i_rich_get_pair(x + 4), &r[2], &power[2]);
    hcbr_i_rich_reduce(hcbr_i_rich_get_pair(x + 6), &r[3], &power[3]);
    p[0] = p[1] = p[2] = p[3] = (hcbr_i_rich_pair){1.0 / 39916800, 1.0 / 39916800};
#define HCBR_I_RICH_STEP(c) hcbr_i_rich_four(p, r, c);
    HCBR_I_EXP_SERIES(HCBR_I_RICH_STEP)
#undef HCBR_I_RICH_STEP
    hcbr_i_rich_put_pair(x, p[0] * power[0]);
    hcbr_i_rich_put_pair(x + 2, p[1] * power[1]);
    hcbr_i_rich_put_pair(x + 4, p[2] * power[2]);
    hcbr_i_rich_put_pair(x + 6, p[3] * power[3]);
}

/** Numbers collected for the functions of many. */
#define HCBR_I_RICH_MANY 64u

/** Rounded up to whole blocks. */
static inline uint32_t hcbr_i_rich_whole_blocks(uint32_t count) {
    return (count + HCBR_I_RICH_BLOCK - 1) / HCBR_I_RICH_BLOCK * HCBR_I_RICH_BLOCK;
}

/** The same for `count` numbers in whole blocks (rich_exp.c). */
void hcbr_i_rich_exp_many(double *x, uint32_t count);

/** e^x of one number, as above. */
static inline double hcbr_i_rich_exp(double x) {
    hcbr_i_rich_pair p = {1.0 / 39916800, 1.0 / 39916800}, r, power;
    hcbr_i_rich_reduce((hcbr_i_rich_pair){x, x}, &r, &power);
#define HCBR_I_RICH_STEP(c) p = p * r + (c);
    HCBR_I_EXP_SERIES(HCBR_I_RICH_STEP)
#undef HCBR_I_RICH_STEP
    return (p * power)[0];
}

/** 1 / (1 + e^-x). */
static inline double hcbr_i_rich_logistic(double x) {
    return 1.0 / (1.0 + hcbr_i_rich_exp(-x));
}

#define HCBR_I_RICH_LEAST_SIZE 0x1p-200 /* of supports that are not all equal */

/** The standard deviation of the supports of a case. */
static inline double hcbr_i_rich_size(const double *support, uint32_t labels) {
    double mean = 0, sum = 0;
    for (uint32_t l = 0; l < labels; l++)
        mean += support[l] / labels;
    for (uint32_t l = 0; l < labels; l++)
        sum += (support[l] - mean) * (support[l] - mean) / labels;
    return sqrt(sum);
}

/** x rounded to a multiple of grid (a power of two); |x| < 2^50 grid. */
static inline double hcbr_i_rich_round(double x, double grid) {
    double magic = 0x1.8p52 * grid;
    return (x + magic) - magic;
}

/** A draw in [0, 1) from a key. */
static inline double hcbr_i_rich_unit(uint64_t key) {
    return (double)(hcbr_i_mix(key) >> 11) * 0x1p-53;
}

#endif
