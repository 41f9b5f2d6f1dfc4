/*
 * Supports of cases near the current case (support_probe.h). A tree that tests none of the edited
 * variables on the path of the current case ends in the same leaf; the others are followed again,
 * and the values of their leaves are replaced.
 *
 * Invariant: between calls codes and in_bag are those of the current case.
 */
#include "rich/score/support_probe.h"

#include <math.h>

/* Fold models, then the forest; tests of a tree, about. */
enum { FORESTS = HCBR_I_RICH_FOLDS + 1, WAY = 8 };

/* A tree and the leaf of the current case. */
typedef struct placed {
    const hcbr_i_rich_forest *forest;
    uint32_t start, leaf;
    uint32_t mark; /* the last call that followed it again */
    bool shares;
} placed;

/* A tree tests a variable on its path. */
typedef struct asked {
    uint32_t variable, tree;
} asked;

struct hcbr_i_rich_probe {
    const hcbr_i_rich *rich;
    uint8_t *codes;
    uint32_t *in_bag; /* 1: present */
    placed *trees;
    size_t tree_count;
    asked *asked; /* as they were met */
    size_t asked_count, asked_capacity;
    size_t *start; /* by variable: of[start[v]] .. of[start[v + 1]] are the trees that test it */
    uint32_t *of;  /* trees */
    size_t of_capacity;
    double *base;           /* sums of the families, FAMILIES x outputs */
    double *sums, *at;      /* with edits; by output */
    double base_rest, rest; /* of the forest, with more than two labels: the prior's parts */
    uint32_t mark;
    uint32_t *before; /* by edit: the old value of the variable */
    size_t before_capacity;
};

/* ---- life ------------------------------------------------------------------------------------ */

static size_t variables_of(const hcbr_i_rich *rich) {
    return (size_t)rich->encoder.column_count + rich->encoder.bag_count;
}

void hcbr_i_rich_probe_free(hcbr_i_rich_probe *p) {
    if (!p)
        return;
    hcbr_i_free(p->codes);
    hcbr_i_free(p->in_bag);
    hcbr_i_free(p->trees);
    hcbr_i_free(p->asked);
    hcbr_i_free(p->start);
    hcbr_i_free(p->of);
    hcbr_i_free(p->base);
    hcbr_i_free(p->sums);
    hcbr_i_free(p->at);
    hcbr_i_free(p->before);
    hcbr_i_free(p);
}

static const hcbr_i_rich_forest *forest_of(const hcbr_i_rich *rich, uint32_t f) {
    if (f < HCBR_I_RICH_FOLDS)
        return rich->family[1] ? &rich->boosted.model[f] : NULL;
    return rich->family[2] ? &rich->forest : NULL;
}

static void list_trees(hcbr_i_rich_probe *p) {
    for (uint32_t f = 0; f < FORESTS; f++) {
        const hcbr_i_rich_forest *forest = forest_of(p->rich, f);
        for (size_t tree = 0; forest && tree < forest->tree_count; tree++)
            p->trees[p->tree_count++] = (placed){
                .forest = forest, .start = forest->start[tree], .shares = f == HCBR_I_RICH_FOLDS};
    }
}

hcbr_status hcbr_i_rich_probe_create(hcbr_i_rich_probe **out, const hcbr_i_rich *rich,
                                     hcbr_error *err) {
    hcbr_i_rich_probe *p = hcbr_i_alloc_zero(1, sizeof *p);
    size_t trees = 0, k = rich->outputs;
    *out = NULL;
    if (!p)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < FORESTS; f++)
        trees += forest_of(rich, f) ? forest_of(rich, f)->tree_count : 0;
    p->rich = rich;
    p->codes = hcbr_i_alloc_zero(rich->encoder.column_count, 1);
    p->in_bag = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *p->in_bag);
    p->trees = hcbr_i_alloc(trees, sizeof *p->trees);
    p->start = hcbr_i_alloc_zero(variables_of(rich) + 2, sizeof *p->start);
    p->base = hcbr_i_alloc_zero(HCBR_I_RICH_FAMILIES, k * sizeof *p->base);
    p->sums = hcbr_i_alloc(HCBR_I_RICH_FAMILIES, k * sizeof *p->sums);
    p->at = hcbr_i_alloc(rich->labels, sizeof *p->at);
    if (!p->codes || !p->in_bag || !p->trees || !p->start || !p->base || !p->sums || !p->at) {
        hcbr_i_rich_probe_free(p);
        return hcbr_i_no_memory(err);
    }
    list_trees(p);
    *out = p;
    return HCBR_OK;
}

/* ---- the current case ------------------------------------------------------------------------ */

/* Add the value of a leaf to the sums of its family, and the prior's part of a leaf of the forest
 * to *rest. */
static void add_leaf(const hcbr_i_rich *rich, const placed *tree, uint32_t leaf, double sign,
                     double *sums, double *rest) {
    const hcbr_i_rich_forest *f = tree->forest;
    double *to = sums + (tree->shares ? 2 : 1) * (size_t)rich->outputs;
    if (tree->shares && rich->shares.prior) {
        hcbr_i_rich_lists_add(&rich->shares.lists, leaf, sign, to);
        *rest += sign * rich->shares.rest[leaf];
        return;
    }
    for (uint32_t l = 0; l < f->outputs; l++)
        to[l] += sign * f->values[(size_t)leaf * f->outputs + l];
}

/* Add the contribution of the linear model for a variable with this code. */
static void add_linear_test(const hcbr_i_rich_probe *p, uint32_t variable, uint32_t code,
                            double sign, double *to) {
    const hcbr_i_rich_linear *a = &p->rich->linear;
    if (!p->rich->family[0] || (variable >= a->columns && code == 0))
        return;
    size_t entry =
        variable < a->columns
            ? (size_t)a->place[variable] + a->coarse[(size_t)variable * HCBR_I_RICH_CODES + code]
            : (size_t)a->place[a->columns] + (variable - a->columns);
    hcbr_i_rich_linear_add(a, entry, sign, to);
}

/* Follow a tree and record its tests. */
static bool place_tree(hcbr_i_rich_probe *p, uint32_t tree) {
    placed *t = &p->trees[tree];
    const hcbr_i_rich_node *nodes = t->forest->nodes, *node = nodes + t->start;
    while (node->test != HCBR_I_RICH_LEAF) {
        if (!hcbr_i_grow(&p->asked, &p->asked_capacity, p->asked_count + 1, sizeof *p->asked))
            return false;
        p->asked[p->asked_count++] = (asked){node->test, tree};
        node = hcbr_i_rich_holds(node, p->codes, p->rich->encoder.column_count, p->in_bag, 1)
                   ? node + 1
                   : nodes + node->no;
    }
    t->leaf = node->no;
    t->mark = 0;
    return true;
}

/* Trees by variable: count, add up, fill. */
static bool list_asked(hcbr_i_rich_probe *p) {
    size_t variables = variables_of(p->rich);
    if (!hcbr_i_grow(&p->of, &p->of_capacity, p->asked_count + 1, sizeof *p->of))
        return false;
    memset(p->start, 0, (variables + 2) * sizeof *p->start);
    for (size_t i = 0; i < p->asked_count; i++)
        p->start[p->asked[i].variable + 2]++;
    for (size_t v = 0; v < variables; v++)
        p->start[v + 2] += p->start[v + 1];
    for (size_t i = 0; i < p->asked_count; i++)
        p->of[p->start[p->asked[i].variable + 1]++] = p->asked[i].tree;
    return true;
}

hcbr_status hcbr_i_rich_probe_set(hcbr_i_rich_probe *p, const hcbr_i_rich_row *row,
                                  hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &p->rich->encoder;
    uint32_t k = p->rich->outputs;
    bool ok = true;
    if (e->column_count)
        memcpy(p->codes, row->codes, e->column_count);
    if (e->bag_count)
        memset(p->in_bag, 0, e->bag_count * sizeof *p->in_bag);
    memset(p->base, 0, HCBR_I_RICH_FAMILIES * k * sizeof *p->base);
    p->base_rest = 0;
    for (uint32_t c = 0; c < e->column_count; c++)
        add_linear_test(p, c, p->codes[c], 1, p->base);
    for (uint32_t j = 0; j < row->bag_count; j++) {
        p->in_bag[row->bag[j]] = 1;
        add_linear_test(p, e->column_count + row->bag[j], 1, 1, p->base);
    }
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS && p->rich->family[1]; j++)
        for (uint32_t l = 0; l < k; l++)
            p->base[k + l] += p->rich->boosted.start[(size_t)j * k + l];
    p->asked_count = 0;
    p->mark = 0;
    for (uint32_t tree = 0; ok && tree < p->tree_count; tree++) {
        ok = place_tree(p, tree);
        add_leaf(p->rich, &p->trees[tree], p->trees[tree].leaf, 1, p->base, &p->base_rest);
    }
    return ok && list_asked(p) ? HCBR_OK : hcbr_i_no_memory(err);
}

uint64_t hcbr_i_rich_probe_size(const hcbr_i_rich_probe *p) {
    return p->asked_count + p->tree_count + variables_of(p->rich);
}

/* ---- edited cases ---------------------------------------------------------------------------- */

static uint32_t exchange(hcbr_i_rich_probe *p, uint32_t variable, uint32_t code) {
    uint32_t columns = p->rich->encoder.column_count, was;
    if (variable < columns) {
        was = p->codes[variable];
        p->codes[variable] = (uint8_t)code;
    } else {
        was = p->in_bag[variable - columns];
        p->in_bag[variable - columns] = code;
    }
    return was;
}

/* Follow the trees again that test a variable; returns their number. */
static uint64_t follow(hcbr_i_rich_probe *p, uint32_t variable) {
    uint64_t count = 0;
    for (size_t i = p->start[variable]; i < p->start[variable + 1]; i++) {
        placed *t = &p->trees[p->of[i]];
        if (t->mark == p->mark)
            continue;
        t->mark = p->mark;
        count++;
        uint32_t leaf =
            hcbr_i_rich_find_leaf(t->forest->nodes + t->start, p->codes,
                                  p->rich->encoder.column_count, p->in_bag, 1, t->forest->nodes);
        if (leaf == t->leaf)
            continue;
        add_leaf(p->rich, t, t->leaf, -1, p->sums, &p->rest);
        add_leaf(p->rich, t, leaf, 1, p->sums, &p->rest);
    }
    return count;
}

static void stack(const hcbr_i_rich_probe *p, double *support) {
    const hcbr_i_rich *r = p->rich;
    uint32_t k = r->outputs;
    const double *parts = p->sums;
    for (uint32_t l = 0; l < k; l++) {
        support[l] = r->stack.bias[l];
        if (r->family[0])
            support[l] += r->stack.trust[0] * parts[l];
        if (r->family[1])
            support[l] += r->stack.trust[1] * parts[k + l] / HCBR_I_RICH_FOLDS;
        double prior = r->shares.prior ? r->shares.prior[l] * p->rest : 0;
        p->at[l] =
            r->family[2] ? (parts[2 * (size_t)k + l] + prior) / (double)r->forest.tree_count : 0;
    }
    if (!r->family[2])
        return;
    hcbr_i_rich_forest_support(p->at, r->labels, p->at);
    for (uint32_t l = 0; l < k; l++)
        support[l] += r->stack.trust[2] * p->at[l];
}

static void next_mark(hcbr_i_rich_probe *p) {
    if (++p->mark)
        return;
    for (size_t tree = 0; tree < p->tree_count; tree++)
        p->trees[tree].mark = 0;
    p->mark = 1;
}

bool hcbr_i_rich_probe_score(hcbr_i_rich_probe *p, const hcbr_i_rich_edit *edits, size_t count,
                             double *support, uint64_t *visits) {
    uint32_t k = p->rich->outputs;
    uint64_t trees = 0;
    if (!hcbr_i_grow(&p->before, &p->before_capacity, count + 1, sizeof *p->before))
        return false;
    memcpy(p->sums, p->base, HCBR_I_RICH_FAMILIES * k * sizeof *p->sums);
    p->rest = p->base_rest;
    next_mark(p);
    for (size_t i = 0; i < count; i++) {
        uint32_t was = exchange(p, edits[i].variable, edits[i].code);
        add_linear_test(p, edits[i].variable, was, -1, p->sums);
        add_linear_test(p, edits[i].variable, edits[i].code, 1, p->sums);
        p->before[i] = was;
    }
    for (size_t i = 0; i < count; i++)
        if (edits[i].code != p->before[i])
            trees += follow(p, edits[i].variable);
    for (size_t i = count; i-- > 0;)
        exchange(p, edits[i].variable, p->before[i]);
    stack(p, support);
    *visits += trees * (WAY + k) + 4 * (1 + k) * count + 8 * (4 + k);
    return true;
}
