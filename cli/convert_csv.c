/*
 * Cases as a table: a column for every key, a row for every case.
 *
 * A table cannot hold everything: two values of one key in a case, a key without a value, a value
 * that means missing are refused; the message has the row and the name of a format that can hold
 * them. Columns are in the order of the features of the cases (convert_order.c), if there is such
 * an order.
 */
#include "convert.h"
#include "field.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct table {
    conversion *c;
    out *o;
    char delimiter;
    uint32_t keys;
    uint32_t *columns;  /* keys in the order of the columns; from `keys` on: columns of the file
                           that have no value, by their number there */
    uint32_t count;     /* of the columns */
    uint32_t *cells;    /* by key: the feature of the current case, or NONE */
    const char *absent; /* written for no value; NULL: not possible */
} table;

/* ---- fields ---------------------------------------------------------------------------------- */

static bool has_mark(const char *text, size_t length) {
    for (size_t i = 0; i + 2 < length; i++)
        if (memcmp(text + i, "\xEF\xBB\xBF", 3) == 0)
            return true;
    return false;
}

static void write_field(const table *t, const char *text, size_t length) {
    put_field(t->o, t->delimiter, text, length);
}

/* A column's name is quoted unless it is a plain word: no first line looks like another format. */
static void write_name(const table *t, const char *text, size_t length) {
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x80 && !strchr(PLAIN, text[i])) {
            put_quoted(t->o, text, length);
            return;
        }
    out_bytes(t->o, text, length);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int write_header(const table *t) {
    const conversion *c = t->c;
    if (hcbr_cases_count(c->cases) == 0 && t->count == 0)
        return EXIT_DONE; // an empty file
    if (c->id_name) {
        write_name(t, c->id_name, strlen(c->id_name));
        out_byte(t->o, t->delimiter);
    }
    if (!c->unlabelled)
        write_name(t, c->label_name, strlen(c->label_name));
    for (uint32_t k = 0; k < t->count; k++) {
        hcbr_feature f;
        if (t->columns[k] < t->keys)
            hcbr_cases_get_key_name(c->cases, t->columns[k], &f);
        else
            hcbr_cases_get_column(c->cases, t->columns[k] - t->keys, &f);
        if (k > 0 || !c->unlabelled)
            out_byte(t->o, t->delimiter);
        write_name(t, f.key, f.key_length);
    }
    out_row(t->o);
    return EXIT_DONE;
}

/* Why a table cannot hold a feature; NULL: it can. */
static const char *obstacle(const conversion *c, const hcbr_feature *f) {
    if (!f->value)
        return "which has no value";
    if (f->key_length == 0)
        return "whose key is empty";
    if (!c->unlabelled && convert_same(f->key, f->key_length, c->label_name))
        return "whose key is the name of the label";
    if (c->id_name && convert_same(f->key, f->key_length, c->id_name))
        return "whose key is the name of the id";
    if (hcbr_read_is_missing(&c->read, f->value, f->value_length))
        return "whose value means missing";
    if (has_mark(f->key, f->key_length) || has_mark(f->value, f->value_length))
        return "which holds a byte order mark";
    return NULL;
}

static int refuse(const table *t, uint64_t row, const hcbr_feature *f, const char *why) {
    char key[96], value[96];
    const char *name = hcbr_format_name(t->c->to->format);
    return convert_fail(t->c, row,
                        "found the feature %s%s%s, %s, expected what %s can hold (jsonl "
                        "holds every case)",
                        convert_quote(key, f->key, f->key_length), f->value ? "=" : "",
                        f->value ? convert_quote(value, f->value, f->value_length) : "", why, name);
}

static int fill_cells(table *t, const hcbr_case *x) {
    for (size_t i = 0; i < x->feature_count; i++) {
        uint32_t key = hcbr_cases_get_key(t->c->cases, x->features[i]);
        hcbr_feature f;
        hcbr_cases_get_feature(t->c->cases, x->features[i], &f);
        const char *why = obstacle(t->c, &f);
        if (!why && t->cells[key] != NONE)
            why = "the second one of its key in this case";
        if (why)
            return refuse(t, x->row, &f, why);
        t->cells[key] = x->features[i];
    }
    return EXIT_DONE;
}

static int write_row(table *t, const hcbr_case *x) {
    const conversion *c = t->c;
    const char *label = hcbr_cases_get_label(c->cases, x->label, NULL);
    int code = fill_cells(t, x);
    if (code != EXIT_DONE)
        return code;
    if ((x->feature_count < t->count || (c->id_name && !x->id)) && !t->absent)
        return convert_fail(t->c, x->row, "found a missing value, but --na says that none is");
    if (has_mark(label, strlen(label)) || (x->id && has_mark(x->id, x->id_length)))
        return convert_fail(t->c, x->row,
                            "found a byte order mark, expected what %s can hold "
                            "(jsonl holds every case)",
                            hcbr_format_name(c->to->format));
    if (x->id)
        write_field(t, x->id, x->id_length);
    else if (c->id_name)
        write_field(t, t->absent, strlen(t->absent));
    if (c->id_name)
        out_byte(t->o, t->delimiter);
    if (!c->unlabelled)
        write_field(t, label, strlen(label));
    for (uint32_t k = 0; k < t->count; k++) {
        uint32_t none = NONE, *cell = t->columns[k] < t->keys ? &t->cells[t->columns[k]] : &none;
        hcbr_feature f;
        if (k > 0 || !c->unlabelled)
            out_byte(t->o, t->delimiter);
        if (*cell == NONE) {
            assert(t->absent); // checked above
            if (t->count == 1 && c->unlabelled && !c->id_name && !t->absent[0])
                out_string(t->o, "\"\""); // an empty line would be no row
            else
                write_field(t, t->absent, strlen(t->absent));
            continue;
        }
        hcbr_cases_get_feature(c->cases, *cell, &f);
        write_field(t, f.value, f.value_length);
        *cell = NONE;
    }
    out_row(t->o);
    return EXIT_DONE;
}

static int write_rows(table *t) {
    uint64_t cases = hcbr_cases_count(t->c->cases);
    int code = write_header(t);
    memset(t->cells, 0xff, ((size_t)t->keys + 1) * sizeof *t->cells);
    for (uint64_t i = 0; code == EXIT_DONE && i < cases && out_good(t->o); i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(t->c->cases, i, &x);
        code = write_row(t, &x);
    }
    return code;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The key of a column's name, which is mostly the one at *next; NONE: it has no value. */
static uint32_t find_key(const table *t, const hcbr_feature *name, uint32_t *next) {
    for (uint32_t tried = 0; tried < t->keys; tried++) {
        uint32_t key = *next + tried < t->keys ? *next + tried : *next + tried - t->keys;
        hcbr_feature f;
        hcbr_cases_get_key_name(t->c->cases, key, &f);
        if (f.key_length == name->key_length && memcmp(f.key, name->key, f.key_length) == 0) {
            *next = key + 1 < t->keys ? key + 1 : 0;
            return key;
        }
    }
    return NONE;
}

/*
 * The columns in the order of the file, if there is one that has them all, including those without
 * a value; otherwise these come last. `order`: the keys, if the features of the cases determine
 * their order.
 */
static void place_columns(table *t, const uint32_t *order) {
    const size_t columns = hcbr_cases_get_info(t->c->cases).columns;
    uint32_t next = 0, found = 0;
    for (size_t i = 0; i < columns; i++) {
        hcbr_feature name;
        hcbr_cases_get_column(t->c->cases, i, &name);
        uint32_t key = find_key(t, &name, &next);
        found += key != NONE;
        t->columns[t->count++] = key != NONE ? key : t->keys + (uint32_t)i;
    }
    if (found == t->keys && t->c->given->operand_count == 1)
        return;
    uint32_t *empty = t->columns + t->keys; // after all keys
    size_t without = 0;
    for (size_t i = 0; i < columns; i++)
        if (t->columns[i] >= t->keys)
            t->columns[without++] = t->columns[i];
    memmove(empty, t->columns, without * sizeof *empty);
    memcpy(t->columns, order, t->keys * sizeof *order);
    t->count = t->keys + (uint32_t)without;
}

int convert_csv(conversion *c) {
    const hcbr_cases_info all = hcbr_cases_get_info(c->cases);
    table t = {.c = c, .o = c->files[OUT_DATA], .delimiter = c->to->delimiter, .keys = all.keys};
    t.absent = hcbr_read_is_missing(&c->read, "", 0) ? ""
               : c->read.na && c->read.na_count      ? c->read.na[0]
                                                     : NULL;
    t.columns = calloc(t.keys + all.columns + 1, sizeof *t.columns);
    t.cells = calloc((size_t)t.keys + 1, sizeof *t.cells);
    bool ordered = false;
    int code =
        t.columns && t.cells ? convert_order(c, t.cells, &ordered) : say_no_memory("convert");
    if (code == EXIT_DONE) {
        assert(t.columns && t.cells);
        place_columns(&t, t.cells);
        c->other_order = !ordered;
        code = write_rows(&t);
    }
    free(t.columns);
    free(t.cells);
    return code;
}
