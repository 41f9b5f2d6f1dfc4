/*
 * The tree grower: conjunctions of tests that split the cases drawn for a tree so that the sums of
 * their gradients differ as much as possible.
 *
 * The score of a set of cases is sum over channels of G^2 / (H + lambda), the gain of a test its
 * increase. A node tries some columns (column_splits.c) and some members of the bag
 * (member_sums.c), drawn by the tree's key and the node's position. Gradients are rounded to whole
 * numbers, so that their sums are exact; a leaf's values use the unrounded gradients. The cost of a
 * node follows the content of its cases: codes of the columns drawn, members present in their bags.
 */
#include "rich/tree/tree_grower.h"

#define LEAST_WHOLE 64u /* least cases of a node with the sums of all columns, or ... */
#define MOST_WHOLE 256u /* ... more with more codes, but at most this many */
#define PART_WHOLE 0.3  /* share of the columns that nodes try, for which all are summed ... */
#define FEW_CODES 16u   /* ... if they have at most this many codes on average */
#define NO_BLOCK UINT32_MAX
#define LARGEST 29 /* sums of gradients stay below 2^30 */

/* The cases of a node: those drawn for the tree, and the others. */
typedef struct part {
    uint32_t *drawn, *rest;
    uint32_t n, rest_n;
} part;

typedef struct tree {
    hcbr_i_rich_forest *forest;
    const hcbr_i_rich_growth *g;
    hcbr_i_rich_scratch *s;
    double unit;
    uint32_t least_whole; /* cases of a node that has the sums of all columns */
} tree;

/* Sums of all columns: those of a node, if it has them, and the free blocks. */
typedef struct blocks {
    uint32_t own, free;
} blocks;

/* The least cases of a node with the sums of all columns: subtracting those of its smaller part
 * costs as much as there are codes, adding them up as much as there are cases. */
static uint32_t least_whole(const hcbr_i_rich_table *t) {
    uint32_t least = t->bins[t->columns] / t->columns * 3 / 2;
    return least < LEAST_WHOLE ? LEAST_WHOLE : least > MOST_WHOLE ? MOST_WHOLE : least;
}

/* Whether the sums of all columns pay off in nodes that try this share of them: from a third of
 * them on, if sums are few, since only the smaller part of a node is added up. */
static bool whole_pays(const hcbr_i_rich_table *t, double share) {
    return share >= 1 || (share > PART_WHOLE && t->bins[t->columns] <= t->columns * FEW_CODES);
}

/* ---- whole gradients ------------------------------------------------------------------------- */

static inline uint64_t whole(double x) {
    return (uint64_t)(int64_t)hcbr_i_rich_round(x, 1);
}

/* Fill the words of the drawn rows, which have two gradients a word. Returns the unit: the value of
 * a gradient of 1. */
EACH_WIDTH double pack_rows(uint64_t *words, const double *gradient, const uint32_t *drawn,
                            uint32_t n, uint32_t width) {
    double sum[2 * WIDEST] = {0}, most = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < 2 * width; c++)
            sum[c] += fabs(gradient[(size_t)drawn[i] * (2 * width) + c]);
    for (uint32_t c = 0; c < 2 * width; c++)
        most = fmax(most, sum[c]);
    double unit = most >= 0x1p-960 ? ldexp(1.0, LARGEST - ilogb(most)) : 1;
    for (uint32_t i = 0; i < n; i++) {
        const double *x = gradient + (size_t)drawn[i] * (2 * width);
        uint64_t h = whole(x[2 * width - 1] * unit), *to = words + (size_t)drawn[i] * width;
        h = h ? h : 1;
        if (width == 1) {
            to[0] = (whole(x[0] * unit) << 32) + h;
        } else {
            to[0] = (whole(x[0] * unit) << 32) + whole(x[1] * unit);
            to[1] = (whole(x[2] * unit) << 32) + h;
        }
    }
    return unit;
}

static double pack(const hcbr_i_rich_scratch *s, const hcbr_i_rich_growth *g, const uint32_t *drawn,
                   uint32_t n) {
    return g->channels == 1 ? pack_rows(s->words, g->gradient, drawn, n, 1)
                            : pack_rows(s->words, g->gradient, drawn, n, 2);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Sums of the node; false if it can not be divided. */
EACH_WIDTH bool sum_up(node *at, uint32_t width) {
    const uint64_t *x = at->whole, *words = at->s->words;
    uint64_t word[WIDEST] = {0}, *to = at->s->sums;
    uint32_t codes = at->whole ? at->g->table->bins[1] : 0, n = at->whole ? 0 : at->n;
    for (uint32_t i = 0; i < codes; i++, x += width) // any column has all cases
        add(word, x, width);
    for (uint32_t i = 0; i < n; i++, to += width) { // in one go
        memcpy(to, words + (size_t)at->rows[i] * width, width * sizeof *to);
        add(word, to, width);
    }
    memcpy(at->word, word, sizeof word);
    at->gathered = !at->whole;
    double score = 0;
    for (uint32_t c = 0; c < 2 * width; c++)
        at->total[c] = c % 2 ? lower(at->word[c / 2]) : upper(at->word[c / 2]);
    for (uint32_t c = 0; c < 2 * width - 1; c++)
        score += at->total[c] * at->total[c];
    double h = at->total[2 * width - 1];
    score /= h + at->lambda;
    at->bar = score + 1e-9 * (at->unit + score);
    at->best = (split){.test = HCBR_I_RICH_LEAF};
    return h >= 2 * at->least_h;
}

/* The share of the columns and members that a node tries. */
static double share_of(const hcbr_i_rich_growth *g, double all) {
    double wanted = g->columns < 1 ? ceil(all * g->columns) : ceil(g->columns * sqrt(all));
    if (wanted < g->fewest_columns)
        wanted = g->fewest_columns;
    return wanted < all ? wanted / all : 1;
}

/* members: sums of the bag's members over the node's cases, or NULL. */
static void find_split(node *at, member_sums *members) {
    const hcbr_i_rich_growth *g = at->g;
    uint32_t columns = g->table->columns, active = members ? members->active : 0;
    double share = share_of(g, (double)columns + active);
    hcbr_i_rich_try_columns(at, (uint32_t)ceil(share * columns));
    if (active)
        hcbr_i_rich_try_members(at, members, (uint32_t)ceil(share * active));
}

static bool one_label(const node *at) {
    const uint32_t *label = at->g->table->label;
    for (uint32_t i = 1; i < at->n; i++)
        if (label[at->rows[i]] != label[at->rows[0]])
            return false;
    return true;
}

/* Whether a member is in the bag of a row, which is sorted. */
static bool has_member(const hcbr_i_rich_table *t, uint32_t row, uint32_t member) {
    uint64_t lo = t->bag_start[row], hi = t->bag_start[row + 1];
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (t->bag[mid] < member)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < t->bag_start[row + 1] && t->bag[lo] == member;
}

/* Mark the rows with the member that splits a node: all of them, or those of the node. */
static void set_marks(const node *at, const part *p) {
    const hcbr_i_rich_scratch *s = at->s;
    uint32_t b = at->best.test - at->g->table->columns;
    uint64_t have = s->rows_start[b + 1] - s->rows_start[b];
    if (have < 4 * ((uint64_t)p->n + p->rest_n)) {
        for (uint64_t j = s->rows_start[b]; j < s->rows_start[b + 1]; j++)
            s->mark[s->rows[j]] = 1;
        return;
    }
    for (uint32_t i = 0; i < p->n; i++)
        s->mark[p->drawn[i]] = has_member(s->table, p->drawn[i], b);
    for (uint32_t i = 0; i < p->rest_n; i++)
        s->mark[p->rest[i]] = has_member(s->table, p->rest[i], b);
}

static void clear_marks(const node *at, const part *p) {
    const hcbr_i_rich_scratch *s = at->s;
    uint32_t b = at->best.test - at->g->table->columns;
    uint64_t have = s->rows_start[b + 1] - s->rows_start[b];
    if (have < 4 * ((uint64_t)p->n + p->rest_n)) {
        for (uint64_t j = s->rows_start[b]; j < s->rows_start[b + 1]; j++)
            s->mark[s->rows[j]] = 0;
        return;
    }
    for (uint32_t i = 0; i < p->n; i++)
        s->mark[p->drawn[i]] = 0;
    for (uint32_t i = 0; i < p->rest_n; i++)
        s->mark[p->rest[i]] = 0;
}

/* Divide the cases of a node by its best test. */
static void divide_part(const node *at, const part *p, part *yes, part *no) {
    const hcbr_i_rich_table *t = at->g->table;
    bool dense = at->best.test < t->columns;
    rows_test test = {.code = at->s->mark, .lo = 1};
    if (dense)
        test = (rows_test){t->codes + (size_t)at->best.test * t->rows, at->best.lo,
                           (uint8_t)(at->best.hi - at->best.lo)};
    *yes = *no = *p;
    if (!dense)
        set_marks(at, p);
    yes->n = hcbr_i_rich_divide(at->s, &test, p->drawn, p->n);
    yes->rest_n = hcbr_i_rich_divide(at->s, &test, p->rest, p->rest_n);
    if (!dense)
        clear_marks(at, p);
    no->drawn += yes->n;
    no->n -= yes->n;
    no->rest += yes->rest_n;
    no->rest_n -= yes->rest_n;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static bool add_node(hcbr_i_rich_forest *f, hcbr_i_rich_node x) {
    if (!hcbr_i_grow(&f->nodes, &f->node_capacity, f->node_count + 1, sizeof *f->nodes))
        return false;
    f->nodes[f->node_count++] = x;
    return true;
}

static bool add_leaf(hcbr_i_rich_forest *f, const hcbr_i_rich_growth *g, const part *p) {
    hcbr_i_rich_node leaf = {.test = HCBR_I_RICH_LEAF, .no = (uint32_t)f->leaf_count};
    if (!hcbr_i_grow(&f->values, &f->value_capacity, (f->leaf_count + 1) * f->outputs,
                     sizeof *f->values) ||
        !add_node(f, leaf))
        return false;
    double *values = f->outputs ? f->values + f->leaf_count * f->outputs : NULL;
    g->leaf(g->context, values, p->drawn, p->n, p->rest, p->rest_n);
    f->leaf_count++;
    return true;
}

/* Find the best test of a node. */
static bool choose(node *at, const tree *t, const part *p, uint32_t depth, member_sums *members) {
    *at = (node){.g = t->g,
                 .s = t->s,
                 .rows = p->drawn,
                 .n = p->n,
                 .key = at->key,
                 .whole = at->whole,
                 .unit = t->unit,
                 .lambda = t->g->lambda * t->unit,
                 .least_h = t->g->least_h * t->unit};
    uint32_t width = (t->g->channels + 1) / 2;
    if (depth >= t->g->depth || p->n < 2 || (t->g->pure && one_label(at)) ||
        !(width == 1 ? sum_up(at, 1) : sum_up(at, 2)))
        return false;
    if (members && members->active == members->count)
        hcbr_i_rich_members_prune(at, members, width);
    find_split(at, members);
    return at->best.test != HCBR_I_RICH_LEAF;
}

/* Sums of all columns of the two parts of a node: the smaller is added up, the larger one is the
 * difference. A part without further tests, or with few cases, gets none. False: no memory. */
static bool divide_sums(const tree *t, const blocks *b, const part *yes, const part *no, bool last,
                        blocks *of_yes, blocks *of_no) {
    uint32_t width = (t->g->channels + 1) / 2;
    bool less = yes->n <= no->n;
    const part *small = less ? yes : no, *large = less ? no : yes;
    blocks left = {NO_BLOCK, b->free}, taken = {NO_BLOCK, b->free};
    if (b->own != NO_BLOCK && !last && large->n >= t->least_whole) {
        uint64_t *sums = t->s->whole[b->own];
        left.own = b->own;
        if (small->n < t->least_whole) {
            hcbr_i_rich_whole_less_rows(t->s, sums, small->drawn, small->n, width);
        } else {
            taken.own = b->free;
            left.free = taken.free = b->free + 1;
            const uint64_t *less_by =
                hcbr_i_rich_whole_sum(t->s, taken.own, small->drawn, small->n, width);
            if (!less_by)
                return false;
            hcbr_i_rich_whole_less(t->s, sums, less_by, width);
        }
    }
    *of_yes = less ? taken : left;
    *of_no = less ? left : taken;
    return true;
}

/* level: index of this node's sums by member. They are all zero afterwards. */
static bool grow(const tree *t, part p, uint32_t depth, uint64_t key, uint32_t level, blocks b) {
    hcbr_i_rich_scratch *s = t->s;
    uint32_t width = (t->g->channels + 1) / 2;
    member_sums *members = t->g->table->bag_count ? &s->members[level] : NULL;
    node at = {.key = hcbr_i_mix(key), .whole = b.own != NO_BLOCK ? s->whole[b.own] : NULL};
    if (!choose(&at, t, &p, depth, members)) {
        if (members)
            hcbr_i_rich_members_clear(members, width);
        return add_leaf(t->forest, t->g, &p);
    }
    part yes, no;
    divide_part(&at, &p, &yes, &no);
    bool last = depth + 1 >= t->g->depth, less = yes.n <= no.n;
    blocks of_yes, of_no;
    if (!divide_sums(t, &b, &yes, &no, last, &of_yes, &of_no))
        return false;
    member_sums *other = members && less && !last ? &s->members[level + 1] : NULL;
    if (members && last)
        hcbr_i_rich_members_clear(members, width);
    else if (other && !hcbr_i_rich_members_init(other, s->table))
        return false;
    else if (members) // the smaller part is added up, the larger one is the difference
        hcbr_i_rich_members_move(s, other, members, less ? yes.drawn : no.drawn,
                                 less ? yes.n : no.n, width);
    size_t here = t->forest->node_count;
    hcbr_i_rich_node test = {.test = at.best.test, .lo = at.best.lo, .hi = at.best.hi};
    if (!add_node(t->forest, test) ||
        !grow(t, yes, depth + 1, at.key ^ 0x79, other ? level + 1 : level, of_yes))
        return false;
    t->forest->nodes[here].no = (uint32_t)t->forest->node_count;
    if (members && !last && !less)
        hcbr_i_rich_members_move(s, members, NULL, no.drawn, no.n, width);
    return grow(t, no, depth + 1, at.key ^ 0x6E, level, of_no);
}

bool hcbr_i_rich_grow(hcbr_i_rich_forest *forest, const hcbr_i_rich_growth *growth,
                      hcbr_i_rich_scratch *scratch, uint32_t *drawn, uint32_t n, uint32_t *rest,
                      uint32_t rest_n) {
    hcbr_i_rich_growth g = *growth;
    tree t = {.forest = forest, .g = &g, .s = scratch};
    g.depth = g.depth < DEEPEST ? g.depth : DEEPEST;
    if (!hcbr_i_grow(&forest->start, &forest->tree_capacity, forest->tree_count + 1,
                     sizeof *forest->start) ||
        forest->node_count > UINT32_MAX / 2)
        return false;
    forest->start[forest->tree_count++] = (uint32_t)forest->node_count;
    t.unit = pack(scratch, &g, drawn, n);
    for (uint32_t c = 0; c < g.table->columns; c++)
        scratch->columns[c] = c;
    if (g.table->bag_count)
        hcbr_i_rich_members_move(scratch, &scratch->members[0], NULL, drawn, n,
                                 (g.channels + 1) / 2);
    blocks b = {NO_BLOCK, 0};
    bool all = g.table->records && g.table->columns && !g.table->bag_count && g.depth > 0 &&
               whole_pays(g.table, share_of(&g, g.table->columns));
    t.least_whole = all ? least_whole(g.table) : UINT32_MAX;
    if (n >= t.least_whole) {
        b = (blocks){0, 1};
        if (!hcbr_i_rich_whole_sum(scratch, 0, drawn, n, (g.channels + 1) / 2))
            return false;
    }
    return grow(&t, (part){drawn, rest, n, rest_n}, 0, g.key, 0, b);
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
    for (uint32_t i = 0; i < t->rows; i++) // each start is now that of the next one
        for (uint64_t j = t->bag_start[i]; j < t->bag_start[i + 1]; j++)
            s->rows[s->rows_start[t->bag[j] + 1]++] = i;
    return true;
}

hcbr_i_rich_scratch *hcbr_i_rich_scratch_create(const hcbr_i_rich_table *table) {
    hcbr_i_rich_scratch *s = hcbr_i_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->table = table;
    s->words = hcbr_i_alloc(table->rows, WIDEST * sizeof *s->words);
    s->sums = hcbr_i_alloc(table->rows, WIDEST * sizeof *s->sums);
    s->codes = hcbr_i_alloc(table->rows, 1);
    s->aside = hcbr_i_alloc(table->rows, sizeof *s->aside);
    s->columns = hcbr_i_alloc(table->columns, sizeof *s->columns);
    s->mark = hcbr_i_alloc_zero(table->rows, 1);
    if (!s->words || !s->sums || !s->codes || !s->aside || !s->columns || !s->mark ||
        !hcbr_i_rich_members_init(&s->members[0], table) || !invert(s) ||
        !hcbr_i_rich_divide_init(s)) {
        hcbr_i_rich_scratch_free(s);
        return NULL;
    }
    return s;
}

void hcbr_i_rich_scratch_free(hcbr_i_rich_scratch *scratch) {
    if (!scratch)
        return;
    for (uint32_t i = 0; i < SUMS; i++) {
        hcbr_i_free(scratch->members[i].word);
        hcbr_i_free(scratch->members[i].present);
    }
    for (uint32_t i = 0; i < DEEPEST + 2; i++)
        hcbr_i_free(scratch->whole[i]);
    hcbr_i_free(scratch->words);
    hcbr_i_free(scratch->sums);
    hcbr_i_free(scratch->codes);
    hcbr_i_free(scratch->aside);
    hcbr_i_free(scratch->columns);
    hcbr_i_free(scratch->rows_start);
    hcbr_i_free(scratch->rows);
    hcbr_i_free(scratch->mark);
    hcbr_i_free(scratch->orders);
    hcbr_i_free(scratch);
}
