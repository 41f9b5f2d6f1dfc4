/*
 * What a model learnt from held-out cases (docs/FORMAT.md, sections calibration and tuning): the
 * maps from supports to probabilities, and how its rule was chosen, in words for people.
 *
 * Both sections are there only in models that have them, so that others keep their bytes.
 */
#include "model/model.h"

#include <math.h>

#define MOST_WHY 4096u /* bytes of the words */

/* ---- writing --------------------------------------------------------------------------------- */

void hcbr_i_model_write_calibration(hcbr_i_out *out, const hcbr_i_calibration *c) {
    hcbr_i_out_u32(out, (uint32_t)c->kind);
    hcbr_i_out_u32(out, c->count);
    for (uint32_t m = 0; m < c->count; m++) {
        if (c->platt) {
            hcbr_i_out_f64s(out, &c->platt[m].slope, 1);
            hcbr_i_out_f64s(out, &c->platt[m].offset, 1);
        } else {
            hcbr_i_out_u64(out, c->isotonic[m].count);
            hcbr_i_out_f64s(out, c->isotonic[m].score, c->isotonic[m].count);
            hcbr_i_out_f64s(out, c->isotonic[m].p, c->isotonic[m].count);
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_platt(hcbr_i_platt *out, hcbr_i_in *in, uint32_t m, hcbr_error *err) {
    double *values;
    hcbr_status st = hcbr_i_in_f64s(in, 2, "a curve", &values, err);
    if (st != HCBR_OK)
        return st;
    *out = (hcbr_i_platt){values[0], values[1]};
    hcbr_i_free(values);
    if (isfinite(out->slope) && out->slope >= 0 && isfinite(out->offset))
        return HCBR_OK;
    return hcbr_i_model_bad(err, in->section,
                            "curve %lu has slope %g and offset %g, expected finite numbers, the "
                            "slope not below 0",
                            (unsigned long)m, out->slope, out->offset);
}

static hcbr_status read_isotonic(hcbr_i_isotonic *out, hcbr_i_in *in, uint32_t m, hcbr_error *err) {
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 1, 8, "the number of knots", &at, err);
    if (st != HCBR_OK)
        return st;
    uint64_t count = hcbr_i_u64_at(at);
    if (count > UINT32_MAX)
        return hcbr_i_model_bad(err, in->section, "map %lu has %llu knots, expected fewer",
                                (unsigned long)m, (unsigned long long)count);
    if ((st = hcbr_i_in_f64s(in, count, "scores", &out->score, err)) != HCBR_OK ||
        (st = hcbr_i_in_f64s(in, count, "probabilities", &out->p, err)) != HCBR_OK)
        return st;
    out->count = (uint32_t)count;
    for (uint32_t k = 0; k < out->count; k++) {
        if (!isfinite(out->score[k]) || (k > 0 && out->score[k] <= out->score[k - 1]))
            return hcbr_i_model_bad(err, in->section,
                                    "score %lu of map %lu is not above the one before",
                                    (unsigned long)k, (unsigned long)m);
        if (!(out->p[k] > 0 && out->p[k] < 1) || (k > 0 && out->p[k] < out->p[k - 1]))
            return hcbr_i_model_bad(err, in->section,
                                    "probability %lu of map %lu is %g, expected inside 0 and 1 and "
                                    "not below the one before",
                                    (unsigned long)k, (unsigned long)m, out->p[k]);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_read_calibration(hcbr_model *model, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_calibration *c = &model->calibration;
    uint32_t labels = model->labels.count, maps = labels < 2 ? 0 : labels == 2 ? 1 : labels;
    const unsigned char *at;
    hcbr_status st = hcbr_i_in_take(in, 2, 4, "kind and number of maps", &at, err);
    if (st != HCBR_OK)
        return st;
    uint32_t kind = hcbr_i_u32_at(at), count = hcbr_i_u32_at(at + 4);
    if (kind != HCBR_CALIBRATE_PLATT && kind != HCBR_CALIBRATE_ISOTONIC)
        return hcbr_i_model_bad(err, in->section, "kind %lu, expected 1 or 2", (unsigned long)kind);
    if (count != maps)
        return hcbr_i_model_bad(err, in->section, "%lu maps, expected %lu for %lu labels",
                                (unsigned long)count, (unsigned long)maps, (unsigned long)labels);
    if (count > in->left / 8) // a map has at least 8 bytes
        return hcbr_i_model_bad(err, in->section, "%lu maps in %zu bytes", (unsigned long)count,
                                in->left);
    c->kind = (hcbr_calibrate)kind;
    c->count = count;
    if (kind == HCBR_CALIBRATE_PLATT)
        c->platt = hcbr_i_alloc_zero(count, sizeof *c->platt);
    else
        c->isotonic = hcbr_i_alloc_zero(count, sizeof *c->isotonic);
    if (!c->platt && !c->isotonic)
        return hcbr_i_no_memory(err);
    for (uint32_t m = 0; m < count; m++)
        if ((st = c->platt ? read_platt(&c->platt[m], in, m, err)
                           : read_isotonic(&c->isotonic[m], in, m, err)) != HCBR_OK)
            return st;
    return hcbr_i_in_end(in, err);
}

hcbr_status hcbr_i_model_read_tuning(hcbr_model *model, hcbr_i_in *in, hcbr_error *err) {
    const char *text;
    size_t length = in->left;
    if (length == 0 || length > MOST_WHY)
        return hcbr_i_model_bad(err, in->section, "%zu bytes, expected 1 to %u", length, MOST_WHY);
    hcbr_status st = hcbr_i_in_text(in, length, "words", 0, &text, err);
    if (st == HCBR_OK && !(model->why = hcbr_i_text_copy(text, length)))
        st = hcbr_i_no_memory(err);
    return st;
}

/* ---- learning -------------------------------------------------------------------------------- */

/** Put what was chosen into the model and the options it is built with. */
static hcbr_status take_tuned(hcbr_model *model, hcbr_train_options *o, const hcbr_i_tuned *tuned,
                              hcbr_error *err) {
    uint64_t *errors = hcbr_i_alloc_zero(tuned->passes, sizeof *errors);
    model->why = tuned->why[0] ? hcbr_i_text_copy(tuned->why, strlen(tuned->why)) : NULL;
    if (!errors || (tuned->why[0] && !model->why)) {
        hcbr_i_free(errors);
        return hcbr_i_no_memory(err);
    }
    hcbr_i_free(model->pass_errors);
    model->pass_errors = errors;
    model->scope = o->scope = tuned->scope;
    model->passes = o->passes = tuned->passes;
    for (uint32_t l = 0; tuned->eta && l < model->labels.count; l++) {
        model->rule.eta[l] = tuned->eta[l].support;
        model->rule.eta_share[l] = tuned->eta[l].share;
        model->rule.fallback[l] = tuned->fallback[l];
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_learn(hcbr_model *model, const struct hcbr_cases *cases,
                               hcbr_train_options *o, hcbr_error *err) {
    hcbr_i_tuned tuned = {.scope = o->scope};
    hcbr_i_heldout_options held = {.folds = o->tune ? o->tune->folds : 10,
                                   .fold_seed = o->seed,
                                   .scope = o->scope,
                                   .passes = o->passes,
                                   .seed = o->seed,
                                   .given_order = o->given_order != 0,
                                   .threads = o->threads ? o->threads : 1,
                                   .progress = o->progress,
                                   .progress_context = o->progress_context};
    hcbr_status st = HCBR_OK;
    if (o->tune && o->tune->goal != HCBR_GOAL_NONE) {
        st = hcbr_i_tune_run(&tuned, cases, o->tune, &held, o->notify, o->notify_context, err);
        if (st == HCBR_OK)
            st = take_tuned(model, o, &tuned, err);
    } else if (o->calibrate != HCBR_CALIBRATE_NONE) {
        st = hcbr_i_heldout_make(&tuned.heldout, cases, &held, err);
    }
    if (st == HCBR_OK && o->calibrate != HCBR_CALIBRATE_NONE)
        st = hcbr_i_calibration_fit(&model->calibration, o->calibrate, &tuned.heldout, cases->label,
                                    err);
    hcbr_i_tuned_clear(&tuned);
    return st;
}
