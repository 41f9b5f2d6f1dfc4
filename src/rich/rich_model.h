/**
 * @file rich_model.h
 * A fitted rich model: counts, trees, the three families and their stack; and scoring. Private to
 * src/rich except for model/engines.c.
 */
#ifndef HCBR_I_RICH_MODEL_H
#define HCBR_I_RICH_MODEL_H

#include "rich/encode/encoder.h"

#include <hcbr/cases.h>

#define HCBR_I_RICH_FOLDS 5
#define HCBR_I_RICH_FAMILIES 3 /* linear, boosted, forest */
#define HCBR_I_RICH_WAY 1000   /* steps of the progress of a stage */
#define HCBR_I_RICH_LEAF UINT32_MAX

struct hcbr_i_rich_past; // kept_cases.h
struct hcbr_i_rich_word;

/* ---- counts (value_counts.c) ----------------------------------------------------------------- */

/** The number of training cases of each label with a value. */
typedef struct hcbr_i_rich_counts {
    uint32_t values;
    uint64_t *start; /**< of value v: entries start[v] .. start[v+1] */
    uint32_t *label; /**< ascending */
    uint32_t *cases; /**< above 0 */
} hcbr_i_rich_counts;

void hcbr_i_rich_counts_clear(hcbr_i_rich_counts *counts);
uint32_t hcbr_i_rich_count(const hcbr_i_rich_counts *counts, uint32_t value, uint32_t label);
uint64_t hcbr_i_rich_count_all(const hcbr_i_rich_counts *counts, uint32_t value);

/* ---- lists by label (label_lists.c) ---------------------------------------------------------- */

/** Lists of numbers by label: absent ones are 0. */
typedef struct hcbr_i_rich_lists {
    uint64_t *start; /**< list r is items start[r] .. start[r+1] */
    uint32_t *label; /**< ascending in a list */
    double *value;
} hcbr_i_rich_lists;

/** Room for lists whose lengths are in start[1..count], which become offsets. False: no memory. */
bool hcbr_i_rich_lists_init(hcbr_i_rich_lists *lists, size_t count);
void hcbr_i_rich_lists_clear(hcbr_i_rich_lists *lists);

/** Add a list, times `by`, to numbers by label. */
static inline void hcbr_i_rich_lists_add(const hcbr_i_rich_lists *lists, size_t list, double by,
                                         double *to) {
    for (uint64_t i = lists->start[list]; i < lists->start[list + 1]; i++)
        to[lists->label[i]] += by * lists->value[i];
}

/* ---- trees (tree_grower.c) ------------------------------------------------------------------- */

/** A test or a leaf. If the test holds the next node follows, else node `no`. */
typedef struct hcbr_i_rich_node {
    uint32_t test;  /**< a column, or column_count + a member of the bag; HCBR_I_RICH_LEAF */
    uint32_t no;    /**< of a leaf: its number */
    uint8_t lo, hi; /**< of a column: holds if lo <= code <= hi */
} hcbr_i_rich_node;

typedef struct hcbr_i_rich_forest {
    hcbr_i_rich_node *nodes;
    size_t node_count, node_capacity;
    uint32_t *start; /**< tree t begins at nodes[start[t]] */
    size_t tree_count, tree_capacity;
    double *values; /**< `outputs` of each leaf */
    size_t leaf_count, value_capacity;
    uint32_t outputs; /**< 0: the values of leaves are stored elsewhere */
} hcbr_i_rich_forest;

void hcbr_i_rich_forest_clear(hcbr_i_rich_forest *forest);
/** Remove all trees but the first `trees`, which have `leaves` leaves. */
void hcbr_i_rich_forest_cut(hcbr_i_rich_forest *forest, size_t trees, size_t leaves);

/** Whether the test of a node holds for a case. in_bag: stamp of members by number. */
static inline bool hcbr_i_rich_holds(const hcbr_i_rich_node *node, const uint8_t *codes,
                                     uint32_t columns, const uint32_t *in_bag, uint32_t stamp) {
    return node->test < columns
               ? (uint8_t)(codes[node->test] - node->lo) <= (uint8_t)(node->hi - node->lo)
               : in_bag[node->test - columns] == stamp;
}

/** Number of the leaf a case ends in. */
static inline uint32_t hcbr_i_rich_find_leaf(const hcbr_i_rich_node *node, const uint8_t *codes,
                                             uint32_t columns, const uint32_t *in_bag,
                                             uint32_t stamp, const hcbr_i_rich_node *base) {
    while (node->test != HCBR_I_RICH_LEAF)
        node = hcbr_i_rich_holds(node, codes, columns, in_bag, stamp) ? node + 1 : base + node->no;
    return node->no;
}

/* ---- families -------------------------------------------------------------------------------- */

/** Strengths of single tests: for each output a table per column and a number per member. */
typedef struct hcbr_i_rich_linear {
    uint32_t outputs, columns, bag_count;
    uint32_t *place;  /**< columns + 1: table of column c starts at place[c] */
    uint8_t *coarse;  /**< columns x 256: entry of the table by code */
    double *strength; /**< (place[columns] + bag_count) x outputs; NULL: with many labels ... */
    hcbr_i_rich_lists lists; /**< ... those other than 0, by entry */
} hcbr_i_rich_linear;

/** Entries of the tables and members of the bag. */
static inline size_t hcbr_i_rich_linear_size(const hcbr_i_rich_linear *a) {
    return (size_t)a->place[a->columns] + a->bag_count;
}

/** Add the strengths of an entry, times `by`, to numbers by output. */
static inline void hcbr_i_rich_linear_add(const hcbr_i_rich_linear *a, size_t entry, double by,
                                          double *to) {
    if (!a->strength) {
        hcbr_i_rich_lists_add(&a->lists, entry, by, to);
        return;
    }
    for (uint32_t l = 0; l < a->outputs; l++)
        to[l] += by * a->strength[entry * a->outputs + l];
}

/** The strength of an entry for an output. */
double hcbr_i_rich_linear_get(const hcbr_i_rich_linear *a, size_t entry, uint32_t output);

/** The part of training needed for reasons, besides the cases and the model (section reasons of a
 *  file). */
typedef struct hcbr_i_rich_kept {
    double *weight;        /**< by case, as given; NULL: all 1 */
    float *alpha;          /**< rows x outputs: the alpha of a merged case, mean over the folds;
                                NULL: no linear model. Strengths are the sum over cases */
    float *alpha_low;      /**< the part of alpha beyond the precision of a float; NULL: negligible,
                                no case is very heavy */
    uint64_t *alpha_start; /**< with many labels: row i has alpha[alpha_start[i] ..
                                alpha_start[i+1]), NULL: all outputs ... */
    uint32_t *alpha_label; /**< ... of these labels, ascending; the others are 0 */
    double scale;          /**< of the linear model: phi^2 of a test of weight 1 */
    double rate, lambda, draw; /**< of boosting */
    double prior;              /**< of the forest: prior in each leaf, in cases */
    double part;               /**< of the forest: mean number of draws of a unit */
} hcbr_i_rich_kept;
void hcbr_i_rich_kept_clear(hcbr_i_rich_kept *kept);

/** An alpha in full precision. */
static inline double hcbr_i_rich_alpha(const hcbr_i_rich_kept *kept, size_t at) {
    double alpha = (double)kept->alpha[at];
    return kept->alpha_low ? alpha + (double)kept->alpha_low[at] : alpha;
}

void hcbr_i_rich_linear_clear(hcbr_i_rich_linear *linear);

/** Five forests and the log-odds they start from; the support is the mean of the five. */
typedef struct hcbr_i_rich_boosted {
    uint32_t outputs;
    hcbr_i_rich_forest model[HCBR_I_RICH_FOLDS];
    double *start; /**< FOLDS x outputs */
} hcbr_i_rich_boosted;

void hcbr_i_rich_boosted_clear(hcbr_i_rich_boosted *boosted);

/** The leaves of the forest with more than two labels: the share of a label is prior[label] times
 * the leaf's rest, plus its listed share. */
typedef struct hcbr_i_rich_shares {
    double *prior; /**< by label; NULL: two labels, shares of the second are in the forest */
    double *rest;  /**< by leaf: factor of the prior */
    hcbr_i_rich_lists lists;
} hcbr_i_rich_shares;

void hcbr_i_rich_shares_clear(hcbr_i_rich_shares *shares);

/** From shares by label (mean over trees) to supports. */
void hcbr_i_rich_forest_support(const double *share, uint32_t labels, double *support);

typedef struct hcbr_i_rich_stack {
    double trust[HCBR_I_RICH_FAMILIES]; /**< beta, >= 0 */
    double *bias;                       /**< by output */
    double scale, power; /**< of several labels: probabilities are the softmax of scale *
                              size^-power support, of the support itself if power is 0 */
} hcbr_i_rich_stack;

/* ---- the model (rich.c) ---------------------------------------------------------------------- */

/** Supports of two labels are one number s (for the second label, -s for the first). */
static inline uint32_t hcbr_i_rich_outputs(uint32_t labels) {
    return labels == 2 ? 1 : labels;
}

typedef struct hcbr_i_rich {
    uint32_t labels, outputs;
    hcbr_i_rich_encoder encoder;
    bool family[HCBR_I_RICH_FAMILIES];
    hcbr_i_rich_linear linear;
    hcbr_i_rich_boosted boosted;
    hcbr_i_rich_forest forest;
    hcbr_i_rich_shares shares; /**< of the forest */
    hcbr_i_rich_stack stack;
    hcbr_i_rich_counts counts;
    struct hcbr_i_rich_classes {
        uint32_t count;
        uint32_t *of;      /**< by feature: its atom */
        uint32_t *start;   /**< of atom e: members[start[e] .. start[e+1]) */
        uint32_t *members; /**< ascending */
    } classes;             /**< features of exactly the same cases */
    uint32_t *twin; /**< by member of the bag: the first member with exactly the same cases */
    struct hcbr_i_rich_past *past;     /**< the kept cases; may be NULL */
    struct hcbr_i_rich_layout *layout; /**< trees for scoring; NULL: the nodes are used */
    hcbr_i_rich_kept kept;             /**< empty if no cases are kept */
    double *empty; /**< by label: weight of the cases without a feature; NULL: no such cases */
    uint64_t seed;
    uint32_t rows; /**< merged cases of the fit */
} hcbr_i_rich;

/** Whether the trees of the forest contribute. Without trust no reason needs them. */
static inline bool hcbr_i_rich_forest_weighs(const hcbr_i_rich *rich) {
    return rich->family[2] && rich->stack.trust[2] != 0;
}

typedef struct hcbr_i_rich_classes hcbr_i_rich_classes;
/** Compute the classes. False: no memory. */
bool hcbr_i_rich_classes_make(hcbr_i_rich *rich);
void hcbr_i_rich_classes_clear(hcbr_i_rich_classes *classes);
/** Access to the past cases. */
hcbr_i_past hcbr_i_rich_past_view(const void *state);
/** The atom of each feature, then of each number of a past case: an interval for a number. The
 *  caller owns the array. False: no memory. */
bool hcbr_i_rich_past_atoms(const hcbr_i_rich *rich, uint32_t number, uint32_t **out,
                            size_t *count);
/** Add a number of a key to the identity of a case's numbers; text: its canonical text if it has
 *  more digits than its double. Keyed like the dictionary, so that collisions cannot be
 *  constructed. */
void hcbr_i_rich_identity_add(const hcbr_i_rich_encoder *encoder, uint64_t identity[2],
                              hcbr_i_key_id key, double value, hcbr_i_text text);

void hcbr_i_rich_free(hcbr_i_rich *rich);

/** Make the layout of trees for scoring (tree_layout.c). *out is NULL if they do not fit: too large
 *  for the fields of a step, or a test that always holds. Then the nodes are used. False: no
 *  memory. */
typedef struct hcbr_i_rich_layout hcbr_i_rich_layout;
bool hcbr_i_rich_layout_make(hcbr_i_rich_layout **out, const hcbr_i_rich *rich);
void hcbr_i_rich_layout_free(hcbr_i_rich_layout *layout);

/** Add the alphas of a merged case with this label, times `part`, to numbers by output. */
void hcbr_i_rich_alphas_add(const hcbr_i_rich *rich, size_t row, uint32_t label, double part,
                            double *to);

/** Shares by output of a leaf of the forest, in room. */
void hcbr_i_rich_leaf_shares(const hcbr_i_rich *rich, size_t leaf, double *room);
/** Mean shares by output of one leaf of each tree of the forest; leaf: by tree, `step` apart. */
void hcbr_i_rich_mean_shares(const hcbr_i_rich *rich, const uint32_t *leaf, size_t step, double *p);

/** Probabilities without any known value: the frequencies of the labels, share[l], or those among
 *  training cases without features, if there were some. */
void hcbr_i_rich_of_nothing(const hcbr_i_rich *rich, const double *share, double *probability);

/** From supports by output to probabilities by label. */
void hcbr_i_rich_probabilities(const hcbr_i_rich_stack *stack, uint32_t labels,
                               const double *support, double *probability);

/** Working memory to score cases with one model; one per thread. */
typedef struct hcbr_i_rich_scorer hcbr_i_rich_scorer;
hcbr_status hcbr_i_rich_scorer_create(hcbr_i_rich_scorer **out, const hcbr_i_rich *rich,
                                      hcbr_error *err);
void hcbr_i_rich_scorer_free(hcbr_i_rich_scorer *scorer);

/** Call before the first row if parts are wanted, so that families without trust are scored,
 too. */
void hcbr_i_rich_scorer_want_parts(hcbr_i_rich_scorer *scorer);

/** The row of a scorer: begin it, add features, end it. */
hcbr_i_rich_row *hcbr_i_rich_scorer_row(hcbr_i_rich_scorer *scorer);

/** Release the held rows, and reserve room to hold *rows; lowers *rows to the actual room, at least
 * 1. False: no memory. */
bool hcbr_i_rich_scorer_reserve(hcbr_i_rich_scorer *scorer, uint32_t *rows);
/** Hold the scorer's row, after the others. */
void hcbr_i_rich_hold(hcbr_i_rich_scorer *scorer);
/** Score all held rows. */
void hcbr_i_rich_score_held(hcbr_i_rich_scorer *scorer);
/** The result of a held row, as hcbr_i_rich_score() returns it. */
void hcbr_i_rich_get_held(const hcbr_i_rich_scorer *scorer, uint32_t row, double *support,
                          double *probability, double *parts);

/**
 * Supports (by output) and probabilities (by label) of the scorer's row. parts (may be NULL)
 * receives the supports of the families before the stack, FAMILIES x outputs. No rows are held
 * afterwards.
 */
void hcbr_i_rich_score(hcbr_i_rich_scorer *scorer, double *support, double *probability,
                       double *parts);

/** The engine: its state is a hcbr_i_rich (rich_engine.c). */
extern const hcbr_i_engine hcbr_i_rich_engine;

#endif
