/*
 * Reasons of rich models: the terms of the current case, and the influence of every past case on
 * it, added up over merged cases and divided among their cases by weight.
 */
#include "rich/reasons/rich_reasons.h"

#include <math.h>
#include <stdlib.h>

/* ---- life ------------------------------------------------------------------------------------ */

static hcbr_status prepare(hcbr_i_reasons *r, hcbr_error *err) {
    uint32_t k = r->rich->outputs, rows = r->causes ? r->causes->table.rows : 0;
    hcbr_status st = hcbr_i_rich_query_init(&r->query, r->rich, r->names, r->causes, err);
    if (st != HCBR_OK)
        return st;
    r->sum = hcbr_i_alloc(k, sizeof *r->sum);
    r->rest = hcbr_i_alloc(k, sizeof *r->rest);
    r->absolute = hcbr_i_alloc(k, sizeof *r->absolute);
    r->total = hcbr_i_alloc(rows, k * sizeof *r->total);
    r->lead = hcbr_i_alloc(rows, sizeof *r->lead);
    r->row.codes = hcbr_i_alloc(r->rich->encoder.column_count, 1);
    return r->sum && r->rest && r->absolute && r->total && r->lead && r->row.codes
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_reasons_create(void **out, void *shared, hcbr_error *err) {
    hcbr_i_rich_index *index = shared;
    *out = NULL;
    hcbr_i_reasons *r = hcbr_i_alloc_zero(1, sizeof *r);
    if (!r)
        return hcbr_i_no_memory(err);
    r->rich = index->rich;
    r->names = &index->names;
    r->causes = index->has_causes ? &index->causes : NULL;
    hcbr_status st = prepare(r, err);
    if (st == HCBR_OK)
        *out = r;
    else
        hcbr_i_reasons_free(r);
    return st;
}

void hcbr_i_reasons_free(void *why) {
    hcbr_i_reasons *r = why;
    if (!r)
        return;
    hcbr_i_rich_row_clear(&r->row);
    for (size_t g = 0; g < r->group_capacity; g++) {
        hcbr_i_free(r->groups[g].ranked);
        hcbr_i_free(r->groups[g].heap);
        hcbr_i_free(r->groups[g].influence);
    }
    for (int kind = 0; kind < 2; kind++)
        hcbr_i_rich_groups_clear(&r->catalogue.groups[kind]);
    hcbr_i_rich_query_clear(&r->query);
    hcbr_i_free(r->known);
    hcbr_i_free(r->tests);
    hcbr_i_free(r->test_start);
    hcbr_i_free(r->order);
    hcbr_i_free(r->groups);
    hcbr_i_free(r->slot_of);
    hcbr_i_free(r->total);
    hcbr_i_free(r->lead);
    hcbr_i_free(r->sum);
    hcbr_i_free(r->rest);
    hcbr_i_free(r->absolute);
    hcbr_i_rich_beside_clear(&r->beside);
    hcbr_i_free(r);
}

/* ---- outputs and labels ---------------------------------------------------------------------- */

void hcbr_i_reasons_by_label(const hcbr_i_account *x, const double *by_output, double factor,
                             double *by_label) {
    uint32_t labels = x->frame.label_count;
    if (labels == 2) {
        by_label[1] = factor * by_output[0];
        by_label[0] = -by_label[1];
        return;
    }
    for (uint32_t l = 0; l < labels; l++)
        by_label[l] = factor * by_output[l];
}

/* ---- the current case ------------------------------------------------------------------------ */

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

static hcbr_status list_known(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_frame *m = &x->frame;
    const hcbr_i_rich_encoder *e = &r->rich->encoder;
    if (!hcbr_i_grow(&r->known, &r->known_capacity, x->at->known + 1, sizeof *r->known))
        return hcbr_i_no_memory(err);
    r->known_count = 0;
    for (size_t i = 0; i < x->at->count; i++) {
        const hcbr_i_case_item *item = &x->at->items[i];
        if (!item->known)
            continue;
        bool there = item->id != HCBR_I_NONE; // otherwise it is a number
        r->known[r->known_count++] =
            (hcbr_i_known){hcbr_i_reasons_variable(e, item->key, there ? e->code[item->id] : 1),
                           there ? m->past.atom(m->past.state, item->id) : HCBR_I_NONE,
                           item->id,
                           item->key,
                           item->number,
                           item->feature};
    }
    if (r->known_count)
        qsort(r->known, r->known_count, sizeof *r->known, compare_known);
    return HCBR_OK;
}

hcbr_status hcbr_i_reasons_begin(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    r->feature_count = x->at->count;
    r->added = false;
    hcbr_status st = list_known(x, err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_reasons_row_set(&r->rich->encoder, x->at, &r->row))
        return hcbr_i_no_memory(err);
    return hcbr_i_rich_query_set(&r->query, &r->row, err);
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
    uint32_t k = r->causes->rich->outputs;
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

/* Divide the influence of a row through a group among its cases. */
static void rank_row(hcbr_i_reasons *r, hcbr_i_group *g, uint32_t row, const double *value) {
    const hcbr_i_rich_causes *c = r->causes;
    double lead = hcbr_i_reasons_lead(r->of, value);
    if (g->ranked_count == r->most &&
        (r->most == 0 || fabs(lead) < fabs(g->ranked[g->heap[0]].lead)))
        return; // no part of it is larger
    for (uint32_t n = c->case_start[row]; n < c->case_start[row + 1]; n++) {
        double part = hcbr_i_reasons_part(r, c->cases[n]);
        hcbr_i_ranked item = {.lead = part * lead, .case_of = c->cases[n]};
        offer(r, g, item, value, part);
    }
}

/* The least influence on some output with which a case can be among the largest of a group: its
 * lead is at most twice that. */
static double must_reach(const hcbr_i_reasons *r, const hcbr_i_group *g) {
    if (g->ranked_count < r->most)
        return 0;
    if (r->most == 0)
        return HUGE_VAL;
    return 0.5 * (1 - 0x1p-50) * fabs(g->ranked[g->heap[0]].lead);
}

static double rank_rows(void *context, uint32_t slot, const uint32_t *rows, const double *values,
                        uint32_t n) {
    hcbr_i_reasons *r = context;
    hcbr_i_group *g = &r->groups[slot];
    uint32_t k = r->causes->rich->outputs;
    for (uint32_t i = 0; i < n; i++, values += k)
        rank_row(r, g, rows[i], values);
    return must_reach(r, g);
}

/* The groups that are shown get a place in the tally. */
static hcbr_status give_slots(hcbr_i_reasons *r, hcbr_error *err) {
    size_t terms = r->query.term_count;
    if (!hcbr_i_grow(&r->slot_of, &r->slot_capacity, terms + 1, sizeof *r->slot_of))
        return hcbr_i_no_memory(err);
    for (size_t t = 0; t < terms; t++)
        r->slot_of[t] = HCBR_I_NONE;
    for (uint32_t s = 0; s < r->shown; s++) {
        r->groups[s].ranked_count = 0;
        for (uint32_t n = 0; n < r->groups[s].count; n++)
            r->slot_of[r->order[r->groups[s].first + n]] = s;
    }
    return HCBR_OK;
}

/* The contribution of each merged case to the lead, or of one of its cases if all have the same
 * weight. */
static void find_leads(hcbr_i_account *x) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich_causes *c = r->causes;
    uint32_t k = hcbr_i_reasons_of(x)->rich->outputs;
    for (uint32_t row = 0; row < c->table.rows; row++) {
        double lead = hcbr_i_reasons_lead(x, r->total + (size_t)row * k);
        r->lead[row] = c->weight ? lead : 1.0 / c->table.weight[row] * lead;
    }
}

/* Offer the cases of a row. Returns the number on this side. */
static uint64_t offer_row(hcbr_i_account *x, uint32_t row, hcbr_i_picker *p, double least) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich_causes *c = r->causes;
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

uint64_t hcbr_i_reasons_offer(hcbr_i_account *x, hcbr_i_picker *p, double least) {
    const hcbr_i_rich_causes *c = hcbr_i_reasons_of(x)->causes;
    if (!c) // a model that learnt nothing has none, even if it keeps its cases
        return 0;
    const double *leads = hcbr_i_reasons_of(x)->lead;
    const uint32_t *start = c->case_start;
    const uint32_t rows = c->table.rows;
    const double sign = p->sign;
    bool weighed = c->weight != NULL;
    uint64_t count = 0;
    double floor = least;
    // Cases are visited only if some may be picked: their order differs from that of rows.
    for (uint32_t row = 0; row < rows; row++) {
        double lead = sign * leads[row];
        if (HCBR_I_UNLIKELY(weighed || lead >= floor)) {
            count += offer_row(x, row, p, least);
            floor = hcbr_i_picker_floor(p, least);
        } else { // signs come in random order: no branch
            count += (start[row + 1] - start[row]) & (0 - (uint32_t)(lead > least));
        }
    }
    return count;
}

bool hcbr_i_reasons_list_others(hcbr_i_account *x, double least, uint64_t told,
                                bool (*each)(void *context, uint32_t i), void *context) {
    (void)told;
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich_causes *c = r->causes;
    const uint32_t k = hcbr_i_reasons_of(x)->rich->outputs;
    bool ok = true;
    for (uint32_t row = 0; ok && c && row < c->table.rows; row++) {
        const double *total = r->total + (size_t)row * k;
        bool any = false;
        if (!c->weight && !(fabs(r->lead[row]) <= least))
            continue;
        for (uint32_t l = 0; l < k; l++)
            any |= total[l] != 0;
        for (uint32_t n = c->case_start[row]; any && ok && n < c->case_start[row + 1]; n++) {
            double part = c->weight ? hcbr_i_reasons_part(r, c->cases[n]) : 1;
            if (fabs(r->lead[row] * part) <= least)
                ok = each(context, c->cases[n]);
        }
    }
    return ok;
}

static hcbr_status tell(void *context, uint64_t done, uint64_t total, hcbr_error *err) {
    return hcbr_i_account_tell(context, "explain", done, total, err);
}

hcbr_status hcbr_i_reasons_own(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    return r->causes ? hcbr_i_rich_causes_own(r->causes, r->total, err) : HCBR_OK;
}

hcbr_status hcbr_i_reasons_weigh_one(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons_of(x)->shown = 0;
    return hcbr_i_reasons_add(x, err);
}

hcbr_status hcbr_i_reasons_add(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    uint32_t k = hcbr_i_reasons_of(x)->rich->outputs, labels = x->frame.label_count;
    if (!r->causes)
        return HCBR_OK;
    r->of = x;
    r->failed = false;
    r->most = x->options.atom_cases;
    hcbr_status st = give_slots(r, err);
    if (st != HCBR_OK)
        return st;
    memset(r->sum, 0, k * sizeof *r->sum);
    memset(r->rest, 0, k * sizeof *r->rest);
    memset(r->absolute, 0, k * sizeof *r->absolute);
    const hcbr_i_rich_watch watch = {tell, x};
    hcbr_i_rich_tally tally = {.total = r->total,
                               .sum = r->sum,
                               .rest = r->rest,
                               .absolute = r->absolute,
                               .slot_of = r->slot_of,
                               .slot_count = (uint32_t)r->shown,
                               .take = rank_rows,
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
    r->added = true;
    return HCBR_OK;
}

void hcbr_i_reasons_influence(hcbr_i_account *x, uint32_t i, double *by_label) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    uint32_t row = r->causes ? r->causes->row_of[i] : HCBR_I_NONE;
    if (row == HCBR_I_NONE)
        memset(by_label, 0, x->frame.label_count * sizeof *by_label);
    else
        hcbr_i_reasons_by_label(x, r->total + (size_t)row * hcbr_i_reasons_of(x)->rich->outputs,
                                hcbr_i_reasons_part(r, i), by_label);
}
