/*
 * Importances of features (METHOD 11) against the exact oracle: a feature of importance n is n
 * features that stand in the same cases. So the oracle, which knows no importances, is given a case
 * base in which every feature is written n times, and the library the importances. Atoms,
 * strengths, training, supports, weights and influences must agree; of features of importance 0
 * nothing must be left.
 *
 * Quick: 1,500 case bases with 6 decisions each; long (--long or HCBR_LONG=1): 40,000.
 */
#include "harness.h"
#include "plain/plain.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FEATURES 12
#define MOST 4   /* largest importance, in units */
#define UNSEEN 3 /* features that no case has */

static bool long_tier;
static oracle *judge;

/* A case base, how important its features are, and the same with every feature that often. */
typedef struct weighed {
    oracle_base base, written;
    int units[FEATURES];
    int first[FEATURES]; /* of its features in `written` */
    double scale;        /* importance of a unit */
    char names[FEATURES][2][64];
    hcbr_emphasis list[FEATURES + 1];
} weighed;

static uint64_t write_set(const weighed *w, uint64_t set) {
    uint64_t out = 0;
    for (int f = 0; f < w->base.features; f++)
        for (int k = 0; k < w->units[f]; k++)
            if (set >> f & 1)
                out |= (uint64_t)1 << (w->first[f] + k);
    return out;
}

static void write_name(weighed *w, const harness_style *style, int f) {
    const hcbr_feature x = harness_feature(style->names, f);
    memcpy(w->names[f][0], x.key, x.key_length);
    w->names[f][0][x.key_length] = '\0';
    if (x.value)
        memcpy(w->names[f][1], x.value, x.value_length);
    w->names[f][1][x.value ? x.value_length : 0] = '\0';
    w->list[f] = (hcbr_emphasis){w->names[f][0], x.value ? w->names[f][1] : NULL,
                                 round(w->units[f] * w->scale * 1e6) / 1e6};
}

static void draw(weighed *w, harness_random *r, const harness_style *style) {
    static const double SCALES[] = {1, 0.5, 0.25, 0.1, 0.000001, 1000, 7};
    int at = 0;
    harness_draw(&w->base, r, (harness_shape){FEATURES, 10, 3, false});
    w->scale = SCALES[harness_below(r, 7)];
    for (int f = 0; f < w->base.features; f++) {
        w->units[f] = harness_below(r, MOST + 1);
        w->first[f] = at;
        at += w->units[f];
    }
    for (int f = 0; f < w->base.features; f++)
        write_name(w, style, f);
    w->written = w->base;
    w->written.features = at > 0 ? at : 1;
    for (int i = 0; i < w->base.cases; i++)
        w->written.set[i] = write_set(w, w->base.set[i]);
}

static void expect_near(double got, const mpq_t exact) {
    const double value = mpq_get_d(exact);
    if (fabs(got - value) > 1e-12 * fmax(1, fabs(value)))
        fail_msg("found %.17g, expected %.17g", got, value);
}

/* Strengths of all atoms, and what is left of the features. */
static void expect_strengths(const hcbr_model *model, const weighed *w,
                             const harness_style *style) {
    for (int f = 0; f < w->base.features; f++) {
        const uint32_t atom = harness_atom(model, style->names, f);
        const int e = w->units[f] ? judge->atom_of[w->first[f]] : -1;
        assert_int_equal(atom == UINT32_MAX, e < 0);
        for (int l = 0; e >= 0 && l < w->base.labels; l++)
            expect_near(hcbr_model_get_atom_strength(model, atom, l), judge->mu[e][l]);
    }
}

/* Reasons: weights add up to what is known of the case, groups and past cases to the support. */
static void expect_reasons(hcbr_explainer *x, const weighed *w, const harness_style *style,
                           uint64_t set, int unseen) {
    hcbr_feature features[2 * (FEATURES + UNSEEN)];
    const size_t count =
        harness_features(style, 5, set, unseen, features, sizeof features / sizeof *features);
    hcbr_explain_options o;
    hcbr_explanation e = {.size = sizeof e};
    hcbr_error err = {0};
    int known = 0;
    hcbr_explain_options_init(&o);
    o.atoms = FEATURES;
    o.cases = 100;
    harness_ok(hcbr_explainer_explain(x, row_of(x, features, count), &o, &e, &err), &err);
    if (e.label == HCBR_LABEL_UNKNOWN)
        return;
    const uint64_t written = write_set(w, set);
    for (int k = 0; k < w->written.features; k++)
        known += (written >> k & 1) && judge->atom_of[k] >= 0;
    const double size = oracle_size(written) + unseen * (1 / w->scale);
    double weight = 0;
    for (size_t g = 0; g < e.atom_count; g++)
        weight += e.atoms[g].weight;
    assert_true(fabs(weight - known / size) < 1e-12);
    for (int l = 0; l < w->base.labels; l++) {
        double sum = 0;
        for (size_t g = 0; g < e.atom_count; g++)
            sum += e.atoms[g].contribution[l];
        assert_true(fabs(sum - e.decision->support[l]) < 1e-12);
        assert_true(fabs(e.influence_sum[l] - e.decision->support[l]) < 1e-12);
    }
}

static void expect_decisions(const hcbr_model *model, const weighed *w, const harness_style *style,
                             harness_random *r) {
    hcbr_decider *decider = harness_decider(model, NULL);
    hcbr_explainer *x;
    hcbr_error err = {0};
    const oracle_rule rule = {.fallback = {ORACLE_UNKNOWN, ORACLE_UNKNOWN, ORACLE_UNKNOWN},
                              .on_nothing = ORACLE_UNKNOWN};
    const double one = 1 / w->scale; /* units of what is not listed */
    harness_ok(hcbr_explainer_create(&x, model, NULL, NULL, &err), &err);
    for (int n = 0; n < 6; n++) {
        const uint64_t set = harness_next(r) & (((uint64_t)1 << w->base.features) - 1);
        const int unseen = one == floor(one) && one < 20 ? harness_below(r, UNSEEN + 1) : 0;
        const int ones = unseen * (int)one;
        const hcbr_decision d = harness_decide(decider, style, set, unseen);
        const uint64_t written = write_set(w, set);
        const oracle_decision exact = oracle_decide(judge, &rule, written, ones);
        oracle_support(judge, written, ones);
        if (d.winner != HCBR_LABEL_UNKNOWN)
            for (int l = 0; l < w->base.labels; l++)
                expect_near(d.support[l], judge->support[l]);
        if (!exact.close && !judge->close)
            assert_int_equal(d.label, exact.label);
        assert_int_equal(d.feature_count == 0, written == 0 && unseen == 0);
        expect_reasons(x, w, style, set, unseen);
    }
    hcbr_explainer_free(x);
    hcbr_decider_free(decider);
}

static void try_one(harness_random *r) {
    static weighed w;
    harness_style style = {.names = harness_below(r, HARNESS_NAMES)};
    hcbr_train_options o;
    uint32_t order[ORACLE_CASES];
    draw(&w, r, &style);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.scope = harness_below(r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    o.passes = (uint32_t)harness_below(r, 3);
    o.given_order = 1;
    o.threads = 1 + (uint32_t)harness_below(r, 3);
    o.emphasis = w.list;
    o.emphasis_count = (size_t)w.base.features;
    hcbr_model *model = harness_train(&w.base, &style, &o);
    oracle_build(judge, &w.written, o.scope == HCBR_SCOPE_ALL);
    judge->close = false;
    for (uint32_t i = 0; i < (uint32_t)w.base.cases; i++)
        order[i] = i;
    for (uint32_t p = 0; p < o.passes; p++)
        (void)oracle_pass(judge, order);
    if (!judge->close) {
        expect_strengths(model, &w, &style);
        expect_decisions(model, &w, &style, r);
    }
    hcbr_model_free(model);
}

static void importances__are_so_many_equal_features(void **state) {
    (void)state;
    harness_random r = {harness_seed(11)};
    const int count = long_tier ? 40000 : 1500;
    for (int n = 0; n < count; n++)
        try_one(&r);
}

/* The bytes of a model with these importances. */
static void *bytes_of(weighed *w, const harness_style *style, const hcbr_emphasis *list,
                      size_t count, size_t *size) {
    hcbr_train_options o;
    hcbr_error err = {0};
    void *bytes;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.emphasis = list;
    o.emphasis_count = count;
    hcbr_model *model = harness_train(&w->base, style, &o);
    harness_ok(hcbr_model_serialize(model, &bytes, size, &err), &err);
    hcbr_model *again;
    harness_ok(hcbr_model_parse(&again, bytes, *size, &err), &err);
    assert_int_equal(hcbr_model_emphasis_count(again), count);
    void *twice;
    size_t twice_size;
    harness_ok(hcbr_model_serialize(again, &twice, &twice_size, &err), &err);
    assert_int_equal(twice_size, *size);
    assert_memory_equal(bytes, twice, *size);
    hcbr_bytes_free(twice);
    hcbr_model_free(again);
    hcbr_model_free(model);
    return bytes;
}

static void importances__do_not_depend_on_their_order(void **state) {
    (void)state;
    harness_random r = {harness_seed(12)};
    static weighed w;
    for (int n = 0; n < 200; n++) {
        harness_style style = {.names = 1};
        hcbr_emphasis other[FEATURES];
        int order[FEATURES];
        size_t size, other_size;
        draw(&w, &r, &style);
        harness_permute(&r, order, w.base.features);
        for (int f = 0; f < w.base.features; f++)
            other[f] = w.list[order[f]];
        void *bytes = bytes_of(&w, &style, w.list, (size_t)w.base.features, &size);
        void *same = bytes_of(&w, &style, other, (size_t)w.base.features, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, same, size);
        hcbr_bytes_free(bytes);
        hcbr_bytes_free(same);
    }
}

static void a_wrong_importance__is_refused(void **state) {
    (void)state;
    static const double WRONG[] = {-1,   -0.5,        1000000.5,       0.1234567,
                                   1e-7, (double)NAN, (double)INFINITY};
    harness_random r = {3};
    static weighed w;
    harness_style style = {.names = 1};
    draw(&w, &r, &style);
    hcbr_cases *cases = harness_cases(&w.base, &style);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        hcbr_error err = {0};
        hcbr_model *model;
        hcbr_emphasis list[] = {{w.names[0][0], NULL, WRONG[i]}};
        hcbr_train_options o;
        hcbr_train_options_init(&o);
        o.model = HCBR_MODEL_PLAIN;
        o.emphasis = list;
        o.emphasis_count = 1;
        assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EUSAGE);
        assert_null(model);
        assert_non_null(strstr(err.message, "expected a number from 0 to 1000000"));
        o.model = HCBR_MODEL_RICH;
        list[0].importance = 1;
        assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EUSAGE);
    }
    hcbr_emphasis twice[] = {{"a", NULL, 1}, {"b", "1", 2}, {"a", NULL, 1}};
    hcbr_error err = {0};
    assert_int_equal(hcbr_emphasis_check(twice, 3, cases, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "'a' twice"));
    hcbr_cases_free(cases);
}

int main(int argc, char **argv) {
    static oracle exact;
    long_tier = harness_long(argc, argv);
    judge = &exact;
    oracle_init(judge);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(importances__are_so_many_equal_features),
        cmocka_unit_test(importances__do_not_depend_on_their_order),
        cmocka_unit_test(a_wrong_importance__is_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    oracle_clear(judge);
    return failed;
}
