/**
 * @file rich.h
 * The rich model: numbers as ordered tests, groups of feature tests found by trees, strengths
 * fitted to the cases, and a probability.
 *
 * The case base is encoded once (rich_columns.c): every key becomes a dense column of codes or
 * members of a bag of present features. Identical cases are merged (rich_table.c) and put into an
 * order that depends on their content alone; all draws are keyed by content and seed, so the order
 * of the file changes nothing and a weight n is n copies. Copies of a case are dealt to five folds;
 * jury k is fitted to what is not in fold k:
 *
 *   atoms    (rich_atoms.c)  logistic strengths of single tests, dual coordinate descent
 *   boosted  (rich_boost.c)  trees of conjunctions fitted to what the trees before got wrong
 *   votes    (rich_votes.c)  trees on bootstrap draws; a leaf's cases vote
 *   blend    (rich_blend.c)  trust in each family, learnt on held-out supports
 *
 * With very many labels (more than `many`) work and memory follow the pairs of case and label that
 * are looked at: the atoms of a label are fitted to its cases and a sample of the others
 * (rich_labels.c), and the blend is learnt on a sample of the cases.
 *
 * One grower (rich_grow.c) makes all trees. Sums it compares are exact: terms are rounded to a grid
 * on which doubles add without error, so neither order nor number of threads changes a bit.
 */
#ifndef HCBR_I_RICH_H
#define HCBR_I_RICH_H

#include "engine/engine.h"

#include <hcbr/cases.h>

#include <pthread.h>
#include <stdatomic.h>

#define HCBR_I_RICH_FOLDS 5
#define HCBR_I_RICH_CODES 256  /* codes of a dense column: 0 is "absent" */
#define HCBR_I_RICH_FAMILIES 3 /* atoms, boosted, votes */
#define HCBR_I_RICH_EXACT 8u   /* numbers with so few values may be categories */
#define HCBR_I_RICH_LEAF UINT32_MAX

struct hcbr_i_rich_past; // rich_past.h
struct hcbr_i_rich_word;

/* ---- options --------------------------------------------------------------------------------- */

typedef enum hcbr_i_rich_effort {
    HCBR_I_RICH_LITE = 0, /**< no boosting */
    HCBR_I_RICH_NORMAL = 1,
    HCBR_I_RICH_MAX = 2
} hcbr_i_rich_effort;

/** Constants of the method; the defaults are what users get, others serve the ablation table. */
typedef struct hcbr_i_rich_tuning {
    bool family[HCBR_I_RICH_FAMILIES]; /**< which families are fitted */
    uint32_t fewest_numbers;           /**< distinct values from which numbers are ordered */
    uint32_t atom_cuts;                /**< ordered tests of a number among the atoms */
    uint32_t atom_passes;
    double atom_precision;   /**< mean gradient of the cases at which fitting stops */
    double atom_c;           /**< C: how far a case may pull */
    uint32_t depth[2];       /**< of trees: the first jury tries both if they differ */
    uint32_t most_trees;     /**< of a jury */
    uint32_t patience;       /**< trees after the best before boosting stops */
    double stop_gain;        /**< and the least that so many trees must bring, per case */
    double rate;             /**< part of a leaf's optimum that is taken */
    double draw;             /**< part of the cases that a boosted tree is grown on */
    double columns;          /**< part of the columns that a node looks at */
    uint32_t fewest_columns; /**< but at least so many */
    double lambda;           /**< added to the curvature of a leaf */
    double least_h;          /**< least curvature of a leaf */
    double cuts;             /**< cuts drawn per column and node: this ... */
    double cases_per_cut;    /**< ... and one more for so many cases */
    uint32_t vote_trees;
    double vote_prior; /**< cases' worth of prior in each leaf */
    double vote_least; /**< least draws in a leaf */
    double vote_cases; /**< weight that a tree draws on the average, at the most */
    double vote_cuts;
    double vote_columns;     /**< exponent: D^vote_columns columns per node */
    double blend_pull;       /**< how strongly equal trust is preferred */
    uint32_t medium;         /**< from so many cases on steps are larger ... */
    uint32_t large;          /**< ... and trees deeper, but fewer */
    uint32_t many;           /**< more labels than these are fitted one by one, on samples */
    double rivals;           /**< cases of other labels in such a sample, for each of its own */
    uint32_t samples;        /**< and supports that the blend is then learnt on, about ... */
    uint32_t fewest_samples; /**< ... but of so many cases at least */
} hcbr_i_rich_tuning;

/** The constants for data of less than `large` cases; more cases allow larger steps and trees. */
void hcbr_i_rich_tuning_init(hcbr_i_rich_tuning *tuning, hcbr_i_rich_effort effort);

typedef struct hcbr_i_rich_options {
    hcbr_i_rich_tuning tuning;
    uint64_t seed;
    uint32_t threads;
    const char *const *numeric; /**< keys taken as numbers whatever they look like */
    size_t numeric_count;
    const char *const *categorical; /**< keys never taken as numbers */
    size_t categorical_count;
    hcbr_notify_fn *notify; /**< receives warnings about columns; may be NULL */
    void *notify_context;
    hcbr_progress_fn *progress;
    void *progress_context;
    struct hcbr_i_rich_progress *progress_of; /**< set while a model is trained */
    struct hcbr_i_rich_heldout *heldout;      /**< receives what held-out cases got; may be NULL */
    struct hcbr_cases *used_up; /**< the cases, if their numbers may go once they are coded */
    bool keep;                  /**< the cases */
} hcbr_i_rich_options;

/** How far training is (rich_progress.c). */
typedef struct hcbr_i_rich_progress {
    hcbr_progress_fn *progress;
    void *context;
    pthread_t caller;
    double from, to; /**< of the way: what the family at hand takes */
    uint64_t steps;  /**< about so many */
    atomic_uint_fast64_t done;
    atomic_bool stop;
} hcbr_i_rich_progress;

void hcbr_i_rich_progress_begin(hcbr_i_rich_progress *progress, const hcbr_i_rich_options *options);
/** A family begins. False: stop. */
bool hcbr_i_rich_progress_family(hcbr_i_rich_progress *progress, const hcbr_i_rich_tuning *tuning,
                                 uint32_t family, uint32_t labels);
/** All families are done, and everything else. False: stop. */
bool hcbr_i_rich_progress_end(hcbr_i_rich_progress *progress);
/** A step was made, in whatever thread. False: stop, as soon as possible. */
bool hcbr_i_rich_tick(const hcbr_i_rich_options *options);

/** Probabilities of merged cases by the juries that did not see them, an entry for each jury that
 *  some of a case were held out of. Zero it first; release with hcbr_i_rich_heldout_clear(). */
typedef struct hcbr_i_rich_heldout {
    uint32_t count;
    double *probability; /**< by entry, then by label */
    uint32_t *label;
    uint32_t *fold; /**< of the jury; HCBR_I_NONE: every jury has seen it */
    double *weight; /**< held out there */
    bool *empty;    /**< no case of the entry has a feature */
} hcbr_i_rich_heldout;
void hcbr_i_rich_heldout_clear(hcbr_i_rich_heldout *heldout);

/** Cases to train on: some cases of a finished base, each with a weight. */
typedef struct hcbr_i_rich_view {
    const struct hcbr_cases *cases;
    const uint32_t *index; /**< NULL: all of them */
    uint32_t count;        /**< of index */
    const double *weight;  /**< by number of the case, >= 0 and finite; NULL: 1 */
    double grid; /**< of weights, see hcbr_i_rich_weight_grid(); 0: they stand as they are */
} hcbr_i_rich_view;

/**
 * A power of two so small that nothing is lost by rounding the weights of a view to its multiples,
 * and so large that all sums of them are then exact, in any order. It depends on their sum alone.
 */
double hcbr_i_rich_weight_grid(const hcbr_i_rich_view *view);
/** Has a case neither a feature nor a number? */
static inline bool hcbr_i_case_is_empty(const struct hcbr_cases *cases, uint32_t i) {
    return cases->start[i] == cases->start[i + 1] &&
           (!cases->numbers.start || cases->numbers.start[i] == cases->numbers.start[i + 1]);
}
/** The weight of a case as it counts. */
double hcbr_i_rich_weight(const hcbr_i_rich_view *view, uint32_t number);

/* ---- encoding (rich_columns.c) --------------------------------------------------------------- */

typedef enum hcbr_i_rich_kind {
    HCBR_I_RICH_UNUSED = 0,   /**< says nothing: in no training case */
    HCBR_I_RICH_NUMBER = 1,   /**< dense column, codes ordered */
    HCBR_I_RICH_CATEGORY = 2, /**< dense column, a code per value */
    HCBR_I_RICH_BAG = 3,      /**< each feature is a member of the bag or not */
    HCBR_I_RICH_SPARSE = 4    /**< number that is mostly absent: "present" and "> t" in the bag */
} hcbr_i_rich_kind;

/** How the features of a key are encoded. */
typedef struct hcbr_i_rich_key {
    hcbr_i_rich_kind kind;
    uint32_t column;    /**< of NUMBER and CATEGORY */
    uint32_t bag;       /**< of SPARSE: "present"; "> cut j" is bag + 1 + j */
    uint32_t cut_start; /**< of NUMBER and SPARSE: their cuts, ascending */
    uint32_t cut_count;
    uint32_t value_count; /**< distinct values in training */
    uint32_t value_start; /**< of NUMBER with few values: where they stand */
    uint32_t count_start; /**< of NUMBER and SPARSE: the value that is code 1, see counts */
    bool all_numbers;     /**< of CATEGORY and BAG: equal numbers are one feature */
} hcbr_i_rich_key;

/** A dense column as the trees and atoms see it. */
typedef struct hcbr_i_rich_column {
    hcbr_i_key_id key;
    bool ordered;
    bool exact;    /**< ordered, with few values: equality is tested too */
    uint8_t codes; /**< codes 1..codes are in use */
} hcbr_i_rich_column;

typedef struct hcbr_i_rich_encoder {
    hcbr_i_dict *dict; /**< keys by their bytes; features by key, then by the bytes of the value, a
                            bare key first. No number of a NUMBER or SPARSE key is among them */
    uint32_t key_count, feature_count;
    hcbr_i_rich_key *keys;
    uint32_t *code; /**< of features of CATEGORY: code; of BAG: member; HCBR_I_NONE: of words where
                         numbers are, which say nothing */
    double *cuts;
    uint32_t cut_count;
    double *values; /**< of numbers with few of them, by code */
    uint32_t value_count;
    hcbr_i_rich_column *columns;
    uint32_t column_count;
    uint32_t bag_count;
    bool has_spellings; /**< some key of features has numbers alone */
} hcbr_i_rich_encoder;

/** A case as codes: room for column_count codes and for the bag. */
typedef struct hcbr_i_rich_row {
    uint8_t *codes;
    uint32_t *bag; /**< ascending, no repeats */
    uint32_t bag_count;
    size_t bag_capacity;
} hcbr_i_rich_row;

/** Are the values of a key numbers with cuts? */
static inline bool hcbr_i_rich_is_number(const hcbr_i_rich_key *key) {
    return key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE;
}

/**
 * Places of columns, members, cuts and codes, which follow from the dictionary and from kind,
 * cut_count and value_count of the keys. False: no memory.
 */
bool hcbr_i_rich_encoder_place(hcbr_i_rich_encoder *encoder);
void hcbr_i_rich_encoder_clear(hcbr_i_rich_encoder *encoder);
/** Values that cases are counted by: features, then the codes of numbers with cuts. */
uint32_t hcbr_i_rich_value_count(const hcbr_i_rich_encoder *encoder);
/** The key of a member of the bag. */
hcbr_i_key_id hcbr_i_rich_key_of_member(const hcbr_i_rich_encoder *encoder, uint32_t member);
/** Code of a number by its cuts: 1 + how many lie below it. */
uint8_t hcbr_i_rich_code(const double *cuts, uint32_t count, double value);
/** Encode a case: begin, add its features and numbers in any order, end. False: no memory. */
void hcbr_i_rich_row_begin(const hcbr_i_rich_encoder *encoder, hcbr_i_rich_row *row);
/** A feature of the encoder's dictionary. */
bool hcbr_i_rich_row_add(const hcbr_i_rich_encoder *encoder, hcbr_i_feature_id feature,
                         hcbr_i_rich_row *row);
/** A number of a key that has cuts. */
bool hcbr_i_rich_row_add_number(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, double value,
                                hcbr_i_rich_row *row);
/** A value by its text (NULL: a bare key), if it is known; needs the tables of the dictionary. */
bool hcbr_i_rich_row_add_text(const hcbr_i_rich_encoder *encoder, const hcbr_feature *feature,
                              hcbr_i_rich_row *row, bool *known);
/** All that a case of any list has, as far as it is known. */
bool hcbr_i_rich_row_add_case(const hcbr_i_rich_encoder *encoder, const struct hcbr_cases *cases,
                              uint32_t number, hcbr_i_rich_row *row);
/** The feature of a name; of a key of numbers, whatever the spelling. HCBR_I_NONE: there is none.
 *  Needs the tables of the dictionary. */
hcbr_i_feature_id hcbr_i_rich_find(const hcbr_i_rich_encoder *e, const hcbr_feature *x);
/** The feature that a member of the bag is, unless it is of a sparse number. */
hcbr_i_feature_id hcbr_i_rich_member_feature(const hcbr_i_rich_encoder *encoder, uint32_t member);
/** Is a text a number where numbers are expected? A leading zero does not matter there. */
bool hcbr_i_rich_number(const hcbr_i_rich_key *key, const char *text, size_t length, double *value);
void hcbr_i_rich_row_end(hcbr_i_rich_row *row);
/** All of it for a case that is resolved. */
bool hcbr_i_rich_row_set(const hcbr_i_rich_encoder *encoder, const hcbr_i_dict *dict,
                         const hcbr_i_case *x, hcbr_i_rich_row *row);
void hcbr_i_rich_row_clear(hcbr_i_rich_row *row);

/** Add codes lo..hi, below HCBR_I_RICH_CODES, to a set of them. */
static inline void hcbr_i_rich_add_codes(uint64_t set[HCBR_I_RICH_CODES / 64], uint32_t lo,
                                         uint32_t hi) {
    for (uint32_t word = lo / 64; lo <= hi && word <= hi / 64; word++) {
        uint32_t from = word == lo / 64 ? lo % 64 : 0, to = word == hi / 64 ? hi % 64 : 63;
        set[word] |= UINT64_MAX >> (63 - to) & UINT64_MAX << from;
    }
}

/* ---- columns to look at (rich_doubts.c) ------------------------------------------------------ */

/** What the values of a key say about how it should be taken. Zero-initialise to start. */
typedef struct hcbr_i_rich_facts {
    hcbr_i_rich_kind kind;           /**< that was chosen */
    bool is_numeric, is_categorical; /**< as the options say */
    bool several;                    /**< a case has two values of it */
    bool fractions;                  /**< a number that is no whole one */
    uint32_t numbers, words;         /**< different values that are numbers, and others */
    double weight, word_weight;      /**< of the cases that have a value; a value that is none */
    double least, most;              /**< number */
    hcbr_i_text word, wide;          /**< examples: no number, too many digits */
} hcbr_i_rich_facts;

/** Add a value that is no number. */
void hcbr_i_rich_facts_word(hcbr_i_rich_facts *facts, hcbr_i_text value, double weight);
/** Add a number; value: its text if it has many digits, else absent. */
void hcbr_i_rich_facts_number(hcbr_i_rich_facts *facts, hcbr_i_text value, double number,
                              double weight);
/** Warn if the choice is doubtful; *doubts counts. */
void hcbr_i_rich_doubt(const hcbr_i_rich_options *options, hcbr_i_text key,
                       const hcbr_i_rich_facts *facts, uint32_t *doubts);
/** All keys were looked at: say how many were not named. */
void hcbr_i_rich_doubt_end(const hcbr_i_rich_options *options, uint32_t doubts);

/* ---- table of merged cases (rich_table.c) ---------------------------------------------------- */

typedef struct hcbr_i_rich_table {
    uint32_t rows, columns, bag_count, labels;
    const hcbr_i_rich_column *column; /**< borrowed from the encoder */
    uint8_t *codes;                   /**< column after column: codes[c * rows + i] */
    uint64_t *bag_start;              /**< row i has bag[bag_start[i] .. bag_start[i+1]) */
    uint32_t *bag;
    uint32_t *label;
    double *weight; /**< > 0 */
    double *held;   /**< rows x HCBR_I_RICH_FOLDS: part of the weight that is in fold k */
    uint64_t *hash; /**< of the content: draws are keyed by it */
    double *label_weight;
    double total_weight;
    double grid; /**< multiples of it, up to the total weight, add exactly in doubles */
    /* Rows whose held-out supports are kept (hcbr_i_rich_table_sample()): */
    uint32_t sample_count;
    uint32_t *sample;  /**< the rows, rising; NULL: all of them */
    uint32_t *sampled; /**< by row: its place in the sample, HCBR_I_NONE: none; NULL: itself */
} hcbr_i_rich_table;

/** Keep held-out supports of no more than about `most` rows. False: no memory. */
bool hcbr_i_rich_table_sample(hcbr_i_rich_table *table, uint32_t most);

/** The row at a place of the sample. */
static inline uint32_t hcbr_i_rich_sample_row(const hcbr_i_rich_table *table, uint32_t place) {
    return table->sample ? table->sample[place] : place;
}

/** The place of a row in the sample, HCBR_I_NONE: none. */
static inline uint32_t hcbr_i_rich_sample_place(const hcbr_i_rich_table *table, uint32_t row) {
    return table->sampled ? table->sampled[row] : row;
}

/** Cases as codes, before they are merged (rich_columns.c). */
typedef struct hcbr_i_rich_coded {
    struct hcbr_i_rich_word *words; /**< where numbers are, by place, then by feature */
    size_t word_count, word_capacity;
    uint32_t count;      /**< cases of the view, by place */
    uint8_t *codes;      /**< column after column: codes[c * count + i] */
    uint64_t *bag_start; /**< case i has bag[bag_start[i] .. bag_start[i+1]), rising */
    uint32_t *bag;
} hcbr_i_rich_coded;
void hcbr_i_rich_coded_clear(hcbr_i_rich_coded *coded);

/**
 * Choose the kinds of columns and encode the cases of a view, whose list has its numbers apart.
 *
 * @param past receives what is kept of them; NULL: nothing is.
 */
hcbr_status hcbr_i_rich_encode(hcbr_i_rich_encoder *out, hcbr_i_rich_coded *coded,
                               struct hcbr_i_rich_past *past, const hcbr_i_rich_view *view,
                               const hcbr_i_rich_options *options, hcbr_error *err);

/** Which keys of a list, whose numbers need not be apart, are numbers with cuts; by key of it. */
hcbr_status hcbr_i_rich_number_keys(const hcbr_i_rich_view *view,
                                    const hcbr_i_rich_options *options, bool *by_key,
                                    hcbr_error *err);

/** Merge cases; row_of receives by place the row of a case, HCBR_I_NONE if it has no weight. */
hcbr_status hcbr_i_rich_table_make(hcbr_i_rich_table *out, const hcbr_i_rich_encoder *encoder,
                                   const hcbr_i_rich_view *view, const hcbr_i_rich_coded *coded,
                                   uint64_t seed, uint32_t *row_of, hcbr_error *err);
/** The hash of a row, deal of the folds and sums of weights, once content, label and weight of all
 *  rows are there. False: no memory. */
bool hcbr_i_rich_table_deal(hcbr_i_rich_table *table, uint64_t seed);
void hcbr_i_rich_table_clear(hcbr_i_rich_table *table);

/* ---- counts (rich_counts.c) ------------------------------------------------------------------ */

/** In how many training cases of each label a value stands. */
typedef struct hcbr_i_rich_counts {
    uint32_t values;
    uint64_t *start; /**< of value v: entries start[v] .. start[v+1] */
    uint32_t *label; /**< rising */
    uint32_t *cases; /**< above 0 */
} hcbr_i_rich_counts;

bool hcbr_i_rich_counts_make(hcbr_i_rich_counts *out, const hcbr_i_rich_encoder *encoder,
                             const hcbr_i_rich_table *table, const uint32_t *row_of, uint32_t count,
                             const struct hcbr_i_rich_word *words, size_t word_count);
void hcbr_i_rich_counts_clear(hcbr_i_rich_counts *counts);
uint32_t hcbr_i_rich_count(const hcbr_i_rich_counts *counts, uint32_t value, uint32_t label);
uint64_t hcbr_i_rich_count_all(const hcbr_i_rich_counts *counts, uint32_t value);
/** By member of the bag: the first that stands in the very same cases. False: no memory. */
bool hcbr_i_rich_twins_make(uint32_t **out, const hcbr_i_rich_table *table);

/* ---- lists by label (rich_lists.c) ----------------------------------------------------------- */

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

/* ---- trees (rich_grow.c) --------------------------------------------------------------------- */

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

/** Called for each leaf: cases drawn for the tree that end in it, and the others that do. Fills
 *  the leaf's values. */
typedef void hcbr_i_rich_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                              const uint32_t *rest, uint32_t rest_n);

typedef struct hcbr_i_rich_growth {
    const hcbr_i_rich_table *table;
    const double *gradient; /**< rows x (channels + 1): channels, then the curvature */
    uint32_t channels;      /**< 1 or 3 */
    uint32_t depth;
    double lambda, least_h;
    double columns;             /**< how many columns a node looks at, part of them */
    uint32_t fewest_columns;    /**< but at least so many */
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
typedef struct hcbr_i_rich_atoms {
    uint32_t outputs, columns, bag_count;
    uint32_t *place;  /**< columns + 1: table of column c starts at place[c] */
    uint8_t *coarse;  /**< columns x 256: entry of the table by code */
    double *strength; /**< (place[columns] + bag_count) x outputs; NULL: with many labels ... */
    hcbr_i_rich_lists lists; /**< ... those that are not 0, by entry */
} hcbr_i_rich_atoms;

/** Entries of the tables and members of the bag. */
static inline size_t hcbr_i_rich_atoms_size(const hcbr_i_rich_atoms *a) {
    return (size_t)a->place[a->columns] + a->bag_count;
}

/** Add the strengths of an entry, times `by`, to numbers by output. */
static inline void hcbr_i_rich_atoms_add(const hcbr_i_rich_atoms *a, size_t entry, double by,
                                         double *to) {
    if (!a->strength) {
        hcbr_i_rich_lists_add(&a->lists, entry, by, to);
        return;
    }
    for (uint32_t l = 0; l < a->outputs; l++)
        to[l] += by * a->strength[entry * a->outputs + l];
}

/** The strength of an entry for an output. */
double hcbr_i_rich_atoms_get(const hcbr_i_rich_atoms *a, size_t entry, uint32_t output);

/** What reasons need of training besides the cases and the model (section reasons of a file). */
typedef struct hcbr_i_rich_kept {
    double *weight; /**< by case, as given; NULL: all 1 */
    float *alpha;   /**< rows x outputs: how far a merged case pulls the atoms, mean of the juries;
                         NULL: no atoms. The strengths are the sum over the cases of just these */
    float *alpha_low;      /**< what alpha has beyond the precision of a float; NULL: nothing that
                              counts, no case is very heavy */
    uint64_t *alpha_start; /**< with many labels: row i has alpha[alpha_start[i] ..
                                alpha_start[i+1]), NULL: all outputs ... */
    uint32_t *alpha_label; /**< ... of these labels, rising; the others are 0 */
    double scale;          /**< of the atoms: phi^2 of a test of weight 1 */
    double rate, lambda, draw; /**< of boosting */
    double prior;              /**< of votes: cases' worth of it in each leaf */
    double part;               /**< of votes: of the weight, what a tree draws on the average */
} hcbr_i_rich_kept;
void hcbr_i_rich_kept_clear(hcbr_i_rich_kept *kept);

/** An alpha with all it has. */
static inline double hcbr_i_rich_alpha(const hcbr_i_rich_kept *kept, size_t at) {
    double alpha = (double)kept->alpha[at];
    return kept->alpha_low ? alpha + (double)kept->alpha_low[at] : alpha;
}

/** Held-out supports: of place i of the sample by the jury of fold k at (i * FOLDS + k) * outputs.
 *  Fills alpha and scale of kept. */
hcbr_status hcbr_i_rich_atoms_fit(hcbr_i_rich_atoms *out, hcbr_i_rich_kept *kept,
                                  const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err);
void hcbr_i_rich_atoms_clear(hcbr_i_rich_atoms *atoms);

/** Five forests and the log-odds they start from; the support is the mean of the five. */
typedef struct hcbr_i_rich_boosted {
    uint32_t outputs;
    hcbr_i_rich_forest jury[HCBR_I_RICH_FOLDS];
    double *start; /**< FOLDS x outputs */
} hcbr_i_rich_boosted;

hcbr_status hcbr_i_rich_boost_fit(hcbr_i_rich_boosted *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err);
void hcbr_i_rich_boosted_clear(hcbr_i_rich_boosted *boosted);

/** What the leaves of the votes say with more than two labels: the share of a label is prior[label]
 *  times the leaf's rest, and what is listed of it. */
typedef struct hcbr_i_rich_shares {
    double *prior; /**< by label; NULL: two labels, shares of the second stand in the forest */
    double *rest;  /**< by leaf: the prior's part of it */
    hcbr_i_rich_lists lists;
} hcbr_i_rich_shares;

void hcbr_i_rich_shares_clear(hcbr_i_rich_shares *shares);

/** Held-out supports: of place i of the sample at i * outputs. */
hcbr_status hcbr_i_rich_votes_fit(hcbr_i_rich_forest *out, hcbr_i_rich_shares *shares,
                                  const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err);
/** From shares by label (mean over trees) to supports. */
void hcbr_i_rich_votes_support(const double *share, uint32_t labels, double *support);

typedef struct hcbr_i_rich_blend {
    double trust[HCBR_I_RICH_FAMILIES]; /**< beta, >= 0 */
    double *bias;                       /**< by output */
} hcbr_i_rich_blend;

/** held: of each family, NULL if it is off. */
hcbr_status hcbr_i_rich_blend_fit(hcbr_i_rich_blend *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options,
                                  double *const held[HCBR_I_RICH_FAMILIES], hcbr_error *err);

/* ---- the model (rich.c) ---------------------------------------------------------------------- */

/** Supports of two labels are one number s (for the second label, -s for the first). */
static inline uint32_t hcbr_i_rich_outputs(uint32_t labels) {
    return labels == 2 ? 1 : labels;
}

typedef struct hcbr_i_rich {
    uint32_t labels, outputs;
    hcbr_i_rich_encoder encoder;
    bool family[HCBR_I_RICH_FAMILIES];
    hcbr_i_rich_atoms atoms;
    hcbr_i_rich_boosted boosted;
    hcbr_i_rich_forest votes;
    hcbr_i_rich_shares shares; /**< of the votes */
    hcbr_i_rich_blend blend;
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

typedef struct hcbr_i_rich_classes hcbr_i_rich_classes;
/** Find the classes, which follow from the rest. False: no memory. */
bool hcbr_i_rich_classes_make(hcbr_i_rich *rich);
void hcbr_i_rich_classes_clear(hcbr_i_rich_classes *classes);
/** The past cases as others ask for them. */
hcbr_i_past hcbr_i_rich_past_view(const hcbr_i_rich *rich);
/** The atom of each feature, then of each number of a past case: an interval for a number. The
 *  array is the caller's. False: no memory. */
bool hcbr_i_rich_past_atoms(const hcbr_i_rich *rich, uint32_t number, uint32_t **out,
                            size_t *count);
/** Add a number of a key to what tells numbers of a case from others; text: what tells it if its
 *  double does not. */
void hcbr_i_rich_identity_add(uint64_t identity[2], hcbr_i_key_id key, double value,
                              hcbr_i_text text);

hcbr_status hcbr_i_rich_train(hcbr_i_rich **out, const hcbr_i_rich_view *given,
                              const hcbr_i_rich_options *options, hcbr_error *err);
void hcbr_i_rich_free(hcbr_i_rich *rich);

/** Add what a merged case with this label pulls, times `part`, to numbers by output. */
void hcbr_i_rich_alphas_add(const hcbr_i_rich *rich, size_t row, uint32_t label, double part,
                            double *to);

/** Shares by output that a leaf of the votes says, in room. */
void hcbr_i_rich_leaf_shares(const hcbr_i_rich *rich, size_t leaf, double *room);
/** Mean shares by output of one leaf of each voting tree; leaf: by tree, `step` apart. */
void hcbr_i_rich_mean_shares(const hcbr_i_rich *rich, const uint32_t *leaf, size_t step, double *p);

/** Probabilities where nothing is known of a case: how frequent the labels are, share[l], or rather
 *  how frequent they were among cases like that, if there were some. */
void hcbr_i_rich_of_nothing(const hcbr_i_rich *rich, const double *share, double *probability);

/** From supports by output to probabilities by label. */
void hcbr_i_rich_probabilities(const hcbr_i_rich *rich, const double *support, double *probability);

/** Fill it (rich_heldout.c); held: of each family, NULL if it is off. False: no memory. */
bool hcbr_i_rich_heldout_fill(hcbr_i_rich_heldout *out, const hcbr_i_rich *rich,
                              const hcbr_i_rich_table *table,
                              double *const held[HCBR_I_RICH_FAMILIES],
                              const hcbr_i_rich_view *view, const uint32_t *row_of);

/** Working memory to score cases with one model; one per thread. */
typedef struct hcbr_i_rich_scorer hcbr_i_rich_scorer;
hcbr_status hcbr_i_rich_scorer_create(hcbr_i_rich_scorer **out, const hcbr_i_rich *rich,
                                      hcbr_error *err);
void hcbr_i_rich_scorer_free(hcbr_i_rich_scorer *scorer);

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
 * receives the supports of the families before the blend, FAMILIES x outputs. No rows are held
 * after it.
 */
void hcbr_i_rich_score(hcbr_i_rich_scorer *scorer, double *support, double *probability,
                       double *parts);

/** The engine: its state is a hcbr_i_rich (rich_engine.c). */
extern const hcbr_i_engine hcbr_i_rich_engine;

#include "rich/reasons/rich_causes.h" // where supports come from
#include "rich/rich_file.h"
#include "rich/rich_past.h" // what is kept of the training cases

#endif
