/*
 * The data for reasons besides the cases of a rich model (docs/FORMAT.md, section reasons), as
 * bytes, and its checks. Draws and residuals are not stored: they follow from the cases.
 */
#include "rich/rich.h"

#include <math.h>

#define WEIGHTS 1u /* flags of the parts present */
#define LOW_ALPHAS 2u
#define LISTED 4u
#define MOST_FIGURE 1e6  /* of a constant */
#define MOST_ALPHA 1e30f /* more than C times all weights */

bool hcbr_i_rich_has_reasons(const hcbr_i_rich *r, hcbr_keep keep) {
    bool any = false;
    for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
        any |= r->family[f];
    return any && keep != HCBR_KEEP_NONE;
}

static size_t alpha_count(const hcbr_i_rich *r) {
    return r->kept.alpha_start ? (size_t)r->kept.alpha_start[r->rows]
                               : (size_t)r->rows * r->outputs;
}

static void write_floats(hcbr_i_out *out, const float *from, size_t count) {
    unsigned char *at = hcbr_i_out_take(out, count, 4);
    for (size_t i = 0; at && i < count; i++, at += 4) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        hcbr_i_put_u32(at, bits);
    }
}

void hcbr_i_rich_kept_write(hcbr_i_out *out, const hcbr_i_rich *r, const hcbr_i_frame *frame) {
    const hcbr_i_rich_kept *k = &r->kept;
    const double figures[6] = {k->scale, k->rate, k->lambda, k->draw, k->prior, k->part};
    hcbr_i_out_u32(out, (k->weight ? WEIGHTS : 0) | (k->alpha_low ? LOW_ALPHAS : 0) |
                            (k->alpha_start ? LISTED : 0));
    hcbr_i_out_u32(out, 0);
    hcbr_i_out_f64s(out, figures, 6);
    if (k->weight)
        hcbr_i_out_f64s(out, k->weight, (size_t)frame->case_count);
    if (!r->family[0])
        return;
    size_t count = alpha_count(r);
    if (k->alpha_start) {
        hcbr_i_out_u64s(out, k->alpha_start, (size_t)r->rows + 1);
        hcbr_i_out_u32s(out, k->alpha_label, count);
    }
    write_floats(out, k->alpha, count);
    if (k->alpha_low)
        write_floats(out, k->alpha_low, count);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static hcbr_status check_figures(const hcbr_i_rich_kept *k, bool atoms, hcbr_error *err) {
    static const char *const NAMES[6] = {"scale", "rate", "lambda", "draw", "prior", "part"};
    const double figures[6] = {k->scale, k->rate, k->lambda, k->draw, k->prior, k->part};
    for (int i = 0; i < 6; i++)
        if (!(figures[i] >= 0 && figures[i] <= MOST_FIGURE))
            return hcbr_i_model_bad(err, HCBR_I_REASONS, "%s is %g, expected 0 to %g", NAMES[i],
                                    figures[i], MOST_FIGURE);
    if (!(k->part > 0 && k->part <= 1))
        return hcbr_i_model_bad(err, HCBR_I_REASONS,
                                "part is %g, expected more than 0 and at most 1", k->part);
    if (atoms != (k->scale > 0))
        return hcbr_i_model_bad(err, HCBR_I_REASONS, "scale is %g, expected %s", k->scale,
                                atoms ? "more than 0" : "0");
    return HCBR_OK;
}

static hcbr_status check_weights(const hcbr_i_rich_kept *k, uint64_t count, hcbr_error *err) {
    bool other = false;
    for (uint64_t i = 0; i < count; i++) {
        other |= k->weight[i] != 1;
        if (!(k->weight[i] >= 0 && k->weight[i] <= HCBR_I_MOST_WEIGHT))
            return hcbr_i_model_bad(err, HCBR_I_REASONS, "weight %llu is %g, expected 0 to %g",
                                    (unsigned long long)i, k->weight[i], HCBR_I_MOST_WEIGHT);
    }
    if (!other)
        return hcbr_i_model_bad(err, HCBR_I_REASONS,
                                "all weights are 1, expected none to be stored");
    return HCBR_OK;
}

static hcbr_status check_alphas(const hcbr_i_rich *r, hcbr_error *err) {
    const hcbr_i_rich_kept *k = &r->kept;
    for (size_t i = 0; i < alpha_count(r); i++) {
        if (!(k->alpha[i] >= 0 && k->alpha[i] <= MOST_ALPHA))
            return hcbr_i_model_bad(err, HCBR_I_REASONS, "alpha %zu is %g, expected 0 to %g", i,
                                    (double)k->alpha[i], (double)MOST_ALPHA);
        if (k->alpha_low && !(fabsf(k->alpha_low[i]) <= k->alpha[i] * 0x1p-23f))
            return hcbr_i_model_bad(err, HCBR_I_REASONS,
                                    "alpha %zu is %g and %g, expected less beside it", i,
                                    (double)k->alpha[i], (double)k->alpha_low[i]);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_kept_check(const hcbr_i_rich *r, const hcbr_i_frame *frame,
                                   hcbr_error *err) {
    const hcbr_i_rich_kept *k = &r->kept;
    hcbr_status st = check_figures(k, r->family[0], err);
    if (st == HCBR_OK && k->weight)
        st = check_weights(k, frame->case_count, err);
    if (st == HCBR_OK && r->family[0])
        st = check_alphas(r, err);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_figures(hcbr_i_rich_kept *k, hcbr_i_in *in, hcbr_error *err) {
    double *figures = NULL;
    double *const to[6] = {&k->scale, &k->rate, &k->lambda, &k->draw, &k->prior, &k->part};
    hcbr_status st = hcbr_i_in_f64s(in, 6, "figures", &figures, err);
    for (int i = 0; st == HCBR_OK && i < 6; i++)
        *to[i] = figures[i];
    hcbr_i_free(figures);
    return st;
}

/* The labels that each merged case pulls. */
static hcbr_status read_pulls(hcbr_i_rich *r, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_rich_kept *k = &r->kept;
    hcbr_status st = hcbr_i_in_u64s(in, (uint64_t)r->rows + 1, "alphas", &k->alpha_start, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_lists_check_starts(in, k->alpha_start, r->rows, "alphas", err);
    if (st == HCBR_OK)
        st = hcbr_i_in_u32s(in, k->alpha_start[r->rows], "alphas", &k->alpha_label, err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_lists_check(in, k->alpha_start, r->rows, k->alpha_label, r->labels,
                                     "alphas", err);
    return st;
}

static hcbr_status read_alphas(const hcbr_i_rich *r, float **out, hcbr_i_in *in, hcbr_error *err) {
    const unsigned char *at;
    size_t count;
    if (!r->kept.alpha_start && __builtin_mul_overflow((size_t)r->rows, (size_t)r->outputs, &count))
        return hcbr_i_no_memory(err);
    count = alpha_count(r);
    hcbr_status st = hcbr_i_in_take(in, count, 4, "alphas", &at, err);
    if (st != HCBR_OK)
        return st;
    if (!(*out = hcbr_i_alloc(count, sizeof **out)))
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < count; i++, at += 4) {
        uint32_t bits = hcbr_i_u32_at(at);
        memcpy(*out + i, &bits, sizeof bits);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_kept_read(hcbr_i_rich *r, const hcbr_i_frame *frame, hcbr_i_in *in,
                                  hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "flags", &at, err);
    if (st != HCBR_OK)
        return st;
    uint32_t flags = hcbr_i_u32_at(at);
    bool low = flags & LOW_ALPHAS, listed = flags & LISTED;
    if (flags > (WEIGHTS | LOW_ALPHAS | LISTED) || (low && !r->family[0]) ||
        listed != (r->family[0] && !r->linear.strength) || hcbr_i_u32_at(at + 4) != 0)
        return hcbr_i_model_bad(err, in->section,
                                "flags %lu, expected 0 to 7, from 2 on with atoms, from 4 on iff "
                                "their strengths are listed",
                                (unsigned long)flags);
    if (r->rows > frame->case_count)
        return hcbr_i_model_bad(err, in->section, "%lu merged cases, expected at most %llu",
                                (unsigned long)r->rows, (unsigned long long)frame->case_count);
    hcbr_i_rich_kept *k = &r->kept;
    if ((st = read_figures(k, in, err)) != HCBR_OK ||
        (flags & WEIGHTS &&
         (st = hcbr_i_in_f64s(in, frame->case_count, "weights", &k->weight, err)) != HCBR_OK) ||
        (listed && (st = read_pulls(r, in, err)) != HCBR_OK) ||
        (r->family[0] && (st = read_alphas(r, &k->alpha, in, err)) != HCBR_OK) ||
        (low && (st = read_alphas(r, &k->alpha_low, in, err)) != HCBR_OK) ||
        (st = hcbr_i_rich_kept_check(r, frame, err)) != HCBR_OK)
        return st;
    return hcbr_i_in_end(in, err);
}
