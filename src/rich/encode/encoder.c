/*
 * From a case to codes: features by the encoder's dictionary, numbers by their cuts.
 *
 * The offsets of columns, members, cuts and codes follow from the order of keys and features, so
 * they are not stored.
 */
#include "rich/rich.h"

#include <math.h>
#include <stdlib.h>

/* The number of features of each key. */
static uint32_t *count_features(const hcbr_i_rich_encoder *e) {
    uint32_t *count = hcbr_i_alloc_zero(e->key_count, sizeof *count);
    for (uint32_t f = 0; count && f < e->feature_count; f++)
        count[hcbr_i_dict_get(e->dict, f).key]++;
    return count;
}

/* The keys of features that have only numbers. */
static void find_numbers(hcbr_i_rich_encoder *e) {
    double value;
    uint8_t spelling;
    for (uint32_t k = 0; k < e->key_count; k++)
        e->keys[k].all_numbers =
            e->keys[k].kind == HCBR_I_RICH_CATEGORY || e->keys[k].kind == HCBR_I_RICH_BAG;
    for (uint32_t f = 0; f < e->feature_count; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(e->dict, f);
        if (e->keys[x.key].all_numbers &&
            (!x.value || !hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length)))
            e->keys[x.key].all_numbers = false;
    }
    for (uint32_t k = 0; k < e->key_count; k++)
        e->has_spellings |= e->keys[k].all_numbers;
}

bool hcbr_i_rich_encoder_place(hcbr_i_rich_encoder *e) {
    uint32_t *features = count_features(e), f = 0, cuts = 0, values = 0, dense = 0;
    uint32_t counted = e->feature_count;
    for (uint32_t k = 0; k < e->key_count; k++)
        dense += e->keys[k].kind == HCBR_I_RICH_NUMBER || e->keys[k].kind == HCBR_I_RICH_CATEGORY;
    e->code = hcbr_i_alloc(e->feature_count, sizeof *e->code);
    e->columns = hcbr_i_alloc(dense, sizeof *e->columns);
    bool ok = features && e->code && e->columns;
    e->column_count = e->bag_count = 0;
    for (uint32_t k = 0; ok && k < e->key_count; k++) {
        hcbr_i_rich_key *key = &e->keys[k];
        bool number = key->kind == HCBR_I_RICH_NUMBER, category = key->kind == HCBR_I_RICH_CATEGORY;
        bool exact = number && key->value_count <= HCBR_I_RICH_EXACT;
        uint32_t codes = number ? key->cut_count + 1 : features[k];
        key->cut_start = cuts;
        key->value_start = values;
        key->column = e->column_count;
        key->bag = e->bag_count;
        cuts += key->cut_count;
        values += exact ? key->value_count : 0;
        key->count_start = counted;
        counted += hcbr_i_rich_is_number(key) ? key->cut_count + 1 : 0;
        for (uint32_t v = 0; v < features[k]; v++, f++)
            e->code[f] = category                       ? v + 1
                         : key->kind == HCBR_I_RICH_BAG ? e->bag_count + v
                                                        : HCBR_I_NONE;
        if (number || category)
            e->columns[e->column_count++] = (hcbr_i_rich_column){k, number, exact, (uint8_t)codes};
        else if (key->kind == HCBR_I_RICH_BAG)
            e->bag_count += features[k];
        else if (key->kind == HCBR_I_RICH_SPARSE)
            e->bag_count += 1 + key->cut_count;
    }
    hcbr_i_free(features);
    if (ok)
        find_numbers(e);
    return ok;
}

uint32_t hcbr_i_rich_value_count(const hcbr_i_rich_encoder *e) {
    uint32_t count = e->feature_count;
    for (uint32_t k = 0; k < e->key_count; k++)
        count += hcbr_i_rich_is_number(&e->keys[k]) ? e->keys[k].cut_count + 1 : 0;
    return count;
}

void hcbr_i_rich_encoder_clear(hcbr_i_rich_encoder *encoder) {
    hcbr_i_dict_release(encoder->dict);
    hcbr_i_free(encoder->keys);
    hcbr_i_free(encoder->code);
    hcbr_i_free(encoder->columns);
    hcbr_i_free(encoder->cuts);
    hcbr_i_free(encoder->values);
    *encoder = (hcbr_i_rich_encoder){0};
}

/* ---- a case ---------------------------------------------------------------------------------- */

void hcbr_i_rich_row_begin(const hcbr_i_rich_encoder *encoder, hcbr_i_rich_row *row) {
    row->bag_count = 0;
    memset(row->codes, 0, encoder->column_count);
}

static bool add_members(hcbr_i_rich_row *row, uint32_t first, uint32_t count) {
    if (!hcbr_i_grow(&row->bag, &row->bag_capacity, (size_t)row->bag_count + count,
                     sizeof *row->bag))
        return false;
    for (uint32_t b = 0; b < count; b++)
        row->bag[row->bag_count++] = first + b;
    return true;
}

/* Of several values of a column the one with the largest code counts, in any order: as for sparse
   numbers, where a larger number has all members of a smaller one. */
static inline void put_code(hcbr_i_rich_row *row, const hcbr_i_rich_key *key, uint32_t code) {
    if (code > row->codes[key->column])
        row->codes[key->column] = (uint8_t)code;
}

bool hcbr_i_rich_row_add(const hcbr_i_rich_encoder *encoder, hcbr_i_feature_id feature,
                         hcbr_i_rich_row *row) {
    const hcbr_i_rich_key *key = &encoder->keys[hcbr_i_dict_get(encoder->dict, feature).key];
    uint32_t code = encoder->code[feature];
    if (code == HCBR_I_NONE)
        return true;
    if (key->kind == HCBR_I_RICH_BAG)
        return add_members(row, code, 1);
    put_code(row, key, code);
    return true;
}

bool hcbr_i_rich_row_add_number(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id k, double value,
                                hcbr_i_rich_row *row) {
    const hcbr_i_rich_key *key = &encoder->keys[k];
    uint8_t code = hcbr_i_rich_code(encoder->cuts + key->cut_start, key->cut_count, value);
    if (key->kind == HCBR_I_RICH_SPARSE)
        return add_members(row, key->bag, code);
    put_code(row, key, code);
    return true;
}

bool hcbr_i_rich_plain_number(const hcbr_i_rich_key *key, const char *text, size_t length,
                              double *value) {
    return hcbr_i_rich_is_number(key) && text && hcbr_number_parse(value, text, length) &&
           isfinite(*value);
}

bool hcbr_i_rich_number(const hcbr_i_rich_key *key, const char *text, size_t length,
                        double *value) {
    return hcbr_i_rich_is_number(key) && text && hcbr_i_kind_number(value, text, length);
}

hcbr_i_feature_id hcbr_i_rich_find(const hcbr_i_rich_encoder *e, const hcbr_feature *x) {
    double value;
    uint8_t spelling;
    char room[HCBR_NUMBER_SIZE + 64], *text = room;
    hcbr_i_feature_id id =
        hcbr_i_dict_find(e->dict, x->key, x->key_length, x->value, x->value_length);
    if (id != HCBR_I_NONE || !x->value)
        return id;
    hcbr_i_key_id k = hcbr_i_dict_find_key(e->dict, x->key, x->key_length);
    if (k == HCBR_I_NONE || !e->keys[k].all_numbers ||
        !hcbr_i_decimal_read(&value, &spelling, x->value, x->value_length))
        return id;
    if (x->value_length > 64 && !(text = hcbr_i_alloc(x->value_length + HCBR_NUMBER_SIZE, 1)))
        return id;
    size_t length = hcbr_i_decimal_canonical(text, x->value, x->value_length);
    id = hcbr_i_dict_find(e->dict, x->key, x->key_length, text, length);
    if (text != room)
        hcbr_i_free(text);
    return id;
}

bool hcbr_i_rich_row_add_text(const hcbr_i_rich_encoder *encoder, const hcbr_feature *x,
                              hcbr_i_rich_row *row, bool *known) {
    hcbr_i_key_id k = hcbr_i_dict_find_key(encoder->dict, x->key, x->key_length);
    double value;
    *known = false;
    if (k == HCBR_I_NONE)
        return true;
    if (hcbr_i_rich_plain_number(&encoder->keys[k], x->value, x->value_length, &value)) {
        *known = true;
        return hcbr_i_rich_row_add_number(encoder, k, value, row);
    }
    hcbr_i_feature_id id = hcbr_i_rich_find(encoder, x);
    *known = id != HCBR_I_NONE;
    return !*known || hcbr_i_rich_row_add(encoder, id, row);
}

hcbr_i_key_id *hcbr_i_rich_keys_of(const hcbr_i_rich_encoder *encoder,
                                   const struct hcbr_cases *cases) {
    const uint32_t count = hcbr_i_dict_key_count(cases->dict);
    hcbr_i_key_id *keys = hcbr_i_alloc(count, sizeof *keys);
    for (uint32_t k = 0; keys && k < count; k++) {
        const hcbr_i_text name = hcbr_i_dict_key(cases->dict, k);
        keys[k] = hcbr_i_dict_find_key(encoder->dict, name.at, name.length);
    }
    return keys;
}

bool hcbr_i_rich_row_add_case(const hcbr_i_rich_encoder *encoder, const struct hcbr_cases *cases,
                              uint32_t i, const hcbr_i_key_id *keys, hcbr_i_rich_row *row) {
    const hcbr_i_numbers *numbers = &cases->numbers;
    char room[HCBR_NUMBER_SIZE];
    bool ok = true, known;
    for (uint64_t j = cases->start[i]; ok && j < cases->start[i + 1]; j++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, cases->features[j]);
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, x.key);
        hcbr_feature f = {key.at, key.length, x.value, x.value ? x.value_length : 0};
        ok = hcbr_i_rich_row_add_text(encoder, &f, row, &known);
    }
    for (uint64_t j = numbers->start ? numbers->start[i] : 0;
         ok && numbers->start && j < numbers->start[i + 1]; j++) {
        const hcbr_i_key_id k = keys[numbers->key[j]];
        if (k != HCBR_I_NONE && hcbr_i_rich_is_number(&encoder->keys[k]) &&
            isfinite(numbers->value[j])) {
            ok = hcbr_i_rich_row_add_number(encoder, k, numbers->value[j], row);
            continue;
        }
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, numbers->key[j]);
        hcbr_i_text value = hcbr_i_numbers_text(numbers, j, room);
        hcbr_feature f = {key.at, key.length, value.at, value.length};
        ok = hcbr_i_rich_row_add_text(encoder, &f, row, &known);
    }
    return ok;
}

static int by_member(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void hcbr_i_rich_row_end(hcbr_i_rich_row *row) {
    bool sorted = true;
    for (uint32_t b = 1; b < row->bag_count && sorted; b++)
        sorted = row->bag[b - 1] < row->bag[b];
    if (sorted)
        return;
    qsort(row->bag, row->bag_count, sizeof *row->bag, by_member);
    uint32_t kept = 0;
    for (uint32_t b = 0; b < row->bag_count; b++)
        if (kept == 0 || row->bag[b] != row->bag[kept - 1])
            row->bag[kept++] = row->bag[b];
    row->bag_count = kept;
}

void hcbr_i_rich_row_clear(hcbr_i_rich_row *row) {
    hcbr_i_free(row->codes);
    hcbr_i_free(row->bag);
    *row = (hcbr_i_rich_row){0};
}
