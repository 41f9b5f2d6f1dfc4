/**
 * @file counterfactual.h
 * The search for changes that change an answer of a rich model, shared by counterfactual.c and
 * counterfactual_sets.c.
 */
#ifndef HCBR_I_RICH_COUNTERFACTUAL_H
#define HCBR_I_RICH_COUNTERFACTUAL_H

#include "rich/reasons/rich_reasons.h"

/** Changes tried on a rich model. */
typedef struct hcbr_i_trial {
    hcbr_i_search *s;
    hcbr_i_rich_row row; /* the case with the changes that are picked */
    hcbr_i_rich_probe *probe;
    hcbr_i_rich_edit *edits; /* room for those of all changes of a set */
    double *support;
    size_t known; /* features of the case that are */
    double each;  /* steps of a single change on average */
    bool pure;    /* the largest support decides */
} hcbr_i_trial;

#ifdef HCBR_FAULTS
/** Tests: how many sets of changes are tried one by one before they are bounded, at the most. */
extern size_t hcbr_i_flip_sets;
#endif

/** Make the case with the first `size` picked changes trial->row. False: no memory. */
bool hcbr_i_trial_row(hcbr_i_trial *trial, size_t size);
/** Try the picked changes; what may change the answer is decided. *lead receives what is left of
 *  the lead; infinite if nothing would be known. */
hcbr_status hcbr_i_trial_attempt(hcbr_i_trial *trial, size_t size, double *lead, hcbr_error *err);
/** Look through all sets of `size` changes, leaving out those that cannot do
 * (counterfactual_sets.c). *complete: all of them were looked through, or enough were found. */
hcbr_status hcbr_i_flip_bounded(hcbr_i_trial *trial, size_t size, bool *complete, hcbr_error *err);
#endif
