/*
 * Labels: whether there is more than one, whether one is rare, and whether the cases are sorted by
 * them. And coverage: how much of a tenth of the cases, with its share of every label, is known
 * from the others.
 */
#include "audit/audit.h"

enum { ENOUGH = 20, FOLDS = 10 };

static hcbr_status list_label(hcbr_audit *a, hcbr_finding_kind kind, uint32_t label, uint64_t count,
                              bool serious, uint32_t *which, hcbr_error *err) {
    size_t n = 0;
    if (!hcbr_i_audit_wants(a, kind))
        return HCBR_OK;
    for (uint32_t i = 0; i < a->cases->case_count && n < a->options.rows; i++)
        if (a->cases->label[i] == label)
            which[n++] = i;
    hcbr_finding f = {.kind = kind,
                      .serious = serious,
                      .count = count,
                      .label = (hcbr_label)label,
                      .share = (double)count / (double)a->figures.cases};
    return hcbr_i_audit_list(a, &f, which, n, NULL, 0, err);
}

/* In a random order a neighbour has another label with probability 1 - sum of p squared. */
static hcbr_status find_order(hcbr_audit *a, const uint64_t *count, uint32_t *which,
                              hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    double n = (double)cases->case_count, expected = n - 1;
    uint64_t changes = 0;
    size_t shown = 0;
    if (cases->case_count < ENOUGH || a->figures.labels < 2)
        return HCBR_OK;
    for (uint32_t l = 0; l < a->figures.labels; l++)
        expected -= (double)count[l] * ((double)count[l] - 1) / n;
    for (uint32_t i = 1; i < cases->case_count; i++)
        if (cases->label[i] != cases->label[i - 1]) {
            if (shown < a->options.rows)
                which[shown++] = i;
            changes++;
        }
    if ((double)changes >= expected / 2 || expected < 4 || !hcbr_i_audit_wants(a, HCBR_FOUND_ORDER))
        return HCBR_OK;
    hcbr_finding f = {.kind = HCBR_FOUND_ORDER,
                      .count = changes,
                      .label = HCBR_LABEL_UNKNOWN,
                      .share = (double)changes / expected};
    return hcbr_i_audit_list(a, &f, which, shown, NULL, 0, err);
}

hcbr_status hcbr_i_audit_labels(hcbr_audit *a, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    if (hcbr_i_audit_report(a, HCBR_I_AUDIT_LABELS, 0, 1, err) != HCBR_OK)
        return HCBR_ECANCELLED;
    uint64_t *count = hcbr_i_alloc_zero(a->figures.labels, sizeof *count);
    uint32_t *which = hcbr_i_alloc(cases->case_count, sizeof *which);
    hcbr_status st = count && which ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++)
        count[cases->label[i]]++;
    if (st == HCBR_OK && a->figures.labels == 1)
        st = list_label(a, HCBR_FOUND_ONE_LABEL, 0, count[0], true, which, err);
    for (uint32_t l = 0; st == HCBR_OK && a->figures.labels > 1 && l < a->figures.labels; l++)
        if (count[l] < FOLDS || (double)count[l] < 0.01 * (double)a->figures.cases)
            st = list_label(a, HCBR_FOUND_RARE_LABEL, l, count[l], false, which, err);
    if (st == HCBR_OK)
        st = find_order(a, count, which, err);
    hcbr_i_free(count);
    hcbr_i_free(which);
    return st;
}

/* ---- a tenth held out ------------------------------------------------------------------------ */

typedef struct holding {
    uint32_t *fold;
    bool *known;     /* by feature: whether a case that is not held out has it */
    bool *near;      /* by feature: whether its value is a number, a date or a text, which does not
                        count */
    uint32_t *which; /* held-out cases without a known feature */
} holding;

static hcbr_status hold_out(hcbr_audit *a, holding *h, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    uint64_t state = a->options.seed, all = 0, known = 0, n = cases->case_count;
    size_t strangers = 0;
    hcbr_status st = hcbr_i_folds_stratify(h->fold, cases->label, cases->case_count,
                                           a->figures.labels, FOLDS, &state, err);
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        st = hcbr_i_audit_tick(a, HCBR_I_AUDIT_COVERAGE, n + i, 2 * n, err);
        for (uint64_t k = cases->start[i]; h->fold[i] && k < cases->start[i + 1]; k++)
            h->known[cases->features[k]] = true;
    }
    if (st != HCBR_OK)
        return st;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t own = 0, count = 0;
        if (h->fold[i])
            continue;
        a->figures.held_out++;
        for (uint64_t k = cases->start[i]; k < cases->start[i + 1]; k++) {
            own += h->known[cases->features[k]] && !h->near[cases->features[k]];
            count += !h->near[cases->features[k]];
        }
        all += count;
        known += own;
        if (own == 0 && count > 0 && count == cases->start[i + 1] - cases->start[i])
            h->which[strangers++] = i;
    }
    if (all == 0)
        return HCBR_OK;
    a->figures.coverage = (double)known / (double)all;
    if (a->figures.coverage >= 0.5 && strangers * 10 <= a->figures.held_out)
        return HCBR_OK;
    if (!hcbr_i_audit_wants(a, HCBR_FOUND_COVERAGE))
        return HCBR_OK;
    hcbr_finding f = {.kind = HCBR_FOUND_COVERAGE,
                      .serious = 1,
                      .count = strangers,
                      .label = HCBR_LABEL_UNKNOWN,
                      .share = a->figures.coverage};
    return hcbr_i_audit_list(a, &f, h->which, strangers, NULL, 0, err);
}

hcbr_status hcbr_i_audit_coverage(hcbr_audit *a, hcbr_error *err) {
    if (a->cases->case_count < ENOUGH)
        return HCBR_OK;
    holding h = {.fold = hcbr_i_alloc(a->cases->case_count, sizeof *h.fold),
                 .known = hcbr_i_alloc_zero(a->figures.features, sizeof *h.known),
                 .near = hcbr_i_alloc_zero(a->figures.features, sizeof *h.near),
                 .which = hcbr_i_alloc(a->cases->case_count, sizeof *h.which)};
    bool room = h.fold && h.known && h.near && h.which;
    hcbr_status st = room ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t f = 0; st == HCBR_OK && f < a->figures.features; f++) {
        st = hcbr_i_audit_tick(a, HCBR_I_AUDIT_COVERAGE, f, 2 * (uint64_t)a->figures.features, err);
        hcbr_feature x;
        hcbr_cases_get_feature(a->cases, f, &x);
        h.near[f] = hcbr_i_own_has_near(x.value, x.value_length);
    }
    if (st == HCBR_OK)
        st = hold_out(a, &h, err);
    hcbr_i_free(h.fold);
    hcbr_i_free(h.known);
    hcbr_i_free(h.near);
    hcbr_i_free(h.which);
    return st;
}
