/*
 * The hash table: open addressing, one slot after the other, at most half full.
 *
 * Invariant: from the slot where the search for a number begins to the one that holds it none is
 * free. Numbers are never taken out one by one, so no slot needs to remember that it was used.
 */
#include "base/base.h"

#define FEWEST_SLOTS 16u
#define MOST_SLOTS (UINT64_C(1) << 32) /* the hash says no more places apart */
#define SPARE 16u                      /* slots for every number that a reset may leave */

static void put(const hcbr_i_table *table, uint32_t hash, uint32_t number) {
    size_t i = hash & table->mask;
    while (table->slots[i].number != 0)
        i = (i + 1) & table->mask;
    table->slots[i] = (hcbr_i_table_slot){hash, number};
}

static bool resize(hcbr_i_table *table, size_t size) {
    hcbr_i_table larger = {.mask = size - 1, .count = table->count};
    larger.slots = hcbr_i_alloc_zero(size, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++)
        if (table->slots[i].number != 0)
            put(&larger, table->slots[i].hash, table->slots[i].number);
    hcbr_i_free(table->slots);
    *table = larger;
    return true;
}

bool hcbr_i_table_reserve(hcbr_i_table *table, size_t count) {
    size_t size = table->slots != NULL ? table->mask + 1 : FEWEST_SLOTS;
    if (count > MOST_SLOTS / 2)
        return false;
    while (size / 2 < count)
        size *= 2;
    return (table->slots != NULL && size == table->mask + 1) || resize(table, size);
}

bool hcbr_i_table_add(hcbr_i_table *table, uint64_t hash, uint32_t number) {
    assert(number != HCBR_I_TABLE_NONE);
    if (table->slots == NULL || table->count > table->mask / 2) {
        if (!hcbr_i_table_reserve(table, table->count + 1))
            return false;
    }
    put(table, (uint32_t)hash, number + 1);
    table->count++;
    return true;
}

void hcbr_i_table_reset(hcbr_i_table *table) {
    if (table->slots == NULL)
        return;
    if (table->mask >= FEWEST_SLOTS * SPARE && table->mask / SPARE > table->count)
        hcbr_i_table_clear(table); // one large use must not make all later ones slow
    else if (table->count > 0)
        memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
    table->count = 0;
}

void hcbr_i_table_clear(hcbr_i_table *table) {
    hcbr_i_free(table->slots);
    *table = (hcbr_i_table){0};
}
