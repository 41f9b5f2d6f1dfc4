/**
 * @file model_groups.h
 * The groups of a rich model as a whole: what a single test, and what a conjunction, adds on
 * average to the support of the past cases that have it, and how many these are.
 *
 * A single test and a boosted leaf add the same to every case. The effect of a leaf of the forest
 * depends on the other trees, so it is averaged over the past cases that end in the leaf, weights
 * counted in; where none are kept it is what the leaf would add if every tree ended in one like it.
 */
#ifndef HCBR_I_RICH_MODEL_GROUPS_H
#define HCBR_I_RICH_MODEL_GROUPS_H

#include "rich/reasons/rich_causes.h"

/** Items by number; those that stand for a group have trees > 0. */
typedef struct hcbr_i_rich_groups {
    uint32_t labels, outputs;
    uint32_t count;       /**< items */
    uint32_t group_count; /**< of them, groups */
    double *contribution; /**< by item and output */
    double *weight;       /**< by item and label: of the past cases that have it; 0 where none are
                               kept */
    uint32_t *cases;      /**< by item and label: how many these are */
    uint32_t *trees; /**< by item: leaves that ask the same, which are added in; 0: no group, or
                          added to another one */
    double *total;   /**< by label: weight of all past cases */
    uint32_t *node;  /**< of conjunctions, by item: its leaf's node */
    bool too_many;   /**< labels are too many to list what conjunctions add to each: no items */
} hcbr_i_rich_groups;

void hcbr_i_rich_groups_clear(hcbr_i_rich_groups *groups);

/**
 * The single tests. Items are those of hcbr_i_rich_linear: entries of the columns' tables,
 * then members; an item of a sparse number holds its smaller members too (a value passes them all),
 * and its cases are those of which it is the largest.
 *
 * @param causes NULL: no cases are kept, the caller counts.
 */
hcbr_status hcbr_i_rich_groups_linear(hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err);

/** What past values or members pass to belong to an item of the linear model. False: nothing does.
 */
bool hcbr_i_rich_groups_test(const hcbr_i_rich *rich, const hcbr_i_rich_names *names, uint32_t item,
                             hcbr_i_rich_test *out);

/**
 * The conjunctions. Items are the leaves of the fold models, one after the other, then of the
 * forest; the first of those that ask the same stands for all. Two that share 128 bits of a hash
 * ask the same.
 */
hcbr_status hcbr_i_rich_groups_leaves(hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err);

/** The tests of a conjunction. False: no memory. */
bool hcbr_i_rich_groups_tests(const hcbr_i_rich_groups *groups, const hcbr_i_rich *rich,
                              const hcbr_i_rich_names *names, uint32_t item,
                              hcbr_i_rich_tests *out);

#endif
