/*
 * Tops of trees (tree_tops.h).
 *
 * Exits are numbered in order, so all exits below a node are a range, and those where its test
 * holds come first. A row is at an exit, 0 at first. The tests are made in the order of nodes: if
 * the row is at the first exit below a test and the test does not hold, it moves to the first one
 * where it does not. A row is at the first exit below a test only if it has reached the test: if an
 * earlier test has failed, it has skipped all of these.
 */
#include "rich/score/tree_tops.h"

#include "base/base.h"

#define WHOLE 256u /* leaves of a tree that is all top: an exit is a byte */
#define TESTS 63u  /* of the top of another tree, maximum */

/* ---- making ---------------------------------------------------------------------------------- */

/* The size of the subtree of each node. False: the nodes are not in traversal order. */
static bool measure(const hcbr_i_rich_node *nodes, uint32_t start, uint32_t count, uint32_t *size) {
    uint32_t leaf = 0;
    bool any = false;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t no = nodes[i].no - start;
        if (nodes[i].test == HCBR_I_RICH_LEAF) {
            if (any && nodes[i].no + 1 != leaf)
                return false;
            leaf = nodes[i].no;
            any = true;
            size[i] = 1;
        } else if (i + 1 >= count || no != i + 1 + size[i + 1] || no >= count) {
            return false;
        } else {
            size[i] = 1 + size[i + 1] + size[no];
        }
    }
    return count > 0 && size[0] == count;
}

/* The number of tests of a tree with more than `nodes_below` nodes below. */
static uint32_t count_above(const hcbr_i_rich_node *nodes, const uint32_t *size, uint32_t count,
                            uint32_t nodes_below) {
    uint32_t tests = 0;
    for (uint32_t i = 0; i < count; i++)
        tests += size[i] > nodes_below && nodes[i].test != HCBR_I_RICH_LEAF;
    return tests;
}

static uint32_t bytes_of(uint32_t byte) {
    return (byte & UINT8_MAX) * 0x01010101u;
}

static hcbr_i_rich_question ask(const hcbr_i_rich_node *node, uint32_t columns,
                                const uint32_t *slot) {
    const bool member = node->test >= columns;
    const uint32_t lo = member ? 1 : node->lo, codes = member ? 1 : node->hi - node->lo + 1u;
    return (hcbr_i_rich_question){.slot = member ? slot[node->test - columns] : node->test,
                                  .lo = bytes_of(lo + 128),
                                  .codes = bytes_of(codes - 128)};
}

/* List the tests above the limit and the exits below them. before: by node that is one of them,
 * number of exits before it. */
static bool list(hcbr_i_rich_tops *x, const hcbr_i_rich_node *nodes, const uint32_t *size,
                 uint32_t count, uint32_t limit, uint32_t *before, uint32_t columns,
                 const uint32_t *slot) {
    uint32_t exits = 0;
    for (uint32_t i = 0; i < count;) {
        before[i] = exits;
        if (nodes[i].test != HCBR_I_RICH_LEAF && size[i] > limit) {
            if (!hcbr_i_grow(&x->questions, &x->question_capacity, x->question_count + 1,
                             sizeof *x->questions))
                return false;
            x->questions[x->question_count++] = ask(&nodes[i++], columns, slot);
            continue;
        }
        if (!hcbr_i_grow(&x->exits, &x->exit_capacity, x->exit_count + 1, sizeof *x->exits))
            return false;
        x->exits[x->exit_count++] = i;
        exits++;
        i += size[i];
    }
    return true;
}

/* Set the targets of the tests of a top, once all exits are numbered. */
static void lead(hcbr_i_rich_question *q, const hcbr_i_rich_node *nodes, const uint32_t *size,
                 uint32_t start, uint32_t count, uint32_t limit, const uint32_t *before) {
    for (uint32_t i = 0; i < count;) {
        if (nodes[i].test == HCBR_I_RICH_LEAF || size[i] <= limit) {
            i += size[i];
            continue;
        }
        q->from = bytes_of(before[i]);
        q->by = bytes_of(before[nodes[i].no - start] - before[i]);
        q++;
        i++;
    }
}

/* The number of the first leaf: of the node where all tests hold. */
static uint32_t first_leaf(const hcbr_i_rich_node *nodes) {
    while (nodes->test != HCBR_I_RICH_LEAF)
        nodes++;
    return nodes->no;
}

/* Working memory for the largest tree: its sizes, then the exits before. */
static uint32_t *room_for(const hcbr_i_rich_forest *f, uint32_t *most) {
    *most = 0;
    for (size_t t = 0; t < f->tree_count; t++) {
        const size_t end = t + 1 < f->tree_count ? f->start[t + 1] : f->node_count;
        *most = end - f->start[t] > *most ? (uint32_t)(end - f->start[t]) : *most;
    }
    return hcbr_i_alloc(*most, 2 * sizeof(uint32_t));
}

bool hcbr_i_rich_tops_make(hcbr_i_rich_tops *x, const hcbr_i_rich_forest *f, uint32_t columns,
                           const uint32_t *slot, bool *fits) {
    uint32_t most, *size = room_for(f, &most);
    *x = (hcbr_i_rich_tops){.start = hcbr_i_alloc(f->tree_count + 1, sizeof *x->start),
                            .exit_start = hcbr_i_alloc(f->tree_count + 1, sizeof *x->exit_start),
                            .leaf = hcbr_i_alloc(f->tree_count, sizeof *x->leaf),
                            .whole = hcbr_i_alloc(f->tree_count, sizeof *x->whole)};
    bool ok = size && x->start && x->exit_start && x->leaf && x->whole;
    for (size_t t = 0; ok && *fits && t < f->tree_count; t++) {
        const uint32_t start = f->start[t];
        const size_t end = t + 1 < f->tree_count ? f->start[t + 1] : f->node_count;
        const uint32_t count = (uint32_t)(end - start);
        const hcbr_i_rich_node *nodes = f->nodes + start;
        if (!(*fits = measure(nodes, start, count, size)))
            break;
        x->whole[t] = count < 2 * WHOLE;
        x->leaf[t] = first_leaf(nodes);
        x->start[t] = (uint32_t)x->question_count;
        x->exit_start[t] = (uint32_t)x->exit_count;
        uint32_t limit = x->whole[t] ? 0 : count / (TESTS + 1);
        while (!x->whole[t] && count_above(nodes, size, count, limit) > TESTS)
            limit += limit / 4 + 1;
        ok = list(x, nodes, size, count, limit, size + most, columns, slot);
        if (ok && x->question_count > x->start[t])
            lead(x->questions + x->start[t], nodes, size, start, count, limit, size + most);
    }
    if (ok) {
        x->start[f->tree_count] = (uint32_t)x->question_count;
        x->exit_start[f->tree_count] = (uint32_t)x->exit_count;
    }
    hcbr_i_free(size);
    return ok;
}

void hcbr_i_rich_tops_clear(hcbr_i_rich_tops *tops) {
    hcbr_i_free(tops->questions);
    hcbr_i_free(tops->start);
    hcbr_i_free(tops->exits);
    hcbr_i_free(tops->exit_start);
    hcbr_i_free(tops->leaf);
    hcbr_i_free(tops->whole);
    *tops = (hcbr_i_rich_tops){0};
}

/* ---- passing --------------------------------------------------------------------------------- */

/*
 * The test holds if a code less the least that holds, as an unsigned byte, is below `codes`. Both
 * sides are lowered by 128, so that signed bytes compare as these do.
 *
 * Several vectors are processed at once to hide latency; the remainder goes one by one.
 */
#define FILL 64u /* rows of the widest vector */

enum { AT_ONCE = 4 };
#define KERNEL static inline __attribute__((always_inline))

size_t hcbr_i_rich_tops_stride(uint32_t rows) {
    return ((size_t)rows + FILL - 1) / FILL * FILL + (rows > FILL ? FILL : 0);
}

typedef uint8_t bytes __attribute__((vector_size(16)));
typedef int8_t signed_bytes __attribute__((vector_size(16)));
typedef uint32_t words __attribute__((vector_size(16)));

KERNEL void pass_plain(const hcbr_i_rich_question *q, const hcbr_i_rich_question *end,
                       const uint8_t *codes, size_t stride, uint32_t vectors, uint8_t *exit) {
    bytes at[AT_ONCE] = {{0}};
    for (; q < end; q++) {
        const bytes lo = (bytes)((words){0} + q->lo), most = (bytes)((words){0} + q->codes);
        const bytes from = (bytes)((words){0} + q->from), by = (bytes)((words){0} + q->by);
        const uint8_t *code = codes + q->slot * stride;
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vectors; v++) {
            bytes c;
            memcpy(&c, code + v * sizeof c, sizeof c);
            const bytes fails = (bytes)((signed_bytes)(c - lo) >= (signed_bytes)most);
            at[v] += fails & (bytes)(at[v] == from) & by;
        }
    }
    memcpy(exit, at, vectors * sizeof *at);
}

static void pass_all_plain(const hcbr_i_rich_question *q, const hcbr_i_rich_question *end,
                           const uint8_t *codes, size_t stride, uint32_t rows, uint8_t *exit) {
    uint32_t r = 0;
    for (; r + AT_ONCE * sizeof(bytes) <= rows; r += AT_ONCE * sizeof(bytes))
        pass_plain(q, end, codes + r, stride, AT_ONCE, exit + r);
    for (; r < rows; r += sizeof(bytes))
        pass_plain(q, end, codes + r, stride, 1, exit + r);
}

#ifdef HCBR_I_AVX2
#include <immintrin.h>

HCBR_I_AVX2 KERNEL void pass_avx2(const hcbr_i_rich_question *q, const hcbr_i_rich_question *end,
                                  const uint8_t *codes, size_t stride, uint32_t vectors,
                                  uint8_t *exit) {
    __m256i at[AT_ONCE];
    for (uint32_t v = 0; v < vectors; v++)
        at[v] = _mm256_setzero_si256();
    for (; q < end; q++) {
        const __m256i lo = _mm256_set1_epi32((int)q->lo), most = _mm256_set1_epi32((int)q->codes);
        const __m256i from = _mm256_set1_epi32((int)q->from), by = _mm256_set1_epi32((int)q->by);
        const uint8_t *code = codes + q->slot * stride;
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vectors; v++) {
            const __m256i c = _mm256_loadu_si256((const void *)(code + v * sizeof c));
            const __m256i holds = _mm256_cmpgt_epi8(most, _mm256_sub_epi8(c, lo));
            const __m256i go = _mm256_andnot_si256(holds, _mm256_cmpeq_epi8(at[v], from));
            at[v] = _mm256_add_epi8(at[v], _mm256_and_si256(go, by));
        }
    }
    for (uint32_t v = 0; v < vectors; v++)
        _mm256_storeu_si256((void *)(exit + v * sizeof *at), at[v]);
}

HCBR_I_AVX2 static void pass_all_avx2(const hcbr_i_rich_question *q,
                                      const hcbr_i_rich_question *end, const uint8_t *codes,
                                      size_t stride, uint32_t rows, uint8_t *exit) {
    uint32_t r = 0;
    for (; r + AT_ONCE * sizeof(__m256i) <= rows; r += AT_ONCE * sizeof(__m256i))
        pass_avx2(q, end, codes + r, stride, AT_ONCE, exit + r);
    for (; r < rows; r += sizeof(__m256i))
        pass_avx2(q, end, codes + r, stride, 1, exit + r);
}

HCBR_I_AVX512 KERNEL void pass_avx512(const hcbr_i_rich_question *q,
                                      const hcbr_i_rich_question *end, const uint8_t *codes,
                                      size_t stride, uint32_t vectors, uint8_t *exit) {
    __m512i at[AT_ONCE];
    for (uint32_t v = 0; v < vectors; v++)
        at[v] = _mm512_setzero_si512();
    for (; q < end; q++) {
        const __m512i lo = _mm512_set1_epi32((int)q->lo), most = _mm512_set1_epi32((int)q->codes);
        const __m512i from = _mm512_set1_epi32((int)q->from), by = _mm512_set1_epi32((int)q->by);
        const uint8_t *code = codes + q->slot * stride;
#pragma GCC unroll 4
        for (uint32_t v = 0; v < vectors; v++) {
            const __m512i c = _mm512_loadu_si512(code + v * sizeof c);
            const __mmask64 fails = _mm512_cmpge_epi8_mask(_mm512_sub_epi8(c, lo), most);
            const __mmask64 go = _mm512_mask_cmpeq_epi8_mask(fails, at[v], from);
            at[v] = _mm512_mask_add_epi8(at[v], go, at[v], by);
        }
    }
    for (uint32_t v = 0; v < vectors; v++)
        _mm512_storeu_si512(exit + v * sizeof *at, at[v]);
}

HCBR_I_AVX512 static void pass_all_avx512(const hcbr_i_rich_question *q,
                                          const hcbr_i_rich_question *end, const uint8_t *codes,
                                          size_t stride, uint32_t rows, uint8_t *exit) {
    uint32_t r = 0;
    for (; r + AT_ONCE * sizeof(__m512i) <= rows; r += AT_ONCE * sizeof(__m512i))
        pass_avx512(q, end, codes + r, stride, AT_ONCE, exit + r);
    for (; r < rows; r += sizeof(__m512i))
        pass_avx512(q, end, codes + r, stride, 1, exit + r);
}
#endif

void hcbr_i_rich_tops_pass(const hcbr_i_rich_tops *tops, size_t tree, const uint8_t *codes,
                           size_t stride, uint32_t rows, uint8_t *exit) {
    const hcbr_i_rich_question *q = tops->questions + tops->start[tree];
    const hcbr_i_rich_question *end = tops->questions + tops->start[tree + 1];
#ifdef HCBR_I_AVX2
    if (hcbr_i_simd_wide()) {
        pass_all_avx512(q, end, codes, stride, rows, exit);
        return;
    }
    if (hcbr_i_simd()) {
        pass_all_avx2(q, end, codes, stride, rows, exit);
        return;
    }
#endif
    pass_all_plain(q, end, codes, stride, rows, exit);
}
