/*
 * Sums of doubles without any error: carrying, joining and rounding.
 */
#include "base/exact.h"

#include <math.h>

#define LAST (HCBR_I_EXACT_DIGITS - 1)
#define LEAST_POWER (-1074) /* of two: what a unit of the first digit is worth */

void hcbr_i_exact_carry(hcbr_i_exact *sum) {
    int64_t carried = 0;
    for (uint32_t i = 0; i < LAST; i++) {
        int64_t all = sum->digit[i] + carried;
        sum->digit[i] = (int64_t)((uint64_t)all & 0xFFFFFFFFu);
        carried = (all - sum->digit[i]) / ((int64_t)1 << 32);
    }
    sum->digit[LAST] += carried;
    sum->terms = 0;
}

void hcbr_i_exact_join(hcbr_i_exact *sum, const hcbr_i_exact *other) {
    hcbr_i_exact more = *other;
    hcbr_i_exact_carry(&more);
    hcbr_i_exact_carry(sum);
    for (uint32_t i = 0; i < HCBR_I_EXACT_DIGITS; i++)
        sum->digit[i] += more.digit[i];
    hcbr_i_exact_carry(sum);
}

/* Digits of 0 .. 2^32 - 1, not all 0, as a double. */
static double round_digits(const hcbr_i_exact *sum) {
    uint32_t top = LAST;
    while (sum->digit[top] == 0)
        top--;
    uint64_t first = (uint64_t)sum->digit[top];
    uint64_t second = top > 0 ? (uint64_t)sum->digit[top - 1] : 0;
    uint64_t third = top > 1 ? (uint64_t)sum->digit[top - 2] : 0;
    uint32_t zeros = (uint32_t)__builtin_clzll(first) - 32; // in front of the first
    uint64_t head = (first << 32 | second) << zeros | (third << zeros) >> 32;
    bool more = (uint32_t)(third << zeros) != 0; // below the head
    for (uint32_t i = 0; i + 2 < top; i++)
        more |= sum->digit[i] != 0;
    int power = 32 * (int)top - 32 - (int)zeros + LEAST_POWER; // of the head's last bit
    // ldexp() is exact here unless it overflows: below 2^-1022 no bit is beyond the least
    return ldexp((double)(head | more), power);
}

double hcbr_i_exact_value(const hcbr_i_exact *sum) {
    hcbr_i_exact x = *sum;
    hcbr_i_exact_carry(&x);
    bool negative = x.digit[LAST] < 0;
    if (negative) {
        for (uint32_t i = 0; i < HCBR_I_EXACT_DIGITS; i++)
            x.digit[i] = -x.digit[i];
        hcbr_i_exact_carry(&x);
    }
    for (uint32_t i = 0; i < HCBR_I_EXACT_DIGITS; i++)
        if (x.digit[i])
            return negative ? -round_digits(&x) : round_digits(&x);
    return 0;
}
