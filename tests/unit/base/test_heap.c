// The first of a stream against a list that is sorted; and the orders everything is sorted by.
#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 200u

/** Larger keys first, equal ones by number: written without the heap's own comparison. */
static int by_key(const void *a, const void *b) {
    const hcbr_i_top_item *x = a, *y = b;
    if (x->key < y->key)
        return 1;
    if (x->key > y->key)
        return -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/** A stream of `count` keys of which about `kinds` are different, numbers in any order. */
static void make_stream(hcbr_i_top_item *all, uint32_t count, uint32_t kinds, uint64_t *draw) {
    uint32_t numbers[MOST];
    for (uint32_t n = 0; n < count; n++)
        numbers[n] = 3 * n;
    hcbr_i_shuffle(numbers, count, draw);
    for (uint32_t n = 0; n < count; n++) {
        double key = (double)hcbr_i_draw_below(draw, kinds) - kinds / 2.0;
        all[n] = (hcbr_i_top_item){.key = key, .number = numbers[n]};
    }
}

static void top__keeps_what_sorting_puts_first(void **context) {
    hcbr_i_top_item all[MOST], kept[MOST];
    uint32_t owner[MOST];
    uint64_t draw = 31;
    (void)context;
    print_message("seed 31\n");
    for (unsigned round = 0; round < 4000; round++) {
        uint32_t count = hcbr_i_draw_below(&draw, MOST);
        hcbr_i_top top = {.items = kept, .most = hcbr_i_draw_below(&draw, MOST)};
        make_stream(all, count, 1 + hcbr_i_draw_below(&draw, 50), &draw);
        for (uint32_t n = 0; n < count; n++) {
            double floor = hcbr_i_top_floor(&top, -INFINITY);
            uint32_t place = hcbr_i_top_offer(&top, all[n].key, all[n].number);
            assert_true(place == UINT32_MAX || all[n].key >= floor);
            assert_true(place == UINT32_MAX || place < top.most);
            if (place != UINT32_MAX)
                owner[place] = all[n].number;
        }
        hcbr_i_top_sort(&top);
        qsort(all, count, sizeof *all, by_key);
        assert_int_equal(top.count, count < top.most ? count : top.most);
        for (size_t n = 0; n < top.count; n++) {
            assert_int_equal(top.items[n].number, all[n].number);
            assert_true(top.items[n].key == all[n].key);
            assert_int_equal(owner[top.items[n].place], all[n].number); // what was kept beside it
        }
    }
}

static void top__floor_is_the_last_of_those_kept(void **context) {
    hcbr_i_top_item kept[2];
    hcbr_i_top top = {.items = kept, .most = 2}, none = {.items = kept};
    (void)context;
    assert_true(hcbr_i_top_floor(&top, -5) == -5);
    hcbr_i_top_offer(&top, 3, 1);
    assert_true(hcbr_i_top_floor(&top, -5) == -5); // there is room
    hcbr_i_top_offer(&top, 7, 2);
    assert_true(hcbr_i_top_floor(&top, -5) == 3);
    assert_int_equal(hcbr_i_top_offer(&top, 3, 5), UINT32_MAX); // equal, and its number is larger
    assert_int_equal(hcbr_i_top_offer(&top, 3, 0), 0);          // equal, and it is smaller
    hcbr_i_top_offer(&top, INFINITY, 9);
    assert_true(hcbr_i_top_floor(&top, -5) == 7);
    assert_int_equal(hcbr_i_top_offer(&none, 3, 1), UINT32_MAX);
    assert_true(hcbr_i_top_floor(&none, -5) == -5);
    hcbr_i_top_sort(&none);
}

static int sign(int order) {
    return (order > 0) - (order < 0);
}

static void order__puts_numbers_by_their_value(void **context) {
    static const uint64_t whole[] = {
        0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_C(1) << 32, UINT64_MAX};
    static const double real[] = {-INFINITY, -2.5, -1e-300, 0, 1e-300, 1, 1e300, INFINITY};
    (void)context;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            uint32_t x = (uint32_t)whole[i], y = (uint32_t)whole[j];
            assert_int_equal(sign(hcbr_i_compare_u64(&whole[i], &whole[j])), sign(i - j));
            assert_int_equal(sign(hcbr_i_order_u64(whole[i], whole[j])), sign(i - j));
            if (i < 5 && j < 5) {
                assert_int_equal(sign(hcbr_i_compare_u32(&x, &y)), sign(i - j));
                assert_int_equal(sign(hcbr_i_order_u32(x, y)), sign(i - j));
            }
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            double x = fabs(real[i]), y = fabs(real[j]);
            assert_int_equal(sign(hcbr_i_compare_double(&real[i], &real[j])), sign(i - j));
            assert_int_equal(sign(hcbr_i_order_double(real[i], real[j])), sign(i - j));
            assert_int_equal(hcbr_i_order_size(real[i], real[j]), x > y ? -1 : x < y);
        }
    assert_int_equal(hcbr_i_order_double(0.0, -0.0), 0);
}

static void order__puts_texts_by_their_bytes(void **context) {
    static const char *const ascending[] = {"", "A", "AA", "B", "a", "\xC3\xA9"};
    (void)context;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            hcbr_i_text x = {ascending[i], strlen(ascending[i])};
            hcbr_i_text y = {ascending[j], strlen(ascending[j])};
            assert_int_equal(sign(hcbr_i_order_text(x, y)), sign(i - j));
            assert_int_equal(hcbr_i_text_same(x, y), i == j);
            assert_int_equal(hcbr_i_text_is(x, ascending[j]), i == j);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top__keeps_what_sorting_puts_first),
        cmocka_unit_test(top__floor_is_the_last_of_those_kept),
        cmocka_unit_test(order__puts_numbers_by_their_value),
        cmocka_unit_test(order__puts_texts_by_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
