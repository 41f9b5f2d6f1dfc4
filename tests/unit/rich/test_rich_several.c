/*
 * Several values of a key in one case: in training they make it no column, in a new case their
 * order means nothing. And cases that the memory rule takes for those of the past.
 */
#include "add_case.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 60 };

static hcbr_feature value_of(const char *key, const char *value) {
    return (hcbr_feature){key, strlen(key), value, strlen(value)};
}

static hcbr_model *train(hcbr_cases *cases, const char *numeric, const hcbr_rule *rule) {
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = HCBR_EFFORT_LITE;
    o.numeric = &numeric;
    o.numeric_count = numeric != NULL;
    o.rule = rule;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static hcbr_cases *begin(void) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    return cases;
}

/* A key that is to be a number, but a case has two values of it: codes stay what they are. */
static void several__codes_of_a_key_that_cannot_be_a_number_are_texts(void **state) {
    (void)state;
    hcbr_cases *cases = begin();
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature f[2] = {value_of("code", i % 2 ? "007" : "7"), value_of("code", "08.50")};
        assert_int_equal(add_one_case(cases, f, i % 3 ? 2 : 1, i % 2 ? "x" : "y", NULL, NULL),
                         HCBR_OK);
    }
    hcbr_model *model = train(cases, "code", NULL);
    static const char *const known[] = {"007", "7", "08.50"}, *const others[] = {"8.5", "7.0"};
    for (size_t n = 0; n < 3; n++) {
        hcbr_feature f = value_of("code", known[n]);
        assert_true(hcbr_model_find_feature(model, &f) != UINT32_MAX);
    }
    for (size_t n = 0; n < 2; n++) {
        hcbr_feature f = value_of("code", others[n]);
        assert_true(hcbr_model_find_feature(model, &f) == UINT32_MAX);
    }
    for (unsigned i = 0; i < CASES; i++) { // and the cases are kept as they were
        hcbr_feature *kept;
        size_t count;
        assert_int_equal(hcbr_model_copy_kept(model, i, &kept, &count, NULL), HCBR_OK);
        assert_int_equal(count, i % 3 ? 2 : 1);
        assert_int_equal(kept[0].value_length, i % 2 ? 3 : i % 3 ? 5 : 1);
        hcbr_bytes_free(kept);
    }
    hcbr_model_free(model);
}

/* Ids of one case that one double stands for, and a number that comes again in another spelling,
 * one after the other or not. */
static void several__numbers_of_one_case_are_told_apart_exactly(void **state) {
    (void)state;
    static const char *const ids[] = {"12345678901234567890",   "12345678901234567891",
                                      "1234567890123456789e1",  "7",
                                      "12345678901234567891.0", "7.0"};
    hcbr_cases *cases = begin();
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature f[6];
        for (size_t n = 0; n < 6; n++)
            f[n] = value_of("ids", ids[n]);
        f[3] = i % 2 ? f[3] : value_of("ids", "8");
        f[5] = i % 2 ? f[5] : value_of("ids", "8e0");
        assert_int_equal(add_one_case(cases, f, 6, i % 2 ? "x" : "y", NULL, NULL), HCBR_OK);
    }
    hcbr_model *model = train(cases, NULL, NULL);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    assert_int_equal(info.features, 4);
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature *kept;
        size_t count;
        assert_int_equal(hcbr_model_copy_kept(model, i, &kept, &count, NULL), HCBR_OK);
        assert_int_equal(count, 3);
        hcbr_bytes_free(kept);
    }
    for (uint32_t f = 0; f < 4; f++) {
        uint64_t have = 0;
        for (hcbr_label l = 0; l < 2; l++)
            have += hcbr_model_get_atom_count(model, hcbr_model_get_atom(model, f), l);
        assert_int_equal(have, f < 2 ? CASES : CASES / 2);
    }
    hcbr_model_free(model);
}

/* ---- new cases ------------------------------------------------------------------------------- */

/* Numbers (n), categories that have words and numbers (c), sparse numbers (s). */
static hcbr_model *train_columns(void) {
    static const char *const values[] = {"red", "blue", "1", "20", "3"};
    hcbr_cases *cases = begin();
    for (unsigned i = 0; i < CASES; i++) {
        char n[16], s[16];
        snprintf(n, sizeof n, "%u", i * 7 % 30);
        snprintf(s, sizeof s, "%u.5", i);
        hcbr_feature f[3] = {value_of("n", n), value_of("c", values[i * 3 % 5]), value_of("s", s)};
        const char *label = (i * 7 % 30 > 12) ^ (i * 3 % 5 > 2) ? "x" : "y";
        assert_int_equal(add_one_case(cases, f, i % 10 ? 2 : 3, label, NULL, NULL), HCBR_OK);
    }
    return train(cases, NULL, NULL);
}

typedef struct answer {
    double support;
    uint64_t known, features;
} answer;

static answer decide(hcbr_decider *d, const hcbr_feature *f, size_t count) {
    hcbr_decision x = {.size = sizeof x};
    assert_int_equal(hcbr_decider_decide(d, row_by(d, f, count), &x, NULL), HCBR_OK);
    return (answer){x.support[1], x.known_count, x.feature_count};
}

/* The same case from a file, where numbers stand apart from names. */
static answer decide_file(hcbr_decider *d, const hcbr_feature *f, size_t count) {
    char path[64];
    const char *paths[] = {path};
    hcbr_stream *stream;
    hcbr_decision x = {.size = sizeof x};
    int more;
    snprintf(path, sizeof path, "/tmp/hcbr-several-%ld.jsonl", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("{", file);
    for (size_t n = 0; n < count; n++) { // those of a key follow each other
        bool first = n == 0 || f[n].key[0] != f[n - 1].key[0];
        bool last = n + 1 == count || f[n].key[0] != f[n + 1].key[0];
        if (first)
            fprintf(file, "%s\"%s\":[", n ? "," : "", f[n].key);
        fprintf(file, "%s\"%s\"%s", first ? "" : ",", f[n].value, last ? "]" : "");
    }
    fputs("}\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(hcbr_stream_create(&stream, d, paths, 1, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_stream_next(stream, &x, &more, NULL), HCBR_OK);
    assert_int_equal(more, 1);
    answer a = {x.support[1], x.known_count, x.feature_count};
    hcbr_stream_free(stream);
    unlink(path);
    return a;
}

static void assert_same(answer a, answer b) {
    assert_true(a.support == b.support);
    assert_int_equal(a.known, b.known);
    assert_int_equal(a.features, b.features);
}

static void several__order_means_nothing(void **state) {
    (void)state;
    static const char *const values[3][4] = {
        {"3", "25", "3.0", "11"}, {"red", "1", "blue", "20"}, {"5.5", "30.5", "7", "5.5"}};
    static const size_t different[3] = {3, 4, 3};
    static const char *const keys[3] = {"n", "c", "s"};
    hcbr_model *model = train_columns();
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    for (size_t k = 0; k < 3; k++)
        for (size_t order = 0; order < 24; order++) {
            hcbr_feature f[5] = {value_of(keys[(k + 1) % 3], values[(k + 1) % 3][0])};
            bool taken[4] = {false};
            for (size_t n = 0, left = order; n < 4; left /= 4 - n, n++) { // a permutation
                size_t pick = left % (4 - n), at = 0;
                for (; taken[at] || pick > 0; at++)
                    pick -= !taken[at];
                taken[at] = true;
                f[1 + n] = value_of(keys[k], values[k][at]);
            }
            answer a = decide(d, f, 5);
            assert_int_equal(a.known, 1 + different[k]);
            assert_int_equal(a.features, 1 + different[k]);
            assert_same(decide_file(d, f, 5), a);
            if (k == 1)
                continue;
            // of numbers the largest counts
            hcbr_feature alone[2] = {f[0], value_of(keys[k], values[k][1])};
            assert_true(decide(d, alone, 2).support == a.support);
        }
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* Of the values of a category the last by its bytes counts. */
static void several__last_category_by_its_bytes_counts(void **state) {
    (void)state;
    hcbr_model *model = train_columns();
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    hcbr_feature both[3] = {value_of("n", "3"), value_of("c", "red"), value_of("c", "3")};
    hcbr_feature red[2] = {both[0], both[1]}, three[2] = {both[0], both[2]};
    assert_true(decide(d, both, 3).support == decide(d, red, 2).support);
    assert_true(decide(d, three, 2).support != decide(d, red, 2).support);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* ---- the memory rule ------------------------------------------------------------------------- */

/* Numbers of more digits than a double has, and such that are nearly 0, are told apart. */
static void several__memory_finds_cases_of_any_digits(void **state) {
    (void)state;
    static const char *const values[] = {"0.12345678901234567890",
                                         "12345678901234567890",
                                         "12345678901234567891",
                                         "1.2345e-320",
                                         "123456.7890123456789",
                                         "-0.5",
                                         "12"};
    enum { COUNT = sizeof values / sizeof *values };
    hcbr_cases *cases = begin();
    hcbr_rule rule;
    for (unsigned i = 0; i < 6 * COUNT; i++) { // most have the other label in every respect
        hcbr_feature f[2] = {value_of("n", values[i % COUNT]),
                             value_of("c", i < COUNT ? "p" : "q")};
        assert_int_equal(add_one_case(cases, f, 2, i % COUNT % 2 ? "x" : "y", NULL, NULL), HCBR_OK);
    }
    hcbr_rule_init(&rule);
    rule.memory = true;
    hcbr_model *model = train(cases, NULL, &rule);
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    for (size_t n = 0; n < COUNT; n++) {
        hcbr_feature f[2] = {value_of("n", values[n]), value_of("c", "p")};
        hcbr_decision x = {.size = sizeof x};
        assert_int_equal(hcbr_decider_decide(d, row_by(d, f, 2), &x, NULL), HCBR_OK);
        assert_int_equal(x.reason, HCBR_BY_MEMORY);
        assert_int_equal(x.label, n % 2 ? 0 : 1);
    }
    hcbr_feature near[2] = {value_of("n", "12345678901234567892"), value_of("c", "p")};
    hcbr_decision x = {.size = sizeof x};
    assert_int_equal(hcbr_decider_decide(d, row_by(d, near, 2), &x, NULL), HCBR_OK);
    assert_int_not_equal(x.reason, HCBR_BY_MEMORY);
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* Numbers of past cases under each other's keys are others; so are those of which one is alike. */
static void several__memory_looks_at_all_numbers(void **state) {
    (void)state;
    hcbr_cases *cases = begin();
    hcbr_rule rule;
    char text[2][16];
    for (unsigned i = 0; i < CASES; i++) {
        snprintf(text[0], sizeof *text, "%u", i);
        snprintf(text[1], sizeof *text, "%u", 2 * i + 100);
        hcbr_feature f[2] = {value_of("m", text[0]), value_of("n", text[1])};
        assert_int_equal(add_one_case(cases, f, 2, i % 2 ? "x" : "y", NULL, NULL), HCBR_OK);
    }
    hcbr_rule_init(&rule);
    rule.memory = true;
    hcbr_model *model = train(cases, NULL, &rule);
    static const struct {
        const char *m, *n;
        bool is_past;
    } NEW[] = {{"3", "106", true},  {"3.0", "1.06e2", true}, {"106", "3", false},
               {"3", "108", false}, {"4", "106", false},     {"3", NULL, false}};
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    for (size_t n = 0; n < sizeof NEW / sizeof *NEW; n++) {
        hcbr_feature f[2] = {value_of("m", NEW[n].m), value_of("n", NEW[n].n ? NEW[n].n : "")};
        hcbr_decision x = {.size = sizeof x};
        assert_int_equal(hcbr_decider_decide(d, row_by(d, f, NEW[n].n ? 2 : 1), &x, NULL), HCBR_OK);
        assert_int_equal(x.reason == HCBR_BY_MEMORY, NEW[n].is_past);
    }
    hcbr_decider_free(d);
    hcbr_model_free(model);
}

/* ---- files, and kept cases ------------------------------------------------------------------- */

/* Long decimals (n), texts that are numbers in many spellings, with a word among them (c). */
static const char *const LONG[] = {
    "12345678901234567890", "0.12345678901234567891", "5", "7.50", "1234567890123456789e1", "+5"};
static const char *const SPELLED[] = {"1", "1.0", "red", "+1", "1e0", "1.00", "10e-1"};

static void several__files_are_decided_as_cases_are(void **state) {
    (void)state;
    enum { ROWS = 84 };
    hcbr_cases *cases = begin();
    hcbr_rule rule;
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature f[2] = {value_of("n", LONG[i % 5]), value_of("c", SPELLED[i % 6])};
        assert_int_equal(add_one_case(cases, f, 2, i % 6 % 2 ? "x" : "y", NULL, NULL), HCBR_OK);
    }
    hcbr_rule_init(&rule);
    rule.memory = true;
    hcbr_model *model = train(cases, NULL, &rule);
    hcbr_decider *d, *by_stream;
    hcbr_stream *stream;
    char path[2][64];
    const char *paths[] = {path[0], path[1]};
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_create(&by_stream, model, NULL, NULL), HCBR_OK);
    for (int p = 0; p < 2; p++) { // the second file has its columns the other way round
        snprintf(path[p], sizeof path[p], "/tmp/hcbr-several-%ld-%d.csv", (long)getpid(), p);
        FILE *file = fopen(path[p], "wb");
        assert_non_null(file);
        fputs(p ? "c,n\n" : "n,c\n", file);
        for (unsigned i = 0; i < ROWS; i++)
            fprintf(file, "%s,%s\n", p ? SPELLED[i % 7] : LONG[i % 6],
                    p ? LONG[i / 7 % 6] : SPELLED[i / 6 % 7]);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(hcbr_stream_create(&stream, by_stream, paths, 2, NULL, NULL), HCBR_OK);
    size_t past = 0;
    for (unsigned i = 0; i < 2 * ROWS; i++) {
        unsigned k = i % ROWS;
        hcbr_feature f[2] = {value_of("n", i < ROWS ? LONG[k % 6] : LONG[k / 7 % 6]),
                             value_of("c", i < ROWS ? SPELLED[k / 6 % 7] : SPELLED[k % 7])};
        hcbr_decision found = {.size = sizeof found}, wanted = {.size = sizeof wanted};
        int more;
        assert_int_equal(hcbr_decider_decide(d, row_by(d, f, 2), &wanted, NULL), HCBR_OK);
        assert_int_equal(hcbr_stream_next(stream, &found, &more, NULL), HCBR_OK);
        assert_int_equal(more, 1);
        assert_int_equal(found.reason, wanted.reason);
        assert_int_equal(found.label, wanted.label);
        assert_int_equal(found.known_count, wanted.known_count);
        assert_int_equal(found.unseen_count, wanted.unseen_count);
        assert_true(found.support[1] == wanted.support[1]);
        past += found.reason == HCBR_BY_MEMORY;
    }
    assert_true(past > 30 && past < 2 * ROWS);
    hcbr_stream_free(stream);
    hcbr_decider_free(by_stream);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    unlink(path[0]);
    unlink(path[1]);
}

/* Where a key has words, `1.0` is not `1`, in whatever row of a file it comes. */
static void several__texts_of_a_file_keep_their_spelling(void **state) {
    (void)state;
    enum { ROWS = 1600 };
    static const char *const values[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "red"};
    hcbr_cases *cases = begin();
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature f = value_of("c", values[i % 11]);
        assert_int_equal(add_one_case(cases, &f, 1, i % 2 ? "x" : "y", NULL, NULL), HCBR_OK);
    }
    hcbr_model *model = train(cases, NULL, NULL);
    hcbr_decider *d;
    hcbr_stream *stream;
    char path[64];
    const char *paths[] = {path};
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    snprintf(path, sizeof path, "/tmp/hcbr-several-%ld.csv", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("c\n", file);
    for (unsigned i = 0; i < ROWS; i++)
        fprintf(file, "%u%.*s\n", i / 3 % 10, i % 3 ? 0 : (int)(i % 14) + 2, ".00000000000000");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(hcbr_stream_create(&stream, d, paths, 1, NULL, NULL), HCBR_OK);
    for (unsigned i = 0; i < ROWS; i++) {
        hcbr_decision found = {.size = sizeof found};
        int more;
        assert_int_equal(hcbr_stream_next(stream, &found, &more, NULL), HCBR_OK);
        assert_int_equal(found.known_count, i % 3 != 0);
    }
    hcbr_stream_free(stream);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    unlink(path);
}

/* Numbers (a, c), words among them (c), sparse numbers between them (b), a category (d). */
static void several__past_cases_are_kept_as_they_were(void **state) {
    (void)state;
    hcbr_cases *cases = begin();
    char text[CASES][3][16];
    for (unsigned i = 0; i < CASES; i++) {
        snprintf(text[i][0], sizeof *text[i], "%u", i * 7 % 31);
        snprintf(text[i][1], sizeof *text[i], "%u.25", i);
        snprintf(text[i][2], sizeof *text[i], i % 8 == 3 ? "w%u" : "-%u", i % 13);
        hcbr_feature f[4] = {value_of("a", text[i][0]), value_of("d", i % 3 ? "p" : "q"),
                             value_of("c", text[i][2]), value_of("b", text[i][1])};
        assert_int_equal(add_one_case(cases, f, i % 11 ? 3 : 4, i % 2 ? "x" : "y", NULL, NULL),
                         HCBR_OK);
    }
    hcbr_model *model = train(cases, "c", NULL);
    for (unsigned i = 0; i < CASES; i++) {
        hcbr_feature *kept;
        size_t count, number = 0;
        char order[4] = "";
        assert_int_equal(hcbr_model_copy_kept(model, i, &kept, &count, NULL), HCBR_OK);
        assert_int_equal(count, i % 11 ? 3 : 4);
        for (size_t n = 0; n < count; n++) {
            const char key = kept[n].key[0];
            const char *value =
                key == 'd' ? (i % 3 ? "p" : "q") : text[i][key == 'a' ? 0 : key - 'a'];
            value = key == 'c' && strcmp(value, "-0") == 0 ? "0" : value;
            assert_int_equal(kept[n].value_length, strlen(value));
            assert_memory_equal(kept[n].value, value, strlen(value));
            if (key != 'd' && value[0] != 'w')
                order[number++] = key;
        }
        for (size_t n = 1; n < number; n++)
            assert_true(order[n - 1] < order[n]);
        hcbr_bytes_free(kept);
    }
    hcbr_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several__codes_of_a_key_that_cannot_be_a_number_are_texts),
        cmocka_unit_test(several__numbers_of_one_case_are_told_apart_exactly),
        cmocka_unit_test(several__order_means_nothing),
        cmocka_unit_test(several__last_category_by_its_bytes_counts),
        cmocka_unit_test(several__memory_finds_cases_of_any_digits),
        cmocka_unit_test(several__memory_looks_at_all_numbers),
        cmocka_unit_test(several__files_are_decided_as_cases_are),
        cmocka_unit_test(several__texts_of_a_file_keep_their_spelling),
        cmocka_unit_test(several__past_cases_are_kept_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
