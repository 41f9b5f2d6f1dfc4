/*
 * Platt's calibration: a logistic curve through held-out scores.
 *
 * The targets are (n+ + 1) / (n+ + 2) and 1 / (n- + 2) instead of 1 and 0, so that separable scores
 * have a finite solution. The objective is convex in slope and offset; Newton's method with halved
 * steps finds its minimum. Scores are first scaled to mean 0 and spread 1, since supports may be of
 * any size. A decreasing curve would contradict the scores: the slope is then 0.
 */
#include "tune/tune.h"

#include <math.h>

#define STEPS 100

typedef struct fit {
    const hcbr_i_scored *scored;
    size_t count;
    double centre, scale;    /* z = (score - centre) * scale */
    double target[2];        /* of negatives and positives */
    double slope, offset;    /* in z */
    double loss, g[2], h[3]; /* at them: objective, gradient, curvature (ss, so, oo) */
} fit;

static double sigmoid(double z) {
    return z >= 0 ? 1 / (1 + hcbr_i_exp(-z)) : hcbr_i_exp(z) / (1 + hcbr_i_exp(z));
}

/** -t log p - (1 - t) log (1 - p) at p = sigmoid(z), without overflow. */
static double log_loss(double z, double t) {
    return (z > 0 ? z : 0) + hcbr_i_log1p(hcbr_i_exp(-fabs(z))) - t * z;
}

static void evaluate(fit *f, double slope, double offset) {
    *f = (fit){.scored = f->scored,
               .count = f->count,
               .centre = f->centre,
               .scale = f->scale,
               .target = {f->target[0], f->target[1]},
               .slope = slope,
               .offset = offset};
    for (size_t i = 0; i < f->count; i++) {
        const hcbr_i_scored *x = &f->scored[i];
        double z = (x->score - f->centre) * f->scale, t = f->target[x->positive];
        double at = slope * z + offset, p = sigmoid(at), w = x->weight;
        f->loss += w * log_loss(at, t);
        f->g[0] += w * (p - t) * z;
        f->g[1] += w * (p - t);
        f->h[0] += w * p * (1 - p) * z * z;
        f->h[1] += w * p * (1 - p) * z;
        f->h[2] += w * p * (1 - p);
    }
}

static void prepare(fit *f) {
    double all = 0, squares = 0, class[2] = {0, 0};
    for (size_t i = 0; i < f->count; i++) {
        class[f->scored[i].positive] += f->scored[i].weight;
        f->centre += f->scored[i].weight * f->scored[i].score;
    }
    all = class[0] + class[1];
    f->centre = all > 0 ? f->centre / all : 0;
    for (size_t i = 0; i < f->count; i++) {
        double far = f->scored[i].score - f->centre;
        squares += f->scored[i].weight * far * far;
    }
    f->scale = squares > 0 ? 1 / sqrt(squares / all) : 0;
    if (!isfinite(f->scale))
        f->scale = 0; // all scores are one
    f->target[0] = 1 / (class[0] + 2);
    f->target[1] = (class[1] + 1) / (class[1] + 2);
    double prior = (class[0] * f -> target[0] + class[1] * f -> target[1]) / (all > 0 ? all : 1);
    f->offset = all > 0 ? hcbr_i_log(prior / (1 - prior)) : 0;
}

/* One Newton step, halved until it helps. Returns whether it did. */
static bool step(fit *f) {
    double ridge = 1e-12 * (f->h[0] + f->h[2]) + 1e-300;
    double a = f->h[0] + ridge, c = f->h[2] + ridge, b = f->h[1], det = a * c - b * b;
    double ds = -(c * f->g[0] - b * f->g[1]) / det, dof = -(a * f->g[1] - b * f->g[0]) / det;
    if (!isfinite(ds) || !isfinite(dof))
        return false;
    double part = 1;
    for (int halved = 0; halved < 33; halved++) {
        fit next = *f;
        evaluate(&next, f->slope + part * ds, f->offset + part * dof);
        if (next.loss < f->loss) {
            bool far = f->loss - next.loss > 1e-15 * f->loss;
            *f = next;
            return far;
        }
        part /= 2;
    }
    return false;
}

void hcbr_i_platt_fit(hcbr_i_scored *scored, size_t count, hcbr_i_platt *out) {
    fit f = {.scored = scored, .count = count};
    hcbr_i_scored_sort(scored, count); // sums do not depend on the input order
    prepare(&f);
    double prior = f.offset;
    evaluate(&f, 0, prior);
    for (int i = 0; i < STEPS && step(&f); i++)
        ;
    if (f.slope < 0)
        evaluate(&f, 0, prior);
    out->slope = f.slope * f.scale;
    out->offset = f.offset - f.slope * f.scale * f.centre;
}

double hcbr_i_platt_apply(const hcbr_i_platt *platt, double score) {
    return sigmoid(platt->slope * score + platt->offset);
}
