/*
 * JSON, written item by item. Quotes, backslashes and characters that would control a terminal are
 * escaped; everything else is written as it is.
 */
#include "json_write.h"

#include <hcbr/text.h>

#include <stdio.h>

static void item(json *j) {
    if (j->comma)
        out_byte(j->to, ',');
    j->comma = true;
}

void json_open(json *j, char bracket) {
    item(j);
    out_byte(j->to, bracket);
    j->comma = false;
}

void json_close(json *j, char bracket) {
    out_byte(j->to, bracket);
    j->comma = true;
}

/* A character that is not shown as it is: \n, \t or \uNNNN, two of them beyond U+FFFF. Invalid
 * UTF-8, as in the name of a file, becomes U+FFFD. Returns its bytes. */
static size_t escape_char(out *o, const char *text, size_t length) {
    size_t used;
    int32_t code = hcbr_text_code(text, length, &used);
    char both[16];
    int n = code == '\n' || code == '\t' ? snprintf(both, sizeof both, code == '\n' ? "\\n" : "\\t")
            : code < 0                   ? snprintf(both, sizeof both, "\\ufffd")
            : code < 0x10000             ? snprintf(both, sizeof both, "\\u%04x", (unsigned)code)
                                         : snprintf(both, sizeof both, "\\u%04x\\u%04x",
                                                    0xD800u + (((unsigned)code - 0x10000) >> 10),
                                                    0xDC00u + ((unsigned)code & 0x3FF));
    out_bytes(o, both, (size_t)n);
    return used;
}

/* Bytes of the character at text if it may be written as it is, else 0. */
static size_t plain_char(const char *text, size_t length) {
    size_t used;
    hcbr_text_code(text, length, &used);
    return hcbr_text_plain(text, used) == used ? used : 0;
}

static void escape(out *o, const char *text, size_t length) {
    size_t from = 0, i = 0;
    while (i < length) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            i++;
            continue;
        }
        size_t plain = c < 0x80 ? 0 : plain_char(text + i, length - i);
        if (plain) {
            i += plain;
            continue;
        }
        out_bytes(o, text + from, i - from);
        from = i;
        if (c == '"' || c == '\\') {
            out_byte(o, '\\');
            i++; // itself is written with what follows
        } else {
            i += escape_char(o, text + i, length - i);
            from = i;
        }
    }
    out_bytes(o, text + from, length - from);
}

void json_text(json *j, const char *text, size_t length) {
    item(j);
    out_byte(j->to, '"');
    escape(j->to, text, length);
    out_byte(j->to, '"');
}

void json_key_text(json *j, const char *name, size_t length) {
    json_text(j, name, length);
    out_byte(j->to, ':');
    j->comma = false;
}

void json_key(json *j, const char *name) {
    json_key_text(j, name, strlen(name));
}

void json_string(json *j, const char *text) {
    if (text)
        json_text(j, text, strlen(text));
    else
        json_null(j);
}

void json_u64(json *j, uint64_t value) {
    item(j);
    out_u64(j->to, value);
}

void json_number(json *j, double value) {
    item(j);
    out_number(j->to, value);
}

void json_bool(json *j, bool value) {
    item(j);
    out_string(j->to, value ? "true" : "false");
}

void json_null(json *j) {
    item(j);
    out_bytes(j->to, "null", 4);
}

void json_feature(json *j, const char *key, size_t key_length, const char *value,
                  size_t value_length) {
    item(j);
    out_byte(j->to, '"');
    escape(j->to, key, key_length);
    if (value) {
        out_byte(j->to, '=');
        escape(j->to, value, value_length);
    }
    out_byte(j->to, '"');
}

void json_feature_list(json *j, const hcbr_feature *features, size_t count) {
    json_open(j, '[');
    for (size_t i = 0; i < count; i++)
        json_feature(j, features[i].key, features[i].key_length, features[i].value,
                     features[i].value_length);
    json_close(j, ']');
}

void json_row(json *j) {
    json_close(j, '}');
    out_row(j->to);
    j->comma = false;
}
