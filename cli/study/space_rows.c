/*
 * The distinct rows of a matrix of weights, with the number of cases and of positive ones that have
 * each. Tables often repeat their cases, and a sum over cases is the same sum over rows. Two rows
 * are equal if they have the same atoms and weights in the same order; cases with the same features
 * do. Rows are in the order of their first cases.
 */
#include "space.h"

typedef struct row {
    const space *of;
    uint32_t index;
} row;

static int by_content(const void *a, const void *b) {
    const row *x = a, *y = b;
    const space *s = x->of;
    uint64_t i = s->start[x->index], j = s->start[y->index];
    uint64_t count = s->start[x->index + 1] - i, other = s->start[y->index + 1] - j;
    if (count != other)
        return count < other ? -1 : 1;
    for (; count > 0; i++, j++, count--) {
        if (s->atom[i] != s->atom[j])
            return s->atom[i] < s->atom[j] ? -1 : 1;
        if (s->weight[i] != s->weight[j])
            return s->weight[i] < s->weight[j] ? -1 : 1;
    }
    return 0;
}

static int by_row(const void *a, const void *b) {
    const int order = by_content(a, b);
    uint32_t x = ((const row *)a)->index, y = ((const row *)b)->index;
    return order ? order : (x > y) - (x < y);
}

static uint32_t add_row(space *to, const space *from, uint32_t i) {
    uint64_t at = to->start[to->case_count], count = from->start[i + 1] - from->start[i];
    memcpy(to->atom + at, from->atom + from->start[i], count * sizeof *to->atom);
    memcpy(to->weight + at, from->weight + from->start[i], count * sizeof *to->weight);
    to->start[to->case_count + 1] = at + count;
    return to->case_count++;
}

void space_rows_make(space_rows *out, const space *from) {
    const uint32_t cases = from->case_count;
    const size_t entries = (size_t)from->start[cases];
    *out =
        (space_rows){.matrix = {.atom_count = from->atom_count,
                                .start = study_alloc((size_t)cases + 1, sizeof *out->matrix.start),
                                .atom = study_alloc(entries, sizeof *out->matrix.atom),
                                .weight = study_alloc(entries, sizeof *out->matrix.weight)},
                     .cases = study_alloc(cases, sizeof *out->cases),
                     .positives = study_alloc(cases, sizeof *out->positives)};
    row *sorted = study_alloc(cases, sizeof *sorted);
    uint32_t *first = study_alloc(cases, sizeof *first);   /* by case: the first that equals it */
    uint32_t *number = study_alloc(cases, sizeof *number); /* by first case: its row */
    for (uint32_t i = 0; i < cases; i++)
        sorted[i] = (row){from, i};
    qsort(sorted, cases, sizeof *sorted, by_row);
    for (uint32_t k = 0; k < cases; k++)
        first[sorted[k].index] = k && by_content(&sorted[k - 1], &sorted[k]) == 0
                                     ? first[sorted[k - 1].index]
                                     : sorted[k].index;
    for (uint32_t i = 0; i < cases; i++) {
        if (first[i] == i)
            number[i] = add_row(&out->matrix, from, i);
        out->cases[number[first[i]]]++;
        out->positives[number[first[i]]] += from->positive[i];
    }
    free(sorted);
    free(first);
    free(number);
}

void space_rows_clear(space_rows *rows) {
    space_clear(&rows->matrix);
    free(rows->cases);
    free(rows->positives);
}
