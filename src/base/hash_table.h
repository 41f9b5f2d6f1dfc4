/**
 * @file hash_table.h
 * The hash table: open addressing, one slot after the other, in two forms.
 *
 * hcbr_i_hash_table finds the numbers of things by their content. The things themselves (texts,
 * sets, names) stand in arrays of their owner. The table holds their numbers and 32 bits of a hash
 * of each; the owner says which thing a number stands for. So it grows without looking at a thing
 * again, and a thing is compared only where all 32 bits are equal. There is no way to go through
 * it: no order of its own can reach an output.
 *
 * Where things are small and looked for all the time, to load them from elsewhere costs too much.
 * Then they stand in the slots: an array of the owner, of any element, searched by
 * hcbr_i_hash_slots_find(), on which the other form stands as well.
 *
 * Hashes must be keyed (hcbr_i_hash_text(), hcbr_i_hash_name(), hcbr_i_fold() with a
 * hcbr_i_hash_key), so that nobody outside can construct collisions.
 */
#ifndef HCBR_I_HASH_TABLE_H
#define HCBR_I_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- things in the slots --------------------------------------------------------------------- */

/** Is the slot free? */
typedef bool hcbr_i_hash_slot_free(const void *slot);
/** Does the slot, which is not free, hold what is looked for? */
typedef bool hcbr_i_hash_slot_is(const void *slot, const void *wanted);
/** The hash of what a slot holds. */
typedef uint64_t hcbr_i_hash_slot_hash(const void *owner, const void *slot);

/**
 * The slot of what is looked for, or the free one where it belongs. At least one must be free.
 *
 * The functions must be static ones of the file that calls, `size` a constant: the compiler then
 * makes one loop of them.
 *
 * @param slots a power of two of them, less 1 is `mask`; of `size` bytes each.
 * @param hash  where the search begins: its lower bits.
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
 * Copy what the slots of one array hold into another one, which has nothing of it yet and enough
 * free slots.
 *
 * @param hash gets `owner`.
 * @return how many things there are.
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

/* ---- numbers of things ----------------------------------------------------------------------- */

/** Not a number of a thing. */
#define HCBR_I_HASH_NONE UINT32_MAX

typedef struct hcbr_i_hash_table_slot {
    uint32_t hash;   /**< the lower half; where the search begins */
    uint32_t number; /**< + 1; 0: free */
} hcbr_i_hash_table_slot;

/** Zero-initialise to start. */
typedef struct hcbr_i_hash_table {
    hcbr_i_hash_table_slot *slots; /**< NULL until the first number is added */
    size_t mask;                   /**< how many slots, a power of two, less 1 */
    size_t count;                  /**< numbers in it, at most half as many as slots */
    size_t room;                   /**< slots there is memory for */
} hcbr_i_hash_table;

/** Is the thing of this number the one that is looked for? */
typedef bool hcbr_i_hash_table_same(const void *owner, uint32_t number, const void *wanted);

static inline bool hcbr_i_hash_table_slot_is_free(const void *slot) {
    return ((const hcbr_i_hash_table_slot *)slot)->number == 0;
}

/** What hcbr_i_hash_table_find() looks for. */
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
 * The number of the thing that has this hash and for which `same` says so, or HCBR_I_HASH_NONE.
 * `owner` and `wanted` are handed to `same`, which must be a static function of the file that
 * calls: the compiler then puts it into the loop.
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
    return slot->number - 1; // of a free one NONE
}

/**
 * Room for so many numbers in all, so that adding them cannot fail. Returns false, with everything
 * unchanged, if memory is short or there are more than 2^31.
 */
bool hcbr_i_hash_table_reserve(hcbr_i_hash_table *table, size_t count);

/** Add a number, below HCBR_I_HASH_NONE, whose thing is not there yet. False: as above. */
bool hcbr_i_hash_table_add(hcbr_i_hash_table *table, uint64_t hash, uint32_t number);

/**
 * Forget all numbers and make room for so many. Takes time by that number alone, however many there
 * once were: who uses a table again and again gives what the last use held or the next one needs.
 * False: as above, which cannot be where there is memory for as many.
 */
bool hcbr_i_hash_table_restart(hcbr_i_hash_table *table, size_t count);

/**
 * Memory for so many numbers, so that to restart with as many cannot fail. What is in the table may
 * be forgotten, but is not gone through: it takes time only where memory is needed. False: as
 * above.
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
