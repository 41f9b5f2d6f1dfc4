/*
 * Decisions of two labels never change back: whatever a model was tuned for, the first label is
 * given up to some score, the second from some score on, and between them there is no decision. The
 * score is the probability or, in a plain model without one, the difference of the supports.
 *
 * With more labels and costs every decision has the least expected cost, computed again here.
 */
#include "add_case.h"
#include "harness.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 5, NEW = 1500, MOST_LABELS = 4 };

static double uniform(harness_random *r) {
    return (double)(harness_next(r) >> 11) / 9007199254740992.0;
}

typedef struct world {
    double reliability[KEYS], share;
    int labels;
} world;

static int draw_case(harness_random *r, const world *w, hcbr_feature x[KEYS]) {
    static const char *const keys[KEYS] = {"a", "b", "c", "d", "e"};
    static const char digits[] = "0123456789";
    int label = uniform(r) < w->share ? harness_below(r, w->labels) : 0;
    for (int k = 0; k < KEYS; k++) {
        int value = uniform(r) < w->reliability[k] ? 2 * label : harness_below(r, 10);
        x[k] = (hcbr_feature){keys[k], 1, &digits[value], 1};
    }
    return label;
}

static hcbr_cases *draw_cases(harness_random *r, world *w, int labels, int count) {
    static const char *const names[MOST_LABELS] = {"A", "B", "C", "D"};
    hcbr_cases *cases;
    hcbr_error err = {0};
    w->labels = labels;
    w->share = 0.3 + 0.6 * uniform(r);
    for (int k = 0; k < KEYS; k++)
        w->reliability[k] = 0.6 * uniform(r);
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < count; i++) {
        hcbr_feature x[KEYS];
        int label = i < labels ? i : -1, drawn = draw_case(r, w, x);
        harness_ok(add_one_case(cases, x, KEYS, names[label < 0 ? drawn : label], NULL, &err),
                   &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

typedef struct sweep {
    double score;
    int place; /* 0 the first label, 1 no decision, 2 the second */
} sweep;

static int compare_sweeps(const void *a, const void *b) {
    const sweep *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? 1 : -1;
    return x->place - y->place;
}

/* New cases, by score: does a decision ever turn back? */
static void assert_monotone(const hcbr_model *model, harness_random *r, const world *w,
                            const char *what) {
    static sweep list[NEW];
    hcbr_decider *decider = harness_decider(model, NULL);
    for (int i = 0; i < NEW; i++) {
        hcbr_feature x[KEYS];
        hcbr_decision d = {.size = sizeof d};
        hcbr_error err = {0};
        draw_case(r, w, x);
        harness_ok(hcbr_decider_decide(decider, row_by(decider, x, KEYS), &d, &err), &err);
        list[i].score = d.probability ? d.probability[1] : d.winner == 1 ? d.lead : -d.lead;
        list[i].place = d.label == 0 ? 0 : d.label == 1 ? 2 : 1;
    }
    qsort(list, NEW, sizeof *list, compare_sweeps);
    for (int i = 1; i < NEW; i++)
        if (list[i].place < list[i - 1].place && list[i].score > list[i - 1].score + 1e-12)
            fail_msg("%s: %d at %.17g and %d at %.17g", what, list[i - 1].place, list[i - 1].score,
                     list[i].place, list[i].score);
    hcbr_decider_free(decider);
}

static void tuned_rule__never_turns_back(void **unused) {
    (void)unused;
    harness_random r = {harness_seed(71)};
    int rules = 0;
    for (int n = 0; n < 60; n++) {
        hcbr_tune_options tune;
        hcbr_train_options options;
        hcbr_model *model;
        hcbr_model_info info = {.size = sizeof info};
        hcbr_error err = {0};
        world w;
        char what[80];
        hcbr_cases *cases = draw_cases(&r, &w, 2, 60 + harness_below(&r, 200));
        int kind = n % 3; // rich, plain, plain and calibrated
        hcbr_tune_options_init(&tune);
        tune.goal = n % 2
                        ? HCBR_GOAL_COST
                        : (hcbr_goal)(HCBR_GOAL_ACCURACY + harness_below(&r, HCBR_GOAL_MAX_ERROR));
        tune.cost_fp = harness_below(&r, 2) ? 1 : harness_below(&r, 60);
        tune.cost_fn = harness_below(&r, 2) ? 50 : uniform(&r);
        tune.cost_unknown = harness_below(&r, 2) ? uniform(&r) : -1;
        tune.max_error = 0.2 + 0.2 * uniform(&r);
        tune.folds = 5;
        hcbr_train_options_init(&options);
        options.model = kind == 0 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        options.effort = HCBR_EFFORT_LITE;
        options.calibrate = kind < 2 ? HCBR_CALIBRATE_NONE : HCBR_CALIBRATE_PLATT;
        options.tune = &tune;
        harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
        hcbr_model_get_info(model, &info);
        rules += info.has_cut || info.by_cost;
        snprintf(what, sizeof what, "round %d, kind %d, goal %d", n, kind, (int)tune.goal);
        assert_monotone(model, &r, &w, what);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    assert_true(rules > 20);
}

/* The answer of the least expected cost; *margin: how much dearer the next one is. */
static int cheapest(int labels, double cost[MOST_LABELS][MOST_LABELS], double price,
                    const double *p, double *margin) {
    double expected[MOST_LABELS + 1];
    int best = 0;
    *margin = INFINITY;
    for (int g = 0; g <= labels; g++) {
        expected[g] = g == labels ? price : 0;
        for (int t = 0; g < labels && t < labels; t++)
            expected[g] += p[t] * cost[t][g];
        best = expected[g] < expected[best] ? g : best;
    }
    for (int g = 0; g <= labels; g++)
        if (g != best)
            *margin = fmin(*margin, expected[g] - expected[best]);
    return best == labels ? HCBR_LABEL_UNKNOWN : best;
}

static void tuned_costs__decide_as_the_least_expected_cost(void **unused) {
    (void)unused;
    harness_random r = {harness_seed(73)};
    int refused = 0, moved = 0;
    for (int n = 0; n < 12; n++) {
        static const char *const names[MOST_LABELS] = {"A", "B", "C", "D"};
        int labels = 2 + n % 3;
        hcbr_cost list[MOST_LABELS * MOST_LABELS + 1];
        double cost[MOST_LABELS][MOST_LABELS], price = harness_below(&r, 2) ? 0.3 : INFINITY;
        hcbr_tune_options tune;
        hcbr_train_options options;
        hcbr_model *model;
        hcbr_error err = {0};
        world w;
        hcbr_cases *cases = draw_cases(&r, &w, labels, 200);
        hcbr_tune_options_init(&tune);
        tune.goal = HCBR_GOAL_COST;
        tune.costs = list;
        for (int t = 0; t < labels; t++)
            for (int g = 0; g < labels; g++) {
                cost[t][g] = t == g ? 0 : harness_below(&r, 2) ? 1 : 10 * uniform(&r);
                if (t != g)
                    list[tune.cost_count++] = (hcbr_cost){names[t], names[g], cost[t][g]};
            }
        if (isfinite(price))
            list[tune.cost_count++] = (hcbr_cost){NULL, NULL, price};
        hcbr_train_options_init(&options);
        options.model = n % 2 ? HCBR_MODEL_PLAIN : HCBR_MODEL_RICH;
        options.effort = HCBR_EFFORT_LITE;
        options.calibrate = n % 2 ? HCBR_CALIBRATE_ISOTONIC : HCBR_CALIBRATE_NONE;
        options.tune = &tune;
        harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
        hcbr_decider *decider = harness_decider(model, NULL);
        for (int i = 0; i < 400; i++) {
            hcbr_feature x[KEYS];
            hcbr_decision d = {.size = sizeof d};
            double margin;
            draw_case(&r, &w, x);
            harness_ok(hcbr_decider_decide(decider, row_by(decider, x, KEYS), &d, &err), &err);
            int right = cheapest(labels, cost, price, d.probability, &margin);
            refused += d.label < 0;
            moved += d.label >= 0 && d.label != d.winner;
            assert_int_equal(d.reason == HCBR_BY_COST, d.label != d.winner);
            if (margin > 1e-9)
                assert_int_equal(d.label, right);
        }
        hcbr_decider_free(decider);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    assert_true(refused > 50 && moved > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuned_rule__never_turns_back),
        cmocka_unit_test(tuned_costs__decide_as_the_least_expected_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
