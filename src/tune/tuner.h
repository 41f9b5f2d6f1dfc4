/**
 * @file tuner.h
 * What the steps of tuning share; private to src/tune.
 */
#ifndef HCBR_I_TUNER_H
#define HCBR_I_TUNER_H

#include "tune/tune.h"

/** Tuning at work. */
typedef struct hcbr_i_tuner {
    const struct hcbr_cases *cases;
    const hcbr_tune_options *options;
    hcbr_i_tuned *out;
    uint32_t labels;
    uint32_t positive;
    bool probable;      /**< supports are probabilities */
    bool calibrated;    /**< they will become probabilities */
    hcbr_i_costs costs; /**< by_given is NULL: 1 for every wrong answer */
    double unit;        /**< of a value */
    hcbr_i_eta_point *points;
    uint32_t *point_of; /**< cases of the points, while a label is tuned */
    double *truths;     /**< weight of them, by label */
    hcbr_i_cut_point *scores;
    uint32_t left_out;   /**< a part that is not looked at; HCBR_I_NONE: none */
    hcbr_i_eta *by_part; /**< while they are compared: thresholds for each part, by label */
    hcbr_cut *cuts;      /**< the same: cuts */
    const hcbr_i_heldout_options *watch; /**< whose progress it is */
    uint64_t done, steps;                /**< labels of parts, or parts */
} hcbr_i_tuner;

/** Before a step, and after the last: report, and ask whether to stop. */
hcbr_status hcbr_i_tuner_step(hcbr_i_tuner *t, hcbr_error *err);

/* ---- one held-out case ----------------------------------------------------------------------- */

/** What it counts. */
static inline double hcbr_i_heldout_weight(const hcbr_i_heldout *h, uint32_t i) {
    return h->weight ? h->weight[i] : 1;
}

/** What giving a label or nothing costs. */
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

/** Is a case's part the one looked at, or one of all (HCBR_I_NONE) but the one left out? */
static inline bool hcbr_i_tuner_is_in(const hcbr_i_tuner *t, uint32_t part, uint32_t fold) {
    return fold == HCBR_I_NONE ? part != t->left_out : part == fold;
}

/* ---- all of them (tune_measure.c) ------------------------------------------------------------ */

/** Is the goal a measure of two labels? */
bool hcbr_i_tuner_is_pair_goal(hcbr_goal goal);
hcbr_i_measure hcbr_i_tuner_measure_of(hcbr_goal goal);
/** The measure that is tuned for, over all held-out cases; larger is better. */
double hcbr_i_tuner_measure(const hcbr_i_tuner *t, const hcbr_i_heldout *h);
/** Say what the rule was chosen by: the measure without it and with it. */
void hcbr_i_tuner_say_why(const hcbr_i_tuner *t, double before, double after);

/* ---- the rule (tune_eta.c, tune_cut.c) ------------------------------------------------------- */

/** Room for thresholds, all 0, and what they are chosen with. */
hcbr_status hcbr_i_tuner_need_eta(hcbr_i_tuner *t, hcbr_error *err);
/** Thresholds of rule R2: the better of the mean over the parts and of all parts together; none if
 *  neither helps. */
hcbr_status hcbr_i_tuner_choose_eta(hcbr_i_tuner *t, hcbr_error *err);
/** The same for a cut of two labels. */
hcbr_status hcbr_i_tuner_choose_cut(hcbr_i_tuner *t, hcbr_error *err);

#endif
