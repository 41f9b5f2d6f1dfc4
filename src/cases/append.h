/**
 * @file append.h
 * Adding cases to a case base (append.c), block by block or from the chunks of a large file
 * (lanes.c); private to src/cases.
 */
#ifndef HCBR_I_APPEND_H
#define HCBR_I_APPEND_H

#include "cases/cases.h"

/** The state of a case base before an addition. */
typedef struct hcbr_i_append_mark {
    hcbr_cases before;
    uint32_t features, keys;
} hcbr_i_append_mark;

hcbr_i_append_mark hcbr_i_append_begin(const hcbr_cases *cases);
/** Undo all additions since the mark; case_count and empty_count must not have changed yet. */
void hcbr_i_append_undo(hcbr_cases *cases, const hcbr_i_append_mark *mark);

/** Make room for `more` cases and their features; nothing is counted yet. */
hcbr_status hcbr_i_append_room(hcbr_cases *cases, size_t more, size_t occurrences, hcbr_error *err);
/** Row, id, group and weight of a case; its number is one above the last one's. */
hcbr_status hcbr_i_append_place(hcbr_cases *cases, uint32_t number, uint64_t row, hcbr_i_text id,
                                hcbr_i_text group, double weight, hcbr_error *err);

/* ---- coded blocks (coded.c) ------------------------------------------------------------------ */

/** The codes of a reader as features of a dictionary. Zero-initialise to start. */
typedef struct hcbr_i_coded {
    const hcbr_i_values *values; /**< the reader's values, with the file that `serial` names */
    uint64_t serial;
    hcbr_i_feature_id *feature; /**< by code; HCBR_I_NONE: not known yet */
    size_t known, capacity;     /**< number of codes */
    hcbr_i_block rest;          /**< names that had to be looked up */
    hcbr_i_feature_id *found;   /**< their features */
    size_t found_capacity;
    hcbr_i_raw_case *cases;
    uint32_t *lengths;
    size_t case_capacity;
} hcbr_i_coded;

/** The columns of a file as keys of a dictionary. Zero-initialise to start. */
typedef struct hcbr_i_column_keys {
    uint64_t serial;    /**< of the file */
    hcbr_i_key_id *key; /**< by column; HCBR_I_NONE: not known yet */
    size_t count, capacity;
} hcbr_i_column_keys;

/** hcbr_i_dict_intern() for a coded block. If the call, or a later one for the same cases, fails
 *  and is undone, the stored codes are wrong: clear them. */
hcbr_status hcbr_i_coded_intern(hcbr_i_coded *coded, hcbr_i_dict *dict, const hcbr_i_block *block,
                                uint32_t serial, hcbr_i_feature_id *out, uint32_t *lengths,
                                hcbr_error *err);
/** hcbr_i_dict_find_block() for a coded block; `rest` has the unknown names, in their order. */
hcbr_status hcbr_i_coded_find(hcbr_i_coded *coded, const hcbr_i_dict *dict,
                              const hcbr_i_block *block, hcbr_i_feature_id *out, hcbr_error *err);
/** Release. */
void hcbr_i_coded_clear(hcbr_i_coded *coded);

/**
 * Add the cases of a block, whose rows count from row_base: all of them, or none on failure.
 *
 * @param coded   for coded blocks; may be NULL for others. After a failure it can only be released.
 * @param columns for separate numbers; may be NULL if there are none.
 * @param lengths room for one number a case.
 * @param far     receives how many names of a numeric block were looked up the slow way.
 */
hcbr_status hcbr_i_append_block(hcbr_cases *cases, hcbr_i_coded *coded, hcbr_i_column_keys *columns,
                                const hcbr_i_block *block, uint64_t row_base, uint32_t *lengths,
                                size_t *far, hcbr_error *err);

/* ---- separate numbers (numbers.c) ------------------------------------------------------------ */

/** Make room for the numbers of `more` cases; nothing is counted yet. */
bool hcbr_i_numbers_room(hcbr_cases *cases, size_t more, uint64_t items, bool spelled);
/**
 * Add the numbers of a block's cases; case_count is the count before them. Duplicates within a case
 * are added once.
 */
hcbr_status hcbr_i_append_items(hcbr_cases *cases, hcbr_i_column_keys *columns,
                                const hcbr_i_block *block, hcbr_error *err);
/** Remove the items added since `before`. */
void hcbr_i_numbers_undo(hcbr_cases *cases, const hcbr_cases *before);
/** Remove duplicates within a case; *count items are left. The texts of items spelled OTHER or WIDE
 *  are in `text`, in their order, of which *texts are left. false: out of memory. */
bool hcbr_i_items_unique(hcbr_i_item *items, size_t *count, hcbr_i_text *text, size_t *texts);
/** hcbr_i_cases_drop_rare() for a list with separate numbers. */
hcbr_status hcbr_i_numbers_drop_rare(hcbr_cases *cases, hcbr_error *err);
/** Called when all cases are added: the numbers of a key become all separate or all features, and
 *  spare memory is released. */
hcbr_status hcbr_i_numbers_finish(hcbr_cases *cases, hcbr_error *err);

/** Store the columns of the reader's file unless an earlier file had some. */
hcbr_status hcbr_i_cases_keep_columns(hcbr_cases *cases, const hcbr_i_reader *reader,
                                      hcbr_error *err);
/**
 * Add all cases of a reader. On failure the list keeps the cases of earlier blocks and stays usable
 * (cases.c).
 */
hcbr_status hcbr_i_cases_add_all(hcbr_cases *cases, hcbr_i_reader *reader,
                                 const hcbr_read_options *options, hcbr_error *err);

/* ---- large files (lanes.c) ------------------------------------------------------------------- */

/** The state of the threads of one hcbr_cases_read(). */
typedef struct hcbr_i_lanes hcbr_i_lanes;

/**
 * Add the cases of the reader's next chunks, parsed and looked up by several threads.
 *
 * @param lanes    NULL at first; made when needed.
 * @param row_base rows before the reader's first.
 * @param any      receives whether there was such a round; if not, read block by block.
 */
hcbr_status hcbr_i_lanes_round(hcbr_i_lanes **lanes, hcbr_cases *cases, hcbr_i_reader *reader,
                               uint64_t row_base, bool *any, hcbr_error *err);
/** Release; NULL is fine. */
void hcbr_i_lanes_free(hcbr_i_lanes *lanes);

/* ---- new names of a round (fresh.c) ---------------------------------------------------------- */

/** Names that are not in the dictionary, numbered by first appearance in a chunk. */
typedef struct hcbr_i_fresh {
    size_t count;
    uint32_t *id;       /**< of a name `id=1` added by its id; HCBR_I_NONE: of another name */
    uint32_t *serial;   /**< last case that had it */
    size_t capacity;    /**< of both */
    hcbr_i_block names; /**< the other names, in their order; text is the arena's */
    hcbr_i_name *known; /**< the form used for lookup: long names by their hash */
    uint32_t *number;   /**< and the number of each */
    size_t known_capacity;
    hcbr_i_hash_table table; /**< of indices in names */
    hcbr_i_hash_key hash;
} hcbr_i_fresh;

/** Remove all names. false: out of memory. */
bool hcbr_i_fresh_reset(hcbr_i_fresh *fresh);
/** Number of name n of a block, added if it is new; HCBR_I_NONE: out of memory. */
uint32_t hcbr_i_fresh_intern(hcbr_i_fresh *fresh, const hcbr_i_block *block, size_t n);
/** Add the name `id=1` by its id; it is never added by name. HCBR_I_NONE: out of memory. */
uint32_t hcbr_i_fresh_add_id(hcbr_i_fresh *fresh, uint32_t id);
/** Add all of them to the dictionary, in their order; out has room for fresh->count. */
hcbr_status hcbr_i_fresh_enter(const hcbr_i_fresh *fresh, hcbr_i_dict *dict, uint32_t serial,
                               hcbr_i_feature_id *out, hcbr_error *err);
void hcbr_i_fresh_clear(hcbr_i_fresh *fresh);

#endif
