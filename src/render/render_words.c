/*
 * Sentences about results that more than one form of output has.
 */
#include "render/render.h"

#include <hcbr/words.h>

#include <stdio.h>

const char *hcbr_i_reason_word(hcbr_reason reason) {
    const unsigned all = HCBR_WORD_BY_OTHER - HCBR_WORD_BY_SUPPORT;
    return hcbr_word_get((unsigned)reason < all ? HCBR_WORD_BY_SUPPORT + (unsigned)reason
                                                : HCBR_WORD_BY_OTHER);
}

const char *hcbr_i_decision_turned(const hcbr_decision *d) {
    if (d->winner < 0 || d->label == d->winner)
        return NULL;
    switch (d->reason) {
    case HCBR_BY_MEMORY:
        return hcbr_word_get(HCBR_WORD_TURNED_MEMORY);
    case HCBR_BY_LEAST:
        return hcbr_word_get(HCBR_WORD_TURNED_LEAST);
    case HCBR_BY_SHARE:
        return hcbr_word_get(HCBR_WORD_TURNED_SHARE);
    case HCBR_BY_CUT:
        return hcbr_word_get(HCBR_WORD_TURNED_CUT);
    case HCBR_BY_COST:
        return hcbr_word_get(HCBR_WORD_TURNED_COST);
    default:
        return hcbr_word_get(HCBR_WORD_TURNED_OTHER);
    }
}

void hcbr_i_word_fill(char *to, size_t size, hcbr_word word, const char *const *parts,
                      size_t count) {
    size_t used = 0;
    for (const char *at = hcbr_word_get(word); *at && used + 1 < size;) {
        const bool mark = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}' &&
                          (size_t)(at[1] - '0') < count;
        const char *text = mark ? parts[at[1] - '0'] : at;
        size_t length = mark ? strlen(text) : 1;
        length = length < size - used - 1 ? length : size - used - 1;
        memcpy(to + used, text, length);
        used += length;
        at += mark ? 3 : 1;
    }
    to[used] = '\0';
}

void hcbr_i_flips_not_found(const hcbr_flips *f, char text[HCBR_I_NOT_FOUND_SIZE]) {
    char searched[24], tried[24];
    snprintf(searched, sizeof searched, "%zu", f->searched);
    snprintf(tried, sizeof tried, "%llu", (unsigned long long)f->tried);
    const char *const parts[] = {searched, f->bounded ? hcbr_word_get(HCBR_WORD_OF_WHAT_MAY) : "",
                                 tried, f->limited ? hcbr_word_get(HCBR_WORD_FLIP_LIMIT) : ""};
    const hcbr_word word = f->nothing_known ? HCBR_WORD_FLIP_NOTHING_KNOWN
                           : f->exhaustive
                               ? f->bounded ? HCBR_WORD_FLIP_NONE_BOUNDED : HCBR_WORD_FLIP_NONE
                           : f->searched == 0 ? HCBR_WORD_FLIP_NOT_ALL
                           : f->searched == 1 ? HCBR_WORD_FLIP_NOT_UP_TO_ONE
                                              : HCBR_WORD_FLIP_NOT_UP_TO;
    hcbr_i_word_fill(text, HCBR_I_NOT_FOUND_SIZE, word, parts, 4);
}
