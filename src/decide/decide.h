/**
 * @file decide.h
 * From a model and a case to a decision (METHOD 3): supports, rules R1 and R2, the memory rule,
 * unseen features.
 */
#ifndef HCBR_I_DECIDE_H
#define HCBR_I_DECIDE_H

#include "model/model.h"

#include <hcbr/decision.h>

/** Past cases by their set of features, for the memory rule (memory.c). */
typedef struct hcbr_i_memory hcbr_i_memory;
hcbr_status hcbr_i_memory_create(hcbr_i_memory **out, const hcbr_model *model, hcbr_error *err);
void hcbr_i_memory_free(hcbr_i_memory *memory);
/**
 * Majority label of the past cases that are identical to a case; HCBR_LABEL_UNKNOWN if none is, or
 * on a tie.
 *
 * @param features each once; sorted by the call.
 * @param values   identity of the case's values that are not features, as the engine computes it.
 */
hcbr_label hcbr_i_memory_find(const hcbr_i_memory *memory, hcbr_i_feature_id *features,
                              size_t count, const uint64_t values[2]);

/** Names of a small model with their contributions (name_table.c). */
typedef struct hcbr_i_name_table hcbr_i_name_table;
hcbr_status hcbr_i_name_table_create(hcbr_i_name_table **out, const hcbr_model *model,
                                     hcbr_error *err);
void hcbr_i_name_table_free(hcbr_i_name_table *table);
/**
 * Gather a case of a block; returns how many different features are known.
 *
 * @param serial number of the case, to mark its names; not used before.
 * @param ids    receives the features of the case's names, at their places in the block.
 */
size_t hcbr_i_name_table_gather(const hcbr_i_name_table *table, const hcbr_i_block *block,
                                const hcbr_i_raw_case *x, uint32_t serial, hcbr_i_feature_id *ids,
                                hcbr_i_pair_sums *out);
/** Forget all marks. */
void hcbr_i_name_table_reset(hcbr_i_name_table *table);

/** Features and contributions of the codes of coded blocks (by_code.c). Zero-initialise to
 *  start. */
typedef struct hcbr_i_by_code {
    const hcbr_i_values *values; /**< the source of the codes; serial: of which file */
    uint64_t serial;
    hcbr_i_feature_id *ids; /**< by code */
    size_t count, id_capacity;
    hcbr_i_pair *parts; /**< by code, for two labels; sigma below 0: unknown */
    size_t part_capacity;
    double most;               /**< the largest |mu| */
    hcbr_i_feature_id *others; /**< of names of a block without a code */
    size_t other_capacity;
} hcbr_i_by_code;
/** Look up the codes of a block, with `parts` their contributions, too. */
hcbr_status hcbr_i_by_code_load(hcbr_i_by_code *codes, const hcbr_model *model, bool parts,
                                const hcbr_i_block *block, hcbr_error *err);
/** The features of all names of a loaded block, HCBR_I_NONE for unknown ones. */
hcbr_status hcbr_i_by_code_find(hcbr_i_by_code *codes, const hcbr_model *model,
                                const hcbr_i_block *block, hcbr_i_feature_id *out, hcbr_error *err);
/** Gather a case of a loaded block whose names are all codes; returns how many are known. */
size_t hcbr_i_by_code_gather(const hcbr_i_by_code *codes, const uint32_t *numbers, size_t count,
                             hcbr_i_pair_sums *out);
/** Release; it may be used again. */
void hcbr_i_by_code_clear(hcbr_i_by_code *codes);

#define HCBR_I_REMEMBERED 16                 /* numbers of a column with their features */
#define HCBR_I_KNOWN_VALUE (HCBR_I_NONE - 1) /* a known value that is not a feature */

/** A key of numbers in the model (by_item.c). */
typedef struct hcbr_i_item_key hcbr_i_item_key;

/** Separate numbers of blocks. Zero-initialise to start. */
typedef struct hcbr_i_by_item {
    const hcbr_i_text *names; /**< the source of the columns; serial: of which file */
    uint64_t serial;
    hcbr_i_item_key *columns;
    size_t column_count, column_capacity;
    hcbr_i_feature_id *ids; /**< by item of the block; HCBR_I_KNOWN_VALUE: its key has cuts */
    size_t id_capacity;
    hcbr_i_key_id *keys; /**< by item, the model's keys */
    size_t key_capacity;
    size_t *text; /**< by item, if any has a text: the number of texts before it */
    size_t text_capacity;
} hcbr_i_by_item;
hcbr_status hcbr_i_by_item_load(hcbr_i_by_item *x, const hcbr_model *m, const hcbr_i_block *block,
                                hcbr_error *err);
/** Item n of a loaded block as a feature. */
hcbr_feature hcbr_i_by_item_get(const hcbr_i_by_item *x, const hcbr_i_block *block, size_t n,
                                char room[HCBR_NUMBER_SIZE]);
/** Give item n, whose key has cuts, to the engine. */
hcbr_status hcbr_i_by_item_add(const hcbr_i_by_item *x, const hcbr_i_engine *engine, void *scorer,
                               const hcbr_i_block *block, size_t n, bool *again, hcbr_error *err);
/** Release; it may be used again. */
void hcbr_i_by_item_clear(hcbr_i_by_item *x);

/** The keys of a list in the model, by key of the list; to be released. */
hcbr_status hcbr_i_item_keys_make(hcbr_i_item_key **out, const hcbr_model *model,
                                  const hcbr_i_dict *dict, hcbr_error *err);
/** The feature of a number of the list, HCBR_I_KNOWN_VALUE or HCBR_I_NONE; *key: the model's. */
hcbr_i_feature_id hcbr_i_item_find(hcbr_i_item_key *keys, const hcbr_model *model,
                                   const hcbr_i_dict *dict, const hcbr_i_numbers *numbers,
                                   uint64_t item, hcbr_i_key_id *key);

/** A case that was gathered and scored with others. */
typedef struct hcbr_i_held {
    size_t known;
    bool values; /**< some names are values that the engine knows; they are marked among the ids */
} hcbr_i_held;

struct hcbr_decider {
    const hcbr_model *model;
    const hcbr_i_engine *engine;     /**< of the model */
    void *scorer;                    /**< its own */
    bool pairs;                      /**< supports are sums of pairs */
    const hcbr_i_emphases *emphases; /**< NULL: all features are equally important */
    hcbr_i_rule rule;
    bool thresholds;        /**< the rule has thresholds */
    bool scored;            /**< the rule is a cut or costs */
    bool own_rule;          /**< the rule is that of the model */
    double *room_of_labels; /**< to find close calls; NULL: not needed */
    double total_weight;    /**< of all past cases */
    hcbr_i_memory *memory;  /**< NULL: the memory rule is off */
    hcbr_i_pair *by_number; /**< features `n=1` for n < limit; sigma below 0: unknown */
    double most;            /**< the largest |mu| */
    uint32_t limit;
    hcbr_i_pair_sums sums;      /**< of the current case, if gathered outside the engine */
    bool others;                /**< the dictionary has names that are not numbers */
    hcbr_i_name_table *by_name; /**< NULL: not needed yet */
    hcbr_i_by_code by_code;
    hcbr_i_by_item by_item;
    struct hcbr_i_held *held; /**< cases of the current block that were scored together */
    size_t held_capacity;
    size_t held_first; /**< the first of them */
    uint32_t held_count;
    hcbr_i_feature_id *joined; /**< features of the names and the numbers of a case */
    size_t joined_capacity;
    uint32_t *marks; /**< by feature: last case that had it; NULL: not needed yet */
    uint32_t mark_count;
    uint32_t serial;         /**< number of the current case */
    double *support;         /**< by label, the scorer's */
    double *probability;     /**< by label; NULL: the model is not calibrated */
    hcbr_i_feature_id *same; /**< features of a case, each once */
    size_t same_capacity;
    hcbr_feature *unseen;
    size_t unseen_capacity;
    char *text; /**< names of unseen features that were packed */
    size_t text_capacity;
    hcbr_i_hash_table table; /**< of unseen features, to find duplicates */
    hcbr_i_hash_key key;
    uint64_t names;         /**< names decided so far */
    bool named;             /**< the current block is decided by the table of names */
    bool numeric;           /**< the current block is decided by numbers, without ids */
    bool coded;             /**< the current block is decided by codes, without ids */
    bool counts;            /**< unseen features are counted, not listed */
    hcbr_i_feature_id *ids; /**< of the names of a block */
    size_t id_capacity;
    hcbr_i_block spelled; /**< the names of a numeric block that is not decided by numbers */
    uint64_t loads;       /**< number of the loaded block, to which the ids belong */
    uint64_t spellings;   /**< numeric blocks that had to be spelled so far */
    hcbr_i_block block;   /**< the case that is resolved */
    hcbr_i_taking how;    /**< how values of columns are converted */
    hcbr_i_block taken;   /**< the current block with its columns in the form of the model */
    bool takes;           /**< `taken` replaces the block */
    uint32_t *own_key;    /**< by column of a block: its number in `taken`, + 1; 0: none yet */
    size_t own_capacity;
    hcbr_feature *features; /**< of a case of a block that becomes a row */
    size_t feature_capacity;
    char *room; /**< for packed ones */
    size_t room_capacity;
    hcbr_i_case_item *items; /**< of the case resolved last */
    size_t item_capacity;
};

/** The contributions of numbers of numeric blocks, for pairs (by_number.c). */
hcbr_status hcbr_i_by_number_need(hcbr_decider *decider, hcbr_error *err);
#define HCBR_I_NOT_GATHERED SIZE_MAX
/** Gather a case; returns how many of its features are known, or HCBR_I_NOT_GATHERED if a number is
 *  repeated or may be elsewhere in the dictionary. */
size_t hcbr_i_by_number_gather(const hcbr_decider *decider, const hcbr_i_block *block,
                               const hcbr_i_raw_case *x, hcbr_i_pair_sums *out);
bool hcbr_i_by_number_is_unseen(const hcbr_decider *decider, uint32_t number);

/** The cases of a block in the form of the model: decider->taken, if decider->takes (taken.c). */
hcbr_status hcbr_i_decider_take(hcbr_decider *decider, const hcbr_i_block *block, hcbr_error *err);

/** Room to decide a case of `longest` names (resolve.c). */
hcbr_status hcbr_i_decider_need_room(hcbr_decider *decider, size_t longest, hcbr_error *err);
/** Look all names of a block up, those of a numeric one too. */
hcbr_status hcbr_i_decider_find_names(hcbr_decider *decider, const hcbr_i_block *block,
                                      hcbr_error *err);
/** The unseen features of a case, each once; returns how many. */
size_t hcbr_i_decider_list_unseen(hcbr_decider *decider, const hcbr_i_block *block,
                                  const hcbr_i_raw_case *x);
/** Mark a new case. After 2^32 cases serials start again and all marks are cleared. */
void hcbr_i_decider_mark(hcbr_decider *decider);
/** The known features among some, each once. */
hcbr_status hcbr_i_decider_unique(hcbr_decider *decider, const hcbr_i_feature_id *ids, size_t count,
                                  hcbr_i_feature_id *out, size_t *out_count, hcbr_error *err);

/** hcbr_decider_create(), without the tables of names if all cases are numbers. */
hcbr_status hcbr_i_decider_create(hcbr_decider **out, const hcbr_model *model,
                                  const hcbr_rule *rule, bool names, hcbr_error *err);

/** A decider of the same model that decides by the same rule. */
hcbr_status hcbr_i_decider_clone(hcbr_decider **out, const hcbr_decider *decider, hcbr_error *err);

/** A case by the numbers of another dictionary, each feature once. */
typedef struct hcbr_i_numbered_case {
    const hcbr_i_dict *dict;           /**< names of the numbers */
    const hcbr_i_feature_id *features; /**< numbers there */
    size_t count;
    const hcbr_i_feature_id *known; /**< by number there: the model's, HCBR_I_NONE if unseen */
    const hcbr_i_numbers *numbers;  /**< separate numbers; may be NULL */
    uint64_t first_item, item_count;
    hcbr_i_item_key *keys; /**< by key there */
} hcbr_i_numbered_case;

/** Decide such a case: all fields of decision except row, id, given and the names of unseen
 *  features. */
hcbr_status hcbr_i_decider_run_numbered(hcbr_decider *decider, const hcbr_i_numbered_case *x,
                                        hcbr_decision *decision, hcbr_error *err);

/** The number of a value of a key with cuts. False: it has none, or the key has no cuts. */
bool hcbr_i_decider_is_number(const hcbr_decider *decider, hcbr_i_key_id key,
                              const hcbr_feature *feature, double *number);
/** Give a known value that is not a feature to the engine. */
hcbr_status hcbr_i_decider_add_number(hcbr_decider *decider, const hcbr_i_case_item *item,
                                      bool *again, hcbr_error *err);

/**
 * Resolve a case: each name is looked up once, numbers of keys with cuts by their keys alone. Known
 * features come first, then the others, both in their order.
 *
 * @param out receives the case, whose items are valid until the next one is resolved; names that no
 *            past case has are those given.
 */
hcbr_status hcbr_i_decider_resolve(hcbr_decider *decider, const hcbr_feature *features,
                                   size_t count, hcbr_i_case *out, hcbr_error *err);
/** The same for a block that is one case; its cases are set. */
hcbr_status hcbr_i_decider_resolve_view(hcbr_decider *decider, hcbr_i_block *view, hcbr_i_case *out,
                                        hcbr_error *err);

/** A resolved case and its texts (row.c). */
struct hcbr_row {
    const hcbr_model *model;
    uint64_t serial; /**< that no other row of the process has */
    bool listed;     /**< as in hcbr_i_taking */
    hcbr_i_case x;
    hcbr_row_info info;
    const hcbr_feature *unseen; /**< what no past case has, each once */
    size_t unseen_count;
};
/** A row of case x of a block; texts: how many items of the block before its own have a text. */
hcbr_status hcbr_i_row_make(hcbr_row **out, hcbr_decider *decider, const hcbr_i_block *block,
                            const hcbr_i_raw_case *x, size_t texts, hcbr_error *err);
/** Decide a row of the model. */
hcbr_status hcbr_i_decider_run_row(hcbr_decider *decider, const hcbr_row *row,
                                   hcbr_decision *decision, hcbr_error *err);
/** Whether a row may be a past case, by its id, or its row and label, without its values. */
bool hcbr_i_row_may_be_past(const hcbr_model *model, const hcbr_row_info *info);
/** See hcbr_stream_find_itself(). */
hcbr_status hcbr_i_row_find_itself(const hcbr_row *row, uint64_t *out, hcbr_error *err);
/** HCBR_EUSAGE: a row of another model. */
hcbr_status hcbr_i_row_check(const hcbr_row *row, const hcbr_model *model, hcbr_error *err);
/** Decide a resolved case: all fields of decision except row, id, given and the names of unseen
 *  features. */
hcbr_status hcbr_i_decider_run_case(hcbr_decider *decider, const hcbr_i_case *x,
                                    hcbr_decision *decision, hcbr_error *err);

/** Room to decide any case of the block, and decider->ids for all its names if they are needed. */
hcbr_status hcbr_i_decider_load(hcbr_decider *decider, const hcbr_i_block *block, hcbr_error *err);

/** Whether numeric blocks pay off: not if names are needed anyway, or most had to be spelled so
 *  far. */
bool hcbr_i_decider_wants_numbers(const hcbr_decider *decider);

/** Decide case c of a loaded block. Sets all fields of decision except row, id and given. */
hcbr_status hcbr_i_decider_run(hcbr_decider *decider, const hcbr_i_block *block, size_t c,
                               hcbr_decision *decision, hcbr_error *err);

/** hcbr_stream_next() without the decision: sets only row, id and given, and looks no name up. For
 *  streams of one thread. */
hcbr_status hcbr_i_stream_read(hcbr_stream *stream, hcbr_decision *decision, int *more,
                               hcbr_error *err);
/** Report the number of known features of a case that was only read: at the end the stream warns if
 *  nothing was known of any. */
void hcbr_i_stream_note(hcbr_stream *stream, uint64_t known);
/** The same for a decision; its values that do not fit their columns are counted. */
hcbr_status hcbr_i_stream_note_decision(hcbr_stream *stream, const hcbr_decision *decision,
                                        hcbr_error *err);
/** Warn of such values, once all decisions are noted. */
void hcbr_i_stream_warn(hcbr_stream *stream);
/** The rule of its decisions; borrowed. */
const hcbr_i_rule *hcbr_i_stream_rule(const hcbr_stream *stream);

#endif
