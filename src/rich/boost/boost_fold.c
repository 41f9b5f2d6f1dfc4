/*
 * Boosted conjunctions: each fold model grows trees on the residuals of its earlier trees.
 *
 * Tree t is grown on most of the fold model's cases, drawn by content; a leaf moves the support by
 * rate * G / (H + lambda), G the sum of the residuals r = [y = l] - p of the drawn cases, H that of
 * their curvatures p (1 - p), and by at most 64 rate. Growing stops when the log-loss of the
 * held-out cases has not improved for a while, and the trees after the best are removed. More than
 * two labels share the trees: tests are chosen on three random sums of the labels' residuals, a
 * leaf has a value for every label. Residuals are rounded to the table's grid, so the sums of a
 * leaf are exact.
 */
#include "rich/boost/boost_fold.h"
#include "rich/rich_draw.h"

#define NO_STOP_TREES 50u /* trees if there are no held-out cases to stop by */
#define FIRST_KEPT 8u     /* trees after which held-out supports are stored first */
#define WATCH 1024u       /* rows scored between two progress calls */

typedef hcbr_i_rich_fold_model fold_model;
typedef hcbr_i_rich_booster booster;

static void take_part(fold_model *j) {
    const hcbr_i_rich_table *t = j->table;
    for (uint32_t i = 0; i < t->rows; i++) {
        j->weight[i] = hcbr_i_rich_seen_weight(t, i, j->fold);
        j->held[j->held_count] = i;
        j->held_count += t->self || t->fold[i] == j->fold;
        j->own[j->own_count] = i;
        j->own_count += t->fold[i] == j->fold && hcbr_i_rich_sample_place(t, i) != HCBR_I_NONE;
    }
}

/* ---- start ----------------------------------------------------------------------------------- */

static void set_start(fold_model *j) {
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
static void residuals_of_two(const booster *b, uint32_t n) {
    const fold_model *j = b->model;
    const hcbr_i_rich_table *t = j->table;
    double e[HCBR_I_RICH_MANY] = {0};
    for (uint32_t d = 0; d < n; d += HCBR_I_RICH_MANY) {
        uint32_t count = n - d < HCBR_I_RICH_MANY ? n - d : HCBR_I_RICH_MANY;
        for (uint32_t i = 0; i < count; i++)
            e[i] = -j->score[b->drawn[d + i]];
        hcbr_i_rich_exp_many(e, hcbr_i_rich_whole_blocks(count));
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = b->drawn[d + i];
            double *g = b->gradient + 2 * (size_t)row;
            hcbr_i_rich_residual_at(1.0 / (1.0 + e[i]), t->label[row], j->weight[row], t->grid, g,
                                    g + 1);
        }
    }
}

/* Sums of the labels' residuals that the next tree is grown on. With three or four labels they
 * hold all there is: residuals of a case add up to 0. */
static void sketch(const fold_model *j, uint32_t tree, double *sign) {
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

/* Draw the cases of a tree and compute their residuals. Returns how many. */
static uint32_t draw(const booster *b, uint32_t tree) {
    const fold_model *j = b->model;
    const hcbr_i_rich_table *t = j->table;
    uint64_t limit = hcbr_i_rich_draw_limit(j->options->tuning.draw);
    uint64_t key = hcbr_i_rich_tree_key(j->key, tree);
    uint32_t n = 0, others = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        bool in = j->weight[i] > 0;
        if (limit < UINT64_MAX) // otherwise all are drawn
            in &= hcbr_i_rich_is_drawn(t->hash[i], key, limit);
        b->drawn[n] = i;
        b->rest[others] = i;
        n += in;
        others += !in;
    }
    if (j->outputs == 1)
        residuals_of_two(b, n);
    else
        hcbr_i_rich_residuals(b, n);
    return n;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static inline void add(double *to, const double *x, uint32_t count) {
    uint32_t i = 0;
    for (; i + 2 <= count; i += 2)
        hcbr_i_rich_put_pair(to + i, hcbr_i_rich_get_pair(to + i) + hcbr_i_rich_get_pair(x + i));
    if (i < count)
        to[i] += x[i];
}

static void move(const fold_model *j, const double *value, const uint32_t *rows, uint32_t n) {
    uint32_t k = j->outputs;
    double by = value[0], *score = j->score;
    for (uint32_t i = 0; k == 1 && i < n; i++)
        score[rows[i]] += by;
    for (uint32_t i = 0; k > 1 && i < n; i++)
        add(score + (size_t)rows[i] * k, value, k);
}

/* Residuals and curvatures of rows with two labels, added up: in any order the sums are exact. */
static void sum_two(const double *gradient, const uint32_t *rows, uint32_t n, double *out) {
    hcbr_i_rich_pair a = {0, 0}, b = {0, 0};
    uint32_t i = 0;
    for (; i + 2 <= n; i += 2) { // two at a time, since additions wait for each other
        a += hcbr_i_rich_get_pair(gradient + 2 * (size_t)rows[i]);
        b += hcbr_i_rich_get_pair(gradient + 2 * (size_t)rows[i + 1]);
    }
    if (i < n)
        a += hcbr_i_rich_get_pair(gradient + 2 * (size_t)rows[i]);
    hcbr_i_rich_put_pair(out, a + b);
}

static void fill_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                      const uint32_t *rest, uint32_t rest_n) {
    const booster *b = context;
    const fold_model *j = b->model;
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    uint32_t k = j->outputs;
    memset(b->leaf, 0, 2 * (size_t)k * sizeof *b->leaf);
    if (k == 1)
        sum_two(b->gradient, drawn, n, b->leaf);
    for (uint32_t i = 0; k > 1 && i < n; i++)
        add(b->leaf, b->residual + (size_t)drawn[i] * 2 * k, 2 * k);
    for (uint32_t l = 0; l < k; l++)
        values[l] = hcbr_i_rich_leaf_value(b->leaf[l], b->leaf[k + l], t->rate, t->lambda);
    move(j, values, drawn, n);
    move(j, values, rest, rest_n);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* Log-loss of the cases that this fold model does not see, exact except for the last rounding;
 * *weight receives their weight. */
static double held_loss(const fold_model *j, double *weight) {
    const hcbr_i_rich_table *t = j->table;
    hcbr_i_exact loss = {{0}, 0};
    *weight = 0;
    for (uint32_t d = 0; d < j->held_count; d += HCBR_I_RICH_MANY) {
        uint32_t left = j->held_count - d,
                 count = left < HCBR_I_RICH_MANY ? left : HCBR_I_RICH_MANY;
        uint32_t whole = hcbr_i_rich_whole_blocks(count);
        double x[HCBR_I_RICH_MANY] = {0};
        for (uint32_t b = 0; j->outputs == 1 && b < count; b++) {
            uint32_t i = j->held[d + b];
            x[b] = t->label[i] ? -j->score[i] : j->score[i];
        }
        if (j->outputs == 1)
            hcbr_i_rich_exp_many(x, whole);
        else
            hcbr_i_rich_against(j, j->held + d, count, x);
        for (uint32_t b = 0; b < whole; b++)
            x[b] += j->outputs == 1 || b >= count;
        for (uint32_t b = 0; b < whole; b += HCBR_I_LOG_BLOCK)
            hcbr_i_log_block(x + b);
        for (uint32_t b = 0; b < count; b++) {
            double w = t->weight[j->held[d + b]];
            *weight += w;
            hcbr_i_exact_add(&loss, w * x[b]);
        }
    }
    return hcbr_i_exact_value(&loss);
}

/* ---- trees ----------------------------------------------------------------------------------- */

bool hcbr_i_rich_fold_model_begin(fold_model *j) {
    const hcbr_i_rich_table *t = j->table;
    const hcbr_i_rich_tuning *tuning = &j->options->tuning;
    size_t k = j->outputs;
    j->begun = true;
    j->key = hcbr_i_rich_fold_key(j->options->seed, j->fold);
    j->forest.outputs = j->outputs;
    j->start = hcbr_i_alloc_zero(k, sizeof *j->start);
    j->score = hcbr_i_alloc(t->rows, k * sizeof *j->score);
    j->weight = hcbr_i_alloc(t->rows, sizeof *j->weight);
    j->held = hcbr_i_alloc(t->rows, sizeof *j->held);
    j->most = tuning->most_trees > NO_STOP_TREES ? tuning->most_trees : NO_STOP_TREES;
    j->losses = hcbr_i_alloc(j->most, sizeof *j->losses);
    j->own = hcbr_i_alloc(t->rows, sizeof *j->own);
    if (!j->start || !j->score || !j->weight || !j->held || !j->losses || !j->own)
        return false;
    take_part(j);
    j->every = FIRST_KEPT;
    j->kept = hcbr_i_alloc(j->own_count, HCBR_I_RICH_KEPT * k * sizeof *j->kept);
    if (!j->kept)
        return false;
    set_start(j);
    j->loss = j->before = held_loss(j, &j->held_total);
    j->most = j->held_total > 0 ? tuning->most_trees : NO_STOP_TREES;
    j->done = j->most == 0;
    return true;
}

static hcbr_i_rich_growth growth_of(booster *b, uint32_t tree) {
    const fold_model *j = b->model;
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    return (hcbr_i_rich_growth){.table = j->table,
                                .gradient = b->gradient,
                                .channels = j->channels,
                                .depth = j->depth,
                                .lambda = t->lambda,
                                .least_h = t->least_h,
                                .columns = t->columns,
                                .fewest_columns = t->fewest_columns,
                                .cuts = t->cuts,
                                .cases_per_cut = t->cases_per_cut,
                                .key = hcbr_i_mix(j->key + tree),
                                .leaf = fill_leaf,
                                .context = b};
}

/* Whether the fold model is done, after another tree with this loss. */
static bool is_done(fold_model *j, double loss) {
    const hcbr_i_rich_tuning *t = &j->options->tuning;
    bool stops = j->held_total > 0;
    if (loss < j->loss || !stops) {
        j->loss = loss;
        j->best_trees = j->grown;
        j->best_leaves = j->forest.leaf_count;
    } else if (j->grown - j->best_trees >= t->patience) {
        return true;
    }
    if (stops && j->grown % t->patience == 0) {
        if (j->before - j->loss < t->stop_gain * j->held_total)
            return true;
        j->before = j->loss;
    }
    return j->grown >= j->most;
}

/* A list of supports that is kept. */
static double *kept_list(const fold_model *j, uint32_t number) {
    return j->kept + (size_t)number * j->own_count * j->outputs;
}

/* Store the supports of held-out rows after every `every` trees. If the room is full, every second
 * list is dropped. */
static void keep_supports(fold_model *j) {
    const size_t k = j->outputs, size = j->own_count * k * sizeof *j->kept;
    if (j->grown != (j->kept_count + 1) * j->every)
        return;
    if (j->kept_count == HCBR_I_RICH_KEPT) {
        j->every *= 2;
        j->kept_count /= 2;
        for (uint32_t n = 0; n < j->kept_count; n++)
            memcpy(kept_list(j, n), kept_list(j, 2 * n + 1), size);
        return;
    }
    double *to = kept_list(j, j->kept_count++);
    for (uint32_t d = 0; d < j->own_count; d++)
        memcpy(to + d * k, j->score + j->own[d] * k, k * sizeof *to);
}

bool hcbr_i_rich_fold_model_grow(fold_model *j, booster *b) {
    uint32_t tree = j->grown;
    b->model = j;
    if (j->outputs > 1)
        sketch(j, tree, b->sign);
    uint32_t n = draw(b, tree);
    hcbr_i_rich_growth growth = growth_of(b, tree);
    if (!hcbr_i_rich_grow(&j->forest, &growth, b->scratch, b->drawn, n, b->rest,
                          j->table->rows - n))
        return false;
    double loss = j->held_total > 0 ? held_loss(j, &j->held_total) : -1.0 - tree;
    j->grown++;
    keep_supports(j);
    j->done = is_done(j, loss);
    j->losses[tree] = j->loss;
    return true;
}

/* ---- held-out supports ----------------------------------------------------------------------- */

/* The state of scoring a fold model's held-out rows. */
typedef struct holder {
    const fold_model *model;
    uint8_t *codes;   /* of the row */
    uint32_t *in_bag; /* by member: the last row that has it, + 1 */
} holder;

static void take_row(const holder *h, uint32_t row) {
    const hcbr_i_rich_table *t = h->model->table;
    for (uint32_t c = 0; c < t->columns; c++)
        h->codes[c] = t->codes[(size_t)c * t->rows + row];
    for (uint64_t b = t->bag_start[row]; b < t->bag_start[row + 1]; b++)
        h->in_bag[t->bag[b]] = row + 1;
}

/* The support of an own row by the first `trees` trees, starting from the last stored list before
 * them. Trees are added in order, as in training. */
static void add_trees(const holder *h, uint32_t own, uint32_t trees, double *out) {
    const fold_model *j = h->model;
    const hcbr_i_rich_forest *f = &j->forest;
    const uint32_t lists = trees / j->every < j->kept_count ? trees / j->every : j->kept_count;
    const size_t k = j->outputs;
    memcpy(out, lists ? kept_list(j, lists - 1) + own * k : j->start, k * sizeof *out);
    for (uint32_t t = lists * j->every; t < trees; t++) {
        uint32_t leaf = hcbr_i_rich_find_leaf(f->nodes + f->start[t], h->codes, j->table->columns,
                                              h->in_bag, j->own[own] + 1, f->nodes);
        add(out, f->values + leaf * k, j->outputs);
    }
}

/* Store the supports of all own rows. False: stopped. */
static bool hold_rows(const holder *h, uint32_t others, double *held, double *honest) {
    const fold_model *j = h->model;
    const size_t k = j->outputs;
    for (uint32_t d = 0; d < j->own_count; d++) {
        if (d % WATCH == 0 && hcbr_i_rich_go_on(j->options, NULL) != HCBR_OK)
            return false;
        const size_t at = k * hcbr_i_rich_sample_place(j->table, j->own[d]);
        take_row(h, j->own[d]);
        add_trees(h, d, j->best_trees, held + at);
        if (honest && others == j->best_trees)
            memcpy(honest + at, held + at, k * sizeof *held);
        else if (honest)
            add_trees(h, d, others, honest + at);
    }
    return true;
}

bool hcbr_i_rich_fold_model_hold(const fold_model *j, uint32_t others, double *held,
                                 double *honest) {
    holder h = {.model = j};
    h.codes = hcbr_i_alloc(j->table->columns, 1);
    h.in_bag = hcbr_i_alloc_zero(j->table->bag_count, sizeof *h.in_bag);
    bool ok =
        h.codes && h.in_bag && hold_rows(&h, others < j->grown ? others : j->grown, held, honest);
    hcbr_i_free(h.codes);
    hcbr_i_free(h.in_bag);
    return ok;
}

void hcbr_i_rich_fold_model_clear(fold_model *model) {
    hcbr_i_rich_forest_clear(&model->forest);
    hcbr_i_free(model->start);
    hcbr_i_free(model->score);
    hcbr_i_free(model->weight);
    hcbr_i_free(model->held);
    hcbr_i_free(model->losses);
    hcbr_i_free(model->own);
    hcbr_i_free(model->kept);
    model->start = model->score = model->weight = model->losses = model->kept = NULL;
    model->held = model->own = NULL;
}

bool hcbr_i_rich_booster_init(booster *b, const hcbr_i_rich_table *t, uint32_t outputs,
                              uint32_t channels) {
    size_t k = outputs;
    *b = (booster){.scratch = hcbr_i_rich_scratch_create(t)};
    b->residual = hcbr_i_alloc(k > 1 ? t->rows : 0, 2 * k * sizeof *b->residual);
    b->gradient = hcbr_i_alloc(t->rows, (channels + 1) * sizeof *b->gradient);
    b->leaf = hcbr_i_alloc(k, 2 * sizeof *b->leaf);
    b->drawn = hcbr_i_alloc(t->rows, sizeof *b->drawn);
    b->rest = hcbr_i_alloc(t->rows, sizeof *b->rest);
    b->sign = hcbr_i_alloc(channels, k * sizeof *b->sign);
    return b->scratch && b->residual && b->gradient && b->leaf && b->drawn && b->rest && b->sign;
}

void hcbr_i_rich_booster_clear(booster *b) {
    hcbr_i_rich_scratch_free(b->scratch);
    hcbr_i_free(b->residual);
    hcbr_i_free(b->gradient);
    hcbr_i_free(b->leaf);
    hcbr_i_free(b->drawn);
    hcbr_i_free(b->rest);
    hcbr_i_free(b->sign);
}
