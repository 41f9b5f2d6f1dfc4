/**
 * @file model_groups.h
 * The groups of a rich model as a whole: the average contribution of a single test, and of a
 * conjunction, to the support of the past cases that satisfy it, and the number of these cases.
 *
 * A single test and a boosted leaf add the same to every case. The effect of a leaf of the forest
 * depends on the other trees, so it is the weighted average over the past cases in the leaf; if no
 * cases are kept, it is computed as if every tree ended in a leaf like it.
 */
#ifndef HCBR_I_RICH_MODEL_GROUPS_H
#define HCBR_I_RICH_MODEL_GROUPS_H

#include "rich/reasons/rich_causes.h"

/** Items by number; those that represent a group have trees > 0. */
typedef struct hcbr_i_rich_groups {
    uint32_t labels, outputs;
    uint32_t count;       /**< items */
    uint32_t group_count; /**< of them, groups */
    double *contribution; /**< by item and output */
    double *weight;       /**< by item and label: of the past cases that satisfy it; 0 if none are
                               kept */
    uint32_t *cases;      /**< by item and label: number of these cases */
    uint32_t *trees; /**< by item: leaves with the same tests, added up here; 0: no group, or added
                          to another item */
    double *total;   /**< by label: weight of all past cases */
    uint32_t *node;  /**< of conjunctions, by item: its leaf's node */
    bool too_many;   /**< too many labels to list conjunctions: no items */
} hcbr_i_rich_groups;

void hcbr_i_rich_groups_clear(hcbr_i_rich_groups *groups);

/**
 * The single tests. Items are those of hcbr_i_rich_linear: entries of the columns' tables, then
 * members. An item of a sparse number includes its smaller members (a value passes them all), and
 * its cases are those of which it is the largest.
 *
 * @param causes NULL: no cases are kept, the caller counts.
 */
hcbr_status hcbr_i_rich_groups_linear(hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err);

/** The test of an item of the linear model. False: no value passes. */
bool hcbr_i_rich_groups_test(const hcbr_i_rich *rich, const hcbr_i_rich_names *names, uint32_t item,
                             hcbr_i_rich_test *out);

/**
 * The conjunctions. Items are the leaves of the fold models, one after the other, then of the
 * forest; the first of the leaves with the same tests represents all. Tests count as the same if
 * 128 bits of a hash are.
 */
hcbr_status hcbr_i_rich_groups_leaves(hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err);

/** The tests of a conjunction. False: no memory. */
bool hcbr_i_rich_groups_tests(const hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                              const hcbr_i_rich_names *names, uint32_t item,
                              hcbr_i_rich_tests *out);

#endif
