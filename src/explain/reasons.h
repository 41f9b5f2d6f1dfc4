/**
 * @file reasons.h
 * Reasons of rich models: terms of a support gathered into groups, and the past cases behind them.
 * Private to src/explain.
 */
#ifndef HCBR_I_REASONS_H
#define HCBR_I_REASONS_H

#include "explainer.h"

/** A known feature of the case at hand and the variable it is a value of. */
typedef struct hcbr_i_known {
    uint32_t variable;   /**< HCBR_I_NONE: it says nothing */
    hcbr_i_atom_id atom; /**< HCBR_I_NONE: a number that no past case has */
    hcbr_feature feature;
} hcbr_i_known;

/** A past case of a group. */
typedef struct hcbr_i_ranked {
    double lead;
    uint32_t case_of;
    uint32_t at; /**< its influences, by output */
} hcbr_i_ranked;

/** Terms that are shown as one: of the same features, or of the same conjunction. */
typedef struct hcbr_i_group {
    uint32_t first, count; /**< its terms: reasons->order[first .. first + count) */
    double lead;
    uint64_t cases;        /**< past cases that weigh through it */
    hcbr_i_ranked *ranked; /**< the weightiest */
    uint32_t *heap;        /**< of their places, the least on top */
    size_t ranked_count, ranked_capacity, heap_capacity;
    double *influence; /**< theirs, by output */
    size_t influence_capacity;
} hcbr_i_group;

/** Groups of the model as a whole (rank_groups.c). */
typedef struct hcbr_i_catalogue {
    hcbr_i_rich_groups groups[2]; /**< by hcbr_group: tests of the atoms, conjunctions */
    bool made[2];
} hcbr_i_catalogue;

struct hcbr_i_reasons {
    hcbr_i_rich_names names;
    hcbr_i_rich_causes causes;
    bool has_causes; /**< past cases are kept */
    hcbr_i_rich_query query;
    hcbr_i_known *known; /**< of the case at hand, by variable */
    size_t known_count, known_capacity;
    uint64_t feature_count;  /**< |x| */
    hcbr_i_rich_test *tests; /**< of the trees' terms, one after the other */
    size_t test_capacity;
    size_t *test_start; /**< by term */
    size_t test_start_capacity;
    uint32_t *order; /**< terms, group by group */
    size_t order_capacity;
    hcbr_i_group *groups; /**< by falling absolute lead, once they are sorted */
    size_t group_count, group_capacity;
    uint32_t *slot_of; /**< by term: place of its group among those shown */
    size_t slot_capacity;
    double *slots; /**< as in hcbr_i_rich_tally */
    size_t slots_capacity;
    hcbr_i_rich_mask *slot_met; /**< the same */
    size_t slot_met_capacity;
    double *total; /**< merged cases x outputs */
    double *lead;  /**< by merged case; of one of its cases, if all weigh the same */
    double *sum, *rest, *absolute; /**< by output */
    size_t shown;                  /**< groups */
    size_t most;                   /**< past cases behind each */
    const hcbr_explainer *of;
    bool failed;
    hcbr_i_catalogue catalogue; /**< made when it is asked for */
};

#ifdef HCBR_FAULTS
/** Tests: bytes at the most for residuals of past cases. */
extern size_t hcbr_i_reasons_most;
#endif

/** Memory for the reasons of a model; NULL in *out for a plain one. */
hcbr_status hcbr_i_reasons_create(hcbr_i_reasons **out, const hcbr_model *model, hcbr_error *err);
void hcbr_i_reasons_free(hcbr_i_reasons *reasons);

/** Find the terms of the case that was just decided, and its known features. */
hcbr_status hcbr_i_reasons_set(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                               const hcbr_decision *decision, hcbr_error *err);
/** Gather the terms into groups, by falling absolute lead (groups.c). */
hcbr_status hcbr_i_reasons_group(hcbr_explainer *x, hcbr_error *err);
/** Add up the influences of all past cases: x->sums, and the weightiest behind each of the first
 *  groups. */
hcbr_status hcbr_i_reasons_add(hcbr_explainer *x, hcbr_error *err);
/** Offer the past cases on one side to a picker of x->lead_of, after hcbr_i_reasons_add(). Returns
 *  how many add more than `least` to it. */
uint64_t hcbr_i_reasons_offer(hcbr_explainer *x, hcbr_i_picker *picker, double least);
/** Call for every past case that weighs but adds no more than `least` to the lead, after
 *  hcbr_i_reasons_add(). False: it returned false. */
bool hcbr_i_reasons_list_others(hcbr_explainer *x, double least,
                                bool (*each)(hcbr_explainer *x, uint32_t i));
/** Fill the groups of an explanation. */
hcbr_status hcbr_i_reasons_show(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err);
/** A conjunction as it is shown: each test written into a key, those that ask for a feature before
 *  those that exclude one; "any case" if there is none. The memory lives until the next call. */
hcbr_status hcbr_i_reasons_test_features(hcbr_explainer *x, const hcbr_i_rich_test *tests,
                                         size_t count, const hcbr_feature **out, size_t *out_count,
                                         hcbr_error *err);
/** The influence of a past case by label, after hcbr_i_reasons_add(). */
void hcbr_i_reasons_influence(const hcbr_explainer *x, uint32_t i, double *by_label);

/** The variable of a value with this code; HCBR_I_NONE: it says nothing. */
uint32_t hcbr_i_reasons_variable(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key,
                                 uint32_t code);
/** Edits of a row (rich_probe.h) that a value with this code goes, of a number or category any
 *  value; or comes. `out` has room for 2, or for the members of a sparse number. Returns how many.
 */
size_t hcbr_i_reasons_edit_out(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, uint32_t code,
                               hcbr_i_rich_edit *out);
size_t hcbr_i_reasons_edit_in(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, uint32_t code,
                              hcbr_i_rich_edit *out);
/** Weigh the features of a comparison by what the groups that test them add (versus.c). */
hcbr_status hcbr_i_reasons_compare(hcbr_explainer *x, uint64_t index, hcbr_comparison *out,
                                   hcbr_error *err);
/** The features of a past case, ascending; NULL: memory is short (compare.c). */
uint32_t *hcbr_i_compare_past(hcbr_explainer *x, uint64_t index, size_t *count);
/** Sort compared features by what they move (compare.c). */
void hcbr_i_compare_sort(hcbr_compared_feature *at, size_t count);

/** What values by output add to the lead. */
static inline double hcbr_i_reasons_lead(const hcbr_explainer *x, const double *by_output) {
    if (x->model->rich->outputs == 1) {
        double sides = hcbr_i_explainer_side(x, 1) - hcbr_i_explainer_side(x, 0);
        return x->model->labels.count == 2 ? sides * by_output[0] : by_output[0];
    }
    return by_output[x->label] - (x->against == HCBR_I_NONE ? 0 : by_output[x->against]);
}
/** What they add to every label. */
void hcbr_i_reasons_by_label(const hcbr_explainer *x, const double *by_output, double factor,
                             double *by_label);

/** The part of a merged case that a past case is; 0 if it has no weight. */
static inline double hcbr_i_reasons_part(const hcbr_i_reasons *r, uint32_t i) {
    uint32_t row = r->causes.row_of[i];
    if (row == HCBR_I_NONE)
        return 0;
    return (r->causes.weight ? r->causes.weight[i] : 1.0) / r->causes.table.weight[row];
}

#endif
