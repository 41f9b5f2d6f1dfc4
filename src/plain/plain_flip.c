/*
 * The smallest changes that change an answer of a plain model. Each condition is the sign of a sum
 * over the features of the case, and each change of a feature adds its own part to it. Per sum the
 * changes are sorted by what they add; sets of 1, 2 and 3 are enumerated with the bound that later
 * ones add no more, and each set that crosses is decided exactly. Beyond 3 the largest parts are
 * combined.
 */
#include "plain/plain_reasons.h"

#include <math.h>
#include <stdlib.h>

/* ---- sums ------------------------------------------------------------------------------------ */

static double part_of_one(const hcbr_i_search *s, hcbr_i_feature_id id) {
    const hcbr_i_plain *plain = hcbr_i_plain_why_of(s->x)->causes->plain;
    const hcbr_i_strength *mu = &plain->strength;
    const hcbr_i_condition *c = &s->now;
    double part = c->constant;
    if (id == HCBR_I_NONE)
        return part;
    hcbr_i_atom_id atom = plain->atoms.of[id];
    if (mu->mu && c->of_a == -c->of_b) // exact; a difference of the two might have lost it
        return part + c->of_a * (c->a ? mu->mu[atom] : -mu->mu[atom]);
    if (c->a != HCBR_I_NONE)
        part += c->of_a * hcbr_i_strength_get(mu, atom, c->a);
    if (c->b != HCBR_I_NONE)
        part += c->of_b * hcbr_i_strength_get(mu, atom, c->b);
    return part;
}

/* The part of a feature of the case, times its importance. */
static double part_of(const hcbr_i_search *s, const hcbr_i_case_item *item) {
    return hcbr_i_plain_units(hcbr_i_plain_why_of(s->x)->causes->plain, item) *
           part_of_one(s, item->id);
}

/* The same for a feature that could be added. */
static double part_added(const hcbr_i_search *s, hcbr_i_feature_id id) {
    const uint32_t *units = hcbr_i_plain_why_of(s->x)->causes->plain->units;
    return (units ? units[id] : 1) * part_of_one(s, id);
}

/* Make a condition the current one. */
static hcbr_status weigh(hcbr_i_search *s, const hcbr_i_condition *c, hcbr_error *err) {
    double magnitude = 0, largest = 0;
    hcbr_status st = hcbr_i_flip_step(s, 16 * (s->choice_count + s->own_count), err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->now = *c;
    s->base = 0;
    s->quota = HCBR_I_FLIP_KEEP;
    for (size_t i = 0; i < s->own_count; i++) {
        double part = part_of(s, &s->own[i]);
        s->base += part;
        magnitude += fabs(part);
    }
    for (size_t i = 0; i < s->choice_count; i++) {
        hcbr_i_choice *t = &s->choices[i];
        t->adds = t->added == HCBR_I_NONE ? 0 : part_added(s, t->added);
        if (t->removed != HCBR_I_NONE)
            t->adds -= part_of(s, &s->own[t->removed]);
        largest = fabs(t->adds) > largest ? fabs(t->adds) : largest;
    }
    s->slack = 0x1p-38 * (magnitude + HCBR_I_FLIP_EXACT * largest);
    if (s->choice_count)
        qsort(s->choices, s->choice_count, sizeof *s->choices, hcbr_i_flip_compare);
    return HCBR_OK;
}

/* All sets of s->size choices, from choice `from` on, that may cross zero. */
static hcbr_status enumerate(hcbr_i_search *s, size_t depth, size_t from, double sum,
                             hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    size_t left = s->size - depth;
    for (size_t i = from; i < s->choice_count && st == HCBR_OK && !hcbr_i_flip_is_over(s); i++) {
        const hcbr_i_choice *t = &s->choices[i];
        if (sum + t->adds * (double)left < -s->slack)
            break; // later ones add no more
        st = hcbr_i_flip_step(s, 1, err);
        if (st != HCBR_OK || s->cut || !hcbr_i_flip_is_free(s, depth, t->group))
            continue;
        s->picked[depth] = (uint32_t)i;
        if (left == 1 && hcbr_i_flip_is_found(s, s->size))
            continue; // other values of the same columns
        st = left == 1 ? hcbr_i_flip_test(s, err)
                       : enumerate(s, depth + 1, i + 1, sum + t->adds, err);
    }
    return st;
}

static bool single_may_do(const void *context, const hcbr_i_choice *choice) {
    const hcbr_i_search *s = context;
    return s->base + choice->adds >= -s->slack;
}

/* All changes that may cross zero by themselves. */
static hcbr_status try_singles(hcbr_i_search *s, hcbr_error *err) {
    hcbr_status st = hcbr_i_flip_step(s, s->choice_count, err);
    s->quota = HCBR_I_FLIP_SINGLES;
    return st == HCBR_OK && !s->cut ? hcbr_i_flip_singles(s, single_may_do, s, err) : st;
}

/* Larger sets: the fewest of the best changes that are enough. Always fewer than `most`. */
static hcbr_status gather(hcbr_i_search *s, size_t most, size_t *needed, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    size_t groups =
        hcbr_i_dict_key_count(s->x->frame.dict) + s->x->frame.feature_count + s->own_count;
    bool *used = hcbr_i_alloc_zero(groups, sizeof *used);
    double sum = s->base;
    size_t before = s->flip_count;
    if (!used)
        return hcbr_i_no_memory(err);
    s->size = 0;
    for (size_t i = 0; i < s->choice_count && st == HCBR_OK && s->flip_count == before && !s->cut;
         i++) {
        const hcbr_i_choice *t = &s->choices[i];
        if (t->adds <= 0 || s->size + 1 > most)
            break;
        st = hcbr_i_flip_step(s, 1, err);
        if (st != HCBR_OK || s->cut || used[t->group])
            continue;
        used[t->group] = true;
        s->picked[s->size++] = (uint32_t)i;
        sum += t->adds;
        if (s->size > HCBR_I_FLIP_EXACT && sum >= -s->slack)
            st = hcbr_i_flip_test(s, err);
    }
    if (s->flip_count > before)
        *needed = s->size;
    hcbr_i_free(used);
    return st;
}

/* Look for sets of 1, 2, 3 changes, then for larger ones. */
static hcbr_status look(hcbr_i_search *s, hcbr_error *err) {
    const hcbr_i_condition *list = s->conditions;
    size_t count = s->condition_count, needed = SIZE_MAX;
    hcbr_status st = HCBR_OK;
    // Half of the remaining steps for each size, divided equally among the sums.
    for (size_t size = 1; size <= HCBR_I_FLIP_EXACT && st == HCBR_OK && !s->flip_count; size++) {
        bool whole = !s->memory || s->by_memory;
        for (size_t c = 0; c < count && st == HCBR_OK; c++) {
            s->size = size;
            hcbr_i_flip_part(s, 2 * (count - c));
            if ((st = weigh(s, &list[c], err)) == HCBR_OK && !s->cut)
                st = size == 1 ? try_singles(s, err) : enumerate(s, 0, 0, s->base, err);
            whole &= !s->cut;
        }
        if (whole && s->searched + 1 == size && !s->flip_count)
            s->searched = size;
    }
    if (s->flip_count)
        return st;
    for (size_t c = 0; c < count && st == HCBR_OK; c++) {
        hcbr_i_flip_part(s, count - c);
        size_t best = needed;
        if ((st = weigh(s, &list[c], err)) != HCBR_OK || s->cut)
            continue;
        st = gather(s, needed, &needed, err);
        if (needed < best) { // forget larger sets
            s->flips[0] = s->flips[s->flip_count - 1];
            s->flip_count = 1;
        }
    }
    return st;
}

hcbr_status hcbr_i_plain_flip(hcbr_i_search *s, hcbr_error *err) {
    hcbr_status st = look(s, err);
    size_t size = s->flip_count ? s->flips[0].flip.count : 0;
    s->exact = s->searched + 1 >= size && size && size <= HCBR_I_FLIP_EXACT + 1;
    if ((size == 0 || size > HCBR_I_FLIP_EXACT) && !s->memory && !s->limited && !s->unknown &&
        s->pure)
        s->exact = true; // the best changes together are the fewest
    return st;
}
