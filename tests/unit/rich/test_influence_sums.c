/*
 * Lists of residuals added to totals (influence_sums.h): with and without vectors the bytes are
 * those of a loop that adds one number after the other.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rich/reasons/influence_sums.h"
#include "seed.h"

enum { ROWS = 400, MOST_OUTPUTS = 11 };

static uint64_t draw(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(*state);
}

/* A whole number of at most `width` bytes; the smallest and the largest come often. */
static int64_t draw_multiple(uint64_t *state, uint32_t width) {
    const int64_t most = (int64_t)(((uint64_t)1 << (8 * width - 1)) - 1);
    const uint64_t kind = draw(state) % 8;
    if (kind < 3)
        return kind == 0 ? most : kind == 1 ? -most - 1 : 0;
    return (int64_t)(draw(state) << (64 - 8 * width)) >> (64 - 8 * width);
}

/* Add a list in both ways and by a simple loop. */
static void check_list(uint64_t *state, uint32_t outputs, uint32_t width) {
    static double plain[ROWS * MOST_OUTPUTS], fast[ROWS * MOST_OUTPUTS], slow[ROWS * MOST_OUTPUTS];
    static uint8_t bytes[ROWS * MOST_OUTPUTS * sizeof(uint64_t) + HCBR_I_RICH_BEYOND];
    uint16_t row[ROWS];
    double weight[MOST_OUTPUTS];
    uint32_t n = 0;
    size_t used = 0;
    for (uint32_t l = 0; l < outputs; l++)
        weight[l] = ldexp((double)(int64_t)draw(state), -80);
    for (size_t i = 0; i < (size_t)ROWS * outputs; i++)
        plain[i] = fast[i] = slow[i] = ldexp((double)(int64_t)draw(state), -60);
    for (uint32_t i = 0; i < ROWS; i++) {
        if (draw(state) % 3 == 0)
            continue;
        row[n++] = (uint16_t)i;
        for (uint32_t l = 0; l < outputs; l++, used += width) {
            int64_t multiple = draw_multiple(state, width);
            for (uint32_t b = 0; b < width; b++)
                bytes[used + b] = (uint8_t)((uint64_t)multiple >> (8 * b));
            slow[(size_t)i * outputs + l] += weight[l] * (double)multiple;
        }
    }
    memset(bytes + used, 0xA5, HCBR_I_RICH_BEYOND);
    const hcbr_i_rich_entries list = {.row = row,
                                      .residual = bytes,
                                      .n = n - (uint32_t)(draw(state) % 4),
                                      .outputs = outputs,
                                      .width = width,
                                      .weight = weight};
    for (uint32_t e = list.n; e < n; e++) // those that are left out, so that all rests occur
        memcpy(slow + (size_t)row[e] * outputs, plain + (size_t)row[e] * outputs,
               outputs * sizeof *slow);
    hcbr_i_simd_off = true;
    hcbr_i_rich_add_entries(&list, plain);
    hcbr_i_simd_off = false;
    hcbr_i_rich_add_entries(&list, fast);
    assert_memory_equal(plain, slow, (size_t)ROWS * outputs * sizeof *plain);
    assert_memory_equal(fast, slow, (size_t)ROWS * outputs * sizeof *fast);
}

static void sums__do_not_depend_on_vectors(void **unused) {
    (void)unused;
    uint64_t state = test_seed_fresh();
    for (uint32_t round = 0; round < 20; round++)
        for (uint32_t outputs = 1; outputs <= MOST_OUTPUTS; outputs++)
            for (uint32_t width = 1; width < sizeof(uint64_t); width++)
                check_list(&state, outputs, width);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums__do_not_depend_on_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
