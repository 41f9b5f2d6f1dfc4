/*
 * What training leaves out might as well never have been given: a model of a list with cases of
 * weight 0, features of importance 0 and values of few cases has the bytes of the model of the list
 * without them, whatever the other options, and however often the list is used before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "add_case.h"
#include "harness.h"

#include <hcbr/hcbr.h>

#include <string.h>

enum { DRAWS = 250, MOST_CASES = 40, COLUMNS = 5, VALUES = 6 };

/* A list: by case and column a value, 0 for none. */
typedef struct table {
    uint32_t cases, labels;
    bool numbers; /* some values are */
    uint8_t value[MOST_CASES][COLUMNS];
    uint8_t label[MOST_CASES];
    double weight[MOST_CASES];
} table;

/* Which of it is left. */
typedef struct selection {
    bool without_case[MOST_CASES];
    bool without[COLUMNS][VALUES + 1];
} selection;

static const char *const COLUMN[COLUMNS] = {"a", "b", "c", "d", "e"};
/* Names, and a mixture of them with numbers. Where numbers are features they stand behind names, in
 * the order in which the list met their columns: with another list features are numbered otherwise.
 */
static const char *const VALUE[2][VALUES + 1] = {
    {"", "red", "blue", "green", "white", "black", "grey"},
    {"", "red", "3", "4.5", "-7", "blue", "1e3"}};

static uint64_t seed;

static int take_seed(void **state) {
    (void)state;
    seed = harness_seed(31);
    return 0;
}

static uint32_t below(harness_random *r, uint32_t n) {
    return (uint32_t)harness_below(r, (int)n);
}

static void draw_table(table *t, harness_random *r) {
    *t = (table){.cases = 4 + below(r, MOST_CASES - 3), .labels = 2 + below(r, 3)};
    for (uint32_t i = 0; i < t->cases; i++) {
        t->label[i] = (uint8_t)below(r, t->labels);
        t->weight[i] = below(r, 3) ? (double)(1 + below(r, 4)) / 2 : 0;
        for (uint32_t c = 0; c < COLUMNS; c++)
            t->value[i][c] = below(r, 3) ? (uint8_t)(1 + below(r, VALUES)) : 0;
    }
    t->weight[below(r, t->cases)] = 1; // one at the least
}

static const char *value_of(const table *t, uint32_t i, uint32_t c) {
    return VALUE[t->numbers][t->value[i][c]];
}

static hcbr_cases *list_of(const table *t, const selection *s) {
    hcbr_cases *cases = NULL;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < t->cases; i++) {
        hcbr_feature features[COLUMNS];
        const char label[2] = {(char)('A' + t->label[i]), 0};
        size_t count = 0;
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (t->value[i][c] && !s->without[c][t->value[i][c]])
                features[count++] =
                    (hcbr_feature){COLUMN[c], 1, value_of(t, i, c), strlen(value_of(t, i, c))};
        if (!s->without_case[i])
            assert_int_equal(add_one_case(cases, features, count, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* Compare the models of the whole list and of what is left of it. */
static void compare(const table *t, const selection *s, hcbr_train_options whole,
                    hcbr_train_options left, uint64_t draw) {
    const selection all = {.without_case = {false}};
    hcbr_cases *lists[2] = {list_of(t, &all), list_of(t, s)};
    hcbr_train_options *options[2] = {&whole, &left};
    void *bytes[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        for (int again = options[k]->consume ? 1 : 0; again < 2; again++) {
            hcbr_model *model = NULL;
            hcbr_error err;
            hcbr_bytes_free(bytes[k]);
            if (hcbr_model_train(&model, lists[k], options[k], &err) != HCBR_OK ||
                hcbr_model_serialize(model, &bytes[k], &size[k], &err) != HCBR_OK)
                fail_msg("draw %llu: %s", (unsigned long long)draw, err.message);
            hcbr_model_free(model);
        }
        hcbr_cases_free(lists[k]);
    }
    if (size[0] != size[1] || memcmp(bytes[0], bytes[1], size[0]) != 0)
        fail_msg("draw %llu: another model", (unsigned long long)draw);
    hcbr_bytes_free(bytes[0]);
    hcbr_bytes_free(bytes[1]);
}

/* Options that change the model in the same way whatever is left out. */
static hcbr_train_options draw_options(harness_random *r, hcbr_model_kind kind) {
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    o.keep = (hcbr_keep)below(r, 3);
    o.seed = below(r, 5);
    o.passes = below(r, 3);
    o.scope = (hcbr_scope)below(r, 2);
    o.given_order = (int)below(r, 2);
    return o;
}

/* What must not change the model at all. */
static void draw_way(harness_random *r, hcbr_train_options *o) {
    o->consume = (int)below(r, 2);
    o->threads = 1 + below(r, 2);
}

static void cases_of_weight_0__might_not_be_there(void **state) {
    (void)state;
    harness_random r = {seed};
    for (uint64_t draw = 0; draw < DRAWS / 5; draw++) {
        table t;
        selection s = {.without_case = {false}};
        double weight[MOST_CASES];
        uint32_t count = 0;
        draw_table(&t, &r);
        t.numbers = below(&r, 2);
        for (uint32_t i = 0; i < t.cases; i++)
            if (t.weight[i] > 0)
                weight[count++] = t.weight[i];
            else
                s.without_case[i] = true;
        hcbr_train_options whole = draw_options(&r, HCBR_MODEL_RICH);
        whole.min_cases = below(&r, 3) ? 1 : 2;
        hcbr_train_options left = whole;
        whole.weight = t.weight;
        left.weight = weight;
        draw_way(&r, &whole);
        draw_way(&r, &left);
        compare(&t, &s, whole, left, draw);
    }
}

/* Leave out what is in fewer cases than o->min_cases, whatever its importance. */
static void leave_rare(const table *t, selection *s, uint32_t least) {
    for (uint32_t c = 0; c < COLUMNS; c++)
        for (uint32_t v = 1; v <= VALUES; v++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < t->cases; i++)
                count += t->value[i][c] == v;
            s->without[c][v] |= count < least;
        }
}

static void features_of_importance_0_and_rare_ones__might_not_be_there(void **state) {
    (void)state;
    harness_random r = {seed + 1};
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        table t;
        selection s = {.without_case = {false}};
        hcbr_emphasis list[3];
        draw_table(&t, &r);
        hcbr_train_options whole = draw_options(&r, HCBR_MODEL_PLAIN);
        whole.min_cases = 1 + below(&r, 4);
        whole.prune = below(&r, 3) ? 0 : 0.6;
        const uint32_t column = below(&r, COLUMNS), value = 1 + below(&r, VALUES);
        if (below(&r, 2)) {
            const uint32_t other = (column + 1) % COLUMNS;
            list[0] = (hcbr_emphasis){COLUMN[column], NULL, 0};
            list[1] = (hcbr_emphasis){COLUMN[other], VALUE[0][value], 0};
            list[2] = (hcbr_emphasis){COLUMN[(column + 2) % COLUMNS], NULL, 2.5};
            whole.emphasis = list;
            whole.emphasis_count = 3;
            for (uint32_t v = 1; v <= VALUES; v++)
                s.without[column][v] = true;
            s.without[other][value] = true;
        }
        leave_rare(&t, &s, whole.min_cases);
        hcbr_train_options left = whole;
        draw_way(&r, &whole);
        draw_way(&r, &left);
        compare(&t, &s, whole, left, draw);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_weight_0__might_not_be_there),
        cmocka_unit_test(features_of_importance_0_and_rare_ones__might_not_be_there),
    };
    return cmocka_run_group_tests(tests, take_seed, NULL);
}
