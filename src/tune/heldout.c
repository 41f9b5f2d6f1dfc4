/*
 * Held-out supports: what each case of a base gets from a model that was built without it.
 *
 * Folds are drawn, and for each of them partition, strengths and training run on the other folds
 * alone. Each case is written by the one fold that holds it out, so folds can run in parallel.
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

/* A thread of it. */
typedef struct heldout_thread {
    heldout_job *job;
    bool own; /* the caller's, which alone reports */
} heldout_thread;

/* The model of a fold and the memory to decide with it. */
typedef struct fold_model {
    struct hcbr_cases *cases; /* the training part */
    hcbr_i_feature_id *known; /* by feature of the base */
    uint32_t *label;          /* by label of the part: that of the base */
    hcbr_i_atoms atoms;
    hcbr_i_projections projections;
    hcbr_i_strength strength;
    hcbr_i_gather gather;
    uint64_t *errors;
    hcbr_i_atom_id *list; /* atoms of the case at hand, a weight each */
    double *weights;
} fold_model;

void hcbr_i_heldout_clear(hcbr_i_heldout *heldout) {
    hcbr_i_free(heldout->support);
    hcbr_i_free(heldout->label);
    hcbr_i_free(heldout->weight);
    hcbr_i_free(heldout->lead);
    hcbr_i_free(heldout->winner);
    hcbr_i_free(heldout->fold);
    *heldout = (hcbr_i_heldout){0};
}

static void model_clear(fold_model *m) {
    hcbr_cases_free(m->cases);
    hcbr_i_free(m->known);
    hcbr_i_free(m->label);
    hcbr_i_atoms_clear(&m->atoms);
    hcbr_i_projections_clear(&m->projections);
    hcbr_i_strength_clear(&m->strength);
    hcbr_i_gather_clear(&m->gather);
    hcbr_i_free(m->errors);
    hcbr_i_free(m->list);
    hcbr_i_free(m->weights);
}

static uint64_t longest_case(const struct hcbr_cases *cases) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (cases->start[i + 1] - cases->start[i] > longest)
            longest = cases->start[i + 1] - cases->start[i];
    return longest;
}

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

static hcbr_status model_build(fold_model *m, heldout_thread *thread, const uint32_t *train,
                               uint32_t count) {
    const heldout_job *job = thread->job;
    const hcbr_i_heldout_options *o = job->options;
    hcbr_i_partition_options partition = {.threads = 1, .in_place = true};
    hcbr_i_train_options passes = {.passes = o->passes,
                                   .seed = o->seed,
                                   .given_order = o->given_order,
                                   .progress = stop_asked,
                                   .progress_context = thread};
    size_t longest = (size_t)longest_case(job->cases);
    m->known = hcbr_i_alloc(hcbr_i_dict_count(job->cases->dict), sizeof *m->known);
    m->label = hcbr_i_alloc(job->cases->labels.count, sizeof *m->label);
    m->errors = hcbr_i_alloc_zero(o->passes, sizeof *m->errors);
    m->list = hcbr_i_alloc(longest, sizeof *m->list);
    m->weights = hcbr_i_alloc(longest, sizeof *m->weights);
    if (!m->known || !m->label || !m->errors || !m->list || !m->weights)
        return HCBR_ENOMEM;
    hcbr_status st =
        hcbr_i_cases_subset(&m->cases, job->cases, train, count, m->known, m->label, NULL);
    if (st == HCBR_OK && stop_asked(thread, STAGE, 0, 0))
        st = HCBR_ECANCELLED;
    if (st == HCBR_OK)
        st = hcbr_i_partition_build(&m->atoms, &m->projections, m->cases, &partition, NULL);
    if (st == HCBR_OK && stop_asked(thread, STAGE, 0, 0))
        st = HCBR_ECANCELLED;
    if (st == HCBR_OK)
        st = hcbr_i_strength_build(&m->strength, m->cases, &m->atoms, &m->projections, o->scope, 1,
                                   NULL, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_train_run(&m->strength, &m->atoms, &m->projections, m->cases->label, &passes,
                              m->errors, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_gather_init(&m->gather, &m->strength, NULL);
    return st;
}

/* Two labels: sums in the order of the case's features, as the decider has them. */
static void ask_pair(fold_model *m, size_t known, double size, uint32_t *winner, double *lead) {
    double mu = 0, magnitude = 0, sigma = 0;
    for (size_t n = 0; n < known; n++) {
        mu += m->strength.mu[m->list[n]];
        magnitude += fabs(m->strength.mu[m->list[n]]);
        sigma += m->strength.sigma[m->list[n]];
    }
    m->gather.support[0] = (sigma - mu) / 2 / size;
    m->gather.support[1] = (sigma + mu) / 2 / size;
    *winner = mu > HCBR_I_TIE * magnitude;
    if (m->strength.total[!*winner] > 0)
        *lead = (*winner ? mu : -mu) / size;
    else
        *lead = m->gather.support[*winner];
}

static void ask_many(fold_model *m, size_t known, double size, uint32_t *winner, double *lead) {
    const double *support = m->gather.support;
    double best = 0;
    bool any = false;
    for (size_t n = 0; n < known; n++)
        m->weights[n] = 1 / size;
    hcbr_i_strength_gather(&m->strength, &m->gather, m->list, m->weights, known);
    *winner = hcbr_i_strength_decide(&m->strength, &m->gather, m->list, m->weights, known);
    for (uint32_t l = 0; l < m->gather.label_count; l++)
        if (l != *winner && m->strength.total[l] > 0 && (!any || support[l] > best)) {
            best = support[l];
            any = true;
        }
    *lead = support[*winner] - best;
}

static void ask(fold_model *m, const heldout_job *job, uint32_t i) {
    const struct hcbr_cases *cases = job->cases;
    hcbr_i_heldout *out = job->out;
    double *support = out->support + (size_t)i * out->label_count;
    size_t known = 0;
    uint32_t winner = HCBR_I_NONE;
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++) {
        hcbr_i_feature_id f = m->known[cases->features[j]];
        if (f != HCBR_I_NONE)
            m->list[known++] = m->atoms.of[f];
    }
    out->fold[i] = job->folds.of[i];
    out->winner[i] = HCBR_LABEL_UNKNOWN;
    out->lead[i] = 0;
    if (!known)
        return;
    (m->strength.mu ? ask_pair : ask_many)(
        m, known, (double)(cases->start[i + 1] - cases->start[i]), &winner, &out->lead[i]);
    for (uint32_t l = 0; l < m->gather.label_count; l++)
        support[m->label[l]] = m->gather.support[l];
    out->winner[i] = (hcbr_label)m->label[winner];
}

static hcbr_status run_fold(heldout_thread *thread, uint32_t fold) {
    const heldout_job *job = thread->job;
    uint32_t n = job->cases->case_count, trained = 0, tested = 0;
    uint32_t *train = hcbr_i_alloc(n, sizeof *train), *test = hcbr_i_alloc(n, sizeof *test);
    fold_model model = {0};
    hcbr_status st = train && test ? HCBR_OK : HCBR_ENOMEM;
    if (st == HCBR_OK) {
        hcbr_i_folds_split(&job->folds, fold, train, &trained, test, &tested);
        st = model_build(&model, thread, train, trained);
    }
    for (uint32_t k = 0; st == HCBR_OK && k < tested; k++)
        ask(&model, job, test[k]);
    model_clear(&model);
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

/* The reason of a failure: a fold that was stopped because of another has none of its own. */
static hcbr_status outcome(const heldout_job *job, hcbr_error *err) {
    bool cancelled = atomic_load(&job->stop);
    for (uint32_t f = 0; f < job->folds.count; f++)
        if (job->status[f] != HCBR_OK && job->status[f] != HCBR_ECANCELLED)
            return job->status[f] == HCBR_ENOMEM
                       ? hcbr_i_no_memory(err)
                       : hcbr_i_fail(err, job->status[f], "a held-out part cannot be used");
    return cancelled ? hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request") : HCBR_OK;
}

/* Folds by group if there are groups; fewer than asked for if there are too few. */
static hcbr_status make_folds(heldout_job *job, hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    hcbr_i_fold_options folds = {.folds = job->options->folds,
                                 .seed = job->options->fold_seed,
                                 .by_group = cases->group != NULL};
    if (folds.folds > cases->case_count)
        folds.folds = cases->case_count;
    hcbr_status st = HCBR_EUSAGE;
    for (; st == HCBR_EUSAGE && folds.folds >= 2; folds.folds--)
        st = hcbr_i_folds_make(&job->folds, cases, &folds, err);
    return st == HCBR_EUSAGE ? hcbr_i_fail(err, HCBR_EDATA,
                                           "found 1 case or group, expected at least 2 to hold one "
                                           "out")
                             : st;
}

hcbr_status hcbr_i_heldout_make(hcbr_i_heldout *out, const struct hcbr_cases *cases,
                                const hcbr_i_heldout_options *options, hcbr_error *err) {
    size_t n = cases->case_count, labels = cases->labels.count;
    heldout_job job = {.cases = cases, .options = options, .out = out};
    *out = (hcbr_i_heldout){.case_count = (uint32_t)n, .label_count = (uint32_t)labels};
    hcbr_status st = make_folds(&job, err);
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
            report(&job); // other threads were the last
        st = outcome(&job, err);
    }
    hcbr_i_folds_clear(&job.folds);
    hcbr_i_free(job.status);
    if (st != HCBR_OK)
        hcbr_i_heldout_clear(out);
    return st;
}
