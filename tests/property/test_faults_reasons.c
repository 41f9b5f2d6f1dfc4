/*
 * Every allocation made to fail in turn while decisions are explained, cases compared and changed,
 * past cases ranked, and case bases audited.
 */
#include "add_case.h"
#include "explain/explainer.h"
#include "faults.h"
#include "rich/reasons/counterfactual.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 5, CASES = 30 };

static const char *const keys[KEYS] = {"a", "b", "a key with a long name", "d", "e"};
static const char *const values[3] = {"0", "1", "2"};

static size_t features_of(int i, hcbr_feature *out) {
    size_t count = 0;
    for (int k = 0; k < KEYS; k++)
        if ((i * 7 + 3) >> k & 1)
            out[count++] = (hcbr_feature){keys[k], strlen(keys[k]), values[(i + k) % 3], 1};
    return count;
}

static hcbr_cases *some_cases(int labels) {
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err;
    for (int i = 0; i < CASES; i++) {
        hcbr_feature features[KEYS];
        char label[16];
        size_t count = features_of(i % 22, features); // some stand there twice
        snprintf(label, sizeof label, "l%d", (i / 2) % labels);
        harness_ok(add_one_case(cases, features, count, label, i % 3 ? NULL : "id", &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

/** What is said of everything, to be compared with a run in which nothing failed. */
typedef struct reasoning {
    int labels;
    hcbr_cases *cases;
    hcbr_model *model;
    double said, expected;
    bool asked, rich;
} reasoning;

static void model_prepare(void *context) {
    reasoning *r = context;
    hcbr_error err;
    hcbr_train_options options;
    if (r->model) // a rich one takes long to make
        return;
    hcbr_train_options_init(&options);
    options.passes = 2;
    options.model = r->rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    r->cases = some_cases(r->labels);
    harness_ok(hcbr_model_train(&r->model, r->cases, &options, &err), &err);
}

static void nothing_left(void *context) {
    (void)context;
}

static void compare_said(void *context) {
    reasoning *r = context;
    if (r->asked)
        assert_true(r->said == r->expected);
    r->asked = true;
    r->expected = r->said;
    if (r->rich)
        return;
    hcbr_model_free(r->model);
    hcbr_cases_free(r->cases);
    r->model = NULL;
    r->cases = NULL;
}

/* Changes of rich cases, found by limits. Returns the last failure. */
static hcbr_status flip_run(reasoning *r, hcbr_explainer *x, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    bool beyond_one = false;
    hcbr_flip_options o;
    hcbr_flip_options_init(&o);
    o.fixed = keys;
    o.fixed_count = 3;
    hcbr_i_flip_sets = 0;
    for (int i = 0; i < 6 && st == HCBR_OK; i++) {
        hcbr_feature features[KEYS];
        hcbr_flips f = {.size = sizeof f};
        hcbr_row *row;
        st = hcbr_row_create(&row, x->decider, features, features_of(i, features), err);
        if (st == HCBR_OK)
            st = hcbr_explainer_flip(x, row, &o, &f, err);
        if (st == HCBR_OK && f.count)
            r->said += f.flips[0].lead;
        hcbr_row_free(row);
        beyond_one |= st == HCBR_OK && (f.count == 0 || f.flips[0].count > 1);
    }
    hcbr_i_flip_sets = HCBR_I_FLIP_ALL;
    assert_true(st != HCBR_OK || beyond_one);
    return st;
}

/* Sum up an explanation, twice. */
static hcbr_status sum_up(reasoning *r, const hcbr_explanation *e, hcbr_error *err) {
    hcbr_summary *summary;
    hcbr_summed s = {.size = sizeof s};
    hcbr_decision d = *e->decision;
    d.id = "name";
    d.id_length = 4;
    hcbr_status st = hcbr_summary_create(&summary, r->model, NULL, err);
    for (int i = 0; i < 2 && st == HCBR_OK; i++)
        st = hcbr_summary_add(summary, &d, e, err);
    if (st == HCBR_OK)
        st = hcbr_summary_get(summary, &s, err);
    if (st == HCBR_OK)
        r->said += (double)s.cases + s.labels->columns->lead;
    hcbr_summary_free(summary);
    return st;
}

static hcbr_status explain_run(void *context, hcbr_error *err) {
    reasoning *r = context;
    hcbr_explainer *x = (hcbr_explainer *)context;
    hcbr_status st = hcbr_explainer_create(&x, r->model, NULL, NULL, err);
    if (st != HCBR_OK) {
        assert_null(x);
        return st;
    }
    hcbr_case_ranking ranking = {.size = sizeof ranking};
    r->said = 0;
    for (int i = 0; i < (r->rich ? 1 : 8) && st == HCBR_OK; i++) {
        hcbr_feature features[KEYS + 1];
        size_t count = features_of(3 * i, features);
        hcbr_explanation e = {.size = sizeof e};
        hcbr_comparison c = {.size = sizeof c};
        hcbr_flips f = {.size = sizeof f};
        hcbr_questions q = {.size = sizeof q};
        features[count++] = (hcbr_feature){"never", 5, "seen", 4};
        hcbr_row *row;
        if ((st = hcbr_row_create(&row, x->decider, features, count, err)) == HCBR_OK &&
            (st = hcbr_explainer_explain(x, row, NULL, &e, err)) == HCBR_OK &&
            (st = sum_up(r, &e, err)) == HCBR_OK)
            r->said += (double)e.all_for + e.decision->lead;
        if (st == HCBR_OK && (st = hcbr_explainer_compare(x, row, 5, 1, &c, err)) == HCBR_OK)
            r->said += c.lead_there + (double)c.shared;
        if (st == HCBR_OK && (st = hcbr_explainer_flip(x, row, NULL, &f, err)) == HCBR_OK)
            r->said += f.count ? f.flips[0].lead : 1;
        if (st == HCBR_OK && (st = hcbr_explainer_ask(x, row, 3, &q, err)) == HCBR_OK)
            r->said += (double)q.all + q.lead;
        hcbr_row_free(row);
    }
    if (st == HCBR_OK && r->rich)
        st = flip_run(r, x, err);
    if (st == HCBR_OK && (st = hcbr_explainer_rank(x, UINT64_MAX, 4, &ranking, err)) == HCBR_OK)
        r->said += ranking.cases[0].lead + (double)ranking.count;
    for (int kind = 0; kind < 2 && st == HCBR_OK; kind++)
        for (uint32_t atom = 0; atom < 2 && st == HCBR_OK; atom++) {
            hcbr_atom_ranking g = {.size = sizeof g};
            hcbr_atom_options o;
            hcbr_atom_options_init(&o);
            o.kind = (hcbr_atom_kind)kind;
            o.atom = atom == 0 ? UINT32_MAX : atom;
            o.most = 2;
            if ((st = hcbr_explainer_rank_atoms(x, &o, &g, err)) == HCBR_OK)
                r->said += (double)g.all + (g.count ? g.atoms[0].average : 0);
        }
    hcbr_explainer_free(x);
    return st;
}

static hcbr_status audit_run(void *context, hcbr_error *err) {
    reasoning *r = context;
    hcbr_audit *audit = (hcbr_audit *)context;
    hcbr_status st = hcbr_audit_create(&audit, r->cases, NULL, err);
    if (st != HCBR_OK) {
        assert_null(audit);
        return st;
    }
    hcbr_audit_figures g = {.size = sizeof g};
    hcbr_audit_get_figures(audit, &g);
    r->said = (double)hcbr_audit_count(audit) + g.accuracy_limit +
              (isnan(g.coverage) ? -1 : g.coverage); // absent for numbers and texts
    hcbr_audit_free(audit);
    return st;
}

static void reasons__survive_every_failed_allocation(void **unused) {
    (void)unused;
    for (int labels = 2; labels <= 3; labels++) {
        const fault_action explain = {model_prepare, explain_run, nothing_left, compare_said, 0};
        // the partition can do without one of its tables
        const fault_action audit = {model_prepare, audit_run, nothing_left, compare_said, 1};
        reasoning r = {.labels = labels}, a = {.labels = labels};
        fault_each(&explain, &r, HCBR_I_FAULT_ALLOC, 40);
        fault_each(&audit, &a, HCBR_I_FAULT_ALLOC, 20);
    }
}

/* Residuals need not be kept, which takes eight allocations. */
static void rich_reasons__survive_every_failed_allocation(void **unused) {
    (void)unused;
    for (int labels = 2; labels <= 3; labels++) {
        const fault_action explain = {model_prepare, explain_run, nothing_left, compare_said, 8};
        reasoning r = {.labels = labels, .rich = true};
        fault_each(&explain, &r, HCBR_I_FAULT_ALLOC, 40);
        hcbr_model_free(r.model);
        hcbr_cases_free(r.cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rich_reasons__survive_every_failed_allocation),
        cmocka_unit_test(reasons__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
