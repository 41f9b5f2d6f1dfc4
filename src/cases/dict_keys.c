/*
 * Lookup of keys: a table by hash, and an array by number for short numbers.
 *
 * Plain names (dict.c) need neither: the key of `n=1` is found as the feature is.
 */
#include "cases/dict.h"

#define BATCH 32u /* keys between a prefetch and its use */

static uint64_t key_hash(const hcbr_i_dict *dict, const char *key, size_t length) {
    return hcbr_i_hash_name(&dict->hash, hcbr_i_dict_name(dict, key, length, NULL, 0));
}

static bool is_key(const void *owner, uint32_t number, const void *wanted) {
    const hcbr_i_text have = hcbr_i_dict_key(owner, number), *key = wanted;
    return have.length == key->length && memcmp(have.at, key->at, key->length) == 0;
}

static hcbr_i_key_id key_find(const hcbr_i_dict *dict, const char *key, size_t length,
                              uint64_t hash) {
    const hcbr_i_text wanted = {key, length};
    return hcbr_i_hash_table_find(&dict->key_table, hash, is_key, dict, &wanted);
}

hcbr_i_key_id hcbr_i_dict_find_key(const hcbr_i_dict *dict, const char *key, size_t length) {
    hcbr_i_dict_count_lookups(1);
    uint32_t number = hcbr_i_dict_key_number(key, length);
    if (dict->plain)
        return number != HCBR_I_NONE ? hcbr_i_dict_find_number(dict, number) : HCBR_I_NONE;
    if (number < dict->limit)
        return dict->direct_keys[number] - 1;
    return key_find(dict, key, length, key_hash(dict, key, length));
}

bool hcbr_i_dict_key_enter(hcbr_i_dict *dict, hcbr_i_key_id id) {
    hcbr_i_text key = hcbr_i_dict_key(dict, id);
    uint32_t number = hcbr_i_dict_key_number(key.at, key.length);
    if (number < dict->limit) {
        bool fresh = !dict->direct_keys[number];
        dict->direct_keys[number] = id + 1;
        return fresh;
    }
    uint64_t hash = key_hash(dict, key.at, key.length);
    return key_find(dict, key.at, key.length, hash) == HCBR_I_NONE &&
           hcbr_i_hash_table_add(&dict->key_table, hash, id); // there is room
}

hcbr_status hcbr_i_dict_key_intern(hcbr_i_dict *dict, const char *key, size_t length,
                                   uint32_t spelled, hcbr_i_key_id *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (spelled < dict->limit) {
        uint32_t *known = &dict->direct_keys[spelled];
        if (*known)
            *out = *known - 1;
        else if ((st = hcbr_i_dict_append_key(dict, key, length, out, err)) == HCBR_OK)
            *known = *out + 1;
        return st;
    }
    uint64_t hash = key_hash(dict, key, length);
    if ((*out = key_find(dict, key, length, hash)) != HCBR_I_NONE)
        return HCBR_OK;
    if (!hcbr_i_hash_table_reserve(&dict->key_table, dict->key_table.count + 1))
        return hcbr_i_no_memory(err);
    if ((st = hcbr_i_dict_append_key(dict, key, length, out, err)) == HCBR_OK)
        (void)hcbr_i_hash_table_add(&dict->key_table, hash, *out); // there is room
    return st;
}

void hcbr_i_dict_keys_spread(hcbr_i_dict *dict, uint32_t limit) {
    for (size_t k = 0; dict->key_table.count > 0 && k < dict->key_count; k++) {
        hcbr_i_text key = hcbr_i_dict_key(dict, (hcbr_i_key_id)k);
        uint32_t number = hcbr_i_dict_key_number(key.at, key.length);
        if (number >= dict->limit && number < limit)
            dict->direct_keys[number] = (uint32_t)k + 1;
    }
}

uint32_t *hcbr_i_dict_keys_spelled(hcbr_i_dict *dict) {
    uint32_t *numbers = dict->loaded;
    dict->loaded = NULL;
    if (numbers && dict->plain && dict->loaded_count == dict->key_count)
        return numbers;
    hcbr_i_free(numbers);
    numbers = hcbr_i_alloc(dict->key_count, sizeof *numbers);
    for (size_t k = 0; numbers && dict->plain && k < dict->key_count; k++)
        numbers[k] = hcbr_i_dict_plain_number(dict, k);
    for (size_t k = 0; numbers && !dict->plain && k < dict->key_count; k++) {
        uint64_t at = dict->key_start[k], length = dict->key_start[k + 1] - at;
        const char *key = dict->keys + at;
        if (length - 1 <= 6 && dict->key_bytes - at >= 8) /* a whole word can be read */
            numbers[k] = hcbr_i_dict_word_number(hcbr_i_load64(key), (unsigned)length);
        else
            numbers[k] = hcbr_i_dict_key_number(key, (size_t)length);
    }
    return numbers;
}

hcbr_i_key_id hcbr_i_dict_keys_enter(hcbr_i_dict *dict, const uint32_t *spelled) {
    const uint32_t limit = dict->limit, count = dict->plain ? 0 : (uint32_t)dict->key_count;
    uint32_t *direct_keys = dict->direct_keys;
    for (uint32_t k = 0; k < count; k++) {
        if (k + BATCH < count && spelled[k + BATCH] < limit)
            __builtin_prefetch(&direct_keys[spelled[k + BATCH]], 1);
        if (HCBR_I_UNLIKELY(spelled[k] >= limit)) {
            if (!hcbr_i_dict_key_enter(dict, k))
                return k;
        } else {
            if (direct_keys[spelled[k]])
                return k;
            direct_keys[spelled[k]] = k + 1;
        }
    }
    return HCBR_I_NONE;
}

/* ---- names in an order of their own ---------------------------------------------------------- */

hcbr_status hcbr_i_dict_put_key(hcbr_i_dict *dict, const char *key, size_t length,
                                hcbr_error *err) {
    hcbr_i_key_id id;
    hcbr_status st = dict->plain ? hcbr_i_dict_unfold(dict, err) : HCBR_OK;
    return st == HCBR_OK ? hcbr_i_dict_append_key(dict, key, length, &id, err) : st;
}

hcbr_status hcbr_i_dict_put(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value, size_t length,
                            hcbr_error *err) {
    return hcbr_i_dict_append(dict, key, value, length, err);
}
