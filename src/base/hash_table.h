/**
 * @file hash_table.h
 * The hash table: open addressing with linear probing, in two forms.
 *
 * hcbr_i_hash_table finds the number of an item by its content. The items (texts, sets, names) are
 * in arrays of their owner. The table holds their numbers and 32 bits of the hash of each; the
 * owner compares items. So the table grows without touching an item, and items are compared only if
 * all 32 bits are equal. The table cannot be iterated: no order of its own can reach an output.
 *
 * For small items in hot loops the second access costs too much. They are kept in the slots: an
 * array of the owner, of any element type, searched by hcbr_i_hash_slots_find(). The first form is
 * built on this one.
 *
 * Hashes must be keyed (hcbr_i_hash_text(), hcbr_i_hash_name(), hcbr_i_fold() with a
 * hcbr_i_hash_key), so that collisions cannot be constructed.
 */
#ifndef HCBR_I_HASH_TABLE_H
#define HCBR_I_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- items in the slots ---------------------------------------------------------------------- */

/** Whether a slot is free. */
typedef bool hcbr_i_hash_slot_free(const void *slot);
/** Whether a slot that is not free holds the wanted item. */
typedef bool hcbr_i_hash_slot_is(const void *slot, const void *wanted);
/** The hash of the item in a slot. */
typedef uint64_t hcbr_i_hash_slot_hash(const void *owner, const void *slot);

/**
 * The slot of the wanted item, or the free one where it belongs. At least one slot must be free.
 *
 * The functions must be static ones of the calling file and `size` a constant, so that the compiler
 * makes one loop of them.
 *
 * @param slots mask + 1 of them, a power of two, of `size` bytes each.
 * @param hash  its lower bits choose the first slot.
 */
static inline __attribute__((always_inline)) void *
hcbr_i_hash_slots_find(void *slots, size_t size, size_t mask, uint64_t hash,
                       hcbr_i_hash_slot_free *is_free, hcbr_i_hash_slot_is *is,
                       const void *wanted) {
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        char *slot = (char *)slots + i * size;
        if (is_free(slot) || is(slot, wanted))
            return slot;
    }
}

/**
 * Copy the items of one array of slots into another, which has none of them and enough free slots.
 *
 * @param hash is called with `owner`.
 * @return the number of items.
 */
static inline __attribute__((always_inline)) size_t
hcbr_i_hash_slots_move(void *to, size_t to_mask, const void *from, size_t from_count, size_t size,
                       hcbr_i_hash_slot_free *is_free, hcbr_i_hash_slot_hash *hash,
                       const void *owner) {
    size_t count = 0;
    for (size_t n = 0; n < from_count; n++) {
        const char *slot = (const char *)from + n * size;
        if (is_free(slot))
            continue;
        size_t i = (size_t)hash(owner, slot) & to_mask;
        while (!is_free((char *)to + i * size))
            i = (i + 1) & to_mask;
        memcpy((char *)to + i * size, slot, size);
        count++;
    }
    return count;
}

/* ---- numbers of items ------------------------------------------------------------------------ */

/** No number. */
#define HCBR_I_HASH_NONE UINT32_MAX

typedef struct hcbr_i_hash_table_slot {
    uint32_t hash;   /**< the lower half; chooses the first slot */
    uint32_t number; /**< number + 1; 0: free */
} hcbr_i_hash_table_slot;

/** Zero-initialise to start. */
typedef struct hcbr_i_hash_table {
    hcbr_i_hash_table_slot *slots; /**< NULL until the first number is added */
    size_t mask;                   /**< number of slots, a power of two, less 1 */
    size_t count;                  /**< numbers in it, at most half as many as slots */
    size_t room;                   /**< slots allocated */
} hcbr_i_hash_table;

/** Whether the item of this number is the wanted one. */
typedef bool hcbr_i_hash_table_same(const void *owner, uint32_t number, const void *wanted);

static inline bool hcbr_i_hash_table_slot_is_free(const void *slot) {
    return ((const hcbr_i_hash_table_slot *)slot)->number == 0;
}

/** The query of hcbr_i_hash_table_find(). */
typedef struct hcbr_i_hash_table_wanted {
    uint32_t hash;
    hcbr_i_hash_table_same *same;
    const void *owner, *thing;
} hcbr_i_hash_table_wanted;

static inline __attribute__((always_inline)) bool hcbr_i_hash_table_slot_is(const void *slot,
                                                                            const void *wanted) {
    const hcbr_i_hash_table_slot *s = slot;
    const hcbr_i_hash_table_wanted *w = wanted;
    return s->hash == w->hash && w->same(w->owner, s->number - 1, w->thing);
}

/**
 * The number of the item that has this hash and for which `same` returns true, or HCBR_I_HASH_NONE.
 * `owner` and `wanted` are passed to `same`, which must be a static function of the calling file,
 * so that the compiler inlines it.
 */
static inline __attribute__((always_inline)) uint32_t
hcbr_i_hash_table_find(const hcbr_i_hash_table *table, uint64_t hash, hcbr_i_hash_table_same *same,
                       const void *owner, const void *wanted) {
    const hcbr_i_hash_table_wanted w = {(uint32_t)hash, same, owner, wanted};
    if (table->slots == NULL)
        return HCBR_I_HASH_NONE;
    const hcbr_i_hash_table_slot *slot =
        hcbr_i_hash_slots_find(table->slots, sizeof *slot, table->mask, w.hash,
                               hcbr_i_hash_table_slot_is_free, hcbr_i_hash_table_slot_is, &w);
    return slot->number - 1; // HCBR_I_HASH_NONE for a free one
}

/**
 * Make room for `count` numbers in all, so that adding them cannot fail. Returns false, with
 * everything unchanged, if memory is short or count is above 2^31.
 */
bool hcbr_i_hash_table_reserve(hcbr_i_hash_table *table, size_t count);

/** Add a number below HCBR_I_HASH_NONE whose item is not in the table yet. False: as above. */
bool hcbr_i_hash_table_add(hcbr_i_hash_table *table, uint64_t hash, uint32_t number);

/**
 * Remove all numbers and make room for `count`. The time depends on `count` alone, not on the
 * numbers removed: a table used repeatedly should be given the count of the last use or of the next
 * one. False: as above; never if there was memory for as many.
 */
bool hcbr_i_hash_table_restart(hcbr_i_hash_table *table, size_t count);

/**
 * Reserve memory for `count` numbers, so that a restart with as many cannot fail. The numbers in
 * the table may be removed. Takes time only if memory is needed. False: as above.
 */
static inline bool hcbr_i_hash_table_prepare(hcbr_i_hash_table *table, size_t count) {
    return count <= table->room / 2 || hcbr_i_hash_table_restart(table, count);
}

/** Release the memory; usable again afterwards. */
void hcbr_i_hash_table_clear(hcbr_i_hash_table *table);

/* ---- set of hashes --------------------------------------------------------------------------- */

/**
 * Add a hash to a set with open addressing: `seen` has mask + 1 slots, a power of two, of which at
 * least one stays 0. Returns whether the set had it. The bits from the 20th on choose the slot.
 */
static inline bool hcbr_i_hashes_meet(uint64_t *seen, size_t mask, uint64_t hash) {
    hash |= hash == 0;
    size_t slot = (size_t)(hash >> 20) & mask;
    while (seen[slot] != 0 && seen[slot] != hash)
        slot = (slot + 1) & mask;
    const bool met = seen[slot] == hash;
    seen[slot] = hash;
    return met;
}

/** The mask of a set that holds `count` hashes and is at most two thirds full. */
static inline size_t hcbr_i_hashes_mask(size_t count) {
    size_t mask = 1;
    while (mask < count + count / 2)
        mask = 2 * mask + 1;
    return mask;
}

#endif
