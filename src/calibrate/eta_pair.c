/*
 * The best thresholds of two labels together, for measures that are no sum over cases.
 *
 * A pair of candidates gives a point (tp, fp) that is a sum of one point of each label. F1 and
 * balanced accuracy are quotients of linear functions; Matthews' coefficient is, where it is
 * positive, a linear function over a concave one. Such functions take their largest value in a
 * corner of the convex hull, and the corners of a sum of two sets are found by walking round both
 * hulls at once: n log n, and exact.
 */
#include "calibrate/calibrate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

/** A candidate as a point of the plane. */
typedef struct spot {
    int64_t x, y;
    size_t index;
} spot;

double hcbr_i_measure_value(hcbr_i_measure measure, double tp, double fp, double positives,
                            double negatives) {
    double fn = positives - tp, tn = negatives - fp, below, above;
    switch (measure) {
    case HCBR_I_ACCURACY:
        below = positives + negatives;
        return below > 0 ? (tp + tn) / below : 0;
    case HCBR_I_BALANCED:
        return ((positives > 0 ? tp / positives : 0) + (negatives > 0 ? tn / negatives : 0)) / 2;
    case HCBR_I_F1:
        below = 2 * tp + fp + fn;
        return below > 0 ? 2 * tp / below : 0;
    case HCBR_I_MCC:
        above = tp * tn - fp * fn;
        below = sqrt(tp + fp) * sqrt(tp + fn) * sqrt(tn + fp) * sqrt(tn + fn);
        return below > 0 ? above / below : 0;
    }
    return 0;
}

static int compare_spots(const void *a, const void *b) {
    const spot *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/** Positive: o, a, b turn left. */
static wide turn(spot o, spot a, spot b) {
    return (wide)(a.x - o.x) * (b.y - o.y) - (wide)(a.y - o.y) * (b.x - o.x);
}

/**
 * The corners of the convex hull, counter-clockwise from the leftmost of the lowest x; of equal
 * spots the first candidate. Returns how many; spots is put in order, hull has room for 2 * count.
 */
static size_t find_hull(spot *spots, size_t count, spot *hull) {
    size_t kept = 0, size = 0, lower;
    qsort(spots, count, sizeof *spots, compare_spots);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || spots[kept - 1].x != spots[i].x || spots[kept - 1].y != spots[i].y)
            spots[kept++] = spots[i];
    if (kept < 3) {
        memcpy(hull, spots, kept * sizeof *hull);
        return kept;
    }
    for (size_t i = 0; i < kept; i++) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], spots[i]) <= 0)
            size--;
        hull[size++] = spots[i];
    }
    lower = size + 1;
    for (size_t i = kept - 1; i-- > 0;) {
        while (size >= lower && turn(hull[size - 2], hull[size - 1], spots[i]) <= 0)
            size--;
        hull[size++] = spots[i];
    }
    return size - 1; // the first one came again
}

static size_t hull_of(const hcbr_i_eta_candidate *candidates, size_t count, int sign, spot *spots,
                      spot *hull) {
    for (size_t i = 0; i < count; i++)
        spots[i] = (spot){sign * candidates[i].kept[0], sign * candidates[i].kept[1], i};
    return find_hull(spots, count, hull);
}

typedef struct best_pair {
    hcbr_i_measure measure;
    const int64_t *totals, *all;
    double value;
    size_t choice[2];
} best_pair;

static double value_of(const best_pair *best, spot a, spot b) {
    return hcbr_i_measure_value(best->measure, (double)(best->totals[0] + a.x + b.x),
                                (double)(best->totals[1] + a.y + b.y), (double)best->all[0],
                                (double)best->all[1]);
}

static void try_pair(best_pair *best, spot a, spot b) {
    double value = value_of(best, a, b);
    if (value > best->value) {
        best->value = value;
        best->choice[0] = a.index;
        best->choice[1] = b.index;
    }
}

/* Walk round both hulls by the angle of their edges; every stop is a corner of the sum. */
static void walk(best_pair *best, const spot *a, size_t a_count, const spot *b, size_t b_count) {
    size_t i = 0, j = 0;
    assert(a_count > 0 && b_count > 0); // "keep all" is among both
    while (i < a_count || j < b_count) {
        spot from_a = a[i % a_count], from_b = b[j % b_count];
        spot to_a = a[(i + 1) % a_count], to_b = b[(j + 1) % b_count];
        try_pair(best, from_a, from_b);
        wide cross = (wide)(to_a.x - from_a.x) * (to_b.y - from_b.y) -
                     (wide)(to_a.y - from_a.y) * (to_b.x - from_b.x);
        if (i == a_count)
            j++;
        else if (j == b_count)
            i++;
        else {
            i += cross >= 0;
            j += cross <= 0;
        }
    }
}

hcbr_status hcbr_i_eta_best_pair(hcbr_i_measure measure, const hcbr_i_eta_candidate *first,
                                 size_t first_count, const hcbr_i_eta_candidate *second,
                                 size_t second_count, const int64_t totals[2], const int64_t all[2],
                                 size_t choice[2], double *value, hcbr_error *err) {
    size_t most = first_count > second_count ? first_count : second_count;
    spot *spots = hcbr_i_alloc(most, sizeof *spots);
    spot *a = hcbr_i_alloc(first_count + 1, 2 * sizeof *a);
    spot *b = hcbr_i_alloc(second_count + 1, 2 * sizeof *b);
    hcbr_status st = spots && a && b ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        // What does not pass in favour of the first label is decided as the second.
        size_t a_count = hull_of(first, first_count, -1, spots, a);
        size_t b_count = hull_of(second, second_count, 1, spots, b);
        best_pair best = {.measure = measure, .totals = totals, .all = all};
        // Without thresholds first: what is not better is not worth asking for.
        best.value = value_of(&best, (spot){-first[0].kept[0], -first[0].kept[1], 0},
                              (spot){second[0].kept[0], second[0].kept[1], 0});
        walk(&best, a, a_count, b, b_count);
        memcpy(choice, best.choice, sizeof best.choice);
        *value = best.value;
    }
    hcbr_i_free(spots);
    hcbr_i_free(a);
    hcbr_i_free(b);
    return st;
}
