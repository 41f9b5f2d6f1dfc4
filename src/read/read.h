/**
 * @file read.h
 * From the bytes of files to raw cases: names of features, label, id, row and line.
 *
 * A reader returns blocks of whole cases. Text in a block points into the reader's buffer or the
 * block's arena and lives until the next call. Blocks end where the input makes the reader wait, so
 * a pipe is answered line by line.
 */
#ifndef HCBR_I_READ_H
#define HCBR_I_READ_H

#include "options/options.h"

#include <hcbr/cases.h>

/** Whether two features have the same key and value. The length of an absent value is ignored. */
static inline bool hcbr_i_feature_same(const hcbr_feature *a, const hcbr_feature *b) {
    if (a->key_length != b->key_length || memcmp(a->key, b->key, a->key_length) != 0)
        return false;
    if (!a->value || !b->value)
        return a->value == b->value;
    return a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0;
}

/** Bytes of the texts of some features. */
static inline size_t hcbr_i_features_size(const hcbr_feature *features, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += features[i].key_length + (features[i].value ? features[i].value_length : 0);
    return size;
}

/** A copy of a feature with its texts at *to, which moves to after them. */
static inline hcbr_feature hcbr_i_feature_copy(const hcbr_feature *f, char **to) {
    hcbr_feature copy = {*to, f->key_length, NULL, 0};
    if (f->key_length)
        memcpy(*to, f->key, f->key_length);
    *to += f->key_length;
    if (!f->value)
        return copy;
    copy.value = *to;
    copy.value_length = f->value_length;
    if (f->value_length)
        memcpy(*to, f->value, f->value_length);
    *to += f->value_length;
    return copy;
}

/** Features by their key, those without a value first, then by value. */
static inline int hcbr_i_feature_order(const hcbr_feature *a, const hcbr_feature *b) {
    int order = hcbr_i_text_compare(a->key, a->key_length, b->key, b->key_length);
    return order ? order
                 : hcbr_i_order_absent((hcbr_i_text){a->value, a->value_length},
                                       (hcbr_i_text){b->value, b->value_length});
}

/** Key and value of a name of more than 14 bytes. */
typedef struct hcbr_i_long_name {
    const char *key, *value; /**< value NULL: a bare key */
    uint32_t key_length, value_length;
} hcbr_i_long_name;

#define HCBR_I_MOST_WEIGHT 1e9  /* of a case */
#define HCBR_I_FEWEST_NUMBERS 3 /* different values from which on numbers are ordered */

/** One case as it was read. Features may repeat; they are in the order of the data. */
typedef struct hcbr_i_raw_case {
    uint64_t row;                  /**< data row over all files, from 1, including skipped ones */
    uint64_t line;                 /**< first line in its file */
    size_t first, count;           /**< its names in the block */
    size_t first_item, item_count; /**< its separate numbers, in the block's items */
    size_t joined;                 /**< number of names and numbers from joined sources */
    hcbr_i_text label;             /**< absent only from a reader that needs none */
    hcbr_i_text id;
    hcbr_i_text group;
    double
        weight; /**< above 0; 1 where there are none. A row of weight 0 is counted and left out */
    const char *record; /**< its first byte in the file, valid as long as the block */
} hcbr_i_raw_case;

typedef struct hcbr_i_values hcbr_i_values;

/** A separate number of a case. */
typedef struct hcbr_i_item {
    double value;
    uint32_t key;     /**< of the block's keys */
    uint8_t spelling; /**< HCBR_I_SPELLED_* */
    uint16_t before;  /**< number of names of the case before it, or the largest value */
} hcbr_i_item;

static inline uint16_t hcbr_i_item_before(size_t names) {
    return names < UINT16_MAX ? (uint16_t)names : UINT16_MAX;
}

/** A value of a column of texts as it was before it was split into words. */
typedef struct hcbr_i_whole_text {
    size_t place; /**< of its case in the block */
    hcbr_i_text column, text;
} hcbr_i_whole_text;

typedef struct hcbr_i_block {
    hcbr_i_name *names; /**< short ones packed; of a long one, lo is its index in longs */
    size_t name_count, name_capacity;
    hcbr_i_long_name *longs;
    size_t long_count, long_capacity;
    hcbr_i_raw_case *cases;
    size_t case_count, case_capacity;
    uint32_t *numbers; /**< instead of names in a numeric block; followed by HCBR_I_AHEAD readable
                            elements */
    size_t number_capacity;
    hcbr_i_arena arena; /**< text that is not in the buffer in the form needed */
    bool plain_ids;     /**< every key is a decimal number without leading zeros */
    bool numeric;       /**< every name is `n=1` with n from 1 to 9999999, stored as n */
    bool coded;         /**< names are codes in numbers; those of a case are all different */
    const hcbr_i_values *values; /**< the meaning of the codes of a coded block */
    size_t other_count; /**< names of a coded block without a code: it has HCBR_I_OTHER + n */

    /* separate numbers: see hcbr_i_reader_set_apart() */
    hcbr_i_item *items;
    size_t item_count, item_capacity;
    hcbr_i_text *spelled; /**< texts of those spelled OTHER or WIDE, in their order */
    size_t spelled_count, spelled_capacity;
    const hcbr_i_text *keys; /**< columns of the file, or own_keys */
    uint64_t key_serial;     /**< different for every file; 0: keys are those of this block only,
                                  with possible duplicates, also among the items of a case */
    hcbr_i_text *own_keys;
    size_t own_key_count, own_key_capacity;

    hcbr_i_whole_text *texts; /**< of columns that are split into words, in the order of cases */
    size_t text_count, text_capacity;
} hcbr_i_block;

/** Names, or rows without any, that fill a block. It may have NUMBERS times as many separate
 *  numbers: they are small, and the more rows go through the trees of a model together, the less
 *  often each tree is loaded. */
#define HCBR_I_BLOCK 4096u
#define HCBR_I_BLOCK_NUMBERS 16u

static inline bool hcbr_i_block_is_full(const hcbr_i_block *block) {
    return block->name_count + block->item_count / HCBR_I_BLOCK_NUMBERS >= HCBR_I_BLOCK;
}

#define HCBR_I_OTHER 0x80000000u /* above every code */

/**
 * Names met in the columns of a file. The code of a name is its index here. Names are only added
 * while a file is read; `serial` changes with the next file.
 */
struct hcbr_i_values {
    uint64_t serial;
    hcbr_i_block names; /**< text is its own, except keys, which live as long as the file */
};

/** The name `n=1`, as a numeric block has it. */
hcbr_i_name hcbr_i_name_of_number(uint32_t number);

#define HCBR_I_AHEAD 48 /* numbers between a prefetch and its use */

void hcbr_i_block_reset(hcbr_i_block *block);
void hcbr_i_block_clear(hcbr_i_block *block);
/** Append a feature to the names, short or long. false: out of memory. Text is not copied. */
bool hcbr_i_block_add(hcbr_i_block *block, const char *key, size_t key_length, const char *value,
                      size_t value_length);

/** Append a number to the items. false: out of memory. Text is not copied. */
bool hcbr_i_block_add_item(hcbr_i_block *block, const hcbr_i_item *item, const char *text,
                           size_t length);
/**
 * The same for a whole number of at most 15 digits, with a key of its own, which is not copied.
 *
 * @param before number of names before the value.
 */
bool hcbr_i_block_add_whole(hcbr_i_block *block, hcbr_i_text key, int64_t value, size_t before);
/**
 * Make the values that are numbers separate, of the names from `first` on.
 *
 * @param but_ones leave `key=1` among the names.
 */
bool hcbr_i_block_set_apart(hcbr_i_block *block, size_t first, bool but_ones);

/** Name n of a block; a packed one is written to `text`. */
hcbr_feature hcbr_i_block_get(const hcbr_i_block *block, size_t n, char text[HCBR_I_NAME_TEXT]);

/**
 * Item number n of a block as a feature.
 *
 * @param text number of items before it with a text: its own is the next.
 * @param room for an item without a text.
 */
hcbr_feature hcbr_i_block_get_item(const hcbr_i_block *block, size_t n, size_t text,
                                   char room[HCBR_NUMBER_SIZE]);

#define HCBR_I_MOST_NGRAMS 16 /* words of a sequence */
#define HCBR_I_GRAM_BYTES 96u /* cost of a name besides its text, in a dictionary or a case */

/**
 * Check reading options of any source: a caller, the command line, a model. HCBR_EUSAGE names the
 * mistake: an invalid enum, limit or delimiter, a column with two uses or no name. Cost: that of
 * sorting all names.
 */
hcbr_status hcbr_i_read_options_check(const hcbr_read_options *options, hcbr_error *err);

/** The given options, which may be NULL; nothing is copied. */
void hcbr_i_options_fill(hcbr_read_options *out, const hcbr_read_options *options);
/** Longest sequence of words in texts named by options; texts that are found have a default of
 *  their own. */
static inline uint32_t hcbr_i_options_ngrams(const hcbr_read_options *options) {
    return options->ngrams ? options->ngrams : 1;
}

#define HCBR_I_MOST_BINS 1000

/** The request of option bins (bins.c). */
typedef struct hcbr_i_ranges {
    uint32_t quantiles; /**< number of ranges with about as many cases each; 0: cuts are given */
    size_t count;       /**< of cuts, below HCBR_I_MOST_BINS */
    uint8_t mark;       /**< HCBR_I_MARK_...: the decimal mark of labels; 0: not given */
    bool million;       /**< a bare m after a label means million */
} hcbr_i_ranges;

/**
 * Read "3", "median", "12.5,30", "30," or "at:30", each perhaps after "comma:" or "point:" and
 * "million:".
 *
 * @param cuts receives the upper ends of all ranges but the last, finite and ascending; room for
 *             HCBR_I_MOST_BINS. NULL: they are only counted.
 * @return whether the text is well-formed.
 */
bool hcbr_i_bins_parse(hcbr_i_ranges *out, const char *text, double *cuts);
/** The cuts as such a text, to be freed; NULL: out of memory. The point is left out. */
char *hcbr_i_bins_print(const hcbr_i_ranges *bins, const double *cuts);
/** The number of a label, as kinds.h reads numbers; false: not a number. The default mark is the
 *  point. */
bool hcbr_i_bins_value(const hcbr_i_ranges *bins, const char *text, size_t length, double *value);
/** The range of a number: that of the first cut that is not below it. */
size_t hcbr_i_bins_find(const double *cuts, size_t count, double value);
#define HCBR_I_BIN_NAME (2 * HCBR_NUMBER_SIZE + 8)
/** The name of a range, `<= 12.5`, `12.5 to 30` or `> 30`; returns its length. */
size_t hcbr_i_bins_name(const double *cuts, size_t count, size_t bin, char name[HCBR_I_BIN_NAME]);
/**
 * Whether the text is the name of a range.
 *
 * @param upper receives its upper end, infinity for `> 30`.
 */
bool hcbr_i_bins_is_name(const char *text, size_t length, double *upper);

/** Write the names of a numeric block to another one, or to itself; that is then not numeric.
 *  false: out of memory. */
bool hcbr_i_block_spell(hcbr_i_block *to, const hcbr_i_block *from);

/** Bytes of the run of letters and the like at the start of a text, from which hcbr_words_split()
 *  makes words; 0: none (words.c). */
size_t hcbr_i_words_run(const char *text, size_t length);

/* ---- words of any text (grams.c) ---- */

/** Splits texts as option text does, outside of reading. */
typedef struct hcbr_i_splitter hcbr_i_splitter;
/** @param ngrams longest sequence of words. */
hcbr_status hcbr_i_splitter_create(hcbr_i_splitter **out, uint32_t ngrams, hcbr_error *err);
void hcbr_i_splitter_free(hcbr_i_splitter *splitter);
/** Append `column:word=count` for each word of a text to the names of a block; text is copied. */
hcbr_status hcbr_i_splitter_add(hcbr_i_splitter *splitter, hcbr_i_block *to, hcbr_i_text column,
                                hcbr_i_text text, hcbr_error *err);

typedef struct hcbr_i_reader hcbr_i_reader;

/**
 * @param paths    copied.
 * @param options  copied deeply (strings too), so that a stream may outlive them.
 * @param labelled every case must have a label (training); otherwise a label is removed if present,
 *                 and not needed.
 */
hcbr_status hcbr_i_reader_create(hcbr_i_reader **out, const char *const *paths, size_t count,
                                 const hcbr_read_options *options, bool labelled, hcbr_error *err);
void hcbr_i_reader_free(hcbr_i_reader *reader);

/**
 * The next cases. *block is borrowed until the next call, NULL at the end. An unusable row fails
 * after the rows before it were returned.
 */
hcbr_status hcbr_i_reader_next(hcbr_i_reader *reader, const hcbr_i_block **block, hcbr_error *err);

/** Return numeric blocks if the data allows it, or names only. */
void hcbr_i_reader_set_numeric(hcbr_i_reader *reader, bool numeric);
/** Return coded blocks if the data allows it. Before the first block. */
void hcbr_i_reader_set_coded(hcbr_i_reader *reader);
/**
 * Make numbers separate from names in all blocks. Before the first block. The value `1` of ids and
 * words stays a name, and so do names in numeric blocks.
 */
void hcbr_i_reader_set_apart(hcbr_i_reader *reader);
/**
 * The columns and keys of the model that the cases are for: other columns that hcbr predict added
 * to the data are left out, with a note (added.c). Before the first block; must outlive the reader.
 */
typedef struct hcbr_i_known_names {
    bool (*is)(const void *context, hcbr_i_text name);
    const void *context;
} hcbr_i_known_names;
void hcbr_i_reader_set_known(hcbr_i_reader *reader, const hcbr_i_known_names *known);

/* ---- large files by several threads (rounds.c) ---- */

/**
 * Uses the next block of a chunk, in any thread. Blocks of one chunk come in order; rows and lines
 * count from the chunk's first; blocks may be numeric, or coded if requested, with values of the
 * worker. Text in the block is invalid afterwards.
 *
 * @param worker below options.threads; no two threads have the same at a time.
 */
typedef hcbr_status hcbr_i_round_task(void *context, uint32_t worker, uint32_t chunk,
                                      const hcbr_i_block *block, hcbr_error *err);

/** The most chunks of a round. */
uint32_t hcbr_i_reader_most_chunks(const hcbr_i_reader *reader);
/** Threads that a round may use. */
uint32_t hcbr_i_reader_threads(const hcbr_i_reader *reader);

/** Whether the next bytes can be read in a round. Costs nothing otherwise. */
bool hcbr_i_reader_is_large(const hcbr_i_reader *reader);
/**
 * Parse the next chunks of a large file in parallel, with options.threads threads.
 *
 * @param chunks receives their number; 0: a round gains nothing now, continue with
 *               hcbr_i_reader_next(). Each chunk must then be passed to hcbr_i_reader_settle(), in
 *               order, until one fails or stops; no other call may come before.
 */
hcbr_status hcbr_i_reader_round(hcbr_i_reader *reader, hcbr_i_round_task *task, void *context,
                                uint32_t *chunks, hcbr_error *err);
/**
 * Count a chunk of the round and send its warnings.
 *
 * @param rows receives the number of data rows before its first, over all files.
 * @param stop receives whether the chunks after it do not count: they will be read again.
 * @return the status of parsing the chunk; its blocks count in any case. hcbr_i_reader_next()
 *         returns a failure again.
 */
hcbr_status hcbr_i_reader_settle(hcbr_i_reader *reader, uint32_t chunk, uint64_t *rows, bool *stop,
                                 hcbr_error *err);

/* ---- tables in memory (frame*.c, arrow.c) ---- */

/** Rows in memory, as typed columns or a sparse matrix. All sources are borrowed. */
typedef struct hcbr_i_table hcbr_i_table;
struct hcbr_memory_column;
struct hcbr_sparse;
struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream;

hcbr_status hcbr_i_table_create(hcbr_i_table **out, const struct hcbr_memory_column *columns,
                                size_t count, hcbr_error *err);
hcbr_status hcbr_i_table_create_sparse(hcbr_i_table **out, const struct hcbr_sparse *matrix,
                                       const struct hcbr_memory_column *columns, size_t count,
                                       hcbr_error *err);
hcbr_status hcbr_i_table_create_arrow(hcbr_i_table **out, const struct ArrowSchema *schema,
                                      const struct ArrowArray *array, hcbr_error *err);
/** All batches of a stream. */
hcbr_status hcbr_i_table_create_stream(hcbr_i_table **out, struct ArrowArrayStream *stream,
                                       hcbr_error *err);
void hcbr_i_table_free(hcbr_i_table *frame);

/** Rows; 0 for a stream. */
uint64_t hcbr_i_table_rows(const hcbr_i_table *frame);
/** Read the rows [begin, end) only, of a table other than a stream. Rows count from 1 in any
 *  case. */
void hcbr_i_table_set_range(hcbr_i_table *frame, uint64_t begin, uint64_t end);

/**
 * A reader of a table instead of files: its blocks are like those of csv with these columns.
 * Options about files are ignored.
 *
 * @param frame read and changed by the reader, released by the caller after it.
 */
hcbr_status hcbr_i_reader_create_table(hcbr_i_reader **out, hcbr_i_table *frame,
                                       const hcbr_read_options *options, bool labelled,
                                       hcbr_error *err);

/**
 * Set the roles of a table's columns, and check all its values, before the first block:
 * hcbr_i_reader_columns() can be called afterwards.
 */
hcbr_status hcbr_i_reader_bind(hcbr_i_reader *reader, hcbr_error *err);
/** Threads that hcbr_i_reader_ranges() uses. */
uint32_t hcbr_i_reader_range_threads(const hcbr_i_reader *reader);
/**
 * Read all rows of a bound table other than a stream, in parallel ranges, with options.threads
 * threads; afterwards everything is read. Blocks are those of hcbr_i_reader_next(); rows count over
 * the whole table. options.progress counts rows.
 *
 * @param task  receives the blocks, those of one range in order.
 * @param stage of progress; a static string.
 * @return the status of the first failing row, for any number of threads; HCBR_ECANCELLED.
 */
hcbr_status hcbr_i_reader_ranges(hcbr_i_reader *reader, hcbr_i_round_task *task, void *context,
                                 const char *stage, hcbr_error *err);

struct hcbr_field;
/** The fields of a row. Zero-initialise; free `all`. */
typedef struct hcbr_i_row {
    struct hcbr_field *all;
    size_t count, capacity;
} hcbr_i_row;
/**
 * The row of a case of the last block of hcbr_i_reader_next() as it is in the data (fields.c).
 *
 * @return HCBR_OK, HCBR_EUSAGE (a format without columns) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_reader_fields(hcbr_i_reader *reader, const hcbr_i_raw_case *x, hcbr_i_row *to,
                                 hcbr_error *err);

/** Report progress once more, on the reading thread. HCBR_OK or HCBR_ECANCELLED. */
hcbr_status hcbr_i_reader_ask(const hcbr_i_reader *reader, hcbr_error *err);
/** Bytes read so far. */
uint64_t hcbr_i_reader_bytes(const hcbr_i_reader *reader);
/** Data rows so far, including skipped ones and those of weight 0. */
uint64_t hcbr_i_reader_rows(const hcbr_i_reader *reader);
/** Rows skipped so far. */
uint64_t hcbr_i_reader_skipped(const hcbr_i_reader *reader);
/** Name of the current file, for messages. */
const char *hcbr_i_reader_file(const hcbr_i_reader *reader);

/**
 * Columns of the current csv/tsv file with features (without label, id and ignored ones).
 *
 * @param serial receives a number that changes with every file; 0 before the first header and for
 *               formats without columns, with *count = 0.
 */
const hcbr_i_text *hcbr_i_reader_columns(const hcbr_i_reader *reader, size_t *count,
                                         uint64_t *serial);

/** Whether the key is a word: of the text format, or `column:word` of a text column. */
bool hcbr_i_reader_is_word(const hcbr_i_reader *reader, hcbr_i_text key);
/** Whether the rows are those of a table, with named columns or keys. */
bool hcbr_i_reader_is_table(const hcbr_i_reader *reader);
/** The least number of cases of a word: options.min_count. */
uint32_t hcbr_i_reader_min_count(const hcbr_i_reader *reader);
/** HCBR_EDATA if features of this size exceed their limit because of sequences of words. */
hcbr_status hcbr_i_reader_check_grams(const hcbr_i_reader *reader, uint64_t bytes, hcbr_error *err);

/** Whether the cases have no label, since none is needed and the first file has none. */
bool hcbr_i_reader_is_unlabelled(const hcbr_i_reader *reader);
/** Name of the label: the column or key; "label" if a format implies it. */
const char *hcbr_i_reader_label_name(const hcbr_i_reader *reader);

#ifdef HCBR_FAULTS
/** Tests and fuzzers: bytes of a new reader's buffer, at least 3, so that small inputs grow it. */
extern size_t hcbr_i_reader_buffer;
/** Bytes of a chunk, at least 1; a file of few chunks is read by one thread. */
extern size_t hcbr_i_reader_chunk;
/** Rows of a range of a table, at least 1. */
extern size_t hcbr_i_table_range;
#endif

/* ---- JSON as a tree (json_tree.c) ------------------------------------------------------------ */

typedef enum hcbr_i_node_kind {
    HCBR_I_NODE_NULL,
    HCBR_I_NODE_BOOL,
    HCBR_I_NODE_NUMBER,
    HCBR_I_NODE_TEXT,
    HCBR_I_NODE_LIST,
    HCBR_I_NODE_OBJECT
} hcbr_i_node_kind;

/** A value of JSON. */
typedef struct hcbr_i_node {
    hcbr_i_node_kind kind;
    double number;                          /**< NaN if not a number; 1 or 0 for a bool */
    hcbr_i_text text;                       /**< of a text, decoded; else absent */
    hcbr_i_text key;                        /**< its name in an object */
    const struct hcbr_i_node *first, *next; /**< the first of its values; the next one after it */
    size_t count;                           /**< number of its values */
} hcbr_i_node;

/** A document and its values. */
typedef struct hcbr_i_tree {
    const hcbr_i_node *root;
    const char *text; /**< a copy of the given text */
    size_t length;
    hcbr_i_arena arena;
} hcbr_i_tree;

/**
 * Parse the document at the beginning of a text.
 *
 * @param tree  receives it; tree->length is its end. Empty after a failure.
 * @param name  of the file, for messages; may be NULL.
 * @param line  of the text's beginning in the file.
 */
hcbr_status hcbr_i_tree_parse(hcbr_i_tree *tree, const char *text, size_t length, const char *name,
                              uint64_t line, hcbr_error *err);
void hcbr_i_tree_clear(hcbr_i_tree *tree);

/** The member of a name, or a value by its path, "accuracy.mean"; a null node if missing. */
const hcbr_i_node *hcbr_i_node_get(const hcbr_i_node *node, const char *path);
/** The number there; NaN if missing. */
double hcbr_i_node_number(const hcbr_i_node *node, const char *path);
/** Value n of a list or object; a null node if there are fewer. */
const hcbr_i_node *hcbr_i_node_at(const hcbr_i_node *node, size_t n);
/** Whether the node is this text. */
bool hcbr_i_node_is(const hcbr_i_node *node, const char *text);
/** The largest value of a member in a list, at least `least`. */
double hcbr_i_node_most(const hcbr_i_node *list, const char *path, double least);

/* ---- missing names (suggest.c) --------------------------------------------------------------- */

/** Finds the nearest of some names. Zero-initialise, then set `wanted`. */
typedef struct hcbr_i_suggestion {
    hcbr_i_text wanted;
    hcbr_i_text best; /**< absent: none is near */
    unsigned least;   /**< its edits */
} hcbr_i_suggestion;

/** Offer an existing name. */
void hcbr_i_suggest(hcbr_i_suggestion *s, hcbr_i_text name);
#define HCBR_I_SUGGESTED 240
/** The text to append to a message: empty, or the suggested name. */
const char *hcbr_i_suggestion_text(char text[HCBR_I_SUGGESTED], const hcbr_i_suggestion *s);

/* ---- small files (sheet.c) ---------------------------------------------------------------------
 */

/** A field with its position. */
typedef struct hcbr_i_placed {
    hcbr_i_text text; /**< without quotes and without blanks around it */
    uint64_t line, column;
} hcbr_i_placed;

/** The table. Zero-initialise to start. */
typedef struct hcbr_i_sheet {
    char *file;           /**< its name for messages */
    char *bytes;          /**< the file; all text points into it */
    hcbr_i_placed *cells; /**< row by row, the header first */
    size_t cell_capacity;
    size_t columns, rows; /**< rows without the header */
} hcbr_i_sheet;

#define HCBR_I_SHEET_MOST ((size_t)256 << 20) /* bytes of such a file */

/**
 * Read a comma-separated file: fields in double quotes if they have commas, quotes or ends of
 * lines; the first line names the columns. Empty lines and lines that begin with `#` are skipped.
 * Compressed files and encodings are read as data files are.
 *
 * Every row has as many fields as the header, and no two columns have one name.
 *
 * @param what     the content of a row, for the message about an empty file.
 * @param options  for opening files; NULL: the defaults.
 * @return HCBR_OK, HCBR_EDATA with the place, HCBR_EIO or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_sheet_load(hcbr_i_sheet *sheet, const char *path, const char *what,
                              const hcbr_read_options *options, hcbr_error *err);
void hcbr_i_sheet_clear(hcbr_i_sheet *sheet);

static inline const hcbr_i_placed *hcbr_i_sheet_name(const hcbr_i_sheet *sheet, size_t column) {
    return &sheet->cells[column];
}
static inline const hcbr_i_placed *hcbr_i_sheet_cell(const hcbr_i_sheet *sheet, size_t row,
                                                     size_t column) {
    return &sheet->cells[(row + 1) * sheet->columns + column];
}
/** The column of a name; SIZE_MAX: none. */
size_t hcbr_i_sheet_find(const hcbr_i_sheet *sheet, const char *name);
/** Fail with the place of a cell. */
hcbr_status hcbr_i_sheet_fail(const hcbr_i_sheet *sheet, const hcbr_i_placed *cell, hcbr_error *err,
                              const char *format, ...) HCBR_I_PRINTF(4, 5);

/* ---- previews (preview.c) -------------------------------------------------------------------- */

struct hcbr_preview;
/** Replace the features of a preview's case by copies of others. */
hcbr_status hcbr_i_preview_replace(struct hcbr_preview *preview, size_t index,
                                   const hcbr_feature *features, size_t count, hcbr_error *err);

#endif
