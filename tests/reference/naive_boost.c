/*
 * Boosting by the definition: one tree after the other on what the trees before got wrong, until
 * the held-out cases of the fold model have not been better off for a while.
 */
#include "reference/naive_rich.h"

#include <stdlib.h>

/* A fold model while it is fitted. */
typedef struct fit {
    const naive_table *table;
    const hcbr_i_rich_tuning *tuning;
    uint32_t fold, k; /* outputs */
    uint64_t key;
    double weight[NAIVE_ROWS]; /* 0: it does not see the row */
    double score[NAIVE_ROWS][NAIVE_LABELS];
    double gradient[NAIVE_ROWS][4];
    double residual[NAIVE_ROWS][NAIVE_LABELS], curvature[NAIVE_ROWS][NAIVE_LABELS];
    bool drawn[NAIVE_ROWS];
    double loss;
} fit;

static double held_weight(const fit *f, uint32_t i) {
    bool counts = f->table->row[i].fold == f->fold || f->table->all_seen;
    return counts ? f->table->row[i].weight : 0;
}

/* The log-odds of the labels, one case of each half seen before. */
static void set_start(fit *f, double *start) {
    double sum[NAIVE_LABELS] = {0}, total = 0, mean = 0;
    for (uint32_t i = 0; i < f->table->rows; i++) {
        sum[f->table->row[i].label] += f->weight[i];
        total += f->weight[i];
    }
    if (f->k == 1) {
        start[0] = naive_log((sum[1] + 0.5) / (sum[0] + 0.5));
    } else {
        for (uint32_t l = 0; l < f->k; l++) {
            start[l] = naive_log((sum[l] + 0.5) / (total + 0.5 * f->k));
            mean += start[l] / f->k;
        }
        for (uint32_t l = 0; l < f->k; l++)
            start[l] -= mean;
    }
    for (uint32_t i = 0; i < f->table->rows; i++)
        memcpy(f->score[i], start, sizeof f->score[i]);
}

/* ---- residuals ------------------------------------------------------------------------------- */

static void residual_of_two(fit *f, uint32_t i) {
    double p = 1 / (1 + naive_exp(-f->score[i][0])), w = f->weight[i], grid = f->table->grid;
    f->residual[i][0] = naive_round(w * (f->table->row[i].label - p), grid);
    f->curvature[i][0] = fmax(naive_round(w * p * (1 - p), grid), grid);
    f->gradient[i][0] = f->residual[i][0];
    f->gradient[i][1] = f->curvature[i][0];
}

/* How much the residual of a label counts in channel c of a tree. */
static double sketch(const fit *f, uint32_t tree, uint32_t c, uint32_t l) {
    if (f->k > 4)
        return naive_mix(f->key + ((uint64_t)tree << 34) + ((uint64_t)c << 32) + l) >> 63 ? 1 : -1;
    if (c + 1 >= f->k || l > c + 1)
        return 0; // the first c + 1 labels against the next
    return l == c + 1 ? -sqrt((c + 1.0) / (c + 2.0)) : 1 / sqrt((c + 1.0) * (c + 2.0));
}

static void residual_of_many(fit *f, uint32_t i, uint32_t tree) {
    double p[NAIVE_LABELS], w = f->weight[i], grid = f->table->grid, all = 0;
    naive_softmax(f->score[i], f->k, p);
    for (uint32_t l = 0; l < f->k; l++) {
        double y = f->table->row[i].label == l;
        f->residual[i][l] = naive_round(w * (y - p[l]), grid);
        f->curvature[i][l] = naive_round(w * p[l] * (1 - p[l]), grid);
        all += w * p[l] * (1 - p[l]);
    }
    for (uint32_t c = 0; c < 3; c++) {
        double sum = 0;
        for (uint32_t l = 0; l < f->k; l++)
            sum += sketch(f, tree, c, l) * f->residual[i][l];
        f->gradient[i][c] = naive_round(sum, 16 * grid);
    }
    f->gradient[i][3] = fmax(naive_round(all / 2, grid), grid);
}

static void draw(fit *f, uint32_t tree) {
    double part = f->tuning->draw;
    uint64_t limit = part >= 1 ? UINT64_MAX : (uint64_t)(part * 0x1p64);
    for (uint32_t i = 0; i < f->table->rows; i++) {
        uint64_t r = naive_mix(f->table->row[i].hash ^ naive_mix(f->key ^ tree));
        f->drawn[i] = f->weight[i] > 0 && r <= limit;
        if (f->drawn[i] && f->k == 1)
            residual_of_two(f, i);
        else if (f->drawn[i])
            residual_of_many(f, i, tree);
    }
}

/* ---- a tree ---------------------------------------------------------------------------------- */

/* A leaf's value for each output: rate x sum of residuals / (sum of curvatures + lambda), at most
 * 64 times the rate. */
static void fill_leaves(const fit *f, const naive_tree *tree) {
    for (uint32_t j = 0; j < tree->count; j++) {
        double g[NAIVE_LABELS] = {0}, h[NAIVE_LABELS] = {0};
        for (uint32_t i = 0; i < f->table->rows; i++) {
            bool here =
                f->drawn[i] && naive_leaf(tree, f->table, &f->table->row[i]) == &tree->node[j];
            for (uint32_t l = 0; here && l < f->k; l++) {
                g[l] += f->residual[i][l];
                h[l] += f->curvature[i][l];
            }
        }
        for (uint32_t l = 0; l < f->k; l++) {
            double step = g[l] / (h[l] + f->tuning->lambda), rate = f->tuning->rate;
            tree->node[j].value[l] = step > 64    ? rate * 64
                                     : step < -64 ? -rate * 64
                                                  : rate * g[l] / (h[l] + f->tuning->lambda);
        }
    }
}

static naive_tree add_tree(fit *f, uint32_t number, uint32_t depth) {
    const hcbr_i_rich_tuning *t = f->tuning;
    draw(f, number);
    naive_growth g = {.table = f->table,
                      .gradient = f->gradient,
                      .channels = f->k == 1 ? 1 : 3,
                      .depth = depth,
                      .fewest_columns = t->fewest_columns,
                      .lambda = t->lambda,
                      .least_h = t->least_h,
                      .columns = t->columns,
                      .cuts = t->cuts,
                      .cases_per_cut = t->cases_per_cut,
                      .key = naive_mix(f->key + number)};
    naive_tree tree = naive_grow(&g, f->drawn);
    fill_leaves(f, &tree);
    for (uint32_t i = 0; i < f->table->rows; i++) {
        const naive_node *leaf = naive_leaf(&tree, f->table, &f->table->row[i]);
        for (uint32_t l = 0; l < f->k; l++)
            f->score[i][l] += leaf->value[l];
    }
    return tree;
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* 1 / probability of a case's own label. */
static double against(const fit *f, uint32_t i) {
    uint32_t own = f->table->row[i].label;
    double sum = 0;
    if (f->k == 1)
        return 1 + naive_exp(own ? -f->score[i][0] : f->score[i][0]);
    for (uint32_t l = 0; l < f->k; l++)
        sum += naive_exp(f->score[i][l] - f->score[i][own]);
    return sum;
}

/* Log-loss of the cases held out. Its last bits can decide: nothing is rounded but the sum. */
static double held_loss(const fit *f, double *weight) {
    double terms[NAIVE_ROWS];
    uint32_t count = 0;
    *weight = 0;
    for (uint32_t i = 0; i < f->table->rows; i++) {
        double w = held_weight(f, i);
        if (!(w > 0))
            continue;
        *weight += w;
        terms[count++] = w * naive_log(against(f, i));
    }
    return naive_sum(terms, count);
}

/* What became of a fold model of another depth: by tree, its least loss up to then. */
typedef struct course {
    double least[1600];
    uint32_t grown;
    bool far_ahead; /* of the small one when it had so many trees: that is given up */
    bool given_up;
    naive_tree tree[1600]; /* all it had, those after the best, too */
} course;

/* The least loss of a fold model when it had so many trees, or all it got. */
static double least_at(const course *c, uint32_t trees) {
    return c->least[(trees < c->grown ? trees : c->grown) - 1];
}

/* Is a deep fold model given up against a small one? After every quarter of the patience if it is
 * behind; after half of it if it is hardly ahead and gets no further ahead, unless it is known by
 * then to be ahead of where the small one ended. */
static bool gives_up(const course *deep, const course *small, uint32_t patience) {
    uint32_t n = deep->grown, quarter = patience / 4 ? patience / 4 : 1;
    uint32_t half = patience / 2 ? patience / 2 : 1;
    if (n % quarter == 0 && deep->least[n - 1] > least_at(small, n))
        return true;
    bool known =
        small->grown <= half && n > 1 && deep->least[n - 2] < small->least[small->grown - 1];
    return n == half && n > quarter && !known && deep->least[n - 1] > 0.95 * least_at(small, n) &&
           deep->least[n - 1] * least_at(small, quarter) >
               0.98 * deep->least[quarter - 1] * least_at(small, n);
}

/* rival: the one to beat, or NULL. */
static void fit_fold(fit *f, naive_fold_model *out, uint32_t depth, const course *rival,
                     course *own) {
    const hcbr_i_rich_tuning *t = f->tuning;
    set_start(f, out->start);
    double weight, best = held_loss(f, &weight), before = best;
    uint32_t most = weight > 0 ? t->most_trees : 50, grown = 0;
    out->trees = 0;
    out->tree = calloc(most + 1, sizeof *out->tree);
    while (grown < most) {
        out->tree[grown] = add_tree(f, grown, depth);
        grown++;
        double loss = held_loss(f, &weight);
        if (loss < best || !(weight > 0)) {
            best = loss;
            out->trees = grown;
        }
        own->least[grown - 1] = best;
        own->grown = grown;
        if (weight > 0 && grown - out->trees >= t->patience)
            break; // not better for too long
        if (weight > 0 && grown % t->patience == 0) {
            if (before - best < t->stop_gain * weight)
                break; // or not much better
            before = best;
        }
        own->far_ahead |= rival && weight > 0 && rival->grown >= t->patience &&
                          grown == t->patience && best < 0.8 * least_at(rival, grown);
        own->given_up =
            rival && rival->grown && !own->far_ahead && gives_up(own, rival, t->patience);
        if (own->given_up)
            break;
    }
    memcpy(own->tree, out->tree, grown * sizeof *out->tree);
    f->loss = weight > 0 ? best : -(double)grown;
}

static double run(naive_fold_model *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                  uint64_t seed, uint32_t fold, uint32_t depth, const course *rival, course *own) {
    fit *f = calloc(1, sizeof *f);
    *f = (fit){.table = table, .tuning = tuning, .fold = fold, .k = naive_outputs(table->labels)};
    f->key = naive_mix(seed ^ naive_mix(0x626F6F7374 + (uint64_t)fold));
    for (uint32_t i = 0; i < table->rows; i++)
        f->weight[i] = naive_seen(table, i, fold);
    *own = (course){.grown = 0};
    fit_fold(f, out, depth, rival, own);
    double loss = f->loss;
    free(f);
    return loss;
}

/* Free the trees from one on. */
static void clear(const course *of, uint32_t from) {
    for (uint32_t i = from; i < of->grown; i++)
        free(of->tree[i].node);
}

/* What the first trees say of a row. */
static void hear(const naive_table *table, const double *start, const course *of, uint32_t trees,
                 uint32_t row, double *support) {
    uint32_t outputs = naive_outputs(table->labels);
    memcpy(support, start, outputs * sizeof *support);
    for (uint32_t i = 0; i < trees && i < of->grown; i++)
        for (uint32_t l = 0; l < outputs; l++)
            support[l] += naive_leaf(&of->tree[i], table, &table->row[row])->value[l];
}

static int rising(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The mean of the middle two of what the models of the other folds found best. */
static uint32_t best_of_others(const naive_fold_model model[NAIVE_FOLDS], uint32_t fold) {
    uint32_t trees[NAIVE_FOLDS] = {0}, n = 0;
    for (uint32_t k = 0; k < NAIVE_FOLDS; k++)
        if (k != fold)
            trees[n++] = model[k].trees;
    qsort(trees, n, sizeof *trees, rising);
    return (trees[1] + trees[2]) / 2;
}

void naive_boost_fit(naive_fold_model out[NAIVE_FOLDS], const naive_table *table,
                     const hcbr_i_rich_tuning *tuning, uint64_t seed, naive_held *held,
                     naive_held *honest) {
    uint32_t depth = tuning->depth[0];
    static course of[NAIVE_FOLDS];
    if (tuning->depth[0] != tuning->depth[1]) { // the first fold model tries both
        double loss[2];
        for (uint32_t d = 0; d < 2; d++) {
            const course *rival = d && table->rows >= tuning->medium ? &of[0] : NULL;
            loss[d] = run(&out[0], table, tuning, seed, 0, tuning->depth[d], rival, &of[d]);
            clear(&of[d], 0);
            free(out[0].tree);
        }
        depth = tuning->depth[of[1].far_ahead || (loss[1] < loss[0] && !of[1].given_up)];
    }
    for (uint32_t k = 0; k < NAIVE_FOLDS; k++)
        run(&out[k], table, tuning, seed, k, depth, NULL, &of[k]);
    for (uint32_t i = 0; i < table->rows; i++) {
        uint32_t k = table->row[i].fold;
        if (k == NAIVE_FOLDS)
            continue;
        hear(table, out[k].start, &of[k], out[k].trees, i, held->support[i]);
        hear(table, out[k].start, &of[k], best_of_others(out, k), i, honest->support[i]);
    }
    for (uint32_t k = 0; k < NAIVE_FOLDS; k++)
        clear(&of[k], out[k].trees);
}

void naive_boost_support(const naive_fold_model *model, const naive_table *table,
                         const naive_row *row, double *support) {
    uint32_t outputs = naive_outputs(table->labels);
    for (uint32_t l = 0; l < outputs; l++) {
        support[l] = 0;
        for (uint32_t k = 0; k < NAIVE_FOLDS; k++) {
            support[l] += model[k].start[l] / NAIVE_FOLDS;
            for (uint32_t i = 0; i < model[k].trees; i++)
                support[l] += naive_leaf(&model[k].tree[i], table, row)->value[l] / NAIVE_FOLDS;
        }
    }
}
