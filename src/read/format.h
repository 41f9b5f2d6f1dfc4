/**
 * @file format.h
 * A format of data files; private to src/read. Each has a structure, in the file that reads it, and
 * a line in the table of formats.c. Nothing else knows which formats there are.
 */
#ifndef HCBR_I_FORMAT_H
#define HCBR_I_FORMAT_H

#include "read/read.h"

struct hcbr_i_parser;
typedef struct hcbr_i_lane hcbr_i_lane;
typedef struct hcbr_i_format hcbr_i_format;

struct hcbr_i_format {
    hcbr_format id;
    const char *name;       /**< as option format has it */
    const char *endings[4]; /**< of paths, in lower case; NULL: no more */
    char delimiter;         /**< between the fields of a table that shows no other; 0: none */
    bool has_columns;       /**< a table: a header names them, records may go over several lines */
    bool unnamed;           /**< columns or keys have no names: the label is no column, there are no
                                 ids of cases, groups and weights, no sets and texts */
    bool has_ids;           /**< features are ids, which a file of names may call otherwise */
    bool has_values;        /**< of unnamed ones: features have values */
    bool has_words;         /**< features are the words of a text */
    bool has_paths;         /**< keys are paths with dots */
    const char *bare;       /**< what a preview calls the column of bare names; NULL: "" */

    /** Is a line without blanks before it plainly of this format? delimiter 0: none is given. NULL:
     *  none is. */
    bool (*looks)(const char *line, size_t length, int delimiter);
    /** May a line that looks so be the header of a table, all the same? NULL: it may. */
    bool (*may_be_header)(const char *line, size_t length, char delimiter);
    /** May a line be of this format that looks like another one? Then it is not hinted at. NULL: it
     *  may not. */
    bool (*suits)(const char *line, size_t length, const hcbr_i_format *looks);
    /** The ending of the path says this format: look at the first bytes for a better one. NULL: the
     *  ending is right. */
    hcbr_status (*doubt)(hcbr_i_reader *r, const hcbr_i_format **format, hcbr_error *err);
    /** Check options that others do not have, and set what depends on them. NULL: nothing. */
    hcbr_status (*check)(struct hcbr_i_parser *p, bool labelled, hcbr_error *err);
    /** A file begins: find out how it is written. NULL: there is one way. */
    hcbr_status (*begin)(hcbr_i_reader *r, hcbr_error *err);
    /** Parse what is complete in the buffer until the block is full; hcbr_i_lane_lines() for
     * records that are lines. */
    void (*parse)(hcbr_i_lane *lane);
    /**
     * Parse one record of a format in lines.
     *
     * Adds its names to p->block and sets p->label, p->id, p->group and p->weight. On failure the
     * reader takes back what was added. HCBR_EDATA means that the row cannot be used (the reader
     * stops or skips it); any other failure is final. Text given to the block must be in the buffer
     * or in p->block->arena.
     *
     * @param line    its first byte, equal to p->record; not blank: it has a byte other than blank,
     *                tab and '\r'.
     * @param newline its '\n'. With CRLF the '\r' is before it and belongs to the end of line.
     */
    hcbr_status (*record)(struct hcbr_i_parser *p, const char *line, const char *newline,
                          hcbr_error *err);
    /** Is enough known of the file to read on by several threads? NULL: it always is. */
    bool (*is_known)(const hcbr_i_lane *lane);
    /** How many of these bytes are whole records; NULL: whole lines. */
    size_t (*whole)(const hcbr_i_lane *lane, const char *bytes, size_t size);
    /** The columns of a record that was read, as they stood in it. NULL: it has none. */
    hcbr_status (*fields)(hcbr_i_lane *lane, const char *record, hcbr_i_row *to, hcbr_error *err);
};

/* A file without a line that is not blank has the first. */
extern const hcbr_i_format hcbr_i_format_auto, hcbr_i_format_csv, hcbr_i_format_tsv,
    hcbr_i_format_libsvm, hcbr_i_format_jsonl, hcbr_i_format_text, hcbr_i_format_cases;

/** That of a number; NULL: there is none. */
const hcbr_i_format *hcbr_i_format_of(hcbr_format id);
/** By the ending of a path; auto if it says nothing. */
const hcbr_i_format *hcbr_i_format_of_path(const char *path);
/** By a line that is not blank; auto if it says nothing. delimiter 0: none given. */
const hcbr_i_format *hcbr_i_format_sniff(const char *line, size_t length, int delimiter);
#define HCBR_I_FORMAT_NAMES 120
/** The names of all formats, or of those whose columns or keys have names: "csv, tsv or jsonl". */
const char *hcbr_i_format_names(char text[HCBR_I_FORMAT_NAMES], bool named);

#endif
