/*
 * Strict UTF-8: shortest forms only, no surrogates, nothing beyond U+10FFFF, and no NUL, which
 * would end a name early in other programs. This file also decides which characters can be shown;
 * all code that shows text from outside calls it.
 */
#include "base/base.h"

#include <hcbr/text.h>

/** Length of the sequence that starts at b, which is NUL or no ASCII; 0 if it is not valid. */
static size_t sequence(const unsigned char *b, size_t left) {
    unsigned lead = b[0];
    size_t n = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || left < n)
        return 0;
    // The range of the second byte excludes long forms, surrogates and too large numbers.
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
        do { // other scripts come in runs: stay in this loop during a run
            size_t n = sequence(b + i, length - i);
            if (n == 0)
                return i;
            i += n;
        } while (i < length && b[i] >= 0x80);
    }
    return length;
}

int32_t hcbr_text_code(const char *text, size_t length, size_t *used) {
    const unsigned char *b = (const unsigned char *)text;
    *used = 1;
    if (b[0] < 0x80)
        return b[0];
    size_t n = sequence(b, length);
    if (n == 0)
        return -1;
    uint32_t code = b[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (b[i] & 0x3Fu);
    *used = n;
    return (int32_t)code;
}

/** Whether a character beyond ASCII would control the display or be invisible. */
static bool is_hidden(int32_t code) {
    static const struct {
        int32_t first, last;
    } HIDDEN[] = {{0x80, 0x9F},       {0x61C, 0x61C},    {0x180E, 0x180E},   {0x200B, 0x200B},
                  {0x200E, 0x200F},   {0x2028, 0x202E},  {0x2060, 0x206F},   {0xFDD0, 0xFDEF},
                  {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},  {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
                  {0xE0000, 0xE00FF}, {0xE01F0, 0xE0FFF}};
    if (code < 0 || (code & 0xFFFE) == 0xFFFE)
        return true;
    for (size_t i = 0; i < sizeof HIDDEN / sizeof HIDDEN[0] && code >= HIDDEN[i].first; i++)
        if (code <= HIDDEN[i].last)
            return true;
    return false;
}

size_t hcbr_text_plain(const char *text, size_t length) {
    size_t i = 0, used;
    while (i < length) {
        unsigned char c = (unsigned char)text[i];
        if (c - 0x20u < 0x5F) {
            i++;
            continue;
        }
        if (c < 0x80 || is_hidden(hcbr_text_code(text + i, length - i, &used)))
            break;
        i += used;
    }
    return i;
}

size_t hcbr_text_escape(char text[4], char byte) {
    static const char HEX[] = "0123456789abcdef", NAMED[] = "\tt\nn\rr\\\\";
    unsigned char c = (unsigned char)byte;
    text[0] = '\\';
    for (size_t i = 0; NAMED[i]; i += 2)
        if (NAMED[i] == byte) {
            text[1] = NAMED[i + 1];
            return 2;
        }
    text[1] = 'x';
    text[2] = HEX[c >> 4];
    text[3] = HEX[c & 15];
    return 4;
}

int hcbr_text_is_unknown(const char *name, size_t length) {
    for (; length > 2 && name[0] == '"' && name[length - 1] == '"'; length -= 2)
        name++;
    return length == 7 && memcmp(name, "unknown", 7) == 0;
}
