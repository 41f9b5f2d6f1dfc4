/*
 * Numbers in few bits. Decimals of a column become whole multiples of a power of ten, stored
 * relative to the least; 0 is stored if a case has no number. If that does not restore every double
 * exactly, doubles are stored.
 *
 * Invariant: unpacking restores the bits of the input. A quotient of two whole numbers that are
 * doubles is correctly rounded, so a text of that many digits and the quotient are one double.
 */
#include "rich/encode/kept_cases.h"

#include <math.h>

#define ROUND 0x1.8p52 /* adding and subtracting it rounds to a whole number */
#define MOST 0x1p51    /* that this is true of */

static const double POWERS[HCBR_I_RICH_MOST_POWER + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

unsigned hcbr_i_rich_bits_of(uint64_t most) {
    return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

void hcbr_i_rich_put_bits(unsigned char *bytes, uint64_t at, unsigned bits, uint64_t value) {
    unsigned char *to = bytes + at / 8;
    unsigned shift = (unsigned)(at % 8), done = 0;
    while (done < bits) {
        *to++ |= (unsigned char)(value >> done << shift);
        done += 8 - shift;
        shift = 0;
    }
}

/* The same if eight bytes of room follow: in one store, and a ninth byte. */
static inline void put_word(unsigned char *bytes, uint64_t at, unsigned bits, uint64_t value) {
    unsigned char *to = bytes + at / 8;
    unsigned shift = (unsigned)(at % 8);
    hcbr_i_store64(to, hcbr_i_load64(to) | value << shift);
    if (shift && shift + bits > 64)
        to[8] |= (unsigned char)(value >> (64 - shift));
}

uint64_t hcbr_i_rich_get_bits(const unsigned char *bytes, uint64_t at, unsigned bits) {
    if (bits == 0)
        return 0;
    uint64_t word = hcbr_i_load64(bytes + at / 8) >> (at % 8);
    return bits >= 64 ? word : word & (((uint64_t)1 << bits) - 1);
}

uint64_t hcbr_i_rich_packed_size(const hcbr_i_rich_packed *p, uint64_t count) {
    return (count * p->bits + 7) / 8;
}

/* The whole number of a value at a power; false if the value is not exact. */
static inline bool whole(double value, unsigned power, double *out) {
    double x = value * POWERS[power];
    *out = x + ROUND - ROUND;
    return fabs(x) < MOST && *out / POWERS[power] == value;
}

/* Values, as an array or as they were packed. */
typedef struct source {
    const double *values; /* NULL: packed ones */
    const hcbr_i_rich_packed *packed;
    const unsigned char *bytes;
} source;

static inline double value_at(const source *from, size_t i) {
    return from->values ? from->values[i] : hcbr_i_rich_unpack(from->packed, from->bytes, i);
}

/* The power at which all values are whole numbers; false: there is none. */
static bool find_power(const source *from, size_t count, unsigned *power, double *least,
                       double *most) {
    double x;
    *power = 0;
    for (size_t i = 0; i < count; i++) {
        double value = value_at(from, i);
        while (!isnan(value) && !whole(value, *power, &x))
            if (++*power > HCBR_I_RICH_MOST_POWER)
                return false;
    }
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = value_at(from, i);
        if (isnan(value))
            continue;
        if (!whole(value, *power, &x) || signbit(value) != signbit(x))
            return false; // too large at the power that others need
        *least = x < *least ? x : *least;
        *most = x > *most ? x : *most;
    }
    return true;
}

bool hcbr_i_rich_pack(hcbr_i_rich_packed *out, const double *values, size_t count,
                      unsigned char **bytes, size_t *used, size_t *capacity) {
    unsigned power = 0;
    double least = 0, most = 0, x;
    *out = (hcbr_i_rich_packed){.at = *used, .bits = HCBR_I_RICH_DOUBLES};
    if (find_power(&(source){.values = values}, count, &power, &least, &most)) {
        bool any = least <= most;
        out->power = (uint8_t)power;
        out->base = any ? (int64_t)least : 0;
        out->bits = (uint8_t)hcbr_i_rich_bits_of(any ? (uint64_t)(most - least) + 1 : 0);
    }
    if (count > SIZE_MAX / 64)
        return false;
    size_t size = (size_t)hcbr_i_rich_packed_size(out, count);
    if (!hcbr_i_grow(bytes, capacity, *used + size + 8, 1))
        return false;
    unsigned char *to = *bytes + *used;
    memset(to, 0, size + 8);
    *used += size;
    for (size_t i = 0; i < count; i++) {
        uint64_t stored = 0;
        if (out->bits == HCBR_I_RICH_DOUBLES) {
            double value = isnan(values[i]) ? NAN : values[i];
            memcpy(&stored, &value, sizeof stored);
        } else if (!isnan(values[i]) && whole(values[i], power, &x)) {
            stored = (uint64_t)((int64_t)x - out->base) + 1;
        }
        put_word(to, (uint64_t)i * out->bits, out->bits, stored);
    }
    return true;
}

double hcbr_i_rich_unpack(const hcbr_i_rich_packed *p, const unsigned char *bytes, size_t at) {
    uint64_t stored = hcbr_i_rich_get_bits(bytes, (uint64_t)at * p->bits, p->bits);
    if (p->bits == HCBR_I_RICH_DOUBLES) {
        double value;
        memcpy(&value, &stored, sizeof value);
        return value;
    }
    return stored ? (double)(p->base + (int64_t)(stored - 1)) / POWERS[p->power] : NAN;
}

/* ---- the canonical form ---------------------------------------------------------------------- */

/* Whole numbers: the least is stored as 1, the largest needs all bits, and some value is not whole
   at the previous power. Values below 2^51 that are whole at a power are whole at the higher powers
   up to this one. */
static bool whole_is_least(const hcbr_i_rich_packed *p, const unsigned char *bytes, size_t count) {
    uint64_t least = UINT64_MAX, most = 0;
    bool needed = p->power == 0;
    double x;
    for (size_t i = 0; i < count; i++) {
        uint64_t stored = hcbr_i_rich_get_bits(bytes, (uint64_t)i * p->bits, p->bits);
        if (stored == 0)
            continue;
        least = stored < least ? stored : least;
        most = stored > most ? stored : most;
        needed = needed || !whole(hcbr_i_rich_unpack(p, bytes, i), p->power - 1u, &x);
    }
    if (most == 0)
        return p->bits == 0 && p->power == 0 && p->base == 0;
    return needed && least == 1 && p->bits == hcbr_i_rich_bits_of(most) &&
           (double)p->base > -MOST && (double)(p->base + (int64_t)(most - 1)) < MOST;
}

bool hcbr_i_rich_is_packed(const hcbr_i_rich_packed *p, const unsigned char *bytes, size_t count) {
    const uint64_t used = (uint64_t)count * p->bits;
    unsigned power = 0;
    double least, most;
    if (used % 8 && bytes[used / 8] >> used % 8)
        return false; // unused bits after the last one must be 0
    if (p->bits == HCBR_I_RICH_DOUBLES)
        return !find_power(&(source){.packed = p, .bytes = bytes}, count, &power, &least, &most);
    return whole_is_least(p, bytes, count);
}
