/*
 * The fingerprint of the training data (docs/FORMAT.md, section 4): a hash of the digest of values
 * and cases, the labels, and the label of every case.
 */
#include "model/training.h"

#define XXH_STATIC_LINKING_ONLY // for a state on the stack
#include <xxhash.h>

static char *put(char *at, uint64_t value, int bytes) {
    for (int b = 0; b < bytes; b++)
        *at++ = (char)(value >> (8 * b));
    return at;
}

/* Numbers of 4 bytes, the lowest first. */
static void hash_labels(XXH3_state_t *state, const uint32_t *label, uint32_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    XXH3_128bits_update(state, label, count * sizeof *label);
#else
    char bytes[4096];
    for (uint32_t i = 0; i < count;) {
        char *at = bytes;
        for (; i < count && at < bytes + sizeof bytes; i++)
            at = put(at, label[i], 4);
        XXH3_128bits_update(state, bytes, (size_t)(at - bytes));
    }
#endif
}

void hcbr_i_model_fingerprint(uint64_t out[2], const hcbr_cases *cases, const uint64_t digest[2]) {
    const hcbr_i_labels *labels = &cases->labels;
    XXH3_state_t state;
    char head[32], *at = head;
    XXH3_128bits_reset(&state);
    at = put(at, digest[0], 8);
    at = put(at, digest[1], 8);
    at = put(at, cases->case_count, 8);
    put(at, labels->count, 8);
    XXH3_128bits_update(&state, head, sizeof head);
    for (uint32_t l = 0; l < labels->count; l++) {
        put(head, labels->lengths[l], 8);
        XXH3_128bits_update(&state, head, 8);
        XXH3_128bits_update(&state, labels->names[l], labels->lengths[l]);
    }
    hash_labels(&state, cases->label, cases->case_count);
    XXH128_hash_t h = XXH3_128bits_digest(&state);
    out[0] = h.low64;
    out[1] = h.high64;
}
