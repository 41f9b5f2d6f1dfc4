/**
 * @file training.h
 * A model in the making (train.c): private to src/model.
 */
#ifndef HCBR_I_TRAINING_H
#define HCBR_I_TRAINING_H

#include "model/model.h"

/**
 * What training works on. Each step takes the list of cases that the one before has left, and may
 * put another one in its place (hcbr_i_training_replace()).
 */
typedef struct hcbr_i_training {
    hcbr_train_options options; /**< complete; weight is by case of the list as it is now */
    hcbr_rule rule;             /**< options point to these two */
    hcbr_tune_options tune;
    const hcbr_i_engine *engine;
    hcbr_cases *given; /**< the caller's list */
    hcbr_cases *cases; /**< as it is now: the caller's, or one of ours */
    bool owned;        /**< it may be used up */
    double *weight;    /**< ours, if options.weight is; else NULL */
    hcbr_i_emphases *emphases;
    hcbr_model *model;
    hcbr_i_fitted fitted;
    hcbr_i_tuned tuned;
} hcbr_i_training;

/** The next list, which is ours now; the former is released, or used up if the caller allows it.
 *  NULL: the list stays. */
void hcbr_i_training_replace(hcbr_i_training *training, hcbr_cases *next);

/** Can a model be trained so? (train_check.c) */
hcbr_status hcbr_i_train_check(const hcbr_train_options *options, const hcbr_cases *cases,
                               hcbr_error *err);
/** Say what a user must know about the labels. */
void hcbr_i_train_warn_labels(const hcbr_train_options *options, const hcbr_cases *cases);

/** Leave out what has no part in the model: cases of weight 0, features of importance 0, values of
 *  few cases, features that tell the labels apart least (train_select.c). */
hcbr_status hcbr_i_training_select(hcbr_i_training *training, hcbr_error *err);

/** The fingerprint, from a digest of the values (model_fingerprint.c). */
void hcbr_i_model_fingerprint(uint64_t out[2], const hcbr_cases *cases, const uint64_t digest[2]);

#endif
