/*
 * The influence of every merged case on the current case (rich_causes.h), some rows at a time:
 * first through single tests, then through the boosted trees, then through the forest.
 *
 * The rows of a leaf or of a member of the bag are listed (leaf_rows.h): the lists of a kept chunk
 * are read front to back, while the sums stay in the cache. Residuals that are not kept are
 * computed by replaying the trees, a block at a time. The order in which the influences of a row
 * are added up is the same in both.
 *
 * The rows of a slot are found again from the lists of its terms: few terms are shown.
 */
#include "rich/reasons/influence.h"

typedef hcbr_i_rich_adder adder;

/* ---- sums ------------------------------------------------------------------------------------ */

/* Add up the totals of the span's rows. The rounding error is computed exactly and added at the
 * end. */
static void add_up(const adder *a) {
    hcbr_i_rich_tally *t = a->tally;
    const double *total = a->total;
    for (uint32_t b = 0; b < a->at.n; b++)
        for (uint32_t l = 0; l < a->k; l++, total++) {
            double sum = t->sum[l], next = sum + *total, back = next - sum;
            t->rest[l] += (sum - (next - back)) + (*total - back);
            t->sum[l] = next;
            t->absolute[l] += fabs(*total);
        }
}

/* ---- boosted trees --------------------------------------------------------------------------- */

/* The weights of a leaf's residuals, by output. */
static void weigh(const adder *a, size_t leaf) {
    const hcbr_i_rich *r = a->q->rich;
    const double *divisor = a->c->divisor + leaf * a->k;
    double part = r->stack.trust[1] * r->kept.rate / HCBR_I_RICH_FOLDS;
    for (uint32_t l = 0; l < a->k; l++)
        a->weight[l] = divisor[l] > 0 ? part / divisor[l] : 0;
}

static inline void add_weighed(const adder *a, const double *residual, double *to) {
    for (uint32_t l = 0; l < a->k; l++)
        to[l] += a->weight[l] * residual[l];
}

/* Multiply the weights by the grid, which is exact, so that residuals need not be. False: the
 * weights are too small. */
static bool take_grid(const adder *a, double *folded) {
    bool ok = a->c->leaves.width < sizeof(double);
    for (uint32_t l = 0; ok && l < a->k; l++) {
        folded[l] = a->weight[l] * a->c->table.grid;
        ok = a->weight[l] == 0 || (isnormal(a->weight[l]) && isnormal(folded[l]));
    }
    return ok;
}

/* Residuals that are kept: rows that a tree has drawn and that end in the leaf of the case. */
static void listed(adder *a, const hcbr_i_rich_term *term, double *to) {
    const hcbr_i_rich_leaves *x = &a->c->leaves;
    const uint32_t *start = hcbr_i_rich_leaves_start(a->c, a->at.chunk, term->forest) + term->leaf;
    size_t first = (size_t)x->first[(size_t)a->at.chunk * HCBR_I_RICH_FOLDS + term->forest];
    size_t each = (size_t)a->k * x->width;
    hcbr_i_rich_entries list = {.row = x->row + first + start[0],
                                .residual = x->residual + (first + start[0]) * each,
                                .n = start[1] - start[0],
                                .outputs = a->k,
                                .width = x->width,
                                .weight = a->weight + a->k};
    bool whole = take_grid(a, a->weight + a->k);
    if (to && whole) {
        hcbr_i_rich_add_entries(&list, to);
        return;
    }
    for (uint32_t e = 0; e < list.n; e++) {
        double *value = hcbr_i_rich_start_row(a, to, list.row[e]);
        for (uint32_t l = 0; l < a->k; l++) {
            const uint8_t *at = list.residual + e * each + (size_t)l * x->width;
            double residual;
            memcpy(&residual, at, sizeof residual);
            if (x->width < sizeof residual)
                residual = hcbr_i_rich_multiple(at, x->width) * a->c->table.grid;
            value[l] += a->weight[l] * residual;
        }
        hcbr_i_rich_end_row(a, to, list.row[e]);
    }
}

/* Residuals that were found, of a term that has a slot. */
static void refound(adder *a, size_t term, double *to) {
    size_t place = a->place[term];
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(a->met[place], rows);
    for (uint32_t d = 0; d < n; d++) {
        double *value = hcbr_i_rich_start_row(a, to, rows[d]);
        add_weighed(a, a->found + (place * HCBR_I_RICH_ROWS + rows[d]) * a->k, value);
        hcbr_i_rich_end_row(a, to, rows[d]);
    }
}

static void boosted(adder *a, size_t term, double *to) {
    const hcbr_i_rich_term *t = &a->q->terms[term];
    weigh(a, a->c->leaf_start[t->forest] + t->leaf);
    if (a->at.kept)
        listed(a, t, to);
    else
        refound(a, term, to);
}

/* Residuals that are found by following a fold model. */
static void add_followed(adder *a, uint32_t fold) {
    const hcbr_i_rich_causes *c = a->c;
    hcbr_i_rich_follower *f = &a->follow;
    uint32_t start = c->tree_start[fold], trees = c->tree_start[fold + 1] - start;
    hcbr_i_rich_follower_start(f, fold);
    for (uint32_t t = 0; t < trees; t++) {
        size_t term = a->q->linear_terms + start + t;
        uint8_t list[HCBR_I_RICH_ROWS];
        hcbr_i_rich_mask rows = hcbr_i_rich_follower_walk(f, t, a->q->terms[term].leaf);
        rows = hcbr_i_rich_follower_drawn(f, t, rows);
        hcbr_i_rich_follower_residuals(f, rows, f->residual, NULL);
        weigh(a, c->leaf_start[fold] + a->q->terms[term].leaf);
        uint32_t n = hcbr_i_rich_mask_list(rows, list);
        for (uint32_t d = 0; d < n; d++)
            add_weighed(a, f->residual + (size_t)list[d] * a->k, a->total + (size_t)list[d] * a->k);
        if (a->tally->slot_of[term] != HCBR_I_NONE) {
            a->met[a->place[term]] = rows;
            memcpy(a->found + (size_t)a->place[term] * HCBR_I_RICH_ROWS * a->k, f->residual,
                   (size_t)HCBR_I_RICH_ROWS * a->k * sizeof *a->found);
        }
        if (t + 1 < trees)
            hcbr_i_rich_follower_step(f);
    }
}

static void add_boosted(adder *a) {
    for (uint32_t t = 0; a->at.kept && t < a->c->boosted_count; t++)
        boosted(a, a->q->linear_terms + t, a->total);
    if (a->at.kept)
        return;
    hcbr_i_rich_block_enter(&a->follow.block, a->at.first / HCBR_I_RICH_ROWS);
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        add_followed(a, j);
}

/* ---- forest ---------------------------------------------------------------------------------- */

static void add_forest_tree(adder *a, uint32_t tree, double *to) {
    const hcbr_i_rich_query *q = a->q;
    uint64_t key = hcbr_i_rich_forest_key(q->rich->seed, tree);
    uint32_t range = q->row->bag_count + tree;
    if (q->rich->stack.trust[2] == 0) // the forest has no trust
        return;
    for (uint64_t n = a->from[range]; n < a->to[range]; n++) {
        uint32_t i = a->c->leaves.forest_row[n], row = i - a->at.first,
                 label = a->c->table.label[i];
        double share = hcbr_i_rich_draws(a->c, i, key) / q->drawn[tree];
        double *value = hcbr_i_rich_start_row(a, to, row);
        if (a->k == 1)
            *value += label ? share * q->effects.own[0] : -share * q->effects.own[0];
        else
            hcbr_i_rich_effects_add(&q->effects, label, share, value);
        hcbr_i_rich_end_row(a, to, row);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* The contributions of the span's rows through a term. */
static void through(adder *a, size_t term, double *to) {
    const hcbr_i_rich_query *q = a->q;
    size_t trees = q->linear_terms + a->c->boosted_count;
    if (term < a->column_terms)
        hcbr_i_rich_pulls_column(a, term, to);
    else if (term >= trees)
        add_forest_tree(a, (uint32_t)(term - trees), to);
    else if (term >= q->linear_terms)
        boosted(a, term, to);
    else
        for (uint32_t j = a->bag_start[term - a->column_terms];
             j < a->bag_start[term - a->column_terms + 1]; j++)
            hcbr_i_rich_pulls_member(a, j, to);
}

/* Pass on the rows of a slot, each with its contribution through all of its terms. */
static void show_slot(adder *a, uint32_t slot) {
    const uint32_t *first = a->slot_terms + a->slot_start[slot];
    const uint32_t *end = a->slot_terms + a->slot_start[slot + 1];
    a->slot = slot;
    // Several members of a sparse number may share a term.
    a->several = end - first > 1;
    if (first < end && *first >= a->column_terms && *first < a->q->linear_terms) {
        const uint32_t *start = a->bag_start + (*first - a->column_terms);
        a->several |= start[1] - start[0] > 1;
    }
    hcbr_i_rich_hand_over(a); // to get the bound for rows
    for (const uint32_t *term = first; a->several && term < end; term++)
        through(a, *term, a->room);
    for (const uint32_t *term = first; term < end; term++)
        through(a, *term, NULL);
    hcbr_i_rich_hand_over(a);
}

/* The terms of each slot. */
static void list_slots(adder *a) {
    const hcbr_i_rich_tally *t = a->tally;
    uint32_t *next = a->slot_start + 1;
    memset(a->slot_start, 0, ((size_t)t->slot_count + 2) * sizeof *a->slot_start);
    for (size_t term = 0; term < a->q->term_count; term++)
        if (t->slot_of[term] != HCBR_I_NONE)
            next[t->slot_of[term] + 1]++;
    for (uint32_t s = 0; s < t->slot_count; s++)
        next[s + 1] += next[s];
    for (size_t term = 0; term < a->q->term_count; term++)
        if (t->slot_of[term] != HCBR_I_NONE) {
            a->place[term] = next[t->slot_of[term]]++;
            a->slot_terms[a->place[term]] = (uint32_t)term;
        }
}

/* ---- all rows -------------------------------------------------------------------------------- */

/* The next entries of a list of rows that are in the span. */
static void advance(adder *a, uint32_t range, const uint32_t *rows, uint64_t end) {
    uint64_t n = a->from[range] = a->to[range];
    while (n < end && rows[n] - a->at.first < a->at.n)
        n++;
    a->to[range] = n;
}

static void add_span(adder *a) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_row *own = q->row;
    const hcbr_i_rich *r = q->rich;
    a->total = a->tally->total + (size_t)a->at.first * a->k;
    memset(a->total, 0, (size_t)a->at.n * a->k * sizeof *a->total);
    for (uint32_t j = 0; r->family[0] && j < own->bag_count; j++)
        advance(a, j, a->c->blocks.holder, a->c->blocks.holder_start[own->bag[j] + 1]);
    if (r->family[0])
        hcbr_i_rich_pulls_add(a);
    if (r->family[1] && a->c->boosted_count)
        add_boosted(a);
    for (uint32_t t = 0; hcbr_i_rich_forest_weighs(r) && t < r->forest.tree_count; t++) {
        uint32_t leaf = q->terms[q->linear_terms + a->c->boosted_count + t].leaf;
        advance(a, own->bag_count + t, a->c->leaves.forest_row,
                a->c->leaves.forest_start[leaf + 1]);
        add_forest_tree(a, t, a->total);
    }
    add_up(a);
    for (uint32_t s = 0; s < a->tally->slot_count; s++)
        show_slot(a, s);
}

/* The lists of members and leaves of the forest from their beginning. */
static void start_lists(adder *a) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_row *own = q->row;
    uint32_t term = 0;
    for (uint32_t j = 0; q->rich->family[0] && j < own->bag_count; j++) {
        a->to[j] = a->c->blocks.holder_start[own->bag[j]];
        for (; a->column_terms + term < q->term_of[own->bag[j]]; term++)
            a->bag_start[term] = j;
    }
    a->bag_start[term] = own->bag_count;
    for (uint32_t t = 0; hcbr_i_rich_forest_weighs(q->rich) && t < q->rich->forest.tree_count;
         t++) {
        uint32_t leaf = q->terms[q->linear_terms + a->c->boosted_count + t].leaf;
        a->to[own->bag_count + t] = a->c->leaves.forest_start[leaf];
    }
}

static hcbr_status add_spans(adder *a, hcbr_error *err) {
    const hcbr_i_rich_leaves *x = &a->c->leaves;
    uint32_t rows = a->c->table.rows, n;
    hcbr_status st = HCBR_OK;
    list_slots(a);
    start_lists(a);
    hcbr_i_rich_pulls_prepare(a);
    for (uint32_t first = 0; first < rows && st == HCBR_OK; first += n) {
        uint32_t chunk = first / x->chunk_rows;
        bool kept = chunk < x->kept || a->c->boosted_count == 0;
        n = kept ? x->chunk_rows : HCBR_I_RICH_ROWS;
        n = rows - first < n ? rows - first : n;
        a->at = (hcbr_i_rich_span){first, n, chunk, kept};
        add_span(a);
        if (kept || first / HCBR_I_RICH_ROWS % HCBR_I_RICH_TELL == 0)
            st = hcbr_i_rich_tell(a->tally->watch, first, rows, err);
    }
    return st;
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool start(adder *a) {
    const hcbr_i_rich_query *q = a->q;
    const hcbr_i_rich_leaves *x = &a->c->leaves;
    size_t ranges = (size_t)q->row->bag_count + q->rich->forest.tree_count, shown = 0;
    size_t rows = x->chunk_rows < a->c->table.rows ? x->chunk_rows : a->c->table.rows;
    while (a->column_terms < q->linear_terms &&
           q->terms[a->column_terms].variable < q->rich->linear.columns)
        a->column_terms++;
    for (size_t term = 0; term < q->term_count; term++)
        shown += a->tally->slot_of[term] != HCBR_I_NONE;
    size_t apart = a->c->boosted_count && x->kept < x->chunks ? shown : 0;
    a->parts = hcbr_i_alloc(a->column_terms, HCBR_I_RICH_CODES * sizeof *a->parts);
    a->part_most = hcbr_i_alloc(a->column_terms, sizeof *a->part_most);
    a->weight = hcbr_i_alloc(a->k, 2 * sizeof *a->weight);
    a->share = hcbr_i_alloc(rows, sizeof *a->share);
    a->from = hcbr_i_alloc_zero(ranges, sizeof *a->from);
    a->to = hcbr_i_alloc_zero(ranges, sizeof *a->to);
    a->bag_start = hcbr_i_alloc(q->linear_terms - a->column_terms + 1, sizeof *a->bag_start);
    a->slot_start = hcbr_i_alloc((size_t)a->tally->slot_count + 2, sizeof *a->slot_start);
    a->slot_terms = hcbr_i_alloc(shown, sizeof *a->slot_terms);
    a->place = hcbr_i_alloc(q->term_count, sizeof *a->place);
    a->found = hcbr_i_alloc(apart, HCBR_I_RICH_ROWS * a->k * sizeof *a->found);
    a->met = hcbr_i_alloc(apart, sizeof *a->met);
    a->room = hcbr_i_alloc_zero(shown ? rows : 0, a->k * sizeof *a->room);
    a->values = hcbr_i_alloc(HCBR_I_RICH_ROWS, a->k * sizeof *a->values);
    return a->parts && a->part_most && a->weight && a->share && a->from && a->to && a->bag_start &&
           a->slot_start && a->slot_terms && a->place && a->found && a->met && a->room && a->values;
}

static void end(adder *a) {
    hcbr_i_free(a->parts);
    hcbr_i_free(a->part_most);
    hcbr_i_free(a->weight);
    hcbr_i_free(a->share);
    hcbr_i_free(a->from);
    hcbr_i_free(a->to);
    hcbr_i_free(a->bag_start);
    hcbr_i_free(a->slot_start);
    hcbr_i_free(a->slot_terms);
    hcbr_i_free(a->place);
    hcbr_i_free(a->found);
    hcbr_i_free(a->met);
    hcbr_i_free(a->room);
    hcbr_i_free(a->values);
    hcbr_i_rich_follower_clear(&a->follow);
}

hcbr_status hcbr_i_rich_causes_add(const hcbr_i_rich_query *query, hcbr_i_rich_tally *tally,
                                   hcbr_error *err) {
    adder a = {.q = query, .c = query->causes, .tally = tally, .k = query->rich->outputs};
    hcbr_status st = hcbr_i_rich_causes_follow(query->causes, 1, tally->watch, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_follower_init(&a.follow, a.c, err);
    if (st != HCBR_OK)
        return st;
    st = start(&a) ? add_spans(&a, err) : hcbr_i_no_memory(err);
    end(&a);
    return st;
}
