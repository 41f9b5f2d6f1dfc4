/*
 * What past cases pull through the atoms (rich_causes.h): rows that share tests of a column with
 * the case at hand, found by their codes, and rows that have a member of its bag, which are listed.
 */
#include "rich/reasons/rich_adder.h"

typedef hcbr_i_rich_adder adder;

/* ---- atoms: columns -------------------------------------------------------------------------- */

void hcbr_i_rich_pulls_prepare(const adder *a) {
    const hcbr_i_rich *r = a->q->rich;
    const hcbr_i_rich_atoms *atoms = &r->atoms;
    for (size_t term = 0; term < a->column_terms; term++) {
        uint32_t column = a->q->terms[term].variable;
        const uint8_t *coarse = atoms->coarse + (size_t)column * HCBR_I_RICH_CODES;
        uint32_t own = coarse[a->q->row->codes[column]];
        uint32_t entries = atoms->place[column + 1] - atoms->place[column] - 1;
        bool ordered = a->c->table.column[column].ordered;
        double *to = a->parts + term * HCBR_I_RICH_CODES;
        for (uint32_t code = 0; code < HCBR_I_RICH_CODES; code++) {
            uint32_t entry = coarse[code];
            to[code] = 0;
            if (entry == 0 || own == 0 || (!ordered && entry != own))
                continue;
            double part = ordered ? hcbr_i_rich_shared((int)entry - (int)own, entries - 1) : 1.0;
            if (part > 0)
                to[code] = part * (r->blend.trust[0] * r->kept.scale);
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

/* What a row pulls with two labels, for the second. */
static inline double alpha_of_two(const adder *a, size_t i) {
    double alpha = hcbr_i_rich_alpha(&a->q->rich->kept, i);
    return a->c->table.label[i] == 1 ? alpha : -alpha;
}

/* All columns with two labels, a block at a time. */
static void add_columns_of_two(const adder *a) {
    for (uint32_t row = 0; row < a->at.n; row += HCBR_I_RICH_ROWS) {
        double alpha[HCBR_I_RICH_ROWS], *total = a->total + row;
        uint32_t n = rows_left(a, row);
        for (uint32_t b = 0; b < n; b++)
            alpha[b] = alpha_of_two(a, (size_t)a->at.first + row + b);
        for (size_t term = 0; term < a->column_terms; term++) {
            const uint8_t *codes =
                codes_at(a, row) + (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS;
            const double *parts = a->parts + term * HCBR_I_RICH_CODES;
            for (uint32_t b = 0; b < n; b++)
                total[b] += parts[codes[b]] * alpha[b];
        }
    }
}

/* What a row shares of the tests of all columns: parts that are not 0, in the order of the terms.
 * Returns how many. */
static size_t find_shared(const adder *a, uint32_t row) {
    uint32_t in_block = row % HCBR_I_RICH_ROWS;
    const uint8_t *codes = codes_at(a, row - in_block) + in_block;
    size_t n = 0;
    for (size_t term = 0; term < a->column_terms; term++) {
        uint8_t code = codes[(size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS];
        double part = a->parts[term * HCBR_I_RICH_CODES + code];
        a->shared[n] = part;
        n += part != 0;
    }
    return n;
}

/* Add what a row pulls, part by part. */
static void add_pulls(const adder *a, size_t i, const double *part, size_t parts, double *to) {
    const hcbr_i_rich *r = a->q->rich;
    uint32_t label = a->c->table.label[i];
    if (r->kept.alpha_start) { // few outputs
        for (size_t p = 0; p < parts; p++)
            hcbr_i_rich_alphas_add(r, i, label, part[p], to);
        return;
    }
    for (uint32_t l = 0; l < a->k; l++) {
        double alpha = hcbr_i_rich_alpha(&r->kept, i * a->k + l);
        a->pull[l] = label == l ? alpha : -alpha;
    }
    hcbr_i_rich_add_pulls(a->pull, a->k, part, parts, to);
}

void hcbr_i_rich_pulls_add(const adder *a) {
    if (a->k == 1)
        add_columns_of_two(a);
    for (uint32_t row = 0; a->column_terms && a->k > 1 && row < a->at.n; row++)
        add_pulls(a, (size_t)a->at.first + row, a->shared, find_shared(a, row),
                  a->total + (size_t)row * a->k);
}

void hcbr_i_rich_pulls_column(adder *a, size_t term, double *to) {
    const double *parts = a->parts + term * HCBR_I_RICH_CODES;
    for (uint32_t row = 0; row < a->at.n; row++) {
        uint32_t in_block = row % HCBR_I_RICH_ROWS;
        const uint8_t *codes =
            codes_at(a, row - in_block) + (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS;
        size_t i = (size_t)a->at.first + row;
        double part = parts[codes[in_block]];
        if (part == 0)
            continue;
        double *value = hcbr_i_rich_start_row(a, to, row);
        if (a->k == 1)
            *value += part * alpha_of_two(a, i);
        else
            add_pulls(a, i, &part, 1, value);
        hcbr_i_rich_end_row(a, to, row);
    }
}

/* ---- atoms: members -------------------------------------------------------------------------- */

void hcbr_i_rich_pulls_member(adder *a, uint32_t j, double *to) {
    const uint32_t *holder = a->c->blocks.holder;
    double part = a->q->rich->blend.trust[0] * a->q->rich->kept.scale;
    for (uint64_t n = a->from[j]; n < a->to[j]; n++) {
        uint32_t i = holder[n], row = i - a->at.first;
        double *value = hcbr_i_rich_start_row(a, to, row);
        if (a->k == 1)
            *value += part * alpha_of_two(a, i);
        else
            add_pulls(a, i, &part, 1, value);
        hcbr_i_rich_end_row(a, to, row);
    }
}
