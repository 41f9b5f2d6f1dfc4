/**
 * @file strength_build.h
 * Building strengths; private to src/plain.
 */
#ifndef HCBR_I_STRENGTH_BUILD_H
#define HCBR_I_STRENGTH_BUILD_H

#include "plain/plain.h"

/**
 * mu, sigma, d and total of two labels, scope class, fewer than 2^32 occurrences. out->cases is
 * set, total is all 0; the caller clears on failure.
 */
hcbr_status hcbr_i_strength_binary(hcbr_i_strength *out, const struct hcbr_cases *cases,
                                   const hcbr_i_atoms *atoms, const hcbr_i_projections *projections,
                                   const hcbr_i_means *means, hcbr_error *err);

#endif
