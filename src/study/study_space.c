/*
 * How much better could any mu be? In each fold a plain model is built and trained; then two
 * solvers look for strengths that decide its training cases better, and all decide the held-out
 * cases: the paper's evolution strategy, and a convex one, also with its penalty chosen on held-out
 * cases of the training part. If strengths that fit the training cases better decide new ones no
 * better, the model space is at its limit (or the labels are).
 */
#include "study/space.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { INITIAL, EVOLUTION, CONVEX, CHOSEN, SOLVERS };
static const char *const NAMES[SOLVERS] = {"initial", "evolution", "convex", "convex_chosen"};
enum { TRAIN, TEST, FITNESS, SECONDS, FIGURES };

typedef struct space_study {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    double *figures; /* by part, solver and figure; NaN: the part has one label */
    double *fitness; /* by part: of each generation */
} space_study;

/* ---- a part ---------------------------------------------------------------------------------- */

/* Of this thread alone: others may be running. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hcbr_status run_solver(int solver, hcbr_i_space_part *p, const hcbr_i_space_job *job,
                              double *fitness, hcbr_error *err) {
    int choice = HCBR_I_SPACE_CHOOSE;
    hcbr_i_space_job inner = *job;
    hcbr_status st = HCBR_OK;
    switch (solver) {
    case EVOLUTION:
        return hcbr_i_space_evolve(p->found, fitness, job, err);
    case CONVEX:
        return hcbr_i_space_convex(p->found, job, NULL, &choice, err);
    case CHOSEN:
        inner.train = &p->most;
        st = hcbr_i_space_convex(p->found, &inner, &p->rest, &choice, err);
        return st == HCBR_OK ? hcbr_i_space_convex(p->found, job, NULL, &choice, err) : st;
    default:
        memcpy(p->found, p->mu, p->train.atom_count * sizeof *p->found);
        return HCBR_OK;
    }
}

static hcbr_status run_part(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                            hcbr_error *err) {
    const space_study *s = context;
    uint32_t generations = s->job->options->generations;
    double *to = s->figures + index * SOLVERS * FIGURES;
    hcbr_i_space_part p = {0};
    hcbr_status st = hcbr_i_space_part_make(&p, s->job, &s->folds, (uint32_t)index, stop, err);
    for (int k = 0; k < SOLVERS * FIGURES; k++)
        to[k] = NAN;
    hcbr_i_space_job job = {&p.train, p.mu, hcbr_i_mix(s->job->study->seed + index), generations,
                            stop};
    for (int solver = 0; st == HCBR_OK && p.model && solver < SOLVERS; solver++) {
        double *figures = to + (size_t)solver * FIGURES, begin = seconds();
        st = run_solver(solver, &p, &job, s->fitness + index * (generations + 1), err);
        if (st != HCBR_OK)
            break;
        figures[SECONDS] = seconds() - begin;
        figures[TRAIN] = hcbr_i_space_mcc(&p.train, p.found);
        figures[TEST] = hcbr_i_space_mcc(&p.test, p.found);
        figures[FITNESS] = hcbr_i_space_fitness(&p.train, p.mu, p.found);
    }
    hcbr_i_space_part_clear(&p);
    return st;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double figure_of(const space_study *s, uint32_t part, int solver, int figure) {
    return s->figures[((size_t)part * SOLVERS + (size_t)solver) * FIGURES + (size_t)figure];
}

static hcbr_i_spread spread_of(const space_study *s, int solver, int figure) {
    return hcbr_i_study_spread(s->figures + (size_t)solver * FIGURES + figure, s->folds.part_count,
                               (size_t)SOLVERS * FIGURES);
}

/* Is what a solver changed on held-out cases more than chance? */
static hcbr_status compare(const space_study *s, int solver, hcbr_i_wilcoxon *out,
                           hcbr_error *err) {
    uint32_t parts = s->folds.part_count;
    double *difference = hcbr_i_alloc(parts, sizeof *difference);
    if (!difference)
        return hcbr_i_no_memory(err);
    for (uint32_t p = 0; p < parts; p++)
        difference[p] = figure_of(s, p, solver, TEST) - figure_of(s, p, INITIAL, TEST);
    hcbr_status st = hcbr_i_study_wilcoxon(out, difference, parts, err);
    hcbr_i_free(difference);
    return st;
}

static hcbr_status put_solvers(const space_study *s, hcbr_error *err) {
    static const char *const COLUMNS[] = {
        "train_mcc",  "train_change", "test_mcc",  "test_change", "fitness",
        "wilcoxon_p", "differs_5",    "differs_1", "seconds",     NULL};
    hcbr_i_study_table *t = hcbr_i_study_begin(
        s->job->study, "space",
        "strengths, as trained or as a solver found them; means over the parts", COLUMNS);
    double initial[2] = {spread_of(s, INITIAL, TRAIN).mean, spread_of(s, INITIAL, TEST).mean};
    for (int k = 0; k < SOLVERS; k++) {
        double *row = hcbr_i_study_add(t, NAMES[k]);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = spread_of(s, k, TRAIN).mean;
        row[1] = row[0] - initial[0];
        row[2] = spread_of(s, k, TEST).mean;
        row[3] = row[2] - initial[1];
        row[4] = spread_of(s, k, FITNESS).mean;
        row[8] = spread_of(s, k, SECONDS).mean;
        hcbr_i_wilcoxon test;
        hcbr_status st = k == INITIAL ? HCBR_OK : compare(s, k, &test, err);
        if (st != HCBR_OK)
            return st;
        if (k == INITIAL)
            continue;
        row[5] = test.p;
        row[6] = test.p < 0.05;
        row[7] = test.p < 0.01;
    }
    return HCBR_OK;
}

static hcbr_status put_parts(const space_study *s, hcbr_error *err) {
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
    hcbr_i_study_table *t = hcbr_i_study_begin(s->job->study, "parts", "a fold: MCC", COLUMNS);
    for (uint32_t p = 0; p < s->folds.part_count; p++) {
        double *row = hcbr_i_study_add(t, NULL);
        if (!row)
            return hcbr_i_no_memory(err);
        for (int k = 0; k < SOLVERS; k++)
            for (int f = TRAIN; f <= FITNESS; f++)
                row[k * 3 + f] = figure_of(s, p, k, f);
    }
    t = hcbr_i_study_begin(s->job->study, "evolution",
                           "a generation: the best fitness, mean over the parts",
                           (const char *const[]){"generation", "fitness", NULL});
    uint32_t generations = s->job->options->generations;
    for (uint32_t g = 0; g <= generations; g++) {
        double *row = hcbr_i_study_add(t, NULL);
        if (!row)
            return hcbr_i_no_memory(err);
        row[0] = g;
        row[1] = hcbr_i_study_spread(s->fitness + g, s->folds.part_count, generations + 1).mean;
    }
    return HCBR_OK;
}

/* The three outcomes that the paper tells apart, by the convex solvers. */
static void say(hcbr_study *s) {
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

hcbr_status hcbr_i_study_space(hcbr_i_study_job *job, hcbr_error *err) {
    space_study s = {.job = job};
    if (job->cases->labels.count != 2)
        return hcbr_i_fail(err, HCBR_EDATA, "found %u label%s, expected 2 for a study of the space",
                           job->cases->labels.count, job->cases->labels.count == 1 ? "" : "s");
    hcbr_status st = hcbr_i_study_folds_make(&s.folds, job, 0, err);
    if (st != HCBR_OK)
        return st;
    size_t parts = s.folds.part_count;
    s.figures = hcbr_i_alloc(parts * SOLVERS * FIGURES, sizeof *s.figures);
    s.fitness = hcbr_i_alloc(parts * (job->options->generations + 1), sizeof *s.fitness);
    st = s.figures && s.fitness ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && i < parts * (job->options->generations + 1); i++)
        s.fitness[i] = NAN;
    if (st == HCBR_OK)
        st = hcbr_i_each(parts, &job->each, run_part, &s, err);
    if (st == HCBR_OK)
        st = put_solvers(&s, err);
    if (st == HCBR_OK)
        st = put_parts(&s, err);
    if (st == HCBR_OK)
        say(job->study);
    hcbr_i_free(s.figures);
    hcbr_i_free(s.fitness);
    hcbr_i_study_folds_clear(&s.folds);
    return st;
}
