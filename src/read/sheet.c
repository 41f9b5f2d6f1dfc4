/*
 * A small csv file as a table of texts, each with its place.
 *
 * It is read as a whole and cut in place. Nothing is guessed: any deviation is an error with its
 * place. Invariant: once loaded, every row has as many cells as the header.
 */
#include "read/read.h"
#include "read/source.h"

#include <stdarg.h>
#include <stdio.h>

/** The bytes that are being cut. */
typedef struct cutter {
    char *at;
    const char *end, *line_start;
    uint64_t line;
} cutter;

void hcbr_i_sheet_clear(hcbr_i_sheet *sheet) {
    hcbr_i_free(sheet->file);
    hcbr_i_free(sheet->bytes);
    hcbr_i_free(sheet->cells);
    *sheet = (hcbr_i_sheet){0};
}

hcbr_status hcbr_i_sheet_fail(const hcbr_i_sheet *sheet, const hcbr_i_placed *cell, hcbr_error *err,
                              const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, cell->line, cell->column, "%s", message);
}

size_t hcbr_i_sheet_find(const hcbr_i_sheet *sheet, const char *name) {
    for (size_t c = 0; c < sheet->columns; c++)
        if (hcbr_i_text_is(hcbr_i_sheet_name(sheet, c)->text, name))
            return c;
    return SIZE_MAX;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static hcbr_status load(hcbr_i_sheet *sheet, size_t *size, const char *path,
                        const hcbr_read_options *options, hcbr_error *err) {
    hcbr_read_options all;
    hcbr_i_options_fill(&all, options);
    all.open = NULL; // a path of this program, never a name that another reader understands
    hcbr_status st =
        hcbr_i_source_load(&sheet->file, &sheet->bytes, size, HCBR_I_SHEET_MOST, path, &all, err);
    if (st == HCBR_OK && *size > HCBR_I_SHEET_MOST)
        st = hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, 0, 0,
                            "more than %zu MB, expected a file that somebody wrote",
                            HCBR_I_SHEET_MOST >> 20);
    return st;
}

static hcbr_status check_text(const hcbr_i_sheet *sheet, size_t size, hcbr_error *err) {
    size_t good = hcbr_i_utf8_check(sheet->bytes, size);
    uint64_t line = 1, column = 1;
    if (good == size)
        return HCBR_OK;
    for (size_t i = 0; i < good; i++) {
        column = sheet->bytes[i] == '\n' ? 1 : column + 1;
        line += sheet->bytes[i] == '\n';
    }
    return hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, line, column,
                          "found byte 0x%02X, expected UTF-8 text without NUL",
                          (unsigned char)sheet->bytes[good]);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool is_end(const cutter *c) {
    return c->at == c->end || *c->at == '\n' ||
           (*c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n');
}

static void skip_blanks(cutter *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

static uint64_t column_of(const cutter *c) {
    return (uint64_t)(c->at - c->line_start) + 1;
}

static void next_line(cutter *c) {
    c->at += c->at < c->end && *c->at == '\r';
    c->at += c->at < c->end;
    c->line_start = c->at;
    c->line++;
}

/** A field in quotes, which are taken off in place. */
static hcbr_status cut_quoted(const hcbr_i_sheet *sheet, cutter *c, hcbr_i_placed *out,
                              hcbr_error *err) {
    char *to = ++c->at;
    out->text.at = to;
    for (; c->at < c->end; c->at++) {
        if (*c->at == '"' && c->at + 1 < c->end && c->at[1] == '"')
            c->at++;
        else if (*c->at == '"')
            break;
        if (*c->at == '\n') {
            c->line++;
            c->line_start = c->at + 1;
        }
        *to++ = *c->at;
    }
    if (c->at == c->end)
        return hcbr_i_sheet_fail(sheet, out, err,
                                 "found a field that does not end, expected a closing quote");
    out->text.length = (size_t)(to - out->text.at);
    c->at++;
    skip_blanks(c);
    if (!is_end(c) && *c->at != ',')
        return hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, c->line, column_of(c),
                              "found text behind a closing quote, expected a comma");
    return HCBR_OK;
}

static hcbr_status cut_field(const hcbr_i_sheet *sheet, cutter *c, hcbr_i_placed *out,
                             hcbr_error *err) {
    skip_blanks(c);
    *out = (hcbr_i_placed){{c->at, 0}, c->line, column_of(c)};
    if (c->at < c->end && *c->at == '"')
        return cut_quoted(sheet, c, out, err);
    while (!is_end(c) && *c->at != ',')
        c->at++;
    const char *last = c->at;
    while (last > out->text.at && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    out->text.length = (size_t)(last - out->text.at);
    return HCBR_OK;
}

/** A line of fields after the present cells; *count receives their number. */
static hcbr_status cut_row(hcbr_i_sheet *sheet, cutter *c, size_t used, size_t *count,
                           hcbr_error *err) {
    for (*count = 0;; c->at++) {
        if (!hcbr_i_grow(&sheet->cells, &sheet->cell_capacity, used + *count + 1,
                         sizeof *sheet->cells))
            return hcbr_i_no_memory(err);
        hcbr_status st = cut_field(sheet, c, &sheet->cells[used + *count], err);
        if (st != HCBR_OK)
            return st;
        ++*count;
        if (is_end(c))
            return HCBR_OK;
    }
}

static hcbr_status check_header(const hcbr_i_sheet *sheet, hcbr_error *err) {
    char quoted[200];
    for (size_t c = 0; c < sheet->columns; c++) {
        const hcbr_i_placed *cell = hcbr_i_sheet_name(sheet, c);
        if (cell->text.length == 0)
            return hcbr_i_sheet_fail(sheet, cell, err, "found no name, expected that of a column");
        for (size_t k = 0; k < c; k++)
            if (hcbr_i_text_same(hcbr_i_sheet_name(sheet, k)->text, cell->text))
                return hcbr_i_sheet_fail(sheet, cell, err,
                                         "found column %s twice, expected it once",
                                         hcbr_i_quote(quoted, cell->text.at, cell->text.length));
    }
    return HCBR_OK;
}

static hcbr_status cut(hcbr_i_sheet *sheet, size_t size, hcbr_error *err) {
    cutter c = {sheet->bytes, sheet->bytes + size, sheet->bytes, 1};
    size_t used = 0, count;
    hcbr_status st = HCBR_OK;
    if (size >= 3 && memcmp(c.at, "\xEF\xBB\xBF", 3) == 0)
        c.line_start = c.at += 3;
    for (; st == HCBR_OK && c.at < c.end; next_line(&c)) {
        skip_blanks(&c);
        if (is_end(&c))
            continue;
        if (*c.at == '#') {
            while (!is_end(&c))
                c.at++;
            continue;
        }
        if ((st = cut_row(sheet, &c, used, &count, err)) != HCBR_OK)
            return st;
        if (used == 0) {
            sheet->columns = count;
            st = check_header(sheet, err);
        } else if (count != sheet->columns)
            return hcbr_i_sheet_fail(sheet, &sheet->cells[used], err,
                                     "found %zu field%s, expected %zu as in the header", count,
                                     count == 1 ? "" : "s", sheet->columns);
        else
            sheet->rows++;
        used += count;
    }
    return st;
}

hcbr_status hcbr_i_sheet_load(hcbr_i_sheet *sheet, const char *path, const char *what,
                              const hcbr_read_options *options, hcbr_error *err) {
    size_t size = 0;
    hcbr_status st = load(sheet, &size, path, options, err);
    if (st == HCBR_OK)
        st = check_text(sheet, size, err);
    if (st == HCBR_OK)
        st = cut(sheet, size, err);
    if (st == HCBR_OK && sheet->rows == 0)
        st = hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, 0, 0,
                            "empty file, expected a header and lines that say %s", what);
    if (st != HCBR_OK)
        hcbr_i_sheet_clear(sheet);
    return st;
}
