/*
 * The decisions of held-out cases during training, by the model's rule (docs/FORMAT.md, section
 * held out).
 *
 * They do not affect decisions: a reader that does not know the section may skip it.
 */
#include "model/model.h"

#include <math.h>

#define ENTRY 32u /* bytes of answers of one label in one range */

/* Bytes of an answer: a label, or the number of labels for no answer. */
static uint32_t width_of(uint32_t labels) {
    return labels <= UINT8_MAX ? 1 : labels <= UINT16_MAX ? 2 : 4;
}

void hcbr_i_model_write_record(hcbr_i_out *out, const hcbr_model *model) {
    const hcbr_i_record *r = &model->record;
    const uint32_t labels = model->labels.count, width = width_of(labels);
    const bool cases = r->answer && model->keep != HCBR_KEEP_NONE;
    hcbr_i_out_u32(out, HCBR_HELDOUT_BINS);
    hcbr_i_out_u32(out, cases);
    hcbr_i_out_u64(out, r->answered_count);
    for (size_t n = 0; n < r->answered_count; n++) {
        hcbr_i_out_u32(out, r->answered[n].label);
        hcbr_i_out_u32(out, r->answered[n].range);
        hcbr_i_out_f64s(out, &r->answered[n].sum.cases, 1);
        hcbr_i_out_f64s(out, &r->answered[n].sum.right, 1);
        hcbr_i_out_f64s(out, &r->answered[n].sum.probability, 1);
    }
    if (!cases)
        return;
    hcbr_i_out_bytes(out, r->chance, (size_t)model->case_count);
    unsigned char *at = hcbr_i_out_take(out, (size_t)model->case_count, width);
    for (uint64_t i = 0; at && i < model->case_count; i++) {
        const uint32_t answer = r->answer[i] == HCBR_I_NONE ? labels : r->answer[i];
        for (uint32_t b = 0; b < width; b++)
            *at++ = (unsigned char)(answer >> (8 * b));
    }
}

/* Whether a part is from 0 to the whole. Sums of the same weights in another order differ a
 * little. */
static bool is_part(double part, double whole) {
    return isfinite(whole) && part >= 0 && part <= whole + 1e-9 * whole;
}

static double f64_at(const unsigned char *at) {
    const uint64_t bits = hcbr_i_u64_at(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* An entry and the one before it. */
static bool is_good(const hcbr_i_answered *a, const hcbr_i_answered *before, uint32_t labels) {
    const bool rises = !before || before->label < a->label ||
                       (before->label == a->label && before->range < a->range);
    return rises && a->label < labels && a->range <= HCBR_HELDOUT_BINS && a->sum.cases > 0 &&
           is_part(a->sum.right, a->sum.cases) && is_part(a->sum.probability, a->sum.cases) &&
           (a->sum.probability > 0) == (a->range < HCBR_HELDOUT_BINS);
}

static hcbr_status read_figures(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_record *r = &m->record;
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 1, 8, "the number of figures", &at, err);
    const uint64_t count = st == HCBR_OK ? hcbr_i_u64_at(at) : 0;
    if (st == HCBR_OK)
        st = hcbr_i_in_take(in, count, ENTRY, "figures", &at, err);
    if (st != HCBR_OK)
        return st;
    if (!(r->answered = hcbr_i_alloc((size_t)count, sizeof *r->answered)))
        return hcbr_i_no_memory(err);
    for (uint64_t n = 0; n < count; n++, at += ENTRY) {
        hcbr_i_answered *a = &r->answered[n];
        *a = (hcbr_i_answered){hcbr_i_u32_at(at),
                               hcbr_i_u32_at(at + 4),
                               {f64_at(at + 8), f64_at(at + 16), f64_at(at + 24)}};
        if (!is_good(a, n ? a - 1 : NULL, m->labels.count))
            return hcbr_i_model_bad(err, in->section,
                                    "figures %llu, expected parts of a whole, by rising label and "
                                    "range",
                                    (unsigned long long)n);
        r->answered_count++;
    }
    r->held = true;
    return HCBR_OK;
}

static hcbr_status read_answers(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const uint32_t labels = m->labels.count, width = width_of(labels);
    const unsigned char *chance, *at;
    hcbr_status st = hcbr_i_in_take(in, m->case_count, 1, "probabilities", &chance, err);
    if (st == HCBR_OK)
        st = hcbr_i_in_take(in, m->case_count, width, "answers", &at, err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_record_room(&m->record, (size_t)m->case_count))
        return hcbr_i_no_memory(err);
    memcpy(m->record.chance, chance, (size_t)m->case_count);
    for (uint64_t i = 0; i < m->case_count; i++) {
        uint32_t answer = 0;
        for (uint32_t b = 0; b < width; b++)
            answer |= (uint32_t)*at++ << (8 * b);
        if (answer > labels || (answer == labels && chance[i] != 0))
            return hcbr_i_model_bad(
                err, in->section, "case %llu got label %lu, expected at most %lu",
                (unsigned long long)i, (unsigned long)answer, (unsigned long)labels);
        m->record.answer[i] = answer == labels ? HCBR_I_NONE : answer;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_read_record(hcbr_model *m, hcbr_i_in *in, bool without_cases,
                                     hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "ranges and cases", &at, err);
    if (st != HCBR_OK)
        return st;
    const unsigned long bins = hcbr_i_u32_at(at), cases = hcbr_i_u32_at(at + 4);
    if (bins != HCBR_HELDOUT_BINS || cases > (without_cases || m->keep != HCBR_KEEP_NONE))
        return hcbr_i_model_bad(err, in->section, "%lu ranges and cases %lu, expected %d and %s",
                                bins, cases, HCBR_HELDOUT_BINS,
                                m->keep == HCBR_KEEP_NONE ? "0" : "0 or 1");
    if ((st = read_figures(m, in, err)) != HCBR_OK || without_cases)
        return st;
    if (cases)
        st = read_answers(m, in, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

/* ---- their decisions ------------------------------------------------------------------------- */

/* The answer of the model's rule to probabilities. */
static hcbr_label decide(const void *context, const double *p) {
    const hcbr_model *m = context;
    hcbr_i_scores x = {
        .support = p, .probability = p, .other = HCBR_I_NONE, .probable = true, .prior = m->prior};
    hcbr_reason reason;
    for (uint32_t l = 1; l < m->labels.count; l++)
        x.winner = p[l] > p[x.winner] ? (hcbr_label)l : x.winner;
    for (uint32_t l = 0; l < m->labels.count; l++)
        if (l != (uint32_t)x.winner && (x.other == HCBR_I_NONE || p[l] > p[x.other]))
            x.other = l;
    return hcbr_i_rule_decide(&m->rule, &x, &reason);
}

hcbr_status hcbr_i_model_decide_record(hcbr_model *m, hcbr_error *err) {
    if (!m->record.rows.entry) // already decided, or nothing was held out
        return HCBR_OK;
    m->record.held = m->record.rows.count > 0;
    return hcbr_i_record_decide(&m->record, (size_t)m->case_count, decide, m)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/* The most frequent label, the first of equals. */
static hcbr_label most_frequent(const hcbr_i_heldout *h, uint32_t *count) {
    hcbr_label most = 0;
    for (uint32_t i = 0; i < h->case_count; i++)
        count[h->label[i]]++;
    for (uint32_t l = 1; l < h->label_count; l++)
        most = count[l] > count[most] ? (hcbr_label)l : most;
    return most;
}

/* Decide held-out case i; p is room for its probabilities. */
static hcbr_i_held_answer answer_of(const hcbr_model *m, const hcbr_i_heldout *h, uint32_t i,
                                    hcbr_label prior, double *p) {
    const uint32_t labels = h->label_count;
    const bool probable = m->calibration.kind != HCBR_CALIBRATE_NONE;
    hcbr_i_scores x = {.support = h->support + (size_t)i * labels,
                       .probability = probable ? p : NULL,
                       .winner = h->winner[i],
                       .other = HCBR_I_NONE,
                       .lead = h->lead[i],
                       .prior = prior};
    hcbr_i_held_answer a = {.label = HCBR_LABEL_UNKNOWN, .truth = h->label[i]};
    hcbr_reason reason;
    a.weight = h->weight ? h->weight[i] : 1;
    if (x.winner < 0)
        return a;
    for (uint32_t l = 0; l < labels; l++)
        if (l != (uint32_t)x.winner &&
            (x.other == HCBR_I_NONE || x.support[l] > x.support[x.other]))
            x.other = l;
    if (probable)
        hcbr_i_calibration_apply(&m->calibration, x.support, labels, x.winner, x.lead, p);
    a.label = hcbr_i_rule_decide(&m->rule, &x, &reason);
    a.probability = probable && a.label >= 0 ? p[a.label] : 0;
    return a;
}

hcbr_status hcbr_i_model_make_record(hcbr_model *m, const hcbr_i_heldout *h, hcbr_error *err) {
    double *p = hcbr_i_alloc(h->label_count, sizeof *p);
    uint32_t *count = hcbr_i_alloc_zero(h->label_count, sizeof *count);
    hcbr_i_held_answer *list = hcbr_i_alloc(h->case_count, sizeof *list);
    bool ok = p && count && list && hcbr_i_record_room(&m->record, (size_t)m->case_count);
    const hcbr_label prior = ok ? most_frequent(h, count) : HCBR_LABEL_UNKNOWN;
    for (uint32_t i = 0; ok && i < h->case_count; i++) {
        list[i] = answer_of(m, h, i, prior, p);
        hcbr_i_record_set(&m->record, i, &list[i]);
    }
    ok = ok && hcbr_i_record_sum(&m->record, list, h->case_count, h->label_count);
    m->record.held = ok;
    hcbr_i_free(p);
    hcbr_i_free(count);
    hcbr_i_free(list);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}
