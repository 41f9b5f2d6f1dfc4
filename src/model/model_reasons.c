/*
 * What reasons of a rich model need besides its cases (docs/FORMAT.md, section reasons), as bytes,
 * and what must hold of it. Draws and residuals are not stored: they follow from the cases.
 */
#include "model/model.h"

#define MOST_FIGURE 1e6  /* of a constant */
#define MOST_ALPHA 1e11f /* C times the largest weight and more */

bool hcbr_i_model_has_reasons(const hcbr_model *m) {
    bool any = false;
    for (uint32_t f = 0; m->rich && f < HCBR_I_RICH_FAMILIES; f++)
        any |= m->rich->family[f];
    return any && m->keep != HCBR_KEEP_NONE;
}

void hcbr_i_model_write_reasons(hcbr_i_out *out, const hcbr_model *m) {
    const hcbr_i_rich_kept *k = &m->rich->kept;
    const double figures[5] = {k->scale, k->rate, k->lambda, k->draw, k->prior};
    hcbr_i_out_u32(out, k->weight != NULL);
    hcbr_i_out_u32(out, 0);
    hcbr_i_out_f64s(out, figures, 5);
    if (k->weight)
        hcbr_i_out_f64s(out, k->weight, (size_t)m->case_count);
    if (!m->rich->family[0])
        return;
    size_t count = (size_t)m->rich->rows * m->rich->outputs;
    unsigned char *at = hcbr_i_out_take(out, count, 4);
    for (size_t i = 0; at && i < count; i++, at += 4) {
        uint32_t bits;
        memcpy(&bits, &k->alpha[i], sizeof bits);
        hcbr_i_put_u32(at, bits);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_figures(hcbr_i_rich_kept *k, bool atoms, hcbr_i_in *in, hcbr_error *err) {
    static const char *const NAMES[5] = {"scale", "rate", "lambda", "draw", "prior"};
    double *figures = NULL, *const to[5] = {&k->scale, &k->rate, &k->lambda, &k->draw, &k->prior};
    hcbr_status st = hcbr_i_in_f64s(in, 5, "figures", &figures, err);
    for (int i = 0; st == HCBR_OK && i < 5; i++) {
        *to[i] = figures[i];
        if (!(figures[i] >= 0 && figures[i] <= MOST_FIGURE))
            st = hcbr_i_model_bad(err, in->section, "%s is %g, expected 0 to %g", NAMES[i],
                                  figures[i], MOST_FIGURE);
    }
    if (st == HCBR_OK && atoms != (k->scale > 0))
        st = hcbr_i_model_bad(err, in->section, "scale is %g, expected %s", k->scale,
                              atoms ? "more than 0" : "0");
    hcbr_i_free(figures);
    return st;
}

static hcbr_status read_weights(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_kept *k = &m->rich->kept;
    hcbr_status st = hcbr_i_in_f64s(in, m->case_count, "weights", &k->weight, err);
    bool other = false;
    for (uint64_t i = 0; st == HCBR_OK && i < m->case_count; i++) {
        other |= k->weight[i] != 1;
        if (!(k->weight[i] >= 0 && k->weight[i] <= HCBR_I_MOST_WEIGHT))
            st = hcbr_i_model_bad(err, in->section, "weight %llu is %g, expected 0 to %g",
                                  (unsigned long long)i, k->weight[i], HCBR_I_MOST_WEIGHT);
    }
    if (st == HCBR_OK && !other)
        st = hcbr_i_model_bad(err, in->section, "all weights are 1, expected none to be stored");
    return st;
}

static hcbr_status read_alphas(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    size_t count = 0;
    if (__builtin_mul_overflow((size_t)r->rows, (size_t)r->outputs, &count))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_in_take(in, count, 4, "alphas", &at, err);
    if (st != HCBR_OK)
        return st;
    if (!(r->kept.alpha = hcbr_i_alloc(count, sizeof *r->kept.alpha)))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++, at += 4) {
        uint32_t bits = hcbr_i_u32_at(at);
        memcpy(&r->kept.alpha[i], &bits, sizeof bits);
        if (!(r->kept.alpha[i] >= 0 && r->kept.alpha[i] <= MOST_ALPHA))
            return hcbr_i_model_bad(err, in->section, "alpha %zu is %g, expected 0 to %g", i,
                                    (double)r->kept.alpha[i], (double)MOST_ALPHA);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_read_reasons(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    bool has = hcbr_i_model_has_reasons(m);
    if (has != (in->at != NULL))
        return hcbr_i_model_bad(err, HCBR_I_REASONS, "%s in this model",
                                has ? "absent, expected it" : "present, expected none");
    if (!has)
        return HCBR_OK;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "flags", &at, err);
    if (st != HCBR_OK)
        return st;
    uint32_t flags = hcbr_i_u32_at(at);
    if (flags > 1 || hcbr_i_u32_at(at + 4) != 0)
        return hcbr_i_model_bad(err, in->section, "flags %lu, expected 0 or 1",
                                (unsigned long)flags);
    if (m->rich->rows > m->case_count)
        return hcbr_i_model_bad(err, in->section, "%lu merged cases, expected at most %llu",
                                (unsigned long)m->rich->rows, (unsigned long long)m->case_count);
    if ((st = read_figures(&m->rich->kept, m->rich->family[0], in, err)) != HCBR_OK ||
        (flags && (st = read_weights(m, in, err)) != HCBR_OK) ||
        (m->rich->family[0] && (st = read_alphas(m->rich, in, err)) != HCBR_OK))
        return st;
    return hcbr_i_in_end(in, err);
}
