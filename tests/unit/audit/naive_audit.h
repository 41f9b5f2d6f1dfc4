/**
 * @file naive_audit.h
 * Figures and findings of an audit counted case by case, for the tests of src/audit.
 */
#ifndef HCBR_TEST_NAIVE_AUDIT_H
#define HCBR_TEST_NAIVE_AUDIT_H

#include "base/base.h"

#include <hcbr/audit.h>

enum { AUDIT_CASES = 130, AUDIT_FEATURES = 400, AUDIT_KEYS = 10, AUDIT_FOUND = 600 };

/** A table of cases and features. A feature is `key=value`, or the key alone. */
typedef struct audit_table {
    uint32_t cases, labels, features, keys;
    uint32_t label[AUDIT_CASES];
    bool has[AUDIT_CASES][AUDIT_FEATURES];
    uint32_t key[AUDIT_FEATURES];
    bool bare[AUDIT_FEATURES];
    int looks[AUDIT_KEYS]; /**< of its values: 0 codes, 1 words, 2 numbers with a fraction */
} audit_table;

/** An expected finding. */
typedef struct audit_expected {
    hcbr_finding_kind kind;
    int serious;
    uint64_t count;
    hcbr_label label;
    double share;
    uint32_t row_count;
    uint64_t rows[AUDIT_CASES]; /**< all of them, from 1 */
    uint32_t feature_count;
    uint32_t features[AUDIT_FEATURES]; /**< all of them */
    bool one_of;                       /**< one of the features is named, not all */
    bool some_rows;                    /**< the rows are some of the cases */
} audit_expected;

typedef struct audit_naive {
    hcbr_audit_figures figures;
    uint64_t by_kind[HCBR_FOUND_KINDS]; /**< number of findings */
    uint32_t count;
    audit_expected found[AUDIT_FOUND]; /**< contradictions and duplicates in their order */
} audit_naive;

/**
 * @param fold by case: 0 is held out. NULL: too few cases.
 */
void audit_naive_make(audit_naive *out, const audit_table *table, const uint32_t *fold);

#endif
