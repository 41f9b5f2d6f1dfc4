/*
 * The contribution of each merged case to the support of an identical case (rich_causes.h).
 */
#include "rich/reasons/leaf_rows.h"

typedef struct owner {
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_follower follow;
    double *out; /* rows x outputs */
} owner;

/* ---- linear model ---------------------------------------------------------------------------- */

static void own_linear(owner *o) {
    const hcbr_i_rich_table *t = &o->c->table;
    const hcbr_i_rich *r = o->c->rich;
    const hcbr_i_rich_block *block = &o->follow.block;
    uint32_t k = r->outputs;
    for (uint32_t b = 0; b < block->n; b++) {
        size_t i = block->first + b;
        double tests = (double)(t->bag_start[i + 1] - t->bag_start[i]);
        for (uint32_t c = 0; c < t->columns; c++) {
            uint8_t code = block->codes[(size_t)c * HCBR_I_RICH_ROWS + b];
            tests += r->linear.coarse[(size_t)c * HCBR_I_RICH_CODES + code] != 0;
        }
        double part = r->stack.trust[0] * r->kept.scale * tests;
        hcbr_i_rich_alphas_add(r, i, t->label[i], part, o->out + i * k);
    }
}

/* ---- boosted trees --------------------------------------------------------------------------- */

static void own_boosted(owner *o, uint32_t fold) {
    const hcbr_i_rich_causes *c = o->c;
    const hcbr_i_rich *r = c->rich;
    hcbr_i_rich_follower *f = &o->follow;
    uint32_t k = r->outputs, trees = c->tree_start[fold + 1] - c->tree_start[fold];
    double part = r->stack.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    double *out = o->out + (size_t)f->block.first * k;
    hcbr_i_rich_follower_start(f, fold);
    for (uint32_t tree = 0; tree < trees; tree++) {
        uint8_t rows[HCBR_I_RICH_ROWS];
        hcbr_i_rich_follower_walk(f, tree, HCBR_I_NONE);
        hcbr_i_rich_mask drawn = hcbr_i_rich_follower_drawn(f, tree, f->block.all);
        hcbr_i_rich_follower_residuals(f, drawn, f->residual, NULL);
        uint32_t n = hcbr_i_rich_mask_list(drawn, rows);
        for (uint32_t d = 0; d < n; d++) {
            size_t at = (size_t)rows[d] * k;
            const double *divisor = c->divisor + (c->leaf_start[fold] + f->leaf[rows[d]]) * k;
            for (uint32_t l = 0; l < k; l++)
                if (divisor[l] > 0)
                    out[at + l] += part * f->residual[at + l] / divisor[l];
        }
        hcbr_i_rich_follower_step(f);
    }
}

/* ---- forest ---------------------------------------------------------------------------------- */

/* Draws of the block's rows in the leaves of a tree, added up; f->leaf is filled. */
static void count_draws(owner *o, uint32_t tree, double *drawn) {
    hcbr_i_rich_follower *f = &o->follow;
    uint64_t key = hcbr_i_rich_forest_key(o->c->rich->seed, tree);
    hcbr_i_rich_block_walk(&f->block, &o->c->rich->forest, tree, f->block.all, f->leaf,
                           HCBR_I_NONE);
    for (uint32_t b = 0; drawn && b < f->block.n; b++) {
        size_t i = f->block.first + b;
        drawn[f->leaf[b]] += hcbr_i_rich_draws(o->c, i, key);
    }
}

/* By row: its share of its own leaves added up over trees, and the mean shares by label there. leaf
 * has room for those of the block: by tree and row. */
static void share_forest(owner *o, const double *drawn, double *own, double *share,
                         uint32_t *leaf) {
    const hcbr_i_rich_forest *f = &o->c->rich->forest;
    const hcbr_i_rich_block *block = &o->follow.block;
    for (uint32_t tree = 0; tree < f->tree_count; tree++) {
        uint64_t key = hcbr_i_rich_forest_key(o->c->rich->seed, tree);
        count_draws(o, tree, NULL);
        for (uint32_t b = 0; b < block->n; b++) {
            size_t i = block->first + b, at = o->follow.leaf[b];
            leaf[(size_t)tree * HCBR_I_RICH_ROWS + b] = (uint32_t)at;
            double m = hcbr_i_rich_draws(o->c, i, key);
            own[i] += m > 0 ? m / drawn[at] : 0;
        }
    }
    for (uint32_t b = 0; b < block->n; b++)
        hcbr_i_rich_mean_shares(o->c->rich, leaf + b, HCBR_I_RICH_ROWS,
                                share + (size_t)(block->first + b) * o->c->rich->outputs);
}

static void add_random_forest(owner *o, const double *own, double *share) {
    const hcbr_i_rich *r = o->c->rich;
    uint32_t k = r->outputs;
    double trees = (double)r->forest.tree_count, part = r->stack.trust[2] / trees;
    for (uint32_t i = 0; i < o->c->table.rows; i++) {
        double *p = share + (size_t)i * k, *to = o->out + (size_t)i * k;
        uint32_t label = o->c->table.label[i];
        if (k == 1) {
            double by = part * own[i] * hcbr_i_rich_slope(p[0], 1 - p[0]);
            to[0] += label ? by : -by;
            continue;
        }
        for (uint32_t l = 0; l < k; l++)
            if (l != label) {
                double by = part * own[i] * hcbr_i_rich_slope(p[label], p[l]) / k;
                to[l] -= by;
                to[label] += by;
            }
    }
}

/* The contribution of the forest to all rows, whose own and share are 0. */
static hcbr_status own_forest(owner *o, double *own, double *share, hcbr_error *err) {
    const hcbr_i_rich_forest *f = &o->c->rich->forest;
    double *drawn = hcbr_i_alloc(f->leaf_count, sizeof *drawn);
    uint32_t *leaf = hcbr_i_alloc(f->tree_count, HCBR_I_RICH_ROWS * sizeof *leaf);
    if (!own || !share || !drawn || !leaf) {
        hcbr_i_free(drawn);
        hcbr_i_free(leaf);
        return hcbr_i_no_memory(err);
    }
    for (size_t l = 0; l < f->leaf_count; l++)
        drawn[l] = o->c->rich->kept.prior;
    for (int shares = 0; shares < 2; shares++)
        for (uint32_t b = 0; b < o->c->blocks.count; b++) {
            hcbr_i_rich_block_enter(&o->follow.block, b);
            if (shares)
                share_forest(o, drawn, own, share, leaf);
            for (uint32_t tree = 0; !shares && tree < f->tree_count; tree++)
                count_draws(o, tree, drawn);
        }
    add_random_forest(o, own, share);
    hcbr_i_free(drawn);
    hcbr_i_free(leaf);
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_causes_own(hcbr_i_rich_causes *causes, double *out, hcbr_error *err) {
    const hcbr_i_rich *r = causes->rich;
    size_t rows = causes->table.rows, k = r->outputs;
    owner o = {.c = causes, .out = out};
    hcbr_status st = hcbr_i_rich_causes_follow(causes, 1, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_follower_init(&o.follow, causes, err);
    if (st != HCBR_OK)
        return st;
    memset(out, 0, rows * k * sizeof *out);
    for (uint32_t b = 0; b < causes->blocks.count; b++) {
        hcbr_i_rich_block_enter(&o.follow.block, b);
        if (r->family[0])
            own_linear(&o);
        for (uint32_t j = 0; r->family[1] && j < HCBR_I_RICH_FOLDS; j++)
            own_boosted(&o, j);
    }
    if (hcbr_i_rich_forest_weighs(r)) {
        double *own = hcbr_i_alloc_zero(rows, sizeof *own);
        double *share = hcbr_i_alloc_zero(rows, k * sizeof *share);
        st = own_forest(&o, own, share, err);
        hcbr_i_free(own);
        hcbr_i_free(share);
    }
    hcbr_i_rich_follower_clear(&o.follow);
    return st;
}
