/**
 * @file tuner.h
 * Shared by the steps of tuning; private to src/tune.
 */
#ifndef HCBR_I_TUNER_H
#define HCBR_I_TUNER_H

#include "tune/tune.h"

/** The state of tuning. */
typedef struct hcbr_i_tuner {
    const struct hcbr_cases *cases;
    const hcbr_tune_options *options;
    hcbr_i_tuned *out;
    uint32_t labels;
    uint32_t positive;
    bool probable;      /**< supports are probabilities */
    bool calibrated;    /**< they will become probabilities */
    hcbr_i_costs costs; /**< by_given is NULL: 1 for every wrong answer */
    double unit;        /**< of the values of points */
    hcbr_i_eta_point *points;
    uint32_t *point_of; /**< cases of the points, while a label is tuned */
    double *truths;     /**< by label: their weight */
    hcbr_i_cut_point *scores;
    uint32_t left_out;   /**< a part to ignore; HCBR_I_NONE: none */
    hcbr_i_eta *by_part; /**< while parts are compared: thresholds for each part, by label */
    hcbr_cut *cuts;      /**< the same for cuts */
    const hcbr_i_heldout_options *watch; /**< provides the progress function */
    uint64_t done, steps;                /**< labels of parts, or parts */
} hcbr_i_tuner;

/** Report progress before a step and after the last; may stop. */
hcbr_status hcbr_i_tuner_step(hcbr_i_tuner *t, hcbr_error *err);

/* ---- one held-out case ----------------------------------------------------------------------- */

/** The weight of a held-out case. */
static inline double hcbr_i_heldout_weight(const hcbr_i_heldout *h, uint32_t i) {
    return h->weight ? h->weight[i] : 1;
}

/** The cost of answering a label or nothing. */
static inline double hcbr_i_tuner_cost(const hcbr_i_tuner *t, uint32_t truth, hcbr_label given) {
    return t->costs.by_given ? hcbr_i_costs_of(&t->costs, truth, given)
                             : given != (hcbr_label)truth;
}

/** The score of the second of two labels. */
static inline double hcbr_i_tuner_score(const hcbr_i_tuner *t, const hcbr_i_heldout *h,
                                        uint32_t i) {
    if (t->probable)
        return h->support[(size_t)i * 2 + 1];
    return h->winner[i] == 1 ? h->lead[i] : -h->lead[i];
}

/** Whether a case's part is `fold`, or, for HCBR_I_NONE, any part but the ignored one. */
static inline bool hcbr_i_tuner_is_in(const hcbr_i_tuner *t, uint32_t part, uint32_t fold) {
    return fold == HCBR_I_NONE ? part != t->left_out : part == fold;
}

/* ---- the measure (tune_measure.c) ------------------------------------------------------------ */

/** Whether the goal is a measure of two labels. */
bool hcbr_i_tuner_is_pair_goal(hcbr_goal goal);
hcbr_i_measure hcbr_i_tuner_measure_of(hcbr_goal goal);
/** The tuning goal over all held-out cases; larger is better. */
double hcbr_i_tuner_measure(const hcbr_i_tuner *t, const hcbr_i_heldout *h);
/** Describe the choice of the rule: the measure without it and with it. */
void hcbr_i_tuner_say_why(const hcbr_i_tuner *t, double before, double after);

/* ---- the rule (tune_eta.c, tune_cut.c) ------------------------------------------------------- */

/** Allocate thresholds, all 0, and working memory. */
hcbr_status hcbr_i_tuner_need_eta(hcbr_i_tuner *t, hcbr_error *err);
/** Thresholds of rule R2: the mean over the parts or those of all parts together, whichever is
 *  better; none if neither helps. */
hcbr_status hcbr_i_tuner_choose_eta(hcbr_i_tuner *t, hcbr_error *err);
/** The same for a cut of two labels. */
hcbr_status hcbr_i_tuner_choose_cut(hcbr_i_tuner *t, hcbr_error *err);

#endif
