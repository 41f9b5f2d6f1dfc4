/*
 * How certain supports of several labels are, by the definition: probabilities are the softmax of
 * scale * size^-power * support; both numbers by Newton's method on the log-loss of the held-out
 * copies, pulled to 1 and 0, power between 0 and 1.
 */
#include "reference/naive_rich.h"

typedef struct state {
    double loss, gradient[2], hessian[2][2];
} state;

double naive_size(const double *support, uint32_t labels) {
    double mean = 0, sum = 0;
    for (uint32_t l = 0; l < labels; l++)
        mean += support[l] / labels;
    for (uint32_t l = 0; l < labels; l++)
        sum += (support[l] - mean) * (support[l] - mean) / labels;
    return sqrt(sum);
}

/* One held-out copy of weight w; the exponent of its factor is theta . (1, -log size). */
static void add(state *s, const double *support, uint32_t labels, uint32_t own, double w,
                const double theta[2]) {
    double size = naive_size(support, labels), p[NAIVE_LABELS], z[NAIVE_LABELS], mean = 0, sum = 0;
    double x[2] = {1, 0}, spread = 0;
    if (size < 0x1p-200) {
        s->loss += w * naive_log(labels);
        return;
    }
    x[1] = -naive_log(size);
    for (uint32_t l = 0; l < labels; l++)
        z[l] = naive_exp(theta[0] + theta[1] * x[1]) * support[l];
    naive_softmax(z, labels, p);
    for (uint32_t l = 0; l < labels; l++)
        mean += p[l] * z[l];
    for (uint32_t l = 0; l < labels; l++)
        spread += p[l] * (z[l] - mean) * (z[l] - mean);
    for (uint32_t l = 0; l < labels; l++)
        sum += naive_exp(z[l] - z[own]);
    s->loss += w * naive_log(sum);
    for (uint32_t a = 0; a < 2; a++) {
        s->gradient[a] += w * (mean - z[own]) * x[a];
        for (uint32_t b = 0; b < 2; b++)
            s->hessian[a][b] += w * spread * x[a] * x[b];
    }
}

/* What supports are found by, and which are looked at. */
typedef struct look {
    const naive_stack *stack;
    const naive_table *table;
    const bool *on, *looked;
    naive_held *const *held;
    uint32_t folds, every;
} look;

static state evaluate(const look *x, const double theta[2]) {
    const naive_table *t = x->table;
    state s = {.loss = 2.5 * (theta[0] * theta[0] + theta[1] * theta[1]),
               .gradient = {5 * theta[0], 5 * theta[1]},
               .hessian = {{5, 0}, {0, 5}}};
    for (uint32_t i = 0, n = 0; i < t->rows; i++) {
        double support[NAIVE_LABELS];
        bool counts = x->looked[i] && n % x->every == 0;
        n += x->looked[i];
        if (!counts || !(x->folds >> t->row[i].fold & 1))
            continue;
        for (uint32_t l = 0; l < t->labels; l++) {
            support[l] = x->stack->bias[l];
            for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
                support[l] += x->on[f] ? x->stack->trust[f] * x->held[f]->support[i][l] : 0;
        }
        add(&s, support, t->labels, t->row[i].label, t->row[i].weight, theta);
    }
    return s;
}

void naive_temperature(naive_stack *stack, const naive_table *table, const bool on[NAIVE_FAMILIES],
                       naive_held *const held[NAIVE_FAMILIES], const bool looked[NAIVE_ROWS],
                       uint32_t folds, uint32_t every) {
    const look x = {stack, table, on, looked, held, folds, every};
    double theta[2] = {0, 0}, gain = 1;
    stack->scale = 1;
    stack->power = 0;
    if (table->labels < 3)
        return;
    state now = evaluate(&x, theta), next = now;
    for (int step = 0; step < 30 && gain >= 1e-6 * (1 + now.loss); step++) {
        double(*h)[2] = now.hessian, *g = now.gradient;
        double det = h[0][0] * h[1][1] - h[0][1] * h[1][0], by[2], to[2], part = 1;
        bool stays = (theta[1] <= 0 && g[1] > 0) || (theta[1] >= 1 && g[1] < 0) || !(det > 0);
        by[0] = stays ? g[0] / h[0][0] : (h[1][1] * g[0] - h[0][1] * g[1]) / det;
        by[1] = stays ? 0 : (h[0][0] * g[1] - h[1][0] * g[0]) / det;
        for (int half = 0; half < 20; half++, part /= 2) {
            to[0] = theta[0] - part * by[0];
            to[1] = fmin(fmax(theta[1] - part * by[1], 0), 1);
            next = evaluate(&x, to);
            if (next.loss <= now.loss)
                break;
        }
        if (!(next.loss <= now.loss))
            break;
        gain = now.loss - next.loss;
        now = next;
        memcpy(theta, to, sizeof to);
    }
    if (theta[1] > 0) {
        stack->scale = naive_exp(theta[0]);
        stack->power = theta[1];
    }
}
