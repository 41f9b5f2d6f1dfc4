/*
 * Ranges of codes that a node is asked about, with the processor's vectors and without: the same
 * sums, and nothing sifted out that would have been better than the best division.
 */
#include "base/simd.h"
#include "rich/tree/tree_grower.h"
#include "unit/rich/rich_support.h"

enum { MOST = 300, ROUNDS = 3000 };

typedef struct drawn {
    hcbr_i_rich_table table;
    hcbr_i_rich_scratch s;
    node at;
} drawn;

static void drawn_init(drawn *d, uint32_t n, uint32_t width) {
    *d = (drawn){.at = {.n = n}};
    d->s.table = &d->table;
    d->at.s = &d->s;
    d->s.codes = malloc(n); // nothing behind them may be read
    d->s.sums = malloc(n * width * sizeof *d->s.sums);
    assert_true(d->s.codes && d->s.sums && hcbr_i_rich_divide_init(&d->s));
}

static void drawn_clear(drawn *d) {
    hcbr_i_free(d->s.orders);
    free(d->s.codes);
    free(d->s.sums);
}

/* A word of two gradients as pack() makes it, the second at least 1 if it is a curvature. */
static uint64_t draw_word(uint64_t *random, uint32_t range, bool curvature) {
    uint64_t up = hcbr_i_draw_below(random, 2 * range) - (uint64_t)range;
    uint64_t low = hcbr_i_draw_below(random, range);
    return (up << 32) + (curvature ? low + 1 : low - range / 2);
}

static void sum_ranges__adds_up_each_range(void **state) {
    (void)state;
    uint64_t random = 20261118, sums[HCBR_I_RICH_CODES * WIDEST];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t n = 1 + hcbr_i_draw_below(&random, MOST), width = 1 + round / 2 % 2;
        uint32_t kinds = 1 + hcbr_i_draw_below(&random, 255);
        drawn d;
        hcbr_i_simd_off = round % 2;
        drawn_init(&d, n, width);
        for (uint32_t i = 0; i < n; i++)
            d.s.codes[i] = (uint8_t)hcbr_i_draw_below(&random, kinds + 1);
        for (uint32_t i = 0; i < n * width; i++)
            d.s.sums[i] = draw_word(&random, 1u << 20, i % width == width - 1);
        hcbr_i_rich_ranges r = {.count = hcbr_i_draw_below(&random, round % 3 ? 12 : 256)};
        for (uint32_t j = 0; j < r.count; j++) {
            r.from[j] = (uint8_t)hcbr_i_draw_below(&random, 256);
            r.span[j] = (uint8_t)hcbr_i_draw_below(&random, 256 - r.from[j]);
        }
        hcbr_i_rich_sum_ranges(&d.at, &r, sums, width);
        for (uint32_t j = 0; j < r.count; j++) {
            uint64_t wanted[WIDEST] = {0};
            for (uint32_t i = 0; i < n; i++)
                if (d.s.codes[i] >= r.from[j] && d.s.codes[i] <= r.from[j] + r.span[j])
                    for (uint32_t c = 0; c < width; c++)
                        wanted[c] += d.s.sums[i * width + c];
            assert_memory_equal(sums + (size_t)j * width, wanted, width * sizeof *wanted);
        }
        drawn_clear(&d);
    }
    hcbr_i_simd_off = false;
}

/* What is best of some divisions if all are looked at, or those that are not sifted out. */
static split best_of(node at, const uint64_t *yes, uint32_t count, uint32_t width, bool sifted,
                     uint32_t *looked) {
    *looked = 0;
    for (uint32_t i = sifted ? hcbr_i_rich_sift(&at, yes, 0, count, width) : 0; i < count;
         i = sifted ? hcbr_i_rich_sift(&at, yes, i + 1, count, width) : i + 1) {
        ++*looked;
        if (width == 1)
            consider(&at, yes + i, i, i & 255, i & 255, 1);
        else
            consider(&at, yes + 2 * (size_t)i, i, i & 255, i & 255, 2);
    }
    return at.best;
}

static void sift__leaves_what_may_be_best(void **state) {
    (void)state;
    uint64_t random = 7, yes[HCBR_I_RICH_CODES * WIDEST];
    uint32_t all = 0, left = 0, found = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t width = 1 + round / 2 % 2, count = hcbr_i_draw_below(&random, 256), looked, most;
        uint32_t range = 1u << (2 + hcbr_i_draw_below(&random, 20));
        drawn d;
        hcbr_i_simd_off = round % 2;
        drawn_init(&d, 1, width);
        node *at = &d.at;
        for (uint32_t w = 0; w < width; w++) {
            at->word[w] = draw_word(&random, 2 * range, w == width - 1);
            at->total[2 * w] = upper(at->word[w]);
            at->total[2 * w + 1] = lower(at->word[w]);
        }
        at->lambda = (double)hcbr_i_draw_below(&random, range);
        at->least_h = (double)hcbr_i_draw_below(&random, range / 2);
        at->bar = (double)hcbr_i_draw_below(&random, range) * (round % 3);
        at->best = (split){.test = HCBR_I_RICH_LEAF};
        for (uint32_t i = 0; i < count * width; i++)
            yes[i] = draw_word(&random, range, i % width == width - 1);
        split naive = best_of(*at, yes, count, width, false, &most);
        split sifted = best_of(*at, yes, count, width, true, &looked);
        assert_int_equal(naive.test, sifted.test);
        assert_true(round % 2 ? looked == most : looked <= most);
        all += round % 2 ? 0 : most;
        left += round % 2 ? 0 : looked;
        found += naive.test != HCBR_I_RICH_LEAF;
        drawn_clear(&d);
    }
    hcbr_i_simd_off = false;
    print_message("%u of %u divisions looked at with vectors\n", left, all);
    assert_true(found > ROUNDS / 4);
    assert_true(!hcbr_i_simd() || left < all / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_ranges__adds_up_each_range),
        cmocka_unit_test(sift__leaves_what_may_be_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
