/*
 * Columns of readable text. Text from the data is cut to its column.
 */
#include "cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_blanks(out *o, size_t count) {
    static const char blanks[] = "                                                                ";
    for (; count >= sizeof blanks; count -= sizeof blanks - 1)
        out_bytes(o, blanks, sizeof blanks - 1);
    out_bytes(o, blanks, count);
}

void put_cell(out *o, const hcbr_cell *c, size_t columns, bool right) {
    const size_t blanks = c->width < columns ? columns - c->width : 0;
    put_blanks(o, right ? blanks : 0);
    out_bytes(o, c->text, c->used);
    put_blanks(o, right ? 0 : blanks);
}

void put_text(out *o, const char *text, size_t length, size_t columns, bool right) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_cut(&c, text, length, columns - 1);
    put_cell(o, &c, columns, right);
}

bool cell_add_shown(hcbr_cell *c, const hcbr_model *model, const hcbr_feature *feature,
                    size_t columns) {
    char room[HCBR_SHOWN_SIZE];
    const hcbr_feature f = hcbr_shown_feature(model, feature, room);
    return hcbr_cell_add(c, f.key, f.key_length, columns) &&
           (!f.value || (hcbr_cell_add(c, "=", 1, columns) &&
                         hcbr_cell_add(c, f.value, f.value_length, columns)));
}

void cell_add_stated(hcbr_cell *c, const char *source, double weight, size_t columns) {
    const char *stated = hcbr_word_get(HCBR_WORD_STATED_BY);
    const char *form = hcbr_word_get(HCBR_WORD_STATED_WEIGHT), *mark = strstr(form, "{0}");
    char number[HCBR_NUMBER_SIZE], behind[HCBR_NUMBER_SIZE + 32];
    const int digits = (int)hcbr_number_format(number, weight);
    const size_t length = (size_t)snprintf(behind, sizeof behind, "%.*s%.*s%s", (int)(mark - form),
                                           form, digits, number, mark + 3);
    hcbr_cell_add(c, stated, strlen(stated), columns);
    hcbr_cell_add_cut(c, source, strlen(source), columns > length ? columns - length : 0);
    hcbr_cell_add(c, behind, length, columns);
}

void put_count(out *o, uint64_t value, size_t columns) {
    char text[24];
    put_text(o, text, (size_t)(put_u64(text, value) - text), columns, true);
}

int decimals_for(double largest) {
    int decimals = 3;
    for (; largest < 1 && decimals < 8; decimals++)
        largest *= 10;
    return largest >= 1 || largest == 0 ? decimals : -1;
}

/* `%.*f` or `%+.*f`, to the byte. A product of a double and a power of ten is exact as a rounded
 * one and its rounding error, so the digit after the last can be judged as printf does. */
static size_t say_fixed(char text[64], double value, int decimals, bool sign) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    const double absolute = fabs(value);
    if (!(absolute < 1e9) || decimals < 1 || decimals > 8)
        return (size_t)snprintf(text, 64, sign ? "%+.*f" : "%.*f", decimals, value);
    uint64_t whole = (uint64_t)absolute;
    const double fraction = absolute - (double)whole, product = fraction * powers[decimals];
    const double lost = fma(fraction, powers[decimals], -product);
    uint64_t digits = (uint64_t)product;
    const double beyond = product - (double)digits - 0.5;
    if (beyond > 0 || (beyond == 0 && (lost > 0 || (lost == 0 && digits % 2))))
        digits++;
    if (digits == (uint64_t)powers[decimals]) {
        digits = 0;
        whole++;
    }
    char room[24];
    size_t at = sizeof room, length = 0;
    for (int d = 0; d < decimals; d++, digits /= 10)
        room[--at] = (char)('0' + digits % 10);
    room[--at] = '.';
    do
        room[--at] = (char)('0' + whole % 10);
    while (whole /= 10);
    if (signbit(value) || sign)
        text[length++] = signbit(value) ? '-' : '+';
    memcpy(text + length, room + at, sizeof room - at);
    return length + sizeof room - at;
}

static void put_with_sign(out *o, double value, int decimals, size_t columns, bool sign) {
    char text[64];
    size_t length = decimals < 0
                        ? (size_t)snprintf(text, sizeof text, sign ? "%+.3e" : "%.3e", value)
                        : say_fixed(text, value, decimals, sign);
    put_text(o, text, length, columns, true);
}

void put_number(out *o, double value, int decimals, size_t columns) {
    put_with_sign(o, value, decimals, columns, false);
}

void put_signed(out *o, double value, int decimals, size_t columns) {
    put_with_sign(o, value, decimals, columns, true);
}
