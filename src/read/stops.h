/**
 * @file stops.h
 * The ends of plain fields of csv and tsv, 64 bytes at a time; private to src/read.
 *
 * Written by hand for SSE2, which every x86-64 has: compilers do not turn the loop over bytes into
 * the one instruction that gathers the marks of 16 bytes.
 */
#ifndef HCBR_I_STOPS_H
#define HCBR_I_STOPS_H

#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HCBR_I_STOPS 64 /* bytes processed together */

/** Marks, by its high bit, each byte of a word that is zero. */
static inline uint64_t hcbr_i_stops_zero(uint64_t word) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((word & low) + low) | word | low);
}

/** hcbr_i_stops() on any machine. */
static inline uint64_t hcbr_i_stops_plain(const char *bytes, char delimiter) {
    const uint64_t each = UINT64_C(0x0101010101010101), high = each * 0x80;
    uint64_t marks = 0;
    for (unsigned n = 0; n < HCBR_I_STOPS; n += 8) {
        uint64_t word = hcbr_i_load64(bytes + n);
        uint64_t found = (word & high) | hcbr_i_stops_zero(word & each * 0xE0) |
                         hcbr_i_stops_zero(word ^ each * '"') |
                         hcbr_i_stops_zero(word ^ each * (unsigned char)delimiter);

        // The product moves the mark of byte i to bit 56 + i; no two of them meet.
        marks |= ((found >> 7) * UINT64_C(0x0102040810204080) >> 56) << n;
    }
    return marks;
}

#ifdef __SSE2__
/** The marks of 16 bytes. */
static inline uint64_t hcbr_i_stops_of_16(const char *bytes, char delimiter) {
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    // Bytes are compared as signed numbers: those that are not ASCII are below a blank, too.
    __m128i found = _mm_or_si128(_mm_cmplt_epi8(x, _mm_set1_epi8(' ')),
                                 _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')),
                                              _mm_cmpeq_epi8(x, _mm_set1_epi8(delimiter))));
    return (uint32_t)_mm_movemask_epi8(found);
}
#endif

/**
 * Marks each of 64 bytes that a plain field cannot hold: the delimiter, a quote, a control byte or
 * one that is not ASCII. The first byte has the lowest bit.
 */
static inline uint64_t hcbr_i_stops(const char *bytes, char delimiter) {
#ifdef __SSE2__
    return hcbr_i_stops_of_16(bytes, delimiter) | hcbr_i_stops_of_16(bytes + 16, delimiter) << 16 |
           hcbr_i_stops_of_16(bytes + 32, delimiter) << 32 |
           hcbr_i_stops_of_16(bytes + 48, delimiter) << 48;
#else
    return hcbr_i_stops_plain(bytes, delimiter);
#endif
}

#endif
