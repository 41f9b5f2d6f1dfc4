/*
 * The influence of every merged case on a case at hand (rich_causes.h), a block of rows at a time:
 * first through the atoms, then through the boosted trees, then through the votes.
 *
 * The rows behind a leaf are found by making the tests on the way to it of all rows of a block at
 * once. Residuals are those that are kept or, where they are too many, found by following the
 * supports from tree to tree. The order in which influences are added up is the same in both.
 */
#include "rich/rich_follow.h"

typedef hcbr_i_rich_pair pair;

/* Where the influences through a term go, of rows of the block. */
typedef struct target {
    double *total; /* by row of the block and output */
    double *slot;  /* the same through this term; NULL: it is not asked for */
} target;

/* What is at work on one block. */
typedef struct adder {
    const hcbr_i_rich_query *q;
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_tally *tally;
    hcbr_i_rich_follower follow;
    double *parts;  /* by column term and code: part of the tests that is shared, as it weighs */
    double *values; /* by output: what one row adds */
    uint32_t k;
} adder;

/* ---- adding up ------------------------------------------------------------------------------- */

static target aim(const adder *a, size_t term) {
    const hcbr_i_rich_tally *t = a->tally;
    uint32_t slot = t->slot_of[term];
    target x = {t->total + (size_t)a->follow.block.first * a->k, NULL};
    if (slot != HCBR_I_NONE)
        x.slot = t->slots + (size_t)slot * HCBR_I_RICH_ROWS * a->k;
    return x;
}

/* The rows met through a term. */
static inline void meet(const adder *a, size_t term, hcbr_i_rich_mask rows) {
    uint32_t slot = a->tally->slot_of[term];
    if (slot != HCBR_I_NONE)
        for (uint32_t w = 0; w < 2; w++)
            a->tally->met[slot].word[w] |= rows.word[w];
}

/* Sums of one output. What rounding loses is found exactly and added at the end. */
typedef struct sums {
    double sum, rest, absolute;
} sums;

static inline sums sums_get(const hcbr_i_rich_tally *t) {
    return (sums){t->sum[0], t->rest[0], t->absolute[0]};
}

static inline void sums_put(hcbr_i_rich_tally *t, const sums *s) {
    t->sum[0] = s->sum;
    t->rest[0] = s->rest;
    t->absolute[0] = s->absolute;
}

static inline void add_one(sums *s, const target *to, uint32_t b, double value) {
    double next = s->sum + value, back = next - s->sum;
    s->rest += (s->sum - (next - back)) + (value - back);
    s->sum = next;
    s->absolute += fabs(value);
    to->total[b] += value;
    if (to->slot)
        to->slot[b] += value;
}

/* Two outputs of row b, from place l on. */
static inline void add_pair(hcbr_i_rich_tally *t, const target *to, size_t at, uint32_t l,
                            pair value) {
    const hcbr_i_rich_bits sign = {(uint64_t)1 << 63, (uint64_t)1 << 63};
    pair sum = hcbr_i_rich_get_pair(t->sum + l), next = sum + value, back = next - sum;
    pair rest = hcbr_i_rich_get_pair(t->rest + l);
    hcbr_i_rich_put_pair(t->rest + l, rest + ((sum - (next - back)) + (value - back)));
    hcbr_i_rich_put_pair(t->sum + l, next);
    hcbr_i_rich_put_pair(t->absolute + l, hcbr_i_rich_get_pair(t->absolute + l) +
                                              (pair)((hcbr_i_rich_bits)value & ~sign));
    hcbr_i_rich_put_pair(to->total + at + l, hcbr_i_rich_get_pair(to->total + at + l) + value);
    if (to->slot)
        hcbr_i_rich_put_pair(to->slot + at + l, hcbr_i_rich_get_pair(to->slot + at + l) + value);
}

/* All outputs of row b: a->values. */
static void add_values(const adder *a, const target *to, uint32_t b) {
    hcbr_i_rich_tally *t = a->tally;
    size_t at = (size_t)b * a->k;
    uint32_t l = 0;
    for (; l + 2 <= a->k; l += 2)
        add_pair(t, to, at, l, hcbr_i_rich_get_pair(a->values + l));
    if (l < a->k) {
        target last = {to->total + at + l, to->slot ? to->slot + at + l : NULL};
        sums s = {t->sum[l], t->rest[l], t->absolute[l]};
        add_one(&s, &last, 0, a->values[l]);
        t->sum[l] = s.sum;
        t->rest[l] = s.rest;
        t->absolute[l] = s.absolute;
    }
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* What shared tests weigh, by term of a column and code. */
static void find_parts(const adder *a) {
    const hcbr_i_rich *r = a->q->rich;
    const hcbr_i_rich_atoms *atoms = &r->atoms;
    for (size_t term = 0; term < a->q->atom_terms; term++) {
        uint32_t column = a->q->terms[term].variable;
        if (column >= atoms->columns)
            return; // those of members follow
        const uint8_t *coarse = atoms->coarse + (size_t)column * HCBR_I_RICH_CODES;
        uint32_t own = coarse[a->q->row->codes[column]];
        uint32_t entries = atoms->place[column + 1] - atoms->place[column] - 1;
        bool ordered = a->c->table.column[column].ordered;
        double *to = a->parts + term * HCBR_I_RICH_CODES;
        for (uint32_t code = 0; code < HCBR_I_RICH_CODES; code++) {
            uint32_t entry = coarse[code];
            to[code] = 0;
            if (entry == 0 || own == 0 || (!ordered && entry != own))
                continue;
            double part = ordered ? hcbr_i_rich_shared((int)entry - (int)own, entries - 1) : 1.0;
            if (part > 0)
                to[code] = part * (r->blend.trust[0] * r->kept.scale);
        }
    }
}

/* A row shares `part` of the tests of a term. */
static inline void add_alphas(const adder *a, const target *to, uint32_t b, double part) {
    size_t i = a->follow.block.first + b;
    uint32_t label = a->c->table.label[i];
    const float *alpha = a->q->rich->kept.alpha + i * a->k;
    for (uint32_t l = 0; l < a->k; l++)
        a->values[l] = (label == l ? part : -part) * (double)alpha[l];
    add_values(a, to, b);
}

static inline double alpha_of_two(const adder *a, uint32_t b, double part) {
    size_t i = a->follow.block.first + b;
    return (a->c->table.label[i] == 1 ? part : -part) * (double)a->q->rich->kept.alpha[i];
}

static void add_column(const adder *a, size_t term) {
    const hcbr_i_rich_block *block = &a->follow.block;
    const uint8_t *codes = block->codes + (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS;
    const double *parts = a->parts + term * HCBR_I_RICH_CODES;
    target to = aim(a, term);
    sums s = sums_get(a->tally);
    meet(a, term, block->all);
    for (uint32_t b = 0; b < block->n; b++) {
        double part = parts[codes[b]];
        if (part == 0)
            continue;
        if (a->k == 1)
            add_one(&s, &to, b, alpha_of_two(a, b, part));
        else
            add_alphas(a, &to, b, part);
    }
    if (a->k == 1)
        sums_put(a->tally, &s);
}

/* Rows that have a member of the case at hand. */
static void add_member(const adder *a, uint32_t member, hcbr_i_rich_mask mask, double part) {
    size_t term = a->q->term_of[member] - 1;
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    target to = aim(a, term);
    meet(a, term, mask);
    if (a->k > 1) {
        for (uint32_t d = 0; d < n; d++)
            add_alphas(a, &to, rows[d], part);
        return;
    }
    sums s = sums_get(a->tally);
    for (uint32_t d = 0; d < n; d++)
        add_one(&s, &to, rows[d], alpha_of_two(a, rows[d], part));
    sums_put(a->tally, &s);
}

static void add_members(const adder *a) {
    const hcbr_i_rich_row *own = a->q->row;
    double part = a->q->rich->blend.trust[0] * a->q->rich->kept.scale;
    for (uint32_t j = 0; j < own->bag_count; j++) {
        hcbr_i_rich_mask mask = a->follow.block.having[own->bag[j]];
        if (hcbr_i_rich_mask_any(mask))
            add_member(a, own->bag[j], mask, part);
    }
}

static void add_atoms(const adder *a) {
    uint32_t columns = a->q->rich->atoms.columns;
    for (size_t term = 0; term < a->q->atom_terms; term++)
        if (a->q->terms[term].variable < columns)
            add_column(a, term);
    add_members(a);
}

/* ---- boosted trees --------------------------------------------------------------------------- */

/* Rows that a tree has drawn and that end in the leaf of the case at hand. */
static void add_residuals(const adder *a, size_t term, size_t leaf, hcbr_i_rich_mask mask,
                          const double *residual) {
    const hcbr_i_rich *r = a->q->rich;
    const double *divisor = a->c->divisor + leaf * a->k;
    double part = r->blend.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    target to = aim(a, term);
    meet(a, term, mask);
    if (a->k == 1) {
        sums s = sums_get(a->tally);
        for (uint32_t d = 0; d < n && divisor[0] > 0; d++)
            add_one(&s, &to, rows[d], part * residual[rows[d]] / divisor[0]);
        sums_put(a->tally, &s);
        return;
    }
    for (uint32_t d = 0; d < n; d++) {
        const double *from = residual + (size_t)rows[d] * a->k;
        uint32_t l = 0;
        for (; l + 2 <= a->k; l += 2) {
            pair by = hcbr_i_rich_get_pair(divisor + l);
            pair value = part * hcbr_i_rich_get_pair(from + l) / by;
            hcbr_i_rich_put_pair(
                a->values + l,
                hcbr_i_rich_select((hcbr_i_rich_bits)(by > (pair){0, 0}), value, (pair){0, 0}));
        }
        if (l < a->k)
            a->values[l] = divisor[l] > 0 ? part * from[l] / divisor[l] : 0;
        add_values(a, &to, rows[d]);
    }
}

/* Residuals that are kept. */
static void add_kept(const adder *a, uint32_t jury) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_causes *c = a->c;
    const hcbr_i_rich_forest *forest = &q->rich->boosted.jury[jury];
    size_t first = (size_t)a->follow.block.number * c->boosted_count;
    for (uint32_t t = c->tree_start[jury]; t < c->tree_start[jury + 1]; t++) {
        size_t term = q->atom_terms + t;
        hcbr_i_rich_mask rows =
            hcbr_i_rich_block_pass(&a->follow.block, forest, q->path + q->path_start[t],
                                   q->path_start[t + 1] - q->path_start[t]);
        rows = hcbr_i_rich_mask_and(rows, c->drawn[first + t]);
        if (hcbr_i_rich_mask_any(rows))
            add_residuals(a, term, c->leaf_start[jury] + q->terms[term].leaf, rows,
                          c->residual + (first + t) * HCBR_I_RICH_ROWS * a->k);
    }
}

/* Residuals that are found by following a jury. */
static void add_followed(adder *a, uint32_t jury) {
    const hcbr_i_rich_causes *c = a->c;
    hcbr_i_rich_follower *f = &a->follow;
    uint32_t start = c->tree_start[jury], trees = c->tree_start[jury + 1] - start;
    hcbr_i_rich_follower_start(f, jury);
    for (uint32_t t = 0; t < trees; t++) {
        size_t term = a->q->atom_terms + start + t;
        uint32_t own = a->q->terms[term].leaf;
        hcbr_i_rich_mask rows = hcbr_i_rich_follower_walk(f, t, own);
        rows = hcbr_i_rich_follower_drawn(f, t, rows);
        hcbr_i_rich_follower_residuals(f, rows, f->residual, NULL);
        add_residuals(a, term, c->leaf_start[jury] + own, rows, f->residual);
        if (t + 1 < trees)
            hcbr_i_rich_follower_step(f);
    }
}

static void add_boosted(adder *a) {
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        if (a->c->kept)
            add_kept(a, j);
        else
            add_followed(a, j);
    }
}

/* ---- votes ----------------------------------------------------------------------------------- */

static void add_vote(const adder *a, uint32_t tree, const target *to, uint32_t b, double share) {
    const hcbr_i_rich_query *q = a->q;
    uint32_t label = a->c->table.label[a->follow.block.first + b];
    share /= q->drawn[tree];
    if (a->k == 1)
        a->values[0] = label ? share * q->effect[0] : -share * q->effect[0];
    else
        for (uint32_t l = 0; l < a->k; l++)
            a->values[l] = share * q->effect[(size_t)l * a->k + label];
    add_values(a, to, b);
}

static void add_votes(const adder *a) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_table *t = &a->c->table;
    const hcbr_i_rich_block *block = &a->follow.block;
    size_t trees = q->rich->votes.tree_count, term = q->atom_terms + a->c->boosted_count;
    const hcbr_i_rich_mask *voters = q->voters + block->number * trees;
    for (uint32_t tree = 0; tree < trees; tree++, term++) {
        uint64_t key = hcbr_i_rich_vote_key(q->rich->seed, tree);
        uint8_t rows[HCBR_I_RICH_ROWS];
        uint32_t n = hcbr_i_rich_mask_list(voters[tree], rows);
        target to = aim(a, term);
        meet(a, term, voters[tree]);
        for (uint32_t d = 0; d < n; d++) {
            size_t i = block->first + rows[d];
            double share = hcbr_i_rich_times(t->weight[i], t->hash[i] ^ key);
            if (share > 0)
                add_vote(a, tree, &to, rows[d], share);
        }
    }
}

/* ---- all blocks ------------------------------------------------------------------------------ */

/* Hand over what the block gave and wipe it. */
static void end_block(const adder *a) {
    hcbr_i_rich_tally *t = a->tally;
    if (t->done)
        t->done(t->context, a->follow.block.first);
    for (uint32_t s = 0; s < t->slot_count; s++) {
        uint8_t rows[HCBR_I_RICH_ROWS];
        uint32_t n = hcbr_i_rich_mask_list(t->met[s], rows);
        for (uint32_t d = 0; d < n; d++)
            memset(t->slots + ((size_t)s * HCBR_I_RICH_ROWS + rows[d]) * a->k, 0,
                   a->k * sizeof *t->slots);
        t->met[s] = (hcbr_i_rich_mask){{0, 0}};
    }
}

static void add_blocks(adder *a) {
    const hcbr_i_rich *r = a->q->rich;
    hcbr_i_rich_tally *t = a->tally;
    size_t slots = (size_t)t->slot_count * HCBR_I_RICH_ROWS * a->k;
    if (slots) {
        memset(t->slots, 0, slots * sizeof *t->slots);
        memset(t->met, 0, t->slot_count * sizeof *t->met);
    }
    if (r->family[0])
        find_parts(a);
    for (uint32_t b = 0; b < a->c->blocks.count; b++) {
        hcbr_i_rich_block_enter(&a->follow.block, b);
        if (r->family[0])
            add_atoms(a);
        if (r->family[1] && a->c->boosted_count)
            add_boosted(a);
        if (r->family[2])
            add_votes(a);
        end_block(a);
    }
}

hcbr_status hcbr_i_rich_causes_add(const hcbr_i_rich_query *query, hcbr_i_rich_tally *tally,
                                   hcbr_error *err) {
    adder a = {.q = query, .c = query->causes, .tally = tally, .k = query->rich->outputs};
    hcbr_status st = hcbr_i_rich_causes_follow(query->causes, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_follower_init(&a.follow, a.c, err);
    if (st != HCBR_OK)
        return st;
    a.parts = hcbr_i_alloc(a.c->table.columns, HCBR_I_RICH_CODES * sizeof *a.parts);
    a.values = hcbr_i_alloc(a.k, sizeof *a.values);
    if (a.parts && a.values)
        add_blocks(&a);
    else
        st = hcbr_i_no_memory(err);
    hcbr_i_free(a.parts);
    hcbr_i_free(a.values);
    hcbr_i_rich_follower_clear(&a.follow);
    return st;
}
