/*
 * Errors by training pass (METHOD 4): of the decisions during each pass over all cases, and, in
 * folds, of the cases a model of so many passes was built from and of those held out.
 */
#include "study/study.h"

#include <math.h>
#include <stdio.h>

static void set_passes(const hcbr_i_study_job *job, uint32_t way, uint32_t part,
                       hcbr_i_study_lists *lists, hcbr_train_options *options) {
    (void)job, (void)part, (void)lists;
    options->passes = way;
}

/* Wrong decisions of each pass over all cases. */
static hcbr_status train_all(const hcbr_i_study_job *job, uint32_t passes, hcbr_model **model,
                             hcbr_error *err) {
    hcbr_train_options o = job->train;
    o.passes = passes;
    o.consume = 0;
    o.keep = HCBR_KEEP_NONE;
    o.threads = job->options->threads;
    o.progress = job->options->progress;
    o.progress_context = job->options->progress_context;
    /* the list is not changed without consume */
    return hcbr_model_train(model, (struct hcbr_cases *)job->cases, &o, err);
}

static hcbr_status put(const hcbr_i_study_grid *g, const hcbr_model *model, hcbr_error *err) {
    static const char *const COLUMNS[] = {"passes",           "pass_errors",   "train_accuracy",
                                          "train_mcc",        "test_accuracy", "test_mcc",
                                          "test_accuracy_sd", "test_mcc_sd",   NULL};
    const uint64_t *errors = hcbr_model_get_pass_errors(model);
    hcbr_study *s = g->job->study;
    hcbr_i_study_table *t =
        hcbr_i_study_begin(s, "passes",
                           "a number of training passes: wrong decisions in the last of them over "
                           "all cases, and means over the folds",
                           COLUMNS);
    uint32_t best = 0, most = g->ways - 1;
    double best_accuracy = -1, first = NAN;
    for (uint32_t k = 0; k <= most; k++) {
        double *row = hcbr_i_study_add(t, NULL);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = k;
        row[1] = k ? (double)errors[k - 1] : NAN;
        for (int f = HCBR_I_TRAIN_ACCURACY; f <= HCBR_I_TEST_MCC; f++) {
            hcbr_i_spread spread = hcbr_i_study_grid_get(g, k, (hcbr_i_study_figure)f);
            row[2 + f] = spread.mean;
            if (f >= HCBR_I_TEST_ACCURACY)
                row[4 + f] = spread.sd;
        }
        if (row[4] > best_accuracy) {
            best_accuracy = row[4];
            best = k;
        }
        first = k == 1 ? row[4] : first;
    }
    const double *last = t->values + (t->row_count - 1) * t->column_count;
    snprintf(s->says, sizeof s->says,
             "Held-out accuracy is highest after %u passes, %.4f; after one it is %.4f, after %u "
             "%.4f. The last pass still decided %.0f of %llu cases wrongly%s.",
             best, best_accuracy, first, most, last[4], most ? last[1] : NAN,
             (unsigned long long)s->cases,
             most && last[1] > 0 ? ": training has not converged" : "");
    return HCBR_OK;
}

hcbr_status hcbr_i_study_passes(hcbr_i_study_job *job, hcbr_error *err) {
    uint32_t most = job->options->passes ? job->options->passes : 1;
    hcbr_i_study_grid grid = {.ways = most + 1, .arrange = set_passes};
    hcbr_model *model = NULL;
    hcbr_status st = hcbr_i_study_grid_run(&grid, job, err);
    if (st != HCBR_OK)
        return st;
    st = train_all(job, most, &model, err);
    if (st == HCBR_OK)
        st = put(&grid, model, err);
    hcbr_model_free(model);
    hcbr_i_study_grid_clear(&grid);
    return st;
}
