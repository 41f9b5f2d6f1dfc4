/*
 * The rows of a matrix of weights that differ, with the number of cases and of positive ones that
 * have each. Tables often repeat their cases, and a sum over cases is the same sum over rows. Two
 * rows are equal if they have the same atoms and weights in the same order: cases with the same
 * features have them so. Rows stand in the order of their first cases.
 */
#include "study/space.h"

typedef struct row {
    const hcbr_i_space *of;
    uint32_t index;
} row;

static uint32_t length_of(const hcbr_i_space *s, uint32_t i) {
    return (uint32_t)(s->start[i + 1] - s->start[i]);
}

static bool same_row(const void *owner, uint32_t number, const void *wanted) {
    const hcbr_i_space *a = owner;
    const row *w = wanted;
    uint32_t count = length_of(a, number);
    if (count != length_of(w->of, w->index))
        return false;
    uint64_t x = a->start[number], y = w->of->start[w->index];
    for (uint32_t k = 0; k < count; k++)
        if (a->atom[x + k] != w->of->atom[y + k] || a->weight[x + k] != w->of->weight[y + k])
            return false;
    return true;
}

static uint64_t hash_row(const hcbr_i_hash_key *key, const hcbr_i_space *s, uint32_t i) {
    uint64_t hash = key->c;
    for (uint64_t j = s->start[i]; j < s->start[i + 1]; j++)
        hash = hcbr_i_fold(hash ^ key->a ^ s->atom[j], key->b);
    return hash;
}

static uint32_t add_row(hcbr_i_space *to, const hcbr_i_space *from, uint32_t i) {
    uint64_t at = to->start[to->case_count], count = length_of(from, i);
    for (uint64_t k = 0; k < count; k++) {
        to->atom[at + k] = from->atom[from->start[i] + k];
        to->weight[at + k] = from->weight[from->start[i] + k];
    }
    to->start[to->case_count + 1] = at + count;
    return to->case_count++;
}

hcbr_status hcbr_i_space_rows_make(hcbr_i_space_rows *out, const hcbr_i_space *from,
                                   hcbr_error *err) {
    size_t cases = from->case_count, entries = (size_t)from->start[cases];
    hcbr_i_hash_key key = hcbr_i_hash_key_make(0);
    hcbr_i_hash_table found = {0};
    *out = (hcbr_i_space_rows){
        .matrix = {.atom_count = from->atom_count,
                   .start = hcbr_i_alloc_zero(cases + 1, sizeof *out->matrix.start),
                   .atom = hcbr_i_alloc(entries, sizeof *out->matrix.atom),
                   .weight = hcbr_i_alloc(entries, sizeof *out->matrix.weight)},
        .cases = hcbr_i_alloc_zero(cases, sizeof *out->cases),
        .positives = hcbr_i_alloc_zero(cases, sizeof *out->positives)};
    if (!out->matrix.start || !out->matrix.atom || !out->matrix.weight || !out->cases ||
        !out->positives || !hcbr_i_hash_table_reserve(&found, cases)) {
        hcbr_i_hash_table_clear(&found);
        return hcbr_i_no_memory(err);
    }
    for (uint32_t i = 0; i < cases; i++) {
        uint64_t hash = hash_row(&key, from, i);
        uint32_t at = hcbr_i_hash_table_find(&found, hash, same_row, &out->matrix, &(row){from, i});
        if (at == HCBR_I_HASH_NONE) {
            at = add_row(&out->matrix, from, i);
            (void)hcbr_i_hash_table_add(&found, hash, at); // there is room
        }
        out->cases[at] += 1;
        out->positives[at] += from->positive[i];
    }
    hcbr_i_hash_table_clear(&found);
    return HCBR_OK;
}

void hcbr_i_space_rows_clear(hcbr_i_space_rows *rows) {
    hcbr_i_space_clear(&rows->matrix);
    hcbr_i_free(rows->cases);
    hcbr_i_free(rows->positives);
    *rows = (hcbr_i_space_rows){0};
}
