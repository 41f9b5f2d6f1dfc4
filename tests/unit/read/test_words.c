// hcbr_words_split(): ASCII against naive code that was written for this test alone, what Unicode
// folds by examples, any bytes, and callers that stop it. tests/cli/test_words.py goes over all
// letters.
#include "base/base.h"
#include "seed.h"

#include <hcbr/cases.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct words {
    char text[20000]; /* each word with a bar behind it */
    size_t size;
    int left; /* words that are taken; below 0: all */
} words;

static int add(void *to, const char *word, size_t length) {
    words *w = to;
    if (w->left == 0)
        return 17;
    w->left--;
    assert_true(length > 0);
    assert_int_equal(hcbr_i_utf8_check(word, length), length);
    assert_true(w->size + length + 1 < sizeof w->text);
    memcpy(w->text + w->size, word, length);
    w->size += length;
    w->text[w->size++] = '|';
    w->text[w->size] = 0;
    return 0;
}

static const char *split(words *w, const char *text, size_t length) {
    *w = (words){.left = -1};
    assert_int_equal(hcbr_words_split(NULL, text, length, add, w), 0);
    return w->text;
}

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Runs of letters, digits and _ with single apostrophes inside; _ alone is no word. */
static void naive(words *w, const char *text, size_t length) {
    *w = (words){.left = -1};
    for (size_t at = 0; at < length;) {
        char word[512];
        size_t size = 0;
        bool any = false;
        for (; at < length; at++) {
            bool inside = text[at] == '\'' && size > 0 && is_part(text[at - 1]) &&
                          at + 1 < length && is_part(text[at + 1]);
            if (!is_part(text[at]) && !inside)
                break;
            any |= isalnum((unsigned char)text[at]) != 0;
            word[size++] = (char)tolower((unsigned char)text[at]);
        }
        if (any)
            add(w, word, size);
        at += size == 0;
    }
}

static void words__of_ascii_are_the_naive_ones(void **state) {
    (void)state;
    static const char LETTERS[] = "aZ09__''' .-\t";
    uint64_t seed = test_seed_fresh();
    static words got, expected;
    for (int round = 0; round < 4000; round++) {
        char text[64];
        size_t length = (size_t)(hcbr_i_mix(seed++) % sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = LETTERS[hcbr_i_mix(seed++) % (sizeof LETTERS - 1)];
        naive(&expected, text, length);
        assert_string_equal(split(&got, text, length), expected.text);
    }
}

static void words__are_folded_as_unicode_says(void **state) {
    (void)state;
    static words w;
    static const char *const EXAMPLES[][2] = {
        {"", ""},
        {"  \t\n", ""},
        {"Hello, World", "hello|world|"},
        {"na\xC3\xAFve NAI\xCC\x88VE", "na\xC3\xAFve|na\xC3\xAFve|"},
        {"rock'n'roll \xE2\x80\x99tis", "rock'n'roll|tis|"},
        {"don\xE2\x80\x99t", "don't|"},
        {"Stra\xC3\x9F\x65", "strasse|"},
        {"\xEF\xBC\xA1\xEF\xBC\xA2", "ab|"},
        {"\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82!",
         "\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82|"},
        {"co\xC2\xADop", "coop|"}, // a soft hyphen
        {"_ __ _a", "_a|"},
        {"\xE2\x80\xBF _\xE2\x80\xBF_ \xCC\x81 a", "a|"}, // connectors and marks make no word
        {"2\xC2\xBD", "21|2|"}, // the fraction's stroke is no part of a word
    };
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++)
        assert_string_equal(split(&w, EXAMPLES[i][0], strlen(EXAMPLES[i][0])), EXAMPLES[i][1]);
}

static void words__come_out_of_any_bytes(void **state) {
    (void)state;
    uint64_t seed = test_seed_fresh();
    static words w;
    for (int round = 0; round < 4000; round++) {
        char text[48];
        size_t length = (size_t)(hcbr_i_mix(seed++) % sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = (char)(hcbr_i_mix(seed++) % 3 ? hcbr_i_mix(seed++) : 'a');
        split(&w, text, length); // add() looks at each of them
    }
    assert_string_equal(split(&w,
                              "a\xFF"
                              "b\xC3",
                              4),
                        "a|b|");
}

static void words__of_more_than_4096_bytes_are_cut(void **state) {
    (void)state;
    static words w;
    static char text[5000];
    memset(text, 'x', sizeof text);
    split(&w, text, sizeof text);
    assert_int_equal(w.size, sizeof text + 2);
    assert_int_equal(w.text[4096], '|');
}

static void words__stop_where_the_caller_stops(void **state) {
    (void)state;
    static const char TEXT[] = "one two \xC3\xA4";
    for (int taken = 0; taken < 3; taken++) {
        words w = {.left = taken};
        assert_int_equal(hcbr_words_split(NULL, TEXT, strlen(TEXT), add, &w), 17);
        assert_int_equal(w.left, 0);
    }
    words w = {.left = 3};
    assert_int_equal(hcbr_words_split(NULL, TEXT, strlen(TEXT), add, &w), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words__of_ascii_are_the_naive_ones),
        cmocka_unit_test(words__are_folded_as_unicode_says),
        cmocka_unit_test(words__come_out_of_any_bytes),
        cmocka_unit_test(words__of_more_than_4096_bytes_are_cut),
        cmocka_unit_test(words__stop_where_the_caller_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
