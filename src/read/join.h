/**
 * @file join.h
 * Joined sources, shared by join.c (use) and join_load.c (reading); private to src/read.
 */
#ifndef HCBR_I_JOIN_H
#define HCBR_I_JOIN_H

#include "read/parse.h"

/** Different texts, numbered by first appearance. */
typedef struct hcbr_i_texts {
    hcbr_i_text *all;
    size_t count, capacity;
    hcbr_i_hash_table table;
    hcbr_i_arena bytes;
} hcbr_i_texts;

void hcbr_i_texts_clear(hcbr_i_texts *t);
/** Number of a text, or UINT32_MAX. */
uint32_t hcbr_i_texts_find(const hcbr_i_texts *t, const hcbr_i_hash_key *key, hcbr_i_text text);
/** The same, added if it is new. UINT32_MAX: out of memory. */
uint32_t hcbr_i_texts_intern(hcbr_i_texts *t, const hcbr_i_hash_key *key, hcbr_i_text text);

typedef struct hcbr_i_joined_row {
    size_t first, count; /**< its names in the source */
} hcbr_i_joined_row;

/** A row with a value of the key, and the next one with that value. */
typedef struct hcbr_i_joined_link {
    uint32_t row, next; /**< UINT32_MAX: none */
} hcbr_i_joined_link;

/** One source. */
typedef struct hcbr_i_joined {
    const char *path, *name; /**< NUL-terminated, in the text of all */
    hcbr_i_text key;         /**< NUL-terminated too */
    hcbr_i_text prefix;      /**< the name and a dot */
    hcbr_read_options options;
    hcbr_i_hash_key hash;
    hcbr_i_texts values;     /**< of the key */
    hcbr_i_texts keys;       /**< of the features, with their prefix */
    size_t first_value;      /**< number of the first value among those of all sources */
    uint32_t *first_link;    /**< by value */
    uint32_t *last_link;     /**< by value, while it is read */
    size_t link_capacity[2]; /**< of the two */
    hcbr_i_joined_link *links;
    size_t link_count, links_capacity;
    hcbr_i_joined_row *rows;
    size_t row_count, row_capacity;
    hcbr_i_name *names; /**< as in a block */
    size_t name_count, name_capacity;
    hcbr_i_long_name *longs;
    size_t long_count, long_capacity;
    hcbr_i_arena text; /**< values that are long */
    uint64_t bytes;    /**< that were read */

    atomic_bool *used; /**< by value: whether some case has it */
    atomic_ullong cases, with_key, matched;
} hcbr_i_joined;

struct hcbr_i_joins {
    hcbr_i_joined *sources; /**< those with a path */
    size_t count;
    size_t values; /**< of all their keys */
    hcbr_i_text *keys;
    hcbr_i_text *absent; /**< names, each with a dot, of those without a path */
    size_t absent_count;
    hcbr_i_arena text;
};

#endif
