// Spellings of one number become one feature: the list is the one that canonical texts give,
// whether the canonical text is there itself, comes late or never, and whatever memory is short.
#include "add_case.h"
#include "cases/cases.h"
#include "property/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { COLUMNS = 4, MOST_ROWS = 300 };

/** A value as it is spelled, and the text that stands for all its spellings. */
typedef struct value {
    char spelled[32], canonical[32];
} value;

typedef struct rows {
    value cell[MOST_ROWS][COLUMNS];
    uint32_t count;
} rows;

/** A number of few digits; `canonical`: it is never spelled in another way. */
static value draw_value(harness_random *r, int range, bool canonical) {
    static const char *const END[] = {"", "0", "00", "e0", "0e+0", "E-00"};
    const unsigned whole = (unsigned)harness_below(r, range),
                   tenths = (unsigned)harness_below(r, 3);
    const char *sign = whole && harness_below(r, 4) == 0 ? "-" : "";
    const char *end = canonical ? "" : END[harness_below(r, (int)(sizeof END / sizeof *END))];
    value v = {{0}, {0}};
    if (tenths)
        snprintf(v.canonical, sizeof v.canonical, "%s%u.%u", sign, whole, tenths);
    else
        snprintf(v.canonical, sizeof v.canonical, "%s%u", sign, whole);
    if (tenths)
        snprintf(v.spelled, sizeof v.spelled, "%s%s", v.canonical, end);
    else
        snprintf(v.spelled, sizeof v.spelled, "%s%s%s", v.canonical, *end == '0' ? "." : "", end);
    return v;
}

/** The last column has a word in its last row, so that its spellings stay apart. */
static void draw_rows(rows *out, harness_random *r) {
    out->count = 1 + (uint32_t)harness_below(r, MOST_ROWS);
    for (uint32_t i = 0; i < out->count; i++) {
        for (unsigned c = 0; c < COLUMNS; c++)
            out->cell[i][c] = draw_value(r, c == 0 ? 3 : 40, c == 1);
        value *last = &out->cell[i][COLUMNS - 1];
        if (i + 1 == out->count)
            memcpy(last->spelled, "word", sizeof "word");
        memcpy(last->canonical, last->spelled, sizeof last->canonical);
    }
}

/** The list of the rows; a case has a second number of the first column. */
static hcbr_cases *make(const rows *x, bool canonical) {
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    cases->formed = true; // numbers are features, as for a file with HCBR_NUMBERS_SPELLED
    for (uint32_t i = 0; i < x->count; i++) {
        static const char *const KEYS[] = {"a", "b", "a rather long name of a column", "d", "a"};
        hcbr_feature f[COLUMNS + 1];
        for (unsigned c = 0; c <= COLUMNS; c++) {
            const value *v = c < COLUMNS ? &x->cell[i][c] : &x->cell[x->count - 1 - i][0];
            const char *text = canonical ? v->canonical : v->spelled;
            f[c] = (hcbr_feature){KEYS[c], strlen(KEYS[c]), text, strlen(text)};
        }
        harness_ok(add_one_case(cases, f, COLUMNS + 1, i % 3 ? "yes" : "no", NULL, &err), &err);
    }
    return cases;
}

static void same_lists(const hcbr_cases *a, const hcbr_cases *b) {
    assert_int_equal(hcbr_cases_get_info(a).features, hcbr_cases_get_info(b).features);
    assert_int_equal(hcbr_cases_get_info(a).keys, hcbr_cases_get_info(b).keys);
    for (uint32_t f = 0; f < hcbr_cases_get_info(a).features; f++) {
        hcbr_feature x, y;
        hcbr_cases_get_feature(a, f, &x);
        hcbr_cases_get_feature(b, f, &y);
        assert_int_equal(x.key_length, y.key_length);
        assert_memory_equal(x.key, y.key, x.key_length);
        assert_int_equal(x.value_length, y.value_length);
        assert_memory_equal(x.value, y.value, x.value_length);
    }
    assert_int_equal(a->case_count, b->case_count);
    for (uint32_t i = 0; i <= a->case_count; i++)
        assert_int_equal(a->start[i], b->start[i]);
    assert_memory_equal(a->features, b->features, a->start[a->case_count] * sizeof *a->features);
}

static void spellings__are_the_list_of_canonical_texts(void **state) {
    static rows x;
    harness_random r = {harness_seed(8801)};
    (void)state;
    for (int round = 0; round < 150; round++) {
        hcbr_error err;
        draw_rows(&x, &r);
        hcbr_cases *spelled = make(&x, false), *canonical = make(&x, true);
        harness_ok(hcbr_cases_finish(spelled, &err), &err);
        harness_ok(hcbr_cases_finish(canonical, &err), &err);
        assert_false(spelled->apart);
        same_lists(spelled, canonical);
        hcbr_cases_free(spelled);
        hcbr_cases_free(canonical);
    }
}

static void spellings__stay_as_they_are_if_memory_is_short(void **state) {
    static rows x;
    harness_random r = {harness_seed(8802)};
    (void)state;
    draw_rows(&x, &r);
    hcbr_cases *canonical = make(&x, true);
    assert_int_equal(hcbr_cases_finish(canonical, NULL), HCBR_OK);
    for (uint64_t n = 1;; n++) {
        hcbr_cases *cases = make(&x, false);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        hcbr_status st = hcbr_cases_finish(cases, NULL);
        const bool reached = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC) >= n;
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        if (st != HCBR_OK) {
            assert_int_equal(st, HCBR_ENOMEM);
            assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
        }
        same_lists(cases, canonical);
        hcbr_cases_free(cases);
        if (!reached)
            break;
    }
    hcbr_cases_free(canonical);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings__are_the_list_of_canonical_texts),
        cmocka_unit_test(spellings__stay_as_they_are_if_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
