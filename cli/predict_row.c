/*
 * A row of answers: the columns of the data unchanged, then label and probabilities.
 *
 * The columns of a table and the keys of an object have different names: that of an answer gets the
 * first free of the suffixes _2, _3, ... For tables all columns count, for JSON Lines the keys of
 * the row.
 */
#include "predict_row.h"

#include "field.h"
#include "json_line.h"
#include "label.h"

#include <hcbr/number.h>

#include <stdlib.h>

/* ---- columns of the data --------------------------------------------------------------------- */

static bool is_called(const hcbr_field *field, const char *name, size_t length) {
    return field->name_length == length && memcmp(field->name, name, length) == 0;
}

static int add_column(answers *a, const hcbr_field *field) {
    if (a->column_count == a->column_room) {
        size_t room = 2 * a->column_room + 32;
        hcbr_field *grown = realloc(a->columns, room * sizeof *grown);
        if (!grown)
            return say_no_memory("predict");
        a->columns = grown;
        a->column_room = room;
    }
    char *copy = malloc(field->name_length + 1);
    if (!copy)
        return say_no_memory("predict");
    memcpy(copy, field->name, field->name_length);
    copy[field->name_length] = '\0';
    a->columns[a->column_count++] = (hcbr_field){.name = copy, .name_length = field->name_length};
    return EXIT_DONE;
}

int answers_column(answers *a, const hcbr_field *field, size_t guess, size_t *place) {
    size_t i = guess;
    if (i >= a->column_count || !is_called(&a->columns[i], field->name, field->name_length))
        for (i = 0; i < a->column_count; i++)
            if (is_called(&a->columns[i], field->name, field->name_length))
                break;
    if (place)
        *place = i;
    return i < a->column_count ? EXIT_DONE : add_column(a, field);
}

/* The fields of a row by column; NULL where it has none. */
static int place_cells(answers *a, const hcbr_field *fields, size_t count) {
    size_t column;
    int code;
    for (size_t i = 0; i < count; i++)
        if ((code = answers_column(a, &fields[i], i, NULL)))
            return code;
    if (a->cell_room < a->column_count) {
        free(a->cells);
        a->cells = calloc(a->column_room, sizeof(hcbr_field *));
        a->cell_room = a->cells ? a->column_room : 0;
        if (!a->cells)
            return say_no_memory("predict");
    }
    for (size_t i = 0; i < a->column_count; i++)
        a->cells[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        if ((code = answers_column(a, &fields[i], i, &column)))
            return code;
        a->cells[column] = &fields[i];
    }
    return EXIT_DONE;
}

/* ---- names of answers ------------------------------------------------------------------------ */

/* Whether there is a field of this name. */
static bool is_taken(const hcbr_field *fields, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (is_called(&fields[i], name, length))
            return true;
    return false;
}

/*
 * The name of an answer: first, a name and last together, with a number after it if needed. Two
 * answers never have one name, since no label is `label` in brackets. To be freed; NULL: no memory.
 */
static char *free_name(const hcbr_field *fields, size_t count, const char *first, const char *name,
                       size_t length, const char *last) {
    size_t room = strlen(first) + length + strlen(last) + 32, used = 0;
    char *text = malloc(room);
    if (!text)
        return NULL;
    memcpy(text, first, strlen(first));
    used += strlen(first);
    memcpy(text + used, name, length);
    used += length;
    memcpy(text + used, last, strlen(last) + 1);
    used += strlen(last);
    for (size_t n = 2; is_taken(fields, count, text, strlen(text)); n++)
        snprintf(text + used, room - used, "_%zu", n);
    return text;
}

static size_t labels_of(const answers *a) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(a->model, &info);
    return info.labels;
}

static bool has_probability(const answers *a) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(a->model, &info);
    return info.model == HCBR_MODEL_RICH || info.calibrate != HCBR_CALIBRATE_NONE;
}

static int put_name(answers *a, const char *first, const char *name, size_t length,
                    const char *last) {
    char *text = free_name(a->columns, a->column_count, first, name, length, last);
    if (!text)
        return say_no_memory("predict");
    put_field(a->final, a->form == ANSWER_TSV ? '\t' : ',', text, strlen(text));
    free(text);
    return EXIT_DONE;
}

int answers_header(answers *a) {
    const char delimiter = a->form == ANSWER_TSV ? '\t' : ',';
    const bool probability = has_probability(a);
    int code = EXIT_DONE;
    if (!probability)
        term_note(a->term, "the model has no probabilities: the columns hold the support of each "
                           "label (train a rich model, or use --calibrate platt)");
    for (size_t i = 0; i < a->column_count; i++) {
        put_field(a->final, delimiter, a->columns[i].name, a->columns[i].name_length);
        out_byte(a->final, delimiter);
    }
    if (!a->add_columns) {
        out_string(a->final, a->has_id ? "id" : "row");
        out_byte(a->final, delimiter);
    }
    code = put_name(a, "", "label", 5, "");
    for (size_t l = 0; code == EXIT_DONE && l < labels_of(a); l++) {
        size_t length;
        const char *name = hcbr_model_get_label(a->model, (hcbr_label)l, &length);
        out_byte(a->final, delimiter);
        code = put_name(a, probability ? "p(" : "support(", name, length, ")");
    }
    out_row(a->final);
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_double(out *o, double value) {
    char text[HCBR_NUMBER_SIZE];
    out_bytes(o, text, hcbr_number_format(text, value));
}

/* Label and probabilities, after the name of the row, unless its columns have it. */
static void put_answer(answers *a, const hcbr_decision *d) {
    const char delimiter = a->form == ANSWER_TSV ? '\t' : ',';
    out *o = a->to;
    if (!a->add_columns) {
        if (a->has_id && d->id)
            put_field(o, delimiter, d->id, d->id_length);
        else if (!a->has_id)
            out_u64(o, d->row);
        out_byte(o, delimiter);
    }
    if (d->label < 0) {
        out_string(o, "unknown");
    } else {
        size_t length;
        const char *name = hcbr_model_get_label(a->model, d->label, &length);
        name = label_shown(name, &length);
        put_field(o, delimiter, name, length);
    }
    for (size_t l = 0; l < d->label_count; l++) {
        out_byte(o, delimiter);
        put_double(o, d->probability ? d->probability[l] : d->support[l]);
    }
    out_row(o);
}

int answers_table(answers *a, const hcbr_field *fields, size_t count, const hcbr_decision *d) {
    const char delimiter = a->form == ANSWER_TSV ? '\t' : ',';
    int code = a->add_columns ? place_cells(a, fields, count) : EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < a->column_count; i++) {
        const hcbr_field *cell = a->cells[i];
        if (cell && cell->text)
            put_field(a->to, delimiter, cell->text, cell->text_length);
        out_byte(a->to, delimiter);
    }
    if (a->held)
        a->rows[a->row_count].middle = out_position(a->to);
    if (code == EXIT_DONE)
        put_answer(a, d);
    return code;
}

/* ---- JSON Lines with the columns of the data ------------------------------------------------- */

/* A value as it stood in the data: on one line, whatever it stood on. */
static bool put_value(json_line *line, const hcbr_field *field) {
    bool good = true;
    if (!field->json)
        return field->text ? json_line_text(line, field->text, field->text_length)
                           : json_line_put(line, "null", 4);
    for (size_t i = 0; good && i < field->json_length; i++)
        if ((unsigned char)field->json[i] >= ' ') // no string holds such a byte
            good = json_line_put(line, field->json + i, 1);
    return good;
}

static bool put_key(json_line *line, const hcbr_field *fields, size_t count, const char *name) {
    char *text = free_name(fields, count, "", name, strlen(name), "");
    bool good = text && json_line_put(line, ",", line->size > 1 ? 1 : 0) &&
                json_line_text(line, text, strlen(text)) && json_line_put(line, ":", 1);
    free(text);
    return good;
}

static bool put_by_label(answers *a, json_line *line, const double *values) {
    bool good = json_line_put(line, "{", 1);
    for (size_t l = 0; good && l < labels_of(a); l++) {
        char text[HCBR_NUMBER_SIZE];
        size_t length;
        const char *name = hcbr_model_get_label(a->model, (hcbr_label)l, &length);
        good = json_line_put(line, ",", l > 0 ? 1 : 0) && json_line_text(line, name, length) &&
               json_line_put(line, ":", 1);
        length = hcbr_number_format(text, values[l]);
        good = good && json_line_put(line, text, length);
    }
    return good && json_line_put(line, "}", 1);
}

static bool put_object(answers *a, json_line *line, const hcbr_field *fields, size_t count,
                       const hcbr_decision *d) {
    static const char SCHEMA[] = "hcbr.predict.columns/1";
    const char *reason = hcbr_reason_name(d->reason);
    size_t length = 0;
    const char *name = d->label < 0 ? NULL : hcbr_model_get_label(a->model, d->label, &length);
    bool good = json_line_put(line, "{", 1);
    for (size_t i = 0; good && i < count; i++)
        good = json_line_put(line, ",", i > 0 ? 1 : 0) &&
               json_line_text(line, fields[i].name, fields[i].name_length) &&
               json_line_put(line, ":", 1) && put_value(line, &fields[i]);
    good = good && put_key(line, fields, count, "schema") &&
           json_line_text(line, SCHEMA, strlen(SCHEMA)) && put_key(line, fields, count, "label") &&
           (name ? json_line_text(line, name, length) : json_line_put(line, "null", 4)) &&
           put_key(line, fields, count, "reason") && json_line_text(line, reason, strlen(reason)) &&
           put_key(line, fields, count, "probability");
    good = good && (d->probability ? put_by_label(a, line, d->probability)
                                   : json_line_put(line, "null", 4));
    good = good && put_key(line, fields, count, "support") && put_by_label(a, line, d->support);
    return good && json_line_put(line, "}", 1);
}

int answers_json(answers *a, const hcbr_field *fields, size_t count, const hcbr_decision *d) {
    json_line line = {0};
    bool good = put_object(a, &line, fields, count, d);
    if (good) {
        out_bytes(a->to, line.bytes, line.size);
        out_row(a->to);
    }
    free(line.bytes);
    return good ? EXIT_DONE : say_no_memory("predict");
}
