/*
 * Random tables: memory and file are written from the same draws. What a number is called is found
 * by trying (the fewest digits that read back), not by the library's way.
 */
#include "random_table.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *block(random_table *t, size_t size) {
    void *at = malloc(size ? size : 1);
    assert_non_null(at);
    assert_true(t->block_count < TABLE_BLOCKS);
    memset(at, 0x5A, size);
    t->blocks[t->block_count++] = at;
    return at;
}

void table_free(random_table *t) {
    while (t->block_count > 0)
        free(t->blocks[--t->block_count]);
}

/* ---- names of numbers ------------------------------------------------------------------------ */

static double table_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double size = bits & 0x3FF;
    if (exponent == 31)
        return size != 0 ? NAN : bits >> 15 ? -INFINITY : INFINITY;
    size = exponent ? ldexp(size + 1024, exponent - 25) : ldexp(size, -24);
    return bits >> 15 ? -size : size;
}

/** Is this half the nearest to a number, the even one if two are? */
static bool reads_as_half(double x, uint16_t bits) {
    if (fabs(x) >= 65520) // that is infinite
        return false;
    double own = fabs(x - table_half(bits));
    for (int step = -1; step <= 1; step += 2) {
        uint16_t beside = (uint16_t)(bits + step);
        if (((beside ^ bits) & 0x8000) || (beside >> 10 & 31) == 31)
            continue;
        double other = fabs(x - table_half(beside));
        if (other < own || (other == own && (bits & 1)))
            return false;
    }
    return true;
}

static void name_double(table_cell *cell, double value) {
    if (isnan(value)) {
        cell->missing = true;
        return;
    }
    cell->quoted = isinf(value);
    if (isinf(value)) {
        strcpy(cell->text, value < 0 ? "-inf" : "inf");
        return;
    }
    char text[HCBR_NUMBER_SIZE];
    size_t length = hcbr_number_format(text, value == 0 ? 0.0 : value);
    memcpy(cell->text, text, length + 1);
}

static bool reads_as_float(const char *text, float value) {
    return strtof(text, NULL) == value;
}

/**
 * Of the decimals with the fewest digits that read back, the nearest: tried are the nearest of all
 * and those beside it, since below a power of two numbers lie closer.
 */
static void name_short(table_cell *cell, double value, bool half, uint16_t bits) {
    for (int digits = 1; digits <= 9 && isfinite(value) && value != 0; digits++) {
        double unit = pow(10, floor(log10(fabs(value))) - digits + 1), best = NAN;
        for (int try = 0; try < 3; try++) { // the even one of two that are as near comes first
            char text[64];
            snprintf(text, sizeof text, "%.*g", digits, value);
            snprintf(text, sizeof text, "%.*g", digits,
                     strtod(text, NULL) + (try == 2 ? -1 : try) * unit);
            double x = strtod(text, NULL);
            bool back = half ? reads_as_half(x, bits) : reads_as_float(text, (float)value);
            if (back && (isnan(best) || fabs(x - value) < fabs(best - value)))
                best = x;
        }
        if (!isnan(best)) {
            name_double(cell, best);
            return;
        }
    }
    name_double(cell, value);
}

static void name_float(table_cell *cell, float value) {
    name_short(cell, (double)value, false, 0);
}

static void name_half(table_cell *cell, uint16_t bits) {
    name_short(cell, table_half(bits), true, bits);
}

/* ---- values ---------------------------------------------------------------------------------- */

static double draw_double(harness_random *r) {
    uint64_t bits = harness_next(r);
    double value;
    switch (harness_below(r, 7)) {
    case 0:
        memcpy(&value, &bits, sizeof value);
        return value;
    case 1:
        return harness_below(r, 2) ? -0.0 : 0.0;
    case 2:
        return harness_below(r, 3) ? INFINITY : -INFINITY;
    case 3:
        return NAN;
    case 4:
        return harness_below(r, 20) - 10;
    default:
        return (harness_below(r, 2001) - 1000) / 100.0;
    }
}

static const char *const words[] = {"",
                                    "red",
                                    "blue",
                                    "?",
                                    "NaN",
                                    "7",
                                    "007",
                                    "1.50",
                                    "a|b",
                                    "b|c|a",
                                    "\"q\"",
                                    "a,b",
                                    "\xC3\xA9\xC3\xA0",
                                    "line\nend",
                                    "longer than twelve bytes",
                                    "a word, and another one that is long",
                                    "true",
                                    "-0",
                                    "1e3",
                                    "12345678901234567890"};

/** A value of a type at its place, and in a file. */
static void draw_value(harness_random *r, int type, void *at, table_cell *cell, bool few) {
    uint64_t bits = harness_below(r, 2) && !few ? harness_next(r) : (uint64_t)harness_below(r, 3);
    cell->quoted = false;
    switch (type) {
    case HCBR_MEMORY_F64: {
        double value = few ? harness_below(r, 3) / 2.0 : draw_double(r);
        memcpy(at, &value, sizeof value);
        name_double(cell, value);
        return;
    }
    case HCBR_MEMORY_F32: {
        float value = few ? (float)harness_below(r, 3) / 10 : (float)draw_double(r);
        if (!few && harness_below(r, 4) == 0)
            memcpy(&value, &bits, sizeof value);
        memcpy(at, &value, sizeof value);
        name_float(cell, value);
        return;
    }
    case HCBR_MEMORY_F16: {
        uint16_t value = few ? (uint16_t)(0x2E66 + harness_below(r, 3)) : (uint16_t)harness_next(r);
        memcpy(at, &value, sizeof value);
        name_half(cell, value);
        return;
    }
#define INTEGER(TYPE, ctype, format)                                                               \
    case TYPE: {                                                                                   \
        ctype value;                                                                               \
        memcpy(&value, &bits, sizeof value);                                                       \
        memcpy(at, &value, sizeof value);                                                          \
        snprintf(cell->text, TABLE_TEXT, "%" format, value);                                       \
        return;                                                                                    \
    }
        INTEGER(HCBR_MEMORY_I8, int8_t, PRId8)
        INTEGER(HCBR_MEMORY_I16, int16_t, PRId16)
        INTEGER(HCBR_MEMORY_I32, int32_t, PRId32)
        INTEGER(HCBR_MEMORY_I64, int64_t, PRId64)
        INTEGER(HCBR_MEMORY_U8, uint8_t, PRIu8)
        INTEGER(HCBR_MEMORY_U16, uint16_t, PRIu16)
        INTEGER(HCBR_MEMORY_U32, uint32_t, PRIu32)
        INTEGER(HCBR_MEMORY_U64, uint64_t, PRIu64)
    default:
        *(unsigned char *)at = (unsigned char)(bits & 1 ? 1 + bits % 5 : 0);
        strcpy(cell->text, bits & 1 ? "true" : "false");
    }
}

static size_t width_of(int type) {
    static const size_t widths[] = {0, 8, 4, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1};
    return widths[type];
}

/* ---- columns --------------------------------------------------------------------------------- */

/** Draw which values are there. */
static void draw_validity(random_table *t, harness_random *r, hcbr_memory_column *c,
                          table_cell **cells, bool always) {
    if (always || harness_below(r, 3) == 0)
        return;
    uint8_t *bits = block(t, (size_t)(c->offset + c->length + 7) / 8);
    for (uint64_t i = 0; i < c->length; i++) {
        uint64_t bit = c->offset + i;
        bits[bit / 8] = (uint8_t)(bits[bit / 8] & ~(1u << bit % 8));
        if (harness_below(r, 5))
            bits[bit / 8] = (uint8_t)(bits[bit / 8] | 1u << bit % 8);
        else
            cells[i]->missing = true;
    }
    c->validity = bits;
}

static void draw_numbers(random_table *t, harness_random *r, hcbr_memory_column *c,
                         table_cell **cells, bool few, bool dense) {
    size_t width = width_of((int)c->type);
    size_t stride = dense || harness_below(r, 2) ? width : width + (size_t)harness_below(r, 9);
    size_t count = (size_t)(c->offset + c->length);
    unsigned char *values = block(t, count ? (count - 1) * stride + width : 0);
    for (uint64_t i = 0; i < c->length; i++)
        draw_value(r, (int)c->type, values + (size_t)(c->offset + i) * stride, cells[i], few);
    c->values = values;
    c->stride = stride == width && harness_below(r, 2) ? 0 : (int64_t)stride;
    if (c->length && !dense && harness_below(r, 4) == 0) { // backwards
        table_cell swap;
        for (uint64_t i = 0; i < c->length / 2; i++) {
            swap = *cells[i];
            *cells[i] = *cells[c->length - 1 - i];
            *cells[c->length - 1 - i] = swap;
        }
        c->values = values + (count - 1) * stride + (c->offset * stride);
        c->stride = -(int64_t)stride;
    }
}

static void draw_bits(random_table *t, harness_random *r, hcbr_memory_column *c,
                      table_cell **cells) {
    uint8_t *bits = block(t, (size_t)(c->offset + c->length + 7) / 8);
    for (uint64_t i = 0; i < c->length; i++) {
        uint64_t bit = c->offset + i;
        unsigned set = (unsigned)harness_below(r, 2);
        bits[bit / 8] = (uint8_t)((bits[bit / 8] & ~(1u << bit % 8)) | set << bit % 8);
        strcpy(cells[i]->text, set ? "true" : "false");
    }
    c->values = bits;
}

static const char *draw_text(harness_random *r, bool few) {
    return few ? words[1 + harness_below(r, 2)]
               : words[harness_below(r, (int)(sizeof words / sizeof *words))];
}

static void draw_texts(random_table *t, harness_random *r, hcbr_memory_column *c,
                       table_cell **cells, bool few) {
    bool large = c->type == HCBR_MEMORY_LARGE_UTF8;
    size_t count = (size_t)(c->offset + c->length + 1), size = (size_t)harness_below(r, 5);
    unsigned char *offsets = block(t, count * (large ? 8 : 4));
    size_t used = size;
    for (uint64_t i = 0; i < c->length; i++) {
        strcpy(cells[i]->text, draw_text(r, few));
        cells[i]->quoted = true;
        used += strlen(cells[i]->text);
    }
    char *text = block(t, used);
    for (uint64_t i = 0; i <= c->length; i++) {
        int64_t wide = (int64_t)size;
        int32_t small = (int32_t)size;
        unsigned char *at = offsets + (size_t)(c->offset + i) * (large ? 8 : 4);
        memcpy(at, large ? (const void *)&wide : (const void *)&small, large ? 8 : 4);
        if (i == c->length)
            break;
        memcpy(text + size, cells[i]->text, strlen(cells[i]->text));
        size += strlen(cells[i]->text);
    }
    c->values = offsets;
    c->text = text;
    c->text_size = used;
}

static void draw_views(random_table *t, harness_random *r, hcbr_memory_column *c,
                       table_cell **cells, bool few) {
    enum { BUFFERS = 3 };
    unsigned char *views = block(t, (size_t)(c->offset + c->length) * 16);
    const void **buffers = block(t, BUFFERS * sizeof *buffers);
    int64_t *sizes = block(t, BUFFERS * sizeof *sizes);
    char *bytes[BUFFERS] = {NULL};
    for (int b = 0; b < BUFFERS; b++)
        sizes[b] = 0;
    for (int pass = 0; pass < 2; pass++) {
        int64_t used[BUFFERS] = {0};
        for (uint64_t i = 0; i < c->length; i++) {
            unsigned char *view = views + (size_t)(c->offset + i) * 16;
            if (pass == 0)
                strcpy(cells[i]->text, draw_text(r, few));
            cells[i]->quoted = true;
            int32_t length = (int32_t)strlen(cells[i]->text), b = (int32_t)(i % BUFFERS);
            int32_t offset = (int32_t)used[b];
            memcpy(view, &length, 4);
            if (length <= 12) {
                memcpy(view + 4, cells[i]->text, (size_t)length);
                continue;
            }
            memcpy(view + 4, cells[i]->text, 4);
            memcpy(view + 8, &b, 4);
            memcpy(view + 12, &offset, 4);
            if (pass == 1)
                memcpy(bytes[b] + offset, cells[i]->text, (size_t)length);
            used[b] += length;
        }
        for (int b = 0; b < BUFFERS && pass == 0; b++) {
            sizes[b] = used[b];
            buffers[b] = bytes[b] = block(t, (size_t)used[b]);
        }
    }
    c->values = views;
    c->buffers = buffers;
    c->buffer_sizes = sizes;
    c->buffer_count = BUFFERS;
}

/** A column without lists and dictionary. */
static void draw_simple(random_table *t, harness_random *r, hcbr_memory_column *c,
                        table_cell **cells, uint64_t length, bool few, bool arrow) {
    *c = (hcbr_memory_column){
        .size = sizeof *c, .length = length, .offset = (uint64_t)harness_below(r, 9)};
    do
        c->type = (hcbr_memory_type)(1 + harness_below(r, HCBR_MEMORY_UTF8_VIEW));
    while (arrow && c->type == HCBR_MEMORY_BOOL);
    if (c->type <= HCBR_MEMORY_BOOL)
        draw_numbers(t, r, c, cells, few, arrow);
    else if (c->type == HCBR_MEMORY_BITS)
        draw_bits(t, r, c, cells);
    else if (c->type == HCBR_MEMORY_UTF8_VIEW)
        draw_views(t, r, c, cells, few);
    else
        draw_texts(t, r, c, cells, few);
    draw_validity(t, r, c, cells, few);
}

/** Indices of a dictionary, whose values are drawn. */
static void draw_coded(random_table *t, harness_random *r, hcbr_memory_column *c,
                       hcbr_memory_column *dictionary, table_cell **cells, uint64_t length,
                       bool few, bool arrow) {
    enum { VALUES = 5 };
    table_cell values[VALUES] = {{false}}, *all[VALUES];
    for (int i = 0; i < VALUES; i++)
        all[i] = &values[i];
    draw_simple(t, r, dictionary, all, VALUES, few, arrow);
    *c = (hcbr_memory_column){.size = sizeof *c,
                              .length = length,
                              .offset = (uint64_t)harness_below(r, 3),
                              .type = (hcbr_memory_type)(HCBR_MEMORY_I8 + harness_below(r, 8)),
                              .dictionary = dictionary};
    size_t width = width_of((int)c->type);
    unsigned char *at = block(t, (size_t)(c->offset + length) * width);
    for (uint64_t i = 0; i < length; i++) {
        uint64_t index = (uint64_t)harness_below(r, VALUES);
        memcpy(at + (size_t)(c->offset + i) * width, &index, width);
        *cells[i] = values[index];
    }
    c->values = at;
    draw_validity(t, r, c, cells, few);
}

static void draw_list(random_table *t, harness_random *r, table_column *to, hcbr_memory_column *c,
                      bool arrow) {
    table_cell *cells[TABLE_ROWS * TABLE_ITEMS];
    bool large = harness_below(r, 2);
    size_t width = large ? 8 : 4, items = 0;
    *c = (hcbr_memory_column){.size = sizeof *c,
                              .type = large ? HCBR_MEMORY_LARGE_LIST : HCBR_MEMORY_LIST,
                              .length = (uint64_t)t->rows,
                              .offset = (uint64_t)harness_below(r, 4),
                              .items = &to->items};
    unsigned char *offsets = block(t, ((size_t)c->offset + c->length + 1) * width);
    for (int i = 0; i <= t->rows; i++) {
        int64_t wide = (int64_t)items;
        int32_t small = (int32_t)items;
        memcpy(offsets + ((size_t)c->offset + (size_t)i) * width,
               large ? (const void *)&wide : (const void *)&small, width);
        if (i == t->rows)
            break;
        to->count[i] = harness_below(r, TABLE_ITEMS + 1);
        for (int k = 0; k < to->count[i]; k++)
            cells[items++] = &to->cells[i][k];
    }
    c->values = offsets;
    if (harness_below(r, 3) == 0)
        draw_coded(t, r, &to->items, &to->dictionary, cells, items, false, arrow);
    else
        draw_simple(t, r, &to->items, cells, items, false, arrow);
    table_cell whole[TABLE_ROWS] = {{false}}, *rows[TABLE_ROWS];
    for (int i = 0; i < t->rows; i++)
        rows[i] = &whole[i];
    draw_validity(t, r, c, rows, false);
    for (int i = 0; i < t->rows; i++)
        if (whole[i].missing)
            to->count[i] = 0;
    to->list = true;
}

void table_draw(random_table *t, harness_random *r, bool jsonl, bool arrow) {
    static const char *const names[] = {"", "x", "a longer name than 14", "\xC3\xA9t\xC3\xA9"};
    memset(t, 0, sizeof *t);
    t->rows = 2 + harness_below(r, TABLE_ROWS - 1);
    t->count = 2 + harness_below(r, TABLE_COLUMNS - 1);
    t->jsonl = jsonl;
    for (int c = 0; c < t->count; c++) {
        table_column *to = &t->columns[c];
        hcbr_memory_column *described = &t->described[c];
        table_cell *cells[TABLE_ROWS];
        for (int i = 0; i < t->rows; i++)
            cells[i] = &to->cells[i][0];
        snprintf(to->name, sizeof to->name, "%s%d", names[harness_below(r, 4)], c);
        if (c == 0)
            strcpy(to->name, harness_below(r, 2) ? "label" : "y");
        if (c > 0 && jsonl && harness_below(r, 4) == 0)
            draw_list(t, r, to, described, arrow);
        else if (harness_below(r, 4) == 0)
            draw_coded(t, r, described, &to->dictionary, cells, (uint64_t)t->rows, c == 0, arrow);
        else
            draw_simple(t, r, described, cells, (uint64_t)t->rows, c == 0, arrow);
        described->name = to->name;
    }
}
