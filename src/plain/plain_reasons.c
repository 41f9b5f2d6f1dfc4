/*
 * Reasons of plain models (METHOD 9): the case is projected on its atoms, the influence of every
 * past case of those atoms on the lead is added up, and the largest are picked.
 *
 * Working arrays over all atoms and all past cases are zero between calls: a call resets the
 * entries it has used, so that its cost follows the case and not the model. Influences by label are
 * computed only for past cases that are shown. All of it is deterministic: ties are broken by the
 * number of the atom or case.
 */
#include "plain/plain_reasons.h"

#include <math.h>
#include <stdlib.h>

#define why hcbr_i_plain_why_of

/* ---- life ------------------------------------------------------------------------------------ */

void hcbr_i_plain_why_free(void *memory) {
    hcbr_i_plain_why *w = memory;
    if (!w)
        return;
    hcbr_i_free(w->weight_of);
    hcbr_i_free(w->is_met);
    hcbr_i_free(w->met);
    hcbr_i_free(w->found);
    hcbr_i_free(w->atoms);
    hcbr_i_free(w->picked);
    hcbr_i_free(w);
}

hcbr_status hcbr_i_plain_why_create(void **out, void *index, hcbr_error *err) {
    const hcbr_i_causes *causes = index;
    const hcbr_i_plain *plain = causes->plain;
    size_t cases = causes->frame->keep == HCBR_KEEP_NONE ? 0 : plain->kept.case_count;
    *out = NULL;
    hcbr_i_plain_why *w = hcbr_i_alloc_zero(1, sizeof *w);
    if (!w)
        return hcbr_i_no_memory(err);
    w->causes = causes;
    w->weight_of = hcbr_i_alloc_zero(plain->atoms.count, sizeof *w->weight_of);
    w->is_met = hcbr_i_alloc_zero(cases, sizeof *w->is_met);
    w->met = hcbr_i_alloc(cases + 1, sizeof *w->met); // one that add_shares() may write
    if (!w->weight_of || !w->is_met || !w->met) {
        hcbr_i_plain_why_free(w);
        return hcbr_i_no_memory(err);
    }
    *out = w;
    return HCBR_OK;
}

/* ---- the case's atoms ------------------------------------------------------------------------ */

static int compare_found(const void *a, const void *b) {
    const hcbr_i_found *p = a, *q = b;
    if (p->atom != q->atom)
        return p->atom < q->atom ? -1 : 1;
    return (p->feature > q->feature) - (p->feature < q->feature);
}

static hcbr_status find_features(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_plain_why *w = why(x);
    size_t count = x->at->count;
    w->found_count = 0;
    if (!hcbr_i_grow(&w->found, &w->found_capacity, count, sizeof *w->found) ||
        !hcbr_i_grow(&w->atoms, &w->atom_capacity, count, sizeof *w->atoms))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        hcbr_i_feature_id id = x->at->items[i].id;
        if (id != HCBR_I_NONE)
            w->found[w->found_count++] = (hcbr_i_found){w->causes->plain->atoms.of[id], id};
    }
    if (w->found_count)
        qsort(w->found, w->found_count, sizeof *w->found, compare_found);
    return HCBR_OK;
}

double hcbr_i_plain_lead(const hcbr_i_account *x, hcbr_i_atom_id atom) {
    const hcbr_i_strength *s = &why(x)->causes->plain->strength;
    if (s->mu) // exact; a difference of the two might have lost it
        return x->label ? s->mu[atom] : 0 - s->mu[atom];
    return hcbr_i_strength_get(s, atom, x->label) -
           (x->against == HCBR_I_NONE ? 0 : hcbr_i_strength_get(s, atom, x->against));
}

/*
 * x∩e|, or the sum of the importances of these features.
 */
static double touched_units(const hcbr_i_plain_why *w, const hcbr_i_touched *t) {
    const uint32_t *units = w->causes->plain->units;
    uint64_t sum = units ? 0 : t->count;
    for (size_t n = 0; units && n < t->count; n++)
        sum += units[w->found[t->first + n].feature];
    return (double)sum;
}

hcbr_status hcbr_i_plain_begin(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_plain_why *w = why(x);
    hcbr_status st = find_features(x, err);
    if (st != HCBR_OK)
        return st;
    w->atom_count = 0;
    w->size = hcbr_i_plain_case_units(w->causes->plain, x->at);
    for (size_t i = 0; i < w->found_count; i++) {
        if (i == 0 || w->found[i].atom != w->found[i - 1].atom)
            w->atoms[w->atom_count++] = (hcbr_i_touched){.atom = w->found[i].atom, .first = i};
        w->atoms[w->atom_count - 1].count++;
    }
    for (size_t a = 0; a < w->atom_count; a++) {
        hcbr_i_touched *t = &w->atoms[a];
        t->weight = touched_units(w, t) / w->size;
        t->lead = t->weight * hcbr_i_plain_lead(x, t->atom);
        w->weight_of[t->atom] = t->weight;
    }
    return HCBR_OK;
}

void hcbr_i_plain_end(hcbr_i_account *x) {
    hcbr_i_plain_why *w = why(x);
    for (size_t a = 0; a < w->atom_count; a++)
        w->weight_of[w->atoms[a].atom] = 0;
    for (size_t n = 0; n < w->met_count; n++) {
        x->lead_of[w->met[n]] = 0;
        w->is_met[w->met[n]] = false;
    }
    w->atom_count = w->met_count = 0;
}

static int compare_touched(const void *a, const void *b) {
    const hcbr_i_touched *p = a, *q = b;
    double x = fabs(p->lead), y = fabs(q->lead);
    if (x != y)
        return x > y ? -1 : 1;
    return (p->atom > q->atom) - (p->atom < q->atom);
}

/* ---- influences ------------------------------------------------------------------------------ */

/* The first case of the belief of case i, which has the same atoms; i itself if it is not a
 * belief. */
static uint32_t first_copy(const hcbr_i_account *x, uint32_t i) {
    return (uint32_t)hcbr_i_beliefs_first(x->frame.beliefs, x->frame.case_count, i);
}

static inline void add_sum(hcbr_i_account *x, uint32_t label, double value) {
    uint32_t labels = x->frame.label_count;
    double *sum = x->sums + labels + label, *rest = sum + labels, *absolute = rest + labels;
    double next = *sum + value; // the rounding is kept and added at the end (Neumaier)
    *rest += fabs(*sum) >= fabs(value) ? (*sum - next) + value : (value - next) + *sum;
    *sum = next;
    *absolute += fabs(value);
}

static inline void add_lead(hcbr_i_account *x, uint32_t i, double lead) {
    if (!why(x)->is_met[i]) {
        why(x)->is_met[i] = true;
        why(x)->met[why(x)->met_count++] = i;
    }
    x->lead_of[i] += lead;
}

/* A running sum of non-negative values with its rounding error (Neumaier). */
typedef struct running {
    double sum, rest;
} running;

static inline void run_on(running *r, double value) {
    double next = r->sum + value;
    r->rest += r->sum >= value ? (r->sum - next) + value : (value - next) + r->sum;
    r->sum = next;
}

/* Shares of the strength of one atom, scope class: a past case supports its own label only. With
 * two labels, the common case, everything but the past cases' own figures stays in registers. */
static void add_shares(hcbr_i_account *x, const hcbr_i_touched *t, const double *part) {
    const hcbr_i_causes *c = why(x)->causes;
    const uint32_t *label = x->frame.kept_label, *cases = c->cases;
    const double *inverse = c->inverse;
    uint64_t end = c->start[t->atom + 1];
    if (x->frame.label_count != 2) {
        for (uint64_t k = c->start[t->atom]; k < end; k++) {
            uint32_t i = cases[k];
            double value = t->weight * part[label[i]] * inverse[i];
            add_sum(x, label[i], value);
            add_lead(x, i, hcbr_i_account_side(x, label[i]) * value);
        }
        return;
    }
    const double factor[2] = {t->weight * part[0], t->weight * part[1]};
    const double signs[2] = {hcbr_i_account_side(x, 0), hcbr_i_account_side(x, 1)};
    double *lead_of = x->lead_of;
    bool *is_met = why(x)->is_met;
    uint32_t *met = why(x)->met;
    size_t met_count = why(x)->met_count;
    running sums[2] = {{0, 0}, {0, 0}};
    for (uint64_t k = c->start[t->atom]; k < end; k++) {
        uint32_t i = cases[k], l = label[i] != 0;
        double value = factor[l] * inverse[i];
        run_on(&sums[l], value);
        met[met_count] = i; // written over by the next if it was met before
        met_count += !is_met[i];
        is_met[i] = true;
        lead_of[i] += signs[l] * value;
    }
    why(x)->met_count = met_count;
    for (uint32_t l = 0; l < 2; l++)
        add_sum(x, l, sums[l].sum + sums[l].rest);
}

/* The same for scope all: a past case supports every label. */
static void add_all_shares(hcbr_i_account *x, const hcbr_i_touched *t, const double *part) {
    const hcbr_i_causes *c = why(x)->causes;
    uint32_t labels = x->frame.label_count;
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++) {
        uint32_t i = c->cases[k];
        double lead = 0;
        for (uint32_t l = 0; l < labels; l++) {
            double value = t->weight * part[l] * c->inverse[(size_t)i * labels + l];
            add_sum(x, l, value);
            lead += hcbr_i_account_side(x, l) * value;
        }
        add_lead(x, i, lead);
    }
}

static void add_moves(hcbr_i_account *x, const hcbr_i_touched *t) {
    const hcbr_i_causes *c = why(x)->causes;
    for (uint64_t k = c->move_start[t->atom]; k < c->move_start[t->atom + 1]; k++) {
        const hcbr_i_atom_move *m = &c->moves[k];
        uint32_t label = x->frame.kept_label[m->case_of];
        double value = t->weight * m->delta;
        add_sum(x, label, value);
        add_sum(x, m->decided, -value);
        add_lead(x, m->case_of,
                 (hcbr_i_account_side(x, label) - hcbr_i_account_side(x, m->decided)) * value);
    }
}

/* Add up the copies of a belief in its first case. */
static void gather_copies(hcbr_i_account *x) {
    hcbr_i_plain_why *w = why(x);
    size_t kept = 0;
    for (size_t n = 0; n < w->met_count; n++) {
        const uint32_t i = w->met[n], first = first_copy(x, i);
        if (first == i) {
            w->met[kept++] = i;
            continue;
        }
        x->lead_of[first] += x->lead_of[i]; // it has the same atoms and so was met, too
        x->lead_of[i] = 0;
        w->is_met[i] = false;
    }
    w->met_count = kept;
}

hcbr_status hcbr_i_plain_add(hcbr_i_account *x, hcbr_error *err) {
    uint32_t labels = x->frame.label_count;
    double *part = hcbr_i_account_take(x, labels, sizeof *part);
    if (!part)
        return hcbr_i_no_memory(err);
    for (size_t a = 0; a < why(x)->atom_count; a++) {
        const hcbr_i_touched *t = &why(x)->atoms[a];
        for (uint32_t l = 0; l < labels; l++)
            part[l] = hcbr_i_causes_part(why(x)->causes, t->atom, l);
        if (x->frame.scope == HCBR_SCOPE_CLASS)
            add_shares(x, t, part);
        else
            add_all_shares(x, t, part);
        add_moves(x, t);
        hcbr_status st = hcbr_i_account_tell(x, "explain", a + 1, why(x)->atom_count, err);
        if (st != HCBR_OK)
            return st;
    }
    if (x->frame.beliefs)
        gather_copies(x);
    return HCBR_OK;
}

/* The influence by label of past case i through the atoms of the case, or through one of them. */
static void influence_through(const hcbr_i_account *x, uint32_t i, hcbr_i_atom_id only,
                              double *out) {
    const hcbr_i_plain *m = why(x)->causes->plain;
    const uint32_t labels = x->frame.label_count;
    const hcbr_i_moves *moves = &m->moves;
    const hcbr_i_atom_id *atoms = m->kept.atoms + m->kept.start[i];
    size_t count = (size_t)(m->kept.start[i + 1] - m->kept.start[i]);
    for (uint32_t l = 0; l < labels; l++) {
        double inverse = hcbr_i_causes_inverse(why(x)->causes, i, l);
        out[l] = 0;
        for (size_t j = 0; inverse > 0 && j < count; j++)
            if (only == HCBR_I_NONE || only == atoms[j])
                out[l] += why(x)->weight_of[atoms[j]] *
                          hcbr_i_causes_part(why(x)->causes, atoms[j], l) * inverse;
    }
    uint64_t low = 0, high = moves->count;
    while (low < high) { // the first record of the case
        uint64_t middle = low + (high - low) / 2;
        if (moves->case_of[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < moves->count && moves->case_of[low] == i; low++)
        for (size_t j = 0; j < count; j++)
            if (only == HCBR_I_NONE || only == atoms[j]) {
                double value = why(x)->weight_of[atoms[j]] * moves->delta[moves->start[low] + j];
                out[x->frame.kept_label[i]] += value;
                out[moves->decided[low]] -= value;
            }
}

/* The same for all cases of a belief, of which i is the first. */
static void influence_of_all(const hcbr_i_account *x, uint32_t i, hcbr_i_atom_id only,
                             double *out) {
    const uint32_t labels = x->frame.label_count;
    double *scratch = x->sums + 4 * (size_t)labels;
    influence_through(x, i, only, out);
    for (uint64_t k = (uint64_t)i + 1;
         k < x->frame.case_count && hcbr_i_beliefs_again(x->frame.beliefs, x->frame.case_count, k);
         k++) {
        influence_through(x, (uint32_t)k, only, scratch);
        for (uint32_t l = 0; l < labels; l++)
            out[l] += scratch[l];
    }
}

void hcbr_i_plain_influence(hcbr_i_account *x, uint32_t i, double *by_label) {
    influence_of_all(x, i, HCBR_I_NONE, by_label);
}

void hcbr_i_plain_own(hcbr_i_account *x, uint32_t i, double *by_label) {
    const hcbr_i_projections *kept = &why(x)->causes->plain->kept;
    for (uint64_t k = kept->start[i]; k < kept->start[i + 1]; k++)
        why(x)->weight_of[kept->atoms[k]] = 1;
    influence_of_all(x, i, HCBR_I_NONE, by_label);
    for (uint64_t k = kept->start[i]; k < kept->start[i + 1]; k++)
        why(x)->weight_of[kept->atoms[k]] = 0;
}

/* ---- the largest contributions --------------------------------------------------------------- */

/* Offer the past cases on one side. Returns how many add more than `least` to it. */
uint64_t hcbr_i_plain_offer(hcbr_i_account *x, hcbr_i_picker *p, double least) {
    uint64_t count = 0;
    double floor = least; // signs come in random order: only cases among the first take a branch
    for (size_t n = 0; n < why(x)->met_count; n++) {
        double lead = hcbr_i_picker_key(p, why(x)->met[n]);
        count += lead > least;
        if (HCBR_I_UNLIKELY(lead > least && lead >= floor)) {
            hcbr_i_picker_offer(p, why(x)->met[n]);
            floor = hcbr_i_picker_floor(p, least);
        }
    }
    return count;
}

bool hcbr_i_plain_list_others(hcbr_i_account *x, double least, uint64_t told,
                              bool (*each)(void *context, uint32_t i), void *context) {
    const hcbr_i_plain_why *w = why(x);
    bool ok = true;
    if (told == w->met_count)
        return true; // as with two labels, except for scope all
    for (size_t n = 0; ok && n < w->met_count; n++)
        if (fabs(x->lead_of[w->met[n]]) <= least)
            ok = each(context, w->met[n]);
    return ok;
}

/* Past cases and their contribution through one atom; lead is by past case. */
static const hcbr_explained_case *show_cases(hcbr_i_account *x, const uint32_t *cases, size_t count,
                                             const double *lead, hcbr_i_atom_id only) {
    uint32_t labels = x->frame.label_count;
    hcbr_explained_case *out = hcbr_i_account_take(x, count, sizeof *out);
    double *influence = hcbr_i_account_take(x, count, labels * sizeof *influence);
    if (!out || !influence)
        return NULL;
    for (size_t n = 0; n < count; n++) {
        influence_of_all(x, cases[n], only, influence + n * labels);
        out[n] = hcbr_i_frame_case(&x->frame, cases[n]);
        out[n].influence = influence + n * labels;
        out[n].lead = lead[cases[n]];
    }
    return out;
}

/** The past cases that weigh most through one atom. */
static hcbr_status pick_atom_cases(hcbr_i_account *x, const hcbr_i_touched *t,
                                   hcbr_explained_atom *out, hcbr_error *err) {
    const hcbr_i_causes *c = why(x)->causes;
    size_t most =
        x->options.atom_cases < out->case_count ? x->options.atom_cases : (size_t)out->case_count;
    double *own = x->lead_of; // picked from already: used again for one atom at a time
    if (!hcbr_i_grow(&why(x)->picked, &why(x)->picked_capacity, most, sizeof *why(x)->picked))
        return hcbr_i_no_memory(err);
    double part[2] = {t->weight * hcbr_i_causes_part(why(x)->causes, t->atom, x->label), 0};
    if (x->against != HCBR_I_NONE)
        part[1] = t->weight * hcbr_i_causes_part(why(x)->causes, t->atom, x->against);
    hcbr_i_picker p = {.items = why(x)->picked, .most = most, .value = own, .absolute = true};
    bool own_label_only = x->frame.scope == HCBR_SCOPE_CLASS;
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++) {
        uint32_t i = c->cases[k];
        if (own_label_only) {
            uint32_t l = x->frame.kept_label[i];
            double share = l == x->label ? part[0] : l == x->against ? -part[1] : 0;
            own[i] = share * c->inverse[i];
            continue;
        }
        own[i] = part[0] * hcbr_i_causes_inverse(c, i, x->label);
        if (x->against != HCBR_I_NONE)
            own[i] -= part[1] * hcbr_i_causes_inverse(c, i, x->against);
    }
    for (uint64_t k = c->move_start[t->atom]; k < c->move_start[t->atom + 1]; k++) {
        const hcbr_i_atom_move *m = &c->moves[k];
        own[m->case_of] += (hcbr_i_account_side(x, x->frame.kept_label[m->case_of]) -
                            hcbr_i_account_side(x, m->decided)) *
                           t->weight * m->delta;
    }
    for (uint64_t k = c->start[t->atom + 1]; x->frame.beliefs && k-- > c->start[t->atom];) {
        const uint32_t i = c->cases[k], first = first_copy(x, i);
        if (first == i)
            continue;
        own[first] += own[i];
        own[i] = 0;
    }
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++)
        if (!x->frame.beliefs || first_copy(x, c->cases[k]) == c->cases[k])
            hcbr_i_picker_consider(&p, c->cases[k]);
    hcbr_i_picker_sort(&p);
    out->shown_cases = p.count;
    out->cases = show_cases(x, p.items, p.count, p.value, t->atom);
    return out->cases ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status show_atom(hcbr_i_account *x, const hcbr_i_touched *t, hcbr_explained_atom *out,
                             hcbr_error *err) {
    const hcbr_i_plain *m = why(x)->causes->plain;
    const uint32_t labels = x->frame.label_count;
    hcbr_feature *features = hcbr_i_account_take(x, t->count, sizeof *features);
    double *contribution = hcbr_i_account_take(x, labels, sizeof *contribution);
    if (!features || !contribution)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < t->count; n++)
        features[n] = hcbr_i_frame_feature(&x->frame, why(x)->found[t->first + n].feature);
    for (uint32_t l = 0; l < labels; l++)
        contribution[l] = t->weight * hcbr_i_strength_get(&m->strength, t->atom, l);
    *out = (hcbr_explained_atom){.atom = t->atom,
                                 .features = features,
                                 .feature_count = t->count,
                                 .all_features = m->atoms.size[t->atom],
                                 .weight = t->weight,
                                 .lead = t->lead,
                                 .contribution = contribution};
    for (uint32_t l = 0; l < labels; l++)
        out->case_count += hcbr_i_strength_count(&m->strength, t->atom, l);
    bool cases = x->frame.keep != HCBR_KEEP_NONE && x->options.atom_cases > 0;
    return cases ? pick_atom_cases(x, t, out, err) : HCBR_OK;
}

hcbr_status hcbr_i_plain_each_group(hcbr_i_account *x, hcbr_i_group_fn *each, void *context,
                                    hcbr_error *err) {
    const hcbr_i_plain_why *w = why(x);
    const uint32_t labels = x->frame.label_count;
    hcbr_i_key_id *keys = hcbr_i_account_take(x, w->found_count, sizeof *keys);
    double *by_label = hcbr_i_account_take(x, labels, sizeof *by_label);
    bool ok = keys && by_label;
    for (size_t n = 0; ok && n < w->found_count; n++)
        keys[n] = hcbr_i_dict_get(x->frame.dict, w->found[n].feature).key;
    for (size_t a = 0; ok && a < w->atom_count; a++) {
        const hcbr_i_touched *t = &w->atoms[a];
        for (uint32_t l = 0; l < labels; l++)
            by_label[l] = t->weight * hcbr_i_strength_get(&w->causes->plain->strength, t->atom, l);
        ok = each(context, keys + t->first, t->count, by_label, t->lead);
    }
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_plain_show(hcbr_i_account *x, hcbr_explanation *e, hcbr_error *err) {
    size_t count = x->options.atoms < why(x)->atom_count ? x->options.atoms : why(x)->atom_count;
    hcbr_explained_atom *out = hcbr_i_account_take(x, count, sizeof *out);
    hcbr_status st = out ? HCBR_OK : hcbr_i_no_memory(err);
    if (why(x)->atom_count)
        qsort(why(x)->atoms, why(x)->atom_count, sizeof *why(x)->atoms, compare_touched);
    for (size_t a = 0; st == HCBR_OK && a < count; a++)
        st = show_atom(x, &why(x)->atoms[a], &out[a], err);
    e->atoms = out;
    e->atom_count = count;
    e->all_atoms = why(x)->atom_count;
    return st;
}
