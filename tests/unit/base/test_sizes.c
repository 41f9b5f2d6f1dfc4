// Structures that begin with their size. Each of them is tried with every size from 0 to twice its
// own, in a block of just so many bytes, so that the address sanitizer sees a byte too many: every
// size but its own is HCBR_EUSAGE with words, or nothing of it is read or written. A structure
// that is missing here fails tests/headers/test_layout.py.
#include "base/base.h"
#include "render/html.h"
#include "row_of.h"

#include <hcbr/hcbr.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MARK = 0xA5, ROWS = 60, OWN_TOP = 77 };

static void expect_marks(const void *bytes, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        assert_int_equal(((const unsigned char *)bytes)[i], MARK);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static double number[ROWS];
static int32_t group[ROWS], outcome[ROWS], start[ROWS + 1], place[ROWS];
static hcbr_memory_column column[4]; // the last is new after training
static const hcbr_feature asked[] = {{"n", 1, "7", 1}, {"g", 1, "2", 1}};
static hcbr_cases *cases;
static hcbr_model *model;
static hcbr_decider *decider;
static hcbr_explainer *explainer;
static hcbr_evaluation *evaluation;
static hcbr_audit *audit;
static hcbr_drift *drift;
static hcbr_preview *preview;
static hcbr_summary *summary;
static hcbr_importance *importance;
static hcbr_writer *writer;
static const hcbr_explain_options all_columns = {
    .size = sizeof all_columns, .columns = SIZE_MAX, .atoms = SIZE_MAX, .cases = 3};

static hcbr_error why;

/* Only the own size will do, and the words name what was found and what was expected. */
static void expect_size(const char *name, size_t size, size_t own, hcbr_status status) {
    char words[100];
    if (status != (size == own ? HCBR_OK : HCBR_EUSAGE))
        fail_msg("%s of size %zu of %zu gives %s", name, size, own, hcbr_status_name(status));
    if (size == own)
        return;
    snprintf(words, sizeof words, "found %zu as the size of argument ", size);
    assert_non_null(strstr(why.message, words));
    snprintf(words, sizeof words, ", expected %zu: ", own);
    assert_non_null(strstr(why.message, words));
}

static void ok(hcbr_status status) {
    assert_int_equal(status, HCBR_OK);
}

static void describe(size_t c, const char *name, hcbr_memory_type type, const void *values) {
    hcbr_memory_column_init(&column[c]);
    column[c].name = name;
    column[c].type = type;
    column[c].length = ROWS;
    column[c].values = values;
}

static hcbr_cases *new_cases(void) {
    hcbr_cases *c;
    ok(hcbr_cases_create(&c, 1, NULL));
    ok(hcbr_cases_add_columns(c, column, 3, NULL, NULL));
    ok(hcbr_cases_finish(c, NULL));
    return c;
}

static hcbr_stream *new_stream(void) {
    hcbr_stream *stream;
    ok(hcbr_stream_create_columns(&stream, decider, column, 4, NULL, NULL));
    return stream;
}

static int make(void **state) {
    (void)state;
    hcbr_train_options o;
    hcbr_evaluate_options held_out;
    const char *path = "sizes.csv";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("n,label\n1,a\n2,b\n", file);
    fclose(file);
    for (int i = 0; i < ROWS; i++) {
        number[i] = i;
        group[i] = i % 5;
        outcome[i] = i % 20 < 10;
        start[i + 1] = i + 1;
        place[i] = i % 3;
    }
    describe(0, "n", HCBR_MEMORY_F64, number);
    describe(1, "g", HCBR_MEMORY_I32, group);
    describe(2, "label", HCBR_MEMORY_I32, outcome);
    describe(3, "new", HCBR_MEMORY_I32, group);
    cases = new_cases();
    hcbr_train_options_init(&o);
    o.effort = HCBR_EFFORT_LITE;
    hcbr_evaluate_options_init(&held_out);
    held_out.folds = 2;
    held_out.keep_answers = 1;
    held_out.train = &o;
    ok(hcbr_audit_create(&audit, cases, NULL, NULL));
    ok(hcbr_evaluate(&evaluation, cases, &held_out, NULL));
    ok(hcbr_model_train(&model, cases, &o, NULL));
    ok(hcbr_decider_create(&decider, model, NULL, NULL));
    ok(hcbr_explainer_create(&explainer, model, NULL, NULL, NULL));
    hcbr_stream *stream = new_stream();
    ok(hcbr_drift_measure(&drift, model, stream, NULL, NULL));
    hcbr_stream_free(stream);
    ok(hcbr_preview_create(&preview, &path, 1, NULL, 2, NULL));
    ok(hcbr_summary_create(&summary, model, NULL, NULL));
    ok(hcbr_importance_create(&importance, NULL));
    ok(hcbr_writer_create(&writer, NULL, NULL, NULL));
    remove(path);
    return 0;
}

static int clear(void **state) {
    (void)state;
    hcbr_writer_free(writer);
    hcbr_importance_free(importance);
    hcbr_summary_free(summary);
    hcbr_preview_free(preview);
    hcbr_drift_free(drift);
    hcbr_explainer_free(explainer);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    hcbr_evaluation_free(evaluation);
    hcbr_audit_free(audit);
    hcbr_cases_free(cases);
    return 0;
}

/* ---- options: as the init function makes them, with the fields a call needs ------------------ */

/* The library has allocated: the own size is refused for that, and in other words. */
static hcbr_status call_allocator(void *value) {
    hcbr_status st = hcbr_set_allocator(value, &why);
    assert_int_equal(st, HCBR_EUSAGE);
    return *(size_t *)value == sizeof(hcbr_allocator) && !strstr(why.message, "as the size")
               ? HCBR_OK
               : st;
}

static hcbr_status call_read(void *value) {
    const char *path = "sizes.csv";
    hcbr_stream *stream;
    hcbr_status st = hcbr_stream_create(&stream, decider, &path, 1, value, &why);
    hcbr_stream_free(stream);
    return st;
}

static hcbr_status call_labelled(void *value) {
    hcbr_cases *c;
    ok(hcbr_cases_create(&c, 1, &why));
    hcbr_status st = hcbr_cases_add(c, value, &why);
    hcbr_cases_free(c);
    return st;
}

static hcbr_status call_column(void *value) {
    hcbr_cases *c;
    ok(hcbr_cases_create(&c, 1, &why));
    hcbr_status st = hcbr_cases_add_columns(c, value, 1, NULL, &why);
    hcbr_cases_free(c);
    return st;
}

static hcbr_status call_sparse(void *value) {
    hcbr_cases *c;
    ok(hcbr_cases_create(&c, 1, &why));
    hcbr_status st = hcbr_cases_add_sparse(c, value, &column[2], 1, NULL, &why);
    hcbr_cases_free(c);
    return st;
}

static hcbr_status call_answers(void *value) {
    return hcbr_model_decide_columns(model, NULL, column, 3, NULL, value, &why);
}

static hcbr_status call_rule(void *value) {
    hcbr_decider *d;
    hcbr_status st = hcbr_decider_create(&d, model, value, &why);
    hcbr_decider_free(d);
    return st;
}

static hcbr_status train(hcbr_train_options *o, void *value) {
    hcbr_model *m;
    hcbr_cases *c = new_cases();
    hcbr_status st = hcbr_model_train(&m, c, o ? o : value, &why);
    hcbr_model_free(m);
    hcbr_cases_free(c);
    return st;
}

static hcbr_status call_train(void *value) {
    hcbr_evaluate_options o;
    hcbr_estimate need = {.size = sizeof need};
    hcbr_evaluation *e;
    hcbr_evaluate_options_init(&o);
    o.train = value;
    hcbr_status st = hcbr_model_estimate(cases, value, &need, &why);
    assert_int_equal(st == HCBR_OK, hcbr_evaluate(&e, cases, &o, &why) == HCBR_OK);
    hcbr_evaluation_free(e);
    return st == HCBR_OK ? train(NULL, value) : st;
}

/* Inside of other options too. */
static hcbr_status call_rule_within(void *value) {
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.rule = value;
    return train(&o, NULL);
}

static hcbr_status call_tune(void *value) {
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.tune = value;
    return train(&o, NULL);
}

static hcbr_status call_evaluate(void *value) {
    hcbr_evaluation *e;
    hcbr_status st = hcbr_evaluate(&e, cases, value, &why);
    hcbr_evaluation_free(e);
    return st;
}

static hcbr_status call_audit(void *value) {
    hcbr_audit *a;
    hcbr_status st = hcbr_audit_create(&a, cases, value, &why);
    hcbr_audit_free(a);
    return st;
}

static hcbr_status call_drift(void *value) {
    hcbr_drift *d;
    hcbr_stream *stream = new_stream();
    hcbr_status st = hcbr_drift_measure(&d, model, stream, value, &why);
    hcbr_drift_free(d);
    hcbr_stream_free(stream);
    return st;
}

static hcbr_status call_explain(void *value) {
    hcbr_explanation e = {.size = sizeof e};
    return hcbr_explainer_explain(explainer, row_of(explainer, asked, 2), value, &e, &why);
}

static int each_row(void *context, const hcbr_explained_row *row) {
    (void)context;
    hcbr_row_free(row->row);
    return 0;
}

static hcbr_status call_rows(void *value) {
    hcbr_stream *stream = new_stream();
    hcbr_status st = hcbr_explain_rows(model, stream, NULL, value, each_row, NULL, &why);
    hcbr_stream_free(stream);
    return st;
}

static hcbr_status call_index(void *value) {
    hcbr_index *index;
    hcbr_status st = hcbr_index_create(&index, model, value, &why);
    hcbr_index_free(index);
    return st;
}

static hcbr_status call_flip_options(void *value) {
    hcbr_flips f = {.size = sizeof f};
    hcbr_status st = hcbr_flip_options_check(value, model, &why);
    assert_int_equal(st,
                     hcbr_explainer_flip(explainer, row_of(explainer, asked, 2), value, &f, &why));
    return st;
}

static hcbr_status call_group_options(void *value) {
    hcbr_atom_ranking r = {.size = sizeof r};
    return hcbr_explainer_rank_atoms(explainer, value, &r, &why);
}

static hcbr_status call_summary_options(void *value) {
    hcbr_summary *s;
    hcbr_status st = hcbr_summary_create(&s, model, value, &why);
    hcbr_summary_free(s);
    return st;
}

/* It has no status: the page shows what it says, or it is left. */
static hcbr_status call_page(void *value) {
    const size_t size = *(const size_t *)value;
    hcbr_writer_set_page(writer, value);
    assert_int_equal(writer->page.options.top == OWN_TOP, size == sizeof(hcbr_page_options));
    hcbr_writer_set_page(writer, NULL);
    return hcbr_i_any_unsized(&(const void *){value}, 1, &(size_t){sizeof(hcbr_page_options)},
                              "page", &why)
               ? HCBR_EUSAGE
               : HCBR_OK;
}

/* What a call cannot do without. */
static void fill_labelled(void *value) {
    hcbr_labelled_case *one = value;
    one->features = asked;
    one->feature_count = 2;
    one->label = "x";
}
static void fill_column(void *value) {
    *(hcbr_memory_column *)value = column[2];
}
static void fill_sparse(void *value) {
    hcbr_sparse *m = value;
    m->rows = m->count = ROWS;
    m->columns = 3;
    m->starts = start;
    m->indices = place;
    m->start_type = m->index_type = HCBR_MEMORY_I32;
}
static void fill_answers(void *value) {
    static hcbr_label label[ROWS];
    ((hcbr_answers *)value)->room = ROWS;
    ((hcbr_answers *)value)->label = label;
}
static void fill_page(void *value) {
    ((hcbr_page_options *)value)->top = OWN_TOP;
}
static void fill_train(void *value) {
    ((hcbr_train_options *)value)->model = HCBR_MODEL_PLAIN;
}
static void fill_evaluate(void *value) {
    static hcbr_train_options lite;
    hcbr_train_options_init(&lite);
    lite.effort = HCBR_EFFORT_LITE;
    ((hcbr_evaluate_options *)value)->folds = 2;
    ((hcbr_evaluate_options *)value)->train = &lite;
}

typedef struct sized_options {
    const char *name;
    size_t size;
    void (*init)(void *full);
    void (*fill)(void *full); /**< NULL: the defaults do */
    hcbr_status (*call)(void *value);
} sized_options;

#define INIT(type)                                                                                 \
    static void init_##type(void *full) {                                                          \
        type##_init((type *)full);                                                                 \
    }
INIT(hcbr_read_options)
INIT(hcbr_labelled_case)
INIT(hcbr_memory_column)
INIT(hcbr_sparse)
INIT(hcbr_answers)
INIT(hcbr_rule)
INIT(hcbr_tune_options)
INIT(hcbr_train_options)
INIT(hcbr_evaluate_options)
INIT(hcbr_audit_options)
INIT(hcbr_drift_options)
INIT(hcbr_explain_options)
INIT(hcbr_explain_rows_options)
INIT(hcbr_index_options)
INIT(hcbr_flip_options)
INIT(hcbr_atom_options)
INIT(hcbr_summary_options)
INIT(hcbr_page_options)
static void init_hcbr_allocator(void *full) {
    memset(full, 0, sizeof(hcbr_allocator));
}

#define OPTIONS(type, fill, call)                                                                  \
    { #type, sizeof(type), init_##type, fill, call }
static const sized_options options[] = {
    OPTIONS(hcbr_allocator, NULL, call_allocator),
    OPTIONS(hcbr_read_options, NULL, call_read),
    OPTIONS(hcbr_labelled_case, fill_labelled, call_labelled),
    OPTIONS(hcbr_memory_column, fill_column, call_column),
    OPTIONS(hcbr_sparse, fill_sparse, call_sparse),
    OPTIONS(hcbr_answers, fill_answers, call_answers),
    OPTIONS(hcbr_rule, NULL, call_rule),
    OPTIONS(hcbr_rule, NULL, call_rule_within),
    OPTIONS(hcbr_tune_options, NULL, call_tune),
    OPTIONS(hcbr_train_options, fill_train, call_train),
    OPTIONS(hcbr_evaluate_options, fill_evaluate, call_evaluate),
    OPTIONS(hcbr_audit_options, NULL, call_audit),
    OPTIONS(hcbr_drift_options, NULL, call_drift),
    OPTIONS(hcbr_explain_options, NULL, call_explain),
    OPTIONS(hcbr_explain_rows_options, NULL, call_rows),
    OPTIONS(hcbr_index_options, NULL, call_index),
    OPTIONS(hcbr_flip_options, NULL, call_flip_options),
    OPTIONS(hcbr_atom_options, NULL, call_group_options),
    OPTIONS(hcbr_summary_options, NULL, call_summary_options),
    OPTIONS(hcbr_page_options, fill_page, call_page),
};

/* The first bytes of a full structure, 0 behind them, in a block of that size. */
static void *cut(const void *full, size_t full_size, size_t size) {
    void *value = calloc(1, size < sizeof size ? sizeof size : size);
    assert_non_null(value);
    memcpy(value, full, size < full_size ? size : full_size);
    memcpy(value, &size, sizeof size);
    return value;
}

static void options__of_another_size_are_refused(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof options / sizeof *options; n++) {
        const sized_options *o = &options[n];
        void *full = calloc(1, o->size);
        assert_non_null(full);
        o->init(full);
        if (o->fill)
            o->fill(full);
        for (size_t size = 0; size <= 2 * o->size; size++) {
            void *value = cut(full, o->size, size);
            expect_size(o->name, size, o->size, o->call(value));
            free(value);
        }
        free(full);
    }
}

/* Nothing but the size is written where the caller has another structure. */
#define CHECK_INIT(type)                                                                           \
    do {                                                                                           \
        union {                                                                                    \
            type value;                                                                            \
            unsigned char bytes[2 * sizeof(type)];                                                 \
        } full, some;                                                                              \
        memset(&full, MARK, sizeof full);                                                          \
        type##_init(&full.value);                                                                  \
        assert_int_equal(full.value.size, sizeof full.value);                                      \
        expect_marks(&full, sizeof full.value, sizeof full);                                       \
        for (size_t size = 0; size <= sizeof some; size++) {                                       \
            memset(&some, MARK, sizeof some);                                                      \
            assert_int_equal(hcbr_init(&some.value, size, #type), sizeof full.value);              \
            if (size == sizeof full.value) {                                                       \
                assert_memory_equal(&some, &full, sizeof full);                                    \
                continue;                                                                          \
            }                                                                                      \
            expect_marks(&some, size < sizeof size ? 0 : sizeof size, sizeof some);                \
            if (size >= sizeof size)                                                               \
                assert_int_equal(some.value.size, size);                                           \
        }                                                                                          \
    } while (0)

static void init__writes_nothing_of_another_size(void **state) {
    (void)state;
    CHECK_INIT(hcbr_read_options);
    CHECK_INIT(hcbr_labelled_case);
    CHECK_INIT(hcbr_memory_column);
    CHECK_INIT(hcbr_sparse);
    CHECK_INIT(hcbr_answers);
    CHECK_INIT(hcbr_rule);
    CHECK_INIT(hcbr_tune_options);
    CHECK_INIT(hcbr_train_options);
    CHECK_INIT(hcbr_evaluate_options);
    CHECK_INIT(hcbr_audit_options);
    CHECK_INIT(hcbr_drift_options);
    CHECK_INIT(hcbr_explain_options);
    CHECK_INIT(hcbr_explain_rows_options);
    CHECK_INIT(hcbr_index_options);
    CHECK_INIT(hcbr_flip_options);
    CHECK_INIT(hcbr_atom_options);
    CHECK_INIT(hcbr_summary_options);
    CHECK_INIT(hcbr_page_options);
    hcbr_read_options read;
    memset(&read, MARK, sizeof read);
    (hcbr_model_get_read_options)(model, &read, 0);
    expect_marks(&read, 0, sizeof read);
}

/* ---- results --------------------------------------------------------------------------------- */

/* A function that returns nothing. */
#define DOES(call) ((call), HCBR_OK)
#define GIVES(type, how)                                                                           \
    static hcbr_status get_##type(void *value) {                                                   \
        type *out = value;                                                                         \
        return how;                                                                                \
    }
GIVES(hcbr_case, DOES(hcbr_cases_get(cases, 1, out)))
GIVES(hcbr_kind, DOES(hcbr_cases_get_kind(cases, 0, out)))
GIVES(hcbr_estimate, hcbr_model_estimate(cases, NULL, out, &why))
GIVES(hcbr_model_info, DOES(hcbr_model_get_info(model, out)))
GIVES(hcbr_label_info, DOES(hcbr_model_get_label_info(model, 0, out)))
GIVES(hcbr_column, DOES(hcbr_model_get_column(model, 0, out)))
GIVES(hcbr_kept_case, DOES(hcbr_model_get_kept(model, 1, out)))
GIVES(hcbr_heldout, DOES((void)hcbr_model_get_heldout(model, out)))
GIVES(hcbr_decision, hcbr_decider_decide(decider, row_by(decider, asked, 2), out, &why))
GIVES(hcbr_explanation,
      hcbr_explainer_explain(explainer, row_of(explainer, asked, 2), &all_columns, out, &why))
GIVES(hcbr_comparison,
      hcbr_explainer_compare(explainer, row_of(explainer, asked, 2), 2, 1, out, &why))
GIVES(hcbr_flips, hcbr_explainer_flip(explainer, row_of(explainer, asked, 2), NULL, out, &why))
GIVES(hcbr_questions, hcbr_explainer_ask(explainer, row_of(explainer, asked, 1), 2, out, &why))
GIVES(hcbr_case_ranking, hcbr_explainer_rank(explainer, UINT64_MAX, 2, out, &why))
GIVES(hcbr_atom_ranking, hcbr_explainer_rank_atoms(explainer, NULL, out, &why))
GIVES(hcbr_important_columns, hcbr_importance_get(importance, out, &why))
GIVES(hcbr_summed, hcbr_summary_get(summary, out, &why))
GIVES(hcbr_evaluation_info, DOES(hcbr_evaluation_get_info(evaluation, out)))
GIVES(hcbr_figure, DOES(hcbr_evaluation_get_figure(evaluation, HCBR_METRIC_MCC, -1, out)))
GIVES(hcbr_verdict, DOES(hcbr_evaluation_get_verdict(evaluation, out)))
GIVES(hcbr_part_info, DOES(hcbr_evaluation_get_part(evaluation, 0, out)))
GIVES(hcbr_confusion, DOES(hcbr_evaluation_get_confusion(evaluation, 0, out)))
GIVES(hcbr_reliability, DOES(hcbr_evaluation_get_reliability(evaluation, 0, out)))
GIVES(hcbr_answer, DOES(hcbr_evaluation_get_answer(evaluation, 0, out)))
GIVES(hcbr_audit_figures, DOES(hcbr_audit_get_figures(audit, out)))
GIVES(hcbr_finding, DOES(hcbr_audit_get(audit, 0, out)))
GIVES(hcbr_drift_info, DOES(hcbr_drift_get_info(drift, out)))
GIVES(hcbr_drift_part, DOES(hcbr_drift_get_column(drift, 0, out)))
GIVES(hcbr_drift_bin, DOES(hcbr_drift_get_column_bin(drift, 0, 0, out)))
GIVES(hcbr_drift_new, DOES(hcbr_drift_get_new_column(drift, 0, out)))
GIVES(hcbr_preview_column, DOES(hcbr_preview_get_column(preview, 0, out)))
GIVES(hcbr_row_info, DOES(hcbr_row_get(row_of(explainer, asked, 2), out)))
GIVES(hcbr_preview_case, DOES(hcbr_preview_get_case(preview, 0, out)))
GIVES(hcbr_hypergraph, DOES(hcbr_hypergraph_measure(model, out)))
GIVES(hcbr_reveals, DOES(hcbr_reveals_measure(model, out)))

static hcbr_status get_how_often(hcbr_how_often *out) {
    hcbr_decision d = {.size = sizeof d};
    ok(hcbr_decider_decide(decider, row_by(decider, asked, 2), &d, NULL));
    return hcbr_decision_how_often(model, &d, out) ? HCBR_OK : HCBR_EUSAGE;
}

GIVES(hcbr_how_often, DOES(get_how_often(out)))

static hcbr_status get_stream(void *value) {
    int more;
    hcbr_stream *stream = new_stream();
    hcbr_status st = hcbr_stream_next(stream, value, &more, &why);
    hcbr_stream_free(stream);
    return st;
}

static hcbr_status get_hcbr_atom_range(void *value) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    assert_int_equal(hcbr_model_get_atom_range(model, info.atoms - 1, value), 1);
    return HCBR_OK;
}

/* The model has no belief, but the last call of the library is the same for all. */
static hcbr_status get_hcbr_belief(void *value) {
    const hcbr_belief full = {.size = sizeof full, .source = "x"};
    hcbr_i_hand_out(value, &full, sizeof full);
    return HCBR_OK;
}

typedef struct sized_result {
    const char *name;
    size_t size;
    bool has_status;
    hcbr_status (*get)(void *value);
} sized_result;

#define RESULT(type)                                                                               \
    { #type, sizeof(type), false, get_##type }
#define STATUS(type)                                                                               \
    { #type, sizeof(type), true, get_##type }
static const sized_result results[] = {
    RESULT(hcbr_case),
    RESULT(hcbr_kind),
    STATUS(hcbr_estimate),
    RESULT(hcbr_model_info),
    RESULT(hcbr_label_info),
    RESULT(hcbr_column),
    RESULT(hcbr_atom_range),
    RESULT(hcbr_belief),
    RESULT(hcbr_kept_case),
    RESULT(hcbr_heldout),
    STATUS(hcbr_decision),
    RESULT(hcbr_how_often),
    {"hcbr_decision", sizeof(hcbr_decision), true, get_stream},
    STATUS(hcbr_explanation),
    STATUS(hcbr_comparison),
    STATUS(hcbr_flips),
    STATUS(hcbr_questions),
    STATUS(hcbr_case_ranking),
    STATUS(hcbr_atom_ranking),
    STATUS(hcbr_important_columns),
    STATUS(hcbr_summed),
    RESULT(hcbr_evaluation_info),
    RESULT(hcbr_figure),
    RESULT(hcbr_verdict),
    RESULT(hcbr_part_info),
    RESULT(hcbr_confusion),
    RESULT(hcbr_reliability),
    RESULT(hcbr_answer),
    RESULT(hcbr_audit_figures),
    RESULT(hcbr_finding),
    RESULT(hcbr_drift_info),
    RESULT(hcbr_drift_part),
    RESULT(hcbr_drift_bin),
    RESULT(hcbr_drift_new),
    RESULT(hcbr_row_info),
    RESULT(hcbr_preview_column),
    RESULT(hcbr_preview_case),
    RESULT(hcbr_hypergraph),
    RESULT(hcbr_reveals),
};

static void results__of_another_size_are_left(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof results / sizeof *results; n++) {
        const sized_result *r = &results[n];
        for (size_t size = 0; size <= 2 * r->size; size++) {
            const size_t bytes = size < sizeof size ? sizeof size : size;
            size_t kept;
            unsigned char *value = malloc(bytes), *before = malloc(bytes);
            assert_true(value && before);
            memset(value, MARK, bytes);
            memcpy(value, &size, sizeof size);
            memcpy(before, value, bytes);
            hcbr_status st = r->get(value);
            if (r->has_status)
                expect_size(r->name, size, r->size, st);
            memcpy(&kept, value, sizeof kept);
            assert_int_equal(kept, size);
            assert_int_equal(memcmp(value, before, bytes) == 0, size != r->size);
            free(value);
            free(before);
        }
    }
}

/* ---- results passed back to the library ------------------------------------------------------ */

static hcbr_decision decision = {.size = sizeof decision};
static hcbr_explanation explanation = {.size = sizeof explanation};
static hcbr_comparison comparison = {.size = sizeof comparison};
static hcbr_flips flips = {.size = sizeof flips};
static hcbr_questions questions = {.size = sizeof questions};
static hcbr_summed summed = {.size = sizeof summed};
static hcbr_finding finding = {.size = sizeof finding};

static hcbr_status both(hcbr_status one, hcbr_status other) {
    assert_int_equal(one == HCBR_EUSAGE, other == HCBR_EUSAGE);
    return one;
}

/* A writer of its own: an object that is not ended is left. */
static hcbr_status write(hcbr_status (*call)(hcbr_writer *w, const void *value),
                         const void *value) {
    hcbr_writer *w;
    ok(hcbr_writer_create(&w, NULL, NULL, NULL));
    hcbr_status st = call(w, value);
    hcbr_writer_free(w);
    return st;
}

static hcbr_status give_decision(hcbr_writer *w, const void *value) {
    hcbr_summary *s;
    ok(hcbr_summary_create(&s, model, NULL, NULL));
    hcbr_status added = hcbr_summary_add(s, value, &explanation, NULL);
    hcbr_summary_free(s);
    for (hcbr_form form = HCBR_JSON; form <= HCBR_TEXT; form++)
        both(added, hcbr_write_decision(w, form, model, value, NULL));
    return added;
}
static hcbr_status give_explained(hcbr_writer *w, const void *value) {
    return both(hcbr_write_explanation(w, HCBR_JSON, model, value, NULL),
                hcbr_write_explanation(w, HCBR_HTML, model, value, NULL));
}
static hcbr_status give_explanation(hcbr_writer *w, const void *value) {
    hcbr_summary *s;
    const hcbr_explained_row row = {
        .size = sizeof row, .decision = &decision, .explanation = value};
    ok(hcbr_summary_create(&s, model, NULL, NULL));
    hcbr_status added = hcbr_summary_add(s, &decision, value, NULL);
    hcbr_summary_free(s);
    hcbr_status st = hcbr_importance_add(importance, value, NULL);
    both(added, give_explained(w, &row));
    return st == HCBR_OK ? added : st;
}
static hcbr_status give_comparison(hcbr_writer *w, const void *value) {
    return both(both(hcbr_write_comparison(w, HCBR_JSON, model, value, NULL),
                     hcbr_write_comparison(w, HCBR_HTML, model, value, NULL)),
                hcbr_write_comparison(w, HCBR_TEXT, model, value, NULL));
}
static hcbr_status give_flips(hcbr_writer *w, const void *value) {
    return both(both(hcbr_write_flips(w, HCBR_JSON, model, value, NULL),
                     hcbr_write_flips(w, HCBR_HTML, model, value, NULL)),
                hcbr_write_flips(w, HCBR_TEXT, model, value, NULL));
}
static hcbr_status give_questions(hcbr_writer *w, const void *value) {
    return both(hcbr_write_questions(w, HCBR_JSON, model, value, NULL),
                hcbr_write_questions(w, HCBR_HTML, model, value, NULL));
}
static hcbr_status give_summed(hcbr_writer *w, const void *value) {
    return hcbr_json_summary(w, model, value, NULL);
}
static hcbr_status give_finding(hcbr_writer *w, const void *value) {
    char text[HCBR_FINDING_SIZE];
    (void)w;
    hcbr_finding_say(audit, value, text);
    return text[0] ? HCBR_OK : HCBR_EUSAGE;
}
static hcbr_status give_kind(hcbr_writer *w, const void *value) {
    HCBR_PUT(w, hcbr_item_kind_of(value));
    return strcmp(hcbr_writer_get(w, NULL), "null") == 0 ? HCBR_EUSAGE : HCBR_OK;
}

static void given_results__of_another_size_are_refused(void **state) {
    (void)state;
    hcbr_kind kind = {.size = sizeof kind};
    const hcbr_explained_row row = {
        .size = sizeof row, .decision = &decision, .explanation = &explanation};
    ok(hcbr_decider_decide(decider, row_by(decider, asked, 2), &decision, NULL));
    hcbr_cases_get_kind(cases, 0, &kind);
    hcbr_audit_get(audit, 0, &finding);
    ok(hcbr_summary_get(summary, &summed, NULL));
    const struct {
        const void *full;
        size_t size;
        hcbr_status (*give)(hcbr_writer *w, const void *value);
        hcbr_status (*get)(void *value); /**< what it borrows lasts until the next call */
    } given[] = {
        {&decision, sizeof decision, give_decision, NULL},
        {&explanation, sizeof explanation, give_explanation, get_hcbr_explanation},
        {&comparison, sizeof comparison, give_comparison, get_hcbr_comparison},
        {&flips, sizeof flips, give_flips, get_hcbr_flips},
        {&questions, sizeof questions, give_questions, get_hcbr_questions},
        {&summed, sizeof summed, give_summed, NULL},
        {&finding, sizeof finding, give_finding, NULL},
        {&row, sizeof row, give_explained, NULL},
        {&kind, sizeof kind, give_kind, NULL},
    };
    for (size_t n = 0; n < sizeof given / sizeof *given; n++)
        for (size_t size = 0; size <= 2 * given[n].size; size++) {
            ok(get_hcbr_explanation(&explanation));
            if (given[n].get)
                ok(given[n].get((void *)given[n].full));
            void *value = cut(given[n].full, given[n].size, size);
            hcbr_status st = write(given[n].give, value);
            assert_int_equal(st, size == given[n].size ? HCBR_OK : HCBR_EUSAGE);
            free(value);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init__writes_nothing_of_another_size),
        cmocka_unit_test(options__of_another_size_are_refused),
        cmocka_unit_test(results__of_another_size_are_left),
        cmocka_unit_test(given_results__of_another_size_are_refused),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
