/*
 * The section held out: what was written is read again, and every content that docs/FORMAT.md does
 * not allow is refused, with a message that names the section.
 *
 * So `ranges` is at 0, `kept` at 4, `count` at 8, entry n of `answered` at 16 + 32 n, chances of
 * the cases behind them, then their answers, a byte each.
 */
#include "unit/model/model_sample.h"

#include <math.h>
#include <stdlib.h>

enum { KEPT = 4, COUNT = 8, FIRST = 16, ENTRY = 32, ENTRIES = 3, CHANCES = FIRST + 32 * ENTRIES };

/* Case 0 got label 0 with 0.9, case 1 label 1 without a probability, the others nothing; one more
 * got label 0 with 0.2. */
static hcbr_model *build(void) {
    static const hcbr_i_held_answer answers[] = {
        {0, 0.9, 0, 1}, {1, 0, 0, 2}, {0, 0.2, 1, 1}, {HCBR_LABEL_UNKNOWN, 0.7, 1, 5}};
    hcbr_model *model = model_sample_build(SAMPLE_PLAIN);
    assert_true(model->case_count > 2 && model->labels.count == 2);
    assert_true(hcbr_i_record_room(&model->record, (size_t)model->case_count));
    assert_true(hcbr_i_record_sum(&model->record, answers, 4, 2));
    model->record.held = true;
    hcbr_i_record_set(&model->record, 0, &answers[0]);
    hcbr_i_record_set(&model->record, 1, &answers[1]);
    return model;
}

static pieces take(void) {
    hcbr_model *model = build();
    const uint64_t cases = model->case_count;
    pieces p = pieces_of(model);
    assert_int_equal(p.length[pieces_find(&p, HCBR_I_HELDOUT)], CHANCES + 2 * cases);
    return p;
}

static void check_value(size_t at, size_t width, uint64_t value, const char *expected) {
    pieces_check_value(take(), HCBR_I_HELDOUT, at, width, value, expected);
}

static void check_number(size_t at, double value, const char *expected) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    check_value(at, 8, bits, expected);
}

static void record__is_read_as_it_was_written(void **state) {
    (void)state;
    pieces p = take();
    size_t size;
    unsigned char *bytes = pieces_join(&p, &size);
    hcbr_model *model;
    assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
    hcbr_heldout h = {.size = sizeof h};
    assert_int_equal(hcbr_model_get_heldout(model, &h), 1);
    assert_true(h.cases == 4 && h.right == 1); // what got no answer does not count
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        assert_true(h.bins[b].cases == (b == 4 || b == 18)); // 0.2 and 0.9 begin a range
        assert_true(h.bins[b].right == (b == 18));
    }
    assert_int_equal(hcbr_model_get_answered(model, 0, &h), 1);
    assert_true(h.cases == 2 && h.right == 1 && h.bins[18].probability == 0.9);
    assert_int_equal(hcbr_model_get_answered(model, 1, &h), 1);
    assert_true(h.cases == 2 && h.right == 0 && h.bins[0].cases == 0);
    for (uint64_t i = 0; i < model->case_count; i++) {
        hcbr_kept_case kept = {.size = sizeof kept};
        hcbr_model_get_kept(model, i, &kept);
        assert_int_equal(kept.held_label, i < 2 ? (hcbr_label)i : HCBR_LABEL_UNKNOWN);
        assert_true(i == 0 ? fabs(kept.held_probability - 0.9) <= 0.002
                           : kept.held_probability == 0);
    }
    hcbr_model_free(model);
    free(bytes);
    pieces_clear(&p);
}

/* Entries are label 0 in range 4 (0.2) and in 18, label 1 in 20, which has no probabilities. */
static void record__wrong_figures_are_refused(void **state) {
    (void)state;
    const size_t last = FIRST + 2 * (size_t)ENTRY;
    const double nowhere[] = {NAN, INFINITY, -INFINITY, -1, -1e-300};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        for (size_t n = 0; n < ENTRIES; n++)
            for (size_t at = 8; at < ENTRY; at += 8)
                check_number(FIRST + n * ENTRY + at, nowhere[i], "section held out: figures");
    check_number(FIRST + 8, 0, "section held out: figures 0");   // an empty range
    check_number(FIRST + 8, 0.1, "section held out: figures 0"); // less than its probabilities
    check_number(FIRST + 16, 1.001, "section held out: figures 0");
    check_number(FIRST + 24, 1.001, "section held out: figures 0");
    check_number(FIRST + 24, 0, "section held out: figures 0");   // of a range with probabilities
    check_number(last + 24, 0.1, "section held out: figures 2");  // of the one without
    check_value(FIRST, 4, 2, "section held out: figures 0");      // a label there is not
    check_value(FIRST, 4, 1, "section held out: figures 1");      // it falls
    check_value(FIRST + 4, 4, 18, "section held out: figures 1"); // it comes twice
    check_value(last + 4, 4, 21, "section held out: figures 2");
    check_number(FIRST + 16, 1, NULL);
    check_number(last + 16, 2, NULL);
    check_number(last + 8, 1e9, NULL);
}

static void record__wrong_counts_and_answers_are_refused(void **state) {
    (void)state;
    pieces p = take();
    const size_t cases = (p.length[pieces_find(&p, HCBR_I_HELDOUT)] - CHANCES) / 2;
    const size_t answers = CHANCES + cases;
    pieces_clear(&p);
    check_value(0, 4, 19, "section held out: 19 ranges");
    check_value(0, 4, 21, "section held out: 21 ranges");
    check_value(0, 4, UINT32_MAX, "section held out: ");
    check_value(KEPT, 4, 0, "section held out: "); // bytes are left
    check_value(KEPT, 4, 2, "section held out: ");
    check_value(KEPT, 4, UINT32_MAX, "section held out: ");
    for (uint64_t count = 0; count < 6; count++)
        check_value(COUNT, 8, count, count == ENTRIES ? NULL : "section held out: ");
    check_value(COUNT, 8, UINT64_MAX, "section held out: ");
    for (size_t i = 0; i < cases; i++) {
        check_value(answers + i, 1, 3, "section held out: case ");
        check_value(answers + i, 1, UINT8_MAX, "section held out: case ");
        check_value(answers + i, 1, 1, NULL);
        check_value(CHANCES + i, 1, UINT8_MAX, i < 2 ? NULL : "section held out: case ");
    }
}

static void record__cut_or_longer_is_refused(void **state) {
    (void)state;
    pieces p = take();
    const uint32_t index = pieces_find(&p, HCBR_I_HELDOUT);
    const size_t whole = p.length[index];
    for (size_t length = 0; length < whole; length++) {
        p.length[index] = length;
        pieces_check(&p, length ? "section held out: " : "");
    }
    p.length[index] = whole;
    pieces_resize(&p, index, whole + 1);
    pieces_check(&p, "section held out: ");
    pieces_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record__is_read_as_it_was_written),
        cmocka_unit_test(record__wrong_figures_are_refused),
        cmocka_unit_test(record__wrong_counts_and_answers_are_refused),
        cmocka_unit_test(record__cut_or_longer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
