/*
 * A tree by the definition: sums over the cases of a node are added up anew for every test.
 *
 * The order in which columns and members are drawn is kept from node to node: columns of a tree,
 * first the part of the cases that pass, then the others; members from a node to the larger of its
 * parts, while the smaller begins with a new list.
 */
#include "reference/naive_rich.h"

#include <stdlib.h>

/* Members that may divide a node: the first `active`; the others can not. */
typedef struct list {
    uint32_t item[NAIVE_MEMBERS], count, active;
} list;

typedef struct grower {
    const naive_growth *g;
    naive_tree tree;
    uint32_t capacity;
    int64_t whole[NAIVE_ROWS][4]; /* gradients as whole numbers */
    double unit;                  /* how much a gradient of 1 is */
    uint32_t order[NAIVE_KEYS];   /* of the columns */
} grower;

/* The cases of a node and the best test so far. */
typedef struct search {
    grower *grower;
    const uint32_t *row;
    uint32_t n;
    uint64_t key;
    int64_t total[4];
    double bar;
    naive_node best;
} search;

static bool passes(const naive_table *t, const naive_row *row, uint32_t test, uint32_t lo,
                   uint32_t hi) {
    return test < t->columns ? row->code[test] >= lo && row->code[test] <= hi
                             : row->has[test - t->columns];
}

static void whole_gradients(grower *x, const bool *drawn) {
    const naive_growth *g = x->g;
    double most = 0;
    for (uint32_t c = 0; c <= g->channels; c++) {
        double sum = 0;
        for (uint32_t i = 0; i < g->table->rows; i++)
            sum += drawn[i] ? fabs(g->gradient[i][c]) : 0;
        most = fmax(most, sum);
    }
    x->unit = most >= 0x1p-960 ? ldexp(1, 29 - ilogb(most)) : 1;
    for (uint32_t i = 0; i < g->table->rows; i++) {
        if (!drawn[i])
            continue;
        for (uint32_t c = 0; c <= g->channels; c++)
            x->whole[i][c] = (int64_t)naive_round(g->gradient[i][c] * x->unit, 1);
        if (x->whole[i][g->channels] == 0)
            x->whole[i][g->channels] = 1;
    }
}

/* ---- one test -------------------------------------------------------------------------------- */

/* The curvature of the cases that pass a test, and their sums. */
static double sums_of(const search *s, uint32_t test, uint32_t lo, uint32_t hi, int64_t sum[4]) {
    const naive_growth *g = s->grower->g;
    memset(sum, 0, 4 * sizeof *sum);
    for (uint32_t i = 0; i < s->n; i++)
        if (passes(g->table, &g->table->row[s->row[i]], test, lo, hi))
            for (uint32_t c = 0; c <= g->channels; c++)
                sum[c] += s->grower->whole[s->row[i]][c];
    return (double)sum[g->channels];
}

/* The sum of G^2 / (H + lambda) over both parts must exceed the best so far. */
static void consider(search *s, uint32_t test, uint32_t lo, uint32_t hi) {
    const naive_growth *g = s->grower->g;
    int64_t sum[4];
    double least = g->least_h * s->grower->unit, lambda = g->lambda * s->grower->unit;
    double h = sums_of(s, test, lo, hi, sum), rest = (double)s->total[g->channels] - h;
    double a = 0, b = 0;
    if (h < least || rest < least)
        return;
    for (uint32_t c = 0; c < g->channels; c++) {
        double yes = (double)sum[c], no = (double)(s->total[c] - sum[c]);
        a += yes * yes;
        b += no * no;
    }
    h += lambda;
    rest += lambda;
    double above = a * rest + b * h, below = h * rest;
    if (above > s->bar * below) {
        s->bar = above / below;
        s->best = (naive_node){.test = test, .lo = lo, .hi = hi};
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

static bool occurs(const search *s, uint32_t column, uint32_t code) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->grower->g->table->row[s->row[i]].code[column] == code)
            return true;
    return false;
}

/* Cuts drawn: "at most c" half of the time where some cases have no value, else "above c". */
static void draw_cuts(search *s, uint32_t column, uint32_t lo, uint32_t hi, uint32_t cuts) {
    for (uint32_t d = 0; d < cuts && lo < hi; d++) {
        uint64_t r = naive_mix(s->key + ((uint64_t)column << 32) + d);
        uint32_t c = lo + (uint32_t)((r >> 32) * (hi - lo) >> 32);
        if (occurs(s, column, 0) && r % 2)
            consider(s, column, 1, c);
        else
            consider(s, column, c + 1, 255);
    }
}

/* Are there so few cases that only the cuts drawn are looked at? */
static bool few(const search *s, uint32_t column, uint32_t cuts) {
    const naive_column *about = &s->grower->g->table->column[column];
    return about->ordered && cuts < about->codes && cuts * s->n < 2 * about->codes;
}

/* Look at a column. Does it divide the node? */
static bool try_column(search *s, uint32_t column, uint32_t cuts) {
    const naive_growth *g = s->grower->g;
    const naive_column *about = &g->table->column[column];
    bool missing = occurs(s, column, 0), few_cases = few(s, column, cuts);
    uint32_t lo = 1, hi = about->codes;
    while (hi > 0 && !occurs(s, column, hi))
        hi--;
    while (lo < hi && !occurs(s, column, lo))
        lo++;
    if (hi == 0 || (lo == hi && !missing))
        return false;
    if (!about->ordered || (about->exact && g->cuts > 1 && !few_cases))
        for (uint32_t v = lo; v <= hi; v++)
            consider(s, column, v, v);
    bool other_ranges = hi - lo > 1 || missing; // than single values
    if (!about->ordered && (g->cuts <= 1 || about->codes > 32 || !other_ranges))
        return true;
    bool all = !few_cases && cuts >= hi - lo;
    for (uint32_t c = lo; all && c < hi; c++) {
        if (!occurs(s, column, c))
            continue; // the same as the cut before
        if (missing)
            consider(s, column, 1, c);
        consider(s, column, c + 1, 255);
    }
    if (!all)
        draw_cuts(s, column, lo, hi, cuts);
    if (missing && (all || cuts > 1 || lo == hi))
        consider(s, column, 1, 255); // has it any value?
    return true;
}

/* Columns in an order that is drawn, until enough of them divide the node. Of eight in a row those
 * with few cases come first: the first of equal tests is taken. */
static void try_columns(search *s, uint32_t wanted) {
    const naive_growth *g = s->grower->g;
    uint32_t columns = g->table->columns, cuts = (uint32_t)(g->cuts + s->n / g->cases_per_cut);
    uint32_t waiting[8], count = 0, tried = 0;
    for (uint32_t c = 0; c < columns && tried < wanted; c++) {
        uint32_t j = c + (uint32_t)((naive_mix(s->key + c) >> 32) * (columns - c) >> 32);
        uint32_t column = s->grower->order[j];
        s->grower->order[j] = s->grower->order[c];
        s->grower->order[c] = column;
        if (few(s, column, cuts))
            tried += try_column(s, column, cuts);
        else
            waiting[count++] = column;
        if (count < 8 && tried + count < wanted && c + 1 < columns)
            continue;
        for (uint32_t i = 0; i < count; i++)
            tried += try_column(s, waiting[i], cuts);
        count = 0;
    }
}

/* ---- members --------------------------------------------------------------------------------- */

static bool divides(const search *s, uint32_t member) {
    const naive_growth *g = s->grower->g;
    int64_t sum[4];
    double least = g->least_h * s->grower->unit;
    double h = sums_of(s, g->table->columns + member, 0, 0, sum);
    return h >= least && (double)s->total[g->channels] - h >= least;
}

static void swap(list *l, uint32_t i, uint32_t j) {
    uint32_t item = l->item[i];
    l->item[i] = l->item[j];
    l->item[j] = item;
}

/* A new list: what the cases have, in the order it is met. */
static void list_fill(list *l, const naive_table *t, const uint32_t *row, uint32_t n) {
    bool met[NAIVE_MEMBERS] = {false};
    l->count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < t->members; b++)
            if (t->row[row[i]].has[b] && !met[b]) {
                met[b] = true;
                l->item[l->count++] = b;
            }
    l->active = l->count;
}

static void list_prune(const search *s, list *l) {
    for (uint32_t i = 0; i < l->active;) {
        if (divides(s, l->item[i]))
            i++;
        else
            swap(l, i, --l->active);
    }
}

static void try_members(search *s, list *l, uint32_t wanted) {
    uint64_t key = s->key ^ 0x6D656D62;
    for (uint32_t i = 0; i < wanted && i < l->active;) {
        key += 0x9E3779B97F4A7C15u;
        uint32_t j = i + (uint32_t)((naive_mix(key) >> 32) * (l->active - i) >> 32);
        if (!divides(s, l->item[j])) {
            swap(l, j, --l->active);
            continue;
        }
        swap(l, i, j);
        consider(s, s->grower->g->table->columns + l->item[i++], 0, 0);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Can the node be divided at all? Its sums, and what a test has to exceed. */
static bool may_divide(search *s, uint32_t depth) {
    const naive_growth *g = s->grower->g;
    bool alike = true;
    double score = 0;
    if (depth >= g->depth || s->n < 2)
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        alike &= g->table->row[s->row[i]].label == g->table->row[s->row[0]].label;
        for (uint32_t c = 0; c <= g->channels; c++)
            s->total[c] += s->grower->whole[s->row[i]][c];
    }
    for (uint32_t c = 0; c < g->channels; c++)
        score += (double)s->total[c] * (double)s->total[c];
    double h = (double)s->total[g->channels];
    score /= h + g->lambda * s->grower->unit;
    s->bar = score + 1e-9 * (s->grower->unit + score);
    return !(g->pure && alike) && h >= 2 * (g->least_h * s->grower->unit);
}

static void find_test(search *s, list *members) {
    const naive_growth *g = s->grower->g;
    double all = (double)g->table->columns + members->active;
    double wanted = g->columns < 1 ? ceil(all * g->columns) : ceil(g->columns * sqrt(all));
    wanted = fmax(wanted, g->fewest_columns);
    double share = wanted < all ? wanted / all : 1;
    uint32_t of_members = (uint32_t)ceil(share * members->active);
    try_columns(s, (uint32_t)ceil(share * g->table->columns));
    try_members(s, members, of_members);
}

static uint32_t add_node(grower *x) {
    naive_tree *t = &x->tree;
    if (t->count == x->capacity) {
        x->capacity = x->capacity ? 2 * x->capacity : 8;
        t->node = realloc(t->node, x->capacity * sizeof *t->node);
    }
    t->node[t->count] = (naive_node){.test = UINT32_MAX};
    return t->count++;
}

static uint32_t grow(grower *x, const uint32_t *row, uint32_t n, uint32_t depth, uint64_t key,
                     list *members) {
    search s = {.grower = x, .row = row, .n = n, .key = naive_mix(key)};
    s.best.test = UINT32_MAX;
    uint32_t here = add_node(x);
    if (!may_divide(&s, depth))
        return here;
    if (members->active == members->count)
        list_prune(&s, members);
    find_test(&s, members);
    if (s.best.test == UINT32_MAX)
        return here;
    const naive_table *t = x->g->table;
    uint32_t yes[NAIVE_ROWS], no[NAIVE_ROWS], yes_n = 0, no_n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (passes(t, &t->row[row[i]], s.best.test, s.best.lo, s.best.hi))
            yes[yes_n++] = row[i];
        else
            no[no_n++] = row[i];
    }
    bool less = yes_n <= no_n;
    list fresh;
    list_fill(&fresh, t, less ? yes : no, less ? yes_n : no_n);
    uint32_t a = grow(x, yes, yes_n, depth + 1, s.key ^ 0x79, less ? &fresh : members);
    uint32_t b = grow(x, no, no_n, depth + 1, s.key ^ 0x6E, less ? members : &fresh);
    s.best.yes = a;
    s.best.no = b;
    x->tree.node[here] = s.best;
    return here;
}

naive_tree naive_grow(const naive_growth *growth, const bool drawn[NAIVE_ROWS]) {
    naive_growth g = *growth;
    static grower x;
    uint32_t row[NAIVE_ROWS], n = 0;
    list members;
    x = (grower){.g = &g};
    g.depth = g.depth < 64 ? g.depth : 64;
    for (uint32_t c = 0; c < g.table->columns; c++)
        x.order[c] = c;
    for (uint32_t i = 0; i < g.table->rows; i++)
        if (drawn[i])
            row[n++] = i;
    whole_gradients(&x, drawn);
    list_fill(&members, g.table, row, n);
    grow(&x, row, n, 0, g.key, &members);
    return x.tree;
}

naive_node *naive_leaf(const naive_tree *tree, const naive_table *table, const naive_row *row) {
    naive_node *at = tree->node;
    while (at->test != UINT32_MAX)
        at = tree->node + (passes(table, row, at->test, at->lo, at->hi) ? at->yes : at->no);
    return at;
}
