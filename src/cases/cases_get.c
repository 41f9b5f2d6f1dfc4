/*
 * Access to a finished list of cases, case by case.
 *
 * Nothing is copied: results point into the list, which no longer changes.
 */
#include "cases/cases.h"

#include <assert.h>

void hcbr_cases_get(const hcbr_cases *cases, uint64_t index, hcbr_case *out) {
    assert(cases->finished && !cases->consumed && index < cases->case_count);
    uint64_t first = cases->start[index];
    hcbr_case full = {.size = out->size,
                      .row = cases->row ? cases->row[index] : index + 1,
                      .label = (hcbr_label)cases->label[index],
                      .features = cases->features + first,
                      .feature_count = (size_t)(cases->start[index + 1] - first),
                      .weight = cases->weight ? cases->weight[index] : 1};
    if (cases->numbers.start) {
        uint64_t item = cases->numbers.start[index];
        full.number_keys = cases->numbers.key + item;
        full.numbers = cases->numbers.value + item;
        full.number_count = (size_t)(cases->numbers.start[index + 1] - item);
    }
    if (cases->id_start && cases->id_start[index + 1] > cases->id_start[index]) {
        full.id = cases->ids + cases->id_start[index];
        full.id_length = (size_t)(cases->id_start[index + 1] - cases->id_start[index]);
    }
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_cases_get_feature(const hcbr_cases *cases, uint32_t feature, hcbr_feature *out) {
    assert(feature < hcbr_i_dict_count(cases->dict));
    hcbr_i_dict_feature found = hcbr_i_dict_get(cases->dict, feature);
    hcbr_i_text key = hcbr_i_dict_key(cases->dict, found.key);
    *out = (hcbr_feature){key.at, key.length, found.value, found.value ? found.value_length : 0};
}

uint32_t hcbr_cases_get_key(const hcbr_cases *cases, uint32_t feature) {
    assert(feature < hcbr_i_dict_count(cases->dict));
    return hcbr_i_dict_get(cases->dict, feature).key;
}

uint32_t hcbr_cases_key_count(const hcbr_cases *cases) {
    return hcbr_i_dict_key_count(cases->dict);
}

void hcbr_cases_get_key_name(const hcbr_cases *cases, uint32_t key, hcbr_feature *out) {
    assert(key < hcbr_i_dict_key_count(cases->dict));
    hcbr_i_text text = hcbr_i_dict_key(cases->dict, key);
    *out = (hcbr_feature){text.at, text.length, NULL, 0};
}

uint64_t hcbr_cases_number_count(const hcbr_cases *cases) {
    return hcbr_i_cases_item_count(cases);
}

const char *hcbr_cases_get_label(const hcbr_cases *cases, hcbr_label label, size_t *length) {
    assert(cases->finished);
    return hcbr_i_labels_name(&cases->labels, label, length);
}

const char *hcbr_cases_get_label_column(const hcbr_cases *cases) {
    if (cases->case_count == 0 && cases->unlabelled)
        return NULL;
    return cases->label_name ? cases->label_name : "label";
}
