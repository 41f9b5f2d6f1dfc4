/*
 * Division of the rows of a node of the tree grower by the codes of a column.
 */
#include "rich/tree/tree_grower.h"

#ifdef HCBR_I_AVX2
#include <immintrin.h>

#define EIGHT 8u /* rows at a time */

/* By pattern: the numbers of its bits that are set, lowest first, a byte each. */
static uint64_t order_of(uint32_t pattern) {
    uint64_t order = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < EIGHT; i++)
        if (pattern >> i & 1)
            order |= (uint64_t)i << (8 * count++);
    return order;
}

/* The rows that a pattern has, first. */
HCBR_I_AVX2 static inline __m256i pick(__m256i rows, uint64_t order) {
    __m256i places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
    return _mm256_permutevar8x32_epi32(rows, places);
}

/* The codes of eight rows, a byte each. They are read one by one: a gather instruction takes twice
 * as long on processors with mitigations. */
static inline uint64_t codes_of(const uint8_t *code, const uint32_t *rows) {
    uint64_t low = code[rows[0]] | (uint64_t)code[rows[1]] << 8 | (uint64_t)code[rows[2]] << 16 |
                   (uint64_t)code[rows[3]] << 24;
    uint64_t high = code[rows[4]] | (uint64_t)code[rows[5]] << 8 | (uint64_t)code[rows[6]] << 16 |
                    (uint64_t)code[rows[7]] << 24;
    return low | high << 32;
}

/* Eight rows at a time. Returns how many are done. */
HCBR_I_AVX2 static uint32_t divide_eights(const uint64_t *orders, const rows_test *test,
                                          uint32_t *rows, uint32_t n, uint32_t *aside,
                                          uint32_t *first, uint32_t *others) {
    uint32_t i = 0, yes = 0, no = 0;
    const __m128i lo = _mm_set1_epi8((char)test->lo), span = _mm_set1_epi8((char)test->span);
    for (; i + EIGHT <= n; i += EIGHT) {
        __m128i code = _mm_cvtsi64_si128((long long)codes_of(test->code, rows + i));
        __m256i row = _mm256_loadu_si256((const __m256i *)(const void *)(rows + i));
        code = _mm_sub_epi8(code, lo);
        code = _mm_cmpeq_epi8(_mm_min_epu8(code, span), code);
        uint32_t in = (uint32_t)_mm_movemask_epi8(code) & 255;
        uint32_t count = (uint32_t)__builtin_popcount(in);
        _mm256_storeu_si256((__m256i *)(void *)(rows + yes), pick(row, orders[in]));
        _mm256_storeu_si256((__m256i *)(void *)(aside + no), pick(row, orders[in ^ 255]));
        yes += count;
        no += EIGHT - count;
    }
    *first = yes;
    *others = no;
    return i;
}
#endif

bool hcbr_i_rich_divide_init(hcbr_i_rich_scratch *s) {
#ifdef HCBR_I_AVX2
    s->simd = hcbr_i_simd();
    if (!s->simd)
        return true;
    if (!(s->orders = hcbr_i_alloc(256, sizeof *s->orders)))
        return false;
    for (uint32_t pattern = 0; pattern < 256; pattern++)
        s->orders[pattern] = order_of(pattern);
#endif
    return true;
}

uint32_t hcbr_i_rich_divide(const hcbr_i_rich_scratch *s, const rows_test *test, uint32_t *rows,
                            uint32_t n) {
    uint32_t yes = 0, no = 0, i = 0, *aside = s->aside;
#ifdef HCBR_I_AVX2
    if (s->orders)
        i = divide_eights(s->orders, test, rows, n, aside, &yes, &no);
#endif
    for (; i < n; i++) {
        uint32_t row = rows[i];
        bool in = (uint8_t)(test->code[row] - test->lo) <= test->span;
        rows[yes] = row;
        aside[no] = row;
        yes += in;
        no += !in;
    }
    if (no)
        memcpy(rows + yes, aside, no * sizeof *rows);
    return yes;
}
