/*
 * The features of the processor, queried once.
 *
 * The compiler's own __builtin_cpu_supports() needs a variable of its runtime that not every linker
 * finds for a shared library; zig's, which links the wheels, does not.
 */
#include "base/simd.h"

#ifdef HCBR_FAULTS
bool hcbr_i_simd_off, hcbr_i_simd_narrow;
#else
enum { hcbr_i_simd_off = false, hcbr_i_simd_narrow = false };
#endif

#ifdef HCBR_I_AVX2
#include <cpuid.h>
#include <stdatomic.h>
#include <stdint.h>

enum { ASKED = 1, AVX2 = 2, AVX512 = 4 };

/* Registers that the system saves when it changes threads. */
static uint32_t saved_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static int ask(void) {
    enum { YMM = 0x6, ZMM = 0xE6 };
    uint32_t a, b, c, d;
    int has = ASKED;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
        return has;
    const uint32_t saved = saved_registers();
    if ((saved & YMM) != YMM || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2))
        return has;
    has |= AVX2;
    if ((saved & ZMM) == ZMM && (b & bit_AVX512F) && (b & bit_AVX512BW))
        has |= AVX512;
    return has;
}

/* The query takes microseconds on a virtual machine. Concurrent threads get the same answer. */
static bool can(int what) {
    static atomic_int known;
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (!has)
        atomic_store_explicit(&known, has = ask(), memory_order_relaxed);
    return (has & what) != 0;
}
#endif

bool hcbr_i_simd(void) {
#ifdef HCBR_I_AVX2
    return !hcbr_i_simd_off && can(AVX2);
#else
    return false;
#endif
}

bool hcbr_i_simd_wide(void) {
#ifdef HCBR_I_AVX2
    return !hcbr_i_simd_off && !hcbr_i_simd_narrow && can(AVX512);
#else
    return false;
#endif
}
