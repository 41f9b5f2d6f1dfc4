/*
 * Merged cases sent through the trees again. Supports are added up in the order of training, so
 * that every residual is the one the leaf was made of, to the last bit.
 */
#include "rich/rich_follow.h"

hcbr_status hcbr_i_rich_follower_init(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c,
                                      hcbr_error *err) {
    uint32_t k = c->rich->outputs;
    size_t leaves = c->leaves ? 0 : (size_t)c->boosted_count * HCBR_I_RICH_ROWS;
    *f = (hcbr_i_rich_follower){.in_bag = hcbr_i_alloc_zero(c->table.bag_count, 4)};
    f->leaves = hcbr_i_alloc(leaves, sizeof *f->leaves);
    f->score = hcbr_i_alloc(HCBR_I_RICH_ROWS, k * sizeof *f->score);
    f->residual = hcbr_i_alloc(2, k * sizeof *f->residual);
    if (f->in_bag && f->leaves && f->score && f->residual)
        return HCBR_OK;
    hcbr_i_rich_follower_clear(f);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_follower_clear(hcbr_i_rich_follower *f) {
    hcbr_i_free(f->in_bag);
    hcbr_i_free(f->leaves);
    hcbr_i_free(f->score);
    hcbr_i_free(f->residual);
    *f = (hcbr_i_rich_follower){0};
}

void hcbr_i_rich_follower_enter(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t i) {
    const hcbr_i_rich_table *t = &c->table;
    f->stamp++; // there are fewer rows than stamps
    for (uint64_t b = t->bag_start[i]; b < t->bag_start[i + 1]; b++)
        f->in_bag[t->bag[b]] = f->stamp;
}

void hcbr_i_rich_follower_walk(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t first,
                               uint32_t n, uint16_t *leaves) {
    for (uint32_t b = 0; b < n; b++) {
        uint16_t *to = leaves + b;
        const uint32_t *leaf_first = c->leaf_first;
        hcbr_i_rich_follower_enter(f, c, first + b);
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
            const hcbr_i_rich_forest *forest = &c->rich->boosted.jury[j];
            for (size_t t = 0; t < forest->tree_count; t++, to += HCBR_I_RICH_ROWS)
                *to = (uint16_t)(hcbr_i_rich_follower_leaf(f, c, forest, t, first + b) -
                                 *leaf_first++);
        }
    }
}

void hcbr_i_rich_follower_votes(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t tree,
                                uint32_t *leaves) {
    const hcbr_i_rich_forest *votes = &c->rich->votes;
    size_t end = tree + 1 < votes->tree_count ? votes->start[tree + 1] : votes->node_count;
    for (size_t n = votes->start[tree]; c->vote_start && n < end; n++) {
        uint32_t leaf = votes->nodes[n].no;
        if (votes->nodes[n].test != HCBR_I_RICH_LEAF)
            continue;
        for (uint32_t at = c->vote_start[leaf]; at < c->vote_start[leaf + 1]; at++)
            leaves[c->vote_rows[at]] = leaf;
    }
    for (uint32_t i = 0; !c->vote_start && i < c->table.rows; i++) {
        hcbr_i_rich_follower_enter(f, c, i);
        leaves[i] = hcbr_i_rich_follower_leaf(f, c, votes, tree, i);
    }
}

void hcbr_i_rich_follower_start(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t jury,
                                uint32_t n) {
    uint32_t k = c->rich->outputs;
    for (uint32_t b = 0; b < n; b++)
        memcpy(f->score + (size_t)b * k, c->rich->boosted.start + (size_t)jury * k,
               k * sizeof *f->score);
}

void hcbr_i_rich_follower_step(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c, uint32_t jury,
                               uint32_t tree, const uint16_t *leaf, uint32_t n) {
    uint32_t k = c->rich->outputs;
    size_t first = c->leaf_first[c->tree_start[jury] + tree];
    const double *values = c->rich->boosted.jury[jury].values + first * k;
    if (k == 1) {
        for (uint32_t b = 0; b < n; b++)
            f->score[b] += values[leaf[b]];
        return;
    }
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t l = 0; l < k; l++)
            f->score[(size_t)b * k + l] += values[(size_t)leaf[b] * k + l];
}
