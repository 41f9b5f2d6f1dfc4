/**
 * @file rich_reasons.h
 * Reasons of rich models: terms of a support gathered into groups, and their past cases. Private to
 * src/rich.
 */
#ifndef HCBR_I_RICH_REASONS_H
#define HCBR_I_RICH_REASONS_H

#include "rich/rich.h"

/** A known feature of the current case, with its variable. */
typedef struct hcbr_i_known {
    uint32_t variable; /**< HCBR_I_NONE: unused */
    uint32_t atom;     /**< HCBR_I_NONE: a number */
    uint32_t id;       /**< of the feature; HCBR_I_NONE: a number */
    hcbr_i_key_id key;
    double number;
    hcbr_feature feature;
} hcbr_i_known;

/** A past case of a group. */
typedef struct hcbr_i_ranked {
    double lead;
    uint32_t case_of;
    uint32_t at; /**< index of its influences, by output */
} hcbr_i_ranked;

/** Terms shown as one: of the same features, or of the same conjunction. */
typedef struct hcbr_i_group {
    uint32_t first, count; /**< its terms: reasons->order[first .. first + count) */
    double lead;
    hcbr_i_ranked *ranked; /**< the largest */
    uint32_t *heap;        /**< of their indices, the least on top */
    size_t ranked_count, ranked_capacity, heap_capacity;
    double *influence; /**< of the ranked cases, by output */
    size_t influence_capacity;
} hcbr_i_group;

/** Groups of the model as a whole (group_ranking.c). */
typedef struct hcbr_i_catalogue {
    hcbr_i_rich_groups groups[2]; /**< by hcbr_group: single tests, conjunctions */
    bool made[2];
} hcbr_i_catalogue;

/** Shared by the explanations of a model (rich_index.c): read-only once it is whole. */
typedef struct hcbr_i_rich_index {
    const hcbr_i_rich *rich;
    hcbr_i_rich_names names;
    hcbr_i_rich_causes causes;
    bool has_causes; /**< past cases are kept */
} hcbr_i_rich_index;

/** The contributions of a case's variables to the lead of a label over another. */
typedef struct hcbr_i_rich_share {
    struct hcbr_i_rich_part {
        uint32_t variable;
        double lead;
    } * parts; /**< each variable once; others contribute nothing */
    size_t count, capacity;
    double constant; /**< of trees without tests, and the bias */
    uint32_t label, against;
    uint64_t index; /**< of the past case */
    bool there;     /**< it is complete */
} hcbr_i_rich_share;
typedef struct hcbr_i_rich_part hcbr_i_rich_part;

/** Comparisons with past cases (variable_shares.c). */
typedef struct hcbr_i_rich_beside {
    hcbr_i_rich_query query; /**< of one of both cases */
    bool has_query;
    hcbr_i_rich_row row;     /**< the case compared last, and */
    hcbr_i_rich_share here;  /**< its share */
    hcbr_i_rich_share *past; /**< of past cases, at an index given by their number */
    size_t remembered;       /**< parts stored there */
    hcbr_i_rich_share many;  /**< of the current past case */
    uint32_t *place;         /**< by variable: index of its part, + 1; 0 between calls */
    uint32_t *marks;         /**< by variable, for the path to a leaf; 0 between calls */
    uint32_t *leaves[HCBR_I_RICH_FOLDS + 1]; /**< by leaf: index of its variables, + 1 */
    uint32_t *variables;                     /**< of a leaf: their count, then their numbers */
    size_t variable_count, variable_capacity;
} hcbr_i_rich_beside;

/** Working memory for reasons of a rich model. */
typedef struct hcbr_i_reasons {
    const hcbr_i_rich *rich;
    hcbr_i_rich_row row;            /**< the current case */
    const hcbr_i_rich_names *names; /**< of the index */
    hcbr_i_rich_causes *causes;     /**< of the index; NULL: past cases add nothing. Written to only
                                         if the index is not shared */
    hcbr_i_rich_query query;
    hcbr_i_known *known; /**< of the current case, by variable */
    size_t known_count, known_capacity;
    uint64_t feature_count;  /**< |x| */
    hcbr_i_rich_test *tests; /**< of the trees' terms, one after the other */
    size_t test_capacity;
    size_t *test_start; /**< by term */
    size_t test_start_capacity;
    uint32_t *order; /**< terms, group by group */
    size_t order_capacity;
    hcbr_i_group *groups; /**< by descending absolute lead, once sorted */
    size_t group_count, group_capacity;
    uint32_t *slot_of; /**< by term: index of its group among those shown */
    size_t slot_capacity;
    double *total;                 /**< merged cases x outputs */
    double *lead;                  /**< by merged case; of a single case, if all weigh the same */
    double *sum, *rest, *absolute; /**< by output */
    size_t shown;                  /**< groups */
    size_t most;                   /**< past cases of each */
    const hcbr_i_account *of;
    bool added; /**< influences were added up */
    bool failed;
    hcbr_i_catalogue catalogue;        /**< made on first use */
    struct hcbr_i_rich_asking *asking; /**< NULL: no questions */
    hcbr_i_rich_beside beside;
} hcbr_i_reasons;

static inline hcbr_i_reasons *hcbr_i_reasons_of(const hcbr_i_account *x) {
    return x->why;
}

/* The functions of the engine (interface.h). */
hcbr_status hcbr_i_rich_index_create(void **out, const void *state, const hcbr_i_frame *frame,
                                     const hcbr_i_index_options *options, hcbr_error *err);
void hcbr_i_rich_index_free(void *index);
hcbr_status hcbr_i_reasons_create(void **out, void *shared, hcbr_error *err);
void hcbr_i_reasons_free(void *why);
hcbr_status hcbr_i_reasons_begin(hcbr_i_account *x, hcbr_error *err);
hcbr_status hcbr_i_reasons_group(hcbr_i_account *x, hcbr_error *err);
hcbr_status hcbr_i_reasons_add(hcbr_i_account *x, hcbr_error *err);
uint64_t hcbr_i_reasons_offer(hcbr_i_account *x, hcbr_i_picker *picker, double least);
bool hcbr_i_reasons_list_others(hcbr_i_account *x, double least, uint64_t told,
                                bool (*each)(void *context, uint32_t i), void *context);
hcbr_status hcbr_i_reasons_each_group(hcbr_i_account *x, hcbr_i_group_fn *each, void *context,
                                      hcbr_error *err);
hcbr_status hcbr_i_reasons_show(hcbr_i_account *x, hcbr_explanation *e, hcbr_error *err);
void hcbr_i_reasons_influence(hcbr_i_account *x, uint32_t i, double *by_label);
hcbr_status hcbr_i_reasons_own(hcbr_i_account *x, hcbr_error *err);
hcbr_status hcbr_i_reasons_rank(hcbr_i_account *x, const hcbr_atom_options *options,
                                hcbr_atom_ranking *out, hcbr_error *err);
hcbr_status hcbr_i_reasons_weigh_one(hcbr_i_account *x, hcbr_error *err);
hcbr_status hcbr_i_reasons_compare(hcbr_i_account *x, uint64_t index, const hcbr_i_case_item *items,
                                   hcbr_compared_feature *list, hcbr_comparison *out,
                                   hcbr_error *err);
hcbr_status hcbr_i_reasons_flip(hcbr_i_search *search, hcbr_error *err);
hcbr_status hcbr_i_reasons_ask_begin(hcbr_i_account *x, const double *support, uint32_t label,
                                     hcbr_error *err);
hcbr_status hcbr_i_reasons_ask(hcbr_i_account *x, hcbr_i_feature_id more, double *lead,
                               uint64_t *steps, hcbr_error *err);
void hcbr_i_reasons_ask_end(hcbr_i_account *x);

/** Possible numbers of a case, and those of a past case (candidate_numbers.c). */
hcbr_status hcbr_i_reasons_numbers(hcbr_i_account *x, const hcbr_i_case_item *const *own,
                                   const hcbr_i_span *spans, hcbr_error *err);
uint64_t hcbr_i_reasons_number_cases(const hcbr_i_account *x, uint32_t number);
/** The number above `low` and not above `high` with the fewest decimals; of these the largest if
 *  `upper`, else the smallest. */
double hcbr_i_reasons_round(double low, double high, bool upper);
uint32_t hcbr_i_reasons_number_count(const void *state, hcbr_i_key_id key);
hcbr_status hcbr_i_reasons_past_numbers(hcbr_i_account *x, uint64_t i, hcbr_i_case_item **out,
                                        size_t *count, hcbr_error *err);
/** The code of a feature or number; HCBR_I_NONE: unused. */
uint32_t hcbr_i_reasons_code(const hcbr_i_account *x, const hcbr_i_case_item *item);
/** Add it to a row. False: no memory. */
bool hcbr_i_reasons_row_add(const hcbr_i_rich_encoder *encoder, const hcbr_i_case_item *item,
                            hcbr_i_rich_row *row);
/** A resolved case as a row. False: no memory. */
bool hcbr_i_reasons_row_set(const hcbr_i_rich_encoder *encoder, const hcbr_i_case *x,
                            hcbr_i_rich_row *row);

/** A conjunction for display: each test written into a key, those that require a feature before
 *  those that exclude one; "any case" without tests. The memory lives until the next call. */
hcbr_status hcbr_i_reasons_test_features(hcbr_i_account *x, const hcbr_i_rich_test *tests,
                                         size_t count, const hcbr_feature **out, size_t *out_count,
                                         hcbr_error *err);

/** The variable of a value with this code; HCBR_I_NONE: unused. */
uint32_t hcbr_i_reasons_variable(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key,
                                 uint32_t code);
/** Edits of a row (support_probe.h) that remove or add a value with this code; of a number or
 *  category any value is removed. `out` has room for 2, or for the members of a sparse number.
 *  Returns the number of edits. */
size_t hcbr_i_reasons_edit_out(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, uint32_t code,
                               hcbr_i_rich_edit *out);
size_t hcbr_i_reasons_edit_in(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, uint32_t code,
                              hcbr_i_rich_edit *out);
/** The contribution of values by output to the lead. */
static inline double hcbr_i_reasons_lead(const hcbr_i_account *x, const double *by_output) {
    if (hcbr_i_reasons_of(x)->rich->outputs == 1) {
        double sides = hcbr_i_account_side(x, 1) - hcbr_i_account_side(x, 0);
        return x->frame.label_count == 2 ? sides * by_output[0] : by_output[0];
    }
    return by_output[x->label] - (x->against == HCBR_I_NONE ? 0 : by_output[x->against]);
}
/** Their contribution to every label. */
void hcbr_i_reasons_by_label(const hcbr_i_account *x, const double *by_output, double factor,
                             double *by_label);

/** The contributions of the variables of the current case and of a past case to its lead
 * (variable_shares.c). Valid until the next call of the same function. */
hcbr_status hcbr_i_rich_beside_here(hcbr_i_account *x, const hcbr_i_rich_share **out,
                                    hcbr_error *err);
hcbr_status hcbr_i_rich_beside_past(hcbr_i_account *x, uint64_t index,
                                    const hcbr_i_rich_share **out, hcbr_error *err);
void hcbr_i_rich_beside_clear(hcbr_i_rich_beside *beside);

/** The share of a past case in its merged case; 0 if it has no weight. */
static inline double hcbr_i_reasons_part(const hcbr_i_reasons *r, uint32_t i) {
    uint32_t row = r->causes->row_of[i];
    if (row == HCBR_I_NONE)
        return 0;
    return (r->causes->weight ? r->causes->weight[i] : 1.0) / r->causes->table.weight[row];
}

#endif
