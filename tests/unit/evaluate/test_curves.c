/*
 * Curves of held-out cases: those of scikit-learn (golden/curves.txt, made by
 * golden/make_curves.py), and lift by its definition.
 */
#include "property/harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evaluate/evaluate.h"

enum { MOST = 64, NUMBERS = 4 * MOST };

/* An evaluation of cases of two labels whose answers are kept. */
typedef struct made {
    hcbr_evaluation e;
    hcbr_i_eval_part part;
    uint32_t test[MOST], truth[MOST];
    hcbr_label label[MOST];
    uint8_t zero[MOST];
    double support[2 * MOST];
    uint64_t answers[MOST];
    uint32_t count;
} made;

static void make(made *m, uint32_t count, const double *labels, const double *scores) {
    memset(m, 0, sizeof *m);
    m->count = count;
    for (uint32_t i = 0; i < count; i++) {
        m->test[i] = i;
        m->answers[i] = i;
        m->truth[i] = (uint32_t)labels[i];
        m->support[2 * i + 1] = scores[i];
    }
    m->part.test = m->test;
    m->part.label = m->label;
    m->part.reason = m->part.copy = m->zero;
    m->part.support = m->support;
    m->e.parts = &m->part;
    m->e.answers = m->answers;
    m->e.answer_count = count;
    m->e.truth = m->truth;
    m->e.labels.count = 2;
}

static void check(const made *m, hcbr_curve_kind kind, size_t count, const double *x,
                  const double *y) {
    hcbr_curve_point *points;
    hcbr_error err = {0};
    size_t got;
    harness_ok(hcbr_evaluation_copy_curve(&m->e, kind, 1, &points, &got, &err), &err);
    assert_int_equal(got, count);
    for (size_t n = 0; n < count; n++) {
        assert_true(fabs(points[n].x - x[n]) < 1e-15 && fabs(points[n].y - y[n]) < 1e-15);
        assert_true(n == 0 || points[n].score < points[n - 1].score);
    }
    hcbr_bytes_free(points);
}

static size_t read_numbers(FILE *file, double *out, size_t count) {
    for (size_t n = 0; n < count; n++)
        assert_int_equal(fscanf(file, "%lf", &out[n]), 1);
    return count;
}

static void curves__are_those_of_scikit_learn(void **state) {
    (void)state;
    static made m;
    FILE *file = fopen("golden/curves.txt", "r");
    char kind[16];
    unsigned count;
    double v[NUMBERS];
    int checks = 0;
    assert_non_null(file);
    while (fscanf(file, "%15s %u", kind, &count) == 2) {
        assert_true(count <= MOST + 1);
        read_numbers(file, v, 2 * (size_t)count);
        if (strcmp(kind, "case") == 0)
            make(&m, count, v, v + count);
        else
            check(&m, kind[0] == 'r' ? HCBR_CURVE_ROC : HCBR_CURVE_PR, count, v, v + count);
        checks++;
    }
    fclose(file);
    assert_int_equal(checks, 120);
}

static void lift__is_how_much_more_frequent_the_label_is(void **state) {
    (void)state;
    static made m;
    const double labels[] = {1, 0, 1, 0, 0, 0}, scores[] = {5, 4, 4, 2, 1, 0};
    const double x[] = {1 / 6., 3 / 6., 4 / 6., 5 / 6., 1}, y[] = {3, 2, 1.5, 1.2, 1};
    make(&m, 6, labels, scores);
    check(&m, HCBR_CURVE_LIFT, 5, x, y);
}

static void curves__of_one_label_are_empty(void **state) {
    (void)state;
    static made m;
    const double none[] = {0, 0, 0}, all[] = {1, 1, 1}, scores[] = {1, 2, 3}, one[] = {1, 1, 1};
    const double recall[] = {1 / 3., 2 / 3., 1};
    make(&m, 3, none, scores);
    for (int kind = HCBR_CURVE_ROC; kind <= HCBR_CURVE_LIFT; kind++)
        check(&m, (hcbr_curve_kind)kind, 0, NULL, NULL);
    make(&m, 3, all, scores);
    check(&m, HCBR_CURVE_ROC, 0, NULL, NULL);
    check(&m, HCBR_CURVE_PR, 3, recall, one);
    m.e.answer_count = 0;
    hcbr_curve_point *points;
    size_t count;
    assert_int_equal(hcbr_evaluation_copy_curve(&m.e, HCBR_CURVE_PR, 1, &points, &count, NULL),
                     HCBR_EUSAGE);
}

/* Of several repeats the first counts. */
static void curves__are_of_the_first_repeat(void **state) {
    (void)state;
    static made m;
    const double labels[] = {1, 0}, scores[] = {2, 1}, x[] = {.5, 1}, y[] = {2, 1};
    make(&m, 2, labels, scores);
    hcbr_i_eval_part parts[2] = {m.part, m.part};
    parts[1].repeat = 1;
    m.e.parts = parts;
    m.answers[2] = (uint64_t)1 << 32; // one more case with the label would be seen
    m.e.answer_count = 3;
    check(&m, HCBR_CURVE_LIFT, 2, x, y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves__are_those_of_scikit_learn),
        cmocka_unit_test(lift__is_how_much_more_frequent_the_label_is),
        cmocka_unit_test(curves__of_one_label_are_empty),
        cmocka_unit_test(curves__are_of_the_first_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
