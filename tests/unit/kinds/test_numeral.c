// Numbers in disguise: a random decimal is dressed up, read, and must be the same decimal again.
#include "kinds/kinds.h"
#include "seed.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 200 };

static uint64_t state;

static unsigned draw(unsigned below) {
    return hcbr_i_draw_below(&state, below);
}

/** Read from an exact heap copy, so that the sanitizer sees any read beyond the text. */
static unsigned numeral_read(hcbr_i_numeral *n, char **copy, const char *text) {
    size_t length = strlen(text);
    *copy = malloc(length + (length == 0));
    memcpy(*copy, text, length);
    return hcbr_i_numeral_read(n, *copy, length);
}

static void canonical(char out[ROOM], const char *text, size_t length) {
    double value;
    uint8_t spelling;
    if (!hcbr_i_decimal_read(&value, &spelling, text, length))
        fail_msg("'%.*s' is no plain number", (int)length, text);
    out[hcbr_i_decimal_canonical(out, text, length)] = 0;
}

/** What a text is, as a plain decimal; "none" if it does not allow the reading. */
static const char *written(char out[HCBR_I_NUMERAL_TEXT + 1], const char *text, unsigned mark,
                           bool million) {
    hcbr_i_numeral n;
    char *copy;
    unsigned marks = numeral_read(&n, &copy, text);
    if (marks & mark)
        out[hcbr_i_numeral_write(out, &n, mark, million)] = 0;
    else
        strcpy(out, "none");
    free(copy);
    return out;
}

static void same(const char *text, const char *point, const char *comma) {
    char out[HCBR_I_NUMERAL_TEXT + 1];
    if (strcmp(written(out, text, HCBR_I_MARK_POINT, false), point) != 0)
        fail_msg("'%s' with a point is %s, expected %s", text, out, point);
    if (strcmp(written(out, text, HCBR_I_MARK_COMMA, false), comma) != 0)
        fail_msg("'%s' with a comma is %s, expected %s", text, out, comma);
}

static void numeral__forms(void **unused) {
    (void)unused;
    same("$1,234.50", "1234.5", "none");
    same("12*", "12", "12"); // marks of footnotes
    same("1,5 **", "none", "1.5");
    same("1.234,5\xE2\x80\xA0", "none", "1234.5");
    same("12\xE2\x80\xA1", "12", "12");
    same("12 (p)", "12", "12");
    same("12(1)", "12", "12");
    same("1,234 [a]", "1234", "1.234");
    same("12[34]", "12", "12");
    same("(12)", "-12", "-12");
    same("12 (34)", "none", "none"); // another number
    same("12 ()", "none", "none");
    same("12 (pqr)", "none", "none");
    same("12 (p]", "none", "none");
    same("*12", "none", "none");
    same("**", "none", "none");
    same("(p)", "none", "none");
    same("1.2M", "1200000", "none");
    same("12.5%", "12.5", "none");
    same("(1,234)", "-1234", "-1.234");
    same("$(5)", "-5", "-5");
    same("-$5", "-5", "-5");
    same("$-5", "-5", "-5");
    same("\xE2\x82\xAC 1.234,50", "none", "1234.5");
    same("1\xE2\x80\xAF"
         "234,5 \xE2\x82\xAC",
         "none", "1234.5");
    same("1'234.5", "1234.5", "none");
    same("1_000", "1000", "1000");
    same("12 kg", "12", "12");
    same("12kg", "12", "12");
    same("1.2 million USD", "1200000", "none");
    same("EUR 3", "3", "3");
    same("Rs. 500", "500", "500");
    same("$5m", "5000000", "5000000");
    same("5m", "5", "5");
    same("5m USD", "5000000", "5000000");
    same("1,5 Mio. \xE2\x82\xAC", "none", "1500000");
    same("3k", "3000", "3000");
    same("$1.2bn", "1200000000", "none");
    same("1.2M\xE2\x82\xAC", "1200000", "none");
    same("0,5", "none", "0.5");
    same(",5", "none", "0.5");
    same(".5", "0.5", "none");
    same("12,34,567", "1234567", "none");
    same("1,234,567", "1234567", "none");
    same("1.234.567", "none", "1234567");
    same("1234-", "-1234", "-1234");
    same("\xE2\x88\x92"
         "5",
         "-5", "-5");
    same("+5", "5", "5");
    same("-0.0", "0", "none");
    same("5e3", "5000", "5000");
    same("1,5e-3", "none", "0.0015");
    same("1.234", "1.234", "1234");
    same("1,234", "1234", "1.234");
    same("45\xC2\xB0"
         "C",
         "45", "45");
    same("60 km/h", "60", "60");
    same("7/10", "7", "7");
}

static void numeral__none(void **unused) {
    static const char *const none[] = {"+49 170 123 456",
                                       "",
                                       " ",
                                       "-",
                                       "$",
                                       "kg",
                                       "007",
                                       "00.5",
                                       "1,23,45",
                                       "1 2",
                                       "12-14",
                                       ">90",
                                       "1.2.3",
                                       "--5",
                                       "(5",
                                       "5)",
                                       "((5))",
                                       "1..2",
                                       "1,,234",
                                       "M5",
                                       "e5",
                                       "1e400",
                                       "0,123,4",
                                       "5 & 6",
                                       "a 5",
                                       "$$5",
                                       "1.2,3",
                                       "1,234.5.6",
                                       "12:30",
                                       "5 a b c",
                                       "1'23",
                                       "01,234",
                                       "-(5)",
                                       "5--",
                                       "1,234e5x y z"};
    hcbr_i_numeral n;
    char *copy;
    (void)unused;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (numeral_read(&n, &copy, none[i]) != 0)
            fail_msg("'%s' is no number", none[i]);
        free(copy);
    }
    // A number of 80 bytes is the longest; half a blank is no end of it.
    char wide[90];
    memset(wide, '7', sizeof wide);
    wide[80] = 0;
    assert_int_not_equal(hcbr_i_numeral_read(&n, wide, 80), 0);
    wide[80] = '7';
    assert_int_equal(hcbr_i_numeral_read(&n, wide, 81), 0);
    assert_int_equal(hcbr_i_numeral_read(&n, "5\xE2\x80", 3) & ~3U, 0);
}

static void numeral__units(void **unused) {
    static const char *const pairs[][2] = {{"1 day", "day"},
                                           {"3 Days", "day"},
                                           {"5 lbs", "lb"},
                                           {"5 lb.", "lb"},
                                           {"$5", "$"},
                                           {"5 $", "$"},
                                           {"EUR 5", "\xE2\x82\xAC"},
                                           {"5\xE2\x82\xAC", "\xE2\x82\xAC"},
                                           {"US$ 5", "us$"},
                                           {"5 USD", "usd"},
                                           {"$5/kg", "$/kg"},
                                           {"5 sq ft", "sqft"},
                                           {"5", ""},
                                           {"5k", ""},
                                           {"5 %", "%"},
                                           {"5M", ""},
                                           {"5 m", "m"}};
    (void)unused;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        hcbr_i_numeral n;
        assert_int_not_equal(hcbr_i_numeral_read(&n, pairs[i][0], strlen(pairs[i][0])), 0);
        if (n.unit.length != strlen(pairs[i][1]) ||
            memcmp(n.unit.text, pairs[i][1], n.unit.length) != 0)
            fail_msg("'%s' has the unit '%.*s'", pairs[i][0], (int)n.unit.length, n.unit.text);
    }
    char out[HCBR_I_NUMERAL_TEXT + 1];
    assert_string_equal(written(out, "5m", HCBR_I_MARK_POINT, true), "5000000");
    assert_string_equal(written(out, "5 km", HCBR_I_MARK_POINT, true), "5");
}

/** Digits with a mark between thousands. */
static void group(char *out, const char *digits, const char *mark) {
    size_t n = strlen(digits);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            strcpy(out, mark);
            out += strlen(mark);
        }
        *out++ = digits[i];
    }
    *out = 0;
}

/** A random whole part and fraction. */
static void draw_decimal(char whole[32], char fraction[16]) {
    unsigned digits = 1 + draw(12), places = draw(6);
    for (unsigned i = 0; i < digits; i++)
        whole[i] = (char)('0' + draw(10));
    whole[digits] = 0;
    if (whole[0] == '0')
        strcpy(whole, digits > 2 ? "1000" : "0");
    for (unsigned i = 0; i < places; i++)
        fraction[i] = (char)('0' + draw(10));
    fraction[places] = 0;
}

/* No plus before numbers that are grouped by blanks: they could be of a telephone. */
static void dress(char out[ROOM], const char *number, bool negative, bool blanks) {
    static const char *const before[] = {"$", "\xE2\x82\xAC ", "USD ", "US$", "\xC2\xA3", "kr "};
    static const char *const behind[] = {" kg",  "%",    " %",    " \xE2\x82\xAC",
                                         " CHF", "km/h", " days", "\xC2\xB0"};
    const char *front = "", *back = "", *minus = draw(4) ? "-" : "\xE2\x88\x92";
    if (draw(3) == 0)
        front = before[draw(6)];
    else if (draw(2))
        back = behind[draw(8)];
    if (!negative)
        snprintf(out, ROOM, "%s%s%s%s", draw(5) || blanks ? "" : "+", front, number, back);
    else if (draw(4) == 0)
        snprintf(out, ROOM, "(%s%s)", front, number);
    else if (draw(4) == 0 && *back == 0)
        snprintf(out, ROOM, "%s%s-", front, number);
    else if (draw(2))
        snprintf(out, ROOM, "%s%s%s%s", minus, front, number, back);
    else
        snprintf(out, ROOM, " %s%s%s%s\xC2\xA0", front, minus, number, back);
}

static void numeral__round_trip(void **unused) {
    static const char *const marks[] = {
        "", ",", ".", "'", " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99", "_"};
    (void)unused;
    for (int round = 0; round < 200000; round++) {
        char whole[32], fraction[16], grouped[96], number[128], text[ROOM], clean[ROOM];
        char out[HCBR_I_NUMERAL_TEXT + 1], want[ROOM], have[ROOM];
        draw_decimal(whole, fraction);
        bool comma = draw(2), negative = draw(3) == 0;
        const char *mark = marks[draw(10)];
        if (*mark == (comma ? ',' : '.'))
            mark = "";
        group(grouped, whole, mark);
        snprintf(number, sizeof number, "%s%s%s", grouped, *fraction ? (comma ? "," : ".") : "",
                 fraction);
        snprintf(clean, sizeof clean, "%s%s%s%s", negative ? "-" : "", whole, *fraction ? "." : "",
                 fraction);
        dress(text, number, negative, strcspn(mark, " \xC2\xAF\x89") < strlen(mark));
        canonical(want, clean, strlen(clean));
        written(out, text, comma ? HCBR_I_MARK_COMMA : HCBR_I_MARK_POINT, false);
        if (strcmp(out, "none") == 0)
            fail_msg("'%s' is no number", text);
        canonical(have, out, strlen(out));
        if (strcmp(have, want) != 0)
            fail_msg("'%s' is %s, expected %s", text, have, want);
    }
}

/* k, M and bn move the point: 1234567 is 1.234567M, and has all its digits. */
static void numeral__scales(void **unused) {
    static const struct {
        const char *word;
        int power;
    } scales[] = {{"k", 3},  {" K", 3},    {"M", 6}, {" million", 6},
                  {"bn", 9}, {" Mrd.", 9}, {"B", 9}};
    (void)unused;
    for (int round = 0; round < 20000; round++) {
        unsigned which = draw(7);
        uint64_t value = hcbr_i_mix(state++) >> (4 + draw(50)), unit = 1;
        char text[ROOM], want[ROOM], have[ROOM], clean[ROOM], out[HCBR_I_NUMERAL_TEXT + 1];
        for (int i = 0; i < scales[which].power; i++)
            unit *= 10;
        snprintf(text, sizeof text, "%llu.%0*llu%s", (unsigned long long)(value / unit),
                 scales[which].power, (unsigned long long)(value % unit), scales[which].word);
        snprintf(clean, sizeof clean, "%llu", (unsigned long long)value);
        canonical(want, clean, strlen(clean));
        written(out, text, HCBR_I_MARK_POINT, false);
        canonical(have, out, strlen(out));
        if (strcmp(have, want) != 0)
            fail_msg("'%s' is %s, expected %s", text, have, want);
    }
}

/* Any bytes: no read beyond them, and what is taken can be written for every reading. */
static void numeral__any_bytes(void **unused) {
    static const char alphabet[] = "0123456789.,' -+$%()kMe_\xE2\x80\xAF\x99\xC2\xA0\x82\xAC";
    (void)unused;
    for (int round = 0; round < 200000; round++) {
        char text[24], out[HCBR_I_NUMERAL_TEXT], *copy;
        size_t length = draw(20);
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[draw(sizeof alphabet - 1)];
        text[length] = 0;
        hcbr_i_numeral n;
        unsigned marks = numeral_read(&n, &copy, text);
        for (unsigned mark = 1; mark <= 2; mark++) {
            double value;
            uint8_t spelling;
            if (!(marks & mark))
                continue;
            size_t size = hcbr_i_numeral_write(out, &n, mark, false);
            assert_true(size <= HCBR_I_NUMERAL_TEXT);
            if (!hcbr_i_decimal_read(&value, &spelling, out, size))
                fail_msg("'%s' is written as '%.*s'", text, (int)size, out);
        }
        free(copy);
    }
}

int main(void) {
    state = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numeral__forms),  cmocka_unit_test(numeral__none),
        cmocka_unit_test(numeral__units),  cmocka_unit_test(numeral__round_trip),
        cmocka_unit_test(numeral__scales), cmocka_unit_test(numeral__any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
