// UTF-8 against a decoder that follows the definition: code points that encode to the same bytes.
#include "base/base.h"

#include <hcbr/text.h>

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

/** Encode a code point that may stand in a text; 0 bytes for one that may not. */
static size_t encode(unsigned char out[4], uint32_t code) {
    if (code == 0 || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
        return 0;
    if (code < 0x80) {
        out[0] = (unsigned char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (unsigned char)(0x80 | (code & 0x3F));
    out[0] = (unsigned char)((0xF00 >> n & 0xFF) | code);
    return n;
}

/** The offset of the first sequence that no code point encodes to. */
static size_t naive(const unsigned char *b, size_t length) {
    size_t i = 0;
    while (i < length) {
        size_t n = b[i] < 0x80 ? 1 : b[i] < 0xE0 ? 2 : b[i] < 0xF0 ? 3 : 4;
        if (n > length - i)
            return i;
        uint32_t code = n == 1 ? b[i] : b[i] & (0x7Fu >> n);
        for (size_t k = 1; k < n; k++)
            code = code << 6 | (b[i + k] & 0x3Fu);
        unsigned char again[4];
        if (encode(again, code) != n || memcmp(again, b + i, n) != 0)
            return i;
        i += n;
    }
    return length;
}

/** Compare both on one text; b has at least 4 bytes to show. */
static void check(const unsigned char *b, size_t length) {
    size_t got = hcbr_i_utf8_check((const char *)b, length), want = naive(b, length);
    if (got != want)
        fail_msg("%02x %02x %02x %02x (%zu bytes): %zu, expected %zu", b[0], b[1], b[2], b[3],
                 length, got, want);
}

static void utf8__agrees_on_all_short_sequences(void **context) {
    (void)context;
    unsigned char b[16] = {0};
    for (uint32_t x = 0; x < 1u << 24; x++) {
        b[0] = (unsigned char)(x >> 16);
        b[1] = (unsigned char)(x >> 8);
        b[2] = (unsigned char)x;
        check(b, 3);
    }
    for (uint32_t x = 0; x < 1u << 16; x++) {
        b[0] = (unsigned char)(x >> 8);
        b[1] = (unsigned char)x;
        check(b, 2);
        check(b + 1, 1);
    }
}

static void utf8__agrees_on_four_byte_sequences(void **context) {
    (void)context;
    static const unsigned char ends[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0xBF, 0xC0, 0xFF};
    unsigned char b[16] = {0};
    for (unsigned lead = 0xF0; lead < 0x100; lead++)
        for (unsigned second = 0; second < 256; second++)
            for (int i = 0; i < 81; i++) {
                b[0] = (unsigned char)lead;
                b[1] = (unsigned char)second;
                b[2] = ends[i / 9];
                b[3] = ends[i % 9];
                check(b, 4);
            }
}

static void utf8__accepts_every_code_point(void **context) {
    (void)context;
    unsigned char b[4];
    for (uint32_t code = 1; code <= 0x10FFFF; code++) {
        size_t n = encode(b, code);
        if (n > 0 && hcbr_i_utf8_check((const char *)b, n) != n)
            fail_msg("U+%04X is refused", code);
    }
    assert_int_equal(hcbr_i_utf8_check(NULL, 0), 0);
}

static void utf8__agrees_on_random_text(void **context) {
    (void)context;
    uint64_t seed = 11;
    print_message("seed 11\n");
    for (int i = 0; i < 200000; i++) {
        unsigned char text[80];
        size_t length = 0, limit = hcbr_i_mix(seed++) % 64;
        while (length < limit) {
            uint64_t r = hcbr_i_mix(seed++);
            if (r % 4 != 0)
                text[length++] = (unsigned char)(1 + (r >> 8) % 127);
            else
                length += encode(text + length, (uint32_t)((r >> 8) % 0x110000));
        }
        if (length > 0 && hcbr_i_mix(seed++) % 2 == 0) // damage it
            text[hcbr_i_mix(seed) % length] = (unsigned char)(hcbr_i_mix(seed + 1) >> 7);
        unsigned char *copy = malloc(length + (length == 0));
        memcpy(copy, text, length);
        if (hcbr_i_utf8_check((const char *)copy, length) != naive(copy, length))
            fail_msg("text %d: %zu, expected %zu", i, hcbr_i_utf8_check((const char *)copy, length),
                     naive(copy, length));
        free(copy);
    }
}

static void text__is_shown_up_to_what_would_steer(void **context) {
    (void)context;
    static const uint32_t STEERS[] = {0x01,   0x1B,   0x7F,   0x80,   0x9B,    0x9F,    0x61C,
                                      0x200B, 0x200E, 0x200F, 0x2028, 0x2029,  0x202A,  0x202E,
                                      0x2066, 0x2069, 0xFEFF, 0xFFFE, 0xE0001, 0xE007F, 0x10FFFF};
    static const uint32_t SHOWN[] = {0x20,   0x7E,   0xA0,   0xE9,   0x5D0,   0x627,   0x200C,
                                     0x200D, 0x3042, 0xFE0F, 0xFFFD, 0x1F600, 0xE0100, 0x10FFFD};
    char text[16] = "ab", bad[] = "ab\xC3", ends[] = "a\xE2\x80";
    for (size_t i = 0; i < sizeof STEERS / sizeof *STEERS; i++) {
        size_t n = encode((unsigned char *)text + 2, STEERS[i]);
        if (hcbr_text_plain(text, 2 + n) != 2)
            fail_msg("U+%04X is shown", (unsigned)STEERS[i]);
    }
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++) {
        size_t n = encode((unsigned char *)text + 2, SHOWN[i]);
        if (hcbr_text_plain(text, 2 + n) != 2 + n)
            fail_msg("U+%04X is not shown", (unsigned)SHOWN[i]);
    }
    assert_int_equal(hcbr_text_plain(bad, 3), 2);
    assert_int_equal(hcbr_text_plain(ends, 3), 1);
    assert_int_equal(hcbr_text_plain("", 0), 0);
    assert_int_equal(hcbr_text_plain("a\0b", 3), 1);
}

static void text__has_the_code_points_that_were_encoded(void **context) {
    (void)context;
    for (uint32_t code = 1; code < 0x110000; code++) {
        unsigned char b[4];
        size_t n = encode(b, code), used;
        if (n > 0 && (hcbr_text_code((const char *)b, n, &used) != (int32_t)code || used != n))
            fail_msg("U+%04X is read as another", (unsigned)code);
        if (n > 1 && (hcbr_text_code((const char *)b, n - 1, &used) != -1 || used != 1))
            fail_msg("a part of U+%04X is read", (unsigned)code);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8__agrees_on_all_short_sequences),
        cmocka_unit_test(utf8__agrees_on_four_byte_sequences),
        cmocka_unit_test(utf8__accepts_every_code_point),
        cmocka_unit_test(utf8__agrees_on_random_text),
        cmocka_unit_test(text__is_shown_up_to_what_would_steer),
        cmocka_unit_test(text__has_the_code_points_that_were_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
