/**
 * @file cases.h
 * From raw cases to integers: a dictionary of features and the case base as sets of their numbers.
 *
 * Features are numbered in order of first appearance (case by case, left to right), labels in the
 * fixed order of METHOD 3 once the case base is finished. No hash order reaches either.
 */
#ifndef HCBR_I_CASES_H
#define HCBR_I_CASES_H

#include "base/base.h"
#include "cases/prior.h"
#include "cases/schema.h"
#include "kinds/kinds.h"
#include "read/read.h"

#define HCBR_I_NONE UINT32_MAX           /* no such feature, key, atom */
#define HCBR_I_MOST_FEATURES 0x7FFFFFFFu /* a bit is left to the partition */
#define HCBR_I_MOST_CASES 0xFFFFFFFEu
#define HCBR_I_SLACK 64 /* readable elements after a case base's features, for prefetching */

typedef uint32_t hcbr_i_feature_id;
typedef uint32_t hcbr_i_key_id;

/* ---- dictionary (dict.c): names <-> numbers -------------------------------------------------- */

/** Names of features and their numbers. Keys are numbered by first use. Shared by case base and
 * model (reference counted). */
typedef struct hcbr_i_dict hcbr_i_dict;

hcbr_status hcbr_i_dict_create(hcbr_i_dict **out, uint64_t hash_seed, hcbr_error *err);

/** The key of its hashes, for hashes of other data with the same lifetime. */
const hcbr_i_hash_key *hcbr_i_dict_hash_key(const hcbr_i_dict *dict);
hcbr_i_dict *hcbr_i_dict_share(hcbr_i_dict *dict);
void hcbr_i_dict_release(hcbr_i_dict *dict);

uint32_t hcbr_i_dict_count(const hcbr_i_dict *dict);
/** An upper limit of the bytes of a key and value together. */
size_t hcbr_i_dict_longest(const hcbr_i_dict *dict);
uint32_t hcbr_i_dict_key_count(const hcbr_i_dict *dict);
/** Approximate size of the names: their text, and HCBR_I_GRAM_BYTES for each. */
uint64_t hcbr_i_dict_bytes(const hcbr_i_dict *dict);
hcbr_i_text hcbr_i_dict_key(const hcbr_i_dict *dict, hcbr_i_key_id key);
/** Whether there are features and each is `n=1` for a number n of at most 7 digits. */
bool hcbr_i_dict_has_numbers(const hcbr_i_dict *dict);
/** The number n of such a feature. */
uint32_t hcbr_i_dict_get_number(const hcbr_i_dict *dict, hcbr_i_feature_id id);
/** The text of all keys, one after the other in the order of their numbers. Absent, with the right
 *  length, if all are numbers and the text is not in memory in this form. */
hcbr_i_text hcbr_i_dict_key_bytes(const hcbr_i_dict *dict);
/** The same of all values, in the order of the features. */
hcbr_i_text hcbr_i_dict_value_bytes(const hcbr_i_dict *dict);
/** Number of a key, or HCBR_I_NONE. Needs the tables. */
hcbr_i_key_id hcbr_i_dict_find_key(const hcbr_i_dict *dict, const char *key, size_t length);

typedef struct hcbr_i_dict_feature {
    hcbr_i_key_id key;
    uint32_t value_length;
    const char *value; /**< NULL: a bare key */
} hcbr_i_dict_feature;
hcbr_i_dict_feature hcbr_i_dict_get(const hcbr_i_dict *dict, hcbr_i_feature_id id);

/** Number of a feature, or HCBR_I_NONE. value NULL: a bare key. Needs the tables. */
hcbr_i_feature_id hcbr_i_dict_find(const hcbr_i_dict *dict, const char *key, size_t key_length,
                                   const char *value, size_t value_length);

/** Whether, in each key whose values are all numbers, every value is its canonical text. */
hcbr_status hcbr_i_dict_check_numbers(const hcbr_i_dict *dict, bool *canonical, hcbr_error *err);

/** Declare the names complete: from now on a number is found in any spelling. */
void hcbr_i_dict_settle(hcbr_i_dict *dict);
#define HCBR_I_LONGEST_SPELLING 400 /* bytes of a number that is looked up in other spellings */
/**
 * Whether an unknown name may be in the dictionary under the canonical text of its number.
 *
 * @param out receives that name, with its value in `room`.
 */
bool hcbr_i_dict_respell(const hcbr_i_dict *dict, const hcbr_feature *x,
                         char room[HCBR_I_LONGEST_SPELLING + HCBR_NUMBER_SIZE], hcbr_feature *out);

/** Whether the feature has this key and value. */
bool hcbr_i_dict_is(const hcbr_i_dict *dict, hcbr_i_feature_id id, const hcbr_feature *x);

/** Features `n=1` with n below this number are found in an array, all others in tables. */
uint32_t hcbr_i_dict_limit(const hcbr_i_dict *dict);
/** Whether all features are such numbers. */
bool hcbr_i_dict_is_numeric(const hcbr_i_dict *dict);
/** The features `n=1`, each plus 1, or 0, for all n below the limit. Borrowed; needs the tables. */
const uint32_t *hcbr_i_dict_get_numbers(const hcbr_i_dict *dict);

#ifdef HCBR_FAULTS
/** Tests: names and keys looked up so far. */
extern _Atomic(uint64_t) hcbr_i_dict_lookups;
/** Tests: slots of the table of numbers moved between two progress calls. */
extern size_t hcbr_i_spell_moved;
#endif

/**
 * Numbers of all names of a block, HCBR_I_NONE for unknown ones, repeated ones included. Changes
 * nothing. Needs the tables.
 */
void hcbr_i_dict_find_block(const hcbr_i_dict *dict, const hcbr_i_block *block,
                            hcbr_i_feature_id *out);

/** By key: whether the values of all its features are numbers; true for a key without features.
 * Returns HCBR_OK, or HCBR_ECANCELLED if `watch`, which may be NULL, asked to stop. */
hcbr_status hcbr_i_dict_number_keys(const hcbr_i_dict *dict, bool *numbers,
                                    const hcbr_i_watch *watch, hcbr_error *err);

/** Number of a key, added without a feature if it is new. */
hcbr_status hcbr_i_dict_add_key(hcbr_i_dict *dict, const char *key, size_t length,
                                hcbr_i_key_id *out, hcbr_error *err);

/** Number of the feature `n=1` for any n, or HCBR_I_NONE. Needs the tables. */
hcbr_i_feature_id hcbr_i_dict_find_number(const hcbr_i_dict *dict, uint32_t n);

/**
 * Numbers of the features of a block's cases: new names are added, duplicates left out.
 *
 * @param serial    number of the block's first case; the others follow. No number is used twice.
 * @param out       room for block->name_count numbers; cases follow each other.
 * @param lengths   room for block->case_count: the number of features of each case.
 * @return HCBR_OK, HCBR_EDATA (too many features) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_dict_intern(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                               hcbr_i_feature_id *out, uint32_t *lengths, hcbr_error *err);

/**
 * The same for a numeric block.
 *
 * @param far receives how many names were looked up one by one, because their numbers are not below
 *            hcbr_i_dict_limit(). If they are many, names are faster.
 */
hcbr_status hcbr_i_dict_intern_cases(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                                     hcbr_i_feature_id *out, uint32_t *lengths, size_t *far,
                                     hcbr_error *err);

/**
 * Numbers of the features `n=1` for different numbers of at most 7 digits; new ones are added in
 * their order.
 *
 * @param serial number of a case, as in hcbr_i_dict_intern().
 */
hcbr_status hcbr_i_dict_intern_numbers(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                                       uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err);

/** All names of a loaded file; the lengths were checked against the texts. */
typedef struct hcbr_i_dict_names {
    uint32_t key_count, feature_count;
    const uint32_t *key_lengths;
    const uint32_t *keys;          /**< of the features, by first use */
    const uint32_t *value_lengths; /**< of the features; HCBR_I_NONE: a bare key */
    hcbr_i_text key_text, value_text;
} hcbr_i_dict_names;
/** For a loader: fill an empty dictionary. Needs hcbr_i_dict_build() next. */
hcbr_status hcbr_i_dict_load(hcbr_i_dict *dict, const hcbr_i_dict_names *names, hcbr_error *err);
/** The same for features `n=1`: numbers of at most 7 digits, as little-endian bytes. */
hcbr_status hcbr_i_dict_load_numbers(hcbr_i_dict *dict, const unsigned char *numbers,
                                     uint32_t count, hcbr_error *err);
#define HCBR_I_DICT_MOST_NUMBER 9999999u
/**
 * For a loader: make the tables. HCBR_EFORMAT for a duplicate name: *key_twice or *feature_twice is
 * then the number of the second one, HCBR_I_NONE otherwise.
 */
hcbr_status hcbr_i_dict_build(hcbr_i_dict *dict, hcbr_i_key_id *key_twice,
                              hcbr_i_feature_id *feature_twice, hcbr_error *err);
/** Append a new key, or a new feature of a key (value NULL: bare), in the caller's order. Tables
 *  are not updated. */
hcbr_status hcbr_i_dict_put_key(hcbr_i_dict *dict, const char *key, size_t length, hcbr_error *err);
hcbr_status hcbr_i_dict_put(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value, size_t length,
                            hcbr_error *err);
/** Remove all but the first `features` features and `keys` keys, after a failed call. */
void hcbr_i_dict_truncate(hcbr_i_dict *dict, uint32_t features, uint32_t keys);
/** Release the hash tables; names stay. */
void hcbr_i_dict_drop_tables(hcbr_i_dict *dict);
/** Make the hash tables again if they were dropped. Any thread may call it at any time. */
hcbr_status hcbr_i_dict_need_tables(hcbr_i_dict *dict, hcbr_error *err);

/* ---- labels (labels.c) ----------------------------------------------------------------------- */

typedef struct hcbr_i_labels {
    char **names; /**< NUL-terminated, in the fixed order once sorted */
    uint32_t *lengths;
    uint32_t count;
    size_t capacity;
    hcbr_i_hash_table table; /**< of all labels; empty for a list that was sorted or loaded */
    hcbr_i_hash_key key;
} hcbr_i_labels;

/** Number of a label, added if new. */
hcbr_status hcbr_i_labels_intern(hcbr_i_labels *labels, const char *name, size_t length,
                                 uint32_t *out, hcbr_error *err);
/** Number of a label, or HCBR_I_NONE. */
uint32_t hcbr_i_labels_find(const hcbr_i_labels *labels, const char *name, size_t length);
/** Name of a label, NUL-terminated; borrowed. length may be NULL. */
const char *hcbr_i_labels_name(const hcbr_i_labels *labels, hcbr_label label, size_t *length);
/** Put into the fixed order of METHOD 3; map[old number] receives the new one (count of them). */
hcbr_status hcbr_i_labels_sort(hcbr_i_labels *labels, uint32_t *map, hcbr_error *err);
/** Whether names, counts and lengths are those of different labels in the fixed order. */
bool hcbr_i_labels_sorted(const hcbr_i_labels *labels);
hcbr_status hcbr_i_labels_copy(hcbr_i_labels *out, const hcbr_i_labels *labels, hcbr_error *err);
/** Remove all but the first `count` labels, after a failed call. */
void hcbr_i_labels_truncate(hcbr_i_labels *labels, uint32_t count);
void hcbr_i_labels_clear(hcbr_i_labels *labels);

/** Called when all cases are added: make ranges of labels, or refuse labels that look like
 *  measurements (label_bins.c). Labels are not in order yet. */
hcbr_status hcbr_i_cases_settle_labels(struct hcbr_cases *cases, hcbr_error *err);

/* ---- separate numbers (numbers.c) ------------------------------------------------------------ */

/**
 * Separate numbers: the numbers of a case base that are not in the dictionary, by case and key. A
 * key may also have words (`>90`, `refused`), which are features like any other, and a case may
 * have several numbers of a key.
 */
typedef struct hcbr_i_numbers {
    uint64_t *start; /**< case i has items start[i] .. start[i+1]; NULL: no items */
    size_t start_capacity;
    double *value;
    size_t value_capacity;
    hcbr_i_key_id *key; /**< numbered by the dictionary, which may have no feature of it */
    size_t key_capacity;
    uint8_t *spelling; /**< HCBR_I_SPELLED_*; NULL: all are SHORTEST */
    size_t spelling_capacity;
    uint64_t *other; /**< items spelled OTHER or WIDE, ascending ... */
    size_t other_count, other_capacity;
    uint64_t *text_start; /**< ... and their texts: text[text_start[j] .. text_start[j+1]) */
    size_t text_start_capacity;
    char *text;
    size_t text_capacity;
} hcbr_i_numbers;

/** The text of an item as it was read. `room` is used if the text is not stored. */
hcbr_i_text hcbr_i_numbers_text(const hcbr_i_numbers *numbers, uint64_t item,
                                char room[HCBR_NUMBER_SIZE]);

void hcbr_i_numbers_clear(hcbr_i_numbers *numbers);

/** Store the text of an item, which must be above all items with one. false: out of memory. */
bool hcbr_i_numbers_keep_text(hcbr_i_numbers *numbers, uint64_t item, hcbr_i_text text);

/** Release the numbers, but not their counts by case. */
void hcbr_i_numbers_drop(hcbr_i_numbers *numbers);

/** The number of items of all cases. */
uint64_t hcbr_i_cases_item_count(const struct hcbr_cases *cases);

/**
 * Number the keys of a list by first appearance, in each case those of features before those of
 * numbers; unused keys are removed. A list without separate numbers stays as it is: features number
 * its keys. On failure nothing has changed.
 */
hcbr_status hcbr_i_cases_order_keys(struct hcbr_cases *cases, hcbr_error *err);
/** Number features and keys of a list without separate numbers by first appearance, as reading
 * does. On failure nothing has changed. `watch` may be NULL. */
hcbr_status hcbr_i_cases_order_features(struct hcbr_cases *cases, const hcbr_i_watch *watch,
                                        hcbr_error *err);

/**
 * A copy of a finished case base without separate numbers in which numbers are separate. Other
 * values stay features.
 */
hcbr_status hcbr_i_cases_set_apart(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                   hcbr_error *err);
/**
 * A copy of a finished case base in which numbers are features, after the other features of the
 * case, by ascending key. In a key whose values are all numbers, equal ones are one feature, with
 * the canonical text. `progress` gets cases in `stage`; may be NULL.
 */
hcbr_status hcbr_i_cases_spell(struct hcbr_cases **out, const struct hcbr_cases *cases,
                               const char *stage, hcbr_progress_fn *progress, void *context,
                               hcbr_error *err);

/** Room for the bytes of a value besides those of its key and text. */
#define HCBR_I_DIGEST_ROOM (HCBR_NUMBER_SIZE + 2)
/**
 * The hash of key and value for fingerprints (digest.c; docs/FORMAT.md, section 4).
 *
 * @param numbers all values of the key are numbers.
 * @param scratch room for key, value and HCBR_I_DIGEST_ROOM.
 */
void hcbr_i_digest_value(uint64_t hash[2], char *scratch, hcbr_i_text key, hcbr_i_text value,
                         bool numbers);
/**
 * The sum over the cases and their values of hash * mix(number of the case), each half modulo 2^64:
 * the same for every form of a list.
 *
 * @param occurrences receives the number of values added: spellings of one number in a case count
 *                    once.
 * @param watch may be NULL.
 */
hcbr_status hcbr_i_cases_digest(uint64_t digest[2], uint64_t *occurrences,
                                const struct hcbr_cases *cases, uint32_t threads,
                                const hcbr_i_watch *watch, hcbr_error *err);

/** Report how many cases, from this one on, have the id of an earlier one, unless groups are known
 *  (different.c). */
hcbr_status hcbr_i_cases_warn_ids(const struct hcbr_cases *cases, uint32_t from,
                                  hcbr_notify_fn *notify, void *context, hcbr_error *err);
/** By case the sum of the hashes of its values: equal only for cases with equal values. */
hcbr_status hcbr_i_cases_hash(uint64_t (*hash)[2], const struct hcbr_cases *cases,
                              const hcbr_i_watch *watch, hcbr_error *err);
/** The number of different values: features and separate numbers. */
hcbr_status hcbr_i_cases_value_count(uint32_t *out, const struct hcbr_cases *cases,
                                     const hcbr_i_watch *watch, hcbr_error *err);

/**
 * Merge features that are equal numbers, in keys with numbers only (equal.c).
 *
 * @param known `count` features of it, or HCBR_I_NONE; receives their new numbers.
 */
hcbr_status hcbr_i_cases_merge_equal(struct hcbr_cases *cases, hcbr_i_feature_id *known,
                                     uint32_t count, hcbr_error *err);

/** A copy of a list without its dictionary, features and numbers (apart.c). */
hcbr_status hcbr_i_cases_copy_frame(struct hcbr_cases **out, const struct hcbr_cases *from,
                                    hcbr_error *err);

/* ---- case base (cases.c) --------------------------------------------------------------------- */

/** The case base X: hcbr_cases of the public API. */
struct hcbr_cases {
    hcbr_i_watch watch; /**< the observer while the list is finished */
    hcbr_i_dict *dict;
    hcbr_i_labels labels;
    uint32_t case_count;
    uint32_t empty_count;
    uint64_t *start; /**< case i has features[start[i] .. start[i+1]) */
    size_t start_capacity;
    hcbr_i_feature_id *features;
    size_t feature_capacity;
    uint32_t *label; /**< y, a number of labels */
    size_t label_capacity;
    uint64_t *row; /**< data row, from 1; NULL while row i is case i - 1 */
    size_t row_capacity;
    char *ids; /**< names of cases, one after the other; case i has ids[id_start[i]..) */
    size_t id_bytes, id_capacity;
    uint64_t *id_start; /**< NULL while no case has an id */
    size_t id_start_capacity;
    uint64_t *group; /**< by case: a hash of its group's name, never 0; 0: no name, which is a group
                          as well. NULL while no case has a group. Held-out parts, in training too,
                          never divide a group. The hash depends on the name alone, so draws by it
                          do not depend on the order of the rows */
    size_t group_capacity;
    double *weight; /**< above 0; NULL while all are 1 */
    size_t weight_capacity;
    uint64_t rows; /**< data rows seen, skipped ones too */
    uint64_t skipped, bytes;
    hcbr_i_text *columns; /**< of the first csv or tsv file with features; NULL: none */
    size_t column_count;
    hcbr_i_arena column_text;
    bool unlabelled;  /**< no file had a label, and none was needed */
    char *label_name; /**< column or key of the labels; NULL: "label" */
    char *bins;       /**< the ranges of labels: of a finished list their cuts; NULL: no ranges */
    uint32_t *least;  /**< by key: minimal number of cases, see rare.c; no minimum for further
                           keys */
    size_t least_count, least_capacity;
    hcbr_i_numbers numbers; /**< separate numbers; empty unless `apart` */
    bool apart;             /**< numbers are separate; else they are features with their spelling */
    bool as_read;           /**< spellings of one number are different features */
    bool formed;            /**< the first cases were added, which fixes the form of all */
    hcbr_i_schema *schema;  /**< its columns and their kinds; NULL: not judged */
    hcbr_i_schema *doubts;  /**< strict: columns that are not changed but may have another
                                 meaning */
    bool understood;        /**< the columns already have the form of the schema */
    hcbr_i_asked *asked;    /**< options about columns */
    size_t asked_count, asked_capacity;
    uint8_t dates;              /**< hcbr_i_order of dates with two readings */
    hcbr_i_beliefs *beliefs;    /**< beliefs, at the end of the cases; NULL: none */
    bool tabled, untabled;      /**< rows of tables were read, and other cases */
    bool strict;                /**< no guesses */
    bool listed;                /**< options list all values that mean missing */
    uint32_t ngrams, min_count; /**< of texts */
    bool keep_rare;             /**< rare words stay; subsets remove them */
    bool judged;                /**< labels must not be measurements */
    bool finished;
    bool consumed; /**< a model has used up the features */
};

/**
 * Some cases of a base as a base of their own (subset.c), equal to what reading just their rows
 * gives: features are numbered by first appearance in them, only their labels are present, rows
 * count from 1, words in too few of them are left out. It is finished.
 *
 * @param base  finished and not used up; not changed.
 * @param which numbers of cases, ascending; at least one.
 * @param known receives by feature of base its number in the subset, or HCBR_I_NONE.
 * @param label receives by label of the subset its number in base; room for the labels of base.
 */
hcbr_status hcbr_i_cases_subset(struct hcbr_cases **out, const struct hcbr_cases *base,
                                const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                uint32_t *label, hcbr_error *err);

/** The same, but words that too few of them have stay, and a case may be there several times;
 *  `which` is in any order. */
hcbr_status hcbr_i_cases_copy(struct hcbr_cases **out, const struct hcbr_cases *base,
                              const uint32_t *which, uint32_t count, hcbr_error *err);

/**
 * All cases of a base without some features (subset.c), equal to what reading them without these
 * values gives; a case may become empty. Labels, rows, names, groups and weights stay.
 *
 * @param drop by feature of base: leave it out.
 */
hcbr_status hcbr_i_cases_without(struct hcbr_cases **out, const struct hcbr_cases *base,
                                 const bool *drop, hcbr_error *err);

/**
 * The information gain of each feature about the labels of some cases (telling.c).
 *
 * @param list numbers of cases; NULL: the first `count`.
 */
hcbr_status hcbr_i_cases_gains(double *gain, const struct hcbr_cases *cases, const uint32_t *list,
                               uint32_t count, hcbr_error *err);
/** Choose the features to drop so that this share of them stays, with all that tie with the last of
 *  them. */
hcbr_status hcbr_i_cases_drop_dull(bool *drop, const struct hcbr_cases *cases, const uint32_t *list,
                                   uint32_t count, double share, hcbr_error *err);

/** Find the keys whose numbers are not features for the caller; no case has two values of such a
 *  key. by_key receives the result by key of the list. */
typedef hcbr_status hcbr_i_number_keys_fn(void *context, const struct hcbr_cases *cases,
                                          bool *by_key, hcbr_error *err);
/**
 * A copy of a finished list without the features that fewer than `least` cases have, and without
 * the number columns that fewer have (common.c). Each case counts once, whatever its weight.
 *
 * Other values are left out first: the rest of a column may be numbers alone.
 *
 * @param number_keys finds the columns whose numbers are not features; NULL: all values are
 *                    features.
 */
hcbr_status hcbr_i_cases_common(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                uint32_t least, hcbr_i_number_keys_fn *number_keys, void *context,
                                hcbr_error *err);

/** Mark the keys that are words of the reader's texts, with the minimal number of cases. */
hcbr_status hcbr_i_cases_mark_words(hcbr_cases *cases, const hcbr_i_reader *reader,
                                    uint32_t min_count, hcbr_error *err);
/** Remove words that are in too few cases. The case base is complete, but not finished. */
hcbr_status hcbr_i_cases_drop_rare(hcbr_cases *cases, hcbr_error *err);

/**
 * Append features of the public API to a block, checked to be UTF-8 without NUL. Text is not
 * copied.
 */
hcbr_status hcbr_i_block_fill(hcbr_i_block *block, const hcbr_feature *features, size_t count,
                              hcbr_error *err);

#endif
