/**
 * @file influence.h
 * What adds up the influences of past cases on one case at hand (influence.c): where it is and
 * where what it finds goes. Private to src/rich.
 */
#ifndef HCBR_I_RICH_INFLUENCE_H
#define HCBR_I_RICH_INFLUENCE_H

#include "rich/reasons/influence_sums.h"

/** Rows that are worked on together: a chunk that is kept, or a block of another one. */
typedef struct hcbr_i_rich_span {
    uint32_t first, n, chunk;
    bool kept;
} hcbr_i_rich_span;

/** What is at work on one span. */
typedef struct hcbr_i_rich_adder {
    const hcbr_i_rich_query *q;
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_tally *tally;
    hcbr_i_rich_follower follow;
    uint32_t k;
    hcbr_i_rich_span at;
    double *total;         /**< by row of the span and output */
    size_t column_terms;   /**< the first terms */
    double *parts;         /**< by column term and code: part of the tests shared, as it weighs */
    double *part_most;     /**< by column term: the largest of them */
    double *weight;        /**< by output: what residuals behind a leaf weigh; twice as long */
    double member_part;    /**< what a shared member weighs */
    double *share;         /**< by row of the span: parts that it shares with the case at hand */
    uint64_t *from, *to;   /**< entries of the span, by member of the bag, then by forest tree */
    uint32_t *bag_start;   /**< by term of members: the first of them; one more */
    uint32_t *slot_start;  /**< slot s has terms slot_terms[slot_start[s] .. slot_start[s+1]) */
    uint32_t *slot_terms;  /**< rising */
    uint32_t *place;       /**< by term: where it stands there */
    double *found;         /**< by such a place, row of a block and output: residuals ... */
    hcbr_i_rich_mask *met; /**< ... and of which rows; for boosted trees that are not kept */
    double *room;          /**< by row of a span and output: of a slot with several terms, else 0 */
    bool several;
    double least; /**< what a value of the slot must reach for its row to be handed over */
    uint32_t slot, rows[HCBR_I_RICH_ROWS], n; /**< rows that are to be handed over */
    double *values;                           /**< theirs, by output */
} hcbr_i_rich_adder;

/** Hand over what is waiting. */
static inline void hcbr_i_rich_hand_over(hcbr_i_rich_adder *a) {
    a->least = a->tally->take(a->tally->context, a->slot, a->rows, a->values, a->n);
    a->n = 0;
}

/** Where what a row adds through a term goes: among the numbers `to` or, if it is NULL, to those
 * that are handed over; hcbr_i_rich_end_row() follows. */
static inline double *hcbr_i_rich_start_row(hcbr_i_rich_adder *a, double *to, uint32_t row) {
    if (to)
        return to + (size_t)row * a->k;
    double *values = a->values + (size_t)a->n * a->k;
    a->rows[a->n] = a->at.first + row;
    memset(values, 0, a->k * sizeof *values);
    return values;
}

/** The largest of some numbers without their signs. */
static inline double hcbr_i_rich_largest(const double *values, uint32_t k) {
    double most = fabs(values[0]);
    for (uint32_t l = 1; l < k; l++)
        most = fabs(values[l]) > most ? fabs(values[l]) : most;
    return most;
}

/** With several terms all of them have added to the room before: the first that has the row takes
 * it from there. */
static inline void hcbr_i_rich_end_row(hcbr_i_rich_adder *a, const double *to, uint32_t row) {
    if (to || (a->several && !a->room)) // several terms have their room
        return;
    double *all = a->several ? a->room + (size_t)row * a->k : a->values + (size_t)a->n * a->k;
    double most = hcbr_i_rich_largest(all, a->k);
    if (most == 0)
        return;
    if (a->several && most >= a->least)
        memcpy(a->values + (size_t)a->n * a->k, all, a->k * sizeof *all);
    if (a->several)
        memset(all, 0, a->k * sizeof *all);
    if (most >= a->least && ++a->n == HCBR_I_RICH_ROWS)
        hcbr_i_rich_hand_over(a);
}

/* ---- linear model (influence_linear.c) ------------------------------------------------------- */

/** What shared tests weigh, by term of a column and code. */
void hcbr_i_rich_pulls_prepare(hcbr_i_rich_adder *a);
/** Add what all rows of the span add through columns and members. */
void hcbr_i_rich_pulls_add(const hcbr_i_rich_adder *a);
/** What rows that share tests of a term, which is one of the columns, add to numbers as in
 *  hcbr_i_rich_start_row(). Alone in its slot it only looks where values may reach far enough. */
void hcbr_i_rich_pulls_column(hcbr_i_rich_adder *a, size_t term, double *to);
/** The same of rows that have the jth member of the case at hand. */
void hcbr_i_rich_pulls_member(hcbr_i_rich_adder *a, uint32_t j, double *to);

#endif
