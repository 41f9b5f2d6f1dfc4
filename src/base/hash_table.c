/*
 * The hash table of numbers: at most half full.
 *
 * Invariant: from the slot where the search for a number begins to the one that holds it none is
 * free. Numbers are never taken out one by one, so no slot needs to remember that it was used. Of
 * the memory only the slots up to the mask are in use; what stands behind them means nothing.
 */
#include "base/base.h"

#define FEWEST_SLOTS 16u
#define MOST_SLOTS (UINT64_C(1) << 32) /* the hash says no more places apart */

/** The hash has all bits that say places apart: see MOST_SLOTS. */
static uint64_t slot_hash(const void *owner, const void *slot) {
    (void)owner;
    return ((const hcbr_i_hash_table_slot *)slot)->hash;
}

/** Copy so many slots of another table. */
static void put(const hcbr_i_hash_table *table, const hcbr_i_hash_table_slot *from, size_t count) {
    (void)hcbr_i_hash_slots_move(table->slots, table->mask, from, count, sizeof *from,
                                 hcbr_i_hash_table_slot_is_free, slot_hash, NULL);
}

/** Another block of so many slots, with the numbers there are. */
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

/** How many slots so many numbers need; 0: too many. */
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
