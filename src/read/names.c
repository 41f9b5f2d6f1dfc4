/*
 * A file of names: the original names of the ids of features, of the labels and of the rows of a
 * libsvm or cases file.
 *
 * A line is a kind and its fields, separated by tabs, with \t \n \r \\ \xNN for bytes that would
 * break a line. Invariant: once loaded the names never change, so the threads of a reader share
 * them; memory is proportional to the bytes of the file, never to the value of an id.
 */
#include "read/parse.h"

#include <stdlib.h>

typedef enum name_kind { OF_FEATURE, OF_LABEL } name_kind;

/** The name of an id, or of a label in the data. */
typedef struct entry {
    hcbr_i_text id, key, value; /**< for a label, the key is its text */
    name_kind kind;
} entry;

typedef struct row_name {
    uint64_t row, line;
    hcbr_i_text text;
} row_name;

struct hcbr_i_names {
    char *bytes; /**< the file; escapes are resolved in place and all text points into it */
    size_t size;
    entry *entries;
    size_t count, capacity;
    hcbr_i_hash_table table; /**< of entries by kind and id */
    hcbr_i_hash_key key;
    bool has_labels, is_table;
    row_name *rows; /**< by row */
    size_t row_count, row_capacity;
    char *label_name;
};

/** The current line. */
typedef struct names_line {
    const char *file;
    uint64_t number;
    char *start, *end;     /**< without its end */
    hcbr_i_text fields[5]; /**< the first ones, at most 4 are right */
    size_t count;
} names_line;

static hcbr_status fail_line(const names_line *l, const char *at, hcbr_error *err,
                             const char *found, const char *expected) {
    return hcbr_i_fail_at(err, HCBR_EDATA, l->file, l->number, (uint64_t)(at - l->start) + 1,
                          "found %s, expected %s", found, expected);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    return hcbr_i_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** Resolve the escapes of [at, end) in place. */
static hcbr_status unescape(const names_line *l, char *at, const char *end, hcbr_i_text *out,
                            hcbr_error *err) {
    static const char letters[] = "tnr\\", meanings[] = "\t\n\r\\";
    char *to = at;
    *out = (hcbr_i_text){at, 0};
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        const char *letter = at + 1 < end ? strchr(letters, at[1]) : NULL;
        if (letter != NULL && *letter != '\0') {
            *to++ = meanings[letter - letters];
            at += 2;
            continue;
        }
        int high = at + 3 < end && at[1] == 'x' ? hex_digit(at[2]) : -1;
        int low = high < 0 ? -1 : hex_digit(at[3]);
        if (low < 0 || (high == 0 && low == 0))
            return fail_line(l, at, err, "a backslash", "\\t, \\n, \\r, \\\\ or \\xNN");
        *to++ = (char)(high << 4 | low);
        at += 4;
    }
    out->length = (size_t)(to - out->at);
    return HCBR_OK;
}

/** Cut the line at its tabs. */
static hcbr_status cut_fields(names_line *l, hcbr_error *err) {
    char *at = l->start;
    for (l->count = 0;; at++) {
        char *tab = memchr(at, '\t', (size_t)(l->end - at));
        char *stop = tab != NULL ? tab : l->end;
        if (l->count == 4)
            return fail_line(l, at, err, "one more field", "at most four");
        hcbr_status st = unescape(l, at, stop, &l->fields[l->count++], err);
        if (st != HCBR_OK || tab == NULL)
            return st;
        at = stop;
    }
}

/** A whole number from 1 on. */
static bool parse_row(hcbr_i_text text, uint64_t *out) {
    *out = 0;
    for (size_t i = 0; i < text.length; i++)
        if (!hcbr_i_is_digit(text.at[i]) || __builtin_mul_overflow(*out, (uint64_t)10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(text.at[i] - '0'), out))
            return false;
    return *out > 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t entry_hash(const hcbr_i_names *names, const entry *e) {
    const char *second = e->kind == OF_LABEL ? "label" : NULL;
    return hcbr_i_hash_text(&names->key, e->id.at, e->id.length, second, second ? 5 : 0).lo;
}

static bool same_entry(const void *entries, uint32_t number, const void *wanted) {
    const entry *e = (const entry *)entries + number, *w = wanted;
    return e->kind == w->kind && hcbr_i_text_same(e->id, w->id);
}

static const entry *find(const hcbr_i_names *names, name_kind kind, hcbr_i_text id) {
    const entry wanted = {.id = id, .kind = kind};
    uint32_t number = hcbr_i_hash_table_find(&names->table, entry_hash(names, &wanted), same_entry,
                                             names->entries, &wanted);
    return number != HCBR_I_HASH_NONE ? &names->entries[number] : NULL;
}

static hcbr_status add_entry(hcbr_i_names *names, const names_line *l, entry e, hcbr_error *err) {
    char quoted[200], found[240] = "a second name of ";
    if (find(names, e.kind, e.id) != NULL) {
        strncat(found, hcbr_i_quote(quoted, e.id.at, e.id.length), sizeof found - 20);
        return fail_line(l, l->start, err, found, "one");
    }
    if (names->count >= UINT32_MAX - 1)
        return hcbr_i_fail_at(err, HCBR_EDATA, l->file, l->number, 1, "found too many names");
    if (!hcbr_i_grow(&names->entries, &names->capacity, names->count + 1, sizeof e) ||
        !hcbr_i_hash_table_add(&names->table, entry_hash(names, &e), (uint32_t)names->count))
        return hcbr_i_no_memory(err);
    names->entries[names->count++] = e;
    return HCBR_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static hcbr_status add_row(hcbr_i_names *names, const names_line *l, hcbr_error *err) {
    row_name row = {.line = l->number, .text = l->fields[2]};
    if (!parse_row(l->fields[1], &row.row))
        return fail_line(l, l->start + 5, err, "no row", "the number of a row, from 1");
    if (!hcbr_i_grow(&names->rows, &names->row_capacity, names->row_count + 1, sizeof row))
        return hcbr_i_no_memory(err);
    names->rows[names->row_count++] = row;
    return HCBR_OK;
}

static hcbr_status add_line(hcbr_i_names *names, const names_line *l, hcbr_error *err) {
    const hcbr_i_text *f = l->fields;
    if (hcbr_i_text_is(f[0], "feature") && (l->count == 3 || l->count == 4))
        return add_entry(names, l,
                         (entry){.id = f[1],
                                 .key = f[2],
                                 .value = l->count == 4 ? f[3] : (hcbr_i_text){NULL, 0},
                                 .kind = OF_FEATURE},
                         err);
    if (hcbr_i_text_is(f[0], "label") && l->count == 3 && f[2].length > 0) {
        names->has_labels = true;
        return add_entry(names, l, (entry){.id = f[1], .key = f[2], .kind = OF_LABEL}, err);
    }
    if (hcbr_i_text_is(f[0], "case") && l->count == 3)
        return add_row(names, l, err);
    if (hcbr_i_text_is(f[0], "label_name") && l->count == 2 && names->label_name == NULL) {
        names->label_name = hcbr_i_text_copy(f[1].at, f[1].length);
        return names->label_name != NULL ? HCBR_OK : hcbr_i_no_memory(err);
    }
    if (hcbr_i_text_is(f[0], "table") && l->count == 1) {
        names->is_table = true;
        return HCBR_OK;
    }
    char quoted[200];
    return fail_line(l, l->start, err, hcbr_i_quote(quoted, f[0].at, f[0].length),
                     "a line of names: feature ID KEY [VALUE], label TEXT NAME, case ROW NAME, "
                     "table or (once) label_name NAME, separated by tabs");
}

/** The texts of a line must be UTF-8 without NUL, also after its escapes are resolved. */
static hcbr_status check_line(const names_line *l, hcbr_error *err) {
    for (size_t i = 0; i < l->count; i++) {
        size_t good = hcbr_i_utf8_check(l->fields[i].at, l->fields[i].length);
        if (good != l->fields[i].length)
            return fail_line(
                l, l->fields[i].at, err,
                l->fields[i].at[good] == '\0' ? "a NUL byte" : "bytes that are no text", "UTF-8");
    }
    return HCBR_OK;
}

static hcbr_status add_lines(hcbr_i_names *names, const char *file, hcbr_error *err) {
    char *at = names->bytes, *end = names->bytes + names->size;
    hcbr_status st = HCBR_OK;
    if (names->size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    for (names_line l = {.file = file, .number = 1}; at < end && st == HCBR_OK; l.number++) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        l.start = at;
        l.end = newline != NULL ? newline : end;
        at = newline != NULL ? newline + 1 : end;
        if (l.end > l.start && l.end[-1] == '\r')
            l.end--;
        if (l.end == l.start)
            continue;
        if ((st = cut_fields(&l, err)) == HCBR_OK && (st = check_line(&l, err)) == HCBR_OK)
            st = add_line(names, &l, err);
    }
    return st;
}

static int compare_rows(const void *a, const void *b) {
    const row_name *x = a, *y = b;
    int order = hcbr_i_order_u64(x->row, y->row);
    return order ? order : hcbr_i_order_u64(x->line, y->line);
}

static hcbr_status sort_rows(hcbr_i_names *names, const char *file, hcbr_error *err) {
    if (names->row_count > 0)
        qsort(names->rows, names->row_count, sizeof *names->rows, compare_rows);
    for (size_t i = 1; i < names->row_count; i++)
        if (names->rows[i].row == names->rows[i - 1].row)
            return hcbr_i_fail_at(err, HCBR_EDATA, file, names->rows[i].line, 1,
                                  "found a second name of row %llu, expected one",
                                  (unsigned long long)names->rows[i].row);
    return HCBR_OK;
}

hcbr_status hcbr_i_names_load(hcbr_i_names **out, const char *path, uint64_t hash_seed,
                              hcbr_error *err) {
    hcbr_i_names *names = hcbr_i_alloc_zero(1, sizeof *names);
    void *bytes = NULL;
    *out = NULL;
    if (names == NULL)
        return hcbr_i_no_memory(err);
    names->key = hcbr_i_hash_key_make(hash_seed);
    hcbr_status st = hcbr_i_file_load(&bytes, &names->size, path, err);
    names->bytes = bytes;
    if (st == HCBR_OK && (st = add_lines(names, path, err)) == HCBR_OK)
        st = sort_rows(names, path, err);
    if (st != HCBR_OK) {
        hcbr_i_names_free(names);
        return st;
    }
    *out = names;
    return HCBR_OK;
}

void hcbr_i_names_free(hcbr_i_names *names) {
    if (names == NULL)
        return;
    hcbr_i_free(names->bytes);
    hcbr_i_free(names->entries);
    hcbr_i_hash_table_clear(&names->table);
    hcbr_i_free(names->rows);
    hcbr_i_free(names->label_name);
    hcbr_i_free(names);
}

bool hcbr_i_names_is_table(const hcbr_i_names *names) {
    return names != NULL && names->is_table;
}

/* ---- use ------------------------------------------------------------------------------------- */

/** Look up the real name of an id, which is a name of the block. */
static hcbr_status translate(hcbr_i_parser *p, hcbr_i_name name, const entry **out,
                             hcbr_error *err) {
    char text[HCBR_I_NAME_TEXT], quoted[200];
    hcbr_i_text id = {text, 0}, value = {NULL, 0};
    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *full = &p->block->longs[name.lo];
        id = (hcbr_i_text){full->key, full->key_length};
        value = (hcbr_i_text){full->value, full->value_length};
    } else {
        bool bare;
        hcbr_i_name_unpack(name, text, &id.length, &bare, &value.length);
        value.at = bare ? NULL : text + id.length;
    }
    if ((*out = find(p->names, OF_FEATURE, id)) == NULL)
        return hcbr_i_parser_fail(p, p->record, err,
                                  "found id %s, expected one of those that %s lists",
                                  hcbr_i_quote(quoted, id.at, id.length), p->options->names);
    if (value.at != NULL && (value.length != 1 || value.at[0] != '1'))
        return hcbr_i_parser_fail(p, p->record, err,
                                  "found id %.*s with the value %s, expected 1: %s says what it is",
                                  (int)(id.length < 40 ? id.length : 40), id.at,
                                  hcbr_i_quote(quoted, value.at, value.length), p->options->names);
    return HCBR_OK;
}

hcbr_status hcbr_i_names_apply(hcbr_i_parser *p, size_t first, hcbr_error *err) {
    hcbr_i_block *block = p->block;
    size_t end = block->name_count;
    // Names are added after those they replace, then moved to their index.
    for (size_t i = first; i < end; i++) {
        const entry *e;
        hcbr_status st = translate(p, block->names[i], &e, err);
        if (st != HCBR_OK)
            return st;
        if (!hcbr_i_block_add(block, e->key.at, e->key.length, e->value.at, e->value.length))
            return hcbr_i_no_memory(err);
        block->names[i] = block->names[--block->name_count];
    }
    return HCBR_OK;
}

/** The name of a data row, absent if it has none. */
static hcbr_i_text row_text(const hcbr_i_names *names, uint64_t row) {
    size_t low = 0, high = names->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->rows[middle].row == row)
            return names->rows[middle].text;
        if (names->rows[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return (hcbr_i_text){NULL, 0};
}

hcbr_status hcbr_i_names_give(const hcbr_i_names *names, const hcbr_i_parser *p,
                              hcbr_i_block *block, hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < block->case_count; i++) {
        hcbr_i_raw_case *x = &block->cases[i];
        x->id = row_text(names, x->row);
        if (!names->has_labels || x->label.at == NULL)
            continue;
        const entry *label = find(names, OF_LABEL, x->label);
        if (label == NULL) {
            block->case_count = i;
            block->name_count = x->first;
            return hcbr_i_fail_at(err, HCBR_EDATA, p->file, x->line, 1,
                                  "found label %s, expected one of those that %s lists",
                                  hcbr_i_quote(quoted, x->label.at, x->label.length),
                                  p->options->names);
        }
        x->label = label->key;
    }
    return HCBR_OK;
}

const char *hcbr_i_names_label_name(const hcbr_i_names *names) {
    return names->label_name;
}
