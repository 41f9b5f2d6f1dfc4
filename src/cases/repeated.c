/*
 * Columns that repeat another one: the same values in the same cases.
 *
 * Each column has a sum over its cases of a hash of its value and the number of the case, in two
 * halves of 64 bits. Equal columns have equal sums; the chance that different ones do is
 * negligible. Most columns already differ in other facts or in the first cases, and are hashed no
 * further.
 */
#include "cases/dict.h"

#include <stdlib.h>

#define FIRST_CASES 64u

/* The identity of a column. */
typedef struct print {
    uint64_t sign, sum[2];
    hcbr_i_text name;
    hcbr_i_key_id key;
} print;

static int by_sign(const void *a, const void *b) {
    const print *x = a, *y = b;
    return hcbr_i_order_u64(x->sign, y->sign);
}

static int by_sum(const void *a, const void *b) {
    const print *x = a, *y = b;
    int order = by_sign(a, b);
    order = order ? order : hcbr_i_order_u64(x->sum[0], y->sum[0]);
    order = order ? order : hcbr_i_order_u64(x->sum[1], y->sum[1]);
    return order ? order : hcbr_i_order_text(x->name, y->name);
}

static void add(print *to, uint64_t hash, uint32_t i) {
    const uint64_t mixed = hcbr_i_mix(hash + hcbr_i_mix(i));
    to->sum[0] += mixed;
    to->sum[1] += hcbr_i_mix(mixed ^ hash);
}

/* The sums of the keys that have a print, over the first `count` cases. */
static void add_values(const struct hcbr_cases *c, const uint32_t *place, print *prints,
                       uint32_t count) {
    const hcbr_i_numbers *n = &c->numbers;
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t j = c->start[i]; j < c->start[i + 1]; j++) {
            const hcbr_i_dict_feature x = hcbr_i_dict_look(c->dict, c->features[j]);
            if (place[x.key] != HCBR_I_NONE && x.value)
                add(&prints[place[x.key]], hcbr_i_value_hash(x.value, x.value_length), i);
        }
        for (uint64_t j = n->start ? n->start[i] : 0; n->start && j < n->start[i + 1]; j++) {
            char room[HCBR_NUMBER_SIZE];
            if (place[n->key[j]] == HCBR_I_NONE)
                continue;
            uint64_t hash = hcbr_i_bits_of(n->value[j]);
            if (n->spelling && n->spelling[j] == HCBR_I_SPELLED_WIDE) {
                const hcbr_i_text text = hcbr_i_numbers_text(n, j, room);
                hash = hcbr_i_value_hash(text.at, text.length);
            }
            add(&prints[place[n->key[j]]], hash, i);
        }
    }
}

/* Keep the keys that share their sign with another one; returns their number. */
static uint32_t keep_shared(print *prints, uint32_t count) {
    uint32_t left = 0;
    if (count)
        qsort(prints, count, sizeof *prints, by_sign);
    for (uint32_t n = 0, end; n < count; n = end) {
        for (end = n + 1; end < count && prints[end].sign == prints[n].sign;)
            end++;
        for (uint32_t m = n; end - n > 1 && m < end; m++)
            prints[left++] = prints[m];
    }
    return left;
}

static void set_places(uint32_t *place, uint32_t keys, const print *prints, uint32_t count) {
    for (uint32_t k = 0; k < keys; k++)
        place[k] = HCBR_I_NONE;
    for (uint32_t n = 0; n < count; n++)
        place[prints[n].key] = n;
}

/* Keys that may repeat another one: those with equal signs and equal first cases. */
static uint32_t find_suspects(const struct hcbr_cases *c, const uint64_t *sign, uint32_t *place,
                              print *prints) {
    const uint32_t keys = hcbr_i_dict_key_count(c->dict);
    uint32_t count = 0;
    for (uint32_t k = 0; k < keys; k++)
        if (sign[k])
            prints[count++] =
                (print){.sign = sign[k], .name = hcbr_i_dict_key(c->dict, k), .key = k};
    count = keep_shared(prints, count);
    if (count == 0 || c->case_count <= FIRST_CASES)
        return count;
    set_places(place, keys, prints, count);
    add_values(c, place, prints, FIRST_CASES);
    for (uint32_t n = 0; n < count; n++) {
        prints[n].sign = hcbr_i_mix(prints[n].sign ^ prints[n].sum[0]);
        prints[n].sum[0] = prints[n].sum[1] = 0;
    }
    return keep_shared(prints, count);
}

hcbr_status hcbr_i_cases_find_repeated(const struct hcbr_cases *cases, const uint64_t *sign,
                                       bool *repeated, hcbr_error *err) {
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    print *prints = hcbr_i_alloc(keys, sizeof *prints);
    uint32_t *place = hcbr_i_alloc(keys, sizeof *place);
    hcbr_status st = prints && place ? HCBR_OK : hcbr_i_no_memory(err);
    const uint32_t count = st == HCBR_OK ? find_suspects(cases, sign, place, prints) : 0;
    for (uint32_t k = 0; st == HCBR_OK && k < keys; k++)
        repeated[k] = false;
    if (count) {
        set_places(place, keys, prints, count);
        add_values(cases, place, prints, cases->case_count);
        qsort(prints, count, sizeof *prints, by_sum);
    }
    for (uint32_t n = 1; n < count; n++)
        repeated[prints[n].key] =
            prints[n - 1].sign == prints[n].sign &&
            memcmp(prints[n - 1].sum, prints[n].sum, sizeof prints[n].sum) == 0;
    hcbr_i_free(prints);
    hcbr_i_free(place);
    return st;
}
