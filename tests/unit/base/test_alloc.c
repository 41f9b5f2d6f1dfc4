// Allocation, growing arrays, arenas and failures on request.
#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

static void alloc__refuses_products_that_overflow(void **context) {
    (void)context;
    assert_null(hcbr_i_alloc(SIZE_MAX, 2));
    assert_null(hcbr_i_alloc(SIZE_MAX / 2 + 1, 2)); // wraps to 0
    assert_null(hcbr_i_alloc((size_t)1 << 33, (size_t)1 << 33));
    assert_null(hcbr_i_alloc(SIZE_MAX, 1)); // no overflow, but larger than any object
    assert_null(hcbr_i_alloc_zero(SIZE_MAX / 4, 8));
    char *block = hcbr_i_alloc(4, 1);
    memcpy(block, "abc", 4);
    assert_null(hcbr_i_realloc(block, SIZE_MAX / 2 + 1, 2));
    assert_string_equal(block, "abc");
    hcbr_i_free(block);
}

static void alloc__gives_something_for_nothing(void **context) {
    (void)context;
    void *a = hcbr_i_alloc(0, 8), *b = hcbr_i_alloc_zero(8, 0), *c = hcbr_i_realloc(NULL, 0, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    hcbr_i_free(a);
    hcbr_i_free(b);
    hcbr_i_free(c);
    hcbr_i_free(NULL);
}

static void alloc_zero__is_zero(void **context) {
    (void)context;
    unsigned char *block = hcbr_i_alloc_zero(1000, 3);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(block[i], 0);
    hcbr_i_free(block);
}

static void text_copy__ends_with_nul(void **context) {
    (void)context;
    char *copy = hcbr_i_text_copy("a=b, more", 3), *empty = hcbr_i_text_copy(NULL, 0);
    assert_string_equal(copy, "a=b");
    assert_string_equal(empty, "");
    hcbr_i_free(copy);
    hcbr_i_free(empty);
    assert_null(hcbr_i_text_copy("a", SIZE_MAX));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_null(hcbr_i_text_copy("a", 1));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
}

static void text_compare__orders_by_bytes(void **context) {
    static const char *const ascending[] = {"", "A", "AA", "B", "a", "\xC3\xA9"};
    const size_t count = sizeof ascending / sizeof *ascending;
    (void)context;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            int order = hcbr_i_text_compare(ascending[i], strlen(ascending[i]), ascending[j],
                                            strlen(ascending[j]));
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void grow__keeps_elements_and_doubles(void **context) {
    (void)context;
    uint32_t *array = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        assert_true(hcbr_i_grow(&array, &capacity, (size_t)i + 1, sizeof *array));
        assert_true(capacity > i);
        moves += capacity != before;
        array[i] = i * 7;
    }
    assert_true(moves < 20);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(array[i], i * 7);
    hcbr_i_free(array);
}

static void grow__changes_nothing_on_failure(void **context) {
    (void)context;
    uint64_t *array = NULL, *before;
    size_t capacity = 0;
    assert_true(hcbr_i_grow(&array, &capacity, 5, sizeof *array));
    before = array;
    size_t room = capacity;
    assert_false(hcbr_i_grow(&array, &capacity, SIZE_MAX / 8 + 1, sizeof *array));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_false(hcbr_i_grow(&array, &capacity, room + 1, sizeof *array));
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, room);
    assert_true(hcbr_i_grow(&array, &capacity, room, sizeof *array)); // no need to ask
    assert_int_equal(hcbr_i_fault_count(HCBR_I_FAULT_ALLOC), 1);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    hcbr_i_free(array);
}

static void arena__never_moves_what_it_gave(void **context) {
    (void)context;
    enum { COUNT = 3000 };
    static char *texts[COUNT];
    static size_t sizes[COUNT];
    hcbr_i_arena arena = {NULL};
    uint64_t seed = 7;
    print_message("seed 7\n");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            uint64_t r = hcbr_i_mix(seed++);
            sizes[i] = r % 100 == 0 ? r % 900000 : r % 50;
            texts[i] = hcbr_i_arena_take(&arena, sizes[i]);
            assert_non_null(texts[i]);
            memset(texts[i], i & 0xFF, sizes[i]);
        }
        for (int i = 0; i < COUNT; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                if (texts[i][k] != (char)(i & 0xFF))
                    fail_msg("text %d was overwritten", i);
        if (round == 1)
            hcbr_i_arena_clear(&arena);
        else
            hcbr_i_arena_reset(&arena);
    }
    hcbr_i_arena_clear(&arena);
    assert_null(arena.first);
    hcbr_i_arena_reset(&arena);
    hcbr_i_arena_clear(&arena);
}

static void arena__uses_a_block_again(void **context) {
    (void)context;
    hcbr_i_arena arena = {NULL};
    char *first = hcbr_i_arena_take(&arena, 100);
    assert_ptr_equal(hcbr_i_arena_take(&arena, 1), first + 100);
    hcbr_i_arena_reset(&arena);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
    assert_ptr_equal(hcbr_i_arena_take(&arena, 100), first);
    assert_null(hcbr_i_arena_take(&arena, 1000000));
    assert_ptr_equal(hcbr_i_arena_take(&arena, 5), first + 100); // still usable
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_null(hcbr_i_arena_take(&arena, SIZE_MAX));
    assert_null(hcbr_i_arena_take(&arena, SIZE_MAX - 8));
    hcbr_i_arena_clear(&arena);
}

static void fault__fails_the_call_asked_for(void **context) {
    (void)context;
    for (uint64_t n = 0; n <= 5; n++)
        for (int on = 0; on < 2; on++) {
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, on);
            for (uint64_t call = 1; call <= 8; call++) {
                void *block = hcbr_i_alloc(1, 1);
                bool fails = n != 0 && (call == n || (on && call > n));
                assert_int_equal(block == NULL, fails);
                hcbr_i_free(block);
                assert_int_equal(hcbr_i_fault_count(HCBR_I_FAULT_ALLOC), call);
            }
            assert_false(hcbr_i_fault_now(HCBR_I_FAULT_IO)); // the kinds do not mix
        }
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
}

static void grow__keeps_the_elements_of_large_arrays(void **context) {
    (void)context;
    uint64_t *array = NULL;
    size_t capacity = 0;
    for (size_t n = 0; n < 2000000; n++) { // over several large pages
        if (n >= capacity)
            assert_true(hcbr_i_grow(&array, &capacity, n + 1, sizeof *array));
        array[n] = n * n;
    }
    for (size_t n = 0; n < 2000000; n++)
        if (array[n] != n * n)
            fail_msg("element %zu is lost", n);
    hcbr_i_free(array);
}

static void regrow__keeps_the_elements_of_tables(void **context) {
    (void)context;
    uint32_t *table = NULL;
    size_t count = 0;
    for (size_t room = 1000; room < 9000000; count = room, room = room * 3 + 1) {
        table = hcbr_i_regrow(table, count, room, sizeof *table);
        assert_non_null(table);
        for (size_t n = 0; n < count; n++)
            if (table[n] != n * 7)
                fail_msg("element %zu is lost among %zu", n, room);
        for (size_t n = count; n < room; n++)
            table[n] = (uint32_t)(n * 7);
    }
    assert_null(hcbr_i_regrow(table, count, SIZE_MAX / 2, sizeof *table));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_null(hcbr_i_regrow(table, count, count * 2, sizeof *table));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_int_equal(table[count - 1], (uint32_t)(count - 1) * 7);
    hcbr_i_free(table);
}

static void fill(unsigned char *block, size_t size, unsigned char with) {
    memset(block, with, size);
    assert_int_equal(block[size - 1], with);
}

static void pool__gives_blocks_of_their_own(void **context) {
    (void)context;
    enum { MB = 1 << 20, BLOCKS = 24 };
    hcbr_i_pool pool = {0};
    unsigned char *block[BLOCKS] = {NULL};
    size_t size[BLOCKS] = {0};
    for (uint32_t n = 0; n < 400; n++) { // small and large, taken and given in any order
        uint64_t x = hcbr_i_mix(n);
        uint32_t at = (uint32_t)(x % BLOCKS);
        for (size_t b = 0; block[at] && b < size[at]; b += 4096)
            assert_int_equal(block[at][b], at); // no other thread wrote to it
        if (block[at] && x >> 60 == 0)          // a block that was taken can be kept and freed
            hcbr_i_free(block[at]);
        else
            hcbr_i_pool_give(&pool, block[at], size[at], 1);
        size[at] = x >> 32 & 1 ? (x >> 33) % (9 * MB) + 1 : (x >> 33) % 5000 + 1;
        block[at] = x >> 62 & 1 ? hcbr_i_pool_take_zero(&pool, size[at], 1)
                                : hcbr_i_pool_take(&pool, size[at], 1);
        assert_non_null(block[at]);
        for (size_t b = 0; x >> 62 & 1 && b < size[at]; b += 512)
            assert_int_equal(block[at][b], 0);
        fill(block[at], size[at], (unsigned char)at);
    }
    for (uint32_t at = 0; at < BLOCKS; at++)
        hcbr_i_pool_give(&pool, block[at], size[at], 1);
    hcbr_i_pool_clear(&pool);
    assert_int_equal(pool.count, 0);
}

static void pool__may_be_none_and_may_fail(void **context) {
    (void)context;
    hcbr_i_pool pool = {0};
    char *block = hcbr_i_pool_take_zero(NULL, 3, 1 << 20);
    assert_int_equal(block[(3 << 20) - 1], 0);
    hcbr_i_pool_give(NULL, block, 3, 1 << 20);
    hcbr_i_pool_give(&pool, NULL, 3, 1 << 20);
    assert_int_equal(pool.count, 0);
    assert_null(hcbr_i_pool_take(&pool, SIZE_MAX, 2));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_null(hcbr_i_pool_take_zero(&pool, 3, 1 << 20));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alloc__refuses_products_that_overflow),
        cmocka_unit_test(alloc__gives_something_for_nothing),
        cmocka_unit_test(alloc_zero__is_zero),
        cmocka_unit_test(text_copy__ends_with_nul),
        cmocka_unit_test(text_compare__orders_by_bytes),
        cmocka_unit_test(grow__keeps_elements_and_doubles),
        cmocka_unit_test(grow__changes_nothing_on_failure),
        cmocka_unit_test(arena__never_moves_what_it_gave),
        cmocka_unit_test(arena__uses_a_block_again),
        cmocka_unit_test(fault__fails_the_call_asked_for),
        cmocka_unit_test(grow__keeps_the_elements_of_large_arrays),
        cmocka_unit_test(regrow__keeps_the_elements_of_tables),
        cmocka_unit_test(pool__gives_blocks_of_their_own),
        cmocka_unit_test(pool__may_be_none_and_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
