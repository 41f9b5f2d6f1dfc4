/*
 * Memory. Every size product of the library is checked here, and here only; in builds for tests any
 * call can be made to fail.
 */
#define _GNU_SOURCE // mremap()
#include "base/base.h"

#include <hcbr/allocator.h>

#include <stdlib.h>
#include <sys/mman.h>

/** Blocks of at least HUGE_BLOCK bytes get pages of HUGE_PAGE bytes if the system has them. */
enum { HUGE_BLOCK = 1 << 20, HUGE_PAGE = 2 << 20, PAGE = 4096 };

/**
 * Random lookups in a table cost more in page translation than in memory, so ask for large pages. A
 * refusal changes only the speed. The range is widened to whole pages, so that a block with a
 * mapping of its own stays one mapping, which the system can move when it grows.
 */
static void *advised(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (block != NULL && bytes >= HUGE_BLOCK) {
        uintptr_t at = (uintptr_t)block & ~(uintptr_t)(PAGE - 1);
        uintptr_t end = ((uintptr_t)block + bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
        (void)madvise((void *)at, end - at, MADV_HUGEPAGE);
    }
#else
    (void)bytes;
#endif
    return block;
}

/** A new block; a large one is made of whole large pages. */
static void *fresh(size_t bytes, bool zero) {
    void *block = NULL;
    size_t whole;
    const hcbr_allocator *own = hcbr_i_allocator();
    if (own) {
        block = own->allocate(own->context, bytes);
        return zero && block ? memset(block, 0, bytes) : block;
    }
    if (bytes < HUGE_BLOCK || __builtin_add_overflow(bytes, HUGE_PAGE - 1, &whole))
        return zero ? calloc(1, bytes) : malloc(bytes);
    whole -= whole % HUGE_PAGE;
    if (posix_memalign(&block, HUGE_PAGE, whole) != 0)
        return NULL;
    advised(block, whole);
    return zero ? memset(block, 0, bytes) : block;
}

/**
 * Move whole large pages with data from one large block to another, so that pages touched once need
 * not be found, cleared and mapped again. The source pages then read as zero. Returns how many
 * bytes were moved, from the start of both; 0 if the system has no such call.
 */
// NOLINTNEXTLINE(readability-non-const-parameter): mremap, if it exists, changes both.
static size_t move_pages(char *to, char *from, size_t bytes) {
    size_t whole = bytes - bytes % HUGE_PAGE;
#ifdef MREMAP_DONTUNMAP
    if (whole > 0 && ((uintptr_t)to | (uintptr_t)from) % HUGE_PAGE == 0 &&
        mremap(from, whole, whole, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == to)
        return whole;
#else
    (void)to, (void)from, (void)whole;
#endif
    return 0;
}

/** A block of another size; NULL and the old one stays if memory is short. */
static void *resized(void *block, size_t bytes) {
    const hcbr_allocator *own = hcbr_i_allocator();
    return own ? own->resize(own->context, block, bytes) : realloc(block, bytes);
}

/** Blocks of an arena start at this size and double up to the largest. */
enum { ARENA_SMALLEST = 4096, ARENA_LARGEST = 1 << 20 };

/** *bytes = count * size, at least 1; false if no object can be that large. */
static bool product(size_t *bytes, size_t count, size_t size) {
    if (__builtin_mul_overflow(count, size, bytes) || *bytes > PTRDIFF_MAX)
        return false;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

void *hcbr_i_alloc(size_t count, size_t size) {
    size_t bytes;
    if (hcbr_i_fault_now(HCBR_I_FAULT_ALLOC) || !product(&bytes, count, size))
        return NULL;
    return fresh(bytes, false);
}

void *hcbr_i_alloc_zero(size_t count, size_t size) {
    size_t bytes;
    if (hcbr_i_fault_now(HCBR_I_FAULT_ALLOC) || !product(&bytes, count, size))
        return NULL;
    return fresh(bytes, true);
}

void *hcbr_i_realloc(void *block, size_t count, size_t size) {
    size_t bytes;
    if (hcbr_i_fault_now(HCBR_I_FAULT_ALLOC) || !product(&bytes, count, size))
        return NULL;
    block = resized(block, bytes);
    return hcbr_i_allocator() ? block : advised(block, bytes);
}

void hcbr_i_free(void *block) {
    const hcbr_allocator *own = block ? hcbr_i_allocator() : NULL;
    if (own)
        own->release(own->context, block);
    else
        free(block);
}

void *hcbr_i_pool_take(hcbr_i_pool *pool, size_t count, size_t size) {
    char *block = hcbr_i_alloc(count, size);
    size_t bytes = count * size, have = 0; // the product was checked
    if (block == NULL || pool == NULL || bytes < HUGE_BLOCK)
        return block;
    bytes += HUGE_PAGE - 1 - (bytes - 1) % HUGE_PAGE; // as fresh() does
    while (have < bytes && pool->count > 0) {
        hcbr_i_spare *last = &pool->spare[pool->count - 1];
        size_t wanted = bytes - have < last->bytes ? bytes - have : last->bytes;
        char *from = (char *)last->block + (last->bytes - wanted);
        size_t moved = move_pages(block + have, from, wanted);
        have += moved;
        last->bytes -= moved;
        if (moved == 0 || last->bytes == 0) {
            hcbr_i_free(last->block);
            pool->count--;
        }
    }
    return block;
}

void *hcbr_i_pool_take_zero(hcbr_i_pool *pool, size_t count, size_t size) {
    void *block = hcbr_i_pool_take(pool, count, size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

void hcbr_i_pool_give(hcbr_i_pool *pool, void *block, size_t count, size_t size) {
    size_t bytes = block != NULL ? count * size : 0;
    if (pool == NULL || bytes < HUGE_BLOCK || pool->count == HCBR_I_POOL_SIZE ||
        (uintptr_t)block % HUGE_PAGE != 0 || hcbr_i_allocator()) {
        hcbr_i_free(block); // pages of the program's allocator are not moved
        return;
    }
    bytes += HUGE_PAGE - 1 - (bytes - 1) % HUGE_PAGE;
    pool->spare[pool->count++] = (hcbr_i_spare){block, bytes};
}

void hcbr_i_pool_clear(hcbr_i_pool *pool) {
    while (pool->count > 0)
        hcbr_i_free(pool->spare[--pool->count].block);
}

char *hcbr_i_text_copy(const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? hcbr_i_alloc(length + 1, 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void *hcbr_i_regrow(void *block, size_t count, size_t room, size_t size) {
    size_t bytes, old = count * size;
    if (!product(&bytes, room, size) || bytes < HUGE_BLOCK || hcbr_i_allocator())
        return hcbr_i_realloc(block, room, size);
    char *larger = hcbr_i_alloc(room, size);
    if (larger == NULL)
        return NULL;
    size_t moved = old > 0 ? move_pages(larger, block, old) : 0;
    if (old > moved)
        memcpy(larger + moved, (char *)block + moved, old - moved);
    hcbr_i_free(block);
    return larger;
}

bool hcbr_i_grow_now(void *array, size_t *capacity, size_t need, size_t element_size) {
    size_t room = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : need, bytes;
    if (room < need)
        room = need;
    if (room < 8)
        room = 8;
    void *block; // the pointer's type is the caller's: moved as bytes
    memcpy(&block, array, sizeof block);
    // No large pages: a growing array is mostly read in order, and small pages are cheaper to get.
    if (hcbr_i_fault_now(HCBR_I_FAULT_ALLOC) || !product(&bytes, room, element_size) ||
        (block = resized(block, bytes)) == NULL)
        return false;
    memcpy(array, &block, sizeof block);
    *capacity = room;
    return true;
}

struct hcbr_i_arena_block {
    struct hcbr_i_arena_block *next;
    size_t size, used;
    char bytes[];
};

/** A new block with room for `size` bytes, larger than the one before. */
static struct hcbr_i_arena_block *arena_block(const struct hcbr_i_arena_block *before,
                                              size_t size) {
    size_t room = before == NULL ? ARENA_SMALLEST : before->size;
    if (before != NULL && room <= ARENA_LARGEST / 2)
        room *= 2;
    if (room > ARENA_LARGEST)
        room = ARENA_LARGEST;
    if (room < size)
        room = size;
    size_t bytes;
    if (__builtin_add_overflow(room, sizeof(struct hcbr_i_arena_block), &bytes))
        return NULL;
    struct hcbr_i_arena_block *block = hcbr_i_alloc(1, bytes);
    if (block != NULL) {
        block->next = NULL;
        block->size = room;
        block->used = 0;
    }
    return block;
}

char *hcbr_i_arena_take(hcbr_i_arena *arena, size_t size) {
    struct hcbr_i_arena_block *first = arena->first;
    if (HCBR_I_UNLIKELY(first == NULL || first->size - first->used < size)) {
        struct hcbr_i_arena_block *block = arena_block(first, size);
        if (block == NULL)
            return NULL;
        if (first != NULL && size > ARENA_LARGEST / 4) {
            // One large text fills its block; the room left in the first stays in use.
            block->next = first->next;
            first->next = block;
            block->used = size;
            return block->bytes;
        }
        block->next = first;
        arena->first = first = block;
    }
    char *bytes = first->bytes + first->used;
    first->used += size;
    return bytes;
}

/** Release a chain of blocks. */
static void arena_free(struct hcbr_i_arena_block *block) {
    while (block != NULL) {
        struct hcbr_i_arena_block *next = block->next;
        hcbr_i_free(block);
        block = next;
    }
}

void *hcbr_i_arena_array(hcbr_i_arena *arena, size_t count, size_t size) {
    char *room = count > SIZE_MAX / 64 / size ? NULL : hcbr_i_arena_take(arena, count * size + 32);

    return room == NULL ? NULL : room + (16 - (uintptr_t)room % 16);
}

char *hcbr_i_arena_copy(hcbr_i_arena *arena, const char *text, size_t length) {
    char *copy = hcbr_i_arena_take(arena, length + 1);

    if (copy != NULL) {
        if (length > 0)
            memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void hcbr_i_arena_reset(hcbr_i_arena *arena) {
    if (arena->first == NULL)
        return;
    arena_free(arena->first->next);
    arena->first->next = NULL;
    arena->first->used = 0;
}

void hcbr_i_arena_clear(hcbr_i_arena *arena) {
    arena_free(arena->first);
    arena->first = NULL;
}
