/*
 * Metrics against scikit-learn (golden/metrics.txt, made by golden/make_metrics.py), and what that
 * does not have: intervals, and metrics that do not exist.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_CASES 512
#define MOST_LABELS 8
#define AT 5 /* cases at the top */

/* A set of predictions as the file has it. */
typedef struct golden_set {
    int labels, count, positive;
    uint32_t truth[MOST_CASES];
    hcbr_label label[MOST_CASES];
    double support[MOST_CASES * MOST_LABELS], probability[MOST_CASES * MOST_LABELS];
    double difference[MOST_CASES];
} golden_set;

static double take_number(char **at) {
    char *end;
    double value = strtod(*at, &end);
    assert_ptr_not_equal(*at, end);
    *at = end;
    return value;
}

static void take_case(golden_set *set, char *at, int i) {
    set->truth[i] = (uint32_t)take_number(&at);
    set->label[i] = (hcbr_label)take_number(&at);
    for (int l = 0; l < set->labels; l++)
        set->support[i * set->labels + l] = take_number(&at) / 64;
    for (int l = 0; l < set->labels; l++)
        set->probability[i * set->labels + l] = take_number(&at) / 65536;
    if (set->labels == 2)
        set->difference[i] = set->support[2 * i + 1] - set->support[2 * i];
}

static hcbr_metric metric_of(const char *name) {
    for (int m = 0; m < HCBR_METRIC_END; m++)
        if (strcmp(hcbr_metric_name((hcbr_metric)m), name) == 0)
            return (hcbr_metric)m;
    fail_msg("no metric %s", name);
    return HCBR_METRIC_END;
}

static hcbr_i_answers answers_of(const golden_set *set) {
    return (hcbr_i_answers){(uint32_t)set->count,
                            (uint32_t)set->labels,
                            set->truth,
                            set->label,
                            set->labels == 2 ? set->difference : NULL,
                            set->support,
                            set->probability,
                            NULL};
}

static double rank_of(const hcbr_i_answers *answers, hcbr_metric metric, hcbr_label label) {
    double sum = 0;
    int count = 0;
    for (uint32_t l = 0; l < answers->label_count; l++) {
        hcbr_i_ranks ranks;
        if (label >= 0 && (hcbr_label)l != label)
            continue;
        assert_int_equal(hcbr_i_metric_ranks(&ranks, answers, l, AT, NULL), HCBR_OK);
        double value = hcbr_i_rank_metric(&ranks, metric);
        if (!isnan(value)) {
            sum += value;
            count++;
        }
    }
    return count ? sum / count : NAN;
}

static double measure(const golden_set *set, hcbr_metric metric, hcbr_label label) {
    hcbr_i_answers answers = answers_of(set);
    hcbr_i_counts counts;
    hcbr_i_bins bins = {{0}, {0}, {0}};
    if (label < 0 &&
        ((metric >= HCBR_METRIC_F1 && metric <= HCBR_METRIC_AUC) || hcbr_i_is_rank_metric(metric)))
        label = set->positive;
    switch ((int)metric) {
    case HCBR_METRIC_AUC:
    case HCBR_METRIC_PR_AUC:
    case HCBR_METRIC_PRECISION_AT:
        return rank_of(&answers, metric, label);
    case HCBR_METRIC_LOG_LOSS:
        return hcbr_i_metric_log_loss(&answers).sum / set->count;
    case HCBR_METRIC_BRIER:
        return hcbr_i_metric_brier(&answers, set->positive).sum / set->count;
    case HCBR_METRIC_ECE:
        hcbr_i_bins_add(&bins, &answers, set->positive);
        return hcbr_i_bins_error(&bins);
    default:
        break;
    }
    assert_int_equal(hcbr_i_counts_init(&counts, answers.label_count, NULL), HCBR_OK);
    hcbr_i_counts_add(&counts, &answers);
    double value = hcbr_i_counts_metric(&counts, metric, label);
    hcbr_i_counts_clear(&counts);
    return value;
}

static void metrics__agree_with_scikit_learn(void **state) {
    (void)state;
    static golden_set set;
    static char line[8192];
    char name[64], text[64];
    int label, cases = 0, values = 0, at = 0;
    FILE *file = fopen("golden/metrics.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        if (sscanf(line, "set %d %d %d", &set.labels, &set.count, &set.positive) == 3) {
            assert_true(set.labels <= MOST_LABELS && set.count <= MOST_CASES);
            at = 0;
        } else if (strncmp(line, "case ", 5) == 0) {
            take_case(&set, line + 5, at++);
            cases++;
        } else {
            assert_int_equal(sscanf(line, "%63s %d %63s", name, &label, text), 3);
            assert_int_equal(at, set.count);
            double found = measure(&set, metric_of(name), label);
            double wanted = strcmp(text, "none") == 0 ? NAN : strtod(text, NULL);
            if (isnan(wanted) ? !isnan(found) : !(fabs(found - wanted) < 1e-12))
                fail_msg("%s of label %d in a set of %d: found %.17g, wanted %s", name, label,
                         set.count, found, text);
            values++;
        }
    }
    fclose(file);
    print_message("%d predictions, %d values\n", cases, values);
    assert_true(cases >= 1000 && values >= 1000);
}

/* ---- cases without a reference in scikit-learn ----------------------------------------------- */

static void auc__equals_the_share_of_pairs_in_order(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 300; round++) {
        uint32_t truth[30];
        double difference[30], wins = 0, pairs = 0;
        hcbr_i_ranks ranks;
        for (int i = 0; i < 30; i++) {
            truth[i] = hcbr_i_draw_below(&random, 2);
            difference[i] = (double)hcbr_i_draw_below(&random, 8) - 4;
        }
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < 30; j++)
                if (truth[i] == 1 && truth[j] == 0) {
                    pairs++;
                    wins += difference[i] > difference[j]    ? 1
                            : difference[i] == difference[j] ? 0.5
                                                             : 0;
                }
        hcbr_i_answers answers = {30, 2, truth, NULL, difference, NULL, NULL, NULL};
        for (uint32_t label = 0; label < 2; label++) {
            assert_int_equal(hcbr_i_metric_ranks(&ranks, &answers, label, 0, NULL), HCBR_OK);
            assert_true(isnan(ranks.precision_at)); // nobody asked
            if (pairs > 0)
                assert_true(fabs(ranks.auc - wins / pairs) < 1e-12);
            else
                assert_true(isnan(ranks.auc));
        }
    }
}

/* The precision of the first cases is its mean over all orders of the ties; that of cases of weight
 * n is that of n copies. */
static void precision_at__takes_ties_in_part_and_weights_as_copies(void **state) {
    (void)state;
    uint64_t random = 9;
    for (int round = 0; round < 300; round++) {
        enum { N = 12 };
        uint32_t truth[N], many_truth[3 * N], copies = 0, at;
        double difference[N], weight[N], many[3 * N], positives = 0;
        hcbr_i_ranks one, other;
        for (int i = 0; i < N; i++) {
            truth[i] = i ? hcbr_i_draw_below(&random, 2) : 1;
            difference[i] = (double)hcbr_i_draw_below(&random, 4);
            weight[i] = 1 + (double)hcbr_i_draw_below(&random, 3);
            for (int c = 0; c < (int)weight[i]; c++, copies++) {
                many[copies] = difference[i];
                many_truth[copies] = truth[i];
            }
        }
        at = 1 + hcbr_i_draw_below(&random, copies + 2);
        for (uint32_t i = 0; i < copies; i++) { // its chance to be among the first
            double before = 0, with = 0;
            for (uint32_t j = 0; j < copies; j++) {
                before += many[j] > many[i];
                with += many[j] == many[i];
            }
            double chance = (at - before) / with;
            positives += many_truth[i] ? fmin(fmax(chance, 0), 1) : 0;
        }
        hcbr_i_answers a = {N, 2, truth, NULL, difference, NULL, NULL, weight};
        hcbr_i_answers b = {copies, 2, many_truth, NULL, many, NULL, NULL, NULL};
        assert_int_equal(hcbr_i_metric_ranks(&one, &a, 1, at, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_metric_ranks(&other, &b, 1, at, NULL), HCBR_OK);
        assert_true(fabs(one.pr_auc - other.pr_auc) < 1e-12);
        if (at > copies) {
            assert_true(isnan(one.precision_at) && isnan(other.precision_at));
            continue;
        }
        assert_true(fabs(one.precision_at - positives / at) < 1e-12);
        assert_true(fabs(other.precision_at - positives / at) < 1e-12);
    }
}

/* Whatever the scores, metrics end. */
static void metrics__of_what_is_no_number_are_none(void **state) {
    (void)state;
    uint64_t random = 8;
    for (int round = 0; round < 200; round++) {
        uint32_t truth[12];
        double difference[12], probability[24];
        hcbr_i_ranks ranks;
        int none = 0;
        for (int i = 0; i < 12; i++) {
            static const double ODD[] = {NAN, INFINITY, -INFINITY, 0, -1, 1};
            truth[i] = i < 2 ? (uint32_t)i : hcbr_i_draw_below(&random, 2);
            difference[i] = ODD[hcbr_i_draw_below(&random, 6)];
            none += isnan(difference[i]);
            probability[2 * i] = probability[2 * i + 1] = isnan(difference[i]) ? NAN : 0.5;
        }
        hcbr_i_answers answers = {.count = 12,
                                  .label_count = 2,
                                  .truth = truth,
                                  .difference = difference,
                                  .probability = probability};
        hcbr_i_bins bins = {0};
        assert_int_equal(hcbr_i_metric_ranks(&ranks, &answers, 1, 3, NULL), HCBR_OK);
        assert_true(none ? isnan(ranks.auc) : ranks.auc >= 0 && ranks.auc <= 1);
        assert_true(none ? isnan(ranks.pr_auc) : ranks.pr_auc > 0 && ranks.pr_auc <= 1);
        assert_true(none ? isnan(ranks.precision_at)
                         : ranks.precision_at >= 0 && ranks.precision_at <= 1);
        assert_true(isnan(hcbr_i_metric_log_loss(&answers).sum) == (none > 0));
        assert_true(isnan(hcbr_i_metric_brier(&answers, 1).sum) == (none > 0));
        hcbr_i_bins_add(&bins, &answers, 1);
        double all = 0;
        for (size_t b = 0; b < HCBR_I_ECE_BINS; b++)
            all += bins.count[b];
        assert_true(all == 12);
    }
}

static void counts__of_parts_add_up(void **state) {
    (void)state;
    uint32_t truth[] = {0, 1, 2, 2, 1, 0, 0};
    hcbr_label label[] = {0, 2, 2, -1, 1, 1, -1};
    hcbr_i_counts whole, parts, part;
    assert_int_equal(hcbr_i_counts_init(&whole, 3, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_counts_init(&parts, 3, NULL), HCBR_OK);
    hcbr_i_counts_add(&whole, &(hcbr_i_answers){7, 3, truth, label, NULL, NULL, NULL, NULL});
    for (int cut = 0; cut < 7; cut += 3) {
        uint32_t count = cut == 6 ? 1 : 3;
        assert_int_equal(hcbr_i_counts_init(&part, 3, NULL), HCBR_OK);
        hcbr_i_counts_add(
            &part, &(hcbr_i_answers){count, 3, truth + cut, label + cut, NULL, NULL, NULL, NULL});
        hcbr_i_counts_merge(&parts, &part);
        hcbr_i_counts_clear(&part);
    }
    assert_int_equal(whole.right, 3);
    assert_int_equal(whole.undecided, 2);
    assert_int_equal(parts.right, 3);
    assert_int_equal(parts.undecided, 2);
    assert_memory_equal(whole.truth, parts.truth, 12 * sizeof(uint64_t));
    hcbr_i_counts_clear(&whole);
    hcbr_i_counts_clear(&parts);
}

static void probabilities__of_zero_cost_a_bounded_log_loss(void **state) {
    (void)state;
    uint32_t truth[] = {0};
    double probability[] = {0, 1};
    hcbr_i_answers answers = {1, 2, truth, NULL, NULL, NULL, probability, NULL};
    assert_true(fabs(hcbr_i_metric_log_loss(&answers).sum - 52 * log(2)) < 1e-12);
}

/* Tables of the t distribution, and Wilson's own examples worked out by his formula. */
static void intervals__are_those_of_the_tables(void **state) {
    (void)state;
    static const struct {
        uint64_t df;
        double t;
    } table[] = {{1, 12.7062047364},         {2, 4.30265272991},    {3, 3.18244630528},
                 {4, 2.77644510520},         {9, 2.26215716280},    {10, 2.22813885196},
                 {30, 2.04227245630},        {99, 1.98421695150},   {1000, 1.96233908082},
                 {1001, 1.96233670528},      {2000, 1.96115082610}, {1000000, 1.95996635681},
                 {UINT64_MAX, 1.95996398454}}; // weights count as cases
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_true(fabs(hcbr_i_t_quantile(table[i].df) - table[i].t) < 1e-9);
    double low, high;
    hcbr_i_wilson(81, 263, &low, &high); /* Newcombe 1998, table I, method 3 */
    assert_true(fabs(low - 0.2553) < 5e-5 && fabs(high - 0.3662) < 5e-5);
    hcbr_i_wilson(15, 148, &low, &high);
    assert_true(fabs(low - 0.0624) < 5e-5 && fabs(high - 0.1605) < 5e-5);
    hcbr_i_wilson(0, 20, &low, &high);
    assert_true(low == 0 && fabs(high - 0.1611) < 5e-5);
    hcbr_i_wilson(29, 29, &low, &high);
    assert_true(fabs(low - 0.8830) < 5e-5 && high == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics__agree_with_scikit_learn),
        cmocka_unit_test(auc__equals_the_share_of_pairs_in_order),
        cmocka_unit_test(precision_at__takes_ties_in_part_and_weights_as_copies),
        cmocka_unit_test(metrics__of_what_is_no_number_are_none),
        cmocka_unit_test(counts__of_parts_add_up),
        cmocka_unit_test(probabilities__of_zero_cost_a_bounded_log_loss),
        cmocka_unit_test(intervals__are_those_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
