/*
 * A model of many cases whose atoms add nothing to its boosted trees: it has none by default, and
 * files, threads and reasons are as good as with them.
 */
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include "add_case.h"

#include "rich/rich.h"

#include <hcbr/explain.h>

#include <math.h>
#include <stdio.h>

enum { CASES = 2400, SIDE = 16, ASKED = 5 };

/* The features of a case: a field of a board, and a number that is different in every case. Labels
 * are stripes across the board, one in ten of them wrong. */
typedef struct board_case {
    char text[3][24];
    hcbr_feature feature[3];
} board_case;

static bool board_draw(board_case *c, uint32_t number, uint64_t *random) {
    static const char *const KEY[3] = {"x", "y", "z"};
    uint32_t x = (uint32_t)(rich_draw(random) % SIDE), y = (uint32_t)(rich_draw(random) % SIDE);
    const uint32_t value[3] = {x, y, number};
    for (uint32_t i = 0; i < 3; i++) {
        int length = snprintf(c->text[i], sizeof c->text[i], "%u", value[i]);
        c->feature[i] = (hcbr_feature){KEY[i], 1, c->text[i], (size_t)length};
    }
    return ((x + y) % 8 > 3) != (rich_draw(random) % 10 == 0); // neither tells alone
}

static hcbr_cases *board_make(void) {
    hcbr_cases *cases;
    uint64_t random = 20261118;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        board_case c;
        bool label = board_draw(&c, i, &random);
        assert_int_equal(add_one_case(cases, c.feature, 3, label ? "yes" : "no", NULL, NULL),
                         HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* What past cases add, and the bias, is the support of each label. */
static void check_reasons(const hcbr_model *model) {
    hcbr_explainer *x;
    hcbr_decider *decider;
    hcbr_explain_options o;
    uint64_t random = 7;
    hcbr_explain_options_init(&o);
    o.cases = SIZE_MAX;
    assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_create(&decider, model, NULL, NULL), HCBR_OK);
    for (uint32_t i = 0; i < ASKED; i++) {
        board_case c;
        hcbr_explanation e = {.size = sizeof e};
        hcbr_decision d = {.size = sizeof d};
        (void)board_draw(&c, i * 100, &random);
        assert_int_equal(hcbr_explainer_explain(x, row_of(x, c.feature, 3), &o, &e, NULL), HCBR_OK);
        const hcbr_explained_case *lists[3] = {e.cases_for, e.cases_against, e.others};
        const size_t counts[3] = {e.for_count, e.against_count, e.other_count};
        double sum[2] = {e.bias[0], e.bias[1]}, size[2] = {1, 1};
        for (uint32_t list = 0; list < 3; list++)
            for (size_t n = 0; n < 2 * counts[list]; n++) {
                double part = lists[list][n / 2].influence[n % 2];
                sum[n % 2] += part;
                size[n % 2] += fabs(part);
            }
        assert_true(counts[0] + counts[1] > CASES / 20); // those of its leaves
        assert_int_equal(hcbr_decider_decide(decider, row_by(decider, c.feature, 3), &d, NULL),
                         HCBR_OK);
        for (uint32_t l = 0; l < 2; l++)
            assert_true(fabs(sum[l] - d.support[l]) <= 1e-9 * size[l]);
    }
    hcbr_decider_free(decider);
    hcbr_explainer_free(x);
}

static void without_atoms__the_default_is_as_good(void **state) {
    (void)state;
    hcbr_cases *cases = board_make();
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
    hcbr_model *threads = rich_model_train(cases, HCBR_EFFORT_NORMAL, 2, NULL);
    const hcbr_i_rich *rich = hcbr_i_model_rich(model);
    assert_true(rich->rows >= 2000 && rich->family[1] && !rich->family[0]);
    assert_same_file(model, threads);
    hcbr_model *again = rich_model_reload(model);
    assert_false(hcbr_i_model_rich(again)->family[0]);
    check_reasons(model);
    check_reasons(again);
    hcbr_model_free(again);
    hcbr_model_free(threads);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

/* Without boosted trees the atoms stay. */
static void without_atoms__lite_has_them(void **state) {
    (void)state;
    hcbr_cases *cases = board_make();
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_LITE, 1, NULL);
    assert_true(hcbr_i_model_rich(model)->family[0]);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_atoms__the_default_is_as_good),
        cmocka_unit_test(without_atoms__lite_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
