/**
 * @file random_sparse.h
 * Random sparse matrices in memory, with a label for each row, and the same as a libsvm file.
 */
#ifndef HCBR_TESTS_RANDOM_SPARSE_H
#define HCBR_TESTS_RANDOM_SPARSE_H

#include "harness.h"

#define SPARSE_ITEMS 400

typedef struct random_sparse {
    hcbr_sparse matrix;
    int32_t starts32[SPARSE_ITEMS], indices32[SPARSE_ITEMS];
    int64_t starts64[SPARSE_ITEMS], indices64[SPARSE_ITEMS];
    double f64[SPARSE_ITEMS];
    float f32[SPARSE_ITEMS];
    int8_t label[SPARSE_ITEMS];
    hcbr_memory_column y;
} random_sparse;

/** Draw a matrix, of any types, with values that are missing in the file; mostly with two labels or
 *  more. Returns the path of the file, in the test's folder (faults.h); the next draw overwrites
 *  it. */
const char *sparse_draw(random_sparse *d, harness_random *r);

#endif
