/**
 * @file vector.h
 * Code for processors that do more at once, beside plain C that gives the same bytes.
 *
 * Such a function is marked HCBR_I_AVX2 and only called where hcbr_i_vector() says so, at run time.
 * It stands in #ifdef HCBR_I_AVX2 together with its call.
 */
#ifndef HCBR_I_VECTOR_H
#define HCBR_I_VECTOR_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HCBR_I_AVX2 __attribute__((target("avx2")))
#endif

#ifdef HCBR_FAULTS
/** Tests: take the plain way on every processor. */
extern bool hcbr_i_vector_off;
#endif

/** Has the processor what HCBR_I_AVX2 needs? */
bool hcbr_i_vector(void);

#endif
