/*
 * Reports: JSON as a tree, and failures of memory at every call. What pages show is checked in
 * tests/cli/test_report.py.
 */
#include "property/faults.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/report.h"

/* ---- the tree -------------------------------------------------------------------------------- */

static void tree__has_all_values(void **state) {
    (void)state;
    hcbr_i_tree tree;
    hcbr_error err = {0};
    static const char TEXT[] =
        "{\"a\" : [1, -2.5e3, true,false , null],\"b\":{\"c\":{\"d\":7}},"
        "\"t\":\"\\u0041\\ud83d\\ude00x\\n\\\"\\/\xC3\xA4\",\"e\":[ ],\"f\":{\n}}\n{\"g\":1}";
    harness_ok(hcbr_i_tree_parse(&tree, TEXT, sizeof TEXT - 1, "x.json", 1, &err), &err);
    const hcbr_i_node *root = tree.root;
    assert_memory_equal(tree.text, TEXT, tree.length);
    assert_int_equal(TEXT[tree.length], '\n'); // the next document is not read
    assert_int_equal(root->count, 5);
    assert_true(hcbr_i_node_number(root, "b.c.d") == 7);
    assert_true(isnan(hcbr_i_node_number(root, "b.c.e")) && isnan(hcbr_i_node_number(root, "a.b")));
    const hcbr_i_node *list = hcbr_i_node_get(root, "a");
    assert_true(list->count == 5 && hcbr_i_node_at(list, 1)->number == -2500);
    assert_true(hcbr_i_node_at(list, 2)->number == 1 && hcbr_i_node_at(list, 3)->number == 0);
    assert_int_equal(hcbr_i_node_at(list, 4)->kind, HCBR_I_NODE_NULL);
    assert_int_equal(hcbr_i_node_at(list, 5)->kind, HCBR_I_NODE_NULL);
    assert_true(hcbr_i_node_is(hcbr_i_node_get(root, "t"), "A\xF0\x9F\x98\x80x\n\"/\xC3\xA4"));
    assert_int_equal(hcbr_i_node_get(root, "f")->kind, HCBR_I_NODE_OBJECT);
    hcbr_i_tree_clear(&tree);
}

static void tree__refuses_what_is_no_json(void **state) {
    (void)state;
    static const char *const BAD[] = {
        "",
        "{",
        "[1,]",
        "[1 2]",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "[tru]",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a",
        "\"\t\"",
        "-",
        "[1e]",
        "nul",
        "{\"a\":}",
        "]",
        "[\"\\",
        "\"\\u1",
        "{\"a\"",
        "[\"\\ud800x\"]",
        "[01]",
        "[\"\xC3\"]",
        "[1,,2]",
        "{\"a\":1 \"b\":2}",
    };
    for (size_t n = 0; n < COUNT(BAD); n++) {
        hcbr_i_tree tree;
        hcbr_error err = {0};
        assert_int_equal(hcbr_i_tree_parse(&tree, BAD[n], strlen(BAD[n]), "x.json", 1, &err),
                         HCBR_EDATA);
        assert_true(tree.root == NULL && err.line == 1 && err.column >= 1);
        assert_string_equal(err.file, "x.json");
        assert_non_null(strstr(err.message, "expected"));
    }
    char deep[200]; // all of them are closed
    memset(deep, '[', 100);
    memset(deep + 100, ']', sizeof deep - 100);
    hcbr_i_tree tree;
    assert_int_equal(hcbr_i_tree_parse(&tree, deep, sizeof deep, NULL, 1, NULL), HCBR_EDATA);
}

/* ---- failures -------------------------------------------------------------------------------- */

static const char RESULTS[] =
    "{\"schema\":\"hcbr.evaluate/1\",\"accuracy\":{\"mean\":0.8,\"ci\":[0.7,0.9],\"baseline\":0.6},"
    "\"labels\":[{\"name\":\"a\",\"recall\":{\"mean\":0.5}}],\"confusion\":[{\"truth\":\"a\","
    "\"label\":null,\"count\":3}]}\n{\"schema\":\"hcbr.x/1\",\"y\":[1,2]}\n";

typedef struct failing {
    hcbr_report *report;
    hcbr_writer *writer;
    size_t length;
} failing;

static hcbr_status make_page(void *context, hcbr_error *err) {
    failing *f = context;
    hcbr_status st = hcbr_report_create(&f->report, "A <title>", err);
    for (int twice = 0; st == HCBR_OK && twice < 2; twice++)
        st = hcbr_report_add(f->report, RESULTS, sizeof RESULTS - 1, "r.json", err);
    if (st == HCBR_OK)
        st = hcbr_writer_create(&f->writer, NULL, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_write_report(f->writer, HCBR_HTML, f->report, err);
    if (st == HCBR_OK)
        return HCBR_OK;
    hcbr_report_free(f->report);
    hcbr_writer_free(f->writer);
    f->report = NULL;
    f->writer = NULL;
    return st;
}

static void expect_none(void *context) {
    assert_null(((failing *)context)->report);
}

static void expect_page(void *context) {
    failing *f = context;
    if (f->report) {
        size_t length;
        const char *page = hcbr_writer_get(f->writer, &length);
        assert_int_equal(f->report->count, 2);
        assert_non_null(strstr(page, "A &lt;title&gt;"));
        f->length = f->length ? f->length : length;
        assert_int_equal(length, f->length);
    }
    hcbr_report_free(f->report);
    hcbr_writer_free(f->writer);
    f->report = NULL;
    f->writer = NULL;
}

static void page__fails_cleanly(void **state) {
    (void)state;
    const fault_action action = {NULL, make_page, expect_none, expect_page, 0};
    failing f = {.report = NULL};
    fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 10);
}

/* What cannot be added leaves the report as it was. */
static void report__takes_all_or_nothing(void **state) {
    (void)state;
    hcbr_report *report;
    hcbr_error err = {0};
    size_t length;
    harness_ok(hcbr_report_create(&report, "", &err), &err);
    harness_ok(hcbr_report_add(report, RESULTS, sizeof RESULTS - 1, NULL, &err), &err);
    static const char BAD[] = "{\"schema\":\"hcbr.z/1\"}\n{\"schema\":\"other\"}";
    assert_int_equal(hcbr_report_add(report, BAD, sizeof BAD - 1, "b", &err), HCBR_EDATA);
    assert_true(err.line == 2 && report->count == 2);
    assert_int_equal(hcbr_report_add(report, " \n", 2, "b", &err), HCBR_EDATA);
    hcbr_writer *w;
    harness_ok(hcbr_writer_create(&w, NULL, NULL, &err), &err);
    harness_ok(hcbr_write_report(w, HCBR_JSON, report, &err), &err);
    assert_string_equal(hcbr_writer_get(w, &length), RESULTS);
    assert_int_equal(hcbr_write_report(w, HCBR_TEXT, report, &err), HCBR_EUSAGE);
    hcbr_writer_free(w);
    hcbr_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree__has_all_values),
        cmocka_unit_test(tree__refuses_what_is_no_json),
        cmocka_unit_test(page__fails_cleanly),
        cmocka_unit_test(report__takes_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
