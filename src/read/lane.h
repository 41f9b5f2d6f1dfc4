/**
 * @file lane.h
 * Lanes, where the records of a file or the rows of a table become cases (records.c); private to
 * src/read.
 */
#ifndef HCBR_I_LANE_H
#define HCBR_I_LANE_H

#include "read/csv.h"

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
typedef struct hcbr_i_lane {
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
    hcbr_status failed;    /**< takes effect after the block was used; nothing more is parsed */
    hcbr_error error;
    hcbr_i_held *held; /**< receives warnings; NULL: they are given at once */
    bool stopped;      /**< `held` is full, which is not a failure: the record at begin waits */
} hcbr_i_lane;

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

#endif
