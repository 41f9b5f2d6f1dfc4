/*
 * Rows explained through a callback: for any number of threads the bytes and the order of an
 * explainer that explains them one by one; the callback, the progress function and a bad row stop
 * it where they say; and every allocation may fail.
 */
#include "faults.h"
#include "live.h"
#include "row_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 23, TRAINED = 40 };

static const uint32_t THREADS[] = {1, 2, 5};

/* ---- data ------------------------------------------------------------------------------------ */

/* Rows of a csv file: numbers, words, an id; some are missing or never seen. Row `bad`, from 1, has
 * a field too many. */
static void write_rows(const char *name, int rows, int labels, uint64_t seed, int bad) {
    harness_random r = {seed};
    FILE *out = fopen(fault_path(name), "w");
    assert_non_null(out);
    fprintf(out, "who,x,z,word,other,label\n");
    for (int i = 1; i <= rows; i++) {
        int label = i <= labels ? i - 1 : harness_below(&r, labels);
        fprintf(out, "r%d,", i);
        if (harness_below(&r, 6) > 0)
            fprintf(out, "%d.%d", harness_below(&r, 4) + 2 * label, harness_below(&r, 10));
        fprintf(out, ",%d,w%d,", harness_below(&r, 30), harness_below(&r, 3) + label);
        if (harness_below(&r, 2) > 0)
            fprintf(out, "a value of many bytes %d", harness_below(&r, 4));
        fprintf(out, ",l%d%s\n", label, i == bad ? ",more" : "");
    }
    assert_int_equal(fclose(out), 0);
}

/* ---- one call -------------------------------------------------------------------------------- */

typedef struct call {
    const hcbr_model *model;
    const char *path;
    const hcbr_read_options *read; // NULL: as in training
    hcbr_explain_rows_options options;
    row_record record;
} call;

static hcbr_status run_call(call *c, hcbr_error *err) {
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    row_record_begin(&c->record);
    hcbr_status st = hcbr_decider_create(&decider, c->model, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_stream_create(&stream, decider, &c->path, 1, c->read, err);
    if (st == HCBR_OK)
        st = hcbr_explain_rows(c->model, stream, NULL, &c->options, row_record_take, &c->record,
                               err);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    row_record_end(&c->record);
    return st;
}

static call call_of(const hcbr_model *model, const char *path) {
    call c = {.model = model, .path = path};
    hcbr_explain_rows_options_init(&c.options);
    return c;
}

static bool is_odd(uint64_t row) {
    return row % 2 == 1;
}

static int want_odd(void *context, uint64_t row) {
    assert_non_null(context);
    return is_odd(row);
}

/* The same by hand: row by row, with one explainer. */
static void expect_naive(call *c, row_record *out) {
    hcbr_decider *decider;
    hcbr_stream *stream;
    hcbr_explainer *x;
    hcbr_error err = {0};
    int more;
    row_record_begin(out);
    harness_ok(hcbr_decider_create(&decider, c->model, NULL, &err), &err);
    harness_ok(hcbr_stream_create(&stream, decider, &c->path, 1, NULL, &err), &err);
    harness_ok(hcbr_explainer_create(&x, c->model, NULL, NULL, &err), &err);
    for (;;) {
        hcbr_decision d = {.size = sizeof d};
        hcbr_explanation e = {.size = sizeof e};
        hcbr_explained_row row = {.size = sizeof row, .explainer = x};
        harness_ok(hcbr_stream_next(stream, &d, &more, &err), &err);
        if (!more || d.row > c->options.last)
            break;
        if (c->options.wanted && !is_odd(d.row))
            continue;
        harness_ok(hcbr_stream_get_row(stream, &row.row, &err), &err);
        harness_ok(hcbr_explainer_explain(x, row.row, c->options.explain, &e, &err), &err);
        row.decision = &d;
        row.explanation = &e;
        (void)row_record_take(out, &row);
    }
    hcbr_explainer_free(x);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    row_record_end(out);
}

static hcbr_model *make_model(hcbr_model_kind kind, int labels, hcbr_keep keep) {
    hcbr_read_options read;
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_error err = {0};
    hcbr_cases *cases = fault_new_cases();
    const char *path = fault_path("train.csv");
    write_rows("train.csv", TRAINED, labels, 11, 0);
    hcbr_read_options_init(&read);
    read.id = "who";
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    o.keep = keep;
    o.read = &read;
    harness_ok(hcbr_cases_read(cases, &path, 1, &read, &err), &err);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    call once = call_of(model, path); // what a model makes when it is first asked, it keeps
    harness_ok(run_call(&once, &err), &err);
    row_record_clear(&once.record);
    return model;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_threads(call *c, const hcbr_index *index) {
    row_record expected = {0};
    hcbr_error err = {0};
    expect_naive(c, &expected);
    for (size_t t = 0; t < COUNT(THREADS); t++)
        for (int shared = 0; shared < 2; shared++) {
            const uint64_t before = live_blocks();
            c->options.threads = THREADS[t];
            c->options.index = shared ? index : NULL;
            harness_ok(run_call(c, &err), &err);
            row_record_expect(&c->record, &expected);
            row_record_clear(&c->record);
            assert_int_equal(live_blocks(), before);
        }
    row_record_clear(&expected);
}

static void rows__are_those_of_one_explainer(void **state) {
    (void)state;
    write_rows("new.csv", ROWS, 3, 29, 0);
    for (int m = 0; m < 6; m++) {
        hcbr_keep keep = m < 4 ? HCBR_KEEP_FULL : HCBR_KEEP_NONE;
        hcbr_model *model = make_model(m % 2 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, 2 + m / 2, keep);
        call c = call_of(model, fault_path("new.csv"));
        hcbr_explain_options few;
        hcbr_index *index;
        hcbr_error err = {0};
        harness_ok(hcbr_index_create(&index, model, NULL, &err), &err);
        check_threads(&c, index);
        hcbr_explain_options_init(&few);
        few.atoms = SIZE_MAX;
        few.cases = few.atom_cases = 0;
        c.options.explain = &few;
        c.options.last = 10;
        check_threads(&c, index);
        c.options.explain = NULL;
        c.options.wanted = want_odd;
        c.options.last = ROWS - 2;
        check_threads(&c, index);
        hcbr_index_free(index);
        hcbr_model_free(model);
    }
}

typedef struct watcher {
    uint64_t calls, stop_at, after;
} watcher;

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    watcher *w = context;
    assert_true(stage[0] != '\0' && (total == 0 || done <= total));
    w->after += w->stop_at && w->calls >= w->stop_at;
    return ++w->calls == w->stop_at;
}

static void rows__stop_when_they_are_told_to(void **state) {
    (void)state;
    write_rows("new.csv", ROWS, 3, 31, 0);
    hcbr_model *model = make_model(HCBR_MODEL_RICH, 3, HCBR_KEEP_FULL);
    for (size_t t = 0; t < COUNT(THREADS); t++) {
        call all = call_of(model, fault_path("new.csv"));
        hcbr_error err = {0};
        all.options.threads = THREADS[t];
        harness_ok(run_call(&all, &err), &err);
        for (uint64_t at = 1; at <= ROWS; at++) { // by the one who receives rows
            call c = all;
            c.record = (row_record){.stop_at = at};
            const uint64_t before = live_blocks();
            assert_int_equal(run_call(&c, &err), HCBR_ECANCELLED);
            assert_int_equal(err.status, HCBR_ECANCELLED);
            assert_int_equal(live_blocks(), before);
            assert_int_equal(c.record.rows, at);
            assert_memory_equal(c.record.text, all.record.text, c.record.size);
            row_record_clear(&c.record);
        }
        for (uint64_t at = 1;; at += at < 10 ? 1 : 7) { // by the one who is told of progress
            watcher w = {.stop_at = at};
            call c = all;
            c.record = (row_record){0};
            c.options.progress = watch;
            c.options.progress_context = &w;
            const uint64_t before = live_blocks();
            hcbr_status st = run_call(&c, &err);
            assert_int_equal(live_blocks(), before);
            assert_int_equal(st, w.calls >= at ? HCBR_ECANCELLED : HCBR_OK);
            assert_memory_equal(c.record.text, all.record.text, c.record.size);
            assert_true(w.after == 0 && (at > 1 || c.record.rows == 0));
            row_record_clear(&c.record);
            if (st == HCBR_OK) {
                assert_true(at > ROWS / THREADS[t]); // before as many rows as there are threads
                break;
            }
        }
        row_record_clear(&all.record);
    }
    hcbr_model_free(model);
}

/* Rows before the bad one are handed out, and its place is named. */
static void rows__before_a_bad_one_are_handed_out(void **state) {
    (void)state;
    hcbr_model *model = make_model(HCBR_MODEL_PLAIN, 2, HCBR_KEEP_FULL);
    hcbr_read_options read;
    hcbr_model_get_read_options(model, &read);
    read.bad_rows = HCBR_BAD_ROWS_STOP;
    for (int bad = 1; bad <= ROWS; bad += 5)
        for (size_t t = 0; t < COUNT(THREADS); t++) {
            write_rows("bad.csv", ROWS, 2, 37, bad);
            call c = call_of(model, fault_path("bad.csv"));
            hcbr_error err = {0};
            c.read = &read;
            c.options.threads = THREADS[t];
            const uint64_t before = live_blocks();
            assert_int_equal(run_call(&c, &err), HCBR_EDATA);
            assert_int_equal(live_blocks(), before);
            assert_int_equal(c.record.rows, bad - 1);
            assert_int_equal(err.status, HCBR_EDATA);
            assert_int_equal(err.line, bad + 1); // behind the header
            assert_string_equal(err.file, c.path);
            assert_true(err.message[0] != '\0');
            row_record_clear(&c.record);
        }
    hcbr_model_free(model);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct fault_call {
    call call;
    row_record expected;
    uint64_t before;
} fault_call;

static hcbr_status fault_run(void *context, hcbr_error *err) {
    fault_call *f = context;
    row_record_clear(&f->call.record);
    return run_call(&f->call, err);
}

/* What was handed out before is right. */
static void fault_failed(void *context) {
    fault_call *f = context;
    assert_int_equal(live_blocks(), f->before);
    assert_true(f->call.record.rows <= f->expected.rows);
    assert_memory_equal(f->call.record.text, f->expected.text, f->call.record.size);
}

static void fault_done(void *context) {
    fault_call *f = context;
    assert_int_equal(live_blocks(), f->before);
    row_record_expect(&f->call.record, &f->expected);
}

static void rows__survive_every_failed_allocation(void **state) {
    (void)state;
    write_rows("few.csv", 6, 2, 41, 0);
    for (int m = 0; m < 2; m++) {
        hcbr_model *model = make_model(m ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, 2, HCBR_KEEP_FULL);
        for (size_t t = 0; t < 2; t++) {
            // residuals of a rich model need not be kept; one thread can do the work of several
            const uint64_t optional = (m ? 6u + 2u * THREADS[t] : 0u) + (THREADS[t] > 1);
            const fault_action action = {NULL, fault_run, fault_failed, fault_done, optional};
            fault_call f = {.call = call_of(model, fault_path("few.csv"))};
            f.call.options.threads = THREADS[t];
            f.before = live_blocks();
            expect_naive(&f.call, &f.expected);
            fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 40);
            row_record_clear(&f.call.record);
            row_record_clear(&f.expected);
        }
        hcbr_model_free(model);
    }
}

/* Everything is given back, that of the models too. */
static int nothing_held(void **state) {
    assert_int_equal(live_blocks(), 0);
    return fault_folder_empty(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows__are_those_of_one_explainer, nothing_held),
        cmocka_unit_test_teardown(rows__stop_when_they_are_told_to, nothing_held),
        cmocka_unit_test_teardown(rows__before_a_bad_one_are_handed_out, nothing_held),
        cmocka_unit_test_teardown(rows__survive_every_failed_allocation, nothing_held),
    };
    live_begin();
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
