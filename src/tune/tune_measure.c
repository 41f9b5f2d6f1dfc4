/*
 * The quality of the answers to held-out cases by the rule chosen so far. While thresholds or cuts
 * of parts are compared, each case is answered by those of its own part.
 */
#include "tuner.h"

#include <stdio.h>

bool hcbr_i_tuner_is_pair_goal(hcbr_goal goal) {
    return goal == HCBR_GOAL_BALANCED || goal == HCBR_GOAL_F1 || goal == HCBR_GOAL_MCC;
}

double hcbr_i_heldout_share(const hcbr_i_heldout *h, uint32_t i, uint32_t winner) {
    const double *support = h->support + (size_t)i * h->label_count;
    double other = 0;
    bool any = false;
    for (uint32_t l = 0; l < h->label_count; l++)
        if (l != winner && (!any || support[l] > other)) {
            other = support[l];
            any = true;
        }
    return any ? hcbr_i_eta_share(support[winner], other) : 1;
}

/** The answer to held-out case i by the rule chosen so far. */
static hcbr_label answer(const hcbr_i_tuner *t, const hcbr_i_heldout *h, uint32_t i) {
    hcbr_label l = h->winner[i];
    const hcbr_i_tuned *out = t->out;
    if (l == HCBR_LABEL_UNKNOWN)
        return l;
    if (t->cuts || out->has_cut)
        return hcbr_i_cut_decide(t->cuts ? t->cuts[h->fold[i]] : out->cut,
                                 hcbr_i_tuner_score(t, h, i));
    if (out->costs.by_given)
        return hcbr_i_costs_decide(&out->costs, h->support + (size_t)i * h->label_count);
    if (!out->eta)
        return l;
    const hcbr_i_eta *eta = t->by_part ? t->by_part + (size_t)h->fold[i] * t->labels : out->eta;
    double support = h->support[(size_t)i * h->label_count + (uint32_t)l];
    if (hcbr_i_eta_passes(eta[l], support, hcbr_i_heldout_share(h, i, (uint32_t)l)))
        return l;
    return out->fallback[l];
}

hcbr_i_measure hcbr_i_tuner_measure_of(hcbr_goal goal) {
    return goal == HCBR_GOAL_BALANCED ? HCBR_I_BALANCED
           : goal == HCBR_GOAL_F1     ? HCBR_I_F1
           : goal == HCBR_GOAL_MCC    ? HCBR_I_MCC
                                      : HCBR_I_ACCURACY;
}

double hcbr_i_tuner_measure(const hcbr_i_tuner *t, const hcbr_i_heldout *h) {
    double right = 0, cost = 0, decided[2] = {0, 0}, all[2] = {0, 0};
    for (uint32_t i = 0; i < h->case_count; i++) {
        uint32_t truth = h->label[i], other = truth != t->positive;
        hcbr_label given = answer(t, h, i);
        double w = hcbr_i_heldout_weight(h, i);
        right += given == (hcbr_label)truth ? w : 0;
        cost += w * hcbr_i_tuner_cost(t, truth, given);
        all[other] += w;
        decided[other] += given == (hcbr_label)t->positive ? w : 0;
    }
    double count = all[0] + all[1];
    if (hcbr_i_tuner_is_pair_goal(t->options->goal))
        return hcbr_i_measure_value(hcbr_i_tuner_measure_of(t->options->goal), decided[0],
                                    decided[1], all[0], all[1]);
    if (count <= 0)
        return 0;
    return t->options->goal == HCBR_GOAL_COST ? -cost / count : right / count;
}

void hcbr_i_tuner_say_why(const hcbr_i_tuner *t, double before, double after) {
    static const char *const names[] = {"", "accuracy", "balanced accuracy", "f1", "mcc", "cost"};
    double sign = t->costs.by_given ? -1 : 1;
    uint32_t folds = t->out->heldout.fold_count;
    if (after > before)
        snprintf(t->out->why, sizeof t->out->why,
                 "%s %.4f without thresholds, %.4f with them, on %u held-out parts judged by what "
                 "the others chose",
                 names[t->options->goal], sign * before, sign * after, folds);
    else
        snprintf(t->out->why, sizeof t->out->why,
                 "%s %.4f on %u held-out parts; thresholds chosen on some were no better on others",
                 names[t->options->goal], sign * before, folds);
}
