/*
 * Accuracy against the share of held-out cases that are answered, for increasing thresholds eta of
 * rule R2 (METHOD 3), the same for every label: for the least support and for the least share.
 *
 * A case is answered if its score is above the threshold, so a threshold between two scores is as
 * good as the lower one: only scores that occur are tried. A point is on the frontier if no other
 * point is better in one of the two figures and at least as good in the other.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 100 };

typedef study_scored scored;
typedef study_threshold point;

static int by_score(const void *a, const void *b) {
    const scored *x = a, *y = b;
    return (x->score > y->score) - (x->score < y->score);
}

/* The score that a threshold is about (METHOD 3): of the label with the largest support, also in a
 * plain model that was calibrated. */
static scored score_of(const hcbr_answer *a, uint32_t labels, bool rich, bool share) {
    const double *value = rich ? a->probability : a->support;
    uint32_t best = 0;
    double other = -INFINITY;
    for (uint32_t l = 1; l < labels; l++)
        if (value[l] > value[best])
            best = l;
    for (uint32_t l = 0; l < labels; l++)
        if (l != best && value[l] > other)
            other = value[l];
    double score = value[best];
    if (share) /* as R2: a negative other label always passes */
        score = labels < 2 || other < 0 ? 1 : score + other > 0 ? score / (score + other) : 0.5;
    return (scored){score, a->label == a->truth};
}

/* By descending share answered; returns the number of points. */
static size_t find_points(point *out, const scored *list, size_t count, uint64_t right) {
    size_t n = 0;
    uint64_t answered = count;
    out[n++] = (point){0, answered, right, false};
    for (size_t i = 0; i < count;) {
        double score = list[i].score;
        for (; i < count && list[i].score == score; i++) {
            answered--;
            right -= list[i].right;
        }
        if (score > 0 && answered > 0) // eta = 0 refuses nothing
            out[n++] = (point){score, answered, right, false};
    }
    return n;
}

static double accuracy(const point *p) {
    return (double)p->right / (double)p->answered;
}

/* Points have ever fewer answers: one is on the frontier if it is more accurate than all before
 * it. */
static void find_frontier(point *points, size_t count) {
    double best = -1;
    for (size_t i = 0; i < count; i++) {
        points[i].best = accuracy(&points[i]) > best;
        if (points[i].best)
            best = accuracy(&points[i]);
    }
}

size_t study_thresholds(study_threshold *out, study_scored *list, size_t count) {
    uint64_t right = 0;
    for (size_t i = 0; i < count; i++)
        right += list[i].right;
    qsort(list, count, sizeof *list, by_score);
    size_t n = find_points(out, list, count, right);
    find_frontier(out, n);
    return n;
}

static void put_point(study_table *t, const point *p, uint64_t all) {
    double *row = study_add(t, NULL);
    row[0] = p->eta;
    row[1] = (double)p->answered / (double)all;
    row[2] = accuracy(p);
    if (t->column_count > 3)
        row[3] = p->best;
}

/* About a hundred points of equal share, and the whole frontier. */
static void put_points(study *s, bool share, const point *points, size_t count, uint64_t all) {
    static const char *const COLUMNS[] = {"eta", "answered", "accuracy", "frontier", NULL};
    static const char *const EDGE[] = {"eta", "answered", "accuracy", NULL};
    study_table *t =
        study_begin(s, share ? "eta_share" : "eta",
                    share                               ? "a least share for every label"
                    : s->train.model == HCBR_MODEL_RICH ? "a least probability for every label"
                                                        : "a least support for every label",
                    COLUMNS);
    uint64_t next = all;
    for (size_t i = 0; i < count; i++)
        if (points[i].answered <= next) {
            put_point(t, &points[i], all);
            uint64_t step = (points[i].answered - 1) * STEPS / all;
            next = step * all / STEPS;
        }
    t = study_begin(s, share ? "eta_share_frontier" : "eta_frontier",
                    "a threshold that no other one beats in both figures", EDGE);
    for (size_t i = 0; i < count; i++)
        if (points[i].best)
            put_point(t, &points[i], all);
}

/* The threshold of a point in few digits: any value from its score up to below the next gives the
 * same answers. */
static void print_threshold(char text[HCBR_NUMBER_SIZE], double score, double next) {
    double value = NAN;
    for (int digits = 4; digits <= 17 && !(value >= score && value < next); digits++) {
        size_t length = hcbr_number_round(text, score, digits);
        text[length] = 0;
        (void)!hcbr_number_parse(&value, text, length);
    }
}

/*
 * A sentence about the surest cases. It gives shares of them, not the best threshold: that would be
 * the luckiest one of these cases. most: the largest score.
 */
static void say_surest(study *s, const point *points, size_t count, double most, uint64_t all) {
    static const uint64_t OF[] = {2, 10}; // half of the cases, and a tenth
    int used = snprintf(s->says, sizeof s->says,
                        "Without a threshold %llu of %llu held-out cases are answered, %.1f %% of "
                        "them rightly.",
                        (unsigned long long)points[0].answered, (unsigned long long)all,
                        100 * accuracy(&points[0]));
    for (size_t n = 0; n < 2; n++) {
        const point *p = points;
        char eta[HCBR_NUMBER_SIZE];
        while (p < points + count && p->answered * OF[n] > all)
            p++;
        if (p == points + count) // all scores are equal
            break;
        print_threshold(eta, p->eta, p + 1 < points + count ? p[1].eta : most);
        used += snprintf(s->says + used, sizeof s->says - (size_t)used,
                         " With a threshold of %s the %llu surest %s answered, %.1f %% of them "
                         "rightly.",
                         eta, (unsigned long long)p->answered, p->answered == 1 ? "is" : "are",
                         100 * accuracy(p));
    }
}

static hcbr_status put_rule(study *s, const hcbr_evaluation *e, bool share, scored *list,
                            point *points, hcbr_error *err) {
    uint64_t all = hcbr_evaluation_answer_count(e), count = 0;
    for (uint64_t i = 0; i < all; i++) {
        hcbr_answer answer = {.size = sizeof answer};
        hcbr_evaluation_get_answer(e, i, &answer);
        if (answer.label < 0) // nothing known
            continue;
        list[count++] = score_of(&answer, s->labels, s->train.model == HCBR_MODEL_RICH, share);
    }
    if (count == 0)
        return study_fail(err, HCBR_EDATA,
                          "found no held-out case with a known feature, expected some");
    size_t n = study_thresholds(points, list, count);
    if (!share)
        say_surest(s, points, n, list[count - 1].score, all);
    put_points(s, share, points, n, all);
    return HCBR_OK;
}

hcbr_status study_pareto(study *s, hcbr_error *err) {
    hcbr_evaluation *e = NULL;
    hcbr_status st = study_evaluate(&e, s, &s->train, 0, err);
    if (st != HCBR_OK)
        return st;
    size_t count = (size_t)hcbr_evaluation_answer_count(e);
    scored *list = study_alloc(count, sizeof *list);
    point *points = study_alloc(count + 1, sizeof *points);
    st = put_rule(s, e, false, list, points, err);
    if (st == HCBR_OK)
        st = put_rule(s, e, true, list, points, err);
    free(list);
    free(points);
    hcbr_evaluation_free(e);
    return st;
}
