/**
 * @file boost_fold.h
 * The boosted trees of one fold model, grown tree by tree (boost_fold.c), for boost_folds.c.
 * Private to src/rich.
 */
#ifndef HCBR_I_RICH_BOOST_FOLD_H
#define HCBR_I_RICH_BOOST_FOLD_H

#include "rich/rich.h"

/** Lists of supports that a growing fold model keeps. */
#define HCBR_I_RICH_KEPT 4u

/** A fold model between two trees. Set the first fields, zero the others. */
typedef struct hcbr_i_rich_fold_model {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    uint32_t fold, outputs, channels, depth;
    const struct hcbr_i_rich_fold_model *rival; /**< the same fold with another depth; may
                                                     be NULL */
    hcbr_i_rich_forest forest;
    double *start;
    uint64_t key;
    double *score;  /**< rows x outputs: support so far */
    double *weight; /**< by row; 0: not in the training part of the fold ... */
    uint32_t *held; /**< ... and used for early stopping; all rows, if none is held out */
    uint32_t held_count;
    double held_total; /**< weight of these rows */
    uint32_t *own;     /**< held-out rows of its fold whose supports are stored in the end */
    uint32_t own_count;
    double *kept; /**< their supports after `every` trees, 2 every ..: HCBR_I_RICH_KEPT lists */
    uint32_t kept_count, every;
    double *losses; /**< by tree: the least log-loss so far */
    double loss;    /**< the least of all */
    double before;  /**< its value at the last check of gains */
    uint32_t grown, most, best_trees;
    size_t best_leaves;
    bool begun, done;
    bool lost; /**< against its rival */
} hcbr_i_rich_fold_model;

/** Working memory of a thread that grows trees. */
typedef struct hcbr_i_rich_booster {
    const hcbr_i_rich_fold_model *model;
    hcbr_i_rich_scratch *scratch;
    double *residual; /**< rows x 2 outputs: residual and curvature of each output; only for several
                           outputs */
    double *gradient; /**< rows x (channels + 1) */
    double *leaf;     /**< 2 outputs: sums over a leaf */
    double *sign;     /**< channels x outputs */
    uint32_t *drawn, *rest;
} hcbr_i_rich_booster;

bool hcbr_i_rich_booster_init(hcbr_i_rich_booster *booster, const hcbr_i_rich_table *table,
                              uint32_t outputs, uint32_t channels);
void hcbr_i_rich_booster_clear(hcbr_i_rich_booster *booster);

/** Before the first tree. False: no memory. */
bool hcbr_i_rich_fold_model_begin(hcbr_i_rich_fold_model *model);
/** The next tree; afterwards the fold model may be done. False: no memory. */
bool hcbr_i_rich_fold_model_grow(hcbr_i_rich_fold_model *model, hcbr_i_rich_booster *booster);
/** Store the supports of its held-out cases for stacking: by its best trees, and, if honest is not
 *  NULL, by the number of trees that the models of other folds found best, or all it has. False: no
 *  memory, or stopped. */
bool hcbr_i_rich_fold_model_hold(const hcbr_i_rich_fold_model *model, uint32_t others, double *held,
                                 double *honest);
void hcbr_i_rich_fold_model_clear(hcbr_i_rich_fold_model *model);

/* ---- more than two labels (boost_softmax.c) -------------------------------------------------- */

/** Residuals and gradients of the first n cases drawn. */
void hcbr_i_rich_residuals(const hcbr_i_rich_booster *booster, uint32_t n);
/** By row: e^(support of a label - support of the case's own), summed over the labels. */
void hcbr_i_rich_against(const hcbr_i_rich_fold_model *model, const uint32_t *rows, uint32_t n,
                         double *out);

#endif
