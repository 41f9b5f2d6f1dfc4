/*
 * All fold models of boosted trees, tree by tree.
 *
 * A thread takes the next tree of the fold model that is furthest behind, so that none waits for
 * the slowest; a single thread takes the fold models one after the other, and needs the memory of
 * one. Trees of a fold model follow each other, and fold models are independent except for the
 * depth: if two depths are tried, the first fold model is grown with both, and the others have the
 * depth that did better on its held-out cases. With many cases one of the two is given up early if
 * the result is clear (has_lost(), is_far_ahead()). The deeper one never has more trees than the
 * other, and the other waits for it before they are compared: neither depends on the threads.
 */
#include "rich/boost/boost_fold.h"

#include <stdlib.h>

#define TRIALS 2u /* depths that are tried */
#define MODELS (HCBR_I_RICH_FOLDS + 1)
#define NEAR 0.95  /* of the smaller one's loss: the deeper one is hardly ahead ... */
#define STILL 0.98 /* ... and has hardly moved: it will not win */
#define FAR 0.8    /* it will */

typedef hcbr_i_rich_fold_model fold_model;

typedef struct fold_models {
    const hcbr_i_rich_options *options;
    double *held, *honest;
    pthread_mutex_t lock;     /* protects all below */
    pthread_cond_t moved;     /* a tree has been grown */
    fold_model model[MODELS]; /* the first TRIALS are of fold 0; if one depth is tried, one is */
    bool busy[MODELS];
    uint32_t first;   /* the chosen one of fold 0; its depth is that of the others */
    bool depth_known; /* and all of them may grow */
    bool failed;
    hcbr_i_rich_booster *boosters; /* by thread */
} fold_models;

/* ---- the next model -------------------------------------------------------------------------- */

/* The patience divided by `part`, at least 1 tree. */
static uint32_t part_of(const fold_model *j, uint32_t part) {
    uint32_t trees = j->options->tuning.patience / part;
    return trees ? trees : 1;
}

/* Whether the smaller one must wait for the deeper one, before they are compared. */
static bool must_wait(const fold_models *x) {
    const fold_model *small = &x->model[0], *deep = &x->model[1];
    return !x->depth_known && deep->rival && !deep->done && deep->grown < small->grown &&
           (small->grown == part_of(small, 2) || small->grown == part_of(small, 1));
}

/* Whether a fold model can grow now. */
static bool is_ready(const fold_models *x, uint32_t i) {
    const fold_model *j = &x->model[i];
    if (x->busy[i] || j->done || (i >= TRIALS && !x->depth_known) || (i == 0 && must_wait(x)))
        return false;
    return !j->rival || j->rival->done || j->rival->grown > j->grown;
}

/* The fold model that is furthest behind, or the first one; MODELS: none is ready. */
static uint32_t next_model(const fold_models *x) {
    uint32_t best = MODELS;
    for (uint32_t i = 0; i < MODELS; i++)
        if (is_ready(x, i) && (best == MODELS || (x->options->threads > 1 &&
                                                  x->model[i].grown < x->model[best].grown)))
            best = i;
    return best;
}

static bool all_done(const fold_models *x) {
    for (uint32_t i = 0; i < MODELS; i++)
        if (!x->model[i].done)
            return false;
    return true;
}

/* The least loss of a fold model in its first `trees` trees. */
static double least_at(const fold_model *j, uint32_t trees) {
    return j->losses[(trees < j->grown ? trees : j->grown) - 1];
}

/* Whether the deeper one has lost. Deep trees learn faster: once behind, they stay behind. The same
 * holds once they are hardly ahead and their lead no longer grows. */
static bool has_lost(const fold_model *j) {
    const fold_model *rival = j->rival;
    uint32_t n = j->grown, quarter = part_of(j, 4);
    if (!rival || !rival->grown || !n)
        return false;
    double small = least_at(rival, n);
    if (n % quarter == 0 && j->loss > small)
        return true;
    return j->held_total > 0 && n == part_of(j, 2) && n > quarter && j->loss > NEAR * small &&
           j->loss * least_at(rival, quarter) > STILL * least_at(j, quarter) * small;
}

/* Whether the deeper one is so far ahead that the smaller one can be stopped. */
static bool is_far_ahead(const fold_model *deep) {
    const fold_model *small = deep->rival;
    uint32_t n = part_of(deep, 1);
    return small && deep->held_total > 0 && deep->grown == n && small->grown >= n &&
           deep->loss < FAR * least_at(small, n);
}

/* Choose the depth that does better for the first fold model on its held-out cases. Losses only
 * fall: a deeper one that ends behind has lost, and one that is ahead of the final loss of the
 * smaller one has won, so the others need not wait for both to end. */
static void choose_depth(fold_models *x) {
    fold_model *small = &x->model[0];
    const fold_model *deep = &x->model[1];
    bool ahead = deep->begun && deep->loss < small->loss && !deep->lost;
    bool lost = deep->done && (small->done || (small->begun && !ahead));
    if (!x->depth_known && is_far_ahead(deep))
        small->done = true; // it waits
    if (x->depth_known || !(lost || (small->done && ahead)))
        return;
    x->first = ahead;
    x->depth_known = true;
    for (uint32_t i = TRIALS; i < MODELS; i++)
        x->model[i].depth = x->model[x->first].depth;
    hcbr_i_rich_fold_model_clear(&x->model[!x->first]);
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Grow a tree; finish the fold model if it is done. False: no memory, or stopped. */
static bool grow(const fold_models *x, fold_model *j, hcbr_i_rich_booster *b) {
    if (!hcbr_i_rich_tick(x->options) || (!j->begun && !hcbr_i_rich_fold_model_begin(j)))
        return false;
    if (!j->done && !hcbr_i_rich_fold_model_grow(j, b))
        return false;
    if (j->done) {
        hcbr_i_free(j->score);
        hcbr_i_free(j->weight);
        j->score = j->weight = NULL;
    }
    return true;
}

static void work(fold_models *x, hcbr_i_rich_booster *b) {
    pthread_mutex_lock(&x->lock);
    while (!x->failed && !all_done(x)) {
        uint32_t i = next_model(x);
        if (i == MODELS) {
            pthread_cond_wait(&x->moved, &x->lock);
            continue;
        }
        fold_model j = x->model[i]; // other threads read it meanwhile
        x->busy[i] = true;
        pthread_mutex_unlock(&x->lock);
        bool ok = grow(x, &j, b);
        pthread_mutex_lock(&x->lock);
        x->model[i] = j;
        x->model[i].lost = !x->depth_known && has_lost(&j); // otherwise its rival is gone
        x->model[i].done |= x->model[i].lost;
        x->busy[i] = false;
        x->failed |= !ok;
        choose_depth(x);
        pthread_cond_broadcast(&x->moved);
    }
    pthread_mutex_unlock(&x->lock);
}

static void work_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    fold_models *x = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        work(x, &x->boosters[i]);
}

/* ---- all models ------------------------------------------------------------------------------ */

static void prepare(fold_models *x, const hcbr_i_rich_table *t, uint32_t outputs) {
    const hcbr_i_rich_tuning *tuning = &x->options->tuning;
    for (uint32_t i = 0; i < MODELS; i++) {
        uint32_t fold = i < TRIALS ? 0 : i - 1;
        x->model[i] = (fold_model){.table = t,
                                   .options = x->options,
                                   .fold = fold,
                                   .outputs = outputs,
                                   .channels = outputs == 1 ? 1 : 3,
                                   .depth = tuning->depth[i < TRIALS ? i : 0]};
    }
    if (tuning->depth[0] == tuning->depth[1])
        x->model[1].done = x->depth_known = true;
    else if (t->rows >= tuning->medium)
        x->model[1].rival = &x->model[0];
}

static bool run(fold_models *x, const hcbr_i_rich_table *t, uint32_t outputs) {
    uint32_t threads = x->options->threads;
    x->boosters = hcbr_i_alloc_zero(threads, sizeof *x->boosters);
    if (!x->boosters)
        return false;
    prepare(x, t, outputs);
    for (uint32_t i = 0; i < threads; i++)
        x->failed |= !hcbr_i_rich_booster_init(&x->boosters[i], t, outputs, x->model[0].channels);
    if (!x->failed)
        hcbr_i_parallel(threads, threads, 1, work_some, x);
    for (uint32_t i = 0; i < threads; i++)
        hcbr_i_rich_booster_clear(&x->boosters[i]);
    hcbr_i_free(x->boosters);
    return !x->failed;
}

/* The model of a fold that counts. */
static fold_model *model_of(fold_models *x, uint32_t fold) {
    return &x->model[fold ? fold + 1 : x->first];
}

/* The number of trees at which the models of the other folds stopped: the mean of the middle two.
 * It does not depend on the held-out cases of this fold. */
static uint32_t trees_of_others(fold_models *x, uint32_t fold) {
    uint32_t trees[HCBR_I_RICH_FOLDS], n = 0;
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        if (k != fold)
            trees[n++] = model_of(x, k)->best_trees;
    qsort(trees, n, sizeof *trees, hcbr_i_compare_u32);
    return (trees[n / 2 - 1] + trees[n / 2]) / 2;
}

static void hold_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    fold_models *x = context;
    (void)worker;
    for (uint64_t k = begin; k < end; k++)
        x->busy[k] = hcbr_i_rich_fold_model_hold(
            model_of(x, (uint32_t)k), trees_of_others(x, (uint32_t)k), x->held, x->honest);
}

/* Supports of all held-out cases. False: no memory, or stopped. */
static bool hold(fold_models *x) {
    hcbr_i_parallel(x->options->threads, HCBR_I_RICH_FOLDS, 1, hold_some, x);
    bool ok = true;
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        ok = ok && x->busy[k];
    return ok;
}

/* Move the fold models into the model. */
static void hand_over(fold_models *x, hcbr_i_rich_boosted *out) {
    for (uint32_t fold = 0; fold < HCBR_I_RICH_FOLDS; fold++) {
        fold_model *j = model_of(x, fold);
        hcbr_i_rich_forest_cut(&j->forest, j->best_trees, j->best_leaves);
        memcpy(out->start + (size_t)fold * out->outputs, j->start,
               out->outputs * sizeof *out->start);
        out->model[fold] = j->forest;
        j->forest = (hcbr_i_rich_forest){0};
    }
}

hcbr_status hcbr_i_rich_boost_fit(hcbr_i_rich_boosted *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held, double *honest,
                                  hcbr_error *err) {
    fold_models x = {.options = options};
    x.held = held;
    x.honest = honest;
    *out = (hcbr_i_rich_boosted){.outputs = hcbr_i_rich_outputs(table->labels)};
    out->start = hcbr_i_alloc_zero(HCBR_I_RICH_FOLDS, out->outputs * sizeof *out->start);
    bool locked = pthread_mutex_init(&x.lock, NULL) == 0;
    bool waits = pthread_cond_init(&x.moved, NULL) == 0;
    bool ok = out->start && locked && waits && run(&x, table, out->outputs) && hold(&x);
    if (ok)
        hand_over(&x, out);
    for (uint32_t i = 0; i < MODELS; i++)
        hcbr_i_rich_fold_model_clear(&x.model[i]);
    if (locked)
        pthread_mutex_destroy(&x.lock);
    if (waits)
        pthread_cond_destroy(&x.moved);
    if (ok)
        return HCBR_OK;
    hcbr_i_rich_boosted_clear(out);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_boosted_clear(hcbr_i_rich_boosted *boosted) {
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        hcbr_i_rich_forest_clear(&boosted->model[k]);
    hcbr_i_free(boosted->start);
    *boosted = (hcbr_i_rich_boosted){0};
}
