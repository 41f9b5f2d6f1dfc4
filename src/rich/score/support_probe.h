/**
 * @file support_probe.h
 * Supports of cases that differ from a case at hand in a few variables. Only the trees that ask for
 * one of them on the way of the case at hand are followed again, so that trying every value of
 * every variable costs about as much as the trees have tests, however many variables there are.
 */
#ifndef HCBR_I_RICH_SUPPORT_PROBE_H
#define HCBR_I_RICH_SUPPORT_PROBE_H

#include "rich/rich.h"

/** Working memory for one model. */
typedef struct hcbr_i_rich_probe hcbr_i_rich_probe;

/** A variable that becomes something else. */
typedef struct hcbr_i_rich_edit {
    uint32_t variable; /**< a column, or column_count + a member of the bag */
    uint32_t code;     /**< of a column, 0: nothing; of a member, 1: present, 0: absent */
} hcbr_i_rich_edit;

hcbr_status hcbr_i_rich_probe_create(hcbr_i_rich_probe **out, const hcbr_i_rich *rich,
                                     hcbr_error *err);
void hcbr_i_rich_probe_free(hcbr_i_rich_probe *probe);

/** Make a row the case at hand; it is copied. */
hcbr_status hcbr_i_rich_probe_set(hcbr_i_rich_probe *probe, const hcbr_i_rich_row *row,
                                  hcbr_error *err);

/** The tests that the trees make of the case at hand, and its variables: what making it the case at
 *  hand took. */
uint64_t hcbr_i_rich_probe_size(const hcbr_i_rich_probe *probe);

/**
 * Supports, as hcbr_i_rich_score() gives them but for rounding, of the case at hand with some
 * edits, one after the other.
 *
 * @param visits grows by the tests that were looked at, about.
 * @return false: there is no memory.
 */
bool hcbr_i_rich_probe_score(hcbr_i_rich_probe *probe, const hcbr_i_rich_edit *edits, size_t count,
                             double *support, uint64_t *visits);

#endif
