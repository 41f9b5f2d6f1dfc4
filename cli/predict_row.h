/**
 * @file predict_row.h
 * One row of answers as bytes; private to predict_write.c.
 */
#ifndef HCBR_CLI_PREDICT_ROW_H
#define HCBR_CLI_PREDICT_ROW_H

#include "predict_write.h"

/**
 * The column of a field, added if it is new.
 *
 * @param guess where it probably is.
 * @param place receives its number; may be NULL.
 */
int answers_column(answers *a, const hcbr_field *field, size_t guess, size_t *place);
/** Write the first line of a table to a->final. */
int answers_header(answers *a);
/** Write a row to a->to. Both set where the answer begins in a row that waits. */
int answers_table(answers *a, const hcbr_field *fields, size_t count, const hcbr_decision *d);
int answers_json(answers *a, const hcbr_field *fields, size_t count, const hcbr_decision *d);

#endif
