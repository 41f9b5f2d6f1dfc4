/*
 * Learning curves: a tenth of the cases is held out, models are built from ever more of the others,
 * and both the cases they were built from and the tenth are decided. A larger training set contains
 * the smaller ones. The mean is over draws of the tenth.
 */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HELD_OUT 0.1

/* Shares of the training cases, in thousandths. */
static const uint32_t SHARES[] = {10,  20,  50,  100, 150, 200, 300,
                                  400, 500, 600, 700, 800, 900, 1000};
enum { POINTS = sizeof SHARES / sizeof SHARES[0] };

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t size_of(uint32_t point, uint32_t all) {
    uint64_t size = ((uint64_t)all * SHARES[point] + 500) / 1000;
    return size < 1 ? 1 : (uint32_t)size;
}

/* As many training cases as a point has, drawn for each repeat. */
static void draw_cases(const hcbr_i_study_job *job, uint32_t point, uint32_t repeat,
                       hcbr_i_study_lists *lists, hcbr_train_options *options) {
    (void)options;
    uint64_t state = hcbr_i_mix(job->study->seed ^ hcbr_i_mix(repeat + 1));
    const uint32_t stated = hcbr_i_beliefs_cases(job->cases->beliefs); // the last, always there
    const uint32_t seen = lists->train_count - stated, drawn = size_of(point, seen);
    lists->train_count = drawn + stated;
    hcbr_i_shuffle(lists->train, seen, &state);
    memmove(lists->train + drawn, lists->train + seen, stated * sizeof *lists->train);
    qsort(lists->train, lists->train_count, sizeof *lists->train, ascending);
}

static hcbr_status put(const hcbr_i_study_grid *g, hcbr_error *err) {
    static const char *const COLUMNS[] = {"share",          "cases",
                                          "train_accuracy", "train_mcc",
                                          "test_accuracy",  "test_mcc",
                                          "test_unknown",   "train_accuracy_sd",
                                          "train_mcc_sd",   "test_accuracy_sd",
                                          "test_mcc_sd",    NULL};
    hcbr_i_study_table *t = hcbr_i_study_begin(
        g->job->study, "curve", "a number of training cases, with means over the draws", COLUMNS);
    double before = -1;
    for (uint32_t p = 0; p < POINTS; p++) {
        /* of the first draw, as the others: the tenth that is held out is as large in all */
        double size =
            g->figures[(size_t)p * g->folds.part_count * HCBR_I_TRIAL_FIGURES + HCBR_I_TRIAL_CASES];
        if (size == before) // of few cases, shares are the same number
            continue;
        before = size;
        double *row = hcbr_i_study_add(t, NULL);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = SHARES[p] / 1000.0;
        row[1] = size;
        for (int f = HCBR_I_TRAIN_ACCURACY; f <= HCBR_I_TEST_UNKNOWN; f++) {
            hcbr_i_spread spread = hcbr_i_study_grid_get(g, p, (hcbr_i_study_figure)f);
            row[2 + f] = spread.mean;
            if (f < HCBR_I_TEST_UNKNOWN)
                row[7 + f] = spread.sd;
        }
    }
    return HCBR_OK;
}

/* What the last row says of bias and variance. */
static void say(hcbr_study *s) {
    const hcbr_i_study_table *t = &s->tables[0];
    const double *last = t->values + (t->row_count - 1) * t->column_count;
    const double *half = last;
    for (size_t r = 0; r < t->row_count; r++)
        if (t->values[r * t->column_count] == 0.5)
            half = t->values + r * t->column_count;
    double gap = last[2] - last[4], growth = last[4] - half[4], sd = last[9];
    bool still = growth > (isnan(sd) ? 0.01 : fmax(sd, 0.005));
    snprintf(
        s->says, sizeof s->says,
        "With all training cases the accuracy is %.4f on them and %.4f on held-out ones, a gap "
        "of %.4f; from half of them to all the held-out accuracy moved by %+.4f: %s.",
        last[2], last[4], gap, growth,
        still        ? "more cases would still help"
        : gap > 0.05 ? "the model fits its own cases better than new ones"
                     : "more cases of the same kind would not help");
}

hcbr_status hcbr_i_study_curve(hcbr_i_study_job *job, hcbr_error *err) {
    hcbr_i_study_grid grid = {.ways = POINTS, .holdout = HELD_OUT, .arrange = draw_cases};
    hcbr_status st = hcbr_i_study_grid_run(&grid, job, err);
    if (st != HCBR_OK)
        return st;
    st = put(&grid, err);
    if (st == HCBR_OK)
        say(job->study);
    hcbr_i_study_grid_clear(&grid);
    return st;
}
