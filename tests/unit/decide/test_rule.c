/*
 * Rule R2 and its fall-backs (METHOD 3), on models whose supports are simple numbers.
 */
#include "decide_support.h"

static void expect(hcbr_decision x, hcbr_label label, hcbr_label winner, hcbr_reason reason) {
    assert_int_equal(x.label, label);
    assert_int_equal(x.winner, winner);
    assert_int_equal(x.reason, reason);
}

#define UNKNOWN HCBR_LABEL_UNKNOWN

/* The support must be above eta, not at it. */
static void rule__asks_for_more_than_eta(void **state) {
    (void)state;
    static const struct {
        double eta;
        bool kept;
    } steps[] = {{0, true}, {0.5, true}, {0.7499, true}, {0.75, false}, {1, false}, {7, false}};
    hcbr_model *models[] = {model_of((double[]){0.25, 0.75}, 2),
                            model_of((double[]){0.25, 0.75, 0.5}, 3)};
    for (size_t m = 0; m < 2; m++) {
        for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
            hcbr_threshold t = {"B", steps[n].eta, 0, NULL};
            hcbr_decision x = decide_with(models[m], "a", t, NULL);
            if (steps[n].kept)
                expect(x, 1, 1, HCBR_BY_SUPPORT);
            else
                expect(x, UNKNOWN, 1, HCBR_BY_LEAST);
            t.label = "A"; /* a threshold of another label changes nothing */
            expect(decide_with(models[m], "a", t, NULL), 1, 1, HCBR_BY_SUPPORT);
        }
        hcbr_model_free(models[m]);
    }
}

/* An unseen feature halves the support, and the threshold sees it. */
static void rule__looks_at_the_support_with_unseen_features(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0.25, 0.75}, 2);
    hcbr_threshold t = {"B", 0.5, 0, NULL};
    expect(decide_with(model, "a", t, NULL), 1, 1, HCBR_BY_SUPPORT);
    expect(decide_with(model, "az", t, NULL), UNKNOWN, 1, HCBR_BY_LEAST);
    hcbr_model_free(model);
}

/* (1 - share) * 3/4 > share * 1/4 iff share < 3/4. */
static void rule__asks_for_more_than_the_share(void **state) {
    (void)state;
    static const struct {
        double share;
        bool kept;
    } steps[] = {{0, true},     {0.5, true},  {0.749, true},
                 {0.75, false}, {0.9, false}, {0.999, false}};
    hcbr_model *models[] = {model_of((double[]){0.25, 0.75}, 2),
                            model_of((double[]){0.125, 0.75, 0.25}, 3)};
    for (size_t m = 0; m < 2; m++) {
        for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
            hcbr_threshold t = {"B", 0, steps[n].share, NULL};
            hcbr_decision x = decide_with(models[m], "a", t, NULL);
            if (steps[n].kept)
                expect(x, 1, 1, HCBR_BY_SUPPORT);
            else
                expect(x, UNKNOWN, 1, HCBR_BY_SHARE);
        }
        hcbr_model_free(models[m]);
    }
}

static void rule__looks_at_eta_first(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0.25, 0.75}, 2);
    expect(decide_with(model, "a", (hcbr_threshold){"B", 0.8, 0.8, NULL}, NULL), UNKNOWN, 1,
           HCBR_BY_LEAST);
    hcbr_model_free(model);
}

/* eta 0 asks nothing: with all eta 0 the rule is R1, whatever the sign of the support. */
static void rule__of_zero_asks_nothing(void **state) {
    (void)state;
    hcbr_model *models[] = {model_of((double[]){-0.5, -0.25}, 2),
                            model_of((double[]){-0.5, -0.25, -1}, 3)};
    for (size_t m = 0; m < 2; m++) {
        hcbr_threshold t = {"B", 0, 0, "A"};
        expect(decide_with(models[m], "a", t, NULL), 1, 1, HCBR_BY_SUPPORT);
        t.eta_share = 0.25;
        expect(decide_with(models[m], "a", t, NULL), 1, 1, HCBR_BY_SUPPORT);
        t.eta = 0x1p-1000; /* more than 0 is asked now */
        expect(decide_with(models[m], "a", t, NULL), 0, 1, HCBR_BY_LEAST);
        hcbr_model_free(models[m]);
    }
}

/* A share below one half has no effect, even where both supports are 0. */
static void rule__of_a_share_below_one_half_has_no_effect(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0, 0}, 2), *tie = model_of((double[]){0.5, 0.5}, 2);
    hcbr_threshold t = {"A", 0, 0.4999, "B"};
    expect(decide_with(model, "a", t, NULL), 0, 0, HCBR_BY_SUPPORT);
    expect(decide_with(tie, "a", t, NULL), 0, 0, HCBR_BY_SUPPORT);
    t.eta_share = 0.5; /* one half asks for more than the other has */
    expect(decide_with(model, "a", t, NULL), 1, 0, HCBR_BY_SHARE);
    expect(decide_with(tie, "a", t, NULL), 1, 0, HCBR_BY_SHARE);
    hcbr_model_free(model);
    hcbr_model_free(tie);
}

/* A negative other always passes. */
static void rule__of_a_share_passes_negative_others(void **state) {
    (void)state;
    hcbr_model *models[] = {model_of((double[]){-0.125, 0.25}, 2),
                            model_of((double[]){-0.5, 0.25, -0.125}, 3),
                            model_of((double[]){-0.5, -0.25, -0.5}, 3)};
    for (size_t m = 0; m < 3; m++) {
        expect(decide_with(models[m], "a", (hcbr_threshold){"B", 0, 0.99, NULL}, NULL), 1, 1,
               HCBR_BY_SUPPORT);
        hcbr_model_free(models[m]);
    }
    /* only here is the product of both sides no help: two that tie, one half of each */
    hcbr_model *tie = model_of((double[]){-0.25, -0.25, -0.5}, 3);
    expect(decide_with(tie, "a", (hcbr_threshold){"A", 0, 0.5, NULL}, NULL), 0, 0, HCBR_BY_SUPPORT);
    hcbr_model_free(tie);
}

/* The other label is one that could have won: C has only an empty case. */
static void rule__of_a_share_ignores_labels_without_strength(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){-0.5, -0.25, NAN}, 3);
    hcbr_decision x = decide_with(model, "a", (hcbr_threshold){"B", 0, 0.99, NULL}, NULL);
    expect(x, 1, 1, HCBR_BY_SUPPORT);
    hcbr_model_free(model);
    static const char *const one[] = {"Aa"};
    model = make_model(one, 1); /* no other label at all */
    expect(decide_with(model, "a", (hcbr_threshold){"A", 0, 0.99, NULL}, NULL), 0, 0,
           HCBR_BY_SUPPORT);
    hcbr_model_free(model);
}

/* ---- fall-backs -------------------------------------------------------------------------------
 */

static void fallback__is_that_of_the_label_else_of_the_rule(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0.75, 0.25, 0.5}, 3); /* A wins, B is most frequent */
    static const struct {
        const char *own, *rule;
        hcbr_label label;
    } steps[] = {{NULL, NULL, UNKNOWN}, {"unknown", NULL, UNKNOWN},
                 {"prior", NULL, 1},    {"C", NULL, 2},
                 {"A", NULL, 0},        {NULL, "C", 2},
                 {NULL, "prior", 1},    {NULL, "unknown", UNKNOWN},
                 {"C", "prior", 2},     {"unknown", "C", UNKNOWN}};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        hcbr_threshold t = {"A", 0.9, 0, steps[n].own};
        expect(decide_with(model, "a", t, steps[n].rule), steps[n].label, 0, HCBR_BY_LEAST);
    }
    hcbr_model_free(model);
}

/* The fall-back of a label is that of the winner, not of the best other. */
static void fallback__is_that_of_the_winner(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0.5, 0.25, 0.75}, 3);
    hcbr_threshold both[] = {{"C", 0.9, 0, "B"}, {"A", 0.9, 0, "C"}};
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.thresholds = both;
    rule.threshold_count = 2;
    hcbr_decider *decider = make_decider(model, &rule);
    expect(decide(decider, "a"), 1, 2, HCBR_BY_LEAST); /* and B's own threshold is not asked */
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

/* Of a case of which nothing is known only `prior` says something. */
static void fallback__answers_nothing_known_only_as_prior(void **state) {
    (void)state;
    hcbr_model *models[] = {model_of((double[]){0.75, 0.25}, 2),
                            model_of((double[]){0.75, 0.25, 0.5}, 3)};
    static const struct {
        const char *letters;
        hcbr_reason reason;
    } cases[] = {{"", HCBR_EMPTY_CASE}, {"z", HCBR_NOTHING_KNOWN}, {"zyz", HCBR_NOTHING_KNOWN}};
    for (size_t m = 0; m < 2; m++) {
        for (size_t n = 0; n < 3; n++) {
            const hcbr_threshold none = {0}, own = {"A", 1, 0, "prior"};
            hcbr_reason reason = cases[n].reason;
            expect(decide_with(models[m], cases[n].letters, none, NULL), UNKNOWN, UNKNOWN, reason);
            expect(decide_with(models[m], cases[n].letters, none, "A"), UNKNOWN, UNKNOWN, reason);
            expect(decide_with(models[m], cases[n].letters, own, NULL), UNKNOWN, UNKNOWN, reason);
            expect(decide_with(models[m], cases[n].letters, none, "prior"), 1, UNKNOWN, reason);
        }
        hcbr_model_free(models[m]);
    }
}

static void rule__is_refused_if_it_makes_no_sense(void **state) {
    (void)state;
    hcbr_model *model = model_of((double[]){0.75, 0.25}, 2);
    static const hcbr_threshold bad[] = {{"C", 0, 0, NULL},   {"A", -0.5, 0, NULL},
                                         {"A", NAN, 0, NULL}, {"A", 0, 1, NULL},
                                         {"A", 0, -1, NULL},  {"A", 0, 0, "nobody"}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        hcbr_rule rule;
        hcbr_error err = {.message = ""};
        hcbr_decider *decider = (hcbr_decider *)model;
        hcbr_rule_init(&rule);
        rule.thresholds = &bad[n];
        rule.threshold_count = 1;
        assert_int_equal(hcbr_decider_create(&decider, model, &rule, &err), HCBR_EUSAGE);
        assert_null(decider);
        assert_true(err.message[0] != '\0');
    }
    hcbr_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule__asks_for_more_than_eta),
        cmocka_unit_test(rule__looks_at_the_support_with_unseen_features),
        cmocka_unit_test(rule__asks_for_more_than_the_share),
        cmocka_unit_test(rule__looks_at_eta_first),
        cmocka_unit_test(rule__of_zero_asks_nothing),
        cmocka_unit_test(rule__of_a_share_below_one_half_has_no_effect),
        cmocka_unit_test(rule__of_a_share_passes_negative_others),
        cmocka_unit_test(rule__of_a_share_ignores_labels_without_strength),
        cmocka_unit_test(fallback__is_that_of_the_label_else_of_the_rule),
        cmocka_unit_test(fallback__is_that_of_the_winner),
        cmocka_unit_test(fallback__answers_nothing_known_only_as_prior),
        cmocka_unit_test(rule__is_refused_if_it_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
