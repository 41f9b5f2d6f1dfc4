/**
 * @file dict_slots.h
 * The table of features, as dict_table.c (one name, the tables themselves) and dict_block.c (the
 * names of a block) search it; private to src/cases.
 */
#ifndef HCBR_I_DICT_SLOTS_H
#define HCBR_I_DICT_SLOTS_H

#include "cases/dict.h"

#define HCBR_I_DICT_BATCH 32u /* names fetched together before they are looked at */

/**
 * The loops over names hold the tables in registers: through the dictionary they would be loaded
 * anew after every store.
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

/** Does the slot hold this name, hcbr_i_name, the text of which need not be compared? */
static inline bool hcbr_i_dict_slot_is_name(const void *slot, const void *wanted) {
    const hcbr_i_name *have = &((const hcbr_i_dict_slot *)slot)->name, *name = wanted;
    return have->lo == name->lo && have->hi == name->hi;
}

/**
 * The slot of a name as it stands in a block, or a free one. A long name stands there as a
 * reference, which no slot ever equals, so it always ends at a free slot.
 */
static inline hcbr_i_dict_slot *hcbr_i_dict_slot_find_short(hcbr_i_dict_slots t, hcbr_i_name name,
                                                            uint64_t hash) {
    return hcbr_i_hash_slots_find(t.slots, sizeof *t.slots, t.mask, hash, hcbr_i_dict_slot_is_free,
                                  hcbr_i_dict_slot_is_name, &name);
}

/** Has the feature this key and value? */
bool hcbr_i_dict_same(const hcbr_i_dict *dict, hcbr_i_feature_id feature,
                      const hcbr_i_long_name *name);

/** What hcbr_i_dict_slot_find() looks for. */
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

/** Where a name is, or the free slot where it belongs. text is needed for long names only. */
static inline hcbr_i_dict_slot *hcbr_i_dict_slot_find(const hcbr_i_dict *dict, hcbr_i_dict_slots t,
                                                      hcbr_i_name name, uint64_t hash,
                                                      const hcbr_i_long_name *text) {
    const hcbr_i_dict_wanted wanted = {name, dict, text};
    return hcbr_i_hash_slots_find(t.slots, sizeof *t.slots, t.mask, hash, hcbr_i_dict_slot_is_free,
                                  hcbr_i_dict_slot_is, &wanted);
}

/** Room for one more feature in the table. */
hcbr_status hcbr_i_dict_slots_need(hcbr_i_dict *dict, hcbr_error *err);
/** Enter a feature whose text is stored, where there is room; false if it is there already. */
bool hcbr_i_dict_enter(hcbr_i_dict *dict, hcbr_i_feature_id id, hcbr_i_name name,
                       const hcbr_i_long_name *text, uint32_t serial);

/** Is the number, or HCBR_I_NONE, one for which the arrays are to be made longer? */
bool hcbr_i_dict_is_raised(const hcbr_i_dict *dict, uint32_t number);
/** Make them so. All features have their keys. */
hcbr_status hcbr_i_dict_raise(hcbr_i_dict *dict, uint32_t number, hcbr_error *err);
/** The first name that is not plain comes: names and keys as all others have them. */
hcbr_status hcbr_i_dict_unfold_tables(hcbr_i_dict *dict, hcbr_error *err);

#endif
