/**
 * @file drift.h
 * Comparison of new cases with those of training: the values of each column are counted on both
 * sides, then the counts are compared.
 */
#ifndef HCBR_I_DRIFT_H
#define HCBR_I_DRIFT_H

#include "decide/decide.h"

#include <hcbr/drift.h>

#define HCBR_I_DRIFT_RARE 5u    /* values of fewer training cases are rare */
#define HCBR_I_DRIFT_PARTS 10u  /* of the numbers of a column */
#define HCBR_I_DRIFT_RANGES 12u /* including those below and above all of training */

enum { HCBR_I_TRAINED, HCBR_I_HERE, HCBR_I_SIDES };

/** Numbers of training, and how many of each side fall into their tenths. */
typedef struct hcbr_i_spans {
    double *values; /**< of training, until the ranges are cut */
    size_t count, capacity;
    double cut[HCBR_I_DRIFT_PARTS + 1];             /**< the least, then the ends of the ranges */
    uint32_t cut_count;                             /**< 0: no numbers */
    uint64_t in[HCBR_I_SIDES][HCBR_I_DRIFT_RANGES]; /**< below, the ranges, above */
} hcbr_i_spans;
/** Append a number of training. False: no memory. */
bool hcbr_i_spans_add(hcbr_i_spans *spans, double value);
/** Cut the numbers of training, which are complete, into tenths, and count them. */
void hcbr_i_spans_cut(hcbr_i_spans *spans);
/** Count a new number. */
void hcbr_i_spans_count(hcbr_i_spans *spans, double value);

/** A bin before shares are computed. */
typedef struct hcbr_i_drift_bin {
    hcbr_drift_bin_kind kind;
    hcbr_i_text value;
    double low, high;
    uint64_t count[HCBR_I_SIDES];
    double moved; /**< difference of its shares */
} hcbr_i_drift_bin;

/** A comparison. */
typedef struct hcbr_i_drift_part {
    hcbr_drift_kind kind;
    hcbr_i_text name;
    bool compared, gone;
    double shift, chance, drift;
    double missing[HCBR_I_SIDES];
    double unseen;
    uint64_t total[HCBR_I_SIDES]; /**< denominators of the shares */
    uint64_t new_count, gone_count;
    size_t first_new; /**< index among those of the result */
    hcbr_i_drift_bin *bins;
    size_t bin_count, bin_capacity;
    uint32_t column; /**< column of the counts */
} hcbr_i_drift_part;

/** The counts of the values of a column. */
typedef struct hcbr_i_drift_column {
    hcbr_i_text name;
    bool used;                     /**< a column: its key is not a word of another one */
    bool number;                   /**< its values are ordered: see spans */
    bool words;                    /**< its values are keys */
    uint64_t values[HCBR_I_SIDES]; /**< values of all cases */
    uint64_t cases[HCBR_I_SIDES];  /**< cases with a value */
    uint64_t unseen;               /**< values of new cases */
    uint64_t last;                 /**< last case counted, + 1 */
    hcbr_i_spans spans;
} hcbr_i_drift_column;

/** Names that training did not have, with their numbers of cases. Zero-initialise. */
typedef struct hcbr_i_fresh {
    hcbr_i_labels names; /**< of a value: prefixed with the number of its column and a colon */
    uint64_t *cases;
    size_t capacity;
} hcbr_i_fresh;

/** Counts of both sides. */
typedef struct hcbr_i_drift_counts {
    const hcbr_model *model;
    uint64_t case_count[HCBR_I_SIDES];
    hcbr_i_drift_column *columns; /**< keys, then columns of texts, then bare features */
    uint32_t column_count, key_count;
    hcbr_i_text *texts; /**< names of columns of texts */
    uint32_t text_count;
    size_t text_capacity;
    uint32_t *column_of;             /**< by key */
    uint64_t *feature[HCBR_I_SIDES]; /**< by feature: cases with it */
    uint64_t *key[HCBR_I_SIDES];     /**< by key: cases with it, of words */
    uint64_t *answer[HCBR_I_SIDES];  /**< by label, then none */
    hcbr_i_spans scores;
    hcbr_i_labels labels; /**< of the model, then new ones */
    uint64_t *label_cases;
    size_t label_capacity;
    uint64_t labelled, features, unseen, unseen_cases, unknown_cases;
    uint64_t serial;
    hcbr_i_fresh values, new_columns;
} hcbr_i_drift_counts;

hcbr_status hcbr_i_drift_counts_init(hcbr_i_drift_counts *counts, const hcbr_model *model,
                                     hcbr_error *err);
void hcbr_i_drift_counts_clear(hcbr_i_drift_counts *counts);
/** Count a resolved case and, if not NULL, its decision. */
hcbr_status hcbr_i_drift_count(hcbr_i_drift_counts *counts, int side, const hcbr_i_case *x,
                               const hcbr_decision *decision, hcbr_error *err);
/** Fill in the counts of training that a model without past cases has. */
void hcbr_i_drift_count_known(hcbr_i_drift_counts *counts);
/** Called when all of training is counted. */
void hcbr_i_drift_counts_cut(hcbr_i_drift_counts *counts);

/** A new name. */
typedef struct hcbr_i_drift_new {
    uint32_t column; /**< of a value */
    hcbr_i_text name;
    uint64_t cases;
} hcbr_i_drift_new;

struct hcbr_drift {
    hcbr_i_drift_counts counts;
    hcbr_drift_info info;
    hcbr_i_drift_part parts[HCBR_DRIFT_SCORES + 1]; /**< by kind; columns are separate */
    hcbr_i_drift_part *columns;
    hcbr_i_drift_new *new_values; /**< by column, then in order */
    hcbr_i_drift_new *new_columns;
};

/** Make bins of the counts, measure and sort them (drift_measure.c). */
hcbr_status hcbr_i_drift_compare(hcbr_drift *drift, hcbr_error *err);
/** Share of a bin on a side; 0 if there are no values. */
double hcbr_i_drift_share(const hcbr_i_drift_part *part, size_t bin, int side);

#endif
