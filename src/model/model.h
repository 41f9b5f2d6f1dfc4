/**
 * @file model.h
 * A model in memory and as a file. docs/FORMAT.md specifies the file.
 */
#ifndef HCBR_I_MODEL_H
#define HCBR_I_MODEL_H

#include "engine/engine.h"
#include "tune/tune.h"

#include <hcbr/decision.h>

#define HCBR_I_MODEL_VERSION 3       /* of the file */
#define HCBR_I_MODEL_HEADER 24u      /* bytes before the section table */
#define HCBR_I_MODEL_ENTRY 32u       /* bytes of one entry of it */
#define HCBR_I_MODEL_DIGEST 16u      /* bytes at the end */
#define HCBR_I_MODEL_REQUIRED 1u     /* flag of a section that must be understood */
#define HCBR_I_MODEL_BARE UINT32_MAX /* length of the value of a bare key */
#define HCBR_I_MODEL_MOST_LABELS (1u << 28)

/** Flags of a known section: only sections that affect decisions must be understood. */
static inline uint32_t hcbr_i_model_flags(uint32_t type) {
    return type == HCBR_I_HELDOUT || type == HCBR_I_TYPES ? 0 : HCBR_I_MODEL_REQUIRED;
}

/** Flags of section read. */
#define HCBR_I_READ_NO_HEADER 1u
#define HCBR_I_READ_ID 2u
#define HCBR_I_READ_NA 4u
#define HCBR_I_READ_WEIGHT 8u
#define HCBR_I_READ_BINS 64u
#define HCBR_I_READ_GROUP 128u

/** The decision rule of a model, in its own labels. */
typedef struct hcbr_i_rule {
    double *eta, *eta_share; /**< by label */
    hcbr_label *fallback;    /**< by label: a label, HCBR_LABEL_UNKNOWN or HCBR_LABEL_PRIOR */
    hcbr_label on_nothing;   /**< HCBR_LABEL_UNKNOWN, _PRIOR or, rich, _PROBABLE */
    bool memory;
    bool has_cut;       /**< two labels; no eta and no costs */
    hcbr_cut cut;       /**< finite, low <= high */
    hcbr_i_costs costs; /**< they decide if costs.by_given is not NULL; no eta */
} hcbr_i_rule;

/** The properties of a model that a rule depends on. */
typedef struct hcbr_i_rule_kind {
    bool rich, probable; /**< it has probabilities */
} hcbr_i_rule_kind;
static inline hcbr_i_rule_kind hcbr_i_rule_of(const hcbr_train_options *o) {
    bool rich = o->model == HCBR_MODEL_RICH;
    return (hcbr_i_rule_kind){rich, rich || o->calibrate != HCBR_CALIBRATE_NONE};
}

/** Reading options that are stored, owned. NULL: the default. */
typedef struct hcbr_i_stored_read {
    char *label; /**< resolved name of the label column, never NULL in a model */
    char *id, *weight, *group;
    char *bins; /**< cuts of the ranges of labels */
    char **ignore;
    uint32_t ignore_count;
    char **na; /**< NULL: the default list */
    uint32_t na_count;
    bool listed; /**< and no other value means missing, not even in columns of numbers and dates */
    bool no_header;
    uint8_t delimiter; /**< 0: the default */
    /* section columns */
    uint32_t ngrams;
    uint32_t split_count, text_count, presence_count, join_count;
    char **columns;    /**< columns of sets with their separators, of texts, of presence; names of
                            joined sources with their keys; NULL: none */
    hcbr_split *split; /**< of these texts */
    hcbr_join *join;   /**< the same; a path is never stored */
} hcbr_i_stored_read;

struct hcbr_model {
    void *file; /**< bytes of the file, with some of the arrays; NULL: all are copies */
    size_t file_size;
    hcbr_i_dict *dict; /**< tables are made on first use */
    hcbr_i_labels labels;
    const hcbr_i_engine *engine;
    void *state;           /**< the fitted engine; NULL: not set yet */
    uint64_t *label_cases; /**< by label: how many cases have it */
    double *label_total;   /**< by label, plain: its strength; rich: number of its cases with a
                                value */
    hcbr_i_facts facts;    /**< of the sections of the engine */
    hcbr_i_rule rule;
    hcbr_i_stored_read read;
    hcbr_i_calibration calibration; /**< kind none: decisions have no probabilities */
    uint32_t value_count;           /**< different values of the training, including numbers that
                                         are not features; 0: unknown */
    hcbr_i_schema *schema;          /**< the columns and their kinds; NULL: not judged */
    hcbr_i_record record;           /**< decisions of held-out cases */
    char *why;                      /**< how the rule was chosen; NULL: it was given */
    hcbr_i_emphases *emphases;      /**< importances of features; NULL: all equal */
    hcbr_i_beliefs *beliefs;        /**< beliefs, at the end of the cases; NULL: none */
    double *label_weight;           /**< of the cases of each label; NULL: each counts once */
    uint8_t *label_type;            /**< by label, a hcbr_label_type; NULL: all are texts */
    hcbr_label prior;
    uint64_t case_count, empty_count, occurrence_count;
    uint64_t fingerprint[2];
    hcbr_scope scope;
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    uint32_t min_cases; /**< features of fewer cases were left out; 1: none */
    uint64_t *pass_errors;
    hcbr_keep keep;
    /* unless keep is HCBR_KEEP_NONE */
    uint32_t *kept_label;
    uint64_t *kept_row;      /**< NULL: row i is case i - 1 */
    char *kept_ids;          /**< NULL: no names */
    uint64_t *kept_id_start; /**< case_count + 1 of them */
};

/** Access to the past cases. */
hcbr_i_past hcbr_i_model_past(const hcbr_model *model);
/** An empty model. Set its engine before its state. */
hcbr_status hcbr_i_model_create(hcbr_model **out, hcbr_error *err);

/** Resolve a public rule against labels. HCBR_EUSAGE names the mistake. */
hcbr_status hcbr_i_rule_resolve(hcbr_i_rule *out, const hcbr_rule *given,
                                const hcbr_i_labels *labels, hcbr_i_rule_kind kind,
                                hcbr_error *err);
/** Whether the rule can give no decision: by a threshold or two cuts. */
bool hcbr_i_rule_refuses(const hcbr_i_rule *rule, uint32_t label_count);
/** Make an empty case unknown if a plain model, or a threshold that refuses, decides. */
void hcbr_i_rule_settle(hcbr_i_rule *rule, uint32_t label_count, bool rich);
hcbr_status hcbr_i_rule_copy(hcbr_i_rule *out, const hcbr_i_rule *rule, uint32_t label_count,
                             hcbr_error *err);
void hcbr_i_rule_clear(hcbr_i_rule *rule);
/** Whether two rules give the same answers, apart from the memory rule. */
bool hcbr_i_rule_is_same(const hcbr_i_rule *a, const hcbr_i_rule *b, uint32_t label_count);

/* ---- decisions of a rule (model_ruling.c) ---------------------------------------------------- */

/** Whether a is above b by more than the rounding of sums, as in rule R1: the order of the features
 *  of a case must not change an answer. */
static inline bool hcbr_i_is_above(double a, double b) {
    double most = (a < 0 ? -a : a) + (b < 0 ? -b : b);
    return a - b > HCBR_I_TIE * most;
}

/** hcbr_i_cut_decide() of the difference of two supports: sums that differ by rounding only are not
 *  above each other. */
static inline hcbr_label hcbr_i_cut_support(hcbr_cut cut, double difference) {
    return !hcbr_i_is_above(difference, cut.low)   ? 0
           : hcbr_i_is_above(difference, cut.high) ? 1
                                                   : HCBR_LABEL_UNKNOWN;
}

/** A scored case. */
typedef struct hcbr_i_scores {
    const double *support, *probability; /**< by label; probability may be NULL */
    hcbr_label winner;                   /**< by rule R1; HCBR_LABEL_UNKNOWN: nothing is known */
    uint32_t other;                      /**< the best other label; HCBR_I_NONE: none */
    double lead;                         /**< of the winner over it */
    bool probable;                       /**< thresholds apply to probabilities */
    hcbr_label prior;                    /**< the fallback of that name */
} hcbr_i_scores;

/** The answer; *reason is set if it does not follow from the largest support alone. */
hcbr_label hcbr_i_rule_decide(const hcbr_i_rule *rule, const hcbr_i_scores *x, hcbr_reason *reason);
/** Whether the answer would change if the odds of its label were HCBR_CLOSE_ODDS times larger or
 *  smaller. Always false for rules on supports. room: for each label. */
bool hcbr_i_rule_is_close(const hcbr_i_rule *rule, const hcbr_i_scores *x, uint32_t label_count,
                          hcbr_label label, double *room);

/**
 * Copy the reading options that are stored.
 *
 * @param label   resolved name of the label column; NULL: "label".
 * @param options NULL: the defaults.
 * @return HCBR_OK, HCBR_EUSAGE (a name that is not UTF-8, a delimiter of more than a byte) or
 *         HCBR_ENOMEM.
 */
hcbr_status hcbr_i_stored_read_make(hcbr_i_stored_read *out, const char *label, const char *bins,
                                    const hcbr_read_options *options, hcbr_error *err);
void hcbr_i_stored_read_clear(hcbr_i_stored_read *read);
/** The number of texts in read->columns. */
uint64_t hcbr_i_stored_column_count(const hcbr_i_stored_read *read);
/** Whether the model's file has a section columns. */
bool hcbr_i_stored_has_columns(const hcbr_i_stored_read *read);
/** Make split and join from columns. */
hcbr_status hcbr_i_stored_columns_index(hcbr_i_stored_read *read, hcbr_error *err);

/**
 * Learn the requested thresholds (which change the model's rule and o's scope and passes) and
 * probabilities from held-out cases (model_tuned.c).
 *
 * @param tuned receives the choice; to be cleared.
 * @param given held-out probabilities of a rich model, which are taken over; NULL: plain.
 */
hcbr_status hcbr_i_model_learn(hcbr_model *model, const struct hcbr_cases *cases,
                               hcbr_train_options *o, hcbr_i_heldout *given, hcbr_i_tuned *tuned,
                               hcbr_error *err);
/**
 * Bring thresholds to the scale of the model, once it is trained and while it has its projections:
 * the share of its decisions that pass is that of the held-out ones.
 */
hcbr_status hcbr_i_model_settle(hcbr_model *model, const hcbr_i_tuned *tuned,
                                const hcbr_i_own_answers *answers, hcbr_error *err);

/** The most frequent label, by weight if cases have weights; ties go to the first. */
hcbr_label hcbr_i_model_prior(const hcbr_model *model);

/**
 * Check the consistency of the parts of a model (model_check.c). Together with the reader of the
 * sections, which checks texts, lengths and the indices it uses, this covers every rule of
 * docs/FORMAT.md. A model fresh from training passes too.
 */
hcbr_status hcbr_i_model_validate(const hcbr_model *model, bool fitted, hcbr_error *err);

/** Whether reading accepts the options stored so far. HCBR_EFORMAT names the section. */
hcbr_status hcbr_i_model_check_reading(const hcbr_model *m, uint32_t section, hcbr_error *err);
/** The section columns (model_reading.c). The section read must have been read before. */
void hcbr_i_model_write_columns(hcbr_i_out *out, const hcbr_i_stored_read *read);
hcbr_status hcbr_i_model_read_columns(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);

/** Warn about columns that are left out because they number or name the cases, unless the caller
 *  leaves them out, and about those that several rows share, unless groups are known
 *  (model_ids.c). */
void hcbr_i_model_warn_ids(const hcbr_cases *cases, const hcbr_train_options *options,
                           hcbr_notify_fn *notify, void *context);
/** The section schema (model_schema.c). */
void hcbr_i_model_write_schema(hcbr_i_out *out, const hcbr_i_schema *schema);
hcbr_status hcbr_i_model_read_schema(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);

/** The section types (model_types.c), and the types of labels given to training. */
void hcbr_i_model_write_types(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_types(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);
hcbr_status hcbr_i_typed_labels_check(const hcbr_train_options *o, hcbr_error *err);
hcbr_status hcbr_i_model_set_types(hcbr_model *model, const hcbr_typed_label *typed, size_t count,
                                   hcbr_error *err);

/** The section held out (model_record.c). The sections facts and labels, and whether cases are
 *  kept, must have been read before. */
void hcbr_i_model_write_record(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_record(hcbr_model *model, hcbr_i_in *in, bool without_cases,
                                     hcbr_error *err);
/** Decide the held-out cases of a rich model; its rule and prior must be settled. */
hcbr_status hcbr_i_model_decide_record(hcbr_model *model, hcbr_error *err);
/** Fill it from held-out supports of all cases, for a plain model. */
hcbr_status hcbr_i_model_make_record(hcbr_model *model, const hcbr_i_heldout *heldout,
                                     hcbr_error *err);

/** Sections learnt from held-out cases (model_tuned.c). */
void hcbr_i_model_write_calibration(hcbr_i_out *out, const hcbr_i_calibration *calibration);
hcbr_status hcbr_i_model_read_calibration(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);
/** Called by the reader, and before writing. */
hcbr_status hcbr_i_model_check_calibration(const hcbr_i_calibration *c, hcbr_error *err);
hcbr_status hcbr_i_model_read_tuning(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);

/** Whether the weights (NULL: all 1) are valid and one is above 0. (model_weights.c) */
hcbr_status hcbr_i_model_check_weights(const hcbr_cases *cases, const double *weight,
                                       hcbr_error *err);
/** Weight of the cases of a label, and of all; their number if they have no weights. */
double hcbr_i_model_label_weight(const hcbr_model *model, uint32_t label);
double hcbr_i_model_total_weight(const hcbr_model *model);
/** The weight of a kept case. */
static inline double hcbr_i_model_weight(const hcbr_model *model, uint64_t number) {
    const double *weight = hcbr_i_model_past(model).weight;
    return weight ? weight[number] : 1;
}
/** Section weights. The sections facts and labels must have been read before. */
void hcbr_i_model_write_weights(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_weights(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);

/** Sections importance and beliefs (model_prior.c). */
void hcbr_i_model_write_importance(hcbr_i_out *out, const hcbr_model *model);
/** The section keys must have been read before, the sections of the engine not yet. */
hcbr_status hcbr_i_model_read_importance(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);
void hcbr_i_model_write_beliefs(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_beliefs(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);
/** Whether the cases of a belief have one label. Called once they are read. */
hcbr_status hcbr_i_model_check_beliefs(const hcbr_model *model, hcbr_error *err);

/** Sections cut and costs (model_costs.c). The section labels must have been read before. */
void hcbr_i_model_write_cut(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_cut(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);
void hcbr_i_model_write_costs(hcbr_i_out *out, const hcbr_model *model);
hcbr_status hcbr_i_model_read_costs(hcbr_model *model, hcbr_i_in *in, hcbr_error *err);

/** The engine's view of the model; the dictionary and the labels must be set. */
hcbr_i_frame hcbr_i_model_frame(const hcbr_model *model);

/* ---- the engines by name (engines.c) --------------------------------------------------------- */

const hcbr_i_engine *hcbr_i_engine_of(hcbr_model_kind kind);
/** Weights on the grid on which their sums are exact; to be freed. */
hcbr_status hcbr_i_model_exact_weights(double **out, const hcbr_cases *cases, const double *weight,
                                       hcbr_error *err);
/** The cases with the share of their features given by o->prune (model_prune.c). */
hcbr_status hcbr_i_model_prune(hcbr_cases **out, const hcbr_cases *cases,
                               const hcbr_train_options *o, const hcbr_i_emphases *emphases,
                               hcbr_error *err);
/** The number of features of a kept case. */
uint64_t hcbr_i_model_kept_size(const hcbr_model *model, uint64_t index);
uint32_t hcbr_i_model_atom_count(const hcbr_model *model);
/** The atoms of a kept case. */
const uint32_t *hcbr_i_model_kept_atoms(const hcbr_model *model, uint64_t index, size_t *count);
/** Fill an empty model from its sections, indexed by type (model_sections.c); without the sections
 *  of cases it becomes a model that keeps none. */
hcbr_status hcbr_i_model_read_sections(hcbr_model *model, hcbr_i_in *sections, bool without_cases,
                                       hcbr_error *err);

/** Whether a rule accepts a value: a least support, finite from 0 on; a share below 1. */
bool hcbr_i_eta_is_good(double eta);
bool hcbr_i_share_is_good(double share);

/** HCBR_ENOMEM if the estimated memory of training exceeds options->max_memory. */
hcbr_status hcbr_i_model_afford(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_error *err);
/** The columns that options leave unchanged, whatever their kind (train.c). */
hcbr_i_left hcbr_i_model_left(const hcbr_train_options *options);
/** The cases with their columns in the form of their schema, except those that options leave
 *  unchanged; NULL: they have that form already (train.c). */
hcbr_status hcbr_i_model_understand(hcbr_cases **out, const hcbr_cases *cases,
                                    const hcbr_train_options *options, hcbr_error *err);
/** Check the enums and the number of threads. HCBR_EUSAGE (train.c). */
hcbr_status hcbr_i_train_options_check(const hcbr_train_options *options, hcbr_error *err);

#ifdef HCBR_FAULTS
/** Tests and fuzzers: accept wrong checksums, to test the structural checks alone. */
extern bool hcbr_i_model_ignore_checksums;
#endif

#endif
