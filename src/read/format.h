/**
 * @file format.h
 * A format of data files; private to src/read. Each has a structure, in the file that reads it, and
 * a line in the table of formats.c. All other code is independent of the list of formats.
 */
#ifndef HCBR_I_FORMAT_H
#define HCBR_I_FORMAT_H

#include "read/read.h"

struct hcbr_i_parser;
typedef struct hcbr_i_lane hcbr_i_lane;
typedef struct hcbr_i_format hcbr_i_format;

struct hcbr_i_format {
    hcbr_format id;
    const char *name;       /**< as in option format */
    const char *endings[4]; /**< of paths, in lower case; NULL: end of the list */
    char delimiter;         /**< between the fields of a table, if none is found; 0: none */
    bool has_columns;       /**< a table: a header names its columns, and records may have several
                                 lines */
    bool unnamed;           /**< columns or keys have no names: the label is not a column, and there
                                 are no ids of cases, groups, weights, sets or texts */
    bool has_ids;           /**< features are ids, which may be renamed by a file of names */
    bool has_values;        /**< unnamed formats: features have values */
    bool has_words;         /**< features are the words of a text */
    bool has_paths;         /**< keys are paths with dots */
    const char *bare;       /**< the name of the column of bare names in a preview; NULL: "" */

    /** Whether a line without leading blanks is clearly of this format. delimiter 0: not given. May
     *  be NULL: no line is. */
    bool (*looks)(const char *line, size_t length, int delimiter);
    /** Whether such a line may still be the header of a table. May be NULL: it may. */
    bool (*may_be_header)(const char *line, size_t length, char delimiter);
    /** Whether a line that looks like another format may be of this one, so that there is no hint.
     *  May be NULL: it may not. */
    bool (*suits)(const char *line, size_t length, const hcbr_i_format *looks);
    /** Look for a better format in the first bytes of a file whose path has an ending of this one.
     *  May be NULL: the ending is right. */
    hcbr_status (*doubt)(hcbr_i_reader *r, const hcbr_i_format **format, hcbr_error *err);
    /** Check options of this format alone, and set what depends on them. May be NULL. */
    hcbr_status (*check)(struct hcbr_i_parser *p, bool labelled, hcbr_error *err);
    /** Find the dialect of a file at its beginning. May be NULL: there is one. */
    hcbr_status (*begin)(hcbr_i_reader *r, hcbr_error *err);
    /** Parse complete records of the buffer until the block is full; hcbr_i_lane_lines() for
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
    /** Whether several threads can read the rest of the file. May be NULL: they always can. */
    bool (*is_known)(const hcbr_i_lane *lane);
    /** The number of these bytes that are whole records. May be NULL: whole lines. */
    size_t (*whole)(const hcbr_i_lane *lane, const char *bytes, size_t size);
    /** The columns of a record that was read, with their original text. May be NULL: it has
     *  none. */
    hcbr_status (*fields)(hcbr_i_lane *lane, const char *record, hcbr_i_row *to, hcbr_error *err);
};

/* hcbr_i_format_auto is the format of a file with blank lines only. */
extern const hcbr_i_format hcbr_i_format_auto, hcbr_i_format_csv, hcbr_i_format_tsv,
    hcbr_i_format_libsvm, hcbr_i_format_jsonl, hcbr_i_format_text, hcbr_i_format_cases;

/** The format of a number; NULL if unknown. */
const hcbr_i_format *hcbr_i_format_of(hcbr_format id);
/** By the ending of a path; auto if that is not known. */
const hcbr_i_format *hcbr_i_format_of_path(const char *path);
/** By a line that is not blank; auto if no format is clear. delimiter 0: not given. */
const hcbr_i_format *hcbr_i_format_sniff(const char *line, size_t length, int delimiter);
#define HCBR_I_FORMAT_NAMES 120
/** The names of all formats, or of those with names for columns or keys: "csv, tsv or jsonl". */
const char *hcbr_i_format_names(char text[HCBR_I_FORMAT_NAMES], bool named);

#endif
