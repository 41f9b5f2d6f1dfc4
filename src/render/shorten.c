/*
 * Text from the data, escaped and cut to a width: a name can neither break a line nor control the
 * terminal or page.
 */
#include "render/render.h"

#include <stdio.h>

/* The remaining columns, 0 if there are fewer. */
static size_t left_of(size_t columns, size_t taken) {
    return columns > taken ? columns - taken : 0;
}

/* Append one escaped character of text; false: it does not fit into the columns. */
static inline bool add_char(hcbr_cell *c, const char *text, size_t length, size_t *at,
                            size_t columns) {
    char escaped[16];
    size_t bytes, n = 0;
    if ((unsigned char)text[*at] - 0x20u < 0x5F && text[*at] != '\\') { // most of them
        if (c->width + 1 > columns || c->used + 1 >= sizeof c->text)
            return false;
        c->text[c->used++] = text[(*at)++];
        c->width++;
        return true;
    }
    hcbr_text_code(text + *at, length - *at, &bytes);
    if (text[*at] != '\\' && hcbr_text_plain(text + *at, bytes) == bytes) {
        if (c->width + 1 > columns || c->used + bytes >= sizeof c->text)
            return false;
        memcpy(c->text + c->used, text + *at, bytes);
        c->used += bytes;
        c->width++;
        *at += bytes;
        return true;
    }
    for (size_t i = 0; i < bytes; i++)
        n += hcbr_text_escape(escaped + n, text[*at + i]);
    if (c->width + n > columns || c->used + n >= sizeof c->text)
        return false;
    memcpy(c->text + c->used, escaped, n);
    c->used += n;
    c->width += n;
    *at += bytes;
    return true;
}

int hcbr_cell_add(hcbr_cell *c, const char *text, size_t length, size_t columns) {
    for (size_t at = 0; at < length;)
        if (!add_char(c, text, length, &at, columns))
            return false;
    return true;
}

void hcbr_cell_add_cut(hcbr_cell *c, const char *text, size_t length, size_t columns) {
    const size_t used = c->used, width = c->width;
    if (hcbr_cell_add(c, text, length, columns))
        return;
    c->used = used;
    c->width = width;
    hcbr_cell_add(c, text, length, left_of(columns, 3));
    hcbr_cell_add(c, "...", 3, columns);
}

static bool add_feature(hcbr_cell *c, const hcbr_feature *feature, size_t columns) {
    return hcbr_cell_add(c, feature->key, feature->key_length, columns) &&
           (!feature->value || (hcbr_cell_add(c, "=", 1, columns) &&
                                hcbr_cell_add(c, feature->value, feature->value_length, columns)));
}

void hcbr_cell_add_features(hcbr_cell *c, hcbr_feature_fn *get, const void *context, size_t count,
                            size_t columns) {
    size_t shown = 0;
    char more[32];
    for (; shown < count; shown++) {
        hcbr_feature f = get(context, shown);
        const size_t used = c->used, width = c->width;
        size_t tail = shown + 1 < count
                          ? (size_t)snprintf(more, sizeof more, " +%zu more", count - shown - 1)
                          : 0;
        if (shown > 0)
            hcbr_cell_add(c, " & ", 3, columns);
        if (add_feature(c, &f, left_of(columns, tail)))
            continue;
        c->used = used;
        c->width = width;
        if (shown > 0)
            break;
        if (!add_feature(c, &f, left_of(columns, tail + 3)))
            hcbr_cell_add(c, "...", 3, left_of(columns, tail));
    }
    if (shown < count)
        hcbr_cell_add(c, more, (size_t)snprintf(more, sizeof more, " +%zu more", count - shown),
                      columns);
}
