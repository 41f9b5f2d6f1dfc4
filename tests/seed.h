/**
 * @file seed.h
 * The seed of a random test: HCBR_SEED around the program, else one of the test or of the clock. It
 * is printed, so that a run can be repeated. Nothing else in the tests takes a seed from the clock.
 */
#ifndef HCBR_TESTS_SEED_H
#define HCBR_TESTS_SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/** HCBR_SEED, else this one. */
static inline uint64_t test_seed(uint64_t otherwise) {
    const char *around = getenv("HCBR_SEED");
    uint64_t seed = around ? strtoull(around, NULL, 10) : otherwise;
    printf("seed %llu (HCBR_SEED repeats it)\n", (unsigned long long)seed);
    fflush(stdout); // also if the test crashes
    return seed;
}

/** HCBR_SEED, else a new one at each run. */
static inline uint64_t test_seed_fresh(void) {
    return test_seed((uint64_t)time(NULL));
}

#endif
