/**
 * @file dict_slots.h
 * Search in the table of features, for dict_table.c (one name, the tables) and dict_block.c (the
 * names of a block); private to src/cases.
 */
#ifndef HCBR_I_DICT_SLOTS_H
#define HCBR_I_DICT_SLOTS_H

#include "cases/dict.h"

#define HCBR_I_DICT_BATCH 32u /* names fetched together before the first is compared */

/**
 * The loops over names hold the tables in registers: through the dictionary they would be loaded
 * again after every store.
 */
typedef struct hcbr_i_dict_slots {
    hcbr_i_dict_slot *slots;
    uint64_t mask;
    const uint32_t *direct;
    uint32_t limit;
    uint32_t *marks;
} hcbr_i_dict_slots;

static inline hcbr_i_dict_slots hcbr_i_dict_slots_of(const hcbr_i_dict *dict) {
    return (hcbr_i_dict_slots){dict->slots, dict->slot_mask, dict->direct, dict->limit,
                               dict->marks};
}

static inline bool hcbr_i_dict_slot_is_free(const void *slot) {
    return ((const hcbr_i_dict_slot *)slot)->feature == 0;
}

/** Whether the slot holds this hcbr_i_name, whose text need not be compared. */
static inline bool hcbr_i_dict_slot_is_name(const void *slot, const void *wanted) {
    const hcbr_i_name *have = &((const hcbr_i_dict_slot *)slot)->name, *name = wanted;
    return have->lo == name->lo && have->hi == name->hi;
}

/**
 * The slot of a name of a block, or a free one. In a block a long name is a reference, which no
 * slot ever equals, so its search always ends at a free slot.
 */
static inline hcbr_i_dict_slot *hcbr_i_dict_slot_find_short(hcbr_i_dict_slots t, hcbr_i_name name,
                                                            uint64_t hash) {
    return hcbr_i_hash_slots_find(t.slots, sizeof *t.slots, t.mask, hash, hcbr_i_dict_slot_is_free,
                                  hcbr_i_dict_slot_is_name, &name);
}

/** Whether the feature has this key and value. */
bool hcbr_i_dict_same(const hcbr_i_dict *dict, hcbr_i_feature_id feature,
                      const hcbr_i_long_name *name);

/** The query of hcbr_i_dict_slot_find(). */
typedef struct hcbr_i_dict_wanted {
    hcbr_i_name name;
    const hcbr_i_dict *dict;
    const hcbr_i_long_name *text;
} hcbr_i_dict_wanted;

static inline bool hcbr_i_dict_slot_is(const void *slot, const void *wanted) {
    const hcbr_i_dict_wanted *w = wanted;
    return hcbr_i_dict_slot_is_name(slot, &w->name) &&
           (!w->text ||
            hcbr_i_dict_same(w->dict, ((const hcbr_i_dict_slot *)slot)->feature - 1, w->text));
}

/** The slot of a name, or the free one where it belongs. text is needed for long names only. */
static inline hcbr_i_dict_slot *hcbr_i_dict_slot_find(const hcbr_i_dict *dict, hcbr_i_dict_slots t,
                                                      hcbr_i_name name, uint64_t hash,
                                                      const hcbr_i_long_name *text) {
    const hcbr_i_dict_wanted wanted = {name, dict, text};
    return hcbr_i_hash_slots_find(t.slots, sizeof *t.slots, t.mask, hash, hcbr_i_dict_slot_is_free,
                                  hcbr_i_dict_slot_is, &wanted);
}

/** Room for one more feature in the table. */
hcbr_status hcbr_i_dict_slots_need(hcbr_i_dict *dict, hcbr_error *err);
/** Enter a feature whose text is stored, with room for it; false for a duplicate. */
bool hcbr_i_dict_enter(hcbr_i_dict *dict, hcbr_i_feature_id id, hcbr_i_name name,
                       const hcbr_i_long_name *text, uint32_t serial);

/** Whether the arrays should grow for this number, which may be HCBR_I_NONE. */
bool hcbr_i_dict_is_raised(const hcbr_i_dict *dict, uint32_t number);
/** Grow them. All features must have their keys. */
hcbr_status hcbr_i_dict_raise(hcbr_i_dict *dict, uint32_t number, hcbr_error *err);
/** Called for the first name that is not plain: makes names and keys general. */
hcbr_status hcbr_i_dict_unfold_tables(hcbr_i_dict *dict, hcbr_error *err);

#endif
