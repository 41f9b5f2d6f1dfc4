/**
 * @file plain_reasons.h
 * Reasons of plain models (METHOD 9): the contribution of each atom and each past case to the
 * support. Private to src/plain.
 *
 * Past case i contributes to mu^(l)(e)
 *     |e|^2 d^(l)(e) / (|F| Z^(l)(i) total^(l)),  Z^(l)(i) = sum of d^(l) |e| over its atoms,
 * if i is in the scope of l, and the moves of training for it. The first part is `part[e][l]` times
 * `inverse[i]`, so that a past case costs one load and one multiplication.
 */
#ifndef HCBR_I_PLAIN_REASONS_H
#define HCBR_I_PLAIN_REASONS_H

#include "plain/plain.h"

/** A move of training on one atom for one case. */
typedef struct hcbr_i_atom_move {
    uint32_t case_of;
    uint32_t decided;
    double delta;
} hcbr_i_atom_move;

/** The kept cases by atom (plain_causes.c). */
typedef struct hcbr_i_causes {
    const hcbr_i_plain *plain;
    const hcbr_i_frame *frame;
    uint64_t *start; /**< cases of atom e: cases[start[e] .. start[e+1]), ascending */
    uint32_t *cases;
    uint64_t *move_start; /**< moves of atom e, by case and label decided */
    hcbr_i_atom_move *moves;
    double *inverse; /**< 1 / Z of a case's own label (scope class), or of every label, case by case
                          (scope all); 0 where Z is 0 */
} hcbr_i_causes;

/** Index the cases kept by a model; if it keeps none, the lists are empty. */
hcbr_status hcbr_i_causes_init(hcbr_i_causes *causes, const hcbr_i_plain *plain,
                               const hcbr_i_frame *frame, hcbr_error *err);
void hcbr_i_causes_clear(hcbr_i_causes *causes);

/** The factor of 1 / Z: |e|^2 d^(l)(e) / (|F| total^(l)). */
double hcbr_i_causes_part(const hcbr_i_causes *causes, hcbr_i_atom_id atom, uint32_t label);

/** 1 / Z^(l)(i), 0 if case i is out of the scope of label l. */
static inline double hcbr_i_causes_inverse(const hcbr_i_causes *causes, uint32_t i, uint32_t l) {
    const hcbr_i_frame *m = causes->frame;
    if (m->scope == HCBR_SCOPE_CLASS)
        return m->kept_label[i] == l ? causes->inverse[i] : 0;
    return causes->inverse[(size_t)i * m->label_count + l];
}

/** An atom of the current case. */
typedef struct hcbr_i_touched {
    hcbr_i_atom_id atom;
    size_t first, count; /**< its features in why->found */
    double weight;       /**< w(e,x) */
    double lead;
} hcbr_i_touched;

/** A known feature of the current case. */
typedef struct hcbr_i_found {
    hcbr_i_atom_id atom;
    hcbr_i_feature_id feature;
} hcbr_i_found;

/** Working memory for reasons of a plain model. */
typedef struct hcbr_i_plain_why {
    const hcbr_i_causes *causes; /**< the index, which may be shared */
    double *weight_of;           /**< by atom: w(e,x), 0 between calls */
    bool *is_met;                /**< by past case: whether it is in met */
    uint32_t *met;               /**< past cases of the case's atoms */
    size_t met_count;
    hcbr_i_found *found;
    size_t found_count, found_capacity;
    double size; /**< |x| */
    hcbr_i_touched *atoms;
    size_t atom_count, atom_capacity;
    uint32_t *picked; /**< past cases that were picked */
    size_t picked_capacity;
    double *asked; /**< by label: supports times |x|, for asking */
    uint32_t asked_label;
} hcbr_i_plain_why;

static inline hcbr_i_plain_why *hcbr_i_plain_why_of(const hcbr_i_account *x) {
    return x->why;
}

/** The contribution of one feature of an atom to the lead, without its importance and before the
 *  division by |x|. */
double hcbr_i_plain_lead(const hcbr_i_account *x, hcbr_i_atom_id atom);

/* The functions of the engine (interface.h). */
hcbr_status hcbr_i_plain_index_create(void **out, const void *state, const hcbr_i_frame *frame,
                                      const hcbr_i_index_options *options, hcbr_error *err);
void hcbr_i_plain_index_free(void *index);
hcbr_status hcbr_i_plain_why_create(void **out, void *index, hcbr_error *err);
void hcbr_i_plain_why_free(void *memory);
hcbr_status hcbr_i_plain_begin(hcbr_i_account *x, hcbr_error *err);
void hcbr_i_plain_end(hcbr_i_account *x);
hcbr_status hcbr_i_plain_add(hcbr_i_account *x, hcbr_error *err);
uint64_t hcbr_i_plain_offer(hcbr_i_account *x, hcbr_i_picker *p, double least);
bool hcbr_i_plain_list_others(hcbr_i_account *x, double least, uint64_t told,
                              bool (*each)(void *context, uint32_t i), void *context);
void hcbr_i_plain_influence(hcbr_i_account *x, uint32_t i, double *by_label);
void hcbr_i_plain_own(hcbr_i_account *x, uint32_t i, double *by_label);
hcbr_status hcbr_i_plain_each_group(hcbr_i_account *x, hcbr_i_group_fn *each, void *context,
                                    hcbr_error *err);
hcbr_status hcbr_i_plain_show(hcbr_i_account *x, hcbr_explanation *e, hcbr_error *err);
hcbr_status hcbr_i_plain_flip(hcbr_i_search *s, hcbr_error *err);

#endif
