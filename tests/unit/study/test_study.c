/*
 * Studies: what the kinds have in common. That their figures are right is checked against train,
 * evaluate and predict in tests/cli/test_study.py.
 */
#include "property/faults.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "add_case.h"
#include "study/study.h"

#define FEATURES 9

/* Cases whose label follows from some of their features, but not always. */
static hcbr_cases *draw_cases(uint64_t seed, int count, int labels) {
    static const char *const LABELS[] = {"a", "b", "c"};
    harness_random r = {seed};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (int i = 0; i < count; i++) {
        char key[FEATURES][16], value[FEATURES][16];
        hcbr_feature list[FEATURES];
        int label = i % labels, n = 0;
        for (int f = 0; f < FEATURES; f++) {
            if (harness_below(&r, 5) == 0)
                continue;
            bool tells = f < 3 && harness_below(&r, 4) > 0;
            snprintf(key[n], 16, "k%d", f);
            snprintf(value[n], 16, "%d", tells ? label : harness_below(&r, 3));
            list[n] = (hcbr_feature){key[n], strlen(key[n]), value[n], strlen(value[n])};
            n++;
        }
        assert_int_equal(add_one_case(cases, list, (size_t)n, LABELS[label], NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* Kinds that look at given cases, and how to run them quickly. */
static const hcbr_study_kind ON_CASES[] = {HCBR_STUDY_CURVE, HCBR_STUDY_PARETO, HCBR_STUDY_PASSES,
                                           HCBR_STUDY_COVER, HCBR_STUDY_SPACE,  HCBR_STUDY_PRUNE};

static hcbr_study_options quick(void) {
    hcbr_study_options o;
    hcbr_study_options_init(&o);
    o.folds = 2;
    o.repeats = 1;
    o.passes = 1;
    o.generations = 2;
    return o;
}

static hcbr_study *run(hcbr_study_kind kind, const hcbr_cases *cases, const hcbr_study_options *o) {
    hcbr_study *s = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_study_run(&s, kind, cases, o, &err), &err);
    return s;
}

/* Are two numbers the same, or both none? */
static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Columns of seconds are no part of this. */
static void expect_same(const hcbr_study *a, const hcbr_study *b) {
    assert_int_equal(hcbr_study_table_count(a), hcbr_study_table_count(b));
    for (size_t i = 0; i < hcbr_study_table_count(a); i++) {
        hcbr_study_table x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_study_get_table(a, i, &x);
        hcbr_study_get_table(b, i, &y);
        assert_string_equal(x.name, y.name);
        assert_int_equal(x.row_count, y.row_count);
        assert_true(x.row_count > 0);
        for (size_t k = 0; k < x.row_count * x.column_count; k++)
            if (!strstr(x.columns[k % x.column_count], "seconds"))
                assert_true(same_number(x.values[k], y.values[k]));
    }
}

static void exponent__is_the_slope_of_logarithms(void **state) {
    (void)state;
    const double x[] = {1, 2, 4, 8}, square[] = {3, 12, 48, 192}, flat[] = {5, 5, 5, 5};
    assert_true(fabs(hcbr_i_study_exponent(x, square, 4) - 2) < 1e-14);
    assert_true(fabs(hcbr_i_study_exponent(x, flat, 4)) < 1e-14);
    assert_true(isnan(hcbr_i_study_exponent(x, square, 1)));
}

static void spread__leaves_out_what_does_not_exist(void **state) {
    (void)state;
    const double list[] = {1, 9, NAN, 9, 3, 9, 5, 9};
    hcbr_i_spread s = hcbr_i_study_spread(list, 4, 2);
    assert_true(s.mean == 3 && fabs(s.sd - 2) < 1e-15);
    s = hcbr_i_study_spread(list, 1, 2);
    assert_true(s.mean == 1 && isnan(s.sd));
    s = hcbr_i_study_spread(list + 2, 1, 1);
    assert_true(isnan(s.mean) && isnan(s.sd));
}

/* Of some cases: what a list of them alone has. */
static void gains__are_those_of_the_cases_named(void **state) {
    (void)state;
    hcbr_cases *drawn = draw_cases(4, 30, 3), *cases, *some;
    uint32_t which[15], known[3 * FEATURES], labels[3];
    double all[3 * FEATURES], own[3 * FEATURES];
    hcbr_error err = {0};
    for (uint32_t k = 0; k < 15; k++)
        which[k] = 2 * k + 1;
    harness_ok(hcbr_i_cases_spell(&cases, drawn, "numbers", NULL, NULL, &err), &err);
    harness_ok(hcbr_i_cases_subset(&some, cases, which, 15, known, labels, &err), &err);
    harness_ok(hcbr_i_cases_gains(all, cases, which, 15, &err), &err);
    harness_ok(hcbr_i_cases_gains(own, some, NULL, 15, &err), &err);
    int told = 0;
    for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
        assert_true(fabs(all[f] - (known[f] == HCBR_I_NONE ? 0 : own[known[f]])) < 1e-14);
        told += all[f] > 0;
    }
    assert_true(told > 5);
    hcbr_cases_free(some);
    hcbr_cases_free(cases);
    hcbr_cases_free(drawn);
}

static void study__is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int labels = 2; labels <= 3; labels++) {
        hcbr_cases *cases = draw_cases(3, 40, labels);
        for (size_t k = 0; k < COUNT(ON_CASES); k++) {
            if (ON_CASES[k] == HCBR_STUDY_SPACE && labels != 2)
                continue;
            hcbr_study_options o = quick();
            hcbr_study *one = run(ON_CASES[k], cases, &o);
            o.threads = 4;
            hcbr_study *four = run(ON_CASES[k], cases, &o);
            expect_same(one, four);
            hcbr_study_info info = {.size = sizeof info};
            hcbr_study_get_info(one, &info);
            assert_true(info.kind == ON_CASES[k] && info.cases == 40 && info.says[0]);
            assert_int_equal(info.labels, labels);
            assert_null(strstr(info.says, "nan"));
            hcbr_study_free(one);
            hcbr_study_free(four);
        }
        hcbr_cases_free(cases);
    }
}

static void study__refuses_what_it_cannot_do(void **state) {
    (void)state;
    hcbr_cases *cases = draw_cases(5, 20, 2), *open, *few = draw_cases(5, 1, 1);
    hcbr_train_options rich;
    hcbr_train_options_init(&rich);
    hcbr_study_options o = quick();
    hcbr_study *s;
    hcbr_error err = {0};
    assert_int_equal(hcbr_cases_create(&open, 1, NULL), HCBR_OK);
    assert_int_equal(hcbr_study_run(&s, (hcbr_study_kind)99, cases, &o, &err), HCBR_EUSAGE);
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_CURVE, open, &o, &err), HCBR_EUSAGE);
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_CURVE, NULL, &o, &err), HCBR_EUSAGE);
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_CURVE, few, &o, &err), HCBR_EDATA);
    o.train = &rich;
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_PASSES, cases, &o, &err), HCBR_EUSAGE);
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_TIME, NULL, &o, &err), HCBR_EUSAGE);
    assert_null(s);
    hcbr_cases *three = draw_cases(5, 20, 3);
    o = quick();
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_SPACE, three, &o, &err), HCBR_EDATA);
    o.generations = 1000001;
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_SPACE, cases, &o, &err), HCBR_EUSAGE);
    hcbr_cases_free(three);
    o = quick();
    o.folds = 21;
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_COVER, cases, &o, &err), HCBR_EUSAGE);
    o = quick();
    o.threads = 5000;
    assert_int_equal(hcbr_study_run(&s, HCBR_STUDY_COVER, cases, &o, &err), HCBR_EUSAGE);
    assert_null(hcbr_study_kind_name((hcbr_study_kind)99));
    assert_string_equal(hcbr_study_kind_name(HCBR_STUDY_PARETO), "pareto");
    hcbr_cases_free(cases);
    hcbr_cases_free(open);
    hcbr_cases_free(few);
}

/* Ask to stop at the n-th question. */
static int stop_later(void *context, const char *stage, uint64_t done, uint64_t total) {
    int *left = context;
    (void)stage;
    assert_true(total == 0 || done <= total);
    return (*left)-- <= 0;
}

static void study__stops_when_asked(void **state) {
    (void)state;
    hcbr_cases *cases = draw_cases(7, 30, 2);
    for (size_t k = 0; k <= COUNT(ON_CASES); k++) {
        bool own = k == COUNT(ON_CASES);
        for (int later = 0; later < 9; later += 4) {
            hcbr_study_options o = quick();
            int left = later;
            hcbr_study *s = (hcbr_study *)cases; /* anything but NULL */
            o.progress = stop_later;
            o.progress_context = &left;
            o.threads = 1 + (uint32_t)later / 4;
            hcbr_error err = {0};
            hcbr_status st = hcbr_study_run(&s, own ? HCBR_STUDY_TIME : ON_CASES[k],
                                            own ? NULL : cases, &o, &err);
            assert_int_equal(st, left < 0 ? HCBR_ECANCELLED : HCBR_OK);
            assert_true((s == NULL) == (left < 0));
            hcbr_study_free(s);
        }
    }
    hcbr_cases_free(cases);
}

typedef struct fault_context {
    hcbr_study_kind kind;
    hcbr_cases *cases;
    hcbr_study *study;
} fault_context;

static hcbr_status fault_run(void *context, hcbr_error *err) {
    fault_context *c = context;
    hcbr_study_options o = quick();
    c->study = (hcbr_study *)context; /* anything but NULL */
    return hcbr_study_run(&c->study, c->kind, c->cases, &o, err);
}

static void fault_failed(void *context) {
    assert_null(((fault_context *)context)->study);
}

static void fault_done(void *context) {
    fault_context *c = context;
    assert_true(hcbr_study_table_count(c->study) > 0);
    hcbr_study_free(c->study);
}

static void faults__are_reported_by_studies(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(ON_CASES); k++) {
        if (ON_CASES[k] == HCBR_STUDY_PRUNE) // builds hundreds of models: see the next test
            continue;
        /* giving memory back may fail unnoticed, as in test_evaluate.c: 20 times in a model */
        static const uint64_t MODELS[] = {14, 2, 5, 2, 2};
        const fault_action action = {.run = fault_run,
                                     .failed = fault_failed,
                                     .done = fault_done,
                                     .optional = 20 * MODELS[k]};
        fault_context c = {.kind = ON_CASES[k], .cases = draw_cases(9, 8, 2)};
        fault_each(&action, &c, HCBR_I_FAULT_ALLOC, 20);
        hcbr_cases_free(c.cases);
    }
}

typedef struct prune_context {
    hcbr_cases *cases;
    hcbr_model *model;
} prune_context;

static hcbr_status prune_run(void *context, hcbr_error *err) {
    prune_context *c = context;
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.prune = 0.5;
    c->model = (hcbr_model *)context; /* anything but NULL */
    return hcbr_model_train(&c->model, c->cases, &o, err);
}

static void prune_failed(void *context) {
    assert_null(((prune_context *)context)->model);
}

static void prune_done(void *context) {
    prune_context *c = context;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(c->model, &info);
    assert_true(info.features > 0 && info.features < 3 * FEATURES);
    hcbr_model_free(c->model);
}

static void faults__are_reported_by_pruning(void **state) {
    (void)state;
    prune_context c = {.cases = draw_cases(10, 12, 2)};
    const fault_action action = {
        .run = prune_run, .failed = prune_failed, .done = prune_done, .optional = 20};
    fault_each(&action, &c, HCBR_I_FAULT_ALLOC, 20);
    hcbr_cases_free(c.cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponent__is_the_slope_of_logarithms),
        cmocka_unit_test(spread__leaves_out_what_does_not_exist),
        cmocka_unit_test(gains__are_those_of_the_cases_named),
        cmocka_unit_test(study__is_the_same_for_any_number_of_threads),
        cmocka_unit_test(study__refuses_what_it_cannot_do),
        cmocka_unit_test(study__stops_when_asked),
        cmocka_unit_test(faults__are_reported_by_studies),
        cmocka_unit_test(faults__are_reported_by_pruning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
