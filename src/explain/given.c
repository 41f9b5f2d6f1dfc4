/*
 * The last case of an explainer, with its resolved names. A further call with the same names in the
 * same order looks none of them up.
 *
 * Invariant: `there` is set only while features, items and unseen belong together; their texts are
 * the model's or in `text`.
 */
#include "explainer.h"

#include <stdlib.h>

void hcbr_i_given_clear(hcbr_i_given *g) {
    hcbr_i_free(g->features);
    hcbr_i_free(g->unseen);
    hcbr_i_free(g->items);
    hcbr_i_free(g->by_id.items);
    hcbr_i_free(g->by_key.items);
    hcbr_i_free(g->text);
    *g = (hcbr_i_given){0};
}

bool hcbr_i_given_is(const hcbr_i_given *g, const hcbr_feature *features, size_t count) {
    if (!g->there || g->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!hcbr_i_feature_same(&g->features[i], &features[i]))
            return false;
    return true;
}

/* Room for the given names, and for unseen names made from them. */
static bool need_room(hcbr_i_given *g, const hcbr_feature *features, size_t count,
                      const hcbr_i_case *x) {
    size_t size = hcbr_i_features_size(features, count);
    for (size_t i = 0; i < x->count; i++)
        size += hcbr_i_features_size(&x->items[i].feature, 1);
    return hcbr_i_grow(&g->features, &g->feature_capacity, count, sizeof *g->features) &&
           hcbr_i_grow(&g->unseen, &g->unseen_capacity, x->count, sizeof *g->unseen) &&
           hcbr_i_grow(&g->items, &g->item_capacity, x->count, sizeof *g->items) &&
           hcbr_i_grow(&g->text, &g->text_capacity, size, 1);
}

static void keep(hcbr_i_given *g, const hcbr_feature *features, size_t count,
                 const hcbr_i_case *x) {
    char *at = g->text;
    g->count = count;
    g->unseen_count = 0;
    for (size_t i = 0; i < count; i++)
        g->features[i] = hcbr_i_feature_copy(&features[i], &at);
    for (size_t i = 0; i < x->count; i++) {
        hcbr_i_case_item *item = &g->items[i];
        *item = x->items[i];
        if (item->id != HCBR_I_NONE)
            continue;
        item->feature = hcbr_i_feature_copy(&item->feature, &at);
        if (!item->known)
            g->unseen[g->unseen_count++] = item->feature;
    }
    g->there = true;
}

hcbr_status hcbr_i_given_resolve(hcbr_i_given *g, hcbr_decider *decider,
                                 const hcbr_feature *features, size_t count, hcbr_i_case *out,
                                 hcbr_error *err) {
    if (hcbr_i_given_is(g, features, count))
        return HCBR_OK; // *out is still its result
    g->there = false;
    g->by_id.there = g->by_key.there = false;
    hcbr_status st = hcbr_i_decider_resolve(decider, features, count, out, err);
    if (st == HCBR_OK && !need_room(g, features, count, out))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return st;
    keep(g, features, count, out);
    out->items = g->items;
    return HCBR_OK;
}

const hcbr_i_case_item *hcbr_i_given_sort(struct hcbr_i_given_list *list, const hcbr_i_case *x,
                                          int (*order)(const void *a, const void *b)) {
    if (list->there)
        return list->items;
    if (!hcbr_i_grow(&list->items, &list->capacity, x->count + 1, sizeof *list->items))
        return NULL;
    if (x->count) {
        memcpy(list->items, x->items, x->count * sizeof *list->items);
        qsort(list->items, x->count, sizeof *list->items, order);
    }
    list->there = true;
    return list->items;
}
