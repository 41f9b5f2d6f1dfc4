/*
 * The smallest changes that change an answer.
 *
 * Whether a label beats another, and whether it passes its thresholds (METHOD 3), depends on the
 * sign of a sum over the features of the case: the division by |x| changes no sign, and s > eta is
 * the same as sum of (mu - eta) > 0. So an answer can change only if one of a few sums crosses
 * zero. Possible changes and these sums are listed here; the engine searches, since it knows the
 * effect of a change; every answer is verified here by deciding the changed case.
 *
 * Invariant: at most one change for each variable, and the case keeps something known.
 */
#include "changes.h"

#include <stdlib.h>

/* ---- possible changes ------------------------------------------------------------------------ */

/* An item with its sort key: features of past cases by their atoms, then unknown features, then
 * numbers that no past case has. */
typedef struct placed {
    uint64_t place;
    hcbr_i_case_item item;
} placed;

static int compare_placed(const void *a, const void *b) {
    const placed *p = a, *q = b;
    return (p->place > q->place) - (p->place < q->place);
}

static hcbr_status list_own(hcbr_i_search *s, hcbr_error *err) {
    const hcbr_i_case *at = s->x->at;
    const hcbr_i_past *past = &s->x->frame.past;
    placed *list = hcbr_i_account_take(s->x, at->count, sizeof *list);
    s->own = hcbr_i_account_take(s->x, at->count, sizeof *s->own);
    if (!s->own || !list)
        return hcbr_i_no_memory(err);
    s->own_count = at->count;
    for (size_t i = 0; i < at->count; i++) {
        const hcbr_i_case_item *item = &at->items[i];
        bool there = item->id != HCBR_I_NONE;
        uint64_t place = there ? (uint64_t)past->atom(past->state, item->id) << 32 | item->id
                               : (uint64_t)(item->known ? UINT32_MAX : UINT32_MAX - 1) << 32 | i;
        list[i] = (placed){place, *item};
        if (there)
            s->has[item->id] = true;
    }
    if (at->count)
        qsort(list, at->count, sizeof *list, compare_placed);
    for (size_t i = 0; i < at->count; i++) {
        s->own[i] = list[i].item;
        if (s->own[i].key != HCBR_I_NONE) {
            s->of_key[s->own[i].key]++;
            s->own_of[s->own[i].key] = (uint32_t)i;
        }
    }
    return HCBR_OK;
}

/* Every change of one feature. A variable with one value is a group of its own, the members of a
 * set are one each. */
static void list_choices(hcbr_i_search *s) {
    const hcbr_i_frame *m = &s->x->frame;
    uint64_t keys = hcbr_i_dict_key_count(m->dict), features = m->feature_count;
    for (uint32_t i = 0; i < s->own_count; i++) {
        const hcbr_i_case_item *f = &s->own[i];
        uint64_t group = f->key == HCBR_I_NONE    ? keys + features + i
                         : s->of_key[f->key] == 1 ? f->key
                         : f->id == HCBR_I_NONE   ? keys + features + i
                                                  : keys + f->id;
        hcbr_i_choice *c = &s->choices[s->choice_count];
        *c = (hcbr_i_choice){.removed = i, .added = HCBR_I_NONE, .group = group};
        if (!hcbr_i_flip_may(s, f, HCBR_I_NONE, NULL))
            continue;
        hcbr_i_flip_measure(s, c, NULL);
        s->choice_count++;
    }
    for (uint32_t f = 0; f < features + s->x->number_count; f++) {
        if (f < features && s->has[f])
            continue;
        const hcbr_i_case_item item = hcbr_i_account_item(s->x, f);
        hcbr_i_key_id key = item.key;
        uint32_t own = s->of_key[key] == 1 ? s->own_of[key] : HCBR_I_NONE;
        hcbr_i_choice *c = &s->choices[s->choice_count];
        *c = (hcbr_i_choice){.removed = own,
                             .added = f,
                             .group = s->of_key[key] <= 1 ? key
                                      : f < features      ? keys + f
                                                          : keys + f + s->own_count};
        if (!hcbr_i_flip_may(s, own == HCBR_I_NONE ? NULL : &s->own[own], key, &item.feature))
            continue;
        hcbr_i_flip_measure(s, c, &item.feature);
        s->choice_count++;
    }
}

/* Values that are not features, as the engine would try them. */
static hcbr_status list_numbers(hcbr_i_search *s, hcbr_error *err) {
    uint32_t keys = hcbr_i_dict_key_count(s->x->frame.dict);
    const hcbr_i_case_item **own = hcbr_i_account_take(s->x, keys, sizeof *own);
    if (!own)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < keys; k++)
        own[k] = s->of_key[k] == 1 ? &s->own[s->own_of[k]] : NULL;
    return hcbr_i_flip_explainer(s)->engine->numbers(s->x, own, s->spans, err);
}

static hcbr_status prepare(hcbr_i_search *s, const hcbr_flip_options *o, hcbr_error *err) {
    hcbr_i_account *x = s->x;
    const hcbr_i_frame *m = &x->frame;
    uint32_t keys = hcbr_i_dict_key_count(m->dict);
    size_t features = m->feature_count, own_count = x->at->count;
    s->of_key = hcbr_i_account_take(x, keys, sizeof *s->of_key);
    s->own_of = hcbr_i_account_take(x, keys, sizeof *s->own_of);
    s->fixed = hcbr_i_account_take(x, keys, sizeof *s->fixed);
    s->has = hcbr_i_account_take(x, features, sizeof *s->has);
    if (!s->of_key || !s->own_of || !s->fixed || !s->has)
        return hcbr_i_no_memory(err);
    hcbr_status st = list_own(s, err);
    if (st == HCBR_OK)
        st = hcbr_i_flip_bound(s, o, err);
    if (st == HCBR_OK && hcbr_i_flip_explainer(s)->engine->numbers)
        st = list_numbers(s, err);
    if (st == HCBR_OK)
        st = hcbr_i_flip_dates_begin(s, err);
    if (st != HCBR_OK)
        return st;
    features += x->number_count;
    s->choices = hcbr_i_account_take(x, own_count + features + 1, sizeof *s->choices);
    s->changed = hcbr_i_account_take(x, 2 * own_count + features, sizeof *s->changed);
    s->gone = hcbr_i_account_take(x, own_count, sizeof *s->gone);
    s->picked = hcbr_i_account_take(x, own_count + features, sizeof *s->picked);
    if (!s->choices || !s->changed || !s->gone || !s->picked)
        return hcbr_i_no_memory(err);
    list_choices(s);
    return HCBR_OK;
}

/* ---- sets of changes ------------------------------------------------------------------------- */

static bool same_set(const hcbr_i_found_flip *f, const hcbr_i_choice *changes, size_t count) {
    if (f->flip.count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < count && !there; k++)
            there = f->changes[k].removed == changes[i].removed &&
                    f->changes[k].added == changes[i].added;
        if (!there)
            return false;
    }
    return true;
}

hcbr_status hcbr_i_flip_note(hcbr_i_search *s, const hcbr_decision *d, hcbr_i_found_flip *out,
                             hcbr_error *err) {
    hcbr_i_account *x = s->x;
    size_t labels = x->frame.label_count;
    hcbr_i_choice *changes = hcbr_i_account_take(x, s->size, sizeof *changes);
    hcbr_change *shown = hcbr_i_account_take(x, s->size, sizeof *shown);
    double *support = hcbr_i_account_take(x, 2 * labels, sizeof *support);
    if (!changes || !shown || !support)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < s->size; i++) {
        changes[i] = s->choices[s->picked[i]];
        if (changes[i].removed != HCBR_I_NONE)
            shown[i].removed = s->own[changes[i].removed].feature;
        if (changes[i].added != HCBR_I_NONE)
            shown[i].added = hcbr_i_account_item(x, changes[i].added).feature;
    }
    memcpy(support, d->support, labels * sizeof *support);
    if (d->probability)
        memcpy(support + labels, d->probability, labels * sizeof *support);
    double lead =
        hcbr_i_explainer_lead_of(hcbr_i_flip_explainer(s), d, (uint32_t)hcbr_i_explainer_label(d));
    *out = (hcbr_i_found_flip){.changes = changes,
                               .flip = {.changes = shown,
                                        .count = s->size,
                                        .label = d->label,
                                        .winner = d->winner,
                                        .lead = lead,
                                        .support = support,
                                        .probability = d->probability ? support + labels : NULL}};
    return HCBR_OK;
}

static hcbr_status keep(hcbr_i_search *s, const hcbr_decision *d, hcbr_error *err) {
    hcbr_i_found_flip found;
    if (!hcbr_i_grow(&s->flips, &s->flip_capacity, s->flip_count + 1, sizeof *s->flips))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_flip_note(s, d, &found, err);
    if (st != HCBR_OK)
        return st;
    s->quota--;
    if (s->flip_count == 0)
        s->enough = s->steps + s->steps / 4 + s->limit / 64;
    for (size_t i = 0; i < s->flip_count && s->size <= HCBR_I_FLIP_EXACT && !s->counted; i++)
        if (same_set(&s->flips[i], found.changes, s->size))
            return HCBR_OK;
    s->flips[s->flip_count++] = found;
    return HCBR_OK;
}

/* The case with the picked changes. */
static hcbr_i_case make_changed(hcbr_i_search *s) {
    hcbr_i_case x = {.items = s->changed};
    for (int gone = 1; gone >= 0; gone--) {
        for (size_t k = 0; k < s->size; k++)
            if (s->choices[s->picked[k]].removed != HCBR_I_NONE)
                s->gone[s->choices[s->picked[k]].removed] = gone;
        for (uint32_t i = 0; gone && i < s->own_count; i++)
            if (!s->gone[i]) {
                x.known += s->own[i].known;
                s->changed[x.count++] = s->own[i];
            }
    }
    for (size_t k = 0; k < s->size; k++) {
        hcbr_i_feature_id added = s->choices[s->picked[k]].added;
        if (added == HCBR_I_NONE)
            continue;
        x.known++;
        s->changed[x.count++] = hcbr_i_account_item(s->x, added);
    }
    return x;
}

hcbr_status hcbr_i_flip_decide(hcbr_i_search *s, hcbr_decision *d, hcbr_error *err) {
    uint64_t steps = 8 * (uint64_t)(s->own_count + s->size + s->x->frame.label_count) + s->decision;
    s->did = false;
    hcbr_status st = hcbr_i_flip_step(s, steps, err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->tried += !s->counted;
    const hcbr_i_case x = make_changed(s);
    st = hcbr_i_decider_run_case(hcbr_i_flip_explainer(s)->decider, &x, d, err);
    s->did = st == HCBR_OK && d->label != s->answer && d->winner != HCBR_LABEL_UNKNOWN;
    return st;
}

/* Decide the case with the picked changes, and keep them if the answer is another one. */
static hcbr_status test(hcbr_i_search *s, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_status st = hcbr_i_flip_decide(s, &d, err);
    if (st != HCBR_OK || s->cut || d.label == s->answer)
        return st;
    if (!s->did) {
        s->unknown |= s->size > HCBR_I_FLIP_EXACT; // another set of as many might do
        return HCBR_OK;
    }
    return keep(s, &d, err);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Two labels and a cut: the sides of it where the case is not. */
static size_t list_cut(hcbr_cut cut, const hcbr_decision *d, hcbr_i_condition *out) {
    hcbr_label side = hcbr_i_cut_support(cut, d->winner == 1 ? d->lead : -d->lead);
    size_t n = 0;
    if (side != 1)
        out[n++] = (hcbr_i_condition){1, 0, 1, -1, side == 0 ? -cut.low : -cut.high};
    if (side != 0)
        out[n++] = (hcbr_i_condition){0, 1, 1, -1, side == 1 ? cut.high : cut.low};
    return n;
}

/* The sums of which one has to cross zero for the answer to change. */
static size_t list_conditions(const hcbr_explainer *x, const hcbr_decision *d,
                              hcbr_i_condition *out) {
    const hcbr_i_rule *rule = &x->decider->rule;
    uint32_t labels = x->model->labels.count, l = (uint32_t)d->winner;
    uint32_t against = hcbr_i_explainer_other(x, d, l);
    double eta = rule->eta[l], share = rule->eta_share[l];
    size_t n = 0;
    if (rule->has_cut && d->reason != HCBR_BY_MEMORY)
        return list_cut(rule->cut, d, out);
    if (rule->has_cut || rule->costs.by_given) { // the effect of a change on probabilities is not a
                                                 // sum
        out[n++] = (hcbr_i_condition){HCBR_I_NONE, HCBR_I_NONE, 0, 0, 0};
        return n;
    }
    if (d->reason == HCBR_BY_MEMORY) // any change may make it another case
        out[n++] = (hcbr_i_condition){HCBR_I_NONE, HCBR_I_NONE, 0, 0, 0};
    for (uint32_t o = 0; o < labels; o++)
        if (o != l && hcbr_i_explainer_can_win(x, o))
            out[n++] = (hcbr_i_condition){o, l, 1, -1, 0};
    if (eta > 0) {
        double sign = hcbr_i_is_above(d->support[l], eta) ? -1 : 1;
        out[n++] = (hcbr_i_condition){l, HCBR_I_NONE, sign, 0, -sign * eta};
    }
    if (share >= 0.5 && against != HCBR_I_NONE) {
        double other = d->support[against];
        if (other >= 0 && !hcbr_i_is_above((1 - share) * d->support[l], share * other))
            out[n++] = (hcbr_i_condition){l, against, 1 - share, -share, 0};
        else
            for (uint32_t o = 0; o < labels; o++)
                if (o != l && hcbr_i_explainer_can_win(x, o))
                    out[n++] = (hcbr_i_condition){o, l, share, share - 1, 0};
    }
    return n;
}

static hcbr_status set_rule(hcbr_i_search *s, const hcbr_decision *d, hcbr_error *err) {
    const hcbr_explainer *x = hcbr_i_flip_explainer(s);
    const hcbr_i_rule *rule = &x->decider->rule;
    hcbr_i_condition *list =
        hcbr_i_account_take(s->x, 2 * (size_t)x->model->labels.count + 2, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    s->pure = hcbr_i_explainer_is_pure(x);
    s->memory = rule->memory;
    s->by_memory = d->reason == HCBR_BY_MEMORY;
    s->condition_count = list_conditions(x, d, list);
    s->conditions = list;
    return HCBR_OK;
}

/* Whether the sets of changes, at most one for each group, have the size that was searched. */
static bool is_whole(const hcbr_i_search *s) {
    uint64_t groups[HCBR_I_FLIP_EXACT];
    size_t count = 0;
    for (size_t i = 0; i < s->choice_count; i++) {
        size_t k = 0;
        while (k < count && groups[k] != s->choices[i].group)
            k++;
        if (k < count)
            continue;
        if (count == s->searched || count == HCBR_I_FLIP_EXACT)
            return false;
        groups[count++] = s->choices[i].group;
    }
    return true;
}

static hcbr_status show(hcbr_i_search *s, size_t most, hcbr_flips *out, hcbr_error *err) {
    size_t size = s->flip_count ? s->flips[0].flip.count : 0;
    hcbr_status st = hcbr_i_flip_ways(s, most, err);
    if (st != HCBR_OK)
        return st;
    out->count = s->flip_count;
    hcbr_flip *list = hcbr_i_account_take(s->x, out->count, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < out->count; i++)
        list[i] = s->flips[i].flip;
    out->flips = list;
    out->exact = s->exact;
    if (size == 1 || (size == 0 && is_whole(s)))
        out->exact = 1;
    if (size != 1 && (s->untried || (s->date_count && size != 2))) // nothing went with a date
        out->exact = 0;
    out->exhaustive = out->exact && size == 0;
    out->searched = out->exact && size > s->searched ? size - 1 : s->searched;
    if (s->untried)
        out->searched = 0;
    else if (s->date_count && out->searched > 1)
        out->searched = 1;
    out->tried = s->tried;
    out->steps = s->steps;
    out->limited = s->limited;
    out->bounded = s->options->fixed_count + s->options->only_count + s->options->bound_count > 0;
    return HCBR_OK;
}

hcbr_status hcbr_explainer_flip(hcbr_explainer *x, const hcbr_row *row,
                                const hcbr_flip_options *options, hcbr_flips *flips,
                                hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, row, flips", x, row, flips) ||
        HCBR_I_UNSIZED(err, options, flips))
        return HCBR_EUSAGE;
    assert(x); // for the analyzer
    hcbr_decision d = {.size = sizeof d};
    hcbr_flips out = {.size = flips->size};
    hcbr_flip_options o;
    hcbr_i_search s = {.x = &x->a, .context = x, .test = test};
    hcbr_flip_options_init(&o);
    if (options)
        o = *options;
    hcbr_status st = hcbr_i_explainer_begin(x, row, &d, err);
    if (st == HCBR_OK) {
        out.label = s.answer = d.label;
        out.limit = s.limit = o.limit;
        out.nothing_known = d.winner == HCBR_LABEL_UNKNOWN;
    }
    if (st == HCBR_OK && d.winner != HCBR_LABEL_UNKNOWN) {
        st = hcbr_i_account_tell(&x->a, "flip", 0, o.limit, err);
        if (st == HCBR_OK)
            st = prepare(&s, &o, err);
        if (st == HCBR_OK)
            st = set_rule(&s, &d, err);
        if (st == HCBR_OK)
            st = x->engine->flip(&s, err);
        if (st == HCBR_OK)
            st = hcbr_i_flip_dates(&s, err);
        if (st == HCBR_OK)
            st = show(&s, o.most, &out, err);
    }
    hcbr_i_explainer_wipe(x);
    hcbr_i_free(s.flips);
    if (st == HCBR_OK)
        hcbr_i_hand_out(flips, &out, sizeof out);
    return st;
}
