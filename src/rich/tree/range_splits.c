/*
 * Ranges of codes in a node of the tree grower: their sums, and a filter for those that may be the
 * best split.
 *
 * If the processor has vectors, eight ranges are summed in one pass over the cases, and four splits
 * are compared with the best one together. The filter drops only splits that are not better, in
 * exactly the same arithmetic: consider() decides, so plain C, which filters nothing, finds the
 * same test.
 */
#include "rich/tree/tree_grower.h"

#ifdef HCBR_I_AVX2
#include <immintrin.h>

#define FOUR 4u /* divisions at a time */

/* ---- sifting --------------------------------------------------------------------------------- */

/* Four words of a split each, as their halves. */
HCBR_I_AVX2 static inline void halves(__m256i words, __m256d *up, __m256d *low) {
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    __m256i apart = _mm256_permutevar8x32_epi32(words, order);
    __m128i lo = _mm256_castsi256_si128(apart), hi = _mm256_extracti128_si256(apart, 1);
    *up = _mm256_cvtepi32_pd(_mm_sub_epi32(hi, _mm_srai_epi32(lo, 31))); // minus the borrow
    *low = _mm256_cvtepi32_pd(lo);
}

/* Add the square of a sum to a, and that of the rest of the total to b. */
HCBR_I_AVX2 static inline void add_squares(__m256d sum, double total, __m256d *a, __m256d *b) {
    __m256d no = _mm256_sub_pd(_mm256_set1_pd(total), sum);
    *a = _mm256_add_pd(*a, _mm256_mul_pd(sum, sum));
    *b = _mm256_add_pd(*b, _mm256_mul_pd(no, no));
}

/* The divisions, of four, that exceed the bar: the sums of squares of both parts and the curvature
 * of the one. */
HCBR_I_AVX2 static inline uint32_t exceed(const node *at, double all, __m256d a, __m256d b,
                                          __m256d h) {
    const __m256d least = _mm256_set1_pd(at->least_h), lambda = _mm256_set1_pd(at->lambda);
    __m256d rest = _mm256_sub_pd(_mm256_set1_pd(all), h);
    __m256d can = _mm256_and_pd(_mm256_cmp_pd(h, least, _CMP_NLT_UQ),
                                _mm256_cmp_pd(rest, least, _CMP_NLT_UQ));
    h = _mm256_add_pd(h, lambda);
    rest = _mm256_add_pd(rest, lambda);
    __m256d above = _mm256_add_pd(_mm256_mul_pd(a, rest), _mm256_mul_pd(b, h));
    __m256d bar = _mm256_mul_pd(_mm256_set1_pd(at->bar), _mm256_mul_pd(h, rest));
    __m256d better = _mm256_cmp_pd(above, bar, _CMP_GT_OQ);
    return (uint32_t)_mm256_movemask_pd(_mm256_and_pd(can, better));
}

HCBR_I_AVX2 static uint32_t sift_one(const node *at, const uint64_t *yes, uint32_t from,
                                     uint32_t count) {
    for (; from + FOUR <= count; from += FOUR) {
        __m256d g, h, a = _mm256_setzero_pd(), b = a;
        halves(_mm256_loadu_si256((const __m256i *)(const void *)(yes + from)), &g, &h);
        add_squares(g, at->total[0], &a, &b);
        uint32_t better = exceed(at, at->total[1], a, b, h);
        if (better)
            return from + (uint32_t)__builtin_ctz(better);
    }
    return from;
}

HCBR_I_AVX2 static uint32_t sift_two(const node *at, const uint64_t *yes, uint32_t from,
                                     uint32_t count) {
    for (; from + FOUR <= count; from += FOUR) {
        const __m256i *x = (const __m256i *)(const void *)(yes + 2 * (size_t)from);
        __m256i first = _mm256_loadu_si256(x), second = _mm256_loadu_si256(x + 1);
        __m256i words = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(first, second), 0xD8);
        __m256i others = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(first, second), 0xD8);
        __m256d g[3], h, a = _mm256_setzero_pd(), b = a;
        halves(words, &g[0], &g[1]);
        halves(others, &g[2], &h);
        for (uint32_t c = 0; c < 3; c++)
            add_squares(g[c], at->total[c], &a, &b);
        uint32_t better = exceed(at, at->total[3], a, b, h);
        if (better)
            return from + (uint32_t)__builtin_ctz(better);
    }
    return from;
}

/* ---- sums of ranges -------------------------------------------------------------------------- */

/* Four bytes, each eight times. */
HCBR_I_AVX2 static inline __m256i spread(const uint8_t *bytes) {
    const __m256i each = _mm256_setr_epi64x(0, 0x0808080808080808, 0, 0x0808080808080808);
    uint32_t four;
    memcpy(&four, bytes, sizeof four);
    return _mm256_shuffle_epi8(_mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)four)), each);
}

/* All ones in each of four words whose range contains the code. */
HCBR_I_AVX2 static inline __m256i within(__m256i code, __m256i from, __m256i span) {
    __m256i at = _mm256_sub_epi8(code, from);
    return _mm256_cmpeq_epi8(_mm256_min_epu8(at, span), at);
}

/* Eight ranges at a time; `from`, `span` and sums must have room for a multiple of eight. */
HCBR_I_AVX2 static void sum_eights(const node *at, const hcbr_i_rich_ranges *r, uint64_t *sums) {
    const uint8_t *code = at->s->codes;
    const uint64_t *x = at->s->sums;
    for (uint32_t j = 0; j < r->count; j += 2 * FOUR) {
        __m256i from = spread(r->from + j), span = spread(r->span + j);
        __m256i from2 = spread(r->from + j + FOUR), span2 = spread(r->span + j + FOUR);
        __m256i a = _mm256_setzero_si256(), b = a;
        for (uint32_t i = 0; i < at->n; i++) {
            __m256i c = _mm256_set1_epi8((char)code[i]);
            __m256i word = _mm256_set1_epi64x((long long)x[i]);
            a = _mm256_add_epi64(a, _mm256_and_si256(within(c, from, span), word));
            b = _mm256_add_epi64(b, _mm256_and_si256(within(c, from2, span2), word));
        }
        _mm256_storeu_si256((__m256i *)(void *)(sums + j), a);
        _mm256_storeu_si256((__m256i *)(void *)(sums + j + FOUR), b);
    }
}

/* One range: four cases at a time. */
HCBR_I_AVX2 static uint64_t sum_single(const node *at, uint8_t from, uint8_t span) {
    const uint8_t *code = at->s->codes;
    const uint64_t *x = at->s->sums;
    const __m256i low = _mm256_set1_epi64x(from), end = _mm256_set1_epi64x(span + 1);
    const __m256i byte = _mm256_set1_epi64x(255);
    __m256i sum = _mm256_setzero_si256();
    uint32_t i = 0;
    for (; i + FOUR <= at->n; i += FOUR) {
        uint32_t four;
        memcpy(&four, code + i, sizeof four);
        __m256i c = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)four));
        __m256i in = _mm256_cmpgt_epi64(end, _mm256_and_si256(_mm256_sub_epi64(c, low), byte));
        __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
        sum = _mm256_add_epi64(sum, _mm256_and_si256(in, word));
    }
    uint64_t part[FOUR];
    _mm256_storeu_si256((__m256i *)(void *)part, sum);
    uint64_t all = part[0] + part[1] + part[2] + part[3];
    for (; i < at->n; i++)
        all += (uint8_t)(code[i] - from) <= span ? x[i] : 0;
    return all;
}
#endif

/* ---- either way ------------------------------------------------------------------------------ */

uint32_t hcbr_i_rich_sift(const node *at, const uint64_t *yes, uint32_t from, uint32_t count,
                          uint32_t width) {
#ifdef HCBR_I_AVX2
    if (at->s->simd)
        return width == 1 ? sift_one(at, yes, from, count) : sift_two(at, yes, from, count);
#endif
    (void)at;
    (void)yes;
    (void)width;
    return from < count ? from : count;
}

EACH_WIDTH void sum_plainly(const node *at, const hcbr_i_rich_ranges *r, uint64_t *sums,
                            uint32_t width) {
    const uint8_t *code = at->s->codes;
    for (uint32_t j = 0; j < r->count; j++) {
        const uint64_t *x = at->s->sums;
        uint64_t yes[WIDEST] = {0};
        for (uint32_t i = 0; i < at->n; i++) {
            uint64_t in = 0 - (uint64_t)((uint8_t)(code[i] - r->from[j]) <= r->span[j]);
            for (uint32_t c = 0; c < width; c++)
                yes[c] += in & x[(size_t)i * width + c];
        }
        for (uint32_t c = 0; c < width; c++)
            sums[(size_t)j * width + c] = yes[c];
    }
}

void hcbr_i_rich_sum_ranges(const node *at, const hcbr_i_rich_ranges *r, uint64_t *sums,
                            uint32_t width) {
#ifdef HCBR_I_AVX2
    if (at->s->simd && width == 1) {
        if (r->count > 1)
            sum_eights(at, r, sums);
        else if (r->count)
            sums[0] = sum_single(at, r->from[0], r->span[0]);
        return;
    }
#endif
    if (width == 1)
        sum_plainly(at, r, sums, 1);
    else
        sum_plainly(at, r, sums, 2);
}
