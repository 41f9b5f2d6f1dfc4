/**
 * @file explain.h
 * Reasons: the groups of features that weighed in a decision and the past cases behind them, for
 * and against, adding up exactly to the support.
 *
 * Every bit of support was put there by a past case: by its share in a strength, or by a wrong
 * decision on it in training. The influence of a past case on a label is the sum of what it put
 * into the atoms of the case at hand; the influences of all past cases, with the bias (0 in a plain
 * model), are the support. It is an account of where the support came from, not what leaving the
 * case out would do.
 */
#ifndef HCBR_EXPLAIN_H
#define HCBR_EXPLAIN_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much is shown. Fill with hcbr_explain_options_init(). What is not shown is counted in. */
typedef struct hcbr_explain_options {
    size_t size;
    size_t top;        /**< atoms at the most; SIZE_MAX: all; default 10 */
    size_t cases;      /**< past cases for, and as many against, at the most; default 5 */
    size_t atom_cases; /**< past cases behind each atom at the most; default 3 */
} hcbr_explain_options;

/** Set every field to its default. */
HCBR_API void hcbr_explain_options_init(hcbr_explain_options *options);

/** A past case that weighed. */
typedef struct hcbr_explained_case {
    uint64_t index; /**< number of the kept case, for hcbr_model_get_kept() */
    uint64_t row;   /**< data row it came from, from 1 */
    const char *id; /**< NULL if it has none or names are not kept; not NUL-terminated */
    size_t id_length;
    hcbr_label label;
    double lead;             /**< what it adds to the lead (below) */
    const double *influence; /**< what it adds to the support of every label */
} hcbr_explained_case;

/** An atom of which the case has at least one feature. */
typedef struct hcbr_explained_atom {
    uint32_t atom;
    const hcbr_feature *features; /**< those of its features that the case has */
    size_t feature_count;
    uint32_t size;                    /**< |e|: features it has in all */
    double weight;                    /**< w(e,x), its share of the case */
    double lead;                      /**< what it adds to the lead (below) */
    const double *contribution;       /**< what it adds to the support of every label */
    uint64_t case_count;              /**< past cases that have it */
    const hcbr_explained_case *cases; /**< those that weigh most through this atom alone, by falling
                                           absolute lead */
    size_t shown_cases;
} hcbr_explained_atom;

/** Why a case was decided as it was. Everything is borrowed until the next call. */
typedef struct hcbr_explanation {
    size_t size;
    hcbr_decision decision;
    hcbr_label label;   /**< what is explained: the label with the largest support (rule R1) */
    hcbr_label against; /**< the best other one, HCBR_LABEL_UNKNOWN if there is none. A lead is what
                             is added to the support of `label` minus what is added to that of
                             `against` */
    const double *bias; /**< by label; 0 in a plain model */
    const double *influence_sum; /**< by label: bias and the influences of all past cases, equal to
                                      the support; NULL where no cases are kept */
    const double *influence_absolute;     /**< by label: their absolute values added up; likewise */
    const hcbr_explained_atom *atoms;     /**< by falling absolute lead */
    size_t atom_count;                    /**< shown */
    uint64_t all_atoms;                   /**< touched by the case */
    const hcbr_explained_case *analogies; /**< past cases for the decision, by falling lead */
    size_t analogy_count;
    const hcbr_explained_case *counter_examples; /**< against it, by rising (negative) lead */
    size_t counter_count;
    uint64_t all_for, all_against; /**< past cases with a positive, a negative lead */
    const char *no_cases;          /**< why past cases are not shown; NULL: they are */
} hcbr_explanation;

/** Working memory to explain decisions of one model; one per thread. */
typedef struct hcbr_explainer hcbr_explainer;

/**
 * Prepare to explain.
 *
 * @param out   receives the explainer, NULL on failure; release with hcbr_explainer_free().
 * @param model must outlive the explainer. Of a model that keeps no cases only atoms are shown.
 * @param rule  how to decide; NULL for the rule stored in the model.
 * @return HCBR_OK, HCBR_EUSAGE (as hcbr_decider_create()) or HCBR_ENOMEM.
 *
 * Cost: one pass over the kept cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_create(hcbr_explainer **out,
                                                           const hcbr_model *model,
                                                           const hcbr_rule *rule, hcbr_error *err);

/** Release an explainer. NULL is fine. */
HCBR_API void hcbr_explainer_free(hcbr_explainer *explainer);

/**
 * Decide one case and say why.
 *
 * @param features    in any order; a repeated one counts once; UTF-8 without NUL.
 * @param options     NULL for the defaults.
 * @param explanation filled; explanation->size must be set.
 * @return HCBR_OK, HCBR_EDATA or HCBR_ENOMEM.
 *
 * Cost: proportional to the past cases of the case's atoms.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_explain(
    hcbr_explainer *explainer, const hcbr_feature *features, size_t count,
    const hcbr_explain_options *options, hcbr_explanation *explanation, hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
