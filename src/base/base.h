/**
 * @file base.h
 * What every stage builds on: allocation, errors, arrays, files, threads, names, exact sums, own
 * exp and log, text of numbers; with orders, the hash table and the heap in headers of their own.
 * Nothing here knows about cases.
 *
 * Integers are converted and compared with care because the data comes from outside: size products
 * are checked in one place, hcbr_i_alloc(), and counts of occurrences are 64-bit everywhere.
 */
#ifndef HCBR_I_BASE_H
#define HCBR_I_BASE_H

#include "base/blocks.h"
#include "base/folder.h"
#include "base/hash_table.h"
#include "base/heap.h"
#include "base/order.h"
#include "base/simd.h"

#include <hcbr/number.h>
#include <hcbr/status.h>

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HCBR_I_LIKELY(x) __builtin_expect(!!(x), 1)
#define HCBR_I_UNLIKELY(x) __builtin_expect(!!(x), 0)
/** Either value is equally likely: computing both ways is better than a branch. */
#define HCBR_I_EITHER(x) __builtin_expect_with_probability(!!(x), 1, 0.5)
#define HCBR_I_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

__extension__ typedef unsigned __int128 hcbr_i_u128;

/* ---- errors (error.c) ------------------------------------------------------------------------ */

/** Fill err (may be NULL) without a place and return status. */
hcbr_status hcbr_i_fail(hcbr_error *err, hcbr_status status, const char *format, ...)
    HCBR_I_PRINTF(3, 4);

/** Fill err (may be NULL) with a place and return status. file may be NULL. */
hcbr_status hcbr_i_fail_at(hcbr_error *err, hcbr_status status, const char *file, uint64_t line,
                           uint64_t column, const char *format, ...) HCBR_I_PRINTF(6, 7);

/** hcbr_i_fail() with HCBR_ENOMEM and the standard words. */
hcbr_status hcbr_i_no_memory(hcbr_error *err);

/** Send a notice; does nothing if notify is NULL. file may be NULL, line and column 0. */
void hcbr_i_notify(hcbr_notify_fn *notify, void *context, hcbr_notice kind, const char *file,
                   uint64_t line, uint64_t column, const char *format, ...) HCBR_I_PRINTF(7, 8);

/**
 * Report progress and ask whether to go on; does nothing if progress is NULL.
 *
 * @return HCBR_OK, or HCBR_ECANCELLED with the standard words.
 */
hcbr_status hcbr_i_ask(hcbr_progress_fn *progress, void *context, const char *stage, uint64_t done,
                       uint64_t total, hcbr_error *err);

/** The observer of a long call, and the progress it is told. All 0: no observer. */
typedef struct hcbr_i_watch {
    hcbr_progress_fn *progress; /**< may be NULL */
    void *context;
    const char *stage;
    uint64_t done, total; /**< passed with every call */
} hcbr_i_watch;

/** hcbr_i_ask() of an observer; watch may be NULL. */
hcbr_status hcbr_i_watch_ask(const hcbr_i_watch *watch, hcbr_error *err);

/**
 * Prepare text from outside for a message: quoted with '...', control bytes and invalid UTF-8 as
 * \xNN, cut with "..." after about 40 bytes. Returns buffer.
 */
const char *hcbr_i_quote(char buffer[200], const char *text, size_t length);

/* ---- arguments of the public functions (error.c) --------------------------------------------- */

/** An output is NULL until the call succeeds. */
#define HCBR_I_CLEAR(out) ((out) ? (void)(*(out) = NULL) : (void)0)

#define HCBR_I_LISTED(...)                                                                         \
    (const void *const[]){__VA_ARGS__}, sizeof(const void *const[]){__VA_ARGS__} / sizeof(void *)

/** Whether one of these arguments is NULL; err then names it. */
#define HCBR_I_NULL(err, ...) HCBR_I_NULL_NAMED(err, #__VA_ARGS__, __VA_ARGS__)
/** Whether one of these structures, at most three, has another size than its type; err then names
 *  it. NULL is fine. */
#define HCBR_I_UNSIZED(err, ...) HCBR_I_UNSIZED_NAMED(err, #__VA_ARGS__, __VA_ARGS__)
/** The same with the names of the public header: "explainer, flips". */
#define HCBR_I_NULL_NAMED(err, names, ...)                                                         \
    hcbr_i_any_null(HCBR_I_LISTED(__VA_ARGS__), (names), (err))
#define HCBR_I_UNSIZED_NAMED(err, names, ...)                                                      \
    hcbr_i_any_unsized(HCBR_I_LISTED(__VA_ARGS__), HCBR_I_SIZES(__VA_ARGS__, "", "", ""), (names), \
                       (err))
#define HCBR_I_SIZES(one, two, three, ...)                                                         \
    (const size_t[]) {                                                                             \
        sizeof *(one), sizeof *(two), sizeof *(three)                                              \
    }

/** Report the argument of this index in a list of names. Both return true. */
bool hcbr_i_say_null(const char *names, size_t number, hcbr_error *err);
bool hcbr_i_say_unsized(const char *names, size_t number, size_t found, size_t expected,
                        hcbr_error *err);

static inline size_t hcbr_i_size_of(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static inline bool hcbr_i_any_null(const void *const *given, size_t count, const char *names,
                                   hcbr_error *err) {
    for (size_t i = 0; i < count; i++)
        if (HCBR_I_UNLIKELY(given[i] == NULL))
            return hcbr_i_say_null(names, i, err);
    return false;
}

static inline bool hcbr_i_any_unsized(const void *const *given, size_t count, const size_t *sizes,
                                      const char *names, hcbr_error *err) {
    for (size_t i = 0; i < count; i++)
        if (HCBR_I_UNLIKELY(given[i] != NULL && hcbr_i_size_of(given[i]) != sizes[i]))
            return hcbr_i_say_unsized(names, i, hcbr_i_size_of(given[i]), sizes[i], err);
    return false;
}

/** Whether an array that should have elements is NULL; err then names it. */
static inline bool hcbr_i_no_list(const void *list, size_t count, const char *name,
                                  hcbr_error *err) {
    return HCBR_I_UNLIKELY(list == NULL && count > 0) && hcbr_i_say_null(name, 0, err);
}

/** Write a result if the caller has set its size; with another size it stays unchanged. */
static inline void hcbr_i_hand_out(void *out, const void *full, size_t full_size) {
    if (hcbr_i_size_of(out) == full_size)
        memcpy((char *)out + sizeof full_size, (const char *)full + sizeof full_size,
               full_size - sizeof full_size);
}

/* ---- allocation (alloc.c) -------------------------------------------------------------------- */

/** The allocator that the program has set, NULL for that of the C library. The first call fixes
 *  it. */
const struct hcbr_allocator *hcbr_i_allocator(void);
/** count*size bytes, not initialised; NULL if the product overflows or memory is short.
 *  A request of 0 bytes gives a pointer that can be freed. */
void *hcbr_i_alloc(size_t count, size_t size);
/** The same, all zero. */
void *hcbr_i_alloc_zero(size_t count, size_t size);
/** Change the size; on failure NULL and the old block stays. */
void *hcbr_i_realloc(void *block, size_t count, size_t size);
/** For tables with random access, in large pages: `room` elements, the first `count` of them those
 *  of the block. On failure NULL and the old block stays. */
void *hcbr_i_regrow(void *block, size_t count, size_t room, size_t size);
/** Release; NULL is fine. */
void hcbr_i_free(void *block);
/** A copy of a text with a NUL after it; NULL if memory is short. */
char *hcbr_i_text_copy(const char *text, size_t length);

/**
 * Make room for at least `need` elements in the array at *array (a pointer to the array pointer),
 * doubling. Keeps the elements. Returns false, with everything unchanged, if memory is short.
 */
static inline bool hcbr_i_grow(void *array, size_t *capacity, size_t need, size_t element_size);
/** The part of hcbr_i_grow() that allocates. */
bool hcbr_i_grow_now(void *array, size_t *capacity, size_t need, size_t element_size);
static inline bool hcbr_i_grow(void *array, size_t *capacity, size_t need, size_t element_size) {
    return HCBR_I_LIKELY(need <= *capacity) || hcbr_i_grow_now(array, capacity, need, element_size);
}

/** A large block kept for reuse. */
typedef struct hcbr_i_spare {
    void *block;
    size_t bytes; /**< free, at its start; the rest is in use */
} hcbr_i_spare;

#define HCBR_I_POOL_SIZE 16

/**
 * Working memory for reuse: touching memory for the first time may cost more than computing with
 * it. Zero-initialise to start; for one thread at a time. A block taken from it may also be kept
 * and released with hcbr_i_free(). A NULL pool has no memory.
 */
typedef struct hcbr_i_pool {
    hcbr_i_spare spare[HCBR_I_POOL_SIZE];
    uint32_t count;
} hcbr_i_pool;
/** hcbr_i_alloc(), with memory of the pool if it has some. */
void *hcbr_i_pool_take(hcbr_i_pool *pool, size_t count, size_t size);
/** The same, all zero. */
void *hcbr_i_pool_take_zero(hcbr_i_pool *pool, size_t count, size_t size);
/** Release a block of exactly this size into the pool; NULL is fine. */
void hcbr_i_pool_give(hcbr_i_pool *pool, void *block, size_t count, size_t size);
/** Release everything. */
void hcbr_i_pool_clear(hcbr_i_pool *pool);

/** Text that is released all at once; blocks never move. Zero-initialise to start. */
typedef struct hcbr_i_arena {
    struct hcbr_i_arena_block *first; /**< newest block */
} hcbr_i_arena;
/** `size` bytes, unaligned; NULL if memory is short. */
char *hcbr_i_arena_take(hcbr_i_arena *arena, size_t size);
/** Room for `count` elements of `size` bytes, aligned for any type; NULL likewise. */
void *hcbr_i_arena_array(hcbr_i_arena *arena, size_t count, size_t size);
/** A copy of a text, with a NUL; NULL likewise. */
char *hcbr_i_arena_copy(hcbr_i_arena *arena, const char *text, size_t length);
/** Forget everything taken, keep one block for reuse. */
void hcbr_i_arena_reset(hcbr_i_arena *arena);
/** Release all memory; usable again afterwards. */
void hcbr_i_arena_clear(hcbr_i_arena *arena);

/* ---- files (file.c) -------------------------------------------------------------------------- */

typedef struct hcbr_i_file hcbr_i_file;

/** Open for reading; "-" is standard input (not closed later). A directory is refused. */
hcbr_status hcbr_i_file_open(hcbr_i_file **out, const char *path, hcbr_error *err);
/** Read up to size bytes, retrying interruptions; *got == 0 at the end. */
hcbr_status hcbr_i_file_read(hcbr_i_file *file, void *buffer, size_t size, size_t *got,
                             hcbr_error *err);
/** Its name for messages: the path, or "<stdin>". Borrowed. */
const char *hcbr_i_file_name(const hcbr_i_file *file);
/** Bytes of a regular file, 0 for anything else. */
uint64_t hcbr_i_file_size(const hcbr_i_file *file);
/** Bytes of the regular file at a path, 0 for anything else. */
uint64_t hcbr_i_file_size_at(const char *path);
/** Whether two paths lead to one file, through any links and folders. */
bool hcbr_i_file_is_same(const char *a, const char *b);
/** Close; NULL is fine. */
void hcbr_i_file_close(hcbr_i_file *file);

/** The whole file in memory, in one go. *bytes from hcbr_i_alloc(). */
hcbr_status hcbr_i_file_load(void **bytes, size_t *size, const char *path, hcbr_error *err);
/** A piece of a file to write. */
typedef struct hcbr_i_part {
    const void *bytes;
    size_t size;
} hcbr_i_part;
/** Write parts, one after the other, to a file, completely or not at all: temporary name in the
 *  same folder, sync, rename, sync folder. */
hcbr_status hcbr_i_file_save_parts(const char *path, const hcbr_i_part *parts, size_t count,
                                   hcbr_error *err);
/** The same for one part. */
hcbr_status hcbr_i_file_save(const char *path, const void *bytes, size_t size, hcbr_error *err);

/* ---- threads (thread.c) ---------------------------------------------------------------------- */

/** Works on [begin, end); worker is below the number of threads. */
typedef void hcbr_i_task(void *context, uint32_t worker, uint64_t begin, uint64_t end);

/**
 * Run task over [0, count) in pieces of `chunk` (the last may be shorter), on up to `threads`
 * threads, the caller's among them. Which worker gets which piece is not determined: a task must
 * give the same result for any distribution. If a thread cannot be started the others do its work.
 * No thread is left behind.
 */
void hcbr_i_parallel(uint32_t threads, uint64_t count, uint64_t chunk, hcbr_i_task *task,
                     void *context);

/**
 * The same; before each piece of its own the caller's thread asks the observer.
 *
 * With one thread the pieces are run in order, so a long loop can be stopped.
 *
 * @param watch may be NULL.
 * @return HCBR_OK; HCBR_ECANCELLED: pieces not begun are left out.
 */
hcbr_status hcbr_i_parallel_watched(uint32_t threads, uint64_t count, uint64_t chunk,
                                    hcbr_i_task *task, void *context, const hcbr_i_watch *watch,
                                    hcbr_error *err);

/** Threads kept for many short calls: starting a thread takes longer than waking it. */
typedef struct hcbr_i_crew hcbr_i_crew;

/** A crew of up to `threads`, the caller's among them. NULL: no memory. */
hcbr_i_crew *hcbr_i_crew_create(uint32_t threads);

/** hcbr_i_parallel() on a crew. One call at a time, and not from a task of the crew. */
void hcbr_i_crew_run(hcbr_i_crew *crew, uint64_t count, uint64_t chunk, hcbr_i_task *task,
                     void *context);

/** Ends its threads; NULL is fine. */
void hcbr_i_crew_free(hcbr_i_crew *crew);

/* ---- text (utf8.c) --------------------------------------------------------------------------- */

/** length if text is valid UTF-8 without NUL, else the offset of the first invalid sequence. */
size_t hcbr_i_utf8_check(const char *text, size_t length);

/* ---- names of features ----------------------------------------------------------------------- */

/**
 * A feature's name in 16 bytes: key and value themselves if together they have at most 14 bytes
 * (byte 15 holds both lengths), else a reference that a stage defines (byte 15 is HCBR_I_LONG).
 * Two short names are equal iff their 16 bytes are: no text is touched to compare them.
 */
typedef struct hcbr_i_name {
    uint64_t lo, hi;
} hcbr_i_name;

#define HCBR_I_SHORT 14     /* most bytes of key and value that fit */
#define HCBR_I_LONG 0xFFu   /* tag of a long name */
#define HCBR_I_NAME_TEXT 16 /* room that unpacking needs */

/** The tag: 4 bits of key length, 4 bits of value length + 1 (0: bare key). Never HCBR_I_LONG. */
static inline uint64_t hcbr_i_name_tag(size_t key_length, bool bare, size_t value_length) {
    return ((uint64_t)key_length | (uint64_t)(bare ? 0 : value_length + 1) << 4) << 56;
}

static inline bool hcbr_i_name_is_long(hcbr_i_name name) {
    return name.hi >> 56 == HCBR_I_LONG;
}

/** 8 bytes as an integer, the first one lowest, on any machine. */
static inline uint64_t hcbr_i_load64(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/** The inverse of hcbr_i_load64(). */
static inline void hcbr_i_store64(void *bytes, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(bytes, &word, sizeof word);
}

/**
 * The number spelled by at most 8 digits at the start of a word. `shift` moves the word up by bits
 * so that the last digit is its last byte: zeros come before the first.
 */
static inline uint32_t hcbr_i_digits_value(uint64_t word, unsigned shift) {
    uint64_t digits = (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) << shift;
    // Each step makes one number of two neighbours: ten times the first and the second, and so on.
    digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    digits = digits * (100 << 16 | 1) >> 16 & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(digits * (UINT64_C(10000) << 32 | 1) >> 32);
}

/** The first n <= 16 bytes of text as an integer, the first one lowest; reads nothing beyond. */
hcbr_i_u128 hcbr_i_bytes_load(const char *text, size_t n);

/** Pack a short name: key_length + value_length <= HCBR_I_SHORT. value NULL: a bare key. */
hcbr_i_name hcbr_i_name_pack(const char *key, size_t key_length, const char *value,
                             size_t value_length);

/** The inverse: text receives key and value, one after the other, then unspecified bytes. */
static inline void hcbr_i_name_unpack(hcbr_i_name name, char text[HCBR_I_NAME_TEXT],
                                      size_t *key_length, bool *bare, size_t *value_length) {
    size_t tag = (size_t)(name.hi >> 56);
    *key_length = tag & 15;
    *bare = tag >> 4 == 0;
    *value_length = *bare ? 0 : (tag >> 4) - 1;
    hcbr_i_store64(text, name.lo);
    hcbr_i_store64(text + 8, name.hi);
}

/* ---- hashing (hash.c) ------------------------------------------------------------------------ */

/** Keys of the hash tables, secret to the process, so that collisions cannot be constructed. */
typedef struct hcbr_i_hash_key {
    uint64_t a, b, c, d;
} hcbr_i_hash_key;

/** Expand a seed; 0 draws from the system. No output may depend on the key. */
hcbr_i_hash_key hcbr_i_hash_key_make(uint64_t seed);

/** Fold the 128-bit product: the mixing step of every table here. */
static inline uint64_t hcbr_i_fold(uint64_t x, uint64_t y) {
    hcbr_i_u128 p = (hcbr_i_u128)x * y;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/** Hash of a packed name. */
static inline uint64_t hcbr_i_hash_name(const hcbr_i_hash_key *k, hcbr_i_name name) {
    return hcbr_i_fold(name.lo ^ k->a, name.hi ^ k->b);
}

/** 128-bit keyed hash of two texts (lengths included, so that the border between them matters; NULL
 *  as second differs from an empty one). Tagged HCBR_I_LONG: it can replace a long name. The lowest
 *  bit of hi is set, so it never equals a reference of a block. */
hcbr_i_name hcbr_i_hash_text(const hcbr_i_hash_key *k, const char *first, size_t first_length,
                             const char *second, size_t second_length);

/** A bijection of 64-bit integers that looks random; signatures and random draws use it. */
static inline uint64_t hcbr_i_mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/** A number below `bound`, every one equally likely; state counts the draws. */
static inline uint32_t hcbr_i_draw_below(uint64_t *state, uint32_t bound) {
    for (;;) {
        uint32_t r = (uint32_t)(hcbr_i_mix((*state)++) >> 32);
        uint64_t product = (uint64_t)r * bound;
        /* reject the part of the range that would favour small numbers */
        if ((uint32_t)product >= (uint32_t)-bound % bound)
            return (uint32_t)(product >> 32);
    }
}

/** Shuffle numbers. */
static inline void hcbr_i_shuffle(uint32_t *numbers, uint32_t count, uint64_t *state) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = hcbr_i_draw_below(state, i), swap = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = swap;
    }
}

/* ---- exact sums ------------------------------------------------------------------------------ */

/**
 * A sum of non-negative numbers below 2^32 in fixed point with 96 binary places. Adding is
 * associative, so the order of the terms, and hence the number of threads, changes no bit.
 */
typedef hcbr_i_u128 hcbr_i_sum;

/** 1/d rounded down to 96 binary places; d > 0. */
static inline hcbr_i_sum hcbr_i_sum_reciprocal(uint64_t d) {
    return ((hcbr_i_u128)1 << 96) / d;
}

/** Its value, correct to nearly the last bit and the same on every machine. */
static inline double hcbr_i_sum_value(hcbr_i_sum sum) {
    return (double)(uint64_t)(sum >> 64) * 0x1p-32 + (double)(uint64_t)sum * 0x1p-96;
}

/* ---- functions with the same results on every machine (math.c) ------------------------------- */

/** The series of e^x from its term of the tenth power down to 1; the caller starts with 1/11!. */
#define HCBR_I_EXP_SERIES(STEP)                                                                    \
    STEP(1.0 / 3628800)                                                                            \
    STEP(1.0 / 362880)                                                                             \
    STEP(1.0 / 40320)                                                                              \
    STEP(1.0 / 5040)                                                                               \
    STEP(1.0 / 720)                                                                                \
    STEP(1.0 / 120)                                                                                \
    STEP(1.0 / 24)                                                                                 \
    STEP(1.0 / 6)                                                                                  \
    STEP(0.5)                                                                                      \
    STEP(1.0)                                                                                      \
    STEP(1.0)

/** The bits of a number, and back. */
static inline uint64_t hcbr_i_bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double hcbr_i_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** e^x; 0 or infinity if it is too small or too large for a double. */
double hcbr_i_exp(double x);
/** The natural logarithm: -infinity at 0, NaN below. */
double hcbr_i_log(double x);
/** log(1 + x), accurate for tiny x too: -infinity at -1, NaN below. */
double hcbr_i_log1p(double x);
/** The angle from -pi/2 to pi/2 whose tangent is x. */
double hcbr_i_atan(double x);

/* ---- text of decimal numbers (decimal.c) ----------------------------------------------------- */

/**
 * How a number is written. Two texts are the same number if their decimal values are equal,
 * exactly: never by way of a double.
 */
enum {
    HCBR_I_SPELLED_SHORTEST = 0, /**< as hcbr_number_format() writes its double */
    HCBR_I_SPELLED_FIXED = 1,    /**< this + d: with d digits after the point, up to
                                      HCBR_I_SPELLED_DIGITS; `1.50` has 2 */
    HCBR_I_SPELLED_DIGITS = 15,  /**< a double keeps this many significant digits */
    HCBR_I_SPELLED_OTHER = 254,  /**< otherwise (`+1`, `1e0`): the double is the number, the text
                                      must be kept to spell it */
    HCBR_I_SPELLED_WIDE = 255    /**< more digits than its double says: the text is the number */
};

/**
 * Read a text as a number.
 *
 * @param value    receives the nearest double; 0 is never negative.
 * @param spelling receives how it is written.
 * @return false if the text is not a number. A leading zero (`007`, but not `0.5`) makes a code;
 *         `nan`, `inf`, numbers too large for a double and exponents beyond 10^15 are refused too.
 */
bool hcbr_i_decimal_read(double *value, uint8_t *spelling, const char *text, size_t length);

/**
 * The canonical text, the same for all spellings of a number. Room for length + HCBR_NUMBER_SIZE
 * bytes; returns the number used. hcbr_i_decimal_read() must accept the text.
 */
size_t hcbr_i_decimal_canonical(char *out, const char *text, size_t length);

/** The text of a number that was spelled HCBR_I_SPELLED_SHORTEST or FIXED; returns its length. */
size_t hcbr_i_decimal_spell(char out[HCBR_NUMBER_SIZE], double value, uint8_t spelling);

/* ---- text of numbers (number_table.c, number_exact.c); the rest is in hcbr/number.h ---------- */

/** The double nearest to the shortest decimal of a float: 0.1 for 0.1F. */
double hcbr_i_number_of_f32(float value);
/** The same for an IEEE 754 half, given by its bits. */
double hcbr_i_number_of_f16(uint16_t bits);

#define HCBR_I_POW10_FIRST (-342)
#define HCBR_I_POW10_LAST 340

/** The first 128 bits of the powers of ten, rounded down; upper half first. */
extern const uint64_t hcbr_i_pow10[HCBR_I_POW10_LAST - HCBR_I_POW10_FIRST + 1][2];

/** A number that is at least low * 2^exponent and below (low + 2) * 2^exponent. */
typedef struct hcbr_i_scaled {
    hcbr_i_u128 low; /**< from 2^126 on */
    int exponent;
} hcbr_i_scaled;

/** floor(log2(10^k)) for every k of the table. */
static inline int hcbr_i_log2_pow10(int k) {
    return (k * 217706) >> 16;
}

/** w * 10^k for w > 0 and k of the table. */
static inline hcbr_i_scaled hcbr_i_number_scale(uint64_t w, int k) {
    const uint64_t *power = hcbr_i_pow10[k - HCBR_I_POW10_FIRST];
    int shift = __builtin_clzll(w);
    hcbr_i_u128 lower = (hcbr_i_u128)(w << shift) * power[1];
    hcbr_i_scaled scaled = {(hcbr_i_u128)(w << shift) * power[0] + (uint64_t)(lower >> 64),
                            hcbr_i_log2_pow10(k) - 63 - shift};
    return scaled;
}

/**
 * Compare D * 10^k with m * 2^q exactly: negative, 0 or positive. D is written in [digits, digits +
 * length), where a point is ignored. Both must be between 10^-345 and 10^311.
 */
int hcbr_i_number_compare(const char *digits, size_t length, int64_t k, uint64_t m, int q);

/* ---- faults, in builds for tests only (fault.c, with HCBR_FAULTS) ---------------------------- */

#ifdef HCBR_FAULTS
/** The calls that tests can make fail. */
typedef enum hcbr_i_fault_kind { HCBR_I_FAULT_ALLOC = 0, HCBR_I_FAULT_IO = 1 } hcbr_i_fault_kind;
/** Make the n-th call from now (from 1) fail; with `on`, every later one too. n = 0 disarms. */
void hcbr_i_fault_arm(hcbr_i_fault_kind kind, uint64_t n, bool on);
/** Calls since the last hcbr_i_fault_arm(). */
uint64_t hcbr_i_fault_count(hcbr_i_fault_kind kind);
/** Whether this call must fail. Asked by alloc.c and file.c. */
bool hcbr_i_fault_now(hcbr_i_fault_kind kind);
#else
#define hcbr_i_fault_now(kind) false
#endif

#include "base/exact.h" // uses the above

#endif
