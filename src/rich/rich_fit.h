/**
 * @file rich_fit.h
 * From cases to a rich model: options, the table of merged cases, the grower of trees, and the fits
 * of the families; private to src/rich except for model/engines.c.
 */
#ifndef HCBR_I_RICH_FIT_H
#define HCBR_I_RICH_FIT_H

#include "rich/rich_model.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- options --------------------------------------------------------------------------------- */

typedef enum hcbr_i_rich_effort {
    HCBR_I_RICH_LITE = 0, /**< no boosting */
    HCBR_I_RICH_NORMAL = 1,
    HCBR_I_RICH_MAX = 2
} hcbr_i_rich_effort;

/** Constants of the method; users get the defaults, the ablation table others. */
typedef struct hcbr_i_rich_tuning {
    bool family[HCBR_I_RICH_FAMILIES]; /**< families to fit */
    uint32_t fewest_numbers;           /**< distinct values from which numbers are ordered */
    uint32_t linear_cuts;              /**< ordered tests of a number in the linear model */
    uint32_t linear_passes;
    double linear_precision; /**< mean gradient of the cases at which fitting stops */
    double linear_c;         /**< C: upper bound of a case's alpha */
    uint32_t newton;         /**< cases from which strengths are found by Newton's method */
    uint32_t depth[2];       /**< of trees: the first fold model tries both if they differ */
    uint32_t most_trees;     /**< of a fold model */
    uint32_t patience;       /**< trees after the best before boosting stops */
    double stop_gain;        /**< and the least gain of these trees, per case */
    double rate;             /**< part of a leaf's optimum that is taken */
    double draw;             /**< share of the cases that a boosted tree is grown on */
    double least_draw;       /**< of very many cases: no smaller share ... */
    double most_drawn;       /**< ... and about this many */
    double columns;          /**< share of the columns that a node tries */
    uint32_t fewest_columns; /**< but at least this many */
    double lambda;           /**< added to the curvature of a leaf */
    double least_h;          /**< least curvature of a leaf */
    double cuts;             /**< cuts drawn per column and node: this ... */
    double cases_per_cut;    /**< ... and one more per this many cases */
    uint32_t forest_trees;
    double forest_prior; /**< cases' worth of prior in each leaf */
    double forest_least; /**< least draws in a leaf */
    double forest_cases; /**< limit of the mean weight that a tree draws */
    double forest_first; /**< of medium: share of the trees grown first; the others only ... */
    double forest_trust; /**< ... if the trust in these is at least this */
    double linear_trust; /**< of medium: single tests stay if the trust in those of the first fold
                              model is at least this */
    double forest_cuts;
    double forest_columns;   /**< exponent: D^forest_columns columns per node */
    double stack_pull;       /**< how strongly equal trust is preferred */
    uint32_t stack_cases;    /**< most cases that trust is learnt on */
    uint32_t stack_many;     /**< cases from which a sample is used first */
    uint32_t laid;           /**< cases from which codes are also stored row by row: for speed
                                  only */
    uint32_t medium;         /**< from this many cases on steps are larger, chance is less ... */
    uint32_t large;          /**< ... and nodes try all columns */
    uint32_t many;           /**< more labels than this are fitted one by one, on samples */
    double rivals;           /**< cases of other labels in such a sample, for each of its own */
    uint32_t samples;        /**< and supports that the stack is learnt on then, about ... */
    uint32_t fewest_samples; /**< ... but of at least this many cases */
} hcbr_i_rich_tuning;

/** The constants for data of less than `large` cases; more cases allow larger steps and trees. */
void hcbr_i_rich_tuning_init(hcbr_i_rich_tuning *tuning, hcbr_i_rich_effort effort);
#ifdef HCBR_FAULTS
/** Tests: forest_cases of all models. */
extern double hcbr_i_rich_forest_cases;
#endif

typedef struct hcbr_i_rich_options {
    hcbr_i_rich_tuning tuning;
    uint64_t seed;
    uint32_t threads;
    const char *const *numeric; /**< keys always used as numbers */
    size_t numeric_count;
    const char *const *categorical; /**< keys never used as numbers */
    size_t categorical_count;
    hcbr_notify_fn *notify; /**< receives warnings about columns; may be NULL */
    void *notify_context;
    bool kinds_said; /**< no warnings about doubts of the schema */
    hcbr_progress_fn *progress;
    void *progress_context;
    struct hcbr_i_rich_progress *progress_of; /**< set while a model is trained */
    struct hcbr_i_rich_heldout *heldout;      /**< receives probabilities of held-out cases; may be
                                                   NULL */
    struct hcbr_i_record *record; /**< receives decisions of held-out cases; may be NULL */
    struct hcbr_cases *used_up;   /**< the cases, if their numbers may be released once encoded */
    bool keep;                    /**< keep the cases */
} hcbr_i_rich_options;

/** Progress of training (rich_progress.c). */
typedef struct hcbr_i_rich_progress {
    hcbr_progress_fn *progress;
    void *context;
    const char *stage; /**< the current stage */
    pthread_t caller;
    uint64_t steps; /**< approximate number; 0: unknown */
    atomic_uint_fast64_t done;
    atomic_bool stop;
} hcbr_i_rich_progress;

void hcbr_i_rich_progress_begin(hcbr_i_rich_progress *progress, const hcbr_i_rich_options *options);
/** A family begins. False: stop. */
bool hcbr_i_rich_progress_family(hcbr_i_rich_progress *progress, const hcbr_i_rich_tuning *tuning,
                                 uint32_t family, uint32_t labels);
/** All families are fitted; the stack remains. False: stop. */
bool hcbr_i_rich_progress_trust(hcbr_i_rich_progress *progress);
/** The stack is fitted too. False: stop. */
bool hcbr_i_rich_progress_end(hcbr_i_rich_progress *progress);
/** Count a step, in any thread. False: stop, as soon as possible. */
bool hcbr_i_rich_tick(const hcbr_i_rich_options *options);
/** Report progress between two steps: HCBR_OK, or HCBR_ECANCELLED. At most a tenth of a second
 *  should pass between two calls of this or of steps. */
hcbr_status hcbr_i_rich_go_on(const hcbr_i_rich_options *options, hcbr_error *err);

/** Probabilities of merged cases by fold models, and a stack of them, that did not see them. Zero
 * it first; release with hcbr_i_rich_heldout_clear(). */
typedef struct hcbr_i_rich_heldout {
    uint32_t count;
    double *probability; /**< by entry, then by label */
    uint32_t *label;
    uint32_t *fold; /**< of the fold model; HCBR_I_NONE: every fold model has seen it */
    double *weight;
    bool *empty; /**< no case of the entry has a feature */
} hcbr_i_rich_heldout;
void hcbr_i_rich_heldout_clear(hcbr_i_rich_heldout *heldout);

/** Cases to train on: some cases of a finished base, each with a weight. */
typedef struct hcbr_i_rich_view {
    const struct hcbr_cases *cases;
    const uint32_t *index; /**< NULL: all of them */
    uint32_t count;        /**< of index */
    const double *weight;  /**< by case number, >= 0 and finite; NULL: 1 */
    double grid;           /**< of weights, see hcbr_i_rich_weight_grid(); 0: not rounded */
} hcbr_i_rich_view;

/**
 * A power of two so small that rounding the weights of a view to its multiples loses nothing, and
 * so large that all sums of them are exact, in any order. It depends on their sum alone.
 */
double hcbr_i_rich_weight_grid(const hcbr_i_rich_view *view);
/** Whether a case has neither a feature nor a number. */
static inline bool hcbr_i_case_is_empty(const struct hcbr_cases *cases, uint32_t i) {
    return cases->start[i] == cases->start[i + 1] &&
           (!cases->numbers.start || cases->numbers.start[i] == cases->numbers.start[i + 1]);
}
/** The weight of a case, rounded to the grid. */
double hcbr_i_rich_weight(const hcbr_i_rich_view *view, uint32_t number);

/* ---- columns to look at (column_warnings.c) -------------------------------------------------- */

/** Facts about the values of a key, to judge its encoding. Zero-initialise to start. */
typedef struct hcbr_i_rich_facts {
    hcbr_i_rich_kind kind;           /**< the chosen encoding */
    bool is_numeric, is_categorical; /**< by the options */
    bool is_said;                    /**< its doubts were reported */
    bool several;                    /**< a case has two values of it */
    bool fractions;                  /**< a number that is not whole */
    uint32_t numbers, words;         /**< different values that are numbers, and others */
    double weight, word_weight;      /**< of the cases with a value; with a value that is not a
                                          number */
    double least, most;              /**< number */
    hcbr_i_text word, wide;          /**< examples: not a number, too many digits */
} hcbr_i_rich_facts;

/** Add a value that is not a number. */
void hcbr_i_rich_facts_word(hcbr_i_rich_facts *facts, hcbr_i_text value, double weight);
/** Add a number; value: its text if it has many digits, else absent. */
void hcbr_i_rich_facts_number(hcbr_i_rich_facts *facts, hcbr_i_text value, double number,
                              double weight);
/** Warn if the encoding is doubtful; counts in *doubts. */
void hcbr_i_rich_doubt(const hcbr_i_rich_options *options, hcbr_i_text key,
                       const hcbr_i_rich_facts *facts, uint32_t *doubts);
/** Called after all keys: report how many were not named. */
void hcbr_i_rich_doubt_end(const hcbr_i_rich_options *options, uint32_t doubts);

/* ---- table of merged cases (encoded_table.c) ------------------------------------------------- */

typedef struct hcbr_i_rich_table {
    uint32_t rows, columns, bag_count, labels;
    const hcbr_i_rich_column *column; /**< borrowed from the encoder */
    uint8_t *codes;                   /**< column after column: codes[c * rows + i] */
    uint8_t *records;                 /**< row after row: records[i * stride + c]; may be NULL */
    uint32_t stride;
    uint32_t *bins;      /**< by column: its offset in a list of all codes */
    uint64_t *bag_start; /**< row i has bag[bag_start[i] .. bag_start[i+1]) */
    uint32_t *bag;
    uint32_t *label;
    double *weight;  /**< > 0 */
    uint32_t *group; /**< number of the row's group; NULL: no groups */
    uint64_t *unit;  /**< key of a held-out unit: of the content without the label, or of the
                          group */
    uint8_t *fold;   /**< fold that holds the row out; HCBR_I_RICH_FOLDS: none */
    double *self;    /**< the contribution of a case to its own support; NULL: the fold models do
                          not see what their folds hold out */
    uint64_t *hash;  /**< of content and label: draws of boosting are keyed by it */
    double *label_weight;
    double total_weight;
    double grid; /**< multiples of it, up to the total weight, add exactly in doubles */
    /* Rows whose held-out supports are kept (hcbr_i_rich_table_sample()): */
    uint32_t sample_count;
    uint32_t *sample;  /**< the rows, ascending; NULL: all of them */
    uint32_t *sampled; /**< by row: its index in the sample or HCBR_I_NONE; NULL: the row itself */
} hcbr_i_rich_table;

/** Store codes row by row too, for the grower (column_sums.c). False: no memory. */
bool hcbr_i_rich_table_lay(hcbr_i_rich_table *table);
/** Keep held-out supports of no more than about `most` rows. False: no memory. */
bool hcbr_i_rich_table_sample(hcbr_i_rich_table *table, uint32_t most);

/** The weight of a row in the training part of a fold, which excludes held-out rows unless all fold
 * models see all. */
static inline double hcbr_i_rich_seen_weight(const hcbr_i_rich_table *table, uint32_t row,
                                             uint32_t fold) {
    return table->fold[row] == fold && !table->self ? 0 : table->weight[row];
}

/** The row at a place of the sample. */
static inline uint32_t hcbr_i_rich_sample_row(const hcbr_i_rich_table *table, uint32_t place) {
    return table->sample ? table->sample[place] : place;
}

/** The index of a row in the sample, or HCBR_I_NONE. */
static inline uint32_t hcbr_i_rich_sample_place(const hcbr_i_rich_table *table, uint32_t row) {
    return table->sampled ? table->sampled[row] : row;
}

/** Cases as codes, before they are merged (column_encoding.c). */
typedef struct hcbr_i_rich_coded {
    struct hcbr_i_rich_word *words; /**< words of number keys, by place, then by feature */
    size_t word_count, word_capacity;
    uint32_t count;      /**< cases of the view, by place */
    uint8_t *codes;      /**< column after column: codes[c * count + i] */
    uint64_t *bag_start; /**< case i has bag[bag_start[i] .. bag_start[i+1]), ascending */
    uint32_t *bag;
} hcbr_i_rich_coded;
void hcbr_i_rich_coded_clear(hcbr_i_rich_coded *coded);

/**
 * Choose the encoding of columns and encode the cases of a view, whose list has separate numbers.
 *
 * @param past receives the kept cases; may be NULL.
 */
hcbr_status hcbr_i_rich_encode(hcbr_i_rich_encoder *out, hcbr_i_rich_coded *coded,
                               struct hcbr_i_rich_past *past, const hcbr_i_rich_view *view,
                               const hcbr_i_rich_options *options, hcbr_error *err);

/** Find the keys of a list that are numbers with cuts, by key of the list; numbers need not be
 *  separate. */
hcbr_status hcbr_i_rich_number_keys(const hcbr_i_rich_view *view,
                                    const hcbr_i_rich_options *options, bool *by_key,
                                    hcbr_error *err);

/** Merge cases; row_of receives the row of each case by place, HCBR_I_NONE without weight. */
hcbr_status hcbr_i_rich_table_make(hcbr_i_rich_table *out, const hcbr_i_rich_encoder *encoder,
                                   const hcbr_i_rich_view *view, const hcbr_i_rich_coded *coded,
                                   uint64_t seed, uint32_t threads, uint32_t *row_of,
                                   hcbr_error *err);
/** Set the units of all rows to keys of their content. False: no memory. */
bool hcbr_i_rich_table_key(hcbr_i_rich_table *table, uint64_t seed);
/** Compute hashes, units, folds and sums of weights, once content and its keys, label, group and
 *  weight of all rows are set. False: no memory. */
bool hcbr_i_rich_table_deal(hcbr_i_rich_table *table, uint64_t seed);
void hcbr_i_rich_table_clear(hcbr_i_rich_table *table);

/** Units and folds of a table with hashes (table_folds.c). False: no memory. */
bool hcbr_i_rich_units_deal(hcbr_i_rich_table *table, uint64_t seed);
/** Remove each case from the held-out supports of fold models that have seen it. */
void hcbr_i_rich_leave_out(const hcbr_i_rich_table *table, double *held);

/* ---- counts (value_counts.c) ----------------------------------------------------------------- */

bool hcbr_i_rich_counts_make(hcbr_i_rich_counts *out, const hcbr_i_rich_encoder *encoder,
                             const hcbr_i_rich_table *table, const uint32_t *row_of, uint32_t count,
                             const struct hcbr_i_rich_word *words, size_t word_count);
/** By member of the bag: the first member with exactly the same cases. False: no memory. */
bool hcbr_i_rich_twins_make(uint32_t **out, const hcbr_i_rich_table *table);

/* ---- growing trees (tree_grower.c) ----------------------------------------------------------- */

/** Called for each leaf with the drawn cases that end in it, and the others. Fills the leaf's
 *  values. */
typedef void hcbr_i_rich_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                              const uint32_t *rest, uint32_t rest_n);

typedef struct hcbr_i_rich_growth {
    const hcbr_i_rich_table *table;
    const double *gradient; /**< rows x (channels + 1): channels, then the curvature */
    uint32_t channels;      /**< 1 or 3 */
    uint32_t depth;
    double lambda, least_h;
    double columns;             /**< share of the columns that a node tries */
    uint32_t fewest_columns;    /**< but at least this many */
    double cuts, cases_per_cut; /**< as in the tuning */
    bool pure;                  /**< do not split cases of one label */
    uint64_t key;               /**< of the draws of this tree */
    hcbr_i_rich_leaf *leaf;
    void *context;
} hcbr_i_rich_growth;

typedef struct hcbr_i_rich_scratch hcbr_i_rich_scratch;
hcbr_i_rich_scratch *hcbr_i_rich_scratch_create(const hcbr_i_rich_table *table);
void hcbr_i_rich_scratch_free(hcbr_i_rich_scratch *scratch);

/** Append one tree grown on drawn[0..n), which is reordered, as is rest. False: no memory. */
bool hcbr_i_rich_grow(hcbr_i_rich_forest *forest, const hcbr_i_rich_growth *growth,
                      hcbr_i_rich_scratch *scratch, uint32_t *drawn, uint32_t n, uint32_t *rest,
                      uint32_t rest_n);

/* ---- fitting (rich_fit.c) -------------------------------------------------------------------- */

/** Called once held-out supports by the first trees of the forest, or by the linear model of the
 * first fold, are ready: whether to continue. */
typedef bool hcbr_i_rich_more(void *context);
/** Held-out supports: of place i of the sample, by the model of its row's fold, at i * outputs.
 * Fills alpha and scale of kept. more: NULL, all fold models are fitted; if it returns false there
 * is no linear model, and `out` has no outputs. */
hcbr_status hcbr_i_rich_linear_fit(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept,
                                   const hcbr_i_rich_table *table,
                                   const hcbr_i_rich_options *options, double *held,
                                   hcbr_i_rich_more *more, void *context, hcbr_error *err);
/** honest: receives held-out supports by the number of trees that the models of the other folds
 *  found best; may be NULL. */
hcbr_status hcbr_i_rich_boost_fit(hcbr_i_rich_boosted *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held, double *honest,
                                  hcbr_error *err);
/** Held-out supports: of place i of the sample at i * outputs. more: NULL, all trees are grown. */
hcbr_status hcbr_i_rich_forest_fit(hcbr_i_rich_forest *out, hcbr_i_rich_shares *shares,
                                   const hcbr_i_rich_table *table,
                                   const hcbr_i_rich_options *options, double *held,
                                   hcbr_i_rich_more *more, void *context, hcbr_error *err);
#define HCBR_I_RICH_ALL_FOLDS ((1u << HCBR_I_RICH_FOLDS) - 1)
/** held: of each family, NULL if it is off. folds: a bit for each fold to learn from. every: stride
 * in the sample. */
hcbr_status hcbr_i_rich_stack_fit(hcbr_i_rich_stack *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options,
                                  double *const held[HCBR_I_RICH_FAMILIES], uint32_t folds,
                                  uint32_t every, hcbr_error *err);

/** The stacked support at place i of the sample, by output. */
static inline void hcbr_i_rich_stack_support(const hcbr_i_rich_stack *stack,
                                             double *const held[HCBR_I_RICH_FAMILIES], size_t i,
                                             uint32_t outputs, double *support) {
    memcpy(support, stack->bias, outputs * sizeof *support);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        for (uint32_t l = 0; held[f] && l < outputs; l++)
            support[l] += stack->trust[f] * held[f][i * outputs + l];
}

/** The temperature of the stacked supports of several labels (temperature.c). False: no memory. */
bool hcbr_i_rich_temperature_fit(hcbr_i_rich_stack *stack, const hcbr_i_rich_table *table,
                                 const hcbr_i_rich_options *options,
                                 double *const held[HCBR_I_RICH_FAMILIES], uint32_t folds,
                                 uint32_t every);

/** Fill the requested results of held-out cases, probabilities or decisions, by fold models and a
 *  stack that have not seen them (cross_fitting.c). held: of each family, NULL if it is off.
 *  HCBR_OK or HCBR_ENOMEM. */
hcbr_status hcbr_i_rich_look_back(const hcbr_i_rich *rich, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options,
                                  double *const held[HCBR_I_RICH_FAMILIES],
                                  const hcbr_i_rich_view *view, const uint32_t *row_of,
                                  hcbr_error *err);

/** The cost of training; a function of the engine (fit/rich_estimate.c). */
void hcbr_i_rich_estimate(const hcbr_i_shape *shape, hcbr_estimate *out);
/** The fit, and the number keys of a list; functions of the engine (rich_engine_fit.c). */
hcbr_status hcbr_i_rich_fit(void **state, hcbr_i_fitted *out, struct hcbr_cases *cases,
                            const hcbr_i_fit_options *options, hcbr_error *err);
hcbr_status hcbr_i_rich_keys_of_numbers(const struct hcbr_cases *cases,
                                        const hcbr_train_options *options, bool *by_key,
                                        hcbr_error *err);
hcbr_status hcbr_i_rich_train(hcbr_i_rich **out, const hcbr_i_rich_view *given,
                              const hcbr_i_rich_options *options, hcbr_error *err);

#endif
