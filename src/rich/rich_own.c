/*
 * What each merged case adds to the support of a case just like it (rich_causes.h): the whole of
 * what it put into the model where it stands itself.
 */
#include "rich/rich_follow.h"

typedef struct owner {
    hcbr_i_rich_causes *c;
    hcbr_i_rich_follower follow;
    double *out;  /* rows x outputs */
    bool divisor; /* the sums behind leaves are being found */
} owner;

/* ---- atoms ----------------------------------------------------------------------------------- */

static void own_atoms(owner *o) {
    const hcbr_i_rich *r = o->c->rich;
    const hcbr_i_rich_table *t = &o->c->table;
    uint32_t k = r->outputs;
    for (uint32_t i = 0; i < t->rows; i++) {
        double tests = (double)(t->bag_start[i + 1] - t->bag_start[i]);
        for (uint32_t c = 0; c < t->columns; c++) {
            uint8_t code = o->c->codes[(size_t)i * t->columns + c];
            tests += r->atoms.coarse[(size_t)c * HCBR_I_RICH_CODES + code] != 0;
        }
        double part = r->blend.trust[0] * r->kept.scale * tests;
        for (uint32_t l = 0; l < k; l++) {
            bool own = k == 1 ? t->label[i] == 1 : t->label[i] == l;
            double alpha = (double)r->kept.alpha[(size_t)i * k + l];
            o->out[(size_t)i * k + l] += own ? part * alpha : -part * alpha;
        }
    }
}

/* ---- boosted trees --------------------------------------------------------------------------- */

static void own_jury(owner *o, uint32_t jury, uint32_t first, uint32_t n, const uint16_t *leaves) {
    hcbr_i_rich_causes *c = o->c;
    const hcbr_i_rich_table *t = &c->table;
    const hcbr_i_rich *r = c->rich;
    uint32_t k = r->outputs, start = c->tree_start[jury], trees = c->tree_start[jury + 1] - start;
    uint64_t limit = hcbr_i_rich_draw_limit(r->kept.draw);
    uint64_t key = hcbr_i_rich_jury_key(r->seed, jury);
    double part = r->blend.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    hcbr_i_rich_follower_start(&o->follow, c, jury, n);
    for (uint32_t tree = 0; tree < trees; tree++) {
        const uint16_t *leaf = leaves + (size_t)(start + tree) * HCBR_I_RICH_ROWS;
        uint64_t tree_key = hcbr_i_rich_tree_key(key, tree);
        size_t first_leaf = c->leaf_start[jury] + c->leaf_first[start + tree];
        for (uint32_t b = 0; b < n; b++) {
            uint32_t i = first + b;
            double w = hcbr_i_rich_left(t, i, jury), *divisor = c->divisor;
            if (!(w > 0) || !hcbr_i_rich_is_drawn(t->hash[i], tree_key, limit))
                continue;
            hcbr_i_rich_follower_residual(&o->follow, c, b, t->label[i], w);
            divisor += (first_leaf + leaf[b]) * k;
            for (uint32_t l = 0; l < k; l++) {
                if (o->divisor)
                    divisor[l] += o->follow.residual[k + l];
                else if (divisor[l] > 0)
                    o->out[(size_t)i * k + l] += part * o->follow.residual[l] / divisor[l];
            }
        }
        hcbr_i_rich_follower_step(&o->follow, c, jury, tree, leaf, n);
    }
}

static void own_boosted(owner *o) {
    hcbr_i_rich_causes *c = o->c;
    for (size_t i = 0; i < c->leaf_start[HCBR_I_RICH_FOLDS] * c->rich->outputs; i++)
        c->divisor[i] = c->rich->kept.lambda;
    for (int pass = 0; pass < 2; pass++) {
        o->divisor = pass == 0;
        for (uint32_t first = 0; first < c->table.rows; first += HCBR_I_RICH_ROWS) {
            uint32_t left = c->table.rows - first;
            uint32_t n = left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS;
            const uint16_t *leaves = o->follow.leaves;
            if (c->leaves)
                leaves = c->leaves + (size_t)first * c->boosted_count;
            else
                hcbr_i_rich_follower_walk(&o->follow, c, first, n, o->follow.leaves);
            for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
                own_jury(o, j, first, n, leaves);
        }
    }
}

/* ---- votes ----------------------------------------------------------------------------------- */

/* By row: its share of its own leaves, and the shares by label there; both added up over trees. */
static bool own_votes(owner *o, double *own, double *share) {
    const hcbr_i_rich_forest *f = &o->c->rich->votes;
    const hcbr_i_rich_table *t = &o->c->table;
    uint32_t k = o->c->rich->outputs;
    double *drawn = hcbr_i_alloc(f->leaf_count, sizeof *drawn);
    uint32_t *leaf = hcbr_i_alloc(t->rows, sizeof *leaf);
    bool ok = drawn && leaf;
    for (size_t l = 0; ok && l < f->leaf_count; l++)
        drawn[l] = o->c->rich->kept.prior;
    for (uint32_t tree = 0; ok && tree < f->tree_count; tree++) {
        uint64_t key = hcbr_i_rich_vote_key(o->c->rich->seed, tree);
        hcbr_i_rich_follower_votes(&o->follow, o->c, tree, leaf);
        for (uint32_t i = 0; i < t->rows; i++)
            drawn[leaf[i]] += hcbr_i_rich_times(t->weight[i], t->hash[i] ^ key);
        for (uint32_t i = 0; i < t->rows; i++) {
            double m = hcbr_i_rich_times(t->weight[i], t->hash[i] ^ key);
            own[i] += m > 0 ? m / drawn[leaf[i]] : 0;
            for (uint32_t l = 0; l < k; l++)
                share[(size_t)i * k + l] += f->values[(size_t)leaf[i] * k + l];
        }
    }
    hcbr_i_free(drawn);
    hcbr_i_free(leaf);
    return ok;
}

static void add_votes(owner *o, const double *own, double *share) {
    const hcbr_i_rich *r = o->c->rich;
    uint32_t k = r->outputs;
    double trees = (double)r->votes.tree_count, part = r->blend.trust[2] / trees;
    for (uint32_t i = 0; i < o->c->table.rows; i++) {
        double *p = share + (size_t)i * k, *to = o->out + (size_t)i * k;
        uint32_t label = o->c->table.label[i];
        for (uint32_t l = 0; l < k; l++)
            p[l] /= trees;
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

hcbr_status hcbr_i_rich_causes_own(hcbr_i_rich_causes *causes, double *out, hcbr_error *err) {
    const hcbr_i_rich *r = causes->rich;
    size_t rows = causes->table.rows, k = r->outputs;
    owner o = {.c = causes, .out = out};
    hcbr_status st = hcbr_i_rich_follower_init(&o.follow, causes, err);
    if (st != HCBR_OK)
        return st;
    memset(out, 0, rows * k * sizeof *out);
    if (r->family[0])
        own_atoms(&o);
    if (r->family[1] && causes->boosted_count)
        own_boosted(&o);
    if (r->family[2]) {
        double *own = hcbr_i_alloc_zero(rows, sizeof *own);
        double *share = hcbr_i_alloc_zero(rows, k * sizeof *share);
        if (own && share && own_votes(&o, own, share))
            add_votes(&o, own, share);
        else
            st = hcbr_i_no_memory(err);
        hcbr_i_free(own);
        hcbr_i_free(share);
    }
    hcbr_i_rich_follower_clear(&o.follow);
    return st;
}
