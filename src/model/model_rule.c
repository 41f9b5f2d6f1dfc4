/*
 * The decision rule of a model (METHOD 3, rule R2), from the caller's words to the model's own
 * labels.
 *
 * A resolved rule has eta >= 0 finite, eta_share in [0,1) and a fallback for every label; a rule
 * with a cut or with costs has no eta. The words "auto", "unknown" and "prior" always mean the
 * default, no decision and the most frequent label, even if a label has that name.
 */
#include "model/model.h"

#include <math.h>

bool hcbr_i_eta_is_good(double eta) {
    return isfinite(eta) && eta >= 0;
}

bool hcbr_i_share_is_good(double share) {
    return share >= 0 && share < 1;
}

/** The label of a fallback given by name. */
static hcbr_status resolve_fallback(hcbr_label *out, const char *name, const hcbr_i_labels *labels,
                                    hcbr_error *err) {
    char quoted[200];
    if (strcmp(name, "unknown") == 0 || strcmp(name, "auto") == 0) {
        *out = HCBR_LABEL_UNKNOWN;
        return HCBR_OK;
    }
    if (strcmp(name, "prior") == 0) {
        *out = HCBR_LABEL_PRIOR;
        return HCBR_OK;
    }
    uint32_t label = hcbr_i_labels_find(labels, name, strlen(name));
    if (label == HCBR_I_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "fall-back %s is no label of the model, expected one, 'auto', "
                           "'unknown' or 'prior'",
                           hcbr_i_quote(quoted, name, strlen(name)));
    *out = (hcbr_label)label;
    return HCBR_OK;
}

/** One threshold; seen[label]: the label had one before. */
static hcbr_status resolve_threshold(hcbr_i_rule *out, const hcbr_threshold *threshold,
                                     const hcbr_i_labels *labels, bool *seen, hcbr_error *err) {
    char quoted[200], number[HCBR_NUMBER_SIZE];
    if (!threshold->label)
        return hcbr_i_fail(err, HCBR_EUSAGE, "a threshold without a label, expected its name");
    hcbr_i_quote(quoted, threshold->label, strlen(threshold->label));
    uint32_t label = hcbr_i_labels_find(labels, threshold->label, strlen(threshold->label));
    if (label == HCBR_I_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE, "threshold for %s, which is no label of the model",
                           quoted);
    if (seen[label])
        return hcbr_i_fail(err, HCBR_EUSAGE, "two thresholds for label %s, expected one", quoted);
    seen[label] = true;
    if (!hcbr_i_eta_is_good(threshold->eta)) {
        hcbr_number_format(number, threshold->eta);
        return hcbr_i_fail(err, HCBR_EUSAGE, "eta of label %s is %s, expected a number >= 0",
                           quoted, number);
    }
    if (!hcbr_i_share_is_good(threshold->eta_share)) {
        hcbr_number_format(number, threshold->eta_share);
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "eta share of label %s is %s, expected a number >= 0 and < 1", quoted,
                           number);
    }
    out->eta[label] = threshold->eta;
    out->eta_share[label] = threshold->eta_share;
    return threshold->fallback
               ? resolve_fallback(&out->fallback[label], threshold->fallback, labels, err)
               : HCBR_OK;
}

bool hcbr_i_rule_refuses(const hcbr_i_rule *rule, uint32_t label_count) {
    for (uint32_t l = 0; l < label_count; l++)
        if ((rule->eta[l] > 0 || rule->eta_share[l] >= 0.5) &&
            rule->fallback[l] == HCBR_LABEL_UNKNOWN)
            return true;
    return rule->has_cut && rule->cut.low < rule->cut.high &&
           rule->fallback[0] == HCBR_LABEL_UNKNOWN;
}

void hcbr_i_rule_settle(hcbr_i_rule *rule, uint32_t label_count, bool rich) {
    if (rule->on_nothing == HCBR_LABEL_PROBABLE &&
        (!rich || hcbr_i_rule_refuses(rule, label_count)))
        rule->on_nothing = HCBR_LABEL_UNKNOWN;
}

/** A cut or costs, which exclude other rules. */
static hcbr_status resolve_kind(hcbr_i_rule *out, const hcbr_rule *rule,
                                const hcbr_i_labels *labels, bool probable, hcbr_error *err) {
    const bool costs = rule->by_cost || rule->cost_count > 0;
    if (!rule->cut && !costs)
        return HCBR_OK;
    for (uint32_t l = 0; l < labels->count; l++)
        if (out->eta[l] > 0 || out->eta_share[l] > 0 || (rule->cut && costs))
            return hcbr_i_fail(
                err, HCBR_EUSAGE,
                "found a rule of several kinds, expected thresholds, a cut or costs");
    if (costs && !probable)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "costs and no probabilities to weigh them with, expected a rich or a "
                           "calibrated model");
    if (costs)
        return hcbr_i_costs_make(&out->costs, labels, rule->costs, rule->cost_count, NULL, NULL,
                                 err);
    if (labels->count != 2)
        return hcbr_i_fail(err, HCBR_EUSAGE, "a cut and %u labels, expected two", labels->count);
    if (!isfinite(rule->cut->low) || !isfinite(rule->cut->high) || rule->cut->low > rule->cut->high)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a cut at %g and %g, expected finite numbers, the second not below the "
                           "first",
                           rule->cut->low, rule->cut->high);
    out->cut = *rule->cut;
    out->has_cut = true;
    return HCBR_OK;
}

/** The answer if nothing is known, by the general fallback. */
static hcbr_label on_nothing(const char *fallback, hcbr_label label) {
    if (!fallback || strcmp(fallback, "auto") == 0)
        return HCBR_LABEL_PROBABLE;
    return label == HCBR_LABEL_PRIOR ? HCBR_LABEL_PRIOR : HCBR_LABEL_UNKNOWN;
}

hcbr_status hcbr_i_rule_resolve(hcbr_i_rule *out, const hcbr_rule *given,
                                const hcbr_i_labels *labels, hcbr_i_rule_kind kind,
                                hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    hcbr_rule rule;
    hcbr_label fallback = HCBR_LABEL_UNKNOWN;
    bool *seen = NULL;
    hcbr_rule_init(&rule);
    if (given)
        rule = *given;
    *out = (hcbr_i_rule){0};
    if (rule.fallback && (st = resolve_fallback(&fallback, rule.fallback, labels, err)))
        return st;
    out->eta = hcbr_i_alloc_zero(labels->count, sizeof *out->eta);
    out->eta_share = hcbr_i_alloc_zero(labels->count, sizeof *out->eta_share);
    out->fallback = hcbr_i_alloc(labels->count, sizeof *out->fallback);
    seen = hcbr_i_alloc_zero(labels->count, sizeof *seen);
    if (!out->eta || !out->eta_share || !out->fallback || !seen) {
        st = hcbr_i_no_memory(err);
        goto done;
    }
    for (uint32_t l = 0; l < labels->count; l++)
        out->fallback[l] = fallback;
    out->on_nothing = on_nothing(rule.fallback, fallback);
    out->memory = rule.memory != 0;
    for (size_t i = 0; i < rule.threshold_count && st == HCBR_OK; i++)
        st = resolve_threshold(out, &rule.thresholds[i], labels, seen, err);
    if (st == HCBR_OK)
        st = resolve_kind(out, &rule, labels, kind.probable, err);
    if (st == HCBR_OK)
        hcbr_i_rule_settle(out, labels->count, kind.rich);

done:
    hcbr_i_free(seen);
    if (st != HCBR_OK)
        hcbr_i_rule_clear(out);
    return st;
}

hcbr_status hcbr_i_rule_copy(hcbr_i_rule *out, const hcbr_i_rule *rule, uint32_t label_count,
                             hcbr_error *err) {
    *out = *rule;
    out->costs = (hcbr_i_costs){0};
    out->eta = hcbr_i_alloc(label_count, sizeof *out->eta);
    out->eta_share = hcbr_i_alloc(label_count, sizeof *out->eta_share);
    out->fallback = hcbr_i_alloc(label_count, sizeof *out->fallback);
    hcbr_status st = out->eta && out->eta_share && out->fallback ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK && rule->costs.by_given)
        st = hcbr_i_costs_copy(&out->costs, &rule->costs, err);
    if (st != HCBR_OK) {
        hcbr_i_rule_clear(out);
        return st;
    }
    memcpy(out->eta, rule->eta, label_count * sizeof *out->eta);
    memcpy(out->eta_share, rule->eta_share, label_count * sizeof *out->eta_share);
    memcpy(out->fallback, rule->fallback, label_count * sizeof *out->fallback);
    return HCBR_OK;
}

void hcbr_i_rule_clear(hcbr_i_rule *rule) {
    hcbr_i_free(rule->eta);
    hcbr_i_free(rule->eta_share);
    hcbr_i_free(rule->fallback);
    hcbr_i_costs_clear(&rule->costs);
    *rule = (hcbr_i_rule){0};
}
