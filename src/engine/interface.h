/**
 * @file interface.h
 * The functions of an engine: all that is known of plain/ and rich/ after model/.
 *
 * `state` is what the engine has learnt, which never changes once it is made; `why` and `scorer`
 * are working memory of one thread.
 */
#ifndef HCBR_I_INTERFACE_H
#define HCBR_I_INTERFACE_H

#include "engine/account.h"
#include "engine/record.h"

/** What a case came to. */
typedef struct hcbr_i_score {
    uint32_t winner; /**< the label with the largest support */
    uint32_t other;  /**< the other with the largest, of those that can win; HCBR_I_NONE: none */
    double lead;     /**< of the winner over it */
} hcbr_i_score;

/** How an index is made. */
typedef struct hcbr_i_index_options {
    uint64_t most; /**< bytes for what can also be found again for each explanation */
    uint32_t threads;
    bool whole;                 /**< nothing is written to it later: it may be shared */
    hcbr_progress_fn *progress; /**< NULL: nobody asks */
    void *progress_context;
} hcbr_i_index_options;

/** What the time and memory of training follow. */
typedef struct hcbr_i_shape {
    double cases, occurrences, features, labels, keys, threads, passes;
    double labels_met; /**< of all features: labels that its cases have */
    double pairs;      /**< of all occurrences: labels that the cases of the feature have */
    hcbr_effort effort;
    bool tuned; /**< thresholds are chosen */
} hcbr_i_shape;

/** How a model of a part of a base is built, by one thread. */
typedef struct hcbr_i_part_options {
    hcbr_scope scope;
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    const hcbr_i_emphases *emphases; /**< NULL: all features are equally important */
    hcbr_progress_fn *progress;      /**< asked whether to stop */
    void *progress_context;
} hcbr_i_part_options;

/** How an engine is fitted. */
typedef struct hcbr_i_fit_options {
    const hcbr_train_options *train; /**< complete and checked */
    hcbr_i_emphases *emphases;       /**< shared; NULL: all features are equally important */
    bool owned;                      /**< the list is not needed afterwards: it may be used up */
    bool heldout; /**< fill fitted.heldout; for engines that hold cases out while they are fitted */
    bool own;     /**< fill fitted.own; for engines that do not */
} hcbr_i_fit_options;

/** How a model decides the cases that it was fitted to, by case. */
typedef struct hcbr_i_own_answers {
    uint32_t *winner; /**< HCBR_I_NONE: none */
    double *support;  /**< of the winner */
    double *other;    /**< the largest of the others; NAN: there are none */
} hcbr_i_own_answers;

/** What a fit gives besides the state. Zero it first; release with hcbr_i_fitted_clear(). */
typedef struct hcbr_i_fitted {
    hcbr_i_dict *dict;  /**< names of the features */
    uint64_t digest[2]; /**< of the values and of the cases that have them: for the fingerprint */
    uint64_t occurrence_count;
    uint32_t value_count; /**< different values, numbers that are no features among them */
    double *label_total;  /**< by label: what section labels says of it */
    double *label_weight; /**< by label: weight of its cases; NULL: each counts once */
    uint64_t *pass_errors;
    hcbr_i_facts facts;
    hcbr_i_record record;   /**< how held-out cases were decided */
    hcbr_i_heldout heldout; /**< the same, as tuning needs it */
    hcbr_i_own_answers own;
    bool borrowed; /**< start and features of the list are the state's now */
} hcbr_i_fitted;
void hcbr_i_fitted_clear(hcbr_i_fitted *fitted);

typedef struct hcbr_i_engine {
    hcbr_model_kind kind;
    bool probable; /**< it has probabilities, and thresholds are on these */
    bool weighs;   /**< cases may have weights */

    /* ---- cases ---- */

    /** Add what training takes beyond room for the cases; seconds and bytes are set. */
    void (*estimate)(const hcbr_i_shape *shape, hcbr_estimate *out);
    /** Which keys of a list have numbers that are no features. NULL: all values are features. */
    hcbr_status (*number_keys)(const struct hcbr_cases *cases, const hcbr_train_options *options,
                               bool *by_key, hcbr_error *err);
    /** Learn from all cases of a list. *state receives what was learnt, also where that fails: to
     *  be freed. */
    hcbr_status (*fit)(void **state, hcbr_i_fitted *fitted, struct hcbr_cases *cases,
                       const hcbr_i_fit_options *options, hcbr_error *err);
    /** Groups of features that stand in the very same cases: by feature its group, to be freed.
     *  Progress is asked in all steps; NULL: nobody. NULL: its features have no groups of their
     *  own. */
    hcbr_status (*group)(uint32_t **out, uint32_t *count, const struct hcbr_cases *cases,
                         uint32_t threads, hcbr_progress_fn *progress, void *context,
                         hcbr_error *err);
    /** A model of `count` cases of a base that decides other cases of it; it may fail without a
     *  word. NULL: fitting holds cases out by itself. */
    hcbr_status (*part_create)(void **out, const struct hcbr_cases *base, const uint32_t *cases,
                               uint32_t count, const hcbr_i_part_options *options);
    void (*part_free)(void *part);
    /** Decide case i of the base: the label by rule R1, HCBR_LABEL_UNKNOWN if nothing is known.
     *  Then the supports of labels that the part has are set, and the lead. */
    hcbr_label (*part_decide)(void *part, uint32_t i, double *support, double *lead);

    /* ---- the file ---- */

    void (*free)(void *state);
    /** Does a model that keeps so much have a section of the engine's own? */
    bool (*has_section)(const void *state, hcbr_keep keep, hcbr_i_section section);
    void (*write)(hcbr_i_out *out, const void *state, const hcbr_i_frame *frame,
                  hcbr_i_section section);
    /** Its own sections, of all sections by type. *state receives what there is, also where that
     *  fails: to be freed. */
    hcbr_status (*read)(void **state, const hcbr_i_frame *frame, hcbr_i_in *sections,
                        hcbr_error *err);
    /** Do its parts agree with each other and with the model? fitted: it was not read, which has
     *  checked the range of every number. */
    hcbr_status (*check)(const void *state, const hcbr_i_frame *frame, bool fitted,
                         hcbr_error *err);
    /** The past cases. */
    hcbr_i_past (*past)(const void *state);
    /** What it makes of a key; the name is left as it is. NULL: nothing. */
    void (*column)(const void *state, uint32_t key, hcbr_column *out);
    /** How many cuts of a key of numbers are below a value. NULL: there are no cuts. */
    uint32_t (*cuts_below)(const void *state, uint32_t key, double value);

    /* ---- scores ---- */

    /** Can a label have the largest support? */
    bool (*can_win)(const void *state, uint32_t label);
    /** Working memory to score cases. */
    hcbr_status (*scorer_create)(void **out, const void *state, const hcbr_i_frame *frame,
                                 hcbr_error *err);
    void (*scorer_free)(void *scorer);
    /** Begin a case with its features, of which each counts once; HCBR_I_NONE: no past case has it.
     *  HCBR_I_AHEAD more can be read behind them. *known receives how many are. */
    hcbr_status (*gather)(void *scorer, const hcbr_i_feature_id *ids, size_t count, size_t *known,
                          hcbr_error *err);
    /** Add a value that is no feature, if the engine knows it; *again: the case has it already.
     *  NULL: it knows none. */
    hcbr_status (*value)(void *scorer, hcbr_i_key_id key, const hcbr_feature *feature, bool *known,
                         bool *again, hcbr_error *err);
    /** Is a number of the key known as such, whatever its value? NULL: no, and numbers need not
     *  stand apart from names. */
    bool (*has_cuts)(const void *state, hcbr_i_key_id key);
    /** Add a number of such a key; text: what says more than its double, else absent. */
    hcbr_status (*number)(void *scorer, hcbr_i_key_id key, double value, hcbr_i_text text,
                          bool *again, hcbr_error *err);
    /** values() will be asked for. NULL: nothing needs to be done for it. */
    void (*tell_values)(void *scorer);
    /** What tells the values that were added from others, as past.numbers does. NULL: nothing. */
    void (*values)(void *scorer, uint64_t out[2]);
    /** The feature of a name that is spelled otherwise; HCBR_I_NONE: there is none. NULL: never. */
    hcbr_i_feature_id (*find)(const void *state, const hcbr_feature *feature);
    /** The feature of a name, however it is spelled. NULL: there is one way. */
    hcbr_i_feature_id (*find_any)(const void *state, const hcbr_feature *feature);
    /** The supports of the case by label, which the scorer owns. */
    double *(*support)(void *scorer);
    /** Fill them for the case that was gathered, of so many features, and, if it is probable, the
     *  probabilities. If features are not equally important: units of those it has never seen. */
    hcbr_i_score (*score)(void *scorer, uint64_t features, double *probability);
    /** Forget the cases that are held; *cases can be held from now on, or what it becomes: less,
     * but at least 1. NULL: none are ever held. */
    hcbr_status (*reserve)(void *scorer, uint32_t *cases, hcbr_error *err);
    /** Hold the case that was gathered, to be scored with others. */
    void (*hold)(void *scorer);
    void (*score_held)(void *scorer);
    /** What the n-th of them came to, as score() says it. */
    hcbr_i_score (*held)(void *scorer, uint32_t n, double *probability);
    /** Probabilities where nothing is known: from how frequent the labels are. NULL: just these. */
    void (*of_nothing)(const void *state, double *probability);
    /** Are supports sums of what features add, and the labels two? Then pairs are those of
     *  features, HCBR_I_ABSENT for HCBR_I_NONE, and score_pair scores what others have added up.
     *  NULL: never. */
    bool (*has_pairs)(const void *state);
    void (*pairs)(const void *state, const hcbr_i_feature_id *features, size_t count,
                  hcbr_i_pair *out);
    hcbr_i_score (*score_pair)(void *scorer, const hcbr_i_pair_sums *sums, uint64_t features);

    /* ---- reasons ---- */

    /** What all explanations share; state and frame must outlive it. */
    hcbr_status (*index_create)(void **out, const void *state, const hcbr_i_frame *frame,
                                const hcbr_i_index_options *options, hcbr_error *err);
    void (*index_free)(void *index);
    /** Memory for reasons, of one thread; the index must outlive it. */
    hcbr_status (*why_create)(void **out, void *index, hcbr_error *err);
    void (*why_free)(void *why);
    /** Find what the case at hand is made of: account->at, label, against. */
    hcbr_status (*begin)(hcbr_i_account *account, hcbr_error *err);
    /** Wipe what begin and the influences have left. */
    void (*end)(hcbr_i_account *account);
    /** Gather its groups, and the bias by label into account->sums. */
    hcbr_status (*terms)(hcbr_i_account *account, hcbr_error *err);
    /** Call for every group of the case at hand, in an order of its own, after terms. */
    hcbr_status (*each_group)(hcbr_i_account *account, hcbr_i_group_fn *each, void *context,
                              hcbr_error *err);
    /** Add up the influences of all past cases: account->sums, and the weightiest of each group. */
    hcbr_status (*add)(hcbr_i_account *account, hcbr_error *err);
    /** Offer the past cases on one side to a picker of account->lead_of, after add. Returns how
     *  many add more than `least` to it. */
    uint64_t (*offer)(hcbr_i_account *account, hcbr_i_picker *picker, double least);
    /** Call for every past case that weighs but adds no more than `least` to the lead, after add;
     *  none if `told` cases, those that do, are all that weigh. False: it returned false. */
    bool (*list_others)(hcbr_i_account *account, double least, uint64_t told,
                        bool (*each)(void *context, uint32_t i), void *context);
    /** The influence of past case i by label, after add. */
    void (*influence)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** Fill the groups of an explanation. */
    hcbr_status (*show)(hcbr_i_account *account, hcbr_explanation *e, hcbr_error *err);

    /* ---- the model as a whole ---- */

    /** What past cases put into the model: once for all, then of one of them by label. */
    hcbr_status (*own_begin)(hcbr_i_account *account, hcbr_error *err);
    void (*own)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** The strongest groups; NULL: they are its atoms alone. */
    hcbr_status (*rank)(hcbr_i_account *account, const hcbr_atom_options *options,
                        hcbr_atom_ranking *out, hcbr_error *err);

    /* ---- other cases ---- */

    /** Make the influence of one past case on the case at hand known. */
    hcbr_status (*weigh_one)(hcbr_i_account *account, hcbr_error *err);
    /** Weigh the features of a comparison with past case i, of which they are listed: here, there,
     *  lead_there and the rest, and sort each part. Begin was called for the same case, but end may
     *  have been since. */
    hcbr_status (*compare)(hcbr_i_account *account, uint64_t i, const hcbr_i_case_item *items,
                           hcbr_compared_feature *list, hcbr_comparison *out, hcbr_error *err);
    /** Values that a case could have and that are no features, to account->numbers; own: by key
     * what the case has, NULL for none; spans: by key what it may have, NULL for anything. NULL:
     * there are none. */
    hcbr_status (*numbers)(hcbr_i_account *account, const hcbr_i_case_item *const *own,
                           const hcbr_i_span *spans, hcbr_error *err);
    /** How many past cases a number of account->numbers stands for. */
    uint64_t (*number_cases)(const hcbr_i_account *account, uint32_t number);
    /** How many different values of a key training has seen that are no features. */
    uint32_t (*number_count)(const void *state, hcbr_i_key_id key);
    /** Values of past case i that are no features. NULL: there are none. */
    hcbr_status (*past_numbers)(hcbr_i_account *account, uint64_t i, hcbr_i_case_item **out,
                                size_t *count, hcbr_error *err);
    /** Look for changes. */
    hcbr_status (*flip)(hcbr_i_search *search, hcbr_error *err);
    /** The lead of a label if the case at hand had one feature more, of a key of which it has none:
     *  begin, ask for each, end. steps grows by what it took. */
    hcbr_status (*ask_begin)(hcbr_i_account *account, const double *support, uint32_t label,
                             hcbr_error *err);
    hcbr_status (*ask)(hcbr_i_account *account, hcbr_i_feature_id more, double *lead,
                       uint64_t *steps, hcbr_error *err);
    void (*ask_end)(hcbr_i_account *account);
} hcbr_i_engine;

#endif
