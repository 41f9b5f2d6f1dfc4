/*
 * The name that was meant by one that is not there.
 */
#include "read/parse.h"

#include <hcbr/text.h>

#include <stdio.h>

void hcbr_i_suggest(hcbr_i_suggestion *s, hcbr_i_text name) {
    unsigned least = s->best.at != NULL ? s->least : HCBR_TEXT_FAR;
    if (!hcbr_text_near(s->wanted.at, s->wanted.length, name.at, name.length, &least))
        return;
    s->best = name;
    s->least = least;
}

const char *hcbr_i_suggestion_text(char text[HCBR_I_SUGGESTED], const hcbr_i_suggestion *s) {
    char quoted[200];
    text[0] = '\0';
    if (s->best.at != NULL)
        snprintf(text, HCBR_I_SUGGESTED, "; did you mean %s?",
                 hcbr_i_quote(quoted, s->best.at, s->best.length));
    return text;
}
