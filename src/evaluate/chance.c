/*
 * The effect of chance: confidence intervals by redrawing the confusion matrix, and the calibration
 * error of probabilities that are exactly right.
 *
 * Draws have a fixed seed and use the library's own functions, so the figures are the same
 * everywhere.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS = 1000, MOST_DRAWS = 20000000 };
#define MANY 25.0 /* variance from which a normal distribution is near enough */

/* ---- draws ----------------------------------------------------------------------------------- */

/* Above 0 and below 1. */
static double draw_unit(uint64_t *state) {
    return ((double)(hcbr_i_mix((*state)++) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method, one of the two. */
static double draw_normal(uint64_t *state) {
    for (;;) {
        double x = 2 * draw_unit(state) - 1, y = 2 * draw_unit(state) - 1, r = x * x + y * y;
        if (r > 0 && r < 1)
            return x * sqrt(-2 * hcbr_i_log(r) / r);
    }
}

static double draw_poisson(uint64_t *state, double mean) {
    if (mean >= MANY) {
        double drawn = nearbyint(mean + sqrt(mean) * draw_normal(state));
        return drawn > 0 ? drawn : 0;
    }
    double rest = draw_unit(state), term = hcbr_i_exp(-mean);
    unsigned count = 0;
    for (; rest > term && count < 1000; count++) {
        rest -= term;
        term *= mean / (count + 1);
    }
    return count;
}

/* A binomial draw of `count` trials with probability p. */
static double draw_binomial(uint64_t *state, double count, double p) {
    if (p > 0.5)
        return count - draw_binomial(state, count, 1 - p);
    if (!(p > 0))
        return 0;
    if (count * p * (1 - p) >= MANY) {
        double drawn = nearbyint(count * p + sqrt(count * p * (1 - p)) * draw_normal(state));
        return fmin(fmax(drawn, 0), count);
    }
    double rest = draw_unit(state), term = hcbr_i_exp(count * hcbr_i_log(1 - p));
    uint64_t true_ones = 0;
    for (; rest > term && (double)true_ones < count; true_ones++) {
        rest -= term;
        term *= (count - (double)true_ones) / (double)(true_ones + 1) * (p / (1 - p));
    }
    return (double)true_ones;
}

static int compare_values(const void *a, const void *b) {
    return hcbr_i_order_double(*(const double *)a, *(const double *)b);
}

/* ---- the confusion matrix -------------------------------------------------------------------- */

/*
 * Cells of the matrix of one repeat are drawn from Poisson distributions, together with one extra
 * case, on average, with any label as its answer: an unseen answer is not impossible, so a matrix
 * without mistakes has an interval too.
 */
typedef struct redraw {
    const hcbr_evaluation *e;
    uint32_t cells, room; /* of the matrix; of extra cases */
    uint32_t *truth;
    hcbr_label *label;
    double *weight;
    hcbr_i_counts counts;
    double *values[HCBR_METRIC_END]; /* NULL: not wanted */
} redraw;

/* Metrics with intervals from here; the others have exact ones. */
static bool is_wanted(const hcbr_evaluation *e, int metric) {
    return metric == HCBR_METRIC_MCC ||
           (e->positive < 0 && metric >= HCBR_METRIC_F1 && metric <= HCBR_METRIC_NPV);
}

static void redraw_clear(redraw *d) {
    hcbr_i_free(d->truth);
    hcbr_i_free(d->label);
    hcbr_i_free(d->weight);
    hcbr_i_counts_clear(&d->counts);
    for (int m = 0; m < HCBR_METRIC_END; m++)
        hcbr_i_free(d->values[m]);
}

static hcbr_status redraw_init(redraw *d, uint32_t runs, hcbr_error *err) {
    const hcbr_evaluation *e = d->e;
    d->cells = (uint32_t)e->confusion_count;
    d->room = d->cells + 16;
    d->truth = hcbr_i_alloc(d->room, sizeof *d->truth);
    d->label = hcbr_i_alloc(d->room, sizeof *d->label);
    d->weight = hcbr_i_alloc(d->room, sizeof *d->weight);
    bool ok = d->truth && d->label && d->weight;
    for (int m = 0; ok && m < HCBR_METRIC_END; m++)
        if (is_wanted(e, m))
            ok = (d->values[m] = hcbr_i_alloc(runs, sizeof *d->values[m]));
    if (!ok)
        return hcbr_i_no_memory(err);
    for (uint32_t n = 0; n < d->cells; n++) {
        d->truth[n] = (uint32_t)e->confusion[n].truth;
        d->label[n] = e->confusion[n].label;
    }
    return hcbr_i_counts_init(&d->counts, e->labels.count, err);
}

/* The label of a case that is drawn from all. */
static uint32_t draw_truth(const hcbr_i_counts *c, uint64_t *state) {
    double rest = draw_unit(state) * c->all;
    uint32_t l = 0;
    for (; l + 1 < c->label_count && rest >= c->truth[l]; l++)
        rest -= c->truth[l];
    return l;
}

static void draw_matrix(redraw *d, uint64_t *state) {
    const hcbr_evaluation *e = d->e;
    uint32_t n = 0, labels = e->labels.count;
    for (; n < d->cells; n++)
        d->weight[n] = draw_poisson(state, e->confusion[n].count / e->repeats);
    for (double more = draw_poisson(state, 1); more > 0 && n < d->room; more--, n++) {
        d->truth[n] = draw_truth(&e->counts, state);
        d->label[n] = (hcbr_label)hcbr_i_draw_below(state, labels);
        d->weight[n] = 1;
    }
    const hcbr_i_answers answers = {.count = n,
                                    .label_count = labels,
                                    .truth = d->truth,
                                    .label = d->label,
                                    .weight = d->weight};
    hcbr_i_counts *c = &d->counts;
    c->all = c->right = c->undecided = 0;
    memset(c->truth, 0, 4 * (size_t)labels * sizeof *c->truth); // all four
    hcbr_i_counts_add(c, &answers);
}

/* The middle 95 % of the draws, without those in which the metric does not exist. */
static hcbr_i_range middle(double *values, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++)
        if (!isnan(values[n]))
            values[kept++] = values[n];
    if (kept < count / 2)
        return (hcbr_i_range){NAN, NAN};
    qsort(values, kept, sizeof *values, compare_values);
    uint32_t out = kept / 40;
    return (hcbr_i_range){values[out], values[kept - 1 - out]};
}

hcbr_status hcbr_i_evaluation_redraw(hcbr_evaluation *e, hcbr_error *err) {
    redraw d = {.e = e};
    uint64_t state = 1;
    size_t most = MOST_DRAWS / (e->confusion_count + 1);
    uint32_t runs = most > RUNS ? RUNS : most < RUNS / 10 ? RUNS / 10 : (uint32_t)most;
    for (int m = 0; m < HCBR_METRIC_END; m++)
        e->chance[m] = (hcbr_i_range){NAN, NAN};
    if (e->has_costs)
        e->chance[HCBR_METRIC_COST] = hcbr_i_mean_range(e->paid, e->counts.all, e->repeats);
    if (e->part_count > 1 && !e->small)
        return HCBR_OK; // the parts give intervals
    hcbr_status st = redraw_init(&d, runs, err);
    for (uint32_t r = 0; st == HCBR_OK && r < runs; r++) {
        draw_matrix(&d, &state);
        for (int m = 0; m < HCBR_METRIC_END; m++)
            if (d.values[m])
                d.values[m][r] =
                    hcbr_i_counts_metric(&d.counts, (hcbr_metric)m, HCBR_LABEL_UNKNOWN);
    }
    for (int m = 0; st == HCBR_OK && m < HCBR_METRIC_END; m++)
        if (d.values[m])
            e->chance[m] = middle(d.values[m], runs);
    redraw_clear(&d);
    return st;
}

/* ---- probabilities --------------------------------------------------------------------------- */

/*
 * Within a bin the outcomes are drawn with its mean probability. Bins are narrow: the variance is
 * larger than that of single probabilities by a few percent at the most.
 */
hcbr_i_chance hcbr_i_bins_chance(const hcbr_i_bins *bins) {
    double errors[RUNS], sum = 0;
    uint64_t state = 2;
    for (int r = 0; r < RUNS; r++) {
        hcbr_i_bins drawn = *bins;
        for (size_t b = 0; b < HCBR_I_ECE_BINS; b++) {
            double cases = fmax(nearbyint(bins->count[b]), 1);
            if (bins->count[b] > 0)
                drawn.right[b] = draw_binomial(&state, cases, bins->sum[b] / bins->count[b]) /
                                 cases * bins->count[b];
        }
        errors[r] = hcbr_i_bins_error(&drawn);
        sum += errors[r];
    }
    qsort(errors, RUNS, sizeof *errors, compare_values);
    return (hcbr_i_chance){sum / RUNS, errors[RUNS - 1 - RUNS / 20]};
}
