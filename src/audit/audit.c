/*
 * An audit: figures and findings of a case base, collected kind by kind and listed in the order of
 * the kinds, so that serious ones come first.
 */
#include "audit/audit.h"

#include <math.h>
#include <stdlib.h>

const char *hcbr_finding_name(hcbr_finding_kind kind) {
    static const char *const names[HCBR_FOUND_KINDS] = {
        "one label",  "leak",  "leaking key", "ids",      "contradiction", "coverage", "empty",
        "rare label", "order", "duplicate",   "constant", "one-off",       "text"};
    return (unsigned)kind < HCBR_FOUND_KINDS ? names[kind] : "unknown";
}

static void *take(hcbr_audit *a, size_t count, size_t size) {
    if (!hcbr_i_grow(&a->blocks, &a->block_capacity, a->block_count + 1, sizeof *a->blocks))
        return NULL;
    void *block = hcbr_i_alloc_zero(count, size);
    if (block)
        a->blocks[a->block_count++] = block;
    return block;
}

bool hcbr_i_audit_wants(hcbr_audit *a, hcbr_finding_kind kind) {
    return a->found[kind]++ < a->options.most;
}

hcbr_status hcbr_i_audit_list(hcbr_audit *a, const hcbr_finding *finding, const uint32_t *which,
                              size_t count, const hcbr_i_feature_id *features, size_t feature_count,
                              hcbr_error *err) {
    size_t most = a->options.rows;
    hcbr_finding f = *finding;
    f.size = sizeof f;
    f.row_count = count < most ? count : most;
    f.feature_count = feature_count < most ? feature_count : most;
    uint64_t *rows = take(a, f.row_count, sizeof *rows);
    hcbr_feature *names = take(a, f.feature_count, sizeof *names);
    if (!rows || !names ||
        !hcbr_i_grow(&a->findings, &a->finding_capacity, a->finding_count + 1, sizeof *a->findings))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < f.row_count; i++)
        rows[i] = a->cases->row ? a->cases->row[which[i]] : (uint64_t)which[i] + 1;
    for (size_t i = 0; i < f.feature_count; i++)
        hcbr_cases_get_feature(a->cases, features[i], &names[i]);
    f.rows = rows;
    f.features = names;
    a->figures.serious += f.serious != 0;
    a->findings[a->finding_count++] = f;
    return HCBR_OK;
}

/* ---- progress -------------------------------------------------------------------------------- */

#ifdef HCBR_FAULTS
uint32_t hcbr_i_audit_stride = HCBR_I_AUDIT_STRIDE;
#endif

#define WAY 1000u

hcbr_status hcbr_i_audit_report(hcbr_audit *a, hcbr_i_audit_step step, uint64_t done,
                                uint64_t total, hcbr_error *err) {
    // the start of each step, by typical duration
    static const uint32_t begin[] = {0, 100, 250, 400, 500, 650, 850, 950, 970, WAY, WAY};
    const double part = total ? (double)done / (double)total : 0;
    const uint32_t way = begin[step] + (uint32_t)(part * (begin[step + 1] - begin[step]));
    return hcbr_i_ask(a->options.progress, a->options.progress_context, "audit", way, WAY, err);
}

/* An hcbr_progress_fn, called while numbers are spelled. */
static int report_spelled(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)stage;
    return hcbr_i_audit_report(context, HCBR_I_AUDIT_SPELL, done, total, NULL) != HCBR_OK;
}

/* ---- an audit -------------------------------------------------------------------------------- */

/* Sort by kind; findings of one kind keep their order. */
static void sort_findings(hcbr_audit *a) {
    for (size_t i = 1; i < a->finding_count; i++) {
        hcbr_finding f = a->findings[i];
        size_t k = i;
        for (; k > 0 && a->findings[k - 1].kind > f.kind; k--)
            a->findings[k] = a->findings[k - 1];
        a->findings[k] = f;
    }
}

static hcbr_status find_empty(hcbr_audit *a, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    if (cases->empty_count == 0 || !hcbr_i_audit_wants(a, HCBR_FOUND_EMPTY))
        return HCBR_OK;
    uint32_t *which = hcbr_i_alloc(cases->empty_count, sizeof *which);
    size_t n = 0;
    if (!which)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (cases->start[i] == cases->start[i + 1])
            which[n++] = i;
    hcbr_finding f = {.kind = HCBR_FOUND_EMPTY,
                      .count = n,
                      .label = HCBR_LABEL_UNKNOWN,
                      .share = (double)n / (double)cases->case_count};
    f.serious = f.share > 0.1;
    hcbr_status st = hcbr_i_audit_list(a, &f, which, n, NULL, 0, err);
    hcbr_i_free(which);
    return st;
}

static hcbr_status run(hcbr_audit *a, const struct hcbr_cases *cases, hcbr_error *err) {
    a->cases = cases;
    a->figures = (hcbr_audit_figures){.cases = cases->case_count,
                                      .empty = cases->empty_count,
                                      .occurrences = cases->start[cases->case_count],
                                      .features = hcbr_i_dict_count(cases->dict),
                                      .keys = hcbr_i_dict_key_count(cases->dict),
                                      .labels = cases->labels.count,
                                      .coverage = NAN};
    hcbr_status st = find_empty(a, err);
    if (st == HCBR_OK)
        st = hcbr_i_audit_same(a, err);
    if (st == HCBR_OK)
        st = hcbr_i_audit_columns(a, err);
    if (st == HCBR_OK)
        st = hcbr_i_audit_labels(a, err);
    if (st == HCBR_OK)
        st = hcbr_i_audit_coverage(a, err);
    sort_findings(a);
    return st == HCBR_OK ? hcbr_i_audit_report(a, HCBR_I_AUDIT_END, 0, 1, err) : st;
}

/* The number of features of a rich model, as training and evaluation count them. */
static hcbr_status count_features(hcbr_audit *a, const struct hcbr_cases *cases, hcbr_error *err) {
    hcbr_train_options rich;
    hcbr_cases *understood = NULL;
    hcbr_train_options_init(&rich);
    hcbr_status st = hcbr_i_model_understand(&understood, cases, &rich, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_value_count(&a->figures.model_features, understood ? understood : cases,
                                      NULL, err);
    hcbr_cases_free(understood);
    return st;
}

hcbr_status hcbr_audit_create(hcbr_audit **out, const hcbr_cases *cases,
                              const hcbr_audit_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    if (!cases->finished || cases->consumed)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the list of cases is not finished, or a model has used it up");
    hcbr_audit *a = hcbr_i_alloc_zero(1, sizeof *a);
    if (!a)
        return hcbr_i_no_memory(err);
    hcbr_audit_options_init(&a->options);
    if (options)
        a->options = *options;
    hcbr_status st = hcbr_i_audit_report(a, HCBR_I_AUDIT_SPELL, 0, 1, err);
    if (st == HCBR_OK && cases->apart)
        st = hcbr_i_cases_spell(&a->spelled, cases, "audit", report_spelled, a, err);
    if (st == HCBR_OK)
        st = run(a, a->spelled ? a->spelled : cases, err);
    if (st == HCBR_OK)
        st = count_features(a, cases, err);
    if (st == HCBR_OK) {
        *out = a;
        a = NULL; // now the caller's
    }
    hcbr_audit_free(a);
    return st;
}

void hcbr_audit_free(hcbr_audit *a) {
    if (!a)
        return;
    while (a->block_count > 0)
        hcbr_i_free(a->blocks[--a->block_count]);
    hcbr_i_free(a->blocks);
    hcbr_i_free(a->findings);
    hcbr_cases_free(a->spelled);
    hcbr_i_free(a);
}

void hcbr_audit_get_figures(const hcbr_audit *a, hcbr_audit_figures *figures) {
    hcbr_i_hand_out(figures, &a->figures, sizeof a->figures);
}

uint64_t hcbr_audit_count_kind(const hcbr_audit *audit, hcbr_finding_kind kind) {
    return (unsigned)kind < HCBR_FOUND_KINDS ? audit->found[kind] : 0;
}

size_t hcbr_audit_count(const hcbr_audit *a) {
    return a->finding_count;
}

void hcbr_audit_get(const hcbr_audit *a, size_t index, hcbr_finding *finding) {
    assert(index < a->finding_count);
    hcbr_i_hand_out(finding, &a->findings[index], sizeof *a->findings);
}
