/*
 * The tree grower: conjunctions of tests that divide the cases drawn for a tree so that the sums of
 * their gradients are as unequal as they can be.
 *
 * The score of a set of cases is sum over channels of G^2 / (H + lambda), the gain of a test what
 * it adds. A node looks at some columns, drawn by the tree's key and the node's place, and at some
 * cuts of each ordered column: two and one more for so many cases, so that small nodes cost little
 * and do not chase noise. Sums are exact (see rich.h). The cost of a node follows what its cases
 * have: codes of the columns drawn, members present in their bags.
 */
#include "rich/rich.h"
#include "rich/rich_math.h"

#define WIDEST 4u /* three channels and the curvature */
#define DEEPEST 64u

struct hcbr_i_rich_scratch {
    const hcbr_i_rich_table *table;
    double *sums;         /* gradients of the node's cases, one after the other */
    uint8_t *codes;       /* codes of the node's cases in the column at hand */
    uint32_t *aside;      /* while cases are divided */
    uint32_t *columns;    /* in the order they are drawn */
    double *member;       /* sums by member of the bag, zero between nodes */
    uint32_t *present;    /* members that occur in the node */
    uint64_t *rows_start; /* rows that have a member: rows[rows_start[b] ..) */
    uint32_t *rows;
    uint8_t *mark; /* by row, zero between uses */
    double hist[2][(HCBR_I_RICH_CODES + 1) * WIDEST];
};

typedef struct split {
    double gain;
    uint32_t test;
    uint8_t lo, hi;
} split;

/* A node that is being divided. */
typedef struct node {
    const hcbr_i_rich_growth *g;
    hcbr_i_rich_scratch *s;
    const uint32_t *rows;
    uint32_t n;
    uint64_t key;
    double total[WIDEST];
    double score;
    split best;
} node;

/* ---- gains ----------------------------------------------------------------------------------- */

/* Is the division of a node into yes and the rest better than the best one so far? */
static inline void consider(node *at, const double *yes, uint32_t test, uint32_t lo, uint32_t hi,
                            uint32_t width) {
    const hcbr_i_rich_growth *g = at->g;
    double h = yes[width - 1], rest = at->total[width - 1] - h;
    if (h < g->least_h || rest < g->least_h)
        return;
    double a = 0, b = 0;
    for (uint32_t c = 0; c + 1 < width; c++) {
        double no = at->total[c] - yes[c];
        a += yes[c] * yes[c];
        b += no * no;
    }
    double gain = a / (h + g->lambda) + b / (rest + g->lambda) - at->score;
    if (gain > at->best.gain)
        at->best = (split){gain, test, (uint8_t)lo, (uint8_t)hi};
}

typedef double pair __attribute__((vector_size(16)));

/* width is 2 or 4. */
static inline void add(double *to, const double *x, uint32_t width) {
    for (uint32_t c = 0; c < width; c += 2) {
        pair a, b;
        memcpy(&a, to + c, sizeof a);
        memcpy(&b, x + c, sizeof b);
        a += b;
        memcpy(to + c, &a, sizeof a);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Sums by code, 0..most. */
static inline double *histogram(node *at, uint32_t column, uint32_t most, uint32_t width) {
    hcbr_i_rich_scratch *s = at->s;
    const hcbr_i_rich_table *t = at->g->table;
    const uint8_t *code = t->codes + (size_t)column * t->rows;
    size_t size = ((size_t)most + 1) * width;
    double *a = s->hist[0], *b = s->hist[1];
    const double *x = s->sums;
    const uint32_t *row = at->rows;
    uint32_t i = 0, n = at->n;
    memset(a, 0, size * sizeof *a);
    if (n >= 4 * most) { // two, since additions to one place wait for each other
        memset(b, 0, size * sizeof *b);
        for (; i + 1 < n; i += 2, x += 2 * width) {
            add(a + code[row[i]] * width, x, width);
            add(b + code[row[i + 1]] * width, x + width, width);
        }
        for (size_t j = 0; j < size; j += 2)
            add(a + j, b + j, 2);
    }
    for (; i < n; i++, x += width)
        add(a + code[row[i]] * width, x, width);
    return a;
}

/* All values of a column that is not ordered, or that has few. */
static inline void try_values(node *at, uint32_t column, const double *hist, uint32_t lo,
                              uint32_t hi, uint32_t width) {
    for (uint32_t v = lo; v <= hi; v++)
        if (hist[v * width + width - 1] > 0)
            consider(at, hist + v * width, column, v, v, width);
}

/* All cuts of an ordered column with codes lo..hi in the node, and some without any. */
static inline void try_all_cuts(node *at, uint32_t column, const double *hist, uint32_t lo,
                                uint32_t hi, bool missing, uint32_t width) {
    double below[WIDEST] = {0}, above[WIDEST];
    for (uint32_t c = lo; c < hi; c++) {
        if (hist[c * width + width - 1] == 0)
            continue; // the same division as the cut before
        add(below, hist + c * width, width);
        if (missing)
            consider(at, below, column, 1, c, width);
        for (uint32_t w = 0; w < width; w++)
            above[w] = at->total[w] - below[w] - (missing ? hist[w] : 0);
        consider(at, above, column, c + 1, HCBR_I_RICH_CODES - 1, width);
    }
    if (missing) {
        for (uint32_t w = 0; w < width; w++)
            above[w] = at->total[w] - hist[w];
        consider(at, above, column, 1, HCBR_I_RICH_CODES - 1, width);
    }
}

/* One cut: the cases with a code in from..to. */
static inline void try_range(node *at, uint32_t column, uint32_t from, uint32_t to,
                             uint32_t width) {
    const uint8_t *code = at->s->codes;
    const double *x = at->s->sums;
    double yes[WIDEST] = {0};
    uint8_t base = (uint8_t)from, span = (uint8_t)(to - from);
    for (uint32_t i = 0; i < at->n; i++) {
        bool in = (uint8_t)(code[i] - base) <= span;
        for (uint32_t c = 0; c < width; c++)
            yes[c] += in ? x[(size_t)i * width + c] : 0.0;
    }
    consider(at, yes, column, from, to, width);
}

/* The codes lo..hi that occur in a histogram, absent ones apart. Do they divide the node? */
static inline bool range_of(const double *hist, uint32_t *lo, uint32_t *hi, uint32_t width) {
    uint32_t from = 1, to = *hi, h = width - 1;
    while (to > 0 && hist[to * width + h] == 0)
        to--;
    while (from < to && hist[from * width + h] == 0)
        from++;
    *lo = from;
    *hi = to;
    return to > 0 && (from < to || hist[h] > 0);
}

/* The same for a few cases, whose codes are gathered. */
static bool gather(node *at, uint32_t column, uint32_t *lo, uint32_t *hi, bool *missing) {
    const hcbr_i_rich_table *t = at->g->table;
    const uint8_t *from = t->codes + (size_t)column * t->rows;
    uint8_t *code = at->s->codes;
    uint32_t most = 0, least = 255, any = 255;
    for (uint32_t i = 0; i < at->n; i++) {
        uint32_t c = code[i] = from[at->rows[i]], d = (c - 1) & 255; // absent is the largest
        most = c > most ? c : most;
        any = c < any ? c : any;
        least = d < least ? d : least;
    }
    *lo = least + 1;
    *hi = most;
    *missing = any == 0;
    return most > 0 && (any == 0 || *lo < *hi);
}

/* Cut d of a column: below it if *below (and some cases have no code), else above. */
static inline uint32_t draw_cut(const node *at, uint32_t column, uint32_t d, uint32_t lo,
                                uint32_t cuts, bool *below) {
    uint64_t r = hcbr_i_mix(at->key + ((uint64_t)column << 32) + d);
    *below = r & 1;
    return lo + (uint32_t)((r >> 32) * cuts >> 32);
}

/* Some cuts of an ordered column. */
static inline void try_some_cuts(node *at, uint32_t column, const double *hist, uint32_t lo,
                                 uint32_t hi, uint32_t wanted, uint32_t width) {
    double *below = at->s->hist[1];
    bool missing = hist[width - 1] > 0, under;
    memset(below, 0, width * sizeof *below);
    for (uint32_t c = lo, j = width; c < hi; c++, j += width) {
        memcpy(below + j, below + j - width, width * sizeof *below);
        add(below + j, hist + c * width, width);
    }
    for (uint32_t d = 0; d < wanted; d++) {
        uint32_t c = draw_cut(at, column, d, lo, hi - lo, &under);
        const double *sum = below + (c - lo + 1) * width;
        if (missing && under) {
            consider(at, sum, column, 1, c, width);
            continue;
        }
        double above[WIDEST];
        for (uint32_t w = 0; w < width; w++)
            above[w] = at->total[w] - sum[w] - (missing ? hist[w] : 0);
        consider(at, above, column, c + 1, HCBR_I_RICH_CODES - 1, width);
    }
    if (missing && wanted > 1) {
        double present[WIDEST];
        for (uint32_t w = 0; w < width; w++)
            present[w] = at->total[w] - hist[w];
        consider(at, present, column, 1, HCBR_I_RICH_CODES - 1, width);
    }
}

/* Few cases in a column of many codes: a pass for each cut. */
static inline bool try_few(node *at, uint32_t column, uint32_t wanted, uint32_t width) {
    uint32_t lo, hi;
    bool missing, under;
    if (!gather(at, column, &lo, &hi, &missing))
        return false;
    for (uint32_t d = 0; d < wanted && lo < hi; d++) {
        uint32_t c = draw_cut(at, column, d, lo, hi - lo, &under);
        if (missing && under)
            try_range(at, column, 1, c, width);
        else
            try_range(at, column, c + 1, HCBR_I_RICH_CODES - 1, width);
    }
    if (missing && (wanted > 1 || lo == hi))
        try_range(at, column, 1, HCBR_I_RICH_CODES - 1, width);
    return true;
}

/* Does the column divide the node at all? */
static inline bool try_column(node *at, uint32_t column, uint32_t width) {
    const hcbr_i_rich_growth *g = at->g;
    const hcbr_i_rich_column *about = &g->table->column[column];
    uint32_t lo, hi = about->codes, wanted = (uint32_t)(g->cuts + at->n / g->cases_per_cut);
    if (about->ordered && wanted < hi && (uint64_t)(wanted + 1) * at->n < 2u * hi + at->n)
        return try_few(at, column, wanted, width);
    const double *hist = histogram(at, column, hi, width);
    if (!range_of(hist, &lo, &hi, width))
        return false;
    if (!about->ordered || (about->exact && g->cuts > 1))
        try_values(at, column, hist, lo, hi, width);
    if (about->ordered && wanted >= hi - lo)
        try_all_cuts(at, column, hist, lo, hi, hist[width - 1] > 0, width);
    else if (about->ordered)
        try_some_cuts(at, column, hist, lo, hi, wanted, width);
    return true;
}

/* ---- the bag --------------------------------------------------------------------------------- */

/* Sums of the members that occur. Returns how many do. */
static inline uint32_t sum_members(node *at, uint32_t width) {
    const hcbr_i_rich_table *t = at->g->table;
    hcbr_i_rich_scratch *s = at->s;
    uint32_t count = 0;
    for (uint32_t i = 0; i < at->n; i++) {
        uint32_t row = at->rows[i];
        const double *x = s->sums + (size_t)i * width;
        for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++) {
            double *sum = s->member + (size_t)t->bag[j] * width;
            if (sum[width - 1] == 0)
                s->present[count++] = t->bag[j];
            add(sum, x, width);
        }
    }
    return count;
}

static inline void try_members(node *at, uint32_t count, double part, uint32_t width) {
    hcbr_i_rich_scratch *s = at->s;
    uint64_t limit = part >= 1 ? UINT64_MAX : (uint64_t)(part * 0x1p64);
    for (uint32_t j = 0; j < count; j++) {
        uint32_t b = s->present[j];
        double *sum = s->member + (size_t)b * width;
        if (hcbr_i_mix(at->key ^ ((uint64_t)b * 0x9E3779B97F4A7C15u)) <= limit)
            consider(at, sum, at->g->table->columns + b, 0, 0, width);
        memset(sum, 0, width * sizeof *sum);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Sums of the node; false if it can not be divided. */
static inline bool sum_up(node *at, uint32_t width) {
    const hcbr_i_rich_growth *g = at->g;
    double *x = at->s->sums;
    memset(at->total, 0, sizeof at->total);
    for (uint32_t i = 0; i < at->n; i++, x += width) {
        const double *from = g->gradient + (size_t)at->rows[i] * width;
        memcpy(x, from, width * sizeof *x);
        add(at->total, from, width);
    }
    double h = at->total[width - 1];
    if (h < 2 * g->least_h)
        return false;
    at->score = 0;
    for (uint32_t c = 0; c + 1 < width; c++)
        at->score += at->total[c] * at->total[c];
    at->score /= h + g->lambda;
    at->best = (split){.gain = 1e-9 * (1 + at->score), .test = HCBR_I_RICH_LEAF};
    return true;
}

/* Equal gains are decided by the columns' order of drawing, which is keyed: nothing else counts. */
static inline void find_split(node *at, uint32_t width) {
    const hcbr_i_rich_growth *g = at->g;
    const hcbr_i_rich_table *t = g->table;
    uint32_t *order = at->s->columns;
    uint32_t members = t->bag_count ? sum_members(at, width) : 0;
    double all = (double)t->columns + members;
    double wanted = g->columns < 1 ? ceil(all * g->columns) : ceil(g->columns * sqrt(all));
    if (wanted < g->fewest_columns)
        wanted = g->fewest_columns;
    double part = wanted < all ? wanted / all : 1;
    uint32_t columns = (uint32_t)ceil(part * t->columns);
    for (uint32_t c = 0; c < t->columns; c++)
        order[c] = c;
    for (uint32_t c = 0, tried = 0; c < t->columns && tried < columns; c++) {
        uint64_t r = hcbr_i_mix(at->key + c) >> 32;
        uint32_t j = c + (uint32_t)(r * (t->columns - c) >> 32), column = order[j];
        order[j] = order[c];
        tried += try_column(at, column, width);
    }
    if (members)
        try_members(at, members, part, width);
}

static bool one_label(const node *at) {
    const uint32_t *label = at->g->table->label;
    for (uint32_t i = 1; i < at->n; i++)
        if (label[at->rows[i]] != label[at->rows[0]])
            return false;
    return true;
}

/* Put the rows that pass first, both parts in their order; returns how many. */
static uint32_t divide(const node *at, uint32_t *rows, uint32_t n) {
    const hcbr_i_rich_table *t = at->g->table;
    hcbr_i_rich_scratch *s = at->s;
    const split *by = &at->best;
    uint32_t yes = 0, no = 0;
    if (by->test < t->columns) {
        const uint8_t *code = t->codes + (size_t)by->test * t->rows;
        uint8_t lo = by->lo, span = (uint8_t)(by->hi - by->lo);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows[i];
            bool in = (uint8_t)(code[row] - lo) <= span;
            rows[yes] = row;
            s->aside[no] = row;
            yes += in;
            no += !in;
        }
    } else {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows[i];
            bool in = s->mark[row];
            rows[yes] = row;
            s->aside[no] = row;
            yes += in;
            no += !in;
        }
    }
    if (no)
        memcpy(rows + yes, s->aside, no * sizeof *rows);
    return yes;
}

/* Mark the rows that have the member a node is divided by. */
static void set_marks(const node *at, uint8_t mark) {
    const hcbr_i_rich_scratch *s = at->s;
    if (at->best.test < at->g->table->columns)
        return;
    uint32_t b = at->best.test - at->g->table->columns;
    for (uint64_t j = s->rows_start[b]; j < s->rows_start[b + 1]; j++)
        s->mark[s->rows[j]] = mark;
}

static bool add_node(hcbr_i_rich_forest *f, hcbr_i_rich_node x) {
    if (!hcbr_i_grow(&f->nodes, &f->node_capacity, f->node_count + 1, sizeof *f->nodes))
        return false;
    f->nodes[f->node_count++] = x;
    return true;
}

static bool add_leaf(hcbr_i_rich_forest *f, const hcbr_i_rich_growth *g, const uint32_t *drawn,
                     uint32_t n, const uint32_t *rest, uint32_t rest_n) {
    hcbr_i_rich_node leaf = {.test = HCBR_I_RICH_LEAF, .no = (uint32_t)f->leaf_count};
    if (!hcbr_i_grow(&f->values, &f->value_capacity, (f->leaf_count + 1) * f->outputs,
                     sizeof *f->values) ||
        !add_node(f, leaf))
        return false;
    g->leaf(g->context, f->values + f->leaf_count * f->outputs, drawn, n, rest, rest_n);
    f->leaf_count++;
    return true;
}

static bool grow(hcbr_i_rich_forest *f, const hcbr_i_rich_growth *g, hcbr_i_rich_scratch *s,
                 uint32_t *drawn, uint32_t n, uint32_t *rest, uint32_t rest_n, uint32_t depth,
                 uint64_t key) {
    node at = {.g = g, .s = s, .rows = drawn, .n = n, .key = hcbr_i_mix(key)};
    bool divided = depth < g->depth && n > 1 && !(g->pure && one_label(&at));
    if (divided && g->channels == 1 && (divided = sum_up(&at, 2)))
        find_split(&at, 2);
    else if (divided && g->channels == 3 && (divided = sum_up(&at, 4)))
        find_split(&at, 4);
    if (!divided || at.best.test == HCBR_I_RICH_LEAF)
        return add_leaf(f, g, drawn, n, rest, rest_n);
    set_marks(&at, 1);
    uint32_t yes = divide(&at, drawn, n), rest_yes = divide(&at, rest, rest_n);
    set_marks(&at, 0);
    size_t here = f->node_count;
    hcbr_i_rich_node test = {.test = at.best.test, .lo = at.best.lo, .hi = at.best.hi};
    if (!add_node(f, test) || !grow(f, g, s, drawn, yes, rest, rest_yes, depth + 1, at.key ^ 0x79))
        return false;
    f->nodes[here].no = (uint32_t)f->node_count;
    return grow(f, g, s, drawn + yes, n - yes, rest + rest_yes, rest_n - rest_yes, depth + 1,
                at.key ^ 0x6E);
}

bool hcbr_i_rich_grow(hcbr_i_rich_forest *forest, const hcbr_i_rich_growth *growth,
                      hcbr_i_rich_scratch *scratch, uint32_t *drawn, uint32_t n, uint32_t *rest,
                      uint32_t rest_n) {
    hcbr_i_rich_growth g = *growth;
    g.depth = g.depth < DEEPEST ? g.depth : DEEPEST;
    if (!hcbr_i_grow(&forest->start, &forest->tree_capacity, forest->tree_count + 1,
                     sizeof *forest->start) ||
        forest->node_count > UINT32_MAX / 2)
        return false;
    forest->start[forest->tree_count++] = (uint32_t)forest->node_count;
    return grow(forest, &g, scratch, drawn, n, rest, rest_n, 0, g.key);
}

/* ---- storage --------------------------------------------------------------------------------- */

void hcbr_i_rich_forest_clear(hcbr_i_rich_forest *forest) {
    hcbr_i_free(forest->nodes);
    hcbr_i_free(forest->start);
    hcbr_i_free(forest->values);
    *forest = (hcbr_i_rich_forest){0};
}

void hcbr_i_rich_forest_cut(hcbr_i_rich_forest *forest, size_t trees, size_t leaves) {
    if (trees < forest->tree_count)
        forest->node_count = forest->start[trees];
    forest->tree_count = trees;
    forest->leaf_count = leaves;
}

/* Rows by member, from members by row. */
static bool invert(hcbr_i_rich_scratch *s) {
    const hcbr_i_rich_table *t = s->table;
    uint64_t members = t->bag_start[t->rows];
    s->rows_start = hcbr_i_alloc_zero((size_t)t->bag_count + 2, sizeof *s->rows_start);
    s->rows = hcbr_i_alloc((size_t)members, sizeof *s->rows);
    if (!s->rows_start || !s->rows)
        return false;
    for (uint64_t j = 0; j < members; j++)
        s->rows_start[t->bag[j] + 2]++;
    for (uint32_t b = 0; b <= t->bag_count; b++)
        s->rows_start[b + 1] += s->rows_start[b];
    for (uint32_t i = 0; i < t->rows; i++) // the start of the next one is where this one has got to
        for (uint64_t j = t->bag_start[i]; j < t->bag_start[i + 1]; j++)
            s->rows[s->rows_start[t->bag[j] + 1]++] = i;
    return true;
}

hcbr_i_rich_scratch *hcbr_i_rich_scratch_create(const hcbr_i_rich_table *table) {
    hcbr_i_rich_scratch *s = hcbr_i_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->table = table;
    s->sums = hcbr_i_alloc(table->rows, WIDEST * sizeof *s->sums);
    s->codes = hcbr_i_alloc(table->rows, 1);
    s->aside = hcbr_i_alloc(table->rows, sizeof *s->aside);
    s->columns = hcbr_i_alloc(table->columns, sizeof *s->columns);
    s->member = hcbr_i_alloc_zero(table->bag_count, WIDEST * sizeof *s->member);
    s->present = hcbr_i_alloc(table->bag_count, sizeof *s->present);
    s->mark = hcbr_i_alloc_zero(table->rows, 1);
    if (!s->sums || !s->codes || !s->aside || !s->columns || !s->member || !s->present ||
        !s->mark || !invert(s)) {
        hcbr_i_rich_scratch_free(s);
        return NULL;
    }
    return s;
}

void hcbr_i_rich_scratch_free(hcbr_i_rich_scratch *scratch) {
    if (!scratch)
        return;
    hcbr_i_free(scratch->sums);
    hcbr_i_free(scratch->codes);
    hcbr_i_free(scratch->aside);
    hcbr_i_free(scratch->columns);
    hcbr_i_free(scratch->member);
    hcbr_i_free(scratch->present);
    hcbr_i_free(scratch->rows_start);
    hcbr_i_free(scratch->rows);
    hcbr_i_free(scratch->mark);
    hcbr_i_free(scratch);
}
