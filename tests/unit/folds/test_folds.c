/*
 * Folds: shares of labels and sizes, groups that stay together, the past before the future, folds
 * that are given, and files of them.
 */
#include "add_case.h"
#include "folds/folds.h"
#include "property/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 300

/* A finished case base of which only labels and groups matter. */
static hcbr_cases *cases_of(int count, const int *label, const int *group) {
    hcbr_cases *cases;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "l%03d", label[i]);
        hcbr_feature f = {"a", 1, NULL, 0};
        harness_ok(add_one_case(cases, &f, 1, name, NULL, &err), &err);
    }
    if (group) {
        cases->group = hcbr_i_alloc((size_t)count, sizeof *cases->group);
        for (int i = 0; i < count; i++)
            cases->group[i] = (uint64_t)(group[i] + 1);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

static void draw(harness_random *r, int count, int labels, int groups, int *label, int *group) {
    for (int i = 0; i < count; i++) {
        label[i] = harness_below(r, labels);
        group[i] = harness_below(r, groups) - 1;
    }
}

/* Every fold holds something out and leaves something; the parts do not overlap. */
static void expect_sound(const hcbr_i_folds *folds) {
    uint32_t train[MOST], test[MOST], trained, tested;
    for (uint32_t f = 0; f < folds->count; f++) {
        hcbr_i_folds_split(folds, f, train, &trained, test, &tested);
        assert_true(trained > 0 && tested > 0 && trained + tested <= folds->case_count);
        for (uint32_t k = 1; k < trained; k++)
            assert_true(train[k - 1] < train[k]);
        for (uint32_t k = 0; k < tested; k++)
            assert_int_equal(folds->of[test[k]], f);
        for (uint32_t k = 0; k < trained; k++)
            assert_int_not_equal(folds->of[train[k]], f);
        if (!folds->past_only)
            assert_int_equal(trained + tested, folds->case_count);
        else
            assert_true(train[trained - 1] < test[0]);
    }
}

static void folds__have_their_share_of_every_label(void **state) {
    (void)state;
    harness_random r = {harness_seed(1)};
    for (int round = 0; round < 300; round++) {
        int label[MOST], group[MOST], count = 2 + harness_below(&r, MOST - 2);
        uint32_t k = 2 + (uint32_t)harness_below(&r, count < 20 ? count - 1 : 19);
        draw(&r, count, 1 + harness_below(&r, 6), 1, label, group);
        hcbr_cases *cases = cases_of(count, label, NULL);
        hcbr_i_fold_options o = {.folds = k, .seed = harness_next(&r)};
        hcbr_i_folds folds, again;
        assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_folds_make(&again, cases, &o, NULL), HCBR_OK);
        assert_memory_equal(folds.of, again.of, (size_t)count * sizeof *folds.of);
        expect_sound(&folds);
        for (uint32_t l = 0; l <= cases->labels.count; l++) { /* the last one: all labels */
            uint32_t have[32] = {0}, all = 0;
            for (int i = 0; i < count; i++)
                if (l == cases->labels.count || cases->label[i] == l) {
                    have[folds.of[i]]++;
                    all++;
                }
            for (uint32_t f = 0; f < k; f++)
                assert_in_range(have[f], all / k, (all + k - 1) / k);
        }
        hcbr_i_folds_clear(&folds);
        hcbr_i_folds_clear(&again);
        hcbr_cases_free(cases);
    }
}

static void folds__differ_by_seed_and_repeat(void **state) {
    (void)state;
    int label[100];
    for (int i = 0; i < 100; i++)
        label[i] = i % 2;
    hcbr_cases *cases = cases_of(100, label, NULL);
    hcbr_i_folds folds[3];
    hcbr_i_fold_options o[3] = {
        {.folds = 5, .seed = 1}, {.folds = 5, .seed = 2}, {.folds = 5, .seed = 1, .repeat = 1}};
    for (int n = 0; n < 3; n++)
        assert_int_equal(hcbr_i_folds_make(&folds[n], cases, &o[n], NULL), HCBR_OK);
    assert_memory_not_equal(folds[0].of, folds[1].of, 100 * sizeof(uint32_t));
    assert_memory_not_equal(folds[0].of, folds[2].of, 100 * sizeof(uint32_t));
    for (int n = 0; n < 3; n++)
        hcbr_i_folds_clear(&folds[n]);
    hcbr_cases_free(cases);
}

/* Over many seeds a case is in each fold equally often: a deviation of 5 sigma is no chance. */
static void folds__are_drawn_evenly(void **state) {
    (void)state;
    enum { DRAWS = 4000, CASES = 13, FOLDS = 3 };
    int label[CASES], seen[CASES][FOLDS] = {{0}};
    for (int i = 0; i < CASES; i++)
        label[i] = i % 4 == 0;
    hcbr_cases *cases = cases_of(CASES, label, NULL);
    for (int seed = 0; seed < DRAWS; seed++) {
        hcbr_i_folds folds;
        hcbr_i_fold_options o = {.folds = FOLDS, .seed = (uint64_t)seed};
        assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
        for (int i = 0; i < CASES; i++)
            seen[i][folds.of[i]]++;
        hcbr_i_folds_clear(&folds);
    }
    /* fold f has its number of the 9 + 4 cases dealt in that order: within a label all are equal */
    for (int i = 0; i < CASES; i++)
        for (int f = 0; f < FOLDS; f++) {
            int share = label[i] ? (f == 0 ? 2 : 1) : 3, of = label[i] ? 4 : 9;
            double wanted = (double)DRAWS * share / of;
            assert_true(seen[i][f] > wanted - 5 * 32 && seen[i][f] < wanted + 5 * 32);
        }
    hcbr_cases_free(cases);
}

/* ---- equal cases ----------------------------------------------------------------------------- */

/* Rows of a table whose rows repeat: what they hold, their labels and weights. */
typedef struct repeating {
    int count, value[MOST], label[MOST];
    double weight[MOST];
} repeating;

static void draw_repeating(harness_random *r, repeating *t, int values, bool weighed) {
    t->count = 2 * values + harness_below(r, MOST / 3 - 2 * values);
    for (int i = 0; i < t->count; i++) {
        t->value[i] = i < values ? i : harness_below(r, values);
        t->label[i] = harness_below(r, 3);
        t->weight[i] = weighed ? harness_below(r, 4) : 1;
    }
}

/* Two features a row, one of them a number in one of its spellings. */
static hcbr_cases *cases_of_values(const repeating *t) {
    hcbr_cases *cases;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < t->count; i++) {
        char name[16], number[16], word[16];
        snprintf(name, sizeof name, "l%d", t->label[i]);
        snprintf(number, sizeof number, i % 2 ? "%d" : "%d.0", t->value[i] / 2);
        snprintf(word, sizeof word, "w%d", t->value[i] % 2);
        const hcbr_feature f[2] = {{"x", 1, number, strlen(number)}, {word, strlen(word), NULL, 0}};
        harness_ok(add_one_case(cases, f, 2, name, NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

/* The fold of each value; fails if rows of one value are in two. */
static void folds_of_values(const repeating *t, const hcbr_i_fold_options *o, uint32_t *of,
                            int values) {
    hcbr_cases *cases = cases_of_values(t);
    hcbr_i_folds folds;
    assert_int_equal(hcbr_i_folds_make(&folds, cases, o, NULL), HCBR_OK);
    bool seen[MOST] = {false};
    for (int i = 0; i < t->count; i++) {
        if (o->weight && o->weight[i] == 0)
            continue;
        if (seen[t->value[i]])
            assert_int_equal(of[t->value[i]], folds.of[i]);
        seen[t->value[i]] = true;
        of[t->value[i]] = folds.of[i];
    }
    for (int v = 0; v < values; v++)
        of[v] = seen[v] ? of[v] : HCBR_I_NONE - 1;
    if (!o->weight)
        expect_sound(&folds);
    hcbr_i_folds_clear(&folds);
    hcbr_cases_free(cases);
}

static void shuffle_rows(harness_random *r, repeating *t) {
    for (int i = t->count - 1; i > 0; i--) {
        int k = harness_below(r, i + 1), value = t->value[i], label = t->label[i];
        double weight = t->weight[i];
        t->value[i] = t->value[k], t->label[i] = t->label[k], t->weight[i] = t->weight[k];
        t->value[k] = value, t->label[k] = label, t->weight[k] = weight;
    }
}

static void equal_cases__stay_together_whatever_their_order(void **state) {
    (void)state;
    harness_random r = {harness_seed(21)};
    for (int round = 0; round < 200; round++) {
        repeating t;
        uint32_t of[MOST], again[MOST];
        int values = 2 + harness_below(&r, 30);
        hcbr_i_fold_options o = {.folds = 2 + (uint32_t)harness_below(&r, 9),
                                 .seed = harness_next(&r),
                                 .holdout = harness_below(&r, 3) ? 0 : 0.3,
                                 .together = true,
                                 .fewer = true};
        draw_repeating(&r, &t, values, false);
        folds_of_values(&t, &o, of, values);
        shuffle_rows(&r, &t);
        folds_of_values(&t, &o, again, values);
        assert_memory_equal(of, again, (size_t)values * sizeof *of);
    }
}

static void equal_cases__of_weight_n_fall_where_n_copies_do(void **state) {
    (void)state;
    harness_random r = {harness_seed(22)};
    for (int round = 0; round < 200; round++) {
        static repeating t, copies;
        uint32_t of[MOST], again[MOST];
        int values = 2 + harness_below(&r, 20);
        hcbr_i_fold_options o = {.folds = 2 + (uint32_t)harness_below(&r, 5),
                                 .seed = harness_next(&r),
                                 .holdout = harness_below(&r, 3) ? 0 : 0.3,
                                 .together = true,
                                 .fewer = true};
        draw_repeating(&r, &t, values, true);
        t.weight[0] = t.weight[1] = 1; // two different ones at least
        copies.count = 0;
        for (int i = 0; i < t.count; i++)
            for (int c = 0; c < (int)t.weight[i]; c++) {
                copies.value[copies.count] = t.value[i];
                copies.label[copies.count++] = t.label[i];
            }
        folds_of_values(&copies, &o, again, values);
        o.weight = t.weight;
        folds_of_values(&t, &o, of, values);
        assert_memory_equal(of, again, (size_t)values * sizeof *of);
    }
}

/* Where no case repeats each fold has nearly its share of a label: at least half of it. */
static void equal_cases__leave_labels_their_shares(void **state) {
    (void)state;
    harness_random r = {harness_seed(23)};
    for (int round = 0; round < 100; round++) {
        static repeating t;
        enum { FOLDS = 5 };
        uint32_t of[MOST], have[FOLDS][3] = {{0}}, all[3] = {0};
        t.count = MOST / 2;
        for (int i = 0; i < t.count; i++) {
            t.value[i] = i;
            t.label[i] = harness_below(&r, 6) / 2 * (i % 7 > 0);
        }
        hcbr_i_fold_options o = {.folds = FOLDS, .seed = harness_next(&r), .together = true};
        folds_of_values(&t, &o, of, t.count);
        for (int i = 0; i < t.count; i++) {
            have[of[i]][t.label[i]]++;
            all[t.label[i]]++;
        }
        for (int f = 0; f < FOLDS; f++)
            for (int l = 0; l < 3; l++)
                assert_true(2 * FOLDS * have[f][l] >= all[l]);
    }
}

static void equal_cases__alone_cannot_be_held_out(void **state) {
    (void)state;
    repeating t = {.count = 6, .label = {0, 1, 0, 1, 2, 2}};
    hcbr_cases *cases = cases_of_values(&t);
    hcbr_i_folds folds;
    hcbr_i_fold_options o = {.folds = 2, .seed = 1, .together = true};
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_EUSAGE);
    o.fewer = true;
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_EDATA);
    hcbr_cases_free(cases);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void groups__are_never_cut(void **state) {
    (void)state;
    harness_random r = {harness_seed(2)};
    for (int round = 0; round < 300; round++) {
        int label[MOST], group[MOST], count = 10 + harness_below(&r, MOST - 10);
        int groups = 2 + harness_below(&r, 40), seen = 0;
        bool there[64] = {false};
        draw(&r, count, 1 + harness_below(&r, 4), groups, label, group);
        for (int i = 0; i < count; i++) {
            seen += !there[group[i] + 1];
            there[group[i] + 1] = true;
        }
        hcbr_cases *cases = cases_of(count, label, group);
        hcbr_i_fold_options o = {.folds = 2 + (uint32_t)harness_below(&r, 10),
                                 .seed = harness_next(&r),
                                 .by_group = true,
                                 .holdout = round % 3 == 0 ? 0.2 : 0};
        hcbr_i_folds folds;
        hcbr_status st = hcbr_i_folds_make(&folds, cases, &o, NULL);
        bool possible = seen >= 2 && (o.holdout > 0 || (int)o.folds <= seen);
        assert_int_equal(st, possible ? HCBR_OK : HCBR_EUSAGE);
        if (st == HCBR_OK) {
            expect_sound(&folds);
            for (int i = 0; i < count; i++)
                for (int j = 0; j < i; j++)
                    if (group[i] == group[j])
                        assert_int_equal(folds.of[i], folds.of[j]);
        }
        hcbr_i_folds_clear(&folds);
        hcbr_cases_free(cases);
    }
}

/* Groups of one case each are as good as none: sizes and labels come out as even. */
static void groups__of_one_case_are_dealt_evenly(void **state) {
    (void)state;
    int label[200], group[200];
    uint32_t size[4] = {0}, first[4] = {0};
    for (int i = 0; i < 200; i++) {
        label[i] = i % 5 == 0;
        group[i] = i;
    }
    hcbr_cases *cases = cases_of(200, label, group);
    hcbr_i_folds folds;
    hcbr_i_fold_options o = {.folds = 4, .seed = 3, .by_group = true};
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
    for (int i = 0; i < 200; i++) {
        size[folds.of[i]]++;
        first[folds.of[i]] += label[i] == 1;
    }
    for (int f = 0; f < 4; f++) {
        assert_in_range(size[f], 47, 53);
        assert_in_range(first[f], 9, 11);
    }
    hcbr_i_folds_clear(&folds);
    hcbr_cases_free(cases);
}

static void order__trains_on_the_past_only(void **state) {
    (void)state;
    for (int count = 2; count < 60; count++)
        for (uint32_t k = 1; (int)k < count && k < 12; k++) {
            int label[64] = {0};
            hcbr_cases *cases = cases_of(count, label, NULL);
            hcbr_i_folds folds;
            hcbr_i_fold_options o = {.folds = k, .past_only = true};
            assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
            assert_int_equal(folds.count, k);
            assert_true(folds.past_only);
            expect_sound(&folds);
            hcbr_i_folds_clear(&folds);
            hcbr_cases_free(cases);
        }
}

static void holdout__takes_its_share_of_every_label(void **state) {
    (void)state;
    harness_random r = {harness_seed(3)};
    for (int round = 0; round < 300; round++) {
        int label[MOST], group[MOST], count = 2 + harness_below(&r, MOST - 2);
        draw(&r, count, 1 + harness_below(&r, 3), 1, label, group);
        double share = (1 + harness_below(&r, 98)) / 100.0;
        hcbr_cases *cases = cases_of(count, label, NULL);
        hcbr_i_fold_options o = {
            .holdout = share, .seed = harness_next(&r), .past_only = round % 4 == 0};
        hcbr_i_folds folds;
        assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
        assert_int_equal(folds.count, 1);
        expect_sound(&folds);
        int held = 0;
        for (int i = 0; i < count; i++)
            held += folds.of[i] == 0;
        int wanted = (int)(share * count + 0.5);
        assert_int_equal(held, wanted < 1 ? 1 : wanted > count - 1 ? count - 1 : wanted);
        for (uint32_t l = 0; l < cases->labels.count && !o.past_only; l++) {
            int have = 0, all = 0;
            for (int i = 0; i < count; i++)
                if (cases->label[i] == l) {
                    have += folds.of[i] == 0;
                    all++;
                }
            double part = (double)all * held / count;
            assert_true(have > part - 1.001 && have < part + 1.001);
        }
        hcbr_i_folds_clear(&folds);
        hcbr_cases_free(cases);
    }
}

static void given__numbers_are_folds_in_their_order(void **state) {
    (void)state;
    int label[5] = {0};
    hcbr_cases *cases = cases_of(5, label, NULL);
    uint64_t given[5] = {7, UINT64_MAX, 7, 0, UINT64_MAX}, one[5] = {3, 3, 3, 3, 3};
    uint32_t wanted[5] = {1, 2, 1, 0, 2};
    hcbr_i_folds folds;
    hcbr_i_fold_options o = {.folds = 10, .given = given, .given_count = 5};
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_OK);
    assert_int_equal(folds.count, 3);
    assert_memory_equal(folds.of, wanted, sizeof wanted);
    hcbr_i_folds_clear(&folds);
    o.given = one;
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_EUSAGE);
    o.given = given;
    o.given_count = 4;
    assert_int_equal(hcbr_i_folds_make(&folds, cases, &o, NULL), HCBR_EUSAGE);
    hcbr_cases_free(cases);
}

static void folds__that_cannot_be_are_refused(void **state) {
    (void)state;
    int label[5] = {0}, group[5] = {0};
    hcbr_cases *five = cases_of(5, label, NULL), *one = cases_of(1, label, NULL);
    hcbr_cases *grouped = cases_of(5, label, group);
    hcbr_i_folds folds;
    hcbr_error err;
    const hcbr_i_fold_options bad[] = {{.folds = 6},
                                       {.folds = 1},
                                       {.folds = 0},
                                       {.folds = 5, .past_only = true},
                                       {.holdout = 1},
                                       {.holdout = -0.5},
                                       {.folds = 2, .by_group = true},
                                       {.folds = 2, .past_only = true, .by_group = true},
                                       {.test_start = 5},
                                       {.test_start = 2, .holdout = 0.5}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        assert_int_equal(hcbr_i_folds_make(&folds, five, &bad[n], &err), HCBR_EUSAGE);
        assert_null(folds.of);
        assert_true(err.message[0] != 0);
    }
    hcbr_i_fold_options o = {.folds = 2};
    assert_int_equal(hcbr_i_folds_make(&folds, one, &o, &err), HCBR_EDATA);
    o.by_group = true;
    assert_int_equal(hcbr_i_folds_make(&folds, grouped, &o, &err), HCBR_EUSAGE);
    assert_string_equal(err.message, "found 1 group, expected at least 2");
    hcbr_cases_free(five);
    hcbr_cases_free(one);
    hcbr_cases_free(grouped);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void file__of_folds_is_read_whole_or_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t count; /* 0: refused */
        uint64_t line, column;
    } files[] = {{"0\n1\n2\n", 3, 0, 0},
                 {"0\r\n1\r\n2\r\n", 3, 0, 0},
                 {"0\n1\n2", 3, 0, 0},
                 {"\xEF\xBB\xBF"
                  "0\n1\n",
                  2, 0, 0},
                 {"18446744073709551615\n007\n", 2, 0, 0},
                 {"", 0, 0, 0},
                 {"\xEF\xBB\xBF", 0, 0, 0},
                 {"\n", 0, 1, 1},
                 {"1\n\n2\n", 0, 2, 1},
                 {"1\n2\n\n", 0, 3, 1},
                 {"fold\n1\n", 0, 1, 1},
                 {"1\n2 \n", 0, 2, 2},
                 {"1\n-1\n", 0, 2, 1},
                 {"1\n+1\n", 0, 2, 1},
                 {"1.0\n", 0, 1, 2},
                 {"1\n1\r", 0, 2, 2},
                 {"18446744073709551616\n", 0, 1, 1}};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        uint64_t *folds = NULL;
        size_t count = 9;
        hcbr_error err = {0};
        hcbr_status st =
            hcbr_i_folds_parse(&folds, &count, files[n].text, strlen(files[n].text), "f", &err);
        assert_int_equal(st, files[n].count ? HCBR_OK : HCBR_EDATA);
        assert_int_equal(count, files[n].count);
        assert_int_equal(err.line, files[n].line);
        assert_int_equal(err.column, files[n].column);
        assert_true((folds != NULL) == (files[n].count > 0));
        hcbr_i_free(folds);
    }
    uint64_t *folds = NULL;
    size_t count;
    assert_int_equal(hcbr_i_folds_parse(&folds, &count, "1\n\0\n", 4, "f", NULL), HCBR_EDATA);
    assert_int_equal(hcbr_i_folds_parse(&folds, &count, "18446744073709551615\n007", 24, "f", NULL),
                     HCBR_OK);
    assert_true(folds[0] == UINT64_MAX && folds[1] == 7 && count == 2);
    hcbr_i_free(folds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds__have_their_share_of_every_label),
        cmocka_unit_test(folds__differ_by_seed_and_repeat),
        cmocka_unit_test(folds__are_drawn_evenly),
        cmocka_unit_test(equal_cases__stay_together_whatever_their_order),
        cmocka_unit_test(equal_cases__of_weight_n_fall_where_n_copies_do),
        cmocka_unit_test(equal_cases__leave_labels_their_shares),
        cmocka_unit_test(equal_cases__alone_cannot_be_held_out),
        cmocka_unit_test(groups__are_never_cut),
        cmocka_unit_test(groups__of_one_case_are_dealt_evenly),
        cmocka_unit_test(order__trains_on_the_past_only),
        cmocka_unit_test(holdout__takes_its_share_of_every_label),
        cmocka_unit_test(given__numbers_are_folds_in_their_order),
        cmocka_unit_test(folds__that_cannot_be_are_refused),
        cmocka_unit_test(file__of_folds_is_read_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
