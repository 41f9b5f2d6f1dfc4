/*
 * Tables in memory decided into arrays: bit by bit what the same rows of a file give through a
 * stream, for every type of column, plain and rich models, any number of threads; a failure is that
 * of the first row, and nothing beyond the rows is written.
 */
#include "faults.h"
#include "random_sparse.h"
#include "random_table.h"
#include "read/read.h"

#include <hcbr/answers.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM 2100 /* rows of the arrays */
#define LABELS 64 /* at the most */
#define GUARD 0x5A

static bool long_tier;

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef struct arrays {
    hcbr_label label[ROOM];
    double probability[ROOM * LABELS], support[ROOM * LABELS], lead[ROOM], known[ROOM];
    uint8_t reason[ROOM];
} arrays;

static hcbr_answers answers_of(arrays *a, bool probable) {
    hcbr_answers answers;
    memset(a, GUARD, sizeof *a);
    hcbr_answers_init(&answers);
    answers.room = ROOM;
    answers.label = a->label;
    answers.probability = probable ? a->probability : NULL;
    answers.support = a->support;
    answers.lead = a->lead;
    answers.known = a->known;
    answers.reason = a->reason;
    return answers;
}

static void expect_guard(const void *at, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        assert_int_equal(((const unsigned char *)at)[i], GUARD);
}

/** Nothing behind the first rows was written. */
static void expect_rest(const arrays *a, size_t rows, size_t labels) {
    expect_guard(a->label, rows * sizeof *a->label, sizeof a->label);
    expect_guard(a->probability, rows * labels * sizeof(double), sizeof a->probability);
    expect_guard(a->support, rows * labels * sizeof(double), sizeof a->support);
    expect_guard(a->lead, rows * sizeof(double), sizeof a->lead);
    expect_guard(a->known, rows * sizeof(double), sizeof a->known);
    expect_guard(a->reason, rows, sizeof a->reason);
}

static size_t label_count(const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    assert_true(info.labels <= LABELS);
    return info.labels;
}

/** The decisions of a stream, kept likewise. */
static size_t stream_arrays(arrays *a, const hcbr_model *model, const hcbr_rule *rule,
                            const char *path, const hcbr_read_options *options, bool *probable) {
    const size_t labels = label_count(model);
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    hcbr_error err = {0};
    size_t row = 0;
    int more = 1;
    memset(a, GUARD, sizeof *a);
    harness_ok(hcbr_decider_create(&decider, model, rule, &err), &err);
    harness_ok(hcbr_stream_create(&stream, decider, &path, 1, options, &err), &err);
    for (;; row++) {
        hcbr_decision d = {.size = sizeof d};
        harness_ok(hcbr_stream_next(stream, &d, &more, &err), &err);
        if (!more)
            break;
        assert_true(row < ROOM && d.row == row + 1);
        a->label[row] = d.label;
        memcpy(a->support + row * labels, d.support, labels * sizeof(double));
        *probable = d.probability != NULL;
        if (d.probability)
            memcpy(a->probability + row * labels, d.probability, labels * sizeof(double));
        a->lead[row] = d.lead;
        a->known[row] = d.feature_count ? (double)d.known_count / (double)d.feature_count : 0.0;
        a->reason[row] = (uint8_t)d.reason;
    }
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return row;
}

/* ---- random tables --------------------------------------------------------------------------- */

/** Options that name some columns of the table; column 0 is the label. */
typedef struct naming {
    hcbr_read_options options;
    const char *ignore[1], *text[1], *presence[1], *na[2];
    hcbr_split split[1];
} naming;

static void draw_naming(naming *n, harness_random *r, const random_table *t) {
    hcbr_read_options *o = &n->options;
    memset(n, 0, sizeof *n);
    hcbr_read_options_init(o);
    o->words = table_words;
    o->hash_key = 1;
    bool special = harness_below(r, 2); // else blocks can be coded
    for (int c = 1; c < t->count; c++) {
        const char *name = t->columns[c].name;
        switch (harness_below(r, special ? 8 : 3)) {
        case 0:
            n->ignore[0] = name;
            o->ignore = n->ignore;
            o->ignore_count = 1;
            break;
        case 1:
            o->id = t->columns[c].list ? o->id : name;
            break;
        case 3:
            n->text[0] = name;
            o->text = n->text;
            o->text_count = 1;
            break;
        case 4:
            n->presence[0] = name;
            o->presence = n->presence;
            o->presence_count = 1;
            break;
        case 5:
            n->split[0] = (hcbr_split){name, "|"};
            o->split = n->split;
            o->split_count = 1;
            break;
        default:
            break;
        }
    }
    if (!t->jsonl && harness_below(r, 4) == 0) { // in jsonl the list is about strings alone
        n->na[0] = "7";
        n->na[1] = "";
        o->na = n->na;
        o->na_count = 2;
    }
}

/** A model of the first rows of a table; NULL: they are no cases to train from. */
static hcbr_model *train(random_table *t, const naming *n, harness_random *r) {
    const uint64_t rows = t->described[0].length;
    const uint64_t first = harness_below(r, 2) ? rows : 1 + rows / 2;
    hcbr_train_options options;
    hcbr_cases *cases = fault_new_cases();
    hcbr_model *model = NULL;
    hcbr_error err = {0};
    for (int c = 0; c < t->count; c++)
        t->described[c].length = first < rows ? first : rows;
    harness_ok(hcbr_cases_add_columns(cases, t->described, (size_t)t->count, &n->options, &err),
               &err);
    for (int c = 0; c < t->count; c++)
        t->described[c].length = rows;
    hcbr_train_options_init(&options);
    options.model = harness_below(r, 3) == 0 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    options.read = &n->options;
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    if (hcbr_cases_get_info(cases).labels > 1)
        harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

static void columns__are_decided_as_the_same_file(void **state) {
    harness_random r = {harness_seed(20251117)};
    random_table *t = malloc(sizeof *t);
    arrays *memory = malloc(sizeof *memory), *file = malloc(sizeof *file);
    const int rounds = long_tier ? 3000 : harness_rounds(150);
    int decided = 0;
    (void)state;
    assert_true(t && memory && file);
    for (int round = 0; round < rounds; round++) {
        bool arrow = harness_below(&r, 2);
        hcbr_read_options stored;
        hcbr_error err = {0};
        hcbr_rule rule;
        naming n;
        table_draw(t, &r, harness_below(&r, 3) == 0, arrow);
        draw_naming(&n, &r, t);
        hcbr_model *model = train(t, &n, &r);
        if (!model) {
            table_free(t);
            continue;
        }
        hcbr_rule_init(&rule);
        rule.memory = harness_below(&r, 2);
        hcbr_model_get_read_options(model, &stored);
        stored.words = table_words;
        bool probable = false;
        size_t rows = stream_arrays(file, model, &rule, table_file(t), &stored, &probable);
        hcbr_i_table_range = (size_t)(1 + harness_below(&r, 30));
        stored.threads = (uint32_t)harness_below(&r, 5);
        hcbr_answers answers = answers_of(memory, probable);
        if (arrow)
            table_to_arrow(t);
        harness_ok(arrow ? hcbr_model_decide_arrow(model, &rule, &t->schema, &t->array, &stored,
                                                   &answers, &err)
                         : hcbr_model_decide_columns(model, &rule, t->described, (size_t)t->count,
                                                     &stored, &answers, &err),
                   &err);
        assert_int_equal(answers.count, rows);
        assert_memory_equal(memory, file, sizeof *memory);
        expect_rest(memory, rows, label_count(model));
        hcbr_model_free(model);
        table_free(t);
        decided++;
    }
    assert_true(decided > rounds / 2);
    free(memory);
    free(file);
    free(t);
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static void sparse__is_decided_as_the_same_libsvm(void **state) {
    harness_random r = {harness_seed(20251118)};
    random_sparse *d = malloc(sizeof *d);
    arrays *memory = malloc(sizeof *memory), *file = malloc(sizeof *file);
    (void)state;
    assert_true(d && memory && file);
    for (int round = 0; round < (long_tier ? 600 : harness_rounds(30)); round++) {
        const char *path = sparse_draw(d, &r);
        hcbr_read_options stored;
        hcbr_train_options options;
        hcbr_cases *cases = fault_new_cases();
        hcbr_model *model = NULL;
        hcbr_error err = {0};
        bool probable = false, labelled = harness_below(&r, 2);
        hcbr_train_options_init(&options);
        options.model = harness_below(&r, 3) == 0 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        harness_ok(hcbr_cases_read(cases, &path, 1, NULL, &err), &err);
        harness_ok(hcbr_cases_finish(cases, &err), &err);
        harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
        hcbr_cases_free(cases);
        path = sparse_draw(d, &r);
        hcbr_model_get_read_options(model, &stored);
        size_t rows = stream_arrays(file, model, NULL, path, &stored, &probable);
        hcbr_i_table_range = (size_t)(1 + harness_below(&r, 30));
        stored.threads = (uint32_t)harness_below(&r, 5);
        hcbr_answers answers = answers_of(memory, probable);
        harness_ok(hcbr_model_decide_sparse(model, NULL, &d->matrix, labelled ? &d->y : NULL,
                                            labelled, &stored, &answers, &err),
                   &err);
        assert_int_equal(answers.count, rows);
        assert_memory_equal(memory, file, sizeof *memory);
        hcbr_model_free(model);
    }
    free(memory);
    free(file);
    free(d);
}

/* ---- threads, failures, limits --------------------------------------------------------------- */

#define MANY 2000

/** Rows of two numbers and a word, and a model of them. */
typedef struct many {
    hcbr_model *model;
    double x[MANY], z[MANY];
    int32_t offsets[MANY + 1];
    char text[MANY * 4];
    hcbr_memory_column columns[3];
    arrays one, more;
} many;

static many *many_create(hcbr_model_kind kind) {
    many *m = calloc(1, sizeof *m);
    hcbr_train_options options;
    hcbr_read_options read;
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    harness_random r = {harness_seed(20251119)};
    assert_non_null(m);
    for (int i = 0; i < MANY; i++) {
        m->x[i] = harness_below(&r, 30) / 4.0;
        m->z[i] = harness_below(&r, 100000) / 7.0;
        snprintf(m->text + 3 * i, 4, "w%02d", harness_below(&r, 20) + 20 * (m->x[i] > 3));
        m->offsets[i + 1] = 3 * (i + 1);
    }
    const char *names[] = {"x", "z", "word"};
    const void *values[] = {m->x, m->z, m->offsets};
    for (int c = 0; c < 3; c++) {
        hcbr_memory_column_init(&m->columns[c]);
        m->columns[c].name = names[c];
        m->columns[c].type = c < 2 ? HCBR_MEMORY_F64 : HCBR_MEMORY_UTF8;
        m->columns[c].values = values[c];
        m->columns[c].length = 300;
    }
    m->columns[2].text = m->text;
    m->columns[2].text_size = sizeof m->text;
    hcbr_read_options_init(&read);
    read.label = "word";
    hcbr_train_options_init(&options);
    options.model = kind;
    options.read = &read;
    harness_ok(hcbr_cases_add_columns(cases, m->columns, 3, &read, &err), &err);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    harness_ok(hcbr_model_train(&m->model, cases, &options, &err), &err);
    hcbr_cases_free(cases);
    for (int c = 0; c < 3; c++)
        m->columns[c].length = MANY;
    hcbr_i_table_range = 100;
    return m;
}

static void many_free(many *m) {
    hcbr_model_free(m->model);
    free(m);
}

static hcbr_status many_decide(many *m, const hcbr_read_options *options, arrays *to,
                               hcbr_error *err) {
    hcbr_answers answers = answers_of(to, false);
    hcbr_status st =
        hcbr_model_decide_columns(m->model, NULL, m->columns, 3, options, &answers, err);
    assert_int_equal(answers.count, st == HCBR_OK ? MANY : 0);
    return st;
}

static void arrays__are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        many *m = many_create(kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
        hcbr_read_options options;
        hcbr_error err = {0};
        hcbr_model_get_read_options(m->model, &options);
        harness_ok(many_decide(m, NULL, &m->one, &err), &err);
        for (options.threads = 2; options.threads < 9; options.threads++) {
            harness_ok(many_decide(m, &options, &m->more, &err), &err);
            assert_memory_equal(&m->more, &m->one, sizeof m->one);
        }
        many_free(m);
    }
}

typedef struct notices {
    int count;
    char last[300];
    int left; /* calls of progress until it stops */
    uint64_t done;
} notices;

static void note(void *context, hcbr_notice kind, const hcbr_error *where) {
    notices *n = context;
    (void)kind;
    if (!strstr(where->message, "row skipped"))
        return;
    assert_true(n->count == 0 || strcmp(n->last, where->message) < 0); // numbers of equal length
    n->count++;
    snprintf(n->last, sizeof n->last, "%.200s", where->message);
}

static void rows__that_cannot_be_used_are_skipped_or_stop(void **state) {
    many *m = many_create(HCBR_MODEL_PLAIN);
    const int bad[] = {1100, 1105, 1350, 1999};
    hcbr_read_options options;
    hcbr_error err = {0};
    (void)state;
    harness_ok(many_decide(m, NULL, &m->one, &err), &err);
    for (size_t i = 0; i < COUNT(bad); i++)
        m->text[3 * bad[i]] = (char)0xFF;
    hcbr_model_get_read_options(m->model, &options);
    for (options.threads = 1; options.threads < 6; options.threads++) {
        notices n = {.count = 0};
        options.notify = note;
        options.notify_context = &n;
        options.bad_rows = HCBR_BAD_ROWS_STOP;
        assert_int_equal(many_decide(m, &options, &m->more, &err), HCBR_EDATA);
        assert_non_null(strstr(err.message, "column 'word', row 1101:"));
        options.bad_rows = HCBR_BAD_ROWS_SKIP;
        harness_ok(many_decide(m, &options, &m->more, &err), &err);
        assert_int_equal(n.count, COUNT(bad));
        for (int i = 0, b = 0; i < MANY; i++) {
            bool skipped = b < (int)COUNT(bad) && bad[b] == i;
            b += skipped;
            assert_int_equal(m->more.reason[i], skipped ? HCBR_ROW_SKIPPED : m->one.reason[i]);
            assert_int_equal(m->more.label[i], skipped ? HCBR_LABEL_UNKNOWN : m->one.label[i]);
            assert_true(skipped ? isnan(m->more.lead[i]) != 0
                                : memcmp(&m->more.lead[i], &m->one.lead[i], sizeof(double)) == 0);
        }
    }
    many_free(m);
}

/* The first range fails at its last row, all others at their first: threads that took them have
 * failed long before. */
static void failure__is_of_the_first_row(void **state) {
    many *m = many_create(HCBR_MODEL_PLAIN);
    const size_t before = hcbr_i_table_range;
    hcbr_read_options options;
    hcbr_error err = {0};
    (void)state;
    hcbr_i_table_range = MANY / 8;
    for (int i = MANY / 8 - 1; i < MANY; i += i % (MANY / 8) ? 1 : MANY / 8)
        m->text[3 * i] = (char)0xFF;
    hcbr_model_get_read_options(m->model, &options);
    options.bad_rows = HCBR_BAD_ROWS_STOP;
    for (int i = 0; i < 100; i++) {
        options.threads = (uint32_t)(2 + i % 4);
        assert_int_equal(many_decide(m, &options, &m->more, &err), HCBR_EDATA);
        assert_non_null(strstr(err.message, "row 250:"));
    }
    hcbr_i_table_range = before;
    many_free(m);
}

static int progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    notices *n = context;
    assert_string_equal(stage, "decide");
    assert_true(done >= n->done && done <= total && total == MANY);
    n->done = done;
    return n->left-- == 0;
}

static void progress__can_stop_at_any_time(void **state) {
    many *m = many_create(HCBR_MODEL_PLAIN);
    hcbr_read_options options;
    hcbr_error err = {0};
    (void)state;
    hcbr_model_get_read_options(m->model, &options);
    options.progress = progress;
    for (options.threads = 1; options.threads < 5; options.threads += 3)
        for (int calls = 0;; calls++) {
            notices n = {.left = calls};
            options.progress_context = &n;
            hcbr_status st = many_decide(m, &options, &m->more, &err);
            assert_int_equal(st, n.left < 0 ? HCBR_ECANCELLED : HCBR_OK);
            if (st == HCBR_OK) {
                assert_true(options.threads > 1 || (n.done == MANY && calls > 10));
                break;
            }
        }
    many_free(m);
}

static void answers__are_refused_that_cannot_be(void **state) {
    many *m = many_create(HCBR_MODEL_PLAIN);
    hcbr_read_options options;
    hcbr_error err = {0};
    (void)state;
    hcbr_answers answers = answers_of(&m->more, false);
    answers.room = MANY - 1;
    assert_int_equal(hcbr_model_decide_columns(m->model, NULL, m->columns, 3, NULL, &answers, &err),
                     HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "1999"));
    answers = answers_of(&m->more, true); // a plain model has no probabilities
    assert_int_equal(hcbr_model_decide_columns(m->model, NULL, m->columns, 3, NULL, &answers, &err),
                     HCBR_EUSAGE);
    answers = answers_of(&m->more, false);
    hcbr_model_get_read_options(m->model, &options);
    options.outcomes = "labels";
    assert_int_equal(
        hcbr_model_decide_columns(m->model, NULL, m->columns, 3, &options, &answers, &err),
        HCBR_EUSAGE);
    answers.size = sizeof answers - 1;
    assert_int_equal(hcbr_model_decide_columns(m->model, NULL, m->columns, 3, NULL, &answers, &err),
                     HCBR_EUSAGE);
    expect_rest(&m->more, 0, 0);
    hcbr_answers_init(&answers); // nothing is wanted of no rows
    for (int c = 0; c < 3; c++)
        m->columns[c].length = 0;
    harness_ok(hcbr_model_decide_columns(m->model, NULL, m->columns, 3, NULL, &answers, &err),
               &err);
    many_free(m);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct failing {
    many *m;
    hcbr_read_options options;
} failing;

static hcbr_status run(void *context, hcbr_error *err) {
    failing *f = context;
    return many_decide(f->m, &f->options, &f->m->more, err);
}

static void done(void *context) {
    failing *f = context;
    assert_memory_equal(&f->m->more, &f->m->one, sizeof f->m->one);
}

static void failed(void *context) {
    (void)context;
}

static void memory__that_is_short_leaves_nothing_behind(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads < 5; threads += 3) {
        // the list of threads to start: without it one does all the work
        const fault_action action = {
            .run = run, .failed = failed, .done = done, .optional = threads > 1};
        failing f = {.m = many_create(HCBR_MODEL_PLAIN)};
        hcbr_error err = {0};
        harness_ok(many_decide(f.m, NULL, &f.m->one, &err), &err);
        hcbr_model_get_read_options(f.m->model, &f.options);
        f.options.threads = threads;
        fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 10);
        many_free(f.m);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(columns__are_decided_as_the_same_file, fault_folder_empty),
        cmocka_unit_test_teardown(sparse__is_decided_as_the_same_libsvm, fault_folder_empty),
        cmocka_unit_test(arrays__are_the_same_for_any_number_of_threads),
        cmocka_unit_test(rows__that_cannot_be_used_are_skipped_or_stop),
        cmocka_unit_test(failure__is_of_the_first_row),
        cmocka_unit_test(progress__can_stop_at_any_time),
        cmocka_unit_test(answers__are_refused_that_cannot_be),
        cmocka_unit_test(memory__that_is_short_leaves_nothing_behind),
    };
    long_tier = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
