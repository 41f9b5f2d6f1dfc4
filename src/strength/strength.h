/**
 * @file strength.h
 * How much each atom supports each label (METHOD 2.2-2.5) and what a case gathers (METHOD 3).
 *
 * Only labels that an atom has met are stored: entries [row[e], row[e] + length[e]) hold a label,
 * a count d^(l)(e) and a strength mu^(l)(e), by ascending label. With two labels every atom has
 * both, and instead of mu^(1), mu^(-1) the difference and the sum are kept, since training would
 * lose the difference to cancellation (METHOD 4).
 */
#ifndef HCBR_I_STRENGTH_H
#define HCBR_I_STRENGTH_H

#include "partition/partition.h"

#include <hcbr/model.h>

#include <math.h>

typedef struct hcbr_i_strength {
    uint32_t atom_count, label_count;
    double *total;   /**< by label: sum of S^(l) over the atoms; 0: the label never wins */
    uint64_t *cases; /**< by label: how many cases have it */
    /* two labels */
    double *mu;    /**< mu^(1)(e) - mu^(-1)(e), by atom; NULL unless there are two labels */
    double *sigma; /**< mu^(1)(e) + mu^(-1)(e), by atom, constant under training */
    uint32_t *d;   /**< d^(-1)(e), d^(1)(e), by atom */
    /* one label, or more than two */
    uint64_t *row;    /**< first entry of an atom; NULL with two labels */
    uint32_t *length; /**< how many entries it has */
    uint32_t *spare;  /**< room behind them for so many more; NULL: there is none */
    uint32_t *entry_label;
    uint32_t *entry_count;    /**< d^(l)(e) */
    double *entry_mu;         /**< mu^(l)(e) */
    uint64_t entry_count_all; /**< entries in use, gaps included */
    size_t entry_capacity;
} hcbr_i_strength;

/** Strengths before training. The pool, which may be NULL, is for working memory. */
hcbr_status hcbr_i_strength_build(hcbr_i_strength *out, const struct hcbr_cases *cases,
                                  const hcbr_i_atoms *atoms, const hcbr_i_projections *projections,
                                  hcbr_scope scope, uint32_t threads, hcbr_i_pool *pool,
                                  hcbr_error *err);
void hcbr_i_strength_clear(hcbr_i_strength *strength);

/** mu^(l)(e); 0 where nothing is stored. */
double hcbr_i_strength_get(const hcbr_i_strength *strength, hcbr_i_atom_id atom, uint32_t label);
/** d^(l)(e). */
uint32_t hcbr_i_strength_count(const hcbr_i_strength *strength, hcbr_i_atom_id atom,
                               uint32_t label);
/** Add to mu^(l)(e), making an entry if there is none (not for two labels). */
hcbr_status hcbr_i_strength_add(hcbr_i_strength *strength, hcbr_i_atom_id atom, uint32_t label,
                                double delta, hcbr_error *err);

/** Two supports tie when their difference is at most this share of its terms' absolute values. */
#define HCBR_I_TIE 0x1p-40

/**
 * a - b, but 0 where that is no more than the rounding of a and b: equal strengths that were summed
 * in different ways must tie, and training must not let their rounding grow.
 */
static inline double hcbr_i_strength_difference(double a, double b) {
    double d = a - b;
    return fabs(d) <= 0x1p-46 * (fabs(a) + fabs(b)) ? 0 : d;
}

/** Working memory to gather supports; one per thread. */
typedef struct hcbr_i_gather {
    uint32_t label_count;
    double *support; /**< by label */
    double largest;  /**< no |mu^(l)(e)| is larger */
    bool all;        /**< all labels have strength */
} hcbr_i_gather;
hcbr_status hcbr_i_gather_init(hcbr_i_gather *gather, const hcbr_i_strength *strength,
                               hcbr_error *err);
/** Take note of two strengths that have changed. */
static inline void hcbr_i_gather_look(hcbr_i_gather *gather, double a, double b) {
    gather->largest = fmax(gather->largest, fmax(fabs(a), fabs(b)));
}
void hcbr_i_gather_clear(hcbr_i_gather *gather);

/**
 * Gather the supports (not for two labels, where a sum of mu is all it takes) of a case that
 * touches atoms[i] with weights[i] = w(e,x) (one weight per atom; the same atom may come several
 * times) into gather->support.
 */
void hcbr_i_strength_gather(const hcbr_i_strength *strength, hcbr_i_gather *gather,
                            const hcbr_i_atom_id *atoms, const double *weights, size_t count);

/**
 * Rule R1 on gathered supports, ties as METHOD 3 says. The same atoms and weights are given again
 * because a close call needs the terms. Labels without strength never win; HCBR_I_NONE if there is
 * no other.
 */
uint32_t hcbr_i_strength_decide(const hcbr_i_strength *strength, const hcbr_i_gather *gather,
                                const hcbr_i_atom_id *atoms, const double *weights, size_t count);

#endif
