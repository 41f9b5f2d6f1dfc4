/**
 * @file metrics.h
 * From true labels and answers to metrics; private to src/evaluate.
 */
#ifndef HCBR_I_METRICS_H
#define HCBR_I_METRICS_H

#include "decide/decide.h"

#include <hcbr/evaluate.h>

#define HCBR_I_ECE_BINS 15
#define HCBR_I_AUC_LABELS 1000 /* AUC is not computed for more labels */

/** Answers to cases whose labels are known. */
typedef struct hcbr_i_answers {
    uint32_t count, label_count;
    const uint32_t *truth;
    const hcbr_label *label;   /**< the answer, or HCBR_LABEL_UNKNOWN */
    const double *difference;  /**< two labels: support of the second minus the first's */
    const double *support;     /**< case by case, label_count each */
    const double *probability; /**< likewise; NULL: none */
    const double *weight;      /**< of each case; NULL: each counts once */
} hcbr_i_answers;

static inline double hcbr_i_answer_weight(const hcbr_i_answers *answers, uint32_t i) {
    return answers->weight ? answers->weight[i] : 1;
}

/** The counts behind all metrics but auc and those of probabilities; a case of weight n counts as n
 *  cases. Counts can be added up: sums of weights are exact (hcbr_i_model_exact_weights()). */
typedef struct hcbr_i_counts {
    uint32_t label_count;
    double all, right, undecided;
    double *truth;   /**< by label: cases that have it */
    double *decided; /**< of them with any answer */
    double *given;   /**< cases with this answer */
    double *hit;     /**< cases with this label and answer */
} hcbr_i_counts;

hcbr_status hcbr_i_counts_init(hcbr_i_counts *counts, uint32_t label_count, hcbr_error *err);
void hcbr_i_counts_clear(hcbr_i_counts *counts);
void hcbr_i_counts_add(hcbr_i_counts *counts, const hcbr_i_answers *answers);
void hcbr_i_counts_merge(hcbr_i_counts *to, const hcbr_i_counts *from);

/** Bins of probabilities: number of cases, sum of the probabilities, number that came true. */
typedef struct hcbr_i_bins {
    double count[HCBR_I_ECE_BINS], right[HCBR_I_ECE_BINS], sum[HCBR_I_ECE_BINS];
} hcbr_i_bins;

void hcbr_i_bins_add(hcbr_i_bins *bins, const hcbr_i_answers *answers, hcbr_label positive);
double hcbr_i_bins_error(const hcbr_i_bins *bins);

/** A share of cases by its counts: above / below. */
typedef struct hcbr_i_share {
    double above, below;
} hcbr_i_share;

/** The counts of a metric that is a share of cases; below = 0 for any other metric, or if it does
 *  not exist. label HCBR_LABEL_UNKNOWN: accuracy, decided, unknown; otherwise recall and the like
 *  of the label. */
hcbr_i_share hcbr_i_counts_share(const hcbr_i_counts *counts, hcbr_metric metric, hcbr_label label);

/** A metric based on counts, for a label (f1, recall, specificity, precision, npv) or, with
 * HCBR_LABEL_UNKNOWN, over all (those as means over the labels); NaN if it does not exist. */
double hcbr_i_counts_metric(const hcbr_i_counts *counts, hcbr_metric metric, hcbr_label label);

/** Metrics of the order of the cases by their score for a label: support minus the best other
 * label's. NaN if they do not exist. */
typedef struct hcbr_i_ranks {
    double auc;          /**< probability that a case with the label scores higher than one without
                              it, ties counting half; NaN without both kinds */
    double pr_auc;       /**< sum over the scores, from the highest, of the recall that each adds
                              times the precision down to it; NaN without a case of the label */
    double precision_at; /**< share of the label among the first cases, ties in part; NaN if there
                              are fewer cases */
} hcbr_i_ranks;

/** A case in the order of a label's scores. */
typedef struct hcbr_i_ranked {
    double score, weight;
    bool has; /**< the label */
} hcbr_i_ranked;

/** The score of case i for a label: support minus the best other label's. */
double hcbr_i_answer_score(const hcbr_i_answers *answers, uint32_t i, uint32_t label);
/** Ranks of a list, which is sorted. at: number of first cases, by weight; 0: no precision_at. */
hcbr_i_ranks hcbr_i_ranks_of(hcbr_i_ranked *list, size_t count, double at);
/** Ranks of answers. */
hcbr_status hcbr_i_metric_ranks(hcbr_i_ranks *out, const hcbr_i_answers *answers, uint32_t label,
                                double at, hcbr_error *err);

/** A sum over cases, and the sum of squares; divide by their weight. */
typedef struct hcbr_i_summed {
    double sum, squares;
} hcbr_i_summed;

/** Over the cases: sum of -ln p(true), and of squared errors. */
hcbr_i_summed hcbr_i_metric_log_loss(const hcbr_i_answers *answers);
hcbr_i_summed hcbr_i_metric_brier(const hcbr_i_answers *answers, hcbr_label positive);

#endif
