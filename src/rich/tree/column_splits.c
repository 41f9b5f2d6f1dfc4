/*
 * Tests of dense columns, for the tree grower.
 *
 * A node tries the columns drawn for it until enough of them split it. Sums by code are computed
 * for up to eight columns in one pass over the node's cases; with fewer cases than codes, each
 * drawn cut is summed by itself. Large nodes that try all columns have these sums already
 * (column_sums.c). Ordered columns try some cuts: `cuts` and one more per `cases_per_cut` cases, so
 * that small nodes cost little and do not chase noise. The values of a category may have an order
 * too, that of their names (`a` .. `h`, `1-10`, `grade 2`): boosted trees test its ranges as well,
 * if they are few.
 */
#include "rich/tree/tree_grower.h"

#define MOST_RANGED 32u /* values of a category whose ranges are tested */

/* ---- sums by code ---------------------------------------------------------------------------- */

/* For one column; `other` is a second histogram for every other case. */
EACH_WIDTH void fill_one(const node *at, const uint8_t *code, uint64_t *hist, uint64_t *other,
                         uint32_t width) {
    const uint64_t *x = at->s->sums;
    const uint32_t *row = at->rows;
    uint32_t i = 0;
    for (; i + 1 < at->n;
         i += 2, x += 2 * (size_t)width) { // two, since additions to one place wait
        add(hist + code[row[i]] * width, x, width);
        add(other + code[row[i + 1]] * width, x + width, width);
    }
    if (i < at->n)
        add(hist + code[row[i]] * width, x, width);
}

/* For `count` columns, two, four or eight: `count` additions that do not wait for each other. */
EACH_WIDTH void fill_some(const node *at, const uint8_t *const *code,
                          uint64_t (*hist)[HCBR_I_RICH_CODES * WIDEST], uint32_t count,
                          uint32_t width) {
    const uint64_t *x = at->s->sums;
    for (uint32_t i = 0; i < at->n; i++, x += width) {
        uint32_t row = at->rows[i];
        add(hist[0] + code[0][row] * width, x, width);
        add(hist[1] + code[1][row] * width, x, width);
        if (count > 2) {
            add(hist[2] + code[2][row] * width, x, width);
            add(hist[3] + code[3][row] * width, x, width);
        }
        if (count > 4) {
            add(hist[4] + code[4][row] * width, x, width);
            add(hist[5] + code[5][row] * width, x, width);
            add(hist[6] + code[6][row] * width, x, width);
            add(hist[7] + code[7][row] * width, x, width);
        }
    }
}

/* Histograms of some columns, hist[j] that of column[j]. */
EACH_WIDTH void fill(const node *at, const uint32_t *column, uint32_t count, uint32_t width) {
    const hcbr_i_rich_table *t = at->g->table;
    uint64_t(*hist)[HCBR_I_RICH_CODES * WIDEST] = at->s->hist;
    const uint8_t *code[TOGETHER] = {0};
    uint32_t j = 0;
    for (uint32_t i = 0; i < count; i++) {
        code[i] = t->codes + (size_t)column[i] * t->rows;
        hcbr_i_rich_wipe(hist[i], ((size_t)t->column[column[i]].codes + 1) * width);
    }
    for (; j + 8 <= count; j += 8)
        fill_some(at, code + j, hist + j, 8, width);
    for (; j + 4 <= count; j += 4)
        fill_some(at, code + j, hist + j, 4, width);
    for (; j + 2 <= count; j += 2)
        fill_some(at, code + j, hist + j, 2, width);
    if (j == count)
        return;
    uint32_t size = (t->column[column[j]].codes + 1u) * width;
    hcbr_i_rich_wipe(hist[TOGETHER], size);
    fill_one(at, code[j], hist[j], hist[TOGETHER], width);
    add(hist[j], hist[TOGETHER], size);
}

/* The range lo..hi of codes in a histogram, without absent ones. Returns whether they split the
 * node. */
EACH_WIDTH bool range_of(const uint64_t *hist, uint32_t *lo, uint32_t *hi, uint32_t width) {
    uint32_t from = 1, to = *hi;
    while (to > 0 && !any(hist + to * width, width))
        to--;
    while (from < to && !any(hist + from * width, width))
        from++;
    *lo = from;
    *hi = to;
    return to > 0 && (from < to || any(hist, width));
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* All values of a column that is not ordered, or that has few values. */
EACH_WIDTH void try_values(node *at, uint32_t column, const uint64_t *hist, uint32_t lo,
                           uint32_t hi, uint32_t width) {
    const uint64_t *yes = hist + lo * width;
    uint32_t count = hi - lo + 1;
    for (uint32_t i = hcbr_i_rich_sift(at, yes, 0, count, width); i < count;
         i = hcbr_i_rich_sift(at, yes, i + 1, count, width))
        consider(at, yes + i * width, column, lo + i, lo + i, width);
}

/* The cases above a cut: all but those below it and those without a code. */
EACH_WIDTH void try_above(node *at, uint32_t column, const uint64_t *below, const uint64_t *absent,
                          uint32_t cut, uint32_t width) {
    uint64_t above[WIDEST];
    for (uint32_t w = 0; w < width; w++)
        above[w] = at->word[w] - below[w] - absent[w];
    consider(at, above, column, cut + 1, HCBR_I_RICH_CODES - 1, width);
}

/* All cuts of an ordered column with codes lo..hi in the node, and some cases without any. */
EACH_WIDTH void try_both_sides(node *at, uint32_t column, const uint64_t *hist, uint32_t lo,
                               uint32_t hi, uint32_t width) {
    uint64_t below[WIDEST] = {0}, none[WIDEST] = {0};
    for (uint32_t c = lo; c < hi; c++) {
        if (!any(hist + c * width, width))
            continue; // the same split as the cut before
        add(below, hist + c * width, width);
        consider(at, below, column, 1, c, width);
        try_above(at, column, below, hist, c, width);
    }
    try_above(at, column, none, hist, 0, width);
}

/* All cuts of an ordered column with codes lo..hi in the node. */
EACH_WIDTH void try_all_cuts(node *at, uint32_t column, const uint64_t *hist, uint32_t lo,
                             uint32_t hi, uint32_t width) {
    if (any(hist, width)) {
        try_both_sides(at, column, hist, lo, hi, width);
        return;
    }
    uint64_t *above = at->s->below, rest[WIDEST];
    memcpy(rest, at->word, width * sizeof *rest);
    for (uint32_t c = lo, j = 0; c < hi; c++, j += width) {
        subtract(rest, hist + c * width, width);
        memcpy(above + j, rest, width * sizeof *above);
    }
    for (uint32_t i = hcbr_i_rich_sift(at, above, 0, hi - lo, width); i < hi - lo;
         i = hcbr_i_rich_sift(at, above, i + 1, hi - lo, width))
        if (any(hist + (lo + i) * width, width)) // otherwise the same split as the cut before
            consider(at, above + i * width, column, lo + i + 1, HCBR_I_RICH_CODES - 1, width);
}

/* ---- some cuts ------------------------------------------------------------------------------- */

static inline void ask(hcbr_i_rich_ranges *r, uint32_t from, uint32_t to) {
    r->from[r->count] = (uint8_t)from;
    r->span[r->count++] = (uint8_t)(to - from);
}

/* Ranges of codes lo..hi by cuts that are drawn: below one, if some cases have no code, or above
 * it; and of all that have a code. */
static void draw_ranges(const node *at, uint32_t column, uint32_t lo, uint32_t hi, bool missing,
                        uint32_t wanted) {
    hcbr_i_rich_ranges *r = &at->s->ranges;
    r->count = 0;
    for (uint32_t d = 0; d < wanted && lo < hi; d++) {
        uint64_t x = hcbr_i_mix(at->key + ((uint64_t)column << 32) + d);
        uint32_t c = lo + (uint32_t)((x >> 32) * (hi - lo) >> 32);
        if (missing && x & 1)
            ask(r, 1, c);
        else
            ask(r, c + 1, HCBR_I_RICH_CODES - 1);
    }
    if (missing && (wanted > 1 || lo == hi))
        ask(r, 1, HCBR_I_RICH_CODES - 1);
}

/* Try the drawn ranges, whose sums are computed. */
EACH_WIDTH void try_ranges(node *at, uint32_t column, uint32_t width) {
    const hcbr_i_rich_ranges *r = &at->s->ranges;
    const uint64_t *asked = at->s->asked;
    for (uint32_t i = hcbr_i_rich_sift(at, asked, 0, r->count, width); i < r->count;
         i = hcbr_i_rich_sift(at, asked, i + 1, r->count, width))
        consider(at, asked + i * width, column, r->from[i], (uint32_t)r->from[i] + r->span[i],
                 width);
}

/* Some cuts of an ordered column. */
EACH_WIDTH void try_some_cuts(node *at, uint32_t column, const uint64_t *hist, uint32_t lo,
                              uint32_t hi, uint32_t wanted, uint32_t width) {
    const hcbr_i_rich_ranges *r = &at->s->ranges;
    uint64_t *below = at->s->below, *to = at->s->asked, all[WIDEST]; // of those with a code
    memset(below, 0, width * sizeof *below);
    for (uint32_t c = lo, j = width; c < hi; c++, j += width)
        for (uint32_t w = 0; w < width; w++)
            below[j + w] = below[j + w - width] + hist[c * width + w];
    memcpy(all, at->word, width * sizeof *all);
    subtract(all, hist, width);
    draw_ranges(at, column, lo, hi, any(hist, width), wanted);
    for (uint32_t i = 0; i < r->count; i++, to += width) {
        uint32_t end = (uint32_t)r->from[i] + r->span[i]; // a range is to a cut, or from one on
        bool under = end < HCBR_I_RICH_CODES - 1;
        uint32_t cut = under ? end : r->from[i] - 1u;
        const uint64_t *sum = below + (cut < lo ? 0 : cut - lo + 1) * width;
        for (uint32_t w = 0; w < width; w++)
            to[w] = under ? sum[w] : all[w] - sum[w];
    }
    try_ranges(at, column, width);
}

/* ---- few cases ------------------------------------------------------------------------------- */

/* The codes of the node's cases and their range. Returns whether they split the node. */
static bool gather(const node *at, uint32_t column, uint32_t *lo, uint32_t *hi, bool *missing) {
    const hcbr_i_rich_table *t = at->g->table;
    // Few cases are far apart in memory: row by row, the codes of one are next to each other.
    const uint8_t *from = t->records ? t->records + column : t->codes + (size_t)column * t->rows;
    size_t step = t->records ? t->stride : 1;
    uint8_t *code = at->s->codes;
    const uint32_t *rows = at->rows;
    uint32_t most = 0, least = 255, lowest = 255, n = at->n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = code[i] = from[rows[i] * step], d = (c - 1) & 255; // absent is the largest
        most = c > most ? c : most;
        lowest = c < lowest ? c : lowest;
        least = d < least ? d : least;
    }
    *lo = least + 1;
    *hi = most;
    *missing = lowest == 0;
    return most > 0 && (lowest == 0 || *lo < *hi);
}

/* Few cases in a column of many codes: all cuts in few passes. */
EACH_WIDTH bool try_few(node *at, uint32_t column, uint32_t wanted, uint32_t width) {
    uint32_t lo, hi;
    bool missing;
    if (!gather(at, column, &lo, &hi, &missing))
        return false;
    draw_ranges(at, column, lo, hi, missing, wanted);
    hcbr_i_rich_sum_ranges(at, &at->s->ranges, at->s->asked, width);
    try_ranges(at, column, width);
    return true;
}

/* ---- columns --------------------------------------------------------------------------------- */

EACH_WIDTH bool try_histogram(node *at, uint32_t column, const uint64_t *hist, uint32_t wanted,
                              uint32_t width) {
    const hcbr_i_rich_column *about = &at->g->table->column[column];
    uint32_t lo, hi = about->codes;
    if (!range_of(hist, &lo, &hi, width))
        return false;
    if (!about->ordered || (about->exact && at->g->cuts > 1))
        try_values(at, column, hist, lo, hi, width);
    // two values have no other ranges
    bool ranges = about->ordered || (at->g->cuts > 1 && about->codes <= MOST_RANGED &&
                                     (hi - lo > 1 || any(hist, width)));
    if (ranges && wanted >= hi - lo)
        try_all_cuts(at, column, hist, lo, hi, width);
    else if (ranges)
        try_some_cuts(at, column, hist, lo, hi, wanted, width);
    return true;
}

/* Columns in drawing order, which alone breaks ties of gains. */
EACH_WIDTH void try_columns(node *at, uint32_t wanted, uint32_t width) {
    const hcbr_i_rich_growth *g = at->g;
    const hcbr_i_rich_table *t = g->table;
    uint32_t *order = at->s->columns, cuts = (uint32_t)(g->cuts + at->n / g->cases_per_cut);
    uint32_t waiting[TOGETHER], count = 0, tried = 0;
    for (uint32_t c = 0; c < t->columns && tried < wanted; c++) {
        uint64_t r = hcbr_i_mix(at->key + c) >> 32;
        uint32_t j = c + (uint32_t)(r * (t->columns - c) >> 32), column = order[j];
        uint32_t codes = t->column[column].codes;
        order[j] = order[c];
        order[c] = column;
        if (t->column[column].ordered && cuts < codes &&
            (uint64_t)(cuts + 1) * at->n < 2u * codes + at->n) {
            gather_words(at, width);
            tried += try_few(at, column, cuts, width);
        } else {
            waiting[count++] = column;
        }
        if (count < TOGETHER && tried + count < wanted && c + 1 < t->columns)
            continue;
        if (count && !at->whole) {
            gather_words(at, width);
            fill(at, waiting, count, width);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t *hist =
                at->whole ? at->whole + (size_t)t->bins[waiting[i]] * width : at->s->hist[i];
            tried += try_histogram(at, waiting[i], hist, cuts, width);
        }
        count = 0;
    }
}

void hcbr_i_rich_try_columns(node *at, uint32_t wanted) {
    if (at->g->channels == 1)
        try_columns(at, wanted, 1);
    else
        try_columns(at, wanted, 2);
}
