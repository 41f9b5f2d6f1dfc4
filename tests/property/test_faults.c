/*
 * Every allocation and every call to the system made to fail in turn while cases are created,
 * added, read and finished: a list is as before, or has grown by whole blocks, and can still be
 * used.
 */
#include "add_case.h"
#include "faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- create -----------------------------------------------------------------------------------
 */

static hcbr_status create_run(void *context, hcbr_error *err) {
    hcbr_cases **cases = context;
    *cases = (hcbr_cases *)context; /* anything but NULL */
    return hcbr_cases_create(cases, 0, err);
}

static void create_failed(void *context) {
    hcbr_cases **cases = context;
    assert_null(*cases);
}

static void create_done(void *context) {
    hcbr_cases **cases = context;
    assert_int_equal(hcbr_cases_count(*cases), 0);
    hcbr_cases_free(*cases);
}

static void faults__are_reported_by_cases_create(void **state) {
    (void)state;
    const fault_action a = {NULL, create_run, create_failed, create_done, 0};
    hcbr_cases *cases;
    fault_each(&a, &cases, HCBR_I_FAULT_ALLOC, 3);
}

/* ---- add --------------------------------------------------------------------------------------
 */

#define ADDED 18
#define MANY 720 /* features: more than the first tables hold */

/* A case to add; its text is its own. */
typedef struct to_add {
    hcbr_feature features[MANY];
    char text[MANY][40];
    size_t count;
    char label[16];
    const char *id;
} to_add;

static void put_feature(to_add *x, const char *key, const char *value, int number) {
    char *text = x->text[x->count];
    int length = snprintf(text, sizeof x->text[0], number ? "%s%d" : "%s", key, number);
    x->features[x->count++] =
        (hcbr_feature){text, (size_t)length, value, value ? strlen(value) : 0};
}

/* Cases that between them make everything grow: labels, keys, tables, names of cases. */
static void make_case(to_add *x, int k) {
    *x = (to_add){.count = 0};
    snprintf(x->label, sizeof x->label, "l%d", k < 6 ? k % 3 : k);
    if (k == 1)
        return;
    put_feature(x, "colour", "red", 0);
    put_feature(x, "a feature with a long name", k % 2 ? "and a value" : NULL, 0);
    put_feature(x, "colour", "red", 0); /* again */
    if (k == 4)                         /* everything else is known by now */
        x->id = "the first id";
    if (k == 5 || k == 15)
        for (int f = 0; f < MANY - 10; f++)
            put_feature(x, "f", f % 2 ? "1" : NULL, k * 1000 + f);
    if (k > 8 && k % 2)
        x->id = "another id, which is rather long";
    if (k == 16)
        put_feature(x, "a key longer than all of the others", "", 1);
}

typedef struct counts {
    uint64_t cases, empty, features, occurrences, labels, skipped;
} counts;

static counts counts_of(const hcbr_cases *c) {
    return (counts){hcbr_cases_count(c),
                    hcbr_cases_get_info(c).empty,
                    hcbr_cases_get_info(c).features,
                    hcbr_cases_get_info(c).occurrences,
                    hcbr_cases_get_info(c).labels,
                    hcbr_cases_get_info(c).skipped};
}

static void expect_counts(const hcbr_cases *cases, const counts *expected) {
    counts now = counts_of(cases);
    assert_memory_equal(&now, expected, sizeof now);
}

typedef struct adding {
    int k; /* the case to add while calls fail */
    hcbr_cases *cases;
    counts before;
    fault_bytes expected;
    to_add x;
} adding;

static hcbr_status add_case(adding *a, int k, hcbr_error *err) {
    make_case(&a->x, k);
    return add_one_case(a->cases, a->x.features, a->x.count, a->x.label, a->x.id, err);
}

static void add_prepare(void *context) {
    adding *a = context;
    hcbr_error err;
    a->cases = fault_new_cases();
    for (int i = 0; i < a->k; i++)
        harness_ok(add_case(a, i, &err), &err);
    a->before = counts_of(a->cases);
}

static hcbr_status add_run(void *context, hcbr_error *err) {
    adding *a = context;
    return add_case(a, a->k, err);
}

static void add_failed(void *context) {
    adding *a = context;
    expect_counts(a->cases, &a->before);
}

/* The other cases follow as if nothing had been. */
static void add_done(void *context) {
    adding *a = context;
    hcbr_error err;
    for (int i = a->k + 1; i < ADDED; i++)
        harness_ok(add_case(a, i, &err), &err);
    fault_bytes b = fault_finish(a->cases);
    if (a->expected.at) {
        fault_expect_bytes(&b, &a->expected);
        hcbr_bytes_free(b.at);
    } else
        a->expected = b;
    hcbr_cases_free(a->cases);
}

static void faults__leave_the_list_as_it_was_in_cases_add(void **state) {
    (void)state;
    static adding a;
    const fault_action action = {add_prepare, add_run, add_failed, add_done, 0};
    hcbr_error err;
    a = (adding){.k = 0};
    add_prepare(&a);
    harness_ok(add_run(&a, &err), &err);
    add_done(&a);
    for (a.k = 0; a.k < ADDED; a.k++)
        fault_each(&action, &a, HCBR_I_FAULT_ALLOC, a.k == 1 ? 0 : 1);
    hcbr_bytes_free(a.expected.at);
}

/* A case of known features that fails late is not half there the second time. */
static void faults__do_not_lose_known_features(void **state) {
    (void)state;
    const hcbr_feature known = {"a", 1, NULL, 0};
    hcbr_error err;
    hcbr_cases *cases = fault_new_cases();
    harness_ok(add_one_case(cases, &known, 1, "x", NULL, &err), &err);
    hcbr_status st = HCBR_ENOMEM;
    for (uint64_t n = 1; st != HCBR_OK; n++) { /* a new label needs memory after the features */
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        st = add_one_case(cases, &known, 1, "y", "id", &err);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_int_equal(hcbr_cases_count(cases), st == HCBR_OK ? 2 : 1);
        assert_int_equal(hcbr_cases_get_info(cases).occurrences, st == HCBR_OK ? 2 : 1);
        assert_int_equal(hcbr_cases_get_info(cases).empty, 0);
    }
    hcbr_cases_free(cases);
}

/* ---- read -------------------------------------------------------------------------------------
 */

#define MOST_CASES 12

typedef struct reading {
    const fault_data *d;
    hcbr_cases *cases;
    uint64_t before;                      /* cases that the failed call had added */
    fault_bytes expected[MOST_CASES + 1]; /* by before */
} reading;

static void read_prepare(void *context) {
    reading *r = context;
    r->cases = fault_new_cases();
    r->before = 0;
}

static hcbr_status read_run(void *context, hcbr_error *err) {
    reading *r = context;
    return fault_read_data(r->cases, r->d, 2, err);
}

static void read_failed(void *context) {
    reading *r = context;
    r->before = hcbr_cases_count(r->cases);
    assert_true(r->before <= r->d->cases[0] + r->d->cases[1]);
}

static void read_done(void *context) {
    reading *r = context;
    fault_bytes b = fault_finish(r->cases);
    if (r->expected[r->before].at) {
        fault_expect_bytes(&b, &r->expected[r->before]);
        hcbr_bytes_free(b.at);
    } else
        r->expected[r->before] = b;
    hcbr_cases_free(r->cases);
}

/* Read the files cut after the line that gives case number `count`. */
static void read_first(reading *r, uint64_t count) {
    char names[2][400];
    const char *paths[] = {strcpy(names[0], fault_path("a.cut")),
                           strcpy(names[1], fault_path("b.cut"))};
    hcbr_read_options o = fault_read_options(r->d);
    hcbr_error err;
    o.format = (hcbr_format)(r->d - fault_files + 1);
    for (int i = 0; i < 2 && count > 0; i++) {
        const char *end = r->d->text[i];
        uint64_t here = count < r->d->cases[i] ? count : r->d->cases[i], got = 0;
        while (got < here) { /* one line more each time */
            end = strchr(end, '\n') + 1;
            fault_write(i ? "b.cut" : "a.cut", r->d->text[i], (size_t)(end - r->d->text[i]));
            hcbr_cases *cases = fault_new_cases();
            hcbr_status st = hcbr_cases_read(cases, &paths[i], 1, &o, &err);
            got = st == HCBR_OK ? hcbr_cases_count(cases) : 0;
            hcbr_cases_free(cases);
        }
        count -= here;
        if (count == 0)
            harness_ok(hcbr_cases_read(r->cases, paths, (size_t)i + 1, &o, &err), &err);
    }
}

static void faults__are_reported_by_cases_read(void **state) {
    (void)state;
    const fault_action a = {read_prepare, read_run, read_failed, read_done, 0};
    for (size_t f = 0; f < FAULT_FILES; f++) {
        reading r = {.d = &fault_files[f]};
        uint64_t all = r.d->cases[0] + r.d->cases[1];
        hcbr_error err;
        fault_write_data(r.d);
        for (uint64_t n = 0; n <= all; n++) { /* what it must be when n cases are there already */
            read_prepare(&r);
            read_first(&r, n);
            assert_int_equal(hcbr_cases_count(r.cases), n);
            harness_ok(read_run(&r, &err), &err);
            r.before = n;
            read_done(&r);
        }
        fault_each(&a, &r, HCBR_I_FAULT_ALLOC, 15);
        fault_each(&a, &r, HCBR_I_FAULT_IO, 4);
        for (uint64_t n = 0; n <= all; n++)
            hcbr_bytes_free(r.expected[n].at);
    }
}

/* ---- finish -----------------------------------------------------------------------------------
 */

static void finish_prepare(void *context) {
    reading *r = context;
    hcbr_error err;
    read_prepare(r);
    harness_ok(read_run(r, &err), &err);
}

static hcbr_status finish_run(void *context, hcbr_error *err) {
    reading *r = context;
    return hcbr_cases_finish(r->cases, err);
}

/* Not finished: no model can be trained, and all cases stay. */
static void finish_failed(void *context) {
    reading *r = context;
    hcbr_model *model;
    assert_int_equal(hcbr_model_train(&model, r->cases, NULL, NULL), HCBR_EUSAGE);
    assert_null(model);
    assert_int_equal(hcbr_cases_count(r->cases), r->d->cases[0] + r->d->cases[1]);
}

static void faults__leave_the_list_unfinished_in_cases_finish(void **state) {
    (void)state;
    /* arrays are made smaller if that can be done: two of features, three of numbers */
    const fault_action a = {finish_prepare, finish_run, finish_failed, read_done, 5};
    for (size_t f = 0; f < FAULT_FILES; f++) {
        reading r = {.d = &fault_files[f]};
        fault_write_data(r.d);
        finish_prepare(&r);
        read_done(&r);
        fault_each(&a, &r, HCBR_I_FAULT_ALLOC, 4);
        hcbr_bytes_free(r.expected[0].at);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(faults__are_reported_by_cases_create, fault_folder_empty),
        cmocka_unit_test_teardown(faults__leave_the_list_as_it_was_in_cases_add,
                                  fault_folder_empty),
        cmocka_unit_test_teardown(faults__do_not_lose_known_features, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_cases_read, fault_folder_empty),
        cmocka_unit_test_teardown(faults__leave_the_list_unfinished_in_cases_finish,
                                  fault_folder_empty),
    };
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
