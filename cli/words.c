/*
 * Texts into words. docs/INPUT.md says what a word is.
 *
 * Most words of most texts are ASCII: they are found and folded by two tables. A run with any other
 * character goes through Unicode's properties. Invariant: both ways give the same words for the
 * same run, and no run needs more memory than stands on the stack.
 */
#include "words.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

enum { MOST_RUN = 4096, USUAL_RUN = 64 }; /* bytes */

/** Room for a folded run: no character becomes more than six for each of its bytes. */
#define POINTS(bytes) (6 * (bytes) + 16)

/** What a character does for a word. */
typedef enum kind {
    OUTSIDE = 0,
    WORD,   /**< letter or number */
    JOINER, /**< mark or connector: belongs to a run, makes no word by itself */
    INSIDE, /**< apostrophe, format: only between two of the others */
    BEYOND  /**< first byte of a character that is not ASCII */
} kind;

#define O4 OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE
#define O16 O4, O4, O4, O4
#define W4 WORD, WORD, WORD, WORD
#define B4 BEYOND, BEYOND, BEYOND, BEYOND
#define B16 B4, B4, B4, B4

static const uint8_t kind_of_byte[256] = {
    O16,     O16,                                             // control characters
    O4,      OUTSIDE, OUTSIDE, OUTSIDE, INSIDE,  O4,      O4, // up to /
    W4,      W4,      WORD,    WORD,    OUTSIDE, OUTSIDE, O4, // digits
    OUTSIDE, WORD,    WORD,    WORD,    W4,      W4,      W4, // @ to O
    W4,      W4,      WORD,    WORD,    WORD,    OUTSIDE, OUTSIDE, OUTSIDE,
    OUTSIDE, JOINER,                                          // P to _
    OUTSIDE, WORD,    WORD,    WORD,    W4,      W4,      W4, // ` to o
    W4,      W4,      WORD,    WORD,    WORD,    OUTSIDE, OUTSIDE, OUTSIDE,
    OUTSIDE, OUTSIDE, // p to DEL
    B16,     B16,     B16,     B16,     B16,     B16,     B16,     B16};

static kind kind_of_point(utf8proc_int32_t point) {
    if (point == '\'' || point == 0x2019)
        return INSIDE;
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return WORD;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_PC:
        return JOINER;
    case UTF8PROC_CATEGORY_CF:
        return INSIDE;
    default:
        return OUTSIDE;
    }
}

static inline bool is_part(kind k) {
    return k == WORD || k == JOINER;
}

/* ---- any run --------------------------------------------------------------------------------- */

/** The character at `at` and its bytes; one that is no UTF-8 stands outside of words. */
static kind look(const char *at, const char *end, size_t *bytes) {
    utf8proc_int32_t point;
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)at, (utf8proc_ssize_t)(end - at), &point);
    *bytes = n > 0 ? (size_t)n : 1;
    return n > 0 ? kind_of_point(point) : OUTSIDE;
}

/** Where the run that begins with a part at `at` ends. */
static const char *run_end(const char *at, const char *end) {
    const char *start = at;
    size_t bytes, next;
    while (at < end) {
        kind k = look(at, end, &bytes);
        if (k == INSIDE && at + bytes < end && is_part(look(at + bytes, end, &next)))
            bytes += next;
        else if (!is_part(k))
            break;
        if ((size_t)(at - start) + bytes > MOST_RUN)
            break;
        at += bytes;
    }
    return at;
}

/** Give the words among folded characters; bytes: room for four of each. */
static int add_folded(const utf8proc_int32_t *points, size_t count, char *bytes, hcbr_word_fn *add,
                      void *to) {
    for (size_t i = 0; i < count;) {
        bool any = false;
        size_t size = 0;
        for (; i < count; i++) {
            kind k = kind_of_point(points[i]);
            bool inside = points[i] == '\'' && size > 0 && i + 1 < count &&
                          is_part(kind_of_point(points[i + 1]));
            if (!is_part(k) && !inside)
                break;
            any |= k == WORD;
            size += (size_t)utf8proc_encode_char(points[i], (utf8proc_uint8_t *)bytes + size);
        }
        i += i < count; // what ended the word
        int code = any ? add(to, bytes, size) : 0;
        if (code != 0)
            return code;
    }
    return 0;
}

/** Fold a run of at most `most` bytes into points, room for POINTS(most), and give its words. */
static int fold_run(const char *run, size_t length, size_t most, utf8proc_int32_t *points,
                    char *bytes, hcbr_word_fn *add, void *to) {
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_ssize_t room = (utf8proc_ssize_t)POINTS(most);
    utf8proc_ssize_t count = utf8proc_decompose((const utf8proc_uint8_t *)run,
                                                (utf8proc_ssize_t)length, points, room, options);
    if (count < 0 || count > room)
        return -1;
    count = utf8proc_normalize_utf32(points, count, options);
    for (utf8proc_ssize_t i = 0; i < count; i++)
        if (points[i] == 0x2019)
            points[i] = '\'';
    return count < 0 ? -1 : add_folded(points, (size_t)count, bytes, add, to);
}

/** A run longer than words are. */
static int add_long(const char *run, size_t length, hcbr_word_fn *add, void *to) {
    utf8proc_int32_t points[POINTS(MOST_RUN)];
    char bytes[4 * POINTS(MOST_RUN)];
    return fold_run(run, length, MOST_RUN, points, bytes, add, to);
}

/** Fold a run and give its words. */
static int add_run(const char *run, size_t length, hcbr_word_fn *add, void *to) {
    utf8proc_int32_t points[POINTS(USUAL_RUN)];
    char bytes[4 * POINTS(USUAL_RUN)];
    if (length > USUAL_RUN)
        return add_long(run, length, add, to);
    return fold_run(run, length, USUAL_RUN, points, bytes, add, to);
}

/** The run at `at`, in which there are other characters than ASCII; *next is its end. */
static int cut_any(const char *at, const char *end, const char **next, hcbr_word_fn *add,
                   void *to) {
    size_t bytes;
    if (!is_part(look(at, end, &bytes))) {
        *next = at + bytes;
        return 0;
    }
    *next = run_end(at, end);
    return add_run(at, (size_t)(*next - at), add, to);
}

/* ---- runs of ASCII --------------------------------------------------------------------------- */

static int add_ascii(const char *run, size_t length, hcbr_word_fn *add, void *to) {
    char folded[MOST_RUN];
    for (size_t i = 0; i < length; i++) {
        char c = run[i];
        folded[i] = (char)(c + ((unsigned char)(c - 'A') < 26 ? 'a' - 'A' : 0));
    }
    return add(to, folded, length);
}

int words_cut(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to) {
    const char *at = text, *end = text + length;
    (void)context;
    while (at < end) {
        kind k = (kind)kind_of_byte[(unsigned char)*at];
        if (k == OUTSIDE || k == INSIDE) {
            at++;
            continue;
        }
        const char *run = at, *most = end - at > MOST_RUN ? at + MOST_RUN : end;
        bool any = false;
        for (; at < most; at++) {
            k = (kind)kind_of_byte[(unsigned char)*at];
            if (k == INSIDE && at + 1 < most) {
                kind after = (kind)kind_of_byte[(unsigned char)at[1]];
                if (!is_part(after) && after != BEYOND)
                    break;
                k = after == BEYOND ? BEYOND : k;
            }
            if (k == OUTSIDE || k == BEYOND || (k == INSIDE && at + 1 == most))
                break;
            any |= k == WORD;
        }
        int code = 0;
        if (at < end && k == BEYOND)
            code = cut_any(run, end, &at, add, to);
        else if (any)
            code = add_ascii(run, (size_t)(at - run), add, to);
        if (code != 0)
            return code;
    }
    return 0;
}
