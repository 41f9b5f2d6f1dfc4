/*
 * Merged cases in blocks: rows end in the leaf that a walk of each row by itself finds, and the
 * rows listed for a member are those that have it; on random tables and trees, with whole and
 * partial blocks, many members of which a block has few, and codes that no test has in its middle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rich/reasons/row_blocks.h"

enum { COLUMNS = 5, MOST_ROWS = 700, MOST_NODES = 400 };

static uint64_t seed = 8128;

static uint32_t draw(uint32_t below) {
    seed += 0x9E3779B97F4A7C15u;
    return (uint32_t)(hcbr_i_mix(seed) % below);
}

/* A table, and the same row by row. */
typedef struct sample {
    hcbr_i_rich_table table;
    hcbr_i_rich_column column[COLUMNS];
    uint8_t codes[MOST_ROWS][COLUMNS];
    uint32_t *bag;   /* a copy: the blocks take the table's */
    uint32_t common; /* members that many rows have */
    hcbr_i_rich_node nodes[MOST_NODES];
    uint32_t start[1];
    hcbr_i_rich_forest forest;
} sample;

static int by_number(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static void draw_table(sample *s) {
    hcbr_i_rich_table *t = &s->table;
    t->rows = 1 + draw(MOST_ROWS - 1);
    t->columns = draw(4) ? COLUMNS : 0;
    t->bag_count = draw(4) ? 1 + draw(draw(2) ? 40 : 20000) : 0;
    t->column = s->column;
    t->codes = hcbr_i_alloc(t->rows, t->columns);
    t->bag_start = hcbr_i_alloc((size_t)t->rows + 1, sizeof *t->bag_start);
    t->bag = hcbr_i_alloc((size_t)t->rows * 12, sizeof *t->bag);
    s->bag = hcbr_i_alloc((size_t)t->rows * 12, sizeof *s->bag);
    s->common = t->bag_count < 3 ? t->bag_count : 3;
    for (uint32_t c = 0; c < t->columns; c++)
        s->column[c].codes = (uint8_t)(c == 0 ? 255 : 1 + draw(20));
    t->bag_start[0] = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        uint64_t at = t->bag_start[i], n = at;
        for (uint32_t c = 0; c < t->columns; c++)
            t->codes[(size_t)c * t->rows + i] = s->codes[i][c] =
                (uint8_t)draw(s->column[c].codes + 1u);
        for (uint32_t b = t->bag_count ? draw(12) : 0; b > 0; b--)
            t->bag[n++] = draw(draw(2) ? t->bag_count : s->common);
        qsort(t->bag + at, (size_t)(n - at), sizeof *t->bag, by_number);
        uint64_t end = at;
        for (uint64_t k = at; k < n; k++)
            if (k == at || t->bag[k] != t->bag[end - 1])
                t->bag[end++] = t->bag[k];
        t->bag_start[i + 1] = end;
    }
    memcpy(s->bag, t->bag, (size_t)t->bag_start[t->rows] * sizeof *s->bag);
}

/* A tree of at most this many levels, at the end of the nodes. */
static void draw_tree(sample *s, uint32_t levels) {
    const hcbr_i_rich_table *t = &s->table;
    uint32_t at = (uint32_t)s->forest.node_count++, tests = t->columns + t->bag_count;
    if (levels == 0 || tests == 0 || s->forest.node_count + 32 >= MOST_NODES || draw(8) == 0) {
        s->nodes[at] =
            (hcbr_i_rich_node){.test = HCBR_I_RICH_LEAF, .no = (uint32_t)s->forest.leaf_count++};
        return;
    }
    uint32_t test = draw(2) ? draw(t->columns + s->common) : draw(tests);
    uint8_t lo = (uint8_t)draw(256), hi = (uint8_t)(lo + draw(256u - lo));
    s->nodes[at] = (hcbr_i_rich_node){.test = test, .lo = lo, .hi = hi};
    if (test < t->columns && draw(3)) { // among the codes there are, from the first
        s->nodes[at].lo = (uint8_t)draw(3);
        s->nodes[at].hi = (uint8_t)(s->nodes[at].lo + draw(s->column[test].codes));
        if (s->nodes[at].hi < s->nodes[at].lo)
            s->nodes[at].hi = UINT8_MAX;
    }
    draw_tree(s, levels - 1);
    s->nodes[at].no = (uint32_t)s->forest.node_count;
    draw_tree(s, levels - 1);
}

static bool has(const sample *s, uint32_t i, uint32_t member) {
    for (uint64_t k = s->table.bag_start[i]; k < s->table.bag_start[i + 1]; k++)
        if (s->bag[k] == member)
            return true;
    return false;
}

static uint32_t leaf_of(const sample *s, uint32_t i) {
    uint32_t at = 0;
    while (s->nodes[at].test != HCBR_I_RICH_LEAF) {
        const hcbr_i_rich_node *x = &s->nodes[at];
        bool yes = x->test < s->table.columns
                       ? s->codes[i][x->test] >= x->lo && s->codes[i][x->test] <= x->hi
                       : has(s, i, x->test - s->table.columns);
        at = yes ? at + 1 : x->no;
    }
    return s->nodes[at].no;
}

/* All rows, some, one or none. */
static hcbr_i_rich_mask draw_rows(const hcbr_i_rich_block *b) {
    hcbr_i_rich_mask rows = b->all;
    uint32_t kind = draw(4);
    for (uint32_t i = 0; i < b->n; i++)
        if (kind == 0 || (kind == 1 && draw(3)) || (kind == 2 && i != b->n / 2))
            rows.word[i / 64] &= ~((uint64_t)1 << i % 64);
    return rows;
}

static void check(const sample *s, const hcbr_i_rich_block *b, uint32_t wanted) {
    uint32_t leaf[HCBR_I_RICH_ROWS];
    for (uint32_t i = 0; i < HCBR_I_RICH_ROWS; i++)
        leaf[i] = HCBR_I_NONE;
    hcbr_i_rich_mask rows = draw_rows(b);
    hcbr_i_rich_mask found = hcbr_i_rich_block_walk(b, &s->forest, 0, rows, leaf, wanted);
    for (uint32_t i = 0; i < HCBR_I_RICH_ROWS; i++) {
        if (i >= b->n || !hcbr_i_rich_mask_has(&rows, i)) {
            assert_false(hcbr_i_rich_mask_has(&found, i));
            assert_int_equal(leaf[i], HCBR_I_NONE);
            continue;
        }
        uint32_t expected = leaf_of(s, b->first + i);
        assert_int_equal(leaf[i], expected);
        assert_int_equal(hcbr_i_rich_mask_has(&found, i), expected == wanted);
    }
}

/* A row is listed for a member if and only if it has it, and rows rise. */
static void check_holders(const sample *s, const hcbr_i_rich_blocks *x) {
    uint64_t all = s->table.bag_start[s->table.rows];
    assert_int_equal(x->holder_start[0], 0);
    assert_int_equal(x->holder_start[s->table.bag_count], all);
    for (uint32_t member = 0; member < s->table.bag_count; member++)
        for (uint64_t n = x->holder_start[member]; n < x->holder_start[member + 1]; n++) {
            assert_true(has(s, x->holder[n], member));
            assert_true(n == x->holder_start[member] || x->holder[n - 1] < x->holder[n]);
        }
}

static void blocks__send_rows_where_each_goes_by_itself(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 300; round++) {
        static sample s;
        hcbr_i_rich_blocks blocks;
        hcbr_i_rich_block b;
        memset(&s, 0, sizeof s);
        draw_table(&s);
        s.forest.nodes = s.nodes;
        s.forest.start = s.start;
        s.forest.tree_count = 1;
        draw_tree(&s, 1 + draw(12));
        assert_true(hcbr_i_rich_blocks_init(&blocks, &s.table));
        assert_true(hcbr_i_rich_block_init(&b, &blocks));
        assert_null(s.table.codes);
        assert_null(s.table.bag);
        assert_int_equal(blocks.count, (s.table.rows + HCBR_I_RICH_ROWS - 1) / HCBR_I_RICH_ROWS);
        for (uint32_t turn = 0; turn < 2 * blocks.count; turn++) { // any order, some twice
            uint32_t wanted = leaf_of(&s, draw(s.table.rows));
            hcbr_i_rich_block_enter(&b, draw(blocks.count));
            check(&s, &b, wanted);
        }
        check_holders(&s, &blocks);
        hcbr_i_rich_block_clear(&b);
        hcbr_i_rich_blocks_clear(&blocks);
        hcbr_i_free(s.bag);
        hcbr_i_rich_table_clear(&s.table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks__send_rows_where_each_goes_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
