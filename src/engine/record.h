/**
 * @file record.h
 * How the cases of a model were decided by models that had not seen them: what each got, and how
 * often each answer was right, by its probability.
 *
 * The engine notes probabilities; once the rule of the model is known, they become answers.
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
    hcbr_label label;   /**< below 0: none was given */
    double probability; /**< of it; not above 0: it is not known */
    uint32_t truth;
    double weight; /**< a count where cases have none */
} hcbr_i_held_answer;

/** What was held out, as long as the rule is not known. */
typedef struct hcbr_i_held_rows {
    uint32_t labels, count;
    double *probability; /**< by entry and label */
    hcbr_i_held_answer *entry;
} hcbr_i_held_rows;

/** Zero it to start. */
typedef struct hcbr_i_record {
    bool held;                 /**< cases were held out; false: nobody looked */
    hcbr_i_answered *answered; /**< by label, then by range, none of them empty */
    size_t answered_count, answered_capacity;
    uint32_t *answer; /**< by case: the label it got; HCBR_I_NONE: none; NULL: no case has one */
    uint8_t *chance;  /**< by case: probability of that answer in 255ths; 0: it has none */
    hcbr_i_held_rows rows; /**< `answer` has their numbers meanwhile */
} hcbr_i_record;

/** Room for what so many cases get, none yet. False: no memory. */
bool hcbr_i_record_room(hcbr_i_record *record, size_t cases);
/** Room for so many entries, too. */
bool hcbr_i_record_room_rows(hcbr_i_record *record, uint32_t entries, uint32_t labels);
/** Note what was held out; returns the number of the entry. */
uint32_t hcbr_i_record_note(hcbr_i_record *record, const double *probability, uint32_t truth,
                            double weight);
/** Decide the entries, which are released. False: no memory. */
bool hcbr_i_record_decide(hcbr_i_record *record, size_t cases,
                          hcbr_label (*decide)(const void *rule, const double *probability),
                          const void *rule);
/** Add all answers up, once. False: no memory. */
bool hcbr_i_record_sum(hcbr_i_record *record, const hcbr_i_held_answer *answers, size_t count,
                       uint32_t labels);
/** What a case got. */
void hcbr_i_record_set(hcbr_i_record *record, size_t number, const hcbr_i_held_answer *answer);
void hcbr_i_record_clear(hcbr_i_record *record);

/** The supports of each case of a base when it was held out. In a rich model, where identical cases
 *  are one case with a weight, there is an entry for each part that holds some of them out. */
typedef struct hcbr_i_heldout {
    uint32_t case_count, label_count; /**< as many as are listed here; labels of the base */
    double *support;    /**< s^(l)(x), case by case, labels of the base; 0 for a label that the
                             fold's training part lacks; of a rich model the probabilities */
    uint32_t *label;    /**< the true one */
    double *weight;     /**< NULL: each counts once */
    double *lead;       /**< support of the winner minus the best other one, exact with two labels
                             (hcbr_decision); 0 if nothing is known */
    hcbr_label *winner; /**< by rule R1; HCBR_LABEL_UNKNOWN if nothing of the case is known */
    uint32_t *fold;     /**< in which it was held out */
    uint32_t fold_count;
} hcbr_i_heldout;
void hcbr_i_heldout_clear(hcbr_i_heldout *heldout);

/** The range of a probability; HCBR_HELDOUT_BINS: it is not known. */
uint32_t hcbr_i_record_range(double probability);
/** Answers of one label; HCBR_LABEL_UNKNOWN: of all. */
hcbr_heldout hcbr_i_record_of(const hcbr_i_record *record, hcbr_label label);

#endif
