/**
 * @file signature.h
 * Signatures of features; private to src/plain.
 */
#ifndef HCBR_I_SIGNATURE_H
#define HCBR_I_SIGNATURE_H

#include "plain/plain.h"

#define HCBR_I_CHUNK 8192 /* cases or features that a thread takes at a time */

/** Equal sets of cases give equal signatures; different ones almost never do. */
typedef struct hcbr_i_signature {
    uint64_t sum;    /**< of the hashes of its cases, mod 2^64 */
    uint32_t count;  /**< of cases */
    uint32_t labels; /**< sum of their labels mod 2^32: with two labels, cases of the second */
} hcbr_i_signature;

/** Signatures of all features; *out from the pool. The hash of case i is mix(i ^ key). */
hcbr_status hcbr_i_signature_build(hcbr_i_signature **out, const struct hcbr_cases *cases,
                                   uint64_t key, const hcbr_i_means *means, hcbr_error *err);

/** hcbr_i_cases_digest() of a list with these signatures, whose first key is 0. */
hcbr_status hcbr_i_signature_digest(uint64_t digest[2], const hcbr_i_dict *dict,
                                    const hcbr_i_signature *signatures, const hcbr_i_means *means,
                                    hcbr_error *err);

/**
 * Put features of equal signature together: first[f] receives the smallest feature of f's group.
 * Only the bits of mask are compared.
 */
hcbr_status hcbr_i_signature_group(uint32_t *first, const hcbr_i_signature *signatures,
                                   uint32_t feature_count, uint64_t mask, const hcbr_i_means *means,
                                   hcbr_error *err);

/** hcbr_i_parallel_watched() with these resources, in pieces of `chunk`. */
static inline hcbr_status hcbr_i_means_run(const hcbr_i_means *means, uint64_t count,
                                           uint64_t chunk, hcbr_i_task *task, void *context,
                                           hcbr_error *err) {
    return hcbr_i_parallel_watched(means->threads, count, chunk, task, context, means->watch, err);
}

#endif
