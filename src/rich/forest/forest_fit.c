/*
 * A random forest: trees on bootstrap draws; a leaf gives the share of each label among its cases.
 *
 * A unit, all rows held out together, is drawn m times, m from the Poisson law of mean 1, or of a
 * smaller mean so that a tree draws 30,000 rows. More would make trees larger, but the stack no
 * better. A case of weight w in it counts as m w draws. With many cases some trees are grown first,
 * and the others only if they are needed.
 *
 * A leaf's share of a label is (its draws with the label + a pi) / (all its draws + a), pi the
 * label's share of all cases. The held-out share of a case is the mean over the trees that did not
 * draw its unit. Shares are rounded to 2^-40, so the sums over trees are exact in any order. With
 * more than two labels a leaf keeps a / (all its draws + a) and the draws of its labels: its size
 * follows its cases, not the labels.
 */
#include "rich/rich.h"
#include "rich/rich_draw.h"

#include <stdlib.h>

#define SHARE_GRID 0x1p-40

/* The values of the leaves of a tree with more than two labels. */
typedef struct ballots {
    double *rest; /* by leaf: the prior's part */
    size_t rest_capacity;
    uint32_t *labels; /* by leaf: how many are listed */
    size_t labels_capacity;
    uint32_t *label;
    size_t label_capacity;
    double *value;
    size_t value_capacity;
    size_t leaf_count, count; /* listed shares */
} ballots;

typedef struct forest {
    const hcbr_i_rich_table *table;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_forest *trees; /* one of each */
    uint32_t outputs, channels;
    uint32_t first; /* tree that is grown now */
    double part;    /* mean draws of a unit ... */
    double never;   /* ... and the probability of none */
    double *prior;  /* by label */
    struct grower *growers;
    bool *failed;  /* by thread */
    ballots *said; /* by tree, with more than two labels */
} forest;

/* Working memory of a thread. */
typedef struct grower {
    forest *all;
    hcbr_i_rich_scratch *scratch;
    uint32_t *drawn, *rest;
    double *times;    /* draws, by row */
    double *gradient; /* rows x (channels + 1) */
    double *share;    /* sample x outputs: sums over the trees that left the row ... */
    double *part;     /* ... and of the prior's part, with more than two labels */
    uint32_t *left;   /* sample: their number */
    ballots *said;    /* of the current tree */
    double *count;    /* by label: draws in the current leaf, 0 between leaves */
    uint32_t *label;  /* labels that have some */
} grower;

/* ---- drawing --------------------------------------------------------------------------------- */

/* Draw the units of a tree. Gradients: +1 and -1 by label or, with more than two, a random sign of
 * each label per channel. *others counts the rows that are not drawn and whose supports are
 * kept. */
static uint32_t draw(grower *v, uint32_t tree, uint32_t *others) {
    const hcbr_i_rich_table *t = v->all->table;
    uint32_t n = 0, channels = v->all->channels;
    uint64_t key = hcbr_i_rich_forest_key(v->all->options->seed, tree);
    for (uint32_t i = 0; i < t->rows; i++) {
        double m = hcbr_i_rich_times(v->all->part, v->all->never, t->unit[i] ^ key) * t->weight[i];
        v->times[i] = m;
        if (m == 0) {
            v->rest[*others] = i; // the supports of the others are not kept
            *others += hcbr_i_rich_sample_place(t, i) != HCBR_I_NONE;
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

/* Add the value of a leaf to the rows that end there and were not drawn: `count` numbers of these
 * labels (NULL: of the second of two) and the prior's part. */
static void collect(grower *v, const uint32_t *label, const double *values, uint32_t count,
                    double rest, const uint32_t *rows, uint32_t n) {
    uint32_t k = v->all->outputs;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = hcbr_i_rich_sample_place(v->all->table, rows[i]);
        if (place == HCBR_I_NONE)
            continue;
        v->left[place]++;
        if (k > 1)
            v->part[place] += rest;
        for (uint32_t j = 0; j < count; j++)
            v->share[(size_t)place * k + (label ? label[j] : 0)] += values[j];
    }
}

static void fill_two(grower *v, double *value, const uint32_t *drawn, uint32_t n) {
    const uint32_t *label = v->all->table->label;
    double a = v->all->options->tuning.forest_prior, total = a, own = a * v->all->prior[1];
    for (uint32_t i = 0; i < n; i++) {
        double m = v->times[drawn[i]];
        total += m;
        own += label[drawn[i]] ? m : 0;
    }
    value[0] = fmin(fmax(hcbr_i_rich_round(own / total, SHARE_GRID), SHARE_GRID),
                    1 - SHARE_GRID); // for their logarithms
}

/* Append a leaf to the ballots. False: no memory. */
static bool fill_many(grower *v, const uint32_t *drawn, uint32_t n) {
    double a = v->all->options->tuning.forest_prior, total = a;
    ballots *b = v->said;
    uint32_t labels = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t l = v->all->table->label[drawn[i]];
        total += v->times[drawn[i]];
        if (v->count[l] == 0)
            v->label[labels++] = l;
        v->count[l] += v->times[drawn[i]];
    }
    qsort(v->label, labels, sizeof *v->label, hcbr_i_compare_u32);
    bool ok = hcbr_i_grow(&b->rest, &b->rest_capacity, b->leaf_count + 1, sizeof *b->rest) &&
              hcbr_i_grow(&b->labels, &b->labels_capacity, b->leaf_count + 1, sizeof *b->labels) &&
              hcbr_i_grow(&b->label, &b->label_capacity, b->count + labels, sizeof *b->label) &&
              hcbr_i_grow(&b->value, &b->value_capacity, b->count + labels, sizeof *b->value);
    if (ok) {
        b->rest[b->leaf_count] = fmax(hcbr_i_rich_round(a / total, SHARE_GRID), SHARE_GRID);
        b->labels[b->leaf_count++] = labels;
    }
    for (uint32_t j = 0; j < labels; j++) {
        if (ok) {
            b->label[b->count] = v->label[j];
            b->value[b->count++] = hcbr_i_rich_round(v->count[v->label[j]] / total, SHARE_GRID);
        }
        v->count[v->label[j]] = 0;
    }
    return ok;
}

static void fill_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                      const uint32_t *rest, uint32_t rest_n) {
    grower *v = context;
    const ballots *b = v->said;
    const uint32_t *label = NULL;
    uint32_t count = 1;
    double prior = 0;
    if (v->all->outputs == 1) {
        fill_two(v, values, drawn, n);
    } else if (!fill_many(v, drawn, n)) {
        v->all->failed[v - v->all->growers] = true;
        return;
    } else {
        count = b->labels[b->leaf_count - 1];
        label = count ? b->label + b->count - count : NULL; // none was drawn
        values = count ? b->value + b->count - count : NULL;
        prior = b->rest[b->leaf_count - 1];
    }
    if (v->all->table->self)
        collect(v, label, values, count, prior, drawn, n);
    collect(v, label, values, count, prior, rest, rest_n);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void grow_tree(grower *v, uint32_t tree) {
    forest *all = v->all;
    const hcbr_i_rich_tuning *t = &all->options->tuning;
    hcbr_i_rich_growth growth = {.table = all->table,
                                 .gradient = v->gradient,
                                 .channels = all->channels,
                                 .depth = UINT32_MAX,
                                 .lambda = 0,
                                 .least_h = t->forest_least,
                                 .columns = t->forest_columns,
                                 .fewest_columns = 1,
                                 .cuts = t->forest_cuts,
                                 .cases_per_cut = 1e300,
                                 .pure = true,
                                 .key = hcbr_i_mix(all->options->seed + tree),
                                 .leaf = fill_leaf,
                                 .context = v};
    uint32_t others = 0, n = draw(v, tree, &others);
    hcbr_i_rich_forest *f = &all->trees[tree];
    f->outputs = all->outputs == 1;
    v->said = all->said ? &all->said[tree] : NULL;
    if (!hcbr_i_rich_grow(f, &growth, v->scratch, v->drawn, n, v->rest, others))
        all->failed[v - all->growers] = true;
}

static void grow_trees(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    forest *all = context;
    for (uint64_t tree = begin; tree < end && !all->failed[worker]; tree++)
        if (hcbr_i_rich_tick(all->options))
            grow_tree(&all->growers[worker], all->first + (uint32_t)tree);
        else
            all->failed[worker] = true;
}

static bool grower_init(grower *v, forest *all) {
    const hcbr_i_rich_table *t = all->table;
    uint32_t several = all->outputs > 1 ? all->outputs : 0;
    *v = (grower){.all = all, .scratch = hcbr_i_rich_scratch_create(t)};
    v->drawn = hcbr_i_alloc(t->rows, sizeof *v->drawn);
    v->rest = hcbr_i_alloc(t->rows, sizeof *v->rest);
    v->times = hcbr_i_alloc(t->rows, sizeof *v->times);
    v->gradient = hcbr_i_alloc(t->rows, (all->channels + 1) * sizeof *v->gradient);
    v->share = hcbr_i_alloc_zero(t->sample_count, all->outputs * sizeof *v->share);
    v->part = hcbr_i_alloc_zero(several ? t->sample_count : 0, sizeof *v->part);
    v->left = hcbr_i_alloc_zero(t->sample_count, sizeof *v->left);
    v->count = hcbr_i_alloc_zero(several, sizeof *v->count);
    v->label = hcbr_i_alloc(several, sizeof *v->label);
    return v->scratch && v->drawn && v->rest && v->times && v->gradient && v->share && v->part &&
           v->left && v->count && v->label;
}

static void grower_clear(grower *v) {
    hcbr_i_rich_scratch_free(v->scratch);
    hcbr_i_free(v->drawn);
    hcbr_i_free(v->rest);
    hcbr_i_free(v->times);
    hcbr_i_free(v->gradient);
    hcbr_i_free(v->share);
    hcbr_i_free(v->part);
    hcbr_i_free(v->left);
    hcbr_i_free(v->count);
    hcbr_i_free(v->label);
}

static void ballots_clear(ballots *b) {
    hcbr_i_free(b->rest);
    hcbr_i_free(b->labels);
    hcbr_i_free(b->label);
    hcbr_i_free(b->value);
}

/* ---- all trees ------------------------------------------------------------------------------- */

/* Concatenate the trees. */
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
        if (out->outputs)
            memcpy(out->values + out->leaf_count * out->outputs, f->values,
                   f->leaf_count * out->outputs * sizeof *f->values);
        out->node_count += f->node_count;
        out->leaf_count += f->leaf_count;
    }
    return true;
}

/* Concatenate the values of their leaves. */
static bool join_ballots(hcbr_i_rich_shares *out, const forest *all, uint32_t trees,
                         size_t leaves) {
    out->rest = hcbr_i_alloc(leaves, sizeof *out->rest);
    out->lists.start = hcbr_i_alloc_zero(leaves + 1, sizeof *out->lists.start);
    if (!out->rest || !out->lists.start)
        return false;
    size_t leaf = 0, at = 0;
    for (uint32_t t = 0; t < trees; t++)
        for (size_t i = 0; i < all->said[t].leaf_count; i++, leaf++) {
            out->rest[leaf] = all->said[t].rest[i];
            out->lists.start[leaf + 1] = all->said[t].labels[i];
        }
    if (!hcbr_i_rich_lists_init(&out->lists, leaves))
        return false;
    for (uint32_t t = 0; t < trees; t++) {
        const ballots *b = &all->said[t];
        if (b->count) {
            memcpy(out->lists.label + at, b->label, b->count * sizeof *b->label);
            memcpy(out->lists.value + at, b->value, b->count * sizeof *b->value);
        }
        at += b->count;
    }
    return true;
}

void hcbr_i_rich_forest_support(const double *share, uint32_t labels, double *support) {
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

static void hold(const forest *all, uint32_t growers, double *held) {
    const hcbr_i_rich_table *t = all->table;
    uint32_t k = all->outputs;
    for (uint32_t i = 0; i < t->sample_count; i++) {
        uint32_t left = 0;
        double part = 0;
        for (uint32_t v = 0; v < growers; v++) {
            left += all->growers[v].left[i];
            part += k > 1 ? all->growers[v].part[i] : 0;
        }
        for (uint32_t l = 0; l < k; l++) {
            double sum = 0, prior = all->prior[k == 1 ? 1 : l];
            for (uint32_t v = 0; v < growers; v++)
                sum += all->growers[v].share[(size_t)i * k + l];
            double share = left > 0 ? (sum + prior * part) / left : prior;
            // a mean of shares between these, except for rounding; limited for the logarithm
            held[(size_t)i * k + l] = fmin(fmax(share, SHARE_GRID), 1 - SHARE_GRID);
        }
        hcbr_i_rich_forest_support(held + (size_t)i * k, t->labels, held + (size_t)i * k);
    }
    hcbr_i_rich_leave_out(t, held);
}

static bool forest_init(forest *all, uint32_t trees, uint32_t threads) {
    const hcbr_i_rich_table *t = all->table;
    all->trees = hcbr_i_alloc_zero(trees, sizeof *all->trees);
    all->prior = hcbr_i_alloc(t->labels, sizeof *all->prior);
    all->growers = hcbr_i_alloc_zero(threads, sizeof *all->growers);
    all->failed = hcbr_i_alloc_zero(threads, sizeof *all->failed);
    all->said = all->outputs > 1 ? hcbr_i_alloc_zero(trees, sizeof *all->said) : NULL;
    bool ok =
        all->trees && all->prior && all->growers && all->failed && (all->outputs == 1 || all->said);
    for (uint32_t v = 0; ok && v < threads; v++)
        ok = grower_init(&all->growers[v], all);
    for (uint32_t l = 0; ok && l < t->labels; l++)
        all->prior[l] = hcbr_i_rich_prior(t->label_weight[l], t->total_weight, t->labels);
    return ok;
}

static void forest_clear(forest *all, uint32_t trees, uint32_t threads) {
    for (uint32_t v = 0; all->growers && v < threads; v++)
        grower_clear(&all->growers[v]);
    for (uint32_t i = 0; i < trees; i++) {
        if (all->trees)
            hcbr_i_rich_forest_clear(&all->trees[i]);
        if (all->said)
            ballots_clear(&all->said[i]);
    }
    hcbr_i_free(all->trees);
    hcbr_i_free(all->said);
    hcbr_i_free(all->prior);
    hcbr_i_free(all->growers);
    hcbr_i_free(all->failed);
}

/* Grow the trees from all->first up to one. False: no memory, or stopped. */
static bool grow_up_to(forest *all, uint32_t end, uint32_t threads, double *held) {
    hcbr_i_parallel(threads, end - all->first, 1, grow_trees, all);
    all->first = end;
    for (uint32_t v = 0; v < threads; v++)
        if (all->failed[v])
            return false;
    hold(all, threads, held);
    return true;
}

hcbr_status hcbr_i_rich_forest_fit(hcbr_i_rich_forest *out, hcbr_i_rich_shares *shares,
                                   const hcbr_i_rich_table *table,
                                   const hcbr_i_rich_options *options, double *held,
                                   hcbr_i_rich_more *more, void *context, hcbr_error *err) {
    uint32_t trees = options->tuning.forest_trees, threads = options->threads;
    uint32_t first = more ? (uint32_t)ceil(options->tuning.forest_first * trees) : trees;
    forest all = {.table = table,
                  .options = options,
                  .outputs = hcbr_i_rich_outputs(table->labels),
                  .part = hcbr_i_rich_forest_part(options->tuning.forest_cases, table->rows),
                  .channels = table->labels == 2 ? 1 : 3};
    all.never = hcbr_i_rich_exp(-all.part);
    *out = (hcbr_i_rich_forest){.outputs = all.outputs == 1};
    *shares = (hcbr_i_rich_shares){0};
    bool ok = forest_init(&all, trees, threads);
    ok = ok && grow_up_to(&all, first, threads, held);
    if (ok && first < trees && more(context))
        ok = grow_up_to(&all, trees, threads, held);
    ok = ok && join(out, all.trees, all.first) &&
         (all.outputs == 1 || join_ballots(shares, &all, all.first, out->leaf_count));
    if (ok && all.outputs > 1) { // now the model's
        shares->prior = all.prior;
        all.prior = NULL;
    }
    forest_clear(&all, trees, threads);
    if (ok)
        return HCBR_OK;
    hcbr_i_rich_forest_clear(out);
    hcbr_i_rich_shares_clear(shares);
    return hcbr_i_no_memory(err);
}
