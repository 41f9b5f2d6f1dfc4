/*
 * The influence of every merged case on a case at hand (rich_causes.h), a block of rows at a time:
 * first through the atoms, then through the boosted trees, whose residuals are found by following
 * the supports of the block from tree to tree, then through the votes.
 */
#include "rich/rich_causes.h"
#include "rich/rich_follow.h"

/* What is at work on one block. */
typedef struct adder {
    const hcbr_i_rich_query *q;
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_tally *tally;
    hcbr_i_rich_follower follow;
    uint32_t *cursor; /* by voting tree: the first of its rows that is not done */
    uint32_t first, n, k;
} adder;

/* Add to one output of row b, through a term. The rounding is kept and added at the end. */
static inline void add(const adder *a, uint32_t b, size_t term, uint32_t l, double value) {
    hcbr_i_rich_tally *t = a->tally;
    double sum = t->sum[l], next = sum + value;
    t->rest[l] += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
    t->sum[l] = next;
    t->absolute[l] += fabs(value);
    t->total[(size_t)(a->first + b) * a->k + l] += value;
    uint32_t slot = t->slot_of[term];
    if (slot != HCBR_I_NONE)
        t->slots[((size_t)slot * HCBR_I_RICH_ROWS + b) * a->k + l] += value;
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* A row shares `part` of the tests of a term. */
static inline void add_alphas(const adder *a, uint32_t b, size_t term, double part) {
    const hcbr_i_rich *r = a->q->rich;
    uint32_t i = a->first + b, label = a->c->table.label[i];
    const float *alpha = r->kept.alpha + (size_t)i * a->k;
    part *= r->blend.trust[0] * r->kept.scale;
    for (uint32_t l = 0; l < a->k; l++) {
        bool own = a->k == 1 ? label == 1 : label == l;
        add(a, b, term, l, (own ? part : -part) * (double)alpha[l]);
    }
}

static void add_column(const adder *a, size_t term) {
    const hcbr_i_rich_atoms *atoms = &a->q->rich->atoms;
    uint32_t column = a->q->terms[term].variable, columns = a->c->table.columns;
    const uint8_t *coarse = atoms->coarse + (size_t)column * HCBR_I_RICH_CODES;
    uint32_t own = coarse[a->q->row->codes[column]];
    uint32_t entries = atoms->place[column + 1] - atoms->place[column] - 1;
    bool ordered = a->c->table.column[column].ordered;
    for (uint32_t b = 0; b < a->n; b++) {
        uint32_t entry = coarse[a->c->codes[(size_t)(a->first + b) * columns + column]];
        if (entry == 0 || own == 0 || (!ordered && entry != own))
            continue;
        double part = ordered ? hcbr_i_rich_shared((int)entry - (int)own, entries - 1) : 1.0;
        if (part > 0)
            add_alphas(a, b, term, part);
    }
}

static void add_atoms(const adder *a) {
    const hcbr_i_rich_table *t = &a->c->table;
    uint32_t columns = a->q->rich->atoms.columns;
    for (size_t term = 0; term < a->q->atom_terms; term++)
        if (a->q->terms[term].variable < columns)
            add_column(a, term);
    if (a->q->row->bag_count == 0)
        return;
    for (uint32_t b = 0; b < a->n; b++)
        for (uint64_t j = t->bag_start[a->first + b]; j < t->bag_start[a->first + b + 1]; j++)
            if (a->q->term_of[t->bag[j]])
                add_alphas(a, b, a->q->term_of[t->bag[j]] - 1, 1);
}

/* ---- boosted trees --------------------------------------------------------------------------- */

/* What is done with a row that a tree has drawn and that ends in the leaf of the case at hand: its
 * residuals are in a->follow. */
typedef void visitor(adder *a, uint32_t b, size_t term, size_t leaf);

/* Follow the supports of a block through a jury and visit what ends in the case's leaves; where
 * `wanted` is not NULL, only of the trees that it names. */
static inline void follow_jury(adder *a, uint32_t jury, const uint16_t *leaves, const bool *wanted,
                               visitor *visit) {
    hcbr_i_rich_causes *c = a->q->causes;
    const hcbr_i_rich_table *t = &c->table;
    uint32_t start = c->tree_start[jury], trees = c->tree_start[jury + 1] - start;
    uint64_t limit = hcbr_i_rich_draw_limit(a->q->rich->kept.draw);
    uint64_t key = hcbr_i_rich_jury_key(a->q->rich->seed, jury);
    hcbr_i_rich_follower_start(&a->follow, c, jury, a->n);
    for (uint32_t tree = 0; tree < trees; tree++) {
        const uint16_t *leaf = leaves + (size_t)(start + tree) * HCBR_I_RICH_ROWS;
        size_t term = a->q->atom_terms + start + tree;
        uint32_t own = a->q->terms[term].leaf;
        uint16_t here = (uint16_t)(own - c->leaf_first[start + tree]);
        uint64_t tree_key = hcbr_i_rich_tree_key(key, tree);
        for (uint32_t b = 0; b < a->n && (!wanted || wanted[start + tree]); b++) {
            if (leaf[b] != here)
                continue;
            double w = hcbr_i_rich_left(t, a->first + b, jury);
            if (!(w > 0) || !hcbr_i_rich_is_drawn(t->hash[a->first + b], tree_key, limit))
                continue;
            hcbr_i_rich_follower_residual(&a->follow, c, b, t->label[a->first + b], w);
            visit(a, b, term, c->leaf_start[jury] + own);
        }
        hcbr_i_rich_follower_step(&a->follow, c, jury, tree, leaf, a->n);
    }
}

static void add_residuals(adder *a, uint32_t b, size_t term, size_t leaf) {
    const double *divisor = a->c->divisor + leaf * a->k;
    const hcbr_i_rich *r = a->q->rich;
    double part = r->blend.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    for (uint32_t l = 0; l < a->k; l++)
        if (divisor[l] > 0)
            add(a, b, term, l, part * a->follow.residual[l] / divisor[l]);
}

static void add_curvatures(adder *a, uint32_t b, size_t term, size_t leaf) {
    double *divisor = a->c->divisor + leaf * a->k;
    (void)b;
    (void)term;
    for (uint32_t l = 0; l < a->k; l++)
        divisor[l] += a->follow.residual[a->k + l];
}

/* Where the rows of the block end. */
static const uint16_t *leaves_of(adder *a) {
    const hcbr_i_rich_causes *c = a->c;
    if (c->leaves)
        return c->leaves + (size_t)a->first * c->boosted_count;
    hcbr_i_rich_follower_walk(&a->follow, c, a->first, a->n, a->follow.leaves);
    return a->follow.leaves;
}

static void add_boosted(adder *a) {
    const uint16_t *leaves = leaves_of(a);
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        follow_jury(a, j, leaves, NULL, add_residuals);
}

static void next_block(adder *a) {
    uint32_t left = a->c->table.rows - a->first;
    a->n = left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS;
}

/* Find the sums behind the leaves of the case at hand that were not met before. */
static hcbr_status find_divisors(adder *a, hcbr_error *err) {
    hcbr_i_rich_causes *c = a->q->causes;
    bool any[HCBR_I_RICH_FOLDS] = {false}, *wanted = hcbr_i_alloc_zero(c->boosted_count, 1);
    if (!wanted)
        return hcbr_i_no_memory(err);
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        for (uint32_t t = c->tree_start[j]; t < c->tree_start[j + 1]; t++) {
            size_t leaf = c->leaf_start[j] + a->q->terms[a->q->atom_terms + t].leaf;
            if (c->divisor[leaf * a->k] != HCBR_I_RICH_UNKNOWN)
                continue;
            any[j] = wanted[t] = true;
            for (uint32_t l = 0; l < a->k; l++)
                c->divisor[leaf * a->k + l] = a->q->rich->kept.lambda;
        }
    bool some = any[0] || any[1] || any[2] || any[3] || any[4];
    for (a->first = 0; some && a->first < c->table.rows; a->first += HCBR_I_RICH_ROWS) {
        next_block(a);
        const uint16_t *leaves = leaves_of(a);
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
            if (any[j])
                follow_jury(a, j, leaves, wanted, add_curvatures);
    }
    a->first = 0;
    hcbr_i_free(wanted);
    return HCBR_OK;
}

/* ---- votes ----------------------------------------------------------------------------------- */

static void add_vote(const adder *a, uint32_t tree, size_t term, uint32_t i) {
    const hcbr_i_rich_table *t = &a->c->table;
    const hcbr_i_rich_query *q = a->q;
    uint64_t key = hcbr_i_rich_vote_key(q->rich->seed, tree);
    double share = hcbr_i_rich_times(t->weight[i], t->hash[i] ^ key);
    if (!(share > 0))
        return;
    share /= q->drawn[tree];
    if (a->k == 1) {
        add(a, i - a->first, term, 0, t->label[i] ? share * q->effect[0] : -share * q->effect[0]);
        return;
    }
    for (uint32_t l = 0; l < a->k; l++)
        add(a, i - a->first, term, l, share * q->effect[(size_t)l * a->k + t->label[i]]);
}

static void add_votes(adder *a) {
    size_t term = a->q->atom_terms + a->c->boosted_count;
    for (uint32_t tree = 0; tree < a->q->rich->votes.tree_count; tree++)
        for (uint32_t *at = &a->cursor[tree];
             *at < a->q->member_count[tree] && a->q->member[tree][*at] < a->first + a->n; ++*at)
            add_vote(a, tree, term + tree, a->q->member[tree][*at]);
}

/* ---- all blocks ------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rich_causes_add(const hcbr_i_rich_query *query, hcbr_i_rich_tally *tally,
                                   hcbr_error *err) {
    adder a = {.q = query, .c = query->causes, .tally = tally, .k = query->rich->outputs};
    const hcbr_i_rich *r = query->rich;
    size_t slots = (size_t)tally->slot_count * HCBR_I_RICH_ROWS * a.k;
    hcbr_status st = hcbr_i_rich_follower_init(&a.follow, a.c, err);
    if (st != HCBR_OK)
        return st;
    a.cursor = hcbr_i_alloc_zero(r->votes.tree_count, sizeof *a.cursor);
    if (!a.cursor)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && r->family[1] && a.c->boosted_count)
        st = find_divisors(&a, err);
    for (; st == HCBR_OK && a.first < a.c->table.rows; a.first += HCBR_I_RICH_ROWS) {
        next_block(&a);
        if (slots)
            memset(tally->slots, 0, slots * sizeof *tally->slots);
        if (r->family[0])
            add_atoms(&a);
        if (r->family[1] && a.c->boosted_count)
            add_boosted(&a);
        if (r->family[2])
            add_votes(&a);
        if (tally->done)
            tally->done(tally->context, a.first, a.n);
    }
    hcbr_i_free(a.cursor);
    hcbr_i_rich_follower_clear(&a.follow);
    return st;
}
