/*
 * What each column adds to a case: what a group adds is divided equally over the columns it tests,
 * and what a group adds that tests none is the rest.
 *
 * Invariant: bias, rest and all columns together are the support of every label, since all groups
 * are; places are 0 between calls, so that the cost follows the case and not the model.
 */
#include "explainer.h"

#include <stdlib.h>

/* ---- columns of keys ------------------------------------------------------------------------- */

/* Columns are the keys, and after them the columns of texts, whose words are keys. */
static uint32_t column_of(const hcbr_explainer *x, hcbr_i_key_id key) {
    const hcbr_i_stored_read *read = &x->model->read;
    uint32_t best = HCBR_I_NONE;
    size_t longest = 0;
    if (read->text_count == 0)
        return key;
    hcbr_i_text name = hcbr_i_dict_key(x->model->dict, key);
    char **texts = read->columns + 2 * (size_t)read->split_count;
    for (uint32_t t = 0; t < read->text_count; t++) {
        size_t length = strlen(texts[t]);
        if (length >= longest && length < name.length && name.at[length] == ':' &&
            memcmp(name.at, texts[t], length) == 0) {
            best = hcbr_i_dict_key_count(x->model->dict) + t;
            longest = length;
        }
    }
    return best == HCBR_I_NONE ? key : best;
}

static hcbr_i_text name_of(const hcbr_explainer *x, uint32_t column) {
    uint32_t keys = hcbr_i_dict_key_count(x->model->dict);
    if (column < keys)
        return hcbr_i_dict_key(x->model->dict, column);
    const char *text =
        x->model->read.columns[2 * (size_t)x->model->read.split_count + (column - keys)];
    return (hcbr_i_text){text, strlen(text)};
}

/* ---- sums ------------------------------------------------------------------------------------ */

void hcbr_i_by_column_clear(hcbr_i_by_column *by) {
    hcbr_i_free(by->place);
    hcbr_i_free(by->met);
    hcbr_i_free(by->sums);
    hcbr_i_free(by->tested);
    *by = (hcbr_i_by_column){0};
}

/* Where the sums of a column are; NULL: no memory. */
static double *sums_of(hcbr_explainer *x, uint32_t column) {
    hcbr_i_by_column *by = &x->by_column;
    size_t each = (size_t)x->model->labels.count + 1;
    if (by->place[column] == 0) {
        if (!hcbr_i_grow(&by->met, &by->met_capacity, by->count + 1, sizeof *by->met) ||
            !hcbr_i_grow(&by->sums, &by->sums_capacity, (by->count + 1) * each, sizeof *by->sums))
            return NULL;
        memset(by->sums + by->count * each, 0, each * sizeof *by->sums);
        by->met[by->count++] = column;
        by->place[column] = (uint32_t)by->count;
    }
    return by->sums + (by->place[column] - 1) * each;
}

static void add_part(const hcbr_explainer *x, double *to, const double *by_label, double parts) {
    for (uint32_t l = 0; l < x->model->labels.count; l++)
        to[l] += by_label[l] / parts;
}

static bool divide(void *context, const hcbr_i_key_id *keys, size_t count, const double *by_label,
                   double lead) {
    hcbr_explainer *x = context;
    hcbr_i_by_column *by = &x->by_column;
    uint32_t labels = x->model->labels.count;
    size_t different = 0;
    if (!hcbr_i_grow(&by->tested, &by->tested_capacity, count, sizeof *by->tested))
        return false;
    for (size_t n = 0; n < count; n++)
        by->tested[n] = column_of(x, keys[n]);
    if (count > 1)
        qsort(by->tested, count, sizeof *by->tested, hcbr_i_compare_u32);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || by->tested[n] != by->tested[n - 1])
            by->tested[different++] = by->tested[n];
    if (different == 0)
        add_part(x, x->a.sums + 5 * (size_t)labels, by_label, 1);
    for (size_t n = 0; n < different; n++) {
        double *to = sums_of(x, by->tested[n]);
        if (!to)
            return false;
        add_part(x, to, by_label, (double)different);
        to[labels] += lead / (double)different;
    }
    return true;
}

/* ---- showing --------------------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b) {
    const hcbr_explained_column *p = a, *q = b;
    int order = hcbr_i_order_size(p->lead, q->lead);
    return order ? order : hcbr_i_text_compare(p->name, p->name_length, q->name, q->name_length);
}

static hcbr_status show(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    const hcbr_i_by_column *by = &x->by_column;
    uint32_t labels = x->model->labels.count;
    size_t each = (size_t)labels + 1;
    hcbr_explained_column *out = hcbr_i_account_take(&x->a, by->count, sizeof *out);
    double *sums = hcbr_i_account_take(&x->a, by->count, each * sizeof *sums);
    if (!out || !sums)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < by->count; n++) {
        hcbr_i_text name = name_of(x, by->met[n]);
        double *own = sums + n * each;
        memcpy(own, by->sums + n * each, each * sizeof *own);
        out[n] = (hcbr_explained_column){name.at, name.length, own[labels], own};
    }
    if (by->count)
        qsort(out, by->count, sizeof *out, compare_columns);
    e->columns = out;
    e->all_columns = by->count;
    e->column_count = by->count < x->a.options.columns ? by->count : x->a.options.columns;
    return HCBR_OK;
}

hcbr_status hcbr_i_explainer_by_column(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    hcbr_i_by_column *by = &x->by_column;
    if (!by->place) {
        size_t columns = (size_t)hcbr_i_dict_key_count(x->model->dict) + x->model->read.text_count;
        if (!(by->place = hcbr_i_alloc_zero(columns, sizeof *by->place)))
            return hcbr_i_no_memory(err);
    }
    by->count = 0;
    hcbr_status st = x->engine->each_group(&x->a, divide, x, err);
    if (st == HCBR_OK)
        st = show(x, e, err);
    for (size_t n = 0; n < by->count; n++)
        by->place[by->met[n]] = 0;
    return st;
}
