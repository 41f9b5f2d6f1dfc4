/*
 * Failures on request, for tests: the n-th allocation or the n-th I/O call fails, once or from then
 * on. Calls are counted atomically, so that threads of the library may ask at the same time. In
 * builds for users this file is empty.
 */
#include "base/base.h"

#ifdef HCBR_FAULTS
#include <stdatomic.h>

static struct {
    atomic_uint_fast64_t count; /**< calls since armed */
    atomic_uint_fast64_t n;     /**< the call to fail, 0: none */
    atomic_bool on;             /**< later ones too */
} faults[2];

void hcbr_i_fault_arm(hcbr_i_fault_kind kind, uint64_t n, bool on) {
    atomic_store(&faults[kind].n, 0);
    atomic_store(&faults[kind].count, 0);
    atomic_store(&faults[kind].on, on);
    atomic_store(&faults[kind].n, n);
}

uint64_t hcbr_i_fault_count(hcbr_i_fault_kind kind) {
    return atomic_load(&faults[kind].count);
}

bool hcbr_i_fault_now(hcbr_i_fault_kind kind) {
    uint64_t call = atomic_fetch_add(&faults[kind].count, 1) + 1;
    uint64_t n = atomic_load(&faults[kind].n);
    return n != 0 && (call == n || (call > n && atomic_load(&faults[kind].on)));
}
#else
typedef int hcbr_i_no_faults; // C wants a declaration in every file
#endif
