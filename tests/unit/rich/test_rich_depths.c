/*
 * The trial of two depths: how many trees it costs beside those of the depth that is taken.
 */
#include "unit/rich/rich_support.h"

#include "add_case.h"

#include "rich/rich.h"

#include <stdio.h>
#include <string.h>

enum { CASES = 1500, SIDE = 16, LONE = 40 };

/* Steps of boosting: one for each tree. */
static int count_trees(void *context, const char *stage, uint64_t done, uint64_t total) {
    uint32_t *trees = context;
    (void)done;
    (void)total;
    *trees += strcmp(stage, "boosted") == 0;
    return 0;
}

/* Cases on a board: its squares of four by four have a label in turn, or all of a half have one
 * that is often wrong. */
static hcbr_cases *board_make(bool fields) {
    hcbr_cases *cases;
    uint64_t random = 20261118;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        uint32_t x = (uint32_t)(rich_draw(&random) % SIDE),
                 y = (uint32_t)(rich_draw(&random) % SIDE);
        uint64_t chance = rich_draw(&random) % 100;
        bool label = fields ? (x / 4 + y / 4) % 2 : (x < SIDE / 2) == (chance < 65);
        char text[2][16];
        int length[2] = {snprintf(text[0], sizeof text[0], "%u", x),
                         snprintf(text[1], sizeof text[1], "%u", y)};
        const hcbr_feature f[2] = {{"x", 1, text[0], (size_t)length[0]},
                                   {"y", 1, text[1], (size_t)length[1]}};
        assert_int_equal(add_one_case(cases, f, 2, label ? "yes" : "no", NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* A model of boosted trees of which these depths are tried; *trees: those that are grown. */
static hcbr_i_rich *train(const hcbr_cases *cases, uint32_t small, uint32_t deep, uint32_t *trees) {
    hcbr_i_rich *rich = NULL;
    hcbr_i_rich_options o = {.seed = 1, .threads = 1, .progress = count_trees};
    *trees = 0;
    o.progress_context = trees;
    hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
    o.tuning.family[0] = o.tuning.family[2] = false;
    o.tuning.medium = 2;
    o.tuning.stop_gain = 0; // a fold model ends by its patience
    o.tuning.depth[0] = small;
    o.tuning.depth[1] = deep - 6u; // six are added with many cases
    hcbr_i_rich_view view = {.cases = cases};
    assert_int_equal(hcbr_i_rich_train(&rich, &view, &o, NULL), HCBR_OK);
    return rich;
}

static uint32_t trees_of(const hcbr_cases *cases, uint32_t small, uint32_t deep) {
    uint32_t trees;
    hcbr_i_rich_free(train(cases, small, deep, &trees));
    return trees;
}

/* Where deep trees are far ahead after so many, the small ones are grown no further. */
static void depths__end_the_race_that_is_won(void **state) {
    (void)state;
    hcbr_cases *cases = board_make(true);
    hcbr_i_rich_tuning t;
    hcbr_i_rich_tuning_init(&t, HCBR_I_RICH_NORMAL);
    assert_int_equal(trees_of(cases, 2, 12), trees_of(cases, 12, 12) + t.patience);
    hcbr_cases_free(cases);
}

/* Where they are behind they are given up after a quarter of that. */
static void depths__end_the_race_that_is_lost(void **state) {
    (void)state;
    hcbr_cases *cases = board_make(false);
    hcbr_i_rich_tuning t;
    hcbr_i_rich_tuning_init(&t, HCBR_I_RICH_NORMAL);
    assert_int_equal(trees_of(cases, 2, 12), trees_of(cases, 2, 2) + t.patience / 4);
    hcbr_cases_free(cases);
}

/* Where every case has a label of its own nothing is held out, and nothing tells the depths apart:
 * the smaller one is taken. */
static void depths__stay_small_where_nothing_tells(void **state) {
    (void)state;
    hcbr_cases *cases;
    uint32_t trees;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < LONE; i++) {
        char text[2][16];
        int length[2] = {snprintf(text[0], sizeof text[0], "%u", i * 7 % LONE),
                         snprintf(text[1], sizeof text[1], "l%u", i)};
        const hcbr_feature f = {"x", 1, text[0], (size_t)length[0]};
        assert_true(length[1] > 0);
        assert_int_equal(add_one_case(cases, &f, 1, text[1], NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_i_rich *tried = train(cases, 2, 12, &trees), *small = train(cases, 2, 2, &trees);
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        assert_int_equal(tried->boosted.model[k].node_count, small->boosted.model[k].node_count);
    hcbr_i_rich_free(tried);
    hcbr_i_rich_free(small);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths__end_the_race_that_is_won),
        cmocka_unit_test(depths__end_the_race_that_is_lost),
        cmocka_unit_test(depths__stay_small_where_nothing_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
