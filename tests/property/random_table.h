/**
 * @file random_table.h
 * Random tables in memory, with the same rows as csv and jsonl: typed columns, their description as
 * record batches of Arrow, and the text of each value in a file, by rules of its own.
 */
#ifndef HCBR_TESTS_RANDOM_TABLE_H
#define HCBR_TESTS_RANDOM_TABLE_H

#include "harness.h"

#include <stdio.h>

#define TABLE_ROWS 90
#define TABLE_COLUMNS 9
#define TABLE_ITEMS 3     /* of a list */
#define TABLE_BLOCKS 2000 /* of memory */
#define TABLE_TEXT 80

/** A value as text in a file. */
typedef struct table_cell {
    bool missing;
    bool quoted; /**< in jsonl a string */
    char text[TABLE_TEXT];
} table_cell;

typedef struct table_column {
    char name[48];
    bool list;
    bool set;              /**< parts between | */
    bool few;              /**< few different values, none missing: a label */
    int count[TABLE_ROWS]; /**< of a list: items */
    table_cell cells[TABLE_ROWS][TABLE_ITEMS];
    hcbr_memory_column items, dictionary;
} table_column;

typedef struct random_table {
    int rows, count;
    bool jsonl; /**< lists may be among the columns: the file is jsonl, else csv */
    table_column columns[TABLE_COLUMNS];
    hcbr_memory_column described[TABLE_COLUMNS]; /**< in the form of the library */
    struct ArrowSchema schema;
    struct ArrowArray array;
    void *blocks[TABLE_BLOCKS]; /**< memory, each block of exactly the size needed */
    int block_count;
} random_table;

/** Draw a table; column 0 is its label. arrow: only types that Arrow has. */
void table_draw(random_table *t, harness_random *r, bool jsonl, bool arrow);
/** Describe its columns to Arrow, in t->schema and t->array. */
void table_to_arrow(random_table *t);
/** Write it as a file of the test's folder (faults.h); returns its path, which the next call with
 *  such a table overwrites. */
const char *table_file(const random_table *t);
/** An hcbr_words_fn: words between blanks, unchanged. */
int table_words(void *context, const char *text, size_t length, hcbr_word_fn *add, void *to);
void table_free(random_table *t);

/** A stream of batches of a table, of some rows each. */
typedef struct table_stream {
    struct ArrowArrayStream stream;
    const random_table *table;
    int64_t at;
    int64_t step;
    int given, released; /**< batches */
    bool schema_given, schema_released;
    int fail_at; /**< this batch fails, from 1; 0: none */
} table_stream;
void table_stream_init(table_stream *s, const random_table *t, int64_t step);

#endif
