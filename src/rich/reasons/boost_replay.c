/*
 * Merged cases replayed through the boosted trees. Supports are added up in the order of training,
 * so that every residual equals that of training to the last bit; rows are processed in parallel,
 * each with the operations of rich_draw.h.
 */
#include "rich/reasons/boost_replay.h"

typedef hcbr_i_rich_pair pair;

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rich_follower_init(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c,
                                      hcbr_error *err) {
    size_t size = c->rich->outputs * sizeof *f->score;
    *f = (hcbr_i_rich_follower){.c = c};
    f->score = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->residual = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->curvature = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->room = hcbr_i_alloc_zero(HCBR_I_RICH_ROWS + HCBR_I_RICH_BLOCK, size);
    if (hcbr_i_rich_block_init(&f->block, &c->blocks) && f->score && f->residual && f->curvature &&
        f->room)
        return HCBR_OK;
    hcbr_i_rich_follower_clear(f);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_follower_clear(hcbr_i_rich_follower *f) {
    hcbr_i_rich_block_clear(&f->block);
    hcbr_i_free(f->score);
    hcbr_i_free(f->residual);
    hcbr_i_free(f->curvature);
    hcbr_i_free(f->room);
    *f = (hcbr_i_rich_follower){0};
}

/* ---- from tree to tree ----------------------------------------------------------------------- */

void hcbr_i_rich_follower_start(hcbr_i_rich_follower *f, uint32_t fold) {
    const hcbr_i_rich_table *t = &f->c->table;
    uint32_t k = f->c->rich->outputs;
    f->fold = fold;
    f->seen = (hcbr_i_rich_mask){{0, 0}};
    for (uint32_t b = 0; b < f->block.n; b++) {
        size_t row = f->block.first + b;
        f->weight[b] = hcbr_i_rich_seen_weight(t, (uint32_t)row, fold);
        if (f->weight[b] > 0)
            hcbr_i_rich_mask_set(&f->seen, b);
        memcpy(f->score + (size_t)b * k, f->c->rich->boosted.start + (size_t)fold * k,
               k * sizeof *f->score);
    }
}

hcbr_i_rich_mask hcbr_i_rich_follower_walk(hcbr_i_rich_follower *f, uint32_t tree,
                                           uint32_t wanted) {
    return hcbr_i_rich_block_walk(&f->block, &f->c->rich->boosted.model[f->fold], tree,
                                  f->block.all, f->leaf, wanted);
}

hcbr_i_rich_mask hcbr_i_rich_follower_drawn(const hcbr_i_rich_follower *f, uint32_t tree,
                                            hcbr_i_rich_mask rows) {
    const hcbr_i_rich *r = f->c->rich;
    uint64_t limit = hcbr_i_rich_draw_limit(r->kept.draw);
    uint64_t key = hcbr_i_rich_tree_key(hcbr_i_rich_fold_key(r->seed, f->fold), tree);
    const uint64_t *hash = f->c->table.hash + f->block.first;
    hcbr_i_rich_mask drawn = {{0, 0}};
    rows = hcbr_i_rich_mask_and(rows, f->seen);
    for (uint32_t w = 0; w < 2; w++)
        for (uint64_t left = rows.word[w]; left; left &= left - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(left);
            drawn.word[w] |= (uint64_t)hcbr_i_rich_is_drawn(hash[64 * w + b], key, limit) << b;
        }
    return drawn;
}

void hcbr_i_rich_follower_step(hcbr_i_rich_follower *f) {
    uint32_t k = f->c->rich->outputs;
    const double *values = f->c->rich->boosted.model[f->fold].values;
    if (k == 1) {
        for (uint32_t b = 0; b < f->block.n; b++)
            f->score[b] += values[f->leaf[b]];
        return;
    }
    for (uint32_t b = 0; b < f->block.n; b++) {
        double *score = f->score + (size_t)b * k;
        const double *value = values + (size_t)f->leaf[b] * k;
        uint32_t l = 0;
        for (; l + 2 <= k; l += 2)
            hcbr_i_rich_put_pair(score + l,
                                 hcbr_i_rich_get_pair(score + l) + hcbr_i_rich_get_pair(value + l));
        if (l < k)
            score[l] += value[l];
    }
}

/* ---- residuals ------------------------------------------------------------------------------- */

/* Of two labels, HCBR_I_RICH_BLOCK rows at a time. */
static void residuals_of_two(const hcbr_i_rich_follower *f, const uint8_t *rows, uint32_t n,
                             double *residual, double *curvature) {
    const hcbr_i_rich_table *t = &f->c->table;
    const uint32_t *label = t->label + f->block.first;
    double e[HCBR_I_RICH_BLOCK], unused;
    for (uint32_t d = 0; d < n; d += HCBR_I_RICH_BLOCK) {
        uint32_t count = n - d < HCBR_I_RICH_BLOCK ? n - d : HCBR_I_RICH_BLOCK;
        for (uint32_t i = 0; i < HCBR_I_RICH_BLOCK; i++)
            e[i] = i < count ? -f->score[rows[d + i]] : 0;
        hcbr_i_rich_exp_block(e);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t b = rows[d + i];
            hcbr_i_rich_residual_at(1.0 / (1.0 + e[i]), label[b], f->weight[b], t->grid,
                                    residual + b, curvature ? curvature + b : &unused);
        }
    }
}

static inline pair round_pair(pair x, double grid) {
    double magic = 0x1.8p52 * grid;
    return (x + magic) - magic;
}

/* Subtract the largest support. */
static void take_largest(const double *score, uint32_t k, double *out) {
    pair most = hcbr_i_rich_get_pair(score);
    uint32_t l = 2;
    for (; l + 2 <= k; l += 2)
        most = hcbr_i_rich_larger(hcbr_i_rich_get_pair(score + l), most);
    double largest = most[0] > most[1] ? most[0] : most[1];
    if (l < k && score[l] > largest)
        largest = score[l];
    for (l = 0; l + 2 <= k; l += 2)
        hcbr_i_rich_put_pair(out + l, hcbr_i_rich_get_pair(score + l) - largest);
    if (l < k)
        out[l] = score[l] - largest;
}

/* Sums of four lists of k numbers, each in its order and none waiting for another. */
static void add_four(const double *e, uint32_t k, double *sum) {
    double a = 0, b = 0, c = 0, d = 0;
    for (uint32_t l = 0; l < k; l++, e++) {
        a += e[0];
        b += e[(size_t)k];
        c += e[2 * (size_t)k];
        d += e[3 * (size_t)k];
    }
    sum[0] = a;
    sum[1] = b;
    sum[2] = c;
    sum[3] = d;
}

/* The residuals of one row, from the same divisions as in boost_softmax.c. */
static void residuals_of_row(const hcbr_i_rich_follower *f, uint32_t b, const double *e, double sum,
                             double *residual, double *curvature) {
    uint32_t k = f->c->rich->outputs, label = f->c->table.label[f->block.first + b], l = 0;
    double w = f->weight[b], grid = f->c->table.grid;
    for (; l + 2 <= k; l += 2) {
        pair share = hcbr_i_rich_get_pair(e + l) / sum, own = {label == l, label == l + 1};
        hcbr_i_rich_put_pair(residual + l, round_pair(w * (own - share), grid));
        if (curvature)
            hcbr_i_rich_put_pair(curvature + l, round_pair(w * share * (1 - share), grid));
    }
    for (; l < k; l++) {
        double share = e[l] / sum;
        residual[l] = hcbr_i_rich_round(w * ((label == l) - share), grid);
        if (curvature)
            curvature[l] = hcbr_i_rich_round(w * share * (1 - share), grid);
    }
}

/* For k labels: all exponentials in a row, then the rows one by one. There is padding after
 * them. */
static void residuals_of_many(const hcbr_i_rich_follower *f, const uint8_t *rows, uint32_t n,
                              double *residual, double *curvature) {
    uint32_t k = f->c->rich->outputs;
    size_t all = (size_t)n * k;
    double sum[4];
    for (uint32_t d = 0; d < n; d++)
        take_largest(f->score + (size_t)rows[d] * k, k, f->room + (size_t)d * k);
    for (size_t i = 0; i < all; i += HCBR_I_RICH_BLOCK)
        hcbr_i_rich_exp_block(f->room + i);
    for (uint32_t d = 0; d < n; d++) {
        const double *e = f->room + (size_t)d * k;
        size_t at = (size_t)rows[d] * k;
        if (d % 4 == 0)
            add_four(e, k, sum);
        residuals_of_row(f, rows[d], e, sum[d % 4], residual + at,
                         curvature ? curvature + at : NULL);
    }
}

void hcbr_i_rich_follower_residuals(const hcbr_i_rich_follower *f, hcbr_i_rich_mask mask,
                                    double *residual, double *curvature) {
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    if (f->c->rich->outputs == 1)
        residuals_of_two(f, rows, n, residual, curvature);
    else
        residuals_of_many(f, rows, n, residual, curvature);
}
