/*
 * Open questions: for each key of which the case has no value, what the values that training has
 * seen would do to the decision. In a plain model a value more adds its strengths and makes the
 * case longer by one; a rich one is asked for its support. The lead then is that of the label
 * decided now over the best other one.
 */
#include "reasons.h"

#include <math.h>
#include <stdlib.h>

/** What the values of a key would do. */
typedef struct question {
    hcbr_i_key_id key;
    uint32_t values; /* 0: the case has the key */
    hcbr_i_feature_id lowest, highest;
    double low, high;
} question;

typedef struct asking {
    hcbr_explainer *x;
    uint32_t label;      /* the one whose lead is looked at */
    double *sum;         /* by label: supports times |x| */
    double features;     /* |x| and one more */
    question *questions; /* by key, later sorted */
    uint32_t key_count;
    hcbr_i_rich_scorer *scorer; /* of a rich model */
    double *probability;
    bool failed;
} asking;

/* The same of a rich model. */
static double rich_lead_with(asking *a, hcbr_i_feature_id feature) {
    const hcbr_explainer *x = a->x;
    const hcbr_model *m = x->model;
    const hcbr_i_rich_encoder *e = &m->rich->encoder;
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(a->scorer);
    double *s = a->sum, best = -INFINITY;
    bool ok = true, any;
    hcbr_i_rich_row_begin(e, row);
    for (size_t i = 0; ok && i < x->found_count; i++)
        ok = hcbr_i_rich_row_add(e, m->dict, x->found[i].feature, row);
    for (size_t i = 0; ok && i < x->rich->known_count; i++) {
        const hcbr_feature *f = &x->rich->known[i].feature;
        if (x->rich->known[i].atom == HCBR_I_NONE)
            ok = hcbr_i_rich_row_add_number(e, hcbr_i_dict_find_key(m->dict, f->key, f->key_length),
                                            f->value, f->value_length, row, &any);
    }
    if (!ok || !hcbr_i_rich_row_add(e, m->dict, feature, row)) {
        a->failed = true;
        return 0;
    }
    hcbr_i_rich_row_end(row);
    hcbr_i_rich_score(a->scorer, s, a->probability, NULL);
    if (m->labels.count == 2)
        return a->label ? 2 * s[0] : -2 * s[0];
    for (uint32_t l = 0; l < m->labels.count; l++)
        best = l != a->label && s[l] > best ? s[l] : best;
    return s[a->label] - (isinf(best) ? 0 : best);
}

/* The lead of a->label if the case had this feature too. */
static double lead_with(const asking *a, hcbr_i_feature_id feature) {
    const hcbr_model *m = a->x->model;
    hcbr_i_atom_id atom = m->atoms.of[feature];
    double own = a->sum[a->label] + hcbr_i_strength_get(&m->strength, atom, a->label), best = 0;
    bool any = false;
    for (uint32_t l = 0; l < m->labels.count; l++) {
        if (l == a->label || !(m->strength.total[l] > 0))
            continue;
        double other = a->sum[l] + hcbr_i_strength_get(&m->strength, atom, l);
        best = any && best >= other ? best : other;
        any = true;
    }
    return (own - best) / a->features;
}

static hcbr_status weigh_values(asking *a, const bool *has, hcbr_error *err) {
    const hcbr_model *m = a->x->model;
    for (uint32_t k = 0; k < a->key_count; k++)
        a->questions[k] = (question){.key = k};
    for (uint32_t f = 0; f < m->atoms.feature_count; f++) {
        question *q = &a->questions[hcbr_i_dict_get(m->dict, f).key];
        if (has[q->key])
            continue;
        double lead = a->scorer ? rich_lead_with(a, f) : lead_with(a, f);
        if (q->values == 0 || lead < q->low) {
            q->low = lead;
            q->lowest = f;
        }
        if (q->values == 0 || lead > q->high) {
            q->high = lead;
            q->highest = f;
        }
        q->values++;
    }
    return a->failed ? hcbr_i_no_memory(err) : HCBR_OK;
}

static int compare_questions(const void *a, const void *b) {
    const question *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->key > q->key) - (p->key < q->key);
}

/* Decide the case with one feature more. */
static hcbr_status decide_with(const asking *a, hcbr_feature *features, size_t count,
                               hcbr_i_feature_id more, double lead, hcbr_outcome *out,
                               hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_model_get_feature(a->x->model, more, &features[count]);
    hcbr_status st = hcbr_decider_decide(a->x->decider, features, count + 1, &d, err);
    *out = (hcbr_outcome){.feature = features[count], .lead = lead, .label = d.label};
    return st;
}

static hcbr_status show(asking *a, const hcbr_feature *features, size_t count, size_t most,
                        hcbr_questions *out, hcbr_error *err) {
    size_t open = 0;
    for (uint32_t k = 0; k < a->key_count; k++)
        if (a->questions[k].values)
            a->questions[open++] = a->questions[k];
    if (open)
        qsort(a->questions, open, sizeof *a->questions, compare_questions);
    out->all = open;
    out->count = open < most ? open : most;
    hcbr_question *list = hcbr_i_explainer_take(a->x, out->count, sizeof *list);
    hcbr_feature *longer = hcbr_i_explainer_take(a->x, count + 1, sizeof *longer);
    if (!list || !longer)
        return hcbr_i_no_memory(err);
    if (count)
        memcpy(longer, features, count * sizeof *longer);
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; i < out->count && st == HCBR_OK; i++) {
        const question *q = &a->questions[i];
        list[i].values = q->values;
        st = decide_with(a, longer, count, q->lowest, q->low, &list[i].lowest, err);
        if (st == HCBR_OK)
            st = decide_with(a, longer, count, q->highest, q->high, &list[i].highest, err);
    }
    out->questions = list;
    return st;
}

static hcbr_status ask(asking *a, const hcbr_decision *d, const hcbr_feature *features,
                       size_t count, hcbr_error *err) {
    const hcbr_model *m = a->x->model;
    bool *has = hcbr_i_explainer_take(a->x, a->key_count, sizeof *has);
    a->sum = hcbr_i_explainer_take(a->x, m->labels.count, sizeof *a->sum);
    a->questions = hcbr_i_explainer_take(a->x, a->key_count, sizeof *a->questions);
    if (!has || !a->sum || !a->questions)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < m->labels.count; l++)
        a->sum[l] = d->support[l] * (double)d->feature_count;
    for (size_t i = 0; i < count; i++) {
        hcbr_i_key_id key = hcbr_i_dict_find_key(m->dict, features[i].key, features[i].key_length);
        if (key != HCBR_I_NONE)
            has[key] = true;
    }
    hcbr_status st = HCBR_OK;
    if (a->x->rich) {
        st = hcbr_i_rich_scorer_create(&a->scorer, m->rich, err);
        a->probability = hcbr_i_explainer_take(a->x, m->labels.count, sizeof *a->probability);
        if (st == HCBR_OK && !a->probability)
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK)
        st = weigh_values(a, has, err);
    hcbr_i_rich_scorer_free(a->scorer);
    return st;
}

hcbr_status hcbr_explainer_ask(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                               size_t most, hcbr_questions *questions, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_questions out = {.size = questions->size};
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &d, err);
    asking a = {.x = x, .key_count = hcbr_i_dict_key_count(x->model->dict)};
    if (st == HCBR_OK) {
        a.label = x->label == HCBR_I_NONE ? (uint32_t)x->model->prior : x->label;
        a.features = (double)d.feature_count + 1;
        out.label = d.label;
        out.lead = d.lead;
        st = ask(&a, &d, features, count, err);
    }
    if (st == HCBR_OK)
        st = show(&a, features, count, most, &out, err);
    hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(questions, &out, sizeof out);
    return st;
}
