/*
 * Names of a chunk that are not in the dictionary yet, each once, in order of first appearance.
 *
 * While the chunks of a round are looked up the dictionary does not change. New names are collected
 * here and added to it afterwards, chunk by chunk, so that features are numbered as one thread
 * would number them. Names `id=1` are added by their id; the caller adds each once. Text of long
 * names is copied, since that of a block is short-lived.
 */
#include "cases/append.h"

#define FEWEST 512u          /* names there is room for from the start */
#define MOST_KEPT (1u << 15) /* from one round to the next */

bool hcbr_i_fresh_reset(hcbr_i_fresh *fresh) {
    size_t before = fresh->names.name_count;
    fresh->count = 0;
    fresh->names.name_count = 0;
    fresh->names.long_count = 0;
    hcbr_i_arena_reset(&fresh->names.arena);
    if (fresh->hash.a == 0)
        fresh->hash = hcbr_i_hash_key_make(0);
    if (before == 0 && fresh->table.slots)
        return true;
    if (before > MOST_KEPT)
        hcbr_i_hash_table_clear(&fresh->table);
    return hcbr_i_hash_table_restart(&fresh->table,
                                     before > MOST_KEPT || before < FEWEST ? FEWEST : before);
}

void hcbr_i_fresh_clear(hcbr_i_fresh *fresh) {
    hcbr_i_block_clear(&fresh->names);
    hcbr_i_free(fresh->id);
    hcbr_i_free(fresh->serial);
    hcbr_i_free(fresh->known);
    hcbr_i_free(fresh->number);
    hcbr_i_hash_table_clear(&fresh->table);
    *fresh = (hcbr_i_fresh){0};
}

/* A number for one more name. */
static uint32_t number_add(hcbr_i_fresh *fresh, uint32_t id) {
    size_t count = fresh->count, capacity = fresh->capacity;
    if (HCBR_I_UNLIKELY(count == capacity) &&
        !(hcbr_i_grow(&fresh->id, &capacity, count + 1, sizeof *fresh->id) &&
          hcbr_i_grow(&fresh->serial, &fresh->capacity, count + 1, sizeof *fresh->serial)))
        return HCBR_I_NONE;
    fresh->id[count] = id;
    fresh->serial[count] = 0;
    fresh->count++;
    return (uint32_t)count;
}

uint32_t hcbr_i_fresh_add_id(hcbr_i_fresh *fresh, uint32_t id) {
    return number_add(fresh, id);
}

/* ---- other names ----------------------------------------------------------------------------- */

/* A name that is looked for. */
typedef struct wanted_name {
    hcbr_i_name name;
    const hcbr_i_long_name *text; /* of a long one; NULL: it is short */
} wanted_name;

/* Whether the long name at this index has the same text. */
static bool same_text(const hcbr_i_fresh *fresh, uint32_t index, const hcbr_i_long_name *name) {
    const hcbr_i_long_name *have = &fresh->names.longs[fresh->names.names[index].lo];
    return have->key_length == name->key_length && !have->value == !name->value &&
           have->value_length == name->value_length &&
           memcmp(have->key, name->key, name->key_length) == 0 &&
           (!name->value || memcmp(have->value, name->value, name->value_length) == 0);
}

static bool same_name(const void *owner, uint32_t index, const void *wanted) {
    const hcbr_i_fresh *fresh = owner;
    const wanted_name *w = wanted;
    hcbr_i_name have = fresh->known[index];
    return have.lo == w->name.lo && have.hi == w->name.hi &&
           (!w->text || same_text(fresh, index, w->text));
}

/* Make room for one more name. */
static bool make_room(hcbr_i_fresh *fresh) {
    size_t count = fresh->names.name_count, capacity = fresh->known_capacity;
    return hcbr_i_grow(&fresh->known, &capacity, count + 1, sizeof *fresh->known) &&
           hcbr_i_grow(&fresh->number, &fresh->known_capacity, count + 1, sizeof *fresh->number) &&
           hcbr_i_hash_table_reserve(&fresh->table, count + 1);
}

/* Add a long name with a copy of its text. */
static bool add_long(hcbr_i_fresh *fresh, const hcbr_i_long_name *name) {
    size_t value_length = name->value ? name->value_length : 0;
    char *text = hcbr_i_arena_take(&fresh->names.arena, name->key_length + value_length + 1);
    if (!text)
        return false;
    memcpy(text, name->key, name->key_length);
    if (value_length)
        memcpy(text + name->key_length, name->value, value_length);
    return hcbr_i_block_add(&fresh->names, text, name->key_length,
                            name->value ? text + name->key_length : NULL, value_length);
}

static bool add_short(hcbr_i_fresh *fresh, hcbr_i_name name) {
    hcbr_i_block *names = &fresh->names;
    if (!hcbr_i_grow(&names->names, &names->name_capacity, names->name_count + 1,
                     sizeof *names->names))
        return false;
    names->names[names->name_count++] = name;
    return true;
}

uint32_t hcbr_i_fresh_intern(hcbr_i_fresh *fresh, const hcbr_i_block *block, size_t n) {
    hcbr_i_name name = block->names[n];
    const hcbr_i_long_name *text = NULL;
    if (hcbr_i_name_is_long(name)) {
        text = &block->longs[name.lo];
        name = hcbr_i_hash_text(&fresh->hash, text->key, text->key_length, text->value,
                                text->value_length);
    }
    uint64_t hash = hcbr_i_hash_name(&fresh->hash, name);
    uint32_t known =
        hcbr_i_hash_table_find(&fresh->table, hash, same_name, fresh, &(wanted_name){name, text});
    if (known != HCBR_I_HASH_NONE)
        return fresh->number[known];
    size_t index = fresh->names.name_count;
    if (!make_room(fresh) || (text ? !add_long(fresh, text) : !add_short(fresh, name)))
        return HCBR_I_NONE;
    uint32_t number = number_add(fresh, HCBR_I_NONE);
    if (number == HCBR_I_NONE)
        return HCBR_I_NONE;
    fresh->known[index] = name;
    fresh->number[index] = number;
    (void)hcbr_i_hash_table_add(&fresh->table, hash, (uint32_t)index); // there is room
    return number;
}

/* ---- into the dictionary --------------------------------------------------------------------- */

hcbr_status hcbr_i_fresh_enter(const hcbr_i_fresh *fresh, hcbr_i_dict *dict, uint32_t serial,
                               hcbr_i_feature_id *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    size_t at = 0, index = 0, end;
    while (st == HCBR_OK && at < fresh->count) {
        for (end = at; end < fresh->count && fresh->id[end] != HCBR_I_NONE;)
            end++;
        st = hcbr_i_dict_intern_numbers(dict, fresh->id + at, end - at, serial, out + at, err);
        for (at = end; end < fresh->count && fresh->id[end] == HCBR_I_NONE;)
            end++;
        if (st == HCBR_OK && at < end) {
            hcbr_i_raw_case all = {.count = end - at};
            hcbr_i_block names = fresh->names;
            uint32_t length;
            names.names += index;
            names.name_count = end - at;
            names.cases = &all;
            names.case_count = 1;
            st = hcbr_i_dict_intern(dict, &names, serial, out + at, &length, err);
        }
        index += end - at;
        at = end;
    }
    return st;
}
