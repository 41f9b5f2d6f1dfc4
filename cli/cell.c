/*
 * Columns of readable text.
 *
 * Text from the data is escaped and cut to its column, so a name can neither break the table nor
 * control the terminal.
 */
#include "cell.h"

#include <stdio.h>

/* Append one escaped character of text; false: it does not fit into the columns. */
static bool cell_add_char(cell *c, const char *text, size_t length, size_t *at, size_t columns) {
    char escaped[16];
    size_t bytes, n = 0;
    hcbr_text_code(text + *at, length - *at, &bytes);
    if (out_plain(text + *at, bytes) == bytes) {
        if (c->width + 1 > columns || c->used + bytes >= sizeof c->text)
            return false;
        memcpy(c->text + c->used, text + *at, bytes);
        c->used += bytes;
        c->width++;
        *at += bytes;
        return true;
    }
    for (size_t i = 0; i < bytes; i++)
        n += put_escape(escaped + n, text[*at + i]);
    if (c->width + n > columns || c->used + n >= sizeof c->text)
        return false;
    memcpy(c->text + c->used, escaped, n);
    c->used += n;
    c->width += n;
    *at += bytes;
    return true;
}

bool cell_add(cell *c, const char *text, size_t length, size_t columns) {
    for (size_t at = 0; at < length;)
        if (!cell_add_char(c, text, length, &at, columns))
            return false;
    return true;
}

void cell_add_cut(cell *c, const char *text, size_t length, size_t columns) {
    cell before = *c;
    if (cell_add(c, text, length, columns))
        return;
    *c = before;
    cell_add(c, text, length, columns - 3);
    cell_add(c, "...", 3, columns);
}

bool cell_add_feature(cell *c, const hcbr_feature *f, size_t columns) {
    return cell_add(c, f->key, f->key_length, columns) &&
           (!f->value ||
            (cell_add(c, "=", 1, columns) && cell_add(c, f->value, f->value_length, columns)));
}

void cell_add_features(cell *c, cell_feature_fn *get, const void *context, size_t count,
                       size_t columns) {
    size_t shown = 0;
    char more[32];
    for (; shown < count; shown++) {
        hcbr_feature f = get(context, shown);
        cell before = *c;
        size_t tail = shown + 1 < count
                          ? (size_t)snprintf(more, sizeof more, " +%zu more", count - shown - 1)
                          : 0;
        if (shown > 0)
            cell_add(c, " & ", 3, columns);
        if (cell_add_feature(c, &f, columns - tail))
            continue;
        *c = before;
        if (shown > 0)
            break;
        if (!cell_add_feature(c, &f, columns - 3 - tail))
            cell_add(c, "...", 3, columns - tail);
    }
    if (shown < count)
        cell_add(c, more, (size_t)snprintf(more, sizeof more, " +%zu more", count - shown),
                 columns);
}

void put_cell(out *o, const cell *c, size_t columns, bool right) {
    size_t blanks = c->width < columns ? columns - c->width : 0;
    for (size_t i = 0; right && i < blanks; i++)
        out_byte(o, ' ');
    out_bytes(o, c->text, c->used);
    for (size_t i = 0; !right && i < blanks; i++)
        out_byte(o, ' ');
}

void put_text(out *o, const char *text, size_t length, size_t columns, bool right) {
    cell c = {.used = 0};
    cell_add_cut(&c, text, length, columns - 1);
    put_cell(o, &c, columns, right);
}

void put_count(out *o, uint64_t value, size_t columns) {
    char text[24];
    put_text(o, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)value),
             columns, true);
}

int decimals_for(double largest) {
    int decimals = 3;
    for (; largest < 1 && decimals < 8; decimals++)
        largest *= 10;
    return largest >= 1 || largest == 0 ? decimals : -1;
}

void put_number(out *o, double value, int decimals, size_t columns) {
    char text[64];
    int n = decimals < 0 ? snprintf(text, sizeof text, "%.3e", value)
                         : snprintf(text, sizeof text, "%.*f", decimals, value);
    put_text(o, text, (size_t)n, columns, true);
}
