/**
 * @file explain.h
 * Reasons: the atoms that weighed in a decision and the past cases behind them, for and against,
 * adding up exactly to the support.
 *
 * An atom is what a model counts as one reason. In a plain model it is a set of features that occur
 * in the same past cases. In a rich model it is a feature, a range of a number, several features
 * that always occur together, or a conjunction of tests such as `age<=37.5` and `job=clerk` that
 * trees have found. A conjunction that several trees found is one atom, and one that asks for the
 * features of another atom is a part of that: no two atoms of a case read the same. For a number,
 * past cases with near values count more.
 *
 * All support comes from past cases: from their shares in the strengths, or from wrong decisions on
 * them in training. The influence of a past case on a label is the sum of what it added to the
 * atoms of the explained case. The influences of all past cases and the bias (0 in a plain model)
 * add up to the support. An influence says where support came from. It does not say what would
 * happen without the past case.
 *
 * What an atom adds is divided equally over the columns that it tests: so every column has a part
 * in the support too (hcbr_explained_column), and over many cases an importance (hcbr_importance).
 */
#ifndef HCBR_EXPLAIN_H
#define HCBR_EXPLAIN_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much is shown. Fill with hcbr_explain_options_init(). Sums and counts include what is not
 *  shown. With `cases` and `atom_cases` 0, past cases are not looked at, which is faster. */
typedef struct hcbr_explain_options {
    size_t size;
    size_t atoms;      /**< atoms at the most; SIZE_MAX: all; default 10 */
    size_t cases;      /**< past cases for, as many against, and as many of the others, at the
                            most; default 5 */
    size_t atom_cases; /**< past cases behind each atom at the most; default 3 */
    size_t columns;    /**< columns at the most, 0: they are not looked at; default SIZE_MAX, all */
    const hcbr_decision *read; /**< the case as a stream gave it, whose row, id and label say
                                    whether it was itself a part of the training
                                    (hcbr_decider_find_itself()); NULL (default): it was not.
                                    hcbr_explain_rows() sets it */
} hcbr_explain_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_explain_options_init(hcbr_explain_options *options, size_t size);
#define hcbr_explain_options_init(options) hcbr_explain_options_init(HCBR_SIZED(options))

/** A past case that weighed. */
typedef struct hcbr_explained_case {
    uint64_t index; /**< number of the kept case, for hcbr_model_get_kept() */
    uint64_t row;   /**< data row it came from, from 1 */
    const char *id; /**< NULL if it has none or names are not kept; not NUL-terminated */
    size_t id_length;
    hcbr_label label;
    double lead;             /**< what it adds to the lead (below) */
    const double *influence; /**< what it adds to the support of every label */
    const char
        *source;   /**< it is a belief (hcbr/prior.h): who states it, ends with NUL; else NULL */
    double weight; /**< of a belief; a plain model tells of all its cases in one, the first */
} hcbr_explained_case;

/** Kind of an atom. */
typedef enum hcbr_atom_kind {
    HCBR_ATOM_FEATURES = 0, /**< features of the case */
    HCBR_ATOM_TESTS = 1     /**< tests that the case passes */
} hcbr_atom_kind;

/** An atom that weighed: the case has at least one of its features, or passes all its tests. */
typedef struct hcbr_explained_atom {
    uint32_t atom;                /**< its number in the model; UINT32_MAX: it has none */
    const hcbr_feature *features; /**< those of its features that the case has; tests are written
                                       into the keys and have no values */
    size_t feature_count;
    uint32_t all_features;            /**< |e|: features it has in all; tests of a conjunction */
    double weight;                    /**< w(e,x), the share of the case that it is or tests */
    double lead;                      /**< what it adds to the lead (below) */
    const double *contribution;       /**< what it adds to the support of every label */
    uint64_t case_count;              /**< past cases that have it, or pass all its tests; of a
                                           number those with this very one, though in a rich model
                                           near ones weigh, too; 0 where none are looked at */
    const hcbr_explained_case *cases; /**< those that weigh most in this atom, by falling absolute
                                           lead */
    size_t shown_cases;
    hcbr_atom_kind kind;
} hcbr_explained_atom;

/** A column that weighed: its part of every atom that tests it. A word of a column of texts counts
 *  for that column; a bare key and a word of the text format are columns of their own; a column of
 *  a joined source is `source.column`, a value of nested JSON has the keys above it, `a.b`. */
typedef struct hcbr_explained_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    double lead;                /**< what it adds to the lead (below) */
    const double *contribution; /**< what it adds to the support of every label */
} hcbr_explained_column;

/** A word of a column of texts that weighed: its part of what the column adds. */
typedef struct hcbr_explained_word {
    const char *key; /**< the column, a colon and the word or words; not NUL-terminated */
    size_t key_length;
    size_t column_length; /**< of the column's name in it */
    double lead;          /**< what it adds to the lead; what tests of several words of a column add
                               is divided equally over these */
    int present;          /**< 0: the case does not have it, which weighs too */
} hcbr_explained_word;

/**
 * Why a case was decided as it was. Everything is borrowed until the next call.
 *
 * Reasons are for the answer that was given. Where there is none they are for the label with the
 * largest support, and where nothing weighed there are none. The rule may turn the answer away from
 * the largest support (decision.label is not decision.winner): the lead is then not positive, and
 * the reasons say what there was for the answer all the same.
 */
typedef struct hcbr_explanation {
    size_t size;
    const hcbr_decision *decision;
    hcbr_label label;   /**< what is explained; HCBR_LABEL_UNKNOWN: nothing weighed */
    hcbr_label against; /**< decision.winner if that is another label, else the label with the
                             largest support but for it; HCBR_LABEL_UNKNOWN if there is none. A lead
                             is what is added to the support of `label` minus what is added to that
                             of `against` */
    const double *bias; /**< by label; 0 in a plain model. It depends on the case in a rich one: the
                             prior's part of the votes is in it (where cases are kept) */
    const double *influence_sum; /**< by label: bias and the influences of all past cases, equal to
                                      the support; NULL where no cases are kept or asked for */
    const double *influence_absolute;     /**< by label: their absolute values added up; likewise */
    const hcbr_explained_atom *atoms;     /**< by falling absolute lead */
    size_t atom_count;                    /**< shown */
    uint64_t all_atoms;                   /**< touched by the case */
    const hcbr_explained_case *cases_for; /**< past cases for the decision, by falling lead */
    size_t for_count;
    const hcbr_explained_case *cases_against; /**< against it, by rising (negative) lead */
    size_t against_count;
    uint64_t all_for, all_against;     /**< past cases with a positive, a negative lead */
    const char *no_cases;              /**< why past cases are not shown; NULL: they are */
    double lead;                       /**< support of `label` minus that of `against` */
    const hcbr_explained_case *others; /**< past cases that add to the support of some label but
                                            nothing to the lead, which is 0 in them; by falling
                                            absolute influences, added up over the labels. The three
                                            lists together hold every past case with an influence,
                                            if as many are asked for */
    size_t other_count;
    uint64_t all_others;
    const hcbr_explained_column *columns; /**< by falling absolute lead, equal ones by name */
    size_t column_count;                  /**< shown */
    size_t all_columns;                   /**< that some atom of the case tests; 0 if columns are
                                               not looked at */
    const double *rest; /**< by label: what atoms add that test no column (a tree of one leaf).
                             bias, rest and the contributions of all columns add up to the support.
                             NULL if columns are not looked at */
    const hcbr_explained_word *words; /**< of columns of texts, by falling absolute lead, equal ones
                                           by key. Those of a column add up to what it adds */
    size_t word_count;                /**< all of them; 0 if columns are not looked at */
    const hcbr_explained_case *itself; /**< the case was itself a part of the training, and this is
                                            it: in the sums and behind atoms, but neither among
                                            the past cases for, against and others nor in
                                            their counts; NULL: it was not */
} hcbr_explanation;

/** What all explanations of a model share: past cases by what they have, and what they did in
 *  training. It never changes once it is made; any number of explainers in any threads may use it
 *  at once. */
typedef struct hcbr_index hcbr_index;

/** How an index is made. Fill with hcbr_index_options_init(). The same explanations for
 *  any memory and any number of threads. */
typedef struct hcbr_index_options {
    size_t size;
    uint64_t max_memory; /**< bytes at the most for residuals of past cases in a rich model; where
                              they are more, those of the first cases are kept, and every
                              explanation finds the others again; default 1.5 GB. What it takes
                              besides is about as much as the kept cases, 4 bytes for each case a
                              voting tree has drawn and one number for each leaf and label */
    uint32_t threads;    /**< to make it; default 1 */
    hcbr_progress_fn *progress; /**< NULL: nobody asks. Called by the thread that makes it */
    void *progress_context;
} hcbr_index_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_index_options_init(hcbr_index_options *options, size_t size);
#define hcbr_index_options_init(options) hcbr_index_options_init(HCBR_SIZED(options))

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

/** Working memory to explain decisions of one model; one per thread. It keeps the case that it was
 *  asked about last: calls that give the same features in the same order look no name up. */
typedef struct hcbr_explainer hcbr_explainer;

/**
 * Prepare to explain.
 *
 * @param out   receives the explainer, NULL on failure; release with hcbr_explainer_free().
 * @param model must outlive the explainer. Of a model that keeps no cases only atoms are shown.
 * @param rule  how to decide; NULL for the rule stored in the model.
 * @return HCBR_OK, HCBR_EUSAGE (as hcbr_decider_create()) or HCBR_ENOMEM.
 *
 * Cost: one pass over the kept cases.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_create(hcbr_explainer **out,
                                                           const hcbr_model *model,
                                                           const hcbr_rule *rule, hcbr_error *err);

/**
 * Prepare to explain with an index that is shared with other explainers; without one
 * (hcbr_explainer_create()) an explainer makes its own, when it is first needed.
 *
 * @param index must outlive the explainer, and so must its model.
 * @return as hcbr_explainer_create().
 *
 * Cost: memory by the past cases and atoms; no pass over them.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_create_shared(hcbr_explainer **out,
                                                                  const hcbr_index *index,
                                                                  const hcbr_rule *rule,
                                                                  hcbr_error *err);

/** Release an explainer. NULL is fine. */
HCBR_API void hcbr_explainer_free(hcbr_explainer *explainer);

/**
 * Receive the progress of later calls, and be able to stop them: hcbr_explainer_explain(),
 * _compare(), _flip() and _ask() then return HCBR_ECANCELLED, also in the middle of a case.
 *
 * @param progress stages "explain", "flip" and "ask"; NULL (the default): none.
 */
HCBR_API void hcbr_explainer_watch(hcbr_explainer *explainer, hcbr_progress_fn *progress,
                                   void *context);

/**
 * Decide one case and give the reasons.
 *
 * @param features    in any order; a repeated one counts once; UTF-8 without NUL.
 * @param options     NULL for the defaults.
 * @param explanation filled; explanation->size must be set.
 * @return HCBR_OK, HCBR_EDATA, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: proportional to the past cases of the case's atoms. In a rich model, to those behind its
 * tests and leaves; the first explanation follows all past cases through the boosted trees and
 * keeps at most 1.5 GB of what it finds. What takes more is found again for each explanation.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_explain(
    hcbr_explainer *explainer, const hcbr_feature *features, size_t count,
    const hcbr_explain_options *options, hcbr_explanation *explanation, hcbr_error *err);

/* ---- beside a past case ---------------------------------------------------------------------- */

/** A feature that one or both of two cases have. */
typedef struct hcbr_compared_feature {
    hcbr_feature feature;
    int known;    /**< 0: no past case has it */
    double here;  /**< what it adds to the lead of the case at hand; 0 if that lacks it */
    double there; /**< what it adds to the lead of the past case, likewise */
} hcbr_compared_feature;

/** How alike two cases are in a column. */
typedef enum hcbr_alike {
    HCBR_ALIKE_SAME = 0,      /**< the same value or values */
    HCBR_ALIKE_NEAR = 1,      /**< numbers with at most a tenth of the model's cuts of the column
                                   between them; so none if it has fewer than ten */
    HCBR_ALIKE_DIFFERENT = 2, /**< other values */
    HCBR_ALIKE_ONLY_HERE = 3, /**< only the case at hand has a value */
    HCBR_ALIKE_ONLY_THERE = 4 /**< only the past case has one */
} hcbr_alike;

/** A column of two cases side by side. Words belong to their column of texts; bare keys are one
 *  column without a name. */
typedef struct hcbr_compared_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    hcbr_alike alike;
    const hcbr_feature *here; /**< values of the case at hand: first those that both have, then
                                   those that only it has, each by what they move */
    size_t here_count;
    const hcbr_feature *there; /**< those of the past case, likewise */
    size_t there_count;
    size_t shared;                /**< how many of each list both have */
    double lead_here, lead_there; /**< what its features add to the leads */
} hcbr_compared_column;

/** A case beside a past case. Everything is borrowed until the next call. */
typedef struct hcbr_comparison {
    size_t size;
    hcbr_label label, against;       /**< as in an explanation of the case at hand */
    const hcbr_explained_case *past; /**< the past case and its influence on the case at hand */
    double lead_here;                /**< lead of the case at hand */
    double lead_there; /**< lead of the past case, for the same two labels; 0 if it is empty */
    const hcbr_compared_feature *features; /**< shared ones, those of the case at hand only, those
                                                of the past case only; each part by falling
                                                absolute here - there. The values of here - there
                                                add up to lead_here - lead_there */
    size_t shared, only_here, only_there;
    double rest;    /**< in a rich model, what tests of things that neither case has move, beside an
                         empty one the bias too; here - there of the features and this add up to
                         lead_here - lead_there; else 0 */
    int past_empty; /**< the past case has no features: nothing of it is shared */
    const hcbr_compared_column *columns; /**< by falling absolute lead_here - lead_there, equal ones
                                              by name; these differences and `rest` add up to
                                              lead_here - lead_there too */
    size_t column_count;
    hcbr_label held_label;   /**< as in hcbr_kept_case, of the past case */
    double held_probability; /**< likewise */
} hcbr_comparison;

/**
 * Compare a case with a past case, feature by feature.
 *
 * What a conjunction of a rich model adds is divided equally over the features it tests. A test may
 * also ask that a feature is absent: then it counts for the feature of the other case.
 *
 * @param index      number of the kept case, as hcbr_model_find_kept() gives it.
 * @param comparison filled; comparison->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (the model keeps no such case), HCBR_EDATA, HCBR_ENOMEM or
 *         HCBR_ECANCELLED.
 *
 * Cost: proportional to the features of the two cases; in a rich model, as an explanation.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_compare(hcbr_explainer *explainer,
                                                            const hcbr_feature *features,
                                                            size_t count, uint64_t index,
                                                            hcbr_comparison *comparison,
                                                            hcbr_error *err);

/** The same, but for the influence of the past case, which is 0: quicker, for a past case that an
 *  explanation has named with its influence. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_align(hcbr_explainer *explainer,
                                                          const hcbr_feature *features,
                                                          size_t count, uint64_t index,
                                                          hcbr_comparison *comparison,
                                                          hcbr_error *err);

/* ---- what would change the answer ------------------------------------------------------------ */

/** A bound on a column of numbers or dates. A removal of its value is no change within it. */
typedef struct hcbr_flip_bound {
    const char *column; /**< a key, or all keys that begin with it and a point or colon; of dates,
                             the day is bounded */
    const char *low;   /**< the smallest value that it may become, a number or a date; NULL: none */
    const char *high;  /**< the largest, likewise */
    int increase_only; /**< it may only grow; where the case has no number, it does not change */
    int decrease_only; /**< it may only fall, likewise */
} hcbr_flip_bound;

/** Which changes are looked for. Fill with hcbr_flip_options_init(). */
typedef struct hcbr_flip_options {
    size_t size;
    size_t most;              /**< sets of changes to show; default 3 */
    const char *const *fixed; /**< columns that cannot change: a key, or all keys that begin with it
                                   and a point or colon */
    size_t fixed_count;
    uint64_t limit; /**< steps at the most: features and tests of trees that are looked at; default
                         HCBR_FLIP_LIMIT. The same limit gives the same answer on every machine */
    const char *const *only;       /**< columns that alone may change, as in `fixed` */
    size_t only_count;             /**< 0: all may */
    const hcbr_flip_bound *bounds; /**< what columns may become; all of them hold */
    size_t bound_count;
} hcbr_flip_options;

/** Steps of a search for changes, if nothing else is said: about two seconds. */
#define HCBR_FLIP_LIMIT UINT64_C(500000000)

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_flip_options_init(hcbr_flip_options *options, size_t size);
#define hcbr_flip_options_init(options) hcbr_flip_options_init(HCBR_SIZED(options))

/**
 * Are the columns of the options those of a model, and their ranges ranges? hcbr_explainer_flip()
 * asks this too; a program asks before it begins.
 *
 * @return HCBR_OK or HCBR_EUSAGE: the message begins with fixed, only, range, increase-only or
 *         decrease-only and the column, and names the column that may have been meant.
 *
 * Cost: one pass over the keys of the model for a name that is none of them, and over its features
 * for a bound.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_flip_options_check(const hcbr_flip_options *options,
                                                             const hcbr_model *model,
                                                             hcbr_error *err);

/** One change. Both features: the second takes the place of the first. */
typedef struct hcbr_change {
    hcbr_feature removed; /**< key NULL: nothing is removed */
    hcbr_feature added;   /**< key NULL: nothing is added */
} hcbr_change;

/** Changes that together give another answer. */
typedef struct hcbr_flip {
    const hcbr_change *changes;
    size_t count;
    hcbr_label label;      /**< the answer then, HCBR_LABEL_UNKNOWN for none */
    hcbr_label winner;     /**< the label with the largest support then */
    double lead;           /**< of the answer then (of `winner` if it is none) over the best other
                                label, as in an explanation */
    const double *support; /**< by label */
    const double *probability; /**< by label, then; NULL if the model has none */
} hcbr_flip;

/** What would change an answer. Everything is borrowed until the next call. */
typedef struct hcbr_flips {
    size_t size;
    hcbr_label label;       /**< the answer now */
    const hcbr_flip *flips; /**< all of the same number of changes: different ways first, the
                                 nearest first of those that differ alike (below) */
    size_t count;           /**< 0: none were found; if `exhaustive` there are none */
    int exact;              /**< no smaller number of changes does; without flips, none do */
    int exhaustive;         /**< no changes whatever give another answer */
    size_t searched;        /**< all sets of up to so many changes were tried or ruled out, perhaps
                                 larger ones too */
    uint64_t tried;         /**< sets of changes that were tried one by one */
    uint64_t steps;         /**< that were taken, never more than the limit */
    uint64_t limit;         /**< as in the options */
    int limited;            /**< the limit ended a part of the search */
    int nothing_known;      /**< nothing of the case is known, and nothing was looked for */
    int bounded;            /**< the options let not everything change */
} hcbr_flips;

/**
 * Find the smallest changes to a case that change its answer.
 *
 * A feature may be removed, or one that training has seen may be added; where the case has exactly
 * one value of a key, another value takes its place, which is one change. A case of which nothing
 * is known has no answer to change, and changes that leave nothing known are not looked at. Every
 * answer is verified by deciding the changed case.
 *
 * Of one column the nearest value that does is given: the number that differs least from the
 * present one, larger or smaller, among those that past cases have; where no cases are kept, one
 * with few decimals of the nearest interval between two cuts. So, if one change does, no value that
 * past cases have between the present one and the one given does. Of several changes, none of the
 * numbers can be nearer while the others stay. A column that has no number gets the value with the
 * largest lead; a value is removed only where no other does.
 *
 * Flips are ordered by how many columns they share with those before them, then by how far they go:
 * a number counts the share of the values of its column that it passes, another value 1, no value
 * 2; equal ones by falling lead. Of changes to the same columns one is given, of a number one
 * larger and one smaller, the one that differs less before the other.
 *
 * The number of changes is the smallest if it is 3 or less (4 or less of a rich model), or if the
 * model is a plain one that decides by the largest support alone (no thresholds, no memory);
 * flips->exact says so. Where that takes more than options->limit steps, not all sets of 2 or 3
 * changes can be ruled out; flips->exact and flips->searched say that, too.
 *
 * @param options NULL for the defaults.
 * @param flips   filled; flips->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (as hcbr_flip_options_check()), HCBR_EDATA, HCBR_ENOMEM or
 *         HCBR_ECANCELLED.
 *
 * Cost: sorting the features of the model, for each label; and options->limit steps at the most.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_flip(hcbr_explainer *explainer,
                                                         const hcbr_feature *features, size_t count,
                                                         const hcbr_flip_options *options,
                                                         hcbr_flips *flips, hcbr_error *err);

/** A value that a key of an open question may have, and the decision then. */
typedef struct hcbr_possible_value {
    hcbr_feature feature; /**< the key and the value */
    double lead;          /**< support of questions->of minus the best other one, then */
    hcbr_label label;     /**< the answer then */
    double share;         /**< of the past cases: those that have it; of a number in a rich model,
                               those with a number between the same two cuts */
    const double *probability; /**< by label, then; NULL if the model has none */
} hcbr_possible_value;

/** A key of which the case has no value. */
typedef struct hcbr_question {
    const hcbr_possible_value
        *lowest; /**< the value that speaks most against the present decision */
    const hcbr_possible_value *highest; /**< the value that speaks most for it */
    uint32_t values;                    /**< how many values training has seen */
    double expected; /**< by how much the lead is expected to move, up or down, when it is known:
                          the sum, over the values, of the share of the past cases that have the
                          value and of the absolute difference of the lead then and now. In past
                          cases without a value nothing moves */
    double chance;   /**< the share of the past cases that have a value with which the answer would
                          be another */
} hcbr_question;

/** Keys without a value, the open questions. Everything is borrowed until the next call. */
typedef struct hcbr_questions {
    size_t size;
    hcbr_label label;               /**< the answer now */
    double lead;                    /**< now, of label `of` */
    const hcbr_question *questions; /**< by falling `expected`, equal ones by key: the first is
                                       worth asking first; none that moves nothing */
    size_t count;                   /**< shown; 0 with some missing: none of them moves anything */
    uint64_t all;                   /**< keys of which the case has no value */
    hcbr_label of;                  /**< whose lead: the label that an explanation is for; where
                                         nothing weighed, the answer or the most frequent label */
} hcbr_questions;

/**
 * Find the keys that the case lacks and that are worth asking for: those that are expected to move
 * its decision most.
 *
 * @param most      how many to show.
 * @param questions filled; questions->size must be set.
 * @return HCBR_OK, HCBR_EDATA, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: proportional to the features of the model times the labels, and of a rich one to the tests
 * that its trees make of the case, for each value of what they ask for. With thresholds, a cut,
 * costs or memory, one decision for each value of the questions shown.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_ask(hcbr_explainer *explainer,
                                                        const hcbr_feature *features, size_t count,
                                                        size_t most, hcbr_questions *questions,
                                                        hcbr_error *err);

/* ---- many rows ------------------------------------------------------------------------------- */

/** A row that was explained. Everything is borrowed until the function that receives it returns.
 *  With the explainer more can be asked of the row; the explanation ends with the first call. As
 *  long as `features` are given, no name of them is looked up again. */
typedef struct hcbr_explained_row {
    size_t size;
    const hcbr_decision *decision; /**< as hcbr_stream_next() would give it */
    const hcbr_explanation *explanation;
    const hcbr_feature *features; /**< as hcbr_stream_get_case() gives them */
    size_t feature_count;
    hcbr_explainer *explainer;
} hcbr_explained_row;

/** Receives rows. Returns 0 to go on; anything else ends with HCBR_ECANCELLED. */
typedef int hcbr_explained_row_fn(void *context, const hcbr_explained_row *row);

/** How rows are explained. Fill with hcbr_explain_rows_options_init(). */
typedef struct hcbr_explain_rows_options {
    size_t size;
    const hcbr_explain_options *explain; /**< NULL: the defaults */
    uint32_t threads; /**< as many rows are explained at once; default 1. The rows that are handed
                           out and their order are the same for any number */
    const hcbr_index *index;                    /**< of the same model; NULL: one is made */
    int (*wanted)(void *context, uint64_t row); /**< asked for each row: 0 to pass over it; NULL:
                                                     all are explained */
    uint64_t last;              /**< row after which nothing is read; default UINT64_MAX */
    hcbr_progress_fn *progress; /**< NULL: nobody asks. Called by the thread that calls: stage
                                     "index", then "explain" for each row that this thread
                                     explains, and at least once for each `threads` rows */
    void *progress_context;
} hcbr_explain_rows_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_explain_rows_options_init(hcbr_explain_rows_options *options, size_t size);
#define hcbr_explain_rows_options_init(options) hcbr_explain_rows_options_init(HCBR_SIZED(options))

/**
 * Explain the rows of a stream, and hand them out one by one in their order.
 *
 * @param stream  of files, or of a table in memory (answers.h), and of a decider of this model and
 *                rule; its options.threads must be 1.
 * @param options NULL for the defaults.
 * @param each    receives the rows, in the thread that calls; `context` is handed to it and to
 *                `wanted`.
 * @return HCBR_OK, as hcbr_stream_next() and hcbr_explainer_explain(), or HCBR_ECANCELLED. Rows
 *         before a failure have been handed out.
 *
 * Memory: one explainer for each thread, and the index.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explain_rows(const hcbr_model *model, hcbr_stream *stream,
                                                       const hcbr_rule *rule,
                                                       const hcbr_explain_rows_options *options,
                                                       hcbr_explained_row_fn *each, void *context,
                                                       hcbr_error *err);

/* ---- columns of a model ---------------------------------------------------------------------- */

/** How much columns weigh over many cases, added up from their explanations; one thread at a time.
 */
typedef struct hcbr_importance hcbr_importance;

/** A column over many cases. */
typedef struct hcbr_important_column {
    const char *name; /**< not NUL-terminated */
    size_t name_length;
    double importance; /**< the mean, over the cases, of the absolute lead that it adds; 0 for a
                          case in which it does not weigh */
    double lead;       /**< the mean of what it adds to the lead, its sign kept */
    uint64_t cases;    /**< in which an atom tests it */
} hcbr_important_column;

/** Columns over many cases. Everything is borrowed until the next call. */
typedef struct hcbr_important_columns {
    size_t size;
    const hcbr_important_column *columns; /**< by falling importance, equal ones by name */
    size_t count;
    uint64_t cases; /**< that were added, those in which nothing weighed too */
} hcbr_important_columns;

/**
 * Begin to add up.
 *
 * @param out receives it, without any case, or NULL on failure; release with
 *            hcbr_importance_free().
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_create(hcbr_importance **out, hcbr_error *err);

/** Release it. NULL is fine. */
HCBR_API void hcbr_importance_free(hcbr_importance *importance);

/**
 * Add a case. Leads are those of its own decision, over the label that it was measured against.
 *
 * @param explanation of any model; must show all columns (the default). Nothing of it is kept.
 * @return HCBR_OK, HCBR_EUSAGE (columns are missing) or HCBR_ENOMEM; on failure nothing is added.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_importance_add(hcbr_importance *importance,
                                                         const hcbr_explanation *explanation,
                                                         hcbr_error *err);

/**
 * Add past cases of a model, evenly spaced ones where it keeps many.
 *
 * Of n kept cases, m = min(most, n) are explained and added: numbers i n / m, rounded down, for i
 * from 0 to m - 1. Each counts once, whatever its weight. Where no cases are kept, none is added
 * (see hcbr_model_kept_count()).
 *
 * @param explainer of the model. Its progress function (hcbr_explainer_watch()) is called with the
 *                  stage "importance" and counts cases.
 * @param most      0: as many as take little time, which is 1000, and where more than 20,000 cases
 *                  are kept, 20,000,000 divided by them, but at least 100.
 * @return HCBR_OK, HCBR_ENOMEM or HCBR_ECANCELLED; cases before a failure are added.
 *
 * Cost: that of m explanations without past cases. In a rich model that keeps its cases, each of
 * them looks at all past cases once, to divide votes from their prior.
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

/** The past cases that shaped a model most. Everything is borrowed until the next call. */
typedef struct hcbr_case_ranking {
    size_t size;
    const hcbr_explained_case *cases; /**< the weightiest first */
    size_t count;                     /**< shown; 0 if the model keeps no cases */
} hcbr_case_ranking;

/**
 * Find the past cases that shaped a model most.
 *
 * The influence of a case is what it put into the strengths of all atoms, label by label; in a rich
 * model, what it adds to the support of a case just like it. Its lead is the sum of the absolute
 * values.
 *
 * @param most    how many to show.
 * @param ranking filled; ranking->size must be set.
 * @return HCBR_OK or HCBR_ENOMEM.
 *
 * Cost: one pass over the kept cases, for every label.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_rank(hcbr_explainer *explainer, size_t most,
                                                         hcbr_case_ranking *ranking,
                                                         hcbr_error *err);

/**
 * The same of one past case.
 *
 * @param out receives it, NULL on failure; borrowed until the next call.
 * @return HCBR_OK, HCBR_EUSAGE (the model keeps no such case) or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_weigh(hcbr_explainer *explainer, uint64_t index,
                                                          const hcbr_explained_case **out,
                                                          hcbr_error *err);

/* ---- atoms of a rich model ------------------------------------------------------------------ */

/** Which atoms are looked for. Fill with hcbr_atom_options_init(). */
typedef struct hcbr_atom_options {
    size_t size;
    hcbr_atom_kind kind; /**< default HCBR_ATOM_FEATURES */
    hcbr_label label;    /**< atoms that speak for it; HCBR_LABEL_UNKNOWN (the default): for any */
    uint32_t atom;       /**< only atoms that ask for a feature of this atom; UINT32_MAX (the
                              default): all */
    size_t most;         /**< how many to show; default 10 */
} hcbr_atom_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_atom_options_init(hcbr_atom_options *options, size_t size);
#define hcbr_atom_options_init(options) hcbr_atom_options_init(HCBR_SIZED(options))

/** An atom of a rich model, for no case in particular. */
typedef struct hcbr_ranked_atom {
    hcbr_atom_kind kind;
    const hcbr_feature *features; /**< features, or ranges of a number as tests; the tests of a
                                       conjunction; tests are written into the keys and have no
                                       values */
    size_t feature_count;
    hcbr_label label;           /**< the one it speaks for */
    const double *contribution; /**< what it adds to the support of every label of a case that has
                                     it; where that depends on the case (votes), the mean over the
                                     past cases that have it, or where none are kept, what it would
                                     be if all votes were like this one */
    double lead;                /**< contribution to `label` minus the largest one to another */
    double average;             /**< the lead times the share of the past cases of `label` that have
                                     it (weights counted in): what it adds to the lead of such a
                                     case on average. Atoms are ordered by it. It is the lead
                                     itself where `cases` is NULL */
    const uint64_t *cases;      /**< past cases of every label that have it; NULL: not known */
    uint64_t case_count;        /**< all of them */
    uint32_t trees;             /**< leaves of trees that a conjunction is made of; else 0 */
} hcbr_ranked_atom;

/** Atoms of a rich model. Everything is borrowed until the next call. */
typedef struct hcbr_atom_ranking {
    size_t size;
    const hcbr_ranked_atom *atoms; /**< by falling average; equal ones as they are in the model */
    size_t count;                  /**< shown */
    uint64_t all;                  /**< that are of the kind, the label and the atom */
    uint64_t in_model;             /**< that are of the kind */
    int too_many;                  /**< 1: conjunctions times labels are too many; none is ranked,
                                        and all numbers are 0 */
} hcbr_atom_ranking;

/**
 * The atoms that a rich model is made of, the strongest first.
 *
 * Single features, ranges of numbers among them, are those of the family of atoms; conjunctions are
 * those of the boosted and the voting trees, and the leaves that ask the same of a case are one
 * atom. A case has an atom if it has the features or passes all tests; in an explanation of a case
 * that has it, the atom stands with what it adds there. A model that keeps no
 * cases does not know which of them have a conjunction. A plain model has no such atoms (see
 * hcbr_model_rank_atoms()).
 *
 * @param options NULL for the defaults.
 * @param ranking filled; ranking->size must be set.
 * @return HCBR_OK, HCBR_EUSAGE (no such kind, label or atom) or HCBR_ENOMEM.
 *
 * Cost: the first call of a kind sends the past cases through all trees twice and keeps, for each
 * leaf, about what the model itself holds of it; all calls look at every atom.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_explainer_rank_atoms(hcbr_explainer *explainer,
                                                               const hcbr_atom_options *options,
                                                               hcbr_atom_ranking *ranking,
                                                               hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
