/*
 * Isotonic calibration: the increasing step function nearest to the held-out cases, made
 * continuous.
 *
 * Pool adjacent violators: scores in order, equal ones together; while a pool's share of positives
 * is not above the one before it the two are joined. Each pool gives two knots, at its lowest and
 * its highest score, so that the function is flat inside a pool and linear between pools. No
 * probability is 0 or 1: n held-out cases cannot measure anything rarer than 1 / (n + 2).
 */
#include "tune/tune.h"

#include <stdlib.h>

typedef struct pool {
    double low, high; /* scores */
    double weight, positive;
} pool;

static int compare_scored(const void *a, const void *b) {
    const hcbr_i_scored *x = a, *y = b;
    int order = hcbr_i_order_double(x->score, y->score);
    if (!order)
        order = hcbr_i_order_u32(x->positive, y->positive);
    return order ? order : hcbr_i_order_double(x->weight, y->weight);
}

void hcbr_i_scored_sort(hcbr_i_scored *scored, size_t count) {
    qsort(scored, count, sizeof *scored, compare_scored);
}

/** Whether the share of a is not below that of b. */
static bool violates(const pool *a, const pool *b) {
    return a->positive * b->weight >= b->positive * a->weight;
}

static void join(pool *a, const pool *b) {
    a->high = b->high;
    a->weight += b->weight;
    a->positive += b->positive;
}

static size_t make_pools(const hcbr_i_scored *scored, size_t count, pool *pools) {
    size_t size = 0;
    for (size_t i = 0; i < count;) {
        pool next = {scored[i].score, scored[i].score, 0, 0};
        for (; i < count && scored[i].score == next.low; i++) {
            next.weight += scored[i].weight;
            next.positive += scored[i].positive ? scored[i].weight : 0;
        }
        pools[size++] = next;
        while (size > 1 && violates(&pools[size - 2], &pools[size - 1])) {
            join(&pools[size - 2], &pools[size - 1]);
            size--;
        }
    }
    return size;
}

hcbr_status hcbr_i_isotonic_fit(hcbr_i_scored *scored, size_t count, hcbr_i_isotonic *out,
                                hcbr_error *err) {
    double all = 0;
    *out = (hcbr_i_isotonic){NULL, NULL, 0};
    pool *pools = hcbr_i_alloc(count, sizeof *pools);
    if (!pools)
        return hcbr_i_no_memory(err);
    hcbr_i_scored_sort(scored, count);
    for (size_t i = 0; i < count; i++)
        all += scored[i].weight;
    size_t size = make_pools(scored, count, pools);
    out->score = hcbr_i_alloc(2 * size, sizeof *out->score);
    out->p = hcbr_i_alloc(2 * size, sizeof *out->p);
    if (!out->score || !out->p) {
        hcbr_i_free(pools);
        hcbr_i_isotonic_clear(out);
        return hcbr_i_no_memory(err);
    }
    double least = 1 / (all + 2);
    for (size_t i = 0; i < size; i++) {
        double p = pools[i].positive / pools[i].weight;
        p = p < least ? least : p > 1 - least ? 1 - least : p;
        for (int side = 0; side < (pools[i].high > pools[i].low ? 2 : 1); side++) {
            out->score[out->count] = side ? pools[i].high : pools[i].low;
            out->p[out->count++] = p;
        }
    }
    hcbr_i_free(pools);
    return HCBR_OK;
}

double hcbr_i_isotonic_apply(const hcbr_i_isotonic *isotonic, double score) {
    const double *x = isotonic->score, *p = isotonic->p;
    uint32_t low = 0, high = isotonic->count;
    if (isotonic->count == 0)
        return 0.5;
    while (low < high) { // knots up to the score
        uint32_t middle = low + (high - low) / 2;
        if (x[middle] <= score)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return p[0];
    if (low == isotonic->count || x[low - 1] == score)
        return p[low - 1];
    return p[low - 1] + (p[low] - p[low - 1]) * ((score - x[low - 1]) / (x[low] - x[low - 1]));
}

void hcbr_i_isotonic_clear(hcbr_i_isotonic *isotonic) {
    hcbr_i_free(isotonic->score);
    hcbr_i_free(isotonic->p);
    *isotonic = (hcbr_i_isotonic){NULL, NULL, 0};
}
