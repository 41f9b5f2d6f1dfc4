/*
 * e^x of many numbers: sixteen at a time if the processor can, with exactly the operations of
 * hcbr_i_rich_exp_block(), so the bytes are the same.
 */
#include "rich/rich_math.h"

#ifdef HCBR_I_AVX2
#include <immintrin.h>

#define SIXTEEN 16u

/* Split x into a power of two and the rest. */
HCBR_I_AVX2 static inline void reduce(const double *from, __m256d *rest, __m256d *power) {
    const __m256d most = _mm256_set1_pd(700), least = _mm256_set1_pd(-700);
    const __m256d magic = _mm256_set1_pd(0x1.8p52);
    __m256d x = _mm256_max_pd(least, _mm256_min_pd(most, _mm256_loadu_pd(from)));
    __m256d shifted = _mm256_add_pd(_mm256_mul_pd(x, _mm256_set1_pd(0x1.71547652b82fep+0)), magic);
    __m256d k = _mm256_sub_pd(shifted, magic);
    x = _mm256_sub_pd(x, _mm256_mul_pd(k, _mm256_set1_pd(0x1.62e42fee00000p-1)));
    *rest = _mm256_sub_pd(x, _mm256_mul_pd(k, _mm256_set1_pd(0x1.a39ef35793c76p-33)));
    __m256i bits = _mm256_slli_epi64(_mm256_castpd_si256(shifted), 52);
    *power = _mm256_castsi256_pd(_mm256_add_epi64(bits, _mm256_set1_epi64x(1023LL << 52)));
}

HCBR_I_AVX2 static inline __m256d step(__m256d p, __m256d r, double c) {
    return _mm256_add_pd(_mm256_mul_pd(p, r), _mm256_set1_pd(c));
}

HCBR_I_AVX2 static void exp_sixteen(double *x) {
    __m256d ra, rb, rc, rd, a, b, c, d; // interleaved, so that none waits for another
    reduce(x, &ra, &a);
    reduce(x + 4, &rb, &b);
    reduce(x + 8, &rc, &c);
    reduce(x + 12, &rd, &d);
    __m256d pa = _mm256_set1_pd(1.0 / 39916800), pb = pa, pc = pa, pd = pa;
#define HCBR_I_RICH_STEP(k)                                                                        \
    pa = step(pa, ra, k);                                                                          \
    pb = step(pb, rb, k);                                                                          \
    pc = step(pc, rc, k);                                                                          \
    pd = step(pd, rd, k);
    HCBR_I_EXP_SERIES(HCBR_I_RICH_STEP)
#undef HCBR_I_RICH_STEP
    _mm256_storeu_pd(x, _mm256_mul_pd(pa, a));
    _mm256_storeu_pd(x + 4, _mm256_mul_pd(pb, b));
    _mm256_storeu_pd(x + 8, _mm256_mul_pd(pc, c));
    _mm256_storeu_pd(x + 12, _mm256_mul_pd(pd, d));
}
#endif

void hcbr_i_rich_exp_many(double *x, uint32_t count) {
    uint32_t i = 0;
#ifdef HCBR_I_AVX2
    for (; hcbr_i_simd() && i + SIXTEEN <= count; i += SIXTEEN)
        exp_sixteen(x + i);
#endif
    for (; i < count; i += HCBR_I_RICH_BLOCK)
        hcbr_i_rich_exp_block(x + i);
}
