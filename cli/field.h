/**
 * @file field.h
 * Fields of csv and tsv.
 */
#ifndef HCBR_CLI_FIELD_H
#define HCBR_CLI_FIELD_H

#include "out.h"

/** Write a text in quotes, with quotes in it doubled. */
void put_quoted(out *o, const char *text, size_t length);
/** Write a field, in quotes where it needs them. */
void put_field(out *o, char delimiter, const char *text, size_t length);

#endif
