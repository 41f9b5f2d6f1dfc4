/*
 * An explanation: the case is decided, projected on its atoms, the influence of every past case of
 * those atoms on the lead is added up, and what weighs most is picked out.
 *
 * Working arrays over all atoms and all past cases are zero between calls: what a call touches it
 * wipes again, so that its cost follows the case and not the model. Influences by label are found
 * only for past cases that are shown. All of it is deterministic: equal leads go by the number of
 * the atom or case.
 */
#include "reasons.h"

#include <math.h>
#include <stdlib.h>

void(hcbr_explain_options_init)(hcbr_explain_options *options, size_t size) {
    const hcbr_explain_options full = {
        .size = sizeof full, .groups = 10, .cases = 5, .group_cases = 3};
    hcbr_i_set_defaults(options, size, &full, sizeof full);
}

/* ---- life ------------------------------------------------------------------------------------ */

void hcbr_i_explainer_forget(hcbr_explainer *x) {
    while (x->block_count > 0)
        hcbr_i_free(x->blocks[--x->block_count]);
}

void hcbr_explainer_free(hcbr_explainer *x) {
    if (!x)
        return;
    hcbr_i_explainer_forget(x);
    hcbr_decider_free(x->decider);
    hcbr_i_causes_clear(&x->causes);
    hcbr_i_reasons_free(x->rich);
    hcbr_i_free(x->weight_of);
    hcbr_i_free(x->lead_of);
    hcbr_i_free(x->is_met);
    hcbr_i_free(x->met);
    hcbr_i_free(x->sums);
    hcbr_i_free(x->found);
    hcbr_i_free(x->atoms);
    hcbr_i_free(x->picked);
    hcbr_i_free(x->others);
    hcbr_i_free(x->other_size);
    hcbr_i_free(x->blocks);
    hcbr_i_free(x);
}

hcbr_status hcbr_explainer_create(hcbr_explainer **out, const hcbr_model *model,
                                  const hcbr_rule *rule, hcbr_error *err) {
    *out = NULL;
    hcbr_explainer *x = hcbr_i_alloc_zero(1, sizeof *x);
    if (!x)
        return hcbr_i_no_memory(err);
    size_t cases = model->keep == HCBR_KEEP_NONE ? 0 : model->kept.case_count;
    x->model = model;
    hcbr_status st = hcbr_decider_create(&x->decider, model, rule, err);
    if (st == HCBR_OK)
        st = model->rich ? hcbr_i_reasons_create(&x->rich, model, err)
                         : hcbr_i_causes_init(&x->causes, model, err);
    if (st == HCBR_OK) {
        x->weight_of = hcbr_i_alloc_zero(model->atoms.count, sizeof *x->weight_of);
        x->lead_of = hcbr_i_alloc_zero(cases, sizeof *x->lead_of);
        if (model->rich)
            cases = 0; // they are picked from merged cases
        x->is_met = hcbr_i_alloc_zero(cases, sizeof *x->is_met);
        x->met = hcbr_i_alloc(cases + 1, sizeof *x->met); // one that add_shares() may write
        x->sums = hcbr_i_alloc(model->labels.count, 5 * sizeof *x->sums);
        if (!x->weight_of || !x->lead_of || !x->is_met || !x->met || !x->sums)
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK) {
        *out = x;
        x = NULL; // now the caller's
    }
    hcbr_explainer_free(x);
    return st;
}

void hcbr_explainer_watch(hcbr_explainer *x, hcbr_progress_fn *progress, void *context) {
    x->progress = progress;
    x->progress_context = context;
}

hcbr_status hcbr_i_explainer_tell(const hcbr_explainer *x, const char *stage, uint64_t done,
                                  uint64_t total, hcbr_error *err) {
    if (!x->progress || x->progress(x->progress_context, stage, done, total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

void *hcbr_i_explainer_take(hcbr_explainer *x, size_t count, size_t size) {
    if (!hcbr_i_grow(&x->blocks, &x->block_capacity, x->block_count + 1, sizeof *x->blocks))
        return NULL;
    void *block = hcbr_i_alloc_zero(count, size);
    if (block)
        x->blocks[x->block_count++] = block;
    return block;
}

/* ---- the case's atoms ------------------------------------------------------------------------ */

static int compare_found(const void *a, const void *b) {
    const hcbr_i_found *p = a, *q = b;
    if (p->atom != q->atom)
        return p->atom < q->atom ? -1 : 1;
    return (p->feature > q->feature) - (p->feature < q->feature);
}

static hcbr_status find_features(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                 hcbr_error *err) {
    x->found_count = 0;
    if (!hcbr_i_grow(&x->found, &x->found_capacity, count, sizeof *x->found) ||
        !hcbr_i_grow(&x->atoms, &x->atom_capacity, count, sizeof *x->atoms))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const hcbr_feature *f = &features[i];
        hcbr_i_feature_id id =
            hcbr_i_dict_find(x->model->dict, f->key, f->key_length, f->value, f->value_length);
        if (id != HCBR_I_NONE)
            x->found[x->found_count++] = (hcbr_i_found){x->model->atoms.of[id], id};
    }
    if (x->found_count)
        qsort(x->found, x->found_count, sizeof *x->found, compare_found);
    size_t kept = 0;
    for (size_t i = 0; i < x->found_count; i++)
        if (kept == 0 || x->found[kept - 1].feature != x->found[i].feature)
            x->found[kept++] = x->found[i];
    x->found_count = kept;
    return HCBR_OK;
}

double hcbr_i_explainer_lead(const hcbr_explainer *x, hcbr_i_atom_id atom) {
    const hcbr_i_strength *s = &x->model->strength;
    if (s->mu) // exact, where a difference of the two might have lost it
        return x->label ? s->mu[atom] : -s->mu[atom];
    return hcbr_i_strength_get(s, atom, x->label) -
           (x->against == HCBR_I_NONE ? 0 : hcbr_i_strength_get(s, atom, x->against));
}

static void project(hcbr_explainer *x, uint64_t features) {
    x->atom_count = 0;
    for (size_t i = 0; i < x->found_count; i++) {
        if (i == 0 || x->found[i].atom != x->found[i - 1].atom)
            x->atoms[x->atom_count++] = (hcbr_i_touched){.atom = x->found[i].atom, .first = i};
        x->atoms[x->atom_count - 1].count++;
    }
    for (size_t a = 0; a < x->atom_count; a++) {
        hcbr_i_touched *t = &x->atoms[a];
        t->weight = (double)t->count / (double)features;
        t->lead = t->weight * hcbr_i_explainer_lead(x, t->atom);
        x->weight_of[t->atom] = t->weight;
    }
}

static int compare_touched(const void *a, const void *b) {
    const hcbr_i_touched *p = a, *q = b;
    double x = fabs(p->lead), y = fabs(q->lead);
    if (x != y)
        return x > y ? -1 : 1;
    return (p->atom > q->atom) - (p->atom < q->atom);
}

/* ---- influences ------------------------------------------------------------------------------ */

static inline void add_sum(hcbr_explainer *x, uint32_t label, double value) {
    uint32_t labels = x->model->labels.count;
    double *sum = x->sums + labels + label, *rest = sum + labels, *absolute = rest + labels;
    double next = *sum + value; // the rounding is kept and added at the end (Neumaier)
    *rest += fabs(*sum) >= fabs(value) ? (*sum - next) + value : (value - next) + *sum;
    *sum = next;
    *absolute += fabs(value);
}

static inline void add_lead(hcbr_explainer *x, uint32_t i, double lead) {
    if (!x->is_met[i]) {
        x->is_met[i] = true;
        x->met[x->met_count++] = i;
    }
    x->lead_of[i] += lead;
}

/* A running sum that keeps its rounding (Neumaier), of values that are not negative. */
typedef struct running {
    double sum, rest;
} running;

static inline void run_on(running *r, double value) {
    double next = r->sum + value;
    r->rest += r->sum >= value ? (r->sum - next) + value : (value - next) + r->sum;
    r->sum = next;
}

/* Shares of the strength of one atom, scope class: a past case speaks for its own label only. With
 * two labels, the common case, everything but the past cases' own figures stays in registers. */
static void add_shares(hcbr_explainer *x, const hcbr_i_touched *t, const double *part) {
    const hcbr_i_causes *c = &x->causes;
    const uint32_t *label = x->model->kept_label, *cases = c->cases;
    const double *inverse = c->inverse;
    uint64_t end = c->start[t->atom + 1];
    if (x->model->labels.count != 2) {
        for (uint64_t k = c->start[t->atom]; k < end; k++) {
            uint32_t i = cases[k];
            double value = t->weight * part[label[i]] * inverse[i];
            add_sum(x, label[i], value);
            add_lead(x, i, hcbr_i_explainer_side(x, label[i]) * value);
        }
        return;
    }
    const double factor[2] = {t->weight * part[0], t->weight * part[1]};
    const double signs[2] = {hcbr_i_explainer_side(x, 0), hcbr_i_explainer_side(x, 1)};
    double *lead_of = x->lead_of;
    bool *is_met = x->is_met;
    uint32_t *met = x->met;
    size_t met_count = x->met_count;
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
    x->met_count = met_count;
    for (uint32_t l = 0; l < 2; l++)
        add_sum(x, l, sums[l].sum + sums[l].rest);
}

/* The same in scope all: it speaks for every label. */
static void add_all_shares(hcbr_explainer *x, const hcbr_i_touched *t, const double *part) {
    const hcbr_i_causes *c = &x->causes;
    uint32_t labels = x->model->labels.count;
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++) {
        uint32_t i = c->cases[k];
        double lead = 0;
        for (uint32_t l = 0; l < labels; l++) {
            double value = t->weight * part[l] * c->inverse[(size_t)i * labels + l];
            add_sum(x, l, value);
            lead += hcbr_i_explainer_side(x, l) * value;
        }
        add_lead(x, i, lead);
    }
}

static void add_moves(hcbr_explainer *x, const hcbr_i_touched *t) {
    const hcbr_i_causes *c = &x->causes;
    for (uint64_t k = c->move_start[t->atom]; k < c->move_start[t->atom + 1]; k++) {
        const hcbr_i_atom_move *m = &c->moves[k];
        uint32_t label = x->model->kept_label[m->case_of];
        double value = t->weight * m->delta;
        add_sum(x, label, value);
        add_sum(x, m->decided, -value);
        add_lead(x, m->case_of,
                 (hcbr_i_explainer_side(x, label) - hcbr_i_explainer_side(x, m->decided)) * value);
    }
}

static hcbr_status add_influences(hcbr_explainer *x, hcbr_error *err) {
    uint32_t labels = x->model->labels.count;
    double *part = hcbr_i_explainer_take(x, labels, sizeof *part);
    if (!part)
        return hcbr_i_no_memory(err);
    for (size_t a = 0; a < x->atom_count; a++) {
        const hcbr_i_touched *t = &x->atoms[a];
        for (uint32_t l = 0; l < labels; l++)
            part[l] = hcbr_i_causes_part(x->model, t->atom, l);
        if (x->model->scope == HCBR_SCOPE_CLASS)
            add_shares(x, t, part);
        else
            add_all_shares(x, t, part);
        add_moves(x, t);
        hcbr_status st = hcbr_i_explainer_tell(x, "explain", a + 1, x->atom_count, err);
        if (st != HCBR_OK)
            return st;
    }
    return HCBR_OK;
}

void hcbr_i_explainer_influence(const hcbr_explainer *x, uint32_t i, hcbr_i_atom_id only,
                                double *out) {
    const hcbr_model *m = x->model;
    if (x->rich) {
        hcbr_i_reasons_influence(x, i, out);
        return;
    }
    const hcbr_i_moves *moves = &m->moves;
    const hcbr_i_atom_id *atoms = m->kept.atoms + m->kept.start[i];
    size_t count = (size_t)(m->kept.start[i + 1] - m->kept.start[i]);
    for (uint32_t l = 0; l < m->labels.count; l++) {
        double inverse = hcbr_i_causes_inverse(&x->causes, i, l);
        out[l] = 0;
        for (size_t j = 0; inverse > 0 && j < count; j++)
            if (only == HCBR_I_NONE || only == atoms[j])
                out[l] += x->weight_of[atoms[j]] * hcbr_i_causes_part(m, atoms[j], l) * inverse;
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
                double value = x->weight_of[atoms[j]] * moves->delta[moves->start[low] + j];
                out[m->kept_label[i]] += value;
                out[moves->decided[low]] -= value;
            }
}

/* ---- what weighs most ------------------------------------------------------------------------ */

const hcbr_explained_case *hcbr_i_explainer_show(hcbr_explainer *x, const uint32_t *cases,
                                                 size_t count, const double *lead,
                                                 hcbr_i_atom_id only) {
    const hcbr_model *m = x->model;
    hcbr_explained_case *out = hcbr_i_explainer_take(x, count, sizeof *out);
    double *influence = hcbr_i_explainer_take(x, count, m->labels.count * sizeof *influence);
    if (!out || !influence)
        return NULL;
    for (size_t n = 0; n < count; n++) {
        uint32_t i = cases[n];
        hcbr_kept_case kept = {.size = sizeof kept};
        double *by_label = influence + n * m->labels.count;
        hcbr_model_get_kept(m, i, &kept);
        hcbr_i_explainer_influence(x, i, only, by_label);
        out[n] = (hcbr_explained_case){.index = i,
                                       .row = kept.row,
                                       .id = kept.id,
                                       .id_length = kept.id_length,
                                       .label = kept.label,
                                       .influence = by_label,
                                       .lead = lead ? lead[i] : 0};
    }
    return out;
}

/* Offer the past cases on one side. Returns how many add more than `least` to it. */
static uint64_t offer_met(const hcbr_explainer *x, hcbr_i_picker *p, double least) {
    uint64_t count = 0;
    double floor = least; // signs come as they like: only what is among the first takes a branch
    for (size_t n = 0; n < x->met_count; n++) {
        double lead = hcbr_i_picker_key(p, x->met[n]);
        count += lead > least;
        if (HCBR_I_UNLIKELY(lead > least && lead >= floor)) {
            hcbr_i_picker_offer(p, x->met[n]);
            floor = hcbr_i_picker_floor(p, least);
        }
    }
    return count;
}

/* Influences that cancel leave a rounding behind, which is for nobody and against nobody. */
static double least_lead(const hcbr_explainer *x) {
    const double *absolute = x->sums + 3 * (size_t)x->model->labels.count;
    double sum = absolute[x->label];
    if (x->against != HCBR_I_NONE)
        sum += absolute[x->against];
    return 0x1p-50 * sum;
}

static hcbr_status pick_cases(hcbr_explainer *x, double sign, const hcbr_explained_case **out,
                              size_t *count, uint64_t *all, hcbr_error *err) {
    size_t all_cases = x->rich ? x->model->kept.case_count : x->met_count;
    size_t most = x->options.cases < all_cases ? x->options.cases : all_cases;
    if (!hcbr_i_grow(&x->picked, &x->picked_capacity, most, sizeof *x->picked))
        return hcbr_i_no_memory(err);
    hcbr_i_picker p = {.items = x->picked, .most = most, .value = x->lead_of, .sign = sign};
    double least = least_lead(x);
    *all = x->rich ? hcbr_i_reasons_offer(x, &p, least) : offer_met(x, &p, least);
    hcbr_i_picker_sort(&p);
    *count = p.count;
    *out = hcbr_i_explainer_show(x, p.items, p.count, p.value, HCBR_I_NONE);
    return *out ? HCBR_OK : hcbr_i_no_memory(err);
}

/** The past cases that weigh most through one atom. */
static hcbr_status pick_atom_cases(hcbr_explainer *x, const hcbr_i_touched *t,
                                   hcbr_explained_group *out, hcbr_error *err) {
    const hcbr_i_causes *c = &x->causes;
    size_t most =
        x->options.group_cases < out->case_count ? x->options.group_cases : (size_t)out->case_count;
    double *own = x->lead_of; // picked from already: used again for one atom at a time
    if (!hcbr_i_grow(&x->picked, &x->picked_capacity, most, sizeof *x->picked))
        return hcbr_i_no_memory(err);
    double part[2] = {t->weight * hcbr_i_causes_part(x->model, t->atom, x->label), 0};
    if (x->against != HCBR_I_NONE)
        part[1] = t->weight * hcbr_i_causes_part(x->model, t->atom, x->against);
    hcbr_i_picker p = {.items = x->picked, .most = most, .value = own, .absolute = true};
    bool own_label_only = x->model->scope == HCBR_SCOPE_CLASS;
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++) {
        uint32_t i = c->cases[k];
        if (own_label_only) {
            uint32_t l = x->model->kept_label[i];
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
        own[m->case_of] += (hcbr_i_explainer_side(x, x->model->kept_label[m->case_of]) -
                            hcbr_i_explainer_side(x, m->decided)) *
                           t->weight * m->delta;
    }
    for (uint64_t k = c->start[t->atom]; k < c->start[t->atom + 1]; k++)
        hcbr_i_picker_consider(&p, c->cases[k]);
    hcbr_i_picker_sort(&p);
    out->shown_cases = p.count;
    out->cases = hcbr_i_explainer_show(x, p.items, p.count, p.value, t->atom);
    return out->cases ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status show_atom(hcbr_explainer *x, const hcbr_i_touched *t, hcbr_explained_group *out,
                             hcbr_error *err) {
    const hcbr_model *m = x->model;
    hcbr_feature *features = hcbr_i_explainer_take(x, t->count, sizeof *features);
    double *contribution = hcbr_i_explainer_take(x, m->labels.count, sizeof *contribution);
    if (!features || !contribution)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < t->count; n++)
        hcbr_model_get_feature(m, x->found[t->first + n].feature, &features[n]);
    for (uint32_t l = 0; l < m->labels.count; l++)
        contribution[l] = t->weight * hcbr_i_strength_get(&m->strength, t->atom, l);
    *out = (hcbr_explained_group){.atom = t->atom,
                                  .features = features,
                                  .feature_count = t->count,
                                  .all_features = m->atoms.size[t->atom],
                                  .weight = t->weight,
                                  .lead = t->lead,
                                  .contribution = contribution};
    for (uint32_t l = 0; l < m->labels.count; l++)
        out->case_count += hcbr_i_strength_count(&m->strength, t->atom, l);
    bool cases = m->keep != HCBR_KEEP_NONE && x->options.group_cases > 0;
    return cases ? pick_atom_cases(x, t, out, err) : HCBR_OK;
}

static hcbr_status show_atoms(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    size_t count = x->options.groups < x->atom_count ? x->options.groups : x->atom_count;
    hcbr_explained_group *out = hcbr_i_explainer_take(x, count, sizeof *out);
    hcbr_status st = out ? HCBR_OK : hcbr_i_no_memory(err);
    if (x->atom_count)
        qsort(x->atoms, x->atom_count, sizeof *x->atoms, compare_touched);
    for (size_t a = 0; st == HCBR_OK && a < count; a++)
        st = show_atom(x, &x->atoms[a], &out[a], err);
    e->groups = out;
    e->group_count = count;
    e->all_groups = x->atom_count;
    return st;
}

/* ---- the whole ------------------------------------------------------------------------------- */

uint32_t hcbr_i_explainer_other(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label) {
    uint32_t best = HCBR_I_NONE;
    if ((hcbr_label)label != d->winner)
        return (uint32_t)d->winner;
    for (uint32_t l = 0; l < x->model->labels.count; l++)
        if (l != label && hcbr_i_explainer_can_win(x, l) &&
            (best == HCBR_I_NONE || d->support[l] > d->support[best]))
            best = l;
    return best;
}

double hcbr_i_explainer_lead_of(const hcbr_explainer *x, const hcbr_decision *d, uint32_t label) {
    if (!x->rich && (hcbr_label)label == d->winner)
        return d->lead;
    if (!x->rich && x->model->labels.count == 2) // exact: a difference might have lost it
        return -d->lead;
    uint32_t other = hcbr_i_explainer_other(x, d, label);
    return d->support[label] - (other == HCBR_I_NONE ? 0 : d->support[other]);
}

void hcbr_i_explainer_wipe(hcbr_explainer *x) {
    for (size_t a = 0; a < x->atom_count; a++)
        x->weight_of[x->atoms[a].atom] = 0;
    for (size_t n = 0; n < x->met_count; n++) {
        x->lead_of[x->met[n]] = 0;
        x->is_met[x->met[n]] = false;
    }
    x->atom_count = x->met_count = 0;
}

hcbr_label hcbr_i_explainer_against(const hcbr_explainer *x) {
    return x->against == HCBR_I_NONE ? HCBR_LABEL_UNKNOWN : (hcbr_label)x->against;
}

hcbr_status hcbr_i_explainer_begin(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                   hcbr_decision *decision, hcbr_error *err) {
    hcbr_i_explainer_forget(x);
    x->label = x->against = HCBR_I_NONE;
    x->lead = 0;
    if (x->rich)
        x->rich->known_count = 0;
    hcbr_status st = hcbr_decider_decide(x->decider, features, count, decision, err);
    if (st == HCBR_OK)
        st = find_features(x, features, count, err);
    if (st == HCBR_OK && hcbr_i_explainer_label(decision) != HCBR_LABEL_UNKNOWN) {
        x->label = (uint32_t)hcbr_i_explainer_label(decision);
        x->against = hcbr_i_explainer_other(x, decision, x->label);
        x->lead = hcbr_i_explainer_lead_of(x, decision, x->label);
        if (x->rich)
            return hcbr_i_reasons_set(x, features, count, decision, err);
        project(x, decision->feature_count);
    }
    return st;
}

/* Of a rich model: the bias, the groups, the influences if they are asked for. */
static hcbr_status add_reasons(hcbr_explainer *x, bool cases, hcbr_error *err) {
    hcbr_i_reasons_by_label(x, x->rich->query.bias, 1, x->sums);
    hcbr_status st = hcbr_i_reasons_group(x, err);
    return st == HCBR_OK && cases ? hcbr_i_reasons_add(x, err) : st;
}

static hcbr_status explain_known(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    uint32_t labels = x->model->labels.count;
    bool cases = e->no_cases == NULL;
    e->label = (hcbr_label)x->label;
    e->against = hcbr_i_explainer_against(x);
    e->lead = x->lead;
    hcbr_status st = x->rich ? add_reasons(x, cases, err)
                     : cases ? add_influences(x, err)
                             : HCBR_OK;
    if (st == HCBR_OK && cases)
        st = pick_cases(x, 1, &e->analogies, &e->analogy_count, &e->all_for, err);
    if (st == HCBR_OK && cases)
        st = pick_cases(x, -1, &e->counter_examples, &e->counter_count, &e->all_against, err);
    if (st == HCBR_OK && cases)
        st = hcbr_i_explainer_pick_others(x, least_lead(x), e, err);
    if (st == HCBR_OK)
        st = x->rich ? hcbr_i_reasons_show(x, e, err) : show_atoms(x, e, err);
    for (uint32_t l = 0; l < labels; l++)
        x->sums[labels + l] += x->sums[2 * labels + l];
    hcbr_i_explainer_wipe(x);
    return st;
}

hcbr_status hcbr_explainer_explain(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                                   const hcbr_explain_options *options,
                                   hcbr_explanation *explanation, hcbr_error *err) {
    uint32_t labels = x->model->labels.count;
    hcbr_explanation e = {.size = explanation->size,
                          .decision = &x->decision,
                          .group_stride = sizeof *e.groups,
                          .case_stride = sizeof *e.analogies};
    x->decision = (hcbr_decision){.size = sizeof x->decision};
    hcbr_explain_options_init(&x->options);
    if (options)
        hcbr_i_take_in(&x->options, sizeof x->options, options);
    memset(x->sums, 0, 4 * (size_t)labels * sizeof *x->sums);
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &x->decision, err);
    if (st != HCBR_OK)
        return st;
    e.label = e.against = HCBR_LABEL_UNKNOWN;
    e.bias = x->sums;
    e.influence_sum = x->sums + labels;
    e.influence_absolute = x->sums + 3 * (size_t)labels;
    if (x->model->keep == HCBR_KEEP_NONE)
        e.no_cases = "the model was trained with --keep-cases none";
    else if (x->options.cases == 0 && x->options.group_cases == 0)
        e.no_cases = "none were asked for";
    if (e.no_cases)
        e.influence_sum = e.influence_absolute = NULL;
    if (x->label != HCBR_I_NONE)
        st = explain_known(x, &e, err);
    if (st == HCBR_OK)
        hcbr_i_hand_out(explanation, &e, sizeof e);
    return st;
}
