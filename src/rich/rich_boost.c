/*
 * Boosted conjunctions: each jury grows trees on what its trees before got wrong.
 *
 * Tree t is grown on about 70 % of the jury's cases, drawn by content; a leaf moves the support by
 * rate * G / (H + lambda), G the sum of the residuals r = [y = l] - p of the cases drawn, H that of
 * their curvatures p (1 - p). Growing stops when the log-loss of the held-out cases has not been
 * better for a while, and the trees after the best are forgotten. More than two labels share the
 * trees: tests are chosen on three random sums of the labels' residuals, a leaf has a value for
 * every label. Residuals are rounded to the table's grid: a leaf's sums are exact.
 */
#include "rich/rich.h"
#include "rich/rich_draw.h"

#define NO_STOP_TREES 50u /* where there is nothing to stop by */

typedef struct jury {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_forest *forest;
    double *start;
    uint32_t fold, outputs, channels;
    uint64_t key;
    double *score;    /* rows x outputs: support so far */
    double *residual; /* rows x 2 outputs: residual and curvature of each output; several only */
    double *gradient; /* rows x (channels + 1) */
    double *weight;   /* by row: of the copies this jury sees */
    uint32_t *held;   /* rows that have other copies */
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
        j->start[0] = log((two[1] + 0.5) / (two[0] + 0.5));
    } else {
        double mean = 0;
        for (uint32_t l = 0; l < k; l++) {
            j->start[l] = log((sum[l] + 0.5) / (total + 0.5 * k));
            mean += j->start[l] / k;
        }
        for (uint32_t l = 0; l < k; l++)
            j->start[l] -= mean;
    }
    for (uint32_t i = 0; i < t->rows; i++)
        memcpy(j->score + (size_t)i * k, j->start, k * sizeof *j->score);
}

/* ---- residuals ------------------------------------------------------------------------------- */

static inline void residual_of_two(jury *j, uint32_t i, double w) {
    const hcbr_i_rich_table *t = j->table;
    double *g = j->gradient + 2 * (size_t)i;
    hcbr_i_rich_residual(j->score[i], t->label[i], w, t->grid, g, g + 1);
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
    for (uint32_t d = 0; d < n; d++) {
        uint32_t i = j->drawn[d];
        if (j->outputs == 1)
            residual_of_two(j, i, j->weight[i]);
        else
            residual_of_many(j, i, j->weight[i], sign);
    }
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
    for (uint32_t l = 0; l < k; l++) {
        double g = 0, h = 0;
        for (uint32_t i = 0; i < n; i++) {
            size_t row = drawn[i];
            g += k == 1 ? j->gradient[2 * row] : j->residual[row * 2 * k + l];
            h += k == 1 ? j->gradient[2 * row + 1] : j->residual[row * 2 * k + k + l];
        }
        values[l] = t->rate * g / (h + t->lambda);
    }
    move(j, values, drawn, n);
    move(j, values, rest, rest_n);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* Log-loss of the cases this jury does not see; *weight receives how many they are. */
static double held_loss(const jury *j, double *weight) {
    const hcbr_i_rich_table *t = j->table;
    uint32_t k = j->outputs;
    double loss = 0, product = 1; // logarithms are taken of products
    *weight = 0;
    for (uint32_t d = 0; d < j->held_count; d++) {
        uint32_t i = j->held[d];
        double w = held_weight(j, i), sum = 1;
        const double *s = j->score + (size_t)i * k;
        *weight += w;
        if (k == 1) {
            sum += hcbr_i_rich_exp(t->label[i] ? -s[0] : s[0]);
        } else {
            for (uint32_t l = 0; l < k; l++)
                sum += l == t->label[i] ? 0 : hcbr_i_rich_exp(s[l] - s[t->label[i]]);
        }
        if (w != 1 || sum > 1e100) {
            loss += w * log(sum);
            continue;
        }
        product *= sum;
        if (product > 1e100) {
            loss += log(product);
            product = 1;
        }
    }
    loss += log(product);
    return loss;
}

static bool run(jury *j, double *sign) {
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    hcbr_i_rich_growth growth = {.table = j->table,
                                 .gradient = j->gradient,
                                 .channels = j->channels,
                                 .depth = t->depth,
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
    uint32_t most = weight > 0 ? t->most_trees : NO_STOP_TREES, best_trees = 0;
    size_t best_leaves = 0;
    for (uint32_t tree = 0; tree < most; tree++) {
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
    return true;
}

/* ---- all juries ------------------------------------------------------------------------------ */

typedef struct task {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_boosted *out;
    double *held;
    bool failed[HCBR_I_RICH_FOLDS];
} task;

/* Supports of the held-out cases by the trees that were kept. */
static bool hold(const jury *j, double *held) {
    const hcbr_i_rich_table *t = j->table;
    const hcbr_i_rich_forest *f = j->forest;
    uint32_t k = j->outputs, stamp = 1, *in_bag = hcbr_i_alloc_zero(t->bag_count, 4);
    uint8_t *codes = hcbr_i_alloc(t->columns, 1);
    bool ok = in_bag && codes;
    for (uint32_t i = 0; ok && i < t->rows; i++) {
        if (!(held_weight(j, i) > 0))
            continue;
        for (uint32_t c = 0; c < t->columns; c++)
            codes[c] = t->codes[(size_t)c * t->rows + i];
        for (uint64_t b = t->bag_start[i]; b < t->bag_start[i + 1]; b++)
            in_bag[t->bag[b]] = stamp;
        double *to = held + ((size_t)i * HCBR_I_RICH_FOLDS + j->fold) * k;
        memcpy(to, j->start, k * sizeof *to);
        for (size_t tree = 0; tree < f->tree_count; tree++) {
            uint32_t leaf = hcbr_i_rich_find_leaf(f->nodes + f->start[tree], codes, t->columns,
                                                  in_bag, stamp, f->nodes);
            for (uint32_t l = 0; l < k; l++)
                to[l] += f->values[(size_t)leaf * k + l];
        }
        stamp++;
    }
    hcbr_i_free(in_bag);
    hcbr_i_free(codes);
    return ok;
}

static void fit_jury(task *x, uint32_t fold) {
    const hcbr_i_rich_table *t = x->table;
    uint32_t k = x->out->outputs, channels = k == 1 ? 1 : 3;
    jury j = {.table = t,
              .options = x->options,
              .forest = &x->out->jury[fold],
              .start = x->out->start + (size_t)fold * k,
              .fold = fold,
              .outputs = k,
              .channels = channels,
              .key = hcbr_i_rich_jury_key(x->options->seed, fold)};
    j.forest->outputs = k;
    j.score = hcbr_i_alloc(t->rows, k * sizeof *j.score);
    j.residual = hcbr_i_alloc(k > 1 ? t->rows : 0, 2 * (size_t)k * sizeof *j.residual);
    j.gradient = hcbr_i_alloc(t->rows, (channels + 1) * sizeof *j.gradient);
    j.drawn = hcbr_i_alloc(t->rows, sizeof *j.drawn);
    j.rest = hcbr_i_alloc(t->rows, sizeof *j.rest);
    j.weight = hcbr_i_alloc(t->rows, sizeof *j.weight);
    j.held = hcbr_i_alloc(t->rows, sizeof *j.held);
    j.scratch = hcbr_i_rich_scratch_create(t);
    double *sign = hcbr_i_alloc(channels, k * sizeof *sign);
    x->failed[fold] = !(j.score && j.residual && j.gradient && j.drawn && j.rest && j.weight &&
                        j.held && j.scratch && sign && run(&j, sign) && hold(&j, x->held));
    hcbr_i_free(j.score);
    hcbr_i_free(j.residual);
    hcbr_i_free(j.gradient);
    hcbr_i_free(j.drawn);
    hcbr_i_free(j.rest);
    hcbr_i_free(j.weight);
    hcbr_i_free(j.held);
    hcbr_i_rich_scratch_free(j.scratch);
    hcbr_i_free(sign);
}

static void fit_juries(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    (void)worker;
    for (uint64_t fold = begin; fold < end; fold++)
        fit_jury(context, (uint32_t)fold);
}

hcbr_status hcbr_i_rich_boost_fit(hcbr_i_rich_boosted *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err) {
    *out = (hcbr_i_rich_boosted){.outputs = hcbr_i_rich_outputs(table->labels)};
    out->start = hcbr_i_alloc_zero(HCBR_I_RICH_FOLDS, out->outputs * sizeof *out->start);
    task x = {.table = table, .options = options, .out = out};
    x.held = held;
    if (out->start)
        hcbr_i_parallel(options->threads, HCBR_I_RICH_FOLDS, 1, fit_juries, &x);
    bool failed = !out->start;
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
