/**
 * @file sample.h
 * A sample of the different values of a column (sample.c).
 *
 * It is a part of kinds/kinds.h, which others include.
 */
#ifndef HCBR_I_SAMPLE_H
#define HCBR_I_SAMPLE_H

#include "base/base.h"

#define HCBR_I_SAMPLE_TEXT 120

/** One of the different values. */
typedef struct hcbr_i_sampled {
    uint64_t hash;
    uint64_t count;  /**< how often it occurs: exact */
    uint32_t length; /**< of the value; at most HCBR_I_SAMPLE_TEXT bytes of it are kept */
    char text[HCBR_I_SAMPLE_TEXT];
} hcbr_i_sampled;

#define HCBR_I_SAMPLE_MOST 128

/** The different values with the `limit` smallest hashes. The choice does not depend on the order
 *  of the values, and each was counted from its first occurrence on. */
typedef struct hcbr_i_sample {
    hcbr_i_sampled *values; /**< in no particular order; see hcbr_i_sample_get() */
    size_t count, capacity, limit;
    uint64_t bound;                    /**< larger hashes are not kept any more */
    uint8_t hint[16];                  /**< by the last bits of a hash: its last index */
    uint8_t order[HCBR_I_SAMPLE_MOST]; /**< indices of the values by ascending hash */
} hcbr_i_sample;

/** Start without values; `order` is not used before there are some. */
static inline void hcbr_i_sample_init(hcbr_i_sample *sample, size_t limit) {
    sample->values = NULL;
    sample->count = sample->capacity = 0;
    sample->limit = limit;
    sample->bound = UINT64_MAX;
    memset(sample->hint, 0, sizeof sample->hint);
}

/** Value i by ascending hash. */
static inline const hcbr_i_sampled *hcbr_i_sample_get(const hcbr_i_sample *sample, size_t i) {
    return sample->values + sample->order[i];
}

/** The same on every machine and in every process. */
uint64_t hcbr_i_value_hash(const char *text, size_t length);
/** Make room for one more value; false: no memory, nothing changed. */
static inline bool hcbr_i_sample_reserve(hcbr_i_sample *sample);
/** The part that allocates. */
bool hcbr_i_sample_grow(hcbr_i_sample *sample);
static inline bool hcbr_i_sample_reserve(hcbr_i_sample *sample) {
    return HCBR_I_LIKELY(sample->count < sample->capacity || sample->count == sample->limit) ||
           hcbr_i_sample_grow(sample);
}
/** Count a value if the sample has it; false: it has not, and *place is where its hash belongs. */
bool hcbr_i_sample_count(hcbr_i_sample *sample, uint64_t hash, uint64_t count, size_t *place);
/** Insert a new value at `place`; there is room for one more. */
void hcbr_i_sample_insert(hcbr_i_sample *sample, size_t place, uint64_t hash, const char *text,
                          size_t length, uint64_t count);
/** Count a value whose hash is not above the bound; there is room for one more. */
void hcbr_i_sample_add_now(hcbr_i_sample *sample, uint64_t hash, const char *text, size_t length,
                           uint64_t count);
/** Count a value; there is room for one more. */
static inline void hcbr_i_sample_add(hcbr_i_sample *sample, uint64_t hash, const char *value,
                                     size_t length, uint64_t count) {
    if (hash <= sample->bound)
        hcbr_i_sample_add_now(sample, hash, value, length, count);
}
/** Add what another sample has; there is room for `limit` values. */
void hcbr_i_sample_merge(hcbr_i_sample *into, const hcbr_i_sample *from);
/** The number of different values: exact up to the limit, else within about a tenth. */
uint64_t hcbr_i_sample_distinct(const hcbr_i_sample *sample, uint64_t values);

#endif
