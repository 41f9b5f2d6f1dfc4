/*
 * Some cases of a base as a base of their own: what is learnt from them owes nothing to the others.
 *
 * The result is the one that reading just their rows gives: features and keys are numbered by first
 * appearance, only labels that occur are there, rows count from 1. So a model of it has the same
 * bytes as one that was trained from a file with those rows.
 */
#include "cases/dict.h"

#define RARE (HCBR_I_NONE - 1) /* while features are numbered: one to be left out */

/* Mark the features whose key is a word that too few of the chosen cases have (rare.c). */
static hcbr_status mark_rare(const struct hcbr_cases *base, const uint32_t *which, uint32_t count,
                             hcbr_i_feature_id *known, hcbr_error *err) {
    if (base->least_count == 0)
        return HCBR_OK;
    uint32_t keys = hcbr_i_dict_key_count(base->dict), features = hcbr_i_dict_count(base->dict);
    uint64_t *cases_of_key = hcbr_i_alloc_zero(keys, sizeof *cases_of_key);
    if (!cases_of_key)
        return hcbr_i_no_memory(err);
    for (uint32_t n = 0; n < count; n++)
        for (uint64_t j = base->start[which[n]]; j < base->start[which[n] + 1]; j++)
            cases_of_key[hcbr_i_dict_get(base->dict, base->features[j]).key]++;
    for (uint32_t f = 0; f < features; f++) {
        hcbr_i_key_id key = hcbr_i_dict_get(base->dict, f).key;
        if (key < base->least_count && cases_of_key[key] < base->least[key])
            known[f] = RARE;
    }
    hcbr_i_free(cases_of_key);
    return HCBR_OK;
}

static void unmark_rare(const struct hcbr_cases *base, hcbr_i_feature_id *known) {
    uint32_t features = base->least_count ? hcbr_i_dict_count(base->dict) : 0;
    for (uint32_t f = 0; f < features; f++)
        if (known[f] == RARE)
            known[f] = HCBR_I_NONE;
}

/* Number the features of the chosen cases by first appearance. order[n] is feature n's old number.
 */
static uint32_t number_features(struct hcbr_cases *to, const struct hcbr_cases *base,
                                const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                hcbr_i_feature_id *order) {
    uint32_t features = 0;
    uint64_t at = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t begin = base->start[which[n]], end = base->start[which[n] + 1];
        for (uint64_t j = begin; j < end; j++) {
            hcbr_i_feature_id f = base->features[j];
            if (HCBR_I_UNLIKELY(known[f] >= RARE)) {
                if (known[f] == RARE)
                    continue;
                order[features] = f;
                known[f] = features++;
            }
            to->features[at++] = known[f];
        }
        to->start[n + 1] = at;
        to->empty_count += to->start[n] == at;
    }
    memset(to->features + at, 0, HCBR_I_SLACK * sizeof *to->features);
    return features;
}

/* Copy names that are plain, in their new order. */
static hcbr_status copy_plain(hcbr_i_dict *to, const hcbr_i_dict *from,
                              const hcbr_i_feature_id *order, uint32_t count, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t n = 0; st == HCBR_OK && n < count; n++)
        st = hcbr_i_dict_append_plain(to, hcbr_i_dict_plain_number(from, order[n]), err);
    return st;
}

/* Copy the names of features, in their new order, and of the keys they use. */
static hcbr_status copy_names(hcbr_i_dict *to, const hcbr_i_dict *from,
                              const hcbr_i_feature_id *order, uint32_t count, hcbr_error *err) {
    if (from->plain)
        return copy_plain(to, from, order, count, err);
    uint32_t keys = hcbr_i_dict_key_count(from);
    hcbr_i_key_id *key_of = hcbr_i_alloc(keys, sizeof *key_of);
    hcbr_status st = key_of ? hcbr_i_dict_unfold(to, err) : hcbr_i_no_memory(err);
    if (key_of)
        memset(key_of, 0xFF, keys * sizeof *key_of); // HCBR_I_NONE
    if (st == HCBR_OK &&
        !hcbr_i_grow(&to->features, &to->feature_capacity, count, sizeof *to->features))
        st = hcbr_i_no_memory(err);
    for (uint32_t n = 0; st == HCBR_OK && n < count; n++) {
        hcbr_i_dict_feature f = hcbr_i_dict_get(from, order[n]);
        if (key_of[f.key] == HCBR_I_NONE) {
            hcbr_i_text key = hcbr_i_dict_key(from, f.key);
            st = hcbr_i_dict_append_key(to, key.at, key.length, &key_of[f.key], err);
        }
        if (st == HCBR_OK)
            st = hcbr_i_dict_append(to, key_of[f.key], f.value, f.value ? f.value_length : 0, err);
    }
    hcbr_i_free(key_of);
    return st;
}

/* The labels that occur, in the fixed order; back[l] receives the number in base. */
static hcbr_status copy_labels(struct hcbr_cases *to, const struct hcbr_cases *base,
                               const uint32_t *which, uint32_t count, uint32_t *back,
                               hcbr_error *err) {
    const hcbr_i_labels *labels = &base->labels;
    uint32_t *number = hcbr_i_alloc(labels->count, sizeof *number); /* by label of base */
    uint32_t *map = hcbr_i_alloc(labels->count, sizeof *map), *old = NULL;
    hcbr_status st = number && map ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        memset(number, 0xFF, labels->count * sizeof *number); // HCBR_I_NONE
    for (uint32_t n = 0; st == HCBR_OK && n < count; n++) {
        uint32_t l = base->label[which[n]];
        if (number[l] == HCBR_I_NONE)
            st = hcbr_i_labels_intern(&to->labels, labels->names[l], labels->lengths[l], &number[l],
                                      err);
        to->label[n] = number[l];
    }
    if (st == HCBR_OK && !(old = hcbr_i_alloc(to->labels.count, sizeof *old)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        for (uint32_t l = 0; l < labels->count; l++)
            if (number[l] != HCBR_I_NONE)
                old[number[l]] = l;
    if (st == HCBR_OK && (st = hcbr_i_labels_sort(&to->labels, map, err)) == HCBR_OK) {
        for (uint32_t n = 0; n < count; n++)
            to->label[n] = map[to->label[n]];
        for (uint32_t l = 0; l < to->labels.count; l++)
            back[map[l]] = old[l];
    }
    hcbr_i_free(number);
    hcbr_i_free(map);
    hcbr_i_free(old);
    return st;
}

/* Names of cases; none are stored if none of them has one. */
static bool copy_ids(struct hcbr_cases *to, const struct hcbr_cases *base, const uint32_t *which,
                     uint32_t count) {
    size_t bytes = 0;
    bool any = false;
    if (!base->id_start)
        return true;
    for (uint32_t n = 0; n < count; n++)
        bytes += (size_t)(base->id_start[which[n] + 1] - base->id_start[which[n]]);
    any = bytes > 0;
    if (!any)
        return true;
    to->id_start = hcbr_i_alloc((size_t)count + 1, sizeof *to->id_start);
    to->ids = hcbr_i_alloc(bytes, 1);
    if (!to->id_start || !to->ids)
        return false;
    to->id_bytes = bytes;
    to->id_start[0] = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t begin = base->id_start[which[n]], length = base->id_start[which[n] + 1] - begin;
        memcpy(to->ids + to->id_start[n], base->ids + begin, length);
        to->id_start[n + 1] = to->id_start[n] + length;
    }
    return true;
}

/* Groups keep their numbers; their names are not needed any more. */
static bool copy_groups(struct hcbr_cases *to, const struct hcbr_cases *base, const uint32_t *which,
                        uint32_t count) {
    if (!base->group)
        return true;
    if (!(to->group = hcbr_i_alloc(count, sizeof *to->group)))
        return false;
    for (uint32_t n = 0; n < count; n++)
        to->group[n] = base->group[which[n]];
    return true;
}

static bool copy_weights(struct hcbr_cases *to, const struct hcbr_cases *base,
                         const uint32_t *which, uint32_t count) {
    if (!base->weight)
        return true;
    if (!(to->weight = hcbr_i_alloc(count, sizeof *to->weight)))
        return false;
    for (uint32_t n = 0; n < count; n++)
        to->weight[n] = base->weight[which[n]];
    return true;
}

static hcbr_status copy_features(struct hcbr_cases *to, const struct hcbr_cases *base,
                                 const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                 hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(base->dict);
    uint64_t occurrences = 0;
    for (uint32_t n = 0; n < count; n++)
        occurrences += base->start[which[n] + 1] - base->start[which[n]];
    hcbr_i_feature_id *order = hcbr_i_alloc(features, sizeof *order);
    to->start = hcbr_i_alloc((size_t)count + 1, sizeof *to->start);
    to->features = hcbr_i_alloc((size_t)occurrences + HCBR_I_SLACK, sizeof *to->features);
    hcbr_status st = order && to->start && to->features ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        memset(known, 0xFF, features * sizeof *known); // HCBR_I_NONE
        st = mark_rare(base, which, count, known, err);
    }
    if (st == HCBR_OK) {
        to->start[0] = 0;
        uint32_t used = number_features(to, base, which, count, known, order);
        unmark_rare(base, known);
        st = copy_names(to->dict, base->dict, order, used, err);
    }
    hcbr_i_free(order);
    return st;
}

hcbr_status hcbr_i_cases_subset(struct hcbr_cases **out, const struct hcbr_cases *base,
                                const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                uint32_t *label, hcbr_error *err) {
    *out = NULL;
    struct hcbr_cases *to = hcbr_i_alloc_zero(1, sizeof *to);
    if (!to)
        return hcbr_i_no_memory(err);
    to->case_count = count;
    to->rows = count;
    to->label = hcbr_i_alloc(count, sizeof *to->label);
    hcbr_status st = to->label ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_create(&to->dict, 0, err);
    if (st == HCBR_OK)
        st = copy_features(to, base, which, count, known, err);
    if (st == HCBR_OK)
        st = copy_labels(to, base, which, count, label, err);
    if (st == HCBR_OK &&
        (!copy_ids(to, base, which, count) || !copy_groups(to, base, which, count) ||
         !copy_weights(to, base, which, count)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && base->label_name &&
        !(to->label_name = hcbr_i_text_copy(base->label_name, strlen(base->label_name))))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        to->finished = true;
        *out = to;
        to = NULL; // now the caller's
    }
    hcbr_cases_free(to);
    return st;
}
