/**
 * @file add_case.h
 * Cases that tests add one by one: features, a label and perhaps an id.
 */
#ifndef HCBR_TESTS_ADD_CASE_H
#define HCBR_TESTS_ADD_CASE_H

#include <hcbr/cases.h>

static inline hcbr_status add_one_case(hcbr_cases *cases, const hcbr_feature *features,
                                       size_t count, const char *label, const char *id,
                                       hcbr_error *err) {
    hcbr_labelled_case one;
    hcbr_labelled_case_init(&one);
    one.features = features;
    one.feature_count = count;
    one.label = label;
    one.id = id;
    return hcbr_cases_add(cases, &one, err);
}

#endif
