/**
 * @file study.h
 * Experiments with models of labelled cases: learning curves, thresholds against coverage, what the
 * model space could give, time, training passes. docs/STUDY.md explains each kind.
 *
 * A study gives tables of numbers, each with named columns, and a sentence that says what they
 * show.
 */
#ifndef HCBR_STUDY_H
#define HCBR_STUDY_H

#include <hcbr/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is studied. */
typedef enum hcbr_study_kind {
    HCBR_STUDY_CURVE = 0,  /**< accuracy and MCC by number of training cases */
    HCBR_STUDY_PARETO = 1, /**< accuracy against the share of cases that are answered */
    HCBR_STUDY_PASSES = 2, /**< errors by training pass; plain models */
    HCBR_STUDY_COVER = 3,  /**< how much of held-out cases is known, and what follows; plain */
    HCBR_STUDY_TIME = 4,   /**< time by number and size of the cases, made up; plain */
    HCBR_STUDY_SPACE = 5,  /**< how much better other strengths could be; plain, two labels */
    HCBR_STUDY_REACH = 6,  /**< support from cases that hyperpaths reach; plain, two labels */
    HCBR_STUDY_PRUNE = 7   /**< accuracy, size and time by the share of features kept; plain */
} hcbr_study_kind;
#define HCBR_STUDY_KINDS 8

/** Name of a kind: "curve", "pareto", "passes", "cover", "time", "space", "reach",
 *  "prune"; NULL for a value that is
 * none. */
HCBR_API const char *hcbr_study_kind_name(hcbr_study_kind kind);

/** How to study. Fill with hcbr_study_options_init(). */
typedef struct hcbr_study_options {
    size_t size;
    uint32_t folds;   /**< parts that are held out in turn, at least 2; default 10 */
    uint32_t repeats; /**< how often parts are drawn anew, of HCBR_STUDY_CURVE how often a tenth is
                           held out; 0 (default): 1, and 10 for a curve */
    uint64_t seed;    /**< of all draws; default 1 */
    uint32_t passes;  /**< HCBR_STUDY_PASSES: the most training passes; default 20 */
    uint32_t threads; /**< default 1; the tables are the same for any number, but for times */
    const hcbr_train_options *train; /**< how models are built; NULL: the defaults, but a plain
                                          model. What hcbr_evaluate_options.train says of it
                                          holds here too */
    hcbr_notify_fn *notify;          /**< receives warnings; may be NULL */
    void *notify_context;
    hcbr_progress_fn *progress; /**< stage "study", in models to build; may be NULL */
    void *progress_context;
    uint32_t generations; /**< HCBR_STUDY_SPACE: of the evolution strategy; default 100 */
} hcbr_study_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_study_options_init(hcbr_study_options *options, size_t size);
#define hcbr_study_options_init(options) hcbr_study_options_init(HCBR_SIZED(options))

/** The result of a study; never changes. */
typedef struct hcbr_study hcbr_study;

/**
 * Run a study.
 *
 * The same cases, options and seed give the same tables (but for times), whatever the number of
 * threads. Each case counts once, whatever its weight.
 *
 * @param out     receives the result, NULL on failure; release with hcbr_study_free().
 * @param cases   a finished list that no model has used up; not changed; needed no more afterwards.
 *                NULL for HCBR_STUDY_TIME, which makes its own.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE (a kind that is none, options that the kind does not take, more
 *         folds than cases), HCBR_EDATA (too few cases; of
 *         HCBR_STUDY_SPACE and HCBR_STUDY_REACH not two labels), HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: that of the models it builds: see docs/STUDY.md. Threads: options->threads of them during
 * the call, each with a model of its own; one for HCBR_STUDY_TIME.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_study_run(hcbr_study **out, hcbr_study_kind kind,
                                                    const hcbr_cases *cases,
                                                    const hcbr_study_options *options,
                                                    hcbr_error *err);

/** Release a result. NULL is fine. */
HCBR_API void hcbr_study_free(hcbr_study *study);

/** What was studied. */
typedef struct hcbr_study_info {
    size_t size;
    hcbr_study_kind kind;
    hcbr_model_kind model;
    uint64_t cases;    /**< 0 for HCBR_STUDY_TIME */
    uint32_t features; /**< different ones of all cases */
    uint32_t labels;
    uint32_t folds, repeats;
    uint64_t seed;
    const char *says; /**< what the tables show, in a sentence or two; borrowed */
} hcbr_study_info;

/** Fill info; info->size must be set. */
HCBR_API void hcbr_study_get_info(const hcbr_study *study, hcbr_study_info *info);

/** A table of a study. Everything is borrowed from the study. */
typedef struct hcbr_study_table {
    size_t size;
    const char *name; /**< "curve", ...: the key of it in JSON */
    const char *says; /**< what a row of it is */
    const char *const *columns;
    size_t column_count;
    const char *const *rows; /**< names of the rows; NULL: they have none */
    size_t row_count;
    const double *values; /**< row by row; NaN for what does not exist */
} hcbr_study_table;

/** How many tables there are. */
HCBR_API size_t hcbr_study_table_count(const hcbr_study *study);

/** Fill out with table `index`; out->size must be set. */
HCBR_API void hcbr_study_get_table(const hcbr_study *study, size_t index, hcbr_study_table *out);

#ifdef __cplusplus
}
#endif
#endif
