/**
 * @file harness.h
 * Shared by the property tests: random numbers with a printed seed, random case bases, and the
 * conversion of a case base of bits for the public API.
 */
#ifndef HCBR_TESTS_HARNESS_H
#define HCBR_TESTS_HARNESS_H

#include "oracle.h"

#include <hcbr/hcbr.h>

#define HARNESS_NAMES 4   /* ways to name features */
#define HARNESS_LABELS 4  /* ways to name labels */
#define HARNESS_UNSEEN 16 /* features beyond ORACLE_FEATURES that have a name */

typedef struct harness_random {
    uint64_t state;
} harness_random;

uint64_t harness_next(harness_random *r);
/** An integer of [0, n). */
int harness_below(harness_random *r, int n);
/** A permutation of [0, n). */
void harness_permute(harness_random *r, int *order, int n);

/** Shape of a random case base. */
typedef struct harness_shape {
    int features, cases, labels; /**< at most; drawn from 1 (labels: also fewer) */
    bool exact;                  /**< use the sizes unchanged */
} harness_shape;
/** Draw a case base, with empty cases, duplicates and features of equal sets now and then. */
void harness_draw(oracle_base *base, harness_random *r, harness_shape shape);
/** Renumber the labels so that all that remain occur, in the same order. */
void harness_compress(oracle_base *base);
/** Print the cases as bits, for a report of a failure. */
void harness_print(const oracle_base *base);

/** The style in which a case base is passed to the library. Zero: plain. */
typedef struct harness_style {
    int names;         /**< below HARNESS_NAMES */
    int labels;        /**< below HARNESS_LABELS */
    uint64_t shuffle;  /**< not 0: features in an order drawn from this, some repeated */
    uint64_t hash_key; /**< 0: 1, so that tests can be repeated */
} harness_style;

/** Feature number `feature` under a name; static storage. Different numbers, different names. */
hcbr_feature harness_feature(int names, int feature);
/** Name of a label; the names of a style are in the fixed order of METHOD 3. */
const char *harness_label(int labels, int label);
/** Features of a set, with `unseen` unknown ones, in the style's order. Returns their number. */
size_t harness_features(const harness_style *style, uint64_t salt, uint64_t set, int unseen,
                        hcbr_feature *out, size_t capacity);

/** The case base through the public API, finished. Fails the test if that fails. */
hcbr_cases *harness_cases(const oracle_base *base, const harness_style *style);
/** A model of it. Fails the test if that fails. */
hcbr_model *harness_train(const oracle_base *base, const harness_style *style,
                          const hcbr_train_options *options);
/** Atom of a feature in a model, UINT32_MAX if it is not known. */
uint32_t harness_atom(const hcbr_model *model, int names, int feature);
/** A decider with the model's own rule. Fails the test if that fails. */
hcbr_decider *harness_decider(const hcbr_model *model, const hcbr_rule *rule);
/** Decide a set of features. Fails the test if that fails. */
hcbr_decision harness_decide(hcbr_decider *decider, const harness_style *style, uint64_t set,
                             int unseen);
/** Fail the test unless status is HCBR_OK. */
void harness_ok(hcbr_status status, const hcbr_error *err);

/** The seed of a test: HCBR_SEED around the program, else this one. Prints it. */
uint64_t harness_seed(uint64_t otherwise);

/** --long among the arguments, or HCBR_LONG=1 around the program. */
bool harness_long(int argc, char **argv);

/** Whether this build has a sanitizer. */
bool harness_sanitized(void);

/** Rounds of a random test in its quick tier, fewer under a sanitizer (rounds.h). */
int harness_rounds(int all);

#endif
