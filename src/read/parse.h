/**
 * @file parse.h
 * Shared by the reader and the parsers of the formats; private to src/read.
 *
 * A lane has a buffer, counts lines and rows and decides about unusable rows. A parser sees one
 * complete record and adds its names to the block. After the last byte of the buffer there are a
 * '\n' and HCBR_I_BEHIND readable bytes of any value.
 */
#ifndef HCBR_I_PARSE_H
#define HCBR_I_PARSE_H

#include "read/format.h"

#include <stdatomic.h>

#define HCBR_I_BEHIND 64 /* bytes after the buffer that a parser may load */
#define HCBR_I_PAD 32    /* and after a text that is packed by whole words */

/** The reading of a column or key named by an option. */
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
    atomic_bool met; /**< the data has it; several parsers may set it at once */
} hcbr_i_special;

/** The role of a column. */
typedef enum hcbr_i_role {
    HCBR_I_ROLE_FEATURE = 0,
    HCBR_I_ROLE_LABEL,
    HCBR_I_ROLE_ID,
    HCBR_I_ROLE_GROUP,
    HCBR_I_ROLE_WEIGHT,
    HCBR_I_ROLE_IGNORED,
    HCBR_I_ROLE_KEY /**< ignored, but a key of joined sources: kept until they are joined */
} hcbr_i_role;

typedef struct hcbr_i_names hcbr_i_names;
typedef struct hcbr_i_joins hcbr_i_joins;

/** The fault of an odd row. */
typedef enum hcbr_i_fault {
    HCBR_I_FAULT_NONE = 0,  /**< none; a row that fails is unusable */
    HCBR_I_FAULT_LABEL,     /**< needs a label: fails */
    HCBR_I_FAULT_SHORT,     /**< too few fields: accepted */
    HCBR_I_FAULT_NO_ROW,    /**< one field of three or more: fails */
    HCBR_I_FAULT_LONG,      /**< empty fields after the last column: accepted */
    HCBR_I_FAULT_BELOW,     /**< too few fields below an empty line: not a row */
    HCBR_I_FAULT_QUOTE,     /**< quotes in it are text: accepted */
    HCBR_I_FAULT_REMARK,    /**< a remark, only in its first field: fails */
    HCBR_I_FAULT_SIGN,      /**< begins with `#`, not a row: fails */
    HCBR_I_FAULT_NAMES,     /**< repeats the header: fails */
    HCBR_I_FAULT_FORMULA,   /**< values are formulas of a spreadsheet: accepted */
    HCBR_I_FAULT_OTHERWISE, /**< other delimiters or quotes: accepted */
    HCBR_I_FAULT_FLAWED,    /**< no reading: fails */
    HCBR_I_FAULT_TABLE,     /**< names the columns of another table, which is left out */
    HCBR_I_FAULT_OPEN,      /**< remarks to the end of the file, in an unclosed quote */
    HCBR_I_FAULT_OTHER      /**< perhaps the names of another table, below an empty line:
                                 accepted */
} hcbr_i_fault;

/** Entries of p->met after the ignored keys: whether the id, the group, or a key added by hcbr
 *  predict was met. */
enum { HCBR_I_MET_ID, HCBR_I_MET_GROUP, HCBR_I_MET_ADDED, HCBR_I_METS };

/** State of the parser of a format, shared with the reader. */
typedef struct hcbr_i_parser {
    /* constant while the reader lives */
    const hcbr_read_options *options; /**< the reader's own copy */
    const hcbr_i_text *ignore;        /**< options->ignore with lengths */
    size_t ignore_count;
    atomic_bool *met; /**< of formats without columns: whether the ignored key was met; then the
                           entries of HCBR_I_MET_... */
    const hcbr_i_known_names *known; /**< of a model that the cases are for; may be NULL */
    const hcbr_i_text *na;           /**< options->na with lengths, or the default list */
    size_t na_count;
    bool na_empty;            /**< the empty text is one of them */
    uint16_t na_lengths[256]; /**< by first byte: bit n for a length of n, bit 15 for 15 and more */
    bool labelled;            /**< every case must have a label, in the data itself */
    bool unlabelled;          /**< there are no labels: that of all cases is the empty text */
    double *cuts;        /**< labels that are numbers become ranges by these (options->bins); NULL:
                              they do not, or not yet: in training after all are read */
    hcbr_i_ranges bins;  /**< number of cuts, and the form of labels */
    bool weighs;         /**< every case must have a weight: options->weight, in training */
    bool grouped;        /**< options->group must be present, in training; new cases need none */
    bool apart;          /**< labels come from options->outcomes: a label in the data is left out,
                              and not needed */
    bool numeric, coded; /**< blocks may be of this kind */
    bool parts_numbers;  /**< numbers are separate from names */
    bool is_joined;      /**< a source to be joined: no label is read */
    hcbr_i_special *specials; /**< options->split, text and presence, in this order */
    size_t special_count;
    const hcbr_i_names *names; /**< names of ids and labels; may be NULL */
    hcbr_i_joins *joins;       /**< sources to join; may be NULL */
    const hcbr_i_text *keys;   /**< columns or keys that sources are joined by, that of this source
                                    too */
    size_t key_count;
    /* constant while a file is read */
    const char *file;                   /**< its name for messages */
    const struct hcbr_i_source *source; /**< its source; NULL: not from a file */
    uint64_t serial;                    /**< its number */
    const hcbr_i_format *format;
    bool takes_short;  /**< short rows are accepted (HCBR_BAD_ROWS_AUTO) */
    bool joined_lines; /**< lines within a record end with a carriage return */
    bool label_last;   /**< cases: the last name of a line is its label */
    bool blank_rows;   /**< a line of blanks is an empty case */

    /* of the current record: set by the reader */
    hcbr_i_block *block; /**< receives the names */
    const char *record;  /**< its first byte */
    uint64_t line;       /**< number of the line it starts in */
    size_t before;       /**< bytes before it in that line; 0 unless objects share a line */
    bool first;          /**< the first of its file */
    /* of the current record: set by the parser, cleared by the reader before each record */
    hcbr_i_text label; /**< see hcbr_i_parser_take_label() */
    hcbr_i_text id;
    hcbr_i_text group;
    double weight;   /**< see hcbr_i_parser_take_weight(); negative: none */
    bool no_row;     /**< only blanks, a comment or a header: no case */
    bool bad_quote;  /**< csv, tsv: it fails because of a misplaced quote */
    bool bad_count;  /**< csv, tsv: or because of its number of fields */
    bool open_quote; /**< csv, tsv: it ends with the file, in an unclosed quote */
    bool is_short;   /**< csv, tsv: it has fewer fields than there are columns */
    uint8_t fault;   /**< hcbr_i_fault, whether it fails or not */
    uint64_t lines;  /**< line ends in it; 1 by default */

    /* over all files */
    char *label_name; /**< NUL-terminated; NULL until the label was found */

    /* working memory, each lane's own: see hcbr_i_parser_clear() */
    void *jsonl;                         /**< of jsonl.c, NULL at first */
    void *grams;                         /**< of grams.c, NULL at first */
    void *joined;                        /**< of join.c, NULL at first */
    struct hcbr_i_column_values *values; /**< of values.c, NULL at first */
} hcbr_i_parser;

/** Check the types given by options, and that each column has one. HCBR_EUSAGE (types.c). */
hcbr_status hcbr_i_types_check(const hcbr_read_options *options, hcbr_error *err);

/** Names tried for the label, in this order, if options->label is NULL. */
#define HCBR_I_LABEL_NAMES 5
extern const char *const hcbr_i_label_names[HCBR_I_LABEL_NAMES];

/** Values that mean "missing" if options->na is NULL. */
#define HCBR_I_NA_COUNT 5
extern const char *const hcbr_i_default_na[HCBR_I_NA_COUNT];

/** A record of jsonl, as hcbr_i_format.record. */
hcbr_status hcbr_i_parse_jsonl(hcbr_i_parser *p, const char *line, const char *newline,
                               hcbr_error *err);

/** Offer the keys met as suggestions for a missing one; p->jsonl may be NULL. */
void hcbr_i_jsonl_suggest(const hcbr_i_parser *p, hcbr_i_suggestion *s);
/** Add a field to a row; the caller sets its texts. NULL: out of memory (fields.c). */
struct hcbr_field *hcbr_i_row_add(hcbr_i_row *to, hcbr_i_text name);
/** The members of the object at `at`, which was parsed before (json_fields.c). */
hcbr_status hcbr_i_json_fields(hcbr_i_parser *p, const char *at, hcbr_i_row *to, hcbr_error *err);

/** Whether this member of an object marks the following ones as added by hcbr predict. (added.c) */
bool hcbr_i_json_is_schema(const hcbr_i_parser *p, hcbr_i_text key, hcbr_i_text value);
/** Whether it is one of the keys that follow then. */
bool hcbr_i_json_is_added(const hcbr_i_parser *p, hcbr_i_text key);
/** Called at the end: report such keys. */
void hcbr_i_json_note_added(const hcbr_i_parser *p);

/** Release p->jsonl, which may be NULL. */
void hcbr_i_jsonl_free(hcbr_i_parser *p);

/** Release the parser's working memory; it is made again when it is needed. */
void hcbr_i_parser_clear(hcbr_i_parser *p);
/** A parser of the same file for another lane: as p, but with working memory of its own. */
void hcbr_i_parser_fork(hcbr_i_parser *out, const hcbr_i_parser *p, hcbr_i_block *block);

/**
 * HCBR_EDATA at a byte of the record: the line and column are counted from p->record. The message
 * has what was found and what was expected.
 */
hcbr_status hcbr_i_parser_fail(const hcbr_i_parser *p, const char *at, hcbr_error *err,
                               const char *format, ...) HCBR_I_PRINTF(4, 5);

/** HCBR_EDATA with its place if text of the record holds NUL, invalid UTF-8 or a byte order mark.
 */
hcbr_status hcbr_i_parser_check(const hcbr_i_parser *p, const char *text, size_t length,
                                hcbr_error *err);

/** Whether the text is in the list of missing values (the slow half of hcbr_i_parser_is_na()). */
bool hcbr_i_parser_in_na(const hcbr_i_parser *p, const char *text, size_t length);

/** Whether the text means a missing value. */
static inline bool hcbr_i_parser_is_na(const hcbr_i_parser *p, const char *text, size_t length) {
    if (length == 0)
        return p->na_empty;
    unsigned lengths = p->na_lengths[(unsigned char)*text];
    return HCBR_I_UNLIKELY(lengths != 0) && (lengths >> (length < 15 ? length : 15) & 1) != 0 &&
           hcbr_i_parser_in_na(p, text, length);
}

/**
 * Set the record's label. A missing one (empty or in the list of missing values) fails if a label
 * is needed and is left absent otherwise.
 *
 * @param at   its position in the record, for messages.
 * @param text in the buffer or the block's arena.
 */
hcbr_status hcbr_i_parser_take_label(hcbr_i_parser *p, const char *at, const char *text,
                                     size_t length, hcbr_error *err);

/**
 * Set the record's weight: a number from 0 to HCBR_I_MOST_WEIGHT, else it fails. If no weights are
 * needed, it is not read.
 *
 * @param at as above.
 */
hcbr_status hcbr_i_parser_take_weight(hcbr_i_parser *p, const char *at, const char *text,
                                      size_t length, hcbr_error *err);

/** Remove the ignored keys from the names from `first` on, for formats that name their features. */
void hcbr_i_parser_drop_ignored(hcbr_i_parser *p, size_t first);

/** Replace a label that is a number by its range, by p->cuts, in the arena. Others stay. false: out
 *  of memory. */
bool hcbr_i_parser_bin(const hcbr_i_parser *p, hcbr_i_text *label, hcbr_i_arena *arena);
/** Called if the first file has no label, and cases need none: report it, and read none. */
void hcbr_i_parser_unlabel(hcbr_i_parser *p);
/** Store the name of the label's column; the first call counts. false: out of memory. */
bool hcbr_i_parser_name_label(hcbr_i_parser *p, const char *name, size_t length);

/* ---- columns of sets and texts (special.c), words (grams.c) ---------------------------------- */

/** The reading of the column or key; NULL: as `column=value`. Otherwise it counts as found. */
const hcbr_i_special *hcbr_i_parser_special(const hcbr_i_parser *p, const char *name,
                                            size_t length);
/** The option that names such columns, without its dashes. */
const char *hcbr_i_change_name(hcbr_i_change change);

/** Add the features of a value that is not missing, or keep a text for hcbr_i_grams_end(). */
hcbr_status hcbr_i_special_take(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text value,
                                hcbr_error *err);

/** Called at the start of a record: forget texts of the one before. */
void hcbr_i_grams_begin(hcbr_i_parser *p);
/** Keep a text of a column (NULL: of the line) until the end of the record. */
hcbr_status hcbr_i_grams_keep(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text text,
                              hcbr_error *err);
/** Called at the end of the record: add the words of its texts, column by column in the order of
 *  options. */
hcbr_status hcbr_i_grams_end(hcbr_i_parser *p, hcbr_error *err);
/** HCBR_EDATA if the features exceed their limit in bytes because of long sequences of words. */
hcbr_status hcbr_i_grams_check(const hcbr_i_parser *p, uint64_t bytes, hcbr_error *err);
/** Release p->grams, which may be NULL. */
void hcbr_i_grams_free(hcbr_i_parser *p);

/* ---- labels of a file of their own (outcomes.c) ---------------------------------------------- */

/** A label for each data row of all files together. Zero-initialise to start. */
typedef struct hcbr_i_outcomes {
    char *bytes;
    hcbr_i_text *labels; /**< that of line i + 1; absent if it is missing and not needed */
    size_t count, capacity;
    char *file; /**< its name for messages; NULL: none */
} hcbr_i_outcomes;

/** Load and check options->outcomes, if set. */
hcbr_status hcbr_i_outcomes_load(hcbr_i_outcomes *outcomes, const hcbr_i_parser *p, bool labelled,
                                 hcbr_error *err);
void hcbr_i_outcomes_clear(hcbr_i_outcomes *outcomes);
/** Label the cases of a block by their rows. On failure the cases before are labelled and kept. */
hcbr_status hcbr_i_outcomes_give(const hcbr_i_outcomes *outcomes, hcbr_i_block *block,
                                 hcbr_error *err);
/** Called when all files are read: each label must have had its row. */
hcbr_status hcbr_i_outcomes_end(const hcbr_i_outcomes *outcomes, uint64_t rows, hcbr_error *err);

/* ---- names of ids (names.c) ------------------------------------------------------------------ */

/** Read a file of names. Afterwards it never changes: any number of threads may use it. */
hcbr_status hcbr_i_names_load(hcbr_i_names **out, const char *path, uint64_t hash_seed,
                              hcbr_error *err);
void hcbr_i_names_free(hcbr_i_names *names);
/** Rename the features of the current record, from `first` on. */
hcbr_status hcbr_i_names_apply(hcbr_i_parser *p, size_t first, hcbr_error *err);
/**
 * Rename the cases of a block and their labels. On failure the cases before the one that failed are
 * named and kept.
 */
hcbr_status hcbr_i_names_give(const hcbr_i_names *names, const hcbr_i_parser *p,
                              hcbr_i_block *block, hcbr_error *err);
/** Whether they are of a table, whose columns are judged as if read from it. NULL: no. */
bool hcbr_i_names_is_table(const hcbr_i_names *names);
/** Column or key of the labels, or NULL. */
const char *hcbr_i_names_label_name(const hcbr_i_names *names);

/* ---- joined sources (join.c, join_load.c) ---------------------------------------------------- */

/**
 * Set up the sources of o->join that have a path. Columns of sources are removed from o's lists.
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
/** Whether it is the key of a word of a text of theirs. joins may be NULL. */
bool hcbr_i_joins_is_word(const hcbr_i_joins *joins, hcbr_i_text key);
/**
 * Add the features of the sources to the case of the current record. Its names are those from
 * `first` on; *joined receives the number added.
 */
hcbr_status hcbr_i_joins_apply(hcbr_i_parser *p, size_t first, size_t *joined, hcbr_error *err);
/** Called when all data is read: report keys without a match. joins may be NULL. */
void hcbr_i_joins_end(const hcbr_i_joins *joins, const hcbr_read_options *o);
/** Release p->joined, which may be NULL. */
void hcbr_i_joined_free(hcbr_i_parser *p);

/** Whether sources are joined by this column or key. */
bool hcbr_i_parser_is_join_key(const hcbr_i_parser *p, const char *name, size_t length);
/** The source whose features could have this name, or NULL. */
const char *hcbr_i_parser_clash(const hcbr_i_parser *p, const char *name, size_t length);

/** A reader of one source to be joined: every column but the key is a feature. */
hcbr_status hcbr_i_reader_create_joined(hcbr_i_reader **out, const char *path,
                                        const hcbr_read_options *options, const hcbr_i_text *key,
                                        hcbr_error *err);

#define HCBR_I_FOREIGN 20 /* bytes that are enough to decide, unless a line ends before */
/** The kind of a file without lines of text, with advice (foreign.c); NULL: text. */
const char *hcbr_i_foreign(const char *bytes, size_t size);

/* ---- options (options.c) --------------------------------------------------------------------- */

/** Check and copy options (NULL: the defaults) with all their text into arena; index p's lists. */
hcbr_status hcbr_i_parser_init(hcbr_i_parser *p, hcbr_read_options *copy,
                               const hcbr_read_options *options, bool labelled, hcbr_i_arena *arena,
                               hcbr_error *err);

/** Called when p->format is known: check the options that not every format accepts, and set those
 that depend on it. */
hcbr_status hcbr_i_parser_set_format(hcbr_i_parser *p, bool labelled, hcbr_error *err);

/* ---- bytes ----------------------------------------------------------------------------------- */

static inline bool hcbr_i_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** Whether the text is a rule such as ---, :--: or --+--, as below the names of a table. */
static inline bool hcbr_i_is_rule(hcbr_i_text text) {
    size_t strokes = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.at[i];
        if (c != '-' && c != '=' && c != '_' && c != ':' && c != '+' && c != '|' && c != ' ' &&
            c != '\r')
            return false;
        strokes += c == '-' || c == '=' || c == '_';
    }
    return strokes > 1;
}

/** Whether the line is a rule of a drawn table, or the number of rows: `(3 rows)`. */
static inline bool hcbr_i_is_frame(const char *line, const char *end) {
    hcbr_i_text text = {line, (size_t)(end - line)};
    while (text.length > 0 && (line[text.length - 1] == '\n' || line[text.length - 1] == '\r'))
        text.length--;
    return hcbr_i_is_rule(text) ||
           (text.length > 4 && line[0] == '(' && hcbr_i_is_digit(line[1]) &&
            memchr(line, ' ', text.length) != NULL && line[text.length - 1] == ')' &&
            memchr(line, ')', text.length - 1) == NULL);
}

/** The first byte other than blank, tab and carriage return; a '\n' ends the search. */
static inline const char *hcbr_i_skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/** A byte in each of the eight places of a word. */
#define HCBR_I_EACH(byte) (UINT64_C(0x0101010101010101) * (uint64_t)(byte))

#endif
