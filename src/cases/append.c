/*
 * Cases at the end of a case base: the part of adding that is common to all parsers.
 *
 * Invariant: every case in the base is complete; a failed addition is undone completely.
 */
#include "cases/append.h"

#include <assert.h>
#include <xxhash.h>

hcbr_status hcbr_i_append_room(hcbr_cases *cases, size_t more, size_t occurrences,
                               hcbr_error *err) {
    size_t count = cases->case_count + more;
    if (count > HCBR_I_MOST_CASES)
        return hcbr_i_fail(err, HCBR_EDATA, "more than %u cases", HCBR_I_MOST_CASES);
    size_t features = (size_t)cases->start[cases->case_count] + occurrences;
    if (!hcbr_i_grow(&cases->start, &cases->start_capacity, count + 1, sizeof(uint64_t)) ||
        !hcbr_i_grow(&cases->label, &cases->label_capacity, count, sizeof(uint32_t)) ||
        !hcbr_i_grow(&cases->features, &cases->feature_capacity, features + HCBR_I_SLACK,
                     sizeof(hcbr_i_feature_id)))
        return hcbr_i_no_memory(err);
    return HCBR_OK;
}

/* Rows are stored only once one of them is not the case's number + 1. */
static bool add_row(hcbr_cases *cases, uint32_t number, uint64_t row) {
    if (!cases->row && row == (uint64_t)number + 1)
        return true;
    bool first = !cases->row;
    assert(!first || cases->row_capacity == 0);
    if (!hcbr_i_grow(&cases->row, &cases->row_capacity, (size_t)number + 1, sizeof(uint64_t)))
        return false;
    for (uint32_t i = 0; first && i < number; i++)
        cases->row[i] = (uint64_t)i + 1;
    cases->row[number] = row;
    return true;
}

/* Ids are stored only once a case has one. */
static bool add_id(hcbr_cases *cases, uint32_t number, hcbr_i_text id) {
    if (!cases->id_start && !id.at)
        return true;
    bool first = !cases->id_start;
    assert(!first || cases->id_start_capacity == 0);
    if (!hcbr_i_grow(&cases->id_start, &cases->id_start_capacity, (size_t)number + 2,
                     sizeof(uint64_t)) ||
        !hcbr_i_grow(&cases->ids, &cases->id_capacity, cases->id_bytes + id.length + 1, 1))
        return false;
    for (uint32_t i = 0; first && i <= number; i++)
        cases->id_start[i] = 0;
    if (id.length)
        memcpy(cases->ids + cases->id_start[number], id.at, id.length);
    cases->id_start[number + 1] = cases->id_start[number] + id.length;
    cases->id_bytes = (size_t)cases->id_start[number + 1];
    return true;
}

/* Groups are stored only once a case has one. */
static bool add_group(hcbr_cases *cases, uint32_t number, hcbr_i_text group) {
    if (!cases->group && !group.at)
        return true;
    bool first = !cases->group;
    assert(!first || cases->group_capacity == 0);
    if (!hcbr_i_grow(&cases->group, &cases->group_capacity, (size_t)number + 1, sizeof(uint64_t)))
        return false;
    for (uint32_t i = 0; first && i < number; i++)
        cases->group[i] = 0;
    uint64_t hash = group.at ? XXH3_64bits(group.at, group.length) : 0;
    cases->group[number] = group.at && hash == 0 ? 1 : hash;
    return true;
}

/* Weights are stored only once one of them is not 1. */
static bool add_weight(hcbr_cases *cases, uint32_t number, double weight) {
    if (!cases->weight && weight == 1)
        return true;
    bool first = !cases->weight;
    assert(!first || cases->weight_capacity == 0);
    if (!hcbr_i_grow(&cases->weight, &cases->weight_capacity, (size_t)number + 1, sizeof(double)))
        return false;
    for (uint32_t i = 0; first && i < number; i++)
        cases->weight[i] = 1;
    cases->weight[number] = weight;
    return true;
}

hcbr_status hcbr_i_append_place(hcbr_cases *cases, uint32_t number, uint64_t row, hcbr_i_text id,
                                hcbr_i_text group, double weight, hcbr_error *err) {
    if (!add_row(cases, number, row) || !add_id(cases, number, id) ||
        !add_weight(cases, number, weight) || !add_group(cases, number, group))
        return hcbr_i_no_memory(err);
    return HCBR_OK;
}

hcbr_i_append_mark hcbr_i_append_begin(const hcbr_cases *cases) {
    return (hcbr_i_append_mark){.before = *cases,
                                .features = hcbr_i_dict_count(cases->dict),
                                .keys = hcbr_i_dict_key_count(cases->dict)};
}

void hcbr_i_append_undo(hcbr_cases *cases, const hcbr_i_append_mark *mark) {
    const hcbr_cases *before = &mark->before;
    hcbr_i_dict_truncate(cases->dict, mark->features, mark->keys);
    hcbr_i_labels_truncate(&cases->labels, before->labels.count);
    cases->id_bytes = before->id_bytes;
    hcbr_i_numbers_undo(cases, before);
    if (!before->row) {
        hcbr_i_free(cases->row);
        cases->row = NULL;
        cases->row_capacity = 0;
    }
    if (!before->id_start) {
        hcbr_i_free(cases->id_start);
        cases->id_start = NULL;
        cases->id_start_capacity = 0;
    }
    if (!before->group) {
        hcbr_i_free(cases->group);
        cases->group = NULL;
        cases->group_capacity = 0;
    }
    if (!before->weight) {
        hcbr_i_free(cases->weight);
        cases->weight = NULL;
        cases->weight_capacity = 0;
    }
}

hcbr_status hcbr_i_append_block(hcbr_cases *cases, hcbr_i_coded *coded, hcbr_i_column_keys *columns,
                                const hcbr_i_block *block, uint64_t row_base, uint32_t *lengths,
                                size_t *far, hcbr_error *err) {
    const hcbr_i_append_mark mark = hcbr_i_append_begin(cases);
    uint32_t number = cases->case_count, empty = 0;
    hcbr_status st = hcbr_i_append_room(cases, block->case_count, block->name_count, err);
    hcbr_i_feature_id *to = st == HCBR_OK ? cases->features + cases->start[number] : NULL;
    *far = 0;
    if (st == HCBR_OK && block->coded)
        st = hcbr_i_coded_intern(coded, cases->dict, block, number, to, lengths, err);
    else if (st == HCBR_OK && block->numeric)
        st = hcbr_i_dict_intern_cases(cases->dict, block, number, to, lengths, far, err);
    else if (st == HCBR_OK)
        st = hcbr_i_dict_intern(cases->dict, block, number, to, lengths, err);
    if (st == HCBR_OK && cases->apart)
        st = hcbr_i_append_items(cases, columns, block, err);
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++, number++) {
        const hcbr_i_raw_case *raw = &block->cases[c];
        st = hcbr_i_labels_intern(&cases->labels, raw->label.at, raw->label.length,
                                  &cases->label[number], err);
        if (st == HCBR_OK)
            st = hcbr_i_append_place(cases, number, row_base + raw->row, raw->id, raw->group,
                                     raw->weight, err);
        cases->start[number + 1] = cases->start[number] + lengths[c];
        empty += lengths[c] == 0 && raw->item_count == 0;
    }
    if (st != HCBR_OK) {
        hcbr_i_append_undo(cases, &mark);
        return st;
    }
    cases->case_count = number;
    cases->empty_count += empty;
    return HCBR_OK;
}
