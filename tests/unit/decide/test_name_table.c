/*
 * The table by name of a small model: a stream of many cases, which uses it, decides each as a row
 * of this case alone is decided, whose names are looked up in the dictionary.
 */
#include "add_case.h"
#include "decide_support.h"
#include "row_of.h"
#include "seed.h"

#include <unistd.h>

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

enum { MOST = 12, KNOWN = 300, ALL = 400, CASES = 600 };

/** Features of every kind, the last of them in no training case. */
static char keys[ALL][64], values[ALL][64];
static hcbr_feature features[ALL];

/** Short, long, bare; keys that begin others; `n=1`, which goes by number in the dictionary. */
static void make_features(void) {
    static const char *const shapes[][2] = {
        {"k%d", "v"},
        {"k%d", ""},
        {"a key that is too long %d", "to be packed"},
        {"k%d=", "v"},
        {"%d", "1"},
        {"b%d", NULL},
        {"long bare key %09d", NULL},
        {"c%d", "fourteen bytes"},
    };
    for (int f = 0; f < ALL; f++) {
        const char *const *shape = shapes[f % 8];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(keys[f], sizeof keys[f], shape[0], f);
#pragma GCC diagnostic pop
        if (shape[1])
            snprintf(values[f], sizeof values[f], "%s", shape[1]);
        features[f] = (hcbr_feature){keys[f], strlen(keys[f]), shape[1] ? values[f] : NULL,
                                     shape[1] ? strlen(values[f]) : 0};
    }
}

typedef struct drawn {
    hcbr_feature at[MOST];
    size_t count;
} drawn;

/* A case, with features that stand there twice. */
static drawn draw_case(uint64_t range) {
    drawn x = {.count = below(MOST)};
    for (size_t n = 0; n < x.count; n++)
        x.at[n] = n > 0 && below(6) == 0 ? x.at[below(n)] : features[below(range)];
    return x;
}

static hcbr_model *train(void) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (size_t i = 0; i < 400; i++) {
        drawn x = draw_case(KNOWN);
        assert_int_equal(add_one_case(cases, x.at, x.count, i % 2 ? "yes" : "no", NULL, NULL),
                         HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static void compare(const hcbr_decision *found, const hcbr_decision *wanted) {
    assert_int_equal(found->label, wanted->label);
    assert_int_equal(found->reason, wanted->reason);
    assert_memory_equal(&found->lead, &wanted->lead, sizeof found->lead);
    assert_int_equal(found->known_count, wanted->known_count);
    assert_int_equal(found->feature_count, wanted->feature_count);
    assert_int_equal(found->unseen_count, wanted->unseen_count);
    assert_memory_equal(found->support, wanted->support,
                        found->label_count * sizeof *found->support);
    for (size_t n = 0; n < found->unseen_count; n++)
        assert_true(hcbr_i_feature_same(&found->unseen[n], &wanted->unseen[n]));
}

/* Decide a case as one of a stream. */
static hcbr_status decide_one(hcbr_decider *d, hcbr_i_block *block, const drawn *x,
                              hcbr_decision *out) {
    hcbr_i_raw_case one = {.count = x->count};
    hcbr_i_block_reset(block);
    hcbr_status st = hcbr_i_block_fill(block, x->at, x->count, NULL);
    hcbr_i_block view = *block;
    view.cases = &one;
    view.case_count = 1;
    if (st == HCBR_OK)
        st = hcbr_i_decider_load(d, &view, NULL);
    return st == HCBR_OK ? hcbr_i_decider_run(d, &view, 0, out, NULL) : st;
}

/* One decider for all cases against rows; `first` is its first serial. */
static void check(const hcbr_model *model, const hcbr_rule *rule, uint32_t first) {
    hcbr_decider *many = make_decider(model, rule);
    hcbr_decider *once = make_decider(model, rule);
    hcbr_i_block block = {0};
    many->serial = first;
    for (size_t i = 0; i < CASES; i++) {
        hcbr_decision found = {.size = sizeof found}, wanted = {.size = sizeof wanted};
        drawn x = draw_case(ALL);
        assert_int_equal(decide_one(many, &block, &x, &found), HCBR_OK);
        assert_int_equal(hcbr_decider_decide(once, row_by(once, x.at, x.count), &wanted, NULL),
                         HCBR_OK);
        assert_false(once->named);
        compare(&found, &wanted);
    }
    assert_true(many->named);
    hcbr_i_block_clear(&block);
    hcbr_decider_free(once);
    hcbr_decider_free(many);
}

static void table__decides_as_the_dictionary_does(void **state) {
    (void)state;
    hcbr_model *model = train();
    check(model, NULL, 0);
    hcbr_model_free(model);
}

static void table__knows_past_cases(void **state) {
    (void)state;
    hcbr_model *model = train();
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.memory = 1;
    check(model, &rule, 0);
    hcbr_model_free(model);
}

static void table__survives_the_last_serial(void **state) {
    (void)state;
    hcbr_model *model = train();
    check(model, NULL, UINT32_MAX - CASES / 2); /* numbers of cases start again on the way */
    hcbr_model_free(model);
}

int main(void) {
    seed = test_seed_fresh();
    make_features();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table__decides_as_the_dictionary_does),
        cmocka_unit_test(table__knows_past_cases),
        cmocka_unit_test(table__survives_the_last_serial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
