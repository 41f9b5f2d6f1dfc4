/*
 * JSON, written as it comes. All text is UTF-8 that the library has checked; control characters,
 * quotes and backslashes are escaped, everything else stands as it is.
 */
#include "json_write.h"

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

static void escape(out *o, const char *text, size_t length) {
    static const char HEX[] = "0123456789abcdef";
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && c != 0xEF)
            continue;
        bool mark = length - i > 2 && memcmp(text + i, "\xEF\xBB\xBF", 3) == 0;
        if (c == 0xEF && !mark)
            continue;
        out_bytes(o, text + from, i - from);
        from = i + 1;
        if (mark) { // as it is, it may stand at the beginning of a file only
            out_string(o, "\\ufeff");
            i += 2;
            from = i + 1;
        } else if (c == '"' || c == '\\') {
            out_byte(o, '\\');
            out_byte(o, (char)c);
        } else if (c == '\n' || c == '\t') {
            out_bytes(o, c == '\n' ? "\\n" : "\\t", 2);
        } else {
            out_bytes(o, "\\u00", 4);
            out_byte(o, HEX[c >> 4]);
            out_byte(o, HEX[c & 15]);
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
