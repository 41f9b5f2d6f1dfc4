/**
 * @file model.h
 * A model: the atoms of a case base, their strengths, and the rule that decides.
 *
 * A model never changes once it is made; any number of threads may read it at once.
 */
#ifndef HCBR_MODEL_H
#define HCBR_MODEL_H

#include <hcbr/cases.h>
#include <hcbr/prior.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The cases that a strength sums over. */
typedef enum hcbr_scope {
    HCBR_SCOPE_CLASS = 0, /**< cases with the atom that have the label */
    HCBR_SCOPE_ALL = 1    /**< every case with the atom */
} hcbr_scope;

/** The kind of model. */
typedef enum hcbr_model_kind {
    HCBR_MODEL_PLAIN = 0, /**< that of the paper */
    HCBR_MODEL_RICH = 1   /**< ordered tests of numbers, conjunctions of tests, probabilities */
} hcbr_model_kind;

/** The effort put into a rich model. */
typedef enum hcbr_effort {
    HCBR_EFFORT_LITE = 0, /**< no boosting: quick, and for very large data */
    HCBR_EFFORT_NORMAL = 1,
    HCBR_EFFORT_MAX = 2 /**< more and smaller steps */
} hcbr_effort;

/** The part of the training cases that a model keeps. */
typedef enum hcbr_keep {
    HCBR_KEEP_NONE = 0,      /**< nothing */
    HCBR_KEEP_ANONYMOUS = 1, /**< the cases of each atom, without names */
    HCBR_KEEP_FULL = 2       /**< names too */
} hcbr_keep;

/** Rule R2 for one label: its thresholds, and the answer if it misses them. */
typedef struct hcbr_threshold {
    const char *label;    /**< NUL-terminated */
    double eta;           /**< least support, >= 0; default 0; for a rich model least probability */
    double eta_share;     /**< least share against the best other label, in [0,1); default 0; for a
                               rich model that of the probabilities */
    const char *fallback; /**< answer instead, or "unknown" or "prior"; NULL: the default */
} hcbr_threshold;

/**
 * Two labels: one threshold, or two with no decision between them. As the score rises, the decision
 * only moves from the first label to the second. The score is the probability of the second label
 * in a rich model, its support minus the first's in a plain one.
 */
typedef struct hcbr_cut {
    double low;  /**< up to here the first label is the answer */
    double high; /**< above it the second; not below low */
} hcbr_cut;

/** The cost of answering one label if another is true. */
typedef struct hcbr_cost {
    const char *truth; /**< NULL: any label; only if `given` is NULL */
    const char *given; /**< NULL: no decision */
    double cost;       /**< 0 to 1e6 */
} hcbr_cost;

/**
 * The rule of decision. Fill with hcbr_rule_init().
 *
 * A rule has thresholds, a cut or costs, or none of them: then the largest support decides.
 */
typedef struct hcbr_rule {
    size_t size;
    const hcbr_threshold *thresholds; /**< of labels that are not always answered */
    size_t threshold_count;
    const char *fallback;   /**< "auto" (default, also NULL), "unknown", "prior" or a label: the
                                 answer if a label misses its threshold, or if no decision is
                                 cheapest; there "auto" means "unknown". A case of which nothing is
                                 known gets the most frequent label with "prior", none with
                                 "unknown" or a label; with "auto" a rich model whose thresholds
                                 refuse nothing applies its rule to the probabilities it has even
                                 then, all others answer none */
    int memory;             /**< a case identical to a known one gets the majority label of those */
    const hcbr_cut *cut;    /**< two labels; may be NULL */
    const hcbr_cost *costs; /**< answer the label of the least expected cost, by the probabilities,
                                 which the model must have; ties go to the first; a wrong answer
                                 that is not listed costs 1, a right one nothing. No decision only
                                 if it has a price and is cheaper than every label */
    size_t cost_count;
    int by_cost; /**< use the costs; without a list every wrong answer costs 1 */
} hcbr_rule;

/** Set every field to its default. */
#define hcbr_rule_init(rule) HCBR_INIT(hcbr_rule, rule)

/** Maps from supports to probabilities. */
typedef enum hcbr_calibrate {
    HCBR_CALIBRATE_NONE = 0,
    HCBR_CALIBRATE_PLATT = 1,   /**< a logistic curve */
    HCBR_CALIBRATE_ISOTONIC = 2 /**< an increasing function of steps and slopes */
} hcbr_calibrate;

/** The goal of tuning. */
typedef enum hcbr_goal {
    HCBR_GOAL_NONE = 0,     /**< no tuning */
    HCBR_GOAL_ACCURACY = 1, /**< most right answers */
    HCBR_GOAL_BALANCED = 2, /**< largest mean of recall and specificity; two labels, as the next */
    HCBR_GOAL_F1 = 3,
    HCBR_GOAL_MCC = 4,
    HCBR_GOAL_COST = 5,     /**< least cost: by the probabilities if the model has them, else by
                                 thresholds; a price of no decision needs two labels or
                                 probabilities */
    HCBR_GOAL_MAX_ERROR = 6 /**< most answers with an error below a limit, unknown elsewhere */
} hcbr_goal;

/** Options of tuning, on cases held out of the training cases. */
typedef struct hcbr_tune_options {
    size_t size;
    hcbr_goal goal;
    const hcbr_cost *costs; /**< HCBR_GOAL_COST; a wrong answer that is not listed costs 1, as in
                                 hcbr_rule */
    size_t cost_count;
    double cost_fp;       /**< with two labels and no list: cost of the positive label if the other
                               is true; default 1 */
    double cost_fn;       /**< and of the other if the positive one is true; default 1 */
    double cost_unknown;  /**< with these two: of no decision; below 0 (default): always decide */
    double max_error;     /**< HCBR_GOAL_MAX_ERROR: above 0 and below 1 */
    double confidence;    /**< probability that the limit holds; default 0.95 */
    const char *positive; /**< label of F1 and of the two costs; NULL: the second */
    uint32_t folds;       /**< parts held out in turn, at least 2; default 10; a rich model
                               always uses five parts of its own */
    const uint32_t *passes; /**< numbers of passes to choose from; NULL: that of the model */
    size_t pass_count;
    int choose_scope; /**< choose the scope too */
} hcbr_tune_options;

/** Set every field to its default. */
#define hcbr_tune_options_init(options) HCBR_INIT(hcbr_tune_options, options)

/** The type of a label for the caller. Its name is always a text; a binding returns the typed
 value. */
typedef enum hcbr_label_type {
    HCBR_LABEL_TYPE_TEXT = 0,
    HCBR_LABEL_TYPE_BOOLEAN = 1, /**< `true` or `false` */
    HCBR_LABEL_TYPE_INTEGER = 2, /**< digits, maybe after a minus: `0`, `-12` */
    HCBR_LABEL_TYPE_NUMBER = 3   /**< a double, as hcbr_number_format() writes it: `0.5`, `1` */
} hcbr_label_type;

typedef struct hcbr_typed_label {
    const char *label; /**< its name, ends with NUL */
    hcbr_label_type type;
} hcbr_typed_label;

/** Options of training. Fill with hcbr_train_options_init(). */
typedef struct hcbr_train_options {
    size_t size;
    hcbr_scope scope;              /**< default HCBR_SCOPE_CLASS */
    uint32_t passes;               /**< training passes, 0 or more; default 1; rich: none */
    uint64_t seed;                 /**< of the draw of the training order; default 1 */
    int given_order;               /**< train in the order of the cases instead */
    uint32_t threads;              /**< default 1; the model is the same for any number */
    int consume;                   /**< use up the cases: less memory and time; afterwards, also
                                        after a failure, they can only be freed */
    hcbr_keep keep;                /**< default HCBR_KEEP_FULL */
    const hcbr_rule *rule;         /**< stored in the model; NULL: the default rule */
    const hcbr_tune_options *tune; /**< tune the rule, which replaces thresholds, cut and costs of
                                        `rule`; NULL: no */
    hcbr_calibrate calibrate;      /**< learn probabilities from held-out cases; default none; rich
                                        models have probabilities without it */
    const hcbr_read_options *read; /**< options to store for later reading: label, id, weight,
                                      ignore, na, no_header, delimiter; NULL for none */
    hcbr_notify_fn *notify;        /**< receives warnings; may be NULL */
    void *notify_context;
    hcbr_progress_fn *progress; /**< may be NULL. Stages: "columns", "boosted", "atoms", "votes" and
                                     "trust", or "numbers" (in cases, if they have any),
                                     "partition", "strength" and "train"; with `tune` or `calibrate`
                                     before or after them "held out" (in parts, of all choices
                                     together), "tune" and "calibrate" */
    void *progress_context;
    hcbr_model_kind model;      /**< default HCBR_MODEL_RICH */
    hcbr_effort effort;         /**< rich; default HCBR_EFFORT_NORMAL */
    const char *const *numeric; /**< rich: columns or keys whose values are ordered */
    size_t numeric_count;
    const char *const
        *categorical; /**< rich: columns or keys of numbers that are names, not quantities */
    size_t categorical_count;
    const double *weight; /**< rich: by case, 0 to 1e9: n counts as n copies, 0 as none; NULL: those
                               read (hcbr_read_options.weight), else all 1 */
    double max_memory;    /**< bytes: training that would take more, by hcbr_model_estimate(), is
                               refused before it starts; 0 (the default): no limit */
    uint32_t min_cases;   /**< values that fewer cases have, whatever their weights, are left out as
                               if absent, and so are number columns that fewer cases have; other
                               numbers of a rich model stay; default 1: none are left out */
    double prune;         /**< plain: keep this share of the features, above 0 and up to 1, those
                               with the largest information gain, and leave the others out as if
                               absent; 0 (default): keep all; HCBR_PRUNE_CHOOSE: choose the share on
                               held-out cases */
    const hcbr_emphasis *emphasis; /**< plain: importances of features (hcbr/prior.h), NULL: all
                                        equal; names that no case has are accepted here, see
                                        hcbr_emphasis_check() */
    size_t emphasis_count;
    int kinds_said; /**< the caller has reported the kinds of columns (hcbr_cases_get_kind()): ids
                         that number the cases, and categories that may be numbers, get no second
                         warning */
    const hcbr_typed_label *typed_labels; /**< labels that are not texts for the caller, by name;
                                               kept in the model without other effects. A type that
                                               the name does not spell is HCBR_EUSAGE; names that no
                                               case has are accepted. NULL: all are texts */
    size_t typed_label_count;
} hcbr_train_options;
#define HCBR_PRUNE_CHOOSE (-1.0)

/** Set every field to its default. */
#define hcbr_train_options_init(options) HCBR_INIT(hcbr_train_options, options)

/** Approximate cost of training. */
typedef struct hcbr_estimate {
    size_t size;
    double seconds; /**< on an ordinary machine, within a factor of about three */
    double bytes;   /**< of memory, including the cases */
} hcbr_estimate;

/**
 * Estimate the cost of hcbr_model_train(); out->size must be set.
 *
 * @param cases a finished list that no model has used up.
 * @param err   receives the reason of a failure; may be NULL.
 * @return HCBR_OK, or HCBR_EUSAGE for options that training would refuse; then the figures are 0.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_estimate(const hcbr_cases *cases,
                                                         const hcbr_train_options *options,
                                                         hcbr_estimate *out, hcbr_error *err);

typedef struct hcbr_model hcbr_model;

/**
 * Build a model from cases.
 *
 * The same cases in the same order, the same options and seed give the same model bytes, whatever
 * the number of threads.
 *
 * @param out     receives the model, NULL on failure; release with hcbr_model_free().
 * @param cases   a finished list (hcbr_cases_finish()); not changed unless options->consume says
 *                so; may be freed afterwards.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_ENOMEM (also: more than options->max_memory would
 *         be needed) or HCBR_ECANCELLED.
 *
 * Cost: linear in the occurrences, times 1 + passes. Threads: uses options->threads of them
 * during the call, none afterwards.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_train(hcbr_model **out, hcbr_cases *cases,
                                                      const hcbr_train_options *options,
                                                      hcbr_error *err);

/**
 * Load a model from a file and check it completely.
 *
 * A damaged or hostile file gives HCBR_EFORMAT, never a half-usable model.
 *
 * @param out   receives the model, NULL on failure; release with hcbr_model_free().
 * @param path  file written by hcbr_model_save().
 * @param err   receives the reason of a failure; may be NULL.
 * @return HCBR_OK, HCBR_EIO, HCBR_EFORMAT or HCBR_ENOMEM.
 *
 * Cost: one pass over the file. Threads: the model is read-only; share it freely.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_load(hcbr_model **out, const char *path,
                                                     hcbr_error *err);

/**
 * As hcbr_model_load(), but the past cases of a rich model stay in the file: quicker, and in less
 * memory. It decides as the whole model does, and otherwise is a model that keeps no cases
 * (HCBR_KEEP_NONE). The part that stays in the file is checked against its digest only. A plain
 * model, and one that decides by memory, is loaded whole.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_load_without_cases(hcbr_model **out,
                                                                   const char *path,
                                                                   hcbr_error *err);

/** As hcbr_model_load(), from bytes in memory, which may be released afterwards. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_parse(hcbr_model **out, const void *bytes,
                                                      size_t size, hcbr_error *err);

/**
 * Write a model to a file: completely, or not at all.
 *
 * The bytes go to a temporary file in the same folder, which is synced and renamed.
 *
 * @return HCBR_OK, HCBR_EIO or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_save(const hcbr_model *model, const char *path,
                                                     hcbr_error *err);

/**
 * The bytes hcbr_model_save() would write.
 *
 * @param bytes receives them, NULL on failure; release with hcbr_bytes_free().
 * @param size  receives their number.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_serialize(const hcbr_model *model, void **bytes,
                                                          size_t *size, hcbr_error *err);

/** Release bytes from hcbr_model_serialize(). NULL is fine. */
HCBR_API void hcbr_bytes_free(void *bytes);

/** Release a model. NULL is fine. */
HCBR_API void hcbr_model_free(hcbr_model *model);

/** The number of importances of a model; 0: all features are equally important. */
HCBR_API size_t hcbr_model_emphasis_count(const hcbr_model *model);
/** One importance, by column, then value, the whole column first; borrowed from the model. */
HCBR_API void hcbr_model_get_emphasis(const hcbr_model *model, size_t index, hcbr_emphasis *out);
/** The number of beliefs of a model. */
HCBR_API size_t hcbr_model_belief_count(const hcbr_model *model);
/** One belief; out->size must be set. Its label is HCBR_LABEL_UNKNOWN if no cases are kept. */
HCBR_API void hcbr_model_get_belief(const hcbr_model *model, size_t index, hcbr_belief *out);

/** Figures of a model. */
typedef struct hcbr_model_info {
    size_t size;
    uint64_t cases;       /**< cases it was built from, including empty ones */
    uint64_t empty_cases; /**< of them without any feature */
    uint64_t occurrences; /**< sum of the features of all cases */
    uint32_t features;    /**< different features with a number; see `values` */
    uint32_t atoms;
    uint32_t keys; /**< different keys (columns) among the features */
    uint32_t labels;
    hcbr_scope scope;
    uint32_t passes;
    uint64_t seed;
    int given_order;
    hcbr_keep keep;
    int memory;               /**< the memory rule is on */
    hcbr_label on_nothing;    /**< answer when nothing is known: HCBR_LABEL_UNKNOWN, _PRIOR or
                                   _PROBABLE */
    hcbr_label prior;         /**< the most frequent label, the first of equals */
    char fingerprint[33];     /**< of the case base: 32 hexadecimal digits */
    uint32_t format_version;  /**< of the model file */
    hcbr_calibrate calibrate; /**< whether decisions have probabilities */
    const char *why;          /**< the reason for the rule, as a sentence; NULL: it was given.
                                   Borrowed from the model */
    hcbr_model_kind model;
    int has_cut;              /**< two labels: the rule is this cut */
    double cut_low, cut_high; /**< the first is not above the second; 0 without a cut */
    int by_cost;              /**< the least expected cost decides (hcbr_model_get_cost()) */
    uint64_t prices;          /**< number of costs other than the defaults */
    double weight;            /**< of all cases; their number unless they have weights */
    uint32_t min_cases;       /**< values of fewer cases were left out; 1: none */
    uint32_t values;          /**< different features, as evaluation and audit count them: in a rich
                                   model each number of a number column is one, too; 0: unknown, for
                                   a loaded rich model */
} hcbr_model_info;

/** Fill info; info->size must be set to sizeof *info. */
HCBR_API void hcbr_model_get_info(const hcbr_model *model, hcbr_model_info *info);

/**
 * The name of a label.
 *
 * @param label  at least 0 and below info.labels.
 * @param length receives its length in bytes; may be NULL.
 * @return UTF-8 without NUL in it, NUL-terminated; borrowed from the model.
 *
 * hcbr_cases_get_label() and hcbr_evaluation_get_label() do the same for cases and evaluations.
 */
HCBR_API const char *hcbr_model_get_label(const hcbr_model *model, hcbr_label label,
                                          size_t *length);

/** The figures of one label. */
typedef struct hcbr_label_info {
    size_t size;
    uint64_t cases; /**< cases with this label */
    double total;   /**< sum of S over the atoms before normalisation */
    double eta;     /**< rule R2 */
    double eta_share;
    hcbr_label fallback;  /**< a label, HCBR_LABEL_UNKNOWN or HCBR_LABEL_PRIOR */
    double weight;        /**< of its cases; their number unless they have weights */
    hcbr_label_type type; /**< as given to training; HCBR_LABEL_TYPE_TEXT by default */
} hcbr_label_info;

/** Fill info of label 0 <= label < labels; info->size must be set. */
HCBR_API void hcbr_model_get_label_info(const hcbr_model *model, hcbr_label label,
                                        hcbr_label_info *info);

/** Price number `index` below info.prices of a rule by costs, by truth, then by label given; names
 *  borrowed from the model. All other costs are 1 for a wrong answer and 0 for a right one. */
HCBR_API void hcbr_model_get_cost(const hcbr_model *model, uint64_t index, hcbr_cost *out);

/** The label of a given name, or HCBR_LABEL_UNKNOWN. */
HCBR_API hcbr_label hcbr_model_find_label(const hcbr_model *model, const char *name,
                                          size_t name_length);

/** Wrong decisions in each training pass; borrowed, info.passes of them. */
HCBR_API const uint64_t *hcbr_model_get_pass_errors(const hcbr_model *model);

/** Feature number `feature` (from 0, in order of first appearance); borrowed from the model. */
HCBR_API void hcbr_model_get_feature(const hcbr_model *model, uint32_t feature, hcbr_feature *out);

/** The use of a column or key in a rich model. */
typedef enum hcbr_column_kind {
    HCBR_COLUMN_NONE = 0,     /**< unused: no case has it, or the model is plain */
    HCBR_COLUMN_NUMBER = 1,   /**< numbers in order: tests `column<=cut` */
    HCBR_COLUMN_CATEGORY = 2, /**< values without order: tests `column=value` */
    HCBR_COLUMN_NAME = 3      /**< a bare key, or one value only: present or not */
} hcbr_column_kind;

/** A column or key of a model. */
typedef struct hcbr_column {
    size_t size;
    const char *name; /**< borrowed; not NUL-terminated */
    size_t name_length;
    hcbr_column_kind kind;
    int sparse;             /**< few cases have it, or a case may have several values of it */
    uint32_t values;        /**< number of different ones in training */
    uint32_t cuts;          /**< of HCBR_COLUMN_NUMBER */
    double lowest, highest; /**< of the cuts; 0 without cuts */
    int exact;              /**< of HCBR_COLUMN_NUMBER: the model has the values, which are few */
} hcbr_column;

/** Fill out with column `key`, below info.keys, in order of first appearance; out->size must be
 *  set. */
HCBR_API void hcbr_model_get_column(const hcbr_model *model, uint32_t key, hcbr_column *out);

/** The number of columns with a known kind: all columns of training if any was converted, else 0.
 * Values of new cases are read by these kinds. */
HCBR_API size_t hcbr_model_kind_count(const hcbr_model *model);
/** One column with its kind, by the bytes of its name; out->size must be set. Borrowed from the
 *  model. */
HCBR_API void hcbr_model_get_kind(const hcbr_model *model, size_t index, hcbr_kind *out);

/** Number of a feature, or UINT32_MAX if no past case has it. */
HCBR_API uint32_t hcbr_model_find_feature(const hcbr_model *model, const hcbr_feature *feature);

/** The atom of a feature. */
HCBR_API uint32_t hcbr_model_get_atom(const hcbr_model *model, uint32_t feature);

/**
 * The atom of a feature, or of a number: in a rich model a range between two cuts of a number
 * column is an atom too, without features.
 *
 * @return UINT32_MAX if no past case has the feature, and its key is not a number column.
 */
HCBR_API uint32_t hcbr_model_find_atom(const hcbr_model *model, const hcbr_feature *feature);

/** The numbers of a column in one atom: above `above`, and at most `most`. */
typedef struct hcbr_atom_range {
    size_t size;
    const char *name; /**< of the column; borrowed from the model, not NUL-terminated */
    size_t name_length;
    double above; /**< -INFINITY: no lower limit */
    double most;  /**< INFINITY: no upper limit */
} hcbr_atom_range;

/** Fill out, whose size must be set, and return 1 if the atom is a range of numbers. Otherwise
 *  return 0, and write nothing. */
HCBR_API int hcbr_model_get_atom_range(const hcbr_model *model, uint32_t atom,
                                       hcbr_atom_range *out);

/** The number of features of an atom, |e|; 0 for a range of numbers. */
HCBR_API uint32_t hcbr_model_get_atom_size(const hcbr_model *model, uint32_t atom);

/** The number of cases of a label with the atom, d^(l)(e). */
HCBR_API uint32_t hcbr_model_get_atom_count(const hcbr_model *model, uint32_t atom,
                                            hcbr_label label);

/** Strength of an atom for a label, after training, mu^(l)(e). */
HCBR_API double hcbr_model_get_atom_strength(const hcbr_model *model, uint32_t atom,
                                             hcbr_label label);

/** Features of an atom, in ascending order; borrowed; hcbr_model_get_atom_size() of them. The first
 *  call for a model lists those of all atoms: NULL if memory is short. */
HCBR_API const uint32_t *hcbr_model_get_atom_features(const hcbr_model *model, uint32_t atom);

/**
 * Find the atoms with the most support for a label: largest mu^(l)(e) minus the largest of the
 * others.
 *
 * @param atoms    receives atoms, strongest first, ties by atom number.
 * @param capacity the most to find.
 * @param count    receives their number.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_rank_atoms(const hcbr_model *model,
                                                           hcbr_label label, uint32_t *atoms,
                                                           size_t capacity, size_t *count,
                                                           hcbr_error *err);

/** Ranges of probabilities in hcbr_heldout: from 0 to 1, of equal width. */
#define HCBR_HELDOUT_BINS 20

/** Held-out cases whose answer has a probability in one range. */
typedef struct hcbr_heldout_bin {
    double cases;       /**< their number, by weight */
    double right;       /**< of them, with a right answer */
    double probability; /**< sum of the probabilities of the answers */
} hcbr_heldout_bin;

/** The held-out answers of training cases: by the model's rule, from models that had not seen
 *  them. */
typedef struct hcbr_heldout {
    size_t size;
    double cases; /**< cases with an answer, by weight; of very many, an even sample */
    double right; /**< of them, with a right answer */
    hcbr_heldout_bin bins[HCBR_HELDOUT_BINS]; /**< by the probability of the answer; empty if models
                                                   have none */
} hcbr_heldout;

/**
 * Held-out accuracy of a model, measured in training.
 *
 * Rich models always have it; plain ones if they were tuned or calibrated.
 *
 * @param out filled, or set to 0; out->size must be set.
 * @return 1, or 0 if the model does not have it.
 */
HCBR_API int hcbr_model_get_heldout(const hcbr_model *model, hcbr_heldout *out);

/**
 * The same for the cases with one answer: `bins` are by its probability, whether or not it was the
 * largest.
 *
 * @param label HCBR_LABEL_UNKNOWN: all cases with an answer, as hcbr_model_get_heldout().
 * @param out   filled, or set to 0; out->size must be set.
 * @return 1, or 0 if the model does not have it.
 */
HCBR_API int hcbr_model_get_answered(const hcbr_model *model, hcbr_label label, hcbr_heldout *out);

/** A kept case. */
typedef struct hcbr_kept_case {
    size_t size;
    uint64_t row;   /**< its data row, from 1 */
    const char *id; /**< NULL if it has none or names are not kept; not NUL-terminated */
    size_t id_length;
    hcbr_label label;
    const uint32_t *atoms; /**< borrowed; NULL in a rich model, see hcbr_model_copy_kept() */
    size_t atom_count;
    double weight;           /**< 1 unless the model was built with weights */
    uint64_t feature_count;  /**< number of features, including numbers */
    hcbr_label held_label;   /**< its held-out answer; HCBR_LABEL_UNKNOWN: none, or the model does
                                  not have it. Equal cases share one */
    double held_probability; /**< of that answer, within 0.002; 0: unknown */
    const char *source;      /**< of a belief: its source, ends with NUL; else NULL */
    double belief_weight;    /**< of the belief, whatever its number of cases */
    int copy;                /**< another case of the belief before it */
} hcbr_kept_case;

/** The number of kept cases: all or, with HCBR_KEEP_NONE, 0. */
HCBR_API uint64_t hcbr_model_kept_count(const hcbr_model *model);

/** Fill out with kept case `index`; out->size must be set. */
HCBR_API void hcbr_model_get_kept(const hcbr_model *model, uint64_t index, hcbr_kept_case *out);

/**
 * The features of a kept case as given; equal numbers have one spelling.
 *
 * @param out   receives them, NULL on failure; release with hcbr_bytes_free().
 * @param count receives their number.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_copy_kept(const hcbr_model *model, uint64_t index,
                                                          hcbr_feature **out, size_t *count,
                                                          hcbr_error *err);

/**
 * The atoms of the features of hcbr_model_copy_kept(), in the same order. The atom of a number in a
 * number column of a rich model is its interval, which has no features.
 *
 * @param out   receives them, NULL on failure; release with hcbr_bytes_free().
 * @param count receives their number.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_copy_kept_atoms(const hcbr_model *model,
                                                                uint64_t index, uint32_t **out,
                                                                size_t *count, hcbr_error *err);

/**
 * Number of the kept case with a name: its id, or else the number of its data row in digits.
 *
 * @return the first with that id; UINT64_MAX if there is none, or none are kept.
 *
 * Cost: one pass over the kept cases.
 */
HCBR_API uint64_t hcbr_model_find_kept(const hcbr_model *model, const char *name, size_t length);

/** Set reading options to those stored in the model, the others to their defaults, as
 *  hcbr_read_options_init() does. Texts are borrowed from the model. */
HCBR_API void hcbr_model_get_read_options(const hcbr_model *model, hcbr_read_options *options,
                                          size_t size);
#define hcbr_model_get_read_options(model, options)                                                \
    hcbr_model_get_read_options((model), HCBR_SIZED(options))

#ifdef __cplusplus
}
#endif
#endif
