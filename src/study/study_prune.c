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
enum { ACCURACY, MCC, UNKNOWN, FEATURES, ATOMS, SECONDS, FIGURES };

typedef struct prune {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    double *figures; /* by choice, then by part: FIGURES each */
} prune;

static hcbr_status run_one(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                           hcbr_error *err) {
    const prune *p = context;
    uint32_t parts = p->folds.part_count, part = (uint32_t)(index % parts);
    uint32_t choice = (uint32_t)(CHOICES - 1 - index / parts); /* the longest first */
    double *to = p->figures + ((size_t)choice * parts + part) * FIGURES;
    hcbr_i_study_lists lists;
    hcbr_status st = hcbr_i_study_lists_make(&lists, &p->folds, part, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_study_trial trial = {.train = lists.train,
                                .test = lists.test,
                                .train_count = lists.train_count,
                                .test_count = lists.test_count,
                                .options = p->job->train};
    trial.options.prune = SHARES[choice];
    st = hcbr_i_study_try(&trial, p->job, stop, err);
    to[ACCURACY] = trial.test_accuracy;
    to[MCC] = trial.test_mcc;
    to[UNKNOWN] = trial.test_unknown;
    to[FEATURES] = trial.features;
    to[ATOMS] = trial.atoms;
    to[SECONDS] = trial.seconds;
    hcbr_i_study_lists_clear(&lists);
    return st;
}

static hcbr_status put(const prune *p, hcbr_error *err) {
    static const char *const COLUMNS[] = {"share", "features", "atoms",   "accuracy", "accuracy_sd",
                                          "mcc",   "mcc_sd",   "unknown", "seconds",  NULL};
    hcbr_study *s = p->job->study;
    uint32_t parts = p->folds.part_count;
    hcbr_i_study_table *t = hcbr_i_study_begin(
        s, "prune", "a share of the features that is kept; means over the folds", COLUMNS);
    for (int k = 0; k < CHOICES; k++) {
        const double *from = p->figures + (size_t)k * parts * FIGURES;
        double *row = hcbr_i_study_add(t, SHARES[k] > 0 ? "given" : "chosen");
        if (!row)
            return hcbr_i_no_memory(err);
        hcbr_i_spread accuracy = hcbr_i_study_spread(from + ACCURACY, parts, FIGURES);
        hcbr_i_spread mcc = hcbr_i_study_spread(from + MCC, parts, FIGURES);
        row[0] = SHARES[k] > 0 ? SHARES[k] : NAN;
        row[1] = hcbr_i_study_spread(from + FEATURES, parts, FIGURES).mean;
        row[2] = hcbr_i_study_spread(from + ATOMS, parts, FIGURES).mean;
        row[3] = accuracy.mean;
        row[4] = accuracy.sd;
        row[5] = mcc.mean;
        row[6] = mcc.sd;
        row[7] = hcbr_i_study_spread(from + UNKNOWN, parts, FIGURES).mean;
        row[8] = hcbr_i_study_spread(from + SECONDS, parts, FIGURES).mean;
    }
    const double *all = t->values, *chosen = t->values + (CHOICES - 1) * t->column_count;
    snprintf(s->says, sizeof s->says,
             "With all %.0f features the held-out accuracy is %.4f; with the share that training "
             "chooses on cases it holds out, %.0f features, it is %.4f (%+.4f).",
             all[1], all[3], chosen[1], chosen[3], chosen[3] - all[3]);
    return HCBR_OK;
}

hcbr_status hcbr_i_study_prune(hcbr_i_study_job *job, hcbr_error *err) {
    prune p = {.job = job};
    hcbr_status st = hcbr_i_study_folds_make(&p.folds, job, 0, err);
    if (st != HCBR_OK)
        return st;
    size_t count = (size_t)CHOICES * p.folds.part_count;
    p.figures = hcbr_i_alloc_zero(count, FIGURES * sizeof *p.figures);
    st = p.figures ? hcbr_i_each(count, &job->each, run_one, &p, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = put(&p, err);
    hcbr_i_free(p.figures);
    hcbr_i_study_folds_clear(&p.folds);
    return st;
}
