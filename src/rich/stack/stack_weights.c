/*
 * The trust in each family, learnt on supports of held-out cases.
 *
 * Minimised is the log-loss of sum_f beta_f s_f + bias over the held-out cases, plus a penalty that
 * pulls the betas towards equal trust and the biases towards 0; beta >= 0. Newton's method on at
 * most four numbers; a beta that turns negative is set to 0 and the others are fitted again. With
 * more than two labels each has a bias, with a step of its own in each of Newton's; with very many
 * labels, where only a sample of the cases is used, none has. The resulting probability is that of
 * the model. Sums over cases are exact: neither their order nor the threads matter.
 */
#include "rich/rich.h"
#include "rich/rich_math.h"

#define MOST (HCBR_I_RICH_FAMILIES + 1) /* betas and the bias */
#define STEPS 30
#define BIAS_PULL 5.0 /* in cases */
#define NEAR 3e-4     /* share of the loss: a step with less gain is the last */
#define FIRST 8u      /* with many cases, the stride of the first sample ... */
#define FAR 1e-2      /* ... until a step gains less than this */
#define CHUNK 1024u   /* cases that a thread takes at a time */

/* Sums over the cases. */
typedef struct sums {
    hcbr_i_exact loss, gradient[MOST], hessian[MOST][MOST]; /* of the last g <= f are used */
} sums;

/* The sums of a thread. */
typedef struct tally {
    sums sums;
    hcbr_i_exact *off; /* 2 x biases */
    double *share;     /* by label, and up to a whole block */
} tally;

typedef struct problem {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    double *const *held; /* by family */
    uint32_t folds;      /* the folds to learn from, a bit each */
    uint32_t every;      /* place of the sample that is looked at */
    bool on[MOST];
    uint32_t biases; /* labels with a bias of their own */
    double pull, equal;
    double *bias;   /* by label, with more than two */
    double *off;    /* 2 x labels: too much probability, and its curvature */
    double *step;   /* of the biases */
    double *before; /* and their values before it */
    double gradient[MOST], hessian[MOST][MOST];
    const double *theta; /* point at which sums are taken */
    tally *parts;        /* by thread */
    uint32_t threads;
} problem;

/* The supports at place i of the sample. */
static const double *support(const problem *p, uint32_t family, uint32_t i, uint32_t outputs) {
    return p->held[family] + (size_t)i * outputs;
}

/* Held-out cases of two labels that are added together. */
typedef struct batch {
    uint32_t count;
    double x[HCBR_I_RICH_MANY][MOST]; /* supports by family, and 1 for the bias */
    double s[HCBR_I_RICH_MANY], w[HCBR_I_RICH_MANY], y[HCBR_I_RICH_MANY];
} batch;

static void add_batch(const problem *p, sums *to, batch *b) {
    double e[HCBR_I_RICH_MANY] = {0}, small[HCBR_I_RICH_MANY] = {0};
    for (uint32_t j = 0; j < b->count; j++) {
        e[j] = -b->s[j];
        small[j] = -fabs(b->s[j]);
    }
    hcbr_i_rich_exp_many(e, hcbr_i_rich_whole_blocks(b->count));
    hcbr_i_rich_exp_many(small, hcbr_i_rich_whole_blocks(b->count));
    for (uint32_t j = 0; j < b->count; j++) {
        const double *x = b->x[j], s = b->s[j], w = b->w[j], y = b->y[j];
        double q = 1.0 / (1.0 + e[j]);
        for (uint32_t f = 0; f < MOST; f++) {
            if (!p->on[f])
                continue;
            hcbr_i_exact_add(&to->gradient[f], w * (q - y) * x[f]);
            for (uint32_t g = 0; g <= f; g++)
                if (p->on[g])
                    hcbr_i_exact_add(&to->hessian[f][g], w * q * (1 - q) * x[f] * x[g]);
        }
        double against = y > 0 ? -s : s; // log(1 + e^against) without overflow
        hcbr_i_exact_add(&to->loss, w * ((against > 0 ? against : 0) + hcbr_i_log1p(small[j])));
    }
    b->count = 0;
}

/* One held-out case of two labels. */
static void add_two(const problem *p, sums *to, batch *b, uint32_t i, double w, uint32_t own) {
    double *x = b->x[b->count], s = 0;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        x[f] = p->on[f] ? support(p, f, i, 1)[0] : 0;
    x[MOST - 1] = 1;
    for (uint32_t f = 0; f < MOST; f++)
        s += p->theta[f] * x[f];
    b->s[b->count] = s;
    b->w[b->count] = w;
    b->y[b->count++] = own;
    if (b->count == HCBR_I_RICH_MANY)
        add_batch(p, to, b);
}

/* One of many. */
static void add_many(const problem *p, tally *to, uint32_t i, double w, uint32_t own) {
    uint32_t labels = p->table->labels, whole = hcbr_i_rich_whole_blocks(labels);
    double *share = to->share;
    const double *s[HCBR_I_RICH_FAMILIES] = {0};
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        s[f] = p->on[f] ? support(p, f, i, labels) : NULL;
    double most = -1e300, sum = 0, mean[HCBR_I_RICH_FAMILIES] = {0};
    memcpy(share, p->bias, labels * sizeof *share);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        for (uint32_t l = 0; s[f] && l < labels; l++)
            share[l] += p->theta[f] * s[f][l];
    for (uint32_t l = 0; l < labels; l++)
        most = share[l] > most ? share[l] : most;
    double score = share[own] - most;
    for (uint32_t l = 0; l < whole; l++)
        share[l] = l < labels ? share[l] - most : 0;
    hcbr_i_rich_exp_many(share, whole);
    for (uint32_t l = 0; l < labels; l++)
        sum += share[l];
    for (uint32_t l = 0; l < labels; l++)
        share[l] /= sum;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        for (uint32_t l = 0; s[f] && l < labels; l++)
            mean[f] += share[l] * s[f][l];
    for (uint32_t l = 0; l < p->biases; l++) {
        hcbr_i_exact_add(&to->off[l], w * (share[l] - (l == own)));
        hcbr_i_exact_add(&to->off[labels + l], w * share[l] * (1 - share[l]));
    }
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++) {
        if (!s[f])
            continue;
        hcbr_i_exact_add(&to->sums.gradient[f], w * (mean[f] - s[f][own]));
        for (uint32_t g = 0; g <= f; g++) {
            double curvature = 0;
            for (uint32_t l = 0; s[g] && l < labels; l++)
                curvature += w * share[l] * (s[f][l] - mean[f]) * (s[g][l] - mean[g]);
            hcbr_i_exact_add(&to->sums.hessian[f][g], curvature);
        }
    }
    hcbr_i_exact_add(&to->sums.loss, w * (hcbr_i_log(sum) - score));
}

/* Sums over the held-out places of a range of the sample. */
static void add_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const problem *p = context;
    const hcbr_i_rich_table *t = p->table;
    tally *to = &p->parts[worker];
    batch b; // of two labels
    b.count = 0;
    for (uint32_t at = (uint32_t)begin; at < end; at++) {
        uint32_t i = at * p->every;
        uint32_t row = hcbr_i_rich_sample_row(t, i);
        if (!(p->folds >> t->fold[row] & 1))
            continue;
        if (t->labels == 2)
            add_two(p, &to->sums, &b, i, t->weight[row], t->label[row]);
        else
            add_many(p, to, i, t->weight[row], t->label[row]);
    }
    if (b.count)
        add_batch(p, &to->sums, &b);
}

/* Add the sums of another thread to the first. */
static void join(const problem *p, tally *to, const tally *from) {
    hcbr_i_exact_join(&to->sums.loss, &from->sums.loss);
    for (uint32_t f = 0; f < MOST; f++) {
        hcbr_i_exact_join(&to->sums.gradient[f], &from->sums.gradient[f]);
        for (uint32_t g = 0; g <= f; g++)
            hcbr_i_exact_join(&to->sums.hessian[f][g], &from->sums.hessian[f][g]);
    }
    for (uint32_t l = 0; l < 2 * p->biases; l++)
        hcbr_i_exact_join(&to->off[l], &from->off[l]);
}

/* Sums over all places at theta. Returns the loss. */
static double add_up(problem *p, const double *theta) {
    tally *all = &p->parts[0];
    p->theta = theta;
    for (uint32_t i = 0; i < p->threads; i++) {
        memset(&p->parts[i].sums, 0, sizeof p->parts[i].sums);
        if (p->biases)
            memset(p->parts[i].off, 0, 2 * (size_t)p->biases * sizeof *p->parts[i].off);
    }
    uint64_t looked = ((uint64_t)p->table->sample_count + p->every - 1) / p->every;
    hcbr_i_parallel(p->threads, looked, CHUNK, add_some, p);
    for (uint32_t i = 1; i < p->threads; i++)
        join(p, all, &p->parts[i]);
    for (uint32_t f = 0; f < MOST; f++) {
        p->gradient[f] = hcbr_i_exact_value(&all->sums.gradient[f]);
        for (uint32_t g = 0; g <= f; g++)
            p->hessian[f][g] = hcbr_i_exact_value(&all->sums.hessian[f][g]);
    }
    for (uint32_t l = 0; l < 2 * p->biases; l++)
        p->off[l] = hcbr_i_exact_value(&all->off[l]);
    return hcbr_i_exact_value(&all->sums.loss);
}

/* Loss, gradient and curvature at theta. */
static double evaluate(problem *p, const double *theta) {
    double loss = add_up(p, theta);
    for (uint32_t l = 0; l < p->biases; l++)
        loss += 0.5 * BIAS_PULL * p->bias[l] * p->bias[l];
    for (uint32_t f = 0; f < MOST; f++) {
        double pull = f + 1 < MOST ? p->pull : 1e-3, from = f + 1 < MOST ? p->equal : 0;
        loss += 0.5 * pull * (theta[f] - from) * (theta[f] - from) * p->on[f];
        p->gradient[f] += pull * (theta[f] - from);
        p->hessian[f][f] += pull;
        for (uint32_t g = 0; g < f; g++)
            p->hessian[g][f] = p->hessian[f][g];
    }
    for (uint32_t f = 0; f < MOST; f++)
        if (!p->on[f]) {
            p->gradient[f] = 0;
            for (uint32_t g = 0; g < MOST; g++)
                p->hessian[f][g] = p->hessian[g][f] = f == g;
        }
    return loss;
}

/* Solve hessian * step = gradient by elimination. It is positive definite; in a direction where
 * rounding has destroyed that, as the cases do not determine it, the step is short. */
static void solve(problem *p, double step[MOST]) {
    double least[MOST];
    for (uint32_t f = 0; f < MOST; f++)
        least[f] = 1e-12 * p->hessian[f][f];
    for (uint32_t f = 0; f < MOST; f++) {
        p->hessian[f][f] = fmax(p->hessian[f][f], least[f]);
        for (uint32_t g = f + 1; g < MOST; g++) {
            double by = p->hessian[g][f] / p->hessian[f][f];
            for (uint32_t h = f; h < MOST; h++)
                p->hessian[g][h] -= by * p->hessian[f][h];
            p->gradient[g] -= by * p->gradient[f];
        }
    }
    for (uint32_t f = MOST; f-- > 0;) {
        step[f] = p->gradient[f];
        for (uint32_t g = f + 1; g < MOST; g++)
            step[f] -= p->hessian[f][g] * step[g];
        step[f] /= p->hessian[f][f];
    }
}

/* With many labels: the step of the biases, each by its own curvature. */
static void bias_step(const problem *p, double *step) {
    for (uint32_t l = 0; l < p->biases; l++) {
        double by = (p->off[l] + BIAS_PULL * p->bias[l]) / (p->off[p->biases + l] + BIAS_PULL);
        step[l] = fmin(fmax(by, -1), 1);
    }
}

/* Move by a part of the step from its start. Returns the largest change. */
static double move(problem *p, double theta[MOST], const double from[MOST], const double step[MOST],
                   double part) {
    double most = 0;
    for (uint32_t f = 0; f < MOST; f++) {
        theta[f] = from[f] - part * step[f];
        most = fmax(most, fabs(part * step[f]));
    }
    for (uint32_t l = 0; l < p->biases; l++) {
        p->bias[l] = p->before[l] - part * p->step[l];
        most = fmax(most, fabs(part * p->step[l]));
    }
    return most;
}

/* Newton with halved steps, from theta, until one gains little. */
static void minimise(problem *p, double theta[MOST], double little) {
    double loss = evaluate(p, theta), after = loss;
    for (int i = 0; i < STEPS; i++) {
        double from[MOST], step[MOST], part = 1, size = 0;
        memcpy(from, theta, sizeof from);
        memcpy(p->before, p->bias, p->table->labels * sizeof *p->before);
        solve(p, step);
        bias_step(p, p->step);
        // If a heavy case has no curvature left the step is far too long.
        for (int half = 0; half < 20 || (half < 200 && size > 1e-9); half++) {
            size = move(p, theta, from, step, part);
            if ((after = evaluate(p, theta)) <= loss)
                break;
            if (hcbr_i_rich_go_on(p->options, NULL) != HCBR_OK)
                return; // training is stopped, the result does not matter
            part /= 2;
        }
        if (!(after <= loss)) {
            memcpy(theta, from, sizeof from);
            memcpy(p->bias, p->before, p->table->labels * sizeof *p->before);
            return;
        }
        bool near = loss - after < little * (1 + after);
        loss = after;
        if (size < 1e-6 || near || hcbr_i_rich_go_on(p->options, NULL) != HCBR_OK)
            return;
    }
}

/* Fit the betas, none negative. With many cases a sample gives the start. */
static void fit(problem *p, double theta[MOST], uint32_t families, uint32_t every) {
    if (p->table->sample_count >= p->options->tuning.stack_many) {
        p->every = FIRST;
        minimise(p, theta, FAR);
    }
    p->every = every;
    for (uint32_t left = families; left > 0; left--) {
        minimise(p, theta, NEAR);
        uint32_t least = 0;
        for (uint32_t f = 1; f < HCBR_I_RICH_FAMILIES; f++)
            least = theta[f] < theta[least] ? f : least;
        if (theta[least] >= 0)
            break;
        p->on[least] = false;
        theta[least] = 0;
    }
}

/* Room of the threads. False: no memory. */
static bool parts_init(problem *p) {
    bool ok = (p->parts = hcbr_i_alloc_zero(p->threads, sizeof *p->parts)) != NULL;
    for (uint32_t i = 0; ok && i < p->threads; i++) {
        tally *x = &p->parts[i];
        x->off = hcbr_i_alloc(p->biases, 2 * sizeof *x->off);
        x->share = hcbr_i_alloc((size_t)p->table->labels + HCBR_I_RICH_BLOCK, sizeof *x->share);
        ok = x->off && x->share;
    }
    return ok;
}

static void parts_clear(problem *p) {
    for (uint32_t i = 0; p->parts && i < p->threads; i++) {
        hcbr_i_free(p->parts[i].off);
        hcbr_i_free(p->parts[i].share);
    }
    hcbr_i_free(p->parts);
}

hcbr_status hcbr_i_rich_stack_fit(hcbr_i_rich_stack *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options,
                                  double *const held[HCBR_I_RICH_FAMILIES], uint32_t folds,
                                  uint32_t every, hcbr_error *err) {
    uint32_t labels = table->labels, families = 0;
    problem p = {.table = table, .options = options, .held = held, .folds = folds};
    p.pull = options->tuning.stack_pull;
    p.biases = labels > 2 && labels <= options->tuning.many ? labels : 0;
    double theta[MOST] = {0};
    p.off = hcbr_i_alloc_zero(labels, 4 * sizeof *p.off);
    p.step = p.off ? p.off + 2 * (size_t)labels : NULL;
    p.before = p.off ? p.off + 3 * (size_t)labels : NULL;
    p.threads = table->sample_count > CHUNK ? options->threads : 1;
    bool ok = parts_init(&p);
    *out = (hcbr_i_rich_stack){.bias = hcbr_i_alloc_zero(labels, sizeof *out->bias)};
    p.bias = out->bias;
    if (!ok || !p.off || !out->bias) {
        hcbr_i_free(p.off);
        parts_clear(&p);
        hcbr_i_free(out->bias);
        out->bias = NULL;
        return hcbr_i_no_memory(err);
    }
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        families += p.on[f] = held[f] != NULL;
    p.on[MOST - 1] = labels == 2;
    p.equal = families ? 1.0 / families : 0;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        theta[f] = p.on[f] ? p.equal : 0;
    fit(&p, theta, families, every);
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        out->trust[f] = theta[f] > 0 ? theta[f] : 0;
    if (labels == 2)
        out->bias[0] = theta[MOST - 1];
    hcbr_i_free(p.off);
    parts_clear(&p);
    return HCBR_OK;
}
