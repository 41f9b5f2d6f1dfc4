/**
 * @file record.h
 * How the cases of a model were decided by models that had not seen them: how many rightly, how
 * often probabilities of each size were right, and what each kept case got.
 */
#ifndef HCBR_I_RECORD_H
#define HCBR_I_RECORD_H

#include "base/base.h"

#include <hcbr/model.h>

/** Zero it to start. Weights are counts where cases have none. */
typedef struct hcbr_i_record {
    double weight, right; /**< of what was held out and decided; of it, what was decided right */
    hcbr_heldout_bin bins[HCBR_HELDOUT_BINS]; /**< by the probability of the answer */
    uint32_t *answer; /**< by case: the label it got; HCBR_I_NONE: none; NULL: no case has one */
    uint8_t *chance;  /**< by case: probability of that answer in 255ths; 0: it has none */
} hcbr_i_record;

/** Add a decision; a probability that is not above 0 is not known. */
void hcbr_i_record_add(hcbr_i_record *record, double probability, bool right, double weight);
/** Room for what so many cases get, none yet. False: no memory. */
bool hcbr_i_record_room(hcbr_i_record *record, size_t cases);
/** What a case got. */
void hcbr_i_record_set(hcbr_i_record *record, size_t number, uint32_t answer, double probability);
void hcbr_i_record_clear(hcbr_i_record *record);
/** The bin of a probability. */
uint32_t hcbr_i_record_bin(double probability);

#endif
