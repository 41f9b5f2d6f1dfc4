/*
 * Names of features and keys: their text, kept in one place each, in the order of their numbers.
 * dict_table.c finds them.
 *
 * A dictionary begins plain: as long as every feature is `n=1` for a short number n, only the
 * digits are kept, 8 bytes a feature. The first other name unfolds it. Invariant: both forms have
 * the same keys and values under the same numbers.
 */
#include "cases/dict.h"

#include <assert.h>

hcbr_status hcbr_i_dict_create(hcbr_i_dict **out, uint64_t hash_seed, hcbr_error *err) {
    *out = NULL;
    hcbr_i_dict *dict = hcbr_i_alloc_zero(1, sizeof *dict);
    if (!dict)
        return hcbr_i_no_memory(err);
    if (pthread_mutex_init(&dict->lock, NULL) != 0) {
        hcbr_i_free(dict);
        return hcbr_i_no_memory(err);
    }
    atomic_init(&dict->references, 1);
    dict->hash = hcbr_i_hash_key_make(hash_seed);
    if (!hcbr_i_grow(&dict->key_start, &dict->key_capacity, 64, sizeof(uint64_t))) {
        hcbr_i_dict_release(dict);
        return hcbr_i_no_memory(err);
    }
    dict->key_start[0] = 0;
    dict->plain = true;
    *out = dict;
    return HCBR_OK;
}

const hcbr_i_hash_key *hcbr_i_dict_hash_key(const hcbr_i_dict *dict) {
    return &dict->hash;
}

hcbr_i_dict *hcbr_i_dict_share(hcbr_i_dict *dict) {
    atomic_fetch_add(&dict->references, 1);
    return dict;
}

void hcbr_i_dict_release(hcbr_i_dict *dict) {
    if (!dict || atomic_fetch_sub(&dict->references, 1) != 1)
        return;
    hcbr_i_dict_drop_tables(dict);
    hcbr_i_free(dict->plains);
    hcbr_i_free(dict->loaded);
    hcbr_i_free(dict->features);
    hcbr_i_free(dict->values);
    hcbr_i_free(dict->key_start);
    hcbr_i_free(dict->keys);
    pthread_mutex_destroy(&dict->lock);
    hcbr_i_free(dict);
}

void hcbr_i_dict_truncate(hcbr_i_dict *dict, uint32_t features, uint32_t keys) {
    /* even if no feature is removed: marks hold the number of a case that was undone */
    hcbr_i_dict_drop_tables(dict);
    if (dict->plain) {
        for (size_t f = features; f < dict->feature_count; f++)
            dict->key_bytes -= dict->plains[f].length;
        dict->feature_count = dict->key_count = features;
        return;
    }
    if (features < dict->feature_count)
        dict->value_bytes = dict->features[features].value;
    dict->feature_count = features;
    dict->key_count = keys;
    dict->key_bytes = dict->key_start[keys];
}

uint32_t hcbr_i_dict_count(const hcbr_i_dict *dict) {
    return (uint32_t)dict->feature_count;
}

uint32_t hcbr_i_dict_key_count(const hcbr_i_dict *dict) {
    return (uint32_t)dict->key_count;
}

uint64_t hcbr_i_dict_bytes(const hcbr_i_dict *dict) {
    return (uint64_t)dict->key_bytes + dict->value_bytes +
           (uint64_t)HCBR_I_GRAM_BYTES * dict->feature_count;
}

size_t hcbr_i_dict_longest(const hcbr_i_dict *dict) {
    if (dict->plain)
        return sizeof dict->plains->text + 1;
    return dict->longest_key + dict->longest_value;
}

hcbr_i_text hcbr_i_dict_key(const hcbr_i_dict *dict, hcbr_i_key_id key) {
    if (dict->plain)
        return (hcbr_i_text){dict->plains[key].text, dict->plains[key].length};
    uint64_t at = dict->key_start[key];
    return (hcbr_i_text){dict->keys + at, (size_t)(dict->key_start[key + 1] - at)};
}

hcbr_i_text hcbr_i_dict_key_bytes(const hcbr_i_dict *dict) {
    return (hcbr_i_text){dict->plain ? NULL : dict->keys, dict->key_bytes};
}

hcbr_i_text hcbr_i_dict_value_bytes(const hcbr_i_dict *dict) {
    if (dict->plain)
        return (hcbr_i_text){NULL, dict->feature_count};
    return (hcbr_i_text){dict->values, dict->value_bytes};
}

/* The texts of plain keys, one after the other. */
static void spell_keys(const hcbr_i_dict *dict, char *to) {
    const char *end = to + dict->key_bytes;
    for (size_t k = 0; k < dict->key_count; k++) {
        size_t length = dict->plains[k].length;
        if (HCBR_I_LIKELY(end - to >= 8)) /* the excess is overwritten */
            memcpy(to, &dict->plains[k], 8);
        else
            memcpy(to, &dict->plains[k], length);
        to += length;
    }
}

hcbr_i_dict_feature hcbr_i_dict_get(const hcbr_i_dict *dict, hcbr_i_feature_id id) {
    return hcbr_i_dict_look(dict, id);
}

/* Copy a text to its place: values such as `1` are not worth a call. */
static inline void copy_text(char *to, const char *text, size_t length) {
    if (HCBR_I_LIKELY(length <= 4)) {
        for (size_t n = 0; n < length; n++)
            to[n] = text[n];
    } else
        memcpy(to, text, length);
}

static hcbr_status too_many(hcbr_error *err) {
    return hcbr_i_fail(err, HCBR_EDATA, "more than %u different features", HCBR_I_MOST_FEATURES);
}

hcbr_status hcbr_i_dict_room_plain(hcbr_i_dict *dict, size_t more, hcbr_error *err) {
    assert(dict->plain);
    if (more > HCBR_I_MOST_FEATURES - dict->feature_count)
        return too_many(err);
    return hcbr_i_grow(&dict->plains, &dict->plain_capacity, dict->feature_count + more,
                       sizeof *dict->plains)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_dict_append_plain(hcbr_i_dict *dict, uint32_t n, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_room_plain(dict, 1, err);
    if (st == HCBR_OK)
        hcbr_i_dict_put_plain(dict, n);
    return st;
}

hcbr_status hcbr_i_dict_unfold(hcbr_i_dict *dict, hcbr_error *err) {
    const size_t count = dict->feature_count;
    if (!hcbr_i_grow(&dict->key_start, &dict->key_capacity, count + 1, sizeof(uint64_t)) ||
        !hcbr_i_grow(&dict->keys, &dict->key_bytes_capacity, dict->key_bytes + 1, 1) ||
        !hcbr_i_grow(&dict->features, &dict->feature_capacity, count, sizeof *dict->features) ||
        !hcbr_i_grow(&dict->values, &dict->value_capacity, count + 1, 1))
        return hcbr_i_no_memory(err);
    spell_keys(dict, dict->keys);
    memset(dict->values, '1', count);
    for (size_t f = 0; f < count; f++) {
        dict->features[f] = (hcbr_i_dict_entry){(hcbr_i_key_id)f, 1, f};
        dict->key_start[f + 1] = dict->key_start[f] + dict->plains[f].length;
    }
    dict->value_bytes = count;
    dict->longest_key = count ? sizeof dict->plains->text : 0;
    dict->longest_value = count ? 1 : 0;
    hcbr_i_free(dict->plains);
    hcbr_i_free(dict->loaded);
    dict->loaded = NULL;
    dict->plains = NULL;
    dict->plain_capacity = 0;
    dict->plain = false;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_append(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value,
                               size_t value_length, hcbr_error *err) {
    assert(!dict->plain);
    if (dict->feature_count >= HCBR_I_MOST_FEATURES)
        return too_many(err);
    if (!hcbr_i_grow(&dict->features, &dict->feature_capacity, dict->feature_count + 1,
                     sizeof *dict->features) ||
        !hcbr_i_grow(&dict->values, &dict->value_capacity, dict->value_bytes + value_length + 1, 1))
        return hcbr_i_no_memory(err);
    hcbr_i_dict_entry *f = &dict->features[dict->feature_count++];
    *f = (hcbr_i_dict_entry){key, value ? (uint32_t)value_length : HCBR_I_NONE, dict->value_bytes};
    if (value) {
        copy_text(dict->values + dict->value_bytes, value, value_length);
        dict->value_bytes += value_length;
        dict->longest_value =
            value_length > dict->longest_value ? value_length : dict->longest_value;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_append_key(hcbr_i_dict *dict, const char *key, size_t length,
                                   hcbr_i_key_id *out, hcbr_error *err) {
    assert(!dict->plain);
    if (!hcbr_i_grow(&dict->key_start, &dict->key_capacity, dict->key_count + 2,
                     sizeof(uint64_t)) ||
        !hcbr_i_grow(&dict->keys, &dict->key_bytes_capacity, dict->key_bytes + length + 1, 1))
        return hcbr_i_no_memory(err);
    memcpy(dict->keys + dict->key_bytes, key, length);
    dict->longest_key = length > dict->longest_key ? length : dict->longest_key;
    dict->key_bytes += length;
    *out = (hcbr_i_key_id)dict->key_count++;
    dict->key_start[dict->key_count] = dict->key_bytes;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_load(hcbr_i_dict *dict, const hcbr_i_dict_names *names, hcbr_error *err) {
    assert(dict->feature_count == 0);
    dict->settled = true;
    dict->plain = false;
    if (!hcbr_i_grow(&dict->key_start, &dict->key_capacity, (size_t)names->key_count + 1,
                     sizeof(uint64_t)) ||
        !hcbr_i_grow(&dict->keys, &dict->key_bytes_capacity, names->key_text.length + 1, 1) ||
        !hcbr_i_grow(&dict->features, &dict->feature_capacity, names->feature_count,
                     sizeof *dict->features) ||
        !hcbr_i_grow(&dict->values, &dict->value_capacity, names->value_text.length + 1, 1))
        return hcbr_i_no_memory(err);
    memcpy(dict->keys, names->key_text.at, names->key_text.length);
    memcpy(dict->values, names->value_text.at, names->value_text.length);
    for (uint32_t k = 0; k < names->key_count; k++) {
        size_t length = names->key_lengths[k];
        dict->key_start[k + 1] = dict->key_start[k] + length;
        dict->longest_key = length > dict->longest_key ? length : dict->longest_key;
    }
    uint64_t at = 0;
    for (uint32_t f = 0; f < names->feature_count; f++) {
        size_t length = names->value_lengths[f];
        dict->features[f] = (hcbr_i_dict_entry){names->keys[f], names->value_lengths[f], at};
        if (length == HCBR_I_NONE)
            continue;
        at += length;
        dict->longest_value = length > dict->longest_value ? length : dict->longest_value;
    }
    dict->key_count = names->key_count;
    dict->key_bytes = names->key_text.length;
    dict->feature_count = names->feature_count;
    dict->value_bytes = names->value_text.length;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_load_numbers(hcbr_i_dict *dict, const unsigned char *numbers,
                                     uint32_t count, hcbr_error *err) {
    assert(dict->plain && !dict->plains);
    if (!(dict->plains = hcbr_i_alloc(count, sizeof *dict->plains))) // in large pages
        return hcbr_i_no_memory(err);
    dict->plain_capacity = count;
    dict->settled = true;
    if (!(dict->loaded = hcbr_i_alloc(count, sizeof *dict->loaded)))
        return hcbr_i_no_memory(err);
    dict->loaded_count = count;
    hcbr_i_dict_plain *plains = dict->plains;
    uint32_t *loaded = dict->loaded;
    uint64_t bytes = 0;
    for (uint32_t f = 0; f < count; f++, numbers += 4) {
        uint32_t n = (uint32_t)numbers[0] | (uint32_t)numbers[1] << 8 | (uint32_t)numbers[2] << 16 |
                     (uint32_t)numbers[3] << 24;
        bytes += hcbr_i_dict_write_plain(&plains[f], n);
        loaded[f] = n;
    }
    dict->feature_count = dict->key_count = count;
    dict->key_bytes = bytes;
    return HCBR_OK;
}

bool hcbr_i_dict_has_numbers(const hcbr_i_dict *dict) {
    for (size_t f = 0; !dict->plain && f < dict->feature_count; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, (hcbr_i_feature_id)f);
        if (x.value_length != 1 || *x.value != '1' ||
            hcbr_i_dict_get_number(dict, (hcbr_i_feature_id)f) == HCBR_I_NONE)
            return false;
    }
    return dict->feature_count > 0;
}

uint32_t hcbr_i_dict_get_number(const hcbr_i_dict *dict, hcbr_i_feature_id id) {
    if (dict->plain)
        return hcbr_i_dict_plain_number(dict, id);
    hcbr_i_text key = hcbr_i_dict_key(dict, dict->features[id].key);
    return hcbr_i_dict_key_number(key.at, key.length);
}
