/*
 * The two solvers against naive ones: the grower finds the best of all tests, and the strengths of
 * single tests meet the conditions of the optimum.
 */
#include "unit/rich/rich_support.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 60, COLUMNS = 3, MEMBERS = 4, DEPTH = 4 };

/* A table by hand: an ordered column with absent codes, a category, few ordered values, a bag. */
typedef struct sample {
    hcbr_i_rich_table table;
    hcbr_i_rich_column column[COLUMNS];
    uint8_t codes[COLUMNS * ROWS];
    uint64_t bag_start[ROWS + 1];
    uint32_t bag[ROWS * MEMBERS], label[ROWS];
    double weight[ROWS], label_weight[2];
    uint64_t unit[ROWS], hash[ROWS];
    uint8_t fold[ROWS];
} sample;

static void sample_draw(sample *s, uint64_t *random) {
    *s = (sample){.column = {{.ordered = true, .codes = 12},
                             {.ordered = false, .codes = 5},
                             {.ordered = true, .exact = true, .codes = 4}}};
    s->table = (hcbr_i_rich_table){.rows = ROWS,
                                   .columns = COLUMNS,
                                   .bag_count = MEMBERS,
                                   .labels = 2,
                                   .column = s->column,
                                   .codes = s->codes,
                                   .bag_start = s->bag_start,
                                   .bag = s->bag,
                                   .label = s->label,
                                   .weight = s->weight,
                                   .unit = s->unit,
                                   .fold = s->fold,
                                   .hash = s->hash,
                                   .label_weight = s->label_weight,
                                   .grid = 0x1p-40};
    for (uint32_t i = 0; i < ROWS; i++) {
        s->codes[i] = (uint8_t)(rich_draw(random) % 13);
        s->codes[ROWS + i] = (uint8_t)(1 + rich_draw(random) % 5);
        s->codes[2 * ROWS + i] = (uint8_t)(1 + rich_draw(random) % 4);
        s->bag_start[i + 1] = s->bag_start[i];
        for (uint32_t b = 0; b < MEMBERS; b++)
            if (rich_draw(random) % 3 == 0)
                s->bag[s->bag_start[i + 1]++] = b;
        s->label[i] = rich_draw(random) % 5 == 0 || (s->codes[i] > 6) != (s->codes[ROWS + i] == 2);
        s->weight[i] = (double)(1 + rich_draw(random) % 3);
        s->unit[i] = s->hash[i] = rich_draw(random);
        s->fold[i] = HCBR_I_RICH_FOLDS;
        s->label_weight[s->label[i]] += s->weight[i];
        s->table.total_weight += s->weight[i];
    }
}

static bool passes(const sample *s, uint32_t row, uint32_t test, uint32_t lo, uint32_t hi) {
    if (test < COLUMNS) {
        uint32_t code = s->codes[test * ROWS + row];
        return code >= lo && code <= hi;
    }
    for (uint64_t j = s->bag_start[row]; j < s->bag_start[row + 1]; j++)
        if (s->bag[j] == test - COLUMNS)
            return true;
    return false;
}

/* ---- the grower ------------------------------------------------------------------------------ */

/* The gain of a test among the rows with `in`, or -1 if it is not allowed. */
static double gain_of(const sample *s, const double *g, const bool *in, uint32_t width,
                      double lambda, double least, uint32_t test, uint32_t lo, uint32_t hi) {
    double sum[2][4] = {{0}}, score[3] = {0};
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t c = 0; in[i] && c < width; c++)
            sum[passes(s, i, test, lo, hi)][c] += g[i * width + c];
    if (sum[0][width - 1] < least || sum[1][width - 1] < least)
        return -1;
    for (uint32_t c = 0; c + 1 < width; c++) {
        score[0] += pow(sum[0][c], 2);
        score[1] += pow(sum[1][c], 2);
        score[2] += pow(sum[0][c] + sum[1][c], 2);
    }
    double h = sum[0][width - 1] + sum[1][width - 1] + lambda;
    return score[0] / (sum[0][width - 1] + lambda) + score[1] / (sum[1][width - 1] + lambda) -
           score[2] / h;
}

static double best_gain(const sample *s, const double *g, const bool *in, uint32_t width,
                        double lambda, double least) {
    double best = -1;
    for (uint32_t c = 1; c <= 12; c++) {
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 0, 1, c));
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 0, c, 255));
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 1, c, c));
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 1, 1, c)); // by name
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 1, c, 255));
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 2, c, c));
        best = fmax(best, gain_of(s, g, in, width, lambda, least, 2, c, 255));
    }
    for (uint32_t b = 0; b < MEMBERS; b++)
        best = fmax(best, gain_of(s, g, in, width, lambda, least, COLUMNS + b, 0, 0));
    return best;
}

static uint32_t leaves, leaf_rows;

static void count_leaf(void *context, double *values, const uint32_t *drawn, uint32_t n,
                       const uint32_t *rest, uint32_t rest_n) {
    (void)context, (void)drawn, (void)rest;
    values[0] = 0;
    leaves++;
    leaf_rows += n + rest_n;
}

/* Every node has the best test of its rows; a leaf above the deepest has none. Returns the node
 * behind the last one. */
static uint32_t check_node(const sample *s, const hcbr_i_rich_forest *f, const double *g,
                           const bool *in, uint32_t width, uint32_t at, uint32_t depth) {
    const hcbr_i_rich_node *node = f->nodes + at;
    double best = best_gain(s, g, in, width, 1, 0.3);
    if (node->test == HCBR_I_RICH_LEAF) {
        assert_true(depth == DEPTH || best <= 1e-6);
        return at + 1;
    }
    double gain = gain_of(s, g, in, width, 1, 0.3, node->test, node->lo, node->hi);
    assert_true(fabs(gain - best) <= 1e-9 * (1 + best));
    bool yes[ROWS], no[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        yes[i] = in[i] && passes(s, i, node->test, node->lo, node->hi);
        no[i] = in[i] && !yes[i];
    }
    assert_int_equal(check_node(s, f, g, yes, width, at + 1, depth + 1), node->no);
    return check_node(s, f, g, no, width, node->no, depth + 1);
}

static void grow__finds_the_best_of_all_tests(void **state) {
    (void)state;
    uint64_t random = 4711;
    print_message("seed %llu\n", (unsigned long long)random);
    for (uint32_t round = 0; round < 300; round++) {
        sample s;
        double g[ROWS * 4];
        uint32_t drawn[ROWS], channels = round % 2 ? 3 : 1, width = channels + 1;
        sample_draw(&s, &random);
        for (uint32_t i = 0; i < ROWS; i++) {
            drawn[i] = i;
            for (uint32_t c = 0; c < width; c++)
                g[i * width + c] = ldexp((double)(rich_draw(&random) % 2001) - 1000, -10);
            g[i * width + channels] = ldexp((double)(1 + rich_draw(&random) % 256), -10);
        }
        hcbr_i_rich_forest forest = {.outputs = 1};
        hcbr_i_rich_growth growth = {.table = &s.table,
                                     .gradient = g,
                                     .channels = channels,
                                     .depth = DEPTH,
                                     .lambda = 1,
                                     .least_h = 0.3,
                                     .columns = 0.9999,
                                     .fewest_columns = COLUMNS + MEMBERS,
                                     .cuts = 12,
                                     .cases_per_cut = 1,
                                     .key = random,
                                     .leaf = count_leaf};
        hcbr_i_rich_scratch *scratch = hcbr_i_rich_scratch_create(&s.table);
        leaves = leaf_rows = 0;
        assert_true(hcbr_i_rich_grow(&forest, &growth, scratch, drawn, ROWS, NULL, 0));
        assert_true(leaves >= 2);
        assert_int_equal(leaf_rows, ROWS);
        bool in[ROWS];
        memset(in, true, sizeof in);
        assert_int_equal(check_node(&s, &forest, g, in, width, 0, 0), forest.node_count);
        hcbr_i_rich_scratch_free(scratch);
        hcbr_i_rich_forest_clear(&forest);
    }
}

/* ---- strengths of single tests --------------------------------------------------------------- */

/* Tests two cases share, before scaling. */
static double shared(const sample *s, uint32_t i, uint32_t j) {
    double sum = 0;
    int a = s->codes[i], b = s->codes[j];
    if (a && b)
        sum += 1 - abs(a - b) / 11.0;
    sum += s->codes[ROWS + i] == s->codes[ROWS + j];
    sum += 1 - abs(s->codes[2 * ROWS + i] - s->codes[2 * ROWS + j]) / 3.0;
    for (uint32_t m = 0; m < MEMBERS; m++)
        sum += passes(s, i, COLUMNS + m, 0, 0) && passes(s, j, COLUMNS + m, 0, 0);
    return sum;
}

static double support(const sample *s, const hcbr_i_rich_linear *a, uint32_t row) {
    double sum = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        sum +=
            a->strength[a->place[c] + a->coarse[c * HCBR_I_RICH_CODES + s->codes[c * ROWS + row]]];
    for (uint64_t j = s->bag_start[row]; j < s->bag_start[row + 1]; j++)
        sum += a->strength[a->place[COLUMNS] + s->bag[j]];
    return sum;
}

static void atoms__meet_the_conditions_of_the_optimum(void **state) {
    (void)state;
    uint64_t random = 42;
    print_message("seed %llu\n", (unsigned long long)random);
    for (uint32_t round = 0; round < 20; round++) {
        sample s;
        sample_draw(&s, &random);
        hcbr_i_rich_options o = {.seed = 1, .threads = 1};
        hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
        o.tuning.linear_passes = 5000;
        o.tuning.linear_precision = 1e-9;
        hcbr_i_rich_linear a;
        hcbr_i_rich_kept kept = {0};
        double held[ROWS], total = 0;
        assert_int_equal(hcbr_i_rich_linear_fit(&a, &kept, &s.table, &o, held, NULL, NULL, NULL),
                         HCBR_OK);
        for (uint32_t i = 0; i < ROWS; i++)
            total += s.weight[i] * shared(&s, i, i);
        double scale = s.table.total_weight / total;
        for (uint32_t i = 0; i < ROWS;
             i++) { // mu = sum of y alpha phi, alpha = C w / (1 + e^(y s))
            double sum = 0;
            for (uint32_t j = 0; j < ROWS; j++) {
                double y = s.label[j] ? 1 : -1;
                double alpha = o.tuning.linear_c * s.weight[j] / (1 + exp(y * support(&s, &a, j)));
                sum += y * alpha * shared(&s, i, j) * scale;
            }
            assert_true(fabs(sum - support(&s, &a, i)) < 1e-3);
        }
        hcbr_i_rich_linear_clear(&a);
        hcbr_i_rich_kept_clear(&kept);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grow__finds_the_best_of_all_tests),
        cmocka_unit_test(atoms__meet_the_conditions_of_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
