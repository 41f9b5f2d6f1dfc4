/*
 * Weights of the cases of a rich model: their limits, their effect, and how they are stored
 * (docs/FORMAT.md, section weights).
 *
 * A weight n means n copies of a case. Cases of weight 0 are left out before training, so that the
 * model is the one of the others. The section exists only if some weight is not 1, so that other
 * models keep their bytes.
 */
#include "model/model.h"

double hcbr_i_model_label_weight(const hcbr_model *model, uint32_t label) {
    return model->label_weight ? model->label_weight[label] : (double)model->label_cases[label];
}

double hcbr_i_model_total_weight(const hcbr_model *model) {
    double sum = 0;
    for (uint32_t l = 0; l < model->labels.count; l++)
        sum += hcbr_i_model_label_weight(model, l);
    return sum;
}

hcbr_label hcbr_i_model_prior(const hcbr_model *model) {
    uint32_t best = 0;
    for (uint32_t l = 1; l < model->labels.count; l++)
        if (hcbr_i_model_label_weight(model, l) > hcbr_i_model_label_weight(model, best))
            best = l;
    return (hcbr_label)best;
}

hcbr_status hcbr_i_model_check_weights(const hcbr_cases *cases, const double *weight,
                                       hcbr_error *err) {
    bool any = !weight;
    for (uint32_t i = 0; weight && i < cases->case_count; i++) {
        if (!(weight[i] >= 0 && weight[i] <= HCBR_I_MOST_WEIGHT))
            return hcbr_i_fail(err, HCBR_EDATA, "weight of case %lu is %g, expected 0 to %g",
                               (unsigned long)i + 1, weight[i], HCBR_I_MOST_WEIGHT);
        any |= weight[i] > 0;
    }
    return any ? HCBR_OK : hcbr_i_fail(err, HCBR_EDATA, "all weights are 0, expected one above it");
}

/* ---- the section ----------------------------------------------------------------------------- */

void hcbr_i_model_write_weights(hcbr_i_out *out, const hcbr_model *model) {
    hcbr_i_out_f64s(out, model->label_weight, model->labels.count);
}

hcbr_status hcbr_i_model_read_weights(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const double most = HCBR_I_MOST_WEIGHT * (double)m->case_count;
    hcbr_status st = hcbr_i_in_f64s(in, m->labels.count, "weights", &m->label_weight, err);
    for (uint32_t l = 0; st == HCBR_OK && l < m->labels.count; l++)
        if (!(m->label_weight[l] >= 0 && m->label_weight[l] <= most))
            return hcbr_i_model_bad(err, in->section, "weight of label %lu is %g, expected 0 to %g",
                                    (unsigned long)l, m->label_weight[l], most);
    if (st != HCBR_OK)
        return st;
    if (!(hcbr_i_model_total_weight(m) > 0))
        return hcbr_i_model_bad(err, in->section, "all weights are 0, expected one above it");
    m->prior = hcbr_i_model_prior(m);
    return hcbr_i_in_end(in, err);
}
