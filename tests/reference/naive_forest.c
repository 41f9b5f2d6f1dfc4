/*
 * Votes by the definition: a unit is drawn as often as Poisson's law says, with all its weight; a
 * leaf has the share of each label among its draws, and a held-out case hears the trees that did
 * not draw its unit.
 */
#include "reference/naive_rich.h"

#include <stdlib.h>

#define SHARE_GRID 0x1p-40

/* A number in [0, 1). */
static double unit(uint64_t key) {
    return (double)(naive_mix(key) >> 11) * 0x1p-53;
}

static double times_drawn(double mean, uint64_t key) {
    double u = unit(key), p = naive_exp(-mean), sum = p, times = 0;
    while (u >= sum && times < 7) {
        p *= mean / ++times;
        sum += p;
    }
    return times;
}

/* What a label has in a leaf before anything is drawn. */
static double prior_of(const naive_table *t, uint32_t label) {
    return (t->label_weight[label] + 0.5) / (t->total + 0.5 * t->labels);
}

/* The label whose share is output l. */
static uint32_t label_of(const naive_table *t, uint32_t l) {
    return t->labels == 2 ? 1 : l;
}

/* A leaf of two labels has the share of the second, (its draws + a pi) / (all + a); of more, the
 * draws of each label and the prior's part by themselves. */
static void fill_leaf(const naive_table *t, const naive_tree *tree, naive_node *leaf,
                      const double *times, double a) {
    double own[NAIVE_LABELS] = {0}, all = a, second = a * prior_of(t, 1);
    for (uint32_t i = 0; i < t->rows; i++)
        if (times[i] > 0 && naive_leaf(tree, t, &t->row[i]) == leaf) {
            all += times[i];
            own[t->row[i].label] += times[i];
            second += t->row[i].label == 1 ? times[i] : 0;
        }
    if (t->labels == 2) {
        double share = naive_round(second / all, SHARE_GRID);
        leaf->value[0] = fmin(fmax(share, SHARE_GRID), 1 - SHARE_GRID);
        return;
    }
    for (uint32_t l = 0; l < t->labels; l++)
        leaf->value[l] = naive_round(own[l] / all, SHARE_GRID);
    leaf->prior = fmax(naive_round(a / all, SHARE_GRID), SHARE_GRID);
}

static naive_tree grow_tree(const naive_table *t, const hcbr_i_rich_tuning *tuning, uint64_t seed,
                            uint32_t number, double *times) {
    static double gradient[NAIVE_ROWS][4];
    uint32_t channels = t->labels == 2 ? 1 : 3;
    uint64_t key = naive_mix(seed ^ naive_mix(0x766F7465 + (uint64_t)number));
    bool drawn[NAIVE_ROWS];
    double part = fmin(1, tuning->forest_cases / t->rows); // on average so many are drawn
    for (uint32_t i = 0; i < t->rows; i++) {
        uint32_t label = t->row[i].label;
        times[i] = times_drawn(part, t->row[i].unit ^ key) * t->row[i].weight;
        drawn[i] = times[i] > 0;
        for (uint32_t c = 0; c < channels; c++) {
            bool up =
                t->labels == 2 ? label == 1 : naive_mix(key + ((uint64_t)c << 32) + label) >> 63;
            gradient[i][c] = up ? times[i] : -times[i];
        }
        gradient[i][channels] = times[i];
    }
    naive_growth g = {.table = t,
                      .gradient = gradient,
                      .channels = channels,
                      .depth = UINT32_MAX,
                      .fewest_columns = 1,
                      .least_h = tuning->forest_least,
                      .columns = tuning->forest_columns,
                      .cuts = tuning->forest_cuts,
                      .cases_per_cut = 1e300,
                      .pure = true,
                      .key = naive_mix(seed + number)};
    naive_tree tree = naive_grow(&g, drawn);
    for (uint32_t j = 0; j < tree.count; j++)
        fill_leaf(t, &tree, &tree.node[j], times, tuning->forest_prior);
    return tree;
}

/* From shares to supports: the log-odds, or logarithms less their mean. */
static void support_of(const naive_table *t, const double *share, double *support) {
    double mean = 0;
    if (t->labels == 2) {
        support[0] = naive_log(share[0] / (1 - share[0]));
        return;
    }
    for (uint32_t l = 0; l < t->labels; l++)
        mean += naive_log(share[l]) / t->labels;
    for (uint32_t l = 0; l < t->labels; l++)
        support[l] = naive_log(share[l]) - mean;
}

void naive_forest_fit(naive_forest *out, const naive_table *t, const hcbr_i_rich_tuning *tuning,
                      uint64_t seed, naive_held *held) {
    static double share[NAIVE_ROWS][NAIVE_LABELS], prior[NAIVE_ROWS], left[NAIVE_ROWS];
    uint32_t k = naive_outputs(t->labels);
    memset(share, 0, sizeof share);
    memset(prior, 0, sizeof prior);
    memset(left, 0, sizeof left);
    out->trees = tuning->forest_trees;
    out->tree = calloc(out->trees + 1, sizeof *out->tree);
    for (uint32_t j = 0; j < out->trees; j++) {
        double times[NAIVE_ROWS];
        out->tree[j] = grow_tree(t, tuning, seed, j, times);
        for (uint32_t i = 0; i < t->rows; i++) {
            const naive_node *leaf = naive_leaf(&out->tree[j], t, &t->row[i]);
            bool heard = times[i] == 0 || t->all_seen;
            left[i] += heard;
            prior[i] += heard ? leaf->prior : 0;
            for (uint32_t l = 0; l < k; l++)
                share[i][l] += heard ? leaf->value[l] : 0;
        }
    }
    for (uint32_t i = 0; i < t->rows; i++) {
        for (uint32_t l = 0; l < k; l++) {
            double pi = prior_of(t, label_of(t, l));
            double mean = left[i] > 0 ? (share[i][l] + pi * prior[i]) / left[i] : pi;
            share[i][l] = fmin(fmax(mean, SHARE_GRID), 1 - SHARE_GRID);
        }
        support_of(t, share[i], held->support[i]);
    }
}

void naive_forest_support(const naive_forest *forest, const naive_table *t, const naive_row *row,
                          double *support) {
    double share[NAIVE_LABELS] = {0};
    for (uint32_t l = 0; l < naive_outputs(t->labels); l++) {
        for (uint32_t j = 0; j < forest->trees; j++) {
            const naive_node *leaf = naive_leaf(&forest->tree[j], t, row);
            share[l] += leaf->value[l] + prior_of(t, label_of(t, l)) * leaf->prior;
        }
        share[l] /= forest->trees;
    }
    support_of(t, share, support);
}
