/**
 * @file boost_fold.h
 * One fold model of boosted trees, which grows tree by tree (boost_fold.c), for boost_folds.c.
 * Private to src/rich.
 */
#ifndef HCBR_I_RICH_BOOST_FOLD_H
#define HCBR_I_RICH_BOOST_FOLD_H

#include "rich/rich.h"

/** Lists of supports that a fold model keeps at once while it grows. */
#define HCBR_I_RICH_KEPT 4u

/** What a fold model is between two trees. Set the first fields, zero the others. */
typedef struct hcbr_i_rich_fold_model {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    uint32_t fold, outputs, channels, depth;
    const struct hcbr_i_rich_fold_model *rival; /**< the same fold with another depth, or NULL */
    hcbr_i_rich_forest forest;
    double *start;
    uint64_t key;
    double *score;  /**< rows x outputs: support so far */
    double *weight; /**< by row; 0: this fold model does not see it ... */
    uint32_t
        *held; /**< ... and it is one of these rows, which say when to stop: all, if all are seen */
    uint32_t held_count;
    double held_total; /**< weight of these */
    uint32_t *own;     /**< held-out rows of its fold whose supports are wanted in the end */
    uint32_t own_count;
    double *kept; /**< their supports after `every` trees, 2 every ..: HCBR_I_RICH_KEPT lists */
    uint32_t kept_count, every;
    double *losses; /**< by tree: the least of their log-loss up to then */
    double loss;    /**< the least of all */
    double before;  /**< what it was when gains were last looked at */
    uint32_t grown, most, best_trees;
    size_t best_leaves;
    bool begun, done;
    bool lost; /**< against its rival */
} hcbr_i_rich_fold_model;

/** What a thread grows trees with. */
typedef struct hcbr_i_rich_booster {
    const hcbr_i_rich_fold_model *model;
    hcbr_i_rich_scratch *scratch;
    double *residual; /**< rows x 2 outputs: residual and curvature of each output; several only */
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
/** Write the supports of its held-out cases where stacks find them: by its best trees, and (honest
 *  is not NULL) by as many as the models of other folds found best, or all it has. False: no
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
