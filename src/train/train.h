/**
 * @file train.h
 * Training passes over the cases (METHOD 4): a wrong decision moves strength from the label decided
 * to the true one, at once.
 */
#ifndef HCBR_I_TRAIN_H
#define HCBR_I_TRAIN_H

#include "strength/strength.h"

/**
 * What training moved, kept for reasons (METHOD 9): record r says that case[r], wrongly decided as
 * decided[r] at least once, moved delta[start[r] + j] in all from label decided[r] to its own
 * label on its j-th atom. Records are ordered by case, then label.
 */
typedef struct hcbr_i_moves {
    uint64_t count;
    uint32_t *case_of;
    uint32_t *decided;
    uint64_t *start; /**< count + 1 of them */
    double *delta;
} hcbr_i_moves;

typedef struct hcbr_i_train_options {
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    hcbr_i_moves *moves; /**< receives what was moved; NULL: not wanted */
    hcbr_i_pool *pool;   /**< for working memory; may be NULL */
    hcbr_progress_fn *progress;
    void *progress_context;
} hcbr_i_train_options;

/** Train in place. errors[p] receives the wrong decisions of pass p. */
hcbr_status hcbr_i_train_run(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                             const hcbr_i_projections *projections, const uint32_t *label,
                             const hcbr_i_train_options *options, uint64_t *errors,
                             hcbr_error *err);
void hcbr_i_moves_clear(hcbr_i_moves *moves);

/** The order of a pass: a permutation of [0, count) drawn from the seed. */
void hcbr_i_train_order(uint32_t *order, uint32_t count, uint64_t seed);

#endif
