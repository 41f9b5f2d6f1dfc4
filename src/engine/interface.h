/**
 * @file interface.h
 * The functions of an engine: the only view of plain/ and rich/ after model/.
 *
 * `state` is the fitted engine, which never changes once it is made; `why` and `scorer` are working
 * memory of one thread.
 */
#ifndef HCBR_I_INTERFACE_H
#define HCBR_I_INTERFACE_H

#include "engine/account.h"
#include "engine/record.h"

/** The outcome of a case. */
typedef struct hcbr_i_score {
    uint32_t winner; /**< the label with the largest support */
    uint32_t other;  /**< the label with the next largest support among those that can win;
                          HCBR_I_NONE: none */
    double lead;     /**< of the winner over `other` */
} hcbr_i_score;

/** Options of an index. */
typedef struct hcbr_i_index_options {
    uint64_t most; /**< bytes for data that can also be computed for each explanation */
    uint32_t threads;
    bool whole;                 /**< never changed later, so that threads can share it */
    hcbr_progress_fn *progress; /**< may be NULL */
    void *progress_context;
} hcbr_i_index_options;

/** The figures that time and memory of training depend on. */
typedef struct hcbr_i_shape {
    double cases, occurrences, features, labels, keys, threads, passes;
    double labels_met; /**< over all features: number of labels of its cases */
    double pairs;      /**< over all occurrences: number of labels of the feature's cases */
    hcbr_effort effort;
    bool tuned; /**< thresholds are tuned */
} hcbr_i_shape;

/** Options of a model of a part of a base, built by one thread. */
typedef struct hcbr_i_part_options {
    hcbr_scope scope;
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    const hcbr_i_emphases *emphases; /**< NULL: all features are equally important */
    hcbr_progress_fn *progress;      /**< may stop */
    void *progress_context;
} hcbr_i_part_options;

/** Options of a fit. */
typedef struct hcbr_i_fit_options {
    const hcbr_train_options *train; /**< complete and checked */
    hcbr_i_emphases *emphases;       /**< shared; NULL: all features are equally important */
    bool owned;                      /**< the list is not needed afterwards: its memory may be
                                          used */
    bool heldout; /**< fill fitted.heldout; for engines whose fit holds cases out */
    bool own;     /**< fill fitted.own; for the other engines */
} hcbr_i_fit_options;

/** The in-sample decisions of a model, by case. */
typedef struct hcbr_i_own_answers {
    uint32_t *winner; /**< HCBR_I_NONE: none */
    double *support;  /**< of the winner */
    double *other;    /**< the largest of the others; NAN: no others */
} hcbr_i_own_answers;

/** The results of a fit besides the state. Zero it first; release with hcbr_i_fitted_clear(). */
typedef struct hcbr_i_fitted {
    hcbr_i_dict *dict;  /**< names of the features */
    uint64_t digest[2]; /**< of the values and of the cases that have them: for the fingerprint */
    uint64_t occurrence_count;
    uint32_t value_count; /**< different values, including numbers that are not features */
    double *label_total;  /**< by label: for section labels */
    double *label_weight; /**< by label: weight of its cases; NULL: each counts once */
    uint64_t *pass_errors;
    hcbr_i_facts facts;
    hcbr_i_record record;   /**< decisions of held-out cases */
    hcbr_i_heldout heldout; /**< the same in the form for tuning */
    hcbr_i_own_answers own;
    bool borrowed; /**< the state owns start and features of the list */
} hcbr_i_fitted;
void hcbr_i_fitted_clear(hcbr_i_fitted *fitted);

typedef struct hcbr_i_engine {
    hcbr_model_kind kind;
    bool probable; /**< it has probabilities, to which thresholds apply */
    bool weighs;   /**< cases may have weights */

    /* ---- cases ---- */

    /** Add the needs of training beyond the memory of the cases; seconds and bytes are set. */
    void (*estimate)(const hcbr_i_shape *shape, hcbr_estimate *out);
    /** Find the keys of a list whose numbers are not features. NULL: all values are features. */
    hcbr_status (*number_keys)(const struct hcbr_cases *cases, const hcbr_train_options *options,
                               bool *by_key, hcbr_error *err);
    /** Learn from all cases of a list. *state must be freed, also after a failure. */
    hcbr_status (*fit)(void **state, hcbr_i_fitted *fitted, struct hcbr_cases *cases,
                       const hcbr_i_fit_options *options, hcbr_error *err);
    /** Groups of features that occur in exactly the same cases: by feature its group, to be freed.
     *  `progress` may be NULL. A NULL function: features have no groups. */
    hcbr_status (*group)(uint32_t **out, uint32_t *count, const struct hcbr_cases *cases,
                         uint32_t threads, hcbr_progress_fn *progress, void *context,
                         hcbr_error *err);
    /** A model of `count` cases of a base that decides other cases of it; may fail without a
     *  message. NULL: the fit holds cases out itself. */
    hcbr_status (*part_create)(void **out, const struct hcbr_cases *base, const uint32_t *cases,
                               uint32_t count, const hcbr_i_part_options *options);
    void (*part_free)(void *part);
    /** Decide case i of the base: the label by rule R1, HCBR_LABEL_UNKNOWN if nothing is known.
     *  Otherwise sets the supports of the part's labels, and the lead. */
    hcbr_label (*part_decide)(void *part, uint32_t i, double *support, double *lead);

    /* ---- the file ---- */

    void (*free)(void *state);
    /** Whether a model with this `keep` has a section that belongs to the engine. */
    bool (*has_section)(const void *state, hcbr_keep keep, hcbr_i_section section);
    void (*write)(hcbr_i_out *out, const void *state, const hcbr_i_frame *frame,
                  hcbr_i_section section);
    /** Read the engine's sections, of all sections by type. *state must be freed, also after a
     *  failure. */
    hcbr_status (*read)(void **state, const hcbr_i_frame *frame, hcbr_i_in *sections,
                        hcbr_error *err);
    /** Whether its parts agree with each other and with the model. fitted: it was not read, which
     *  checks the range of every number. */
    hcbr_status (*check)(const void *state, const hcbr_i_frame *frame, bool fitted,
                         hcbr_error *err);
    /** The past cases. */
    hcbr_i_past (*past)(const void *state);
    /** Describe the use of a key; does not set the name. NULL: nothing to describe. */
    void (*column)(const void *state, uint32_t key, hcbr_column *out);
    /** The number of cuts of a number key that are below a value. NULL: no cuts. */
    uint32_t (*cuts_below)(const void *state, uint32_t key, double value);

    /* ---- scores ---- */

    /** Whether a label can have the largest support. */
    bool (*can_win)(const void *state, uint32_t label);
    /** Working memory to score cases. */
    hcbr_status (*scorer_create)(void **out, const void *state, const hcbr_i_frame *frame,
                                 hcbr_error *err);
    void (*scorer_free)(void *scorer);
    /** Begin a case with its features, each of which counts once; HCBR_I_NONE: no past case has it.
     *  HCBR_I_AHEAD more must be readable after them. *known receives how many are known. */
    hcbr_status (*gather)(void *scorer, const hcbr_i_feature_id *ids, size_t count, size_t *known,
                          hcbr_error *err);
    /** Whether any number of the key is known as a number. NULL: no, and numbers need not be
     *  separate from names. */
    bool (*has_cuts)(const void *state, hcbr_i_key_id key);
    /** Add a number of such a key, which is not a feature; text: its spelling, which may be more
     *  than its double, or absent; *again: the case already has it. */
    hcbr_status (*number)(void *scorer, hcbr_i_key_id key, double value, hcbr_i_text text,
                          bool *again, hcbr_error *err);
    /** Announces that values() will be called. NULL: no preparation needed. */
    void (*tell_values)(void *scorer);
    /** The identity of the values added, as past.numbers gives it. NULL: none. */
    void (*values)(void *scorer, uint64_t out[2]);
    /** The feature of a name with another spelling; HCBR_I_NONE: none. NULL: never. */
    hcbr_i_feature_id (*find)(const void *state, const hcbr_feature *feature);
    /** The feature of a name in any spelling. NULL: there is one spelling. */
    hcbr_i_feature_id (*find_any)(const void *state, const hcbr_feature *feature);
    /** The supports of the case by label, owned by the scorer. */
    double *(*support)(void *scorer);
    /** Fill them for the gathered case of `features` features and, for a probable engine, the
     *  probabilities. If features differ in importance, `features` is the units of those never
     *  seen. */
    hcbr_i_score (*score)(void *scorer, uint64_t features, double *probability);
    /** Forget the held cases, and reserve room to hold *cases; lowers *cases to the actual room, at
     * least 1. NULL: cases are never held. */
    hcbr_status (*reserve)(void *scorer, uint32_t *cases, hcbr_error *err);
    /** Hold the gathered case, to be scored with others. */
    void (*hold)(void *scorer);
    void (*score_held)(void *scorer);
    /** The outcome of the n-th held case, as score() returns it. */
    hcbr_i_score (*held)(void *scorer, uint32_t n, double *probability);
    /** Probabilities without any known value: from the frequencies of labels. NULL: exactly
     *  these. */
    void (*of_nothing)(const void *state, double *probability);
    /** Whether supports are sums over features and there are two labels. Then pairs() gives the
     *  pair of each feature, HCBR_I_ABSENT for HCBR_I_NONE, and score_pair() scores sums added up
     *  by the caller. NULL: never. */
    bool (*has_pairs)(const void *state);
    void (*pairs)(const void *state, const hcbr_i_feature_id *features, size_t count,
                  hcbr_i_pair *out);
    hcbr_i_score (*score_pair)(void *scorer, const hcbr_i_pair_sums *sums, uint64_t features);

    /* ---- reasons ---- */

    /** Data shared by all explanations; state and frame must outlive it. */
    hcbr_status (*index_create)(void **out, const void *state, const hcbr_i_frame *frame,
                                const hcbr_i_index_options *options, hcbr_error *err);
    void (*index_free)(void *index);
    /** Memory for reasons, of one thread; the index must outlive it. */
    hcbr_status (*why_create)(void **out, void *index, hcbr_error *err);
    void (*why_free)(void *why);
    /** Resolve the current case: account->at, label, against. */
    hcbr_status (*begin)(hcbr_i_account *account, hcbr_error *err);
    /** Reset the effects of begin and the influences. */
    void (*end)(hcbr_i_account *account);
    /** Gather its groups, and the bias by label into account->sums. */
    hcbr_status (*terms)(hcbr_i_account *account, hcbr_error *err);
    /** Call for every group of the current case, in the engine's order, after terms. */
    hcbr_status (*each_group)(hcbr_i_account *account, hcbr_i_group_fn *each, void *context,
                              hcbr_error *err);
    /** Add up the influences of all past cases: account->sums, and the largest of each group. */
    hcbr_status (*add)(hcbr_i_account *account, hcbr_error *err);
    /** Offer the past cases of one side to a picker of account->lead_of, after add. Returns the
     *  number that contribute more than `least` to it. */
    uint64_t (*offer)(hcbr_i_account *account, hcbr_i_picker *picker, double least);
    /** Call for every past case with an influence that contributes no more than `least` to the
     *  lead, after add; none if the `told` cases above it are all that have one. False: `each`
     *  returned false. */
    bool (*list_others)(hcbr_i_account *account, double least, uint64_t told,
                        bool (*each)(void *context, uint32_t i), void *context);
    /** The influence of past case i by label, after add. */
    void (*influence)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** Fill the groups of an explanation. */
    hcbr_status (*show)(hcbr_i_account *account, hcbr_explanation *e, hcbr_error *err);

    /* ---- the model as a whole ---- */

    /** The contributions of past cases to the model: once for all, then of one of them by label. */
    hcbr_status (*own_begin)(hcbr_i_account *account, hcbr_error *err);
    void (*own)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** The strongest groups; NULL: its atoms. */
    hcbr_status (*rank)(hcbr_i_account *account, const hcbr_atom_options *options,
                        hcbr_atom_ranking *out, hcbr_error *err);

    /* ---- other cases ---- */

    /** Compute the influence of one past case on the current case. */
    hcbr_status (*weigh_one)(hcbr_i_account *account, hcbr_error *err);
    /** Weigh the features of a comparison with past case i, listed in `items`: here, there,
     *  lead_there and the rest, and sort each part. Begin was called for the same case; end may
     *  have been called since. */
    hcbr_status (*compare)(hcbr_i_account *account, uint64_t i, const hcbr_i_case_item *items,
                           hcbr_compared_feature *list, hcbr_comparison *out, hcbr_error *err);
    /** List possible values of a case that are not features, in account->numbers; own: by key the
     * value of the case, or NULL; spans: by key the allowed range, NULL for any. NULL: no such
     * values. */
    hcbr_status (*numbers)(hcbr_i_account *account, const hcbr_i_case_item *const *own,
                           const hcbr_i_span *spans, hcbr_error *err);
    /** The number of past cases with a number of account->numbers. */
    uint64_t (*number_cases)(const hcbr_i_account *account, uint32_t number);
    /** The number of different values of a key in training that are not features. */
    uint32_t (*number_count)(const void *state, hcbr_i_key_id key);
    /** Values of past case i that are not features. NULL: none. */
    hcbr_status (*past_numbers)(hcbr_i_account *account, uint64_t i, hcbr_i_case_item **out,
                                size_t *count, hcbr_error *err);
    /** Search for changes. */
    hcbr_status (*flip)(hcbr_i_search *search, hcbr_error *err);
    /** The lead of a label if the current case had one more feature, of a key that it lacks: begin,
     *  ask for each, end. steps grows by the steps taken. */
    hcbr_status (*ask_begin)(hcbr_i_account *account, const double *support, uint32_t label,
                             hcbr_error *err);
    hcbr_status (*ask)(hcbr_i_account *account, hcbr_i_feature_id more, double *lead,
                       uint64_t *steps, hcbr_error *err);
    void (*ask_end)(hcbr_i_account *account);
} hcbr_i_engine;

#endif
