/*
 * Which features training leaves out: their gains, and what failures leave behind.
 */
#include "property/faults.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "add_case.h"
#include "cases/cases.h"

#define FEATURES 9

/* Cases whose label follows from some of their features, but not always. */
static hcbr_cases *draw_cases(uint64_t seed, int count, int labels) {
    static const char *const LABELS[] = {"a", "b", "c"};
    harness_random r = {seed};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (int i = 0; i < count; i++) {
        char key[FEATURES][16], value[FEATURES][16];
        hcbr_feature list[FEATURES];
        int label = i % labels, n = 0;
        for (int f = 0; f < FEATURES; f++) {
            if (harness_below(&r, 5) == 0)
                continue;
            bool tells = f < 3 && harness_below(&r, 4) > 0;
            snprintf(key[n], 16, "k%d", f);
            snprintf(value[n], 16, "%d", tells ? label : harness_below(&r, 3));
            list[n] = (hcbr_feature){key[n], strlen(key[n]), value[n], strlen(value[n])};
            n++;
        }
        assert_int_equal(add_one_case(cases, list, (size_t)n, LABELS[label], NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* Of some cases: what a list of them alone has. */
static void gains__are_those_of_the_cases_named(void **state) {
    (void)state;
    hcbr_cases *drawn = draw_cases(4, 30, 3), *cases, *some;
    uint32_t which[15], known[3 * FEATURES], labels[3];
    double all[3 * FEATURES], own[3 * FEATURES];
    hcbr_error err = {0};
    for (uint32_t k = 0; k < 15; k++)
        which[k] = 2 * k + 1;
    harness_ok(hcbr_i_cases_spell(&cases, drawn, "numbers", NULL, NULL, &err), &err);
    harness_ok(hcbr_i_cases_subset(&some, cases, which, 15, known, labels, &err), &err);
    harness_ok(hcbr_i_cases_gains(all, cases, which, 15, &err), &err);
    harness_ok(hcbr_i_cases_gains(own, some, NULL, 15, &err), &err);
    int told = 0;
    for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
        assert_true(fabs(all[f] - (known[f] == HCBR_I_NONE ? 0 : own[known[f]])) < 1e-14);
        told += all[f] > 0;
    }
    assert_true(told > 5);
    hcbr_cases_free(some);
    hcbr_cases_free(cases);
    hcbr_cases_free(drawn);
}

typedef struct prune_context {
    hcbr_cases *cases;
    hcbr_model *model;
} prune_context;

static hcbr_status prune_run(void *context, hcbr_error *err) {
    prune_context *c = context;
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.prune = 0.5;
    c->model = (hcbr_model *)context; /* anything but NULL */
    return hcbr_model_train(&c->model, c->cases, &o, err);
}

static void prune_failed(void *context) {
    assert_null(((prune_context *)context)->model);
}

static void prune_done(void *context) {
    prune_context *c = context;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(c->model, &info);
    assert_true(info.features > 0 && info.features < 3 * FEATURES);
    hcbr_model_free(c->model);
}

static void faults__are_reported_by_pruning(void **state) {
    (void)state;
    prune_context c = {.cases = draw_cases(10, 12, 2)};
    const fault_action action = {
        .run = prune_run, .failed = prune_failed, .done = prune_done, .optional = 20};
    fault_each(&action, &c, HCBR_I_FAULT_ALLOC, 20);
    hcbr_cases_free(c.cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains__are_those_of_the_cases_named),
        cmocka_unit_test(faults__are_reported_by_pruning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
