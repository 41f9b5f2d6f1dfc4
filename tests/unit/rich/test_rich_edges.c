/*
 * Rich models at the edges: cases that repeat, contradict each other or have no feature, one label
 * and many, odd spellings of numbers; without memory; and with an incomplete file.
 */
#include "add_case.h"
#include "engines.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t SEED = 20261119;

typedef struct table {
    hcbr_cases *cases;
} table;

static table table_begin(void) {
    table t;
    assert_int_equal(hcbr_cases_create(&t.cases, 0, NULL), HCBR_OK);
    return t;
}

/* A case with up to two values of the keys a and b; NULL: missing. */
static void table_add(table *t, const char *a, const char *b, const char *label) {
    hcbr_feature f[2];
    size_t n = 0;
    if (a)
        f[n++] = (hcbr_feature){"a", 1, a, strlen(a)};
    if (b)
        f[n++] = (hcbr_feature){"b", 1, b, strlen(b)};
    assert_int_equal(add_one_case(t->cases, f, n, label, NULL, NULL), HCBR_OK);
}

/* A model of the cases, which comes back from its bytes. */
static hcbr_model *table_train(table *t, hcbr_effort effort) {
    assert_int_equal(hcbr_cases_finish(t->cases, NULL), HCBR_OK);
    hcbr_model *model = rich_model_train(t->cases, effort, 1, NULL);
    hcbr_model *loaded = rich_model_reload(model);
    hcbr_model_free(model);
    hcbr_cases_free(t->cases);
    return loaded;
}

static hcbr_decision ask(hcbr_decider *d, const char *a, const char *b) {
    hcbr_feature f[2];
    hcbr_decision x = {.size = sizeof x};
    size_t n = 0;
    if (a)
        f[n++] = (hcbr_feature){"a", 1, a, strlen(a)};
    if (b)
        f[n++] = (hcbr_feature){"b", 1, b, strlen(b)};
    assert_int_equal(hcbr_decider_decide(d, row_by(d, f, n), &x, NULL), HCBR_OK);
    for (size_t l = 0; l < x.label_count; l++)
        assert_true(isfinite(x.support[l]) && x.probability[l] >= 0 && x.probability[l] <= 1);
    return x;
}

static hcbr_decider *decider_of(const hcbr_model *model) {
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    return d;
}

static void edges__identical_cases_give_the_shares_of_their_labels(void **state) {
    (void)state;
    table t = table_begin();
    for (uint32_t i = 0; i < 200; i++)
        table_add(&t, "same", "7", i % 4 ? "often" : "seldom");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    assert_int_equal(hcbr_i_model_rich(model)->rows, 2);
    assert_true(fabs(ask(d, "same", "7").probability[0] - 0.75) < 0.03);
    assert_int_equal(ask(d, "other", "8").label_count, 2);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

static void edges__one_label_is_always_given(void **state) {
    (void)state;
    table t = table_begin();
    for (uint32_t i = 0; i < 20; i++)
        table_add(&t, i % 2 ? "x" : "y", i % 3 ? "1" : NULL, "only");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    hcbr_decision x = ask(d, "x", "1");
    assert_int_equal(x.label, 0);
    assert_true(x.probability[0] == 1);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

static void edges__rows_without_a_value_are_empty_cases(void **state) {
    (void)state;
    table t = table_begin();
    for (uint32_t i = 0; i < 60; i++)
        table_add(&t, i % 3 ? (i % 2 ? "x" : "y") : NULL, NULL, i % 2 ? "p" : "q");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    assert_int_equal(ask(d, NULL, NULL).reason, HCBR_EMPTY_CASE);
    assert_int_equal(ask(d, "x", NULL).label, 0);
    assert_int_equal(ask(d, "y", NULL).label, 1);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    t = table_begin(); // none at all
    for (uint32_t i = 0; i < 10; i++)
        table_add(&t, NULL, NULL, i % 2 ? "p" : "q");
    hcbr_model_free(table_train(&t, HCBR_EFFORT_NORMAL));
}

/* A label that only empty cases have can be the second, and even the first. */
static void edges__the_lead_is_over_the_best_of_all_other_labels(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        table t = table_begin();
        uint32_t second = 0;
        for (uint32_t i = 0; i < 120; i++)
            table_add(&t, i % 2 ? NULL : (i % 4 ? "x" : "y"), NULL,
                      i % 2                  ? "empty"
                      : labels == 3 && i % 4 ? "p"
                                             : "q");
        hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
        hcbr_decider *d = decider_of(model);
        for (uint32_t n = 0; n < 2; n++) {
            hcbr_decision x = ask(d, n ? "x" : "y", NULL);
            double best = -INFINITY;
            assert_int_equal(x.label_count, labels);
            assert_true(x.winner >= 0);
            for (uint32_t l = 0; l < labels; l++)
                if ((hcbr_label)l != x.winner && x.support[l] > best)
                    best = x.support[l];
            second += best == x.support[0]; // "empty" is the first by name
            assert_true(x.lead == x.support[x.winner] - best);
        }
        assert_true(second > 0);
        hcbr_decider_free(d);
        hcbr_model_free(model);
    }
}

static void edges__any_number_of_labels_is_told_apart(void **state) {
    (void)state;
    for (uint32_t labels = 1; labels <= 256; labels *= 2) {
        table t = table_begin();
        char value[16], label[16];
        for (uint32_t i = 0; i < 12 * labels; i++) {
            snprintf(value, sizeof value, "v%u", (unsigned)(i % labels));
            snprintf(label, sizeof label, "l%03u", (unsigned)(i % labels));
            table_add(&t, value, NULL, label);
        }
        hcbr_model *model = table_train(&t, labels > 64 ? HCBR_EFFORT_LITE : HCBR_EFFORT_NORMAL);
        hcbr_decider *d = decider_of(model);
        for (uint32_t l = 0; l < labels; l++) {
            snprintf(value, sizeof value, "v%u", (unsigned)l);
            assert_int_equal(ask(d, value, NULL).label, (hcbr_label)l);
        }
        hcbr_decider_free(d);
        hcbr_model_free(model);
    }
}

static void edges__numbers_may_be_as_large_as_doubles_are(void **state) {
    (void)state;
    static const char *const LOW[] = {"-1e308", "-1.7976931348623157e308", "-4.9e-324", "-1"};
    static const char *const HIGH[] = {"1e308", "1.7976931348623157e308", "4.9e-324", "1e-310"};
    table t = table_begin();
    for (uint32_t i = 0; i < 80; i++)
        table_add(&t, i % 2 ? HIGH[i / 2 % 4] : LOW[i / 2 % 4], "1", i % 2 ? "high" : "low");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    hcbr_column column = {.size = sizeof column};
    hcbr_model_get_column(model, 0, &column);
    assert_int_equal(column.kind, HCBR_COLUMN_NUMBER);
    assert_int_equal(ask(d, "1.5e308", "1").label, 0);
    assert_int_equal(ask(d, "-1.5e308", "1").label, 1);
    // what is no finite number is a value that was never seen
    static const char *const NONE[] = {"inf", "-inf", "nan", "1e400", "0x10", "", "1,5"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        assert_int_equal(ask(d, NONE[i], "1").unseen_count, 1);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

static void edges__values_that_are_no_finite_numbers_make_a_category(void **state) {
    (void)state;
    static const char *const VALUES[] = {"1", "2", "inf", "nan", "4"};
    table t = table_begin();
    for (uint32_t i = 0; i < 100; i++)
        table_add(&t, VALUES[i % 5], NULL, i % 5 == 2 ? "odd" : "plain");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    hcbr_column column = {.size = sizeof column};
    hcbr_model_get_column(model, 0, &column);
    assert_int_equal(column.kind, HCBR_COLUMN_CATEGORY);
    assert_int_equal(ask(d, "inf", NULL).label, 0);
    assert_int_equal(ask(d, "nan", NULL).label, 1);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* 92 % zeros; above them the label depends on a bound far out in the tail. */
static void edges__the_tail_of_a_skewed_column_is_cut(void **state) {
    (void)state;
    uint64_t random = SEED;
    table t = table_begin();
    char text[32];
    for (uint32_t i = 0; i < 3000; i++) {
        double u = (double)(rich_draw(&random) >> 11) * 0x1p-53;
        double x = i % 25 < 23 ? 0 : exp(12 * u); // 1 to 160,000
        snprintf(text, sizeof text, "%.6g", x);
        table_add(&t, text, NULL, x > 20000 ? "rich" : "poor");
    }
    hcbr_model *model = table_train(&t, HCBR_EFFORT_NORMAL);
    hcbr_decider *d = decider_of(model);
    assert_int_equal(ask(d, "0", NULL).label, 0);
    assert_int_equal(ask(d, "1", NULL).label, 0);
    assert_int_equal(ask(d, "10000", NULL).label, 0);
    assert_int_equal(ask(d, "40000", NULL).label, 1);
    assert_int_equal(ask(d, "1e9", NULL).label, 1);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* ---- without memory -------------------------------------------------------------------------- */

static hcbr_model *small_model(uint32_t labels, rich_case *drawn, uint32_t count) {
    uint64_t random = SEED;
    rich_cases_draw(drawn, count, labels, &random);
    hcbr_cases *cases = rich_cases_make(drawn, count, NULL, NULL);
    double weight[64];
    for (uint32_t i = 0; i < count; i++)
        weight[i] = 1 + i % 3;
    hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, weight);
    hcbr_cases_free(cases);
    return model;
}

static void edges__loading_and_deciding_fail_cleanly_without_memory(void **state) {
    (void)state;
    rich_case drawn[30];
    void *bytes;
    size_t size;
    hcbr_model *model = small_model(3, drawn, 30);
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    hcbr_status st = HCBR_ENOMEM;
    uint64_t n = 0;
    while (st != HCBR_OK) {
        hcbr_model *loaded = NULL;
        hcbr_decider *d = NULL;
        hcbr_decision x = {.size = sizeof x};
        hcbr_row *row = NULL;
        char text[8][16];
        hcbr_feature features[8];
        size_t count = rich_case_features(&drawn[n % 30], features, text);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, ++n, false);
        st = hcbr_model_parse(&loaded, bytes, size, NULL);
        if (st == HCBR_OK)
            st = hcbr_decider_create(&d, loaded, NULL, NULL);
        if (st == HCBR_OK)
            st = hcbr_row_create(&row, d, features, count, NULL);
        if (st == HCBR_OK)
            st = hcbr_decider_decide(d, row, &x, NULL);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(st == HCBR_OK || st == HCBR_ENOMEM);
        hcbr_row_free(row);
        hcbr_decider_free(d);
        hcbr_model_free(loaded);
    }
    assert_true(n > 20);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
}

static void edges__tuning_fails_cleanly_without_memory(void **state) {
    (void)state;
    uint64_t random = SEED;
    rich_case drawn[20];
    rich_cases_draw(drawn, 20, 2, &random);
    hcbr_cases *cases = rich_cases_make(drawn, 20, NULL, NULL);
    hcbr_tune_options tune;
    hcbr_train_options o;
    hcbr_tune_options_init(&tune);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = HCBR_EFFORT_LITE;
    o.tune = &tune;
    tune.goal = HCBR_GOAL_MCC;
    assert_train_without_memory(cases, &o);
    hcbr_cases_free(cases);
}

/* ---- an incomplete file ---------------------------------------------------------------------- */

static void edges__every_changed_bit_and_every_cut_is_noticed(void **state) {
    (void)state;
    table t = table_begin();
    for (uint32_t i = 0; i < 6; i++)
        table_add(&t, i % 2 ? "x" : "y", NULL, i % 2 ? "p" : "q");
    hcbr_model *model = table_train(&t, HCBR_EFFORT_LITE), *loaded;
    unsigned char *bytes;
    void *made;
    size_t size;
    assert_int_equal(hcbr_model_serialize(model, &made, &size, NULL), HCBR_OK);
    bytes = made;
    print_message("%zu bytes\n", size);
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] ^= (unsigned char)(1u << bit);
            assert_int_equal(hcbr_model_parse(&loaded, bytes, size, NULL), HCBR_EFORMAT);
            assert_null(loaded);
            bytes[at] ^= (unsigned char)(1u << bit);
        }
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(hcbr_model_parse(&loaded, bytes, cut, NULL), HCBR_EFORMAT);
    assert_int_equal(hcbr_model_parse(&loaded, bytes, size, NULL), HCBR_OK);
    hcbr_model_free(loaded);
    hcbr_bytes_free(made);
    hcbr_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges__identical_cases_give_the_shares_of_their_labels),
        cmocka_unit_test(edges__one_label_is_always_given),
        cmocka_unit_test(edges__rows_without_a_value_are_empty_cases),
        cmocka_unit_test(edges__the_lead_is_over_the_best_of_all_other_labels),
        cmocka_unit_test(edges__any_number_of_labels_is_told_apart),
        cmocka_unit_test(edges__numbers_may_be_as_large_as_doubles_are),
        cmocka_unit_test(edges__values_that_are_no_finite_numbers_make_a_category),
        cmocka_unit_test(edges__the_tail_of_a_skewed_column_is_cut),
        cmocka_unit_test(edges__loading_and_deciding_fail_cleanly_without_memory),
        cmocka_unit_test(edges__tuning_fails_cleanly_without_memory),
        cmocka_unit_test(edges__every_changed_bit_and_every_cut_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
