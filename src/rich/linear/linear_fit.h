/**
 * @file linear_fit.h
 * Fitting strengths of single tests: shared by the fit of all labels together (linear_fit.c) and of
 * one label after the other (linear_labels.c). Private to src/rich.
 */
#ifndef HCBR_I_RICH_LINEAR_FIT_H
#define HCBR_I_RICH_LINEAR_FIT_H

#include "rich/rich.h"
#include "rich/rich_draw.h"

#define HCBR_I_RICH_MOST_CUTS 32u

/** The share of tests that two codes of a number with m cuts have in common, at
 *  HCBR_I_RICH_MOST_CUTS + a - b. */
typedef struct hcbr_i_rich_window {
    double at[2 * HCBR_I_RICH_MOST_CUTS + 1];
} hcbr_i_rich_window;

typedef struct hcbr_i_rich_fitter {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    const hcbr_i_rich_linear *linear;  /**< places and coarse codes */
    const uint8_t *entry;              /**< rows x columns: entries of the tables */
    const double *self;                /**< by row: phi(x).phi(x) */
    const hcbr_i_rich_window *windows; /**< by number of cuts */
    const bool *ordered;               /**< by column: its codes are ordered */
    double scale;                      /**< phi^2 of a test of weight 1 */
    uint32_t label;                    /**< for one output: its label */
    bool wide;                         /**< the processor adds four numbers at a time */
    bool precise;                      /**< a case is too heavy for the precision of a float */
    double *held;
} hcbr_i_rich_fitter;

/** The cases of a fit, and its result. */
typedef struct hcbr_i_rich_fitting {
    const uint32_t *row; /**< the cases; NULL: all rows */
    uint32_t count;
    const double *most; /**< by case: C w, the upper bound of alpha; 0: ignored */
    double *alpha;      /**< by case and output */
    double *logit;      /**< likewise: room for their logits */
    double *strength;   /**< by entry and output; 0 at first */
    double *room;       /**< 2 x outputs */
    void (*wipe)(struct hcbr_i_rich_fitting *fitting); /**< sets all strengths to 0 */
    void *context;                                     /**< of wipe */
    bool begun;     /**< alphas are set, by a fit to fewer or other cases; else they start at 0 */
    double reached; /**< mean gradient of the last pass; if begun, the target */
    bool ticks;     /**< each pass is a progress step */
} hcbr_i_rich_fitting;

static inline uint32_t hcbr_i_rich_fitting_row(const hcbr_i_rich_fitting *x, uint32_t i) {
    return x->row ? x->row[i] : i;
}

/** Offsets and coarse codes, of up to `cuts` cuts (linear_bins.c). False: no memory. */
bool hcbr_i_rich_entries_init(hcbr_i_rich_linear *linear, const hcbr_i_rich_table *table,
                              uint32_t cuts);
/** Entries row by row, and phi(x).phi(x). Returns the scale. */
double hcbr_i_rich_entries_fill(const hcbr_i_rich_linear *linear, const hcbr_i_rich_table *table,
                                uint8_t *entry, double *self);
/** Weight of the copies of a row in the training part of a fold, times C. */
double hcbr_i_rich_fitter_most(const hcbr_i_rich_fitter *f, uint32_t fold, uint32_t row);
/** Fit alphas and strengths to the cases whose bound is above 0. */
void hcbr_i_rich_fitter_fit(const hcbr_i_rich_fitter *f, hcbr_i_rich_fitting *x);
/** The best alphas of a case for up to HCBR_I_LOG_BLOCK outputs, in their place, with the logits
 *  log(alpha / (most - alpha)) (linear_step.c). b: y support; most: C w; a: phi(x).phi(x); least: a
 *  slope that is 0. */
void hcbr_i_rich_best_alphas(double *alpha, double *logit, const double *b, uint32_t count,
                             double most, double a, double least);
/** Add the contribution of a row with these alphas, by output, to strengths. room: for the
 *  outputs. */
void hcbr_i_rich_fitter_pull(const hcbr_i_rich_fitter *f, uint32_t row, const double *alpha,
                             double *strength, double *room);
/** Support of a row by its columns, for one output. Four sums, so that none waits for the one
 *  before. */
static inline double hcbr_i_rich_fitter_columns(const hcbr_i_rich_fitter *f, const double *strength,
                                                uint32_t row) {
    const uint32_t *place = f->linear->place, columns = f->table->columns;
    const uint8_t *entry = f->entry + (size_t)row * columns;
    double sum[4] = {0};
    uint32_t c = 0;
    for (; c + 4 <= columns; c += 4) {
        sum[0] += strength[place[c] + entry[c]];
        sum[1] += strength[place[c + 1] + entry[c + 1]];
        sum[2] += strength[place[c + 2] + entry[c + 2]];
        sum[3] += strength[place[c + 3] + entry[c + 3]];
    }
    for (; c < columns; c++)
        sum[0] += strength[place[c] + entry[c]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** Supports of a row by output. */
void hcbr_i_rich_fitter_support(const hcbr_i_rich_fitter *f, const double *strength, uint32_t row,
                                double *out);

/** For very many labels: fit each by itself, fill the lists of `out`, alphas and held-out supports.
 * False: no memory, or stopped. */
bool hcbr_i_rich_labels_fit(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept,
                            const hcbr_i_rich_fitter *f);

#endif
