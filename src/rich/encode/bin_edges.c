/*
 * Cuts of a column of numbers: midpoints between different values; all of them if they are few,
 * else those that divide the weight and the values evenly.
 */
#include "rich/encode/column_encoding.h"

#include <stdlib.h>

#define MOST_DISTINCT 250u /* up to here every midpoint is a cut */
#define SPARSE_CUTS 4u     /* of a number that is mostly absent */

static double midpoint(double a, double b) {
    double m = a / 2 + b / 2;
    return m >= a && m < b ? m : a;
}

static int by_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cuts between n distinct ascending values: `parts` - 1 that halve the weight evenly, and as many
 * that halve the values evenly if `both`. Returns how many different ones. */
static uint32_t quantiles(const hcbr_i_rich_amount *v, uint32_t n, uint32_t parts, bool both,
                          double *cuts) {
    uint32_t count = 0, j = 0;
    double total = 0, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        total += v[i].weight;
    for (uint32_t q = 1; q < parts; q++) {
        while (j + 1 < n && sum + v[j].weight < total * q / parts)
            sum += v[j++].weight;
        if (j + 1 < n)
            cuts[count++] = midpoint(v[j].value, v[j + 1].value);
        uint32_t at = (uint32_t)((uint64_t)n * q / parts);
        if (both && at + 1 < n)
            cuts[count++] = midpoint(v[at].value, v[at + 1].value);
    }
    qsort(cuts, count, sizeof *cuts, by_double);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || cuts[i] > cuts[kept - 1])
            cuts[kept++] = cuts[i];
    return kept;
}

uint32_t hcbr_i_rich_cut(const hcbr_i_rich_amount *v, uint32_t count, bool sparse, double *cuts) {
    if (count > (sparse ? SPARSE_CUTS + 1 : MOST_DISTINCT))
        return sparse ? quantiles(v, count, SPARSE_CUTS + 1, false, cuts)
                      : quantiles(v, count, HCBR_I_RICH_MOST_CUTS / 2 + 1, true, cuts);
    for (uint32_t i = 0; i + 1 < count; i++)
        cuts[i] = midpoint(v[i].value, v[i + 1].value);
    return count - 1;
}

uint8_t hcbr_i_rich_code(const double *cuts, uint32_t count, double value) {
    const double *base = cuts;
    size_t left = count;
    while (left > 1) { // as often for every value, and no branch to be guessed
        const size_t half = left / 2;
        const double *behind = base + half;
        base = HCBR_I_EITHER(behind[-1] < value) ? behind : base;
        left -= half;
    }
    return (uint8_t)(base - cuts + (count > 0 && *base < value) + 1);
}
