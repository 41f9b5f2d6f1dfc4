/*
 * The smallest changes that change an answer.
 *
 * Whether a label beats another, and whether it passes its thresholds (METHOD 3), are questions
 * about the sign of a sum over the features of the case: the division by |x| moves no sign, and
 * s > eta is the same as sum of (mu - eta) > 0. So an answer can change only if one of a few sums
 * crosses zero, and each change of a feature adds its own part to a sum. Per sum the changes are
 * sorted by what they add; sets of 1, 2 and 3 are enumerated with the bound that what follows adds
 * no more, and each that crosses is decided for real. Beyond 3 the largest parts are taken
 * together.
 *
 * Invariant: at most one change for each variable, and none that leaves nothing known.
 */
#include "flip.h"

#include <math.h>
#include <stdlib.h>

void(hcbr_flip_options_init)(hcbr_flip_options *options, size_t size) {
    const hcbr_flip_options full = {.size = sizeof full, .most = 3, .limit = HCBR_FLIP_LIMIT};
    hcbr_i_set_defaults(options, size, &full, sizeof full);
}

/* ---- steps ----------------------------------------------------------------------------------- */

#define TELL ((uint64_t)1 << 20) /* steps between two reports, some thousandths of a second */

void hcbr_i_flip_part(hcbr_i_search *s, uint64_t parts) {
    s->until = s->steps + (s->limit - s->steps) / parts;
    s->cut = false;
}

hcbr_status hcbr_i_flip_step(hcbr_i_search *s, uint64_t steps, hcbr_error *err) {
    if (s->cut || steps > s->until - s->steps) {
        s->cut = s->limited = true;
        return HCBR_OK;
    }
    s->steps += steps;
    if (s->steps - s->told < TELL)
        return HCBR_OK;
    s->told = s->steps;
    return hcbr_i_explainer_tell(s->x, "flip", s->steps, s->limit, err);
}

/* ---- what can change ------------------------------------------------------------------------- */

static bool is_fixed(const hcbr_flip_options *o, const char *key, size_t length) {
    for (size_t i = 0; i < o->fixed_count; i++) {
        size_t n = strlen(o->fixed[i]);
        if (length >= n && memcmp(key, o->fixed[i], n) == 0 &&
            (length == n || key[n] == ':' || key[n] == '.'))
            return true;
    }
    return false;
}

/* Numbers of the case that no past case has, but that a rich model knows what to do with. */
static size_t count_numbers(const hcbr_explainer *x) {
    size_t count = 0;
    for (size_t i = 0; x->rich && i < x->rich->known_count; i++)
        count += x->rich->known[i].atom == HCBR_I_NONE;
    return count;
}

static hcbr_status list_own(hcbr_i_search *s, const hcbr_decision *d, hcbr_error *err) {
    hcbr_explainer *x = s->x;
    hcbr_i_dict *dict = x->model->dict;
    size_t numbers = count_numbers(x);
    s->own = hcbr_i_explainer_take(x, x->found_count + d->unseen_count + numbers, sizeof *s->own);
    if (!s->own)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < x->found_count; i++) {
        hcbr_i_own *o = &s->own[s->own_count++];
        o->id = x->found[i].feature;
        o->key = hcbr_i_dict_get(dict, o->id).key;
        hcbr_model_get_feature(x->model, o->id, &o->feature);
        s->has[o->id] = true;
    }
    for (size_t i = 0; i < d->unseen_count; i++) { // their text goes with the next decision
        const hcbr_feature *f = &d->unseen[i];
        size_t value = f->value ? f->value_length : 0;
        char *text = hcbr_i_explainer_take(x, f->key_length + value + 1, 1);
        if (!text)
            return hcbr_i_no_memory(err);
        memcpy(text, f->key, f->key_length);
        if (value)
            memcpy(text + f->key_length, f->value, value);
        hcbr_i_own *o = &s->own[s->own_count++];
        o->feature =
            (hcbr_feature){text, f->key_length, f->value ? text + f->key_length : NULL, value};
        o->id = HCBR_I_NONE;
        o->key = hcbr_i_dict_find_key(dict, f->key, f->key_length);
    }
    for (size_t i = 0; numbers && i < x->rich->known_count; i++) {
        const hcbr_i_known *known = &x->rich->known[i];
        if (known->atom == HCBR_I_NONE)
            s->own[s->own_count++] = (hcbr_i_own){
                known->feature, HCBR_I_NONE,
                hcbr_i_dict_find_key(dict, known->feature.key, known->feature.key_length)};
    }
    for (size_t i = 0; i < s->own_count; i++)
        if (s->own[i].key != HCBR_I_NONE) {
            s->of_key[s->own[i].key]++;
            s->own_of[s->own[i].key] = (uint32_t)i;
        }
    return HCBR_OK;
}

/* Every change of one feature. A variable with one value is a group of its own, the members of a
 * set are one each. */
static void list_choices(hcbr_i_search *s, const hcbr_flip_options *o) {
    const hcbr_model *m = s->x->model;
    uint64_t keys = hcbr_i_dict_key_count(m->dict), features = m->atoms.feature_count;
    for (uint32_t i = 0; i < s->own_count; i++) {
        const hcbr_i_own *f = &s->own[i];
        uint64_t group = f->key == HCBR_I_NONE    ? keys + features + i
                         : s->of_key[f->key] == 1 ? f->key
                         : f->id == HCBR_I_NONE   ? keys + features + i
                                                  : keys + f->id;
        if (!is_fixed(o, f->feature.key, f->feature.key_length))
            s->choices[s->choice_count++] = (hcbr_i_choice){i, HCBR_I_NONE, group, 0, 0};
    }
    for (uint32_t f = 0; f < features; f++) {
        hcbr_i_key_id key = hcbr_i_dict_get(m->dict, f).key;
        if (s->fixed[key] || s->has[f])
            continue;
        s->choices[s->choice_count++] =
            (hcbr_i_choice){s->of_key[key] == 1 ? s->own_of[key] : HCBR_I_NONE, f,
                            s->of_key[key] <= 1 ? key : keys + f, 0, 0};
    }
}

static hcbr_status prepare(hcbr_i_search *s, const hcbr_decision *d, const hcbr_flip_options *o,
                           hcbr_error *err) {
    hcbr_explainer *x = s->x;
    const hcbr_model *m = x->model;
    uint32_t keys = hcbr_i_dict_key_count(m->dict);
    size_t features = m->atoms.feature_count,
           own_count = x->found_count + d->unseen_count + count_numbers(x);
    s->of_key = hcbr_i_explainer_take(x, keys, sizeof *s->of_key);
    s->own_of = hcbr_i_explainer_take(x, keys, sizeof *s->own_of);
    s->fixed = hcbr_i_explainer_take(x, keys, sizeof *s->fixed);
    s->has = hcbr_i_explainer_take(x, features, sizeof *s->has);
    s->choices = hcbr_i_explainer_take(x, own_count + features, sizeof *s->choices);
    s->changed = hcbr_i_explainer_take(x, 2 * own_count + features, sizeof *s->changed);
    s->gone = hcbr_i_explainer_take(x, own_count, sizeof *s->gone);
    s->picked = hcbr_i_explainer_take(x, own_count + features, sizeof *s->picked);
    if (!s->of_key || !s->own_of || !s->fixed || !s->has || !s->choices || !s->changed ||
        !s->gone || !s->picked)
        return hcbr_i_no_memory(err);
    hcbr_status st = list_own(s, d, err);
    if (st != HCBR_OK)
        return st;
    for (uint32_t k = 0; o->fixed_count && k < keys; k++) {
        hcbr_i_text key = hcbr_i_dict_key(m->dict, k);
        s->fixed[k] = is_fixed(o, key.at, key.length);
    }
    list_choices(s, o);
    return HCBR_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static double part_of(const hcbr_i_search *s, hcbr_i_feature_id id) {
    const hcbr_i_strength *mu = &s->x->model->strength;
    const hcbr_i_condition *c = &s->now;
    double part = c->constant;
    if (id == HCBR_I_NONE)
        return part;
    hcbr_i_atom_id atom = s->x->model->atoms.of[id];
    if (mu->mu && c->of_a == -c->of_b) // exact, where a difference of the two might have lost it
        return part + c->of_a * (c->a ? mu->mu[atom] : -mu->mu[atom]);
    if (c->a != HCBR_I_NONE)
        part += c->of_a * hcbr_i_strength_get(mu, atom, c->a);
    if (c->b != HCBR_I_NONE)
        part += c->of_b * hcbr_i_strength_get(mu, atom, c->b);
    return part;
}

int hcbr_i_flip_compare(const void *a, const void *b) {
    const hcbr_i_choice *p = a, *q = b;
    if (p->adds != q->adds)
        return p->adds > q->adds ? -1 : 1;
    if (p->removed != q->removed)
        return p->removed > q->removed ? -1 : 1; // what replaces nothing first
    return (p->added > q->added) - (p->added < q->added);
}

/* Make a condition the one at hand. */
static hcbr_status weigh(hcbr_i_search *s, const hcbr_i_condition *c, hcbr_error *err) {
    double magnitude = 0, largest = 0;
    hcbr_status st = hcbr_i_flip_step(s, 16 * (s->choice_count + s->own_count), err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->now = *c;
    s->base = 0;
    s->quota = HCBR_I_FLIP_KEEP;
    for (size_t i = 0; i < s->own_count; i++) {
        double part = part_of(s, s->own[i].id);
        s->base += part;
        magnitude += fabs(part);
    }
    for (size_t i = 0; i < s->choice_count; i++) {
        hcbr_i_choice *t = &s->choices[i];
        t->adds = t->added == HCBR_I_NONE ? 0 : part_of(s, t->added);
        if (t->removed != HCBR_I_NONE)
            t->adds -= part_of(s, s->own[t->removed].id);
        largest = fabs(t->adds) > largest ? fabs(t->adds) : largest;
    }
    s->slack = 0x1p-38 * (magnitude + HCBR_I_FLIP_EXACT * largest);
    if (s->choice_count)
        qsort(s->choices, s->choice_count, sizeof *s->choices, hcbr_i_flip_compare);
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

static hcbr_status keep(hcbr_i_search *s, const hcbr_decision *d, hcbr_error *err) {
    hcbr_explainer *x = s->x;
    hcbr_i_choice *changes = hcbr_i_explainer_take(x, s->size, sizeof *changes);
    hcbr_change *shown = hcbr_i_explainer_take(x, s->size, sizeof *shown);
    double *support = hcbr_i_explainer_take(x, x->model->labels.count, sizeof *support);
    if (!changes || !shown || !support ||
        !hcbr_i_grow(&s->flips, &s->flip_capacity, s->flip_count + 1, sizeof *s->flips))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < s->size; i++)
        changes[i] = s->choices[s->picked[i]];
    s->quota--;
    for (size_t i = 0; i < s->flip_count && s->size <= HCBR_I_FLIP_EXACT && !x->rich; i++)
        if (same_set(&s->flips[i], changes, s->size))
            return HCBR_OK;
    for (size_t i = 0; i < s->size; i++) {
        if (changes[i].removed != HCBR_I_NONE)
            shown[i].removed = s->own[changes[i].removed].feature;
        if (changes[i].added != HCBR_I_NONE)
            hcbr_model_get_feature(x->model, changes[i].added, &shown[i].added);
    }
    memcpy(support, d->support, x->model->labels.count * sizeof *support);
    double lead = hcbr_i_explainer_lead_of(x, d, (uint32_t)hcbr_i_explainer_label(d));
    s->flips[s->flip_count++] =
        (hcbr_i_found_flip){changes, {shown, s->size, d->label, d->winner, lead, support}};
    return HCBR_OK;
}

/* The case with the picked changes; returns how many features it has. */
static size_t make_changed(hcbr_i_search *s) {
    size_t n = 0;
    for (int gone = 1; gone >= 0; gone--) {
        for (size_t k = 0; k < s->size; k++)
            if (s->choices[s->picked[k]].removed != HCBR_I_NONE)
                s->gone[s->choices[s->picked[k]].removed] = gone;
        for (uint32_t i = 0; gone && i < s->own_count; i++)
            if (!s->gone[i])
                s->changed[n++] = s->own[i].feature;
    }
    for (size_t k = 0; k < s->size; k++)
        if (s->choices[s->picked[k]].added != HCBR_I_NONE)
            hcbr_model_get_feature(s->x->model, s->choices[s->picked[k]].added, &s->changed[n++]);
    return n;
}

/* What a decision takes: names are looked up, and of a rich model all trees are followed. */
static uint64_t decision_steps(const hcbr_i_search *s) {
    uint64_t steps = 8 * (uint64_t)(s->own_count + s->size + s->x->model->labels.count);
    if (s->x->rich) {
        const hcbr_i_rich *rich = s->x->model->rich;
        uint64_t trees = rich->votes.tree_count;
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
            trees += rich->boosted.jury[j].tree_count;
        steps += (8 + rich->outputs) * trees + (1 + rich->outputs) * rich->encoder.column_count;
    }
    return steps;
}

/* Decide the case with the picked changes, and keep them if the answer is another one. */
hcbr_status hcbr_i_flip_test(hcbr_i_search *s, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_status st = hcbr_i_flip_step(s, decision_steps(s), err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->tried += !s->x->rich; // there they were counted when the lead was looked at
    size_t n = make_changed(s);
    st = hcbr_decider_decide(s->x->decider, s->changed, n, &d, err);
    if (st != HCBR_OK || d.label == s->answer)
        return st;
    if (d.winner == HCBR_LABEL_UNKNOWN) {
        s->unknown |= s->size > HCBR_I_FLIP_EXACT; // another set of as many might do
        return HCBR_OK;
    }
    return keep(s, &d, err);
}

bool hcbr_i_flip_is_free(const hcbr_i_search *s, size_t depth, uint64_t group) {
    for (size_t k = 0; k < depth; k++)
        if (s->choices[s->picked[k]].group == group)
            return false;
    return true;
}

/* All sets of s->size choices, from choice `from` on, that may cross zero. */
static hcbr_status enumerate(hcbr_i_search *s, size_t depth, size_t from, double sum,
                             hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    size_t left = s->size - depth;
    for (size_t i = from; i < s->choice_count && st == HCBR_OK && s->quota && !s->cut; i++) {
        const hcbr_i_choice *t = &s->choices[i];
        if (sum + t->adds * (double)left < -s->slack)
            break; // what follows adds no more
        st = hcbr_i_flip_step(s, 1, err);
        if (st != HCBR_OK || s->cut || !hcbr_i_flip_is_free(s, depth, t->group))
            continue;
        s->picked[depth] = (uint32_t)i;
        st = left == 1 ? hcbr_i_flip_test(s, err)
                       : enumerate(s, depth + 1, i + 1, sum + t->adds, err);
    }
    return st;
}

/* Beyond: the best changes taken together, as few as do. Never as many as `most`. */
static hcbr_status gather(hcbr_i_search *s, size_t most, size_t *needed, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    size_t groups =
        hcbr_i_dict_key_count(s->x->model->dict) + s->x->model->atoms.feature_count + s->own_count;
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
static size_t list_conditions(const hcbr_i_search *s, const hcbr_decision *d,
                              hcbr_i_condition *out) {
    const hcbr_explainer *x = s->x;
    const hcbr_i_rule *rule = &x->decider->rule;
    const double *total = x->model->strength.total;
    uint32_t labels = x->model->labels.count, l = (uint32_t)d->winner;
    uint32_t against = hcbr_i_explainer_other(x, d, l);
    double eta = rule->eta[l], share = rule->eta_share[l];
    size_t n = 0;
    if (rule->has_cut && d->reason != HCBR_BY_MEMORY)
        return list_cut(rule->cut, d, out);
    if (rule->has_cut || rule->costs.by_given) { // what a change does to probabilities is not a sum
        out[n++] = (hcbr_i_condition){HCBR_I_NONE, HCBR_I_NONE, 0, 0, 0};
        return n;
    }
    if (d->reason == HCBR_BY_MEMORY) // any change may make it another case
        out[n++] = (hcbr_i_condition){HCBR_I_NONE, HCBR_I_NONE, 0, 0, 0};
    for (uint32_t o = 0; o < labels; o++)
        if (o != l && total[o] > 0)
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
                if (o != l && total[o] > 0)
                    out[n++] = (hcbr_i_condition){o, l, share, share - 1, 0};
    }
    return n;
}

bool hcbr_i_flip_is_pure(const hcbr_i_search *s) {
    const hcbr_decider *d = s->x->decider;
    return !d->thresholds && !d->rule.has_cut && !d->rule.costs.by_given;
}

static int compare_flips(const void *a, const void *b) {
    const hcbr_i_found_flip *p = a, *q = b;
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

/* Look for sets of 1, 2, 3 changes, then for larger ones. */
static hcbr_status look(hcbr_i_search *s, const hcbr_decision *d, hcbr_error *err) {
    size_t labels = s->x->model->labels.count, needed = SIZE_MAX;
    hcbr_i_condition *list = hcbr_i_explainer_take(s->x, 2 * labels + 2, sizeof *list);
    hcbr_status st = list ? HCBR_OK : hcbr_i_no_memory(err);
    size_t count = list ? list_conditions(s, d, list) : 0;
    // Half of what is left for each size, and of that as much for each sum.
    for (size_t size = 1; size <= HCBR_I_FLIP_EXACT && st == HCBR_OK && !s->flip_count; size++) {
        bool whole = !s->x->decider->rule.memory || d->reason == HCBR_BY_MEMORY;
        for (size_t c = 0; c < count && st == HCBR_OK; c++) {
            s->size = size;
            hcbr_i_flip_part(s, 2 * (count - c));
            if ((st = weigh(s, &list[c], err)) == HCBR_OK && !s->cut)
                st = enumerate(s, 0, 0, s->base, err);
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
        if (needed < best) { // what took more is forgotten
            s->flips[0] = s->flips[s->flip_count - 1];
            s->flip_count = 1;
        }
    }
    return st;
}

/* Are all sets of changes, one for each group at the most, of the size that was searched? */
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
    if (s->flip_count)
        qsort(s->flips, s->flip_count, sizeof *s->flips, compare_flips);
    out->count = s->flip_count < most ? s->flip_count : most;
    hcbr_flip *list = hcbr_i_explainer_take(s->x, out->count, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < out->count; i++)
        list[i] = s->flips[i].flip;
    out->flips = list;
    out->exact =
        s->x->rich ? s->exact : s->searched + 1 >= size && size && size <= HCBR_I_FLIP_EXACT + 1;
    if (!s->x->rich && (size == 0 || size > HCBR_I_FLIP_EXACT) && !s->x->decider->rule.memory &&
        !s->limited && !s->unknown && hcbr_i_flip_is_pure(s))
        out->exact = 1; // the best changes together are the fewest
    if (size == 1 || (size == 0 && is_whole(s)))
        out->exact = 1;
    out->exhaustive = out->exact && size == 0;
    out->searched = out->exact && size > s->searched ? size - 1 : s->searched;
    out->tried = s->tried;
    out->steps = s->steps;
    out->limited = s->limited;
    return HCBR_OK;
}

hcbr_status hcbr_explainer_flip(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                const hcbr_flip_options *options, hcbr_flips *flips,
                                hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_flips out = {.size = flips->size, .flip_stride = sizeof *out.flips};
    hcbr_flip_options o;
    hcbr_i_search s = {.x = x};
    hcbr_flip_options_init(&o);
    if (options)
        hcbr_i_take_in(&o, sizeof o, options);
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &d, err);
    if (st == HCBR_OK) {
        out.label = s.answer = d.label;
        out.limit = s.limit = o.limit;
        out.nothing_known = d.winner == HCBR_LABEL_UNKNOWN;
    }
    if (st == HCBR_OK && d.winner != HCBR_LABEL_UNKNOWN) {
        st = hcbr_i_explainer_tell(x, "flip", 0, o.limit, err);
        if (st == HCBR_OK)
            st = prepare(&s, &d, &o, err);
        if (st == HCBR_OK)
            st = x->rich ? hcbr_i_flip_rich(&s, &s.exact, err) : look(&s, &d, err);
        if (st == HCBR_OK)
            st = show(&s, o.most, &out, err);
    }
    hcbr_i_explainer_wipe(x);
    hcbr_i_free(s.flips);
    if (st == HCBR_OK)
        hcbr_i_hand_out(flips, &out, sizeof out);
    return st;
}
