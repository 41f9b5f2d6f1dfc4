/*
 * Training (METHOD 4): the order drawn from the seed, and the record of what was moved, which must
 * account for every change of every strength (METHOD 9).
 */
#include "plain/passes.h"
#include "plain/plain.h"
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- order ------------------------------------------------------------------------------------
 */

static void expect_permutation(const uint32_t *order, uint32_t count) {
    bool *seen = calloc(count + 1, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(order[i] < count);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    free(seen);
}

static void order__is_a_permutation_told_by_the_seed(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 17, 1000, 65537};
    static uint32_t a[65537], b[65537], c[65537];
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            hcbr_i_train_order(a, counts[n], seed);
            hcbr_i_train_order(b, counts[n], seed);
            hcbr_i_train_order(c, counts[n], seed + 1);
            expect_permutation(a, counts[n]);
            assert_memory_equal(a, b, counts[n] * sizeof *a);
            if (counts[n] >= 17)
                assert_memory_not_equal(a, c, counts[n] * sizeof *a);
        }
}

/* Each of 10 cases is at each of 10 places in a tenth of 10,000 orders: 1000, give or take 30. */
static void order__puts_every_case_everywhere(void **state) {
    (void)state;
    static int at[10][10];
    uint32_t order[10];
    for (uint64_t seed = 0; seed < 10000; seed++) {
        hcbr_i_train_order(order, 10, seed);
        for (uint32_t i = 0; i < 10; i++)
            at[i][order[i]]++;
    }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            assert_in_range(at[i][j], 1000 - 180, 1000 + 180);
}

/* All 24 orders of 4 cases come equally often: 1000 of 24,000 each, give or take 31. */
static void order__is_any_of_all_permutations(void **state) {
    (void)state;
    static int met[256];
    uint32_t order[4], different = 0;
    for (uint64_t seed = 0; seed < 24000; seed++) {
        hcbr_i_train_order(order, 4, seed * 7919);
        met[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6]++;
    }
    for (int i = 0; i < 256; i++)
        if (met[i]) {
            different++;
            assert_in_range(met[i], 1000 - 190, 1000 + 190);
        }
    assert_int_equal(different, 24);
}

/* ---- record of moves ------------------------------------------------------------------------- */

static double *record(hcbr_i_train_log *log, uint32_t x, uint32_t decided, size_t count) {
    double *delta;
    assert_int_equal(hcbr_i_train_log_get(log, x, decided, count, &delta, NULL), HCBR_OK);
    return delta;
}

static void log__adds_up_by_case_and_label(void **state) {
    (void)state;
    hcbr_i_train_log *log;
    hcbr_i_moves moves;
    assert_int_equal(hcbr_i_train_log_create(&log, 5, NULL), HCBR_OK);
    record(log, 3, 2, 2)[1] += 1;
    record(log, 1, 4, 1)[0] += 2;
    record(log, 3, 0, 2)[0] += 3;
    record(log, 3, 1, 2)[0] += 4;
    double *again = record(log, 3, 2, 2);
    assert_true(again[0] == 0 && again[1] == 1);
    again[0] += 5;
    assert_int_equal(hcbr_i_train_log_finish(log, &moves, NULL), HCBR_OK);
    const uint32_t cases[] = {1, 3, 3, 3}, decided[] = {4, 0, 1, 2};
    const uint64_t start[] = {0, 1, 3, 5, 7};
    const double delta[] = {2, 3, 0, 4, 0, 5, 1};
    assert_int_equal(moves.count, 4);
    assert_memory_equal(moves.case_of, cases, sizeof cases);
    assert_memory_equal(moves.decided, decided, sizeof decided);
    assert_memory_equal(moves.start, start, sizeof start);
    for (size_t n = 0; n < 7; n++)
        assert_true(moves.delta[n] == delta[n]);
    hcbr_i_moves_clear(&moves);
    hcbr_i_train_log_free(log);
}

typedef struct trained {
    hcbr_cases *cases;
    hcbr_i_atoms atoms;
    hcbr_i_projections projections;
    hcbr_i_strength before, after;
    hcbr_i_moves moves;
    uint64_t errors[5];
} trained;

static trained train(const oracle_base *base, hcbr_scope scope, uint32_t passes, uint64_t seed) {
    trained t = {.cases = harness_cases(base, &(harness_style){.names = 0})};
    hcbr_i_partition_options partition = {.threads = 1};
    hcbr_i_train_options options = {.passes = passes, .seed = seed, .moves = &t.moves};
    hcbr_i_strength *both[] = {&t.before, &t.after};
    assert_int_equal(hcbr_i_partition_build(&t.atoms, &t.projections, t.cases, &partition, NULL),
                     HCBR_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(hcbr_i_strength_build(both[i], t.cases, &t.atoms, &t.projections, scope,
                                               &(hcbr_i_means){.threads = 1}, NULL),
                         HCBR_OK);
    assert_int_equal(hcbr_i_train_run(&t.after, &t.atoms, &t.projections, t.cases->label, &options,
                                      t.errors, NULL),
                     HCBR_OK);
    return t;
}

static void trained_clear(trained *t) {
    hcbr_i_strength_clear(&t->before);
    hcbr_i_strength_clear(&t->after);
    hcbr_i_moves_clear(&t->moves);
    hcbr_i_projections_clear(&t->projections);
    hcbr_i_atoms_clear(&t->atoms);
    hcbr_cases_free(t->cases);
}

/* Records in order, of mistakes only, one number per atom of the case, none negative. */
static void expect_records(const trained *t, uint32_t passes) {
    const hcbr_i_moves *m = &t->moves;
    uint64_t errors = 0;
    for (uint32_t p = 0; p < passes; p++)
        errors += t->errors[p];
    assert_true(m->count <= errors);
    assert_int_equal(m->count == 0, errors == 0);
    for (uint64_t r = 0; r < m->count; r++) {
        uint32_t i = m->case_of[r];
        assert_true(m->decided[r] != t->cases->label[i]);
        assert_true(m->decided[r] < t->before.label_count);
        assert_int_equal(m->start[r + 1] - m->start[r],
                         t->projections.start[i + 1] - t->projections.start[i]);
        if (r > 0)
            assert_true(m->case_of[r - 1] < i ||
                        (m->case_of[r - 1] == i && m->decided[r - 1] < m->decided[r]));
        for (uint64_t n = m->start[r]; n < m->start[r + 1]; n++)
            assert_true(m->delta[n] >= 0);
    }
}

/* mu after is mu before plus all that was moved, for every atom and label. */
static void expect_account(const trained *t) {
    const hcbr_i_moves *m = &t->moves;
    double sum[ORACLE_FEATURES][ORACLE_LABELS] = {{0}}, most = 1;
    for (uint64_t r = 0; r < m->count; r++) {
        uint32_t i = m->case_of[r], y = t->cases->label[i];
        const uint32_t *atoms = t->projections.atoms + t->projections.start[i];
        for (uint64_t n = m->start[r]; n < m->start[r + 1]; n++) {
            sum[atoms[n - m->start[r]]][y] += m->delta[n];
            sum[atoms[n - m->start[r]]][m->decided[r]] -= m->delta[n];
            most += m->delta[n];
        }
    }
    for (uint32_t e = 0; e < t->atoms.count; e++) {
        double total = 0;
        for (uint32_t l = 0; l < t->before.label_count; l++) {
            double change =
                hcbr_i_strength_get(&t->after, e, l) - hcbr_i_strength_get(&t->before, e, l);
            if (fabs(change - sum[e][l]) > 1e-13 * most)
                fail_msg("atom %u label %u: changed by %.17g, moved %.17g", e, l, change,
                         sum[e][l]);
            total += change;
        }
        assert_true(fabs(total) <= 1e-13 * most); /* the sum over labels stays */
    }
}

static void train__accounts_for_every_change(void **state) {
    (void)state;
    static oracle_base base;
    uint64_t seed = harness_seed(21), moved = 0;
    harness_random r = {seed};
    for (int round = 0; round < 500; round++) {
        uint32_t passes = (uint32_t)round % 5;
        harness_draw(&base, &r, (harness_shape){12, 30, 1 + round % 4, false});
        trained t =
            train(&base, round % 2 ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS, passes, harness_next(&r));
        expect_records(&t, passes);
        expect_account(&t);
        moved += t.moves.count;
        trained_clear(&t);
    }
    assert_true(moved > 500);
}

/*
 * {a}+ {a}- {b}+ never ends (METHOD 4): mu(a) = -1/2 is turned round by every mistake, and from the
 * second pass on both cases of {a} are mistakes, whichever comes first.
 */
static void train__need_not_converge(void **state) {
    (void)state;
    oracle_base base = {
        .features = 2, .cases = 3, .labels = 2, .set = {1, 1, 2}, .label = {1, 0, 1}};
    for (uint64_t seed = 1; seed < 20; seed++) {
        trained t = train(&base, HCBR_SCOPE_CLASS, 5, seed);
        assert_in_range(t.errors[0], 1, 2);
        for (int p = 1; p < 5; p++)
            assert_int_equal(t.errors[p], 2);
        trained_clear(&t);
    }
}

static int stop(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)done;
    assert_string_equal(stage, "train");
    assert_int_equal(total, 2 * 3);
    return ++*(int *)context == 2;
}

static void train__stops_when_asked(void **state) {
    (void)state;
    for (int labels = 2; labels <= 3; labels++) {
        oracle_base base = {.features = 2, .cases = 3, .labels = labels, .set = {1, 3, 2}};
        for (int i = 0; i < 3; i++)
            base.label[i] = i % labels;
        trained t = train(&base, HCBR_SCOPE_CLASS, 0, 1);
        int asked = 0;
        hcbr_error err;
        hcbr_i_train_options options = {
            .passes = 2, .seed = 1, .progress = stop, .progress_context = &asked};
        assert_int_equal(hcbr_i_train_run(&t.after, &t.atoms, &t.projections, t.cases->label,
                                          &options, t.errors, &err),
                         HCBR_ECANCELLED);
        assert_int_equal(err.status, HCBR_ECANCELLED);
        assert_int_equal(asked, 2);
        trained_clear(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order__is_a_permutation_told_by_the_seed),
        cmocka_unit_test(order__puts_every_case_everywhere),
        cmocka_unit_test(order__is_any_of_all_permutations),
        cmocka_unit_test(log__adds_up_by_case_and_label),
        cmocka_unit_test(train__accounts_for_every_change),
        cmocka_unit_test(train__need_not_converge),
        cmocka_unit_test(train__stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
