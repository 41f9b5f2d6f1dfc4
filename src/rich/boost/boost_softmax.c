/*
 * Softmax for boosting with more than two labels: residuals of the drawn cases, and losses of
 * held-out cases.
 *
 * Exponentials are taken of the labels of several cases together. Every number is that of the case
 * alone, by the same operations in the same order.
 */
#include "rich/boost/boost_fold.h"
#include "rich/rich_draw.h"

#define ROOM 512u      /* numbers processed together */
#define MOST_LABELS 64 /* of a case processed together with others */
#define CHANNELS 3u    /* sums of residuals that a tree is grown on */

/* ---- residuals ------------------------------------------------------------------------------- */

/* Supports of a case less the largest. */
static void below_most(const double *score, uint32_t k, double *out) {
    double most = score[0];
    for (uint32_t l = 1; l < k; l++)
        most = score[l] > most ? score[l] : most;
    for (uint32_t l = 0; l < k; l++)
        out[l] = score[l] - most;
}

/* Residuals and then curvatures of a case, from powers of e, which may be in their place. Returns
 * the curvatures before they are rounded, added up. */
static double finish(const double *e, uint32_t k, uint32_t label, double w, double grid,
                     double *out) {
    const double magic = 0x1.8p52 * grid; // see hcbr_i_rich_round()
    double sum = 0, all = 0, own = 0;
    for (uint32_t l = 0; l < k; l++)
        sum += e[l];
    own = e[label] / sum;
    uint32_t l = 0;
    for (; l + 2 <= k; l += 2) {
        hcbr_i_rich_pair p = hcbr_i_rich_get_pair(e + l) / sum, h = w * p * (1 - p);
        hcbr_i_rich_put_pair(out + l, (w * (0 - p) + magic) - magic);
        hcbr_i_rich_put_pair(out + k + l, (h + magic) - magic);
        all += h[0];
        all += h[1];
    }
    if (l < k) {
        double p = e[l] / sum, h = w * p * (1 - p);
        out[l] = hcbr_i_rich_round(w * (0 - p), grid);
        out[k + l] = hcbr_i_rich_round(h, grid);
        all += h;
    }
    out[label] = hcbr_i_rich_round(w * (1 - own), grid);
    return all;
}

/* The gradients of a tree: sums of residuals, and the curvature. */
static void gradients(const hcbr_i_rich_booster *b, const double *r, double curvature, double *g) {
    uint32_t k = b->model->outputs;
    const double *sign = b->sign, grid = b->model->table->grid;
    double sum[CHANNELS] = {0};
    for (uint32_t l = 0; l < k; l++)
        for (uint32_t c = 0; c < CHANNELS; c++)
            sum[c] += sign[c * k + l] * r[l];
    for (uint32_t c = 0; c < CHANNELS; c++)
        g[c] = hcbr_i_rich_round(sum[c], grid * 16);
    double h = hcbr_i_rich_round(curvature / 2, grid);
    g[CHANNELS] = h > grid ? h : grid;
}

void hcbr_i_rich_residuals(const hcbr_i_rich_booster *b, uint32_t n) {
    const hcbr_i_rich_fold_model *j = b->model;
    const hcbr_i_rich_table *t = j->table;
    uint32_t k = j->outputs, together = k <= MOST_LABELS ? ROOM / k : 1;
    double room[ROOM + HCBR_I_RICH_BLOCK];
    for (uint32_t d = 0; d < n; d += together) {
        uint32_t count = n - d < together ? n - d : together;
        // of very many labels the place of their residuals and curvatures is room enough
        double *e = k <= MOST_LABELS ? room : b->residual + (size_t)b->drawn[d] * 2 * k;
        uint32_t whole = hcbr_i_rich_whole_blocks(count * k);
        for (uint32_t i = 0; i < count; i++)
            below_most(j->score + (size_t)b->drawn[d + i] * k, k, e + (size_t)i * k);
        for (uint32_t i = count * k; i < whole; i++)
            e[i] = 0;
        hcbr_i_rich_exp_many(e, whole);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = b->drawn[d + i];
            double *r = b->residual + (size_t)row * 2 * k;
            double curvature =
                finish(e + (size_t)i * k, k, t->label[row], j->weight[row], t->grid, r);
            gradients(b, r, curvature, b->gradient + (size_t)row * (CHANNELS + 1));
        }
    }
}

/* ---- held-out cases -------------------------------------------------------------------------- */

/* The same for one case with very many labels. */
static double against_one(const double *score, uint32_t k, double own) {
    double sum = 0;
    for (uint32_t l = 0; l < k; l += HCBR_I_RICH_MANY) {
        uint32_t count = k - l < HCBR_I_RICH_MANY ? k - l : HCBR_I_RICH_MANY;
        double e[HCBR_I_RICH_MANY] = {0};
        for (uint32_t i = 0; i < count; i++)
            e[i] = score[l + i] - own;
        hcbr_i_rich_exp_many(e, hcbr_i_rich_whole_blocks(count));
        for (uint32_t i = 0; i < count; i++)
            sum += e[i];
    }
    return sum;
}

void hcbr_i_rich_against(const hcbr_i_rich_fold_model *model, const uint32_t *rows, uint32_t n,
                         double *out) {
    uint32_t k = model->outputs, together = k <= MOST_LABELS ? ROOM / k : 1;
    const uint32_t *label = model->table->label;
    double e[ROOM + HCBR_I_RICH_BLOCK];
    for (uint32_t d = 0; d < n; d += together) {
        uint32_t count = n - d < together ? n - d : together;
        if (k > MOST_LABELS) {
            const double *score = model->score + (size_t)rows[d] * k;
            out[d] = against_one(score, k, score[label[rows[d]]]);
            continue;
        }
        uint32_t whole = hcbr_i_rich_whole_blocks(count * k);
        for (uint32_t i = 0; i < count; i++) {
            const double *score = model->score + (size_t)rows[d + i] * k;
            double own = score[label[rows[d + i]]];
            for (uint32_t l = 0; l < k; l++)
                e[i * k + l] = score[l] - own;
        }
        for (uint32_t i = count * k; i < whole; i++)
            e[i] = 0;
        hcbr_i_rich_exp_many(e, whole);
        for (uint32_t i = 0; i < count; i++) {
            out[d + i] = 0;
            for (uint32_t l = 0; l < k; l++)
                out[d + i] += e[i * k + l];
        }
    }
}
