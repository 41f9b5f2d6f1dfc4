/*
 * rich_bench DATA FOLDS [name=value ...]: fit the rich model on all folds but one, score the rest.
 *
 * FOLDS has the fold of each row of DATA. Prints a JSON line per fold (of the stack and of each
 * family alone) and one with the pooled calibration error. name=value changes a constant of the
 * method (hcbr_i_rich_tuning), or effort=0|1|2, seed, threads, folds (how many are run), part
 * (every n-th training case only).
 */
#include "rich/rich.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BINS 15
#define HELD 2048u /* cases that are scored together, as a table in memory is */

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double option(int argc, char **argv, const char *name, double otherwise) {
    size_t length = strlen(name);
    for (int i = 3; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return atof(argv[i] + length + 1);
    return otherwise;
}

/* Decisions gathered to be judged. */
typedef struct judge {
    uint32_t labels;
    double n, right, loss;
    double *real, *said;
} judge;

static void judge_init(judge *j, uint32_t labels) {
    *j = (judge){.labels = labels, .real = calloc(labels, 8), .said = calloc(labels, 8)};
}

static uint32_t judge_add(judge *j, uint32_t truth, const double *probability) {
    uint32_t best = 0;
    for (uint32_t l = 1; l < j->labels; l++)
        best = probability[l] > probability[best] ? l : best;
    j->n++;
    j->right += best == truth;
    j->real[truth]++;
    j->said[best]++;
    j->loss -= log(fmax(probability[truth], 1e-15));
    return best;
}

static void judge_print(const judge *j) {
    double cov = j->right * j->n, a = j->n * j->n, b = a;
    for (uint32_t l = 0; l < j->labels; l++) {
        cov -= j->real[l] * j->said[l];
        a -= j->said[l] * j->said[l];
        b -= j->real[l] * j->real[l];
    }
    printf("{\"accuracy\":%.6f,\"mcc\":%.6f,\"log_loss\":%.6f}", j->right / j->n,
           a > 0 && b > 0 ? cov / sqrt(a * b) : 0, j->loss / j->n);
}

static void soften(const double *support, uint32_t labels, double *probability) {
    if (labels == 2) {
        probability[1] = 1 / (1 + exp(-support[0]));
        probability[0] = 1 - probability[1];
        return;
    }
    double sum = 0, most = support[0];
    for (uint32_t l = 1; l < labels; l++)
        most = fmax(most, support[l]);
    for (uint32_t l = 0; l < labels; l++)
        sum += probability[l] = exp(support[l] - most);
    for (uint32_t l = 0; l < labels; l++)
        probability[l] /= sum;
}

/* Hold a case to be scored. False: no memory. */
static bool hold_case(hcbr_i_rich_scorer *scorer, const hcbr_i_rich *rich, const hcbr_cases *cases,
                      uint32_t i, const hcbr_i_key_id *keys) {
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(scorer);
    hcbr_i_rich_row_begin(&rich->encoder, row);
    if (!hcbr_i_rich_row_add_case(&rich->encoder, cases, i, keys, row))
        return false;
    hcbr_i_rich_row_end(row);
    hcbr_i_rich_hold(scorer);
    return true;
}

static void set_tuning(hcbr_i_rich_tuning *t, int argc, char **argv) {
#define SET(name, type) t->name = (type)option(argc, argv, #name, (double)t->name)
    t->family[0] = option(argc, argv, "atoms", t->family[0]) != 0;
    t->family[1] = option(argc, argv, "boosted", t->family[1]) != 0;
    t->family[2] = option(argc, argv, "votes", t->family[2]) != 0;
    SET(fewest_numbers, uint32_t);
    SET(linear_cuts, uint32_t);
    SET(linear_passes, uint32_t);
    SET(linear_precision, double);
    SET(linear_c, double);
    SET(newton, uint32_t);
    SET(depth[0], uint32_t);
    SET(depth[1], uint32_t);
    SET(most_trees, uint32_t);
    SET(patience, uint32_t);
    SET(stop_gain, double);
    SET(rate, double);
    SET(draw, double);
    SET(least_draw, double);
    SET(most_drawn, double);
    SET(columns, double);
    SET(fewest_columns, uint32_t);
    SET(lambda, double);
    SET(least_h, double);
    SET(cuts, double);
    SET(cases_per_cut, double);
    SET(forest_trees, uint32_t);
    SET(forest_prior, double);
    SET(forest_least, double);
    SET(forest_cases, double);
    SET(forest_first, double);
    SET(forest_trust, double);
    SET(linear_trust, double);
    SET(forest_cuts, double);
    SET(stack_cases, uint32_t);
    SET(stack_many, uint32_t);
    SET(laid, uint32_t);
    SET(medium, uint32_t);
    SET(large, uint32_t);
    SET(forest_columns, double);
    SET(stack_pull, double);
#undef SET
}

int main(int argc, char **argv) {
    hcbr_error err = {0};
    hcbr_cases *cases = NULL;
    const char *path = argv[1];
    if (argc < 3 || hcbr_cases_create(&cases, 1, &err) != HCBR_OK ||
        hcbr_cases_read(cases, &path, 1, NULL, &err) != HCBR_OK ||
        hcbr_cases_finish(cases, &err) != HCBR_OK) {
        fprintf(stderr, "rich_bench: %s\n", argc < 3 ? "DATA FOLDS" : err.message);
        return 3;
    }
    uint32_t n = cases->case_count, labels = cases->labels.count, most = 0;
    uint32_t *fold = malloc(n * sizeof *fold), *index = malloc(n * sizeof *index);
    FILE *file = fopen(argv[2], "r");
    for (uint32_t i = 0; file && i < n; i++) {
        if (fscanf(file, "%u", &fold[i]) != 1)
            return 3;
        most = fold[i] > most ? fold[i] : most;
    }
    hcbr_i_rich_options o = {.seed = (uint64_t)option(argc, argv, "seed", 1),
                             .threads = (uint32_t)option(argc, argv, "threads", 1)};
    hcbr_i_rich_tuning_init(&o.tuning, (hcbr_i_rich_effort)option(argc, argv, "effort", 1));
    set_tuning(&o.tuning, argc, argv);
    uint32_t runs = (uint32_t)option(argc, argv, "folds", most + 1);
    uint32_t part = (uint32_t)option(argc, argv, "part", 1);
    double bins[BINS][3] = {{0}}, tested = 0;
    double *support = calloc(labels, 8), *p = calloc(labels, 8);
    double *parts = calloc(HCBR_I_RICH_FAMILIES * (size_t)labels, 8);
    for (uint32_t k = 0; k < runs && k <= most; k++) {
        judge all, alone[HCBR_I_RICH_FAMILIES];
        judge_init(&all, labels);
        uint32_t count = 0, seen = 0;
        for (uint32_t i = 0; i < n; i++)
            if (fold[i] != k && seen++ % part == 0)
                index[count++] = i;
        hcbr_i_rich_view view = {.cases = cases, .index = index, .count = count};
        hcbr_i_rich *rich;
        hcbr_i_rich_scorer *scorer, *full; // as decisions are made, and with all families
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);
        if (hcbr_i_rich_train(&rich, &view, &o, &err) != HCBR_OK ||
            hcbr_i_rich_scorer_create(&scorer, rich, &err) != HCBR_OK) {
            fprintf(stderr, "rich_bench: %s\n", err.message);
            return 6;
        }
        double fit = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        double wall = seconds(CLOCK_MONOTONIC) - begin;
        if (hcbr_i_rich_scorer_create(&full, rich, &err) != HCBR_OK)
            return 6;
        hcbr_i_rich_scorer_want_parts(full);
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
            judge_init(&alone[f], labels);
        start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        hcbr_i_key_id *keys = hcbr_i_dict_need_tables(rich->encoder.dict, &err) == HCBR_OK
                                  ? hcbr_i_rich_keys_of(&rich->encoder, cases)
                                  : NULL;
        if (!keys)
            return 6;
        double predict = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        for (uint32_t i = 0; i < n;) {
            uint32_t held[HELD], count_held = 0, room = HELD;
            start = seconds(CLOCK_PROCESS_CPUTIME_ID);
            if (!hcbr_i_rich_scorer_reserve(scorer, &room))
                return 6;
            for (; i < n && count_held < room; i++) {
                if (fold[i] != k)
                    continue;
                if (!hold_case(scorer, rich, cases, i, keys))
                    return 6;
                held[count_held++] = i;
            }
            hcbr_i_rich_score_held(scorer);
            for (uint32_t h = 0; h < count_held; h++)
                hcbr_i_rich_get_held(scorer, h, support, p, NULL);
            predict += seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
            if (!hcbr_i_rich_scorer_reserve(full, &room))
                return 6;
            for (uint32_t h = 0; h < count_held; h++)
                if (!hold_case(full, rich, cases, held[h], keys))
                    return 6;
            hcbr_i_rich_score_held(full);
            for (uint32_t h = 0; h < count_held; h++) {
                const uint32_t label = cases->label[held[h]];
                hcbr_i_rich_get_held(full, h, support, p, parts);
                uint32_t best = judge_add(&all, label, p);
                uint32_t bin = (uint32_t)(p[best] * BINS);
                double *b = bins[bin < BINS ? bin : BINS - 1];
                b[0]++;
                b[1] += p[best];
                b[2] += best == label;
                tested++;
                for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++) {
                    soften(parts + f * (size_t)rich->outputs, labels, p);
                    judge_add(&alone[f], label, p);
                }
            }
        }
        printf("{\"fold\":%u,\"fit\":%.4f,\"wall\":%.4f,\"predict\":%.4f,\"rows\":%u,\"trust\":[%."
               "3f,%.3f,%.3f],"
               "\"trees\":[%zu,%zu,%zu,%zu,%zu],\"vote_nodes\":%zu,\"blend\":",
               k, fit, wall, predict, rich->rows, rich->stack.trust[0], rich->stack.trust[1],
               rich->stack.trust[2], rich->boosted.model[0].tree_count,
               rich->boosted.model[1].tree_count, rich->boosted.model[2].tree_count,
               rich->boosted.model[3].tree_count, rich->boosted.model[4].tree_count,
               rich->forest.node_count);
        judge_print(&all);
        const char *names[HCBR_I_RICH_FAMILIES] = {"atoms", "boosted", "votes"};
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
            if (rich->family[f]) {
                printf(",\"%s\":", names[f]);
                judge_print(&alone[f]);
            }
        printf("}\n");
        fflush(stdout);
        hcbr_i_free(keys);
        hcbr_i_rich_scorer_free(scorer);
        hcbr_i_rich_scorer_free(full);
        hcbr_i_rich_free(rich);
    }
    double ece = 0, bias = 0;
    for (uint32_t b = 0; b < BINS; b++)
        ece += fabs(bins[b][1] - bins[b][2]) / tested, bias += (bins[b][1] - bins[b][2]) / tested;
    printf("{\"ece\":%.5f,\"overconfidence\":%.5f}\n", ece, bias);
    hcbr_cases_free(cases);
    return 0;
}
