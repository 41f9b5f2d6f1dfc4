/*
 * A better mu as a convex problem: logistic regression of the labels on the weights w(e,x), with a
 * penalty lambda/2 |v - c mu|^2 for the distance from a multiple of the old strengths, for lambda
 * from large to small, each starting from the last. The multiple is the one with the least loss.
 *
 * A support decides by its sign, so mu may be multiplied by any positive number. As the weights of
 * a case of the training part add up to 1, a number added to all strengths is a threshold of the
 * supports; the best one is found by sorting. The result is scaled to be as close to the old
 * strengths as possible, and moved towards them while that raises the fitness.
 *
 * Newton's method, each step by conjugate gradients: the matrix is never built, two passes over the
 * weights multiply by it. Frequent atoms have a large curvature and rare ones a small one; divided
 * by the diagonal of the matrix, all components are alike, and a few products are enough.
 */
#include "space.h"

#include <math.h>

enum { NEWTON = 12, CONJUGATE = 24, TRIES = 16, SHORTENINGS = 20, MULTIPLES = 8 };
static const double LAMBDA[] = {30, 3, 0.3, 0.03, 0.003};
enum { LAMBDAS = sizeof LAMBDA / sizeof LAMBDA[0] };

typedef struct scored {
    double support;
    double positives, negatives;
} scored;

typedef struct solver {
    const space *train; /* as given */
    space_rows rows;    /* for the solver: each distinct row once, with its cases */
    double scale;       /* factor of the weights */
    double lambda;
    uint32_t n;       /* atoms; after them the threshold, which has no penalty */
    double *v, *step; /* n + 1 each */
    double *gradient, *residual, *direction, *product, *best;
    double *diagonal;          /* of the curvature */
    double *centre;            /* what the penalty moves v towards */
    double *z, *curve, *moved; /* by row: W v, p (1 - p), W step */
    scored *order;
} solver;

/* ---- products with W ------------------------------------------------------------------------- */

static void multiply(const solver *s, const double *v, double *out) {
    const space *t = &s->rows.matrix;
    for (uint32_t i = 0; i < t->case_count; i++) {
        double sum = 0;
        for (uint64_t j = t->start[i]; j < t->start[i + 1]; j++)
            sum += t->weight[j] * v[t->atom[j]];
        out[i] = s->scale * sum + v[s->n];
    }
}

static void multiply_back(const solver *s, const double *by_case, double *out) {
    const space *t = &s->rows.matrix;
    memset(out, 0, ((size_t)s->n + 1) * sizeof *out);
    for (uint32_t i = 0; i < t->case_count; i++) {
        double x = s->scale * by_case[i];
        for (uint64_t j = t->start[i]; j < t->start[i + 1]; j++)
            out[t->atom[j]] += t->weight[j] * x;
        out[s->n] += by_case[i];
    }
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- Newton's method ------------------------------------------------------------------------- */

static double loss_of(const solver *s, const double *v, const double *z) {
    double sum = 0;
    for (uint32_t i = 0; i < s->rows.matrix.case_count; i++) {
        double count = s->rows.cases[i], positives = s->rows.positives[i], size = fabs(z[i]);
        double wrong = z[i] > 0 ? count - positives : positives;
        sum += wrong * size + count * log1p(exp(-size));
    }
    double square = 0;
    for (uint32_t e = 0; e < s->n; e++)
        square += (v[e] - s->centre[e]) * (v[e] - s->centre[e]);
    return sum + 0.5 * s->lambda * square;
}

/* Gradient, and the curvature of each row. */
static void look(solver *s) {
    for (uint32_t i = 0; i < s->rows.matrix.case_count; i++) {
        double p = 1 / (1 + exp(-s->z[i]));
        s->curve[i] = s->rows.cases[i] * p * (1 - p);
        s->moved[i] = s->rows.cases[i] * p - s->rows.positives[i];
    }
    multiply_back(s, s->moved, s->gradient);
    for (uint32_t e = 0; e < s->n; e++)
        s->gradient[e] += s->lambda * (s->v[e] - s->centre[e]);
}

/* diagonal of W' C W + lambda; 1 where that is 0 */
static void curve_diagonal(solver *s) {
    const space *t = &s->rows.matrix;
    double square = s->scale * s->scale;
    memset(s->diagonal, 0, ((size_t)s->n + 1) * sizeof *s->diagonal);
    for (uint32_t i = 0; i < t->case_count; i++) {
        double x = square * s->curve[i];
        for (uint64_t j = t->start[i]; j < t->start[i + 1]; j++)
            s->diagonal[t->atom[j]] += t->weight[j] * t->weight[j] * x;
        s->diagonal[s->n] += s->curve[i];
    }
    for (uint32_t e = 0; e < s->n; e++)
        s->diagonal[e] += s->lambda;
    if (!(s->diagonal[s->n] > 0))
        s->diagonal[s->n] = 1;
}

/* product = (W' C W + lambda) direction */
static void curve_product(solver *s) {
    multiply(s, s->direction, s->moved);
    for (uint32_t i = 0; i < s->rows.matrix.case_count; i++)
        s->moved[i] *= s->curve[i];
    multiply_back(s, s->moved, s->product);
    for (uint32_t e = 0; e < s->n; e++)
        s->product[e] += s->lambda * s->direction[e];
}

/* residual' diagonal^-1 residual */
static double weighted_square(const solver *s) {
    double sum = 0;
    for (size_t e = 0; e <= s->n; e++)
        sum += s->residual[e] * s->residual[e] / s->diagonal[e];
    return sum;
}

/* step = - curvature^-1 gradient, roughly */
static void conjugate(solver *s) {
    size_t m = (size_t)s->n + 1;
    memset(s->step, 0, m * sizeof *s->step);
    curve_diagonal(s);
    for (size_t e = 0; e < m; e++) {
        s->residual[e] = -s->gradient[e];
        s->direction[e] = s->residual[e] / s->diagonal[e];
    }
    double square = weighted_square(s), enough = 0.01 * square;
    for (int k = 0; k < CONJUGATE && square > enough; k++) {
        curve_product(s);
        double curvature = dot(s->direction, s->product, m);
        if (!(curvature > 0))
            break;
        double rate = square / curvature;
        for (size_t e = 0; e < m; e++) {
            s->step[e] += rate * s->direction[e];
            s->residual[e] -= rate * s->product[e];
        }
        double next = weighted_square(s);
        for (size_t e = 0; e < m; e++)
            s->direction[e] = s->residual[e] / s->diagonal[e] + next / square * s->direction[e];
        square = next;
    }
}

/* Go along the step while the loss falls; false if it does not. */
static bool walk(solver *s, double *loss) {
    size_t m = (size_t)s->n + 1;
    double slope = dot(s->gradient, s->step, m);
    double rate = 1;
    for (int k = 0; k < SHORTENINGS; k++) {
        for (size_t e = 0; e < m; e++)
            s->direction[e] = s->v[e] + rate * s->step[e];
        multiply(s, s->direction, s->moved);
        double found = loss_of(s, s->direction, s->moved);
        if (found <= *loss + 1e-4 * rate * slope) {
            bool more = *loss - found > 1e-4 * *loss;
            memcpy(s->v, s->direction, m * sizeof *s->v);
            memcpy(s->z, s->moved, s->rows.matrix.case_count * sizeof *s->z);
            *loss = found;
            return more;
        }
        rate *= 0.5;
    }
    return false;
}

static hcbr_status solve(solver *s, const study_stop *stop, hcbr_error *err) {
    multiply(s, s->v, s->z);
    double loss = loss_of(s, s->v, s->z);
    for (int k = 0; k < NEWTON; k++) {
        hcbr_status st = study_stopped(stop, err);
        if (st != HCBR_OK)
            return st;
        look(s);
        conjugate(s);
        if (!walk(s, &loss))
            break;
    }
    return HCBR_OK;
}

/* ---- thresholds and scale -------------------------------------------------------------------- */

static int by_support(const void *a, const void *b) {
    const scored *x = a, *y = b;
    return (x->support > y->support) - (x->support < y->support);
}

/* What to add to all strengths for the best MCC on the training cases; 0 if that is best. */
static double best_shift(const solver *s, const double *mu) {
    const space *t = &s->rows.matrix;
    double tp = 0, fp = 0, fn = 0, tn = 0, shift = 0, best = space_mcc(s->train, mu);
    for (uint32_t i = 0; i < t->case_count; i++) {
        double sum = 0, positives = s->rows.positives[i];
        for (uint64_t j = t->start[i]; j < t->start[i + 1]; j++)
            sum += t->weight[j] * mu[t->atom[j]];
        s->order[i] = (scored){sum, positives, s->rows.cases[i] - positives};
        tp += positives;
        fp += s->order[i].negatives;
    }
    qsort(s->order, t->case_count, sizeof *s->order, by_support);
    for (uint32_t i = 0; i + 1 < t->case_count; i++) {
        tp -= s->order[i].positives;
        fp -= s->order[i].negatives;
        fn += s->order[i].positives;
        tn += s->order[i].negatives;
        double below = s->order[i].support, above = s->order[i + 1].support;
        double found = space_mcc_of(tp, fp, fn, tn);
        if (found > best && above - below > 1e-9 * (fabs(below) + fabs(above))) {
            best = found;
            shift = -0.5 * (below + above);
        }
    }
    return shift;
}

/* The strengths of a solution: shifted, and scaled to be as close to the old ones as possible. */
static void finish(const solver *s, const double *old, double *mu) {
    double shift = best_shift(s, mu);
    for (uint32_t e = 0; e < s->n; e++)
        mu[e] += shift;
    double square = dot(mu, mu, s->n), scale = square > 0 ? dot(mu, old, s->n) / square : 0;
    if (!(scale > 0)) // opposite directions: nearly 0 is closest
        scale = square > 0 ? 1e-6 * sqrt(dot(old, old, s->n) / square) : 0;
    for (uint32_t e = 0; scale > 0 && e < s->n; e++)
        mu[e] *= scale;
}

/* ---- the solver ------------------------------------------------------------------------------ */

static void solver_init(solver *s, const space *train) {
    size_t m = (size_t)train->atom_count + 1, n = train->case_count, entries;
    *s = (solver){.train = train, .n = train->atom_count};
    space_rows_make(&s->rows, train);
    entries = (size_t)train->start[train->case_count];
    s->scale = n ? fmax(1, (double)entries / (double)n) : 1;
    n = s->rows.matrix.case_count;
    s->v = study_alloc(m, 9 * sizeof *s->v);
    s->z = study_alloc(n, 3 * sizeof *s->z);
    s->order = study_alloc(n, sizeof *s->order);
    s->step = s->v + m;
    s->gradient = s->v + 2 * m;
    s->residual = s->v + 3 * m;
    s->direction = s->v + 4 * m;
    s->product = s->v + 5 * m;
    s->best = s->v + 6 * m;
    s->centre = s->v + 7 * m;
    s->diagonal = s->v + 8 * m;
    s->curve = s->z + n;
    s->moved = s->z + 2 * n;
}

static void solver_clear(solver *s) {
    space_rows_clear(&s->rows);
    free(s->v);
    free(s->z);
    free(s->order);
}

/* Go back towards the old strengths while that does not lower the fitness. */
static double approach(const solver *s, const double *old, double *mu) {
    double best = space_fitness(s->train, old, mu);
    double rate = 0.5;
    for (int k = 0; k < TRIES; k++) {
        for (uint32_t e = 0; e < s->n; e++)
            s->step[e] = mu[e] + rate * (old[e] - mu[e]);
        double found = space_fitness(s->train, old, s->step);
        if (found < best) {
            rate *= 0.5;
            continue;
        }
        best = found;
        memcpy(mu, s->step, s->n * sizeof *mu);
    }
    return best;
}

/* The multiple of the old strengths with the least loss: the start, and the centre of the
 * penalty. */
static void choose_centre(solver *s, const double *old) {
    uint32_t count = s->rows.matrix.case_count;
    double size = 0, best = INFINITY, multiple = 0;
    memcpy(s->direction, old, s->n * sizeof *old);
    s->direction[s->n] = 0;
    multiply(s, s->direction, s->moved);
    for (uint32_t i = 0; i < count; i++)
        size += s->rows.cases[i] * fabs(s->moved[i]) / s->train->case_count;
    s->lambda = 0;
    double m = 0.25;
    for (int k = 0; size > 0 && k < MULTIPLES; k++) {
        m *= 2;
        for (uint32_t i = 0; i < count; i++)
            s->z[i] = m / size * s->moved[i];
        double found = loss_of(s, s->v, s->z);
        if (found < best) {
            best = found;
            multiple = m / size;
        }
    }
    for (uint32_t e = 0; e < s->n; e++)
        s->v[e] = s->centre[e] = multiple * old[e];
}

/* Solution k: the old strengths with another threshold (-1), or that of penalty k. */
static hcbr_status solution(solver *s, int k, const space_job *job, hcbr_error *err) {
    if (k < 0) {
        memcpy(s->best, job->mu, s->n * sizeof *s->best);
    } else {
        s->lambda = LAMBDA[k];
        hcbr_status st = solve(s, job->stop, err);
        if (st != HCBR_OK)
            return st;
        for (uint32_t e = 0; e < s->n; e++)
            s->best[e] = s->scale * s->v[e] + s->v[s->n];
    }
    finish(s, job->mu, s->best);
    return HCBR_OK;
}

hcbr_status space_convex(double *out, const space_job *job, const space *held_out, int *choice,
                         hcbr_error *err) {
    solver s;
    bool choose = *choice == SPACE_CHOOSE;
    int last = choose ? LAMBDAS - 1 : *choice;
    hcbr_status st = HCBR_OK;
    solver_init(&s, job->train);
    choose_centre(&s, job->mu);
    /* the old strengths are a solution, too */
    memcpy(out, job->mu, s.n * sizeof *out);
    double best = held_out ? space_mcc(held_out, out) : space_fitness(job->train, job->mu, out);
    *choice = choose ? -2 : *choice;
    for (int k = -1; st == HCBR_OK && k <= last; k++) {
        st = solution(&s, k, job, err);
        double found = st != HCBR_OK ? NAN
                       : held_out    ? space_mcc(held_out, s.best)
                                     : approach(&s, job->mu, s.best);
        if (choose ? found > best : st == HCBR_OK && k == last) {
            best = found;
            *choice = k;
            memcpy(out, s.best, s.n * sizeof *out);
        }
    }
    solver_clear(&s);
    return st;
}
