/*
 * Rich models of any weights, from 0 and the smallest numbers there are to 10^9, and of a few rows
 * repeated up to 1.5 million times: whatever the table, the model is trained, written, read,
 * decides, explains and is evaluated with finite numbers, probabilities are such, and reasons add
 * up to the support.
 *
 *     test_weights_wild [--long]     HCBR_SEED=7 HCBR_LONG=1
 */
#include "add_case.h"
#include "engines.h"
#include "property/harness.h"
#include "row_of.h"
#include "unit/rich/rich_support.h"

#include <hcbr/evaluate.h>
#include <hcbr/explain.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUICK = 300, LONG = 5200, MOST_ROWS = 48, MOST_COLUMNS = 5, MOST_LABELS = 5 };

#define ROUNDING 1e-14 /* of shares of the forest, about 1 where all supports are nearly 0 */

typedef struct row {
    char text[MOST_COLUMNS][32];
    bool has[MOST_COLUMNS];
    int label;
} row;

typedef struct table {
    int rows, columns, labels;
    bool word[MOST_COLUMNS]; /* a name that is there or not; else a number or category */
    row row[MOST_ROWS];
    double weight[MOST_ROWS];
} table;

static uint64_t seed;
static bool is_long;
static uint64_t full_leaves;
static uint64_t at_table; /* the current one; HCBR_TABLE repeats it alone */

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what))                                                                               \
            fail_msg("table %llu: %s", (unsigned long long)at_table, #what);                       \
    } while (0)

static double unit(harness_random *r) {
    return (double)(harness_next(r) >> 11) * 0x1p-53;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A kind of weights for all rows of a table: of one size, of any size, whole, few that are not 0,
 * one that is heavier than all others together, next to nothing. */
static double draw_weight(harness_random *r, int kind) {
    double any = exp((unit(r) * 40 - 20) * 0.69314718) * 1e3, whole = floor(exp(20.723 * unit(r)));
    any = fmin(any, 1e9);
    switch (kind) {
    case 0:
        return whole;
    case 1:
        return any;
    case 2:
        return harness_below(r, 3) ? 0 : whole;
    case 3:
        return harness_below(r, 6) ? 1 : 1e9;
    case 4:
        return harness_below(r, 4) ? unit(r) : whole;
    case 5:
        return (double)(1 + harness_below(r, 3)) * 1e8;
    case 6:
        return ldexp(unit(r), -harness_below(r, 1074));
    case 7:
        return harness_below(r, 2) ? 1e9 : harness_below(r, 2) ? 0x1p-1074 : 1e-9;
    default:
        return 1;
    }
}

static void draw_row(harness_random *r, const table *t, const int *style, row *out) {
    int about = 0;
    for (int c = 0; c < t->columns; c++) {
        int value = harness_below(r, style[c] % 2 ? 3 : 12);
        out->has[c] = t->word[c] ? value % 2 == 0 : harness_below(r, 5) != 0;
        about += out->has[c] ? value : 0;
        if (style[c] / 2 % 3 == 0)
            snprintf(out->text[c], sizeof *out->text, "v%d", value);
        else if (style[c] / 2 % 3 == 1)
            snprintf(out->text[c], sizeof *out->text, "%d", value);
        else
            snprintf(out->text[c], sizeof *out->text, "%.4g", (value - 5) * exp(2.0 * value));
    }
    out->label = harness_below(r, 4) ? about % t->labels : harness_below(r, t->labels);
}

static void draw_table(table *t, uint64_t at) {
    harness_random r = {hcbr_i_mix(seed ^ hcbr_i_mix(at))};
    int style[MOST_COLUMNS], kind = harness_below(&r, 9), equal = harness_below(&r, 4) == 0;
    at_table = at;
    *t = (table){.rows = 2 + harness_below(&r, harness_below(&r, 2) ? 6 : MOST_ROWS - 2),
                 .columns = 1 + harness_below(&r, MOST_COLUMNS),
                 .labels = 2 + (harness_below(&r, 2) ? 0 : harness_below(&r, MOST_LABELS - 1))};
    for (int c = 0; c < t->columns; c++) {
        style[c] = harness_below(&r, 6);
        t->word[c] = harness_below(&r, 3) == 0;
    }
    for (int i = 0; i < t->rows; i++) {
        int before = i > 0 ? harness_below(&r, i) : 0;
        if (i > 0 && equal && harness_below(&r, 3)) { // the same once more, mostly
            t->row[i] = t->row[before];
            t->row[i].label = harness_below(&r, t->labels);
        } else {
            draw_row(&r, t, style, &t->row[i]);
        }
        t->weight[i] = draw_weight(&r, kind);
    }
}

static size_t features_of(const table *t, const row *x, hcbr_feature *out) {
    static const char *const NAMES[MOST_COLUMNS] = {"a", "b", "c", "d", "e"};
    size_t n = 0;
    for (int c = 0; c < t->columns; c++)
        if (x->has[c] && t->word[c])
            out[n++] = (hcbr_feature){NAMES[c], 1, NULL, 0};
        else if (x->has[c])
            out[n++] = (hcbr_feature){NAMES[c], 1, x->text[c], strlen(x->text[c])};
    return n;
}

static void print_table(const table *t) {
    for (int i = 0; i < t->rows; i++) {
        print_message("%d,%.17g", t->row[i].label, t->weight[i]);
        for (int c = 0; c < t->columns; c++)
            print_message(",%s", !t->row[i].has[c] ? "" : t->word[c] ? "yes" : t->row[i].text[c]);
        print_message("\n");
    }
}

static hcbr_cases *make_cases(const table *t, const uint32_t *times) {
    static const char *const LABELS[MOST_LABELS] = {"k", "l", "m", "n", "o"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (int i = 0; i < t->rows; i++) {
        hcbr_feature features[MOST_COLUMNS];
        size_t n = features_of(t, &t->row[i], features);
        for (uint32_t k = 0; k < (times ? times[i] : 1); k++)
            assert_int_equal(add_one_case(cases, features, n, LABELS[t->row[i].label], NULL, NULL),
                             HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check_decision(const hcbr_decision *d, size_t labels) {
    double sum = 0;
    CHECK(isfinite(d->lead));
    for (size_t l = 0; l < labels; l++)
        CHECK(isfinite(d->support[l]));
    for (size_t l = 0; d->probability && l < labels; l++) {
        CHECK(d->probability[l] >= 0 && d->probability[l] <= 1);
        sum += d->probability[l];
    }
    CHECK(!d->probability || fabs(sum - 1) < 1e-12);
}

static void check_explanation(const hcbr_explanation *e, size_t labels) {
    check_decision(e->decision, labels);
    for (size_t l = 0; l < labels; l++) {
        double sum = e->bias[l], absolute = fabs(e->bias[l]);
        for (size_t g = 0; g < e->atom_count; g++) {
            sum += e->atoms[g].contribution[l];
            absolute += fabs(e->atoms[g].contribution[l]);
        }
        CHECK(fabs(sum - e->decision->support[l]) <= 1e-12 * absolute + ROUNDING);
        absolute = e->influence_absolute[l] + fabs(e->bias[l]);
        CHECK(isfinite(absolute));
        CHECK(fabs(e->influence_sum[l] - e->decision->support[l]) <= 1e-12 * absolute + ROUNDING);
    }
}

/* Leaves that add the most a leaf may, and none that adds more. */
static void count_full(const hcbr_i_rich *rich) {
    double most = 64 * rich->kept.rate;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        for (size_t i = 0; i < rich->boosted.model[j].leaf_count * rich->outputs; i++) {
            CHECK(fabs(rich->boosted.model[j].values[i]) <= most);
            full_leaves += fabs(rich->boosted.model[j].values[i]) == most;
        }
}

/* Every row is decided and explained, by the model as it comes back from its file. */
static void check_model(const table *t, const hcbr_model *model, size_t labels) {
    hcbr_model *loaded = rich_model_reload(model);
    count_full(hcbr_i_model_rich(model));
    hcbr_explainer *explainer;
    hcbr_explain_options o;
    hcbr_explain_options_init(&o);
    o.atoms = SIZE_MAX;
    assert_int_equal(hcbr_explainer_create(&explainer, loaded, NULL, NULL, NULL), HCBR_OK);
    for (int i = 0; i < t->rows && i < 12; i++) {
        hcbr_feature features[MOST_COLUMNS];
        hcbr_explanation e = {.size = sizeof e};
        size_t n = features_of(t, &t->row[i], features);
        assert_int_equal(
            hcbr_explainer_explain(explainer, row_of(explainer, features, n), &o, &e, NULL),
            HCBR_OK);
        if (hcbr_i_model_rich(model)->family[0])
            check_explanation(&e, labels);
        else
            check_decision(e.decision, labels);
    }
    hcbr_explainer_free(explainer);
    hcbr_model_free(loaded);
}

static void check_evaluation(const hcbr_cases *cases, const hcbr_train_options *train) {
    hcbr_evaluate_options o;
    hcbr_evaluation *done;
    hcbr_error err;
    hcbr_evaluate_options_init(&o);
    o.folds = 2;
    o.train = train;
    hcbr_status st = hcbr_evaluate(&done, cases, &o, &err);
    if (st == HCBR_EDATA || st == HCBR_EUSAGE) // fewer cases than parts, or nothing to learn from
        return;
    if (st != HCBR_OK)
        fail_msg("%s", err.message);
    for (int m = HCBR_METRIC_ACCURACY; m <= HCBR_METRIC_BRIER; m++) {
        hcbr_figure f = {.size = sizeof f};
        hcbr_evaluation_get_figure(done, (hcbr_metric)m, HCBR_LABEL_UNKNOWN, &f);
        CHECK(!isinf(f.mean) && !isinf(f.pooled));
        if (m == HCBR_METRIC_ACCURACY)
            CHECK(f.mean >= 0 && f.mean <= 1);
        if (m == HCBR_METRIC_LOG_LOSS)
            CHECK(isnan(f.mean) || (f.mean >= 0 && f.mean <= 36.05));
    }
    hcbr_evaluation_free(done);
}

static void check_table(const table *t, const uint32_t *times, bool evaluate) {
    hcbr_cases *cases = make_cases(t, times);
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_error err = {0};
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.weight = times ? NULL : t->weight;
    hcbr_status st = hcbr_model_train(&model, cases, &o, &err);
    if (st != HCBR_EDATA) { // all weights are 0
        if (st != HCBR_OK)
            fail_msg("table %llu: %s", (unsigned long long)at_table, err.message);
        check_model(t, model, model->labels.count);
        hcbr_model_free(model);
        if (evaluate)
            check_evaluation(cases, &o);
    }
    hcbr_cases_free(cases);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void wild_weights__give_models_that_work(void **state) {
    (void)state;
    const char *only = getenv("HCBR_TABLE");
    int count = is_long ? LONG : harness_rounds(QUICK);
    for (int i = 0; i < count; i++) {
        table t;
        if (only && atoi(only) != i)
            continue;
        draw_table(&t, (uint64_t)i);
        if (only)
            print_table(&t);
        check_table(&t, NULL, i % 4 == 0);
    }
    print_message("%d tables, %llu full leaves\n", count, (unsigned long long)full_leaves);
    CHECK(only || full_leaves > 0); // reasons of such leaves were met, too
}

/* A few rows, each very often: as weights, as copies, and alike both ways. */
static void repeated_rows__give_models_that_work(void **state) {
    (void)state;
    int count = is_long ? 40 : harness_rounds(4);
    for (int i = 0; i < count; i++) {
        table t;
        uint32_t times[MOST_ROWS];
        double most = i == 0 ? harness_rounds(1500000) : is_long ? 3e5 : 5e4;
        draw_table(&t, (uint64_t)i + 1000000);
        t.rows = t.rows < 6 ? t.rows : 6;
        harness_random r = {hcbr_i_mix(seed + (uint64_t)i)};
        for (int k = 0; k < t.rows; k++) {
            times[k] = k == 0 ? (uint32_t)most : (uint32_t)exp(log(most / 4) * unit(&r));
            t.weight[k] = times[k];
        }
        check_table(&t, times, false);
        check_table(&t, NULL, true);
        hcbr_cases *copies = make_cases(&t, times), *once = make_cases(&t, NULL);
        hcbr_model *x = rich_model_train(copies, HCBR_EFFORT_NORMAL, 1, NULL);
        hcbr_model *y = rich_model_train(once, HCBR_EFFORT_NORMAL, 1, t.weight);
        assert_same_rich(x, y);
        hcbr_model_free(x);
        hcbr_model_free(y);
        hcbr_cases_free(copies);
        hcbr_cases_free(once);
    }
}

/* One row 1,500,000 times with three others: its label leaves the others next to no probability and
 * hardly a curvature. */
static void one_row_of_a_million_and_a_half__is_one_table(void **state) {
    static const char *const VALUES[] = {"1", "2", "2", "3", "4"};
    static const int LABELS[] = {1, 0, 1, 0, 0};
    (void)state;
    for (int rows = 4; rows <= 5; rows++)
        for (double heavy = 1; heavy <= 1e9; heavy *= 10) {
            table t = {.rows = rows, .columns = 1, .labels = 2};
            for (int i = 0; i < rows; i++) {
                t.row[i].has[0] = true;
                snprintf(t.row[i].text[0], 32, "%s", VALUES[i]);
                t.row[i].label = LABELS[i];
                t.weight[i] = i ? 1 : heavy;
            }
            check_table(&t, NULL, true);
            uint32_t times[] = {(uint32_t)harness_rounds(1500000), 1, 1, 1, 1};
            if (heavy == 1)
                check_table(&t, times, false);
        }
}

/* What rows say that have no equal, or contradict each other, is known exactly: the share of the
 * label among equal rows is the probability, however often all of it is repeated. */
static void heavy_rows__have_the_probability_of_their_labels(void **state) {
    static const struct { double yes, no; } SHARES[] = {{3, 1}, {1, 1}, {9, 1}, {1, 4}};
    (void)state;
    for (int exponent = 2; exponent <= 8; exponent += 2)
        for (size_t s = 0; s < sizeof SHARES / sizeof *SHARES; s++) {
            double size = pow(10, exponent), yes = SHARES[s].yes, no = SHARES[s].no;
            table t = {.rows = 6, .columns = 2, .labels = 2};
            for (int i = 0; i < 6; i++) { // three kinds of rows: contradictory, no, yes
                t.row[i].has[0] = t.row[i].has[1] = true;
                snprintf(t.row[i].text[0], 32, "p%d", i / 2);
                snprintf(t.row[i].text[1], 32, "q%d", i / 2 == 1);
                t.row[i].label = i / 2 == 0 ? i % 2 : i / 2 == 2;
                t.weight[i] = size * (i == 1 ? yes : i == 0 ? no : 1);
            }
            hcbr_cases *cases = make_cases(&t, NULL);
            hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, t.weight);
            hcbr_decider *decider;
            assert_int_equal(hcbr_decider_create(&decider, model, NULL, NULL), HCBR_OK);
            const double wanted[3] = {yes / (yes + no), 0, 1};
            for (int i = 0; i < 6; i += 2) {
                hcbr_feature features[MOST_COLUMNS];
                hcbr_decision d = {.size = sizeof d};
                size_t n = features_of(&t, &t.row[i], features);
                assert_int_equal(
                    hcbr_decider_decide(decider, row_by(decider, features, n), &d, NULL), HCBR_OK);
                if (!(fabs(d.probability[1] - wanted[i / 2]) < 0.05))
                    fail_msg("size 1e%d, rows %d: probability %g, expected %g", exponent, i / 2,
                             d.probability[1], wanted[i / 2]);
            }
            hcbr_decider_free(decider);
            hcbr_model_free(model);
            hcbr_cases_free(cases);
        }
}

/* The atoms by themselves: a feature of equal rows has the logit of their labels' shares, also
 * where it takes a pull of millions each way to say so. */
static void heavy_rows__have_the_strength_of_their_labels(void **state) {
    static const double SHARES[][2] = {{3, 1}, {1, 1}, {9, 1}, {1, 4}};
    (void)state;
    for (int exponent = 3; exponent <= 8; exponent++)
        for (size_t s = 0; s < sizeof SHARES / sizeof *SHARES; s++) {
            double size = pow(10, exponent), nearest = INFINITY;
            double wanted = log(SHARES[s][0] / SHARES[s][1]);
            table t = {.rows = 6, .columns = 1, .labels = 2};
            for (int i = 0; i < 6; i++) { // three kinds of rows: contradictory, no, yes
                t.row[i].has[0] = true;
                snprintf(t.row[i].text[0], 32, "p%d", i / 2);
                t.row[i].label = i / 2 == 0 ? i % 2 : i / 2 == 2;
                t.weight[i] = size * (i < 2 ? SHARES[s][1 - i] : 1);
            }
            hcbr_cases *cases = make_cases(&t, NULL);
            hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, t.weight);
            const hcbr_i_rich_linear *a = &hcbr_i_model_rich(model)->linear;
            assert_int_equal(a->columns, 1);
            for (uint32_t e = 1; e < a->place[1]; e++)
                if (fabs(a->strength[e] - wanted) < fabs(nearest - wanted))
                    nearest = a->strength[e];
            if (!(fabs(nearest - wanted) < 0.4)) // fitted to 0.2 on average
                fail_msg("1e%d copies, %g to %g: strength %g, expected %g", exponent, SHARES[s][0],
                         SHARES[s][1], nearest, wanted);
            hcbr_model_free(model);
            hcbr_cases_free(cases);
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wild_weights__give_models_that_work),
        cmocka_unit_test(repeated_rows__give_models_that_work),
        cmocka_unit_test(one_row_of_a_million_and_a_half__is_one_table),
        cmocka_unit_test(heavy_rows__have_the_probability_of_their_labels),
        cmocka_unit_test(heavy_rows__have_the_strength_of_their_labels),
    };
    seed = harness_seed(20261117);
    is_long = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
