/**
 * @file vector.h
 * Columns in memory, described as hcbr_memory_column or by Arrow; private to src/read.
 *
 * A vector is checked once (hcbr_i_vector_check()); afterwards each of its values can be read
 * without further bounds checks.
 */
#ifndef HCBR_I_VECTOR_H
#define HCBR_I_VECTOR_H

#include "read/read.h"

#include <hcbr/columns.h>

/** Types that only Arrow has; the others are those of hcbr_memory_type. */
enum {
    HCBR_I_VECTOR_FIXED_LIST = 64, /**< each has `each` items */
    HCBR_I_VECTOR_DECIMAL32,
    HCBR_I_VECTOR_DECIMAL64,
    HCBR_I_VECTOR_DECIMAL128,
    HCBR_I_VECTOR_DAYS,      /**< 32 bits */
    HCBR_I_VECTOR_DAYS_MS,   /**< 64 bits */
    HCBR_I_VECTOR_TIMESTAMP, /**< 64 bits */
    HCBR_I_VECTOR_TIME32,
    HCBR_I_VECTOR_TIME64
};

typedef struct hcbr_i_vector {
    int type;
    uint64_t length;
    const unsigned char *valid;  /**< NULL: no missing values */
    uint64_t valid_first;        /**< bits before the first */
    const unsigned char *values; /**< of the first, except bits */
    uint64_t bit_first;          /**< of bits: those before the first */
    int64_t stride;              /**< bytes from one to the next */
    const char *text;            /**< of texts with offsets */
    uint64_t text_size;
    const void *const *buffers; /**< of views */
    const int64_t *buffer_sizes;
    uint64_t buffer_count;
    struct hcbr_i_vector *dictionary; /**< values are indices of it; may be NULL */
    struct hcbr_i_vector *items;      /**< of lists */
    uint64_t each;                    /**< of lists of a fixed size */
    int scale;  /**< of decimals: digits after the point; of times: digits of a second */
    bool zoned; /**< of timestamps: UTC is meant */
} hcbr_i_vector;

/** Bytes of a value of fixed size; 0 for others (bits, nothing, lists, texts). */
size_t hcbr_i_vector_width(int type);

static inline bool hcbr_i_vector_is_list(const hcbr_i_vector *v) {
    return v->type == HCBR_MEMORY_LIST || v->type == HCBR_MEMORY_LARGE_LIST ||
           v->type == HCBR_I_VECTOR_FIXED_LIST;
}

/** Whether the values are numbers, by their type. */
static inline bool hcbr_i_vector_is_number(const hcbr_i_vector *v) {
    return v->dictionary == NULL && v->type >= HCBR_MEMORY_F64 && v->type <= HCBR_MEMORY_U64;
}

/**
 * Check that the values [begin, end) can be read: offsets neither fall nor leave their target, and
 * the same for indices and views. HCBR_EDATA names the column.
 */
hcbr_status hcbr_i_vector_check(const hcbr_i_vector *v, uint64_t begin, uint64_t end,
                                const char *name, hcbr_error *err);

/** Index of a value in its dictionary, after the check. */
int64_t hcbr_i_vector_index(const hcbr_i_vector *v, uint64_t i);
/** The items of a list, [*begin, *end). */
void hcbr_i_vector_items(const hcbr_i_vector *v, uint64_t i, uint64_t *begin, uint64_t *end);

/** Whether the value is present, by the bitmap. */
static inline bool hcbr_i_vector_is_valid(const hcbr_i_vector *v, uint64_t i) {
    uint64_t bit = v->valid_first + i;
    return v->valid == NULL || (v->valid[bit / 8] >> bit % 8 & 1) != 0;
}

typedef enum hcbr_i_cell_kind {
    HCBR_I_CELL_MISSING = 0,
    HCBR_I_CELL_NUMBER, /**< finite, never minus zero; its text is the shortest */
    HCBR_I_CELL_TEXT,   /**< the caller's, with any content */
    HCBR_I_CELL_WORD,   /**< a text made here */
} hcbr_i_cell_kind;

#define HCBR_I_CELL_ROOM 320 /* bytes of the longest text made, and 16 after it */

/** A value. */
typedef struct hcbr_i_cell {
    hcbr_i_cell_kind kind;
    double number;
    hcbr_i_text text; /**< a word may be in the given room */
} hcbr_i_cell;

/** A value that is not a list. */
void hcbr_i_vector_get(const hcbr_i_vector *v, uint64_t i, char room[HCBR_I_CELL_ROOM],
                       hcbr_i_cell *cell);

/* ---- texts of decimals and times (vector_text.c) --------------------------------------------- */

/** Digits of size * 10^-scale, with exactly `scale` after the point. Returns the length. */
size_t hcbr_i_decimal_text(char *out, bool negative, hcbr_i_u128 size, int scale);
/** A date, 2024-02-29. */
size_t hcbr_i_date_text(char *out, int64_t days);
/** A time of day, 23:59:59.5, in units of 10^-digits seconds; below a day. */
size_t hcbr_i_time_text(char *out, uint64_t time, int digits);
/** A date and a time, 2024-02-29T23:59:59.5, with a Z after it for UTC. */
size_t hcbr_i_timestamp_text(char *out, int64_t time, int digits, bool zoned);

#endif
