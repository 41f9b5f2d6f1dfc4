/*
 * Held-out supports: the supports of each case by a model built without it.
 *
 * Folds are drawn, and for each of them the engine builds a model of the other folds alone. Each
 * case is written by the one fold that holds it out, so folds can run in parallel.
 */
#include "tune/tune.h"

#include <stdatomic.h>

#define STAGE "held out"

typedef struct heldout_job {
    const struct hcbr_cases *cases;
    const hcbr_i_heldout_options *options;
    hcbr_i_folds folds;
    hcbr_i_heldout *out;
    atomic_uint done;
    atomic_bool stop;
    uint64_t told;       /* folds of all rounds that were reported; of the caller's thread */
    hcbr_status *status; /* by fold */
} heldout_job;

/* A thread of the job. */
typedef struct heldout_thread {
    heldout_job *job;
    bool own; /* the caller's thread, which alone reports */
} heldout_thread;

static void report(heldout_job *job) {
    const hcbr_i_heldout_options *o = job->options;
    const uint64_t folds = job->folds.count, rounds = o->rounds ? o->rounds : 1;
    job->told = o->round * folds + atomic_load(&job->done);
    if (o->progress && o->progress(o->progress_context, STAGE, job->told, rounds * folds) != 0)
        atomic_store(&job->stop, true);
}

/* An hcbr_progress_fn, called while the model of a fold is built. */
static int stop_asked(void *context, const char *stage, uint64_t done, uint64_t total) {
    const heldout_thread *thread = context;
    (void)stage, (void)done, (void)total;
    if (thread->own && !atomic_load(&thread->job->stop))
        report(thread->job);
    return atomic_load(&thread->job->stop);
}

static void decide(heldout_job *job, void *part, uint32_t i) {
    hcbr_i_heldout *out = job->out;
    double *support = out->support + (size_t)i * out->label_count;
    out->fold[i] = job->folds.of[i];
    out->lead[i] = 0;
    out->winner[i] = job->options->engine->part_decide(part, i, support, &out->lead[i]);
}

static hcbr_status run_fold(heldout_thread *thread, uint32_t fold) {
    heldout_job *job = thread->job;
    const hcbr_i_engine *engine = job->options->engine;
    uint32_t n = job->cases->case_count, trained = 0, tested = 0;
    uint32_t *train = hcbr_i_alloc(n, sizeof *train), *test = hcbr_i_alloc(n, sizeof *test);
    hcbr_i_part_options how = job->options->part;
    void *part = NULL;
    how.progress = stop_asked;
    how.progress_context = thread;
    hcbr_status st = train && test ? HCBR_OK : HCBR_ENOMEM;
    if (st == HCBR_OK) {
        hcbr_i_folds_split(&job->folds, fold, train, &trained, test, &tested);
        st = engine->part_create(&part, job->cases, train, trained, &how);
    }
    for (uint32_t k = 0; st == HCBR_OK && k < tested; k++)
        decide(job, part, test[k]);
    engine->part_free(part);
    hcbr_i_free(train);
    hcbr_i_free(test);
    return st;
}

static void run_folds(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    heldout_job *job = context;
    heldout_thread thread = {job, worker == 0};
    for (uint64_t f = begin; f < end; f++) {
        job->status[f] = atomic_load(&job->stop) ? HCBR_ECANCELLED : run_fold(&thread, (uint32_t)f);
        if (job->status[f] != HCBR_OK)
            atomic_store(&job->stop, true);
        atomic_fetch_add(&job->done, 1);
        (void)stop_asked(&thread, STAGE, 0, 0);
    }
}

/* The error of the job; a fold stopped because of another has none of its own. */
static hcbr_status outcome(const heldout_job *job, hcbr_error *err) {
    bool cancelled = atomic_load(&job->stop);
    for (uint32_t f = 0; f < job->folds.count; f++)
        if (job->status[f] != HCBR_OK && job->status[f] != HCBR_ECANCELLED)
            return job->status[f] == HCBR_ENOMEM
                       ? hcbr_i_no_memory(err)
                       : hcbr_i_fail(err, job->status[f], "a held-out part cannot be used");
    return cancelled ? hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request") : HCBR_OK;
}

hcbr_status hcbr_i_heldout_make(hcbr_i_heldout *out, const struct hcbr_cases *cases,
                                const hcbr_i_heldout_options *options, hcbr_error *err) {
    // beliefs, which are the last, are never held out
    size_t n = cases->case_count - hcbr_i_beliefs_cases(cases->beliefs);
    size_t labels = cases->labels.count;
    heldout_job job = {.cases = cases, .options = options, .out = out};
    *out = (hcbr_i_heldout){.case_count = (uint32_t)n, .label_count = (uint32_t)labels};
    const hcbr_i_fold_options folds = {.folds = options->folds,
                                       .seed = options->fold_seed,
                                       .by_group = cases->group != NULL,
                                       .together = true,
                                       .fewer = true};
    hcbr_status st = hcbr_i_folds_make(&job.folds, cases, &folds, err);
    if (st == HCBR_OK) {
        out->fold_count = job.folds.count;
        out->support = hcbr_i_alloc_zero(n, labels * sizeof *out->support);
        out->label = hcbr_i_alloc(n, sizeof *out->label);
        out->lead = hcbr_i_alloc(n, sizeof *out->lead);
        out->winner = hcbr_i_alloc(n, sizeof *out->winner);
        out->fold = hcbr_i_alloc(n, sizeof *out->fold);
        job.status = hcbr_i_alloc_zero(job.folds.count, sizeof *job.status);
        if (!out->support || !out->label || !out->lead || !out->winner || !out->fold || !job.status)
            st = hcbr_i_no_memory(err);
        else
            memcpy(out->label, cases->label, n * sizeof *out->label);
    }
    if (st == HCBR_OK) {
        hcbr_i_parallel(options->threads ? options->threads : 1, job.folds.count, 1, run_folds,
                        &job);
        if (!atomic_load(&job.stop) && job.told < ((uint64_t)options->round + 1) * job.folds.count)
            report(&job); // other threads finished last
        st = outcome(&job, err);
    }
    hcbr_i_folds_clear(&job.folds);
    hcbr_i_free(job.status);
    if (st != HCBR_OK)
        hcbr_i_heldout_clear(out);
    return st;
}
