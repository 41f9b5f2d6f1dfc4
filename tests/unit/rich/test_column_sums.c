/*
 * Short ways on large tables: trees grown on sums of all columns at once are those of the long way,
 * and Newton's steps end at the optimum.
 */
#include "rich/linear/linear_newton.h"
#include "rich/rich.h"
#include "seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 3000, COLUMNS = 6, CHANNELS = 3 };

/* A table of numbers and categories, some of them absent. */
typedef struct sample {
    hcbr_i_rich_table table;
    hcbr_i_rich_column column[COLUMNS];
    uint8_t codes[COLUMNS * ROWS];
    uint64_t bag_start[ROWS + 1];
    uint32_t label[ROWS];
    double weight[ROWS], label_weight[2];
    uint64_t unit[ROWS], hash[ROWS];
    uint8_t fold[ROWS];
    double gradient[ROWS * (CHANNELS + 1)];
} sample;

static uint32_t below(uint64_t *random, uint32_t count) {
    *random = hcbr_i_mix(*random + 1);
    return (uint32_t)(*random >> 33) % count;
}

static void sample_draw(sample *s, uint64_t *random, uint32_t rows) {
    *s = (sample){.table = {.rows = rows, .columns = COLUMNS, .labels = 2, .total_weight = rows}};
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint8_t codes = (uint8_t)(c == 0 ? 255 : 1 + below(random, 200));
        s->column[c] = (hcbr_i_rich_column){.codes = codes, .ordered = c % 3 != 2};
        s->column[c].exact = s->column[c].ordered && codes < 20;
        for (uint32_t i = 0; i < rows; i++) {
            bool absent = c % 2 && below(random, 5) == 0;
            s->codes[c * rows + i] = (uint8_t)(absent ? 0 : 1 + below(random, codes));
        }
    }
    for (uint32_t i = 0; i < rows; i++) {
        s->label[i] = below(random, 255) < s->codes[i] ? 1 : 0;
        s->weight[i] = 1;
        s->fold[i] = HCBR_I_RICH_FOLDS;
        for (uint32_t c = 0; c < CHANNELS; c++)
            s->gradient[i * (CHANNELS + 1) + c] =
                below(random, 1000) / 500.0 - 1 + (s->codes[c * rows + i] % 7 == 0);
        s->gradient[i * (CHANNELS + 1) + CHANNELS] = 0.1 + below(random, 100) / 400.0;
    }
    s->table.column = s->column;
    s->table.codes = s->codes;
    s->table.bag_start = s->bag_start;
    s->table.label = s->label;
    s->table.weight = s->weight;
    s->table.unit = s->unit;
    s->table.fold = s->fold;
    s->table.label_weight = s->label_weight;
    s->table.hash = s->hash;
    s->table.sample_count = rows;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static void fill_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                      const uint32_t *rest, uint32_t rest_n) {
    (void)context;
    (void)rest;
    values[0] = n + 1e-4 * rest_n;
    for (uint32_t i = 0; i < n; i++)
        values[0] += 1e-9 * drawn[i];
}

static hcbr_i_rich_forest grow_one(const sample *s, const hcbr_i_rich_growth *growth) {
    static uint32_t drawn[ROWS], rest[ROWS];
    hcbr_i_rich_forest forest = {.outputs = 1};
    hcbr_i_rich_scratch *scratch = hcbr_i_rich_scratch_create(&s->table);
    uint32_t n = 0, others = 0;
    for (uint32_t i = 0; i < s->table.rows; i++) {
        if (hcbr_i_mix(i + growth->key) % 5)
            drawn[n++] = i;
        else
            rest[others++] = i;
    }
    for (int again = 0; again < 2; again++) // with what the first tree has left behind
        assert_true(hcbr_i_rich_grow(&forest, growth, scratch, drawn, n, rest, others));
    hcbr_i_rich_scratch_free(scratch);
    return forest;
}

static void whole__grows_the_same_trees(void **state) {
    (void)state;
    uint64_t random = test_seed(20261117);
    sample *s = malloc(sizeof *s);
    for (uint32_t round = 0; round < 24; round++) {
        sample_draw(s, &random, round % 3 ? ROWS : 300 + below(&random, 500));
        hcbr_i_rich_growth g = {.table = &s->table,
                                .gradient = s->gradient,
                                .channels = round % 2 ? 1 : 3,
                                .depth = 1 + below(&random, 14),
                                .lambda = 1,
                                .least_h = 0.3,
                                .columns = 0.9999,
                                .fewest_columns = 1,
                                .cuts = 1 + below(&random, 3),
                                .cases_per_cut = below(&random, 2) ? 200 : 1e300,
                                .key = round,
                                .leaf = fill_leaf};
        hcbr_i_rich_forest a = grow_one(s, &g);
        assert_true(hcbr_i_rich_table_lay(&s->table));
        hcbr_i_rich_forest b = grow_one(s, &g);
        assert_true(g.depth < 3 || a.node_count > 8);
        assert_int_equal(a.node_count, b.node_count);
        assert_int_equal(a.leaf_count, b.leaf_count);
        for (size_t i = 0; i < a.node_count; i++) {
            assert_int_equal(a.nodes[i].test, b.nodes[i].test);
            assert_int_equal(a.nodes[i].lo, b.nodes[i].lo);
            assert_int_equal(a.nodes[i].hi, b.nodes[i].hi);
            assert_int_equal(a.nodes[i].no, b.nodes[i].no);
        }
        assert_memory_equal(a.values, b.values, a.leaf_count * sizeof *a.values);
        hcbr_i_rich_forest_clear(&a);
        hcbr_i_rich_forest_clear(&b);
        hcbr_i_free(s->table.records);
        hcbr_i_free(s->table.bins);
    }
    free(s);
}

/* ---- linear model ---------------------------------------------------------------------------- */

static double support_of(const sample *s, const hcbr_i_rich_linear *a, uint32_t row) {
    double sum = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint8_t code = s->codes[(size_t)c * s->table.rows + row];
        sum += a->strength[a->place[c] + a->coarse[c * HCBR_I_RICH_CODES + code]];
    }
    return sum;
}

/* With nothing held out all fold models are alike, and alpha = C w / (1 + e^(y s)) at the optimum.
 */
static void newton__ends_where_descent_would(void **state) {
    (void)state;
    uint64_t random = test_seed(20261118);
    sample *s = malloc(sizeof *s);
    double *held = calloc(ROWS, sizeof *held);
    uint32_t stepped = 0;
    for (uint32_t round = 0; round < 24; round++) {
        sample_draw(s, &random, 400 + below(&random, 400));
        hcbr_i_rich_options o = {.seed = 1, .threads = 1 + round % 2};
        hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
        o.tuning.newton = 0;
        o.tuning.linear_passes = 0; // no descent
        o.tuning.linear_precision = 1e-9;
        hcbr_i_rich_linear a;
        hcbr_i_rich_kept kept = {0};
        assert_int_equal(hcbr_i_rich_linear_fit(&a, &kept, &s->table, &o, held, NULL, NULL, NULL),
                         HCBR_OK);
        double first = o.tuning.linear_c * s->weight[0];
        bool began = fabs((double)kept.alpha[0] - 1e-9 * first) < 1e-12 * first; // and no more
        stepped += !began;
        for (uint32_t i = 0; !began && i < s->table.rows; i++) {
            double y = s->label[i] ? 1 : -1, most = o.tuning.linear_c * s->weight[i];
            double alpha = most / (1 + exp(y * support_of(s, &a, i)));
            assert_true(fabs(alpha - (double)kept.alpha[i]) < 1e-4 * most);
        }
        hcbr_i_rich_linear_clear(&a);
        hcbr_i_rich_kept_clear(&kept);
    }
    assert_true(stepped > 5); // the others have too many values for so few cases
    free(held);
    free(s);
}

/* Steps are for narrow tables: a matrix of all pairs of columns is cheaper than many passes. */
static void newton__is_for_narrow_tables(void **state) {
    (void)state;
    static const struct {
        uint32_t rows, columns, entries, labels;
        bool pays;
    } TABLE[] = {
        {3000, 36, 3, 2, true},    // flags
        {3000, 60, 5, 2, false},   // ... of which there are too many
        {250, 13, 9, 2, true},     // a small table
        {250, 30, 30, 2, false},   // ... whose matrix would be larger than itself
        {199, 13, 9, 2, false},    // ... too small to tell
        {100000, 50, 17, 2, true}, // many cases of numbers
        {2000, 6, 4, 4, true},     // several labels
        {2000, 35, 4, 19, false},  // ... each of which would have a matrix
        {100000, 70, 17, 2, false} // more entries than are ever taken
    };
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        uint32_t place[128];
        for (uint32_t c = 0; c <= TABLE[i].columns; c++)
            place[c] = c * TABLE[i].entries;
        hcbr_i_rich_table table = {.rows = TABLE[i].rows, .columns = TABLE[i].columns};
        hcbr_i_rich_options o = {.seed = 1, .threads = 1};
        hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
        hcbr_i_rich_linear a = {.outputs = hcbr_i_rich_outputs(TABLE[i].labels),
                                .columns = TABLE[i].columns,
                                .place = place};
        hcbr_i_rich_fitter f = {.table = &table, .options = &o, .linear = &a};
        assert_int_equal(hcbr_i_rich_newton_pays(&f), TABLE[i].pays);
        f.precise = true; // not with very heavy cases
        assert_false(hcbr_i_rich_newton_pays(&f));
    }
}

/* Several labels are added four at a time or two: the same bytes. */
static void descent__is_the_same_on_any_processor(void **state) {
    (void)state;
    uint64_t random = test_seed(20261119);
    sample *s = malloc(sizeof *s);
    double *held = calloc((size_t)ROWS * 9, sizeof *held);
    for (uint32_t labels = 3; labels <= 9; labels++) {
        sample_draw(s, &random, 200 + below(&random, 200));
        s->table.labels = labels;
        for (uint32_t i = 0; i < s->table.rows; i++)
            s->label[i] = below(&random, labels);
        hcbr_i_rich_options o = {.seed = 1, .threads = 1};
        hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
        o.tuning.newton = UINT32_MAX;
        hcbr_i_rich_linear a[2];
        hcbr_i_rich_kept kept[2] = {{0}};
        for (int way = 0; way < 2; way++) {
            hcbr_i_simd_off = way;
            assert_int_equal(
                hcbr_i_rich_linear_fit(&a[way], &kept[way], &s->table, &o, held, NULL, NULL, NULL),
                HCBR_OK);
        }
        hcbr_i_simd_off = false;
        double far = 0;
        for (size_t i = 0; i < (size_t)s->table.rows * labels; i++)
            far = fmax(far, fabs((double)kept[0].alpha[i]));
        assert_true(far > 1); // something was learnt
        assert_memory_equal(kept[0].alpha, kept[1].alpha,
                            (size_t)s->table.rows * labels * sizeof *kept[0].alpha);
        assert_memory_equal(a[0].strength, a[1].strength,
                            hcbr_i_rich_linear_size(&a[0]) * labels * sizeof *a[0].strength);
        for (int way = 0; way < 2; way++) {
            hcbr_i_rich_linear_clear(&a[way]);
            hcbr_i_rich_kept_clear(&kept[way]);
        }
    }
    free(held);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole__grows_the_same_trees),
        cmocka_unit_test(newton__ends_where_descent_would),
        cmocka_unit_test(newton__is_for_narrow_tables),
        cmocka_unit_test(descent__is_the_same_on_any_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
