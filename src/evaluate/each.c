/*
 * Many tasks by several threads. Only the caller's thread reports progress and asks whether to
 * stop, and of several failures the one with the lowest index is returned, so that the result does
 * not depend on the number of threads (except which tasks were done before).
 */
#include "evaluate/evaluate.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct each_state {
    const hcbr_i_each_options *options;
    hcbr_i_each_fn *run;
    void *context;
    uint64_t count;
    atomic_ullong done;
    atomic_bool stop;
    bool cancelled; /* used by the caller's thread only */
    uint64_t told;  /* tasks reported; likewise */
    pthread_mutex_t lock;
    uint64_t failed; /* the first failure; UINT64_MAX: none */
    hcbr_error error;
} each_state;

typedef struct each_thread {
    each_state *all;
    bool own; /* the caller's thread, which may call back */
} each_thread;

/* Called during a task: reports progress to the caller and asks whether to stop. */
static int report(void *context, const char *stage, uint64_t done, uint64_t total) {
    const each_thread *thread = context;
    each_state *all = thread->all;
    const hcbr_i_each_options *o = all->options;
    (void)stage, (void)done, (void)total;
    if (thread->own && o->progress && !all->cancelled) {
        all->told = atomic_load(&all->done);
        all->cancelled = o->progress(o->progress_context, o->stage, all->told, all->count) != 0;
        if (all->cancelled)
            atomic_store(&all->stop, true);
    }
    return atomic_load(&all->stop);
}

static void note_failure(each_state *all, uint64_t index, const hcbr_error *err) {
    pthread_mutex_lock(&all->lock);
    bool stopped = err->status == HCBR_ECANCELLED; /* by another task or the caller */
    if (!stopped && index < all->failed) {
        all->failed = index;
        all->error = *err;
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->stop, true);
}

static void run_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    each_state *all = context;
    each_thread thread = {all, worker == 0};
    const hcbr_i_asked_stop stop = {report, &thread};
    for (uint64_t i = begin; i < end && !atomic_load(&all->stop); i++) {
        hcbr_error err = {0};
        if (all->run(all->context, i, &stop, &err) != HCBR_OK)
            note_failure(all, i, &err);
        atomic_fetch_add(&all->done, 1);
        report(&thread, NULL, 0, 0);
    }
}

hcbr_status hcbr_i_each(uint64_t count, const hcbr_i_each_options *options, hcbr_i_each_fn *run,
                        void *context, hcbr_error *err) {
    each_state all = {.options = options, .run = run, .context = context, .count = count};
    if (pthread_mutex_init(&all.lock, NULL) != 0)
        return hcbr_i_no_memory(err);
    all.failed = UINT64_MAX;
    hcbr_i_parallel(options->threads ? options->threads : 1, count, 1, run_some, &all);
    if (!atomic_load(&all.stop) && all.told < count) // other threads finished last
        (void)report(&(each_thread){&all, true}, NULL, 0, 0);
    pthread_mutex_destroy(&all.lock);
    if (all.failed != UINT64_MAX) {
        if (err)
            *err = all.error;
        return all.error.status;
    }
    return all.cancelled ? hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request") : HCBR_OK;
}
