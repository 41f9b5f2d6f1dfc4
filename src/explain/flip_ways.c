/*
 * The selection of changes to be shown: different ways first, each with the nearest values that are
 * enough.
 *
 * A way is a set of columns, with the direction for numbers. Its distance is a sum over its
 * changes: for a number, the share of the values of its column from the present one to the new one;
 * 1 for another value that is not a number; 2 for no value. A set of several changes is moved
 * nearer one change after the other, until none of its numbers can be nearer to the present one
 * while the others stay.
 */
#include "changes.h"

#include <stdlib.h>

/* ---- distances ------------------------------------------------------------------------------- */

static double size_of(const hcbr_i_search *s, const hcbr_i_choice *c) {
    if (c->share > 0)
        return c->share;
    if (c->kind != HCBR_I_CHOICE_NUMBER)
        return c->kind == HCBR_I_CHOICE_VALUE ? 1 : 2;
    size_t nearer = 1, all = 1;
    for (size_t i = 0; i < s->choice_count; i++) {
        const hcbr_i_choice *other = &s->choices[i];
        if (other->group != c->group || other->kind != HCBR_I_CHOICE_NUMBER)
            continue;
        all++;
        nearer += other->up == c->up && other->distance < c->distance;
    }
    return (double)nearer / (double)all;
}

static double size_of_all(const hcbr_i_search *s, const hcbr_i_found_flip *f) {
    double sum = 0;
    for (size_t k = 0; k < f->flip.count; k++)
        sum += size_of(s, &f->changes[k]);
    return sum;
}

static int compare_ways(const void *a, const void *b) {
    const hcbr_i_found_flip *p = a, *q = b;
    if (p->size != q->size)
        return p->size < q->size ? -1 : 1;
    if (p->flip.lead != q->flip.lead)
        return p->flip.lead > q->flip.lead ? -1 : 1;
    for (size_t i = 0; i < p->flip.count; i++) {
        if (p->changes[i].removed != q->changes[i].removed)
            return p->changes[i].removed > q->changes[i].removed ? -1 : 1;
        if (p->changes[i].added != q->changes[i].added)
            return p->changes[i].added < q->changes[i].added ? -1 : 1;
    }
    return 0;
}

static void sort(hcbr_i_search *s) {
    for (size_t i = 0; i < s->flip_count; i++)
        s->flips[i].size = size_of_all(s, &s->flips[i]);
    if (s->flip_count)
        qsort(s->flips, s->flip_count, sizeof *s->flips, compare_ways);
}

/* ---- different ways -------------------------------------------------------------------------- */

/* The number of groups that two flips share. *same: also the directions of all numbers. */
static size_t shared(const hcbr_i_found_flip *a, const hcbr_i_found_flip *b, bool *same) {
    size_t count = 0;
    *same = a->flip.count == b->flip.count;
    for (size_t i = 0; i < a->flip.count; i++) {
        const hcbr_i_choice *c = &a->changes[i], *o = NULL;
        for (size_t k = 0; k < b->flip.count && !o; k++)
            o = b->changes[k].group == c->group ? &b->changes[k] : NULL;
        count += o != NULL;
        *same &= o && (o->kind != HCBR_I_CHOICE_NUMBER || c->kind != HCBR_I_CHOICE_NUMBER ||
                       o->up == c->up);
    }
    return count;
}

/* Of flips that go one way only the first stays; they are sorted. */
static void drop_repeated(hcbr_i_search *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->flip_count; i++) {
        bool same = false;
        for (size_t k = 0; k < kept && !same; k++)
            (void)shared(&s->flips[k], &s->flips[i], &same);
        if (!same)
            s->flips[kept++] = s->flips[i];
    }
    s->flip_count = kept;
}

/* Of two directions of one number the shorter comes first, whatever values it passes. */
static void put_shorter_first(hcbr_i_search *s) {
    for (size_t i = 0; i < s->flip_count; i++)
        for (size_t k = i + 1; k < s->flip_count; k++) {
            const hcbr_i_choice *a = s->flips[i].changes, *b = s->flips[k].changes;
            if (s->flips[i].flip.count > 1 || a->group != b->group || !hcbr_i_flip_is_nearer(b, a))
                continue;
            hcbr_i_found_flip swap = s->flips[i];
            s->flips[i] = s->flips[k];
            s->flips[k] = swap;
        }
}

/* Move those with the least overlap with earlier ones to the first `most` places. */
static void spread(hcbr_i_search *s, size_t most) {
    for (size_t i = 1; i < s->flip_count && i < most; i++) {
        size_t best = i, least = SIZE_MAX;
        for (size_t k = i; k < s->flip_count; k++) {
            size_t worst = 0;
            for (size_t n = 0; n < i; n++) {
                bool same;
                size_t count = shared(&s->flips[n], &s->flips[k], &same);
                worst = count > worst ? count : worst;
            }
            if (worst < least) {
                least = worst;
                best = k;
            }
        }
        hcbr_i_found_flip chosen = s->flips[best];
        memmove(&s->flips[i + 1], &s->flips[i], (best - i) * sizeof *s->flips);
        s->flips[i] = chosen;
    }
}

/* ---- the nearest values ---------------------------------------------------------------------- */

static int compare_nearness(const void *a, const void *b) {
    const hcbr_i_choice *p = *(const hcbr_i_choice *const *)a;
    const hcbr_i_choice *q = *(const hcbr_i_choice *const *)b;
    if (hcbr_i_flip_is_nearer(p, q) || hcbr_i_flip_is_nearer(q, p))
        return hcbr_i_flip_is_nearer(p, q) ? -1 : 1;
    if (p->adds != q->adds)
        return p->adds > q->adds ? -1 : 1;
    return (p > q) - (p < q);
}

/* Choices of the group of a change that come before it, the nearest first. */
static size_t list_nearer(const hcbr_i_search *s, const hcbr_i_choice *c,
                          const hcbr_i_choice **out) {
    size_t count = 0;
    for (size_t i = 0; i < s->choice_count; i++)
        if (s->choices[i].group == c->group && hcbr_i_flip_is_nearer(&s->choices[i], c))
            out[count++] = &s->choices[i];
    if (count)
        qsort(out, count, sizeof *out, compare_nearness);
    return count;
}

/* Draw change k of a flip nearer, if one of its values does. */
static hcbr_status draw_one(hcbr_i_search *s, hcbr_i_found_flip *f, size_t k,
                            const hcbr_i_choice **room, bool *moved, hcbr_error *err) {
    size_t count = list_nearer(s, &f->changes[k], room);
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; n < count && st == HCBR_OK && !s->cut; n++) {
        hcbr_decision d = {.size = sizeof d};
        s->picked[k] = (uint32_t)(room[n] - s->choices);
        st = hcbr_i_flip_decide(s, &d, err);
        if (st != HCBR_OK || s->cut || !s->did)
            continue;
        *moved = true;
        return hcbr_i_flip_note(s, &d, f, err);
    }
    return st;
}

/* Make its changes the picked ones. */
static void pick(hcbr_i_search *s, const hcbr_i_found_flip *f) {
    s->size = f->flip.count;
    for (size_t k = 0; k < f->flip.count; k++)
        for (uint32_t i = 0; i < s->choice_count; i++)
            if (s->choices[i].removed == f->changes[k].removed &&
                s->choices[i].added == f->changes[k].added)
                s->picked[k] = i;
}

static hcbr_status draw_nearer(hcbr_i_search *s, hcbr_i_found_flip *f, hcbr_error *err) {
    const hcbr_i_choice **room = hcbr_i_account_take(s->x, s->choice_count, sizeof *room);
    bool moved = true;
    hcbr_status st = room ? HCBR_OK : hcbr_i_no_memory(err);
    while (st == HCBR_OK && moved && !s->cut) {
        moved = false;
        for (size_t k = 0; k < f->flip.count && st == HCBR_OK && !s->cut; k++) {
            pick(s, f);
            st = draw_one(s, f, k, room, &moved, err);
        }
    }
    return st;
}

hcbr_status hcbr_i_flip_ways(hcbr_i_search *s, size_t most, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    bool limited = s->limited;
    sort(s);
    drop_repeated(s);
    put_shorter_first(s);
    spread(s, most);
    if (s->flip_count > most)
        s->flip_count = most;
    hcbr_i_flip_part(s, 1);
    for (size_t i = 0; i < s->flip_count && s->flips[i].flip.count > 1 && st == HCBR_OK; i++)
        st = draw_nearer(s, &s->flips[i], err);
    s->limited = limited; // that is said of how many changes there are
    sort(s);
    drop_repeated(s); // only those that became one way
    put_shorter_first(s);
    spread(s, most);
    return st;
}
