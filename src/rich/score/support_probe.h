/**
 * @file support_probe.h
 * Supports of cases that differ from the current case in a few variables. Only the trees that test
 * one of them on the path of the current case are followed again, so that trying every value of
 * every variable costs about as much as the trees have tests, whatever the number of variables.
 */
#ifndef HCBR_I_RICH_SUPPORT_PROBE_H
#define HCBR_I_RICH_SUPPORT_PROBE_H

#include "rich/rich.h"

/** Working memory for one model. */
typedef struct hcbr_i_rich_probe hcbr_i_rich_probe;

/** A variable with its new value. */
typedef struct hcbr_i_rich_edit {
    uint32_t variable; /**< a column, or column_count + a member of the bag */
    uint32_t code;     /**< of a column, 0: absent; of a member, 1: present, 0: absent */
} hcbr_i_rich_edit;

hcbr_status hcbr_i_rich_probe_create(hcbr_i_rich_probe **out, const hcbr_i_rich *rich,
                                     hcbr_error *err);
void hcbr_i_rich_probe_free(hcbr_i_rich_probe *probe);

/** Set the current case; the row is copied. */
hcbr_status hcbr_i_rich_probe_set(hcbr_i_rich_probe *probe, const hcbr_i_rich_row *row,
                                  hcbr_error *err);

/** The number of tests that the trees make for the current case, and of its variables: the cost of
 *  hcbr_i_rich_probe_set(). */
uint64_t hcbr_i_rich_probe_size(const hcbr_i_rich_probe *probe);

/**
 * Supports, equal to those of hcbr_i_rich_score() except for rounding, of the current case with
 * some edits, one after the other.
 *
 * @param visits grows by about the number of tests made.
 * @return false: no memory.
 */
bool hcbr_i_rich_probe_score(hcbr_i_rich_probe *probe, const hcbr_i_rich_edit *edits, size_t count,
                             double *support, uint64_t *visits);

#endif
