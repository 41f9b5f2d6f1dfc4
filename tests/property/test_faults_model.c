/*
 * Every allocation and every call to the system made to fail in turn while models are trained,
 * written, read and asked, and while cases are decided.
 */
#include "add_case.h"
#include "faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- case bases and models --------------------------------------------------------------------
 */

/* Cases of 1, 2 or 4 labels, with ids and with rows that were skipped. */
static hcbr_cases *some_cases(int labels) {
    static const char *const bad = "label,who,a,b\nl0,r1,1,2\nl0,r2,1\nl0,\"the third row\",2,2\n";
    static const char *const keys[] = {"a", "b", "a key with a long name", "d", "e"};
    hcbr_cases *cases = fault_new_cases();
    hcbr_read_options o;
    hcbr_error err;
    hcbr_read_options_init(&o);
    o.id = "who";
    o.bad_rows = HCBR_BAD_ROWS_SKIP;
    fault_write("cases.csv", bad, strlen(bad));
    const char *path = fault_path("cases.csv");
    harness_ok(hcbr_cases_read(cases, &path, 1, &o, &err), &err);
    for (int i = 0; i < 24; i++) { /* many are decided wrongly, so that training moves strength */
        hcbr_feature features[COUNT(keys)];
        size_t count = 0;
        char label[16];
        for (size_t k = 0; k < COUNT(keys); k++)
            if ((i * 7 + 3) >> k & 1)
                features[count++] =
                    (hcbr_feature){keys[k], strlen(keys[k]), i & 1 ? "1" : NULL, i & 1};
        snprintf(label, sizeof label, "l%d", (i / 2) % labels);
        harness_ok(add_one_case(cases, features, count, label, i % 3 ? NULL : "id", &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

typedef struct training {
    hcbr_cases *cases;
    hcbr_train_options options;
    hcbr_rule rule;
    hcbr_model *model;
    fault_bytes expected;
} training;

static const char *const missing[] = {"", "-"}, *const left_out[] = {"x", "a long name of one"};

/* The options that allocate most; thresholds for the first label. */
static void training_begin(training *t, int labels) {
    static const hcbr_threshold threshold = {"l0", 0.25, 0.75, "prior"};
    static hcbr_read_options read;
    hcbr_read_options_init(&read);
    read.id = "who";
    read.na = missing;
    read.na_count = COUNT(missing);
    read.ignore = left_out;
    read.ignore_count = COUNT(left_out);
    *t = (training){.cases = some_cases(labels)};
    hcbr_train_options_init(&t->options);
    t->options.model = HCBR_MODEL_PLAIN;
    t->options.passes = 2;
    t->options.given_order = 1;
    t->options.read = &read;
    hcbr_rule_init(&t->rule);
    t->rule.thresholds = &threshold;
    t->rule.threshold_count = 1;
    t->options.rule = &t->rule;
}

static void training_end(training *t) {
    hcbr_bytes_free(t->expected.at);
    hcbr_cases_free(t->cases);
}

static hcbr_status train_run(void *context, hcbr_error *err) {
    training *t = context;
    t->model = (hcbr_model *)context; /* anything but NULL */
    return hcbr_model_train(&t->model, t->cases, &t->options, err);
}

static void train_failed(void *context) {
    training *t = context;
    assert_null(t->model);
}

static void train_done(void *context) {
    training *t = context;
    fault_bytes b = fault_serialize(t->model);
    if (t->expected.at) {
        fault_expect_bytes(&b, &t->expected);
        hcbr_bytes_free(b.at);
    } else
        t->expected = b;
    hcbr_model_free(t->model);
}

/* A model of the case base with its bytes in t->expected. */
static hcbr_model *train_one(training *t) {
    hcbr_error err;
    if (!t->expected.at) {
        harness_ok(train_run(t, &err), &err);
        train_done(t);
    }
    harness_ok(train_run(t, &err), &err);
    return t->model;
}

static void faults__are_reported_by_train(void **state) {
    (void)state;
    static const int labels[] = {1, 2, 4};
    fault_action a = {NULL, train_run, train_failed, train_done, 0};
    for (size_t l = 0; l < COUNT(labels); l++)
        for (int scope = 0; scope < 2; scope++)
            for (int keep = 0; keep < 3; keep++) {
                training t;
                training_begin(&t, labels[l]);
                t.options.scope = (hcbr_scope)scope;
                t.options.keep = (hcbr_keep)keep;
                for (uint32_t threads = 1; threads < 3; threads++) { /* the bytes stay the same */
                    t.options.threads = threads;
                    /* one array is made smaller and threads are started if that can be done */
                    a.optional = threads == 1 ? 1 : 6;
                    hcbr_model_free(train_one(&t));
                    fault_each(&a, &t, HCBR_I_FAULT_ALLOC, 40);
                }
                training_end(&t);
            }
}

/* Thresholds and probabilities are learnt from models of parts, each of which can fail. */
static void faults__are_reported_by_tuning(void **state) {
    (void)state;
    static const hcbr_goal goals[] = {HCBR_GOAL_MCC, HCBR_GOAL_COST, HCBR_GOAL_MAX_ERROR};
    static const uint32_t passes[] = {0, 2};
    for (size_t g = 0; g < COUNT(goals); g++) {
        training t;
        hcbr_tune_options tune;
        training_begin(&t, g == 0 ? 2 : 3);
        hcbr_tune_options_init(&tune);
        tune.goal = goals[g];
        tune.max_error = 0.4;
        tune.folds = 2;
        tune.passes = passes;
        tune.pass_count = COUNT(passes);
        t.options.tune = &tune;
        t.options.calibrate = g == 1 ? HCBR_CALIBRATE_PLATT : HCBR_CALIBRATE_ISOTONIC;
        /* arrays of the parts are made smaller if that can be done */
        fault_action a = {NULL, train_run, train_failed, train_done, 64};
        fault_each(&a, &t, HCBR_I_FAULT_ALLOC, 100);
        training_end(&t);
    }
}

/* Enough cases and features that several threads really work. */
static void faults__are_reported_by_train_with_threads(void **state) {
    (void)state;
    /* one array is made smaller, and threads are started, if that can be done */
    const fault_action a = {NULL, train_run, train_failed, train_done, 20};
    training t = {.cases = fault_new_cases()};
    hcbr_error err;
    for (int i = 0; i < 20000; i++) {
        char text[2][16];
        hcbr_feature f[2];
        for (int k = 0; k < 2; k++) {
            int length = snprintf(text[k], sizeof text[k], "%d", k ? i % 9001 : -(i % 7) - 1);
            f[k] = (hcbr_feature){text[k], (size_t)length, NULL, 0};
        }
        harness_ok(add_one_case(t.cases, f, 2, i % 5 < 2 ? "a" : "b", NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(t.cases, &err), &err);
    hcbr_train_options_init(&t.options);
    t.options.model = HCBR_MODEL_PLAIN;
    t.options.threads = 2;
    t.options.keep = HCBR_KEEP_NONE;
    hcbr_model_free(train_one(&t));
    fault_each(&a, &t, HCBR_I_FAULT_ALLOC, 30);
    training_end(&t);
}

/* ---- bytes and files --------------------------------------------------------------------------
 */

typedef struct writing {
    hcbr_model *model;    /* what is written */
    fault_bytes expected; /* its bytes */
    fault_bytes out;
    hcbr_model *loaded;
    const char *old; /* what the file held before; NULL: there was none */
} writing;

static hcbr_status serialize_run(void *context, hcbr_error *err) {
    writing *w = context;
    w->out = (fault_bytes){context, 7};
    return hcbr_model_serialize(w->model, &w->out.at, &w->out.size, err);
}

static void serialize_failed(void *context) {
    writing *w = context;
    assert_null(w->out.at);
    assert_int_equal(w->out.size, 0);
}

static void serialize_done(void *context) {
    writing *w = context;
    fault_expect_bytes(&w->out, &w->expected);
    hcbr_bytes_free(w->out.at);
}

static hcbr_status parse_run(void *context, hcbr_error *err) {
    writing *w = context;
    w->loaded = (hcbr_model *)context;
    return hcbr_model_parse(&w->loaded, w->expected.at, w->expected.size, err);
}

static hcbr_status load_run(void *context, hcbr_error *err) {
    writing *w = context;
    w->loaded = (hcbr_model *)context;
    return hcbr_model_load(&w->loaded, fault_path("model"), err);
}

/* Of a plain model, and where none are kept: whole. */
static hcbr_status load_bare_run(void *context, hcbr_error *err) {
    writing *w = context;
    w->loaded = (hcbr_model *)context;
    return hcbr_model_load_without_cases(&w->loaded, fault_path("model"), err);
}

static void load_bare_done(void *context) {
    writing *w = context;
    fault_bytes b = fault_serialize(w->loaded);
    assert_true(b.size <= w->expected.size);
    hcbr_bytes_free(b.at);
    hcbr_model_free(w->loaded);
}

static void load_failed(void *context) {
    writing *w = context;
    assert_null(w->loaded);
}

static void load_done(void *context) {
    writing *w = context;
    fault_bytes b = fault_serialize(w->loaded);
    fault_expect_bytes(&b, &w->expected);
    hcbr_bytes_free(b.at);
    hcbr_model_free(w->loaded);
}

static void save_prepare(void *context) {
    writing *w = context;
    fault_folder_empty(NULL);
    if (w->old)
        fault_write("model", w->old, strlen(w->old));
}

static hcbr_status save_run(void *context, hcbr_error *err) {
    writing *w = context;
    return hcbr_model_save(w->model, fault_path("model"), err);
}

/*
 * No temporary file; the old file, or none. Only when the file has its name already and the folder
 * cannot be synced is the new one there, whole.
 */
static void save_failed(void *context) {
    writing *w = context;
    fault_bytes b = fault_read("model");
    assert_int_equal(fault_folder_count(), b.at != NULL);
    if (b.at && !(w->old && b.size == strlen(w->old))) {
        fault_expect_bytes(&b, &w->expected);
        w->out.size++; /* counted */
    } else if (w->old)
        assert_memory_equal(b.at, w->old, b.size);
    free(b.at);
}

static void save_done(void *context) {
    writing *w = context;
    fault_bytes b = fault_read("model");
    assert_int_equal(fault_folder_count(), 1);
    fault_expect_bytes(&b, &w->expected);
    free(b.at);
}

static void check_writing(writing *w) {
    const fault_action serialize = {NULL, serialize_run, serialize_failed, serialize_done, 0};
    const fault_action parse = {NULL, parse_run, load_failed, load_done, 0};
    const fault_action save = {save_prepare, save_run, save_failed, save_done, 0};
    const fault_action load = {NULL, load_run, load_failed, load_done, 0};
    const fault_action load_bare = {NULL, load_bare_run, load_failed, load_bare_done, 0};
    fault_each(&serialize, w, HCBR_I_FAULT_ALLOC, 3);
    fault_each(&parse, w, HCBR_I_FAULT_ALLOC, 20);
    for (int i = 0; i < 2; i++) {
        w->old = i ? "what was there before" : NULL;
        w->out.size = 0;
        fault_each(&save, w, HCBR_I_FAULT_ALLOC, 4);
        assert_int_equal(w->out.size, 0);
        fault_each(&save, w, HCBR_I_FAULT_IO, 8);
        /* open, sync and close of the folder, once and from then on */
        assert_int_equal(w->out.size, 6);
    }
    fault_each(&load, w, HCBR_I_FAULT_ALLOC, 20);
    fault_each(&load, w, HCBR_I_FAULT_IO, 3);
    fault_each(&load_bare, w, HCBR_I_FAULT_ALLOC, 20);
    fault_each(&load_bare, w, HCBR_I_FAULT_IO, 3);
}

static void faults__leave_files_whole_or_absent(void **state) {
    (void)state;
    static const int labels[] = {1, 2, 4};
    for (size_t l = 0; l < COUNT(labels); l++)
        for (int keep = 0; keep < 3; keep++) {
            training t;
            training_begin(&t, labels[l]);
            t.options.keep = (hcbr_keep)keep;
            writing w = {.model = train_one(&t)};
            w.expected = t.expected;
            check_writing(&w);
            hcbr_model_free(w.model);
            training_end(&t);
        }
}

static void faults__are_reported_by_load_without_cases(void **state) {
    (void)state;
    const fault_action load_bare = {NULL, load_bare_run, load_failed, load_bare_done, 0};
    training t;
    training_begin(&t, 2);
    t.options.model = HCBR_MODEL_RICH;
    t.options.effort = HCBR_EFFORT_LITE;
    writing w = {.model = train_one(&t)};
    w.expected = t.expected;
    hcbr_error err;
    assert_int_equal(hcbr_model_save(w.model, fault_path("model"), &err), HCBR_OK);
    assert_true(w.expected.size >= 1024);
    fault_each(&load_bare, &w, HCBR_I_FAULT_ALLOC, 20);
    /* header, table, before, between, behind, digest */
    fault_each(&load_bare, &w, HCBR_I_FAULT_IO, 6);
    hcbr_model_free(w.model);
    training_end(&t);
}

/* ---- decisions --------------------------------------------------------------------------------
 */

typedef struct deciding {
    training t;
    hcbr_model *model;
    hcbr_decider *decider;
    hcbr_rule rule;
    const fault_data *d; /* to decide; NULL: one case through the API */
    char *text;          /* all decisions in words */
    size_t size;
    FILE *words;
    char *expected;
} deciding;

static void say_decision(FILE *out, const hcbr_decision *x) {
    fprintf(out, "%d %d %s %llu/%llu row %llu id %.*s given %.*s:", x->label, x->winner,
            hcbr_reason_name(x->reason), (unsigned long long)x->known_count,
            (unsigned long long)x->feature_count, (unsigned long long)x->row,
            x->id ? (int)x->id_length : 0, x->id ? x->id : "", x->given ? (int)x->given_length : 0,
            x->given ? x->given : "");
    for (size_t l = 0; l < x->label_count; l++)
        fprintf(out, " %a", x->support[l]);
    for (size_t u = 0; u < x->unseen_count; u++)
        fprintf(out, " %.*s=%.*s", (int)x->unseen[u].key_length, x->unseen[u].key,
                (int)x->unseen[u].value_length, x->unseen[u].value ? x->unseen[u].value : "");
    fprintf(out, "\n");
}

/* Start over: words of an attempt that failed are not kept. */
static void words_begin(deciding *d) {
    if (d->words)
        fclose(d->words);
    free(d->text);
    d->text = NULL;
    d->words = open_memstream(&d->text, &d->size);
    assert_non_null(d->words);
}

static void words_compare(deciding *d) {
    fclose(d->words);
    d->words = NULL;
    if (d->expected)
        assert_string_equal(d->text, d->expected);
    else
        d->expected = strdup(d->text);
    free(d->text);
    d->text = NULL;
}

/* A model fresh from training has no tables yet: a decider has to make them. */
static void create_prepare(void *context) {
    deciding *d = context;
    d->model = train_one(&d->t);
}

static hcbr_status create_run(void *context, hcbr_error *err) {
    deciding *d = context;
    d->decider = (hcbr_decider *)context;
    return hcbr_decider_create(&d->decider, d->model, &d->rule, err);
}

static void create_failed(void *context) {
    deciding *d = context;
    assert_null(d->decider);
}

static hcbr_status decide_run(void *context, hcbr_error *err) {
    static const char *const keys[] = {"a", "an unseen one", "a", "a key with a long name", "no"};
    deciding *d = context;
    words_begin(d);
    for (size_t repeat = 1; repeat < 12; repeat++) { /* longer every time */
        hcbr_feature features[60];
        hcbr_decision x = {.size = sizeof x};
        for (size_t f = 0; f < 5 * repeat; f++) {
            const char *key = keys[f % 5];
            features[f] = (hcbr_feature){key, strlen(key), f % 2 ? "1" : NULL, f % 2};
        }
        hcbr_row *row;
        hcbr_status st = hcbr_row_create(&row, d->decider, features, 5 * repeat, err);
        if (st == HCBR_OK && (st = hcbr_decider_decide(d->decider, row, &x, err)) == HCBR_OK)
            say_decision(d->words, &x);
        hcbr_row_free(row);
        if (st != HCBR_OK)
            return st;
    }
    return HCBR_OK;
}

static hcbr_status stream_run(void *context, hcbr_error *err) {
    deciding *d = context;
    const char *paths[] = {fault_path(d->d->names[0]), fault_path(d->d->names[1])};
    hcbr_read_options o = fault_read_options(d->d);
    hcbr_stream *stream = (hcbr_stream *)context;
    hcbr_decision x = {.size = sizeof x};
    int more = 1;
    words_begin(d);
    hcbr_status st = hcbr_stream_create(&stream, d->decider, paths, 2, &o, err);
    if (st != HCBR_OK) {
        assert_null(stream);
        return st;
    }
    while (st == HCBR_OK && more) {
        more = 7;
        st = hcbr_stream_next(stream, &x, &more, err);
        if (st == HCBR_OK && more)
            say_decision(d->words, &x);
    }
    assert_int_equal(more, 0);
    if (st != HCBR_OK)
        assert_int_equal(hcbr_stream_next(stream, &x, &more, NULL), HCBR_EUSAGE);
    hcbr_stream_free(stream);
    return st;
}

static void decide_prepare(void *context) {
    deciding *d = context;
    hcbr_error err;
    create_prepare(d);
    harness_ok(create_run(d, &err), &err);
}

static void decide_failed(void *context) {
    (void)context;
}

static void decide_done(void *context) {
    deciding *d = context;
    words_compare(d);
    hcbr_decider_free(d->decider);
    hcbr_model_free(d->model);
}

/* What a new decider says is what the first one said. */
static void create_done(void *context) {
    deciding *d = context;
    hcbr_error err;
    harness_ok(decide_run(d, &err), &err);
    decide_done(d);
}

static void deciding_begin(deciding *d, int labels) {
    *d = (deciding){.d = NULL};
    training_begin(&d->t, labels);
    hcbr_rule_init(&d->rule);
    d->rule.memory = 1;
    d->rule.thresholds = d->t.rule.thresholds;
    d->rule.threshold_count = 1;
}

static void deciding_end(deciding *d) {
    free(d->expected);
    training_end(&d->t);
}

static void faults__are_reported_by_deciders(void **state) {
    (void)state;
    const fault_action create = {create_prepare, create_run, create_failed, create_done, 0};
    const fault_action decide = {decide_prepare, decide_run, decide_failed, decide_done, 0};
    for (int labels = 2; labels <= 4; labels += 2) {
        deciding d;
        hcbr_error err;
        deciding_begin(&d, labels);
        create_prepare(&d);
        harness_ok(create_run(&d, &err), &err);
        create_done(&d); /* says what is expected */
        fault_each(&create, &d, HCBR_I_FAULT_ALLOC, 12);
        fault_each(&decide, &d, HCBR_I_FAULT_ALLOC, 8);
        deciding_end(&d);
    }
}

static void faults__are_reported_by_streams(void **state) {
    (void)state;
    const fault_action stream = {decide_prepare, stream_run, decide_failed, decide_done, 0};
    for (size_t f = 0; f < FAULT_FILES; f++) {
        deciding d;
        hcbr_error err;
        deciding_begin(&d, 4);
        d.d = &fault_files[f];
        fault_write_data(d.d);
        decide_prepare(&d);
        harness_ok(stream_run(&d, &err), &err);
        decide_done(&d);
        fault_each(&stream, &d, HCBR_I_FAULT_ALLOC, 15);
        fault_each(&stream, &d, HCBR_I_FAULT_IO, 4);
        deciding_end(&d);
    }
}

/* ---- questions --------------------------------------------------------------------------------
 */

typedef struct ranking {
    hcbr_model *model;
    hcbr_label label;
    uint32_t atoms[8], expected[8];
    size_t count, expected_count;
} ranking;

static hcbr_status rank_run(void *context, hcbr_error *err) {
    ranking *r = context;
    r->count = 99;
    return hcbr_model_rank_atoms(r->model, r->label, r->atoms, COUNT(r->atoms), &r->count, err);
}

static void rank_failed(void *context) {
    ranking *r = context;
    assert_int_equal(r->count, 0);
}

static void rank_done(void *context) {
    ranking *r = context;
    assert_int_equal(r->count, r->expected_count);
    assert_memory_equal(r->atoms, r->expected, r->count * sizeof *r->atoms);
}

static void faults__are_reported_by_rank_atoms(void **state) {
    (void)state;
    const fault_action a = {NULL, rank_run, rank_failed, rank_done, 0};
    for (int labels = 1; labels <= 4; labels *= 2) {
        training t;
        training_begin(&t, labels);
        ranking r = {.model = train_one(&t)};
        for (r.label = 0; r.label < labels; r.label++) {
            hcbr_error err;
            harness_ok(rank_run(&r, &err), &err);
            memcpy(r.expected, r.atoms, sizeof r.atoms);
            r.expected_count = r.count;
            fault_each(&a, &r, HCBR_I_FAULT_ALLOC, 1);
        }
        hcbr_model_free(r.model);
        training_end(&t);
    }
}

/* Without memory for tables a feature is searched: there is no way to report a failure. */
static void faults__do_not_hide_features(void **state) {
    (void)state;
    training t;
    training_begin(&t, 2);
    hcbr_model *model = train_one(&t);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
    for (uint32_t f = 0; f < info.features; f++) {
        hcbr_feature name;
        hcbr_model_get_feature(model, f, &name);
        assert_int_equal(hcbr_model_find_feature(model, &name), f);
        name.value = name.value ? NULL : "";
        name.value_length = 0;
        uint32_t other = hcbr_model_find_feature(model, &name);
        assert_true(other != f);
    }
    assert_true(hcbr_i_fault_count(HCBR_I_FAULT_ALLOC) > 0);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    hcbr_model_free(model);
    training_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(faults__are_reported_by_train, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_tuning, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_train_with_threads, fault_folder_empty),
        cmocka_unit_test_teardown(faults__leave_files_whole_or_absent, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_load_without_cases, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_deciders, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_streams, fault_folder_empty),
        cmocka_unit_test_teardown(faults__are_reported_by_rank_atoms, fault_folder_empty),
        cmocka_unit_test_teardown(faults__do_not_hide_features, fault_folder_empty),
    };
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
