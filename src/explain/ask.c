/*
 * Open questions: for each key without a value in the case, the effect of the values seen in
 * training on the decision, as the engine computes it. The lead then is that of the current label
 * over the best other one; for values shown, it is that of a decision.
 *
 * A value is expected as often as past cases have it. Past cases without any value of the key count
 * too: they change nothing.
 */
#include "explainer.h"

#include <math.h>
#include <stdlib.h>

/** The effect of a key's values. */
typedef struct question {
    hcbr_i_key_id key;
    uint32_t values; /* 0: the case has the key */
    hcbr_i_feature_id lowest, highest;
    double low, high;
    double moves;   /* by how much all past cases with a value would move the lead, added up */
    double turned;  /* past cases with a value that gives another answer */
    uint32_t shown; /* its index + 1 among those shown */
} question;

typedef struct asking {
    hcbr_explainer *x;
    uint32_t label;      /* the label of the lead */
    question *questions; /* by key, later sorted */
    uint32_t key_count;
    hcbr_i_case_item *longer; /* the case with one feature more */
    uint64_t steps, told;
    hcbr_label answer; /* now */
    double lead;       /* now, of that label */
    bool pure;         /* the largest support decides, and has */
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

/* Decide the case with one feature more. */
static hcbr_status decide_with(const asking *a, hcbr_i_feature_id more, hcbr_decision *d,
                               hcbr_error *err) {
    hcbr_i_case longer = {a->longer, a->x->row->x.count + 1, a->x->row->x.known + 1};
    a->longer[a->x->row->x.count] = hcbr_i_account_item(&a->x->a, more);
    return hcbr_i_decider_run_case(a->x->decider, &longer, d, err);
}

/* Past cases that have a value. */
static double cases_of(const asking *a, hcbr_i_feature_id f) {
    const hcbr_i_frame *m = &a->x->a.frame;
    uint64_t sum = 0;
    if (f >= m->feature_count)
        return (double)a->x->engine->number_cases(&a->x->a, f - m->feature_count);
    for (uint32_t l = 0; l < m->label_count; l++)
        sum += m->past.count(m->past.state, f, l);
    return (double)sum;
}

/* The effect of a value. */
static hcbr_status weigh_value(const asking *a, question *q, hcbr_i_feature_id f, double lead,
                               hcbr_error *err) {
    double cases = cases_of(a, f);
    if (q->values == 0 || lead < q->low) {
        q->low = lead;
        q->lowest = f;
    }
    if (q->values == 0 || lead > q->high) {
        q->high = lead;
        q->highest = f;
    }
    q->values++;
    q->moves += cases * fabs(lead - a->lead);
    bool other = lead < 0;
    if (a->pure && fabs(lead) <= 1e-9 * (1 + fabs(a->lead))) { // rounding would decide
        hcbr_decision d = {.size = sizeof d};
        hcbr_status st = decide_with(a, f, &d, err);
        if (st != HCBR_OK)
            return st;
        other = d.label != a->answer;
    }
    q->turned += a->pure && other ? cases : 0;
    return HCBR_OK;
}

/* Values that are not features: those that the engine would try represent all. */
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
            st = weigh_value(a, q, x->frame.feature_count + n, lead, err);
        if (st == HCBR_OK && n % 1024 == 0)
            st = hcbr_i_account_tell(x, "ask", n, x->number_count, err);
    }
    for (uint32_t k = 0; st == HCBR_OK && k < a->key_count; k++)
        if (a->questions[k].values && engine->number_count(a->x->model->state, k))
            a->questions[k].values = engine->number_count(a->x->model->state, k);
    return st;
}

static hcbr_status tell(asking *a, uint32_t f, hcbr_error *err) {
    const hcbr_i_frame *m = &a->x->a.frame;
    if (f % ASKED != 0 && a->steps - a->told < 16 * (uint64_t)ASKED)
        return HCBR_OK;
    a->told = a->steps;
    return hcbr_i_account_tell(&a->x->a, "ask", f, m->feature_count, err);
}

static hcbr_status weigh_values(asking *a, const bool *has, hcbr_error *err) {
    const hcbr_i_frame *m = &a->x->a.frame;
    for (uint32_t k = 0; k < a->key_count; k++)
        a->questions[k] = (question){.key = k};
    for (uint32_t f = 0; f < m->feature_count; f++) {
        hcbr_status st = tell(a, f, err);
        if (st != HCBR_OK)
            return st;
        question *q = &a->questions[hcbr_i_dict_get(m->dict, f).key];
        if (has[q->key])
            continue;
        double lead;
        st = a->x->engine->ask(&a->x->a, f, &lead, &a->steps, err);
        if (st == HCBR_OK)
            st = weigh_value(a, q, f, lead, err);
        if (st != HCBR_OK)
            return st;
    }
    return a->x->engine->numbers ? weigh_numbers(a, has, err) : HCBR_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static int compare_questions(const void *a, const void *b) {
    const question *p = a, *q = b;
    int order = hcbr_i_order_double(q->moves, p->moves);
    return order ? order : hcbr_i_order_u32(p->key, q->key);
}

/* One end of a question, as a decision has it. */
static hcbr_status show_end(const asking *a, hcbr_i_feature_id f, hcbr_possible_value *out,
                            hcbr_error *err) {
    hcbr_i_account *x = &a->x->a;
    hcbr_decision d = {.size = sizeof d};
    size_t labels = x->frame.label_count;
    hcbr_status st = decide_with(a, f, &d, err);
    double *probability = NULL;
    if (st != HCBR_OK)
        return st;
    if (d.probability && !(probability = hcbr_i_account_take(x, labels, sizeof *probability)))
        return hcbr_i_no_memory(err);
    if (probability)
        memcpy(probability, d.probability, labels * sizeof *probability);
    double lead = (hcbr_label)a->label == d.winner ? d.lead : lead_by(a, d.support);
    *out = (hcbr_possible_value){.feature = hcbr_i_account_item(x, f).feature,
                                 .lead = lead,
                                 .label = d.label,
                                 .share = cases_of(a, f) / (double)x->frame.case_count,
                                 .probability = probability};
    return HCBR_OK;
}

/* Both ends of a question. */
static hcbr_status show_one(const asking *a, const question *q, hcbr_possible_value ends[2],
                            hcbr_question *out, hcbr_error *err) {
    double cases = (double)a->x->a.frame.case_count;
    hcbr_status st = show_end(a, q->lowest, &ends[0], err);
    if (st == HCBR_OK)
        st = show_end(a, q->highest, &ends[1], err);
    bool turned = st == HCBR_OK && ends[0].lead > ends[1].lead; // equal except for rounding
    *out = (hcbr_question){.values = q->values,
                           .lowest = &ends[turned],
                           .highest = &ends[!turned],
                           .expected = q->moves / cases,
                           .chance = q->turned / cases};
    return st;
}

/* If a rule is applied to the supports, every value shown is decided. */
static hcbr_status count_turned(asking *a, hcbr_question *list, hcbr_error *err) {
    const hcbr_i_frame *m = &a->x->a.frame;
    uint32_t *place = hcbr_i_account_take(&a->x->a, a->key_count, sizeof *place);
    hcbr_status st = place ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t k = 0; place && k < a->key_count && a->questions[k].shown; k++)
        place[a->questions[k].key] = a->questions[k].shown;
    for (uint32_t f = 0; st == HCBR_OK && f < m->feature_count + a->x->a.number_count; f++) {
        uint32_t at = place[hcbr_i_account_item(&a->x->a, f).key];
        hcbr_decision d = {.size = sizeof d};
        if (!at)
            continue;
        st = decide_with(a, f, &d, err);
        if (st == HCBR_OK && d.label != a->answer)
            list[at - 1].chance += cases_of(a, f) / (double)m->case_count;
        if (st == HCBR_OK && f % 64 == 0)
            st = hcbr_i_account_tell(&a->x->a, "ask", f, m->feature_count, err);
    }
    return st;
}

static hcbr_status show(asking *a, size_t most, hcbr_questions *out, hcbr_error *err) {
    size_t open = 0;
    for (uint32_t k = 0; k < a->key_count; k++)
        if (a->questions[k].values)
            a->questions[open++] = a->questions[k];
    if (open)
        qsort(a->questions, open, sizeof *a->questions, compare_questions);
    out->all = open;
    while (open > 0 && a->questions[open - 1].moves <= 0x1p-40 * fabs(a->lead))
        open--; // whatever the answer, nothing moves but a rounding
    out->count = open < most ? open : most;
    hcbr_question *list = hcbr_i_account_take(&a->x->a, out->count, sizeof *list);
    hcbr_possible_value *ends = hcbr_i_account_take(&a->x->a, out->count, 2 * sizeof *ends);
    hcbr_status st = list && ends ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t i = 0; i < out->count && st == HCBR_OK; i++) {
        a->questions[i].shown = (uint32_t)i + 1;
        st = hcbr_i_account_tell(&a->x->a, "ask", i, out->count, err);
        if (st == HCBR_OK)
            st = show_one(a, &a->questions[i], &ends[2 * i], &list[i], err);
    }
    if (st == HCBR_OK && !a->pure)
        st = count_turned(a, list, err);
    out->questions = list;
    return st;
}

static hcbr_status ask(asking *a, const hcbr_decision *d, hcbr_error *err) {
    hcbr_explainer *x = a->x;
    bool *has = hcbr_i_account_take(&x->a, a->key_count, sizeof *has);
    a->questions = hcbr_i_account_take(&x->a, a->key_count, sizeof *a->questions);
    a->longer = hcbr_i_account_take(&x->a, x->row->x.count + 1, sizeof *a->longer);
    if (!has || !a->questions || !a->longer)
        return hcbr_i_no_memory(err);
    if (x->row->x.count)
        memcpy(a->longer, x->row->x.items, x->row->x.count * sizeof *a->longer);
    for (size_t i = 0; i < x->row->x.count; i++)
        if (x->row->x.items[i].key != HCBR_I_NONE)
            has[x->row->x.items[i].key] = true;
    hcbr_status st = x->engine->ask_begin(&x->a, d->support, a->label, err);
    if (st == HCBR_OK)
        st = weigh_values(a, has, err);
    x->engine->ask_end(&x->a);
    return st;
}

hcbr_status hcbr_explainer_ask(hcbr_explainer *x, const hcbr_row *row, size_t most,
                               hcbr_questions *questions, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, row, questions", x, row, questions) ||
        HCBR_I_UNSIZED(err, questions))
        return HCBR_EUSAGE;
    hcbr_decision d = {.size = sizeof d};
    hcbr_questions out = {.size = questions->size};
    hcbr_status st = hcbr_i_explainer_begin(x, row, &d, err);
    asking a = {.x = x, .key_count = hcbr_i_dict_key_count(x->model->dict)};
    if (st == HCBR_OK) {
        a.label = x->a.label != HCBR_I_NONE       ? x->a.label
                  : d.label != HCBR_LABEL_UNKNOWN ? (uint32_t)d.label
                                                  : (uint32_t)x->model->prior;
        out.of = (hcbr_label)a.label;
        out.label = d.label;
        out.lead = a.lead = x->a.lead;
        a.answer = d.label;
        a.pure = d.label == (hcbr_label)a.label && d.label == d.winner &&
                 hcbr_i_explainer_is_pure(x) && !x->decider->rule.memory;
        st = ask(&a, &d, err);
    }
    if (st == HCBR_OK)
        st = show(&a, most, &out, err);
    hcbr_i_explainer_wipe(x);
    if (st == HCBR_OK)
        hcbr_i_hand_out(questions, &out, sizeof out);
    return st;
}
