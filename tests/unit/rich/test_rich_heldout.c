/*
 * Honest probabilities of training cases are as good as the model is on other cases: they say
 * nothing if labels are random, however often cases repeat, and what other cases say if they are
 * not.
 */
#include "add_case.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 1200 };
static const uint64_t SEED = 20261118;

/* Cases with one value of `values`, a word or a number; label by draw. */
static hcbr_cases *noise(uint32_t values, bool number, uint64_t *random) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        char text[16];
        int n = snprintf(text, sizeof text, "%s%u", number ? "" : "v",
                         (unsigned)(rich_draw(random) % values));
        hcbr_feature f = {"x", 1, text, (size_t)n};
        const char *label = rich_draw(random) % 2 ? "a" : "b";
        assert_int_equal(add_one_case(cases, &f, 1, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* Share of the cases whose honest probability is largest for their own label. */
static double heldout_accuracy(const hcbr_cases *cases, uint32_t family, uint32_t *none) {
    hcbr_i_rich_options o = {.seed = 1, .threads = 1};
    hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        o.tuning.family[f] = family == HCBR_I_RICH_FAMILIES || f == family;
    uint32_t labels = cases->labels.count;
    double right = 0, all = 0, lone = 0;
    hcbr_i_rich_heldout heldout = {0};
    hcbr_i_rich_view view = {.cases = cases};
    hcbr_i_rich *rich;
    o.heldout = &heldout;
    assert_int_equal(hcbr_i_rich_train(&rich, &view, &o, NULL), HCBR_OK);
    for (uint32_t i = 0; i < heldout.count; i++) {
        const double *p = heldout.probability + (size_t)i * labels;
        uint32_t best = 0;
        double sum = 0;
        assert_true(heldout.weight[i] > 0 && heldout.label[i] < labels && !heldout.empty[i]);
        all += heldout.weight[i];
        if (heldout.fold[i] == HCBR_I_NONE) {
            lone += heldout.weight[i];
            continue;
        }
        assert_true(heldout.fold[i] < HCBR_I_RICH_FOLDS);
        for (uint32_t l = 0; l < labels; l++) {
            best = p[l] > p[best] ? l : best;
            sum += p[l];
        }
        assert_true(fabs(sum - 1) < 1e-9);
        right += best == heldout.label[i] ? heldout.weight[i] : 0;
    }
    assert_true(all == cases->case_count); // each case once
    *none = (uint32_t)lone;
    hcbr_i_rich_heldout_clear(&heldout);
    hcbr_i_rich_free(rich);
    return right / (all - lone);
}

static void heldout__finds_nothing_in_noise_however_cases_repeat(void **state) {
    (void)state;
    static const uint32_t VALUES[] = {15, 60, 240, 900, 100000};
    uint64_t random = SEED;
    print_message("seed %llu\n", (unsigned long long)random);
    for (size_t v = 0; v < sizeof VALUES / sizeof *VALUES; v++)
        for (int number = 0; number <= 1; number++) {
            hcbr_cases *cases = noise(VALUES[v], number, &random);
            for (uint32_t family = 0; family <= HCBR_I_RICH_FAMILIES; family++) {
                uint32_t none;
                double found = heldout_accuracy(cases, family, &none);
                if (found > 0.56) // four standard errors
                    fail_msg("%u %s, family %u: %.3f of noise is told apart", VALUES[v],
                             number ? "numbers" : "words", family, found);
            }
            hcbr_cases_free(cases);
        }
}

/* Cases of numbers and words, half of them with each label, dealt at random. */
static hcbr_cases *dealt(uint32_t count, uint64_t *random) {
    hcbr_cases *cases;
    uint32_t left[2] = {count / 2, count - count / 2};
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < count; i++) {
        static const char *const KEY[] = {"a", "b", "c", "d", "e"};
        char text[5][16];
        hcbr_feature f[5];
        for (uint32_t k = 0; k < 5; k++) {
            uint64_t draw = rich_draw(random);
            int n = k < 3 ? snprintf(text[k], 16, "%u.%u", (unsigned)(draw % 4),
                                     (unsigned)(draw / 4 % 1000))
                          : snprintf(text[k], 16, "v%u", (unsigned)(draw % (3 * (k - 2))));
            f[k] = (hcbr_feature){KEY[k], 1, text[k], (size_t)n};
        }
        uint32_t label = rich_draw(random) % (left[0] + left[1]) >= left[0];
        left[label]--;
        assert_int_equal(add_one_case(cases, f, 5, label ? "b" : "a", NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* What tells when to stop, and whom to trust, must not be what is judged. */
static void heldout__says_chance_where_labels_are_random(void **state) {
    (void)state;
    static const uint32_t COUNTS[] = {30, 300};
    enum { TABLES = 60 };
    uint64_t random = SEED;
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        double sum = 0, squares = 0;
        for (uint32_t t = 0; t < TABLES; t++) {
            uint32_t none;
            hcbr_cases *cases = dealt(COUNTS[c], &random);
            double share = heldout_accuracy(cases, HCBR_I_RICH_FAMILIES, &none);
            sum += share / TABLES;
            squares += share * share / TABLES;
            hcbr_cases_free(cases);
        }
        double error = sqrt((squares - sum * sum) / TABLES);
        print_message("%u cases: %.4f, standard error %.4f\n", COUNTS[c], sum, error);
        assert_true(sum < 0.5 + 2 * error);
    }
}

/* Trained on one half, the other half is decided as well as honest probabilities say. */
static void heldout__is_what_other_cases_get(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 4; labels++) {
        uint64_t random = SEED + labels;
        static rich_case drawn[2 * CASES];
        uint32_t right = 0, none;
        hcbr_decider *d;
        rich_cases_draw(drawn, 2 * CASES, labels, &random);
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
        assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
        for (uint32_t i = CASES; i < 2 * CASES; i++) {
            char text[8][16];
            hcbr_feature features[8];
            hcbr_decision x = {.size = sizeof x};
            size_t n = rich_case_features(&drawn[i], features, text);
            assert_int_equal(hcbr_decider_decide(d, row_by(d, features, n), &x, NULL), HCBR_OK);
            right += x.label == (hcbr_label)drawn[i].label;
        }
        double honest = heldout_accuracy(cases, HCBR_I_RICH_FAMILIES, &none);
        assert_int_equal(none, 0);
        assert_true(fabs(honest - (double)right / CASES) < 0.04);
        hcbr_decider_free(d);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

static void heldout__is_nothing_for_a_label_of_one_case(void **state) {
    (void)state;
    rich_case drawn[9];
    uint32_t none;
    for (uint32_t i = 0; i < 9; i++)
        drawn[i] = (rich_case){.x = i, .colour = i % 3, .label = i == 8 ? 2 : i % 2};
    hcbr_cases *cases = rich_cases_make(drawn, 9, NULL, NULL);
    heldout_accuracy(cases, HCBR_I_RICH_FAMILIES, &none);
    assert_int_equal(none, 1);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heldout__finds_nothing_in_noise_however_cases_repeat),
        cmocka_unit_test(heldout__says_chance_where_labels_are_random),
        cmocka_unit_test(heldout__is_what_other_cases_get),
        cmocka_unit_test(heldout__is_nothing_for_a_label_of_one_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
