/*
 * The terms of a case's support: the contribution of each single test and each leaf, and the bias.
 *
 * Votes are averaged before a logarithm is taken. With p the mean shares, ln p_l - ln p_k is L_lk
 * (p_l - p_k), L_lk = (ln p_l - ln p_k) / (p_l - p_k): so a share of one label adds to each support
 * a number that depends only on p, and the logarithm becomes a sum over leaves and cases.
 */
#include "rich/reasons/leaf_rows.h"
#include "rich/rich_draw.h"

hcbr_status hcbr_i_rich_query_init(hcbr_i_rich_query *q, const hcbr_i_rich *rich,
                                   const hcbr_i_rich_names *names, hcbr_i_rich_causes *causes,
                                   hcbr_error *err) {
    size_t k = rich->outputs, forest = rich->forest.tree_count;
    *q = (hcbr_i_rich_query){.rich = rich, .names = names, .causes = causes};
    q->bias = hcbr_i_alloc(k, sizeof *q->bias);
    q->drawn = hcbr_i_alloc_zero(forest, sizeof *q->drawn);
    q->own = hcbr_i_alloc_zero(forest, k * sizeof *q->own);
    q->term_of = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *q->term_of);
    q->in_bag = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *q->in_bag);
    if (hcbr_i_rich_effects_init(&q->effects, rich->outputs) && q->bias && q->drawn && q->own &&
        q->term_of && q->in_bag)
        return HCBR_OK;
    hcbr_i_rich_query_clear(q);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_query_clear(hcbr_i_rich_query *q) {
    hcbr_i_free(q->terms);
    hcbr_i_free(q->contribution);
    hcbr_i_free(q->bias);
    hcbr_i_rich_effects_clear(&q->effects);
    hcbr_i_free(q->drawn);
    hcbr_i_free(q->own);
    hcbr_i_free(q->term_of);
    hcbr_i_free(q->in_bag);
    *q = (hcbr_i_rich_query){0};
}

/* ---- linear model ---------------------------------------------------------------------------- */

static double *add_term(hcbr_i_rich_query *q, hcbr_i_rich_term term) {
    double *to = q->contribution + q->term_count * q->rich->outputs;
    q->terms[q->term_count++] = term;
    to[0] = 0; // all there is with two labels
    if (q->rich->outputs > 1)
        memset(to, 0, q->rich->outputs * sizeof *to);
    return to;
}

static void add_atoms(hcbr_i_rich_query *q) {
    const hcbr_i_rich_linear *a = &q->rich->linear;
    const hcbr_i_rich_row *row = q->row;
    double trust = q->rich->stack.trust[0];
    for (uint32_t c = 0; c < a->columns; c++) {
        uint8_t entry = a->coarse[(size_t)c * HCBR_I_RICH_CODES + row->codes[c]];
        if (row->codes[c] == 0 && entry == 0)
            continue;
        double *to = add_term(q, (hcbr_i_rich_term){.variable = c});
        hcbr_i_rich_linear_add(a, (size_t)a->place[c] + entry, 1, to);
    }
    uint32_t before = HCBR_I_NONE;
    for (uint32_t j = 0; j < row->bag_count; j++) {
        uint32_t first = q->names->first[row->bag[j]];
        if (first != before)
            add_term(q, (hcbr_i_rich_term){.variable = a->columns + first});
        before = first;
        q->term_of[row->bag[j]] = (uint32_t)q->term_count;
        double *to = q->contribution + (q->term_count - 1) * a->outputs;
        hcbr_i_rich_linear_add(a, (size_t)a->place[a->columns] + row->bag[j], 1, to);
    }
    for (size_t i = 0; i < q->term_count * a->outputs; i++)
        q->contribution[i] *= trust;
    q->linear_terms = q->term_count;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* The node of a tree where the current case ends. */
static uint32_t find_end(const hcbr_i_rich_query *q, const hcbr_i_rich_forest *f, size_t tree) {
    uint32_t columns = q->rich->encoder.column_count, at = f->start[tree];
    while (f->nodes[at].test != HCBR_I_RICH_LEAF) {
        const hcbr_i_rich_node *node = &f->nodes[at];
        bool yes = hcbr_i_rich_holds(node, q->row->codes, columns, q->in_bag, q->stamp);
        at = yes ? at + 1 : node->no;
    }
    return at;
}

static void add_boosted(hcbr_i_rich_query *q) {
    const hcbr_i_rich_boosted *b = &q->rich->boosted;
    double part = q->rich->stack.trust[1] / HCBR_I_RICH_FOLDS;
    uint32_t k = q->rich->outputs;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &b->model[j];
        for (uint32_t l = 0; l < k; l++)
            q->bias[l] += part * b->start[(size_t)j * k + l];
        for (uint32_t t = 0; t < f->tree_count; t++) {
            uint32_t end = find_end(q, f, t), leaf = f->nodes[end].no;
            double *to = add_term(
                q,
                (hcbr_i_rich_term){.family = 1, .forest = j, .tree = t, .leaf = leaf, .end = end});
            for (uint32_t l = 0; l < k; l++)
                to[l] = part * f->values[(size_t)leaf * k + l];
        }
    }
}

/* ---- forest ---------------------------------------------------------------------------------- */

bool hcbr_i_rich_effects_init(hcbr_i_rich_effects *x, uint32_t outputs) {
    *x = (hcbr_i_rich_effects){.outputs = outputs,
                               .class_of = hcbr_i_alloc(outputs, sizeof *x->class_of),
                               .value = hcbr_i_alloc(outputs, sizeof *x->value),
                               .column = hcbr_i_alloc(outputs, outputs * sizeof *x->column),
                               .own = hcbr_i_alloc(outputs, 3 * sizeof *x->own)};
    x->zero = x->own ? x->own + outputs : NULL;
    x->minus = x->own ? x->zero + outputs : NULL;
    for (uint32_t l = 0; x->own && l < outputs; l++) {
        x->zero[l] = 0;
        x->minus[l] = -1;
    }
    return x->class_of && x->value && x->column && x->own;
}

void hcbr_i_rich_effects_clear(hcbr_i_rich_effects *x) {
    hcbr_i_free(x->class_of);
    hcbr_i_free(x->value);
    hcbr_i_free(x->column);
    hcbr_i_free(x->own);
    *x = (hcbr_i_rich_effects){0};
}

/* Labels by mean share. */
static void find_classes(hcbr_i_rich_effects *x, const double *p) {
    x->classes = 0;
    for (uint32_t l = 0; l < x->outputs; l++) {
        uint32_t c = 0;
        while (c < x->classes && x->value[c] != p[l])
            c++;
        x->class_of[l] = c;
        x->value[c] = p[l];
        x->classes += c == x->classes;
    }
}

#define TOGETHER 4u /* labels whose effects are added in one pass */
#define PIECE 1024u /* outputs of which the columns of many labels stay in the cache */
#define KERNEL static inline __attribute__((always_inline))

typedef double four __attribute__((vector_size(4 * sizeof(double))));

/* Add `count` columns times shares to n numbers, one column after the other. */
KERNEL void add_columns(const double *const *column, const double *share, uint32_t count,
                        double *to, uint32_t n) {
    uint32_t l = 0;
    for (; l + 4 <= n; l += 4) {
        four sum, of;
        memcpy(&sum, to + l, sizeof sum);
        for (uint32_t j = 0; j < count; j++) {
            memcpy(&of, column[j] + l, sizeof of);
            sum += of * share[j];
        }
        memcpy(to + l, &sum, sizeof sum);
    }
    for (; l < n; l++)
        for (uint32_t j = 0; j < count; j++)
            to[l] += column[j][l] * share[j];
}

KERNEL void add_up(const double *const *column, const double *share, uint32_t count, double *to,
                   uint32_t n) {
    if (count == TOGETHER)
        add_columns(column, share, TOGETHER, to, n);
    else
        add_columns(column, share, count, to, n);
}

typedef void columns_fn(const double *const *column, const double *share, uint32_t count,
                        double *to, uint32_t n);

static void add_plain(const double *const *column, const double *share, uint32_t count, double *to,
                      uint32_t n) {
    add_up(column, share, count, to, n);
}

#ifdef HCBR_I_AVX2
HCBR_I_AVX2 static void add_avx2(const double *const *column, const double *share, uint32_t count,
                                 double *to, uint32_t n) {
    add_up(column, share, count, to, n);
}
#endif

/* The effects of the shares of a few labels on the outputs first .. first + n. The effect of a
 * label on itself is not in its column: these outputs are computed separately. */
static void add_some(const hcbr_i_rich_effects *x, columns_fn *add, const double *own,
                     const uint32_t *labels, const double *shares, uint32_t count, uint32_t first,
                     uint32_t n, double *to) {
    const double *column[TOGETHER];
    double sum[TOGETHER];
    for (uint32_t i = 0; i < count; i++)
        column[i] = hcbr_i_rich_effects_column(x, labels[i]) + first;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = labels[i] - first;
        sum[i] = at < n ? to[at] : 0;
        for (uint32_t j = 0; at < n && j < count; j++)
            sum[i] += (j == i ? own[labels[i]] : column[j][at]) * shares[j];
    }
    add(column, shares, count, to, n);
    for (uint32_t i = 0; i < count; i++)
        if (labels[i] - first < n)
            to[labels[i] - first] = sum[i];
}

/* Add the effects of the shares of all labels on all outputs, label by label for each output; own:
 * by label, its effect on itself. */
static void add_all(const hcbr_i_rich_effects *x, const double *own, const double *shares,
                    double *to) {
    const uint32_t k = x->outputs;
    columns_fn *add = add_plain;
#ifdef HCBR_I_AVX2
    if (hcbr_i_simd())
        add = add_avx2;
#endif
    for (uint32_t first = 0; first < k; first += PIECE) {
        const uint32_t n = k - first < PIECE ? k - first : PIECE;
        uint32_t labels[TOGETHER] = {0}, have = 0;
        double share[TOGETHER] = {0};
        for (uint32_t j = 0; j < k; j++) {
            share[have] = shares[j];
            labels[have] = j;
            have += shares[j] != 0;
            if (have == TOGETHER || (have && j + 1 == k)) {
                add_some(x, add, own, labels, share, have, first, n, to + first);
                have = 0;
            }
        }
    }
}

void hcbr_i_rich_effects_set(hcbr_i_rich_effects *x, const hcbr_i_rich *rich, const double *p) {
    const uint32_t k = x->outputs;
    const double part = rich->stack.trust[2] / (double)rich->forest.tree_count;
    if (k == 1) { // logit p = slope (p - (1 - p))
        x->own[0] = part * hcbr_i_rich_slope(p[0], 1 - p[0]);
        return;
    }
    find_classes(x, p);
    for (uint32_t c = 0; c < x->classes; c++) {
        double *column = x->column + (size_t)c * k, *by_class = x->own; // room, as yet
        for (uint32_t d = 0; d < x->classes; d++)
            by_class[d] = -(part * hcbr_i_rich_slope(x->value[d], x->value[c]) / k);
        for (uint32_t l = 0; l < k; l++)
            column[l] = by_class[x->class_of[l]];
    }
    memcpy(x->own, x->zero, k * sizeof *x->own);
    add_all(x, x->zero, x->minus, x->own); // minus the effects of all others on it
}

void hcbr_i_rich_effects_add_all(const hcbr_i_rich_effects *x, const double *shares, double *to) {
    add_all(x, x->own, shares, to);
}

/* Add the effects of shares by label on the outputs; with two labels shares[0] is that of the
 * second, and `whole` that of both. Few labels have a share in a leaf. */
static void add_effects(const hcbr_i_rich_query *q, const double *shares, double whole,
                        double *to) {
    uint32_t k = q->rich->outputs;
    if (k == 1) {
        to[0] += q->effects.own[0] * (2 * shares[0] - whole);
        return;
    }
    hcbr_i_rich_effects_add_all(&q->effects, shares, to);
}

/* The draws of the rows in each leaf of the forest. */
static hcbr_status count_draws(hcbr_i_rich_query *q, const uint32_t *leaf, hcbr_error *err) {
    const hcbr_i_rich_causes *c = q->causes;
    size_t trees = q->rich->forest.tree_count, k = q->rich->outputs;
    hcbr_status st = hcbr_i_rich_causes_forest(q->causes, 1, NULL, err);
    if (st != HCBR_OK)
        return st;
    memset(q->own, 0, trees * k * sizeof *q->own);
    for (size_t t = 0; t < trees; t++) {
        const uint64_t *start = c->leaves.forest_start + leaf[t];
        uint64_t key = hcbr_i_rich_forest_key(q->rich->seed, (uint32_t)t);
        q->drawn[t] = q->rich->kept.prior;
        for (uint64_t n = start[0]; n < start[1]; n++) {
            uint32_t i = c->leaves.forest_row[n], label = c->table.label[i];
            double m = hcbr_i_rich_draws(c, i, key);
            q->drawn[t] += m;
            if (k > 1 || label == 1)
                q->own[t * k + (k > 1 ? label : 0)] += m;
        }
    }
    return HCBR_OK;
}

/* Divide the shares of a leaf: the part that does not come from cases, of the prior and of rounding
 * (to 2^-40), is added to `prior`, the rest stays. By label or, with two, of the second; returns
 * the prior's part of all labels. */
static double take_prior(const hcbr_i_rich_query *q, size_t tree, double *share, double *prior) {
    uint32_t k = q->rich->outputs;
    double drawn = q->drawn[tree];
    for (uint32_t l = 0; q->causes && l < k; l++) {
        double own = drawn > 0 ? q->own[tree * k + l] / drawn : 0;
        prior[l] += share[l] - own;
        share[l] = own;
    }
    return q->causes && drawn > 0 ? q->rich->kept.prior / drawn : q->causes ? 1 : 0;
}

static hcbr_status add_random_forest(hcbr_i_rich_query *q, double *p, uint32_t *end,
                                     hcbr_error *err) {
    const hcbr_i_rich_forest *f = &q->rich->forest;
    uint32_t k = q->rich->outputs;
    double *share = p + k, *prior = p + 2 * (size_t)k, priors = 0;
    uint32_t *leaf = end + f->tree_count;
    memset(prior, 0, k * sizeof *prior);
    for (uint32_t t = 0; t < f->tree_count; t++) {
        end[t] = find_end(q, f, t);
        leaf[t] = f->nodes[end[t]].no;
    }
    hcbr_i_rich_mean_shares(q->rich, leaf, 1, p);
    hcbr_i_rich_effects_set(&q->effects, q->rich, p);
    hcbr_status st = q->causes ? count_draws(q, leaf, err) : HCBR_OK;
    for (uint32_t t = 0; st == HCBR_OK && t < f->tree_count; t++) {
        double *to =
            add_term(q, (hcbr_i_rich_term){.family = 2, .tree = t, .leaf = leaf[t], .end = end[t]});
        hcbr_i_rich_leaf_shares(q->rich, leaf[t], share);
        double whole = take_prior(q, t, share, prior);
        add_effects(q, share, 1 - whole, to);
        priors += whole;
    }
    if (st == HCBR_OK)
        add_effects(q, prior, priors, q->bias);
    return st;
}

/* ---- all terms ------------------------------------------------------------------------------- */

hcbr_status hcbr_i_rich_query_set(hcbr_i_rich_query *q, const hcbr_i_rich_row *row,
                                  hcbr_error *err) {
    const hcbr_i_rich *r = q->rich;
    size_t terms = (size_t)r->encoder.column_count + row->bag_count + r->forest.tree_count + 1;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        terms += r->boosted.model[j].tree_count;
    if (q->row && q->causes) // reset the marks of the last case: only past cases use them
        memset(q->term_of, 0, r->encoder.bag_count * sizeof *q->term_of);
    if (++q->stamp == 0) {
        memset(q->in_bag, 0, r->encoder.bag_count * sizeof *q->in_bag);
        q->stamp = 1;
    }
    q->row = row;
    q->term_count = q->linear_terms = 0;
    if (!hcbr_i_grow(&q->terms, &q->term_capacity, terms, sizeof *q->terms) ||
        !hcbr_i_grow(&q->contribution, &q->contribution_capacity, terms,
                     r->outputs * sizeof *q->contribution))
        return hcbr_i_no_memory(err);
    for (uint32_t b = 0; b < row->bag_count; b++)
        q->in_bag[row->bag[b]] = q->stamp;
    memcpy(q->bias, r->stack.bias, r->outputs * sizeof *q->bias);
    if (r->family[0])
        add_atoms(q);
    if (r->family[1])
        add_boosted(q);
    if (!hcbr_i_rich_forest_weighs(r))
        return HCBR_OK;
    double *p = hcbr_i_alloc(3, r->outputs * sizeof *p);
    uint32_t *end = hcbr_i_alloc(r->forest.tree_count, 2 * sizeof *end); // nodes, then leaves
    hcbr_status st = p && end ? add_random_forest(q, p, end, err) : hcbr_i_no_memory(err);
    hcbr_i_free(p);
    hcbr_i_free(end);
    return st;
}
