/**
 * @file trained.h
 * Rows that a model was trained on and is now used on.
 */
#ifndef HCBR_CLI_TRAINED_H
#define HCBR_CLI_TRAINED_H

#include "term.h"

#include <hcbr/hcbr.h>

typedef struct trained_rows {
    uint64_t looked, trained; /**< rows compared, and those of them that it knows */
} trained_rows;

/** Compare the first rows of data, unless a file can be read only once. */
trained_rows trained_count(const hcbr_model *model, const char *const *paths, size_t count,
                           const hcbr_read_options *read);
/** Say it, if there are any. */
void trained_note(term *t, trained_rows rows);

#endif
