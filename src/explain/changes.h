/**
 * @file changes.h
 * The search for changes of an answer, shared by flip.c, flip_bounds.c, flip_dates.c and
 * flip_ways.c.
 */
#ifndef HCBR_I_CHANGES_H
#define HCBR_I_CHANGES_H

#include "explainer.h"

/** The account of the search is part of the explainer that tests it. */
static inline hcbr_explainer *hcbr_i_flip_explainer(const hcbr_i_search *s) {
    return s->context;
}

/** Whether a name is that of a key, or of a column that the key is a part of. */
bool hcbr_i_flip_names(const char *name, const char *key, size_t length);
/** Fill s->fixed and s->spans by the options. */
hcbr_status hcbr_i_flip_bound(hcbr_i_search *s, const hcbr_flip_options *o, hcbr_error *err);
/** Whether this change is allowed. removed: NULL for nothing; key: of `added`, HCBR_I_NONE for
 *  nothing. */
bool hcbr_i_flip_may(const hcbr_i_search *s, const hcbr_i_case_item *removed, hcbr_i_key_id key,
                     const hcbr_feature *added);
/** Whether the options leave a column free. */
bool hcbr_i_flip_is_allowed(const hcbr_flip_options *o, const char *key, size_t length);
/** Find the dates of the case, and fix their parts (flip_dates.c). */
hcbr_status hcbr_i_flip_dates_begin(hcbr_i_search *s, hcbr_error *err);
/** For each date, the nearest values that give another answer; if there are any, sets of several
 *  changes are forgotten. */
hcbr_status hcbr_i_flip_dates(hcbr_i_search *s, hcbr_error *err);
/** Set the kind of a choice and its distance; added: NULL for nothing. */
void hcbr_i_flip_measure(const hcbr_i_search *s, hcbr_i_choice *choice, const hcbr_feature *added);

/** Decide the case with the first s->size picked changes; without steps left: s->cut. */
hcbr_status hcbr_i_flip_decide(hcbr_i_search *s, hcbr_decision *d, hcbr_error *err);
/** Record the result of the picked changes. */
hcbr_status hcbr_i_flip_note(hcbr_i_search *s, const hcbr_decision *d, hcbr_i_found_flip *out,
                             hcbr_error *err);

/**
 * Make the first `most` flips different ways, each with the nearest values that are enough, by
 * ascending distance; s->flip_count becomes their number.
 */
hcbr_status hcbr_i_flip_ways(hcbr_i_search *s, size_t most, hcbr_error *err);
#endif
