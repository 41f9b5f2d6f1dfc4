/*
 * The importance of columns over past cases: the evenly spaced ones, added one by one; its progress
 * counts them and can stop it, alone and within an inspection as JSON; and every allocation may
 * fail.
 */
#include "add_case.h"
#include "faults.h"
#include "live.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 37, KEYS = 4 };

static hcbr_model *make_model(hcbr_model_kind kind, hcbr_keep keep) {
    harness_random r = {5};
    hcbr_cases *cases = fault_new_cases();
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_error err;
    for (int i = 0; i < CASES; i++) {
        char key[KEYS][8], value[KEYS][8];
        hcbr_feature f[KEYS];
        int label = i < 2 ? i : harness_below(&r, 2);
        size_t n = 0;
        for (int k = 0; k < KEYS; k++) {
            if (harness_below(&r, 4) == 0)
                continue;
            snprintf(key[n], sizeof key[n], "k%d", k);
            snprintf(value[n], sizeof value[n], k ? "v%d" : "%d.5",
                     label + harness_below(&r, k ? 2 : 5));
            f[n] = (hcbr_feature){key[n], strlen(key[n]), value[n], strlen(value[n])};
            n++;
        }
        harness_ok(add_one_case(cases, f, n, label ? "yes" : "no", NULL, &err), &err);
    }
    hcbr_train_options_init(&o);
    o.model = kind;
    o.keep = keep;
    o.effort = HCBR_EFFORT_LITE;
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    hcbr_writer *writer; // what a model makes when it is first asked, it keeps
    harness_ok(hcbr_writer_create(&writer, NULL, NULL, &err), &err);
    harness_ok(hcbr_json_inspection(writer, model, 3, &err), &err);
    hcbr_writer_free(writer);
    return model;
}

static hcbr_explainer *make_explainer(const hcbr_model *model) {
    hcbr_explainer *x;
    hcbr_error err;
    harness_ok(hcbr_explainer_create(&x, model, NULL, NULL, &err), &err);
    return x;
}

/* ---- choice of cases ------------------------------------------------------------------------- */

static void expect_same(hcbr_importance *a, hcbr_importance *b) {
    hcbr_important_columns p = {.size = sizeof p}, q = {.size = sizeof q};
    hcbr_error err;
    harness_ok(hcbr_importance_get(a, &p, &err), &err);
    harness_ok(hcbr_importance_get(b, &q, &err), &err);
    assert_true(p.cases == q.cases && p.count == q.count);
    for (size_t n = 0; n < p.count; n++) {
        const hcbr_important_column *c = &p.columns[n];
        const hcbr_important_column *d = &q.columns[n];
        assert_true(c->name_length == d->name_length && c->cases == d->cases);
        assert_memory_equal(c->name, d->name, c->name_length);
        assert_true(c->importance == d->importance && c->lead == d->lead);
    }
}

/* The past cases that stand first in each of `most` equal parts of them. */
static void add_naive(hcbr_importance *to, const hcbr_model *model, uint64_t most) {
    hcbr_explainer *x = make_explainer(model);
    hcbr_error err;
    uint64_t count = most < CASES ? most : CASES, before = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        hcbr_explanation e = {.size = sizeof e};
        hcbr_feature *f;
        size_t n;
        uint64_t at = (uint64_t)floor((double)i * CASES / (double)count);
        assert_true(at != before && at < CASES); // each once
        before = at;
        harness_ok(hcbr_model_copy_kept(model, at, &f, &n, &err), &err);
        harness_ok(hcbr_explainer_explain(x, row_of(x, f, n), NULL, &e, &err), &err);
        harness_ok(hcbr_importance_add(to, &e, &err), &err);
        hcbr_bytes_free(f);
    }
    hcbr_explainer_free(x);
}

static void importance__is_of_evenly_spaced_cases(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        hcbr_model *model = make_model(kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, HCBR_KEEP_FULL);
        hcbr_explainer *x = make_explainer(model);
        for (uint64_t most = 1; most <= CASES + 1; most += most < 10 ? 1 : 7) {
            hcbr_importance *found, *expected;
            hcbr_error err;
            harness_ok(hcbr_importance_create(&found, &err), &err);
            harness_ok(hcbr_importance_create(&expected, &err), &err);
            harness_ok(hcbr_importance_add_kept(found, x, most, &err), &err);
            add_naive(expected, model, most);
            expect_same(found, expected);
            hcbr_importance_free(found);
            hcbr_importance_free(expected);
        }
        hcbr_explainer_free(x);
        hcbr_model_free(model);
    }
    rows_free();
    assert_int_equal(live_blocks(), 0);
}

static void importance__is_of_none_if_none_are_kept(void **state) {
    (void)state;
    hcbr_model *model = make_model(HCBR_MODEL_PLAIN, HCBR_KEEP_NONE);
    hcbr_explainer *x = make_explainer(model);
    hcbr_important_columns c = {.size = sizeof c};
    hcbr_importance *found;
    hcbr_error err;
    harness_ok(hcbr_importance_create(&found, &err), &err);
    harness_ok(hcbr_importance_add_kept(found, x, 10, &err), &err);
    harness_ok(hcbr_importance_get(found, &c, &err), &err);
    assert_true(c.cases == 0 && c.count == 0);
    hcbr_importance_free(found);
    hcbr_explainer_free(x);
    hcbr_model_free(model);
}

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct watcher {
    uint64_t calls, stop_at, after, done, total, others;
} watcher;

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    watcher *w = context;
    w->calls++;
    w->after += w->stop_at && w->calls > w->stop_at;
    w->others += strcmp(stage, "importance") != 0;
    assert_true(done >= w->done && done <= total);
    w->done = done;
    w->total = total;
    return w->calls == w->stop_at;
}

/* The importance alone, or an inspection with it; the bytes, NULL: it was stopped. */
static char *run(const hcbr_model *model, bool json, watcher *w) {
    const uint64_t before = live_blocks();
    hcbr_error err = {0};
    char *out = NULL;
    hcbr_status st;
    if (json) {
        hcbr_writer *writer;
        harness_ok(hcbr_writer_create(&writer, NULL, NULL, &err), &err);
        if (w)
            hcbr_writer_watch(writer, watch, w);
        if ((st = hcbr_json_inspection(writer, model, 3, &err)) == HCBR_OK)
            out = strdup(hcbr_writer_get(writer, NULL));
        hcbr_writer_free(writer);
    } else {
        hcbr_explainer *x = make_explainer(model);
        hcbr_important_columns c = {.size = sizeof c};
        hcbr_importance *found;
        harness_ok(hcbr_importance_create(&found, &err), &err);
        if (w)
            hcbr_explainer_watch(x, watch, w);
        if ((st = hcbr_importance_add_kept(found, x, 20, &err)) == HCBR_OK) {
            hcbr_error later;
            harness_ok(hcbr_importance_get(found, &c, &later), &later);
            out = calloc(c.count + 1, 64);
            assert_non_null(out);
            for (size_t n = 0; n < c.count; n++)
                snprintf(out + 64 * n, 64, "%a ", c.columns[n].importance);
        }
        hcbr_importance_free(found);
        hcbr_explainer_free(x);
    }
    assert_int_equal(live_blocks(), before);
    assert_int_equal(st, out ? HCBR_OK : HCBR_ECANCELLED);
    assert_true(out || err.status == HCBR_ECANCELLED);
    return out;
}

static void importance__tells_how_far_it_is_and_can_be_stopped(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        hcbr_model *model = make_model(kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, HCBR_KEEP_FULL);
        for (int json = 0; json < 2; json++) {
            watcher all = {0};
            char *silent = run(model, json, NULL), *told = run(model, json, &all);
            assert_non_null(silent);
            assert_string_equal(silent, told);
            assert_int_equal(all.others, 0);
            assert_int_equal(all.done, json ? CASES : 20);
            assert_int_equal(all.total, all.done);
            for (uint64_t at = 1; at <= all.calls; at++) {
                watcher w = {.stop_at = at};
                assert_null(run(model, json, &w));
                assert_int_equal(w.after, 0);
            }
            free(silent);
            free(told);
        }
        hcbr_model_free(model);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct fault_run {
    const hcbr_model *model;
    uint64_t before, cases;
} fault_run;

static hcbr_status run_fault(void *context, hcbr_error *err) {
    fault_run *f = context;
    hcbr_importance *found = NULL;
    hcbr_explainer *x = NULL;
    hcbr_important_columns c = {.size = sizeof c};
    hcbr_status st = hcbr_explainer_create(&x, f->model, NULL, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_importance_create(&found, err);
    if (st == HCBR_OK)
        st = hcbr_importance_add_kept(found, x, 5, err);
    if (st == HCBR_OK)
        st = hcbr_importance_get(found, &c, err);
    f->cases = c.cases;
    hcbr_importance_free(found);
    hcbr_explainer_free(x);
    return st;
}

static void fault_failed(void *context) {
    const fault_run *f = context;
    assert_int_equal(live_blocks(), f->before);
    assert_int_equal(f->cases, 0);
}

static void fault_done(void *context) {
    const fault_run *f = context;
    assert_int_equal(live_blocks(), f->before);
    assert_int_equal(f->cases, 5);
}

static void importance__survives_every_failed_allocation(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        const fault_action action = {NULL, run_fault, fault_failed, fault_done, 0};
        hcbr_model *model = make_model(kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, HCBR_KEEP_FULL);
        fault_run f = {.model = model};
        hcbr_error err;
        harness_ok(run_fault(&f, &err), &err);
        f.before = live_blocks();
        fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 20);
        hcbr_model_free(model);
    }
    assert_int_equal(live_blocks(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(importance__is_of_evenly_spaced_cases),
        cmocka_unit_test(importance__is_of_none_if_none_are_kept),
        cmocka_unit_test(importance__tells_how_far_it_is_and_can_be_stopped),
        cmocka_unit_test(importance__survives_every_failed_allocation),
    };
    live_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
