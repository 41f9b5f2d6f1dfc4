/*
 * Decisions of scored cases (METHOD 3, rules R1 and R2, cuts and costs), and whether a case is a
 * close call. Shared by new cases and held-out cases of training.
 */
#include "model/model.h"

#include <assert.h>

/* The label of a fallback. */
static hcbr_label fallback_label(const hcbr_i_scores *x, hcbr_label label) {
    return label == HCBR_LABEL_PRIOR ? x->prior : label;
}

/* Rule R2, by probabilities if the engine has them. A threshold of 0 has no effect, nor has a share
 * below one half. */
static hcbr_label by_thresholds(const hcbr_i_rule *rule, const hcbr_i_scores *x,
                                hcbr_reason *reason) {
    const hcbr_label winner = x->winner;
    const double *by_label = x->probable ? x->probability : x->support;
    assert(by_label); // such an engine always has probabilities
    const double support = by_label[winner], eta = rule->eta[winner];
    const double share = rule->eta_share[winner];
    if (eta > 0 && !hcbr_i_is_above(support, eta))
        *reason = HCBR_BY_LEAST;
    else if (share >= 0.5 && x->other != HCBR_I_NONE && !(by_label[x->other] < 0) &&
             !hcbr_i_is_above((1 - share) * support, share * by_label[x->other]))
        *reason = HCBR_BY_SHARE;
    else
        return winner;
    return fallback_label(x, rule->fallback[winner]);
}

/* A cut or costs. There are no thresholds then. */
static hcbr_label by_score(const hcbr_i_rule *rule, const hcbr_i_scores *x, hcbr_reason *reason) {
    hcbr_label label;
    assert(x->probability || (rule->has_cut && !x->probable)); // guaranteed when the rule was
                                                               // resolved
    if (!rule->has_cut)
        label = hcbr_i_costs_decide(&rule->costs, x->probability);
    else if (x->probable)
        label = hcbr_i_cut_decide(rule->cut, x->probability[1]);
    else
        label = hcbr_i_cut_support(rule->cut, x->winner == 1 ? x->lead : -x->lead);
    if (label == x->winner && label != HCBR_LABEL_UNKNOWN)
        return label;
    *reason = rule->has_cut ? HCBR_BY_CUT : HCBR_BY_COST;
    // All fallbacks of such a rule are the same.
    return label < 0 ? fallback_label(x, rule->fallback[0]) : label;
}

hcbr_label hcbr_i_rule_decide(const hcbr_i_rule *rule, const hcbr_i_scores *x,
                              hcbr_reason *reason) {
    if (rule->has_cut || rule->costs.by_given)
        return by_score(rule, x, reason);
    return x->winner < 0 ? x->winner : by_thresholds(rule, x, reason);
}

/* ---- close calls ----------------------------------------------------------------------------- */

/* The answer if the odds of a label against all others were multiplied by `times`. */
static hcbr_label decide_at(const hcbr_i_rule *rule, const hcbr_i_scores *x, uint32_t labels,
                            hcbr_label of, double times, double *room) {
    hcbr_i_scores at = *x;
    hcbr_reason reason;
    double sum = 1 + (times - 1) * x->probability[of];
    at.probability = room;
    at.winner = 0;
    at.other = HCBR_I_NONE;
    for (uint32_t l = 0; l < labels; l++)
        room[l] = x->probability[l] * ((hcbr_label)l == of ? times : 1) / sum;
    for (uint32_t l = 1; l < labels; l++)
        at.winner = room[l] > room[at.winner] ? (hcbr_label)l : at.winner;
    for (uint32_t l = 0; l < labels; l++)
        if ((hcbr_label)l != at.winner && (at.other == HCBR_I_NONE || room[l] > room[at.other]))
            at.other = l;
    return hcbr_i_rule_decide(rule, &at, &reason);
}

bool hcbr_i_rule_is_close(const hcbr_i_rule *rule, const hcbr_i_scores *x, uint32_t labels,
                          hcbr_label label, double *room) {
    const bool by_probability = x->probable || rule->costs.by_given;
    const hcbr_label of = label >= 0 ? label : x->winner;
    if (!by_probability || labels < 2 || x->winner < 0)
        return false;
    return decide_at(rule, x, labels, of, HCBR_CLOSE_ODDS, room) != label ||
           decide_at(rule, x, labels, of, 1 / HCBR_CLOSE_ODDS, room) != label;
}

static bool same_costs(const hcbr_i_costs *a, const hcbr_i_costs *b) {
    if (!a->by_given != !b->by_given || a->price_count != b->price_count)
        return false;
    for (uint32_t i = 0; i < a->price_count; i++)
        if (a->prices[i].truth != b->prices[i].truth || a->prices[i].given != b->prices[i].given ||
            a->prices[i].cost != b->prices[i].cost)
            return false;
    return true;
}

bool hcbr_i_rule_is_same(const hcbr_i_rule *a, const hcbr_i_rule *b, uint32_t labels) {
    if (a->has_cut != b->has_cut || !same_costs(&a->costs, &b->costs) ||
        (a->has_cut && (a->cut.low != b->cut.low || a->cut.high != b->cut.high)))
        return false;
    const bool refuses = a->has_cut || a->costs.refuses;
    for (uint32_t l = 0; l < labels; l++) {
        const bool asks = a->eta[l] > 0 || a->eta_share[l] >= 0.5;
        if (asks != (b->eta[l] > 0 || b->eta_share[l] >= 0.5) ||
            ((asks || refuses) && a->fallback[l] != b->fallback[l]) ||
            (asks && (a->eta[l] != b->eta[l] || a->eta_share[l] != b->eta_share[l])))
            return false;
    }
    return true;
}
