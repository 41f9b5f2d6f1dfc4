/*
 * An order of all keys that agrees with the order of the features in every case.
 *
 * A table has one order of columns, and ascending ids one order of features, while a case has its
 * features in the order of the data, which a model keeps. Each key is put after those before it in
 * some case (a topological sort; of several possible keys the least comes first, so that the result
 * is always the same). Contradictory data have no such order.
 */
#include "convert.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct edge {
    uint32_t to;
    uint32_t next; /* of the same key, or NONE */
} edge;

/* Keys that must come before others, as lists of edges, and the keys free to come next. */
typedef struct order {
    uint32_t keys;
    uint32_t *before; /* by key: how many edges lead to it */
    uint32_t *first;  /* by key: its newest edge, or NONE */
    edge *edges;
    size_t count, room;
    uint32_t *heap; /* least key at the top */
    uint32_t heap_count;
} order;

static void heap_push(order *d, uint32_t key) {
    uint32_t at = d->heap_count++;
    for (; at > 0 && d->heap[(at - 1) / 2] > key; at = (at - 1) / 2)
        d->heap[at] = d->heap[(at - 1) / 2];
    d->heap[at] = key;
}

static uint32_t heap_pop(order *d) {
    uint32_t top = d->heap[0], last = d->heap[--d->heap_count], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= d->heap_count)
            break;
        if (child + 1 < d->heap_count && d->heap[child + 1] < d->heap[child])
            child++;
        if (d->heap[child] >= last)
            break;
        d->heap[at] = d->heap[child];
        at = child;
    }
    d->heap[at] = last;
    return top;
}

/* Most repeated edges are left out: only the newest ones are compared. */
static bool add_edge(order *d, uint32_t from, uint32_t to) {
    uint32_t at = d->first[from];
    for (int looked = 0; looked < 8 && at != NONE; looked++, at = d->edges[at].next) {
        assert(d->edges && at < d->count);
        if (d->edges[at].to == to)
            return true;
    }
    if (d->count == d->room) {
        size_t room = d->room ? 2 * d->room : 1024;
        edge *edges = room < NONE ? realloc(d->edges, room * sizeof *edges) : NULL;
        if (!edges)
            return false;
        d->edges = edges;
        d->room = room;
    }
    d->edges[d->count] = (edge){to, d->first[from]};
    d->first[from] = (uint32_t)d->count++;
    d->before[to]++;
    return true;
}

static bool find_edges(const conversion *c, order *d) {
    uint64_t cases = hcbr_cases_count(c->cases);
    for (uint64_t i = 0; i < cases; i++) {
        hcbr_case x = {.size = sizeof x};
        uint32_t last = NONE;
        hcbr_cases_get(c->cases, i, &x);
        for (size_t f = 0; f < x.feature_count; f++) {
            uint32_t key = hcbr_cases_get_key(c->cases, x.features[f]);
            if (last != NONE && last != key && !add_edge(d, last, key))
                return false;
            last = key;
        }
    }
    return true;
}

/* Take the keys without a predecessor, the least one first. */
static uint32_t sort_keys(order *d, uint32_t *keys) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < d->keys; k++)
        if (d->before[k] == 0)
            heap_push(d, k);
    while (d->heap_count > 0) {
        uint32_t key = keys[count++] = heap_pop(d);
        for (uint32_t e = d->first[key]; e != NONE; e = d->edges[e].next) {
            assert(d->edges);
            if (--d->before[d->edges[e].to] == 0)
                heap_push(d, d->edges[e].to);
        }
    }
    return count;
}

int convert_order(const conversion *c, uint32_t *keys, bool *ordered) {
    order d = {.keys = hcbr_cases_get_info(c->cases).keys};
    size_t room = (size_t)d.keys + 1;
    d.before = calloc(room, sizeof *d.before);
    d.first = malloc(room * sizeof *d.first);
    d.heap = malloc(room * sizeof *d.heap);
    bool good = d.before && d.first && d.heap;
    *ordered = false;
    if (good) {
        memset(d.first, 0xff, room * sizeof *d.first);
        good = find_edges(c, &d);
    }
    if (good)
        *ordered = sort_keys(&d, keys) == d.keys;
    for (uint32_t k = 0; !*ordered && k < d.keys; k++)
        keys[k] = k;
    free(d.before);
    free(d.first);
    free(d.heap);
    free(d.edges);
    return good ? EXIT_DONE : say_no_memory("convert");
}
