/*
 * Reasons of rich models: the terms of the case at hand, and the influence of every past case on
 * it, added up over merged cases and handed to the cases they stand for by their weight.
 */
#include "reasons.h"

#include <math.h>
#include <stdlib.h>

#define MOST_KEPT ((size_t)1 << 29) /* bytes for residuals of past cases */

#ifdef HCBR_FAULTS
size_t hcbr_i_reasons_most = MOST_KEPT;
#else
static const size_t hcbr_i_reasons_most = MOST_KEPT;
#endif

/* ---- life ------------------------------------------------------------------------------------ */

/* How many past cases have each feature. */
static uint64_t *count_cases(const hcbr_model *m) {
    uint64_t *cases = hcbr_i_alloc_zero(m->atoms.feature_count, sizeof *cases);
    for (uint32_t f = 0; cases && f < m->atoms.feature_count; f++)
        for (uint32_t l = 0; l < m->labels.count; l++)
            cases[f] += hcbr_i_strength_count(&m->strength, m->atoms.of[f], l);
    return cases;
}

/* The kept cases as lists of features. */
static hcbr_status list_features(const hcbr_model *m, struct hcbr_cases *out, hcbr_error *err) {
    const hcbr_i_atom_index *of = hcbr_i_model_index(m);
    const hcbr_i_projections *kept = &m->kept;
    uint64_t all = 0;
    for (uint64_t k = 0; k < kept->start[kept->case_count]; k++)
        all += m->atoms.size[kept->atoms[k]];
    *out = (struct hcbr_cases){.dict = m->dict, .case_count = kept->case_count};
    out->labels = m->labels; // borrowed
    out->label = m->kept_label;
    out->start = hcbr_i_alloc((size_t)kept->case_count + 1, sizeof *out->start);
    out->features = hcbr_i_alloc((size_t)all, sizeof *out->features);
    if (!of || !out->start || !out->features)
        return hcbr_i_no_memory(err);
    out->start[0] = all = 0;
    for (uint32_t i = 0; i < kept->case_count; i++) {
        for (uint64_t k = kept->start[i]; k < kept->start[i + 1]; k++) {
            hcbr_i_atom_id e = kept->atoms[k];
            memcpy(out->features + all, of->features + of->start[e],
                   m->atoms.size[e] * sizeof *out->features);
            all += m->atoms.size[e];
        }
        out->start[i + 1] = all;
    }
    return HCBR_OK;
}

static hcbr_status find_causes(hcbr_i_reasons *r, const hcbr_model *m, hcbr_error *err) {
    struct hcbr_cases cases = {0};
    hcbr_status st = list_features(m, &cases, err);
    hcbr_i_rich_view view = {.cases = &cases, .weight = m->rich->kept.weight};
    if (st == HCBR_OK)
        st = hcbr_i_rich_causes_init(&r->causes, m->rich, &view, hcbr_i_reasons_most, err);
    r->has_causes = st == HCBR_OK;
    hcbr_i_free(cases.start);
    hcbr_i_free(cases.features);
    return st;
}

static hcbr_status prepare(hcbr_i_reasons *r, const hcbr_model *m, hcbr_error *err) {
    uint32_t k = m->rich->outputs;
    uint64_t *cases = count_cases(m);
    hcbr_status st = cases ? hcbr_i_rich_names_init(&r->names, &m->rich->encoder, m->dict, cases,
                                                    m->case_count, err)
                           : hcbr_i_no_memory(err);
    hcbr_i_free(cases);
    if (st == HCBR_OK && hcbr_i_model_has_reasons(m))
        st = find_causes(r, m, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_query_init(&r->query, m->rich, &r->names,
                                    r->has_causes ? &r->causes : NULL, err);
    if (st != HCBR_OK)
        return st;
    r->sum = hcbr_i_alloc(k, sizeof *r->sum);
    r->rest = hcbr_i_alloc(k, sizeof *r->rest);
    r->absolute = hcbr_i_alloc(k, sizeof *r->absolute);
    r->total = hcbr_i_alloc(r->has_causes ? r->causes.table.rows : 0, k * sizeof *r->total);
    r->lead = hcbr_i_alloc(r->has_causes ? r->causes.table.rows : 0, sizeof *r->lead);
    return r->sum && r->rest && r->absolute && r->total && r->lead ? HCBR_OK
                                                                   : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_reasons_create(hcbr_i_reasons **out, const hcbr_model *model, hcbr_error *err) {
    *out = NULL;
    if (!model->rich)
        return HCBR_OK;
    hcbr_i_reasons *r = hcbr_i_alloc_zero(1, sizeof *r);
    if (!r)
        return hcbr_i_no_memory(err);
    hcbr_status st = prepare(r, model, err);
    if (st == HCBR_OK)
        *out = r;
    else
        hcbr_i_reasons_free(r);
    return st;
}

void hcbr_i_reasons_free(hcbr_i_reasons *r) {
    if (!r)
        return;
    for (size_t g = 0; g < r->group_capacity; g++) {
        hcbr_i_free(r->groups[g].ranked);
        hcbr_i_free(r->groups[g].heap);
        hcbr_i_free(r->groups[g].influence);
    }
    for (int kind = 0; kind < 2; kind++)
        hcbr_i_rich_groups_clear(&r->catalogue.groups[kind]);
    hcbr_i_rich_query_clear(&r->query);
    if (r->has_causes)
        hcbr_i_rich_causes_clear(&r->causes);
    hcbr_i_rich_names_clear(&r->names);
    hcbr_i_free(r->known);
    hcbr_i_free(r->tests);
    hcbr_i_free(r->test_start);
    hcbr_i_free(r->order);
    hcbr_i_free(r->groups);
    hcbr_i_free(r->slot_of);
    hcbr_i_free(r->slots);
    hcbr_i_free(r->slot_met);
    hcbr_i_free(r->total);
    hcbr_i_free(r->lead);
    hcbr_i_free(r->sum);
    hcbr_i_free(r->rest);
    hcbr_i_free(r->absolute);
    hcbr_i_free(r);
}

/* ---- outputs and labels ---------------------------------------------------------------------- */

void hcbr_i_reasons_by_label(const hcbr_explainer *x, const double *by_output, double factor,
                             double *by_label) {
    uint32_t labels = x->model->labels.count;
    if (labels == 2) {
        by_label[1] = factor * by_output[0];
        by_label[0] = -by_label[1];
        return;
    }
    for (uint32_t l = 0; l < labels; l++)
        by_label[l] = factor * by_output[l];
}

/* ---- the case at hand ------------------------------------------------------------------------ */

uint32_t hcbr_i_reasons_variable(const hcbr_i_rich_encoder *e, hcbr_i_key_id k, uint32_t code) {
    const hcbr_i_rich_key *key = &e->keys[k];
    switch (key->kind) {
    case HCBR_I_RICH_NUMBER:
    case HCBR_I_RICH_CATEGORY:
        return code == 0 || code == HCBR_I_NONE ? HCBR_I_NONE : key->column;
    case HCBR_I_RICH_BAG:
        return code == HCBR_I_NONE ? HCBR_I_NONE : e->column_count + code;
    case HCBR_I_RICH_SPARSE:
        return code == HCBR_I_NONE ? HCBR_I_NONE : e->column_count + key->bag;
    default:
        return HCBR_I_NONE;
    }
}

size_t hcbr_i_reasons_edit_out(const hcbr_i_rich_encoder *e, hcbr_i_key_id k, uint32_t code,
                               hcbr_i_rich_edit *out) {
    const hcbr_i_rich_key *key = &e->keys[k];
    size_t n = 0;
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_CATEGORY)
        out[n++] = (hcbr_i_rich_edit){key->column, 0};
    else if (key->kind == HCBR_I_RICH_BAG && code != HCBR_I_NONE)
        out[n++] = (hcbr_i_rich_edit){e->column_count + code, 0};
    for (uint32_t j = 0; key->kind == HCBR_I_RICH_SPARSE && j <= key->cut_count; j++)
        out[n++] = (hcbr_i_rich_edit){e->column_count + key->bag + j, 0};
    return n;
}

size_t hcbr_i_reasons_edit_in(const hcbr_i_rich_encoder *e, hcbr_i_key_id k, uint32_t code,
                              hcbr_i_rich_edit *out) {
    const hcbr_i_rich_key *key = &e->keys[k];
    size_t n = 0;
    if (code == HCBR_I_NONE)
        return 0;
    if ((key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_CATEGORY) && code != 0)
        out[n++] = (hcbr_i_rich_edit){key->column, code};
    else if (key->kind == HCBR_I_RICH_BAG)
        out[n++] = (hcbr_i_rich_edit){e->column_count + code, 1};
    for (uint32_t j = 0; key->kind == HCBR_I_RICH_SPARSE && j < code; j++)
        out[n++] = (hcbr_i_rich_edit){e->column_count + key->bag + j, 1};
    return n;
}

static int compare_known(const void *a, const void *b) {
    const hcbr_i_known *p = a, *q = b;
    int order = hcbr_i_order_u32(p->variable, q->variable);
    return order ? order : hcbr_i_feature_order(&p->feature, &q->feature);
}

/* Does the encoder take this feature, which no past case has, for a number? */
static bool is_number(const hcbr_model *m, const hcbr_feature *f, hcbr_i_key_id *k) {
    double value;
    *k = f->value ? hcbr_i_dict_find_key(m->dict, f->key, f->key_length) : HCBR_I_NONE;
    if (*k == HCBR_I_NONE)
        return false;
    hcbr_i_rich_kind kind = m->rich->encoder.keys[*k].kind;
    return (kind == HCBR_I_RICH_NUMBER || kind == HCBR_I_RICH_SPARSE) &&
           hcbr_number_parse(&value, f->value, f->value_length) && isfinite(value);
}

/* A feature whose text lives as long as the explanation. */
static bool copy_feature(hcbr_explainer *x, const hcbr_feature *f, hcbr_feature *out) {
    char *text = hcbr_i_explainer_take(x, f->key_length + f->value_length + 1, 1);
    if (!text)
        return false;
    memcpy(text, f->key, f->key_length);
    memcpy(text + f->key_length, f->value, f->value_length);
    *out = (hcbr_feature){text, f->key_length, text + f->key_length, f->value_length};
    return true;
}

static hcbr_status list_known(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                              hcbr_error *err) {
    hcbr_i_reasons *r = x->rich;
    const hcbr_model *m = x->model;
    const hcbr_i_rich_encoder *e = &m->rich->encoder;
    if (!hcbr_i_grow(&r->known, &r->known_capacity, x->found_count + count + 1, sizeof *r->known))
        return hcbr_i_no_memory(err);
    r->known_count = 0;
    for (size_t i = 0; i < x->found_count; i++) {
        hcbr_i_feature_id id = x->found[i].feature;
        hcbr_i_known *known = &r->known[r->known_count++];
        known->variable = hcbr_i_reasons_variable(e, hcbr_i_dict_get(m->dict, id).key, e->code[id]);
        known->atom = x->found[i].atom;
        hcbr_model_get_feature(m, id, &known->feature);
    }
    for (size_t i = 0; i < count; i++) {
        const hcbr_feature *f = &features[i];
        hcbr_i_key_id k;
        if (hcbr_i_dict_find(m->dict, f->key, f->key_length, f->value, f->value_length) !=
                HCBR_I_NONE ||
            !is_number(m, f, &k))
            continue;
        hcbr_i_known *known = &r->known[r->known_count];
        known->variable = hcbr_i_reasons_variable(e, k, 1);
        known->atom = HCBR_I_NONE;
        if (!copy_feature(x, f, &known->feature))
            return hcbr_i_no_memory(err);
        r->known_count++;
    }
    if (r->known_count)
        qsort(r->known, r->known_count, sizeof *r->known, compare_known);
    size_t kept = 0;
    for (size_t i = 0; i < r->known_count; i++)
        if (kept == 0 || compare_known(&r->known[kept - 1], &r->known[i]) != 0)
            r->known[kept++] = r->known[i];
    r->known_count = kept;
    return HCBR_OK;
}

hcbr_status hcbr_i_reasons_set(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                               const hcbr_decision *decision, hcbr_error *err) {
    x->rich->feature_count = decision->feature_count;
    hcbr_status st = list_known(x, features, count, err);
    if (st != HCBR_OK)
        return st;
    return hcbr_i_rich_query_set(&x->rich->query, hcbr_i_rich_scorer_row(x->decider->rich), err);
}

/* ---- influences ------------------------------------------------------------------------------ */

static bool comes_first(const hcbr_i_ranked *a, const hcbr_i_ranked *b) {
    return hcbr_i_larger_first(fabs(a->lead), a->case_of, fabs(b->lead), b->case_of);
}

static bool place_first(const void *ranked, uint32_t a, uint32_t b) {
    const hcbr_i_ranked *list = ranked;
    return comes_first(&list[a], &list[b]);
}

/* Keep a past case if it is among the weightiest of a group. */
static void offer(hcbr_i_reasons *r, hcbr_i_group *g, hcbr_i_ranked item, const double *by_output,
                  double part) {
    uint32_t k = r->causes.rich->outputs;
    if (g->ranked_count < r->most) {
        if (!hcbr_i_grow(&g->ranked, &g->ranked_capacity, g->ranked_count + 1, sizeof item) ||
            !hcbr_i_grow(&g->heap, &g->heap_capacity, g->ranked_count + 1, sizeof *g->heap) ||
            !hcbr_i_grow(&g->influence, &g->influence_capacity, (g->ranked_count + 1) * k,
                         sizeof *g->influence)) {
            r->failed = true;
            return;
        }
        hcbr_i_heap heap = {g->heap, g->ranked_count, r->most};
        item.at = (uint32_t)g->ranked_count;
        g->ranked[g->ranked_count++] = item;
        hcbr_i_heap_add(&heap, item.at, place_first, g->ranked);
    } else if (r->most > 0 && comes_first(&item, &g->ranked[g->heap[0]])) {
        const hcbr_i_heap heap = {g->heap, g->ranked_count, r->most};
        item.at = g->heap[0]; // the place of the least
        g->ranked[item.at] = item;
        hcbr_i_heap_sift(&heap, 0, place_first, g->ranked);
    } else {
        return;
    }
    for (uint32_t l = 0; l < k; l++)
        g->influence[(size_t)item.at * k + l] = part * by_output[l];
}

/* A row weighs so much through a group: hand it to the cases it stands for. */
static void rank_row(hcbr_i_reasons *r, hcbr_i_group *g, uint32_t row, const double *value) {
    const hcbr_i_rich_causes *c = &r->causes;
    double lead = hcbr_i_reasons_lead(r->of, value);
    g->cases += c->case_start[row + 1] - c->case_start[row];
    if (g->ranked_count == r->most &&
        (r->most == 0 || fabs(lead) < fabs(g->ranked[g->heap[0]].lead)))
        return; // no part of it weighs more
    for (uint32_t n = c->case_start[row]; n < c->case_start[row + 1]; n++) {
        double part = hcbr_i_reasons_part(r, c->cases[n]);
        hcbr_i_ranked item = {.lead = part * lead, .case_of = c->cases[n]};
        offer(r, g, item, value, part);
    }
}

static void rank_block(void *context, uint32_t first) {
    hcbr_i_reasons *r = context;
    uint32_t k = r->causes.rich->outputs;
    for (size_t s = 0; s < r->shown; s++)
        for (uint32_t w = 0; w < 2; w++)
            for (uint64_t left = r->slot_met[s].word[w]; left; left &= left - 1) {
                uint32_t b = 64 * w + (uint32_t)__builtin_ctzll(left);
                const double *value = r->slots + ((s * HCBR_I_RICH_ROWS) + b) * k;
                bool any = false;
                for (uint32_t l = 0; l < k; l++)
                    any |= value[l] != 0;
                if (any)
                    rank_row(r, &r->groups[s], first + b, value);
            }
}

/* The groups that are shown get a place in the tally. */
static hcbr_status give_slots(hcbr_i_reasons *r, hcbr_error *err) {
    size_t terms = r->query.term_count;
    if (!hcbr_i_grow(&r->slot_of, &r->slot_capacity, terms + 1, sizeof *r->slot_of) ||
        !hcbr_i_grow(&r->slots, &r->slots_capacity,
                     r->shown * HCBR_I_RICH_ROWS * r->causes.rich->outputs + 1, sizeof *r->slots) ||
        !hcbr_i_grow(&r->slot_met, &r->slot_met_capacity, r->shown + 1, sizeof *r->slot_met))
        return hcbr_i_no_memory(err);
    for (size_t t = 0; t < terms; t++)
        r->slot_of[t] = HCBR_I_NONE;
    for (uint32_t s = 0; s < r->shown; s++) {
        r->groups[s].cases = r->groups[s].ranked_count = 0;
        for (uint32_t n = 0; n < r->groups[s].count; n++)
            r->slot_of[r->order[r->groups[s].first + n]] = s;
    }
    return HCBR_OK;
}

/* What each merged case adds to the lead, or one of its cases if all of them weigh the same. */
static void find_leads(hcbr_explainer *x) {
    hcbr_i_reasons *r = x->rich;
    const hcbr_i_rich_causes *c = &r->causes;
    uint32_t k = x->model->rich->outputs;
    for (uint32_t row = 0; row < c->table.rows; row++) {
        double lead = hcbr_i_reasons_lead(x, r->total + (size_t)row * k);
        r->lead[row] = c->weight ? lead : 1.0 / c->table.weight[row] * lead;
    }
}

/* Offer the cases of a row. Returns how many of them are on this side. */
static uint64_t offer_row(hcbr_explainer *x, uint32_t row, hcbr_i_picker *p, double least) {
    const hcbr_i_reasons *r = x->rich;
    const hcbr_i_rich_causes *c = &r->causes;
    uint64_t count = 0;
    for (uint32_t n = c->case_start[row]; n < c->case_start[row + 1]; n++) {
        uint32_t i = c->cases[n];
        double lead = r->lead[row];
        if (c->weight)
            lead *= hcbr_i_reasons_part(r, i);
        if (!(p->sign * lead > least))
            continue;
        count++;
        x->lead_of[i] = lead;
        hcbr_i_picker_consider(p, i);
    }
    return count;
}

uint64_t hcbr_i_reasons_offer(hcbr_explainer *x, hcbr_i_picker *p, double least) {
    const hcbr_i_rich_causes *c = &x->rich->causes;
    const double *leads = x->rich->lead;
    const uint32_t *start = c->case_start;
    const uint32_t rows = c->table.rows;
    const double sign = p->sign;
    bool weighed = c->weight != NULL;
    uint64_t count = 0;
    double floor = least;
    // Cases are asked for only where some may be picked: they stand in another order than rows.
    for (uint32_t row = 0; row < rows; row++) {
        double lead = sign * leads[row];
        if (HCBR_I_UNLIKELY(weighed || lead >= floor)) {
            count += offer_row(x, row, p, least);
            floor = hcbr_i_picker_floor(p, least);
        } else { // signs come as they like: no branch
            count += (start[row + 1] - start[row]) & (0 - (uint32_t)(lead > least));
        }
    }
    return count;
}

bool hcbr_i_reasons_list_others(hcbr_explainer *x, double least,
                                bool (*each)(hcbr_explainer *x, uint32_t i)) {
    const hcbr_i_reasons *r = x->rich;
    const hcbr_i_rich_causes *c = &r->causes;
    const uint32_t k = x->model->rich->outputs;
    bool ok = true;
    for (uint32_t row = 0; ok && row < c->table.rows; row++) {
        const double *total = r->total + (size_t)row * k;
        bool any = false;
        if (!c->weight && !(fabs(r->lead[row]) <= least))
            continue;
        for (uint32_t l = 0; l < k; l++)
            any |= total[l] != 0;
        for (uint32_t n = c->case_start[row]; any && ok && n < c->case_start[row + 1]; n++) {
            double part = c->weight ? hcbr_i_reasons_part(r, c->cases[n]) : 1;
            if (fabs(r->lead[row] * part) <= least)
                ok = each(x, c->cases[n]);
        }
    }
    return ok;
}

static hcbr_status tell(void *context, uint64_t done, uint64_t total, hcbr_error *err) {
    return hcbr_i_explainer_tell(context, "explain", done, total, err);
}

hcbr_status hcbr_i_reasons_add(hcbr_explainer *x, hcbr_error *err) {
    hcbr_i_reasons *r = x->rich;
    uint32_t k = x->model->rich->outputs, labels = x->model->labels.count;
    if (!r->has_causes)
        return HCBR_OK;
    r->of = x;
    r->failed = false;
    r->most = x->options.group_cases;
    hcbr_status st = give_slots(r, err);
    if (st != HCBR_OK)
        return st;
    memset(r->total, 0, (size_t)r->causes.table.rows * k * sizeof *r->total);
    memset(r->sum, 0, k * sizeof *r->sum);
    memset(r->rest, 0, k * sizeof *r->rest);
    memset(r->absolute, 0, k * sizeof *r->absolute);
    const hcbr_i_rich_watch watch = {tell, x};
    hcbr_i_rich_tally tally = {.total = r->total,
                               .sum = r->sum,
                               .rest = r->rest,
                               .absolute = r->absolute,
                               .slot_of = r->slot_of,
                               .slots = r->slots,
                               .met = r->slot_met,
                               .slot_count = (uint32_t)r->shown,
                               .done = rank_block,
                               .watch = &watch,
                               .context = r};
    st = hcbr_i_rich_causes_add(&r->query, &tally, err);
    if (st != HCBR_OK || r->failed)
        return st != HCBR_OK ? st : hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < labels; l++) {
        uint32_t o = k == 1 ? 0 : l;
        double sign = labels == 2 && l == 0 ? -1 : 1;
        x->sums[labels + l] = sign * r->sum[o] + x->sums[l];
        x->sums[2 * labels + l] = sign * r->rest[o];
        x->sums[3 * labels + l] = r->absolute[o];
    }
    find_leads(x);
    return HCBR_OK;
}

void hcbr_i_reasons_influence(const hcbr_explainer *x, uint32_t i, double *by_label) {
    const hcbr_i_reasons *r = x->rich;
    uint32_t row = r->has_causes ? r->causes.row_of[i] : HCBR_I_NONE;
    if (row == HCBR_I_NONE)
        memset(by_label, 0, x->model->labels.count * sizeof *by_label);
    else
        hcbr_i_reasons_by_label(x, r->total + (size_t)row * x->model->rich->outputs,
                                hcbr_i_reasons_part(r, i), by_label);
}
