/* Rows for tests: each is released once many others were made. */
#ifndef ROW_OF_H
#define ROW_OF_H

#include "explain/explainer.h"

enum { ROWS_KEPT = 64 };

static _Thread_local hcbr_row *rows_kept[ROWS_KEPT];

/* A row made by a decider; NULL: it cannot be made. */
static inline hcbr_row *row_by(hcbr_decider *decider, const hcbr_feature *f, size_t count) {
    static _Thread_local unsigned next;
    hcbr_row **row = &rows_kept[next++ % ROWS_KEPT];
    hcbr_row_free(*row);
    return hcbr_row_create(row, decider, f, count, NULL) == HCBR_OK ? *row : NULL;
}

static inline hcbr_row *row_of(const hcbr_explainer *x, const hcbr_feature *f, size_t count) {
    return row_by(x->decider, f, count);
}

/* Release all of them, before blocks are counted. */
static inline void rows_free(void) {
    for (unsigned n = 0; n < ROWS_KEPT; n++) {
        hcbr_row_free(rows_kept[n]);
        rows_kept[n] = NULL;
    }
}

#endif
