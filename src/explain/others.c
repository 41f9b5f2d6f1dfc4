/*
 * Past cases with influence, but not on the lead: they move a third label, or two labels by the
 * same amount. With those for and those against they are all that contribute to a support.
 */
#include "explainer.h"

#include <math.h>

/* Keep past case i if it has an influence on any label. */
static bool keep(void *context, uint32_t i) {
    hcbr_explainer *x = context;
    uint32_t labels = x->model->labels.count;
    double *influence = x->a.sums + 4 * (size_t)labels, size = 0;
    if (i == x->itself)
        return true;
    x->engine->influence(&x->a, i, influence);
    for (uint32_t l = 0; l < labels; l++)
        size += fabs(influence[l]);
    if (size == 0)
        return true;
    if (!hcbr_i_grow(&x->others, &x->other_capacity, x->other_count + 1, sizeof *x->others) ||
        !hcbr_i_grow(&x->other_size, &x->other_size_capacity, x->other_count + 1,
                     sizeof *x->other_size))
        return false;
    x->others[x->other_count] = i;
    x->other_size[x->other_count++] = size;
    return true;
}

hcbr_status hcbr_i_explainer_pick_others(hcbr_explainer *x, double least, hcbr_explanation *e,
                                         hcbr_error *err) {
    const bool itself = e->itself && fabs(e->itself->lead) > least;
    const uint64_t told = e->all_for + e->all_against + itself;
    x->other_count = 0;
    if (!x->engine->list_others(&x->a, least, told, keep, x))
        return hcbr_i_no_memory(err);
    size_t most = x->a.options.cases < x->other_count ? x->a.options.cases : x->other_count;
    if (!hcbr_i_grow(&x->picked, &x->picked_capacity, most, sizeof *x->picked))
        return hcbr_i_no_memory(err);
    hcbr_i_picker p = {.items = x->picked, .most = most, .value = x->other_size, .sign = 1};
    for (uint32_t n = 0; n < x->other_count; n++)
        hcbr_i_picker_consider(&p, n);
    hcbr_i_picker_sort(&p);
    for (size_t n = 0; n < p.count; n++)
        p.items[n] = x->others[p.items[n]];
    e->others = hcbr_i_explainer_show(x, p.items, p.count, NULL);
    e->other_count = p.count;
    e->all_others = x->other_count;
    return e->others ? HCBR_OK : hcbr_i_no_memory(err);
}
