/**
 * @file space.h
 * The model space: supports as products of weights and strengths, s = W mu, and solvers that look
 * for a better mu; private to src/study.
 */
#ifndef HCBR_I_SPACE_H
#define HCBR_I_SPACE_H

#include "study/study.h"

/** Weights w(e,x) of some cases, row by row, and their labels. */
typedef struct hcbr_i_space {
    uint32_t case_count, atom_count;
    uint64_t *start; /**< case i has entries start[i] .. start[i+1] */
    uint32_t *atom;
    double *weight;
    uint8_t *positive; /**< by case: it has the second label */
} hcbr_i_space;
void hcbr_i_space_clear(hcbr_i_space *space);

/** The rows of a matrix that differ (space_rows.c). */
typedef struct hcbr_i_space_rows {
    hcbr_i_space matrix; /**< without `positive` */
    double *cases;       /**< by row: how many cases have it */
    double *positives;   /**< by row: how many of them have the second label */
} hcbr_i_space_rows;
/** Also on failure hcbr_i_space_rows_clear() it. */
hcbr_status hcbr_i_space_rows_make(hcbr_i_space_rows *out, const hcbr_i_space *from,
                                   hcbr_error *err);
void hcbr_i_space_rows_clear(hcbr_i_space_rows *rows);

/** A part: a model of its training cases, and what follows. Zero it first. */
typedef struct hcbr_i_space_part {
    hcbr_i_study_lists lists;
    struct hcbr_cases *cases; /**< the training part */
    hcbr_model *model;        /**< NULL: the training cases have one label */
    hcbr_i_feature_id *known; /**< by feature of all cases: that of the training part */
    uint32_t *atom;           /**< by feature of all cases: its atom; HCBR_I_NONE: unseen */
    uint32_t *back, *at;      /**< labels; by atom: its entry in the case at hand */
    double *mu, *found;       /**< by atom: its strength, and room for another one */
    hcbr_i_space train, test; /**< training cases, held-out cases */
    hcbr_i_space most, rest;  /**< four in five training cases, and the others */
} hcbr_i_space_part;
/** Also on failure hcbr_i_space_part_clear() it. */
hcbr_status hcbr_i_space_part_make(hcbr_i_space_part *p, const hcbr_i_study_job *job,
                                   const hcbr_i_study_folds *folds, uint32_t index,
                                   const hcbr_i_asked_stop *stop, hcbr_error *err);
void hcbr_i_space_part_clear(hcbr_i_space_part *p);

/** Matthews' correlation of the signs of W mu; exact ties are no positive answers (METHOD 3). 0
 *  where all answers, or all labels, are the same. */
double hcbr_i_space_mcc(const hcbr_i_space *space, const double *mu);
/** That of four counts. */
double hcbr_i_space_mcc_of(double tp, double fp, double fn, double tn);

#define HCBR_I_SPACE_PENALTY 0.1 /* of |delta|^2, as in the paper */
/** What is to be large: MCC(mu + delta) - 0.1 |delta|^2. */
double hcbr_i_space_fitness(const hcbr_i_space *space, const double *mu, const double *changed);

/** Random numbers that depend on nothing but their seed. */
typedef struct hcbr_i_space_random {
    uint64_t state;
    double spare; /**< the second of two normal numbers; NaN: none */
} hcbr_i_space_random;
double hcbr_i_space_uniform(hcbr_i_space_random *r); /**< in [0, 1) */
double hcbr_i_space_normal(hcbr_i_space_random *r);

typedef struct hcbr_i_space_job {
    const hcbr_i_space *train;
    const double *mu; /**< the strengths to be improved, by atom */
    uint64_t seed;
    uint32_t generations;
    const hcbr_i_asked_stop *stop;
} hcbr_i_space_job;

/**
 * The paper's evolution strategy (evolve.c): the best of 100 parents and 100 children, by two-point
 * crossover and normal mutation.
 *
 * @param out     receives the best strengths, by atom.
 * @param fitness receives the best fitness at first and after each generation: generations + 1.
 */
hcbr_status hcbr_i_space_evolve(double *out, double *fitness, const hcbr_i_space_job *job,
                                hcbr_error *err);
/**
 * The same question as a convex one (convex.c): logistic regression in the model space, for several
 * penalties, each with the best threshold.
 *
 * @param held_out cases that choose the penalty; NULL: the fitness on the training cases does.
 * @param choice   HCBR_I_SPACE_CHOOSE, and receives which penalty was chosen; or that of an earlier
 *                 call, which is then taken.
 */
hcbr_status hcbr_i_space_convex(double *out, const hcbr_i_space_job *job,
                                const hcbr_i_space *held_out, int *choice, hcbr_error *err);
#define HCBR_I_SPACE_CHOOSE (-3)

/** Wilcoxon's signed-rank test of paired differences (wilcoxon.c). */
typedef struct hcbr_i_wilcoxon {
    double statistic; /**< the smaller sum of ranks, of positive or of negative differences */
    double p;         /**< two-sided; NaN without a difference that is not 0 */
    size_t count;     /**< differences that are not 0 */
} hcbr_i_wilcoxon;
/** Exact for up to 50 differences without ties and zeros, else by the normal approximation with
 *  the correction for ties. Differences that are 0 or NaN are left out. */
hcbr_status hcbr_i_study_wilcoxon(hcbr_i_wilcoxon *out, const double *differences, size_t count,
                                  hcbr_error *err);

#endif
