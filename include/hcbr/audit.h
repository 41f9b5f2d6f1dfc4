/**
 * @file audit.h
 * Checks of labelled cases before training: contradictions, duplicates, features that leak the
 * label, columns that look like ids, and the effect on accuracy.
 */
#ifndef HCBR_AUDIT_H
#define HCBR_AUDIT_H

#include <hcbr/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The subject of a finding. */
typedef enum hcbr_finding_kind {
    HCBR_FOUND_ONE_LABEL = 0,     /**< all cases have the same label */
    HCBR_FOUND_LEAK = 1,          /**< a group of features gives a label away */
    HCBR_FOUND_LEAK_KEY = 2,      /**< the values of a key give the labels away */
    HCBR_FOUND_IDS = 3,           /**< nearly every case has its own value of a key, and they are
                                       neither measurements nor dates nor texts */
    HCBR_FOUND_CONTRADICTION = 4, /**< identical cases with different labels */
    HCBR_FOUND_COVERAGE = 5,      /**< little of held-out cases is known */
    HCBR_FOUND_EMPTY = 6,         /**< cases without any feature */
    HCBR_FOUND_RARE_LABEL = 7,    /**< a label of few cases */
    HCBR_FOUND_ORDER = 8,         /**< the cases are in the order of their labels */
    HCBR_FOUND_DUPLICATE = 9,     /**< identical cases with one label */
    HCBR_FOUND_CONSTANT = 10,     /**< features that every case has */
    HCBR_FOUND_ONE_OFF = 11,      /**< features that only one case has */
    HCBR_FOUND_TEXT = 12          /**< nearly every case has its own value of a key, and they are
                                       words */
} hcbr_finding_kind;
#define HCBR_FOUND_KINDS 13

/** Name of a kind: "one label", "leak", "leaking key", "ids", "contradiction", "coverage", "empty",
 *  "rare label", "order", "duplicate", "constant", "one-off", "text". */
HCBR_API const char *hcbr_finding_name(hcbr_finding_kind kind);

/** A finding. Everything is borrowed from the audit and its cases. */
typedef struct hcbr_finding {
    size_t size;
    hcbr_finding_kind kind;
    int serious;          /**< 1: look at it before training */
    uint64_t count;       /**< number of its cases */
    const uint64_t *rows; /**< data rows of the first of them, ascending */
    size_t row_count;
    const hcbr_feature *features; /**< its first features; for a key, one of its features */
    size_t feature_count;
    uint64_t all_features; /**< number of its features */
    hcbr_label label;      /**< its label; HCBR_LABEL_UNKNOWN: none */
    double share; /**< Leak: share of the cases with the features that have the label. Ids, text:
                     number of different values divided by the cases with the key. Contradiction:
                     share of the most frequent label. Coverage: share of the features of held-out
                     cases that are known. Order: changes of label divided by those of a random
                     order. Otherwise: share of all cases or features */
} hcbr_finding;

/** Figures of a case base. */
typedef struct hcbr_audit_figures {
    size_t size;
    uint64_t cases, empty, occurrences;
    uint32_t features, keys, labels;
    uint32_t atoms;
    uint64_t different;     /**< different sets of features */
    uint64_t duplicates;    /**< cases identical to an earlier one, with the same label */
    uint64_t contradictory; /**< cases for which an identical one has another label */
    double
        accuracy_limit; /**< highest accuracy on these cases of any rule that sees only features */
    uint64_t constant;  /**< features in every case that is not empty */
    uint64_t one_off;   /**< features in one case */
    uint64_t held_out;  /**< number of cases in a tenth that is held out; 0: too few cases */
    double coverage;    /**< share of their features that other cases have, without features whose
                             value is a number, a date or a text, which may be near others; NaN for
                             none */
    uint64_t serious;   /**< listed findings that are serious */
    uint32_t model_features; /**< different features of a rich model of all cases
                                  (hcbr_model_info.values); `features` counts those of the cases as
                                  read, before columns are converted by kind */
} hcbr_audit_figures;

/** Options of an audit. Fill with hcbr_audit_options_init(). */
typedef struct hcbr_audit_options {
    size_t size;
    size_t most;                /**< findings of one kind to list; default 10 */
    size_t rows;                /**< rows and features to name in each; default 10 */
    uint64_t seed;              /**< of the draw of held-out cases; default 1 */
    uint32_t threads;           /**< default 1 */
    hcbr_progress_fn *progress; /**< stage "audit", in thousandths; may be NULL */
    void *progress_context;
} hcbr_audit_options;

/** Set every field to its default. */
#define hcbr_audit_options_init(options) HCBR_INIT(hcbr_audit_options, options)

/** The findings about a list of cases. */
typedef struct hcbr_audit hcbr_audit;

/**
 * Check labelled cases.
 *
 * The same cases, options and seed give the same findings for any number of threads.
 *
 * @param out     receives the findings, NULL on failure; release with hcbr_audit_free().
 * @param cases   a finished list that no model has used up; not changed; must outlive the audit.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: sorting the cases and their features. Threads: options->threads of them during the call.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_audit_create(hcbr_audit **out, const hcbr_cases *cases,
                                                       const hcbr_audit_options *options,
                                                       hcbr_error *err);

/** Release an audit. NULL is fine. */
HCBR_API void hcbr_audit_free(hcbr_audit *audit);

/** Fill figures; figures->size must be set. */
HCBR_API void hcbr_audit_get_figures(const hcbr_audit *audit, hcbr_audit_figures *figures);

/** The number of findings of a kind, including those not listed; 0 for an invalid kind. */
HCBR_API uint64_t hcbr_audit_count_kind(const hcbr_audit *audit, hcbr_finding_kind kind);

/** The number of findings listed. */
HCBR_API size_t hcbr_audit_count(const hcbr_audit *audit);

/** Fill finding number `index`, ordered by kind, the most important kind first; finding->size must
 * be set. */
HCBR_API void hcbr_audit_get(const hcbr_audit *audit, size_t index, hcbr_finding *finding);

#ifdef __cplusplus
}
#endif
#endif
