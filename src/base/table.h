/**
 * @file table.h
 * The hash table: finds the numbers of things by their content.
 *
 * The things themselves (texts, sets, names) are in arrays of their owner. The table holds their
 * numbers and 32 bits of a hash of each; the owner knows which thing a number means. So one table
 * serves all uses, it grows without reading a thing again, and a thing is compared only if all 32
 * bits are equal.
 *
 * Hashes must be keyed (hcbr_i_hash_text(), hcbr_i_hash_name(), hcbr_i_fold() with a
 * hcbr_i_hash_key), so that nobody outside can construct collisions. There is no way to go through
 * a table: no order of its own can reach an output.
 */
#ifndef HCBR_I_TABLE_H
#define HCBR_I_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Not a number of a thing. */
#define HCBR_I_TABLE_NONE UINT32_MAX

typedef struct hcbr_i_table_slot {
    uint32_t hash;   /**< the lower half; where the search begins */
    uint32_t number; /**< + 1; 0: free */
} hcbr_i_table_slot;

/** Zero-initialise to start. */
typedef struct hcbr_i_table {
    hcbr_i_table_slot *slots; /**< NULL until the first number is added */
    size_t mask;              /**< how many slots, a power of two, less 1 */
    size_t count;             /**< numbers in it, at most half as many as slots */
} hcbr_i_table;

/** Is the thing of this number the one that is looked for? */
typedef bool hcbr_i_table_same(const void *owner, uint32_t number, const void *wanted);

/**
 * The number of the thing that has this hash and for which `same` says so, or HCBR_I_TABLE_NONE.
 * `owner` and `wanted` are handed to `same`, which must be a static function of the file that
 * calls: the compiler then puts it into the loop.
 */
static inline __attribute__((always_inline)) uint32_t
hcbr_i_table_find(const hcbr_i_table *table, uint64_t hash, hcbr_i_table_same *same,
                  const void *owner, const void *wanted) {
    const uint32_t own = (uint32_t)hash;
    if (table->slots == NULL)
        return HCBR_I_TABLE_NONE;
    for (size_t i = own & table->mask;; i = (i + 1) & table->mask) {
        const hcbr_i_table_slot slot = table->slots[i];
        if (slot.number == 0)
            return HCBR_I_TABLE_NONE;
        if (slot.hash == own && same(owner, slot.number - 1, wanted))
            return slot.number - 1;
    }
}

/**
 * Room for this many numbers in all, so that adding them cannot fail. Returns false, with
 * everything unchanged, if memory is short or there are more than 2^31.
 */
bool hcbr_i_table_reserve(hcbr_i_table *table, size_t count);

/** Add a number, below HCBR_I_TABLE_NONE, whose thing is not there yet. False: as above. */
bool hcbr_i_table_add(hcbr_i_table *table, uint64_t hash, uint32_t number);

/**
 * Forget all numbers. The time depends on how many there are now, not on the most there ever were.
 */
void hcbr_i_table_reset(hcbr_i_table *table);

/** Release the memory; usable again afterwards. */
void hcbr_i_table_clear(hcbr_i_table *table);

#endif
