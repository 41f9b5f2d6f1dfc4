// Work shared among threads.
#include "base/base.h"

#include <setjmp.h>
#include <stdatomic.h>

#include <cmocka.h>

typedef struct tally {
    uint64_t count, chunk;
    uint32_t threads;
    atomic_uint_fast64_t sum, pieces, bad;
    atomic_uchar *seen; /**< how often each index was given out, if not NULL */
    uint64_t of_worker[64];
} tally;

static void add(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    tally *t = context;
    uint64_t want = t->count - begin < t->chunk ? t->count : begin + t->chunk;
    if (worker >= t->threads || begin % t->chunk != 0 || begin >= t->count || end != want)
        atomic_fetch_add(&t->bad, 1);
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++) {
        sum += i;
        if (t->seen != NULL)
            atomic_fetch_add(&t->seen[i], 1);
    }
    atomic_fetch_add(&t->sum, sum);
    atomic_fetch_add(&t->pieces, 1);
    t->of_worker[worker] += end - begin; // no other thread has this number
}

static void check(uint32_t threads, uint64_t count, uint64_t chunk) {
    tally t = {.count = count, .chunk = chunk, .threads = threads > 0 ? threads : 1};
    t.seen = hcbr_i_alloc_zero((size_t)count, sizeof *t.seen);
    hcbr_i_parallel(threads, count, chunk, add, &t);
    assert_int_equal(t.bad, 0);
    assert_int_equal(t.sum, count == 0 ? 0 : count * (count - 1) / 2);
    assert_int_equal(t.pieces, (count + chunk - 1) / chunk);
    uint64_t total = 0;
    for (int i = 0; i < 64; i++)
        total += t.of_worker[i];
    assert_int_equal(total, count);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(t.seen[i], 1);
    hcbr_i_free(t.seen);
}

static void parallel__covers_everything_once(void **context) {
    (void)context;
    static const uint32_t threads[] = {0, 1, 2, 3, 8, 64};
    static const uint64_t counts[] = {0, 1, 2, 7, 100, 1001, 20000};
    static const uint64_t chunks[] = {1, 2, 7, 100, 30000};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 7; b++)
            for (int c = 0; c < 5; c++)
                check(threads[a], counts[b], chunks[c]);
}

static void parallel__does_nothing_for_nothing(void **context) {
    (void)context;
    tally t = {.threads = 8, .chunk = 4};
    hcbr_i_parallel(8, 0, 4, add, &t);
    assert_int_equal(t.pieces, 0);
}

static void one_piece(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    uint64_t *got = context;
    (void)worker;
    got[0]++;
    got[1] = begin;
    got[2] = end;
}

static void parallel__takes_the_largest_numbers(void **context) {
    (void)context;
    uint64_t got[3] = {0};
    hcbr_i_parallel(8, UINT64_MAX, UINT64_MAX, one_piece, got);
    assert_true(got[0] == 1 && got[1] == 0 && got[2] == UINT64_MAX);
    memset(got, 0, sizeof got);
    hcbr_i_parallel(1, UINT64_MAX, UINT64_MAX / 2 + 1, one_piece, got);
    assert_true(got[0] == 2 && got[1] == UINT64_MAX / 2 + 1 && got[2] == UINT64_MAX);
}

static void parallel__works_alone_without_memory(void **context) {
    (void)context;
    tally t = {.count = 1000, .chunk = 10, .threads = 8};
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
    hcbr_i_parallel(8, 1000, 10, add, &t);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_int_equal(t.bad, 0);
    assert_int_equal(t.sum, 499500);
    assert_int_equal(t.of_worker[0], 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel__covers_everything_once),
        cmocka_unit_test(parallel__does_nothing_for_nothing),
        cmocka_unit_test(parallel__takes_the_largest_numbers),
        cmocka_unit_test(parallel__works_alone_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
