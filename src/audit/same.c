/*
 * Identical cases. Each case is sorted and hashed; cases are sorted by hash, then by their
 * features, so that equal hashes alone do not decide. Runs of equal cases are groups: with one
 * label duplicates, with several a contradiction.
 */
#include "audit/audit.h"

#include <stdlib.h>

/** A case to be sorted. */
typedef struct sorted_case {
    uint64_t hash;
    const uint32_t *features; /* ascending */
    uint32_t count;
    uint32_t index;
} sorted_case;

/** Cases first .. first + count - 1 of the order, which are identical. */
typedef struct group {
    uint32_t first, count;
    uint32_t best;  /* most cases of one label */
    uint32_t label; /* that label */
    uint32_t start; /* smallest case, to break ties */
} group;

static int compare_cases(const void *a, const void *b) {
    const sorted_case *p = a, *q = b;
    int order = hcbr_i_order_u64(p->hash, q->hash);
    if (!order)
        order = hcbr_i_order_u32(p->count, q->count);
    for (uint32_t i = 0; !order && i < p->count; i++)
        order = hcbr_i_order_u32(p->features[i], q->features[i]);
    return order ? order : hcbr_i_order_u32(p->index, q->index);
}

static bool is_same(const sorted_case *p, const sorted_case *q) {
    return p->hash == q->hash && p->count == q->count &&
           (p->count == 0 || memcmp(p->features, q->features, p->count * sizeof *p->features) == 0);
}

/* Larger groups first; contradictory ones by `count - best`. */
static int compare_groups(const void *a, const void *b) {
    const group *p = a, *q = b;
    int order = hcbr_i_order_u32(q->count - q->best, p->count - p->best);
    if (!order)
        order = hcbr_i_order_u32(q->count, p->count);
    return order ? order : hcbr_i_order_u32(p->start, q->start);
}

static hcbr_status sort_cases(hcbr_audit *a, sorted_case *list, uint32_t *features,
                              hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    hcbr_status st = HCBR_OK;
    for (uint32_t i = 0; i < cases->case_count; i++) {
        if ((st = hcbr_i_audit_tick(a, HCBR_I_AUDIT_SORT, i, cases->case_count, err)) != HCBR_OK)
            return st;
        uint32_t count = (uint32_t)(cases->start[i + 1] - cases->start[i]);
        uint64_t hash = 0;
        if (count) {
            memcpy(features, cases->features + cases->start[i], count * sizeof *features);
            qsort(features, count, sizeof *features, hcbr_i_compare_u32);
        }
        for (uint32_t k = 0; k < count; k++)
            hash = (hash ^ features[k]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
        list[i] = (sorted_case){hash, features, count, i};
        features += count;
    }
    if (cases->case_count)
        qsort(list, cases->case_count, sizeof *list, compare_cases);
    return st;
}

/* The runs of at least two identical cases, how many there are, and the figures. `counts`: by
 * label, zero. */
static hcbr_status find_groups(hcbr_audit *a, const sorted_case *list, uint32_t *counts,
                               group *groups, uint32_t *found, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    uint32_t n = 0, end;
    uint64_t right = 0;
    hcbr_status st = HCBR_OK;
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i = end) {
        st = hcbr_i_audit_tick(a, HCBR_I_AUDIT_SAME, a->figures.different, cases->case_count, err);
        group g = {.first = i, .start = list[i].index};
        for (end = i; end < cases->case_count && is_same(&list[i], &list[end]); end++)
            counts[cases->label[list[end].index]]++;
        g.count = end - i;
        for (uint32_t k = i; k < end; k++) {
            uint32_t label = cases->label[list[k].index];
            if (counts[label] > g.best || (counts[label] == g.best && label < g.label)) {
                g.best = counts[label];
                g.label = label;
            }
        }
        a->figures.different++;
        right += g.best;
        if (g.best < g.count)
            a->figures.contradictory += g.count;
        for (uint32_t k = i; k < end; k++) {
            uint32_t *count = &counts[cases->label[list[k].index]];
            if (*count && list[i].count)
                a->figures.duplicates += *count - 1; // of each label all but the first
            *count = 0;
        }
        if (g.count > 1 && list[i].count > 0)
            groups[n++] = g;
    }
    a->figures.accuracy_limit = cases->case_count ? (double)right / (double)cases->case_count : 0;
    *found = n;
    return st;
}

static hcbr_status list_groups(hcbr_audit *a, const sorted_case *list, const group *groups,
                               uint32_t count, uint32_t *which, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t n = 0; n < count && st == HCBR_OK; n++) {
        const group *g = &groups[n];
        bool several = g->best < g->count;
        hcbr_finding_kind kind = several ? HCBR_FOUND_CONTRADICTION : HCBR_FOUND_DUPLICATE;
        if (!hcbr_i_audit_wants(a, kind))
            continue;
        for (uint32_t k = 0; k < g->count; k++)
            which[k] = list[g->first + k].index;
        const sorted_case *x = &list[g->first];
        hcbr_finding f = {.kind = kind,
                          .count = g->count,
                          .all_features = x->count,
                          .label = (hcbr_label)g->label,
                          .share = several ? (double)g->best / g->count
                                           : (double)g->count / a->cases->case_count};
        // a few contradictions are normal; more than one case in a hundred limits the accuracy
        f.serious = several && a->figures.accuracy_limit < 0.99;
        st = hcbr_i_audit_list(a, &f, which, g->count, x->features, x->count, err);
    }
    return st;
}

hcbr_status hcbr_i_audit_same(hcbr_audit *a, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    size_t n = cases->case_count;
    sorted_case *list = hcbr_i_alloc(n, sizeof *list);
    uint32_t *features = hcbr_i_alloc((size_t)cases->start[n], sizeof *features);
    uint32_t *counts = hcbr_i_alloc_zero(cases->labels.count, sizeof *counts);
    group *groups = hcbr_i_alloc(n / 2 + 1, sizeof *groups);
    uint32_t *which = hcbr_i_alloc(n, sizeof *which);
    uint32_t count = 0;
    hcbr_status st = HCBR_OK;
    if (!list || !features || !counts || !groups || !which)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = sort_cases(a, list, features, err);
    if (st == HCBR_OK)
        st = find_groups(a, list, counts, groups, &count, err);
    if (st == HCBR_OK) {
        if (count)
            qsort(groups, count, sizeof *groups, compare_groups);
        st = list_groups(a, list, groups, count, which, err);
    }
    hcbr_i_free(list);
    hcbr_i_free(features);
    hcbr_i_free(counts);
    hcbr_i_free(groups);
    hcbr_i_free(which);
    return st;
}
