/*
 * The column of the label in a csv or tsv file, or in a table: by its exact name, else by one that
 * differs only in the case of letters; and the message if there is none.
 *
 * Invariant: a column that differs in case is used only if a label is needed, it is the only one,
 * and it has no other role; never with options->strict. If no label is needed such a column may be
 * a feature that training knows.
 */
#include "read/csv.h"

#include <hcbr/text.h>

#include <stdio.h>

#define NONE SIZE_MAX
#define LIST 300  /* bytes of a list of columns in a message */
#define LOOKED 64 /* columns that are enough to distinguish names from values */

/** The names of the columns in their order, as many as fit. */
static const char *list_columns(char list[LIST], const hcbr_i_csv *csv) {
    size_t used = 0;
    char quoted[200];
    list[0] = '\0';
    for (size_t i = 0; i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        const char *name = hcbr_i_quote(quoted, c->key, c->key_length);
        if (used + strlen(name) + 40 > LIST) {
            snprintf(list + used, LIST - used, ", ... (%zu in all)", csv->column_count);
            break;
        }
        used += (size_t)snprintf(list + used, LIST - used, "%s%s", i == 0 ? "" : ", ", name);
    }
    return list;
}

/** "; did you mean 'name'?" for the nearest column, or an empty text. */
static const char *suggest(char hint[HCBR_I_SUGGESTED], const hcbr_i_csv *csv, const char *name) {
    hcbr_i_suggestion s = {.wanted = {name, strlen(name)}};
    for (size_t i = 0; i < csv->column_count; i++)
        hcbr_i_suggest(&s, (hcbr_i_text){csv->columns[i].key, csv->columns[i].key_length});
    return hcbr_i_suggestion_text(hint, &s);
}

/** A column whose name goes on with a comma, where a list of names ended; SIZE_MAX: none. */
static size_t find_longer(const hcbr_i_csv *csv, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; length > 0 && i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        if (c->key_length > length && memcmp(c->key, name, length) == 0 && c->key[length] == ',')
            return i;
    }
    return SIZE_MAX;
}

hcbr_status hcbr_i_csv_no_column(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *name,
                                 const char *option, hcbr_error *err) {
    char list[LIST], quoted[200], hint[HCBR_I_SUGGESTED];
    size_t longer = find_longer(csv, name);
    if (longer != SIZE_MAX) {
        const hcbr_i_column *c = &csv->columns[longer];
        char whole[200];
        return hcbr_i_parser_fail(p, p->record, err,
                                  "found column %s, expected %s (%s); in a list of names a comma "
                                  "that belongs to a name is written \\,",
                                  hcbr_i_quote(whole, c->key, c->key_length),
                                  hcbr_i_quote(quoted, name, strlen(name)), option);
    }
    return hcbr_i_parser_fail(p, p->record, err, "found columns %s, expected %s (%s)%s",
                              list_columns(list, csv), hcbr_i_quote(quoted, name, strlen(name)),
                              option, suggest(hint, csv, name));
}

/** Whether the column has a duplicate, under this name with a number after it. */
static bool is_repeated(const hcbr_i_csv *csv, size_t looked, const hcbr_i_column *c) {
    for (size_t i = 0; i < looked; i++) {
        const hcbr_i_column *other = &csv->columns[i];
        if (other->key_length == c->key_length + 2 &&
            memcmp(other->key, c->key, c->key_length) == 0 &&
            memcmp(other->key + c->key_length, ".2", 2) == 0)
            return true;
    }
    return false;
}

/** Whether the names look like the values of a row: most of them are numbers, or one has a
 *  duplicate. */
static bool looks_like_row(const hcbr_i_csv *csv) {
    size_t numbers = 0;
    double value;
    size_t looked = csv->column_count < LOOKED ? csv->column_count : LOOKED;
    for (size_t i = 0; i < looked; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        if (c->key_length > 0 && is_repeated(csv, looked, c))
            return true;
        numbers += hcbr_number_parse(&value, c->key, c->key_length) != 0;
    }
    return 2 * numbers >= looked && numbers > 0;
}

/** Whether the only name has a character that separates fields elsewhere. Then option delimiter
 *  helps. */
static const char *other_delimiter(const hcbr_i_csv *csv) {
    const hcbr_i_column *c = csv->columns;
    if (csv->column_count == 1 && memchr(c->key, ';', c->key_length) != NULL)
        return ". If ';' separates them, give it for option delimiter";
    if (csv->column_count == 1 && memchr(c->key, '|', c->key_length) != NULL)
        return ". If '|' separates them, give it for option delimiter";
    return NULL;
}

static hcbr_status fail(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *name,
                        hcbr_error *err) {
    char list[LIST], quoted[200], hint[HCBR_I_SUGGESTED] = "";
    const char *row = "", *other = other_delimiter(csv);
    if (csv->no_header && name == NULL)
        row = ": without a header, columns are named by their place";
    else if (other != NULL)
        row = other;
    else if (!csv->no_header && !csv->open && looks_like_row(csv))
        row = ". They look like values: if the file has no header, give option no_header, and "
              "the label's place for option label";
    if (name == NULL)
        return hcbr_i_parser_fail(p, p->record, err,
                                  "found columns %s, expected one named label, y, class, "
                                  "target or outcome, or the label's name (option label)%s",
                                  list_columns(list, csv), row);
    return hcbr_i_parser_fail(p, p->record, err, "found columns %s, expected %s (option label)%s%s",
                              list_columns(list, csv), hcbr_i_quote(quoted, name, strlen(name)),
                              suggest(hint, csv, name), row);
}

/** The only column whose name differs in case alone, NONE if there is none; several are an
 *  error. */
static hcbr_status find_folded(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *name,
                               size_t *out, hcbr_error *err) {
    char wanted[200], first[200], second[200];
    *out = NONE;
    for (size_t i = 0; i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        if (c->role != HCBR_I_ROLE_FEATURE || c->special != NULL ||
            !hcbr_text_same_folded(name, strlen(name), c->key, c->key_length))
            continue;
        if (*out != NONE)
            return hcbr_i_parser_fail(
                p, p->record, err,
                "found columns %s and %s, expected one of them for the label %s (option label)",
                hcbr_i_quote(first, csv->columns[*out].key, csv->columns[*out].key_length),
                hcbr_i_quote(second, c->key, c->key_length),
                hcbr_i_quote(wanted, name, strlen(name)));
        *out = i;
    }
    return HCBR_OK;
}

static size_t find_exact(const hcbr_i_csv *csv, const char *name) {
    for (size_t i = 0; i < csv->column_count; i++)
        if (csv->columns[i].key_length == strlen(name) && !csv->columns[i].added &&
            memcmp(csv->columns[i].key, name, strlen(name)) == 0)
            return i;
    return NONE;
}

/** One of the usual names: exactly, else in other case. */
static hcbr_status find_usual(const hcbr_i_parser *p, const hcbr_i_csv *csv, bool folded,
                              size_t *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    *out = NONE;
    for (size_t i = 0; i < HCBR_I_LABEL_NAMES && *out == NONE; i++) {
        *out = find_exact(csv, hcbr_i_label_names[i]);
        if (*out != NONE &&
            (csv->columns[*out].role != HCBR_I_ROLE_FEATURE || csv->columns[*out].special != NULL))
            *out = NONE; // it has another role
    }
    for (size_t i = 0; i < HCBR_I_LABEL_NAMES && *out == NONE && folded && st == HCBR_OK; i++)
        st = find_folded(p, csv, hcbr_i_label_names[i], out, err);
    return st;
}

hcbr_status hcbr_i_csv_find_label(hcbr_i_parser *p, hcbr_i_csv *csv, hcbr_error *err) {
    const char *name = p->label_name != NULL ? p->label_name : p->options->label;
    bool folded = p->labelled && !p->options->strict;
    hcbr_status st = HCBR_OK;
    size_t column = NONE;
    if (p->unlabelled && p->options->label_need == HCBR_LABEL_NONE)
        return HCBR_OK;
    if (name == NULL)
        st = find_usual(p, csv, folded, &column, err);
    else if ((column = find_exact(csv, name)) == NONE && folded)
        st = find_folded(p, csv, name, &column, err);
    if (st != HCBR_OK)
        return st;
    if (column == NONE && p->labelled && p->options->label_need == HCBR_LABEL_OPTIONAL &&
        name == NULL) {
        hcbr_i_parser_unlabel(p);
        return HCBR_OK;
    }
    if (column == NONE)
        return p->labelled ? fail(p, csv, name, err) : HCBR_OK;
    csv->columns[column].role = p->apart ? HCBR_I_ROLE_IGNORED : HCBR_I_ROLE_LABEL;
    return hcbr_i_parser_name_label(p, csv->columns[column].key, csv->columns[column].key_length)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}
