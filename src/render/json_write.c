/*
 * JSON, written item by item. Quotes, backslashes and terminal control characters are escaped,
 * everything else is unchanged.
 *
 * Invariant: a comma is between two items and nowhere else, at any nesting.
 */
#include "render/html.h"
#include "render/items.h"

#include <stdio.h>

/* The escape of a character: \n, \t or \uNNNN, two of them beyond U+FFFF. Invalid UTF-8, as in a
 * file's name, becomes U+FFFD. Returns the bytes read. */
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

/* Bytes of the character at text if it needs no escape; else 0. */
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
            i++; // the character itself is written with the following ones
        } else {
            i += escape_char(w, text + i, length - i);
            from = i;
        }
    }
    hcbr_i_put(w, text + from, length - from);
}

static void put_text(hcbr_writer *w, const char *text, size_t length) {
    if (!text) {
        hcbr_i_put(w, "null", 4);
        return;
    }
    hcbr_i_put_byte(w, '"');
    hcbr_i_json_escape(w, text, length == SIZE_MAX ? strlen(text) : length);
    hcbr_i_put_byte(w, '"');
}

static void put_key(hcbr_writer *w, const char *key) {
    size_t length = strlen(key);
    assert(hcbr_text_plain(key, length) == length && !strpbrk(key, "\"\\"));
    hcbr_i_put_byte(w, '"');
    hcbr_i_put(w, key, length);
    hcbr_i_put(w, "\":", 2);
}

static void put_number(hcbr_writer *w, double value) {
    char text[HCBR_NUMBER_SIZE];
    if (value - value == 0)
        hcbr_i_put(w, text, hcbr_number_format(text, value));
    else // infinite or NaN: not a number of JSON
        hcbr_i_put(w, "null", 4);
}

static void put_hidden(hcbr_writer *w) {
    put_text(w, hcbr_word_get(HCBR_WORD_HIDDEN_VALUE), SIZE_MAX);
}

static void put_feature(hcbr_writer *w, const hcbr_feature *feature) {
    if (!feature->key) {
        hcbr_i_put(w, "null", 4);
        return;
    }
    if (hcbr_page_hides(&w->page.options, feature)) {
        put_hidden(w);
        return;
    }
    hcbr_i_put_byte(w, '"');
    hcbr_i_json_escape(w, feature->key, feature->key_length);
    if (feature->value) {
        hcbr_i_put_byte(w, '=');
        hcbr_i_json_escape(w, feature->value, feature->value_length);
    }
    hcbr_i_put_byte(w, '"');
}

static void put_features(hcbr_writer *w, const hcbr_feature *features, uint64_t count) {
    hcbr_i_put_byte(w, '[');
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            hcbr_i_put_byte(w, ',');
        put_feature(w, &features[i]);
    }
    hcbr_i_put_byte(w, ']');
}

static void put_by_label(hcbr_writer *w, const hcbr_item *x) {
    const double *values = x->at;
    if (!values) {
        hcbr_i_put(w, "null", 4);
        return;
    }
    hcbr_i_put_byte(w, '{');
    for (uint64_t l = 0; l < x->whole; l++) {
        size_t length;
        const char *name = hcbr_model_get_label(x->model, (hcbr_label)l, &length);
        if (l > 0)
            hcbr_i_put_byte(w, ',');
        put_text(w, name, length);
        hcbr_i_put_byte(w, ':');
        put_number(w, values[l]);
    }
    hcbr_i_put_byte(w, '}');
}

static void put_kind(hcbr_writer *w, const hcbr_kind *kind) {
    if (HCBR_I_UNSIZED(NULL, kind)) {
        hcbr_i_put(w, "null", 4);
        return;
    }
    w->comma = false;
    PUT(w, OPEN(NULL, '{'), TEXT("name", kind->name, kind->name_length), STRING("kind", kind->kind),
        STRING("becomes", kind->becomes), STRING("why", kind->why), BOOL("given", kind->given),
        BOOL("shared", kind->shared), U64("values", kind->values), U64("missing", kind->missing),
        U64("odd", kind->odd), CLOSE('}'));
}

/* A value. Returns whether a comma comes before the next item. */
static bool put_value(hcbr_writer *w, const hcbr_item *x) {
    switch (x->kind) {
    case HCBR_ITEM_KEY:
        put_text(w, x->at, (size_t)x->whole);
        hcbr_i_put_byte(w, ':');
        return false;
    case HCBR_ITEM_OPEN:
        hcbr_i_put_byte(w, (char)x->whole);
        return false;
    case HCBR_ITEM_CLOSE:
        hcbr_i_put_byte(w, (char)x->whole);
        break;
    case HCBR_ITEM_BOOL:
        hcbr_i_put_string(w, x->whole ? "true" : "false");
        break;
    case HCBR_ITEM_WHOLE:
        hcbr_i_put_u64(w, x->whole);
        break;
    case HCBR_ITEM_NUMBER:
        put_number(w, x->number);
        break;
    case HCBR_ITEM_FEATURE:
        put_feature(w, x->at);
        break;
    case HCBR_ITEM_FEATURES:
        put_features(w, x->at, x->whole);
        break;
    case HCBR_ITEM_BY_LABEL:
        put_by_label(w, x);
        break;
    case HCBR_ITEM_COLUMN:
        if (hcbr_i_page_hides(w, x->at, (size_t)x->whole))
            put_hidden(w);
        else
            put_text(w, x->at, (size_t)x->whole);
        break;
    case HCBR_ITEM_ID:
        put_text(w, hcbr_i_page_hides_id(w, x->model) ? NULL : x->at, (size_t)x->whole);
        break;
    case HCBR_ITEM_KIND:
        put_kind(w, x->at);
        break;
    case HCBR_ITEM_TEXT:
        put_text(w, x->at, (size_t)x->whole);
        break;
    default: // of no meaning
        hcbr_i_put(w, "null", 4);
    }
    return true;
}

void hcbr_json_put(hcbr_writer *w, const hcbr_item *items, size_t count) {
    for (size_t n = 0; n < count; n++) {
        const hcbr_item *x = &items[n];
        if (w->comma && x->kind != HCBR_ITEM_CLOSE)
            hcbr_i_put_byte(w, ',');
        if (x->key)
            put_key(w, x->key);
        w->comma = put_value(w, x);
    }
}

hcbr_item hcbr_i_item_label(const char *key, const hcbr_model *model, hcbr_label label) {
    size_t length = 0;
    const char *name = label < 0 ? NULL : hcbr_model_get_label(model, label, &length);
    return hcbr_item_text(key, name, length);
}

hcbr_item hcbr_i_item_label_key(const hcbr_model *model, hcbr_label label) {
    size_t length;
    const char *name = hcbr_model_get_label(model, label, &length);
    return hcbr_item_key(name, length);
}

void hcbr_i_json_close_line(hcbr_writer *w) {
    PUT(w, CLOSE('}'));
    hcbr_i_put_byte(w, '\n');
    w->comma = false;
}
