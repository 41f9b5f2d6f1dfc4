/**
 * @file linear_newton.h
 * Strengths of single tests by Newton's steps (linear_newton.c). Private to src/rich.
 */
#ifndef HCBR_I_RICH_LINEAR_NEWTON_H
#define HCBR_I_RICH_LINEAR_NEWTON_H

#include "rich/linear/linear_fit.h"

/** What is fitted: the cases that a fold model sees. */
typedef struct hcbr_i_rich_newton_work {
    uint32_t fold;    /**< of the fold model */
    uint32_t threads; /**< that may work on it */
    double *v;        /**< where it is; the vectors below are in its block */
    double *table;    /**< supports by entry */
    double *sums;     /**< of y alpha, by entry */
    double *parts;    /**< the same, of some cases each */
    double *off;      /**< r: how far v is from what the alphas say */
    double *step;
    double slope;          /**< along the step where it began */
    double before;         /**< deviation there */
    double *owned;         /**< room of the matrices; NULL: they are the first fold model's */
    double *curved;        /**< L' H L, the upper triangle; NULL: not known yet */
    double *factor, *room; /**< of 1 + L' H L; a block */
    double *each;          /**< curvature of each case that H is taken of */
    double mass;           /**< all curvatures of the cases that H is taken of */
    double *alpha;         /**< by row; NULL: nobody asks */
    bool right, failed;    /**< v is found; memory was short */
} hcbr_i_rich_newton_work;

typedef struct hcbr_i_rich_newton {
    const hcbr_i_rich_fitter *f;
    size_t size;   /**< entries */
    double *lower; /**< L, column after column */
    double *alpha; /**< of the first fold model, by row */
    hcbr_i_rich_newton_work first;
} hcbr_i_rich_newton;

/** Is it worth while? */
bool hcbr_i_rich_newton_pays(const hcbr_i_rich_fitter *f);
/** Fit the first fold model. False: no memory. Release with hcbr_i_rich_newton_clear(). */
bool hcbr_i_rich_newton_init(hcbr_i_rich_newton *newton, const hcbr_i_rich_fitter *f,
                             uint32_t threads);
void hcbr_i_rich_newton_clear(hcbr_i_rich_newton *newton);
/** Alphas and strengths of the model of a fold; *right: they were found. False: no memory. */
bool hcbr_i_rich_newton_fold(const hcbr_i_rich_newton *newton, uint32_t fold, uint32_t threads,
                             double *alpha, double *strength, bool *right);
/** Strengths by entry from sums of y alpha by entry. room: as many. */
void hcbr_i_rich_newton_rebuild(const hcbr_i_rich_newton *newton, const double *sums,
                                double *strength, double *room);

#endif
