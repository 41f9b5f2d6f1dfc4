/*
 * Probabilities of labels from held-out supports.
 *
 * With two labels one map of the difference of the supports is enough, and the two probabilities
 * add up to 1. With more, each label has a map of its lead over the best other label, and the
 * results are divided by their sum. Invariant: every probability is above 0.
 */
#include "tune/tune.h"

/** The score that map m uses. */
static double score_of(const double *support, uint32_t labels, hcbr_label winner, double lead,
                       uint32_t m) {
    if (labels == 2) // the lead is exact; a difference of supports may have lost digits
        return winner == 1 ? lead : -lead;
    double best = 0;
    bool any = false;
    for (uint32_t l = 0; l < labels; l++)
        if (l != m && (!any || support[l] > best)) {
            best = support[l];
            any = true;
        }
    return support[m] - best;
}

/** The held-out cases with a known feature, with their scores for map m. */
static size_t collect(hcbr_i_scored *out, const hcbr_i_heldout *held, const uint32_t *label,
                      uint32_t m) {
    uint32_t positive = held->label_count == 2 ? 1 : m;
    size_t count = 0;
    for (uint32_t i = 0; i < held->case_count; i++)
        if (held->winner[i] != HCBR_LABEL_UNKNOWN)
            out[count++] = (hcbr_i_scored){
                .score = score_of(held->support + (size_t)i * held->label_count, held->label_count,
                                  held->winner[i], held->lead[i], m),
                .weight = 1,
                .positive = label[i] == positive};
    return count;
}

hcbr_status hcbr_i_calibration_fit(hcbr_i_calibration *out, hcbr_calibrate kind,
                                   const hcbr_i_heldout *held, const uint32_t *label,
                                   hcbr_progress_fn *progress, void *progress_context,
                                   hcbr_error *err) {
    uint32_t labels = held->label_count, maps = labels < 2 ? 0 : labels == 2 ? 1 : labels;
    hcbr_status st = HCBR_OK;
    *out = (hcbr_i_calibration){.kind = kind, .count = maps};
    hcbr_i_scored *scored = hcbr_i_alloc(held->case_count, sizeof *scored);
    if (kind == HCBR_CALIBRATE_PLATT)
        out->platt = hcbr_i_alloc_zero(maps, sizeof *out->platt);
    else
        out->isotonic = hcbr_i_alloc_zero(maps, sizeof *out->isotonic);
    if (!scored || (!out->platt && !out->isotonic))
        st = hcbr_i_no_memory(err);
    for (uint32_t m = 0; st == HCBR_OK && m <= maps; m++) {
        if (progress && progress(progress_context, "calibrate", m, maps) != 0)
            st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
        if (st != HCBR_OK || m == maps)
            break;
        size_t count = collect(scored, held, label, m);
        if (out->platt)
            hcbr_i_platt_fit(scored, count, &out->platt[m]);
        else
            st = hcbr_i_isotonic_fit(scored, count, &out->isotonic[m], err);
    }
    hcbr_i_free(scored);
    if (st != HCBR_OK)
        hcbr_i_calibration_clear(out);
    return st;
}

static double map_score(const hcbr_i_calibration *c, uint32_t m, double score) {
    return c->platt ? hcbr_i_platt_apply(&c->platt[m], score)
                    : hcbr_i_isotonic_apply(&c->isotonic[m], score);
}

void hcbr_i_calibration_apply(const hcbr_i_calibration *calibration, const double *support,
                              uint32_t labels, hcbr_label winner, double lead, double *out) {
    double sum = 0;
    if (labels == 1) {
        out[0] = 1;
        return;
    }
    if (labels == 2) {
        out[1] = map_score(calibration, 0, score_of(support, 2, winner, lead, 0));
        out[0] = 1 - out[1];
        return;
    }
    for (uint32_t l = 0; l < labels; l++) {
        out[l] = map_score(calibration, l, score_of(support, labels, winner, lead, l));
        sum += out[l];
    }
    for (uint32_t l = 0; l < labels; l++)
        out[l] = sum > 0 ? out[l] / sum : 1 / (double)labels;
}

void hcbr_i_calibration_clear(hcbr_i_calibration *c) {
    for (uint32_t m = 0; c->isotonic && m < c->count; m++)
        hcbr_i_isotonic_clear(&c->isotonic[m]);
    hcbr_i_free(c->isotonic);
    hcbr_i_free(c->platt);
    *c = (hcbr_i_calibration){0};
}
