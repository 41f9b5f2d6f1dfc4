/*
 * The members of an object of JSON as they stood there (fields.c). The object was read without a
 * mistake before, so that every loop ends in it.
 */
#include "read/json.h"

#include <hcbr/decision.h>

static const char *skip(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

/** One past a value of JSON other than a string. */
static const char *value_end(const char *at) {
    size_t depth = 0;
    bool quoted = false;
    for (;; at++) {
        if (quoted) {
            at += *at == '\\';
            quoted = *at != '"';
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (depth > 0) {
            depth -= *at == '}' || *at == ']';
            if (depth == 0)
                return at + 1;
        } else if (*at == ',' || *at == '}' || (unsigned char)*at <= ' ') {
            return at;
        }
    }
}

hcbr_status hcbr_i_json_fields(hcbr_i_parser *p, const char *at, hcbr_i_row *to, hcbr_error *err) {
    hcbr_i_text name, text;
    hcbr_field *field;
    hcbr_status st;
    for (at = skip(skip(at) + 1); *at == '"'; at = skip(at)) {
        if ((st = hcbr_i_json_string(p, &at, &name, err)) != HCBR_OK)
            return st;
        at = skip(skip(at) + 1); // the colon
        const char *first = at;
        if ((field = hcbr_i_row_add(to, name)) == NULL)
            return hcbr_i_no_memory(err);
        if (*at == '"') {
            if ((st = hcbr_i_json_string(p, &at, &text, err)) != HCBR_OK)
                return st;
        } else {
            at = value_end(at);
            text = (hcbr_i_text){first, (size_t)(at - first)};
        }
        field->json = first;
        field->json_length = (size_t)(at - first);
        if (*first != 'n') { // not null
            field->text = text.at;
            field->text_length = text.length;
        }
        at = skip(at);
        at += *at == ',';
    }
    return HCBR_OK;
}
