/*
 * What shares of labels do to supports (rich_causes.h): with and without vectors, and however many
 * labels have equal mean shares, the bytes are those of the formula for each pair of labels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rich/reasons/rich_causes.h"
#include "seed.h"

enum { MOST = 2100, TREES = 100 }; /* more than what is worked on in one piece */
static const double TRUST = 0.7;

static uint64_t draw(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(*state);
}

static double draw_share(uint64_t *state) {
    return (double)(draw(state) % 1000 + 1) / 1e6;
}

/* Of label j on output l: with s = trust / trees * slope / labels, -s; on itself all of its s. */
static double slope_of(const double *p, uint32_t l, uint32_t j, uint32_t labels) {
    return TRUST / (double)TREES * hcbr_i_rich_slope(p[l], p[j]) / labels;
}

static void check(uint64_t *state, uint32_t labels, uint32_t different) {
    static double p[MOST], shares[MOST], values[MOST], to[2][MOST], one[MOST], slow[MOST];
    hcbr_i_rich rich = {.labels = labels, .outputs = labels};
    hcbr_i_rich_effects x;
    rich.stack.trust[2] = TRUST;
    rich.forest.tree_count = TREES;
    for (uint32_t d = 0; d < different; d++)
        values[d] = draw_share(state);
    for (uint32_t l = 0; l < labels; l++) {
        p[l] = values[draw(state) % different];
        shares[l] = draw(state) % 3 ? draw_share(state) : 0;
        to[0][l] = to[1][l] = one[l] = slow[l] = draw_share(state);
    }
    for (uint32_t l = 0; l < labels; l++) {
        double own = 0;
        for (uint32_t j = 0; j < labels; j++)
            own += j == l ? 0 : slope_of(p, l, j, labels);
        for (uint32_t j = 0; j < labels; j++)
            if (shares[j] != 0)
                slow[l] += (j == l ? own : -slope_of(p, l, j, labels)) * shares[j];
    }
    assert_true(hcbr_i_rich_effects_init(&x, labels));
    for (int way = 0; way < 2; way++) {
        hcbr_i_simd_off = way > 0;
        hcbr_i_rich_effects_set(&x, &rich, p);
        hcbr_i_rich_effects_add_all(&x, shares, to[way]);
        assert_memory_equal(to[way], slow, labels * sizeof *slow);
    }
    hcbr_i_simd_off = false;
    for (uint32_t j = 0; j < labels; j++)
        if (shares[j] != 0)
            hcbr_i_rich_effects_add(&x, j, shares[j], one);
    assert_memory_equal(one, slow, labels * sizeof *slow);
    hcbr_i_rich_effects_clear(&x);
}

static void effects__are_those_of_each_pair_of_labels(void **unused) {
    (void)unused;
    uint64_t state = test_seed_fresh();
    for (uint32_t labels = 3; labels < 40; labels++)
        for (uint32_t different = 1; different <= labels; different += 1 + labels / 4)
            check(&state, labels, different);
    check(&state, 1030, 20);
    check(&state, MOST, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(effects__are_those_of_each_pair_of_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
