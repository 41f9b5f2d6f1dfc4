/*
 * Fields of csv and tsv, by RFC 4180: a field that could end too early is put in quotes.
 */
#include "field.h"

void put_quoted(out *o, const char *text, size_t length) {
    out_byte(o, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            out_byte(o, '"');
        out_byte(o, text[i]);
    }
    out_byte(o, '"');
}

void put_field(out *o, char delimiter, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == delimiter || text[i] == '"' || text[i] == '\n' || text[i] == '\r') {
            put_quoted(o, text, length);
            return;
        }
    out_bytes(o, text, length);
}
