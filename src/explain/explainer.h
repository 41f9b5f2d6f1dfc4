/**
 * @file explainer.h
 * The implementation of an explainer, shared by the files that explain, compare and change a case.
 *
 * A call begins with hcbr_i_explainer_begin() and ends with hcbr_i_explainer_wipe(): in between the
 * engine holds the current case. Engines are known by their interface alone.
 */
#ifndef HCBR_I_EXPLAINER_H
#define HCBR_I_EXPLAINER_H

#include "explain/explain.h"

/** The contributions of columns to a case, without columns that no atom tests. */
typedef struct hcbr_i_by_column {
    hcbr_i_text *texts; /**< names of the text columns */
    size_t text_count;
    uint32_t *column;     /**< by key: its column, + 1, once known; NULL: no texts */
    uint32_t *word_place; /**< by key: index of its lead among words, + 1; 0 between calls; NULL: no
                               texts */
    uint32_t *word_met;   /**< keys with one */
    double *word_lead;
    uint64_t *pairs; /**< columns and keys of the words of the current atom */
    size_t pair_capacity;
    size_t word_count, word_met_capacity, word_lead_capacity;
    uint32_t *place; /**< by column: index of its sums, + 1; 0 between calls */
    uint32_t *met;   /**< columns with sums */
    double *sums;    /**< by place: by label, then the lead */
    size_t count, met_capacity, sums_capacity;
    uint32_t *tested; /**< columns of the current atom */
    size_t tested_capacity;
    double *part; /**< its part for each of them, by label */
    size_t part_capacity;
} hcbr_i_by_column;

/** The case of the last call (given.c). Zero-initialise to start. */
typedef struct hcbr_i_given {
    hcbr_feature *features; /**< as given */
    size_t count, feature_capacity;
    hcbr_i_case_item *items; /**< the same, resolved */
    size_t item_capacity;
    struct hcbr_i_given_list {
        hcbr_i_case_item *items;
        size_t capacity;
        bool there;
    } by_id, by_key;      /**< the same, sorted by id or by key; made when first needed */
    hcbr_feature *unseen; /**< unknown features among them */
    size_t unseen_count, unseen_capacity;
    char *text; /**< of names that the model does not have */
    size_t text_capacity;
    bool there;
} hcbr_i_given;
/** Resolve a case, unless it is the last one: then *out, which must be unchanged, stays. Its
 *  contents are valid until another case is resolved. */
hcbr_status hcbr_i_given_resolve(hcbr_i_given *given, hcbr_decider *decider,
                                 const hcbr_feature *features, size_t count, hcbr_i_case *out,
                                 hcbr_error *err);
/** Whether it is the last case. */
bool hcbr_i_given_is(const hcbr_i_given *given, const hcbr_feature *features, size_t count);
/** The items of a case in an order, for qsort(); list: of this case, always in the same order.
 *  Valid until another case is resolved. NULL: no memory. */
const hcbr_i_case_item *hcbr_i_given_sort(struct hcbr_i_given_list *list, const hcbr_i_case *x,
                                          int (*order)(const void *a, const void *b));
void hcbr_i_given_clear(hcbr_i_given *given);

/** Data shared by explanations. */
struct hcbr_index {
    const hcbr_model *model;
    hcbr_i_frame frame;
    void *of_engine;
};

struct hcbr_explainer {
    const hcbr_model *model;
    hcbr_index *own;             /**< NULL: it is shared */
    const hcbr_i_engine *engine; /**< of the model */
    hcbr_decider *decider;
    hcbr_decision decision; /**< for the case explained last */
    hcbr_i_account a;       /**< shared with the engine */
    hcbr_i_case at;         /**< the current case, resolved */
    hcbr_i_given given;     /**< the source of `at` */
    bool begun;             /**< label, against and lead of the account are those of that case */
    uint32_t *picked;       /**< past cases that were picked */
    size_t picked_capacity;
    uint64_t itself;  /**< past case identical with the one explained last; UINT64_MAX: none */
    double own_lead;  /**< its contribution to the lead */
    uint32_t *others; /**< past cases with influence, but not on the lead (others.c) */
    double *other_size;
    size_t other_count, other_capacity, other_size_capacity;
    hcbr_i_by_column by_column; /**< contributions of columns (by_column.c) */
};

#ifdef HCBR_FAULTS
/** Tests: the default of max_memory. */
extern uint64_t hcbr_i_index_most;
#endif
/** Make an index; `whole` as in hcbr_i_index_options. */
hcbr_status hcbr_i_index_make(hcbr_index **out, const hcbr_model *model,
                              const hcbr_index_options *options, bool whole, hcbr_error *err);

/**
 * Forget the last call, resolve a case unless it is the same again, decide it and let the engine
 * find its atoms: x->at, label, against and lead of the account.
 *
 * @param decision receives the decision; decision->size must be set.
 */
hcbr_status hcbr_i_explainer_begin(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                   hcbr_decision *decision, hcbr_error *err);
/** Forget the last call, except for its case; false if that was another case. Results of begin that
 *  wipe keeps are still there: x->at, label, against and lead, as needed to compare. */
bool hcbr_i_explainer_again(hcbr_explainer *x, const hcbr_feature *features, size_t count);
/** Reset the effects of begin and the influences. */
void hcbr_i_explainer_wipe(hcbr_explainer *x);
/** The label of a decision's reasons; HCBR_LABEL_UNKNOWN: no reasons. */
static inline hcbr_label hcbr_i_explainer_label(const hcbr_decision *d) {
    return d->winner == HCBR_LABEL_UNKNOWN || d->label == HCBR_LABEL_UNKNOWN ? d->winner : d->label;
}
/** Whether a label can have the largest support. */
static inline bool hcbr_i_explainer_can_win(const hcbr_explainer *x, uint32_t label) {
    return x->engine->can_win(x->model->state, label);
}
/** Whether the largest support decides, except for identical past cases. */
static inline bool hcbr_i_explainer_is_pure(const hcbr_explainer *x) {
    const hcbr_i_rule *rule = &x->decider->rule;
    return !x->decider->thresholds && !rule->has_cut && !rule->costs.by_given;
}
/** The label that `label` is compared with: the winner, or for the winner the best other one. */
uint32_t hcbr_i_explainer_other(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label);
/** Support of `label` minus that of the label it is compared with. */
double hcbr_i_explainer_lead_of(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label);
/** Fill in past cases; lead is by past case, NULL for 0. NULL: no memory. */
const hcbr_explained_case *hcbr_i_explainer_show(hcbr_explainer *x, const uint32_t *cases,
                                                 size_t count, const double *lead);
/** Past cases that contribute no more than `least` to the lead either way, but something to a
 *  support. */
hcbr_status hcbr_i_explainer_pick_others(hcbr_explainer *x, double least, hcbr_explanation *e,
                                         hcbr_error *err);
/** The contribution of each column, after the engine's terms: columns, their number, and rest of
 *  e. */
hcbr_status hcbr_i_explainer_by_column(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err);
void hcbr_i_by_column_clear(hcbr_i_by_column *by);
/** List the text columns, unless done before. */
hcbr_status hcbr_i_by_column_begin(hcbr_explainer *x, hcbr_error *err);
/** The text column that a key is a word of, the longest name of several; NULL: none. */
const hcbr_i_text *hcbr_i_by_column_text(const hcbr_i_by_column *by, hcbr_i_text key);
/** Align the compared features, column by column (align.c). */
hcbr_status hcbr_i_explainer_align(hcbr_explainer *x, hcbr_comparison *out, hcbr_error *err);
/** The label that the lead is compared with, for a public structure. */
hcbr_label hcbr_i_explainer_against(const hcbr_explainer *x);

#endif
