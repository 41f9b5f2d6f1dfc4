/*
 * Decisions: what is counted of a case, what was never seen, the memory rule, and several users of
 * one decider.
 */
#include "add_case.h"
#include "decide_support.h"
#include "row_of.h"

#include <time.h>
#include <unistd.h>

/* ---- features ---------------------------------------------------------------------------------
 */

/* The three labels of METHOD 6, scope class, before training. */
static const char *const three[] = {"Cab", "Bad", "Abcde", "Cace"};

static void decision__is_that_of_the_example(void **state) {
    (void)state;
    static const double expected[] = {2 / 9., 1 / 6., 13 / 45.}; /* {a,c,z} */
    static const char *const ways[] = {"acz", "zca", "aczaacz", "ccccaz"};
    hcbr_model *model = make_model(three, 4);
    hcbr_decider *decider = make_decider(model, NULL);
    for (size_t n = 0; n < 4; n++) { /* a repeated feature counts once, the order not at all */
        hcbr_decision x = decide(decider, ways[n]);
        assert_int_equal(x.label, 2);
        assert_int_equal(x.winner, 2);
        assert_int_equal(x.reason, HCBR_BY_SUPPORT);
        assert_int_equal(x.feature_count, 3);
        assert_int_equal(x.known_count, 2);
        assert_int_equal(x.unseen_count, 1);
        assert_int_equal(x.label_count, 3);
        for (int l = 0; l < 3; l++)
            assert_true(fabs(x.support[l] - expected[l]) < 1e-15);
    }
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

static void decision__says_when_nothing_is_known(void **state) {
    (void)state;
    static const char *const two[] = {"Aab", "Bc"};
    hcbr_model *models[] = {make_model(three, 4), make_model(two, 2)};
    for (size_t m = 0; m < 2; m++) {
        hcbr_decider *decider = make_decider(models[m], NULL);
        decide(decider, "a"); /* its support must not stay */
        hcbr_decision x = decide(decider, "");
        assert_int_equal(x.reason, HCBR_EMPTY_CASE);
        assert_int_equal(x.label, HCBR_LABEL_UNKNOWN);
        assert_int_equal(x.winner, HCBR_LABEL_UNKNOWN);
        assert_int_equal(x.feature_count, 0);
        assert_int_equal(x.unseen_count, 0);
        x = decide(decider, "zyz");
        assert_int_equal(x.reason, HCBR_NOTHING_KNOWN);
        assert_int_equal(x.label, HCBR_LABEL_UNKNOWN);
        assert_int_equal(x.feature_count, 2);
        assert_int_equal(x.known_count, 0);
        assert_int_equal(x.unseen_count, 2);
        for (size_t l = 0; l < x.label_count; l++)
            assert_true(x.support[l] == 0);
        hcbr_decider_free(decider);
        hcbr_model_free(models[m]);
    }
}

static void expect_feature(const hcbr_feature *have, const char *key, const char *value) {
    assert_int_equal(have->key_length, strlen(key));
    assert_memory_equal(have->key, key, have->key_length);
    assert_int_equal(have->value == NULL, value == NULL);
    assert_int_equal(have->value_length, value ? strlen(value) : 0);
    if (value)
        assert_memory_equal(have->value, value, have->value_length);
}

/* Once each, in the order of the case, told apart as the dictionary does. */
static void unseen__features_are_listed_once_in_order(void **state) {
    (void)state;
    static const struct {
        const char *key, *value;
    } given[] = {{"z", NULL},
                 {"a", NULL}, /* known */
                 {"z", ""},
                 {"a feature with a long name", "1"},
                 {"z", NULL},
                 {"a", "1"},
                 {"a feature with a long name", "2"},
                 {"a feature with a long name", "1"},
                 {"12345678901234", NULL},
                 {"1234567", "8901234"},
                 {"z", ""},
                 {"123456789012345", NULL},
                 {"", ""},
                 {"", NULL},
                 {"a", "1"},
                 {"", ""}};
    static const size_t expected[] = {0, 2, 3, 5, 6, 8, 9, 11, 12, 13};
    hcbr_model *model = make_model(three, 4);
    hcbr_decider *decider = make_decider(model, NULL);
    hcbr_feature features[16];
    hcbr_decision x = {.size = sizeof x};
    for (size_t n = 0; n < 16; n++)
        features[n] = (hcbr_feature){given[n].key, strlen(given[n].key), given[n].value,
                                     given[n].value ? strlen(given[n].value) : 0};
    for (int round = 0; round < 2; round++) {
        assert_int_equal(hcbr_decider_decide(decider, row_by(decider, features, 16), &x, NULL),
                         HCBR_OK);
        assert_int_equal(x.unseen_count, 10);
        assert_int_equal(x.feature_count, 11);
        for (size_t n = 0; n < 10; n++)
            expect_feature(&x.unseen[n], given[expected[n]].key, given[expected[n]].value);
    }
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

/* So many that anything but linear time would be noticed: each asked against all before it. */
static void unseen__features_may_be_very_many(void **state) {
    (void)state;
    enum { MANY = 1 << 18 };
    hcbr_model *model = make_model(three, 4);
    hcbr_decider *decider = make_decider(model, NULL);
    hcbr_feature *features = calloc(2 * MANY, sizeof *features);
    char(*text)[32] = calloc(MANY, sizeof *text);
    hcbr_decision x = {.size = sizeof x};
    assert_non_null(features);
    assert_non_null(text);
    for (size_t n = 0; n < MANY; n++) {
        int length = snprintf(text[n], sizeof text[n], n % 2 ? "%zu" : "a long name, %zu", n);
        features[n] = features[MANY + n] = (hcbr_feature){text[n], (size_t)length, NULL, 0};
    }
    clock_t start = clock();
    assert_int_equal(hcbr_decider_decide(decider, row_by(decider, features, 2 * MANY), &x, NULL),
                     HCBR_OK);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    assert_int_equal(x.unseen_count, MANY);
    assert_int_equal(x.feature_count, MANY);
    for (size_t n = 0; n < MANY; n += 4099)
        expect_feature(&x.unseen[n], text[n], NULL);
    x = decide(decider, "ac"); /* a small case is still a small case */
    assert_int_equal(x.feature_count, 2);
    assert_int_equal(x.unseen_count, 0);
    free(features);
    free(text);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

static void decision__refuses_what_is_no_text(void **state) {
    (void)state;
    static const hcbr_feature bad[] = {{"a\0", 2, NULL, 0}, {"a", 1, "\xFF", 1}};
    hcbr_model *model = make_model(three, 4);
    hcbr_decider *decider = make_decider(model, NULL);
    for (size_t n = 0; n < 2; n++) {
        hcbr_row *row;
        hcbr_error err = {.message = ""};
        assert_int_equal(hcbr_row_create(&row, decider, &bad[n], 1, &err), HCBR_EDATA);
        assert_null(row);
        assert_true(err.message[0] != '\0');
        assert_int_equal(decide(decider, "acz").label, 2); /* and goes on */
    }
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

/* ---- the memory rule --------------------------------------------------------------------------
 */

static hcbr_decider *memory_decider(const hcbr_model *model) {
    static const hcbr_threshold high = {"B", 5, 0, "A"}; /* memory is asked before it */
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.memory = 1;
    rule.thresholds = &high;
    rule.threshold_count = 1;
    return make_decider(model, &rule);
}

static void expect(hcbr_decider *decider, const char *letters, hcbr_label label,
                   hcbr_reason reason) {
    hcbr_decision x = decide(decider, letters);
    assert_int_equal(x.label, label);
    assert_int_equal(x.reason, reason);
}

static void memory__gives_the_majority_of_identical_cases(void **state) {
    (void)state;
    /* {a}: support says B (1/4 against 1/2), the only identical case says A */
    static const char *const words[] = {"Aa", "Ap", "Aq", "Ar", "Bab", "Bab", "Bab", "Bp"};
    hcbr_model *model = make_model(words, 8);
    hcbr_decider *decider = memory_decider(model);
    hcbr_decision x = decide(decider, "a");
    assert_int_equal(x.winner, 1);
    assert_int_equal(x.label, 0);
    assert_int_equal(x.reason, HCBR_BY_MEMORY);
    expect(decider, "aaa", 0, HCBR_BY_MEMORY);
    expect(decider, "ba", 1, HCBR_BY_MEMORY); /* three of three; the threshold is not asked */
    expect(decider, "bab", 1, HCBR_BY_MEMORY);
    x = decide(decider, "p"); /* one of each: no majority, so the support decides */
    assert_true(x.reason != HCBR_BY_MEMORY);
    assert_true(decide(decider, "b").reason != HCBR_BY_MEMORY);  /* no case of its own */
    assert_true(decide(decider, "ap").reason != HCBR_BY_MEMORY); /* nor this */
    assert_true(decide(decider, "az").reason != HCBR_BY_MEMORY); /* an unseen feature */
    assert_int_equal(decide(decider, "z").reason, HCBR_NOTHING_KNOWN);
    assert_int_equal(decide(decider, "").reason, HCBR_EMPTY_CASE);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

/* A part of an atom is no past case, though the set of atoms is the same. */
static void memory__needs_whole_atoms(void **state) {
    (void)state;
    static const char *const words[] = {"Aabc", "Aabc", "Bd", "Babcd"};
    hcbr_model *model = make_model(words, 4);
    hcbr_decider *decider = memory_decider(model);
    expect(decider, "cab", 0, HCBR_BY_MEMORY);
    expect(decider, "d", 1, HCBR_BY_MEMORY);
    expect(decider, "dabc", 1, HCBR_BY_MEMORY);
    assert_true(decide(decider, "ab").reason != HCBR_BY_MEMORY);
    assert_true(decide(decider, "aab").reason != HCBR_BY_MEMORY);
    assert_true(decide(decider, "abd").reason != HCBR_BY_MEMORY);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

/* Of three labels the one that stands most often; two that stand equally often give none. */
static void memory__knows_ties_of_many_labels(void **state) {
    (void)state;
    static const char *const words[] = {"Aa", "Ba", "Ca", "Ca", "Ab", "Ab", "Bb", "Bb", "Cb",
                                        "Ac", "Bc", "Cc", "C",  "A",  "Cd", "Cd", "Ad"};
    hcbr_model *model = make_model(words, 17);
    hcbr_decider *decider = memory_decider(model);
    expect(decider, "a", 2, HCBR_BY_MEMORY);
    assert_true(decide(decider, "b").reason != HCBR_BY_MEMORY);
    assert_true(decide(decider, "c").reason != HCBR_BY_MEMORY);
    expect(decider, "d", 2, HCBR_BY_MEMORY);
    assert_int_equal(decide(decider, "").reason, HCBR_EMPTY_CASE); /* of which there are two */
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

static void memory__needs_a_model_that_keeps_cases(void **state) {
    (void)state;
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_rule rule;
    hcbr_error err = {.message = ""};
    const hcbr_feature a = {"a", 1, NULL, 0};
    hcbr_decider *decider = (hcbr_decider *)&rule;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    assert_int_equal(add_one_case(cases, &a, 1, "x", NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.keep = HCBR_KEEP_NONE;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_rule_init(&rule);
    rule.memory = 1;
    assert_int_equal(hcbr_decider_create(&decider, model, &rule, &err), HCBR_EUSAGE);
    assert_null(decider);
    assert_true(err.message[0] != '\0');
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

/* ---- several users of one decider -------------------------------------------------------------
 */

static hcbr_stream *open_stream(hcbr_decider *decider, const char *path, const char *text) {
    hcbr_stream *stream;
    hcbr_read_options o;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    hcbr_read_options_init(&o);
    assert_int_equal(hcbr_stream_create(&stream, decider, &path, 1, &o, NULL), HCBR_OK);
    return stream;
}

static hcbr_decision next(hcbr_stream *stream) {
    hcbr_decision x = {.size = sizeof x};
    int more;
    assert_int_equal(hcbr_stream_next(stream, &x, &more, NULL), HCBR_OK);
    assert_int_equal(more, 1);
    return x;
}

/* Two streams and single cases in turn on one decider: none disturbs the others. */
static void streams__may_share_a_decider(void **state) {
    (void)state;
    static const char *const words[] = {"Aa", "Bb", "Cc"};
    char path[2][64];
    hcbr_model *model = make_model(words, 3);
    hcbr_decider *decider = make_decider(model, NULL);
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "/tmp/hcbr-decider-%ld-%d.jsonl", (long)getpid(), i);
    hcbr_stream *one = open_stream(decider, path[0],
                                   "{\"features\":[\"a\"]}\n{\"features\":[\"b\",\"long unseen "
                                   "name\"]}\n{\"features\":[\"c\"]}\n");
    hcbr_stream *two = open_stream(decider, path[1],
                                   "{\"features\":[\"c\",\"c\",\"b\",\"c\"]}\n"
                                   "{\"features\":[\"a\",\"z\",\"y\",\"x\"]}\n{\"features\":[]}\n");
    assert_int_equal(next(one).label, 0);
    assert_int_equal(next(two).known_count, 2);
    hcbr_decision x = next(one);
    assert_int_equal(x.label, 1);
    assert_int_equal(x.unseen_count, 1);
    assert_int_equal(decide(decider, "c").label, 2);
    x = next(two);
    assert_int_equal(x.label, 0);
    assert_int_equal(x.unseen_count, 3);
    assert_int_equal(decide(decider, "b").label, 1);
    assert_int_equal(next(one).label, 2);
    assert_int_equal(next(two).reason, HCBR_EMPTY_CASE);
    hcbr_stream_free(one);
    hcbr_stream_free(two);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decision__is_that_of_the_example),
        cmocka_unit_test(decision__says_when_nothing_is_known),
        cmocka_unit_test(unseen__features_are_listed_once_in_order),
        cmocka_unit_test(unseen__features_may_be_very_many),
        cmocka_unit_test(decision__refuses_what_is_no_text),
        cmocka_unit_test(memory__gives_the_majority_of_identical_cases),
        cmocka_unit_test(memory__needs_whole_atoms),
        cmocka_unit_test(memory__knows_ties_of_many_labels),
        cmocka_unit_test(memory__needs_a_model_that_keeps_cases),
        cmocka_unit_test(streams__may_share_a_decider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
