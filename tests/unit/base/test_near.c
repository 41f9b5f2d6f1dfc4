/* Names that may have been meant, against edits found by trying. */
#include "property/harness.h"

#include <hcbr/text.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int near(const char *asked, const char *name) {
    unsigned least = HCBR_TEXT_FAR;
    return hcbr_text_near(asked, strlen(asked), name, strlen(name), &least) ? (int)least : -1;
}

static int folded(const char *a, const char *b) {
    return hcbr_text_same_folded(a, strlen(a), b, strlen(b));
}

static void near__counts_edits(void **state) {
    (void)state;
    assert_int_equal(near("class", "class"), 0);
    assert_int_equal(near("CLASS", "class"), 0);
    assert_int_equal(near("clas", "class"), 1);
    assert_int_equal(near("classs", "class"), 1);
    assert_int_equal(near("calss", "class"), 1);
    assert_int_equal(near("Klass", "class"), 1);
    assert_int_equal(near("outcmoe_day", "outcome_date"), 3);
    assert_int_equal(near("gr\xc3\xb6\xc3\x9f"
                          "e",
                          "gr\xc3\x96\xc3\x9f"
                          "en"),
                     1);
    assert_int_equal(near("price", "label"), -1);
    assert_int_equal(near("a", "b"), -1); // nothing of it would be left
    assert_int_equal(near("", "a"), -1);
}

static void near__keeps_the_nearest(void **state) {
    (void)state;
    unsigned least = HCBR_TEXT_FAR;
    assert_true(hcbr_text_near("colour", 6, "colours2", 8, &least));
    assert_int_equal(least, 2);
    assert_true(hcbr_text_near("colour", 6, "color", 5, &least));
    assert_int_equal(least, 1);
    assert_false(hcbr_text_near("colour", 6, "colours", 7, &least)); // not nearer
}

static void near__takes_any_bytes(void **state) {
    (void)state;
    char a[200], b[200];
    harness_random r = {harness_seed(20261117)};
    for (int n = 0; n < 20000; n++) {
        size_t la = (size_t)harness_below(&r, 80), lb = (size_t)harness_below(&r, 80);
        for (size_t i = 0; i < la; i++)
            a[i] = (char)harness_below(&r, 256);
        for (size_t i = 0; i < lb; i++)
            b[i] = (char)harness_below(&r, 256);
        unsigned least = HCBR_TEXT_FAR, back = HCBR_TEXT_FAR;
        (void)hcbr_text_near(a, la, b, lb, &least);
        assert_true(hcbr_text_same_folded(a, la, a, la));
        assert_int_equal(hcbr_text_same_folded(a, la, b, lb), hcbr_text_same_folded(b, lb, a, la));
        assert_true(hcbr_text_near(a, la, a, la, &back));
        assert_int_equal(back, 0);
    }
}

static void folded__letters_of_any_script(void **state) {
    (void)state;
    assert_true(folded("Label", "lABEL"));
    assert_true(folded("\xc3\x89t\xc3\xa9", "\xc3\xa9T\xc3\x89"));
    assert_true(folded("\xd0\x9c\xd0\xb8\xd1\x80", "\xd0\xbc\xd0\x98\xd0\xa0"));
    assert_true(folded("\xcf\x83", "\xcf\x82")); // two small forms of one letter
    assert_false(folded("label", "labels"));
    assert_false(folded("a", "\xc3\xa1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near__counts_edits),
        cmocka_unit_test(near__keeps_the_nearest),
        cmocka_unit_test(near__takes_any_bytes),
        cmocka_unit_test(folded__letters_of_any_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
