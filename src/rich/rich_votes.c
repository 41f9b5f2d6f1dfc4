/*
 * Votes: trees on bootstrap draws whose leaves say what share of their cases has each label.
 *
 * A case of weight w is drawn m times, m from the Poisson law of mean w: so are w copies, each
 * drawn by itself. A leaf's share of a label is (its draws with the label + a pi) / (all its draws
 * + a), pi the label's share of all cases. The held-out share of a case is the mean over the trees
 * that did not draw it; of a case of several copies, over all trees by how many copies they left.
 * Shares are rounded to 2^-40, so the sums over trees are exact in any order.
 */
#include "rich/rich.h"
#include "rich/rich_draw.h"

#define SHARE_GRID 0x1p-40

typedef struct votes {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_forest *trees; /* one of each */
    uint32_t outputs, channels;
    double *prior; /* by label */
    struct voter *voters;
    bool *failed; /* by voter */
} votes;

/* What a thread works with. */
typedef struct voter {
    votes *all;
    hcbr_i_rich_scratch *scratch;
    uint32_t *drawn, *rest;
    double *times;    /* m, by row */
    double *gradient; /* rows x (channels + 1) */
    double *share;    /* rows x outputs: sums over the trees that left the row */
    double *left;     /* rows: sums of what they left */
} voter;

/* ---- drawing --------------------------------------------------------------------------------- */

/* Gradients: +1 and -1 by label or, with more than two, a random sign of each label per channel. */
static uint32_t draw(voter *v, uint32_t tree) {
    const hcbr_i_rich_table *t = v->all->table;
    uint32_t n = 0, others = 0, channels = v->all->channels;
    uint64_t key = hcbr_i_rich_vote_key(v->all->options->seed, tree);
    for (uint32_t i = 0; i < t->rows; i++) {
        double m = v->times[i] = hcbr_i_rich_times(t->weight[i], t->hash[i] ^ key);
        if (m == 0) {
            v->rest[others++] = i;
            continue;
        }
        v->drawn[n++] = i;
        double *g = v->gradient + (size_t)i * (channels + 1);
        for (uint32_t c = 0; c < channels; c++) {
            uint64_t r = hcbr_i_mix(key + ((uint64_t)c << 32) + t->label[i]);
            bool up = v->all->outputs == 1 ? t->label[i] == 1 : r >> 63;
            g[c] = up ? m : -m;
        }
        g[channels] = m;
    }
    return n;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void collect(voter *v, const double *values, const uint32_t *rows, uint32_t n) {
    const hcbr_i_rich_table *t = v->all->table;
    uint32_t k = v->all->outputs;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        double w = t->weight[row], m = v->times[row];
        double left = m == 0 ? 1 : w > 1 ? hcbr_i_exp(m * hcbr_i_log1p(-1 / w)) : 0;
        left = hcbr_i_rich_round(left, 0x1p-10);
        if (left == 0)
            continue;
        v->left[row] += left;
        for (uint32_t l = 0; l < k; l++)
            v->share[(size_t)row * k + l] += hcbr_i_rich_round(left * values[l], SHARE_GRID);
    }
}

static void fill_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                      const uint32_t *rest, uint32_t rest_n) {
    voter *v = context;
    const hcbr_i_rich_table *t = v->all->table;
    uint32_t k = v->all->outputs;
    double a = v->all->options->tuning.vote_prior, total = a;
    for (uint32_t l = 0; l < k; l++)
        values[l] = a * v->all->prior[k == 1 ? 1 : l];
    for (uint32_t i = 0; i < n; i++) {
        double m = v->times[drawn[i]];
        total += m;
        if (k > 1)
            values[t->label[drawn[i]]] += m;
        else if (t->label[drawn[i]])
            values[0] += m;
    }
    for (uint32_t l = 0; l < k; l++)
        values[l] = fmin(fmax(hcbr_i_rich_round(values[l] / total, SHARE_GRID), SHARE_GRID),
                         1 - SHARE_GRID); // logarithms are taken of them
    collect(v, values, drawn, n);
    collect(v, values, rest, rest_n);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void grow_tree(voter *v, uint32_t tree) {
    votes *all = v->all;
    const hcbr_i_rich_tuning *t = &all->options->tuning;
    hcbr_i_rich_growth growth = {.table = all->table,
                                 .gradient = v->gradient,
                                 .channels = all->channels,
                                 .depth = UINT32_MAX,
                                 .lambda = 0,
                                 .least_h = t->vote_least,
                                 .columns = t->vote_columns,
                                 .fewest_columns = 1,
                                 .cuts = t->vote_cuts,
                                 .cases_per_cut = 1e300,
                                 .pure = true,
                                 .key = hcbr_i_mix(all->options->seed + tree),
                                 .leaf = fill_leaf,
                                 .context = v};
    uint32_t n = draw(v, tree);
    hcbr_i_rich_forest *f = &all->trees[tree];
    f->outputs = all->outputs;
    if (!hcbr_i_rich_grow(f, &growth, v->scratch, v->drawn, n, v->rest, all->table->rows - n))
        all->failed[v - all->voters] = true;
}

static void grow_trees(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    votes *all = context;
    for (uint64_t tree = begin; tree < end && !all->failed[worker]; tree++)
        if (hcbr_i_rich_tick(all->options))
            grow_tree(&all->voters[worker], (uint32_t)tree);
        else
            all->failed[worker] = true;
}

static bool voter_init(voter *v, votes *all) {
    const hcbr_i_rich_table *t = all->table;
    *v = (voter){.all = all, .scratch = hcbr_i_rich_scratch_create(t)};
    v->drawn = hcbr_i_alloc(t->rows, sizeof *v->drawn);
    v->rest = hcbr_i_alloc(t->rows, sizeof *v->rest);
    v->times = hcbr_i_alloc(t->rows, sizeof *v->times);
    v->gradient = hcbr_i_alloc(t->rows, (all->channels + 1) * sizeof *v->gradient);
    v->share = hcbr_i_alloc_zero(t->rows, all->outputs * sizeof *v->share);
    v->left = hcbr_i_alloc_zero(t->rows, sizeof *v->left);
    return v->scratch && v->drawn && v->rest && v->times && v->gradient && v->share && v->left;
}

static void voter_clear(voter *v) {
    hcbr_i_rich_scratch_free(v->scratch);
    hcbr_i_free(v->drawn);
    hcbr_i_free(v->rest);
    hcbr_i_free(v->times);
    hcbr_i_free(v->gradient);
    hcbr_i_free(v->share);
    hcbr_i_free(v->left);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Put the trees behind each other. */
static bool join(hcbr_i_rich_forest *out, const hcbr_i_rich_forest *trees, uint32_t count) {
    size_t nodes = 0, leaves = 0;
    for (uint32_t i = 0; i < count; i++) {
        nodes += trees[i].node_count;
        leaves += trees[i].leaf_count;
    }
    if (nodes > UINT32_MAX / 2 ||
        !hcbr_i_grow(&out->nodes, &out->node_capacity, nodes, sizeof *out->nodes) ||
        !hcbr_i_grow(&out->values, &out->value_capacity, leaves * out->outputs,
                     sizeof *out->values) ||
        !hcbr_i_grow(&out->start, &out->tree_capacity, count, sizeof *out->start))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const hcbr_i_rich_forest *f = &trees[i];
        out->start[out->tree_count++] = (uint32_t)out->node_count;
        for (size_t j = 0; j < f->node_count; j++) {
            hcbr_i_rich_node x = f->nodes[j];
            x.no += (uint32_t)(x.test == HCBR_I_RICH_LEAF ? out->leaf_count : out->node_count);
            out->nodes[out->node_count + j] = x;
        }
        memcpy(out->values + out->leaf_count * out->outputs, f->values,
               f->leaf_count * out->outputs * sizeof *f->values);
        out->node_count += f->node_count;
        out->leaf_count += f->leaf_count;
    }
    return true;
}

void hcbr_i_rich_votes_support(const double *share, uint32_t labels, double *support) {
    if (labels == 2) {
        support[0] = hcbr_i_log(share[0] / (1 - share[0]));
        return;
    }
    double mean = 0;
    for (uint32_t l = 0; l < labels; l++)
        mean += (support[l] = hcbr_i_log(share[l])) / labels;
    for (uint32_t l = 0; l < labels; l++)
        support[l] -= mean;
}

static void hold(const votes *all, uint32_t voters, double *held) {
    const hcbr_i_rich_table *t = all->table;
    uint32_t k = all->outputs;
    for (uint32_t i = 0; i < t->rows; i++) {
        double left = 0;
        for (uint32_t v = 0; v < voters; v++)
            left += all->voters[v].left[i];
        for (uint32_t l = 0; l < k; l++) {
            double sum = 0;
            for (uint32_t v = 0; v < voters; v++)
                sum += all->voters[v].share[(size_t)i * k + l];
            double share = left > 0 ? sum / left : all->prior[k == 1 ? 1 : l];
            // a mean of shares between these, but for rounding; logarithms are taken of it
            held[(size_t)i * k + l] = fmin(fmax(share, SHARE_GRID), 1 - SHARE_GRID);
        }
        hcbr_i_rich_votes_support(held + (size_t)i * k, t->labels, held + (size_t)i * k);
    }
}

hcbr_status hcbr_i_rich_votes_fit(hcbr_i_rich_forest *out, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options, double *held,
                                  hcbr_error *err) {
    uint32_t trees = options->tuning.vote_trees, threads = options->threads;
    votes all = {.table = table,
                 .options = options,
                 .outputs = hcbr_i_rich_outputs(table->labels),
                 .channels = table->labels == 2 ? 1 : 3};
    *out = (hcbr_i_rich_forest){.outputs = all.outputs};
    all.trees = hcbr_i_alloc_zero(trees, sizeof *all.trees);
    all.prior = hcbr_i_alloc(table->labels, sizeof *all.prior);
    all.voters = hcbr_i_alloc_zero(threads, sizeof *all.voters);
    all.failed = hcbr_i_alloc_zero(threads, sizeof *all.failed);
    bool ok = all.trees && all.prior && all.voters && all.failed;
    for (uint32_t v = 0; ok && v < threads; v++)
        ok = voter_init(&all.voters[v], &all);
    for (uint32_t l = 0; ok && l < table->labels; l++)
        all.prior[l] =
            hcbr_i_rich_prior(table->label_weight[l], table->total_weight, table->labels);
    if (ok)
        hcbr_i_parallel(threads, trees, 1, grow_trees, &all);
    for (uint32_t v = 0; ok && v < threads; v++)
        ok = !all.failed[v];
    ok = ok && join(out, all.trees, trees);
    if (ok)
        hold(&all, threads, held);
    for (uint32_t v = 0; all.voters && v < threads; v++)
        voter_clear(&all.voters[v]);
    for (uint32_t i = 0; all.trees && i < trees; i++)
        hcbr_i_rich_forest_clear(&all.trees[i]);
    hcbr_i_free(all.trees);
    hcbr_i_free(all.prior);
    hcbr_i_free(all.voters);
    hcbr_i_free(all.failed);
    if (ok)
        return HCBR_OK;
    hcbr_i_rich_forest_clear(out);
    return hcbr_i_no_memory(err);
}
