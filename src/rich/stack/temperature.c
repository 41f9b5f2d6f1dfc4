/*
 * The temperature of supports of several labels, learnt on the held-out cases.
 *
 * Supports are sums over groups, and groups are not independent: with many of them, as in a case of
 * fifty words, the sum is too large. Probabilities are therefore the softmax of scale * size^-power
 * * support, size being the standard deviation of the supports. Both numbers minimise the log-loss
 * of the held-out cases, given the trust in each family; like biases, they have a penalty towards
 * no change. The order of labels does not change, and reasons, which add up to supports, are
 * unaffected. If large supports are as reliable as small ones power is 0, and probabilities are the
 * softmax of the supports.
 */
#include "rich/rich.h"
#include "rich/rich_math.h"

#define STEPS 30
#define HALVINGS 20
#define PULL 5.0 /* in cases */

typedef struct problem {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_stack *stack;
    double *const *held; /* by family */
    uint32_t folds;      /* the folds to learn from, a bit each */
    uint32_t every;      /* stride in the sample */
    double *support;     /* by label, of the current case */
    double *share;
    double gradient[2], hessian[3]; /* of log(scale) and power; the mixed derivative in the
                                       middle */
} problem;

/* One held-out case: its loss, and its derivatives as log(scale) - power * log(size) rises. */
static double add(problem *p, const double theta[2], double w, uint32_t own) {
    uint32_t labels = p->table->labels;
    double size = hcbr_i_rich_size(p->support, labels), sum = 0, mean = 0, spread = 0;
    if (size < HCBR_I_RICH_LEAST_SIZE) // all are equal, at any scale
        return w * hcbr_i_log(labels);
    double at = -hcbr_i_log(size), by = hcbr_i_rich_exp(theta[0] + theta[1] * at);
    double most = p->support[0];
    for (uint32_t l = 1; l < labels; l++)
        most = fmax(most, p->support[l]);
    for (uint32_t l = 0; l < labels; l++)
        sum += p->share[l] = hcbr_i_rich_exp(by * (p->support[l] - most));
    for (uint32_t l = 0; l < labels; l++)
        mean += p->share[l] / sum * (by * (p->support[l] - most));
    for (uint32_t l = 0; l < labels; l++) {
        double apart = by * (p->support[l] - most) - mean;
        spread += p->share[l] / sum * apart * apart;
    }
    double off = mean - by * (p->support[own] - most);
    p->gradient[0] += w * off;
    p->gradient[1] += w * off * at;
    p->hessian[0] += w * spread;
    p->hessian[1] += w * spread * at;
    p->hessian[2] += w * spread * at * at;
    return w * (hcbr_i_log(sum) - by * (p->support[own] - most));
}

static double evaluate(problem *p, const double theta[2]) {
    const hcbr_i_rich_table *t = p->table;
    double loss = 0.5 * PULL * (theta[0] * theta[0] + theta[1] * theta[1]);
    for (uint32_t j = 0; j < 2; j++)
        p->gradient[j] = PULL * theta[j];
    p->hessian[0] = p->hessian[2] = PULL;
    p->hessian[1] = 0;
    for (uint32_t i = 0; i < t->sample_count; i += p->every) {
        uint32_t row = hcbr_i_rich_sample_row(t, i);
        if (!(p->folds >> t->fold[row] & 1))
            continue;
        hcbr_i_rich_stack_support(p->stack, p->held, i, t->labels, p->support);
        loss += add(p, theta, t->weight[row], t->label[row]);
    }
    return loss;
}

/* The step of both; of the first alone if the second is at its border and would leave it. */
static void find_step(const problem *p, const double theta[2], double step[2]) {
    const double *h = p->hessian, *g = p->gradient;
    double det = h[0] * h[2] - h[1] * h[1];
    bool alone = (theta[1] <= 0 && g[1] > 0) || (theta[1] >= 1 && g[1] < 0) || !(det > 0);
    step[0] = alone ? g[0] / h[0] : (h[2] * g[0] - h[1] * g[1]) / det;
    step[1] = alone ? 0 : (h[0] * g[1] - h[1] * g[0]) / det;
}

/* Newton's steps, halved while the loss grows, power between 0 and 1. */
static void minimise(problem *p, const hcbr_i_rich_options *o, double theta[2]) {
    double loss = evaluate(p, theta), after = loss;
    for (int i = 0; i < STEPS; i++) {
        double from[2] = {theta[0], theta[1]}, step[2], part = 1;
        find_step(p, theta, step);
        for (int half = 0; half < HALVINGS; half++) {
            theta[0] = from[0] - part * step[0];
            theta[1] = fmin(fmax(from[1] - part * step[1], 0), 1);
            if ((after = evaluate(p, theta)) <= loss)
                break;
            part /= 2;
        }
        bool worse = !(after <= loss);
        if (worse)
            memcpy(theta, from, sizeof from);
        if (worse || loss - after < 1e-6 * (1 + after) || hcbr_i_rich_go_on(o, NULL) != HCBR_OK)
            return;
        loss = after;
    }
}

bool hcbr_i_rich_temperature_fit(hcbr_i_rich_stack *stack, const hcbr_i_rich_table *table,
                                 const hcbr_i_rich_options *options,
                                 double *const held[HCBR_I_RICH_FAMILIES], uint32_t folds,
                                 uint32_t every) {
    uint32_t labels = table->labels;
    double theta[2] = {0, 0};
    stack->scale = 1;
    stack->power = 0;
    if (labels < 3)
        return true;
    problem p = {.table = table, .stack = stack, .held = held, .folds = folds, .every = every};
    p.support = hcbr_i_alloc(labels, 2 * sizeof *p.support);
    if (!p.support)
        return false;
    p.share = p.support + labels;
    minimise(&p, options, theta);
    if (theta[1] > 0) {
        stack->scale = hcbr_i_rich_exp(theta[0]);
        stack->power = theta[1];
    }
    hcbr_i_free(p.support);
    return true;
}
