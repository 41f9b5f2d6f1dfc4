// Text of numbers against the C library in its "C" locale, and against reasoning at the edges.
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20240611u

static uint64_t state;

static uint64_t draw(void) {
    return hcbr_i_mix(state++);
}

static void start_random(void) {
    state = SEED;
    print_message("seed %u\n", SEED);
}

static const char *format(double value) {
    static char text[HCBR_NUMBER_SIZE];
    size_t length = hcbr_number_format(text, value);
    assert_int_equal(length, strlen(text));
    assert_true(length < HCBR_NUMBER_SIZE);
    return text;
}

static const char *rounded(double value, int digits) {
    static char text[HCBR_NUMBER_SIZE];
    size_t length = hcbr_number_round(text, value, digits);
    assert_int_equal(length, strlen(text));
    assert_true(length < HCBR_NUMBER_SIZE);
    return text;
}

/** Parse from an exact heap copy, so that the sanitizer sees any read beyond the text. */
static int parse(double *out, const char *text, size_t length) {
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    int answer = hcbr_number_parse(out, copy, length);
    free(copy);
    return answer;
}

static void check_parse(const char *text) {
    double want = strtod(text, NULL), got = 1;
    int answer = parse(&got, text, strlen(text));
    if (isinf(want)) {
        if (answer != 0 || hcbr_i_bits_of(got) != 0)
            fail_msg("%.60s: not refused", text);
    } else if (answer != 1 || hcbr_i_bits_of(got) != hcbr_i_bits_of(want)) {
        fail_msg("%.60s: %d %a, expected %a", text, answer, got, want);
    }
}

/** The layout number.h promises, of digits and an exponent as "%.*e" writes them. */
static void lay_out(char *out, const char *scientific) {
    const char *e = strchr(scientific, 'e');
    char digits[40];
    int count = 0, exponent = atoi(e + 1);
    if (*scientific == '-')
        *out++ = '-';
    for (const char *c = scientific; c < e; c++)
        if (*c >= '0' && *c <= '9')
            digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (exponent < -5 || exponent > 16) {
        *out++ = digits[0];
        if (count > 1)
            *out++ = '.';
        memcpy(out, digits + 1, (size_t)count - 1);
        sprintf(out + count - 1, "e%d", exponent);
        return;
    }
    if (exponent < 0)
        *out++ = '0';
    for (int at = exponent < 0 ? -1 : exponent, i = exponent < 0 ? exponent + 1 : 0; i < count;) {
        if (at == -1)
            *out++ = '.';
        *out++ = i < 0 ? '0' : digits[i];
        i++;
        at--;
        if (i == count)
            for (; at >= 0; at--)
                *out++ = '0';
    }
    *out = 0;
}

/** Format reads back, and no decimal of fewer digits does; among those of its length, nearest. */
static void check_format(double value) {
    char text[HCBR_NUMBER_SIZE], want[64], scientific[64];
    strcpy(text, format(value));
    double back = strtod(text, NULL);
    if (hcbr_i_bits_of(back) != hcbr_i_bits_of(value))
        fail_msg("%a: %s reads back as %a", value, text, back);
    assert_int_equal(parse(&back, text, strlen(text)), 1);
    assert_true(hcbr_i_bits_of(back) == hcbr_i_bits_of(value));
    int digits = 1; // the fewest with which printf, which rounds to nearest, reads back
    for (;; digits++) {
        snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
        if (strtod(scientific, NULL) == value)
            break;
    }
    lay_out(want, scientific);
    if (strcmp(text, want) == 0)
        return;
    // At a power of two the interval is lopsided: a decimal may be inside while the nearest one of
    // its length is not. Then ours must be shorter than what printf needs.
    int ours = 0;
    bool seen = false;
    for (const char *c = text; *c != 0 && *c != 'e'; c++) {
        seen = seen || (*c >= '1' && *c <= '9');
        ours += seen && *c != '.';
    }
    if ((hcbr_i_bits_of(value) & (((uint64_t)1 << 52) - 1)) != 0 || ours >= digits)
        fail_msg("%a: %s, expected %s", value, text, want);
}

static void check_round(double value, int digits) {
    char scientific[64], want[64];
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
    lay_out(want, scientific);
    if (strcmp(rounded(value, digits), want) != 0)
        fail_msg("%a to %d digits: %s, expected %s", value, digits, rounded(value, digits), want);
}

static void format__agrees_with_the_c_library_on_random_bits(void **context) {
    (void)context;
    start_random();
    for (int i = 0; i < 250000; i++) {
        double value = hcbr_i_from_bits(draw());
        if (!isfinite(value))
            continue;
        check_format(value);
    }
}

static void format__is_shortest_for_decimals_of_few_digits(void **context) {
    (void)context;
    start_random();
    for (int i = 0; i < 100000; i++) {
        char text[64];
        snprintf(text, sizeof text, "%llue%d",
                 (unsigned long long)(draw() % (uint64_t)pow(10, 1 + (int)(draw() % 17))),
                 (int)(draw() % 40) - 25);
        check_format(strtod(text, NULL));
    }
    for (int i = 0; i < 50000; i++) { // up to 6 decimals, and their neighbours
        double value = (double)(int64_t)(draw() % 1000000000000000) / pow(10, (int)(draw() % 9));
        check_format(value);
        check_format(nextafter(value, 1e300));
        check_format((double)(draw() % 100) / 1e6);
    }
}

static void format__holds_at_the_edges(void **context) {
    (void)context;
    for (int e = -1074; e < 1024; e++) {
        double power = ldexp(1, e);
        check_format(power);
        check_format(nextafter(power, 0));
        check_format(nextafter(power, DBL_MAX));
        check_format(-power);
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        check_format(strtod(text, NULL));
        check_format(nextafter(strtod(text, NULL), 0));
    }
    for (uint64_t bits = 1; bits < 2000; bits++)
        check_format(hcbr_i_from_bits(bits));
    for (uint64_t n = 0; n < 2000; n++) {
        check_format((double)n);
        check_format((double)(((uint64_t)1 << 53) - 1000 + n));
        check_format((double)(((uint64_t)1 << 62) - 1000000 + n * 1024));
    }
    check_format(DBL_MAX);
    check_format(DBL_MIN);
}

static void format__writes_the_promised_notation(void **context) {
    (void)context;
    assert_string_equal(format(0.0), "0");
    assert_string_equal(format(-0.0), "-0");
    assert_string_equal(format(1), "1");
    assert_string_equal(format(-1), "-1");
    assert_string_equal(format(1200), "1200");
    assert_string_equal(format(0.00012), "0.00012");
    assert_string_equal(format(0.00001), "0.00001");
    assert_string_equal(format(0.0000099), "9.9e-6");
    assert_string_equal(format(1.5e-7), "1.5e-7");
    assert_string_equal(format(1e300), "1e300");
    assert_string_equal(format(1e16), "10000000000000000");
    assert_string_equal(format(1e17), "1e17");
    assert_string_equal(format(12345678901234568.0), "12345678901234568");
    assert_string_equal(format(0.1), "0.1");
    assert_string_equal(format(-123.456), "-123.456");
    assert_string_equal(format(0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(format(5e-324), "5e-324");
    assert_string_equal(format(-DBL_MAX), "-1.7976931348623157e308");
    assert_string_equal(format(-1.2345678901234567e-5), "-0.000012345678901234568");
    assert_string_equal(format(9007199254740993e3), "9.007199254740993e18");
    assert_string_equal(format((double)NAN), "nan");
    assert_string_equal(format((double)INFINITY), "inf");
    assert_string_equal(format(-(double)INFINITY), "-inf");
}

static void round__agrees_with_the_c_library(void **context) {
    (void)context;
    start_random();
    for (int i = 0; i < 100000; i++) {
        double value = hcbr_i_from_bits(draw());
        if (isfinite(value) && value != 0)
            check_round(value, 1 + (int)(draw() % 17));
    }
    for (int i = 0; i < 100000; i++) { // exact halves: ties are frequent here
        double value = (double)(draw() % 2000000) / 16 + 0.0625;
        check_round(value, 1 + (int)(draw() % 17));
    }
    for (uint64_t bits = 1; bits < 300; bits++)
        for (int digits = 1; digits <= 17; digits++)
            check_round(hcbr_i_from_bits(bits), digits);
    for (int e = -1074; e < 1024; e++)
        for (int digits = 1; digits <= 17; digits++) {
            check_round(ldexp(1, e), digits);
            check_round(-nextafter(ldexp(1, e), 0) - DBL_TRUE_MIN, digits);
        }
}

static void round__writes_the_promised_notation(void **context) {
    (void)context;
    assert_string_equal(rounded(0.0, 3), "0");
    assert_string_equal(rounded(-0.0, 3), "-0");
    assert_string_equal(rounded(2.5, 1), "2");
    assert_string_equal(rounded(3.5, 1), "4");
    assert_string_equal(rounded(0.99999, 3), "1");
    assert_string_equal(rounded(999.96, 4), "1000");
    assert_string_equal(rounded(1.0 / 3, 4), "0.3333");
    assert_string_equal(rounded(123456789, 2), "120000000");
    assert_string_equal(rounded(9.99e16, 1), "1e17");
    assert_string_equal(rounded(0.1, 17), "0.10000000000000001");
    assert_string_equal(rounded(-(double)INFINITY, 1), "-inf");
    assert_string_equal(rounded((double)NAN, 1), "nan");
}

static void parse__agrees_with_the_c_library_on_printed_doubles(void **context) {
    (void)context;
    start_random();
    for (int i = 0; i < 250000; i++) {
        double value = hcbr_i_from_bits(draw());
        char text[64];
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.*g", 1 + (int)(draw() % 25), value);
        check_parse(text);
    }
}

static void parse__agrees_with_the_c_library_on_random_digits(void **context) {
    (void)context;
    start_random();
    for (int i = 0; i < 200000; i++) {
        char text[128];
        size_t n = 0, digits = 1 + (size_t)(draw() % 40), point = (size_t)(draw() % 41);
        if (draw() % 4 == 0)
            text[n++] = draw() % 2 ? '-' : '+';
        for (size_t k = 0; k < digits; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + (draw() % 3 == 0 ? 0 : draw() % 10));
        }
        text[n] = 0;
        if (draw() % 2)
            snprintf(text + n, sizeof text - n, "%c%d", draw() % 2 ? 'e' : 'E',
                     (int)(draw() % 720) - 370);
        check_parse(text);
    }
}

/** The exact decimal expansion of the point halfway between value and the next double. */
static void write_middle(char text[1500], double value) {
    // 64 bits of significand hold it exactly.
    long double middle = (long double)value + ((long double)nextafter(value, INFINITY) - value) / 2;
    snprintf(text, 1500, "%.1100Lf", middle);
    char *end = text + strlen(text);
    while (end > text && end[-1] == '0')
        *--end = 0;
    if (end[-1] == '.')
        *--end = 0;
}

static void parse__decides_halfway_cases_exactly(void **context) {
    (void)context;
    if (LDBL_MANT_DIG < 64)
        skip();
    start_random();
    for (int i = 0; i < 4000; i++) {
        char text[1600];
        double value = i < 600 ? hcbr_i_from_bits((uint64_t)i)
                               : hcbr_i_from_bits(draw() % ((uint64_t)2046 << 52) & INT64_MAX);
        write_middle(text, value);
        double got = 0;
        assert_int_equal(parse(&got, text, strlen(text)), 1);
        double even = hcbr_i_bits_of(value) & 1 ? nextafter(value, INFINITY) : value;
        if (hcbr_i_bits_of(got) != hcbr_i_bits_of(even))
            fail_msg("middle above %a: %a", value, got);
        if (strchr(text, '.') == NULL)
            strcat(text, ".");
        strcat(text, "000000000000000000000000000001");
        check_parse(text);
        assert_int_equal(parse(&got, text, strlen(text)), 1);
        assert_true(got == nextafter(value, INFINITY));
    }
}

static void parse__holds_at_the_edges(void **context) {
    (void)context;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        "00000000000000000000000",
                                        "0e999999999999999999999",
                                        "1",
                                        "-1",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e0",
                                        "1e+5",
                                        "1E-5",
                                        "9007199254740991",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "9007199254740993.0",
                                        "9007199254740993.00000000000000000000001",
                                        "9007199254740992.99999999999999999999999",
                                        "9007199254740994.5",
                                        "9007199254740995",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "999999999999999999",
                                        "9999999999999999999",
                                        "99999999999999999999",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "8.5e22",
                                        "1e308",
                                        "1e309",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "-1e-400",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "17976931348623158079e289",
                                        "179769313486231580793e288",
                                        "4.9e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.47e-324",
                                        "2.48e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072012e-308",
                                        "2.2250738585072014e-308",
                                        "1e-323",
                                        "1e99999999999999999999999",
                                        "1e-99999999999999999999999",
                                        "0.000000000000000000000000001e27",
                                        "100000000000000000000000000000e-29",
                                        "6929495644600919.5",
                                        "3.518437208883201171875e13",
                                        "1448997445238699",
                                        "0.500000000000000166533453693773481063544750213623046875",
                                        "0.500000000000000166533453693773481063544750213623046876",
                                        "123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_parse(texts[i]);
    double value = 1;
    assert_int_equal(parse(&value, "-0", 2), 1);
    assert_true(signbit(value));
    assert_int_equal(parse(&value, "-1e-400", 7), 1);
    assert_true(value == 0 && signbit(value));
}

static void parse__takes_very_long_texts(void **context) {
    (void)context;
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 40);
    start_random();
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < LENGTH; k++)
            text[k] = (char)(i % 3 == 0 ? '9' : i % 3 == 1 ? '0' : '0' + draw() % 10);
        text[draw() % LENGTH] = '.';
        snprintf(text + LENGTH, 40, "1e%d", (int)(draw() % 200000) - 100000);
        check_parse(text);
    }
    // 2^53 + 1 is a tie that goes down; one digit far behind decides.
    memset(text, '0', LENGTH);
    memcpy(text, "9007199254740993.", 17);
    text[LENGTH] = 0;
    check_parse(text);
    text[LENGTH - 1] = '1';
    double value;
    assert_int_equal(parse(&value, text, LENGTH), 1);
    assert_true(value == 9007199254740994.0);
    free(text);
}

static void parse__refuses_what_is_no_number(void **context) {
    (void)context;
    static const char *const texts[] = {"",
                                        " ",
                                        "+",
                                        "-",
                                        ".",
                                        "-.",
                                        "e5",
                                        ".e5",
                                        "1e",
                                        "1e+",
                                        "1e-",
                                        "1e5.",
                                        "1e5 ",
                                        " 1",
                                        "1 ",
                                        "--1",
                                        "+-1",
                                        "1..2",
                                        "1.2.3",
                                        "1,5",
                                        "1_000",
                                        "0x10",
                                        "0x1p3",
                                        "nan",
                                        "NaN",
                                        "inf",
                                        "-inf",
                                        "infinity",
                                        "1f",
                                        "1d",
                                        "1e5e5",
                                        "12a",
                                        "a12",
                                        "1\n",
                                        "1.5\t",
                                        "\xd9\xa1",
                                        "1e400",
                                        "-2e308",
                                        "1'000",
                                        "1e1_0",
                                        "123456789012345678901234567890x",
                                        "/",
                                        ":",
                                        "1/",
                                        "1:",
                                        "1e/",
                                        "1e:"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7;
        if (parse(&value, texts[i], strlen(texts[i])) != 0 || hcbr_i_bits_of(value) != 0)
            fail_msg("'%s' is taken for %g", texts[i], value);
    }
    double value = 7;
    assert_int_equal(parse(&value, "1\0", 2), 0);
    assert_int_equal(parse(&value, "12", 1), 1); // the length counts, not a NUL
    assert_true(value == 1);
}

static void compare__is_exact(void **context) {
    (void)context;
    assert_int_equal(hcbr_i_number_compare("5", 1, -1, 1, -1), 0);
    assert_int_equal(hcbr_i_number_compare("0.50", 4, -2 + 0, 1, -1), 0);
    assert_true(hcbr_i_number_compare("50000000000000000000000000001", 29, -29, 1, -1) > 0);
    assert_true(hcbr_i_number_compare("49999999999999999999999999999", 29, -29, 1, -1) < 0);
    assert_int_equal(hcbr_i_number_compare("1024", 4, 0, 1, 10), 0);
    assert_int_equal(hcbr_i_number_compare("18446744073709551616", 20, 0, 1, 64), 0);
    assert_true(hcbr_i_number_compare("1", 1, 300, (uint64_t)1 << 52, 944) > 0); // 2^996 < 10^300
    assert_true(hcbr_i_number_compare("1", 1, 300, (uint64_t)1 << 52, 945) < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(format__agrees_with_the_c_library_on_random_bits),
        cmocka_unit_test(format__is_shortest_for_decimals_of_few_digits),
        cmocka_unit_test(format__holds_at_the_edges),
        cmocka_unit_test(format__writes_the_promised_notation),
        cmocka_unit_test(round__agrees_with_the_c_library),
        cmocka_unit_test(round__writes_the_promised_notation),
        cmocka_unit_test(parse__agrees_with_the_c_library_on_printed_doubles),
        cmocka_unit_test(parse__agrees_with_the_c_library_on_random_digits),
        cmocka_unit_test(parse__decides_halfway_cases_exactly),
        cmocka_unit_test(parse__holds_at_the_edges),
        cmocka_unit_test(parse__takes_very_long_texts),
        cmocka_unit_test(parse__refuses_what_is_no_number),
        cmocka_unit_test(compare__is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
