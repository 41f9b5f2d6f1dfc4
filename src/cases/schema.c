/*
 * The columns of a table, their kinds, and the features their values become.
 *
 * A training list and a new case go through the same function, hcbr_i_schema_take(), so that a
 * value becomes the same features in both. Invariants: columns are sorted by the bytes of their
 * names; a schema never changes once it is shared.
 */
#include "cases/cases.h"

#include <stdatomic.h>
#include <stdio.h>

#define OTHER ": other" /* after the name of a column of numbers: any other value */

struct hcbr_i_schema {
    atomic_uint references;
    hcbr_i_schema_column *columns;
    size_t count, room;
    uint32_t ngrams;
    bool changes, listed;
    hcbr_i_arena text; /* names and keys */
};

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_schema_create(hcbr_i_schema **out, size_t count, hcbr_error *err) {
    hcbr_i_schema *schema = hcbr_i_alloc_zero(1, sizeof *schema);
    *out = NULL;
    if (schema && !(schema->columns = hcbr_i_alloc(count, sizeof *schema->columns))) {
        hcbr_i_free(schema);
        schema = NULL;
    }
    if (!schema)
        return hcbr_i_no_memory(err);
    schema->room = count;
    schema->ngrams = 1;
    atomic_init(&schema->references, 1);
    *out = schema;
    return HCBR_OK;
}

hcbr_i_schema *hcbr_i_schema_share(const hcbr_i_schema *schema) {
    hcbr_i_schema *shared = (hcbr_i_schema *)schema; // only the count changes
    if (shared)
        atomic_fetch_add(&shared->references, 1);
    return shared;
}

void hcbr_i_schema_release(const hcbr_i_schema *schema) {
    hcbr_i_schema *shared = (hcbr_i_schema *)schema;
    if (!shared || atomic_fetch_sub(&shared->references, 1) != 1)
        return;
    for (size_t c = 0; c < shared->count; c++)
        hcbr_i_free(shared->columns[c].keys);
    hcbr_i_free(shared->columns);
    hcbr_i_arena_clear(&shared->text);
    hcbr_i_free(shared);
}

/* The name of a column with a suffix. */
static bool make_key(hcbr_i_schema *schema, hcbr_i_text *out, hcbr_i_text name, const char *mark,
                     const char *behind) {
    const size_t marks = strlen(mark), length = strlen(behind);
    char *text = hcbr_i_arena_take(&schema->text, name.length + marks + length + 1);
    if (!text)
        return false;
    memcpy(text, name.at, name.length);
    memcpy(text + name.length, mark, marks);
    memcpy(text + name.length + marks, behind, length);
    text[name.length + marks + length] = '\0';
    *out = (hcbr_i_text){text, name.length + marks + length};
    return true;
}

static bool make_keys(hcbr_i_schema *schema, hcbr_i_schema_column *column) {
    const bool number = column->use == HCBR_I_USE_NUMBER;
    if (!number && column->use != HCBR_I_USE_DATE && column->use != HCBR_I_USE_PARTS)
        return true;
    column->keys = hcbr_i_alloc_zero(number ? 1 : HCBR_I_PARTS, sizeof *column->keys);
    if (!column->keys)
        return false;
    if (number)
        return make_key(schema, column->keys, column->name, OTHER, "");
    for (unsigned part = 0; part < HCBR_I_PARTS; part++)
        if (!make_key(schema, &column->keys[part], column->name, ": ",
                      hcbr_i_part_name((hcbr_i_part_of)part)))
            return false;
    return true;
}

/* The reason of the kind: the values or an option. */
static void describe(char why[HCBR_I_KIND_WHY], const hcbr_i_schema_column *c) {
    const bool like = c->kind.kind == HCBR_I_KIND_TEXT || c->kind.kind == HCBR_I_KIND_FLAG;
    if (c->said == HCBR_I_SAID_GIVEN && like)
        snprintf(why, HCBR_I_KIND_WHY, "asked for; %llu different values",
                 (unsigned long long)c->kind.distinct);
    else
        (void)hcbr_i_kind_describe(why, &c->kind);
}

hcbr_status hcbr_i_schema_add(hcbr_i_schema *schema, const hcbr_i_schema_column *column,
                              hcbr_error *err) {
    assert(schema->count < schema->room);
    hcbr_i_schema_column *to = &schema->columns[schema->count];
    *to = *column;
    to->keys = NULL;
    char why[HCBR_I_KIND_WHY];
    const char *first =
        to->said == HCBR_I_SAID_REPEATED ? "the same values as another column; " : "";
    describe(why, to);
    if (!make_key(schema, &to->name, column->name, "", "") || !make_keys(schema, to) ||
        !make_key(schema, &to->why, (hcbr_i_text){"", 0}, first, why)) {
        hcbr_i_free(to->keys);
        return hcbr_i_no_memory(err);
    }
    schema->changes |= to->use != HCBR_I_USE_AS_IT_IS;
    schema->count++;
    return HCBR_OK;
}

/* ---- questions ------------------------------------------------------------------------------- */

size_t hcbr_i_schema_count(const hcbr_i_schema *schema) {
    return schema ? schema->count : 0;
}

const hcbr_i_schema_column *hcbr_i_schema_get(const hcbr_i_schema *schema, size_t column) {
    return &schema->columns[column];
}

const hcbr_i_schema_column *hcbr_i_schema_find(const hcbr_i_schema *schema, const char *name,
                                               size_t length) {
    size_t low = 0, high = hcbr_i_schema_count(schema);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const hcbr_i_schema_column *column = &schema->columns[middle];
        int order = hcbr_i_text_compare(column->name.at, column->name.length, name, length);
        if (order == 0)
            return column;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool hcbr_i_schema_changes(const hcbr_i_schema *schema) {
    return schema && schema->changes;
}

uint32_t hcbr_i_schema_ngrams(const hcbr_i_schema *schema) {
    return schema->ngrams;
}

void hcbr_i_schema_set_ngrams(hcbr_i_schema *schema, uint32_t ngrams) {
    schema->ngrams = ngrams;
}

bool hcbr_i_schema_is_listed(const hcbr_i_schema *schema) {
    return schema && schema->listed;
}

void hcbr_i_schema_set_listed(hcbr_i_schema *schema, bool listed) {
    schema->listed = listed;
}

hcbr_i_use hcbr_i_use_of(const hcbr_i_kind *kind) {
    switch (kind->kind) {
    case HCBR_I_KIND_NUMBER:
        return kind->plain && kind->odd == 0 && kind->forms == 0 ? HCBR_I_USE_AS_IT_IS
                                                                 : HCBR_I_USE_NUMBER;
    case HCBR_I_KIND_DATE: // a value that hardly repeats adds nothing to its parts
        return kind->distinct > (kind->values - kind->forms) / 2 ? HCBR_I_USE_PARTS
                                                                 : HCBR_I_USE_DATE;
    case HCBR_I_KIND_TEXT:
        return HCBR_I_USE_TEXT;
    case HCBR_I_KIND_SET:
        return HCBR_I_USE_SET;
    case HCBR_I_KIND_EMPTY:
    case HCBR_I_KIND_CONSTANT:
        return HCBR_I_USE_NOTHING;
    case HCBR_I_KIND_FLAG:
    case HCBR_I_KIND_ID:
        return kind->forms > 0 ? HCBR_I_USE_KNOWN : HCBR_I_USE_AS_IT_IS;
    default:
        return HCBR_I_USE_AS_IT_IS;
    }
}

bool hcbr_i_use_changes_numbers(const hcbr_i_schema_column *column) {
    switch (column->use) {
    case HCBR_I_USE_NUMBER:
        return column->kind.mark == HCBR_I_MARK_COMMA;
    case HCBR_I_USE_DATE:
    case HCBR_I_USE_PARTS:
        return column->kind.clock != HCBR_I_CLOCK_NONE;
    case HCBR_I_USE_TEXT:
    case HCBR_I_USE_CATEGORY:
    case HCBR_I_USE_NOTHING:
        return true;
    default:
        return false;
    }
}

bool hcbr_i_schema_has_part(const hcbr_i_schema *schema, hcbr_i_text key) {
    const char *mark = key.at, *end = key.at + key.length;
    while (schema && (mark = memchr(mark, ':', (size_t)(end - mark))) != NULL) {
        const hcbr_i_schema_column *x = hcbr_i_schema_find(schema, key.at, (size_t)(mark - key.at));
        if (x && (x->use == HCBR_I_USE_NUMBER || x->use == HCBR_I_USE_DATE ||
                  x->use == HCBR_I_USE_PARTS || x->use == HCBR_I_USE_TEXT))
            return true;
        mark++;
    }
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Add a name with a copy of its value. */
static bool add_copy(hcbr_i_block *to, hcbr_i_text key, const char *value, size_t length) {
    char *copy = hcbr_i_arena_take(&to->arena, length + 1);
    if (!copy)
        return false;
    memcpy(copy, value, length);
    return hcbr_i_block_add(to, key.at, key.length, copy, length);
}

static bool take_number(const hcbr_i_schema_column *c, hcbr_i_block *to, bool listed,
                        const char *value, size_t length) {
    hcbr_i_reading x;
    if (hcbr_i_kind_take(&x, &c->kind, value, length) != HCBR_I_TAKEN_NUMBER)
        return hcbr_i_says_missing(listed, value, length) ||
               add_copy(to, c->keys[0], value, length);
    return x.length ? add_copy(to, c->name, x.number, x.length)
                    : add_copy(to, c->name, value, length);
}

/* The digits of a number of at most 18 of them; returns how many bytes. */
static size_t put_whole(char text[24], int64_t number) {
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[24];
    size_t count = 0, length = 0;
    do
        digits[count++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        text[length++] = '-';
    while (count > 0)
        text[length++] = digits[--count];
    return length;
}

/* The parts of a moment. */
static bool put_parts(const hcbr_i_schema_column *c, hcbr_i_block *to, const hcbr_i_moment *moment,
                      size_t before, bool apart) {
    int64_t value[HCBR_I_PARTS];
    const unsigned has = hcbr_i_moment_parts(value, moment);
    for (unsigned part = 0; part < HCBR_I_PARTS; part++) {
        char text[24];
        if (!(has >> part & 1))
            continue;
        if (!(apart ? hcbr_i_block_add_whole(to, c->keys[part], value[part], before)
                    : add_copy(to, c->keys[part], text, put_whole(text, value[part]))))
            return false;
    }
    return true;
}

static bool take_moment(const hcbr_i_schema_column *c, hcbr_i_block *to, const hcbr_i_taking *how,
                        const char *value, size_t length) {
    const size_t first = to->name_count;
    hcbr_i_reading x;
    if (hcbr_i_kind_take(&x, &c->kind, value, length) != HCBR_I_TAKEN_MOMENT)
        return hcbr_i_says_missing(how->listed, value, length) ||
               (add_copy(to, c->name, value, length) &&
                (!how->apart || hcbr_i_block_set_apart(to, first, false)));
    char iso[HCBR_I_MOMENT_TEXT]; // one spelling for any in the file; it is not a number
    if (c->use == HCBR_I_USE_DATE &&
        !add_copy(to, c->name, iso, hcbr_i_moment_write(iso, &x.moment)))
        return false;
    return put_parts(c, to, &x.moment, to->name_count - first, how->apart);
}

static bool take_set(const hcbr_i_schema_column *c, hcbr_i_block *to, bool listed,
                     const char *value, size_t length) {
    const char *at = value, *end = value + length;
    if (hcbr_i_says_missing(listed, value, length))
        return true;
    for (;;) {
        const char *mark = memchr(at, c->kind.separator, (size_t)(end - at));
        const char *first = at, *last = mark ? mark : end;
        if (c->kind.trimmed)
            hcbr_i_trim(&first, &last);
        if (first < last && !add_copy(to, c->name, first, (size_t)(last - first)))
            return false;
        if (!mark)
            return true;
        at = mark + 1;
    }
}

/* A value unchanged; spellings of one number are equal. */
static bool take_category(const hcbr_i_schema_column *c, hcbr_i_block *to, const char *value,
                          size_t length) {
    double number;
    uint8_t spelling;
    if (!hcbr_i_decimal_read(&number, &spelling, value, length))
        return add_copy(to, c->name, value, length);
    char *text = hcbr_i_arena_take(&to->arena, length + HCBR_NUMBER_SIZE);
    return text && hcbr_i_block_add(to, c->name.at, c->name.length, text,
                                    hcbr_i_decimal_canonical(text, value, length));
}

hcbr_status hcbr_i_schema_take(const hcbr_i_schema_column *c, const hcbr_i_taking *how,
                               hcbr_i_block *to, const char *value, size_t length,
                               hcbr_error *err) {
    const size_t first = to->name_count;
    bool apart = how->apart;
    hcbr_status st = HCBR_OK;
    bool ok = true;
    switch (c->use) {
    case HCBR_I_USE_NUMBER:
        ok = take_number(c, to, how->listed, value, length);
        break;
    case HCBR_I_USE_DATE:
    case HCBR_I_USE_PARTS:
        ok = take_moment(c, to, how, value, length);
        apart = false; // they do already
        break;
    case HCBR_I_USE_TEXT:
        st = hcbr_i_splitter_add(how->words, to, c->name, (hcbr_i_text){value, length}, err);
        break;
    case HCBR_I_USE_SET:
        ok = take_set(c, to, how->listed, value, length);
        break;
    case HCBR_I_USE_NOTHING:
        break;
    case HCBR_I_USE_KNOWN:
        ok =
            hcbr_i_says_missing(how->listed, value, length) || add_copy(to, c->name, value, length);
        break;
    default:
        ok = take_category(c, to, value, length);
        apart = false;
    }
    if (ok && st == HCBR_OK && apart)
        ok = hcbr_i_block_set_apart(to, first, c->use == HCBR_I_USE_TEXT);
    return ok ? st : hcbr_i_no_memory(err);
}
