/**
 * @file leaf_rows.h
 * Lists of the rows in each leaf (hcbr_i_rich_leaves), made once and then only read; private to
 * src/rich.
 */
#ifndef HCBR_I_RICH_LEAF_ROWS_H
#define HCBR_I_RICH_LEAF_ROWS_H

#include "rich/reasons/boost_replay.h"

#include <pthread.h>
#include <stdatomic.h>

/** Choose the chunks; nothing is listed yet. */
void hcbr_i_rich_leaves_init(hcbr_i_rich_causes *causes);

/** Find the largest alphas of past cases (influence_linear.c). False: no memory. */
bool hcbr_i_rich_reach_init(hcbr_i_rich_causes *causes);

/** Compute the sums of all boosted leaves, keep residuals and list the rows of the forest's leaves,
 * unless done before. The lists and every bit of the sums are the same for any number of
 * threads. */
hcbr_status hcbr_i_rich_causes_follow(hcbr_i_rich_causes *causes, uint32_t threads,
                                      const hcbr_i_rich_watch *watch, hcbr_error *err);
/** List the rows of the forest's leaves only. */
hcbr_status hcbr_i_rich_causes_forest(hcbr_i_rich_causes *causes, uint32_t threads,
                                      const hcbr_i_rich_watch *watch, hcbr_error *err);
/** Release the lists and sums. */
void hcbr_i_rich_causes_forget(hcbr_i_rich_causes *c);
#ifdef HCBR_FAULTS
/** Tests: number of replays of a model's boosted trees; and the most rows of a chunk. */
extern _Atomic(uint64_t) hcbr_i_rich_follows;
extern uint32_t hcbr_i_rich_chunk_rows;
#endif

/* ---- progress -------------------------------------------------------------------------------- */

/** Progress of several threads; only the calling thread reports. */
typedef struct hcbr_i_rich_making {
    const hcbr_i_rich_watch *watch;
    pthread_t caller;
    uint64_t total;
    hcbr_status status; /**< of the last report */
    hcbr_error *err;
    atomic_uint_fast64_t done;
    atomic_bool stop;
} hcbr_i_rich_making;

void hcbr_i_rich_making_init(hcbr_i_rich_making *m, const hcbr_i_rich_watch *watch, uint64_t total,
                             hcbr_error *err);
/** Count a finished step, in any thread. False: stop. */
bool hcbr_i_rich_making_step(hcbr_i_rich_making *m);

/** The steps of hcbr_i_rich_forest_rows_make(). */
uint64_t hcbr_i_rich_forest_rows_steps(const hcbr_i_rich_causes *c, uint32_t threads);
/** List the rows in the leaves of the forest (forest_rows.c). */
hcbr_status hcbr_i_rich_forest_rows_make(hcbr_i_rich_causes *c, uint32_t threads,
                                         hcbr_i_rich_making *m, hcbr_error *err);

/* ---- reading --------------------------------------------------------------------------------- */

/** The starts of the leaves of a fold model in a chunk. */
static inline const uint32_t *hcbr_i_rich_leaves_start(const hcbr_i_rich_causes *c, size_t chunk,
                                                       uint32_t fold) {
    size_t all =
        c->leaf_start[HCBR_I_RICH_FOLDS] + HCBR_I_RICH_FOLDS; // one more for each fold model
    return c->leaves.start + chunk * all + c->leaf_start[fold] + fold;
}

#endif
