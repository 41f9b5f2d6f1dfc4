/*
 * Labels and their fixed order (METHOD 3): by value if all are numbers, else by bytes, whatever the
 * order in which they came.
 */
#include "cases/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t intern(hcbr_i_labels *labels, const char *name) {
    uint32_t number = HCBR_I_NONE;
    assert_int_equal(hcbr_i_labels_intern(labels, name, strlen(name), &number, NULL), HCBR_OK);
    return number;
}

/* Whatever the order they come in (all rotations, both ways), they end in this one. */
static void expect_order(const char *const *names, uint32_t count) {
    for (uint32_t first = 0; first < 2 * count; first++) {
        hcbr_i_labels labels = {0};
        uint32_t map[16];
        for (uint32_t n = 0; n < count; n++) {
            uint32_t which = (first + n) % count;
            assert_int_equal(intern(&labels, names[first < count ? which : count - 1 - which]), n);
        }
        assert_int_equal(hcbr_i_labels_sort(&labels, map, NULL), HCBR_OK);
        assert_int_equal(labels.count, count);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t which = (first + n) % count;
            assert_string_equal(labels.names[n], names[n]);
            assert_int_equal(labels.lengths[n], strlen(names[n]));
            assert_int_equal(map[n], first < count ? which : count - 1 - which);
            assert_int_equal(hcbr_i_labels_find(&labels, names[n], strlen(names[n])), n);
        }
        assert_true(hcbr_i_labels_sorted(&labels));
        hcbr_i_labels_clear(&labels);
    }
}

static void labels__are_ordered_by_value_if_all_are_numbers(void **state) {
    (void)state;
    expect_order((const char *const[]){"-1", "1"}, 2);
    expect_order((const char *const[]){"-10", "-9", "0", "2", "10", "1e3"}, 6);
    expect_order((const char *const[]){"0.5", "1", "1.5", "20"}, 4);
    /* by bytes this would be the other way round */
    expect_order((const char *const[]){"9", "10"}, 2);
    expect_order((const char *const[]){"-1", "-0.5", ".25", "+1", "2"}, 5);
}

/* One number in two texts is two labels, which their bytes put in order. */
static void labels__are_texts_even_if_they_are_numbers(void **state) {
    (void)state;
    expect_order((const char *const[]){"0", "+1", "1", "1.0", "1e0", "2"}, 6);
    expect_order((const char *const[]){"-0", "0"}, 2);
}

static void labels__are_ordered_by_bytes_if_one_is_no_number(void **state) {
    (void)state;
    expect_order((const char *const[]){"+1", "-1", "1", "10", "9", "x"}, 6);
    expect_order((const char *const[]){"10", "9", "nan"}, 3); /* nan is no number */
    expect_order((const char *const[]){"1", "10", "2", "\xC3\xA9"}, 4);
    expect_order((const char *const[]){"10", "9", "9 "}, 3); /* nor is one with a blank */
    expect_order((const char *const[]){"A", "B", "a", "aa", "b"}, 5);
    expect_order((const char *const[]){"no", "yes"}, 2);
    /* bytes are compared without a sign, and a beginning comes first */
    expect_order((const char *const[]){"a", "a\x7F", "a\xC3\xA9", "b"}, 4);
}

static void labels__are_found_among_many(void **state) {
    (void)state;
    enum { MANY = 20000 };
    hcbr_i_labels labels = {0}, copy;
    char name[40];
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t l = 0; l < MANY; l++) {
            snprintf(name, sizeof name, l % 2 ? "%u" : "a label of many bytes %u", l);
            assert_int_equal(intern(&labels, name), l);
        }
    assert_int_equal(labels.count, MANY);
    assert_int_equal(hcbr_i_labels_find(&labels, "0", 1), HCBR_I_NONE);
    assert_int_equal(hcbr_i_labels_find(&labels, "", 0), HCBR_I_NONE);
    assert_int_equal(hcbr_i_labels_copy(&copy, &labels, NULL), HCBR_OK);
    hcbr_i_labels_clear(&labels);
    for (uint32_t l = 0; l < MANY; l++) {
        size_t length =
            (size_t)snprintf(name, sizeof name, l % 2 ? "%u" : "a label of many bytes %u", l);
        assert_int_equal(hcbr_i_labels_find(&copy, name, length), l);
    }
    hcbr_i_labels_clear(&copy);
}

static void labels__can_be_taken_back(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    hcbr_i_labels labels = {0};
    for (uint32_t keep = 0; keep <= 7; keep++) {
        for (uint32_t l = 0; l < 7; l++)
            assert_int_equal(intern(&labels, names[l]), l);
        hcbr_i_labels_truncate(&labels, keep);
        assert_int_equal(labels.count, keep);
        for (uint32_t l = 0; l < 7; l++)
            assert_int_equal(hcbr_i_labels_find(&labels, names[l], 1), l < keep ? l : HCBR_I_NONE);
        assert_int_equal(intern(&labels, "another"), keep);
        hcbr_i_labels_truncate(&labels, keep);
    }
    hcbr_i_labels_clear(&labels);
}

/* The check of a loaded model: equal or wrongly ordered labels are noticed. */
static void labels__are_checked_for_their_order(void **state) {
    (void)state;
    static const struct {
        const char *names[3];
        bool sorted;
    } lists[] = {
        {{"1", "2", "10"}, true},   {{"1", "10", "2"}, false},   {{"1", "10", "x"}, true},
        {{"1", "2", "2"}, false},   {{"+1", "1", "2"}, true},    {{"1", "+1", "2"}, false},
        {{"a", "aa", "ab"}, true},  {{"a", "ab", "aa"}, false},  {{"b", "a", "c"}, false},
        {{"10", "9", "nan"}, true}, {{"9", "10", "nan"}, false},
    };
    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++) {
        char *names[3];
        uint32_t lengths[3];
        for (int l = 0; l < 3; l++) {
            names[l] = (char *)(uintptr_t)lists[n].names[l];
            lengths[l] = (uint32_t)strlen(names[l]);
        }
        const hcbr_i_labels labels = {.names = names, .lengths = lengths, .count = 3};
        assert_int_equal(hcbr_i_labels_sorted(&labels), lists[n].sorted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels__are_ordered_by_value_if_all_are_numbers),
        cmocka_unit_test(labels__are_texts_even_if_they_are_numbers),
        cmocka_unit_test(labels__are_ordered_by_bytes_if_one_is_no_number),
        cmocka_unit_test(labels__are_found_among_many),
        cmocka_unit_test(labels__can_be_taken_back),
        cmocka_unit_test(labels__are_checked_for_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
