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
    hcbr_i_rich_row row; /* the case with the picked changes */
    hcbr_i_rich_probe *probe;
    hcbr_i_rich_edit *edits; /* room for the edits of all changes of a set */
    double *support;
    size_t known; /* number of known features of the case */
    double each;  /* steps of a single change on average */
    bool pure;    /* the largest support decides, without thresholds */
} hcbr_i_trial;

#ifdef HCBR_FAULTS
/** Tests: most sets of changes tried one by one before they are bounded. */
extern size_t hcbr_i_flip_sets;
#endif

/** Set trial->row to the case with the first `size` picked changes. False: no memory. */
bool hcbr_i_trial_row(hcbr_i_trial *trial, size_t size);
/** Try the picked changes; decide the case if they may change the answer. *lead receives the
 *  remaining lead; infinite if nothing would be known. */
hcbr_status hcbr_i_trial_attempt(hcbr_i_trial *trial, size_t size, double *lead, hcbr_error *err);
/** Search all sets of `size` changes, skipping those that a bound excludes (counterfactual_sets.c).
 * *complete: the search covered all, or found enough. */
hcbr_status hcbr_i_flip_bounded(hcbr_i_trial *trial, size_t size, bool *complete, hcbr_error *err);
#endif
