/**
 * @file rich_layout.h
 * Trees laid out for scoring: eight bytes a node, so that those of a tree stay in the cache while
 * many rows go through it, and several rows or trees are followed at once without a branch.
 *
 * A row is bytes: the code of each column, then 1 or 0 for each member of the bag that some tree
 * asks for. Private to src/rich.
 */
#ifndef HCBR_I_RICH_LAYOUT_H
#define HCBR_I_RICH_LAYOUT_H

#include "rich/rich.h"

#define HCBR_I_RICH_FORESTS (HCBR_I_RICH_FOLDS + 1) /**< the juries, then the votes */
#define HCBR_I_RICH_LANES 8u                        /**< followed at once */

/** The trees of a model for scoring; it belongs to the model and is never changed. */
struct hcbr_i_rich_layout {
    uint32_t width; /**< bytes of a row */
    uint32_t *slot; /**< by member of the bag: its byte; HCBR_I_NONE: no tree asks for it */
    uint64_t *steps[HCBR_I_RICH_FORESTS]; /**< by node of the forest */
};

/** A forest of a model by its number in the layout. */
static inline const hcbr_i_rich_forest *hcbr_i_rich_forest_at(const hcbr_i_rich *rich, uint32_t n) {
    return n < HCBR_I_RICH_FOLDS ? &rich->boosted.jury[n] : &rich->votes;
}

/** Write a row as the layout wants it. */
void hcbr_i_rich_layout_row(const hcbr_i_rich_layout *layout, uint32_t columns,
                            const hcbr_i_rich_row *row, uint8_t *to);

#define HCBR_I_RICH_BESIDE 8u /**< bytes that must be there behind the last row */
#ifdef HCBR_FAULTS
/** Tests: do without vectors. */
extern bool hcbr_i_rich_layout_plain;
#endif

/** Leaves of the trees first .. first + trees (at most LANES) of a forest in which rows end, each
 *  `width` bytes behind the one before: of tree t and row r at (t - first) * rows + r. */
void hcbr_i_rich_layout_follow(const hcbr_i_rich_layout *layout, const hcbr_i_rich *rich,
                               uint32_t forest, size_t first, uint32_t trees, const uint8_t *row,
                               uint32_t rows, uint32_t *leaf);

#endif
