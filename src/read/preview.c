/*
 * The first cases of some files, kept as they were read, and the kinds of their columns.
 *
 * Invariant: all text is the preview's own; a feature is in a case once, as it will count.
 */
#include "read/lane.h"

#include <hcbr/preview.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct column {
    hcbr_i_text name;
    hcbr_column_use use;
    const char *separator;
    uint64_t cases, distinct, words;
    bool several; /**< a case has two values of it */
    size_t last;  /**< case that had it last, from 1 */
} column;

/** A value of a column: the column, and a hash of the value. */
typedef struct value {
    size_t column;
    hcbr_i_name id;
} value;

struct hcbr_preview {
    const hcbr_i_format *format;
    hcbr_i_arena text;
    column *columns;
    size_t column_count, column_capacity;
    hcbr_i_hash_table by_name; /**< of columns */
    hcbr_preview_case *cases;
    size_t case_count, case_capacity;
    hcbr_feature *features; /**< of all cases */
    size_t feature_count, feature_capacity;
    hcbr_i_hash_table seen; /**< those of the current case */
    size_t *first;          /**< of each case among them */
    size_t first_capacity;
    value *values;
    size_t value_count, value_capacity;
    hcbr_i_hash_key key;
};

/* ---- columns --------------------------------------------------------------------------------- */

static bool same_column(const void *columns, uint32_t number, const void *name) {
    return hcbr_i_text_same(((const column *)columns)[number].name, *(const hcbr_i_text *)name);
}

/** The column of a name, made if it is new. SIZE_MAX: out of memory. */
static size_t find_column(hcbr_preview *v, hcbr_i_text name, hcbr_column_use use) {
    uint64_t hash = hcbr_i_hash_text(&v->key, name.at, name.length, NULL, 0).lo;
    uint32_t known = hcbr_i_hash_table_find(&v->by_name, hash, same_column, v->columns, &name);
    if (known != HCBR_I_HASH_NONE)
        return known;
    char *copy = hcbr_i_arena_copy(&v->text, name.at, name.length);
    if (copy == NULL || v->column_count >= UINT32_MAX - 1 ||
        !hcbr_i_grow(&v->columns, &v->column_capacity, v->column_count + 1, sizeof *v->columns) ||
        !hcbr_i_hash_table_add(&v->by_name, hash, (uint32_t)v->column_count))
        return SIZE_MAX;
    v->columns[v->column_count] = (column){.name = {copy, name.length}, .use = use};
    return v->column_count++;
}

static bool add_column(hcbr_preview *v, const char *name, size_t length, hcbr_column_use use) {
    return find_column(v, (hcbr_i_text){name, length}, use) != SIZE_MAX;
}

static hcbr_column_use use_of_special(const hcbr_i_special *special) {
    return special->change == HCBR_I_CHANGE_SPLIT  ? HCBR_USE_SPLIT
           : special->change == HCBR_I_CHANGE_TEXT ? HCBR_USE_TEXT
                                                   : HCBR_USE_PRESENCE;
}

/** The columns of csv and tsv, in their order. */
static bool add_header(hcbr_preview *v, const hcbr_i_csv *csv) {
    static const hcbr_column_use uses[] = {
        [HCBR_I_ROLE_FEATURE] = HCBR_USE_VALUE, [HCBR_I_ROLE_LABEL] = HCBR_USE_LABEL,
        [HCBR_I_ROLE_ID] = HCBR_USE_ID,         [HCBR_I_ROLE_GROUP] = HCBR_USE_GROUP,
        [HCBR_I_ROLE_WEIGHT] = HCBR_USE_WEIGHT, [HCBR_I_ROLE_IGNORED] = HCBR_USE_IGNORED,
        [HCBR_I_ROLE_KEY] = HCBR_USE_IGNORED};

    for (size_t i = 0; i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        if (!add_column(v, c->key, c->key_length,
                        c->special != NULL ? use_of_special(c->special) : uses[c->role]))
            return false;
    }
    return true;
}

/** The columns that options name; csv and tsv have them already. */
static bool add_named(hcbr_preview *v, const hcbr_i_parser *p, const char *label) {
    const hcbr_read_options *o = p->options;
    if (!v->format->unnamed) {
        if ((!p->apart && !p->unlabelled && !add_column(v, label, strlen(label), HCBR_USE_LABEL)) ||
            (o->id != NULL && !add_column(v, o->id, strlen(o->id), HCBR_USE_ID)) ||
            (o->group != NULL && !add_column(v, o->group, strlen(o->group), HCBR_USE_GROUP)) ||
            (o->weight != NULL && !add_column(v, o->weight, strlen(o->weight), HCBR_USE_WEIGHT)))
            return false;
    }
    for (size_t i = 0; i < p->ignore_count; i++)
        if (!add_column(v, p->ignore[i].at, p->ignore[i].length, HCBR_USE_IGNORED))
            return false;
    for (size_t i = 0; i < p->special_count; i++) {
        const hcbr_i_special *s = &p->specials[i];
        size_t c = find_column(v, s->column, use_of_special(s));
        if (c == SIZE_MAX)
            return false;
        if (s->change == HCBR_I_CHANGE_SPLIT) {
            v->columns[c].separator =
                hcbr_i_arena_copy(&v->text, s->separator.at, s->separator.length);
            if (v->columns[c].separator == NULL)
                return false;
        }
    }
    return true;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/** The column that a feature belongs to, by its key. SIZE_MAX: out of memory. */
static size_t column_of(hcbr_preview *v, const hcbr_i_parser *p, const hcbr_feature *f) {
    const char *bare = v->format->bare != NULL ? v->format->bare : "";
    hcbr_i_text key = {f->key, f->key_length}, none = {"", 0};
    if (v->format->has_words)
        return find_column(v, none, HCBR_USE_TEXT);
    for (size_t i = 0; i < p->special_count; i++) {
        hcbr_i_text name = p->specials[i].column;
        if (p->specials[i].change == HCBR_I_CHANGE_TEXT && key.length > name.length &&
            key.at[name.length] == ':' && memcmp(key.at, name.at, name.length) == 0)
            return find_column(v, name, HCBR_USE_TEXT);
        if (p->specials[i].change == HCBR_I_CHANGE_PRESENCE && key.length == name.length &&
            memcmp(key.at, name.at, name.length) == 0)
            return find_column(v, name, HCBR_USE_PRESENCE);
    }
    if (f->value == NULL)
        return find_column(v, (hcbr_i_text){bare, strlen(bare)}, HCBR_USE_NAMES);
    return find_column(v, key, HCBR_USE_VALUE);
}

/** Record that the current case has a value of a column. */
static bool add_value(hcbr_preview *v, size_t c, hcbr_i_name id) {
    if (c == SIZE_MAX ||
        !hcbr_i_grow(&v->values, &v->value_capacity, v->value_count + 1, sizeof *v->values))
        return false;
    v->columns[c].several |= v->columns[c].last == v->case_count + 1;
    v->columns[c].cases += v->columns[c].last != v->case_count + 1;
    v->columns[c].last = v->case_count + 1;
    v->values[v->value_count++] = (value){c, id};
    return true;
}

/** Key and value of a name of a block; text is room for a short one. */
static hcbr_feature name_text(const hcbr_i_block *block, hcbr_i_name name,
                              char text[HCBR_I_NAME_TEXT]) {
    hcbr_feature f = {.key = text};
    bool bare;
    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *l = &block->longs[name.lo];
        return (hcbr_feature){l->key, l->key_length, l->value, l->value_length};
    }
    hcbr_i_name_unpack(name, text, &f.key_length, &bare, &f.value_length);
    f.value = bare ? NULL : text + f.key_length;
    return f;
}

/** Whether the feature of the current case is the wanted one. */
static bool same_feature(const void *features, uint32_t number, const void *wanted) {
    return hcbr_i_feature_same((const hcbr_feature *)features + number, wanted);
}

static bool is_number(const char *text, size_t length) {
    double number;
    uint8_t spelling;
    return hcbr_i_decimal_read(&number, &spelling, text, length);
}

static bool add_feature(hcbr_preview *v, const hcbr_i_parser *p, const hcbr_feature *f) {
    hcbr_feature own = *f;
    hcbr_i_name id = hcbr_i_hash_text(&v->key, f->key, f->key_length, f->value, f->value_length);
    const uint64_t hash = id.lo;
    const size_t first = v->first[v->case_count], number = v->feature_count - first;
    if (number > 0 && hcbr_i_hash_table_find(&v->seen, hash, same_feature, v->features + first,
                                             f) != HCBR_I_HASH_NONE)
        return true;
    size_t c = column_of(v, p, f);
    if (c != SIZE_MAX && v->columns[c].use == HCBR_USE_TEXT) // a word, however often
        id = hcbr_i_hash_text(&v->key, f->key, f->key_length, NULL, 0);
    if (!add_value(v, c, id))
        return false;
    v->columns[c].words += f->value == NULL || !is_number(f->value, f->value_length);
    own.key = hcbr_i_arena_copy(&v->text, f->key, f->key_length);
    if (f->value != NULL)
        own.value = hcbr_i_arena_copy(&v->text, f->value, f->value_length);
    if (own.key == NULL || (f->value != NULL && own.value == NULL) ||
        !hcbr_i_grow(&v->features, &v->feature_capacity, v->feature_count + 1,
                     sizeof *v->features) ||
        !hcbr_i_hash_table_add(&v->seen, hash, (uint32_t)number))
        return false;
    v->features[v->feature_count++] = own;
    return true;
}

static bool add_features(hcbr_preview *v, const hcbr_i_parser *p, const hcbr_i_block *block,
                         const hcbr_i_raw_case *raw) {
    bool good = raw->count < UINT32_MAX && hcbr_i_hash_table_restart(&v->seen, raw->count);
    for (size_t i = 0; good && i < raw->count; i++) {
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature f = name_text(block, block->names[raw->first + i], text);
        good = add_feature(v, p, &f);
    }
    return good;
}

static bool add_case(hcbr_preview *v, const hcbr_i_parser *p, const hcbr_i_block *block,
                     const hcbr_i_raw_case *raw, hcbr_i_text label) {
    hcbr_preview_case x = {.size = sizeof x,
                           .row = raw->row,
                           .label_length = raw->label.length,
                           .id_length = raw->id.length};
    size_t c;
    if (!hcbr_i_grow(&v->cases, &v->case_capacity, v->case_count + 1, sizeof *v->cases) ||
        !hcbr_i_grow(&v->first, &v->first_capacity, v->case_count + 2, sizeof *v->first))
        return false;
    v->first[v->case_count] = v->feature_count;
    x.label = hcbr_i_arena_copy(&v->text, raw->label.at, raw->label.length);
    if (raw->id.at != NULL)
        x.id = hcbr_i_arena_copy(&v->text, raw->id.at, raw->id.length);
    if (x.label == NULL || (raw->id.at != NULL && x.id == NULL))
        return false;
    if (!p->unlabelled) {
        c = find_column(v, label, HCBR_USE_LABEL);
        if (!add_value(v, c, hcbr_i_hash_text(&v->key, x.label, x.label_length, NULL, 0)))
            return false;
    }
    if (raw->id.at != NULL && !v->format->unnamed) {
        c = find_column(v, (hcbr_i_text){p->options->id, strlen(p->options->id)}, HCBR_USE_ID);
        if (!add_value(v, c, hcbr_i_hash_text(&v->key, x.id, x.id_length, NULL, 0)))
            return false;
    }
    if (!add_features(v, p, block, raw))
        return false;
    v->cases[v->case_count++] = x;
    v->first[v->case_count] = v->feature_count;
    return true;
}

/* ---- a preview ------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b) {
    const value *x = a, *y = b;
    int order = hcbr_i_order_u64(x->column, y->column);
    if (order == 0)
        order = hcbr_i_order_u64(x->id.lo, y->id.lo);
    return order ? order : hcbr_i_order_u64(x->id.hi, y->id.hi);
}

/** Count the different values of each column, and give the cases their features. */
static void finish(hcbr_preview *v) {
    if (v->value_count > 0)
        qsort(v->values, v->value_count, sizeof *v->values, compare_values);
    for (size_t i = 0; i < v->value_count; i++)
        v->columns[v->values[i].column].distinct +=
            i == 0 || compare_values(&v->values[i - 1], &v->values[i]) != 0;
    for (size_t i = 0; i < v->case_count; i++) {
        v->cases[i].features = v->features + v->first[i];
        v->cases[i].feature_count = v->first[i + 1] - v->first[i];
    }
}

/** Take cases from the reader until there are enough. */
static hcbr_status take_cases(hcbr_preview *v, hcbr_i_reader *reader, size_t cases,
                              hcbr_error *err) {
    const hcbr_i_parser *p = hcbr_i_reader_parser(reader);
    const hcbr_i_block *block = NULL;
    bool begun = false;
    hcbr_status st = HCBR_OK;
    while (v->case_count < cases && (st = hcbr_i_reader_next(reader, &block, err)) == HCBR_OK &&
           block != NULL) {
        const char *name = hcbr_i_reader_label_name(reader);
        hcbr_i_text label = {p->apart ? "(outcomes)" : name, 0};
        label.length = strlen(label.at);
        v->format = p->format;
        if (!begun && ((v->format->has_columns && !add_header(v, hcbr_i_reader_csv(reader))) ||
                       !add_named(v, p, name)))
            return hcbr_i_no_memory(err);
        begun = true;
        for (size_t i = 0; i < block->case_count && v->case_count < cases; i++)
            if (!add_case(v, p, block, &block->cases[i], label))
                return hcbr_i_no_memory(err);
    }
    return st;
}

hcbr_status hcbr_preview_create(hcbr_preview **out, const char *const *paths, size_t count,
                                const hcbr_read_options *options, size_t cases, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_reader *reader = NULL;
    hcbr_read_options all;
    hcbr_preview *v = hcbr_i_alloc_zero(1, sizeof *v);
    if (v == NULL)
        return hcbr_i_no_memory(err);
    hcbr_i_options_fill(&all, options);
    v->key = hcbr_i_hash_key_make(all.hash_key);
    hcbr_status st = hcbr_i_reader_create(&reader, paths, count, options, true, err);
    if (st == HCBR_OK)
        st = take_cases(v, reader, cases, err);
    hcbr_i_reader_free(reader);
    if (st != HCBR_OK) {
        hcbr_preview_free(v);
        return st;
    }
    finish(v);
    *out = v;
    return HCBR_OK;
}

hcbr_status hcbr_i_preview_replace(hcbr_preview *preview, size_t index,
                                   const hcbr_feature *features, size_t count, hcbr_error *err) {
    hcbr_feature *own = hcbr_i_arena_array(&preview->text, count, sizeof *own);
    for (size_t n = 0; own != NULL && n < count; n++) {
        const hcbr_feature *f = &features[n];
        own[n] = *f;
        own[n].key = hcbr_i_arena_copy(&preview->text, f->key, f->key_length);
        if (f->value != NULL)
            own[n].value = hcbr_i_arena_copy(&preview->text, f->value, f->value_length);
        if (own[n].key == NULL || (f->value != NULL && own[n].value == NULL))
            own = NULL;
    }
    if (own == NULL)
        return hcbr_i_no_memory(err);
    preview->cases[index].features = own;
    preview->cases[index].feature_count = count;
    return HCBR_OK;
}

void hcbr_preview_free(hcbr_preview *preview) {
    if (preview == NULL)
        return;
    hcbr_i_arena_clear(&preview->text);
    hcbr_i_free(preview->columns);
    hcbr_i_hash_table_clear(&preview->by_name);
    hcbr_i_hash_table_clear(&preview->seen);
    hcbr_i_free(preview->cases);
    hcbr_i_free(preview->features);
    hcbr_i_free(preview->first);
    hcbr_i_free(preview->values);
    hcbr_i_free(preview);
}

hcbr_format hcbr_preview_get_format(const hcbr_preview *preview) {
    return preview->format->id;
}

size_t hcbr_preview_column_count(const hcbr_preview *preview) {
    return preview->column_count;
}

size_t hcbr_preview_case_count(const hcbr_preview *preview) {
    return preview->case_count;
}

void hcbr_preview_get_column(const hcbr_preview *preview, size_t index, hcbr_preview_column *out) {
    const column *c = &preview->columns[index];
    hcbr_preview_column full = {.name = c->name.at,
                                .name_length = c->name.length,
                                .use = c->use,
                                .separator = c->separator,
                                .cases = c->cases,
                                .distinct = c->distinct};
    if (c->use == HCBR_USE_VALUE) {
        full.words = c->words;
        full.number = c->words == 0 && !c->several && c->distinct >= HCBR_I_FEWEST_NUMBERS;
    }
    assert(index < preview->column_count);
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_preview_get_case(const hcbr_preview *preview, size_t index, hcbr_preview_case *out) {
    assert(index < preview->case_count);
    hcbr_i_hand_out(out, &preview->cases[index], sizeof preview->cases[index]);
}
