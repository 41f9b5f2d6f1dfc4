/*
 * Features of coded blocks: the feature of a reader's code is looked up once.
 *
 * Names without a code, and codes met for the first time, are gathered in a block of their own, in
 * their order, and looked up like all names. Invariant: features get the numbers that the names
 * themselves would have got.
 */
#include "cases/append.h"

void hcbr_i_coded_clear(hcbr_i_coded *coded) {
    coded->rest.cases = NULL; // borrowed from a block
    hcbr_i_block_clear(&coded->rest);
    hcbr_i_free(coded->cases);
    hcbr_i_free(coded->lengths);
    hcbr_i_free(coded->feature);
    hcbr_i_free(coded->found);
    *coded = (hcbr_i_coded){0};
}

/* Room for the codes of a block and for all its names. */
static bool make_room(hcbr_i_coded *coded, const hcbr_i_block *block) {
    const hcbr_i_values *values = block->values;
    size_t known = coded->known, count = values->names.name_count;
    if (coded->values != values || coded->serial != values->serial)
        known = 0;
    coded->values = values;
    coded->serial = values->serial;
    coded->known = 0; // until there is room
    if (!hcbr_i_grow(&coded->feature, &coded->capacity, count, sizeof *coded->feature))
        return false;
    for (; known < count; known++)
        coded->feature[known] = HCBR_I_NONE;
    coded->known = known;
    return true;
}

/* Add a name of a block to the rest. */
static bool add_rest(hcbr_i_block *rest, const hcbr_i_block *from, size_t n) {
    hcbr_i_name name = from->names[n];
    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *x = &from->longs[name.lo];
        return hcbr_i_block_add(rest, x->key, x->key_length, x->value, x->value_length);
    }
    if (!hcbr_i_grow(&rest->names, &rest->name_capacity, rest->name_count + 1, sizeof *rest->names))
        return false;
    rest->names[rest->name_count++] = name;
    return true;
}

/* The features of known codes; the names of all others are gathered, case by case. */
static bool find_known(hcbr_i_coded *coded, const hcbr_i_block *block, hcbr_i_feature_id *out) {
    const hcbr_i_feature_id *feature = coded->feature;
    const uint32_t *codes = block->numbers;
    hcbr_i_block *rest = &coded->rest;
    rest->name_count = rest->long_count = 0;
    for (size_t n = 0; n < block->name_count; n++) {
        uint32_t code = codes[n];
        bool other = code >= HCBR_I_OTHER;
        out[n] = HCBR_I_LIKELY(!other) ? feature[code] : HCBR_I_NONE;
        if (HCBR_I_UNLIKELY(out[n] == HCBR_I_NONE) &&
            !add_rest(rest, other ? block : &block->values->names, code & ~HCBR_I_OTHER))
            return false;
    }
    return true;
}

/* Store the features found for the rest at their places, and for the next blocks. */
static void give_rest(hcbr_i_coded *coded, const hcbr_i_block *block,
                      const hcbr_i_feature_id *found, hcbr_i_feature_id *out) {
    size_t next = 0;
    for (size_t n = 0; next < coded->rest.name_count; n++) {
        uint32_t code = block->numbers[n];
        if (out[n] != HCBR_I_NONE)
            continue;
        out[n] = found[next++];
        if (code < HCBR_I_OTHER)
            coded->feature[code] = out[n];
    }
}

/* The rest as cases: each has those of its names that are not known. */
static bool set_cases(hcbr_i_coded *coded, const hcbr_i_block *block,
                      const hcbr_i_feature_id *out) {
    size_t capacity = coded->case_capacity;
    if (!hcbr_i_grow(&coded->lengths, &capacity, block->case_count, sizeof *coded->lengths) ||
        !hcbr_i_grow(&coded->cases, &coded->case_capacity, block->case_count,
                     sizeof *coded->cases) ||
        !hcbr_i_grow(&coded->found, &coded->found_capacity, coded->rest.name_count,
                     sizeof *coded->found))
        return false;
    for (size_t c = 0; c < block->case_count; c++) {
        const hcbr_i_raw_case *x = &block->cases[c];
        size_t count = 0;
        for (size_t n = x->first; n < x->first + x->count; n++)
            count += out[n] == HCBR_I_NONE;
        coded->cases[c] = (hcbr_i_raw_case){.count = count};
    }
    coded->rest.cases = coded->cases;
    coded->rest.case_count = block->case_count;
    return true;
}

hcbr_status hcbr_i_coded_intern(hcbr_i_coded *coded, hcbr_i_dict *dict, const hcbr_i_block *block,
                                uint32_t serial, hcbr_i_feature_id *out, uint32_t *lengths,
                                hcbr_error *err) {
    if (!make_room(coded, block) || !find_known(coded, block, out))
        return hcbr_i_no_memory(err);
    for (size_t c = 0; c < block->case_count; c++)
        lengths[c] = (uint32_t)block->cases[c].count;
    if (coded->rest.name_count == 0)
        return HCBR_OK;
    if (!set_cases(coded, block, out))
        return hcbr_i_no_memory(err);
    hcbr_status st =
        hcbr_i_dict_intern(dict, &coded->rest, serial, coded->found, coded->lengths, err);
    if (st == HCBR_OK)
        give_rest(coded, block, coded->found, out);
    return st;
}

hcbr_status hcbr_i_coded_find(hcbr_i_coded *coded, const hcbr_i_dict *dict,
                              const hcbr_i_block *block, hcbr_i_feature_id *out, hcbr_error *err) {
    hcbr_i_block *rest = &coded->rest;
    if (!make_room(coded, block) || !find_known(coded, block, out) ||
        !hcbr_i_grow(&coded->found, &coded->found_capacity, rest->name_count, sizeof *coded->found))
        return hcbr_i_no_memory(err);
    if (rest->name_count == 0)
        return HCBR_OK;
    hcbr_i_dict_find_block(dict, rest, coded->found);
    give_rest(coded, block, coded->found, out);
    size_t unknown = 0;
    for (size_t n = 0; n < rest->name_count; n++)
        if (coded->found[n] == HCBR_I_NONE)
            rest->names[unknown++] = rest->names[n];
    rest->name_count = unknown;
    return HCBR_OK;
}
