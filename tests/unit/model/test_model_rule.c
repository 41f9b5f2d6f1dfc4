/*
 * Rules in the caller's words become rules in the model's labels (METHOD 3); the strongest atoms
 * of a label are found in order.
 */
#include "engines.h"
#include "unit/model/model_sample.h"

#include <math.h>

/* ---- rules ----------------------------------------------------------------------------------- */

static hcbr_i_labels labels_of(const char *const *names, uint32_t count) {
    hcbr_i_labels labels = {0};
    uint32_t number;
    for (uint32_t l = 0; l < count; l++)
        assert_int_equal(hcbr_i_labels_intern(&labels, names[l], strlen(names[l]), &number, NULL),
                         HCBR_OK);
    return labels;
}

static const char *const three[] = {"bad", "fair", "good"};
static const hcbr_i_rule_kind PLAIN = {false, false}, RICH = {true, true};

static void rule__defaults_always_give_the_label(void **state) {
    (void)state;
    hcbr_i_labels labels = labels_of(three, 3);
    hcbr_i_rule resolved;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    assert_int_equal(rule.size, sizeof rule);
    for (int given = 0; given < 2; given++) {
        assert_int_equal(hcbr_i_rule_resolve(&resolved, given ? &rule : NULL, &labels, PLAIN, NULL),
                         HCBR_OK);
        for (int l = 0; l < 3; l++) {
            assert_true(resolved.eta[l] == 0 && resolved.eta_share[l] == 0);
            assert_int_equal(resolved.fallback[l], HCBR_LABEL_UNKNOWN);
        }
        assert_int_equal(resolved.on_nothing, HCBR_LABEL_UNKNOWN);
        assert_false(resolved.memory);
        hcbr_i_rule_clear(&resolved);
    }
    hcbr_i_labels_clear(&labels);
}

static void rule__resolves_thresholds_and_fallbacks(void **state) {
    (void)state;
    hcbr_i_labels labels = labels_of(three, 3);
    const hcbr_threshold thresholds[] = {{"good", 0.25, 0.75, "bad"}, {"bad", 0.5, 0, "unknown"}};
    hcbr_i_rule resolved, copy;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.thresholds = thresholds;
    rule.threshold_count = 2;
    rule.fallback = "prior";
    rule.memory = 5;
    assert_int_equal(hcbr_i_rule_resolve(&resolved, &rule, &labels, PLAIN, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_rule_copy(&copy, &resolved, 3, NULL), HCBR_OK);
    hcbr_i_rule_clear(&resolved);
    assert_true(copy.eta[0] == 0.5 && copy.eta[1] == 0 && copy.eta[2] == 0.25);
    assert_true(copy.eta_share[0] == 0 && copy.eta_share[1] == 0 && copy.eta_share[2] == 0.75);
    assert_int_equal(copy.fallback[0], HCBR_LABEL_UNKNOWN);
    assert_int_equal(copy.fallback[1], HCBR_LABEL_PRIOR);
    assert_int_equal(copy.fallback[2], 0);
    assert_int_equal(copy.on_nothing, HCBR_LABEL_PRIOR);
    assert_true(copy.memory);
    hcbr_i_rule_clear(&copy);

    rule.fallback = "fair"; // a label as fall-back says nothing of a case without known features
    assert_int_equal(hcbr_i_rule_resolve(&resolved, &rule, &labels, PLAIN, NULL), HCBR_OK);
    assert_int_equal(resolved.fallback[1], 1);
    assert_int_equal(resolved.on_nothing, HCBR_LABEL_UNKNOWN);
    hcbr_i_rule_clear(&resolved);
    hcbr_i_labels_clear(&labels);
}

static void rule__words_win_over_labels_of_that_name(void **state) {
    (void)state;
    static const char *const names[] = {"prior", "unknown"};
    hcbr_i_labels labels = labels_of(names, 2);
    hcbr_i_rule resolved;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.fallback = "unknown";
    assert_int_equal(hcbr_i_rule_resolve(&resolved, &rule, &labels, PLAIN, NULL), HCBR_OK);
    assert_int_equal(resolved.fallback[0], HCBR_LABEL_UNKNOWN);
    hcbr_i_rule_clear(&resolved);
    hcbr_i_labels_clear(&labels);
}

static void rule__names_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        hcbr_threshold threshold;
        const char *fallback, *expected;
    } table[] = {
        {{"good", 0, 0, NULL}, "best", "fall-back 'best' is no label of the model"},
        {{"good", 0, 0, ""}, NULL, "fall-back '' is no label of the model"},
        {{"good", 0, 0, "Bad"}, NULL, "fall-back 'Bad' is no label"},
        {{NULL, 0, 0, NULL}, NULL, "a threshold without a label"},
        {{"goo", 0, 0, NULL}, NULL, "threshold for 'goo', which is no label"},
        {{"unknown", 0, 0, NULL}, NULL, "threshold for 'unknown', which is no label"},
        {{"fair", 0, 0, NULL}, NULL, "two thresholds for label 'fair'"},
        {{"good", -0.5, 0, NULL}, NULL, "eta of label 'good' is -0.5, expected a number >= 0"},
        {{"good", NAN, 0, NULL}, NULL, "eta of label 'good' is nan"},
        {{"good", INFINITY, 0, NULL}, NULL, "eta of label 'good' is inf"},
        {{"good", 0, 1, NULL}, NULL, "eta share of label 'good' is 1, expected a number >= 0"},
        {{"good", 0, -0.25, NULL}, NULL, "eta share of label 'good' is -0.25"},
        {{"good", 0, NAN, NULL}, NULL, "eta share of label 'good' is nan"},
    };
    hcbr_i_labels labels = labels_of(three, 3);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const hcbr_threshold thresholds[] = {{"fair", 1, 0, NULL}, table[i].threshold};
        hcbr_i_rule resolved;
        hcbr_error err;
        hcbr_rule rule;
        hcbr_rule_init(&rule);
        rule.thresholds = thresholds;
        rule.threshold_count = 2;
        rule.fallback = table[i].fallback;
        assert_int_equal(hcbr_i_rule_resolve(&resolved, &rule, &labels, PLAIN, &err), HCBR_EUSAGE);
        if (!strstr(err.message, table[i].expected))
            fail_msg("message \"%s\", expected \"%s\"", err.message, table[i].expected);
        assert_null(resolved.eta);
        assert_null(resolved.eta_share);
        assert_null(resolved.fallback);
    }
    hcbr_i_labels_clear(&labels);
}

static void rule__says_what_is_given_where_nothing_is_known(void **state) {
    (void)state;
    static const hcbr_threshold refuses = {"bad", 0.5, 0, NULL}, share = {"bad", 0, 0.5, "unknown"};
    static const hcbr_threshold gives = {"bad", 0.5, 0, "good"}, idle = {"bad", 0, 0.25, NULL};
    static const struct {
        const char *fallback;
        const hcbr_threshold *threshold;
        hcbr_label rich, plain;
    } table[] = {
        {NULL, NULL, HCBR_LABEL_PROBABLE, HCBR_LABEL_UNKNOWN},
        {"auto", NULL, HCBR_LABEL_PROBABLE, HCBR_LABEL_UNKNOWN},
        {"auto", &idle, HCBR_LABEL_PROBABLE, HCBR_LABEL_UNKNOWN},
        {"auto", &gives, HCBR_LABEL_PROBABLE, HCBR_LABEL_UNKNOWN},
        {"auto", &refuses, HCBR_LABEL_UNKNOWN, HCBR_LABEL_UNKNOWN},
        {NULL, &share, HCBR_LABEL_UNKNOWN, HCBR_LABEL_UNKNOWN},
        {"unknown", NULL, HCBR_LABEL_UNKNOWN, HCBR_LABEL_UNKNOWN},
        {"fair", NULL, HCBR_LABEL_UNKNOWN, HCBR_LABEL_UNKNOWN},
        {"prior", NULL, HCBR_LABEL_PRIOR, HCBR_LABEL_PRIOR},
        {"prior", &refuses, HCBR_LABEL_PRIOR, HCBR_LABEL_PRIOR},
    };
    hcbr_i_labels labels = labels_of(three, 3);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int rich = 0; rich < 2; rich++) {
            hcbr_i_rule resolved;
            hcbr_rule rule;
            hcbr_rule_init(&rule);
            rule.fallback = table[i].fallback;
            rule.thresholds = table[i].threshold;
            rule.threshold_count = table[i].threshold != NULL;
            assert_int_equal(
                hcbr_i_rule_resolve(&resolved, &rule, &labels, rich ? RICH : PLAIN, NULL), HCBR_OK);
            assert_int_equal(resolved.on_nothing, rich ? table[i].rich : table[i].plain);
            hcbr_i_rule_clear(&resolved);
        }
    hcbr_i_labels_clear(&labels);
}

static void rule__has_thresholds_a_cut_or_costs(void **state) {
    (void)state;
    static const hcbr_threshold high = {"bad", 0.5, 0, NULL};
    static const hcbr_cost costs[] = {{"bad", "fair", 3}}, strange[] = {{"bad", "bad", 3}};
    static const hcbr_cut good = {-1, 2}, crossed = {2, 1}, far = {0, INFINITY}, none = {NAN, 0};
    static const struct {
        bool threshold;
        const hcbr_cut *cut;
        const hcbr_cost *costs;
        uint32_t labels;
        bool rich;
        hcbr_status expected;
    } table[] = {
        {false, &good, NULL, 2, true, HCBR_OK},      {false, &good, NULL, 2, false, HCBR_OK},
        {false, NULL, costs, 3, true, HCBR_OK},      {false, NULL, costs, 3, false, HCBR_EUSAGE},
        {false, &good, NULL, 3, true, HCBR_EUSAGE},  {false, &crossed, NULL, 2, true, HCBR_EUSAGE},
        {false, &far, NULL, 2, true, HCBR_EUSAGE},   {false, &none, NULL, 2, true, HCBR_EUSAGE},
        {true, &good, NULL, 2, true, HCBR_EUSAGE},   {true, NULL, costs, 2, true, HCBR_EUSAGE},
        {false, &good, costs, 2, true, HCBR_EUSAGE}, {false, NULL, strange, 2, true, HCBR_EUSAGE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        hcbr_i_labels labels = labels_of(three, table[i].labels);
        hcbr_i_rule resolved, copy;
        hcbr_rule rule;
        hcbr_rule_init(&rule);
        rule.thresholds = &high;
        rule.threshold_count = table[i].threshold;
        rule.cut = table[i].cut;
        rule.costs = table[i].costs;
        rule.cost_count = table[i].costs != NULL;
        assert_int_equal(
            hcbr_i_rule_resolve(&resolved, &rule, &labels, table[i].rich ? RICH : PLAIN, NULL),
            table[i].expected);
        if (table[i].expected == HCBR_OK) {
            assert_int_equal(hcbr_i_rule_copy(&copy, &resolved, labels.count, NULL), HCBR_OK);
            assert_int_equal(copy.has_cut, table[i].cut != NULL);
            assert_int_equal(copy.costs.price_count, table[i].costs != NULL);
            assert_int_equal(copy.costs.by_given != NULL, table[i].costs != NULL);
            hcbr_i_rule_clear(&copy);
        } else {
            assert_null(resolved.eta);
            assert_null(resolved.costs.by_given);
        }
        hcbr_i_rule_clear(&resolved);
        hcbr_i_labels_clear(&labels);
    }
}

static void rule__by_costs_survives_every_failed_allocation(void **state) {
    (void)state;
    static const hcbr_cost costs[] = {{"bad", "fair", 3}, {NULL, NULL, 0.5}};
    hcbr_i_labels labels = labels_of(three, 3);
    hcbr_i_rule resolved, copy;
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.costs = costs;
    rule.cost_count = 2;
    for (int copied = 0; copied < 2; copied++) {
        hcbr_status st = HCBR_ENOMEM;
        uint64_t failures = 0;
        for (uint64_t n = 1; st != HCBR_OK; n++) {
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
            st = copied ? hcbr_i_rule_copy(&copy, &resolved, 3, NULL)
                        : hcbr_i_rule_resolve(&resolved, &rule, &labels, RICH, NULL);
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            failures += st != HCBR_OK;
            assert_true(st == HCBR_OK || (st == HCBR_ENOMEM && !(copied ? copy : resolved).eta));
        }
        assert_true(failures >= 5);
    }
    hcbr_i_rule_clear(&resolved);
    hcbr_i_rule_clear(&copy);
    hcbr_i_labels_clear(&labels);
}

static void rule__survives_every_failed_allocation(void **state) {
    (void)state;
    hcbr_i_labels labels = labels_of(three, 3);
    hcbr_i_rule resolved, copy;
    for (uint64_t n = 1; n <= 4; n++) {
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        assert_int_equal(hcbr_i_rule_resolve(&resolved, NULL, &labels, PLAIN, NULL), HCBR_ENOMEM);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_null(resolved.eta);
    }
    assert_int_equal(hcbr_i_rule_resolve(&resolved, NULL, &labels, PLAIN, NULL), HCBR_OK);
    for (uint64_t n = 1; n <= 3; n++) {
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        assert_int_equal(hcbr_i_rule_copy(&copy, &resolved, 3, NULL), HCBR_ENOMEM);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_null(copy.eta);
    }
    hcbr_i_rule_clear(&resolved);
    hcbr_i_labels_clear(&labels);
}

static void train_options__have_their_defaults(void **state) {
    (void)state;
    hcbr_train_options options;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    assert_int_equal(options.size, sizeof options);
    assert_int_equal(options.scope, HCBR_SCOPE_CLASS);
    assert_int_equal(options.passes, 1);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.keep, HCBR_KEEP_FULL);
    assert_int_equal(options.given_order, 0);
    assert_null(options.rule);
    assert_null(options.read);
}

/* ---- stored reading options ------------------------------------------------------------------ */

static void stored_read__refuses_what_could_not_be_loaded(void **state) {
    (void)state;
    const char *const broken[] = {"fine", "\xff"};
    hcbr_i_stored_read stored;
    hcbr_read_options options;
    hcbr_error err;
    assert_int_equal(hcbr_i_stored_read_make(&stored, "\xc3", NULL, NULL, &err), HCBR_EUSAGE);
    hcbr_read_options_init(&options);
    options.ignore = broken;
    options.ignore_count = 2;
    assert_int_equal(hcbr_i_stored_read_make(&stored, NULL, NULL, &options, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "ignored column '\\xff' is not UTF-8"));
    assert_null(stored.label);
    hcbr_read_options_init(&options);
    options.delimiter = 256;
    assert_int_equal(hcbr_i_stored_read_make(&stored, NULL, NULL, &options, &err), HCBR_EUSAGE);
    const hcbr_split empty = {"tags", ""};
    hcbr_read_options_init(&options);
    options.split = &empty;
    options.split_count = 1;
    assert_int_equal(hcbr_i_stored_read_make(&stored, NULL, NULL, &options, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "found the separator '' for 'tags'"));
    hcbr_read_options_init(&options);
    options.text = broken;
    options.text_count = 1;
    assert_int_equal(hcbr_i_stored_read_make(&stored, "fine", NULL, &options, &err), HCBR_EUSAGE);
    assert_non_null(strstr(err.message, "'fine' for both option text and option label"));
    hcbr_read_options_init(&options);
    options.ngrams = 17;
    assert_int_equal(hcbr_i_stored_read_make(&stored, NULL, NULL, &options, &err), HCBR_EUSAGE);
    hcbr_read_options_init(&options);
    assert_int_equal(hcbr_i_stored_read_make(&stored, NULL, NULL, &options, &err), HCBR_OK);
    assert_string_equal(stored.label, "label");
    assert_null(stored.na);
    hcbr_i_stored_read_clear(&stored);
}

static void stored_read__survives_every_failed_allocation(void **state) {
    (void)state;
    const char *const texts[] = {"a", "b"};
    hcbr_i_stored_read stored;
    hcbr_read_options options;
    hcbr_status st;
    hcbr_read_options_init(&options);
    options.id = "id";
    options.ignore = options.na = texts;
    options.ignore_count = options.na_count = 2;
    const char *const words[] = {"c", "d"};
    const hcbr_split split = {"e", ","};
    const hcbr_join join = {"f.csv", "k", NULL};
    options.text = words;
    options.text_count = 2;
    options.split = &split;
    options.join = &join;
    options.split_count = options.join_count = 1;
    uint64_t n = 0;
    do {
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, ++n, false);
        st = hcbr_i_stored_read_make(&stored, "y", "1,", &options, NULL);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(st == HCBR_ENOMEM || st == HCBR_OK);
    } while (st != HCBR_OK);
    // label, ranges, id, two lists, four texts; the check, the columns, their eight texts (the name
    // of a source is cut out of its path first) and two views of them
    assert_int_equal(n, 21);
    assert_int_equal(stored.na_count, 2);
    assert_string_equal(stored.ignore[1], "b");
    hcbr_i_stored_read_clear(&stored);
}

/* ---- ranking --------------------------------------------------------------------------------- */

/** All atoms with a positive score, by comparing each with each. */
static size_t rank_plainly(const hcbr_model *m, hcbr_label label, uint32_t *out) {
    hcbr_model_info info = {.size = sizeof info};
    double score[64];
    size_t count = 0;
    hcbr_model_get_info(m, &info);
    for (uint32_t e = 0; e < info.atoms; e++) {
        double best = info.labels == 1 ? 0 : -HUGE_VAL;
        for (hcbr_label l = 0; l < (hcbr_label)info.labels; l++)
            if (l != label)
                best = fmax(best, hcbr_model_get_atom_strength(m, e, l));
        score[e] = hcbr_model_get_atom_strength(m, e, label) - best;
        if (score[e] <= 1e-15)
            continue;
        size_t at = count++;
        for (; at > 0 && score[out[at - 1]] < score[e] - 1e-15; at--)
            out[at] = out[at - 1];
        out[at] = e;
    }
    return count;
}

static void rank_atoms__agrees_with_comparing_all(void **state) {
    (void)state;
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        hcbr_model *m = model_sample_build(s);
        for (hcbr_label l = 0; l < (hcbr_label)m->labels.count; l++) {
            uint32_t expected[64], found[64];
            const size_t all = rank_plainly(m, l, expected);
            for (size_t capacity = 0; capacity < 12; capacity++) {
                size_t count = 99;
                assert_int_equal(hcbr_model_rank_atoms(m, l, found, capacity, &count, NULL),
                                 HCBR_OK);
                assert_int_equal(count, all < capacity ? all : capacity);
                for (size_t i = 0; i < count; i++)
                    assert_int_equal(found[i], expected[i]);
            }
        }
        hcbr_model_free(m);
    }
}

static void rank_atoms__orders_ties_by_number_in_a_large_model(void **state) {
    (void)state;
    enum { ATOMS = 1000, BEST = 50 };
    const uint64_t seed = 11;
    hcbr_i_plain plain = {.atoms = {.count = ATOMS}};
    hcbr_model model = {.engine = &hcbr_i_plain_engine, .state = &plain};
    double mu[ATOMS];
    uint32_t found[ATOMS], best[BEST];
    size_t count;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t e = 0; e < ATOMS; e++)
        mu[e] = (double)(hcbr_i_mix(seed + e) % 21) - 10; // many ties
    plain.strength = (hcbr_i_strength){.atom_count = ATOMS, .label_count = 2, .mu = mu};
    for (hcbr_label l = 0; l < 2; l++) {
        const double sign = l ? 1 : -1;
        assert_int_equal(hcbr_model_rank_atoms(&model, l, found, ATOMS, &count, NULL), HCBR_OK);
        assert_in_range(count, 400, 560);
        for (size_t i = 0; i < count; i++) {
            assert_true(sign * mu[found[i]] > 0);
            if (i > 0)
                assert_true(
                    sign * mu[found[i - 1]] > sign * mu[found[i]] ||
                    (sign * mu[found[i - 1]] == sign * mu[found[i]] && found[i - 1] < found[i]));
        }
        assert_int_equal(hcbr_model_rank_atoms(&model, l, best, BEST, &count, NULL), HCBR_OK);
        assert_int_equal(count, BEST);
        assert_memory_equal(best, found, sizeof best);
    }
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_int_equal(hcbr_model_rank_atoms(&model, 0, best, BEST, &count, NULL), HCBR_ENOMEM);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule__defaults_always_give_the_label),
        cmocka_unit_test(rule__resolves_thresholds_and_fallbacks),
        cmocka_unit_test(rule__words_win_over_labels_of_that_name),
        cmocka_unit_test(rule__names_what_is_wrong),
        cmocka_unit_test(rule__says_what_is_given_where_nothing_is_known),
        cmocka_unit_test(rule__has_thresholds_a_cut_or_costs),
        cmocka_unit_test(rule__by_costs_survives_every_failed_allocation),
        cmocka_unit_test(rule__survives_every_failed_allocation),
        cmocka_unit_test(train_options__have_their_defaults),
        cmocka_unit_test(stored_read__refuses_what_could_not_be_loaded),
        cmocka_unit_test(stored_read__survives_every_failed_allocation),
        cmocka_unit_test(rank_atoms__agrees_with_comparing_all),
        cmocka_unit_test(rank_atoms__orders_ties_by_number_in_a_large_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
