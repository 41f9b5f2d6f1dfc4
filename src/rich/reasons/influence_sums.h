/**
 * @file influence_sums.h
 * The inner loops of influences, where an explanation spends most of its time. Each computes the
 * sum in its comment, in that order, without further rounding. Private to src/rich.
 */
#ifndef HCBR_I_RICH_INFLUENCE_SUMS_H
#define HCBR_I_RICH_INFLUENCE_SUMS_H

#include "rich/reasons/leaf_rows.h"

/** A multiple of the grid, `width` bytes from `at` on; HCBR_I_RICH_BEYOND must be readable. */
static inline double hcbr_i_rich_multiple(const uint8_t *at, uint32_t width) {
    uint32_t unused = 64 - 8 * width;
    return (double)((int64_t)(hcbr_i_load64(at) << unused) >> unused);
}

/** A list of entries (hcbr_i_rich_leaves) with the weight of a multiple of the grid, by output. */
typedef struct hcbr_i_rich_entries {
    const uint16_t *row;
    const uint8_t *residual;
    uint32_t n, outputs, width;
    const double *weight;
} hcbr_i_rich_entries;

#define HCBR_I_RICH_BEYOND 32u /* bytes that must be readable from a residual on */

/** to[row * outputs + l] += weight[l] * residual[l], entry by entry (influence_sums.c). */
void hcbr_i_rich_add_entries(const hcbr_i_rich_entries *list, double *to);

#endif
