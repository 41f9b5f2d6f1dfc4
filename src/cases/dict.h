/**
 * @file dict.h
 * The implementation of a dictionary, shared by dict.c (names) and dict_table.c (lookup); private
 * to src/cases.
 */
#ifndef HCBR_I_DICT_H
#define HCBR_I_DICT_H

#include "cases/cases.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct hcbr_i_dict_slot {
    hcbr_i_name name;
    uint32_t feature; /**< number + 1; 0: free */
    uint32_t serial;  /**< last case that had it */
} hcbr_i_dict_slot;

/** The key of a plain feature, `n=1`: n as text. */
typedef struct hcbr_i_dict_plain {
    char text[7];
    unsigned char length;
} hcbr_i_dict_plain;

typedef struct hcbr_i_dict_entry {
    hcbr_i_key_id key;
    uint32_t value_length; /**< HCBR_I_NONE: a bare key */
    uint64_t value;        /**< where it starts in values */
} hcbr_i_dict_entry;

struct hcbr_i_dict {
    atomic_uint references;
    pthread_mutex_t lock; /**< guards making the tables */
    hcbr_i_hash_key hash;

    /**
     * Whether every feature is plain, as in most LIBSVM files. Then feature f has the key f and the
     * value `1`, `plains` holds all names, and keys have no tables of their own: the cost of adding
     * a name is touching new memory.
     */
    bool plain;
    hcbr_i_dict_plain *plains;
    size_t plain_capacity;
    uint32_t *loaded; /* their numbers as loaded, until tables are built; or NULL */
    size_t loaded_count;
    size_t feature_count, key_count;
    size_t key_bytes; /**< text of all keys */

    /* unless plain */
    hcbr_i_dict_entry *features;
    size_t feature_capacity;
    char *values;
    size_t value_bytes, value_capacity;
    uint64_t *key_start; /**< key_count + 1 of them */
    size_t key_capacity;
    char *keys;
    size_t key_bytes_capacity;
    size_t longest_key, longest_value; /**< at least */

    hcbr_status (*ask)(void *context, hcbr_error *err); /**< called while a table grows; may be
                                                             NULL */
    void *ask_context;
    /* tables; slots is NULL while there are none */
    hcbr_i_dict_slot *slots;
    uint64_t slot_mask, slots_used; /**< size - 1, the size being a power of two */
    bool has_gone;                  /**< some slots were copied to `direct` since */
    hcbr_i_hash_table key_table;    /**< of keys that are not in direct_keys */
    uint32_t *direct;               /**< feature + 1 of `n=1`, by n < limit; 0: none */
    uint32_t *direct_keys;          /**< number + 1 of the key `n`, by n < limit */
    uint32_t limit;
    bool settled;      /**< names are complete */
    bool *number_keys; /**< by key: all values are numbers; NULL: for no key, or the names are
                            plain, or not settled */
    uint32_t *marks;   /**< by feature, of those in `direct`: last case that had it */
    size_t mark_count, mark_capacity; /**< fewer than features, until needed */

    /* for hcbr_i_dict_intern() */
    uint32_t *new_names; /**< of the current block: names that became features, in that order */
    size_t new_capacity;
};

/** hcbr_i_dict_get() in a loop over many features. */
static inline hcbr_i_dict_feature hcbr_i_dict_look(const struct hcbr_i_dict *dict,
                                                   hcbr_i_feature_id id) {
    if (dict->plain)
        return (hcbr_i_dict_feature){id, 1, "1"};
    const hcbr_i_dict_entry *f = &dict->features[id];
    if (f->value_length == HCBR_I_NONE)
        return (hcbr_i_dict_feature){f->key, 0, NULL};
    return (hcbr_i_dict_feature){f->key, f->value_length, dict->values + f->value};
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define HCBR_I_DICT_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/** The number that `length` <= 7 digits at the start of a word spell. */
static inline uint32_t hcbr_i_dict_digits(uint64_t word, unsigned length) {
    return hcbr_i_digits_value(word, 64 - 8 * length);
}

/** Whether the first `length` bytes are digits without a leading zero. */
static inline bool hcbr_i_dict_is_number(uint64_t word, unsigned length) {
    uint64_t digits = word << (64 - 8 * length) | HCBR_I_DICT_EACH('0') >> (8 * length);
    return (digits & HCBR_I_DICT_EACH(0xF0)) == HCBR_I_DICT_EACH('0') &&
           ((digits + HCBR_I_DICT_EACH(6)) & HCBR_I_DICT_EACH(0xF0)) == HCBR_I_DICT_EACH('0') &&
           ((word & 0xFF) != '0' || length == 1);
}

/** n if the name is `n=1`, else HCBR_I_NONE. `plain`: the key is known to be a number. */
static inline uint32_t hcbr_i_dict_number(hcbr_i_name name, bool plain) {
    /** length of the key, if that of the value is 1; then all of the name is in lo */
    unsigned length = (unsigned)(name.hi >> 56) ^ 0x20;
    if (length - 1 > 6 || name.lo >> (8 * length) != '1' ||
        (!plain && !hcbr_i_dict_is_number(name.lo, length)))
        return HCBR_I_NONE;
    return hcbr_i_dict_digits(name.lo, length);
}

/** n if the word begins with a key of 1 to 7 bytes that is `n`, else HCBR_I_NONE. */
static inline uint32_t hcbr_i_dict_word_number(uint64_t word, unsigned length) {
    return hcbr_i_dict_is_number(word, length) ? hcbr_i_dict_digits(word, length) : HCBR_I_NONE;
}

/** As above for a key of any length. */
static inline uint32_t hcbr_i_dict_key_number(const char *key, size_t length) {
    if (length - 1 > 6)
        return HCBR_I_NONE;
    return hcbr_i_dict_word_number((uint64_t)hcbr_i_bytes_load(key, length), (unsigned)length);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/** The name of key and value as it is in a slot. */
static inline hcbr_i_name hcbr_i_dict_name(const hcbr_i_dict *dict, const char *key,
                                           size_t key_length, const char *value,
                                           size_t value_length) {
    if (key_length + value_length <= HCBR_I_SHORT)
        return hcbr_i_name_pack(key, key_length, value, value_length);
    return hcbr_i_hash_text(&dict->hash, key, key_length, value, value_length);
}

/* ---- names ----------------------------------------------------------------------------------- */

/** Make room for `more` plain features. */
hcbr_status hcbr_i_dict_room_plain(hcbr_i_dict *dict, size_t more, hcbr_error *err);
/** The digits of n < 10^8 as bytes, the first one lowest, zeros before it: all at once. */
static inline uint64_t hcbr_i_dict_digits_of(uint32_t n) {
    uint64_t fours = n / 10000 | (uint64_t)(n % 10000) << 32;
    uint64_t upper = (fours * 5243 >> 19) & 0x0000007F0000007Fu; /* by 100 */
    uint64_t twos = upper | (fours - 100 * upper) << 16;
    uint64_t tens = (twos * 103 >> 10) & 0x000F000F000F000Fu; /* by 10 */
    return tens | (twos - 10 * tens) << 8;
}

/** The name of the plain feature n; returns the length of its key. */
static inline unsigned hcbr_i_dict_write_plain(hcbr_i_dict_plain *to, uint32_t n) {
    uint64_t digits = hcbr_i_dict_digits_of(n);
    unsigned zeros = n ? (unsigned)__builtin_ctzll(digits) / 8 : 7, length = 8 - zeros;
    assert(n <= HCBR_I_DICT_MOST_NUMBER);
    hcbr_i_store64(to, (digits | HCBR_I_DICT_EACH('0')) >> (8 * zeros) | (uint64_t)length << 56);
    return length;
}
/** Append the feature `n=1` to plain ones, which have room; n has at most 7 digits. */
static inline void hcbr_i_dict_put_plain(hcbr_i_dict *dict, uint32_t n) {
    dict->key_bytes += hcbr_i_dict_write_plain(&dict->plains[dict->feature_count], n);
    dict->feature_count++;
    dict->key_count++;
}
/** The same, with room made. */
hcbr_status hcbr_i_dict_append_plain(hcbr_i_dict *dict, uint32_t n, hcbr_error *err);
/** The number n of a plain feature. */
static inline uint32_t hcbr_i_dict_plain_number(const hcbr_i_dict *dict, size_t feature) {
    const hcbr_i_dict_plain *key = &dict->plains[feature];
    return hcbr_i_dict_digits(hcbr_i_load64(key), key->length);
}
/** Turn plain names into general ones. Tables are left to the caller. */
hcbr_status hcbr_i_dict_unfold(hcbr_i_dict *dict, hcbr_error *err);
/** Append a feature to general names; its value is copied. */
hcbr_status hcbr_i_dict_append(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value,
                               size_t value_length, hcbr_error *err);
/** Append a key to general names. */
hcbr_status hcbr_i_dict_append_key(hcbr_i_dict *dict, const char *key, size_t length,
                                   hcbr_i_key_id *out, hcbr_error *err);

/** A dictionary derived from another one. */
typedef struct hcbr_i_dict_plan {
    const uint32_t *keys; /**< old numbers, in the new order; NULL: unchanged */
    uint32_t key_count;
    const uint32_t *key_number; /**< the inverse, by old number */
    const uint32_t *features;   /**< old numbers; NULL: unchanged */
    uint32_t feature_count;
    const hcbr_i_text *values; /**< by old number: a new value; absent or NULL: the old one */
    const hcbr_i_watch *watch; /**< may be NULL */
} hcbr_i_dict_plan;
/** Make it (refit.c); it has no tables. */
hcbr_status hcbr_i_dict_remake(hcbr_i_dict **out, const hcbr_i_dict *from,
                               const hcbr_i_dict_plan *plan, hcbr_error *err);

/** Whether a number may be in the dictionary in another spelling. */
static inline bool hcbr_i_dict_may_respell(const hcbr_i_dict *dict) {
    return dict->settled && (dict->plain || dict->number_keys);
}
/** Fill number_keys, if any key has numbers only (equal.c). false: out of memory. */
bool hcbr_i_dict_know_keys(hcbr_i_dict *dict);

/* ---- keys (dict_keys.c) ---------------------------------------------------------------------- */

/** Enter a key whose text is stored; false for a duplicate. */
bool hcbr_i_dict_key_enter(hcbr_i_dict *dict, hcbr_i_key_id id);
/** The number of a key, added if it is new; `spelled` is hcbr_i_dict_key_number() of it. */
hcbr_status hcbr_i_dict_key_intern(hcbr_i_dict *dict, const char *key, size_t length,
                                   uint32_t spelled, hcbr_i_key_id *out, hcbr_error *err);
/** Copy the keys below the limit from the table to the array. */
void hcbr_i_dict_keys_spread(hcbr_i_dict *dict, uint32_t limit);
/** hcbr_i_dict_key_number() of every key, for the caller to release; NULL: no memory. */
uint32_t *hcbr_i_dict_keys_spelled(hcbr_i_dict *dict);
/** Enter all keys; returns the number of a duplicate, or HCBR_I_NONE. */
hcbr_i_key_id hcbr_i_dict_keys_enter(hcbr_i_dict *dict, const uint32_t *spelled);

/* ---- numbers and marks (dict_numbers.c) ------------------------------------------------------ */

/** Marks for all features there are. false: out of memory. */
bool hcbr_i_dict_need_marks(hcbr_i_dict *dict);

/**
 * Features of a numeric block's case, by the array alone.
 *
 * @param numbers followed by HCBR_I_AHEAD readable ones.
 * @param out     receives them, HCBR_I_NONE if the array has none; room for `count`.
 * @param missing receives whether the array lacks one.
 * @return whether the numbers are ascending, as in nearly every LIBSVM file; all are different
 *         then.
 */
static inline bool hcbr_i_dict_find_case(const hcbr_i_dict *dict, const uint32_t *numbers,
                                         size_t count, hcbr_i_feature_id *out, bool *missing) {
    const uint32_t *direct = dict->direct, limit = dict->limit;
    uint32_t before = 0;
    bool falls = false, lacks = false;
    for (size_t n = 0; n < count; n++) {
        uint32_t number = numbers[n], next = numbers[n + HCBR_I_AHEAD];
        __builtin_prefetch(&direct[next < limit ? next : 0]);
        uint32_t feature = HCBR_I_LIKELY(number < limit) ? direct[number] : 0;
        falls |= number <= before; /* no number is 0 */
        lacks |= feature == 0;
        out[n] = feature - 1;
        before = number;
    }
    *missing = lacks;
    return !falls;
}

/** Count names or keys that are looked up, for tests. */
static inline void hcbr_i_dict_count_lookups(uint64_t count) {
#ifdef HCBR_FAULTS
    hcbr_i_dict_lookups += count;
#else
    (void)count;
#endif
}

#endif
