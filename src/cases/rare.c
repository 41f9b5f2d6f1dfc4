/*
 * Words that too few cases have (--min-count) are removed from a complete case base.
 *
 * A word is a key; its count in a case is its value, so a case has it at most once. Invariants: the
 * remaining features have the numbers they would have had without the rare words; on failure
 * nothing has changed.
 */
#include "cases/dict.h"

hcbr_status hcbr_i_cases_mark_words(hcbr_cases *cases, const hcbr_i_reader *reader,
                                    uint32_t min_count, hcbr_error *err) {
    uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    if (min_count <= 1)
        return HCBR_OK;
    if (!hcbr_i_grow(&cases->least, &cases->least_capacity, keys, sizeof *cases->least))
        return hcbr_i_no_memory(err);
    for (; cases->least_count < keys; cases->least_count++)
        cases->least[cases->least_count] = 0;
    for (uint32_t k = 0; k < keys; k++) {
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, k);
        if (cases->least[k] < min_count && hcbr_i_reader_is_word(reader, key))
            cases->least[k] = min_count;
    }
    return HCBR_OK;
}

/** Names of the features that stay. */
typedef struct remains {
    uint32_t *number;     /**< by feature: its new number, or HCBR_I_NONE */
    uint32_t *key_number; /**< by key, the same */
    uint32_t *keys;       /**< of the features that stay, in new numbers */
    uint32_t *key_lengths, *value_lengths;
    char *key_text, *value_text;
    uint32_t key_count, feature_count;
    size_t key_bytes, value_bytes;
} remains;

static void remains_clear(remains *r) {
    hcbr_i_free(r->number);
    hcbr_i_free(r->key_number);
    hcbr_i_free(r->keys);
    hcbr_i_free(r->key_lengths);
    hcbr_i_free(r->value_lengths);
    hcbr_i_free(r->key_text);
    hcbr_i_free(r->value_text);
}

static bool remains_init(remains *r, const hcbr_i_dict *dict) {
    const uint32_t features = hcbr_i_dict_count(dict), keys = hcbr_i_dict_key_count(dict);
    *r = (remains){
        .number = hcbr_i_alloc(features, sizeof *r->number),
        .key_number = hcbr_i_alloc(keys, sizeof *r->key_number),
        .keys = hcbr_i_alloc(features, sizeof *r->keys),
        .key_lengths = hcbr_i_alloc(keys, sizeof *r->key_lengths),
        .value_lengths = hcbr_i_alloc(features, sizeof *r->value_lengths),
        .key_text = hcbr_i_alloc(hcbr_i_dict_key_bytes(dict).length, 1),
        .value_text = hcbr_i_alloc(hcbr_i_dict_value_bytes(dict).length, 1),
    };
    return r->number && r->key_number && r->keys && r->key_lengths && r->value_lengths &&
           r->key_text && r->value_text;
}

static void append(char *to, size_t *size, const char *text, size_t length) {
    if (length)
        memcpy(to + *size, text, length);
    *size += length;
}

/* Number the remaining features: keys by first use, features in their order. */
static void remains_fill(remains *r, const hcbr_cases *cases, const uint64_t *cases_of_key) {
    const hcbr_i_dict *dict = cases->dict;
    const uint32_t features = hcbr_i_dict_count(dict), keys = hcbr_i_dict_key_count(dict);
    for (uint32_t k = 0; k < keys; k++)
        r->key_number[k] = HCBR_I_NONE;
    for (uint32_t f = 0; f < features; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        r->number[f] = HCBR_I_NONE;
        if (x.key < cases->least_count && cases_of_key[x.key] < cases->least[x.key])
            continue;
        if (r->key_number[x.key] == HCBR_I_NONE) {
            hcbr_i_text key = hcbr_i_dict_key(dict, x.key);
            r->key_number[x.key] = r->key_count;
            r->key_lengths[r->key_count++] = (uint32_t)key.length;
            append(r->key_text, &r->key_bytes, key.at, key.length);
        }
        r->keys[r->feature_count] = r->key_number[x.key];
        r->value_lengths[r->feature_count] = x.value ? x.value_length : HCBR_I_NONE;
        append(r->value_text, &r->value_bytes, x.value, x.value ? x.value_length : 0);
        r->number[f] = r->feature_count++;
    }
}

/* Remove and renumber the features of the cases. */
static void renumber(hcbr_cases *cases, const uint32_t *number) {
    uint64_t to = 0, from = 0;
    cases->empty_count = 0;
    for (uint32_t i = 0; i < cases->case_count; i++) {
        const uint64_t first = to;
        for (; from < cases->start[i + 1]; from++)
            if (number[cases->features[from]] != HCBR_I_NONE)
                cases->features[to++] = number[cases->features[from]];
        cases->start[i + 1] = to;
        cases->empty_count += to == first;
    }
}

hcbr_status hcbr_i_cases_drop_rare(hcbr_cases *cases, hcbr_error *err) {
    const uint64_t occurrences = cases->start[cases->case_count];
    hcbr_i_dict *dict = NULL;
    hcbr_status st = HCBR_OK;
    remains r;
    if (cases->least_count == 0)
        return HCBR_OK;
    uint64_t *cases_of_key =
        hcbr_i_alloc_zero(hcbr_i_dict_key_count(cases->dict), sizeof *cases_of_key);
    if (!remains_init(&r, cases->dict) || !cases_of_key)
        st = hcbr_i_no_memory(err);
    for (uint64_t i = 0; st == HCBR_OK && i < occurrences; i++)
        cases_of_key[hcbr_i_dict_get(cases->dict, cases->features[i]).key]++;
    if (st == HCBR_OK) {
        remains_fill(&r, cases, cases_of_key);
        st = hcbr_i_dict_create(&dict, 1, err);
    }
    if (st == HCBR_OK) {
        hcbr_i_dict_names names = {.key_count = r.key_count,
                                   .feature_count = r.feature_count,
                                   .key_lengths = r.key_lengths,
                                   .keys = r.keys,
                                   .value_lengths = r.value_lengths,
                                   .key_text = {r.key_text, r.key_bytes},
                                   .value_text = {r.value_text, r.value_bytes}};
        dict->hash = cases->dict->hash;
        st = hcbr_i_dict_load(dict, &names, err);
    }
    if (st == HCBR_OK) {
        hcbr_i_dict *old = cases->dict;
        renumber(cases, r.number);
        cases->dict = dict;
        dict = old;
        cases->least_count = 0;
    }
    hcbr_i_dict_release(dict);
    remains_clear(&r);
    hcbr_i_free(cases_of_key);
    return st;
}
