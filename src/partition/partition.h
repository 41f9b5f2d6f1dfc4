/**
 * @file partition.h
 * From the case base to atoms (METHOD 2.1), and from a case to its projection.
 *
 * Two features share an atom iff they occur in exactly the same cases. Each case draws a 64-bit
 * hash; a feature's signature is the sum of the hashes of its cases. Features of equal signature
 * and equal count are put together, and while cases are projected it is verified that each feature
 * stands only in cases that also hold its atom's first feature: with equal counts that proves equal
 * sets. If it fails, everything is done again with other hashes. So the result is certain.
 */
#ifndef HCBR_I_PARTITION_H
#define HCBR_I_PARTITION_H

#include "encode/encode.h"

typedef uint32_t hcbr_i_atom_id;

/** The partition. Atoms are numbered by falling count of cases, then by their first feature. */
typedef struct hcbr_i_atoms {
    uint32_t feature_count;
    uint32_t count;
    hcbr_i_atom_id *of;           /**< atom of each feature */
    uint32_t *size;               /**< |e| */
    uint32_t *degree;             /**< d(e), cases that contain e */
    uint32_t *labels;             /**< sum of the labels of those cases (with two labels, d^(1)(e));
                                       only while a model is built, NULL in one that was loaded */
    uint64_t signature_digest[2]; /**< over names and signatures: see docs/FORMAT.md, fingerprint */
} hcbr_i_atoms;

/** Cases as sets of atoms. */
typedef struct hcbr_i_projections {
    uint32_t case_count;
    uint64_t *start; /**< case i has atoms[start[i] .. start[i+1]) */
    hcbr_i_atom_id *atoms;
    bool borrowed; /**< both arrays are the case base's, of start and of features, replaced */
} hcbr_i_projections;

typedef struct hcbr_i_partition_options {
    uint32_t threads;
    bool in_place;        /**< write the projections over the case base */
    uint64_t forged_mask; /**< tests: keep only these bits of the first signatures; 0: all */
    uint32_t *attempts;   /**< tests: receives how often hashes were drawn; may be NULL */
    hcbr_i_pool *pool;    /**< for working memory; may be NULL */
} hcbr_i_partition_options;

/** Build the atoms and project every case of the base. */
hcbr_status hcbr_i_partition_build(hcbr_i_atoms *atoms, hcbr_i_projections *projections,
                                   const struct hcbr_cases *cases,
                                   const hcbr_i_partition_options *options, hcbr_error *err);

void hcbr_i_atoms_clear(hcbr_i_atoms *atoms);
void hcbr_i_projections_clear(hcbr_i_projections *projections);

#endif
