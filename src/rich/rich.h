/**
 * @file rich.h
 * The rich model: numbers as ordered tests, groups of feature tests found by trees, strengths
 * fitted to the cases, and a probability.
 *
 * The case base is encoded once (column_encoding.c): every key becomes a dense column of codes or
 * members of a bag of present features. Identical cases are merged (encoded_table.c) and put into
 * an order that depends on their content alone; all draws are keyed by content and seed, so the
 * order of the file changes nothing and a weight n is n copies. Copies of a case are dealt to five
 * folds; fold model k is fitted to the rows outside fold k:
 *
 *   linear   (linear_fit.c)    logistic strengths of single tests, dual coordinate descent
 *   boosted  (boost_folds.c)   trees of conjunctions fitted to the residuals of earlier trees
 *   forest   (forest_fit.c)    trees on bootstrap draws; a leaf gives shares of labels
 *   stack    (stack_weights.c) trust in each family, learnt on held-out supports
 *
 * With very many labels (more than `many`) work and memory follow the pairs of case and label in
 * use: the linear model of a label is fitted to its cases and a sample of the others
 * (linear_labels.c), and the stack is learnt on a sample of the cases.
 *
 * One grower (tree_grower.c) makes all trees. The sums it compares are exact: terms are rounded to
 * a grid on which doubles add without error, so neither order nor number of threads changes a bit.
 */
#ifndef HCBR_I_RICH_H
#define HCBR_I_RICH_H

#include "rich/encode/encoder.h"    // a case as codes
#include "rich/encode/kept_cases.h" // what is kept of the training cases
#include "rich/file/rich_file.h"
#include "rich/reasons/rich_causes.h" // where supports come from
#include "rich/rich_fit.h"            // how it is fitted
#include "rich/rich_model.h"          // what is learnt

#endif
