/*
 * The terms of a case's support: what each test of the atoms and each leaf adds, and the bias.
 *
 * Votes are averaged before a logarithm is taken. With p the mean shares, ln p_l - ln p_k is
 * L_lk (p_l - p_k), L_lk = (ln p_l - ln p_k) / (p_l - p_k): so a share of one label adds to each
 * support a number that only depends on p, and the logarithm becomes a sum over leaves and cases.
 */
#include "rich/rich_causes.h"
#include "rich/rich_draw.h"

hcbr_status hcbr_i_rich_query_init(hcbr_i_rich_query *q, const hcbr_i_rich *rich,
                                   const hcbr_i_rich_names *names, hcbr_i_rich_causes *causes,
                                   hcbr_error *err) {
    size_t k = rich->outputs, votes = rich->votes.tree_count;
    *q = (hcbr_i_rich_query){.rich = rich, .names = names, .causes = causes};
    q->bias = hcbr_i_alloc(k, sizeof *q->bias);
    q->effect = hcbr_i_alloc(k, k * sizeof *q->effect);
    q->drawn = hcbr_i_alloc_zero(votes, sizeof *q->drawn);
    q->own = hcbr_i_alloc_zero(votes, k * sizeof *q->own);
    q->member = hcbr_i_alloc_zero(votes, sizeof *q->member);
    q->member_count = hcbr_i_alloc_zero(votes, sizeof *q->member_count);
    q->term_of = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *q->term_of);
    q->in_bag = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *q->in_bag);
    if (q->bias && q->effect && q->drawn && q->own && q->member && q->member_count && q->term_of &&
        q->in_bag)
        return HCBR_OK;
    hcbr_i_rich_query_clear(q);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_query_clear(hcbr_i_rich_query *q) {
    hcbr_i_free(q->terms);
    hcbr_i_free(q->contribution);
    hcbr_i_free(q->bias);
    hcbr_i_free(q->effect);
    hcbr_i_free(q->drawn);
    hcbr_i_free(q->own);
    hcbr_i_free((void *)q->member);
    hcbr_i_free(q->member_count);
    hcbr_i_free(q->found);
    hcbr_i_free(q->term_of);
    hcbr_i_free(q->in_bag);
    *q = (hcbr_i_rich_query){0};
}

/* ---- atoms ----------------------------------------------------------------------------------- */

static double *add_term(hcbr_i_rich_query *q, hcbr_i_rich_term term) {
    double *to = q->contribution + q->term_count * q->rich->outputs;
    q->terms[q->term_count++] = term;
    memset(to, 0, q->rich->outputs * sizeof *to);
    return to;
}

static void add_atoms(hcbr_i_rich_query *q) {
    const hcbr_i_rich_atoms *a = &q->rich->atoms;
    const hcbr_i_rich_row *row = q->row;
    double trust = q->rich->blend.trust[0];
    uint32_t k = a->outputs;
    for (uint32_t c = 0; c < a->columns; c++) {
        uint8_t entry = a->coarse[(size_t)c * HCBR_I_RICH_CODES + row->codes[c]];
        if (row->codes[c] == 0 && entry == 0)
            continue;
        double *to = add_term(q, (hcbr_i_rich_term){.variable = c});
        for (uint32_t l = 0; l < k; l++)
            to[l] = trust * a->strength[((size_t)a->place[c] + entry) * k + l];
    }
    uint32_t before = HCBR_I_NONE;
    for (uint32_t j = 0; j < row->bag_count; j++) {
        uint32_t first = q->names->first[row->bag[j]];
        if (first != before)
            add_term(q, (hcbr_i_rich_term){.variable = a->columns + first});
        before = first;
        q->term_of[row->bag[j]] = (uint32_t)q->term_count;
        double *to = q->contribution + (q->term_count - 1) * k;
        for (uint32_t l = 0; l < k; l++)
            to[l] += trust * a->strength[((size_t)a->place[a->columns] + row->bag[j]) * k + l];
    }
    q->atom_terms = q->term_count;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static uint32_t leaf_of(const hcbr_i_rich_query *q, const hcbr_i_rich_forest *f, size_t tree) {
    return hcbr_i_rich_find_leaf(f->nodes + f->start[tree], q->row->codes,
                                 q->rich->encoder.column_count, q->in_bag, q->stamp, f->nodes);
}

static void add_boosted(hcbr_i_rich_query *q) {
    const hcbr_i_rich_boosted *b = &q->rich->boosted;
    double part = q->rich->blend.trust[1] / HCBR_I_RICH_FOLDS;
    uint32_t k = q->rich->outputs;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &b->jury[j];
        for (uint32_t l = 0; l < k; l++)
            q->bias[l] += part * b->start[(size_t)j * k + l];
        for (uint32_t t = 0; t < f->tree_count; t++) {
            uint32_t leaf = leaf_of(q, f, t);
            double *to =
                add_term(q, (hcbr_i_rich_term){.family = 1, .forest = j, .tree = t, .leaf = leaf});
            for (uint32_t l = 0; l < k; l++)
                to[l] = part * f->values[(size_t)leaf * k + l];
        }
    }
}

void hcbr_i_rich_effects(const hcbr_i_rich *rich, const double *p, double *effect) {
    uint32_t k = rich->outputs;
    double part = rich->blend.trust[2] / (double)rich->votes.tree_count;
    if (k == 1) { // logit p = slope (p - (1 - p))
        effect[0] = part * hcbr_i_rich_slope(p[0], 1 - p[0]);
        return;
    }
    for (uint32_t l = 0; l < k; l++) {
        double *row = effect + (size_t)l * k, all = 0;
        for (uint32_t j = 0; j < k; j++)
            if (j != l) {
                double s = part * hcbr_i_rich_slope(p[l], p[j]) / k;
                row[j] = -s;
                all += s;
            }
        row[l] = all;
    }
}

/* What shares by label add to an output; with two labels shares[0] is that of the second, and
 * `whole` that of both. */
static double effect_on(const hcbr_i_rich_query *q, uint32_t l, const double *shares,
                        double whole) {
    uint32_t k = q->rich->outputs;
    if (k == 1)
        return q->effect[0] * (2 * shares[0] - whole);
    double sum = 0;
    for (uint32_t j = 0; j < k; j++)
        sum += q->effect[(size_t)l * k + j] * shares[j];
    return sum;
}

/* Rows of a leaf, found by sending all rows through the tree. */
static hcbr_status find_members(hcbr_i_rich_query *q, size_t *used, const uint32_t *leaf,
                                hcbr_error *err) {
    const hcbr_i_rich_causes *c = q->causes;
    const hcbr_i_rich_table *t = &c->table;
    const hcbr_i_rich_forest *f = &q->rich->votes;
    size_t *start = hcbr_i_alloc(f->tree_count, sizeof *start);
    uint32_t *in_bag = hcbr_i_alloc_zero(t->bag_count, sizeof *in_bag);
    hcbr_status st = HCBR_OK;
    if (!start || !in_bag || !hcbr_i_grow(&q->found, &q->found_capacity, 1, sizeof *q->found))
        st = hcbr_i_no_memory(err);
    for (size_t tree = 0; st == HCBR_OK && tree < f->tree_count; tree++) {
        start[tree] = *used;
        memset(in_bag, 0, t->bag_count * sizeof *in_bag);
        for (uint32_t i = 0; i < t->rows && st == HCBR_OK; i++) {
            for (uint64_t b = t->bag_start[i]; b < t->bag_start[i + 1]; b++)
                in_bag[t->bag[b]] = i + 1;
            if (hcbr_i_rich_find_leaf(f->nodes + f->start[tree], c->codes + (size_t)i * t->columns,
                                      t->columns, in_bag, i + 1, f->nodes) != leaf[tree])
                continue;
            if (!hcbr_i_grow(&q->found, &q->found_capacity, *used + 1, sizeof *q->found))
                st = hcbr_i_no_memory(err);
            else
                q->found[(*used)++] = i;
        }
        q->member_count[tree] = (uint32_t)(*used - start[tree]);
    }
    for (size_t tree = 0; st == HCBR_OK && tree < f->tree_count; tree++)
        q->member[tree] = q->found + start[tree];
    hcbr_i_free(start);
    hcbr_i_free(in_bag);
    return st;
}

/* The rows behind each vote and how often they were drawn. */
static hcbr_status list_members(hcbr_i_rich_query *q, const uint32_t *leaf, hcbr_error *err) {
    const hcbr_i_rich_causes *c = q->causes;
    size_t used = 0, trees = q->rich->votes.tree_count, k = q->rich->outputs;
    hcbr_status st = c->vote_start ? HCBR_OK : find_members(q, &used, leaf, err);
    for (size_t t = 0; st == HCBR_OK && t < trees; t++) {
        uint64_t key = hcbr_i_rich_vote_key(q->rich->seed, (uint32_t)t);
        if (c->vote_start) {
            uint32_t start = c->vote_start[leaf[t]];
            q->member[t] = c->vote_rows + start;
            q->member_count[t] = c->vote_start[(size_t)leaf[t] + 1] - start;
        }
        double *own = q->own + t * k;
        memset(own, 0, k * sizeof *own);
        q->drawn[t] = q->rich->kept.prior;
        for (uint32_t n = 0; n < q->member_count[t]; n++) {
            uint32_t i = q->member[t][n], label = c->table.label[i];
            double m = hcbr_i_rich_times(c->table.weight[i], c->table.hash[i] ^ key);
            q->drawn[t] += m;
            if (k > 1 || label == 1)
                own[k > 1 ? label : 0] += m;
        }
    }
    return st;
}

/* The prior's part of a leaf with these shares, and what their rounding (to 2^-40) left: all that
 * no case put there. By label or, with two, of the second; returns that of all labels. */
static double prior_part(const hcbr_i_rich_query *q, size_t tree, const double *share,
                         double *part) {
    uint32_t k = q->rich->outputs;
    double drawn = q->drawn[tree];
    for (uint32_t l = 0; l < k; l++) {
        part[l] = 0;
        if (q->causes)
            part[l] = share[l] - (drawn > 0 ? q->own[tree * k + l] / drawn : 0);
    }
    return q->causes && drawn > 0 ? q->rich->kept.prior / drawn : q->causes ? 1 : 0;
}

static hcbr_status add_votes(hcbr_i_rich_query *q, double *p, uint32_t *leaf, hcbr_error *err) {
    const hcbr_i_rich_forest *f = &q->rich->votes;
    uint32_t k = q->rich->outputs;
    double *share = p + k, *prior = p + 2 * (size_t)k;
    memset(p, 0, k * sizeof *p);
    for (uint32_t t = 0; t < f->tree_count; t++) {
        leaf[t] = leaf_of(q, f, t);
        for (uint32_t l = 0; l < k; l++)
            p[l] += f->values[(size_t)leaf[t] * k + l];
    }
    for (uint32_t l = 0; l < k; l++)
        p[l] /= (double)f->tree_count;
    hcbr_i_rich_effects(q->rich, p, q->effect);
    hcbr_status st = q->causes ? list_members(q, leaf, err) : HCBR_OK;
    for (uint32_t t = 0; st == HCBR_OK && t < f->tree_count; t++) {
        double *to = add_term(q, (hcbr_i_rich_term){.family = 2, .tree = t, .leaf = leaf[t]});
        double whole = prior_part(q, t, f->values + (size_t)leaf[t] * k, prior);
        for (uint32_t l = 0; l < k; l++)
            share[l] = f->values[(size_t)leaf[t] * k + l] - prior[l];
        for (uint32_t l = 0; l < k; l++) {
            to[l] = effect_on(q, l, share, 1 - whole);
            q->bias[l] += effect_on(q, l, prior, whole);
        }
    }
    return st;
}

/* ---- all of them ----------------------------------------------------------------------------- */

hcbr_status hcbr_i_rich_query_set(hcbr_i_rich_query *q, const hcbr_i_rich_row *row,
                                  hcbr_error *err) {
    const hcbr_i_rich *r = q->rich;
    size_t terms = (size_t)r->encoder.column_count + row->bag_count + r->votes.tree_count + 1;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        terms += r->boosted.jury[j].tree_count;
    if (q->row) // wipe what the last one left
        memset(q->term_of, 0, r->encoder.bag_count * sizeof *q->term_of);
    if (++q->stamp == 0) {
        memset(q->in_bag, 0, r->encoder.bag_count * sizeof *q->in_bag);
        q->stamp = 1;
    }
    q->row = row;
    q->term_count = q->atom_terms = 0;
    if (!hcbr_i_grow(&q->terms, &q->term_capacity, terms, sizeof *q->terms) ||
        !hcbr_i_grow(&q->contribution, &q->contribution_capacity, terms,
                     r->outputs * sizeof *q->contribution))
        return hcbr_i_no_memory(err);
    for (uint32_t b = 0; b < row->bag_count; b++)
        q->in_bag[row->bag[b]] = q->stamp;
    memcpy(q->bias, r->blend.bias, r->outputs * sizeof *q->bias);
    if (r->family[0])
        add_atoms(q);
    if (r->family[1])
        add_boosted(q);
    if (!r->family[2])
        return HCBR_OK;
    double *p = hcbr_i_alloc(3, r->outputs * sizeof *p);
    uint32_t *leaf = hcbr_i_alloc(r->votes.tree_count, sizeof *leaf);
    hcbr_status st = p && leaf ? add_votes(q, p, leaf, err) : hcbr_i_no_memory(err);
    hcbr_i_free(p);
    hcbr_i_free(leaf);
    return st;
}
