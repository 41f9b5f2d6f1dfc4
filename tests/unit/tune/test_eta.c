/*
 * Thresholds against brute force: every candidate of the paper counted case by case.
 */
#include "tune/tune.h"
#include "unit/tune/tune_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MOST 14

static uint32_t draw(uint32_t below) {
    return (uint32_t)((next_random() >> 22) % below);
}

/* A winner's support and the best other one, on a grid so that equal values are common. */
static hcbr_i_eta_point draw_point(bool coarse) {
    double grid = coarse ? 8 : 1000;
    double winner = ((double)draw((uint32_t)grid) - grid / 8) / grid;
    double other = winner - (double)draw((uint32_t)grid) / grid;
    return (hcbr_i_eta_point){.support = winner, .share = hcbr_i_eta_share(winner, other)};
}

/* The neighbour's half of the paper, found by looking at everybody. */
static double half_way(const hcbr_i_eta_point *points, size_t count, size_t at, bool share) {
    double x = share ? points[at].share : points[at].support, best = 0;
    bool found = false, below = points[at].right;
    for (size_t i = 0; i < count; i++) {
        double y = share ? points[i].share : points[i].support;
        if ((below ? y < x : y > x) && (!found || fabs(y - x) < fabs(best - x))) {
            best = y;
            found = true;
        }
    }
    if (!found)
        return below ? 0 : x;
    return x + (best - x) / 2;
}

static int64_t count_kept(const hcbr_i_eta_point *points, size_t count, double support,
                          double share) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if ((support <= 0 || points[i].support > support) &&
            (share < 0.5 || points[i].share > share))
            sum += points[i].value;
    return sum;
}

/* All candidates without any cleverness: count * 3 + 2 pairs (support, share). */
static size_t naive(const hcbr_i_eta_point *points, size_t count, hcbr_i_eta *out) {
    size_t size = 0;
    double top = 0;
    for (size_t i = 0; i < count; i++)
        top = points[i].support > top ? points[i].support : top;
    out[size++] = (hcbr_i_eta){0, 0};
    out[size++] = (hcbr_i_eta){top, 0};
    for (size_t i = 0; i < count; i++) {
        double a = half_way(points, count, i, false), b = half_way(points, count, i, true);
        out[size++] = (hcbr_i_eta){a, 0};
        if (b < 1) {
            out[size++] = (hcbr_i_eta){0, b};
            out[size++] = (hcbr_i_eta){a, b};
        }
    }
    return size;
}

static void candidates__keep_the_most_that_brute_force_finds(void **unused) {
    (void)unused;
    start("candidates", 11);
    for (int round = 0; round < 20000; round++) {
        hcbr_i_eta_point points[MOST];
        hcbr_i_eta all[3 * MOST + 2];
        hcbr_i_eta_candidate *found;
        size_t count = draw(MOST + 1), found_count;
        hcbr_error err;
        for (size_t i = 0; i < count; i++) {
            points[i] = draw_point(round % 2 == 0);
            points[i].value = (int64_t)draw(7) - 3;
            points[i].right = points[i].value > 0;
        }
        size_t size = naive(points, count, all);
        int64_t best = INT64_MIN;
        for (size_t i = 0; i < size; i++) {
            int64_t kept = count_kept(points, count, all[i].support, all[i].share);
            best = kept > best ? kept : best;
        }
        assert_int_equal(hcbr_i_eta_candidates(points, count, &found, &found_count, &err), HCBR_OK);
        for (size_t i = 0; i < found_count; i++) {
            hcbr_i_eta eta = found[i].eta;
            assert_true(eta.support >= 0 && eta.share >= 0 && eta.share < 1);
            assert_int_equal(found[i].kept, count_kept(points, count, eta.support, eta.share));
        }
        assert_int_equal(found[hcbr_i_eta_best(found, found_count)].kept, best);
        assert_true(found[0].eta.support <= 0 && found[0].eta.share <= 0);
        hcbr_i_free(found);
    }
}

static void passes__is_the_rule_of_the_model(void **unused) {
    (void)unused;
    start("passes", 5);
    for (int round = 0; round < 100000; round++) {
        double winner = ((double)draw(64) - 8) / 64, other = winner - (double)draw(64) / 64;
        hcbr_i_eta eta = {draw(2) * (double)draw(64) / 64, draw(2) * (double)draw(64) / 64};
        // METHOD 3: s^(l) > eta and (1 - share) s^(l) > share s^(o); below one half nothing is
        // asked, and a negative s^(o) always passes.
        bool least = eta.support <= 0 || winner > eta.support;
        double left = (1 - eta.share) * winner, right = eta.share * other;
        if (fabs(left - right) < 1e-12)
            continue;
        bool share = eta.share < 0.5 || other < 0 || left > right;
        assert_int_equal(hcbr_i_eta_passes(eta, winner, hcbr_i_eta_share(winner, other)),
                         least && share);
    }
}

static void candidates__of_a_million_points_fit_into_memory_and_time(void **unused) {
    (void)unused;
    size_t count = 1000000, found_count;
    hcbr_i_eta_point *points = hcbr_i_alloc(count, sizeof *points);
    hcbr_i_eta_candidate *found;
    hcbr_error err;
    start("million", 2);
    assert_non_null(points);
    for (size_t i = 0; i < count; i++) {
        points[i] = draw_point(false);
        points[i].support += (double)draw(1u << 30) / (1u << 30) / 1000;
        points[i].right = draw(4) != 0;
        points[i].value = points[i].right ? 1 : -1;
    }
    // A quadratic search would take hours: the test's time limit holds this.
    assert_int_equal(hcbr_i_eta_candidates(points, count, &found, &found_count, &err), HCBR_OK);
    assert_true(found_count > count);
    hcbr_i_free(found);
    hcbr_i_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates__keep_the_most_that_brute_force_finds),
        cmocka_unit_test(passes__is_the_rule_of_the_model),
        cmocka_unit_test(candidates__of_a_million_points_fit_into_memory_and_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
