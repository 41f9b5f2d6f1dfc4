/*
 * How reliable a model is, judged by the purpose of its rule: costs, the answers that it gives,
 * the order of the cases, or right answers; and whether its probabilities are calibrated.
 *
 * Invariant: nothing is called better unless chance explains the difference in at most one of
 * twenty evaluations, and exactly right probabilities are called wrong in no more.
 */
#include "evaluate/evaluate.h"

#include <math.h>

#define UNBALANCED 0.8  /* share of a label that hides how well the others are recognised */
#define UNDECIDED 0.005 /* share of cases without an answer that is reported */
#define CALIBRATED 0.05 /* acceptable calibration error beyond that of chance */

static hcbr_figure figure_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, HCBR_LABEL_UNKNOWN, &figure);
    return figure;
}

/* ---- purpose --------------------------------------------------------------------------------- */

static double largest_share(const hcbr_i_counts *c) {
    double most = 0;
    for (uint32_t l = 0; l < c->label_count; l++)
        most = fmax(most, c->truth[l]);
    return c->all > 0 ? most / c->all : NAN;
}

static hcbr_purpose purpose_of(const hcbr_evaluation *e, double share) {
    bool ranks = !isnan(figure_of(e, HCBR_METRIC_AUC).value);
    if (e->has_costs)
        return HCBR_PURPOSE_COST;
    if (share >= UNBALANCED && ranks)
        return HCBR_PURPOSE_UNBALANCED;
    if (e->counts.undecided > UNDECIDED * e->counts.all && e->counts.undecided < e->counts.all)
        return HCBR_PURPOSE_ANSWERS;
    return e->has_cut && ranks ? HCBR_PURPOSE_CUT : HCBR_PURPOSE_ACCURACY;
}

static hcbr_metric metric_of(hcbr_purpose purpose) {
    switch (purpose) {
    case HCBR_PURPOSE_COST:
        return HCBR_METRIC_COST;
    case HCBR_PURPOSE_ANSWERS:
        return HCBR_METRIC_DECIDED;
    case HCBR_PURPOSE_UNBALANCED:
    case HCBR_PURPOSE_CUT:
        return HCBR_METRIC_AUC;
    case HCBR_PURPOSE_ACCURACY:
        break;
    }
    return HCBR_METRIC_ACCURACY;
}

/* ---- comparison with one answer for all ------------------------------------------------------ */

/* Whether, of the cases that only one of the two gets right, more than half are the model's. */
static bool gets_more_right(const hcbr_evaluation *e) {
    const hcbr_i_summed gain = e->right.gain;
    double differ = gain.squares / e->repeats, won = (differ + gain.sum / e->repeats) / 2;
    double low = 0, high = 0;
    if (differ > 0)
        hcbr_i_wilson(won, differ, &low, &high);
    return low > 0.5;
}

static void compare(const hcbr_evaluation *e, hcbr_verdict *v) {
    switch (v->purpose) {
    case HCBR_PURPOSE_COST:
        v->baseline = e->cost.constant / e->counts.all;
        v->better = hcbr_i_mean_range(e->cost.gain, e->counts.all, e->repeats).low > 0;
        break;
    case HCBR_PURPOSE_UNBALANCED:
    case HCBR_PURPOSE_CUT:
        v->baseline = 0.5;
        v->better = v->low > v->baseline;
        break;
    case HCBR_PURPOSE_ANSWERS:
        v->baseline = e->right.constant / e->counts.all;
        v->better = v->low > v->baseline;
        break;
    case HCBR_PURPOSE_ACCURACY:
        v->baseline = e->right.constant / e->counts.all;
        v->better = gets_more_right(e);
        break;
    }
}

static hcbr_grade grade_of(const hcbr_evaluation *e, const hcbr_verdict *v) {
    bool costs = v->purpose == HCBR_PURPOSE_COST;
    double way = costs ? 1 - v->value / v->baseline : (v->value - v->baseline) / (1 - v->baseline);
    double mcc = figure_of(e, HCBR_METRIC_MCC).value;
    if (!v->better)
        return HCBR_GRADE_NONE;
    if (v->metric == HCBR_METRIC_AUC)
        return v->value >= 0.9   ? HCBR_GRADE_GOOD
               : v->value >= 0.7 ? HCBR_GRADE_USEFUL
                                 : HCBR_GRADE_WEAK;
    if (v->purpose == HCBR_PURPOSE_ACCURACY)
        return mcc >= 0.7 && way >= 0.5 ? HCBR_GRADE_GOOD
               : mcc >= 0.4             ? HCBR_GRADE_USEFUL
                                        : HCBR_GRADE_WEAK;
    return way >= 0.5 ? HCBR_GRADE_GOOD : way >= 0.2 ? HCBR_GRADE_USEFUL : HCBR_GRADE_WEAK;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void judge_probabilities(const hcbr_evaluation *e, hcbr_verdict *v) {
    hcbr_i_bins bins;
    v->error = figure_of(e, HCBR_METRIC_ECE).value;
    v->error_mean = v->error_most = NAN;
    if (isnan(v->error))
        return;
    hcbr_i_repeat_bins(&bins, e, 0, false);
    hcbr_i_chance chance = hcbr_i_bins_chance(&bins);
    v->error_mean = chance.mean;
    v->error_most = chance.most;
    v->calibrated = !(v->error > chance.most && v->error >= chance.mean + CALIBRATED);
}

void hcbr_evaluation_get_verdict(const hcbr_evaluation *e, hcbr_verdict *verdict) {
    hcbr_verdict full = {.share = largest_share(&e->counts)};
    full.purpose = purpose_of(e, full.share);
    full.metric = metric_of(full.purpose);
    hcbr_figure figure = figure_of(e, full.metric);
    full.value = figure.value;
    full.low = figure.low;
    full.high = figure.high;
    compare(e, &full);
    full.grade = grade_of(e, &full);
    judge_probabilities(e, &full);
    hcbr_i_hand_out(verdict, &full, sizeof full);
}
