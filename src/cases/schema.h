/**
 * @file schema.h
 * The columns of a table, their kinds, and the features their values become (schema.c). asked.c,
 * understand.c and repeated.c judge columns; rewrite.c makes a list with the resulting features.
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
/** How the values of a column are used. */
typedef enum hcbr_i_use {
    HCBR_I_USE_AS_IT_IS = 0,
    HCBR_I_USE_NUMBER,   /**< the number in the value; a value that does not fit becomes `column:
                              other` */
    HCBR_I_USE_DATE,     /**< parts, `column: year` and so on, with the value itself */
    HCBR_I_USE_PARTS,    /**< the parts alone */
    HCBR_I_USE_TEXT,     /**< `column:word=count` */
    HCBR_I_USE_SET,      /**< a feature for each member */
    HCBR_I_USE_CATEGORY, /**< unchanged, numbers too */
    HCBR_I_USE_NOTHING,  /**< left out */
    HCBR_I_USE_KNOWN,    /**< unchanged, but forms of missing are left out */
    HCBR_I_USES
} hcbr_i_use;

/** The source of a column's kind. */
typedef enum hcbr_i_said {
    HCBR_I_SAID_FOUND = 0,   /**< found from its values */
    HCBR_I_SAID_GIVEN = 1,   /**< given by an option */
    HCBR_I_SAID_REPEATED = 2 /**< it has the values of another column in every case */
} hcbr_i_said;

/** A column of a table. */
typedef struct hcbr_i_schema_column {
    hcbr_i_text name;
    hcbr_i_kind kind;
    uint8_t use;       /**< hcbr_i_use */
    uint8_t said;      /**< hcbr_i_said */
    hcbr_i_text *keys; /**< of the parts of a date, or the only one of values that are not
                            numbers */
    hcbr_i_text why;   /**< the verdict in words, NUL-terminated */
} hcbr_i_schema_column;

/** All columns of a table, sorted by the bytes of their names. Never changes; reference counted. */
typedef struct hcbr_i_schema hcbr_i_schema;

/** An empty schema with room for `count` columns. */
hcbr_status hcbr_i_schema_create(hcbr_i_schema **out, size_t count, hcbr_error *err);
/** Add a column, whose name is above those before it; its keys are made. */
hcbr_status hcbr_i_schema_add(hcbr_i_schema *schema, const hcbr_i_schema_column *column,
                              hcbr_error *err);
hcbr_i_schema *hcbr_i_schema_share(const hcbr_i_schema *schema); /**< NULL is fine */
void hcbr_i_schema_release(const hcbr_i_schema *schema);         /**< NULL is fine */
size_t hcbr_i_schema_count(const hcbr_i_schema *schema);
const hcbr_i_schema_column *hcbr_i_schema_get(const hcbr_i_schema *schema, size_t column);
/** The column of a name; NULL: none. */
const hcbr_i_schema_column *hcbr_i_schema_find(const hcbr_i_schema *schema, const char *name,
                                               size_t length);
/** Fill a structure of the public interface. */
void hcbr_i_schema_show(const hcbr_i_schema *schema, size_t column, hcbr_kind *out);
/** Whether a column is an id that is left out, and whether several rows share a value of it. */
bool hcbr_i_schema_is_id_left_out(const hcbr_i_schema_column *column);
bool hcbr_i_schema_is_shared(const hcbr_i_schema_column *column);
/** Whether any column changes. NULL: no. */
bool hcbr_i_schema_changes(const hcbr_i_schema *schema);
/** Longest sequence of words of a text. */
uint32_t hcbr_i_schema_ngrams(const hcbr_i_schema *schema);
void hcbr_i_schema_set_ngrams(hcbr_i_schema *schema, uint32_t ngrams);
/** Whether the values that mean missing are listed, so that no other does in any column. NULL:
 *  no. */
bool hcbr_i_schema_is_listed(const hcbr_i_schema *schema);
void hcbr_i_schema_set_listed(hcbr_i_schema *schema, bool listed);
/** The default use of a column. */
hcbr_i_use hcbr_i_use_of(const hcbr_i_kind *kind);
/** Whether separate numbers change too. */
bool hcbr_i_use_changes_numbers(const hcbr_i_schema_column *column);
/** Whether the key is a part made from a column of the schema. */
bool hcbr_i_schema_has_part(const hcbr_i_schema *schema, hcbr_i_text key);

/** How values are converted. */
typedef struct hcbr_i_taking {
    hcbr_i_splitter *words; /**< splits texts */
    bool apart;             /**< make numbers separate, except those of categories */
    bool listed;            /**< see hcbr_i_says_missing() */
} hcbr_i_taking;

/**
 * Append the features of a value of a column to a block, as names. Texts not in the block's own
 * arena belong to the schema or the value.
 */
hcbr_status hcbr_i_schema_take(const hcbr_i_schema_column *column, const hcbr_i_taking *how,
                               hcbr_i_block *to, const char *value, size_t length, hcbr_error *err);

/* ---- judging and making a list --------------------------------------------------------------- */

/** Options about a column of a list. */
typedef struct hcbr_i_asked {
    char *column;
    bool leave; /**< unchanged: an option of reading fixes its kind */
    hcbr_i_kind_wish wish;
} hcbr_i_asked;

/** Store the options of a reader about columns. */
hcbr_status hcbr_i_cases_ask(struct hcbr_cases *cases, const hcbr_i_reader *reader,
                             const hcbr_read_options *options, hcbr_error *err);
/** The options of a key; NULL: none. */
const hcbr_i_asked *hcbr_i_cases_find_asked(const struct hcbr_cases *cases, hcbr_i_text key);
/** Whether the key is a word of a text column named by options. */
bool hcbr_i_cases_is_word(const struct hcbr_cases *cases, hcbr_i_text key);
/**
 * Find the keys that have the values of another key in every case that has either (repeated.c). Of
 * several the first one by name stays.
 *
 * @param sign     by key: equal for keys that may be equal; 0: not compared.
 * @param repeated receives by key: it repeats another one.
 */
hcbr_status hcbr_i_cases_find_repeated(const struct hcbr_cases *cases, const uint64_t *sign,
                                       bool *repeated, hcbr_error *err);
/** A column as different values and their counts. */
typedef struct hcbr_i_many {
    const struct hcbr_i_dict *dict;
    const uint32_t *features; /**< those of the column */
    uint32_t feature_count;
    uint64_t values;       /**< sum of their counts */
    const uint32_t *count; /**< by feature of the dictionary */
    const uint64_t *sign;  /**< by feature of the dictionary: hcbr_i_value_sign() of its value */
    bool alone;            /**< the column has no separate numbers */
} hcbr_i_many;
/**
 * Count some of the values of a column that has many, and extrapolate (many.c). The choice does not
 * depend on the order of the cases. Frequent values and those that mean missing are all counted.
 *
 * @param enough receives whether that can decide the kind of the column; if not, the tally is
 *               empty.
 * @return false: no memory.
 */
bool hcbr_i_many_count(hcbr_i_tally *tally, const hcbr_i_many *part, bool *enough);
/** A cheap hash of a value: different values may share it. The same in every process. (many.c) */
uint64_t hcbr_i_value_sign(const char *text, size_t length);
/**
 * Find the cases that have the values of an earlier case, and with `labels` its label, too
 * (different.c). Only the others are judged, so that a row of weight n, n copies of it and a single
 * row give the same verdict.
 *
 * @param copy      receives the result by case.
 * @param different receives the number of cases that are not copies.
 */
hcbr_status hcbr_i_cases_find_copies(bool *copy, uint32_t *different,
                                     const struct hcbr_cases *cases, bool labels, hcbr_error *err);
/** Judge the columns of a complete list: sets cases->schema. */
hcbr_status hcbr_i_cases_judge(struct hcbr_cases *cases, hcbr_error *err);
/**
 * A copy of a finished list, with its columns in the form of its schema, for a model.
 *
 * @param leave two lists of columns that are not changed.
 * @param out   NULL if the list has that form already.
 */
typedef struct hcbr_i_left {
    const char *const *name[2];
    size_t count[2];
    bool but_given; /**< columns that options do not name are not changed */
} hcbr_i_left;
/** Whether the column is in one of the two lists. */
bool hcbr_i_left_names(const hcbr_i_left *leave, hcbr_i_text name);
hcbr_status hcbr_i_cases_understand(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                    const hcbr_i_left *leave, hcbr_error *err);

#endif
