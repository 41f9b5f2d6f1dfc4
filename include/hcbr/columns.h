/**
 * @file columns.h
 * Labelled cases from tables in memory: typed columns, the Arrow C data interface, and sparse
 * matrices.
 *
 * A row is a case, a column gives its features `column=value`, exactly as a csv file with these
 * columns or a jsonl file with these keys would. The use of a column is set by its name in
 * hcbr_read_options: `label`, `id`, `group`, `weight`, `ignore`, `split`, `text` and `presence`;
 * all other columns are values. The same data from a file and from memory gives the same bytes of
 * model.
 *
 * The meaning of a value (docs/INPUT.md, From memory):
 * - numbers are the shortest decimal that reads back as the same value of their type: 0.1 as a
 *   float is `0.1`. Integers have all their digits. Minus zero is `0`, infinities are the words
 *   `inf` and `-inf`;
 * - booleans are `true` and `false`;
 * - missing values are those of the validity bitmap, NaN, and texts or numbers in
 *   hcbr_read_options.na;
 * - an item of a list is a value of its own.
 */
#ifndef HCBR_COLUMNS_H
#define HCBR_COLUMNS_H

#include <hcbr/cases.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- columns --------------------------------------------------------------------------------- */

/** Type of the values of a column. Numbers are in the byte order of the machine. */
typedef enum hcbr_memory_type {
    HCBR_MEMORY_NULL = 0, /**< every value is missing */
    HCBR_MEMORY_F64 = 1,
    HCBR_MEMORY_F32 = 2,
    HCBR_MEMORY_F16 = 3, /**< IEEE 754 half, two bytes */
    HCBR_MEMORY_I8 = 4,
    HCBR_MEMORY_I16 = 5,
    HCBR_MEMORY_I32 = 6,
    HCBR_MEMORY_I64 = 7,
    HCBR_MEMORY_U8 = 8,
    HCBR_MEMORY_U16 = 9,
    HCBR_MEMORY_U32 = 10,
    HCBR_MEMORY_U64 = 11,
    HCBR_MEMORY_BOOL = 12,       /**< a byte each; 0 is false */
    HCBR_MEMORY_BITS = 13,       /**< booleans, a bit each, the lowest of a byte first */
    HCBR_MEMORY_UTF8 = 14,       /**< texts: `values` has length + 1 offsets of 32 bits */
    HCBR_MEMORY_LARGE_UTF8 = 15, /**< the same, of 64 bits */
    HCBR_MEMORY_UTF8_VIEW = 16,  /**< texts: `values` has views of 16 bytes, as in Arrow */
    HCBR_MEMORY_LIST = 17,       /**< `values` has length + 1 offsets of 32 bits into `items` */
    HCBR_MEMORY_LARGE_LIST = 18  /**< the same, of 64 bits */
} hcbr_memory_type;

/**
 * A column. Fill with hcbr_memory_column_init(), then set its fields. All memory is the caller's;
 * it is read during the call only and never changed. Nothing needs to be aligned.
 */
typedef struct hcbr_memory_column {
    size_t size;      /**< size of this structure; equal for all elements of an array */
    const char *name; /**< UTF-8; "": named by its position, 1, 2, ... Ignored for inner columns */
    hcbr_memory_type type;
    uint64_t length;         /**< number of values */
    uint64_t offset;         /**< values to skip before the first, of `values` and `validity` */
    const uint8_t *validity; /**< a bit for each value, the lowest of a byte first, 0: missing;
                                  NULL: none is missing */
    const void *values;      /**< numbers, bits, offsets or views, by the type */
    int64_t stride;          /**< bytes from a number or byte to the next; 0: its own size. Offsets,
                                  bits and views have none */
    const char *text;        /**< bytes of the texts that offsets cut */
    uint64_t text_size;      /**< their number */
    const void *const *buffers; /**< bytes of texts that views point to */
    const int64_t *buffer_sizes;
    size_t buffer_count;
    const struct hcbr_memory_column *dictionary; /**< not NULL: `values`, of any integer type, are
                                                      indices, from 0, of values of this column,
                                                      which has neither lists nor a dictionary */
    const struct hcbr_memory_column *items;      /**< of lists: their items, which are not lists */
} hcbr_memory_column;

/** Set every field to 0, and the size. */
#define hcbr_memory_column_init(column) HCBR_INIT(hcbr_memory_column, column)

/**
 * Add the rows of columns as cases, in their order: all of them, or none if the call fails.
 *
 * @param columns of equal length, with different names.
 * @param count   number of columns; at least one.
 * @param options reading options; NULL for the defaults. `max_line` is the longest text. `progress`
 *                counts rows. `names` must be NULL; options about files are ignored.
 * @return HCBR_OK; HCBR_EUSAGE: an invalid description or option; HCBR_EDATA: offsets, indices or
 *         views that point outside or decrease, text that is not UTF-8 or has a NUL, a missing
 *         label (the message names column and row); HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED. With
 *         HCBR_BAD_ROWS_SKIP rows with such a text, label or weight are left out.
 *
 * Cost: one pass over the values. Threads: one call at a time for a list; columns may be shared.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_add_columns(hcbr_cases *cases,
                                                            const hcbr_memory_column *columns,
                                                            size_t count,
                                                            const hcbr_read_options *options,
                                                            hcbr_error *err);

/* ---- the Arrow C data and stream interfaces -------------------------------------------------- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/**
 * hcbr_cases_add_columns() for a record batch of the Arrow C data interface.
 *
 * Formats: n b c C s S i I l L e f g (numbers), u U vu (texts), d:p,s of 32, 64 and 128 bits (exact
 * decimals), tdD tdm (dates), ts* (timestamps), tt* (times of day) as texts of ISO 8601, tD*
 * (durations, as integers), +l +L +w (lists of these), and dictionaries of them. A column of
 * another format is HCBR_EUSAGE unless it is ignored.
 *
 * @param schema a struct, `+s`; its children are the columns.
 * @param array  of this schema. Neither is released or changed. The interface has no lengths of
 *               buffers: they are assumed to be correct.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_add_arrow(hcbr_cases *cases,
                                                          const struct ArrowSchema *schema,
                                                          const struct ArrowArray *array,
                                                          const hcbr_read_options *options,
                                                          hcbr_error *err);

/**
 * The same for all record batches of a stream, up to its end. Dictionaries of batches may differ.
 *
 * @param stream read batch by batch; the caller releases it, also after a failure. Failures of its
 *               own functions are HCBR_EIO, or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_add_arrow_stream(hcbr_cases *cases,
                                                                 struct ArrowArrayStream *stream,
                                                                 const hcbr_read_options *options,
                                                                 hcbr_error *err);

/* ---- sparse matrices ------------------------------------------------------------------------- */

/**
 * A matrix in compressed rows (CSR). Fill with hcbr_sparse_init(), then set its fields. A stored
 * item is a feature `j=value` of its row, where j is the number of its column, even if the value is
 * 0, as in libsvm; other items give nothing.
 */
typedef struct hcbr_sparse {
    size_t size; /**< size of this structure */
    uint64_t rows, columns;
    const void *starts;          /**< of each row: its first item; rows + 1 of them */
    hcbr_memory_type start_type; /**< HCBR_MEMORY_I32 or HCBR_MEMORY_I64 */
    const void *indices;         /**< of each item: its column, from 0 */
    hcbr_memory_type index_type; /**< HCBR_MEMORY_I32 or HCBR_MEMORY_I64 */
    const void *values;          /**< of each item; NULL: all are 1 */
    hcbr_memory_type value_type; /**< HCBR_MEMORY_F64 or HCBR_MEMORY_F32 */
    uint64_t count;              /**< number of items */
    uint64_t first;              /**< number of column 0 in features: 0, or 1 as in most files */
} hcbr_sparse;

/** Set every field to 0, and the size. */
#define hcbr_sparse_init(matrix) HCBR_INIT(hcbr_sparse, matrix)

/**
 * Add the rows of a sparse matrix as cases: all of them, or none if the call fails.
 *
 * A NaN is missing; an infinite value is HCBR_EDATA, as in libsvm.
 *
 * @param matrix  the columns of a row may be in any order.
 * @param columns further columns of the rows, including the label: as in hcbr_cases_add_columns(),
 *                with as many rows. Their features come first.
 * @param count   number of columns.
 * @return as hcbr_cases_add_columns().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_add_sparse(
    hcbr_cases *cases, const hcbr_sparse *matrix, const hcbr_memory_column *columns, size_t count,
    const hcbr_read_options *options, hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
