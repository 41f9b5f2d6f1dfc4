/*
 * A random sparse matrix of any types, and the same as a libsvm file.
 */
#include "random_sparse.h"

#include "faults.h"

#include <hcbr/number.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void draw(random_sparse *d, harness_random *r, FILE *out) {
    int rows = 2 + harness_below(r, 30), columns = 1 + harness_below(r, 200), count = 0;
    bool wide = harness_below(r, 2), large = harness_below(r, 2), single = harness_below(r, 2);
    bool ones = harness_below(r, 4) == 0;
    bool both = harness_below(r, 8) != 0;
    uint64_t first = (uint64_t)harness_below(r, 2);
    for (int i = 0; i < rows; i++) {
        d->starts32[i] = count;
        d->label[i] = (int8_t)((both && i < 2 ? i : harness_below(r, 3)) - 1);
        fprintf(out, "%d", d->label[i]);
        for (int k = harness_below(r, 12); k > 0; k--, count++) {
            int j = harness_below(r, columns);
            char text[HCBR_NUMBER_SIZE];
            float single_value = (float)(harness_below(r, 2000) - 1000) / 100;
            double value = single ? (double)single_value : harness_below(r, 9) / 7.0;
            d->indices32[count] = j;
            d->f64[count] = value;
            d->f32[count] = single_value;
            hcbr_number_format(text, value);
            if (single)
                snprintf(text, sizeof text, "%.2f", (double)single_value);
            if (!ones && harness_below(r, 20) == 0) { // missing: not in the file
                d->f64[count] = NAN;
                d->f32[count] = NAN;
                continue;
            }
            fprintf(out, " %llu:%s", (unsigned long long)j + first, ones ? "1" : text);
        }
        fprintf(out, "\n");
    }
    d->starts32[rows] = count;
    for (int i = 0; i < SPARSE_ITEMS; i++) {
        d->starts64[i] = d->starts32[i];
        d->indices64[i] = d->indices32[i];
    }
    d->matrix = (hcbr_sparse){.size = sizeof d->matrix,
                              .rows = (uint64_t)rows,
                              .columns = (uint64_t)columns,
                              .starts = wide ? (void *)d->starts64 : (void *)d->starts32,
                              .start_type = wide ? HCBR_MEMORY_I64 : HCBR_MEMORY_I32,
                              .indices = large ? (void *)d->indices64 : (void *)d->indices32,
                              .index_type = large ? HCBR_MEMORY_I64 : HCBR_MEMORY_I32,
                              .values = ones     ? NULL
                                        : single ? (void *)d->f32
                                                 : (void *)d->f64,
                              .value_type = single ? HCBR_MEMORY_F32 : HCBR_MEMORY_F64,
                              .count = (uint64_t)count,
                              .first = first};
    d->y = (hcbr_memory_column){.size = sizeof d->y,
                                .name = "label",
                                .type = HCBR_MEMORY_I8,
                                .length = (uint64_t)rows,
                                .values = d->label};
}

const char *sparse_draw(random_sparse *d, harness_random *r) {
    const char *path = fault_path("sparse.libsvm");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    memset(d, 0, sizeof *d);
    draw(d, r, out);
    assert_int_equal(fclose(out), 0);
    return path;
}
