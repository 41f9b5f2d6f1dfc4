/**
 * @file explain.h
 * From a model and a case to reasons (METHOD 9): what each atom and each past case put into the
 * support.
 *
 * Past case i put into mu^(l)(e)
 *     |e|^2 d^(l)(e) / (|F| Z^(l)(i) total^(l)),  Z^(l)(i) = sum of d^(l) |e| over its atoms,
 * if i is in the scope of l, and what training moved for it. The first part is `part[e][l]` times
 * `inverse[i]`, so that a past case costs one load and one multiplication.
 */
#ifndef HCBR_I_EXPLAIN_H
#define HCBR_I_EXPLAIN_H

#include "decide/decide.h"

#include <hcbr/explain.h>

/** What training moved on one atom for one case. */
typedef struct hcbr_i_atom_move {
    uint32_t case_of;
    uint32_t decided;
    double delta;
} hcbr_i_atom_move;

/** The kept cases by atom (causes.c). */
typedef struct hcbr_i_causes {
    const hcbr_model *model;
    uint64_t *start; /**< cases of atom e: cases[start[e] .. start[e+1]), ascending */
    uint32_t *cases;
    uint64_t *move_start; /**< moves of atom e, by case and label decided */
    hcbr_i_atom_move *moves;
    double *inverse; /**< 1 / Z of a case's own label (scope class), or of every label, case by case
                          (scope all); 0 where Z is 0 */
} hcbr_i_causes;

/** Index the cases a model keeps; a model that keeps none has empty lists. */
hcbr_status hcbr_i_causes_init(hcbr_i_causes *causes, const hcbr_model *model, hcbr_error *err);
void hcbr_i_causes_clear(hcbr_i_causes *causes);

/** What 1 / Z is multiplied with: |e|^2 d^(l)(e) / (|F| total^(l)). */
double hcbr_i_causes_part(const hcbr_model *model, hcbr_i_atom_id atom, uint32_t label);

/** 1 / Z^(l)(i), 0 if case i is out of the scope of label l. */
static inline double hcbr_i_causes_inverse(const hcbr_i_causes *causes, uint32_t i, uint32_t l) {
    const hcbr_model *m = causes->model;
    if (m->scope == HCBR_SCOPE_CLASS)
        return m->kept_label[i] == l ? causes->inverse[i] : 0;
    return causes->inverse[(size_t)i * m->labels.count + l];
}

/** The `most` past cases that come first by their value (pick.c). */
typedef struct hcbr_i_picker {
    uint32_t *items; /**< room for `most` */
    size_t count, most;
    const double *value; /**< by past case */
    double sign;         /**< 1: largest first, -1: smallest first */
    bool absolute;       /**< largest absolute value first */
} hcbr_i_picker;
void hcbr_i_picker_offer(hcbr_i_picker *picker, uint32_t item);
/** What an item is compared by: larger comes first. */
static inline double hcbr_i_picker_key(const hcbr_i_picker *picker, uint32_t item) {
    double value = picker->value[item];
    return picker->absolute ? (value < 0 ? -value : value) : picker->sign * value;
}
/** What is below it is not picked: `least`, or the last of those kept once there are enough. */
static inline double hcbr_i_picker_floor(const hcbr_i_picker *picker, double least) {
    bool full = picker->most > 0 && picker->count == picker->most;
    return full ? hcbr_i_picker_key(picker, picker->items[0]) : least;
}
/** hcbr_i_picker_offer(), but what is plainly too small is turned away on the spot. */
static inline void hcbr_i_picker_consider(hcbr_i_picker *picker, uint32_t item) {
    if (picker->count == picker->most &&
        (picker->most == 0 ||
         hcbr_i_picker_key(picker, item) < hcbr_i_picker_key(picker, picker->items[0])))
        return;
    hcbr_i_picker_offer(picker, item);
}
/** Put what was kept in order, the first first. Nothing is offered afterwards. */
void hcbr_i_picker_sort(hcbr_i_picker *picker);

#endif
