/*
 * Some cases of a base as a base of their own: a model of it learns nothing from the others.
 *
 * The result is the one that reading just their rows gives: features and keys are numbered by first
 * appearance, only labels that occur are present, rows count from 1. So a model of it has the same
 * bytes as one trained from a file with those rows. The same holds for all cases without some of
 * their features, as if these had never been read.
 */
#include "cases/dict.h"

#define RARE (HCBR_I_NONE - 1) /* while features are numbered: one to be left out */

/* Mark the features whose key is a word that too few of the chosen cases have (rare.c); *rare
 * receives these keys, NULL if there cannot be any. */
static hcbr_status mark_rare(const struct hcbr_cases *base, const uint32_t *which, uint32_t count,
                             hcbr_i_feature_id *known, bool **rare, hcbr_error *err) {
    const hcbr_i_numbers *numbers = &base->numbers;
    if (base->least_count == 0)
        return HCBR_OK;
    uint32_t keys = hcbr_i_dict_key_count(base->dict), features = hcbr_i_dict_count(base->dict);
    uint64_t *cases_of_key = hcbr_i_alloc_zero(keys, sizeof *cases_of_key);
    *rare = hcbr_i_alloc_zero(keys, sizeof **rare);
    if (!cases_of_key || !*rare) {
        hcbr_i_free(cases_of_key);
        return hcbr_i_no_memory(err);
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = which[n];
        for (uint64_t j = base->start[i]; j < base->start[i + 1]; j++)
            cases_of_key[hcbr_i_dict_get(base->dict, base->features[j]).key]++;
        for (uint64_t j = numbers->start ? numbers->start[i] : 0;
             numbers->start && j < numbers->start[i + 1]; j++)
            cases_of_key[numbers->key[j]]++;
    }
    for (uint32_t k = 0; k < keys && k < base->least_count; k++)
        (*rare)[k] = cases_of_key[k] < base->least[k];
    for (uint32_t f = 0; f < features; f++) {
        if ((*rare)[hcbr_i_dict_get(base->dict, f).key])
            known[f] = RARE;
    }
    hcbr_i_free(cases_of_key);
    return HCBR_OK;
}

static void unmark_rare(const struct hcbr_cases *base, hcbr_i_feature_id *known) {
    uint32_t features = hcbr_i_dict_count(base->dict);
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

/* Copy the names of features, in their new order, and of the keys they use; key_of receives the
 * numbers of these. */
static hcbr_status copy_names(hcbr_i_dict *to, const hcbr_i_dict *from,
                              const hcbr_i_feature_id *order, uint32_t count, hcbr_i_key_id *key_of,
                              hcbr_error *err) {
    if (from->plain)
        return copy_plain(to, from, order, count, err);
    hcbr_status st = hcbr_i_dict_unfold(to, err);
    memset(key_of, 0xFF, hcbr_i_dict_key_count(from) * sizeof *key_of); // HCBR_I_NONE
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
    return st;
}

/* Room for the numbers of the chosen cases. */
static bool room_items(hcbr_i_numbers *to, const hcbr_i_numbers *from, const uint32_t *which,
                       uint32_t count) {
    size_t items = 0;
    for (uint32_t n = 0; n < count; n++)
        items += (size_t)(from->start[which[n] + 1] - from->start[which[n]]);
    to->start_capacity = (size_t)count + 1;
    to->value_capacity = to->key_capacity = items;
    to->start = hcbr_i_alloc(to->start_capacity, sizeof *to->start);
    to->value = hcbr_i_alloc(items, sizeof *to->value);
    to->key = hcbr_i_alloc(items, sizeof *to->key);
    if (from->spelling) {
        to->spelling = hcbr_i_alloc(items, 1);
        to->spelling_capacity = items;
    }
    return to->start && to->value && to->key && (to->spelling || !from->spelling);
}

/* Copy an item, with its key if that is new. */
static hcbr_status copy_item(struct hcbr_cases *to, const struct hcbr_cases *base, uint64_t at,
                             uint64_t item, hcbr_i_key_id *key_of, hcbr_error *err) {
    const hcbr_i_numbers *from = &base->numbers;
    hcbr_i_numbers *n = &to->numbers;
    hcbr_i_key_id *key = &key_of[from->key[item]];
    char room[HCBR_NUMBER_SIZE];
    if (HCBR_I_UNLIKELY(*key == HCBR_I_NONE)) {
        hcbr_i_text name = hcbr_i_dict_key(base->dict, from->key[item]);
        hcbr_status st = hcbr_i_dict_append_key(to->dict, name.at, name.length, key, err);
        if (st != HCBR_OK)
            return st;
    }
    n->value[at] = from->value[item];
    n->key[at] = *key;
    if (from->spelling)
        n->spelling[at] = from->spelling[item];
    if (from->spelling && from->spelling[item] >= HCBR_I_SPELLED_OTHER &&
        !hcbr_i_numbers_keep_text(n, at, hcbr_i_numbers_text(from, item, room)))
        return hcbr_i_no_memory(err);
    return HCBR_OK;
}

/* Words that too few cases have stay in a copy, and so does what is known of them. */
static hcbr_status copy_least(struct hcbr_cases *to, const struct hcbr_cases *base,
                              const hcbr_i_key_id *key_of, hcbr_error *err) {
    to->least_count = to->least_capacity = hcbr_i_dict_key_count(to->dict);
    to->least = hcbr_i_alloc_zero(to->least_count, sizeof *to->least);
    if (!to->least)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < base->least_count; k++)
        if (key_of[k] != HCBR_I_NONE)
            to->least[key_of[k]] = base->least[k];
    to->keep_rare = base->keep_rare;
    return HCBR_OK;
}

/* Copy the numbers of the chosen cases, but not those of rare words. */
static hcbr_status copy_items(struct hcbr_cases *to, const struct hcbr_cases *base,
                              const uint32_t *which, uint32_t count, const bool *rare,
                              hcbr_i_key_id *key_of, hcbr_error *err) {
    const hcbr_i_numbers *from = &base->numbers;
    uint64_t at = 0;
    to->apart = base->apart;
    if (!from->start)
        return HCBR_OK;
    if (!room_items(&to->numbers, from, which, count))
        return hcbr_i_no_memory(err);
    to->numbers.start[0] = 0;
    to->empty_count = 0;
    for (uint32_t n = 0; n < count; n++) {
        for (uint64_t j = from->start[which[n]]; j < from->start[which[n] + 1]; j++) {
            if (rare && rare[from->key[j]])
                continue;
            hcbr_status st = copy_item(to, base, at, j, key_of, err);
            if (st != HCBR_OK)
                return st;
            at++;
        }
        to->numbers.start[n + 1] = at;
        to->empty_count += to->start[n] == to->start[n + 1] && to->numbers.start[n] == at;
    }
    return HCBR_OK;
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

/* Copy the names of cases, if any of them has one. */
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
                                 const uint32_t *which, uint32_t count, const bool *drop,
                                 bool with_rare, hcbr_i_feature_id *known, hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(base->dict);
    uint64_t occurrences = 0;
    for (uint32_t n = 0; n < count; n++)
        occurrences += base->start[which[n] + 1] - base->start[which[n]];
    hcbr_i_feature_id *order = hcbr_i_alloc(features, sizeof *order);
    hcbr_i_key_id *key_of =
        hcbr_i_alloc(base->dict->plain ? 0 : hcbr_i_dict_key_count(base->dict), sizeof *key_of);
    bool *rare = NULL;
    to->start = hcbr_i_alloc((size_t)count + 1, sizeof *to->start);
    to->features = hcbr_i_alloc((size_t)occurrences + HCBR_I_SLACK, sizeof *to->features);
    hcbr_status st = order && key_of && to->start && to->features ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        memset(known, 0xFF, features * sizeof *known); // HCBR_I_NONE
        for (uint32_t f = 0; drop && f < features; f++)
            known[f] = drop[f] ? RARE : HCBR_I_NONE;
        if (!with_rare)
            st = mark_rare(base, which, count, known, &rare, err);
    }
    if (st == HCBR_OK) {
        to->start[0] = 0;
        uint32_t used = number_features(to, base, which, count, known, order);
        unmark_rare(base, known);
        st = copy_names(to->dict, base->dict, order, used, key_of, err);
    }
    if (st == HCBR_OK)
        st = copy_items(to, base, which, count, rare, key_of, err);
    if (st == HCBR_OK && with_rare && base->least_count)
        st = copy_least(to, base, key_of, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_order_keys(to, err);
    hcbr_i_free(order);
    hcbr_i_free(key_of);
    hcbr_i_free(rare);
    return st;
}

/* hcbr_i_cases_subset() without the features of base that `drop` marks; drop may be NULL. */
static hcbr_status make(struct hcbr_cases **out, const struct hcbr_cases *base,
                        const uint32_t *which, uint32_t count, const bool *drop, bool with_rare,
                        hcbr_i_feature_id *known, uint32_t *label, hcbr_error *err) {
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
        st = copy_features(to, base, which, count, drop, with_rare, known, err);
    if (st == HCBR_OK)
        st = copy_labels(to, base, which, count, label, err);
    if (st == HCBR_OK &&
        (!copy_ids(to, base, which, count) || !copy_groups(to, base, which, count) ||
         !copy_weights(to, base, which, count)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && base->beliefs)
        st =
            hcbr_i_beliefs_subset(&to->beliefs, base->beliefs, base->case_count, which, count, err);
    if (st == HCBR_OK && base->label_name &&
        !(to->label_name = hcbr_i_text_copy(base->label_name, strlen(base->label_name))))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && base->bins &&
        !(to->bins = hcbr_i_text_copy(base->bins, strlen(base->bins))))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        to->as_read = base->as_read;
        to->schema = hcbr_i_schema_share(base->schema);
        to->understood = base->understood;
        st = hcbr_i_cases_merge_equal(to, known, hcbr_i_dict_count(base->dict), err);
    }
    if (st == HCBR_OK) {
        if (!to->as_read)
            hcbr_i_dict_settle(to->dict);
        to->finished = true;
        *out = to;
        to = NULL; // now the caller's
    }
    hcbr_cases_free(to);
    return st;
}

hcbr_status hcbr_i_cases_subset(struct hcbr_cases **out, const struct hcbr_cases *base,
                                const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                uint32_t *label, hcbr_error *err) {
    return make(out, base, which, count, NULL, false, known, label, err);
}

hcbr_status hcbr_i_cases_copy(struct hcbr_cases **out, const struct hcbr_cases *base,
                              const uint32_t *which, uint32_t count, hcbr_error *err) {
    uint32_t *label = hcbr_i_alloc(base->labels.count, sizeof *label);
    hcbr_i_feature_id *known = hcbr_i_alloc(hcbr_i_dict_count(base->dict), sizeof *known);
    hcbr_status st = label && known ? make(out, base, which, count, NULL, true, known, label, err)
                                    : hcbr_i_no_memory(err);
    hcbr_i_free(known);
    hcbr_i_free(label);
    return st;
}

hcbr_status hcbr_i_cases_without(struct hcbr_cases **out, const struct hcbr_cases *base,
                                 const bool *drop, hcbr_error *err) {
    const uint32_t count = base->case_count;
    uint32_t *which = hcbr_i_alloc(count, sizeof *which);
    uint32_t *label = hcbr_i_alloc(base->labels.count, sizeof *label);
    hcbr_i_feature_id *known = hcbr_i_alloc(hcbr_i_dict_count(base->dict), sizeof *known);
    uint64_t *row = base->row ? hcbr_i_alloc(count, sizeof *row) : NULL;
    hcbr_status st =
        which && label && known && (row || !base->row) ? HCBR_OK : hcbr_i_no_memory(err);
    *out = NULL;
    for (uint32_t i = 0; st == HCBR_OK && i < count; i++)
        which[i] = i;
    if (st == HCBR_OK)
        st = make(out, base, which, count, drop, false, known, label, err);
    if (st == HCBR_OK && row) {
        memcpy(row, base->row, count * sizeof *row);
        (*out)->row = row;
        row = NULL; // now the list's
    }
    if (st == HCBR_OK)
        (*out)->rows = base->rows;
    hcbr_i_free(row);
    hcbr_i_free(known);
    hcbr_i_free(label);
    hcbr_i_free(which);
    return st;
}
