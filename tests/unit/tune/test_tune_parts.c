/*
 * Thresholds of three and more labels, from held-out supports that are given: the label to fall
 * back to, what each part would choose, and whether it is worth it where others chose, counted here
 * once more. What is best for one set of points is asked of eta.c, which has tests of its own.
 */
#include "add_case.h"
#include "model/model.h"
#include "unit/tune/tune_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 140, LABELS = 4, FOLDS = 4, ALL = FOLDS };
static const char *const NAME[] = {"a", "b", "c", "d"};

typedef struct table {
    uint32_t count, labels;
    double support[CASES][LABELS];
    uint32_t label[CASES], winner[CASES], fold[CASES];
    double weight[CASES];
    uint32_t fallback[LABELS];
    hcbr_i_heldout view; /* of the same, to ask for shares */
    double flat[CASES * LABELS];
} table;

static uint32_t below(uint32_t n) {
    return (uint32_t)((next_random() >> 20) % n);
}

/* A label that wins often has a support that says how sure it is. */
static void draw_table(table *t) {
    *t = (table){.count = 60 + below(CASES - 60), .labels = 3 + below(2)};
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t best = i < LABELS ? i % t->labels : below(t->labels);
        for (uint32_t l = 0; l < t->labels; l++)
            t->support[i][l] = (double)below(20) / 100;
        t->support[i][best] += 0.2 + (double)below(40) / 100;
        t->winner[i] = 0;
        for (uint32_t l = 1; l < t->labels; l++)
            t->winner[i] = t->support[i][l] > t->support[i][t->winner[i]] ? l : t->winner[i];
        t->label[i] = i < LABELS                                             ? i % t->labels
                      : (double)below(100) / 100 < t->support[i][best] + 0.1 ? best
                                                                             : below(t->labels);
        t->fold[i] = i < FOLDS ? i : below(FOLDS);
        t->weight[i] = 1 + below(3);
        for (uint32_t l = 0; l < t->labels; l++)
            t->flat[i * t->labels + l] = t->support[i][l];
    }
    t->view = (hcbr_i_heldout){
        .case_count = t->count, .label_count = t->labels, .support = t->flat, .fold_count = FOLDS};
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* The most frequent other label of the cases that l wins, the first of equals. */
static uint32_t fallback_of(const table *t, uint32_t l) {
    uint32_t best = l == 0;
    double most = -1;
    for (uint32_t f = 0; f < t->labels; f++) {
        double weight = 0;
        for (uint32_t i = 0; i < t->count; i++)
            weight += t->winner[i] == l && t->label[i] == f ? t->weight[i] : 0;
        if (f != l && weight > most) {
            most = weight;
            best = f;
        }
    }
    return best;
}

/* Thresholds of a label by the cases of some parts. */
static hcbr_i_eta choose(const table *t, uint32_t l, const bool in[FOLDS]) {
    hcbr_i_eta_point points[CASES];
    hcbr_i_eta_candidate *found;
    size_t n = 0, count;
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->winner[i] != l || !in[t->fold[i]])
            continue;
        double value = (t->label[i] != t->fallback[l]) - (double)(t->label[i] != l);
        points[n++] = (hcbr_i_eta_point){.support = t->support[i][l],
                                         .share = hcbr_i_heldout_share(&t->view, i, l),
                                         .value = (int64_t)(t->weight[i] * value * 1e6),
                                         .right = value > 0};
    }
    assert_int_equal(hcbr_i_eta_candidates(points, n, &found, &count, NULL), HCBR_OK);
    hcbr_i_eta best = found[hcbr_i_eta_best(found, count)].eta;
    hcbr_i_free(found);
    return best;
}

/* The mean of what the parts choose each by itself, of all but one (ALL: of all). */
static hcbr_i_eta mean_of(const table *t, uint32_t l, uint32_t but) {
    hcbr_i_eta mean = {0, 0};
    double parts = but == ALL ? FOLDS : FOLDS - 1;
    for (uint32_t k = 0; k < FOLDS; k++) {
        bool in[FOLDS] = {false};
        in[k] = true;
        hcbr_i_eta one = choose(t, l, in);
        if (k == but)
            continue;
        mean.support += one.support / parts;
        mean.share += one.share > 0.5 ? (one.share - 0.5) / parts : 0;
    }
    mean.share += mean.share > 0 ? 0.5 : 0;
    return mean;
}

/* What all parts but one choose together. */
static hcbr_i_eta together(const table *t, uint32_t l, uint32_t but) {
    bool in[FOLDS];
    for (uint32_t k = 0; k < FOLDS; k++)
        in[k] = k != but;
    return choose(t, l, in);
}

/* Accuracy where each part is decided by what the others chose; NULL: without thresholds. */
static double judged(const table *t,
                     hcbr_i_eta (*chosen)(const table *t, uint32_t l, uint32_t but)) {
    double right = 0, all = 0;
    for (uint32_t l = 0; l < t->labels; l++)
        for (uint32_t k = 0; k < FOLDS; k++) {
            hcbr_i_eta eta = chosen ? chosen(t, l, k) : (hcbr_i_eta){0, 0};
            for (uint32_t i = 0; i < t->count; i++) {
                if (t->winner[i] != l || t->fold[i] != k)
                    continue;
                bool kept =
                    hcbr_i_eta_passes(eta, t->support[i][l], hcbr_i_heldout_share(&t->view, i, l));
                right += t->label[i] == (kept ? l : t->fallback[l]) ? t->weight[i] : 0;
                all += t->weight[i];
            }
        }
    return right / all;
}

/* ---- by the library -------------------------------------------------------------------------- */

static void *copy(const void *from, size_t count, size_t size) {
    void *to = hcbr_i_alloc(count, size);
    assert_non_null(to);
    memcpy(to, from, count * size);
    return to;
}

static void tune(const table *t, hcbr_i_tuned *out) {
    hcbr_cases *cases;
    hcbr_tune_options options;
    hcbr_i_heldout_options held = {.folds = FOLDS};
    hcbr_i_heldout given = t->view;
    double lead[CASES] = {0};
    hcbr_label winner[CASES];
    for (uint32_t i = 0; i < t->count; i++)
        winner[i] = (hcbr_label)t->winner[i];
    given.support = copy(t->flat, (size_t)t->count * t->labels, sizeof *t->flat);
    given.label = copy(t->label, t->count, sizeof *t->label);
    given.weight = copy(t->weight, t->count, sizeof *t->weight);
    given.lead = copy(lead, t->count, sizeof *lead);
    given.winner = copy(winner, t->count, sizeof *winner);
    given.fold = copy(t->fold, t->count, sizeof *t->fold);
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t l = 0; l < t->labels; l++)
        assert_int_equal(add_one_case(cases, NULL, 0, NAME[l], NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_tune_options_init(&options);
    options.goal = HCBR_GOAL_ACCURACY;
    assert_int_equal(hcbr_i_tune_run(out, cases, &options, &held, &given, false, NULL, NULL, NULL),
                     HCBR_OK);
    hcbr_cases_free(cases);
}

static void parts__are_judged_by_what_the_others_chose(void **unused) {
    (void)unused;
    static table t;
    int kept = 0, means = 0, joint = 0;
    start("parts", 61);
    for (int round = 0; round < 150; round++) {
        hcbr_i_tuned tuned;
        char why[200];
        draw_table(&t);
        for (uint32_t l = 0; l < t.labels; l++)
            t.fallback[l] = fallback_of(&t, l);
        double before = judged(&t, NULL), mean = judged(&t, mean_of), all = judged(&t, together);
        tune(&t, &tuned);
        bool by_all = all > mean && all > before, by_mean = !by_all && mean > before;
        for (uint32_t l = 0; l < t.labels; l++) {
            hcbr_i_eta eta = by_all    ? together(&t, l, ALL)
                             : by_mean ? mean_of(&t, l, ALL)
                                       : (hcbr_i_eta){0, 0};
            assert_int_equal(tuned.fallback[l], t.fallback[l]);
            assert_near(tuned.eta[l].support, eta.support, 1e-12);
            assert_near(tuned.eta[l].share, eta.share, 1e-12);
        }
        if (by_all || by_mean)
            snprintf(why, sizeof why, "accuracy %.4f without thresholds, %.4f with them", before,
                     all > mean ? all : mean);
        else
            snprintf(why, sizeof why, "accuracy %.4f on %d held-out parts", before, FOLDS);
        assert_memory_equal(tuned.why, why, strlen(why));
        kept += !by_all && !by_mean;
        means += by_mean;
        joint += by_all;
        hcbr_i_tuned_clear(&tuned);
    }
    assert_true(kept > 0 && means > 0 && joint > 0);
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Cases of a few features, of which some go with a label. */
static hcbr_cases *draw_cases(uint32_t labels) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        uint32_t label = i < labels ? i : below(labels);
        char text[3][8];
        hcbr_feature f[3];
        for (uint32_t k = 0; k < 3; k++) {
            snprintf(text[k], 8, "v%u", k < 2 && below(2) ? label : below(5));
            f[k] = (hcbr_feature){NAME[k], 1, text[k], strlen(text[k])};
        }
        assert_int_equal(add_one_case(cases, f, 3, NAME[label], NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* The label that costs least where l has won and is wrong, the first of equals. */
static hcbr_label cheapest(const hcbr_i_heldout *h, uint32_t l, double cost[LABELS][LABELS]) {
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    double least = INFINITY;
    for (uint32_t f = 0; f < h->label_count; f++) {
        double sum = 0;
        for (uint32_t i = 0; i < h->case_count; i++)
            sum += h->winner[i] == (hcbr_label)l && h->label[i] != l ? cost[h->label[i]][f] : 0;
        if (f != l && sum < least) {
            least = sum;
            best = (hcbr_label)f;
        }
    }
    return best;
}

static void fallback__costs_least_where_the_label_is_wrong(void **unused) {
    (void)unused;
    start("fallback", 67);
    uint32_t decided = 0;
    for (int round = 0; round < 40; round++) {
        uint32_t labels = 3 + below(2), count = 0;
        double cost[LABELS][LABELS] = {{0}};
        hcbr_cost list[LABELS * LABELS];
        hcbr_cases *cases = draw_cases(labels);
        hcbr_tune_options options;
        hcbr_i_heldout_options held = {
            .folds = FOLDS, .engine = hcbr_i_engine_of(HCBR_MODEL_PLAIN), .part = {.passes = 1}};
        hcbr_i_tuned tuned;
        for (uint32_t truth = 0; truth < labels; truth++)
            for (uint32_t given = 0; given < labels; given++)
                if (truth != given) {
                    cost[truth][given] = 1 + below(4);
                    list[count++] = (hcbr_cost){NAME[truth], NAME[given], cost[truth][given]};
                }
        hcbr_tune_options_init(&options);
        options.goal = HCBR_GOAL_COST;
        options.costs = list;
        options.cost_count = count;
        assert_int_equal(
            hcbr_i_tune_run(&tuned, cases, &options, &held, NULL, false, NULL, NULL, NULL),
            HCBR_OK);
        for (uint32_t l = 0; l < labels; l++)
            assert_int_equal(tuned.fallback[l], cheapest(&tuned.heldout, l, cost));
        for (uint32_t i = 0; i < tuned.heldout.case_count; i++)
            decided += tuned.heldout.winner[i] != HCBR_LABEL_UNKNOWN;
        hcbr_i_tuned_clear(&tuned);
        hcbr_cases_free(cases);
    }
    assert_true(decided > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts__are_judged_by_what_the_others_chose),
        cmocka_unit_test(fallback__costs_least_where_the_label_is_wrong),
    };
    return cmocka_run_group_tests_name("tune parts", tests, NULL, NULL);
}
