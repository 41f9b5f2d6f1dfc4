/*
 * The smallest changes that change an answer of a rich model. Its supports are no sums over
 * features, so changes are tried: each alone, then pairs and sets of three, then the best one after
 * the other. Only what would change the largest support is decided for real.
 *
 * A number is changed to one value for each code, the nearest: all values of a code decide alike,
 * so trying them all would find nothing more. Singles are always tried all; where pairs or sets of
 * three are too many, those that cannot do are left out (flip_bound.c). If they are still too many,
 * those of the changes that move the lead most are tried, and the answer is exact only as far as
 * everything was.
 */
#include "flip.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 12, PER_GROUP = 6 };

#ifdef HCBR_FAULTS
size_t hcbr_i_flip_sets = HCBR_I_FLIP_TESTS;
#else
static const size_t hcbr_i_flip_sets = HCBR_I_FLIP_TESTS;
#endif

typedef hcbr_i_trial trial;

/* ---- what is tried --------------------------------------------------------------------------- */

static bool number_of(const hcbr_model *m, hcbr_i_feature_id f, double *value) {
    hcbr_i_dict_feature d = hcbr_i_dict_get(m->dict, f);
    return d.value && hcbr_number_parse(value, d.value, d.value_length) && isfinite(*value);
}

static bool own_number(const hcbr_i_own *o, double *value) {
    return o->feature.value &&
           hcbr_number_parse(value, o->feature.value, o->feature.value_length) && isfinite(*value);
}

/* Sorted by key and code, the nearest value to the present one first. */
typedef struct coded {
    hcbr_i_key_id key;
    uint32_t code;
    double away;
    hcbr_i_choice choice;
} coded;

static int compare_coded(const void *a, const void *b) {
    const coded *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    if (p->away != q->away)
        return p->away < q->away ? -1 : 1;
    return (p->choice.added > q->choice.added) - (p->choice.added < q->choice.added);
}

/* Of the values of a number that have one code, keep the nearest; none of the present code. */
static hcbr_status thin(hcbr_i_search *s, hcbr_error *err) {
    const hcbr_model *m = s->x->model;
    const hcbr_i_rich_encoder *e = &m->rich->encoder;
    coded *list = hcbr_i_alloc(s->choice_count, sizeof *list);
    size_t count = 0, kept = 0;
    if (!list)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < s->choice_count; i++) {
        hcbr_i_choice *c = &s->choices[i];
        hcbr_i_key_id key =
            c->added == HCBR_I_NONE ? HCBR_I_NONE : hcbr_i_dict_get(m->dict, c->added).key;
        hcbr_i_rich_kind kind = key == HCBR_I_NONE ? HCBR_I_RICH_UNUSED : e->keys[key].kind;
        double value = 0, now = 0;
        if (c->added != HCBR_I_NONE &&
            (kind == HCBR_I_RICH_UNUSED || e->code[c->added] == HCBR_I_NONE))
            continue; // it would say nothing
        if ((kind != HCBR_I_RICH_NUMBER && kind != HCBR_I_RICH_SPARSE) ||
            !number_of(m, c->added, &value)) {
            s->choices[kept++] = *c;
            continue;
        }
        bool has = c->removed != HCBR_I_NONE && own_number(&s->own[c->removed], &now);
        if (has && hcbr_i_rich_code(e->cuts + e->keys[key].cut_start, e->keys[key].cut_count,
                                    now) == e->code[c->added])
            continue;
        list[count++] = (coded){key, e->code[c->added], has ? fabs(value - now) : value, *c};
    }
    if (count)
        qsort(list, count, sizeof *list, compare_coded);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || list[i].key != list[i - 1].key || list[i].code != list[i - 1].code)
            s->choices[kept++] = list[i].choice;
    s->choice_count = kept;
    hcbr_i_free(list);
    return HCBR_OK;
}

/* ---- trying ---------------------------------------------------------------------------------- */

static bool add_own(const trial *t, const hcbr_i_own *o, hcbr_i_rich_row *row, bool *any) {
    const hcbr_model *m = t->s->x->model;
    bool known = o->id != HCBR_I_NONE;
    bool ok = known ? hcbr_i_rich_row_add(&m->rich->encoder, m->dict, o->id, row)
              : o->key != HCBR_I_NONE && o->feature.value
                  ? hcbr_i_rich_row_add_number(&m->rich->encoder, o->key, o->feature.value,
                                               o->feature.value_length, row, &known)
                  : true;
    *any |= known;
    return ok;
}

bool hcbr_i_trial_row(const hcbr_i_trial *t, size_t size, bool *any) {
    const hcbr_i_search *s = t->s;
    const hcbr_model *m = s->x->model;
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(t->scorer);
    bool ok = true;
    *any = false;
    hcbr_i_rich_row_begin(&m->rich->encoder, row);
    for (uint32_t i = 0; ok && i < s->own_count; i++) {
        bool stays = true;
        for (size_t k = 0; k < size && stays; k++)
            stays = s->choices[s->picked[k]].removed != i;
        ok = !stays || add_own(t, &s->own[i], row, any);
    }
    for (size_t k = 0; ok && k < size; k++) {
        uint32_t added = s->choices[s->picked[k]].added;
        if (added == HCBR_I_NONE)
            continue;
        ok = hcbr_i_rich_row_add(&m->rich->encoder, m->dict, added, row);
        *any = true;
    }
    hcbr_i_rich_row_end(row);
    return ok;
}

/* The lead of the present winner over the best other label after the picked changes; infinite if
 * nothing would be known. False: no memory. */
static bool lead_of(const trial *t, size_t size, double *lead) {
    const hcbr_i_search *s = t->s;
    const hcbr_model *m = s->x->model;
    bool any, ok = hcbr_i_trial_row(t, size, &any);
    *lead = INFINITY;
    if (!ok || !any)
        return ok;
    hcbr_i_rich_score(t->scorer, t->support, t->probability, NULL);
    if (m->labels.count == 2) {
        *lead = s->x->label ? 2 * t->support[0] : -2 * t->support[0];
        return true;
    }
    double best = -INFINITY;
    for (uint32_t l = 0; l < m->labels.count; l++)
        if (l != s->x->label && t->support[l] > best)
            best = t->support[l];
    *lead = t->support[s->x->label] - best;
    return true;
}

hcbr_status hcbr_i_trial_attempt(hcbr_i_trial *t, size_t size, double *lead, hcbr_error *err) {
    t->s->size = size;
    if (!lead_of(t, size, lead))
        return hcbr_i_no_memory(err);
    if (isinf(*lead) || (t->pure && *lead > 0))
        return HCBR_OK;
    return hcbr_i_flip_test(t->s, err);
}

static hcbr_status try_singles(trial *t, double now, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = HCBR_OK;
    s->quota = SIZE_MAX;
    for (uint32_t i = 0; st == HCBR_OK && i < s->choice_count; i++) {
        double lead = 0;
        s->picked[0] = i;
        st = hcbr_i_trial_attempt(t, 1, &lead, err);
        s->choices[i].adds = isinf(lead) ? -HUGE_VAL : now - lead;
    }
    return st;
}

/* Choices of one group beyond the best few go to the end. Returns how many are left before. */
static size_t spread(hcbr_i_search *s, size_t *group_count) {
    size_t kept = 0;
    hcbr_i_choice *list = s->choices;
    for (size_t i = 0; i < s->choice_count; i++) {
        size_t same = 0;
        for (size_t k = 0; k < kept && same < PER_GROUP; k++)
            same += list[k].group == list[i].group;
        *group_count += same == 0;
        if (same < PER_GROUP) {
            hcbr_i_choice swap = list[kept];
            list[kept++] = list[i];
            list[i] = swap;
        }
        if (kept > 400)
            break;
    }
    return kept;
}

/* All sets of `size` of the first `among` choices. */
static hcbr_status try_sets(trial *t, size_t size, size_t depth, size_t from, size_t among,
                            hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_status st = HCBR_OK;
    for (size_t i = from; st == HCBR_OK && i < among && s->quota; i++) {
        if (!hcbr_i_flip_is_free(s, depth, s->choices[i].group))
            continue;
        s->picked[depth] = (uint32_t)i;
        double lead;
        st = depth + 1 == size ? hcbr_i_trial_attempt(t, size, &lead, err)
                               : try_sets(t, size, depth + 1, i + 1, among, err);
    }
    return st;
}

/* The best change, the best beside it, and so on. */
static hcbr_status try_greedily(trial *t, size_t among, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    size_t before = s->flip_count;
    hcbr_status st = HCBR_OK;
    for (size_t size = 1; size <= STEPS && st == HCBR_OK && s->flip_count == before; size++) {
        double best = INFINITY;
        uint32_t chosen = HCBR_I_NONE;
        for (uint32_t i = 0; i < among; i++) {
            double lead;
            if (!hcbr_i_flip_is_free(s, size - 1, s->choices[i].group))
                continue;
            s->picked[size - 1] = i;
            if (!lead_of(t, size, &lead))
                return hcbr_i_no_memory(err);
            if (lead < best) {
                best = lead;
                chosen = i;
            }
        }
        if (chosen == HCBR_I_NONE)
            break;
        s->picked[size - 1] = chosen;
        if (size > HCBR_I_FLIP_EXACT)
            st = hcbr_i_trial_attempt(t, size, &best, err);
    }
    return st;
}

/* Most changes of which all sets of two, or three, can be tried. */
static size_t affordable(size_t size) {
    size_t n = size;
    while (size == 2 ? n * (n + 1) / 2 <= hcbr_i_flip_sets
                     : (n - 1) * n * (n + 1) / 6 <= hcbr_i_flip_sets)
        n++;
    return n;
}

static hcbr_status search_all(trial *t, const hcbr_decision *d, bool *exact, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    *exact = true;
    hcbr_status st = thin(s, err);
    if (st == HCBR_OK)
        st = try_singles(t, d->lead, err);
    if (st != HCBR_OK || s->flip_count || s->choice_count == 0)
        return st;
    qsort(s->choices, s->choice_count, sizeof *s->choices, hcbr_i_flip_compare);
    size_t groups = 0, all = s->choice_count;
    if (all > affordable(3))
        all = spread(s, &groups);
    for (size_t size = 2; size <= HCBR_I_FLIP_EXACT; size++) {
        size_t among = affordable(size) < all ? affordable(size) : all;
        bool complete = among == s->choice_count;
        s->quota = HCBR_I_FLIP_KEEP;
        s->tests = 0;
        if (!complete && t->pure)
            st = hcbr_i_flip_bounded(t, size, &complete, err);
        if (st == HCBR_OK && !s->flip_count && (among == s->choice_count || !complete))
            st = try_sets(t, size, 0, 0, among, err);
        if (st != HCBR_OK || s->flip_count)
            return st;
        *exact &= complete && !s->cut;
    }
    size_t among = affordable(2) < all ? affordable(2) : all;
    s->tests = 0;
    st = try_greedily(t, among, err);
    // Three were ruled out: one more is the fewest. Of larger sets nothing is known.
    *exact &= s->flip_count ? s->flips[0].flip.count == HCBR_I_FLIP_EXACT + 1
                            : s->choice_count <= HCBR_I_FLIP_EXACT;
    return st;
}

hcbr_status hcbr_i_flip_rich(hcbr_i_search *s, const hcbr_decision *d, bool *exact,
                             hcbr_error *err) {
    const hcbr_model *m = s->x->model;
    trial t = {.s = s, .pure = hcbr_i_flip_is_pure(s) && !s->x->decider->rule.memory};
    hcbr_status st = hcbr_i_rich_scorer_create(&t.scorer, m->rich, err);
    t.support = hcbr_i_explainer_take(s->x, m->labels.count, sizeof *t.support);
    t.probability = hcbr_i_explainer_take(s->x, m->labels.count, sizeof *t.probability);
    if (st == HCBR_OK && (!t.support || !t.probability))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = search_all(&t, d, exact, err);
    hcbr_i_rich_scorer_free(t.scorer);
    return st;
}
