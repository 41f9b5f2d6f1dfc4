/*
 * The smallest changes that change an answer of a rich model. Its supports are not sums over
 * features, so changes are tried: each alone, then pairs and sets of three, then greedily the best
 * one after the other. Only sets that may change the answer are decided exactly.
 *
 * A number is changed to one value for each code, the nearest: all values of a code are treated
 * alike. Of the sets of changes to the same columns one is kept; explain/ then finds the nearest
 * values that are enough. The effect of changes on the lead is computed from the trees that test
 * the changed variables (support_probe.h). If there are too many pairs or sets of three, those that
 * cannot be enough are excluded by bounds (counterfactual_sets.c). If they are still too many,
 * those of the changes with the largest effects are tried, and the answer is exact only as far as
 * the search was complete.
 */
#include "rich/reasons/counterfactual.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 32, PER_GROUP = 6 };

#ifdef HCBR_FAULTS
size_t hcbr_i_flip_sets = HCBR_I_FLIP_ALL;
#else
static const size_t hcbr_i_flip_sets = HCBR_I_FLIP_ALL;
#endif

typedef hcbr_i_trial trial;

/* ---- values to try --------------------------------------------------------------------------- */

/* Drop changes to unused features. Numbers have one value for each interval already. */
static void thin(hcbr_i_search *s) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(s->x)->rich->encoder;
    size_t kept = 0;
    for (size_t i = 0; i < s->choice_count; i++) {
        hcbr_i_feature_id added = s->choices[i].added;
        if (added != HCBR_I_NONE && added < e->feature_count && e->code[added] == HCBR_I_NONE)
            continue;
        s->choices[kept++] = s->choices[i];
    }
    s->choice_count = kept;
}

/* ---- trying ---------------------------------------------------------------------------------- */

bool hcbr_i_trial_row(hcbr_i_trial *t, size_t size) {
    const hcbr_i_search *s = t->s;
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(s->x)->rich->encoder;
    bool ok = true;
    hcbr_i_rich_row_begin(e, &t->row);
    for (uint32_t i = 0; ok && i < s->own_count; i++) {
        const hcbr_i_case_item *o = &s->own[i];
        bool stays = true;
        for (size_t k = 0; k < size && stays; k++)
            stays = s->choices[s->picked[k]].removed != i;
        if (stays)
            ok = hcbr_i_reasons_row_add(e, o, &t->row);
    }
    for (size_t k = 0; ok && k < size; k++)
        if (s->choices[s->picked[k]].added != HCBR_I_NONE) {
            const hcbr_i_case_item item = hcbr_i_account_item(s->x, s->choices[s->picked[k]].added);
            ok = hcbr_i_reasons_row_add(e, &item, &t->row);
        }
    if (ok)
        hcbr_i_rich_row_end(&t->row);
    return ok;
}

/* A key with several values in the case: after some are removed, the others determine the code. */
static size_t edit_several(const trial *t, size_t size, hcbr_i_key_id k, hcbr_i_rich_edit *out) {
    const hcbr_i_search *s = t->s;
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(s->x)->rich->encoder;
    size_t n = hcbr_i_reasons_edit_out(e, k, HCBR_I_NONE, out);
    for (uint32_t i = 0; i < s->own_count; i++) {
        bool stays = s->own[i].key == k;
        for (size_t c = 0; c < size && stays; c++)
            stays = s->choices[s->picked[c]].removed != i;
        if (stays)
            n += hcbr_i_reasons_edit_in(e, k, hcbr_i_reasons_code(s->x, &s->own[i]), out + n);
    }
    return n;
}

/* The edits of the first `size` picked changes; *known receives the number of known features after
 * them. */
static size_t list_edits(const trial *t, size_t size, size_t *known) {
    const hcbr_i_search *s = t->s;
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(s->x)->rich->encoder;
    size_t n = 0;
    *known = t->known;
    for (size_t k = 0; k < size; k++) {
        const hcbr_i_choice *c = &s->choices[s->picked[k]];
        const hcbr_i_case_item *o = c->removed == HCBR_I_NONE ? NULL : &s->own[c->removed];
        uint32_t code = o ? hcbr_i_reasons_code(s->x, o) : HCBR_I_NONE;
        *known -= o && o->known;
        if (o && o->key != HCBR_I_NONE && s->of_key[o->key] > 1 &&
            e->keys[o->key].kind != HCBR_I_RICH_BAG)
            n += edit_several(t, size, o->key, t->edits + n);
        else if (o && o->key != HCBR_I_NONE)
            n += hcbr_i_reasons_edit_out(e, o->key, code, t->edits + n);
    }
    for (size_t k = 0; k < size; k++) {
        hcbr_i_feature_id added = s->choices[s->picked[k]].added;
        if (added == HCBR_I_NONE)
            continue;
        ++*known;
        const hcbr_i_case_item item = hcbr_i_account_item(s->x, added);
        n += hcbr_i_reasons_edit_in(e, item.key, hcbr_i_reasons_code(s->x, &item), t->edits + n);
    }
    return n;
}

/* The remaining lead with the first `size` picked changes, except for rounding; infinite if nothing
 * would be known, or if no steps were left. */
static hcbr_status lead_of(trial *t, size_t size, double *lead, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    const hcbr_i_frame *m = &s->x->frame;
    size_t known, edits = list_edits(t, size, &known);
    uint64_t steps = 1;
    *lead = INFINITY;
    if (known == 0 || s->cut)
        return HCBR_OK;
    if (!hcbr_i_rich_probe_score(t->probe, t->edits, edits, t->support, &steps))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_flip_step(s, steps, err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->tried++;
    if (m->label_count == 2) {
        *lead = s->x->label ? 2 * t->support[0] : -2 * t->support[0];
        return HCBR_OK;
    }
    double best = -INFINITY;
    for (uint32_t l = 0; l < m->label_count; l++)
        if (l != s->x->label && t->support[l] > best)
            best = t->support[l];
    *lead = t->support[s->x->label] - (isinf(best) ? 0 : best);
    return HCBR_OK;
}

/* Whether the answer may change with this remaining lead. */
static bool may_do(const trial *t, double lead) {
    return !isinf(lead) && (!t->pure || lead <= 1e-9 * (1 + fabs(t->s->x->lead)));
}

hcbr_status hcbr_i_trial_attempt(hcbr_i_trial *t, size_t size, double *lead, hcbr_error *err) {
    t->s->size = size;
    hcbr_status st = lead_of(t, size, lead, err);
    if (st != HCBR_OK || !may_do(t, *lead))
        return st;
    return hcbr_i_flip_test(t->s, err);
}

static bool single_may_do(const void *context, const hcbr_i_choice *choice) {
    return may_do(context, choice->lead);
}

/* The value of a change. If there is no decision, both more and less lead may change that. */
static double worth(const trial *t, double lead) {
    if (isinf(lead))
        return -HUGE_VAL;
    double falls = t->s->x->lead - lead;
    return t->s->answer == HCBR_LABEL_UNKNOWN ? fabs(falls) : falls;
}

/* Every change by itself: first its effect on the lead, then those that may be enough are decided,
 * the nearest of each column first. */
static hcbr_status try_singles(trial *t, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = HCBR_OK;
    double lead;
    s->quota = HCBR_I_FLIP_SINGLES;
    s->size = 1;
    hcbr_i_flip_part(s, 4);
    uint64_t before = s->steps;
    for (uint32_t i = 0; st == HCBR_OK && i < s->choice_count; i++) {
        s->picked[0] = i;
        st = lead_of(t, 1, &lead, err);
        s->choices[i].adds = worth(t, lead);
        s->choices[i].lead = lead;
    }
    bool all = !s->cut;
    t->each = (double)(s->steps - before) / (double)(s->choice_count + 1) + 1;
    if (st == HCBR_OK && s->choice_count)
        qsort(s->choices, s->choice_count, sizeof *s->choices, hcbr_i_flip_compare);
    hcbr_i_flip_part(s, 3);
    if (st == HCBR_OK)
        st = hcbr_i_flip_singles(s, single_may_do, t, err);
    s->searched = all && !s->cut && !s->flip_count;
    return st;
}

/* Move choices of one group after the best few to the end. Returns the number before them. */
static hcbr_status spread(hcbr_i_search *s, size_t *out, hcbr_error *err) {
    size_t kept = 0;
    const hcbr_i_frame *m = &s->x->frame;
    size_t groups = hcbr_i_dict_key_count(m->dict) + (size_t)m->feature_count + s->own_count +
                    s->x->number_count;
    uint8_t *count = hcbr_i_alloc_zero(groups, sizeof *count);
    if (!count)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < s->choice_count; i++)
        if (count[s->choices[i].group] < PER_GROUP) {
            hcbr_i_choice swap = s->choices[kept];
            count[s->choices[i].group]++;
            s->choices[kept++] = s->choices[i];
            s->choices[i] = swap;
        }
    *out = kept;
    hcbr_i_free(count);
    return HCBR_OK;
}

/* All sets of `size` of the first `among` choices. */
static hcbr_status try_sets(trial *t, size_t size, size_t depth, size_t from, size_t among,
                            hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = HCBR_OK;
    for (size_t i = from; st == HCBR_OK && i < among && !hcbr_i_flip_is_over(s); i++) {
        if (!hcbr_i_flip_is_free(s, depth, s->choices[i].group))
            continue;
        s->picked[depth] = (uint32_t)i;
        double lead;
        if (depth + 1 == size && hcbr_i_flip_is_found(s, size))
            continue; // other values of the same columns
        st = depth + 1 == size ? hcbr_i_trial_attempt(t, size, &lead, err)
                               : try_sets(t, size, depth + 1, i + 1, among, err);
    }
    return st;
}

/* The best change, the best in addition to it, and so on; sign -1: the one that adds most to the
 * lead. */
static hcbr_status try_greedily(trial *t, size_t among, double sign, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    size_t before = s->flip_count;
    hcbr_status st = HCBR_OK;
    for (size_t size = 1; size <= STEPS && st == HCBR_OK && s->flip_count == before; size++) {
        double best = INFINITY;
        uint32_t chosen = HCBR_I_NONE;
        for (uint32_t i = 0; i < among && st == HCBR_OK; i++) {
            double lead;
            if (!hcbr_i_flip_is_free(s, size - 1, s->choices[i].group))
                continue;
            s->picked[size - 1] = i;
            st = lead_of(t, size, &lead, err);
            if (!isinf(lead) && sign * lead < best) {
                best = sign * lead;
                chosen = i;
            }
        }
        if (st != HCBR_OK || chosen == HCBR_I_NONE || s->cut)
            break;
        s->picked[size - 1] = chosen;
        if (size > s->searched)
            st = hcbr_i_trial_attempt(t, size, &best, err);
    }
    return st;
}

/* Most changes of which all sets of `size` can be tried with 1 / `parts` of the steps left. */
static size_t affordable(const trial *t, size_t size, uint64_t parts) {
    const hcbr_i_search *s = t->s;
    uint64_t left = (s->limit - s->steps) / parts;
    double most = (double)left / ((double)size * t->each), sets = 1;
    if (most > (double)hcbr_i_flip_sets)
        most = (double)hcbr_i_flip_sets;
    for (size_t n = size;; n++) { // sets of n + 1 are to those of n as n + 1 to n + 1 - size
        sets *= (double)(n + 1) / (double)(n + 1 - size);
        if (sets > most || n >= s->choice_count)
            return n;
    }
}

/* Sets of two or three, of the first `all` choices at the most. */
static hcbr_status try_size(trial *t, size_t size, size_t all, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = HCBR_OK;
    size_t most = affordable(t, size, 3), among = most < all ? most : all;
    bool complete = among == s->choice_count;
    s->quota = HCBR_I_FLIP_KEEP;
    if (!complete && t->pure) {
        hcbr_i_flip_part(s, 3);
        st = hcbr_i_flip_bounded(t, size, &complete, err);
    }
    if (st == HCBR_OK && !s->flip_count && (among == s->choice_count || !complete)) {
        hcbr_i_flip_part(s, 2);
        st = try_sets(t, size, 0, 0, among, err);
        complete = among == s->choice_count && !s->cut;
    }
    s->limited |= !complete; // with more steps more would be tried
    if (complete && s->searched + 1 == size && !s->flip_count)
        s->searched = size;
    return st;
}

static hcbr_status search_all(trial *t, bool *exact, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = try_singles(t, err);
    *exact = s->flip_count > 0;
    if (st != HCBR_OK || s->flip_count || s->choice_count == 0)
        return st;
    size_t all = s->choice_count;
    if (all > affordable(t, 3, 3))
        st = spread(s, &all, err);
    for (size_t size = 2; size <= HCBR_I_FLIP_EXACT && st == HCBR_OK && !s->flip_count; size++)
        st = try_size(t, size, all, err);
    if (st == HCBR_OK && !s->flip_count) {
        size_t among =
            affordable(t, 1, STEPS * STEPS) < all ? affordable(t, 1, STEPS * STEPS) : all;
        bool both = s->answer == HCBR_LABEL_UNKNOWN;
        s->quota = HCBR_I_FLIP_KEEP;
        hcbr_i_flip_part(s, both ? 2 : 1);
        st = try_greedily(t, among, 1, err);
        if (st == HCBR_OK && both && !s->flip_count) {
            hcbr_i_flip_part(s, 1);
            st = try_greedily(t, among, -1, err);
        }
    }
    // All smaller sets were excluded: that is the minimum.
    *exact = s->flip_count && s->flips[0].flip.count <= s->searched + 1;
    return st;
}

static hcbr_status prepare(trial *t, hcbr_error *err) {
    hcbr_i_account *x = t->s->x;
    const hcbr_i_frame *m = &x->frame;
    const hcbr_i_rich *rich = hcbr_i_reasons_of(x)->rich;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    size_t most = 2; // most edits of one change
    hcbr_status st = hcbr_i_rich_probe_create(&t->probe, rich, err);
    for (uint32_t k = 0; k < hcbr_i_dict_key_count(m->dict); k++)
        if (e->keys[k].kind == HCBR_I_RICH_SPARSE && most < 2 * ((size_t)e->keys[k].cut_count + 1))
            most = 2 * ((size_t)e->keys[k].cut_count + 1);
    for (uint32_t i = 0; i < t->s->own_count; i++) { // several values of one key
        uint32_t code = hcbr_i_reasons_code(x, &t->s->own[i]);
        t->known += t->s->own[i].known;
        if (t->s->own[i].key != HCBR_I_NONE && t->s->of_key[t->s->own[i].key] > 1)
            most += 1 + (code == HCBR_I_NONE ? 0 : e->keys[t->s->own[i].key].cut_count + 1);
    }
    t->row.codes = hcbr_i_alloc(e->column_count, 1);
    t->edits = hcbr_i_account_take(x, STEPS * most, sizeof *t->edits);
    t->support = hcbr_i_account_take(x, m->label_count, sizeof *t->support);
    if (st == HCBR_OK && (!t->row.codes || !t->edits || !t->support || !hcbr_i_trial_row(t, 0)))
        st = hcbr_i_no_memory(err);
    hcbr_i_flip_part(t->s, 1);
    if (st == HCBR_OK)
        st = hcbr_i_rich_probe_set(t->probe, &t->row, err);
    if (st == HCBR_OK)
        st = hcbr_i_flip_step(t->s, hcbr_i_rich_probe_size(t->probe), err);
    return st;
}

/* Steps of a decision: all trees are followed. */
static uint64_t decision_steps(const hcbr_i_rich *rich) {
    uint64_t trees = rich->forest.tree_count;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        trees += rich->boosted.model[j].tree_count;
    return (8 + rich->outputs) * trees + (1 + rich->outputs) * rich->encoder.column_count;
}

hcbr_status hcbr_i_reasons_flip(hcbr_i_search *s, hcbr_error *err) {
    trial t = {.s = s, .pure = s->pure && !s->memory};
    s->counted = true; // when the lead is looked at
    s->decision = decision_steps(hcbr_i_reasons_of(s->x)->rich);
    thin(s);
    hcbr_status st = prepare(&t, err);
    if (st == HCBR_OK)
        st = search_all(&t, &s->exact, err);
    hcbr_i_rich_probe_free(t.probe);
    hcbr_i_rich_row_clear(&t.row);
    return st;
}
