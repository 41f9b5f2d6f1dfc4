/**
 * @file rich_draw.h
 * The draws and weights of training, by rules that reasons replay: draws are keyed by the content
 * of a case and the seed, so nothing of them is stored (docs/FORMAT.md, section reasons). Private
 * to src/rich.
 */
#ifndef HCBR_I_RICH_DRAW_H
#define HCBR_I_RICH_DRAW_H

#include "rich/rich_math.h"

/* ---- linear model ---------------------------------------------------------------------------- */

/** The share of a number's tests that two values have in common, `apart` entries from each other in
 *  a table with this many cuts. */
static inline double hcbr_i_rich_shared(int apart, uint32_t cuts) {
    return cuts ? 1.0 - (double)(apart < 0 ? -apart : apart) / cuts : 1.0;
}

/* ---- boosting -------------------------------------------------------------------------------- */

/** Key of all draws of the model of a fold. */
static inline uint64_t hcbr_i_rich_fold_key(uint64_t seed, uint32_t fold) {
    return hcbr_i_mix(seed ^ hcbr_i_mix(0x626F6F7374 + (uint64_t)fold));
}

/** Key of a tree's draw of cases. */
static inline uint64_t hcbr_i_rich_tree_key(uint64_t fold, uint32_t tree) {
    return hcbr_i_mix(fold ^ tree);
}

/** A case is drawn if the hash of its content and the tree's key is at most this. */
static inline uint64_t hcbr_i_rich_draw_limit(double part) {
    return part >= 1 ? UINT64_MAX : (uint64_t)(part * 0x1p64);
}

static inline bool hcbr_i_rich_is_drawn(uint64_t content, uint64_t tree_key, uint64_t limit) {
    return hcbr_i_mix(content ^ tree_key) <= limit;
}

/** Residual and curvature of a case of weight w with two labels; p is its probability. */
static inline void hcbr_i_rich_residual_at(double p, uint32_t label, double w, double grid,
                                           double *residual, double *curvature) {
    double h = hcbr_i_rich_round(w * p * (1 - p), grid);
    *residual = hcbr_i_rich_round(w * (label - p), grid);
    *curvature = h > grid ? h : grid;
}

/** The limit of a leaf's contribution to the support, in units of the rate. Newton's step g / h is
 * meaningless where a heavy label has no probability left and hence hardly a curvature. */
#define HCBR_I_RICH_MOST_STEP 64.0

/** The value of a leaf whose cases have residuals with sum g and curvatures with sum h. */
static inline double hcbr_i_rich_leaf_value(double g, double h, double rate, double lambda) {
    double step = g / (h + lambda);
    if (fabs(step) > HCBR_I_RICH_MOST_STEP)
        return step > 0 ? rate * HCBR_I_RICH_MOST_STEP : -(rate * HCBR_I_RICH_MOST_STEP);
    return rate * g / (h + lambda);
}

/** Whether a leaf's value is at the limit. */
static inline bool hcbr_i_rich_leaf_full(double value, double rate) {
    return fabs(value) == rate * HCBR_I_RICH_MOST_STEP;
}

/* ---- forest ---------------------------------------------------------------------------------- */

static inline uint64_t hcbr_i_rich_forest_key(uint64_t seed, uint32_t tree) {
    return hcbr_i_mix(seed ^ hcbr_i_mix(0x766F7465 + (uint64_t)tree));
}

#define HCBR_I_RICH_MOST_TIMES 7u /* products with weights, and their sums, stay exact */

/** The number of times a tree draws a unit: a Poisson draw with this mean, at most 1. never:
 *  e^-mean. */
static inline double hcbr_i_rich_times(double mean, double never, uint64_t key) {
    double u = hcbr_i_rich_unit(key), m = 0, p = never, sum = p;
    while (u >= sum && m < HCBR_I_RICH_MOST_TIMES) {
        m++;
        p *= mean / m;
        sum += p;
    }
    return m;
}

/** The mean number of draws of a unit: 1, or less so that a tree draws about `most` rows. */
static inline double hcbr_i_rich_forest_part(double most, uint32_t rows) {
    return rows > most ? most / rows : 1;
}

/** (ln p - ln q) / (p - q), precise for nearly equal and for tiny shares: the change of a
 * difference of logarithms with the difference of the shares. */
static inline double hcbr_i_rich_slope(double p, double q) {
    double apart = p - q, ratio = p / q;
    if (apart == 0)
        return 1 / p;
    return (ratio > 0.5 && ratio < 2 ? hcbr_i_log1p(apart / q) : hcbr_i_log(ratio)) / apart;
}

/** The share of a label in a leaf without draws; never 0, for its logarithm. */
static inline double hcbr_i_rich_prior(double label_weight, double total_weight, uint32_t labels) {
    return (label_weight + 0.5) / (total_weight + 0.5 * labels);
}

#endif
