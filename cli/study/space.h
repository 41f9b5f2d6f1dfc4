/**
 * @file space.h
 * The model space: supports as products of weights and strengths, s = W mu, and solvers that look
 * for a better mu; private to cli/study.
 */
#ifndef SPACE_H
#define SPACE_H

#include "study.h"

/** Weights w(e,x) of some cases, row by row, and their labels. */
typedef struct space {
    uint32_t case_count, atom_count;
    uint64_t *start; /**< case i has entries start[i] .. start[i+1] */
    uint32_t *atom;
    double *weight;
    uint8_t *positive; /**< by case: has the second label */
} space;
void space_clear(space *s);

/** The distinct rows of a matrix (space_rows.c). */
typedef struct space_rows {
    space matrix;      /**< without `positive` */
    double *cases;     /**< by row: how many cases have it */
    double *positives; /**< by row: how many of them have the second label */
} space_rows;
void space_rows_make(space_rows *out, const space *from);
void space_rows_clear(space_rows *rows);

/** A part: a model of its training cases, and its matrices. Zero it first. */
typedef struct space_part {
    study_lists lists;
    hcbr_model *model;  /**< NULL: the training cases have one label */
    uint32_t *atom;     /**< by feature of all cases: its atom; STUDY_NONE: unseen */
    uint64_t *at;       /**< by atom: its entry in the case being read */
    double *mu, *found; /**< by atom: its strength, and room for another */
    space train, test;  /**< training cases, held-out cases */
    space most, rest;   /**< four in five training cases, and the others */
} space_part;
/** Also after a failure space_part_clear() it. */
hcbr_status space_part_make(space_part *p, const study *s, const study_folds *folds, uint32_t index,
                            const study_stop *stop, hcbr_error *err);
void space_part_clear(space_part *p);

/** Matthews' correlation of the signs of W mu; exact ties are not positive (METHOD 3). 0 if all
 *  answers, or all labels, are the same. */
double space_mcc(const space *s, const double *mu);
/** The same of four counts. */
double space_mcc_of(double tp, double fp, double fn, double tn);

#define SPACE_PENALTY 0.1 /* of |delta|^2, as in the paper */
/** To be maximised: MCC(mu + delta) - 0.1 |delta|^2. */
double space_fitness(const space *s, const double *mu, const double *changed);

/** Random numbers that depend only on their seed. */
typedef struct space_random {
    uint64_t state;
    double spare; /**< the second of two normal numbers; NaN: none */
} space_random;
double space_uniform(space_random *r); /**< in [0, 1) */
double space_normal(space_random *r);

typedef struct space_job {
    const space *train;
    const double *mu; /**< the strengths to improve, by atom */
    uint64_t seed;
    uint32_t generations;
    const study_stop *stop;
} space_job;

/**
 * The paper's evolution strategy (evolve.c): the best of 100 parents and 100 children, by two-point
 * crossover and normal mutation.
 *
 * @param out     receives the best strengths, by atom.
 * @param fitness receives the best fitness at the start and after each generation: generations + 1.
 */
hcbr_status space_evolve(double *out, double *fitness, const space_job *job, hcbr_error *err);
/**
 * The same as a convex problem (convex.c): logistic regression in the model space, for several
 * penalties, each with the best threshold.
 *
 * @param held_out cases that choose the penalty; NULL: the fitness on the training cases does.
 * @param choice   SPACE_CHOOSE, and receives the chosen penalty; or that of an earlier call, to use
 *                 it.
 */
hcbr_status space_convex(double *out, const space_job *job, const space *held_out, int *choice,
                         hcbr_error *err);
#define SPACE_CHOOSE (-3)

/** Wilcoxon's signed-rank test of paired differences (wilcoxon.c). */
typedef struct wilcoxon {
    double statistic; /**< the smaller sum of ranks, of positive or of negative differences */
    double p;         /**< two-sided; NaN if all differences are 0 */
    size_t count;     /**< differences that are not 0 */
} wilcoxon;
/** Exact for up to 50 differences without ties and zeros, else by the normal approximation with
 *  the correction for ties. Differences that are 0 or NaN are left out. */
void wilcoxon_test(wilcoxon *out, const double *differences, size_t count);

#endif
