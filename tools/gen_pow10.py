#!/usr/bin/env python3
"""Writes src/base/number_table.c: the powers of ten that number_parse.c and number_print.c use.

    tools/gen_pow10.py > src/base/number_table.c
    tools/gen_pow10.py --check     proves the bounds that the comments of those files rely on
"""
import sys
from fractions import Fraction

FIRST, LAST = -342, 340


def floor_log2_pow10(k):
    """The largest f with 2**f <= 10**k."""
    if k >= 0:
        return (10**k).bit_length() - 1
    return -((10**-k - 1).bit_length())


def significand(k):
    """floor(10**k * 2**(127 - f)): the first 128 bits of 10**k."""
    shift = 127 - floor_log2_pow10(k)
    if k >= 0:
        return 10**k << shift if shift >= 0 else 10**k >> -shift
    return (1 << shift) // 10**-k


def write():
    print(f"""/*
 * The first 128 bits of the powers of ten from 10^{FIRST} to 10^{LAST}, rounded down: entry k is
 * floor(10^k * 2^(127 - f)) with f = floor(log2(10^k)), upper half first. Reading and writing of
 * numbers share it. Written by tools/gen_pow10.py, which also proves that it is long enough.
 */
#include "base/base.h"

// clang-format off
const uint64_t hcbr_i_pow10[HCBR_I_POW10_LAST - HCBR_I_POW10_FIRST + 1][2] = {{""")
    row = []
    for k in range(FIRST, LAST + 1):
        g = significand(k)
        row.append("{0x%016Xu, 0x%016Xu}," % (g >> 64, g & (2**64 - 1)))
        if len(row) == 2 or k == LAST:
            print("    " + " ".join(row))
            row = []
    print("};\n// clang-format on")


def fraction_bounds(alpha, most):
    """Least and greatest fraction, 0 not counted, of alpha * x for x = 1 ... most."""
    b = alpha.denominator
    if b == 1:
        return Fraction(1, 2), Fraction(1, 2)
    if b <= most:
        return Fraction(1, b), Fraction(b - 1, b)
    low, low_x = alpha.numerator % b, 1
    up, up_x = b - low, 1
    while True:  # Euclid's algorithm: each record comes from adding the two latest ones
        if low >= up:
            t = min((low - 1) // up, (most - low_x) // up_x)
            low, low_x = low - t * up, low_x + t * up_x
        else:
            t = min((up - 1) // low, (most - up_x) // low_x)
            up, up_x = up - t * low, up_x + t * low_x
        if t == 0:
            return Fraction(low, b), Fraction(b - up, b)


def check():
    for k in range(FIRST, LAST + 1):
        assert (k * 217706) >> 16 == floor_log2_pow10(k), k
        assert 2**127 <= significand(k) < 2**128
    for e in range(-1075, 1025):  # floor(log10(2**e))
        k = (e * 1262611) >> 22
        assert Fraction(10)**k <= Fraction(2)**e < Fraction(10)**(k + 1), e
    for e in range(-1074, 972):  # floor(log10(3/4 * 2**e))
        k = (e * 1262611 - 524031) >> 22
        assert Fraction(10)**k <= Fraction(3, 4) * Fraction(2)**e < Fraction(10)**(k + 1), e
    least, greatest, shifts = Fraction(1), Fraction(0), set()
    for q in range(-1074, 972):
        for closer in (0, 1):
            k = (q * 1262611 - 524031 * closer) >> 22
            assert FIRST <= -k <= LAST
            h = q + floor_log2_pow10(-k) + 1
            shifts.add(h)
            low, high = fraction_bounds(Fraction(2)**q / Fraction(10)**k, 2**55 + 2)
            least, greatest = min(least, low), max(greatest, high)
    assert 1 <= min(shifts) and max(shifts) <= 4, shifts
    # With the entry rounded up the product is too large by at most this.
    excess = Fraction((2**55 + 2) * 2**max(shifts), 2**128)
    assert excess < Fraction(1, 2**66), "an exact product may look inexact"
    assert least >= Fraction(1, 2**66), "an inexact product may look exact"
    assert greatest + excess < 1, "a product may carry"
    print("ok: shifts %s, least fraction 2^-64 * %.3f, greatest 1 - 2^-64 * %.3f" %
          (sorted(shifts), float(least * 2**64), float((1 - greatest) * 2**64)))


if sys.argv[1:] == ["--check"]:
    check()
elif len(sys.argv) == 1:
    write()
else:
    sys.exit(__doc__)
