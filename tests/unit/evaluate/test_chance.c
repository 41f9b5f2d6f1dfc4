/*
 * What chance explains, held against chance itself: probabilities that are exactly right, areas and
 * matrices whose true values are known, drawn many times.
 */
#include "evaluate/evaluate.h"

#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MOST 1000

static double draw_unit(harness_random *r) {
    return (harness_below(r, 1 << 20) + 0.5) / (1 << 20);
}

/* ---- probabilities --------------------------------------------------------------------------- */

/* Ways in which probabilities are spread: evenly, near the ends, all alike, rare. */
static double draw_probability(harness_random *r, int way) {
    double u = draw_unit(r);
    return way == 0   ? u
           : way == 1 ? (u < 0.5 ? 2 * u * u : 1 - 2 * (1 - u) * (1 - u))
           : way == 2 ? 0.3
                      : 0.1 * u;
}

/* Bins of cases whose outcomes come true with `bent` of the probabilities. */
static hcbr_i_bins draw_bins(harness_random *r, int count, int way, double bend) {
    static uint32_t truth[MOST];
    static double probability[2 * MOST];
    for (int i = 0; i < count; i++) {
        double p = draw_probability(r, way), middle = 0.5 + bend * (p - 0.5);
        probability[2 * i + 1] = p;
        probability[2 * i] = 1 - p;
        truth[i] = draw_unit(r) < middle;
    }
    hcbr_i_bins bins = {{0}, {0}, {0}};
    hcbr_i_answers answers = {
        .count = (uint32_t)count, .label_count = 2, .truth = truth, .probability = probability};
    hcbr_i_bins_add(&bins, &answers, 1);
    return bins;
}

static bool exceeds_chance(const hcbr_i_bins *bins, double *mean) {
    hcbr_i_chance chance = hcbr_i_bins_chance(bins);
    assert_true(chance.mean > 0 && chance.most > chance.mean && chance.most < 1);
    *mean += chance.mean;
    return hcbr_i_bins_error(bins) > chance.most;
}

/* One in twenty, give or take four deviations of so many draws, at every size; and the mean error
 * that is foretold is the one that occurs. */
static void calibration__condemns_exact_probabilities_once_in_twenty(void **state) {
    (void)state;
    enum { ROUNDS = 400 };
    static const int SIZES[] = {30, 100, 300, 1000};
    harness_random r = {harness_seed(61)};
    for (int way = 0; way < 4; way++)
        for (int s = 0; s < 4; s++) {
            int condemned = 0;
            double error = 0, foretold = 0;
            for (int round = 0; round < ROUNDS; round++) {
                hcbr_i_bins bins = draw_bins(&r, SIZES[s], way, 1);
                condemned += exceeds_chance(&bins, &foretold);
                error += hcbr_i_bins_error(&bins);
            }
            assert_true(condemned <= 0.05 * ROUNDS + 4 * sqrt(ROUNDS * 0.05 * 0.95));
            assert_true(fabs(error / foretold - 1) < 0.1);
        }
}

/* Twice too sure: seen nearly always with a thousand cases. */
static void calibration__condemns_probabilities_that_are_wrong(void **state) {
    (void)state;
    harness_random r = {harness_seed(62)};
    int condemned = 0;
    double mean = 0;
    for (int round = 0; round < 50; round++) {
        hcbr_i_bins bins = draw_bins(&r, MOST, 1, 0.5);
        condemned += exceeds_chance(&bins, &mean);
    }
    assert_true(condemned >= 48);
}

/* ---- areas ----------------------------------------------------------------------------------- */

/* Scores of the one kind are above those of the other with probability 1 - (1 - s)^2 / 2, for even
 * draws that are shifted by s. */
static void areas__lie_in_their_intervals(void **state) {
    (void)state;
    enum { ROUNDS = 1000 };
    static const int SIZES[][2] = {{3, 27}, {8, 22}, {30, 30}, {5, 5}};
    harness_random r = {harness_seed(63)};
    for (int s = 0; s < 4; s++)
        for (int shift = 0; shift < 10; shift += 3) {
            int have = SIZES[s][0], all = have + SIZES[s][1], inside = 0;
            double apart = shift / 10.0, true_area = 1 - (1 - apart) * (1 - apart) / 2;
            for (int round = 0; round < ROUNDS; round++) {
                hcbr_i_ranked list[64];
                for (int i = 0; i < all; i++)
                    list[i] = (hcbr_i_ranked){draw_unit(&r) + (i < have ? apart : 0), 1, i < have};
                double area = hcbr_i_ranks_of(list, (size_t)all, 0).auc;
                hcbr_i_range range = hcbr_i_auc_range(area, have, all - have);
                assert_true(range.low >= 0 && range.low <= area && area <= range.high &&
                            range.high <= 1 && range.low < range.high);
                inside += range.low <= true_area && true_area <= range.high;
            }
            assert_true(inside >= 0.92 * ROUNDS);
        }
    /* no mistake among 30 does not mean that there is none */
    assert_true(hcbr_i_auc_range(1, 15, 15).low < 0.95 && hcbr_i_auc_range(0, 15, 15).high > 0.05);
    assert_true(hcbr_i_auc_range(1, 15, 15).high == 1);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* An evaluation of one part that has nothing but its matrix. */
static hcbr_i_range redrawn(int cells[3][3], uint32_t labels, double *mcc) {
    hcbr_confusion confusion[9];
    hcbr_evaluation e = {.repeats = 1,
                         .part_count = 1,
                         .positive = HCBR_LABEL_UNKNOWN,
                         .confusion = confusion,
                         .small = true};
    uint32_t truth[9];
    hcbr_label label[9];
    double weight[9];
    e.labels.count = labels;
    for (uint32_t t = 0; t < labels; t++)
        for (uint32_t l = 0; l < labels; l++)
            if (cells[t][l]) {
                size_t n = e.confusion_count++;
                truth[n] = t;
                label[n] = (hcbr_label)l;
                weight[n] = cells[t][l];
                confusion[n] = (hcbr_confusion){
                    .truth = (hcbr_label)t, .label = (hcbr_label)l, .count = cells[t][l]};
            }
    assert_int_equal(hcbr_i_counts_init(&e.counts, labels, NULL), HCBR_OK);
    hcbr_i_answers answers = {.count = (uint32_t)e.confusion_count,
                              .label_count = labels,
                              .truth = truth,
                              .label = label,
                              .weight = weight};
    hcbr_i_counts_add(&e.counts, &answers);
    *mcc = hcbr_i_counts_metric(&e.counts, HCBR_METRIC_MCC, HCBR_LABEL_UNKNOWN);
    assert_int_equal(hcbr_i_evaluation_redraw(&e, NULL), HCBR_OK);
    hcbr_i_counts_clear(&e.counts);
    return e.chance[HCBR_METRIC_MCC];
}

/* Two labels of equal share, a fifth or a twentieth of each answered wrongly: MCC 0.6 and 0.9. */
static void matrices__have_intervals_that_hold(void **state) {
    (void)state;
    enum { ROUNDS = 200 };
    harness_random r = {harness_seed(64)};
    for (int size = 30; size <= 300; size *= 10)
        for (int wrong = 5; wrong <= 20; wrong += 15) {
            int inside = 0;
            for (int round = 0; round < ROUNDS; round++) {
                int cells[3][3] = {{0}};
                double mcc, wanted = 1 - 2 * wrong / 100.0;
                for (int i = 0; i < size; i++) {
                    int truth = harness_below(&r, 2);
                    cells[truth][truth ^ (harness_below(&r, 100) < wrong)]++;
                }
                hcbr_i_range range = redrawn(cells, 2, &mcc);
                inside += range.low <= wanted && wanted <= range.high;
            }
            assert_true(inside >= 0.88 * ROUNDS);
        }
}

static void matrices__without_a_mistake_have_an_interval(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        int few[3][3] = {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}};
        int many[3][3] = {{1000, 0, 0}, {0, 1000, 0}, {0, 0, 1000}};
        double mcc;
        hcbr_i_range range = redrawn(few, labels, &mcc), narrow = redrawn(many, labels, &mcc);
        assert_true(fabs(mcc - 1) < 1e-12 && range.high > 1 - 1e-12 && range.low < 0.95 &&
                    range.low > 0.5);
        assert_true(narrow.low > 0.99 && narrow.low < 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibration__condemns_exact_probabilities_once_in_twenty),
        cmocka_unit_test(calibration__condemns_probabilities_that_are_wrong),
        cmocka_unit_test(areas__lie_in_their_intervals),
        cmocka_unit_test(matrices__have_intervals_that_hold),
        cmocka_unit_test(matrices__without_a_mistake_have_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
