/*
 * Rows of a node divided by a test, with the processor's vectors and without: the same rows in the
 * same order, and the same bytes of a model.
 */
#include "base/simd.h"
#include "rich/tree/tree_grower.h"
#include "unit/rich/rich_support.h"

enum { ROWS = 700, ROUNDS = 4000, CASES = 400 };

/* Codes of ROWS rows at the very end of a block: nothing behind them may be read. */
static void draw_codes(uint8_t *code, uint32_t rows, uint64_t *random) {
    uint32_t kinds = 1 + hcbr_i_draw_below(random, 255);
    for (uint32_t i = 0; i < rows; i++)
        code[i] = (uint8_t)hcbr_i_draw_below(random, kinds + 1);
}

static void divide__puts_those_that_pass_first(void **state) {
    (void)state;
    uint64_t random = 20261117;
    uint32_t vectors = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t rows = 1 + hcbr_i_draw_below(&random, ROWS), n = 0, yes = 0;
        hcbr_i_rich_table table = {.rows = rows};
        hcbr_i_rich_scratch s = {.table = &table, .aside = malloc(rows * sizeof *s.aside)};
        uint8_t *code = malloc(rows);
        uint32_t *given = malloc(rows * sizeof *given), *wanted = malloc(rows * sizeof *wanted);
        assert_true(s.aside && code && given && wanted);
        draw_codes(code, rows, &random);
        for (uint32_t i = 0; i < rows; i++)
            if (hcbr_i_draw_below(&random, 4) >= round % 4)
                given[n++] = i;
        if (round % 5 == 0) // any order will do
            hcbr_i_shuffle(given, n, &random);
        rows_test test = {code, (uint8_t)hcbr_i_draw_below(&random, 256),
                          (uint8_t)hcbr_i_draw_below(&random, 256)};
        for (int pass = 1; pass >= 0; pass--)
            for (uint32_t i = 0; i < n; i++)
                if (((uint8_t)(code[given[i]] - test.lo) <= test.span) == pass)
                    wanted[yes++] = given[i];
        uint32_t passing = 0;
        for (uint32_t i = 0; i < n; i++)
            passing += (uint8_t)(code[given[i]] - test.lo) <= test.span;
        hcbr_i_simd_off = round % 2;
        assert_true(hcbr_i_rich_divide_init(&s));
        vectors += s.orders != NULL;
        assert_int_equal(hcbr_i_rich_divide(&s, &test, given, n), passing);
        assert_memory_equal(given, wanted, n * sizeof *given);
        hcbr_i_free(s.orders);
        free(s.aside);
        free(code);
        free(given);
        free(wanted);
    }
    hcbr_i_simd_off = false;
    print_message("%u of %u rounds with vectors\n", vectors, ROUNDS);
    assert_true(vectors == (hcbr_i_simd() ? ROUNDS / 2 : 0));
}

static void divide__gives_the_same_model_both_ways(void **state) {
    (void)state;
    uint64_t random = 18;
    rich_case drawn[CASES];
    for (uint32_t labels = 2; labels <= 3; labels++) {
        rich_cases_draw(drawn, CASES, labels, &random);
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *model[2];
        for (int off = 0; off < 2; off++) {
            hcbr_i_simd_off = off;
            model[off] = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, NULL);
        }
        hcbr_i_simd_off = false;
        assert_same_file(model[0], model[1]);
        hcbr_model_free(model[0]);
        hcbr_model_free(model[1]);
        hcbr_cases_free(cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divide__puts_those_that_pass_first),
        cmocka_unit_test(divide__gives_the_same_model_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
