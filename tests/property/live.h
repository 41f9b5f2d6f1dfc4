/**
 * @file live.h
 * The number of memory blocks that the library holds: shows a leak of a failed call at once, with
 * and without a sanitizer.
 */
#ifndef HCBR_TESTS_LIVE_H
#define HCBR_TESTS_LIVE_H

#include <stdint.h>

/** Count from now on; before the library allocates anything. Fails the test if that fails. */
void live_begin(void);
/** Blocks held now. */
uint64_t live_blocks(void);

#endif
