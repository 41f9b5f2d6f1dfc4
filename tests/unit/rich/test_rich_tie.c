/*
 * Labels with equal supports: the first of them wins, in a rich model as in a plain one.
 */
#include "engines.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <string.h>

enum { CASES = 40 };

/* A model of cases that are trusted in nothing: all its supports are 0, but for a bias. */
static hcbr_model *indifferent(uint32_t labels) {
    static rich_case drawn[CASES];
    uint64_t random = 20261123 + labels;
    rich_cases_draw(drawn, CASES, labels, &random);
    for (uint32_t i = 0; i < CASES; i++)
        drawn[i].label = i % labels;
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
    hcbr_cases_free(cases);
    assert_int_equal(hcbr_i_model_rich(model)->labels, labels);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        hcbr_i_model_rich(model)->stack.trust[f] = 0;
    memset(hcbr_i_model_rich(model)->stack.bias, 0,
           hcbr_i_model_rich(model)->outputs * sizeof(double));
    return model;
}

static hcbr_label winner_of(const hcbr_model *model) {
    hcbr_feature red = {"colour", 6, "c1", 2};
    hcbr_decision x = {.size = sizeof x};
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_decide(d, row_by(d, &red, 1), &x, NULL), HCBR_OK);
    assert_int_equal(x.known_count, 1);
    hcbr_label winner = x.winner;
    hcbr_decider_free(d);
    return winner;
}

static void tie__goes_to_the_first_label(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 4; labels++) {
        hcbr_model *model = indifferent(labels);
        assert_int_equal(winner_of(model), 0);
        hcbr_model_free(model);
    }
}

static void tie__is_none_where_a_label_leads(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 4; labels++)
        for (uint32_t l = 0; l < labels; l++) {
            hcbr_model *model = indifferent(labels);
            double *bias = hcbr_i_model_rich(model)->stack.bias;
            if (labels == 2)
                bias[0] = l ? 1e-9 : -1e-9;
            else
                bias[l] = 1e-9;
            assert_int_equal(winner_of(model), l);
            hcbr_model_free(model);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tie__goes_to_the_first_label),
        cmocka_unit_test(tie__is_none_where_a_label_leads),
    };
    return cmocka_run_group_tests_name("rich tie", tests, NULL, NULL);
}
