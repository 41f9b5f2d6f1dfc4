/*
 * Boosted conjunctions: each jury grows trees on what its trees before got wrong.
 *
 * Tree t is grown on most of the jury's cases, drawn by content; a leaf moves the support by
 * rate * G / (H + lambda), G the sum of the residuals r = [y = l] - p of the cases drawn, H that of
 * their curvatures p (1 - p), and by no more than 64 rate. Growing stops when the log-loss of the
 * held-out cases has not been better for a while, and the trees after the best are forgotten. More
 * than two labels share the trees: tests are chosen on three random sums of the labels' residuals,
 * a leaf has a value for every label. Residuals are rounded to the table's grid: a leaf's sums are
 * exact.
 */
#include "rich/fit/rich_draw.h"
#include "rich/rich.h"

#define TRIALS 2u         /* depths that are tried */
#define NO_STOP_TREES 50u /* where there is nothing to stop by */

typedef struct jury {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_forest *forest;
    double *start;
    uint32_t fold, outputs, channels, depth;
    double loss; /* of the held-out cases, in the end */
    uint64_t key;
    double *score;    /* rows x outputs: support so far */
    double *residual; /* rows x 2 outputs: residual and curvature of each output; several only */
    double *gradient; /* rows x (channels + 1) */
    double *leaf;     /* 2 outputs: sums over a leaf */
    double *weight;   /* by row: of the copies this jury sees */
    uint32_t *held;   /* rows that have other copies */
    double *kept;     /* their supports by the trees up to the best */
    uint32_t held_count;
    uint32_t *drawn, *rest;
    hcbr_i_rich_scratch *scratch;
} jury;

static double held_weight(const jury *j, uint32_t i) {
    return j->table->held[(size_t)i * HCBR_I_RICH_FOLDS + j->fold];
}

static void take_part(jury *j) {
    for (uint32_t i = 0; i < j->table->rows; i++) {
        double held = held_weight(j, i);
        j->weight[i] = j->table->weight[i] - held;
        if (held > 0)
            j->held[j->held_count++] = i;
    }
}

/* ---- where it starts ------------------------------------------------------------------------- */

static void set_start(jury *j) {
    const hcbr_i_rich_table *t = j->table;
    uint32_t k = j->outputs;
    double total = 0;
    double two[2] = {0, 0}, *sum = k == 1 ? two : j->start;
    for (uint32_t l = 0; l < t->labels; l++)
        sum[l] = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        double w = j->weight[i];
        sum[t->label[i]] += w;
        total += w;
    }
    if (k == 1) {
        j->start[0] = hcbr_i_log((two[1] + 0.5) / (two[0] + 0.5));
    } else {
        double mean = 0;
        for (uint32_t l = 0; l < k; l++) {
            j->start[l] = hcbr_i_log((sum[l] + 0.5) / (total + 0.5 * k));
            mean += j->start[l] / k;
        }
        for (uint32_t l = 0; l < k; l++)
            j->start[l] -= mean;
    }
    for (uint32_t i = 0; i < t->rows; i++)
        memcpy(j->score + (size_t)i * k, j->start, k * sizeof *j->score);
}

/* ---- residuals ------------------------------------------------------------------------------- */

/* Of the cases drawn, of two labels. */
static void residuals_of_two(jury *j, uint32_t n) {
    const hcbr_i_rich_table *t = j->table;
    double e[HCBR_I_RICH_BLOCK];
    for (uint32_t d = 0; d < n; d += HCBR_I_RICH_BLOCK) {
        uint32_t count = n - d < HCBR_I_RICH_BLOCK ? n - d : HCBR_I_RICH_BLOCK;
        for (uint32_t i = 0; i < HCBR_I_RICH_BLOCK; i++)
            e[i] = i < count ? -j->score[j->drawn[d + i]] : 0;
        hcbr_i_rich_exp_block(e);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = j->drawn[d + i];
            double *g = j->gradient + 2 * (size_t)row;
            hcbr_i_rich_residual_at(1.0 / (1.0 + e[i]), t->label[row], j->weight[row], t->grid, g,
                                    g + 1);
        }
    }
}

/* Sums of the labels' residuals that the next tree is grown on. With three or four labels they
 * hold all there is: residuals of a case add up to 0. */
static void sketch(const jury *j, uint32_t tree, double *sign) {
    for (uint32_t c = 0; c < j->channels; c++)
        for (uint32_t l = 0; l < j->outputs; l++) {
            uint64_t r = hcbr_i_mix(j->key + ((uint64_t)tree << 34) + ((uint64_t)c << 32) + l);
            sign[c * j->outputs + l] = r >> 63 ? 1 : -1;
        }
    if (j->outputs <= 4)
        for (uint32_t c = 0; c < j->channels; c++)
            for (uint32_t l = 0; l < j->outputs; l++) // c labels against each other
                sign[c * j->outputs + l] = c + 1 >= j->outputs ? 0
                                           : l < c + 1         ? 1 / sqrt((c + 1.0) * (c + 2.0))
                                           : l == c + 1        ? -sqrt((c + 1.0) / (c + 2.0))
                                                               : 0;
}

static void residual_of_many(jury *j, uint32_t i, double w, const double *sign) {
    const hcbr_i_rich_table *t = j->table;
    uint32_t k = j->outputs, width = j->channels + 1;
    double *r = j->residual + (size_t)i * 2 * k, *g = j->gradient + (size_t)i * width;
    double curvature =
        hcbr_i_rich_residuals(j->score + (size_t)i * k, k, t->label[i], w, t->grid, r);
    for (uint32_t c = 0; c < j->channels; c++) {
        double sum = 0;
        for (uint32_t l = 0; l < k; l++)
            sum += sign[c * k + l] * r[l];
        g[c] = hcbr_i_rich_round(sum, t->grid * 16);
    }
    double h = hcbr_i_rich_round(curvature / 2, t->grid);
    g[width - 1] = h > t->grid ? h : t->grid;
}

/* Draw the cases of a tree and compute their residuals. Returns how many. */
static uint32_t draw(jury *j, uint32_t tree, const double *sign) {
    const hcbr_i_rich_table *t = j->table;
    uint64_t limit = hcbr_i_rich_draw_limit(j->options->tuning.draw);
    uint64_t key = hcbr_i_rich_tree_key(j->key, tree);
    uint32_t n = 0, others = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        bool in = (j->weight[i] > 0) & hcbr_i_rich_is_drawn(t->hash[i], key, limit);
        j->drawn[n] = i;
        j->rest[others] = i;
        n += in;
        others += !in;
    }
    if (j->outputs == 1)
        residuals_of_two(j, n);
    for (uint32_t d = 0; j->outputs > 1 && d < n; d++)
        residual_of_many(j, j->drawn[d], j->weight[j->drawn[d]], sign);
    return n;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void move(const jury *j, const double *value, const uint32_t *rows, uint32_t n) {
    uint32_t k = j->outputs;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < k; l++)
            j->score[(size_t)rows[i] * k + l] += value[l];
}

static void fill_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                      const uint32_t *rest, uint32_t rest_n) {
    jury *j = context;
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    uint32_t k = j->outputs;
    const double *from = k == 1 ? j->gradient : j->residual;
    memset(j->leaf, 0, 2 * (size_t)k * sizeof *j->leaf);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < 2 * k; l++)
            j->leaf[l] += from[(size_t)drawn[i] * 2 * k + l];
    for (uint32_t l = 0; l < k; l++)
        values[l] = hcbr_i_rich_leaf_value(j->leaf[l], j->leaf[k + l], t->rate, t->lambda);
    move(j, values, drawn, n);
    move(j, values, rest, rest_n);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* e^(support of the label - support of the case's own), summed over the labels. */
static double against(const jury *j, uint32_t i) {
    const double *s = j->score + (size_t)i * j->outputs;
    double own = s[j->table->label[i]], sum = 0;
    for (uint32_t l = 0; l < j->outputs; l += HCBR_I_RICH_BLOCK) {
        double e[HCBR_I_RICH_BLOCK];
        for (uint32_t b = 0; b < HCBR_I_RICH_BLOCK; b++)
            e[b] = l + b < j->outputs ? s[l + b] - own : -700;
        hcbr_i_rich_exp_block(e);
        for (uint32_t b = 0; b < HCBR_I_RICH_BLOCK && l + b < j->outputs; b++)
            sum += e[b];
    }
    return sum;
}

/* Log-loss of the cases this jury does not see; *weight receives how many they are. */
static double held_loss(const jury *j, double *weight) {
    const hcbr_i_rich_table *t = j->table;
    double loss = 0, product = 1; // logarithms are taken of products
    *weight = 0;
    for (uint32_t d = 0; d < j->held_count; d += HCBR_I_RICH_BLOCK) {
        uint32_t left = j->held_count - d,
                 count = left < HCBR_I_RICH_BLOCK ? left : HCBR_I_RICH_BLOCK;
        double sum[HCBR_I_RICH_BLOCK] = {0};
        for (uint32_t b = 0; b < count; b++) {
            uint32_t i = j->held[d + b];
            sum[b] = j->outputs > 1 ? against(j, i) : t->label[i] ? -j->score[i] : j->score[i];
        }
        if (j->outputs == 1)
            hcbr_i_rich_exp_block(sum);
        for (uint32_t b = 0; b < count; b++) {
            double w = held_weight(j, j->held[d + b]), x = j->outputs > 1 ? sum[b] : 1 + sum[b];
            *weight += w;
            if (w != 1 || x > 1e100) {
                loss += w * hcbr_i_log(x);
                continue;
            }
            product *= x;
            if (product > 1e100) {
                loss += hcbr_i_log(product);
                product = 1;
            }
        }
    }
    loss += hcbr_i_log(product);
    return loss;
}

/* Keep the supports of the held-out cases as they are now. */
static void keep(const jury *j) {
    size_t k = j->outputs;
    for (uint32_t d = 0; d < j->held_count; d++)
        memcpy(j->kept + d * k, j->score + j->held[d] * k, k * sizeof *j->kept);
}

/* Grow trees; false: no memory. */
static bool run(jury *j, double *sign) {
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    hcbr_i_rich_growth growth = {.table = j->table,
                                 .gradient = j->gradient,
                                 .channels = j->channels,
                                 .depth = j->depth,
                                 .lambda = t->lambda,
                                 .least_h = t->least_h,
                                 .columns = t->columns,
                                 .fewest_columns = t->fewest_columns,
                                 .cuts = t->cuts,
                                 .cases_per_cut = t->cases_per_cut,
                                 .leaf = fill_leaf,
                                 .context = j};
    take_part(j);
    set_start(j);
    double weight, best = held_loss(j, &weight), before = best;
    keep(j);
    uint32_t most = weight > 0 ? t->most_trees : NO_STOP_TREES, best_trees = 0;
    size_t best_leaves = 0;
    for (uint32_t tree = 0; tree < most; tree++) {
        if (!hcbr_i_rich_tick(j->options))
            return false;
        if (j->outputs > 1)
            sketch(j, tree, sign);
        uint32_t n = draw(j, tree, sign);
        growth.key = hcbr_i_mix(j->key + tree);
        if (!hcbr_i_rich_grow(j->forest, &growth, j->scratch, j->drawn, n, j->rest,
                              j->table->rows - n))
            return false;
        double loss = weight > 0 ? held_loss(j, &weight) : -1.0 - tree;
        if (loss < best || !(weight > 0)) {
            best = loss;
            best_trees = tree + 1;
            best_leaves = j->forest->leaf_count;
            keep(j);
        } else if (tree + 1 - best_trees >= t->patience) {
            break;
        }
        if (weight > 0 && (tree + 1) % t->patience == 0) {
            if (before - best < t->stop_gain * weight)
                break;
            before = best;
        }
    }
    hcbr_i_rich_forest_cut(j->forest, best_trees, best_leaves);
    j->loss = best;
    return true;
}

/* ---- all juries ------------------------------------------------------------------------------ */

typedef struct task {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_boosted *out;
    double *held;
    uint32_t depth;
    hcbr_i_rich_forest trial[TRIALS]; /* of the first jury, by depth */
    double loss[TRIALS];
    bool failed[HCBR_I_RICH_FOLDS];
} task;

/* Write the supports of its held-out cases where the blend finds them. */
static void hold(const jury *j, double *held, uint32_t place) {
    size_t k = j->outputs;
    for (uint32_t d = 0; d < j->held_count; d++) {
        uint32_t at = hcbr_i_rich_sample_place(j->table, j->held[d]);
        if (at != HCBR_I_NONE)
            memcpy(held + ((size_t)at * HCBR_I_RICH_FOLDS + place) * k, j->kept + d * k,
                   k * sizeof *held);
    }
}

/* Grow one jury's trees. What it starts from and the supports of its held-out cases go to the place
 * of a fold. Returns the loss of these cases. */
static double fit_jury(task *x, uint32_t fold, uint32_t depth, hcbr_i_rich_forest *forest,
                       uint32_t place) {
    const hcbr_i_rich_table *t = x->table;
    uint32_t k = x->out->outputs, channels = k == 1 ? 1 : 3;
    jury j = {.table = t,
              .options = x->options,
              .forest = forest,
              .start = x->out->start + (size_t)place * k,
              .fold = fold,
              .outputs = k,
              .channels = channels,
              .depth = depth,
              .key = hcbr_i_rich_jury_key(x->options->seed, fold)};
    j.forest->outputs = k;
    j.score = hcbr_i_alloc(t->rows, k * sizeof *j.score);
    j.residual = hcbr_i_alloc(k > 1 ? t->rows : 0, 2 * (size_t)k * sizeof *j.residual);
    j.gradient = hcbr_i_alloc(t->rows, (channels + 1) * sizeof *j.gradient);
    j.leaf = hcbr_i_alloc(k, 2 * sizeof *j.leaf);
    j.drawn = hcbr_i_alloc(t->rows, sizeof *j.drawn);
    j.rest = hcbr_i_alloc(t->rows, sizeof *j.rest);
    j.weight = hcbr_i_alloc(t->rows, sizeof *j.weight);
    j.held = hcbr_i_alloc(t->rows, sizeof *j.held);
    j.kept = hcbr_i_alloc(t->rows, k * sizeof *j.kept);
    j.scratch = hcbr_i_rich_scratch_create(t);
    double *sign = hcbr_i_alloc(channels, k * sizeof *sign);
    if (!(j.score && j.residual && j.gradient && j.leaf && j.drawn && j.rest && j.weight &&
          j.held && j.kept && j.scratch && sign && run(&j, sign)))
        x->failed[place] = true;
    else
        hold(&j, x->held, place);
    hcbr_i_free(j.score);
    hcbr_i_free(j.residual);
    hcbr_i_free(j.gradient);
    hcbr_i_free(j.leaf);
    hcbr_i_free(j.drawn);
    hcbr_i_free(j.rest);
    hcbr_i_free(j.weight);
    hcbr_i_free(j.held);
    hcbr_i_free(j.kept);
    hcbr_i_rich_scratch_free(j.scratch);
    hcbr_i_free(sign);
    return j.loss;
}

static void fit_juries(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    (void)worker;
    task *x = context;
    for (uint64_t fold = begin; fold < end; fold++)
        if (!x->out->jury[fold].outputs)
            fit_jury(x, (uint32_t)fold, x->depth, &x->out->jury[fold], (uint32_t)fold);
}

static void try_depths(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    (void)worker;
    task *x = context;
    for (uint64_t i = begin; i < end; i++)
        x->loss[i] = fit_jury(x, 0, x->options->tuning.depth[i], &x->trial[i], (uint32_t)i);
}

/* The depth is that with which the first jury does better on its held-out cases. The second trial
 * has the place of the second jury until that is fitted. */
static void choose_depth(task *x) {
    const hcbr_i_rich_tuning *t = &x->options->tuning;
    x->depth = t->depth[0];
    if (t->depth[0] == t->depth[1])
        return;
    hcbr_i_parallel(x->options->threads, TRIALS, 1, try_depths, x);
    uint32_t best = x->loss[1] < x->loss[0];
    x->depth = t->depth[best];
    x->out->jury[0] = x->trial[best];
    x->trial[best] = (hcbr_i_rich_forest){0};
    hcbr_i_rich_forest_clear(&x->trial[!best]);
    size_t size = x->out->outputs * sizeof *x->held;
    for (uint32_t i = 0; best && i < x->table->sample_count; i++) {
        double *to = x->held + (size_t)i * HCBR_I_RICH_FOLDS * x->out->outputs;
        size_t row = hcbr_i_rich_sample_row(x->table, i);
        if (x->table->held[row * HCBR_I_RICH_FOLDS] > 0)
            memcpy(to, to + x->out->outputs, size);
    }
}

hcbr_status hcbr_i_rich_boost_fit(hcbr_i_rich_boosted *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err) {
    *out = (hcbr_i_rich_boosted){.outputs = hcbr_i_rich_outputs(table->labels)};
    out->start = hcbr_i_alloc_zero(HCBR_I_RICH_FOLDS, out->outputs * sizeof *out->start);
    task x = {.table = table, .options = options, .out = out};
    x.held = held;
    bool failed = !out->start;
    if (!failed) {
        choose_depth(&x);
        hcbr_i_parallel(options->threads, HCBR_I_RICH_FOLDS, 1, fit_juries, &x);
    }
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        failed |= x.failed[k];
    if (!failed)
        return HCBR_OK;
    hcbr_i_rich_boosted_clear(out);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_boosted_clear(hcbr_i_rich_boosted *boosted) {
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        hcbr_i_rich_forest_clear(&boosted->jury[k]);
    hcbr_i_free(boosted->start);
    *boosted = (hcbr_i_rich_boosted){0};
}
