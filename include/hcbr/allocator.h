/**
 * @file allocator.h
 * The source of the library's memory.
 */
#ifndef HCBR_ALLOCATOR_H
#define HCBR_ALLOCATOR_H

#include <hcbr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Functions that allocate and release memory. Several threads may call them at once.
 *
 * They behave as malloc(), realloc() and free(): blocks are aligned for any type, NULL means out of
 * memory, and a block that cannot be resized stays as it is. They are never called for 0 bytes, or
 * to release NULL. They must not call the library.
 */
typedef struct hcbr_allocator {
    size_t size;
    void *(*allocate)(void *context, size_t bytes);
    void *(*resize)(void *context, void *block, size_t bytes); /**< block NULL: a new one */
    void (*release)(void *context, void *block);
    void *context; /**< passed to all of them; may be NULL */
} hcbr_allocator;

/**
 * Set the allocator of the whole library, once, before it allocates anything.
 *
 * Every block of the library then comes from it, including those of zlib. Other allocations do not:
 * those of zstd (its stable interface has no allocator), stacks of threads, and qsort() of the C
 * library. Large pages, which the library requests by default, are then left to the allocator.
 *
 * @param allocator copied; the memory at `context` must stay until the process ends.
 * @param err       receives the reason of a failure; may be NULL.
 * @return HCBR_OK, or HCBR_EUSAGE: a function is missing, an allocator was set before, or the
 *         library has allocated memory already. Then nothing changes.
 *
 * Threads: any. Of two concurrent calls one is refused.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_set_allocator(const hcbr_allocator *allocator,
                                                        hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
