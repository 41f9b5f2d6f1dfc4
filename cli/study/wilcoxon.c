/*
 * Wilcoxon's signed-rank test of whether the median of paired differences is 0.
 */
#include "space.h"

#include <math.h>

enum { EXACT = 50 }; /* the largest number of differences for the exact distribution */

typedef struct ranked {
    double size;
    bool positive;
} ranked;

static int by_size(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

/*
 * P(the sum of ranks is at most `most`), if every rank of 1..n is in the sum with probability 1/2.
 * The number of subsets of each sum, divided by 2^n on the way: each step halves.
 */
static double exact_below(uint32_t most, uint32_t n) {
    double share[EXACT * (EXACT + 1) / 2 + 1] = {1};
    uint32_t sum = n * (n + 1) / 2;
    for (uint32_t rank = 1; rank <= n; rank++)
        for (uint32_t s = sum + 1; s-- > 0;)
            share[s] = 0.5 * (share[s] + (s >= rank ? share[s - rank] : 0));
    double below = 0;
    for (uint32_t s = 0; s <= most; s++)
        below += share[s];
    return below;
}

/* P(|Z| >= z) of a standard normal Z: by its series near 0, by a continued fraction beyond. */
static double normal_beyond(double z) {
    double density = exp(-0.5 * z * z) / 2.5066282746310002;
    if (z < 3) {
        double term = z, sum = z;
        for (int k = 1; k < 200 && term > 1e-18 * sum; k++) {
            term *= z * z / (2 * k + 1);
            sum += term;
        }
        return fmax(0, 1 - 2 * density * sum);
    }
    double fraction = 0;
    for (int k = 100; k > 0; k--)
        fraction = k / (z + fraction);
    return 2 * density / (z + fraction);
}

void wilcoxon_test(wilcoxon *out, const double *differences, size_t count) {
    ranked *list = study_alloc(count, sizeof *list);
    size_t n = 0, zeros = 0;
    double above = 0, ties = 0;
    bool tied = false;
    for (size_t i = 0; i < count; i++) {
        zeros += differences[i] == 0;
        if (differences[i] < 0 || differences[i] > 0)
            list[n++] = (ranked){fabs(differences[i]), differences[i] > 0};
    }
    qsort(list, n, sizeof *list, by_size);
    for (size_t i = 0; i < n;) {
        size_t first = i;
        while (i < n && list[i].size == list[first].size)
            i++;
        double equal = (double)(i - first), rank = 0.5 * (double)(first + i + 1);
        ties += equal * equal * equal - equal;
        tied = tied || i - first > 1;
        for (size_t k = first; k < i; k++)
            above += list[k].positive ? rank : 0;
    }
    free(list);
    double m = (double)n, all = m * (m + 1) / 2;
    *out = (wilcoxon){fmin(above, all - above), NAN, n};
    if (n == 0)
        return;
    if (n <= EXACT && !tied && zeros == 0) {
        out->p = fmin(1, 2 * exact_below((uint32_t)out->statistic, (uint32_t)n));
        return;
    }
    double variance = m * (m + 1) * (2 * m + 1) / 24 - ties / 48;
    out->p = variance > 0 ? normal_beyond((all / 2 - out->statistic) / sqrt(variance)) : 1;
}
