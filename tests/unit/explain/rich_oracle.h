/**
 * @file rich_oracle.h
 * The influence of every past case on a decision of a rich model, computed the slow way from
 * docs/FORMAT.md: equal cases are dealt together, trees are followed by recursion, numbers are
 * counted test by test, and supports before a tree are added up again for each tree.
 */
#ifndef HCBR_TEST_RICH_ORACLE_H
#define HCBR_TEST_RICH_ORACLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engines.h"

#include <hcbr/explain.h>

enum { ORACLE_CASES = 512, ORACLE_COLUMNS = 16, ORACLE_BAG = 64, ORACLE_K = 8 };

/** A merged case. */
typedef struct oracle_row {
    uint8_t codes[ORACLE_COLUMNS];
    bool in[ORACLE_BAG];
    uint32_t label;
    uint64_t hash;
    int copies;
    int fold; /**< that holds it out; HCBR_I_RICH_FOLDS: none */
    uint64_t unit;
} oracle_row;

typedef struct rich_oracle {
    const hcbr_model *model;
    oracle_row rows[ORACLE_CASES];
    uint32_t row_count;
    double forest_cases;           /**< limit of the mean draws of a tree of the forest */
    bool all_seen;                 /**< fold models see their held-out rows */
    uint32_t row_of[ORACLE_CASES]; /**< by case; HCBR_I_NONE: no copies */
    double bias[ORACLE_K];
    double influence[ORACLE_CASES][ORACLE_K]; /**< by case and label */
} rich_oracle;

/** Merge and deal the kept cases of a model; weights are whole. */
void rich_oracle_init(rich_oracle *oracle, const hcbr_model *model);

/** Fill bias and influences for a case of features that the model knows. */
void rich_oracle_explain(rich_oracle *oracle, const hcbr_feature *features, size_t count);

/** Compare with an explanation of that case with all past cases. */
void rich_oracle_compare(const rich_oracle *oracle, const hcbr_explanation *explanation);

#endif
