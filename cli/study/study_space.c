/*
 * How much better a mu can be. In each fold a plain model is built and trained; then two solvers
 * look for strengths that decide its training cases better, and all decide the held-out cases: the
 * paper's evolution strategy, and a convex one, also with its penalty chosen on held-out cases of
 * the training part. If strengths that fit the training cases better decide new ones no better, the
 * model space is at its limit (or the labels are).
 */
#include "space.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { INITIAL, EVOLUTION, CONVEX, CHOSEN, SOLVERS };
static const char *const NAMES[SOLVERS] = {"initial", "evolution", "convex", "convex_chosen"};
enum { TRAIN, TEST, FITNESS, SECONDS, FIGURES };

typedef struct space_study {
    study *study;
    study_folds folds;
    double *figures; /* by part, solver and figure; NaN: the part has one label */
    double *fitness; /* by part: one of each generation */
} space_study;

/* ---- a part ---------------------------------------------------------------------------------- */

/* CPU time of this thread: others may be running. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hcbr_status run_solver(int solver, space_part *p, const space_job *job, double *fitness,
                              hcbr_error *err) {
    int choice = SPACE_CHOOSE;
    space_job inner = *job;
    hcbr_status st = HCBR_OK;
    switch (solver) {
    case EVOLUTION:
        return space_evolve(p->found, fitness, job, err);
    case CONVEX:
        return space_convex(p->found, job, NULL, &choice, err);
    case CHOSEN:
        inner.train = &p->most;
        st = space_convex(p->found, &inner, &p->rest, &choice, err);
        return st == HCBR_OK ? space_convex(p->found, job, NULL, &choice, err) : st;
    default:
        memcpy(p->found, p->mu, p->train.atom_count * sizeof *p->found);
        return HCBR_OK;
    }
}

static hcbr_status run_part(void *context, uint64_t index, const study_stop *stop,
                            hcbr_error *err) {
    const space_study *s = context;
    uint32_t generations = s->study->generations;
    double *to = s->figures + index * SOLVERS * FIGURES;
    space_part p = {0};
    hcbr_status st = space_part_make(&p, s->study, &s->folds, (uint32_t)index, stop, err);
    for (int k = 0; k < SOLVERS * FIGURES; k++)
        to[k] = NAN;
    space_job job = {&p.train, p.mu, study_mix(s->study->seed + index), generations, stop};
    for (int solver = 0; st == HCBR_OK && p.model && solver < SOLVERS; solver++) {
        double *figures = to + (size_t)solver * FIGURES, begin = seconds();
        st = run_solver(solver, &p, &job, s->fitness + index * (generations + 1), err);
        if (st != HCBR_OK)
            break;
        figures[SECONDS] = seconds() - begin;
        figures[TRAIN] = space_mcc(&p.train, p.found);
        figures[TEST] = space_mcc(&p.test, p.found);
        figures[FITNESS] = space_fitness(&p.train, p.mu, p.found);
    }
    space_part_clear(&p);
    return st;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double figure_of(const space_study *s, uint32_t part, int solver, int figure) {
    return s->figures[((size_t)part * SOLVERS + (size_t)solver) * FIGURES + (size_t)figure];
}

static study_spread figure_spread(const space_study *s, int solver, int figure) {
    return study_spread_of(s->figures + (size_t)solver * FIGURES + figure, s->folds.part_count,
                           (size_t)SOLVERS * FIGURES);
}

/* Test whether the change of a solver on held-out cases is more than chance. */
static double compare(const space_study *s, int solver) {
    uint32_t parts = s->folds.part_count;
    double *difference = study_alloc(parts, sizeof *difference);
    wilcoxon test;
    for (uint32_t p = 0; p < parts; p++)
        difference[p] = figure_of(s, p, solver, TEST) - figure_of(s, p, INITIAL, TEST);
    wilcoxon_test(&test, difference, parts);
    free(difference);
    return test.p;
}

static void put_solvers(const space_study *s) {
    static const char *const COLUMNS[] = {
        "train_mcc",  "train_change", "test_mcc",  "test_change", "fitness",
        "wilcoxon_p", "differs_5",    "differs_1", "seconds",     NULL};
    study_table *t = study_begin(
        s->study, "space", "strengths, as trained or as a solver found them; means over the parts",
        COLUMNS);
    double initial[2] = {figure_spread(s, INITIAL, TRAIN).mean,
                         figure_spread(s, INITIAL, TEST).mean};
    for (int k = 0; k < SOLVERS; k++) {
        double *row = study_add(t, NAMES[k]);
        row[0] = figure_spread(s, k, TRAIN).mean;
        row[1] = row[0] - initial[0];
        row[2] = figure_spread(s, k, TEST).mean;
        row[3] = row[2] - initial[1];
        row[4] = figure_spread(s, k, FITNESS).mean;
        row[8] = figure_spread(s, k, SECONDS).mean;
        if (k == INITIAL)
            continue;
        row[5] = compare(s, k);
        row[6] = row[5] < 0.05;
        row[7] = row[5] < 0.01;
    }
}

static void put_parts(const space_study *s) {
    static const char *const COLUMNS[] = {"initial_train",
                                          "initial_test",
                                          "initial_fitness",
                                          "evolution_train",
                                          "evolution_test",
                                          "evolution_fitness",
                                          "convex_train",
                                          "convex_test",
                                          "convex_fitness",
                                          "convex_chosen_train",
                                          "convex_chosen_test",
                                          "convex_chosen_fitness",
                                          NULL};
    study_table *t = study_begin(s->study, "parts", "a fold: MCC", COLUMNS);
    for (uint32_t p = 0; p < s->folds.part_count; p++) {
        double *row = study_add(t, NULL);
        for (int k = 0; k < SOLVERS; k++)
            for (int f = TRAIN; f <= FITNESS; f++)
                row[k * 3 + f] = figure_of(s, p, k, f);
    }
    t = study_begin(s->study, "evolution", "a generation: the best fitness, mean over the parts",
                    (const char *const[]){"generation", "fitness", NULL});
    uint32_t generations = s->study->generations;
    for (uint32_t g = 0; g <= generations; g++) {
        double *row = study_add(t, NULL);
        row[0] = g;
        row[1] = study_spread_of(s->fitness + g, s->folds.part_count, generations + 1).mean;
    }
}

/* The three outcomes of the paper, by the convex solvers. */
static void say(study *s) {
    const double *values = s->tables[0].values;
    size_t width = s->tables[0].column_count;
    const double *convex = values + CONVEX * width, *chosen = values + CHOSEN * width;
    bool fits = convex[1] > 0.005, better = chosen[6] == 1 && chosen[3] > 0;
    snprintf(s->says, sizeof s->says,
             "Other strengths move the MCC on training cases by %+.4f (the evolution strategy: "
             "%+.4f) and, with the penalty chosen on held-out cases, by %+.4f on new ones: %s.",
             convex[1], values[EVOLUTION * width + 1], chosen[3],
             better  ? "better strengths exist, and training does not find them"
             : !fits ? "the model space holds nothing better"
                     : "the space can fit the training cases, but that does not help new ones");
}

hcbr_status study_space(study *s, hcbr_error *err) {
    space_study x = {.study = s};
    if (s->labels != 2)
        return study_fail(err, HCBR_EDATA, "found %u label%s, expected 2 for a study of the space",
                          s->labels, s->labels == 1 ? "" : "s");
    hcbr_status st = study_folds_draw(&x.folds, s, 0, err);
    if (st != HCBR_OK)
        return st;
    size_t parts = x.folds.part_count, fitnesses = parts * (s->generations + 1);
    x.figures = study_alloc(parts * SOLVERS * FIGURES, sizeof *x.figures);
    x.fitness = study_alloc(fitnesses, sizeof *x.fitness);
    for (size_t i = 0; i < fitnesses; i++)
        x.fitness[i] = NAN;
    st = study_each(s, parts, run_part, &x, err);
    if (st == HCBR_OK) {
        put_solvers(&x);
        put_parts(&x);
        say(s);
    }
    free(x.figures);
    free(x.fitness);
    study_folds_clear(&x.folds);
    return st;
}
