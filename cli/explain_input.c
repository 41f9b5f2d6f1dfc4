/*
 * hcbr train --explain-input: how the data will be read, before anything is trained, and the first
 * cases as the model will get them. Writes only to standard output.
 */
#include "explain_input.h"

#include "kinds_text.h"

#include <stdlib.h>

enum { READ = 1000, SHOWN = 5, COLUMNS = 40, WIDE = 28, NUMBER = 11 };

static const char *const USES[] = {"value", "label", "id",       "group", "ignored",
                                   "split", "text",  "presence", "names", "weight"};

static bool is_listed(const char *const *list, size_t count, const hcbr_preview_column *c) {
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == c->name_length && memcmp(list[i], c->name, c->name_length) == 0)
            return true;
    return false;
}

/* The form of a column in a rich model, judged by all values; NULL: not judged. */
static const char *becomes(const hcbr_cases *all, const hcbr_preview_column *c,
                           const hcbr_train_options *train) {
    for (size_t i = 0; all && c->use == HCBR_USE_VALUE && i < hcbr_cases_get_info(all).kinds; i++) {
        hcbr_kind k = {.size = sizeof k};
        hcbr_cases_get_kind(all, i, &k);
        if (k.name_length == c->name_length && memcmp(k.name, c->name, k.name_length) == 0)
            return (train->model == HCBR_MODEL_RICH || k.given) &&
                           !is_listed(train->numeric, train->numeric_count, c) &&
                           !is_listed(train->categorical, train->categorical_count, c)
                       ? k.becomes
                       : NULL;
    }
    return NULL;
}

/* Whether a rich model will treat a column as a number. */
static bool is_number(const hcbr_preview_column *c, const hcbr_cases *all,
                      const hcbr_train_options *train) {
    const char *as = becomes(all, c, train);
    if (as && train->model == HCBR_MODEL_RICH && strcmp(as, "as it is") != 0)
        return strcmp(as, "number") == 0;
    if (c->use != HCBR_USE_VALUE || train->model != HCBR_MODEL_RICH)
        return false;
    if (is_listed(train->numeric, train->numeric_count, c))
        return c->words < c->cases;
    return c->number && !is_listed(train->categorical, train->categorical_count, c);
}

/* The features of a converted column, in words; NULL: column=value. */
static const char *says_becomes(const char *as) {
    static const char *const SAYS[][2] = {{"words", "column:word=count"},
                                          {"members", "column=part"},
                                          {"date parts", "column=value, column: year, ..."},
                                          {"date parts only", "column: year, column: month, ..."},
                                          {"left out", "no feature"}};
    for (size_t i = 0; as && i < sizeof SAYS / sizeof *SAYS; i++)
        if (strcmp(as, SAYS[i][0]) == 0)
            return SAYS[i][1];
    return NULL;
}

/* The features of a column, in words. */
static const char *says(const hcbr_preview_column *c, const hcbr_cases *all,
                        const hcbr_train_options *train) {
    const char *said = says_becomes(becomes(all, c, train));
    if (said)
        return said;
    switch (c->use) {
    case HCBR_USE_VALUE:
        return is_number(c, all, train) ? "column<=number, column>number" : "column=value";
    case HCBR_USE_SPLIT:
        return "column=part";
    case HCBR_USE_TEXT:
        return c->name_length ? "column:word=count" : "word=count";
    case HCBR_USE_PRESENCE:
        return "the bare key";
    case HCBR_USE_NAMES:
        return "bare keys";
    default:
        return "no feature";
    }
}

static bool is_counted(hcbr_column_use use) {
    return use != HCBR_USE_IGNORED && use != HCBR_USE_GROUP && use != HCBR_USE_WEIGHT;
}

static hcbr_feature get_feature(const void *context, size_t n) {
    return ((const hcbr_preview_case *)context)->features[n];
}

static void put_columns(out *o, const hcbr_preview *v, const hcbr_cases *all,
                        const hcbr_train_options *train) {
    size_t count = hcbr_preview_column_count(v), cases = hcbr_preview_case_count(v);
    put_text(o, "column", 6, WIDE, false);
    put_text(o, "use", 3, NUMBER, false);
    put_text(o, "cases", 5, NUMBER, true);
    put_text(o, "missing", 7, NUMBER, true);
    put_text(o, "different", 9, NUMBER, true);
    out_string(o, "  features");
    out_row(o);
    for (size_t i = 0; i < count && i < COLUMNS; i++) {
        hcbr_preview_column c = {.size = sizeof c};
        hcbr_preview_get_column(v, i, &c);
        put_text(o, c.name_length ? c.name : "-", c.name_length ? c.name_length : 1, WIDE, false);
        put_text(o, USES[c.use], strlen(USES[c.use]), NUMBER, false);
        if (is_counted(c.use)) {
            put_count(o, c.cases, NUMBER);
            put_count(o, cases - c.cases, NUMBER);
            put_count(o, c.distinct, NUMBER);
        } else {
            for (int k = 0; k < 3; k++)
                put_text(o, "-", 1, NUMBER, true);
        }
        out_string(o, "  ");
        out_string(o, says(&c, all, train));
        if (train->model == HCBR_MODEL_RICH && c.use == HCBR_USE_VALUE && c.words > 0 &&
            c.words <= c.cases / 10) {
            out_string(o, " (values that are no numbers: ");
            out_u64(o, c.words);
            out_byte(o, ')');
        }
        if (c.separator) {
            out_string(o, ", parts between ");
            out_text(o, c.separator, strlen(c.separator));
        }
        out_row(o);
    }
    if (count > COLUMNS) {
        out_string(o, "... and ");
        out_u64(o, count - COLUMNS);
        out_string(o, " more");
        out_row(o);
    }
}

static void put_cases(out *o, const hcbr_preview *v) {
    size_t count = hcbr_preview_case_count(v);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        hcbr_preview_case x = {.size = sizeof x};
        hcbr_cell features = {.used = 0};
        hcbr_preview_get_case(v, i, &x);
        out_string(o, "row ");
        out_u64(o, x.row);
        if (x.id) {
            out_string(o, " (");
            out_text(o, x.id, x.id_length);
            out_byte(o, ')');
        }
        out_string(o, ": ");
        out_text(o, x.label, x.label_length);
        if (x.label_length)
            out_string(o, " <- ");
        if (x.feature_count)
            hcbr_cell_add_features(&features, get_feature, &x, x.feature_count, 240);
        else
            hcbr_cell_add(&features, "(no feature)", 12, 240);
        out_bytes(o, features.text, features.used);
        out_row(o);
    }
}

static void put_text_form(out *o, const hcbr_preview *v, const hcbr_cases *cases,
                          const hcbr_train_options *train) {
    out_string(o, "read as ");
    out_string(o, hcbr_format_name(hcbr_preview_get_format(v)));
    out_string(o, "; the first ");
    out_u64(o, hcbr_preview_case_count(v));
    out_string(o, hcbr_preview_case_count(v) == 1 ? " case" : " cases");
    out_row(o);
    out_row(o);
    put_columns(o, v, cases, train);
    out_row(o);
    put_cases(o, v);
    if (!cases) {
        out_row(o);
        out_string(o, "what columns are taken for is not shown: it takes all values, and this "
                      "input can be read once only");
        out_row(o);
    } else if (hcbr_cases_get_info(cases).kinds) {
        out_row(o);
        out_string(o, "by all values the columns are taken for");
        out_row(o);
        kinds_put_cases(o, cases);
    }
}

static hcbr_status put_json_form(hcbr_writer *w, const hcbr_preview *v, const hcbr_cases *all,
                                 const hcbr_train_options *train, hcbr_error *err) {
    size_t cases = hcbr_preview_case_count(v);
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_string("schema", "hcbr.input/1"),
             hcbr_item_string("format", hcbr_format_name(hcbr_preview_get_format(v))),
             hcbr_item_u64("cases", cases), hcbr_item_open("columns", '['));
    for (size_t i = 0; i < hcbr_preview_column_count(v); i++) {
        hcbr_preview_column c = {.size = sizeof c};
        hcbr_preview_get_column(v, i, &c);
        HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_text("name", c.name, c.name_length),
                 hcbr_item_string("use", USES[c.use]), hcbr_item_string("separator", c.separator));
        if (is_counted(c.use))
            HCBR_PUT(w, hcbr_item_u64("cases", c.cases), hcbr_item_u64("missing", cases - c.cases),
                     hcbr_item_u64("different", c.distinct));
        if (train->model == HCBR_MODEL_RICH && c.use == HCBR_USE_VALUE)
            HCBR_PUT(w,
                     hcbr_item_string("kind", is_number(&c, all, train) ? "number" : "category"));
        HCBR_PUT(w, hcbr_item_close('}'));
    }
    HCBR_PUT(w, hcbr_item_close(']'), hcbr_item_open("first", '['));
    for (size_t i = 0; i < cases && i < SHOWN; i++) {
        hcbr_preview_case x = {.size = sizeof x};
        hcbr_preview_get_case(v, i, &x);
        HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_u64("row", x.row),
                 hcbr_item_text("id", x.id, x.id_length),
                 hcbr_item_text("label", x.label_length ? x.label : NULL, x.label_length),
                 hcbr_item_features("features", x.features, x.feature_count), hcbr_item_close('}'));
    }
    HCBR_PUT(w, hcbr_item_close(']'), hcbr_item_key("kinds", SIZE_MAX));
    all ? kinds_json_cases(w, all) : HCBR_PUT(w, hcbr_item_string(NULL, NULL));
    return hcbr_write_end(w, HCBR_JSON, err);
}

/* All cases, since the columns are judged by all their values; none if they can be read once only.
 */
static hcbr_status read_all(hcbr_cases **all, const args *given, const hcbr_read_options *options,
                            hcbr_error *err) {
    *all = NULL;
    for (size_t i = 0; i < given->operand_count; i++)
        if (out_is_special(given->operands[i]) || strcmp(given->operands[i], "-") == 0)
            return HCBR_OK;
    hcbr_read_options quiet = *options;
    quiet.notify = NULL; // all of it was said
    hcbr_status st = hcbr_cases_create(all, 0, err);
    if (st == HCBR_OK)
        st = hcbr_cases_read(*all, given->operands, given->operand_count, &quiet, err);
    return st == HCBR_OK ? hcbr_cases_finish(*all, err) : st;
}

int explain_input(term *t, const args *given, const hcbr_read_options *options,
                  const hcbr_train_options *train) {
    hcbr_error err = {0};
    hcbr_preview *v = NULL;
    hcbr_cases *all = NULL;
    if (hcbr_preview_create(&v, given->operands, given->operand_count, options, READ, &err) !=
        HCBR_OK)
        return term_fail(t, &err);
    if (read_all(&all, given, options, &err) != HCBR_OK ||
        (all && hcbr_preview_understand(v, all, train, &err) != HCBR_OK)) {
        hcbr_preview_free(v);
        hcbr_cases_free(all);
        return term_fail(t, &err);
    }
    term_finish(t);
    out *o = malloc(sizeof *o);
    int code = o ? EXIT_DONE : say_no_memory(given->command->name);
    if (o) {
        hcbr_writer *w;
        out_open(o, NULL);
        if (!args_has(given, "json"))
            put_text_form(o, v, all, train);
        else if ((code = out_writer(o, given->command->name, &w)) == EXIT_DONE)
            code = term_written(t, o, put_json_form(w, v, all, train, &err), &err);
        if (code == EXIT_DONE)
            code = out_close(o, given->command->name);
        out_discard(o);
    }
    free(o);
    hcbr_preview_free(v);
    hcbr_cases_free(all);
    return code;
}
