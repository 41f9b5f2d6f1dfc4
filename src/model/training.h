/**
 * @file training.h
 * The state of training (train.c): private to src/model.
 */
#ifndef HCBR_I_TRAINING_H
#define HCBR_I_TRAINING_H

#include "model/model.h"

/**
 * The state of training. Each step takes the list of cases that the previous step has left, and may
 * replace it (hcbr_i_training_replace()).
 */
typedef struct hcbr_i_training {
    hcbr_train_options options; /**< complete; weight is by case of the current list */
    hcbr_rule rule;             /**< options point to these two */
    hcbr_tune_options tune;
    const hcbr_i_engine *engine;
    hcbr_cases *given; /**< the caller's list */
    hcbr_cases *cases; /**< the current list: the caller's, or one of ours */
    bool owned;        /**< it may be used up */
    double *weight;    /**< ours, if options.weight is; else NULL */
    hcbr_i_emphases *emphases;
    hcbr_model *model;
    hcbr_i_fitted fitted;
    hcbr_i_tuned tuned;
} hcbr_i_training;

/** Set the next list, which is ours; the former one is released, or used up if the caller allows
 *  it. NULL: the list stays. */
void hcbr_i_training_replace(hcbr_i_training *training, hcbr_cases *next);

/** Whether a model can be trained with these options. (train_check.c) */
hcbr_status hcbr_i_train_check(const hcbr_train_options *options, const hcbr_cases *cases,
                               hcbr_error *err);
/** Warn about the labels. */
void hcbr_i_train_warn_labels(const hcbr_train_options *options, const hcbr_cases *cases);

/** Leave out the cases and values that are not used: cases of weight 0, features of importance 0,
 *  values of few cases, features with the least information gain (train_select.c). */
hcbr_status hcbr_i_training_select(hcbr_i_training *training, hcbr_error *err);

/** The fingerprint, from a digest of the values (model_fingerprint.c). */
void hcbr_i_model_fingerprint(uint64_t out[2], const hcbr_cases *cases, const uint64_t digest[2]);

#endif
