/*
 * How much of held-out cases the hypergraph of the others covers, and what that means for accuracy.
 *
 * A rule that answers by the known features of a case and by how many features it has (as a plain
 * model does, whatever its thresholds, METHOD 3) gives the same answer to cases in which both are
 * the same. So among the held-out cases of a fold that are the same in this way at most those of
 * the most frequent label are right, and where nothing is known and no label is given, none is.
 * Added up this is a limit on the accuracy that no choice of strengths can exceed.
 */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOKED_AT 1000u /* held-out cases whose neighbours are counted, about */

enum { CLASSES = 6 };
static const char *const CLASS_NAMES[CLASSES] = {"none",      "up to 1/4", "up to 1/2",
                                                 "up to 3/4", "below 1",   "all"};

/* Sums over held-out cases; counts are doubles, which hold them exactly. */
typedef struct sums {
    double cases[CLASSES], known[CLASSES], degree[CLASSES], right[CLASSES];
    double limit;                      /* right answers at the most */
    double looked, neighbours, lonely; /* those whose neighbours were counted */
    double trained;
    bool answers_nothing; /* cases of which nothing is known are given a label */
} sums;

/* A held-out case as a rule sees it. */
typedef struct seen {
    uint64_t hash[2];
    uint32_t label;
} seen;

typedef struct cover {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    sums *by_part;
} cover;

/* What the training cases of a part have. */
typedef struct trained {
    uint32_t *degree;  /* by feature: how many of them have it */
    uint64_t *start;   /* by feature: its training cases from here on */
    uint32_t *cases;   /* their places */
    uint32_t *stamp;   /* by training case: the last held-out case that met it */
    seen *list;        /* held-out cases */
    hcbr_label *label; /* what they were answered */
} trained;

static void trained_clear(trained *t) {
    hcbr_i_free(t->degree);
    hcbr_i_free(t->start);
    hcbr_i_free(t->cases);
    hcbr_i_free(t->stamp);
    hcbr_i_free(t->list);
    hcbr_i_free(t->label);
}

static hcbr_status trained_make(trained *t, const struct hcbr_cases *cases,
                                const hcbr_i_study_lists *lists, hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(cases->dict);
    uint64_t sum = 0;
    t->degree = hcbr_i_alloc_zero(features, sizeof *t->degree);
    t->start = hcbr_i_alloc_zero((size_t)features + 1, sizeof *t->start);
    t->stamp = hcbr_i_alloc_zero(lists->train_count, sizeof *t->stamp);
    t->list = hcbr_i_alloc(lists->test_count, sizeof *t->list);
    t->label = hcbr_i_alloc(lists->test_count, sizeof *t->label);
    if (!t->degree || !t->start || !t->stamp || !t->list || !t->label)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < lists->train_count; k++)
        for (uint64_t j = cases->start[lists->train[k]]; j < cases->start[lists->train[k] + 1]; j++)
            t->degree[cases->features[j]]++;
    for (uint32_t f = 0; f < features; f++) {
        t->start[f] = sum;
        sum += t->degree[f];
    }
    if (!(t->cases = hcbr_i_alloc(sum, sizeof *t->cases)))
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < lists->train_count; k++)
        for (uint64_t j = cases->start[lists->train[k]]; j < cases->start[lists->train[k] + 1]; j++)
            t->cases[t->start[cases->features[j]]++] = k;
    for (uint32_t f = 0; f < features; f++)
        t->start[f] -= t->degree[f];
    return HCBR_OK;
}

/* By the share of its features that are known. */
static int class_of(uint64_t known, uint64_t all) {
    if (known == 0)
        return 0;
    if (known == all)
        return CLASSES - 1;
    double share = (double)known / (double)all;
    return share <= 0.25 ? 1 : share <= 0.5 ? 2 : share <= 0.75 ? 3 : 4;
}

static void look_at(sums *to, trained *t, const struct hcbr_cases *cases, uint32_t k, uint32_t i) {
    uint64_t known = 0, degrees = 0, all = cases->start[i + 1] - cases->start[i];
    uint64_t hash[2] = {hcbr_i_mix(all), hcbr_i_mix(~all)};
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++) {
        uint32_t f = cases->features[j];
        if (!t->degree[f])
            continue;
        known++;
        degrees += t->degree[f];
        hash[0] += hcbr_i_mix(f);
        hash[1] += hcbr_i_mix(~(uint64_t)f);
    }
    int class = class_of(known, all);
    to->cases[class]++;
    to->known[class] += all ? (double)known / (double)all : 0;
    to->degree[class] += known ? (double)degrees / (double)known : 0;
    to->right[class] += t->label[k] == (hcbr_label)cases->label[i];
    if (known == 0 && t->label[k] >= 0)
        to->answers_nothing = true;
    t->list[k] = (seen){{known ? hash[0] : 0, known ? hash[1] : 0}, cases->label[i]};
}

/* Training cases that share a feature with it. */
static void count_neighbours(sums *to, trained *t, const struct hcbr_cases *cases, uint32_t k,
                             uint32_t i) {
    uint64_t met = 0;
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++) {
        uint32_t f = cases->features[j];
        for (uint64_t c = t->start[f]; c < t->start[f] + t->degree[f]; c++)
            if (t->stamp[t->cases[c]] != k + 1) {
                t->stamp[t->cases[c]] = k + 1;
                met++;
            }
    }
    to->looked++;
    to->neighbours += (double)met;
    to->lonely += met == 0;
}

static int by_seen(const void *a, const void *b) {
    const seen *x = a, *y = b;
    int order = hcbr_i_order_u64(x->hash[0], y->hash[0]);
    if (!order)
        order = hcbr_i_order_u64(x->hash[1], y->hash[1]);
    return order ? order : hcbr_i_order_u32(x->label, y->label);
}

/* Right answers at the most: of cases that are seen alike, those of the most frequent label. */
static double limit_of(seen *list, uint32_t count, bool answers_nothing) {
    double limit = 0;
    qsort(list, count, sizeof *list, by_seen);
    for (uint32_t k = 0; k < count;) {
        uint32_t first = k, most = 0;
        while (k < count && list[k].hash[0] == list[first].hash[0] &&
               list[k].hash[1] == list[first].hash[1]) {
            uint32_t run = k;
            while (k < count && list[k].hash[0] == list[first].hash[0] &&
                   list[k].hash[1] == list[first].hash[1] && list[k].label == list[run].label)
                k++;
            most = k - run > most ? k - run : most;
        }
        bool nothing = list[first].hash[0] == 0 && list[first].hash[1] == 0;
        limit += nothing && !answers_nothing ? 0 : most;
    }
    return limit;
}

static hcbr_status run_part(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                            hcbr_error *err) {
    const cover *c = context;
    const struct hcbr_cases *cases = c->job->cases;
    sums *to = &c->by_part[index];
    hcbr_i_study_lists lists;
    trained t = {0};
    hcbr_status st = hcbr_i_study_lists_make(&lists, &c->folds, (uint32_t)index, err);
    if (st != HCBR_OK)
        return st;
    st = trained_make(&t, cases, &lists, err);
    hcbr_i_study_trial trial = {.train = lists.train,
                                .test = lists.test,
                                .train_count = lists.train_count,
                                .test_count = lists.test_count,
                                .options = c->job->train,
                                .label = t.label};
    if (st == HCBR_OK)
        st = hcbr_i_study_try(&trial, c->job, stop, err);
    uint32_t step = (uint32_t)(1 + (uint64_t)cases->case_count * c->folds.repeats / LOOKED_AT);
    for (uint32_t k = 0; st == HCBR_OK && k < lists.test_count; k++) {
        look_at(to, &t, cases, k, lists.test[k]);
        if (k % step == 0) {
            count_neighbours(to, &t, cases, k, lists.test[k]);
            if (stop->ask(stop->context, NULL, 0, 0))
                st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
        }
    }
    if (st == HCBR_OK)
        to->limit = limit_of(t.list, lists.test_count, to->answers_nothing);
    to->trained = lists.train_count;
    trained_clear(&t);
    hcbr_i_study_lists_clear(&lists);
    return st;
}

/* Of all cases: how many the most frequent label of each set of features has. */
static hcbr_status best_of_all(const hcbr_i_study_job *job, double *out, hcbr_error *err) {
    uint32_t count = job->cases->case_count;
    seen *list = hcbr_i_alloc(count, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (seen){{job->same[i], 1}, job->cases->label[i]};
    *out = limit_of(list, count, true);
    hcbr_i_free(list);
    return HCBR_OK;
}

static sums add_up(const cover *c) {
    sums all = {0};
    for (uint32_t p = 0; p < c->folds.part_count; p++) {
        const sums *one = &c->by_part[p];
        for (int k = 0; k < CLASSES; k++) {
            all.cases[k] += one->cases[k];
            all.known[k] += one->known[k];
            all.degree[k] += one->degree[k];
            all.right[k] += one->right[k];
        }
        all.limit += one->limit;
        all.looked += one->looked;
        all.neighbours += one->neighbours / one->trained;
        all.lonely += one->lonely;
        all.answers_nothing = all.answers_nothing || one->answers_nothing;
    }
    return all;
}

static hcbr_status put_classes(hcbr_study *s, const sums *all, double count, hcbr_error *err) {
    static const char *const COLUMNS[] = {"cases", "share", "known", "degree", "accuracy", NULL};
    hcbr_i_study_table *t = hcbr_i_study_begin(
        s, "known", "held-out cases by the share of their features that training cases have",
        COLUMNS);
    for (int k = 0; k < CLASSES; k++) {
        double *row = hcbr_i_study_add(t, CLASS_NAMES[k]);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = all->cases[k];
        row[1] = all->cases[k] / count;
        if (all->cases[k] == 0)
            continue;
        row[2] = all->known[k] / all->cases[k];
        row[3] = all->degree[k] / all->cases[k];
        row[4] = all->right[k] / all->cases[k];
    }
    return HCBR_OK;
}

static hcbr_status put_figure(hcbr_i_study_table *t, const char *name, double value,
                              hcbr_error *err) {
    double *row = hcbr_i_study_add(t, name);
    if (!row)
        return hcbr_i_no_memory(err);
    row[0] = value;
    return HCBR_OK;
}

static hcbr_status put(const cover *c, hcbr_error *err) {
    static const char *const VALUE[] = {"value", NULL}, *const ACCURACY[] = {"accuracy", NULL};
    hcbr_study *s = c->job->study;
    sums all = add_up(c);
    double count = 0, known = 0, degree = 0, right = 0, best = 0;
    for (int k = 0; k < CLASSES; k++) {
        count += all.cases[k];
        known += all.known[k];
        degree += all.degree[k];
        right += all.right[k];
    }
    hcbr_status st = best_of_all(c->job, &best, err);
    if (st == HCBR_OK)
        st = put_classes(s, &all, count, err);
    double covered = all.answers_nothing ? 1 : 1 - all.cases[0] / count;
    hcbr_i_study_table *t =
        hcbr_i_study_begin(s, "cover", "a figure of held-out cases, on average", VALUE);
    const double met = count > all.cases[0] ? degree / (count - all.cases[0]) : NAN;
    const struct {
        const char *name;
        double value;
    } FIGURES[] = {{"known", known / count},
                   {"degree", met},
                   {"neighbours", all.neighbours / all.looked},
                   {"without_neighbours", all.lonely / all.looked}};
    for (size_t i = 0; st == HCBR_OK && i < sizeof FIGURES / sizeof *FIGURES; i++)
        st = put_figure(t, FIGURES[i].name, FIGURES[i].value, err);
    t = hcbr_i_study_begin(s, "limits", "an upper limit of accuracy, and what was measured",
                           ACCURACY);
    const double limits[] = {best / c->job->cases->case_count, covered, all.limit / count,
                             right / count};
    static const char *const NAMES[] = {"contradictions", "not_covered", "both", "measured"};
    for (int i = 0; st == HCBR_OK && i < 4; i++)
        st = put_figure(t, NAMES[i], limits[i], err);
    snprintf(s->says, sizeof s->says,
             "%.4f of the features of held-out cases are known, and %.4f of the cases have none "
             "that is. No strengths can give more than %.4f accuracy on them; measured: %.4f.",
             known / count, all.cases[0] / count, limits[2], limits[3]);
    return st;
}

hcbr_status hcbr_i_study_cover(hcbr_i_study_job *job, hcbr_error *err) {
    cover c = {.job = job};
    hcbr_status st = hcbr_i_study_folds_make(&c.folds, job, 0, err);
    if (st != HCBR_OK)
        return st;
    c.by_part = hcbr_i_alloc_zero(c.folds.part_count, sizeof *c.by_part);
    st = c.by_part ? hcbr_i_each(c.folds.part_count, &job->each, run_part, &c, err)
                   : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = put(&c, err);
    hcbr_i_free(c.by_part);
    hcbr_i_study_folds_clear(&c.folds);
    return st;
}
