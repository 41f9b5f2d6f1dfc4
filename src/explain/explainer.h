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
    const hcbr_row *row;    /**< the current case */
    uint64_t begun; /**< serial of the row whose label, against and lead are those of the account */
    uint32_t *picked; /**< past cases that were picked */
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
 * Forget the last call, decide a row and let the engine find its atoms: label, against and lead of
 * the account.
 *
 * @param decision receives the decision; decision->size must be set.
 */
hcbr_status hcbr_i_explainer_begin(hcbr_explainer *x, const hcbr_row *row, hcbr_decision *decision,
                                   hcbr_error *err);
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
