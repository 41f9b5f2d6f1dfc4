/*
 * Names of a chunk that the dictionary does not know yet, each once, in order of first appearance.
 *
 * While the chunks of a round are looked up the dictionary does not change; what it lacks is
 * collected here and added to it afterwards, chunk by chunk, so that features are numbered as one
 * thread would have numbered them. Text of long names is copied, since that of a block is short-
 * lived.
 */
#include "encode/append.h"

#define FIRST_SLOTS 1024u
#define MOST_KEPT (1u << 16) /* slots kept from one round to the next */

bool hcbr_i_fresh_reset(hcbr_i_fresh *fresh) {
    fresh->names.name_count = 0;
    fresh->names.long_count = 0;
    hcbr_i_arena_reset(&fresh->names.arena);
    if (fresh->hash.a == 0)
        fresh->hash = hcbr_i_hash_key_make(0);
    if (fresh->slot_count > MOST_KEPT) {
        hcbr_i_free(fresh->slots);
        fresh->slots = NULL;
    }
    if (fresh->slots) {
        if (fresh->slots_used)
            memset(fresh->slots, 0, fresh->slot_count * sizeof *fresh->slots);
    } else {
        fresh->slot_count = FIRST_SLOTS;
        fresh->slots = hcbr_i_alloc_zero(FIRST_SLOTS, sizeof *fresh->slots);
    }
    fresh->slots_used = 0;
    return fresh->slots != NULL;
}

void hcbr_i_fresh_clear(hcbr_i_fresh *fresh) {
    hcbr_i_block_clear(&fresh->names);
    hcbr_i_free(fresh->known);
    hcbr_i_free(fresh->serial);
    hcbr_i_free(fresh->slots);
    *fresh = (hcbr_i_fresh){0};
}

/* Is the long name with this number the same text? */
static bool same_text(const hcbr_i_fresh *fresh, uint32_t number, const hcbr_i_long_name *name) {
    const hcbr_i_long_name *have = &fresh->names.longs[fresh->names.names[number].lo];
    return have->key_length == name->key_length && !have->value == !name->value &&
           have->value_length == name->value_length &&
           memcmp(have->key, name->key, name->key_length) == 0 &&
           (!name->value || memcmp(have->value, name->value, name->value_length) == 0);
}

/* The slot of a name, or the free one where it belongs. text is needed for long names only. */
static uint32_t *slot_find(const hcbr_i_fresh *fresh, hcbr_i_name name,
                           const hcbr_i_long_name *text) {
    size_t mask = fresh->slot_count - 1;
    for (size_t i = hcbr_i_hash_name(&fresh->hash, name) & mask;; i = (i + 1) & mask) {
        uint32_t *s = &fresh->slots[i];
        if (!*s)
            return s;
        hcbr_i_name have = fresh->known[*s - 1];
        if (have.lo == name.lo && have.hi == name.hi && (!text || same_text(fresh, *s - 1, text)))
            return s;
    }
}

/* Four times the slots, every name in its place. */
static bool slots_grow(hcbr_i_fresh *fresh) {
    size_t size = fresh->slot_count * 4, mask = size - 1;
    uint32_t *slots = hcbr_i_alloc_zero(size, sizeof *slots);
    if (!slots)
        return false;
    for (size_t s = 0; s < fresh->slot_count; s++) {
        if (!fresh->slots[s])
            continue;
        size_t i = hcbr_i_hash_name(&fresh->hash, fresh->known[fresh->slots[s] - 1]) & mask;
        while (slots[i])
            i = (i + 1) & mask;
        slots[i] = fresh->slots[s];
    }
    hcbr_i_free(fresh->slots);
    fresh->slots = slots;
    fresh->slot_count = size;
    return true;
}

/* Room for one more name in the lists. */
static bool make_room(hcbr_i_fresh *fresh) {
    size_t count = fresh->names.name_count, capacity = fresh->capacity;
    return hcbr_i_grow(&fresh->known, &capacity, count + 1, sizeof *fresh->known) &&
           hcbr_i_grow(&fresh->serial, &fresh->capacity, count + 1, sizeof *fresh->serial);
}

/* A long name with text of our own. */
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

/* Take a name into the lists: `text` if it is long, else the name itself. */
static uint32_t append(hcbr_i_fresh *fresh, hcbr_i_name name, const hcbr_i_long_name *text) {
    uint32_t number = (uint32_t)fresh->names.name_count;
    if (!make_room(fresh) || (text ? !add_long(fresh, text) : !add_short(fresh, name)))
        return HCBR_I_NONE;
    fresh->known[number] = name;
    fresh->serial[number] = 0;
    return number;
}

/* The number of a name that is found by its hash. */
static uint32_t intern_name(hcbr_i_fresh *fresh, hcbr_i_name name, const hcbr_i_long_name *text) {
    uint32_t *slot = slot_find(fresh, name, text);
    if (*slot)
        return *slot - 1;
    if (fresh->slots_used >= fresh->slot_count / 2) {
        if (!slots_grow(fresh))
            return HCBR_I_NONE;
        slot = slot_find(fresh, name, text);
    }
    uint32_t number = append(fresh, name, text);
    if (number != HCBR_I_NONE) {
        *slot = number + 1;
        fresh->slots_used++;
    }
    return number;
}

uint32_t hcbr_i_fresh_append(hcbr_i_fresh *fresh, hcbr_i_name name) {
    return append(fresh, name, NULL);
}

uint32_t hcbr_i_fresh_intern(hcbr_i_fresh *fresh, const hcbr_i_block *block, size_t n) {
    hcbr_i_name name = block->names[n];
    if (!hcbr_i_name_is_long(name))
        return intern_name(fresh, name, NULL);
    const hcbr_i_long_name *text = &block->longs[name.lo];
    name = hcbr_i_hash_text(&fresh->hash, text->key, text->key_length, text->value,
                            text->value_length);
    return intern_name(fresh, name, text);
}
