/*
 * The rows drawn by trees of the forest, leaf by leaf (rich_causes.h). Each thread takes some of
 * the trees and sends their draws through them, block by block; with many cases few rows of a block
 * are drawn. The number of draws of a row is computed again when needed.
 *
 * Invariant: leaves of different threads differ and rows of a leaf come in ascending order, so the
 * lists are the same for any number of threads.
 */
#include "rich/reasons/leaf_rows.h"

/* The result of one thread, in the order of the blocks. */
typedef struct part {
    hcbr_i_rich_block block;
    uint32_t *leaf, *row;
    size_t count, leaf_capacity, row_capacity;
    bool failed;
} part;

typedef struct maker {
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_making *making;
    part *parts;
    uint32_t count; /* number of parts: tree t belongs to part t % count */
} maker;

static uint32_t count_parts(const hcbr_i_rich_causes *c, uint32_t threads) {
    size_t trees = c->rich->forest.tree_count;
    return trees == 0 ? 1 : threads < trees ? threads : (uint32_t)trees;
}

uint64_t hcbr_i_rich_forest_rows_steps(const hcbr_i_rich_causes *c, uint32_t threads) {
    return (uint64_t)c->blocks.count * count_parts(c, threads);
}

/* The rows of a block that a tree has drawn. */
static hcbr_i_rich_mask find_drawn(const hcbr_i_rich_causes *c, const hcbr_i_rich_block *block,
                                   uint32_t tree) {
    uint64_t key = hcbr_i_rich_forest_key(c->rich->seed, tree);
    hcbr_i_rich_mask rows = {{0, 0}};
    for (uint32_t b = 0; b < block->n; b++)
        if (hcbr_i_rich_draws(c, (size_t)block->first + b, key) > 0)
            hcbr_i_rich_mask_set(&rows, b);
    return rows;
}

static bool meet_block(const maker *m, part *p, uint32_t first) {
    const hcbr_i_rich_forest *f = &m->c->rich->forest;
    for (uint32_t t = first; t < f->tree_count; t += m->count) {
        uint32_t leaf[HCBR_I_RICH_ROWS];
        uint8_t rows[HCBR_I_RICH_ROWS];
        hcbr_i_rich_mask drawn = find_drawn(m->c, &p->block, t);
        uint32_t n = hcbr_i_rich_mask_list(drawn, rows);
        hcbr_i_rich_block_walk(&p->block, f, t, drawn, leaf, HCBR_I_NONE);
        if (!hcbr_i_grow(&p->leaf, &p->leaf_capacity, p->count + n, sizeof *p->leaf) ||
            !hcbr_i_grow(&p->row, &p->row_capacity, p->count + n, sizeof *p->row))
            return false;
        for (uint32_t d = 0; d < n; d++, p->count++) {
            p->leaf[p->count] = leaf[rows[d]];
            p->row[p->count] = p->block.first + rows[d];
        }
    }
    return true;
}

static void meet_part(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    maker *m = context;
    (void)worker;
    for (uint64_t number = begin; number < end; number++) {
        part *p = &m->parts[number];
        bool go = !atomic_load(&m->making->stop);
        for (uint32_t b = 0; go && b < m->c->blocks.count; b++) {
            hcbr_i_rich_block_enter(&p->block, b);
            p->failed = !meet_block(m, p, (uint32_t)number);
            go = !p->failed && hcbr_i_rich_making_step(m->making);
        }
    }
}

/* Make the lists from the parts. False: no memory. */
static bool make_lists(const maker *m, hcbr_i_rich_leaves *x) {
    size_t leaves = m->c->rich->forest.leaf_count, all = 0;
    for (uint32_t p = 0; p < m->count; p++)
        all += m->parts[p].count;
    uint64_t *start = hcbr_i_alloc_zero(leaves + 2, sizeof *start);
    uint32_t *forest_row = hcbr_i_alloc(all, sizeof *forest_row);
    if (!start || !forest_row) {
        hcbr_i_free(start);
        hcbr_i_free(forest_row);
        return false;
    }
    uint64_t *next = start + 1; // becomes the start of the leaf after
    for (uint32_t p = 0; p < m->count; p++)
        for (size_t n = 0; n < m->parts[p].count; n++)
            next[m->parts[p].leaf[n] + 1]++;
    for (size_t leaf = 0; leaf < leaves; leaf++)
        next[leaf + 1] += next[leaf];
    for (uint32_t p = 0; p < m->count; p++)
        for (size_t n = 0; n < m->parts[p].count; n++)
            forest_row[next[m->parts[p].leaf[n]]++] = m->parts[p].row[n];
    x->forest_start = start;
    x->forest_row = forest_row;
    return true;
}

static hcbr_status run(maker *m, hcbr_i_rich_leaves *out, hcbr_error *err) {
    bool ok = true;
    for (uint32_t p = 0; ok && p < m->count; p++)
        ok = hcbr_i_rich_block_init(&m->parts[p].block, &m->c->blocks);
    if (!ok)
        return hcbr_i_no_memory(err);
    hcbr_i_parallel(m->count, m->count, 1, meet_part, m);
    if (m->making->status != HCBR_OK)
        return m->making->status;
    for (uint32_t p = 0; p < m->count; p++)
        ok &= !m->parts[p].failed;
    return ok && make_lists(m, out) ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_rich_forest_rows_make(hcbr_i_rich_causes *c, uint32_t threads,
                                         hcbr_i_rich_making *m, hcbr_error *err) {
    maker x = {.c = c, .making = m, .count = count_parts(c, threads)};
    x.parts = hcbr_i_alloc_zero(x.count, sizeof *x.parts);
    hcbr_status st = x.parts ? run(&x, &c->leaves, err) : hcbr_i_no_memory(err);
    for (uint32_t p = 0; x.parts && p < x.count; p++) {
        hcbr_i_rich_block_clear(&x.parts[p].block);
        hcbr_i_free(x.parts[p].leaf);
        hcbr_i_free(x.parts[p].row);
    }
    hcbr_i_free(x.parts);
    return st;
}
