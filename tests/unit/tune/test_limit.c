/*
 * The limit of a largest error against all limits tried one by one; a weight of n in calibration
 * against n copies.
 */
#include "tune/tune.h"
#include "unit/tune/tune_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700 };

static uint64_t below(uint64_t n) {
    return next_random() % n;
}

/* ---- a largest error ------------------------------------------------------------------------- */

static hcbr_i_answer answer(double sure, bool wrong) {
    return (hcbr_i_answer){.sure = sure, .weight = 1, .wrong = wrong};
}

/* Answers at least as sure as this one, and how many of them are wrong. */
static size_t surer(const hcbr_i_answer *answers, size_t count, double sure, uint64_t *wrong) {
    size_t n = 0;
    *wrong = 0;
    for (size_t i = 0; i < count; i++)
        if (answers[i].sure >= sure) {
            n++;
            *wrong += answers[i].wrong;
        }
    return n;
}

/* The surest j/limits of the answers, with all that are equally sure: the largest such part whose
 * error is below the limit, each with its share of the risk. Returns how many answers. */
static size_t naive_limit(const hcbr_i_answer *answers, size_t count, double max_error, double risk,
                          uint64_t *wrong) {
    size_t limits = count / 50 < 5 ? 5 : count / 50 > 50 ? 50 : count / 50, best = 0;
    *wrong = 0;
    for (size_t j = 1; j <= limits; j++) {
        size_t wanted = count * j / limits;
        for (size_t i = 0; i < count && wanted; i++) {
            uint64_t here;
            size_t with = surer(answers, count, answers[i].sure, &here), without = 0;
            for (size_t k = 0; k < count; k++)
                without += answers[k].sure > answers[i].sure;
            if (with < wanted || without >= wanted)
                continue; // not the least sure of them
            if (hcbr_i_bound_upper(here, with, risk / (double)limits) <= max_error && with > best) {
                best = with;
                *wrong = here;
            }
        }
    }
    return best;
}

static void limit__is_the_largest_part_that_is_good_enough(void **unused) {
    (void)unused;
    static hcbr_i_answer answers[MOST], sorted[MOST];
    size_t some = 0, all = 0;
    start("limit", 31);
    for (int round = 0; round < 120; round++) {
        size_t count = 1 + below(round % 4 ? 150 : MOST);
        uint64_t values = 1 + below(round % 3 ? 400 : 12), quality = 1 + below(12), wrong;
        double max_error = 0.02 + (double)below(30) / 100, risk = 0.02 + (double)below(30) / 100;
        hcbr_i_limit limit;
        for (size_t i = 0; i < count; i++) {
            uint64_t sure = below(values);
            answers[i] =
                answer((double)sure / (double)values, below(values) >= sure && below(quality) == 0);
        }
        memcpy(sorted, answers, sizeof answers);
        hcbr_i_limit_find(sorted, count, max_error, risk, &limit);
        assert_int_equal(limit.answered, naive_limit(answers, count, max_error, risk, &wrong));
        assert_int_equal(limit.wrong, wrong);
        some += limit.answered > 0 && limit.answered < count;
        all += limit.answered == count;
        for (size_t i = 0; i < count && limit.answered; i++) // none of them is cut through
            assert_true(i + 1 >= count || sorted[i].sure >= sorted[i + 1].sure);
        if (limit.answered && limit.answered < count)
            assert_true(sorted[limit.answered - 1].sure > sorted[limit.answered].sure);
    }
    assert_true(some > 10 && all > 10);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Scores with weights, and the same with copies. Returns how many copies. */
static size_t draw_scored(hcbr_i_scored *weighed, size_t count, hcbr_i_scored *copies) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t times = 1 + below(4), place = below(30);
        weighed[i] = (hcbr_i_scored){(double)place / 7 - 2, (double)times, below(30) < place};
        for (uint64_t t = 0; t < times; t++) {
            copies[n] = weighed[i];
            copies[n++].weight = 1;
        }
    }
    return n;
}

static void calibration__takes_a_weight_for_copies(void **unused) {
    (void)unused;
    static hcbr_i_scored weighed[MOST], copies[4 * MOST];
    start("weights", 37);
    for (int round = 0; round < 300; round++) {
        size_t count = 2 + below(60), n = draw_scored(weighed, count, copies);
        hcbr_i_platt platt[2];
        hcbr_i_isotonic isotonic[2];
        hcbr_error err;
        hcbr_i_platt_fit(weighed, count, &platt[0]);
        hcbr_i_platt_fit(copies, n, &platt[1]);
        assert_int_equal(hcbr_i_isotonic_fit(weighed, count, &isotonic[0], &err), HCBR_OK);
        assert_int_equal(hcbr_i_isotonic_fit(copies, n, &isotonic[1], &err), HCBR_OK);
        for (double x = -3; x <= 3; x += 0.13) {
            assert_near(hcbr_i_platt_apply(&platt[0], x), hcbr_i_platt_apply(&platt[1], x), 1e-6);
            assert_near(hcbr_i_isotonic_apply(&isotonic[0], x),
                        hcbr_i_isotonic_apply(&isotonic[1], x), 1e-12);
        }
        hcbr_i_isotonic_clear(&isotonic[0]);
        hcbr_i_isotonic_clear(&isotonic[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit__is_the_largest_part_that_is_good_enough),
        cmocka_unit_test(calibration__takes_a_weight_for_copies),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
