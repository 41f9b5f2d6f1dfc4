/**
 * @file rich_math.h
 * Small arithmetic of the rich model, the same on every machine; private to src/rich.
 */
#ifndef HCBR_I_RICH_MATH_H
#define HCBR_I_RICH_MATH_H

#include "base/base.h"

#include <math.h>

#define HCBR_I_RICH_BLOCK 8u

typedef double hcbr_i_rich_pair __attribute__((vector_size(16)));
typedef uint64_t hcbr_i_rich_bits __attribute__((vector_size(16)));

/** One of two numbers, by mask. */
static inline hcbr_i_rich_pair hcbr_i_rich_select(hcbr_i_rich_bits mask, hcbr_i_rich_pair yes,
                                                  hcbr_i_rich_pair no) {
    return (hcbr_i_rich_pair)(((hcbr_i_rich_bits)yes & mask) | ((hcbr_i_rich_bits)no & ~mask));
}

/** e^x of two numbers, |x| <= 700 (beyond, that of the border), to about 1e-13: faster than the
 *  library's and the same everywhere. */
static inline hcbr_i_rich_pair hcbr_i_rich_exp_pair(hcbr_i_rich_pair x) {
    const hcbr_i_rich_pair most = {700, 700};
    const double magic = 0x1.8p52; // added, it leaves the whole part in the lowest bits
    x = hcbr_i_rich_select((hcbr_i_rich_bits)(x > most), most, x);
    x = hcbr_i_rich_select((hcbr_i_rich_bits)(x < -most), -most, x);
    hcbr_i_rich_pair shifted = x * 0x1.71547652b82fep+0 + magic, k = shifted - magic;
    hcbr_i_rich_pair r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    hcbr_i_rich_pair p = r * (1.0 / 39916800) + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    hcbr_i_rich_bits scale = ((hcbr_i_rich_bits)shifted << 52) + ((uint64_t)1023 << 52);
    return p * (hcbr_i_rich_pair)scale;
}

/** e^x, as above. */
static inline double hcbr_i_rich_exp(double x) {
    return hcbr_i_rich_exp_pair((hcbr_i_rich_pair){x, x})[0];
}

/** e^x of a block of numbers in their place. */
static inline void hcbr_i_rich_exp_block(double *x) {
    for (uint32_t i = 0; i < HCBR_I_RICH_BLOCK; i += 2) {
        hcbr_i_rich_pair y = hcbr_i_rich_exp_pair((hcbr_i_rich_pair){x[i], x[i + 1]});
        x[i] = y[0];
        x[i + 1] = y[1];
    }
}

/** 1 / (1 + e^-x). */
static inline double hcbr_i_rich_logistic(double x) {
    return 1.0 / (1.0 + hcbr_i_rich_exp(-x));
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
