/*
 * Comparison of a case with a past case in a rich model. The contribution of a term to the lead is
 * divided evenly among the variables it tests, and goes to the features that are values of these
 * variables: of the case itself or, if it has none, of the other one; variables that neither has
 * are the rest.
 *
 * Invariant: lead_here - lead_there is the sum over the features of here - there, and the rest. The
 * bias is the same for both, since it includes the prior's part of the forest.
 */
#include "rich/reasons/rich_reasons.h"

/* The variable of a feature; HCBR_I_NONE: unused. */
static uint32_t variable_of(const hcbr_i_account *x, const hcbr_i_case_item *f) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(x)->rich->encoder;
    return hcbr_i_reasons_variable(e, f->key, f->id == HCBR_I_NONE ? 1 : e->code[f->id]);
}

/* Distribute the contributions of variables to the features that the case has of them, then to
 * those of the other. */
static hcbr_status hand_out(hcbr_i_account *x, const hcbr_i_rich_share *s, bool there,
                            const hcbr_comparison *c, const uint32_t *variables,
                            hcbr_compared_feature *list, double *rest, hcbr_error *err) {
    const size_t all = c->shared + c->only_here + c->only_there;
    uint32_t *place = hcbr_i_reasons_of(x)->beside.place;
    uint32_t *count = hcbr_i_account_take(x, s->count, 2 * sizeof *count);
    if (!count)
        return hcbr_i_no_memory(err);
    uint32_t *before = count + s->count; // features that have got it
    for (size_t n = 0; n < s->count; n++)
        place[s->parts[n].variable] = (uint32_t)n + 1;
    for (int own = 1; own >= 0; own--) {
        for (int give = 0; give < 2; give++)
            for (size_t i = 0; i < all; i++) {
                bool has = i < c->shared ||
                           (there ? i >= c->shared + c->only_here : i < c->shared + c->only_here);
                uint32_t v = has == own ? variables[i] : HCBR_I_NONE;
                if (v == HCBR_I_NONE || place[v] == 0 || before[place[v] - 1])
                    continue;
                uint32_t n = place[v] - 1;
                double part = s->parts[n].lead;
                if (!give)
                    count[n]++;
                else if (there)
                    list[i].there += part / count[n];
                else
                    list[i].here += part / count[n];
            }
        memcpy(before, count, s->count * sizeof *before);
    }
    for (size_t n = 0; n < s->count; n++) {
        place[s->parts[n].variable] = 0;
        if (!count[n])
            *rest += there ? -s->parts[n].lead : s->parts[n].lead;
    }
    *rest += there ? -s->constant : s->constant;
    return HCBR_OK;
}

hcbr_status hcbr_i_reasons_compare(hcbr_i_account *x, uint64_t index, const hcbr_i_case_item *items,
                                   hcbr_compared_feature *list, hcbr_comparison *out,
                                   hcbr_error *err) {
    static const hcbr_i_rich_share nothing = {.count = 0};
    const size_t all = out->shared + out->only_here + out->only_there;
    const hcbr_i_rich_share *here, *there = &nothing;
    uint32_t *variables = hcbr_i_account_take(x, all, sizeof *variables);
    if (!variables)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_rich_beside_here(x, &here, err);
    if (st == HCBR_OK && !out->past_empty) // the lead of a case without features is unknown
        st = hcbr_i_rich_beside_past(x, index, &there, err);
    if (st != HCBR_OK)
        return st;
    for (size_t i = 0; i < all; i++)
        variables[i] = list[i].known ? variable_of(x, &items[i]) : HCBR_I_NONE;
    out->lead_there = there->constant;
    for (size_t n = 0; n < there->count; n++)
        out->lead_there += there->parts[n].lead;
    if ((st = hand_out(x, here, false, out, variables, list, &out->rest, err)) != HCBR_OK ||
        (st = hand_out(x, there, true, out, variables, list, &out->rest, err)) != HCBR_OK)
        return st;
    hcbr_i_account_sort(list, out->shared);
    hcbr_i_account_sort(list + out->shared, out->only_here);
    hcbr_i_account_sort(list + out->shared + out->only_here, out->only_there);
    return HCBR_OK;
}
