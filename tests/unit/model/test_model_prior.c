/*
 * The sections importance and beliefs: what was written is read again, and every content that
 * docs/FORMAT.md does not allow is refused with its section.
 */
#include "add_case.h"
#include "unit/model/model_sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { CASES = 6, STATED = 3 };

/* Four cases and two beliefs, of weight 1 and 2; column a counts 2.5, the value x of b 3. */
static hcbr_model *build(hcbr_keep keep) {
    static const char *const VALUES[CASES][2] = {{"1", "x"}, {"2", "x"}, {"1", "y"},
                                                 {"2", "z"}, {"1", "x"}, {"2", "y"}};
    static const char *const LABELS[CASES] = {"no", "yes", "yes", "no", "yes", "no"};
    static const hcbr_emphasis LIST[] = {{"b", "x", 3}, {"a", NULL, 2.5}, {"gone", NULL, 0}};
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (int i = 0; i <= CASES; i++) { // the last one twice: a belief of weight 2
        const int n = i < CASES ? i : CASES - 1;
        const hcbr_feature f[] = {{"a", 1, VALUES[n][0], 1}, {"b", 1, VALUES[n][1], 1}};
        assert_int_equal(add_one_case(cases, f, 2, LABELS[n], NULL, NULL), HCBR_OK);
    }
    hcbr_i_beliefs *b = cases->beliefs = hcbr_i_beliefs_create(2, STATED);
    b->source[0] = hcbr_i_text_copy("Ana", 3);
    b->source[1] = hcbr_i_text_copy("Bob B.", 6);
    b->weight[0] = 1;
    b->weight[1] = 2;
    b->of[1] = b->of[2] = 1;
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.keep = keep;
    o.emphasis = LIST;
    o.emphasis_count = 3;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static pieces take(hcbr_keep keep) {
    return pieces_of(build(keep));
}

static void check_value(uint32_t section, size_t at, size_t width, uint64_t value,
                        const char *expected) {
    pieces_check_value(take(HCBR_KEEP_FULL), section, at, width, value, expected);
}

static uint64_t bits(double value) {
    uint64_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

static void prior__is_read_as_it_was_written(void **state) {
    (void)state;
    static const hcbr_keep KEEPS[] = {HCBR_KEEP_NONE, HCBR_KEEP_ANONYMOUS, HCBR_KEEP_FULL};
    for (int k = 0; k < 3; k++) {
        pieces p = take(KEEPS[k]);
        size_t size;
        unsigned char *bytes = pieces_join(&p, &size);
        hcbr_model *model;
        hcbr_emphasis e;
        hcbr_belief b = {.size = sizeof b};
        assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
        assert_int_equal(hcbr_model_emphasis_count(model), 3);
        hcbr_model_get_emphasis(model, 0, &e);
        assert_string_equal(e.column, "a");
        assert_null(e.value);
        assert_true(e.importance == 2.5);
        hcbr_model_get_emphasis(model, 1, &e);
        assert_string_equal(e.value, "x");
        assert_int_equal(hcbr_model_belief_count(model), 2);
        hcbr_model_get_belief(model, 1, &b);
        assert_string_equal(b.source, "Bob B.");
        assert_true(b.weight == 2 && b.cases == 2 && b.first == 5);
        assert_int_equal(b.label, k == 0 ? HCBR_LABEL_UNKNOWN : 0);
        hcbr_model_get_belief(model, 0, &b);
        assert_true(b.weight == 1 && b.cases == 1 && b.first == 4);
        hcbr_model_free(model);
        free(bytes);
        pieces_clear(&p);
    }
}

/* Offsets: count 0, lengths 4, numbers 28, texts 52: a, b, x, gone. */
static void importance__keeps_its_rules(void **state) {
    (void)state;
    const uint32_t s = HCBR_I_IMPORTANCE;
    check_value(s, 0, 4, 0, "section importance: no importance, expected one or no section");
    check_value(s, 0, 4, 4, "section importance");
    check_value(s, 0, 4, UINT32_MAX, "section importance");
    check_value(s, 4, 4, 0, "section importance");
    check_value(s, 4, 4, UINT32_MAX, "section importance");
    check_value(s, 28, 8, bits(2.5), NULL);
    check_value(s, 28, 8, bits(7), NULL); // no sum of the file depends on it
    check_value(s, 28, 8, bits(0), "has importance 0, expected none that has");
    check_value(s, 28, 8, bits(-1), "importance of 'a' is -1, expected a number from 0");
    check_value(s, 28, 8, bits(1000000.5), "expected a number from 0 to 1000000");
    check_value(s, 28, 8, bits(0.1234567), "six decimals");
    check_value(s, 28, 8, UINT64_C(0x7FF8000000000000), "expected a number from 0");
    check_value(s, 28, 8, bits(999999.999999), "section importance: importances");
    check_value(s, 52, 1, 'h', "section importance: importance 0 is out of order");
    check_value(s, 52, 1, 0, "section importance");
    check_value(s, 53, 1, 0xFF, "section importance");
    pieces p = take(HCBR_KEEP_FULL);
    const uint32_t at = pieces_find(&p, s);
    pieces_resize(&p, at, p.length[at] + 1);
    pieces_check(&p, "section importance");
    pieces_clear(&p);
}

/* Offsets: count 0, cases 4, weights 8, lengths 24, beliefs of cases 32, texts 44. */
static void beliefs__keep_their_rules(void **state) {
    (void)state;
    const uint32_t s = HCBR_I_BELIEFS;
    check_value(s, 0, 4, 0, "section beliefs: 0 beliefs in 3 cases");
    check_value(s, 0, 4, 4, "section beliefs: 4 beliefs in 3 cases");
    check_value(s, 4, 4, 8, "section beliefs: 2 beliefs in 8 cases, expected one or more in at");
    check_value(s, 4, 4, UINT32_MAX, "section beliefs");
    check_value(s, 8, 8, bits(0), "weight of belief 0 is 0, expected above 0 to 1e9");
    check_value(s, 8, 8, bits(-1), "weight of belief 0");
    check_value(s, 8, 8, UINT64_C(0x7FF8000000000000), "weight of belief 0");
    check_value(s, 8, 8, bits(2), "belief 0 of weight 2 is 1 cases, expected as many");
    check_value(s, 16, 8, bits(1), "belief 1 of weight 1 is 2 cases");
    check_value(s, 24, 4, 0, "belief 0 has no source");
    check_value(s, 24, 4, UINT32_MAX, "section beliefs");
    check_value(s, 32, 4, 1, "section beliefs: case 0 is belief 1, expected 0");
    check_value(s, 36, 4, 2, "section beliefs: case 1 is belief 2, expected 1");
    check_value(s, 40, 4, 0, "section beliefs: belief 1 of weight 2 is 1 cases");
    check_value(s, 36, 4, 0, "section beliefs: belief 0 of weight 1 is 2 cases");
    check_value(s, 44, 1, 0xFF, "section beliefs");
    pieces p = take(HCBR_KEEP_FULL);
    const uint32_t at = pieces_find(&p, s);
    pieces_resize(&p, at, p.length[at] - 1);
    pieces_check(&p, "section beliefs");
    pieces_clear(&p);
}

static void prior__fits_its_model(void **state) {
    (void)state;
    pieces p = take(HCBR_KEEP_FULL);
    pieces_remove(&p, pieces_find(&p, HCBR_I_BELIEFS));
    pieces_check(&p, NULL); // its cases are cases
    pieces_remove(&p, pieces_find(&p, HCBR_I_IMPORTANCE));
    pieces_check(&p, NULL); // and its strengths some strengths
    pieces_clear(&p);
    p = take(HCBR_KEEP_FULL);
    unsigned char *label = p.bytes[pieces_find(&p, HCBR_I_CASES)];
    put_value(label + 4 * (size_t)CASES, 4, 1); // the last case
    pieces_check(&p, "section ");               // counts, or two labels of one belief
    pieces_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prior__is_read_as_it_was_written),
        cmocka_unit_test(importance__keeps_its_rules),
        cmocka_unit_test(beliefs__keep_their_rules),
        cmocka_unit_test(prior__fits_its_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
