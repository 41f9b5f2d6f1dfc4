/*
 * Orders that several parts sort by.
 */
#include "base/base.h"

int hcbr_i_compare_u32(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}
