/**
 * @file rich_causes.h
 * The sources of a rich support: terms (a single test, the leaf of a tree) and the past cases of
 * each term. RICH: support = bias + sum over terms = bias + sum over past cases, exactly.
 *
 * With beta the trust in a family, merged case i adds to the support of a case x
 *   linear   beta scale y_i alpha_i (share of a variable's tests that both pass), for each variable
 *   boosted  beta rate r_i / (5 (H + lambda)) for each tree that drew i and where both end in one
 *            leaf; r_i is its residual before that tree, found by replaying the trees
 *   forest   beta (effect of a share of its label) m_i / (T (n + a)), likewise; m_i its draws
 * The prior's part of the forest and the fold models' starts belong to the bias.
 */
#ifndef HCBR_I_RICH_CAUSES_H
#define HCBR_I_RICH_CAUSES_H

#include "rich/encode/kept_cases.h"
#include "rich/rich_draw.h"
#include "rich/rich_fit.h"

#define HCBR_I_RICH_ROWS 128u /* rows processed together: a block */
#define HCBR_I_RICH_TELL 16u  /* blocks between two progress calls, in long passes */

/** Some rows of a block, a bit each. */
typedef struct hcbr_i_rich_mask {
    uint64_t word[2];
} hcbr_i_rich_mask;

/** The content of merged cases, block by block (row_blocks.c). */
typedef struct hcbr_i_rich_blocks {
    const hcbr_i_rich_table *table;
    uint32_t count;
    uint32_t *place;       /**< of a column's masks: a mask for each code, absent and beyond */
    uint8_t *codes;        /**< of a block, column after column, HCBR_I_RICH_ROWS each */
    uint64_t *entry_start; /**< members of block b: entry_start[b] .. entry_start[b+1]; all members,
                                if the block has most of them */
    uint64_t entry_count;
    uint32_t *member; /**< ascending in a block */
    size_t member_capacity;
    hcbr_i_rich_mask *rows; /**< by entry: the rows with the member */
    size_t rows_capacity;
    uint64_t *holder_start; /**< the rows of member m are holder[holder_start[m] ..
                                 holder_start[m+1]), ascending */
    uint32_t *holder;
} hcbr_i_rich_blocks;

/**
 * The rows in leaves, leaf by leaf, so that a decision reads one list for each tree, front to back
 * (leaf_rows.c, forest_rows.c). Rows drawn by a boosted tree are listed with their residuals; the
 * lists are of chunks of rows, so that the sums stay in the cache.
 */
typedef struct hcbr_i_rich_leaves {
    uint32_t chunk_rows; /**< rows of a chunk, whole blocks; the last may have fewer */
    uint32_t chunks;
    uint32_t kept;   /**< number of stored chunks, the first ones */
    uint32_t width;  /**< bytes of a residual, as a multiple of the grid; 8: as a double */
    uint64_t *first; /**< by chunk and fold model: first entry; one more */
    uint32_t *start; /**< likewise, for each leaf of the fold model and one more: its first entry */
    uint16_t *row;   /**< by entry: index in the chunk, ascending in a leaf */
    uint8_t *residual;      /**< by entry and output */
    uint64_t *forest_start; /**< leaf f of the forest: its rows begin here in ... */
    uint32_t *forest_row;   /**< ... the rows drawn at least once, ascending; NULL: not
                                 needed yet */
} hcbr_i_rich_leaves;

/** The prepared past cases of a model. */
typedef struct hcbr_i_rich_causes {
    const hcbr_i_rich *rich;
    hcbr_i_rich_table table;   /**< without codes and bag, which are in blocks */
    hcbr_i_rich_blocks blocks; /**< in the order of rows */
    const double *weight;      /**< by case; NULL: 1 */
    const uint32_t *row_of;    /**< by case, borrowed; HCBR_I_NONE: no weight */
    uint32_t *case_start;      /**< row i merges cases[case_start[i] .. case_start[i+1]) */
    uint32_t *cases;
    double never;           /**< probability that a tree of the forest does not draw a unit */
    uint32_t boosted_count; /**< trees of all fold models */
    uint32_t tree_start[HCBR_I_RICH_FOLDS + 1]; /**< first of each fold model */
    size_t leaf_start[HCBR_I_RICH_FOLDS + 1];   /**< number of leaves of the fold models before */
    size_t most;                                /**< bytes for residuals and their indices */
    double *divisor; /**< by boosted leaf and output: H + lambda, or |G| / 64 for a leaf at its
                          limit; NULL: not needed yet */
    hcbr_i_rich_leaves leaves;
    double *reach; /**< by block: the largest alpha of its rows (influence_linear.c) */
} hcbr_i_rich_causes;

/** Draws of a row by a tree of the forest; key: that of the tree. */
static inline double hcbr_i_rich_draws(const hcbr_i_rich_causes *c, size_t row, uint64_t key) {
    return hcbr_i_rich_times(c->rich->kept.part, c->never, c->table.unit[row] ^ key) *
           c->table.weight[row];
}

/**
 * Replay training: merge the cases.
 *
 * @param view all kept cases of the model, with their weights; must outlive it.
 * @param most bytes for residuals; more are recomputed each time.
 * @param watch may be NULL.
 * @return HCBR_OK, HCBR_EFORMAT (the cases are not those of the model), HCBR_ENOMEM, or the status
 *         of the watch.
 */
hcbr_status hcbr_i_rich_causes_init(hcbr_i_rich_causes *causes, const hcbr_i_rich *rich,
                                    const uint32_t *label, const double *weight, size_t most,
                                    const hcbr_i_rich_watch *watch, hcbr_error *err);
void hcbr_i_rich_causes_clear(hcbr_i_rich_causes *causes);

/** Names of columns and members, and which columns are never empty. */
typedef struct hcbr_i_rich_names {
    const hcbr_i_rich_encoder *encoder;
    const hcbr_i_dict *dict;
    uint32_t *column_start; /**< value v of category column c: values[column_start[c] + v] */
    uint32_t *values;       /**< features; HCBR_I_NONE: no feature */
    uint32_t *first;        /**< by member: itself, or the first of its sparse number */
    uint32_t *feature;      /**< by member: its feature, or HCBR_I_NONE: of a sparse number */
    uint32_t *key;          /**< by member: key */
    bool *full;             /**< by column: every past case has it */
} hcbr_i_rich_names;

/** @param all number of training cases. */
hcbr_status hcbr_i_rich_names_init(hcbr_i_rich_names *names, const hcbr_i_rich *rich, uint64_t all,
                                   hcbr_error *err);
/** The value of a code of a number with few values; NAN: none. */
double hcbr_i_rich_few_value(const hcbr_i_rich_encoder *encoder, const hcbr_i_rich_key *key,
                             uint32_t code);
void hcbr_i_rich_names_clear(hcbr_i_rich_names *names);

/** A summand of a support. */
typedef struct hcbr_i_rich_term {
    uint32_t family;   /**< 0 linear, 1 boosted, 2 forest */
    uint32_t variable; /**< of the linear model: a column, or columns + a member (of a sparse
                          number, its first) */
    uint32_t forest, tree, leaf; /**< of the others: fold model, tree in it, leaf in its forest */
    uint32_t end;                /**< node of the leaf */
} hcbr_i_rich_term;

/**
 * The effect of a label's share in one tree of the forest on each support of a case
 * (support_terms.c). Labels with equal mean shares have the same effect on others, so they share a
 * column: of very many labels most have no more than the prior's share.
 */
typedef struct hcbr_i_rich_effects {
    uint32_t outputs, classes;
    uint32_t *class_of;   /**< by label: labels of one class have equal mean shares */
    double *value;        /**< by class: that mean share */
    double *column;       /**< by class and output: effect of its labels on others */
    double *own;          /**< by label: effect on itself; with two labels one number: effect of the
                               second minus that of the first */
    double *zero, *minus; /**< by label: 0, and -1 */
} hcbr_i_rich_effects;

bool hcbr_i_rich_effects_init(hcbr_i_rich_effects *x, uint32_t outputs);
void hcbr_i_rich_effects_clear(hcbr_i_rich_effects *x);
/** Compute the effects for a case with mean shares p. */
void hcbr_i_rich_effects_set(hcbr_i_rich_effects *x, const hcbr_i_rich *rich, const double *p);
/** The effect of a label on the other outputs. */
static inline const double *hcbr_i_rich_effects_column(const hcbr_i_rich_effects *x,
                                                       uint32_t label) {
    return x->column + (size_t)x->class_of[label] * x->outputs;
}
/** Add the effect of a share of a label on all outputs; for more than two labels. */
static inline void hcbr_i_rich_effects_add(const hcbr_i_rich_effects *x, uint32_t label,
                                           double share, double *to) {
    const double *column = hcbr_i_rich_effects_column(x, label), before = to[label];
    for (uint32_t l = 0; l < x->outputs; l++)
        to[l] += column[l] * share;
    to[label] = before + x->own[label] * share;
}

/** The same for shares by label, one after the other. */
void hcbr_i_rich_effects_add_all(const hcbr_i_rich_effects *x, const double *shares, double *to);

/** The current case: its terms and their contributions to the support. */
typedef struct hcbr_i_rich_query {
    const hcbr_i_rich *rich;
    const hcbr_i_rich_names *names;
    hcbr_i_rich_causes *causes; /**< NULL: no cases are kept */
    const hcbr_i_rich_row *row;
    hcbr_i_rich_term *terms; /**< single tests, boosted trees, trees of the forest */
    size_t term_count, term_capacity;
    size_t linear_terms;
    double *contribution; /**< terms x outputs */
    size_t contribution_capacity;
    double *bias;                /**< by output; without causes the prior's part is in the forest */
    hcbr_i_rich_effects effects; /**< of a share of a label */
    double *drawn;               /**< by tree of the forest: n + a of its leaf; only with causes */
    double *own;       /**< by tree of the forest and label: draws with that label in its leaf (with
                            two labels, of the second) */
    uint32_t *term_of; /**< by member of the bag: its term + 1, or 0 */
    uint32_t *in_bag;  /**< stamps, to follow trees */
    uint32_t stamp;
} hcbr_i_rich_query;

hcbr_status hcbr_i_rich_query_init(hcbr_i_rich_query *query, const hcbr_i_rich *rich,
                                   const hcbr_i_rich_names *names, hcbr_i_rich_causes *causes,
                                   hcbr_error *err);
void hcbr_i_rich_query_clear(hcbr_i_rich_query *query);
/** Set the current case; the row must live until the next call. */
hcbr_status hcbr_i_rich_query_set(hcbr_i_rich_query *query, const hcbr_i_rich_row *row,
                                  hcbr_error *err);

/** Receives the contributions of some rows through the terms of a slot: n rows, each once in all
 *  calls, and their values by output. Returns a bound: rows with all values below it are not needed
 *  any more. */
typedef double hcbr_i_rich_take(void *context, uint32_t slot, const uint32_t *rows,
                                const double *values, uint32_t n);

/** The destination of the influences. */
typedef struct hcbr_i_rich_tally {
    double *total;           /**< rows x outputs; written, not added to */
    double *sum, *rest;      /**< by output: their sum, and its rounding error */
    double *absolute;        /**< by output: sum of absolute values */
    const uint32_t *slot_of; /**< by term: its slot, or HCBR_I_NONE */
    uint32_t slot_count;
    hcbr_i_rich_take *take;
    void *context;
    const hcbr_i_rich_watch *watch; /**< may be NULL */
} hcbr_i_rich_tally;

/** Add up the influences of all merged cases on the current case. */
hcbr_status hcbr_i_rich_causes_add(const hcbr_i_rich_query *query, hcbr_i_rich_tally *tally,
                                   hcbr_error *err);

/** The contribution of each merged case to the support of an identical case: rows x outputs. */
hcbr_status hcbr_i_rich_causes_own(hcbr_i_rich_causes *causes, double *out, hcbr_error *err);

/* ---- conjunctions (leaf_tests.c) ------------------------------------------------------------- */

/** The test of a conjunction on one variable. */
typedef struct hcbr_i_rich_test {
    uint32_t variable; /**< as of a term */
    uint32_t zero;     /**< padding, so that equal tests have equal bytes */
    uint64_t codes[4]; /**< set of codes that pass; of a member: bit 0 absent, bit 1 present */
} hcbr_i_rich_test;

/** A conjunction of tests. */
typedef struct hcbr_i_rich_tests {
    hcbr_i_rich_test *items; /**< each variable once, by ascending number */
    size_t count, capacity;
} hcbr_i_rich_tests;

/**
 * The tests on the path to the leaf that is node `end` of a forest.
 *
 * @param codes of a case that ends there: a column that it lacks may be absent; NULL: of no case.
 * @param out   its items are replaced. Returns false: no memory.
 */
bool hcbr_i_rich_tests_at(const hcbr_i_rich_names *names, const hcbr_i_rich_forest *forest,
                          uint32_t tree, size_t end, const uint8_t *codes, hcbr_i_rich_tests *out);
/**
 * Their variables alone, each once, in path order.
 *
 * @param marks by variable, all 0, and 0 afterwards.
 * @param out   has room for the nodes of the path. Returns the number of variables.
 */
size_t hcbr_i_rich_variables_at(const hcbr_i_rich_names *names, const hcbr_i_rich_forest *forest,
                                uint32_t tree, size_t end, const uint8_t *codes, uint32_t *marks,
                                uint32_t *out);

/** The text of a test, such as `age<=37.5`; to be freed. NULL: no memory. */
char *hcbr_i_rich_test_text(const hcbr_i_rich_names *names, const hcbr_i_rich_test *test);

#include "rich/reasons/model_groups.h" // groups of the model as a whole
#include "rich/score/support_bound.h"  // how far supports can go
#include "rich/score/support_probe.h"  // supports near a case

#endif
