/*
 * JSON, written as it comes. Quotes, backslashes and what would control a terminal are escaped,
 * everything else stands as it is.
 *
 * Invariant: a comma stands between two items and nowhere else, whatever the nesting.
 */
#include "render/html.h"

#include <stdio.h>

static void item(hcbr_writer *w) {
    if (w->comma)
        hcbr_i_put_byte(w, ',');
    w->comma = true;
}

void hcbr_json_open(hcbr_writer *w, char bracket) {
    item(w);
    hcbr_i_put_byte(w, bracket);
    w->comma = false;
}

void hcbr_json_close(hcbr_writer *w, char bracket) {
    hcbr_i_put_byte(w, bracket);
    w->comma = true;
}

/* A character that is not shown as it is: \n, \t or \uNNNN, two of them beyond U+FFFF. What is no
 * UTF-8, as a file's name may be, becomes U+FFFD. Returns its bytes. */
static size_t escape_char(hcbr_writer *w, const char *text, size_t length) {
    size_t used;
    int32_t code = hcbr_text_code(text, length, &used);
    char both[16];
    int n = code == '\n' || code == '\t' ? snprintf(both, sizeof both, code == '\n' ? "\\n" : "\\t")
            : code < 0                   ? snprintf(both, sizeof both, "\\ufffd")
            : code < 0x10000             ? snprintf(both, sizeof both, "\\u%04x", (unsigned)code)
                                         : snprintf(both, sizeof both, "\\u%04x\\u%04x",
                                                    0xD800u + (((unsigned)code - 0x10000) >> 10),
                                                    0xDC00u + ((unsigned)code & 0x3FF));
    hcbr_i_put(w, both, (size_t)n);
    return used;
}

/* Bytes of the character at text that may stand as it is; 0: it may not. */
static size_t plain_char(const char *text, size_t length) {
    size_t used;
    hcbr_text_code(text, length, &used);
    return hcbr_text_plain(text, used) == used ? used : 0;
}

void hcbr_i_json_escape(hcbr_writer *w, const char *text, size_t length) {
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
        hcbr_i_put(w, text + from, i - from);
        from = i;
        if (c == '"' || c == '\\') {
            hcbr_i_put_byte(w, '\\');
            i++; // itself is written with what follows
        } else {
            i += escape_char(w, text + i, length - i);
            from = i;
        }
    }
    hcbr_i_put(w, text + from, length - from);
}

void hcbr_json_text(hcbr_writer *w, const char *text, size_t length) {
    if (!text) {
        hcbr_json_null(w);
        return;
    }
    item(w);
    hcbr_i_put_byte(w, '"');
    hcbr_i_json_escape(w, text, length);
    hcbr_i_put_byte(w, '"');
}

void hcbr_json_key_text(hcbr_writer *w, const char *name, size_t length) {
    hcbr_json_text(w, name, length);
    hcbr_i_put_byte(w, ':');
    w->comma = false;
}

void hcbr_json_key(hcbr_writer *w, const char *name) {
    size_t length = strlen(name);
    assert(hcbr_text_plain(name, length) == length && !strpbrk(name, "\"\\"));
    item(w);
    hcbr_i_put_byte(w, '"');
    hcbr_i_put(w, name, length);
    hcbr_i_put(w, "\":", 2);
    w->comma = false;
}

void hcbr_json_string(hcbr_writer *w, const char *text) {
    hcbr_json_text(w, text, text ? strlen(text) : 0);
}

void hcbr_json_u64(hcbr_writer *w, uint64_t value) {
    item(w);
    hcbr_i_put_u64(w, value);
}

void hcbr_json_number(hcbr_writer *w, double value) {
    char text[HCBR_NUMBER_SIZE];
    item(w);
    if (value - value == 0)
        hcbr_i_put(w, text, hcbr_number_format(text, value));
    else // infinite or none: JSON has no word for it
        hcbr_i_put(w, "null", 4);
}

void hcbr_json_bool(hcbr_writer *w, int value) {
    item(w);
    hcbr_i_put_string(w, value ? "true" : "false");
}

void hcbr_json_null(hcbr_writer *w) {
    item(w);
    hcbr_i_put(w, "null", 4);
}

void hcbr_json_feature(hcbr_writer *w, const hcbr_feature *feature) {
    if (!feature->key) {
        hcbr_json_null(w);
        return;
    }
    if (hcbr_page_hides(&w->page.options, feature)) {
        hcbr_json_string(w, hcbr_word_get(HCBR_WORD_HIDDEN_VALUE));
        return;
    }
    item(w);
    hcbr_i_put_byte(w, '"');
    hcbr_i_json_escape(w, feature->key, feature->key_length);
    if (feature->value) {
        hcbr_i_put_byte(w, '=');
        hcbr_i_json_escape(w, feature->value, feature->value_length);
    }
    hcbr_i_put_byte(w, '"');
}

void hcbr_i_json_column(hcbr_writer *w, const char *name, size_t length) {
    if (hcbr_i_page_hides(w, name, length))
        hcbr_json_string(w, hcbr_word_get(HCBR_WORD_HIDDEN_VALUE));
    else
        hcbr_json_text(w, name, length);
}

void hcbr_i_json_id(hcbr_writer *w, const hcbr_model *model, const char *id, size_t length) {
    hcbr_json_text(w, hcbr_i_page_hides_id(w, model) ? NULL : id, length);
}

void hcbr_json_features(hcbr_writer *w, const hcbr_feature *features, size_t count) {
    hcbr_json_open(w, '[');
    for (size_t i = 0; i < count; i++)
        hcbr_json_feature(w, &features[i]);
    hcbr_json_close(w, ']');
}

void hcbr_json_kind(hcbr_writer *w, const hcbr_kind *kind) {
    if (HCBR_I_UNSIZED(NULL, kind))
        return;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "name"), hcbr_json_text(w, kind->name, kind->name_length);
    hcbr_json_key(w, "kind"), hcbr_json_string(w, kind->kind);
    hcbr_json_key(w, "becomes"), hcbr_json_string(w, kind->becomes);
    hcbr_json_key(w, "why"), hcbr_json_string(w, kind->why);
    hcbr_json_key(w, "given"), hcbr_json_bool(w, kind->given);
    hcbr_json_key(w, "shared"), hcbr_json_bool(w, kind->shared);
    hcbr_json_key(w, "values"), hcbr_json_u64(w, kind->values);
    hcbr_json_key(w, "missing"), hcbr_json_u64(w, kind->missing);
    hcbr_json_key(w, "odd"), hcbr_json_u64(w, kind->odd);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_close_line(hcbr_writer *w) {
    hcbr_json_close(w, '}');
    hcbr_i_put_byte(w, '\n');
    w->comma = false;
}
