/*
 * Finding keys: a table by hash, and an array by number for those that are short numbers.
 *
 * Plain names (dict.c) need neither: the key of `n=1` is found as the feature is.
 */
#include "cases/dict.h"

typedef hcbr_i_key_slot key_slot;

#define BATCH 32u /* keys between a prefetch and its use */

static uint64_t key_hash(const hcbr_i_dict *dict, const char *key, size_t length) {
    return hcbr_i_hash_name(&dict->hash, hcbr_i_dict_name(dict, key, length, NULL, 0));
}

static key_slot *key_find(const hcbr_i_dict *dict, const char *key, size_t length, uint64_t hash) {
    uint32_t tag = (uint32_t)(hash >> 32);
    for (uint64_t i = hash & dict->key_mask;; i = (i + 1) & dict->key_mask) {
        key_slot *s = &dict->key_slots[i];
        if (s->key == 0)
            return s;
        if (s->tag == tag) {
            hcbr_i_text have = hcbr_i_dict_key(dict, s->key - 1);
            if (have.length == length && memcmp(have.at, key, length) == 0)
                return s;
        }
    }
}

hcbr_i_key_id hcbr_i_dict_find_key(const hcbr_i_dict *dict, const char *key, size_t length) {
    hcbr_i_dict_count_lookups(1);
    uint32_t number = hcbr_i_dict_key_number(key, length);
    if (dict->plain)
        return number != HCBR_I_NONE ? hcbr_i_dict_find_number(dict, number) : HCBR_I_NONE;
    if (number < dict->limit)
        return dict->direct_keys[number] - 1;
    return key_find(dict, key, length, key_hash(dict, key, length))->key - 1;
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
    key_slot *s = key_find(dict, key.at, key.length, hash);
    if (s->key)
        return false;
    *s = (key_slot){(uint32_t)(hash >> 32), id + 1};
    dict->key_slots_used++;
    return true;
}

static hcbr_status keys_resize(hcbr_i_dict *dict, uint64_t size, hcbr_error *err) {
    key_slot *slots = hcbr_i_alloc_zero(size, sizeof *slots), *old = dict->key_slots;
    uint64_t old_size = dict->key_mask + 1;
    if (!slots)
        return hcbr_i_no_memory(err);
    dict->key_slots = slots;
    dict->key_mask = size - 1;
    dict->key_slots_used = 0;
    for (uint64_t i = 0; i < old_size; i++)
        if (old[i].key)
            (void)hcbr_i_dict_key_enter(dict,
                                        old[i].key - 1); /* or leave it to the array, where it is */
    hcbr_i_free(old);
    return HCBR_OK;
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
    if (hcbr_i_dict_too_full(dict->key_slots_used, dict->key_mask))
        st = keys_resize(dict, hcbr_i_dict_larger(dict->key_mask), err);
    if (st != HCBR_OK)
        return st;
    uint64_t hash = key_hash(dict, key, length);
    key_slot *s = key_find(dict, key, length, hash);
    if (s->key)
        *out = s->key - 1;
    else if ((st = hcbr_i_dict_append_key(dict, key, length, out, err)) == HCBR_OK) {
        *s = (key_slot){(uint32_t)(hash >> 32), *out + 1};
        dict->key_slots_used++;
    }
    return st;
}

void hcbr_i_dict_keys_spread(hcbr_i_dict *dict, uint32_t limit) {
    for (uint64_t i = 0; dict->key_slots && i <= dict->key_mask; i++)
        if (dict->key_slots[i].key) {
            hcbr_i_text key = hcbr_i_dict_key(dict, dict->key_slots[i].key - 1);
            uint32_t number = hcbr_i_dict_key_number(key.at, key.length);
            if (number < limit)
                dict->direct_keys[number] = dict->key_slots[i].key;
        }
}

uint32_t *hcbr_i_dict_keys_spelled(const hcbr_i_dict *dict) {
    uint32_t *numbers = hcbr_i_alloc(dict->key_count, sizeof *numbers);
    for (size_t k = 0; numbers && dict->plain && k < dict->key_count; k++)
        numbers[k] = hcbr_i_dict_plain_number(dict, k);
    for (size_t k = 0; numbers && !dict->plain && k < dict->key_count; k++) {
        uint64_t at = dict->key_start[k], length = dict->key_start[k + 1] - at;
        const char *key = dict->keys + at;
        if (length - 1 <= 6 && dict->key_bytes - at >= 8) /* a whole word is there */
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
