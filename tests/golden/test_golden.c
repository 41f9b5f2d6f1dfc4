/*
 * The numbers of METHOD 6: through the public API to 1e-12, and from the oracle exactly, so that
 * the oracle of the random tests is tested too.
 *
 * Every expected value is written as in METHOD 6, as a fraction if it gives one.
 */
#include "engines.h"
#include "model/model.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROW 8 /* most values in a row of a table */

/* Row of fractions or decimals, as text, to numbers. */
static int parse_row(mpq_t *out, const char *text) {
    char copy[256], *save = NULL;
    int n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save), n++) {
        assert_true(n < ROW);
        mpq_init(out[n]);
        assert_int_equal(mpq_set_str(out[n], t, 10), 0);
        mpq_canonicalize(out[n]);
    }
    return n;
}

static void clear_row(mpq_t *row, int n) {
    for (int i = 0; i < n; i++)
        mpq_clear(row[i]);
}

static void expect_near(double got, double expected, double tolerance, const char *what) {
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

/* ---- the case bases ------------------------------------------------------------------------- */

typedef struct example {
    oracle_base base;
    int atoms;
    int first[ROW]; /* a feature of each atom, in the order of the table */
} example;

/* e1..e7 of sizes 2,1,2,3,1,2,3; +1 is the second label. */
enum { E1 = 3, E2 = 4, E3 = 3 << 3, E4 = 7 << 5, E5 = 1 << 8, E6 = 3 << 9, E7 = 7 << 11 };
static const example worked = {
    {14, 3, 2, {E1 | E2 | E3 | E6, E3 | E5 | E6 | E7, E2 | E3 | E4 | E5}, {1, 0, 1}},
    7,
    {0, 2, 3, 5, 8, 9, 11}};
/* {a,b}+ {a,c}- {a,b,c}- {b,c}+ {a}+ */
static const example training = {{3, 5, 2, {3, 5, 7, 6, 1}, {1, 0, 0, 1, 1}}, 3, {0, 1, 2}};
/* {a,b}C {a,d}B {b,c,d,e}A {a,c,e}C; atoms a, b, ce, d; labels A B C */
static const example three = {
    {5, 4, 3, {3, 1 | 8, 2 | 4 | 8 | 16, 1 | 4 | 16}, {2, 1, 0, 2}}, 4, {0, 1, 2, 3}};

/* ---- both sides of every comparison --------------------------------------------------------- */

/* A model of the library and the oracle after the same passes. */
typedef struct pair {
    const example *x;
    hcbr_model *model;
    hcbr_decider *decider;
    oracle *o;
    uint64_t wrong[ROW];
} pair;

static const harness_style plain = {.hash_key = 7};

static void pair_make(pair *p, const example *x, bool all, uint32_t passes, const hcbr_rule *rule) {
    static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    hcbr_train_options options;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    options.scope = all ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    options.passes = passes;
    options.given_order = 1;
    if (rule)
        options.rule = rule;
    p->x = x;
    p->model = harness_train(&x->base, &plain, &options);
    p->decider = harness_decider(p->model, NULL);
    p->o = malloc(sizeof *p->o);
    assert_non_null(p->o);
    oracle_init(p->o);
    oracle_build(p->o, &x->base, all);
    for (uint32_t k = 0; k < passes; k++)
        p->wrong[k] = oracle_pass(p->o, order);
}

static void pair_clear(pair *p) {
    hcbr_decider_free(p->decider);
    hcbr_model_free(p->model);
    oracle_clear(p->o);
    free(p->o);
}

static uint32_t library_atom(const pair *p, int k) {
    return harness_atom(p->model, plain.names, p->x->first[k]);
}

static double strength_of(const pair *p, int k, int label) {
    return hcbr_model_get_atom_strength(p->model, library_atom(p, k), label);
}

/* mu^(l) of both equals the row. */
static void expect_mu(const pair *p, int label, const char *text) {
    mpq_t row[ROW];
    int n = parse_row(row, text);
    assert_int_equal(n, p->x->atoms);
    for (int k = 0; k < n; k++) {
        assert_true(mpq_equal(p->o->mu[p->o->atom_of[p->x->first[k]]][label], row[k]));
        expect_near(strength_of(p, k, label), mpq_get_d(row[k]), 1e-12, text);
    }
    clear_row(row, n);
}

/* S^(l) of both equals the row; the library's is mu times its total, before training. */
static void expect_strength(const pair *p, int label, const char *text) {
    mpq_t row[ROW], sum;
    hcbr_label_info info = {.size = sizeof info};
    int n = parse_row(row, text);
    assert_int_equal(n, p->x->atoms);
    mpq_init(sum);
    hcbr_model_get_label_info(p->model, label, &info);
    for (int k = 0; k < n; k++) {
        assert_true(mpq_equal(p->o->strength[p->o->atom_of[p->x->first[k]]][label], row[k]));
        expect_near(strength_of(p, k, label) * info.total, mpq_get_d(row[k]), 1e-12, text);
        mpq_add(sum, sum, row[k]);
    }
    expect_near(info.total, mpq_get_d(sum), 1e-12, "total");
    mpq_clear(sum);
    clear_row(row, n);
}

/* Supports and winner of a case in both equal the row. */
static void expect_support(const pair *p, uint64_t set, int unseen, const char *text, int winner) {
    mpq_t row[ROW];
    int n = parse_row(row, text);
    assert_int_equal(n, p->x->base.labels);
    hcbr_decision d = harness_decide(p->decider, &plain, set, unseen);
    oracle_support(p->o, set, unseen);
    assert_int_equal(d.label_count, n);
    for (int l = 0; l < n; l++) {
        assert_true(mpq_equal(p->o->support[l], row[l]));
        expect_near(d.support[l], mpq_get_d(row[l]), 1e-12, text);
    }
    assert_int_equal(oracle_winner(p->o, set, unseen), winner);
    assert_int_equal(d.winner, winner);
    clear_row(row, n);
}

/* ---- worked example ------------------------------------------------------------------------- */

static void worked__partition_has_the_seven_atoms(void **state) {
    (void)state;
    static const uint32_t size[] = {2, 1, 2, 3, 1, 2, 3};
    pair p;
    pair_make(&p, &worked, false, 0, NULL);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(p.model, &info);
    assert_int_equal(info.atoms, 7);
    assert_int_equal(info.features, 14);
    assert_int_equal(info.cases, 3);
    assert_int_equal(info.occurrences, 7 + 8 + 7);
    assert_int_equal(p.o->atoms, 7);
    for (int k = 0; k < 7; k++) {
        uint32_t atom = library_atom(&p, k);
        assert_int_equal(hcbr_model_get_atom_size(p.model, atom), size[k]);
        for (uint32_t j = 0; j < size[k]; j++)
            assert_int_equal(harness_atom(p.model, plain.names, worked.first[k] + (int)j), atom);
    }
    pair_clear(&p);
}

static void worked__strengths_are_exact(void **state) {
    (void)state;
    pair p;
    pair_make(&p, &worked, true, 0, NULL);
    expect_strength(&p, 1, "1/35 1/35 48/245 9/140 17/980 17/245 0");
    expect_strength(&p, 0, "0 0 17/84 0 11/336 3/28 9/112");
    pair_clear(&p);
    pair_make(&p, &worked, false, 0, NULL);
    expect_strength(&p, 1, "1/35 1/35 4/35 9/140 1/140 1/35 0");
    expect_strength(&p, 0, "0 0 1/28 0 1/112 1/28 9/112");
    pair_clear(&p);
}

static void worked__differences_and_supports_match_the_table(void **state) {
    (void)state;
    static const double mu[2][7] = {
        {.105263, .105263, .198830, .236842, -.029240, -.116959, -.500000},
        {.070707, .070707, .005975, .159091, -.034535, -.081804, -.190141}};
    static const double s[2][3] = {{.068505, -.170687, .169173}, {.008638, -.094577, .075056}};
    for (int all = 0; all < 2; all++) {
        pair p;
        pair_make(&p, &worked, all, 0, NULL);
        for (int k = 0; k < 7; k++)
            expect_near(strength_of(&p, k, 1) - strength_of(&p, k, 0), mu[all][k], 5.1e-7, "mu");
        for (int i = 0; i < 3; i++) {
            hcbr_decision d = harness_decide(p.decider, &plain, worked.base.set[i], 0);
            expect_near(d.support[1] - d.support[0], s[all][i], 5.1e-7, "s");
            assert_int_equal(d.label, worked.base.label[i]);
            assert_int_equal(d.reason, HCBR_BY_SUPPORT);
        }
        pair_clear(&p);
    }
}

/* e1, e2, e3 whole, one feature each of e5, e6, e7. */
static void worked__new_case_is_decided_by_scope(void **state) {
    (void)state;
    uint64_t set = E1 | E2 | E3 | E5 | 1 << 9 | 1 << 11;
    pair p;
    pair_make(&p, &worked, true, 0, NULL);
    expect_support(&p, set, 0, "105/568 553/3168", 0);
    hcbr_decision d = harness_decide(p.decider, &plain, set, 0);
    assert_int_equal(d.feature_count, 8);
    assert_int_equal(d.known_count, 8);
    expect_near(d.support[1] - d.support[0], -2317.0 / 224928, 1e-12, "s");
    pair_clear(&p);
    pair_make(&p, &worked, false, 0, NULL);
    expect_support(&p, set, 0, "11/72 49/304", 1);
    d = harness_decide(p.decider, &plain, set, 0);
    expect_near(d.support[1] - d.support[0], 23.0 / 2736, 1e-12, "s");
    pair_clear(&p);
}

static void worked__share_above_and_below_threshold(void **state) {
    (void)state;
    static const double share[] = {.51, .52};
    for (int k = 0; k < 2; k++) {
        hcbr_threshold threshold = {.label = "B", .eta_share = share[k], .fallback = "A"};
        hcbr_rule rule;
        pair p;
        hcbr_rule_init(&rule);
        rule.thresholds = &threshold;
        rule.threshold_count = 1;
        pair_make(&p, &worked, true, 0, &rule);
        expect_support(&p, worked.base.set[0], 0, "104/497 151/693", 1);
        hcbr_decision d = harness_decide(p.decider, &plain, worked.base.set[0], 0);
        expect_near(d.support[1] / (d.support[0] + d.support[1]), .51011, 5.1e-6, "share");
        assert_int_equal(d.label, k == 0 ? 1 : 0);
        assert_int_equal(d.reason, k == 0 ? HCBR_BY_SUPPORT : HCBR_BY_SHARE);
        pair_clear(&p);
    }
}

/* ---- training ------------------------------------------------------------------------------- */

static void training__passes_are_exact(void **state) {
    (void)state;
    static const char *const mu[2][4] = {
        {"1/2 7/18 1/9", "1/2 8/15 101/360", "19/40 46/135 101/360", "19/40 112/405 101/360"},
        {"77/150 47/150 13/75", "77/150 23/60 73/300", "77/150 29/100 73/300",
         "77/150 233/900 73/300"}};
    static const uint64_t wrong[2][3] = {{1, 3, 2}, {2, 2, 2}};
    static const double sigma[2][3] = {{1. / 2 + 9. / 20, 7. / 18 + 1. / 10, 1. / 9 + 9. / 20},
                                       {77. / 75, 47. / 150 + 13. / 75, 13. / 75 + 47. / 150}};
    static const uint64_t ties[2] = {4, 7};
    for (int all = 0; all < 2; all++) {
        for (uint32_t passes = 0; passes <= 3; passes++) {
            pair p;
            pair_make(&p, &training, all, passes, NULL);
            expect_mu(&p, 1, mu[all][passes]);
            if (passes == 0)
                expect_mu(&p, 0, all ? "77/150 13/75 47/150" : "9/20 1/10 9/20");
            for (int k = 0; k < 3; k++)
                expect_near(strength_of(&p, k, 0) + strength_of(&p, k, 1), sigma[all][k], 1e-12,
                            "sum over labels");
            for (uint32_t k = 0; k < passes; k++) {
                assert_int_equal(p.wrong[k], wrong[all][k]);
                assert_int_equal(hcbr_model_get_pass_errors(p.model)[k], wrong[all][k]);
            }
            if (passes == 3)
                assert_int_equal(p.o->ties, ties[all]);
            pair_clear(&p);
        }
    }
}

/* METHOD 4: {a}+ {a}- {b}+ has 2 wrong in every pass for ever. */
static void training__does_not_converge_on_a_contradiction(void **state) {
    (void)state;
    static const example x = {{2, 3, 2, {1, 1, 2}, {1, 0, 1}}, 2, {0, 1}};
    for (int all = 0; all < 2; all++) {
        pair p;
        pair_make(&p, &x, all, 8, NULL);
        for (int k = 0; k < 8; k++) {
            assert_int_equal(p.wrong[k], 2);
            assert_int_equal(hcbr_model_get_pass_errors(p.model)[k], 2);
        }
        pair_clear(&p);
    }
}

/* METHOD 5, the car accident: {2,4,7}, {5}, {1,3,6}; both strengths tie and s(x3) = 0. */
static void car_accident__tie_goes_to_the_first_label(void **state) {
    (void)state;
    /* x1 = {2,4,5,7} +, x2 = {1,3,5,6} -; asked: x3 = {2,5,6,8}, 8 unseen */
    static const example x = {{8, 2, 2, {0xB4, 0x6A}, {1, 0}}, 3, {2, 5, 1}};
    for (int all = 0; all < 2; all++) {
        pair p;
        pair_make(&p, &x, all, 0, NULL);
        assert_int_equal(p.o->atoms, 3);
        oracle_support(p.o, 0x64, 1);
        assert_true(mpq_equal(p.o->support[0], p.o->support[1]));
        assert_int_equal(oracle_winner(p.o, 0x64, 1), 0);
        hcbr_decision d = harness_decide(p.decider, &plain, 0x64, 1);
        expect_near(d.support[1], d.support[0], 1e-15, "supports that tie");
        assert_int_equal(d.label, 0);
        assert_int_equal(d.known_count, 3);
        assert_int_equal(d.unseen_count, 1);
        expect_near(strength_of(&p, 0, 1), strength_of(&p, 2, 0), 1e-15, "strengths that tie");
        expect_near(strength_of(&p, 1, 1), strength_of(&p, 1, 0), 1e-15, "strengths that tie");
        pair_clear(&p);
    }
}

/* ---- three labels --------------------------------------------------------------------------- */

static const uint64_t ac = 1 | 4; /* {a,c}; z is unseen */

static void three__strengths_are_exact(void **state) {
    (void)state;
    pair p;
    pair_make(&p, &three, true, 0, NULL);
    expect_strength(&p, 0, "0 1/4 3/5 1/4");
    expect_strength(&p, 1, "1/2 0 0 3/10");
    expect_strength(&p, 2, "13/30 2/15 7/15 0");
    expect_mu(&p, 0, "0 5/22 6/11 5/22");
    expect_mu(&p, 1, "5/8 0 0 3/8");
    expect_mu(&p, 2, "13/31 4/31 14/31 0");
    expect_support(&p, three.base.set[0], 0, "5/44 5/16 17/62", 1);
    expect_support(&p, ac, 1, "2/11 5/24 9/31", 2);
    pair_clear(&p);
    pair_make(&p, &three, false, 0, NULL);
    expect_strength(&p, 0, "0 1/20 1/5 1/20");
    expect_strength(&p, 1, "1/10 0 0 1/10");
    expect_strength(&p, 2, "7/30 1/15 1/5 0");
    expect_mu(&p, 0, "0 1/6 2/3 1/6");
    expect_mu(&p, 1, "1/2 0 0 1/2");
    expect_mu(&p, 2, "7/15 2/15 2/5 0");
    expect_support(&p, three.base.set[3], 0, "4/9 1/6 19/45", 0);
    expect_support(&p, ac, 1, "2/9 1/6 13/45", 2);
    pair_clear(&p);
}

static void three__passes_are_exact(void **state) {
    (void)state;
    for (uint32_t passes = 1; passes <= 2; passes++) {
        for (int all = 0; all < 2; all++) {
            pair p;
            pair_make(&p, &three, all, passes, NULL);
            for (uint32_t k = 0; k < passes; k++) {
                assert_int_equal(p.wrong[k], k == 0 ? 1 : 0);
                assert_int_equal(hcbr_model_get_pass_errors(p.model)[k], k == 0 ? 1 : 0);
            }
            expect_mu(&p, 0, all ? "0 5/22 6/11 5/22" : "-7/45 1/6 22/45 1/6");
            expect_mu(&p, 1, all ? "259/496 -2/31 0 3/8" : "1/2 0 0 1/2");
            expect_mu(&p, 2, all ? "259/496 6/31 14/31 0" : "28/45 2/15 26/45 0");
            expect_support(&p, ac, 1, all ? "2/11 259/1488 161/496" : "1/9 1/6 2/5", 2);
            hcbr_decision d = harness_decide(p.decider, &plain, ac, 1);
            assert_int_equal(d.feature_count, 3);
            assert_int_equal(d.known_count, 2);
            assert_int_equal(d.unseen_count, 1);
            assert_int_equal(d.unseen[0].key_length, 3);
            assert_memory_equal(d.unseen[0].key, "f64", 3);
            pair_clear(&p);
        }
    }
}

/* What past case i put into mu^(label)(e): its share of S, and what training moved for it. */
static double put_in(const hcbr_model *m, uint32_t i, size_t j, int label) {
    const hcbr_i_atom_id *atoms =
        hcbr_i_model_plain(m)->kept.atoms + hcbr_i_model_plain(m)->kept.start[i];
    size_t count =
        (size_t)(hcbr_i_model_plain(m)->kept.start[i + 1] - hcbr_i_model_plain(m)->kept.start[i]);
    double divisor = 0, put = 0, size = hcbr_model_get_atom_size(m, atoms[j]);
    for (size_t k = 0; k < count; k++)
        divisor += (double)hcbr_model_get_atom_count(m, atoms[k], label) *
                   hcbr_model_get_atom_size(m, atoms[k]);
    hcbr_label_info info = {.size = sizeof info};
    hcbr_model_get_label_info(m, label, &info);
    if (divisor > 0 && (m->scope == HCBR_SCOPE_ALL || (int)m->kept_label[i] == label))
        put = size / hcbr_i_model_plain(m)->atoms.feature_count *
              hcbr_model_get_atom_count(m, atoms[j], label) * size / divisor / info.total;
    for (uint64_t r = 0; r < hcbr_i_model_plain(m)->moves.count; r++) {
        if (hcbr_i_model_plain(m)->moves.case_of[r] != i)
            continue;
        double delta =
            hcbr_i_model_plain(m)->moves.delta[hcbr_i_model_plain(m)->moves.start[r] + j];
        put += (int)m->kept_label[i] == label                          ? delta
               : (int)hcbr_i_model_plain(m)->moves.decided[r] == label ? -delta
                                                                       : 0;
    }
    return put;
}

/* METHOD 9, from what the model keeps: influence of each past case on {a,c,z}, after one pass. */
static void three__kept_moves_account_for_every_influence(void **state) {
    (void)state;
    static const char *const expected[2][3] = {
        {"0 0 2/9 -1/9", "0 1/6 0 0", "4/45 0 0 14/45"},
        {"0 0 2/33 4/33", "73/1488 1/24 0 1/12", "115/1488 2/31 8/93 3/31"}};
    for (int all = 0; all < 2; all++) {
        pair p;
        pair_make(&p, &three, all, 1, NULL);
        uint32_t touched[2] = {library_atom(&p, 0), library_atom(&p, 2)}; /* one feature each */
        for (int l = 0; l < 3; l++) {
            mpq_t row[ROW];
            int n = parse_row(row, expected[all][l]);
            assert_int_equal(n, 4);
            for (uint32_t i = 0; i < 4; i++) {
                const hcbr_model *m = p.model;
                double influence = 0;
                for (uint64_t k = hcbr_i_model_plain(m)->kept.start[i];
                     k < hcbr_i_model_plain(m)->kept.start[i + 1]; k++)
                    if (hcbr_i_model_plain(m)->kept.atoms[k] == touched[0] ||
                        hcbr_i_model_plain(m)->kept.atoms[k] == touched[1])
                        influence +=
                            put_in(m, i, (size_t)(k - hcbr_i_model_plain(m)->kept.start[i]), l) / 3;
                expect_near(influence, mpq_get_d(row[i]), 1e-12, expected[all][l]);
            }
            clear_row(row, n);
        }
        pair_clear(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked__partition_has_the_seven_atoms),
        cmocka_unit_test(worked__strengths_are_exact),
        cmocka_unit_test(worked__differences_and_supports_match_the_table),
        cmocka_unit_test(worked__new_case_is_decided_by_scope),
        cmocka_unit_test(worked__share_above_and_below_threshold),
        cmocka_unit_test(training__passes_are_exact),
        cmocka_unit_test(training__does_not_converge_on_a_contradiction),
        cmocka_unit_test(car_accident__tie_goes_to_the_first_label),
        cmocka_unit_test(three__strengths_are_exact),
        cmocka_unit_test(three__passes_are_exact),
        cmocka_unit_test(three__kept_moves_account_for_every_influence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
