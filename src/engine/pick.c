/*
 * The few past cases with the largest values of many, by the heap of base.
 *
 * Larger values come first, ties by number, so that the order of the offers does not matter.
 */
#include "engine/engine.h"

static bool comes_before(const void *picker, uint32_t a, uint32_t b) {
    return hcbr_i_larger_first(hcbr_i_picker_key(picker, a), a, hcbr_i_picker_key(picker, b), b);
}

void hcbr_i_picker_offer(hcbr_i_picker *p, uint32_t item) {
    hcbr_i_heap heap = {p->items, p->count, p->most};
    hcbr_i_heap_offer(&heap, item, comes_before, p);
    p->count = heap.count;
}

void hcbr_i_picker_sort(hcbr_i_picker *p) {
    const hcbr_i_heap heap = {p->items, p->count, p->most};
    hcbr_i_heap_sort(&heap, comes_before, p);
}
