/*
 * The name that was meant by one that is not there: the nearest by single edits.
 *
 * Invariant: of names that are equally near the first is given, so that a message does not depend
 * on the order of a table.
 */
#include "read/parse.h"

#include <stdio.h>

#define MOST 40 /* bytes of a name that is compared */

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/** Bytes to add, remove or change, or neighbours to swap, from one name to the other. */
static size_t distance(hcbr_i_text from, hcbr_i_text to) {
    size_t rows[3][MOST + 1];

    if (from.length > MOST || to.length > MOST)
        return MOST;
    for (size_t j = 0; j <= to.length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= from.length; i++) {
        size_t *now = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= to.length; j++) {
            const char a = fold(from.at[i - 1]), b = fold(to.at[j - 1]);
            size_t best = last[j - 1] + (a != b);

            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a == fold(to.at[j - 2]) && fold(from.at[i - 2]) == b &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[from.length % 3][to.length];
}

void hcbr_i_suggest(hcbr_i_suggestion *s, hcbr_i_text name) {
    size_t d;

    if (s->wanted.length < 3)
        return; // any name is near to it
    d = distance(s->wanted, name);
    if (d > 1 + s->wanted.length / 4 || (s->best.at != NULL && d >= s->least))
        return;
    s->best = name;
    s->least = d;
}

const char *hcbr_i_suggestion_text(char text[HCBR_I_SUGGESTED], const hcbr_i_suggestion *s) {
    char quoted[200];

    text[0] = '\0';
    if (s->best.at != NULL)
        snprintf(text, HCBR_I_SUGGESTED, "; did you mean %s?",
                 hcbr_i_quote(quoted, s->best.at, s->best.length));
    return text;
}
