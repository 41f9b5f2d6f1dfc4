/*
 * Names of features and their numbers: two open-addressing tables over names kept in one place.
 *
 * A slot holds the whole of a short name, so most look-ups touch one cache line and no text; of a
 * long name it holds a keyed 120-bit hash, and the text is compared whenever that matches.
 * Names are looked up in batches, all slots of a batch fetched before the first is looked at,
 * because tables of many features do not fit into the caches. Numbers follow first appearance,
 * never the tables.
 */
#include "encode/encode.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct slot {
    hcbr_i_name name;
    uint32_t feature; /* number + 1; 0: free */
    uint32_t serial;  /* last case that had it */
    uint64_t unused;  /* two slots to a cache line, none across two */
} slot;

typedef struct feature {
    hcbr_i_key_id key;
    uint32_t value_length; /* HCBR_I_NONE: a bare key */
    uint64_t value;        /* where it starts in values */
} feature;

typedef struct key_slot {
    uint32_t tag; /* upper half of the hash */
    uint32_t key; /* number + 1; 0: free */
} key_slot;

struct hcbr_i_dict {
    atomic_uint references;
    pthread_mutex_t lock; /* guards making the tables */
    hcbr_i_hash_key hash;

    slot *slots;
    uint64_t slot_mask; /* size - 1, a power of two */
    feature *features;
    size_t feature_count, feature_capacity;
    char *values;
    size_t value_bytes, value_capacity;

    key_slot *key_slots;
    uint64_t key_mask;
    uint64_t *key_start; /* key_count + 1 of them */
    size_t key_count, key_capacity;
    char *keys;
    size_t key_bytes, key_bytes_capacity;
    size_t longest_key, longest_value; /* at least */

    uint32_t *new_names; /* of the block at hand: names that became features, in that order */
    size_t new_capacity;
};

#define FIRST_SLOTS 1024u
#define BATCH 32u /* names whose slots are fetched together before they are looked at */

/* A table is at most six tenths full. */
static bool too_full(uint64_t count, uint64_t mask) {
    return count * 10 >= (mask + 1) * 6;
}

/* The next size of a table: small ones grow faster, so that few names are entered again often. */
static uint64_t larger(uint64_t mask) {
    return (mask + 1) * (mask < 1u << 16 ? 4 : 2);
}

/* ---- life ------------------------------------------------------------------------------------ */

static hcbr_status tables_create(hcbr_i_dict *dict, uint64_t slots, uint64_t key_slots,
                                 hcbr_error *err) {
    dict->slots = hcbr_i_alloc_zero(slots, sizeof *dict->slots);
    dict->key_slots = hcbr_i_alloc_zero(key_slots, sizeof *dict->key_slots);
    if (!dict->slots || !dict->key_slots) {
        hcbr_i_dict_drop_tables(dict);
        return hcbr_i_no_memory(err);
    }
    dict->slot_mask = slots - 1;
    dict->key_mask = key_slots - 1;
    return HCBR_OK;
}

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
    hcbr_status st = tables_create(dict, FIRST_SLOTS, FIRST_SLOTS, err);
    if (st == HCBR_OK && !hcbr_i_grow(&dict->key_start, &dict->key_capacity, 64, sizeof(uint64_t)))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_i_dict_release(dict);
        return st;
    }
    dict->key_start[0] = 0;
    *out = dict;
    return HCBR_OK;
}

hcbr_i_dict *hcbr_i_dict_share(hcbr_i_dict *dict) {
    atomic_fetch_add(&dict->references, 1);
    return dict;
}

void hcbr_i_dict_release(hcbr_i_dict *dict) {
    if (!dict || atomic_fetch_sub(&dict->references, 1) != 1)
        return;
    hcbr_i_dict_drop_tables(dict);
    hcbr_i_free(dict->features);
    hcbr_i_free(dict->values);
    hcbr_i_free(dict->key_start);
    hcbr_i_free(dict->keys);
    hcbr_i_free(dict->new_names);
    pthread_mutex_destroy(&dict->lock);
    hcbr_i_free(dict);
}

void hcbr_i_dict_drop_tables(hcbr_i_dict *dict) {
    hcbr_i_free(dict->slots);
    hcbr_i_free(dict->key_slots);
    dict->slots = NULL;
    dict->key_slots = NULL;
}

void hcbr_i_dict_truncate(hcbr_i_dict *dict, uint32_t features, uint32_t keys) {
    /* even if nothing is to be forgotten: known features are marked with a case that is no more */
    hcbr_i_dict_drop_tables(dict);
    if (features < dict->feature_count)
        dict->value_bytes = dict->features[features].value;
    dict->feature_count = features;
    dict->key_count = keys;
    dict->key_bytes = dict->key_start[keys];
}

/* Copy a text to its place: values such as `1` are not worth a call. */
static inline void copy_text(char *to, const char *text, size_t length) {
    if (HCBR_I_LIKELY(length <= 4)) {
        for (size_t n = 0; n < length; n++)
            to[n] = text[n];
    } else
        memcpy(to, text, length);
}

/* ---- names ----------------------------------------------------------------------------------- */

uint32_t hcbr_i_dict_count(const hcbr_i_dict *dict) {
    return (uint32_t)dict->feature_count;
}

uint32_t hcbr_i_dict_key_count(const hcbr_i_dict *dict) {
    return (uint32_t)dict->key_count;
}

size_t hcbr_i_dict_longest(const hcbr_i_dict *dict) {
    return dict->longest_key + dict->longest_value;
}

hcbr_i_text hcbr_i_dict_key(const hcbr_i_dict *dict, hcbr_i_key_id key) {
    uint64_t at = dict->key_start[key];
    return (hcbr_i_text){dict->keys + at, (size_t)(dict->key_start[key + 1] - at)};
}

hcbr_i_text hcbr_i_dict_key_bytes(const hcbr_i_dict *dict) {
    return (hcbr_i_text){dict->keys, dict->key_bytes};
}

hcbr_i_text hcbr_i_dict_value_bytes(const hcbr_i_dict *dict) {
    return (hcbr_i_text){dict->values, dict->value_bytes};
}

hcbr_i_dict_feature hcbr_i_dict_get(const hcbr_i_dict *dict, hcbr_i_feature_id id) {
    const feature *f = &dict->features[id];
    if (f->value_length == HCBR_I_NONE)
        return (hcbr_i_dict_feature){f->key, 0, NULL};
    return (hcbr_i_dict_feature){f->key, f->value_length, dict->values + f->value};
}

/* The name of key and value as a slot holds it. */
static hcbr_i_name name_of(const hcbr_i_dict *dict, const char *key, size_t key_length,
                           const char *value, size_t value_length) {
    if (key_length + value_length <= HCBR_I_SHORT)
        return hcbr_i_name_pack(key, key_length, value, value_length);
    return hcbr_i_hash_text(&dict->hash, key, key_length, value, value_length);
}

static __attribute__((noinline)) bool same_text(const hcbr_i_dict *dict, hcbr_i_feature_id id,
                                                const hcbr_i_long_name *name) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, id);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    return key.length == name->key_length && !f.value == !name->value &&
           f.value_length == name->value_length && memcmp(key.at, name->key, key.length) == 0 &&
           (!f.value || memcmp(f.value, name->value, f.value_length) == 0);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t key_hash(const hcbr_i_dict *dict, const char *key, size_t length) {
    return hcbr_i_hash_name(&dict->hash, name_of(dict, key, length, NULL, 0));
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
    const key_slot *s = key_find(dict, key, length, key_hash(dict, key, length));
    return s->key ? s->key - 1 : HCBR_I_NONE;
}

/* Enter key number `id`, whose text is already stored, into the table. */
static void key_enter(hcbr_i_dict *dict, hcbr_i_key_id id) {
    hcbr_i_text key = hcbr_i_dict_key(dict, id);
    uint64_t hash = key_hash(dict, key.at, key.length);
    uint64_t i = hash & dict->key_mask;
    while (dict->key_slots[i].key)
        i = (i + 1) & dict->key_mask;
    dict->key_slots[i] = (key_slot){(uint32_t)(hash >> 32), id + 1};
}

static hcbr_status keys_resize(hcbr_i_dict *dict, uint64_t size, hcbr_error *err) {
    key_slot *slots = hcbr_i_alloc_zero(size, sizeof *slots);
    if (!slots)
        return hcbr_i_no_memory(err);
    hcbr_i_free(dict->key_slots);
    dict->key_slots = slots;
    dict->key_mask = size - 1;
    for (size_t k = 0; k < dict->key_count; k++)
        key_enter(dict, (hcbr_i_key_id)k);
    return HCBR_OK;
}

/* Store the text of one more key. */
static hcbr_status key_append(hcbr_i_dict *dict, const char *key, size_t length, hcbr_i_key_id *out,
                              hcbr_error *err) {
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

/* The number of a key, added if it is new. */
static hcbr_status key_intern(hcbr_i_dict *dict, const char *key, size_t length, uint64_t hash,
                              hcbr_i_key_id *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (too_full(dict->key_count, dict->key_mask))
        st = keys_resize(dict, larger(dict->key_mask), err);
    if (st != HCBR_OK)
        return st;
    key_slot *s = key_find(dict, key, length, hash);
    if (s->key)
        *out = s->key - 1;
    else if ((st = key_append(dict, key, length, out, err)) == HCBR_OK)
        *s = (key_slot){(uint32_t)(hash >> 32), *out + 1};
    return st;
}

/* ---- features -------------------------------------------------------------------------------- */

static hcbr_status slots_resize(hcbr_i_dict *dict, uint64_t size, hcbr_error *err) {
    slot *slots = hcbr_i_alloc_zero(size, sizeof *slots);
    if (!slots)
        return hcbr_i_no_memory(err);
    uint64_t old = dict->slot_mask + 1;
    for (uint64_t i = 0; i < old; i++) {
        if (!dict->slots[i].feature)
            continue;
        uint64_t at = hcbr_i_hash_name(&dict->hash, dict->slots[i].name) & (size - 1);
        while (slots[at].feature)
            at = (at + 1) & (size - 1);
        slots[at] = dict->slots[i];
    }
    hcbr_i_free(dict->slots);
    dict->slots = slots;
    dict->slot_mask = size - 1;
    return HCBR_OK;
}

/*
 * The loops over names hold the table in registers: through the dictionary it would be loaded anew
 * after every store.
 */
typedef struct table {
    slot *slots;
    uint64_t mask;
} table;

static inline table table_of(const hcbr_i_dict *dict) {
    return (table){dict->slots, dict->slot_mask};
}

/* Where a name is, or the free slot where it belongs. text is needed for long names only. */
static inline slot *slot_find(const hcbr_i_dict *dict, table t, hcbr_i_name name, uint64_t hash,
                              const hcbr_i_long_name *text) {
    for (uint64_t i = hash & t.mask;; i = (i + 1) & t.mask) {
        slot *s = &t.slots[i];
        if (HCBR_I_LIKELY(s->name.lo == name.lo && s->name.hi == name.hi && s->feature)) {
            if (HCBR_I_LIKELY(!text) || same_text(dict, s->feature - 1, text))
                return s;
        } else if (!s->feature) {
            return s;
        }
    }
}

/* Append a feature whose key is known; its value is copied. */
static hcbr_status feature_append(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value,
                                  size_t value_length, hcbr_error *err) {
    if (dict->feature_count >= HCBR_I_MOST_FEATURES)
        return hcbr_i_fail(err, HCBR_EDATA, "more than %u different features",
                           HCBR_I_MOST_FEATURES);
    if (!hcbr_i_grow(&dict->features, &dict->feature_capacity, dict->feature_count + 1,
                     sizeof *dict->features) ||
        !hcbr_i_grow(&dict->values, &dict->value_capacity, dict->value_bytes + value_length + 1, 1))
        return hcbr_i_no_memory(err);
    feature *f = &dict->features[dict->feature_count++];
    *f = (feature){key, value ? (uint32_t)value_length : HCBR_I_NONE, dict->value_bytes};
    if (value) {
        copy_text(dict->values + dict->value_bytes, value, value_length);
        dict->value_bytes += value_length;
        dict->longest_value =
            value_length > dict->longest_value ? value_length : dict->longest_value;
    }
    return HCBR_OK;
}

/* Key and value of a name in a block; `buffer` receives those of a packed one. */
static inline hcbr_i_long_name text_of(const hcbr_i_block *block, size_t n,
                                       char buffer[HCBR_I_NAME_TEXT]) {
    hcbr_i_name name = block->names[n];
    if (hcbr_i_name_is_long(name))
        return block->longs[name.lo];
    size_t key_length, value_length;
    bool bare;
    hcbr_i_name_unpack(name, buffer, &key_length, &bare, &value_length);
    return (hcbr_i_long_name){buffer, bare ? NULL : buffer + key_length, (uint32_t)key_length,
                              (uint32_t)value_length};
}

/*
 * Name n of a block, `name` in the slots, becomes a feature. Its key is looked up later, together
 * with those of the block's other new features: see keys_settle().
 */
static __attribute__((noinline)) hcbr_status
feature_add(hcbr_i_dict *dict, const hcbr_i_block *block, size_t n, hcbr_i_name name, uint64_t hash,
            uint32_t serial, size_t *new_count, hcbr_error *err) {
    char buffer[HCBR_I_NAME_TEXT];
    hcbr_status st = HCBR_OK;
    if (too_full(dict->feature_count, dict->slot_mask))
        st = slots_resize(dict, larger(dict->slot_mask), err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&dict->new_names, &dict->new_capacity, *new_count + 1,
                     sizeof *dict->new_names))
        return hcbr_i_no_memory(err);
    hcbr_i_long_name text = text_of(block, n, buffer);
    if ((st = feature_append(dict, HCBR_I_NONE, text.value, text.value_length, err)) != HCBR_OK)
        return st;
    dict->new_names[(*new_count)++] = (uint32_t)n;
    uint64_t i = hash & dict->slot_mask; /* it is in no slot: the first free one is its own */
    while (dict->slots[i].feature)
        i = (i + 1) & dict->slot_mask;
    dict->slots[i].name = name;
    dict->slots[i].feature = (uint32_t)dict->feature_count;
    dict->slots[i].serial = serial;
    return HCBR_OK;
}

/* Give the features that a block added their keys, from the first new one on. */
static hcbr_status keys_settle(hcbr_i_dict *dict, const hcbr_i_block *block, size_t new_count,
                               hcbr_error *err) {
    feature *features = dict->features + (dict->feature_count - new_count);
    uint64_t hashes[BATCH];
    char buffer[HCBR_I_NAME_TEXT];
    hcbr_status st = HCBR_OK;
    for (size_t from = 0; st == HCBR_OK && from < new_count; from += BATCH) {
        size_t count = new_count - from < BATCH ? new_count - from : BATCH;
        for (size_t n = 0; n < count; n++) {
            hcbr_i_name name = block->names[dict->new_names[from + n]];
            if (hcbr_i_name_is_long(name)) {
                const hcbr_i_long_name *text = &block->longs[name.lo];
                hashes[n] = key_hash(dict, text->key, text->key_length);
            } else
                hashes[n] = hcbr_i_hash_name(&dict->hash, hcbr_i_name_key(name));
            __builtin_prefetch(&dict->key_slots[hashes[n] & dict->key_mask], 1);
        }
        for (size_t n = 0; st == HCBR_OK && n < count; n++) {
            hcbr_i_long_name text = text_of(block, dict->new_names[from + n], buffer);
            st = key_intern(dict, text.key, text.key_length, hashes[n], &features[from + n].key,
                            err);
        }
    }
    return st;
}

/*
 * The names [from, from + ready) of a block, hashed, their slots on the way into the cache. Long
 * names are hashed here; short ones stand in the block as the slots hold them.
 */
typedef struct batch {
    uint64_t hash[BATCH];
    hcbr_i_name longs[BATCH];
} batch;

static inline size_t batch_end(const hcbr_i_block *block, size_t from) {
    return block->name_count - from < BATCH ? block->name_count : from + BATCH;
}

static void batch_load(const hcbr_i_dict *dict, const hcbr_i_block *block, size_t from, batch *b) {
    const hcbr_i_hash_key key = dict->hash;
    const table t = table_of(dict);
    const hcbr_i_name *names = block->names + from;
    size_t count = batch_end(block, from) - from;
    for (size_t n = 0; n < count; n++) {
        hcbr_i_name name = names[n];
        if (HCBR_I_UNLIKELY(hcbr_i_name_is_long(name))) {
            const hcbr_i_long_name *x = &block->longs[name.lo];
            name = hcbr_i_hash_text(&key, x->key, x->key_length, x->value, x->value_length);
            b->longs[n] = name;
        }
        uint64_t hash = hcbr_i_hash_name(&key, name);
        b->hash[n] = hash;
        __builtin_prefetch(&t.slots[hash & t.mask], 1);
    }
}

/*
 * The slot of a name as it stands in a block, or a free one. A long name stands there as a
 * reference, which no slot ever equals, so it always ends at a free slot: see slot_find_long().
 */
static inline slot *slot_find_short(table t, hcbr_i_name name, uint64_t hash) {
    uint64_t lo = name.lo, hi = name.hi;
    for (uint64_t i = hash & t.mask;; i = (i + 1) & t.mask) {
        slot *s = &t.slots[i];
        if (!s->feature || (s->name.lo == lo && s->name.hi == hi))
            return s;
    }
}

/* Whatever slot_find_short() did not find: a long name, which may be known, or a new name. */
static __attribute__((noinline)) slot *slot_find_long(const hcbr_i_dict *dict,
                                                      const hcbr_i_block *block, const batch *b,
                                                      size_t from, size_t n, slot *s) {
    hcbr_i_name name = block->names[from + n];
    if (!hcbr_i_name_is_long(name))
        return s;
    return slot_find(dict, table_of(dict), b->longs[n], b->hash[n], &block->longs[name.lo]);
}

/* The names [n, end) of a batch, which belong to case `serial`; *out is moved behind them. */
static inline hcbr_status intern_run(hcbr_i_dict *dict, const hcbr_i_block *block, const batch *b,
                                     size_t from, size_t n, size_t end, uint32_t serial,
                                     hcbr_i_feature_id **out, size_t *new_count, hcbr_error *err) {
    hcbr_i_feature_id *to = *out;
    const hcbr_i_name *names = block->names + from;
    table t = table_of(dict);
    for (; n < end; n++) {
        slot *s = slot_find_short(t, names[n], b->hash[n]);
        if (HCBR_I_UNLIKELY(!s->feature)) {
            hcbr_status st = HCBR_OK;
            if (hcbr_i_name_is_long(names[n]) && *new_count) {
                /* its text may be compared with that of a new feature, which needs its key */
                if ((st = keys_settle(dict, block, *new_count, err)) != HCBR_OK)
                    return st;
                *new_count = 0;
            }
            s = slot_find_long(dict, block, b, from, n, s);
            if (!s->feature) {
                hcbr_i_name name = hcbr_i_name_is_long(names[n]) ? b->longs[n] : names[n];
                st = feature_add(dict, block, from + n, name, b->hash[n], serial, new_count, err);
                if (st != HCBR_OK)
                    return st;
                t = table_of(dict);
                *to++ = (hcbr_i_feature_id)(dict->feature_count - 1);
                continue;
            }
        }
        *to = s->feature - 1;
        to += s->serial != serial;
        s->serial = serial;
    }
    *out = to;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_intern(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                               hcbr_i_feature_id *out, uint32_t *lengths, hcbr_error *err) {
    batch batches[2]; /* the one at hand, names [from, ready), and the next one on its way */
    size_t from = 0, ready = 0, n = 0, new_count = 0;
    unsigned turn = 0;
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    if (st == HCBR_OK)
        batch_load(dict, block, 0, &batches[0]);
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++, serial++) {
        hcbr_i_feature_id *first = out;
        size_t end = n + block->cases[c].count;
        while (st == HCBR_OK && n < end) {
            if (n == ready) {
                from = n;
                ready = batch_end(block, n);
                turn ^= 1;
                batch_load(dict, block, ready, &batches[turn]);
            }
            size_t stop = end < ready ? end : ready;
            st = intern_run(dict, block, &batches[turn ^ 1], from, n - from, stop - from, serial,
                            &out, &new_count, err);
            n = stop;
        }
        lengths[c] = (uint32_t)(out - first);
    }
    return st == HCBR_OK ? keys_settle(dict, block, new_count, err) : st;
}

void hcbr_i_dict_find_block(const hcbr_i_dict *dict, const hcbr_i_block *block,
                            hcbr_i_feature_id *out) {
    const table t = table_of(dict);
    batch batches[2];
    unsigned turn = 0;
    batch_load(dict, block, 0, &batches[0]);
    for (size_t from = 0, ready; from < block->name_count; from = ready, turn ^= 1) {
        const batch *b = &batches[turn];
        ready = batch_end(block, from);
        batch_load(dict, block, ready, &batches[turn ^ 1]);
        for (size_t n = 0; n < ready - from; n++) {
            slot *s = slot_find_short(t, block->names[from + n], b->hash[n]);
            if (HCBR_I_UNLIKELY(!s->feature))
                s = slot_find_long(dict, block, b, from, n, s);
            out[from + n] = s->feature - 1;
        }
    }
}

hcbr_i_feature_id hcbr_i_dict_find(const hcbr_i_dict *dict, const char *key, size_t key_length,
                                   const char *value, size_t value_length) {
    hcbr_i_long_name text = {key, value, (uint32_t)key_length, (uint32_t)value_length};
    hcbr_i_name name = name_of(dict, key, key_length, value, value_length);
    return slot_find(dict, table_of(dict), name, hcbr_i_hash_name(&dict->hash, name),
                     hcbr_i_name_is_long(name) ? &text : NULL)
               ->feature -
           1;
}

/* ---- tables from names ----------------------------------------------------------------------- */

static uint64_t table_size(uint64_t count) {
    uint64_t size = FIRST_SLOTS;
    while (too_full(count, size - 1))
        size *= 2;
    return size;
}

/* Enter all keys into an empty table; the number of one that is there already, or HCBR_I_NONE. */
static hcbr_i_key_id keys_enter(hcbr_i_dict *dict) {
    uint64_t hashes[BATCH];
    for (size_t from = 0; from < dict->key_count; from += BATCH) {
        size_t count = dict->key_count - from < BATCH ? dict->key_count - from : BATCH;
        for (size_t n = 0; n < count; n++) {
            hcbr_i_text key = hcbr_i_dict_key(dict, (hcbr_i_key_id)(from + n));
            hashes[n] = key_hash(dict, key.at, key.length);
            __builtin_prefetch(&dict->key_slots[hashes[n] & dict->key_mask], 1);
        }
        for (size_t n = 0; n < count; n++) {
            hcbr_i_text key = hcbr_i_dict_key(dict, (hcbr_i_key_id)(from + n));
            key_slot *s = key_find(dict, key.at, key.length, hashes[n]);
            if (s->key)
                return (hcbr_i_key_id)(from + n);
            *s = (key_slot){(uint32_t)(hashes[n] >> 32), (uint32_t)(from + n) + 1};
        }
    }
    return HCBR_I_NONE;
}

/* Key and value of a feature. */
static hcbr_i_long_name feature_text(const hcbr_i_dict *dict, hcbr_i_feature_id id) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, id);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    return (hcbr_i_long_name){key.at, f.value, (uint32_t)key.length, f.value_length};
}

/* The same for features. */
static hcbr_i_feature_id features_enter(hcbr_i_dict *dict) {
    const table t = table_of(dict);
    hcbr_i_name names[BATCH];
    uint64_t hashes[BATCH];
    for (size_t from = 0; from < dict->feature_count; from += BATCH) {
        size_t count = dict->feature_count - from < BATCH ? dict->feature_count - from : BATCH;
        for (size_t n = 0; n < count; n++) {
            hcbr_i_long_name x = feature_text(dict, (hcbr_i_feature_id)(from + n));
            names[n] = name_of(dict, x.key, x.key_length, x.value, x.value_length);
            hashes[n] = hcbr_i_hash_name(&dict->hash, names[n]);
            __builtin_prefetch(&t.slots[hashes[n] & t.mask], 1);
        }
        for (size_t n = 0; n < count; n++) {
            hcbr_i_long_name x = feature_text(dict, (hcbr_i_feature_id)(from + n));
            slot *s =
                slot_find(dict, t, names[n], hashes[n], hcbr_i_name_is_long(names[n]) ? &x : NULL);
            if (s->feature)
                return (hcbr_i_feature_id)(from + n);
            s->name = names[n];
            s->feature = (uint32_t)(from + n) + 1;
        }
    }
    return HCBR_I_NONE;
}

hcbr_status hcbr_i_dict_load(hcbr_i_dict *dict, const hcbr_i_dict_names *names, hcbr_error *err) {
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
        dict->features[f] = (feature){names->keys[f], names->value_lengths[f], at};
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

hcbr_status hcbr_i_dict_build(hcbr_i_dict *dict, hcbr_i_key_id *key_twice,
                              hcbr_i_feature_id *feature_twice, hcbr_error *err) {
    hcbr_i_dict_drop_tables(dict);
    *key_twice = *feature_twice = HCBR_I_NONE;
    hcbr_status st =
        tables_create(dict, table_size(dict->feature_count), table_size(dict->key_count), err);
    if (st != HCBR_OK)
        return st;
    if ((*key_twice = keys_enter(dict)) == HCBR_I_NONE &&
        (*feature_twice = features_enter(dict)) == HCBR_I_NONE)
        return HCBR_OK;
    hcbr_i_dict_drop_tables(dict);
    return hcbr_i_fail(err, HCBR_EFORMAT, "a name stands there twice");
}

hcbr_status hcbr_i_dict_need_tables(hcbr_i_dict *dict, hcbr_error *err) {
    hcbr_i_key_id key;
    hcbr_i_feature_id id;
    pthread_mutex_lock(&dict->lock);
    hcbr_status st = dict->slots ? HCBR_OK : hcbr_i_dict_build(dict, &key, &id, err);
    pthread_mutex_unlock(&dict->lock);
    return st;
}
