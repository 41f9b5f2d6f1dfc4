/*
 * A case is resolved once: whatever is asked about it, each of its names is looked up in the
 * dictionary once, and the key of a name that no past case has once more.
 */
#include "add_case.h"
#include "unit/explain/rich_sample.h"

#include "cases/cases.h"

#include <hcbr/explain.h>

#include <stdio.h>

enum { CASES = 80, KEYS = 6 };

/* Cases of KEYS values, the last a number; what is asked about is one of them, or has new values.
 */
static size_t make_case(hcbr_feature *f, char text[KEYS][2][24], uint32_t i, uint32_t unseen) {
    for (uint32_t k = 0; k < KEYS; k++) {
        snprintf(text[k][0], sizeof text[k][0], "key%u", k);
        if (k < unseen)
            snprintf(text[k][1], sizeof text[k][1], "new%u", i);
        else if (k == KEYS - 1)
            snprintf(text[k][1], sizeof text[k][1], "%u.5", i % 9);
        else
            snprintf(text[k][1], sizeof text[k][1], "v%u", (i / (k + 1)) % 3);
        f[k] = (hcbr_feature){text[k][0], strlen(text[k][0]), text[k][1], strlen(text[k][1])};
    }
    return KEYS;
}

static hcbr_model *make_model(hcbr_model_kind kind, uint32_t labels) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        char text[KEYS][2][24], label[24];
        hcbr_feature f[KEYS];
        size_t count = make_case(f, text, i, 0);
        snprintf(label, sizeof label, "l%u", (i / 2) % labels);
        assert_int_equal(add_one_case(cases, f, count, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = kind;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

typedef enum question { EXPLAIN, COMPARE, FLIP, ASK, QUESTIONS } question;

static void ask(hcbr_explainer *x, question what, const hcbr_feature *f, size_t count) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions q = {.size = sizeof q};
    hcbr_status st = what == EXPLAIN   ? hcbr_explainer_explain(x, f, count, NULL, &e, NULL)
                     : what == COMPARE ? hcbr_explainer_compare(x, f, count, 3, &c, NULL)
                     : what == FLIP    ? hcbr_explainer_flip(x, f, count, NULL, &flips, NULL)
                                       : hcbr_explainer_ask(x, f, count, 10, &q, NULL);
    assert_int_equal(st, HCBR_OK);
}

static void lookups__are_one_for_each_feature_that_is_explained(void **state) {
    (void)state;
    for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++)
        for (uint32_t labels = 2; labels <= 3; labels++) {
            hcbr_model *model = make_model((hcbr_model_kind)kind, labels);
            hcbr_explainer *x;
            assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL), HCBR_OK);
            for (uint32_t what = 0; what < QUESTIONS; what++)
                for (uint32_t unseen = 0; unseen < 3; unseen++) {
                    char text[KEYS][2][24];
                    hcbr_feature f[KEYS];
                    size_t count = make_case(f, text, 7, unseen);
                    uint64_t before = hcbr_i_dict_lookups;
                    ask(x, (question)what, f, count);
                    assert_int_equal(hcbr_i_dict_lookups - before, count + unseen);
                }
            hcbr_explainer_free(x);
            hcbr_model_free(model);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups__are_one_for_each_feature_that_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
