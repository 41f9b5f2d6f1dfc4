/*
 * Texts into words, in any language. docs/INPUT.md defines words.
 *
 * Most words of most texts are ASCII: they are found and folded by two tables. A run with any other
 * character goes through Unicode's properties. Invariant: both ways give the same words for the
 * same run, and no run needs more memory than there is on the stack.
 */
#include "read/read.h"

#include <utf8proc.h>

enum { MOST_RUN = 4096, USUAL_RUN = 64 }; /* bytes */

/** Room for a folded run: no character becomes more than six for each of its bytes. */
#define POINTS(bytes) (6 * (bytes) + 16)

/** The role of a character in a word. */
typedef enum kind {
    OUTSIDE = 0,
    WORD,   /**< letter or number */
    JOINER, /**< mark or connector: belongs to a run, makes no word by itself */
    INSIDE  /**< apostrophe, format: only between two of the others */
} kind;

/** The byte of a run after folding; 0 if it is not part of a run or not ASCII. */
static const char folded_byte[256] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5', ['6'] = '6',
    ['7'] = '7', ['8'] = '8', ['9'] = '9', ['_'] = '_', ['A'] = 'a', ['B'] = 'b', ['C'] = 'c',
    ['D'] = 'd', ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j',
    ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q',
    ['R'] = 'r', ['S'] = 's', ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x',
    ['Y'] = 'y', ['Z'] = 'z', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e',
    ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j', ['k'] = 'k', ['l'] = 'l',
    ['m'] = 'm', ['n'] = 'n', ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's',
    ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y', ['z'] = 'z'};

static inline char fold_byte(char c) {
    return folded_byte[(unsigned char)c];
}

static inline bool is_beyond(char c) {
    return (unsigned char)c >= 0x80;
}

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

/** The character at `at` and its bytes; invalid UTF-8 is outside of words. */
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
        i += i < count; // the end of the word
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

/** A run longer than a word may be. */
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

/**
 * Fold the ASCII that begins at `at` into `folded` until the run ends or may not be ASCII.
 *
 * @param any    receives whether there is a letter or number among it.
 * @param beyond receives whether a character follows that only Unicode knows.
 * @return its end; as many bytes were folded.
 */
static inline const char *fold_ascii(const char *at, const char *end, char folded[MOST_RUN],
                                     bool *any, bool *beyond) {
    const char *most = end - at > MOST_RUN ? at + MOST_RUN : end;
    char *to = folded, c, other = 0;
    for (;; at++) {
        for (; at < most && (c = fold_byte(*at)) != 0; at++) {
            *to++ = c;
            other |= c ^ '_';
        }
        *beyond = at < most && is_beyond(*at);
        if (at + 1 >= most || *at != '\'' || to == folded)
            break;
        *beyond = is_beyond(at[1]);
        if (fold_byte(at[1]) == 0)
            break;
        *to++ = '\'';
    }
    *any = other != 0;
    return at;
}

size_t hcbr_i_words_run(const char *text, size_t length) {
    size_t bytes;
    return length > 0 && is_part(look(text, text + length, &bytes))
               ? (size_t)(run_end(text, text + length) - text)
               : 0;
}

int hcbr_words_split(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to) {
    const char *at = text, *end = text + length;
    char folded[MOST_RUN];
    (void)context;
    for (;;) {
        while (at < end && fold_byte(*at) == 0 && !is_beyond(*at))
            at++;
        if (at == end)
            return 0;
        bool any, beyond;
        const char *run = at;
        int code = 0;
        at = fold_ascii(run, end, folded, &any, &beyond);
        if (beyond)
            code = cut_any(run, end, &at, add, to);
        else if (any)
            code = add(to, folded, (size_t)(at - run));
        if (code != 0)
            return code;
    }
}
