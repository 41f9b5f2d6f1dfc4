/*
 * Whether a row is one of the cases that the model was built from.
 *
 * It is if every value is the same and its id, too; or, if data or model have no ids, if it is in
 * the same row with the same label. An equal case with another id is another case.
 */
#include "decide/decide.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const hcbr_feature *p = a, *q = b;
    int order = hcbr_i_text_compare(p->key, p->key_length, q->key, q->key_length);
    if (order || !p->value || !q->value)
        return order ? order : (p->value != NULL) - (q->value != NULL);
    return hcbr_i_text_compare(p->value, p->value_length, q->value, q->value_length);
}

/* The same value, however a number is spelled. */
static bool same(const hcbr_feature *a, const hcbr_feature *b) {
    double x, y;
    if (hcbr_i_feature_same(a, b))
        return true;
    return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0 &&
           a->value && b->value && hcbr_number_parse(&x, a->value, a->value_length) &&
           hcbr_number_parse(&y, b->value, b->value_length) && x == y;
}

/* Whether past case i has exactly these values, which are sorted. */
static hcbr_status is_equal(const hcbr_model *m, uint64_t i, const hcbr_feature *sorted,
                            size_t count, bool *equal, hcbr_error *err) {
    hcbr_feature *kept = NULL;
    size_t kept_count;
    hcbr_status st = hcbr_model_copy_kept(m, i, &kept, &kept_count, err);
    *equal = st == HCBR_OK && kept_count == count;
    if (*equal && count)
        qsort(kept, count, sizeof *kept, compare);
    for (size_t n = 0; *equal && n < count; n++)
        *equal = same(&kept[n], &sorted[n]);
    hcbr_bytes_free(kept);
    return st;
}

/* The past case of a row; UINT64_MAX: none. */
static uint64_t of_row(const hcbr_model *m, uint64_t row) {
    uint64_t low = 0, high = m->case_count;
    if (!m->kept_row)
        return row > 0 && row <= m->case_count ? row - 1 : UINT64_MAX;
    while (low < high) { // rows are kept in their order
        const uint64_t middle = low + (high - low) / 2;
        if (m->kept_row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->case_count && m->kept_row[low] == row ? low : UINT64_MAX;
}

static bool has_id(const hcbr_model *m, uint64_t i, const hcbr_row_info *d) {
    const uint64_t at = m->kept_id_start[i];
    return m->kept_id_start[i + 1] - at == d->id_length &&
           memcmp(m->kept_ids + at, d->id, d->id_length) == 0;
}

bool hcbr_i_row_may_be_past(const hcbr_model *m, const hcbr_row_info *d) {
    if (hcbr_model_kept_count(m) == 0)
        return false;
    if (d->id && m->kept_ids)
        return true;
    const uint64_t i = d->given ? of_row(m, d->row) : UINT64_MAX;
    return i != UINT64_MAX &&
           hcbr_model_find_label(m, d->given, d->given_length) == (hcbr_label)m->kept_label[i];
}

hcbr_status hcbr_i_row_find_itself(const hcbr_row *row, uint64_t *out, hcbr_error *err) {
    const hcbr_model *m = row->model;
    const hcbr_row_info *d = &row->info;
    const hcbr_i_case *x = &row->x;
    const bool by_id = d->id && m->kept_ids;
    hcbr_status st = HCBR_OK;
    bool equal = false;
    *out = UINT64_MAX;
    if (!hcbr_i_row_may_be_past(m, d)) // most may not: their values are not compared
        return HCBR_OK;
    const uint64_t first = of_row(m, d->row);
    hcbr_feature *sorted = hcbr_i_alloc(x->count, sizeof *sorted);
    if (!sorted)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < x->count; n++)
        sorted[n] = x->items[n].feature;
    if (x->count)
        qsort(sorted, x->count, sizeof *sorted, compare);
    if (first != UINT64_MAX && (!by_id || has_id(m, first, d)))
        st = is_equal(m, *out = first, sorted, x->count, &equal, err);
    const uint64_t real = m->case_count - hcbr_i_beliefs_cases(m->beliefs);
    for (uint64_t i = 0; by_id && st == HCBR_OK && !equal && i < real; i++)
        if (has_id(m, i, d))
            st = is_equal(m, *out = i, sorted, x->count, &equal, err);
    if (!equal)
        *out = UINT64_MAX;
    hcbr_i_free(sorted);
    return st;
}
