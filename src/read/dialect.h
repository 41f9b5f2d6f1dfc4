/**
 * @file dialect.h
 * The dialect of a csv or tsv file, found from its first lines by fixed rules; private to src/read.
 */
#ifndef HCBR_I_DIALECT_H
#define HCBR_I_DIALECT_H

#include "read/csv.h"

/** The form of fields. */
typedef struct hcbr_i_style {
    char delimiter;
    char quote;  /**< around fields; 0: none */
    char escape; /**< before a quote, a delimiter or itself; 0: none */
    bool runs;   /**< several blanks are one delimiter */
} hcbr_i_style;

typedef struct hcbr_i_dialect {
    hcbr_i_style style;
    bool sure;         /**< most records agree, and more than two */
    bool signs;        /**< lines that begin with `#` and a blank are not rows, whatever their
                            width */
    bool padded;       /**< a blank after each delimiter belongs to it */
    bool unquoted;     /**< no field is in quotes */
    bool trailing;     /**< blanks before each delimiter belong to it */
    bool no_header;    /**< the first line is a row */
    bool row_names;    /**< rows have one field before those named by the header */
    bool signed_names; /**< the header comes after a sign such as `#`, which is left out */
    size_t columns;    /**< of the rows, if the header ends with empty names; 0: those of the
                            header */
    size_t unnamed;    /**< columns at the end of the rows without a name */
    size_t width;      /**< fields of most records; 0: unknown */
    size_t agree;      /**< records with this width, from the header on */
    bool even;         /**< all records from the header on have this width */
    bool measured;     /**< it has words above numbers */
    char doubtful[2];  /**< two unusual delimiters that fit equally well; 0: none */
    unsigned headers;  /**< lines of the header */
    unsigned below;    /**< further lines between it and the rows */
    uint64_t lines;    /**< above the header */
    size_t bytes;      /**< of these lines */
    uint64_t other;    /**< line from the header on where another table may begin; 0: none */
    uint64_t numbers;  /**< a bit for each of the first fields that are numbers below the header; 0
                            if another table may begin */
} hcbr_i_dialect;

/** The known part of a dialect. */
typedef struct hcbr_i_dialect_given {
    char delimiter;           /**< of the format, or requested */
    bool is_asked;            /**< the delimiter is requested: no other is tried */
    bool no_header;           /**< requested */
    unsigned headers;         /**< lines of the header; 0: unknown */
    int quote, escape;        /**< as in hcbr_read_options */
    bool by_place;            /**< the label is named by its position */
    const char *const *names; /**< columns named by options: a line with one of them is a header */
    size_t name_count;
} hcbr_i_dialect_given;

#define HCBR_I_DIALECT_BYTES ((size_t)64 << 10) /* most bytes to read */

/**
 * Find the dialect. false: out of memory.
 *
 * @param bytes the file from its first line on; the last line may be cut unless `whole`.
 */
bool hcbr_i_dialect_find(hcbr_i_dialect *out, const hcbr_i_dialect_given *given, const char *bytes,
                         size_t size, bool whole);

/* ---- the first records (dialect.c) ----------------------------------------------------------- */

#define HCBR_I_SAMPLE 200 /* most records in the sample */
#define HCBR_I_REMARKS 8  /* most remarks among them */
#define HCBR_I_LINES 30   /* most lines above a header */
#define HCBR_I_MANY 10    /* from this many on that agree, one that does not is a mistake */

/** A record. */
typedef struct hcbr_i_sampled {
    const char *at, *end; /**< where the next one begins */
    size_t fields, filled;
    size_t after, padded; /**< fields after a delimiter that are not empty; with a blank first */
    size_t quoted;        /**< fields in quotes */
    bool is_bad;          /**< text after a closing quote, or none */
    bool gap;             /**< an empty line follows */
    bool open;            /**< its last field is empty */
    bool bare;            /**< its first field is empty */
} hcbr_i_sampled;

/** The records as read in a style, without empty ones. */
typedef struct hcbr_i_sample {
    hcbr_i_style style;
    hcbr_i_sampled records[HCBR_I_SAMPLE];
    size_t count;
    hcbr_i_sampled
        remarks[HCBR_I_REMARKS]; /**< below the header, behind `#`; not among the records */
    size_t remark_count;
    size_t common;  /**< fields of most records */
    size_t agree;   /**< records with that many fields */
    size_t most;    /**< most filled fields of one of these */
    size_t header;  /**< the first of them; count: none, or it is doubtful */
    size_t last;    /**< one past the last of them */
    size_t below;   /**< number of them from the header on */
    size_t bad;     /**< records with a quote that is not closed or not the last of its field */
    size_t quoted;  /**< fields in quotes */
    size_t longest; /**< bytes of the longest */
    size_t escapes; /**< that were used */
    size_t inner;   /**< quotes inside of fields that are not quoted */
    size_t loose;   /**< if quotes are text: fields that only begin with one */
    bool is_short;  /**< the header has fewer fields than the rows */
    bool is_cut;    /**< by two or more: it names only the first columns */
    bool is_apart;  /**< a shorter line of words is between the header and rows of a block */
    bool is_mended; /**< the first record is read by `pieces` */
    bool failed;    /**< memory was short */
    hcbr_i_piece pieces[256]; /**< its fields, at most HCBR_I_CELLS */
    bool is_block; /**< other lines are above and below a block of records that is the table */
} hcbr_i_sample;

/** Whether it begins with `#` and a blank, which a name would not have. */
static inline bool hcbr_i_sampled_is_comment(const hcbr_i_sampled *r) {
    return *r->at == '#' && (r->fields == 1 || r->at[1] == ' ');
}

/** The end of a field: the delimiter, a line end, or end. */
const char *hcbr_i_sample_field(hcbr_i_sample *v, hcbr_i_sampled *r, const char *at,
                                const char *end);

/* ---- the table in a file (dialect_block.c) --------------------------------------------------- */

/** Find the number of its fields, its header and its last record. */
void hcbr_i_sample_find_table(hcbr_i_sample *v);

/* ---- lines with a sign at their start (dialect_signs.c) -------------------------------------- */

/** Lines at the beginning of a file that all begin with the same sign. */
typedef struct hcbr_i_signs {
    char sign;          /**< `#`, `%` or `;`; 0: no such lines */
    size_t bytes;       /**< to the end of the last of them */
    uint64_t lines;     /**< without empty lines */
    const char *last;   /**< the last one's sign */
    const char *before; /**< that of the last but one; NULL: none */
} hcbr_i_signs;

/** Find them; there must be a line below. */
hcbr_i_signs hcbr_i_signs_find(const char *bytes, size_t size);
/** Whether there are rows among them. *v is the sample of the lines below. */
bool hcbr_i_signs_are_rows(const hcbr_i_signs *s, const char *bytes, hcbr_i_sample *v,
                           const hcbr_i_dialect_given *given);
/**
 * The start of the names of the columns, if the last line has them, or the last but one above
 * units; *below receives the number of lines between them and the rows. NULL: no names.
 */
const char *hcbr_i_signs_names(const hcbr_i_signs *s, const char *bytes, hcbr_i_sample *v,
                               const hcbr_i_dialect_given *given, unsigned *below);

/** Bytes of a first line such as `sep=;` that sets the delimiter; 0: none. */
size_t hcbr_i_sep_find(const char *bytes, size_t size, char *delimiter);

/* ---- fields (dialect_cells.c) ---------------------------------------------------------------- */

#define HCBR_I_CELLS 256 /* columns whose values are judged */
#define HCBR_I_HEADERS 3 /* most lines of a header */
#define HCBR_I_NUMBERS 3 /* numbers that are hardly together by chance */

/** The content of a field. */
typedef enum hcbr_i_cell_kind {
    HCBR_I_CELL_EMPTY = 0,
    HCBR_I_CELL_NUMBER, /**< also with another decimal mark, currency signs, percent; or a date */
    HCBR_I_CELL_TEXT
} hcbr_i_cell_kind;

hcbr_i_cell_kind hcbr_i_cell_judge(hcbr_i_text cell);
/** Whether it is one of the words, which are in lower case, in any case. */
bool hcbr_i_cell_is_one_of(hcbr_i_text cell, const char *const *words);
/** Whether a number is a date or time, such as 1/22/20, 2020-01 or 12:30. */
bool hcbr_i_cell_is_date(hcbr_i_text cell);
/** The field of a record at *at, without quotes and blanks around it; *at moves to the next. */
hcbr_i_text hcbr_i_sample_cell(hcbr_i_sample *v, const hcbr_i_sampled *r, const char **at);
/** Whether the numbers of the record, at least three, are years that only rise or only fall. */
bool hcbr_i_sample_has_years(hcbr_i_sample *v, size_t record, size_t count);
/** Whether all values of a column are in quotes. */
bool hcbr_i_sample_is_quoted(hcbr_i_sample *v);
/** Whether each column after the first has a blank before all its values and its name, or before
 *  none. */
bool hcbr_i_sample_is_aligned(hcbr_i_sample *v);
/** Whether each row has another first field, like names of rows. */
bool hcbr_i_sample_has_row_names(hcbr_i_sample *v);
/** Whether the fields of a record after the first `columns` are empty. */
bool hcbr_i_sample_ends_empty(hcbr_i_sample *v, size_t record, size_t columns);
/**
 * Whether the record has words above columns of numbers in the records from `from` to `to`, and no
 * number above one. Only records with as many fields count.
 */
bool hcbr_i_sample_is_header(hcbr_i_sample *v, size_t record, size_t from, size_t to);
/** The same if the others have more fields: whether it has words above the first of their
 *  columns. */
bool hcbr_i_sample_is_begun(hcbr_i_sample *v, size_t record, size_t from, size_t to);
/** Whether each field of the record is a number. */
bool hcbr_i_sample_is_numbers(hcbr_i_sample *v, size_t record);
/** Whether no field of the record is a number. */
bool hcbr_i_sample_is_words(hcbr_i_sample *v, size_t record);
/**
 * Make names the header if each row below lines of words in all columns begins with a digit or a
 * date and has numbers after it. *below receives the number of lines between the header and the
 * rows.
 */
void hcbr_i_sample_settle(hcbr_i_sample *v, unsigned *below);
/**
 * Whether colons, of which all records have the same number, separate fields. Not if a blank is
 * next to one, or `//` follows the first, as in sentences and URLs; nor if the same one is part of
 * a time in all records below the first, or each record is an address. A first record of words
 * above numbers shows that the colons are not times. (dialect_colon.c)
 */
bool hcbr_i_sample_has_colon_fields(hcbr_i_sample *v);
/** Whether each field before a delimiter ends with a blank. */
bool hcbr_i_sample_is_trailing(hcbr_i_sample *v);

/* ---- headers (dialect_header.c) -------------------------------------------------------------- */

/** Whether the first record is a row like the others. */
bool hcbr_i_sample_no_header(hcbr_i_sample *v, const hcbr_i_dialect_given *given);
/** Whether a remark as wide as the table has words where the rows have numbers. */
bool hcbr_i_sample_has_signs(hcbr_i_sample *v);
/** The number of records that name the columns. *below receives whether a line of units follows,
 *  *numbers a bit for each of the first 64 columns that has numbers in all records below them. */
unsigned hcbr_i_sample_headers(hcbr_i_sample *v, unsigned *below, uint64_t *numbers);
/** The first record below an empty line with words where those above it have numbers; 0: none. */
size_t hcbr_i_sample_other(hcbr_i_sample *v);

#endif
