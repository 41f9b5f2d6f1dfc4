/**
 * @file summary.h
 * The reasons of many decisions together: how often each occurs for which answers, which cases have
 * strong reasons for and against, and which are unlike the model's cases.
 */
#ifndef HCBR_SUMMARY_H
#define HCBR_SUMMARY_H

#include <hcbr/explain.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sums of reasons; one thread at a time. The same cases in the same order give the same
 *  summary. */
typedef struct hcbr_summary hcbr_summary;

/** Options of a summary. Fill with hcbr_summary_options_init(). */
typedef struct hcbr_summary_options {
    size_t size;
    size_t most;       /**< columns, atoms and cases of each kind to show; default 10 */
    size_t per_case;   /**< atoms of a case that are its reasons: its first ones; default 3 */
    size_t most_atoms; /**< different atoms counted separately; later ones are counted together;
                            default 100,000 */
} hcbr_summary_options;

/** Set every field to its default. */
#define hcbr_summary_options_init(options) HCBR_INIT(hcbr_summary_options, options)

/** A reason of the cases with one answer: a column, or an atom of features or tests. */
typedef struct hcbr_summed_reason {
    hcbr_label label; /**< the answer */
    const char *name; /**< of a column, not NUL-terminated; NULL: an atom */
    size_t name_length;
    const hcbr_feature *features; /**< of an atom, as in an explanation */
    size_t feature_count;
    hcbr_atom_kind kind;    /**< of an atom */
    uint64_t cases_for;     /**< cases in which it adds to the lead */
    uint64_t cases_against; /**< cases in which it subtracts from the lead */
    uint64_t first;         /**< cases in which no other of its kind adds more to the lead */
    double lead;            /**< its contribution to the lead, the mean over the cases of this
                                 answer; 0 for a case without it */
    double absolute;        /**< the mean of the absolute values, likewise */
} hcbr_summed_reason;

/** The cases with one answer. */
typedef struct hcbr_summed_label {
    hcbr_label label; /**< label of the reasons; HCBR_LABEL_UNKNOWN: no reasons */
    uint64_t cases;
    uint64_t given;                    /**< of them with a label in the data */
    uint64_t right;                    /**< of these with the answer as label */
    uint64_t all_columns, all_atoms;   /**< different ones, not only those shown */
    const hcbr_summed_reason *columns; /**< by descending `absolute`, ties by name */
    size_t column_count;               /**< shown */
    const hcbr_summed_reason *atoms;   /**< by their number of cases, then as columns */
    size_t atom_count;                 /**< shown */
} hcbr_summed_label;

/** A case with conflicting reasons, or unlike others. */
typedef struct hcbr_summed_case {
    uint64_t row;
    const char *id; /**< NULL if it has none; not NUL-terminated */
    size_t id_length;
    hcbr_label label;    /**< label of the reasons */
    double lead_for;     /**< sum of the positive contributions of columns to the lead */
    double lead_against; /**< sum of the negative ones, without the sign */
    uint64_t known;      /**< features that the model knows */
    uint64_t features;   /**< all of them */
} hcbr_summed_case;

/** A summary. Everything is borrowed until the next call. */
typedef struct hcbr_summed {
    size_t size;
    uint64_t cases;
    const hcbr_summed_label *labels; /**< those with cases, in the model's order, then unknown */
    size_t label_count;
    const hcbr_summed_case *conflicts; /**< cases with conflicting columns: the weaker side has at
                                            least three quarters of the stronger. By descending
                                            weaker side, ties by row */
    size_t conflict_count;             /**< shown */
    uint64_t all_conflicts;
    const hcbr_summed_case *unlike; /**< cases with less than half as many known features as a past
                                         case has on average. By ascending known features, ties by
                                         row */
    size_t unlike_count;            /**< shown */
    uint64_t all_unlike;
    double usual;         /**< features of a past case on average */
    uint64_t other_atoms; /**< times that an atom beyond `most_atoms` was a reason */
} hcbr_summed;

/**
 * Start a summary.
 *
 * @param out     receives it, without any case, or NULL on failure; release with
 *                hcbr_summary_free().
 * @param model   of the explanations; must outlive it.
 * @param options NULL for the defaults.
 * @return HCBR_OK or HCBR_ENOMEM.
 *
 * Memory: by the columns and labels of the model and `most_atoms`, not by the cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_summary_create(hcbr_summary **out,
                                                         const hcbr_model *model,
                                                         const hcbr_summary_options *options,
                                                         hcbr_error *err);

/** Release it. NULL is fine. */
HCBR_API void hcbr_summary_free(hcbr_summary *summary);

/**
 * Add a case.
 *
 * @param decision    with row, id and given label, as from a stream.
 * @param explanation of the model; must show all columns (the default) and as many atoms as
 *                    options.per_case, or all. Past cases are not needed. It is not kept.
 * @return HCBR_OK, HCBR_EUSAGE (columns or atoms are missing; nothing is added) or HCBR_ENOMEM (the
 *         summary can only be released).
 *
 * Cost: proportional to the columns with a contribution.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_summary_add(hcbr_summary *summary,
                                                      const hcbr_decision *decision,
                                                      const hcbr_explanation *explanation,
                                                      hcbr_error *err);

/**
 * The summary so far; more cases may be added afterwards.
 *
 * @param out filled; out->size must be set.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_summary_get(hcbr_summary *summary, hcbr_summed *out,
                                                      hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
