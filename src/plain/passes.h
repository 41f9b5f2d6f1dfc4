/**
 * @file passes.h
 * The common part of both kinds of passes: progress, and the record of moves. Private to src/plain.
 */
#ifndef HCBR_I_PASSES_H
#define HCBR_I_PASSES_H

#include "plain/plain.h"

#define HCBR_I_TRAIN_STEP 65536u /* cases between two progress calls */

typedef struct hcbr_i_train_log hcbr_i_train_log;

hcbr_status hcbr_i_train_log_create(hcbr_i_train_log **out, uint32_t case_count, hcbr_error *err);
void hcbr_i_train_log_free(hcbr_i_train_log *log);

/**
 * The record of a case that was wrongly decided as `decided`: *delta has `count` numbers, 0 at
 * first, valid until the next call.
 */
hcbr_status hcbr_i_train_log_get(hcbr_i_train_log *log, uint32_t case_number, uint32_t decided,
                                 size_t count, double **delta, hcbr_error *err);

/** Everything recorded, in the order hcbr_i_moves promises. */
hcbr_status hcbr_i_train_log_finish(const hcbr_i_train_log *log, hcbr_i_moves *out,
                                    hcbr_error *err);

/** Report progress; HCBR_ECANCELLED if the caller asks to stop. */
hcbr_status hcbr_i_train_progress(const hcbr_i_train_options *options, uint32_t pass, uint32_t done,
                                  uint32_t case_count, hcbr_error *err);

hcbr_status hcbr_i_train_binary(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                                const hcbr_i_projections *projections, const uint32_t *label,
                                const uint32_t *order, const hcbr_i_train_options *options,
                                hcbr_i_train_log *log, uint64_t *errors, hcbr_error *err);
hcbr_status hcbr_i_train_many(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                              const hcbr_i_projections *projections, const uint32_t *label,
                              const uint32_t *order, const hcbr_i_train_options *options,
                              hcbr_i_train_log *log, uint64_t *errors, hcbr_error *err);

#endif
