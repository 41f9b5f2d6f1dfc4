// Sums of doubles without error: against sums of pairs that lose nothing, in any order and in any
// parts.
#include "base/exact.h"
#include "reference/naive_rich.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 300, ROUNDS = 3000 };

/* A double whose exponent is among so many around the middle of those there are, or any. */
static double draw(uint64_t *state, uint32_t span) {
    uint64_t bits = hcbr_i_mix((*state)++) & 0x800FFFFFFFFFFFFFu;
    uint32_t power = span ? 1023 - span / 2 + hcbr_i_draw_below(state, span)
                          : hcbr_i_draw_below(state, 2036); // sums stay finite
    return hcbr_i_from_bits(bits | (uint64_t)power << 52);
}

static uint32_t fill(double *x, uint64_t *state, uint32_t round) {
    static const uint32_t spans[] = {1, 4, 40, 150, 0};
    uint32_t n = hcbr_i_draw_below(state, round % 7 == 0 ? 4 : MOST / 2);
    uint32_t span = spans[round % 5];
    for (uint32_t i = 0; i < n; i++)
        x[i] = draw(state, span);
    if (round % 3 == 0) // much of it is taken away again
        for (uint32_t i = 0; i < n; i++)
            x[n + i] = hcbr_i_draw_below(state, 20) ? -x[i] : x[i] * 0x1p-40;
    return round % 3 == 0 ? 2 * n : n;
}

static double add_all(const double *x, uint32_t n) {
    hcbr_i_exact sum = {{0}, 0};
    for (uint32_t i = 0; i < n; i++)
        hcbr_i_exact_add(&sum, x[i]);
    return hcbr_i_exact_value(&sum);
}

static void exact__is_rounded_once(void **state) {
    (void)state;
    uint64_t random = 20261117;
    double x[MOST];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t n = fill(x, &random, round);
        assert_int_equal(hcbr_i_bits_of(add_all(x, n)), hcbr_i_bits_of(naive_sum(x, n)));
    }
}

static void exact__is_the_same_in_any_order_and_parts(void **state) {
    (void)state;
    uint64_t random = 18;
    double x[MOST];
    uint32_t order[MOST];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t n = fill(x, &random, round), parts = 1 + hcbr_i_draw_below(&random, 5);
        hcbr_i_exact in_order = {{0}, 0}, part[5] = {{{0}, 0}}, joined = {{0}, 0};
        for (uint32_t i = 0; i < n; i++)
            order[i] = i, hcbr_i_exact_add(&in_order, x[i]);
        hcbr_i_shuffle(order, n, &random);
        for (uint32_t i = 0; i < n; i++)
            hcbr_i_exact_add(&part[hcbr_i_draw_below(&random, parts)], x[order[i]]);
        for (uint32_t p = parts; p-- > 0;)
            hcbr_i_exact_join(&joined, &part[p]);
        hcbr_i_exact_carry(&in_order);
        assert_memory_equal(&joined, &in_order, sizeof joined);
    }
}

static void exact__rounds_ties_to_even_and_knows_the_borders(void **state) {
    (void)state;
    const double up[] = {1, 0x1p-53, 0x1p-1074}, tie[] = {1, 0x1p-53};
    const double odd[] = {1, 0x1p-52, 0x1p-53}, most[] = {0x1.fffffffffffffp1023, 0x1p971};
    const double back[] = {0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023};
    const double least[] = {0x1p-1074, -0x1p-1022, 0x1p-1022};
    assert_true(add_all(up, 3) == 1 + 0x1p-52);
    assert_true(add_all(tie, 2) == 1);
    assert_true(add_all(odd, 3) == 1 + 0x1p-51);
    assert_true(add_all(most, 2) == INFINITY);
    assert_true(add_all(back, 3) == 0x1.fffffffffffffp1023);
    assert_true(add_all(least, 3) == 0x1p-1074);
    assert_true(add_all(NULL, 0) == 0 && !signbit(add_all(NULL, 0)));
}

static void exact__carries_before_digits_are_full(void **state) {
    (void)state;
    hcbr_i_exact sum = {{0}, 0}, plain = {{0}, 0};
    for (uint32_t i = 0; i < 1000; i++) {
        if (i % 100 == 50)
            sum.terms = HCBR_I_EXACT_TERMS - 2; // as if so many had been added
        double x = i % 2 ? -0x1.fffffffffffffp31 : 0x1.3p60;
        hcbr_i_exact_add(&sum, x);
        hcbr_i_exact_add(&plain, x);
        assert_true(sum.terms < HCBR_I_EXACT_TERMS);
    }
    hcbr_i_exact_carry(&sum);
    hcbr_i_exact_carry(&plain);
    assert_memory_equal(&sum, &plain, sizeof sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact__is_rounded_once),
        cmocka_unit_test(exact__is_the_same_in_any_order_and_parts),
        cmocka_unit_test(exact__rounds_ties_to_even_and_knows_the_borders),
        cmocka_unit_test(exact__carries_before_digits_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
