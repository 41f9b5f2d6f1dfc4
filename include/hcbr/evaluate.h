/**
 * @file evaluate.h
 * Evaluation: how well a model decides unseen cases, with held-out parts, metrics, intervals.
 *
 * A part of the cases is held out, a model is built from the others, and the held-out cases are
 * decided with it; this is repeated for every part (fold). Everything is learnt from the training
 * part alone: the dictionary, the atoms, the strengths, the training order, calibration. The model
 * of a fold has the same bytes as the one that hcbr_model_train() makes from the rows of its
 * training part.
 */
#ifndef HCBR_EVALUATE_H
#define HCBR_EVALUATE_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The metrics. A metric that does not exist for a part (a recall without a case of the label) is
 * NaN there, and the part is left out of its mean.
 *
 * With two labels recall, specificity, precision, npv and f1 are those of the positive label. With
 * more they are means over the labels, each against the rest, unless a positive label was named. A
 * case without an answer counts as wrong: in accuracy, in the recall of its label, and in the
 * specificity of the others.
 */
typedef enum hcbr_metric {
    HCBR_METRIC_ACCURACY = 0,
    HCBR_METRIC_MCC = 1, /**< Matthews' correlation; for many labels Gorodkin's R_K. No answer is
                              one more label. 0 if all answers are the same, NaN if all cases have
                              one label */
    HCBR_METRIC_F1 = 2,
    HCBR_METRIC_RECALL = 3,      /**< share of the label's cases that were given the label */
    HCBR_METRIC_SPECIFICITY = 4, /**< share of the other cases that were given another label */
    HCBR_METRIC_PRECISION = 5,   /**< share of the cases given the label that have it */
    HCBR_METRIC_NPV = 6,         /**< share of the cases given another label that have another */
    HCBR_METRIC_AUC = 7,         /**< area under the ROC curve of support minus the best other
                                      label's, ties count half; NaN with more than 1000 labels */
    HCBR_METRIC_LOG_LOSS = 8,    /**< mean of -ln p(true label), p at least 2^-52; NaN, as the next
                                      two, without probabilities */
    HCBR_METRIC_BRIER = 9,       /**< two labels: mean of (p(positive) - is positive)^2; more: mean
                                      of the sum of squares over the labels */
    HCBR_METRIC_ECE = 10,        /**< expected calibration error in 15 bins of equal width, pooled
                                      over the parts of a repeat: of p(positive) with two labels,
                                      of the largest probability with more */
    HCBR_METRIC_DECIDED = 11,    /**< accuracy among the cases with an answer */
    HCBR_METRIC_UNKNOWN = 12,    /**< share of the cases without an answer */
    HCBR_METRIC_COPIES = 13,     /**< share of the held-out cases whose features are exactly those
                                      of a training case */
    HCBR_METRIC_NEW = 14,        /**< accuracy on the others */
    HCBR_METRIC_FEATURES = 15,   /**< features of the part's model */
    HCBR_METRIC_ATOMS = 16,      /**< atoms of the part's model */
    HCBR_METRIC_FIT = 17,        /**< seconds to build the part's model */
    HCBR_METRIC_PREDICT = 18,    /**< seconds to decide the part's held-out cases */
    HCBR_METRIC_PR_AUC = 19,     /**< area under the curve of precision by recall of the same score:
                                      mean precision over the steps of the recall */
    HCBR_METRIC_PRECISION_AT = 20, /**< share of the label among the cases with its highest scores,
                                        hcbr_evaluate_options.at of all held-out cases of a repeat;
                                        ties in part. NaN for one of several parts */
    HCBR_METRIC_COST = 21,         /**< mean cost of the answers, if the rule has costs */
    HCBR_METRIC_END = 22
} hcbr_metric;

/** Name of a metric, its key in JSON: "accuracy", "mcc", ...; NULL for an invalid value. */
HCBR_API const char *hcbr_metric_name(hcbr_metric metric);

/**
 * The treatment of equal cases when parts are drawn: cases with exactly the same features, whatever
 * their labels. A model that has seen a case knows its copies. Drawn one by one, copies are on both
 * sides, and the figures are those of new cases that repeat old ones as often as these do. Kept
 * together, the figures are those of cases that no past case equals.
 */
typedef enum hcbr_equal {
    HCBR_EQUAL_BESIDE = 0,  /**< cases are drawn one by one; if one in a hundred held-out cases
                                 equals a training case, the cases are evaluated once more with
                                 equal ones together: hcbr_evaluation_get_together() */
    HCBR_EQUAL_APART = 1,   /**< one by one only */
    HCBR_EQUAL_TOGETHER = 2 /**< equal ones are held out together; with fewer different cases than
                                 folds each is a fold */
} hcbr_equal;

/** Options of an evaluation. Fill with hcbr_evaluate_options_init(). */
typedef struct hcbr_evaluate_options {
    size_t size;
    uint32_t folds;      /**< parts, at least 2; default 10. Stratified: each has its share of
                              every label, give or take one case */
    uint32_t repeats;    /**< how often the parts are drawn; default 1 */
    uint64_t seed;       /**< seed of the parts; default 1 */
    double holdout;      /**< above 0 and below 1: hold out one part of this share instead */
    int by_group;        /**< cases of one group (hcbr_read_options.group) stay together */
    int past_only;       /**< train on the past only: the cases in their order make folds + 1 parts,
                              and each but the first is decided by a model of those before it; with
                              holdout, the last ones are held out */
    uint64_t test_start; /**< hold out the cases from this number on (from 0); 0: draw parts */
    const uint64_t *given_folds; /**< the fold of each data row, including skipped ones: each
                                      different number is a fold; NULL: draw them */
    size_t given_count;          /**< as many as hcbr_cases_get_info().rows */
    const char *positive;        /**< label of recall and similar metrics; NULL: the second of two;
                                      of more labels, the mean over all */
    int keep_answers;            /**< keep each held-out decision for
                                      hcbr_evaluation_get_answer() */
    uint32_t threads;            /**< default 1; the figures are the same for any number */
    const hcbr_train_options *train; /**< options of each model; NULL: the defaults. Its threads,
                                          consume, keep, read, notify and progress are ignored */
    hcbr_notify_fn *notify;          /**< receives warnings; may be NULL */
    void *notify_context;
    hcbr_progress_fn *progress; /**< stage "evaluate", in parts; before it "numbers", as in
                                     training; after it "together", if cases are evaluated once
                                     more; may be NULL */
    void *progress_context;
    uint64_t at;      /**< number of cases for HCBR_METRIC_PRECISION_AT, of all held-out cases of a
                           repeat; 0: not measured */
    hcbr_equal equal; /**< default HCBR_EQUAL_BESIDE; HCBR_EQUAL_TOGETHER only if parts are drawn
                         from all cases: not with by_group, past_only, test_start or given_folds */
} hcbr_evaluate_options;

/** Set every field to its default. */
#define hcbr_evaluate_options_init(options) HCBR_INIT(hcbr_evaluate_options, options)

/** The result of an evaluation; never changes. */
typedef struct hcbr_evaluation hcbr_evaluation;

/**
 * Evaluate models of cases.
 *
 * If cases have weights (rich models), a case of weight n counts as n copies, in training and when
 * it is held out. All figures, the baseline and the intervals are those of the copies.
 *
 * The same cases, options and seed give the same figures (except times), whatever the number
 * of threads.
 *
 * @param out     receives the result, NULL on failure; release with hcbr_evaluation_free().
 * @param cases   a finished list that no model has used up; not changed; not needed afterwards.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE (options that exclude each other, more folds than cases or groups, a
 *         label that no case has), HCBR_EDATA (fewer than two cases), HCBR_ENOMEM or
 *         HCBR_ECANCELLED.
 *
 * Cost: about folds times repeats times that of hcbr_model_train(), twice that if cases repeat
 * (HCBR_EQUAL_BESIDE). Threads: options->threads of them during the call, each with a part of its
 * own.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_evaluate(hcbr_evaluation **out, const hcbr_cases *cases,
                                                   const hcbr_evaluate_options *options,
                                                   hcbr_error *err);

/**
 * Copy cases of a list for experiments: learning curves, other parts.
 *
 * The copy is finished, and its rows count from 1. A model of it is that of a table with those
 * rows, except that the kinds of columns stay those of all rows. Words of too few cases
 * (hcbr_read_options.keep_rare) stay until it is evaluated.
 *
 * @param out     receives the copy, NULL on failure; release with hcbr_cases_free().
 * @param cases   a finished list that no model has used up; not changed; not needed afterwards.
 * @param options the copy has the features of such a model: parts of dates, words of texts, and for
 *                a plain model numbers as features. NULL: the copy is like the list.
 * @param which   indices of cases below hcbr_cases_count(), in any order, also repeated; beliefs
 *                stay beliefs at its end only. NULL: all cases.
 * @param count   number of indices, at least one; ignored if `which` is NULL.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: one pass over the features of the cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_copy(hcbr_cases **out, const hcbr_cases *cases,
                                                     const hcbr_train_options *options,
                                                     const uint64_t *which, size_t count,
                                                     hcbr_error *err);

/**
 * Evaluate an existing model on labelled cases, decided by a stream.
 *
 * The result has one part. Cases without a label are left out, with a warning. Labels that the
 * model does not know are labels of the result, whose cases are decided wrongly. Each case counts
 * once. Copies of training cases are not searched: HCBR_METRIC_COPIES and HCBR_METRIC_NEW are NaN,
 * as is HCBR_METRIC_FIT. The baseline answers the most frequent label of training.
 *
 * @param out     receives the result, NULL on failure; release with hcbr_evaluation_free().
 * @param model   that of the stream's decider.
 * @param stream  unread; used up.
 * @param options NULL for the defaults. Only positive, keep_answers, at, notify and progress are
 *                used.
 * @return HCBR_OK, HCBR_EUSAGE (a positive label that neither model nor cases have), HCBR_EDATA (no
 *         case has a label), HCBR_ENOMEM, HCBR_ECANCELLED, or the status of hcbr_stream_next().
 *
 * Cost: that of deciding the cases, and 16 bytes a case and label.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_evaluate_stream(hcbr_evaluation **out,
                                                          const hcbr_model *model,
                                                          hcbr_stream *stream,
                                                          const hcbr_evaluate_options *options,
                                                          hcbr_error *err);

/** Release a result. NULL is fine. */
HCBR_API void hcbr_evaluation_free(hcbr_evaluation *evaluation);

/**
 * The same cases with equal ones held out together (HCBR_EQUAL_BESIDE), drawn by the same seed.
 *
 * @return borrowed from the evaluation; without answers. NULL if cases hardly repeat, if all are
 *         equal, or if parts were not drawn from all cases.
 */
HCBR_API const hcbr_evaluation *hcbr_evaluation_get_together(const hcbr_evaluation *evaluation);

/** The scope of an evaluation. */
typedef struct hcbr_evaluation_info {
    size_t size;
    uint64_t cases;    /**< all, including those never held out */
    uint64_t held_out; /**< decisions in each repeat */
    uint32_t features; /**< different features of all cases */
    uint32_t labels;   /**< of all cases, in their fixed order */
    uint32_t folds;    /**< parts in each repeat */
    uint32_t repeats;
    uint64_t seed;
    hcbr_label positive; /**< HCBR_LABEL_UNKNOWN: means over all labels */
    int probabilities;   /**< the models gave probabilities */
    int by_parts;        /**< every part has figures of its own: values are means over the parts */
    uint64_t at;         /**< as given */
} hcbr_evaluation_info;

/** Fill info; info->size must be set. */
HCBR_API void hcbr_evaluation_get_info(const hcbr_evaluation *evaluation,
                                       hcbr_evaluation_info *info);

/** Name of a label, as hcbr_model_get_label(); borrowed from the evaluation. */
HCBR_API const char *hcbr_evaluation_get_label(const hcbr_evaluation *evaluation, hcbr_label label,
                                               size_t *length);

/**
 * A metric over all parts. NaN: it does not exist.
 *
 * The value to quote is the mean over the parts if every part has figures of its own: it holds at
 * least ten cases of each label concerned (the positive one, or every label), and ten others.
 * Otherwise it is the value of all decisions together. The calibration error and the precision at
 * the top are always those of whole repeats.
 *
 * The interval covers the figure of the method on new data of the same kind with a confidence of 95
 * %. Shares of cases (accuracy, decided, unknown, new, copies and, with a positive label, recall,
 * specificity, precision, npv) have Wilson's interval for the pooled decisions of one repeat:
 * drawing parts again adds no cases. The others have, if parts have figures of their own, Student's
 * interval with the correction of Nadeau and Bengio: parts share their training cases, so their
 * figures are not independent, and the variance is (1/J + test/train) sd^2 for J parts. If parts
 * have none, or there is only one, the interval comes from the pooled decisions of one repeat:
 * Newcombe's for the area under the ROC curve, Wilson's for that under precision by recall (as a
 * share of the label's cases), for the precision at the top and, through the share of hits among
 * the cases with the label or the answer, for F1; Student's for losses and costs of cases; 1000
 * draws of the confusion matrix for the others. For ranks over several labels the ends are
 * averaged.
 */
typedef struct hcbr_figure {
    size_t size;
    double mean;      /**< over the parts in which it exists */
    double sd;        /**< standard deviation over them (J - 1) */
    double low, high; /**< the interval of the value */
    double pooled;    /**< of all decisions together, of ranks the mean over the repeats; NaN for
                           metrics without such a value, and for ranks of more than 2^26 supports */
    uint64_t count;   /**< J: parts in which it exists */
    double value;     /**< the one to quote: mean or pooled */
    int by_parts;     /**< it is the mean */
} hcbr_figure;

/**
 * Fill figure; figure->size must be set.
 *
 * @param label HCBR_LABEL_UNKNOWN for the metric over all labels, or a label for its own recall,
 *              specificity, precision, npv, f1 or auc against the rest (NaN for other metrics, and
 *              for an invalid one).
 */
HCBR_API void hcbr_evaluation_get_figure(const hcbr_evaluation *evaluation, hcbr_metric metric,
                                         hcbr_label label, hcbr_figure *figure);

/** The same for a constant answer, the most frequent label: of all cases or, if a part's model
 *  knows only others (past_only, test_start, an existing model), of its training cases. */
HCBR_API void hcbr_evaluation_get_baseline(const hcbr_evaluation *evaluation, hcbr_metric metric,
                                           hcbr_figure *figure);

/* ---- the verdict ----------------------------------------------------------------------------- */

/** The criterion of a verdict. */
typedef enum hcbr_purpose {
    HCBR_PURPOSE_ACCURACY = 0, /**< right answers: the labels are balanced, the rule is the usual */
    HCBR_PURPOSE_ANSWERS = 1,  /**< right answers among all answers: the rule leaves cases
                                    undecided */
    HCBR_PURPOSE_UNBALANCED = 2, /**< ranks: four fifths of the cases or more have one label */
    HCBR_PURPOSE_CUT = 3,        /**< ranks: a chosen threshold decides */
    HCBR_PURPOSE_COST = 4        /**< costs: the rule has costs */
} hcbr_purpose;

/** How reliable a model is. */
typedef enum hcbr_grade {
    HCBR_GRADE_NONE = 0, /**< not clearly better than a constant answer, or score, for all cases */
    HCBR_GRADE_WEAK = 1,
    HCBR_GRADE_USEFUL = 2,
    HCBR_GRADE_GOOD = 3
} hcbr_grade;

/** How reliable a model is, judged by the purpose of its rule. */
typedef struct hcbr_verdict {
    size_t size;
    hcbr_purpose purpose;
    hcbr_grade grade;
    hcbr_metric metric; /**< accuracy, accuracy of the answers, auc or cost */
    double value;       /**< as hcbr_figure.value */
    double low, high;   /**< its interval */
    double baseline;    /**< of always the most frequent label; of always the cheapest
                             answer; 0.5 */
    int better;         /**< than the baseline, by more than chance explains */
    double share;       /**< of the most frequent label among the held-out cases */
    double error;       /**< calibration error; NaN, as the next two, without probabilities */
    double error_mean;  /**< its mean if outcomes are drawn from the probabilities */
    double error_most;  /**< exceeded by one of twenty such draws */
    int calibrated;     /**< 0: the error is above error_most, and 0.05 or more above error_mean */
} hcbr_verdict;

/**
 * Fill verdict; verdict->size must be set.
 *
 * Better: for accuracy, the cases that only the model gets right against those that only the most
 * frequent label does (McNemar's test); for answers and ranks, the interval is above the baseline;
 * for costs, Student's interval of the saving by case is above 0. All at 95 %.
 *
 * Good: half of the way from the baseline to no mistakes or no cost (for accuracy also MCC of 0.7),
 * or an area of 0.9. Useful: MCC of 0.4, for answers and costs a fifth of the way, an area of 0.7.
 */
HCBR_API void hcbr_evaluation_get_verdict(const hcbr_evaluation *evaluation, hcbr_verdict *verdict);

/** One part. */
typedef struct hcbr_part_info {
    size_t size;
    uint32_t repeat, fold; /**< from 0; given folds are numbered in their order */
    uint64_t trained, held_out;
    uint32_t labels; /**< number of labels in its training cases */
} hcbr_part_info;

/** Fill info of part 0 <= part < folds * repeats; info->size must be set. */
HCBR_API void hcbr_evaluation_get_part(const hcbr_evaluation *evaluation, uint64_t part,
                                       hcbr_part_info *info);

/** A metric of one part, NaN if it does not exist. */
HCBR_API double hcbr_evaluation_get_value(const hcbr_evaluation *evaluation, uint64_t part,
                                          hcbr_metric metric);

/** How often cases of one label were answered with another, over all parts. */
typedef struct hcbr_confusion {
    size_t size;
    hcbr_label truth;
    hcbr_label label; /**< HCBR_LABEL_UNKNOWN: no answer */
    double count;     /**< above 0; by weight, as all counts of decisions */
} hcbr_confusion;

/** The number of pairs of a true and an answered label that occur. */
HCBR_API size_t hcbr_evaluation_confusion_count(const hcbr_evaluation *evaluation);

/** Fill out with pair `index`, by truth, then by label; out->size must be set. */
HCBR_API void hcbr_evaluation_get_confusion(const hcbr_evaluation *evaluation, size_t index,
                                            hcbr_confusion *out);

/** A bin of probabilities, over all parts. */
typedef struct hcbr_reliability {
    size_t size;
    double low, high;   /**< probabilities above low (0: from it) up to high */
    double count;       /**< decisions in it */
    double probability; /**< their mean; NaN without decisions */
    double share;       /**< of them that came true; NaN without decisions */
} hcbr_reliability;

/** The number of bins of HCBR_METRIC_ECE; 0 without probabilities. */
HCBR_API size_t hcbr_evaluation_reliability_count(const hcbr_evaluation *evaluation);

/** Fill out with bin `index`, by ascending probability; out->size must be set. */
HCBR_API void hcbr_evaluation_get_reliability(const hcbr_evaluation *evaluation, size_t index,
                                              hcbr_reliability *out);

/**
 * The share of right answers by probability, over all parts, as hcbr_model_get_answered() gives it
 * for a model.
 *
 * @param label HCBR_LABEL_UNKNOWN: all cases with an answer.
 * @param out   filled; out->size must be set.
 */
HCBR_API void hcbr_evaluation_get_answered(const hcbr_evaluation *evaluation, hcbr_label label,
                                           hcbr_heldout *out);

/** A held-out decision. */
typedef struct hcbr_answer {
    size_t size;
    uint64_t row;   /**< data row of the case, from 1 */
    const char *id; /**< name of the case, NULL for none; not NUL-terminated; borrowed */
    size_t id_length;
    uint32_t repeat, fold; /**< from 0 */
    hcbr_label truth;
    hcbr_label label; /**< the answer, or HCBR_LABEL_UNKNOWN */
    hcbr_reason reason;
    int copy;                  /**< its features are exactly those of a training case */
    const double *support;     /**< by label, 0 for one that the training part lacks; borrowed */
    const double *probability; /**< likewise; NULL without probabilities */
} hcbr_answer;

/** The number of held-out decisions kept: 0 without keep_answers. */
HCBR_API uint64_t hcbr_evaluation_answer_count(const hcbr_evaluation *evaluation);

/** Fill answer with number `index`, by repeat, then by case; answer->size must be set. */
HCBR_API void hcbr_evaluation_get_answer(const hcbr_evaluation *evaluation, uint64_t index,
                                         hcbr_answer *answer);

/** Curves of held-out cases in the order of their score for a label: its support minus the best
 *  other one. */
typedef enum hcbr_curve_kind {
    HCBR_CURVE_ROC = 0, /**< share of the label's cases by the share of the others, from (0, 0) */
    HCBR_CURVE_PR = 1,  /**< precision by recall, from the highest score on */
    HCBR_CURVE_LIFT = 2 /**< share of the label among the first cases, divided by its share among
                             all, by the share of the first cases */
} hcbr_curve_kind;

/** A point of a curve: the cases with at least this score. */
typedef struct hcbr_curve_point {
    double x, y;
    double score; /**< infinite for the first point of HCBR_CURVE_ROC */
} hcbr_curve_point;

/**
 * A curve of all held-out cases of the first repeat together, each counted once. Cases with equal
 * scores are one point.
 *
 * @param evaluation with hcbr_evaluate_options.keep_answers.
 * @param label      at least 0 and below info.labels.
 * @param out        receives the points, by descending score, NULL on failure; release with
 *                   hcbr_bytes_free().
 * @param count      receives their number; 0 if no case has the label or, for HCBR_CURVE_ROC, every
 *                   case has it.
 * @return HCBR_OK, HCBR_EUSAGE (answers were not kept, an invalid kind) or HCBR_ENOMEM.
 *
 * Cost: that of sorting the cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_evaluation_copy_curve(const hcbr_evaluation *evaluation,
                                                                hcbr_curve_kind kind,
                                                                hcbr_label label,
                                                                hcbr_curve_point **out,
                                                                size_t *count, hcbr_error *err);

/**
 * The fold of each data row in the first repeat, in the form of given_folds; 0 for rows that were
 * skipped or never held out. Borrowed.
 */
HCBR_API const uint64_t *hcbr_evaluation_get_folds(const hcbr_evaluation *evaluation,
                                                   size_t *count);

/**
 * Read folds from a file: a whole number of 0 or more on each line, one line for each data row.
 *
 * @param folds receives them, NULL on failure; release with hcbr_bytes_free().
 * @param count receives their number.
 * @param path  file; "-" is standard input.
 * @return HCBR_OK, HCBR_EDATA (with the place), HCBR_EIO or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_folds_load(uint64_t **folds, size_t *count,
                                                     const char *path, hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
