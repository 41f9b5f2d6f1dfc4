/*
 * Bounds against exact sums, isotonic calibration against its max-min formula, Platt's against the
 * conditions of its minimum.
 */
#include "tune/tune.h"
#include "unit/tune/tune_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static double draw(void) {
    return (double)next_random() / 9007199254740992.0;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* P(at most k of n), each term by a product. */
static double binomial_up_to(unsigned k, unsigned n, double p) {
    double sum = 0;
    for (unsigned i = 0; i <= k; i++) {
        double term = 1;
        for (unsigned j = 0; j < i; j++)
            term *= (double)(n - j) / (double)(i - j) * p;
        for (unsigned j = i; j < n; j++)
            term *= 1 - p;
        sum += term;
    }
    return sum;
}

static void upper__is_where_the_tail_is_the_risk(void **unused) {
    (void)unused;
    const double risks[] = {0.2, 0.05, 0.01, 0.001};
    for (unsigned n = 1; n <= 60; n += n < 12 ? 1 : 7)
        for (unsigned k = 0; k < n; k++)
            for (size_t r = 0; r < 4; r++) {
                double p = hcbr_i_bound_upper(k, n, risks[r]);
                assert_true(p > (double)k / n && p < 1);
                assert_near(binomial_up_to(k, n, p), risks[r], 1e-9);
                // the lower one mirrors it: P(at least k) is the risk there
                if (k > 0) {
                    double low = hcbr_i_bound_lower(k, n, risks[r]);
                    assert_near(1 - binomial_up_to(k - 1, n, low), risks[r], 1e-9);
                }
            }
    assert_near(hcbr_i_bound_upper(5, 5, 0.05), 1, 0);
    assert_near(hcbr_i_bound_upper(0, 0, 0.05), 1, 0);
    assert_near(hcbr_i_bound_lower(0, 9, 0.05), 0, 0);
    // none of n: 1 - risk^(1/n), however large n is
    for (uint64_t n = 10; n <= 10000000; n *= 10)
        assert_near(hcbr_i_bound_upper(0, n, 0.05), -expm1(log(0.05) / (double)n), 1e-12);
    // many: close to the normal distribution's
    double p = hcbr_i_bound_upper(20000, 1000000, 0.05);
    assert_near(p, 0.02 + 1.6449 * sqrt(0.02 * 0.98 / 1e6), 2e-6);
}

static void limit__holds_as_often_as_it_says(void **unused) {
    (void)unused;
    enum { CASES = 1500, ROUNDS = 400 };
    const double max_error = 0.1, risk = 0.1;
    hcbr_i_answer *answers = hcbr_i_alloc(CASES, sizeof *answers);
    int broken = 0, answered = 0;
    start("limit", 17);
    assert_non_null(answers);
    for (int round = 0; round < ROUNDS; round++) {
        hcbr_i_limit limit;
        for (size_t i = 0; i < CASES; i++) {
            answers[i].sure = draw();
            answers[i].weight = 1;
            answers[i].wrong = draw() < 0.5 * (1 - answers[i].sure); // error of a threshold t:
        }
        hcbr_i_limit_find(answers, CASES, max_error, risk, &limit);
        if (limit.answered == 0)
            continue;
        answered++;
        double truth = 0.25 * (1 - (limit.above > 0 ? limit.above : 0)); // mean above it
        broken += truth > max_error;
        assert_true(limit.bound <= max_error);
        assert_true((double)limit.wrong <= limit.bound * (double)limit.answered);
    }
    assert_true(answered > ROUNDS * 9 / 10);
    // more than risk + 3 standard errors of the count would be no accident
    assert_true(broken <= ROUNDS * risk + 3 * sqrt(ROUNDS * risk * (1 - risk)));
    hcbr_i_free(answers);
}

static void limit__that_nothing_meets_answers_nothing(void **unused) {
    (void)unused;
    hcbr_i_answer answers[40];
    hcbr_i_limit limit;
    for (size_t i = 0; i < 40; i++)
        answers[i] = (hcbr_i_answer){(double)i, 1, i % 2 == 0};
    hcbr_i_limit_find(answers, 40, 0.01, 0.05, &limit);
    assert_int_equal(limit.answered, 0);
    assert_true(isinf(limit.above) && limit.above > 0);
    hcbr_i_limit_find(answers, 0, 0.5, 0.05, &limit);
    assert_int_equal(limit.answered, 0);
    for (size_t i = 0; i < 40; i++) // equally sure: all or none
        answers[i] = (hcbr_i_answer){1, 1, false};
    hcbr_i_limit_find(answers, 40, 0.5, 0.05, &limit);
    assert_int_equal(limit.answered, 40);
    assert_true(isinf(limit.above) && limit.above < 0);
}

/* ---- isotonic -------------------------------------------------------------------------------- */

/* max over a <= i of min over b >= i of the mean of a..b, over distinct scores. */
static double max_min(const double *positive, const double *weight, size_t count, size_t i) {
    double best = 0;
    for (size_t a = 0; a <= i; a++) {
        double least = 1;
        for (size_t b = i; b < count; b++) {
            double p = 0, w = 0;
            for (size_t j = a; j <= b; j++) {
                p += positive[j];
                w += weight[j];
            }
            least = p / w < least ? p / w : least;
        }
        best = least > best ? least : best;
    }
    return best;
}

static void isotonic__is_the_max_min_mean(void **unused) {
    (void)unused;
    start("isotonic", 23);
    for (int round = 0; round < 3000; round++) {
        hcbr_i_scored scored[20];
        double positive[12] = {0}, weight[12] = {0}, at[12], all = 0;
        size_t count = 1 + (size_t)(draw() * 20), distinct = 0;
        bool seen[12] = {false};
        hcbr_i_isotonic fit;
        hcbr_error err;
        for (size_t i = 0; i < count; i++) {
            size_t place = (size_t)(draw() * 12);
            scored[i] = (hcbr_i_scored){(double)place - 5, 1 + (double)(size_t)(draw() * 3),
                                        draw() < (double)place / 12};
            seen[place] = true;
        }
        for (size_t place = 0; place < 12; place++)
            if (seen[place])
                at[distinct++] = (double)place - 5;
        for (size_t i = 0; i < count; i++)
            for (size_t d = 0; d < distinct; d++)
                if (at[d] == scored[i].score) {
                    weight[d] += scored[i].weight;
                    positive[d] += scored[i].positive ? scored[i].weight : 0;
                    all += scored[i].weight;
                }
        assert_int_equal(hcbr_i_isotonic_fit(scored, count, &fit, &err), HCBR_OK);
        for (size_t d = 0; d < distinct; d++) {
            double p = max_min(positive, weight, distinct, d), least = 1 / (all + 2);
            p = p < least ? least : p > 1 - least ? 1 - least : p;
            assert_near(hcbr_i_isotonic_apply(&fit, at[d]), p, 1e-12);
        }
        double before = hcbr_i_isotonic_apply(&fit, -100);
        for (double x = -6; x <= 8; x += 0.21) {
            double p = hcbr_i_isotonic_apply(&fit, x);
            assert_true(p >= before && p > 0 && p < 1);
            before = p;
        }
        hcbr_i_isotonic_clear(&fit);
    }
}

/* ---- Platt ----------------------------------------------------------------------------------- */

static void platt__has_no_slope_left(void **unused) {
    (void)unused;
    start("platt", 29);
    for (int round = 0; round < 500; round++) {
        hcbr_i_scored scored[300];
        size_t count = 2 + (size_t)(draw() * 298);
        double scale = exp(20 * draw() - 10), shift = 4 * draw() - 2, steep = 6 * draw();
        double n[2] = {0, 0};
        hcbr_i_platt fit;
        for (size_t i = 0; i < count; i++) {
            double x = 2 * draw() - 1;
            scored[i] = (hcbr_i_scored){(x + shift) * scale, 1, draw() < 1 / (1 + exp(-steep * x))};
            n[scored[i].positive]++;
        }
        hcbr_i_platt_fit(scored, count, &fit);
        double g[2] = {0, 0}, target[2] = {1 / (n[0] + 2), (n[1] + 1) / (n[1] + 2)};
        for (size_t i = 0; i < count; i++) {
            double p = hcbr_i_platt_apply(&fit, scored[i].score);
            g[0] += (p - target[scored[i].positive]) * scored[i].score / scale;
            g[1] += p - target[scored[i].positive];
        }
        assert_true(fit.slope >= 0);
        assert_near(g[1], 0, 1e-4);
        if (fit.slope > 0)
            assert_near(g[0], 0, 1e-4);
        else // held at 0: a falling curve would fit better
            assert_true(g[0] >= -1e-4);
    }
}

static void platt__of_one_score_is_the_prior(void **unused) {
    (void)unused;
    hcbr_i_scored scored[6];
    hcbr_i_platt fit;
    for (size_t i = 0; i < 6; i++)
        scored[i] = (hcbr_i_scored){0.25, 1, i < 4};
    hcbr_i_platt_fit(scored, 6, &fit);
    // four targets of 5/6 and two of 1/4
    assert_near(hcbr_i_platt_apply(&fit, 0.25), (4 * 5.0 / 6 + 2 * 1.0 / 4) / 6, 1e-12);
    hcbr_i_platt_fit(scored, 0, &fit);
    assert_near(hcbr_i_platt_apply(&fit, 3), 0.5, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper__is_where_the_tail_is_the_risk),
        cmocka_unit_test(limit__holds_as_often_as_it_says),
        cmocka_unit_test(limit__that_nothing_meets_answers_nothing),
        cmocka_unit_test(isotonic__is_the_max_min_mean),
        cmocka_unit_test(platt__has_no_slope_left),
        cmocka_unit_test(platt__of_one_score_is_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
