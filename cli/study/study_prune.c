/*
 * Feature selection: accuracy, size and time of plain models that keep a share of the features,
 * those that separate the labels of the training cases best, and of the share that training chooses
 * by itself.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>

static const double SHARES[] = {
    1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02, 0.01, HCBR_PRUNE_CHOOSE};
enum { CHOICES = sizeof SHARES / sizeof SHARES[0] };

/* Mean and standard deviation of a metric over the parts, computed as in the other kinds. */
static study_spread spread_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(e, &info);
    const uint64_t parts = (uint64_t)info.folds * info.repeats;
    double *values = study_alloc(parts, sizeof *values);
    for (uint64_t p = 0; p < parts; p++)
        values[p] = hcbr_evaluation_get_value(e, p, metric);
    study_spread spread = study_spread_of(values, parts, 1);
    free(values);
    return spread;
}

static void put_row(study_table *t, double share, const hcbr_evaluation *e) {
    study_spread accuracy = spread_of(e, HCBR_METRIC_ACCURACY), mcc = spread_of(e, HCBR_METRIC_MCC);
    double *row = study_add(t, share > 0 ? "given" : "chosen");
    row[0] = share > 0 ? share : NAN;
    row[1] = spread_of(e, HCBR_METRIC_FEATURES).mean;
    row[2] = spread_of(e, HCBR_METRIC_ATOMS).mean;
    row[3] = accuracy.mean;
    row[4] = accuracy.sd;
    row[5] = mcc.mean;
    row[6] = mcc.sd;
    row[7] = spread_of(e, HCBR_METRIC_UNKNOWN).mean;
    row[8] = spread_of(e, HCBR_METRIC_FIT).mean;
}

hcbr_status study_prune(study *s, hcbr_error *err) {
    static const char *const COLUMNS[] = {"share", "features", "atoms",   "accuracy", "accuracy_sd",
                                          "mcc",   "mcc_sd",   "unknown", "seconds",  NULL};
    study_table *t = study_begin(
        s, "prune", "a share of the features that is kept; means over the folds", COLUMNS);
    for (uint32_t k = 0; k < CHOICES; k++) {
        hcbr_train_options train = s->train;
        hcbr_evaluation *e = NULL;
        train.prune = SHARES[k];
        hcbr_status st = study_evaluate(&e, s, &train, 0, err);
        if (st != HCBR_OK)
            return st;
        put_row(t, SHARES[k], e);
        hcbr_evaluation_free(e);
    }
    const double *all = t->values, *chosen = t->values + (CHOICES - 1) * t->column_count;
    snprintf(s->says, sizeof s->says,
             "With all %.0f features the held-out accuracy is %.4f; with the share that training "
             "chooses on cases it holds out, %.0f features, it is %.4f (%+.4f).",
             all[1], all[3], chosen[1], chosen[3], chosen[3] - all[3]);
    return HCBR_OK;
}
