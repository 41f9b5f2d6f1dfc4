/*
 * The paper's model as an engine: past cases, the effect of one more feature, comparison with a
 * past case. The lead of each of two cases is the sum over its features of the contribution of the
 * feature's atom, divided by the number of features. So the difference of the two leads is a sum
 * over the features of both, without a rest: a shared feature contributes only through the
 * different divisor.
 */
#include "plain/plain_part.h"
#include "plain/plain_reasons.h"
#include "plain/plain_score.h"

#include <stdlib.h>

/* ---- past cases ------------------------------------------------------------------------------ */

static size_t past_size(const void *state, uint64_t i) {
    const hcbr_i_plain *p = state;
    size_t n = 0;
    for (uint64_t k = p->kept.start[i]; k < p->kept.start[i + 1]; k++)
        n += p->atoms.size[p->kept.atoms[k]];
    return n;
}

static bool past_list(const void *state, uint64_t i, hcbr_i_feature_id *out) {
    const hcbr_i_plain *p = state;
    const hcbr_i_atom_index *of = hcbr_i_plain_index(p);
    for (uint64_t k = p->kept.start[i]; of && k < p->kept.start[i + 1]; k++) {
        hcbr_i_atom_id e = p->kept.atoms[k];
        memcpy(out, of->features + of->start[e], p->atoms.size[e] * sizeof *out);
        out += p->atoms.size[e];
    }
    return of;
}

static uint32_t past_count(const void *state, hcbr_i_feature_id feature, uint32_t label) {
    const hcbr_i_plain *p = state;
    return hcbr_i_strength_count(&p->strength, p->atoms.of[feature], label);
}

static uint32_t past_atom(const void *state, hcbr_i_feature_id feature) {
    return ((const hcbr_i_plain *)state)->atoms.of[feature];
}

static const hcbr_i_feature_id *past_members(const void *state, uint32_t atom, uint32_t *count) {
    const hcbr_i_plain *p = state;
    const hcbr_i_atom_index *of = hcbr_i_plain_index(p);
    *count = p->atoms.size[atom];
    return of ? of->features + of->start[atom] : NULL;
}

hcbr_i_past hcbr_i_plain_past(const void *state) {
    const hcbr_i_plain *plain = state;
    return (hcbr_i_past){.state = plain,
                         .size = past_size,
                         .list = past_list,
                         .count = past_count,
                         .atom = past_atom,
                         .atom_count = plain->atoms.count,
                         .members = past_members};
}

/* ---- one more feature ------------------------------------------------------------------------ */

static hcbr_status ask_begin(hcbr_i_account *x, const double *support, uint32_t label,
                             hcbr_error *err) {
    hcbr_i_plain_why *w = hcbr_i_plain_why_of(x);
    w->asked = hcbr_i_account_take(x, x->frame.label_count, sizeof *w->asked);
    w->asked_label = label;
    if (!w->asked)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < x->frame.label_count; l++)
        w->asked[l] = support[l] * hcbr_i_plain_case_units(w->causes->plain, x->at);
    return HCBR_OK;
}

// NOLINTNEXTLINE(readability-non-const-parameter): other engines count steps.
static hcbr_status ask(hcbr_i_account *x, hcbr_i_feature_id more, double *lead, uint64_t *steps,
                       hcbr_error *err) {
    const hcbr_i_plain_why *w = hcbr_i_plain_why_of(x);
    const hcbr_i_plain *p = w->causes->plain;
    hcbr_i_atom_id atom = p->atoms.of[more];
    const double units = p->units ? p->units[more] : 1;
    double own = w->asked[w->asked_label] +
                 units * hcbr_i_strength_get(&p->strength, atom, w->asked_label),
           best = 0;
    bool any = false;
    (void)steps, (void)err;
    for (uint32_t l = 0; l < x->frame.label_count; l++) {
        if (l == w->asked_label || !(p->strength.total[l] > 0))
            continue;
        double other = w->asked[l] + units * hcbr_i_strength_get(&p->strength, atom, l);
        best = any && best >= other ? best : other;
        any = true;
    }
    *lead = (own - best) / (hcbr_i_plain_case_units(p, x->at) + units);
    return HCBR_OK;
}

static void ask_end(hcbr_i_account *x) {
    hcbr_i_plain_why_of(x)->asked = NULL;
}

/* ---- a past case ----------------------------------------------------------------------------- */

static hcbr_status weigh_one(hcbr_i_account *x, hcbr_error *err) {
    (void)x, (void)err; // the influence of one case is computed from its atoms
    return HCBR_OK;
}

/* |x| of past case i. */
static double past_units(const hcbr_i_plain *p, uint64_t i) {
    uint64_t sum = 0;
    for (uint64_t k = p->kept.start[i]; k < p->kept.start[i + 1]; k++)
        sum += p->atoms.mass[p->kept.atoms[k]];
    return (double)sum;
}

static hcbr_status compare(hcbr_i_account *x, uint64_t i, const hcbr_i_case_item *items,
                           hcbr_compared_feature *list, hcbr_comparison *out, hcbr_error *err) {
    const hcbr_i_plain *p = hcbr_i_plain_why_of(x)->causes->plain;
    const size_t own = out->shared + out->only_here;
    const double size = hcbr_i_plain_case_units(p, x->at), past = past_units(p, i);
    const double here = size > 0 ? 1 / size : 0, there = past > 0 ? 1 / past : 0;
    (void)err;
    for (size_t n = 0; n < own + out->only_there; n++) {
        if (items[n].id == HCBR_I_NONE)
            continue;
        double value =
            hcbr_i_plain_units(p, &items[n]) * hcbr_i_plain_lead(x, p->atoms.of[items[n].id]);
        if (n < own)
            list[n].here = value * here;
        if (n < out->shared || n >= own)
            list[n].there = value * there;
    }
    hcbr_i_account_sort(list, out->shared);
    hcbr_i_account_sort(list + out->shared, out->only_here);
    hcbr_i_account_sort(list + own, out->only_there);
    for (size_t n = 0; n < own + out->only_there; n++)
        out->lead_there += list[n].there;
    return HCBR_OK;
}

/* ---- the engine ------------------------------------------------------------------------------ */

static bool can_win(const void *state, uint32_t label) {
    return ((const hcbr_i_plain *)state)->strength.total[label] > 0;
}

static hcbr_status terms(hcbr_i_account *x, hcbr_error *err) {
    (void)x, (void)err; // they are its atoms, and there is no bias
    return HCBR_OK;
}

static hcbr_status own_begin(hcbr_i_account *x, hcbr_error *err) {
    (void)x, (void)err;
    return HCBR_OK;
}

const hcbr_i_engine hcbr_i_plain_engine = {
    .kind = HCBR_MODEL_PLAIN,
    .estimate = hcbr_i_plain_estimate,
    .group = hcbr_i_plain_group,
    .part_create = hcbr_i_plain_part_create,
    .part_free = hcbr_i_plain_part_free,
    .part_decide = hcbr_i_plain_part_decide,
    .fit = hcbr_i_plain_fit,
    .free = hcbr_i_plain_free,
    .has_section = hcbr_i_plain_has_section,
    .write = hcbr_i_plain_write,
    .read = hcbr_i_plain_read,
    .check = hcbr_i_plain_check,
    .past = hcbr_i_plain_past,
    .can_win = can_win,
    .scorer_create = hcbr_i_plain_scorer_create,
    .scorer_free = hcbr_i_plain_scorer_free,
    .gather = hcbr_i_plain_gather,
    .support = hcbr_i_plain_support,
    .score = hcbr_i_plain_score,
    .has_pairs = hcbr_i_plain_has_pairs,
    .pairs = hcbr_i_plain_pairs,
    .score_pair = hcbr_i_plain_score_pair,
    .index_create = hcbr_i_plain_index_create,
    .index_free = hcbr_i_plain_index_free,
    .why_create = hcbr_i_plain_why_create,
    .why_free = hcbr_i_plain_why_free,
    .begin = hcbr_i_plain_begin,
    .end = hcbr_i_plain_end,
    .terms = terms,
    .add = hcbr_i_plain_add,
    .offer = hcbr_i_plain_offer,
    .list_others = hcbr_i_plain_list_others,
    .influence = hcbr_i_plain_influence,
    .each_group = hcbr_i_plain_each_group,
    .show = hcbr_i_plain_show,
    .own_begin = own_begin,
    .own = hcbr_i_plain_own,
    .weigh_one = weigh_one,
    .compare = compare,
    .flip = hcbr_i_plain_flip,
    .ask_begin = ask_begin,
    .ask = ask,
    .ask_end = ask_end,
};
