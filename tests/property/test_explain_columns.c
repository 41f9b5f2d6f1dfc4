/*
 * Tables in memory as streams: decided and explained row by row, bit by bit as the same file is,
 * for every type of column, record batches and sparse matrices, plain and rich models; a bad row is
 * named with its column and place, after the rows before it; every allocation may fail.
 */
#include "faults.h"
#include "live.h"
#include "random_sparse.h"
#include "random_table.h"
#include "row_record.h"

#include <hcbr/answers.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- one call -------------------------------------------------------------------------------- */

/** A table: of one of the three kinds, or a file. */
typedef struct source {
    const char *path; /* NULL: not a file */
    random_table *table;
    bool arrow;
    const hcbr_sparse *matrix; /* NULL: not a matrix */
    const hcbr_memory_column *label;
} source;

static hcbr_status open_stream(hcbr_stream **out, hcbr_decider *decider, const source *s,
                               const hcbr_read_options *options, hcbr_error *err) {
    if (s->path)
        return hcbr_stream_create(out, decider, &s->path, 1, options, err);
    if (s->matrix)
        return hcbr_stream_create_sparse(out, decider, s->matrix, s->label, 1, options, err);
    if (s->arrow)
        return hcbr_stream_create_arrow(out, decider, &s->table->schema, &s->table->array, options,
                                        err);
    // the descriptions may go, but not what they describe
    size_t count = (size_t)s->table->count;
    hcbr_memory_column *copy = malloc(count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, s->table->described, count * sizeof *copy);
    hcbr_status st = hcbr_stream_create_columns(out, decider, copy, count, options, err);
    memset(copy, 0xA5, count * sizeof *copy);
    free(copy);
    return st;
}

static hcbr_status explain(row_record *record, const hcbr_model *model, const source *s,
                           const hcbr_read_options *options, uint32_t threads, hcbr_error *err) {
    hcbr_explain_rows_options o;
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    hcbr_explain_rows_options_init(&o);
    o.threads = threads;
    row_record_begin(record);
    hcbr_status st = hcbr_decider_create(&decider, model, NULL, err);
    if (st == HCBR_OK)
        st = open_stream(&stream, decider, s, options, err);
    assert_true((stream != NULL) == (st == HCBR_OK));
    if (st == HCBR_OK)
        st = hcbr_explain_rows(model, stream, NULL, &o, row_record_take, record, err);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    row_record_end(record);
    return st;
}

/* Both give the same rows and the same words. */
static void expect_same(const hcbr_model *model, const source *memory, const char *path,
                        hcbr_read_options *options, harness_random *r) {
    const source file = {.path = path};
    row_record found = {0}, expected = {0};
    hcbr_error err = {0};
    options->threads = 1;
    harness_ok(explain(&expected, model, &file, options, 1, &err), &err);
    options->threads = 1 + (uint32_t)harness_below(r, 3);
    harness_ok(explain(&found, model, memory, options, 1 + (uint32_t)harness_below(r, 3), &err),
               &err);
    row_record_expect(&found, &expected);
    row_record_clear(&found);
    row_record_clear(&expected);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A model of cases, which are released; NULL: they have one label. */
static hcbr_model *train(hcbr_cases *cases, const hcbr_read_options *read, hcbr_model_kind kind) {
    hcbr_train_options o;
    hcbr_model *model = NULL;
    hcbr_error err = {0};
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    o.read = read;
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    if (hcbr_cases_get_info(cases).labels > 1)
        harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

static hcbr_model *train_table(const random_table *t, const hcbr_read_options *read,
                               hcbr_model_kind kind) {
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    harness_ok(hcbr_cases_add_columns(cases, t->described, (size_t)t->count, read, &err), &err);
    return train(cases, read, kind);
}

static void tables__are_explained_as_the_same_file(void **state) {
    harness_random r = {harness_seed(20261117)};
    random_table *t = malloc(sizeof *t);
    int explained = 0;
    (void)state;
    assert_non_null(t);
    for (int round = 0; round < 60; round++) {
        hcbr_read_options read;
        const char *presence;
        bool arrow = harness_below(&r, 2);
        hcbr_read_options_init(&read);
        table_draw(t, &r, harness_below(&r, 3) == 0, arrow);
        if (!t->columns[1].list && harness_below(&r, 2))
            read.id = t->columns[1].name;
        else if (harness_below(&r, 2)) {
            presence = t->columns[1].name;
            read.presence = &presence;
            read.presence_count = 1;
        }
        hcbr_model *model =
            train_table(t, &read, harness_below(&r, 2) ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
        if (model) {
            const source memory = {.table = t, .arrow = arrow};
            const char *path = table_file(t);
            if (arrow)
                table_to_arrow(t);
            hcbr_model_get_read_options(model, &read);
            expect_same(model, &memory, path, &read, &r);
            hcbr_model_free(model);
            explained++;
        }
        table_free(t);
    }
    assert_true(explained >= 30);
    free(t);
    assert_int_equal(live_blocks(), 0);
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static void matrices__are_explained_as_the_same_libsvm(void **state) {
    harness_random r = {harness_seed(20261118)};
    random_sparse *d = malloc(sizeof *d);
    int explained = 0;
    (void)state;
    assert_non_null(d);
    for (int round = 0; round < 16; round++) {
        const char *path = sparse_draw(d, &r);
        hcbr_read_options read;
        hcbr_error err = {0};
        hcbr_cases *cases = fault_new_cases();
        harness_ok(hcbr_cases_read(cases, &path, 1, NULL, &err), &err);
        hcbr_model *model = train(cases, NULL, round % 2 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
        if (!model)
            continue;
        const source memory = {.matrix = &d->matrix, .label = &d->y};
        hcbr_model_get_read_options(model, &read);
        expect_same(model, &memory, path, &read, &r);
        hcbr_model_free(model);
        explained++;
    }
    assert_true(explained >= 8);
    free(d);
    assert_int_equal(live_blocks(), 0);
}

/* ---- failures -------------------------------------------------------------------------------- */

enum { FEW = 9 };

/** A number, a word and a label in each row. */
typedef struct few {
    double x[FEW];
    int32_t offsets[2][FEW + 1];
    char text[2][FEW * 2 + 1];
    random_table table; /* that has these columns */
} few;

static few *few_create(void) {
    static const char *const names[] = {"x", "a 'word'", "label"};
    few *f = calloc(1, sizeof *f);
    assert_non_null(f);
    for (int i = 0; i < FEW; i++) {
        f->x[i] = i % 4 + i / 8.0;
        for (int c = 0; c < 2; c++) {
            f->text[c][2 * i] = (char)('a' + c);
            f->text[c][2 * i + 1] = (char)('0' + (c ? i % 2 : i % 3));
            f->offsets[c][i + 1] = 2 * (i + 1);
        }
    }
    for (int c = 0; c < 3; c++) {
        hcbr_memory_column *to = &f->table.described[c];
        hcbr_memory_column_init(to);
        to->name = names[c];
        to->type = c ? HCBR_MEMORY_UTF8 : HCBR_MEMORY_F64;
        to->length = FEW;
        to->values = c ? (const void *)f->offsets[c - 1] : f->x;
        to->text = c ? f->text[c - 1] : NULL;
        to->text_size = c ? 2 * FEW : 0;
    }
    f->table.count = 3;
    return f;
}

static void streams__name_a_bad_row(void **state) {
    (void)state;
    few *f = few_create();
    hcbr_read_options read;
    hcbr_read_options_init(&read);
    hcbr_model *model = train_table(&f->table, &read, HCBR_MODEL_PLAIN);
    const source memory = {.table = &f->table};
    assert_non_null(model);
    for (int bad = 1; bad <= FEW; bad++)
        for (uint32_t threads = 1; threads <= 5; threads += 2) {
            row_record found = {0};
            hcbr_error err = {0};
            char place[32];
            snprintf(place, sizeof place, "row %d:", bad);
            f->text[0][2 * (bad - 1)] = (char)0xFF;
            hcbr_model_get_read_options(model, &read);
            assert_int_equal(explain(&found, model, &memory, &read, threads, &err), HCBR_EDATA);
            assert_int_equal(err.status, HCBR_EDATA);
            assert_non_null(strstr(err.message, "word"));
            assert_non_null(strstr(err.message, place));
            assert_int_equal(found.rows, bad - 1);
            row_record_clear(&found);
            read.bad_rows = HCBR_BAD_ROWS_SKIP;
            harness_ok(explain(&found, model, &memory, &read, threads, &err), &err);
            assert_int_equal(found.rows, FEW - 1);
            row_record_clear(&found);
            f->text[0][2 * (bad - 1)] = 'a';
        }
    hcbr_model_free(model);
    free(f);
}

static void streams__refuse_what_cannot_be(void **state) {
    (void)state;
    few *f = few_create();
    hcbr_read_options read;
    hcbr_decider *decider;
    hcbr_stream *stream = (hcbr_stream *)f;
    hcbr_error err = {0};
    hcbr_read_options_init(&read);
    hcbr_model *model = train_table(&f->table, &read, HCBR_MODEL_PLAIN);
    harness_ok(hcbr_decider_create(&decider, model, NULL, &err), &err);
    hcbr_model_get_read_options(model, &read);
    read.outcomes = "labels";
    assert_int_equal(
        hcbr_stream_create_columns(&stream, decider, f->table.described, 3, &read, &err),
        HCBR_EUSAGE);
    assert_true(stream == NULL && strstr(err.message, "outcomes"));
    read.outcomes = NULL;
    stream = (hcbr_stream *)f;
    f->table.described[1].length = FEW - 1;
    assert_int_equal(
        hcbr_stream_create_columns(&stream, decider, f->table.described, 3, &read, &err),
        HCBR_EUSAGE);
    assert_null(stream);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    free(f);
}

typedef struct fault_call {
    const hcbr_model *model;
    source memory;
    row_record found, expected;
    uint64_t before;
} fault_call;

static hcbr_status fault_run(void *context, hcbr_error *err) {
    fault_call *f = context;
    row_record_clear(&f->found);
    return explain(&f->found, f->model, &f->memory, NULL, 1, err);
}

static void fault_failed(void *context) {
    fault_call *f = context;
    assert_int_equal(live_blocks(), f->before);
    assert_memory_equal(f->found.text, f->expected.text, f->found.size);
}

static void fault_done(void *context) {
    fault_call *f = context;
    assert_int_equal(live_blocks(), f->before);
    row_record_expect(&f->found, &f->expected);
}

static void streams__survive_every_failed_allocation(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        // residuals of a rich model need not be kept
        const fault_action action = {NULL, fault_run, fault_failed, fault_done, kind ? 5 : 0};
        few *data = few_create();
        hcbr_read_options read;
        hcbr_error err = {0};
        hcbr_read_options_init(&read);
        fault_call f = {.memory = {.table = &data->table}};
        hcbr_model *model =
            train_table(&data->table, &read, kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
        f.model = model;
        harness_ok(explain(&f.expected, model, &f.memory, NULL, 1, &err), &err);
        f.before = live_blocks();
        fault_each(&action, &f, HCBR_I_FAULT_ALLOC, 40);
        row_record_clear(&f.found);
        row_record_clear(&f.expected);
        hcbr_model_free(model);
        free(data);
    }
    assert_int_equal(live_blocks(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(tables__are_explained_as_the_same_file, fault_folder_empty),
        cmocka_unit_test_teardown(matrices__are_explained_as_the_same_libsvm, fault_folder_empty),
        cmocka_unit_test(streams__name_a_bad_row),
        cmocka_unit_test(streams__refuse_what_cannot_be),
        cmocka_unit_test(streams__survive_every_failed_allocation),
    };
    live_begin();
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
