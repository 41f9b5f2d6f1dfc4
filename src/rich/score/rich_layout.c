/*
 * The layout of trees for scoring, and the way through them.
 *
 * A step is 64 bits: where to go on if the test does not hold (a node of the same tree), the byte
 * of the row that it looks at, the least code, how many codes from there on hold. If it holds, the
 * next node is the one behind it. The test of a leaf never holds and leads to the leaf itself: a
 * row that has arrived stays where it is while others go on. So all lanes take the same steps, and
 * there is no branch to be guessed but the end. Where the processor has vectors of eight numbers
 * that it can gather, the lanes of many rows are vectors; the leaves are the same.
 */
#include "rich/score/rich_layout.h"

#define LO_AT 24 /* bits of a step: where it goes on are the first ones */
#define CODES_AT 32
#define SLOT_AT 40
#define MOST_NO ((1u << LO_AT) - 1)
#define MOST_SLOT ((1u << (64 - SLOT_AT)) - 1)

static uint64_t step_make(uint32_t no, uint32_t slot, uint32_t lo, uint32_t codes) {
    return (uint64_t)slot << SLOT_AT | (uint64_t)codes << CODES_AT | (uint64_t)lo << LO_AT | no;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Give a byte to each member of the bag that a tree asks for. False: there are too many. */
static bool number_members(hcbr_i_rich_layout *x, const hcbr_i_rich *rich) {
    const uint32_t columns = rich->encoder.column_count;
    x->width = columns;
    for (uint32_t b = 0; b < rich->encoder.bag_count; b++)
        x->slot[b] = HCBR_I_NONE;
    for (uint32_t n = 0; n < HCBR_I_RICH_FORESTS; n++) {
        const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, n);
        for (size_t i = 0; i < f->node_count; i++) {
            const uint32_t test = f->nodes[i].test;
            if (test == HCBR_I_RICH_LEAF || test < columns ||
                x->slot[test - columns] != HCBR_I_NONE)
                continue;
            if (x->width > MOST_SLOT)
                return false;
            x->slot[test - columns] = x->width++;
        }
    }
    return columns <= MOST_SLOT;
}

/* The steps of a tree. False: one does not fit. */
static bool lay_tree(const hcbr_i_rich_layout *x, const hcbr_i_rich_node *nodes, uint32_t start,
                     size_t count, uint32_t columns, uint64_t *to) {
    if (count > MOST_NO)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const hcbr_i_rich_node *node = &nodes[i];
        if (node->test == HCBR_I_RICH_LEAF)
            to[i] = step_make(i, 0, 0, 0);
        else if (node->test >= columns)
            to[i] = step_make(node->no - start, x->slot[node->test - columns], 1, 1);
        else if (node->hi - node->lo == UINT8_MAX)
            return false;
        else
            to[i] = step_make(node->no - start, node->test, node->lo, node->hi - node->lo + 1u);
    }
    return true;
}

static bool lay_forest(const hcbr_i_rich_layout *x, const hcbr_i_rich *rich, uint32_t n) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, n);
    bool ok = true;
    for (size_t t = 0; ok && t < f->tree_count; t++) {
        const uint32_t start = f->start[t];
        const size_t end = t + 1 < f->tree_count ? f->start[t + 1] : f->node_count;
        ok = lay_tree(x, f->nodes + start, start, end - start, rich->encoder.column_count,
                      x->steps[n] + start);
    }
    return ok;
}

/* Room for all steps. False: no memory. */
static bool layout_init(hcbr_i_rich_layout *x, const hcbr_i_rich *rich) {
    bool ok = (x->slot = hcbr_i_alloc(rich->encoder.bag_count, sizeof *x->slot));
    for (uint32_t n = 0; ok && n < HCBR_I_RICH_FORESTS; n++) {
        const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, n);
        ok = (x->steps[n] = hcbr_i_alloc(f->node_count, sizeof **x->steps));
    }
    return ok;
}

bool hcbr_i_rich_layout_make(hcbr_i_rich_layout **out, const hcbr_i_rich *rich) {
    hcbr_i_rich_layout *x = hcbr_i_alloc_zero(1, sizeof *x);
    const bool ok = x && layout_init(x, rich);
    bool fits = ok && number_members(x, rich);
    for (uint32_t n = 0; fits && n < HCBR_I_RICH_FORESTS; n++)
        fits = lay_forest(x, rich, n);
    *out = fits ? x : NULL;
    if (!fits)
        hcbr_i_rich_layout_free(x);
    return ok;
}

void hcbr_i_rich_layout_free(hcbr_i_rich_layout *layout) {
    if (!layout)
        return;
    for (uint32_t n = 0; n < HCBR_I_RICH_FORESTS; n++)
        hcbr_i_free(layout->steps[n]);
    hcbr_i_free(layout->slot);
    hcbr_i_free(layout);
}

/* ---- following ------------------------------------------------------------------------------- */

void hcbr_i_rich_layout_row(const hcbr_i_rich_layout *layout, uint32_t columns,
                            const hcbr_i_rich_row *row, uint8_t *to) {
    if (columns)
        memcpy(to, row->codes, columns);
    if (layout->width > columns)
        memset(to + columns, 0, layout->width - columns);
    for (uint32_t j = 0; j < row->bag_count; j++)
        if (layout->slot[row->bag[j]] != HCBR_I_NONE)
            to[layout->slot[row->bag[j]]] = 1;
}

/* One step of a row that is at a node of a tree. */
#define GO_ON(k)                                                                                   \
    do {                                                                                           \
        const uint64_t s = tree[(k)*tree_step][at[k]];                                             \
        const uint8_t code = row[(k)*row_step][s >> SLOT_AT];                                      \
        const uint64_t no = s & MOST_NO, yes = at[k] + 1;                                          \
        const bool holds = (uint8_t)(code - (uint8_t)(s >> LO_AT)) < (uint8_t)(s >> CODES_AT);     \
        at[k] = HCBR_I_EITHER(holds) ? yes : no;                                                   \
    } while (0)
/* The same; moved: it has not arrived yet. */
#define GO_ON_LOOKING(k)                                                                           \
    do {                                                                                           \
        const uint64_t before = at[k];                                                             \
        GO_ON(k);                                                                                  \
        moved |= before ^ at[k];                                                                   \
    } while (0)
#define EACH_LANE(DO)                                                                              \
    DO(0);                                                                                         \
    DO(1);                                                                                         \
    DO(2);                                                                                         \
    DO(3);                                                                                         \
    DO(4);                                                                                         \
    DO(5);                                                                                         \
    DO(6);                                                                                         \
    DO(7)

/* The nodes where LANES pairs of a tree and a row end; a step of 0 where all have the same. */
static inline __attribute__((always_inline)) void follow(const uint64_t *const *tree,
                                                         size_t tree_step,
                                                         const uint8_t *const *row, size_t row_step,
                                                         uint64_t at[HCBR_I_RICH_LANES]) {
    uint64_t moved;
    memset(at, 0, HCBR_I_RICH_LANES * sizeof *at);
    do { // two steps: to look costs about as much as to go on in vain
        EACH_LANE(GO_ON);
        moved = 0;
        EACH_LANE(GO_ON_LOOKING);
    } while (moved);
}

/* ---- rows in vectors ------------------------------------------------------------------------- */

#ifdef HCBR_FAULTS
bool hcbr_i_rich_layout_plain = false;
#endif

#ifdef __x86_64__
#include <immintrin.h>

#define WITH_VECTORS __attribute__((target("avx512f")))
#define VECTOR 8u  /* rows of one */
#define VECTORS 4u /* followed at once */

/* One step of each row; first: where their bytes begin. */
WITH_VECTORS static inline __m512i go_on(const uint64_t *tree, const uint8_t *row, __m512i first,
                                         __m512i at) {
    const __m512i byte = _mm512_set1_epi64(UINT8_MAX);
    const __m512i s = _mm512_i64gather_epi64(at, tree, 8);
    const __m512i place = _mm512_add_epi64(first, _mm512_srli_epi64(s, SLOT_AT));
    const __m512i code = _mm512_i64gather_epi64(place, row, 1); // and seven bytes of no interest
    const __m512i above = _mm512_sub_epi64(code, _mm512_srli_epi64(s, LO_AT));
    const __mmask8 holds = _mm512_cmplt_epu64_mask(
        _mm512_and_si512(above, byte), _mm512_and_si512(_mm512_srli_epi64(s, CODES_AT), byte));
    const __m512i no = _mm512_and_si512(s, _mm512_set1_epi64(MOST_NO));
    return _mm512_mask_add_epi64(no, holds, at, _mm512_set1_epi64(1));
}

/* The nodes where the rows of four vectors end, from row r on: what one waits for the others hide.
 */
WITH_VECTORS static void follow_vectors(const uint64_t *tree, const uint8_t *row, size_t width,
                                        uint32_t r, uint32_t rows, uint64_t *end) {
    __m512i at[VECTORS], first[VECTORS];
    for (uint32_t k = 0; k < VECTORS * VECTOR; k++) // beyond the last row: once more the last
        end[k] = (r + k < rows ? r + k : rows - 1) * width;
    for (uint32_t v = 0; v < VECTORS; v++) {
        first[v] = _mm512_loadu_si512(end + (size_t)v * VECTOR);
        at[v] = _mm512_setzero_si512();
    }
    for (unsigned moved = 1; moved;) { // two steps: to look costs something
        __m512i before[VECTORS];
        moved = 0;
#pragma GCC unroll 4
        for (uint32_t v = 0; v < VECTORS; v++)
            before[v] = go_on(tree, row, first[v], at[v]);
#pragma GCC unroll 4
        for (uint32_t v = 0; v < VECTORS; v++) {
            at[v] = go_on(tree, row, first[v], before[v]);
            moved |= (unsigned)_mm512_cmpneq_epi64_mask(at[v], before[v]);
        }
    }
    for (uint32_t v = 0; v < VECTORS; v++)
        _mm512_storeu_si512(end + (size_t)v * VECTOR, at[v]);
}

/* As follow_rows(). False: not here. */
static bool follow_rows_fast(const uint64_t *tree, const hcbr_i_rich_node *nodes,
                             const uint8_t *row, size_t width, uint32_t rows, uint32_t *leaf) {
#ifdef HCBR_FAULTS
    if (hcbr_i_rich_layout_plain)
        return false;
#endif
    if (rows < VECTOR || !__builtin_cpu_supports("avx512f"))
        return false;
    for (uint32_t r = 0; r < rows; r += VECTORS * VECTOR) {
        uint64_t end[VECTORS * VECTOR];
        follow_vectors(tree, row, width, r, rows, end);
        for (uint32_t k = 0; k < VECTORS * VECTOR && r + k < rows; k++)
            leaf[r + k] = nodes[end[k]].no;
    }
    return true;
}
#else
static bool follow_rows_fast(const uint64_t *tree, const hcbr_i_rich_node *nodes,
                             const uint8_t *row, size_t width, uint32_t rows, uint32_t *leaf) {
    (void)tree, (void)nodes, (void)row, (void)width, (void)rows, (void)leaf;
    return false;
}
#endif

/* ---- rows and trees -------------------------------------------------------------------------- */

/* Many rows, tree by tree: a tree is read from far away once for all of them. */
static void follow_rows(const hcbr_i_rich_forest *f, const uint64_t *steps, size_t t,
                        const uint8_t *row, size_t width, uint32_t rows, uint32_t *leaf) {
    const uint64_t *const tree = steps + f->start[t];
    const hcbr_i_rich_node *nodes = f->nodes + f->start[t];
    uint64_t at[HCBR_I_RICH_LANES];
    if (follow_rows_fast(tree, nodes, row, width, rows, leaf))
        return;
    for (uint32_t r = 0; r < rows; r += HCBR_I_RICH_LANES) {
        const uint32_t n = rows - r < HCBR_I_RICH_LANES ? rows - r : HCBR_I_RICH_LANES;
        const uint8_t *lane[HCBR_I_RICH_LANES];
        for (uint32_t k = 0; k < HCBR_I_RICH_LANES; k++)
            lane[k] = row + (r + (k < n ? k : 0)) * width;
        follow(&tree, 0, lane, 1, at);
        for (uint32_t k = 0; k < n; k++)
            leaf[r + k] = nodes[at[k]].no;
    }
}

/* A row through several trees. */
static void follow_trees(const hcbr_i_rich_forest *f, const uint64_t *steps, size_t first,
                         uint32_t trees, const uint8_t *row, uint32_t *leaf, size_t apart) {
    const uint64_t *lane[HCBR_I_RICH_LANES];
    uint64_t at[HCBR_I_RICH_LANES];
    for (uint32_t k = 0; k < HCBR_I_RICH_LANES; k++)
        lane[k] = steps + f->start[first + (k < trees ? k : 0)];
    follow(lane, 1, &row, 0, at);
    for (uint32_t k = 0; k < trees; k++)
        leaf[k * apart] = f->nodes[f->start[first + k] + at[k]].no;
}

void hcbr_i_rich_layout_follow(const hcbr_i_rich_layout *layout, const hcbr_i_rich *rich,
                               uint32_t forest, size_t first, uint32_t trees, const uint8_t *row,
                               uint32_t rows, uint32_t *leaf) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, forest);
    const uint64_t *steps = layout->steps[forest];
    if (rows >= trees)
        for (uint32_t t = 0; t < trees; t++)
            follow_rows(f, steps, first + t, row, layout->width, rows, leaf + (size_t)t * rows);
    else
        for (uint32_t r = 0; r < rows; r++)
            follow_trees(f, steps, first, trees, row + (size_t)r * layout->width, leaf + r, rows);
}
