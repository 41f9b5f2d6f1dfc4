/*
 * A cut of the score of two labels (cut.c), so that an answer never changes back as the score
 * rises. It is found in each held-out part and in all together, and judged on parts that it was not
 * found in.
 */
#include "tuner.h"

#include <math.h>

static hcbr_i_cut_goal goal_of(const hcbr_i_tuner *t, uint32_t fold) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_cut_goal goal = {.by_cost = t->costs.by_given != NULL,
                            .refuses = t->costs.refuses,
                            .measure = hcbr_i_tuner_measure_of(t->options->goal),
                            .positive = (int)t->positive,
                            .neutral = t->probable ? 0.5 : 0,
                            .least = t->probable ? 0 : -INFINITY,
                            .most = t->probable ? 1 : INFINITY};
    for (uint32_t truth = 0; truth < 2; truth++)
        for (int given = 0; given < 3; given++)
            goal.cost[truth][given] =
                hcbr_i_tuner_cost(t, truth, given < 2 ? given : HCBR_LABEL_UNKNOWN);
    for (uint32_t i = 0; i < h->case_count; i++)
        if (hcbr_i_tuner_is_in(t, h->fold[i], fold))
            goal.all[h->label[i]] += hcbr_i_heldout_weight(h, i);
    return goal;
}

/** The cut of one part, or of all parts together (HCBR_I_NONE). */
static hcbr_status cut_part(hcbr_i_tuner *t, uint32_t fold, hcbr_cut *out, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_i_cut_goal goal = goal_of(t, fold);
    size_t count = 0;
    hcbr_status st = hcbr_i_tuner_step(t, err);
    if (st != HCBR_OK)
        return st;
    for (uint32_t i = 0; i < h->case_count; i++)
        if (h->winner[i] != HCBR_LABEL_UNKNOWN && hcbr_i_tuner_is_in(t, h->fold[i], fold))
            t->scores[count++] = (hcbr_i_cut_point){hcbr_i_tuner_score(t, h, i),
                                                    hcbr_i_heldout_weight(h, i), h->label[i] == 1};
    return hcbr_i_cut_best(out, t->scores, count, &goal, err);
}

/** The mean of the cuts of all parts but one (HCBR_I_NONE: of all). */
static hcbr_cut mean_cut(const hcbr_i_tuner *t, const hcbr_cut *own, uint32_t but) {
    uint32_t folds = t->out->heldout.fold_count, count = folds - (but != HCBR_I_NONE);
    hcbr_cut mean = {0, 0};
    for (uint32_t fold = 0; fold < folds; fold++)
        if (fold != but) {
            mean.low += own[fold].low / count;
            mean.high += own[fold].high / count;
        }
    return mean;
}

/** As judge(), for cuts. */
static hcbr_status judge_cuts(hcbr_i_tuner *t, const hcbr_cut *own, hcbr_cut *room, bool together,
                              double *value, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    hcbr_status st = HCBR_OK;
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++) {
        t->left_out = fold;
        if (together)
            st = cut_part(t, HCBR_I_NONE, &room[fold], err);
        else
            room[fold] = mean_cut(t, own, fold);
    }
    t->left_out = HCBR_I_NONE;
    t->cuts = room;
    if (st == HCBR_OK)
        *value = hcbr_i_tuner_measure(t, h);
    t->cuts = NULL;
    return st;
}

hcbr_status hcbr_i_tuner_choose_cut(hcbr_i_tuner *t, hcbr_error *err) {
    const hcbr_i_heldout *h = &t->out->heldout;
    double before = hcbr_i_tuner_measure(t, h), mean = 0, all = 0;
    hcbr_cut *own = hcbr_i_alloc(h->fold_count, 2 * sizeof *own), cut = {0, 0};
    t->scores = hcbr_i_alloc(h->case_count, sizeof *t->scores);
    hcbr_status st = own && t->scores ? HCBR_OK : hcbr_i_no_memory(err);
    t->steps = 1 + 2 * (uint64_t)h->fold_count;
    for (uint32_t fold = 0; st == HCBR_OK && fold < h->fold_count; fold++)
        st = cut_part(t, fold, &own[fold], err);
    if (st == HCBR_OK &&
        (st = judge_cuts(t, own, own + h->fold_count, false, &mean, err)) == HCBR_OK &&
        (st = judge_cuts(t, own, own + h->fold_count, true, &all, err)) == HCBR_OK) {
        if (all > mean && all > before)
            st = cut_part(t, HCBR_I_NONE, &cut, err);
        else if (mean > before)
            cut = mean_cut(t, own, HCBR_I_NONE);
        t->out->has_cut = all > before || mean > before;
        t->out->cut = cut;
        hcbr_i_tuner_say_why(t, before, all > mean ? all : mean);
    }
    hcbr_i_free(own);
    return st;
}
