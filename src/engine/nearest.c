/*
 * The order in which changes of one column are tried: the nearest first. Numbers are ordered by
 * difference; other values of a column are equal, and no value comes last.
 *
 * Invariant: within a group, a number that gives another answer is kept only if no nearer one in
 * its direction does.
 */
#include "engine/engine.h"

#include <stdlib.h>

bool hcbr_i_flip_is_nearer(const hcbr_i_choice *a, const hcbr_i_choice *b) {
    return a->kind != b->kind ? a->kind < b->kind : a->distance < b->distance;
}

bool hcbr_i_flip_is_found(const hcbr_i_search *s, size_t size) {
    for (size_t n = 0; n < s->flip_count; n++) {
        const hcbr_i_found_flip *f = &s->flips[n];
        size_t same = 0;
        for (size_t k = 0; k < size && f->flip.count == size; k++)
            for (size_t i = 0; i < size; i++)
                same += f->changes[i].group == s->choices[s->picked[k]].group;
        if (same == size)
            return true;
    }
    return false;
}

/* A choice that may be enough, with its sort keys. */
typedef struct candidate {
    uint32_t best; /* the first choice of its group, with the largest `adds` */
    uint32_t choice;
    hcbr_i_choice_kind kind;
    double distance;
} candidate;

static int compare_candidates(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    if (p->best != q->best)
        return p->best < q->best ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return (p->choice > q->choice) - (p->choice < q->choice);
}

/* List the possible choices, group by group. */
static hcbr_status list(const hcbr_i_search *s, candidate **out, size_t *count,
                        bool (*may)(const void *, const hcbr_i_choice *), const void *context,
                        hcbr_error *err) {
    const hcbr_i_frame *m = &s->x->frame;
    size_t groups = hcbr_i_dict_key_count(m->dict) + (size_t)m->feature_count + s->own_count +
                    s->x->number_count;
    uint32_t *best = hcbr_i_alloc_zero(groups, sizeof *best); // + 1
    *out = hcbr_i_alloc(s->choice_count, sizeof **out);
    *count = 0;
    hcbr_status st = best && *out ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < s->choice_count; i++) {
        const hcbr_i_choice *c = &s->choices[i];
        if (!may(context, c))
            continue;
        if (!best[c->group])
            best[c->group] = i + 1;
        (*out)[(*count)++] = (candidate){best[c->group], i, c->kind, c->distance};
    }
    if (*count)
        qsort(*out, *count, sizeof **out, compare_candidates);
    hcbr_i_free(best);
    return st;
}

hcbr_status hcbr_i_flip_singles(hcbr_i_search *s, bool (*may)(const void *, const hcbr_i_choice *),
                                const void *context, hcbr_error *err) {
    candidate *listed = NULL;
    size_t count = 0;
    bool lower = false, upper = false, other = false; // found in the current group
    hcbr_status st = list(s, &listed, &count, may, context, err);
    s->size = 1;
    for (size_t i = 0; i < count && st == HCBR_OK && s->quota && !s->cut; i++) {
        const hcbr_i_choice *c = &s->choices[listed[i].choice];
        if (i == 0 || listed[i].best != listed[i - 1].best)
            lower = upper = other = false;
        bool number = c->kind == HCBR_I_CHOICE_NUMBER;
        if (number ? (c->up ? upper : lower) : lower || upper || other)
            continue;
        s->picked[0] = listed[i].choice;
        st = hcbr_i_flip_test(s, err);
        upper |= s->did && number && c->up;
        lower |= s->did && number && !c->up;
        other |= s->did && !number;
    }
    hcbr_i_free(listed);
    return st;
}
