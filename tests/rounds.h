/**
 * @file rounds.h
 * The number of rounds of a long test: all in a release build; a third under a sanitizer, which
 * takes five to ten times as long and finds most in the first rounds. HCBR_LONG=1: all. Counts
 * expected in these rounds ("more than 30 were refused") are scaled likewise.
 */
#ifndef HCBR_TESTS_ROUNDS_H
#define HCBR_TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Whether this build has a sanitizer. */
static inline bool test_sanitized(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

/** The rounds to run out of `all`. */
static inline unsigned test_rounds(unsigned all) {
    const char *around = getenv("HCBR_LONG");
    bool whole = !test_sanitized() || (around && strcmp(around, "1") == 0);
    return whole ? all : (all + 2) / 3;
}

#endif
