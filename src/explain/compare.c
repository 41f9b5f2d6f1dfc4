/*
 * A case beside a past case. The lead of each is the sum over its features of what a feature of
 * that atom adds, divided by how many features the case has; so the difference of the two leads is
 * a sum over the features of both, without a rest: a shared feature moves it only as far as it is
 * diluted differently.
 */
#include "reasons.h"

#include <math.h>
#include <stdlib.h>

static int compare_moves(const void *a, const void *b) {
    const hcbr_compared_feature *p = a, *q = b;
    double x = fabs(p->here - p->there), y = fabs(q->here - q->there);
    if (x != y)
        return x > y ? -1 : 1;
    // equal ones by name, so that no order of memory is seen
    size_t least = p->feature.key_length < q->feature.key_length ? p->feature.key_length
                                                                 : q->feature.key_length;
    int order = memcmp(p->feature.key, q->feature.key, least);
    if (order || p->feature.key_length != q->feature.key_length)
        return order ? order : p->feature.key_length < q->feature.key_length ? -1 : 1;
    if (!p->feature.value || !q->feature.value)
        return (p->feature.value != NULL) - (q->feature.value != NULL);
    least = p->feature.value_length < q->feature.value_length ? p->feature.value_length
                                                              : q->feature.value_length;
    order = memcmp(p->feature.value, q->feature.value, least);
    return order ? order
                 : (p->feature.value_length > q->feature.value_length) -
                       (p->feature.value_length < q->feature.value_length);
}

void hcbr_i_compare_sort(hcbr_compared_feature *at, size_t count) {
    if (count)
        qsort(at, count, sizeof *at, compare_moves);
}

/* What one feature of an atom adds to the sum behind a lead; nothing if nothing is known. */
static double adds(const hcbr_explainer *x, hcbr_i_atom_id atom) {
    return x->label == HCBR_I_NONE ? 0 : hcbr_i_explainer_lead(x, atom);
}

static int compare_ids(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* The features of one part: in the first list, and in the second (both) or not. Both ascending.
 * Returns how many. */
static size_t put_part(const hcbr_explainer *x, const uint32_t *list, size_t count,
                       const uint32_t *other, size_t other_count, bool both, double here,
                       double there, hcbr_compared_feature *out) {
    size_t n = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < other_count && other[k] < list[i])
            k++;
        if ((k < other_count && other[k] == list[i]) != both)
            continue;
        double value = adds(x, x->model->atoms.of[list[i]]);
        out[n] = (hcbr_compared_feature){.known = 1,
                                         .here = here > 0 ? value * here : 0,
                                         .there = there > 0 ? value * there : 0};
        hcbr_model_get_feature(x->model, list[i], &out[n++].feature);
    }
    return n;
}

/* The features of a past case, ascending; NULL: memory is short. */
uint32_t *hcbr_i_compare_past(hcbr_explainer *x, uint64_t index, size_t *count) {
    const hcbr_model *m = x->model;
    const hcbr_i_atom_index *of = hcbr_i_model_index(m);
    size_t n = 0;
    for (uint64_t k = m->kept.start[index]; k < m->kept.start[index + 1]; k++)
        n += m->atoms.size[m->kept.atoms[k]];
    uint32_t *list = hcbr_i_explainer_take(x, n, sizeof *list);
    *count = n;
    if (!list || !of)
        return NULL;
    n = 0;
    for (uint64_t k = m->kept.start[index]; k < m->kept.start[index + 1]; k++) {
        hcbr_i_atom_id e = m->kept.atoms[k];
        memcpy(list + n, of->features + of->start[e], m->atoms.size[e] * sizeof *list);
        n += m->atoms.size[e];
    }
    if (n)
        qsort(list, n, sizeof *list, compare_ids);
    return list;
}

static hcbr_status list_features(hcbr_explainer *x, const hcbr_decision *d, uint64_t index,
                                 hcbr_comparison *out, hcbr_error *err) {
    size_t past_count = 0, count = x->found_count;
    size_t numbers = x->rich ? x->rich->known_count : 0;
    uint32_t *past = hcbr_i_compare_past(x, index, &past_count);
    uint32_t *own = hcbr_i_explainer_take(x, count, sizeof *own);
    hcbr_compared_feature *list =
        hcbr_i_explainer_take(x, past_count + count + d->unseen_count + numbers, sizeof *list);
    if (!past || !own || !list)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++)
        own[i] = x->found[i].feature;
    if (count)
        qsort(own, count, sizeof *own, compare_ids);
    double here = d->feature_count ? 1 / (double)d->feature_count : 0;
    double there = past_count ? 1 / (double)past_count : 0;
    hcbr_compared_feature *at = list;
    out->shared = put_part(x, own, count, past, past_count, true, here, there, at);
    hcbr_i_compare_sort(at, out->shared);
    at += out->shared;
    out->only_here = put_part(x, own, count, past, past_count, false, here, 0, at);
    for (size_t i = 0; i < d->unseen_count; i++)
        at[out->only_here++] = (hcbr_compared_feature){.feature = d->unseen[i]};
    for (size_t i = 0; i < numbers; i++) // that no past case has, but a rich model knows
        if (x->rich->known[i].atom == HCBR_I_NONE)
            at[out->only_here++] =
                (hcbr_compared_feature){.feature = x->rich->known[i].feature, .known = 1};
    hcbr_i_compare_sort(at, out->only_here);
    at += out->only_here;
    out->only_there = put_part(x, past, past_count, own, count, false, 0, there, at);
    hcbr_i_compare_sort(at, out->only_there);
    for (size_t i = 0; i < out->shared + out->only_here + out->only_there; i++)
        out->lead_there += list[i].there;
    out->lead_here = x->lead;
    out->past_empty = past_count == 0;
    out->features = list;
    return HCBR_OK;
}

static hcbr_status show_past(hcbr_explainer *x, uint64_t index, hcbr_comparison *out,
                             hcbr_error *err) {
    hcbr_kept_case kept = {.size = sizeof kept};
    double *influence = hcbr_i_explainer_take(x, x->model->labels.count, sizeof *influence);
    hcbr_explained_case *past = hcbr_i_explainer_take(x, 1, sizeof *past);
    if (!influence || !past)
        return hcbr_i_no_memory(err);
    hcbr_model_get_kept(x->model, index, &kept);
    out->past = past;
    *past = (hcbr_explained_case){.index = index,
                                  .row = kept.row,
                                  .id = kept.id,
                                  .id_length = kept.id_length,
                                  .label = kept.label,
                                  .influence = influence};
    if (x->label == HCBR_I_NONE)
        return HCBR_OK;
    hcbr_i_explainer_influence(x, (uint32_t)index, HCBR_I_NONE, influence);
    past->lead = influence[x->label];
    if (x->against != HCBR_I_NONE)
        past->lead -= influence[x->against];
    return HCBR_OK;
}

hcbr_status hcbr_explainer_compare(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                   uint64_t index, hcbr_comparison *comparison, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_comparison out = {.size = comparison->size, .feature_stride = sizeof *out.features};
    if (index >= hcbr_model_kept_count(x->model))
        return hcbr_i_fail(err, HCBR_EUSAGE, "the model keeps no case number %llu",
                           (unsigned long long)index);
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &d, err);
    if (st == HCBR_OK)
        st = hcbr_i_explainer_tell(x, "explain", 0, 1, err);
    if (st == HCBR_OK && x->rich && x->label != HCBR_I_NONE) {
        hcbr_explain_options_init(&x->options);
        x->rich->shown = 0;
        st = hcbr_i_reasons_add(x, err);
    }
    if (st == HCBR_OK) {
        out.label = hcbr_i_explainer_label(&d);
        out.against = hcbr_i_explainer_against(x);
        st = show_past(x, index, &out, err);
    }
    if (st == HCBR_OK)
        st = list_features(x, &d, index, &out, err);
    if (st == HCBR_OK && x->rich && x->label != HCBR_I_NONE)
        st = hcbr_i_reasons_compare(x, index, &out, err);
    hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(comparison, &out, sizeof out);
    return st;
}
