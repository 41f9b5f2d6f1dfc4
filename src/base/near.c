/*
 * Suggestions: the name that was probably meant by an unknown one.
 *
 * Letters are compared without case. Of several names the first with the fewest edits is the
 * nearest, so that a suggestion depends on nothing but the order of the names.
 */
#include "base/base.h"

#include <hcbr/text.h>

#include <utf8proc.h>

#define LONGEST 64 /* bytes of a name that is compared */

/** The next character without case; a byte that is not UTF-8 is returned unchanged. */
static int32_t next_folded(const char *text, size_t length, size_t *used) {
    int32_t code = hcbr_text_code(text, length, used);

    if (code < 0)
        return -1 - (int32_t)(unsigned char)*text;
    return utf8proc_tolower(utf8proc_toupper(code)); // both, for letters of two small forms
}

int hcbr_text_same_folded(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t i = 0, j = 0, n, m;

    for (; i < a_length && j < b_length; i += n, j += m)
        if (next_folded(a + i, a_length - i, &n) != next_folded(b + j, b_length - j, &m))
            return 0;
    return i == a_length && j == b_length;
}

/** The characters of a name of at most LONGEST bytes. */
static size_t take_folded(int32_t *to, const char *text, size_t length) {
    size_t count = 0, used;

    for (size_t i = 0; i < length; i += used)
        to[count++] = next_folded(text + i, length - i, &used);
    return count;
}

/** The number of characters added, removed, changed, or swapped with the next one, between two
 *  names. */
static unsigned edits(const int32_t *from, size_t n, const int32_t *to, size_t m) {
    unsigned row[3][LONGEST + 1];

    for (unsigned j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = last[j - 1] + (from[i - 1] != to[j - 1]);

            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

int hcbr_text_near(const char *asked, size_t asked_length, const char *name, size_t name_length,
                   unsigned *least) {
    int32_t from[LONGEST], to[LONGEST];
    size_t n, m;
    unsigned d = HCBR_TEXT_FAR;

    if (hcbr_text_same_folded(asked, asked_length, name, name_length)) {
        d = 0;
    } else if (asked_length <= LONGEST && name_length <= LONGEST) {
        n = take_folded(from, asked, asked_length);
        m = take_folded(to, name, name_length);
        d = edits(from, n, to, m);
        if (d > 1 + m / 4 || d >= n || d >= m) // too little of a short name would be left
            return 0;
    }
    if (d >= *least)
        return 0;
    *least = d;
    return 1;
}
