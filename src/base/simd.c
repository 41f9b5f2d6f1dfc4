/*
 * What the processor can do.
 */
#include "base/simd.h"

#ifdef HCBR_FAULTS
bool hcbr_i_simd_off, hcbr_i_simd_narrow;
#else
enum { hcbr_i_simd_off = false, hcbr_i_simd_narrow = false };
#endif

bool hcbr_i_simd(void) {
#ifdef HCBR_I_AVX2
    return !hcbr_i_simd_off && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

bool hcbr_i_simd_wide(void) {
#ifdef HCBR_I_AVX2
    return !hcbr_i_simd_off && !hcbr_i_simd_narrow && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}
