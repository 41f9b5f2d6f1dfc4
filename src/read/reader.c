/*
 * The reader: files into a buffer, the buffer into records, records into blocks of cases.
 *
 * Only complete records are parsed; the tail of the buffer waits at its front for the next read.
 * Invariants: the buffer moves only while the block is empty, since the block's text stands in it;
 * whatever the sizes of the reads, the same cases, notices and errors come out; a failure is kept
 * and given again by every later call.
 */
#include "read/parse.h"

#include <stdio.h>

#define BUFFER ((size_t)256 << 10) /* bytes at first */
#ifdef HCBR_FAULTS
size_t hcbr_i_reader_buffer = BUFFER;
#else
#define hcbr_i_reader_buffer BUFFER
#endif
#define BLOCK 4096 /* names that are enough for a block */

struct hcbr_i_reader {
    hcbr_i_parser p;
    hcbr_read_options options;
    hcbr_i_arena text; /* options, paths and names of files */
    const char **paths;
    size_t path_count, next_path;

    hcbr_i_file *file; /* NULL between files */
    bool eof;
    char *buffer; /* capacity bytes, a '\n' for an unfinished line, the sentinel, the padding */
    size_t capacity;
    size_t begin, end; /* what is not parsed yet */
    size_t seen;       /* bytes of it known to hold no '\n' (formats in lines) */
    uint64_t line;     /* number of the line at begin */
    uint64_t records;  /* of the current file, header and bad rows too */
    uint64_t file_rows;

    hcbr_i_csv csv;
    hcbr_i_block block;
    hcbr_format format; /* of all files, once known */
    uint64_t serial;
    uint64_t row, skipped, bytes, total;
    hcbr_status failed; /* to be returned once the block was handed out, and for ever after */
    hcbr_error error;
};

/* ---- the buffer ------------------------------------------------------------------------------ */

static bool set_capacity(hcbr_i_reader *r, size_t capacity) {
    char *buffer = hcbr_i_realloc(r->buffer, capacity + 2 + HCBR_I_PAD, 1);

    if (buffer == NULL)
        return false;
    r->buffer = buffer;
    r->capacity = capacity;
    return true;
}

/** Read once more behind what is there. Begins with the unfinished record at the front. */
static hcbr_status fill(hcbr_i_reader *r, hcbr_error *err) {
    size_t got, limit = r->options.max_line + 2;
    hcbr_status st;

    memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
    if (r->end == r->capacity &&
        !set_capacity(r, r->capacity < limit / 2 ? r->capacity * 2 : limit))
        return hcbr_i_no_memory(err);
    st = hcbr_i_file_read(r->file, r->buffer + r->end, r->capacity - r->end, &got, err);
    if (st != HCBR_OK)
        return st;
    r->end += got;
    r->bytes += got;
    r->eof = got == 0;
    if (r->eof && r->end > 0 && r->buffer[r->end - 1] != '\n')
        r->buffer[r->end++] = '\n';
    r->buffer[r->end] = '\n';
    memset(r->buffer + r->end + 1, 0, HCBR_I_PAD);
    if (r->options.progress != NULL &&
        r->options.progress(r->options.progress_context, "read", r->bytes,
                            r->total != 0 && r->total < r->bytes ? r->bytes : r->total) != 0)
        return hcbr_i_fail(err, HCBR_ECANCELLED, "reading %s was cancelled", r->p.file);
    return HCBR_OK;
}

/** Fail for good: the block is handed out before. */
static void set_failed(hcbr_i_reader *r, hcbr_status st, const hcbr_error *err) {
    r->failed = st;
    r->error = *err;
}

/**
 * Fail because a record is too long, even where bad rows are skipped: the row is not bad, the
 * limit is too low.
 */
static bool too_long(hcbr_i_reader *r) {
    hcbr_error err;
    // Only quotes hold several lines together, and a forgotten one all the rest of the file.
    bool lines = memchr(r->buffer + r->begin, '\n', r->options.max_line) != NULL;

    hcbr_i_fail_at(&err, HCBR_EDATA, r->p.file, r->line, 1,
                   "found a record of more than %zu bytes%s, expected a shorter one (--max-line "
                   "raises the limit)",
                   r->options.max_line,
                   lines ? " over several lines, perhaps for want of a closing quote" : "");
    set_failed(r, HCBR_EDATA, &err);
    return true;
}

/** Has a record too many bytes before its end of line? Then the reader fails. */
static inline bool is_too_long(hcbr_i_reader *r, size_t length) {
    return HCBR_I_UNLIKELY(length > r->options.max_line) && too_long(r);
}

/* ---- records --------------------------------------------------------------------------------- */

static void start_record(hcbr_i_reader *r, const char *record) {
    r->p.record = record;
    r->p.line = r->line;
    r->p.label = (hcbr_i_text){NULL, 0};
    r->p.id = (hcbr_i_text){NULL, 0};
    r->p.no_row = false;
    r->p.lines = 1;
}

/** Say so if the first line of a file is plainly of another format. */
static void add_hint(hcbr_i_reader *r, const char *newline, hcbr_error *err) {
    const char *line = r->p.record;
    size_t length = (size_t)(newline - line), used = strlen(err->message);
    hcbr_format looks = hcbr_i_format_sniff(line, length, r->options.delimiter);

    if (looks == HCBR_FORMAT_AUTO || looks == r->p.format)
        return;
    if (r->p.format == HCBR_FORMAT_LIBSVM && looks != HCBR_FORMAT_JSONL &&
        memchr(line, ':', length) != NULL)
        return; // tabs are fine in libsvm and a comma may be a decimal one: a token is wrong
    snprintf(err->message + used, sizeof err->message - used, "; this looks like %s (--format %s)",
             hcbr_i_format_name(looks), hcbr_i_format_name(looks));
}

/** A record that failed: skip it or keep the failure. */
static void drop_record(hcbr_i_reader *r, hcbr_status st, const char *next, hcbr_error *err) {
    const char *at = r->p.record;
    bool in_lines = r->p.format == HCBR_FORMAT_LIBSVM || r->p.format == HCBR_FORMAT_JSONL;
    bool final = st != HCBR_EDATA || (!in_lines && !r->csv.ready);

    if (st == HCBR_EDATA && in_lines && r->records == 1)
        add_hint(r, next - 1, err);
    if (final || r->options.bad_rows == HCBR_BAD_ROWS_STOP) {
        set_failed(r, st, err);
        return;
    }
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, err->file, err->line,
                  err->column, "%s (row skipped)", err->message);
    r->skipped++;
    if (!r->p.no_row) {
        r->row++;
        r->file_rows++;
    }
    for (r->p.lines = 0; at < next; r->p.lines++)
        at = (const char *)memchr(at, '\n', (size_t)(next - at)) + 1;
}

/** The names of a case were added: make it one. */
static inline hcbr_status keep_case(hcbr_i_reader *r, size_t first, hcbr_error *err) {
    hcbr_i_block *block = &r->block;

    if (HCBR_I_UNLIKELY(block->case_count == block->case_capacity) &&
        !hcbr_i_grow(&block->cases, &block->case_capacity, block->case_count + 1,
                     sizeof *block->cases))
        return hcbr_i_no_memory(err);
    r->file_rows++;
    block->cases[block->case_count++] = (hcbr_i_raw_case){.row = ++r->row,
                                                          .line = r->p.line,
                                                          .first = first,
                                                          .count = block->name_count - first,
                                                          .label = r->p.label,
                                                          .id = r->p.id};
    return HCBR_OK;
}

/** A record was parsed up to `next`: keep its case, or drop what it added. */
static inline void end_record(hcbr_i_reader *r, hcbr_status st, size_t names, size_t longs,
                              const char *next, hcbr_error *err) {
    r->records++;
    if (HCBR_I_LIKELY(st == HCBR_OK && !r->p.no_row))
        st = keep_case(r, names, err);
    if (HCBR_I_UNLIKELY(st != HCBR_OK)) {
        r->block.name_count = names;
        r->block.long_count = longs;
        drop_record(r, st, next, err);
    }
    r->line += r->p.lines;
    r->begin = (size_t)(next - r->buffer);
}

static bool is_blank_line(const char *line) {
    return *hcbr_i_skip_blanks(line) == '\n';
}

/** Parse what is complete in the buffer, of a format in lines, until the block is full. */
static void parse_lines(hcbr_i_reader *r) {
    hcbr_i_block *block = &r->block;
    hcbr_error err;

    while (r->begin < r->end && block->name_count < BLOCK && r->failed == HCBR_OK) {
        const char *line = r->buffer + r->begin;
        const char *newline = memchr(line + r->seen, '\n', r->end - r->begin - r->seen);
        size_t names = block->name_count, longs = block->long_count;
        hcbr_status st;

        if (newline == NULL) {
            r->seen = r->end - r->begin;
            return;
        }
        r->seen = 0;
        if (is_too_long(r, (size_t)(newline - line) - (newline > line && newline[-1] == '\r')))
            return;
        if (HCBR_I_UNLIKELY((unsigned char)*line <= ' ') && is_blank_line(line)) {
            r->line++;
            r->begin = (size_t)(newline + 1 - r->buffer);
            continue;
        }
        start_record(r, line);
        st = r->p.format == HCBR_FORMAT_LIBSVM ? hcbr_i_parse_libsvm(&r->p, line, newline, &err)
                                               : hcbr_i_parse_jsonl(&r->p, line, newline, &err);
        end_record(r, st, names, longs, newline + 1, &err);
    }
}

/** The same for csv and tsv, whose records may go over several lines. */
static void parse_csv(hcbr_i_reader *r) {
    hcbr_i_block *block = &r->block;
    const char *limit = r->buffer + r->end;
    hcbr_error err;

    while (r->begin < r->end && block->name_count < BLOCK && r->failed == HCBR_OK) {
        const char *record = r->buffer + r->begin, *next;
        size_t names = block->name_count, longs = block->long_count, length;
        hcbr_status st;

        start_record(r, record);
        st = hcbr_i_csv_record(&r->p, &r->csv, limit, r->eof, &next, &err);
        if (next == NULL && st == HCBR_OK) {
            block->name_count = names;
            block->long_count = longs;
            return;
        }
        if (next == NULL)
            next = record; // out of memory: nothing was consumed
        length = (size_t)(next - record);
        length -= length > 0;
        if (is_too_long(r, length - (length > 0 && record[length - 1] == '\r'))) {
            block->name_count = names;
            block->long_count = longs;
            return;
        }
        end_record(r, st, names, longs, next, &err);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/** Wait for the first bytes and look for a byte order mark. */
static hcbr_status skip_mark(hcbr_i_reader *r, hcbr_error *err) {
    static const char mark[] = "\xEF\xBB\xBF";
    hcbr_status st;

    do {
        if ((st = fill(r, err)) != HCBR_OK)
            return st;
        if (r->end >= 2 &&
            (memcmp(r->buffer, "\xFF\xFE", 2) == 0 || memcmp(r->buffer, "\xFE\xFF", 2) == 0))
            return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, 1, 1,
                                  "found a UTF-16 byte order mark, expected UTF-8");
        if (r->end >= 3 && memcmp(r->buffer, mark, 3) == 0) {
            r->begin = 3;
            return HCBR_OK;
        }
    } while (!r->eof && (r->end < 1 || (r->end < 3 && (memcmp(r->buffer, mark, r->end) == 0 ||
                                                       (unsigned char)r->buffer[0] >= 0xFE))));
    return HCBR_OK;
}

/** The format from the first line that is not blank; AUTO if there is no such line at all. */
static hcbr_status sniff(hcbr_i_reader *r, hcbr_format *format, hcbr_error *err) {
    char quoted[200];

    for (;;) {
        const char *at = r->buffer + r->begin, *end = r->buffer + r->end, *newline;
        const char *line = at;
        uint64_t number = 1;
        size_t length;
        hcbr_status st;

        for (; at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'); at++)
            if (*at == '\n') {
                line = at + 1;
                number++;
            }
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL && !r->eof && r->end < r->capacity) {
            if ((st = fill(r, err)) != HCBR_OK)
                return st;
            continue;
        }
        *format = HCBR_FORMAT_AUTO;
        if (at == end && r->eof)
            return HCBR_OK;
        length = (size_t)((newline != NULL ? newline : end) - line);
        *format = hcbr_i_format_sniff(line, length, r->options.delimiter);
        if (*format != HCBR_FORMAT_AUTO) {
            hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->p.file, 0, 0,
                          "read as %s, by its first line (--format says otherwise)",
                          hcbr_i_format_name(*format));
            return HCBR_OK;
        }
        length -= length > 0 && line[length - 1] == '\r';
        return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, number, 1,
                              "cannot tell the format: found %s, expected --format csv, tsv, "
                              "libsvm or jsonl",
                              hcbr_i_quote(quoted, line, length));
    }
}

/** Which format the file has; AUTO for an empty file that nothing is known of. */
static hcbr_status find_format(hcbr_i_reader *r, const char *path, hcbr_error *err) {
    hcbr_format format = r->options.format;
    hcbr_status st;

    if (format == HCBR_FORMAT_AUTO)
        format = hcbr_i_format_of_path(path);
    if (format == HCBR_FORMAT_AUTO && (st = sniff(r, &format, err)) != HCBR_OK)
        return st;
    if (format != HCBR_FORMAT_AUTO && r->format != HCBR_FORMAT_AUTO && r->format != format)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, 0, 0,
                              "found %s after a file of %s, expected files of one format",
                              hcbr_i_format_name(format), hcbr_i_format_name(r->format));
    r->p.format = format;
    r->block.plain_ids = format == HCBR_FORMAT_LIBSVM;
    if (format == HCBR_FORMAT_AUTO)
        return HCBR_OK;
    if (format == HCBR_FORMAT_LIBSVM && r->format == HCBR_FORMAT_AUTO && r->options.id != NULL)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->p.file, 0, 0,
                      "libsvm has no ids of cases: --id is not used");
    r->format = format;
    return HCBR_OK;
}

/** Begin with the next file. */
static hcbr_status open_next(hcbr_i_reader *r, hcbr_error *err) {
    const char *path = r->paths[r->next_path];
    hcbr_status st;

    if ((st = hcbr_i_file_open(&r->file, path, err)) != HCBR_OK)
        return st;
    r->next_path++;
    r->eof = false;
    r->begin = r->end = r->seen = 0;
    r->line = 1;
    r->records = r->file_rows = 0;
    r->total = r->path_count == 1 ? hcbr_i_file_size(r->file) : 0;
    r->p.file =
        hcbr_i_arena_copy(&r->text, hcbr_i_file_name(r->file), strlen(hcbr_i_file_name(r->file)));
    if (r->p.file == NULL) {
        r->p.file = "";
        return hcbr_i_no_memory(err);
    }
    if ((st = skip_mark(r, err)) != HCBR_OK || (st = find_format(r, path, err)) != HCBR_OK)
        return st;
    hcbr_i_csv_reset(&r->csv);
    r->csv.delimiter = r->p.format == HCBR_FORMAT_TSV ? '\t' : ',';
    if (r->options.delimiter != 0)
        r->csv.delimiter = (char)r->options.delimiter;
    r->serial++;
    return HCBR_OK;
}

/** The end of a file: it must have held something. */
static hcbr_status end_file(hcbr_i_reader *r, hcbr_error *err) {
    bool columns = r->p.format == HCBR_FORMAT_CSV || r->p.format == HCBR_FORMAT_TSV;

    hcbr_i_file_close(r->file);
    r->file = NULL;
    if (columns && !r->csv.ready && !r->options.no_header)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, 0, 0,
                              "empty file, expected a header with the names of the columns");
    if (!r->p.labelled || r->file_rows > 0)
        return HCBR_OK;
    if (r->records == 0)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, 0, 0,
                              "empty file: found no case, expected at least one");
    return hcbr_i_fail_at(err, HCBR_EDATA, r->p.file, 0, 0, "found no case, expected at least one");
}

/* ---- the reader ------------------------------------------------------------------------------ */

hcbr_status hcbr_i_reader_create(hcbr_i_reader **out, const char *const *paths, size_t count,
                                 const hcbr_read_options *options, bool labelled, hcbr_error *err) {
    hcbr_i_reader *r;
    hcbr_status st;

    *out = NULL;
    if (count == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no file, expected at least one");
    r = hcbr_i_alloc_zero(1, sizeof *r);
    if (r == NULL)
        return hcbr_i_no_memory(err);
    st = hcbr_i_parser_init(&r->p, &r->options, options, labelled, &r->text, err);
    if (st != HCBR_OK) {
        hcbr_i_reader_free(r);
        return st;
    }
    r->p.file = "";
    r->p.block = &r->block;
    r->paths = hcbr_i_alloc(count, sizeof *r->paths);
    if (r->paths == NULL || !set_capacity(r, hcbr_i_reader_buffer))
        goto no_memory;
    for (r->path_count = 0; r->path_count < count; r->path_count++) {
        const char *path = paths[r->path_count];

        r->paths[r->path_count] = hcbr_i_arena_copy(&r->text, path, strlen(path));
        if (r->paths[r->path_count] == NULL)
            goto no_memory;
    }
    *out = r;
    return HCBR_OK;

no_memory:
    hcbr_i_reader_free(r);
    return hcbr_i_no_memory(err);
}

void hcbr_i_reader_free(hcbr_i_reader *reader) {
    if (reader == NULL)
        return;
    hcbr_i_file_close(reader->file);
    hcbr_i_jsonl_free(&reader->p);
    hcbr_i_csv_clear(&reader->csv);
    hcbr_i_block_clear(&reader->block);
    hcbr_i_arena_clear(&reader->text);
    hcbr_i_free(reader->p.label_name);
    hcbr_i_free(reader->paths);
    hcbr_i_free(reader->buffer);
    hcbr_i_free(reader);
}

/** Go on until the block has cases, the reader failed or a file ended. */
static void advance(hcbr_i_reader *r) {
    hcbr_error err;
    hcbr_status st;

    if (r->p.format == HCBR_FORMAT_LIBSVM || r->p.format == HCBR_FORMAT_JSONL)
        parse_lines(r);
    else if (r->p.format != HCBR_FORMAT_AUTO)
        parse_csv(r);
    else
        r->begin = r->end; // blanks only
    if (r->block.case_count > 0 || r->failed != HCBR_OK)
        return;
    hcbr_i_block_reset(&r->block);
    if (r->eof && r->begin == r->end)
        st = end_file(r, &err);
    else if (!r->eof && r->end - r->begin > r->options.max_line + 1 &&
             is_too_long(r, r->end - r->begin))
        return;
    else
        st = fill(r, &err);
    if (st != HCBR_OK)
        set_failed(r, st, &err);
}

hcbr_status hcbr_i_reader_next(hcbr_i_reader *reader, const hcbr_i_block **block, hcbr_error *err) {
    hcbr_status st;
    hcbr_error reason;

    *block = NULL;
    hcbr_i_block_reset(&reader->block);
    while (reader->failed == HCBR_OK) {
        if (reader->file == NULL) {
            if (reader->next_path == reader->path_count)
                return HCBR_OK;
            if ((st = open_next(reader, &reason)) != HCBR_OK)
                set_failed(reader, st, &reason);
            continue;
        }
        advance(reader);
        if (reader->block.case_count > 0) {
            *block = &reader->block;
            return HCBR_OK;
        }
    }
    if (err != NULL)
        *err = reader->error;
    return reader->failed;
}

uint64_t hcbr_i_reader_bytes(const hcbr_i_reader *reader) {
    return reader->bytes;
}

uint64_t hcbr_i_reader_skipped(const hcbr_i_reader *reader) {
    return reader->skipped;
}

const char *hcbr_i_reader_file(const hcbr_i_reader *reader) {
    return reader->p.file;
}

const hcbr_i_text *hcbr_i_reader_columns(const hcbr_i_reader *reader, size_t *count,
                                         uint64_t *serial) {
    *count = reader->csv.ready ? reader->csv.feature_count : 0;
    *serial = reader->csv.ready ? reader->serial : 0;
    return reader->csv.features;
}

const char *hcbr_i_reader_label_name(const hcbr_i_reader *reader) {
    if (reader->format == HCBR_FORMAT_LIBSVM)
        return "label";
    if (reader->p.label_name != NULL)
        return reader->p.label_name;
    return reader->options.label != NULL ? reader->options.label : "label";
}
