/*
 * Consistency of the parts of a model (docs/FORMAT.md, the column "rule").
 *
 * A model that passes can be used without further checks: every index is below its bound, every
 * number finite, every count right. The reader has checked the lengths of arrays, texts, atoms.of,
 * the lengths of rows and the cases of moves, without which nothing could be stored.
 */
#include "model/model.h"

#include <math.h>

#define LL(x) ((unsigned long long)(x))
#define L(x) ((unsigned long)(x))

/* ---- labels and rule ------------------------------------------------------------------------- */

static hcbr_status check_labels(const hcbr_model *m, hcbr_error *err) {
    uint64_t sum = 0;
    if (!hcbr_i_labels_sorted(&m->labels))
        return hcbr_i_model_bad(
            err, HCBR_I_LABELS,
            "not in order, expected by value if all are numbers, else by bytes");
    for (uint32_t l = 0; l < m->labels.count; l++) {
        if (m->label_cases[l] < 1 || m->label_cases[l] > m->case_count)
            return hcbr_i_model_bad(err, HCBR_I_LABELS,
                                    "label %lu has %llu cases, expected 1 to %llu", L(l),
                                    LL(m->label_cases[l]), LL(m->case_count));
        sum += m->label_cases[l];
    }
    if (sum != m->case_count)
        return hcbr_i_model_bad(err, HCBR_I_LABELS, "labels have %llu cases, expected %llu",
                                LL(sum), LL(m->case_count));
    return HCBR_OK;
}

/** A rule has thresholds, a cut or costs. */
static hcbr_status check_kind(const hcbr_model *m, hcbr_error *err) {
    const hcbr_i_rule *rule = &m->rule;
    const bool costs = rule->costs.by_given;
    const hcbr_i_section section = costs ? HCBR_I_COSTS : HCBR_I_CUT;
    if (!costs && !rule->has_cut)
        return HCBR_OK;
    if (costs && rule->has_cut)
        return hcbr_i_model_bad(err, section, "present, expected none beside a cut");
    if (costs && !m->engine->probable && m->calibration.kind == HCBR_CALIBRATE_NONE)
        return hcbr_i_model_bad(err, section, "present, expected none without probabilities");
    for (uint32_t l = 0; l < m->labels.count; l++)
        if (rule->eta[l] > 0 || rule->eta_share[l] > 0)
            return hcbr_i_model_bad(err, section, "present, expected none beside thresholds");
    return HCBR_OK;
}

static hcbr_status check_rule(const hcbr_model *m, hcbr_error *err) {
    const hcbr_i_rule *rule = &m->rule;
    const uint32_t labels = m->labels.count;
    for (uint32_t l = 0; l < labels; l++) {
        if (!hcbr_i_eta_is_good(rule->eta[l]))
            return hcbr_i_model_bad(err, HCBR_I_RULE,
                                    "eta of label %lu is %s, expected a number >= 0", L(l),
                                    hcbr_i_number_text(rule->eta[l]).text);
        if (!hcbr_i_share_is_good(rule->eta_share[l]))
            return hcbr_i_model_bad(err, HCBR_I_RULE,
                                    "share of label %lu is %s, expected a number >= 0 and < 1",
                                    L(l), hcbr_i_number_text(rule->eta_share[l]).text);
        if (rule->fallback[l] < HCBR_LABEL_PRIOR || rule->fallback[l] >= (int64_t)labels)
            return hcbr_i_model_bad(err, HCBR_I_RULE,
                                    "fall-back of label %lu is %ld, expected -2 to %ld", L(l),
                                    (long)rule->fallback[l], (long)labels - 1);
    }
    if (rule->memory && m->keep == HCBR_KEEP_NONE)
        return hcbr_i_model_bad(err, HCBR_I_RULE, "memory is 1, expected 0 where no case is kept");
    if (rule->on_nothing > HCBR_LABEL_UNKNOWN || rule->on_nothing < HCBR_LABEL_PROBABLE)
        return hcbr_i_model_bad(err, HCBR_I_RULE, "answer on nothing is %ld, expected -3 to -1",
                                (long)rule->on_nothing);
    if (rule->on_nothing == HCBR_LABEL_PROBABLE &&
        (!m->engine->probable || hcbr_i_rule_refuses(rule, labels)))
        return hcbr_i_model_bad(err, HCBR_I_RULE,
                                "answer on nothing is -3, expected -1 or -2 in a plain model and "
                                "where a threshold gives no decision");
    return check_kind(m, err);
}

static hcbr_status check_passes(const hcbr_model *m, hcbr_error *err) {
    const uint64_t filled = m->case_count - m->empty_count;
    for (uint32_t p = 0; p < m->passes; p++)
        if (m->pass_errors[p] > filled)
            return hcbr_i_model_bad(err, HCBR_I_PASSES,
                                    "%llu wrong decisions in pass %lu, expected at most %llu",
                                    LL(m->pass_errors[p]), L(p), LL(filled));
    return HCBR_OK;
}

static hcbr_status check_rows(const hcbr_model *m, hcbr_error *err) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < m->case_count; i++) {
        if (m->kept_row[i] <= before)
            return hcbr_i_model_bad(err, HCBR_I_ROWS, "row %llu of case %llu, expected above %llu",
                                    LL(m->kept_row[i]), LL(i), LL(before));
        before = m->kept_row[i];
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_validate(const hcbr_model *m, bool fitted, hcbr_error *err) {
    const hcbr_i_frame frame = hcbr_i_model_frame(m);
    hcbr_status st;
    if ((st = check_labels(m, err)) != HCBR_OK || (st = check_rule(m, err)) != HCBR_OK ||
        (st = check_passes(m, err)) != HCBR_OK ||
        (st = m->engine->check(m->state, &frame, fitted, err)) != HCBR_OK ||
        (st = hcbr_i_model_check_beliefs(m, err)) != HCBR_OK)
        return st;
    return m->keep != HCBR_KEEP_NONE && m->kept_row ? check_rows(m, err) : HCBR_OK;
}
