/*
 * Lists of entries added to totals (rich_sums.h). No row is in a list twice, so several entries are
 * read before the first of them is added. The usual widths get loops of their own.
 */
#include "rich/reasons/rich_sums.h"

/* With two labels: one output. */
static inline void add_single(const hcbr_i_rich_entries *x, uint32_t width, double *to) {
    const uint16_t *row = x->row;
    const uint8_t *at = x->residual;
    const double weight = x->weight[0];
    uint32_t n = x->n;
    for (; n >= 4; n -= 4, row += 4, at += 4 * (size_t)width) {
        double a = weight * hcbr_i_rich_multiple(at, width);
        double b = weight * hcbr_i_rich_multiple(at + width, width);
        double c = weight * hcbr_i_rich_multiple(at + 2 * (size_t)width, width);
        double d = weight * hcbr_i_rich_multiple(at + 3 * (size_t)width, width);
        to[row[0]] += a;
        to[row[1]] += b;
        to[row[2]] += c;
        to[row[3]] += d;
    }
    for (; n > 0; n--, row++, at += width)
        to[*row] += weight * hcbr_i_rich_multiple(at, width);
}

/* Two outputs at a time. */
static inline void add_several(const hcbr_i_rich_entries *x, uint32_t width, double *to) {
    const uint8_t *at = x->residual;
    const double *weight = x->weight;
    uint32_t k = x->outputs;
    for (uint32_t e = 0; e < x->n; e++) {
        double *value = to + (size_t)x->row[e] * k;
        uint32_t l = 0;
        for (; l + 2 <= k; l += 2, at += 2 * (size_t)width) {
            hcbr_i_rich_pair residual = {hcbr_i_rich_multiple(at, width),
                                         hcbr_i_rich_multiple(at + width, width)};
            hcbr_i_rich_pair add = hcbr_i_rich_get_pair(weight + l) * residual;
            hcbr_i_rich_put_pair(value + l, hcbr_i_rich_get_pair(value + l) + add);
        }
        if (l < k) {
            value[l] += weight[l] * hcbr_i_rich_multiple(at, width);
            at += width;
        }
    }
}

void hcbr_i_rich_add_entries(const hcbr_i_rich_entries *list, double *to) {
    bool single = list->outputs == 1;
    if (single && list->width == 4)
        add_single(list, 4, to);
    else if (single && list->width == 5)
        add_single(list, 5, to);
    else if (single)
        add_single(list, list->width, to);
    else if (list->width == 5)
        add_several(list, 5, to);
    else
        add_several(list, list->width, to);
}
