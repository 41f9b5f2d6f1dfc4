/**
 * @file influence.h
 * The state of adding up the influences of past cases on the current case (influence.c). Private to
 * src/rich.
 */
#ifndef HCBR_I_RICH_INFLUENCE_H
#define HCBR_I_RICH_INFLUENCE_H

#include "rich/reasons/influence_sums.h"

/** Rows processed together: a kept chunk, or a block of another one. */
typedef struct hcbr_i_rich_span {
    uint32_t first, n, chunk;
    bool kept;
} hcbr_i_rich_span;

/** The state of processing one span. */
typedef struct hcbr_i_rich_adder {
    const hcbr_i_rich_query *q;
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_tally *tally;
    hcbr_i_rich_follower follow;
    uint32_t k;
    hcbr_i_rich_span at;
    double *total;         /**< by row of the span and output */
    size_t column_terms;   /**< the first terms */
    double *parts;         /**< by column term and code: weighted share of the common tests */
    double *part_most;     /**< by column term: the largest of them */
    double *weight;        /**< by output: weight of residuals after a leaf; twice as long */
    double member_part;    /**< weight of a shared member */
    double *share;         /**< by row of the span: parts shared with the current case */
    uint64_t *from, *to;   /**< entries of the span, by member of the bag, then by forest tree */
    uint32_t *bag_start;   /**< by member term: its first entry; one more */
    uint32_t *slot_start;  /**< slot s has terms slot_terms[slot_start[s] .. slot_start[s+1]) */
    uint32_t *slot_terms;  /**< ascending */
    uint32_t *place;       /**< by term: its index there */
    double *found;         /**< by such an index, row of a block and output: residuals ... */
    hcbr_i_rich_mask *met; /**< ... and their rows; for boosted trees that are not kept */
    double *room;          /**< by row of a span and output: sums of a slot with several terms, else
                                0 */
    bool several;
    double least;                             /**< rows with smaller values need not be passed on */
    uint32_t slot, rows[HCBR_I_RICH_ROWS], n; /**< rows to be passed on */
    double *values;                           /**< their values, by output */
} hcbr_i_rich_adder;

/** Pass the collected rows on. */
static inline void hcbr_i_rich_hand_over(hcbr_i_rich_adder *a) {
    a->least = a->tally->take(a->tally->context, a->slot, a->rows, a->values, a->n);
    a->n = 0;
}

/** The destination of a row's contribution through a term: the numbers `to` or, if it is NULL, the
 * rows to be passed on; hcbr_i_rich_end_row() must follow. */
static inline double *hcbr_i_rich_start_row(hcbr_i_rich_adder *a, double *to, uint32_t row) {
    if (to)
        return to + (size_t)row * a->k;
    double *values = a->values + (size_t)a->n * a->k;
    a->rows[a->n] = a->at.first + row;
    memset(values, 0, a->k * sizeof *values);
    return values;
}

/** The largest absolute value. */
static inline double hcbr_i_rich_largest(const double *values, uint32_t k) {
    double most = fabs(values[0]);
    for (uint32_t l = 1; l < k; l++)
        most = fabs(values[l]) > most ? fabs(values[l]) : most;
    return most;
}

/** For several terms, all contributions are in the room before: the first term that has the row
 * takes them from there. */
static inline void hcbr_i_rich_end_row(hcbr_i_rich_adder *a, const double *to, uint32_t row) {
    if (to || (a->several && !a->room)) // several terms use the room
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

/** The weights of shared tests, by column term and code. */
void hcbr_i_rich_pulls_prepare(hcbr_i_rich_adder *a);
/** Add the contributions of all rows of the span through columns and members. */
void hcbr_i_rich_pulls_add(const hcbr_i_rich_adder *a);
/** Add the contributions of rows that share tests of a column term, as in hcbr_i_rich_start_row().
 *  Alone in its slot, a term skips blocks whose values are too small. */
void hcbr_i_rich_pulls_column(hcbr_i_rich_adder *a, size_t term, double *to);
/** The same for rows with the jth member of the current case. */
void hcbr_i_rich_pulls_member(hcbr_i_rich_adder *a, uint32_t j, double *to);

#endif
