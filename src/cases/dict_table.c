/*
 * Lookup of features and keys: two open-addressing tables by hash, and two arrays by number.
 *
 * A slot holds the whole of a short name, so most lookups touch one cache line and no text. For a
 * long name it holds a keyed 120-bit hash, and the text is compared if that matches. The feature
 * `n=1` for a number n, as nearly every token of a LIBSVM file, is in an array at index n instead,
 * as long as n is below a limit that grows with the number of features (so memory follows the data,
 * never the value of a number). Invariant: a name whose number is below the limit is looked up in
 * the array only.
 *
 * Keys of plain names (dict.c) have no tables: the key of `n=1` is found as the feature is.
 *
 * Numbers of features follow first appearance, never the tables. dict_block.c looks up and adds the
 * names of a block.
 */
#include "cases/dict_slots.h"

#define FIRST_LIMIT 4096u
#define LAST_LIMIT (1u << 24) /* above every number of 7 digits */
#define FIRST_SLOTS 1024u
#define FEW_SLOTS (1u << 16) /* smaller tables grow faster: names are entered again less often */
#define MOVED (1u << 18)     /* slots moved between two progress calls */

#ifdef HCBR_FAULTS
_Atomic(uint64_t) hcbr_i_dict_lookups = 0;
#endif

/* A table is at most six tenths full. */
static bool too_full(uint64_t count, uint64_t mask) {
    return count * 10 >= (mask + 1) * 6;
}

static uint64_t table_size(uint64_t count) {
    uint64_t size = FIRST_SLOTS;
    while (too_full(count, size - 1))
        size *= 2;
    return size;
}

/* The limit that `count` features justify for a number, or the present one. */
static uint32_t limit_for(uint32_t limit, uint32_t number, uint64_t count) {
    uint64_t most = 12 * count + 16 * FIRST_LIMIT;
    if (number >= most || number >= LAST_LIMIT)
        return limit;
    while (limit <= number)
        limit *= 2;
    return limit;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Key and value of a feature. */
static hcbr_i_long_name feature_text(const hcbr_i_dict *dict, hcbr_i_feature_id feature) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, feature);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    return (hcbr_i_long_name){key.at, f.value, (uint32_t)key.length, f.value_length};
}

bool hcbr_i_dict_same(const hcbr_i_dict *dict, hcbr_i_feature_id feature,
                      const hcbr_i_long_name *name) {
    hcbr_i_long_name have = feature_text(dict, feature);
    return have.key_length == name->key_length && !have.value == !name->value &&
           have.value_length == name->value_length &&
           memcmp(have.key, name->key, have.key_length) == 0 &&
           (!have.value || memcmp(have.value, name->value, have.value_length) == 0);
}

/* ---- features -------------------------------------------------------------------------------- */

static uint64_t slot_hash(const void *owner, const void *at) {
    const hcbr_i_dict_slot *s = at;
    return hcbr_i_hash_name(&((const hcbr_i_dict *)owner)->hash, s->name);
}

hcbr_status hcbr_i_dict_slots_need(hcbr_i_dict *dict, hcbr_error *err) {
    if (HCBR_I_LIKELY(!too_full(dict->slots_used, dict->slot_mask)))
        return HCBR_OK;
    const uint64_t mask = dict->slot_mask, larger = (mask + 1) * (mask < FEW_SLOTS ? 4 : 2);
    hcbr_i_dict_slot *slots = hcbr_i_alloc(larger, sizeof *slots);
    hcbr_status st = slots ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint64_t i = 0; st == HCBR_OK && i < larger; i += MOVED) {
        memset(slots + i, 0, (larger - i < MOVED ? larger - i : MOVED) * sizeof *slots);
        if (dict->ask && larger > MOVED)
            st = dict->ask(dict->ask_context, err);
    }
    for (uint64_t i = 0; st == HCBR_OK && dict->has_gone && i <= mask; i++)
        if (hcbr_i_dict_number(dict->slots[i].name, false) < dict->limit)
            dict->slots[i].feature = 0;
    dict->has_gone = false;
    uint64_t used = 0;
    for (uint64_t i = 0; dict->slots && st == HCBR_OK && i <= mask; i += MOVED) {
        const uint64_t part = mask + 1 - i < MOVED ? mask + 1 - i : MOVED;
        if (i > 0 && dict->ask)
            st = dict->ask(dict->ask_context, err);
        if (st == HCBR_OK)
            used += hcbr_i_hash_slots_move(slots, larger - 1, dict->slots + i, part, sizeof *slots,
                                           hcbr_i_dict_slot_is_free, slot_hash, dict);
    }
    if (st != HCBR_OK) {
        hcbr_i_free(slots);
        return st;
    }
    dict->slots_used = used;
    hcbr_i_free(dict->slots);
    dict->slots = slots;
    dict->slot_mask = larger - 1;
    return HCBR_OK;
}

bool hcbr_i_dict_enter(hcbr_i_dict *dict, hcbr_i_feature_id id, hcbr_i_name name,
                       const hcbr_i_long_name *text, uint32_t serial) {
    uint32_t number = hcbr_i_dict_number(name, false);
    if (number < dict->limit) {
        bool fresh = !dict->direct[number];
        dict->direct[number] = id + 1;
        return fresh;
    }
    hcbr_i_dict_slot *s = hcbr_i_dict_slot_find(dict, hcbr_i_dict_slots_of(dict), name,
                                                hcbr_i_hash_name(&dict->hash, name), text);
    if (s->feature)
        return false;
    *s = (hcbr_i_dict_slot){name, id + 1, serial};
    dict->slots_used++;
    return true;
}

/* Zeros after the first `old` elements of an array by number. */
static bool direct_grow(uint32_t **array, size_t old, size_t limit) {
    uint32_t *larger = hcbr_i_regrow(*array, old, limit, sizeof *larger);
    if (!larger)
        return false;
    memset(larger + old, 0, (limit - old) * sizeof *larger);
    *array = larger;
    return true;
}

/* Copy the features below the limit that the slots hold, and the marks with them. */
static bool slots_spread(hcbr_i_dict *dict, uint32_t limit) {
    for (uint64_t i = 0; dict->slots && dict->slots_used > 0 && i <= dict->slot_mask; i++) {
        const hcbr_i_dict_slot *s = &dict->slots[i];
        uint32_t number = hcbr_i_dict_number(s->name, false);
        if (!s->feature || number < dict->limit || number >= limit) /* or it was copied before */
            continue;
        if (s->feature > dict->mark_count && !hcbr_i_dict_need_marks(dict))
            return false;
        dict->has_gone = true;
        dict->direct[number] = s->feature;
        dict->marks[s->feature - 1] = s->serial;
    }
    return true;
}

/* Make the arrays longer. The tables' entries in the new range are copied, and not used again. */
static hcbr_status limit_raise(hcbr_i_dict *dict, uint32_t limit, hcbr_error *err) {
    if (!direct_grow(&dict->direct, dict->limit, limit) ||
        (!dict->plain && !direct_grow(&dict->direct_keys, dict->limit, limit)) ||
        !slots_spread(dict, limit))
        return hcbr_i_no_memory(err);
    if (!dict->plain)
        hcbr_i_dict_keys_spread(dict, limit);
    dict->limit = limit;
    return HCBR_OK;
}

bool hcbr_i_dict_is_raised(const hcbr_i_dict *dict, uint32_t number) {
    return number != HCBR_I_NONE && number >= dict->limit &&
           limit_for(dict->limit, number, dict->feature_count) != dict->limit;
}

hcbr_status hcbr_i_dict_raise(hcbr_i_dict *dict, uint32_t number, hcbr_error *err) {
    return limit_raise(dict, limit_for(dict->limit, number, dict->feature_count), err);
}

hcbr_status hcbr_i_dict_unfold_tables(hcbr_i_dict *dict, hcbr_error *err) {
    uint64_t far = 0;
    assert(dict->direct);
    for (size_t f = 0; f < dict->feature_count; f++)
        far += hcbr_i_dict_plain_number(dict, f) >= dict->limit;
    uint32_t *direct_keys = hcbr_i_alloc(dict->limit, sizeof *direct_keys);
    hcbr_i_hash_table table = {0};
    hcbr_status st =
        direct_keys && hcbr_i_hash_table_reserve(&table, far) ? HCBR_OK : hcbr_i_no_memory(err);
    if (st != HCBR_OK || (st = hcbr_i_dict_unfold(dict, err)) != HCBR_OK) {
        hcbr_i_free(direct_keys);
        hcbr_i_hash_table_clear(&table);
        return st;
    }
    memcpy(direct_keys, dict->direct, dict->limit * sizeof *direct_keys);
    dict->direct_keys = direct_keys;
    dict->key_table = table;
    for (size_t k = 0; far > 0 && k < dict->key_count; k++)
        (void)hcbr_i_dict_key_enter(dict, (hcbr_i_key_id)k);
    return HCBR_OK;
}

bool hcbr_i_dict_is(const hcbr_i_dict *dict, hcbr_i_feature_id id, const hcbr_feature *x) {
    hcbr_i_long_name name = {x->key, x->value, (uint32_t)x->key_length, (uint32_t)x->value_length};
    return hcbr_i_dict_same(dict, id, &name);
}

uint32_t hcbr_i_dict_limit(const hcbr_i_dict *dict) {
    return dict->limit;
}

bool hcbr_i_dict_is_numeric(const hcbr_i_dict *dict) {
    return dict->slots_used == 0;
}

const uint32_t *hcbr_i_dict_get_numbers(const hcbr_i_dict *dict) {
    return dict->direct;
}

hcbr_i_feature_id hcbr_i_dict_find_number(const hcbr_i_dict *dict, uint32_t n) {
    if (n < dict->limit)
        return dict->direct[n] - 1;
    if (dict->slots_used == 0)
        return HCBR_I_NONE;
    hcbr_i_name name = hcbr_i_name_of_number(n);
    uint64_t hash = hcbr_i_hash_name(&dict->hash, name);
    return hcbr_i_dict_slot_find(dict, hcbr_i_dict_slots_of(dict), name, hash, NULL)->feature - 1;
}

hcbr_i_feature_id hcbr_i_dict_find(const hcbr_i_dict *dict, const char *key, size_t key_length,
                                   const char *value, size_t value_length) {
    hcbr_i_dict_count_lookups(1);
    hcbr_i_long_name text = {key, value, (uint32_t)key_length, (uint32_t)value_length};
    hcbr_i_name name = hcbr_i_dict_name(dict, key, key_length, value, value_length);
    uint32_t number = hcbr_i_dict_number(name, false);
    if (number < dict->limit)
        return dict->direct[number] - 1;
    const hcbr_i_dict_slot *s = hcbr_i_dict_slot_find(dict, hcbr_i_dict_slots_of(dict), name,
                                                      hcbr_i_hash_name(&dict->hash, name),
                                                      hcbr_i_name_is_long(name) ? &text : NULL);
    if (!s->feature && hcbr_i_dict_may_respell(dict)) {
        char room[HCBR_I_LONGEST_SPELLING + HCBR_NUMBER_SIZE];
        hcbr_feature x = {key, key_length, value, value_length}, other;
        if (hcbr_i_dict_respell(dict, &x, room, &other))
            return hcbr_i_dict_find(dict, other.key, other.key_length, other.value,
                                    other.value_length);
    }
    return s->feature - 1;
}

hcbr_status hcbr_i_dict_add_key(hcbr_i_dict *dict, const char *key, size_t length,
                                hcbr_i_key_id *out, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    if (st == HCBR_OK && dict->plain)
        st = hcbr_i_dict_unfold_tables(dict, err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_key_intern(dict, key, length, hcbr_i_dict_key_number(key, length), out,
                                    err);
    return st;
}

/* ---- tables from names ----------------------------------------------------------------------- */

void hcbr_i_dict_drop_tables(hcbr_i_dict *dict) {
    hcbr_i_free(dict->slots);
    hcbr_i_hash_table_clear(&dict->key_table);
    hcbr_i_free(dict->direct);
    hcbr_i_free(dict->direct_keys);
    hcbr_i_free(dict->new_names);
    hcbr_i_free(dict->marks);
    hcbr_i_free(dict->number_keys);
    dict->number_keys = NULL;
    dict->slots = NULL;
    dict->direct = NULL;
    dict->direct_keys = NULL;
    dict->new_names = NULL;
    dict->marks = NULL;
    dict->mark_count = dict->mark_capacity = 0;
    dict->limit = 0;
    dict->slots_used = 0;
    dict->has_gone = false;
    dict->new_capacity = 0;
}

/* Empty tables with room for all names. */
static hcbr_status tables_create(hcbr_i_dict *dict, const uint32_t *spelled, hcbr_error *err) {
    uint32_t limit = FIRST_LIMIT;
    uint64_t features = 0, keys = 0;
    for (size_t k = 0; k < dict->key_count; k++)
        if (spelled[k] >= limit && spelled[k] != HCBR_I_NONE)
            limit = limit_for(limit, spelled[k], dict->feature_count);
    for (size_t k = 0; k < dict->key_count; k++)
        keys += spelled[k] >= limit;
    /* about this many features are in the array: one for each key that is */
    if (dict->feature_count > dict->key_count - keys)
        features = dict->feature_count - (dict->key_count - keys);
    hcbr_status st = limit_raise(dict, limit, err);
    if (st != HCBR_OK)
        return st;
    dict->slot_mask = table_size(features) - 1;
    dict->slots = hcbr_i_alloc_zero(dict->slot_mask + 1, sizeof *dict->slots);
    return dict->slots && (dict->plain || hcbr_i_hash_table_reserve(&dict->key_table, keys))
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/* The number n of a feature if it is `n=1` and is in the array, else HCBR_I_NONE. */
static inline uint32_t number_of_feature(const hcbr_i_dict *dict, const uint32_t *spelled,
                                         size_t feature) {
    if (dict->plain)
        return spelled[feature] < dict->limit ? spelled[feature] : HCBR_I_NONE;
    const hcbr_i_dict_entry *f = &dict->features[feature];
    uint32_t number = spelled[f->key];
    bool one = f->value_length == 1 && dict->values[f->value] == '1';
    return one && number < dict->limit ? number : HCBR_I_NONE;
}

/* Enter the features that are in the array; *others receives the number of those that are not.
 * Returns as hcbr_i_dict_keys_enter(). */
static hcbr_i_feature_id numbers_enter(hcbr_i_dict *dict, const uint32_t *spelled, size_t *others) {
    const uint32_t count = (uint32_t)dict->feature_count;
    uint32_t *features = dict->direct;
    *others = 0;
    for (uint32_t f = 0; f < count; f++) {
        if (f + HCBR_I_DICT_BATCH < count) {
            uint32_t ahead = spelled[dict->plain ? f + HCBR_I_DICT_BATCH
                                                 : dict->features[f + HCBR_I_DICT_BATCH].key];
            __builtin_prefetch(&features[ahead < dict->limit ? ahead : 0], 1);
        }
        uint32_t number = number_of_feature(dict, spelled, f);
        if (HCBR_I_UNLIKELY(number == HCBR_I_NONE)) {
            ++*others;
            continue;
        }
        if (features[number])
            return f;
        features[number] = f + 1;
    }
    return HCBR_I_NONE;
}

/* Enter the features that are not in the array; *twice is as hcbr_i_dict_keys_enter() returns. */
static hcbr_status features_enter(hcbr_i_dict *dict, const uint32_t *spelled,
                                  hcbr_i_feature_id *twice, hcbr_error *err) {
    hcbr_i_name names[HCBR_I_DICT_BATCH];
    hcbr_i_feature_id ids[HCBR_I_DICT_BATCH];
    const hcbr_i_dict_slots t = hcbr_i_dict_slots_of(dict);
    *twice = HCBR_I_NONE;
    for (size_t f = 0; f < dict->feature_count;) {
        size_t count = 0;
        for (; count < HCBR_I_DICT_BATCH && f < dict->feature_count; f++) {
            if (number_of_feature(dict, spelled, f) != HCBR_I_NONE)
                continue;
            hcbr_i_long_name x = feature_text(dict, ids[count] = (hcbr_i_feature_id)f);
            hcbr_i_name name = hcbr_i_dict_name(dict, x.key, x.key_length, x.value, x.value_length);
            __builtin_prefetch(&t.slots[hcbr_i_hash_name(&dict->hash, name) & t.mask], 1);
            names[count++] = name;
        }
        for (size_t n = 0; n < count; n++) {
            hcbr_i_long_name x = feature_text(dict, ids[n]);
            hcbr_status st = hcbr_i_dict_slots_need(dict, err);
            if (st != HCBR_OK)
                return st;
            if (!hcbr_i_dict_enter(dict, ids[n], names[n],
                                   hcbr_i_name_is_long(names[n]) ? &x : NULL, HCBR_I_NONE)) {
                *twice = ids[n];
                return HCBR_OK;
            }
        }
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_build(hcbr_i_dict *dict, hcbr_i_key_id *key_twice,
                              hcbr_i_feature_id *feature_twice, hcbr_error *err) {
    hcbr_i_dict_drop_tables(dict);
    *key_twice = *feature_twice = HCBR_I_NONE;
    uint32_t *spelled = hcbr_i_dict_keys_spelled(dict);
    if (!spelled)
        return hcbr_i_no_memory(err);
    hcbr_status st = tables_create(dict, spelled, err);
    size_t others = 0;
    if (st == HCBR_OK)
        *key_twice = hcbr_i_dict_keys_enter(dict, spelled);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE)
        *feature_twice = numbers_enter(dict, spelled, &others);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE && *feature_twice == HCBR_I_NONE && others > 0)
        st = features_enter(dict, spelled, feature_twice, err);
    hcbr_i_free(spelled);
    if (st == HCBR_OK && dict->settled && *key_twice == HCBR_I_NONE && !hcbr_i_dict_know_keys(dict))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE && *feature_twice == HCBR_I_NONE)
        return HCBR_OK;
    hcbr_i_dict_drop_tables(dict);
    return st != HCBR_OK ? st : hcbr_i_fail(err, HCBR_EFORMAT, "a name stands there twice");
}

hcbr_status hcbr_i_dict_need_tables(hcbr_i_dict *dict, hcbr_error *err) {
    hcbr_i_key_id key;
    hcbr_i_feature_id feature;
    pthread_mutex_lock(&dict->lock);
    hcbr_status st = dict->slots ? HCBR_OK : hcbr_i_dict_build(dict, &key, &feature, err);
    pthread_mutex_unlock(&dict->lock);
    return st;
}
