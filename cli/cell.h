/**
 * @file cell.h
 * Columns of readable text.
 */
#ifndef HCBR_CLI_CELL_H
#define HCBR_CLI_CELL_H

#include "out.h"

#include <hcbr/hcbr.h>

/** Write a cell, filled up with blanks. */
void put_cell(out *o, const hcbr_cell *c, size_t columns, bool right);
/** Write text cut to its column, with at least one blank after or before it. */
void put_text(out *o, const char *text, size_t length, size_t columns, bool right);
void put_count(out *o, uint64_t value, size_t columns);

/** Append a feature as hcbr_shown_feature() says it; false: it was cut. */
bool cell_add_shown(hcbr_cell *c, const hcbr_model *model, const hcbr_feature *feature,
                    size_t columns);
/** Append the source of a belief and its weight; a long source is cut. */
void cell_add_stated(hcbr_cell *c, const char *source, double weight, size_t columns);

/** Digits after the point that give the largest number of a column four significant ones; -1: it is
 *  too small for that, and numbers are written with an exponent. */
int decimals_for(double largest);
void put_number(out *o, double value, int decimals, size_t columns);
/** The same with its sign. */
void put_signed(out *o, double value, int decimals, size_t columns);

#endif
