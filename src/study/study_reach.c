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
 * deviations of r_0 and r_j there: means of means are all alike, and would else be too small to
 * matter or move the threshold. Time is linear: means by feature, then means by case.
 */
#include "study/space.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST = 2, DECAYS = 3 };
static const double DECAY[DECAYS] = {0.25, 0.5, 1};
/* without steps, and each length with each decay */
enum { WAYS = 1 + LONGEST * DECAYS };
enum { ACCURACY, MCC, FIGURES };

typedef struct reach {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    double *figures; /* by part and way; NaN: the part has one label */
} reach;

/* Supports of the cases of a matrix. */
static void supports(const hcbr_i_space *space, const double *mu, double *out) {
    for (uint32_t i = 0; i < space->case_count; i++) {
        double sum = 0;
        for (uint64_t j = space->start[i]; j < space->start[i + 1]; j++)
            sum += space->weight[j] * mu[space->atom[j]];
        out[i] = sum;
    }
}

/* Mean over the features of a case of the mean over training cases that have the feature. */
static void means(const struct hcbr_cases *cases, const uint32_t *list, uint32_t count,
                  const double *by_feature, double *out) {
    for (uint32_t k = 0; k < count; k++) {
        uint64_t first = cases->start[list[k]], last = cases->start[list[k] + 1];
        double sum = 0;
        for (uint64_t j = first; j < last; j++)
            sum += by_feature[cases->features[j]];
        out[k] = last > first ? sum / (double)(last - first) : 0;
    }
}

/* One step: from figures of the training cases to those of all cases that reach them. */
static void step(const struct hcbr_cases *cases, const hcbr_i_study_lists *l, const double *from,
                 double *by_feature, uint32_t *degree, double *train, double *test) {
    uint32_t features = hcbr_i_dict_count(cases->dict);
    memset(by_feature, 0, features * sizeof *by_feature);
    memset(degree, 0, features * sizeof *degree);
    for (uint32_t k = 0; k < l->train_count; k++)
        for (uint64_t j = cases->start[l->train[k]]; j < cases->start[l->train[k] + 1]; j++) {
            by_feature[cases->features[j]] += from[k];
            degree[cases->features[j]]++;
        }
    for (uint32_t f = 0; f < features; f++)
        by_feature[f] /= degree[f] ? degree[f] : 1;
    means(cases, l->train, l->train_count, by_feature, train);
    means(cases, l->test, l->test_count, by_feature, test);
}

/* Accuracy and MCC of the signs; a case of which nothing is known is not answered. */
static void judge(const hcbr_i_space *test, const double *score, double *to) {
    double count[2][2] = {{0}}, right = 0;
    for (uint32_t i = 0; i < test->case_count; i++) {
        bool positive = score[i] > 0, known = test->start[i + 1] > test->start[i];
        right += known && positive == test->positive[i];
        count[test->positive[i]][positive]++;
    }
    to[ACCURACY] = right / test->case_count;
    to[MCC] = hcbr_i_space_mcc_of(count[1][1], count[0][1], count[1][0], count[0][0]);
}

typedef struct reach_room {
    double *by_feature, *here[2], *there, *score; /* by feature, training case, held-out case */
    uint32_t *degree;
} reach_room;

static void measure(const reach *r, const hcbr_i_space_part *p, const reach_room *m, double *to) {
    const struct hcbr_cases *cases = r->job->cases;
    const hcbr_i_study_lists *l = &p->lists;
    supports(&p->train, p->mu, m->here[0]);
    supports(&p->test, p->mu, m->score);
    hcbr_i_spread first = hcbr_i_study_spread(m->here[0], l->train_count, 1);
    judge(&p->test, m->score, to);
    for (int d = 0; d < DECAYS; d++) {
        double decay = 1;
        supports(&p->train, p->mu, m->here[0]);
        supports(&p->test, p->mu, m->score);
        for (int k = 1; k <= LONGEST; k++) {
            decay *= DECAY[d];
            step(cases, l, m->here[(k - 1) % 2], m->by_feature, m->degree, m->here[k % 2],
                 m->there);
            hcbr_i_spread s = hcbr_i_study_spread(m->here[k % 2], l->train_count, 1);
            double scale = s.sd > 0 ? first.sd / s.sd : 0;
            for (uint32_t i = 0; i < l->test_count; i++)
                m->score[i] += decay * scale * (m->there[i] - s.mean);
            judge(&p->test, m->score, to + (size_t)(1 + (k - 1) * DECAYS + d) * FIGURES);
        }
    }
}

static hcbr_status run_part(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                            hcbr_error *err) {
    const reach *r = context;
    double *to = r->figures + index * WAYS * FIGURES;
    hcbr_i_space_part p = {0};
    reach_room m = {0};
    for (int i = 0; i < WAYS * FIGURES; i++)
        to[i] = NAN;
    hcbr_status st = hcbr_i_space_part_make(&p, r->job, &r->folds, (uint32_t)index, stop, err);
    if (st == HCBR_OK && p.model) {
        uint32_t features = hcbr_i_dict_count(r->job->cases->dict);
        m.by_feature = hcbr_i_alloc(features, sizeof *m.by_feature);
        m.degree = hcbr_i_alloc(features, sizeof *m.degree);
        m.here[0] = hcbr_i_alloc(p.lists.train_count, sizeof(double));
        m.here[1] = hcbr_i_alloc(p.lists.train_count, sizeof(double));
        m.there = hcbr_i_alloc(p.lists.test_count, sizeof *m.there);
        m.score = hcbr_i_alloc(p.lists.test_count, sizeof *m.score);
        bool ok = m.by_feature && m.degree && m.here[0] && m.here[1] && m.there && m.score;
        if (ok)
            measure(r, &p, &m, to);
        else
            st = hcbr_i_no_memory(err);
    }
    hcbr_i_free(m.by_feature);
    hcbr_i_free(m.degree);
    hcbr_i_free(m.here[0]);
    hcbr_i_free(m.here[1]);
    hcbr_i_free(m.there);
    hcbr_i_free(m.score);
    hcbr_i_space_part_clear(&p);
    return st;
}

/* ---- beside it ------------------------------------------------------------------------------- */

/* A rich model on the same folds. */
static hcbr_status run_rich(const hcbr_i_study_job *job, hcbr_figure *accuracy, hcbr_figure *mcc,
                            hcbr_error *err) {
    hcbr_evaluation *e = NULL;
    hcbr_evaluate_options o;
    hcbr_train_options train;
    hcbr_train_options_init(&train);
    train.seed = job->train.seed;
    hcbr_evaluate_options_init(&o);
    o.equal = HCBR_EQUAL_APART;
    o.folds = job->study->folds;
    o.repeats = job->study->repeats;
    o.seed = job->study->seed;
    o.threads = job->options->threads;
    o.train = &train;
    o.progress = job->options->progress;
    o.progress_context = job->options->progress_context;
    hcbr_status st = hcbr_evaluate(&e, job->cases, &o, err);
    accuracy->size = mcc->size = sizeof *mcc;
    if (st == HCBR_OK) {
        hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, accuracy);
        hcbr_evaluation_get_figure(e, HCBR_METRIC_MCC, HCBR_LABEL_UNKNOWN, mcc);
    }
    hcbr_evaluation_free(e);
    return st;
}

static hcbr_status put_row(hcbr_i_study_table *t, const char *name, const double values[6],
                           hcbr_error *err) {
    double *row = hcbr_i_study_add(t, name);
    if (!row)
        return hcbr_i_no_memory(err);
    memcpy(row, values, 6 * sizeof *row);
    return HCBR_OK;
}

static hcbr_status put(const reach *r, const hcbr_figure *accuracy, const hcbr_figure *mcc,
                       hcbr_error *err) {
    static const char *const COLUMNS[] = {"length", "decay",  "accuracy", "accuracy_sd",
                                          "mcc",    "mcc_sd", NULL};
    static const char *const NAMES[] = {"plain", "reach"};
    hcbr_study *s = r->job->study;
    hcbr_i_study_table *t = hcbr_i_study_begin(
        s, "reach", "a length of hyperpaths and a decay; means over the folds", COLUMNS);
    double best = -1, best_length = 0, best_decay = 0, plain = NAN;
    hcbr_status st = HCBR_OK;
    for (int w = 0; st == HCBR_OK && w < WAYS; w++) {
        const double *from = r->figures + (size_t)w * FIGURES;
        hcbr_i_spread a = hcbr_i_study_spread(from + ACCURACY, r->folds.part_count, WAYS * FIGURES);
        hcbr_i_spread m = hcbr_i_study_spread(from + MCC, r->folds.part_count, WAYS * FIGURES);
        double length = w ? 1 + (w - 1) / DECAYS : 0, decay = w ? DECAY[(w - 1) % DECAYS] : NAN;
        const double values[6] = {length, decay, a.mean, a.sd, m.mean, m.sd};
        st = put_row(t, NAMES[w > 0], values, err);
        if (w == 0)
            plain = a.mean;
        else if (a.mean > best) {
            best = a.mean;
            best_length = length;
            best_decay = decay;
        }
    }
    const double rich[6] = {NAN, NAN, accuracy->mean, accuracy->sd, mcc->mean, mcc->sd};
    if (st == HCBR_OK)
        st = put_row(t, "rich", rich, err);
    snprintf(
        s->says, sizeof s->says,
        "Plain strengths get %.4f; the best of %d ways to add the atoms of other cases, length "
        "%.0f with decay %g, gets %.4f (%+.4f), a rich model %.4f.",
        plain, WAYS - 1, best_length, best_decay, best, best - plain, accuracy->mean);
    return st;
}

hcbr_status hcbr_i_study_reach(hcbr_i_study_job *job, hcbr_error *err) {
    reach r = {.job = job};
    hcbr_figure accuracy = {0}, mcc = {0};
    if (job->cases->labels.count != 2)
        return hcbr_i_fail(err, HCBR_EDATA, "found %u label%s, expected 2 for a study of reach",
                           job->cases->labels.count, job->cases->labels.count == 1 ? "" : "s");
    hcbr_status st = hcbr_i_study_folds_make(&r.folds, job, 0, err);
    if (st != HCBR_OK)
        return st;
    r.figures = hcbr_i_alloc((size_t)r.folds.part_count * WAYS * FIGURES, sizeof *r.figures);
    st = r.figures ? hcbr_i_each(r.folds.part_count, &job->each, run_part, &r, err)
                   : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = run_rich(job, &accuracy, &mcc, err);
    if (st == HCBR_OK)
        st = put(&r, &accuracy, &mcc, err);
    hcbr_i_free(r.figures);
    hcbr_i_study_folds_clear(&r.folds);
    return st;
}
