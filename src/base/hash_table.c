/*
 * The hash table of numbers: at most half full.
 *
 * Invariant: no slot is free from the first slot of a search to the one that holds the number.
 * Numbers are never removed one by one, so there are no tombstones. Only the slots up to the mask
 * are in use; the memory after them is undefined.
 */
#include "base/base.h"

#define FEWEST_SLOTS 16u
#define MOST_SLOTS (UINT64_C(1) << 32) /* the limit of a 32-bit hash */

/** The hash has all the bits that choose a slot: see MOST_SLOTS. */
static uint64_t slot_hash(const void *owner, const void *slot) {
    (void)owner;
    return ((const hcbr_i_hash_table_slot *)slot)->hash;
}

/** Copy `count` slots of another table. */
static void put(const hcbr_i_hash_table *table, const hcbr_i_hash_table_slot *from, size_t count) {
    (void)hcbr_i_hash_slots_move(table->slots, table->mask, from, count, sizeof *from,
                                 hcbr_i_hash_table_slot_is_free, slot_hash, NULL);
}

/** Move the numbers to a new block of `size` slots. */
static bool resize(hcbr_i_hash_table *table, size_t size) {
    hcbr_i_hash_table larger = {.mask = size - 1, .count = table->count, .room = size};
    larger.slots = hcbr_i_alloc_zero(size, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    if (table->slots != NULL && table->count > 0)
        put(&larger, table->slots, table->mask + 1);
    hcbr_i_free(table->slots);
    *table = larger;
    return true;
}

/** The slots that `count` numbers need; 0: too many. */
static size_t slots_for(size_t count) {
    if (count <= FEWEST_SLOTS / 2)
        return FEWEST_SLOTS;
    if (count > MOST_SLOTS / 2)
        return 0;
    return (size_t)1 << (65 - __builtin_clzll(count - 1)); // the power of two, twice
}

bool hcbr_i_hash_table_reserve(hcbr_i_hash_table *table, size_t count) {
    size_t size = slots_for(count);
    if (table->slots != NULL && size > 0 && size <= table->mask + 1)
        return true;
    if (table->count == 0)
        return hcbr_i_hash_table_restart(table, count);
    return size > 0 && resize(table, size);
}

bool hcbr_i_hash_table_restart(hcbr_i_hash_table *table, size_t count) {
    size_t size = slots_for(count);
    if (size == 0)
        return false;
    if (table->slots != NULL && size <= table->room) {
        memset(table->slots, 0, size * sizeof *table->slots);
        table->mask = size - 1;
        table->count = 0;
        return true;
    }
    size_t before = table->count;
    table->count = 0; // nothing to be moved
    if (resize(table, size))
        return true;
    table->count = before;
    return false;
}

bool hcbr_i_hash_table_add(hcbr_i_hash_table *table, uint64_t hash, uint32_t number) {
    assert(number != HCBR_I_HASH_NONE);
    if (table->slots == NULL || table->count > table->mask / 2) {
        if (!hcbr_i_hash_table_reserve(table, table->count + 1))
            return false;
    }
    put(table, &(hcbr_i_hash_table_slot){(uint32_t)hash, number + 1}, 1);
    table->count++;
    return true;
}

void hcbr_i_hash_table_clear(hcbr_i_hash_table *table) {
    hcbr_i_free(table->slots);
    *table = (hcbr_i_hash_table){0};
}
