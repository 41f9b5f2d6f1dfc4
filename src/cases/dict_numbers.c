/*
 * Adding features that are numbers, `n=1`, many at once: hcbr_i_dict_intern() without making the
 * names.
 *
 * Invariant: numbers and tables are the same as after hcbr_i_dict_intern(), except for the marks of
 * cases, which are not used once a case is complete.
 */
#include "cases/dict.h"

#define AHEAD 16 /* numbers between a prefetch and its use */

bool hcbr_i_dict_need_marks(hcbr_i_dict *dict) {
    if (dict->mark_count >= dict->feature_count)
        return true;
    if (!hcbr_i_grow(&dict->marks, &dict->mark_capacity, dict->feature_count, sizeof *dict->marks))
        return false;
    while (dict->mark_count < dict->feature_count)
        dict->marks[dict->mark_count++] = HCBR_I_NONE; /* the number of no case */
    return true;
}

/* Numbers that are all different and not simply appended to plain names: by their names. */
static hcbr_status add_named(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                             uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err) {
    uint32_t length;
    hcbr_i_name one;
    hcbr_i_raw_case all = {.count = count};
    hcbr_i_block block = {.cases = &all, .case_count = 1, .plain_ids = true, .name_count = count};
    block.names = count > 1 ? hcbr_i_alloc(count, sizeof *block.names) : &one;
    if (!block.names)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++)
        block.names[i] = hcbr_i_name_of_number(numbers[i]);
    hcbr_status st = hcbr_i_dict_intern(dict, &block, serial, out, &length, err);
    if (block.names != &one)
        hcbr_i_free(block.names);
    return st;
}

/* The features `n=1` from `from` on whose n is below the limit, as long as names are plain; *end:
 * after the last of them. */
static hcbr_status add_near(hcbr_i_dict *dict, const uint32_t *numbers, size_t from, size_t count,
                            hcbr_i_feature_id *out, size_t *end, hcbr_error *err) {
    const uint32_t limit = dict->plain ? dict->limit : 0;
    uint32_t *direct = dict->direct;
    size_t i = from;
    *end = from;
    hcbr_status st = limit ? hcbr_i_dict_room_plain(dict, count - from, err) : HCBR_OK;
    if (st != HCBR_OK)
        return st;
    for (; i < count && numbers[i] < limit; i++) {
        uint32_t next = i + AHEAD < count ? numbers[i + AHEAD] : 0, *at = &direct[numbers[i]];
        __builtin_prefetch(&direct[next < limit ? next : 0], 1);
        if (!*at) {
            hcbr_i_dict_put_plain(dict, numbers[i]);
            *at = (uint32_t)dict->feature_count;
        }
        out[i] = *at - 1;
    }
    *end = i;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_intern_numbers(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                                       uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    for (size_t at = 0; st == HCBR_OK && at < count;) {
        size_t end;
        st = add_near(dict, numbers, at, count, out, &at, err);
        for (end = at; end < count && (numbers[end] >= dict->limit || !dict->plain);)
            end++;
        if (st == HCBR_OK && at < end)
            st = add_named(dict, numbers + at, end - at, serial, out + at, err);
        at = end;
    }
    return st;
}

/* ---- cases of a numeric block ---------------------------------------------------------------- */

/* Features that hcbr_i_dict_find_case() did not find; *far is increased by those that it cannot
 * find. New ones get no case's mark: marks are for drop_repeated(). */
static hcbr_status add_missing(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                               hcbr_i_feature_id *out, size_t *far, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        if (out[n] != HCBR_I_NONE)
            continue;
        if (dict->plain && numbers[n] < dict->limit) {
            st = add_near(dict, &numbers[n], 0, 1, &out[n], &(size_t){0}, err);
        } else {
            *far += numbers[n] >= dict->limit;
            if ((out[n] = hcbr_i_dict_find_number(dict, numbers[n])) == HCBR_I_NONE)
                st = add_named(dict, &numbers[n], 1, HCBR_I_NONE, &out[n], err);
        }
    }
    return st;
}

/* Leave repeated features of a case out; *count is how many there are. */
static bool drop_repeated(hcbr_i_dict *dict, hcbr_i_feature_id *features, size_t *count,
                          uint32_t serial) {
    hcbr_i_feature_id *to = features;
    if (!hcbr_i_dict_need_marks(dict))
        return false;
    for (size_t n = 0; n < *count; n++) {
        hcbr_i_feature_id feature = features[n];
        *to = feature;
        to += dict->marks[feature] != serial;
        dict->marks[feature] = serial;
    }
    *count = (size_t)(to - features);
    return true;
}

hcbr_status hcbr_i_dict_intern_cases(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                                     hcbr_i_feature_id *out, uint32_t *lengths, size_t *far,
                                     hcbr_error *err) {
    const uint32_t *numbers = block->numbers;
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    *far = 0;
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++, serial++) {
        size_t count = block->cases[c].count;
        lengths[c] = 0;
        if (count == 0)
            continue; // perhaps there are no numbers at all
        bool missing, rising = hcbr_i_dict_find_case(dict, numbers, count, out, &missing);
        if (missing)
            st = add_missing(dict, numbers, count, out, far, err);
        numbers += count;
        if (st == HCBR_OK && !rising && !drop_repeated(dict, out, &count, serial))
            st = hcbr_i_no_memory(err);
        lengths[c] = (uint32_t)count;
        out += count;
    }
    return st;
}
