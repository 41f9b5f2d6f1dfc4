/**
 * @file plain_score.h
 * Scores of plain models: functions of the engine (interface.h). Private to src/plain.
 */
#ifndef HCBR_I_PLAIN_SCORE_H
#define HCBR_I_PLAIN_SCORE_H

#include "plain/plain.h"

hcbr_status hcbr_i_plain_scorer_create(void **out, const void *state, const hcbr_i_frame *frame,
                                       hcbr_error *err);
void hcbr_i_plain_scorer_free(void *scorer);
double *hcbr_i_plain_support(void *scorer);
hcbr_status hcbr_i_plain_gather(void *scorer, const hcbr_i_feature_id *ids, size_t count,
                                size_t *known, hcbr_error *err);
hcbr_i_score hcbr_i_plain_score(void *scorer, uint64_t features, double *probability);
bool hcbr_i_plain_has_pairs(const void *state);
void hcbr_i_plain_pairs(const void *state, const hcbr_i_feature_id *features, size_t count,
                        hcbr_i_pair *out);
hcbr_i_score hcbr_i_plain_score_pair(void *scorer, const hcbr_i_pair_sums *sums, uint64_t features);

#endif
