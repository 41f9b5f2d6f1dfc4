/**
 * @file parse.h
 * What the reader and the parsers of the formats share; private to src/read.
 *
 * A lane has a buffer, counts lines and rows and decides what happens to a row that cannot be used.
 * A parser sees one complete record and adds its names to the block. Behind the last byte of the
 * buffer stand a '\n' and HCBR_I_BEHIND bytes that may be read but mean nothing.
 */
#ifndef HCBR_I_PARSE_H
#define HCBR_I_PARSE_H

#include "read/read.h"

#include <stdatomic.h>

#define HCBR_I_BEHIND 64 /* bytes after the last of the buffer that a parser may load */
#define HCBR_I_PAD 32    /* and after a text that is packed by loading whole words */

/** How a column or key that an option names is read. */
typedef enum hcbr_i_change {
    HCBR_I_CHANGE_SPLIT = 0, /**< a feature for each part */
    HCBR_I_CHANGE_TEXT,      /**< a feature for each word, with its count */
    HCBR_I_CHANGE_PRESENCE   /**< the bare key */
} hcbr_i_change;

/** A column or key that is not read as `column=value`. */
typedef struct hcbr_i_special {
    hcbr_i_text column;
    hcbr_i_text separator; /**< of HCBR_I_CHANGE_SPLIT */
    hcbr_i_change change;
    atomic_bool met; /**< the data has it; several parsers may say so at once */
} hcbr_i_special;

typedef struct hcbr_i_names hcbr_i_names;
typedef struct hcbr_i_joins hcbr_i_joins;

/** State of the parser of a format, shared with the reader. */
typedef struct hcbr_i_parser {
    /* constant while the reader lives */
    const hcbr_read_options *options; /**< the reader's own copy */
    const hcbr_i_text *ignore;        /**< options->ignore with lengths */
    size_t ignore_count;
    const hcbr_i_text *na; /**< options->na with lengths, or the default list */
    size_t na_count;
    bool na_empty;            /**< the empty text is one of them */
    uint16_t na_lengths[256]; /**< by first byte: bit n for a length of n, bit 15 for 15 and more */
    bool labelled;            /**< every case must have a label, in the data itself */
    bool weighs;              /**< every case must have a weight: options->weight, in training */
    bool apart;               /**< labels come from options->outcomes: what holds one in the data is
                                   left out, and none is needed */
    bool numeric, coded;      /**< blocks may be */
    bool parts_numbers;       /**< numbers stand apart from names */
    bool is_joined;           /**< a source to be joined: no label is taken */
    hcbr_i_special *specials; /**< options->split, text and presence, in this order */
    size_t special_count;
    const hcbr_i_names *names; /**< names of ids and labels; NULL: none */
    hcbr_i_joins *joins;       /**< sources to join; NULL: none */
    const hcbr_i_text *keys;   /**< columns or keys by which sources are joined, of this one too */
    size_t key_count;

    /* constant while a file is read */
    const char *file;                   /**< its name for messages */
    const struct hcbr_i_source *source; /**< where it comes from; NULL: not from a file */
    uint64_t serial;                    /**< its number */
    hcbr_format format;
    bool takes_short;  /**< short rows are taken (HCBR_BAD_ROWS_AUTO) */
    bool joined_lines; /**< lines within a record end with a carriage return */
    bool label_last;   /**< cases: the last name of a line is its label */
    bool blank_rows;   /**< a line of blanks is an empty case */

    /* of the record at hand: set by the reader */
    hcbr_i_block *block; /**< receives the names */
    const char *record;  /**< its first byte */
    uint64_t line;       /**< number of the line it starts in */
    size_t before;       /**< bytes before it in that line; 0 unless objects share one */
    bool first;          /**< none of its file was parsed before it */
    /* of the record at hand: set by the parser, cleared by the reader before each record */
    hcbr_i_text label; /**< see hcbr_i_parser_take_label() */
    hcbr_i_text id;
    hcbr_i_text group;
    double weight;  /**< see hcbr_i_parser_take_weight(); negative: none */
    bool no_row;    /**< nothing but blanks, a comment or a header: no case */
    bool is_short;  /**< csv, tsv: it has fewer fields than there are columns */
    uint8_t fault;  /**< hcbr_i_fault: what is odd about it, whether it fails or not */
    uint64_t lines; /**< line ends in it; 1 unless the parser says otherwise */

    /* over all files */
    char *label_name; /**< NUL-terminated; NULL until the label was found once */

    /* working memory, each lane's own: see hcbr_i_parser_clear() */
    void *jsonl;                         /**< of jsonl.c, NULL at first */
    void *grams;                         /**< of grams.c, NULL at first */
    void *joined;                        /**< of join.c, NULL at first */
    struct hcbr_i_column_values *values; /**< of values.c, NULL at first */
} hcbr_i_parser;

/** Names tried for the label, in this order, if options->label is NULL. */
#define HCBR_I_LABEL_NAMES 5
extern const char *const hcbr_i_label_names[HCBR_I_LABEL_NAMES];

/** Values that mean "missing" if options->na is NULL. */
#define HCBR_I_NA_COUNT 5
extern const char *const hcbr_i_default_na[HCBR_I_NA_COUNT];

/**
 * Parse one record of a format in lines.
 *
 * Adds its names to p->block and sets p->label, p->id, p->group and p->weight. On failure the
 * reader takes back what was added. HCBR_EDATA means that the row cannot be used (the reader stops
 * or skips it); any other failure is final. Text given to the block must be in the buffer or in
 * p->block->arena.
 *
 * @param line    its first byte, equal to p->record; not blank: it has a byte other than blank,
 *                tab and '\r'.
 * @param newline its '\n'. With CRLF the '\r' is before it and belongs to the end of line.
 */
hcbr_status hcbr_i_parse_libsvm(hcbr_i_parser *p, const char *line, const char *newline,
                                hcbr_error *err);
hcbr_status hcbr_i_parse_jsonl(hcbr_i_parser *p, const char *line, const char *newline,
                               hcbr_error *err);

hcbr_status hcbr_i_parse_text(hcbr_i_parser *p, const char *line, const char *newline,
                              hcbr_error *err);
hcbr_status hcbr_i_parse_cases(hcbr_i_parser *p, const char *line, const char *newline,
                               hcbr_error *err);

/** Release p->jsonl, which may be NULL. */
void hcbr_i_jsonl_free(hcbr_i_parser *p);

/** Release the parser's working memory; it is made again when it is needed. */
void hcbr_i_parser_clear(hcbr_i_parser *p);
/** A parser of the same file for another lane: as p, but with working memory of its own. */
void hcbr_i_parser_fork(hcbr_i_parser *out, const hcbr_i_parser *p, hcbr_i_block *block);

/**
 * HCBR_EDATA at a byte of the record: the line and column are found by counting from p->record.
 * The message says what was found and what was expected.
 */
hcbr_status hcbr_i_parser_fail(const hcbr_i_parser *p, const char *at, hcbr_error *err,
                               const char *format, ...) HCBR_I_PRINTF(4, 5);

/** HCBR_EDATA with its place if text of the record holds NUL, invalid UTF-8 or a byte order mark.
 */
hcbr_status hcbr_i_parser_check(const hcbr_i_parser *p, const char *text, size_t length,
                                hcbr_error *err);

/** Is the text in the list of missing values? (the slow half of hcbr_i_parser_is_na()) */
bool hcbr_i_parser_in_na(const hcbr_i_parser *p, const char *text, size_t length);

/** Does the text mean a missing value? */
static inline bool hcbr_i_parser_is_na(const hcbr_i_parser *p, const char *text, size_t length) {
    if (length == 0)
        return p->na_empty;
    unsigned lengths = p->na_lengths[(unsigned char)*text];
    return HCBR_I_UNLIKELY(lengths != 0) && (lengths >> (length < 15 ? length : 15) & 1) != 0 &&
           hcbr_i_parser_in_na(p, text, length);
}

/**
 * The record's label. A missing one (empty or in the list of missing values) fails if a label is
 * needed and is left absent otherwise.
 *
 * @param at   where it stands in the record, for messages.
 * @param text in the buffer or the block's arena.
 */
hcbr_status hcbr_i_parser_take_label(hcbr_i_parser *p, const char *at, const char *text,
                                     size_t length, hcbr_error *err);

/**
 * The record's weight: a number from 0 to HCBR_I_MOST_WEIGHT, else it fails. If no weights are
 * needed, nothing is read.
 *
 * @param at as above.
 */
hcbr_status hcbr_i_parser_take_weight(hcbr_i_parser *p, const char *at, const char *text,
                                      size_t length, hcbr_error *err);

/** Take the ignored keys out of the names from `first` on, for formats that name their features. */
void hcbr_i_parser_drop_ignored(hcbr_i_parser *p, size_t first);

/** Text that lives as long as the arena; NUL-terminated. NULL: out of memory. */
char *hcbr_i_arena_copy(hcbr_i_arena *arena, const char *text, size_t length);

/** Remember under which name the label was found; the first call counts. false: out of memory. */
bool hcbr_i_parser_name_label(hcbr_i_parser *p, const char *name, size_t length);

/* ---- columns that hold sets and texts (special.c), words (grams.c) --------------------------- */

/** How the column or key is read; NULL: as `column=value`. Otherwise it counts as found. */
const hcbr_i_special *hcbr_i_parser_special(const hcbr_i_parser *p, const char *name,
                                            size_t length);
/** The option that names such columns, without its dashes. */
const char *hcbr_i_change_name(hcbr_i_change change);

/** A value that is not missing: add its features, or keep a text for hcbr_i_grams_end(). */
hcbr_status hcbr_i_special_take(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text value,
                                hcbr_error *err);

/** A record begins: forget texts of the one before. */
void hcbr_i_grams_begin(hcbr_i_parser *p);
/** Keep a text of a column (NULL: of the line) until the record has ended. */
hcbr_status hcbr_i_grams_keep(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text text,
                              hcbr_error *err);
/** The record has ended: add the words of its texts, column by column in the order of options. */
hcbr_status hcbr_i_grams_end(hcbr_i_parser *p, hcbr_error *err);
/** May the features take this many bytes? HCBR_EDATA: not with so many sequences of words. */
hcbr_status hcbr_i_grams_check(const hcbr_i_parser *p, uint64_t bytes, hcbr_error *err);
/** Release p->grams, which may be NULL. */
void hcbr_i_grams_free(hcbr_i_parser *p);

/* ---- labels of a file of their own (outcomes.c) ---------------------------------------------- */

/** A label for each data row of all files together. Zero-initialise to start. */
typedef struct hcbr_i_outcomes {
    char *bytes;
    hcbr_i_text *labels; /**< that of line i + 1; absent if it is missing and none is needed */
    size_t count, capacity;
    char *file; /**< its name for messages; NULL: there is none */
} hcbr_i_outcomes;

/** Load and check options->outcomes, if that is given. */
hcbr_status hcbr_i_outcomes_load(hcbr_i_outcomes *outcomes, const hcbr_i_parser *p, bool labelled,
                                 hcbr_error *err);
void hcbr_i_outcomes_clear(hcbr_i_outcomes *outcomes);
/** Label the cases of a block by their rows. On failure the cases before are labelled and kept. */
hcbr_status hcbr_i_outcomes_give(const hcbr_i_outcomes *outcomes, hcbr_i_block *block,
                                 hcbr_error *err);
/** All files were read: each label must have had its row. */
hcbr_status hcbr_i_outcomes_end(const hcbr_i_outcomes *outcomes, uint64_t rows, hcbr_error *err);

/* ---- names of ids (names.c) ------------------------------------------------------------------ */

/** Read a file of names. Afterwards it never changes: any number of threads may use it. */
hcbr_status hcbr_i_names_load(hcbr_i_names **out, const char *path, uint64_t hash_seed,
                              hcbr_error *err);
void hcbr_i_names_free(hcbr_i_names *names);
/** Call the features of the record at hand, from `first` on, by their names. */
hcbr_status hcbr_i_names_apply(hcbr_i_parser *p, size_t first, hcbr_error *err);
/**
 * Call the cases of a block and their labels by their names. On failure the cases before the one
 * that failed are named and kept.
 */
hcbr_status hcbr_i_names_give(const hcbr_i_names *names, const hcbr_i_parser *p,
                              hcbr_i_block *block, hcbr_error *err);
/** Column or key the labels came from, or NULL. */
const char *hcbr_i_names_label_name(const hcbr_i_names *names);

/* ---- joined sources (join.c, join_load.c) ---------------------------------------------------- */

/**
 * Set up the sources of o->join that have a path. o's lists of columns are changed to those that
 * are not about a source.
 *
 * @param paths files of the data, to find mistakes.
 */
hcbr_status hcbr_i_joins_create(hcbr_i_joins **out, hcbr_read_options *o, const char *const *paths,
                                size_t count, hcbr_error *err);
/** Read them all. Afterwards several threads may use them. */
hcbr_status hcbr_i_joins_load(hcbr_i_joins *joins, hcbr_error *err);
void hcbr_i_joins_free(hcbr_i_joins *joins);
/** Their keys. */
const hcbr_i_text *hcbr_i_joins_keys(const hcbr_i_joins *joins, size_t *count);
/** Bytes that were read. */
uint64_t hcbr_i_joins_bytes(const hcbr_i_joins *joins);
/** Is it the key of a word of a text of theirs? joins may be NULL. */
bool hcbr_i_joins_is_word(const hcbr_i_joins *joins, hcbr_i_text key);
/**
 * Give the case of the record at hand what the sources have for it. Its names are those from
 * `first` on; *joined receives how many were added.
 */
hcbr_status hcbr_i_joins_apply(hcbr_i_parser *p, size_t first, size_t *joined, hcbr_error *err);
/** All data was read: report what had no match. joins may be NULL. */
void hcbr_i_joins_end(const hcbr_i_joins *joins, const hcbr_read_options *o);
/** Release p->joined, which may be NULL. */
void hcbr_i_joined_free(hcbr_i_parser *p);

/** Are sources joined by this column or key? */
bool hcbr_i_parser_is_join_key(const hcbr_i_parser *p, const char *name, size_t length);
/** The source whose features could have this name, or NULL. */
const char *hcbr_i_parser_clash(const hcbr_i_parser *p, const char *name, size_t length);

/** A reader of one source to be joined: every column but the key is a feature. */
hcbr_status hcbr_i_reader_create_joined(hcbr_i_reader **out, const char *path,
                                        const hcbr_read_options *options, const hcbr_i_text *key,
                                        hcbr_error *err);

/* ---- csv and tsv (csv.c, header.c) ----------------------------------------------------------- */

/** What a column is for. */
typedef enum hcbr_i_role {
    HCBR_I_ROLE_FEATURE = 0,
    HCBR_I_ROLE_LABEL,
    HCBR_I_ROLE_ID,
    HCBR_I_ROLE_GROUP,
    HCBR_I_ROLE_WEIGHT,
    HCBR_I_ROLE_IGNORED,
    HCBR_I_ROLE_KEY /**< ignored, but sources are joined by it: kept until that is done */
} hcbr_i_role;

typedef struct hcbr_i_column {
    uint64_t lo, hi; /**< the packed name with this key and an empty value */
    uint64_t unit;   /**< multiplying a value by it moves it after the key in its word */
    const char *key; /**< in csv->text */
    const hcbr_i_special *special; /**< NULL: a feature is the key with the value */
    uint32_t key_length;           /**< bytes */
    int8_t room;  /**< longest value that can be packed; negative: none, or no feature */
    uint8_t role; /**< hcbr_i_role */
} hcbr_i_column;

/** How far an incomplete record was searched, so that no byte is searched twice. */
typedef struct hcbr_i_csv_scan {
    int state;     /**< of csv.c; 0 at the start of a field */
    size_t offset; /**< bytes of the record seen; 0: not begun */
} hcbr_i_csv_scan;

typedef struct hcbr_i_csv {
    char delimiter;
    bool padded;    /**< a blank after a delimiter belongs to it */
    bool no_header; /**< the first record is a row */
    bool unique;    /**< names that are there twice are an error (options->strict) */
    bool ready;     /**< the columns are known */
    bool open;      /**< of tables in memory: there are other columns, which may be ignored */
    hcbr_i_column *columns;
    size_t column_count, column_capacity;
    hcbr_i_text *keys; /**< of all columns */
    size_t key_capacity;
    hcbr_i_text *features; /**< columns that give features */
    size_t feature_count, feature_capacity;
    hcbr_i_arena text;
    hcbr_i_csv_scan scan;
} hcbr_i_csv;

/* ---- values met before (values.c) ------------------------------------------------------------ */

#define HCBR_I_VALUE 16 /* bytes of a value that may be held */
#define HCBR_I_NEAR 4   /* places where a value may be */
#define HCBR_I_NOTHING_BITS 1
#define HCBR_I_NO_CODE UINT32_MAX
#define HCBR_I_MISSING (UINT32_MAX - 1) /* instead of a code: the value means missing */

/** A value of a column: its bytes, then zeros, and the code of its name. */
typedef struct hcbr_i_value {
    uint64_t low, high;
    uint32_t code;
} hcbr_i_value;

/** The values of a column. */
typedef struct hcbr_i_value_table {
    hcbr_i_value *places; /**< 2^(64 - shift) and some more, so that the last has others near */
    unsigned shift;
    uint32_t count;
    bool is_closed; /**< the column has too many values */
} hcbr_i_value_table;

/** Those of all columns of a file; each lane has its own. */
typedef struct hcbr_i_column_values {
    hcbr_i_values met;
    hcbr_i_value_table *columns;
    size_t column_count;
    size_t place_count;                                             /**< of all tables */
    hcbr_i_value nothing[(1 << HCBR_I_NOTHING_BITS) + HCBR_I_NEAR]; /**< a table of no values */
} hcbr_i_column_values;

/** A new block begins: let it be coded. */
hcbr_status hcbr_i_values_begin(hcbr_i_parser *p, size_t column_count, hcbr_error *err);
/**
 * Hold a value that is not held yet, if that is worth it.
 *
 * @param column a feature, with this number; text: the value.
 * @param value  with its bytes; receives the code, or HCBR_I_NO_CODE.
 */
hcbr_status hcbr_i_values_add(hcbr_i_parser *p, const hcbr_i_column *column, size_t number,
                              hcbr_i_text text, hcbr_i_value *value, hcbr_error *err);
/** Release p->values, which may be NULL. */
void hcbr_i_values_free(hcbr_i_parser *p);

/** The first of the places where a value may be. */
static inline hcbr_i_value *hcbr_i_value_place(const hcbr_i_value_table *table, uint64_t low,
                                               uint64_t high) {
    uint64_t mixed = (low ^ high * UINT64_C(0xC2B2AE3D27D4EB4F)) * UINT64_C(0x9E3779B97F4A7C15);

    return &table->places[mixed >> table->shift];
}

/** Forget the columns: a new file begins. */
void hcbr_i_csv_reset(hcbr_i_csv *csv);
/** Release all memory. */
void hcbr_i_csv_clear(hcbr_i_csv *csv);

/**
 * Parse the record at p->record, or the header while csv->ready is false (p->no_row is then set).
 *
 * @param limit one past the buffer's last byte; a '\n' stands there.
 * @param last  nothing comes after it; the last byte is then a '\n'.
 * @param end   receives where the next record begins, also on HCBR_EDATA; NULL if the record is
 *              not complete (then HCBR_OK, and the call is repeated with more bytes).
 */
hcbr_status hcbr_i_csv_record(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit, bool last,
                              const char **end, hcbr_error *err);

/** How many of the bytes, which begin with a record, are whole records. */
size_t hcbr_i_csv_whole(const hcbr_i_csv *csv, const char *bytes, size_t size);

/**
 * One field that may be anything: quoted, with special bytes, not UTF-8.
 *
 * @param at   its first byte.
 * @param text receives its content, in the buffer or in arena.
 * @param stop receives the delimiter, '\n' or '\r' after it.
 */
hcbr_status hcbr_i_csv_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                             const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                             const char **stop, hcbr_error *err);

/** Take the columns from the complete record in [p->record, limit). */
hcbr_status hcbr_i_csv_header(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                              hcbr_error *err);

/** Let csv->keys be the names of all columns, as the keys of numbers. false: out of memory. */
bool hcbr_i_csv_set_keys(hcbr_i_csv *csv);

/** The same from names, of columns in memory: UTF-8 that was checked. A failure has no place. */
hcbr_status hcbr_i_csv_name_columns(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_text *names,
                                    size_t count, hcbr_error *err);

/* ---- rows that are odd (odd_rows.c) ---------------------------------------------------------- */

/** What is odd about a row. */
typedef enum hcbr_i_fault {
    HCBR_I_FAULT_NONE = 0, /**< nothing; if it fails, it cannot be used at all */
    HCBR_I_FAULT_LABEL,    /**< it has no label and needs one: it fails */
    HCBR_I_FAULT_SHORT,    /**< it has too few fields, and does not fail */
    HCBR_I_FAULT_NO_ROW    /**< it has one field of three or more: it fails */
} hcbr_i_fault;

#define HCBR_I_FAULTS 4
#define HCBR_I_ODD_PLACES 5 /* places that a warning shows */

typedef struct hcbr_i_odd_kind {
    uint64_t count, lines[HCBR_I_ODD_PLACES];
} hcbr_i_odd_kind;

/** Odd rows of a file, by what is odd about them. Zero-initialise. */
typedef struct hcbr_i_odd {
    hcbr_i_odd_kind kinds[HCBR_I_FAULTS];
} hcbr_i_odd;

void hcbr_i_odd_add(hcbr_i_odd *odd, hcbr_i_fault kind, uint64_t line);
/** Add what comes after this many lines. */
void hcbr_i_odd_merge(hcbr_i_odd *to, const hcbr_i_odd *from, uint64_t before);
/** Warn of them. */
void hcbr_i_odd_report(const hcbr_i_odd *odd, const hcbr_read_options *o, const char *file);

/** What to do with a row that has a fault. */
typedef enum hcbr_i_verdict {
    HCBR_I_KEEP,
    HCBR_I_LEAVE_OUT,
    HCBR_I_REFUSE, /**< it cannot be used */
    HCBR_I_WAIT    /**< that depends on what comes after it */
} hcbr_i_verdict;

typedef struct hcbr_i_lane hcbr_i_lane;
/** Judge the record at hand, which ends at `next` and was parsed with st, and count it. */
hcbr_i_verdict hcbr_i_odd_judge(hcbr_i_lane *lane, hcbr_status st, const char *next);

/* ---- JSON over several lines (json_whole.c) -------------------------------------------------- */

/** What stands before the bytes that are looked at next. */
typedef enum hcbr_i_json_state {
    HCBR_I_JSON_BEGIN = 0, /**< nothing */
    HCBR_I_JSON_OPEN,      /**< the beginning of the list */
    HCBR_I_JSON_AFTER,     /**< an object */
    HCBR_I_JSON_COMMA
} hcbr_i_json_state;

/** How far a file of such objects was searched. */
typedef struct hcbr_i_json_scan {
    bool on;    /**< the file is one of them */
    bool list;  /**< a list is around the objects */
    bool ended; /**< which has ended */
    hcbr_i_json_state state;
    bool in_string, escaped;
    int64_t depth;
    size_t offset;  /**< bytes of the object that were searched */
    uint64_t lines; /**< line ends in them */
    size_t column;  /**< bytes before the next one in its line */
} hcbr_i_json_scan;

typedef enum hcbr_i_json_found {
    HCBR_I_JSON_NONE, /**< more bytes are needed, or there are no more */
    HCBR_I_JSON_OBJECT,
    HCBR_I_JSON_FAILED /**< and so has the lane */
} hcbr_i_json_found;

/** Are the objects of a file with this first line to be read in this way? *list: in a list. */
bool hcbr_i_json_is_whole(const char *bytes, size_t size, bool *list);
/** One past the last byte of the object; NULL: it is not before end, and the search can go on. */
const char *hcbr_i_json_end(hcbr_i_json_scan *scan, const char *object, const char *end);
/** Find the next object; it is at lane->begin, and ends at *end. */
hcbr_i_json_found hcbr_i_json_next(hcbr_i_lane *lane, const char **end);
/** The object, which ends there, was parsed. */
void hcbr_i_json_done(hcbr_i_lane *lane, const char *end);

/* ---- lanes (records.c) ----------------------------------------------------------------------- */

#define HCBR_I_MOST_HELD 64

/** Warnings of a lane that another thread will give, in their order. */
typedef struct hcbr_i_held {
    struct {
        uint64_t line, column;
        const char *message; /**< in text */
    } all[HCBR_I_MOST_HELD];
    size_t count;
    hcbr_i_arena text;
} hcbr_i_held;

/** Where records are parsed. One thread at a time; what lanes share does not change meanwhile. */
struct hcbr_i_lane {
    hcbr_i_parser p;
    hcbr_i_csv csv;
    hcbr_i_block block;
    char *buffer;
    size_t begin, end; /**< what is not parsed yet */
    size_t seen;       /**< bytes of it known to hold no '\n' (formats in lines) */
    bool last;         /**< nothing comes after end; the last byte is then a '\n' */
    uint64_t line;     /**< number of the line at begin */
    uint64_t records;  /**< of the current file, header and bad rows too */
    uint64_t file_rows;
    uint64_t row, skipped; /**< over all files */
    hcbr_i_odd odd;        /**< of the current file or chunk */
    hcbr_i_json_scan json; /**< of the current file, if objects go over several lines */
    hcbr_status failed;    /**< takes effect after the block was used; nothing more is parsed */
    hcbr_error error;
    bool waits;        /**< the record at begin may be the last of the file */
    hcbr_i_held *held; /**< receives warnings; NULL: they are given at once */
    bool stopped;      /**< `held` is full or the record may be the last of the file, which is not
                            a failure: the record at begin waits */
};

/**
 * Parse what is complete until the block is full, the lane fails or there is no more. Cases are
 * added to the block.
 */
void hcbr_i_lane_parse(hcbr_i_lane *lane);
/** Are the waiting bytes longer than a record may be? Then the lane fails. */
bool hcbr_i_lane_is_full(hcbr_i_lane *lane);
/** Fail permanently; nothing more is parsed. */
void hcbr_i_lane_fail(hcbr_i_lane *lane, hcbr_status st, const hcbr_error *err);
/** What a block had when a record or row began. */
typedef struct hcbr_i_mark {
    size_t names, longs, items, spelled, keys;
} hcbr_i_mark;

static inline hcbr_i_mark hcbr_i_mark_of(const hcbr_i_block *block) {
    return (hcbr_i_mark){block->name_count, block->long_count, block->item_count,
                         block->spelled_count, block->own_key_count};
}

/** Take back what was added since. */
static inline void hcbr_i_mark_undo(hcbr_i_block *block, const hcbr_i_mark *before) {
    block->name_count = before->names;
    block->long_count = before->longs;
    block->item_count = before->items;
    block->spelled_count = before->spelled;
    block->own_key_count = before->keys;
}

/**
 * What was added to the block since is the row at hand: make it a case. What adds names from
 * elsewhere to a case does it here.
 */
hcbr_status hcbr_i_lane_keep(hcbr_i_lane *lane, const hcbr_i_mark *before, hcbr_error *err);
/** Release what is the lane's own: working memory and block. */
void hcbr_i_lane_clear(hcbr_i_lane *lane);

/** Of a reader, for a preview: its parser, and the columns of the current csv or tsv file. */
const hcbr_i_parser *hcbr_i_reader_parser(const hcbr_i_reader *reader);
const hcbr_i_csv *hcbr_i_reader_csv(const hcbr_i_reader *reader);

/* ---- formats (sniff.c) ----------------------------------------------------------------------- */

/** Its name, as given to --format. */
const char *hcbr_i_format_name(hcbr_format format);
/** Has it columns, and records that may go over several lines? */
static inline bool hcbr_i_format_has_columns(hcbr_format format) {
    return format == HCBR_FORMAT_CSV || format == HCBR_FORMAT_TSV;
}
/** By the ending of a path; HCBR_FORMAT_AUTO if it says nothing. */
hcbr_format hcbr_i_format_of_path(const char *path);
/** By a line that is not blank; HCBR_FORMAT_AUTO if it says nothing. delimiter 0: none given. */
hcbr_format hcbr_i_format_sniff(const char *line, size_t length, int delimiter);
/** May the format not name columns (label, id, splits, texts)? */
static inline bool hcbr_i_format_no_columns(hcbr_format format) {
    return format == HCBR_FORMAT_LIBSVM || format >= HCBR_FORMAT_TEXT;
}

/** Are its features ids, which a file of names may call otherwise? */
static inline bool hcbr_i_format_has_ids(hcbr_format format) {
    return format == HCBR_FORMAT_LIBSVM || format == HCBR_FORMAT_CASES;
}

#define HCBR_I_FOREIGN 20 /* bytes that are enough to tell, unless a line ends before */
/** What a file is that holds no lines of text, and what to do with it (foreign.c); NULL: text. */
const char *hcbr_i_foreign(const char *bytes, size_t size);

/* ---- options (options.c) --------------------------------------------------------------------- */

/** Check and copy options (NULL: the defaults) with all their text into arena; index p's lists. */
hcbr_status hcbr_i_parser_init(hcbr_i_parser *p, hcbr_read_options *copy,
                               const hcbr_read_options *options, bool labelled, hcbr_i_arena *arena,
                               hcbr_error *err);

/** p->format was found: check the options that not every format takes, and set what depends on it.
 */
hcbr_status hcbr_i_parser_set_format(hcbr_i_parser *p, bool labelled, hcbr_error *err);

/* ---- bytes ----------------------------------------------------------------------------------- */

static inline bool hcbr_i_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** The first byte that is no blank, no tab and no carriage return; a '\n' ends the search. */
static inline const char *hcbr_i_skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/** A byte in each of the eight places of a word. */
#define HCBR_I_EACH(byte) (UINT64_C(0x0101010101010101) * (uint64_t)(byte))

#endif
