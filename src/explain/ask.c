/*
 * Open questions: for each key of which the case has no value, what the values that training has
 * seen would do to the decision, as the engine tells. The lead then is that of the label decided
 * now over the best other one; where it is shown, it is that of a decision.
 */
#include "explainer.h"

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
    question *questions; /* by key, later sorted */
    uint32_t key_count;
    hcbr_i_case_item *longer; /* the case with one feature more */
    uint64_t steps, told;
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

/* What a value would do. */
static void weigh_value(question *q, hcbr_i_feature_id f, double lead) {
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

/* Values that are no features: those that the engine would try stand for all. */
static hcbr_status weigh_numbers(asking *a, const bool *has, hcbr_error *err) {
    hcbr_i_account *x = &a->x->a;
    const hcbr_i_engine *engine = a->x->engine;
    const hcbr_i_case_item **own = hcbr_i_account_take(x, a->key_count, sizeof *own);
    hcbr_status st = own ? engine->numbers(x, own, NULL, err) : hcbr_i_no_memory(err);
    for (uint32_t n = 0; st == HCBR_OK && n < x->number_count; n++) {
        question *q = &a->questions[x->numbers[n].key];
        double lead;
        if (has[q->key])
            continue;
        st = engine->ask(x, x->frame.feature_count + n, &lead, &a->steps, err);
        if (st == HCBR_OK)
            weigh_value(q, x->frame.feature_count + n, lead);
        if (st == HCBR_OK && n % 1024 == 0)
            st = hcbr_i_account_tell(x, "ask", n, x->number_count, err);
    }
    for (uint32_t k = 0; st == HCBR_OK && k < a->key_count; k++)
        if (a->questions[k].values && engine->number_count(a->x->model->state, k))
            a->questions[k].values = engine->number_count(a->x->model->state, k);
    return st;
}

static hcbr_status weigh_values(asking *a, const bool *has, hcbr_error *err) {
    const hcbr_i_frame *m = &a->x->a.frame;
    for (uint32_t k = 0; k < a->key_count; k++)
        a->questions[k] = (question){.key = k};
    for (uint32_t f = 0; f < m->feature_count; f++) {
        if (f % ASKED == 0 || a->steps - a->told >= 16 * (uint64_t)ASKED) {
            hcbr_status st = hcbr_i_account_tell(&a->x->a, "ask", f, m->feature_count, err);
            a->told = a->steps;
            if (st != HCBR_OK)
                return st;
        }
        question *q = &a->questions[hcbr_i_dict_get(m->dict, f).key];
        if (has[q->key])
            continue;
        double lead;
        hcbr_status st = a->x->engine->ask(&a->x->a, f, &lead, &a->steps, err);
        if (st != HCBR_OK)
            return st;
        weigh_value(q, f, lead);
    }
    return a->x->engine->numbers ? weigh_numbers(a, has, err) : HCBR_OK;
}

static int compare_questions(const void *a, const void *b) {
    const question *p = a, *q = b;
    int order = hcbr_i_order_double(p->low, q->low);
    return order ? order : hcbr_i_order_u32(p->key, q->key);
}

/* Decide the case with one feature more. */
static hcbr_status decide_with(const asking *a, hcbr_i_feature_id more, hcbr_possible_value *out,
                               hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_i_case longer = {a->longer, a->x->at.count + 1, a->x->at.known + 1};
    hcbr_i_case_item item = hcbr_i_account_item(&a->x->a, more);
    hcbr_feature feature = item.feature;
    a->longer[a->x->at.count] = item;
    hcbr_status st = hcbr_i_decider_run_case(a->x->decider, &longer, &d, err);
    if (st != HCBR_OK)
        return st;
    double lead = (hcbr_label)a->label == d.winner ? d.lead : lead_by(a, d.support);
    *out = (hcbr_possible_value){.feature = feature, .lead = lead, .label = d.label};
    return HCBR_OK;
}

/* Both ends of a question, as decisions have them. */
static hcbr_status show_one(const asking *a, const question *q, hcbr_possible_value ends[2],
                            hcbr_question *out, hcbr_error *err) {
    hcbr_status st = decide_with(a, q->lowest, &ends[0], err);
    if (st == HCBR_OK)
        st = decide_with(a, q->highest, &ends[1], err);
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

static hcbr_status show(asking *a, size_t most, hcbr_questions *out, hcbr_error *err) {
    size_t open = 0;
    for (uint32_t k = 0; k < a->key_count; k++)
        if (a->questions[k].values)
            a->questions[open++] = a->questions[k];
    if (open)
        qsort(a->questions, open, sizeof *a->questions, compare_questions);
    out->all = open;
    out->count = open < most ? open : most;
    const size_t count = a->x->at.count;
    hcbr_question *list = hcbr_i_account_take(&a->x->a, out->count, sizeof *list);
    hcbr_possible_value *ends = hcbr_i_account_take(&a->x->a, out->count, 2 * sizeof *ends);
    a->longer = hcbr_i_account_take(&a->x->a, count + 1, sizeof *a->longer);
    if (!list || !ends || !a->longer)
        return hcbr_i_no_memory(err);
    if (count)
        memcpy(a->longer, a->x->at.items, count * sizeof *a->longer);
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; i < out->count && st == HCBR_OK; i++) {
        st = hcbr_i_account_tell(&a->x->a, "ask", i, out->count, err);
        if (st == HCBR_OK)
            st = show_one(a, &a->questions[i], &ends[2 * i], &list[i], err);
    }
    if (st == HCBR_OK && out->count)
        qsort(list, out->count, sizeof *list, compare_shown);
    out->questions = list;
    return st;
}

static hcbr_status ask(asking *a, const hcbr_decision *d, hcbr_error *err) {
    hcbr_explainer *x = a->x;
    bool *has = hcbr_i_account_take(&x->a, a->key_count, sizeof *has);
    a->questions = hcbr_i_account_take(&x->a, a->key_count, sizeof *a->questions);
    if (!has || !a->questions)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < x->at.count; i++)
        if (x->at.items[i].key != HCBR_I_NONE)
            has[x->at.items[i].key] = true;
    hcbr_status st = x->engine->ask_begin(&x->a, d->support, a->label, err);
    if (st == HCBR_OK)
        st = weigh_values(a, has, err);
    x->engine->ask_end(&x->a);
    return st;
}

hcbr_status hcbr_explainer_ask(hcbr_explainer *x, const hcbr_feature *features, size_t count,
                               size_t most, hcbr_questions *questions, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_questions out = {.size = questions->size, .question_stride = sizeof *out.questions};
    hcbr_status st = hcbr_i_explainer_begin(x, features, count, &d, err);
    asking a = {.x = x, .key_count = hcbr_i_dict_key_count(x->model->dict)};
    if (st == HCBR_OK) {
        a.label = x->a.label != HCBR_I_NONE       ? x->a.label
                  : d.label != HCBR_LABEL_UNKNOWN ? (uint32_t)d.label
                                                  : (uint32_t)x->model->prior;
        out.of = (hcbr_label)a.label;
        out.label = d.label;
        out.lead = x->a.lead;
        st = ask(&a, &d, err);
    }
    if (st == HCBR_OK)
        st = show(&a, most, &out, err);
    hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(questions, &out, sizeof out);
    return st;
}
