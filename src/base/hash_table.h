/**
 * @file hash_table.h
 * The hash table: finds the numbers of things by their content.
 *
 * The things themselves (texts, sets, names) stand in arrays of their owner. The table holds their
 * numbers and 32 bits of a hash of each; the owner says which thing a number stands for. So one
 * table serves all, it grows without looking at a thing again, and a thing is compared only where
 * all 32 bits are equal.
 *
 * Hashes must be keyed (hcbr_i_hash_text(), hcbr_i_hash_name(), hcbr_i_fold() with a
 * hcbr_i_hash_key), so that nobody outside can construct collisions. There is no way to go through
 * a table: no order of its own can reach an output.
 */
#ifndef HCBR_I_HASH_TABLE_H
#define HCBR_I_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/**
 * The number of the thing that has this hash and for which `same` says so, or HCBR_I_HASH_NONE.
 * `owner` and `wanted` are handed to `same`, which must be a static function of the file that
 * calls: the compiler then puts it into the loop.
 */
static inline __attribute__((always_inline)) uint32_t
hcbr_i_hash_table_find(const hcbr_i_hash_table *table, uint64_t hash, hcbr_i_hash_table_same *same,
                       const void *owner, const void *wanted) {
    const uint32_t own = (uint32_t)hash;
    if (table->slots == NULL)
        return HCBR_I_HASH_NONE;
    for (size_t i = own & table->mask;; i = (i + 1) & table->mask) {
        const hcbr_i_hash_table_slot slot = table->slots[i];
        if (slot.number == 0)
            return HCBR_I_HASH_NONE;
        if (slot.hash == own && same(owner, slot.number - 1, wanted))
            return slot.number - 1;
    }
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

#endif
