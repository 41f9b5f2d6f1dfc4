/*
 * Comparison of a case with a past case: the features that both have, that only the case has and
 * that only the past case has; the engine computes their contributions to the two leads.
 */
#include "explainer.h"

#include <stdlib.h>

/* By number; those without one by key, so that numbers of a key are adjacent. */
static int compare_items(const void *a, const void *b) {
    const hcbr_i_case_item *p = a, *q = b;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return p->id == HCBR_I_NONE ? (p->key > q->key) - (p->key < q->key) : 0;
}

/* Whether two values that are not features are the same number of a key. */
static bool same_number(const hcbr_i_case_item *p, const hcbr_i_case_item *q) {
    enum { ROOM = 256 };
    char a[ROOM], b[ROOM];
    if (p->key != q->key || !p->known || !q->known || !p->feature.value || !q->feature.value ||
        p->feature.value_length > ROOM - HCBR_NUMBER_SIZE ||
        q->feature.value_length > ROOM - HCBR_NUMBER_SIZE)
        return false;
    double x, y;
    uint8_t spelling;
    const bool same = p->feature.value_length == q->feature.value_length &&
                      memcmp(p->feature.value, q->feature.value, q->feature.value_length) == 0;
    if (same)
        return hcbr_i_decimal_read(&x, &spelling, p->feature.value, p->feature.value_length);
    if (!hcbr_i_decimal_read(&x, &spelling, p->feature.value, p->feature.value_length) ||
        !hcbr_i_decimal_read(&y, &spelling, q->feature.value, q->feature.value_length) || x != y)
        return false;
    size_t n = hcbr_i_decimal_canonical(a, p->feature.value, p->feature.value_length);
    size_t m = hcbr_i_decimal_canonical(b, q->feature.value, q->feature.value_length);
    return n == m && memcmp(a, b, n) == 0;
}

/* The features of a past case, by ascending number; NULL: no memory. */
static hcbr_i_case_item *list_past(hcbr_explainer *x, uint64_t index, size_t *count) {
    const hcbr_i_past *past = &x->a.frame.past;
    hcbr_i_case_item *numbers = NULL;
    size_t number_count = 0;
    if (x->engine->past_numbers &&
        x->engine->past_numbers(&x->a, index, &numbers, &number_count, NULL) != HCBR_OK)
        return NULL;
    *count = past->size(past->state, index);
    hcbr_i_feature_id *ids = hcbr_i_account_take(&x->a, *count, sizeof *ids);
    hcbr_i_case_item *items = hcbr_i_account_take(&x->a, *count + number_count, sizeof *items);
    if (!ids || !items || !past->list(past->state, index, ids))
        return NULL;
    for (size_t i = 0; i < *count; i++)
        items[i] = (hcbr_i_case_item){hcbr_i_frame_feature(&x->a.frame, ids[i]), ids[i],
                                      hcbr_i_dict_get(x->a.frame.dict, ids[i]).key, true, 0};
    if (*count)
        qsort(items, *count, sizeof *items, compare_items);
    if (number_count) {
        memcpy(items + *count, numbers, number_count * sizeof *items);
        qsort(items + *count, number_count, sizeof *items, compare_items);
    }
    *count += number_count;
    return items;
}

/* Mark the items of two lists that both have: marks by item, 0 between calls. Both are in the
 * order of compare_items(). */
static void find_shared(const hcbr_i_case_item *own, size_t count, const hcbr_i_case_item *past,
                        size_t past_count, bool *of_own, bool *of_past) {
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < past_count && compare_items(&past[k], &own[i]) < 0)
            k++;
        for (size_t j = k; j < past_count && compare_items(&past[j], &own[i]) == 0; j++)
            if (own[i].id != HCBR_I_NONE || same_number(&own[i], &past[j]))
                of_own[i] = of_past[j] = true;
    }
}

/* The items of a list whose mark is `marked`. Returns their number. */
static size_t put_part(const hcbr_i_case_item *list, size_t count, const bool *marks, bool marked,
                       hcbr_i_case_item *out) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (marks[i] == marked)
            out[n++] = list[i];
    return n;
}

static hcbr_status weigh(hcbr_explainer *x, uint64_t index, hcbr_comparison *out, hcbr_error *err) {
    size_t past_count = 0;
    const size_t count = x->row->x.count;
    hcbr_i_case_item *past = list_past(x, index, &past_count);
    hcbr_i_case_item *own = hcbr_i_account_take(&x->a, count, sizeof *own);
    hcbr_i_case_item *items = hcbr_i_account_take(&x->a, past_count + count, sizeof *items);
    hcbr_compared_feature *list = hcbr_i_account_take(&x->a, past_count + count, sizeof *list);
    bool *marks = hcbr_i_account_take(&x->a, past_count + count, sizeof *marks);
    if (!past || !own || !items || !list || !marks)
        return hcbr_i_no_memory(err);
    if (count) {
        memcpy(own, x->row->x.items, count * sizeof *own);
        qsort(own, count, sizeof *own, compare_items);
    }
    find_shared(own, count, past, past_count, marks, marks + count);
    out->shared = put_part(own, count, marks, true, items);
    out->only_here = put_part(own, count, marks, false, items + out->shared);
    out->only_there =
        put_part(past, past_count, marks + count, false, items + out->shared + out->only_here);
    for (size_t i = 0; i < out->shared + out->only_here + out->only_there; i++)
        list[i] = (hcbr_compared_feature){.feature = items[i].feature, .known = items[i].known};
    out->lead_here = x->a.lead;
    out->past_empty = past_count == 0;
    out->features = list;
    if (x->a.label != HCBR_I_NONE)
        return x->engine->compare(&x->a, index, items, list, out, err);
    hcbr_i_account_sort(list, out->shared);
    hcbr_i_account_sort(list + out->shared, out->only_here);
    hcbr_i_account_sort(list + out->shared + out->only_here, out->only_there);
    return HCBR_OK;
}

static hcbr_status show_past(hcbr_explainer *x, uint64_t index, bool weighed, hcbr_comparison *out,
                             hcbr_error *err) {
    double *influence = hcbr_i_account_take(&x->a, x->model->labels.count, sizeof *influence);
    hcbr_explained_case *past = hcbr_i_account_take(&x->a, 1, sizeof *past);
    if (!influence || !past)
        return hcbr_i_no_memory(err);
    *past = hcbr_i_frame_case(&x->a.frame, index);
    past->influence = influence;
    hcbr_kept_case kept = {.size = sizeof kept};
    hcbr_model_get_kept(x->model, index, &kept);
    out->held_label = kept.held_label;
    out->held_probability = kept.held_probability;
    out->past = past;
    if (x->a.label == HCBR_I_NONE || !weighed)
        return HCBR_OK;
    hcbr_explain_options_init(&x->a.options);
    hcbr_status st = x->engine->weigh_one(&x->a, err);
    if (st != HCBR_OK)
        return st;
    x->engine->influence(&x->a, (uint32_t)index, influence);
    past->lead = influence[x->a.label];
    if (x->a.against != HCBR_I_NONE)
        past->lead -= influence[x->a.against];
    return HCBR_OK;
}

hcbr_status hcbr_explainer_compare(hcbr_explainer *x, const hcbr_row *row, uint64_t index,
                                   int influence, hcbr_comparison *comparison, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, row, comparison", x, row, comparison) ||
        HCBR_I_UNSIZED(err, comparison))
        return HCBR_EUSAGE;
    hcbr_decision d = {.size = sizeof d};
    hcbr_comparison out = {.size = comparison->size};
    if (index >= hcbr_model_kept_count(x->model))
        return hcbr_i_fail(err, HCBR_EUSAGE, "the model keeps no case number %llu",
                           (unsigned long long)index);
    // Past cases of an explanation are compared one after the other, without another decision.
    const bool again = !influence && x->begun == row->serial;
    hcbr_status st = HCBR_OK;
    if (again)
        hcbr_i_account_forget(&x->a);
    else
        st = hcbr_i_explainer_begin(x, row, &d, err);
    if (st == HCBR_OK)
        st = hcbr_i_account_tell(&x->a, "explain", 0, 1, err);
    if (st == HCBR_OK) {
        out.label = x->a.label == HCBR_I_NONE ? HCBR_LABEL_UNKNOWN : (hcbr_label)x->a.label;
        out.against = hcbr_i_explainer_against(x);
        st = show_past(x, index, influence, &out, err);
    }
    if (st == HCBR_OK)
        st = weigh(x, index, &out, err);
    if (st == HCBR_OK)
        st = hcbr_i_explainer_align(x, &out, err);
    if (!again)
        hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(comparison, &out, sizeof out);
    return st;
}
