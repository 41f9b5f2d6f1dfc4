/**
 * @file explain_input.h
 * How data will be read, shown before anything is trained.
 */
#ifndef HCBR_CLI_EXPLAIN_INPUT_H
#define HCBR_CLI_EXPLAIN_INPUT_H

#include "opt.h"
#include "term.h"

/** Show it on standard output, as text or JSON (schema hcbr.input/1). Returns the exit status. */
int explain_input(term *t, const args *given, const hcbr_read_options *options,
                  const hcbr_train_options *train);

#endif
