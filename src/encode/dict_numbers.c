/*
 * Adding features that are numbers, `n=1`, many at once: what hcbr_i_dict_intern() does for their
 * names, without making the names.
 *
 * Invariant: numbers and tables are afterwards as hcbr_i_dict_intern() would have left them.
 */
#include "encode/dict.h"

#define AHEAD 16 /* numbers between a prefetch and its use */

/* The decimal digits of a number at the end of `text`; returns how many. */
static size_t spell(char text[10], uint32_t n) {
    size_t length = 0;
    do
        text[9 - length++] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    return length;
}

/* The key `n`, which is below the limit. */
static hcbr_status key_of(hcbr_i_dict *dict, uint32_t n, hcbr_i_key_id *key, hcbr_error *err) {
    char text[10];
    if (dict->direct_keys[n]) {
        *key = dict->direct_keys[n] - 1;
        return HCBR_OK;
    }
    size_t length = spell(text, n);
    hcbr_status st = hcbr_i_dict_append_key(dict, text + 10 - length, length, key, err);
    if (st == HCBR_OK)
        dict->direct_keys[n] = *key + 1;
    return st;
}

/* The features `n=1` from `from` on whose n is below the limit; *end: behind the last of them. */
static hcbr_status add_near(hcbr_i_dict *dict, const uint32_t *numbers, size_t from, size_t count,
                            uint32_t serial, hcbr_i_feature_id *out, size_t *end, hcbr_error *err) {
    const uint32_t limit = dict->limit;
    hcbr_status st = HCBR_OK;
    size_t i = from;
    for (; i < count && numbers[i] < limit; i++) {
        uint32_t n = numbers[i], next = i + AHEAD < count ? numbers[i + AHEAD] : 0;
        hcbr_i_dict_direct *at = &dict->direct[n];
        hcbr_i_key_id key;
        if (next < limit) {
            __builtin_prefetch(&dict->direct[next], 1);
            __builtin_prefetch(&dict->direct_keys[next], 1);
        }
        if (!at->feature) {
            if ((st = key_of(dict, n, &key, err)) != HCBR_OK ||
                (st = hcbr_i_dict_append(dict, key, "1", 1, err)) != HCBR_OK)
                break;
            *at = (hcbr_i_dict_direct){(uint32_t)dict->feature_count, serial};
        }
        out[i] = at->feature - 1;
    }
    *end = i;
    return st;
}

/* Those beyond the limit, by their names; the limit may rise with it. */
static hcbr_status add_far(hcbr_i_dict *dict, const uint32_t *numbers, size_t from, size_t end,
                           uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err) {
    uint32_t length;
    hcbr_i_raw_case all = {.count = end - from};
    hcbr_i_block block = {
        .cases = &all, .case_count = 1, .plain_ids = true, .name_count = end - from};
    block.names = hcbr_i_alloc(end - from, sizeof *block.names);
    if (!block.names)
        return hcbr_i_no_memory(err);
    for (size_t i = from; i < end; i++)
        block.names[i - from] = hcbr_i_name_of_number(numbers[i]);
    hcbr_status st = hcbr_i_dict_intern(dict, &block, serial, out + from, &length, err);
    hcbr_i_free(block.names);
    return st;
}

hcbr_status hcbr_i_dict_intern_numbers(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                                       uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    for (size_t at = 0; st == HCBR_OK && at < count;) {
        size_t end;
        st = add_near(dict, numbers, at, count, serial, out, &at, err);
        for (end = at; end < count && numbers[end] >= dict->limit;)
            end++;
        if (st == HCBR_OK && at < end)
            st = add_far(dict, numbers, at, end, serial, out, err);
        at = end;
    }
    return st;
}
