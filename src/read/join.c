/*
 * Joined sources: the features of other files, added to the cases that have the same value of a key
 * (--join).
 *
 * A source is read completely before the data, indexed by the values of its key, and never changes
 * afterwards, so lanes may share it. A case gets the features of every row with one of its values,
 * each row once, named `name.feature`, after its own features and in the order of sources, values
 * and rows. Invariants: the result depends only on the case and the sources; memory is proportional
 * to the bytes of the sources; the time for a case, to its joined features.
 */
#include "read/join.h"

#include <assert.h>
#include <stdio.h>

/* ---- texts and their numbers ----------------------------------------------------------------- */

void hcbr_i_texts_clear(hcbr_i_texts *t) {
    hcbr_i_free(t->all);
    hcbr_i_hash_table_clear(&t->table);
    hcbr_i_arena_clear(&t->bytes);
    *t = (hcbr_i_texts){0};
}

static uint64_t text_hash(const hcbr_i_hash_key *key, hcbr_i_text text) {
    return hcbr_i_hash_text(key, text.at, text.length, NULL, 0).lo;
}

static bool same_text(const void *texts, uint32_t number, const void *wanted) {
    const hcbr_i_texts *t = texts;
    return hcbr_i_text_same(t->all[number], *(const hcbr_i_text *)wanted);
}

uint32_t hcbr_i_texts_find(const hcbr_i_texts *t, const hcbr_i_hash_key *key, hcbr_i_text text) {
    return hcbr_i_hash_table_find(&t->table, text_hash(key, text), same_text, t, &text);
}

uint32_t hcbr_i_texts_intern(hcbr_i_texts *t, const hcbr_i_hash_key *key, hcbr_i_text text) {
    uint64_t hash = text_hash(key, text);
    uint32_t number = hcbr_i_hash_table_find(&t->table, hash, same_text, t, &text);
    if (number != HCBR_I_HASH_NONE)
        return number;
    char *copy =
        t->count < UINT32_MAX - 1 ? hcbr_i_arena_copy(&t->bytes, text.at, text.length) : NULL;
    if (copy == NULL || !hcbr_i_grow(&t->all, &t->capacity, t->count + 1, sizeof *t->all) ||
        !hcbr_i_hash_table_add(&t->table, hash, (uint32_t)t->count))
        return UINT32_MAX;
    t->all[t->count++] = (hcbr_i_text){copy, text.length};
    return (uint32_t)t->count - 1;
}

/* ---- lookups of parsers ---------------------------------------------------------------------- */

bool hcbr_i_parser_is_join_key(const hcbr_i_parser *p, const char *name, size_t length) {
    for (size_t i = 0; i < p->key_count; i++)
        if (hcbr_i_text_same(p->keys[i], (hcbr_i_text){name, length}))
            return true;
    return false;
}

const char *hcbr_i_parser_clash(const hcbr_i_parser *p, const char *name, size_t length) {
    for (size_t i = 0; p->joins != NULL && i < p->joins->count; i++) {
        hcbr_i_text prefix = p->joins->sources[i].prefix;
        if (length >= prefix.length && memcmp(name, prefix.at, prefix.length) == 0)
            return p->joins->sources[i].name;
    }
    return NULL;
}

bool hcbr_i_joins_is_word(const hcbr_i_joins *joins, hcbr_i_text key) {
    for (size_t i = 0; joins != NULL && i < joins->count; i++) {
        const hcbr_i_joined *s = &joins->sources[i];
        for (size_t k = 0; k < s->options.text_count; k++) {
            size_t length = strlen(s->options.text[k]), before = s->prefix.length;
            if (key.length > before + length && key.at[before + length] == ':' &&
                memcmp(key.at, s->prefix.at, before) == 0 &&
                memcmp(key.at + before, s->options.text[k], length) == 0)
                return true;
        }
    }
    return false;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/** The rows that a case already has: working memory of a lane (p->joined). */
typedef struct join_marks {
    uint64_t serial; /**< of the current case */
    uint64_t *marks; /**< by value, of all sources: the last case that had it */
} join_marks;

void hcbr_i_joined_free(hcbr_i_parser *p) {
    join_marks *m = p->joined;
    if (m != NULL)
        hcbr_i_free(m->marks);
    hcbr_i_free(m);
    p->joined = NULL;
}

static join_marks *create_marks(const hcbr_i_joins *joins) {
    join_marks *m = hcbr_i_alloc_zero(1, sizeof *m);
    if (m != NULL && (m->marks = hcbr_i_alloc_zero(joins->values, sizeof *m->marks)) == NULL) {
        hcbr_i_free(m);
        return NULL;
    }
    return m;
}

/** Add the features of a row to the block. */
static bool add_row(hcbr_i_block *block, const hcbr_i_joined *s, const hcbr_i_joined_row *row) {
    if (!hcbr_i_grow(&block->names, &block->name_capacity, block->name_count + row->count,
                     sizeof *block->names))
        return false;
    for (size_t i = 0; i < row->count; i++) {
        hcbr_i_name name = s->names[row->first + i];
        if (hcbr_i_name_is_long(name)) {
            if (!hcbr_i_grow(&block->longs, &block->long_capacity, block->long_count + 1,
                             sizeof *block->longs))
                return false;
            block->longs[block->long_count] = s->longs[name.lo];
            name.lo = block->long_count++;
        }
        block->names[block->name_count++] = name;
    }
    return true;
}

/** Add the features of a source for a value to the case. */
static bool add_value(hcbr_i_parser *p, hcbr_i_joined *s, hcbr_i_text value, bool *found) {
    uint32_t number = hcbr_i_texts_find(&s->values, &s->hash, value);
    join_marks *m = p->joined;
    if (number == UINT32_MAX)
        return true;
    *found = true;
    if (m->marks[s->first_value + number] == m->serial)
        return true;
    m->marks[s->first_value + number] = m->serial;
    atomic_store_explicit(&s->used[number], true, memory_order_relaxed);
    for (uint32_t link = s->first_link[number]; link != UINT32_MAX; link = s->links[link].next)
        if (!add_row(p->block, s, &s->rows[s->links[link].row]))
            return false;
    return true;
}

/**
 * The value that is taken out of the case under this name, if the key of the source is of this
 * kind.
 */
static hcbr_i_text value_apart(const hcbr_i_parser *p, const char *key) {
    const hcbr_read_options *o = p->options;
    const char *label = p->label_name != NULL ? p->label_name : o->label;
    if (o->id != NULL && strcmp(o->id, key) == 0)
        return p->id;
    if (o->group != NULL && strcmp(o->group, key) == 0)
        return p->group;
    if (label != NULL && strcmp(label, key) == 0)
        return p->label;
    return (hcbr_i_text){NULL, 0};
}

/** Add the features of a source to the current case, whose own names are [first, end). */
static bool add_source(hcbr_i_parser *p, hcbr_i_joined *s, size_t first, size_t end) {
    hcbr_i_text apart = value_apart(p, s->key.at);
    bool has = apart.at != NULL, found = false;
    if (has && !add_value(p, s, apart, &found))
        return false;
    for (size_t i = first; i < end; i++) {
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature f = hcbr_i_block_get(p->block, i, text);
        if (f.value == NULL || !hcbr_i_text_same((hcbr_i_text){f.key, f.key_length}, s->key))
            continue;
        has = true;
        if (!add_value(p, s, (hcbr_i_text){f.value, f.value_length}, &found))
            return false;
    }
    atomic_fetch_add_explicit(&s->cases, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->with_key, has, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->matched, found, memory_order_relaxed);
    return true;
}

/** Whether the key of a source is left out of the cases. */
static bool is_hidden(const hcbr_i_parser *p, const hcbr_i_joined *s) {
    for (size_t i = 0; i < p->ignore_count; i++) {
        hcbr_i_text ignored = p->ignore[i];
        if (hcbr_i_text_same(ignored, s->key) ||
            (p->format->has_paths && ignored.length < s->key.length &&
             s->key.at[ignored.length] == '.' &&
             memcmp(ignored.at, s->key.at, ignored.length) == 0))
            return true;
    }
    return false;
}

/** Take the names of a key out of [first, end). Returns how many there were. */
static size_t take_out(hcbr_i_block *block, hcbr_i_text key, size_t first, size_t end) {
    size_t kept = first;
    for (size_t i = first; i < block->name_count; i++) {
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature f = hcbr_i_block_get(block, i, text);
        if (i >= end || !hcbr_i_text_same((hcbr_i_text){f.key, f.key_length}, key))
            block->names[kept++] = block->names[i];
    }
    end = block->name_count - kept;
    block->name_count = kept;
    return end;
}

hcbr_status hcbr_i_joins_apply(hcbr_i_parser *p, size_t first, size_t *joined, hcbr_error *err) {
    hcbr_i_joins *joins = p->joins;
    size_t end = p->block->name_count, own;
    if (p->joined == NULL && (p->joined = create_marks(joins)) == NULL)
        return hcbr_i_no_memory(err);
    ((join_marks *)p->joined)->serial++;
    for (size_t i = 0; i < joins->count; i++)
        if (!add_source(p, &joins->sources[i], first, end))
            return hcbr_i_no_memory(err);
    *joined = p->block->name_count - end;
    for (size_t i = 0, left = end; i < joins->count; i++, left = own) {
        own = left;
        if (is_hidden(p, &joins->sources[i]))
            own -= take_out(p->block, joins->sources[i].key, first, left);
    }
    return HCBR_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

void hcbr_i_joins_end(const hcbr_i_joins *joins, const hcbr_read_options *o) {
    for (size_t i = 0; joins != NULL && i < joins->count; i++) {
        const hcbr_i_joined *s = &joins->sources[i];
        unsigned long long cases = atomic_load(&s->cases), matched = atomic_load(&s->matched);
        unsigned long long with_key = atomic_load(&s->with_key), unused = 0;
        char quoted[200];
        hcbr_i_quote(quoted, s->key.at, s->key.length);
        for (size_t v = 0; v < s->values.count; v++)
            unused += !atomic_load_explicit(&s->used[v], memory_order_relaxed);
        if (cases > 0 && matched == 0)
            hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, s->path, 0, 0,
                          "no case has a match here by %s: %llu of %llu cases have a value of it",
                          quoted, with_key, cases);
        else if (matched < cases || unused > 0)
            hcbr_i_notify(o->notify, o->notify_context, HCBR_NOTE, s->path, 0, 0,
                          "by %s, %llu of %llu cases have no match here, and %llu of %zu values "
                          "here have no case",
                          quoted, cases - matched, cases, unused, s->values.count);
    }
}
