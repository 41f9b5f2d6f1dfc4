/*
 * The output of predict other than text: its form, the rows that have to wait, and the order of
 * writing.
 *
 * Rows are written as they are decided, unless they are sorted or the columns of the table are
 * known only at the end (JSON Lines, several files): then they are kept in memory, each as its
 * final bytes.
 */
#include "predict_write.h"

#include "predict_row.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

double answers_lead(const hcbr_decision *d, hcbr_label label) {
    if (label == d->winner)
        return d->lead;
    double best = 0;
    bool any = false;
    for (size_t l = 0; l < d->label_count; l++) {
        if ((hcbr_label)l == label || (any && d->support[l] <= best))
            continue;
        best = d->support[l];
        any = true;
    }
    return d->support[label] - best;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Rows can be sorted only when the last one is there, which a stream may never give. */
static int check_paths(const args *given) {
    struct stat st;
    for (size_t i = 1; i < given->operand_count; i++) {
        const char *path = given->operands[i];
        bool stream = strcmp(path, "-") == 0 ||
                      (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
        if (stream)
            return say_usage("predict",
                             "--sort needs all rows before it writes the first, and %s may not "
                             "end: write the rows to a file first",
                             strcmp(path, "-") == 0 ? "standard input" : path);
    }
    return EXIT_DONE;
}

int answers_read(answers *a, const args *given) {
    static const char *const FORMS[] = {"csv", "tsv", "jsonl", NULL};
    int form = -1, code = settings_choice(given, "to", FORMS, &form);
    if (code != EXIT_DONE)
        return code;
    if (args_has(given, "json") && form >= 0 && form != 2)
        return say_usage("predict", "--json is --to jsonl: found --to %s too", FORMS[form]);
    a->add_columns = args_has(given, "add-columns");
    a->sorted = args_has(given, "sort");
    a->form = form >= 0                 ? (answer_form)(form + 1)
              : args_has(given, "json") ? ANSWER_JSONL
              : a->add_columns          ? ANSWER_CSV
                                        : ANSWER_TEXT;
    return a->sorted ? check_paths(given) : EXIT_DONE;
}

/* The label of --sort. */
static int find_label(answers *a, const args *given) {
    const char *asked = args_get(given, "sort"), *near = NULL;
    unsigned least = HCBR_TEXT_FAR;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(a->model, &info);
    for (uint32_t l = 0; l < info.labels; l++) {
        size_t length;
        const char *name = hcbr_model_get_label(a->model, (hcbr_label)l, &length);
        if (length == strlen(asked) && memcmp(name, asked, length) == 0) {
            a->by = (hcbr_label)l;
            return EXIT_DONE;
        }
        if (hcbr_text_near(asked, strlen(asked), name, length, &least))
            near = name;
    }
    if (near)
        return say_usage("predict", "--sort %s: the model has no such label; did you mean %s?",
                         settings_shown(asked), near);
    return say_usage("predict", "--sort %s: the model has no such label; inspect lists its %u",
                     settings_shown(asked), info.labels);
}

static int hold(answers *a) {
    if (a->held)
        return EXIT_DONE;
    if (!(a->memory = malloc(sizeof *a->memory)))
        return say_no_memory("predict");
    out_open_memory(a->memory);
    a->to = a->memory;
    a->held = true;
    return EXIT_DONE;
}

/* Room for one more row that waits. */
static int need_row(answers *a) {
    if (!a->held || a->row_count < a->row_room)
        return EXIT_DONE;
    size_t room = 2 * a->row_room + 1024;
    held_row *grown = realloc(a->rows, room * sizeof *grown);
    if (!grown)
        return say_no_memory("predict");
    a->rows = grown;
    a->row_room = room;
    return EXIT_DONE;
}

int answers_open(answers *a, const args *given, term *t, const hcbr_model *model,
                 const hcbr_read_options *read, size_t files) {
    int code = EXIT_DONE;
    a->term = t;
    a->model = model;
    a->has_id = read->id != NULL;
    a->several = files > 1;
    if (a->sorted && (code = find_label(a, given)) == EXIT_DONE && (code = hold(a)) == EXIT_DONE)
        code = need_row(a);
    return code;
}

void answers_to(answers *a, out *final) {
    a->final = final;
    if (!a->held)
        a->to = final;
}

void answers_clear(answers *a) {
    if (a->memory)
        out_discard(a->memory);
    free(a->memory);
    for (size_t i = 0; i < a->column_count; i++)
        free((char *)a->columns[i].name);
    free(a->columns);
    free(a->cells);
    free(a->rows);
    *a = (answers){0};
}

/* ---- rows ------------------------------------------------------------------------------------ */

void answers_begin(answers *a) {
    if (a->held && a->row_count < a->row_room)
        a->rows[a->row_count].begin = a->rows[a->row_count].middle = out_position(a->to);
}

int answers_done(answers *a, const hcbr_decision *d) {
    if (!a->held)
        return EXIT_DONE;
    if (a->to->error)
        return say_no_memory("predict");
    held_row *row = &a->rows[a->row_count];
    row->end = out_position(a->to);
    row->columns = a->column_count;
    row->place = a->row_count++;
    row->key = !a->sorted ? 0 : d->probability ? d->probability[a->by] : answers_lead(d, a->by);
    return need_row(a);
}

/* The first row says whether others can be written before the last one was read. */
static int begin_all(answers *a, const hcbr_decision *d, const hcbr_field *fields, size_t count) {
    bool table = a->form != ANSWER_JSONL;
    int code = EXIT_DONE;
    a->begun = true;
    a->has_id = a->has_id || (d && d->id);
    if (a->add_columns && table && (a->several || (count > 0 && fields[0].json)))
        code = hold(a);
    for (size_t i = 0; code == EXIT_DONE && table && i < count; i++)
        code = answers_column(a, &fields[i], i, NULL);
    if (code == EXIT_DONE && table && !a->held)
        code = answers_header(a);
    return code == EXIT_DONE ? need_row(a) : code;
}

int answers_row(answers *a, hcbr_stream *stream, const hcbr_decision *d) {
    const hcbr_field *fields = NULL;
    hcbr_error err = {0};
    size_t count = 0;
    int code = EXIT_DONE;
    if (a->add_columns && hcbr_stream_get_fields(stream, &fields, &count, &err) != HCBR_OK) {
        if (err.status == HCBR_EUSAGE)
            return say_usage("predict", "--add-columns: %s", err.message);
        return term_fail(a->term, &err);
    }
    if (!a->begun && (code = begin_all(a, d, fields, count)))
        return code;
    answers_begin(a);
    if (a->form == ANSWER_JSONL)
        code = answers_json(a, fields, count, d);
    else
        code = answers_table(a, fields, count, d);
    return code == EXIT_DONE ? answers_done(a, d) : code;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int compare(const void *pa, const void *pb) {
    const held_row *a = pa, *b = pb;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

int answers_end(answers *a) {
    int code = EXIT_DONE;
    bool table = a->form == ANSWER_CSV || a->form == ANSWER_TSV;
    if (table && !a->begun)
        code = begin_all(a, NULL, NULL, 0);
    if (code != EXIT_DONE || !a->held)
        return code;
    out_flush(a->memory);
    if (a->memory->error)
        return say_no_memory("predict");
    if (a->sorted && a->row_count > 1)
        qsort(a->rows, a->row_count, sizeof *a->rows, compare);
    if (table && (code = answers_header(a)))
        return code;
    for (size_t i = 0; i < a->row_count && out_good(a->final); i++) {
        const held_row *row = &a->rows[i];
        const char *bytes = a->memory->memory;
        out_bytes(a->final, bytes + row->begin, row->middle - row->begin);
        for (size_t k = row->columns; table && a->add_columns && k < a->column_count; k++)
            out_byte(a->final, a->form == ANSWER_TSV ? '\t' : ',');
        out_bytes(a->final, bytes + row->middle, row->end - row->middle);
    }
    return EXIT_DONE;
}
