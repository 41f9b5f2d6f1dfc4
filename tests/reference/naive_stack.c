/*
 * Trust in the families by the definition: Newton's method on the log-loss of the held-out cases,
 * with a pull towards equal trust; a trust that turns negative is 0 and the others are fitted
 * again.
 */
#include "reference/naive_rich.h"

enum { SIZE = NAIVE_FAMILIES + 1 }; /* trusts, and the bias of two labels */

typedef struct stack {
    const naive_table *table;
    naive_held *const *held;
    const bool *looked; /* by row: is it learnt from? */
    uint32_t folds;     /* that are learnt from, a bit each */
    uint32_t every;     /* of the cases learnt from is looked at */
    uint32_t biases;    /* labels that have one: with more than two, but not with very many */
    double pull, equal;
    bool on[SIZE];
    double theta[SIZE];
    double bias[NAIVE_LABELS]; /* of more than two labels */
    double gradient[SIZE], hessian[SIZE][SIZE];
    double bias_gradient[NAIVE_LABELS], bias_hessian[NAIVE_LABELS];
} stack;

/* Support of output l by each family; the last is the constant of two labels. */
static void parts_of(const stack *b, uint32_t i, uint32_t l, double part[SIZE]) {
    for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
        part[f] = b->on[f] ? b->held[f]->support[i][l] : 0;
    part[SIZE - 1] = b->table->labels == 2;
}

/* Loss of a held-out case: gradient and curvature by the differences of its parts from their mean
 * over the labels, each as likely as the stack says. */
static double add_case(stack *b, uint32_t i, double w) {
    uint32_t labels = b->table->labels, own = b->table->row[i].label;
    double part[NAIVE_LABELS][SIZE] = {{0}}, mean[SIZE] = {0};
    double score[NAIVE_LABELS] = {0}, p[NAIVE_LABELS];
    for (uint32_t l = 0; l < labels; l++) {
        if (labels > 2 || l == 1)
            parts_of(b, i, labels == 2 ? 0 : l, part[l]);
        score[l] = labels > 2 ? b->bias[l] : 0;
        for (uint32_t f = 0; f < SIZE; f++)
            score[l] += b->theta[f] * part[l][f];
    }
    naive_softmax(score, labels, p);
    for (uint32_t l = 0; l < labels; l++) {
        b->bias_gradient[l] += w * (p[l] - (l == own));
        b->bias_hessian[l] += w * p[l] * (1 - p[l]);
        for (uint32_t f = 0; f < SIZE; f++)
            mean[f] += p[l] * part[l][f];
    }
    for (uint32_t f = 0; f < SIZE; f++) {
        b->gradient[f] += w * (mean[f] - part[own][f]);
        for (uint32_t g = 0; g < SIZE; g++)
            for (uint32_t l = 0; l < labels; l++)
                b->hessian[f][g] += w * p[l] * (part[l][f] - mean[f]) * (part[l][g] - mean[g]);
    }
    double sum = 0, most = score[0];
    for (uint32_t l = 1; l < labels; l++)
        most = fmax(most, score[l]);
    for (uint32_t l = 0; l < labels; l++)
        sum += naive_exp(score[l] - most);
    return w * (naive_log(sum) + most - score[own]);
}

static double evaluate(stack *b) {
    const naive_table *t = b->table;
    double loss = 0;
    memset(b->gradient, 0, sizeof b->gradient);
    memset(b->hessian, 0, sizeof b->hessian);
    memset(b->bias_gradient, 0, sizeof b->bias_gradient);
    memset(b->bias_hessian, 0, sizeof b->bias_hessian);
    for (uint32_t i = 0, n = 0; i < t->rows; i++) {
        bool counts = b->looked[i] && n % b->every == 0;
        n += b->looked[i];
        if (counts && (b->folds >> t->row[i].fold & 1))
            loss += add_case(b, i, t->row[i].weight);
    }
    for (uint32_t l = 0; l < b->biases; l++) {
        loss += 0.5 * 5 * b->bias[l] * b->bias[l];
        b->bias_gradient[l] += 5 * b->bias[l];
        b->bias_hessian[l] += 5;
    }
    for (uint32_t f = 0; f < SIZE; f++) {
        double pull = f < NAIVE_FAMILIES ? b->pull : 1e-3;
        double away = b->theta[f] - (f < NAIVE_FAMILIES ? b->equal : 0);
        if (b->on[f]) {
            loss += 0.5 * pull * away * away;
            b->gradient[f] += pull * away;
            b->hessian[f][f] += pull;
            continue;
        }
        b->gradient[f] = 0; // it stays where it is
        for (uint32_t g = 0; g < SIZE; g++)
            b->hessian[f][g] = b->hessian[g][f] = f == g;
    }
    return loss;
}

/* hessian x step = gradient, by Gauss and Jordan. */
static void solve(const stack *b, double step[SIZE]) {
    double m[SIZE][SIZE + 1]; // a pivot that rounding has left next to nothing of is held off 0
    for (uint32_t f = 0; f < SIZE; f++) {
        memcpy(m[f], b->hessian[f], sizeof b->hessian[f]);
        m[f][SIZE] = b->gradient[f];
    }
    for (uint32_t f = 0; f < SIZE; f++) {
        m[f][f] = fmax(m[f][f], 1e-12 * b->hessian[f][f]);
        for (uint32_t g = 0; g < SIZE; g++) {
            double by = g == f ? 0 : m[g][f] / m[f][f];
            for (uint32_t h = f; h <= SIZE; h++)
                m[g][h] -= by * m[f][h];
        }
    }
    for (uint32_t f = 0; f < SIZE; f++)
        step[f] = m[f][SIZE] / m[f][f];
}

/* One step of Newton's, halved while it makes the loss larger. Returns whether to go on: it has
 * gained more than a little. */
static bool improve(stack *b, double *loss, double little) {
    double step[SIZE], bias_step[NAIVE_LABELS] = {0}, theta[SIZE], bias[NAIVE_LABELS], part = 1;
    solve(b, step);
    for (uint32_t l = 0; l < b->biases; l++)
        bias_step[l] = fmin(fmax(b->bias_gradient[l] / b->bias_hessian[l], -1), 1);
    memcpy(theta, b->theta, sizeof theta);
    memcpy(bias, b->bias, sizeof bias);
    double farthest = 0;
    for (int half = 0; half < 20 || (half < 200 && farthest > 1e-9); half++, part /= 2) {
        farthest = 0;
        for (uint32_t f = 0; f < SIZE; f++) {
            b->theta[f] = theta[f] - part * step[f];
            farthest = fmax(farthest, fabs(part * step[f]));
        }
        for (uint32_t l = 0; l < NAIVE_LABELS; l++) {
            b->bias[l] = bias[l] - part * bias_step[l];
            farthest = fmax(farthest, fabs(part * bias_step[l]));
        }
        double after = evaluate(b), gain = *loss - after;
        if (after <= *loss) {
            *loss = after;
            return farthest >= 1e-6 && gain >= little * (1 + after);
        }
    }
    memcpy(b->theta, theta, sizeof theta);
    memcpy(b->bias, bias, sizeof bias);
    return false;
}

static void minimise(stack *b, double little) {
    double loss = evaluate(b);
    for (int step = 0; step < 30 && improve(b, &loss, little); step++)
        continue;
}

void naive_stack_fit(naive_stack *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                     const bool on[NAIVE_FAMILIES], naive_held *const held[NAIVE_FAMILIES],
                     const bool looked[NAIVE_ROWS], uint32_t folds, uint32_t every) {
    stack b = {.table = table, .held = held, .looked = looked, .pull = tuning->stack_pull};
    b.folds = folds;
    b.biases = table->labels > 2 && table->labels <= tuning->many ? table->labels : 0;
    uint32_t families = 0;
    for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
        families += b.on[f] = on[f];
    b.on[SIZE - 1] = table->labels == 2;
    b.equal = families ? 1.0 / families : 0;
    for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
        b.theta[f] = on[f] ? b.equal : 0;
    uint32_t cases = 0;
    for (uint32_t i = 0; i < table->rows; i++)
        cases += looked[i];
    if (cases >= tuning->stack_many) {
        b.every = 8;
        minimise(&b, 1e-2);
    }
    b.every = every;
    for (uint32_t left = families; left > 0; left--) {
        minimise(&b, 3e-4);
        uint32_t least = 0;
        for (uint32_t f = 1; f < NAIVE_FAMILIES; f++)
            least = b.theta[f] < b.theta[least] ? f : least;
        if (b.theta[least] >= 0)
            break;
        b.on[least] = false;
        b.theta[least] = 0;
    }
    *out = (naive_stack){.bias = {0}};
    for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
        out->trust[f] = fmax(b.theta[f], 0);
    memcpy(out->bias, b.bias, sizeof b.bias);
    if (table->labels == 2)
        out->bias[0] = b.theta[SIZE - 1];
}
