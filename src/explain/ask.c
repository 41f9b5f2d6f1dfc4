/*
 * Open questions: for each key of which the case has no value, what the values that training has
 * seen would do to the decision. In a plain model a value more adds its strengths and makes the
 * case longer by one. Of a rich one the trees that ask for the key are followed again
 * (rich_probe.h), once for all values that are alike to them. The lead then is that of the label
 * decided now over the best other one; where it is shown, it is that of a decision.
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
    double *sum;         /* by label: supports times |x|; of a rich model, of the case at hand */
    double features;     /* |x| and one more */
    question *questions; /* by key, later sorted */
    uint32_t key_count;
    hcbr_i_rich_probe *probe; /* of a rich model */
    hcbr_i_rich_edit *edits;
    double **leads; /* by key: leads by code, NAN where it was not needed yet; NULL: none were */
    uint64_t visits, told;
} asking;

enum { ASKED = 1 << 16 }; // features between two reports

/* The lead of a->label by supports. */
static double lead_by(const asking *a, const double *support) {
    double best = -INFINITY;
    for (uint32_t l = 0; l < a->x->model->labels.count; l++)
        if (l != a->label && hcbr_i_explainer_can_win(a->x, l) && support[l] > best)
            best = support[l];
    return support[a->label] - (isinf(best) ? 0 : best);
}

/* Leads of a key's values by code, where several values may have one. *out NULL: not so. */
static bool find_leads(asking *a, hcbr_i_key_id key, double **out) {
    hcbr_i_rich_kind kind = a->x->model->rich->encoder.keys[key].kind;
    *out = a->leads[key];
    if (*out || kind == HCBR_I_RICH_BAG || kind == HCBR_I_RICH_UNUSED)
        return true;
    *out = a->leads[key] = hcbr_i_explainer_take(a->x, HCBR_I_RICH_CODES, sizeof **out);
    for (uint32_t code = 0; *out && code < HCBR_I_RICH_CODES; code++)
        (*out)[code] = NAN;
    return *out != NULL;
}

/* The lead of a->label if the case had this feature too, of a rich model. False: no memory. */
static bool rich_lead_with(asking *a, hcbr_i_feature_id feature, double *lead) {
    const hcbr_model *m = a->x->model;
    const hcbr_i_rich_encoder *e = &m->rich->encoder;
    hcbr_i_key_id key = hcbr_i_dict_get(m->dict, feature).key;
    uint32_t code = e->code[feature];
    double *known;
    if (!find_leads(a, key, &known))
        return false;
    if (known && code < HCBR_I_RICH_CODES && !isnan(known[code])) {
        *lead = known[code];
        return true;
    }
    size_t count = hcbr_i_reasons_edit_in(e, key, code, a->edits);
    if (!hcbr_i_rich_probe_score(a->probe, a->edits, count, a->sum, &a->visits))
        return false;
    if (m->labels.count == 2) {
        a->sum[1] = a->sum[0];
        a->sum[0] = -a->sum[1];
    }
    *lead = lead_by(a, a->sum);
    if (known && code < HCBR_I_RICH_CODES)
        known[code] = *lead;
    return true;
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
        if (f % ASKED == 0 || a->visits - a->told >= 16 * (uint64_t)ASKED) {
            hcbr_status st = hcbr_i_explainer_tell(a->x, "ask", f, m->atoms.feature_count, err);
            a->told = a->visits;
            if (st != HCBR_OK)
                return st;
        }
        question *q = &a->questions[hcbr_i_dict_get(m->dict, f).key];
        if (has[q->key])
            continue;
        double lead = a->probe ? 0 : lead_with(a, f);
        if (a->probe && !rich_lead_with(a, f, &lead))
            return hcbr_i_no_memory(err);
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
    return HCBR_OK;
}

static int compare_questions(const void *a, const void *b) {
    const question *p = a, *q = b;
    int order = hcbr_i_order_double(p->low, q->low);
    return order ? order : hcbr_i_order_u32(p->key, q->key);
}

/* Decide the case with one feature more. */
static hcbr_status decide_with(const asking *a, hcbr_feature *features, size_t count,
                               hcbr_i_feature_id more, hcbr_possible_value *out, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_model_get_feature(a->x->model, more, &features[count]);
    hcbr_status st = hcbr_decider_decide(a->x->decider, features, count + 1, &d, err);
    if (st != HCBR_OK)
        return st;
    double lead = !a->x->rich && (hcbr_label)a->label == d.winner ? d.lead : lead_by(a, d.support);
    *out = (hcbr_possible_value){.feature = features[count], .lead = lead, .label = d.label};
    return HCBR_OK;
}

/* Both ends of a question, as decisions have them. */
static hcbr_status show_one(const asking *a, const question *q, hcbr_feature *features,
                            size_t count, hcbr_possible_value ends[2], hcbr_question *out,
                            hcbr_error *err) {
    hcbr_status st = decide_with(a, features, count, q->lowest, &ends[0], err);
    if (st == HCBR_OK)
        st = decide_with(a, features, count, q->highest, &ends[1], err);
    bool turned = st == HCBR_OK && ends[0].lead > ends[1].lead; // equal but for rounding
    *out = (hcbr_question){.values = q->values, .lowest = &ends[turned], .highest = &ends[!turned]};
    return st;
}

static int compare_shown(const void *a, const void *b) {
    const hcbr_question *p = a, *q = b;
    const hcbr_feature *f = &p->lowest->feature, *g = &q->lowest->feature;
    int order = hcbr_i_order_double(p->lowest->lead, q->lowest->lead);
    return order ? order : hcbr_i_text_compare(f->key, f->key_length, g->key, g->key_length);
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
    hcbr_possible_value *ends = hcbr_i_explainer_take(a->x, out->count, 2 * sizeof *ends);
    hcbr_feature *longer = hcbr_i_explainer_take(a->x, count + 1, sizeof *longer);
    if (!list || !ends || !longer)
        return hcbr_i_no_memory(err);
    if (count)
        memcpy(longer, features, count * sizeof *longer);
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; i < out->count && st == HCBR_OK; i++) {
        st = hcbr_i_explainer_tell(a->x, "ask", i, out->count, err);
        if (st == HCBR_OK)
            st = show_one(a, &a->questions[i], longer, count, &ends[2 * i], &list[i], err);
    }
    if (st == HCBR_OK && out->count)
        qsort(list, out->count, sizeof *list, compare_shown);
    out->questions = list;
    return st;
}

/* The case was just decided: its row is that of the decider. */
static hcbr_status prepare_probe(asking *a, hcbr_error *err) {
    const hcbr_model *m = a->x->model;
    size_t most = 1;
    for (uint32_t k = 0; k < a->key_count; k++)
        if (m->rich->encoder.keys[k].cut_count >= most)
            most = (size_t)m->rich->encoder.keys[k].cut_count + 1;
    a->edits = hcbr_i_explainer_take(a->x, most, sizeof *a->edits);
    a->leads = hcbr_i_explainer_take(a->x, a->key_count, sizeof *a->leads);
    if (!a->edits || !a->leads)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_rich_probe_create(&a->probe, m->rich, err);
    return st == HCBR_OK
               ? hcbr_i_rich_probe_set(a->probe, hcbr_i_rich_scorer_row(a->x->decider->rich), err)
               : st;
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
    hcbr_status st = a->x->rich ? prepare_probe(a, err) : HCBR_OK;
    if (st == HCBR_OK)
        st = weigh_values(a, has, err);
    hcbr_i_rich_probe_free(a->probe);
    return st;
}

hcbr_status hcbr_explainer_ask(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                               size_t most, hcbr_questions *questions, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_questions out = {.size = questions->size, .question_stride = sizeof *out.questions};
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &d, err);
    asking a = {.x = x, .key_count = hcbr_i_dict_key_count(x->model->dict)};
    if (st == HCBR_OK) {
        a.label = x->label != HCBR_I_NONE         ? x->label
                  : d.label != HCBR_LABEL_UNKNOWN ? (uint32_t)d.label
                                                  : (uint32_t)x->model->prior;
        out.of = (hcbr_label)a.label;
        a.features = (double)d.feature_count + 1;
        out.label = d.label;
        out.lead = x->lead;
        st = ask(&a, &d, features, count, err);
    }
    if (st == HCBR_OK)
        st = show(&a, features, count, most, &out, err);
    hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(questions, &out, sizeof out);
    return st;
}
