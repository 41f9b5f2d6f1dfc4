/*
 * What the processor can do.
 */
#include "base/vector.h"

#ifdef HCBR_FAULTS
bool hcbr_i_vector_off;
#else
enum { hcbr_i_vector_off = false };
#endif

bool hcbr_i_vector(void) {
#ifdef HCBR_I_AVX2
    return !hcbr_i_vector_off && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
