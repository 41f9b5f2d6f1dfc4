/**
 * @file text.h
 * Text from outside, made safe for display.
 */
#ifndef HCBR_TEXT_H
#define HCBR_TEXT_H

#include <hcbr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How much of a text can be shown on a terminal or a page unchanged.
 *
 * Names, values, labels and ids may hold any character but NUL, and names of files any byte. Some
 * would change the display: they move the cursor, break the line, reverse the direction of the
 * following text, or are invisible. These are control characters (U+0000 to U+001F, U+007F to
 * U+009F), marks and turns of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 * U+2069), line separators (U+2028, U+2029), other invisible format characters (U+180E, the space
 * without width U+200B, U+2060 to U+206F, U+FEFF, U+FFF0 to U+FFFB, U+1BCA0 to U+1BCA3, U+1D173 to
 * U+1D17A), tags and the code points reserved with them (U+E0000 to U+E00FF, U+E01F0 to U+E0FFF),
 * noncharacters, and bytes that are not UTF-8. Joiners, soft hyphens and variation selectors belong
 * to the spelling of words and are shown.
 *
 * @return the number of bytes before the first such character; length if there is none.
 *
 * Cost: one pass. Threads: any.
 */
HCBR_API size_t hcbr_text_plain(const char *text, size_t length);

/**
 * The character at the start of a text.
 *
 * @param text   at least one byte.
 * @param length of the text.
 * @param used   receives its length in bytes, 1 for invalid UTF-8.
 * @return its code point, or -1 for invalid UTF-8.
 *
 * Threads: any.
 */
HCBR_API int32_t hcbr_text_code(const char *text, size_t length, size_t *used);

/**
 * The escape of a byte that cannot be shown unchanged: \\t \\n \\r \\\\ or \\xNN.
 *
 * @param text receives the escape, without a NUL.
 * @return its length, 2 or 4.
 *
 * Threads: any.
 */
HCBR_API size_t hcbr_text_escape(char text[4], char byte);

/**
 * Whether a label is named unknown, perhaps between quotes, as many on both sides. Show it in one
 * more pair of quotes, so that unknown alone always means that there is no label.
 *
 * Threads: any.
 */
HCBR_API int hcbr_text_is_unknown(const char *name, size_t length);

/**
 * Whether a name is near enough to the requested one to be a suggestion: it differs only in the
 * case of letters, or by few letters added, removed, changed or swapped.
 *
 * @param asked  the requested name.
 * @param name   an existing name.
 * @param least  the fewest edits of names before it; start with HCBR_TEXT_FAR. Receives those of
 *               this name if it is nearer.
 * @return 1 if it is near, and nearer than those before it; else 0.
 *
 * Cost: the product of the lengths; names of more than 64 bytes are near only if they differ in the
 * case of letters alone. Threads: any.
 */
HCBR_API int hcbr_text_near(const char *asked, size_t asked_length, const char *name,
                            size_t name_length, unsigned *least);
#define HCBR_TEXT_FAR 99u

/** Whether two texts are equal except for the case of their letters (of any script, by simple
 *  folding of single characters). Threads: any. */
HCBR_API int hcbr_text_same_folded(const char *a, size_t a_length, const char *b, size_t b_length);

#ifdef __cplusplus
}
#endif

#endif
