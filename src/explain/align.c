/*
 * A case and a past case, column by column: the compared features are grouped by the columns that
 * they are values of.
 *
 * Invariant: every compared feature is in one column, so the effects of columns add up to those of
 * features.
 */
#include "explainer.h"

#include <math.h>
#include <stdlib.h>

#define FAR 0.1 /* part of the cuts of a column */

/* A feature with its position. */
typedef struct placed {
    hcbr_i_text column;
    const hcbr_compared_feature *feature;
    size_t number; /* in the comparison, which has shared ones first */
    int part;      /* 0 shared, 1 only here, 2 only there */
} placed;

/* Columns in any order, as long as equal ones are adjacent. */
static int compare_placed(const void *a, const void *b) {
    const placed *p = a, *q = b;
    int order = 0;
    if (p->column.length != q->column.length)
        return p->column.length < q->column.length ? -1 : 1;
    if (p->column.at != q->column.at)
        order = memcmp(p->column.at, q->column.at, p->column.length);
    return order ? order : (p->number > q->number) - (p->number < q->number);
}

static int compare_columns(const void *a, const void *b) {
    const hcbr_compared_column *p = a, *q = b;
    int order = hcbr_i_order_size(p->lead_here - p->lead_there, q->lead_here - q->lead_there);
    return order ? order : hcbr_i_text_compare(p->name, p->name_length, q->name, q->name_length);
}

/* Bare keys have no column. */
static hcbr_i_text column_of(const hcbr_explainer *x, const hcbr_feature *f) {
    const hcbr_i_text key = {f->key, f->key_length};
    if (!f->value)
        return (hcbr_i_text){"", 0};
    const hcbr_i_text *text = hcbr_i_by_column_text(&x->by_column, key);
    return text ? *text : key;
}

/* The key of a feature of the current case, found by the place of its text, without a lookup. */
static hcbr_i_key_id key_of(const hcbr_explainer *x, const hcbr_feature *here) {
    const hcbr_i_case *own = &x->row->x;
    size_t n = 0;
    while (n < own->count && own->items[n].feature.key != here->key)
        n++;
    return n < own->count ? own->items[n].key : HCBR_I_NONE;
}

/* Whether few cuts are between two numbers of a column. */
static bool is_near(const hcbr_explainer *x, const hcbr_feature *here, const hcbr_feature *there) {
    hcbr_column column = {.size = sizeof column};
    double a, b;
    if (!x->engine->cuts_below || !hcbr_number_parse(&a, here->value, here->value_length) ||
        !hcbr_number_parse(&b, there->value, there->value_length))
        return false;
    const hcbr_i_key_id key = key_of(x, here);
    if (key == HCBR_I_NONE)
        return false;
    hcbr_model_get_column(x->model, key, &column);
    if (column.kind != HCBR_COLUMN_NUMBER)
        return false;
    const double between = fabs((double)x->engine->cuts_below(x->model->state, key, a) -
                                (double)x->engine->cuts_below(x->model->state, key, b));
    return between <= FAR * column.cuts;
}

static hcbr_alike alike(const hcbr_explainer *x, const hcbr_compared_column *c) {
    if (c->there_count == 0)
        return HCBR_ALIKE_ONLY_HERE;
    if (c->here_count == 0)
        return HCBR_ALIKE_ONLY_THERE;
    if (c->shared == c->here_count && c->shared == c->there_count)
        return HCBR_ALIKE_SAME;
    if (c->here_count == 1 && c->there_count == 1 && c->here->value && c->there->value &&
        is_near(x, c->here, c->there))
        return HCBR_ALIKE_NEAR;
    return HCBR_ALIKE_DIFFERENT;
}

/* The column of some adjacent features. */
static void put_column(const hcbr_explainer *x, const placed *at, size_t count,
                       hcbr_feature *values, hcbr_compared_column *out) {
    *out = (hcbr_compared_column){.name = at->column.at, .name_length = at->column.length};
    out->here = values;
    for (size_t n = 0; n < count; n++) {
        out->lead_here += at[n].feature->here;
        out->lead_there += at[n].feature->there;
        out->shared += at[n].part == 0;
        if (at[n].part <= 1)
            values[out->here_count++] = at[n].feature->feature;
    }
    values += out->here_count;
    out->there = values;
    for (size_t n = 0; n < count; n++)
        if (at[n].part != 1)
            values[out->there_count++] = at[n].feature->feature;
    out->alike = alike(x, out);
}

hcbr_status hcbr_i_explainer_align(hcbr_explainer *x, hcbr_comparison *out, hcbr_error *err) {
    const size_t all = out->shared + out->only_here + out->only_there;
    hcbr_status st = hcbr_i_by_column_begin(x, err);
    if (st != HCBR_OK)
        return st;
    placed *list = hcbr_i_account_take(&x->a, all, sizeof *list);
    hcbr_feature *values = hcbr_i_account_take(&x->a, 2 * all, sizeof *values);
    hcbr_compared_column *columns = hcbr_i_account_take(&x->a, all, sizeof *columns);
    if (!list || !values || !columns)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < all; n++) {
        const hcbr_compared_feature *f = &out->features[n];
        list[n] = (placed){column_of(x, &f->feature), f, n,
                           n < out->shared                    ? 0
                           : n < out->shared + out->only_here ? 1
                                                              : 2};
    }
    if (all)
        qsort(list, all, sizeof *list, compare_placed);
    for (size_t n = 0, end; n < all; n = end) {
        for (end = n + 1; end < all && hcbr_i_text_same(list[end].column, list[n].column);)
            end++;
        put_column(x, list + n, end - n, values + 2 * n, &columns[out->column_count++]);
    }
    if (out->column_count)
        qsort(columns, out->column_count, sizeof *columns, compare_columns);
    out->columns = columns;
    return HCBR_OK;
}
