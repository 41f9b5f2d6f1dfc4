/*
 * How much of held-out cases the hypergraph of the others covers, and what that means for accuracy.
 *
 * A rule that answers by the known features of a case and by how many features it has (as a plain
 * model does, whatever its thresholds, METHOD 3) gives the same answer to cases in which both are
 * the same. So among the held-out cases of a fold that are the same in this way at most those of
 * the most frequent label are right; if nothing is known and no label is given, no answer is right.
 * The sum is a limit on the accuracy that no choice of strengths can exceed.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>

#define LOOKED_AT 1000u /* held-out cases whose neighbours are counted, about */

enum { CLASSES = 6 };
static const char *const CLASS_NAMES[CLASSES] = {"none",      "up to 1/4", "up to 1/2",
                                                 "up to 3/4", "below 1",   "all"};

/* Sums over held-out cases; counts are doubles, which hold them exactly. */
typedef struct sums {
    double cases[CLASSES], known[CLASSES], degree[CLASSES], right[CLASSES];
    double limit;                      /* right answers at most */
    double looked, neighbours, lonely; /* of cases whose neighbours were counted */
    double trained;
    bool answers_nothing; /* cases without a known feature are given a label */
} sums;

/* A held-out case as a rule sees it. */
typedef struct seen {
    uint64_t hash[2];
    hcbr_label label;
} seen;

typedef struct cover {
    const study *study;
    const hcbr_evaluation *evaluation;
    study_folds folds;
    sums *by_part;
} cover;

/* Features of the training cases of a part. */
typedef struct trained {
    uint32_t *degree; /* by feature: the number of cases with it */
    uint64_t *start;  /* by feature: its training cases from here on */
    uint64_t *cases;  /* their places */
    uint64_t *stamp;  /* by training case: the last held-out case that met it */
    seen *list;       /* held-out cases */
} trained;

static void trained_clear(trained *t) {
    free(t->degree);
    free(t->start);
    free(t->cases);
    free(t->stamp);
    free(t->list);
}

static hcbr_case case_of(const hcbr_cases *cases, uint64_t index) {
    hcbr_case one = {.size = sizeof one};
    hcbr_cases_get(cases, index, &one);
    return one;
}

static void trained_make(trained *t, const hcbr_cases *cases, const study_lists *lists) {
    uint32_t features = hcbr_cases_get_info(cases).features;
    uint64_t sum = 0;
    t->degree = study_alloc(features, sizeof *t->degree);
    t->start = study_alloc((size_t)features + 1, sizeof *t->start);
    t->stamp = study_alloc(lists->train_count, sizeof *t->stamp);
    t->list = study_alloc(lists->test_count, sizeof *t->list);
    for (uint64_t k = 0; k < lists->train_count; k++) {
        hcbr_case x = case_of(cases, lists->train[k]);
        for (size_t j = 0; j < x.feature_count; j++)
            t->degree[x.features[j]]++;
    }
    for (uint32_t f = 0; f < features; f++) {
        t->start[f] = sum;
        sum += t->degree[f];
    }
    t->cases = study_alloc(sum, sizeof *t->cases);
    for (uint64_t k = 0; k < lists->train_count; k++) {
        hcbr_case x = case_of(cases, lists->train[k]);
        for (size_t j = 0; j < x.feature_count; j++)
            t->cases[t->start[x.features[j]]++] = k;
    }
    for (uint32_t f = 0; f < features; f++)
        t->start[f] -= t->degree[f];
}

/* The class of a share of known features. */
static int class_of(uint64_t known, uint64_t all) {
    if (known == 0)
        return 0;
    if (known == all)
        return CLASSES - 1;
    double share = (double)known / (double)all;
    return share <= 0.25 ? 1 : share <= 0.5 ? 2 : share <= 0.75 ? 3 : 4;
}

/* A hash of a case, feature by feature: cases with the same features have the same. */
static void add_feature(seen *to, uint32_t feature) {
    to->hash[0] += study_mix(feature);
    to->hash[1] += study_mix(~(uint64_t)feature);
}

static void look_at(sums *to, trained *t, const hcbr_case *x, uint64_t k, hcbr_label answer) {
    uint64_t known = 0, degrees = 0, all = x->feature_count;
    seen one = {{study_mix(all), study_mix(~all)}, x->label};
    for (size_t j = 0; j < all; j++) {
        uint32_t f = x->features[j];
        if (!t->degree[f])
            continue;
        known++;
        degrees += t->degree[f];
        add_feature(&one, f);
    }
    int class = class_of(known, all);
    to->cases[class]++;
    to->known[class] += all ? (double)known / (double)all : 0;
    to->degree[class] += known ? (double)degrees / (double)known : 0;
    to->right[class] += answer == x->label;
    if (known == 0 && answer >= 0)
        to->answers_nothing = true;
    t->list[k] = known ? one : (seen){{0, 0}, x->label};
}

/* Training cases that share a feature with it. */
static void count_neighbours(sums *to, trained *t, const hcbr_case *x, uint64_t k) {
    uint64_t met = 0;
    for (size_t j = 0; j < x->feature_count; j++) {
        uint32_t f = x->features[j];
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
    for (int k = 0; k < 2; k++)
        if (x->hash[k] != y->hash[k])
            return x->hash[k] < y->hash[k] ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

/* Right answers at most: among cases with the same hash, those of the most frequent label. */
static double limit_of(seen *list, uint64_t count, bool answers_nothing) {
    double limit = 0;
    qsort(list, count, sizeof *list, by_seen);
    for (uint64_t k = 0; k < count;) {
        uint64_t first = k, most = 0;
        while (k < count && list[k].hash[0] == list[first].hash[0] &&
               list[k].hash[1] == list[first].hash[1]) {
            uint64_t run = k;
            while (k < count && list[k].hash[0] == list[first].hash[0] &&
                   list[k].hash[1] == list[first].hash[1] && list[k].label == list[run].label)
                k++;
            most = k - run > most ? k - run : most;
        }
        bool nothing = list[first].hash[0] == 0 && list[first].hash[1] == 0;
        limit += nothing && !answers_nothing ? 0 : (double)most;
    }
    return limit;
}

static hcbr_status run_part(void *context, uint64_t index, const study_stop *stop,
                            hcbr_error *err) {
    const cover *c = context;
    const hcbr_cases *cases = c->study->cases;
    const uint32_t part = (uint32_t)index;
    sums *to = &c->by_part[part];
    study_lists lists;
    trained t = {0};
    hcbr_status st = HCBR_OK;
    study_lists_make(&lists, &c->folds, part);
    trained_make(&t, cases, &lists);
    /* answers are in the order of the cases, all of them in each repeat */
    uint64_t first = part / c->folds.folds * (c->study->case_count - c->study->stated);
    uint64_t step = 1 + c->study->case_count * c->study->repeats / LOOKED_AT;
    for (uint64_t k = 0; st == HCBR_OK && k < lists.test_count; k++) {
        hcbr_case x = case_of(cases, lists.test[k]);
        hcbr_answer answer = {.size = sizeof answer};
        hcbr_evaluation_get_answer(c->evaluation, first + lists.test[k], &answer);
        look_at(to, &t, &x, k, answer.label);
        if (k % step == 0) {
            count_neighbours(to, &t, &x, k);
            st = study_stopped(stop, err);
        }
    }
    to->limit = limit_of(t.list, lists.test_count, to->answers_nothing);
    to->trained = (double)lists.train_count;
    trained_clear(&t);
    study_lists_clear(&lists);
    return st;
}

/* Of all cases: how many the most frequent label of each set of features has. */
static double best_of_all(const study *s) {
    seen *list = study_alloc(s->case_count, sizeof *list);
    for (uint64_t i = 0; i < s->case_count; i++) {
        hcbr_case x = case_of(s->cases, i);
        list[i] = (seen){{0, 1}, x.label};
        for (size_t j = 0; j < x.feature_count; j++)
            add_feature(&list[i], x.features[j]);
    }
    double best = limit_of(list, s->case_count, true);
    free(list);
    return best;
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

static void put_classes(study *s, const sums *all, double count) {
    static const char *const COLUMNS[] = {"cases", "share", "known", "degree", "accuracy", NULL};
    study_table *t = study_begin(
        s, "known", "held-out cases by the share of their features that training cases have",
        COLUMNS);
    for (int k = 0; k < CLASSES; k++) {
        double *row = study_add(t, CLASS_NAMES[k]);
        row[0] = all->cases[k];
        row[1] = all->cases[k] / count;
        if (all->cases[k] == 0)
            continue;
        row[2] = all->known[k] / all->cases[k];
        row[3] = all->degree[k] / all->cases[k];
        row[4] = all->right[k] / all->cases[k];
    }
}

static void put(const cover *c, study *s) {
    static const char *const VALUE[] = {"value", NULL}, *const ACCURACY[] = {"accuracy", NULL};
    sums all = add_up(c);
    double count = 0, known = 0, degree = 0, right = 0;
    for (int k = 0; k < CLASSES; k++) {
        count += all.cases[k];
        known += all.known[k];
        degree += all.degree[k];
        right += all.right[k];
    }
    put_classes(s, &all, count);
    double covered = all.answers_nothing ? 1 : 1 - all.cases[0] / count;
    study_table *t = study_begin(s, "cover", "a figure of held-out cases, on average", VALUE);
    const double met = count > all.cases[0] ? degree / (count - all.cases[0]) : NAN;
    const struct {
        const char *name;
        double value;
    } FIGURES[] = {{"known", known / count},
                   {"degree", met},
                   {"neighbours", all.neighbours / all.looked},
                   {"without_neighbours", all.lonely / all.looked}};
    for (size_t i = 0; i < sizeof FIGURES / sizeof *FIGURES; i++)
        study_add(t, FIGURES[i].name)[0] = FIGURES[i].value;
    t = study_begin(s, "limits", "an upper limit of accuracy, and what was measured", ACCURACY);
    const double limits[] = {best_of_all(s) / (double)s->case_count, covered, all.limit / count,
                             right / count};
    static const char *const NAMES[] = {"contradictions", "not_covered", "both", "measured"};
    for (int i = 0; i < 4; i++)
        study_add(t, NAMES[i])[0] = limits[i];
    snprintf(s->says, sizeof s->says,
             "%.4f of the features of held-out cases are known, and %.4f of the cases have none "
             "that is. No strengths can give more than %.4f accuracy on them; measured: %.4f.",
             known / count, all.cases[0] / count, limits[2], limits[3]);
}

hcbr_status study_cover(study *s, hcbr_error *err) {
    hcbr_evaluation *e = NULL;
    hcbr_status st = study_evaluate(&e, s, &s->train, 0, err);
    if (st != HCBR_OK)
        return st;
    cover c = {.study = s, .evaluation = e};
    study_folds_of(&c.folds, s, e);
    c.by_part = study_alloc(c.folds.part_count, sizeof *c.by_part);
    st = study_each(s, c.folds.part_count, run_part, &c, err);
    if (st == HCBR_OK)
        put(&c, s);
    free(c.by_part);
    study_folds_clear(&c.folds);
    hcbr_evaluation_free(e);
    return st;
}
