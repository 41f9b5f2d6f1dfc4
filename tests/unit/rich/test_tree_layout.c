/* Trees laid out for scoring lead every row to the leaf that the trees themselves lead it to,
 * however many rows and trees are followed at once; what does not fit is not laid out. */
#include "rich/score/tree_layout.h"

#include "base/simd.h"

#include "property/harness.h"
#include "unit/rich/rich_support.h"

enum { COLUMNS = 5, BAG = 40, ROWS = 700, LEVELS = 9, DEEP = 13 };

typedef struct sample {
    hcbr_i_rich rich;
    uint8_t codes[ROWS][COLUMNS];
    uint32_t bag[ROWS][BAG];
    uint32_t bag_count[ROWS];
} sample;

static void add_node(hcbr_i_rich_forest *f, hcbr_i_rich_node node) {
    assert_true(hcbr_i_grow(&f->nodes, &f->node_capacity, f->node_count + 1, sizeof *f->nodes));
    f->nodes[f->node_count++] = node;
}

/* up: tests hold from a code on, as those of numbers do. */
static void draw_tree(hcbr_i_rich_forest *f, harness_random *r, uint32_t tests, int levels,
                      bool up) {
    if (levels == 0 || tests == 0 || harness_below(r, 6) == 0) {
        add_node(f, (hcbr_i_rich_node){.test = HCBR_I_RICH_LEAF, .no = (uint32_t)f->leaf_count++});
        return;
    }
    const size_t at = f->node_count;
    const uint8_t lo = (uint8_t)(up + harness_below(r, 12));
    const bool open = up || harness_below(r, 3) == 0;
    const uint8_t hi = (uint8_t)(open ? UINT8_MAX : lo + harness_below(r, 12));
    add_node(f, (hcbr_i_rich_node){.test = (uint32_t)harness_below(r, (int)tests),
                                   .lo = lo,
                                   .hi = lo == 0 && hi == UINT8_MAX ? 254 : hi});
    draw_tree(f, r, tests, levels - 1, up);
    f->nodes[at].no = (uint32_t)f->node_count;
    draw_tree(f, r, tests, levels - 1, up);
}

static void draw_forest(hcbr_i_rich_forest *f, harness_random *r, uint32_t tests) {
    const size_t trees = (size_t)harness_below(r, 20);
    const bool deep = harness_below(r, 8) == 0, up = harness_below(r, 2);
    f->start = hcbr_i_alloc(trees, sizeof *f->start);
    for (size_t t = 0; t < trees; t++) {
        f->start[f->tree_count++] = (uint32_t)f->node_count;
        draw_tree(f, r, tests, deep ? DEEP : 1 + harness_below(r, LEVELS), up);
    }
}

static void draw_sample(sample *s, harness_random *r) {
    memset(s, 0, sizeof *s);
    hcbr_i_rich_encoder *e = &s->rich.encoder;
    e->column_count = harness_below(r, 4) ? COLUMNS : 0;
    e->bag_count = harness_below(r, 3) ? BAG : 0;
    for (uint32_t n = 0; n < HCBR_I_RICH_FOLDS; n++)
        draw_forest(&s->rich.boosted.model[n], r, e->column_count + e->bag_count);
    draw_forest(&s->rich.forest, r, e->column_count + e->bag_count);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t c = 0; c < e->column_count; c++)
            s->codes[i][c] =
                (uint8_t)(harness_below(r, 5) ? harness_below(r, 24) : harness_below(r, 256));
        for (uint32_t b = 0; b < e->bag_count; b++)
            if (harness_below(r, 3) == 0)
                s->bag[i][s->bag_count[i]++] = b;
    }
}

static void clear_sample(sample *s) {
    for (uint32_t n = 0; n < HCBR_I_RICH_FOLDS; n++)
        hcbr_i_rich_forest_clear(&s->rich.boosted.model[n]);
    hcbr_i_rich_forest_clear(&s->rich.forest);
}

/* The leaf by the nodes themselves. */
static uint32_t leaf_of(const sample *s, uint32_t row, const hcbr_i_rich_forest *f, size_t tree) {
    uint32_t in_bag[BAG] = {0};
    for (uint32_t j = 0; j < s->bag_count[row]; j++)
        in_bag[s->bag[row][j]] = 1;
    return hcbr_i_rich_find_leaf(f->nodes + f->start[tree], s->codes[row],
                                 s->rich.encoder.column_count, in_bag, 1, f->nodes);
}

/* Every way through the trees: as wide as the processor can, narrower, and plain. */
static void compare_ways(sample *s, const hcbr_i_rich_layout *x, uint32_t forest, size_t first,
                         uint32_t trees, hcbr_i_rich_rows *rows) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(&s->rich, forest);
    uint32_t leaf[HCBR_I_RICH_LANES * ROWS];
    for (int way = 0; way < 3; way++) {
        hcbr_i_simd_narrow = way > 0;
        hcbr_i_simd_off = way > 1;
        memset(leaf, 0xFF, sizeof leaf);
        hcbr_i_rich_layout_follow(x, &s->rich, forest, first, trees, rows, leaf);
        for (uint32_t t = 0; t < trees; t++)
            for (uint32_t i = 0; i < rows->count; i++)
                assert_int_equal(leaf[t * rows->count + i], leaf_of(s, i, f, first + t));
    }
    hcbr_i_simd_off = hcbr_i_simd_narrow = false;
}

static void add_rows(const sample *s, const hcbr_i_rich_layout *x, hcbr_i_rich_rows *rows,
                     uint32_t from, uint32_t count, bool alone) {
    rows->count = 0;
    for (uint32_t i = from; i < from + count; i++) {
        const hcbr_i_rich_row row = {.codes = (uint8_t *)s->codes[i],
                                     .bag = (uint32_t *)s->bag[i],
                                     .bag_count = s->bag_count[i]};
        hcbr_i_rich_rows_add(rows, x, s->rich.encoder.column_count, &row, alone);
    }
}

/* Some rows, in room for more; before that others were there, and one alone. */
static void compare(sample *s, const hcbr_i_rich_layout *x, uint32_t forest, uint32_t count) {
    const hcbr_i_rich_forest *f = hcbr_i_rich_forest_at(&s->rich, forest);
    hcbr_i_rich_rows rows;
    assert_true(hcbr_i_rich_rows_init(&rows, x, count + count / 3));
    add_rows(s, x, &rows, ROWS - count, count, false);
    add_rows(s, x, &rows, 1, 1, true);
    add_rows(s, x, &rows, 0, count, false);
    for (size_t first = 0; first < f->tree_count; first += HCBR_I_RICH_LANES) {
        const size_t left = f->tree_count - first;
        compare_ways(s, x, forest, first,
                     left < HCBR_I_RICH_LANES ? (uint32_t)left : (uint32_t)HCBR_I_RICH_LANES,
                     &rows);
    }
    hcbr_i_rich_rows_clear(&rows);
}

static void layout__leads_where_the_trees_lead(void **state) {
    (void)state;
    static sample s;
    int small = 0, large = 0, tops = 0;
    harness_random r = {harness_seed(20261117)};
    for (int n = 0; n < 200; n++) {
        hcbr_i_rich_layout *x;
        draw_sample(&s, &r);
        assert_true(hcbr_i_rich_layout_make(&x, &s.rich));
        assert_non_null(x);
        for (uint32_t f = 0; f < HCBR_I_RICH_FORESTS; f++) {
            const size_t trees = hcbr_i_rich_forest_at(&s.rich, f)->tree_count;
            small += trees && x->ways[f].small;
            large += trees && x->ways[f].steps;
            for (size_t t = 0; t < trees; t++)
                tops += !x->tops[f].whole[t];
            compare(&s, x, f, 1 + (uint32_t)harness_below(&r, n % 8 ? 80 : ROWS - 1));
        }
        hcbr_i_rich_layout_free(x);
        clear_sample(&s);
    }
    assert_true(small > 100 && large > 100 && tops > 100);
}

static void layout__has_bytes_only_for_members_that_are_asked_for(void **state) {
    (void)state;
    static hcbr_i_rich_node nodes[] = {{.test = 7, .no = 2},
                                       {.test = HCBR_I_RICH_LEAF, .no = 0},
                                       {.test = HCBR_I_RICH_LEAF, .no = 1}};
    static uint32_t start[] = {0};
    hcbr_i_rich rich = {
        .encoder = {.column_count = 2, .bag_count = 1000},
        .forest = {.nodes = nodes, .node_count = 3, .start = start, .tree_count = 1}};
    hcbr_i_rich_layout *x;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_int_equal(x->width, 3);
    assert_int_equal(x->slot[5], 2);
    assert_int_equal(x->slot[4], HCBR_I_NONE);
    hcbr_i_rich_layout_free(x);
}

static void layout__is_not_made_for_a_test_that_always_holds(void **state) {
    (void)state;
    static hcbr_i_rich_node nodes[] = {{.test = 0, .no = 2, .lo = 0, .hi = 255},
                                       {.test = HCBR_I_RICH_LEAF, .no = 0},
                                       {.test = HCBR_I_RICH_LEAF, .no = 1}};
    static uint32_t start[] = {0};
    hcbr_i_rich rich = {
        .encoder = {.column_count = 1},
        .forest = {.nodes = nodes, .node_count = 3, .start = start, .tree_count = 1}};
    hcbr_i_rich_layout *x;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_null(x);
    nodes[0].hi = 254;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_non_null(x);
    hcbr_i_rich_layout_free(x);
}

/* Nodes and leaves are numbered as they are met, or trees are followed as they stand. */
static void layout__is_not_made_for_nodes_in_another_order(void **state) {
    (void)state;
    static hcbr_i_rich_node nodes[] = {{.test = 0, .no = 2, .lo = 1, .hi = 2},
                                       {.test = HCBR_I_RICH_LEAF, .no = 0},
                                       {.test = HCBR_I_RICH_LEAF, .no = 1},
                                       {.test = HCBR_I_RICH_LEAF, .no = 2}};
    static uint32_t start[] = {0};
    hcbr_i_rich rich = {
        .encoder = {.column_count = 1},
        .forest = {.nodes = nodes, .node_count = 3, .start = start, .tree_count = 1}};
    hcbr_i_rich_layout *x;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_non_null(x);
    hcbr_i_rich_layout_free(x);
    nodes[2].no = 2; // a leaf is left out
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_null(x);
    nodes[2].no = 1;
    nodes[0].no = 3; // a node is
    rich.forest.node_count = 4;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_null(x);
}

/* The last byte that a step can name, and one more. */
static void layout__is_not_made_for_too_many_members(void **state) {
    (void)state;
    enum { LAST = (1 << 24) - 1 };
    static hcbr_i_rich_node nodes[] = {{.test = LAST, .no = 2},
                                       {.test = HCBR_I_RICH_LEAF, .no = 0},
                                       {.test = LAST, .no = 4},
                                       {.test = HCBR_I_RICH_LEAF, .no = 1},
                                       {.test = HCBR_I_RICH_LEAF, .no = 2}};
    static uint32_t start[] = {0};
    hcbr_i_rich rich = {
        .encoder = {.column_count = LAST, .bag_count = 2},
        .forest = {.nodes = nodes, .node_count = 5, .start = start, .tree_count = 1}};
    hcbr_i_rich_layout *x;
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_non_null(x);
    hcbr_i_rich_layout_free(x);
    nodes[2].test++; // another member
    assert_true(hcbr_i_rich_layout_make(&x, &rich));
    assert_null(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout__leads_where_the_trees_lead),
        cmocka_unit_test(layout__has_bytes_only_for_members_that_are_asked_for),
        cmocka_unit_test(layout__is_not_made_for_a_test_that_always_holds),
        cmocka_unit_test(layout__is_not_made_for_nodes_in_another_order),
        cmocka_unit_test(layout__is_not_made_for_too_many_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
