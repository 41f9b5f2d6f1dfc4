/*
 * Past cases that weigh, but not in the lead: they move a third label, or two labels by the same.
 * With those for and those against they are all that put something into a support.
 */
#include "reasons.h"

#include <math.h>

/* Keep past case i if it has an influence on any label. */
static bool keep(hcbr_explainer *x, uint32_t i) {
    uint32_t labels = x->model->labels.count;
    double *influence = x->sums + 4 * (size_t)labels, size = 0;
    hcbr_i_explainer_influence(x, i, HCBR_I_NONE, influence);
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

static bool list_met(hcbr_explainer *x, double least) {
    bool ok = true;
    for (size_t n = 0; ok && n < x->met_count; n++)
        if (fabs(x->lead_of[x->met[n]]) <= least)
            ok = keep(x, x->met[n]);
    return ok;
}

hcbr_status hcbr_i_explainer_pick_others(hcbr_explainer *x, double least, hcbr_explanation *e,
                                         hcbr_error *err) {
    x->other_count = 0;
    if (!x->rich && e->all_for + e->all_against == x->met_count)
        return HCBR_OK; // which is so with two labels, but for scope all
    if (!(x->rich ? hcbr_i_reasons_list_others(x, least, keep) : list_met(x, least)))
        return hcbr_i_no_memory(err);
    size_t most = x->options.cases < x->other_count ? x->options.cases : x->other_count;
    if (!hcbr_i_grow(&x->picked, &x->picked_capacity, most, sizeof *x->picked))
        return hcbr_i_no_memory(err);
    hcbr_i_picker p = {.items = x->picked, .most = most, .value = x->other_size, .sign = 1};
    for (uint32_t n = 0; n < x->other_count; n++)
        hcbr_i_picker_consider(&p, n);
    hcbr_i_picker_sort(&p);
    for (size_t n = 0; n < p.count; n++)
        p.items[n] = x->others[p.items[n]];
    e->others = hcbr_i_explainer_show(x, p.items, p.count, NULL, HCBR_I_NONE);
    e->other_count = p.count;
    e->all_others = x->other_count;
    return e->others ? HCBR_OK : hcbr_i_no_memory(err);
}
