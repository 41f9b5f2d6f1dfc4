/*
 * Rules by a cut or by costs in the model file (docs/FORMAT.md, sections cut and costs).
 *
 * Both sections exist only in models with such a rule, so that others keep their bytes. The reader
 * here checks each section by itself. That such a rule has no thresholds, and that costs have
 * probabilities, is checked once all is read.
 */
#include "model/model.h"

#include <math.h>

void hcbr_i_model_write_cut(hcbr_i_out *out, const hcbr_model *model) {
    hcbr_i_out_f64s(out, &model->rule.cut.low, 1);
    hcbr_i_out_f64s(out, &model->rule.cut.high, 1);
}

hcbr_status hcbr_i_model_read_cut(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    double *values;
    hcbr_status st = hcbr_i_in_f64s(in, 2, "thresholds", &values, err);
    if (st != HCBR_OK)
        return st;
    m->rule.cut = (hcbr_cut){values[0], values[1]};
    m->rule.has_cut = true;
    hcbr_i_free(values);
    if (m->labels.count != 2)
        return hcbr_i_model_bad(err, in->section, "present, expected none with %lu labels",
                                (unsigned long)m->labels.count);
    if (!isfinite(m->rule.cut.low) || !isfinite(m->rule.cut.high) ||
        m->rule.cut.low > m->rule.cut.high)
        return hcbr_i_model_bad(err, in->section,
                                "thresholds %g and %g, expected finite numbers, the second not "
                                "below the first",
                                m->rule.cut.low, m->rule.cut.high);
    return hcbr_i_in_end(in, err);
}

void hcbr_i_model_write_costs(hcbr_i_out *out, const hcbr_model *model) {
    const hcbr_i_costs *c = &model->rule.costs;
    hcbr_i_out_u64(out, c->price_count);
    for (uint32_t i = 0; i < c->price_count; i++)
        hcbr_i_out_u32(out, c->prices[i].truth);
    for (uint32_t i = 0; i < c->price_count; i++)
        hcbr_i_out_u32(out, (uint32_t)c->prices[i].given);
    for (uint32_t i = 0; i < c->price_count; i++)
        hcbr_i_out_f64s(out, &c->prices[i].cost, 1);
}

/* Check one price, and its order after the one before it. */
static hcbr_status check_price(const hcbr_i_costs *c, uint32_t i, hcbr_i_section section,
                               hcbr_error *err) {
    const hcbr_i_price *p = &c->prices[i], *before = i > 0 ? p - 1 : NULL;
    if (p->truth >= c->labels || p->given < HCBR_LABEL_UNKNOWN || p->given >= (int64_t)c->labels ||
        p->given == (hcbr_label)p->truth)
        return hcbr_i_model_bad(err, section,
                                "price %lu is of giving %ld where %lu is true, expected two "
                                "different labels or -1",
                                (unsigned long)i, (long)p->given, (unsigned long)p->truth);
    if (!(p->cost >= 0 && p->cost <= HCBR_I_MOST_COST) || (p->given >= 0 && p->cost == 1))
        return hcbr_i_model_bad(err, section, "price %lu is %g, expected 0 to %g%s",
                                (unsigned long)i, p->cost, HCBR_I_MOST_COST,
                                p->given >= 0 ? " but not 1" : "");
    if (before && (p->truth < before->truth ||
                   (p->truth == before->truth && (uint32_t)p->given <= (uint32_t)before->given)))
        return hcbr_i_model_bad(err, section, "price %lu is out of order", (unsigned long)i);
    return HCBR_OK;
}

hcbr_status hcbr_i_model_read_costs(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_costs *c = &m->rule.costs;
    const unsigned char *at, *truth, *given;
    double *cost = NULL;
    uint32_t refused = 0;
    hcbr_status st = hcbr_i_in_take(in, 1, 8, "the number of prices", &at, err);
    if (st != HCBR_OK)
        return st;
    uint64_t count = hcbr_i_u64_at(at);
    if (m->labels.count > HCBR_I_MOST_COST_LABELS || count > in->left / 16)
        return hcbr_i_model_bad(err, in->section,
                                "%llu prices in %zu bytes with %lu labels, expected 16 bytes each "
                                "and at most %d labels",
                                (unsigned long long)count, in->left, (unsigned long)m->labels.count,
                                HCBR_I_MOST_COST_LABELS);
    if ((st = hcbr_i_in_take(in, count, 4, "truths", &truth, err)) != HCBR_OK ||
        (st = hcbr_i_in_take(in, count, 4, "answers", &given, err)) != HCBR_OK ||
        (st = hcbr_i_in_f64s(in, count, "prices", &cost, err)) != HCBR_OK)
        return st;
    c->labels = m->labels.count;
    if (!(c->prices = hcbr_i_alloc((size_t)count, sizeof *c->prices)))
        st = hcbr_i_no_memory(err);
    for (uint64_t i = 0; st == HCBR_OK && i < count; i++) {
        c->prices[i] = (hcbr_i_price){hcbr_i_u32_at(truth + 4 * i),
                                      (hcbr_label)hcbr_i_u32_at(given + 4 * i), cost[i]};
        refused += c->prices[i].given < 0;
        st = check_price(c, (uint32_t)i, in->section, err);
        c->price_count++;
    }
    hcbr_i_free(cost);
    if (st == HCBR_OK && refused != 0 && refused != c->labels)
        st = hcbr_i_model_bad(err, in->section,
                              "no decision has a price for %lu labels, expected 0 or %lu",
                              (unsigned long)refused, (unsigned long)c->labels);
    if (st == HCBR_OK)
        st = hcbr_i_costs_index(c, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}
