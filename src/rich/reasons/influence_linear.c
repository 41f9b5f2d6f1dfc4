/*
 * Influences through single tests (rich_causes.h): rows that share tests of a column with the
 * current case, found by their codes, and rows that have a member of its bag, which are listed. The
 * shared parts of a row are added up over all terms before they are multiplied by its alphas.
 */
#include "rich/reasons/influence.h"

#include <math.h>

typedef hcbr_i_rich_adder adder;

/* ---- linear model: columns ------------------------------------------------------------------- */

void hcbr_i_rich_pulls_prepare(adder *a) {
    const hcbr_i_rich *r = a->q->rich;
    const hcbr_i_rich_linear *linear = &r->linear;
    a->member_part = r->stack.trust[0] * r->kept.scale;
    for (size_t term = 0; term < a->column_terms; term++) {
        uint32_t column = a->q->terms[term].variable;
        const uint8_t *coarse = linear->coarse + (size_t)column * HCBR_I_RICH_CODES;
        uint32_t own = coarse[a->q->row->codes[column]];
        uint32_t entries = linear->place[column + 1] - linear->place[column] - 1;
        bool ordered = a->c->table.column[column].ordered;
        double *to = a->parts + term * HCBR_I_RICH_CODES;
        a->part_most[term] = 0;
        for (uint32_t code = 0; code < HCBR_I_RICH_CODES; code++) {
            uint32_t entry = coarse[code];
            to[code] = 0;
            if (entry == 0 || own == 0 || (!ordered && entry != own))
                continue;
            double part = ordered ? hcbr_i_rich_shared((int)entry - (int)own, entries - 1) : 1.0;
            if (part > 0)
                to[code] = part * a->member_part;
            a->part_most[term] = fmax(a->part_most[term], fabs(to[code]));
        }
    }
}

/* Codes of the block that begins with a row of the span. */
static inline const uint8_t *codes_at(const adder *a, uint32_t row) {
    return a->c->blocks.codes + (size_t)(a->at.first + row) * a->c->table.columns;
}

static inline uint32_t rows_left(const adder *a, uint32_t row) {
    uint32_t left = a->at.n - row;
    return left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS;
}

/* The signed alpha of a row with two labels, for the second. Labels come in random order, so there
 is no branch. */
static inline double alpha_of_two(const adder *a, size_t i) {
    static const double sign[2] = {-1, 1};
    return sign[a->c->table.label[i] == 1] * hcbr_i_rich_alpha(&a->q->rich->kept, i);
}

/* Add the alphas of a row. */
static void add_pulls(const adder *a, size_t i, double part, double *to) {
    const hcbr_i_rich_kept *kept = &a->q->rich->kept;
    const uint32_t label = a->c->table.label[i], k = a->k;
    if (kept->alpha_start) { // few outputs
        hcbr_i_rich_alphas_add(a->q->rich, i, label, part, to);
        return;
    }
    const size_t at = i * k;
    const double own = to[label] + part * hcbr_i_rich_alpha(kept, at + label);
    uint32_t l = 0;
    for (; l + 2 <= k; l += 2) {
        hcbr_i_rich_pair alpha = {hcbr_i_rich_alpha(kept, at + l),
                                  hcbr_i_rich_alpha(kept, at + l + 1)};
        hcbr_i_rich_put_pair(to + l, hcbr_i_rich_get_pair(to + l) - part * alpha);
    }
    if (l < k)
        to[l] -= part * hcbr_i_rich_alpha(kept, at + l);
    to[label] = own;
}

/* The parts of the tests of columns that the rows of a block share, added up in the order of the
 * terms, four of them at a time. */
static void share_columns(const adder *a, uint32_t row, uint32_t n) {
    const uint8_t *codes = codes_at(a, row);
    const hcbr_i_rich_term *terms = a->q->terms;
    double *share = a->share + row;
    size_t term = 0;
    memset(share, 0, n * sizeof *share);
    for (; term + 4 <= a->column_terms; term += 4) {
        const double *parts = a->parts + term * HCBR_I_RICH_CODES;
        const uint8_t *code[4];
        for (size_t t = 0; t < 4; t++)
            code[t] = codes + (size_t)terms[term + t].variable * HCBR_I_RICH_ROWS;
        for (uint32_t b = 0; b < n; b++) {
            double sum = share[b] + parts[code[0][b]];
            sum += parts[HCBR_I_RICH_CODES + code[1][b]];
            sum += parts[2 * HCBR_I_RICH_CODES + code[2][b]];
            share[b] = sum + parts[3 * HCBR_I_RICH_CODES + code[3][b]];
        }
    }
    for (; term < a->column_terms; term++) {
        const double *parts = a->parts + term * HCBR_I_RICH_CODES;
        const uint8_t *code = codes + (size_t)terms[term].variable * HCBR_I_RICH_ROWS;
        for (uint32_t b = 0; b < n; b++)
            share[b] += parts[code[b]];
    }
}

void hcbr_i_rich_pulls_add(const adder *a) {
    const uint32_t *holder = a->c->blocks.holder;
    const size_t first = a->at.first;
    if (a->member_part == 0) // single tests have no trust
        return;
    for (uint32_t row = 0; row < a->at.n; row += HCBR_I_RICH_ROWS)
        share_columns(a, row, rows_left(a, row));
    for (uint32_t j = 0; j < a->q->row->bag_count; j++)
        for (uint64_t n = a->from[j]; n < a->to[j]; n++)
            a->share[holder[n] - first] += a->member_part;
    for (uint32_t row = 0; a->k == 1 && row < a->at.n; row++)
        a->total[row] += a->share[row] * alpha_of_two(a, first + row);
    for (uint32_t row = 0; a->k > 1 && row < a->at.n; row++)
        if (a->share[row] != 0)
            add_pulls(a, first + row, a->share[row], a->total + (size_t)row * a->k);
}

/* ---- rows of a slot -------------------------------------------------------------------------- */

/* Whether rows of this block, with such a part, are too small for the slot. */
static inline bool falls_short(const adder *a, uint32_t row, double part) {
    return part * a->c->reach[(a->at.first + row) / HCBR_I_RICH_ROWS] < a->least;
}

static void add_row(adder *a, uint32_t row, double part, double *to) {
    double *value = hcbr_i_rich_start_row(a, to, row);
    if (a->k == 1)
        *value += part * alpha_of_two(a, (size_t)a->at.first + row);
    else
        add_pulls(a, (size_t)a->at.first + row, part, value);
    hcbr_i_rich_end_row(a, to, row);
}

void hcbr_i_rich_pulls_column(adder *a, size_t term, double *to) {
    const double *parts = a->parts + term * HCBR_I_RICH_CODES;
    const bool alone = !to && !a->several;
    for (uint32_t row = 0; row < a->at.n; row += HCBR_I_RICH_ROWS) {
        const uint8_t *codes =
            codes_at(a, row) + (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS;
        if (alone && falls_short(a, row, a->part_most[term]))
            continue;
        for (uint32_t b = 0; b < rows_left(a, row); b++)
            if (parts[codes[b]] != 0)
                add_row(a, row + b, parts[codes[b]], to);
    }
}

void hcbr_i_rich_pulls_member(adder *a, uint32_t j, double *to) {
    const uint32_t *holder = a->c->blocks.holder;
    const bool alone = !to && !a->several;
    for (uint64_t n = a->from[j]; n < a->to[j]; n++)
        if (!alone || !falls_short(a, holder[n] - a->at.first, fabs(a->member_part)))
            add_row(a, holder[n] - a->at.first, a->member_part, to);
}

/* ---- bounds of influence --------------------------------------------------------------------- */

/* The largest alpha of a row. */
static double largest_alpha(const hcbr_i_rich *r, uint32_t row) {
    const hcbr_i_rich_kept *kept = &r->kept;
    uint64_t k = r->outputs,
             most_at = kept->alpha_start ? kept->alpha_start[row + 1] : (row + 1) * k;
    double most = 0;
    for (uint64_t i = kept->alpha_start ? kept->alpha_start[row] : row * k; i < most_at; i++)
        most = fmax(most, fabs(hcbr_i_rich_alpha(kept, i)));
    return most;
}

bool hcbr_i_rich_reach_init(hcbr_i_rich_causes *c) {
    double *most = c->reach = hcbr_i_alloc_zero(c->blocks.count, sizeof *c->reach);
    for (uint32_t i = 0; most && c->rich->family[0] && i < c->table.rows; i++)
        most[i / HCBR_I_RICH_ROWS] = fmax(most[i / HCBR_I_RICH_ROWS], largest_alpha(c->rich, i));
    return most != NULL;
}
