/*
 * The past cases of a rich model, prepared for reasons: merged as they were in training.
 *
 * A model does not store the cases of a tree: the draws follow from content and seed, and residuals
 * from replaying the trees with exactly the operations of training (rich_draw.h). That is done when
 * they are first needed (leaf_rows.c).
 */
#include "rich/encode/kept_cases.h"
#include "rich/reasons/leaf_rows.h"

/* ---- merged cases ---------------------------------------------------------------------------- */

static void list_cases(hcbr_i_rich_causes *c, uint32_t count) {
    uint32_t *start = c->case_start;
    for (uint32_t i = 0; i < count; i++)
        if (c->row_of[i] != HCBR_I_NONE)
            start[c->row_of[i] + 2]++;
    for (uint32_t r = 0; r < c->table.rows; r++)
        start[r + 2] += start[r + 1];
    for (uint32_t i = 0; i < count; i++)
        if (c->row_of[i] != HCBR_I_NONE)
            c->cases[start[c->row_of[i] + 1]++] = i;
}

static hcbr_status merge_cases(hcbr_i_rich_causes *c, const uint32_t *label, const double *weight,
                               const hcbr_i_rich_watch *watch, hcbr_error *err) {
    const hcbr_i_rich_past *past = c->rich->past;
    c->weight = weight;
    c->row_of = past->row_of;
    hcbr_status st = hcbr_i_rich_past_table(past, c->rich, label, weight, &c->table, watch, err);
    if (st != HCBR_OK)
        return st;
    c->case_start = hcbr_i_alloc_zero((size_t)c->table.rows + 2, sizeof *c->case_start);
    c->cases = hcbr_i_alloc(past->count, sizeof *c->cases);
    if (!c->case_start || !c->cases || !hcbr_i_rich_blocks_init(&c->blocks, &c->table))
        return hcbr_i_no_memory(err);
    list_cases(c, past->count);
    return HCBR_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Number the trees of all fold models. There are numbers enough for twice the nodes of a forest. */
static hcbr_status number_trees(hcbr_i_rich_causes *c, hcbr_error *err) {
    size_t trees = 0, most = UINT32_MAX / 2;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &c->rich->boosted.model[j];
        c->tree_start[j] = (uint32_t)trees;
        c->leaf_start[j + 1] = c->leaf_start[j] + f->leaf_count;
        trees += f->tree_count;
        if (trees > most || f->node_count > most)
            return hcbr_i_no_memory(err);
    }
    trees = c->rich->family[1] ? trees : 0;
    if (c->rich->forest.node_count > most)
        return hcbr_i_no_memory(err);
    c->tree_start[HCBR_I_RICH_FOLDS] = c->boosted_count = (uint32_t)trees;
    return HCBR_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rich_causes_init(hcbr_i_rich_causes *c, const hcbr_i_rich *rich,
                                    const uint32_t *label, const double *weight, size_t most,
                                    const hcbr_i_rich_watch *watch, hcbr_error *err) {
    *c = (hcbr_i_rich_causes){
        .rich = rich, .most = most, .never = hcbr_i_rich_exp(-rich->kept.part)};
    hcbr_status st = merge_cases(c, label, weight, watch, err);
    if (st == HCBR_OK)
        st = number_trees(c, err);
    if (st == HCBR_OK && !hcbr_i_rich_reach_init(c))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        hcbr_i_rich_leaves_init(c);
    else
        hcbr_i_rich_causes_clear(c);
    return st;
}

void hcbr_i_rich_causes_clear(hcbr_i_rich_causes *c) {
    hcbr_i_rich_table_clear(&c->table);
    hcbr_i_rich_blocks_clear(&c->blocks);
    hcbr_i_free(c->case_start);
    hcbr_i_free(c->cases);
    hcbr_i_free(c->reach);
    hcbr_i_rich_causes_forget(c);
    *c = (hcbr_i_rich_causes){0};
}
