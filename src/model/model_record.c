/*
 * How held-out cases were decided while a model was trained (docs/FORMAT.md, section held out).
 *
 * Nothing of it decides anything: a reader that does not know the section may pass over it.
 */
#include "model/model.h"

#include <math.h>

#define FIGURES (2 + 3 * HCBR_HELDOUT_BINS)

/* Bytes of an answer: a label, or their number for none. */
static uint32_t width_of(uint32_t labels) {
    return labels <= UINT8_MAX ? 1 : labels <= UINT16_MAX ? 2 : 4;
}

void hcbr_i_model_write_record(hcbr_i_out *out, const hcbr_model *model) {
    const hcbr_i_record *r = &model->record;
    const uint32_t labels = model->labels.count, width = width_of(labels);
    const bool cases = r->answer && model->keep != HCBR_KEEP_NONE;
    hcbr_i_out_u32(out, HCBR_HELDOUT_BINS);
    hcbr_i_out_u32(out, cases);
    hcbr_i_out_f64s(out, &r->weight, 1);
    hcbr_i_out_f64s(out, &r->right, 1);
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        hcbr_i_out_f64s(out, &r->bins[b].cases, 1);
        hcbr_i_out_f64s(out, &r->bins[b].right, 1);
        hcbr_i_out_f64s(out, &r->bins[b].probability, 1);
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

/* Some of a whole, neither below 0. Sums of the same weights in another order differ a little. */
static bool is_part(double part, double whole) {
    return isfinite(whole) && part >= 0 && part <= whole + 1e-9 * whole;
}

static hcbr_status read_figures(hcbr_i_record *r, hcbr_i_in *in, hcbr_error *err) {
    double *v, sum = 0;
    hcbr_status st = hcbr_i_in_f64s(in, FIGURES, "figures", &v, err);
    if (st != HCBR_OK)
        return st;
    bool good = v[0] > 0 && is_part(v[1], v[0]);
    r->weight = v[0];
    r->right = v[1];
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        const double *bin = v + 2 + 3 * b;
        r->bins[b] = (hcbr_heldout_bin){bin[0], bin[1], bin[2]};
        good = good && is_part(bin[1], bin[0]) && is_part(bin[2], bin[0]);
        sum += bin[0];
    }
    good = good && is_part(sum, v[0]);
    hcbr_i_free(v);
    return good ? HCBR_OK
                : hcbr_i_model_bad(err, in->section,
                                   "figures of held-out cases, expected parts of a whole");
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
    if ((st = read_figures(&m->record, in, err)) != HCBR_OK || without_cases)
        return st;
    if (cases)
        st = read_answers(m, in, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

hcbr_status hcbr_i_model_make_record(hcbr_model *m, const hcbr_i_heldout *h, hcbr_error *err) {
    const uint32_t labels = m->labels.count;
    const bool probable = m->calibration.kind != HCBR_CALIBRATE_NONE;
    double *p = hcbr_i_alloc_zero(labels, sizeof *p);
    if (!p || !hcbr_i_record_room(&m->record, (size_t)m->case_count)) {
        hcbr_i_free(p);
        return hcbr_i_no_memory(err);
    }
    for (uint32_t i = 0; i < h->case_count; i++) {
        const hcbr_label winner = h->winner[i];
        if (winner < 0)
            continue;
        if (probable)
            hcbr_i_calibration_apply(&m->calibration, h->support + (size_t)i * labels, labels,
                                     winner, h->lead[i], p);
        hcbr_i_record_add(&m->record, p[winner], (uint32_t)winner == h->label[i],
                          h->weight ? h->weight[i] : 1);
        hcbr_i_record_set(&m->record, i, (uint32_t)winner, p[winner]);
    }
    hcbr_i_free(p);
    return HCBR_OK;
}
