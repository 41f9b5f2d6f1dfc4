// Every public function that takes an enum, or options with one, refuses a value that means nothing
// and reads nothing out of bounds for it. test_enums.py holds that none is left out here.
#include "add_case.h"
#include "row_of.h"

#include <hcbr/hcbr.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const int WRONG[] = {-1, 99, 1 << 16, INT32_MAX, INT32_MIN};
enum { WRONGS = sizeof WRONG / sizeof WRONG[0] };

static const char PATH[] = "test_enums.csv";

typedef struct world {
    hcbr_cases *cases;
    hcbr_model *model;
} world;

static hcbr_cases *make_cases(void) {
    hcbr_cases *cases;
    hcbr_error err;
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    for (int i = 0; i < 60; i++) {
        char value[16];
        int length = snprintf(value, sizeof value, "v%d", i * 7 % 5);
        hcbr_feature f = {
            .key = "x", .key_length = 1, .value = value, .value_length = (size_t)length};
        const char *label = i * 7 % 5 < 2 ? "a" : "b";
        assert_int_equal(add_one_case(cases, &f, 1, label, NULL, &err), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    return cases;
}

static int set_up(void **state) {
    static world w;
    hcbr_error err;
    FILE *file = fopen(PATH, "w");
    assert_non_null(file);
    fputs("label,x\na,v0\nb,v1\n", file);
    fclose(file);
    w.cases = make_cases();
    assert_int_equal(hcbr_model_train(&w.model, w.cases, NULL, &err), HCBR_OK);
    *state = &w;
    return 0;
}

static int tear_down(void **state) {
    world *w = *state;
    hcbr_model_free(w->model);
    hcbr_cases_free(w->cases);
    unlink(PATH);
    return 0;
}

// ---- names

static void names__of_no_value_are_texts_or_none(void **state) {
    (void)state;
    for (int i = 0; i < WRONGS; i++) {
        assert_non_null(hcbr_status_name((hcbr_status)(WRONG[i] == -1 ? -99 : WRONG[i])));
        assert_non_null(hcbr_finding_name((hcbr_finding_kind)WRONG[i]));
        assert_non_null(hcbr_format_name((hcbr_format)WRONG[i]));
        assert_non_null(hcbr_reason_name((hcbr_reason)WRONG[i]));
        assert_null(hcbr_metric_name((hcbr_metric)WRONG[i]));         // as its header says
        assert_null(hcbr_drift_kind_name((hcbr_drift_kind)WRONG[i])); // likewise
        assert_non_null(hcbr_model_kind_name((hcbr_model_kind)WRONG[i]));
        assert_non_null(hcbr_column_kind_name((hcbr_column_kind)WRONG[i]));
        assert_non_null(hcbr_hypergraph_class_name(WRONG[i]));
        assert_string_equal(hcbr_word_get((hcbr_word)(WRONG[i] == -1 ? -1 : 100000 + i)), "");
    }
}

// ---- drift

static void drift__of_no_kind_has_nothing(void **state) {
    const world *w = *state;
    const char *path = PATH;
    hcbr_decider *decider;
    hcbr_stream *stream;
    hcbr_drift *drift;
    assert_int_equal(hcbr_decider_create(&decider, w->model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_stream_create(&stream, decider, &path, 1, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_drift_measure(&drift, w->model, stream, NULL, NULL), HCBR_OK);
    for (int i = 0; i < WRONGS; i++) {
        hcbr_drift_part part = {.size = sizeof part};
        hcbr_drift_bin bin = {.size = sizeof bin};
        hcbr_drift_get_part(drift, (hcbr_drift_kind)WRONG[i], &part);
        hcbr_drift_get_bin(drift, (hcbr_drift_kind)WRONG[i], 0, &bin);
        assert_true(!part.compared && part.bin_count == 0 && isnan(part.drift));
        assert_true(bin.value == NULL && isnan(bin.low) && bin.share[1] == 0);
    }
    hcbr_drift_free(drift);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
}

// ---- curves

static void curves__of_no_kind_are_refused(void **state) {
    const world *w = *state;
    hcbr_evaluate_options o;
    hcbr_evaluation *e;
    hcbr_curve_point *points;
    size_t count;
    hcbr_evaluate_options_init(&o);
    o.folds = 2;
    o.keep_answers = 1;
    assert_int_equal(hcbr_evaluate(&e, w->cases, &o, NULL), HCBR_OK);
    for (int i = 0; i < WRONGS; i++) {
        assert_int_equal(
            hcbr_evaluation_copy_curve(e, (hcbr_curve_kind)WRONG[i], 0, &points, &count, NULL),
            HCBR_EUSAGE);
        assert_true(points == NULL && count == 0);
        char text[HCBR_VERDICT_SIZE] = "x";
        hcbr_verdict_say(e, (hcbr_verdict_part)WRONG[i], text);
        assert_string_equal(text, "");
    }
    hcbr_evaluation_free(e);
}

// ---- results that are written

/* A comparison whose columns are alike in no way that there is; `odd` ends. */
static void write_compared(const world *w, hcbr_writer *writer, hcbr_explainer *explainer,
                           const hcbr_explanation *odd, int wrong) {
    hcbr_feature f = {"x", 1, "v1", 2};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_explained_row row = {.size = sizeof row,
                              .decision = odd->decision,
                              .explanation = odd,
                              .row = row_of(explainer, &f, 1),
                              .explainer = explainer};
    assert_int_equal(hcbr_write_explanation(writer, HCBR_JSON, w->model, &row, NULL), HCBR_OK);
    hcbr_explanation again = {.size = sizeof again};
    assert_int_equal(
        hcbr_explainer_explain(explainer, row_of(explainer, &f, 1), NULL, &again, NULL), HCBR_OK);
    row.decision = again.decision;
    row.explanation = &again;
    assert_int_equal(hcbr_write_explanation(writer, HCBR_HTML, w->model, &row, NULL), HCBR_OK);
    assert_int_equal(hcbr_explainer_compare(explainer, row_of(explainer, &f, 1), 0, 1, &c, NULL),
                     HCBR_OK);
    assert_true(c.column_count > 0);
    hcbr_compared_column column = *c.columns;
    column.alike = (hcbr_alike)wrong;
    c.columns = &column;
    c.column_count = 1;
    for (hcbr_form form = HCBR_JSON; form <= HCBR_TEXT; form++)
        assert_int_equal(hcbr_write_comparison(writer, form, w->model, &c, NULL), HCBR_OK);
}

/* Forms that a result has not are refused, and nothing is written. */
static void write_in_no_form(const world *w, const hcbr_decision *d, const hcbr_explained_row *row,
                             hcbr_form form) {
    hcbr_writer *writer;
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_report *report;
    size_t length;
    assert_int_equal(hcbr_writer_create(&writer, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_write_explanation(writer, form, w->model, row, NULL), HCBR_EUSAGE);
    assert_int_equal(hcbr_write_questions(writer, form, w->model, &q, NULL), HCBR_EUSAGE);
    assert_int_equal(hcbr_write_end(writer, form, NULL), HCBR_EUSAGE);
    assert_int_equal(hcbr_report_create(&report, "", NULL), HCBR_OK);
    assert_int_equal(hcbr_write_report(writer, form, report, NULL), HCBR_EUSAGE);
    hcbr_report_free(report);
    if (form != HCBR_TEXT) {
        assert_int_equal(hcbr_write_flips(writer, form, w->model, &f, NULL), HCBR_EUSAGE);
        assert_int_equal(hcbr_write_decision(writer, form, w->model, d, NULL), HCBR_EUSAGE);
        assert_int_equal(hcbr_write_comparison(writer, form, w->model, &c, NULL), HCBR_EUSAGE);
    }
    hcbr_writer_get(writer, &length);
    assert_int_equal(length, 0);
    hcbr_writer_free(writer);
}

static void items__of_no_kind_are_null(void **state) {
    (void)state;
    hcbr_writer *writer;
    assert_int_equal(hcbr_writer_create(&writer, NULL, NULL, NULL), HCBR_OK);
    for (int i = 0; i < WRONGS; i++) {
        const hcbr_item item = hcbr_item_make("a", (hcbr_item_kind)WRONG[i], 0, 3, "abc");
        hcbr_writer_clear(writer);
        hcbr_json_put(writer, &item, 1);
        assert_string_equal(hcbr_writer_get(writer, NULL), "\"a\":null");
    }
    hcbr_writer_free(writer);
}

static void rendering__takes_values_without_meaning(void **state) {
    const world *w = *state;
    hcbr_feature f = {"x", 1, "v1", 2};
    hcbr_explainer *explainer;
    hcbr_writer *writer;
    hcbr_audit *audit;
    hcbr_importance *importance;
    hcbr_summary *summary;
    hcbr_summed summed = {.size = sizeof summed};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_how_often often = {.size = sizeof often};
    assert_int_equal(hcbr_explainer_create(&explainer, w->model, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_writer_create(&writer, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_audit_create(&audit, w->cases, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_importance_create(&importance, NULL), HCBR_OK);
    assert_int_equal(hcbr_summary_create(&summary, w->model, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_explainer_explain(explainer, row_of(explainer, &f, 1), NULL, &e, NULL),
                     HCBR_OK);
    for (int i = 0; i < WRONGS; i++) {
        hcbr_decision d = *e.decision;
        hcbr_explained_atom group = *e.atoms;
        hcbr_explanation odd = e;
        hcbr_finding finding = {.size = sizeof finding, .kind = (hcbr_finding_kind)WRONG[i]};
        char text[HCBR_FINDING_SIZE];
        d.reason = (hcbr_reason)WRONG[i];
        d.winner = 1 - d.label;
        group.kind = (hcbr_atom_kind)WRONG[i];
        odd.atoms = &group;
        odd.atom_count = odd.all_atoms = 1;
        odd.decision = &d;
        assert_int_equal(hcbr_decision_how_often(w->model, &d, &often) & ~1, 0);
        const hcbr_explained_row row = {.size = sizeof row, .decision = &d, .explanation = &odd};
        for (hcbr_form form = HCBR_JSON; form <= HCBR_HTML; form++) {
            assert_int_equal(hcbr_write_explanation(writer, form, w->model, &row, NULL), HCBR_OK);
            assert_int_equal(hcbr_write_end(writer, form, NULL), HCBR_OK);
        }
        assert_int_equal(hcbr_importance_add(importance, &odd, NULL), HCBR_OK);
        assert_int_equal(hcbr_summary_add(summary, &d, &odd, NULL), HCBR_OK);
        assert_int_equal(hcbr_summary_get(summary, &summed, NULL), HCBR_OK);
        assert_int_equal(hcbr_json_summary(writer, w->model, &summed, NULL), HCBR_OK);
        for (hcbr_form form = HCBR_JSON; form <= HCBR_TEXT; form++)
            assert_int_equal(hcbr_write_decision(writer, form, w->model, &d, NULL), HCBR_OK);
        write_in_no_form(w, &d, &row, (hcbr_form)WRONG[i]);
        write_in_no_form(w, &d, &row, HCBR_TEXT); // not of reasons and questions
        write_compared(w, writer, explainer, &odd, WRONG[i]);
        assert_int_equal(
            hcbr_explainer_explain(explainer, row_of(explainer, &f, 1), NULL, &e, NULL), HCBR_OK);
        hcbr_explain_rows_options rows; // of each row it says itself what was read
        hcbr_explain_rows_options_init(&rows);
        assert_int_equal(hcbr_explain_rows(w->model, NULL, NULL, &rows, NULL, NULL, NULL),
                         HCBR_EUSAGE);
        hcbr_finding_say(audit, &finding, text);
        assert_string_equal(text, "");
    }
    hcbr_audit_free(audit);
    hcbr_importance_free(importance);
    hcbr_summary_free(summary);
    hcbr_writer_free(writer);
    hcbr_explainer_free(explainer);
}

static void options__of_no_value_are_no_text(void **state) {
    (void)state;
    for (int i = 0; i < WRONGS; i++) {
        hcbr_read_options read = {.size = sizeof read, .format = (hcbr_format)WRONG[i]};
        hcbr_train_options train = {.size = sizeof train, .scope = (hcbr_scope)WRONG[i]};
        hcbr_options o = {.read = &read, .train = &train};
        assert_int_equal(hcbr_options_get(&o, "format", NULL, 0), 0);
        assert_int_equal(hcbr_options_get(&o, "scope", NULL, 0), 0);
    }
}

// ---- options of reading

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream) {
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    (void)stream;
    *out = (struct ArrowSchema){.format = "+s", .release = release_schema};
    return 0;
}

/** A table of one row in memory, in all ways, with these options and types. */
static void try_tables(const world *w, const hcbr_read_options *o, hcbr_memory_type type,
                       const char *says) {
    static const int32_t starts[] = {0, 0};
    double value = 1;
    hcbr_memory_column column = {.size = sizeof column,
                                 .name = "label",
                                 .type = o ? HCBR_MEMORY_F64 : type,
                                 .length = 1,
                                 .values = &value};
    hcbr_sparse matrix = {.size = sizeof matrix,
                          .rows = 1,
                          .starts = starts,
                          .start_type = o ? HCBR_MEMORY_I32 : type,
                          .index_type = HCBR_MEMORY_I32,
                          .value_type = HCBR_MEMORY_F64};
    struct ArrowSchema schema = {.format = "+s", .release = release_schema};
    struct ArrowArray array = {.length = 1, .release = release_array};
    struct ArrowArrayStream stream = {.get_schema = get_schema, .release = release_stream};
    hcbr_error err;
    hcbr_cases *cases;
    hcbr_answers answers;
    hcbr_label given = 0;
    hcbr_answers_init(&answers);
    answers.room = 1;
    answers.label = &given;
    hcbr_decider *decider;
    hcbr_stream *rows;
    assert_int_equal(hcbr_decider_create(&decider, w->model, NULL, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_add_columns(cases, &column, 1, o, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(hcbr_stream_create_columns(&rows, decider, &column, 1, o, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(hcbr_model_decide_columns(w->model, NULL, &column, 1, o, &answers, &err),
                     HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    column.type = HCBR_MEMORY_F64;
    assert_int_equal(hcbr_cases_add_sparse(cases, &matrix, &column, 1, o, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(
        hcbr_model_decide_sparse(w->model, NULL, &matrix, &column, 1, o, &answers, &err),
        HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(hcbr_stream_create_sparse(&rows, decider, &matrix, &column, 1, o, &err),
                     HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    if (o) {
        assert_int_equal(
            hcbr_model_decide_arrow(w->model, NULL, &schema, &array, o, &answers, &err),
            HCBR_EUSAGE);
        assert_non_null(strstr(err.message, says));
        assert_int_equal(hcbr_stream_create_arrow(&rows, decider, &schema, &array, o, &err),
                         HCBR_EUSAGE);
        assert_non_null(strstr(err.message, says));
        assert_null(rows);
        assert_int_equal(hcbr_cases_add_arrow(cases, &schema, &array, o, &err), HCBR_EUSAGE);
        assert_non_null(strstr(err.message, says));
        assert_int_equal(hcbr_cases_add_arrow_stream(cases, &stream, o, &err), HCBR_EUSAGE);
        assert_non_null(strstr(err.message, says));
    }
    assert_int_equal(hcbr_cases_count(cases), 0);
    hcbr_cases_free(cases);
    hcbr_decider_free(decider);
}

static void tables__refuse_types_without_meaning(void **state) {
    for (int i = 0; i < WRONGS; i++)
        try_tables(*state, NULL, (hcbr_memory_type)WRONG[i], "type");
}

static void try_reading(const world *w, const hcbr_read_options *o, const char *says) {
    const char *path = PATH;
    hcbr_error err;
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, &path, 1, o, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_int_equal(hcbr_cases_read_beliefs(cases, path, o, 0, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    hcbr_cases_free(cases);
    hcbr_preview *preview;
    assert_int_equal(hcbr_preview_create(&preview, &path, 1, o, 10, &err), HCBR_EUSAGE);
    assert_null(preview);
    hcbr_decider *decider;
    hcbr_stream *stream;
    assert_int_equal(hcbr_decider_create(&decider, w->model, NULL, &err), HCBR_OK);
    assert_int_equal(hcbr_stream_create(&stream, decider, &path, 1, o, &err), HCBR_EUSAGE);
    assert_null(stream);
    hcbr_decider_free(decider);
    hcbr_train_options train;
    hcbr_model *model;
    hcbr_train_options_init(&train);
    train.read = o;
    assert_int_equal(hcbr_model_train(&model, w->cases, &train, &err), HCBR_EUSAGE);
    assert_null(model);
    assert_int_equal(hcbr_read_is_missing(o, "NA", 2), 1);
    try_tables(w, o, HCBR_MEMORY_F64, says);
}

static void reading__refuses_values_without_meaning(void **state) {
    hcbr_read_options o;
    for (int i = 0; i < WRONGS; i++) {
        hcbr_read_options_init(&o);
        o.format = (hcbr_format)WRONG[i];
        try_reading(*state, &o, "format");
        hcbr_read_options_init(&o);
        o.bad_rows = (hcbr_bad_rows)WRONG[i];
        try_reading(*state, &o, "bad_rows");
        hcbr_read_options_init(&o);
        o.numbers = (hcbr_numbers)WRONG[i];
        try_reading(*state, &o, "numbers");
        hcbr_read_options_init(&o);
        o.dates = (hcbr_dates)WRONG[i];
        try_reading(*state, &o, "dates");
        hcbr_read_options_init(&o);
        o.label_need = (hcbr_label_need)WRONG[i];
        try_reading(*state, &o, "label_need");
    }
    hcbr_read_options_init(&o); // no enum, but stored in models like one
    static const int DELIMITERS[] = {-1, '\n', '\r', '"', 127, 128, 255, 256, INT32_MAX};
    for (size_t i = 0; i < sizeof DELIMITERS / sizeof DELIMITERS[0]; i++) {
        o.delimiter = DELIMITERS[i];
        try_reading(*state, &o, "delimiter");
    }
}

// ---- options of training

static void try_training(const world *w, const hcbr_train_options *o, const char *says) {
    hcbr_error err;
    hcbr_model *model;
    assert_int_equal(hcbr_model_train(&model, w->cases, o, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_null(model);
    hcbr_evaluate_options e;
    hcbr_evaluation *evaluation;
    hcbr_evaluate_options_init(&e);
    e.folds = 2;
    e.train = o;
    assert_int_equal(hcbr_evaluate(&evaluation, w->cases, &e, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_null(evaluation);
    hcbr_cases *copy;
    assert_int_equal(hcbr_cases_copy(&copy, w->cases, o, NULL, 0, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_null(copy);
}

static void try_estimate(const world *w, const hcbr_train_options *o, const char *says) {
    hcbr_error err;
    hcbr_estimate estimate = {.size = sizeof estimate, .seconds = 7, .bytes = 7};
    assert_int_equal(hcbr_model_estimate(w->cases, o, &estimate, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
    assert_true(estimate.seconds == 0 && estimate.bytes == 0);
    assert_int_equal(hcbr_model_estimate(w->cases, o, &estimate, NULL), HCBR_EUSAGE);
    int none; // a preview is not looked at
    assert_int_equal(hcbr_preview_understand((hcbr_preview *)(void *)&none, w->cases, o, &err),
                     HCBR_EUSAGE);
    assert_non_null(strstr(err.message, says));
}

static void training__refuses_values_without_meaning(void **state) {
    for (int i = 0; i < WRONGS; i++) {
        hcbr_train_options o[6];
        static const char *const SAYS[] = {"scope", "keep",   "calibration",
                                           "model", "effort", "type"};
        const hcbr_typed_label typed = {"x", (hcbr_label_type)WRONG[i]};
        for (int k = 0; k < 6; k++)
            hcbr_train_options_init(&o[k]);
        o[0].scope = (hcbr_scope)WRONG[i];
        o[1].keep = (hcbr_keep)WRONG[i];
        o[2].calibrate = (hcbr_calibrate)WRONG[i];
        o[3].model = (hcbr_model_kind)WRONG[i];
        o[4].effort = (hcbr_effort)WRONG[i];
        o[5].typed_labels = &typed;
        o[5].typed_label_count = 1;
        for (int k = 0; k < 6; k++) {
            try_training(*state, &o[k], SAYS[k]);
            try_estimate(*state, &o[k], SAYS[k]);
        }
        hcbr_tune_options tune;
        hcbr_tune_options_init(&tune);
        tune.goal = (hcbr_goal)WRONG[i];
        o[0].scope = HCBR_SCOPE_CLASS;
        o[0].tune = &tune;
        for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++) {
            o[0].model = (hcbr_model_kind)kind;
            hcbr_error err;
            hcbr_model *model;
            const world *w = *state;
            assert_int_equal(hcbr_model_train(&model, w->cases, &o[0], &err), HCBR_EUSAGE);
            assert_non_null(strstr(err.message, "goal"));
        }
    }
}

static void estimate__takes_a_shorter_effort_for_less(void **state) {
    const world *w = *state;
    hcbr_train_options o;
    double before = 0;
    for (int e = HCBR_EFFORT_LITE; e <= HCBR_EFFORT_MAX; e++) {
        hcbr_estimate estimate = {.size = sizeof estimate};
        hcbr_train_options_init(&o);
        o.effort = (hcbr_effort)e;
        assert_int_equal(hcbr_model_estimate(w->cases, &o, &estimate, NULL), HCBR_OK);
        assert_true(estimate.seconds > before);
        before = estimate.seconds;
    }
}

// ---- figures and groups

static void figures__of_no_metric_do_not_exist(void **state) {
    const world *w = *state;
    hcbr_evaluate_options o;
    hcbr_evaluation *e;
    hcbr_error err;
    hcbr_evaluate_options_init(&o);
    o.folds = 2;
    assert_int_equal(hcbr_evaluate(&e, w->cases, &o, &err), HCBR_OK);
    for (int i = 0; i <= WRONGS; i++) {
        hcbr_metric metric = i < WRONGS ? (hcbr_metric)WRONG[i] : HCBR_METRIC_END;
        hcbr_figure f = {.size = sizeof f, .mean = 1};
        hcbr_evaluation_get_figure(e, metric, HCBR_LABEL_UNKNOWN, &f);
        assert_true(isnan(f.mean) && isnan(f.low) && isnan(f.pooled) && f.count == 0);
        hcbr_evaluation_get_figure(e, metric, 1, &f);
        assert_true(isnan(f.mean));
        f.mean = 1;
        hcbr_evaluation_get_baseline(e, metric, &f);
        assert_true(isnan(f.mean));
        assert_true(isnan(hcbr_evaluation_get_value(e, 0, metric)));
    }
    hcbr_figure f = {.size = sizeof f};
    hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, &f);
    assert_true(f.mean >= 0);
    hcbr_evaluation_get_figure(e, HCBR_METRIC_RECALL, 2, &f); // there are two labels
    assert_true(isnan(f.mean));
    hcbr_evaluation_free(e);
    for (int i = 0; i < WRONGS; i++) {
        o.equal = (hcbr_equal)WRONG[i];
        assert_int_equal(hcbr_evaluate(&e, w->cases, &o, &err), HCBR_EUSAGE);
        assert_non_null(strstr(err.message, "equal cases"));
        assert_null(e);
    }
}

// Nothing is trained: options of training are not looked at.
static void stored_models__need_no_options_of_training(void **state) {
    const world *w = *state;
    const char *paths[] = {PATH};
    for (int i = 0; i < WRONGS; i++) {
        hcbr_train_options train;
        hcbr_evaluate_options o;
        hcbr_decider *decider;
        hcbr_stream *stream;
        hcbr_evaluation *e;
        hcbr_error err;
        hcbr_train_options_init(&train);
        train.model = (hcbr_model_kind)WRONG[i];
        train.effort = (hcbr_effort)WRONG[i];
        hcbr_evaluate_options_init(&o);
        o.train = &train;
        assert_int_equal(hcbr_decider_create(&decider, w->model, NULL, &err), HCBR_OK);
        assert_int_equal(hcbr_stream_create(&stream, decider, paths, 1, NULL, &err), HCBR_OK);
        assert_int_equal(hcbr_evaluate_stream(&e, w->model, stream, &o, &err), HCBR_OK);
        hcbr_figure f = {.size = sizeof f};
        hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, &f);
        assert_true(f.mean >= 0 && f.mean <= 1);
        hcbr_evaluation_free(e);
        hcbr_stream_free(stream);
        hcbr_decider_free(decider);
    }
}

static void atoms__of_no_kind_are_refused(void **state) {
    const world *w = *state;
    hcbr_explainer *explainer;
    hcbr_error err;
    assert_int_equal(hcbr_explainer_create(&explainer, w->model, NULL, NULL, &err), HCBR_OK);
    for (int i = 0; i < WRONGS; i++) {
        hcbr_atom_options o;
        hcbr_atom_ranking ranking = {.size = sizeof ranking};
        hcbr_atom_options_init(&o);
        o.kind = (hcbr_atom_kind)WRONG[i];
        assert_int_equal(hcbr_explainer_rank_atoms(explainer, &o, &ranking, &err), HCBR_EUSAGE);
        assert_non_null(strstr(err.message, "kind of atoms"));
    }
    hcbr_explainer_free(explainer);
}

static void findings__of_no_kind_are_none(void **state) {
    const world *w = *state;
    hcbr_audit *audit;
    assert_int_equal(hcbr_audit_create(&audit, w->cases, NULL, NULL), HCBR_OK);
    for (int i = 0; i < WRONGS; i++)
        assert_int_equal(hcbr_audit_count_kind(audit, (hcbr_finding_kind)WRONG[i]), 0);
    hcbr_audit_free(audit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names__of_no_value_are_texts_or_none),
        cmocka_unit_test(drift__of_no_kind_has_nothing),
        cmocka_unit_test(curves__of_no_kind_are_refused),
        cmocka_unit_test(items__of_no_kind_are_null),
        cmocka_unit_test(rendering__takes_values_without_meaning),
        cmocka_unit_test(options__of_no_value_are_no_text),
        cmocka_unit_test(reading__refuses_values_without_meaning),
        cmocka_unit_test(tables__refuse_types_without_meaning),
        cmocka_unit_test(training__refuses_values_without_meaning),
        cmocka_unit_test(estimate__takes_a_shorter_effort_for_less),
        cmocka_unit_test(figures__of_no_metric_do_not_exist),
        cmocka_unit_test(stored_models__need_no_options_of_training),
        cmocka_unit_test(atoms__of_no_kind_are_refused),
        cmocka_unit_test(findings__of_no_kind_are_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
