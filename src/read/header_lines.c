/*
 * The names of the columns of a csv or tsv file, from the lines of its header.
 *
 * Invariant: a name is that of one line, or of several with blanks between; a column without one is
 * named by its place.
 */
#include "read/csv.h"

#include <stdio.h>

hcbr_status hcbr_i_csv_add_name(hcbr_i_csv *csv, hcbr_i_fields *f, hcbr_i_text name, const char *at,
                                hcbr_error *err) {
    char place[24];
    if (name.length == 0) {
        name.at = place;
        name.length = (size_t)snprintf(place, sizeof place, "%zu", csv->column_count + 1);
    }
    name.at = hcbr_i_arena_copy(&csv->text, name.at, name.length);
    if (name.at == NULL ||
        !hcbr_i_grow(&csv->columns, &csv->column_capacity, csv->column_count + 1,
                     sizeof *csv->columns) ||
        !hcbr_i_grow(&f->items, &f->capacity, f->count + 1, sizeof *f->items))
        return hcbr_i_no_memory(err);
    csv->columns[csv->column_count] =
        (hcbr_i_column){.key = name.at, .key_length = (uint32_t)name.length};
    f->items[f->count++] = (hcbr_i_field){name, at, csv->column_count++};
    return HCBR_OK;
}

/** Say that quotes or delimiters of the header are odd, once. */
static void say_loose(const hcbr_i_parser *p, hcbr_i_csv *csv, const char *what) {
    if (!csv->loose)
        hcbr_i_notify(p->options->notify, p->options->notify_context, HCBR_NOTE, p->file, p->line,
                      0, "the header has %s (option bad_rows stop refuses this)", what);
    csv->loose = true;
}

/** Read the fields of the record, a line of the header or the first row, one after the other. */
static hcbr_status next_field(hcbr_i_parser *p, hcbr_i_csv *csv, const char **at, const char *limit,
                              hcbr_i_text *name, const char **stop, hcbr_error *err) {
    while (**at == ' ' && (csv->runs || csv->padded))
        ++*at;
    if (csv->runs && *at > p->record && hcbr_i_csv_line_ends(*at)) {
        *stop = *at; // blanks at the end of the line
        *name = (hcbr_i_text){NULL, 0};
        return HCBR_OK;
    }
    hcbr_status st = hcbr_i_csv_field(p, csv, *at, limit, &csv->text, name, stop, err);
    if (st != HCBR_EDATA || !p->bad_quote || !p->takes_short)
        return st;
    p->bad_quote = false;
    say_loose(p, csv, "quotes that stand for themselves");
    return hcbr_i_csv_loose_field(p, csv, *at, limit, &csv->text, name, stop, err);
}

/** The same; a name of blanks is empty. */
static hcbr_status next_name(hcbr_i_parser *p, hcbr_i_csv *csv, const char **at, const char *limit,
                             hcbr_i_text *name, const char **stop, hcbr_error *err) {
    hcbr_status st = next_field(p, csv, at, limit, name, stop, err);
    size_t blanks = 0;
    if (st == HCBR_OK && csv->trailing)
        hcbr_i_csv_trim(name);
    while (st == HCBR_OK && blanks < name->length && name->at[blanks] == ' ')
        blanks++;
    if (st == HCBR_OK && blanks == name->length)
        name->length = 0;
    return st;
}

hcbr_status hcbr_i_csv_keep_upper(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_error *err) {
    const char *at = p->record, *stop;
    const size_t first = csv->upper_count;
    for (;; at = stop + 1) {
        hcbr_i_text name;
        hcbr_status st = next_name(p, csv, &at, limit, &name, &stop, err);
        if (st != HCBR_OK)
            return st;
        if (name.at == NULL)
            break;
        name.at = hcbr_i_arena_copy(&csv->text, name.at, name.length);
        if (name.at == NULL || !hcbr_i_grow(&csv->upper, &csv->upper_capacity, csv->upper_count + 1,
                                            sizeof *csv->upper))
            return hcbr_i_no_memory(err);
        csv->upper[csv->upper_count++] = name;
        if (*stop != csv->delimiter)
            break;
    }
    if (csv->upper_lines++ == 0)
        csv->upper_width = csv->upper_count;
    if (csv->upper_count - first == csv->upper_width)
        return HCBR_OK;
    return hcbr_i_parser_fail(p, p->record, err,
                              "found %zu fields in a line of the header, expected %zu as in its "
                              "first (option header)",
                              csv->upper_count - first, csv->upper_width);
}

/** Whether the first line of the header has a name for each column, without duplicates. Then the
 *  other lines have something else, such as units. */
static bool is_complete(const hcbr_i_csv *csv) {
    for (size_t a = 0; a < csv->upper_width; a++) {
        if (csv->upper[a].length == 0)
            return false;
        for (size_t b = 0; b < a && csv->upper_width < 1000; b++)
            if (hcbr_i_order_text(csv->upper[a], csv->upper[b]) == 0)
                return false;
    }
    return true;
}

/**
 * The name of a column from the lines above and `last`, the field of the last line, with blanks
 * between them. An empty field above belongs to the column to the left, if that `spans` several: if
 * something is below it.
 */
static bool join_lines(hcbr_i_csv *csv, size_t column, bool complete, bool spans,
                       hcbr_i_text *last) {
    size_t length = last->length, used = 0;
    if (csv->upper_lines == 0 || column >= csv->upper_width)
        return true;
    if (complete) {
        *last = csv->upper[column];
        return true;
    }
    for (unsigned line = 0; line < csv->upper_lines; line++) {
        hcbr_i_text *row = csv->upper + line * csv->upper_width;
        if (spans && last->length > 0 && row[column].length == 0)
            row[column] = row[column - 1];
        length += row[column].length + 1;
    }
    char *name = hcbr_i_arena_take(&csv->text, length);
    if (name == NULL)
        return false;
    for (unsigned line = 0; line <= csv->upper_lines; line++) {
        hcbr_i_text part =
            line < csv->upper_lines ? csv->upper[line * csv->upper_width + column] : *last;
        if (hcbr_i_is_rule(part))
            continue; // below the names
        while (used > 0 && part.length > 0 && *part.at == ' ') {
            part.at++;
            part.length--;
        }
        if (part.length > 0 && used > 0)
            name[used++] = ' ';
        memcpy(name + used, part.at, part.length);
        used += part.length;
    }
    *last = (hcbr_i_text){name, used};
    return true;
}

/** Name the columns by the likeliest reading of the header. */
static hcbr_status take_mended(const hcbr_i_parser *p, hcbr_i_csv *csv,
                               const hcbr_i_csv_reading *mend, hcbr_i_fields *f, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    say_loose(p, csv,
              mend->fault == HCBR_I_FAULT_OTHERWISE
                  ? "other delimiters than the rows, and is read as is likeliest"
                  : "quotes that stand for themselves");
    for (size_t i = 0; i < mend->count && st == HCBR_OK; i++)
        st = hcbr_i_csv_add_name(csv, f, mend->cells[i].text, mend->cells[i].at, err);
    return st;
}

hcbr_status hcbr_i_csv_take_names(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_i_fields *f, hcbr_error *err) {
    hcbr_i_csv_reading mend;
    const char *at = p->record, *stop;
    const bool by_place = csv->no_header, complete = csv->upper_lines > 0 && is_complete(csv);
    bool spans = false;
    size_t column = 0;
    hcbr_status st = hcbr_i_csv_find_names(p, csv, limit, &mend, err);
    if (st != HCBR_OK || mend.cells != NULL)
        return st == HCBR_OK ? take_mended(p, csv, &mend, f, err) : st;
    if (csv->row_names &&
        (st = hcbr_i_csv_add_name(csv, f, (hcbr_i_text){"", 0}, at, err)) != HCBR_OK)
        return st;
    for (;; at = stop + 1, column++) {
        hcbr_i_text name;
        if ((st = next_name(p, csv, &at, limit, &name, &stop, err)) != HCBR_OK)
            return st;
        bool filled = name.length > 0 && !hcbr_i_is_rule(name);
        if (name.at == NULL || (csv->most_columns > 0 && column == csv->most_columns))
            return HCBR_OK;
        if (by_place)
            name.length = 0;
        else if (!join_lines(csv, column, complete, spans, &name))
            return hcbr_i_no_memory(err);
        spans = filled;
        if ((st = hcbr_i_csv_add_name(csv, f, name, at, err)) != HCBR_OK)
            return st;
        if (*stop != csv->delimiter)
            break;
    }
    while (f->count < csv->least_columns && !by_place)
        if ((st = hcbr_i_csv_add_name(csv, f, (hcbr_i_text){"", 0}, stop, err)) != HCBR_OK)
            return st;
    return HCBR_OK;
}
