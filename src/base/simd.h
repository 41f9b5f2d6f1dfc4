/**
 * @file simd.h
 * Code for processors that do more at once, beside plain C that gives the same bytes.
 *
 * Such a function is marked HCBR_I_AVX2 and only called where hcbr_i_simd() says so, at run time.
 * It stands in #ifdef HCBR_I_AVX2 together with its call.
 */
#ifndef HCBR_I_SIMD_H
#define HCBR_I_SIMD_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HCBR_I_AVX2 __attribute__((target("avx2")))
#define HCBR_I_AVX512 __attribute__((target("avx512bw")))
#endif

#ifdef HCBR_FAULTS
/** Tests: take the plain way on every processor, or that of HCBR_I_AVX2. */
extern bool hcbr_i_simd_off, hcbr_i_simd_narrow;
#endif

/** Has the processor what HCBR_I_AVX2 needs? */
bool hcbr_i_simd(void);
/** Has it what HCBR_I_AVX512 needs? */
bool hcbr_i_simd_wide(void);

#endif
