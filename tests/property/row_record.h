/**
 * @file row_record.h
 * The whole result for explained rows as text, bit by bit, without memory of the library.
 */
#ifndef HCBR_TESTS_ROW_RECORD_H
#define HCBR_TESTS_ROW_RECORD_H

#include <hcbr/hcbr.h>

#include <stdio.h>

typedef struct row_record {
    char *text; /**< once complete */
    size_t size;
    FILE *out;
    uint64_t rows;    /**< so far */
    uint64_t last;    /**< number of the last one */
    uint64_t stop_at; /**< this row stops it, from 1; 0: none */
} row_record;

void row_record_begin(row_record *r);
/** An hcbr_explained_row_fn. Fails the test if rows are out of order. */
int row_record_take(void *context, const hcbr_explained_row *row);
void row_record_end(row_record *r);
void row_record_clear(row_record *r);
/** Fail the test unless both are equal. */
void row_record_expect(const row_record *found, const row_record *expected);

#endif
