/*
 * The past cases of a rich model, made ready for reasons: merged as they were in training, with the
 * leaves they end in.
 *
 * Nothing of a tree's cases is stored in a model: who was drawn follows from content and seed, and
 * residuals from following the trees once more, with the very operations of training (rich_draw.h).
 * Invariant: rows of a voting leaf rise; leaves of a block stand tree after tree.
 */
#include "rich/rich_causes.h"
#include "rich/rich_follow.h"

/* ---- merged cases ---------------------------------------------------------------------------- */

/* Codes row after row, as trees are followed. */
static bool turn_codes(hcbr_i_rich_causes *c) {
    size_t rows = c->table.rows, columns = c->table.columns;
    if (!(c->codes = hcbr_i_alloc(rows, columns)))
        return false;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < rows; i++)
            c->codes[i * columns + k] = c->table.codes[k * rows + i];
    hcbr_i_free(c->table.codes);
    c->table.codes = NULL;
    return true;
}

static void list_cases(hcbr_i_rich_causes *c, uint32_t count) {
    uint32_t *start = c->case_start;
    for (uint32_t i = 0; i < count; i++)
        if (c->row_of[i] != HCBR_I_NONE)
            start[c->row_of[i] + 2]++;
    for (uint32_t r = 0; r < c->table.rows; r++)
        start[r + 2] += start[r + 1];
    for (uint32_t i = 0; i < count; i++)
        if (c->row_of[i] != HCBR_I_NONE)
            c->cases[start[c->row_of[i] + 1]++] = i;
}

static hcbr_status merge_cases(hcbr_i_rich_causes *c, const hcbr_i_rich_view *view,
                               hcbr_error *err) {
    uint32_t count = view->cases->case_count;
    c->weight = view->weight;
    if (!(c->row_of = hcbr_i_alloc(count, sizeof *c->row_of)))
        return hcbr_i_no_memory(err);
    hcbr_status st =
        hcbr_i_rich_table_make(&c->table, &c->rich->encoder, view, c->rich->seed, c->row_of, err);
    if (st != HCBR_OK)
        return st;
    if (c->table.rows != c->rich->rows)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "the model keeps %lu different cases, expected the %lu it was fitted to",
                           (unsigned long)c->table.rows, (unsigned long)c->rich->rows);
    c->case_start = hcbr_i_alloc_zero((size_t)c->table.rows + 2, sizeof *c->case_start);
    c->cases = hcbr_i_alloc(count, sizeof *c->cases);
    if (!c->case_start || !c->cases || !turn_codes(c))
        return hcbr_i_no_memory(err);
    list_cases(c, count);
    return HCBR_OK;
}

/* ---- boosted trees --------------------------------------------------------------------------- */

/* Number the trees and leaves of all juries. False: a tree has too many leaves. */
static hcbr_status number_trees(hcbr_i_rich_causes *c, hcbr_error *err) {
    const hcbr_i_rich_boosted *b = &c->rich->boosted;
    size_t trees = 0;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        trees += b->jury[j].tree_count;
    if (trees > UINT32_MAX / 2)
        return hcbr_i_no_memory(err);
    c->boosted_count = (uint32_t)trees;
    if (!(c->leaf_first = hcbr_i_alloc(trees, sizeof *c->leaf_first)))
        return hcbr_i_no_memory(err);
    uint32_t at = 0;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &b->jury[j];
        size_t leaf = 0, node = 0;
        c->tree_start[j] = at;
        c->leaf_start[j + 1] = c->leaf_start[j] + f->leaf_count;
        for (size_t t = 0; t < f->tree_count; t++) {
            size_t end = t + 1 < f->tree_count ? f->start[t + 1] : f->node_count, first = leaf;
            for (; node < end; node++)
                leaf += f->nodes[node].test == HCBR_I_RICH_LEAF;
            c->leaf_first[at++] = (uint32_t)first;
            if (leaf - first > UINT16_MAX)
                return hcbr_i_fail(err, HCBR_EFORMAT, "a tree has %zu leaves, expected at most %u",
                                   leaf - first, UINT16_MAX);
        }
    }
    c->tree_start[HCBR_I_RICH_FOLDS] = at;
    return HCBR_OK;
}

static hcbr_status follow_boosted(hcbr_i_rich_causes *c, size_t most, hcbr_error *err) {
    hcbr_status st = number_trees(c, err);
    if (st != HCBR_OK || c->boosted_count == 0)
        return st;
    size_t leaves = c->leaf_start[HCBR_I_RICH_FOLDS] * c->rich->outputs;
    size_t blocks = ((size_t)c->table.rows + HCBR_I_RICH_ROWS - 1) / HCBR_I_RICH_ROWS;
    size_t block = (size_t)c->boosted_count * HCBR_I_RICH_ROWS, size;
    if (!(c->divisor = hcbr_i_alloc(leaves, sizeof *c->divisor)))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < leaves; i++)
        c->divisor[i] = HCBR_I_RICH_UNKNOWN;
    if (__builtin_mul_overflow(blocks, block, &size) || size > most / sizeof *c->leaves)
        return HCBR_OK; // found when they are asked for
    if (!(c->leaves = hcbr_i_alloc(size, sizeof *c->leaves)))
        return hcbr_i_no_memory(err);
    hcbr_i_rich_follower f;
    if ((st = hcbr_i_rich_follower_init(&f, c, err)) != HCBR_OK)
        return st;
    for (uint32_t first = 0; first < c->table.rows; first += HCBR_I_RICH_ROWS) {
        uint32_t n = c->table.rows - first;
        n = n < HCBR_I_RICH_ROWS ? n : HCBR_I_RICH_ROWS;
        hcbr_i_rich_follower_walk(&f, c, first, n, c->leaves + first / HCBR_I_RICH_ROWS * block);
    }
    hcbr_i_rich_follower_clear(&f);
    return HCBR_OK;
}

/* ---- votes ----------------------------------------------------------------------------------- */

/* Rows by voting leaf: count, add up, fill. */
static void list_voters(hcbr_i_rich_causes *c, uint32_t *ends, hcbr_i_rich_follower *f) {
    const hcbr_i_rich_forest *votes = &c->rich->votes;
    uint32_t *start = c->vote_start, rows = c->table.rows;
    for (uint32_t i = 0; i < rows; i++) {
        hcbr_i_rich_follower_enter(f, c, i);
        for (size_t t = 0; t < votes->tree_count; t++)
            ends[t * rows + i] = hcbr_i_rich_follower_leaf(f, c, votes, t, i);
    }
    for (size_t k = 0; k < votes->tree_count * rows; k++)
        start[(size_t)ends[k] + 2]++;
    for (size_t l = 0; l < votes->leaf_count; l++)
        start[l + 2] += start[l + 1];
    for (size_t t = 0; t < votes->tree_count; t++)
        for (uint32_t i = 0; i < rows; i++)
            c->vote_rows[start[(size_t)ends[t * rows + i] + 1]++] = i;
}

static hcbr_status follow_votes(hcbr_i_rich_causes *c, size_t most, hcbr_error *err) {
    const hcbr_i_rich_table *t = &c->table;
    size_t size;
    if (__builtin_mul_overflow(c->rich->votes.tree_count, (size_t)t->rows, &size) ||
        size > most / sizeof *c->vote_rows || size > UINT32_MAX / 2)
        return HCBR_OK; // found when they are asked for
    hcbr_i_rich_follower f;
    hcbr_status st = hcbr_i_rich_follower_init(&f, c, err);
    if (st != HCBR_OK)
        return st;
    uint32_t *ends = hcbr_i_alloc(size, sizeof *ends);
    c->vote_start = hcbr_i_alloc_zero(c->rich->votes.leaf_count + 2, sizeof *c->vote_start);
    c->vote_rows = hcbr_i_alloc(size, sizeof *c->vote_rows);
    if (!ends || !c->vote_start || !c->vote_rows)
        st = hcbr_i_no_memory(err);
    else
        list_voters(c, ends, &f);
    hcbr_i_free(ends);
    hcbr_i_rich_follower_clear(&f);
    return st;
}

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rich_causes_init(hcbr_i_rich_causes *c, const hcbr_i_rich *rich,
                                    const hcbr_i_rich_view *view, size_t most, hcbr_error *err) {
    *c = (hcbr_i_rich_causes){.rich = rich};
    hcbr_status st = merge_cases(c, view, err);
    if (st == HCBR_OK && rich->family[1])
        st = follow_boosted(c, most, err);
    if (st == HCBR_OK && rich->family[2])
        st = follow_votes(c, most, err);
    if (st != HCBR_OK)
        hcbr_i_rich_causes_clear(c);
    return st;
}

void hcbr_i_rich_causes_clear(hcbr_i_rich_causes *c) {
    hcbr_i_rich_table_clear(&c->table);
    hcbr_i_free(c->codes);
    hcbr_i_free(c->row_of);
    hcbr_i_free(c->case_start);
    hcbr_i_free(c->cases);
    hcbr_i_free(c->leaf_first);
    hcbr_i_free(c->leaves);
    hcbr_i_free(c->divisor);
    hcbr_i_free(c->vote_start);
    hcbr_i_free(c->vote_rows);
    *c = (hcbr_i_rich_causes){0};
}
