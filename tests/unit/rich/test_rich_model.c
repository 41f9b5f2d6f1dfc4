/*
 * What must hold of a rich model whatever the cases: it depends on their content alone, a weight n
 * is n copies, threads change no byte, a file gives the model back, supports add up.
 */
#include "add_case.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 160, MANY = 2500 };
static const uint64_t SEED = 20261116;

static void decide(hcbr_decider *d, const rich_case *c, hcbr_decision *out) {
    char text[8][16];
    hcbr_feature features[8];
    size_t n = rich_case_features(c, features, text);
    *out = (hcbr_decision){.size = sizeof *out};
    assert_int_equal(hcbr_decider_decide(d, row_by(d, features, n), out, NULL), HCBR_OK);
}

/* Do two models decide all cases alike, to the last bit? */
static void assert_same_decisions(const hcbr_model *a, const hcbr_model *b, const rich_case *cases,
                                  uint32_t count) {
    hcbr_decider *x, *y;
    assert_int_equal(hcbr_decider_create(&x, a, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_create(&y, b, NULL, NULL), HCBR_OK);
    for (uint32_t i = 0; i < count; i++) {
        hcbr_decision p, q;
        decide(x, &cases[i], &p);
        decide(y, &cases[i], &q);
        assert_int_equal(p.label, q.label);
        assert_memory_equal(p.support, q.support, p.label_count * sizeof *p.support);
        assert_memory_equal(p.probability, q.probability, p.label_count * sizeof *p.probability);
    }
    hcbr_decider_free(x);
    hcbr_decider_free(y);
}

static void rich__does_not_depend_on_the_order_of_the_cases(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 4; labels++) {
        uint64_t random = SEED + labels;
        print_message("seed %llu\n", (unsigned long long)random);
        rich_case drawn[CASES];
        uint32_t order[CASES];
        rich_cases_draw(drawn, CASES, labels, &random);
        for (uint32_t i = 0; i < CASES; i++)
            order[i] = i;
        for (uint32_t i = CASES - 1; i > 0; i--) {
            uint32_t j = (uint32_t)(rich_draw(&random) % (i + 1)), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        hcbr_cases *a = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_cases *b = rich_cases_make(drawn, CASES, order, NULL);
        hcbr_model *x = rich_model_train(a, HCBR_EFFORT_NORMAL, 1, NULL);
        hcbr_model *y = rich_model_train(b, HCBR_EFFORT_NORMAL, 1, NULL);
        assert_same_decisions(x, y, drawn, CASES);
        hcbr_model_free(x);
        hcbr_model_free(y);
        hcbr_cases_free(a);
        hcbr_cases_free(b);
    }
}

static void rich__takes_a_weight_for_so_many_copies_and_0_for_none(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[CASES];
    uint32_t times[CASES];
    double weight[CASES];
    rich_cases_draw(drawn, CASES, 2, &random);
    for (uint32_t i = 0; i < CASES; i++)
        weight[i] = times[i] = (uint32_t)(rich_draw(&random) % 4);
    hcbr_cases *once = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_cases *copies = rich_cases_make(drawn, CASES, NULL, times);
    hcbr_model *x = rich_model_train(once, HCBR_EFFORT_NORMAL, 1, weight);
    hcbr_model *y = rich_model_train(copies, HCBR_EFFORT_NORMAL, 1, NULL);
    assert_same_decisions(x, y, drawn, CASES);
    hcbr_model_free(x);
    hcbr_model_free(y);
    hcbr_cases_free(once);
    hcbr_cases_free(copies);
}

static void rich__has_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    static const uint32_t THREADS[] = {2, 3, 8};
    for (uint32_t labels = 2; labels <= 3; labels++) {
        uint64_t random = SEED + labels;
        rich_case drawn[CASES];
        rich_cases_draw(drawn, CASES, labels, &random);
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *one = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
        for (size_t t = 0; t < sizeof THREADS / sizeof *THREADS; t++) {
            hcbr_model *many = rich_model_train(cases, HCBR_EFFORT_NORMAL, THREADS[t], NULL);
            assert_same_rich(one, many);
            hcbr_model_free(many);
        }
        hcbr_model_free(one);
        hcbr_cases_free(cases);
    }
}

/* So many cases that the depth of trees is tried out, too. */
static void rich__has_the_same_bytes_for_two_threads_with_many_cases(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case *drawn = malloc(MANY * sizeof *drawn);
    rich_cases_draw(drawn, MANY, 2, &random);
    hcbr_cases *cases = rich_cases_make(drawn, MANY, NULL, NULL);
    hcbr_model *one = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
    hcbr_model *two = rich_model_train(cases, HCBR_EFFORT_NORMAL, 2, NULL);
    assert_same_rich(one, two);
    hcbr_model_free(one);
    hcbr_model_free(two);
    hcbr_cases_free(cases);
    free(drawn);
}

static void rich__comes_back_from_its_file(void **state) {
    (void)state;
    for (uint32_t labels = 1; labels <= 4; labels++)
        for (int effort = HCBR_EFFORT_LITE; effort <= HCBR_EFFORT_NORMAL; effort++) {
            uint64_t random = SEED + labels;
            rich_case drawn[CASES];
            rich_cases_draw(drawn, CASES, labels, &random);
            hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
            hcbr_model *model = rich_model_train(cases, (hcbr_effort)effort, 1, NULL);
            hcbr_model *loaded = rich_model_reload(model);
            assert_same_decisions(model, loaded, drawn, CASES);
            hcbr_model_free(model);
            hcbr_model_free(loaded);
            hcbr_cases_free(cases);
        }
}

/* Share of drawn cases that a model of others decides rightly. */
static double accuracy(uint32_t labels, uint64_t seed) {
    enum { TRAIN = 1200, TEST = 600 };
    uint64_t random = seed;
    rich_case *drawn = malloc((TRAIN + TEST) * sizeof *drawn);
    rich_cases_draw(drawn, TRAIN + TEST, labels, &random);
    hcbr_cases *cases = rich_cases_make(drawn, TRAIN, NULL, NULL);
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 2, NULL);
    hcbr_decider *d;
    double right = 0;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    for (uint32_t i = TRAIN; i < TRAIN + TEST; i++) {
        hcbr_decision decision;
        decide(d, &drawn[i], &decision);
        right += decision.label == (hcbr_label)drawn[i].label;
    }
    hcbr_decider_free(d);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    free(drawn);
    return right / TEST;
}

static void rich__learns_what_is_there_and_nothing_else(void **state) {
    (void)state;
    // a tenth of the labels is drawn anew: 95 % can be right with two labels, 93 % with three
    assert_true(accuracy(2, SEED) > 0.91);
    assert_true(accuracy(3, SEED) > 0.88);
    double chance = accuracy(0, SEED); // labels that depend on nothing: within 4 standard errors
    assert_true(fabs(chance - 0.5) < 4 * sqrt(0.25 / 600));
}

static void rich__gives_probabilities_that_add_up_and_supports_of_both_signs(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 4; labels++) {
        uint64_t random = SEED;
        rich_case drawn[CASES];
        hcbr_decider *d;
        rich_cases_draw(drawn, CASES, labels, &random);
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
        assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
        for (uint32_t i = 0; i < CASES; i++) {
            hcbr_decision x;
            double sum = 0;
            decide(d, &drawn[i], &x);
            for (uint32_t l = 0; l < labels; l++) {
                assert_true(x.probability[l] > 0 && x.probability[l] < 1);
                assert_true(x.probability[l] <= x.probability[x.winner]);
                sum += x.probability[l];
            }
            assert_true(fabs(sum - 1) < 1e-12);
            if (labels == 2)
                assert_true(x.support[0] == -x.support[1]);
        }
        hcbr_decider_free(d);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

static void rich__knows_numbers_that_no_past_case_has(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[CASES];
    hcbr_decider *d;
    rich_cases_draw(drawn, CASES, 2, &random);
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    const hcbr_feature features[] = {
        {"x", 1, "12.345", 6}, {"colour", 6, "c9", 2}, {"x", 1, "many", 4}, {"ape", 3, NULL, 0}};
    hcbr_decision x = {.size = sizeof x};
    assert_int_equal(hcbr_decider_decide(d, row_by(d, features, 4), &x, NULL), HCBR_OK);
    assert_int_equal(x.known_count, 2);
    assert_int_equal(x.unseen_count, 2); // a colour and a word where numbers stand
    assert_int_equal(x.feature_count, 4);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static hcbr_model *train_text(hcbr_cases *cases) {
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
    hcbr_model_free(rich_model_reload(model));
    return model;
}

static void rich__can_be_built_from_one_case_of_each_label(void **state) {
    (void)state;
    for (uint32_t labels = 1; labels <= 4; labels++) {
        rich_case drawn[4] = {{.x = 1, .colour = 0, .label = 0},
                              {.x = 2, .colour = 1, .label = 1},
                              {.x = 3, .colour = 2, .label = 2},
                              {.x = 4, .colour = 3, .label = 3}};
        hcbr_cases *cases = rich_cases_make(drawn, labels, NULL, NULL);
        hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
        hcbr_decider *d;
        assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
        for (uint32_t i = 0; i < labels; i++) {
            hcbr_decision x;
            decide(d, &drawn[i], &x);
            assert_int_equal(x.label, (hcbr_label)i);
        }
        hcbr_decider_free(d);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

static void rich__stands_empty_cases_and_columns_that_say_nothing(void **state) {
    (void)state;
    hcbr_cases *cases;
    const hcbr_feature same = {"always", 6, "1", 1};
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(add_one_case(cases, &same, i % 3 ? 1 : 0, i % 2 ? "n" : "p", NULL, NULL),
                         HCBR_OK);
    hcbr_model *model = train_text(cases);
    hcbr_decider *d;
    hcbr_decision x = {.size = sizeof x};
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_decide(d, row_by(d, &same, 1), &x, NULL), HCBR_OK);
    assert_true(fabs(x.probability[0] - 0.5) < 0.2);
    assert_int_equal(hcbr_decider_decide(d, row_by(d, &same, 0), &x, NULL), HCBR_OK);
    assert_int_equal(x.reason, HCBR_EMPTY_CASE);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static void rich__takes_a_hundred_thousand_keys(void **state) {
    (void)state;
    hcbr_cases *cases;
    uint64_t random = SEED;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < 2000; i++) {
        char text[51][16];
        hcbr_feature features[51];
        for (uint32_t w = 0; w < 50; w++) {
            int n = snprintf(text[w], 16, "w%llu", (unsigned long long)(i * 50 + w));
            features[w] = (hcbr_feature){text[w], (size_t)n, NULL, 0};
        }
        bool told = rich_draw(&random) & 1;
        features[50] = (hcbr_feature){told ? "good" : "poor", 4, NULL, 0};
        assert_int_equal(add_one_case(cases, features, 51, told ? "y" : "n", NULL, NULL), HCBR_OK);
    }
    hcbr_model *model = train_text(cases);
    hcbr_decider *d;
    hcbr_decision x = {.size = sizeof x};
    const hcbr_feature good = {"good", 4, NULL, 0}, poor = {"poor", 4, NULL, 0};
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_decide(d, row_by(d, &good, 1), &x, NULL), HCBR_OK);
    assert_int_equal(x.label, 1);
    assert_int_equal(hcbr_decider_decide(d, row_by(d, &poor, 1), &x, NULL), HCBR_OK);
    assert_int_equal(x.label, 0);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

/* Every allocation of training and deciding fails once. */
static void rich__fails_cleanly_without_memory(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[24];
    rich_cases_draw(drawn, 24, 3, &random);
    hcbr_cases *cases = rich_cases_make(drawn, 24, NULL, NULL);
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    assert_train_without_memory(cases, &o);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rich__does_not_depend_on_the_order_of_the_cases),
        cmocka_unit_test(rich__takes_a_weight_for_so_many_copies_and_0_for_none),
        cmocka_unit_test(rich__has_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(rich__has_the_same_bytes_for_two_threads_with_many_cases),
        cmocka_unit_test(rich__comes_back_from_its_file),
        cmocka_unit_test(rich__learns_what_is_there_and_nothing_else),
        cmocka_unit_test(rich__gives_probabilities_that_add_up_and_supports_of_both_signs),
        cmocka_unit_test(rich__knows_numbers_that_no_past_case_has),
        cmocka_unit_test(rich__can_be_built_from_one_case_of_each_label),
        cmocka_unit_test(rich__stands_empty_cases_and_columns_that_say_nothing),
        cmocka_unit_test(rich__takes_a_hundred_thousand_keys),
        cmocka_unit_test(rich__fails_cleanly_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
