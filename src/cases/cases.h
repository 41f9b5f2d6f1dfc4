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
#define HCBR_I_SLACK 64 /* readable elements behind a case base's features, for prefetching */

typedef uint32_t hcbr_i_feature_id;
typedef uint32_t hcbr_i_key_id;

/* ---- dictionary (dict.c): names <-> numbers -------------------------------------------------- */

/** Names of features and their numbers. Keys are numbered by first use. Shared by case base and
 * model (reference counted). */
typedef struct hcbr_i_dict hcbr_i_dict;

hcbr_status hcbr_i_dict_create(hcbr_i_dict **out, uint64_t hash_seed, hcbr_error *err);

/** What its hashes are keyed with, for hashes of other things that live as long. */
const hcbr_i_hash_key *hcbr_i_dict_hash_key(const hcbr_i_dict *dict);
hcbr_i_dict *hcbr_i_dict_share(hcbr_i_dict *dict);
void hcbr_i_dict_release(hcbr_i_dict *dict);

uint32_t hcbr_i_dict_count(const hcbr_i_dict *dict);
/** No key and value have more bytes together. */
size_t hcbr_i_dict_longest(const hcbr_i_dict *dict);
uint32_t hcbr_i_dict_key_count(const hcbr_i_dict *dict);
/** What the names take, roughly: their text, and HCBR_I_GRAM_BYTES for each. */
uint64_t hcbr_i_dict_bytes(const hcbr_i_dict *dict);
hcbr_i_text hcbr_i_dict_key(const hcbr_i_dict *dict, hcbr_i_key_id key);
/** Is every feature, and there is one, `n=1` for a number n of 7 digits at the most? */
bool hcbr_i_dict_has_numbers(const hcbr_i_dict *dict);
/** This number n, if all have one. */
uint32_t hcbr_i_dict_get_number(const hcbr_i_dict *dict, hcbr_i_feature_id id);
/** The text of all keys, one after the other in the order of their numbers; absent, but with its
 *  length, if all are numbers and it does not stand like that in memory. */
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

/** Where all values of a key are numbers, does each have its canonical text? */
hcbr_status hcbr_i_dict_check_numbers(const hcbr_i_dict *dict, bool *canonical, hcbr_error *err);

/** No name will be added: a number is found from now on however it is spelled. */
void hcbr_i_dict_settle(hcbr_i_dict *dict);
#define HCBR_I_LONGEST_SPELLING 400 /* bytes of a number that is looked for in other spellings */
/**
 * A name that is not there: could it be under the canonical text of its number?
 *
 * @param out receives that name, its value in room.
 */
bool hcbr_i_dict_respell(const hcbr_i_dict *dict, const hcbr_feature *x,
                         char room[HCBR_I_LONGEST_SPELLING + HCBR_NUMBER_SIZE], hcbr_feature *out);

/** Has the feature this key and value? */
bool hcbr_i_dict_is(const hcbr_i_dict *dict, hcbr_i_feature_id id, const hcbr_feature *x);

/** Only below this number the feature `n=1` is found in an array, and only there. */
uint32_t hcbr_i_dict_limit(const hcbr_i_dict *dict);
/** Are all features such numbers? */
bool hcbr_i_dict_is_numeric(const hcbr_i_dict *dict);
/** The features `n=1`, each plus 1, or 0, for all n below the limit. Borrowed; needs the tables. */
const uint32_t *hcbr_i_dict_get_numbers(const hcbr_i_dict *dict);

#ifdef HCBR_FAULTS
/** Tests: names and keys that were looked up so far. */
extern _Atomic(uint64_t) hcbr_i_dict_lookups;
/** Tests: how many places of the table of numbers are moved between two questions. */
extern size_t hcbr_i_spell_moved;
#endif

/**
 * Numbers of all names of a block, HCBR_I_NONE for unknown ones, repeated ones included. Changes
 * nothing. Needs the tables.
 */
void hcbr_i_dict_find_block(const hcbr_i_dict *dict, const hcbr_i_block *block,
                            hcbr_i_feature_id *out);

/** By key: are the values of all its features numbers? So they are of a key without features.
 * Returns HCBR_OK, or HCBR_ECANCELLED if `watch`, which may be NULL, asked to stop. */
hcbr_status hcbr_i_dict_number_keys(const hcbr_i_dict *dict, bool *numbers,
                                    const hcbr_i_watch *watch, hcbr_error *err);

/** Number of a key, added if it is new: it has no feature then. */
hcbr_status hcbr_i_dict_add_key(hcbr_i_dict *dict, const char *key, size_t length,
                                hcbr_i_key_id *out, hcbr_error *err);

/** Number of the feature `n=1` for any n, or HCBR_I_NONE. Needs the tables. */
hcbr_i_feature_id hcbr_i_dict_find_number(const hcbr_i_dict *dict, uint32_t n);

/**
 * Numbers of the features of a block's cases: new names are added, repeated ones left out.
 *
 * @param serial    number of the block's first case; the others follow. No number is used twice.
 * @param out       room for block->name_count numbers; those of a case follow those before it.
 * @param lengths   room for block->case_count: how many each case has.
 * @return HCBR_OK, HCBR_EDATA (too many features) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_dict_intern(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                               hcbr_i_feature_id *out, uint32_t *lengths, hcbr_error *err);

/**
 * The same for a numeric block.
 *
 * @param far receives how many names were looked up one by one, because they are numbers beyond
 *            hcbr_i_dict_limit(): if they are many, names serve better.
 */
hcbr_status hcbr_i_dict_intern_cases(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                                     hcbr_i_feature_id *out, uint32_t *lengths, size_t *far,
                                     hcbr_error *err);

/**
 * Numbers of the features `n=1` for numbers of 7 digits at the most that are all different; new
 * ones are added in their order.
 *
 * @param serial number of a case, as in hcbr_i_dict_intern().
 */
hcbr_status hcbr_i_dict_intern_numbers(hcbr_i_dict *dict, const uint32_t *numbers, size_t count,
                                       uint32_t serial, hcbr_i_feature_id *out, hcbr_error *err);

/** All names at once, as a loader has them: lengths that were checked against the texts. */
typedef struct hcbr_i_dict_names {
    uint32_t key_count, feature_count;
    const uint32_t *key_lengths;
    const uint32_t *keys;          /**< of the features, by first use */
    const uint32_t *value_lengths; /**< of the features; HCBR_I_NONE: a bare key */
    hcbr_i_text key_text, value_text;
} hcbr_i_dict_names;
/** For a loader: fill an empty dictionary. Needs hcbr_i_dict_build() next. */
hcbr_status hcbr_i_dict_load(hcbr_i_dict *dict, const hcbr_i_dict_names *names, hcbr_error *err);
/** The same for features `n=1`: numbers of 7 digits at the most, as bytes, the lowest first. */
hcbr_status hcbr_i_dict_load_numbers(hcbr_i_dict *dict, const unsigned char *numbers,
                                     uint32_t count, hcbr_error *err);
#define HCBR_I_DICT_MOST_NUMBER 9999999u
/**
 * For a loader: make the tables of what was loaded. HCBR_EFORMAT if a name stands there twice:
 * *key_twice or *feature_twice is then the second one's number, HCBR_I_NONE otherwise.
 */
hcbr_status hcbr_i_dict_build(hcbr_i_dict *dict, hcbr_i_key_id *key_twice,
                              hcbr_i_feature_id *feature_twice, hcbr_error *err);
/** Append a key, and a feature of a key (value NULL: bare), that the dictionary has not; for names
 *  in an order of their own. Tables are not kept up. */
hcbr_status hcbr_i_dict_put_key(hcbr_i_dict *dict, const char *key, size_t length, hcbr_error *err);
hcbr_status hcbr_i_dict_put(hcbr_i_dict *dict, hcbr_i_key_id key, const char *value, size_t length,
                            hcbr_error *err);
/** Forget all but the first `features` features and `keys` keys: what a failed call had added. */
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
    hcbr_i_hash_table table; /**< of all labels, or of none: a list that was sorted or loaded */
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
/** Are names, counts and lengths those of different labels in the fixed order? */
bool hcbr_i_labels_sorted(const hcbr_i_labels *labels);
hcbr_status hcbr_i_labels_copy(hcbr_i_labels *out, const hcbr_i_labels *labels, hcbr_error *err);
/** Forget all but the first `count` labels: what a failed call had added. */
void hcbr_i_labels_truncate(hcbr_i_labels *labels, uint32_t count);
void hcbr_i_labels_clear(hcbr_i_labels *labels);

/** All cases were added: make ranges of labels, or refuse what looks like measurements
 *  (label_bins.c). Labels are not in order yet. */
hcbr_status hcbr_i_cases_settle_labels(struct hcbr_cases *cases, hcbr_error *err);

/* ---- numbers apart from names (numbers.c) ---------------------------------------------------- */

/**
 * The numbers of a case base that are kept apart from the dictionary: of every case the keys whose
 * values are numbers, with these. A key may have words too (`>90`, `refused`), which are features
 * like any other, and a case may have several numbers of a key.
 */
typedef struct hcbr_i_numbers {
    uint64_t *start; /**< case i has items start[i] .. start[i+1]; NULL: no case has any */
    size_t start_capacity;
    double *value;
    size_t value_capacity;
    hcbr_i_key_id *key; /**< numbered by the dictionary, which may have no feature of it */
    size_t key_capacity;
    uint8_t *spelling; /**< HCBR_I_SPELLED_*; NULL: all are the shortest */
    size_t spelling_capacity;
    uint64_t *other; /**< items that are spelled OTHER or WIDE, rising ... */
    size_t other_count, other_capacity;
    uint64_t *text_start; /**< ... and their texts: text[text_start[j] .. text_start[j+1]) */
    size_t text_start_capacity;
    char *text;
    size_t text_capacity;
} hcbr_i_numbers;

/** The text of an item as it was read. `room` is used where it is not stored. */
hcbr_i_text hcbr_i_numbers_text(const hcbr_i_numbers *numbers, uint64_t item,
                                char room[HCBR_NUMBER_SIZE]);

void hcbr_i_numbers_clear(hcbr_i_numbers *numbers);

/** Keep the text of an item, which is behind all that have one. false: out of memory. */
bool hcbr_i_numbers_keep_text(hcbr_i_numbers *numbers, uint64_t item, hcbr_i_text text);

/** Forget the numbers, but not how many each case has. */
void hcbr_i_numbers_drop(hcbr_i_numbers *numbers);

/** Numbers of all cases added up. */
uint64_t hcbr_i_cases_item_count(const struct hcbr_cases *cases);

/**
 * Number the keys of a list by first appearance, in each case those of features before those of
 * numbers; keys that no case has are gone. A list without numbers apart stays as it is: features
 * number its keys. On failure nothing has changed.
 */
hcbr_status hcbr_i_cases_order_keys(struct hcbr_cases *cases, hcbr_error *err);
/** Number features and keys of a list without numbers apart by first appearance, as reading does.
 * On failure nothing has changed. `watch` may be NULL. */
hcbr_status hcbr_i_cases_order_features(struct hcbr_cases *cases, const hcbr_i_watch *watch,
                                        hcbr_error *err);

/**
 * A copy of a finished case base without numbers apart in which they stand apart. Values that are
 * no numbers stay features.
 */
hcbr_status hcbr_i_cases_set_apart(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                   hcbr_error *err);
/**
 * A copy of a finished case base in which numbers are features, behind those the case has, by
 * rising key. In a key whose values are all numbers, equal ones are one feature, with the canonical
 * text. `progress` is told of cases in `stage`; may be NULL.
 */
hcbr_status hcbr_i_cases_spell(struct hcbr_cases **out, const struct hcbr_cases *cases,
                               const char *stage, hcbr_progress_fn *progress, void *context,
                               hcbr_error *err);

/** Room for the bytes of a value beside those of its key and text. */
#define HCBR_I_DIGEST_ROOM (HCBR_NUMBER_SIZE + 2)
/**
 * The hash of key and value, as fingerprints have it (digest.c; docs/FORMAT.md, section 4).
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
 * @param occurrences receives how many values were added: spellings of one number in a case are
 * one.
 * @param watch asked whether to go on; may be NULL.
 */
hcbr_status hcbr_i_cases_digest(uint64_t digest[2], uint64_t *occurrences,
                                const struct hcbr_cases *cases, uint32_t threads,
                                const hcbr_i_watch *watch, hcbr_error *err);

/** Say how many cases have the id of an earlier one, from this case on, unless groups are known
 *  (different.c). */
hcbr_status hcbr_i_cases_warn_ids(const struct hcbr_cases *cases, uint32_t from,
                                  hcbr_notify_fn *notify, void *context, hcbr_error *err);
/** By case the sum of the hashes of its values: the same only of cases that have the same. */
hcbr_status hcbr_i_cases_hash(uint64_t (*hash)[2], const struct hcbr_cases *cases,
                              const hcbr_i_watch *watch, hcbr_error *err);
/** How many different values there are: features, and numbers that stand apart. */
hcbr_status hcbr_i_cases_value_count(uint32_t *out, const struct hcbr_cases *cases,
                                     const hcbr_i_watch *watch, hcbr_error *err);

/**
 * Let features of a list that are equal numbers, in keys of nothing but numbers, be one (equal.c).
 *
 * @param known `count` features of it, or HCBR_I_NONE; receives their new numbers.
 */
hcbr_status hcbr_i_cases_merge_equal(struct hcbr_cases *cases, hcbr_i_feature_id *known,
                                     uint32_t count, hcbr_error *err);

/** A list with all of another but its dictionary, features and numbers (apart.c). */
hcbr_status hcbr_i_cases_copy_frame(struct hcbr_cases **out, const struct hcbr_cases *from,
                                    hcbr_error *err);

/* ---- case base (cases.c) --------------------------------------------------------------------- */

/** The case base X: hcbr_cases of the public API. */
struct hcbr_cases {
    hcbr_i_watch watch; /**< who is asked while the list is finished */
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
    uint64_t *group; /**< by case: what its group is known by, a hash of the name, never 0; 0: it
                        has none, which is a group as well. NULL while no case has one. Whoever
                        holds cases out, training too, never holds out a part of a group. The hash
                          depends on the name alone, so draws by it do not depend on the order of
                          the rows */
    size_t group_capacity;
    double *weight; /**< above 0; NULL while all are 1 */
    size_t weight_capacity;
    uint64_t rows; /**< data rows seen, skipped ones too */
    uint64_t skipped, bytes;
    hcbr_i_text *columns; /**< of the first csv or tsv file that give features; NULL: none */
    size_t column_count;
    hcbr_i_arena column_text;
    bool unlabelled;  /**< no file had a label, and none was needed */
    char *label_name; /**< column or key the labels came from; NULL: "label" */
    char *bins;       /**< what ranges labels are: of a finished list their cuts; NULL: none */
    uint32_t *least;  /**< by key: in so many cases it must be, see rare.c; the rest: any */
    size_t least_count, least_capacity;
    hcbr_i_numbers numbers; /**< those that are no features; empty unless `apart` */
    bool apart;             /**< numbers stand apart; else they are features as they are spelled */
    bool as_read;           /**< equal numbers are features of their own if spelled otherwise */
    bool formed;            /**< the first cases were added, and their form is that of all */
    hcbr_i_schema *schema;  /**< what its columns are taken for; NULL: not judged */
    hcbr_i_schema *doubts;  /**< strict: columns that stay as they are and may be meant otherwise */
    bool understood;        /**< and they are that already */
    hcbr_i_asked *asked;    /**< what options say of them */
    size_t asked_count, asked_capacity;
    uint8_t dates;              /**< hcbr_i_order of dates that could be read in two ways */
    hcbr_i_beliefs *beliefs;    /**< the last cases are some; NULL: none are */
    bool tabled, untabled;      /**< rows of tables were read, and others */
    bool strict;                /**< nothing is guessed */
    bool listed;                /**< options list all values that mean missing */
    uint32_t ngrams, min_count; /**< of texts */
    bool keep_rare;             /**< rare words stay, for subsets to leave them out */
    bool judged;                /**< labels must not be measurements */
    bool finished;
    bool consumed; /**< a model has used the features up */
};

/**
 * Some cases of a base as a base of their own (subset.c), equal to what reading just their rows
 * gives: features are numbered by first appearance in them, labels are those they have, rows count
 * from 1, words in too few of them are left out. It is finished.
 *
 * @param base  finished and not used up; not changed.
 * @param which numbers of cases, ascending; at least one.
 * @param known receives by feature of base its number in the subset, HCBR_I_NONE if it has none.
 * @param label receives by label of the subset its number in base; room for the labels of base.
 */
hcbr_status hcbr_i_cases_subset(struct hcbr_cases **out, const struct hcbr_cases *base,
                                const uint32_t *which, uint32_t count, hcbr_i_feature_id *known,
                                uint32_t *label, hcbr_error *err);

/**
 * All cases of a base without some features (subset.c), equal to what reading them without these
 * values gives; a case may lose all it has. Labels, rows, names, groups and weights stay.
 *
 * @param drop by feature of base: leave it out.
 */
hcbr_status hcbr_i_cases_without(struct hcbr_cases **out, const struct hcbr_cases *base,
                                 const bool *drop, hcbr_error *err);

/**
 * How much each feature tells the labels of some cases apart (telling.c): its information gain, 0
 * if it tells nothing.
 *
 * @param list numbers of cases; NULL: the first `count`.
 */
hcbr_status hcbr_i_cases_gains(double *gain, const struct hcbr_cases *cases, const uint32_t *list,
                               uint32_t count, hcbr_error *err);
/** Which features to leave out so that this share of them stays, and those that tell as much as the
 *  last of it. */
hcbr_status hcbr_i_cases_drop_dull(bool *drop, const struct hcbr_cases *cases, const uint32_t *list,
                                   uint32_t count, double share, hcbr_error *err);

/** Which keys of a list have numbers that are no features for the one who asks; no case has two
 *  values of such a key. by_key receives them by key of the list. */
typedef hcbr_status hcbr_i_number_keys_fn(void *context, const struct hcbr_cases *cases,
                                          bool *by_key, hcbr_error *err);
/**
 * A copy of a finished list without the features that fewer than `least` cases have, and without
 * their columns of numbers that fewer have (common.c). Each case counts once, whatever its weight.
 *
 * Values that are no numbers are left out first: what is left of a column may be numbers alone.
 *
 * @param number_keys tells the columns whose numbers are no features; NULL: all values are some.
 */
hcbr_status hcbr_i_cases_common(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                uint32_t least, hcbr_i_number_keys_fn *number_keys, void *context,
                                hcbr_error *err);

/** Remember which keys are words of what the reader read, and in how many cases they must be. */
hcbr_status hcbr_i_cases_mark_words(hcbr_cases *cases, const hcbr_i_reader *reader,
                                    uint32_t min_count, hcbr_error *err);
/** Leave words out that are in too few cases. The case base is complete, but not finished. */
hcbr_status hcbr_i_cases_drop_rare(hcbr_cases *cases, hcbr_error *err);

/**
 * Append features given to the public API to a block, checked to be UTF-8 without NUL. Text is not
 * copied.
 */
hcbr_status hcbr_i_block_fill(hcbr_i_block *block, const hcbr_feature *features, size_t count,
                              hcbr_error *err);

#endif
