/**
 * @file rich_support.h
 * Random case bases for the tests of the rich model, and what is asserted of the models.
 */
#ifndef HCBR_TEST_RICH_SUPPORT_H
#define HCBR_TEST_RICH_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engines.h"

/** A drawn case: two numbers (one of them often missing), a category, words. */
typedef struct rich_case {
    double x, y;
    bool has_y;
    uint32_t colour, words, label;
} rich_case;

uint64_t rich_draw(uint64_t *state);

/**
 * Draw cases whose label depends on x, colour and a word, with some noise.
 *
 * @param labels how many labels; 0: labels that depend on nothing, two of them.
 */
void rich_cases_draw(rich_case *out, uint32_t count, uint32_t labels, uint64_t *random);

/** A finished list of them: out[i] is drawn[order[i]], as many times as times[order[i]] says
 *  (NULL: once). */
hcbr_cases *rich_cases_make(const rich_case *drawn, uint32_t count, const uint32_t *order,
                            const uint32_t *times);

/** Train a rich model; threads 1 or more; weight by case or NULL. */
hcbr_model *rich_model_train(hcbr_cases *cases, hcbr_effort effort, uint32_t threads,
                             const double *weight);

/** Features of a drawn case; text has room for 8 names of 16 bytes. */
size_t rich_case_features(const rich_case *c, hcbr_feature *features, char (*text)[16]);

/** Do two models decide by the same bytes? Their cases may differ. */
void assert_same_rich(const hcbr_model *a, const hcbr_model *b);

/** Are the files of two models the same? */
void assert_same_file(const hcbr_model *a, const hcbr_model *b);

/** The model that comes back from the bytes of this one, which it has again. */
hcbr_model *rich_model_reload(const hcbr_model *model);

/** Let every allocation of training fail once: it ends with the status, and without a model. */
void assert_train_without_memory(hcbr_cases *cases, const hcbr_train_options *options);

#endif
