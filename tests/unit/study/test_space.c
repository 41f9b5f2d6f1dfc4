/*
 * The model space: tests and sums against scipy and scikit-learn (golden/study.txt, made by
 * golden/make_study.py), and what the solvers must reach whatever the cases.
 */
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "seed.h"
#include "space.h"

#define MOST_NUMBERS 500

void study_no_memory(void) {
    abort();
}

static void expect_near(double got, double expected, double share, const char *what) {
    if (!(fabs(got - expected) <= share * fmax(fabs(expected), 1e-300)) &&
        !(fabs(got - expected) < 1e-15))
        fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

static void check_frontier(const double *v, size_t count) {
    static study_scored list[MOST_NUMBERS];
    static study_threshold found[MOST_NUMBERS];
    const size_t n = (size_t)v[0], points = (size_t)v[1 + 2 * n];
    const double *p = v + 2 + 2 * n;
    assert_int_equal(count, 2 + 2 * n + 4 * points);
    for (size_t i = 0; i < n; i++)
        list[i] = (study_scored){v[1 + i], v[1 + n + i] != 0};
    assert_int_equal(study_thresholds(found, list, n), points);
    for (size_t i = 0; i < points; i++) {
        const double answered = (double)found[i].answered;
        expect_near(found[i].eta, p[i], 0, "eta");
        expect_near(answered, p[points + i], 0, "answered");
        expect_near((double)found[i].right / answered, p[2 * points + i], 1e-15, "accuracy");
        expect_near(found[i].best, p[3 * points + i], 0, "frontier");
    }
}

static void check_line(const char *kind, const double *v, size_t count) {
    if (strcmp(kind, "wilcoxon") == 0) {
        wilcoxon test;
        assert_int_equal(count, 3 + (size_t)v[2]);
        wilcoxon_test(&test, v + 3, (size_t)v[2]);
        expect_near(test.statistic, v[0], 0, "statistic");
        expect_near(test.p, v[1], 1e-10, "p");
    } else if (strcmp(kind, "exponent") == 0) {
        size_t n = (size_t)v[1];
        assert_int_equal(count, 2 + 2 * n);
        expect_near(study_exponent(v + 2, v + 2 + n, n), v[0], 1e-9, "exponent");
    } else if (strcmp(kind, "frontier") == 0) {
        check_frontier(v, count);
    } else {
        assert_string_equal(kind, "mcc");
        expect_near(space_mcc_of(v[1], v[2], v[3], v[4]), v[0], 1e-12, "mcc");
    }
}

static void golden__agrees_with_scipy_and_scikit_learn(void **state) {
    (void)state;
    FILE *file = fopen("golden/study.txt", "r");
    char word[64], kind[64] = "";
    double v[MOST_NUMBERS];
    int checks = 0;
    size_t n = 0;
    assert_non_null(file);
    for (bool more = true; more;) {
        more = fscanf(file, "%63s", word) == 1;
        if (more && !(word[0] >= 'a' && word[0] <= 'z')) {
            assert_true(n < MOST_NUMBERS);
            v[n++] = strtod(word, NULL);
            continue;
        }
        if (kind[0]) {
            check_line(kind, v, n);
            checks++;
        }
        memcpy(kind, word, sizeof kind);
        n = 0;
    }
    (void)fclose(file);
    assert_int_equal(checks, 230);
}

static void wilcoxon__leaves_out_zeros_and_what_is_none(void **state) {
    (void)state;
    wilcoxon test;
    const double zeros[] = {0, 0, NAN}, some[] = {0, 1, NAN, 2, 3}, opposite[] = {0, -1, -2, -3};
    wilcoxon_test(&test, zeros, 3);
    assert_true(isnan(test.p) && test.count == 0);
    wilcoxon_test(&test, some, 5);
    assert_true(test.count == 3 && test.statistic == 0);
    double p = test.p;
    wilcoxon_test(&test, opposite, 4);
    assert_true(test.p == p); // two-sided
}

static void normal__has_the_moments_of_one(void **state) {
    (void)state;
    space_random r = {test_seed(11), NAN};
    double sum[5] = {0};
    int n = 200000;
    for (int i = 0; i < n; i++) {
        double x = space_normal(&r), power = 1;
        for (int k = 0; k < 5; k++, power *= x)
            sum[k] += power / n;
    }
    assert_true(fabs(sum[1]) < 0.02 && fabs(sum[2] - 1) < 0.03);
    assert_true(fabs(sum[3]) < 0.06 && fabs(sum[4] - 3) < 0.15);
}

/* ---- solvers --------------------------------------------------------------------------------- */

#define CASES 60
#define ATOMS 12

typedef struct small_space {
    space space;
    uint64_t start[CASES + 1];
    uint32_t atom[CASES * ATOMS];
    double weight[CASES * ATOMS];
    uint8_t positive[CASES];
    double mu[ATOMS];
} small_space;

/* Random cases; labels by hidden strengths, `wrong` in a hundred turned. */
static void draw_space(small_space *s, harness_random *r, int wrong) {
    double hidden[ATOMS];
    uint64_t used = 0;
    for (int e = 0; e < ATOMS; e++) {
        hidden[e] = (harness_below(r, 2001) - 1000) / 1000.0;
        s->mu[e] = (harness_below(r, 2001) - 1000) / 1e4;
    }
    for (uint32_t i = 0; i < CASES; i++) {
        uint64_t first = used;
        double support = 0;
        for (uint32_t e = 0; e < ATOMS; e++)
            if (harness_below(r, 3) == 0 || (e == ATOMS - 1 && used == first))
                s->atom[used++] = e;
        for (uint64_t j = first; j < used; j++) {
            s->weight[j] = 1.0 / (double)(used - first);
            support += s->weight[j] * hidden[s->atom[j]];
        }
        if (fabs(support - 0.05) < 0.02) { // too close to call: another one
            used = first;
            i--;
            continue;
        }
        s->positive[i] = (support > 0.05) != (harness_below(r, 100) < wrong);
        s->start[i + 1] = used;
    }
    s->start[0] = 0;
    s->space = (space){CASES, ATOMS, s->start, s->atom, s->weight, s->positive};
}

static bool has_both(const small_space *s) {
    return memchr(s->positive, 0, CASES) && memchr(s->positive, 1, CASES);
}

static int never(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)context, (void)stage, (void)done, (void)total;
    return 0;
}
static int at_once(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)never(context, stage, done, total);
    return 1;
}

static void solvers__never_make_it_worse(void **state) {
    (void)state;
    static small_space s;
    harness_random r = {test_seed(12)};
    const study_stop stop = {never, NULL};
    double out[ATOMS], fitness[21];
    hcbr_error err = {0};
    for (int round = 0; round < 40; round++) {
        draw_space(&s, &r, round % 2 * 15);
        space_job job = {&s.space, s.mu, (uint64_t)round, 20, &stop};
        double before = space_fitness(&s.space, s.mu, s.mu);
        assert_true(before == space_mcc(&s.space, s.mu));
        harness_ok(space_evolve(out, fitness, &job, &err), &err);
        assert_true(fitness[0] >= before);
        for (int g = 0; g < 20; g++)
            assert_true(fitness[g + 1] >= fitness[g]);
        assert_true(fitness[20] == space_fitness(&s.space, s.mu, out));
        int choice = SPACE_CHOOSE, again;
        harness_ok(space_convex(out, &job, NULL, &choice, &err), &err);
        double found = space_fitness(&s.space, s.mu, out);
        assert_true(found >= before && choice >= -2);
        double same[ATOMS];
        again = choice;
        harness_ok(space_convex(same, &job, NULL, &again, &err), &err);
        assert_memory_equal(out, same, sizeof out); // what was chosen is taken again
        /* labels follow from strengths: these, or others like them, are found */
        if (round % 2 == 0 && has_both(&s))
            assert_true(space_mcc(&s.space, out) == 1);
    }
}

/* Where few cases are positive, those with the best odds are still more often negative: the least
 * loss decides nothing but negative, and only a threshold gives an MCC above 0. */
static void convex__finds_the_threshold_of_rare_labels(void **state) {
    (void)state;
    static small_space s;
    const study_stop stop = {never, NULL};
    const double tp = 6, fp = 14, fn = 2, tn = 38;
    double out[2];
    hcbr_error err = {0};
    int choice = SPACE_CHOOSE;
    for (uint32_t i = 0; i < CASES; i++) { // of 20 with atom 0 six are positive, of 40 others two
        s.atom[i] = i >= 20;
        s.weight[i] = 1;
        s.positive[i] = i < 6 || i >= CASES - 2;
        s.start[i + 1] = i + 1;
    }
    s.mu[0] = -0.1, s.mu[1] = -0.2;
    s.space = (space){CASES, 2, s.start, s.atom, s.weight, s.positive};
    space_job job = {&s.space, s.mu, 1, 20, &stop};
    harness_ok(space_convex(out, &job, NULL, &choice, &err), &err);
    expect_near(space_mcc(&s.space, out), space_mcc_of(tp, fp, fn, tn), 1e-12, "mcc");
}

/* Rows as a reader would merge them: pair by pair. */
static bool equal_rows(const space *a, uint32_t i, const space *b, uint32_t k) {
    uint64_t length = a->start[i + 1] - a->start[i];
    return length == b->start[k + 1] - b->start[k] &&
           (length == 0 ||
            (memcmp(a->atom + a->start[i], b->atom + b->start[k], length * sizeof *a->atom) == 0 &&
             memcmp(a->weight + a->start[i], b->weight + b->start[k], length * sizeof *a->weight) ==
                 0));
}

static void rows__are_the_different_ones_with_their_cases(void **state) {
    (void)state;
    static small_space s;
    harness_random r = {test_seed(15)};
    uint32_t merged = 0;
    for (int round = 0; round < 60; round++) {
        draw_space(&s, &r, 10);
        /* each case a second time, and from time to time with other weights or shorter */
        static uint64_t start[2 * CASES + 1];
        static uint32_t atom[2 * CASES * ATOMS];
        static double weight[2 * CASES * ATOMS];
        static uint8_t positive[2 * CASES];
        space twice = {0, s.space.atom_count, start, atom, weight, positive};
        for (uint32_t k = 0; k < 2 * s.space.case_count; k++) {
            uint32_t i = (uint32_t)harness_below(&r, (int)s.space.case_count);
            uint64_t length = s.space.start[i + 1] - s.space.start[i], at = start[k];
            length -= length > 0 && harness_below(&r, 8) == 0;
            double factor = harness_below(&r, 8) == 0 ? 0.5 : 1;
            for (uint64_t j = 0; j < length; j++) {
                atom[at + j] = s.space.atom[s.space.start[i] + j];
                weight[at + j] = factor * s.space.weight[s.space.start[i] + j];
            }
            start[k + 1] = at + length;
            positive[k] = (uint8_t)harness_below(&r, 2);
            twice.case_count++;
        }
        space_rows rows;
        space_rows_make(&rows, &twice);
        merged += twice.case_count - rows.matrix.case_count;
        uint32_t found = 0;
        for (uint32_t k = 0; k < rows.matrix.case_count; k++) {
            double cases = 0, positives = 0;
            for (uint32_t i = 0; i < twice.case_count; i++)
                if (equal_rows(&rows.matrix, k, &twice, i)) {
                    cases++;
                    positives += positive[i];
                }
            assert_true(cases > 0 && rows.cases[k] == cases && rows.positives[k] == positives);
            found += (uint32_t)cases;
        }
        assert_int_equal(found, twice.case_count); // no row stands twice, and none is missing
        space_rows_clear(&rows);
    }
    assert_true(merged > 0);
}

static void solvers__stop_when_asked(void **state) {
    (void)state;
    static small_space s;
    harness_random r = {test_seed(13)};
    const study_stop stop = {at_once, NULL};
    double out[ATOMS], fitness[21];
    int choice = SPACE_CHOOSE;
    hcbr_error err = {0};
    draw_space(&s, &r, 10);
    space_job job = {&s.space, s.mu, 1, 20, &stop};
    assert_int_equal(space_evolve(out, fitness, &job, &err), HCBR_ECANCELLED);
    assert_int_equal(space_convex(out, &job, NULL, &choice, &err), HCBR_ECANCELLED);
}

/* A number that is added to all strengths, and a positive factor, are the convex solver's own. */
static void solvers__see_no_scale(void **state) {
    (void)state;
    static small_space s;
    harness_random r = {test_seed(14)};
    draw_space(&s, &r, 10);
    double mcc = space_mcc(&s.space, s.mu), scaled[ATOMS];
    for (int e = 0; e < ATOMS; e++)
        scaled[e] = 1024 * s.mu[e];
    assert_true(space_mcc(&s.space, scaled) == mcc);
    assert_true(space_mcc_of(0, 0, 5, 5) == 0 && space_mcc_of(3, 0, 0, 4) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden__agrees_with_scipy_and_scikit_learn),
        cmocka_unit_test(wilcoxon__leaves_out_zeros_and_what_is_none),
        cmocka_unit_test(normal__has_the_moments_of_one),
        cmocka_unit_test(solvers__never_make_it_worse),
        cmocka_unit_test(convex__finds_the_threshold_of_rare_labels),
        cmocka_unit_test(rows__are_the_different_ones_with_their_cases),
        cmocka_unit_test(solvers__stop_when_asked),
        cmocka_unit_test(solvers__see_no_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
