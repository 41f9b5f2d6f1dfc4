/**
 * @file tree_layout.h
 * Trees laid out for scoring. Many rows pass the top of a tree in vectors (tree_tops.h); what is
 * below has eight bytes a node, so that a tree stays in the cache while many rows go through it,
 * and several rows or trees are followed at once without a branch.
 *
 * A row is bytes: the code of each column, then 1 or 0 for each member of the bag that some tree
 * asks for. Private to src/rich.
 */
#ifndef HCBR_I_RICH_TREE_LAYOUT_H
#define HCBR_I_RICH_TREE_LAYOUT_H

#include "rich/rich.h"
#include "rich/score/tree_tops.h"

#define HCBR_I_RICH_FORESTS (HCBR_I_RICH_FOLDS + 1) /**< the fold models, then the forest */
#define HCBR_I_RICH_LANES 8u                        /**< followed at once */
#define HCBR_I_RICH_ROWS_MANY 16u                   /**< rows that pass tops in vectors */

/**
 * The nodes of a forest as steps.
 *
 * A step of 64 bits: where to go on if the test does not hold (a node of the same tree), the least
 * code that holds, how many codes from there on hold, the byte of the row that is looked at. If it
 * holds, the next node is the one behind it. The test of a leaf never holds and leads to the leaf.
 *
 * A step of 32 bits, where rows are short and all tests hold from a code on: how many nodes behind
 * the next one to go on if the test does not hold, the least code, the byte. A leaf looks at the
 * byte behind a row, which is always 0, and goes one back from the next.
 */
typedef struct hcbr_i_rich_way {
    uint64_t *steps; /**< by node; NULL: small ones, or no nodes */
    uint32_t *small;
    uint64_t *leaves; /**< a bit for each node: is it a leaf? */
    uint32_t *before; /**< by word of these: how many leaves come before */
} hcbr_i_rich_way;

/** The trees of a model for scoring; it belongs to the model and is never changed. */
struct hcbr_i_rich_layout {
    uint32_t width; /**< bytes of a row */
    uint32_t *slot; /**< by member of the bag: its byte; HCBR_I_NONE: no tree asks for it */
    hcbr_i_rich_way ways[HCBR_I_RICH_FORESTS];
    hcbr_i_rich_tops tops[HCBR_I_RICH_FORESTS];
};

/** A forest of a model by its number in the layout. */
static inline const hcbr_i_rich_forest *hcbr_i_rich_forest_at(const hcbr_i_rich *rich, uint32_t n) {
    return n < HCBR_I_RICH_FOLDS ? &rich->boosted.model[n] : &rich->forest;
}

/** Rows that go through trees together, and room to do so. */
typedef struct hcbr_i_rich_rows {
    uint32_t count;
    uint8_t *codes;   /**< row by row: `width` of the layout and a byte that is 0 */
    uint8_t *by_slot; /**< the same slot by slot, `stride` apart; NULL: there are never many */
    size_t stride;
    uint8_t *exit;      /**< by tree, LANES of them, `stride` apart, then by row */
    uint32_t *at, *who; /**< where rows are, and the rows that go on */
} hcbr_i_rich_rows;

/** Room for so many rows. False: no memory, and there is nothing to clear. */
bool hcbr_i_rich_rows_init(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout, uint32_t room);
void hcbr_i_rich_rows_clear(hcbr_i_rich_rows *rows);

/** Add a row; alone: it is the only one that will be there. */
void hcbr_i_rich_rows_add(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout,
                          uint32_t columns, const hcbr_i_rich_row *row, bool alone);

/** Exits of the same trees and rows, rows->stride apart; NULL: rows are too few, or not all of the
 *  trees are all top. Exit e of tree t is the leaf tops[forest].leaf[t] + e. */
const uint8_t *hcbr_i_rich_layout_pass(const hcbr_i_rich_layout *layout, uint32_t forest,
                                       size_t first, uint32_t trees, hcbr_i_rich_rows *rows);

/** Leaves of the trees first .. first + trees (at most LANES) of a forest in which the rows end: of
 *  tree t and row r at (t - first) * count + r. */
void hcbr_i_rich_layout_follow(const hcbr_i_rich_layout *layout, const hcbr_i_rich *rich,
                               uint32_t forest, size_t first, uint32_t trees,
                               hcbr_i_rich_rows *rows, uint32_t *leaf);

/** Make the way of a forest; slot: by member of the bag. *fits becomes false where a step has no
 *  room for it. False: no memory. (tree_walk.c) */
bool hcbr_i_rich_way_make(hcbr_i_rich_way *way, const hcbr_i_rich *rich,
                          const hcbr_i_rich_forest *forest, const uint32_t *slot, uint32_t width,
                          bool *fits);
void hcbr_i_rich_way_clear(hcbr_i_rich_way *way);

/** Where a row ends in some trees, which begin at these nodes: their leaves, `apart`. */
void hcbr_i_rich_walk_trees(const hcbr_i_rich_way *way, const uint32_t *start, uint32_t trees,
                            const uint8_t *row, uint32_t *leaf, size_t apart);
/** Where rows end in a tree that begins at a node, from rows->at in it on; rows->who are all of
 *  them, in the order in which they go. */
void hcbr_i_rich_walk_rows(const hcbr_i_rich_way *way, uint32_t start, hcbr_i_rich_rows *rows,
                           size_t width, uint32_t *leaf);

#endif
