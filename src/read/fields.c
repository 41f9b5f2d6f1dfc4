/*
 * A row as it is in the data: every column with its text, before any interpretation.
 *
 * The record is parsed again from its first byte, which the case has, so that unused rows cost
 * nothing. It was read without a mistake before; so it is now. The bytes are valid as long as the
 * block of the case.
 */
#include "read/reader.h"

#include <hcbr/decision.h>

hcbr_field *hcbr_i_row_add(hcbr_i_row *to, hcbr_i_text name) {
    if (!hcbr_i_grow(&to->all, &to->capacity, to->count + 1, sizeof *to->all))
        return NULL;
    to->all[to->count] = (hcbr_field){.name = name.at, .name_length = name.length};
    return &to->all[to->count++];
}

hcbr_status hcbr_i_reader_fields(hcbr_i_reader *reader, const hcbr_i_raw_case *x, hcbr_i_row *to,
                                 hcbr_error *err) {
    hcbr_i_lane *lane = &reader->lane;
    uint64_t lines = lane->p.lines; // fields are counted in again
    char names[HCBR_I_FORMAT_NAMES];
    to->count = 0;
    if (reader->frame != NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found a table in memory, expected a file of %s",
                           hcbr_i_format_names(names, true));
    if (reader->format->fields == NULL)
        return hcbr_i_fail_at(err, HCBR_EUSAGE, lane->p.file, 0, 0,
                              "found %s, which has no columns, expected %s", reader->format->name,
                              hcbr_i_format_names(names, true));
    hcbr_status st = reader->format->fields(lane, x->record, to, err);
    lane->p.lines = lines;
    return st;
}
