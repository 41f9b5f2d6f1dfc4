/**
 * @file heap.h
 * The first N of a stream of numbers, by an order of the caller.
 *
 * Invariant: a full heap has the last of the kept numbers on top, so that most numbers are rejected
 * with one comparison. The order must be strict: then the numbers kept and their sorted order do
 * not depend on the order in which they came.
 */
#ifndef HCBR_I_HEAP_H
#define HCBR_I_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The first `most`. Fill in items and most; count starts at 0. */
typedef struct hcbr_i_heap {
    uint32_t *items; /**< the caller's: room for all that are kept */
    size_t count, most;
} hcbr_i_heap;

/**
 * Whether a comes before b. `owner` is the pointer that was passed with it. It must be a static
 * function of the calling file, so that the compiler inlines it.
 */
typedef bool hcbr_i_heap_before(const void *owner, uint32_t a, uint32_t b);

/** The usual order: larger keys first, ties by number. No key is NaN. */
static inline bool hcbr_i_larger_first(double a_key, uint32_t a, double b_key, uint32_t b) {
    return a_key != b_key ? a_key > b_key : a < b;
}

/** Sift down: the item at `at` may be too early. */
static inline __attribute__((always_inline)) void hcbr_i_heap_sift(const hcbr_i_heap *heap,
                                                                   size_t at,
                                                                   hcbr_i_heap_before *before,
                                                                   const void *owner) {
    uint32_t *items = heap->items;
    const uint32_t moving = items[at];
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && before(owner, items[child], items[child + 1]))
            child++;
        if (!before(owner, moving, items[child]))
            break;
        items[at] = items[child];
    }
    items[at] = moving;
}

/** Keep a number while there is room: count < most. */
static inline __attribute__((always_inline)) void
hcbr_i_heap_add(hcbr_i_heap *heap, uint32_t item, hcbr_i_heap_before *before, const void *owner) {
    heap->items[heap->count++] = item;
    if (heap->count == heap->most)
        for (size_t at = heap->count / 2; at-- > 0;)
            hcbr_i_heap_sift(heap, at, before, owner);
}

/** Keep a number if it is among the first so far; it replaces the last one. */
static inline __attribute__((always_inline)) void
hcbr_i_heap_offer(hcbr_i_heap *heap, uint32_t item, hcbr_i_heap_before *before, const void *owner) {
    if (heap->count < heap->most) {
        hcbr_i_heap_add(heap, item, before, owner);
    } else if (heap->most > 0 && before(owner, item, heap->items[0])) {
        heap->items[0] = item;
        hcbr_i_heap_sift(heap, 0, before, owner);
    }
}

/** Sort the kept numbers, the first one first. Nothing may be offered afterwards. */
static inline __attribute__((always_inline)) void
hcbr_i_heap_sort(const hcbr_i_heap *heap, hcbr_i_heap_before *before, const void *owner) {
    hcbr_i_heap left = *heap;
    if (left.count < left.most) // it was not full: no heap yet
        for (size_t at = left.count / 2; at-- > 0;)
            hcbr_i_heap_sift(&left, at, before, owner);
    while (left.count > 1) {
        uint32_t last = left.items[0];
        left.items[0] = left.items[--left.count];
        left.items[left.count] = last;
        hcbr_i_heap_sift(&left, 0, before, owner);
    }
}

#endif
