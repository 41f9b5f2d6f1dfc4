/**
 * @file rich_model.h
 * What a rich model has learnt: counts, trees, the three families and their stack; and how it
 * scores a case. Private to src/rich but for model/engines.c.
 */
#ifndef HCBR_I_RICH_MODEL_H
#define HCBR_I_RICH_MODEL_H

#include "rich/encode/encoder.h"

#include <hcbr/cases.h>

#define HCBR_I_RICH_FOLDS 5
#define HCBR_I_RICH_FAMILIES 3 /* linear, boosted, forest */
#define HCBR_I_RICH_WAY 1000   /* progress of a stage is told in so many parts */
#define HCBR_I_RICH_LEAF UINT32_MAX

struct hcbr_i_rich_past; // kept_cases.h
struct hcbr_i_rich_word;

/* ---- counts (value_counts.c) ----------------------------------------------------------------- */

/** In how many training cases of each label a value stands. */
typedef struct hcbr_i_rich_counts {
    uint32_t values;
    uint64_t *start; /**< of value v: entries start[v] .. start[v+1] */
    uint32_t *label; /**< rising */
    uint32_t *cases; /**< above 0 */
} hcbr_i_rich_counts;

void hcbr_i_rich_counts_clear(hcbr_i_rich_counts *counts);
uint32_t hcbr_i_rich_count(const hcbr_i_rich_counts *counts, uint32_t value, uint32_t label);
uint64_t hcbr_i_rich_count_all(const hcbr_i_rich_counts *counts, uint32_t value);

/* ---- lists by label (label_lists.c) ---------------------------------------------------------- */

/** Lists of numbers by label: what is not listed is 0. */
typedef struct hcbr_i_rich_lists {
    uint64_t *start; /**< list r is items start[r] .. start[r+1] */
    uint32_t *label; /**< rising in a list */
    double *value;
} hcbr_i_rich_lists;

/** Room for lists whose lengths stand in start[1..count], which become their places. False: no
 *  memory. */
bool hcbr_i_rich_lists_init(hcbr_i_rich_lists *lists, size_t count);
void hcbr_i_rich_lists_clear(hcbr_i_rich_lists *lists);

/** Add a list, times `by`, to numbers by label. */
static inline void hcbr_i_rich_lists_add(const hcbr_i_rich_lists *lists, size_t list, double by,
                                         double *to) {
    for (uint64_t i = lists->start[list]; i < lists->start[list + 1]; i++)
        to[lists->label[i]] += by * lists->value[i];
}

/* ---- trees (tree_grower.c) ------------------------------------------------------------------- */

/** A test or a leaf. If the test holds go on at the next node, else at `no`. */
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
    uint32_t outputs; /**< 0: what leaves say stands elsewhere */
} hcbr_i_rich_forest;

void hcbr_i_rich_forest_clear(hcbr_i_rich_forest *forest);
/** Forget all trees but the first `trees`, which have `leaves` leaves. */
void hcbr_i_rich_forest_cut(hcbr_i_rich_forest *forest, size_t trees, size_t leaves);

/** Does the test of a node hold of a case? in_bag: stamp of members by number. */
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
    hcbr_i_rich_lists lists; /**< ... those that are not 0, by entry */
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

/** What reasons need of training besides the cases and the model (section reasons of a file). */
typedef struct hcbr_i_rich_kept {
    double *weight;        /**< by case, as given; NULL: all 1 */
    float *alpha;          /**< rows x outputs: how far a merged case pulls the tests, mean over the
                              folds; NULL: no linear model. Strengths are the sum over cases */
    float *alpha_low;      /**< what alpha has beyond the precision of a float; NULL: nothing that
                              counts, no case is very heavy */
    uint64_t *alpha_start; /**< with many labels: row i has alpha[alpha_start[i] ..
                                alpha_start[i+1]), NULL: all outputs ... */
    uint32_t *alpha_label; /**< ... of these labels, rising; the others are 0 */
    double scale;          /**< of the linear model: phi^2 of a test of weight 1 */
    double rate, lambda, draw; /**< of boosting */
    double prior;              /**< of the forest: cases' worth of it in each leaf */
    double part;               /**< of the forest: how often a tree draws a unit, on average */
} hcbr_i_rich_kept;
void hcbr_i_rich_kept_clear(hcbr_i_rich_kept *kept);

/** An alpha with all it has. */
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

/** What the leaves of the forest say with more than two labels: the share of a label is
 * prior[label] times the leaf's rest, and what is listed of it. */
typedef struct hcbr_i_rich_shares {
    double *prior; /**< by label; NULL: two labels, shares of the second stand in the forest */
    double *rest;  /**< by leaf: the prior's part of it */
    hcbr_i_rich_lists lists;
} hcbr_i_rich_shares;

void hcbr_i_rich_shares_clear(hcbr_i_rich_shares *shares);

/** From shares by label (mean over trees) to supports. */
void hcbr_i_rich_forest_support(const double *share, uint32_t labels, double *support);

typedef struct hcbr_i_rich_stack {
    double trust[HCBR_I_RICH_FAMILIES]; /**< beta, >= 0 */
    double *bias;                       /**< by output */
    double scale, power; /**< of several labels: probabilities are the softmax of scale *
                          * size^-power support, of the support itself if power is 0 */
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
        uint32_t *members; /**< rising */
    } classes;             /**< features of the very same cases */
    uint32_t *twin; /**< by member of the bag: the first that stands in the very same cases */
    struct hcbr_i_rich_past *past; /**< the cases; NULL: none are kept */
    struct hcbr_i_rich_layout
        *layout;           /**< trees for scoring; NULL: they are followed as they are */
    hcbr_i_rich_kept kept; /**< empty where no cases are kept */
    double *empty; /**< by label: weight of the cases without a feature; NULL: there were none */
    uint64_t seed;
    uint32_t rows; /**< merged cases it was fitted to */
} hcbr_i_rich;

/** Do the trees of the forest add anything? Where nothing trusts them no reason needs them. */
static inline bool hcbr_i_rich_forest_weighs(const hcbr_i_rich *rich) {
    return rich->family[2] && rich->stack.trust[2] != 0;
}

typedef struct hcbr_i_rich_classes hcbr_i_rich_classes;
/** Find the classes, which follow from the rest. False: no memory. */
bool hcbr_i_rich_classes_make(hcbr_i_rich *rich);
void hcbr_i_rich_classes_clear(hcbr_i_rich_classes *classes);
/** The past cases as others ask for them. */
hcbr_i_past hcbr_i_rich_past_view(const void *state);
/** The atom of each feature, then of each number of a past case: an interval for a number. The
 *  array is the caller's. False: no memory. */
bool hcbr_i_rich_past_atoms(const hcbr_i_rich *rich, uint32_t number, uint32_t **out,
                            size_t *count);
/** Add a number of a key to what tells numbers of a case from others; text: what tells it if its
 *  double does not. It is keyed as the dictionary is: nobody outside can make two cases alike. */
void hcbr_i_rich_identity_add(const hcbr_i_rich_encoder *encoder, uint64_t identity[2],
                              hcbr_i_key_id key, double value, hcbr_i_text text);

void hcbr_i_rich_free(hcbr_i_rich *rich);

/** Trees laid out for scoring (tree_layout.c). *out is NULL where they do not fit: too large for
 *  the fields of a step, or a test that always holds. Then they are followed as they stand. False:
 *  no memory. */
typedef struct hcbr_i_rich_layout hcbr_i_rich_layout;
bool hcbr_i_rich_layout_make(hcbr_i_rich_layout **out, const hcbr_i_rich *rich);
void hcbr_i_rich_layout_free(hcbr_i_rich_layout *layout);

/** Add what a merged case with this label pulls, times `part`, to numbers by output. */
void hcbr_i_rich_alphas_add(const hcbr_i_rich *rich, size_t row, uint32_t label, double part,
                            double *to);

/** Shares by output that a leaf of the forest says, in room. */
void hcbr_i_rich_leaf_shares(const hcbr_i_rich *rich, size_t leaf, double *room);
/** Mean shares by output of one leaf of each tree of the forest; leaf: by tree, `step` apart. */
void hcbr_i_rich_mean_shares(const hcbr_i_rich *rich, const uint32_t *leaf, size_t step, double *p);

/** Probabilities where nothing is known of a case: how frequent the labels are, share[l], or rather
 *  how frequent they were among cases like that, if there were some. */
void hcbr_i_rich_of_nothing(const hcbr_i_rich *rich, const double *share, double *probability);

/** From supports by output to probabilities by label. */
void hcbr_i_rich_probabilities(const hcbr_i_rich_stack *stack, uint32_t labels,
                               const double *support, double *probability);

/** Working memory to score cases with one model; one per thread. */
typedef struct hcbr_i_rich_scorer hcbr_i_rich_scorer;
hcbr_status hcbr_i_rich_scorer_create(hcbr_i_rich_scorer **out, const hcbr_i_rich *rich,
                                      hcbr_error *err);
void hcbr_i_rich_scorer_free(hcbr_i_rich_scorer *scorer);

/** Before the first row: parts will be asked for, so that families without trust are scored, too.
 */
void hcbr_i_rich_scorer_want_parts(hcbr_i_rich_scorer *scorer);

/** The row of a scorer: begin it, add features, end it. */
hcbr_i_rich_row *hcbr_i_rich_scorer_row(hcbr_i_rich_scorer *scorer);

/** Let go of the rows that are held. From now on *rows can be held, or what *rows becomes: less,
 * but at least 1. False: no memory. */
bool hcbr_i_rich_scorer_reserve(hcbr_i_rich_scorer *scorer, uint32_t *rows);
/** Hold the scorer's row, behind the others. */
void hcbr_i_rich_hold(hcbr_i_rich_scorer *scorer);
/** Score all rows that are held. */
void hcbr_i_rich_score_held(hcbr_i_rich_scorer *scorer);
/** What one of them came to, as hcbr_i_rich_score() says it. */
void hcbr_i_rich_get_held(const hcbr_i_rich_scorer *scorer, uint32_t row, double *support,
                          double *probability, double *parts);

/**
 * Supports (by output) and probabilities (by label) of the scorer's row. parts (may be NULL)
 * receives the supports of the families before the stack, FAMILIES x outputs, if they are wanted.
 * No rows are held after it.
 */
void hcbr_i_rich_score(hcbr_i_rich_scorer *scorer, double *support, double *probability,
                       double *parts);

/** The engine: its state is a hcbr_i_rich (rich_engine.c). */
extern const hcbr_i_engine hcbr_i_rich_engine;

#endif
