// What can be asked of a finished list, against what was put in.
#include "add_case.h"
#include "cases/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <hcbr/hcbr.h>

static hcbr_feature feature(const char *key, const char *value) {
    return (hcbr_feature){key, strlen(key), value, value ? strlen(value) : 0};
}

static void expect_feature(const hcbr_cases *cases, uint32_t number, const char *key,
                           const char *value) {
    hcbr_feature f;
    hcbr_cases_get_feature(cases, number, &f);
    assert_int_equal(f.key_length, strlen(key));
    assert_memory_equal(f.key, key, f.key_length);
    assert_int_equal(f.value != NULL, value != NULL);
    if (value) {
        assert_int_equal(f.value_length, strlen(value));
        assert_memory_equal(f.value, value, f.value_length);
    }
}

static void cases_get__gives_back_what_was_added(void **state) {
    (void)state;
    const hcbr_feature one[] = {feature("b", "1"), feature("a", ""), feature("b", "1")};
    const hcbr_feature two[] = {feature("a", "a value that is not packed"), feature("b", "1"),
                                feature("p", NULL)};
    hcbr_cases *cases;
    hcbr_case x = {.size = sizeof x};
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    cases->formed = true; // spelled
    assert_int_equal(add_one_case(cases, one, 3, "yes", NULL, NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, two, 3, "no", "Ann", NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, NULL, 0, "yes", NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);

    hcbr_cases_get(cases, 0, &x);
    assert_int_equal(x.row, 1);
    assert_null(x.id);
    assert_string_equal(hcbr_cases_get_label(cases, x.label, NULL), "yes");
    assert_int_equal(x.feature_count, 2); // one was there twice
    expect_feature(cases, x.features[0], "b", "1");
    expect_feature(cases, x.features[1], "a", "");

    hcbr_cases_get(cases, 1, &x);
    assert_int_equal(x.row, 2);
    assert_int_equal(x.id_length, 3);
    assert_memory_equal(x.id, "Ann", 3);
    assert_int_equal(x.label, 0); // labels have a fixed order
    assert_string_equal(hcbr_cases_get_label(cases, 0, NULL), "no");
    assert_int_equal(x.feature_count, 3);
    expect_feature(cases, x.features[0], "a", "a value that is not packed");
    assert_int_equal(x.features[1], 0); // numbers go by first appearance
    expect_feature(cases, x.features[2], "p", NULL);

    hcbr_cases_get(cases, 2, &x);
    assert_int_equal(x.feature_count, 0);
    assert_null(x.id);
    assert_int_equal(hcbr_cases_get_info(cases).keys, 3);
    assert_int_equal(hcbr_cases_get_key(cases, 0), 0);
    assert_int_equal(hcbr_cases_get_key(cases, 1), 1);
    assert_int_equal(hcbr_cases_get_key(cases, 2), 1);
    assert_int_equal(hcbr_cases_get_key(cases, 3), 2);
    assert_string_equal(hcbr_cases_get_info(cases).label_column, "label");
    hcbr_cases_free(cases);
}

static void cases_get__leaves_a_structure_of_another_size(void **state) {
    (void)state;
    hcbr_cases *cases;
    hcbr_case x, before;
    memset(&x, 0x55, sizeof x);
    x.size = offsetof(hcbr_case, features);
    before = x;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, NULL, 0, "yes", NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_cases_get(cases, 0, &x);
    assert_memory_equal(&x, &before, sizeof x);
    hcbr_cases_free(cases);
}

static void read__knows_what_is_missing_and_what_paths_stand_for(void **state) {
    (void)state;
    static const char *const dash[] = {"-"};
    hcbr_read_options options;
    hcbr_read_options_init(&options);
    assert_true(hcbr_read_is_missing(&options, "NA", 2));
    assert_true(hcbr_read_is_missing(&options, "", 0));
    assert_false(hcbr_read_is_missing(&options, "N", 1));
    options.na = dash;
    options.na_count = 1;
    assert_true(hcbr_read_is_missing(&options, "-", 1));
    assert_false(hcbr_read_is_missing(&options, "NA", 2));
    assert_int_equal(hcbr_format_of_path("a.b/x.CSV"), HCBR_FORMAT_CSV);
    assert_int_equal(hcbr_format_of_path("a.csv/x"), HCBR_FORMAT_AUTO);
    assert_string_equal(hcbr_format_name(HCBR_FORMAT_CASES), "cases");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_get__gives_back_what_was_added),
        cmocka_unit_test(cases_get__leaves_a_structure_of_another_size),
        cmocka_unit_test(read__knows_what_is_missing_and_what_paths_stand_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
