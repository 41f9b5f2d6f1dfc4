/**
 * @file explain.h
 * Reasons: the atoms with a part in a decision and their past cases, for and against, adding up
 * exactly to the support.
 *
 * An atom is a unit that a model counts as one reason. In a plain model it is a set of features
 * that occur in the same past cases. In a rich model it is a feature, a range of a number, several
 * features that always occur together, or a conjunction of tests such as `age<=37.5` and
 * `job=clerk` found by trees. A conjunction found by several trees is one atom, and one that tests
 * the features of another atom is a part of that: no two atoms of a case read the same. For a
 * number, past cases with near values count more.
 *
 * All support comes from past cases: from their shares in the strengths, or from wrong decisions on
 * them in training. The influence of a past case on a label is the sum of its contributions to the
 * atoms of the explained case. The influences of all past cases and the bias (0 in a plain model)
 * add up to the support. An influence shows the origin of support. It does not show what would
 * happen without the past case.
 *
 * The contribution of an atom is divided equally among the columns that it tests: so every column
 * has a part in the support too (hcbr_explained_column), and over many cases an importance
 * (hcbr_importance).
 */
#ifndef HCBR_EXPLAIN_H
#define HCBR_EXPLAIN_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The extent of an explanation. Fill with hcbr_explain_options_init(). Sums and counts include
 *  parts that are not shown. With `cases` and `atom_cases` 0, past cases are not used, which is
 *  faster. */
typedef struct hcbr_explain_options {
    size_t size;
    size_t atoms;      /**< most atoms; SIZE_MAX: all; default 10 */
    size_t cases;      /**< most past cases for, against, and of the others; default 5 */
    size_t atom_cases; /**< most past cases of each atom; default 3 */
    size_t columns;    /**< most columns, 0: none; default SIZE_MAX, all */
} hcbr_explain_options;

/** Set every field to its default. */
#define hcbr_explain_options_init(options) HCBR_INIT(hcbr_explain_options, options)

/** A past case with influence. */
typedef struct hcbr_explained_case {
    uint64_t index; /**< number of the kept case, for hcbr_model_get_kept() */
    uint64_t row;   /**< data row it came from, from 1 */
    const char *id; /**< NULL if it has none or names are not kept; not NUL-terminated */
    size_t id_length;
    hcbr_label label;
    double lead;             /**< its contribution to the lead (below) */
    const double *influence; /**< its contribution to the support of every label */
    const char *source; /**< of a belief (hcbr/prior.h): its source, ends with NUL; else NULL */
    double weight;      /**< of a belief; a plain model shows all its cases as one, the first */
} hcbr_explained_case;

/** Kind of an atom. */
typedef enum hcbr_atom_kind {
    HCBR_ATOM_FEATURES = 0, /**< features of the case */
    HCBR_ATOM_TESTS = 1     /**< tests that the case passes */
} hcbr_atom_kind;

/** An atom with a part in the decision: the case has at least one of its features, or passes all
 *  its tests. */
typedef struct hcbr_explained_atom {
    uint32_t atom;                /**< its number in the model; UINT32_MAX: none */
    const hcbr_feature *features; /**< its features in the case; tests are written into the keys and
                                       have no values */
    size_t feature_count;
    uint32_t all_features;            /**< |e|: number of all its features; tests of a
                                           conjunction */
    double weight;                    /**< w(e,x), its share of the case */
    double lead;                      /**< its contribution to the lead (below) */
    const double *contribution;       /**< its contribution to the support of every label */
    uint64_t case_count;              /**< past cases that have it, or pass all its tests; for a
                                           number those with this very one, though in a rich model
                                           near ones have influence, too; 0 if past cases are not
                                           used */
    const hcbr_explained_case *cases; /**< those with the largest influence through this atom, by
                                           descending absolute lead */
    size_t shown_cases;
    hcbr_atom_kind kind;
} hcbr_explained_atom;

/** A column with a part in the decision: its part of every atom that tests it. A word of a text
 *  column counts for that column; a bare key and a word of the text format are columns of their
 *  own; a column of a joined source is `source.column`, a value of nested JSON has the keys above
 *  it, `a.b`. */
typedef struct hcbr_explained_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    double lead;                /**< its contribution to the lead (below) */
    const double *contribution; /**< its contribution to the support of every label */
} hcbr_explained_column;

/** A word of a text column with a part in the decision: its part of the column's contribution. */
typedef struct hcbr_explained_word {
    const char *key; /**< the column, a colon and the word or words; not NUL-terminated */
    size_t key_length;
    size_t column_length; /**< of the column's name in it */
    double lead;          /**< its contribution to the lead; that of tests of several words of a
                               column is divided equally among these */
    int present;          /**< 0: the case does not have it, which counts too */
} hcbr_explained_word;

/**
 * The reasons of a decision. Everything is borrowed until the next call.
 *
 * Reasons are for the answer. Without an answer they are for the label with the largest support,
 * and if nothing is known there are none. The rule may turn the answer away from the largest
 * support (decision.label is not decision.winner): the lead is then not positive, and the reasons
 * are still those for the answer.
 */
typedef struct hcbr_explanation {
    size_t size;
    const hcbr_decision *decision;
    hcbr_label label;   /**< the explained label; HCBR_LABEL_UNKNOWN: no reasons */
    hcbr_label against; /**< decision.winner if that is another label, else the label with the next
                             largest support; HCBR_LABEL_UNKNOWN if there is none. A lead is a
                             contribution to the support of `label` minus that to the support of
                             `against` */
    const double *bias; /**< by label; 0 in a plain model. In a rich one it depends on the case: it
                             includes the prior's part of the votes (if cases are kept) */
    const double *influence_sum; /**< by label: bias and the influences of all past cases, equal to
                                      the support; NULL if no cases are kept or used */
    const double *influence_absolute;     /**< by label: sum of their absolute values; likewise */
    const hcbr_explained_atom *atoms;     /**< by descending absolute lead */
    size_t atom_count;                    /**< shown */
    uint64_t all_atoms;                   /**< touched by the case */
    const hcbr_explained_case *cases_for; /**< past cases for the decision, by descending lead */
    size_t for_count;
    const hcbr_explained_case *cases_against; /**< against it, by ascending (negative) lead */
    size_t against_count;
    uint64_t all_for, all_against;     /**< past cases with a positive, a negative lead */
    const char *no_cases;              /**< why past cases are not shown; NULL: they are */
    double lead;                       /**< support of `label` minus that of `against` */
    const hcbr_explained_case *others; /**< past cases with influence on the support of some label
                                            but none on the lead, which is 0 in them; by descending
                                            sum of absolute influences over the labels. The three
                                            lists together hold every past case with an influence,
                                            if as many are requested */
    size_t other_count;
    uint64_t all_others;
    const hcbr_explained_column *columns; /**< by descending absolute lead, ties by name */
    size_t column_count;                  /**< shown */
    size_t all_columns;                   /**< tested by some atom of the case; 0 without columns */
    const double *rest; /**< by label: contributions of atoms that test no column (a tree of one
                             leaf). bias, rest and the contributions of all columns add up to the
                             support. NULL without columns */
    const hcbr_explained_word *words;  /**< of text columns, by descending absolute lead, ties by
                                            key. Those of a column add up to its contribution */
    size_t word_count;                 /**< all of them; 0 without columns */
    const hcbr_explained_case *itself; /**< the past case that the case itself is: included in the
                                            sums and in atoms, but neither in the past cases for,
                                            against and others nor in their counts; NULL: not a part
                                            of the training */
} hcbr_explanation;

/** Data shared by all explanations of a model: past cases by features, and their part in training.
 *  It never changes once it is made; any number of explainers in any threads may use it at once. */
typedef struct hcbr_index hcbr_index;

/** Options of an index. Fill with hcbr_index_options_init(). Explanations are the same for any
 *  memory and any number of threads. */
typedef struct hcbr_index_options {
    size_t size;
    uint64_t max_memory; /**< most bytes for residuals of past cases in a rich model; if they are
                              more, those of the first cases are kept, and every explanation
                              computes the others again; default 1.5 GB. In addition it takes about
                              as much as the kept cases, 4 bytes for each case drawn by a voting
                              tree and one number for each leaf and label */
    uint32_t threads;    /**< for making it; default 1 */
    hcbr_progress_fn *progress; /**< may be NULL. Called by the thread that makes it */
    void *progress_context;
} hcbr_index_options;

/** Set every field to its default. */
#define hcbr_index_options_init(options) HCBR_INIT(hcbr_index_options, options)

/**
 * Make an index.
 *
 * @param out     receives it, NULL on failure; release with hcbr_index_free().
 * @param model   must outlive the index.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_ENOMEM, HCBR_EFORMAT (the kept cases are not those of the model) or
 *         HCBR_ECANCELLED.
 *
 * Cost: one pass over the kept cases; in a rich model they are sent through all boosted trees.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_index_create(hcbr_index **out, const hcbr_model *model,
                                                       const hcbr_index_options *options,
                                                       hcbr_error *err);

/** Release an index. NULL is fine. */
HCBR_API void hcbr_index_free(hcbr_index *index);

/** Working memory to explain decisions of one model; one per thread. */
typedef struct hcbr_explainer hcbr_explainer;

/**
 * Prepare to explain.
 *
 * @param out   receives the explainer, NULL on failure; release with hcbr_explainer_free().
 * @param model must outlive the explainer. If it keeps no cases only atoms are shown.
 * @param index of the model, shared with other explainers; must outlive this one. NULL: it makes
 * its own, when it is first needed.
 * @param rule  the rule of decision; NULL for the one stored in the model.
 * @return HCBR_OK, HCBR_EUSAGE (as hcbr_decider_create(), or an index of another model) or
 *         HCBR_ENOMEM.
 *
 * Cost: memory by the past cases and atoms; without an index one pass over the kept cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_create(hcbr_explainer **out,
                                                           const hcbr_model *model,
                                                           const hcbr_index *index,
                                                           const hcbr_rule *rule, hcbr_error *err);

/** Release an explainer. NULL is fine. */
HCBR_API void hcbr_explainer_free(hcbr_explainer *explainer);

/**
 * Set a progress function for later calls, which can stop them: hcbr_explainer_explain(),
 * _compare(), _flip() and _ask() then return HCBR_ECANCELLED, also in the middle of a case.
 *
 * @param progress stages "explain", "flip" and "ask"; NULL (the default): none.
 */
HCBR_API void hcbr_explainer_watch(hcbr_explainer *explainer, hcbr_progress_fn *progress,
                                   void *context);

/**
 * Decide a row and compute the reasons.
 *
 * @param row         of the explainer's model. Results of this and the functions below borrow from
 *                    it.
 * @param options     NULL for the defaults.
 * @param explanation filled; explanation->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: proportional to the past cases of the case's atoms. In a rich model, to those of its tests
 * and leaves; the first explanation replays all past cases through the boosted trees and keeps at
 * most 1.5 GB of the results. Further ones are computed again for each explanation.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_explain(hcbr_explainer *explainer,
                                                            const hcbr_row *row,
                                                            const hcbr_explain_options *options,
                                                            hcbr_explanation *explanation,
                                                            hcbr_error *err);

/* ---- comparison with a past case ------------------------------------------------------------- */

/** A feature that one or both of two cases have. */
typedef struct hcbr_compared_feature {
    hcbr_feature feature;
    int known;    /**< 0: no past case has it */
    double here;  /**< its contribution to the lead of the current case; 0 if that lacks it */
    double there; /**< its contribution to the lead of the past case, likewise */
} hcbr_compared_feature;

/** How alike two cases are in a column. */
typedef enum hcbr_alike {
    HCBR_ALIKE_SAME = 0,      /**< the same value or values */
    HCBR_ALIKE_NEAR = 1,      /**< numbers with at most a tenth of the model's cuts of the column
                                   between them; so none if it has fewer than ten */
    HCBR_ALIKE_DIFFERENT = 2, /**< other values */
    HCBR_ALIKE_ONLY_HERE = 3, /**< only the current case has a value */
    HCBR_ALIKE_ONLY_THERE = 4 /**< only the past case has one */
} hcbr_alike;

/** A column of two cases. Words belong to their text column; bare keys are one column without a
 *  name. */
typedef struct hcbr_compared_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    hcbr_alike alike;
    const hcbr_feature *here; /**< values of the current case: first the shared ones, then its own,
                                   each by effect */
    size_t here_count;
    const hcbr_feature *there; /**< those of the past case, likewise */
    size_t there_count;
    size_t shared;                /**< number of shared values in each list */
    double lead_here, lead_there; /**< contributions of its features to the leads */
} hcbr_compared_column;

/** A comparison of a case with a past case. Everything is borrowed until the next call. */
typedef struct hcbr_comparison {
    size_t size;
    hcbr_label label, against;       /**< as in an explanation of the current case */
    const hcbr_explained_case *past; /**< the past case with its influence on the current case */
    double lead_here;                /**< lead of the current case */
    double lead_there; /**< lead of the past case, for the same two labels; 0 if it is empty */
    const hcbr_compared_feature *features; /**< shared ones, those of the current case only, those
                                                of the past case only; each part by descending
                                                absolute here - there. The values of here - there
                                                add up to lead_here - lead_there */
    size_t shared, only_here, only_there;
    double rest;    /**< in a rich model, the effect of tests of features that neither case has, and
                         of the bias if the past case is empty; here - there of the features and
                         this add up to lead_here - lead_there; else 0 */
    int past_empty; /**< the past case has no features: nothing is shared */
    const hcbr_compared_column *columns; /**< by descending absolute lead_here - lead_there, ties by
                                              name; these differences and `rest` add up to lead_here
                                              - lead_there too */
    size_t column_count;
    hcbr_label held_label;   /**< as in hcbr_kept_case, of the past case */
    double held_probability; /**< likewise */
} hcbr_comparison;

/**
 * Compare a case with a past case, feature by feature.
 *
 * The contribution of a conjunction of a rich model is divided equally among the features it tests.
 * A test may also require that a feature is absent: then it counts for the feature of the other
 * case.
 *
 * @param index      number of the kept case, as hcbr_model_find_kept() gives it.
 * @param influence  0: that of the past case is not found, and 0: quicker, for a past case that an
 *                   explanation has named with its influence.
 * @param comparison filled; comparison->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (the model keeps no such case), HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: proportional to the features of the two cases; in a rich model, as an explanation.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_compare(hcbr_explainer *explainer,
                                                            const hcbr_row *row, uint64_t index,
                                                            int influence,
                                                            hcbr_comparison *comparison,
                                                            hcbr_error *err);

/* ---- what would change the answer ------------------------------------------------------------ */

/** A bound on a column of numbers or dates. Removing its value is not a change within it. */
typedef struct hcbr_flip_bound {
    const char *column; /**< a key, or all keys that begin with it and a point or colon; for dates,
                             the day is bounded */
    const char *low;    /**< the smallest allowed value, a number or a date; may be NULL */
    const char *high;   /**< the largest, likewise */
    int increase_only;  /**< it may only grow; without a number in the case, it does not change */
    int decrease_only;  /**< it may only fall, likewise */
} hcbr_flip_bound;

/** Options of a search for changes. Fill with hcbr_flip_options_init(). */
typedef struct hcbr_flip_options {
    size_t size;
    size_t most;              /**< sets of changes to show; default 3 */
    const char *const *fixed; /**< columns that cannot change: a key, or all keys that begin with it
                                   and a point or colon */
    size_t fixed_count;
    uint64_t limit;          /**< most steps (visited features and tests of trees), the same on
                                  every machine; default HCBR_FLIP_LIMIT */
    const char *const *only; /**< columns that alone may change, as in `fixed` */
    size_t only_count;       /**< 0: all may */
    const hcbr_flip_bound *bounds; /**< allowed ranges of columns; all of them apply */
    size_t bound_count;
} hcbr_flip_options;

/** Default limit of steps of a search for changes: about two seconds. */
#define HCBR_FLIP_LIMIT UINT64_C(500000000)

/** Set every field to its default. */
#define hcbr_flip_options_init(options) HCBR_INIT(hcbr_flip_options, options)

/**
 * Check that the columns of the options are those of a model, and their ranges valid.
 * hcbr_explainer_flip() checks this too; a program can check before it begins.
 *
 * @return HCBR_OK or HCBR_EUSAGE: the message begins with fixed, only, range, increase-only or
 *         decrease-only and the column, and suggests an existing column.
 *
 * Cost: one pass over the keys of the model for an unknown name, and over its features for a bound.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_flip_options_check(const hcbr_flip_options *options,
                                                             const hcbr_model *model,
                                                             hcbr_error *err);

/** One change. With both features, the second replaces the first. */
typedef struct hcbr_change {
    hcbr_feature removed; /**< key NULL: nothing is removed */
    hcbr_feature added;   /**< key NULL: nothing is added */
} hcbr_change;

/** Changes that together give another answer. */
typedef struct hcbr_flip {
    const hcbr_change *changes;
    size_t count;
    hcbr_label label;          /**< the new answer, HCBR_LABEL_UNKNOWN for none */
    hcbr_label winner;         /**< the new label with the largest support */
    double lead;               /**< of the new answer (of `winner` without one) over the best other
                                    label, as in an explanation */
    const double *support;     /**< by label */
    const double *probability; /**< by label, after the changes; NULL if the model has none */
} hcbr_flip;

/** The changes of an answer. Everything is borrowed until the next call. */
typedef struct hcbr_flips {
    size_t size;
    hcbr_label label;       /**< the present answer */
    const hcbr_flip *flips; /**< all of the same number of changes: different ways first, the
                                 nearest first of those with equal overlap (below) */
    size_t count;           /**< 0: none were found; if `exhaustive` there are none */
    int exact;              /**< no smaller number of changes is enough; without flips, none are */
    int exhaustive;         /**< no changes of any kind give another answer */
    size_t searched;        /**< all sets of up to this size were tried or excluded, perhaps larger
                                 ones too */
    uint64_t tried;         /**< sets of changes tried one by one */
    uint64_t steps;         /**< steps taken, never more than the limit */
    uint64_t limit;         /**< as in the options */
    int limited;            /**< the limit ended a part of the search */
    int nothing_known;      /**< nothing of the case is known, and there was no search */
    int bounded;            /**< the options restrict the changes */
} hcbr_flips;

/**
 * Find the smallest changes to a case that change its answer.
 *
 * A feature may be removed, or one seen in training may be added; if the case has exactly one value
 * of a key, another value replaces it, which is one change. A case of which nothing is known has no
 * answer to change, and changes that leave nothing known are skipped. Every answer is verified by
 * deciding the changed case.
 *
 * For each column the nearest value that is enough is returned: the number that differs least from
 * the present one, larger or smaller, among those of past cases; if no cases are kept, one with few
 * decimals in the nearest interval between two cuts. So, if one change is enough, no value of past
 * cases between the present one and the returned one is. Of several changes, none of the numbers
 * can be nearer while the others stay. A column without a number gets the value with the largest
 * lead; a value is removed only if no other is enough.
 *
 * Flips are ordered by the number of columns they share with those before them, then by their
 * distance: a number counts the share of the values of its column that it passes, another value 1,
 * no value 2; ties by descending lead. Of changes to the same columns one is returned, for a number
 * one larger and one smaller, the nearer one first.
 *
 * The number of changes is the smallest if it is 3 or less (4 or less for a rich model), or if the
 * model is a plain one that decides by the largest support alone (no thresholds, no memory);
 * flips->exact reports this. If that takes more than options->limit steps, not all sets of 2 or 3
 * changes can be excluded; flips->exact and flips->searched report this, too.
 *
 * @param options NULL for the defaults.
 * @param flips   filled; flips->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (as hcbr_flip_options_check()), HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: sorting the features of the model, for each label; and at most options->limit steps.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_flip(hcbr_explainer *explainer,
                                                         const hcbr_row *row,
                                                         const hcbr_flip_options *options,
                                                         hcbr_flips *flips, hcbr_error *err);

/** A possible value of an open question's key, with its decision. */
typedef struct hcbr_possible_value {
    hcbr_feature feature; /**< the key and the value */
    double lead;          /**< support of questions->of minus the best other one, with this value */
    hcbr_label label;     /**< the answer with this value */
    double share;         /**< of the past cases: those that have it; for a number in a rich model,
                               those with a number between the same two cuts */
    const double *probability; /**< by label, with this value; NULL if the model has none */
} hcbr_possible_value;

/** A key without a value in the case. */
typedef struct hcbr_question {
    const hcbr_possible_value
        *lowest; /**< the value that speaks most against the present decision */
    const hcbr_possible_value *highest; /**< the value with the largest effect for it */
    uint32_t values;                    /**< number of values in training */
    double expected; /**< the expected change of the lead, up or down, when the value is known: the
                          sum, over the values, of the share of the past cases with the value times
                          the absolute difference of the lead. Past cases without a value count as
                          no change */
    double chance;   /**< the share of the past cases with a value that would change the answer */
} hcbr_question;

/** Keys without a value, the open questions. Everything is borrowed until the next call. */
typedef struct hcbr_questions {
    size_t size;
    hcbr_label label;               /**< the present answer */
    double lead;                    /**< at present, of label `of` */
    const hcbr_question *questions; /**< by descending `expected`, ties by key: the first is worth
                                         asking first; without those that change nothing */
    size_t count;                   /**< shown; 0 with keys missing: none of them changes
                                         anything */
    uint64_t all;                   /**< keys without a value in the case */
    hcbr_label of;                  /**< the label of the lead: that of an explanation; without
                                         reasons, the answer or the most frequent label */
} hcbr_questions;

/**
 * Find the keys that the case lacks and that are worth asking for: those with the largest expected
 * effect on its decision.
 *
 * @param most      most questions to show.
 * @param questions filled; questions->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: proportional to the features of the model times the labels, and for a rich one to the tests
 * that its trees make for the case, for each value of their keys. With thresholds, a cut, costs or
 * memory, one decision for each value of the questions shown.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_ask(hcbr_explainer *explainer,
                                                        const hcbr_row *row, size_t most,
                                                        hcbr_questions *questions, hcbr_error *err);

/* ---- many rows ------------------------------------------------------------------------------- */

/** A row that was explained. Everything is borrowed until the function that receives it returns.
 *  With the explainer more can be asked of the row; the explanation ends with the first call. */
typedef struct hcbr_explained_row {
    size_t size;
    const hcbr_decision *decision; /**< as from hcbr_stream_next() */
    const hcbr_explanation *explanation;
    hcbr_row *row; /**< of the function that receives it: to be released with hcbr_row_free() */
    hcbr_explainer *explainer;
} hcbr_explained_row;

/** Receives rows. Returns 0 to continue; any other value ends with HCBR_ECANCELLED. */
typedef int hcbr_explained_row_fn(void *context, const hcbr_explained_row *row);

/** Options of explaining rows. Fill with hcbr_explain_rows_options_init(). */
typedef struct hcbr_explain_rows_options {
    size_t size;
    const hcbr_explain_options *explain; /**< NULL: the defaults */
    uint32_t threads; /**< this many rows are explained at once; default 1. The rows and their order
                           are the same for any number */
    const hcbr_index *index;                    /**< of the same model; NULL: one is made */
    int (*wanted)(void *context, uint64_t row); /**< called for each row: 0 to skip it; NULL: all
                                                     are explained */
    uint64_t last;                              /**< last row to read; default UINT64_MAX */
    hcbr_progress_fn *progress; /**< may be NULL. Called by the calling thread: stage "index", then
                                     "explain" for each row that this thread explains, and at least
                                     once for each `threads` rows */
    void *progress_context;
} hcbr_explain_rows_options;

/** Set every field to its default. */
#define hcbr_explain_rows_options_init(options) HCBR_INIT(hcbr_explain_rows_options, options)

/**
 * Explain the rows of a stream, and pass them on one by one in order.
 *
 * @param stream  of files, or of a table in memory (answers.h), and of a decider of this model and
 *                rule; its options.threads must be 1.
 * @param options NULL for the defaults.
 * @param each    receives the rows, in the calling thread; `context` is passed to it and to
 *                `wanted`.
 * @return HCBR_OK, as hcbr_stream_next() and hcbr_explainer_explain(), or HCBR_ECANCELLED. Rows
 *         before a failure have been passed on.
 *
 * Memory: one explainer for each thread, and the index.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explain_rows(const hcbr_model *model, hcbr_stream *stream,
                                                       const hcbr_rule *rule,
                                                       const hcbr_explain_rows_options *options,
                                                       hcbr_explained_row_fn *each, void *context,
                                                       hcbr_error *err);

/* ---- columns of a model ---------------------------------------------------------------------- */

/** The importance of columns over many cases, added up from their explanations; one thread at a
 time. */
typedef struct hcbr_importance hcbr_importance;

/** A column over many cases. */
typedef struct hcbr_important_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    double importance; /**< the mean, over the cases, of the absolute value of its contribution to
                            the lead; 0 for a case without one */
    double lead;       /**< the mean of its contribution to the lead, with its sign */
    uint64_t cases;    /**< number in which an atom tests it */
} hcbr_important_column;

/** Columns over many cases. Everything is borrowed until the next call. */
typedef struct hcbr_important_columns {
    size_t size;
    const hcbr_important_column *columns; /**< by descending importance, ties by name */
    size_t count;
    uint64_t cases; /**< number added, including those without reasons */
} hcbr_important_columns;

/**
 * Start the sums.
 *
 * @param out receives it, without any case, or NULL on failure; release with
 *            hcbr_importance_free().
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_create(hcbr_importance **out, hcbr_error *err);

/** Release it. NULL is fine. */
HCBR_API void hcbr_importance_free(hcbr_importance *importance);

/**
 * Add a case. Leads are those of its own decision, over the label that it was compared with.
 *
 * @param explanation of any model; must show all columns (the default). It is not kept.
 * @return HCBR_OK, HCBR_EUSAGE (columns are missing) or HCBR_ENOMEM; on failure nothing is added.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_add(hcbr_importance *importance,
                                                         const hcbr_explanation *explanation,
                                                         hcbr_error *err);

/**
 * Add past cases of a model, evenly spaced ones if it keeps many.
 *
 * Of n kept cases, m = min(most, n) are explained and added: numbers i n / m, rounded down, for i
 * from 0 to m - 1. Each counts once, whatever its weight. If no cases are kept, none is added (see
 * hcbr_model_kept_count()).
 *
 * @param explainer of the model. Its progress function (hcbr_explainer_watch()) is called with the
 *                  stage "importance" and counts cases.
 * @param most      0: as many as take little time, which is 1000, and if more than 20,000 cases are
 *                  kept, 20,000,000 divided by them, but at least 100.
 * @return HCBR_OK, HCBR_ENOMEM or HCBR_ECANCELLED; cases before a failure are added.
 *
 * Cost: that of m explanations without past cases. In a rich model that keeps its cases, each of
 * them visits all past cases once, to separate votes from their prior.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_add_kept(hcbr_importance *importance,
                                                              hcbr_explainer *explainer,
                                                              uint64_t most, hcbr_error *err);

/**
 * The columns so far; more cases may be added afterwards.
 *
 * @param columns filled; columns->size must be set.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_get(hcbr_importance *importance,
                                                         hcbr_important_columns *columns,
                                                         hcbr_error *err);

/* ---- past cases of a model ------------------------------------------------------------------- */

/** The past cases with the largest part in a model. Everything is borrowed until the next call. */
typedef struct hcbr_case_ranking {
    size_t size;
    const hcbr_explained_case *cases; /**< in descending order */
    size_t count;                     /**< shown; 0 if the model keeps no cases */
} hcbr_case_ranking;

/**
 * Find the past cases with the largest part in a model, or the part of one of them.
 *
 * The influence of a case is its contribution to the strengths of all atoms, label by label; in a
 * rich model, its contribution to the support of an identical case. Its lead is the sum of the
 * absolute values.
 *
 * @param index   number of a kept case: of that one alone; UINT64_MAX: of all.
 * @param most    most cases to show.
 * @param ranking filled; ranking->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (the model keeps no such case) or HCBR_ENOMEM.
 *
 * Cost: one pass over the kept cases, for every label; for one case only that case.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_rank(hcbr_explainer *explainer, uint64_t index,
                                                         size_t most, hcbr_case_ranking *ranking,
                                                         hcbr_error *err);

/* ---- atoms of a rich model ------------------------------------------------------------------ */

/** Options of a search for atoms. Fill with hcbr_atom_options_init(). */
typedef struct hcbr_atom_options {
    size_t size;
    hcbr_atom_kind kind; /**< default HCBR_ATOM_FEATURES */
    hcbr_label label;    /**< label of the atoms; HCBR_LABEL_UNKNOWN (the default): any */
    uint32_t atom;       /**< only atoms that test a feature of this atom; UINT32_MAX (the default):
                              all */
    size_t most;         /**< most atoms to show; default 10 */
} hcbr_atom_options;

/** Set every field to its default. */
#define hcbr_atom_options_init(options) HCBR_INIT(hcbr_atom_options, options)

/** An atom of a rich model, for no case in particular. */
typedef struct hcbr_ranked_atom {
    hcbr_atom_kind kind;
    const hcbr_feature *features; /**< features, or ranges of a number as tests; the tests of a
                                       conjunction; tests are written into the keys and have no
                                       values */
    size_t feature_count;
    hcbr_label label;           /**< the label with its largest contribution */
    const double *contribution; /**< its contribution to the support of every label of a case that
                                     has it; if that depends on the case (votes), the mean over the
                                     past cases that have it, or if none are kept, its value if all
                                     votes were like this one */
    double lead;                /**< contribution to `label` minus the largest one to another */
    double average;             /**< the lead times the share of the past cases of `label` that have
                                     it (by weight): its mean contribution to the lead of such a
                                     case. Atoms are ordered by it. It is the lead itself if `cases`
                                     is NULL */
    const uint64_t *cases;      /**< past cases of every label that have it; NULL: unknown */
    uint64_t case_count;        /**< all of them */
    uint32_t trees;             /**< number of leaves of trees in a conjunction; else 0 */
} hcbr_ranked_atom;

/** Atoms of a rich model. Everything is borrowed until the next call. */
typedef struct hcbr_atom_ranking {
    size_t size;
    const hcbr_ranked_atom *atoms; /**< by descending average; ties in the order of the model */
    size_t count;                  /**< shown */
    uint64_t all;                  /**< of this kind, label and atom */
    uint64_t in_model;             /**< of this kind */
    int too_many;                  /**< 1: too many conjunctions times labels; none is ranked, and
                                        all numbers are 0 */
} hcbr_atom_ranking;

/**
 * The atoms of a rich model, the strongest first.
 *
 * Single features, including ranges of numbers, are those of the family of atoms; conjunctions are
 * those of the boosted and the voting trees, and leaves with the same tests are one atom. A case
 * has an atom if it has the features or passes all tests; an explanation of a case that has it
 * shows its contribution there. A model that keeps no cases does not know which of them have a
 * conjunction. A plain model has no such atoms (see hcbr_model_rank_atoms()).
 *
 * @param options NULL for the defaults.
 * @param ranking filled; ranking->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (no such kind, label or atom) or HCBR_ENOMEM.
 *
 * Cost: the first call of a kind sends the past cases through all trees twice and keeps, for each
 * leaf, about as much as the model itself; all calls visit every atom.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_rank_atoms(hcbr_explainer *explainer,
                                                               const hcbr_atom_options *options,
                                                               hcbr_atom_ranking *ranking,
                                                               hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
