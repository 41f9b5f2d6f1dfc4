/**
 * @file plain_part.h
 * Fitting, and models of parts of a base: functions of the engine (interface.h). Private to
 * src/plain.
 */
#ifndef HCBR_I_PLAIN_PART_H
#define HCBR_I_PLAIN_PART_H

#include "plain/plain.h"

void hcbr_i_plain_estimate(const hcbr_i_shape *shape, hcbr_estimate *out);
hcbr_status hcbr_i_plain_group(uint32_t **out, uint32_t *count, const struct hcbr_cases *cases,
                               uint32_t threads, hcbr_progress_fn *progress, void *context,
                               hcbr_error *err);
hcbr_status hcbr_i_plain_fit(void **state, hcbr_i_fitted *out, struct hcbr_cases *cases,
                             const hcbr_i_fit_options *options, hcbr_error *err);
hcbr_status hcbr_i_plain_part_create(void **out, const struct hcbr_cases *base,
                                     const uint32_t *cases, uint32_t count,
                                     const hcbr_i_part_options *options);
void hcbr_i_plain_part_free(void *part);
hcbr_label hcbr_i_plain_part_decide(void *part, uint32_t i, double *support, double *lead);

#endif
