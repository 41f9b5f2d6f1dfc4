/*
 * Columns of readable text. Text from the data is cut to its column.
 */
#include "cell.h"

#include <stdio.h>

void put_cell(out *o, const hcbr_cell *c, size_t columns, bool right) {
    size_t blanks = c->width < columns ? columns - c->width : 0;
    for (size_t i = 0; right && i < blanks; i++)
        out_byte(o, ' ');
    out_bytes(o, c->text, c->used);
    for (size_t i = 0; !right && i < blanks; i++)
        out_byte(o, ' ');
}

void put_text(out *o, const char *text, size_t length, size_t columns, bool right) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_cut(&c, text, length, columns - 1);
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
