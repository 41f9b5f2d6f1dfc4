/** @file tune_support.h  What the tests of src/tune share: random numbers, closeness. */
#ifndef HCBR_TEST_TUNE_SUPPORT_H
#define HCBR_TEST_TUNE_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "seed.h"

#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

static uint64_t random_state;

/** Begin a random test: HCBR_SEED, or the seed of the test. */
static inline void start(const char *name, uint64_t seed) {
    printf("%s: ", name);
    random_state = test_seed(seed);
}

static inline uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 11;
}

#endif
