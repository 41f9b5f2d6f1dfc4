/**
 * @file frame.h
 * The inside of a table in memory; private to src/read.
 */
#ifndef HCBR_I_FRAME_H
#define HCBR_I_FRAME_H

#include "read/parse.h"
#include "read/vector.h"

/** A column: name and vector. */
typedef struct hcbr_i_frame_column {
    hcbr_i_text name;
    hcbr_i_vector vector;
    const char *unknown; /**< format of Arrow that is not understood; NULL: it is */
    bool doubles;        /**< values of type f64 that stand apart as they are */
} hcbr_i_frame_column;

/** Rows in memory, batch after batch. */
struct hcbr_i_frame {
    hcbr_i_frame_column *columns; /**< of the batch */
    size_t count, capacity;
    hcbr_i_vector **inner; /**< dictionaries and items of the batch */
    size_t inner_count, inner_capacity;
    hcbr_sparse sparse;              /**< size 0: there is none */
    hcbr_i_vector starts, items;     /**< of sparse: its rows are lists of its items */
    hcbr_i_vector indices, values;   /**< of its items */
    uint64_t next, end;              /**< rows of the batch that are not read yet */
    uint64_t done, total;            /**< rows of all batches; 0: not known */
    uint64_t told;                   /**< rows when progress was reported last */
    struct ArrowArrayStream *stream; /**< NULL: there is one batch */
    struct ArrowSchema schema;       /**< of the stream */
    struct ArrowArray batch;
    bool named;      /**< the columns have their roles */
    bool bound;      /**< the batch was checked */
    bool na_numbers; /**< a number may mean a missing value */
    bool direct;     /**< numbers stand apart, and every column gives one value at the most */
    bool ended;
};

/** A vector that lives as long as the batch; all zero. NULL: out of memory. */
hcbr_i_vector *hcbr_i_frame_vector(hcbr_i_frame *frame);
/** Add a column. NULL: out of memory. */
hcbr_i_frame_column *hcbr_i_frame_column_add(hcbr_i_frame *frame);
/** Forget the columns of the batch. */
void hcbr_i_frame_reset(hcbr_i_frame *frame);

/** Find out what the columns are for and check those that are used. */
hcbr_status hcbr_i_frame_bind(hcbr_i_frame *frame, hcbr_i_lane *lane, hcbr_error *err);
/** Is a text of a column UTF-8 without NUL and byte order mark? Row 0: it is a name. */
hcbr_status hcbr_i_frame_check_text(hcbr_i_text name, uint64_t row, hcbr_i_text text,
                                    hcbr_error *err);

/** Add the next rows to the lane's block, until it is full, the lane fails or the table ends. */
void hcbr_i_frame_fill(hcbr_i_frame *frame, hcbr_i_lane *lane);

/* ---- the Arrow C data interface (arrow.c) ---------------------------------------------------- */

/** The next batch of the stream; at its end frame->ended is set. */
hcbr_status hcbr_i_arrow_next(hcbr_i_frame *frame, hcbr_error *err);
/** Release what the stream gave. */
void hcbr_i_arrow_release(hcbr_i_frame *frame);

#endif
