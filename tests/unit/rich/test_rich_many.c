/*
 * Rich models of more labels than are fitted side by side: the same bytes in any order and on any
 * number of threads, through a file and back; size and work grow with the cases, not with cases
 * times labels; any allocation may fail.
 */
#include "add_case.h"
#include "engines.h"
#include "model/model.h"
#include "property/harness.h"

#include <hcbr/decision.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { COLUMNS = 6, VALUES = 12 };

static uint64_t seed;

/* Cases that look like their label, in an order of its own. */
static hcbr_cases *make_cases(int count, int labels, bool backwards) {
    static const char *const KEY[COLUMNS] = {"a", "b", "c", "d", "e", "f"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (int n = 0; n < count; n++) {
        int i = backwards ? count - 1 - n : n, label = i % labels;
        harness_random own = {seed + (uint64_t)label * 7919}, r = {seed ^ (uint64_t)i << 20};
        hcbr_feature f[COLUMNS];
        char name[16], value[COLUMNS][16];
        for (int c = 0; c < COLUMNS; c++) {
            int typical = harness_below(&own, VALUES), other = harness_below(&r, VALUES);
            int v = harness_below(&r, 3) ? typical : other;
            snprintf(value[c], sizeof value[c], c == 0 ? "%d" : "v%d", v);
            f[c] = (hcbr_feature){KEY[c], 1, value[c], strlen(value[c])};
        }
        snprintf(name, sizeof name, "l%d", label);
        assert_int_equal(add_one_case(cases, f, COLUMNS, name, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static hcbr_model *train(int count, int labels, bool backwards, hcbr_effort effort, int threads) {
    hcbr_cases *cases = make_cases(count, labels, backwards);
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_train_options_init(&o);
    o.effort = effort;
    o.threads = (uint32_t)threads;
    o.keep = HCBR_KEEP_ANONYMOUS; // what is kept of the order is not compared
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

/* The rich part as bytes. */
static hcbr_i_out bytes_of(const hcbr_model *model) {
    hcbr_i_out out = {0};
    hcbr_i_rich_write(&out, hcbr_i_model_rich(model));
    assert_false(out.failed);
    return out;
}

static void many__are_the_same_in_any_order_and_on_any_threads(void **state) {
    (void)state;
    for (int effort = 0; effort < 2; effort++) {
        hcbr_model *a = train(300, 70, false, (hcbr_effort)effort, 1);
        hcbr_model *b = train(300, 70, true, (hcbr_effort)effort, 3);
        assert_null(hcbr_i_model_rich(a)->linear.strength);
        assert_int_equal(hcbr_i_model_rich(a)->rows, hcbr_i_model_rich(b)->rows);
        const hcbr_i_rich_lists *x = &hcbr_i_model_rich(a)->linear.lists,
                                *y = &hcbr_i_model_rich(b)->linear.lists;
        size_t size = hcbr_i_rich_linear_size(&hcbr_i_model_rich(a)->linear),
               all = (size_t)x->start[size];
        assert_memory_equal(x->start, y->start, (size + 1) * sizeof *x->start);
        assert_memory_equal(x->label, y->label, all * sizeof *x->label);
        assert_memory_equal(x->value, y->value, all * sizeof *x->value);
        assert_memory_equal(hcbr_i_model_rich(a)->stack.trust, hcbr_i_model_rich(b)->stack.trust,
                            sizeof hcbr_i_model_rich(a)->stack.trust);
        x = &hcbr_i_model_rich(a)->shares.lists, y = &hcbr_i_model_rich(b)->shares.lists;
        size = hcbr_i_model_rich(a)->forest.leaf_count;
        assert_int_equal(size, hcbr_i_model_rich(b)->forest.leaf_count);
        assert_memory_equal(x->value, y->value, (size_t)x->start[size] * sizeof *x->value);
        hcbr_model_free(a);
        hcbr_model_free(b);
    }
}

static void many__come_back_from_a_file(void **state) {
    (void)state;
    hcbr_model *model = train(200, 80, false, HCBR_EFFORT_LITE, 1), *again;
    void *bytes, *other;
    size_t size, other_size;
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_parse(&again, bytes, size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_serialize(again, &other, &other_size, NULL), HCBR_OK);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    hcbr_bytes_free(bytes);
    hcbr_bytes_free(other);
    hcbr_model_free(model);
    hcbr_model_free(again);
}

/* A label of its own for every case: twice the cases are twice the bytes, not four times. */
static void many__cost_what_their_cases_do(void **state) {
    (void)state;
    uint64_t size[2];
    for (int twice = 0; twice < 2; twice++) {
        int count = twice ? 1200 : 600;
        hcbr_model *model = train(count, count, false, HCBR_EFFORT_LITE, 1);
        const hcbr_i_rich_kept *kept = &hcbr_i_model_rich(model)->kept;
        // each label is fitted to its case and to 64 others
        assert_true(kept->alpha_start[count] <= 66 * (uint64_t)count);
        hcbr_i_out out = bytes_of(model);
        size[twice] = out.size;
        hcbr_i_out_clear(&out);
        hcbr_model_free(model);
    }
    assert_true(size[1] * 2 < size[0] * 5);
}

/* Training a plain model makes new pairs of atom and label; the room they leave is bounded. */
static void many__leave_no_gaps_in_plain_models(void **state) {
    (void)state;
    hcbr_cases *cases = make_cases(3000, 500, false);
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.passes = 3;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    uint64_t used = 0;
    for (uint32_t e = 0; e < hcbr_i_model_plain(model)->strength.atom_count; e++)
        used += hcbr_i_model_plain(model)->strength.length[e];
    assert_true(hcbr_i_model_plain(model)->strength.entry_count_all <= 6 * used);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static void many__survive_a_lack_of_memory(void **state) {
    (void)state;
    hcbr_cases *cases = make_cases(90, 66, false);
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.effort = HCBR_EFFORT_LITE;
    bool done = false;
    for (uint64_t at = 1; !done; at += 1 + at / 16) {
        hcbr_model *model = NULL;
        hcbr_error err = {0};
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, at, false);
        hcbr_status st = hcbr_model_train(&model, cases, &o, &err);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        done = st == HCBR_OK;
        assert_true(done || (st == HCBR_ENOMEM && !model));
        hcbr_model_free(model);
    }
    hcbr_cases_free(cases);
}

static void many__are_refused_where_they_take_too_much(void **state) {
    (void)state;
    hcbr_cases *cases = make_cases(400, 400, false);
    hcbr_train_options o;
    hcbr_estimate need = {.size = sizeof need}, lite = {.size = sizeof lite};
    hcbr_model *model;
    hcbr_error err = {0};
    hcbr_train_options_init(&o);
    assert_int_equal(hcbr_model_estimate(cases, &o, &need, NULL), HCBR_OK);
    o.max_memory = need.bytes - 1;
    assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_ENOMEM);
    assert_null(model);
    assert_non_null(strstr(err.message, "MB of memory, expected at most"));
    o.effort = HCBR_EFFORT_LITE;
    assert_int_equal(hcbr_model_estimate(cases, &o, &lite, NULL), HCBR_OK);
    assert_true(lite.bytes < need.bytes);
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many__are_the_same_in_any_order_and_on_any_threads),
        cmocka_unit_test(many__come_back_from_a_file),
        cmocka_unit_test(many__cost_what_their_cases_do),
        cmocka_unit_test(many__leave_no_gaps_in_plain_models),
        cmocka_unit_test(many__survive_a_lack_of_memory),
        cmocka_unit_test(many__are_refused_where_they_take_too_much),
    };
    seed = harness_seed(64);
    return cmocka_run_group_tests_name("rich models of many labels", tests, NULL, NULL);
}
