/*
 * Evaluation through the public API: every held-out decision against a model that is built from
 * the training cases alone, figures against their definition, and no way for the truth to leak.
 */
#include "add_case.h"
#include "evaluate/evaluate.h"
#include "property/faults.h"
#include "property/harness.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 400
#define MOST_FEATURES 12

/* Cases as numbers of features, to be handed to the library again and again. */
typedef struct raw_base {
    int count, label[MOST], length[MOST], feature[MOST][MOST_FEATURES];
    const char *const *labels;
    bool ids;
} raw_base;

static const char *const WORDS[] = {"no", "yes", "maybe", "never"};
static const char *const NUMBERS[] = {"10", "9", "-1", "x"}; /* by value, unless x is there */

/* A name for a feature: long or short, with a value or without. */
static hcbr_feature name_feature(char text[40], int f) {
    int length = snprintf(text, 40, f % 3 ? "k%d" : "a rather long key %d", f);
    return (hcbr_feature){text, (size_t)length, f % 2 ? "v" : NULL, f % 2 ? 1 : 0};
}

static void add_case(hcbr_cases *cases, const raw_base *base, int i) {
    char text[MOST_FEATURES][40], id[24];
    hcbr_feature features[MOST_FEATURES];
    hcbr_error err = {0};
    for (int n = 0; n < base->length[i]; n++) {
        features[n] = name_feature(text[n], base->feature[i][n]);
    }
    snprintf(id, sizeof id, "case %d", i);
    harness_ok(add_one_case(cases, features, (size_t)base->length[i], base->labels[base->label[i]],
                            base->ids && i % 3 ? id : NULL, &err),
               &err);
}

/* The cases for which chosen[i] is `is`; all if chosen is NULL. */
static hcbr_cases *make_cases(const raw_base *base, const bool *chosen, bool is) {
    hcbr_cases *cases;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < base->count; i++)
        if (!chosen || chosen[i] == is)
            add_case(cases, base, i);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

/* Features that depend on the label, so that there is something to learn. */
static void draw_base(raw_base *base, harness_random *r, int count, int labels) {
    base->count = count;
    base->labels = harness_below(r, 2) ? WORDS : NUMBERS;
    base->ids = harness_below(r, 2);
    for (int i = 0; i < count; i++) {
        base->label[i] = harness_below(r, labels);
        base->length[i] = 0;
        if (harness_below(r, 12) == 0)
            continue; /* an empty case */
        for (int n = 1 + harness_below(r, MOST_FEATURES - 1); n > 0; n--) {
            int f = harness_below(r, 2) ? harness_below(r, 60)
                                        : 3 * base->label[i] + harness_below(r, 5);
            base->feature[i][base->length[i]++] = f;
        }
    }
}

/* The defaults, but for the model, which is the plain one. */
static void plain_options(hcbr_evaluate_options *o) {
    static hcbr_train_options train;
    hcbr_train_options_init(&train);
    train.model = HCBR_MODEL_PLAIN;
    hcbr_evaluate_options_init(o);
    o->train = &train;
}

static hcbr_evaluation *evaluate(const hcbr_cases *cases, const hcbr_evaluate_options *o) {
    hcbr_evaluation *e = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_evaluate(&e, cases, o, &err), &err);
    return e;
}

static hcbr_figure figure_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, HCBR_LABEL_UNKNOWN, &figure);
    return figure;
}

/* ---- a part of the cases --------------------------------------------------------------------- */

static void subset__gives_the_bytes_of_a_model_of_its_rows(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(11)};
    for (int round = 0; round < 200; round++) {
        bool chosen[MOST];
        uint32_t which[MOST], label[8], count = 0;
        draw_base(&base, &r, 2 + harness_below(&r, 60), 1 + harness_below(&r, 4));
        for (int i = 0; i < base.count; i++)
            if ((chosen[i] = harness_below(&r, 3) > 0 || i == 0))
                which[count++] = (uint32_t)i;
        hcbr_cases *all = make_cases(&base, NULL, true), *some = make_cases(&base, chosen, true);
        hcbr_cases *subset;
        hcbr_error err = {0};
        uint32_t *known = malloc((hcbr_i_dict_count(all->dict) + 1) * sizeof *known);
        harness_ok(hcbr_i_cases_subset(&subset, all, which, count, known, label, &err), &err);
        assert_int_equal(hcbr_i_dict_count(subset->dict), hcbr_i_dict_count(some->dict));
        for (uint32_t l = 0; l < subset->labels.count; l++)
            assert_string_equal(subset->labels.names[l], all->labels.names[label[l]]);
        hcbr_train_options o;
        hcbr_train_options_init(&o);
        o.model = HCBR_MODEL_PLAIN;
        hcbr_model *a, *b;
        harness_ok(hcbr_model_train(&a, subset, &o, &err), &err);
        harness_ok(hcbr_model_train(&b, some, &o, &err), &err);
        fault_bytes x = fault_serialize(a), y = fault_serialize(b);
        fault_expect_bytes(&x, &y);
        hcbr_bytes_free(x.at);
        hcbr_bytes_free(y.at);
        hcbr_model_free(a);
        hcbr_model_free(b);
        hcbr_cases_free(all);
        hcbr_cases_free(some);
        hcbr_cases_free(subset);
        free(known);
    }
}

/* ---- decisions ------------------------------------------------------------------------------- */

/* A model of the cases of `base` that are not in the fold, and a decider of it. */
static hcbr_decider *outside(const raw_base *base, const bool *held, const hcbr_train_options *o,
                             hcbr_model **model) {
    hcbr_error err = {0};
    hcbr_cases *cases = make_cases(base, held, false);
    hcbr_decider *decider;
    harness_ok(hcbr_model_train(model, cases, o, &err), &err);
    harness_ok(hcbr_decider_create(&decider, *model, NULL, &err), &err);
    hcbr_cases_free(cases);
    return decider;
}

static hcbr_decision decide(hcbr_decider *decider, const raw_base *base, int i) {
    char text[MOST_FEATURES][40];
    hcbr_feature features[MOST_FEATURES];
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_error err = {0};
    for (int n = 0; n < base->length[i]; n++) {
        features[n] = name_feature(text[n], base->feature[i][n]);
    }
    harness_ok(hcbr_decider_decide(decider, row_by(decider, features, (size_t)base->length[i]),
                                   &decision, &err),
               &err);
    return decision;
}

static void expect_answer(const hcbr_evaluation *e, const hcbr_answer *answer,
                          const hcbr_model *model, const hcbr_decision *decision) {
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(e, &info);
    assert_int_equal(answer->reason, decision->reason);
    for (uint32_t l = 0; l < info.labels; l++) {
        size_t length;
        const char *name = hcbr_evaluation_get_label(e, (hcbr_label)l, &length);
        hcbr_label own = hcbr_model_find_label(model, name, length);
        double support = own < 0 ? 0 : decision->support[own];
        assert_memory_equal(&answer->support[l], &support, sizeof support);
        if (own >= 0 && own == decision->label)
            assert_int_equal(answer->label, l);
    }
    if (decision->label < 0)
        assert_int_equal(answer->label, HCBR_LABEL_UNKNOWN);
    assert_null(answer->probability);
}

static void answers__come_from_models_of_the_other_folds(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(12)};
    for (int round = 0; round < 60; round++) {
        uint64_t fold[MOST];
        bool held[MOST];
        int folds = 2 + harness_below(&r, 4);
        draw_base(&base, &r, 12 + harness_below(&r, 60), 1 + harness_below(&r, 4));
        for (int i = 0; i < base.count; i++)
            fold[i] = i < folds ? (uint64_t)i : (uint64_t)harness_below(&r, folds);
        hcbr_train_options train;
        hcbr_train_options_init(&train);
        train.model = HCBR_MODEL_PLAIN;
        train.passes = (uint32_t)harness_below(&r, 4);
        train.seed = harness_next(&r);
        train.scope = harness_below(&r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
        hcbr_rule rule;
        hcbr_rule_init(&rule);
        train.rule = &rule;
        rule.memory = harness_below(&r, 2);
        rule.fallback = harness_below(&r, 2) ? "prior" : NULL;
        hcbr_evaluate_options o;
        plain_options(&o);
        o.given_folds = fold;
        o.given_count = (size_t)base.count;
        o.keep_answers = 1;
        o.train = &train;
        hcbr_cases *cases = make_cases(&base, NULL, true);
        hcbr_evaluation *e = evaluate(cases, &o);
        assert_int_equal(hcbr_evaluation_answer_count(e), base.count);
        for (int f = 0; f < folds; f++) {
            hcbr_model *model;
            for (int i = 0; i < base.count; i++)
                held[i] = fold[i] == (uint64_t)f;
            hcbr_decider *decider = outside(&base, held, &train, &model);
            for (int i = 0; i < base.count; i++) {
                hcbr_answer answer = {.size = sizeof answer};
                hcbr_evaluation_get_answer(e, (uint64_t)i, &answer);
                assert_int_equal(answer.row, i + 1);
                if (!held[i])
                    continue;
                hcbr_decision decision = decide(decider, &base, i);
                assert_int_equal(answer.fold, f);
                expect_answer(e, &answer, model, &decision);
            }
            hcbr_decider_free(decider);
            hcbr_model_free(model);
        }
        hcbr_evaluation_free(e);
        hcbr_cases_free(cases);
    }
}

/* As many folds as were asked for, or as there are different cases; equal ones are in one. */
static void expect_equal_together(const hcbr_i_heldout *heldout, const hcbr_cases *cases) {
    uint32_t same[MOST], fold[MOST], different = 0;
    assert_int_equal(hcbr_i_copies_number(same, cases, NULL, NULL), HCBR_OK);
    for (uint32_t i = 0; i < heldout->case_count; i++) {
        if (same[i] == different)
            fold[different++] = heldout->fold[i];
        assert_int_equal(heldout->fold[i], fold[same[i]]);
    }
    assert_int_equal(heldout->fold_count, different < 5 ? different : 5);
}

static void heldout__supports_come_from_models_of_the_other_folds(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(13)};
    for (int round = 0; round < 60; round++) {
        bool held[MOST];
        draw_base(&base, &r, 3 + harness_below(&r, 60), 1 + harness_below(&r, 4));
        hcbr_cases *cases = make_cases(&base, NULL, true);
        hcbr_i_heldout_options o = {.folds = 5,
                                    .fold_seed = harness_next(&r),
                                    .engine = hcbr_i_engine_of(HCBR_MODEL_PLAIN),
                                    .part = {.passes = (uint32_t)harness_below(&r, 3), .seed = 4},
                                    .threads = 1 + (uint32_t)harness_below(&r, 3)};
        hcbr_train_options train;
        hcbr_train_options_init(&train);
        train.model = HCBR_MODEL_PLAIN;
        train.passes = o.part.passes;
        train.seed = o.part.seed;
        hcbr_i_heldout heldout;
        hcbr_error err = {0};
        harness_ok(hcbr_i_heldout_make(&heldout, cases, &o, &err), &err);
        expect_equal_together(&heldout, cases);
        for (uint32_t f = 0; f < heldout.fold_count; f++) {
            hcbr_model *model;
            for (int i = 0; i < base.count; i++)
                held[i] = heldout.fold[i] == f;
            hcbr_decider *decider = outside(&base, held, &train, &model);
            for (int i = 0; i < base.count; i++) {
                if (!held[i])
                    continue;
                hcbr_decision d = decide(decider, &base, i);
                assert_memory_equal(&heldout.lead[i], &d.lead, sizeof d.lead);
                for (uint32_t l = 0; l < heldout.label_count; l++) {
                    hcbr_label own = hcbr_model_find_label(model, cases->labels.names[l],
                                                           cases->labels.lengths[l]);
                    double support = own < 0 ? 0 : d.support[own];
                    size_t at = (size_t)i * heldout.label_count + l;
                    assert_memory_equal(&heldout.support[at], &support, sizeof support);
                    if (own >= 0 && own == d.winner)
                        assert_int_equal(heldout.winner[i], l);
                }
                if (d.winner < 0)
                    assert_int_equal(heldout.winner[i], HCBR_LABEL_UNKNOWN);
            }
            hcbr_decider_free(decider);
            hcbr_model_free(model);
        }
        hcbr_i_heldout_clear(&heldout);
        hcbr_cases_free(cases);
    }
}

/* ---- figures --------------------------------------------------------------------------------- */

static void expect_same(double a, double b) {
    assert_true((isnan(a) && isnan(b)) || a == b);
}

static void threads__change_no_figure(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(14)};
    for (int labels = 2; labels <= 3; labels++) {
        draw_base(&base, &r, 120, labels);
        hcbr_cases *cases = make_cases(&base, NULL, true);
        hcbr_evaluate_options o;
        plain_options(&o);
        o.repeats = 3;
        hcbr_evaluation *one = evaluate(cases, &o);
        for (uint32_t threads = 2; threads <= 9; threads += 3) {
            o.threads = threads;
            hcbr_evaluation *many = evaluate(cases, &o);
            for (int m = 0; m < HCBR_METRIC_FIT; m++) {
                for (uint64_t p = 0; p < 30; p++)
                    expect_same(hcbr_evaluation_get_value(one, p, (hcbr_metric)m),
                                hcbr_evaluation_get_value(many, p, (hcbr_metric)m));
                expect_same(figure_of(one, (hcbr_metric)m).mean,
                            figure_of(many, (hcbr_metric)m).mean);
                expect_same(figure_of(one, (hcbr_metric)m).high,
                            figure_of(many, (hcbr_metric)m).high);
            }
            hcbr_evaluation_free(many);
        }
        hcbr_evaluation_free(one);
        hcbr_cases_free(cases);
    }
}

static void figures__are_what_their_definition_says(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(15)};
    draw_base(&base, &r, 297, 2);
    hcbr_cases *cases = make_cases(&base, NULL, true);
    hcbr_evaluate_options o;
    plain_options(&o);
    o.folds = 5;
    o.repeats = 2;
    hcbr_evaluation *e = evaluate(cases, &o);
    double sum = 0, squares = 0, ratio = 0;
    for (uint64_t p = 0; p < 10; p++) {
        hcbr_part_info part = {.size = sizeof part};
        hcbr_evaluation_get_part(e, p, &part);
        assert_int_equal(part.trained + part.held_out, 297);
        assert_int_equal(part.repeat, p / 5);
        assert_int_equal(part.fold, p % 5);
        ratio += (double)part.held_out / (double)part.trained / 10;
        sum += hcbr_evaluation_get_value(e, p, HCBR_METRIC_MCC);
    }
    for (uint64_t p = 0; p < 10; p++)
        squares += pow(hcbr_evaluation_get_value(e, p, HCBR_METRIC_MCC) - sum / 10, 2);
    double sd = sqrt(squares / 9), half = 2.26215716280 * sd * sqrt(0.1 + ratio);
    hcbr_figure mcc = figure_of(e, HCBR_METRIC_MCC);
    assert_int_equal(mcc.count, 10);
    assert_true(fabs(mcc.mean - sum / 10) < 1e-12 && fabs(mcc.sd - sd) < 1e-12);
    assert_true(fabs(mcc.low - fmax(sum / 10 - half, -1)) < 1e-9);
    assert_true(fabs(mcc.high - fmin(sum / 10 + half, 1)) < 1e-9);
    /* confusion, pooled accuracy and its interval: each repeat decides each case once */
    size_t cells = hcbr_evaluation_confusion_count(e);
    hcbr_confusion cell = {.size = sizeof cell};
    double right = 0, all = 0, low, high;
    for (size_t i = 0; i < cells; i++) {
        hcbr_evaluation_get_confusion(e, i, &cell);
        all += cell.count;
        right += cell.truth == cell.label ? cell.count : 0;
    }
    hcbr_figure accuracy = figure_of(e, HCBR_METRIC_ACCURACY);
    assert_true(all == 2 * 297 && fabs(accuracy.pooled - right / all) < 1e-12);
    hcbr_i_wilson(right / 2, 297, &low, &high);
    assert_true(accuracy.low == low && accuracy.high == high);
    assert_true(isnan(figure_of(e, HCBR_METRIC_LOG_LOSS).mean));
    assert_true(isnan(figure_of(e, HCBR_METRIC_ECE).mean));
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

/* ---- no leak --------------------------------------------------------------------------------- */

/* Cases whose labels are drawn from nothing; `twins`: each stands there twice, with one label. */
static void draw_noise(raw_base *base, harness_random *r, bool unique, bool twins) {
    draw_base(base, r, MOST, 2);
    base->labels = WORDS;
    for (int i = 0; i < MOST; i++) {
        base->label[i] = harness_below(r, 2);
        base->length[i] = 0;
        for (int n = 0; n < 8; n++)
            base->feature[i][base->length[i]++] = 2 * n + harness_below(r, 2);
        if (unique)
            base->feature[i][base->length[i]++] = 1000 + i;
        if (twins && i % 2) {
            base->label[i] = base->label[i - 1];
            base->length[i] = base->length[i - 1];
            memcpy(base->feature[i], base->feature[i - 1], sizeof base->feature[i]);
        }
    }
}

/* Labels without reason: 8000 decisions of 400 cases lie within 4 sigma of a coin's. */
static void noise__scores_like_chance(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(16)};
    for (int unique = 0; unique < 2; unique++) {
        draw_noise(&base, &r, unique, false);
        hcbr_cases *cases = make_cases(&base, NULL, true);
        hcbr_train_options train;
        hcbr_train_options_init(&train);
        train.model = HCBR_MODEL_PLAIN;
        hcbr_evaluate_options o;
        hcbr_evaluate_options_init(&o);
        o.repeats = 20;
        o.train = &train;
        for (train.passes = 0; train.passes <= 2; train.passes++) {
            hcbr_evaluation *e = evaluate(cases, &o);
            assert_true(fabs(figure_of(e, HCBR_METRIC_ACCURACY).mean - 0.5) < 4 * 0.5 / 20);
            assert_true(fabs(figure_of(e, HCBR_METRIC_MCC).mean) < 4 * 1.0 / 20);
            assert_true(fabs(figure_of(e, HCBR_METRIC_AUC).mean - 0.5) < 4 * 0.29 / 20 * 1.42);
            if (unique)
                assert_true(figure_of(e, HCBR_METRIC_COPIES).mean == 0);
            hcbr_evaluation_free(e);
        }
        hcbr_cases_free(cases);
    }
}

/* Noise that stands there twice can be remembered: the report says that it is, and that it is all.
 */
static void copies__are_seen_for_what_they_are(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(17)};
    draw_noise(&base, &r, false, true);
    for (int i = 0; i < MOST; i++) /* 200 different pairs */
        base.feature[i][base.length[i]++] = 1000 + i / 2;
    hcbr_cases *cases = make_cases(&base, NULL, true);
    hcbr_train_options train;
    hcbr_train_options_init(&train);
    train.model = HCBR_MODEL_PLAIN;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    train.rule = &rule;
    rule.memory = 1;
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    o.train = &train;
    o.keep_answers = 1;
    hcbr_evaluation *e = evaluate(cases, &o);
    hcbr_figure copies = figure_of(e, HCBR_METRIC_COPIES), fresh = figure_of(e, HCBR_METRIC_NEW);
    uint64_t counted = 0;
    for (uint64_t i = 0; i < MOST; i++) {
        hcbr_answer answer = {.size = sizeof answer}, twin = {.size = sizeof twin};
        hcbr_evaluation_get_answer(e, i, &answer);
        hcbr_evaluation_get_answer(e, i ^ 1, &twin);
        assert_int_equal(answer.copy, answer.fold != twin.fold);
        if (answer.copy)
            assert_int_equal(answer.label, answer.truth);
        counted += (uint64_t)answer.copy;
    }
    assert_true(copies.pooled == (double)counted / MOST && copies.pooled > 0.8);
    assert_true(figure_of(e, HCBR_METRIC_ACCURACY).pooled > 0.9);
    assert_true(fresh.pooled < 0.85);
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void edges__have_figures_or_none(void **state) {
    (void)state;
    static raw_base base;
    hcbr_evaluate_options o;
    plain_options(&o);
    o.folds = 2;
    /* two cases of one label that share nothing: nothing is known of either */
    base = (raw_base){.count = 2, .labels = WORDS, .length = {1, 1}, .feature = {{1}, {2}}};
    hcbr_cases *cases = make_cases(&base, NULL, true);
    hcbr_evaluation *e = evaluate(cases, &o);
    assert_true(figure_of(e, HCBR_METRIC_ACCURACY).mean == 0);
    assert_true(figure_of(e, HCBR_METRIC_UNKNOWN).mean == 1);
    assert_true(isnan(figure_of(e, HCBR_METRIC_DECIDED).mean));
    assert_true(isnan(figure_of(e, HCBR_METRIC_MCC).mean));
    assert_true(isnan(figure_of(e, HCBR_METRIC_AUC).mean));
    assert_true(figure_of(e, HCBR_METRIC_RECALL).mean == 0);
    assert_true(isnan(figure_of(e, HCBR_METRIC_PRECISION).mean));
    assert_true(isnan(figure_of(e, HCBR_METRIC_SPECIFICITY).mean));
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
    /* two cases of two labels: the training part lacks the label of the case held out */
    base.label[1] = 1;
    base.feature[1][0] = 1;
    cases = make_cases(&base, NULL, true);
    e = evaluate(cases, &o);
    assert_true(figure_of(e, HCBR_METRIC_ACCURACY).mean == 0);
    assert_true(figure_of(e, HCBR_METRIC_UNKNOWN).mean == 0);
    assert_true(figure_of(e, HCBR_METRIC_COPIES).mean == 1);
    assert_true(isnan(figure_of(e, HCBR_METRIC_NEW).mean));
    hcbr_part_info part = {.size = sizeof part};
    hcbr_evaluation_get_part(e, 0, &part);
    assert_int_equal(part.labels, 1);
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

/* A rule may name labels that some training part lacks. */
static void rule__is_held_against_all_labels_once(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(18)};
    draw_base(&base, &r, 30, 2);
    base.labels = WORDS;
    base.label[0] = 3; /* the only one */
    hcbr_threshold threshold = {"never", 0.5, 0, "yes"}, wrong = {"nowhere", 0.5, 0, NULL};
    hcbr_train_options train;
    hcbr_train_options_init(&train);
    train.model = HCBR_MODEL_PLAIN;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    train.rule = &rule;
    rule.thresholds = &threshold;
    rule.threshold_count = 1;
    rule.fallback = "never";
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    o.train = &train;
    hcbr_cases *cases = make_cases(&base, NULL, true);
    hcbr_evaluation_free(evaluate(cases, &o));
    hcbr_evaluation *e;
    hcbr_error err;
    rule.thresholds = &wrong;
    assert_int_equal(hcbr_evaluate(&e, cases, &o, &err), HCBR_EUSAGE);
    assert_null(e);
    rule.thresholds = &threshold;
    o.positive = "nowhere";
    assert_int_equal(hcbr_evaluate(&e, cases, &o, &err), HCBR_EUSAGE);
    o.positive = NULL;
    o.repeats = 0;
    assert_int_equal(hcbr_evaluate(&e, cases, &o, &err), HCBR_EUSAGE);
    o.repeats = 2;
    o.past_only = 1;
    assert_int_equal(hcbr_evaluate(&e, cases, &o, &err), HCBR_EUSAGE);
    o.repeats = 1;
    o.past_only = 0;
    o.test_start = 30;
    assert_int_equal(hcbr_evaluate(&e, cases, &o, &err), HCBR_EUSAGE);
    hcbr_cases_free(cases);
}

static void test_start__trains_on_all_before_it(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(19)};
    draw_base(&base, &r, 40, 2);
    hcbr_cases *cases = make_cases(&base, NULL, true);
    hcbr_evaluate_options o;
    plain_options(&o);
    o.test_start = 33;
    o.keep_answers = 1;
    hcbr_evaluation *e = evaluate(cases, &o);
    hcbr_part_info part = {.size = sizeof part};
    hcbr_evaluation_get_part(e, 0, &part);
    assert_int_equal(part.trained, 33);
    assert_int_equal(part.held_out, 7);
    hcbr_answer answer = {.size = sizeof answer};
    hcbr_evaluation_get_answer(e, 0, &answer);
    assert_int_equal(answer.row, 34);
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

/* ---- being stopped, failing ------------------------------------------------------------------ */

typedef struct stop_after {
    uint64_t left, last;
    int stage; /* numbers are spelled, then parts are evaluated, then those of equal cases */
} stop_after;

static int count_down(void *context, const char *stage, uint64_t done, uint64_t total) {
    stop_after *s = context;
    static const char *const STAGES[] = {"numbers", "evaluate", "together"};
    if (s->stage < 2 && strcmp(stage, STAGES[s->stage]) != 0) {
        s->stage++;
        s->last = 0;
    }
    assert_string_equal(stage, STAGES[s->stage]);
    assert_true(done >= s->last && done <= total && total == (s->stage ? 10 : 60));
    s->last = done;
    return s->left-- == 0;
}

static void progress__can_stop_an_evaluation(void **state) {
    (void)state;
    static raw_base base;
    harness_random r = {harness_seed(20)};
    draw_base(&base, &r, 60, 2);
    hcbr_cases *cases = make_cases(&base, NULL, true);
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (uint64_t after = 0;; after++) {
            stop_after s = {.left = after};
            hcbr_evaluate_options o;
            plain_options(&o);
            o.threads = threads;
            o.progress = count_down;
            o.progress_context = &s;
            hcbr_evaluation *e = NULL;
            hcbr_error err = {0};
            hcbr_status st = hcbr_evaluate(&e, cases, &o, &err);
            bool stopped = s.left == UINT64_MAX;
            assert_int_equal(st, stopped ? HCBR_ECANCELLED : HCBR_OK);
            assert_true((e == NULL) == stopped);
            hcbr_evaluation_free(e);
            if (!stopped)
                break;
        }
    hcbr_cases_free(cases);
}

typedef struct fault_context {
    raw_base base;
    hcbr_cases *cases;
    hcbr_evaluation *e;
    hcbr_i_heldout heldout;
    hcbr_evaluate_options o;
    hcbr_train_options train;
    hcbr_rule rule;
    hcbr_threshold threshold;
} fault_context;

static hcbr_status evaluate_run(void *context, hcbr_error *err) {
    fault_context *c = context;
    c->e = (hcbr_evaluation *)context; /* anything but NULL */
    return hcbr_evaluate(&c->e, c->cases, &c->o, err);
}

static void evaluate_failed(void *context) {
    assert_null(((fault_context *)context)->e);
}

static void evaluate_done(void *context) {
    fault_context *c = context;
    assert_int_equal(hcbr_evaluation_answer_count(c->e), c->base.count);
    hcbr_evaluation_free(c->e);
}

static hcbr_status heldout_run(void *context, hcbr_error *err) {
    fault_context *c = context;
    hcbr_i_heldout_options o = {.folds = 2,
                                .engine = hcbr_i_engine_of(HCBR_MODEL_PLAIN),
                                .part = {.passes = 1},
                                .threads = 1};
    return hcbr_i_heldout_make(&c->heldout, c->cases, &o, err);
}

static void heldout_failed(void *context) {
    assert_null(((fault_context *)context)->heldout.support);
}

static void heldout_done(void *context) {
    hcbr_i_heldout_clear(&((fault_context *)context)->heldout);
}

static void faults__are_reported_by_evaluate(void **state) {
    (void)state;
    static fault_context c;
    harness_random r = {harness_seed(21)};
    for (int labels = 2; labels <= 3; labels++) {
        draw_base(&c.base, &r, 14, labels);
        c.base.ids = true;
        c.base.labels = WORDS;
        c.base.label[0] = 0;
        c.cases = make_cases(&c.base, NULL, true);
        uint64_t group[14];
        for (uint32_t i = 0; i < 14; i++)
            group[i] = i / 2;
        c.threshold = (hcbr_threshold){WORDS[0], 0.01, 0, NULL};
        hcbr_train_options_init(&c.train);
        c.train.model = HCBR_MODEL_PLAIN;
        hcbr_rule_init(&c.rule);
        c.train.rule = &c.rule;
        c.rule.thresholds = &c.threshold;
        c.rule.threshold_count = 1;
        c.rule.memory = 1;
        hcbr_evaluate_options_init(&c.o);
        c.o.folds = 2;
        c.o.keep_answers = 1;
        c.o.train = &c.train;
        /* giving memory back may fail unnoticed */
        const fault_action a = {NULL, evaluate_run, evaluate_failed, evaluate_done, 40};
        fault_each(&a, &c, HCBR_I_FAULT_ALLOC, 60);
        const fault_action b = {NULL, heldout_run, heldout_failed, heldout_done, 40};
        fault_each(&b, &c, HCBR_I_FAULT_ALLOC, 30);
        c.cases->group = hcbr_i_alloc(14, sizeof *group);
        memcpy(c.cases->group, group, sizeof group);
        c.o.by_group = 1;
        fault_each(&a, &c, HCBR_I_FAULT_ALLOC, 60);
        fault_each(&b, &c, HCBR_I_FAULT_ALLOC, 30);
        hcbr_cases_free(c.cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subset__gives_the_bytes_of_a_model_of_its_rows),
        cmocka_unit_test(answers__come_from_models_of_the_other_folds),
        cmocka_unit_test(heldout__supports_come_from_models_of_the_other_folds),
        cmocka_unit_test(threads__change_no_figure),
        cmocka_unit_test(figures__are_what_their_definition_says),
        cmocka_unit_test(noise__scores_like_chance),
        cmocka_unit_test(copies__are_seen_for_what_they_are),
        cmocka_unit_test(edges__have_figures_or_none),
        cmocka_unit_test(rule__is_held_against_all_labels_once),
        cmocka_unit_test(test_start__trains_on_all_before_it),
        cmocka_unit_test(progress__can_stop_an_evaluation),
        cmocka_unit_test(faults__are_reported_by_evaluate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
