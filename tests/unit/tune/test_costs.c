/*
 * Decisions by cuts and costs against brute force: the best cut is the best of all cuts, a decision
 * by costs is the answer of least expected cost, and with two labels it never changes back as the
 * probability rises. A weight n counts as n copies, to the last bit.
 */
#include "tune/tune.h"
#include "unit/tune/tune_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MOST 14

static uint32_t draw(uint32_t below) {
    return (uint32_t)((next_random() >> 22) % below);
}

static void measures__are_those_of_the_books(void **unused) {
    (void)unused;
    // tp 6, fn 2, fp 1, tn 11
    assert_near(hcbr_i_measure_value(HCBR_I_ACCURACY, 6, 1, 8, 12), 17.0 / 20, 1e-15);
    assert_near(hcbr_i_measure_value(HCBR_I_BALANCED, 6, 1, 8, 12), (0.75 + 11.0 / 12) / 2, 1e-15);
    assert_near(hcbr_i_measure_value(HCBR_I_F1, 6, 1, 8, 12), 12.0 / 15, 1e-15);
    assert_near(hcbr_i_measure_value(HCBR_I_MCC, 6, 1, 8, 12), (66 - 2) / sqrt(7.0 * 8 * 12 * 13),
                1e-15);
    for (int m = HCBR_I_ACCURACY; m <= HCBR_I_MCC; m++) // nothing to measure
        assert_near(hcbr_i_measure_value((hcbr_i_measure)m, 0, 0, 0, 0), 0, 0);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Scores on a grid, so that equal ones are common. */
static size_t draw_points(hcbr_i_cut_point *points, bool probable, double all[2]) {
    size_t count = draw(MOST + 1);
    for (size_t i = 0; i < count; i++) {
        double score = (1 + (double)draw(15)) / 16;
        points[i] = (hcbr_i_cut_point){probable ? score : 2 * score - 1, 1 + draw(4), draw(2)};
        all[points[i].second] += points[i].weight;
    }
    return count;
}

static hcbr_i_cut_goal draw_goal(bool probable) {
    hcbr_i_cut_goal g = {.by_cost = draw(2),
                         .refuses = draw(2),
                         .measure = (hcbr_i_measure)draw(4),
                         .positive = (int)draw(2),
                         .all = {draw(3), draw(3)}, // of some nothing is known
                         .neutral = probable ? 0.5 : 0,
                         .least = probable ? 0 : -INFINITY,
                         .most = probable ? 1 : INFINITY};
    for (int truth = 0; truth < 2; truth++)
        for (int given = 0; given < 3; given++)
            g.cost[truth][given] = truth == given ? 0 : (double)draw(9) / 4;
    return g;
}

/* What a cut is worth, point by point; larger is better. */
static double worth(const hcbr_i_cut_goal *g, const hcbr_i_cut_point *points, size_t count,
                    hcbr_cut cut) {
    double cost = 0, given[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        hcbr_label label = hcbr_i_cut_decide(cut, points[i].score);
        cost += points[i].weight * g->cost[points[i].second][label < 0 ? 2 : label];
        if (label == g->positive)
            given[points[i].second] += points[i].weight;
    }
    return g->by_cost ? -cost
                      : hcbr_i_measure_value(g->measure, given[g->positive], given[1 - g->positive],
                                             g->all[g->positive], g->all[1 - g->positive]);
}

static void cut__is_the_best_of_all_cuts(void **unused) {
    (void)unused;
    start("cut", 17);
    for (int round = 0; round < 20000; round++) {
        hcbr_i_cut_point points[MOST];
        bool probable = draw(2);
        hcbr_i_cut_goal g = draw_goal(probable);
        size_t count = draw_points(points, probable, g.all);
        bool two = g.by_cost && g.refuses;
        double best = -INFINITY;
        hcbr_cut cut;
        for (int low = -17; low <= 16; low++) // between the scores of the grid
            for (int high = two ? low : 16; high <= 16; high++) {
                hcbr_cut tried = {(low + 0.5) / 16, ((two ? high : low) + 0.5) / 16};
                best = fmax(best, worth(&g, points, count, tried));
            }
        assert_int_equal(hcbr_i_cut_best(&cut, points, count, &g, NULL), HCBR_OK);
        assert_true(isfinite(cut.low) && isfinite(cut.high) && cut.low <= cut.high);
        assert_true(two || cut.low == cut.high);
        assert_near(worth(&g, points, count, cut), best, 1e-12);
    }
}

static void cut__of_weights_is_that_of_copies(void **unused) {
    (void)unused;
    start("copies", 19);
    for (int round = 0; round < 5000; round++) {
        hcbr_i_cut_point points[MOST], copies[5 * MOST];
        bool probable = draw(2);
        hcbr_i_cut_goal g = draw_goal(probable);
        size_t count = draw_points(points, probable, g.all), copied = 0;
        hcbr_cut a, b;
        for (size_t i = count; i-- > 0;) // in another order, too
            for (double w = points[i].weight; w > 0; w--)
                copies[copied++] = (hcbr_i_cut_point){points[i].score, 1, points[i].second};
        assert_int_equal(hcbr_i_cut_best(&a, points, count, &g, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_cut_best(&b, copies, copied, &g, NULL), HCBR_OK);
        assert_true(a.low == b.low && a.high == b.high);
    }
}

static void limit__of_weights_is_that_of_copies(void **unused) {
    (void)unused;
    enum { ANSWERS = 300 };
    start("limits", 23);
    for (int round = 0; round < 500; round++) {
        static hcbr_i_answer answers[ANSWERS], copies[5 * ANSWERS];
        size_t count = 1 + draw(ANSWERS), copied = 0;
        hcbr_i_limit a, b;
        double limit = (1 + (double)draw(30)) / 100;
        for (size_t i = 0; i < count; i++) {
            double sure = (double)draw(40) / 40;
            answers[i] = (hcbr_i_answer){sure, 1 + draw(4), draw(100) > 60 + 40 * sure};
        }
        for (size_t i = count; i-- > 0;)
            for (double w = answers[i].weight; w > 0; w--)
                copies[copied++] = (hcbr_i_answer){answers[i].sure, 1, answers[i].wrong};
        hcbr_i_limit_find(answers, count, limit, 0.05, &a);
        hcbr_i_limit_find(copies, copied, limit, 0.05, &b);
        assert_true(a.above == b.above && a.least == b.least && a.bound == b.bound);
        assert_true(a.answered == b.answered && a.wrong == b.wrong && a.share == b.share);
    }
}

/* ---- costs ----------------------------------------------------------------------------------- */

static const char *const names[] = {"a", "b", "c", "d", "e", "f"};

static hcbr_i_labels labels_of(uint32_t count) {
    hcbr_i_labels labels = {0};
    uint32_t number;
    for (uint32_t l = 0; l < count; l++)
        assert_int_equal(hcbr_i_labels_intern(&labels, names[l], 1, &number, NULL), HCBR_OK);
    return labels;
}

/* A list of costs in any order, and the whole table that it means, by truth and answer. */
static size_t draw_costs(uint32_t labels, hcbr_cost *list, double table[6][7]) {
    size_t count = 0;
    bool refuses = draw(2);
    for (uint32_t t = 0; t < labels; t++)
        for (uint32_t g = 0; g <= labels; g++)
            table[t][g] = g == labels && !refuses ? INFINITY : t != g;
    if (refuses && draw(2)) {
        double price = (double)draw(40) / 16;
        for (uint32_t t = 0; t < labels; t++)
            table[t][labels] = price;
        list[count++] = (hcbr_cost){NULL, NULL, price};
    }
    for (uint32_t t = labels; t-- > 0;)
        for (uint32_t g = labels + refuses; g-- > 0;)
            if (t != g && draw(2)) {
                table[t][g] = draw(4) ? (double)draw(100) / 16 : draw(2) ? 0 : 1000;
                list[count++] = (hcbr_cost){names[t], g < labels ? names[g] : NULL, table[t][g]};
            }
    if (count && list[0].truth == NULL) { // where it stands changes nothing
        hcbr_cost swap = list[0];
        list[0] = list[count - 1];
        list[count - 1] = swap;
    }
    for (uint32_t t = 0; refuses && t < labels; t++) { // was any of its prices listed?
        bool any = false;
        for (size_t i = 0; i < count; i++)
            any |= !list[i].given;
        if (!any)
            table[t][labels] = INFINITY;
    }
    return count;
}

static double expected(uint32_t labels, double table[6][7], const double *p, uint32_t g) {
    double sum = 0;
    for (uint32_t t = 0; t < labels; t++)
        sum += p[t] > 0 || isfinite(table[t][g]) ? p[t] * table[t][g] : INFINITY;
    return sum;
}

/* The least expected cost, of equals the first label and no decision last. */
static hcbr_label naive(uint32_t labels, double table[6][7], const double *p, double *margin) {
    uint32_t best = 0;
    *margin = INFINITY;
    for (uint32_t g = 1; g <= labels; g++)
        if (expected(labels, table, p, g) < expected(labels, table, p, best))
            best = g;
    for (uint32_t g = 0; g <= labels; g++)
        if (g != best)
            *margin =
                fmin(*margin, expected(labels, table, p, g) - expected(labels, table, p, best));
    return best == labels ? HCBR_LABEL_UNKNOWN : (hcbr_label)best;
}

static void costs__decide_two_labels_without_turning_back(void **unused) {
    (void)unused;
    enum { STEPS = 2000 };
    hcbr_i_labels labels = labels_of(2);
    start("two labels", 29);
    for (int round = 0; round < 1000; round++) {
        hcbr_cost list[40];
        double table[6][7], margin;
        size_t count = draw_costs(2, list, table);
        hcbr_i_costs c;
        int last = 0; // 0 the first label, 1 no decision, 2 the second
        assert_int_equal(hcbr_i_costs_make(&c, &labels, list, count, NULL, NULL, NULL), HCBR_OK);
        for (int i = 0; i <= STEPS; i++) {
            double p[2] = {1 - (double)i / STEPS, (double)i / STEPS};
            hcbr_label given = hcbr_i_costs_decide(&c, p);
            int place = given == 0 ? 0 : given == 1 ? 2 : 1;
            assert_true(place >= last);
            last = place;
            hcbr_label right = naive(2, table, p, &margin);
            if (margin > 1e-9)
                assert_int_equal(given, right);
        }
        hcbr_i_costs_clear(&c);
    }
    hcbr_i_labels_clear(&labels);
}

static void costs__decide_as_the_least_expected_cost(void **unused) {
    (void)unused;
    start("many labels", 31);
    for (int round = 0; round < 4000; round++) {
        uint32_t k = 3 + draw(4);
        hcbr_i_labels labels = labels_of(k);
        hcbr_cost list[60];
        double table[6][7], margin;
        size_t count = draw_costs(k, list, table);
        hcbr_i_costs c, copy;
        assert_int_equal(hcbr_i_costs_make(&c, &labels, list, count, NULL, NULL, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_costs_copy(&copy, &c, NULL), HCBR_OK);
        for (int i = 0; i < 20; i++) {
            double p[6], sum = 0;
            for (uint32_t l = 0; l < k; l++)
                sum += p[l] = draw(3) ? (double)draw(1000) : 0;
            for (uint32_t l = 0; l < k; l++)
                p[l] = sum > 0 ? p[l] / sum : 1.0 / k;
            hcbr_label right = naive(k, table, p, &margin);
            hcbr_label given = hcbr_i_costs_decide(&c, p);
            assert_int_equal(given, hcbr_i_costs_decide(&copy, p));
            if (margin > 1e-9)
                assert_int_equal(given, right);
            else
                assert_near(expected(k, table, p, given < 0 ? k : (uint32_t)given),
                            expected(k, table, p, right < 0 ? k : (uint32_t)right), 1e-9);
        }
        hcbr_i_costs_clear(&c);
        hcbr_i_costs_clear(&copy);
        hcbr_i_labels_clear(&labels);
    }
}

static void costs__of_equals_give_the_first_label_and_a_label_before_none(void **unused) {
    (void)unused;
    for (uint32_t k = 2; k <= 6; k++) {
        hcbr_i_labels labels = labels_of(k);
        hcbr_i_costs c;
        double p[6];
        for (uint32_t l = 0; l < k; l++)
            p[l] = 1.0 / k;
        assert_int_equal(hcbr_i_costs_make(&c, &labels, NULL, 0, NULL, NULL, NULL), HCBR_OK);
        assert_int_equal(c.price_count, 0);
        assert_int_equal(hcbr_i_costs_decide(&c, p), 0);
        hcbr_i_costs_clear(&c);
        // Every label is expected to cost 1/2: so much for no decision is not less.
        double half[6] = {0.5, 0.5};
        for (int less = 0; less < 2; less++) {
            hcbr_cost price = {NULL, NULL, less ? 0.49 : 0.5};
            assert_int_equal(hcbr_i_costs_make(&c, &labels, &price, 1, NULL, NULL, NULL), HCBR_OK);
            assert_int_equal(hcbr_i_costs_decide(&c, half), less ? HCBR_LABEL_UNKNOWN : 0);
            half[0] = 0.25; // the second label costs 1/4
            half[1] = 0.75;
            assert_int_equal(hcbr_i_costs_decide(&c, half), 1);
            half[0] = half[1] = 0.5;
            hcbr_i_costs_clear(&c);
        }
        hcbr_i_labels_clear(&labels);
    }
}

static void costs__that_cannot_be_meant_are_refused(void **unused) {
    (void)unused;
    static const hcbr_cost bad[] = {{"a", "b", -1},       {"a", "b", 2e6}, {"a", "b", NAN},
                                    {"a", "b", INFINITY}, {"a", "a", 1},   {NULL, "a", 1}};
    hcbr_i_labels labels = labels_of(3);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hcbr_i_costs c;
        hcbr_error err = {0};
        assert_int_equal(hcbr_i_costs_make(&c, &labels, &bad[i], 1, NULL, NULL, &err), HCBR_EUSAGE);
        assert_null(c.by_given);
        assert_true(err.message[0]);
    }
    hcbr_i_labels_clear(&labels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures__are_those_of_the_books),
        cmocka_unit_test(cut__is_the_best_of_all_cuts),
        cmocka_unit_test(cut__of_weights_is_that_of_copies),
        cmocka_unit_test(limit__of_weights_is_that_of_copies),
        cmocka_unit_test(costs__decide_two_labels_without_turning_back),
        cmocka_unit_test(costs__decide_as_the_least_expected_cost),
        cmocka_unit_test(costs__of_equals_give_the_first_label_and_a_label_before_none),
        cmocka_unit_test(costs__that_cannot_be_meant_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
