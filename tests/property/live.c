/*
 * An allocator that counts the blocks it has given and not got back.
 */
#include "live.h"

#include <hcbr/allocator.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static atomic_uint_fast64_t held;

static void *allocate(void *context, size_t bytes) {
    void *block = malloc(bytes);
    (void)context;
    atomic_fetch_add(&held, block != NULL);
    return block;
}

static void *resize(void *context, void *block, size_t bytes) {
    void *larger = realloc(block, bytes);
    (void)context;
    atomic_fetch_add(&held, larger && !block);
    return larger;
}

static void release(void *context, void *block) {
    (void)context;
    free(block);
    atomic_fetch_sub(&held, 1);
}

void live_begin(void) {
    const hcbr_allocator counting = {
        .size = sizeof counting, .allocate = allocate, .resize = resize, .release = release};
    assert_int_equal(hcbr_set_allocator(&counting, NULL), HCBR_OK);
}

uint64_t live_blocks(void) {
    return atomic_load(&held);
}
