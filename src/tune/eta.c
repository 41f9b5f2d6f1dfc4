/*
 * Candidates for the thresholds of a label (the family eta of METHOD 3), as the paper defines them,
 * with the sum of the values that each keeps.
 *
 * The points that pass a candidate are those above it in both coordinates. Candidates are visited
 * in descending order of support while points enter a tree of sums (Fenwick) over the ranks of
 * shares, so that n candidates cost n log n instead of n^2. Invariant: a candidate's sums are those
 * of the points for which hcbr_i_eta_passes() holds.
 */
#include "tune/tune.h"

#include <stdlib.h>

double hcbr_i_eta_share(double winner, double other) {
    if (other < 0)
        return 1; // evidence against the other label: passes any share
    return winner > 0 ? winner / (winner + other) : 0.5;
}

bool hcbr_i_eta_passes(hcbr_i_eta eta, double support, double share) {
    return (eta.support <= 0 || support > eta.support) && (eta.share < 0.5 || share > eta.share);
}

/** A candidate with the first of the sorted supports and of the sorted shares that pass it. */
typedef struct corner {
    hcbr_i_eta eta;
    size_t from_support, from_share;
} corner;

typedef struct search {
    hcbr_i_eta_point *points; /* by support */
    size_t count;
    double *supports, *shares; /* sorted, equal ones repeated */
    corner *corners;
    size_t corner_count;
    int64_t *tree;
} search;

static int compare_points(const void *a, const void *b) {
    return hcbr_i_order_double(((const hcbr_i_eta_point *)a)->support,
                               ((const hcbr_i_eta_point *)b)->support);
}

/* The simplest first, then by share and support. */
static int compare_corners(const void *a, const void *b) {
    const corner *x = a, *y = b;
    int thresholds =
        ((x->eta.support > 0) + (x->eta.share > 0)) - ((y->eta.support > 0) + (y->eta.share > 0));
    if (thresholds)
        return thresholds;
    int order = hcbr_i_order_double(x->eta.share, y->eta.share);
    return order ? order : hcbr_i_order_double(x->eta.support, y->eta.support);
}

static int compare_starts(const void *a, const void *b) {
    const corner *x = *(const corner *const *)a, *y = *(const corner *const *)b;
    return hcbr_i_order_u64(y->from_support, x->from_support);
}

/** The number of sorted values not above x. */
static size_t count_up_to(const double *values, size_t count, double x) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** The number of sorted values below x. */
static size_t count_below(const double *values, size_t count, double x) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Between two values, never the upper one. */
static double between(double low, double high) {
    double middle = low + (high - low) / 2;
    return middle < high ? middle : low;
}

/** Half-way to the neighbour below (0 without one) or above (the value itself). */
static double beside(const double *values, size_t count, double x, bool below) {
    if (below) {
        size_t first = count_below(values, count, x);
        return first > 0 ? between(values[first - 1], x) : 0;
    }
    size_t next = count_up_to(values, count, x);
    return next < count ? between(x, values[next]) : x;
}

static void add_corner(search *s, double support, double share) {
    // The rule has no threshold for a support below 0 or a share below one half.
    hcbr_i_eta eta = {support > 0 ? support : 0, share >= 0.5 ? share : 0};
    if (eta.share >= 1)
        return;
    s->corners[s->corner_count++] = (corner){
        .eta = eta,
        .from_support = eta.support > 0 ? count_up_to(s->supports, s->count, eta.support) : 0,
        .from_share = eta.share > 0 ? count_up_to(s->shares, s->count, eta.share) : 0};
}

static void find_corners(search *s) {
    add_corner(s, 0, 0);
    if (s->count > 0)
        add_corner(s, s->supports[s->count - 1], 0);
    for (size_t i = 0; i < s->count; i++) {
        const hcbr_i_eta_point *x = &s->points[i];
        double support = beside(s->supports, s->count, x->support, x->right);
        double share = beside(s->shares, s->count, x->share, x->right);
        add_corner(s, support, 0);
        add_corner(s, 0, share);
        add_corner(s, support, share);
    }
    qsort(s->corners, s->corner_count, sizeof *s->corners, compare_corners);
    size_t kept = 0;
    for (size_t i = 0; i < s->corner_count; i++)
        if (kept == 0 || compare_corners(&s->corners[kept - 1], &s->corners[i]) != 0)
            s->corners[kept++] = s->corners[i];
    s->corner_count = kept;
}

/* The tree counts from the highest share down, so that its prefixes pass. */
static void enter(search *s, const hcbr_i_eta_point *x) {
    size_t place = s->count - count_below(s->shares, s->count, x->share);
    for (; place <= s->count; place += place & (~place + 1))
        s->tree[place] += x->value;
}

static int64_t sum_above(const search *s, size_t from_share) {
    int64_t sum = 0;
    for (size_t place = s->count - from_share; place > 0; place &= place - 1)
        sum += s->tree[place];
    return sum;
}

static void sum_corners(search *s, const corner **order, hcbr_i_eta_candidate *out) {
    size_t next = s->count;
    for (size_t i = 0; i < s->corner_count; i++)
        order[i] = &s->corners[i];
    qsort(order, s->corner_count, sizeof *order, compare_starts);
    for (size_t i = 0; i < s->corner_count; i++) {
        hcbr_i_eta_candidate *to = &out[order[i] - s->corners];
        while (next > order[i]->from_support)
            enter(s, &s->points[--next]);
        to->eta = order[i]->eta;
        to->kept = sum_above(s, order[i]->from_share);
    }
}

hcbr_status hcbr_i_eta_candidates(hcbr_i_eta_point *points, size_t count,
                                  hcbr_i_eta_candidate **out, size_t *out_count, hcbr_error *err) {
    search s = {.points = points, .count = count};
    size_t most = count <= SIZE_MAX / 4 ? 3 * count + 2 : SIZE_MAX;
    hcbr_i_eta_candidate *found = NULL;
    hcbr_status st = HCBR_OK;
    *out = NULL;
    *out_count = 0;
    s.supports = hcbr_i_alloc(count, sizeof *s.supports);
    s.shares = hcbr_i_alloc(count, sizeof *s.shares);
    s.corners = hcbr_i_alloc(most, sizeof *s.corners);
    s.tree = hcbr_i_alloc_zero(count + 1, sizeof *s.tree);
    if (!s.supports || !s.shares || !s.corners || !s.tree) {
        st = hcbr_i_no_memory(err);
        goto done;
    }
    qsort(points, count, sizeof *points, compare_points);
    for (size_t i = 0; i < count; i++) {
        s.supports[i] = points[i].support;
        s.shares[i] = points[i].share;
    }
    qsort(s.shares, count, sizeof *s.shares, hcbr_i_compare_double);
    find_corners(&s);
    found = hcbr_i_alloc(s.corner_count, sizeof *found);
    const corner **order = hcbr_i_alloc(s.corner_count, sizeof *order);
    if (found && order) {
        sum_corners(&s, order, found);
        *out = found;
        *out_count = s.corner_count;
    } else {
        hcbr_i_free(found);
        st = hcbr_i_no_memory(err);
    }
    hcbr_i_free(order);

done:
    hcbr_i_free(s.tree);
    hcbr_i_free(s.corners);
    hcbr_i_free(s.shares);
    hcbr_i_free(s.supports);
    return st;
}

size_t hcbr_i_eta_best(const hcbr_i_eta_candidate *candidates, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (candidates[i].kept > candidates[best].kept)
            best = i;
    return best;
}
