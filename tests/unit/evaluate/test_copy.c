/*
 * Copies of lists of cases: the same models and figures as the rows give.
 */
#include "property/faults.h"
#include "property/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hcbr/hcbr.h>

#include "add_case.h"
#include "seed.h"

#define MOST 60
#define FEATURES 6

/* Some cases; with a list, those that it names, in its order. */
static hcbr_cases *draw_cases(uint64_t seed, int count, const uint64_t *which, int named) {
    hcbr_cases *cases;
    harness_random r = {seed};
    int value[MOST][FEATURES];
    for (int i = 0; i < count; i++)
        for (int f = 0; f < FEATURES; f++)
            value[i][f] = harness_below(&r, 4);
    harness_ok(hcbr_cases_create(&cases, 1, NULL), NULL);
    for (int k = 0; k < (which ? named : count); k++) {
        int i = which ? (int)which[k] : k, n = 0;
        char key[FEATURES][16], text[FEATURES][16];
        hcbr_feature list[FEATURES];
        for (int f = 0; f < FEATURES; f++) {
            if (value[i][f] == 0)
                continue;
            snprintf(key[n], 16, "k%d", f);
            snprintf(text[n], 16, "v%d", value[i][f]);
            list[n] = (hcbr_feature){key[n], strlen(key[n]), text[n], strlen(text[n])};
            n++;
        }
        const char *label = value[i][0] > 1 ? "yes" : "no";
        harness_ok(add_one_case(cases, list, (size_t)n, label, i % 3 ? label : NULL, NULL), NULL);
    }
    harness_ok(hcbr_cases_finish(cases, NULL), NULL);
    return cases;
}

/* In any order, some of them several times. */
static void copy__has_the_cases_that_were_named(void **state) {
    (void)state;
    harness_random r = {test_seed(12)};
    for (uint64_t round = 0; round < 100; round++) {
        uint64_t which[2 * MOST];
        int count = 2 + harness_below(&r, MOST - 1), named = 1 + harness_below(&r, 2 * MOST);
        for (int k = 0; k < named; k++)
            which[k] = (uint64_t)harness_below(&r, count);
        hcbr_cases *all = draw_cases(round, count, NULL, 0), *copy, *whole;
        hcbr_train_options o;
        hcbr_error err = {0};
        hcbr_train_options_init(&o);
        o.model = HCBR_MODEL_PLAIN;
        harness_ok(hcbr_cases_copy(&copy, all, round % 2 ? &o : NULL, which, (size_t)named, &err),
                   &err);
        harness_ok(hcbr_cases_copy(&whole, copy, NULL, NULL, 0, &err), &err);
        hcbr_cases_free(all); // needed no more
        hcbr_cases *const lists[] = {draw_cases(round, count, which, named), copy, whole};
        fault_bytes bytes[3];
        for (int k = 0; k < 3; k++) {
            hcbr_model *model;
            harness_ok(hcbr_model_train(&model, lists[k], &o, &err), &err);
            bytes[k] = fault_serialize(model);
            fault_expect_bytes(&bytes[0], &bytes[k]);
            hcbr_model_free(model);
            hcbr_cases_free(lists[k]);
        }
        for (int k = 0; k < 3; k++)
            hcbr_bytes_free(bytes[k].at);
    }
}

static hcbr_figure figure_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, HCBR_LABEL_UNKNOWN, &figure);
    return figure;
}

/* Columns stay what all rows have shown, and rare words stay until parts leave them out. */
static void copy__evaluates_as_its_list(void **state) {
    (void)state;
    static const char *const PATHS[] = {"copied.csv"}, *const TEXTS[] = {"note"};
    hcbr_cases *all, *copy;
    hcbr_error err = {0};
    hcbr_read_options read;
    FILE *file = fopen(PATHS[0], "w");
    fputs("label,day,note\n", file);
    for (int i = 0; i < 60; i++)
        fprintf(file, "%s,2021-%02d-%02d,%s w%d w%d\n", i % 3 ? "a" : "b", i % 12 + 1, i % 28 + 1,
                i % 3 ? "good" : "bad", i % 7, i % 29);
    fclose(file);
    hcbr_read_options_init(&read);
    read.text = TEXTS;
    read.text_count = 1;
    read.min_count = 3;
    read.keep_rare = 1;
    harness_ok(hcbr_cases_create(&all, 1, &err), &err);
    harness_ok(hcbr_cases_read(all, PATHS, 1, &read, &err), &err);
    harness_ok(hcbr_cases_finish(all, &err), &err);
    unlink(PATHS[0]);
    for (int plain = 0; plain < 2; plain++) {
        hcbr_train_options train;
        hcbr_evaluate_options o;
        hcbr_train_options_init(&train);
        train.model = plain ? HCBR_MODEL_PLAIN : HCBR_MODEL_RICH;
        train.effort = HCBR_EFFORT_LITE;
        hcbr_evaluate_options_init(&o);
        o.train = &train;
        o.folds = 4;
        o.equal = HCBR_EQUAL_APART;
        harness_ok(hcbr_cases_copy(&copy, all, &train, NULL, 0, &err), &err);
        hcbr_evaluation *a, *b;
        harness_ok(hcbr_evaluate(&a, all, &o, &err), &err);
        harness_ok(hcbr_evaluate(&b, copy, &o, &err), &err);
        static const hcbr_metric METRICS[] = {HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC,
                                              HCBR_METRIC_AUC, HCBR_METRIC_FEATURES};
        for (size_t m = 0; m < COUNT(METRICS); m++)
            assert_true(figure_of(a, METRICS[m]).pooled == figure_of(b, METRICS[m]).pooled ||
                        figure_of(a, METRICS[m]).mean == figure_of(b, METRICS[m]).mean);
        hcbr_evaluation_free(a);
        hcbr_evaluation_free(b);
        hcbr_cases_free(copy);
    }
    hcbr_cases_free(all);
}

static void expect_no_copy(const hcbr_cases *cases, const uint64_t *which, size_t count,
                           const char *says) {
    hcbr_cases *copy = (hcbr_cases *)says; // anything but NULL
    hcbr_error err = {0};
    assert_int_equal(hcbr_cases_copy(&copy, cases, NULL, which, count, &err), HCBR_EUSAGE);
    assert_null(copy);
    assert_non_null(strstr(err.message, says));
}

static void copy__refuses_what_is_not_there(void **state) {
    (void)state;
    hcbr_cases *cases = draw_cases(13, 20, NULL, 0), *open;
    const uint64_t which[] = {3, 20}, large[] = {(uint64_t)1 << 32};
    harness_ok(hcbr_cases_create(&open, 1, NULL), NULL);
    expect_no_copy(cases, which, 2, "case 20 of 20");
    expect_no_copy(cases, large, 1, "case 4294967296 of 20");
    expect_no_copy(cases, which, 0, "0 cases");
    expect_no_copy(open, which, 1, "not finished");
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.consume = 1;
    harness_ok(hcbr_model_train(&model, cases, &o, NULL), NULL);
    expect_no_copy(cases, which, 1, "used up");
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    hcbr_cases_free(open);
}

static hcbr_status copy_run(void *context, hcbr_error *err) {
    static const uint64_t WHICH[] = {3, 1, 3, 0};
    hcbr_cases *copy = (hcbr_cases *)context; /* anything but NULL */
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    hcbr_status st = hcbr_cases_copy(&copy, context, &o, WHICH, COUNT(WHICH), err);
    assert_true((copy == NULL) == (st != HCBR_OK));
    hcbr_cases_free(copy);
    return st;
}

static void copy_ended(void *context) {
    (void)context;
}

static void faults__are_reported_by_copies(void **state) {
    (void)state;
    hcbr_cases *cases = draw_cases(22, 12, NULL, 0);
    const fault_action action = {NULL, copy_run, copy_ended, copy_ended, 4};
    fault_each(&action, cases, HCBR_I_FAULT_ALLOC, 5);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy__has_the_cases_that_were_named),
        cmocka_unit_test(copy__evaluates_as_its_list),
        cmocka_unit_test(copy__refuses_what_is_not_there),
        cmocka_unit_test(faults__are_reported_by_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
