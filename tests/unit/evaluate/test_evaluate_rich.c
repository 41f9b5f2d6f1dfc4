/*
 * Evaluation of the default model: every answer against a model that is trained, with its weights,
 * on the other cases alone; AUC and the baseline against pairs and counts; repetitions.
 */
#include "add_case.h"
#include "property/harness.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 120, FOLDS = 3, NUMBERS = 2 };
static const char *const LABEL[] = {"no", "perhaps", "yes"};

/* Cases of two numbers and a word, the label by one of them and some noise. */
typedef struct table {
    uint32_t count, labels;
    double weight[MOST];
    uint32_t label[MOST];
    char text[MOST][NUMBERS + 1][12];
    uint64_t fold[MOST];
} table;

static void draw_table(table *t, harness_random *r, uint32_t labels) {
    *t = (table){.count = 60 + (uint32_t)harness_below(r, MOST - 60), .labels = labels};
    for (uint32_t i = 0; i < t->count; i++) {
        int x = harness_below(r, 60), noise = harness_below(r, 4);
        snprintf(t->text[i][0], 12, "%d", x);
        snprintf(t->text[i][1], 12, "%d.5", harness_below(r, 9));
        snprintf(t->text[i][2], 12, "w%d", harness_below(r, 4));
        t->label[i] = i < labels * FOLDS ? i % labels // each is met in every part
                      : noise            ? (uint32_t)x * labels / 90
                                         : (uint32_t)harness_below(r, (int)labels);
        t->fold[i] = i < labels * FOLDS ? i / labels : (uint64_t)harness_below(r, FOLDS);
        t->weight[i] = 1 + harness_below(r, 5);
    }
}

static size_t features_of(const table *t, uint32_t i, hcbr_feature f[NUMBERS + 1]) {
    static const char *const KEY[] = {"x", "y", "word"};
    for (size_t k = 0; k <= NUMBERS; k++)
        f[k] = (hcbr_feature){KEY[k], strlen(KEY[k]), t->text[i][k], strlen(t->text[i][k])};
    return NUMBERS + 1;
}

/* The cases that are not in a fold (UINT64_MAX: all), and their weights. */
static hcbr_cases *make_cases(const table *t, uint64_t but, double *weight) {
    hcbr_cases *cases;
    uint32_t n = 0;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < t->count; i++) {
        hcbr_feature f[NUMBERS + 1];
        if (t->fold[i] == but)
            continue;
        assert_int_equal(
            add_one_case(cases, f, features_of(t, i, f), LABEL[t->label[i]], NULL, NULL), HCBR_OK);
        weight[n++] = t->weight[i];
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static hcbr_train_options options_with(const double *weight) {
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    assert_int_equal(o.model, HCBR_MODEL_RICH); // what a user gets
    o.effort = HCBR_EFFORT_LITE;
    o.weight = weight;
    return o;
}

static hcbr_evaluation *evaluate(const table *t, const hcbr_train_options *train,
                                 hcbr_cases **cases) {
    static double unused[MOST];
    hcbr_evaluate_options o;
    hcbr_evaluation *e;
    hcbr_error err = {0};
    *cases = make_cases(t, UINT64_MAX, unused);
    hcbr_evaluate_options_init(&o);
    o.given_folds = t->fold;
    o.given_count = t->count;
    o.keep_answers = 1;
    o.train = train;
    harness_ok(hcbr_evaluate(&e, *cases, &o, &err), &err);
    return e;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void check_fold(const table *t, const hcbr_evaluation *e, uint64_t fold, bool weighted) {
    static double weight[MOST];
    hcbr_cases *cases = make_cases(t, fold, weight);
    hcbr_train_options train = options_with(weighted ? weight : NULL);
    hcbr_error err = {0};
    hcbr_model *model;
    harness_ok(hcbr_model_train(&model, cases, &train, &err), &err);
    hcbr_decider *decider = harness_decider(model, NULL);
    for (uint32_t i = 0; i < t->count; i++) {
        hcbr_answer answer = {.size = sizeof answer};
        hcbr_decision d = {.size = sizeof d};
        hcbr_feature f[NUMBERS + 1];
        hcbr_evaluation_get_answer(e, i, &answer);
        if (t->fold[i] != fold)
            continue;
        harness_ok(hcbr_decider_decide(decider, row_by(decider, f, features_of(t, i, f)), &d, &err),
                   &err);
        assert_int_equal(answer.label, d.label);
        assert_non_null(answer.probability);
        assert_memory_equal(answer.support, d.support, t->labels * sizeof(double));
        assert_memory_equal(answer.probability, d.probability, t->labels * sizeof(double));
    }
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static void answers__come_from_weighed_models_of_the_others(void **state) {
    (void)state;
    static table t;
    harness_random r = {harness_seed(51)};
    for (int round = 0; round < 8; round++) {
        bool weighted = round % 2;
        hcbr_cases *cases;
        draw_table(&t, &r, 2 + (uint32_t)round / 4);
        hcbr_train_options train = options_with(weighted ? t.weight : NULL);
        hcbr_evaluation *e = evaluate(&t, &train, &cases);
        for (uint64_t fold = 0; fold < FOLDS; fold++)
            check_fold(&t, e, fold, weighted);
        hcbr_evaluation_free(e);
        hcbr_cases_free(cases);
    }
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Of all pairs of a case of the second label and one of the first in a part: the share that is in
 * the right order, half of those that are equal. */
static double pairs_in_order(const table *t, const hcbr_evaluation *e, uint64_t fold) {
    double right = 0, all = 0;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t j = 0; j < t->count; j++) {
            hcbr_answer a = {.size = sizeof a}, b = {.size = sizeof b};
            if (t->fold[i] != fold || t->fold[j] != fold || t->label[i] != 1 || t->label[j] != 0)
                continue;
            hcbr_evaluation_get_answer(e, i, &a);
            hcbr_evaluation_get_answer(e, j, &b);
            double x = a.support[1] - a.support[0], y = b.support[1] - b.support[0];
            right += x > y ? 1 : x == y ? 0.5 : 0;
            all++;
        }
    return right / all;
}

/* Share of the cases of a part that have the most frequent label of all. */
static double baseline_of(const table *t, uint64_t fold) {
    uint32_t all[3] = {0}, held[3] = {0}, most = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        all[t->label[i]]++;
        held[t->label[i]] += t->fold[i] == fold;
    }
    for (uint32_t l = 1; l < t->labels; l++)
        most = all[l] > all[most] ? l : most;
    return (double)held[most] / (held[0] + held[1] + held[2]);
}

static void figures__are_counted_over_pairs_and_cases(void **state) {
    (void)state;
    static table t;
    harness_random r = {harness_seed(52)};
    for (int round = 0; round < 4; round++) {
        hcbr_cases *cases;
        hcbr_figure figure = {.size = sizeof figure};
        draw_table(&t, &r, 2 + (uint32_t)round / 2);
        hcbr_train_options train = options_with(NULL);
        hcbr_evaluation *e = evaluate(&t, &train, &cases);
        double baseline = 0;
        for (uint64_t fold = 0; fold < FOLDS; fold++) {
            baseline += baseline_of(&t, fold) / FOLDS;
            if (t.labels == 2)
                assert_true(fabs(hcbr_evaluation_get_value(e, fold, HCBR_METRIC_AUC) -
                                 pairs_in_order(&t, e, fold)) < 1e-12);
        }
        hcbr_evaluation_get_baseline(e, HCBR_METRIC_ACCURACY, &figure);
        assert_true(fabs(figure.mean - baseline) < 1e-12);
        hcbr_evaluation_free(e);
        hcbr_cases_free(cases);
    }
}

static void repeats__draw_other_parts(void **state) {
    (void)state;
    static table t;
    static double unused[MOST];
    harness_random r = {harness_seed(53)};
    hcbr_evaluate_options o;
    hcbr_evaluation *e;
    hcbr_train_options train = options_with(NULL);
    draw_table(&t, &r, 2);
    hcbr_cases *cases = make_cases(&t, UINT64_MAX, unused);
    hcbr_evaluate_options_init(&o);
    o.folds = FOLDS;
    o.repeats = 3;
    o.keep_answers = 1;
    o.train = &train;
    assert_int_equal(hcbr_evaluate(&e, cases, &o, NULL), HCBR_OK);
    assert_int_equal(hcbr_evaluation_answer_count(e), 3 * t.count);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint32_t together[FOLDS][FOLDS] = {{0}}, most = 0;
            for (uint32_t i = 0; i < t.count; i++) {
                hcbr_answer x = {.size = sizeof x}, y = {.size = sizeof y};
                hcbr_evaluation_get_answer(e, (uint64_t)a * t.count + i, &x);
                hcbr_evaluation_get_answer(e, (uint64_t)b * t.count + i, &y);
                assert_int_equal(x.repeat, a);
                assert_int_equal(x.row, y.row);
                together[x.fold][y.fold]++;
            }
            for (uint32_t k = 0; k < FOLDS * FOLDS; k++)
                most =
                    together[k / FOLDS][k % FOLDS] > most ? together[k / FOLDS][k % FOLDS] : most;
            assert_true(most < t.count / FOLDS * 2 / 3); // not the same parts once more
        }
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers__come_from_weighed_models_of_the_others),
        cmocka_unit_test(figures__are_counted_over_pairs_and_cases),
        cmocka_unit_test(repeats__draw_other_parts),
    };
    return cmocka_run_group_tests_name("evaluate rich", tests, NULL, NULL);
}
