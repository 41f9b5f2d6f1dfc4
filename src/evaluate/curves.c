/*
 * Curves of held-out cases by their score for a label: ROC, precision by recall, lift.
 *
 * Invariant: a point covers all cases with at least its score, so cases with equal scores are one
 * point and their order does not matter.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <stdlib.h>

typedef struct scored {
    double score;
    bool has;
} scored;

static int compare_scores(const void *a, const void *b) {
    return hcbr_i_order_double(((const scored *)b)->score, ((const scored *)a)->score);
}

/* Support of a label minus the best other one. */
static double score_of(const double *support, uint32_t labels, uint32_t label) {
    double best = -INFINITY;
    for (uint32_t l = 0; l < labels; l++)
        if (l != label && support[l] > best)
            best = support[l];
    return labels > 1 ? support[label] - best : support[label];
}

/* The answers of the first repeat; *have: how many have the label. */
static uint64_t take_scores(const hcbr_evaluation *e, uint32_t label, scored *list, double *have) {
    uint64_t count = 0;
    *have = 0;
    for (uint64_t i = 0; i < e->answer_count; i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(e, i, &a);
        if (a.repeat > 0)
            continue;
        bool has = a.truth == (hcbr_label)label;
        list[count++] = (scored){score_of(a.support, e->labels.count, label), has};
        *have += has;
    }
    qsort(list, (size_t)count, sizeof *list, compare_scores);
    return count;
}

static hcbr_curve_point point_of(hcbr_curve_kind kind, double hits, double taken, double have,
                                 double all, double score) {
    switch (kind) {
    case HCBR_CURVE_ROC:
        return (hcbr_curve_point){(taken - hits) / (all - have), hits / have, score};
    case HCBR_CURVE_PR:
        return (hcbr_curve_point){hits / have, hits / taken, score};
    case HCBR_CURVE_LIFT:
        break;
    }
    return (hcbr_curve_point){taken / all, hits / taken / (have / all), score};
}

static size_t draw(hcbr_curve_kind kind, const scored *list, uint64_t count, double have,
                   hcbr_curve_point *out) {
    double hits = 0, all = (double)count;
    size_t n = 0;
    if (have == 0 || (kind == HCBR_CURVE_ROC && have == all))
        return 0;
    if (kind == HCBR_CURVE_ROC)
        out[n++] = (hcbr_curve_point){0, 0, INFINITY};
    for (uint64_t i = 0; i < count; i++) {
        hits += list[i].has;
        if (i + 1 == count || list[i + 1].score != list[i].score)
            out[n++] = point_of(kind, hits, (double)(i + 1), have, all, list[i].score);
    }
    return n;
}

hcbr_status hcbr_evaluation_copy_curve(const hcbr_evaluation *e, hcbr_curve_kind kind,
                                       hcbr_label label, hcbr_curve_point **out, size_t *count,
                                       hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "evaluation, out, count", e, out, count))
        return HCBR_EUSAGE;
    double have;
    *out = NULL;
    *count = 0;
    if (e->answer_count == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the evaluation has not kept its answers");
    if ((unsigned)kind > HCBR_CURVE_LIFT)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found a curve of kind %d, expected 0 to 2",
                           (int)kind);
    scored *list = hcbr_i_alloc((size_t)e->answer_count, sizeof *list);
    hcbr_curve_point *points = hcbr_i_alloc((size_t)e->answer_count + 1, sizeof *points);
    hcbr_status st = list && points ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        uint64_t taken = take_scores(e, (uint32_t)label, list, &have);
        *count = draw(kind, list, taken, have, points);
        *out = points;
        points = NULL; // now the caller's
    }
    hcbr_i_free(list);
    hcbr_i_free(points);
    return st;
}
