/*
 * Sums over cases while a rich model is fitted: the loss that ends boosting, and the trust in the
 * families. They are the same for any order of the rows and any number of threads.
 */
#include "rich/boost/boost_fold.h"
#include "rich/rich_math.h"
#include "unit/rich/rich_support.h"

enum { ROWS = 90, MANY = 2200, LABELS = 4, ROUNDS = 60 }; // many: several threads add them up

typedef struct drawn {
    uint32_t label[MANY];
    uint8_t fold[MANY];
    double weight[MANY];
    double support[HCBR_I_RICH_FAMILIES][MANY * LABELS];
} drawn;

static double unit(uint64_t *random) {
    return (double)(hcbr_i_mix((*random)++) >> 11) * 0x1p-53;
}

/* Weights of all sizes; supports that differ by much. */
static void draw(drawn *d, uint32_t rows, uint32_t labels, uint64_t *random) {
    for (uint32_t i = 0; i < rows; i++) {
        d->label[i] = i < labels ? i : hcbr_i_draw_below(random, labels);
        d->weight[i] = 0x1p-30 + hcbr_i_rich_round(unit(random) * (i % 9 ? 1 : 50), 0x1p-30);
        d->fold[i] = (uint8_t)hcbr_i_draw_below(random, HCBR_I_RICH_FOLDS + 1);
    }
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        for (uint32_t j = 0; j < rows * LABELS; j++)
            d->support[f][j] = (unit(random) - 0.5) * (j % 11 ? 3 : 60);
}

/* The same rows in another order; place[i]: where row i was. */
static void reorder(drawn *to, const drawn *from, const uint32_t *place, uint32_t outputs) {
    for (uint32_t i = 0; i < ROWS; i++) {
        to->label[i] = from->label[place[i]];
        to->weight[i] = from->weight[place[i]];
        to->fold[i] = from->fold[place[i]];
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
            memcpy(to->support[f] + i * outputs, from->support[f] + place[i] * outputs,
                   outputs * sizeof **to->support);
    }
}

typedef struct result {
    double trust[HCBR_I_RICH_FAMILIES], bias[LABELS], loss, held_total;
} result;

static result fit(drawn *d, uint32_t rows, uint32_t labels, uint32_t threads) {
    hcbr_i_rich_options o = {.seed = 1, .threads = threads};
    hcbr_i_rich_table t = {.rows = rows,
                           .labels = labels,
                           .label = d->label,
                           .weight = d->weight,
                           .fold = d->fold,
                           .sample_count = rows};
    hcbr_i_rich_stack stack;
    double *const held[] = {d->support[0], d->support[1], d->support[2]};
    hcbr_i_rich_fold_model fold = {
        .table = &t, .options = &o, .outputs = hcbr_i_rich_outputs(labels)};
    result out = {.loss = 0};
    hcbr_i_rich_tuning_init(&o.tuning, HCBR_I_RICH_NORMAL);
    assert_int_equal(hcbr_i_rich_stack_fit(&stack, &t, &o, held, HCBR_I_RICH_ALL_FOLDS, 1, NULL),
                     HCBR_OK);
    assert_true(hcbr_i_rich_fold_model_begin(&fold));
    memcpy(out.trust, stack.trust, sizeof out.trust);
    memcpy(out.bias, stack.bias, (labels == 2 ? 1 : labels) * sizeof *out.bias);
    out.loss = fold.loss;
    out.held_total = fold.held_total;
    hcbr_i_free(stack.bias);
    hcbr_i_rich_fold_model_clear(&fold);
    return out;
}

static void order__of_rows_changes_no_bit(void **state) {
    (void)state;
    static drawn a, b;
    uint64_t random = 20261117;
    uint32_t place[ROWS], trusted = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t labels = 2 + round % (LABELS - 1);
        draw(&a, ROWS, labels, &random);
        result first = fit(&a, ROWS, labels, 1);
        trusted += first.trust[0] > 0 || first.trust[1] > 0 || first.trust[2] > 0;
        assert_true(first.loss > 0 && first.held_total > 0);
        for (uint32_t i = 0; i < ROWS; i++)
            place[i] = i;
        for (uint32_t again = 0; again < 4; again++) {
            hcbr_i_shuffle(place, ROWS, &random);
            reorder(&b, &a, place, hcbr_i_rich_outputs(labels));
            result other = fit(&b, ROWS, labels, 1);
            assert_memory_equal(&first, &other, sizeof first);
        }
    }
    assert_true(trusted > ROUNDS / 2);
}

static void order__of_threads_changes_no_bit(void **state) {
    (void)state;
    static drawn a;
    uint64_t random = 20261118;
    for (uint32_t labels = 2; labels <= LABELS; labels++) {
        draw(&a, MANY, labels, &random);
        result one = fit(&a, MANY, labels, 1), several = fit(&a, MANY, labels, 3);
        assert_memory_equal(&one, &several, sizeof one);
        assert_true(one.bias[0] != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(order__of_rows_changes_no_bit),
                                       cmocka_unit_test(order__of_threads_changes_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
