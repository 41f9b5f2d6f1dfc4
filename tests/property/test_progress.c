/*
 * Progress of audits, tuning and nested cross-validation: within a stage it never goes back and
 * ends at its total; the callback may stop at any call, which gives HCBR_ECANCELLED, no output, and
 * all memory back; and who does not ask gets the same bytes as who does.
 */
#include "add_case.h"
#include "audit/audit.h"
#include "faults.h"
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 90, KEYS = 6, STAGES = 8 };

/* ---- observers ------------------------------------------------------------------------------- */

typedef struct watcher {
    uint64_t calls, stop_at; /* 0: never */
    uint64_t after;          /* calls from the stop on */
    char stage[32];
    uint64_t done, total;
    char met[STAGES][32]; /* stages, in their order */
    size_t met_count;
} watcher;

static void end_stage(const watcher *w) {
    if (w->total > 0)
        assert_int_equal(w->done, w->total);
}

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    watcher *w = context;
    w->calls++;
    if (strcmp(stage, w->stage) != 0) {
        end_stage(w);
        assert_true(w->met_count < STAGES);
        for (size_t n = 0; n < w->met_count; n++) // a stage does not come back
            assert_string_not_equal(w->met[n], stage);
        strcpy(w->met[w->met_count++], stage);
        strcpy(w->stage, stage);
        w->done = w->total = 0;
    }
    assert_true(done >= w->done && (total == 0 || done <= total));
    assert_true(w->total == 0 || total == w->total);
    w->done = done;
    w->total = total;
    if (!w->stop_at || w->calls < w->stop_at)
        return 0;
    w->after++;
    return 1;
}

static bool has_met(const watcher *w, const char *stage) {
    bool met = false;
    for (size_t n = 0; n < w->met_count; n++)
        met |= strcmp(w->met[n], stage) == 0;
    return met;
}

/* ---- observed calls -------------------------------------------------------------------------- */

typedef struct job {
    const hcbr_cases *cases;
    hcbr_train_options train;
    hcbr_tune_options tune;
    uint32_t threads;
    hcbr_progress_fn *progress;
    watcher *watcher;
    hcbr_audit_figures figures; /* of an audit */
    /* what came out of it, as bytes; the caller's */
    char *bytes;
    size_t size;
} job;

typedef hcbr_status job_fn(job *j, hcbr_error *err);

static void keep(job *j, const void *bytes, size_t size) {
    j->bytes = malloc(size + 1);
    assert_non_null(j->bytes);
    memcpy(j->bytes, bytes, size);
    j->size = size;
}

/* The text of a writer, which is released. */
static void keep_text(job *j, hcbr_writer *w) {
    size_t size;
    const char *text = hcbr_writer_get(w, &size);
    keep(j, text, size);
    hcbr_writer_free(w);
}

static hcbr_status audit(job *j, hcbr_error *err) {
    hcbr_audit *a = (hcbr_audit *)j;
    hcbr_audit_options o;
    hcbr_writer *w;
    hcbr_audit_options_init(&o);
    o.threads = j->threads;
    o.progress = j->progress;
    o.progress_context = j->watcher;
    hcbr_status st = hcbr_audit_create(&a, j->cases, &o, err);
    if (st != HCBR_OK) {
        assert_null(a);
        return st;
    }
    harness_ok(hcbr_writer_create(&w, NULL, NULL, err), err);
    harness_ok(hcbr_json_audit(w, a, err), err);
    keep_text(j, w);
    j->figures.size = sizeof j->figures;
    hcbr_audit_get_figures(a, &j->figures);
    hcbr_audit_free(a);
    return st;
}

static hcbr_train_options train_options(job *j) {
    hcbr_train_options o = j->train;
    o.threads = j->threads;
    o.progress = j->progress;
    o.progress_context = j->watcher;
    o.tune = j->tune.goal == HCBR_GOAL_NONE ? NULL : &j->tune;
    return o;
}

static hcbr_status train(job *j, hcbr_error *err) {
    hcbr_model *model = (hcbr_model *)j;
    hcbr_train_options o = train_options(j);
    hcbr_status st = hcbr_model_train(&model, (hcbr_cases *)j->cases, &o, err);
    if (st != HCBR_OK) {
        assert_null(model);
        return st;
    }
    fault_bytes b = fault_serialize(model);
    keep(j, b.at, b.size);
    hcbr_bytes_free(b.at);
    hcbr_model_free(model);
    return st;
}

static hcbr_status evaluate(job *j, hcbr_error *err) {
    hcbr_evaluation *e = (hcbr_evaluation *)j;
    hcbr_train_options train = train_options(j);
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    o.folds = 3;
    o.threads = j->threads;
    o.train = &train;
    o.keep_answers = 1;
    o.progress = j->progress;
    o.progress_context = j->watcher;
    hcbr_status st = hcbr_evaluate(&e, j->cases, &o, err);
    if (st != HCBR_OK) {
        assert_null(e);
        return st;
    }
    hcbr_writer *w;
    harness_ok(hcbr_writer_create(&w, NULL, NULL, err), err);
    harness_ok(hcbr_json_answers(w, e, 0, err), err);
    keep_text(j, w);
    hcbr_evaluation_free(e);
    return st;
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Run it with a watcher, who may stop it. */
static hcbr_status run(job *j, job_fn *what, watcher *w) {
    hcbr_error err;
    memset(&err, 0xA5, sizeof err);
    j->progress = w ? watch : NULL;
    j->watcher = w;
    j->bytes = NULL;
    const uint64_t before = live_blocks();
    hcbr_status st = what(j, &err);
    assert_int_equal(live_blocks(), before);
    assert_true(st == HCBR_OK || st == err.status);
    return st;
}

/* Stop at every `by`-th call. Returns how many calls there are. */
static watcher check(job *j, job_fn *what, uint64_t by) {
    watcher all = {0};
    assert_int_equal(run(j, what, NULL), HCBR_OK);
    char *bytes = j->bytes;
    size_t size = j->size;
    assert_int_equal(run(j, what, &all), HCBR_OK);
    assert_true(all.calls > 0);
    end_stage(&all);
    assert_int_equal(j->size, size);
    assert_memory_equal(j->bytes, bytes, size);
    free(j->bytes);
    free(bytes);
    uint64_t stopped = 0;
    for (uint64_t at = 1; at <= all.calls; at += by) {
        watcher w = {.stop_at = at};
        hcbr_status st = run(j, what, &w);
        // With threads another may have done more before the first of the calls.
        if (j->threads > 1 && w.calls < at) {
            assert_int_equal(st, HCBR_OK);
            free(j->bytes);
            continue;
        }
        assert_int_equal(st, HCBR_ECANCELLED);
        assert_int_equal(w.after, 1); // nothing is asked again
        stopped++;
    }
    assert_true(stopped > 0); // the first call is always there
    return all;
}

/* Two numbers, and words that hang on the label; some cases twice, some empty. */
static hcbr_cases *make_cases(uint32_t labels, uint64_t seed) {
    harness_random random = {seed};
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < CASES; i++) {
        int label = harness_below(&random, (int)labels);
        char key[KEYS][8], value[KEYS][16], name[8];
        hcbr_feature f[KEYS];
        size_t n = 0;
        for (int k = 0; k < KEYS && i % 17 > 0; k++) {
            if (harness_below(&random, 5) == 0)
                continue;
            snprintf(key[n], sizeof key[n], "k%d", k);
            if (k < 2)
                snprintf(value[n], sizeof value[n], "%d.5", 3 * label + harness_below(&random, 5));
            else
                snprintf(value[n], sizeof value[n], "v%d",
                         label * (k % 2) + harness_below(&random, 3));
            f[n] = (hcbr_feature){key[n], strlen(key[n]), value[n], strlen(value[n])};
            n++;
        }
        snprintf(name, sizeof name, "l%d", i < (int)labels ? i : label);
        for (int copy = 0; copy <= (i % 11 == 0); copy++)
            harness_ok(add_one_case(cases, f, n, name, NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

static int count_asked(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)stage, (void)done, (void)total;
    ++*(uint64_t *)context;
    return 0;
}

/* How often an audit asks if it does so at each case, feature and key: no loop is left out. */
static uint64_t audit_calls(const job *j) {
    const uint64_t cases = j->figures.cases, features = j->figures.features;
    uint32_t *atom, atoms;
    uint64_t spell = 0, groups = 0;
    hcbr_cases *spelled = NULL;
    hcbr_error err;
    if (j->cases->apart)
        harness_ok(hcbr_i_cases_spell(&spelled, j->cases, "", count_asked, &spell, &err), &err);
    harness_ok(hcbr_i_engine_of(HCBR_MODEL_PLAIN)
                   ->group(&atom, &atoms, spelled ? spelled : j->cases, j->threads, count_asked,
                           &groups, &err),
               &err);
    hcbr_i_free(atom);
    hcbr_cases_free(spelled);
    assert_true(groups > 0);
    const uint64_t sort = cases, same = j->figures.different, turn = 2 * cases;
    const uint64_t keys = 2 * features + cases, list = 1 + j->figures.keys;
    const uint64_t coverage = features + cases, begin_labels_end = 3;
    return begin_labels_end + spell + sort + same + turn + keys + 1 + groups + list + coverage;
}

static void progress__of_an_audit(void **state) {
    (void)state;
    assert_true(HCBR_I_AUDIT_STRIDE <= 1024); // cases of 10,000 columns take a tenth of a second
    for (uint32_t labels = 1; labels <= 3; labels++)
        for (uint32_t stride = 1; stride <= 41; stride += 8) {
            /* Of threads only the caller's asks, before each piece that it happens to take. */
            job j = {.cases = make_cases(labels, 7 * labels + stride),
                     .threads = stride == 1 ? 1 : 1 + labels % 2};
            hcbr_i_audit_stride = stride;
            watcher w = check(&j, audit, stride == 1 ? 5 : 1);
            assert_true(w.met_count == 1 && w.done == 1000 && w.total == 1000);
            assert_true(w.calls > CASES / stride);
            if (stride == 1)
                assert_int_equal(w.calls, audit_calls(&j));
            hcbr_cases_free((hcbr_cases *)j.cases);
        }
    hcbr_i_audit_stride = HCBR_I_AUDIT_STRIDE;
}

static job tuning_job(uint32_t labels, hcbr_goal goal, hcbr_model_kind model, uint32_t threads) {
    job j = {.cases = make_cases(labels, 3 + labels), .threads = threads};
    hcbr_train_options_init(&j.train);
    hcbr_tune_options_init(&j.tune);
    j.train.model = model;
    j.train.passes = 2;
    j.tune.goal = goal;
    j.tune.folds = 4;
    j.tune.max_error = 0.4;
    return j;
}

static void progress__of_tuning_a_plain_model(void **state) {
    static const uint32_t passes[] = {0, 2};
    static const hcbr_goal goals[] = {HCBR_GOAL_ACCURACY, HCBR_GOAL_COST, HCBR_GOAL_MAX_ERROR};
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++)
        for (size_t g = 0; g < COUNT(goals); g++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                job j = tuning_job(labels, goals[g], HCBR_MODEL_PLAIN, threads);
                if (g > 0)
                    j.train.calibrate =
                        labels == 2 ? HCBR_CALIBRATE_PLATT : HCBR_CALIBRATE_ISOTONIC;
                j.tune.passes = passes;
                j.tune.pass_count = 2;
                j.tune.choose_scope = g == 0;
                watcher w = check(&j, train, 11);
                assert_true(has_met(&w, "held out") && has_met(&w, "tune"));
                assert_true(has_met(&w, "calibrate") == (g > 0));
                hcbr_cases_free((hcbr_cases *)j.cases);
            }
}

/* Every step of building a plain model can be stopped: features and numbers that stand apart, two
 * labels and more. */
static void progress__of_a_plain_model(void **state) {
    static const hcbr_scope scopes[] = {HCBR_SCOPE_CLASS, HCBR_SCOPE_ALL};
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++)
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            for (size_t s = 0; s < COUNT(scopes); s++) {
                job j = tuning_job(labels, HCBR_GOAL_NONE, HCBR_MODEL_PLAIN, threads);
                j.train.scope = scopes[s];
                watcher w = check(&j, train, 1);
                assert_true(has_met(&w, "partition") && has_met(&w, "strength"));
                hcbr_cases_free((hcbr_cases *)j.cases);
            }
}

/* Cases of one number each, all different: as many features as cases. */
static hcbr_cases *make_numbers(uint32_t count) {
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (uint32_t i = 0; i < count; i++) {
        char value[16];
        snprintf(value, sizeof value, "%u.5", i);
        hcbr_feature f = {"x", 1, value, strlen(value)};
        harness_ok(add_one_case(cases, &f, 1, i % 3 ? "a" : "b", NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

/* What is asked, by stage. */
typedef struct stage_count {
    char stage[32];
    uint64_t calls;
} stage_count;

static int count_calls(void *context, const char *stage, uint64_t done, uint64_t total) {
    stage_count *c = context;
    (void)done, (void)total;
    size_t n = 0;
    while (c[n].calls > 0 && strcmp(c[n].stage, stage) != 0)
        n++;
    strcpy(c[n].stage, stage);
    c[n].calls++;
    return 0;
}

/* Questions are asked every so many features in each of the steps, not between steps alone: with
 * twice the features there are so many more. */
static void progress__asks_within_the_steps_of_a_plain_model(void **state) {
    enum { FEW = 60000, MORE = 120000 };
    /* Features in steps of 4096, of 8192 (signatures and numbers five times), of 16384 (parsed) and
     * of 65536; groups of 2048; a table that is made twice as large, cleared and filled. */
    enum { BY_4096 = 15, BY_8192 = 7, BY_16384 = 4, BY_65536 = 1, GROUPS = 32 };
    static const struct {
        const char *stage;
        uint64_t more; /* of 60,000 features */
    } wanted[] = {{"numbers", BY_4096 + 2 + 2 * BY_65536},
                  {"partition", 5 * BY_8192 + BY_16384 + BY_65536 + GROUPS},
                  {"strength", 5 * BY_4096 + BY_8192}};
    stage_count counts[2][STAGES] = {0};
    (void)state;
    for (int n = 0; n < 2; n++) {
        hcbr_cases *cases = make_numbers(n ? MORE : FEW);
        hcbr_train_options o;
        hcbr_model *model;
        hcbr_error err;
        hcbr_train_options_init(&o);
        o.model = HCBR_MODEL_PLAIN;
        o.passes = 0;
        o.threads = 1;
        o.progress = count_calls;
        o.progress_context = counts[n];
        harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    for (size_t s = 0; s < COUNT(wanted); s++) {
        uint64_t calls[2] = {0, 0};
        for (int n = 0; n < 2; n++)
            for (size_t c = 0; c < STAGES; c++)
                if (strcmp(counts[n][c].stage, wanted[s].stage) == 0)
                    calls[n] = counts[n][c].calls;
        print_message("%s: %llu and %llu questions\n", wanted[s].stage,
                      (unsigned long long)calls[0], (unsigned long long)calls[1]);
        assert_true(calls[1] >= calls[0] + wanted[s].more);
    }
}

/* The parts of all choices are one stage; without a goal there are only those of calibration. */
static void progress__counts_all_held_out_parts(void **state) {
    static const uint32_t passes[] = {0, 1, 2};
    (void)state;
    for (uint32_t scopes = 1; scopes <= 2; scopes++) {
        job j = tuning_job(2, HCBR_GOAL_ACCURACY, HCBR_MODEL_PLAIN, 1);
        watcher w = {0};
        j.tune.passes = passes;
        j.tune.pass_count = 3;
        j.tune.choose_scope = scopes == 2;
        assert_int_equal(run(&j, train, &w), HCBR_OK);
        free(j.bytes);
        // each part of four is asked about before its partition, its strengths, its passes, at
        // their end and its own
        uint64_t held = 0;
        for (uint32_t p = 0; p < 3; p++)
            held += 4 * scopes * (3 + passes[p] + (passes[p] > 0));
        assert_true(w.calls > held);
        hcbr_cases_free((hcbr_cases *)j.cases);
    }
    job j = tuning_job(3, HCBR_GOAL_NONE, HCBR_MODEL_PLAIN, 1);
    j.train.calibrate = HCBR_CALIBRATE_ISOTONIC;
    watcher w = check(&j, train, 11);
    assert_true(has_met(&w, "held out") && has_met(&w, "calibrate") && !has_met(&w, "tune"));
    hcbr_cases_free((hcbr_cases *)j.cases);
}

static void progress__of_tuning_a_rich_model(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        job j = tuning_job(labels, HCBR_GOAL_ACCURACY, HCBR_MODEL_RICH, labels - 1);
        j.train.effort = HCBR_EFFORT_LITE;
        watcher w = check(&j, train, 13);
        assert_true(has_met(&w, "votes") && has_met(&w, "trust") && has_met(&w, "tune"));
        hcbr_cases_free((hcbr_cases *)j.cases);
    }
}

static void progress__of_nested_cross_validation(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            job j = tuning_job(labels, HCBR_GOAL_ACCURACY, HCBR_MODEL_PLAIN, threads);
            watcher w = check(&j, evaluate, 31);
            assert_true(w.met_count == 3 && has_met(&w, "numbers") && has_met(&w, "evaluate"));
            assert_true(w.done == 3 && w.total == 3);
            assert_string_equal(w.stage, "together"); // some cases are equal
            hcbr_cases_free((hcbr_cases *)j.cases);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress__of_an_audit),
        cmocka_unit_test(progress__of_tuning_a_plain_model),
        cmocka_unit_test(progress__of_a_plain_model),
        cmocka_unit_test(progress__asks_within_the_steps_of_a_plain_model),
        cmocka_unit_test(progress__counts_all_held_out_parts),
        cmocka_unit_test(progress__of_tuning_a_rich_model),
        cmocka_unit_test(progress__of_nested_cross_validation),
    };
    live_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
