/*
 * Time to build a plain model of the paper's synthetic cases, as their number and their size grow:
 * case i has the features i, ..., i + m, so every case shares features with its neighbours and the
 * number of atoms is the largest possible. One thread; the shortest of several runs counts. The
 * runs of all sizes take turns, so that other load of the machine affects all of them.
 *
 * Sizes are such that a step does the same for all of them. The smallest number of cases is one
 * whose data have left the processor's own caches, and from which on all steps prefetch: below it a
 * run is faster for that reason alone, and the growth would be that of the caches. The smallest
 * size is one where features take nearly all of the time, rather than cases and atoms; the largest
 * is the number of cases, after which there are no more atoms.
 *
 * A phase lasts from the progress report that names it to the report that names the next one.
 */
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { PARTITION, STRENGTH, TRAIN, WHOLE, PHASES };
static const char *const STAGES[] = {"partition", "strength", "train"};

enum {
    LEAST_ROUNDS = 7, /* runs of each size */
    SIZE = 10,        /* m while the number of cases grows */
    COUNT = 1024,     /* N while their size grows */
    CASE_STEPS = 4,
    SIZE_STEPS = 5,
    MOST_STEPS = SIZE_STEPS
};
static const uint32_t CASES[CASE_STEPS] = {65536, 131072, 262144, 524288};
static const uint32_t SIZES[SIZE_STEPS] = {256, 362, 512, 724, 1024};
#define LONG 0.5 /* seconds for all sizes that are enough */

/* A number and a size of cases, and the measurements. */
typedef struct shape {
    uint32_t count, size;
    hcbr_cases *cases;
    double best[PHASES], atoms;
} shape;

typedef struct stopwatch {
    study *study;
    double begin[PHASES + 1];
    int phase; /* the running one; -1: none yet */
    uint64_t done, total;
    int stopped;
} stopwatch;

/* CPU time of this thread: others may be using the machine. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Progress of training: a new stage begins. */
static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    stopwatch *w = context;
    const study *s = w->study;
    (void)done, (void)total;
    for (int p = w->phase + 1; p < WHOLE; p++)
        if (strcmp(stage, STAGES[p]) == 0) {
            w->begin[p] = seconds();
            w->phase = p;
        }
    if (!w->stopped && s->progress)
        w->stopped = s->progress(s->progress_context, "study", w->done, w->total) != 0;
    return w->stopped;
}

static hcbr_status make_cases(hcbr_cases **out, uint32_t count, uint32_t size, uint64_t seed,
                              hcbr_error *err) {
    hcbr_labelled_case one;
    hcbr_feature *features = study_alloc(size + 1, sizeof *features);
    char(*names)[12] = study_alloc((size_t)count + size + 1, sizeof *names);
    *out = NULL;
    hcbr_status st = hcbr_cases_create(out, seed + 1, err);
    for (uint32_t f = 0; st == HCBR_OK && f <= count + size; f++)
        snprintf(names[f], sizeof names[f], "%u", f);
    hcbr_labelled_case_init(&one);
    one.features = features;
    one.feature_count = size + 1;
    for (uint32_t i = 0; st == HCBR_OK && i < count; i++) {
        for (uint32_t k = 0; k <= size; k++)
            features[k] = (hcbr_feature){names[i + k], strlen(names[i + k]), NULL, 0};
        one.label = study_mix(seed + i) & 1 ? "+" : "-";
        st = hcbr_cases_add(*out, &one, err);
    }
    if (st == HCBR_OK)
        st = hcbr_cases_finish(*out, err);
    if (st != HCBR_OK) {
        hcbr_cases_free(*out);
        *out = NULL;
    }
    free(features);
    free(names);
    return st;
}

/* Build a model once; keep the least seconds of each phase. */
static hcbr_status measure(shape *one, stopwatch *w, hcbr_error *err) {
    hcbr_train_options o = w->study->train;
    hcbr_model *model = NULL;
    o.threads = 1;
    o.consume = 0;
    o.keep = HCBR_KEEP_NONE;
    o.progress = watch;
    o.progress_context = w;
    w->phase = -1;
    double begin = seconds();
    hcbr_status st = hcbr_model_train(&model, one->cases, &o, err);
    if (st != HCBR_OK)
        return st;
    w->begin[WHOLE] = seconds();
    for (int p = 0; p < WHOLE; p++)
        one->best[p] = fmin(one->best[p], w->begin[p + 1] - w->begin[p]);
    one->best[WHOLE] = fmin(one->best[WHOLE], w->begin[WHOLE] - begin);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    one->atoms = info.atoms;
    hcbr_model_free(model);
    return HCBR_OK;
}

/* Rounds of all sizes; the first one makes the cases. */
static hcbr_status measure_all(shape *all, uint32_t steps, stopwatch *w, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    double spent = 0;
    for (int round = 0; st == HCBR_OK && (round < LEAST_ROUNDS || spent < LONG); round++)
        for (uint32_t k = 0; st == HCBR_OK && k < steps; k++) {
            shape *one = &all[k];
            if (!one->cases)
                st = make_cases(&one->cases, one->count, one->size, w->study->seed, err);
            double begin = seconds();
            if (st == HCBR_OK)
                st = measure(one, w, err);
            spent += seconds() - begin;
            w->done += round < LEAST_ROUNDS;
        }
    for (uint32_t k = 0; k < steps; k++)
        hcbr_cases_free(all[k].cases);
    return st;
}

static const char *const COLUMNS[] = {"cases",    "size",  "atoms", "partition",
                                      "strength", "train", "all",   NULL};

static hcbr_status sweep(stopwatch *w, const char *name, const char *says, bool by_size,
                         hcbr_error *err) {
    study_table *t = study_begin(w->study, name, says, COLUMNS);
    const uint32_t steps = by_size ? SIZE_STEPS : CASE_STEPS;
    shape all[MOST_STEPS] = {0};
    for (uint32_t k = 0; k < steps; k++) {
        all[k].count = by_size ? COUNT : CASES[k];
        all[k].size = by_size ? SIZES[k] : SIZE;
        for (int p = 0; p < PHASES; p++)
            all[k].best[p] = INFINITY;
    }
    hcbr_status st = measure_all(all, steps, w, err);
    for (uint32_t k = 0; st == HCBR_OK && k < steps; k++) {
        double *row = study_add(t, NULL);
        row[0] = all[k].count;
        row[1] = all[k].size;
        row[2] = all[k].atoms;
        memcpy(row + 3, all[k].best, sizeof all[k].best);
    }
    return st;
}

/* The exponent of each phase, from the rows of a table, against the features of all cases: that of
 * N, or of the m + 1 features of a case. */
static void fit(study_table *to, const char *name, const study_table *t) {
    double x[MOST_STEPS], y[MOST_STEPS];
    double *row = study_add(to, name);
    for (int p = 0; p < PHASES; p++) {
        size_t n = 0;
        for (size_t r = 0; r < t->row_count; r++) {
            const double *values = t->values + r * t->column_count;
            x[n] = values[0] * (values[1] + 1);
            y[n++] = values[3 + p];
        }
        row[p] = study_exponent(x, y, n);
    }
}

hcbr_status study_time(study *s, hcbr_error *err) {
    static const char *const PHASE[] = {"partition", "strength", "train", "all", NULL};
    stopwatch w = {.study = s, .total = LEAST_ROUNDS * (CASE_STEPS + SIZE_STEPS)};
    hcbr_status st =
        sweep(&w, "by_cases", "a number of cases of the same size: seconds", false, err);
    if (st == HCBR_OK)
        st = sweep(&w, "by_size", "a size of as many cases: seconds", true, err);
    if (st != HCBR_OK)
        return st;
    study_table *t = study_begin(
        s, "exponents", "the power of the cases, or of their size, that time grows with", PHASE);
    fit(t, "by_cases", &s->tables[0]);
    fit(t, "by_size", &s->tables[1]);
    snprintf(s->says, sizeof s->says,
             "Building a model takes time that grows with the power %.2f of the number of cases "
             "and %.2f of their size; 1 is linear.",
             t->values[3], t->values[7]);
    return HCBR_OK;
}
