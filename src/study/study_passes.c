/*
 * Errors by training pass (METHOD 4): of the decisions during each pass over all cases, and, in
 * folds, of the cases a model of so many passes was built from and of those held out.
 */
#include "study/study.h"

#include <math.h>
#include <stdio.h>

enum { TRAIN_ACCURACY, TRAIN_MCC, TEST_ACCURACY, TEST_MCC, FIGURES };

typedef struct passes {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    uint32_t most;
    double *figures; /* by number of passes, then by part: FIGURES each */
} passes;

static hcbr_status run_one(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                           hcbr_error *err) {
    const passes *p = context;
    uint32_t parts = p->folds.part_count, part = (uint32_t)(index % parts);
    uint32_t count = p->most - (uint32_t)(index / parts); /* the longest first */
    double *to = p->figures + ((size_t)count * parts + part) * FIGURES;
    hcbr_i_study_lists lists;
    hcbr_status st = hcbr_i_study_lists_make(&lists, &p->folds, part, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_study_trial trial = {.train = lists.train,
                                .test = lists.test,
                                .train_count = lists.train_count,
                                .test_count = lists.test_count,
                                .options = p->job->train};
    trial.options.passes = count;
    st = hcbr_i_study_try(&trial, p->job, stop, err);
    to[TRAIN_ACCURACY] = trial.train_accuracy;
    to[TRAIN_MCC] = trial.train_mcc;
    to[TEST_ACCURACY] = trial.test_accuracy;
    to[TEST_MCC] = trial.test_mcc;
    hcbr_i_study_lists_clear(&lists);
    return st;
}

/* Wrong decisions of each pass over all cases. */
static hcbr_status train_all(const passes *p, hcbr_model **model, hcbr_error *err) {
    const hcbr_i_study_job *job = p->job;
    hcbr_train_options o = job->train;
    o.passes = p->most;
    o.consume = 0;
    o.keep = HCBR_KEEP_NONE;
    o.threads = job->options->threads;
    o.progress = job->options->progress;
    o.progress_context = job->options->progress_context;
    /* the list is not changed without consume */
    return hcbr_model_train(model, (struct hcbr_cases *)job->cases, &o, err);
}

static hcbr_status put(const passes *p, const hcbr_model *model, hcbr_error *err) {
    static const char *const COLUMNS[] = {"passes",           "pass_errors",   "train_accuracy",
                                          "train_mcc",        "test_accuracy", "test_mcc",
                                          "test_accuracy_sd", "test_mcc_sd",   NULL};
    const uint64_t *errors = hcbr_model_get_pass_errors(model);
    uint32_t parts = p->folds.part_count;
    hcbr_i_study_table *t =
        hcbr_i_study_begin(p->job->study, "passes",
                           "a number of training passes: wrong decisions in the last of them over "
                           "all cases, and means over the folds",
                           COLUMNS);
    uint32_t best = 0;
    double best_accuracy = -1, first = NAN;
    for (uint32_t k = 0; k <= p->most; k++) {
        const double *figures = p->figures + (size_t)k * parts * FIGURES;
        double *row = hcbr_i_study_add(t, NULL);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = k;
        row[1] = k ? (double)errors[k - 1] : NAN;
        for (int f = 0; f < FIGURES; f++) {
            hcbr_i_spread spread = hcbr_i_study_spread(figures + f, parts, FIGURES);
            row[2 + f] = spread.mean;
            if (f >= TEST_ACCURACY)
                row[4 + f] = spread.sd;
        }
        if (row[4] > best_accuracy) {
            best_accuracy = row[4];
            best = k;
        }
        first = k == 1 ? row[4] : first;
    }
    const double *last = t->values + (t->row_count - 1) * t->column_count;
    snprintf(p->job->study->says, sizeof p->job->study->says,
             "Held-out accuracy is highest after %u passes, %.4f; after one it is %.4f, after %u "
             "%.4f. The last pass still decided %.0f of %llu cases wrongly%s.",
             best, best_accuracy, first, p->most, last[4], p->most ? last[1] : NAN,
             (unsigned long long)p->job->study->cases,
             p->most && last[1] > 0 ? ": training has not converged" : "");
    return HCBR_OK;
}

hcbr_status hcbr_i_study_passes(hcbr_i_study_job *job, hcbr_error *err) {
    passes p = {.job = job, .most = job->options->passes ? job->options->passes : 1};
    hcbr_model *model = NULL;
    hcbr_status st = hcbr_i_study_folds_make(&p.folds, job, 0, err);
    if (st != HCBR_OK)
        return st;
    size_t count = ((size_t)p.most + 1) * p.folds.part_count;
    p.figures = hcbr_i_alloc_zero(count, FIGURES * sizeof *p.figures);
    st = p.figures ? hcbr_i_each(count, &job->each, run_one, &p, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = train_all(&p, &model, err);
    if (st == HCBR_OK)
        st = put(&p, model, err);
    hcbr_model_free(model);
    hcbr_i_free(p.figures);
    hcbr_i_study_folds_clear(&p.folds);
    return st;
}
