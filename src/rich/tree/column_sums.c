/*
 * Sums by code of all columns at once, for nodes of the tree grower that try all of them.
 *
 * Codes are stored row by row here, so that one pass over the cases of a node reads each once. Of
 * the two parts of a node the smaller is added up; the sums of the larger one are the difference,
 * exactly, since sums are whole numbers. So the tests found are those of column_splits.c, which
 * computes sums itself in nodes too small for this.
 */
#include "rich/tree/tree_grower.h"

#define AHEAD 16u /* cases that are fetched in advance */

bool hcbr_i_rich_table_lay(hcbr_i_rich_table *t) {
    size_t cells = 0;
    t->stride = (t->columns + 7) / 8 * 8;
    if (__builtin_mul_overflow((size_t)t->rows, (size_t)t->stride, &cells))
        return false;
    t->records = hcbr_i_alloc(cells, 1);
    t->bins = hcbr_i_alloc((size_t)t->columns + 1, sizeof *t->bins);
    if (!t->records || !t->bins)
        return false;
    memset(t->records, 0, cells);
    t->bins[0] = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        const uint8_t *code = t->codes + (size_t)c * t->rows;
        t->bins[c + 1] = t->bins[c] + t->column[c].codes + 1;
        for (uint32_t i = 0; i < t->rows; i++)
            t->records[(size_t)i * t->stride + c] = code[i];
    }
    return true;
}

void hcbr_i_rich_wipe(uint64_t *sums, size_t count) {
    memset(sums, 0, count * sizeof *sums);
}

/* Prefetch the data of the row at a place, if there is one. Always inline: gcc 12 drops a call that
 * only prefetches. */
EACH_WIDTH void fetch(const hcbr_i_rich_scratch *s, const uint32_t *rows, uint32_t place,
                      uint32_t n, uint32_t width) {
    uint32_t row = rows[place < n ? place : n - 1];
    __builtin_prefetch(s->table->records + (size_t)row * s->table->stride);
    __builtin_prefetch(s->words + (size_t)row * width);
}

/* The words of a row, negated if `away`. */
EACH_WIDTH void take_words(const hcbr_i_rich_scratch *s, uint32_t row, bool away, uint64_t *x,
                           uint32_t width) {
    for (uint32_t w = 0; w < width; w++)
        x[w] = away ? 0 - s->words[(size_t)row * width + w] : s->words[(size_t)row * width + w];
}

/* Add the words of a row to the sums of four columns; its codes come in one read. */
EACH_WIDTH void add_four(uint64_t *const *to, const uint8_t *code, const uint64_t *x,
                         uint32_t width) {
    uint32_t codes = hcbr_i_u32_at(code);
    add(to[0] + (size_t)(codes & 255) * width, x, width);
    add(to[1] + (size_t)(codes >> 8 & 255) * width, x, width);
    add(to[2] + (size_t)(codes >> 16 & 255) * width, x, width);
    add(to[3] + (size_t)(codes >> 24) * width, x, width);
}

/* Add the words of some rows to the sums, or subtract them. Reads are the bottleneck, so two rows
 * share the addresses of four columns' sums; one is finished before the other, since additions to
 * one address wait for each other. */
EACH_WIDTH void sum_rows(const hcbr_i_rich_scratch *s, uint64_t *sums, const uint32_t *rows,
                         uint32_t n, bool away, uint32_t width) {
    const hcbr_i_rich_table *t = s->table;
    const uint32_t *bins = t->bins;
    uint32_t columns = t->columns, stride = t->stride, i = 0;
    uint64_t x[WIDEST], y[WIDEST];
    for (; i + 2 <= n; i += 2) {
        fetch(s, rows, i + AHEAD, n, width);
        fetch(s, rows, i + AHEAD + 1, n, width);
        const uint8_t *one = t->records + (size_t)rows[i] * stride;
        const uint8_t *other = t->records + (size_t)rows[i + 1] * stride;
        take_words(s, rows[i], away, x, width);
        take_words(s, rows[i + 1], away, y, width);
        uint32_t c = 0;
        for (; c + 4 <= columns; c += 4) {
            uint64_t *const to[4] = {
                sums + (size_t)bins[c] * width, sums + (size_t)bins[c + 1] * width,
                sums + (size_t)bins[c + 2] * width, sums + (size_t)bins[c + 3] * width};
            add_four(to, one + c, x, width);
            add_four(to, other + c, y, width);
        }
        for (; c < columns; c++) {
            add(sums + (bins[c] + one[c]) * width, x, width);
            add(sums + (bins[c] + other[c]) * width, y, width);
        }
    }
    if (i == n)
        return;
    const uint8_t *code = t->records + (size_t)rows[i] * stride;
    take_words(s, rows[i], away, x, width);
    for (uint32_t c = 0; c < columns; c++)
        add(sums + (bins[c] + code[c]) * width, x, width);
}

uint64_t *hcbr_i_rich_whole_sum(hcbr_i_rich_scratch *s, uint32_t block, const uint32_t *rows,
                                uint32_t n, uint32_t width) {
    size_t size = s->table->bins[s->table->columns];
    if (!s->whole[block] && !(s->whole[block] = hcbr_i_alloc(size, WIDEST * sizeof **s->whole)))
        return NULL;
    memset(s->whole[block], 0, size * width * sizeof **s->whole);
    if (width == 1)
        sum_rows(s, s->whole[block], rows, n, false, 1);
    else
        sum_rows(s, s->whole[block], rows, n, false, 2);
    return s->whole[block];
}

void hcbr_i_rich_whole_less_rows(const hcbr_i_rich_scratch *s, uint64_t *sums, const uint32_t *rows,
                                 uint32_t n, uint32_t width) {
    if (width == 1)
        sum_rows(s, sums, rows, n, true, 1);
    else
        sum_rows(s, sums, rows, n, true, 2);
}

void hcbr_i_rich_whole_less(const hcbr_i_rich_scratch *s, uint64_t *sums, const uint64_t *part,
                            uint32_t width) {
    size_t count = (size_t)s->table->bins[s->table->columns] * width;
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        hcbr_i_rich_bits a, b;
        memcpy(&a, sums + i, sizeof a);
        memcpy(&b, part + i, sizeof b);
        a -= b;
        memcpy(sums + i, &a, sizeof a);
    }
    if (i < count)
        sums[i] -= part[i];
}
