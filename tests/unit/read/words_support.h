// Words for tests: runs of ASCII letters, digits and bytes beyond ASCII; letters in lower case.
#ifndef HCBR_TEST_WORDS_SUPPORT_H
#define HCBR_TEST_WORDS_SUPPORT_H

#include <hcbr/cases.h>

#include <ctype.h>
#include <stdlib.h>

/** Is the byte part of a word? */
static inline bool test_word_byte(char c) {
    return (unsigned char)c >= 0x80 || isalnum((unsigned char)c);
}

/** An hcbr_words_fn. */
static inline int test_words(void *context, const char *from, size_t length, hcbr_word_fn *add,
                             void *to) {
    (void)context;
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && test_word_byte(from[end]))
            end++;
        if (end == at) {
            at++;
            continue;
        }
        char *word = malloc(end - at);
        if (word == NULL)
            return -1;
        for (size_t i = at; i < end; i++)
            word[i - at] =
                (unsigned char)from[i] < 0x80 ? (char)tolower((unsigned char)from[i]) : from[i];
        int code = add(to, word, end - at);
        free(word);
        if (code != 0)
            return code;
        at = end;
    }
    return 0;
}

#endif
