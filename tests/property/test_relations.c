/*
 * What must always hold (METHOD 7), on random case bases of up to 60 features and 200 cases: each
 * relation compares the library with itself, so no expected value is needed. Doubles to 1e-12.
 */
#include "harness.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool long_tier;

/* ---- common parts ---------------------------------------------------------------------------- */

static int rounds(void) {
    return long_tier ? 3000 : 150;
}

/* Round k of a relation: its seed is printed if the round fails (see the teardown below). */
static uint64_t round_seed;
static harness_random begin(int relation, int k) {
    round_seed = (uint64_t)relation * 1000003 + (uint64_t)k;
    return (harness_random){round_seed * 0x9E3779B97F4A7C15u};
}

static int print_seed(void **state) {
    (void)state;
    print_message("last seed %" PRIu64 "\n", round_seed);
    return 0;
}

static const harness_shape large = {60, 200, 4, false};

static hcbr_train_options draw_options(harness_random *r, uint32_t passes) {
    hcbr_train_options options;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    options.scope = harness_below(r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    options.passes = passes;
    options.given_order = 1;
    options.seed = harness_next(r);
    return options;
}

static harness_style draw_style(harness_random *r) {
    return (harness_style){harness_below(r, HARNESS_NAMES), harness_below(r, HARNESS_LABELS),
                           harness_next(r) | 1, harness_next(r) | 1};
}

/* Strengths by feature instead of atom: comparable between models that number differently. */
typedef struct view {
    uint32_t atom[ORACLE_FEATURES];
    uint32_t size[ORACLE_FEATURES];
    double mu[ORACLE_FEATURES][ORACLE_LABELS];
} view;

static void look(view *v, const hcbr_model *model, const oracle_base *base,
                 const harness_style *style) {
    memset(v, 0, sizeof *v);
    for (int f = 0; f < base->features; f++) {
        v->atom[f] = harness_atom(model, style->names, f);
        if (v->atom[f] == UINT32_MAX)
            continue;
        v->size[f] = hcbr_model_get_atom_size(model, v->atom[f]);
        for (int l = 0; l < base->labels; l++)
            v->mu[f][l] = hcbr_model_get_atom_strength(model, v->atom[f], l);
    }
}

static void train_and_look(view *v, const oracle_base *base, const harness_style *style,
                           const hcbr_train_options *options) {
    hcbr_model *model = harness_train(base, style, options);
    look(v, model, base, style);
    hcbr_model_free(model);
}

static void expect_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(a))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void expect_same(const view *a, const view *b, int features) {
    for (int f = 0; f < features; f++) {
        assert_int_equal(a->size[f], b->size[f]);
        for (int g = 0; g < f; g++)
            assert_int_equal(a->atom[f] == a->atom[g], b->atom[f] == b->atom[g]);
        for (int l = 0; l < ORACLE_LABELS; l++)
            expect_near(a->mu[f][l], b->mu[f][l]);
    }
}

static uint64_t draw_set(harness_random *r, const oracle_base *base) {
    uint64_t set = harness_next(r) & (((uint64_t)1 << base->features) - 1);
    for (int thin = harness_below(r, 4); thin > 0; thin--)
        set &= harness_next(r);
    return set;
}

/* ---- order and names ------------------------------------------------------------------------ */

static void names_and_order_of_features__change_nothing(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(1, k);
        static oracle_base base;
        harness_draw(&base, &r, large);
        for (uint32_t passes = 0; passes <= 2; passes += 2) {
            hcbr_train_options options = draw_options(&r, passes);
            harness_style one = draw_style(&r), two = draw_style(&r);
            hcbr_model *a = harness_train(&base, &one, &options);
            hcbr_model *b = harness_train(&base, &two, &options);
            hcbr_decider *da = harness_decider(a, NULL), *db = harness_decider(b, NULL);
            view va, vb;
            look(&va, a, &base, &one);
            look(&vb, b, &base, &two);
            expect_same(&va, &vb, base.features);
            for (uint32_t p = 0; p < passes; p++)
                assert_int_equal(hcbr_model_get_pass_errors(a)[p],
                                 hcbr_model_get_pass_errors(b)[p]);
            for (int n = 0; n < 10; n++) {
                uint64_t set = draw_set(&r, &base);
                int unseen = harness_below(&r, 3);
                hcbr_decision x = harness_decide(da, &one, set, unseen);
                hcbr_decision y = harness_decide(db, &two, set, unseen);
                for (int l = 0; l < base.labels; l++)
                    expect_near(x.support[l], y.support[l]);
                assert_int_equal(x.label, y.label);
                assert_int_equal(x.reason, y.reason);
            }
            hcbr_decider_free(da);
            hcbr_decider_free(db);
            hcbr_model_free(a);
            hcbr_model_free(b);
        }
    }
}

static void order_of_cases__changes_nothing_before_training(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(2, k);
        static oracle_base base, other;
        int order[ORACLE_CASES];
        view a, b;
        harness_draw(&base, &r, large);
        other = base;
        harness_permute(&r, order, base.cases);
        for (int i = 0; i < base.cases; i++) {
            other.set[i] = base.set[order[i]];
            other.label[i] = base.label[order[i]];
        }
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        train_and_look(&a, &base, &style, &options);
        train_and_look(&b, &other, &style, &options);
        expect_same(&a, &b, base.features);
    }
}

/* ---- labels --------------------------------------------------------------------------------- */

/* The oracle says whether any decision of these passes was a tie. */
static bool tied(const oracle_base *base, bool all, uint32_t passes) {
    static oracle *o;
    uint32_t order[ORACLE_CASES];
    if (!o) {
        static oracle own;
        o = &own;
        oracle_init(o);
    }
    for (uint32_t i = 0; i < (uint32_t)base->cases; i++)
        order[i] = i;
    o->ties = o->near = 0;
    oracle_build(o, base, all);
    for (uint32_t p = 0; p < passes; p++)
        oracle_pass(o, order);
    return o->ties + o->near > 0 || o->close;
}

static void expect_swapped(const oracle_base *base, harness_random *r, uint32_t passes) {
    static oracle_base other;
    view a, b;
    other = *base;
    for (int i = 0; i < base->cases; i++)
        other.label[i] = 1 - base->label[i];
    hcbr_train_options options = draw_options(r, passes);
    if (passes > 0 && tied(base, options.scope == HCBR_SCOPE_ALL, passes))
        return;
    harness_style style = draw_style(r);
    hcbr_model *one = harness_train(base, &style, &options);
    hcbr_model *two = harness_train(&other, &style, &options);
    hcbr_decider *da = harness_decider(one, NULL), *db = harness_decider(two, NULL);
    look(&a, one, base, &style);
    look(&b, two, &other, &style);
    for (int f = 0; f < base->features; f++) {
        expect_near(a.mu[f][0], b.mu[f][1]);
        expect_near(a.mu[f][1], b.mu[f][0]);
    }
    for (int n = 0; n < 10; n++) {
        uint64_t set = draw_set(r, base);
        hcbr_decision x = harness_decide(da, &style, set, 0);
        double s = x.support[1] - x.support[0];
        hcbr_label winner = x.winner;
        hcbr_decision y = harness_decide(db, &style, set, 0);
        expect_near(s, y.support[0] - y.support[1]);
        if (fabs(s) > 1e-12)
            assert_int_equal(winner, 1 - y.winner);
    }
    hcbr_decider_free(da);
    hcbr_decider_free(db);
    hcbr_model_free(one);
    hcbr_model_free(two);
}

static void swapped_labels__swap_strengths_and_flip_the_sign(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(3, k);
        static oracle_base base;
        harness_draw(&base, &r, (harness_shape){60, 200, 2, false});
        if (base.labels == 2)
            expect_swapped(&base, &r, 0);
        harness_draw(&base, &r, (harness_shape){14, 14, 2, false});
        if (base.labels == 2)
            expect_swapped(&base, &r, 1 + (uint32_t)harness_below(&r, 3));
    }
}

static void strengths__sum_to_one_before_training(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(4, k);
        static oracle_base base;
        bool filled[ORACLE_LABELS] = {false};
        harness_draw(&base, &r, large);
        for (int i = 0; i < base.cases; i++)
            filled[base.label[i]] |= base.set[i] != 0;
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        hcbr_model *model = harness_train(&base, &style, &options);
        hcbr_model_info info = {.size = sizeof info};
        hcbr_model_get_info(model, &info);
        for (int l = 0; l < base.labels; l++) {
            double sum = 0;
            for (uint32_t e = 0; e < info.atoms; e++)
                sum += hcbr_model_get_atom_strength(model, e, l);
            expect_near(filled[l] ? 1 : 0, sum);
        }
        hcbr_model_free(model);
    }
}

static void sum_of_supports__is_not_changed_by_training(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(5, k);
        static oracle_base base;
        harness_draw(&base, &r, large);
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        hcbr_model *before = harness_train(&base, &style, &options);
        options.passes = 1 + (uint32_t)harness_below(&r, 4);
        options.given_order = harness_below(&r, 2);
        hcbr_model *after = harness_train(&base, &style, &options);
        hcbr_decider *da = harness_decider(before, NULL), *db = harness_decider(after, NULL);
        for (int n = 0; n < 10; n++) {
            uint64_t set = draw_set(&r, &base);
            double sum = 0, trained = 0;
            hcbr_decision x = harness_decide(da, &style, set, 1);
            for (int l = 0; l < base.labels; l++)
                sum += x.support[l];
            x = harness_decide(db, &style, set, 1);
            for (int l = 0; l < base.labels; l++)
                trained += x.support[l];
            expect_near(sum, trained);
        }
        hcbr_decider_free(da);
        hcbr_decider_free(db);
        hcbr_model_free(before);
        hcbr_model_free(after);
    }
}

/* ---- partition and projection --------------------------------------------------------------- */

static void feature_of_every_case__has_the_class_counts(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(6, k);
        static oracle_base base;
        harness_draw(&base, &r, large);
        int f = harness_below(&r, base.features);
        int cases[ORACLE_LABELS] = {0};
        uint64_t everywhere = ~(uint64_t)0;
        for (int i = 0; i < base.cases; i++) {
            base.set[i] |= (uint64_t)1 << f;
            everywhere &= base.set[i];
            cases[base.label[i]]++;
        }
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        hcbr_model *model = harness_train(&base, &style, &options);
        uint32_t atom = harness_atom(model, style.names, f);
        assert_int_equal(hcbr_model_get_atom_size(model, atom), oracle_size(everywhere));
        for (int l = 0; l < base.labels; l++)
            assert_int_equal(hcbr_model_get_atom_count(model, atom, l), cases[l]);
        hcbr_model_free(model);
    }
}

static void partition__is_that_of_refinement(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(7, k);
        static oracle_base base;
        int block[ORACLE_FEATURES];
        view v;
        harness_draw(&base, &r, large);
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        train_and_look(&v, &base, &style, &options);
        oracle_refine(&base, block);
        for (int f = 0; f < base.features; f++) {
            assert_int_equal(v.atom[f] == UINT32_MAX, block[f] < 0);
            for (int g = 0; g < f; g++)
                assert_int_equal(v.atom[f] == v.atom[g], block[f] == block[g]);
        }
    }
}

/* Every case is the union of its atoms, so that its importances sum to 1. */
static void training_case__is_a_union_of_atoms(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(8, k);
        static oracle_base base;
        view v;
        harness_draw(&base, &r, large);
        hcbr_train_options options = draw_options(&r, 1);
        harness_style style = draw_style(&r);
        hcbr_model *model = harness_train(&base, &style, &options);
        look(&v, model, &base, &style);
        assert_int_equal(hcbr_model_kept_count(model), base.cases);
        for (int i = 0; i < base.cases; i++) {
            hcbr_kept_case kept = {.size = sizeof kept};
            uint64_t all = 0, size = 0;
            hcbr_model_get_kept(model, (uint64_t)i, &kept);
            assert_int_equal(kept.label, base.label[i]);
            assert_int_equal(kept.row, i + 1);
            for (size_t j = 0; j < kept.atom_count; j++) {
                size += hcbr_model_get_atom_size(model, kept.atoms[j]);
                for (int f = 0; f < base.features; f++)
                    all |= (uint64_t)(v.atom[f] == kept.atoms[j]) << f;
            }
            assert_true(all == base.set[i]);
            assert_int_equal(size, oracle_size(base.set[i]));
        }
        hcbr_model_free(model);
    }
}

/* One case of all features has one atom of strength 1: the support is the sum of importances. */
static void importances__sum_to_the_known_share(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(9, k);
        static oracle_base base;
        base.features = 1 + harness_below(&r, 60);
        base.cases = base.labels = 1;
        base.set[0] = draw_set(&r, &base) | 1;
        base.label[0] = 0;
        hcbr_train_options options = draw_options(&r, 1);
        harness_style style = draw_style(&r);
        hcbr_model *model = harness_train(&base, &style, &options);
        hcbr_decider *decider = harness_decider(model, NULL);
        for (int n = 0; n < 20; n++) {
            uint64_t set = draw_set(&r, &base);
            int unseen = harness_below(&r, HARNESS_UNSEEN);
            int size = oracle_size(set) + unseen, known = oracle_size(set & base.set[0]);
            hcbr_decision d = harness_decide(decider, &style, set, unseen);
            assert_int_equal(d.known_count, known);
            assert_int_equal(d.unseen_count, size - known);
            if (size > 0)
                expect_near(1 - (double)(size - known) / size, d.support[0]);
            assert_int_equal(d.label, known > 0 ? 0 : HCBR_LABEL_UNKNOWN);
        }
        hcbr_decider_free(decider);
        hcbr_model_free(model);
    }
}

/* ---- repetition ----------------------------------------------------------------------------- */

static void copies_end_to_end__are_passes(void **state) {
    (void)state;
    for (int k = 0; k < rounds(); k++) {
        harness_random r = begin(10, k);
        static oracle_base base, copies;
        view a, b;
        harness_draw(&base, &r, large);
        int n = 2 + harness_below(&r, 3);
        copies = base;
        copies.cases = n * base.cases;
        for (int i = 0; i < copies.cases; i++) {
            copies.set[i] = base.set[i % base.cases];
            copies.label[i] = base.label[i % base.cases];
        }
        hcbr_train_options options = draw_options(&r, 0);
        harness_style style = draw_style(&r);
        train_and_look(&a, &base, &style, &options);
        train_and_look(&b, &copies, &style, &options);
        expect_same(&a, &b, base.features);

        uint64_t wrong = 0;
        options.passes = (uint32_t)n;
        hcbr_model *passes = harness_train(&base, &style, &options);
        options.passes = 1;
        hcbr_model *once = harness_train(&copies, &style, &options);
        look(&a, passes, &base, &style);
        look(&b, once, &copies, &style);
        expect_same(&a, &b, base.features);
        for (int p = 0; p < n; p++)
            wrong += hcbr_model_get_pass_errors(passes)[p];
        assert_int_equal(hcbr_model_get_pass_errors(once)[0], wrong);
        hcbr_model_free(passes);
        hcbr_model_free(once);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(names_and_order_of_features__change_nothing, print_seed),
        cmocka_unit_test_teardown(order_of_cases__changes_nothing_before_training, print_seed),
        cmocka_unit_test_teardown(swapped_labels__swap_strengths_and_flip_the_sign, print_seed),
        cmocka_unit_test_teardown(strengths__sum_to_one_before_training, print_seed),
        cmocka_unit_test_teardown(sum_of_supports__is_not_changed_by_training, print_seed),
        cmocka_unit_test_teardown(feature_of_every_case__has_the_class_counts, print_seed),
        cmocka_unit_test_teardown(partition__is_that_of_refinement, print_seed),
        cmocka_unit_test_teardown(training_case__is_a_union_of_atoms, print_seed),
        cmocka_unit_test_teardown(importances__sum_to_the_known_share, print_seed),
        cmocka_unit_test_teardown(copies_end_to_end__are_passes, print_seed),
    };
    long_tier = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
