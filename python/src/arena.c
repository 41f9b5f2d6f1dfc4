/*
 * Memory that is released together: texts and descriptions that live as long as a table.
 *
 * A block never moves, so that pointers into it stay valid while more is added.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 * 1024 };

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void *arena_get(arena *a, size_t count, size_t size) {
    const size_t align = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX / 4) / size)
        return PyErr_NoMemory();
    size_t bytes = (count * size + align - 1) / align * align;
    struct arena_block *block = a->last;
    if (!block || block->size - block->used < bytes) {
        size_t room = bytes > BLOCK ? bytes : BLOCK;
        block = malloc(sizeof *block + room);
        if (!block)
            return PyErr_NoMemory();
        *block = (struct arena_block){.before = a->last, .size = room};
        a->last = block;
    }
    void *got = block->bytes + block->used;
    block->used += bytes;
    return got;
}

char *arena_text(arena *a, const char *text, size_t length) {
    char *copy = arena_get(a, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

void arena_clear(arena *a) {
    while (a->last) {
        struct arena_block *before = a->last->before;
        free(a->last);
        a->last = before;
    }
}
