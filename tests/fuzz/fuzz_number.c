/*
 * Numbers as text. The first byte chooses: a text, which is accepted iff it has the form of a
 * number and is then what strtod() makes of it; or eight bytes as a double, which is written in
 * the fewest digits that read back as the same double, or rounded as printf() rounds.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const char *skip_digits(const char *at) {
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/** Sign, digits with a point, exponent: the whole text, which ends with NUL. */
static bool is_number(const char *text, size_t length) {
    const char *at = text + (*text == '+' || *text == '-'), *start = at;
    at = skip_digits(at);
    size_t digits = (size_t)(at - start);
    if (*at == '.') {
        start = at + 1;
        at = skip_digits(start);
        digits += (size_t)(at - start);
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        start = at;
        at = skip_digits(at);
        if (at == start)
            return false;
    }
    return at == text + length;
}

/** Digits of a number's text without leading and trailing zeros. */
static size_t significant(const char *text) {
    size_t count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count + zeros == 0))
            continue;
        if (*text == '0') {
            zeros++;
        } else {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

/** Plain from 10^-5 to 10^16, else with an exponent; no needless zero, point or plus. */
static void check_notation(const char *text, size_t length) {
    const char *at = text + (*text == '-');
    size_t count = significant(text);
    const char *exponent = strchr(at, 'e'), *point = strchr(at, '.');
    FUZZ_CHECK(strlen(text) == length && length < HCBR_NUMBER_SIZE);
    FUZZ_CHECK(is_number(text, length) && *at >= '0' && *at <= '9');
    FUZZ_CHECK(count >= 1 && count <= 17);
    FUZZ_CHECK(at[0] != '0' || at[1] == '.');
    if (point != NULL)
        FUZZ_CHECK(exponent != NULL ? exponent[-1] != '0' : text[length - 1] != '0');
    if (exponent != NULL) {
        long e = strtol(exponent + 1, NULL, 10);
        FUZZ_CHECK(exponent[1] != '+' && *at != '0' && (point == NULL || point == at + 1));
        FUZZ_CHECK(e < -5 || e > 16);
    }
}

/** The shortest text of a finite number. */
static void check_format(double value) {
    char text[HCBR_NUMBER_SIZE], other[64];
    double back;
    memset(text, 'z', sizeof text);
    size_t length = hcbr_number_format(text, value);
    if (value == 0) {
        FUZZ_CHECK(strcmp(text, signbit(value) ? "-0" : "0") == 0);
        return;
    }
    check_notation(text, length);
    FUZZ_CHECK(hcbr_number_parse(&back, text, length) && bits_of(back) == bits_of(value));
    FUZZ_CHECK(bits_of(strtod(text, NULL)) == bits_of(value));
    // Below a power of two doubles are closer: only there may the nearest shorter text fail alone.
    if (significant(text) < 2 || (bits_of(value) & 0xFFFFFFFFFFFFFu) == 0)
        return;
    snprintf(other, sizeof other, "%.*e", (int)significant(text) - 2, value);
    FUZZ_CHECK(strtod(other, NULL) != value);
}

static void check_round(double value, int digits) {
    char text[HCBR_NUMBER_SIZE], other[64];
    memset(text, 'z', sizeof text);
    size_t length = hcbr_number_round(text, value, digits);
    if (value == 0)
        return;
    check_notation(text, length);
    FUZZ_CHECK(significant(text) <= (size_t)digits);
    snprintf(other, sizeof other, "%.*e", digits - 1, value);
    FUZZ_CHECK(significant(other) == significant(text));
    FUZZ_CHECK(bits_of(strtod(other, NULL)) == bits_of(strtod(text, NULL)));
}

static void check_parse(const uint8_t *data, size_t size) {
    static char *text;
    static size_t capacity;
    double value = 1;
    // Exactly as large as the text, which need not end with NUL: a byte read behind it is seen.
    int accepted = hcbr_number_parse(&value, (const char *)data, size);
    if (size + 1 > capacity) {
        capacity = size + 1;
        text = realloc(text, capacity);
        FUZZ_CHECK(text != NULL);
    }
    memcpy(text, data, size);
    text[size] = 0;
    double expected = is_number(text, size) ? strtod(text, NULL) : NAN;
    FUZZ_CHECK(accepted == (isfinite(expected) != 0));
    FUZZ_CHECK(bits_of(value) == (accepted ? bits_of(expected) : 0));
    if (accepted)
        check_format(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    unsigned choice = fuzz_choice(&in);
    if (choice < 32) {
        check_parse(in.at, in.left);
        return 0;
    }
    double value;
    char text[HCBR_NUMBER_SIZE];
    if (in.left < sizeof value)
        return 0;
    memcpy(&value, in.at, sizeof value);
    if (!isfinite(value)) {
        (void)hcbr_number_format(text, value);
        FUZZ_CHECK(strcmp(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf") == 0);
        return 0;
    }
    check_format(value);
    check_round(value, 1 + (int)(choice - 32) % 17);
    return 0;
}
