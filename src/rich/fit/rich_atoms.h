/**
 * @file rich_atoms.h
 * Fitting strengths of atoms to some cases: what all labels side by side (rich_atoms.c) and one
 * label after the other (rich_labels.c) share. Private to src/rich.
 */
#ifndef HCBR_I_RICH_ATOMS_H
#define HCBR_I_RICH_ATOMS_H

#include "rich/fit/rich_draw.h"
#include "rich/rich.h"

#define HCBR_I_RICH_MOST_CUTS 32u

/** What two codes of a number with m cuts share, at HCBR_I_RICH_MOST_CUTS + a - b. */
typedef struct hcbr_i_rich_window {
    double at[2 * HCBR_I_RICH_MOST_CUTS + 1];
} hcbr_i_rich_window;

typedef struct hcbr_i_rich_fitter {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    const hcbr_i_rich_atoms *atoms;    /**< places and coarse codes */
    const uint8_t *entry;              /**< rows x columns: entries of the tables */
    const double *self;                /**< by row: phi(x).phi(x) */
    const hcbr_i_rich_window *windows; /**< by number of cuts */
    double scale;                      /**< phi^2 of a test of weight 1 */
    uint32_t label;                    /**< of one output: the label it speaks for */
    bool precise;                      /**< a case is so heavy that a float is not enough */
    double *held;
} hcbr_i_rich_fitter;

/** Cases that strengths are fitted to, and what comes of it. */
typedef struct hcbr_i_rich_fitting {
    const uint32_t *row; /**< the cases; NULL: all rows */
    uint32_t count;
    const double *most; /**< by case: C w, how far it may pull; 0: not at all */
    double *alpha;      /**< by case and output */
    double *strength;   /**< by entry and output; 0 at first */
    double *room;       /**< 2 x outputs */
    void (*wipe)(struct hcbr_i_rich_fitting *fitting); /**< sets all strengths to 0 */
    void *context;                                     /**< of wipe */
    bool ticks;                                        /**< each pass is a step of the way */
} hcbr_i_rich_fitting;

static inline uint32_t hcbr_i_rich_fitting_row(const hcbr_i_rich_fitting *x, uint32_t i) {
    return x->row ? x->row[i] : i;
}

/** Places and coarse codes, of up to so many cuts (rich_entries.c). False: no memory. */
bool hcbr_i_rich_entries_init(hcbr_i_rich_atoms *atoms, const hcbr_i_rich_table *table,
                              uint32_t cuts);
/** Entries row by row, and phi(x).phi(x). Returns the scale. */
double hcbr_i_rich_entries_fill(const hcbr_i_rich_atoms *atoms, const hcbr_i_rich_table *table,
                                uint8_t *entry, double *self);
/** Weight of the copies of a row that the jury of a fold sees, times C. */
double hcbr_i_rich_fitter_most(const hcbr_i_rich_fitter *f, uint32_t fold, uint32_t row);
/** Fit alphas and strengths of the cases that may pull. */
void hcbr_i_rich_fitter_fit(const hcbr_i_rich_fitter *f, hcbr_i_rich_fitting *x);
/** The best alphas of a case for up to HCBR_I_LOG_BLOCK outputs, in their place (rich_alpha.c). b:
 *  y support; most: C w; a: phi(x).phi(x). Returns how far the worst was off. */
double hcbr_i_rich_best_alphas(double *alpha, const double *b, uint32_t count, double most,
                               double a, double precision);
/** Add what a row pulls with these alphas, by output, to strengths. room: for the outputs. */
void hcbr_i_rich_fitter_pull(const hcbr_i_rich_fitter *f, uint32_t row, const double *alpha,
                             double *strength, double *room);
/** Supports of a row by output. */
void hcbr_i_rich_fitter_support(const hcbr_i_rich_fitter *f, const double *strength, uint32_t row,
                                double *out);

/** With very many labels: fit each by itself, fill the lists of `out`, alphas and held-out
 * supports. False: no memory, or stopped. */
bool hcbr_i_rich_labels_fit(hcbr_i_rich_atoms *out, hcbr_i_rich_kept *kept,
                            const hcbr_i_rich_fitter *f);

#endif
