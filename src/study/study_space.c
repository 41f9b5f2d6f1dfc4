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

enum { INNER = 5 }; /* one in so many training cases chooses the penalty */

typedef struct space_study {
    const hcbr_i_study_job *job;
    hcbr_i_study_folds folds;
    double *figures; /* by part, solver and figure; NaN: the part has one label */
    double *fitness; /* by part: of each generation */
} space_study;

/* ---- the matrix ------------------------------------------------------------------------------ */

void hcbr_i_space_clear(hcbr_i_space *space) {
    hcbr_i_free(space->start);
    hcbr_i_free(space->atom);
    hcbr_i_free(space->weight);
    hcbr_i_free(space->positive);
    *space = (hcbr_i_space){0};
}

double hcbr_i_space_mcc_of(double tp, double fp, double fn, double tn) {
    /* in this order it is exactly 1 if all is right */
    double below = sqrt((tp + fp) * (tp + fn)) * sqrt((tn + fp) * (tn + fn));
    return below > 0 ? (tp * tn - fp * fn) / below : 0;
}

double hcbr_i_space_mcc(const hcbr_i_space *space, const double *mu) {
    double count[2][2] = {{0}};
    for (uint32_t i = 0; i < space->case_count; i++) {
        double sum = 0, sizes = 0;
        for (uint64_t j = space->start[i]; j < space->start[i + 1]; j++) {
            double term = space->weight[j] * mu[space->atom[j]];
            sum += term;
            sizes += fabs(term);
        }
        count[space->positive[i]][sum > 0x1p-40 * sizes]++;
    }
    return hcbr_i_space_mcc_of(count[1][1], count[0][1], count[1][0], count[0][0]);
}

double hcbr_i_space_fitness(const hcbr_i_space *space, const double *mu, const double *changed) {
    double square = 0;
    for (uint32_t e = 0; e < space->atom_count; e++)
        square += (changed[e] - mu[e]) * (changed[e] - mu[e]);
    return hcbr_i_space_mcc(space, changed) - HCBR_I_SPACE_PENALTY * square;
}

/* What a part is made of. */
typedef struct part_room {
    hcbr_i_study_lists lists;
    struct hcbr_cases *cases; /* the training part */
    hcbr_model *model;
    hcbr_i_feature_id *known; /* by feature of all cases: that of the training part */
    uint32_t *atom;           /* by feature of all cases: its atom; HCBR_I_NONE: unseen */
    uint32_t *back, *at;      /* labels; by atom: its entry in the case at hand */
    double *mu, *found;       /* by atom */
    hcbr_i_space train, test, most, rest;
} part_room;

static void part_clear(part_room *p) {
    hcbr_i_study_lists_clear(&p->lists);
    hcbr_model_free(p->model);
    hcbr_cases_free(p->cases);
    hcbr_i_free(p->known);
    hcbr_i_free(p->atom);
    hcbr_i_free(p->back);
    hcbr_i_free(p->at);
    hcbr_i_free(p->mu);
    hcbr_i_free(p->found);
    hcbr_i_space_clear(&p->train);
    hcbr_i_space_clear(&p->test);
    hcbr_i_space_clear(&p->most);
    hcbr_i_space_clear(&p->rest);
}

/* Which of a list of cases a matrix takes: all, or by their place, one in INNER or the others. */
typedef enum taking { TAKE_ALL, TAKE_MOST, TAKE_REST } taking;
static bool takes(taking which, uint32_t k) {
    return which == TAKE_ALL || (which == TAKE_REST) == (k % INNER == 0);
}

static hcbr_status make_matrix(hcbr_i_space *out, const part_room *p, uint32_t atoms,
                               const struct hcbr_cases *cases, const uint32_t *list, uint32_t count,
                               taking which, hcbr_error *err) {
    uint64_t entries = 0, used = 0;
    for (uint32_t k = 0; k < count; k++)
        entries += takes(which, k) ? cases->start[list[k] + 1] - cases->start[list[k]] : 0;
    *out = (hcbr_i_space){.atom_count = atoms,
                          .start = hcbr_i_alloc_zero((size_t)count + 1, sizeof *out->start),
                          .atom = hcbr_i_alloc(entries, sizeof *out->atom),
                          .weight = hcbr_i_alloc(entries, sizeof *out->weight),
                          .positive = hcbr_i_alloc(count, 1)};
    if (!out->start || !out->atom || !out->weight || !out->positive)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < atoms; e++)
        p->at[e] = HCBR_I_NONE;
    for (uint32_t k = 0; k < count; k++) {
        if (!takes(which, k))
            continue;
        uint64_t first = cases->start[list[k]], last = cases->start[list[k] + 1], begin = used;
        for (uint64_t j = first; j < last; j++) {
            uint32_t e = p->atom[cases->features[j]];
            if (e == HCBR_I_NONE)
                continue;
            if (p->at[e] == HCBR_I_NONE || p->at[e] < begin || out->atom[p->at[e]] != e) {
                p->at[e] = (uint32_t)used;
                out->atom[used] = e;
                out->weight[used++] = 0;
            }
            out->weight[p->at[e]] += 1;
        }
        for (uint64_t j = begin; j < used; j++)
            out->weight[j] /= (double)(last - first);
        out->positive[out->case_count++] = cases->label[list[k]] == 1;
        out->start[out->case_count] = used;
    }
    return HCBR_OK;
}

/* The model of the part, its strengths, and the atom of each feature of all cases. */
static hcbr_status fit(part_room *p, const hcbr_i_study_job *job, const hcbr_i_asked_stop *stop,
                       hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    uint32_t features = hcbr_i_dict_count(cases->dict);
    hcbr_train_options o = job->train;
    o.consume = 0;
    o.progress = stop->ask;
    o.progress_context = stop->context;
    p->known = hcbr_i_alloc(features, sizeof *p->known);
    p->atom = hcbr_i_alloc(features, sizeof *p->atom);
    p->back = hcbr_i_alloc(cases->labels.count, sizeof *p->back);
    if (!p->known || !p->atom || !p->back)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_cases_subset(&p->cases, cases, p->lists.train, p->lists.train_count,
                                         p->known, p->back, err);
    if (st != HCBR_OK || p->cases->labels.count < 2)
        return st;
    if ((st = hcbr_model_train(&p->model, p->cases, &o, err)) != HCBR_OK)
        return st;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(p->model, &info);
    for (uint32_t f = 0; f < features; f++) {
        uint32_t known = HCBR_I_NONE;
        if (p->known[f] != HCBR_I_NONE) {
            hcbr_feature name;
            hcbr_cases_get_feature(cases, f, &name);
            known = hcbr_model_find_feature(p->model, &name);
        }
        p->atom[f] = known == HCBR_I_NONE ? HCBR_I_NONE : hcbr_model_get_atom(p->model, known);
    }
    p->at = hcbr_i_alloc(info.atoms, sizeof *p->at);
    p->mu = hcbr_i_alloc(info.atoms, sizeof *p->mu);
    p->found = hcbr_i_alloc(info.atoms, sizeof *p->found);
    if (!p->at || !p->mu || !p->found)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < info.atoms; e++)
        p->mu[e] = hcbr_model_get_atom_strength(p->model, e, 1) -
                   hcbr_model_get_atom_strength(p->model, e, 0);
    const hcbr_i_study_lists *l = &p->lists;
    st = make_matrix(&p->train, p, info.atoms, cases, l->train, l->train_count, TAKE_ALL, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->test, p, info.atoms, cases, l->test, l->test_count, TAKE_ALL, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->most, p, info.atoms, cases, l->train, l->train_count, TAKE_MOST, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->rest, p, info.atoms, cases, l->train, l->train_count, TAKE_REST, err);
    return st;
}

/* ---- a part ---------------------------------------------------------------------------------- */

/* Of this thread alone: others may be running. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hcbr_status run_solver(int solver, part_room *p, const hcbr_i_space_job *job,
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
    part_room p = {0};
    hcbr_status st = hcbr_i_study_lists_make(&p.lists, &s->folds, (uint32_t)index, err);
    if (st == HCBR_OK)
        st = fit(&p, s->job, stop, err);
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
    part_clear(&p);
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
        return hcbr_i_fail(err, HCBR_EDATA, "found %u labels, expected 2 for a study of the space",
                           job->cases->labels.count);
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
