/**
 * @file record.h
 * Decisions of the cases of a model by models that had not seen them: the answer to each case, and
 * the share of right answers by probability.
 *
 * The engine records probabilities; once the rule of the model is known, they become answers.
 */
#ifndef HCBR_I_RECORD_H
#define HCBR_I_RECORD_H

#include "base/base.h"

#include <hcbr/model.h>

/** Answers of one label with a probability in one range. */
typedef struct hcbr_i_answered {
    uint32_t label, range;
    hcbr_heldout_bin sum;
} hcbr_i_answered;

/** An answer to a case that was held out. */
typedef struct hcbr_i_held_answer {
    hcbr_label label;   /**< below 0: no answer */
    double probability; /**< of the label; not above 0: unknown */
    uint32_t truth;
    double weight; /**< 1 if cases have no weights */
} hcbr_i_held_answer;

/** Held-out cases while the rule is not known. */
typedef struct hcbr_i_held_rows {
    uint32_t labels, count;
    double *probability; /**< by entry and label */
    hcbr_i_held_answer *entry;
} hcbr_i_held_rows;

/** Zero it to start. */
typedef struct hcbr_i_record {
    bool held;                 /**< cases were held out; false: not evaluated */
    hcbr_i_answered *answered; /**< by label, then by range, without empty ones */
    size_t answered_count, answered_capacity;
    uint32_t *answer;      /**< by case: its answer; HCBR_I_NONE: none; NULL: no case has one */
    uint8_t *chance;       /**< by case: probability of that answer in 255ths; 0: none */
    hcbr_i_held_rows rows; /**< while it is used, `answer` has indices of its entries */
} hcbr_i_record;

/** Room for the answers of `cases` cases, all none. False: no memory. */
bool hcbr_i_record_room(hcbr_i_record *record, size_t cases);
/** Room for `entries` entries as well. */
bool hcbr_i_record_room_rows(hcbr_i_record *record, uint32_t entries, uint32_t labels);
/** Record a held-out case; returns the index of the entry. */
uint32_t hcbr_i_record_note(hcbr_i_record *record, const double *probability, uint32_t truth,
                            double weight);
/** Decide the entries, and release them. False: no memory. */
bool hcbr_i_record_decide(hcbr_i_record *record, size_t cases,
                          hcbr_label (*decide)(const void *rule, const double *probability),
                          const void *rule);
/** Add up all answers, once. False: no memory. */
bool hcbr_i_record_sum(hcbr_i_record *record, const hcbr_i_held_answer *answers, size_t count,
                       uint32_t labels);
/** Set the answer of a case. */
void hcbr_i_record_set(hcbr_i_record *record, size_t number, const hcbr_i_held_answer *answer);
void hcbr_i_record_clear(hcbr_i_record *record);

/** The supports of each held-out case of a base. In a rich model, where identical cases are one
 *  case with a weight, there is an entry for each part that holds some of them out. */
typedef struct hcbr_i_heldout {
    uint32_t case_count, label_count; /**< entries; labels of the base */
    double *support;    /**< s^(l)(x), case by case, labels of the base; 0 for a label that the
                             fold's training part lacks; of a rich model the probabilities */
    uint32_t *label;    /**< the true label */
    double *weight;     /**< NULL: each counts once */
    double *lead;       /**< support of the winner minus the best other one, exact with two labels
                             (hcbr_decision); 0 if nothing is known */
    hcbr_label *winner; /**< by rule R1; HCBR_LABEL_UNKNOWN if nothing of the case is known */
    uint32_t *fold;     /**< that held it out */
    uint32_t fold_count;
} hcbr_i_heldout;
void hcbr_i_heldout_clear(hcbr_i_heldout *heldout);

/** The range of a probability; HCBR_HELDOUT_BINS: unknown. */
uint32_t hcbr_i_record_range(double probability);
/** Answers of one label; HCBR_LABEL_UNKNOWN: of all. */
hcbr_heldout hcbr_i_record_of(const hcbr_i_record *record, hcbr_label label);

#endif
