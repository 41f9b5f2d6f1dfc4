/**
 * @file exact.h
 * Sums of doubles without any error: terms can come in any order, in any parts, from any machine,
 * and the sum is the same to the last bit. It is rounded once, when its value is read.
 *
 * A sum is a whole number of 2^-1074 in digits of 32 bits. Each digit has a word of 64 bits that
 * also collects carries. A term changes three digits.
 */
#ifndef HCBR_I_EXACT_H
#define HCBR_I_EXACT_H

#include "base/base.h"

#define HCBR_I_EXACT_DIGITS 67u        /* 2098 bits of the finite doubles, and 46 for their sums */
#define HCBR_I_EXACT_TERMS (1u << 30u) /* that may be added before digits are carried */

/** Zero-initialise to start. */
typedef struct hcbr_i_exact {
    int64_t digit[HCBR_I_EXACT_DIGITS];
    uint32_t terms; /**< added since digits were carried */
} hcbr_i_exact;

/** Bring all digits but the last to 0 .. 2^32 - 1: equal sums are then equal bytes. */
void hcbr_i_exact_carry(hcbr_i_exact *sum);

/** Add a finite number. A sum of up to 2^44 terms is exact. */
static inline void hcbr_i_exact_add(hcbr_i_exact *sum, double x) {
    uint64_t bits = hcbr_i_bits_of(x), part = bits & 0xFFFFFFFFFFFFFu;
    uint32_t power = (uint32_t)(bits >> 52) & 0x7FFu;
    part |= (uint64_t)(power > 0) << 52; // x is part 2^(shift - 1074)
    uint32_t shift = power - (power > 0);
    int64_t sign = -(int64_t)(bits >> 63), *to = sum->digit + shift / 32;
    uint64_t low = part << shift % 32, high = part >> 32 >> (32 - shift % 32);
    to[0] += ((int64_t)(low & 0xFFFFFFFFu) ^ sign) - sign;
    to[1] += ((int64_t)(low >> 32) ^ sign) - sign;
    to[2] += ((int64_t)high ^ sign) - sign;
    if (++sum->terms == HCBR_I_EXACT_TERMS)
        hcbr_i_exact_carry(sum);
}

/** Add another sum. */
void hcbr_i_exact_join(hcbr_i_exact *sum, const hcbr_i_exact *other);

/** The double nearest to the sum, ties to even; infinite if the sum is too large. */
double hcbr_i_exact_value(const hcbr_i_exact *sum);

#endif
