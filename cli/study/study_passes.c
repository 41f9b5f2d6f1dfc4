/*
 * Errors by training pass (METHOD 4): of the decisions during each pass over all cases, and, in
 * folds, of a model's training cases and held-out cases after that many passes.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>

static void set_passes(const study *s, uint32_t way, uint32_t part, study_lists *lists,
                       hcbr_train_options *options) {
    (void)s, (void)part, (void)lists;
    options->passes = way;
}

/* Wrong decisions of each pass over all cases. */
static hcbr_status train_all(const study *s, uint32_t passes, hcbr_model **model, hcbr_error *err) {
    hcbr_train_options o = s->train;
    o.passes = passes;
    o.consume = 0;
    o.keep = HCBR_KEEP_NONE;
    o.threads = s->threads;
    o.progress = s->progress;
    o.progress_context = s->progress_context;
    return hcbr_model_train(model, s->cases, &o, err);
}

static void put(const study_grid *g, const hcbr_model *model) {
    static const char *const COLUMNS[] = {"passes",           "pass_errors",   "train_accuracy",
                                          "train_mcc",        "test_accuracy", "test_mcc",
                                          "test_accuracy_sd", "test_mcc_sd",   NULL};
    const uint64_t *errors = hcbr_model_get_pass_errors(model);
    study *s = g->study;
    study_table *t =
        study_begin(s, "passes",
                    "a number of training passes: wrong decisions in the last of them over "
                    "all cases, and means over the folds",
                    COLUMNS);
    uint32_t best = 0, most = g->ways - 1;
    double best_accuracy = -1, first = NAN;
    for (uint32_t k = 0; k <= most; k++) {
        double *row = study_add(t, NULL);
        row[0] = k;
        row[1] = k ? (double)errors[k - 1] : NAN;
        for (int f = TRIAL_TRAIN_ACCURACY; f <= TRIAL_TEST_MCC; f++) {
            study_spread spread = study_grid_get(g, k, (study_figure)f);
            row[2 + f] = spread.mean;
            if (f >= TRIAL_TEST_ACCURACY)
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
             (unsigned long long)s->case_count,
             most && last[1] > 0 ? ": training has not converged" : "");
}

hcbr_status study_passes(study *s, hcbr_error *err) {
    const uint32_t most = s->passes;
    study_grid grid = {.study = s, .ways = most + 1, .arrange = set_passes};
    hcbr_model *model = NULL;
    hcbr_status st = study_grid_run(&grid, err);
    if (st != HCBR_OK)
        return st;
    st = train_all(s, most, &model, err);
    if (st == HCBR_OK)
        put(&grid, model);
    hcbr_model_free(model);
    study_grid_clear(&grid);
    return st;
}
