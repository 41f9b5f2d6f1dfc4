/*
 * The contributions of a case's variables to the lead, for comparisons: the contribution of a term
 * is divided evenly among the variables it tests.
 *
 * The current case is computed once for all past cases it is compared with. Past cases with much
 * influence are compared again and again: their results are cached, in bounded memory, and so are
 * the variables of the leaves that were met.
 *
 * Invariant: a result is the same whether cached or not; `place` is 0 between calls.
 */
#include "rich/encode/kept_cases.h"
#include "rich/reasons/rich_reasons.h"

#define SLOTS 512u                       /* cached past cases */
#define MOST ((size_t)1 << 18)           /* variables of all of them together: 4 MiB */
#define MOST_OF_LEAVES ((size_t)1 << 20) /* variables of leaves that are: 4 MiB */

/* Drop the cached past cases. */
static void forget(hcbr_i_rich_beside *b) {
    for (size_t n = 0; b->past && n < SLOTS; n++) {
        hcbr_i_free(b->past[n].parts);
        b->past[n] = (hcbr_i_rich_share){0};
    }
    b->remembered = 0;
}

void hcbr_i_rich_beside_clear(hcbr_i_rich_beside *b) {
    if (b->has_query)
        hcbr_i_rich_query_clear(&b->query);
    forget(b);
    for (size_t f = 0; f <= HCBR_I_RICH_FOLDS; f++)
        hcbr_i_free(b->leaves[f]);
    hcbr_i_free(b->variables);
    hcbr_i_free(b->past);
    hcbr_i_free(b->many.parts);
    hcbr_i_free(b->here.parts);
    hcbr_i_free(b->place);
    hcbr_i_free(b->marks);
    hcbr_i_rich_row_clear(&b->row);
    *b = (hcbr_i_rich_beside){0};
}

static hcbr_status begin(hcbr_i_reasons *r, hcbr_error *err) {
    hcbr_i_rich_beside *b = &r->beside;
    const hcbr_i_rich_encoder *e = &r->rich->encoder;
    const size_t variables = (size_t)e->column_count + e->bag_count;
    if ((!b->place && !(b->place = hcbr_i_alloc_zero(variables, sizeof *b->place))) ||
        (!b->marks && !(b->marks = hcbr_i_alloc_zero(variables, sizeof *b->marks))))
        return hcbr_i_no_memory(err);
    if (b->has_query)
        return HCBR_OK;
    const hcbr_status st = hcbr_i_rich_query_init(&b->query, r->rich, r->names, NULL, err);
    b->has_query = st == HCBR_OK;
    return st;
}

/* ---- the variables of a leaf ----------------------------------------------------------------- */

/* Whether the case has all columns that every past case has: then a leaf's tests are those of all
 * such cases. */
static bool is_usual(const hcbr_i_rich_names *n, const hcbr_i_rich_row *row) {
    for (uint32_t c = 0; c < n->encoder->column_count; c++)
        if (n->full[c] && row->codes[c] == 0)
            return false;
    return true;
}

/* The variables of a leaf: their count, then their numbers; NULL: no memory. */
static const uint32_t *variables_of(hcbr_i_reasons *r, const hcbr_i_rich_term *term,
                                    const hcbr_i_rich_row *row, bool usual) {
    hcbr_i_rich_beside *b = &r->beside;
    const bool boosted = term->family == 1;
    const hcbr_i_rich_forest *f =
        boosted ? &r->rich->boosted.model[term->forest] : &r->rich->forest;
    uint32_t **leaves = &b->leaves[boosted ? term->forest : HCBR_I_RICH_FOLDS];
    if (!*leaves && !(*leaves = hcbr_i_alloc_zero(f->leaf_count, sizeof **leaves)))
        return NULL;
    uint32_t *place = &(*leaves)[term->leaf];
    if (usual && *place)
        return b->variables + *place - 1;
    const size_t most = term->end - f->start[term->tree]; // nodes before it
    if (!hcbr_i_grow(&b->variables, &b->variable_capacity, b->variable_count + most + 1,
                     sizeof *b->variables))
        return NULL;
    uint32_t *to = b->variables + b->variable_count;
    to[0] = (uint32_t)hcbr_i_rich_variables_at(r->names, f, term->tree, term->end, row->codes,
                                               b->marks, to + 1);
    if (usual && b->variable_count + to[0] < MOST_OF_LEAVES) {
        *place = (uint32_t)b->variable_count + 1;
        b->variable_count += to[0] + 1;
    }
    return to;
}

/* ---- shares ---------------------------------------------------------------------------------- */

static inline bool add(hcbr_i_rich_beside *b, hcbr_i_rich_share *to, uint32_t variable,
                       double lead) {
    if (b->place[variable] == 0) {
        if (!hcbr_i_grow(&to->parts, &to->capacity, to->count + 1, sizeof *to->parts))
            return false;
        to->parts[to->count++] = (hcbr_i_rich_part){variable, 0};
        b->place[variable] = (uint32_t)to->count;
    }
    to->parts[b->place[variable] - 1].lead += lead;
    return true;
}

static bool share_out(hcbr_i_account *x, const hcbr_i_rich_row *row, hcbr_i_rich_share *out) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_i_rich_beside *b = &r->beside;
    const hcbr_i_rich_query *q = &b->query;
    const bool usual = is_usual(r->names, row);
    bool ok = true;
    out->count = 0;
    out->constant = hcbr_i_reasons_lead(x, q->bias);
    for (size_t t = 0; ok && t < q->term_count; t++) {
        const hcbr_i_rich_term *term = &q->terms[t];
        const double lead = hcbr_i_reasons_lead(x, q->contribution + t * r->rich->outputs);
        if (term->family == 0) {
            ok = add(b, out, term->variable, lead);
            continue;
        }
        const uint32_t *of = variables_of(r, term, row, usual);
        if (!(ok = of != NULL))
            break;
        if (of[0] == 0)
            out->constant += lead;
        const double part = lead / (double)of[0];
        for (uint32_t i = 0; ok && i < of[0]; i++)
            ok = add(b, out, of[1 + i], part);
    }
    for (size_t n = 0; n < out->count; n++)
        b->place[out->parts[n].variable] = 0;
    return ok;
}

static hcbr_status share_row(hcbr_i_account *x, const hcbr_i_rich_row *row, hcbr_i_rich_share *out,
                             hcbr_error *err) {
    hcbr_i_rich_beside *b = &hcbr_i_reasons_of(x)->beside;
    out->there = false;
    hcbr_status st = begin(hcbr_i_reasons_of(x), err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_query_set(&b->query, row, err);
    if (st == HCBR_OK && !share_out(x, row, out))
        st = hcbr_i_no_memory(err);
    out->label = x->label;
    out->against = x->against;
    out->there = st == HCBR_OK;
    return st;
}

/* ---- the current case ------------------------------------------------------------------------ */

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

hcbr_status hcbr_i_rich_beside_here(hcbr_i_account *x, const hcbr_i_rich_share **out,
                                    hcbr_error *err) {
    const hcbr_i_rich_row *row = &hcbr_i_reasons_of(x)->row;
    hcbr_i_rich_beside *b = &hcbr_i_reasons_of(x)->beside;
    const size_t columns = hcbr_i_reasons_of(x)->rich->encoder.column_count;
    *out = &b->here;
    if (b->here.there && b->here.label == x->label && b->here.against == x->against &&
        is_same_row(&b->row, row, columns))
        return HCBR_OK;
    b->here.there = false;
    if (!copy_row(&b->row, row, columns))
        return hcbr_i_no_memory(err);
    return share_row(x, row, &b->here, err);
}

/* ---- past cases ------------------------------------------------------------------------------ */

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

/* Make a share that of the opposite lead, by its sign. */
static bool turn(const hcbr_i_account *x, hcbr_i_rich_share *s) {
    if (s->label == x->label && s->against == x->against)
        return true;
    if (s->label != x->against || s->against != x->label)
        return false;
    for (size_t n = 0; n < s->count; n++)
        s->parts[n].lead = -s->parts[n].lead;
    s->constant = -s->constant;
    s->label = x->label;
    s->against = x->against;
    return true;
}

hcbr_status hcbr_i_rich_beside_past(hcbr_i_account *x, uint64_t index,
                                    const hcbr_i_rich_share **out, hcbr_error *err) {
    hcbr_i_rich_beside *b = &hcbr_i_reasons_of(x)->beside;
    hcbr_i_rich_row row = {0};
    *out = NULL;
    if (!b->past && !(b->past = hcbr_i_alloc_zero(SLOTS, sizeof *b->past)))
        return hcbr_i_no_memory(err);
    hcbr_i_rich_share *slot = &b->past[index % SLOTS];
    *out = slot;
    if (slot->there && slot->index == index && turn(x, slot))
        return HCBR_OK;
    slot->there = false;
    hcbr_status st = encode_past(x, index, &row, err);
    if (st == HCBR_OK)
        st = share_row(x, &row, &b->many, err);
    hcbr_i_rich_row_clear(&row);
    *out = &b->many;
    if (st != HCBR_OK || b->many.count > MOST)
        return st;
    if (b->remembered + b->many.count > MOST)
        forget(b);
    if (!hcbr_i_grow(&slot->parts, &slot->capacity, b->many.count, sizeof *slot->parts))
        return hcbr_i_no_memory(err);
    b->remembered += b->many.count;
    if (b->many.count)
        memcpy(slot->parts, b->many.parts, b->many.count * sizeof *slot->parts);
    slot->count = b->many.count;
    slot->constant = b->many.constant;
    slot->label = b->many.label;
    slot->against = b->many.against;
    slot->index = index;
    slot->there = true;
    return HCBR_OK;
}
