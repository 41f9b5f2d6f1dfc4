// The first of a stream against a list that is sorted; and the orders everything is sorted by.
#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 200u

/** Keys by number, and how often two were compared. */
static double key_of[MOST];
static uint64_t compared;

static bool before(const void *owner, uint32_t a, uint32_t b) {
    assert_ptr_equal(owner, key_of);
    compared++;
    return hcbr_i_larger_first(key_of[a], a, key_of[b], b);
}

/** The same for qsort(), written without it. */
static int by_key(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    if (key_of[*x] < key_of[*y])
        return 1;
    if (key_of[*x] > key_of[*y])
        return -1;
    return *x < *y ? -1 : *x > *y;
}

static void heap__keeps_what_sorting_puts_first(void **context) {
    uint32_t all[MOST], kept[MOST + 1];
    uint64_t draw = 31;
    (void)context;
    print_message("seed 31\n");
    for (unsigned round = 0; round < 4000; round++) {
        uint32_t count = hcbr_i_draw_below(&draw, MOST), kinds = 1 + hcbr_i_draw_below(&draw, 50);
        hcbr_i_heap heap = {.items = kept, .most = hcbr_i_draw_below(&draw, MOST)};
        for (uint32_t n = 0; n < count; n++) {
            all[n] = n;
            key_of[n] = (double)hcbr_i_draw_below(&draw, kinds) - kinds / 2.0;
        }
        hcbr_i_shuffle(all, count, &draw);
        kept[heap.most] = 12345; // one more than there is room for
        for (uint32_t n = 0; n < count; n++)
            hcbr_i_heap_offer(&heap, all[n], before, key_of);
        hcbr_i_heap_sort(&heap, before, key_of);
        qsort(all, count, sizeof *all, by_key);
        assert_int_equal(heap.count, count < heap.most ? count : heap.most);
        for (size_t n = 0; n < heap.count; n++)
            assert_int_equal(heap.items[n], all[n]);
        assert_int_equal(kept[heap.most], 12345);
    }
}

static void heap__has_the_last_on_top_once_it_is_full(void **context) {
    uint32_t kept[20];
    (void)context;
    for (uint32_t n = 0; n < MOST; n++)
        key_of[n] = n % 7;
    hcbr_i_heap heap = {.items = kept, .most = 20};
    for (uint32_t n = 0; n < MOST; n++) {
        hcbr_i_heap_offer(&heap, n, before, key_of);
        for (size_t i = 1; heap.count == heap.most && i < heap.count; i++)
            assert_true(before(key_of, heap.items[i], heap.items[0]));
    }
}

static void heap__turns_away_with_one_comparison(void **context) {
    uint32_t kept[10];
    (void)context;
    for (uint32_t n = 0; n < MOST; n++)
        key_of[n] = -(double)n;
    hcbr_i_heap heap = {.items = kept, .most = 10};
    for (uint32_t n = 0; n < 10; n++)
        hcbr_i_heap_offer(&heap, n, before, key_of);
    compared = 0;
    for (uint32_t n = 10; n < MOST; n++)
        hcbr_i_heap_offer(&heap, n, before, key_of);
    assert_int_equal(compared, MOST - 10);
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
            if (i == 0) // not there at all
                x.at = NULL;
            if (j == 0)
                y.at = NULL;
            assert_int_equal(sign(hcbr_i_order_absent(x, y)), sign(i - j));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap__keeps_what_sorting_puts_first),
        cmocka_unit_test(heap__has_the_last_on_top_once_it_is_full),
        cmocka_unit_test(heap__turns_away_with_one_comparison),
        cmocka_unit_test(order__puts_numbers_by_their_value),
        cmocka_unit_test(order__puts_texts_by_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
