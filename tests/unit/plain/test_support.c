/*
 * Supports and rule R1 with its ties (METHOD 3), for three labels and strengths that doubles hold
 * exactly.
 */
#include "plain/plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ATOMS 3u

/* A full matrix of strengths: mu[e][l]. */
typedef struct matrix {
    double mu[ATOMS][3], total[3];
    uint64_t row[ATOMS + 1];
    uint32_t length[ATOMS], label[ATOMS * 3], count[ATOMS * 3];
    hcbr_i_strength s;
} matrix;

static const hcbr_i_strength *strengths(matrix *m) {
    for (uint32_t e = 0; e < ATOMS; e++) {
        m->row[e] = e * 3;
        m->length[e] = 3;
        for (uint32_t l = 0; l < 3; l++)
            m->label[e * 3 + l] = l;
    }
    m->row[ATOMS] = ATOMS * 3;
    m->s = (hcbr_i_strength){.atom_count = ATOMS,
                             .label_count = 3,
                             .total = m->total,
                             .row = m->row,
                             .length = m->length,
                             .entry_label = m->label,
                             .entry_count = m->count,
                             .entry_mu = &m->mu[0][0]};
    return &m->s;
}

/* Supports of a case and the label it gets. */
static uint32_t decide(matrix *m, const uint32_t *atoms, const double *weights, size_t count,
                       double support[3]) {
    const hcbr_i_strength *s = strengths(m);
    hcbr_i_gather gather;
    assert_int_equal(hcbr_i_gather_init(&gather, s, NULL), HCBR_OK);
    hcbr_i_strength_gather(s, &gather, atoms, weights, count);
    uint32_t label = hcbr_i_strength_decide(s, &gather, atoms, weights, count);
    if (support)
        memcpy(support, gather.support, 3 * sizeof *support);
    hcbr_i_gather_clear(&gather);
    return label;
}

/* The label of a case with all of the atoms, each of weight 1/4. */
static uint32_t decide_all(matrix *m) {
    static const uint32_t atoms[] = {0, 1, 2};
    static const double weights[] = {0.25, 0.25, 0.25};
    return decide(m, atoms, weights, ATOMS, NULL);
}

static void support__is_the_weighted_sum_of_strengths(void **state) {
    (void)state;
    matrix m = {.mu = {{0.5, 0.25, 0}, {0, -0.5, 1}, {0.125, 0, 0.5}}, .total = {1, 1, 1}};
    const uint32_t atoms[] = {2, 0, 1, 0}; /* an atom may come several times */
    const double weights[] = {0.5, 0.25, 0.125, 0.125};
    double support[3];
    /* A: .125/2 + .5 * 3/8; B: .25 * 3/8 - .5/8; C: .5/2 + 1/8 */
    assert_int_equal(decide(&m, atoms, weights, 4, support), 2);
    assert_true(support[0] == 0.25);
    assert_true(support[1] == 0.03125);
    assert_true(support[2] == 0.375);
}

static void support__of_one_case_does_not_stay_for_the_next(void **state) {
    (void)state;
    matrix m = {.mu = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .total = {1, 1, 1}};
    const hcbr_i_strength *s = strengths(&m);
    hcbr_i_gather gather;
    const double weight = 1;
    assert_int_equal(hcbr_i_gather_init(&gather, s, NULL), HCBR_OK);
    for (uint32_t n = 0; n < 9; n++) {
        uint32_t e = n * 2 % 3;
        hcbr_i_strength_gather(s, &gather, &e, &weight, 1);
        assert_int_equal(hcbr_i_strength_decide(s, &gather, &e, &weight, 1), e);
        for (uint32_t l = 0; l < 3; l++)
            assert_true(gather.support[l] == (l == e));
    }
    hcbr_i_gather_clear(&gather);
}

static void ties__go_to_the_first_label(void **state) {
    (void)state;
    matrix all = {.mu = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&all), 0);
    matrix last_two = {.mu = {{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&last_two), 1);
    matrix outer = {.mu = {{1, 0, 0}, {0, 0.5, 0}, {0, 0, 1}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&outer), 0);
    /* 0.1 + 0.2 is not 0.3 in doubles, but it is a tie */
    matrix rounded = {.mu = {{0.1, 0.3, 0}, {0.2, 0, 0}, {0, 0, 0}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&rounded), 0);
}

/* The border: 2^-40 of the absolute terms of the difference, which are 1/4 + 1/4 (nearly). */
static void ties__end_where_the_method_says(void **state) {
    (void)state;
    static const struct {
        double more;
        uint32_t label;
    } steps[] = {{0, 0},          {0x1p-52, 0}, {0x1p-41, 0}, {0x1p-39, 0},
                 {0x1.01p-39, 1}, {0x1p-38, 1}, {0x1p-20, 1}, {-0x1p-20, 0}};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        matrix m = {.mu = {{1, 0, 0}, {0, 1 + steps[n].more, 0}, {0, 0, 0}}, .total = {1, 1, 1}};
        assert_int_equal(decide_all(&m), steps[n].label);
    }
}

/* Where an atom supports two labels nearly alike, its terms are small and so is the border. */
static void ties__are_judged_by_the_terms_of_the_difference(void **state) {
    (void)state;
    matrix m = {.mu = {{1, 1 + 0x1p-43, 0}, {0.5, 0.5, 0}, {0, 0, 0}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&m), 1);
    m.mu[1][0] = 0.5 + 0x1p-43; /* now the difference is 0 */
    assert_int_equal(decide_all(&m), 0);
}

/* Equal strengths that differ by the rounding of how they were summed are equal. */
static void ties__are_not_broken_by_rounding(void **state) {
    (void)state;
    matrix m = {.mu = {{1, 1 + 0x1p-51, 0}, {0.5, 0.5, 0}, {0, 0, 0}}, .total = {1, 1, 1}};
    assert_int_equal(decide_all(&m), 0);
    m.mu[1][1] = 0.5 + 0x1p-53;
    m.mu[2][2] = 1.5 + 0x1p-50;
    assert_int_equal(decide_all(&m), 0);
}

/* A label without strength never wins, not even against negative support. */
static void labels__without_strength_never_win(void **state) {
    (void)state;
    matrix negative = {.mu = {{0, -1, -0.5}, {0, 0, 0}, {0, 0, 0}}, .total = {0, 1, 1}};
    assert_int_equal(decide_all(&negative), 2);
    matrix zero = {.mu = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, .total = {0, 0, 1}};
    assert_int_equal(decide_all(&zero), 2); /* all tie, but only one may win */
    matrix none = {.mu = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, .total = {0, 0, 0}};
    assert_int_equal(decide_all(&none), HCBR_I_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(support__is_the_weighted_sum_of_strengths),
        cmocka_unit_test(support__of_one_case_does_not_stay_for_the_next),
        cmocka_unit_test(ties__go_to_the_first_label),
        cmocka_unit_test(ties__end_where_the_method_says),
        cmocka_unit_test(ties__are_judged_by_the_terms_of_the_difference),
        cmocka_unit_test(ties__are_not_broken_by_rounding),
        cmocka_unit_test(labels__without_strength_never_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
