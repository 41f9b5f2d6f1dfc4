/**
 * @file heap.h
 * The N first of a stream: those with the largest keys, equal ones by number.
 *
 * Invariant: while full, a heap whose top is the last of those kept, so that one comparison rejects
 * most of what is offered. What is kept does not depend on the order of the offers.
 */
#ifndef HCBR_I_HEAP_H
#define HCBR_I_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hcbr_i_top_item {
    double key;      /**< not NaN */
    uint32_t number; /**< each one is offered once */
    uint32_t place;  /**< below `most`, different for all that are kept: where the caller may keep
                          more about them; an item that is removed leaves its place to the next */
} hcbr_i_top_item;

/** The first `most`; zero-initialise the rest to start. */
typedef struct hcbr_i_top {
    hcbr_i_top_item *items; /**< the caller's: room for all that are kept */
    size_t count, most;
} hcbr_i_top;

static inline bool hcbr_i_top_before(hcbr_i_top_item a, hcbr_i_top_item b) {
    return a.key != b.key ? a.key > b.key : a.number < b.number;
}

/** Move an item down until nothing below it comes after it. */
static inline void hcbr_i_top_sift(hcbr_i_top_item *items, size_t count, size_t at) {
    const hcbr_i_top_item moving = items[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && hcbr_i_top_before(items[child], items[child + 1]))
            child++;
        if (!hcbr_i_top_before(moving, items[child]))
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = moving;
}

static inline void hcbr_i_top_heapify(hcbr_i_top *top) {
    for (size_t at = top->count / 2; at-- > 0;)
        hcbr_i_top_sift(top->items, top->count, at);
}

/** The smallest key that is still kept; `least` as long as there is room. */
static inline double hcbr_i_top_floor(const hcbr_i_top *top, double least) {
    return top->most > 0 && top->count == top->most ? top->items[0].key : least;
}

/** The place of what is offered if it is kept, else UINT32_MAX. */
static inline uint32_t hcbr_i_top_offer(hcbr_i_top *top, double key, uint32_t number) {
    hcbr_i_top_item item = {key, number, (uint32_t)top->count};
    assert(key == key);
    if (top->count < top->most) {
        top->items[top->count++] = item;
        if (top->count == top->most)
            hcbr_i_top_heapify(top);
        return item.place;
    }
    if (top->most == 0 || !hcbr_i_top_before(item, top->items[0]))
        return UINT32_MAX;
    item.place = top->items[0].place;
    top->items[0] = item;
    hcbr_i_top_sift(top->items, top->count, 0);
    return item.place;
}

/** Put those kept in their order, the first one first. Nothing may be offered afterwards. */
static inline void hcbr_i_top_sort(hcbr_i_top *top) {
    if (top->count < top->most)
        hcbr_i_top_heapify(top);
    for (size_t count = top->count; count > 1;) {
        hcbr_i_top_item last = top->items[0];
        top->items[0] = top->items[--count];
        top->items[count] = last;
        hcbr_i_top_sift(top->items, count, 0);
    }
}

#endif
