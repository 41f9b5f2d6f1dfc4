/*
 * The allocator of the library: the C library's or one that the program sets.
 *
 * Invariant: which one it is never changes once a block was given out, so that every block goes
 * back to where it came from. The state goes from open to default or, by way of setting, to custom.
 */
#include "base/base.h"

#include <hcbr/allocator.h>

#include <sched.h>
#include <stdatomic.h>

enum { OPEN, DEFAULT, SETTING, CUSTOM };

static atomic_int state = OPEN;
static hcbr_allocator custom; // read only when the state is CUSTOM

hcbr_status hcbr_set_allocator(const hcbr_allocator *allocator, hcbr_error *err) {
    if (HCBR_I_NULL(err, allocator) || HCBR_I_UNSIZED(err, allocator))
        return HCBR_EUSAGE;
    hcbr_allocator taken = {.size = sizeof taken};
    int expected = OPEN;
    if (allocator)
        taken = *allocator;
    if (!taken.allocate || !taken.resize || !taken.release)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a function of the allocator is NULL, expected allocate, resize and "
                           "release");
    if (!atomic_compare_exchange_strong(&state, &expected, SETTING))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           expected == DEFAULT ? "the library has allocated memory already, "
                                                 "expected the allocator before"
                                               : "an allocator was set already, expected one");
    custom = taken;
    atomic_store_explicit(&state, CUSTOM, memory_order_release);
    return HCBR_OK;
}

const hcbr_allocator *hcbr_i_allocator(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (HCBR_I_LIKELY(now == DEFAULT))
        return NULL;
    if (now == OPEN && atomic_compare_exchange_strong(&state, &now, DEFAULT))
        return NULL;
    while (now == SETTING) { // another thread writes a few words
        sched_yield();
        now = atomic_load_explicit(&state, memory_order_acquire);
    }
    return now == CUSTOM ? &custom : NULL;
}
