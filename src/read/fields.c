/*
 * A row as it stood in the data: every column with its text, whatever reading made of it.
 *
 * The record is parsed again from its first byte, which the case knows, so that rows nobody asks
 * for cost nothing. It was read without a mistake before; so it is now. The bytes are there as long
 * as the block of the case is.
 */
#include "read/reader.h"

#include <hcbr/decision.h>

hcbr_field *hcbr_i_row_add(hcbr_i_row *to, hcbr_i_text name) {
    if (!hcbr_i_grow(&to->all, &to->capacity, to->count + 1, sizeof *to->all))
        return NULL;
    to->all[to->count] = (hcbr_field){.name = name.at, .name_length = name.length};
    return &to->all[to->count++];
}

static hcbr_status take_record(hcbr_i_parser *p, hcbr_i_row *to, const hcbr_i_csv *csv,
                               const char *at, const char *limit, hcbr_error *err) {
    const char *stop;
    bool ended = false;

    for (size_t i = 0; i < csv->column_count; i++) {
        const hcbr_i_column *c = &csv->columns[i];
        hcbr_field *field = hcbr_i_row_add(to, (hcbr_i_text){c->key, c->key_length});
        hcbr_i_text text;
        hcbr_status st;

        if (field == NULL)
            return hcbr_i_no_memory(err);
        if (ended)
            continue; // a short row
        while (csv->padded && *at == ' ')
            at++;
        st = hcbr_i_csv_field(p, csv, at, limit, &p->block->arena, &text, &stop, err);
        if (st != HCBR_OK)
            return st;
        field->text = text.at;
        field->text_length = text.length;
        ended = *stop != csv->delimiter;
        at = stop + 1;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_reader_fields(hcbr_i_reader *reader, const hcbr_i_raw_case *x, hcbr_i_row *to,
                                 hcbr_error *err) {
    hcbr_i_lane *lane = &reader->lane;
    uint64_t lines = lane->p.lines; // fields are counted in again
    hcbr_status st;

    to->count = 0;
    if (reader->frame != NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a table in memory, expected a file of csv, tsv or jsonl");
    if (!hcbr_i_format_has_columns(reader->format) && reader->format != HCBR_FORMAT_JSONL)
        return hcbr_i_fail_at(err, HCBR_EUSAGE, lane->p.file, 0, 0,
                              "found %s, which has no columns, expected csv, tsv or jsonl",
                              hcbr_i_format_name(reader->format));
    st = reader->format == HCBR_FORMAT_JSONL
             ? hcbr_i_json_fields(&lane->p, x->record, to, err)
             : take_record(&lane->p, to, &lane->csv, x->record, lane->buffer + lane->end, err);
    lane->p.lines = lines;
    return st;
}
