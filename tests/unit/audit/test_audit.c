/*
 * An audit finds what there is, and nothing else: tables made up to show one thing each, and random
 * ones against figures and findings counted case by case.
 */
#include "property/harness.h"
#include "unit/audit/naive_audit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "add_case.h"
#include "cases/cases.h"
#include "folds/folds.h"

/* ---- tables ---------------------------------------------------------------------------------- */

static void name_feature(const audit_table *t, uint32_t f, char key[8], char value[8]) {
    snprintf(key, 8, "k%u", t->key[f] % 1000);
    const int looks = t->looks[t->key[f]];
    snprintf(value, 8, looks == 1 ? "a v%u" : looks == 2 ? "%u.5" : "v%u", f % 1000);
}

static hcbr_cases *make_cases(const audit_table *t) {
    static const char *const LABEL[] = {"la", "lb", "lc", "ld"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < t->cases; i++) {
        static char key[AUDIT_FEATURES][8], value[AUDIT_FEATURES][8];
        static hcbr_feature list[AUDIT_FEATURES];
        size_t n = 0;
        for (uint32_t f = 0; f < t->features; f++) {
            if (!t->has[i][f])
                continue;
            name_feature(t, f, key[n], value[n]);
            list[n] = (hcbr_feature){key[n], strlen(key[n]), t->bare[f] ? NULL : value[n],
                                     t->bare[f] ? 0 : strlen(value[n])};
            n++;
        }
        assert_int_equal(add_one_case(cases, list, n, LABEL[t->label[i]], NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* A new feature of a key. */
static uint32_t add_feature(audit_table *t, uint32_t key, bool bare) {
    t->key[t->features] = key;
    t->bare[t->features] = bare;
    return t->features++;
}

/* A key whose value in case i is value[i] (below 140), UINT32_MAX for none. */
static void add_key(audit_table *t, const uint32_t *value) {
    uint32_t feature[140];
    memset(feature, 0xFF, sizeof feature);
    for (uint32_t i = 0; i < t->cases; i++) {
        if (value[i] == UINT32_MAX)
            continue;
        if (feature[value[i]] == UINT32_MAX)
            feature[value[i]] = add_feature(t, t->keys, false);
        t->has[i][feature[value[i]]] = true;
    }
    t->keys++;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_feature(const audit_table *t, uint32_t f, const hcbr_feature *x) {
    char key[8], value[8];
    name_feature(t, f, key, value);
    return x->key_length == strlen(key) && memcmp(x->key, key, x->key_length) == 0 &&
           (x->value == NULL) == t->bare[f] &&
           (t->bare[f] ||
            (x->value_length == strlen(value) && memcmp(x->value, value, x->value_length) == 0));
}

static bool is_listed(const audit_table *t, const audit_expected *e, const hcbr_feature *x) {
    for (uint32_t n = 0; n < e->feature_count; n++)
        if (is_feature(t, e->features[n], x))
            return true;
    return false;
}

/* Is a finding as expected, with at most this many rows and features named? */
static bool is_expected(const audit_table *t, const audit_expected *e, const hcbr_finding *f,
                        size_t most) {
    if (f->kind != e->kind || f->serious != e->serious || f->count != e->count ||
        f->label != e->label || !(fabs(f->share - e->share) < 1e-12))
        return false;
    size_t rows = e->row_count < most ? e->row_count : most;
    if ((e->some_rows ? f->row_count > rows : f->row_count != rows))
        return false;
    for (size_t i = 0; i < f->row_count; i++) {
        bool there = false;
        for (uint32_t n = 0; n < e->row_count; n++)
            there |= f->rows[i] == e->rows[n];
        if (!there || (i > 0 && f->rows[i] <= f->rows[i - 1]) ||
            (!e->some_rows && f->rows[i] != e->rows[i]))
            return false;
    }
    bool about = e->kind != HCBR_FOUND_ONE_LABEL && e->feature_count;
    size_t features = e->one_of ? 1 : e->feature_count < most ? e->feature_count : most;
    if (f->feature_count != features || (about && f->all_features != e->feature_count))
        return false;
    for (size_t i = 0; i < f->feature_count; i++)
        if (!is_listed(t, e, &f->features[i]))
            return false;
    return true;
}

/* Each finding listed is expected, each once. Contradictions and duplicates are in order. */
static void compare_findings(const audit_table *t, const audit_naive *naive, const hcbr_audit *a,
                             size_t most) {
    bool used[AUDIT_FOUND] = {false};
    hcbr_finding before = {.kind = HCBR_FOUND_ONE_LABEL};
    for (size_t i = 0; i < hcbr_audit_count(a); i++) {
        hcbr_finding f = {.size = sizeof f};
        bool found = false;
        hcbr_audit_get(a, i, &f);
        for (uint32_t n = 0; n < naive->count && !found; n++)
            if (!used[n] && is_expected(t, &naive->found[n], &f, most))
                found = used[n] = true;
        if (!found)
            fail_msg("%s of %llu cases is not expected", hcbr_finding_name(f.kind),
                     (unsigned long long)f.count);
        assert_true(f.kind >= before.kind);
        if (i > 0 && f.kind == before.kind && f.kind == HCBR_FOUND_CONTRADICTION) {
            double x = (double)before.count * (1 - before.share);
            double y = (double)f.count * (1 - f.share);
            assert_true(x > y - 1e-9);
        }
        if (i > 0 && f.kind == before.kind && f.kind == HCBR_FOUND_DUPLICATE)
            assert_true(before.count > f.count ||
                        (before.count == f.count && before.rows[0] < f.rows[0]));
        before = f;
    }
}

static void compare_figures(const hcbr_audit_figures *x, const hcbr_audit_figures *y) {
    assert_int_equal(x->cases, y->cases);
    assert_int_equal(x->empty, y->empty);
    assert_int_equal(x->occurrences, y->occurrences);
    assert_int_equal(x->features, y->features);
    assert_int_equal(x->keys, y->keys);
    assert_int_equal(x->labels, y->labels);
    assert_int_equal(x->atoms, y->atoms);
    assert_int_equal(x->different, y->different);
    assert_int_equal(x->duplicates, y->duplicates);
    assert_int_equal(x->contradictory, y->contradictory);
    assert_true(fabs(x->accuracy_limit - y->accuracy_limit) < 1e-12);
    assert_int_equal(x->constant, y->constant);
    assert_int_equal(x->one_off, y->one_off);
    assert_int_equal(x->held_out, y->held_out);
    assert_true(isnan(x->coverage) ? isnan(y->coverage) : fabs(x->coverage - y->coverage) < 1e-12);
}

static void compare_kinds(const uint64_t *x, const hcbr_audit *audit) {
    for (int k = 0; k < HCBR_FOUND_KINDS; k++) {
        uint64_t y = hcbr_audit_count_kind(audit, (hcbr_finding_kind)k);
        if (x[k] != y)
            fail_msg("%s found %llu times, expected %llu", hcbr_finding_name((hcbr_finding_kind)k),
                     (unsigned long long)y, (unsigned long long)x[k]);
    }
}

static audit_naive naive;

/* Audit a table with all findings listed, and with few; naive is what was expected. */
static void check_table(const audit_table *t) {
    hcbr_cases *cases = make_cases(t);
    uint32_t fold[AUDIT_CASES];
    uint64_t state = 7;
    assert_int_equal(hcbr_i_folds_stratify(fold, t->label, t->cases, t->labels, 10, &state, NULL),
                     HCBR_OK);
    audit_naive_make(&naive, t, t->cases < 20 ? NULL : fold);
    for (int few = 0; few < 2; few++) {
        hcbr_audit_options o;
        hcbr_audit_figures figures = {.size = sizeof figures};
        hcbr_audit *audit;
        hcbr_audit_options_init(&o);
        o.seed = 7;
        o.threads = 1 + (uint32_t)few;
        o.most = few ? 2 : 1000;
        o.rows = few ? 3 : 60;
        assert_int_equal(hcbr_audit_create(&audit, cases, &o, NULL), HCBR_OK);
        hcbr_audit_get_figures(audit, &figures);
        compare_figures(&naive.figures, &figures);
        compare_kinds(naive.by_kind, audit);
        size_t listed = 0;
        for (int k = 0; k < HCBR_FOUND_KINDS; k++)
            listed += naive.by_kind[k] < o.most ? naive.by_kind[k] : o.most;
        assert_int_equal(hcbr_audit_count(audit), listed);
        if (!few)
            assert_int_equal(naive.figures.serious, figures.serious);
        compare_findings(t, &naive, audit, o.rows);
        hcbr_audit_free(audit);
    }
    hcbr_cases_free(cases);
}

/* ---- one thing each -------------------------------------------------------------------------- */

/* 40 cases of two labels in turn, with a key of a few values that says nothing. */
static void plain_table(audit_table *t) {
    uint32_t value[AUDIT_CASES];
    memset(t, 0, sizeof *t);
    t->cases = 40;
    t->labels = 2;
    for (uint32_t i = 0; i < t->cases; i++) {
        t->label[i] = i % 2;
        value[i] = i / 2 % 5;
    }
    add_key(t, value);
}

static uint64_t found(hcbr_finding_kind kind) {
    return naive.by_kind[kind];
}

static void audit__sees_contradictions_and_duplicates(void **state) {
    (void)state;
    static audit_table t;
    plain_table(&t);
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_CONTRADICTION), 5); // each value with both labels
    assert_int_equal(naive.figures.contradictory, 40);
    assert_true(fabs(naive.figures.accuracy_limit - 0.5) < 1e-12);
    assert_int_equal(naive.figures.duplicates, 30);
    for (uint32_t i = 0; i < t.cases; i++)
        t.label[i] = i / 2 % 5 == 1;
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_CONTRADICTION), 0);
    assert_int_equal(found(HCBR_FOUND_DUPLICATE), 5);
}

static void audit__sees_ids_from_twenty_cases_on(void **state) {
    (void)state;
    static audit_table t;
    uint32_t value[AUDIT_CASES];
    for (uint32_t n = 18; n <= 22; n++) {
        plain_table(&t);
        t.cases = n;
        memset(t.has[n], 0, sizeof t.has[n] * (AUDIT_CASES - n));
        for (uint32_t i = 0; i < n; i++)
            value[i] = i;
        add_key(&t, value);
        check_table(&t);
        assert_int_equal(found(HCBR_FOUND_IDS), n >= 20);
    }
    for (uint32_t same = 0; same <= 5; same++) { // nine in ten are different
        plain_table(&t);
        for (uint32_t i = 0; i < t.cases; i++)
            value[i] = i < same ? 0 : i;
        add_key(&t, value);
        check_table(&t);
        assert_int_equal(found(HCBR_FOUND_IDS), same <= 5);
    }
}

static void audit__sees_what_gives_labels_away(void **state) {
    (void)state;
    static audit_table t;
    uint32_t value[AUDIT_CASES];
    plain_table(&t);
    uint32_t f = add_feature(&t, t.keys++, true);
    for (uint32_t i = 0; i < t.cases; i++)
        t.has[i][f] = t.label[i];
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_LEAK), 1);
    t.has[0][f] = true; // one case of the other label is too many of 21
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_LEAK), 0);
    plain_table(&t);
    for (uint32_t i = 0; i < t.cases; i++)
        value[i] = 2 * (i / 2 % 3) + t.label[i]; // six values, each of one label
    add_key(&t, value);
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_LEAK_KEY), 1);
    assert_int_equal(found(HCBR_FOUND_LEAK), 0);
}

static void audit__sees_columns_that_say_nothing(void **state) {
    (void)state;
    static audit_table t;
    uint32_t value[AUDIT_CASES] = {0};
    plain_table(&t);
    add_key(&t, value);
    check_table(&t);
    assert_int_equal(naive.figures.constant, 1);
    memset(t.has[3], 0, sizeof t.has[3]); // an empty case does not count
    check_table(&t);
    assert_int_equal(naive.figures.constant, 1);
    assert_int_equal(found(HCBR_FOUND_EMPTY), 1);
    t.has[3][0] = true;
    check_table(&t);
    assert_int_equal(naive.figures.constant, 0);
}

static void audit__sees_what_is_not_covered(void **state) {
    (void)state;
    static audit_table t;
    uint32_t value[AUDIT_CASES];
    plain_table(&t);
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_COVERAGE), 0);
    memset(&t.has, 0, sizeof t.has);
    t.features = t.keys = 0;
    for (uint32_t i = 0; i < t.cases; i++)
        value[i] = i;
    add_key(&t, value);
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_COVERAGE), 1);
    assert_true(naive.figures.coverage == 0);
}

static void audit__sees_rare_and_sorted_labels(void **state) {
    (void)state;
    static audit_table t;
    plain_table(&t);
    for (uint32_t i = 0; i < t.cases; i++)
        t.label[i] = i >= 31;
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_RARE_LABEL), 1);
    assert_int_equal(found(HCBR_FOUND_ORDER), 1);
    t.label[30] = 1;
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_RARE_LABEL), 0);
    memset(t.label, 0, sizeof t.label);
    t.labels = 1;
    check_table(&t);
    assert_int_equal(found(HCBR_FOUND_ONE_LABEL), 1);
    assert_int_equal(found(HCBR_FOUND_ORDER), 0);
}

/* ---- random tables --------------------------------------------------------------------------- */

static void draw_key(audit_table *t, harness_random *r) {
    uint32_t value[AUDIT_CASES];
    int way = harness_below(r, 5), values = 1 + harness_below(r, 6), noise = harness_below(r, 3);
    int missing = harness_below(r, 2) ? 1000000 : 1 + harness_below(r, 40);
    for (uint32_t i = 0; i < t->cases; i++) {
        switch (way) {
        case 0: // its own value
            value[i] = harness_below(r, 15) ? i : (uint32_t)harness_below(r, (int)t->cases);
            break;
        case 1: // by label
            value[i] = 4 * (uint32_t)harness_below(r, 2) + t->label[i];
            break;
        default:
            value[i] = (uint32_t)harness_below(r, values);
        }
        if (noise && harness_below(r, 60 * noise) == 0)
            value[i] = (uint32_t)harness_below(r, 4);
        if (harness_below(r, missing) == 0)
            value[i] = UINT32_MAX;
    }
    t->looks[t->keys] = harness_below(r, 3);
    add_key(t, value);
}

static void draw_table(audit_table *t, harness_random *r) {
    memset(t, 0, sizeof *t);
    t->cases = 1 + (uint32_t)harness_below(r, harness_below(r, 3) ? 120 : 30);
    t->labels = 1 + (uint32_t)harness_below(r, 4);
    t->labels = t->labels < t->cases ? t->labels : t->cases;
    int way = harness_below(r, 3);
    for (uint32_t i = 0; i < t->cases; i++)
        t->label[i] = i < t->labels ? i // each occurs
                      : way == 0    ? i * t->labels / t->cases
                      : way == 1    ? (uint32_t)harness_below(r, (int)t->labels)
                                    : (uint32_t)(harness_below(r, 20) == 0) % t->labels;
    for (int k = harness_below(r, 4); k > 0; k--)
        draw_key(t, r);
    for (int w = harness_below(r, 5); w > 0; w--) {
        uint32_t f = add_feature(t, t->keys++, true), kind = (uint32_t)harness_below(r, 4);
        for (uint32_t i = 0; i < t->cases; i++)
            t->has[i][f] = kind == 0   ? true
                           : kind == 1 ? t->label[i] == 0
                                       : harness_below(r, 3) == 0;
    }
}

static void audit__is_what_is_counted(void **state) {
    (void)state;
    static audit_table t;
    uint64_t seed = harness_seed(20261122), met[HCBR_FOUND_KINDS] = {0};
    for (uint32_t n = 0; n < 600; n++) {
        harness_random r = {seed + (uint64_t)n * 1000003};
        draw_table(&t, &r);
        check_table(&t);
        for (int k = 0; k < HCBR_FOUND_KINDS; k++)
            met[k] += found((hcbr_finding_kind)k);
    }
    for (int k = 0; k < HCBR_FOUND_KINDS; k++)
        if (met[k] < 5)
            fail_msg("%s was met %llu times", hcbr_finding_name((hcbr_finding_kind)k),
                     (unsigned long long)met[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit__sees_contradictions_and_duplicates),
        cmocka_unit_test(audit__sees_ids_from_twenty_cases_on),
        cmocka_unit_test(audit__sees_what_gives_labels_away),
        cmocka_unit_test(audit__sees_columns_that_say_nothing),
        cmocka_unit_test(audit__sees_what_is_not_covered),
        cmocka_unit_test(audit__sees_rare_and_sorted_labels),
        cmocka_unit_test(audit__is_what_is_counted),
    };
    return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
