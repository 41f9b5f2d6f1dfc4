/**
 * @file rich_follow.h
 * Merged cases sent through the trees again, a block of rows at a time; private to src/rich.
 */
#ifndef HCBR_I_RICH_FOLLOW_H
#define HCBR_I_RICH_FOLLOW_H

#include "rich/rich_causes.h"
#include "rich/rich_draw.h"

/** Working memory. */
typedef struct hcbr_i_rich_follower {
    uint32_t *in_bag, stamp;
    uint16_t *leaves; /**< of one block, if the causes do not keep them */
    double *score;    /**< rows of a block x outputs: supports so far */
    double *residual; /**< outputs residuals, then as many curvatures */
} hcbr_i_rich_follower;

hcbr_status hcbr_i_rich_follower_init(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c,
                                      hcbr_error *err);
void hcbr_i_rich_follower_clear(hcbr_i_rich_follower *f);

/** Make row i the one that is followed. */
void hcbr_i_rich_follower_enter(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t i);

/** The leaf in which the row that was entered ends. */
static inline uint32_t hcbr_i_rich_follower_leaf(const hcbr_i_rich_follower *f,
                                                 const hcbr_i_rich_causes *c,
                                                 const hcbr_i_rich_forest *forest, size_t tree,
                                                 uint32_t i) {
    uint32_t columns = c->table.columns;
    return hcbr_i_rich_find_leaf(forest->nodes + forest->start[tree],
                                 c->codes + (size_t)i * columns, columns, f->in_bag, f->stamp,
                                 forest->nodes);
}

/** Where every row ends in a voting tree, by row. */
void hcbr_i_rich_follower_votes(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t tree,
                                uint32_t *leaves);

/** Leaves of a block in all boosted trees, counted from the first of each tree. */
void hcbr_i_rich_follower_walk(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t first,
                               uint32_t n, uint16_t *leaves);

/** Supports of a jury before its first tree. */
void hcbr_i_rich_follower_start(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t jury,
                                uint32_t n);
/** ... and after a tree. */
void hcbr_i_rich_follower_step(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t jury,
                               uint32_t tree, const uint16_t *leaf, uint32_t n);

/** Weight of the copies that a jury sees. */
static inline double hcbr_i_rich_left(const hcbr_i_rich_table *t, uint32_t row, uint32_t jury) {
    return t->weight[row] - t->held[(size_t)row * HCBR_I_RICH_FOLDS + jury];
}

/** Residuals and curvatures of row b of the block, into f->residual. */
static inline void hcbr_i_rich_follower_residual(hcbr_i_rich_follower *f,
                                                 const hcbr_i_rich_causes *c, uint32_t b,
                                                 uint32_t label, double w) {
    uint32_t k = c->rich->outputs;
    if (k == 1)
        hcbr_i_rich_residual(f->score[b], label, w, c->table.grid, f->residual, f->residual + 1);
    else
        hcbr_i_rich_residuals(f->score + (size_t)b * k, k, label, w, c->table.grid, f->residual);
}

#endif
