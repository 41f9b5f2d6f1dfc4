/**
 * @file naive_rich.h
 * The rich model again, as docs/MODEL.md defines it: plain loops over small tables of fixed size,
 * nothing shared with src/rich but e^x, the logarithm and the constants' structure.
 *
 * Draws are keyed by content and seed, and sums that decide a test are whole numbers, so that trees
 * are the same bit by bit. Strengths of single tests are fitted on the tests themselves, where the
 * library keeps tables; they agree up to rounding.
 */
#ifndef HCBR_TEST_NAIVE_RICH_H
#define HCBR_TEST_NAIVE_RICH_H

#include "rich/rich.h"

#include <math.h>

enum {
    NAIVE_ROWS = 640,
    NAIVE_KEYS = 12,     /* each is a column or members of the bag */
    NAIVE_FEATURES = 20, /* of a case */
    NAIVE_MEMBERS = 700,
    NAIVE_CUTS = 250,
    NAIVE_LABELS = 6,
    NAIVE_FOLDS = 5,
    NAIVE_FAMILIES = 3
};

/* ---- input ----------------------------------------------------------------------------------- */

typedef struct naive_feature {
    char key[8];
    char value[12];
    bool bare; /**< without a value */
} naive_feature;

typedef struct naive_case {
    uint32_t count, label;
    char in[8];     /**< name of its group */
    uint64_t group; /**< a hash of it; 0: no groups */
    double weight;  /**< as given */
    naive_feature feature[NAIVE_FEATURES];
} naive_case;

typedef struct naive_data {
    uint32_t count, labels;
    bool weighted;           /**< otherwise the weights are 1 and unchanged */
    const char *numeric;     /**< key that is forced to be a number; may be NULL */
    const char *categorical; /**< key that is never a number */
    naive_case item[NAIVE_ROWS];
} naive_data;

/* ---- encoding (naive_encode.c) --------------------------------------------------------------- */

typedef struct naive_value {
    naive_feature text;
    double weight; /**< of the cases with it */
} naive_value;

/** A key of the training cases, its values sorted by bytes. */
typedef struct naive_key {
    const char *name;
    hcbr_i_rich_kind kind;
    bool words;    /**< some value is not a number: spellings of one number are different */
    bool several;  /**< a case has two values of it */
    double weight; /**< of the cases with it */
    uint32_t value_count;
    naive_value value[NAIVE_ROWS];
    uint32_t column;    /**< of a number or category */
    uint32_t member;    /**< of others: the first of its members */
    uint32_t different; /**< numbers: different ones */
    uint32_t cut_count;
    double cut[NAIVE_CUTS];
} naive_key;

typedef struct naive_column {
    bool ordered, exact;
    uint32_t codes;
} naive_column;

/** An encoded case. */
typedef struct naive_row {
    uint32_t code[NAIVE_KEYS]; /**< by column; 0: absent */
    bool has[NAIVE_MEMBERS];
    uint32_t label;
    double weight;
    uint64_t group; /**< 0: no groups */
    uint64_t content, hash;
    uint64_t unit; /**< key of its held-out unit */
    uint32_t fold; /**< NAIVE_FOLDS: never held out */
    double self;   /**< if all fold models see all: its contribution to its own support */
} naive_row;

typedef struct naive_table {
    uint32_t key_count, columns, members, labels, rows;
    naive_key key[NAIVE_KEYS];
    naive_column column[NAIVE_KEYS];
    naive_row row[NAIVE_ROWS];
    double label_weight[NAIVE_LABELS], total;
    double weight[NAIVE_ROWS];   /**< by case: the effective weight */
    uint32_t row_of[NAIVE_ROWS]; /**< by case; UINT32_MAX: no weight */
    double grid;                 /**< of residuals */
    bool all_seen;               /**< the fold models see what their folds hold out, too */
} naive_table;

/** The weight of a row for the model of a fold. */
double naive_seen(const naive_table *table, uint32_t row, uint32_t fold);

void naive_encode(naive_table *out, const naive_data *data, uint32_t fewest_numbers, uint64_t seed);
/** Codes and members of a case, of training or not. */
void naive_encode_case(const naive_table *table, const naive_case *from, naive_row *out);

/* ---- trees (naive_grow.c) -------------------------------------------------------------------- */

typedef struct naive_node {
    uint32_t test; /**< a column, or columns + a member; UINT32_MAX: a leaf */
    uint32_t lo, hi;
    uint32_t yes, no;
    double value[NAIVE_LABELS];
    double prior; /**< of the forest of more than two labels: the prior's part of each share */
} naive_node;

typedef struct naive_tree {
    uint32_t count;
    naive_node *node; /**< the root is the first */
} naive_tree;

/** Options of growing a tree. */
typedef struct naive_growth {
    const naive_table *table;
    double (*gradient)[4]; /**< by row: 1 or 3 channels, then the curvature */
    uint32_t channels, depth, fewest_columns;
    double lambda, least_h, columns, cuts, cases_per_cut;
    bool pure;
    uint64_t key;
} naive_growth;

/** A tree for the cases drawn; its leaves have no values yet. */
naive_tree naive_grow(const naive_growth *growth, const bool drawn[NAIVE_ROWS]);
/** The leaf that a case ends in. */
naive_node *naive_leaf(const naive_tree *tree, const naive_table *table, const naive_row *row);

/* ---- families -------------------------------------------------------------------------------- */

/** Supports of held-out cases, by row. */
typedef struct naive_held {
    double support[NAIVE_ROWS][NAIVE_LABELS];
} naive_held;

/** Strengths of single tests; naive_linear.c lists the tests of a case. */
typedef struct naive_linear {
    uint32_t entries[NAIVE_KEYS];                  /**< by column, without "absent" */
    uint32_t entry[NAIVE_KEYS][HCBR_I_RICH_CODES]; /**< by code */
    uint32_t tests;
    uint32_t first[NAIVE_KEYS + 1]; /**< test of each column; the last: of the bag */
    double strength[NAIVE_KEYS * 64 + NAIVE_MEMBERS][NAIVE_LABELS];
    double scale;
    double alpha[NAIVE_ROWS][NAIVE_LABELS]; /**< in stored precision: of one float, or two */
} naive_linear;

void naive_linear_fit(naive_linear *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                      uint64_t seed, naive_held *held);
/** The tests that a case passes, with their weights. Returns their number. */
uint32_t naive_tests_of(const naive_linear *linear, const naive_table *table, const naive_row *row,
                        uint32_t *test, double *weight);
/** Alphas of a fold model for a label by Newton's method (naive_newton.c). False: use descent. */
bool naive_newton(const naive_linear *linear, const naive_table *table,
                  const hcbr_i_rich_tuning *tuning, uint32_t fold, uint32_t label,
                  double alpha[NAIVE_ROWS]);
void naive_linear_support(const naive_linear *linear, const naive_table *table,
                          const naive_row *row, double *support);

/** Trees of a fold model and their start. */
typedef struct naive_fold_model {
    uint32_t trees;
    naive_tree *tree;
    double start[NAIVE_LABELS];
} naive_fold_model;

/** honest: by the number of trees that the models of the other folds found best. */
void naive_boost_fit(naive_fold_model out[NAIVE_FOLDS], const naive_table *table,
                     const hcbr_i_rich_tuning *tuning, uint64_t seed, naive_held *held,
                     naive_held *honest);
void naive_boost_support(const naive_fold_model *model, const naive_table *table,
                         const naive_row *row, double *support);

typedef struct naive_forest {
    uint32_t trees;
    naive_tree *tree;
} naive_forest;

void naive_forest_fit(naive_forest *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                      uint64_t seed, naive_held *held);
void naive_forest_support(const naive_forest *forest, const naive_table *table,
                          const naive_row *row, double *support);

/* ---- the model (naive_rich.c) ---------------------------------------------------------------- */

typedef struct naive_stack {
    double trust[NAIVE_FAMILIES], bias[NAIVE_LABELS];
    double scale, power; /**< of several labels: the temperature */
} naive_stack;

/** on: the families in use; looked: by row, whether to learn from it; folds: those to learn from, a
 * bit each; every: the stride of the sample. */
void naive_stack_fit(naive_stack *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                     const bool on[NAIVE_FAMILIES], naive_held *const held[NAIVE_FAMILIES],
                     const bool looked[NAIVE_ROWS], uint32_t folds, uint32_t every);
/** Scale and power of a stack with trusts and biases (naive_temperature.c). */
void naive_temperature(naive_stack *stack, const naive_table *table, const bool on[NAIVE_FAMILIES],
                       naive_held *const held[NAIVE_FAMILIES], const bool looked[NAIVE_ROWS],
                       uint32_t folds, uint32_t every);
/** The standard deviation of supports. */
double naive_size(const double *support, uint32_t labels);

typedef struct naive_model {
    naive_table table;
    bool on[NAIVE_FAMILIES];
    naive_held held[NAIVE_FAMILIES], honest_boosted;
    naive_linear linear;
    naive_fold_model boosted[NAIVE_FOLDS];
    naive_forest forest;
    naive_stack stack, honest[NAIVE_FOLDS]; /**< learnt on the other folds */
} naive_model;

/** The constants, as docs/MODEL.md has them. */
hcbr_i_rich_tuning naive_tuning(hcbr_i_rich_effort effort);
/** Train; release with naive_free(). all: the stack learns from all cases whatever the number of
 *  labels, since all held-out probabilities are wanted. */
naive_model *naive_train(const naive_data *data, const hcbr_i_rich_tuning *tuning, uint64_t seed,
                         bool all);
void naive_free(naive_model *model);
/** Supports by output, probabilities by label; parts: of the families, before the stack. */
void naive_score(const naive_model *model, const naive_case *from, double *support,
                 double *probability, double parts[NAIVE_FAMILIES][NAIVE_LABELS]);
/** Probabilities of a row by the fold model and the stack of its fold, which have not seen it. */
void naive_honest(const naive_model *model, uint32_t row, double *probability);

/* ---- arithmetic ------------------------------------------------------------------------------ */

/** Supports of two labels are one number. */
uint32_t naive_outputs(uint32_t labels);
/** The finaliser of splitmix64: every draw is one of its values. */
uint64_t naive_mix(uint64_t x);
/** The nearest multiple of a power of two, to even. */
double naive_round(double x, double grid);
/** As the library's: last bits decide where boosting stops. */
double naive_exp(double x);
double naive_log(double x);
/** (1 - x)^y, where the tie of a rounding may decide. */
double naive_power_less(double x, double y);
/** The sum of up to NAIVE_ROWS numbers, rounded once: in any order the same. */
double naive_sum(const double *terms, uint32_t count);
/** From supports to probabilities of k labels. */
void naive_softmax(const double *support, uint32_t k, double *share);

#endif
