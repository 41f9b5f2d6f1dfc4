/*
 * Weights: n is n copies and 0 is no case, whatever the other weights and the order; invalid
 * weights are refused.
 */
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/evaluate.h>

#include <math.h>
#include <stdlib.h>

enum { CASES = 150 };
static const uint64_t SEED = 20261117;

/* Weights that doubles do not add exactly. */
static double odd_weight(uint64_t *random) {
    return (double)(1 + rich_draw(random) % 1000) / 300.0;
}

static void weights__count_as_copies_among_any_others(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        uint64_t random = SEED + labels;
        print_message("seed %llu\n", (unsigned long long)random);
        rich_case drawn[CASES];
        uint32_t times[CASES], n = 0;
        double weight[CASES], single[3 * CASES];
        rich_cases_draw(drawn, CASES, labels, &random);
        for (uint32_t i = 0; i < CASES; i++) {
            bool whole = rich_draw(&random) % 2;
            double one = whole ? 1 : odd_weight(&random);
            times[i] = whole ? 1 + (uint32_t)(rich_draw(&random) % 3) : 1;
            weight[i] = times[i] * one;
            for (uint32_t t = 0; t < times[i]; t++)
                single[n++] = one;
        }
        hcbr_cases *once = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_cases *copies = rich_cases_make(drawn, CASES, NULL, times);
        hcbr_model *x = rich_model_train(once, HCBR_EFFORT_NORMAL, 1, weight);
        hcbr_model *y = rich_model_train(copies, HCBR_EFFORT_NORMAL, 2, single);
        assert_same_rich(x, y);
        hcbr_model_free(x);
        hcbr_model_free(y);
        hcbr_cases_free(once);
        hcbr_cases_free(copies);
    }
}

/* Cases in reverse have features numbered otherwise: decisions are compared, by their supports. */
static void weights__do_not_depend_on_the_order(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[CASES];
    uint32_t order[CASES];
    double weight[CASES], back[CASES];
    rich_cases_draw(drawn, CASES, 3, &random);
    for (uint32_t i = 0; i < CASES; i++) {
        order[i] = CASES - 1 - i;
        back[CASES - 1 - i] = weight[i] = odd_weight(&random);
    }
    hcbr_cases *a = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_cases *b = rich_cases_make(drawn, CASES, order, NULL);
    hcbr_model *x = rich_model_train(a, HCBR_EFFORT_NORMAL, 1, weight);
    hcbr_model *y = rich_model_train(b, HCBR_EFFORT_NORMAL, 1, back);
    hcbr_decider *p, *q;
    assert_int_equal(hcbr_decider_create(&p, x, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_create(&q, y, NULL, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        char text[8][16];
        hcbr_feature features[8];
        size_t n = rich_case_features(&drawn[i], features, text);
        hcbr_decision one = {.size = sizeof one}, other = {.size = sizeof other};
        assert_int_equal(hcbr_decider_decide(p, row_by(p, features, n), &one, NULL), HCBR_OK);
        assert_int_equal(hcbr_decider_decide(q, row_by(q, features, n), &other, NULL), HCBR_OK);
        assert_memory_equal(one.support, other.support, 3 * sizeof *one.support);
    }
    assert_int_equal(x->prior, y->prior);
    hcbr_decider_free(p);
    hcbr_decider_free(q);
    hcbr_model_free(x);
    hcbr_model_free(y);
    hcbr_cases_free(a);
    hcbr_cases_free(b);
}

static void weights__of_0_leave_no_trace(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[CASES];
    uint32_t times[CASES];
    double weight[CASES];
    rich_cases_draw(drawn, CASES, 4, &random);
    for (uint32_t i = 0; i < CASES; i++) // no case of the last label is left
        weight[i] = times[i] = drawn[i].label != 3 && rich_draw(&random) % 3 > 0;
    hcbr_cases *all = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_cases *left = rich_cases_make(drawn, CASES, NULL, times);
    hcbr_model *x = rich_model_train(all, HCBR_EFFORT_LITE, 1, weight);
    hcbr_model *y = rich_model_train(left, HCBR_EFFORT_LITE, 1, NULL);
    assert_int_equal(x->labels.count, 3);
    assert_same_file(x, y);
    hcbr_model_free(x);
    hcbr_model_free(y);
    hcbr_cases_free(all);
    hcbr_cases_free(left);
}

static void weights__may_be_very_large_and_very_small(void **state) {
    (void)state;
    static const double SCALES[] = {1e9, 1e-9, 1e-300, 4.9e-324};
    uint64_t random = SEED;
    rich_case drawn[CASES];
    rich_cases_draw(drawn, CASES, 2, &random);
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    for (size_t s = 0; s < sizeof SCALES / sizeof *SCALES; s++) {
        double weight[CASES];
        for (uint32_t i = 0; i < CASES; i++)
            weight[i] = i % 2 ? SCALES[s] : i % 4 ? 1 : SCALES[s] / 2;
        for (uint32_t i = 0; i < CASES; i++)
            weight[i] = weight[i] > 0 ? weight[i] : SCALES[s];
        hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, weight);
        hcbr_model *loaded = rich_model_reload(model);
        assert_int_equal(loaded->prior, model->prior);
        hcbr_model_free(loaded);
        hcbr_model_free(model);
    }
    hcbr_cases_free(cases);
}

static void weights__decide_which_label_is_most_frequent(void **state) {
    (void)state;
    rich_case drawn[5] = {{.x = 1, .label = 0},
                          {.x = 2, .label = 0},
                          {.x = 3, .label = 0},
                          {.x = 4, .label = 1},
                          {.x = 5, .label = 1}};
    const double weight[5] = {1, 0.5, 0.5, 1.5, 1};
    hcbr_cases *cases = rich_cases_make(drawn, 5, NULL, NULL);
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_LITE, 1, weight);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_kept_case kept = {.size = sizeof kept};
    hcbr_model_get_info(model, &info);
    assert_int_equal(info.prior, 1);
    hcbr_model_get_kept(model, 3, &kept);
    assert_true(kept.weight == 1.5);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static void weights__that_are_none_are_refused(void **state) {
    (void)state;
    static const double BAD[] = {-1, NAN, INFINITY, -INFINITY, 1.0000001e9, -4.9e-324};
    rich_case drawn[2] = {{.x = 1, .label = 0}, {.x = 2, .label = 1}};
    hcbr_cases *cases = rich_cases_make(drawn, 2, NULL, NULL);
    hcbr_train_options o;
    hcbr_error err;
    hcbr_model *model;
    double weight[2] = {1, 0};
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.weight = weight;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        weight[1] = BAD[i];
        assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EDATA);
        assert_non_null(strstr(err.message, "weight of case 2"));
        assert_null(model);
    }
    weight[0] = weight[1] = 0;
    assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EDATA);
    weight[0] = weight[1] = 1;
    o.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EUSAGE);
    hcbr_cases_free(cases);
}

/* Cases of another kind with weight 0 do not exist: neither trained on nor counted. */
static void weights__reach_the_models_and_figures_of_an_evaluation(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[CASES];
    double weight[CASES];
    rich_cases_draw(drawn, CASES, 2, &random);
    for (uint32_t i = 0; i < CASES; i++) {
        bool odd = i % 3 == 0;
        drawn[i].label = odd ? drawn[i].x < 5 : drawn[i].x >= 5;
        weight[i] = !odd;
    }
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_evaluate_options e;
    hcbr_train_options o;
    hcbr_evaluation *result;
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_train_options_init(&o);
    hcbr_evaluate_options_init(&e);
    o.model = HCBR_MODEL_RICH;
    o.effort = HCBR_EFFORT_LITE;
    o.weight = weight;
    e.train = &o;
    assert_int_equal(hcbr_evaluate(&result, cases, &e, NULL), HCBR_OK);
    hcbr_evaluation_get_figure(result, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, &figure);
    assert_true(figure.mean > 0.9);
    hcbr_evaluation_get_info(result, &info);
    assert_int_equal(info.held_out, CASES - (CASES + 2) / 3);
    hcbr_evaluation_free(result);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights__count_as_copies_among_any_others),
        cmocka_unit_test(weights__do_not_depend_on_the_order),
        cmocka_unit_test(weights__of_0_leave_no_trace),
        cmocka_unit_test(weights__may_be_very_large_and_very_small),
        cmocka_unit_test(weights__decide_which_label_is_most_frequent),
        cmocka_unit_test(weights__that_are_none_are_refused),
        cmocka_unit_test(weights__reach_the_models_and_figures_of_an_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
