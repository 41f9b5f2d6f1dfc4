// Numbers as they are written, against a naive reference: digits in an array, and the C library.
#include "base/base.h"
#include "seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 1200 };

static uint64_t state;

static uint64_t draw(void) {
    return hcbr_i_mix(state++);
}

/** What a text is, found the slow way. */
typedef struct reference {
    bool number;
    char value[ROOM]; /**< "-12e-4": all digits without zeros at the ends, and an exponent */
    double nearest;
} reference;

/** The grammar, letter by letter. The exponent is left out if it has more than 15 digits. */
static reference refer(const char *text) {
    reference r = {.number = false};
    char digits[ROOM] = "";
    int count = 0, places = 0, before = 0;
    const char *p = text + (*text == '-' || *text == '+');
    const char *first = p;
    for (; *p >= '0' && *p <= '9'; p++, before++)
        digits[count++] = *p;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++, places--)
            digits[count++] = *p;
    if (count == 0 || (before > 1 && *first == '0'))
        return r;
    long long exponent = 0;
    if (*p == 'e' || *p == 'E') {
        const char *sign = ++p;
        p += *p == '-' || *p == '+';
        if (*p < '0' || *p > '9')
            return r;
        for (; *p >= '0' && *p <= '9'; p++)
            exponent = exponent > 100000000000000000 ? exponent : exponent * 10 + (*p - '0');
        if (*sign == '-')
            exponent = -exponent;
    }
    r.nearest = strtod(text, NULL) + 0.0;
    if (*p != 0 || isinf(r.nearest))
        return r;
    r.number = true;
    exponent += places;
    for (; count > 0 && digits[count - 1] == '0'; count--)
        exponent++;
    int zeros = 0;
    while (zeros < count && digits[zeros] == '0')
        zeros++;
    if (zeros == count)
        strcpy(r.value, "0");
    else
        snprintf(r.value, ROOM, "%s%.*se%lld", *text == '-' ? "-" : "", count - zeros,
                 digits + zeros, exponent);
    return r;
}

/** Read from an exact heap copy, so that the sanitizer sees any read beyond the text. */
static bool decimal_read(double *value, uint8_t *spelling, const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    bool answer = hcbr_i_decimal_read(value, spelling, copy, length);
    free(copy);
    return answer;
}

static void canonical(char out[ROOM], const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(length), *room = malloc(length + HCBR_NUMBER_SIZE);
    memcpy(copy, text, length);
    size_t written = hcbr_i_decimal_canonical(room, copy, length);
    assert_true(written <= length + HCBR_NUMBER_SIZE);
    memcpy(out, room, written);
    out[written] = 0;
    free(copy);
    free(room);
}

/** A FIXED text: an integer, a point, digits; nothing lost in 15 digits. */
static bool is_fixed(const char *text, unsigned places) {
    const char *p = text + (*text == '-'), *point = strchr(p, '.');
    if (!point || point == p || strlen(point + 1) != places)
        return false;
    return strspn(p, "0123456789.") == strlen(p);
}

/** All that is promised of one text. */
static void check(const char *text) {
    reference want = refer(text);
    double value = 7;
    uint8_t spelling = 77;
    char usual[HCBR_NUMBER_SIZE], back[HCBR_NUMBER_SIZE], same[ROOM], again[ROOM];
    if (decimal_read(&value, &spelling, text) != want.number)
        fail_msg("%s: is it a number?", text);
    if (!want.number)
        return;
    if (hcbr_i_bits_of(value) != hcbr_i_bits_of(want.nearest))
        fail_msg("%s: %a, expected %a", text, value, want.nearest);
    hcbr_number_format(usual, value);
    bool narrow = strcmp(refer(usual).value, want.value) == 0;
    if ((spelling == HCBR_I_SPELLED_WIDE) == narrow ||
        (spelling == HCBR_I_SPELLED_SHORTEST) != (strcmp(usual, text) == 0))
        fail_msg("%s: spelling %u", text, spelling);
    if (spelling < HCBR_I_SPELLED_OTHER) {
        size_t length = hcbr_i_decimal_spell(back, value, spelling);
        if (length != strlen(text) || memcmp(back, text, length) != 0)
            fail_msg("%s: spelling %u gives %.*s", text, spelling, (int)length, back);
        unsigned places = (unsigned)spelling - HCBR_I_SPELLED_FIXED;
        if (spelling && (places > HCBR_I_SPELLED_DIGITS || !is_fixed(text, places)))
            fail_msg("%s: spelling %u", text, spelling);
    }
    canonical(same, text);
    if (strcmp(refer(same).value, want.value) != 0)
        fail_msg("%s: canonical %s", text, same);
    if (narrow ? strcmp(same, usual) != 0 : (canonical(again, same), strcmp(again, same) != 0))
        fail_msg("%s: canonical %s is not", text, same);
}

/** The canonical text depends on the value alone: another spelling of it has the same. */
static void check_same(const char *a, const char *b) {
    char first[ROOM], second[ROOM];
    reference x = refer(a), y = refer(b);
    if (!x.number || !y.number)
        return;
    assert_string_equal(x.value, y.value);
    canonical(first, a);
    canonical(second, b);
    if (strcmp(first, second) != 0)
        fail_msg("%s is %s, but %s is %s", a, first, b, second);
}

static void decimal__reads_all_short_texts(void **context) {
    (void)context;
    static const char letters[] = "+-.0159eE";
    enum { LETTERS = sizeof letters - 1, MOST = 6 };
    for (int length = 0; length <= MOST; length++) {
        long count = 1;
        for (int i = 0; i < length; i++)
            count *= LETTERS;
        for (long n = 0; n < count; n++) {
            char text[MOST + 1] = "";
            long rest = n;
            for (int i = 0; i < length; i++, rest /= LETTERS)
                text[i] = letters[rest % LETTERS];
            check(text);
        }
    }
}

/** Digits, a point somewhere and an exponent, as they come. */
static void draw_text(char text[ROOM]) {
    size_t n = 0, digits = 1 + (size_t)(draw() % (draw() % 8 ? 19 : 60));
    size_t point = (size_t)(draw() % (digits + 3));
    unsigned kind = (unsigned)(draw() % 4);
    if (draw() % 3 == 0)
        text[n++] = draw() % 4 ? '-' : '+';
    for (size_t k = 0; k < digits; k++) {
        if (k == point)
            text[n++] = '.';
        text[n++] = (char)('0' + (draw() % 4 < kind ? 0 : draw() % 10));
    }
    text[n] = 0;
    if (draw() % 4 == 0)
        snprintf(text + n, ROOM - n, "%c%s%d", draw() % 2 ? 'e' : 'E', draw() % 3 ? "" : "-0",
                 (int)(draw() % 330));
    if (draw() % 64 == 0)
        text[draw() % (n + 1)] = (char)(' ' + draw() % 90);
}

static void decimal__reads_random_texts(void **context) {
    (void)context;
    state = test_seed(20250311);
    for (int i = 0; i < 400000; i++) {
        char text[ROOM];
        draw_text(text);
        check(text);
    }
    for (int i = 0; i < 200000; i++) { // what programs write
        static const char *const formats[] = {"%.*g", "%.*f", "%.*e"};
        char text[ROOM];
        double value = (double)(int64_t)draw() / pow(10, (int)(draw() % 30));
        snprintf(text, sizeof text, formats[draw() % 3], (int)(draw() % 21), value);
        check(text);
        hcbr_number_format(text, hcbr_i_from_bits(draw()));
        check(text);
    }
}

/** Another spelling of a number: zeros, signs, a moved point. */
static void respell(char out[ROOM], const char *text) {
    reference r = refer(text);
    const char *digits = r.value + (*r.value == '-'), *e = strchr(digits, 'e');
    int count = (int)(e ? e - digits : 1), point = 1 + (int)(draw() % (unsigned)count);
    long long exponent = e ? atoll(e + 1) : 0;
    snprintf(out, ROOM, "%s%.*s.%.*s%.*se%lld",
             *r.value == '-' ? "-"
             : draw() % 2    ? "+"
                             : "",
             point, digits, count - point, digits + point, (int)(draw() % 4), "000",
             exponent + count - point);
}

static void decimal__has_one_canonical_text_for_all_spellings(void **context) {
    (void)context;
    state = test_seed(20250312);
    for (int i = 0; i < 300000; i++) {
        char text[ROOM], other[ROOM];
        draw_text(text);
        if (!refer(text).number)
            continue;
        respell(other, text);
        check(other);
        check_same(text, other);
    }
}

static void decimal__holds_at_the_edges(void **context) {
    (void)context;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        "-0.0",
                                        "007",
                                        "-01",
                                        "00.5",
                                        "0.5",
                                        "-0.5",
                                        "00",
                                        "0e5",
                                        "0e99",
                                        "-0e1",
                                        "000",
                                        "1",
                                        "1.0",
                                        "1e0",
                                        "+1",
                                        "10e-1",
                                        ".5",
                                        "5.",
                                        "-.5",
                                        "-",
                                        "+",
                                        ".",
                                        "",
                                        "e",
                                        "1e",
                                        "1e+",
                                        "1.2.3",
                                        "1,5",
                                        " 1",
                                        "1 ",
                                        "0x1",
                                        "nan",
                                        "inf",
                                        "1e400",
                                        "1e-400",
                                        "-1e-400",
                                        "4.9e-324",
                                        "5e-324",
                                        "2.5e-324",
                                        "1e308",
                                        "1e309",
                                        "123456789012345",
                                        "1234567890123456",
                                        "9007199254740993",
                                        "12345678901234567890",
                                        "12345678901234567891",
                                        "12345678901234567800000",
                                        "0.1",
                                        "0.10",
                                        "0.1000000000000000055",
                                        "0.10000000000000001",
                                        "0.30000000000000004",
                                        "0.00001",
                                        "0.000001",
                                        "0.0000010",
                                        "-0.00000000000001",
                                        "99999999999999.9",
                                        "999999999999999.9",
                                        "0.12345678901234",
                                        "0.123456789012345",
                                        "100000000000000000",
                                        "10000000000000000",
                                        "1e16",
                                        "1e17",
                                        "12345678901234567e5",
                                        "1e1000000000000000",
                                        "1e-999",
                                        "123456789.12345678901234567e-20",
                                        "2021-03-04",
                                        "12:30",
                                        "1-2",
                                        "9/",
                                        ":1",
                                        "1:",
                                        "12345678.",
                                        ".12345678",
                                        "1234567.1",
                                        "123456789.1",
                                        "12345678.12345678",
                                        "1.123456789012345",
                                        "1234567890123456.",
                                        "-1234567.12345678",
                                        "-12345678.1234567"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(texts[i]);
    double value;
    uint8_t spelling;
    assert_false(decimal_read(&value, &spelling, "1e-9999999999999999999999"));
    assert_false(decimal_read(&value, &spelling, "1e-1000000000000001"));
    assert_true(decimal_read(&value, &spelling, "1e-1000000000000000"));
    assert_true(value == 0 && spelling == HCBR_I_SPELLED_WIDE);
    assert_true(decimal_read(&value, &spelling, "0.0e99999999999999999999999"));
    assert_true(value == 0 && spelling == HCBR_I_SPELLED_OTHER);
}

static void decimal__names_the_spelling(void **context) {
    (void)context;
    static const struct {
        const char *text;
        unsigned spelling;
        const char *canonical;
    } texts[] = {{"1", HCBR_I_SPELLED_SHORTEST, "1"},
                 {"-0.123456", HCBR_I_SPELLED_SHORTEST, "-0.123456"},
                 {"1.50", HCBR_I_SPELLED_FIXED + 2, "1.5"},
                 {"-20.0", HCBR_I_SPELLED_FIXED + 1, "-20"},
                 {"0.000000", HCBR_I_SPELLED_FIXED + 6, "0"},
                 {"0.000001", HCBR_I_SPELLED_FIXED + 6, "1e-6"},
                 {"1e0", HCBR_I_SPELLED_OTHER, "1"},
                 {"-0", HCBR_I_SPELLED_OTHER, "0"},
                 {"100000000000000000", HCBR_I_SPELLED_OTHER, "1e17"},
                 {"12345678901234567890", HCBR_I_SPELLED_WIDE, "12345678901234567890"},
                 {"+12345678901234567891.0", HCBR_I_SPELLED_WIDE, "12345678901234567891"},
                 {"-0.010000000000000000001", HCBR_I_SPELLED_WIDE, "-0.010000000000000000001"},
                 {"1e-400", HCBR_I_SPELLED_WIDE, "1e-400"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value;
        uint8_t spelling;
        char text[ROOM];
        assert_true(decimal_read(&value, &spelling, texts[i].text));
        assert_int_equal(spelling, texts[i].spelling);
        canonical(text, texts[i].text);
        assert_string_equal(text, texts[i].canonical);
    }
}

static void decimal__takes_very_long_texts(void **context) {
    (void)context;
    state = test_seed(20250313);
    for (int i = 0; i < 2000; i++) {
        char text[ROOM], other[ROOM];
        size_t n = 0, digits = 100 + (size_t)(draw() % 900), point = (size_t)(draw() % 400);
        for (size_t k = 0; k < digits; k++) {
            if (k == point)
                text[n++] = '.';
            text[n++] = (char)('0' + (draw() % 2 || k == 0 ? 1 + draw() % 9 : 0));
        }
        text[n] = 0;
        check(text);
        if (!refer(text).number)
            continue;
        respell(other, text);
        check_same(text, other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal__names_the_spelling),
        cmocka_unit_test(decimal__holds_at_the_edges),
        cmocka_unit_test(decimal__reads_all_short_texts),
        cmocka_unit_test(decimal__reads_random_texts),
        cmocka_unit_test(decimal__has_one_canonical_text_for_all_spellings),
        cmocka_unit_test(decimal__takes_very_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
