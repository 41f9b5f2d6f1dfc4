// Work shared among threads.
#include "base/base.h"

#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <time.h>

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

/* By a crew, or by threads of its own if that is NULL. */
static void check(hcbr_i_crew *crew, uint32_t threads, uint64_t count, uint64_t chunk) {
    tally t = {.count = count, .chunk = chunk, .threads = threads > 0 ? threads : 1};
    t.seen = hcbr_i_alloc_zero((size_t)count, sizeof *t.seen);
    if (crew != NULL)
        hcbr_i_crew_run(crew, count, chunk, add, &t);
    else
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

static const uint32_t threads[] = {0, 1, 2, 3, 8, 64};

/* Counts and pieces of many sizes. */
static void check_sizes(hcbr_i_crew *crew, uint32_t thread_count) {
    static const uint64_t counts[] = {0, 1, 2, 7, 100, 1001, 20000};
    static const uint64_t chunks[] = {1, 2, 7, 100, 30000};
    for (int b = 0; b < 7; b++)
        for (int c = 0; c < 5; c++)
            check(crew, thread_count, counts[b], chunks[c]);
}

static void parallel__covers_everything_once(void **context) {
    (void)context;
    for (int a = 0; a < 6; a++)
        check_sizes(NULL, threads[a]);
}

static void crew__covers_everything_once_in_every_call(void **context) {
    (void)context;
    for (int a = 0; a < 6; a++) {
        hcbr_i_crew *crew = hcbr_i_crew_create(threads[a]);
        assert_non_null(crew);
        check_sizes(crew, threads[a]);
        for (int i = 0; i < 500; i++) // many come too late for calls that are so short
            check(crew, threads[a], (uint64_t)(i % 5), 1);
        hcbr_i_crew_free(crew);
    }
    hcbr_i_crew_free(NULL);
}

static void crew__ends_without_a_call(void **context) {
    (void)context;
    for (int i = 0; i < 200; i++)
        hcbr_i_crew_free(hcbr_i_crew_create(3));
}

/* All members must be in it at once for this to end. */
static void wait_for_three(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    atomic_uint *here = context;
    (void)worker;
    atomic_fetch_add(here, (unsigned)(end - begin));
    while (atomic_load(here) < 3) // a wait that never ends is a failure
        sched_yield();
}

static void crew__works_at_once(void **context) {
    (void)context;
    hcbr_i_crew *crew = hcbr_i_crew_create(3);
    for (int i = 0; i < 20; i++) {
        atomic_uint here = 0;
        hcbr_i_crew_run(crew, 3, 1, wait_for_three, &here);
        assert_int_equal(here, 3);
    }
    hcbr_i_crew_free(crew);
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

static void crew__works_alone_without_memory(void **context) {
    (void)context;
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_null(hcbr_i_crew_create(8));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 2, false); // the crew, but none to be in it
    hcbr_i_crew *crew = hcbr_i_crew_create(8);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_non_null(crew);
    tally t = {.count = 1000, .chunk = 10, .threads = 8};
    hcbr_i_crew_run(crew, 1000, 10, add, &t);
    assert_int_equal(t.bad, 0);
    assert_int_equal(t.of_worker[0], 1000);
    hcbr_i_crew_free(crew);
}

typedef struct question {
    uint64_t calls, stop_at; /**< 0: never */
} question;

static int ask(void *context, const char *stage, uint64_t done, uint64_t total) {
    question *q = context;
    assert_string_equal(stage, "stage");
    assert_true(done == 3 && total == 7);
    return ++q->calls == q->stop_at;
}

/* One thread: asked before each piece and once more behind the last, and stopped at any of these;
 * what was done by then are the first pieces. */
static void parallel__asks_before_each_piece(void **context) {
    (void)context;
    for (uint64_t count = 0; count < 40; count += 13)
        for (uint64_t chunk = 1; chunk < 20; chunk += 6) {
            const uint64_t pieces = (count + chunk - 1) / chunk;
            for (uint64_t stop = 0; stop <= pieces + 1; stop++) {
                tally t = {.count = count, .chunk = chunk, .threads = 1};
                question q = {.stop_at = stop};
                const hcbr_i_watch watch = {ask, &q, "stage", 3, 7};
                hcbr_error err;
                hcbr_status st = hcbr_i_parallel_watched(1, count, chunk, add, &t, &watch, &err);
                uint64_t want = stop ? stop - 1 : pieces, end = want * chunk;
                end = end < count ? end : count;
                assert_int_equal(st, stop ? HCBR_ECANCELLED : HCBR_OK);
                assert_true(!stop || err.status == HCBR_ECANCELLED);
                assert_int_equal(q.calls, stop ? stop : pieces + 1);
                assert_int_equal(t.pieces, want);
                assert_int_equal(t.sum, end ? end * (end - 1) / 2 : 0);
            }
        }
}

/* Many threads: only the caller's asks, once after it said no, and pieces that began are whole. */
static void parallel__stops_all_threads(void **context) {
    enum { COUNT = 5000 };
    (void)context;
    for (int n = 0; n < 6; n++)
        for (uint64_t stop = 1; stop < 400; stop += 57) {
            tally t = {.count = COUNT, .chunk = 3, .threads = threads[n] ? threads[n] : 1};
            question q = {.stop_at = stop};
            const hcbr_i_watch watch = {ask, &q, "stage", 3, 7};
            t.seen = hcbr_i_alloc_zero(COUNT, sizeof *t.seen);
            hcbr_status st = hcbr_i_parallel_watched(threads[n], COUNT, 3, add, &t, &watch, NULL);
            uint64_t seen = 0, total = 0;
            for (int i = 0; i < COUNT; i++) {
                assert_true(t.seen[i] <= 1);
                seen += t.seen[i];
            }
            for (int i = 0; i < 64; i++)
                total += t.of_worker[i];
            assert_int_equal(t.bad, 0);
            assert_int_equal(seen, total);
            assert_true(q.calls <= stop);
            assert_int_equal(st, q.calls == stop ? HCBR_ECANCELLED : HCBR_OK);
            assert_true(st != HCBR_OK || seen == COUNT);
            assert_true(threads[n] > 1 || st == HCBR_ECANCELLED);
            hcbr_i_free(t.seen);
        }
}

/* Two threads of which the other is within a piece when the caller says no. */
typedef struct meeting {
    atomic_bool begun, stopped;
    atomic_uint later; /**< pieces that were begun when all was over */
} meeting;

static void meet(void *context, uint32_t number, uint64_t begin, uint64_t end) {
    const struct timespec moment = {0, 100000000};
    meeting *m = context;
    (void)begin;
    (void)end;
    if (number == 0) {
        while (!atomic_load(&m->begun))
            sched_yield();
        return;
    }
    if (atomic_load(&m->stopped))
        atomic_fetch_add(&m->later, 1);
    atomic_store(&m->begun, true);
    while (!atomic_load(&m->stopped))
        sched_yield();
    nanosleep(&moment, NULL); // by then the caller has left its question
}

static int ask_until_begun(void *context, const char *stage, uint64_t done, uint64_t total) {
    meeting *m = context;
    (void)stage;
    (void)done;
    (void)total;
    if (!atomic_load(&m->begun))
        return 0;
    atomic_store(&m->stopped, true);
    return 1;
}

static void parallel__leaves_the_other_pieces(void **context) {
    (void)context;
    meeting m = {0};
    const hcbr_i_watch watch = {ask_until_begun, &m, "stage", 3, 7};
    assert_int_equal(hcbr_i_parallel_watched(2, 30, 1, meet, &m, &watch, NULL), HCBR_ECANCELLED);
    assert_int_equal(m.later, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel__leaves_the_other_pieces),
        cmocka_unit_test(parallel__covers_everything_once),
        cmocka_unit_test(parallel__does_nothing_for_nothing),
        cmocka_unit_test(parallel__takes_the_largest_numbers),
        cmocka_unit_test(parallel__works_alone_without_memory),
        cmocka_unit_test(parallel__asks_before_each_piece),
        cmocka_unit_test(parallel__stops_all_threads),
        cmocka_unit_test(crew__covers_everything_once_in_every_call),
        cmocka_unit_test(crew__ends_without_a_call),
        cmocka_unit_test(crew__works_at_once),
        cmocka_unit_test(crew__works_alone_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
