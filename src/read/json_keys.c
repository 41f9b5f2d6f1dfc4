/*
 * The keys of JSON objects, each identified with its enclosing object: (parent, text) -> dotted
 * path.
 *
 * Lines of one file repeat their keys, so a path is built once. A key is then found by a guess (the
 * key that followed last time), else by a keyed hash table, so that collisions cannot be
 * constructed. Duplicates in an object are found by the serial number of the object, which a key
 * keeps: constant expected time per key.
 */
#include "read/json.h"

#define MANY_KEYS 65536u
#define MANY_BYTES (4u << 20)

bool hcbr_i_json_keys_init(hcbr_i_json_keys *keys, uint64_t hash_seed) {
    memset(keys, 0, sizeof *keys);
    keys->hash_key = hcbr_i_hash_key_make(hash_seed);
    if (!hcbr_i_grow(&keys->all, &keys->capacity, 64, sizeof *keys->all)) {
        hcbr_i_json_keys_clear(keys);
        return false;
    }
    keys->count = 1;
    keys->all[HCBR_I_JSON_ROOT] = (hcbr_i_json_key){.path = "", .parent = HCBR_I_JSON_NONE};
    return true;
}

void hcbr_i_json_keys_clear(hcbr_i_json_keys *keys) {
    hcbr_i_free(keys->all);
    hcbr_i_hash_table_clear(&keys->table);
    hcbr_i_arena_clear(&keys->text);
    memset(keys, 0, sizeof *keys);
}

void hcbr_i_json_keys_trim(hcbr_i_json_keys *keys) {
    if (keys->count < MANY_KEYS && keys->text_size < MANY_BYTES)
        return;
    hcbr_i_arena_reset(&keys->text);
    hcbr_i_hash_table_clear(&keys->table);
    keys->count = 1;
    keys->text_size = 0;
    keys->all[HCBR_I_JSON_ROOT].next = HCBR_I_JSON_ROOT;
}

/** A key that is looked for. */
typedef struct wanted_key {
    hcbr_i_json_key_id parent;
    hcbr_i_text text;
} wanted_key;

static uint64_t hash_of(const hcbr_i_json_keys *keys, const wanted_key *key) {
    return hcbr_i_hash_text(&keys->hash_key, (const char *)&key->parent, sizeof key->parent,
                            key->text.at, key->text.length)
        .lo;
}

static bool same_key(const void *all, uint32_t id, const void *wanted) {
    const hcbr_i_json_key *key = (const hcbr_i_json_key *)all + id;
    const wanted_key *w = wanted;
    return key->parent == w->parent && key->length == w->text.length &&
           memcmp(key->path + key->path_length - key->length, w->text.at, w->text.length) == 0;
}

/** Room for one more key, in the table too. */
static bool make_room(hcbr_i_json_keys *keys) {
    return keys->count < HCBR_I_JSON_NONE &&
           hcbr_i_grow(&keys->all, &keys->capacity, keys->count + 1, sizeof *keys->all) &&
           hcbr_i_hash_table_reserve(&keys->table, keys->table.count + 1);
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
    const wanted_key wanted = {parent, text};
    return hcbr_i_hash_table_find(&keys->table, hash_of(keys, &wanted), same_key, keys->all,
                                  &wanted);
}

hcbr_i_json_key_id hcbr_i_json_keys_intern(hcbr_i_json_keys *keys, hcbr_i_json_key_id parent,
                                           hcbr_i_text text) {
    const wanted_key wanted = {parent, text};
    uint64_t hash = hash_of(keys, &wanted);
    uint32_t id = hcbr_i_hash_table_find(&keys->table, hash, same_key, keys->all, &wanted);
    size_t length;
    if (id != HCBR_I_HASH_NONE)
        return id;
    char *path = make_room(keys) ? make_path(keys, parent, text, &length) : NULL;
    if (path == NULL)
        return HCBR_I_JSON_NONE;
    id = (uint32_t)keys->count++;
    keys->all[id] = (hcbr_i_json_key){.path = path,
                                      .path_length = (uint32_t)length,
                                      .length = (uint32_t)text.length,
                                      .parent = parent};
    if (length <= HCBR_I_SHORT) {
        hcbr_i_u128 bytes = hcbr_i_bytes_load(path, length);
        keys->all[id].name = (hcbr_i_name){(uint64_t)bytes, (uint64_t)(bytes >> 64)};
    }
    (void)hcbr_i_hash_table_add(&keys->table, hash, id); // there is room
    return id;
}
