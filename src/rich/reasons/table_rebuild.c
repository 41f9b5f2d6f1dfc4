/*
 * The table of merged cases, made again from the kept cases: categories and members are stored by
 * row, codes of numbers follow from the numbers of a row's cases. Nothing is sorted.
 *
 * Invariant: the table is the one of training. All cases of a row have its label and its codes, and
 * rows ascend by the key of their content; any other file is refused.
 */
#include "rich/encode/kept_cases.h"

#include <math.h>

#define ASK 1024 /* rows between two questions */

typedef struct again {
    const hcbr_i_rich_past *past;
    const hcbr_i_rich_encoder *e;
    hcbr_i_rich_table *t;
    uint32_t *first; /* by row: its first case */
    const hcbr_i_rich_watch *watch;
} again;

/* Report progress at intervals of rows. */
static hcbr_status ask(const again *a, uint32_t row, hcbr_error *err) {
    return row % ASK == 0 ? hcbr_i_rich_tell(a->watch, 0, 0, err) : HCBR_OK;
}

static hcbr_status not_those(hcbr_error *err) {
    return hcbr_i_fail(err, HCBR_EFORMAT,
                       "the model keeps cases that are not those it was fitted to");
}

/* A row's label and weight, by its cases. */
static hcbr_status take_cases(again *a, const uint32_t *label, const double *weight,
                              hcbr_error *err) {
    hcbr_i_rich_table *t = a->t;
    for (uint32_t r = 0; r < t->rows; r++)
        a->first[r] = HCBR_I_NONE;
    for (uint32_t i = 0; i < a->past->count; i++) {
        uint32_t r = a->past->row_of[i];
        if (r == HCBR_I_NONE)
            continue;
        if (a->first[r] == HCBR_I_NONE) {
            a->first[r] = i;
            t->label[r] = label[i];
        } else if (t->label[r] != label[i]) {
            return not_those(err);
        }
        t->weight[r] += weight ? weight[i] : 1;
    }
    for (uint32_t r = 0; r < t->rows; r++)
        if (a->first[r] == HCBR_I_NONE || !(t->weight[r] > 0))
            return not_those(err);
    return HCBR_OK;
}

/* Codes of one number, which must be equal in all cases of a row. */
static hcbr_status code_number(again *a, uint32_t column, const hcbr_i_rich_packed *packed,
                               hcbr_error *err) {
    const hcbr_i_rich_key *key = &a->e->keys[a->e->columns[column].key];
    const double *cuts = a->e->cuts + key->cut_start;
    const unsigned char *bytes = a->past->bytes + packed->at;
    uint8_t *codes = a->t->codes + (size_t)column * a->t->rows;
    for (uint32_t i = 0; i < a->past->count; i++) {
        uint32_t r = a->past->row_of[i];
        double value = hcbr_i_rich_unpack(packed, bytes, i);
        uint8_t code = isnan(value) ? 0 : hcbr_i_rich_code(cuts, key->cut_count, value);
        if (r == HCBR_I_NONE)
            continue;
        if (a->first[r] == i)
            codes[r] = code;
        else if (codes[r] != code)
            return not_those(err);
    }
    return HCBR_OK;
}

static hcbr_status code_columns(again *a, hcbr_error *err) {
    const hcbr_i_rich_past *p = a->past;
    hcbr_status st = HCBR_OK;
    size_t dense = 0, category = 0;
    for (uint32_t c = 0; st == HCBR_OK && c < a->e->column_count; c++) {
        if ((st = hcbr_i_rich_tell(a->watch, 0, 0, err)) != HCBR_OK)
            break;
        if (a->e->columns[c].ordered) {
            st = code_number(a, c, &p->columns[dense++], err);
            continue;
        }
        for (size_t r = 0; r < p->rows; r++)
            a->t->codes[(size_t)c * p->rows + r] = p->codes[r * p->categories + category];
        category++;
    }
    return st;
}

/* Members of a row: its features, and those of its sparse numbers. out NULL: only count them. */
static uint32_t list_bag(const again *a, uint32_t row, uint32_t *out) {
    const hcbr_i_rich_past *p = a->past;
    uint32_t i = a->first[row], count = 0;
    uint64_t b = p->bag_start[row], end = p->bag_start[row + 1];
    uint64_t n = p->sparse_start ? p->sparse_start[i] : 0;
    uint64_t last = p->sparse_start ? p->sparse_start[i + 1] : 0;
    while (b < end || n < last) { // both rise
        const hcbr_i_rich_key *key = n < last ? &a->e->keys[p->sparse_key[n]] : NULL;
        if (!key || (b < end && p->bag[b] < key->bag)) {
            if (out)
                out[count] = p->bag[b];
            count++;
            b++;
            continue;
        }
        uint32_t code =
            hcbr_i_rich_code(a->e->cuts + key->cut_start, key->cut_count, p->sparse_value[n++]);
        for (uint32_t j = 0; j < code; j++, count++)
            if (out)
                out[count] = key->bag + j;
    }
    return count;
}

/* Whether a case has the sparse numbers of the first case of its row. */
static bool same_sparse(const again *a, uint32_t i, uint32_t first) {
    const hcbr_i_rich_past *p = a->past;
    uint64_t x = p->sparse_start[i], y = p->sparse_start[first];
    if (p->sparse_start[i + 1] - x != p->sparse_start[first + 1] - y)
        return false;
    for (; x < p->sparse_start[i + 1]; x++, y++) {
        const hcbr_i_rich_key *key = &a->e->keys[p->sparse_key[x]];
        const double *cuts = a->e->cuts + key->cut_start;
        if (p->sparse_key[x] != p->sparse_key[y] ||
            hcbr_i_rich_code(cuts, key->cut_count, p->sparse_value[x]) !=
                hcbr_i_rich_code(cuts, key->cut_count, p->sparse_value[y]))
            return false;
    }
    return true;
}

static hcbr_status fill_bags(again *a, hcbr_error *err) {
    hcbr_i_rich_table *t = a->t;
    uint64_t members = 0;
    hcbr_status st = HCBR_OK;
    for (uint32_t i = 0; st == HCBR_OK && a->past->sparse_start && i < a->past->count; i++) {
        const uint32_t r = a->past->row_of[i];
        if ((st = ask(a, i, err)) == HCBR_OK && r != HCBR_I_NONE && !same_sparse(a, i, a->first[r]))
            return not_those(err);
    }
    for (uint32_t r = 0; st == HCBR_OK && r < t->rows; r++) {
        st = ask(a, r, err);
        t->bag_start[r] = members;
        members += list_bag(a, r, NULL);
    }
    t->bag_start[t->rows] = members;
    if (st != HCBR_OK)
        return st;
    if (!(t->bag = hcbr_i_alloc((size_t)members, sizeof *t->bag)))
        return hcbr_i_no_memory(err);
    for (uint32_t r = 0; st == HCBR_OK && r < t->rows; r++)
        if ((st = ask(a, r, err)) == HCBR_OK)
            list_bag(a, r, t->bag + t->bag_start[r]);
    return st;
}

hcbr_status hcbr_i_rich_past_table(const hcbr_i_rich_past *past, const hcbr_i_rich *rich,
                                   const uint32_t *label, const double *weight,
                                   hcbr_i_rich_table *out, const hcbr_i_rich_watch *watch,
                                   hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    *out = (hcbr_i_rich_table){.rows = past->rows,
                               .columns = e->column_count,
                               .bag_count = e->bag_count,
                               .labels = rich->labels,
                               .column = e->columns};
    again a = {.past = past, .e = e, .t = out, .watch = watch};
    size_t cells = 0, rows = past->rows;
    bool ok = !__builtin_mul_overflow(rows, (size_t)e->column_count, &cells);
    a.first = hcbr_i_alloc(rows, sizeof *a.first);
    out->codes = ok ? hcbr_i_alloc(cells, 1) : NULL;
    out->bag_start = hcbr_i_alloc(rows + 1, sizeof *out->bag_start);
    out->label = hcbr_i_alloc(rows, sizeof *out->label);
    out->weight = hcbr_i_alloc_zero(rows, sizeof *out->weight);
    ok = ok && a.first && out->codes && out->bag_start && out->label && out->weight;
    hcbr_status st = ok ? take_cases(&a, label, weight, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = code_columns(&a, err);
    if (st == HCBR_OK)
        st = fill_bags(&a, err);
    if (st == HCBR_OK && !hcbr_i_rich_table_key(out, rich->seed))
        st = hcbr_i_no_memory(err);
    for (uint32_t r = 1; st == HCBR_OK && r < out->rows; r++)
        if (out->unit[r - 1] > out->unit[r])
            st = not_those(err);
    if (st == HCBR_OK && past->group) {
        if ((out->group = hcbr_i_alloc(rows, sizeof *out->group)))
            memcpy(out->group, past->group, rows * sizeof *out->group);
        else
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK && !hcbr_i_rich_table_deal(out, rich->seed))
        st = hcbr_i_no_memory(err);
    hcbr_i_free(a.first);
    if (st != HCBR_OK)
        hcbr_i_rich_table_clear(out);
    return st;
}
