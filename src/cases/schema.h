/**
 * @file schema.h
 * What the columns of a table are taken for, and what their values become by it (schema.c). Who
 * judges them: asked.c, understand.c and repeated.c. Who makes a list of it: rewrite.c.
 *
 * It is a part of cases/cases.h, which others include.
 */
#ifndef HCBR_I_SCHEMA_H
#define HCBR_I_SCHEMA_H

#include "kinds/kinds.h"
#include "read/read.h"

struct hcbr_cases;
struct hcbr_i_dict;

/* ---- columns --------------------------------------------------------------------------------- */
/** What becomes of the values of a column. */
typedef enum hcbr_i_use {
    HCBR_I_USE_AS_IT_IS = 0,
    HCBR_I_USE_NUMBER,   /**< the number that stands in it; what does not fit is `column: other` */
    HCBR_I_USE_DATE,     /**< parts, `column: year` and so on, beside the value itself */
    HCBR_I_USE_PARTS,    /**< the parts alone */
    HCBR_I_USE_TEXT,     /**< `column:word=count` */
    HCBR_I_USE_SET,      /**< a feature for each member */
    HCBR_I_USE_CATEGORY, /**< as it is, numbers too */
    HCBR_I_USE_NOTHING,  /**< it is left out */
    HCBR_I_USE_KNOWN,    /**< as it is, but what says missing is left out */
    HCBR_I_USES
} hcbr_i_use;

/** Who says what a column is. */
typedef enum hcbr_i_said {
    HCBR_I_SAID_FOUND = 0,   /**< its values do */
    HCBR_I_SAID_GIVEN = 1,   /**< an option does */
    HCBR_I_SAID_REPEATED = 2 /**< it has the values of another column in every case */
} hcbr_i_said;

/** A column of a table. */
typedef struct hcbr_i_schema_column {
    hcbr_i_text name;
    hcbr_i_kind kind;
    uint8_t use;       /**< hcbr_i_use */
    uint8_t said;      /**< hcbr_i_said */
    hcbr_i_text *keys; /**< of the parts of a date, or the only one of what is no number */
    hcbr_i_text why;   /**< the verdict in words, with a NUL behind it */
} hcbr_i_schema_column;

/** All columns of a table, by the bytes of their names. Never changes; reference counted. */
typedef struct hcbr_i_schema hcbr_i_schema;

/** An empty one with room for so many columns. */
hcbr_status hcbr_i_schema_create(hcbr_i_schema **out, size_t count, hcbr_error *err);
/** Add a column behind those there are, whose names are smaller; keys are made. */
hcbr_status hcbr_i_schema_add(hcbr_i_schema *schema, const hcbr_i_schema_column *column,
                              hcbr_error *err);
hcbr_i_schema *hcbr_i_schema_share(const hcbr_i_schema *schema); /**< NULL is fine */
void hcbr_i_schema_release(const hcbr_i_schema *schema);         /**< NULL is fine */
size_t hcbr_i_schema_count(const hcbr_i_schema *schema);
const hcbr_i_schema_column *hcbr_i_schema_get(const hcbr_i_schema *schema, size_t column);
/** The column of a name, NULL: there is none. */
const hcbr_i_schema_column *hcbr_i_schema_find(const hcbr_i_schema *schema, const char *name,
                                               size_t length);
/** Fill a structure of the public interface. */
void hcbr_i_schema_show(const hcbr_i_schema *schema, size_t column, hcbr_kind *out);
/** Is it an id that is left out, and do several rows share a value of it? */
bool hcbr_i_schema_is_id_left_out(const hcbr_i_schema_column *column);
bool hcbr_i_schema_is_shared(const hcbr_i_schema_column *column);
/** Does any column become something else? NULL: no. */
bool hcbr_i_schema_changes(const hcbr_i_schema *schema);
/** Longest sequence of words of a text. */
uint32_t hcbr_i_schema_ngrams(const hcbr_i_schema *schema);
void hcbr_i_schema_set_ngrams(hcbr_i_schema *schema, uint32_t ngrams);
/** Are the values that mean missing listed, so that no other says so in any column? NULL: no. */
bool hcbr_i_schema_is_listed(const hcbr_i_schema *schema);
void hcbr_i_schema_set_listed(hcbr_i_schema *schema, bool listed);
/** What is made of a column by default. */
hcbr_i_use hcbr_i_use_of(const hcbr_i_kind *kind);
/** Are numbers that stand apart changed too? */
bool hcbr_i_use_changes_numbers(const hcbr_i_schema_column *column);
/** Is the key one that a column of the schema is taken apart into? */
bool hcbr_i_schema_has_part(const hcbr_i_schema *schema, hcbr_i_text key);

/** How values are taken. */
typedef struct hcbr_i_taking {
    hcbr_i_splitter *words; /**< splits texts */
    bool apart;             /**< let numbers stand apart, but for those of categories */
    bool listed;            /**< see hcbr_i_says_missing() */
} hcbr_i_taking;

/**
 * Append to a block what a value of a column becomes, as names. What is not of the block's own
 * arena is the schema's or the value itself.
 */
hcbr_status hcbr_i_schema_take(const hcbr_i_schema_column *column, const hcbr_i_taking *how,
                               hcbr_i_block *to, const char *value, size_t length, hcbr_error *err);

/* ---- judging and making a list --------------------------------------------------------------- */

/** What options say about the columns of a list. */
typedef struct hcbr_i_asked {
    char *column;
    bool leave; /**< as it was read: an option of reading says what it is */
    hcbr_i_kind_wish wish;
} hcbr_i_asked;

/** Remember what a reader and its options say of columns. */
hcbr_status hcbr_i_cases_ask(struct hcbr_cases *cases, const hcbr_i_reader *reader,
                             const hcbr_read_options *options, hcbr_error *err);
/** What options say of a key, NULL: nothing. */
const hcbr_i_asked *hcbr_i_cases_find_asked(const struct hcbr_cases *cases, hcbr_i_text key);
/** Is it a word of a column of texts that options name? */
bool hcbr_i_cases_is_word(const struct hcbr_cases *cases, hcbr_i_text key);
/**
 * Which keys have the values of another key in every case that has either (repeated.c)? Of several
 * the first one by name stays.
 *
 * @param sign     by key: equal for keys that may be equal; 0: not asked about.
 * @param repeated receives by key: it repeats another one.
 */
hcbr_status hcbr_i_cases_find_repeated(const struct hcbr_cases *cases, const uint64_t *sign,
                                       bool *repeated, hcbr_error *err);
/** A column of different values and how often each occurs. */
typedef struct hcbr_i_many {
    const struct hcbr_i_dict *dict;
    const uint32_t *features; /**< those of the column */
    uint32_t feature_count;
    uint64_t values;       /**< how often they occur in all */
    const uint32_t *count; /**< by feature of the dictionary */
    const uint64_t *sign;  /**< hcbr_i_value_sign() of its value, likewise */
    bool alone;            /**< no numbers stand beside them */
} hcbr_i_many;
/**
 * Count some of the values of a column that has many, and let them stand for all (many.c). Which
 * these are does not depend on the order of the cases. Values that say missing and those that are
 * frequent are all counted.
 *
 * @param enough receives whether that can decide what the column is; if not, the tally is empty.
 * @return false: no memory.
 */
bool hcbr_i_many_count(hcbr_i_tally *tally, const hcbr_i_many *part, bool *enough);
/** A hash of what is cheap to look at in a value: others may have it too. The same in every
 *  process. (many.c) */
uint64_t hcbr_i_value_sign(const char *text, size_t length);
/**
 * Which cases have the values of an earlier case, and with `labels` its label, too (different.c)?
 * Judging counts the others alone, so that a row of weight n, n copies of it and the row alone say
 * the same.
 *
 * @param copy      receives it by case.
 * @param different receives how many are no copies.
 */
hcbr_status hcbr_i_cases_find_copies(bool *copy, uint32_t *different,
                                     const struct hcbr_cases *cases, bool labels, hcbr_error *err);
/** Judge the columns of a list that is complete: cases->schema. */
hcbr_status hcbr_i_cases_judge(struct hcbr_cases *cases, hcbr_error *err);
/**
 * A copy of a finished list in which the columns are what its schema says, for a model.
 *
 * @param leave names of columns that are left as they are, two lists of them.
 * @param out   NULL if the list is that already.
 */
typedef struct hcbr_i_left {
    const char *const *name[2];
    size_t count[2];
    bool but_given; /**< all that options do not name are left */
} hcbr_i_left;
/** Is the column in one of the two lists? */
bool hcbr_i_left_names(const hcbr_i_left *leave, hcbr_i_text name);
hcbr_status hcbr_i_cases_understand(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                    const hcbr_i_left *leave, hcbr_error *err);

#endif
