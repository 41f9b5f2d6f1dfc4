/*
 * Numbers of a key, sorted with their weights: few different ones, many, and the same ones often.
 */
#include "rich/encode/column_encoding.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 3000u

/* The smallest number above `last`, and the weight of all its amounts in their order. */
static bool next_above(const hcbr_i_rich_amount *all, uint32_t count, bool any, double last,
                       hcbr_i_rich_amount *out) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        if ((!any || all[i].value > last) && (!found || all[i].value < out->value)) {
            *out = (hcbr_i_rich_amount){all[i].value, 0};
            found = true;
        }
    for (uint32_t i = 0; found && i < count; i++)
        out->weight += all[i].value == out->value ? all[i].weight : 0;
    return found;
}

static void amounts__are_sorted_and_added_up(void **state) {
    (void)state;
    uint64_t random = test_seed(20261120);
    hcbr_i_rich_amount *all = malloc(MOST * sizeof *all), *sorted = malloc(MOST * sizeof *sorted);
    hcbr_i_rich_amount *spare = malloc(MOST * sizeof *spare);
    static const uint32_t KINDS[] = {1, 2, 3, 15, 16, 17, 40, 100};
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t kinds = KINDS[round % 8];
        uint32_t count = round < 8 ? 1 + round * 9 : 1 + (uint32_t)(hcbr_i_mix(random++) % MOST);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t r = hcbr_i_mix(random++);
            double step = round % 3 ? 0.37 : 1e200; // near each other, and far
            all[i].value = ((double)(r % kinds) - kinds / 2) * step;
            all[i].weight = (double)(r >> 40) * 0x1p-20;
        }
        memcpy(sorted, all, count * sizeof *all);
        uint32_t distinct = hcbr_i_rich_sort_amounts(sorted, spare, count), n = 0;
        hcbr_i_rich_amount expected = {0, 0};
        while (next_above(all, count, n > 0, expected.value, &expected)) {
            assert_true(n < distinct);
            assert_true(sorted[n].value == expected.value && sorted[n].weight == expected.weight);
            n++;
        }
        assert_int_equal(n, distinct);
    }
    free(all);
    free(sorted);
    free(spare);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(amounts__are_sorted_and_added_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
