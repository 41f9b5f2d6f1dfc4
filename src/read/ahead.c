/*
 * A thread that expands a compressed file while its records are parsed.
 *
 * Two buffers alternate: the thread fills one while the other is read. Invariants: only the thread
 * uses the expander while it lives; bytes, and the failure or end after them, come out in order;
 * the thread has ended once hcbr_i_ahead_free() returns.
 */
#include "read/source.h"

#include <pthread.h>
#include <signal.h>

#define SLOTS 2
#define SLOT ((size_t)256 << 10) /* bytes of a buffer */

typedef struct slot {
    char *bytes;
    size_t begin, end; /* begin == end: empty, the thread's */
    uint64_t used;     /* raw bytes used when it was filled */
} slot;

struct hcbr_i_ahead {
    hcbr_i_expander *expander;
    pthread_t thread;
    pthread_mutex_t lock; /* guards all below, but not the bytes: a slot has one owner */
    pthread_cond_t changed;
    slot slots[SLOTS];
    unsigned next; /* slot to be read next */
    bool ended;    /* the thread has nothing to add */
    bool stop;     /* no more bytes are wanted */
    hcbr_status status;
    hcbr_error error;
};

/** Wait for a slot to be empty. false: no more bytes are wanted. */
static bool wait_for_room(hcbr_i_ahead *a, const slot *s) {
    bool go;
    pthread_mutex_lock(&a->lock);
    while (s->begin < s->end && !a->stop)
        pthread_cond_wait(&a->changed, &a->lock);
    go = !a->stop;
    pthread_mutex_unlock(&a->lock);
    return go;
}

/** Hand a slot over, or report the end. */
static void publish(hcbr_i_ahead *a, slot *s, size_t size, hcbr_status st, const hcbr_error *err) {
    pthread_mutex_lock(&a->lock);
    s->begin = 0;
    s->end = size;
    s->used = hcbr_i_expander_used(a->expander);
    if (size == 0) {
        a->ended = true;
        a->status = st;
        if (st != HCBR_OK)
            a->error = *err;
    }
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

static void *run(void *context) {
    hcbr_i_ahead *a = context;
    hcbr_error err;
    for (unsigned n = 0; wait_for_room(a, &a->slots[n]); n = (n + 1) % SLOTS) {
        slot *s = &a->slots[n];
        size_t size = 0, got = 0;
        hcbr_status st;
        do {
            st = hcbr_i_expander_read(a->expander, s->bytes + size, SLOT - size, &got, &err);
            size += got;
        } while (st == HCBR_OK && got > 0 && size < SLOT);
        if (size > 0)
            publish(a, s, size, HCBR_OK, NULL);
        if (st != HCBR_OK || got == 0) {
            n = size > 0 ? (n + 1) % SLOTS : n;
            if (wait_for_room(a, &a->slots[n]))
                publish(a, &a->slots[n], 0, st, &err);
            break;
        }
    }
    return NULL;
}

/** Start the thread; signals are left to the caller's own threads. */
static bool start(hcbr_i_ahead *a) {
    sigset_t all, before;
    bool started;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    started = pthread_create(&a->thread, NULL, run, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void release(hcbr_i_ahead *a) {
    for (unsigned n = 0; n < SLOTS; n++)
        hcbr_i_free(a->slots[n].bytes);
    hcbr_i_free(a);
}

hcbr_i_ahead *hcbr_i_ahead_create(hcbr_i_expander *expander) {
    hcbr_i_ahead *a = hcbr_i_alloc_zero(1, sizeof *a);
    bool ready = a != NULL;
    for (unsigned n = 0; n < SLOTS && ready; n++)
        ready = (a->slots[n].bytes = hcbr_i_alloc(SLOT, 1)) != NULL;
    if (!ready) {
        if (a != NULL)
            release(a);
        return NULL;
    }
    a->expander = expander;
    if (pthread_mutex_init(&a->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&a->changed, NULL) != 0)
        goto no_condition;
    if (start(a))
        return a;
    pthread_cond_destroy(&a->changed);
no_condition:
    pthread_mutex_destroy(&a->lock);
no_lock:
    release(a);
    return NULL;
}

hcbr_status hcbr_i_ahead_read(hcbr_i_ahead *ahead, char *to, size_t room, size_t *got,
                              uint64_t *used, hcbr_error *err) {
    hcbr_i_ahead *a = ahead;
    slot *s = &a->slots[a->next];
    *got = 0;
    pthread_mutex_lock(&a->lock);
    while (s->begin == s->end && !a->ended)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    *used = s->used;
    if (s->begin == s->end) { // from here on nothing changes
        if (a->status != HCBR_OK && err != NULL)
            *err = a->error;
        return a->status;
    }
    *got = s->end - s->begin < room ? s->end - s->begin : room;
    memcpy(to, s->bytes + s->begin, *got);
    pthread_mutex_lock(&a->lock);
    s->begin += *got;
    if (s->begin == s->end) {
        a->next = (a->next + 1) % SLOTS;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return HCBR_OK;
}

void hcbr_i_ahead_free(hcbr_i_ahead *ahead) {
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->stop = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    release(ahead);
}
