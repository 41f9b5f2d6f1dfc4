/**
 * @file words.h
 * Texts into words, for texts of any language: what the library asks for and does not have.
 */
#ifndef HCBR_CLI_WORDS_H
#define HCBR_CLI_WORDS_H

#include <hcbr/cases.h>

/**
 * An hcbr_words_fn; it needs no context.
 *
 * A word is a run of letters, marks, numbers and connecting punctuation (`_`), with single
 * apostrophes or format characters inside. It is folded (NFKC, case, without ignorable characters,
 * every apostrophe a `'`), and cut again where folding brought other characters in. A run without a
 * letter and without a number is no word; one of more than 4096 bytes is cut there.
 */
int words_cut(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to);

#endif
