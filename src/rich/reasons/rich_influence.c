/*
 * The influence of every merged case on a case at hand (rich_causes.h), some rows at a time: first
 * through the atoms, then through the boosted trees, then through the votes.
 *
 * The rows behind a leaf or a member of the bag are listed (rich_leaves.h): what is kept of a chunk
 * is read front to back, while the numbers it is added to stay in the cache. Where residuals are
 * not kept they are found by following the supports from tree to tree, a block at a time. The order
 * in which the influences of a row are added up is the same in both.
 *
 * Rows of a slot are found once more from the lists of its terms: few terms are shown.
 */
#include "rich/reasons/rich_leaves.h"

typedef hcbr_i_rich_pair pair;

/* Rows that are worked on together: a chunk that is kept, or a block of another one. */
typedef struct span {
    uint32_t first, n, chunk;
    bool kept;
} span;

/* What is at work on one span. */
typedef struct adder {
    const hcbr_i_rich_query *q;
    const hcbr_i_rich_causes *c;
    hcbr_i_rich_tally *tally;
    hcbr_i_rich_follower follow;
    uint32_t k;
    span at;
    double *total;         /* by row of the span and output */
    size_t column_terms;   /* the first terms */
    double *parts;         /* by column term and code: part of the tests shared, as it weighs */
    double *weight;        /* by output: what residuals behind a leaf weigh */
    uint64_t *from, *to;   /* entries of the span, by member of the case's bag, then by vote */
    uint32_t *bag_start;   /* by term of members: the first of them; one more */
    uint32_t *slot_start;  /* slot s has terms slot_terms[slot_start[s] .. slot_start[s+1]) */
    uint32_t *slot_terms;  /* rising */
    uint32_t *place;       /* by term: where it stands there */
    double *found;         /* by such a place, row of a block and output: residuals ... */
    hcbr_i_rich_mask *met; /* ... and of which rows; for boosted trees that are not kept */
    double *room;          /* by row of a span and output: of a slot with several terms, else 0 */
    bool several;
    uint32_t slot, rows[HCBR_I_RICH_ROWS], n; /* rows that are to be handed over */
    double *values;                           /* theirs, by output */
} adder;

/* ---- where influences go --------------------------------------------------------------------- */

static void hand_over(adder *a) {
    if (a->n)
        a->tally->take(a->tally->context, a->slot, a->rows, a->values, a->n);
    a->n = 0;
}

/* Where what a row adds through a term goes: among the numbers `to` or, if it is NULL, to those
 * that are handed over; end_row() follows. */
static inline double *start_row(adder *a, double *to, uint32_t row) {
    if (to)
        return to + (size_t)row * a->k;
    double *values = a->values + (size_t)a->n * a->k;
    a->rows[a->n] = a->at.first + row;
    memset(values, 0, a->k * sizeof *values);
    return values;
}

/* With several terms all of them have added to the room before: the first that has the row takes
 * it from there. */
static inline void end_row(adder *a, const double *to, uint32_t row) {
    if (to)
        return;
    if (a->several) {
        double *all = a->room + (size_t)row * a->k;
        bool any = false;
        for (uint32_t l = 0; l < a->k; l++)
            any |= all[l] != 0;
        if (!any)
            return;
        memcpy(a->values + (size_t)a->n * a->k, all, a->k * sizeof *all);
        memset(all, 0, a->k * sizeof *all);
    }
    if (++a->n == HCBR_I_RICH_ROWS)
        hand_over(a);
}

/* Add up what the rows of the span got. What rounding loses is found exactly and added at the
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

/* ---- atoms: columns -------------------------------------------------------------------------- */

/* What shared tests weigh, by term of a column and code. */
static void find_parts(const adder *a) {
    const hcbr_i_rich *r = a->q->rich;
    const hcbr_i_rich_atoms *atoms = &r->atoms;
    for (size_t term = 0; term < a->column_terms; term++) {
        uint32_t column = a->q->terms[term].variable;
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

/* Codes of a column in the block of a row of the span. */
static inline const uint8_t *codes_at(const adder *a, size_t term, uint32_t row) {
    const hcbr_i_rich_blocks *x = &a->c->blocks;
    return x->codes + ((size_t)(a->at.first + row) * x->table->columns +
                       (size_t)a->q->terms[term].variable * HCBR_I_RICH_ROWS);
}

static inline uint32_t rows_left(const adder *a, uint32_t row) {
    uint32_t left = a->at.n - row;
    return left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS;
}

/* What a row pulls with two labels, for the second. */
static inline double alpha_of_two(const adder *a, size_t i) {
    double alpha = hcbr_i_rich_alpha(&a->q->rich->kept, i);
    return a->c->table.label[i] == 1 ? alpha : -alpha;
}

/* All columns with two labels, a block at a time. */
static void add_columns_of_two(const adder *a) {
    for (uint32_t row = 0; row < a->at.n; row += HCBR_I_RICH_ROWS) {
        double alpha[HCBR_I_RICH_ROWS], *total = a->total + row;
        uint32_t n = rows_left(a, row);
        for (uint32_t b = 0; b < n; b++)
            alpha[b] = alpha_of_two(a, (size_t)a->at.first + row + b);
        for (size_t term = 0; term < a->column_terms; term++) {
            const uint8_t *codes = codes_at(a, term, row);
            const double *parts = a->parts + term * HCBR_I_RICH_CODES;
            for (uint32_t b = 0; b < n; b++)
                total[b] += parts[codes[b]] * alpha[b];
        }
    }
}

/* All columns: a row after the other. */
static void add_columns(const adder *a) {
    for (uint32_t row = 0; row < a->at.n; row++) {
        size_t i = (size_t)a->at.first + row;
        uint32_t in_block = row % HCBR_I_RICH_ROWS;
        for (size_t term = 0; term < a->column_terms; term++) {
            double part =
                a->parts[term * HCBR_I_RICH_CODES + codes_at(a, term, row - in_block)[in_block]];
            if (part != 0)
                hcbr_i_rich_alphas_add(a->q->rich, i, a->c->table.label[i], part,
                                       a->total + (size_t)row * a->k);
        }
    }
}

static void column(adder *a, size_t term, double *to) {
    const double *parts = a->parts + term * HCBR_I_RICH_CODES;
    for (uint32_t row = 0; row < a->at.n; row += HCBR_I_RICH_ROWS) {
        const uint8_t *codes = codes_at(a, term, row);
        uint32_t n = rows_left(a, row);
        for (uint32_t b = 0; b < n; b++) {
            size_t i = (size_t)a->at.first + row + b;
            if (parts[codes[b]] == 0)
                continue;
            double *value = start_row(a, to, row + b);
            hcbr_i_rich_alphas_add(a->q->rich, i, a->c->table.label[i], parts[codes[b]], value);
            end_row(a, to, row + b);
        }
    }
}

/* ---- atoms: members -------------------------------------------------------------------------- */

/* Rows that have the jth member of the case at hand. */
static void member(adder *a, uint32_t j, double *to) {
    const uint32_t *holder = a->c->blocks.holder;
    double part = a->q->rich->blend.trust[0] * a->q->rich->kept.scale;
    for (uint64_t n = a->from[j]; n < a->to[j]; n++) {
        uint32_t i = holder[n], row = i - a->at.first;
        double *value = start_row(a, to, row);
        if (a->k == 1)
            *value += part * alpha_of_two(a, i);
        else
            hcbr_i_rich_alphas_add(a->q->rich, i, a->c->table.label[i], part, value);
        end_row(a, to, row);
    }
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

static inline void add_weighed(const adder *a, const double *residual, double *to) {
    for (uint32_t l = 0; l < a->k; l++)
        to[l] += a->weight[l] * residual[l];
}

/* Residuals that are kept: rows that a tree has drawn and that end in the leaf of the case. */
static void listed(adder *a, const hcbr_i_rich_term *term, double *to) {
    const hcbr_i_rich_leaves *x = &a->c->leaves;
    const uint32_t *start = hcbr_i_rich_leaves_start(a->c, a->at.chunk, term->forest) + term->leaf;
    uint64_t first = x->first[(size_t)a->at.chunk * HCBR_I_RICH_FOLDS + term->forest];
    uint32_t width = x->width, n = start[1] - start[0];
    double grid = a->c->table.grid;
    const uint16_t *row = x->row + first + start[0];
    const uint8_t *at = x->residual + (size_t)(first + start[0]) * a->k * width;
    if (a->k == 1 && to) {
        double weight = a->weight[0];
        for (uint32_t e = 0; e < n; e++, at += width)
            to[row[e]] += weight * hcbr_i_rich_residual_get(at, width, grid);
        return;
    }
    for (uint32_t e = 0; e < n; e++) {
        double *value = start_row(a, to, row[e]);
        for (uint32_t l = 0; l < a->k; l++, at += width)
            value[l] += a->weight[l] * hcbr_i_rich_residual_get(at, width, grid);
        end_row(a, to, row[e]);
    }
}

/* Residuals that were found, of a term that has a slot. */
static void refound(adder *a, size_t term, double *to) {
    size_t place = a->place[term];
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(a->met[place], rows);
    for (uint32_t d = 0; d < n; d++) {
        double *value = start_row(a, to, rows[d]);
        add_weighed(a, a->found + (place * HCBR_I_RICH_ROWS + rows[d]) * a->k, value);
        end_row(a, to, rows[d]);
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

/* Residuals that are found by following a jury. */
static void add_followed(adder *a, uint32_t jury) {
    const hcbr_i_rich_causes *c = a->c;
    hcbr_i_rich_follower *f = &a->follow;
    uint32_t start = c->tree_start[jury], trees = c->tree_start[jury + 1] - start;
    hcbr_i_rich_follower_start(f, jury);
    for (uint32_t t = 0; t < trees; t++) {
        size_t term = a->q->atom_terms + start + t;
        uint8_t list[HCBR_I_RICH_ROWS];
        hcbr_i_rich_mask rows = hcbr_i_rich_follower_walk(f, t, a->q->terms[term].leaf);
        rows = hcbr_i_rich_follower_drawn(f, t, rows);
        hcbr_i_rich_follower_residuals(f, rows, f->residual, NULL);
        weigh(a, c->leaf_start[jury] + a->q->terms[term].leaf);
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
        boosted(a, a->q->atom_terms + t, a->total);
    if (a->at.kept)
        return;
    hcbr_i_rich_block_enter(&a->follow.block, a->at.first / HCBR_I_RICH_ROWS);
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        add_followed(a, j);
}

/* ---- votes ----------------------------------------------------------------------------------- */

static void vote(adder *a, uint32_t tree, double *to) {
    const hcbr_i_rich_query *q = a->q;
    uint64_t key = hcbr_i_rich_vote_key(q->rich->seed, tree);
    uint32_t range = q->row->bag_count + tree;
    for (uint64_t n = a->from[range]; n < a->to[range]; n++) {
        uint32_t i = a->c->leaves.voter[n], row = i - a->at.first, label = a->c->table.label[i];
        double share = hcbr_i_rich_draws(a->c, i, key) / q->drawn[tree];
        double *value = start_row(a, to, row);
        if (a->k == 1)
            *value += label ? share * q->effect[0] : -share * q->effect[0];
        else
            for (uint32_t l = 0; l < a->k; l++)
                value[l] += share * q->effect[(size_t)l * a->k + label];
        end_row(a, to, row);
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* What rows of the span add through a term. */
static void through(adder *a, size_t term, double *to) {
    const hcbr_i_rich_query *q = a->q;
    size_t trees = q->atom_terms + a->c->boosted_count;
    if (term < a->column_terms)
        column(a, term, to);
    else if (term >= trees)
        vote(a, (uint32_t)(term - trees), to);
    else if (term >= q->atom_terms)
        boosted(a, term, to);
    else
        for (uint32_t j = a->bag_start[term - a->column_terms];
             j < a->bag_start[term - a->column_terms + 1]; j++)
            member(a, j, to);
}

/* Hand over the rows of a slot, each with what it adds through all of its terms. */
static void show_slot(adder *a, uint32_t slot) {
    const uint32_t *first = a->slot_terms + a->slot_start[slot];
    const uint32_t *end = a->slot_terms + a->slot_start[slot + 1];
    a->slot = slot;
    // A member of a sparse number may share its term with others.
    a->several =
        end - first > 1 || (first < end && *first >= a->column_terms && *first < a->q->atom_terms);
    for (const uint32_t *term = first; a->several && term < end; term++)
        through(a, *term, a->room);
    for (const uint32_t *term = first; term < end; term++)
        through(a, *term, NULL);
    hand_over(a);
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
    if (r->family[0] && a->k == 1)
        add_columns_of_two(a);
    else if (r->family[0])
        add_columns(a);
    for (uint32_t j = 0; r->family[0] && j < own->bag_count; j++) {
        advance(a, j, a->c->blocks.holder, a->c->blocks.holder_start[own->bag[j] + 1]);
        member(a, j, a->total);
    }
    if (r->family[1] && a->c->boosted_count)
        add_boosted(a);
    for (uint32_t t = 0; r->family[2] && t < r->votes.tree_count; t++) {
        uint32_t leaf = q->terms[q->atom_terms + a->c->boosted_count + t].leaf;
        advance(a, own->bag_count + t, a->c->leaves.voter, a->c->leaves.vote_start[leaf + 1]);
        vote(a, t, a->total);
    }
    add_up(a);
    for (uint32_t s = 0; s < a->tally->slot_count; s++)
        show_slot(a, s);
}

/* The lists of members and votes from their beginning. */
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
    for (uint32_t t = 0; q->rich->family[2] && t < q->rich->votes.tree_count; t++) {
        uint32_t leaf = q->terms[q->atom_terms + a->c->boosted_count + t].leaf;
        a->to[own->bag_count + t] = a->c->leaves.vote_start[leaf];
    }
}

static hcbr_status add_spans(adder *a, hcbr_error *err) {
    const hcbr_i_rich_leaves *x = &a->c->leaves;
    uint32_t rows = a->c->table.rows, n;
    hcbr_status st = HCBR_OK;
    list_slots(a);
    start_lists(a);
    find_parts(a);
    for (uint32_t first = 0; first < rows && st == HCBR_OK; first += n) {
        uint32_t chunk = first / x->chunk_rows;
        bool kept = chunk < x->kept || a->c->boosted_count == 0;
        n = kept ? x->chunk_rows : HCBR_I_RICH_ROWS;
        n = rows - first < n ? rows - first : n;
        a->at = (span){first, n, chunk, kept};
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
    size_t ranges = (size_t)q->row->bag_count + q->rich->votes.tree_count, shown = 0;
    size_t rows = x->chunk_rows < a->c->table.rows ? x->chunk_rows : a->c->table.rows;
    while (a->column_terms < q->atom_terms &&
           q->terms[a->column_terms].variable < q->rich->atoms.columns)
        a->column_terms++;
    for (size_t term = 0; term < q->term_count; term++)
        shown += a->tally->slot_of[term] != HCBR_I_NONE;
    size_t apart = a->c->boosted_count && x->kept < x->chunks ? shown : 0;
    a->parts = hcbr_i_alloc(a->column_terms, HCBR_I_RICH_CODES * sizeof *a->parts);
    a->weight = hcbr_i_alloc(a->k, sizeof *a->weight);
    a->from = hcbr_i_alloc_zero(ranges, sizeof *a->from);
    a->to = hcbr_i_alloc_zero(ranges, sizeof *a->to);
    a->bag_start = hcbr_i_alloc(q->atom_terms - a->column_terms + 1, sizeof *a->bag_start);
    a->slot_start = hcbr_i_alloc((size_t)a->tally->slot_count + 2, sizeof *a->slot_start);
    a->slot_terms = hcbr_i_alloc(shown, sizeof *a->slot_terms);
    a->place = hcbr_i_alloc(q->term_count, sizeof *a->place);
    a->found = hcbr_i_alloc(apart, HCBR_I_RICH_ROWS * a->k * sizeof *a->found);
    a->met = hcbr_i_alloc(apart, sizeof *a->met);
    a->room = hcbr_i_alloc_zero(shown ? rows : 0, a->k * sizeof *a->room);
    a->values = hcbr_i_alloc(HCBR_I_RICH_ROWS, a->k * sizeof *a->values);
    return a->parts && a->weight && a->from && a->to && a->bag_start && a->slot_start &&
           a->slot_terms && a->place && a->found && a->met && a->room && a->values;
}

static void end(adder *a) {
    hcbr_i_free(a->parts);
    hcbr_i_free(a->weight);
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
