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

#include "read/format.h"

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

typedef struct hcbr_i_names hcbr_i_names;
typedef struct hcbr_i_joins hcbr_i_joins;

/** What is odd about a row. */
typedef enum hcbr_i_fault {
    HCBR_I_FAULT_NONE = 0,  /**< nothing; if it fails, it cannot be used at all */
    HCBR_I_FAULT_LABEL,     /**< it has no label and needs one: it fails */
    HCBR_I_FAULT_SHORT,     /**< it has too few fields, and does not fail */
    HCBR_I_FAULT_NO_ROW,    /**< it has one field of three or more: it fails */
    HCBR_I_FAULT_LONG,      /**< it has empty fields behind the last column, and does not fail */
    HCBR_I_FAULT_BELOW,     /**< it has too few fields, stands below an empty line and is no row */
    HCBR_I_FAULT_QUOTE,     /**< quotes in it stand for themselves, and it does not fail */
    HCBR_I_FAULT_REMARK,    /**< only its first field is filled, and that is a remark: it fails */
    HCBR_I_FAULT_SIGN,      /**< it begins with `#`, and is no row: it fails */
    HCBR_I_FAULT_NAMES,     /**< it repeats the header: it fails */
    HCBR_I_FAULT_FORMULA,   /**< values in it are formulas of a spreadsheet, and it does not fail */
    HCBR_I_FAULT_OTHERWISE, /**< its delimiters or quotes are others, and it does not fail */
    HCBR_I_FAULT_FLAWED,    /**< it has no reading: it fails */
    HCBR_I_FAULT_TABLE,     /**< it names the columns of another table, which is left out */
    HCBR_I_FAULT_OPEN,      /**< remarks to the end of the file, in a quote that is never closed */
    HCBR_I_FAULT_OTHER      /**< perhaps the names of another table, below an empty line: it does
                                 not fail */
} hcbr_i_fault;

/** What p->met says behind the ignored keys: was that of the id met, that of the group, anything
 *  that hcbr predict added? */
enum { HCBR_I_MET_ID, HCBR_I_MET_GROUP, HCBR_I_MET_ADDED, HCBR_I_METS };

/** State of the parser of a format, shared with the reader. */
typedef struct hcbr_i_parser {
    /* constant while the reader lives */
    const hcbr_read_options *options; /**< the reader's own copy */
    const hcbr_i_text *ignore;        /**< options->ignore with lengths */
    size_t ignore_count;
    atomic_bool *met; /**< of formats without columns: was the ignored key met? Then those of
                           HCBR_I_MET_... */
    const hcbr_i_known_names *known; /**< of a model that the cases are for; NULL: there is none */
    const hcbr_i_text *na;           /**< options->na with lengths, or the default list */
    size_t na_count;
    bool na_empty;            /**< the empty text is one of them */
    uint16_t na_lengths[256]; /**< by first byte: bit n for a length of n, bit 15 for 15 and more */
    bool labelled;            /**< every case must have a label, in the data itself */
    bool unlabelled;          /**< a label is nowhere: that of all cases is the empty text */
    double *cuts;        /**< labels that are numbers are named by these (options->bins); NULL: they
                              are not, or not yet: those of training wait until all were read */
    hcbr_i_ranges bins;  /**< how many cuts, and how labels are read */
    bool weighs;         /**< every case must have a weight: options->weight, in training */
    bool grouped;        /**< options->group must be there, in training; new cases need none */
    bool apart;          /**< labels come from options->outcomes: what holds one in the data is
                              left out, and none is needed */
    bool numeric, coded; /**< blocks may be */
    bool parts_numbers;  /**< numbers stand apart from names */
    bool is_joined;      /**< a source to be joined: no label is taken */
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
    const hcbr_i_format *format;
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
    double weight;   /**< see hcbr_i_parser_take_weight(); negative: none */
    bool no_row;     /**< nothing but blanks, a comment or a header: no case */
    bool bad_quote;  /**< csv, tsv: it fails because a quote stands where none may be */
    bool bad_count;  /**< csv, tsv: or because it has another number of fields */
    bool open_quote; /**< csv, tsv: it ends with the file, in a quote that is never closed */
    bool is_short;   /**< csv, tsv: it has fewer fields than there are columns */
    uint8_t fault;   /**< hcbr_i_fault: what is odd about it, whether it fails or not */
    uint64_t lines;  /**< line ends in it; 1 unless the parser says otherwise */

    /* over all files */
    char *label_name; /**< NUL-terminated; NULL until the label was found once */

    /* working memory, each lane's own: see hcbr_i_parser_clear() */
    void *jsonl;                         /**< of jsonl.c, NULL at first */
    void *grams;                         /**< of grams.c, NULL at first */
    void *joined;                        /**< of join.c, NULL at first */
    struct hcbr_i_column_values *values; /**< of values.c, NULL at first */
} hcbr_i_parser;

/** Are the types that options give such, each column once? HCBR_EUSAGE (types.c). */
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

/** The keys that were met, for a name that was not; p->jsonl may be NULL. */
void hcbr_i_jsonl_suggest(const hcbr_i_parser *p, hcbr_i_suggestion *s);
/** One more field of a row; its texts are the caller's to set. NULL: out of memory (fields.c). */
struct hcbr_field *hcbr_i_row_add(hcbr_i_row *to, hcbr_i_text name);
/** The members of the object at `at`, which was parsed before (json_fields.c). */
hcbr_status hcbr_i_json_fields(hcbr_i_parser *p, const char *at, hcbr_i_row *to, hcbr_error *err);

/** Does this member of an object say that what follows in it was added by hcbr predict? (added.c)
 */
bool hcbr_i_json_is_schema(const hcbr_i_parser *p, hcbr_i_text key, hcbr_i_text value);
/** Is it one of the keys that follow then? */
bool hcbr_i_json_is_added(const hcbr_i_parser *p, hcbr_i_text key);
/** All was read: say so if there were such keys. */
void hcbr_i_json_note_added(const hcbr_i_parser *p);

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

/** Let a label that is a number be the range it is in, by p->cuts; it stands in the arena. Others
 *  stay. false: out of memory. */
bool hcbr_i_parser_bin(const hcbr_i_parser *p, hcbr_i_text *label, hcbr_i_arena *arena);
/** The first file has no label, and cases need none: say so, and take none. */
void hcbr_i_parser_unlabel(hcbr_i_parser *p);
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
/** Are they of a table, whose columns are judged as if they were read from it? NULL: no. */
bool hcbr_i_names_is_table(const hcbr_i_names *names);
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

/** Is the text a rule such as ---, :--: or --+--, as below the names of a table? */
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

/** Is the line a rule of a drawn table, or does it say how many rows there were: `(3 rows)`? */
static inline bool hcbr_i_is_frame(const char *line, const char *end) {
    hcbr_i_text text = {line, (size_t)(end - line)};
    while (text.length > 0 && (line[text.length - 1] == '\n' || line[text.length - 1] == '\r'))
        text.length--;
    return hcbr_i_is_rule(text) ||
           (text.length > 4 && line[0] == '(' && hcbr_i_is_digit(line[1]) &&
            memchr(line, ' ', text.length) != NULL && line[text.length - 1] == ')' &&
            memchr(line, ')', text.length - 1) == NULL);
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
