/**
 * @file audit.h
 * What should be known about a case base before training.
 *
 * Findings of a kind are collected in the order of their weight; rows are those of the data. Counts
 * by kind are complete, even if not all findings are listed.
 */
#ifndef HCBR_I_AUDIT_H
#define HCBR_I_AUDIT_H

#include "folds/folds.h"
#include "model/model.h"

#include <hcbr/audit.h>

struct hcbr_audit {
    const struct hcbr_cases *cases;
    struct hcbr_cases *spelled; /**< a copy, if numbers stand apart in those given */
    hcbr_audit_options options;
    hcbr_audit_figures figures;
    uint64_t found[HCBR_FOUND_KINDS]; /**< by kind: how many there are, also those not listed */
    hcbr_finding *findings;
    size_t finding_count, finding_capacity;
    void **blocks; /**< rows and features of the findings */
    size_t block_count, block_capacity;
};

/** What an audit does, in this order. */
typedef enum hcbr_i_audit_step {
    HCBR_I_AUDIT_SPELL, /**< numbers that stand apart */
    HCBR_I_AUDIT_SORT,  /**< cases, to find identical ones */
    HCBR_I_AUDIT_SAME,
    HCBR_I_AUDIT_TURN, /**< the cases of each feature */
    HCBR_I_AUDIT_KEYS,
    HCBR_I_AUDIT_ATOMS,
    HCBR_I_AUDIT_LIST,
    HCBR_I_AUDIT_LABELS,
    HCBR_I_AUDIT_COVERAGE,
    HCBR_I_AUDIT_END
} hcbr_i_audit_step;

#define HCBR_I_AUDIT_STRIDE 1024u /* cases or features between two reports */
#ifdef HCBR_FAULTS
extern uint32_t hcbr_i_audit_stride; /**< tests: the same */
#else
#define hcbr_i_audit_stride HCBR_I_AUDIT_STRIDE
#endif

/** Report that `done` of the `total` cases or features of a step are done. HCBR_ECANCELLED: the
 *  caller wants to stop. */
hcbr_status hcbr_i_audit_report(hcbr_audit *audit, hcbr_i_audit_step step, uint64_t done,
                                uint64_t total, hcbr_error *err);
/** The same inside of a loop, now and then. */
static inline hcbr_status hcbr_i_audit_tick(hcbr_audit *audit, hcbr_i_audit_step step,
                                            uint64_t done, uint64_t total, hcbr_error *err) {
    return HCBR_I_LIKELY(done % hcbr_i_audit_stride != 0)
               ? HCBR_OK
               : hcbr_i_audit_report(audit, step, done, total, err);
}

/** Is there room to list one more finding of this kind? It is counted in any case. */
bool hcbr_i_audit_wants(hcbr_audit *audit, hcbr_finding_kind kind);

/**
 * List a finding.
 *
 * @param which    cases it concerns, ascending; the first of them are named by their rows.
 * @param features it is about; the first of them are named; may be NULL.
 */
hcbr_status hcbr_i_audit_list(hcbr_audit *audit, const hcbr_finding *finding, const uint32_t *which,
                              size_t count, const hcbr_i_feature_id *features, size_t feature_count,
                              hcbr_error *err);

/** Identical cases (same.c). */
hcbr_status hcbr_i_audit_same(hcbr_audit *audit, hcbr_error *err);
/** Features, atoms and keys (columns.c). */
hcbr_status hcbr_i_audit_columns(hcbr_audit *audit, hcbr_error *err);
/** What the values of a key look like (own_values.c). Zero-initialise. */
typedef struct hcbr_i_own_values {
    uint64_t count, numbers, fractions, texts, dates;
    uint64_t codes; /**< whole numbers of as many digits as the first */
    size_t digits;
    double low, high; /**< of the numbers */
} hcbr_i_own_values;
typedef enum hcbr_i_own_kind {
    HCBR_I_OWN_ID,
    HCBR_I_OWN_MEASURED,
    HCBR_I_OWN_TEXT
} hcbr_i_own_kind;
/** Count a value of a key; NULL: none. */
void hcbr_i_own_add(hcbr_i_own_values *own, const char *value, size_t length);
/** Is the value a number, a date or a text? Then a new one need not be one of training: there are
 *  others near it. */
bool hcbr_i_own_has_near(const char *value, size_t length);
/** If nearly every case has its own value: what are they? */
hcbr_i_own_kind hcbr_i_own_kind_of(const hcbr_i_own_values *own);
/** The cases of each feature, and the features of each key. Borrowed. */
typedef struct hcbr_i_own_cases {
    const struct hcbr_cases *cases;
    const uint64_t *start; /**< by feature: its cases are by_feature[start[f] .. start[f + 1]) */
    const uint32_t *by_feature;
    const hcbr_i_feature_id *link; /**< by feature: another one of its key; HCBR_I_NONE: no more */
} hcbr_i_own_cases;
/** Do the numbers of a key give the labels away: is each label a range of them? `first`: where the
 *  features of the key begin. */
hcbr_status hcbr_i_own_in_order(const hcbr_i_own_cases *own, hcbr_i_feature_id first, bool *out,
                                hcbr_error *err);
/** Labels and their order, and what is known of a tenth held out (labelled.c). */
hcbr_status hcbr_i_audit_labels(hcbr_audit *audit, hcbr_error *err);
hcbr_status hcbr_i_audit_coverage(hcbr_audit *audit, hcbr_error *err);

#endif
