/*
 * Adding a table from memory when memory is short, when a stream fails, and when a row late in the
 * table cannot be used: nothing was added, and the same call without the failure gives the same
 * model as ever.
 */
#include "faults.h"
#include "random_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct adding {
    random_table *table;
    table_stream stream;
    hcbr_read_options options;
    hcbr_cases *cases;
    fault_bytes good;
    bool streams;
} adding;

/** A list that has cases already: of the table, and one of its own. */
static hcbr_cases *start(const adding *a) {
    hcbr_feature f = {"own", 3, "1", 1};
    hcbr_labelled_case one;
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    hcbr_labelled_case_init(&one);
    one.features = &f;
    one.feature_count = 1;
    one.label = "red";
    harness_ok(hcbr_cases_add(cases, &one, &err), &err);
    harness_ok(hcbr_cases_add_columns(cases, a->table->described, 2, &a->options, &err), &err);
    return cases;
}

static void prepare(void *context) {
    adding *a = context;
    a->cases = start(a);
    table_stream_init(&a->stream, a->table, 7);
}

static hcbr_status run(void *context, hcbr_error *err) {
    adding *a = context;
    const random_table *t = a->table;
    return a->streams
               ? hcbr_cases_add_arrow_stream(a->cases, &a->stream.stream, &a->options, err)
               : hcbr_cases_add_columns(a->cases, t->described, (size_t)t->count, &a->options, err);
}

static void failed(void *context) {
    adding *a = context;
    const uint64_t rows = (uint64_t)a->table->rows;
    assert_int_equal(hcbr_cases_count(a->cases), rows + 1);
    assert_int_equal(hcbr_cases_get_info(a->cases).rows, rows + 1);
    assert_int_equal(hcbr_cases_get_info(a->cases).skipped, 0);
    assert_int_equal(a->stream.given, a->stream.released);
    assert_true(!a->stream.schema_given || a->stream.schema_released);
    table_stream_init(&a->stream, a->table, 7);
}

static void done(void *context) {
    adding *a = context;
    fault_bytes x = fault_finish(a->cases);
    if (!a->good.at) {
        a->good = x;
    } else {
        fault_expect_bytes(&x, &a->good);
        hcbr_bytes_free(x.at);
    }
    hcbr_cases_free(a->cases);
}

static void columns__are_added_whole_or_not_at_all(void **state) {
    const fault_action action = {.prepare = prepare, .run = run, .failed = failed, .done = done};
    adding a = {.table = malloc(sizeof *a.table)};
    harness_random r = {harness_seed(20250719)};
    (void)state;
    assert_non_null(a.table);
    hcbr_read_options_init(&a.options);
    a.options.hash_key = 1;
    for (int round = 0; round < 6; round++) {
        a.streams = round % 2;
        a.good.at = NULL;
        do { // with lists and dictionaries among them
            table_draw(a.table, &r, true, a.streams);
            if (a.table->count >= 4 && a.table->rows > 15)
                break;
            table_free(a.table);
        } while (true);
        table_to_arrow(a.table);
        fault_each(&action, &a, HCBR_I_FAULT_ALLOC, 10);
        hcbr_bytes_free(a.good.at);
        table_free(a.table);
    }
    free(a.table);
}

static void streams__that_fail_add_nothing(void **state) {
    adding a = {.table = malloc(sizeof *a.table), .streams = true};
    harness_random r = {harness_seed(20250720)};
    hcbr_error err = {0};
    (void)state;
    assert_non_null(a.table);
    hcbr_read_options_init(&a.options);
    table_draw(a.table, &r, true, true);
    table_to_arrow(a.table);
    for (int batch = 1; batch <= a.table->rows / 7; batch++) {
        prepare(&a);
        a.stream.fail_at = batch;
        assert_int_equal(run(&a, &err), HCBR_EIO);
        assert_non_null(strstr(err.message, "the disk is gone"));
        failed(&a);
        harness_ok(run(&a, &err), &err);
        done(&a);
    }
    hcbr_bytes_free(a.good.at);
    table_free(a.table);
    free(a.table);
}

/** A row behind many good ones has no label. */
static void columns__take_back_many_blocks(void **state) {
    enum { ROWS = 20000 };
    double *values = malloc(ROWS * sizeof *values);
    uint8_t *valid = malloc(ROWS / 8);
    hcbr_memory_column c[2] = {{.size = sizeof *c,
                                .name = "y",
                                .type = HCBR_MEMORY_F64,
                                .length = ROWS,
                                .values = values,
                                .validity = valid},
                               {.size = sizeof *c,
                                .name = "x",
                                .type = HCBR_MEMORY_F64,
                                .length = ROWS,
                                .values = values}};
    hcbr_read_options options;
    hcbr_error err = {0};
    (void)state;
    assert_true(values && valid);
    for (int i = 0; i < ROWS; i++)
        values[i] = i % 1000;
    memset(valid, 0xFF, ROWS / 8);
    valid[ROWS / 8 - 1] = 0x7F;
    hcbr_cases *cases = fault_new_cases(), *good = fault_new_cases();
    hcbr_read_options_init(&options);
    options.bad_rows = HCBR_BAD_ROWS_STOP;
    assert_int_equal(hcbr_cases_add_columns(cases, c, 2, &options, &err), HCBR_EDATA);
    assert_non_null(strstr(err.message, "column 'y', row 20000"));
    assert_int_equal(hcbr_cases_count(cases), 0);
    assert_int_equal(hcbr_cases_get_info(cases).features, 0);
    options.bad_rows = HCBR_BAD_ROWS_AUTO;
    options.labels_as_they_are = HCBR_LABELS_ALL; // a thousand numbers
    harness_ok(hcbr_cases_add_columns(cases, c, 2, &options, &err), &err);
    assert_int_equal(hcbr_cases_count(cases), ROWS - 1);
    assert_int_equal(hcbr_cases_get_info(cases).skipped, 1);
    c[0].length = c[1].length = ROWS - 1;
    harness_ok(hcbr_cases_add_columns(good, c, 2, &options, &err), &err);
    fault_bytes x = fault_finish(cases), y = fault_finish(good);
    fault_expect_bytes(&x, &y);
    hcbr_bytes_free(x.at);
    hcbr_bytes_free(y.at);
    hcbr_cases_free(cases);
    hcbr_cases_free(good);
    free(values);
    free(valid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns__are_added_whole_or_not_at_all),
        cmocka_unit_test(streams__that_fail_add_nothing),
        cmocka_unit_test(columns__take_back_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
