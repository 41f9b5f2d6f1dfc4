/*
 * Reasons against an exact oracle that records every update (METHOD 9): on random case bases, in
 * both scopes, with two and more labels, the influence of every past case on every label, their
 * sum, and the contributions of atoms.
 *
 * Quick: 1,500 case bases with 8 decisions each; long (--long or HCBR_LONG=1): 40,000.
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

#define CASES 12
#define FEATURES 12

static bool long_tier;
static oracle *judge;
/* What case i put into mu^(l)(e). */
static mpq_t put[CASES][FEATURES][ORACLE_LABELS];

/* Before training: S-bar of the case, times |e|/|F|, over the total (METHOD 2.3 to 2.5). */
static void record_shares(bool all) {
    const oracle_base *base = judge->base;
    for (int i = 0; i < base->cases; i++)
        for (int l = 0; l < base->labels; l++) {
            unsigned long divisor = 0;
            for (int e = 0; e < judge->atoms; e++)
                divisor += (unsigned long)judge->d[e][l] *
                           (unsigned long)oracle_size(base->set[i] & judge->atom[e]);
            for (int e = 0; e < judge->atoms; e++) {
                unsigned long n = (unsigned long)oracle_size(base->set[i] & judge->atom[e]);
                mpq_set_ui(put[i][e][l], 0, 1);
                if (divisor == 0 || mpq_sgn(judge->total[l]) == 0 || (!all && base->label[i] != l))
                    continue;
                mpq_set_ui(put[i][e][l], (unsigned long)judge->d[e][l] * n * n,
                           divisor * (unsigned long)judge->known);
                mpq_canonicalize(put[i][e][l]);
                mpq_div(put[i][e][l], put[i][e][l], judge->total[l]);
            }
        }
}

/* One wrong decision on case i: the moves go to its account. */
static void record_move(int i, int decided) {
    uint64_t set = judge->base->set[i];
    int own = judge->base->label[i];
    for (int e = 0; e < judge->atoms; e++) {
        int n = oracle_size(set & judge->atom[e]);
        if (n == 0)
            continue;
        mpq_sub(judge->a, judge->mu[e][own], judge->mu[e][decided]);
        mpq_abs(judge->a, judge->a);
        mpq_set_ui(judge->b, (unsigned long)n, (unsigned long)oracle_size(set));
        mpq_canonicalize(judge->b);
        mpq_mul(judge->a, judge->a, judge->b);
        mpq_add(judge->mu[e][own], judge->mu[e][own], judge->a);
        mpq_sub(judge->mu[e][decided], judge->mu[e][decided], judge->a);
        mpq_add(put[i][e][own], put[i][e][own], judge->a);
        mpq_sub(put[i][e][decided], put[i][e][decided], judge->a);
    }
}

static void train_recording(uint32_t passes, const uint32_t *order) {
    for (uint32_t p = 0; p < passes; p++)
        for (int k = 0; k < judge->base->cases; k++) {
            int i = (int)order[k];
            if (judge->base->set[i] == 0)
                continue;
            oracle_support(judge, judge->base->set[i], 0);
            int decided = oracle_winner(judge, judge->base->set[i], 0);
            if (decided != judge->base->label[i])
                record_move(i, decided);
        }
}

/* The exact influence of case i on a label for a case with these features. */
static double influence(int i, int l, uint64_t set, int unseen) {
    int all = oracle_size(set) + unseen;
    mpq_set_ui(judge->c, 0, 1);
    for (int e = 0; e < judge->atoms; e++) {
        mpq_set_ui(judge->b, (unsigned long)oracle_size(set & judge->atom[e]), (unsigned long)all);
        mpq_canonicalize(judge->b);
        mpq_mul(judge->b, judge->b, put[i][e][l]);
        mpq_add(judge->c, judge->c, judge->b);
    }
    return mpq_get_d(judge->c);
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void check_cases(const hcbr_explanation *e, uint64_t set, int unseen) {
    const oracle_base *base = judge->base;
    double sum[ORACLE_LABELS] = {0}, absolute[ORACLE_LABELS] = {0};
    size_t shown[CASES] = {0};
    const hcbr_explained_case *lists[] = {e->cases_for, e->cases_against, e->others};
    const size_t counts[] = {e->for_count, e->against_count, e->other_count};
    assert_int_equal(e->other_count, e->all_others);
    for (int side = 0; side < 3; side++) {
        const hcbr_explained_case *list = lists[side];
        for (size_t n = 0; n < counts[side]; n++) {
            int i = (int)list[n].index;
            shown[i]++;
            assert_int_equal(list[n].row, i + 1);
            assert_int_equal(list[n].label, base->label[i]);
            assert_true(side == 2   ? list[n].lead == 0
                        : side == 1 ? list[n].lead < 0
                                    : list[n].lead > 0);
            if (n > 0) // by falling weight
                assert_true(fabs(list[n].lead) <= fabs(list[n - 1].lead) * (1 + 1e-12));
            for (int l = 0; l < base->labels; l++)
                assert_true(fabs(list[n].influence[l] - influence(i, l, set, unseen)) <= 1e-12);
        }
    }
    for (int i = 0; i < base->cases; i++) {
        double weighs = 0; // all of them are asked for
        for (int l = 0; l < base->labels; l++)
            weighs += fabs(influence(i, l, set, unseen));
        if (weighs > 1e-12)
            assert_int_equal(shown[i], 1);
        else
            assert_true(shown[i] <= 1);
        for (int l = 0; l < base->labels; l++) {
            sum[l] += influence(i, l, set, unseen);
            absolute[l] += fabs(influence(i, l, set, unseen));
        }
    }
    for (int l = 0; l < base->labels; l++) {
        assert_true(fabs(e->influence_sum[l] - sum[l]) <= 1e-12);
        assert_true(fabs(e->influence_sum[l] - e->decision->support[l]) <=
                    1e-12 * e->influence_absolute[l]);
        assert_true(e->influence_absolute[l] >= absolute[l] * (1 - 1e-12) - 1e-15);
        assert_true(e->bias[l] == 0);
    }
}

static void check_atoms(const hcbr_explanation *e, const hcbr_model *model, uint64_t set,
                        int unseen) {
    int all = oracle_size(set) + unseen, touched = 0, known = 0;
    double sum[ORACLE_LABELS] = {0};
    for (int f = 0; f < judge->base->features; f++)
        known += set >> f & 1 && judge->atom_of[f] >= 0;
    for (int a = 0; a < judge->atoms; a++)
        touched += (set & judge->atom[a]) != 0;
    assert_int_equal(e->all_atoms, touched);
    assert_int_equal(e->atom_count, touched);
    for (size_t n = 0; n < e->atom_count; n++) {
        const hcbr_explained_atom *x = &e->atoms[n];
        double lead = 0;
        known -= (int)x->feature_count;
        assert_true(fabs(x->weight - (double)x->feature_count / all) <= 1e-15);
        assert_true(x->all_features >= x->feature_count);
        if (n > 0)
            assert_true(fabs(x->lead) <= fabs(e->atoms[n - 1].lead) * (1 + 1e-12) + 1e-15);
        for (int l = 0; l < judge->base->labels; l++) {
            sum[l] += x->contribution[l];
            // what the past cases put into this atom is all it has
            double of_cases = 0;
            for (size_t k = 0; k < x->shown_cases; k++)
                of_cases += x->cases[k].influence[l];
            assert_int_equal(x->shown_cases, x->case_count);
            assert_true(fabs(of_cases - x->contribution[l]) <= 1e-12);
            lead += l == e->label ? x->contribution[l] : l == e->against ? -x->contribution[l] : 0;
        }
        assert_true(fabs(lead - x->lead) <= 1e-12);
        for (size_t k = 0; k < x->feature_count; k++)
            assert_int_equal(
                hcbr_model_get_atom(model, hcbr_model_find_feature(model, &x->features[k])),
                x->atom);
    }
    assert_int_equal(known, 0);
    for (int l = 0; l < judge->base->labels; l++)
        assert_true(fabs(sum[l] - e->decision->support[l]) <= 1e-12);
}

static void check_one(hcbr_explainer *explainer, const hcbr_model *model,
                      const harness_style *style, uint64_t set, int unseen) {
    hcbr_feature features[4 * ORACLE_FEATURES];
    hcbr_explain_options options;
    hcbr_explanation e = {.size = sizeof e};
    hcbr_error err = {0};
    size_t count = harness_features(style, 7, set, unseen, features, 4 * ORACLE_FEATURES);
    hcbr_explain_options_init(&options);
    options.atoms = options.cases = options.atom_cases = SIZE_MAX;
    harness_ok(
        hcbr_explainer_explain(explainer, row_of(explainer, features, count), &options, &e, &err),
        &err);
    if (e.label == HCBR_LABEL_UNKNOWN) {
        assert_int_equal(e.decision->known_count, 0);
        assert_int_equal(e.atom_count + e.for_count + e.against_count, 0);
        return;
    }
    check_cases(&e, set, unseen);
    check_atoms(&e, model, set, unseen);
    // fewer shown: the first of the same, and the sums stay whole
    double sum = e.influence_sum[0], first = e.atoms[0].lead;
    uint64_t all_for = e.all_for, all_against = e.all_against;
    options.atoms = options.cases = options.atom_cases = 1;
    harness_ok(
        hcbr_explainer_explain(explainer, row_of(explainer, features, count), &options, &e, &err),
        &err);
    assert_true(e.influence_sum[0] == sum && e.atoms[0].lead == first);
    assert_int_equal(e.for_count, all_for > 0);
    assert_int_equal(e.against_count, all_against > 0);
    assert_true(e.all_for == all_for && e.all_against == all_against);
}

static void explain__accounts_for_every_past_case(void **unused) {
    (void)unused;
    const uint64_t seed = harness_seed(20261116),
                   count = long_tier ? 40000 : (uint64_t)harness_rounds(1500);
    for (uint64_t n = 0; n < count; n++) {
        harness_random r = {seed + n * 0x2545F4914F6CDD1Du};
        oracle_base base;
        uint32_t order[CASES];
        harness_draw(&base, &r, (harness_shape){FEATURES, CASES, 4, false});
        harness_style style = {.names = harness_below(&r, HARNESS_NAMES),
                               .labels = harness_below(&r, HARNESS_LABELS),
                               .shuffle = harness_next(&r) | 1};
        hcbr_train_options options;
        hcbr_train_options_init(&options);
        options.model = HCBR_MODEL_PLAIN;
        options.scope = harness_below(&r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
        options.passes = (uint32_t)harness_below(&r, 4);
        options.given_order = harness_below(&r, 2);
        options.seed = harness_next(&r);
        hcbr_model *model = harness_train(&base, &style, &options);
        hcbr_explainer *explainer;
        hcbr_error err = {0};
        oracle_build(judge, &base, options.scope == HCBR_SCOPE_ALL);
        record_shares(options.scope == HCBR_SCOPE_ALL);
        for (int i = 0; i < base.cases; i++)
            order[i] = (uint32_t)i;
        if (!options.given_order)
            hcbr_i_train_order(order, (uint32_t)base.cases, options.seed);
        train_recording(options.passes, order);
        harness_ok(hcbr_explainer_create(&explainer, model, NULL, NULL, &err), &err);
        for (int k = 0; k < 8 && !judge->close; k++) {
            uint64_t set = harness_next(&r) & ((UINT64_C(1) << FEATURES) - 1);
            if (k % 2)
                set = base.set[harness_below(&r, base.cases)] ^ (k % 4 == 1 ? 0 : set & 3);
            uint64_t known = 0; // a feature of no case is an unseen one
            for (int f = 0; f < judge->base->features; f++)
                known |= (uint64_t)(judge->atom_of[f] >= 0) << f;
            check_one(explainer, model, &style, set & known, harness_below(&r, 3));
        }
        hcbr_explainer_free(explainer);
        hcbr_model_free(model);
    }
}

static void explain__says_why_it_cannot_show_cases(void **unused) {
    (void)unused;
    oracle_base base = {.features = 2, .cases = 2, .labels = 2, .set = {1, 2}, .label = {0, 1}};
    harness_style style = {0};
    hcbr_train_options options;
    hcbr_explanation e = {.size = sizeof e};
    hcbr_explainer *explainer;
    hcbr_error err = {0};
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    options.keep = HCBR_KEEP_NONE;
    hcbr_model *model = harness_train(&base, &style, &options);
    hcbr_feature x = harness_feature(0, 1);
    harness_ok(hcbr_explainer_create(&explainer, model, NULL, NULL, &err), &err);
    harness_ok(hcbr_explainer_explain(explainer, row_of(explainer, &x, 1), NULL, &e, &err), &err);
    assert_non_null(e.no_cases);
    assert_null(e.influence_sum);
    assert_int_equal(e.for_count + e.against_count, 0);
    assert_int_equal(e.atom_count, 1);
    assert_int_equal(e.atoms[0].case_count, 1);
    assert_int_equal(e.atoms[0].shown_cases, 0);
    assert_true(e.atoms[0].contribution[1] == 1);
    hcbr_explainer_free(explainer);
    hcbr_model_free(model);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explain__accounts_for_every_past_case),
        cmocka_unit_test(explain__says_why_it_cannot_show_cases),
    };
    long_tier = harness_long(argc, argv);
    judge = calloc(1, sizeof *judge);
    oracle_init(judge);
    for (int i = 0; i < CASES; i++)
        for (int e = 0; e < FEATURES; e++)
            for (int l = 0; l < ORACLE_LABELS; l++)
                mpq_init(put[i][e][l]);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < CASES; i++)
        for (int e = 0; e < FEATURES; e++)
            for (int l = 0; l < ORACLE_LABELS; l++)
                mpq_clear(put[i][e][l]);
    oracle_clear(judge);
    free(judge);
    return failed;
}
