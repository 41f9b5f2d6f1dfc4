/*
 * How a csv or tsv file is written: the delimiter, blanks after it, lines above the header, and
 * whether there is a header, all from the first records.
 *
 * The format's own delimiter stands as long as most records agree with the first one, so that what
 * was plain is never read otherwise. Another one needs nine of ten records that agree. Invariant:
 * the result depends on the bytes that are looked at alone.
 */
#include "read/dialect.h"

#include <hcbr/number.h>

#define RECORDS 200 /* that are looked at */
#define COLUMNS 256 /* whose values are looked at */
#define LINES 30    /* that may stand above a header */

/** A record. */
typedef struct record {
    const char *at, *end; /* where the next one begins */
    size_t fields, filled;
    size_t after, padded; /* fields behind a delimiter that are not empty; with a blank first */
    uint64_t lines;
} record;

/** The records as a delimiter sees them. */
typedef struct view {
    char delimiter;
    record records[RECORDS];
    size_t count;
    size_t common; /* fields of most records */
    size_t agree;  /* records that have so many */
    size_t header; /* the first of them; count: there is none, or it is doubtful */
    size_t below;  /* those of them from there on */
} view;

/** The end of a field: the delimiter, a line end, or end. */
static const char *field_end(const char *at, const char *end, char delimiter, uint64_t *lines) {
    const char *start = at;

    while (start < end && *start == ' ' && delimiter != ' ')
        start++;
    if (start < end && *start == '"') {
        for (at = start + 1; at < end; at++) {
            *lines += *at == '\n';
            if (*at == '"' && at + 1 < end && at[1] == '"')
                at++;
            else if (*at == '"')
                break;
        }
    }
    while (at < end && *at != delimiter && *at != '\n')
        at++;
    return at;
}

/** Is there anything but blanks and quotes in the field? */
static bool is_filled(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '"' || *at == '\r'))
        at++;
    return at < end;
}

/** Read a record; false: it is not complete. */
static bool read_record(record *r, const char *at, const char *end, char delimiter, bool whole) {
    const char *from = at, *stop;

    *r = (record){.at = at, .lines = 1};
    for (;; from = stop + 1) {
        stop = field_end(from, end, delimiter, &r->lines);
        r->fields++;
        r->filled += is_filled(from, stop);
        if (from > at && is_filled(from, stop)) {
            r->after++;
            r->padded += *from == ' ';
        }
        if (stop == end || *stop == '\n')
            break;
    }
    r->end = stop < end ? stop + 1 : end;
    return stop < end || whole;
}

/** Nothing but blanks and delimiters: a line that counts neither for nor against. */
static bool is_empty(const record *r) {
    return r->filled == 0;
}

/** Can it stand above a header of so many columns? */
static bool is_above(const record *r, size_t columns) {
    return r->filled == 1 || r->fields * 2 <= columns || *r->at == '#';
}

/** The number of fields that most records have; of two, the larger. */
static void find_common(view *v) {
    v->common = v->agree = 0;
    for (size_t i = 0; i < v->count; i++) {
        size_t same = 0;

        for (size_t j = 0; j < v->count; j++)
            same += v->records[j].fields == v->records[i].fields;
        if (same > v->agree || (same == v->agree && v->records[i].fields > v->common)) {
            v->agree = same;
            v->common = v->records[i].fields;
        }
    }
    for (v->header = 0; v->header < v->count; v->header++) {
        const record *r = &v->records[v->header];

        // A title may be written as a row whose other fields are empty.
        if (r->fields == v->common && (r->filled > 1 || v->common < 3))
            break;
        if (!is_above(r, v->common))
            v->header = v->count; // a header that misses a name, say
    }
    v->below = 0;
    for (size_t i = v->header; i < v->count; i++)
        v->below += v->records[i].fields == v->common;
}

static void look(view *v, const char *bytes, size_t size, char delimiter, bool whole) {
    const char *at = bytes, *end = bytes + size;

    v->delimiter = delimiter;
    v->count = 0;
    while (at < end && v->count < RECORDS) {
        record *r = &v->records[v->count];

        if (!read_record(r, at, end, delimiter, whole))
            break;
        at = r->end;
        v->count += !is_empty(r);
    }
    find_common(v);
}

/** Do enough records agree on two or more fields, the header being one of the first? */
static bool is_plain(const view *v, bool is_own) {
    const size_t records = v->count - v->header;

    return v->common >= 2 && v->header < v->count && v->header <= LINES &&
           (is_own ? v->below * 3 >= records * 2 : v->below * 10 >= records * 9) &&
           (v->header == 0 || v->below > 1);
}

/** Choose the delimiter; its view is in *v. false: none but the one of the format. */
static bool choose(view *v, view *other, const hcbr_i_dialect_given *given, const char *bytes,
                   size_t size, bool whole) {
    static const char tried[] = {',', ';', '\t', '|', ' '};
    char best = given->delimiter;
    size_t most = 0;
    bool is_tied = false;

    look(v, bytes, size, given->delimiter, whole);
    if (given->is_asked || (v->count > 0 && v->common >= 2 && v->header == 0))
        return true;
    if (is_plain(v, true))
        most = v->below; // but for lines above the header
    for (size_t i = 0; i < sizeof tried; i++) {
        look(other, bytes, size, tried[i], whole);
        if (tried[i] == given->delimiter || !is_plain(other, false) ||
            (tried[i] == ' ' && (most > 0 || other->below < other->count || other->count < 3)))
            continue;
        is_tied = is_tied || other->below == most;
        if (other->below > most) {
            is_tied = false;
            most = other->below;
            best = tried[i];
        }
    }
    if (is_tied)
        return false;
    look(v, bytes, size, best, whole);
    return true;
}

/* ---- is there a header? ---------------------------------------------------------------------- */

/** The text of a field, without quotes and blanks around it. */
static hcbr_i_text trimmed(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '"'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '"' || end[-1] == '\r'))
        end--;
    return (hcbr_i_text){at, (size_t)(end - at)};
}

static bool is_named(const hcbr_i_dialect_given *given, hcbr_i_text cell) {
    for (size_t i = 0; i < given->name_count; i++)
        if (strlen(given->names[i]) == cell.length &&
            memcmp(given->names[i], cell.at, cell.length) == 0)
            return true;
    return false;
}

/** What is in the columns of the records from the header on. */
typedef struct column {
    bool first_number, first_text; /* of the first record */
    bool number, text;             /* of all others */
} column;

static void look_at_columns(const view *v, column columns[COLUMNS], bool *named,
                            const hcbr_i_dialect_given *given) {
    memset(columns, 0, COLUMNS * sizeof *columns);
    for (size_t i = v->header; i < v->count; i++) {
        const char *at = v->records[i].at, *end = v->records[i].end, *stop;
        uint64_t lines;

        for (size_t c = 0; c < COLUMNS && c < v->records[i].fields; c++, at = stop + 1) {
            double value;
            hcbr_i_text cell;
            bool is_number;

            stop = field_end(at, end, v->delimiter, &lines);
            cell = trimmed(at, stop);
            is_number = hcbr_number_parse(&value, cell.at, cell.length);
            if (i == v->header) {
                columns[c].first_number = is_number;
                columns[c].first_text = !is_number;
                *named = *named || is_named(given, cell);
            } else if (cell.length > 0) {
                columns[c].number = columns[c].number || is_number;
                columns[c].text = columns[c].text || !is_number;
            }
        }
    }
}

/**
 * A column of numbers has one in the first line too, none has a name there, and no name is one that
 * is asked for.
 */
static bool has_no_header(const view *v, const hcbr_i_dialect_given *given) {
    column columns[COLUMNS];
    bool named = false, numbers = false;

    if (v->count - v->header < 3)
        return false;
    look_at_columns(v, columns, &named, given);
    for (size_t c = 0; c < COLUMNS && c < v->common; c++) {
        bool is_number = columns[c].number && !columns[c].text;

        if (is_number && columns[c].first_text)
            return false;
        numbers = numbers || (is_number && columns[c].first_number);
    }
    return numbers && !named;
}

/** Does each value behind a delimiter begin with a blank? */
static bool is_padded(const view *v) {
    size_t after = 0, padded = 0;

    for (size_t i = v->header + 1; i < v->count; i++) {
        after += v->records[i].after;
        padded += v->records[i].padded;
    }
    return v->delimiter != ' ' && v->delimiter != '\t' && after >= 3 && padded == after;
}

bool hcbr_i_dialect_find(hcbr_i_dialect *out, const hcbr_i_dialect_given *given, const char *bytes,
                         size_t size, bool whole) {
    view *v = hcbr_i_alloc(2, sizeof *v);
    const char *header;

    *out = (hcbr_i_dialect){.delimiter = given->delimiter};
    if (v == NULL)
        return false;
    if (size > HCBR_I_DIALECT_BYTES) {
        size = HCBR_I_DIALECT_BYTES;
        whole = false;
    }
    if (choose(&v[0], &v[1], given, bytes, size, whole) && v->header < v->count) {
        out->delimiter = v->delimiter;
        out->fields = v->common;
        header = v->records[v->header].at;
        if (is_plain(v, true)) {
            out->bytes = v->header > 0 ? (size_t)(header - bytes) : 0;
            for (size_t i = 0; i < out->bytes; i++)
                out->lines += bytes[i] == '\n';
        }
        out->padded = is_padded(v);
        out->no_header = !given->no_header && v->common >= 2 && has_no_header(v, given);
    }
    hcbr_i_free(v);
    return true;
}
