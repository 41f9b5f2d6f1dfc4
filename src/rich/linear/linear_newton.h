/**
 * @file linear_newton.h
 * Strengths of single tests by Newton's steps (linear_newton.c). Private to src/rich.
 */
#ifndef HCBR_I_RICH_LINEAR_NEWTON_H
#define HCBR_I_RICH_LINEAR_NEWTON_H

#include "rich/linear/linear_fit.h"

/** The fit of one fold model, to the cases in its training part. */
typedef struct hcbr_i_rich_newton_work {
    uint32_t fold;    /**< of the fold model */
    uint32_t threads; /**< threads for this fit */
    double *v;        /**< the solution so far; the vectors below are in its block */
    double *table;    /**< supports by entry */
    double *sums;     /**< of y alpha, by entry */
    double *parts;    /**< the same, of some cases each */
    double *off;      /**< r: residual of v against the alphas */
    double *step;
    double slope;          /**< along the step, at its start */
    double before;         /**< deviation at its start */
    double *owned;         /**< memory of the matrices; NULL: shared with the first fold model */
    double *curved;        /**< L' H L, the upper triangle; NULL: not computed yet */
    double *factor, *room; /**< of 1 + L' H L; a block */
    double *each;          /**< curvature of each case, as used in H */
    double mass;           /**< sum of the curvatures in H */
    double *alpha;         /**< by row; NULL: not wanted */
    bool right, failed;    /**< v has converged; memory was short */
} hcbr_i_rich_newton_work;

typedef struct hcbr_i_rich_newton {
    const hcbr_i_rich_fitter *f;
    size_t size;   /**< entries */
    double *lower; /**< L, column after column */
    double *alpha; /**< of the first fold model, by row */
    hcbr_i_rich_newton_work first;
} hcbr_i_rich_newton;

/** Whether Newton's method is faster here. */
bool hcbr_i_rich_newton_pays(const hcbr_i_rich_fitter *f);
/** Fit the first fold model. False: no memory. Release with hcbr_i_rich_newton_clear(). */
bool hcbr_i_rich_newton_init(hcbr_i_rich_newton *newton, const hcbr_i_rich_fitter *f,
                             uint32_t threads);
void hcbr_i_rich_newton_clear(hcbr_i_rich_newton *newton);
/** Alphas and strengths of the model of a fold; *right: it converged. False: no memory. */
bool hcbr_i_rich_newton_fold(const hcbr_i_rich_newton *newton, uint32_t fold, uint32_t threads,
                             double *alpha, double *strength, bool *right);
/** Strengths by entry from sums of y alpha by entry. room: of the same size. */
void hcbr_i_rich_newton_rebuild(const hcbr_i_rich_newton *newton, const double *sums,
                                double *strength, double *room);

#endif
