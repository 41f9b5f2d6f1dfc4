/*
 * The effect of one more feature on a lead of a rich model: the trees that test its key are
 * followed again (support_probe.h), once for all values of the key that they treat alike.
 */
#include "rich/reasons/rich_reasons.h"

#include <math.h>

typedef struct hcbr_i_rich_asking {
    uint32_t label; /* the label of the lead */
    hcbr_i_rich_probe *probe;
    hcbr_i_rich_edit *edits;
    double *support; /* by label */
    double **leads;  /* by key: leads by code, NAN if not computed yet; NULL: none */
} hcbr_i_rich_asking;

hcbr_status hcbr_i_reasons_ask_begin(hcbr_i_account *x, const double *support, uint32_t label,
                                     hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich_encoder *e = &r->rich->encoder;
    (void)support; // they are computed again
    size_t most = 1;
    for (uint32_t k = 0; k < e->key_count; k++)
        if (e->keys[k].cut_count >= most)
            most = (size_t)e->keys[k].cut_count + 1;
    hcbr_i_rich_asking *a = hcbr_i_account_take(x, 1, sizeof *a);
    if (!a)
        return hcbr_i_no_memory(err);
    r->asking = a;
    a->label = label;
    a->support = hcbr_i_account_take(x, x->frame.label_count, sizeof *a->support);
    a->edits = hcbr_i_account_take(x, most, sizeof *a->edits);
    a->leads = hcbr_i_account_take(x, e->key_count, sizeof *a->leads);
    if (!a->support || !a->edits || !a->leads || !hcbr_i_reasons_row_set(e, x->at, &r->row))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_rich_probe_create(&a->probe, r->rich, err);
    return st == HCBR_OK ? hcbr_i_rich_probe_set(a->probe, &r->row, err) : st;
}

void hcbr_i_reasons_ask_end(hcbr_i_account *x) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    if (r->asking)
        hcbr_i_rich_probe_free(r->asking->probe);
    r->asking = NULL;
}

/* Leads of a key's values by code, where values share codes. *out NULL: they do not. */
static bool find_leads(hcbr_i_account *x, hcbr_i_key_id key, double **out) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_i_rich_kind kind = r->rich->encoder.keys[key].kind;
    *out = r->asking->leads[key];
    if (*out || kind == HCBR_I_RICH_BAG || kind == HCBR_I_RICH_UNUSED)
        return true;
    *out = r->asking->leads[key] = hcbr_i_account_take(x, HCBR_I_RICH_CODES, sizeof **out);
    for (uint32_t code = 0; *out && code < HCBR_I_RICH_CODES; code++)
        (*out)[code] = NAN;
    return *out != NULL;
}

static double lead_by(const hcbr_i_rich_asking *a, uint32_t labels) {
    double best = -INFINITY;
    for (uint32_t l = 0; l < labels; l++)
        if (l != a->label && a->support[l] > best)
            best = a->support[l];
    return a->support[a->label] - (isinf(best) ? 0 : best);
}

hcbr_status hcbr_i_reasons_ask(hcbr_i_account *x, hcbr_i_feature_id more, double *lead,
                               uint64_t *steps, hcbr_error *err) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_i_rich_asking *a = r->asking;
    const hcbr_i_rich_encoder *e = &r->rich->encoder;
    const hcbr_i_case_item item = hcbr_i_account_item(x, more);
    hcbr_i_key_id key = item.key;
    uint32_t code = hcbr_i_reasons_code(x, &item), labels = x->frame.label_count;
    double *known;
    if (!find_leads(x, key, &known))
        return hcbr_i_no_memory(err);
    if (known && code < HCBR_I_RICH_CODES && !isnan(known[code])) {
        *lead = known[code];
        return HCBR_OK;
    }
    size_t count = hcbr_i_reasons_edit_in(e, key, code, a->edits);
    if (!hcbr_i_rich_probe_score(a->probe, a->edits, count, a->support, steps))
        return hcbr_i_no_memory(err);
    if (labels == 2) {
        a->support[1] = a->support[0];
        a->support[0] = -a->support[1];
    }
    *lead = lead_by(a, labels);
    if (known && code < HCBR_I_RICH_CODES)
        known[code] = *lead;
    return HCBR_OK;
}
