/**
 * @file simd.h
 * Code for processors with wide instructions, in addition to plain C that gives the same bytes.
 *
 * Such a function is marked HCBR_I_AVX2 and called only if hcbr_i_simd() is true, at run time. It
 * and its call are inside #ifdef HCBR_I_AVX2.
 */
#ifndef HCBR_I_SIMD_H
#define HCBR_I_SIMD_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HCBR_I_AVX2 __attribute__((target("avx2")))
#define HCBR_I_AVX512 __attribute__((target("avx512bw")))
#endif

#ifdef HCBR_FAULTS
/** Tests: use plain C on every processor, or no more than HCBR_I_AVX2. */
extern bool hcbr_i_simd_off, hcbr_i_simd_narrow;
#endif

/** Whether the processor has what HCBR_I_AVX2 needs. */
bool hcbr_i_simd(void);
/** Whether it has what HCBR_I_AVX512 needs. */
bool hcbr_i_simd_wide(void);

#endif
