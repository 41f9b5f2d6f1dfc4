/**
 * @file csv.h
 * Records of csv and tsv: their columns, where they end, and the values that a column had before;
 * private to src/read.
 */
#ifndef HCBR_I_CSV_H
#define HCBR_I_CSV_H

#include "read/parse.h"

/* ---- columns and records (csv.c) ------------------------------------------------------------- */

typedef struct hcbr_i_column {
    uint64_t lo, hi; /**< the packed name with this key and an empty value */
    uint64_t unit;   /**< multiplying a value by it moves it after the key in its word */
    const char *key; /**< in csv->text */
    const hcbr_i_special *special; /**< NULL: a feature is the key with the value */
    uint32_t key_length;           /**< bytes */
    int8_t room;  /**< longest value that can be packed; negative: none, or no feature */
    uint8_t role; /**< hcbr_i_role */
    bool added;   /**< by hcbr predict, and left out (added.c) */
} hcbr_i_column;

/** How far an incomplete record was searched, so that no byte is searched twice. */
typedef struct hcbr_i_csv_scan {
    int state;     /**< of csv_scan.c; 0 at the start of a field */
    size_t offset; /**< bytes of the record seen; 0: not begun */
} hcbr_i_csv_scan;

/** Was there an empty line since the last row that was not short? */
typedef enum hcbr_i_gap {
    HCBR_I_GAP_UNKNOWN = 0, /**< a chunk of a file begins */
    HCBR_I_GAP_NO,
    HCBR_I_GAP_YES,
    HCBR_I_GAP_REMARKS /**< and remarks below it: other short lines are remarks, too */
} hcbr_i_gap;

typedef struct hcbr_i_csv {
    char delimiter;
    char quote;           /**< around fields; 0: none */
    char escape;          /**< before a quote, a delimiter or itself; 0: none */
    bool runs;            /**< several blanks are one delimiter */
    bool odd;             /**< written in another way than RFC 4180: see csv_odd.c */
    bool row_names;       /**< rows have one field more than the header names, the first */
    bool sure;            /**< the first records agree: a line of one field is no row */
    bool signs;           /**< a line that begins with `#` and a blank is no row */
    uint8_t gap;          /**< hcbr_i_gap: was there an empty line since the last row? */
    uint64_t numbers;     /**< a bit for each of the first fields that is a number in all of the
                               first records; 0: nothing is to be told by them */
    bool unquoted;        /**< no field of the first records is in quotes */
    bool loose;           /**< quotes in the header stand where none may be, which was said */
    unsigned headers;     /**< lines of the header */
    unsigned below;       /**< lines between it and the rows that are left out */
    unsigned passed;      /**< those of them that were met */
    bool named;           /**< the names of the columns are known */
    bool rest;            /**< what is left of the file is another table */
    bool forgives;        /**< many records agree: one that cannot be read is left out */
    size_t width;         /**< fields of most of the first records; 0: they do not agree */
    size_t most_columns;  /**< names of the header that count; 0: all */
    size_t least_columns; /**< columns of which the header names only the first; 0: all */
    hcbr_i_text line;     /**< the header as it stands in the file, if that is one line */
    hcbr_i_text *upper;   /**< names in the lines of the header above its last, line by line */
    size_t upper_count, upper_capacity, upper_width;
    unsigned upper_lines;
    bool padded;    /**< a blank after a delimiter belongs to it */
    bool trailing;  /**< so does one before it (csv->odd) */
    bool no_header; /**< the first record is a row */
    bool unique;    /**< names that are there twice are an error (options->strict) */
    bool ready;     /**< the columns are known */
    bool open;      /**< of tables in memory: there are other columns, which may be ignored */
    hcbr_i_column *columns;
    size_t column_count, column_capacity;
    hcbr_i_text *keys; /**< of all columns */
    size_t key_capacity;
    hcbr_i_text *features; /**< columns that give features */
    size_t feature_count, feature_capacity;
    hcbr_i_arena text;
    hcbr_i_csv_scan scan;
} hcbr_i_csv;

/** Forget the columns: a new file begins. */
void hcbr_i_csv_reset(hcbr_i_csv *csv);
/** Release all memory. */
void hcbr_i_csv_clear(hcbr_i_csv *csv);

/**
 * Parse the record at p->record, or the header while csv->ready is false (p->no_row is then set).
 *
 * @param limit one past the buffer's last byte; a '\n' stands there.
 * @param last  nothing comes after it; the last byte is then a '\n'.
 * @param end   receives where the next record begins, also on HCBR_EDATA; NULL if the record is
 *              not complete (then HCBR_OK, and the call is repeated with more bytes).
 */
hcbr_status hcbr_i_csv_record(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit, bool last,
                              const char **end, hcbr_error *err);

/* ---- ends of records, fields (csv_scan.c) ---------------------------------------------------- */

/** Does a line end here? */
static inline bool hcbr_i_csv_line_ends(const char *at) {
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/**
 * Look for the end of the record from where the last look ended. A quote where none may be makes
 * the rest of its line part of the record, whatever stands there.
 *
 * @return where the next record begins; NULL if the end is not before limit.
 */
const char *hcbr_i_csv_scan_record(hcbr_i_csv *csv, const char *record, const char *limit);

/** Leave blanks at the end out. */
static inline void hcbr_i_csv_trim(hcbr_i_text *text) {
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->length--;
}

/** How many of the bytes, which begin with a record, are whole records. */
size_t hcbr_i_csv_whole(const hcbr_i_csv *csv, const char *bytes, size_t size);

/**
 * One field that may be anything: quoted, with special bytes, not UTF-8.
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
/** Take the fields of the record in [p->record, end), of csv->odd. */
hcbr_status hcbr_i_csv_take_odd(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                hcbr_error *err);
/** A field of a record and where it stands. */
typedef struct hcbr_i_csv_cell {
    hcbr_i_text text;
    const char *at;
} hcbr_i_csv_cell;

/** Room for so many cells; NULL: out of memory. */
hcbr_i_csv_cell *hcbr_i_csv_make_cells(hcbr_i_arena *arena, size_t count);
/** Take the cells, one for each column or fewer, in whatever block. */
hcbr_status hcbr_i_csv_take_cells(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_csv_cell *cells, size_t count, hcbr_error *err);

/** The value of a field, which stands at `at`: what its column is for. */
hcbr_status hcbr_i_csv_take_value(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_column *column, const char *at, hcbr_i_text value,
                                  hcbr_error *err);
/**
 * The record has another number of fields than columns. HCBR_OK: too few, but the row may be taken.
 * The error says what is wrong in any case.
 */
hcbr_status hcbr_i_csv_wrong_count(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   size_t found, hcbr_error *err);
/**
 * There are more fields than columns from *stop on: only empty ones may be left out. *stop then
 * receives the end of the line.
 */
hcbr_status hcbr_i_csv_too_many(hcbr_i_parser *p, const hcbr_i_csv *csv, const char **stop,
                                hcbr_error *err);

/* ---- the likeliest reading of a line (csv_align.c) ------------------------------------------- */

/** How a line is to be read. */
typedef struct hcbr_i_csv_way {
    char delimiter, quote;
    size_t columns;
    uint64_t numbers; /**< as in hcbr_i_csv */
} hcbr_i_csv_way;

typedef enum hcbr_i_piece_how {
    HCBR_I_PIECE_PLAIN = 0, /**< its text is what it says, quotes too */
    HCBR_I_PIECE_QUOTED,    /**< in quotes; others in it stand for themselves */
    HCBR_I_PIECE_BEHIND,    /**< text stands behind its closing quote */
    HCBR_I_PIECE_SINGLE,    /**< in single quotes */
    HCBR_I_PIECE_NONE       /**< nothing: empty fields too many */
} hcbr_i_piece_how;

#define HCBR_I_DELIMITERS ";\t|,: " /* that a single line may have, in the order they are tried */

/** A field of a line, from behind a delimiter to the next that ends it. */
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

/* ---- records that are odd (csv_mend.c) ------------------------------------------------------- */

/**
 * As hcbr_i_csv_field(), with quotes where none may be: the one that closes a field is the first
 * that a delimiter or the end of the line follows, else the first that is not doubled.
 */
hcbr_status hcbr_i_csv_loose_field(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                   const char **stop, hcbr_error *err);

/** What becomes of a record that cannot be read as it stands. */
typedef struct hcbr_i_csv_reading {
    const char *end;        /**< where the next record begins */
    hcbr_i_csv_cell *cells; /**< its fields; NULL: it is not read */
    size_t count;
    hcbr_i_fault fault; /**< HCBR_I_FAULT_FLAWED: it is left out; HCBR_I_FAULT_NONE: it stays */
} hcbr_i_csv_reading;

/**
 * The record in [p->record, end) failed, is short, goes over several lines or has numbers where
 * none are: find its likeliest reading. It may end before `end`.
 */
hcbr_status hcbr_i_csv_find_mend(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                 hcbr_i_csv_reading *out, hcbr_error *err);
/** What a line of names with another number of fields is. */
typedef enum hcbr_i_csv_begun {
    HCBR_I_CSV_NO_TABLE,
    HCBR_I_CSV_TABLE, /**< another table begins */
    HCBR_I_CSV_MORE   /**< that depends on the next line, which is not there */
} hcbr_i_csv_begun;

/**
 * Does another table begin with the record in [p->record, end)? It has another number of fields, of
 * words, where this one has numbers; and so many are in the next line up to `limit`, with a number.
 */
hcbr_i_csv_begun hcbr_i_csv_begins(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                   const char *limit);
/** Take its cells; the block has nothing of the record. */
hcbr_status hcbr_i_csv_take_mend(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                 const hcbr_i_csv_reading *mend, hcbr_error *err);
/**
 * The record goes over several lines. Has each as many fields as there are columns, and numbers
 * where these have numbers? Then a quote at the end of the first is none.
 */
bool hcbr_i_csv_is_swallowed(const hcbr_i_csv *csv, const char *record, const char *end);
/** Has the record words in one of its fields where csv->numbers says that numbers stand? */
bool hcbr_i_csv_is_off(const hcbr_i_csv *csv, const char *record, const char *end);
/**
 * The header in [p->record, end) has not as many names as the rows have fields, or quotes where
 * none may be: find its likeliest names, in csv->text. Without cells it is to be read as it stands.
 */
hcbr_status hcbr_i_csv_find_names(const hcbr_i_parser *p, hcbr_i_csv *csv, const char *end,
                                  hcbr_i_csv_reading *out, hcbr_error *err);

/* ---- rows that are odd (odd_rows.c) ---------------------------------------------------------- */

/** The field at *at without quotes and blanks around it; *at moves behind the delimiter. */
hcbr_i_text hcbr_i_csv_next_cell(const hcbr_i_csv *csv, const char **at, const char *end);
/** Does a line begin with a word for footnotes? Below the rows they stand in lines of their own. */
bool hcbr_i_csv_names_footnotes(const char *at, const char *end);
/** Is the record none of the table's: a line behind `#`, or the header again? Says so in fault. */
bool hcbr_i_csv_is_aside(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit);
/** Has the record words, and no number, where csv->numbers says that numbers stand? */
bool hcbr_i_csv_has_names(const hcbr_i_csv *csv, const char *record, const char *end);
/** Are all fields of the record empty? */
bool hcbr_i_csv_is_blank(const hcbr_i_csv *csv, const char *record, const char *end);
/**
 * Is the record in [p->record, end), which is a row, a remark: its first field alone is filled, and
 * says where the data come from or has several words and stands below an empty line?
 */
bool hcbr_i_csv_is_remark(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end);
/**
 * The record in [p->record, end) ends with the file, in a quote that is never closed. Are its lines
 * remarks below the table: each of fewer fields than columns, whatever its quotes?
 */
bool hcbr_i_csv_is_open(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end);

/* ---- names of columns (header_lines.c) ------------------------------------------------------- */

/** A column's name while columns are put in order. */
typedef struct hcbr_i_field {
    hcbr_i_text name;
    const char *at; /**< where it stands in the record */
    size_t column;
} hcbr_i_field;

typedef struct hcbr_i_fields {
    hcbr_i_field *items; /**< by name once sorted */
    size_t count, capacity;
} hcbr_i_fields;

/** One more column, whose name stands at `at`. */
hcbr_status hcbr_i_csv_add_name(hcbr_i_csv *csv, hcbr_i_fields *f, hcbr_i_text name, const char *at,
                                hcbr_error *err);
/** Keep the fields of a line of the header that is not its last. */
hcbr_status hcbr_i_csv_keep_upper(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_error *err);
/** Read the fields of the record and name the columns by them or by their place. */
hcbr_status hcbr_i_csv_take_names(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                                  hcbr_i_fields *f, hcbr_error *err);

/* ---- columns (header.c) ---------------------------------------------------------------------- */

/**
 * Take the columns from the complete record in [p->record, limit), and set csv->ready; or keep its
 * names, if it is not the last of the header.
 */
hcbr_status hcbr_i_csv_header(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit,
                              hcbr_error *err);

/** The same from names, of columns in memory: UTF-8 that was checked. A failure has no place. */
hcbr_status hcbr_i_csv_name_columns(hcbr_i_parser *p, hcbr_i_csv *csv, const hcbr_i_text *names,
                                    size_t count, hcbr_error *err);

/** Let csv->keys be the names of all columns, as the keys of numbers. false: out of memory. */
bool hcbr_i_csv_set_keys(hcbr_i_csv *csv);

/* ---- the label (label_column.c) -------------------------------------------------------------- */

/** Find the label's column, once the others have their roles. It may be absent where none is
 *  needed. */
hcbr_status hcbr_i_csv_find_label(hcbr_i_parser *p, hcbr_i_csv *csv, hcbr_error *err);
/** HCBR_EDATA: no column has the name that an option gives. */
hcbr_status hcbr_i_csv_no_column(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *name,
                                 const char *option, hcbr_error *err);

/* ---- answers of hcbr predict (added.c) ------------------------------------------------------- */

/** Leave out the columns that hcbr predict added, and say so; nothing without p->known. */
void hcbr_i_csv_leave_added(const hcbr_i_parser *p, hcbr_i_csv *csv);

/* ---- values met before (values.c) ------------------------------------------------------------ */

#define HCBR_I_VALUE 16 /* bytes of a value that may be held */
#define HCBR_I_NEAR 4   /* places where a value may be */
#define HCBR_I_NOTHING_BITS 1
#define HCBR_I_NO_CODE UINT32_MAX
#define HCBR_I_MISSING (UINT32_MAX - 1) /* instead of a code: the value means missing */

/** A value of a column: its bytes, then zeros, and the code of its name. */
typedef struct hcbr_i_value {
    uint64_t low, high;
    uint32_t code;
} hcbr_i_value;

/** The values of a column. */
typedef struct hcbr_i_value_table {
    hcbr_i_value *places; /**< 2^(64 - shift) and some more, so that the last has others near */
    unsigned shift;
    uint32_t count;
    bool is_closed; /**< the column has too many values */
} hcbr_i_value_table;

/** Those of all columns of a file; each lane has its own. */
typedef struct hcbr_i_column_values {
    hcbr_i_values met;
    hcbr_i_value_table *columns;
    size_t column_count;
    size_t place_count;                                             /**< of all tables */
    hcbr_i_value nothing[(1 << HCBR_I_NOTHING_BITS) + HCBR_I_NEAR]; /**< a table of no values */
} hcbr_i_column_values;

/** A new block begins: let it be coded. */
hcbr_status hcbr_i_values_begin(hcbr_i_parser *p, size_t column_count, hcbr_error *err);
/**
 * Hold a value that is not held yet, if that is worth it.
 *
 * @param column a feature, with this number; text: the value.
 * @param value  with its bytes; receives the code, or HCBR_I_NO_CODE.
 */
hcbr_status hcbr_i_values_add(hcbr_i_parser *p, const hcbr_i_column *column, size_t number,
                              hcbr_i_text text, hcbr_i_value *value, hcbr_error *err);
/** Release p->values, which may be NULL. */
void hcbr_i_values_free(hcbr_i_parser *p);

/** The first of the places where a value may be. */
static inline hcbr_i_value *hcbr_i_value_place(const hcbr_i_value_table *table, uint64_t low,
                                               uint64_t high) {
    uint64_t mixed = (low ^ high * UINT64_C(0xC2B2AE3D27D4EB4F)) * UINT64_C(0x9E3779B97F4A7C15);
    return &table->places[mixed >> table->shift];
}

#endif
