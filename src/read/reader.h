/**
 * @file reader.h
 * The implementation of a reader, shared by reader.c and reader_files.c (file after file, one
 * thread) and rounds.c (parts of a large file in parallel); private to src/read.
 */
#ifndef HCBR_I_READER_H
#define HCBR_I_READER_H

#include "read/lane.h"
#include "read/source.h"

typedef struct hcbr_i_rounds hcbr_i_rounds;

struct hcbr_i_reader {
    hcbr_i_lane lane; /* parses records; its counts are those of the reader */
    hcbr_read_options options;
    hcbr_i_arena text; /* options, paths and names of files */
    const char **paths;
    size_t path_count, next_path;
    hcbr_i_source *source;       /* NULL between files */
    hcbr_i_table *frame;         /* read instead of files; NULL: files are read. The caller's */
    size_t capacity;             /* of the lane's buffer: then a '\n', the sentinel, the padding */
    const hcbr_i_format *format; /* of all files, once known */
    hcbr_i_outcomes outcomes;
    hcbr_i_names *names;  /* may be NULL */
    hcbr_i_joins *joins;  /* NULL: likewise */
    uint64_t own, joined; /* names of all cases: their own, and from joined sources */
    uint64_t serial;
    uint64_t bytes;
    uint64_t before, total; /* stored bytes of the files before this one, and of all */
    bool labelled;          /* every case must have a label, from any file */
    bool ended;
    bool cr_lines;         /* lines of this file end with a carriage return alone */
    bool cr_twice;         /* lines of this file end with two of them and a newline */
    uint64_t file_bytes;   /* of this file */
    hcbr_i_rounds *rounds; /* NULL until a large file is read by several threads */
};

/** Make the buffer. false: out of memory. */
bool hcbr_i_reader_start(hcbr_i_reader *r);
/** Begin the next file: its name, its format, its first bytes. */
hcbr_status hcbr_i_reader_open_next(hcbr_i_reader *r, hcbr_error *err);
/** Read once more, after the present bytes. First moves the unfinished record to the front. */
hcbr_status hcbr_i_reader_fill(hcbr_i_reader *r, hcbr_error *err);
/**
 * Turn carriage returns into newlines, if r->cr_lines; leave the second of two out, if r->cr_twice.
 * The bytes read before are before `bytes`, from r->lane.begin on.
 *
 * @return the number of bytes left.
 */
size_t hcbr_i_reader_end_lines(const hcbr_i_reader *r, char *bytes, size_t size);
/** Write the sentinel and padding after the last byte of the buffer. */
void hcbr_i_reader_close(hcbr_i_reader *r);
/** At the end of a file: check that it was not empty. */
hcbr_status hcbr_i_reader_end_file(hcbr_i_reader *r, hcbr_error *err);

/** Report progress; the caller's function may ask to stop. */
hcbr_status hcbr_i_reader_report(const hcbr_i_reader *r, hcbr_error *err);

/** At the start of a jsonl file: find whether its objects span several lines, or are in a list. */
hcbr_status hcbr_i_reader_find_objects(hcbr_i_reader *r, hcbr_error *err);
/**
 * A file with the ending of texts begins: if its first lines are plainly a table, let *format be
 * csv or tsv, and say so. Not in strict reading, nor of an input whose end is not known.
 */
hcbr_status hcbr_i_reader_find_table(hcbr_i_reader *r, const hcbr_i_format **format,
                                     hcbr_error *err);
/** At the start of a csv or tsv file: find its dialect, with a note (reader_dialect.c). */
hcbr_status hcbr_i_reader_find_dialect(hcbr_i_reader *r, hcbr_error *err);

/**
 * The next bytes of the file: those that rounds have left, then those of the source. As
 * hcbr_i_source_read().
 */
hcbr_status hcbr_i_rounds_read(hcbr_i_reader *r, char *to, size_t room, size_t *got,
                               hcbr_error *err);
/** At the start of a new file, or at the end: forget the bytes taken from the last one. */
void hcbr_i_rounds_reset(hcbr_i_rounds *rounds);
/** Release; NULL is fine. */
void hcbr_i_rounds_free(hcbr_i_rounds *rounds);

#endif
