/*
 * The few past cases that weigh most out of many: a heap whose top is the last of those kept.
 *
 * Larger values come first, equal ones go by number, so that the order they are offered in changes
 * nothing.
 */
#include "engine/engine.h"

static bool comes_before(const hcbr_i_picker *p, uint32_t a, uint32_t b) {
    double x = hcbr_i_picker_key(p, a), y = hcbr_i_picker_key(p, b);
    return x != y ? x > y : a < b;
}

static void sift(hcbr_i_picker *p, size_t at) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= p->count)
            return;
        if (child + 1 < p->count && comes_before(p, p->items[child], p->items[child + 1]))
            child++;
        if (!comes_before(p, p->items[at], p->items[child]))
            return;
        uint32_t item = p->items[at];
        p->items[at] = p->items[child];
        p->items[child] = item;
        at = child;
    }
}

void hcbr_i_picker_offer(hcbr_i_picker *p, uint32_t item) {
    if (p->count < p->most) {
        p->items[p->count++] = item;
        if (p->count == p->most)
            for (size_t at = p->count / 2; at-- > 0;)
                sift(p, at);
    } else if (p->most > 0 && comes_before(p, item, p->items[0])) {
        p->items[0] = item;
        sift(p, 0);
    }
}

void hcbr_i_picker_sort(hcbr_i_picker *p) {
    size_t all = p->count;
    if (p->count < p->most) // no heap yet
        for (size_t at = p->count / 2; at-- > 0;)
            sift(p, at);
    while (p->count > 1) {
        uint32_t last = p->items[0];
        p->items[0] = p->items[--p->count];
        p->items[p->count] = last;
        sift(p, 0);
    }
    p->count = all;
}
