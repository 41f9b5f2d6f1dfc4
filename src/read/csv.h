/**
 * @file csv.h
 * Records of csv and tsv: their columns, their ends, and earlier values of a column; private to
 * src/read.
 */
#ifndef HCBR_I_CSV_H
#define HCBR_I_CSV_H

#include "read/parse.h"

/* ---- columns and records (csv.c) ------------------------------------------------------------- */

typedef struct hcbr_i_column {
    uint64_t lo, hi; /**< the packed name with this key and an empty value */
    uint64_t unit;   /**< multiplying a value by it moves it after the key in its word */
    const char *key; /**< in csv->text */
    const hcbr_i_special *special; /**< NULL: features are the key with the value */
    uint32_t key_length;           /**< bytes */
    int8_t room;  /**< longest value that can be packed; negative: none, or not a feature */
    uint8_t role; /**< hcbr_i_role */
    bool added;   /**< added by hcbr predict, and left out (added.c) */
} hcbr_i_column;

/** Progress of the search in an incomplete record, so that no byte is searched twice. */
typedef struct hcbr_i_csv_scan {
    int state;     /**< of csv_scan.c; 0 at the start of a field */
    size_t offset; /**< bytes of the record searched; 0: not begun */
} hcbr_i_csv_scan;

/** Whether there was an empty line since the last row that was not short. */
typedef enum hcbr_i_gap {
    HCBR_I_GAP_UNKNOWN = 0, /**< at the start of a chunk of a file */
    HCBR_I_GAP_NO,
    HCBR_I_GAP_YES,
    HCBR_I_GAP_REMARKS /**< and remarks below it: further short lines are remarks, too */
} hcbr_i_gap;

typedef struct hcbr_i_csv {
    char delimiter;
    char quote;           /**< around fields; 0: none */
    char escape;          /**< before a quote, a delimiter or itself; 0: none */
    bool runs;            /**< several blanks are one delimiter */
    bool odd;             /**< not in the form of RFC 4180: see csv_odd.c */
    bool row_names;       /**< rows have one field more than the header names: the first one */
    bool sure;            /**< the first records agree: a line of one field is not a row */
    bool signs;           /**< a line that begins with `#` and a blank is not a row */
    uint8_t gap;          /**< hcbr_i_gap: whether there was an empty line since the last row */
    uint64_t numbers;     /**< a bit for each of the first fields that is a number in all of the
                               first records; 0: unknown */
    bool unquoted;        /**< no field of the first records is in quotes */
    bool loose;           /**< misplaced quotes in the header were reported */
    unsigned headers;     /**< lines of the header */
    unsigned below;       /**< lines between it and the rows, to be left out */
    unsigned passed;      /**< those already passed */
    bool named;           /**< the names of the columns are known */
    bool rest;            /**< the rest of the file is another table */
    bool forgives;        /**< many records agree: an unreadable one is left out */
    size_t width;         /**< fields of most of the first records; 0: they disagree */
    size_t most_columns;  /**< names of the header to use; 0: all */
    size_t least_columns; /**< number of columns, if the header names only the first ones; 0: all
                               are named */
    hcbr_i_text line;     /**< the text of the header, if it is one line */
    hcbr_i_text *upper;   /**< names in the lines of the header above its last, line by line */
    size_t upper_count, upper_capacity, upper_width;
    unsigned upper_lines;
    bool padded;    /**< a blank after a delimiter belongs to it */
    bool trailing;  /**< so does one before it (csv->odd) */
    bool no_header; /**< the first record is a row */
    bool unique;    /**< duplicate names are an error (options->strict) */
    bool ready;     /**< the columns are known */
    bool open;      /**< of tables in memory: there are other columns, which may be ignored */
    hcbr_i_column *columns;
    size_t column_count, column_capacity;
    hcbr_i_text *keys; /**< of all columns */
    size_t key_capacity;
    hcbr_i_text *features; /**< columns with features */
    size_t feature_count, feature_capacity;
    hcbr_i_arena text;
    hcbr_i_csv_scan scan;
} hcbr_i_csv;

/** Forget the columns, at the start of a new file. */
void hcbr_i_csv_reset(hcbr_i_csv *csv);
/** Release all memory. */
void hcbr_i_csv_clear(hcbr_i_csv *csv);

/**
 * Parse the record at p->record, or the header while csv->ready is false (p->no_row is then set).
 *
 * @param limit one past the buffer's last byte; *limit is a '\n'.
 * @param last  these are the last bytes of the file; the last one is then a '\n'.
 * @param end   receives the start of the next record, also on HCBR_EDATA; NULL if the record is not
 *              complete (then HCBR_OK, and the call is repeated with more bytes).
 */
hcbr_status hcbr_i_csv_record(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit, bool last,
                              const char **end, hcbr_error *err);

/* ---- ends of records, fields (csv_scan.c) ---------------------------------------------------- */

/** Whether a line ends here. */
static inline bool hcbr_i_csv_line_ends(const char *at) {
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/**
 * Continue the search for the end of the record. After a misplaced quote the rest of its line
 * belongs to the record, whatever it holds.
 *
 * @return the start of the next record; NULL if the end is not before limit.
 */
const char *hcbr_i_csv_scan_record(hcbr_i_csv *csv, const char *record, const char *limit);

/** Remove blanks at the end. */
static inline void hcbr_i_csv_trim(hcbr_i_text *text) {
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->length--;
}

/** The size of the whole records at the start of the bytes, which begin with a record. */
size_t hcbr_i_csv_whole(const hcbr_i_csv *csv, const char *bytes, size_t size);

/**
 * One field of any form: quoted, with special bytes, not UTF-8.
 *
 * @param at   its first byte.
 * @param text receives its content, in the buffer or in arena.
 * @param stop receives the delimiter, '\n' or '\r' after it.
 */
hcbr_status hcbr_i_csv_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                             const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                             const char **stop, hcbr_error *err);

/* ---- records written otherwise (csv_odd.c) --------------------------------------------------- */

/** As hcbr_i_csv_scan_record(), for csv->odd. */
const char *hcbr_i_csv_scan_odd(hcbr_i_csv *csv, const char *record, const char *limit);
/** As hcbr_i_csv_field(), for csv->odd. */
hcbr_status hcbr_i_csv_odd_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                 const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                 const char **stop, hcbr_error *err);
/** Read the fields of the record in [p->record, end), of csv->odd. */
hcbr_status hcbr_i_csv_take_odd(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                hcbr_error *err);
/** A field of a record with its position. */
typedef struct hcbr_i_csv_cell {
    hcbr_i_text text;
    const char *at;
} hcbr_i_csv_cell;

/** Room for `count` cells; NULL: out of memory. */
hcbr_i_csv_cell *hcbr_i_csv_make_cells(hcbr_i_arena *arena, size_t count);
/** Use the cells, at most one for each column, in any kind of block. */
hcbr_status hcbr_i_csv_take_cells(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_csv_cell *cells, size_t count, hcbr_error *err);

/** Use the value of a field at `at` by the role of its column. */
hcbr_status hcbr_i_csv_take_value(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_column *column, const char *at, hcbr_i_text value,
                                  hcbr_error *err);
/**
 * Judge a record whose number of fields differs from that of columns. HCBR_OK: too few, but the row
 * may be used. The error gets the reason in any case.
 */
hcbr_status hcbr_i_csv_wrong_count(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   size_t found, hcbr_error *err);
/**
 * Judge a record with more fields than columns, from *stop on: only empty ones may be left out.
 * *stop then receives the end of the line.
 */
hcbr_status hcbr_i_csv_too_many(hcbr_i_parser *p, const hcbr_i_csv *csv, const char **stop,
                                hcbr_error *err);

/* ---- the likeliest reading of a line (csv_align.c) ------------------------------------------- */

/** The form of a line. */
typedef struct hcbr_i_csv_way {
    char delimiter, quote;
    size_t columns;
    uint64_t numbers; /**< as in hcbr_i_csv */
} hcbr_i_csv_way;

typedef enum hcbr_i_piece_how {
    HCBR_I_PIECE_PLAIN = 0, /**< its text is unchanged, including quotes */
    HCBR_I_PIECE_QUOTED,    /**< in quotes; further quotes in it are text */
    HCBR_I_PIECE_BEHIND,    /**< with text after its closing quote */
    HCBR_I_PIECE_SINGLE,    /**< in single quotes */
    HCBR_I_PIECE_NONE       /**< empty fields in excess */
} hcbr_i_piece_how;

#define HCBR_I_DELIMITERS ";\t|,: " /* possible in a single line, in the order of trial */

/** A field of a line, from one delimiter to the next that ends it. */
typedef struct hcbr_i_piece {
    const char *at, *stop;
    uint8_t how;
} hcbr_i_piece;

typedef enum hcbr_i_alignment {
    HCBR_I_ALIGNED_NOT,       /**< the line has no such reading */
    HCBR_I_ALIGNED_QUOTES,    /**< at most quotes are odd */
    HCBR_I_ALIGNED_DELIMITERS /**< so are delimiters, or single quotes are around fields */
} hcbr_i_alignment;

/** The likeliest fields of the line that ends at `stop`, one for each column; HCBR_ENOMEM. */
hcbr_status hcbr_i_csv_align(hcbr_i_piece *pieces, const hcbr_i_csv_way *way, const char *line,
                             const char *stop, hcbr_i_alignment *found, hcbr_error *err);

/* ---- odd records (csv_mend.c) ---------------------------------------------------------------- */

/**
 * As hcbr_i_csv_field(), with misplaced quotes: the closing quote of a field is the first one
 * followed by a delimiter or the end of the line, else the first that is not doubled.
 */
hcbr_status hcbr_i_csv_loose_field(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                   const char **stop, hcbr_error *err);

/** The reading of a record that is not well-formed. */
typedef struct hcbr_i_csv_reading {
    const char *end;        /**< the start of the next record */
    hcbr_i_csv_cell *cells; /**< its fields; NULL: unreadable */
    size_t count;
    hcbr_i_fault fault; /**< HCBR_I_FAULT_FLAWED: left out; HCBR_I_FAULT_NONE: kept */
} hcbr_i_csv_reading;

/**
 * Find the likeliest reading of the record in [p->record, end), which failed, is short, spans
 * several lines or has numbers in columns of words. It may end before `end`.
 */
hcbr_status hcbr_i_csv_find_mend(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                 hcbr_i_csv_reading *out, hcbr_error *err);
/** Judges a line of names with another number of fields. */
typedef enum hcbr_i_csv_begun {
    HCBR_I_CSV_NO_TABLE,
    HCBR_I_CSV_TABLE, /**< another table begins */
    HCBR_I_CSV_MORE   /**< depends on the next line, which is missing */
} hcbr_i_csv_begun;

/**
 * Whether another table begins with the record in [p->record, end). It has another number of
 * fields, with words where this table has numbers; and the next line up to `limit` has that number
 * of fields, with a number.
 */
hcbr_i_csv_begun hcbr_i_csv_begins(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                   const char *limit);
/** Use its cells; the block has nothing of the record. */
hcbr_status hcbr_i_csv_take_mend(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                 const hcbr_i_csv_reading *mend, hcbr_error *err);
/**
 * Whether each line of a record over several lines has as many fields as there are columns, and
 * numbers where these have numbers. Then a quote at the end of the first line opens no field.
 */
bool hcbr_i_csv_is_swallowed(const hcbr_i_csv *csv, const char *record, const char *end);
/** Whether the record has words in a field where csv->numbers expects numbers. */
bool hcbr_i_csv_is_off(const hcbr_i_csv *csv, const char *record, const char *end);
/**
 * Find the likeliest names, in csv->text, of the header in [p->record, end), which has fewer names
 * than the rows have fields, or misplaced quotes. Without cells it is to be read as usual.
 */
hcbr_status hcbr_i_csv_find_names(const hcbr_i_parser *p, hcbr_i_csv *csv, const char *end,
                                  hcbr_i_csv_reading *out, hcbr_error *err);

/* ---- odd rows (odd_rows.c) ------------------------------------------------------------------- */

/** The field at *at without quotes and blanks around it; *at moves to after the delimiter. */
hcbr_i_text hcbr_i_csv_next_cell(const hcbr_i_csv *csv, const char **at, const char *end);
/** Whether a line begins with a word for footnotes, which have lines of their own below the
 *  rows. */
bool hcbr_i_csv_names_footnotes(const char *at, const char *end);
/** Whether the record is not of the table: a line after `#`, or a repeated header. Sets fault. */
bool hcbr_i_csv_is_aside(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit);
/** Whether the record has words, and no number, where csv->numbers expects numbers. */
bool hcbr_i_csv_has_names(const hcbr_i_csv *csv, const char *record, const char *end);
/** Whether all fields of the record are empty. */
bool hcbr_i_csv_is_blank(const hcbr_i_csv *csv, const char *record, const char *end);
/**
 * Whether the row in [p->record, end) is a remark: only its first field is filled, and names the
 * source of the data, or has several words below an empty line.
 */
bool hcbr_i_csv_is_remark(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end);
/**
 * Whether the record in [p->record, end), which ends with the file in an unclosed quote, is remarks
 * below the table: each line has fewer fields than columns, whatever its quotes.
 */
bool hcbr_i_csv_is_open(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end);

/* ---- names of columns (header_lines.c) ------------------------------------------------------- */

/** A column's name while columns are sorted. */
typedef struct hcbr_i_field {
    hcbr_i_text name;
    const char *at; /**< its position in the record */
    size_t column;
} hcbr_i_field;

typedef struct hcbr_i_fields {
    hcbr_i_field *items; /**< by name once sorted */
    size_t count, capacity;
} hcbr_i_fields;

/** Add a column, whose name is at `at`. */
hcbr_status hcbr_i_csv_add_name(hcbr_i_csv *csv, hcbr_i_fields *f, hcbr_i_text name, const char *at,
                                hcbr_error *err);
/** Store the fields of a line of the header that is not its last. */
hcbr_status hcbr_i_csv_keep_upper(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_error *err);
/** Read the fields of the record, and name the columns by them or by their position. */
hcbr_status hcbr_i_csv_take_names(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_i_fields *f, hcbr_error *err);

/* ---- columns (header.c) ---------------------------------------------------------------------- */

/**
 * Set the columns from the complete record in [p->record, limit), and csv->ready; or store its
 * names, if it is not the last line of the header.
 */
hcbr_status hcbr_i_csv_header(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                              hcbr_error *err);

/** The same for names of columns in memory, checked to be UTF-8. A failure has no place. */
hcbr_status hcbr_i_csv_name_columns(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_text *names,
                                    size_t count, hcbr_error *err);

/** Set csv->keys to the names of all columns, as the keys of numbers. false: out of memory. */
bool hcbr_i_csv_set_keys(hcbr_i_csv *csv);

/* ---- the label (label_column.c) -------------------------------------------------------------- */

/** Find the label's column, once the others have their roles. It may be absent if no label is
 *  needed. */
hcbr_status hcbr_i_csv_find_label(hcbr_i_parser *p, hcbr_i_csv *csv, hcbr_error *err);
/** HCBR_EDATA: no column has the name in an option. */
hcbr_status hcbr_i_csv_no_column(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *name,
                                 const char *option, hcbr_error *err);

/* ---- answers of hcbr predict (added.c) ------------------------------------------------------- */

/** Leave out the columns added by hcbr predict, with a note; no effect without p->known. */
void hcbr_i_csv_leave_added(const hcbr_i_parser *p, hcbr_i_csv *csv);

/* ---- values met before (values.c) ------------------------------------------------------------ */

#define HCBR_I_VALUE 16 /* bytes of a value that may be cached */
#define HCBR_I_NEAR 4   /* slots where a value may be */
#define HCBR_I_NOTHING_BITS 1
#define HCBR_I_NO_CODE UINT32_MAX
#define HCBR_I_MISSING (UINT32_MAX - 1) /* instead of a code: a missing value */

/** A value of a column: its bytes padded with zeros, and the code of its name. */
typedef struct hcbr_i_value {
    uint64_t low, high;
    uint32_t code;
} hcbr_i_value;

/** The cached values of a column. */
typedef struct hcbr_i_value_table {
    hcbr_i_value *places; /**< 2^(64 - shift) and a few more, so that the last has neighbours */
    unsigned shift;
    uint32_t count;
    bool is_closed; /**< the column has too many values */
} hcbr_i_value_table;

/** The values of all columns of a file, one structure for each lane. */
typedef struct hcbr_i_column_values {
    hcbr_i_values met;
    hcbr_i_value_table *columns;
    size_t column_count;
    size_t place_count;                                             /**< of all tables */
    hcbr_i_value nothing[(1 << HCBR_I_NOTHING_BITS) + HCBR_I_NEAR]; /**< a table without values */
} hcbr_i_column_values;

/** Begin a coded block. */
hcbr_status hcbr_i_values_begin(hcbr_i_parser *p, size_t column_count, hcbr_error *err);
/**
 * Cache a new value, if that is worth it.
 *
 * @param column a feature, with this number; text: the value.
 * @param value  with its bytes; receives the code, or HCBR_I_NO_CODE.
 */
hcbr_status hcbr_i_values_add(hcbr_i_parser *p, const hcbr_i_column *column, size_t number,
                              hcbr_i_text text, hcbr_i_value *value, hcbr_error *err);
/** Release p->values, which may be NULL. */
void hcbr_i_values_free(hcbr_i_parser *p);

/** The first of the slots where a value may be. */
static inline hcbr_i_value *hcbr_i_value_place(const hcbr_i_value_table *table, uint64_t low,
                                               uint64_t high) {
    uint64_t mixed = (low ^ high * UINT64_C(0xC2B2AE3D27D4EB4F)) * UINT64_C(0x9E3779B97F4A7C15);
    return &table->places[mixed >> table->shift];
}

#endif
