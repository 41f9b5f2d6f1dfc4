/*
 * Thresholds of rule R2 for more than two labels. Accuracy and costs are sums over cases, so each
 * label is tuned by itself (eta.c); its fallback is the label that costs least where it is wrong.
 *
 * Values of points are whole multiples of a unit, so that sums do not depend on their order.
 */
#include "tuner.h"

#include <math.h>

#define UNIT 1048576.0 /* of a value: sums of 2^32 costs are exact */

/** The held-out cases of a part that a label wins. Returns how many. */
static size_t collect(hcbr_i_tuner *t, uint32_t fold, uint32_t l) {
    const hcbr_i_heldout *h = &t->out->heldout;
    size_t count = 0;
    for (uint32_t i = 0; i < h->case_count; i++)
        if (h->winner[i] == (hcbr_label)l && hcbr_i_tuner_is_in(t, h->fold[i], fold)) {
            t->points[count] =
                (hcbr_i_eta_point){.support = h->support[(size_t)i * h->label_count + l],
                                   .share = hcbr_i_heldout_share(h, i, l)};
            t->point_of[count++] = i;
        }
    return count;
}

/** The fallback of label l: the label that costs least when l is wrong. */
static hcbr_label choose_fallback(hcbr_i_tuner *t, uint32_t l) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    double least = 0;
    size_t count = collect(t, HCBR_I_NONE, l);
    memset(t->truths, 0, t->labels * sizeof *t->truths);
    for (size_t n = 0; n < count; n++)
        t->truths[h->label[t->point_of[n]]] += hcbr_i_heldout_weight(h, t->point_of[n]);
    for (uint32_t f = 0; f < t->labels; f++) {
        double cost = 0;
        for (uint32_t truth = 0; truth < t->labels; truth++)
            if (truth != l)
                cost += t->truths[truth] * hcbr_i_tuner_cost(t, truth, (hcbr_label)f);
        if (f != l && (best == HCBR_LABEL_UNKNOWN || cost < least)) {
            best = (hcbr_label)f;
            least = cost;
        }
    }
    return best;
}

/** Accuracy and costs are sums over cases, so each label is tuned separately. */
static hcbr_status tune_label(hcbr_i_tuner *t, uint32_t fold, uint32_t l, hcbr_i_eta *out,
                              hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_eta_candidate *found;
    size_t count = collect(t, fold, l), found_count;
    hcbr_label fallback = t->out->fallback[l];
    hcbr_status st = hcbr_i_tuner_step(t, err);
    if (st != HCBR_OK)
        return st;
    for (size_t n = 0; n < count; n++) {
        uint32_t i = t->point_of[n], truth = h->label[i];
        double value =
            hcbr_i_tuner_cost(t, truth, fallback) - hcbr_i_tuner_cost(t, truth, (hcbr_label)l);
        t->points[n].value = (int64_t)floor(hcbr_i_heldout_weight(h, i) * value * t->unit + 0.5);
        t->points[n].right = value > 0;
    }
    st = hcbr_i_eta_candidates(t->points, count, &found, &found_count, err);
    if (st == HCBR_OK)
        *out = found[hcbr_i_eta_best(found, found_count)].eta;
    hcbr_i_free(found);
    return st;
}

hcbr_status hcbr_i_tuner_need_eta(hcbr_i_tuner *t, hcbr_error *err) {
    t->out->eta = hcbr_i_alloc_zero(t->labels, sizeof *t->out->eta);
    t->out->fallback = hcbr_i_alloc_zero(t->labels, sizeof *t->out->fallback);
    t->points = hcbr_i_alloc(t->out->heldout.case_count, sizeof *t->points);
    t->point_of = hcbr_i_alloc(t->out->heldout.case_count, sizeof *t->point_of);
    t->truths = hcbr_i_alloc(t->labels, sizeof *t->truths);
    if (!t->out->eta || !t->out->fallback || !t->points || !t->point_of || !t->truths)
        return hcbr_i_no_memory(err);
    double sum = 0;
    for (uint32_t i = 0; i < t->out->heldout.case_count; i++)
        sum += hcbr_i_heldout_weight(&t->out->heldout, i);
    // Few cases and unweighted ones have the usual unit; sums of all values are below 2^61.
    t->unit = sum < 0x1p40 ? UNIT : ldexp(1, 60 - ilogb(sum));
    return HCBR_OK;
}

/** Thresholds of all labels from one part, or from all parts together (HCBR_I_NONE). */
static hcbr_status tune_part(hcbr_i_tuner *t, uint32_t fold, hcbr_i_eta *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t l = 0; st == HCBR_OK && l < t->labels; l++)
        st = tune_label(t, fold, l, &out[l], err);
    return st;
}

/** Thresholds of every part by itself. */
static hcbr_status tune_parts(hcbr_i_tuner *t, hcbr_i_eta *own, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t fold = 0; st == HCBR_OK && fold < t->out->heldout.fold_count; fold++)
        st = tune_part(t, fold, own + (size_t)fold * t->labels, err);
    return st;
}

/** The mean of the parts' own thresholds, without part `but` (HCBR_I_NONE: over all). */
static void mean_but(const hcbr_i_tuner *t, const hcbr_i_eta *own, uint32_t but, hcbr_i_eta *out) {
    uint32_t folds = t->out->heldout.fold_count, count = folds - (but != HCBR_I_NONE);
    for (uint32_t l = 0; l < t->labels; l++) {
        out[l] = (hcbr_i_eta){0, 0};
        for (uint32_t fold = 0; fold < folds; fold++) {
            hcbr_i_eta one = own[(size_t)fold * t->labels + l];
            if (fold == but)
                continue;
            out[l].support += one.support / count;
            // Share 0 and one half mean the same, but only one half has the scale of the others.
            out[l].share += (one.share > 0.5 ? one.share - 0.5 : 0) / count;
        }
        out[l].share += out[l].share > 0 ? 0.5 : 0;
    }
}

/**
 * The value of thresholds chosen as the mean over the parts, or on all parts together. Every part
 * is decided with the thresholds of the others.
 */
static hcbr_status judge(hcbr_i_tuner *t, const hcbr_i_eta *own, bool together, double *value,
                         hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_status st = HCBR_OK;
    hcbr_i_eta *by_part = hcbr_i_alloc((size_t)h->fold_count * t->labels, sizeof *by_part);
    if (!by_part)
        return hcbr_i_no_memory(err);
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++) {
        hcbr_i_eta *to = by_part + (size_t)fold * t->labels;
        t->left_out = fold;
        if (together) {
            memset(to, 0, t->labels * sizeof *to);
            st = tune_part(t, HCBR_I_NONE, to, err);
        } else {
            mean_but(t, own, fold, to);
        }
    }
    t->left_out = HCBR_I_NONE;
    t->by_part = by_part;
    if (st == HCBR_OK)
        *value = hcbr_i_tuner_measure(t, h);
    t->by_part = NULL;
    hcbr_i_free(by_part);
    return st;
}

hcbr_status hcbr_i_tuner_choose_eta(hcbr_i_tuner *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    double before = hcbr_i_tuner_measure(t, h), mean = 0, all = 0; // no thresholds yet
    hcbr_i_eta *own = hcbr_i_alloc_zero((size_t)h->fold_count * t->labels, sizeof *own);
    hcbr_status st = own ? hcbr_i_tuner_need_eta(t, err) : hcbr_i_no_memory(err);
    t->steps = (uint64_t)t->labels * (2 + 2 * h->fold_count);
    for (uint32_t l = 0; st == HCBR_OK && l < t->labels; l++)
        if ((st = hcbr_i_tuner_step(t, err)) == HCBR_OK)
            t->out->fallback[l] = choose_fallback(t, l);
    if (st == HCBR_OK && (st = tune_parts(t, own, err)) == HCBR_OK &&
        (st = judge(t, own, false, &mean, err)) == HCBR_OK &&
        (st = judge(t, own, true, &all, err)) == HCBR_OK) {
        if (all > mean && all > before)
            st = tune_part(t, HCBR_I_NONE, t->out->eta, err);
        else if (mean > before)
            mean_but(t, own, HCBR_I_NONE, t->out->eta);
        hcbr_i_tuner_say_why(t, before, all > mean ? all : mean);
    }
    hcbr_i_free(own);
    return st;
}
