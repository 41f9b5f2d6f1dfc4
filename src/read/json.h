/**
 * @file json.h
 * The pieces of the JSON Lines parser: tokens (json_text.c), keys (json_keys.c) and the walk over a
 * line (json_walk.c), used by jsonl.c; private to src/read. json_tree.c makes trees of the same
 * tokens.
 */
#ifndef HCBR_I_JSON_H
#define HCBR_I_JSON_H

#include "read/parse.h"

/* ---- tokens (json_text.c) -------------------------------------------------------------------- */

/**
 * The first byte from `at` on that a string must escape: '"', '\\' or a control character; the '\n'
 * of the line is one, so the search always ends. Bits are set in *high if a byte before it is not
 * ASCII.
 */
static inline const char *hcbr_i_json_plain_end(const char *at, uint64_t *high) {
    for (;; at += sizeof(uint64_t)) {
        uint64_t word = hcbr_i_load64(at);
        uint64_t quote = word ^ HCBR_I_EACH('"');
        uint64_t slash = word ^ HCBR_I_EACH('\\');
        // A byte is marked if it is equal (its difference wraps) or below 0x20. A borrow can mark a
        // byte wrongly, but only above one that is marked rightly: the lowest mark is right.
        uint64_t stop = (((quote - HCBR_I_EACH(1)) & ~quote) | ((slash - HCBR_I_EACH(1)) & ~slash) |
                         ((word - HCBR_I_EACH(0x20)) & ~word)) &
                        HCBR_I_EACH(0x80);
        if (stop != 0) {
            *high |= word & HCBR_I_EACH(0x80) & (stop ^ (stop - 1));
            return at + (__builtin_ctzll(stop) >> 3);
        }
        *high |= word & HCBR_I_EACH(0x80);
    }
}

/** hcbr_i_json_string() for a string with escapes, bytes beyond ASCII or a mistake. */
hcbr_status hcbr_i_json_string_slow(const hcbr_i_parser *p, const char **at, hcbr_i_text *text,
                                    hcbr_error *err);

/**
 * A string. *at is its opening quote and moves to after the closing one. The text is in the line
 * itself, or in the block's arena if it has escapes.
 */
static inline hcbr_status hcbr_i_json_string(const hcbr_i_parser *p, const char **at,
                                             hcbr_i_text *text, hcbr_error *err) {
    uint64_t high = 0;
    const char *first = *at + 1;
    const char *stop = hcbr_i_json_plain_end(first, &high);
    if (HCBR_I_UNLIKELY(*stop != '"' || high != 0))
        return hcbr_i_json_string_slow(p, at, text, err);
    text->at = first;
    text->length = (size_t)(stop - first);
    *at = stop + 1;
    return HCBR_OK;
}

/** A number by the grammar of JSON; *at moves to after it. */
hcbr_status hcbr_i_json_number(const hcbr_i_parser *p, const char **at, hcbr_error *err);

/** The rest of `word` (true, false, null), whose first letter is at *at. */
hcbr_status hcbr_i_json_word(const hcbr_i_parser *p, const char **at, const char *word,
                             hcbr_error *err);

/** HCBR_EDATA: "found ..., expected ..." with the byte, word or end of line found at `at`. */
hcbr_status hcbr_i_json_expected(const hcbr_i_parser *p, const char *at, hcbr_error *err,
                                 const char *expected);

/* ---- keys (json_keys.c) ---------------------------------------------------------------------- */

typedef uint32_t hcbr_i_json_key_id;

#define HCBR_I_JSON_ROOT 0u         /* the line's object, which has no key */
#define HCBR_I_JSON_NONE UINT32_MAX /* no such key */

/** A key at its position in the nesting. */
typedef struct hcbr_i_json_key {
    const char *path; /**< dotted; ends with the key itself. HCBR_I_PAD bytes are readable after
                           it */
    hcbr_i_name name; /**< the path packed, without a tag, if it is short */
    uint64_t seen;    /**< serial of the last object with it: finds duplicates */
    uint32_t path_length, length;
    hcbr_i_json_key_id parent;     /**< key of the enclosing object */
    hcbr_i_json_key_id next;       /**< the key after it last time: a good guess */
    const hcbr_i_special *special; /**< NULL: features are the path with the value */
    uint8_t role;                  /**< hcbr_i_role */
    bool tokens;                   /**< `features` at the top: the items of a list are bare keys */
    bool plain; /**< was seen without escapes: the line can be compared with it directly */
} hcbr_i_json_key;

/**
 * All keys of the lines so far, each path once. Names in a block point to these paths, so keys are
 * removed between blocks only.
 */
typedef struct hcbr_i_json_keys {
    hcbr_i_json_key *all; /**< all[HCBR_I_JSON_ROOT] is the root */
    size_t count, capacity;
    hcbr_i_hash_table table; /**< of all but the root */
    size_t text_size;
    hcbr_i_arena text;
    hcbr_i_hash_key hash_key;
} hcbr_i_json_keys;

/** Start with the root alone. false: out of memory. */
bool hcbr_i_json_keys_init(hcbr_i_json_keys *keys, uint64_t hash_seed);
void hcbr_i_json_keys_clear(hcbr_i_json_keys *keys);
/** Remove all keys but the root if there are many. */
void hcbr_i_json_keys_trim(hcbr_i_json_keys *keys);

/** The key `text` in the object of `parent`, or HCBR_I_JSON_NONE. */
hcbr_i_json_key_id hcbr_i_json_keys_find(const hcbr_i_json_keys *keys, hcbr_i_json_key_id parent,
                                         hcbr_i_text text);
/** The same, added if new, with the role HCBR_I_ROLE_FEATURE. NONE: out of memory. */
hcbr_i_json_key_id hcbr_i_json_keys_intern(hcbr_i_json_keys *keys, hcbr_i_json_key_id parent,
                                           hcbr_i_text text);

/* ---- lines (json_walk.c, jsonl.c) ------------------------------------------------------------ */

typedef enum hcbr_i_json_kind {
    HCBR_I_JSON_OBJECT,
    HCBR_I_JSON_LIST,
    HCBR_I_JSON_TOKENS /**< the list `features` at the top */
} hcbr_i_json_kind;

/** An open object or list. */
typedef struct hcbr_i_json_frame {
    uint64_t serial;        /**< of an object, never reused: marks its keys */
    hcbr_i_json_key_id key; /**< of the object or list */
    hcbr_i_json_kind kind;
} hcbr_i_json_frame;

/** Working memory over all lines (p->jsonl). */
typedef struct hcbr_i_json_memory {
    hcbr_i_json_keys keys;
    hcbr_i_json_frame *stack; /**< frames around the innermost */
    size_t stack_capacity;
    uint64_t serial;
    const char *label; /**< the roles of keys are for this label; NULL: unknown */
} hcbr_i_json_memory;

/** Set the role of a key (jsonl.c). */
void hcbr_i_json_set_role(const hcbr_i_parser *p, const hcbr_i_json_memory *memory,
                          hcbr_i_json_key *key);

/**
 * Walk over a line once, with the known label.
 *
 * @param labelled receives whether the label was present.
 */
hcbr_status hcbr_i_json_walk(hcbr_i_parser *p, const char *line, const char *newline,
                             bool *labelled, hcbr_error *err);

#endif
