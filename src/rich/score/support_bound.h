/**
 * @file support_bound.h
 * Bounds of the supports of a rich model if some variables of a case may have any value. No case
 * that differs in these variables alone has a smaller lead, so a search may skip all of them.
 */
#ifndef HCBR_I_RICH_SUPPORT_BOUND_H
#define HCBR_I_RICH_SUPPORT_BOUND_H

#include "rich/rich.h"

/** Working memory for one model. */
typedef struct hcbr_i_rich_bound hcbr_i_rich_bound;

hcbr_status hcbr_i_rich_bound_create(hcbr_i_rich_bound **out, const hcbr_i_rich *rich,
                                     hcbr_error *err);
void hcbr_i_rich_bound_free(hcbr_i_rich_bound *bound);

/** Free a column, or column_count + a member of the bag (false: no memory); or fix it again. Calls
 *  nest: a variable freed twice must be fixed twice. */
bool hcbr_i_rich_bound_let(hcbr_i_rich_bound *bound, uint32_t variable);
void hcbr_i_rich_bound_hold(hcbr_i_rich_bound *bound, uint32_t variable);

/**
 * A lower bound of the lead of a label over each other one, among cases that differ from the row in
 * free variables only. It is lowered a little for rounding.
 *
 * @param visits grows by the number of tree nodes visited.
 */
double hcbr_i_rich_bound_lead(hcbr_i_rich_bound *bound, const hcbr_i_rich_row *row, uint32_t label,
                              uint64_t *visits);

#endif
