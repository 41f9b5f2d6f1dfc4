/*
 * Setting up and reading joined sources: their options, their rows, and the index of the values of
 * their key.
 *
 * A column of a source is named `name.column` in options. Options that begin with the name of a
 * source belong to it, without that name; the others belong to the data. Invariant: after
 * hcbr_i_joins_load() a source holds nothing of the reader that read it.
 */
#include "read/join.h"
#include "read/lane.h"

#include <stdio.h>

/* ---- whose options --------------------------------------------------------------------------- */

/** The column within the source if the option is about it, else NULL. */
static const char *within(const hcbr_i_joined *s, const char *column) {
    return strncmp(column, s->prefix.at, s->prefix.length) == 0 ? column + s->prefix.length : NULL;
}

/** Whether the column is one of a source, with or without a path. */
static bool is_elsewhere(const hcbr_i_joins *joins, const char *column) {
    for (size_t i = 0; i < joins->count; i++)
        if (within(&joins->sources[i], column) != NULL)
            return true;
    for (size_t i = 0; i < joins->absent_count; i++)
        if (strncmp(column, joins->absent[i].at, joins->absent[i].length) == 0)
            return true;
    return false;
}

/** Room for pointers or larger elements in an arena, which gives unaligned bytes. */
static void *take_array(hcbr_i_arena *arena, size_t count, size_t size) {
    char *room = count > SIZE_MAX / 64 / size ? NULL : hcbr_i_arena_take(arena, count * size + 32);
    return room == NULL ? NULL : room + (16 - (uintptr_t)room % 16);
}

/** The columns of a list that belong to a source (NULL: to the data). false: no memory. */
static bool choose(hcbr_i_joins *joins, const hcbr_i_joined *s, const char *const **list,
                   size_t *count) {
    const char **chosen = take_array(&joins->text, *count + 1, sizeof *chosen);
    size_t n = 0;
    if (chosen == NULL)
        return false;
    for (size_t i = 0; i < *count; i++) {
        const char *column = s != NULL ? within(s, (*list)[i]) : (*list)[i];
        if (s == NULL ? is_elsewhere(joins, column)
                      : column == NULL || strcmp(column, s->key.at) == 0)
            continue;
        chosen[n++] = column;
    }
    *list = chosen;
    *count = n;
    return true;
}

static bool choose_splits(hcbr_i_joins *joins, const hcbr_i_joined *s, hcbr_read_options *o) {
    hcbr_split *chosen = take_array(&joins->text, o->split_count + 1, sizeof *chosen);
    size_t n = 0;
    if (chosen == NULL)
        return false;
    for (size_t i = 0; i < o->split_count; i++) {
        const char *column = s != NULL ? within(s, o->split[i].column) : o->split[i].column;
        if (s == NULL ? !is_elsewhere(joins, column) : column != NULL)
            chosen[n++] = (hcbr_split){column, o->split[i].separator};
    }
    o->split = chosen;
    o->split_count = n;
    return true;
}

static bool choose_all(hcbr_i_joins *joins, const hcbr_i_joined *s, hcbr_read_options *o) {
    return choose(joins, s, &o->ignore, &o->ignore_count) &&
           choose(joins, s, &o->text, &o->text_count) &&
           choose(joins, s, &o->presence, &o->presence_count) && choose_splits(joins, s, o);
}

/** Options of a source: those about columns are its own, limits and missing values are shared. */
static bool set_options(hcbr_i_joins *joins, hcbr_i_joined *s, const hcbr_read_options *given) {
    hcbr_read_options *o = &s->options;
    *o = *given;
    o->format = HCBR_FORMAT_AUTO;
    o->label = o->id = o->group = o->weight = o->outcomes = o->names = NULL;
    o->join = NULL;
    o->join_count = 0;
    if (hcbr_i_format_of_path(s->path)->delimiter == '\t')
        o->delimiter = 0;
    return choose_all(joins, s, o);
}

/* ---- sources --------------------------------------------------------------------------------- */

static hcbr_status check_key(const hcbr_i_joined *s, const hcbr_read_options *o, hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < o->text_count + o->presence_count; i++) {
        bool text = i < o->text_count;
        if (strcmp(text ? o->text[i] : o->presence[i - o->text_count], s->key.at) == 0)
            return hcbr_i_fail(
                err, HCBR_EUSAGE,
                "found %s for both option %s and the key of option join, expected a key whose "
                "value is kept",
                hcbr_i_quote(quoted, s->key.at, s->key.length), text ? "text" : "presence");
    }
    return HCBR_OK;
}

/** Set up a source without reading it. */
static hcbr_status begin_source(hcbr_i_joins *joins, const hcbr_join *join,
                                const hcbr_read_options *o, hcbr_error *err) {
    hcbr_i_joined *s = &joins->sources[joins->count];
    size_t length;
    const char *name = hcbr_i_join_name(join, &length);
    char quoted[200], *prefix = hcbr_i_arena_take(&joins->text, length + 2);
    if (prefix != NULL) {
        memcpy(prefix, name, length);
        memcpy(prefix + length, ".", 2);
    }
    if (prefix != NULL && join->path == NULL) {
        joins->absent[joins->absent_count++] = (hcbr_i_text){prefix, length + 1};
        return HCBR_OK;
    }
    if (prefix == NULL)
        return hcbr_i_no_memory(err);
    *s = (hcbr_i_joined){.hash = hcbr_i_hash_key_make(o->hash_key)};
    s->path = hcbr_i_arena_copy(&joins->text, join->path, strlen(join->path));
    s->key.at = hcbr_i_arena_copy(&joins->text, join->key, strlen(join->key));
    s->name = hcbr_i_arena_copy(&joins->text, name, length);
    if (s->path == NULL || s->key.at == NULL || s->name == NULL)
        return hcbr_i_no_memory(err);
    s->prefix = (hcbr_i_text){prefix, length + 1};
    s->key.length = strlen(s->key.at);
    if (memchr(name, '.', length) != NULL || hcbr_i_utf8_check(name, length) != length)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found the name %s for a joined source, expected text without a dot "
                           "(option join.name)",
                           hcbr_i_quote(quoted, name, length));
    for (size_t i = 0; i < joins->count; i++)
        if (strcmp(joins->sources[i].name, s->name) == 0)
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found the name %s for two joined sources, expected two names "
                               "(option join.name)",
                               hcbr_i_quote(quoted, name, length));
    joins->keys[joins->count++] = s->key;
    return check_key(s, o, err);
}

/** Refuse a source that is one of the data's files: its label would become a feature. */
static hcbr_status check_path(const hcbr_i_joined *s, const char *const *paths, size_t count,
                              hcbr_error *err) {
    for (size_t i = 0; i < count; i++)
        if (hcbr_i_file_is_same(paths[i], s->path))
            return hcbr_i_fail_at(err, HCBR_EUSAGE, s->path, 0, 0,
                                  "found this file both as data and to be joined to it, expected "
                                  "another one (option join)");
    return HCBR_OK;
}

hcbr_status hcbr_i_joins_create(hcbr_i_joins **out, hcbr_read_options *o, const char *const *paths,
                                size_t count, hcbr_error *err) {
    hcbr_i_joins *joins = hcbr_i_alloc_zero(1, sizeof *joins);
    hcbr_status st = HCBR_OK;
    *out = NULL;
    if (joins == NULL)
        return hcbr_i_no_memory(err);
    joins->sources = hcbr_i_alloc_zero(o->join_count, sizeof *joins->sources);
    joins->keys = hcbr_i_alloc(o->join_count, sizeof *joins->keys);
    joins->absent = hcbr_i_alloc(o->join_count, sizeof *joins->absent);
    if (joins->sources == NULL || joins->keys == NULL || joins->absent == NULL)
        st = hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && i < o->join_count; i++)
        st = begin_source(joins, &o->join[i], o, err);
    for (size_t i = 0; st == HCBR_OK && i < joins->count; i++)
        if ((st = check_path(&joins->sources[i], paths, count, err)) == HCBR_OK &&
            !set_options(joins, &joins->sources[i], o))
            st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && !choose_all(joins, NULL, o))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_i_joins_free(joins);
        return st;
    }
    *out = joins;
    return HCBR_OK;
}

void hcbr_i_joins_free(hcbr_i_joins *joins) {
    if (joins == NULL)
        return;
    for (size_t i = 0; joins->sources != NULL && i < joins->count; i++) {
        hcbr_i_joined *s = &joins->sources[i];
        hcbr_i_texts_clear(&s->values);
        hcbr_i_texts_clear(&s->keys);
        hcbr_i_free(s->first_link);
        hcbr_i_free(s->last_link);
        hcbr_i_free(s->links);
        hcbr_i_free(s->rows);
        hcbr_i_free(s->names);
        hcbr_i_free(s->longs);
        hcbr_i_free(s->used);
        hcbr_i_arena_clear(&s->text);
    }
    hcbr_i_free(joins->sources);
    hcbr_i_free(joins->keys);
    hcbr_i_free(joins->absent);
    hcbr_i_arena_clear(&joins->text);
    hcbr_i_free(joins);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/** Record that the current row has this value of the key. */
static bool add_value(hcbr_i_joined *s, hcbr_i_text value) {
    size_t known = s->values.count;
    uint32_t number = hcbr_i_texts_intern(&s->values, &s->hash, value);
    uint32_t row = (uint32_t)s->row_count, link = (uint32_t)s->link_count;
    if (number == UINT32_MAX ||
        !hcbr_i_grow(&s->first_link, &s->link_capacity[0], s->values.count, sizeof(uint32_t)) ||
        !hcbr_i_grow(&s->last_link, &s->link_capacity[1], s->values.count, sizeof(uint32_t)) ||
        !hcbr_i_grow(&s->links, &s->links_capacity, s->link_count + 1, sizeof *s->links))
        return false;
    if (number == known) {
        s->first_link[number] = link;
    } else if (s->links[s->last_link[number]].row == row) {
        return true; // twice in one row
    } else {
        s->links[s->last_link[number]].next = link;
    }
    s->last_link[number] = link;
    s->links[s->link_count++] = (hcbr_i_joined_link){row, UINT32_MAX};
    return true;
}

/** Store a feature of the current row under its full name. */
static bool add_name(hcbr_i_joined *s, const hcbr_feature *f, char **room, size_t *capacity) {
    size_t length = s->prefix.length + f->key_length;
    hcbr_i_text key;
    const char *value = f->value;
    if (!hcbr_i_grow(room, capacity, length + 1, 1) ||
        !hcbr_i_grow(&s->names, &s->name_capacity, s->name_count + 1, sizeof *s->names))
        return false;
    assert(*room != NULL); // it has room for a byte at least
    memcpy(*room, s->prefix.at, s->prefix.length);
    memcpy(*room + s->prefix.length, f->key, f->key_length);
    if (length + f->value_length <= HCBR_I_SHORT) {
        s->names[s->name_count++] = hcbr_i_name_pack(*room, length, f->value, f->value_length);
        return true;
    }
    uint32_t number = hcbr_i_texts_intern(&s->keys, &s->hash, (hcbr_i_text){*room, length});
    if (number == UINT32_MAX || length > UINT32_MAX ||
        !hcbr_i_grow(&s->longs, &s->long_capacity, s->long_count + 1, sizeof *s->longs))
        return false;
    if (value != NULL && (value = hcbr_i_arena_copy(&s->text, f->value, f->value_length)) == NULL)
        return false;
    key = s->keys.all[number];
    s->longs[s->long_count] =
        (hcbr_i_long_name){key.at, value, (uint32_t)key.length, (uint32_t)f->value_length};
    s->names[s->name_count++] = (hcbr_i_name){s->long_count++, (uint64_t)HCBR_I_LONG << 56};
    return true;
}

/** Keep a row that has a value of the key. */
static hcbr_status add_row(hcbr_i_joined *s, const hcbr_i_block *block, const hcbr_i_raw_case *x,
                           char **room, size_t *capacity, hcbr_error *err) {
    size_t first = s->name_count, links = s->link_count;
    if (s->row_count >= UINT32_MAX - 1 || s->link_count >= UINT32_MAX - 1)
        return hcbr_i_fail_at(err, HCBR_EDATA, s->path, x->line, 1,
                              "found more than %u rows, expected fewer in a joined source",
                              UINT32_MAX - 1);
    for (size_t i = x->first; i < x->first + x->count; i++) {
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature f = hcbr_i_block_get(block, i, text);
        bool key = f.key_length == s->key.length && memcmp(f.key, s->key.at, f.key_length) == 0;
        if (key && f.value != NULL ? !add_value(s, (hcbr_i_text){f.value, f.value_length})
                                   : !key && !add_name(s, &f, room, capacity))
            return hcbr_i_no_memory(err);
    }
    if (s->link_count == links) { // no value: no case can match it
        s->name_count = first;
        return HCBR_OK;
    }
    if (!hcbr_i_grow(&s->rows, &s->row_capacity, s->row_count + 1, sizeof *s->rows))
        return hcbr_i_no_memory(err);
    s->rows[s->row_count++] = (hcbr_i_joined_row){first, s->name_count - first};
    return HCBR_OK;
}

static hcbr_status read_rows(hcbr_i_joined *s, hcbr_i_reader *reader, hcbr_error *err) {
    const hcbr_i_block *block;
    char *room = NULL;
    size_t capacity = 0;
    hcbr_status st;
    while ((st = hcbr_i_reader_next(reader, &block, err)) == HCBR_OK && block != NULL)
        for (size_t i = 0; st == HCBR_OK && i < block->case_count; i++)
            if ((st = add_row(s, block, &block->cases[i], &room, &capacity, err)) != HCBR_OK) {
                hcbr_i_free(room);
                return st;
            }
    hcbr_i_free(room);
    return st;
}

/** A source with columns was checked for the key; in others a row must have it. */
static hcbr_status end_source(hcbr_i_joined *s, const hcbr_i_reader *reader, hcbr_error *err) {
    char quoted[200];
    hcbr_i_free(s->last_link);
    s->last_link = NULL;
    s->bytes = hcbr_i_reader_bytes(reader);
    if (s->values.count == 0 && !hcbr_i_reader_parser(reader)->format->has_columns)
        return hcbr_i_fail_at(err, HCBR_EDATA, s->path, 0, 0,
                              "found no row with the key %s, expected at least one (option join)",
                              hcbr_i_quote(quoted, s->key.at, s->key.length));
    s->used = hcbr_i_alloc_zero(s->values.count, sizeof *s->used);
    return s->used != NULL ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_joins_load(hcbr_i_joins *joins, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; st == HCBR_OK && i < joins->count; i++) {
        hcbr_i_joined *s = &joins->sources[i];
        hcbr_i_reader *reader;
        st = hcbr_i_reader_create_joined(&reader, s->path, &s->options, &s->key, err);
        if (st == HCBR_OK)
            st = read_rows(s, reader, err);
        if (st == HCBR_OK)
            st = end_source(s, reader, err);
        hcbr_i_reader_free(reader);
        s->first_value = joins->values;
        joins->values += s->values.count;
    }
    return st;
}

uint64_t hcbr_i_joins_bytes(const hcbr_i_joins *joins) {
    uint64_t bytes = 0;
    for (size_t i = 0; joins != NULL && i < joins->count; i++)
        bytes += joins->sources[i].bytes;
    return bytes;
}

const hcbr_i_text *hcbr_i_joins_keys(const hcbr_i_joins *joins, size_t *count) {
    *count = joins->count;
    return joins->keys;
}
