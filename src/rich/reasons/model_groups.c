/*
 * The groups of a rich model as a whole (model_groups.h): past cases are sent through all trees
 * once more to count the cases of every leaf and its contribution to them; then leaves with the
 * same tests are merged.
 *
 * Invariant: sums are taken in ascending order of leaves and rows, so that they are the same
 * everywhere; a group is named by the first of its leaves, not by its hash.
 */
#include "rich/reasons/row_blocks.h"
#include "rich/rich_draw.h"

#include <stdlib.h>
#include <xxhash.h>

#define MOST_NUMBERS 0x1p25 /* of conjunctions */
#define FORESTS (HCBR_I_RICH_FOLDS + 1)

static const hcbr_i_rich_forest *forest_of(const hcbr_i_rich *r, uint32_t forest) {
    return forest < HCBR_I_RICH_FOLDS ? &r->boosted.model[forest] : &r->forest;
}

/* Whether a family has trust: without it there are no groups. */
static bool weighs(const hcbr_i_rich *r, unsigned family) {
    return r->family[family] && r->stack.trust[family] > 0;
}

static size_t leaves_in(const hcbr_i_rich *r, uint32_t forest) {
    return weighs(r, forest < HCBR_I_RICH_FOLDS ? 1 : 2) ? forest_of(r, forest)->leaf_count : 0;
}

void hcbr_i_rich_groups_clear(hcbr_i_rich_groups *g) {
    hcbr_i_free(g->contribution);
    hcbr_i_free(g->weight);
    hcbr_i_free(g->cases);
    hcbr_i_free(g->trees);
    hcbr_i_free(g->node);
    hcbr_i_free(g->total);
    *g = (hcbr_i_rich_groups){0};
}

static hcbr_status make_room(hcbr_i_rich_groups *g, const hcbr_i_rich *rich,
                             const hcbr_i_rich_causes *causes, uint64_t count, hcbr_error *err) {
    *g = (hcbr_i_rich_groups){.labels = rich->labels, .outputs = rich->outputs};
    if (count >= UINT32_MAX)
        return hcbr_i_no_memory(err);
    g->count = (uint32_t)count;
    g->contribution = hcbr_i_alloc_zero(g->count, g->outputs * sizeof *g->contribution);
    g->weight = hcbr_i_alloc_zero(g->count, g->labels * sizeof *g->weight);
    g->cases = hcbr_i_alloc_zero(g->count, g->labels * sizeof *g->cases);
    g->trees = hcbr_i_alloc_zero(g->count, sizeof *g->trees);
    g->total = hcbr_i_alloc_zero(g->labels, sizeof *g->total);
    if (g->contribution && g->weight && g->cases && g->trees && g->total) {
        if (causes)
            memcpy(g->total, causes->table.label_weight, g->labels * sizeof *g->total);
        return HCBR_OK;
    }
    hcbr_i_rich_groups_clear(g);
    return hcbr_i_no_memory(err);
}

/* A merged case has an item. */
static void count_row(hcbr_i_rich_groups *g, const hcbr_i_rich_causes *c, uint32_t row,
                      size_t item) {
    size_t at = item * g->labels + c->table.label[row];
    g->weight[at] += c->table.weight[row];
    g->cases[at] += c->case_start[row + 1] - c->case_start[row];
}

/* ---- tests of the atoms ---------------------------------------------------------------------- */

/* Count the rows of the block by the members they have, each by the largest of a sparse number. */
static void count_members(hcbr_i_rich_groups *g, const hcbr_i_rich_linear *a,
                          const hcbr_i_rich_names *names, const hcbr_i_rich_causes *c,
                          uint32_t block) {
    const hcbr_i_rich_blocks *x = &c->blocks;
    hcbr_i_rich_mask larger = {{0, 0}}; // rows that have a larger member of the number
    for (uint64_t e = x->entry_start[block + 1]; e-- > x->entry_start[block];) {
        uint32_t member = x->member[e];
        uint8_t rows[HCBR_I_RICH_ROWS];
        if (e + 1 == x->entry_start[block + 1] ||
            names->first[x->member[e + 1]] != names->first[member])
            larger = (hcbr_i_rich_mask){{0, 0}};
        hcbr_i_rich_mask largest = {
            {x->rows[e].word[0] & ~larger.word[0], x->rows[e].word[1] & ~larger.word[1]}};
        uint32_t n = hcbr_i_rich_mask_list(largest, rows);
        for (uint32_t d = 0; d < n; d++)
            count_row(g, c, block * HCBR_I_RICH_ROWS + rows[d],
                      (size_t)a->place[a->columns] + member);
        for (uint32_t w = 0; w < 2; w++)
            larger.word[w] |= x->rows[e].word[w];
    }
}

static void count_atoms(hcbr_i_rich_groups *g, const hcbr_i_rich_linear *a,
                        const hcbr_i_rich_names *names, const hcbr_i_rich_causes *c) {
    const hcbr_i_rich_table *t = &c->table;
    for (uint32_t block = 0; block < c->blocks.count; block++) {
        uint32_t first = block * HCBR_I_RICH_ROWS;
        const uint8_t *codes = c->blocks.codes + (size_t)first * t->columns;
        for (uint32_t k = 0; k < t->columns; k++, codes += HCBR_I_RICH_ROWS)
            for (uint32_t b = 0; b < HCBR_I_RICH_ROWS && b < t->rows - first; b++) {
                uint8_t entry = a->coarse[(size_t)k * HCBR_I_RICH_CODES + codes[b]];
                if (entry)
                    count_row(g, c, first + b, (size_t)a->place[k] + entry);
            }
        count_members(g, a, names, c, block);
    }
}

hcbr_status hcbr_i_rich_groups_linear(hcbr_i_rich_groups *g, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err) {
    const hcbr_i_rich_linear *a = &rich->linear;
    uint32_t k = rich->outputs, columns = weighs(rich, 0) ? a->columns : 0;
    uint64_t members = weighs(rich, 0) ? a->bag_count : 0;
    uint64_t entries = weighs(rich, 0) ? a->place[columns] : 0;
    hcbr_status st = make_room(g, rich, causes, entries + members, err);
    if (st != HCBR_OK)
        return st;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t item = a->place[c] + 1; item < a->place[c + 1]; item++)
            g->trees[item] = 1;
    for (size_t item = 0; item < entries + members; item++) {
        hcbr_i_rich_linear_add(a, item, 1, g->contribution + item * k);
        for (uint32_t l = 0; l < k; l++)
            g->contribution[item * k + l] *= rich->stack.trust[0];
    }
    for (uint32_t b = 0; b < members; b++) {
        size_t item = entries + b;
        g->trees[item] = 1;
        for (uint32_t l = 0; names->first[b] != b && l < k; l++) // the members below are passed too
            g->contribution[item * k + l] += g->contribution[(item - 1) * k + l];
    }
    for (uint32_t item = 0; item < g->count; item++)
        g->group_count += g->trees[item];
    if (causes && weighs(rich, 0))
        count_atoms(g, a, names, causes);
    return HCBR_OK;
}

bool hcbr_i_rich_groups_test(const hcbr_i_rich *rich, const hcbr_i_rich_names *names, uint32_t item,
                             hcbr_i_rich_test *out) {
    const hcbr_i_rich_linear *a = &rich->linear;
    bool any = false;
    if (item >= a->place[a->columns]) {
        uint32_t b = item - a->place[a->columns], first = names->first[b];
        *out = (hcbr_i_rich_test){.variable = a->columns + first};
        out->codes[(b - first + 1) / 64] = (uint64_t)1 << ((b - first + 1) % 64);
        return true;
    }
    uint32_t c = 0;
    while (item >= a->place[c + 1])
        c++;
    *out = (hcbr_i_rich_test){.variable = c};
    for (uint32_t v = 1; v <= rich->encoder.columns[c].codes; v++)
        if (a->coarse[(size_t)c * HCBR_I_RICH_CODES + v] == item - a->place[c]) {
            out->codes[v / 64] |= (uint64_t)1 << (v % 64);
            any = true;
        }
    return any;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* The state of a pass. */
typedef struct walker {
    const hcbr_i_rich *rich;
    const hcbr_i_rich_causes *c; /* NULL: no cases are kept */
    hcbr_i_rich_groups *g;
    size_t base[FORESTS + 1]; /* first item of each forest */
    hcbr_i_rich_block block;
    double *drawn; /* by leaf of the forest: draws that ended there, and the prior's */
    double *own;   /* by leaf of the forest and output: draws by label (with two, of the second) */
    uint32_t *leaves;            /* by tree of the forest and row of the block: its leaf */
    double *p;                   /* by output: mean shares of the current case */
    hcbr_i_rich_effects effects; /* of the current case */
} walker;

/* Nodes of the leaves; each is a group as yet. */
static void find_nodes(walker *w) {
    for (uint32_t j = 0; j < FORESTS; j++) {
        const hcbr_i_rich_forest *f = forest_of(w->rich, j);
        if (w->base[j + 1] == w->base[j])
            continue;
        for (size_t n = 0; n < f->node_count; n++)
            if (f->nodes[n].test == HCBR_I_RICH_LEAF)
                w->g->node[w->base[j] + f->nodes[n].no] = (uint32_t)n;
    }
}

/* The contribution of boosted leaves is their value. */
static void set_boosted(walker *w) {
    double part = w->rich->stack.trust[1] / HCBR_I_RICH_FOLDS;
    uint32_t k = w->rich->outputs;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        for (size_t n = 0; n < (w->base[j + 1] - w->base[j]) * k; n++)
            w->g->contribution[w->base[j] * k + n] = part * w->rich->boosted.model[j].values[n];
}

/* If no cases are kept: the contribution of a forest's leaf if every tree ended in one like it. */
static void set_forest(walker *w) {
    uint32_t k = w->rich->outputs;
    size_t base = w->base[HCBR_I_RICH_FOLDS];
    for (size_t leaf = 0; leaf < w->base[FORESTS] - base; leaf++) {
        double *p = w->p;
        hcbr_i_rich_leaf_shares(w->rich, leaf, p);
        double *to = w->g->contribution + (base + leaf) * k;
        hcbr_i_rich_effects_set(&w->effects, w->rich, p);
        if (k == 1) {
            to[0] = w->effects.own[0] * (2 * p[0] - 1);
            continue;
        }
        for (uint32_t j = 0; j < k; j++)
            hcbr_i_rich_effects_add(&w->effects, j, p[j], to);
    }
}

static void count_boosted(walker *w) {
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &w->rich->boosted.model[j];
        for (size_t t = 0; t < f->tree_count; t++) {
            uint32_t leaf[HCBR_I_RICH_ROWS];
            hcbr_i_rich_block_walk(&w->block, f, t, w->block.all, leaf, HCBR_I_NONE);
            for (uint32_t b = 0; b < w->block.n; b++)
                count_row(w->g, w->c, w->block.first + b, w->base[j] + leaf[b]);
        }
    }
}

/* The draws of the forest. */
static void count_draws(walker *w) {
    const hcbr_i_rich_table *t = &w->c->table;
    uint32_t k = w->rich->outputs;
    for (uint32_t tree = 0; tree < w->rich->forest.tree_count; tree++) {
        uint64_t key = hcbr_i_rich_forest_key(w->rich->seed, tree);
        const uint32_t *leaves = w->leaves + (size_t)tree * HCBR_I_RICH_ROWS;
        for (uint32_t b = 0; b < w->block.n; b++) {
            uint32_t row = w->block.first + b, label = t->label[row];
            double m = hcbr_i_rich_draws(w->c, row, key);
            w->drawn[leaves[b]] += m;
            if (k > 1 || label == 1)
                w->own[(size_t)leaves[b] * k + (k > 1 ? label : 0)] += m;
            count_row(w->g, w->c, row, w->base[HCBR_I_RICH_FOLDS] + leaves[b]);
        }
    }
}

/* The contribution of a leaf's draws to a case with these effects, times `by`. */
static void add_leaf(walker *w, uint32_t leaf, double by) {
    uint32_t k = w->rich->outputs;
    const double *own = w->own + (size_t)leaf * k;
    double *to = w->g->contribution + (w->base[HCBR_I_RICH_FOLDS] + leaf) * k;
    double drawn = w->drawn[leaf];
    if (!(drawn > 0))
        return;
    if (k == 1) {
        to[0] += by * w->effects.own[0] * (2 * own[0] - (drawn - w->rich->kept.prior)) / drawn;
        return;
    }
    for (uint32_t j = 0; j < k; j++) {
        if (own[j] == 0)
            continue; // few labels have draws there
        const double *column = hcbr_i_rich_effects_column(&w->effects, j);
        for (uint32_t l = 0; l < k; l++)
            to[l] += by * (l == j ? w->effects.own[j] : column[l]) * own[j] / drawn;
    }
}

static void add_random_forest(walker *w) {
    const hcbr_i_rich_forest *f = &w->rich->forest;
    for (uint32_t b = 0; b < w->block.n; b++) {
        hcbr_i_rich_mean_shares(w->rich, w->leaves + b, HCBR_I_RICH_ROWS, w->p);
        hcbr_i_rich_effects_set(&w->effects, w->rich, w->p);
        for (size_t t = 0; t < f->tree_count; t++)
            add_leaf(w, w->leaves[t * HCBR_I_RICH_ROWS + b],
                     w->c->table.weight[w->block.first + b]);
    }
}

/* Two passes over the rows: the contribution of a leaf depends on all cases that end in it. */
static void follow_forest(walker *w) {
    uint32_t k = w->rich->outputs;
    size_t base = w->base[HCBR_I_RICH_FOLDS], forest = w->base[FORESTS] - base;
    for (size_t n = 0; n < forest; n++)
        w->drawn[n] = w->rich->kept.prior;
    for (int pass = 0; forest && pass < 2; pass++)
        for (uint32_t number = 0; number < w->c->blocks.count; number++) {
            hcbr_i_rich_block_enter(&w->block, number);
            for (size_t t = 0; t < w->rich->forest.tree_count; t++)
                hcbr_i_rich_block_walk(&w->block, &w->rich->forest, t, w->block.all,
                                       w->leaves + t * HCBR_I_RICH_ROWS, HCBR_I_NONE);
            if (pass == 0)
                count_draws(w);
            else
                add_random_forest(w);
        }
    for (size_t n = base; n < base + forest; n++) {
        double weight = 0;
        for (uint32_t l = 0; l < w->g->labels; l++)
            weight += w->g->weight[n * w->g->labels + l];
        for (uint32_t l = 0; weight > 0 && l < k; l++)
            w->g->contribution[n * k + l] /= weight;
    }
}

static hcbr_status follow_rows(walker *w, hcbr_error *err) {
    size_t forest = w->base[FORESTS] - w->base[HCBR_I_RICH_FOLDS];
    hcbr_status st = HCBR_OK;
    if (!hcbr_i_rich_block_init(&w->block, &w->c->blocks))
        return hcbr_i_no_memory(err);
    w->leaves =
        hcbr_i_alloc(forest ? w->rich->forest.tree_count : 0, HCBR_I_RICH_ROWS * sizeof *w->leaves);
    w->drawn = hcbr_i_alloc(forest, sizeof *w->drawn);
    w->own = hcbr_i_alloc_zero(forest, w->rich->outputs * sizeof *w->own);
    if (!w->leaves || !w->drawn || !w->own) {
        st = hcbr_i_no_memory(err);
    } else {
        for (uint32_t b = 0; weighs(w->rich, 1) && b < w->c->blocks.count; b++) {
            hcbr_i_rich_block_enter(&w->block, b);
            count_boosted(w);
        }
        follow_forest(w);
    }
    hcbr_i_free(w->leaves);
    hcbr_i_free(w->drawn);
    hcbr_i_free(w->own);
    hcbr_i_rich_block_clear(&w->block);
    return st;
}

/* ---- leaves with the same tests -------------------------------------------------------------- */

typedef struct asked {
    XXH128_hash_t hash;
    uint32_t item;
} asked;

static int by_hash(const void *a, const void *b) {
    const asked *x = a, *y = b;
    int order = hcbr_i_order_u64(x->hash.high64, y->hash.high64);
    if (!order)
        order = hcbr_i_order_u64(x->hash.low64, y->hash.low64);
    return order ? order : hcbr_i_order_u32(x->item, y->item);
}

/* Add the leaves of a run to its first. */
static void merge(hcbr_i_rich_groups *g, const asked *run, size_t count) {
    uint32_t first = run[0].item, k = g->outputs;
    g->trees[first] = (uint32_t)count;
    g->group_count++;
    for (size_t n = 1; n < count; n++)
        for (uint32_t l = 0; l < k; l++)
            g->contribution[(size_t)first * k + l] += g->contribution[(size_t)run[n].item * k + l];
}

bool hcbr_i_rich_groups_tests(const hcbr_i_rich_groups *g, const hcbr_i_rich *rich,
                              const hcbr_i_rich_names *names, uint32_t item,
                              hcbr_i_rich_tests *out) {
    size_t base = 0;
    uint32_t forest = 0;
    while (item >= base + leaves_in(rich, forest))
        base += leaves_in(rich, forest++);
    const hcbr_i_rich_forest *f = forest_of(rich, forest);
    size_t low = 0, high = f->tree_count; // the last tree that begins at the node or before
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->start[middle] <= g->node[item])
            low = middle;
        else
            high = middle;
    }
    return hcbr_i_rich_tests_at(names, f, (uint32_t)low, g->node[item], NULL, out);
}

static hcbr_status gather(walker *w, const hcbr_i_rich_names *names, hcbr_error *err) {
    hcbr_i_rich_groups *g = w->g;
    hcbr_i_rich_tests tests = {0};
    asked *list = hcbr_i_alloc(g->count, sizeof *list);
    bool ok = list != NULL;
    for (uint32_t item = 0; ok && item < g->count; item++) {
        ok = hcbr_i_rich_groups_tests(g, w->rich, names, item, &tests);
        if (ok)
            list[item] =
                (asked){XXH3_128bits(tests.items, tests.count * sizeof *tests.items), item};
    }
    if (ok && g->count)
        qsort(list, g->count, sizeof *list, by_hash);
    for (size_t from = 0, to; ok && from < g->count; from = to) {
        to = from + 1;
        while (to < g->count && XXH128_isEqual(list[to].hash, list[from].hash))
            to++;
        merge(g, list + from, to - from);
    }
    hcbr_i_free(tests.items);
    hcbr_i_free(list);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

/* By leaf and label there are three numbers, and by case and pair of labels one is worked out. */
static bool too_large(const hcbr_i_rich *rich, size_t leaves) {
    double k = rich->outputs;
    return (double)leaves * k > MOST_NUMBERS ||
           (weighs(rich, 2) && rich->rows * k * k / 16 > MOST_NUMBERS);
}

hcbr_status hcbr_i_rich_groups_leaves(hcbr_i_rich_groups *g, const hcbr_i_rich *rich,
                                      const hcbr_i_rich_names *names,
                                      const hcbr_i_rich_causes *causes, hcbr_error *err) {
    walker w = {.rich = rich, .c = causes, .g = g};
    for (uint32_t j = 0; j < FORESTS; j++)
        w.base[j + 1] = w.base[j] + leaves_in(rich, j);
    bool too_many = too_large(rich, w.base[FORESTS]);
    hcbr_status st = make_room(g, rich, causes, too_many ? 0 : w.base[FORESTS], err);
    if (st != HCBR_OK)
        return st;
    g->too_many = too_many;
    if (too_many)
        return HCBR_OK;
    g->node = hcbr_i_alloc(g->count, sizeof *g->node);
    w.p = hcbr_i_alloc(rich->outputs, sizeof *w.p);
    if (!hcbr_i_rich_effects_init(&w.effects, rich->outputs) || !g->node || !w.p) {
        st = hcbr_i_no_memory(err);
    } else {
        find_nodes(&w);
        set_boosted(&w);
        if (causes)
            st = follow_rows(&w, err);
        else
            set_forest(&w);
    }
    if (st == HCBR_OK)
        st = gather(&w, names, err);
    hcbr_i_free(w.p);
    hcbr_i_rich_effects_clear(&w.effects);
    if (st != HCBR_OK)
        hcbr_i_rich_groups_clear(g);
    return st;
}
