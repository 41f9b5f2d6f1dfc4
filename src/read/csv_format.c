/*
 * The formats csv and tsv: the format of a first line, and the original text of a row. csv.c reads
 * their records, dialect.c finds the dialect of a file.
 */
#include "read/reader.h"

#include <hcbr/decision.h>

static bool has(const char *line, size_t length, int byte) {
    return memchr(line, byte, length) != NULL;
}

static bool looks_like_csv(const char *line, size_t length, int delimiter) {
    if (*line == '[') // a list: its commas do not separate columns
        return false;
    return (delimiter != 0 && has(line, length, delimiter)) || has(line, length, ',') ||
           (!has(line, length, '\t') && (has(line, length, ';') || has(line, length, '|')));
}

static bool looks_like_tsv(const char *line, size_t length, int delimiter) {
    (void)delimiter;
    return *line != '[' && has(line, length, '\t');
}

static bool is_known(const hcbr_i_lane *lane) {
    return lane->csv.ready;
}

static size_t whole(const hcbr_i_lane *lane, const char *bytes, size_t size) {
    return hcbr_i_csv_whole(&lane->csv, bytes, size);
}

/** Parse the record again from its first byte: it was valid before, so it is now. */
static hcbr_status fields(hcbr_i_lane *lane, const char *record, hcbr_i_row *to, hcbr_error *err) {
    hcbr_i_parser *p = &lane->p;
    const hcbr_i_csv *csv = &lane->csv;
    const char *at = record, *limit = lane->buffer + lane->end, *stop;
    bool ended = false;
    for (size_t i = 0; i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        hcbr_field *field = hcbr_i_row_add(to, (hcbr_i_text){c->key, c->key_length});
        hcbr_i_text text;
        if (field == NULL)
            return hcbr_i_no_memory(err);
        if (ended)
            continue; // a short row
        while (csv->padded && *at == ' ')
            at++;
        hcbr_status st = hcbr_i_csv_field(p, csv, at, limit, &p->block->arena, &text, &stop, err);
        if (st != HCBR_OK)
            return st;
        field->text = text.at;
        field->text_length = text.length;
        ended = *stop != csv->delimiter;
        at = stop + 1;
    }
    return HCBR_OK;
}

const hcbr_i_format hcbr_i_format_csv = {.id = HCBR_FORMAT_CSV,
                                         .name = "csv",
                                         .endings = {"csv"},
                                         .delimiter = ',',
                                         .has_columns = true,
                                         .looks = looks_like_csv,
                                         .begin = hcbr_i_reader_find_dialect,
                                         .parse = hcbr_i_lane_table,
                                         .is_known = is_known,
                                         .whole = whole,
                                         .fields = fields};

const hcbr_i_format hcbr_i_format_tsv = {.id = HCBR_FORMAT_TSV,
                                         .name = "tsv",
                                         .endings = {"tsv", "tab"},
                                         .delimiter = '\t',
                                         .has_columns = true,
                                         .looks = looks_like_tsv,
                                         .begin = hcbr_i_reader_find_dialect,
                                         .parse = hcbr_i_lane_table,
                                         .is_known = is_known,
                                         .whole = whole,
                                         .fields = fields};
