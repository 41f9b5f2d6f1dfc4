/*
 * Numbers that one case has in several spellings: a decision, a file and an explanation count them
 * alike, each number once, and so does the model that was trained with such cases.
 *
 * The expected counts come from the numbers the spellings were drawn from, not from the library.
 */
#include "add_case.h"
#include "faults.h"
#include "harness.h"
#include "row_of.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 60, NUMBERS = 8, SPELLINGS = 3, MOST = 12, APART = 15 };

/* Keys of numbers: of all cases; of one in APART; of no past case; with a word among them; several
 * in a case. */
enum { DENSE, SPARSE, NEW, MIXED, BAG, KEYS };
static const char *const keys[KEYS] = {"dense", "sparse", "new", "mixed", "bag"};

/* Spellings of one number in a row. One double stands for the last two. */
static const char *const spelled[NUMBERS][SPELLINGS] = {
    {"1", "1.0", "1e0"},
    {"2", "2.00", "20e-1"},
    {"-3.5", "-3.50", "-35e-1"},
    {"0", "0.0", "-0"},
    {"40", "4e1", "40.0"},
    {"0.25", "25e-2", "2.5e-1"},
    {"12345678901234567890", "1234567890123456789e1", "12345678901234567890.0"},
    {"12345678901234567891", "1.2345678901234567891e19", "12345678901234567891.0"},
};

typedef struct drawn {
    hcbr_feature features[MOST];
    size_t count;
    bool has[KEYS][NUMBERS];             /* the number, ... */
    bool text[KEYS][NUMBERS][SPELLINGS]; /* ... and the spelling */
} drawn;

static void add(drawn *x, int key, int number, int spelling) {
    const char *value = spelled[number][spelling];
    x->features[x->count++] = (hcbr_feature){keys[key], strlen(keys[key]), value, strlen(value)};
    x->has[key][number] = true;
    x->text[key][number][spelling] = true;
}

static uint64_t numbers_of(const drawn *x, int key) {
    uint64_t count = 0;
    for (int n = 0; n < NUMBERS; n++)
        count += x->has[key][n];
    return count;
}

static uint64_t texts_of(const drawn *x, int key) {
    uint64_t count = 0;
    for (int n = 0; n < NUMBERS; n++)
        for (int s = 0; s < SPELLINGS; s++)
            count += x->text[key][n][s];
    return count;
}

/* A past case. Every number is met in `dense`, `mixed` and `bag`, the first ones in `sparse`. */
static void draw_past(drawn *x, harness_random *r, int i) {
    const bool first = i < NUMBERS;
    *x = (drawn){.count = 0};
    int number = first ? i : harness_below(r, NUMBERS);
    for (int k = 1 + harness_below(r, 3); k > 0; k--)
        add(x, DENSE, number, harness_below(r, SPELLINGS));
    for (int k = i % APART ? 0 : 1 + harness_below(r, 2); k > 0; k--)
        add(x, SPARSE, i / APART, harness_below(r, SPELLINGS));
    for (int k = first ? 2 : harness_below(r, 3); k > 0; k--)
        add(x, BAG, first ? (i + k) % NUMBERS : harness_below(r, NUMBERS),
            harness_below(r, SPELLINGS));
    for (int k = 1 + harness_below(r, 2); k > 0; k--)
        add(x, MIXED, number, harness_below(r, SPELLINGS));
}

/* Any values of the keys whose spellings do not matter, and of an unknown key. */
static void draw_new(drawn *x, harness_random *r) {
    static const int of[] = {DENSE, SPARSE, NEW, BAG};
    *x = (drawn){.count = 0};
    for (int k = harness_below(r, MOST + 1); k > 0; k--)
        add(x, of[harness_below(r, 4)], harness_below(r, NUMBERS), harness_below(r, SPELLINGS));
}

static hcbr_model *train(harness_random *r, hcbr_model_kind kind, uint64_t *occurrences) {
    hcbr_train_options o;
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, 0, &err), &err);
    *occurrences = 1; // the word
    for (int i = 0; i < CASES; i++) {
        drawn x;
        draw_past(&x, r, i);
        const char *label = i % 2 ? "x" : "y";
        for (int k = 0; k < KEYS; k++)
            *occurrences += k == MIXED ? texts_of(&x, k) : numbers_of(&x, k);
        if (i == 0)
            x.features[x.count++] = (hcbr_feature){"mixed", 5, "word", 4};
        harness_ok(add_one_case(cases, x.features, x.count, label, NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

/* The case as a line of JSON, in which numbers are read apart from names. */
static const char *write_line(const drawn *x) {
    const char *path = fault_path("case.jsonl");
    FILE *out = fopen(path, "w");
    bool any = false;
    assert_non_null(out);
    fputs("{", out);
    for (int k = 0; k < KEYS; k++) {
        bool first = true;
        for (size_t n = 0; n < x->count; n++) {
            if (strcmp(x->features[n].key, keys[k]) != 0)
                continue;
            if (first)
                fprintf(out, "%s\"%s\":[", any ? "," : "", keys[k]);
            fprintf(out, "%s%s", first ? "" : ",", x->features[n].value);
            first = false;
            any = true;
        }
        fputs(first ? "" : "]", out);
    }
    fputs("}\n", out);
    assert_int_equal(fclose(out), 0);
    return path;
}

typedef struct counts {
    uint64_t known, unseen, features;
} counts;

static counts counts_of(const hcbr_decision *x) {
    return (counts){x->known_count, x->unseen_count, x->feature_count};
}

static counts decide_file(hcbr_decider *decider, const char *path) {
    hcbr_stream *stream;
    hcbr_decision x = {.size = sizeof x};
    hcbr_error err = {0};
    int more;
    harness_ok(hcbr_stream_create(&stream, decider, &path, 1, NULL, &err), &err);
    harness_ok(hcbr_stream_next(stream, &x, &more, &err), &err);
    assert_true(more);
    counts result = counts_of(&x);
    hcbr_stream_free(stream);
    return result;
}

static void expect(counts found, counts expected) {
    assert_int_equal(found.known, expected.known);
    assert_int_equal(found.unseen, expected.unseen);
    assert_int_equal(found.features, expected.features);
}

/* How many different values of a case the model knows. In a plain model they have to be of a past
 * case; a rich one knows every number where it has cuts. */
static uint64_t known_of(const drawn *x, bool rich) {
    uint64_t known = numbers_of(x, DENSE) + numbers_of(x, BAG);
    for (int n = 0; n < NUMBERS; n++)
        known += x->has[SPARSE][n] && (rich || n < CASES / APART);
    return known;
}

static void check_cases(const hcbr_model *model, bool rich, harness_random *r) {
    hcbr_explainer *explainer;
    hcbr_decider *decider = harness_decider(model, NULL);
    hcbr_error err = {0};
    harness_ok(hcbr_explainer_create(&explainer, model, NULL, NULL, &err), &err);
    for (int round = 0; round < 100; round++) {
        drawn x;
        hcbr_decision decision = {.size = sizeof decision};
        hcbr_explanation e = {.size = sizeof e};
        draw_new(&x, r);
        harness_ok(
            hcbr_decider_decide(decider, row_by(decider, x.features, x.count), &decision, &err),
            &err);
        counts expected = counts_of(&decision);
        assert_int_equal(expected.known, known_of(&x, rich));
        assert_int_equal(expected.features, expected.known + expected.unseen);
        if (rich) // unknown values are compared by their spellings
            assert_int_equal(expected.unseen, texts_of(&x, NEW));
        harness_ok(hcbr_explainer_explain(explainer, row_of(explainer, x.features, x.count), NULL,
                                          &e, &err),
                   &err);
        expect(counts_of(e.decision), expected);
        expect(decide_file(decider, write_line(&x)), expected);
    }
    hcbr_explainer_free(explainer);
    hcbr_decider_free(decider);
}

static void spelled__numbers_of_a_case_count_once(void **state) {
    (void)state;
    harness_random r = {harness_seed(20261201)};
    for (int round = 0; round < 6; round++) {
        uint64_t occurrences;
        const bool rich = round % 3 != 0;
        hcbr_model *model = train(&r, rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, &occurrences);
        hcbr_model_info info = {.size = sizeof info};
        hcbr_model_get_info(model, &info);
        assert_int_equal(info.occurrences, occurrences);
        check_cases(model, rich, &r);
        hcbr_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(spelled__numbers_of_a_case_count_once, fault_folder_empty),
    };
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
