/*
 * Records of csv and tsv that are not written by RFC 4180: other quotes or none, escapes, runs of
 * blanks; and records of a plain file in which a quote stands where none may be.
 *
 * A record is complete before its fields are read. They are cut first, into cells, and taken
 * together: a record whose number of fields is wrong adds nothing. Invariant: where a record ends
 * does not depend on the sizes of reads.
 */
#include "read/csv.h"

/* ---- how many fields ------------------------------------------------------------------------- */

/** A row of too few fields: is it one that may be taken? */
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
    if (found > csv->column_count || p->fault == HCBR_I_FAULT_SIGN)
        return hcbr_i_parser_fail(p, at, err, "found %s%zu field%s, expected %zu",
                                  found > csv->column_count ? "more than " : "",
                                  found > csv->column_count ? csv->column_count : found, s,
                                  csv->column_count);
    (void)hcbr_i_parser_fail(p, at, err, "found %zu field%s, expected %zu", found,
                             found == 1 ? "" : "s", csv->column_count);
    return judge_short(p, csv, found);
}

hcbr_status hcbr_i_csv_too_many(hcbr_i_parser *p, const hcbr_i_csv *csv, const char **stop,
                                hcbr_error *err) {
    const char *at = *stop;

    while (p->takes_short && (*at == csv->delimiter || *at == ' '))
        at++;
    if (!p->takes_short || !hcbr_i_csv_line_ends(at))
        return hcbr_i_csv_wrong_count(p, csv, *stop + 1, csv->column_count + 1, err);
    p->fault = HCBR_I_FAULT_LONG;
    *stop = at;
    return HCBR_OK;
}

/* ---- ends of records ------------------------------------------------------------------------- */

/** Where hcbr_i_csv_scan_odd() stands within a record. */
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
                break; // what it is about comes later
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

/** To the quote that closes the field; NULL: there is none. Counts what is not part of the text. */
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
    if (**stop != csv->delimiter && !hcbr_i_csv_line_ends(*stop))
        return hcbr_i_parser_fail(p, *stop, err,
                                  "found %s after a closing quote, expected the delimiter or the "
                                  "end of the line (option quote none takes quotes as they stand)",
                                  hcbr_i_quote(found, *stop, 1));
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

/** A field of a record and where it stands. */
typedef struct cell {
    hcbr_i_text text;
    const char *at;
} cell;

/** Room for one more cell than there are columns, in the arena of the block. */
static cell *take_cells(const hcbr_i_parser *p, const hcbr_i_csv *csv) {
    char *room = hcbr_i_arena_take(&p->block->arena, (csv->column_count + 1) * sizeof(cell) + 16);

    return room == NULL ? NULL : (cell *)(void *)(room + (16 - (uintptr_t)room % 16));
}

/** Take the cells, one for each column or fewer, in whatever block. */
static hcbr_status take_cells_in(hcbr_i_parser *p, const hcbr_i_csv *csv, const cell *cells,
                                 size_t count, hcbr_error *err) {
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

/** Where the field behind a delimiter begins, or the first. */
static const char *skip(const hcbr_i_csv *csv, const char *at) {
    while (*at == ' ' && (csv->runs || csv->padded))
        at++;
    return at;
}

hcbr_status hcbr_i_csv_take_odd(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                hcbr_error *err) {
    cell *cells = take_cells(p, csv);
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
    return take_cells_in(p, csv, cells, count, err);
}

/* ---- quotes where none may be ---------------------------------------------------------------- */

static bool ends_field(const hcbr_i_csv *csv, const char *at) {
    return *at == csv->delimiter || hcbr_i_csv_line_ends(at);
}

/** Ends a field there, but for blanks behind its closing quote? */
static bool closes(const hcbr_i_csv *csv, const char *at) {
    while (*at == ' ' && csv->delimiter != ' ')
        at++;
    return ends_field(csv, at);
}

/**
 * The end of a field in quotes: `late`, the first quote that a delimiter or the end of the line
 * follows, else the first that is not doubled, and what follows up to the delimiter.
 */
static const char *quoted_end(const hcbr_i_csv *csv, const char *at, const char *end, bool late) {
    for (at++; at < end; at++) {
        if (*at != '"')
            continue;
        if (at[1] == '"' && !(late && at + 1 < end && ends_field(csv, at + 2)))
            at++;
        else if (!late || closes(csv, at + 1))
            break;
    }
    if (at >= end)
        return NULL;
    for (at++; !ends_field(csv, at); at++)
        if (*at == '\r')
            return NULL;
    return at;
}

/** A field in quotes without them; doubled ones count once, others for themselves. */
static bool unquote(hcbr_i_text *text, const char *at, const char *stop, bool late,
                    hcbr_i_arena *arena) {
    char *copy = hcbr_i_arena_take(arena, (size_t)(stop - at) + HCBR_I_PAD);
    const char *last = stop;
    bool open = true;
    size_t length = 0;

    if (copy == NULL)
        return false;
    while (last > at + 2 && last[-1] == ' ')
        last--;
    stop = last[-1] == '"' ? last : stop; // blanks behind the closing one are none of the text
    for (at++; at < stop; at++) {
        if (*at == '"' && (late ? at + 1 == stop : open && at[1] != '"')) {
            open = false; // the one that closes
            continue;
        }
        at += open && *at == '"' && at + 1 < stop && at[1] == '"' && !(late && at + 2 == stop);
        copy[length++] = *at;
    }
    *text = (hcbr_i_text){copy, length};
    return true;
}

/** Blanks may stand before a quote: where it is, or at. */
static const char *before_quote(const char *at) {
    const char *quote = at;

    while (*quote == ' ')
        quote++;
    return *quote == '"' ? quote : at;
}

hcbr_status hcbr_i_csv_loose_field(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                   const char **stop, hcbr_error *err) {
    const bool quoted = *(at = before_quote(at)) == '"';
    bool late = true;

    *stop = quoted ? quoted_end(csv, at, limit, late) : NULL;
    if (quoted && *stop == NULL) {
        late = false;
        *stop = quoted_end(csv, at, limit, late);
    }
    if (*stop == NULL)
        for (*stop = at; !ends_field(csv, *stop) && **stop != '\n';)
            ++*stop;
    *text = (hcbr_i_text){at, (size_t)(*stop - at)};
    if (quoted && !unquote(text, at, *stop, late, arena))
        return hcbr_i_no_memory(err);
    return hcbr_i_parser_check(p, at, (size_t)(*stop - at), err); // where it stands in the record
}

/** Does a word in quotes begin the field, and others follow? Then the quotes are part of it. */
static bool is_begun(const hcbr_i_csv *csv, const char *at) {
    for (at++; *at != '"'; at++)
        if (ends_field(csv, at))
            return false;
    return at[1] == ' ' && !closes(csv, at + 1);
}

/** The end of a field such as ="01", by which a spreadsheet keeps the zero; NULL: it is none. */
static const char *formula_end(const hcbr_i_csv *csv, const char *at) {
    if (at[0] != '=' || at[1] != '"')
        return NULL;
    for (at += 2; *at != '"'; at++)
        if (*at == '\n')
            return NULL;
    return ends_field(csv, at + 1) ? at + 1 : NULL;
}

/** Cut the record into cells; *count receives how many, 0: it cannot be. */
static hcbr_status cut(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end, bool late,
                       cell *cells, size_t *count, bool *formulas, hcbr_error *err) {
    const char *at = skip(csv, p->record), *stop;
    size_t n = 0;
    hcbr_status st;

    *formulas = false;
    *count = 0;
    for (;; at = skip(csv, stop + 1)) {
        if (n > csv->column_count)
            return HCBR_OK;
        at = before_quote(at);
        if (*at == '"') {
            stop = quoted_end(csv, at, end, late);
            if (stop == NULL)
                return HCBR_OK;
            if (!late && csv->unquoted && is_begun(csv, at))
                cells[n].text = (hcbr_i_text){at, (size_t)(stop - at)};
            else if (!unquote(&cells[n].text, at, stop, late, &p->block->arena))
                return hcbr_i_no_memory(err);
        } else if ((stop = formula_end(csv, at)) != NULL) {
            *formulas = true;
            cells[n].text = (hcbr_i_text){at + 2, (size_t)(stop - at) - 3};
        } else {
            for (stop = at; !ends_field(csv, stop); stop++)
                if (*stop == '\r')
                    return HCBR_OK;
            cells[n].text = (hcbr_i_text){at, (size_t)(stop - at)};
        }
        if ((st = hcbr_i_parser_check(p, at, (size_t)(stop - at), err)) != HCBR_OK)
            return st;
        cells[n++].at = at;
        if (*stop != csv->delimiter)
            break;
    }
    *count = n;
    return HCBR_OK;
}

/** Is it a short row that may be taken, and has it quotes only inside of its fields? */
static bool is_short(hcbr_i_parser *p, const hcbr_i_csv *csv, const cell *cells, size_t count) {
    hcbr_error ignored;

    for (size_t i = 0; i < count; i++)
        if (*cells[i].at == '"')
            return false;
    if (count > 1 && count < csv->column_count &&
        hcbr_i_csv_wrong_count(p, csv, p->record, count, &ignored) == HCBR_OK)
        return true;
    p->fault = HCBR_I_FAULT_NONE;
    p->is_short = false;
    return false;
}

/** Take the record if one of the two ways to read it fits; otherwise nothing is taken. */
static hcbr_status try_to_mend(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                               bool *taken, hcbr_error *err) {
    cell *cells = take_cells(p, csv);
    hcbr_error other;
    size_t count = 0;
    bool formulas = false;
    hcbr_status st = HCBR_OK;

    *taken = false;
    if (cells == NULL)
        return hcbr_i_no_memory(err);
    for (int late = 1; late >= 0 && count != csv->column_count; late--)
        if ((st = cut(p, csv, end, late, cells, &count, &formulas, &other)) == HCBR_ENOMEM)
            return hcbr_i_no_memory(err);
    if (st != HCBR_OK || (count != csv->column_count && !is_short(p, csv, cells, count)))
        return HCBR_OK; // the first failure stands
    for (const char *c = p->record; c + 1 < end; c++)
        p->lines += *c == '\n';
    if (count == csv->column_count)
        p->fault = formulas ? HCBR_I_FAULT_FORMULA : HCBR_I_FAULT_QUOTE;
    *taken = true;
    return take_cells_in(p, csv, cells, count, err);
}

hcbr_status hcbr_i_csv_mend(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                            hcbr_error *err) {
    bool taken;
    hcbr_status st;

    p->bad_quote = false;
    if (!p->takes_short || !csv->ready)
        return HCBR_EDATA;
    p->label = p->id = p->group = (hcbr_i_text){NULL, 0};
    p->weight = -1;
    p->lines = 1;
    hcbr_i_grams_begin(p);
    st = try_to_mend(p, csv, end, &taken, err);
    return st != HCBR_OK ? st : taken ? hcbr_i_grams_end(p, err) : HCBR_EDATA;
}
