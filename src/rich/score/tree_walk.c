/*
 * Ways through trees, step by step (tree_layout.h).
 *
 * A row that has reached a leaf stays there while others move. So all lanes take the same steps,
 * and the only branch is the end. Many rows take a few steps each; then those at a leaf are
 * removed, and the others continue.
 */
#include "rich/score/tree_layout.h"

#define LO_AT 24 /* bits of a step: the next node is in the first ones */
#define CODES_AT 32
#define SLOT_AT 40
#define MOST_NO ((1u << LO_AT) - 1)

#define SMALL_LO_AT 16 /* of a small step */
#define SMALL_SLOT_AT 24
#define MOST_SMALL UINT16_MAX /* nodes of a tree */

#define FIRST_STEPS 8u /* of many rows, ... */
#define MORE_STEPS 4u  /* ... and of the remaining ones, repeatedly */

/* ---- making ---------------------------------------------------------------------------------- */

/* Nodes of a tree. */
static size_t size_of(const hcbr_i_rich_forest *f, size_t t) {
    return (t + 1 < f->tree_count ? f->start[t + 1] : f->node_count) - f->start[t];
}

/* Whether all tests hold from some code on, and the trees are small. */
static bool is_small(const hcbr_i_rich *rich, const hcbr_i_rich_forest *f, uint32_t width) {
    const uint32_t columns = rich->encoder.column_count;
    bool small = width <= UINT8_MAX;
    for (size_t t = 0; small && t < f->tree_count; t++)
        small = size_of(f, t) <= MOST_SMALL;
    for (size_t i = 0; small && i < f->node_count; i++)
        small = f->nodes[i].test >= columns || f->nodes[i].hi == UINT8_MAX; // a leaf, too
    return small;
}

static uint32_t small_step(const hcbr_i_rich_node *node, uint32_t at, uint32_t start,
                           uint32_t columns, const uint32_t *slot, uint32_t width) {
    if (node->test == HCBR_I_RICH_LEAF)
        return width << SMALL_SLOT_AT | 1u << SMALL_LO_AT | UINT16_MAX;
    const bool member = node->test >= columns;
    const uint32_t byte = member ? slot[node->test - columns] : node->test;
    return byte << SMALL_SLOT_AT | (member ? 1u : node->lo) << SMALL_LO_AT |
           (node->no - start - at - 1);
}

static uint64_t step_make(uint32_t no, uint32_t slot, uint32_t lo, uint32_t codes) {
    return (uint64_t)slot << SLOT_AT | (uint64_t)codes << CODES_AT | (uint64_t)lo << LO_AT | no;
}

static uint64_t large_step(const hcbr_i_rich_node *node, uint32_t at, uint32_t start,
                           uint32_t columns, const uint32_t *slot) {
    if (node->test == HCBR_I_RICH_LEAF)
        return step_make(at, 0, 0, 0);
    if (node->test >= columns)
        return step_make(node->no - start, slot[node->test - columns], 1, 1);
    return step_make(node->no - start, node->test, node->lo, node->hi - node->lo + 1u);
}

/* Whether steps can represent the forest. A test that always holds has one code too many. */
static bool can_step(const hcbr_i_rich *rich, const hcbr_i_rich_forest *f) {
    for (size_t t = 0; t < f->tree_count; t++)
        if (size_of(f, t) > MOST_NO)
            return false;
    for (size_t i = 0; i < f->node_count; i++)
        if (f->nodes[i].test < rich->encoder.column_count &&
            f->nodes[i].hi - f->nodes[i].lo == UINT8_MAX)
            return false;
    return true;
}

/* Mark and count the leaves. False: they are not numbered in order. */
static bool count_leaves(hcbr_i_rich_way *way, const hcbr_i_rich_forest *f) {
    uint32_t leaves = 0;
    for (size_t i = 0; i < f->node_count; i++) {
        if (i % 64 == 0)
            way->before[i / 64] = leaves;
        if (f->nodes[i].test != HCBR_I_RICH_LEAF)
            continue;
        if (f->nodes[i].no != leaves++)
            return false;
        way->leaves[i / 64] |= (uint64_t)1 << i % 64;
    }
    return true;
}

bool hcbr_i_rich_way_make(hcbr_i_rich_way *way, const hcbr_i_rich *rich,
                          const hcbr_i_rich_forest *f, const uint32_t *slot, uint32_t width,
                          bool *fits) {
    const uint32_t columns = rich->encoder.column_count;
    *way = (hcbr_i_rich_way){0};
    if (!(*fits = can_step(rich, f)))
        return true;
    const bool small = is_small(rich, f, width);
    way->leaves = hcbr_i_alloc_zero(f->node_count / 64 + 1, sizeof *way->leaves);
    way->before = hcbr_i_alloc_zero(f->node_count / 64 + 1, sizeof *way->before);
    if (small)
        way->small = hcbr_i_alloc(f->node_count, sizeof *way->small);
    else
        way->steps = hcbr_i_alloc(f->node_count, sizeof *way->steps);
    if (!way->leaves || !way->before || (small ? !way->small : !way->steps))
        return false;
    for (size_t t = 0; t < f->tree_count; t++)
        for (uint32_t i = 0; i < size_of(f, t); i++) {
            const uint32_t start = f->start[t];
            if (small)
                way->small[start + i] =
                    small_step(&f->nodes[start + i], i, start, columns, slot, width);
            else
                way->steps[start + i] = large_step(&f->nodes[start + i], i, start, columns, slot);
        }
    *fits = count_leaves(way, f);
    return true;
}

void hcbr_i_rich_way_clear(hcbr_i_rich_way *way) {
    hcbr_i_free(way->steps);
    hcbr_i_free(way->small);
    hcbr_i_free(way->leaves);
    hcbr_i_free(way->before);
    *way = (hcbr_i_rich_way){0};
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Count the ones in a word, for processors that may lack an instruction. */
static inline uint32_t ones(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (uint32_t)(x * 0x0101010101010101 >> 56);
}

/* The number of the leaf that is a node of the forest. */
static inline uint32_t leaf_at(const hcbr_i_rich_way *way, uint32_t node) {
    const uint64_t below = ((uint64_t)1 << node % 64) - 1;
    return way->before[node / 64] + ones(way->leaves[node / 64] & below);
}

static inline bool is_leaf(const hcbr_i_rich_way *way, uint32_t node) {
    return way->leaves[node / 64] >> node % 64 & 1;
}

/* Packing lanes into vectors for an addition and unpacking them costs more than everything else:
 * hide from the compiler that this is a number. */
#define STAYS_A_NUMBER(x) __asm__("" : "+r"(x))

/* One step of a row at a node of a tree; small: a constant. */
static inline __attribute__((always_inline)) size_t
go_on(const hcbr_i_rich_way *way, bool small, size_t start, const uint8_t *row, size_t at) {
    if (small) {
        const uint32_t s = way->small[start + at];
        const bool fails = row[s >> SMALL_SLOT_AT] < (uint8_t)(s >> SMALL_LO_AT);
        size_t more = s & (0 - (size_t)fails);
        STAYS_A_NUMBER(more);
        return (uint16_t)(at + 1 + more);
    }
    const uint64_t s = way->steps[start + at];
    const uint8_t code = row[s >> SLOT_AT];
    const size_t no = s & MOST_NO, yes = at + 1;
    const bool holds = (uint8_t)(code - (uint8_t)(s >> LO_AT)) < (uint8_t)(s >> CODES_AT);
    return HCBR_I_EITHER(holds) ? yes : no;
}

#define EACH_LANE(DO)                                                                              \
    DO(0);                                                                                         \
    DO(1);                                                                                         \
    DO(2);                                                                                         \
    DO(3);                                                                                         \
    DO(4);                                                                                         \
    DO(5);                                                                                         \
    DO(6);                                                                                         \
    DO(7)

/* ---- a row through trees --------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void walk_trees(const hcbr_i_rich_way *way, bool small,
                                                             const uint32_t *start,
                                                             const uint8_t *row, size_t *at) {
    size_t moved;
#define GO_ON(k) at[k] = go_on(way, small, start[k], row, at[k])
#define GO_ON_LOOKING(k)                                                                           \
    do {                                                                                           \
        const size_t before = at[k];                                                               \
        GO_ON(k);                                                                                  \
        moved |= before ^ at[k];                                                                   \
    } while (0)
    do { // two steps: to look costs about as much as to go on in vain
        EACH_LANE(GO_ON);
        moved = 0;
        EACH_LANE(GO_ON_LOOKING);
    } while (moved);
#undef GO_ON
#undef GO_ON_LOOKING
}

void hcbr_i_rich_walk_trees(const hcbr_i_rich_way *way, const uint32_t *start, uint32_t trees,
                            const uint8_t *row, uint32_t *leaf, size_t apart) {
    uint32_t from[HCBR_I_RICH_LANES];
    size_t at[HCBR_I_RICH_LANES] = {0};
    for (uint32_t k = 0; k < HCBR_I_RICH_LANES; k++)
        from[k] = start[k < trees ? k : 0];
    if (way->small)
        walk_trees(way, true, from, row, at);
    else
        walk_trees(way, false, from, row, at);
    for (uint32_t k = 0; k < trees; k++)
        leaf[k * apart] = leaf_at(way, from[k] + (uint32_t)at[k]);
}

/* ---- rows through a tree --------------------------------------------------------------------- */

/* `steps` steps of up to LANES rows of a tree. Returns the number of rows still moving, which are
 * stored to `on` (it may be `who`). */
static inline __attribute__((always_inline)) uint32_t
walk_lanes(const hcbr_i_rich_way *way, bool small, uint32_t start, const hcbr_i_rich_rows *rows,
           size_t width, const uint32_t *who, uint32_t lanes, uint32_t steps, uint32_t *on) {
    const uint8_t *row[HCBR_I_RICH_LANES];
    uint32_t of[HCBR_I_RICH_LANES], left = 0;
    size_t at[HCBR_I_RICH_LANES];
    for (uint32_t k = 0; k < HCBR_I_RICH_LANES; k++) {
        of[k] = who[k < lanes ? k : 0];
        row[k] = rows->codes + of[k] * width;
        at[k] = rows->at[of[k]];
    }
#define GO_ON(k) at[k] = go_on(way, small, start, row[k], at[k])
    for (uint32_t n = 0; n < steps; n++) {
        EACH_LANE(GO_ON);
    }
#undef GO_ON
    for (uint32_t k = 0; k < lanes; k++) {
        rows->at[of[k]] = (uint32_t)at[k];
        on[left] = of[k];
        left += !is_leaf(way, start + (uint32_t)at[k]);
    }
    return left;
}

static inline __attribute__((always_inline)) void walk_rows(const hcbr_i_rich_way *way, bool small,
                                                            uint32_t start, hcbr_i_rich_rows *rows,
                                                            size_t width) {
    uint32_t left = rows->count, steps = FIRST_STEPS;
    while (left) {
        uint32_t on = 0, g = 0;
        for (; g + HCBR_I_RICH_LANES <= left; g += HCBR_I_RICH_LANES)
            on += walk_lanes(way, small, start, rows, width, rows->who + g, HCBR_I_RICH_LANES,
                             steps, rows->who + on);
        if (g < left)
            on += walk_lanes(way, small, start, rows, width, rows->who + g, left - g, steps,
                             rows->who + on);
        left = on;
        steps = MORE_STEPS;
    }
}

void hcbr_i_rich_walk_rows(const hcbr_i_rich_way *way, uint32_t start, hcbr_i_rich_rows *rows,
                           size_t width, uint32_t *leaf) {
    if (way->small)
        walk_rows(way, true, start, rows, width);
    else
        walk_rows(way, false, start, rows, width);
    for (uint32_t r = 0; r < rows->count; r++)
        leaf[r] = leaf_at(way, start + rows->at[r]);
}
