/**
 * @file rich_math.h
 * Small arithmetic of the rich model, the same on every machine; private to src/rich.
 */
#ifndef HCBR_I_RICH_MATH_H
#define HCBR_I_RICH_MATH_H

#include "base/base.h"

#include <math.h>

/** e^x for |x| <= 700 (beyond, that of the border), to about 1e-13: faster than the library's and
 *  the same everywhere. */
static inline double hcbr_i_rich_exp(double x) {
    const double magic = 0x1.8p52;
    x = x > 700 ? 700 : x < -700 ? -700 : x;
    double k = (x * 0x1.71547652b82fep+0 + magic) - magic;
    double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    double p = 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
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
    uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
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
