/**
 * @file dict.h
 * The inside of a dictionary, shared by dict.c (names) and dict_table.c (finding them); private to
 * src/encode.
 */
#ifndef HCBR_I_DICT_H
#define HCBR_I_DICT_H

#include "encode/encode.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct hcbr_i_dict_slot {
    hcbr_i_name name;
    uint32_t feature; /**< number + 1; 0: free */
    uint32_t serial;  /**< last case that had it */
} hcbr_i_dict_slot;

/** The feature `n=1`, in an array at n. */
typedef struct hcbr_i_dict_direct {
    uint32_t feature; /**< as in a slot */
    uint32_t serial;
} hcbr_i_dict_direct;

typedef struct hcbr_i_dict_entry {
    hcbr_i_key_id key;
    uint32_t value_length; /**< HCBR_I_NONE: a bare key */
    uint64_t value;        /**< where it starts in values */
} hcbr_i_dict_entry;

typedef struct hcbr_i_key_slot {
    uint32_t tag; /**< upper half of the hash */
    uint32_t key; /**< number + 1; 0: free */
} hcbr_i_key_slot;

struct hcbr_i_dict {
    atomic_uint references;
    pthread_mutex_t lock; /**< guards making the tables */
    hcbr_i_hash_key hash;

    hcbr_i_dict_entry *features;
    size_t feature_count, feature_capacity;
    char *values;
    size_t value_bytes, value_capacity;
    uint64_t *key_start; /**< key_count + 1 of them */
    size_t key_count, key_capacity;
    char *keys;
    size_t key_bytes, key_bytes_capacity;
    size_t longest_key, longest_value; /**< at least */

    /* tables; slots is NULL while there are none */
    hcbr_i_dict_slot *slots;
    uint64_t slot_mask, slots_used; /**< size - 1, the size being a power of two */
    hcbr_i_key_slot *key_slots;
    uint64_t key_mask, key_slots_used;
    hcbr_i_dict_direct *direct; /**< features `n=1`, by n < limit */
    uint32_t *direct_keys;      /**< number + 1 of the key `n`, by n < limit */
    uint32_t limit;

    /* for hcbr_i_dict_intern() */
    uint32_t *new_names; /**< of the block at hand: names that became features, in that order */
    size_t new_capacity;
};

/* ---- numbers --------------------------------------------------------------------------------- */

#define HCBR_I_DICT_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/** The number that `length` <= 7 digits at the start of a word spell. */
static inline uint32_t hcbr_i_dict_digits(uint64_t word, unsigned length) {
    return hcbr_i_digits_value(word, 64 - 8 * length);
}

/** Are they digits, without a leading zero? */
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

/* ---- names ----------------------------------------------------------------------------------- */

/** Append a feature; its value is copied. */
hcbr_status hcbr_i_dict_append(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value,
                               size_t value_length, hcbr_error *err);
/** Append a key. */
hcbr_status hcbr_i_dict_append_key(hcbr_i_dict *dict, const char *key, size_t length,
                                   hcbr_i_key_id *out, hcbr_error *err);

#endif
