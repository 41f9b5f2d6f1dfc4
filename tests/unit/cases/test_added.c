// Cases added one by one, with ids, groups and weights, are those that a file with such columns
// gives: same list, same model bytes, same evaluation.
#include "cases/cases.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <hcbr/hcbr.h>

enum { ROWS = 120 };

typedef struct row {
    const char *label, *a, *b, *group; // group NULL: none
    char id[20];
    double weight;
} row;

static void draw(row *rows, harness_random *r) {
    static const char *const A[] = {"x", "y", "z"}, *const B[] = {"1", "2"};
    static const char *const GROUP[] = {NULL, "g1", "g2", "g3", "g4", "g5"};
    for (int i = 0; i < ROWS; i++) {
        rows[i] = (row){.a = A[harness_below(r, 3)],
                        .b = B[harness_below(r, 2)],
                        .group = GROUP[harness_below(r, 6)],
                        .weight = harness_below(r, 5) / 2.0};
        rows[i].label = (rows[i].a[0] == 'x') != (harness_below(r, 4) == 0) ? "yes" : "no";
        if (i % 3)
            snprintf(rows[i].id, sizeof rows[i].id, "case %d", i);
    }
}

static hcbr_cases *read_rows(const row *rows) {
    char path[] = "/tmp/hcbr_added_XXXXXX";
    const char *const paths[] = {path};
    hcbr_read_options o;
    hcbr_cases *cases;
    hcbr_error err;
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    fputs("label,id,who,w,a,b\n", file);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%s,%s,%s,%g,%s,%s\n", rows[i].label, rows[i].id,
                rows[i].group ? rows[i].group : "", rows[i].weight, rows[i].a, rows[i].b);
    fclose(file);
    hcbr_read_options_init(&o);
    o.format = HCBR_FORMAT_CSV;
    o.id = "id";
    o.group = "who";
    o.weight = "w";
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    harness_ok(hcbr_cases_read(cases, paths, 1, &o, &err), &err);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    unlink(path);
    return cases;
}

static hcbr_cases *add_rows(const row *rows) {
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 2, &err), &err);
    for (int i = 0; i < ROWS; i++) {
        const hcbr_feature f[] = {{"a", 1, rows[i].a, 1}, {"b", 1, rows[i].b, 1}};
        hcbr_labelled_case one;
        hcbr_labelled_case_init(&one);
        one.features = f;
        one.feature_count = 2;
        one.label = rows[i].label;
        one.id = rows[i].id;
        one.group = rows[i].group;
        one.weight = rows[i].weight;
        harness_ok(hcbr_cases_add(cases, &one, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

static void same_lists(const hcbr_cases *a, const hcbr_cases *b) {
    assert_int_equal(hcbr_cases_count(a), hcbr_cases_count(b));
    assert_int_equal(hcbr_cases_get_info(a).rows, hcbr_cases_get_info(b).rows);
    assert_true(a->group && b->group);
    for (uint64_t i = 0; i < hcbr_cases_count(a); i++) {
        hcbr_case x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_cases_get(a, i, &x);
        hcbr_cases_get(b, i, &y);
        assert_int_equal(x.row, y.row);
        assert_int_equal(x.id_length, y.id_length);
        assert_true((x.id == NULL) == (y.id == NULL));
        if (x.id)
            assert_memory_equal(x.id, y.id, x.id_length);
        assert_true(x.weight == y.weight && x.weight > 0);
        assert_int_equal(a->group[i], b->group[i]);
    }
}

static void same_models(hcbr_cases *a, hcbr_cases *b) {
    hcbr_cases *const lists[] = {a, b};
    void *bytes[2];
    size_t size[2];
    hcbr_train_options o;
    hcbr_error err;
    hcbr_train_options_init(&o);
    o.effort = HCBR_EFFORT_LITE;
    for (int k = 0; k < 2; k++) {
        hcbr_model *model;
        harness_ok(hcbr_model_train(&model, lists[k], &o, &err), &err);
        harness_ok(hcbr_model_serialize(model, &bytes[k], &size[k], &err), &err);
        hcbr_model_free(model);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    hcbr_bytes_free(bytes[0]);
    hcbr_bytes_free(bytes[1]);
}

static void same_evaluations(const hcbr_cases *a, const hcbr_cases *b) {
    hcbr_evaluate_options o;
    hcbr_train_options train;
    hcbr_figure figure[2] = {{.size = sizeof *figure}, {.size = sizeof *figure}};
    hcbr_evaluation *e;
    hcbr_error err;
    hcbr_train_options_init(&train);
    train.effort = HCBR_EFFORT_LITE;
    hcbr_evaluate_options_init(&o);
    o.folds = 3;
    o.by_group = 1;
    o.train = &train;
    for (int k = 0; k < 2; k++) {
        harness_ok(hcbr_evaluate(&e, k ? b : a, &o, &err), &err);
        hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, &figure[k]);
        hcbr_evaluation_free(e);
    }
    assert_true(figure[0].mean == figure[1].mean && figure[0].sd == figure[1].sd);
}

static void added__is_what_a_file_gives(void **state) {
    (void)state;
    harness_random r = {harness_seed(31)};
    for (int n = 0; n < 5; n++) {
        row rows[ROWS];
        draw(rows, &r);
        hcbr_cases *read = read_rows(rows), *added = add_rows(rows);
        same_lists(read, added);
        same_evaluations(read, added);
        same_models(read, added);
        hcbr_cases_free(read);
        hcbr_cases_free(added);
    }
}

static void added__refuses_what_is_no_case(void **state) {
    (void)state;
    static const double WRONG[] = {-1, 1.0000001e9, NAN, INFINITY};
    hcbr_labelled_case one;
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    hcbr_labelled_case_init(&one);
    assert_int_equal(hcbr_cases_add(cases, &one, &err), HCBR_EDATA); // no label
    one.label = "x";
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        one.weight = WRONG[i];
        assert_int_equal(hcbr_cases_add(cases, &one, &err), HCBR_EDATA);
        assert_non_null(strstr(err.message, "weight"));
    }
    one.weight = 0;
    one.group = "\xFF";
    assert_int_equal(hcbr_cases_add(cases, &one, &err), HCBR_EDATA);
    assert_int_equal(hcbr_cases_get_info(cases).rows, 0);
    one.group = "";
    harness_ok(hcbr_cases_add(cases, &one, &err), &err); // a row, but no case
    assert_int_equal(hcbr_cases_get_info(cases).rows, 1);
    assert_int_equal(hcbr_cases_count(cases), 0);
    hcbr_cases_free(cases);
}

/* A structure that ends before the group: only its size is set, and adding it is refused. */
static void added__refuses_a_shorter_structure(void **state) {
    (void)state;
    hcbr_labelled_case one;
    hcbr_cases *cases;
    hcbr_error err;
    memset(&one, 0xA5, sizeof one);
    hcbr_init(&one, offsetof(hcbr_labelled_case, group), "hcbr_labelled_case");
    assert_int_equal(((unsigned char *)&one)[sizeof one.size], 0xA5);
    one.label = "x";
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    assert_int_equal(hcbr_cases_add(cases, &one, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "size"));
    assert_int_equal(hcbr_cases_get_info(cases).rows, 0);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added__is_what_a_file_gives),
        cmocka_unit_test(added__refuses_what_is_no_case),
        cmocka_unit_test(added__refuses_a_shorter_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
