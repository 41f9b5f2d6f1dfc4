/**
 * @file study.h
 * Experiments with models of cases: tables of figures, and a sentence that says what they show.
 */
#ifndef HCBR_I_STUDY_H
#define HCBR_I_STUDY_H

#include "evaluate/evaluate.h"

#include <hcbr/study.h>

#define HCBR_I_STUDY_TABLES 4
#define HCBR_I_STUDY_COLUMNS 16

/** A table that grows row by row. Names are static. */
typedef struct hcbr_i_study_table {
    const char *name, *says;
    const char *columns[HCBR_I_STUDY_COLUMNS];
    size_t column_count;
    const char **rows; /**< NULL: rows have no names */
    size_t row_count, row_capacity, name_capacity;
    double *values;
} hcbr_i_study_table;

struct hcbr_study {
    hcbr_study_kind kind;
    hcbr_model_kind model;
    uint64_t cases, seed;
    uint32_t features, labels, folds, repeats;
    hcbr_i_study_table tables[HCBR_I_STUDY_TABLES];
    size_t table_count;
    char says[600];
};

/** What the kinds share while they run. */
typedef struct hcbr_i_study_job {
    hcbr_study *study;
    const struct hcbr_cases *cases; /**< as models take them */
    const hcbr_study_options *options;
    hcbr_train_options train;
    const uint32_t *same; /**< by case: equal for exactly those with equal features */
    hcbr_label positive;  /**< the second of two labels; HCBR_LABEL_UNKNOWN: there are others */
    hcbr_i_each_options each;
} hcbr_i_study_job;

/** Begin a table; columns end with NULL. */
hcbr_i_study_table *hcbr_i_study_begin(hcbr_study *study, const char *name, const char *says,
                                       const char *const *columns);
/** Append a row and return it, to be filled; NULL: no memory. */
double *hcbr_i_study_add(hcbr_i_study_table *table, const char *name);

/** Mean and standard deviation (n - 1) of what is not NaN; NaN without any, or without two. */
typedef struct hcbr_i_spread {
    double mean, sd;
} hcbr_i_spread;
hcbr_i_spread hcbr_i_study_spread(const double *values, size_t count, size_t stride);

/** How well a model of some cases decides these and others (study_trial.c). */
typedef struct hcbr_i_study_trial {
    const uint32_t *train, *test; /**< lists of cases, each ascending */
    uint32_t train_count, test_count;
    hcbr_train_options options;
    /* results */
    double train_accuracy, train_mcc, test_accuracy, test_mcc;
    double test_unknown; /**< share that was given no label */
    double features, atoms, seconds;
    hcbr_label *label; /**< answers by place in test, if there is room for them; NULL: not wanted */
} hcbr_i_study_trial;
hcbr_status hcbr_i_study_try(hcbr_i_study_trial *trial, const hcbr_i_study_job *job,
                             const hcbr_i_asked_stop *stop, hcbr_error *err);

/** Folds, drawn once for each repeat. */
typedef struct hcbr_i_study_folds {
    uint32_t part_count; /**< folds times repeats */
    uint32_t folds, repeats, case_count;
    hcbr_i_folds *drawn; /**< by repeat */
} hcbr_i_study_folds;
/** @param holdout above 0: one fold of this share. */
hcbr_status hcbr_i_study_folds_make(hcbr_i_study_folds *out, const hcbr_i_study_job *job,
                                    double holdout, hcbr_error *err);
void hcbr_i_study_folds_clear(hcbr_i_study_folds *folds);
/** Cases that a part trains on and holds out, each ascending. */
typedef struct hcbr_i_study_lists {
    uint32_t *train, *test;
    uint32_t train_count, test_count;
} hcbr_i_study_lists;
hcbr_status hcbr_i_study_lists_make(hcbr_i_study_lists *out, const hcbr_i_study_folds *folds,
                                    uint32_t part, hcbr_error *err);
void hcbr_i_study_lists_clear(hcbr_i_study_lists *lists);

/** What is measured in a trial. */
typedef enum hcbr_i_study_figure {
    HCBR_I_TRAIN_ACCURACY,
    HCBR_I_TRAIN_MCC,
    HCBR_I_TEST_ACCURACY,
    HCBR_I_TEST_MCC,
    HCBR_I_TEST_UNKNOWN,
    HCBR_I_TRIAL_CASES, /**< trained on */
    HCBR_I_TRIAL_FEATURES,
    HCBR_I_TRIAL_ATOMS,
    HCBR_I_TRIAL_SECONDS,
    HCBR_I_TRIAL_FIGURES
} hcbr_i_study_figure;

/** Trials of several ways to build a model, each on the same parts. */
typedef struct hcbr_i_study_grid {
    uint32_t ways; /**< the later, the longer they take */
    double holdout;
    /** Change the lists and options of a trial to those of a way. */
    void (*arrange)(const hcbr_i_study_job *job, uint32_t way, uint32_t part,
                    hcbr_i_study_lists *lists, hcbr_train_options *options);
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    double *figures; /**< by way, then by part: HCBR_I_TRIAL_FIGURES each */
} hcbr_i_study_grid;
/** Run all trials, given ways, holdout and arrange; release with hcbr_i_study_grid_clear(). */
hcbr_status hcbr_i_study_grid_run(hcbr_i_study_grid *grid, const hcbr_i_study_job *job,
                                  hcbr_error *err);
void hcbr_i_study_grid_clear(hcbr_i_study_grid *grid);
/** A figure of a way over the parts. */
hcbr_i_spread hcbr_i_study_grid_get(const hcbr_i_study_grid *grid, uint32_t way,
                                    hcbr_i_study_figure figure);

/** Slope of the line of least squares through (log x, log y): the exponent of a power law. */
double hcbr_i_study_exponent(const double *x, const double *y, size_t count);

/** An answer to a held-out case. */
typedef struct hcbr_i_study_scored {
    double score; /**< of the winner */
    bool right;
} hcbr_i_study_scored;
/** What is answered if a score must be above eta. */
typedef struct hcbr_i_study_threshold {
    double eta;
    uint64_t answered, right;
    bool best; /**< on the frontier */
} hcbr_i_study_threshold;
/**
 * All thresholds that make a difference, by falling number of answers (study_pareto.c).
 *
 * @param out   room for count + 1.
 * @param list  one or more answers; sorted here.
 * @return how many there are.
 */
size_t hcbr_i_study_thresholds(hcbr_i_study_threshold *out, hcbr_i_study_scored *list,
                               size_t count);

/* ---- the kinds, each in a file of its own ---------------------------------------------------- */

hcbr_status hcbr_i_study_curve(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_pareto(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_passes(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_cover(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_space(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_reach(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_prune(hcbr_i_study_job *job, hcbr_error *err);
hcbr_status hcbr_i_study_time(hcbr_i_study_job *job, hcbr_error *err);

#endif
