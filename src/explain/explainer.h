/**
 * @file explainer.h
 * The inside of an explainer, shared by the files that explain, compare and change a case.
 *
 * A call begins with hcbr_i_explainer_begin() and ends with hcbr_i_explainer_wipe(): in between the
 * arrays over all atoms hold the case at hand.
 */
#ifndef HCBR_I_EXPLAINER_H
#define HCBR_I_EXPLAINER_H

#include "explain/explain.h"

/** An atom of the case at hand. */
typedef struct hcbr_i_touched {
    hcbr_i_atom_id atom;
    size_t first, count; /**< its features in explainer->found */
    double weight;       /**< w(e,x) */
    double lead;
} hcbr_i_touched;

/** A known feature of the case at hand. */
typedef struct hcbr_i_found {
    hcbr_i_atom_id atom;
    hcbr_i_feature_id feature;
} hcbr_i_found;

/** What reasons of a rich model need (reasons.c). */
typedef struct hcbr_i_reasons hcbr_i_reasons;

struct hcbr_explainer {
    const hcbr_model *model;
    hcbr_decider *decider;
    hcbr_i_causes causes;
    hcbr_i_reasons *rich; /**< NULL: the model is plain */
    hcbr_explain_options options;
    hcbr_decision decision;     /**< on the case that was explained last */
    hcbr_progress_fn *progress; /**< NULL: nobody asks */
    void *progress_context;
    uint32_t label, against; /**< of the lead; HCBR_I_NONE: none */
    double lead;             /**< of the case at hand */
    double *weight_of;       /**< by atom: w(e,x), 0 between calls */
    double *lead_of;         /**< by past case: what it adds to the lead; of a plain model 0 between
                                  calls, of a rich one only of those that were offered */
    bool *is_met;            /**< by past case, of a plain model: is it in met? */
    uint32_t *met;           /**< past cases of the case's atoms, of a plain model */
    size_t met_count;
    double *sums; /**< by label: bias, influence_sum, its rounding, influence_absolute, scratch */
    hcbr_i_found *found;
    size_t found_count, found_capacity;
    hcbr_i_touched *atoms;
    size_t atom_count, atom_capacity;
    uint32_t *picked; /**< past cases that were picked out */
    size_t picked_capacity;
    uint32_t *others; /**< past cases that weigh, but not in the lead (others.c) */
    double *other_size;
    size_t other_count, other_capacity, other_size_capacity;
    void **blocks; /**< memory of the last explanation */
    size_t block_count, block_capacity;
};

/**
 * Forget the last call, decide a case and project it: found, atoms, weight_of, label and against.
 *
 * @param decision receives the decision; decision->size must be set.
 */
hcbr_status hcbr_i_explainer_begin(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                   hcbr_decision *decision, hcbr_error *err);
/** Wipe what begin and the influences left in the working arrays. */
void hcbr_i_explainer_wipe(hcbr_explainer *x);
/** Release the memory of the last call. */
void hcbr_i_explainer_forget(hcbr_explainer *x);
/** Memory that lives until the next call; NULL: there is none. */
void *hcbr_i_explainer_take(hcbr_explainer *x, size_t count, size_t size);
/** What one feature of an atom adds to the lead, but for the division by |x|. */
double hcbr_i_explainer_lead(const hcbr_explainer *x, hcbr_i_atom_id atom);
/** The influence by label of past case i through the atoms of the case, or through one of them. */
void hcbr_i_explainer_influence(const hcbr_explainer *x, uint32_t i, hcbr_i_atom_id only,
                                double *out);
/** Tell how far a call is; HCBR_ECANCELLED if it is to stop. */
hcbr_status hcbr_i_explainer_tell(const hcbr_explainer *x, const char *stage, uint64_t done,
                                  uint64_t total, hcbr_error *err);
/** The label that the reasons for a decision are for; HCBR_LABEL_UNKNOWN: nothing weighed. */
static inline hcbr_label hcbr_i_explainer_label(const hcbr_decision *d) {
    return d->winner == HCBR_LABEL_UNKNOWN || d->label == HCBR_LABEL_UNKNOWN ? d->winner : d->label;
}
/** Can a label have the largest support? Not in a plain model if all its past cases are empty. */
static inline bool hcbr_i_explainer_can_win(const hcbr_explainer *x, uint32_t label) {
    return x->rich || x->model->strength.total[label] > 0;
}
/** The label that `label` is measured against: the winner, or of the winner the best other one. */
uint32_t hcbr_i_explainer_other(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label);
/** Support of `label` minus that of the label it is measured against. */
double hcbr_i_explainer_lead_of(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label);
/** Fill what is told of past cases; `only` is an atom or HCBR_I_NONE; lead is by past case, NULL
 *  for 0. NULL: there is no memory. */
const hcbr_explained_case *hcbr_i_explainer_show(hcbr_explainer *x, const uint32_t *cases,
                                                 size_t count, const double *lead,
                                                 hcbr_i_atom_id only);
/** Past cases that add no more than `least` to the lead either way, but something to a support. */
hcbr_status hcbr_i_explainer_pick_others(hcbr_explainer *x, double least, hcbr_explanation *e,
                                         hcbr_error *err);
/** How much of a support for `label` goes into the lead. */
static inline double hcbr_i_explainer_side(const hcbr_explainer *x, uint32_t label) {
    return label == x->label ? 1 : label == x->against ? -1 : 0;
}
/** The label against which the lead is measured, for a public structure. */
hcbr_label hcbr_i_explainer_against(const hcbr_explainer *x);

#endif
