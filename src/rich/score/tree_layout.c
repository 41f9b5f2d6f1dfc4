/*
 * The layout of trees for scoring, and the rows that go through them. Many rows pass the top of a
 * tree in vectors, and the rest step by step (tree_walk.c); few rows go step by step all the way.
 */
#include "rich/score/tree_layout.h"

#define MOST_SLOT ((1u << 24) - 1)
#define PASS 256u /* rows that pass several tops while their codes are near */

/* ---- making ---------------------------------------------------------------------------------- */

/* Assign a byte to each member of the bag that a tree tests. False: there are too many. */
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

bool hcbr_i_rich_layout_make(hcbr_i_rich_layout **out, const hcbr_i_rich *rich) {
    hcbr_i_rich_layout *x = hcbr_i_alloc_zero(1, sizeof *x);
    bool ok = x && (x->slot = hcbr_i_alloc(rich->encoder.bag_count, sizeof *x->slot));
    bool fits = ok && number_members(x, rich);
    for (uint32_t n = 0; ok && fits && n < HCBR_I_RICH_FORESTS; n++) {
        const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, n);
        ok = hcbr_i_rich_way_make(&x->ways[n], rich, f, x->slot, x->width, &fits);
        if (ok && fits)
            ok = hcbr_i_rich_tops_make(&x->tops[n], f, rich->encoder.column_count, x->slot, &fits);
    }
    *out = ok && fits ? x : NULL;
    if (!*out)
        hcbr_i_rich_layout_free(x);
    return ok;
}

void hcbr_i_rich_layout_free(hcbr_i_rich_layout *layout) {
    if (!layout)
        return;
    for (uint32_t n = 0; n < HCBR_I_RICH_FORESTS; n++) {
        hcbr_i_rich_way_clear(&layout->ways[n]);
        hcbr_i_rich_tops_clear(&layout->tops[n]);
    }
    hcbr_i_free(layout->slot);
    hcbr_i_free(layout);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void hcbr_i_rich_rows_clear(hcbr_i_rich_rows *rows) {
    hcbr_i_free(rows->codes);
    hcbr_i_free(rows->by_slot);
    hcbr_i_free(rows->exit);
    hcbr_i_free(rows->at);
    hcbr_i_free(rows->who);
    *rows = (hcbr_i_rich_rows){0};
}

bool hcbr_i_rich_rows_init(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout,
                           uint32_t room) {
    const size_t width = layout->width;
    bool ok = true;
    *rows = (hcbr_i_rich_rows){.codes = hcbr_i_alloc_zero(room, width + 1)};
    if (room >= HCBR_I_RICH_ROWS_MANY) {
        rows->stride = hcbr_i_rich_tops_stride(room);
        rows->by_slot = hcbr_i_alloc_zero(width, rows->stride);
        rows->exit = hcbr_i_alloc(HCBR_I_RICH_LANES, rows->stride);
        rows->at = hcbr_i_alloc(room, sizeof *rows->at);
        rows->who = hcbr_i_alloc(room, sizeof *rows->who);
        ok = rows->by_slot && rows->exit && rows->at && rows->who;
    }
    if (!rows->codes || !ok) {
        hcbr_i_rich_rows_clear(rows);
        return false;
    }
    return true;
}

void hcbr_i_rich_rows_add(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout,
                          uint32_t columns, const hcbr_i_rich_row *row, bool alone) {
    const size_t width = layout->width;
    uint8_t *to = rows->codes + rows->count * (width + 1);
    uint8_t *by_slot = rows->by_slot && !alone ? rows->by_slot + rows->count : NULL;
    if (columns)
        memcpy(to, row->codes, columns);
    if (width > columns)
        memset(to + columns, 0, width - columns);
    if (width > columns && by_slot && rows->count == 0)
        memset(rows->by_slot + columns * rows->stride, 0, (width - columns) * rows->stride);
    for (uint32_t c = 0; by_slot && c < columns; c++)
        by_slot[c * rows->stride] = row->codes[c];
    for (uint32_t j = 0; j < row->bag_count; j++) {
        const uint32_t slot = layout->slot[row->bag[j]];
        if (slot == HCBR_I_NONE)
            continue;
        to[slot] = 1;
        if (by_slot)
            by_slot[slot * rows->stride] = 1;
    }
    rows->count++;
}

/* ---- following ------------------------------------------------------------------------------- */

/* Sort the rows by exit: rows in the same part of a tree continue together. */
static void sort_by_exit(hcbr_i_rich_rows *rows) {
    uint32_t place[UINT8_MAX + 2] = {0};
    for (uint32_t r = 0; r < rows->count; r++)
        place[rows->exit[r] + 1]++;
    for (uint32_t e = 0; e < UINT8_MAX; e++)
        place[e + 1] += place[e];
    for (uint32_t r = 0; r < rows->count; r++)
        rows->who[place[rows->exit[r]]++] = r;
}

/* Send many rows through a tree, which is loaded from memory once for all of them. */
static void follow_rows(const hcbr_i_rich_layout *x, uint32_t start, uint32_t forest, size_t t,
                        hcbr_i_rich_rows *rows, uint32_t *leaf) {
    const hcbr_i_rich_tops *tops = &x->tops[forest];
    const uint32_t count = rows->count;
    hcbr_i_rich_tops_pass(tops, t, rows->by_slot, rows->stride, count, rows->exit);
    if (tops->whole[t]) {
        for (uint32_t r = 0; r < count; r++)
            leaf[r] = tops->leaf[t] + rows->exit[r];
        return;
    }
    const uint32_t *exits = tops->exits + tops->exit_start[t];
    for (uint32_t r = 0; r < count; r++)
        rows->at[r] = exits[rows->exit[r]];
    sort_by_exit(rows);
    hcbr_i_rich_walk_rows(&x->ways[forest], start, rows, x->width + 1, leaf);
}

const uint8_t *hcbr_i_rich_layout_pass(const hcbr_i_rich_layout *layout, uint32_t forest,
                                       size_t first, uint32_t trees, hcbr_i_rich_rows *rows) {
    const hcbr_i_rich_tops *tops = &layout->tops[forest];
    bool whole = rows->count >= HCBR_I_RICH_ROWS_MANY;
    for (uint32_t t = 0; whole && t < trees; t++)
        whole = tops->whole[first + t];
    if (!whole)
        return NULL;
    for (uint32_t r = 0; r < rows->count; r += PASS)
        for (uint32_t t = 0; t < trees; t++)
            hcbr_i_rich_tops_pass(tops, first + t, rows->by_slot + r, rows->stride,
                                  rows->count - r < PASS ? rows->count - r : PASS,
                                  rows->exit + t * rows->stride + r);
    return rows->exit;
}

void hcbr_i_rich_layout_follow(const hcbr_i_rich_layout *layout, const hcbr_i_rich *rich,
                               uint32_t forest, size_t first, uint32_t trees,
                               hcbr_i_rich_rows *rows, uint32_t *leaf) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(rich, forest);
    if (rows->count >= HCBR_I_RICH_ROWS_MANY)
        for (uint32_t t = 0; t < trees; t++)
            follow_rows(layout, f->start[first + t], forest, first + t, rows,
                        leaf + (size_t)t * rows->count);
    else
        for (uint32_t r = 0; r < rows->count; r++)
            hcbr_i_rich_walk_trees(&layout->ways[forest], f->start + first, trees,
                                   rows->codes + (size_t)r * (layout->width + 1), leaf + r,
                                   rows->count);
}
