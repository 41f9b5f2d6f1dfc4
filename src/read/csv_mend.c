/*
 * Lines of csv that are not written like the others: misplaced quotes, extra delimiters, other
 * delimiters or quotes. The likeliest reading (csv_align.c) is used if it has a field for each
 * column.
 *
 * Invariant: a well-formed record is read as it is; the first line of several is tried before all
 * of them, so that an unclosed quote costs no more than its line.
 */
#include "read/csv.h"
#include "read/dialect.h"

/* ---- fields ---------------------------------------------------------------------------------- */

static bool ends_field(const hcbr_i_csv *csv, const char *at) {
    return *at == csv->delimiter || hcbr_i_csv_line_ends(at);
}

/** Whether a field ends there, apart from blanks after its closing quote. */
static bool closes(const hcbr_i_csv *csv, const char *at) {
    while (*at == ' ' && csv->delimiter != ' ')
        at++;
    return ends_field(csv, at);
}

/**
 * The end of a field in quotes: if `late`, the first quote followed by a delimiter or the end of
 * the line, else the first that is not doubled, and the text up to the delimiter.
 */
static const char *quoted_end(const hcbr_i_csv *csv, const char *at, const char *end, bool late) {
    const char quote = csv->quote;
    for (at++; at < end; at++) {
        if (*at != quote)
            continue;
        if (at[1] == quote && !(late && at + 1 < end && ends_field(csv, at + 2)))
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
static bool unquote(hcbr_i_text *text, const char *at, const char *stop, char quote, bool late,
                    hcbr_i_arena *arena) {
    char *copy = hcbr_i_arena_take(arena, (size_t)(stop - at) + HCBR_I_PAD);
    const char *last = stop;
    bool open = true;
    size_t length = 0;
    if (copy == NULL)
        return false;
    while (last > at + 2 && last[-1] == ' ')
        last--;
    stop = last[-1] == quote ? last : stop; // blanks after the closing quote are not part of the
                                            // text
    for (at++; at < stop; at++) {
        if (*at == quote && (late ? at + 1 == stop : open && at[1] != quote)) {
            open = false; // the one that closes
            continue;
        }
        at += open && *at == quote && at + 1 < stop && at[1] == quote && !(late && at + 2 == stop);
        copy[length++] = *at;
    }
    *text = (hcbr_i_text){copy, length};
    return true;
}

/** The quote after blanks at `at`, if there is one, else `at`. */
static const char *before_quote(const hcbr_i_csv *csv, const char *at) {
    const char *quote = at;
    while (*quote == ' ')
        quote++;
    return *quote == csv->quote ? quote : at;
}

hcbr_status hcbr_i_csv_loose_field(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *at,
                                   const char *limit, hcbr_i_arena *arena, hcbr_i_text *text,
                                   const char **stop, hcbr_error *err) {
    const bool quoted = *(at = before_quote(csv, at)) == csv->quote;
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
    if (quoted && !unquote(text, at, *stop, csv->quote, late, arena))
        return hcbr_i_no_memory(err);
    return hcbr_i_parser_check(p, at, (size_t)(*stop - at), err); // its position in the record
}

/** Whether a word in quotes begins the field, and others follow. Then the quotes are part of it. */
static bool is_begun(const hcbr_i_csv *csv, const char *at) {
    for (at++; *at != '"'; at++)
        if (ends_field(csv, at))
            return false;
    return at[1] == ' ' && !closes(csv, at + 1);
}

/** The end of a field such as ="01", by which a spreadsheet keeps the zero; NULL: not such a
 *  field. */
static const char *formula_end(const hcbr_i_csv *csv, const char *at) {
    if (at[0] != '=' || at[1] != '"')
        return NULL;
    for (at += 2; *at != '"'; at++)
        if (*at == '\n')
            return NULL;
    return ends_field(csv, at + 1) ? at + 1 : NULL;
}

/** The text of a piece; *formula: it is one of a spreadsheet. */
static hcbr_status take_piece(const hcbr_i_parser *p, const hcbr_i_csv *csv,
                              const hcbr_i_piece *piece, hcbr_i_arena *arena, hcbr_i_csv_cell *cell,
                              bool *formula, hcbr_error *err) {
    const char *at = piece->at;
    while (at < piece->stop && *at == ' ' && (csv->padded || piece->how != HCBR_I_PIECE_PLAIN))
        at++;
    cell->at = at;
    cell->text = (hcbr_i_text){at, (size_t)(piece->stop - at)};
    if (piece->how == HCBR_I_PIECE_PLAIN && formula_end(csv, at) == piece->stop) {
        *formula = true;
        cell->text = (hcbr_i_text){at + 2, (size_t)(piece->stop - at) - 3};
    } else if (piece->how == HCBR_I_PIECE_SINGLE) {
        while (cell->text.at[cell->text.length - 1] == ' ')
            cell->text.length--;
        cell->text = (hcbr_i_text){at + 1, cell->text.length - 2};
    } else if (piece->how != HCBR_I_PIECE_PLAIN &&
               !(piece->how == HCBR_I_PIECE_BEHIND && csv->unquoted && is_begun(csv, at)) &&
               !unquote(&cell->text, at, piece->stop, csv->quote, piece->how == HCBR_I_PIECE_QUOTED,
                        arena)) {
        return hcbr_i_no_memory(err);
    }
    return hcbr_i_parser_check(p, at, (size_t)(piece->stop - at), err);
}

/** The number of fields in number columns with a number, and with a text. */
typedef struct fitting {
    size_t numbers, texts;
} fitting;

static fitting count_fitting(const hcbr_i_csv *csv, const hcbr_i_csv_cell *cells) {
    fitting f = {0};
    for (size_t c = 0; c < csv->column_count && c < 64; c++) {
        if ((csv->numbers >> c & 1) == 0)
            continue;
        assert(cells); // there are columns
        f.numbers += hcbr_i_cell_judge(cells[c].text) == HCBR_I_CELL_NUMBER;
        f.texts += hcbr_i_cell_judge(cells[c].text) == HCBR_I_CELL_TEXT;
    }
    return f;
}

/** Whether each column of numbers has a number, or nothing, and one of them a number. */
static bool fits(const hcbr_i_csv *csv, const hcbr_i_csv_cell *cells) {
    const fitting f = count_fitting(csv, cells);
    return f.numbers > 0 && f.texts == 0;
}

/** Whether the columns of numbers have texts alone. Then the fields are in the wrong columns. */
static bool is_shifted(const hcbr_i_csv *csv, const hcbr_i_csv_cell *cells) {
    const fitting f = count_fitting(csv, cells);
    return f.numbers == 0 && f.texts > 0;
}

/** Read the bytes up to `stop` with this delimiter, as `count` fields; cells NULL: there is no such
 *  reading. */
static hcbr_status try_to_read(const hcbr_i_parser *p, const hcbr_i_csv *csv, char delimiter,
                               const char *stop, size_t count, hcbr_i_arena *arena,
                               hcbr_i_csv_reading *out, hcbr_error *err) {
    const hcbr_i_csv_way way = {delimiter, csv->quote, count, csv->ready ? csv->numbers : 0};
    hcbr_i_alignment found;
    hcbr_i_piece *pieces;
    bool formula = false;
    out->cells = NULL;
    if (count < 2)
        return HCBR_OK;
    if ((pieces = hcbr_i_alloc(count, sizeof *pieces)) == NULL)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_csv_align(pieces, &way, p->record, stop, &found, err);
    if (st == HCBR_OK && found != HCBR_I_ALIGNED_NOT &&
        (out->cells = hcbr_i_csv_make_cells(arena, count)) == NULL)
        st = hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && out->cells != NULL && i < count; i++)
        st = take_piece(p, csv, &pieces[i], arena, &out->cells[i], &formula, err);
    hcbr_i_free(pieces);
    if (st == HCBR_EDATA) { // invalid bytes: that is the mistake
        out->cells = NULL;
        st = HCBR_OK;
    }
    out->end = stop;
    out->count = count;
    out->fault = out->cells == NULL                   ? HCBR_I_FAULT_NONE
                 : found == HCBR_I_ALIGNED_DELIMITERS ? HCBR_I_FAULT_OTHERWISE
                 : formula                            ? HCBR_I_FAULT_FORMULA
                                                      : HCBR_I_FAULT_QUOTE;
    return st;
}

/** The number of fields of the record if all its quotes are in place; else 0. */
static size_t count_fields(const hcbr_i_csv *csv, const char *at, const char *end) {
    size_t count = 1;
    for (;; at++, count++) {
        while (*at == ' ' && csv->padded)
            at++;
        if (*at == csv->quote) {
            for (at++; at < end && (*at != csv->quote || at[1] == csv->quote); at++)
                at += *at == csv->quote;
            if (at++ >= end || !ends_field(csv, at))
                return 0;
        }
        for (; !ends_field(csv, at) && *at != '\n'; at++)
            if (*at == csv->quote)
                return 0;
        if (*at != csv->delimiter)
            return count;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/**
 * In a table of words nothing shows that a value is in its column. There the line must have the
 * other delimiter alone, without a blank on either side, as no sentence has it.
 */
static bool is_bare(const hcbr_i_csv *csv, char delimiter, const char *line, const char *stop) {
    bool found = false;
    for (const char *at = line; at < stop; at++) {
        if (*at == csv->delimiter)
            return false;
        if (*at != delimiter)
            continue;
        found = true;
        if ((at > line && at[-1] == ' ') || at[1] == ' ')
            return false;
    }
    return found && delimiter != ' ' && delimiter != ':' && csv->column_count >= 3;
}

/** Try other delimiters. */
static hcbr_status try_others(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *stop,
                              hcbr_i_csv_reading *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (const char *d = HCBR_I_DELIMITERS; *d != '\0' && st == HCBR_OK; d++) {
        if (*d == csv->delimiter || p->options->delimiter != 0 ||
            (*d == ' ' && csv->column_count < 3) ||
            (csv->numbers == 0 && !is_bare(csv, *d, p->record, stop)))
            continue;
        st = try_to_read(p, csv, *d, stop, csv->column_count, &p->block->arena, out, err);
        if (st != HCBR_OK || out->cells == NULL)
            continue;
        // A colon is part of times and addresses, so none of them may be taken for text.
        if (*d == ':' && out->fault == HCBR_I_FAULT_OTHERWISE)
            continue;
        if (csv->numbers == 0 ? out->fault == HCBR_I_FAULT_QUOTE : fits(csv, out->cells)) {
            out->fault = HCBR_I_FAULT_OTHERWISE;
            return HCBR_OK;
        }
    }
    out->cells = NULL;
    return st;
}

/** Try a short row that is allowed, with quotes only inside of its fields. */
static hcbr_status try_short(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *stop,
                             hcbr_i_csv_reading *out, hcbr_error *err) {
    const char *at = p->record;
    hcbr_error ignored;
    out->cells = hcbr_i_csv_make_cells(&p->block->arena, csv->column_count);
    if (out->cells == NULL)
        return hcbr_i_no_memory(err);
    for (out->count = 0; out->count < csv->column_count; at++) {
        hcbr_i_csv_cell *cell = &out->cells[out->count++];
        while (*at == ' ' && csv->padded)
            at++;
        cell->at = at;
        while (!ends_field(csv, at) && *at != '\n')
            at++;
        cell->text = (hcbr_i_text){cell->at, (size_t)(at - cell->at)};
        if (*before_quote(csv, cell->at) == csv->quote)
            break;
        if (*at == csv->delimiter)
            continue;
        if (out->count > 1 && out->count < csv->column_count &&
            hcbr_i_parser_check(p, p->record, (size_t)(at - p->record), &ignored) == HCBR_OK &&
            hcbr_i_csv_wrong_count(p, csv, p->record, out->count, &ignored) == HCBR_OK) {
            out->end = stop;
            out->fault = (hcbr_i_fault)p->fault;
            return HCBR_OK;
        }
        break;
    }
    p->fault = HCBR_I_FAULT_NONE;
    p->is_short = false;
    out->cells = NULL;
    return HCBR_OK;
}

bool hcbr_i_csv_is_off(const hcbr_i_csv *csv, const char *record, const char *end) {
    const char *at = record;
    for (uint64_t left = csv->numbers; left != 0 && at < end; left >>= 1) {
        const hcbr_i_text cell = hcbr_i_csv_next_cell(csv, &at, end);
        if ((left & 1) != 0 && hcbr_i_cell_judge(cell) == HCBR_I_CELL_TEXT)
            return true;
    }
    return false;
}

bool hcbr_i_csv_is_swallowed(const hcbr_i_csv *csv, const char *record, const char *end) {
    if (!csv->forgives || csv->numbers == 0 || csv->column_count < 3)
        return false;
    for (const char *line = record, *stop; line < end; line = stop + 1) {
        size_t fields = 1;
        stop = memchr(line, '\n', (size_t)(end - line));
        for (const char *at = line; at < stop; at++)
            fields += *at == csv->delimiter;
        if (fields != csv->column_count || (line > record && hcbr_i_csv_is_off(csv, line, stop)))
            return false;
    }
    return true;
}

hcbr_status hcbr_i_csv_find_mend(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                 hcbr_i_csv_reading *out, hcbr_error *err) {
    const char *first = (const char *)memchr(p->record, '\n', (size_t)(end - p->record)) + 1;
    const bool wrong = p->bad_quote || p->bad_count || p->open_quote, lines = first < end;
    const bool off = p->fault == HCBR_I_FAULT_LONG;
    hcbr_i_arena *arena = &p->block->arena;
    hcbr_status st = HCBR_OK;
    *out = (hcbr_i_csv_reading){.end = end};
    if (csv->escape == 0 && !csv->runs) {
        if (csv->forgives && (wrong || off || (lines && !p->bad_quote)))
            st = try_to_read(p, csv, csv->delimiter, first, csv->column_count, arena, out, err);
        if (st == HCBR_OK && out->cells == NULL && p->bad_quote)
            st = try_to_read(p, csv, csv->delimiter, end, csv->column_count, arena, out, err);
        if (out->fault == HCBR_I_FAULT_OTHERWISE && (!csv->forgives || is_shifted(csv, out->cells)))
            out->cells = NULL; // a few rows do not show which is right
        if (st == HCBR_OK && out->cells == NULL && csv->forgives && !off)
            st = try_others(p, csv, first, out, err);
        if (st == HCBR_OK && out->cells == NULL && p->bad_quote && !lines)
            st = try_short(p, csv, first, out, err);
    }
    if (st != HCBR_OK || out->cells != NULL)
        return st;
    out->fault = HCBR_I_FAULT_NONE;
    out->end = end;
    if (wrong && p->fault == HCBR_I_FAULT_NONE && csv->forgives) {
        out->fault = HCBR_I_FAULT_FLAWED;
        out->end = first;
    }
    return HCBR_OK;
}

/** Of the fields of a line: how many are words and how many numbers; false: one is empty. */
static bool count_kinds(const hcbr_i_csv *csv, const char *at, const char *end, size_t *numbers) {
    bool filled = true;
    for (*numbers = 0; at < end;) {
        const hcbr_i_cell_kind kind = hcbr_i_cell_judge(hcbr_i_csv_next_cell(csv, &at, end));
        *numbers += kind == HCBR_I_CELL_NUMBER;
        filled = filled && kind != HCBR_I_CELL_EMPTY;
    }
    return filled;
}

hcbr_i_csv_begun hcbr_i_csv_begins(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end,
                                   const char *limit) {
    const size_t fields = count_fields(csv, p->record, end);
    const char *next = end, *stop;
    size_t numbers;
    if (!csv->forgives || fields < 2 || fields == csv->column_count ||
        !hcbr_i_csv_has_names(csv, p->record, end) || !count_kinds(csv, p->record, end, &numbers) ||
        numbers > 0)
        return HCBR_I_CSV_NO_TABLE;
    while (next < limit && (*next == '\n' || *next == '\r'))
        next++;
    if (next == limit || (stop = memchr(next, '\n', (size_t)(limit - next))) == NULL)
        return HCBR_I_CSV_MORE;
    (void)count_kinds(csv, next, stop, &numbers);
    return numbers > 0 && count_fields(csv, next, stop + 1) == fields ? HCBR_I_CSV_TABLE
                                                                      : HCBR_I_CSV_NO_TABLE;
}

hcbr_status hcbr_i_csv_take_mend(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                 const hcbr_i_csv_reading *mend, hcbr_error *err) {
    p->label = p->id = p->group = (hcbr_i_text){NULL, 0};
    p->weight = -1;
    p->lines = 1;
    p->fault = (uint8_t)mend->fault;
    p->is_short = mend->fault == HCBR_I_FAULT_SHORT;
    for (const char *c = p->record; c + 1 < mend->end; c++)
        p->lines += *c == '\n';
    hcbr_i_grams_begin(p);
    hcbr_status st = hcbr_i_csv_take_cells(p, csv, mend->cells, mend->count, err);
    return st != HCBR_OK ? st : hcbr_i_grams_end(p, err);
}

/* ---- the header ------------------------------------------------------------------------------ */

/** Whether each field of the header is a word. */
static bool are_words(const hcbr_i_csv_reading *x) {
    for (size_t i = 0; i < x->count; i++)
        if (hcbr_i_cell_judge(x->cells[i].text) != HCBR_I_CELL_TEXT)
            return false;
    return true;
}

hcbr_status hcbr_i_csv_find_names(const hcbr_i_parser *p, hcbr_i_csv *csv, const char *end,
                                  hcbr_i_csv_reading *out, hcbr_error *err) {
    const char *first = (const char *)memchr(p->record, '\n', (size_t)(end - p->record)) + 1;
    *out = (hcbr_i_csv_reading){.end = end};
    if (!p->takes_short || csv->width == 0 || csv->headers > 1 || csv->row_names ||
        csv->most_columns > 0 || csv->least_columns > 0 || csv->quote == 0 || csv->escape != 0 ||
        csv->runs || csv->no_header || count_fields(csv, p->record, end) == csv->width)
        return HCBR_OK;
    hcbr_status st = try_to_read(p, csv, csv->delimiter, first, csv->width, &csv->text, out, err);
    for (const char *d = HCBR_I_DELIMITERS;
         *d != '\0' && st == HCBR_OK && out->cells == NULL && p->options->delimiter == 0; d++) {
        if (*d == csv->delimiter)
            continue;
        st = try_to_read(p, csv, *d, first, csv->width, &csv->text, out, err);
        if (st != HCBR_OK || out->cells == NULL)
            continue;
        if (out->fault == HCBR_I_FAULT_OTHERWISE || !are_words(out))
            out->cells = NULL;
        out->fault = HCBR_I_FAULT_OTHERWISE;
    }
    return st;
}
