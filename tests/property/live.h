/**
 * @file live.h
 * How many blocks of memory the library holds: what a call that failed has not released shows at
 * once, with and without a sanitizer.
 */
#ifndef HCBR_TESTS_LIVE_H
#define HCBR_TESTS_LIVE_H

#include <stdint.h>

/** Count from now on; before the library allocates anything. Fails the test if that fails. */
void live_begin(void);
/** Blocks that are held. */
uint64_t live_blocks(void);

#endif
