/*
 * The best cut of scores of two labels: one threshold, or two with no decision between them.
 *
 * Scores are sorted and equal ones grouped. All measures and costs follow from the weights of both
 * labels up to a threshold. These are exact sums, so the result depends neither on the order of the
 * cases nor on whether a case of weight n is listed once or n times. Of equally good cuts the one
 * nearest to the neutral score is taken, or that score itself if it is in the same gap.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>

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

/* The possible cuts: before the first score, and after each different one. */
typedef struct places {
    const hcbr_i_cut_goal *goal;
    size_t count;
    double *at;        /* a score in the gap */
    double *weight[2]; /* by truth: of all scores before it */
    double sum[2];
} places;

/* Points that compare as equal are equal, so sums do not depend on the sort. */
static int compare_points(const void *a, const void *b) {
    const hcbr_i_cut_point *x = a, *y = b;
    int order = hcbr_i_order_double(x->score, y->score);
    if (!order)
        order = hcbr_i_order_u32(x->second, y->second);
    return order ? order : hcbr_i_order_double(x->weight, y->weight);
}

/* A score from low up to below high: the neutral one, else half-way. */
static double between(double low, double high, double neutral) {
    if (low <= neutral && neutral < high)
        return neutral;
    double half = low + (high - low) / 2;
    return half < high ? half : low;
}

static void fill(places *p, const hcbr_i_cut_point *points, size_t count) {
    double neutral = p->goal->neutral, least = p->goal->least, most = p->goal->most;
    double span = count ? points[count - 1].score - points[0].score : 0;
    if (!isfinite(least)) { // unbounded: go as far as the range of the scores
        span = span > 0 ? span : count && points[0].score != 0 ? fabs(points[0].score) : 1;
        least = count ? points[0].score - span : -span;
        most = count ? points[count - 1].score + span : span;
    }
    p->at[0] = between(least, count ? points[0].score : most, neutral);
    p->weight[0][0] = p->weight[1][0] = 0;
    p->count = 1;
    for (size_t i = 0; i < count;) {
        double score = points[i].score;
        for (; i < count && points[i].score == score; i++)
            p->sum[points[i].second] += points[i].weight;
        double next = i < count ? points[i].score : most;
        p->at[p->count] = next > score ? between(score, next, neutral) : score;
        p->weight[0][p->count] = p->sum[0];
        p->weight[1][p->count++] = p->sum[1];
    }
}

/* The cost of answering the first label up to place i, minus that of no answer. */
static double first_cost(const places *p, size_t i) {
    const double(*cost)[3] = p->goal->cost;
    return p->weight[0][i] * (cost[0][0] - cost[0][2]) +
           p->weight[1][i] * (cost[1][0] - cost[1][2]);
}

/* The same for answering the second label after it. */
static double second_cost(const places *p, size_t i) {
    const double(*cost)[3] = p->goal->cost;
    return (p->sum[0] - p->weight[0][i]) * (cost[0][1] - cost[0][2]) +
           (p->sum[1] - p->weight[1][i]) * (cost[1][1] - cost[1][2]);
}

/* How good one threshold is; larger is better. */
static double worth(const places *p, size_t i) {
    const hcbr_i_cut_goal *g = p->goal;
    if (g->by_cost)
        return -(p->weight[1][i] * g->cost[1][0] + (p->sum[0] - p->weight[0][i]) * g->cost[0][1]);
    double given[2] = {p->sum[0] - p->weight[0][i], p->sum[1] - p->weight[1][i]};
    if (g->positive == 0) {
        given[0] = p->weight[0][i];
        given[1] = p->weight[1][i];
    }
    return hcbr_i_measure_value(g->measure, given[g->positive], given[1 - g->positive],
                                g->all[g->positive], g->all[1 - g->positive]);
}

static size_t best_place(const places *p) {
    size_t best = 0;
    double most = worth(p, 0), neutral = p->goal->neutral;
    for (size_t i = 1; i < p->count; i++) {
        double value = worth(p, i);
        if (value > most ||
            (value == most && fabs(p->at[i] - neutral) < fabs(p->at[best] - neutral))) {
            most = value;
            best = i;
        }
    }
    return best;
}

/* Two thresholds: for every upper one the best lower one. As few cases as possible are refused. */
static void best_pair(const places *p, size_t *low, size_t *high) {
    size_t from = 0;
    double least = first_cost(p, 0), best = INFINITY;
    for (size_t i = 0; i < p->count; i++) {
        double first = first_cost(p, i);
        if (first <= least) {
            least = first;
            from = i;
        }
        double cost = least + second_cost(p, i);
        if (cost < best || (cost == best && i - from < *high - *low)) {
            best = cost;
            *low = from;
            *high = i;
        }
    }
}

hcbr_status hcbr_i_cut_best(hcbr_cut *out, hcbr_i_cut_point *points, size_t count,
                            const hcbr_i_cut_goal *goal, hcbr_error *err) {
    double *room = hcbr_i_alloc(count + 1, 3 * sizeof *room);
    places p = {.goal = goal, .at = room};
    size_t low = 0, high = 0;
    if (!room)
        return hcbr_i_no_memory(err);
    p.weight[0] = room + (count + 1);
    p.weight[1] = room + 2 * (count + 1);
    if (count)
        qsort(points, count, sizeof *points, compare_points);
    fill(&p, points, count);
    if (goal->by_cost && goal->refuses)
        best_pair(&p, &low, &high);
    else
        low = high = best_place(&p);
    *out = (hcbr_cut){p.at[low], p.at[high]};
    hcbr_i_free(room);
    return HCBR_OK;
}
