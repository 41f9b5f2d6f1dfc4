/*
 * Learning curves: a tenth of the cases is held out, models are built from growing parts of the
 * others, and decide both their training cases and the tenth. A larger training set contains the
 * smaller ones. The mean is over draws of the tenth.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>

#define HELD_OUT 0.1

/* Shares of the training cases, in thousandths. */
static const uint32_t SHARES[] = {10,  20,  50,  100, 150, 200, 300,
                                  400, 500, 600, 700, 800, 900, 1000};
enum { POINTS = sizeof SHARES / sizeof SHARES[0] };

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t size_of(uint32_t point, uint64_t all) {
    uint64_t size = (all * SHARES[point] + 500) / 1000;
    return size < 1 ? 1 : size;
}

static void shuffle(uint64_t *list, uint32_t count, uint64_t *state) {
    for (uint32_t i = count; i > 1; i--) {
        uint64_t j = study_draw_below(state, i), swap = list[i - 1];
        list[i - 1] = list[j];
        list[j] = swap;
    }
}

/* As many training cases as a point has, drawn for each repeat. */
static void draw_cases(const study *s, uint32_t point, uint32_t repeat, study_lists *lists,
                       hcbr_train_options *options) {
    (void)options;
    uint64_t state = study_mix(s->seed ^ study_mix(repeat + 1));
    const uint64_t seen = lists->train_count - s->stated, drawn = size_of(point, seen);
    lists->train_count = drawn + s->stated;
    shuffle(lists->train, (uint32_t)seen, &state);
    memmove(lists->train + drawn, lists->train + seen, s->stated * sizeof *lists->train);
    qsort(lists->train, lists->train_count, sizeof *lists->train, ascending);
}

static void put(const study_grid *g) {
    static const char *const COLUMNS[] = {"share",          "cases",
                                          "train_accuracy", "train_mcc",
                                          "test_accuracy",  "test_mcc",
                                          "test_unknown",   "train_accuracy_sd",
                                          "train_mcc_sd",   "test_accuracy_sd",
                                          "test_mcc_sd",    NULL};
    study_table *t = study_begin(g->study, "curve",
                                 "a number of training cases, with means over the draws", COLUMNS);
    double before = -1;
    for (uint32_t p = 0; p < POINTS; p++) {
        /* of the first draw: the tenth has the same size in all */
        double size = g->figures[(size_t)p * g->folds.part_count * TRIAL_FIGURES + TRIAL_CASES];
        if (size == before) // with few cases, several shares are the same number
            continue;
        before = size;
        double *row = study_add(t, NULL);
        row[0] = SHARES[p] / 1000.0;
        row[1] = size;
        for (int f = TRIAL_TRAIN_ACCURACY; f <= TRIAL_TEST_UNKNOWN; f++) {
            study_spread spread = study_grid_get(g, p, (study_figure)f);
            row[2 + f] = spread.mean;
            if (f < TRIAL_TEST_UNKNOWN)
                row[7 + f] = spread.sd;
        }
    }
}

/* The sentence about bias and variance, from the last row. */
static void say(study *s) {
    const study_table *t = &s->tables[0];
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

hcbr_status study_curve(study *s, hcbr_error *err) {
    study_grid grid = {.study = s, .ways = POINTS, .holdout = HELD_OUT, .arrange = draw_cases};
    hcbr_status st = study_grid_run(&grid, err);
    if (st != HCBR_OK)
        return st;
    put(&grid);
    say(s);
    study_grid_clear(&grid);
    return HCBR_OK;
}
