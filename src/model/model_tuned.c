/*
 * The results of held-out cases in a model (docs/FORMAT.md, sections calibration and tuning): the
 * maps from supports to probabilities, and the reason for its rule, as a sentence.
 *
 * Both sections exist only in models that need them, so that others keep their bytes.
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#define MOST_WHY 4096u /* bytes of the sentence */

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

/* ---- checks ---------------------------------------------------------------------------------- */

static hcbr_status check_platt(const hcbr_i_platt *p, uint32_t m, hcbr_error *err) {
    if (isfinite(p->slope) && p->slope >= 0 && isfinite(p->offset))
        return HCBR_OK;
    return hcbr_i_model_bad(err, HCBR_I_CALIBRATION,
                            "curve %lu has slope %g and offset %g, expected finite numbers, the "
                            "slope not below 0",
                            (unsigned long)m, p->slope, p->offset);
}

static hcbr_status check_isotonic(const hcbr_i_isotonic *x, uint32_t m, hcbr_error *err) {
    for (uint32_t k = 0; k < x->count; k++) {
        if (!isfinite(x->score[k]) || (k > 0 && x->score[k] <= x->score[k - 1]))
            return hcbr_i_model_bad(err, HCBR_I_CALIBRATION,
                                    "score %lu of map %lu is not above the one before",
                                    (unsigned long)k, (unsigned long)m);
        if (!(x->p[k] > 0 && x->p[k] < 1) || (k > 0 && x->p[k] < x->p[k - 1]))
            return hcbr_i_model_bad(err, HCBR_I_CALIBRATION,
                                    "probability %lu of map %lu is %g, expected inside 0 and 1 and "
                                    "not below the one before",
                                    (unsigned long)k, (unsigned long)m, x->p[k]);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_model_check_calibration(const hcbr_i_calibration *c, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t m = 0; m < c->count && st == HCBR_OK; m++)
        st = c->platt ? check_platt(&c->platt[m], m, err) : check_isotonic(&c->isotonic[m], m, err);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_platt(hcbr_i_platt *out, hcbr_i_in *in, uint32_t m, hcbr_error *err) {
    double *values;
    hcbr_status st = hcbr_i_in_f64s(in, 2, "a curve", &values, err);
    if (st != HCBR_OK)
        return st;
    *out = (hcbr_i_platt){values[0], values[1]};
    hcbr_i_free(values);
    return check_platt(out, m, err);
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
    return check_isotonic(out, m, err);
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

/** Put the tuned choice into the model and the options it is built with. */
static hcbr_status take_tuned(hcbr_model *model, hcbr_train_options *o, hcbr_i_tuned *tuned,
                              hcbr_error *err) {
    model->why = tuned->why[0] ? hcbr_i_text_copy(tuned->why, strlen(tuned->why)) : NULL;
    if (tuned->why[0] && !model->why)
        return hcbr_i_no_memory(err);
    model->scope = o->scope = tuned->scope;
    model->passes = o->passes = tuned->passes;
    for (uint32_t l = 0; l < model->labels.count; l++) {
        model->rule.eta[l] = tuned->eta ? tuned->eta[l].support : 0;
        model->rule.eta_share[l] = tuned->eta ? tuned->eta[l].share : 0;
        if (tuned->eta)
            model->rule.fallback[l] = tuned->fallback[l];
    }
    hcbr_i_costs_clear(&model->rule.costs);
    model->rule.costs = tuned->costs;
    tuned->costs = (hcbr_i_costs){0}; // now the model's
    model->rule.has_cut = tuned->has_cut;
    model->rule.cut = tuned->cut;
    if (o->tune->goal == HCBR_GOAL_MAX_ERROR && model->rule.on_nothing == HCBR_LABEL_PROBABLE)
        model->rule.on_nothing = HCBR_LABEL_UNKNOWN; // how wrong that is was not looked at
    hcbr_i_rule_settle(&model->rule, model->labels.count, o->model == HCBR_MODEL_RICH);
    return HCBR_OK;
}

hcbr_status hcbr_i_model_learn(hcbr_model *model, const struct hcbr_cases *cases,
                               hcbr_train_options *o, hcbr_i_heldout *given, hcbr_i_tuned *tuned,
                               hcbr_error *err) {
    *tuned = (hcbr_i_tuned){.scope = o->scope};
    hcbr_i_heldout_options held = {.folds = o->tune ? o->tune->folds : 10,
                                   .fold_seed = o->seed,
                                   .engine = model->engine,
                                   .part = {.scope = o->scope,
                                            .emphases = model->emphases,
                                            .passes = o->passes,
                                            .seed = o->seed,
                                            .given_order = o->given_order != 0},
                                   .threads = o->threads ? o->threads : 1,
                                   .progress = o->progress,
                                   .progress_context = o->progress_context};
    hcbr_status st = HCBR_OK;
    if (o->tune && o->tune->goal != HCBR_GOAL_NONE) {
        st =
            hcbr_i_tune_run(tuned, cases, o->tune, &held, given,
                            o->calibrate != HCBR_CALIBRATE_NONE, o->notify, o->notify_context, err);
        if (st == HCBR_OK)
            st = take_tuned(model, o, tuned, err);
    } else if (o->calibrate != HCBR_CALIBRATE_NONE) {
        st = hcbr_i_heldout_make(&tuned->heldout, cases, &held, err);
    }
    if (st == HCBR_OK && o->calibrate != HCBR_CALIBRATE_NONE)
        st = hcbr_i_calibration_fit(&model->calibration, o->calibrate, &tuned->heldout,
                                    tuned->heldout.label, o->progress, o->progress_context, err);
    const uint32_t seen = cases->case_count - hcbr_i_beliefs_cases(cases->beliefs);
    if (st == HCBR_OK && !given && tuned->heldout.case_count == seen)
        st = hcbr_i_model_make_record(model, &tuned->heldout, err);
    return st;
}

/* ---- the scale of thresholds ----------------------------------------------------------------- */

/* Decisions that one label wins. */
typedef struct won {
    double *support, *share; /* sorted */
    size_t count;
} won;

static void won_sort(won *w) {
    qsort(w->support, w->count, sizeof *w->support, hcbr_i_compare_double);
    qsort(w->share, w->count, sizeof *w->share, hcbr_i_compare_double);
}

/** Map a value of one list to the value at the same rank of the other. */
static double carried(double x, const double *from, size_t from_count, const double *to,
                      size_t to_count) {
    size_t below = 0;
    while (below < from_count && from[below] <= x)
        below++;
    if (from_count == 0 || to_count == 0)
        return x;
    size_t at = (size_t)((double)below / (double)from_count * (double)to_count + 0.5);
    if (at == 0)
        return 0;
    return at >= to_count ? to[to_count - 1] : to[at - 1] + (to[at] - to[at - 1]) / 2;
}

static void settle_label(hcbr_model *m, const hcbr_i_tuned *tuned, const uint32_t *winner,
                         const double *support, const double *share, uint32_t l, won *held,
                         won *own) {
    const hcbr_i_heldout *h = &tuned->heldout;
    held->count = own->count = 0;
    for (uint32_t i = 0; i < h->case_count; i++) {
        if (h->winner[i] == (hcbr_label)l) {
            held->support[held->count] = h->support[(size_t)i * h->label_count + l];
            held->share[held->count++] = hcbr_i_heldout_share(h, i, l);
        }
        if (winner[i] == l) {
            own->support[own->count] = support[i];
            own->share[own->count++] = share[i];
        }
    }
    won_sort(held);
    won_sort(own);
    if (m->rule.eta[l] > 0 && m->rule.eta[l] < 1e100) { // that threshold answers nothing
        double eta = carried(m->rule.eta[l], held->support, held->count, own->support, own->count);
        m->rule.eta[l] = eta > 0 ? eta : 0;
    }
    if (m->rule.eta_share[l] > 0) {
        double eta =
            carried(m->rule.eta_share[l], held->share, held->count, own->share, own->count);
        m->rule.eta_share[l] = eta < 1 ? eta : 1 - 0x1p-53;
    }
}

hcbr_status hcbr_i_model_settle(hcbr_model *m, const hcbr_i_tuned *tuned,
                                const hcbr_i_own_answers *answers, hcbr_error *err) {
    size_t cases = (size_t)m->case_count;
    double *room = hcbr_i_alloc_zero(cases, 5 * sizeof *room);
    if (!room)
        return hcbr_i_no_memory(err);
    double *share = room;
    won held = {room + cases, room + 2 * cases, 0}, own = {room + 3 * cases, room + 4 * cases, 0};
    for (size_t i = 0; i < cases; i++)
        if (answers->winner[i] != HCBR_I_NONE)
            share[i] = isnan(answers->other[i])
                           ? 1
                           : hcbr_i_eta_share(answers->support[i], answers->other[i]);
    for (uint32_t l = 0; l < m->labels.count; l++)
        if (m->rule.eta[l] > 0 || m->rule.eta_share[l] > 0)
            settle_label(m, tuned, answers->winner, answers->support, share, l, &held, &own);
    hcbr_i_free(room);
    return HCBR_OK;
}
