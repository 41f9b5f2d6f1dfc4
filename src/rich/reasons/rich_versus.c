/*
 * A case beside a past case in a rich model. What a term adds to the lead is shared out evenly
 * among the variables it tests, and goes to the features that are values of these variables: of the
 * case itself or, where it has none, of the other one; what neither has is the rest.
 *
 * Invariant: lead_here - lead_there is the sum over the features of here - there, and the rest. The
 * bias is the same for both, since the prior's part of the votes is left with them.
 */
#include "rich/reasons/rich_reasons.h"
#include "rich/rich_past.h"

/* What the variables of one case add to the lead. */
typedef struct side {
    double *by_variable; /* columns and members */
    double constant;     /* of trees that test nothing, and the bias */
} side;

static hcbr_status share_out(hcbr_i_account *x, const hcbr_i_rich_query *q,
                             const hcbr_i_rich_row *row, side *out, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich *rich = r->rich;
    hcbr_i_rich_tests *tests = &r->beside.tests;
    size_t k = rich->outputs;
    out->constant = hcbr_i_reasons_lead(x, q->bias);
    for (size_t t = 0; t < q->term_count; t++) {
        const hcbr_i_rich_term *term = &q->terms[t];
        double lead = hcbr_i_reasons_lead(x, q->contribution + t * k);
        if (term->family == 0) {
            out->by_variable[term->variable] += lead;
            continue;
        }
        const hcbr_i_rich_forest *f =
            term->family == 1 ? &rich->boosted.jury[term->forest] : &rich->votes;
        if (!hcbr_i_rich_tests_at(r->names, f, term->tree, term->end, row->codes, tests))
            return hcbr_i_no_memory(err);
        if (tests->count == 0)
            out->constant += lead;
        for (size_t i = 0; i < tests->count; i++)
            out->by_variable[tests->items[i].variable] += lead / (double)tests->count;
    }
    return HCBR_OK;
}

static hcbr_status share_row(hcbr_i_account *x, const hcbr_i_rich_row *row, side *out,
                             hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_i_rich_beside *b = &r->beside;
    hcbr_status st = HCBR_OK;
    if (!b->has_query) {
        if ((st = hcbr_i_rich_query_init(&b->query, r->rich, r->names, NULL, err)) != HCBR_OK)
            return st;
        b->has_query = true;
    }
    st = hcbr_i_rich_query_set(&b->query, row, err);
    return st == HCBR_OK ? share_out(x, &b->query, row, out, err) : st;
}

static bool is_same_row(const hcbr_i_rich_row *a, const hcbr_i_rich_row *b, size_t columns) {
    return a->bag_count == b->bag_count && memcmp(a->codes, b->codes, columns) == 0 &&
           (a->bag_count == 0 || memcmp(a->bag, b->bag, a->bag_count * sizeof *a->bag) == 0);
}

/* False: no memory. */
static bool copy_row(hcbr_i_rich_row *to, const hcbr_i_rich_row *from, size_t columns) {
    if ((!to->codes && !(to->codes = hcbr_i_alloc(columns, 1))) ||
        !hcbr_i_grow(&to->bag, &to->bag_capacity, from->bag_count, sizeof *to->bag))
        return false;
    memcpy(to->codes, from->codes, columns);
    if (from->bag_count)
        memcpy(to->bag, from->bag, from->bag_count * sizeof *to->bag);
    to->bag_count = from->bag_count;
    return true;
}

/* The case at hand, which is shared out once for all past cases beside it. */
static hcbr_status share_here(hcbr_i_account *x, size_t variables, side *out, hcbr_error *err) {
    const hcbr_i_rich_row *row = &hcbr_i_reasons_of(x)->row;
    hcbr_i_rich_beside *b = &hcbr_i_reasons_of(x)->beside;
    const size_t columns = hcbr_i_reasons_of(x)->rich->encoder.column_count;
    if (!b->has_here || b->label != x->label || b->against != x->against ||
        !is_same_row(&b->row, row, columns)) {
        b->has_here = false;
        if ((!b->here && !(b->here = hcbr_i_alloc(variables, sizeof *b->here))) ||
            !copy_row(&b->row, row, columns))
            return hcbr_i_no_memory(err);
        memset(b->here, 0, variables * sizeof *b->here);
        side here = {b->here, 0};
        hcbr_status st = share_row(x, row, &here, err);
        if (st != HCBR_OK)
            return st;
        b->constant = here.constant;
        b->label = x->label;
        b->against = x->against;
        b->has_here = true;
    }
    memcpy(out->by_variable, b->here, variables * sizeof *b->here);
    out->constant = b->constant;
    return HCBR_OK;
}

/* The variable of a feature; HCBR_I_NONE: it says nothing. */
static uint32_t variable_of(const hcbr_i_account *x, const hcbr_i_case_item *f) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(x)->rich->encoder;
    return hcbr_i_reasons_variable(e, f->key, f->id == HCBR_I_NONE ? 1 : e->code[f->id]);
}

/* Hand what variables add to the features that the case has of them, then to those of the other. */
static hcbr_status hand_out(hcbr_i_account *x, side *s, bool there, const hcbr_comparison *c,
                            const hcbr_i_case_item *items, hcbr_compared_feature *list,
                            double *rest, hcbr_error *err) {
    size_t all = c->shared + c->only_here + c->only_there;
    size_t variables = (size_t)hcbr_i_reasons_of(x)->rich->encoder.column_count +
                       hcbr_i_reasons_of(x)->rich->encoder.bag_count;
    uint32_t *count = hcbr_i_alloc_zero(variables, sizeof *count);
    if (!count)
        return hcbr_i_no_memory(err);
    for (int own = 1; own >= 0; own--) {
        memset(count, 0, variables * sizeof *count);
        for (int give = 0; give < 2; give++)
            for (size_t i = 0; i < all; i++) {
                bool has = i < c->shared ||
                           (there ? i >= c->shared + c->only_here : i < c->shared + c->only_here);
                uint32_t v = has == own && list[i].known ? variable_of(x, &items[i]) : HCBR_I_NONE;
                if (v == HCBR_I_NONE)
                    continue;
                if (!give)
                    count[v]++;
                else if (there)
                    list[i].there += s->by_variable[v] / count[v];
                else
                    list[i].here += s->by_variable[v] / count[v];
            }
        for (size_t v = 0; v < variables; v++)
            if (count[v])
                s->by_variable[v] = 0; // it is handed out
    }
    for (size_t v = 0; v < variables; v++)
        *rest += there ? -s->by_variable[v] : s->by_variable[v];
    *rest += there ? -s->constant : s->constant;
    hcbr_i_free(count);
    return HCBR_OK;
}

/* Encode a past case. */
static hcbr_status encode_past(hcbr_i_account *x, uint64_t index, hcbr_i_rich_row *row,
                               hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(x)->rich->encoder;
    hcbr_i_rich_past_case past = {0};
    *row = (hcbr_i_rich_row){.codes = hcbr_i_alloc(e->column_count, 1)};
    bool ok = row->codes &&
              hcbr_i_rich_past_get(hcbr_i_reasons_of(x)->rich->past, e, (uint32_t)index, &past);
    if (ok)
        hcbr_i_rich_row_begin(e, row);
    for (size_t i = 0; ok && i < past.feature_count; i++)
        ok = hcbr_i_rich_row_add(e, past.features[i], row);
    for (size_t i = 0; ok && i < past.number_count; i++)
        ok = hcbr_i_rich_row_add_number(e, past.numbers[i].key, past.numbers[i].value, row);
    if (ok)
        hcbr_i_rich_row_end(row);
    hcbr_i_rich_past_case_clear(&past);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_reasons_compare(hcbr_i_account *x, uint64_t index, const hcbr_i_case_item *items,
                                   hcbr_compared_feature *list, hcbr_comparison *out,
                                   hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(x)->rich->encoder;
    size_t variables = (size_t)e->column_count + e->bag_count;
    side here = {hcbr_i_account_take(x, variables, sizeof(double)), 0};
    side there = {hcbr_i_account_take(x, variables, sizeof(double)), 0};
    if (!here.by_variable || !there.by_variable)
        return hcbr_i_no_memory(err);
    hcbr_i_rich_row past = {0};
    hcbr_status st = share_here(x, variables, &here, err);
    if (st == HCBR_OK && !out->past_empty) { // of a case without features no lead is known
        st = encode_past(x, index, &past, err);
        if (st == HCBR_OK)
            st = share_row(x, &past, &there, err);
        hcbr_i_rich_row_clear(&past);
    }
    if (st != HCBR_OK)
        return st;
    out->lead_there = there.constant;
    for (size_t v = 0; v < variables; v++)
        out->lead_there += there.by_variable[v];
    if ((st = hand_out(x, &here, false, out, items, list, &out->rest, err)) != HCBR_OK ||
        (st = hand_out(x, &there, true, out, items, list, &out->rest, err)) != HCBR_OK)
        return st;
    hcbr_i_account_sort(list, out->shared);
    hcbr_i_account_sort(list + out->shared, out->only_here);
    hcbr_i_account_sort(list + out->shared + out->only_here, out->only_there);
    return HCBR_OK;
}
