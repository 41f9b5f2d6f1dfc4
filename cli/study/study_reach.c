/*
 * Support from atoms of cases that are reached by hyperpaths, the paper's second proposal for a
 * larger model space.
 *
 * A step goes from a case to one of its features, and from there to a training case that has it,
 * each with the same probability. r_0(x) is the support of x (the second label's minus the
 * first's); r_j(x) is the mean of r_0 over the cases in which j steps end. So r_1 adds the atoms of
 * cases that share a feature with x, each weighted by how much they share, and r_2 those of their
 * neighbours. A hyperpath of length k and a decay d give
 *
 *     r_0(x) + d r_1'(x) + ... + d^k r_k'(x),
 *
 * where r_j' is r_j minus its mean over the training cases, times the ratio of the standard
 * deviations of r_0 and r_j there: means of means are all alike; without this they would be too
 * small to matter, or move the threshold. Time is linear: means by feature, then means by case.
 */
#include "space.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST = 2, DECAYS = 3 };
static const double DECAY[DECAYS] = {0.25, 0.5, 1};
/* no steps, and each length with each decay */
enum { WAYS = 1 + LONGEST * DECAYS };
enum { ACCURACY, MCC, FIGURES };

typedef struct reach {
    study *study;
    study_folds folds;
    double *figures; /* by part and way; NaN: the part has one label */
} reach;

/* Supports of the cases of a matrix. */
static void supports(const space *of, const double *mu, double *out) {
    for (uint32_t i = 0; i < of->case_count; i++) {
        double sum = 0;
        for (uint64_t j = of->start[i]; j < of->start[i + 1]; j++)
            sum += of->weight[j] * mu[of->atom[j]];
        out[i] = sum;
    }
}

/* Mean over the features of a case of the mean over training cases that have the feature. */
static void means(const hcbr_cases *cases, const uint64_t *list, uint64_t count,
                  const double *by_feature, double *out) {
    hcbr_case x = {.size = sizeof x};
    for (uint64_t k = 0; k < count; k++) {
        double sum = 0;
        hcbr_cases_get(cases, list[k], &x);
        for (size_t j = 0; j < x.feature_count; j++)
            sum += by_feature[x.features[j]];
        out[k] = x.feature_count ? sum / (double)x.feature_count : 0;
    }
}

/* One step: from the figures of training cases to those of all cases that reach them. */
static void step(const hcbr_cases *cases, const study_lists *l, const double *from,
                 double *by_feature, uint32_t *degree, double *train, double *test) {
    uint32_t features = hcbr_cases_get_info(cases).features;
    hcbr_case x = {.size = sizeof x};
    memset(by_feature, 0, features * sizeof *by_feature);
    memset(degree, 0, features * sizeof *degree);
    for (uint64_t k = 0; k < l->train_count; k++) {
        hcbr_cases_get(cases, l->train[k], &x);
        for (size_t j = 0; j < x.feature_count; j++) {
            by_feature[x.features[j]] += from[k];
            degree[x.features[j]]++;
        }
    }
    for (uint32_t f = 0; f < features; f++)
        by_feature[f] /= degree[f] ? degree[f] : 1;
    means(cases, l->train, l->train_count, by_feature, train);
    means(cases, l->test, l->test_count, by_feature, test);
}

/* Accuracy and MCC of the signs; a case without a known feature is not answered. */
static void judge(const space *test, const double *score, double *to) {
    double count[2][2] = {{0}}, right = 0;
    for (uint32_t i = 0; i < test->case_count; i++) {
        bool positive = score[i] > 0, known = test->start[i + 1] > test->start[i];
        right += known && positive == test->positive[i];
        count[test->positive[i]][positive]++;
    }
    to[ACCURACY] = right / test->case_count;
    to[MCC] = space_mcc_of(count[1][1], count[0][1], count[1][0], count[0][0]);
}

typedef struct reach_room {
    double *by_feature, *here[2], *there, *score; /* by feature, training case, held-out case */
    uint32_t *degree;
} reach_room;

static void measure(const reach *r, const space_part *p, const reach_room *m, double *to) {
    const hcbr_cases *cases = r->study->cases;
    const study_lists *l = &p->lists;
    supports(&p->train, p->mu, m->here[0]);
    supports(&p->test, p->mu, m->score);
    study_spread first = study_spread_of(m->here[0], l->train_count, 1);
    judge(&p->test, m->score, to);
    for (int d = 0; d < DECAYS; d++) {
        double decay = 1;
        supports(&p->train, p->mu, m->here[0]);
        supports(&p->test, p->mu, m->score);
        for (int k = 1; k <= LONGEST; k++) {
            decay *= DECAY[d];
            step(cases, l, m->here[(k - 1) % 2], m->by_feature, m->degree, m->here[k % 2],
                 m->there);
            study_spread s = study_spread_of(m->here[k % 2], l->train_count, 1);
            double scale = s.sd > 0 ? first.sd / s.sd : 0;
            for (uint64_t i = 0; i < l->test_count; i++)
                m->score[i] += decay * scale * (m->there[i] - s.mean);
            judge(&p->test, m->score, to + (size_t)(1 + (k - 1) * DECAYS + d) * FIGURES);
        }
    }
}

static hcbr_status run_part(void *context, uint64_t index, const study_stop *stop,
                            hcbr_error *err) {
    const reach *r = context;
    double *to = r->figures + index * WAYS * FIGURES;
    space_part p = {0};
    for (int i = 0; i < WAYS * FIGURES; i++)
        to[i] = NAN;
    hcbr_status st = space_part_make(&p, r->study, &r->folds, (uint32_t)index, stop, err);
    if (st == HCBR_OK && p.model) {
        const uint32_t features = hcbr_cases_get_info(r->study->cases).features;
        reach_room m = {.by_feature = study_alloc(features, sizeof *m.by_feature),
                        .here = {study_alloc(p.lists.train_count, sizeof(double)),
                                 study_alloc(p.lists.train_count, sizeof(double))},
                        .there = study_alloc(p.lists.test_count, sizeof *m.there),
                        .score = study_alloc(p.lists.test_count, sizeof *m.score),
                        .degree = study_alloc(features, sizeof *m.degree)};
        measure(r, &p, &m, to);
        free(m.by_feature);
        free(m.here[0]);
        free(m.here[1]);
        free(m.there);
        free(m.score);
        free(m.degree);
    }
    space_part_clear(&p);
    return st;
}

/* ---- a rich model ---------------------------------------------------------------------------- */

/* A rich model on the same folds. */
static hcbr_status run_rich(study *s, hcbr_figure *accuracy, hcbr_figure *mcc, hcbr_error *err) {
    hcbr_evaluation *e = NULL;
    hcbr_train_options train;
    hcbr_train_options_init(&train);
    train.seed = s->train.seed;
    hcbr_status st = study_evaluate(&e, s, &train, 0, err);
    if (st == HCBR_OK) {
        hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, accuracy);
        hcbr_evaluation_get_figure(e, HCBR_METRIC_MCC, HCBR_LABEL_UNKNOWN, mcc);
    }
    hcbr_evaluation_free(e);
    return st;
}

static void put(const reach *r, study *s, const hcbr_figure *accuracy, const hcbr_figure *mcc) {
    static const char *const COLUMNS[] = {"length", "decay",  "accuracy", "accuracy_sd",
                                          "mcc",    "mcc_sd", NULL};
    study_table *t = study_begin(
        s, "reach", "a length of hyperpaths and a decay; means over the folds", COLUMNS);
    double best = -1, best_length = 0, best_decay = 0, plain = NAN;
    for (int w = 0; w < WAYS; w++) {
        const double *from = r->figures + (size_t)w * FIGURES;
        study_spread a = study_spread_of(from + ACCURACY, r->folds.part_count, WAYS * FIGURES);
        study_spread m = study_spread_of(from + MCC, r->folds.part_count, WAYS * FIGURES);
        double length = w ? 1 + (w - 1) / DECAYS : 0, decay = w ? DECAY[(w - 1) % DECAYS] : NAN;
        const double values[6] = {length, decay, a.mean, a.sd, m.mean, m.sd};
        memcpy(study_add(t, w ? "reach" : "plain"), values, sizeof values);
        if (w == 0)
            plain = a.mean;
        else if (a.mean > best) {
            best = a.mean;
            best_length = length;
            best_decay = decay;
        }
    }
    const double rich[6] = {NAN, NAN, accuracy->mean, accuracy->sd, mcc->mean, mcc->sd};
    memcpy(study_add(t, "rich"), rich, sizeof rich);
    snprintf(
        s->says, sizeof s->says,
        "Plain strengths get %.4f; the best of %d ways to add the atoms of other cases, length "
        "%.0f with decay %g, gets %.4f (%+.4f), a rich model %.4f.",
        plain, WAYS - 1, best_length, best_decay, best, best - plain, accuracy->mean);
}

hcbr_status study_reach(study *s, hcbr_error *err) {
    reach r = {.study = s};
    hcbr_figure accuracy = {.size = sizeof accuracy}, mcc = {.size = sizeof mcc};
    if (s->labels != 2)
        return study_fail(err, HCBR_EDATA, "found %u label%s, expected 2 for a study of reach",
                          s->labels, s->labels == 1 ? "" : "s");
    hcbr_status st = study_folds_draw(&r.folds, s, 0, err);
    if (st != HCBR_OK)
        return st;
    r.figures = study_alloc((size_t)r.folds.part_count * WAYS * FIGURES, sizeof *r.figures);
    st = study_each(s, r.folds.part_count, run_part, &r, err);
    if (st == HCBR_OK)
        st = run_rich(s, &accuracy, &mcc, err);
    if (st == HCBR_OK)
        put(&r, s, &accuracy, &mcc);
    free(r.figures);
    study_folds_clear(&r.folds);
    return st;
}
