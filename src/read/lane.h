/**
 * @file lane.h
 * Lanes, which turn the records of a file or the rows of a table into cases (records.c); private to
 * src/read.
 */
#ifndef HCBR_I_LANE_H
#define HCBR_I_LANE_H

#include "read/csv.h"

/* ---- odd rows (odd_rows.c) ------------------------------------------------------------------- */

#define HCBR_I_FAULTS 16
#define HCBR_I_ODD_PLACES 5 /* places that a warning shows */

typedef struct hcbr_i_odd_kind {
    uint64_t count, lines[HCBR_I_ODD_PLACES];
} hcbr_i_odd_kind;

/** Odd rows of a file, by fault. Zero-initialise. */
typedef struct hcbr_i_odd {
    hcbr_i_odd_kind kinds[HCBR_I_FAULTS];
} hcbr_i_odd;

void hcbr_i_odd_add(hcbr_i_odd *odd, hcbr_i_fault kind, uint64_t line);
/** Add the odd rows of a later part, which begins after `before` lines. */
void hcbr_i_odd_merge(hcbr_i_odd *to, const hcbr_i_odd *from, uint64_t before);
/** Warn that another table may begin at a line. */
void hcbr_i_odd_say_other(const hcbr_read_options *o, const char *file, uint64_t line);
/** Warn about them. */
void hcbr_i_odd_report(const hcbr_i_odd *odd, const hcbr_read_options *o, const char *file);

/** The treatment of a row with a fault. */
typedef enum hcbr_i_verdict {
    HCBR_I_KEEP,
    HCBR_I_LEAVE_OUT,
    HCBR_I_REFUSE, /**< unusable */
    HCBR_I_WAIT    /**< depends on the following records */
} hcbr_i_verdict;

/** Judge and count the current record, which ends at `next` and was parsed with st. */
hcbr_i_verdict hcbr_i_odd_judge(hcbr_i_lane *lane, hcbr_status st, const char *next);

/* ---- JSON over several lines (json_whole.c) -------------------------------------------------- */

/** The token before the next bytes. */
typedef enum hcbr_i_json_state {
    HCBR_I_JSON_BEGIN = 0, /**< nothing */
    HCBR_I_JSON_OPEN,      /**< the beginning of the list */
    HCBR_I_JSON_AFTER,     /**< an object */
    HCBR_I_JSON_COMMA
} hcbr_i_json_state;

/** Progress of the search in a file of such objects. */
typedef struct hcbr_i_json_scan {
    bool on;    /**< the file is one of them */
    bool list;  /**< the objects are in a list */
    bool ended; /**< the list has ended */
    hcbr_i_json_state state;
    bool in_string, escaped;
    int64_t depth;
    size_t offset;  /**< bytes of the object searched */
    uint64_t lines; /**< line ends in them */
    size_t column;  /**< bytes before the next one in its line */
} hcbr_i_json_scan;

typedef enum hcbr_i_json_found {
    HCBR_I_NEXT_MORE, /**< more bytes are needed, or there are no more */
    HCBR_I_NEXT_OBJECT,
    HCBR_I_NEXT_FAILED /**< the lane has failed */
} hcbr_i_json_found;

/** Whether the objects of a file with this first line are read in this way. *list: in a list. */
bool hcbr_i_json_is_whole(const char *bytes, size_t size, bool *list);
/** One past the last byte of the object; NULL: not before end, and the search can continue. */
const char *hcbr_i_json_end(hcbr_i_json_scan *scan, const char *object, const char *end);
/** Find the next object; it is at lane->begin, and ends at *end. */
hcbr_i_json_found hcbr_i_json_next(hcbr_i_lane *lane, const char **end);
/** Called when the object, which ends there, was parsed. */
void hcbr_i_json_done(hcbr_i_lane *lane, const char *end);

/* ---- lanes (records.c) ----------------------------------------------------------------------- */

#define HCBR_I_MOST_HELD 64

/** Warnings of a lane that another thread will send, in order. */
typedef struct hcbr_i_held {
    struct {
        uint64_t line, column;
        const char *message; /**< in text */
    } all[HCBR_I_MOST_HELD];
    size_t count;
    hcbr_i_arena text;
} hcbr_i_held;

/** A parser of records. One thread at a time; data shared by lanes does not change. */
struct hcbr_i_lane {
    hcbr_i_parser p;
    hcbr_i_csv csv;
    hcbr_i_block block;
    char *buffer;
    size_t begin, end; /**< the part that is not parsed yet */
    size_t seen;       /**< bytes of it without a '\n' (formats in lines) */
    bool last;         /**< the file ends at end; the last byte is then a '\n' */
    bool is_cut;       /**< a '\n' that was added: the last line of the file may be cut */
    uint64_t line;     /**< number of the line at begin */
    uint64_t records;  /**< of the current file, header and bad rows too */
    size_t joined;     /**< names from joined sources in the current case */
    uint64_t file_rows;
    uint64_t row, skipped; /**< over all files */
    hcbr_i_odd odd;        /**< of the current file or chunk */
    hcbr_i_json_scan json; /**< of the current file, if objects go over several lines */
    hcbr_status failed;    /**< takes effect after the block was used; parsing stops */
    hcbr_error error;
    bool waits;        /**< the record at begin may be the last of the file */
    hcbr_i_held *held; /**< receives warnings; NULL: they are sent at once */
    bool stopped;      /**< `held` is full or the record may be the last of the file, which is not a
                            failure: the record at begin waits */
};

/**
 * Parse complete records until the block is full, the lane fails or there are no more. Cases are
 * added to the block.
 */
void hcbr_i_lane_parse(hcbr_i_lane *lane);
/** The same for a format in lines: calls its `record` for each line. */
void hcbr_i_lane_lines(hcbr_i_lane *lane);
/** The same for a table. */
void hcbr_i_lane_table(hcbr_i_lane *lane);
/** The same for objects of JSON over several lines. */
void hcbr_i_lane_objects(hcbr_i_lane *lane);
/** Whether the waiting bytes exceed the longest record. Then the lane fails. */
bool hcbr_i_lane_is_full(hcbr_i_lane *lane);
/** Fail permanently; parsing stops. */
void hcbr_i_lane_fail(hcbr_i_lane *lane, hcbr_status st, const hcbr_error *err);
/** The state of a block at the start of a record or row. */
typedef struct hcbr_i_mark {
    size_t names, longs, items, spelled, keys, texts;
} hcbr_i_mark;

static inline hcbr_i_mark hcbr_i_mark_of(const hcbr_i_block *block) {
    return (hcbr_i_mark){block->name_count,    block->long_count,    block->item_count,
                         block->spelled_count, block->own_key_count, block->text_count};
}

/** Undo the additions since. */
static inline void hcbr_i_mark_undo(hcbr_i_block *block, const hcbr_i_mark *before) {
    block->name_count = before->names;
    block->long_count = before->longs;
    block->item_count = before->items;
    block->spelled_count = before->spelled;
    block->own_key_count = before->keys;
    block->text_count = before->texts;
}

/**
 * Make a case of the current row, the additions to the block since `before`. Names from joined
 * sources are added here.
 */
hcbr_status hcbr_i_lane_keep(hcbr_i_lane *lane, const hcbr_i_mark *before, hcbr_error *err);
/** Release the lane's own memory: working memory and block. */
void hcbr_i_lane_clear(hcbr_i_lane *lane);

/** Of a reader, for a preview: its parser, and the columns of the current csv or tsv file. */
const hcbr_i_parser *hcbr_i_reader_parser(const hcbr_i_reader *reader);
const hcbr_i_csv *hcbr_i_reader_csv(const hcbr_i_reader *reader);

#endif
