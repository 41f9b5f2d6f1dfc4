/*
 * Comparators that several stages sort with.
 */
#include "base/base.h"

int hcbr_i_compare_u32(const void *a, const void *b) {
    return hcbr_i_order_u32(*(const uint32_t *)a, *(const uint32_t *)b);
}

int hcbr_i_compare_u64(const void *a, const void *b) {
    return hcbr_i_order_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

int hcbr_i_compare_double(const void *a, const void *b) {
    return hcbr_i_order_double(*(const double *)a, *(const double *)b);
}
