/*
 * Strengths (METHOD 2): single ones, and what is built from a case base whose numbers METHOD 6
 * gives.
 */
#include "add_case.h"
#include "plain/plain.h"

#include <hcbr/cases.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- single strengths -------------------------------------------------------------------------
 */

#define ATOMS 20u
#define LABELS 12u

/* Every third pair of atom and label has an entry, with count and strength told by its place. */
static bool stored(uint32_t atom, uint32_t label) {
    return (atom + label) % 3 == 0 && atom != 5; /* atom 5 has none */
}

static double start_mu(uint32_t atom, uint32_t label) {
    return stored(atom, label) ? atom + label / 16.0 : 0;
}

static hcbr_i_strength make(void) {
    hcbr_i_strength s = {.atom_count = ATOMS, .label_count = LABELS};
    size_t most = ATOMS * LABELS;
    s.row = hcbr_i_alloc(ATOMS + 1, sizeof *s.row);
    s.length = hcbr_i_alloc(ATOMS, sizeof *s.length);
    s.entry_label = hcbr_i_alloc(most, sizeof *s.entry_label);
    s.entry_count = hcbr_i_alloc(most, sizeof *s.entry_count);
    s.entry_mu = hcbr_i_alloc(most, sizeof *s.entry_mu);
    uint64_t at = 0;
    for (uint32_t e = 0; e < ATOMS; e++) {
        s.row[e] = at;
        for (uint32_t l = 0; l < LABELS; l++)
            if (stored(e, l)) {
                s.entry_label[at] = l;
                s.entry_count[at] = e * 100 + l;
                s.entry_mu[at++] = start_mu(e, l);
            }
        s.length[e] = (uint32_t)(at - s.row[e]);
    }
    s.row[ATOMS] = s.entry_count_all = at;
    /* no room to spare, so that the first new entry needs some */
    s.entry_label = hcbr_i_realloc(s.entry_label, at, sizeof *s.entry_label);
    s.entry_count = hcbr_i_realloc(s.entry_count, at, sizeof *s.entry_count);
    s.entry_mu = hcbr_i_realloc(s.entry_mu, at, sizeof *s.entry_mu);
    s.entry_capacity = (size_t)at;
    return s;
}

static void expect_matrix(const hcbr_i_strength *s, double mu[ATOMS][LABELS]) {
    for (uint32_t e = 0; e < ATOMS; e++) {
        for (uint32_t l = 0; l < LABELS; l++) {
            assert_true(hcbr_i_strength_get(s, e, l) == mu[e][l]);
            assert_int_equal(hcbr_i_strength_count(s, e, l), stored(e, l) ? e * 100 + l : 0);
        }
        for (uint32_t n = 1; n < s->length[e]; n++) /* by ascending label */
            assert_true(s->entry_label[s->row[e] + n - 1] < s->entry_label[s->row[e] + n]);
    }
}

static void strength__is_read_and_changed_in_place(void **state) {
    (void)state;
    hcbr_i_strength s = make();
    double mu[ATOMS][LABELS];
    uint64_t random = 1;
    for (uint32_t e = 0; e < ATOMS; e++)
        for (uint32_t l = 0; l < LABELS; l++)
            mu[e][l] = start_mu(e, l);
    expect_matrix(&s, mu);
    for (int n = 0; n < 3000; n++) { /* old entries, and new ones in front, between and behind */
        uint64_t x = hcbr_i_mix(random++);
        uint32_t e = (uint32_t)(x >> 8) % ATOMS, l = (uint32_t)(x >> 32) % LABELS;
        double delta = (double)(x & 255) - 128;
        assert_int_equal(hcbr_i_strength_add(&s, e, l, delta, NULL), HCBR_OK);
        mu[e][l] += delta;
        if (n < 300 || n % 100 == 0)
            expect_matrix(&s, mu);
    }
    expect_matrix(&s, mu);
    hcbr_i_strength_clear(&s);
}

static void strength__of_two_labels_is_kept_as_sum_and_difference(void **state) {
    (void)state;
    double mu[] = {0.25, -0.5}, sigma[] = {0.75, 0.5};
    uint32_t d[] = {3, 4, 5, 0};
    hcbr_i_strength s = {.atom_count = 2, .label_count = 2, .mu = mu, .sigma = sigma, .d = d};
    assert_true(hcbr_i_strength_get(&s, 0, 0) == 0.25);
    assert_true(hcbr_i_strength_get(&s, 0, 1) == 0.5);
    assert_true(hcbr_i_strength_get(&s, 1, 0) == 0.5);
    assert_true(hcbr_i_strength_get(&s, 1, 1) == 0);
    assert_int_equal(hcbr_i_strength_count(&s, 0, 1), 4);
    assert_int_equal(hcbr_i_strength_count(&s, 1, 0), 5);
}

/* ---- from a case base -------------------------------------------------------------------------
 */

/* Cases as words of one-letter features with a one-letter label in front. */
static hcbr_cases *make_cases(const char *const *words, size_t count) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (size_t i = 0; i < count; i++) {
        const char label[] = {words[i][0], '\0'};
        hcbr_feature features[16];
        size_t n = 0;
        for (const char *f = words[i] + 1; *f; f++)
            features[n++] = (hcbr_feature){f, 1, NULL, 0};
        assert_int_equal(add_one_case(cases, features, n, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

typedef struct built {
    hcbr_cases *cases;
    hcbr_i_atoms atoms;
    hcbr_i_projections projections;
    hcbr_i_strength s;
} built;

static built build(const char *const *words, size_t count, hcbr_scope scope, uint32_t threads) {
    built b = {.cases = make_cases(words, count)};
    hcbr_i_partition_options options = {.threads = threads};
    assert_int_equal(hcbr_i_partition_build(&b.atoms, &b.projections, b.cases, &options, NULL),
                     HCBR_OK);
    assert_int_equal(hcbr_i_strength_build(&b.s, b.cases, &b.atoms, &b.projections, scope,
                                           &(hcbr_i_means){.threads = threads}, NULL),
                     HCBR_OK);
    return b;
}

static void built_clear(built *b) {
    hcbr_i_strength_clear(&b->s);
    hcbr_i_projections_clear(&b->projections);
    hcbr_i_atoms_clear(&b->atoms);
    hcbr_cases_free(b->cases);
}

/* Strength and count of the atom that holds a feature. */
static void expect_strength(const built *b, const char *feature, uint32_t label, double mu,
                            uint32_t d) {
    assert_int_equal(hcbr_i_dict_need_tables(b->cases->dict, NULL), HCBR_OK);
    uint32_t f = hcbr_i_dict_find(b->cases->dict, feature, 1, NULL, 0);
    assert_true(f != HCBR_I_NONE);
    double have = hcbr_i_strength_get(&b->s, b->atoms.of[f], label);
    if (fabs(have - mu) > 1e-15)
        fail_msg("%s, label %u: %.17g, expected %.17g", feature, label, have, mu);
    assert_int_equal(hcbr_i_strength_count(&b->s, b->atoms.of[f], label), d);
}

/* METHOD 6, three labels: A, B, C are 0, 1, 2. */
static void strength__is_that_of_the_example_of_three_labels(void **state) {
    (void)state;
    static const char *const words[] = {"Cab", "Bad", "Abcde", "Cace"};
    static const char *const atoms[] = {"a", "b", "c", "d"};
    static const uint32_t d[3][4] = {{0, 1, 1, 1}, {1, 0, 0, 1}, {2, 1, 1, 0}};
    static const double mu[2][3][4] = {
        {{0, 1 / 6., 2 / 3., 1 / 6.}, {1 / 2., 0, 0, 1 / 2.}, {7 / 15., 2 / 15., 2 / 5., 0}},
        {{0, 5 / 22., 6 / 11., 5 / 22.}, {5 / 8., 0, 0, 3 / 8.}, {13 / 31., 4 / 31., 14 / 31., 0}}};
    static const double total[2][3] = {{3 / 10., 1 / 5., 1 / 2.}, {11 / 10., 4 / 5., 31 / 30.}};
    for (int scope = 0; scope < 2; scope++)
        for (uint32_t threads = 1; threads < 4; threads++) {
            built b = build(words, 4, (hcbr_scope)scope, threads);
            assert_int_equal(b.s.atom_count, 4);
            assert_int_equal(b.s.label_count, 3);
            for (uint32_t l = 0; l < 3; l++) {
                assert_true(fabs(b.s.total[l] - total[scope][l]) < 1e-15);
                assert_int_equal(b.s.cases[l], l == 2 ? 2 : 1);
                for (uint32_t e = 0; e < 4; e++)
                    expect_strength(&b, atoms[e], l, mu[scope][l][e], d[l][e]);
            }
            expect_strength(&b, "e", 2, mu[scope][2][2], 1); /* of one atom with c */
            built_clear(&b);
        }
}

/* METHOD 6, training: before it. Labels + and - are 0 and 1 by their bytes. */
static void strength__is_that_of_the_example_of_two_labels(void **state) {
    (void)state;
    static const char *const words[] = {"+ab", "-ac", "-abc", "+bc", "+a"};
    static const char *const atoms[] = {"a", "b", "c"};
    static const uint32_t d[2][3] = {{2, 2, 1}, {2, 1, 2}};
    static const double mu[2][2][3] = {
        {{1 / 2., 7 / 18., 1 / 9.}, {9 / 20., 1 / 10., 9 / 20.}},
        {{77 / 150., 47 / 150., 13 / 75.}, {77 / 150., 13 / 75., 47 / 150.}}};
    for (int scope = 0; scope < 2; scope++) {
        built b = build(words, 5, (hcbr_scope)scope, 2);
        for (uint32_t l = 0; l < 2; l++)
            for (uint32_t e = 0; e < 3; e++)
                expect_strength(&b, atoms[e], l, mu[scope][l][e], d[l][e]);
        built_clear(&b);
    }
}

/* A label of empty cases only has no strength at all; the others are as without it. */
static void strength__of_a_label_without_features_is_zero(void **state) {
    (void)state;
    static const char *const two[] = {"Aab", "B", "Ac"}, *const three[] = {"Aab", "B", "Cc", "Ca"};
    built b = build(two, 3, HCBR_SCOPE_CLASS, 1);
    assert_true(b.s.total[0] > 0);
    assert_true(b.s.total[1] == 0);
    assert_int_equal(b.s.cases[1], 1);
    expect_strength(&b, "a", 1, 0, 0);
    /* |F| = 3; S(ab) = 2/3 * 1, S(c) = 1/3 * 1 */
    expect_strength(&b, "a", 0, 2 / 3., 1);
    expect_strength(&b, "c", 0, 1 / 3., 1);
    built_clear(&b);
    b = build(three, 4, HCBR_SCOPE_ALL, 1);
    assert_true(b.s.total[1] == 0);
    expect_strength(&b, "c", 1, 0, 0);
    expect_strength(&b, "c", 2, 1 / 3., 1); /* a: 1/2 * 1 of Aab where b has none, and 1 */
    built_clear(&b);
}

static void strength__of_one_label_sums_to_one(void **state) {
    (void)state;
    static const char *const words[] = {"Aab", "Aac", "A", "Abcd"};
    built b = build(words, 4, HCBR_SCOPE_CLASS, 1);
    double sum = 0;
    assert_null(b.s.mu);
    for (uint32_t e = 0; e < b.s.atom_count; e++)
        sum += hcbr_i_strength_get(&b.s, e, 0);
    assert_true(fabs(sum - 1) < 1e-15);
    built_clear(&b);
}

/* Whatever share of the cases a label has, threads change no bit. The atom of `a` gets sums of
 * exactly 1: its cases hold nothing else, and their number is a power of two. */
static void strength__of_two_labels_does_not_depend_on_threads(void **state) {
    (void)state;
    enum { CASES = 64 };
    for (uint32_t share = 1; share < CASES; share += 3) {
        const char *words[CASES];
        for (uint32_t i = 0; i < CASES; i++) {
            static const char *const first[] = {"Abc", "Acd", "Abde", "Abcf"};
            static const char *const second[] = {"Bbd", "Bce", "Bcdeg", "Bb"};
            words[i] = (i < share ? first : second)[hcbr_i_mix(i) % 4];
        }
        for (uint32_t i = 0; i < 4; i++)
            words[share / 2 + i < share ? share / 2 + i : 0] = "Aa";
        built one = build(words, CASES, HCBR_SCOPE_CLASS, 1);
        for (uint32_t threads = 2; threads < 8; threads++) {
            built b = build(words, CASES, HCBR_SCOPE_CLASS, threads);
            size_t bytes = one.s.atom_count * sizeof *one.s.mu;
            assert_memory_equal(b.s.mu, one.s.mu, bytes);
            assert_memory_equal(b.s.sigma, one.s.sigma, bytes);
            assert_memory_equal(b.s.d, one.s.d, bytes);
            built_clear(&b);
        }
        double sum = 0, difference = 0;
        for (uint32_t e = 0; e < one.s.atom_count; e++) {
            sum += one.s.sigma[e];
            difference += one.s.mu[e];
        }
        assert_true(fabs(sum - 2) < 1e-14);
        assert_true(fabs(difference) < 1e-14);
        built_clear(&one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength__is_read_and_changed_in_place),
        cmocka_unit_test(strength__of_two_labels_is_kept_as_sum_and_difference),
        cmocka_unit_test(strength__is_that_of_the_example_of_three_labels),
        cmocka_unit_test(strength__is_that_of_the_example_of_two_labels),
        cmocka_unit_test(strength__of_a_label_without_features_is_zero),
        cmocka_unit_test(strength__of_one_label_sums_to_one),
        cmocka_unit_test(strength__of_two_labels_does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
