/**
 * @file dialect.h
 * How a csv or tsv file is written, found from its first lines by fixed rules; private to src/read.
 */
#ifndef HCBR_I_DIALECT_H
#define HCBR_I_DIALECT_H

#include "read/read.h"

typedef struct hcbr_i_dialect {
    char delimiter;
    bool padded;     /**< a blank after each delimiter belongs to it */
    bool no_header;  /**< the first line is a row */
    uint64_t lines;  /**< above the header */
    size_t bytes;    /**< of these lines */
    uint64_t fields; /**< of most lines */
} hcbr_i_dialect;

/** What is known beforehand. */
typedef struct hcbr_i_dialect_given {
    char delimiter;           /**< of the format, or asked for */
    bool is_asked;            /**< asked for: no other is tried */
    bool no_header;           /**< asked for */
    const char *const *names; /**< columns that options name: a line with one of them is a header */
    size_t name_count;
} hcbr_i_dialect_given;

#define HCBR_I_DIALECT_BYTES ((size_t)64 << 10) /* that are looked at, at the most */

/**
 * false: out of memory.
 *
 * @param bytes the file from its first line on; the last line may be cut unless `whole`.
 */
bool hcbr_i_dialect_find(hcbr_i_dialect *out, const hcbr_i_dialect_given *given, const char *bytes,
                         size_t size, bool whole);

#endif
