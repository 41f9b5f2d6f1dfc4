/**
 * @file cell.h
 * Columns of readable text.
 */
#ifndef HCBR_CLI_CELL_H
#define HCBR_CLI_CELL_H

#include "out.h"

#include <hcbr/hcbr.h>

/** A piece of a line: bytes and how many columns they take. Zero it to start. */
typedef struct cell {
    char text[512];
    size_t used;
    size_t width;
} cell;

/** Append text, escaped, as far as it fits; false: it was cut. */
bool cell_add(cell *c, const char *text, size_t length, size_t columns);
/** Append text; if it does not fit, its beginning and three dots. */
void cell_add_cut(cell *c, const char *text, size_t length, size_t columns);
/** Append "key=value" or the bare key; false: it was cut. */
bool cell_add_feature(cell *c, const hcbr_feature *f, size_t columns);

/** Feature number n of some group. */
typedef hcbr_feature cell_feature_fn(const void *context, size_t n);
/** Append features joined with " & ", as many as fit, then how many more there are. */
void cell_add_features(cell *c, cell_feature_fn *get, const void *context, size_t count,
                       size_t columns);

/** Write a cell, filled up with blanks. */
void put_cell(out *o, const cell *c, size_t columns, bool right);
/** Write text cut to its column, followed by at least one blank. */
void put_text(out *o, const char *text, size_t length, size_t columns, bool right);
void put_count(out *o, uint64_t value, size_t columns);

/** Digits after the point that give the largest number of a column four significant ones; -1: it is
 *  too small for that, and numbers are written with an exponent. */
int decimals_for(double largest);
void put_number(out *o, double value, int decimals, size_t columns);

#endif
