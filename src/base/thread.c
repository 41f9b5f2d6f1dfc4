/*
 * Work shared among threads, either of one call or of a crew that is kept. A counter hands out the
 * pieces, so a slow piece delays no other; the borders of the pieces depend on count and chunk
 * only, never on the number of threads.
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
    const hcbr_i_watch *watch; /**< asked by the caller's thread before its pieces; or NULL */
    hcbr_error *err;
    hcbr_status status; /**< of the questions; the caller's thread alone writes it */
} job;

typedef struct worker {
    job *shared;
    hcbr_i_crew *crew;
    pthread_t thread;
    uint32_t number;
} worker;

struct hcbr_i_crew {
    pthread_mutex_t lock; /**< protects all fields below */
    pthread_cond_t called, left;
    job *open;       /**< job that may be joined, or NULL */
    uint64_t turn;   /**< of the job; no worker joins one twice */
    uint32_t inside; /**< workers that joined it */
    bool ended;
    uint32_t count; /**< of the workers, the caller not among them */
    worker *workers;
};

/** Take pieces until all are taken. */
static void work(job *j, uint32_t number) {
    for (;;) {
        if (number == 0 && (j->status = hcbr_i_watch_ask(j->watch, j->err)) != HCBR_OK) {
            atomic_store_explicit(&j->next, j->pieces, memory_order_relaxed); // the rest is left
            return;
        }
        uint64_t piece = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
        if (piece >= j->pieces)
            return;
        uint64_t begin = piece * j->chunk;
        uint64_t left = j->count - begin;
        j->task(j->context, number, begin, begin + (left < j->chunk ? left : j->chunk));
    }
}

static job job_make(uint64_t count, uint64_t chunk, hcbr_i_task *task, void *context) {
    assert(chunk > 0);
    job j = {.pieces = count / chunk + (count % chunk != 0),
             .count = count,
             .chunk = chunk,
             .task = task,
             .context = context};
    atomic_init(&j.next, 0);
    return j;
}

/** Start workers, which have a job or a crew; returns how many run. Signals are left to the
 * caller's own threads. */
static uint32_t start(worker *workers, uint32_t count, const worker *as, void *(*run)(void *)) {
    sigset_t all, before;
    uint32_t started = 0;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return 0;
    while (started < count) {
        worker *w = &workers[started];
        *w = *as;
        w->number = started + 1; // 0 is the caller
        if (pthread_create(&w->thread, NULL, run, w) != 0)
            break;
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void join(const worker *workers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
}

/* ---- in one call ----------------------------------------------------------------------------- */

static void *run_job(void *argument) {
    worker *w = argument;
    work(w->shared, w->number);
    return NULL;
}

static void run(job *j, uint32_t threads) {
    if (threads > j->pieces)
        threads = (uint32_t)j->pieces;
    worker *workers = threads > 1 ? hcbr_i_alloc(threads - 1, sizeof *workers) : NULL;
    uint32_t started =
        workers != NULL ? start(workers, threads - 1, &(worker){.shared = j}, run_job) : 0;
    work(j, 0);
    join(workers, started);
    hcbr_i_free(workers);
}

void hcbr_i_parallel(uint32_t threads, uint64_t count, uint64_t chunk, hcbr_i_task *task,
                     void *context) {
    job j = job_make(count, chunk, task, context);
    run(&j, threads);
}

hcbr_status hcbr_i_parallel_watched(uint32_t threads, uint64_t count, uint64_t chunk,
                                    hcbr_i_task *task, void *context, const hcbr_i_watch *watch,
                                    hcbr_error *err) {
    job j = job_make(count, chunk, task, context);
    j.watch = watch;
    j.err = err;
    run(&j, threads);
    return j.status;
}

/* ---- for many calls -------------------------------------------------------------------------- */

static void *run_crew(void *argument) {
    const worker *w = argument;
    hcbr_i_crew *crew = w->crew;
    uint64_t turn = 0;
    pthread_mutex_lock(&crew->lock);
    while (!crew->ended) {
        job *j = crew->turn != turn ? crew->open : NULL;
        turn = crew->turn;
        if (j == NULL) {
            pthread_cond_wait(&crew->called, &crew->lock);
            continue;
        }
        crew->inside++;
        pthread_mutex_unlock(&crew->lock);
        work(j, w->number);
        pthread_mutex_lock(&crew->lock);
        if (--crew->inside == 0)
            pthread_cond_signal(&crew->left);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

hcbr_i_crew *hcbr_i_crew_create(uint32_t threads) {
    hcbr_i_crew *crew = hcbr_i_alloc_zero(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->called, NULL);
    pthread_cond_init(&crew->left, NULL);
    if (threads > 1 && (crew->workers = hcbr_i_alloc(threads - 1, sizeof *crew->workers)) != NULL)
        crew->count = start(crew->workers, threads - 1, &(worker){.crew = crew}, run_crew);
    return crew;
}

void hcbr_i_crew_run(hcbr_i_crew *crew, uint64_t count, uint64_t chunk, hcbr_i_task *task,
                     void *context) {
    job j = job_make(count, chunk, task, context);
    pthread_mutex_lock(&crew->lock);
    crew->open = &j;
    crew->turn++;
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    work(&j, 0);
    pthread_mutex_lock(&crew->lock);
    crew->open = NULL; // a worker that comes too late finds nothing to do
    while (crew->inside > 0)
        pthread_cond_wait(&crew->left, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void hcbr_i_crew_free(hcbr_i_crew *crew) {
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ended = true;
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    join(crew->workers, crew->count);
    pthread_cond_destroy(&crew->left);
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->lock);
    hcbr_i_free(crew->workers);
    hcbr_i_free(crew);
}
