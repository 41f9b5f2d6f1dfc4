/**
 * @file rounds.h
 * How much of a long test is run: all of it as released; under a sanitizer, which takes five to ten
 * times as long and sees in the first rounds what it would see in all, a third. HCBR_LONG=1: all.
 * What must be met in so many rounds ("more than 30 were refused") is counted likewise.
 */
#ifndef HCBR_TESTS_ROUNDS_H
#define HCBR_TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Does a sanitizer look at this build? */
static inline bool test_sanitized(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

/** Of this many rounds, those that are run. */
static inline unsigned test_rounds(unsigned all) {
    const char *around = getenv("HCBR_LONG");
    bool whole = !test_sanitized() || (around && strcmp(around, "1") == 0);
    return whole ? all : (all + 2) / 3;
}

#endif
