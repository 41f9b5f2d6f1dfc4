/*
 * Exact bounds on a share, and the least strict limit whose error is bounded.
 *
 * A bound inverts the binomial distribution by bisection; its tail is summed from its largest term
 * on, where terms fall fast. To choose among several limits with the requested confidence, each is
 * tested at an equal part of the risk (Bonferroni). Then all bounds hold together, and any of them
 * may be chosen.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>

/* The limits tested: the surest 1/n, 2/n, ... of the answers. More limits leave less risk for each;
 * with few answers there are few limits. */
#define MOST_LIMITS 50
#define LEAST_LIMITS 5
#define ANSWERS_PER_LIMIT 50

/** log n!; the C library's own writes to a global variable. */
static double log_factorial(uint64_t n) {
    double x = (double)n + 1, shift = 0;
    while (x < 16) {
        shift -= hcbr_i_log(x);
        x += 1;
    }
    // Stirling's series for log Gamma: from 16 on the next term is below 1e-16.
    double square = 1 / (x * x);
    double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
    return shift + (x - 0.5) * hcbr_i_log(x) - x + 0.91893853320467274178 + series;
}

/** P(at most k of n), each with probability p. */
static double chance_up_to(uint64_t k, uint64_t n, double p) {
    if (k >= n || p <= 0)
        return 1;
    if (p >= 1)
        return 0;
    double mean = (double)n * p;
    bool upper = (double)k > mean; // sum the shorter side
    uint64_t i = upper ? k + 1 : k;
    double term = hcbr_i_exp(log_factorial(n) - log_factorial(i) - log_factorial(n - i) +
                             (double)i * hcbr_i_log(p) + (double)(n - i) * hcbr_i_log1p(-p));
    double sum = 0, odds = p / (1 - p);
    for (;;) {
        sum += term;
        if (term <= sum * 1e-17 || (upper ? i == n : i == 0))
            break;
        if (upper) {
            term *= (double)(n - i) / (double)(i + 1) * odds;
            i++;
        } else {
            term *= (double)i / (double)(n - i + 1) / odds;
            i--;
        }
    }
    return upper ? 1 - sum : sum;
}

double hcbr_i_bound_upper(uint64_t wrong, uint64_t count, double risk) {
    if (wrong >= count)
        return 1;
    double low = (double)wrong / (double)count, high = 1;
    for (int step = 0; step < 60; step++) {
        double middle = low + (high - low) / 2;
        if (chance_up_to(wrong, count, middle) > risk)
            low = middle;
        else
            high = middle;
    }
    return high; // the safe side
}

double hcbr_i_bound_lower(uint64_t wrong, uint64_t count, double risk) {
    return wrong == 0 ? 0 : 1 - hcbr_i_bound_upper(count - wrong, count, risk);
}

static int compare_answers(const void *a, const void *b) {
    const hcbr_i_answer *x = a, *y = b;
    int order = hcbr_i_order_double(y->sure, x->sure);
    if (!order)
        order = hcbr_i_order_u32(x->wrong, y->wrong);
    return order ? order : hcbr_i_order_double(x->weight, y->weight);
}

void hcbr_i_limit_find(hcbr_i_answer *answers, size_t count, double max_error, double risk,
                       hcbr_i_limit *out) {
    size_t taken = 0;
    double all = 0, sum = 0, wrong = 0;
    *out = (hcbr_i_limit){.above = INFINITY, .bound = 1};
    if (count)
        qsort(answers, count, sizeof *answers, compare_answers);
    for (size_t i = 0; i < count; i++)
        all += answers[i].weight;
    double wanted = fmin(fmax(floor(all / ANSWERS_PER_LIMIT), LEAST_LIMITS), MOST_LIMITS);
    uint32_t limits = (uint32_t)wanted;
    for (uint32_t i = 1; i <= limits; i++) {
        double end = floor(all * i / limits);
        // Answers with equal certainty are given or withheld together.
        while (taken < count &&
               (sum < end || (taken > 0 && answers[taken].sure == answers[taken - 1].sure))) {
            sum += answers[taken].weight;
            wrong += answers[taken].wrong ? answers[taken].weight : 0;
            taken++;
        }
        if (sum < 1)
            continue;
        double bound =
            hcbr_i_bound_upper((uint64_t)ceil(wrong), (uint64_t)floor(sum), risk / limits);
        if (bound <= max_error)
            *out = (hcbr_i_limit){
                .above = taken < count ? answers[taken].sure : -INFINITY,
                .least = answers[taken - 1].sure,
                .answered = (uint64_t)floor(sum),
                .wrong = (uint64_t)ceil(wrong),
                .share = sum / all,
                .bound = bound,
            };
    }
}
