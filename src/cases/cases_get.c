/*
 * Access to a finished list of cases, case by case.
 *
 * Nothing is copied: results point into the list, which no longer changes.
 */
#include "cases/cases.h"

#include <assert.h>

/* The kinds found; in strict mode the doubts. */
static const hcbr_i_schema *shown(const hcbr_cases *cases) {
    return cases->schema ? cases->schema : cases->doubts;
}

void hcbr_cases_get_kind(const hcbr_cases *cases, size_t index, hcbr_kind *out) {
    hcbr_i_schema_show(shown(cases), index, out);
}

hcbr_cases_info hcbr_cases_get_info(const hcbr_cases *cases) {
    const bool no_label = cases->case_count == 0 && cases->unlabelled;
    return (hcbr_cases_info){.cases = cases->case_count,
                             .empty = cases->empty_count,
                             .rows = cases->rows - hcbr_i_beliefs_cases(cases->beliefs),
                             .skipped = cases->skipped,
                             .occurrences = cases->start ? cases->start[cases->case_count] : 0,
                             .numbers = hcbr_i_cases_item_count(cases),
                             .bytes = cases->bytes,
                             .features = hcbr_i_dict_count(cases->dict),
                             .keys = hcbr_i_dict_key_count(cases->dict),
                             .labels = cases->labels.count,
                             .columns = cases->column_count,
                             .kinds = hcbr_i_schema_count(shown(cases)),
                             .beliefs = cases->beliefs ? cases->beliefs->count : 0,
                             .label_column = no_label            ? NULL
                                             : cases->label_name ? cases->label_name
                                                                 : "label"};
}

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

void hcbr_cases_get_key_name(const hcbr_cases *cases, uint32_t key, hcbr_feature *out) {
    assert(key < hcbr_i_dict_key_count(cases->dict));
    hcbr_i_text text = hcbr_i_dict_key(cases->dict, key);
    *out = (hcbr_feature){text.at, text.length, NULL, 0};
}

const char *hcbr_cases_get_label(const hcbr_cases *cases, hcbr_label label, size_t *length) {
    assert(cases->finished);
    return hcbr_i_labels_name(&cases->labels, label, length);
}
