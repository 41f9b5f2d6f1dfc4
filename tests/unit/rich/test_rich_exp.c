/*
 * e^x of many numbers: with the processor's vectors and without the same bytes as block by block,
 * and near the library's.
 */
#include "base/simd.h"
#include "rich/rich_math.h"
#include "unit/rich/rich_support.h"

enum { ROUNDS = 4000, MOST = 80 };

/* Of any size: tiny, usual, beyond the borders, without end. */
static double draw_number(uint64_t *random) {
    const double odd[] = {0.0, -0.0, 700, -700, 701, -1e300, HUGE_VAL, -HUGE_VAL, 0x1p-1074};
    double x = (double)hcbr_i_draw_below(random, 1u << 30) * 0x1p-30 - 0.5;
    switch (hcbr_i_draw_below(random, 4)) {
    case 0:
        return odd[hcbr_i_draw_below(random, sizeof odd / sizeof *odd)];
    case 1:
        return ldexp(x, (int)hcbr_i_draw_below(random, 60) - 45);
    default:
        return 40 * x;
    }
}

static void exp_many__gives_the_bytes_of_blocks(void **state) {
    (void)state;
    uint64_t random = 271828;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t count = hcbr_i_rich_whole_blocks(hcbr_i_draw_below(&random, MOST));
        double given[MOST + HCBR_I_RICH_BLOCK], many[MOST + HCBR_I_RICH_BLOCK];
        for (uint32_t i = 0; i < MOST + HCBR_I_RICH_BLOCK; i++)
            given[i] = draw_number(&random);
        memcpy(many, given, sizeof many);
        hcbr_i_simd_off = round % 2;
        hcbr_i_rich_exp_many(many, count);
        for (uint32_t i = 0; i < count; i++) {
            double wanted = exp(fmin(fmax(given[i], -700), 700));
            assert_true(fabs(many[i] - wanted) <= 1e-12 * wanted);
        }
        for (uint32_t i = 0; i < count; i += HCBR_I_RICH_BLOCK)
            hcbr_i_rich_exp_block(given + i);
        assert_memory_equal(many, given, sizeof many); // behind them nothing is touched
    }
    hcbr_i_simd_off = false;
}

static void whole_blocks__rounds_up(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t whole = hcbr_i_rich_whole_blocks(i);
        assert_true(whole >= i && whole < i + HCBR_I_RICH_BLOCK && whole % HCBR_I_RICH_BLOCK == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_many__gives_the_bytes_of_blocks),
        cmocka_unit_test(whole_blocks__rounds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
