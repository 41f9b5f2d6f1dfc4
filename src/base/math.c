/*
 * Exponential, logarithm and arc tangent, the same to the last bit on every machine.
 *
 * The functions of a C library depend on its version and, because of fused multiply-add, on the
 * processor; so would every model fitted with them. This file uses only operations that IEEE 754
 * rounds in one way. Errors are below 1.5 units in the last place of e^x, 1 of log x, 2 of log(1 +
 * x) and 6 of the arc tangent.
 */
#include "base/base.h"
#include "base/blocks.h"
#include "base/simd.h"

#include <math.h>

#define LN2_HIGH 0x1.62e42fee00000p-1 /* 33 bits: times an exponent it is exact */
#define LN2_LOW 0x1.a39ef35793c76p-33
#define LOG2_E 0x1.71547652b82fep+0

/** 2^k, k from -1022 to 1023. */
static double power_of_two(int k) {
    return hcbr_i_from_bits((uint64_t)(k + 1023) << 52);
}

/* ---- e^x ------------------------------------------------------------------------------------- */

double hcbr_i_exp(double x) {
    if (!(x >= -746)) // 2^-1075 is the largest that becomes 0
        return isnan(x) ? x : 0;
    if (x > 710)
        return INFINITY;
    // e^x = 2^k e^r, |r| <= log(2) / 2; a large addend rounds to whole numbers
    double k = (x * LOG2_E + 0x1.8p52) - 0x1.8p52;
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    double p = 1.0 / 6227020800;
#define STEP(c) p = p * r + (c);
    STEP(1.0 / 479001600)
    STEP(1.0 / 39916800)
    HCBR_I_EXP_SERIES(STEP)
#undef STEP
    int half = (int)k / 2; // 2^k itself may not be a double even if e^x is
    return p * power_of_two(half) * power_of_two((int)k - half);
}

/* ---- logarithms ------------------------------------------------------------------------------ */

typedef double pair __attribute__((vector_size(16)));
typedef uint64_t pair_bits __attribute__((vector_size(16)));

/** log(2^k (1 + f)) + c, with 1 + f from sqrt(1/2) to sqrt(2) and a tiny c; of a number or a pair.
 *  log(1 + f) = 2 artanh(s) = 2 s + 2 s^3 / 3 + ..., s = f / (2 + f); and 2 s = f - s f, where
 *  s f = f^2 / 2 - s f^2 / 2: nearly all of the answer is in f, which has no error. */
#define DEFINE_LOG_OF(target, name, type)                                                          \
    target static inline type name(type f, type k, type c) {                                       \
        type s = f / (2.0 + f), z = s * s, w = z * z;                                              \
        type even =                                                                                \
            w * (2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13 + w * (2.0 / 17 + w * (2.0 / 21)))));      \
        type odd =                                                                                 \
            z *                                                                                    \
            (2.0 / 3 +                                                                             \
             w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15 + w * (2.0 / 19 + w * (2.0 / 23))))));   \
        type square = 0.5 * f * f, rest = s * (square + (even + odd));                             \
        return k * LN2_HIGH - ((square - (rest + (k * LN2_LOW + c))) - f);                         \
    }
DEFINE_LOG_OF(, log_of, double)
DEFINE_LOG_OF(, log_of_two, pair)
#ifdef HCBR_I_AVX2
typedef double four __attribute__((vector_size(32)));
typedef uint64_t four_bits __attribute__((vector_size(32)));
DEFINE_LOG_OF(HCBR_I_AVX2, log_of_four, four)
#endif

/** x = 2^*k (1 + *f) for x > 0 and finite. */
static void take_apart(double x, double *f, int *k) {
    int scaled = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        scaled = 54;
    }
    // Adding what is between 1 and sqrt(1/2) in bits carries into the exponent from sqrt(2) on.
    uint64_t bits = hcbr_i_bits_of(x), up = bits + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu);
    *k = (int)(up >> 52) - 1023 - scaled;
    *f = hcbr_i_from_bits(bits - ((up >> 52) << 52) + 0x3FF0000000000000u) - 1;
}

double hcbr_i_log(double x) {
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x > 0x1.fffffffffffffp1023)
        return x;
    double f;
    int k;
    take_apart(x, &f, &k);
    return log_of(f, k, 0);
}

/** Logarithms of a block, some at a time. */
#define DEFINE_LOG_BLOCK(target, name, of_some, some, some_bits)                                   \
    target static void name(double x[HCBR_I_LOG_BLOCK]) {                                          \
        const uint64_t one = 0x3FF0000000000000u, up_to = one - 0x3FE6A09E667F3BCDu;               \
        for (uint32_t i = 0; i < HCBR_I_LOG_BLOCK; i += sizeof(some) / sizeof *x) {                \
            some_bits bits, power;                                                                 \
            memcpy(&bits, x + i, sizeof bits);                                                     \
            power = (bits + up_to) >> 52; /* see take_apart() */                                   \
            some k = (some)(power | 0x4330000000000000u) - (0x1p52 + 1023);                        \
            some f = (some)(bits - (power << 52) + one) - 1.0, log = of_some(f, k, (some){0});     \
            memcpy(x + i, &log, sizeof log);                                                       \
        }                                                                                          \
    }
DEFINE_LOG_BLOCK(, log_by_twos, log_of_two, pair, pair_bits)
#ifdef HCBR_I_AVX2
DEFINE_LOG_BLOCK(HCBR_I_AVX2, log_by_fours, log_of_four, four, four_bits)
#endif

void hcbr_i_log_block(double x[HCBR_I_LOG_BLOCK]) {
#ifdef HCBR_I_AVX2
    if (hcbr_i_simd()) {
        log_by_fours(x);
        return;
    }
#endif
    log_by_twos(x);
}

double hcbr_i_log1p(double x) {
    if (!(x > -1))
        return x == -1 ? -INFINITY : NAN;
    if (x > 0x1.fffffffffffffp1023)
        return x;
    if (x > -0.2928 && x < 0.4142)
        return x == 0 ? x : log_of(x, 0, 0);
    double u = 1 + x, f;
    double lost = x > 1 ? 1 - (u - x) : x - (u - 1); // 1 + x is u + lost
    int k;
    take_apart(u, &f, &k);
    return log_of(f, k, lost / u);
}

/* ---- arc tangent ----------------------------------------------------------------------------- */

double hcbr_i_atan(double x) {
    if (!(fabs(x) > 0)) // keeps the sign of 0
        return x;
    if (fabs(x) > 0x1p60)
        return x > 0 ? 0x1.921fb54442d18p0 : -0x1.921fb54442d18p0;
    double t = x, z, p = 0, twice = 1;
    while (fabs(t) > 0.125) { // tan(a / 2) = tan a / (1 + sqrt(1 + tan^2 a))
        t /= 1 + sqrt(1 + t * t);
        twice *= 2;
    }
    z = t * t;
    for (int n = 19; n >= 3; n -= 2)
        p = z * (1.0 / n - p);
    return twice * (t - t * p);
}
