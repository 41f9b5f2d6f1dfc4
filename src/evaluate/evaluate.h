/**
 * @file evaluate.h
 * From cases to figures: held-out parts, a model for each, its answers, and their quality.
 */
#ifndef HCBR_I_EVALUATE_H
#define HCBR_I_EVALUATE_H

#include "decide/decide.h"
#include "evaluate/metrics.h"
#include "tune/tune.h"

#define HCBR_I_POOLED (UINT64_C(1) << 26) /* supports ranked together, 512 MB */

/** Sums over the answers of a part, for the metrics of probabilities. */
typedef struct hcbr_i_losses {
    hcbr_i_summed log_loss, brier;
    hcbr_i_bins bins;
} hcbr_i_losses;

/** The gain case by case over a constant answer, and the result of that answer. */
typedef struct hcbr_i_paired {
    hcbr_i_summed gain;
    double constant;
} hcbr_i_paired;

/** An interval; NaN: unknown. */
typedef struct hcbr_i_range {
    double low, high;
} hcbr_i_range;

/** One part: held-out cases, and the answers of a model of the other cases. */
typedef struct hcbr_i_eval_part {
    uint32_t repeat, fold;
    uint32_t trained, held_out, labels;
    uint32_t *test; /**< the cases held out, ascending; kept, like the arrays below, until the end
                         of the evaluation, or longer if answers are kept */
    hcbr_label *label;
    uint8_t *reason, *copy;
    double *support, *probability;
    double *chance;                     /**< of the answer; 0: unknown */
    double *difference;                 /**< two labels only */
    double trained_weight, held_weight; /**< a case of weight n is n cases, here and below */
    double copies, new_right; /**< copies of training cases; right answers to the others */
    hcbr_i_counts counts, baseline_counts;
    hcbr_i_losses losses, baseline_losses; /**< if there are probabilities */
    hcbr_i_paired right, cost;             /**< right answers; costs saved, if there are costs */
    hcbr_i_summed paid;                    /**< costs, if there are any */
    bool probabilities;
    bool has_costs, has_cut; /**< of the rule */
    hcbr_i_ranks *ranks;     /**< by label; NULL: not measured */
    double value[HCBR_METRIC_END], baseline[HCBR_METRIC_END];
} hcbr_i_eval_part;

struct hcbr_evaluation {
    struct hcbr_evaluation *together; /**< with equal cases held out together; may be NULL */
    uint64_t case_count, held_out, seed;
    uint32_t feature_count, fold_count, repeats, part_count;
    hcbr_i_labels labels;
    hcbr_label positive;                   /**< HCBR_LABEL_UNKNOWN: means over the labels */
    hcbr_i_eval_part *parts;               /**< by repeat, then by fold */
    hcbr_i_counts counts, baseline_counts; /**< of all parts */
    hcbr_i_losses losses, baseline_losses;
    hcbr_i_paired right, cost;
    hcbr_i_summed paid;
    bool probabilities, has_costs, has_cut;
    bool small; /**< a part is too small for figures of its own (pooled.c) */
    uint64_t at;
    hcbr_i_ranks *ranks;                  /**< by repeat, then by label; NULL: not measured */
    hcbr_i_range chance[HCBR_METRIC_END]; /**< from redrawing the confusion matrix (chance.c) */
    hcbr_confusion *confusion;
    size_t confusion_count;
    hcbr_reliability reliability[HCBR_I_ECE_BINS];
    hcbr_i_record record; /**< the share of right answers by probability */
    uint64_t *folds;      /**< by data row, of the first repeat */
    size_t row_count;
    /* if answers are kept */
    uint64_t answer_count;
    uint64_t *answers; /**< part and index in it (upper and lower half), by repeat, then by case */
    uint32_t *truth;   /**< by case */
    uint64_t *row;     /**< by case; NULL: its number + 1 */
    char *ids;
    uint64_t *id_start; /**< NULL: no names */
};

/** Data shared by all parts during an evaluation. */
typedef struct hcbr_i_evaluate_job {
    const struct hcbr_cases *cases;
    const hcbr_evaluate_options *options;
    hcbr_train_options train; /**< of every part; its rule names labels that a part may lack */
    hcbr_i_fold_options folds;
    const double *weight; /**< by case; NULL: each counts once */
    const uint32_t *same; /**< by case: a number, equal iff the features are equal */
    hcbr_label positive;
    hcbr_label most; /**< the answer of the baseline; HCBR_LABEL_UNKNOWN: the most frequent label of
                          the part's training cases */
} hcbr_i_evaluate_job;

/* ---- many tasks in parallel (each.c) --------------------------------------------------------- */

typedef struct hcbr_i_each_options {
    uint32_t threads;
    const char *stage;
    hcbr_progress_fn *progress; /**< in tasks done; called by the caller's thread only; may be
                                     NULL */
    void *progress_context;
} hcbr_i_each_options;
/** To be called during long tasks: nonzero means stop. */
typedef struct hcbr_i_asked_stop {
    hcbr_progress_fn *ask;
    void *context;
} hcbr_i_asked_stop;
typedef hcbr_status hcbr_i_each_fn(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                                   hcbr_error *err);
/** Call `run` for 0 <= index < count, each once, by several threads. Returns the failure with the
 *  lowest index; HCBR_ECANCELLED if progress asked to stop. */
hcbr_status hcbr_i_each(uint64_t count, const hcbr_i_each_options *options, hcbr_i_each_fn *run,
                        void *context, hcbr_error *err);

/** Evaluate a part whose repeat and fold are set (part.c). Call hcbr_i_eval_part_clear() also on
 failure. */
hcbr_status hcbr_i_eval_part_run(hcbr_i_eval_part *part, const hcbr_i_evaluate_job *job,
                                 hcbr_error *err);
void hcbr_i_eval_part_clear(hcbr_i_eval_part *part);
/** The inputs of metrics besides the answers. */
typedef struct hcbr_i_measured {
    const double *share; /**< of each label among the training cases: the baseline answers the most
                              frequent */
    hcbr_label positive; /**< HCBR_LABEL_UNKNOWN: means over the labels */
    hcbr_label most;     /**< as in the job */
    const hcbr_i_costs *costs;  /**< may be NULL */
    const uint32_t *cost_label; /**< by label: its number in costs or HCBR_I_NONE; NULL: the same
                                     numbers */
} hcbr_i_measured;

/** Compute the metrics of a part from its answers (measure.c); its held_weight, copies (NaN:
 *  unknown) and probabilities must be set. */
hcbr_status hcbr_i_eval_part_measure(hcbr_i_eval_part *part, const hcbr_i_answers *answers,
                                     const hcbr_i_measured *what, hcbr_error *err);

/** Whether a metric follows from the order of the cases by score. */
static inline bool hcbr_i_is_rank_metric(hcbr_metric metric) {
    return metric == HCBR_METRIC_AUC || metric == HCBR_METRIC_PR_AUC ||
           metric == HCBR_METRIC_PRECISION_AT;
}
static inline double hcbr_i_rank_metric(const hcbr_i_ranks *ranks, hcbr_metric metric) {
    return metric == HCBR_METRIC_AUC      ? ranks->auc
           : metric == HCBR_METRIC_PR_AUC ? ranks->pr_auc
                                          : ranks->precision_at;
}

/** A rank metric of a label, or, with HCBR_LABEL_UNKNOWN, the mean over the labels that have it. */
double hcbr_i_rank_over_labels(const hcbr_i_ranks *ranks, uint32_t labels, hcbr_label positive,
                               hcbr_metric metric);

/** The label of recall and similar metrics: the named one, or the second of two. */
hcbr_status hcbr_i_find_positive(hcbr_label *out, const char *name, const hcbr_i_labels *labels,
                                 hcbr_error *err);

/* ---- all parts together (merge.c) ------------------------------------------------------------ */

/** Add up the parts, which must have their answers; truth and weight (NULL: 1) by case. */
hcbr_status hcbr_i_evaluation_merge(hcbr_evaluation *evaluation, const uint32_t *truth,
                                    const double *weight, hcbr_error *err);
/** Sort kept answers by repeat, then by case. Each part has its cases in order. */
hcbr_status hcbr_i_evaluation_order(hcbr_evaluation *evaluation, const struct hcbr_cases *cases,
                                    hcbr_error *err);
/** Release the single answers of the parts instead. */
void hcbr_i_evaluation_drop(hcbr_evaluation *evaluation);

/** Number the different sets of features among the cases, by first appearance (copies.c). */
hcbr_status hcbr_i_copies_number(uint32_t *same, const struct hcbr_cases *cases,
                                 const hcbr_i_watch *watch, hcbr_error *err);

/* ---- figures of all decisions together (pooled.c) -------------------------------------------- */

/** Whether so many supports are kept until all parts are complete. */
static inline bool hcbr_i_pools(uint32_t labels, uint32_t cases) {
    return labels <= HCBR_I_AUC_LABELS && (uint64_t)labels * cases <= HCBR_I_POOLED;
}
/** Rank all held-out cases of a repeat, and find whether parts are small. Called by merging. */
hcbr_status hcbr_i_evaluation_pool(hcbr_evaluation *evaluation, const uint32_t *truth,
                                   const double *weight, hcbr_error *err);
/** A rank metric of a repeat: of a label, or over all; NaN if it does not exist. */
double hcbr_i_pooled_rank(const hcbr_evaluation *evaluation, uint32_t repeat, hcbr_metric metric,
                          hcbr_label label);
/** Its mean over the repeats. */
double hcbr_i_pooled_rank_mean(const hcbr_evaluation *evaluation, hcbr_metric metric,
                               hcbr_label label);
/** The metric if all cases have equal scores. */
double hcbr_i_pooled_rank_baseline(const hcbr_evaluation *evaluation, hcbr_metric metric);
/** The interval of a metric that is not a share, from all decisions of one repeat. */
hcbr_i_range hcbr_i_pooled_range(const hcbr_evaluation *evaluation, hcbr_metric metric,
                                 hcbr_label label);
/** The interval of a mean whose sums cover `repeats` repeats of the same cases. */
hcbr_i_range hcbr_i_mean_range(hcbr_i_summed sums, double weight, uint32_t repeats);

/** Bins of probabilities of a repeat (evaluation.c). */
void hcbr_i_repeat_bins(hcbr_i_bins *out, const hcbr_evaluation *evaluation, uint32_t repeat,
                        bool baseline);

/* ---- the effect of chance (chance.c) --------------------------------------------------------- */

/** Fill evaluation->chance from its confusion matrix. */
hcbr_status hcbr_i_evaluation_redraw(hcbr_evaluation *evaluation, hcbr_error *err);
/** The calibration error if the outcomes are drawn from the probabilities themselves. */
typedef struct hcbr_i_chance {
    double mean;
    double most; /**< exceeded in one of twenty draws */
} hcbr_i_chance;
hcbr_i_chance hcbr_i_bins_chance(const hcbr_i_bins *bins);

/* ---- intervals (intervals.c) ----------------------------------------------------------------- */

/** The t with P(|T| <= t) = 0.95, for Student's T with df > 0 degrees of freedom. */
double hcbr_i_t_quantile(uint64_t df);
/** Wilson's interval of 95 % for a share of `above` among `below` > 0, which may be fractions. */
void hcbr_i_wilson(double above, double below, double *low, double *high);
/** Newcombe's 95 % interval of an area under the ROC curve, from the numbers of cases of both
 *  kinds. */
hcbr_i_range hcbr_i_auc_range(double auc, double have, double others);

#endif
