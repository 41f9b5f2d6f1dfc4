/*
 * An explanation: the case is resolved and decided, the engine computes its atoms and the influence
 * of every past case on the lead, and the largest are picked.
 *
 * All of it is deterministic: ties of the lead are broken by the number of the atom or case.
 */
#include "explainer.h"

#include <math.h>

/* ---- life ------------------------------------------------------------------------------------ */

void hcbr_explainer_free(hcbr_explainer *x) {
    if (!x)
        return;
    hcbr_i_account_forget(&x->a);
    hcbr_decider_free(x->decider);
    if (x->a.why)
        x->engine->why_free(x->a.why);
    hcbr_index_free(x->own);
    hcbr_i_free(x->a.lead_of);
    hcbr_i_free(x->a.sums);
    hcbr_i_free(x->a.blocks);
    hcbr_i_free(x->a.shared);
    hcbr_i_free(x->a.numbers);
    hcbr_i_free(x->picked);
    hcbr_i_free(x->others);
    hcbr_i_free(x->other_size);
    hcbr_i_by_column_clear(&x->by_column);
    hcbr_i_free(x);
}

hcbr_status hcbr_explainer_create(hcbr_explainer **out, const hcbr_model *model,
                                  const hcbr_index *index, const hcbr_rule *rule, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model) || HCBR_I_UNSIZED(err, rule))
        return HCBR_EUSAGE;
    if (index && index->model != model)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found an index of another model, expected this one's");
    hcbr_explainer *x = hcbr_i_alloc_zero(1, sizeof *x);
    if (!x)
        return hcbr_i_no_memory(err);
    x->model = model;
    x->engine = model->engine;
    x->a.frame = hcbr_i_model_frame(model);
    hcbr_status st = hcbr_decider_create(&x->decider, model, rule, err);
    if (st == HCBR_OK && !index)
        st = hcbr_i_index_make(&x->own, model, NULL, false, err);
    if (st == HCBR_OK)
        st = x->engine->why_create(&x->a.why, (index ? index : x->own)->of_engine, err);
    if (st == HCBR_OK) {
        x->a.lead_of =
            hcbr_i_alloc_zero((size_t)hcbr_model_kept_count(model), sizeof *x->a.lead_of);
        x->a.sums = hcbr_i_alloc(model->labels.count, 6 * sizeof *x->a.sums);
        if (!x->a.lead_of || !x->a.sums)
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
    x->a.progress = progress;
    x->a.progress_context = context;
}

/* ---- the largest contributions --------------------------------------------------------------- */

const hcbr_explained_case *hcbr_i_explainer_show(hcbr_explainer *x, const uint32_t *cases,
                                                 size_t count, const double *lead) {
    uint32_t labels = x->model->labels.count;
    hcbr_explained_case *out = hcbr_i_account_take(&x->a, count, sizeof *out);
    double *influence = hcbr_i_account_take(&x->a, count, labels * sizeof *influence);
    if (!out || !influence)
        return NULL;
    for (size_t n = 0; n < count; n++) {
        x->engine->influence(&x->a, cases[n], influence + n * labels);
        out[n] = hcbr_i_frame_case(&x->a.frame, cases[n]);
        out[n].influence = influence + n * labels;
        out[n].lead = lead ? lead[cases[n]] : 0;
    }
    return out;
}

/* Influences that cancel leave a rounding error, which is neither for nor against. */
static double least_lead(const hcbr_explainer *x) {
    const double *absolute = x->a.sums + 3 * (size_t)x->model->labels.count;
    double sum = absolute[x->a.label];
    if (x->a.against != HCBR_I_NONE)
        sum += absolute[x->a.against];
    return 0x1p-50 * sum;
}

/* The case itself is not a precedent of its own. */
static void leave_out(hcbr_i_picker *p, uint32_t itself) {
    size_t kept = 0;
    for (size_t n = 0; n < p->count; n++)
        if (p->items[n] != itself)
            p->items[kept++] = p->items[n];
    p->count = kept;
}

static hcbr_status pick_cases(hcbr_explainer *x, double sign, const hcbr_explained_case **out,
                              size_t *count, uint64_t *all, hcbr_error *err) {
    uint64_t kept = hcbr_model_kept_count(x->model);
    const size_t asked = x->a.options.cases, most = asked < kept ? asked + 1 : (size_t)kept;
    if (!hcbr_i_grow(&x->picked, &x->picked_capacity, most, sizeof *x->picked))
        return hcbr_i_no_memory(err);
    hcbr_i_picker p = {.items = x->picked, .most = most, .value = x->a.lead_of, .sign = sign};
    *all = x->engine->offer(&x->a, &p, least_lead(x));
    hcbr_i_picker_sort(&p);
    if (x->itself != UINT64_MAX && sign * x->own_lead > least_lead(x)) {
        (*all)--;
        leave_out(&p, (uint32_t)x->itself);
    }
    p.count = p.count < asked ? p.count : asked;
    *count = p.count;
    *out = hcbr_i_explainer_show(x, p.items, p.count, p.value);
    return *out ? HCBR_OK : hcbr_i_no_memory(err);
}

/* ---- explanations ---------------------------------------------------------------------------- */

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
    if ((hcbr_label)label == d->winner)
        return d->lead;
    if (x->model->labels.count == 2) // exact: a difference might have lost it
        return -d->lead;
    return d->support[label] - d->support[d->winner];
}

void hcbr_i_explainer_wipe(hcbr_explainer *x) {
    x->engine->end(&x->a);
}

hcbr_label hcbr_i_explainer_against(const hcbr_explainer *x) {
    return x->a.against == HCBR_I_NONE ? HCBR_LABEL_UNKNOWN : (hcbr_label)x->a.against;
}

hcbr_status hcbr_i_explainer_begin(hcbr_explainer *x, const hcbr_row *row, hcbr_decision *decision,
                                   hcbr_error *err) {
    hcbr_i_account *a = &x->a;
    hcbr_i_account_forget(a);
    x->begun = 0;
    x->row = row;
    x->decider->how.listed = row->listed; // of cases made of it
    a->label = a->against = HCBR_I_NONE;
    a->lead = 0;
    a->at = &row->x;
    hcbr_status st = hcbr_i_row_check(row, x->model, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_run_row(x->decider, row, decision, err);
    if (st == HCBR_OK && hcbr_i_explainer_label(decision) != HCBR_LABEL_UNKNOWN) {
        a->label = (uint32_t)hcbr_i_explainer_label(decision);
        a->against = hcbr_i_explainer_other(x, decision, a->label);
        a->lead = hcbr_i_explainer_lead_of(x, decision, a->label);
        st = x->engine->begin(a, err);
    }
    x->begun = st == HCBR_OK ? row->serial : 0;
    return st;
}

/* The case itself, if it was a part of the training: shown by itself, and in no list. */
static hcbr_status show_itself(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    if (x->itself == UINT64_MAX)
        return HCBR_OK;
    const uint32_t i = (uint32_t)x->itself;
    const double *influence;
    e->itself = hcbr_i_explainer_show(x, &i, 1, NULL);
    if (!e->itself)
        return hcbr_i_no_memory(err);
    influence = e->itself->influence;
    x->own_lead = influence[x->a.label];
    if (x->a.against != HCBR_I_NONE)
        x->own_lead -= influence[x->a.against];
    ((hcbr_explained_case *)e->itself)->lead = x->own_lead;
    return HCBR_OK;
}

static hcbr_status explain_known(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    uint32_t labels = x->model->labels.count;
    bool cases = e->no_cases == NULL;
    e->label = (hcbr_label)x->a.label;
    e->against = hcbr_i_explainer_against(x);
    e->lead = x->a.lead;
    hcbr_status st = x->engine->terms(&x->a, err);
    if (st == HCBR_OK && x->a.options.columns > 0)
        st = hcbr_i_explainer_by_column(x, e, err);
    if (st == HCBR_OK && cases)
        st = x->engine->add(&x->a, err);
    if (st == HCBR_OK && cases)
        st = show_itself(x, e, err);
    if (st == HCBR_OK && cases)
        st = pick_cases(x, 1, &e->cases_for, &e->for_count, &e->all_for, err);
    if (st == HCBR_OK && cases)
        st = pick_cases(x, -1, &e->cases_against, &e->against_count, &e->all_against, err);
    if (st == HCBR_OK && cases)
        st = hcbr_i_explainer_pick_others(x, least_lead(x), e, err);
    if (st == HCBR_OK)
        st = x->engine->show(&x->a, e, err);
    for (uint32_t l = 0; l < labels; l++)
        x->a.sums[labels + l] += x->a.sums[2 * labels + l];
    hcbr_i_explainer_wipe(x);
    return st;
}

hcbr_status hcbr_explainer_explain(hcbr_explainer *x, const hcbr_row *row,
                                   const hcbr_explain_options *options,
                                   hcbr_explanation *explanation, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, row, explanation", x, row, explanation) ||
        HCBR_I_UNSIZED(err, options, explanation))
        return HCBR_EUSAGE;
    uint32_t labels = x->model->labels.count;
    hcbr_explain_options *o = &x->a.options;
    hcbr_explanation e = {.size = explanation->size, .decision = &x->decision};
    x->decision = (hcbr_decision){.size = sizeof x->decision};
    hcbr_explain_options_init(o);
    if (options)
        *o = *options;
    memset(x->a.sums, 0, 6 * (size_t)labels * sizeof *x->a.sums);
    hcbr_status st = hcbr_i_explainer_begin(x, row, &x->decision, err);
    if (st != HCBR_OK)
        return st;
    e.label = e.against = HCBR_LABEL_UNKNOWN;
    e.bias = x->a.sums;
    e.influence_sum = x->a.sums + labels;
    e.influence_absolute = x->a.sums + 3 * (size_t)labels;
    e.rest = o->columns > 0 ? x->a.sums + 5 * (size_t)labels : NULL;
    if (x->model->keep == HCBR_KEEP_NONE)
        e.no_cases = "the model was trained with option keep_cases none";
    else if (o->cases == 0 && o->atom_cases == 0)
        e.no_cases = "none were asked for";
    if (e.no_cases)
        e.influence_sum = e.influence_absolute = NULL;
    st = hcbr_i_row_find_itself(row, &x->itself, err);
    if (st == HCBR_OK && x->a.label != HCBR_I_NONE)
        st = explain_known(x, &e, err);
    if (st == HCBR_OK)
        hcbr_i_hand_out(explanation, &e, sizeof e);
    return st;
}
