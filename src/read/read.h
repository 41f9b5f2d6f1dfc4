/**
 * @file read.h
 * From the bytes of files to raw cases: names of features, label, id, row and line.
 *
 * A reader hands out blocks of whole cases. Text in a block points into the reader's buffer or the
 * block's arena and lives until the next call. Blocks end where the input makes the reader wait,
 * so a pipe is answered line by line.
 */
#ifndef HCBR_I_READ_H
#define HCBR_I_READ_H

#include "options/options.h"

#include <hcbr/cases.h>

/** Do two features have the same key and value? The length of a value that is not there may be
 *  anything. */
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

/** A copy of a feature whose texts stand at *to, which moves behind them. */
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

/** Key and value of a name that does not fit into 14 bytes. */
typedef struct hcbr_i_long_name {
    const char *key, *value; /**< value NULL: a bare key */
    uint32_t key_length, value_length;
} hcbr_i_long_name;

#define HCBR_I_MOST_WEIGHT 1e9  /* of a case */
#define HCBR_I_FEWEST_NUMBERS 3 /* different values from which numbers are taken to be ordered */

/** One case as it was read. Features may be repeated; they come in the order of the data. */
typedef struct hcbr_i_raw_case {
    uint64_t row;                  /**< data row over all files, from 1, skipped ones counted */
    uint64_t line;                 /**< where it starts in its file */
    size_t first, count;           /**< its names in the block */
    size_t first_item, item_count; /**< its numbers that stand apart, in the block's items */
    size_t joined;                 /**< how many of names and numbers come from joined sources */
    hcbr_i_text label;             /**< absent only from a reader that needs none */
    hcbr_i_text id;
    hcbr_i_text group;
    double
        weight; /**< above 0; 1 where there are none. A row of weight 0 is counted and left out */
    const char *record; /**< its first byte in the file, which is there as long as the block */
} hcbr_i_raw_case;

typedef struct hcbr_i_values hcbr_i_values;

/** A number of a case that stands apart from the names. */
typedef struct hcbr_i_item {
    double value;
    uint32_t key;     /**< of the block's keys */
    uint8_t spelling; /**< HCBR_I_SPELLED_* */
    uint16_t before;  /**< how many names of the case come before it, or as many as it can say */
} hcbr_i_item;

static inline uint16_t hcbr_i_item_before(size_t names) {
    return names < UINT16_MAX ? (uint16_t)names : UINT16_MAX;
}

typedef struct hcbr_i_block {
    hcbr_i_name *names; /**< short ones packed; of a long one, lo is its index in longs */
    size_t name_count, name_capacity;
    hcbr_i_long_name *longs;
    size_t long_count, long_capacity;
    hcbr_i_raw_case *cases;
    size_t case_count, case_capacity;
    uint32_t *numbers; /**< instead of names in a numeric block; then HCBR_I_AHEAD that can be read
                            but mean nothing */
    size_t number_capacity;
    hcbr_i_arena arena; /**< text that does not stand in the buffer as it is needed */
    bool plain_ids;     /**< every key is a decimal number without leading zeros */
    bool numeric;       /**< every name is `n=1` with n from 1 to 9999999, and stands as n */
    bool coded;         /**< names stand as codes in numbers; those of a case are all different */
    const hcbr_i_values *values; /**< what the codes of a coded block mean */
    size_t other_count; /**< names of a coded block without a code: it has HCBR_I_OTHER + n */

    /* numbers that stand apart: see hcbr_i_reader_set_apart() */
    hcbr_i_item *items;
    size_t item_count, item_capacity;
    hcbr_i_text *spelled; /**< texts of those spelled OTHER or WIDE, in their order */
    size_t spelled_count, spelled_capacity;
    const hcbr_i_text *keys; /**< columns of the file, or own_keys */
    uint64_t key_serial;     /**< another one for every file; 0: keys are those of this block only,
                                  one may be there twice, and so may an item of a case */
    hcbr_i_text *own_keys;
    size_t own_key_count, own_key_capacity;
} hcbr_i_block;

/** Names, or rows without any, that are enough for a block; of numbers that stand apart there may
 *  be NUMBERS times as many: they are small, and the more rows go through the trees of a model
 *  together, the less often each tree is fetched. */
#define HCBR_I_BLOCK 4096u
#define HCBR_I_BLOCK_NUMBERS 16u

static inline bool hcbr_i_block_is_full(const hcbr_i_block *block) {
    return block->name_count + block->item_count / HCBR_I_BLOCK_NUMBERS >= HCBR_I_BLOCK;
}

#define HCBR_I_OTHER 0x80000000u /* above every code */

/**
 * Names that a reader met in the columns of a file, each with a code: its place here. They only
 * become more while a file is read; `serial` is another one for the next file.
 */
struct hcbr_i_values {
    uint64_t serial;
    hcbr_i_block names; /**< text is its own, but for keys, which live as long as the file */
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
/** The same for a whole number of at most 15 digits, with a key of its own, which is not copied.
 *  @param before names of the value before it. */
bool hcbr_i_block_add_whole(hcbr_i_block *block, hcbr_i_text key, int64_t value, size_t before);
/**
 * Let the values that are numbers, of the names from `first` on, stand apart.
 *
 * @param but_ones leave `key=1` where it is.
 */
bool hcbr_i_block_set_apart(hcbr_i_block *block, size_t first, bool but_ones);

/** Name number n of a block; one that is packed is written to `text`. */
hcbr_feature hcbr_i_block_get(const hcbr_i_block *block, size_t n, char text[HCBR_I_NAME_TEXT]);

/**
 * Item number n of a block as a feature.
 *
 * @param text how many items before it have a text: its own is the next.
 * @param room for one that has none.
 */
hcbr_feature hcbr_i_block_get_item(const hcbr_i_block *block, size_t n, size_t text,
                                   char room[HCBR_NUMBER_SIZE]);

#define HCBR_I_MOST_NGRAMS 16 /* words of a sequence */
#define HCBR_I_GRAM_BYTES 96u /* what a name costs beside its text, in a dictionary or a case */

/**
 * Are these options that reading takes, wherever they come from: a caller, the command line, a
 * model? HCBR_EUSAGE says what is wrong: an enum without meaning, a limit or delimiter that is
 * none, a column that has two uses or no name. Cost: that of sorting all names.
 */
hcbr_status hcbr_i_read_options_check(const hcbr_read_options *options, hcbr_error *err);

/** The options given, which may be NULL or of an older version; nothing is copied. */
void hcbr_i_options_fill(hcbr_read_options *out, const hcbr_read_options *options);
/** Words in a row of texts that options name; those that are found have a default of their own. */
static inline uint32_t hcbr_i_options_ngrams(const hcbr_read_options *options) {
    return options->ngrams ? options->ngrams : 1;
}

#define HCBR_I_MOST_BINS 1000

/** What option bins asks for (bins.c). */
typedef struct hcbr_i_ranges {
    uint32_t quantiles; /**< so many ranges with about as many cases; 0: cuts are meant */
    size_t count;       /**< of cuts, below HCBR_I_MOST_BINS */
    uint8_t mark;       /**< HCBR_I_MARK_...: the decimal mark of labels; 0: it is not said */
    bool million;       /**< a bare m behind a label means million */
} hcbr_i_ranges;

/**
 * Read "3", "median", "12.5,30", "30," or "at:30", each perhaps behind "comma:" or "point:" and
 * "million:".
 *
 * @param cuts receives the upper ends of all ranges but the last, finite and rising; room for
 *             HCBR_I_MOST_BINS. NULL: they are only counted.
 * @return whether the text is well-formed.
 */
bool hcbr_i_bins_parse(hcbr_i_ranges *out, const char *text, double *cuts);
/** The cuts as such a text, to be freed; NULL: out of memory. A point is not said. */
char *hcbr_i_bins_print(const hcbr_i_ranges *bins, const double *cuts);
/** The number that a label is, as kinds.h reads numbers; false: it is none. A mark that is not said
 *  is the point. */
bool hcbr_i_bins_value(const hcbr_i_ranges *bins, const char *text, size_t length, double *value);
/** Which of the ranges a number is in: that of the first cut that is not below it. */
size_t hcbr_i_bins_find(const double *cuts, size_t count, double value);
#define HCBR_I_BIN_NAME (2 * HCBR_NUMBER_SIZE + 8)
/** The name of a range, `<= 12.5`, `12.5 to 30` or `> 30`; returns its length. */
size_t hcbr_i_bins_name(const double *cuts, size_t count, size_t bin, char name[HCBR_I_BIN_NAME]);
/**
 * Is the text the name of a range?
 *
 * @param upper receives its upper end, infinity of `> 30`.
 */
bool hcbr_i_bins_is_name(const char *text, size_t length, double *upper);

/** The names of a numeric block in another one, or in itself; that is none any more. false: out of
 *  memory. */
bool hcbr_i_block_spell(hcbr_i_block *to, const hcbr_i_block *from);

/** Bytes of the run of letters and the like that a text begins with, of which hcbr_words_split()
 *  makes words; 0: none begins there (words.c). */
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
 * @param labelled every case must have a label (training); else a label is taken out where there
 *                 is one, and none is needed.
 */
hcbr_status hcbr_i_reader_create(hcbr_i_reader **out, const char *const *paths, size_t count,
                                 const hcbr_read_options *options, bool labelled, hcbr_error *err);
void hcbr_i_reader_free(hcbr_i_reader *reader);

/**
 * The next cases. *block is borrowed until the next call, NULL at the end. A row that cannot be
 * used fails after the rows before it were handed out.
 */
hcbr_status hcbr_i_reader_next(hcbr_i_reader *reader, const hcbr_i_block **block, hcbr_error *err);

/** Give numeric blocks where the data allows it, or names only. */
void hcbr_i_reader_set_numeric(hcbr_i_reader *reader, bool numeric);
/** Give coded blocks where the data allows it. Before the first block. */
void hcbr_i_reader_set_coded(hcbr_i_reader *reader);
/**
 * Let numbers stand apart from names in all blocks. Before the first block. The value `1` of ids
 * and words stays a name, and so do names that numeric blocks hold.
 */
void hcbr_i_reader_set_apart(hcbr_i_reader *reader);
/**
 * The cases are for a model that knows these columns and keys: answers that hcbr predict added to
 * the data are left out, and said, unless the model knows them (added.c). Before the first block;
 * it must outlive the reader.
 */
typedef struct hcbr_i_known_names {
    bool (*is)(const void *context, hcbr_i_text name);
    const void *context;
} hcbr_i_known_names;
void hcbr_i_reader_set_known(hcbr_i_reader *reader, const hcbr_i_known_names *known);

/* ---- large files by several threads (rounds.c) ---- */

/**
 * Uses the next block of a chunk, in whatever thread. Blocks of one chunk come one after the other;
 * rows and lines count from the chunk's first; blocks may be numeric, or coded if that was asked
 * for, with values that are the worker's own. Text in the block is gone afterwards.
 *
 * @param worker below options.threads; no two threads have the same at a time.
 */
typedef hcbr_status hcbr_i_round_task(void *context, uint32_t worker, uint32_t chunk,
                                      const hcbr_i_block *block, hcbr_error *err);

/** No round has more chunks. */
uint32_t hcbr_i_reader_most_chunks(const hcbr_i_reader *reader);
/** Threads that a round may use. */
uint32_t hcbr_i_reader_threads(const hcbr_i_reader *reader);

/** Could the next bytes be read in a round? Costs nothing where that is not so. */
bool hcbr_i_reader_is_large(const hcbr_i_reader *reader);
/**
 * Parse the next chunks of a large file at once, options.threads of them at a time.
 *
 * @param chunks receives how many; 0: there is nothing to be gained now, go on with
 *               hcbr_i_reader_next(). Each must then be given to hcbr_i_reader_settle(), in their
 *               order, until one fails or stops; nothing else may be done before.
 */
hcbr_status hcbr_i_reader_round(hcbr_i_reader *reader, hcbr_i_round_task *task, void *context,
                                uint32_t *chunks, hcbr_error *err);
/**
 * Count a chunk of the round in and give its warnings.
 *
 * @param rows receives how many data rows came before its first, over all files.
 * @param stop receives whether the chunks after it do not count: they will be read again.
 * @return how parsing the chunk ended; its blocks count in any case. hcbr_i_reader_next() gives a
 *         failure again.
 */
hcbr_status hcbr_i_reader_settle(hcbr_i_reader *reader, uint32_t chunk, uint64_t *rows, bool *stop,
                                 hcbr_error *err);

/* ---- tables in memory (frame*.c, arrow.c) ---- */

/** Rows in memory, as typed columns or a sparse matrix. Everything it was made from is borrowed. */
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

/** Rows; of a stream 0. */
uint64_t hcbr_i_table_rows(const hcbr_i_table *frame);
/** Read the rows [begin, end) only, of a table that is no stream. Rows count from 1 in any case. */
void hcbr_i_table_set_range(hcbr_i_table *frame, uint64_t begin, uint64_t end);

/**
 * A reader of a table instead of files: its blocks are like those of csv with these columns. What
 * options say of files is not used.
 *
 * @param frame read and changed by the reader, released by the caller after it.
 */
hcbr_status hcbr_i_reader_create_table(hcbr_i_reader **out, hcbr_i_table *frame,
                                       const hcbr_read_options *options, bool labelled,
                                       hcbr_error *err);

/**
 * Find out what the columns of a table are for, and check all its values, before the first block:
 * hcbr_i_reader_columns() then knows them.
 */
hcbr_status hcbr_i_reader_bind(hcbr_i_reader *reader, hcbr_error *err);
/** Threads that hcbr_i_reader_ranges() uses. */
uint32_t hcbr_i_reader_range_threads(const hcbr_i_reader *reader);
/**
 * Read all rows of a table that was bound and is no stream, ranges of them at once by
 * options.threads threads; afterwards there is nothing more to read. Blocks are those of
 * hcbr_i_reader_next(); rows count over the whole table. options.progress counts rows.
 *
 * @param task  gets the blocks, those of one range one after the other.
 * @param stage of progress; a static string.
 * @return what the first row that fails gives, whatever the number of threads; HCBR_ECANCELLED.
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
 * The row of a case of the last block of hcbr_i_reader_next() as it stood in the data (fields.c).
 *
 * @return HCBR_OK, HCBR_EUSAGE (a format without columns) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_reader_fields(hcbr_i_reader *reader, const hcbr_i_raw_case *x, hcbr_i_row *to,
                                 hcbr_error *err);

/** Report progress once more, on the thread that reads. HCBR_OK or HCBR_ECANCELLED. */
hcbr_status hcbr_i_reader_ask(const hcbr_i_reader *reader, hcbr_error *err);
/** Bytes read so far. */
uint64_t hcbr_i_reader_bytes(const hcbr_i_reader *reader);
/** Data rows so far, skipped ones and those of weight 0 too. */
uint64_t hcbr_i_reader_rows(const hcbr_i_reader *reader);
/** Rows skipped so far. */
uint64_t hcbr_i_reader_skipped(const hcbr_i_reader *reader);
/** Name of the current file, for messages. */
const char *hcbr_i_reader_file(const hcbr_i_reader *reader);

/**
 * Columns of the current csv/tsv file that give features (label, id and ignored ones are not
 * among them).
 *
 * @param serial receives a number that changes with every file; 0 before the first header and
 *               for formats without columns, with *count = 0.
 */
const hcbr_i_text *hcbr_i_reader_columns(const hcbr_i_reader *reader, size_t *count,
                                         uint64_t *serial);

/** Is the key one of a word: of the text format, or `column:word` of a column of texts? */
bool hcbr_i_reader_is_word(const hcbr_i_reader *reader, hcbr_i_text key);
/** Are the rows those of a table, with named columns or keys? */
bool hcbr_i_reader_is_table(const hcbr_i_reader *reader);
/** In how many cases words must be: options.min_count. */
uint32_t hcbr_i_reader_min_count(const hcbr_i_reader *reader);
/** HCBR_EDATA if the features take so many bytes, sequences of words are among them, and that is
 *  more than they may. */
hcbr_status hcbr_i_reader_check_grams(const hcbr_i_reader *reader, uint64_t bytes, hcbr_error *err);

/** Have the cases no label, since none is needed and the first file has none? */
bool hcbr_i_reader_is_unlabelled(const hcbr_i_reader *reader);
/** Name under which the label was found: the column or key; "label" where a format implies it. */
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
    double number;                          /**< NaN unless it is one; 1 or 0 of a bool */
    hcbr_i_text text;                       /**< of a text, decoded; of another one absent */
    hcbr_i_text key;                        /**< its name in an object */
    const struct hcbr_i_node *first, *next; /**< of its values; of those it stands among */
    size_t count;                           /**< of its values */
} hcbr_i_node;

/** A document and its values. */
typedef struct hcbr_i_tree {
    const hcbr_i_node *root;
    const char *text; /**< a copy, as it was given */
    size_t length;
    hcbr_i_arena arena;
} hcbr_i_tree;

/**
 * Parse the document that a text begins with.
 *
 * @param tree  receives it; tree->length says how far it goes. Empty after a failure.
 * @param name  of the file, for messages; may be NULL.
 * @param line  of the text's beginning in the file.
 */
hcbr_status hcbr_i_tree_parse(hcbr_i_tree *tree, const char *text, size_t length, const char *name,
                              uint64_t line, hcbr_error *err);
void hcbr_i_tree_clear(hcbr_i_tree *tree);

/** The member of a name, or a value by its path, "accuracy.mean"; a null node if there is none. */
const hcbr_i_node *hcbr_i_node_get(const hcbr_i_node *node, const char *path);
/** The number there; NaN if there is none. */
double hcbr_i_node_number(const hcbr_i_node *node, const char *path);
/** Value n of a list or object; a null node if there are fewer. */
const hcbr_i_node *hcbr_i_node_at(const hcbr_i_node *node, size_t n);
/** Is it this text? */
bool hcbr_i_node_is(const hcbr_i_node *node, const char *text);
/** The largest of a member of a list; `least` if there is none larger. */
double hcbr_i_node_most(const hcbr_i_node *list, const char *path, double least);

/* ---- names that are not there (suggest.c) ---------------------------------------------------- */

/** Which of some names was meant. Zero-initialise but for `wanted`. */
typedef struct hcbr_i_suggestion {
    hcbr_i_text wanted;
    hcbr_i_text best; /**< absent: none is near */
    unsigned least;   /**< edits of it */
} hcbr_i_suggestion;

/** A name that is there. */
void hcbr_i_suggest(hcbr_i_suggestion *s, hcbr_i_text name);
#define HCBR_I_SUGGESTED 240
/** What to say after a message: nothing, or the name that may have been meant. */
const char *hcbr_i_suggestion_text(char text[HCBR_I_SUGGESTED], const hcbr_i_suggestion *s);

/* ---- small files (sheet.c) ---------------------------------------------------------------------
 */

/** A field and where it stands. */
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
 * Read a file: comma-separated, fields in double quotes where they hold commas, quotes or ends of
 * lines, the first line names the columns. Empty lines and lines that begin with `#` are passed
 * over. Compressed files and encodings are read as data files are.
 *
 * Every row has as many fields as the header, and no two columns have one name.
 *
 * @param what     what a row says, for the message about an empty file.
 * @param options  how files are opened; NULL: the defaults.
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
/** The column of a name; SIZE_MAX: there is none. */
size_t hcbr_i_sheet_find(const hcbr_i_sheet *sheet, const char *name);
/** Fail with the place of a cell. */
hcbr_status hcbr_i_sheet_fail(const hcbr_i_sheet *sheet, const hcbr_i_placed *cell, hcbr_error *err,
                              const char *format, ...) HCBR_I_PRINTF(4, 5);

/* ---- previews (preview.c) -------------------------------------------------------------------- */

struct hcbr_preview;
/** Give a case of a preview other features, which are copied. */
hcbr_status hcbr_i_preview_replace(struct hcbr_preview *preview, size_t index,
                                   const hcbr_feature *features, size_t count, hcbr_error *err);

#endif
