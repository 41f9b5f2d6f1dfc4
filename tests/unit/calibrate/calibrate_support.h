/** @file calibrate_support.h  What the tests of calibrate/ share: random numbers, closeness. */
#ifndef HCBR_TEST_CALIBRATE_SUPPORT_H
#define HCBR_TEST_CALIBRATE_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

static uint64_t random_state;

/** Begin a random test: HCBR_SEED, or the seed of the test. */
static inline void start(const char *name, uint64_t seed) {
    const char *given = getenv("HCBR_SEED");
    random_state = given ? strtoull(given, NULL, 10) : seed;
    printf("%s: seed %llu\n", name, (unsigned long long)random_state);
}

static inline uint64_t next_random(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 11;
}

#endif
