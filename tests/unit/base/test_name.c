// Packed names and keyed hashes.
#include "base/base.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

/** Exact heap copy, so that the sanitizer sees any read beyond the text. */
static char *copy_of(const char *text, size_t length) {
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    return copy;
}

static void bytes_load__takes_each_byte_and_no_more(void **context) {
    (void)context;
    char text[16];
    for (int i = 0; i < 16; i++)
        text[i] = (char)(0xF1 - 13 * i);
    for (size_t n = 0; n <= 16; n++) {
        hcbr_i_u128 want = 0;
        for (size_t i = n; i-- > 0;)
            want = want << 8 | (unsigned char)text[i];
        char *copy = copy_of(text, n);
        assert_true(hcbr_i_bytes_load(copy, n) == want);
        free(copy);
    }
}

static void name__comes_back_from_packing(void **context) {
    (void)context;
    const char all[] = "\xff\x01zyxwvutsrqpon\x80";
    for (size_t k = 0; k <= HCBR_I_SHORT; k++)
        for (size_t v = 0; v <= HCBR_I_SHORT - k; v++)
            for (int bare = 0; bare <= (v == 0); bare++) {
                char *key = copy_of(all, k), *value = copy_of(all + 1, v);
                char text[HCBR_I_NAME_TEXT];
                size_t key_length, value_length;
                bool is_bare;
                hcbr_i_name name = hcbr_i_name_pack(key, k, bare ? NULL : value, v);
                assert_false(hcbr_i_name_is_long(name));
                hcbr_i_name_unpack(name, text, &key_length, &is_bare, &value_length);
                assert_int_equal(key_length, k);
                assert_int_equal(value_length, v);
                assert_int_equal(is_bare, bare);
                assert_memory_equal(text, key, k);
                assert_memory_equal(text + k, value, v);
                free(key);
                free(value);
            }
}

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(hcbr_i_name));
}

static void name__is_different_for_different_names(void **context) {
    (void)context;
    // All keys and values over {a, =} that together have at most 7 bytes, and the bare keys.
    size_t count = 0;
    hcbr_i_name *names = malloc(2048 * sizeof *names);
    for (size_t length = 0; length <= 7; length++)
        for (unsigned pattern = 0; pattern < 1u << length; pattern++) {
            char text[8];
            for (size_t i = 0; i < length; i++)
                text[i] = pattern >> i & 1 ? '=' : 'a';
            for (size_t k = 0; k <= length; k++)
                names[count++] = hcbr_i_name_pack(text, k, text + k, length - k);
            names[count++] = hcbr_i_name_pack(text, length, NULL, 0);
        }
    assert_in_range(count, 1500, 2048);
    qsort(names, count, sizeof *names, by_bytes);
    for (size_t i = 1; i < count; i++)
        assert_true(by_bytes(&names[i - 1], &names[i]) != 0);
    free(names);
}

static void hash_key__follows_the_seed_or_chance(void **context) {
    (void)context;
    hcbr_i_hash_key a = hcbr_i_hash_key_make(5), b = hcbr_i_hash_key_make(5);
    hcbr_i_hash_key c = hcbr_i_hash_key_make(6);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_not_equal(&a, &c, sizeof a);
    assert_true(a.a != a.b && a.b != a.c && a.c != a.d && a.a != c.a && a.b != c.a);
    a = hcbr_i_hash_key_make(0);
    b = hcbr_i_hash_key_make(0);
    assert_memory_not_equal(&a, &b, sizeof a); // fails by chance once in 2^256 runs
}

static void hash_text__counts_text_border_key_and_absence(void **context) {
    (void)context;
    enum { LENGTH = 70 };
    char text[LENGTH];
    hcbr_i_hash_key key = hcbr_i_hash_key_make(1), other = hcbr_i_hash_key_make(2);
    size_t count = 0;
    hcbr_i_name *names = malloc(20000 * sizeof *names);
    memset(text, 'a', LENGTH); // the hardest case: only the lengths differ
    for (size_t length = 0; length <= LENGTH; length++)
        for (size_t k = 0; k <= length; k++) {
            char *first = copy_of(text, k), *second = copy_of(text + k, length - k);
            names[count++] = hcbr_i_hash_text(&key, first, k, second, length - k);
            names[count++] = hcbr_i_hash_text(&other, first, k, second, length - k);
            hcbr_i_name again = hcbr_i_hash_text(&key, first, k, second, length - k);
            assert_memory_equal(&again, &names[count - 2], sizeof again);
            assert_true(hcbr_i_name_is_long(again));
            free(first);
            free(second);
        }
    for (size_t k = 0; k <= LENGTH; k++) // no second text is not an empty one
        names[count++] = hcbr_i_hash_text(&key, text, k, NULL, 0);
    for (size_t i = 0; i < LENGTH; i++) { // one bit anywhere
        for (int bit = 0; bit < 8; bit++) {
            text[i] = (char)(text[i] ^ 1 << bit);
            names[count++] = hcbr_i_hash_text(&key, text, 33, text + 33, LENGTH - 33);
            text[i] = (char)(text[i] ^ 1 << bit);
        }
    }
    assert_true(count < 20000);
    qsort(names, count, sizeof *names, by_bytes);
    for (size_t i = 1; i < count; i++)
        if (by_bytes(&names[i - 1], &names[i]) == 0)
            fail_msg("two texts hash alike");
    free(names);
}

static void hash_text__spreads_both_halves(void **context) {
    (void)context;
    enum { COUNT = 1 << 16 };
    hcbr_i_hash_key key = hcbr_i_hash_key_make(3);
    unsigned *low = calloc(4096, sizeof *low), *high = calloc(4096, sizeof *high);
    for (unsigned i = 0; i < COUNT; i++) {
        char text[] = "a rather long key 00000000";
        for (unsigned k = 0, n = i; k < 8; k++, n /= 10)
            text[25 - k] = (char)('0' + n % 10);
        hcbr_i_name name = hcbr_i_hash_text(&key, text, 20, text + 20, 6);
        low[name.lo >> 52]++;
        high[name.hi >> 44 & 4095]++;
    }
    for (int i = 0; i < 4096; i++) { // 16 expected, deviation 4: ten deviations never happen
        assert_true(low[i] < 56);
        assert_true(high[i] < 56);
    }
    free(low);
    free(high);
}

static void sum__is_exact_where_it_can_be(void **context) {
    (void)context;
    hcbr_i_sum sum = 0;
    for (int i = 0; i < 8; i++)
        sum += hcbr_i_sum_reciprocal(8);
    assert_true(hcbr_i_sum_value(sum) == 1.0);
    assert_true(hcbr_i_sum_value(hcbr_i_sum_reciprocal(3)) == 1.0 / 3);
    assert_true(hcbr_i_sum_value(0) == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_load__takes_each_byte_and_no_more),
        cmocka_unit_test(name__comes_back_from_packing),
        cmocka_unit_test(name__is_different_for_different_names),
        cmocka_unit_test(hash_key__follows_the_seed_or_chance),
        cmocka_unit_test(hash_text__counts_text_border_key_and_absence),
        cmocka_unit_test(hash_text__spreads_both_halves),
        cmocka_unit_test(sum__is_exact_where_it_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
