/**
 * @file frame.h
 * The implementation of a table in memory; private to src/read.
 */
#ifndef HCBR_I_FRAME_H
#define HCBR_I_FRAME_H

#include "read/lane.h"
#include "read/vector.h"

/** A column: name and vector. */
typedef struct hcbr_i_table_column {
    hcbr_i_text name;
    hcbr_i_vector vector;
    const char *unknown; /**< unknown format of Arrow; NULL: known */
    bool names;          /**< features with names; otherwise separate numbers, or no features */
    bool doubles;        /**< values of type f64, separate and unchanged */
} hcbr_i_table_column;

/** Rows in memory, batch after batch. */
struct hcbr_i_table {
    hcbr_i_table_column *columns; /**< of the batch */
    size_t count, capacity;
    hcbr_i_vector **inner; /**< dictionaries and items of the batch */
    size_t inner_count, inner_capacity;
    hcbr_sparse sparse;              /**< size 0: none */
    hcbr_i_vector starts, items;     /**< of sparse: its rows are lists of its items */
    hcbr_i_vector indices, values;   /**< of its items */
    uint64_t next, end;              /**< rows of the batch that are not read yet */
    uint64_t done, total;            /**< rows of all batches; 0: unknown */
    uint64_t told;                   /**< rows at the last progress call */
    struct ArrowArrayStream *stream; /**< NULL: a single batch */
    struct ArrowSchema schema;       /**< of the stream */
    struct ArrowArray batch;
    bool named;      /**< the columns have their roles */
    bool bound;      /**< the batch was checked */
    bool na_numbers; /**< a number may mean a missing value */
    bool direct;     /**< numbers are separate, and every column gives at most one value */
    bool ended;
    struct hcbr_i_table_codes *codes; /**< NULL: values are looked up one by one */
};

/** A vector that lives as long as the batch; all zero. NULL: out of memory. */
hcbr_i_vector *hcbr_i_table_vector(hcbr_i_table *frame);
/** Add a column. NULL: out of memory. */
hcbr_i_table_column *hcbr_i_table_column_add(hcbr_i_table *frame);
/** Forget the columns of the batch. */
void hcbr_i_table_reset(hcbr_i_table *frame);

/** Set the roles of the columns and check those in use. */
hcbr_status hcbr_i_table_bind(hcbr_i_table *frame, hcbr_i_lane *lane, hcbr_error *err);
/** Check that a text of a column is UTF-8 without NUL and byte order mark. Row 0: a name. */
hcbr_status hcbr_i_table_check_text(hcbr_i_text name, uint64_t row, hcbr_i_text text,
                                    hcbr_error *err);

/** Add the next rows to the lane's block, until it is full, the lane fails or the table ends. */
void hcbr_i_table_fill(hcbr_i_table *frame, hcbr_i_lane *lane);

/* ---- codes of values (frame_codes.c) --------------------------------------------------------- */

#define HCBR_I_NUMBER_KEY 1 /* high word of a number; for a text its top byte is the length */

/** The key of a value within its column. false: too long to be cached. */
static inline bool hcbr_i_table_key(hcbr_i_value *value, const hcbr_i_cell *cell) {
    value->code = HCBR_I_NO_CODE;
    if (cell->kind == HCBR_I_CELL_NUMBER) {
        memcpy(&value->low, &cell->number, sizeof value->low);
        value->high = HCBR_I_NUMBER_KEY;
        return true;
    }
    if (cell->text.length >= HCBR_I_VALUE)
        return false;
    hcbr_i_u128 bytes = hcbr_i_bytes_load(cell->text.at, cell->text.length);
    value->low = (uint64_t)bytes;
    value->high = (uint64_t)(bytes >> 64) | (uint64_t)cell->text.length << 56;
    return true;
}

/** The code of a cached value; HCBR_I_NO_CODE: not cached. */
static inline uint32_t hcbr_i_table_find(const hcbr_i_value_table *held,
                                         const hcbr_i_value *value) {
    const hcbr_i_value *place = hcbr_i_value_place(held, value->low, value->high);
    for (size_t n = 0; n < HCBR_I_NEAR; n++)
        if (HCBR_I_LIKELY(place[n].low == value->low && place[n].high == value->high))
            return place[n].code;
    return HCBR_I_NO_CODE;
}

/** Whether the names of a block may be codes. Then those of a row are all different. */
bool hcbr_i_table_is_codable(const hcbr_i_table *table, const hcbr_i_parser *p);

typedef struct hcbr_i_table_codes hcbr_i_table_codes;
/** For a codable table that was bound to the lane's columns. NULL: out of memory. */
hcbr_i_table_codes *hcbr_i_table_codes_create(const hcbr_i_table *table, const hcbr_i_lane *lane);
void hcbr_i_table_codes_free(hcbr_i_table_codes *codes);
/**
 * The codes of the next rows, row by row, one for each column: HCBR_I_MISSING without a feature,
 * HCBR_I_NO_CODE if the value must be read. NULL: out of memory.
 *
 * @param p has begun a coded block.
 */
const uint32_t *hcbr_i_table_codes_get(hcbr_i_table_codes *codes, const hcbr_i_table *table,
                                       const hcbr_i_parser *p, uint64_t rows);

/* ---- the Arrow C data interface (arrow.c) ---------------------------------------------------- */

/** The next batch of the stream; at its end frame->ended is set. */
hcbr_status hcbr_i_arrow_next(hcbr_i_table *frame, hcbr_error *err);
/** Release the memory of the stream. */
void hcbr_i_arrow_release(hcbr_i_table *frame);

#endif
