/*
 * Is a text valid UTF-8? Strictly: shortest forms only, no surrogates, nothing beyond U+10FFFF; and
 * no NUL, which would end a name early in other hands.
 */
#include "base/base.h"

/** Length of the sequence that starts at b, which is NUL or no ASCII; 0 if it is not valid. */
static size_t sequence(const unsigned char *b, size_t left) {
    unsigned lead = b[0];
    size_t n = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || left < n)
        return 0;
    // What the second byte may be holds off long forms, surrogates and too large numbers.
    unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (b[1] < low || b[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

size_t hcbr_i_utf8_check(const char *text, size_t length) {
    const unsigned char *b = (const unsigned char *)text;
    const uint64_t ones = UINT64_MAX / 255, highs = ones << 7;
    size_t i = 0;
    while (i < length) {
        if (length - i >= 8) {
            // A byte from 1 to 127 has its upper bit clear, and clear after 1 is taken away; a
            // borrow goes upwards only, so the lowest bit found is right.
            uint64_t word = hcbr_i_load64(b + i);
            uint64_t odd = (word | (word - ones)) & highs;
            if (odd == 0) {
                i += 8;
                continue;
            }
            i += (size_t)__builtin_ctzll(odd) / 8;
        } else if (b[i] - 1u < 0x7F) {
            i++;
            continue;
        }
        do { // other scripts come in runs: stay here while they last
            size_t n = sequence(b + i, length - i);
            if (n == 0)
                return i;
            i += n;
        } while (i < length && b[i] >= 0x80);
    }
    return length;
}
