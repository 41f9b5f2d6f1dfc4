/**
 * @file tree_layout.h
 * The layout of trees for scoring. Many rows pass the top of a tree in vectors (tree_tops.h); the
 * rest has eight bytes a node, so that a tree stays in the cache while many rows go through it, and
 * several rows or trees are followed at once without a branch.
 *
 * A row is bytes: the code of each column, then 1 or 0 for each member of the bag that some tree
 * tests. Private to src/rich.
 */
#ifndef HCBR_I_RICH_TREE_LAYOUT_H
#define HCBR_I_RICH_TREE_LAYOUT_H

#include "rich/rich.h"
#include "rich/score/tree_tops.h"

#define HCBR_I_RICH_FORESTS (HCBR_I_RICH_FOLDS + 1) /**< the fold models, then the forest */
#define HCBR_I_RICH_LANES 8u                        /**< rows or trees followed at once */
#define HCBR_I_RICH_ROWS_MANY 16u                   /**< rows that pass tops in vectors */

/**
 * The nodes of a forest as steps.
 *
 * A step of 64 bits: the next node if the test does not hold (in the same tree), the least code
 * that holds, the number of codes that hold from there on, the byte of the row to test. If the test
 * holds, the next node follows. The test of a leaf never holds and leads to the leaf.
 *
 * A step of 32 bits, for short rows if every test holds from some code on: the number of nodes to
 * skip after the next one if the test does not hold, the least code, the byte. A leaf tests the
 * byte after a row, which is always 0, and goes one back from the next.
 */
typedef struct hcbr_i_rich_way {
    uint64_t *steps; /**< by node; NULL: small ones, or no nodes */
    uint32_t *small;
    uint64_t *leaves; /**< a bit for each node: whether it is a leaf */
    uint32_t *before; /**< by word of these: number of leaves before it */
} hcbr_i_rich_way;

/** The trees of a model for scoring; it belongs to the model and is never changed. */
struct hcbr_i_rich_layout {
    uint32_t width; /**< bytes of a row */
    uint32_t *slot; /**< by member of the bag: its byte; HCBR_I_NONE: no tree tests it */
    hcbr_i_rich_way ways[HCBR_I_RICH_FORESTS];
    hcbr_i_rich_tops tops[HCBR_I_RICH_FORESTS];
};

/** A forest of a model by its number in the layout. */
static inline const hcbr_i_rich_forest *hcbr_i_rich_forest_at(const hcbr_i_rich *rich, uint32_t n) {
    return n < HCBR_I_RICH_FOLDS ? &rich->boosted.model[n] : &rich->forest;
}

/** Rows that go through trees together, with working memory. */
typedef struct hcbr_i_rich_rows {
    uint32_t count;
    uint8_t *codes;   /**< row by row: `width` of the layout and a byte of 0 */
    uint8_t *by_slot; /**< the same slot by slot, `stride` apart; NULL: rows are always few */
    size_t stride;
    uint8_t *exit;      /**< by tree, LANES of them, `stride` apart, then by row */
    uint32_t *at, *who; /**< nodes of rows, and the rows still moving */
} hcbr_i_rich_rows;

/** Room for `room` rows. False: no memory, and nothing to clear. */
bool hcbr_i_rich_rows_init(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout, uint32_t room);
void hcbr_i_rich_rows_clear(hcbr_i_rich_rows *rows);

/** Add a row; alone: it is the only one. */
void hcbr_i_rich_rows_add(hcbr_i_rich_rows *rows, const hcbr_i_rich_layout *layout,
                          uint32_t columns, const hcbr_i_rich_row *row, bool alone);

/** Exits of the same trees and rows, rows->stride apart; NULL: rows are too few, or not all of the
 *  trees are all top. Exit e of tree t is the leaf tops[forest].leaf[t] + e. */
const uint8_t *hcbr_i_rich_layout_pass(const hcbr_i_rich_layout *layout, uint32_t forest,
                                       size_t first, uint32_t trees, hcbr_i_rich_rows *rows);

/** Leaves of the rows in trees first .. first + trees (at most LANES) of a forest: of tree t and
 *  row r at (t - first) * count + r. */
void hcbr_i_rich_layout_follow(const hcbr_i_rich_layout *layout, const hcbr_i_rich *rich,
                               uint32_t forest, size_t first, uint32_t trees,
                               hcbr_i_rich_rows *rows, uint32_t *leaf);

/** Make the way of a forest; slot: by member of the bag. *fits becomes false if a step has no room
 *  for it. False: no memory. (tree_walk.c) */
bool hcbr_i_rich_way_make(hcbr_i_rich_way *way, const hcbr_i_rich *rich,
                          const hcbr_i_rich_forest *forest, const uint32_t *slot, uint32_t width,
                          bool *fits);
void hcbr_i_rich_way_clear(hcbr_i_rich_way *way);

/** The leaves of a row in trees that begin at these nodes, stored `apart` elements from each
 *  other. */
void hcbr_i_rich_walk_trees(const hcbr_i_rich_way *way, const uint32_t *start, uint32_t trees,
                            const uint8_t *row, uint32_t *leaf, size_t apart);
/** The leaves of rows in a tree that begins at a node, starting from rows->at; rows->who are all
 *  rows, in processing order. */
void hcbr_i_rich_walk_rows(const hcbr_i_rich_way *way, uint32_t start, hcbr_i_rich_rows *rows,
                           size_t width, uint32_t *leaf);

#endif
