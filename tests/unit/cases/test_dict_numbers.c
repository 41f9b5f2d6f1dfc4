/*
 * Ids that are numbers are found in an array instead of a table, as far as the number of features
 * justifies one: names must get the same numbers whichever way they go, from whichever reader, and
 * memory must follow the names, not the numbers. A naive list is the oracle.
 */
#include "cases/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 6000

typedef struct naive {
    char names[MOST][24]; /* key, newline, value */
    uint32_t count;
} naive;

static uint64_t state;

static uint32_t below(uint32_t bound) {
    return (uint32_t)(hcbr_i_mix(state++) % bound);
}

/* An id as the reader of LIBSVM gives it: digits without leading zeros. */
static void draw_id(char text[16]) {
    static const uint32_t range[] = {10, 5000, 9000, 70000, 3000000, 2000000000};
    snprintf(text, 16, "%u", below(range[below(6)]));
}

/* A number, or a text similar to one. */
static void draw_key(char text[16]) {
    draw_id(text);
    if (below(4) == 0) {
        char odd[32];
        snprintf(odd, sizeof odd, "%s%s%s", below(2) ? "0" : "", text, below(2) ? "x" : "");
        snprintf(text, 16, "%.15s", odd);
    }
}

static uint32_t naive_number(naive *list, const char *key, const char *value) {
    char name[24];
    snprintf(name, sizeof name, "%.15s\n%.6s", key, value);
    for (uint32_t n = 0; n < list->count; n++)
        if (strcmp(list->names[n], name) == 0)
            return n;
    assert_true(list->count < MOST);
    memcpy(list->names[list->count], name, sizeof name);
    return list->count++;
}

/* One block of one case of `count` names, plain ids or any, interned and compared. */
static void expect_block(hcbr_i_dict *dict, naive *list, uint32_t serial, size_t count,
                         bool plain) {
    static const char *const values[] = {"1", "1", "1", "2", "0", "1.5"};
    char keys[64][16];
    const char *value[64];
    hcbr_i_block block = {.plain_ids = plain};
    hcbr_i_raw_case all = {.count = count};
    hcbr_i_feature_id got[64], expected[64], found[64];
    uint32_t length = 0;
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        (plain ? draw_id : draw_key)(keys[n]);
        value[n] = values[below(6)];
        assert_true(hcbr_i_block_add(&block, keys[n], strlen(keys[n]), value[n], strlen(value[n])));
        uint32_t number = naive_number(list, keys[n], value[n]);
        bool again = false;
        for (size_t k = 0; k < kept; k++)
            again |= expected[k] == number;
        if (!again)
            expected[kept++] = number;
    }
    block.cases = &all;
    block.case_count = 1;
    assert_int_equal(hcbr_i_dict_intern(dict, &block, serial, got, &length, NULL), HCBR_OK);
    assert_int_equal(length, kept);
    assert_memory_equal(got, expected, kept * sizeof *got);
    assert_int_equal(hcbr_i_dict_count(dict), list->count);
    /* found again: as a block said to be plain or not, one by one, and by key */
    hcbr_i_dict_find_block(dict, &block, found);
    block.plain_ids = false;
    hcbr_i_feature_id other[64];
    hcbr_i_dict_find_block(dict, &block, other);
    assert_memory_equal(found, other, count * sizeof *found);
    for (size_t n = 0; n < count; n++) {
        size_t size = strlen(keys[n]);
        assert_int_equal(found[n], naive_number(list, keys[n], value[n]));
        assert_int_equal(hcbr_i_dict_find(dict, keys[n], size, value[n], strlen(value[n])),
                         found[n]);
        hcbr_i_key_id key = hcbr_i_dict_find_key(dict, keys[n], size);
        assert_int_equal(key, hcbr_i_dict_get(dict, found[n]).key);
        hcbr_i_text text = hcbr_i_dict_key(dict, key);
        assert_int_equal(text.length, size);
        assert_memory_equal(text.at, keys[n], size);
    }
    block.cases = NULL;
    hcbr_i_block_clear(&block);
}

static void dict_numbers__are_those_of_a_naive_list(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        naive *list = calloc(1, sizeof *list);
        hcbr_i_dict *dict = NULL;
        print_message("seed %d\n", (int)seed);
        state = hcbr_i_mix(seed);
        assert_non_null(list);
        assert_int_equal(hcbr_i_dict_create(&dict, seed, NULL), HCBR_OK);
        for (uint32_t block = 0; block < 150; block++) {
            expect_block(dict, list, block, 1 + below(40), below(3) > 0);
            if (block % 40 == 39) { /* the tables made again from the names */
                hcbr_i_dict_drop_tables(dict);
                assert_int_equal(hcbr_i_dict_need_tables(dict, NULL), HCBR_OK);
            }
        }
        hcbr_i_dict_release(dict);
        free(list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dict_numbers__are_those_of_a_naive_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
