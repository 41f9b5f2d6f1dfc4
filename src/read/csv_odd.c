/*
 * Records of csv and tsv that are not written by RFC 4180: other quotes or none, escapes, runs of
 * blanks.
 *
 * A record is complete before its fields are read. They are cut first, into cells, and taken
 * together: a record whose number of fields is wrong adds nothing. Invariant: where a record ends
 * does not depend on the sizes of reads.
 */
#include "read/csv.h"

/* ---- numbers of fields ----------------------------------------------------------------------- */

/** Judge a row of too few fields, which may be allowed. */
static hcbr_status judge_short(hcbr_i_parser *p, const hcbr_i_csv *csv, size_t found) {
    if (!p->takes_short)
        return HCBR_EDATA;
    p->fault = HCBR_I_FAULT_SHORT;
    if (found == 1 &&
        (csv->column_count >= 3 || (p->record[0] == '#' && (p->record[1] == ' ' || csv->sure)) ||
         hcbr_i_is_frame(p->record, strchr(p->record, '\n'))))
        p->fault = HCBR_I_FAULT_NO_ROW;
    for (size_t c = found; c < csv->column_count && p->fault == HCBR_I_FAULT_SHORT; c++) {
        if (csv->columns[c].role == HCBR_I_ROLE_LABEL && p->labelled)
            p->fault = HCBR_I_FAULT_LABEL;
        if (csv->columns[c].role == HCBR_I_ROLE_WEIGHT && p->weighs)
            p->fault = HCBR_I_FAULT_NONE;
    }
    p->is_short = p->fault != HCBR_I_FAULT_NONE;
    return p->fault == HCBR_I_FAULT_SHORT ? HCBR_OK : HCBR_EDATA;
}

hcbr_status hcbr_i_csv_wrong_count(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   size_t found, hcbr_error *err) {
    const char *s = csv->column_count == 1 ? "" : "s";
    if (p->takes_short && found > 1 && p->record[0] == '#' && p->record[1] == ' ')
        p->fault = HCBR_I_FAULT_SIGN;
    p->bad_count = found > csv->column_count && p->fault == HCBR_I_FAULT_NONE;
    if (found > csv->column_count || p->fault == HCBR_I_FAULT_SIGN)
        return hcbr_i_parser_fail(p, at, err, "found %s%zu field%s, expected %zu",
                                  found > csv->column_count ? "more than " : "",
                                  found > csv->column_count ? csv->column_count : found, s,
                                  csv->column_count);
    (void)hcbr_i_parser_fail(p, at, err, "found %zu field%s, expected %zu", found,
                             found == 1 ? "" : "s", csv->column_count);
    return judge_short(p, csv, found);
}

/**
 * The end of a field in quotes with only blanks and line ends; at: not such a field. The sentinel
 * bytes end the search, and the record is read again once there are more.
 */
static const char *behind_empty(const hcbr_i_csv *csv, const char *at, uint64_t *lines) {
    const char *c = at + 1;
    uint64_t ends = 0;
    if (csv->quote == 0 || *at != csv->quote)
        return at;
    for (; *c == ' ' || *c == '\n' || *c == '\r'; c++)
        ends += *c == '\n';
    if (*c != csv->quote)
        return at;
    *lines += ends;
    return c + 1;
}

hcbr_status hcbr_i_csv_too_many(hcbr_i_parser *p, const hcbr_i_csv *csv, const char **stop,
                                hcbr_error *err) {
    const char *at = *stop, *from = NULL;
    uint64_t lines = 0;
    while (p->takes_short && at != from) {
        from = at;
        while (*at == csv->delimiter || *at == ' ')
            at++;
        at = behind_empty(csv, at, &lines);
    }
    if (!p->takes_short || !hcbr_i_csv_line_ends(at))
        return hcbr_i_csv_wrong_count(p, csv, *stop + 1, csv->column_count + 1, err);
    p->fault = HCBR_I_FAULT_LONG;
    p->lines += lines;
    *stop = at;
    return HCBR_OK;
}

/* ---- ends of records ------------------------------------------------------------------------- */

/** The state of hcbr_i_csv_scan_odd() within a record. */
enum { AT_START = 0, IN_PLAIN, IN_QUOTES, AFTER_QUOTE };

const char *hcbr_i_csv_scan_odd(hcbr_i_csv *csv, const char *record, const char *limit) {
    const char *at = record + csv->scan.offset;
    int state = csv->scan.state;
    for (; at < limit; at++) {
        const char c = *at;
        if (c == '\n' && state != IN_QUOTES) {
            csv->scan = (hcbr_i_csv_scan){AT_START, 0};
            return at + 1;
        }
        if (csv->escape != 0 && c == csv->escape) {
            if (at + 1 == limit)
                break; // the escaped byte comes later
            at += state == IN_QUOTES || at[1] != '\n';
            state = state == IN_QUOTES ? IN_QUOTES : IN_PLAIN;
        } else if (csv->quote != 0 && c == csv->quote) {
            state = state == IN_QUOTES                          ? AFTER_QUOTE
                    : state == AT_START || state == AFTER_QUOTE ? IN_QUOTES
                                                                : IN_PLAIN;
        } else if (state != IN_QUOTES) {
            const bool starts = c == csv->delimiter ||
                                (c == ' ' && (csv->padded || csv->runs) && state == AT_START);
            state = starts ? AT_START : IN_PLAIN;
        }
    }
    csv->scan = (hcbr_i_csv_scan){state, (size_t)(at - record)};
    return NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool is_escape(const hcbr_i_csv *csv, const char *at) {
    return csv->escape != 0 && *at == csv->escape &&
           (at[1] == csv->delimiter || at[1] == csv->escape ||
            (csv->quote != 0 && at[1] == csv->quote));
}

/** The text in [at, end) without `dropped` quotes and escapes before others. */
static bool copy_text(const hcbr_i_csv *csv, hcbr_i_text *text, const char *end, size_t dropped,
                      bool quoted, hcbr_i_arena *arena) {
    const char *at = text->at;
    char *copy = hcbr_i_arena_take(arena, text->length - dropped + HCBR_I_PAD);
    if (copy == NULL)
        return false;
    text->at = copy;
    text->length -= dropped;
    while (at < end) {
        at += is_escape(csv, at) || (quoted && *at == csv->quote);
        *copy++ = *at++;
    }
    return true;
}

/** The quote that closes the field; NULL: none. Counts the bytes that are not part of the text. */
static const char *closing(const hcbr_i_csv *csv, const char *at, const char *limit,
                           size_t *dropped) {
    for (; at < limit; at++) {
        if (is_escape(csv, at) || (*at == csv->quote && at[1] == csv->quote)) {
            ++*dropped;
            at++;
        } else if (*at == csv->quote) {
            return at;
        }
    }
    return NULL;
}

static hcbr_status quoted_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                const char **stop, hcbr_error *err) {
    size_t dropped = 0;
    const char *start = at + 1, *quote = closing(csv, start, limit, &dropped);
    char found[200];
    hcbr_status st;
    if (quote == NULL)
        return hcbr_i_parser_fail(p, at, err,
                                  "found a quote that is never closed, expected another one "
                                  "(option quote none takes quotes as they stand)");
    *stop = quote + 1;
    if (**stop != csv->delimiter && !hcbr_i_csv_line_ends(*stop)) {
        p->bad_quote = csv->forgives;
        return hcbr_i_parser_fail(p, *stop, err,
                                  "found %s after a closing quote, expected the delimiter or the "
                                  "end of the line (option quote none takes quotes as they stand)",
                                  hcbr_i_quote(found, *stop, 1));
    }
    if ((st = hcbr_i_parser_check(p, start, (size_t)(quote - start), err)) != HCBR_OK)
        return st;
    for (const char *c = start; c < quote; c++)
        p->lines += *c == '\n';
    *text = (hcbr_i_text){start, (size_t)(quote - start)};
    return dropped == 0 || copy_text(csv, text, quote, dropped, true, arena)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_csv_odd_field(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                 const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                 const char **stop, hcbr_error *err) {
    const char *end = at;
    size_t dropped = 0;
    hcbr_status st;
    if (csv->quote != 0 && *at == csv->quote)
        return quoted_field(p, csv, at, limit, arena, text, stop, err);
    while (*end != csv->delimiter && !hcbr_i_csv_line_ends(end)) {
        if (*end == '\r')
            return hcbr_i_parser_fail(p, end, err,
                                      "found a carriage return, expected it only before a newline "
                                      "or in quotes");
        dropped += is_escape(csv, end);
        end += 1 + is_escape(csv, end);
    }
    *text = (hcbr_i_text){at, (size_t)(end - at)};
    *stop = end;
    if ((st = hcbr_i_parser_check(p, at, text->length, err)) != HCBR_OK)
        return st;
    return dropped == 0 || copy_text(csv, text, end, dropped, false, arena) ? HCBR_OK
                                                                            : hcbr_i_no_memory(err);
}

/* ---- cells ----------------------------------------------------------------------------------- */

hcbr_i_csv_cell *hcbr_i_csv_make_cells(hcbr_i_arena *arena, size_t count) {
    char *room = hcbr_i_arena_take(arena, count * sizeof(hcbr_i_csv_cell) + 16);
    return room == NULL ? NULL : (hcbr_i_csv_cell *)(void *)(room + (16 - (uintptr_t)room % 16));
}

hcbr_status hcbr_i_csv_take_cells(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_csv_cell *cells, size_t count, hcbr_error *err) {
    hcbr_i_block *block = p->block;
    const size_t first = block->name_count, others = block->other_count;
    size_t out = first;
    hcbr_status st = HCBR_OK;
    if (!block->coded) {
        for (size_t i = 0; i < count && st == HCBR_OK; i++)
            st = hcbr_i_csv_take_value(p, csv, &csv->columns[i], cells[i].at, cells[i].text, err);
        return st;
    }
    if (p->parts_numbers) {
        block->keys = csv->keys;
        block->key_serial = p->serial;
    }
    if (!hcbr_i_grow(&block->numbers, &block->number_capacity, first + count,
                     sizeof *block->numbers))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count && st == HCBR_OK; i++) {
        const size_t items = block->item_count;
        block->name_count = block->other_count; // it is added to the names
        st = hcbr_i_csv_take_value(p, csv, &csv->columns[i], cells[i].at, cells[i].text, err);
        if (block->name_count > block->other_count)
            block->numbers[out++] = HCBR_I_OTHER + (uint32_t)block->other_count;
        if (block->item_count > items)
            block->items[items].before = hcbr_i_item_before(out - first);
        block->other_count = block->name_count;
    }
    block->name_count = st == HCBR_OK ? out : first;
    if (st != HCBR_OK)
        block->other_count = others;
    return st;
}

/** The start of the field after a delimiter, or of the first. */
static const char *skip(const hcbr_i_csv *csv, const char *at) {
    while (*at == ' ' && (csv->runs || csv->padded))
        at++;
    return at;
}

hcbr_status hcbr_i_csv_take_odd(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                hcbr_error *err) {
    hcbr_i_csv_cell *cells = hcbr_i_csv_make_cells(&p->block->arena, csv->column_count + 1);
    const char *at = skip(csv, p->record), *stop = at;
    size_t count = 0;
    hcbr_status st;
    if (cells == NULL)
        return hcbr_i_no_memory(err);
    for (;; at = skip(csv, stop + 1)) {
        if (csv->runs && count > 0 && hcbr_i_csv_line_ends(at)) {
            stop = at; // blanks at the end of the line
            break;
        }
        cells[count].at = at;
        st =
            hcbr_i_csv_odd_field(p, csv, at, end, &p->block->arena, &cells[count].text, &stop, err);
        if (st != HCBR_OK)
            return st;
        if (csv->trailing)
            hcbr_i_csv_trim(&cells[count].text);
        if (++count > csv->column_count) {
            stop = at - 1;
            if ((st = hcbr_i_csv_too_many(p, csv, &stop, err)) != HCBR_OK)
                return st;
            count--;
            break;
        }
        if (*stop != csv->delimiter)
            break;
    }
    if (count < csv->column_count &&
        (st = hcbr_i_csv_wrong_count(p, csv, stop, count, err)) != HCBR_OK)
        return st;
    return hcbr_i_csv_take_cells(p, csv, cells, count, err);
}
