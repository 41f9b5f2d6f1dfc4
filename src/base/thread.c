/*
 * Work shared among threads for the length of one call. Pieces are handed out by a counter, so a
 * slow piece holds up nobody; the borders of the pieces depend on count and chunk only, never on
 * the number of threads.
 */
#include "base/base.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct job {
    atomic_uint_fast64_t next; /**< first piece not yet taken */
    uint64_t pieces, count, chunk;
    hcbr_i_task *task;
    void *context;
} job;

typedef struct worker {
    job *shared;
    pthread_t thread;
    uint32_t number;
} worker;

/** Take pieces until none is left. */
static void work(job *j, uint32_t number) {
    for (;;) {
        uint64_t piece = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
        if (piece >= j->pieces)
            return;
        uint64_t begin = piece * j->chunk;
        uint64_t left = j->count - begin;
        j->task(j->context, number, begin, begin + (left < j->chunk ? left : j->chunk));
    }
}

static void *run(void *argument) {
    worker *w = argument;
    work(w->shared, w->number);
    return NULL;
}

/** Start the workers; returns how many run. Signals are left to the caller's own threads. */
static uint32_t start(worker *workers, uint32_t count, job *j) {
    sigset_t all, before;
    uint32_t started = 0;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return 0;
    while (started < count) {
        worker *w = &workers[started];
        w->shared = j;
        w->number = started + 1; // 0 is the caller
        if (pthread_create(&w->thread, NULL, run, w) != 0)
            break;
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void hcbr_i_parallel(uint32_t threads, uint64_t count, uint64_t chunk, hcbr_i_task *task,
                     void *context) {
    assert(chunk > 0);
    if (count == 0)
        return;
    job j = {.pieces = count / chunk + (count % chunk != 0),
             .count = count,
             .chunk = chunk,
             .task = task,
             .context = context};
    atomic_init(&j.next, 0);
    if (threads > j.pieces)
        threads = (uint32_t)j.pieces;
    worker *workers = threads > 1 ? hcbr_i_alloc(threads - 1, sizeof *workers) : NULL;
    uint32_t started = workers != NULL ? start(workers, threads - 1, &j) : 0;
    work(&j, 0);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    hcbr_i_free(workers);
}
