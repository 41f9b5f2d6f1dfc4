/*
 * The files of a reader, one after the other, into the buffer of its lane.
 *
 * Invariant: an incomplete record waits at the front of the buffer for the next read; the last byte
 * is followed by a '\n' and readable bytes of any value.
 */
#include "read/reader.h"

#define BUFFER ((size_t)256 << 10) /* bytes at first */
#ifdef HCBR_FAULTS
size_t hcbr_i_reader_buffer = BUFFER;
#else
#define hcbr_i_reader_buffer BUFFER
#endif

/* ---- the buffer ------------------------------------------------------------------------------ */

static bool set_capacity(hcbr_i_reader *r, size_t capacity) {
    char *buffer = hcbr_i_realloc(r->lane.buffer, capacity + 2 + HCBR_I_BEHIND, 1);
    if (buffer == NULL)
        return false;
    r->lane.buffer = buffer;
    r->capacity = capacity;
    return true;
}

bool hcbr_i_reader_start(hcbr_i_reader *r) {
    return set_capacity(r, hcbr_i_reader_buffer);
}

hcbr_status hcbr_i_reader_report(const hcbr_i_reader *r, hcbr_error *err) {
    uint64_t done = r->before + hcbr_i_source_position(r->source);
    char told[HCBR_I_TOLD];
    if (hcbr_i_source_tell(r->source, told))
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "%s", told);

    if (r->options.progress == NULL ||
        r->options.progress(r->options.progress_context, "read", done,
                            r->total != 0 && r->total < done ? done : r->total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "reading %s was cancelled", r->lane.p.file);
}

size_t hcbr_i_reader_end_lines(const hcbr_i_reader *r, char *bytes, size_t size) {
    const char *from = r->lane.buffer + r->lane.begin;
    char *to = bytes;
    if (r->cr_lines)
        for (size_t i = 0; i < size; i++)
            bytes[i] = bytes[i] == '\r' ? '\n' : bytes[i];
    if (!r->cr_twice)
        return size;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\r' || to == from || to[-1] != '\r')
            *to++ = bytes[i];
    return (size_t)(to - bytes);
}

void hcbr_i_reader_close(hcbr_i_reader *r) {
    if (r->lane.last && r->lane.end > 0 && r->lane.buffer[r->lane.end - 1] != '\n') {
        r->lane.is_cut = r->lane.buffer[r->lane.end - 1] != '\r';
        r->lane.buffer[r->lane.end++] = '\n';
    }
    r->lane.buffer[r->lane.end] = '\n';
    memset(r->lane.buffer + r->lane.end + 1, 0, HCBR_I_BEHIND);
}

hcbr_status hcbr_i_reader_fill(hcbr_i_reader *r, hcbr_error *err) {
    size_t got, limit = r->options.max_line + 2;
    memmove(r->lane.buffer, r->lane.buffer + r->lane.begin, r->lane.end - r->lane.begin);
    r->lane.end -= r->lane.begin;
    r->lane.begin = 0;
    if (r->lane.end == r->capacity &&
        !set_capacity(r, r->capacity < limit / 2 ? r->capacity * 2 : limit))
        return hcbr_i_no_memory(err);
    hcbr_status st =
        hcbr_i_rounds_read(r, r->lane.buffer + r->lane.end, r->capacity - r->lane.end, &got, err);
    if (st != HCBR_OK)
        return st;
    r->lane.last = got == 0;
    r->lane.end += hcbr_i_reader_end_lines(r, r->lane.buffer + r->lane.end, got);
    hcbr_i_reader_close(r);
    return hcbr_i_reader_report(r, err);
}

/* ---- files ----------------------------------------------------------------------------------- */

/** Wait for the first bytes and look for a byte order mark. */
static hcbr_status skip_mark(hcbr_i_reader *r, hcbr_error *err) {
    static const char mark[] = "\xEF\xBB\xBF";
    hcbr_status st;
    do {
        if ((st = hcbr_i_reader_fill(r, err)) != HCBR_OK)
            return st;
        if (r->lane.end >= 2 && (memcmp(r->lane.buffer, "\xFF\xFE", 2) == 0 ||
                                 memcmp(r->lane.buffer, "\xFE\xFF", 2) == 0))
            return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 1, 1,
                                  "found a UTF-16 byte order mark, expected UTF-8");
        if (r->lane.end >= 3 && memcmp(r->lane.buffer, mark, 3) == 0) {
            r->lane.begin = 3;
            return HCBR_OK;
        }
    } while (
        !r->lane.last &&
        (r->lane.end < 1 || (r->lane.end < 3 && (memcmp(r->lane.buffer, mark, r->lane.end) == 0 ||
                                                 (unsigned char)r->lane.buffer[0] >= 0xFE))));
    return HCBR_OK;
}

/** The format from the first line that is not blank; AUTO if there is no such line at all. */
static hcbr_status sniff(hcbr_i_reader *r, const hcbr_i_format **format, hcbr_error *err) {
    char quoted[200], names[HCBR_I_FORMAT_NAMES];
    for (;;) {
        const char *at = r->lane.buffer + r->lane.begin, *end = r->lane.buffer + r->lane.end,
                   *newline;
        const char *line = at;
        uint64_t number = 1;
        hcbr_status st;
        for (; at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'); at++)
            if (*at == '\n') {
                line = at + 1;
                number++;
            }
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL && !r->lane.last && r->lane.end < r->capacity) {
            if ((st = hcbr_i_reader_fill(r, err)) != HCBR_OK)
                return st;
            continue;
        }
        *format = &hcbr_i_format_auto;
        if (at == end && r->lane.last)
            return HCBR_OK;
        size_t length = (size_t)((newline != NULL ? newline : end) - line);
        *format = hcbr_i_format_sniff(line, length, r->options.delimiter);
        if (*format != &hcbr_i_format_auto) {
            hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file,
                          0, 0, "read as %s, by its first line (option format overrides this)",
                          (*format)->name);
            return HCBR_OK;
        }
        length -= length > 0 && line[length - 1] == '\r';
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, number, 1,
                              "cannot tell the format: found %s, expected option format %s",
                              hcbr_i_quote(quoted, line, length),
                              hcbr_i_format_names(names, false));
    }
}

/** The format of the file; AUTO for an empty file without a known format. */
static hcbr_status find_format(hcbr_i_reader *r, const char *path, hcbr_error *err) {
    const hcbr_i_format *none = &hcbr_i_format_auto;
    const hcbr_i_format *format = hcbr_i_format_of(hcbr_i_source_format(r->source));
    hcbr_status st;
    if (format == NULL || format == none)
        format = hcbr_i_format_of(r->options.format);
    if (format == none) {
        format = hcbr_i_format_of_path(path);
        if (format->doubt != NULL && (st = format->doubt(r, &format, err)) != HCBR_OK)
            return st;
    }
    if (format == none && (st = sniff(r, &format, err)) != HCBR_OK)
        return st;
    if (format != none && r->format != none && r->format != format)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 0, 0,
                              "found %s after a file of %s, expected files of one format",
                              format->name, r->format->name);
    r->lane.p.format = format;
    r->lane.block.plain_ids =
        format->has_ids && format->has_values && r->names == NULL && r->joins == NULL;
    if (format == none)
        return HCBR_OK;
    if (r->format == none && r->options.id != NULL && format->unnamed && r->names == NULL)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "%s has no ids of cases: option id is not used", format->name);
    r->format = format;
    return hcbr_i_parser_set_format(&r->lane.p, r->labelled, err);
}

/** Bytes of all files together; 0 if the size of one is not known. */
static uint64_t total_size(const hcbr_i_reader *r) {
    uint64_t total = r->before + hcbr_i_source_size(r->source);
    if (hcbr_i_source_size(r->source) == 0)
        return 0;
    for (size_t i = r->next_path; i < r->path_count; i++) {
        uint64_t size = hcbr_i_file_size_at(r->paths[i]);
        if (size == 0)
            return 0;
        total += size;
    }
    return total;
}

/** Fail if the file is not text. */
static hcbr_status refuse_foreign(hcbr_i_reader *r, hcbr_error *err) {
    hcbr_status st;
    while (!r->lane.last && r->lane.end < HCBR_I_FOREIGN && r->lane.end < r->options.max_line &&
           memchr(r->lane.buffer, '\n', r->lane.end) == NULL)
        if ((st = hcbr_i_reader_fill(r, err)) != HCBR_OK)
            return st;
    const char *found = hcbr_i_foreign(r->lane.buffer + r->lane.begin, r->lane.end - r->lane.begin);
    return found == NULL ? HCBR_OK
                         : hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 0, 0, "found %s", found);
}

/** How csv and tsv are written, as long as nothing else is found. */
static void start_csv(hcbr_i_reader *r) {
    hcbr_i_csv *csv = &r->lane.csv;
    const hcbr_read_options *o = &r->options;
    csv->padded = csv->runs = csv->row_names = false;
    csv->quote = o->quote == 0 ? '"' : o->quote < 0 ? '\0' : (char)o->quote;
    csv->escape = o->escape > 0 ? (char)o->escape : '\0';
    csv->odd = csv->quote != '"' || csv->escape != 0;
    csv->no_header = o->no_header != 0;
    csv->headers = o->header > 0 ? o->header : 1;
    csv->most_columns = csv->least_columns = 0;
    csv->sure = csv->forgives = csv->loose = csv->signs = false;
    csv->width = 0;
    csv->rest = false;
    csv->gap = HCBR_I_GAP_NO;
    csv->numbers = 0;
    csv->unique = o->strict != 0;
}

hcbr_status hcbr_i_reader_open_next(hcbr_i_reader *r, hcbr_error *err) {
    const char *path = r->paths[r->next_path], *name;
    hcbr_status st;
    if ((st = hcbr_i_source_open(&r->source, path, &r->options, err)) != HCBR_OK)
        return st;
    if (!r->labelled)
        hcbr_i_source_set_live(r->source);
    r->lane.p.source = r->source;
    r->next_path++;
    r->lane.last = r->lane.is_cut = false;
    r->lane.begin = r->lane.end = r->lane.seen = 0;
    r->lane.line = 1;
    r->lane.records = r->lane.file_rows = 0;
    r->lane.odd = (hcbr_i_odd){0};
    // Somebody may wait for the answer to a short row, which is not judged before the next one.
    r->lane.p.takes_short = r->options.bad_rows == HCBR_BAD_ROWS_AUTO &&
                            (r->labelled || hcbr_i_source_size(r->source) > 0);
    r->file_bytes = 0;
    r->cr_lines = r->cr_twice = false;
    hcbr_i_rounds_reset(r->rounds);
    r->total = total_size(r);
    name = hcbr_i_source_name(r->source);
    r->lane.p.file = hcbr_i_arena_copy(&r->text, name, strlen(name));
    if (r->lane.p.file == NULL) {
        r->lane.p.file = "";
        return hcbr_i_no_memory(err);
    }
    if ((st = skip_mark(r, err)) != HCBR_OK)
        return st;
    if ((st = refuse_foreign(r, err)) != HCBR_OK || (st = find_format(r, path, err)) != HCBR_OK)
        return st;
    hcbr_i_csv_reset(&r->lane.csv);
    r->lane.csv.delimiter = r->lane.p.format->delimiter;
    if (r->options.delimiter != 0)
        r->lane.csv.delimiter = (char)r->options.delimiter;
    r->lane.json = (hcbr_i_json_scan){0};
    r->lane.p.joined_lines = false;
    r->lane.p.before = 0;
    start_csv(r);
    if (r->lane.p.format->begin != NULL && !r->options.strict &&
        (st = r->lane.p.format->begin(r, err)) != HCBR_OK)
        return st;
    r->serial++;
    r->lane.p.serial = r->serial;
    return HCBR_OK;
}

/** Whether files may have no row. New cases may, and on request. */
static bool may_be_empty(const hcbr_i_reader *r) {
    return !r->labelled || r->options.may_be_empty;
}

static hcbr_status say_empty(const hcbr_i_reader *r, const char *what) {
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, r->lane.p.file, 0, 0,
                  "%s", what);
    return HCBR_OK;
}

hcbr_status hcbr_i_reader_end_file(hcbr_i_reader *r, hcbr_error *err) {
    bool columns = r->lane.p.format->has_columns;
    const hcbr_i_odd_kind *flawed = &r->lane.odd.kinds[HCBR_I_FAULT_FLAWED];
    char told[HCBR_I_TOLD];
    while (hcbr_i_source_tell_end(r->source, told))
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "%s", told);
    r->before += hcbr_i_source_position(r->source);
    hcbr_i_source_close(r->source);
    r->source = NULL;
    r->lane.p.source = NULL;
    if (columns && !r->lane.csv.ready && !r->lane.csv.no_header && !r->lane.p.is_joined &&
        may_be_empty(r))
        return say_empty(r, "empty file");
    if (columns && !r->lane.csv.ready && !r->lane.csv.no_header)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 0, 0,
                              "empty file, expected a header with the names of the columns");
    if (r->lane.json.list && !r->lane.json.ended && r->lane.records > 0)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, r->lane.line, 0,
                              "found the end of the file, expected the end of the list");
    if (flawed->count * 10 > r->lane.file_rows)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, flawed->lines[0], 0,
                              "found %llu rows of %llu that cannot be read as the others are, "
                              "expected at most one in ten (option bad_rows skip leaves them out)",
                              (unsigned long long)flawed->count,
                              (unsigned long long)r->lane.file_rows);
    if (r->lane.csv.rest)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, r->lane.p.file, 0,
                      0,
                      "another table begins in line %llu, with other columns, and is left out to "
                      "the end of the file (option bad_rows stop refuses this)",
                      (unsigned long long)r->lane.odd.kinds[HCBR_I_FAULT_TABLE].lines[0]);
    hcbr_i_odd_report(&r->lane.odd, &r->options, r->lane.p.file);
    if (r->lane.p.labelled && r->lane.file_rows > 0 &&
        r->lane.odd.kinds[HCBR_I_FAULT_LABEL].count + r->lane.odd.kinds[HCBR_I_FAULT_NO_ROW].count +
                r->lane.odd.kinds[HCBR_I_FAULT_BELOW].count +
                r->lane.odd.kinds[HCBR_I_FAULT_REMARK].count +
                r->lane.odd.kinds[HCBR_I_FAULT_SIGN].count +
                r->lane.odd.kinds[HCBR_I_FAULT_NAMES].count +
                r->lane.odd.kinds[HCBR_I_FAULT_FLAWED].count +
                r->lane.odd.kinds[HCBR_I_FAULT_OPEN].count ==
            r->lane.file_rows)
        return hcbr_i_fail_at(
            err, HCBR_EDATA, r->lane.p.file, 0, 0,
            "found no row with a label, expected at least one (option label names "
            "another column)");
    if (!r->labelled || r->lane.file_rows > 0)
        return HCBR_OK;
    if (may_be_empty(r))
        return say_empty(r, r->lane.records == 0 ? "empty file" : "the file has no row");
    if (r->lane.records == 0)
        return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 0, 0,
                              "empty file: found no case, expected at least one");
    return hcbr_i_fail_at(err, HCBR_EDATA, r->lane.p.file, 0, 0,
                          "found no case, expected at least one");
}
