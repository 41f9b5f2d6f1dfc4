/*
 * The influence of every merged case on a case at hand (rich_causes.h), a block of rows at a time:
 * first through the atoms, then through the boosted trees, then through the votes.
 *
 * The rows behind a leaf are found by making the tests on the way to it of all rows of a block at
 * once. Residuals are those that are kept or, where they are too many, found by following the
 * supports from tree to tree. The order in which influences are added up is the same in both.
 */
#include "rich/reasons/rich_follow.h"

#define AHEAD 32u /* trees */

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
    double *weight; /* by output: what residuals behind a leaf weigh */
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

static inline void add_one(const target *to, size_t at, double value) {
    to->total[at] += value;
    if (to->slot)
        to->slot[at] += value;
}

/* All outputs of row b: a->values. */
static void add_values(const adder *a, const target *to, uint32_t b) {
    size_t at = (size_t)b * a->k;
    double *total = to->total + at, *slot = to->slot ? to->slot + at : NULL;
    uint32_t l = 0;
    for (; l + 2 <= a->k; l += 2) {
        pair value = hcbr_i_rich_get_pair(a->values + l);
        hcbr_i_rich_put_pair(total + l, hcbr_i_rich_get_pair(total + l) + value);
        if (slot)
            hcbr_i_rich_put_pair(slot + l, hcbr_i_rich_get_pair(slot + l) + value);
    }
    if (l < a->k)
        add_one(to, at + l, a->values[l]);
}

/* Add up what the rows of the block got. What rounding loses is found exactly and added at the
 * end. */
static void add_block(const adder *a) {
    hcbr_i_rich_tally *t = a->tally;
    const double *total = t->total + (size_t)a->follow.block.first * a->k;
    for (uint32_t b = 0; b < a->follow.block.n; b++)
        for (uint32_t l = 0; l < a->k; l++, total++) {
            double sum = t->sum[l], next = sum + *total, back = next - sum;
            t->rest[l] += (sum - (next - back)) + (*total - back);
            t->sum[l] = next;
            t->absolute[l] += fabs(*total);
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
    memset(a->values, 0, a->k * sizeof *a->values);
    hcbr_i_rich_alphas_add(a->q->rich, i, label, part, a->values);
    add_values(a, to, b);
}

static inline double alpha_of_two(const adder *a, uint32_t b, double part) {
    size_t i = a->follow.block.first + b;
    return (a->c->table.label[i] == 1 ? part : -part) * hcbr_i_rich_alpha(&a->q->rich->kept, i);
}

static void add_column(const adder *a, size_t term) {
    const hcbr_i_rich_block *block = &a->follow.block;
    const uint8_t *codes = block->codes + (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS;
    const double *parts = a->parts + term * HCBR_I_RICH_CODES;
    target to = aim(a, term);
    meet(a, term, block->all);
    for (uint32_t b = 0; b < block->n; b++) {
        double part = parts[codes[b]];
        if (part == 0)
            continue;
        if (a->k == 1)
            add_one(&to, b, alpha_of_two(a, b, part));
        else
            add_alphas(a, &to, b, part);
    }
}

/* Rows that have a member of the case at hand. */
static void add_member(const adder *a, uint32_t member, hcbr_i_rich_mask mask, double part) {
    size_t term = a->q->term_of[member] - 1;
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    target to = aim(a, term);
    meet(a, term, mask);
    for (uint32_t d = 0; d < n; d++) {
        if (a->k == 1)
            add_one(&to, rows[d], alpha_of_two(a, rows[d], part));
        else
            add_alphas(a, &to, rows[d], part);
    }
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

/* What residuals behind a leaf weigh, by output. */
static void weigh(const adder *a, size_t leaf) {
    const hcbr_i_rich *r = a->q->rich;
    const double *divisor = a->c->divisor + leaf * a->k;
    double part = r->blend.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    for (uint32_t l = 0; l < a->k; l++)
        a->weight[l] = divisor[l] > 0 ? part / divisor[l] : 0;
}

/* Rows that a tree has drawn and that end in the leaf of the case at hand. Their residuals are one
 * after the other, or by row of the block. */
static inline void add_residuals(const adder *a, size_t term, size_t leaf, hcbr_i_rich_mask mask,
                                 const double *residual, bool by_row) {
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    target to = aim(a, term);
    weigh(a, leaf);
    meet(a, term, mask);
    if (a->k == 1) {
        double weight = a->weight[0];
        for (uint32_t d = 0; d < n; d++)
            add_one(&to, rows[d], weight * residual[by_row ? rows[d] : d]);
        return;
    }
    for (uint32_t d = 0; d < n; d++) {
        const double *from = residual + (size_t)(by_row ? rows[d] : d) * a->k;
        uint32_t l = 0;
        for (; l + 2 <= a->k; l += 2)
            hcbr_i_rich_put_pair(a->values + l, hcbr_i_rich_get_pair(a->weight + l) *
                                                    hcbr_i_rich_get_pair(from + l));
        if (l < a->k)
            a->values[l] = a->weight[l] * from[l];
        add_values(a, &to, rows[d]);
    }
}

/* Residuals that are kept. They are far apart: those of some trees are sent for before the first
 * of them is needed. */
static void add_kept(const adder *a, uint32_t jury) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_causes *c = a->c;
    const hcbr_i_rich_forest *forest = &q->rich->boosted.jury[jury];
    size_t cell = (size_t)a->follow.block.number * c->boosted_count;
    uint32_t end = c->tree_start[jury + 1], n;
    for (uint32_t first = c->tree_start[jury]; first < end; first += n) {
        hcbr_i_rich_mask rows[AHEAD];
        const double *residual[AHEAD];
        n = end - first < AHEAD ? end - first : AHEAD;
        for (uint32_t i = 0; i < n; i++) {
            const size_t *way = q->path_start + first + i;
            rows[i] =
                hcbr_i_rich_mask_and(c->drawn[cell + first + i],
                                     hcbr_i_rich_block_pass(&a->follow.block, forest,
                                                            q->path + way[0], way[1] - way[0]));
            if (hcbr_i_rich_mask_any(rows[i]))
                __builtin_prefetch(hcbr_i_rich_causes_place(c, cell + first + i, rows[i]));
        }
        for (uint32_t i = 0; i < n; i++)
            if (hcbr_i_rich_mask_any(rows[i])) {
                residual[i] = hcbr_i_rich_causes_residuals(c, cell + first + i, rows[i]);
                __builtin_prefetch(residual[i]);
                __builtin_prefetch(residual[i] + 8);
            }
        for (uint32_t i = 0; i < n; i++) {
            size_t term = q->atom_terms + first + i;
            if (hcbr_i_rich_mask_any(rows[i]))
                add_residuals(a, term, c->leaf_start[jury] + q->terms[term].leaf, rows[i],
                              residual[i], false);
        }
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
        add_residuals(a, term, c->leaf_start[jury] + own, rows, f->residual, true);
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
            double share = hcbr_i_rich_draws(a->c, i, key);
            if (share > 0)
                add_vote(a, tree, &to, rows[d], share);
        }
    }
}

/* ---- all blocks ------------------------------------------------------------------------------ */

/* Hand over what the block gave and wipe it. */
static void end_block(const adder *a) {
    hcbr_i_rich_tally *t = a->tally;
    add_block(a);
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

static hcbr_status add_blocks(adder *a, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    const hcbr_i_rich *r = a->q->rich;
    hcbr_i_rich_tally *t = a->tally;
    size_t slots = (size_t)t->slot_count * HCBR_I_RICH_ROWS * a->k;
    if (slots) {
        memset(t->slots, 0, slots * sizeof *t->slots);
        memset(t->met, 0, t->slot_count * sizeof *t->met);
    }
    if (r->family[0])
        find_parts(a);
    for (uint32_t b = 0; b < a->c->blocks.count && st == HCBR_OK; b++) {
        hcbr_i_rich_block_enter(&a->follow.block, b);
        if (r->family[0])
            add_atoms(a);
        if (r->family[1] && a->c->boosted_count)
            add_boosted(a);
        if (r->family[2])
            add_votes(a);
        end_block(a);
        if (b % HCBR_I_RICH_TELL == 0)
            st = hcbr_i_rich_tell(t->watch, b, a->c->blocks.count, err);
    }
    return st;
}

hcbr_status hcbr_i_rich_causes_add(const hcbr_i_rich_query *query, hcbr_i_rich_tally *tally,
                                   hcbr_error *err) {
    adder a = {.q = query, .c = query->causes, .tally = tally, .k = query->rich->outputs};
    hcbr_status st = hcbr_i_rich_causes_follow(query->causes, 1, tally->watch, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_follower_init(&a.follow, a.c, err);
    if (st != HCBR_OK)
        return st;
    a.parts = hcbr_i_alloc(a.c->table.columns, HCBR_I_RICH_CODES * sizeof *a.parts);
    a.values = hcbr_i_alloc(a.k, sizeof *a.values);
    a.weight = hcbr_i_alloc(a.k, sizeof *a.weight);
    if (a.parts && a.values && a.weight)
        st = add_blocks(&a, err);
    else
        st = hcbr_i_no_memory(err);
    hcbr_i_free(a.parts);
    hcbr_i_free(a.values);
    hcbr_i_free(a.weight);
    hcbr_i_rich_follower_clear(&a.follow);
    return st;
}
