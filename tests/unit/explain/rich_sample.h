/**
 * @file rich_sample.h
 * Small random case bases, and rich models of them: numbers of every kind, a category and words.
 */
#ifndef HCBR_TEST_RICH_SAMPLE_H
#define HCBR_TEST_RICH_SAMPLE_H

#include "unit/explain/rich_oracle.h"

enum { RICH_FEATURES = 10, RICH_TEXT = 24 };

extern uint64_t sample_seed;
uint64_t sample_draw(uint64_t below);

/** A case: two numbers, one of them often missing, a number that is mostly missing, a category and
 *  words. Returns the number of features. */
size_t sample_draw_case(hcbr_feature *f, char (*text)[RICH_TEXT], uint32_t labels, uint32_t *label);

typedef struct rich_sample {
    hcbr_model *model;
    double copies[ORACLE_CASES];
    bool weighted;
    double forest_cases; /**< of the training, if not the default */
    uint32_t labels;
} rich_sample;

/** A model of random cases, some of them twice; weighted or not. */
void rich_sample_make(rich_sample *s, uint32_t cases, hcbr_keep keep, hcbr_effort effort);
/** A case as the model encodes it. */
void rich_sample_encode(const rich_sample *s, const hcbr_feature *f, size_t n,
                        hcbr_i_rich_row *row);
/** Whether it has a member of the bag. */
bool rich_sample_has(const hcbr_i_rich_row *row, uint32_t member);
/** The same model after it was written and read. */
void rich_sample_reload(rich_sample *s);

#endif
