/*
 * Tuning and calibration through the public API: what is chosen on held-out cases holds on new
 * ones, and nothing is learnt where there is nothing to learn.
 *
 * Cases are drawn from a world whose errors are known: six features of two values each point to
 * the label with different reliability.
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

#define FEATURES 6

static const double reliability[FEATURES] = {0.9, 0.8, 0.7, 0.65, 0.6, 0.5};

static double uniform(harness_random *r) {
    return (double)(harness_next(r) >> 11) / 9007199254740992.0;
}

/* A case and its label; signal false: features say nothing. */
static int draw_case(harness_random *r, bool signal, hcbr_feature x[FEATURES]) {
    static const char *const keys[FEATURES] = {"a", "b", "c", "d", "e", "f"};
    int label = uniform(r) < 0.35;
    for (int f = 0; f < FEATURES; f++) {
        int value = uniform(r) < (signal ? reliability[f] : 0.5) ? label : !label;
        x[f] = (hcbr_feature){keys[f], 1, value ? "1" : "0", 1};
    }
    return label;
}

static hcbr_cases *draw_cases(harness_random *r, bool signal, int count) {
    hcbr_cases *cases;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < count; i++) {
        hcbr_feature x[FEATURES];
        int label = draw_case(r, signal, x);
        harness_ok(add_one_case(cases, x, FEATURES, label ? "yes" : "no", NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

static hcbr_model *train(hcbr_cases *cases, const hcbr_tune_options *tune, hcbr_calibrate calibrate,
                         uint32_t threads) {
    hcbr_train_options options;
    hcbr_model *model;
    hcbr_error err = {0};
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    options.tune = tune;
    options.calibrate = calibrate;
    options.threads = threads;
    harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
    return model;
}

typedef struct tally {
    double count, right, answered, cost, log_loss;
} tally;

/* Decide new cases; a false positive costs 1, a false negative `fn`. */
static tally judge(const hcbr_model *model, harness_random *r, bool signal, int count, double fn) {
    tally t = {0};
    hcbr_decider *decider = harness_decider(model, NULL);
    for (int i = 0; i < count; i++) {
        hcbr_feature x[FEATURES];
        hcbr_decision d = {.size = sizeof d};
        hcbr_error err = {0};
        int label = draw_case(r, signal, x);
        harness_ok(hcbr_decider_decide(decider, row_by(decider, x, FEATURES), &d, &err), &err);
        t.count++;
        t.answered += d.label >= 0;
        t.right += d.label == label;
        t.cost += d.label == label ? 0 : label ? fn : 1;
        if (d.probability) {
            assert_true(fabs(d.probability[0] + d.probability[1] - 1) < 1e-12);
            t.log_loss -= log(d.probability[label]);
        }
    }
    hcbr_decider_free(decider);
    return t;
}

static void limit__is_kept_as_often_as_promised(void **unused) {
    (void)unused;
    enum { REPEATS = 200 };
    harness_random r = {harness_seed(41)};
    int broken = 0;
    double answered = 0;
    for (int n = 0; n < REPEATS; n++) {
        hcbr_tune_options tune;
        hcbr_cases *cases = draw_cases(&r, true, 600);
        hcbr_tune_options_init(&tune);
        tune.goal = HCBR_GOAL_MAX_ERROR;
        tune.max_error = 0.08;
        tune.confidence = 0.9;
        hcbr_model *model = train(cases, &tune, HCBR_CALIBRATE_NONE, 1);
        tally t = judge(model, &r, true, 4000, 1);
        if (t.answered > 0)
            broken += (t.answered - t.right) / t.answered > tune.max_error;
        answered += t.answered / t.count / REPEATS;
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    printf("broken %d of %d, answered %.3f\n", broken, REPEATS, answered);
    assert_true(broken <= REPEATS * 0.1 + 3 * sqrt(REPEATS * 0.1 * 0.9));
    assert_true(answered > 0.3); // a rule that answers nothing would keep any limit
}

static void costs__pull_decisions_to_the_cheaper_mistake(void **unused) {
    (void)unused;
    harness_random r = {harness_seed(43)};
    double with = 0, without = 0;
    for (int n = 0; n < 20; n++) {
        hcbr_tune_options tune;
        hcbr_cases *cases = draw_cases(&r, true, 500);
        hcbr_tune_options_init(&tune);
        tune.goal = HCBR_GOAL_COST;
        tune.cost_fn = 20;
        hcbr_model *plain = train(cases, NULL, HCBR_CALIBRATE_NONE, 1);
        hcbr_model *tuned = train(cases, &tune, HCBR_CALIBRATE_NONE, 1);
        harness_random same = r;
        without += judge(plain, &same, true, 2000, 20).cost;
        with += judge(tuned, &r, true, 2000, 20).cost;
        hcbr_model_free(plain);
        hcbr_model_free(tuned);
        hcbr_cases_free(cases);
    }
    printf("cost %.0f tuned, %.0f not\n", with, without);
    assert_true(with < 0.9 * without);
}

static void probabilities__beat_the_prior_only_where_there_is_something_to_know(void **unused) {
    (void)unused;
    harness_random r = {harness_seed(47)};
    const double prior = -(0.35 * log(0.35) + 0.65 * log(0.65));
    for (int signal = 0; signal < 2; signal++)
        for (int kind = HCBR_CALIBRATE_PLATT; kind <= HCBR_CALIBRATE_ISOTONIC; kind++) {
            double loss = 0, right = 0;
            for (int n = 0; n < 10; n++) {
                hcbr_cases *cases = draw_cases(&r, signal, 800);
                hcbr_model *model = train(cases, NULL, (hcbr_calibrate)kind, 1);
                tally t = judge(model, &r, signal, 2000, 1);
                loss += t.log_loss / t.count / 10;
                right += t.right / t.count / 10;
                hcbr_model_free(model);
                hcbr_cases_free(cases);
            }
            printf("%s kind %d: log-loss %.4f (prior %.4f), accuracy %.4f\n",
                   signal ? "signal" : "noise", kind, loss, prior, right);
            if (signal)
                assert_true(loss < 0.75 * prior);
            else // as good as the prior, and accuracy like chance
                assert_true(loss > prior - 0.01 && loss < prior + 0.03 && right < 0.66);
        }
}

static void tuning__finds_nothing_in_noise(void **unused) {
    (void)unused;
    static const hcbr_goal goals[] = {HCBR_GOAL_BALANCED, HCBR_GOAL_F1, HCBR_GOAL_MCC,
                                      HCBR_GOAL_ACCURACY};
    harness_random r = {harness_seed(53)};
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        double right = 0;
        for (int n = 0; n < 10; n++) {
            static const uint32_t passes[] = {0, 1, 3};
            hcbr_tune_options tune;
            hcbr_cases *cases = draw_cases(&r, false, 400);
            hcbr_tune_options_init(&tune);
            tune.goal = goals[g];
            tune.passes = passes;
            tune.pass_count = 3;
            tune.choose_scope = 1;
            hcbr_model *model = train(cases, &tune, HCBR_CALIBRATE_NONE, 1);
            right += judge(model, &r, false, 2000, 1).right / 2000 / 10;
            hcbr_model_free(model);
            hcbr_cases_free(cases);
        }
        printf("goal %d: accuracy %.4f on noise\n", (int)goals[g], right);
        assert_true(right < 0.67); // always saying no would have 0.65
    }
}

static void tuned_model__has_the_same_bytes_for_any_threads(void **unused) {
    (void)unused;
    harness_random r = {harness_seed(59)};
    hcbr_cases *cases = draw_cases(&r, true, 300);
    void *first = NULL;
    size_t first_size = 0;
    for (uint32_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        hcbr_tune_options tune;
        hcbr_tune_options_init(&tune);
        tune.goal = HCBR_GOAL_MCC;
        hcbr_model *model = train(cases, &tune, HCBR_CALIBRATE_ISOTONIC, threads), *again;
        void *bytes;
        size_t size;
        hcbr_error err = {0};
        harness_ok(hcbr_model_serialize(model, &bytes, &size, &err), &err);
        harness_ok(hcbr_model_parse(&again, bytes, size, &err), &err);
        hcbr_model_info info = {.size = sizeof info};
        hcbr_model_get_info(again, &info);
        assert_int_equal(info.calibrate, HCBR_CALIBRATE_ISOTONIC);
        assert_non_null(info.why);
        assert_non_null(strstr(info.why, "mcc"));
        if (first) {
            assert_int_equal(size, first_size);
            assert_memory_equal(bytes, first, size);
            hcbr_bytes_free(bytes);
        } else {
            first = bytes;
            first_size = size;
        }
        hcbr_model_free(model);
        hcbr_model_free(again);
    }
    hcbr_bytes_free(first);
    hcbr_cases_free(cases);
}

static void tuning__of_odd_case_bases_is_defined(void **unused) {
    (void)unused;
    for (int labels = 1; labels <= 3; labels++)
        for (int goal = HCBR_GOAL_ACCURACY; goal <= HCBR_GOAL_MAX_ERROR; goal++) {
            hcbr_cases *cases;
            hcbr_model *model;
            hcbr_error err = {0};
            hcbr_train_options options;
            hcbr_tune_options tune;
            harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
            for (int i = 0; i < 3; i++) { // one case a label, one empty
                hcbr_feature x = {"k", 1, &"abc"[i], 1};
                harness_ok(add_one_case(cases, &x, i < 2, &"A\0B\0C"[2 * (i % labels)], NULL, &err),
                           &err);
            }
            harness_ok(hcbr_cases_finish(cases, &err), &err);
            hcbr_train_options_init(&options);
            options.model = HCBR_MODEL_PLAIN;
            hcbr_tune_options_init(&tune);
            tune.goal = (hcbr_goal)goal;
            tune.max_error = 0.5;
            options.tune = &tune;
            options.calibrate = HCBR_CALIBRATE_ISOTONIC;
            hcbr_status st = hcbr_model_train(&model, cases, &options, &err);
            bool pair = goal == HCBR_GOAL_BALANCED || goal == HCBR_GOAL_F1 || goal == HCBR_GOAL_MCC;
            assert_int_equal(st, pair && labels == 3 ? HCBR_EUSAGE : HCBR_OK);
            hcbr_model_free(model);
            hcbr_cases_free(cases);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit__is_kept_as_often_as_promised),
        cmocka_unit_test(costs__pull_decisions_to_the_cheaper_mistake),
        cmocka_unit_test(probabilities__beat_the_prior_only_where_there_is_something_to_know),
        cmocka_unit_test(tuning__finds_nothing_in_noise),
        cmocka_unit_test(tuned_model__has_the_same_bytes_for_any_threads),
        cmocka_unit_test(tuning__of_odd_case_bases_is_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
