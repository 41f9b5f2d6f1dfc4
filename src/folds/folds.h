/**
 * @file folds.h
 * The assignment of cases to folds, drawn from a seed or given.
 *
 * Draws depend on the labels, the groups, the seed and the number of the repeat only, so the same
 * cases fall into the same folds on every machine and with any number of threads. For units
 * (groups, equal cases) draws depend on their content and not on the order of the cases, and a case
 * of weight n falls where n copies of it would.
 */
#ifndef HCBR_I_FOLDS_H
#define HCBR_I_FOLDS_H

#include "cases/cases.h"

/** Folds of a case base. */
typedef struct hcbr_i_folds {
    uint32_t count; /**< at least 1 */
    uint32_t case_count;
    uint32_t *of;   /**< by case: its fold; HCBR_I_NONE: never held out */
    bool past_only; /**< a fold is decided from the cases never held out and the folds before it */
} hcbr_i_folds;

typedef struct hcbr_i_fold_options {
    uint32_t folds;        /**< unless another rule applies */
    uint64_t seed;         /**< of the draws, with `repeat` */
    uint32_t repeat;       /**< from 0 */
    double holdout;        /**< above 0: one fold of this share */
    bool by_group;         /**< cases of one group stay together; those without a group are one
                                group */
    bool together;         /**< equal cases, whatever their labels, stay together */
    bool fewer;            /**< fewer folds if there are fewer cases, groups or different cases */
    const double *weight;  /**< by case, with exact sums (hcbr_i_model_exact_weights()): for units;
                                NULL: each counts once */
    bool past_only;        /**< consecutive parts, each decided by those before it */
    uint32_t test_start;   /**< above 0: the cases from this one on are the only fold */
    const uint64_t *given; /**< by data row: its fold; each different number is one; NULL: drawn */
    size_t given_count;    /**< rows of the case base */
} hcbr_i_fold_options;

/**
 * Assign the cases of a finished base to folds. By default they are drawn so that each fold has its
 * share of every label and of all cases, give or take one.
 *
 * @return HCBR_OK, HCBR_EDATA (fewer than two cases), HCBR_EUSAGE (fewer cases or groups than
 *         folds, rules that exclude each other, a fold that would leave nothing to train on) or
 *         HCBR_ENOMEM.
 */
hcbr_status hcbr_i_folds_make(hcbr_i_folds *out, const struct hcbr_cases *cases,
                              const hcbr_i_fold_options *options, hcbr_error *err);
void hcbr_i_folds_clear(hcbr_i_folds *folds);

/**
 * List the cases that a fold is decided from and those it holds out, each in ascending order.
 *
 * @param train, test room for all cases each.
 */
void hcbr_i_folds_split(const hcbr_i_folds *folds, uint32_t fold, uint32_t *train,
                        uint32_t *train_count, uint32_t *test, uint32_t *test_count);

/**
 * Deal cases to folds: of[i] receives a fold below `folds`, so that each fold has its share of
 * every label and of all cases, give or take one.
 *
 * @param label of each case, below label_count.
 * @param state of the draws; changed.
 */
hcbr_status hcbr_i_folds_stratify(uint32_t *of, const uint32_t *label, uint32_t count,
                                  uint32_t label_count, uint32_t folds, uint64_t *state,
                                  hcbr_error *err);

/* ---- indivisible units (fold_units.c)
 * --------------------------------------------------------- */

/** Cases that stay together. */
typedef struct hcbr_i_fold_unit {
    uint64_t key;  /**< a hash of the group's name, or of the values of equal cases */
    uint64_t draw; /**< a hash of the key and the draw */
    uint32_t first, count;
    double weight;
} hcbr_i_fold_unit;

typedef struct hcbr_i_fold_units {
    uint32_t count, member_count, case_count; /**< without the cases of weight 0 */
    hcbr_i_fold_unit *unit;                   /**< the heaviest first, ties as drawn */
    uint32_t *cases;      /**< those of unit u: cases[first ..first + count), by ascending
                               label */
    const double *weight; /**< by case; NULL: each counts once */
} hcbr_i_fold_units;

/** The key of each case's unit: its group, or a hash of its values. HCBR_OK or HCBR_ENOMEM. */
hcbr_status hcbr_i_fold_unit_keys(uint64_t *key, const struct hcbr_cases *cases, bool by_group,
                                  hcbr_error *err);
/**
 * The units of cases: those with equal keys.
 *
 * @param weight by case, borrowed; NULL: each counts once.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_fold_units_make(hcbr_i_fold_units *out, uint32_t count, const uint64_t *key,
                                   const uint32_t *label, const double *weight, uint64_t draw,
                                   hcbr_error *err);
void hcbr_i_fold_units_clear(hcbr_i_fold_units *units);
/** Deal units to folds so that labels and sizes are balanced; no fold is empty if there are enough
 *  units. */
hcbr_status hcbr_i_fold_units_deal(uint32_t *of, const hcbr_i_fold_units *units,
                                   const uint32_t *label, uint32_t labels, uint32_t folds,
                                   hcbr_error *err);
/** Draw units as long as they fit into the share: 0 or HCBR_I_NONE by case. At least one unit is
 *  taken, and one left. Reorders the units. */
void hcbr_i_fold_units_draw(uint32_t *of, hcbr_i_fold_units *units, double share);

/** Parse the text of a file of folds; see hcbr_folds_load(). *out from hcbr_i_alloc(). */
hcbr_status hcbr_i_folds_parse(uint64_t **out, size_t *count, const char *text, size_t size,
                               const char *file, hcbr_error *err);

#endif
