/*
 * The columns of a csv or tsv file: their names, roles and mistakes.
 *
 * Invariant: once hcbr_i_csv_header() succeeds every column has a unique name, at most one is the
 * label and at most one the id. Columns are found by name, never by position, so each file may have
 * its own order.
 */
#include "read/csv.h"

#include <stdio.h>
#include <stdlib.h>

static int compare_fields(const void *a, const void *b) {
    const hcbr_i_field *x = a, *y = b;
    int order = hcbr_i_order_text(x->name, y->name);
    return order != 0 ? order : hcbr_i_order_u64(x->column, y->column);
}

/** The column of a name, or SIZE_MAX. */
static size_t find(const hcbr_i_fields *f, const char *name, size_t length) {
    hcbr_i_text wanted = {name, length};
    size_t low = 0, high = f->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = hcbr_i_order_text(f->items[middle].name, wanted);
        if (order == 0)
            return f->items[middle].column;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

static bool is_text(const char *name, hcbr_i_text text) {
    return name != NULL && strlen(name) == text.length && memcmp(name, text.at, text.length) == 0;
}

/** Whether options name this column, or it is that of the label. Then it must exist. */
static bool is_asked_for(const hcbr_i_parser *p, hcbr_i_text name) {
    const hcbr_read_options *o = p->options;
    if (is_text(o->label, name) || is_text(o->id, name) || is_text(o->group, name) ||
        is_text(o->weight, name) || hcbr_i_parser_is_join_key(p, name.at, name.length) ||
        hcbr_i_parser_special(p, name.at, name.length) != NULL)
        return true;
    for (size_t i = 0; i < p->ignore_count; i++)
        if (is_text(p->ignore[i].at, name))
            return true;
    for (size_t i = 0; o->label == NULL && !p->is_joined && i < HCBR_I_LABEL_NAMES; i++)
        if (is_text(hcbr_i_label_names[i], name))
            return true;
    return false;
}

/** Another name for the column: its own with the next number that no column has. */
static bool rename_column(hcbr_i_csv *csv, const hcbr_i_fields *f, hcbr_i_column *column,
                          size_t *number) {
    char *name = hcbr_i_arena_take(&csv->text, (size_t)column->key_length + 24);
    if (name == NULL)
        return false;
    memcpy(name, column->key, column->key_length);
    do
        snprintf(name + column->key_length, 24, ".%zu", ++*number);
    while (find(f, name, strlen(name)) != SIZE_MAX);
    column->key = name;
    column->key_length = (uint32_t)strlen(name);
    return true;
}

/** Call each further column of a name `name.2`, `name.3` and so on, and say so. */
static hcbr_status make_unique(const hcbr_i_parser *p, hcbr_i_csv *csv, hcbr_i_fields *f,
                               const hcbr_i_field *twin, hcbr_error *err) {
    const size_t first = twin->column;
    size_t renamed = 0, number = 1;
    char name[200], called[200];
    hcbr_i_quote(name, twin->name.at, twin->name.length);
    for (size_t i = 1; i < f->count; i++) {
        const bool again = hcbr_i_order_text(f->items[i - 1].name, f->items[i].name) == 0;
        number = again ? number : 1;
        renamed += again;
        if (again && !rename_column(csv, f, &csv->columns[f->items[i].column], &number))
            return hcbr_i_no_memory(err);
    }
    for (size_t i = 0; i < f->count; i++)
        f->items[i].name = (hcbr_i_text){csv->columns[f->items[i].column].key,
                                         csv->columns[f->items[i].column].key_length};
    qsort(f->items, f->count, sizeof *f->items, compare_fields);
    hcbr_i_quote(called, csv->columns[first].key, csv->columns[first].key_length);
    hcbr_i_notify(p->options->notify, p->options->notify_context, HCBR_NOTE, p->file, 0, 0,
                  "found a second column %s, which is called %s%s", name, called,
                  renamed == 1 ? "" : ", and others likewise");
    return HCBR_OK;
}

/** Sort the names; a duplicate is renamed, or an error at the second. */
static hcbr_status sort_names(const hcbr_i_parser *p, hcbr_i_csv *csv, hcbr_i_fields *f,
                              hcbr_error *err) {
    const hcbr_i_field *twin = NULL, *wrong = NULL; // the first of each
    size_t twins = 0;
    char quoted[200];
    if (f->items == NULL)
        return HCBR_OK;
    qsort(f->items, f->count, sizeof *f->items, compare_fields);
    for (size_t i = 1; i < f->count; i++) {
        const hcbr_i_field *x = &f->items[i];
        if (hcbr_i_order_text(f->items[i - 1].name, x->name) != 0)
            continue;
        twins++;
        if (twin == NULL || x->column < twin->column)
            twin = x;
        if ((wrong == NULL || x->column < wrong->column) &&
            (csv->unique || is_asked_for(p, x->name)))
            wrong = x;
    }
    if (twin == NULL)
        return HCBR_OK;
    if (wrong == NULL)
        return make_unique(p, csv, f, twin, err);
    return hcbr_i_parser_fail(
        p, wrong->at, err, "found a second column %s, expected every name once%s",
        hcbr_i_quote(quoted, wrong->name.at, wrong->name.length),
        twins < 3 || csv->open || csv->unique ? ""
                                              : " (option no_header, if the first line is a row)");
}

/** Set the special columns: of sets, of texts, and of presence. */
static hcbr_status find_specials(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_fields *f,
                                 hcbr_error *err) {
    for (size_t i = 0; i < p->special_count; i++) {
        hcbr_i_text name = p->specials[i].column;
        size_t column = find(f, name.at, name.length);
        char option[16];
        if (column == SIZE_MAX) {
            snprintf(option, sizeof option, "option %s", hcbr_i_change_name(p->specials[i].change));
            return hcbr_i_csv_no_column(p, csv, name.at, option, err);
        }
        csv->columns[column].special = hcbr_i_parser_special(p, name.at, name.length);
    }
    return HCBR_OK;
}

/** Set the columns that sources are joined by, and check those that could be a source's. */
static hcbr_status find_keys(const hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_fields *f,
                             hcbr_error *err) {
    char quoted[200], name[200];
    for (size_t i = 0; i < p->key_count; i++) {
        size_t column = find(f, p->keys[i].at, p->keys[i].length);
        if (column == SIZE_MAX)
            return hcbr_i_csv_no_column(p, csv, p->keys[i].at, "option join", err);
        if (csv->columns[column].role == HCBR_I_ROLE_IGNORED)
            csv->columns[column].role = HCBR_I_ROLE_KEY;
    }
    for (size_t i = 0; p->joins != NULL && i < f->count; i++) {
        hcbr_i_text column = f->items[i].name;
        const char *source = hcbr_i_parser_clash(p, column.at, column.length);
        if (source != NULL)
            return hcbr_i_parser_fail(p, f->items[i].at, err,
                                      "found column %s, which could be one of the joined source "
                                      "%s, expected another name (option join.name)",
                                      hcbr_i_quote(quoted, column.at, column.length),
                                      hcbr_i_quote(name, source, strlen(source)));
    }
    return HCBR_OK;
}

static hcbr_status find_roles(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_fields *f,
                              hcbr_error *err) {
    const char *id = p->options->id, *group = p->options->group, *weight = p->options->weight;
    size_t column;
    hcbr_status st;
    for (size_t i = 0; i < p->ignore_count; i++) {
        column = find(f, p->ignore[i].at, p->ignore[i].length);
        if (column == SIZE_MAX && !csv->open)
            return hcbr_i_csv_no_column(p, csv, p->ignore[i].at, "option ignore", err);
        if (column != SIZE_MAX)
            csv->columns[column].role = HCBR_I_ROLE_IGNORED;
    }
    if (id != NULL) {
        column = find(f, id, strlen(id));
        if (column == SIZE_MAX)
            return hcbr_i_csv_no_column(p, csv, id, "option id", err);
        csv->columns[column].role = HCBR_I_ROLE_ID;
    }
    if (group != NULL) { // new cases need neither group nor weight
        column = find(f, group, strlen(group));
        if (column == SIZE_MAX && p->grouped)
            return hcbr_i_csv_no_column(p, csv, group, "option group", err);
        if (column != SIZE_MAX)
            csv->columns[column].role = HCBR_I_ROLE_GROUP;
    }
    if (weight != NULL) {
        column = find(f, weight, strlen(weight));
        if (column == SIZE_MAX && p->weighs)
            return hcbr_i_csv_no_column(p, csv, weight, "option weight", err);
        if (column != SIZE_MAX)
            csv->columns[column].role = HCBR_I_ROLE_WEIGHT;
    }
    if ((st = find_specials(p, csv, f, err)) != HCBR_OK ||
        (st = find_keys(p, csv, f, err)) != HCBR_OK)
        return st;
    if (p->is_joined)
        return HCBR_OK;
    hcbr_i_csv_leave_added(p, csv);
    return hcbr_i_csv_find_label(p, csv, err);
}

/** Pack the keys of the columns that give features, and list these columns. */
static bool pack_keys(hcbr_i_csv *csv) {
    for (size_t i = 0; i < csv->column_count; i++) {
        hcbr_i_column *c = &csv->columns[i];
        hcbr_i_name key;
        c->room = -1;
        if (c->role != HCBR_I_ROLE_FEATURE)
            continue;
        if (c->special != NULL && c->special->change == HCBR_I_CHANGE_TEXT)
            continue; // the keys of its features are others
        if (!hcbr_i_grow(&csv->features, &csv->feature_capacity, csv->feature_count + 1,
                         sizeof *csv->features))
            return false;
        csv->features[csv->feature_count++] = (hcbr_i_text){c->key, c->key_length};
        if (c->key_length > HCBR_I_SHORT || c->special != NULL)
            continue;
        key = hcbr_i_name_pack(c->key, c->key_length, NULL, 0);
        c->lo = key.lo;
        c->hi = key.hi | hcbr_i_name_tag(0, false, 0); // a value, of no bytes yet
        c->room = (int8_t)(HCBR_I_SHORT - c->key_length);
        c->unit = UINT64_C(1) << 8 * (c->key_length % 8);
    }
    return true;
}

/** The bytes of the record's first line. */
static size_t first_line(const hcbr_i_parser *p, const char *limit) {
    const char *newline = memchr(p->record, '\n', (size_t)(limit - p->record));
    return (size_t)((newline != NULL ? newline : limit) - p->record);
}

static hcbr_status other_format(const hcbr_i_parser *p, size_t length, const hcbr_i_format *looks,
                                hcbr_error *err) {
    char quoted[200];
    while (length > 0 && p->record[length - 1] == '\r')
        length--;
    return hcbr_i_parser_fail(p, p->record, err,
                              "found %s, which looks like %s, expected %s "
                              "(option format %s reads the other)",
                              hcbr_i_quote(quoted, p->record, length), looks->name, p->format->name,
                              looks->name);
}

/** A first line that is plainly of another format is not read as columns. */
static hcbr_status check_format(const hcbr_i_parser *p, char delimiter, const char *limit,
                                hcbr_error *err) {
    size_t length = first_line(p, limit);
    const hcbr_i_format *looks = hcbr_i_format_sniff(p->record, length, 0);
    return looks->may_be_header == NULL || looks->may_be_header(p->record, length, delimiter)
               ? HCBR_OK
               : other_format(p, length, looks, err);
}

/**
 * One column that would be several in the sister format, csv or tsv: the file is of that one. A
 * requested delimiter is right in any case, and without a header the first line is a row like
 * others.
 */
static hcbr_status check_sister(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit,
                                hcbr_error *err) {
    size_t length = first_line(p, limit);
    const hcbr_i_format *looks = hcbr_i_format_sniff(p->record, length, 0);
    if (csv->column_count > 1 || p->record[0] == '"' || p->options->delimiter != 0 ||
        csv->no_header || looks == p->format || !looks->has_columns)
        return HCBR_OK;
    return other_format(p, length, looks, err);
}

/** Keep the bytes of a header of one line, without its end. */
static bool keep_line(const hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit) {
    size_t length = (size_t)(limit - p->record);
    while (length > 0 && (p->record[length - 1] == '\n' || p->record[length - 1] == '\r'))
        length--;
    if (csv->no_header || csv->headers > 1)
        length = 0;
    csv->line = (hcbr_i_text){hcbr_i_arena_copy(&csv->text, p->record, length), length};
    return csv->line.at != NULL;
}

hcbr_status hcbr_i_csv_header(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                              hcbr_error *err) {
    hcbr_i_fields f = {NULL, 0, 0};
    hcbr_status st;
    if (csv->named) { // a line below the names
        csv->ready = ++csv->passed >= csv->below;
        return HCBR_OK;
    }
    if (csv->upper_lines + 1 < csv->headers && !csv->no_header)
        return hcbr_i_csv_keep_upper(p, csv, limit, err);
    if ((st = check_format(p, csv->delimiter, limit, err)) == HCBR_OK &&
        (st = hcbr_i_csv_take_names(p, csv, limit, &f, err)) == HCBR_OK &&
        (st = check_sister(p, csv, limit, err)) == HCBR_OK &&
        (st = sort_names(p, csv, &f, err)) == HCBR_OK)
        st = find_roles(p, csv, &f, err);
    if (st == HCBR_OK && (!pack_keys(csv) || !keep_line(p, csv, limit)))
        st = hcbr_i_no_memory(err);
    csv->named = st == HCBR_OK;
    csv->ready = csv->named && csv->below == 0;
    hcbr_i_free(f.items);
    return st;
}

hcbr_status hcbr_i_csv_name_columns(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_text *names,
                                    size_t count, hcbr_error *err) {
    hcbr_i_fields f = {NULL, 0, 0};
    hcbr_status st = HCBR_OK;
    hcbr_i_csv_reset(csv);
    for (size_t i = 0; i < count && st == HCBR_OK; i++)
        st = hcbr_i_csv_add_name(csv, &f, names[i], p->record, err);
    csv->unique = true; // columns in memory are named by a program
    if (st == HCBR_OK && (st = sort_names(p, csv, &f, err)) == HCBR_OK)
        st = find_roles(p, csv, &f, err);
    if (st == HCBR_OK && (!pack_keys(csv) || !hcbr_i_csv_set_keys(csv)))
        st = hcbr_i_no_memory(err);
    csv->ready = st == HCBR_OK;
    hcbr_i_free(f.items);
    return st;
}

bool hcbr_i_csv_set_keys(hcbr_i_csv *csv) {
    if (!hcbr_i_grow(&csv->keys, &csv->key_capacity, csv->column_count, sizeof *csv->keys))
        return false;
    for (size_t c = 0; c < csv->column_count; c++)
        csv->keys[c] = (hcbr_i_text){csv->columns[c].key, csv->columns[c].key_length};
    return true;
}
