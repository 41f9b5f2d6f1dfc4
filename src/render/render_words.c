/*
 * Sentences about results that more than one form of output has.
 */
#include "render/render.h"

#include <stdio.h>

const char *hcbr_decision_turned(const hcbr_decision *decision) {
    if (decision->winner < 0 || decision->label == decision->winner)
        return NULL;
    switch (decision->reason) {
    case HCBR_BY_MEMORY:
        return "but identical past cases were decided otherwise";
    case HCBR_BY_LEAST:
        return "but it does not pass its threshold (eta)";
    case HCBR_BY_SHARE:
        return "but its share does not pass its threshold (eta-share)";
    case HCBR_BY_CUT:
        return "but the score is not on its side of the threshold that tune chose";
    case HCBR_BY_COST:
        return "but another answer is expected to cost less";
    default:
        return "but the rule decides otherwise";
    }
}

void hcbr_flips_not_found(const hcbr_flips *flips, char text[HCBR_NOT_FOUND_SIZE]) {
    hcbr_flips f = {.size = sizeof f};
    hcbr_i_take_in(&f, sizeof f, flips);
    const char *limit = f.limited ? ", option flip_limit" : "";
    const char *within = f.bounded ? " of what may change" : "";
    unsigned long long tried = f.tried;
    if (f.nothing_known)
        snprintf(text, HCBR_NOT_FOUND_SIZE, "nothing of the case is known: no changes were tried");
    else if (f.exhaustive)
        snprintf(text, HCBR_NOT_FOUND_SIZE, "no change%s leads to another answer",
                 f.bounded ? within : " of features");
    else if (f.searched == 0)
        snprintf(text, HCBR_NOT_FOUND_SIZE,
                 "no other answer was found; not every change%s was tried (%llu sets of changes%s)",
                 within, tried, limit);
    else
        snprintf(
            text, HCBR_NOT_FOUND_SIZE,
            "no other answer was found: none with up to %zu change%s%s, and of larger sets not "
            "all were tried (%llu sets of changes%s)",
            f.searched, f.searched == 1 ? "" : "s", within, tried, limit);
}
