/*
 * Tasks for several threads: only the caller's thread reports progress and may cancel, and of
 * several failures that of the lowest index counts, so the result does not depend on the number of
 * threads (except for which tasks were done before).
 */
#include "study.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct each_state {
    const study *study;
    study_each_fn *run;
    void *context;
    uint64_t count;
    atomic_ullong next, done;
    atomic_bool stop;
    bool cancelled; /* read and written by the caller's thread only */
    pthread_mutex_t lock;
    uint64_t failed; /* the first that failed; UINT64_MAX: none */
    hcbr_error error;
} each_state;

typedef struct each_thread {
    each_state *all;
    bool own; /* the caller's thread, which may call back */
} each_thread;

/* Called during the work: reports progress to the caller, who may cancel. */
static int report(void *context, const char *stage, uint64_t done, uint64_t total) {
    const each_thread *thread = context;
    each_state *all = thread->all;
    const study *s = all->study;
    (void)stage, (void)done, (void)total;
    if (thread->own && s->progress && !all->cancelled) {
        all->cancelled =
            s->progress(s->progress_context, "study", atomic_load(&all->done), all->count) != 0;
        if (all->cancelled)
            atomic_store(&all->stop, true);
    }
    return atomic_load(&all->stop);
}

static void note_failure(each_state *all, uint64_t index, const hcbr_error *err) {
    pthread_mutex_lock(&all->lock);
    bool stopped = err->status == HCBR_ECANCELLED; /* because of another or the caller */
    if (!stopped && index < all->failed) {
        all->failed = index;
        all->error = *err;
    }
    pthread_mutex_unlock(&all->lock);
    atomic_store(&all->stop, true);
}

static void *work(void *argument) {
    each_thread *thread = argument;
    each_state *all = thread->all;
    const study_stop stop = {report, thread};
    uint64_t i;
    while (!atomic_load(&all->stop) && (i = atomic_fetch_add(&all->next, 1)) < all->count) {
        hcbr_error err = {0};
        if (all->run(all->context, i, &stop, &err) != HCBR_OK)
            note_failure(all, i, &err);
        atomic_fetch_add(&all->done, 1);
        (void)report(thread, NULL, 0, 0);
    }
    return NULL;
}

hcbr_status study_each(const study *s, uint64_t count, study_each_fn *run, void *context,
                       hcbr_error *err) {
    each_state all = {
        .study = s, .run = run, .context = context, .count = count, .failed = UINT64_MAX};
    each_thread own = {&all, true}, others = {&all, false};
    pthread_t *threads = study_alloc(s->threads, sizeof *threads);
    uint32_t started = 0;
    sigset_t signals, before;
    if (pthread_mutex_init(&all.lock, NULL) != 0)
        study_no_memory();
    sigfillset(&signals); // they are for the caller's thread
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    while (started + 1 < s->threads && started + 1 < count &&
           pthread_create(&threads[started], NULL, work, &others) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)work(&own);
    for (uint32_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    if (!atomic_load(&all.stop)) // other threads were last
        (void)report(&own, NULL, 0, 0);
    pthread_mutex_destroy(&all.lock);
    free(threads);
    if (all.failed == UINT64_MAX)
        return study_stopped(&(study_stop){report, &others}, err);
    *err = all.error;
    return all.error.status;
}

hcbr_status study_stopped(const study_stop *stop, hcbr_error *err) {
    return stop->ask(stop->context, NULL, 0, 0)
               ? study_fail(err, HCBR_ECANCELLED, "stopped on request")
               : HCBR_OK;
}
