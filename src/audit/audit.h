/**
 * @file audit.h
 * Facts about a case base that should be known before training.
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
    struct hcbr_cases *spelled; /**< a copy for cases with separate numbers */
    hcbr_audit_options options;
    hcbr_audit_figures figures;
    uint64_t found[HCBR_FOUND_KINDS]; /**< by kind: number of findings, including those not
                                           listed */
    hcbr_finding *findings;
    size_t finding_count, finding_capacity;
    void **blocks; /**< rows and features of the findings */
    size_t block_count, block_capacity;
};

/** The steps of an audit, in order. */
typedef enum hcbr_i_audit_step {
    HCBR_I_AUDIT_SPELL, /**< separate numbers */
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

#define HCBR_I_AUDIT_STRIDE 1024u /* cases or features between two progress calls */
#ifdef HCBR_FAULTS
extern uint32_t hcbr_i_audit_stride; /**< tests: the same */
#else
#define hcbr_i_audit_stride HCBR_I_AUDIT_STRIDE
#endif

/** Report `done` of the `total` cases or features of a step. HCBR_ECANCELLED: the caller asks to
 *  stop. */
hcbr_status hcbr_i_audit_report(hcbr_audit *audit, hcbr_i_audit_step step, uint64_t done,
                                uint64_t total, hcbr_error *err);
/** The same in a loop, at intervals. */
static inline hcbr_status hcbr_i_audit_tick(hcbr_audit *audit, hcbr_i_audit_step step,
                                            uint64_t done, uint64_t total, hcbr_error *err) {
    return HCBR_I_LIKELY(done % hcbr_i_audit_stride != 0)
               ? HCBR_OK
               : hcbr_i_audit_report(audit, step, done, total, err);
}

/** Count a finding of this kind; returns whether there is room to list it. */
bool hcbr_i_audit_wants(hcbr_audit *audit, hcbr_finding_kind kind);

/**
 * List a finding.
 *
 * @param which    its cases, ascending; the first of them are named by their rows.
 * @param features its features; the first of them are named; may be NULL.
 */
hcbr_status hcbr_i_audit_list(hcbr_audit *audit, const hcbr_finding *finding, const uint32_t *which,
                              size_t count, const hcbr_i_feature_id *features, size_t feature_count,
                              hcbr_error *err);

/** Identical cases (same.c). */
hcbr_status hcbr_i_audit_same(hcbr_audit *audit, hcbr_error *err);
/** Features, atoms and keys (columns.c). */
hcbr_status hcbr_i_audit_columns(hcbr_audit *audit, hcbr_error *err);
/** Statistics of the values of a key (own_values.c). Zero-initialise. */
typedef struct hcbr_i_own_values {
    uint64_t count, numbers, fractions, texts, dates;
    uint64_t codes; /**< whole numbers with as many digits as the first */
    size_t digits;
    double low, high; /**< of the numbers */
} hcbr_i_own_values;
typedef enum hcbr_i_own_kind {
    HCBR_I_OWN_ID,
    HCBR_I_OWN_MEASURED,
    HCBR_I_OWN_TEXT
} hcbr_i_own_kind;
/** Count a value of a key; may be NULL. */
void hcbr_i_own_add(hcbr_i_own_values *own, const char *value, size_t length);
/** Whether the value is a number, a date or a text. Then a new value may be near one of
 *  training. */
bool hcbr_i_own_has_near(const char *value, size_t length);
/** The kind of values that differ in nearly every case. */
hcbr_i_own_kind hcbr_i_own_kind_of(const hcbr_i_own_values *own);
/** The cases of each feature, and the features of each key. Borrowed. */
typedef struct hcbr_i_own_cases {
    const struct hcbr_cases *cases;
    const uint64_t *start; /**< by feature: its cases are by_feature[start[f] .. start[f + 1]) */
    const uint32_t *by_feature;
    const hcbr_i_feature_id *link; /**< by feature: another one of its key; HCBR_I_NONE: no more */
} hcbr_i_own_cases;
/** Whether the numbers of a key give the labels away: each label is a range of them. `first`: the
 *  first feature of the key. */
hcbr_status hcbr_i_own_in_order(const hcbr_i_own_cases *own, hcbr_i_feature_id first, bool *out,
                                hcbr_error *err);
/** Labels and their order, and coverage: how much of a held-out tenth is known (labelled.c). */
hcbr_status hcbr_i_audit_labels(hcbr_audit *audit, hcbr_error *err);
hcbr_status hcbr_i_audit_coverage(hcbr_audit *audit, hcbr_error *err);

#endif
