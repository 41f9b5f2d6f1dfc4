/*
 * The past cases with the largest contributions to the strengths of all atoms, label by label
 * (METHOD 9 with every atom at weight 1). A label's strengths sum to 1 before training, so the
 * figures are shares of a label. In a rich model it is the contribution of a case to the support of
 * an identical one.
 */
#include "explainer.h"

#include <math.h>

/* The contribution of case i, by label; returns the sum of absolute values. */
static double put_in(hcbr_explainer *x, uint32_t i, double *by_label) {
    double all = 0;
    x->engine->own(&x->a, i, by_label);
    for (uint32_t l = 0; l < x->model->labels.count; l++)
        all += fabs(by_label[l]);
    return all;
}

static void show(hcbr_explainer *x, uint32_t i, double *by_label, hcbr_explained_case *out) {
    *out = hcbr_i_frame_case(&x->a.frame, i);
    out->lead = put_in(x, i, by_label);
    out->influence = by_label;
}

hcbr_status hcbr_explainer_rank(hcbr_explainer *x, uint64_t index, size_t most,
                                hcbr_case_ranking *ranking, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, ranking", x, ranking) || HCBR_I_UNSIZED(err, ranking))
        return HCBR_EUSAGE;
    hcbr_case_ranking out = {.size = ranking->size};
    uint64_t all = hcbr_model_kept_count(x->model);
    uint32_t labels = x->model->labels.count;
    hcbr_i_hand_out(ranking, &out, sizeof out);
    const uint64_t first = index == UINT64_MAX ? 0 : index, end = first == index ? index + 1 : all;
    if (end > all)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the model keeps no case number %llu",
                           (unsigned long long)index);
    hcbr_i_account_forget(&x->a);
    hcbr_status st = x->engine->own_begin(&x->a, err);
    if (st != HCBR_OK)
        return st;
    most = most < all ? most : (size_t)all;
    double *value = hcbr_i_account_take(&x->a, (size_t)all, sizeof *value);
    uint32_t *items = hcbr_i_account_take(&x->a, most, sizeof *items);
    double *influence = hcbr_i_account_take(&x->a, most + 1, labels * sizeof *influence);
    hcbr_explained_case *list = hcbr_i_account_take(&x->a, most, sizeof *list);
    if (!value || !items || !influence || !list)
        return hcbr_i_no_memory(err);
    hcbr_i_picker p = {.items = items, .most = most, .value = value, .sign = 1};
    for (uint32_t i = (uint32_t)first; i < end; i++) {
        if (first != index && hcbr_i_beliefs_again(x->model->beliefs, all, i))
            continue; // the first case of a belief speaks for all of them
        value[i] = put_in(x, i, influence);
        hcbr_i_picker_offer(&p, i);
    }
    hcbr_i_picker_sort(&p);
    for (size_t n = 0; n < p.count; n++)
        show(x, p.items[n], influence + n * labels, &list[n]);
    out.cases = list;
    out.count = p.count;
    hcbr_i_hand_out(ranking, &out, sizeof out);
    return HCBR_OK;
}
