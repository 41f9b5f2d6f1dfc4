/*
 * Studies: what the kinds have in common. That their figures are right is checked against train,
 * evaluate and predict in tests/cli/test_study.py.
 */
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "add_case.h"
#include "study.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
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

/* Kinds that look at given cases. */
static const char *const ON_CASES[] = {"curve", "pareto", "passes", "cover", "space", "prune"};

void study_no_memory(void) {
    abort();
}

/* How to run a kind quickly. */
static study quick(const char *kind) {
    study s = {.kind = study_find(kind),
               .folds = 2,
               .repeats = 1,
               .seed = 1,
               .passes = 1,
               .generations = 2,
               .threads = 1};
    hcbr_train_options_init(&s.train);
    s.train.model = HCBR_MODEL_PLAIN;
    return s;
}

/* Are two numbers the same, or both none? */
static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Columns of seconds are no part of this. */
static void expect_same(const study *a, const study *b) {
    assert_int_equal(a->table_count, b->table_count);
    for (size_t i = 0; i < a->table_count; i++) {
        const study_table *x = &a->tables[i], *y = &b->tables[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->row_count, y->row_count);
        assert_true(x->row_count > 0);
        for (size_t k = 0; k < x->row_count * x->column_count; k++)
            if (!strstr(x->columns[k % x->column_count], "seconds"))
                assert_true(same_number(x->values[k], y->values[k]));
    }
}

static void exponent__is_the_slope_of_logarithms(void **state) {
    (void)state;
    const double x[] = {1, 2, 4, 8}, square[] = {3, 12, 48, 192}, flat[] = {5, 5, 5, 5};
    assert_true(fabs(study_exponent(x, square, 4) - 2) < 1e-14);
    assert_true(fabs(study_exponent(x, flat, 4)) < 1e-14);
    assert_true(isnan(study_exponent(x, square, 1)));
}

static void spread__leaves_out_what_does_not_exist(void **state) {
    (void)state;
    const double list[] = {1, 9, NAN, 9, 3, 9, 5, 9};
    study_spread s = study_spread_of(list, 4, 2);
    assert_true(s.mean == 3 && fabs(s.sd - 2) < 1e-15);
    s = study_spread_of(list, 1, 2);
    assert_true(s.mean == 1 && isnan(s.sd));
    s = study_spread_of(list + 2, 1, 1);
    assert_true(isnan(s.mean) && isnan(s.sd));
}

static void study__is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int labels = 2; labels <= 3; labels++) {
        hcbr_cases *cases = draw_cases(3, 40, labels);
        for (size_t k = 0; k < COUNT(ON_CASES); k++) {
            if (strcmp(ON_CASES[k], "space") == 0 && labels != 2)
                continue;
            hcbr_error err = {0};
            study one = quick(ON_CASES[k]), four = one;
            harness_ok(study_run(&one, cases, &err), &err);
            four.threads = 4;
            harness_ok(study_run(&four, cases, &err), &err);
            expect_same(&one, &four);
            assert_true(one.case_count == 40 && one.says[0]);
            assert_int_equal(one.labels, labels);
            assert_null(strstr(one.says, "nan"));
            study_clear(&one);
            study_clear(&four);
        }
        hcbr_cases_free(cases);
    }
}

/* A study and what is to be said against it. */
static void expect_refusal(study s, const hcbr_cases *cases, hcbr_status status, const char *says) {
    hcbr_error err = {0};
    assert_int_equal(study_run(&s, cases, &err), status);
    assert_non_null(strstr(err.message, says));
    study_clear(&s);
}

static void study__refuses_what_it_cannot_do(void **state) {
    (void)state;
    hcbr_cases *cases = draw_cases(5, 20, 2), *few = draw_cases(5, 1, 1);
    hcbr_cases *three = draw_cases(5, 20, 3);
    const hcbr_emphasis emphasis = {.column = "k1", .importance = 2};
    assert_null(study_find("none"));
    expect_refusal(quick("curve"), few, HCBR_EDATA, "found 1 case");
    study s = quick("passes");
    s.train.model = HCBR_MODEL_RICH;
    expect_refusal(s, cases, HCBR_EUSAGE, "option model");
    s.kind = study_find("time");
    expect_refusal(s, NULL, HCBR_EUSAGE, "option model");
    expect_refusal(quick("space"), three, HCBR_EDATA, "expected 2");
    expect_refusal(quick("reach"), three, HCBR_EDATA, "expected 2");
    s = quick("space");
    s.train.emphasis = &emphasis;
    s.train.emphasis_count = 1;
    expect_refusal(s, cases, HCBR_EUSAGE, "no importances");
    s = quick("cover");
    s.folds = 21;
    expect_refusal(s, cases, HCBR_EUSAGE, "21 folds");
    s.folds = 2;
    s.threads = 5000;
    expect_refusal(s, cases, HCBR_EUSAGE, "5000 threads");
    hcbr_cases_free(cases);
    hcbr_cases_free(three);
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
            int left = later;
            study s = quick(own ? "time" : ON_CASES[k]);
            s.progress = stop_later;
            s.progress_context = &left;
            s.threads = 1 + (uint32_t)later / 4;
            hcbr_error err = {0};
            hcbr_status st = study_run(&s, own ? NULL : cases, &err);
            assert_int_equal(st, left < 0 ? HCBR_ECANCELLED : HCBR_OK);
            study_clear(&s);
        }
    }
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponent__is_the_slope_of_logarithms),
        cmocka_unit_test(spread__leaves_out_what_does_not_exist),
        cmocka_unit_test(study__is_the_same_for_any_number_of_threads),
        cmocka_unit_test(study__refuses_what_it_cannot_do),
        cmocka_unit_test(study__stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
