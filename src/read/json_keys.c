/*
 * The keys of JSON objects, each identified by the object around it: (parent, text) -> dotted path.
 *
 * Lines of one file repeat their keys, so a path is built once. A key then finds it by a guess (the
 * key that followed last time), else by a keyed hash table. Duplicates in an object are found by
 * the serial number of the object, which a key keeps: constant expected time per key, and nobody
 * outside can construct collisions.
 */
#include "read/json.h"

#define FIRST_SLOTS 256u
#define MANY_KEYS 65536u
#define MANY_BYTES (4u << 20)

bool hcbr_i_json_keys_init(hcbr_i_json_keys *keys, uint64_t hash_seed) {
    memset(keys, 0, sizeof *keys);
    keys->hash_key = hcbr_i_hash_key_make(hash_seed);
    keys->slots = hcbr_i_alloc_zero(FIRST_SLOTS, sizeof *keys->slots);
    if (keys->slots == NULL || !hcbr_i_grow(&keys->all, &keys->capacity, 64, sizeof *keys->all)) {
        hcbr_i_json_keys_clear(keys);
        return false;
    }
    keys->slot_count = FIRST_SLOTS;
    keys->count = 1;
    keys->all[HCBR_I_JSON_ROOT] = (hcbr_i_json_key){.path = "", .parent = HCBR_I_JSON_NONE};
    return true;
}

void hcbr_i_json_keys_clear(hcbr_i_json_keys *keys) {
    hcbr_i_free(keys->all);
    hcbr_i_free(keys->slots);
    hcbr_i_arena_clear(&keys->text);
    memset(keys, 0, sizeof *keys);
}

void hcbr_i_json_keys_trim(hcbr_i_json_keys *keys) {
    if (keys->count < MANY_KEYS && keys->text_size < MANY_BYTES)
        return;
    hcbr_i_arena_reset(&keys->text);
    keys->slot_count = FIRST_SLOTS;
    memset(keys->slots, 0, FIRST_SLOTS * sizeof *keys->slots);
    keys->count = 1;
    keys->text_size = 0;
    keys->all[HCBR_I_JSON_ROOT].next = HCBR_I_JSON_ROOT;
}

static uint32_t hash_of(const hcbr_i_json_keys *keys, hcbr_i_json_key_id parent, hcbr_i_text text) {
    return (uint32_t)hcbr_i_hash_text(&keys->hash_key, (const char *)&parent, sizeof parent,
                                      text.at, text.length)
        .lo;
}

/** The slot that holds the key, or the free one where it belongs. */
static size_t slot_of(const hcbr_i_json_keys *keys, hcbr_i_json_key_id parent, hcbr_i_text text,
                      uint32_t hash) {
    size_t mask = keys->slot_count - 1, slot = hash & mask;
    for (; keys->slots[slot] != 0; slot = (slot + 1) & mask) {
        const hcbr_i_json_key *key = &keys->all[keys->slots[slot]];
        if (key->hash == hash && key->parent == parent && key->length == text.length &&
            memcmp(key->path + key->path_length - key->length, text.at, text.length) == 0)
            break;
    }
    return slot;
}

/** Twice the slots, every key in its place. */
static bool grow_slots(hcbr_i_json_keys *keys) {
    uint32_t *slots = hcbr_i_alloc_zero(keys->slot_count, 2 * sizeof *slots);
    if (slots == NULL)
        return false;
    size_t mask = 2 * keys->slot_count - 1;
    for (size_t i = 1; i < keys->count; i++) {
        size_t slot = keys->all[i].hash & mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = (uint32_t)i;
    }
    hcbr_i_free(keys->slots);
    keys->slots = slots;
    keys->slot_count *= 2;
    return true;
}

/** Room for one more key and its slot. */
static bool make_room(hcbr_i_json_keys *keys) {
    return keys->count < HCBR_I_JSON_NONE &&
           hcbr_i_grow(&keys->all, &keys->capacity, keys->count + 1, sizeof *keys->all) &&
           (2 * keys->count < keys->slot_count || grow_slots(keys));
}

/** The dotted path of a key; the root's keys have none before them. */
static char *make_path(hcbr_i_json_keys *keys, hcbr_i_json_key_id parent, hcbr_i_text text,
                       size_t *length) {
    const hcbr_i_json_key *above = &keys->all[parent];
    size_t prefix = parent == HCBR_I_JSON_ROOT ? 0 : (size_t)above->path_length + 1;
    *length = prefix + text.length;
    char *path = hcbr_i_arena_take(&keys->text, *length + HCBR_I_PAD);
    if (path == NULL)
        return NULL;
    if (prefix > 0) {
        memcpy(path, above->path, prefix - 1);
        path[prefix - 1] = '.';
    }
    memcpy(path + prefix, text.at, text.length);
    memset(path + *length, 0, HCBR_I_PAD);
    keys->text_size += *length + HCBR_I_PAD;
    return path;
}

hcbr_i_json_key_id hcbr_i_json_keys_find(const hcbr_i_json_keys *keys, hcbr_i_json_key_id parent,
                                         hcbr_i_text text) {
    uint32_t id = keys->slots[slot_of(keys, parent, text, hash_of(keys, parent, text))];
    return id == 0 ? HCBR_I_JSON_NONE : id;
}

hcbr_i_json_key_id hcbr_i_json_keys_intern(hcbr_i_json_keys *keys, hcbr_i_json_key_id parent,
                                           hcbr_i_text text) {
    uint32_t hash = hash_of(keys, parent, text);
    size_t slot = slot_of(keys, parent, text, hash), length;
    if (keys->slots[slot] != 0)
        return keys->slots[slot];
    if (!make_room(keys))
        return HCBR_I_JSON_NONE;
    char *path = make_path(keys, parent, text, &length);
    if (path == NULL)
        return HCBR_I_JSON_NONE;
    uint32_t id = (uint32_t)keys->count++;
    keys->all[id] = (hcbr_i_json_key){.path = path,
                                      .path_length = (uint32_t)length,
                                      .length = (uint32_t)text.length,
                                      .parent = parent,
                                      .hash = hash};
    if (length <= HCBR_I_SHORT) {
        hcbr_i_u128 bytes = hcbr_i_bytes_load(path, length);
        keys->all[id].name = (hcbr_i_name){(uint64_t)bytes, (uint64_t)(bytes >> 64)};
    }
    keys->slots[slot_of(keys, parent, text, hash)] = id; // the slots may have moved
    return id;
}
