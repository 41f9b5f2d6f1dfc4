/*
 * Feature selection: accuracy, size and time of plain models that keep a share of the features,
 * those that tell the labels of the training cases apart most (cases/telling.c), and of the share
 * that training chooses by itself.
 */
#include "study/study.h"

#include <math.h>
#include <stdio.h>

static const double SHARES[] = {
    1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02, 0.01, HCBR_PRUNE_CHOOSE};
enum { CHOICES = sizeof SHARES / sizeof SHARES[0] };

static void set_share(const hcbr_i_study_job *job, uint32_t way, uint32_t part,
                      hcbr_i_study_lists *lists, hcbr_train_options *options) {
    (void)job, (void)part, (void)lists;
    options->prune = SHARES[way];
}

static hcbr_status put(const hcbr_i_study_grid *g, hcbr_error *err) {
    static const char *const COLUMNS[] = {"share", "features", "atoms",   "accuracy", "accuracy_sd",
                                          "mcc",   "mcc_sd",   "unknown", "seconds",  NULL};
    hcbr_study *s = g->job->study;
    hcbr_i_study_table *t = hcbr_i_study_begin(
        s, "prune", "a share of the features that is kept; means over the folds", COLUMNS);
    for (uint32_t k = 0; k < CHOICES; k++) {
        double *row = hcbr_i_study_add(t, SHARES[k] > 0 ? "given" : "chosen");
        if (!row)
            return hcbr_i_no_memory(err);
        hcbr_i_spread accuracy = hcbr_i_study_grid_get(g, k, HCBR_I_TEST_ACCURACY);
        hcbr_i_spread mcc = hcbr_i_study_grid_get(g, k, HCBR_I_TEST_MCC);
        row[0] = SHARES[k] > 0 ? SHARES[k] : NAN;
        row[1] = hcbr_i_study_grid_get(g, k, HCBR_I_TRIAL_FEATURES).mean;
        row[2] = hcbr_i_study_grid_get(g, k, HCBR_I_TRIAL_ATOMS).mean;
        row[3] = accuracy.mean;
        row[4] = accuracy.sd;
        row[5] = mcc.mean;
        row[6] = mcc.sd;
        row[7] = hcbr_i_study_grid_get(g, k, HCBR_I_TEST_UNKNOWN).mean;
        row[8] = hcbr_i_study_grid_get(g, k, HCBR_I_TRIAL_SECONDS).mean;
    }
    const double *all = t->values, *chosen = t->values + (CHOICES - 1) * t->column_count;
    snprintf(s->says, sizeof s->says,
             "With all %.0f features the held-out accuracy is %.4f; with the share that training "
             "chooses on cases it holds out, %.0f features, it is %.4f (%+.4f).",
             all[1], all[3], chosen[1], chosen[3], chosen[3] - all[3]);
    return HCBR_OK;
}

hcbr_status hcbr_i_study_prune(hcbr_i_study_job *job, hcbr_error *err) {
    hcbr_i_study_grid grid = {.ways = CHOICES, .arrange = set_share};
    hcbr_status st = hcbr_i_study_grid_run(&grid, job, err);
    if (st != HCBR_OK)
        return st;
    st = put(&grid, err);
    hcbr_i_study_grid_clear(&grid);
    return st;
}
