/*
 * Keyed hashing of names. The keys are secret to the process and every step multiplies by text
 * mixed with one of them, so texts that collide cannot be constructed in advance. No result reaches
 * an output.
 */
#include "base/base.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/** Four words that cannot be guessed; weaker ones if the system gives none. */
static hcbr_i_hash_key draw(void) {
    hcbr_i_hash_key key;
    size_t have = 0;
    while (have < sizeof key) {
        ssize_t got = getrandom((char *)&key + have, sizeof key - have, 0);
        if (got > 0)
            have += (size_t)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    if (have < sizeof key) {
        struct timespec now = {0, 0};
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t seed = hcbr_i_mix((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30);
        seed ^= hcbr_i_mix((uint64_t)(uintptr_t)&key ^ (uint64_t)getpid() << 48);
        key = hcbr_i_hash_key_make(seed | 1);
    }
    return key;
}

hcbr_i_hash_key hcbr_i_hash_key_make(uint64_t seed) {
    if (seed == 0)
        return draw();
    const uint64_t step = 0x9E3779B97F4A7C15u; // hcbr_i_mix() adds it once more: splitmix64
    hcbr_i_hash_key key = {hcbr_i_mix(seed), hcbr_i_mix(seed + step), hcbr_i_mix(seed + 2 * step),
                           hcbr_i_mix(seed + 3 * step)};
    return key;
}

/** Two lanes of 64 bits. */
typedef struct state {
    uint64_t x, y;
} state;

static inline state absorb(state s, const hcbr_i_hash_key *k, uint64_t low, uint64_t high) {
    state t = {hcbr_i_fold(s.x ^ low ^ k->a, high ^ k->b) ^ s.y,
               hcbr_i_fold(s.y ^ high ^ k->c, low ^ k->d) ^ s.x};
    return t;
}

static state absorb_text(state s, const hcbr_i_hash_key *k, const char *text, size_t length) {
    for (; length > 16; text += 16, length -= 16)
        s = absorb(s, k, hcbr_i_load64(text), hcbr_i_load64(text + 8));
    hcbr_i_u128 rest = hcbr_i_bytes_load(text, length);
    return absorb(s, k, (uint64_t)rest, (uint64_t)(rest >> 64));
}

hcbr_i_name hcbr_i_hash_text(const hcbr_i_hash_key *k, const char *first, size_t first_length,
                             const char *second, size_t second_length) {
    // The lengths go in first: no other border or padding gives the same sequence of steps.
    state s = {k->c + first_length, k->d + (second == NULL ? 0 : second_length + 1)};
    s = absorb(s, k, s.y, s.x);
    s = absorb_text(s, k, first, first_length);
    if (second != NULL)
        s = absorb_text(s, k, second, second_length);
    hcbr_i_name name = {hcbr_i_fold(s.x ^ k->d, s.y ^ k->c), hcbr_i_fold(s.y ^ k->b, s.x ^ k->a)};
    name.hi |= (uint64_t)HCBR_I_LONG << 56 | 1; // the 1: see base.h
    return name;
}
