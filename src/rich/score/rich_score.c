/*
 * Scoring: codes of cases -> support of each family -> stacked supports and probabilities.
 *
 * The support of a case is bias + sum over families of trust x support by the family; that of the
 * boosted family is the mean of its fold models. Cases are held until several can go through the
 * trees together; their results do not depend on each other. A family without trust adds 0: it is
 * scored only if parts are wanted.
 */
#include "rich/rich_math.h"
#include "rich/score/tree_layout.h"

#define EMPTY_PULL 5.0           /* cases with the shares of all labels, added to the empty ones */
#define MOST_HELD 2048u          /* rows that go through a tree together, ... */
#define HELD_BYTES (1u << 19)    /* ... if their bytes do not exceed this, ... */
#define HELD_SUPPORTS (1u << 16) /* ... and their supports */

struct hcbr_i_rich_scorer {
    const hcbr_i_rich *rich;
    bool scored[HCBR_I_RICH_FAMILIES]; /* those with trust, or all */
    hcbr_i_rich_row row;               /* the current one */
    uint32_t *in_bag, stamp;
    uint32_t held, room;   /* rows */
    hcbr_i_rich_rows rows; /* the held ones, in the form of the layout */
    double *parts;         /* of each FAMILIES x outputs */
    uint32_t *leaf;        /* of a tree of the forest, then by row; two labels: unused */
    uint32_t *ends;        /* of LANES trees, then by row */
};

/* ---- life ------------------------------------------------------------------------------------ */

/* Room for `rows` rows. False: no memory, and nothing changed. */
static bool make_room(hcbr_i_rich_scorer *s, uint32_t rows) {
    const hcbr_i_rich *rich = s->rich;
    hcbr_i_rich_rows held = {0};
    double *parts =
        hcbr_i_alloc_zero((size_t)rows * HCBR_I_RICH_FAMILIES, rich->outputs * sizeof *parts);
    uint32_t *leaf =
        hcbr_i_alloc(rich->shares.prior ? rich->forest.tree_count : 0, rows * sizeof *leaf);
    uint32_t *ends = hcbr_i_alloc(HCBR_I_RICH_LANES, rows * sizeof *ends);
    const bool ok = parts && leaf && ends &&
                    (!rich->layout || hcbr_i_rich_rows_init(&held, rich->layout, rows));
    if (ok)
        hcbr_i_rich_rows_clear(&s->rows);
    hcbr_i_free(ok ? s->parts : parts);
    hcbr_i_free(ok ? s->leaf : leaf);
    hcbr_i_free(ok ? s->ends : ends);
    if (!ok)
        return false;
    s->rows = held;
    s->parts = parts;
    s->leaf = leaf;
    s->ends = ends;
    s->room = rows;
    return true;
}

hcbr_status hcbr_i_rich_scorer_create(hcbr_i_rich_scorer **out, const hcbr_i_rich *rich,
                                      hcbr_error *err) {
    hcbr_i_rich_scorer *s = hcbr_i_alloc_zero(1, sizeof *s);
    *out = NULL;
    if (!s)
        return hcbr_i_no_memory(err);
    s->rich = rich;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        s->scored[f] = rich->family[f] && rich->stack.trust[f] != 0;
    s->row.codes = hcbr_i_alloc(rich->encoder.column_count, 1);
    s->in_bag = hcbr_i_alloc_zero(rich->layout ? 0 : rich->encoder.bag_count, sizeof *s->in_bag);
    if (!s->row.codes || !s->in_bag || !make_room(s, 1)) {
        hcbr_i_rich_scorer_free(s);
        return hcbr_i_no_memory(err);
    }
    *out = s;
    return HCBR_OK;
}

void hcbr_i_rich_scorer_free(hcbr_i_rich_scorer *scorer) {
    if (!scorer)
        return;
    hcbr_i_rich_row_clear(&scorer->row);
    hcbr_i_free(scorer->in_bag);
    hcbr_i_rich_rows_clear(&scorer->rows);
    hcbr_i_free(scorer->parts);
    hcbr_i_free(scorer->leaf);
    hcbr_i_free(scorer->ends);
    hcbr_i_free(scorer);
}

bool hcbr_i_rich_scorer_reserve(hcbr_i_rich_scorer *s, uint32_t *rows) {
    const size_t width = (s->rich->layout ? s->rich->layout->width : 0) + 1;
    const size_t supports = (size_t)s->rich->outputs * HCBR_I_RICH_FAMILIES;
    uint32_t most = s->rich->layout ? MOST_HELD : 1;
    most = most * width > HELD_BYTES ? (uint32_t)(HELD_BYTES / width) : most;
    most = most * supports > HELD_SUPPORTS ? (uint32_t)(HELD_SUPPORTS / supports) : most;
    s->held = 0;
    *rows = *rows < most ? *rows : most;
    *rows = *rows ? *rows : 1;
    return *rows <= s->room || make_room(s, *rows);
}

void hcbr_i_rich_scorer_want_parts(hcbr_i_rich_scorer *scorer) {
    memcpy(scorer->scored, scorer->rich->family, sizeof scorer->scored);
}

hcbr_i_rich_row *hcbr_i_rich_scorer_row(hcbr_i_rich_scorer *scorer) {
    return &scorer->row;
}

/* ---- families -------------------------------------------------------------------------------- */

static void score_linear(const hcbr_i_rich_scorer *s, double *to) {
    const hcbr_i_rich_linear *a = &s->rich->linear;
    for (uint32_t l = 0; l < a->outputs; l++)
        to[l] = 0;
    for (uint32_t c = 0; c < a->columns; c++) {
        uint8_t entry = a->coarse[(size_t)c * HCBR_I_RICH_CODES + s->row.codes[c]];
        hcbr_i_rich_linear_add(a, (size_t)a->place[c] + entry, 1, to);
    }
    for (uint32_t j = 0; j < s->row.bag_count; j++)
        hcbr_i_rich_linear_add(a, (size_t)a->place[a->columns] + s->row.bag[j], 1, to);
}

/* The part of a family in a row's supports. */
static double *part_of(const hcbr_i_rich_scorer *s, uint32_t row, uint32_t family) {
    return s->parts + ((size_t)row * HCBR_I_RICH_FAMILIES + family) * s->rich->outputs;
}

/* Leaves of some trees, by tree, then by row that is held. */
static void find_leaves(hcbr_i_rich_scorer *s, uint32_t forest, size_t first, uint32_t trees,
                        uint32_t *leaf) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(s->rich, forest);
    if (s->rich->layout) {
        hcbr_i_rich_layout_follow(s->rich->layout, s->rich, forest, first, trees, &s->rows, leaf);
        return;
    }
    for (uint32_t t = 0; t < trees; t++) // of the current row
        leaf[t] =
            hcbr_i_rich_find_leaf(f->nodes + f->start[first + t], s->row.codes,
                                  s->rich->encoder.column_count, s->in_bag, s->stamp, f->nodes);
}

/* Trees that are followed together, from one on. */
static uint32_t some_trees(const hcbr_i_rich_forest *f, size_t first) {
    const size_t left = f->tree_count - first;
    return left < HCBR_I_RICH_LANES ? (uint32_t)left : HCBR_I_RICH_LANES;
}

/* Add the values of a row's leaves in some trees. */
static inline void add_values(double *to, const double *values, const uint32_t *leaf,
                              uint32_t trees, size_t apart, uint32_t k) {
    for (uint32_t t = 0; t < trees; t++) {
        const double *from = values + (size_t)leaf[t * apart] * k;
        for (uint32_t l = 0; l < k; l++)
            to[l] += from[l];
    }
}

/* The same for LANES trees and all rows, by their exits; one output. */
static void add_exits(const hcbr_i_rich_scorer *s, uint32_t forest, size_t first,
                      const uint8_t *exit, uint32_t family) {
    const double *value[HCBR_I_RICH_LANES];
    const size_t apart = s->rows.stride;
    for (uint32_t t = 0; t < HCBR_I_RICH_LANES; t++)
        value[t] = hcbr_i_rich_forest_at(s->rich, forest)->values +
                   s->rich->layout->tops[forest].leaf[first + t];
    for (uint32_t r = 0; r < s->held; r++) {
        double sum = *part_of(s, r, family);
        for (uint32_t t = 0; t < HCBR_I_RICH_LANES; t++)
            sum += value[t][exit[t * apart + r]];
        *part_of(s, r, family) = sum;
    }
}

/* Add the values of the leaves in which the rows end, tree by tree. */
static void add_forest(hcbr_i_rich_scorer *s, uint32_t forest, uint32_t family) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(s->rich, forest);
    const uint32_t k = f->outputs;
    for (size_t first = 0; first < f->tree_count; first += HCBR_I_RICH_LANES) {
        const uint32_t trees = some_trees(f, first);
        if (k == 1 && trees == HCBR_I_RICH_LANES && s->rich->layout) {
            const uint8_t *exit =
                hcbr_i_rich_layout_pass(s->rich->layout, forest, first, trees, &s->rows);
            if (exit) {
                add_exits(s, forest, first, exit, family);
                continue;
            }
        }
        find_leaves(s, forest, first, trees, s->ends);
        for (uint32_t r = 0; r < s->held; r++) {
            double *to = part_of(s, r, family);
            if (k == 1) // the usual two labels: no loop
                add_values(to, f->values, s->ends + r, trees, s->held, 1);
            else
                add_values(to, f->values, s->ends + r, trees, s->held, k);
        }
    }
}

static void score_boosted(hcbr_i_rich_scorer *s) {
    const hcbr_i_rich_boosted *b = &s->rich->boosted;
    const uint32_t k = b->outputs;
    for (uint32_t r = 0; r < s->held; r++)
        for (uint32_t l = 0; l < k; l++) {
            double *to = part_of(s, r, 1) + l;
            *to = 0;
            for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
                *to += b->start[(size_t)j * k + l];
        }
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        add_forest(s, j, 1);
    for (uint32_t r = 0; r < s->held; r++)
        for (uint32_t l = 0; l < k; l++)
            part_of(s, r, 1)[l] /= HCBR_I_RICH_FOLDS;
}

/* Shares of several labels: each leaf has a list of them. */
static void add_shares(hcbr_i_rich_scorer *s) {
    const hcbr_i_rich_forest *f = &s->rich->forest;
    for (size_t first = 0; first < f->tree_count; first += HCBR_I_RICH_LANES)
        find_leaves(s, HCBR_I_RICH_FOLDS, first, some_trees(f, first), s->leaf + first * s->held);
    for (uint32_t r = 0; r < s->held; r++)
        hcbr_i_rich_mean_shares(s->rich, s->leaf + r, s->held, part_of(s, r, 2));
}

static void score_forest(hcbr_i_rich_scorer *s) {
    const hcbr_i_rich_forest *f = &s->rich->forest;
    if (s->rich->shares.prior) {
        add_shares(s);
    } else {
        for (uint32_t r = 0; r < s->held; r++)
            *part_of(s, r, 2) = 0;
        add_forest(s, HCBR_I_RICH_FOLDS, 2);
        for (uint32_t r = 0; r < s->held; r++)
            *part_of(s, r, 2) /= (double)f->tree_count;
    }
    for (uint32_t r = 0; r < s->held; r++)
        hcbr_i_rich_forest_support(part_of(s, r, 2), s->rich->labels, part_of(s, r, 2));
}

/* ---- probabilities --------------------------------------------------------------------------- */

void hcbr_i_rich_of_nothing(const hcbr_i_rich *rich, const double *share, double *probability) {
    double all = EMPTY_PULL;
    for (uint32_t l = 0; rich->empty && l < rich->labels; l++)
        all += rich->empty[l];
    for (uint32_t l = 0; l < rich->labels; l++)
        probability[l] = rich->empty ? (rich->empty[l] + EMPTY_PULL * share[l]) / all : share[l];
}

void hcbr_i_rich_probabilities(const hcbr_i_rich_stack *stack, uint32_t labels,
                               const double *support, double *probability) {
    if (labels == 2) {
        probability[1] = hcbr_i_rich_logistic(support[0]);
        probability[0] = hcbr_i_rich_logistic(-support[0]);
        return;
    }
    double most = support[0], sum = 0, by = 1;
    for (uint32_t l = 1; l < labels; l++)
        most = fmax(most, support[l]);
    if (stack->power > 0) {
        double size = hcbr_i_rich_size(support, labels);
        by = size < HCBR_I_RICH_LEAST_SIZE
                 ? 1
                 : stack->scale * hcbr_i_rich_exp(-stack->power * hcbr_i_log(size));
    }
    for (uint32_t l = 0; l < labels; l++)
        sum += probability[l] = hcbr_i_rich_exp(by * (support[l] - most));
    for (uint32_t l = 0; l < labels; l++)
        probability[l] /= sum;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Stamp the members of the current row, for trees without a layout. */
static void stamp_bag(hcbr_i_rich_scorer *s) {
    if (++s->stamp == 0) {
        memset(s->in_bag, 0, s->rich->encoder.bag_count * sizeof *s->in_bag);
        s->stamp = 1;
    }
    for (uint32_t j = 0; j < s->row.bag_count; j++)
        s->in_bag[s->row.bag[j]] = s->stamp;
}

/* Hold the current row; alone: there is no other. */
static void hold(hcbr_i_rich_scorer *s, bool alone) {
    const hcbr_i_rich *rich = s->rich;
    s->rows.count = s->held;
    if (rich->layout)
        hcbr_i_rich_rows_add(&s->rows, rich->layout, rich->encoder.column_count, &s->row, alone);
    else
        stamp_bag(s);
    if (s->scored[0])
        score_linear(s, part_of(s, s->held, 0));
    s->held++;
}

void hcbr_i_rich_hold(hcbr_i_rich_scorer *s) {
    hold(s, false);
}

void hcbr_i_rich_score_held(hcbr_i_rich_scorer *s) {
    if (s->scored[1])
        score_boosted(s);
    if (s->scored[2])
        score_forest(s);
}

void hcbr_i_rich_get_held(const hcbr_i_rich_scorer *s, uint32_t row, double *support,
                          double *probability, double *parts) {
    const hcbr_i_rich *rich = s->rich;
    const double *part = part_of(s, row, 0);
    const size_t k = rich->outputs;
    for (size_t l = 0; l < k; l++) {
        support[l] = rich->stack.bias[l];
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
            if (s->scored[f])
                support[l] += rich->stack.trust[f] * part[f * k + l];
    }
    if (parts)
        memcpy(parts, part, HCBR_I_RICH_FAMILIES * k * sizeof *parts);
    hcbr_i_rich_probabilities(&s->rich->stack, s->rich->labels, support, probability);
}

void hcbr_i_rich_score(hcbr_i_rich_scorer *s, double *support, double *probability, double *parts) {
    s->held = 0;
    hold(s, true);
    hcbr_i_rich_score_held(s);
    hcbr_i_rich_get_held(s, 0, support, probability, parts);
}
