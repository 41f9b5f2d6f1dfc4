/*
 * Where records of csv and tsv end, and fields that may be anything: quoted, with special bytes,
 * not UTF-8.
 *
 * Invariant: hcbr_i_csv_whole() and hcbr_i_csv_scan_record() find the same ends, in whatever pieces
 * the bytes come.
 */
#include "read/csv.h"

/** The state of hcbr_i_csv_scan_record() within a record. */
enum { AT_START = 0, IN_PLAIN, IN_QUOTES, AFTER_QUOTE, IN_BAD };

/* ---- ends of records ------------------------------------------------------------------------- */

const char *hcbr_i_csv_scan_record(hcbr_i_csv *csv, const char *record, const char *limit) {
    const char *at = record + csv->scan.offset;
    int state = csv->scan.state;
    if (csv->odd)
        return hcbr_i_csv_scan_odd(csv, record, limit);
    for (; at < limit; at++) {
        char c = *at;
        if (state == IN_QUOTES) {
            const char *quote = memchr(at, '"', (size_t)(limit - at));
            if (quote == NULL) {
                at = limit;
                break;
            }
            at = quote;
            state = AFTER_QUOTE;
        } else if (c == '\n') {
            csv->scan = (hcbr_i_csv_scan){AT_START, 0};
            return at + 1;
        } else if (c == '"') {
            state = state == AT_START || state == AFTER_QUOTE ? IN_QUOTES : IN_BAD;
        } else if (state != IN_BAD) {
            if (c == csv->delimiter || (c == ' ' && csv->padded && state == AT_START))
                state = AT_START; // a blank may precede a quote
            else
                state = state == AFTER_QUOTE ? IN_BAD : IN_PLAIN;
        }
    }
    csv->scan = (hcbr_i_csv_scan){state, (size_t)(at - record)};
    return NULL;
}

/** One past the last '\n' before end, or at. */
static const char *line_start(const char *at, const char *end) {
    while (end > at && end[-1] != '\n')
        end--;
    return end;
}

/** One past the next '\n', or NULL. */
static const char *next_line(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline != NULL ? newline + 1 : NULL;
}

/**
 * Where the record with this quote in it ends: as hcbr_i_csv_scan_record() sees it, in steps from
 * quote to quote.
 *
 * @return where the next record begins; NULL if the end is not before `end`.
 */
static const char *quoted_end(const hcbr_i_csv *csv, const char *record, const char *quote,
                              const char *end) {
    const char *at = quote;
    for (;;) {
        const char *before = at;
        while (csv->padded && before > record && before[-1] == ' ')
            before--;
        if (before > record && before[-1] != csv->delimiter)
            return next_line(at, end); // a quote where none may be
        for (;; at++) {                // to the closing one, past doubled ones
            at = memchr(at + 1, '"', (size_t)(end - at - 1));
            if (at == NULL || at + 1 == end)
                return NULL;
            if (at[1] != '"')
                break;
        }
        if (at[1] == '\n')
            return at + 2;
        if (at[1] != csv->delimiter)
            return next_line(at, end);
        for (at += 2; at < end && *at != '"' && *at != '\n';)
            at++;
        if (at == end)
            return NULL;
        if (*at == '\n')
            return at + 1;
    }
}

/** The same for csv->odd, record by record. */
static size_t odd_whole(const hcbr_i_csv *csv, const char *bytes, size_t size) {
    hcbr_i_csv one = *csv;
    const char *end = bytes + size, *record = bytes, *next;
    one.scan = (hcbr_i_csv_scan){0};
    while ((next = hcbr_i_csv_scan_odd(&one, record, end)) != NULL)
        record = next;
    return (size_t)(record - bytes);
}

size_t hcbr_i_csv_whole(const hcbr_i_csv *csv, const char *bytes, size_t size) {
    const char *end = bytes + size, *record = bytes, *quote, *next;
    if (csv->odd)
        return odd_whole(csv, bytes, size);

    while (record < end && (quote = memchr(record, '"', (size_t)(end - record))) != NULL) {
        record = line_start(record, quote); // records before it have no quote
        next = quoted_end(csv, record, quote, end);
        if (next == NULL)
            return (size_t)(record - bytes);
        record = next;
    }
    return (size_t)(line_start(record, end) - bytes);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static hcbr_status quoted_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                const char **stop, hcbr_error *err) {
    const char *start = at + 1, *quote, *from, *next;
    size_t doubled = 0;
    char found[200], *copy;
    hcbr_status st;
    for (from = start;; from = quote + 2, doubled++) {
        quote = memchr(from, '"', (size_t)(limit - from));
        if (quote == NULL)
            return hcbr_i_parser_fail(p, at, err,
                                      "found a quote that is never closed, expected another one "
                                      "(option quote none takes quotes as they stand)");
        if (quote[1] != '"')
            break;
    }
    *stop = quote + 1;
    if (**stop != csv->delimiter && !hcbr_i_csv_line_ends(*stop)) {
        p->bad_quote = true;
        return hcbr_i_parser_fail(p, *stop, err,
                                  "found %s after a closing quote, expected the delimiter or the "
                                  "end of the line (option quote none takes quotes as they stand)",
                                  hcbr_i_quote(found, *stop, 1));
    }
    if ((st = hcbr_i_parser_check(p, start, (size_t)(quote - start), err)) != HCBR_OK)
        return st;
    for (from = start; (next = memchr(from, '\n', (size_t)(quote - from))) != NULL; from = next + 1)
        p->lines++;
    *text = (hcbr_i_text){start, (size_t)(quote - start)};
    if (doubled == 0)
        return HCBR_OK;
    copy = hcbr_i_arena_take(arena, text->length - doubled);
    if (copy == NULL)
        return hcbr_i_no_memory(err);
    text->at = copy;
    for (from = start; from < quote; from += *from == '"' ? 2 : 1)
        *copy++ = *from;
    text->length -= doubled;
    return HCBR_OK;
}

hcbr_status hcbr_i_csv_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                             const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                             const char **stop, hcbr_error *err) {
    const char *end = at;
    if (csv->odd)
        return hcbr_i_csv_odd_field(p, csv, at, limit, arena, text, stop, err);
    if (*at == '"')
        return quoted_field(p, csv, at, limit, arena, text, stop, err);
    while (*end != csv->delimiter && *end != '\n' && *end != '"' && *end != '\r')
        end++;
    *text = (hcbr_i_text){at, (size_t)(end - at)};
    *stop = end;
    if (*end == '"') {
        p->bad_quote = true;
        return hcbr_i_parser_fail(p, end, err,
                                  "found a quote inside a field, expected the whole field in "
                                  "quotes and this one doubled (option quote none takes quotes as "
                                  "they stand)");
    }
    if (*end == '\r' && end[1] != '\n')
        return hcbr_i_parser_fail(p, end, err,
                                  "found a carriage return, expected it only before a newline or "
                                  "in quotes");
    return hcbr_i_parser_check(p, at, text->length, err);
}
