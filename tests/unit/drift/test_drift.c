/*
 * Drift: tenths of numbers, and failures of memory and files at every call. That the figures are
 * right is checked against a recount in tests/cli/test_drift.py.
 */
#include "property/faults.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "drift/drift.h"

/* ---- tenths ---------------------------------------------------------------------------------- */

static hcbr_i_spans cut(const double *values, size_t count) {
    hcbr_i_spans s = {.values = NULL};
    for (size_t n = 0; n < count; n++)
        assert_true(hcbr_i_spans_add(&s, values[n]));
    hcbr_i_spans_cut(&s);
    return s;
}

static void spans__are_tenths_of_training(void **state) {
    (void)state;
    double values[100];
    for (int n = 0; n < 100; n++)
        values[n] = (n * 37) % 100 + 1;
    hcbr_i_spans s = cut(values, 100);
    assert_int_equal(s.cut_count, 11);
    assert_true(s.cut[0] == 1 && s.cut[1] == 10 && s.cut[10] == 100);
    assert_int_equal(s.in[HCBR_I_TRAINED][0], 0);
    for (int r = 1; r <= 10; r++)
        assert_int_equal(s.in[HCBR_I_TRAINED][r], 10);
    const double here[] = {.5, 1, 10, 10.5, 100, 101};
    const uint32_t expected[] = {0, 1, 1, 2, 10, 11};
    for (size_t n = 0; n < COUNT(here); n++) {
        hcbr_i_spans before = s;
        hcbr_i_spans_count(&s, here[n]);
        assert_int_equal(s.in[HCBR_I_HERE][expected[n]], before.in[HCBR_I_HERE][expected[n]] + 1);
    }
}

static void spans__of_equal_numbers_are_one(void **state) {
    (void)state;
    const double same[] = {7, 7, 7};
    hcbr_i_spans s = cut(same, 3), none = cut(NULL, 0);
    assert_int_equal(s.cut_count, 2);
    assert_int_equal(s.in[HCBR_I_TRAINED][1], 3);
    hcbr_i_spans_count(&s, 6);
    hcbr_i_spans_count(&s, 7);
    hcbr_i_spans_count(&s, 8);
    assert_true(s.in[HCBR_I_HERE][0] == 1 && s.in[HCBR_I_HERE][1] == 1 &&
                s.in[HCBR_I_HERE][2] == 1);
    hcbr_i_spans_count(&none, 1);
    assert_int_equal(none.cut_count, 0);
}

/* ---- failures -------------------------------------------------------------------------------- */

typedef struct failing {
    const fault_data *data;
    const hcbr_model *model;
    hcbr_drift *drift;
    double expected;
} failing;

static hcbr_model *train(const fault_data *d, hcbr_model_kind kind, hcbr_keep keep) {
    hcbr_train_options o;
    hcbr_read_options read = fault_read_options(d);
    hcbr_model *model;
    hcbr_error err = {0};
    hcbr_cases *cases = fault_new_cases();
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    o.keep = keep;
    o.read = &read;
    harness_ok(fault_read_data(cases, d, 1, &err), &err);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

static hcbr_status measure_with(failing *f, const hcbr_drift_options *options, hcbr_error *err) {
    hcbr_read_options o = fault_read_options(f->data);
    const char *path = fault_path(f->data->names[1]);
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    hcbr_status st = hcbr_decider_create(&decider, f->model, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_stream_create(&stream, decider, &path, 1, &o, err);
    if (st == HCBR_OK)
        st = hcbr_drift_measure(&f->drift, f->model, stream, options, err);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return st;
}

static hcbr_status measure(void *context, hcbr_error *err) {
    return measure_with(context, NULL, err);
}

static void expect_none(void *context) {
    assert_null(((failing *)context)->drift);
}

static void expect_result(void *context) {
    failing *f = context;
    if (f->drift) {
        hcbr_drift_info info = {.size = sizeof info};
        hcbr_drift_get_info(f->drift, &info);
        if (isnan(f->expected))
            f->expected = info.drift;
        assert_true(info.drift == f->expected);
        assert_int_equal(info.cases, f->data->cases[1]);
    }
    hcbr_drift_free(f->drift);
    f->drift = NULL;
}

static void drift__fails_cleanly(void **state) {
    (void)state;
    const fault_action action = {NULL, measure, expect_none, expect_result, 0};
    for (size_t n = 0; n < FAULT_FILES; n++) {
        const fault_data *d = &fault_files[n];
        fault_write_data(d);
        for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++) {
            hcbr_model *model =
                train(d, (hcbr_model_kind)kind, n % 2 ? HCBR_KEEP_NONE : HCBR_KEEP_FULL);
            failing f = {.data = d, .model = model, .expected = NAN};
            fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 10);
            hcbr_model_free(model);
        }
        remove(fault_path(d->names[0]));
        remove(fault_path(d->names[1]));
    }
}

static int stop_late(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)done, (void)total;
    return strcmp(stage, context) == 0;
}

static void drift__can_be_stopped(void **state) {
    (void)state;
    const fault_data *d = &fault_files[0];
    fault_write_data(d);
    hcbr_model *model = train(d, HCBR_MODEL_PLAIN, HCBR_KEEP_FULL);
    static char *const STAGES[] = {"past", "drift"};
    for (size_t n = 0; n < COUNT(STAGES); n++) {
        failing f = {.data = d, .model = model, .expected = NAN};
        hcbr_drift_options o;
        hcbr_error err = {0};
        hcbr_drift_options_init(&o);
        o.progress = stop_late;
        o.progress_context = STAGES[n];
        assert_int_equal(measure_with(&f, &o, &err), HCBR_ECANCELLED);
        expect_none(&f);
        o.limit = 2;
        assert_int_equal(measure_with(&f, &o, &err), HCBR_EUSAGE);
        expect_none(&f);
    }
    hcbr_model_free(model);
    remove(fault_path(d->names[0]));
    remove(fault_path(d->names[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans__are_tenths_of_training),
        cmocka_unit_test(spans__of_equal_numbers_are_one),
        cmocka_unit_test_teardown(drift__fails_cleanly, fault_folder_empty),
        cmocka_unit_test_teardown(drift__can_be_stopped, fault_folder_empty),
    };
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
