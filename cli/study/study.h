/**
 * @file study.h
 * Experiments with models of cases: tables of figures, and a sentence about their result.
 * docs/STUDY.md explains each kind. Uses only the public interface of the library.
 */
#ifndef HCBR_CLI_STUDY_H
#define HCBR_CLI_STUDY_H

#include <hcbr/hcbr.h>

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STUDY_TABLES = 4, STUDY_COLUMNS = 16 };
#define STUDY_NONE UINT32_MAX /* no atom, or no fold */

/** A table that grows row by row. Names are static. */
typedef struct study_table {
    const char *name; /**< its key in JSON */
    const char *says; /**< the meaning of a row */
    const char *columns[STUDY_COLUMNS];
    size_t column_count;
    const char **rows; /**< names of the rows; each NULL if they have no names */
    size_t row_count;
    double *values; /**< row by row; NaN for missing ones */
} study_table;

struct study;

/** A kind of study. */
typedef struct study_kind {
    const char *name;
    hcbr_status (*run)(struct study *study, hcbr_error *err);
    bool plain_only;
    bool own_cases; /**< makes its own cases */
    bool equal;     /**< all features are equally important */
} study_kind;
/** Ends with a kind without a name. */
extern const study_kind STUDY_KINDS[];
/** The kind of a name; NULL if unknown. */
const study_kind *study_find(const char *name);

/** A study: its options, then its results. Zero it, set the options, run it, clear it. */
typedef struct study {
    const study_kind *kind;
    hcbr_train_options train; /**< how models are built */
    uint32_t folds;           /**< held out in turn; a curve holds out a tenth instead */
    uint32_t repeats;         /**< draws of the parts; 0: 1, and 10 for a curve */
    uint64_t seed;            /**< of all draws */
    uint32_t passes;          /**< "passes": the largest number */
    uint32_t generations;     /**< "space": of the evolution strategy */
    uint32_t threads;         /**< the tables do not depend on it, except times */
    hcbr_progress_fn *progress;
    void *progress_context;
    /* results */
    hcbr_cases *cases;   /**< in the form of models */
    uint64_t case_count; /**< 0: the study made its own */
    uint64_t stated;     /**< beliefs, the last cases: trained on, never held out */
    uint32_t features, labels;
    study_table tables[STUDY_TABLES];
    size_t table_count;
    char says[600]; /**< the result in words */
} study;

/**
 * Run a study. The same cases, options and seed give the same tables, except times.
 *
 * @param cases a finished list; each case counts once, whatever its weight. NULL: the kind makes
 *              its own.
 */
hcbr_status study_run(study *s, const hcbr_cases *cases, hcbr_error *err);
void study_clear(study *s);
/** Write it as hcbr.study/1 of docs/JSON.md. */
hcbr_status study_json(hcbr_writer *w, const study *s, uint64_t skipped_rows, hcbr_error *err);

/* ---- for the kinds --------------------------------------------------------------------------- */

/** Zeroed memory, for free(). If there is none, study_no_memory() ends the program. */
void *study_alloc(size_t count, size_t size);
/** Print a message and end the program; defined by the program that links these files. */
_Noreturn void study_no_memory(void);
/** Fill err; returns the status. */
hcbr_status study_fail(hcbr_error *err, hcbr_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Begin a table; columns end with NULL. */
study_table *study_begin(study *s, const char *name, const char *says, const char *const *columns);
/** Append a row of NaN and return it. */
double *study_add(study_table *table, const char *name);

/** Mean and standard deviation (n - 1) of the values other than NaN; NaN without any, or for sd
 *  without two. */
typedef struct study_spread {
    double mean, sd;
} study_spread;
study_spread study_spread_of(const double *values, size_t count, size_t stride);
/** Slope of the least-squares line through (log x, log y): the exponent of a power law. */
double study_exponent(const double *x, const double *y, size_t count);

/** The progress call of a task, also for the library; it may cancel. */
typedef struct study_stop {
    hcbr_progress_fn *ask;
    void *context;
} study_stop;
hcbr_status study_stopped(const study_stop *stop, hcbr_error *err);
/** Do `count` tasks with the threads of a study; of several failures the first counts. */
typedef hcbr_status study_each_fn(void *context, uint64_t index, const study_stop *stop,
                                  hcbr_error *err);
hcbr_status study_each(const study *s, uint64_t count, study_each_fn *run, void *context,
                       hcbr_error *err);

/** A bijection of 64-bit integers that looks random. */
static inline uint64_t study_mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}
/** A number below `bound`, all equally likely; state counts the draws. */
static inline uint32_t study_draw_below(uint64_t *state, uint32_t bound) {
    for (;;) {
        uint64_t product = (study_mix((*state)++) >> 32) * bound;
        /* reject the part of the range that would favour small numbers */
        if ((uint32_t)product >= (uint32_t)-bound % bound)
            return (uint32_t)(product >> 32);
    }
}

/* ---- parts (study_trial.c) ------------------------------------------------------------------- */

/** Evaluate models on held-out parts, with their answers. @param holdout above 0: one part of this
 *  share instead of folds. */
hcbr_status study_evaluate(hcbr_evaluation **out, study *s, const hcbr_train_options *train,
                           double holdout, hcbr_error *err);

/** Parts as an evaluation draws them, for the models of a study. */
typedef struct study_folds {
    uint32_t part_count; /**< folds times repeats */
    uint32_t folds;
    uint64_t case_count;
    uint32_t *of; /**< by repeat and case: its fold; STUDY_NONE: never held out */
} study_folds;
void study_folds_of(study_folds *out, const study *s, const hcbr_evaluation *evaluation);
/** The same, by models that are fast to train. */
hcbr_status study_folds_draw(study_folds *out, study *s, double holdout, hcbr_error *err);
void study_folds_clear(study_folds *folds);
/** Training cases and held-out cases of a part, each ascending. */
typedef struct study_lists {
    uint64_t *train, *test;
    uint64_t train_count, test_count;
} study_lists;
void study_lists_make(study_lists *out, const study_folds *folds, uint32_t part);
void study_lists_clear(study_lists *lists);

/** Figures of a model of some cases. */
typedef enum study_figure {
    TRIAL_TRAIN_ACCURACY,
    TRIAL_TRAIN_MCC,
    TRIAL_TEST_ACCURACY,
    TRIAL_TEST_MCC,
    TRIAL_TEST_UNKNOWN, /**< share that was given no label */
    TRIAL_CASES,        /**< trained on */
    TRIAL_FIGURES
} study_figure;

/** Trials of several ways to build a model, each on the same parts. */
typedef struct study_grid {
    study *study;
    uint32_t ways; /**< later ones take longer */
    double holdout;
    /** Adapt the lists and options of a trial to a way. */
    void (*arrange)(const study *s, uint32_t way, uint32_t part, study_lists *lists,
                    hcbr_train_options *options);
    study_folds folds;
    double *figures; /**< by way, then by part: TRIAL_FIGURES each */
} study_grid;
/** Run all trials, given study, ways, holdout and arrange; release with study_grid_clear(). */
hcbr_status study_grid_run(study_grid *grid, hcbr_error *err);
void study_grid_clear(study_grid *grid);
/** A figure of a way over the parts. */
study_spread study_grid_get(const study_grid *grid, uint32_t way, study_figure figure);

/** An answer to a held-out case. */
typedef struct study_scored {
    double score; /**< of the winner */
    bool right;
} study_scored;
/** The answers whose score is above eta. */
typedef struct study_threshold {
    double eta;
    uint64_t answered, right;
    bool best; /**< on the frontier */
} study_threshold;
/**
 * All thresholds that make a difference, by descending number of answers (study_pareto.c).
 *
 * @param out   room for count + 1.
 * @param list  one or more answers; sorted by the call.
 * @return their number.
 */
size_t study_thresholds(study_threshold *out, study_scored *list, size_t count);

/* ---- the kinds, each in a file of its own ---------------------------------------------------- */

hcbr_status study_curve(study *s, hcbr_error *err);
hcbr_status study_pareto(study *s, hcbr_error *err);
hcbr_status study_passes(study *s, hcbr_error *err);
hcbr_status study_cover(study *s, hcbr_error *err);
hcbr_status study_space(study *s, hcbr_error *err);
hcbr_status study_reach(study *s, hcbr_error *err);
hcbr_status study_prune(study *s, hcbr_error *err);
hcbr_status study_time(study *s, hcbr_error *err);

#endif
