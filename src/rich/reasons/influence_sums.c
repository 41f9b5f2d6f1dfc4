/*
 * Lists of entries added to totals (influence_sums.h). A list has no duplicate rows, so several
 * entries are read before the first of them is added. The usual widths have loops of their own.
 *
 * Vectors of four doubles are used if the processor has them, with the same multiplications and
 * additions: no bit depends on it. A multiple of up to six bytes becomes a double as the lowest
 * bits of 2^52, which is subtracted again.
 */
#include "rich/reasons/influence_sums.h"

#define AHEAD 2048u /* bytes to prefetch: lists are read from distant memory */

/* Prefetch the following residuals, as many bytes as are read now. */
static inline void look_ahead(const uint8_t *at, size_t bytes) {
    for (size_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(at + AHEAD + b);
}

/* With two labels: one output. */
static inline void add_single(const hcbr_i_rich_entries *x, uint32_t width, double *to) {
    const uint16_t *row = x->row;
    const uint8_t *at = x->residual;
    const double weight = x->weight[0];
    uint32_t n = x->n;
    for (; n >= 4; n -= 4, row += 4, at += 4 * (size_t)width) {
        double a = weight * hcbr_i_rich_multiple(at, width);
        double b = weight * hcbr_i_rich_multiple(at + width, width);
        double c = weight * hcbr_i_rich_multiple(at + 2 * (size_t)width, width);
        double d = weight * hcbr_i_rich_multiple(at + 3 * (size_t)width, width);
        to[row[0]] += a;
        to[row[1]] += b;
        to[row[2]] += c;
        to[row[3]] += d;
    }
    for (; n > 0; n--, row++, at += width)
        to[*row] += weight * hcbr_i_rich_multiple(at, width);
}

/* Two outputs at a time. */
static inline void add_several(const hcbr_i_rich_entries *x, uint32_t width, double *to) {
    const uint8_t *at = x->residual;
    const double *weight = x->weight;
    uint32_t k = x->outputs;
    for (uint32_t e = 0; e < x->n; e++) {
        double *value = to + (size_t)x->row[e] * k;
        uint32_t l = 0;
        look_ahead(at, (size_t)k * width);
        for (; l + 2 <= k; l += 2, at += 2 * (size_t)width) {
            hcbr_i_rich_pair residual = {hcbr_i_rich_multiple(at, width),
                                         hcbr_i_rich_multiple(at + width, width)};
            hcbr_i_rich_pair add = hcbr_i_rich_get_pair(weight + l) * residual;
            hcbr_i_rich_put_pair(value + l, hcbr_i_rich_get_pair(value + l) + add);
        }
        if (l < k) {
            value[l] += weight[l] * hcbr_i_rich_multiple(at, width);
            at += width;
        }
    }
}

/* ---- vectors of four doubles ----------------------------------------------------------------- */

#ifdef HCBR_I_AVX2
#include <immintrin.h>

#define MOST_WIDTH 6u /* bytes that fit below 2^52 */

/* How four multiples of some width become doubles. */
typedef struct unpacking {
    __m256i shuffle; /* from bytes to 64 bits each */
    __m256i magic;   /* 2^52, with the lowest number mapped to 0 */
    __m256d base;    /* its value, to be subtracted */
} unpacking;

HCBR_I_AVX2 static inline unpacking unpacking_of(uint32_t width) {
    char from[32];
    const uint64_t sign = (uint64_t)1 << (8 * width - 1);
    for (uint32_t b = 0; b < 32; b++)
        from[b] = b % 8 < width ? (char)(b / 8 % 2 * width + b % 8) : (char)-1;
    return (unpacking){.shuffle = _mm256_loadu_si256((const __m256i *)from),
                       .magic = _mm256_set1_epi64x((int64_t)((uint64_t)0x433 << 52 | sign)),
                       .base = _mm256_set1_pd(0x1p52 + (double)sign)};
}

/* Two of them are in the first 16 bytes. */
HCBR_I_AVX2 static inline __m256d four_of(const unpacking *u, const uint8_t *at, uint32_t width) {
    __m128i low = _mm_loadu_si128((const __m128i *)at);
    __m128i high = _mm_loadu_si128((const __m128i *)(at + 2 * (size_t)width));
    __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    __m256i bits = _mm256_xor_si256(_mm256_shuffle_epi8(bytes, u->shuffle), u->magic);
    return _mm256_sub_pd(_mm256_castsi256_pd(bits), u->base);
}

/* As add_single(). */
HCBR_I_AVX2 static void add_single_fast(const hcbr_i_rich_entries *x, double *to) {
    const uint32_t width = x->width;
    const unpacking u = unpacking_of(width);
    const __m256d weight = _mm256_set1_pd(x->weight[0]);
    const uint16_t *row = x->row;
    const uint8_t *at = x->residual;
    uint32_t n = x->n;
    for (; n >= 4; n -= 4, row += 4, at += 4 * (size_t)width) {
        __m256d add = _mm256_mul_pd(weight, four_of(&u, at, width));
        __m128d low = _mm256_castpd256_pd128(add), high = _mm256_extractf128_pd(add, 1);
        to[row[0]] += _mm_cvtsd_f64(low);
        to[row[1]] += _mm_cvtsd_f64(_mm_unpackhi_pd(low, low));
        to[row[2]] += _mm_cvtsd_f64(high);
        to[row[3]] += _mm_cvtsd_f64(_mm_unpackhi_pd(high, high));
    }
    for (; n > 0; n--, row++, at += width)
        to[*row] += x->weight[0] * hcbr_i_rich_multiple(at, width);
}

/* As add_several(). */
HCBR_I_AVX2 static void add_several_fast(const hcbr_i_rich_entries *x, double *to) {
    const uint32_t width = x->width, k = x->outputs, whole = k - k % 4, rest = k % 4;
    const unpacking u = unpacking_of(width);
    const __m256i mask = _mm256_set_epi64x(0, -(rest > 2), -(rest > 1), -(rest > 0));
    const __m256d last = _mm256_maskload_pd(x->weight + whole, mask);
    const uint8_t *at = x->residual;
    for (uint32_t e = 0; e < x->n; e++, at += (size_t)rest * width) {
        double *value = to + (size_t)x->row[e] * k;
        uint32_t l = 0;
        look_ahead(at, (size_t)k * width);
        for (; l < whole; l += 4, at += 4 * (size_t)width) {
            __m256d add = _mm256_mul_pd(_mm256_loadu_pd(x->weight + l), four_of(&u, at, width));
            _mm256_storeu_pd(value + l, _mm256_add_pd(_mm256_loadu_pd(value + l), add));
        }
        if (rest) {
            __m256d add = _mm256_mul_pd(last, four_of(&u, at, width));
            add = _mm256_add_pd(_mm256_maskload_pd(value + l, mask), add);
            _mm256_maskstore_pd(value + l, mask, add);
        }
    }
}

/* False: not here. */
static bool add_fast(const hcbr_i_rich_entries *list, double *to) {
    if (list->width > MOST_WIDTH || !hcbr_i_simd())
        return false;
    if (list->outputs == 1)
        add_single_fast(list, to);
    else
        add_several_fast(list, to);
    return true;
}
#else
static bool add_fast(const hcbr_i_rich_entries *list, double *to) {
    (void)list;
    (void)to;
    return false;
}
#endif

/* ---- either ---------------------------------------------------------------------------------- */

void hcbr_i_rich_add_entries(const hcbr_i_rich_entries *list, double *to) {
    bool single = list->outputs == 1;
    if (add_fast(list, to))
        return;
    if (single && list->width == 4)
        add_single(list, 4, to);
    else if (single && list->width == 5)
        add_single(list, 5, to);
    else if (single)
        add_single(list, list->width, to);
    else if (list->width == 5)
        add_several(list, 5, to);
    else
        add_several(list, list->width, to);
}
