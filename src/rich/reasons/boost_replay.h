/**
 * @file boost_replay.h
 * Replay of boosting: merged cases go through the trees again, a block of rows at a time; private
 * to src/rich.
 */
#ifndef HCBR_I_RICH_BOOST_REPLAY_H
#define HCBR_I_RICH_BOOST_REPLAY_H

#include "rich/reasons/row_blocks.h"
#include "rich/rich_draw.h"

/** The current block, replayed in one fold model after the other. */
typedef struct hcbr_i_rich_follower {
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_block block;
    uint32_t fold;
    hcbr_i_rich_mask seen;           /**< rows with copies in the fold's training part */
    double weight[HCBR_I_RICH_ROWS]; /**< of these copies */
    double *score;                   /**< by row and output: supports so far */
    double *residual;                /**< by row and output: room for residuals ... */
    double *curvature;               /**< ... and curvatures */
    double *room;                    /**< working memory */
    uint32_t leaf[HCBR_I_RICH_ROWS]; /**< by row: its leaf in the current tree */
} hcbr_i_rich_follower;

hcbr_status hcbr_i_rich_follower_init(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c,
                                      hcbr_error *err);
void hcbr_i_rich_follower_clear(hcbr_i_rich_follower *f);

/** Begin a fold model: supports before its first tree. */
void hcbr_i_rich_follower_start(hcbr_i_rich_follower *f, uint32_t fold);
/** Send the block through a tree: sets f->leaf. Returns the rows in leaf `wanted`. */
hcbr_i_rich_mask hcbr_i_rich_follower_walk(hcbr_i_rich_follower *f, uint32_t tree, uint32_t wanted);
/** The rows among `rows` that a tree was grown on. */
hcbr_i_rich_mask hcbr_i_rich_follower_drawn(const hcbr_i_rich_follower *f, uint32_t tree,
                                            hcbr_i_rich_mask rows);
/** Residuals of some rows before the current tree; and curvatures, unless NULL. */
void hcbr_i_rich_follower_residuals(const hcbr_i_rich_follower *f, hcbr_i_rich_mask mask,
                                    double *residual, double *curvature);
/** Add the current tree to the supports. */
void hcbr_i_rich_follower_step(hcbr_i_rich_follower *f);

#endif
