/*
 * Cases that a model used up can only be freed: asking for another model is refused, not answered
 * with nonsense. (That the model is the same either way is in test_same_bytes.c.)
 */
#include "add_case.h"

#include <hcbr/hcbr.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static hcbr_cases *two_cases(void) {
    hcbr_feature a = {"a", 1, "1", 1}, b = {"b", 1, "1", 1};
    hcbr_cases *cases = NULL;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, &a, 1, "x", NULL, NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, &b, 1, "y", "second", NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static void consumed_cases__give_no_second_model(void **state) {
    static const hcbr_keep keep[] = {HCBR_KEEP_NONE, HCBR_KEEP_ANONYMOUS, HCBR_KEEP_FULL};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        hcbr_cases *cases = two_cases();
        hcbr_train_options options;
        hcbr_model *model = NULL, *again = NULL;
        hcbr_error err;
        hcbr_train_options_init(&options);
        options.model = HCBR_MODEL_PLAIN;
        options.keep = keep[k];
        assert_int_equal(hcbr_model_train(&model, cases, &options, &err), HCBR_OK);
        hcbr_model_free(model);
        options.consume = 1; /* as often as one likes before, never after */
        assert_int_equal(hcbr_model_train(&model, cases, &options, &err), HCBR_OK);
        assert_int_equal(hcbr_model_train(&again, cases, &options, &err), HCBR_EUSAGE);
        assert_null(again);
        assert_non_null(strstr(err.message, "used up"));
        hcbr_cases_free(cases); /* the model lives on */
        assert_int_equal(hcbr_model_get_atom_size(model, 1), 1);
        hcbr_kept_case second = {.size = sizeof second};
        assert_int_equal(hcbr_model_kept_count(model), keep[k] == HCBR_KEEP_NONE ? 0 : 2);
        if (keep[k] != HCBR_KEEP_NONE) {
            hcbr_model_get_kept(model, 1, &second);
            assert_int_equal(second.atom_count, 1);
            assert_int_equal(second.id_length, keep[k] == HCBR_KEEP_FULL ? 6 : 0);
        }
        hcbr_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consumed_cases__give_no_second_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
