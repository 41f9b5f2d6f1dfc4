/**
 * @file tuning.h
 * The additional steps of hcbr tune: its options, the held-out figures, the chosen rule.
 */
#ifndef HCBR_CLI_TUNING_H
#define HCBR_CLI_TUNING_H

#include "settings.h"

/** Zero it first; release with tuning_clear(). */
typedef struct tuning {
    hcbr_tune_options options;
    hcbr_evaluation *result; /**< of models tuned like this one, each on a part of the cases */
} tuning;

/** Set train->tune from the options given; the exit status. */
int tuning_read(tuning *t, settings *s, const args *given, hcbr_train_options *train);
/** Tune and train on parts of the cases and decide the others: held-out figures of the whole. */
int tuning_evaluate(tuning *t, term *words, const hcbr_cases *cases,
                    const hcbr_train_options *train, bool grouped);
/** Whether the model is to be saved. EXIT_NO, with a message, if it would answer nothing. */
int tuning_judge(tuning *t, term *words, const hcbr_model *model);
void tuning_say(const tuning *t, term *words, const hcbr_model *model);
/** Keys and values inside an open object. */
void tuning_json(const tuning *t, hcbr_writer *w, const hcbr_model *model);
void tuning_clear(tuning *t);

#endif
