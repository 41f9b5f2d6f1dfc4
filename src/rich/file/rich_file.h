/**
 * @file rich_file.h
 * The rich model as sections of a model file (docs/FORMAT.md, sections rich and reasons).
 */
#ifndef HCBR_I_RICH_FILE_H
#define HCBR_I_RICH_FILE_H

#include "rich/rich_model.h"

/* ---- lists by label (rich_file_lists.c) ------------------------------------------------------ */

void hcbr_i_rich_lists_write(hcbr_i_out *out, const hcbr_i_rich_lists *lists, size_t count);
/** Read `count` lists; the values may be any numbers. */
hcbr_status hcbr_i_rich_lists_read(hcbr_i_in *in, hcbr_i_rich_lists *lists, size_t count,
                                   uint32_t labels, const char *what, hcbr_error *err);
/** Check that lists begin at 0 and end no earlier than they begin. start: count + 1. */
hcbr_status hcbr_i_rich_lists_check_starts(const hcbr_i_in *in, const uint64_t *start, size_t count,
                                           const char *what, hcbr_error *err);
/** Check that the labels of each list exist and ascend. */
hcbr_status hcbr_i_rich_lists_check(const hcbr_i_in *in, const uint64_t *start, size_t count,
                                    const uint32_t *label, uint32_t labels, const char *what,
                                    hcbr_error *err);

/** Numbers of `bits` bits each, one after the other, up to a whole byte. */
void hcbr_i_rich_bits_write(hcbr_i_out *out, const uint32_t *values, uint64_t count, unsigned bits);
/** Read numbers with the bits that `most` needs; none may be above it. */
hcbr_status hcbr_i_rich_bits_read(hcbr_i_in *in, uint32_t **out, uint64_t count, uint32_t most,
                                  const char *what, hcbr_error *err);

/* ---- coded symbols (prefix_codes.c) ---------------------------------------------------------- */

/** Lengths of the codes of symbols with these counts; 0: unused symbol. False: no memory. */
bool hcbr_i_rich_code_lengths(const uint32_t *counts, uint32_t size, uint32_t *lengths);
/** Write symbols below `size`, frequent ones in fewer bits. */
void hcbr_i_rich_codes_write(hcbr_i_out *out, const uint32_t *symbols, uint64_t count,
                             uint32_t size);
/** all: every symbol must occur, if there are any. *out must be freed, also after a failure. */
hcbr_status hcbr_i_rich_codes_read(hcbr_i_in *in, uint32_t **out, uint64_t count, uint32_t size,
                                   bool all, const char *what, hcbr_error *err);

/* ---- trees (rich_file_trees.c) --------------------------------------------------------------- */

/** Trees of some forests, without the values of leaves; tests: number of columns and members. */
void hcbr_i_rich_trees_write(hcbr_i_out *out, const hcbr_i_rich_forest *const *forests,
                             size_t count, uint64_t tests);
/** Read into empty forests. */
hcbr_status hcbr_i_rich_trees_read(hcbr_i_in *in, hcbr_i_rich_forest *const *forests, size_t count,
                                   uint64_t tests, hcbr_error *err);
/** Numbers with many duplicates. */
void hcbr_i_rich_repeats_write(hcbr_i_out *out, const double *numbers, size_t count);
hcbr_status hcbr_i_rich_repeats_read(hcbr_i_in *in, double **out, uint64_t count, const char *what,
                                     hcbr_error *err);
void hcbr_i_rich_shares_write(hcbr_i_out *out, const hcbr_i_rich_shares *shares, size_t leaves,
                              uint32_t labels);
hcbr_status hcbr_i_rich_shares_read(hcbr_i_in *in, hcbr_i_rich_shares *shares, size_t leaves,
                                    uint32_t labels, hcbr_error *err);

/* ---- section rich (rich_file.c) -------------------------------------------------------------- */

void hcbr_i_rich_write(hcbr_i_out *out, const hcbr_i_rich *rich);
/** *out must be freed, also after a failure. */
hcbr_status hcbr_i_rich_read(hcbr_i_rich **out, const hcbr_i_frame *frame, hcbr_i_in *in,
                             hcbr_error *err);
/** Whether every number is in its range. Called by the reader and before writing. */
hcbr_status hcbr_i_rich_check(const hcbr_i_rich *rich, hcbr_error *err);
/** Describe the use of a key; does not set the name. */
void hcbr_i_rich_column_get(const hcbr_i_rich *rich, uint32_t number, hcbr_column *out);

/* ---- section counts (rich_file_counts.c) ----------------------------------------------------- */

/** The counts of cases by value. The section rich must have been read before. */
void hcbr_i_rich_counts_write(hcbr_i_out *out, const hcbr_i_rich *rich);
hcbr_status hcbr_i_rich_counts_read(hcbr_i_rich *rich, const hcbr_i_frame *frame, hcbr_i_in *in,
                                    hcbr_error *err);

/* ---- section cases (rich_file_cases.c) ------------------------------------------------------- */

/** The cases without their labels. */
void hcbr_i_rich_past_write(hcbr_i_out *out, const hcbr_i_rich *rich);
/** The section rich must have been read before. */
hcbr_status hcbr_i_rich_past_read(hcbr_i_rich *rich, const hcbr_i_frame *frame, hcbr_i_in *in,
                                  hcbr_error *err);

/* ---- section reasons (rich_file_reasons.c) --------------------------------------------------- */

/** Whether it is consistent with the model. A function of the engine (rich_file_check.c). */
hcbr_status hcbr_i_rich_agrees(const void *state, const hcbr_i_frame *m, bool fitted,
                               hcbr_error *err);
/** Whether a model with this `keep` has the section. */
bool hcbr_i_rich_has_reasons(const hcbr_i_rich *rich, hcbr_keep keep);
void hcbr_i_rich_kept_write(hcbr_i_out *out, const hcbr_i_rich *rich, const hcbr_i_frame *frame);
/** The section rich must have been read before. */
hcbr_status hcbr_i_rich_kept_read(hcbr_i_rich *rich, const hcbr_i_frame *frame, hcbr_i_in *in,
                                  hcbr_error *err);
/** As hcbr_i_rich_check(). */
hcbr_status hcbr_i_rich_kept_check(const hcbr_i_rich *rich, const hcbr_i_frame *frame,
                                   hcbr_error *err);

#endif
