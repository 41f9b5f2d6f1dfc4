/**
 * @file support_bound.h
 * How far the supports of a rich model can go if some variables of a case may become anything. No
 * case that differs in them alone has a smaller lead, so a search may leave them all out.
 */
#ifndef HCBR_I_RICH_SUPPORT_BOUND_H
#define HCBR_I_RICH_SUPPORT_BOUND_H

#include "rich/rich.h"

/** Working memory for one model. */
typedef struct hcbr_i_rich_bound hcbr_i_rich_bound;

hcbr_status hcbr_i_rich_bound_create(hcbr_i_rich_bound **out, const hcbr_i_rich *rich,
                                     hcbr_error *err);
void hcbr_i_rich_bound_free(hcbr_i_rich_bound *bound);

/** Let a column, or column_count + a member of the bag, become anything (false: no memory); or no
 *  longer. Calls nest: what was let go twice is held after two calls. */
bool hcbr_i_rich_bound_let(hcbr_i_rich_bound *bound, uint32_t variable);
void hcbr_i_rich_bound_hold(hcbr_i_rich_bound *bound, uint32_t variable);

/**
 * The least lead of a label over each other one, among cases like the row but for what was let go;
 * the least of these. Rounding is allowed for: it is a little less, never more.
 *
 * @param visits grows by the nodes of trees that were looked at.
 */
double hcbr_i_rich_bound_lead(hcbr_i_rich_bound *bound, const hcbr_i_rich_row *row, uint32_t label,
                              uint64_t *visits);

#endif
