/*
 * The best alpha of a case with all other cases fixed: a step of the descent of linear_fit.c.
 *
 * The best alpha in (0, most) is where a/2 (z - alpha)^2 + b (z - alpha) + z log z + (most - z)
 * log(most - z) is least. The iteration is on the side that is nearer to a border, so that z never
 * loses its precision. Labels are independent: up to eight take their Newton steps in parallel, and
 * one that has converged stays where it is.
 */
#include "rich/linear/linear_fit.h"
#include "rich/rich_math.h"

#define NEWTON_STEPS 30
#define LANES HCBR_I_LOG_BLOCK

typedef hcbr_i_rich_pair pair;
typedef hcbr_i_rich_bits bits;

/* Some labels of a case. */
typedef struct lanes {
    double most, a, least; /* of all; slopes that are no larger are 0 */
    uint32_t count, even;  /* labels, rounded up to pairs */
    double side[LANES];    /* b, or -b if the other side is iterated */
    double old[LANES], z[LANES];
    double ratio[LANES]; /* z / (most - z), then its logarithm */
    double slope[LANES];
} lanes;

/* Compute the slopes at z. */
static inline void look(lanes *x) {
    for (uint32_t i = 0; i < x->count; i++)
        x->ratio[i] = x->z[i] / (x->most - x->z[i]);
    hcbr_i_log_block(x->ratio);
    for (uint32_t i = 0; i < x->count; i++)
        x->slope[i] = x->a * (x->z[i] - x->old[i]) + x->side[i] + x->ratio[i];
}

/* Step all that have not converged. False: all have. */
static bool step_all(lanes *x) {
    const pair zero = {0, 0};
    bits any = {0, 0};
    for (uint32_t i = 0; i < x->even; i += 2) {
        pair z = hcbr_i_rich_get_pair(x->z + i), slope = hcbr_i_rich_get_pair(x->slope + i);
        bits open = (bits)(slope > x->least) | (bits)(-slope > x->least);
        pair next = z - slope / (x->a + x->most / ((x->most - z) * z));
        next = hcbr_i_rich_select((bits)(next <= zero), 0.1 * z, next);
        hcbr_i_rich_put_pair(x->z + i, hcbr_i_rich_select(open, next, z));
        any |= open;
    }
    return (any[0] | any[1]) != 0;
}

/* The start of an iteration: nearer to the border than to the middle; but not next to 0, where
 * steps are short, if the way is long. */
static inline double start_of(double old, double slope, double most) {
    double first = 0.1 * most < 1 ? 0.1 * most : 1;
    if (most - old < 0.5 * most)
        return 0.1 * old;
    return slope < -2 && old < 0.1 * first ? first : old;
}

/* Start all iterations. */
static void begin(lanes *x, const double *alpha, const double *logit, const double *b, bool *swap) {
    bool far = false;
    for (uint32_t i = x->count; i < LANES; i++) { // unused lanes: converged
        x->z[i] = x->old[i] = 0.5 * x->most;
        x->ratio[i] = 1;
        x->slope[i] = 0;
    }
    for (uint32_t i = 0; i < x->count; i++) {
        double other = x->most - alpha[i];
        swap[i] = 0.5 * x->a * (other - alpha[i]) + b[i] < 0;
        x->side[i] = swap[i] ? -b[i] : b[i];
        x->old[i] = x->z[i] = swap[i] ? other : alpha[i];
        x->ratio[i] = swap[i] ? -logit[i] : logit[i];
        x->slope[i] = x->side[i] + x->ratio[i];
        double start = start_of(x->z[i], x->slope[i], x->most);
        far |= start != x->z[i];
        x->z[i] = start;
    }
    if (far)
        look(x);
}

/* The same for one label, by the same operations. */
static void best_one(double *alpha, double *logit, double b, double most, double a, double least) {
    double other = most - *alpha;
    bool swap = 0.5 * a * (other - *alpha) + b < 0;
    double side = swap ? -b : b, old = swap ? other : *alpha, z = old;
    double ratio = swap ? -*logit : *logit, slope = side + ratio;
    double start = start_of(z, slope, most);
    if (start != z) {
        z = start;
        ratio = hcbr_i_log(z / (most - z));
        slope = a * (z - old) + side + ratio;
    }
    for (int i = 0; i < NEWTON_STEPS && fabs(slope) > least; i++) {
        double next = z - slope / (a + most / ((most - z) * z));
        z = next <= 0 ? 0.1 * z : next;
        ratio = hcbr_i_log(z / (most - z));
        slope = a * (z - old) + side + ratio;
    }
    *alpha = swap ? most - z : z;
    *logit = swap ? -ratio : ratio;
}

void hcbr_i_rich_best_alphas(double *alpha, double *logit, const double *b, uint32_t count,
                             double most, double a, double least) {
    if (count == 1) {
        best_one(alpha, logit, b[0], most, a, least);
        return;
    }
    lanes x; // initialised only as far as needed
    bool swap[LANES];
    x.most = most;
    x.a = a;
    x.least = least;
    x.count = count;
    x.even = (count + 1) / 2 * 2;
    begin(&x, alpha, logit, b, swap);
    for (int i = 0; i < NEWTON_STEPS && step_all(&x); i++)
        look(&x);
    for (uint32_t i = 0; i < count; i++) {
        alpha[i] = swap[i] ? most - x.z[i] : x.z[i];
        logit[i] = swap[i] ? -x.ratio[i] : x.ratio[i];
    }
}
