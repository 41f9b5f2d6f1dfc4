/*
 * Held-out parts as evaluations draw them; a model of some cases, and how well it decides these and
 * others; and trials of several ways on the same parts.
 */
#include "study.h"

#include <math.h>

hcbr_status study_evaluate(hcbr_evaluation **out, study *s, const hcbr_train_options *train,
                           double holdout, hcbr_error *err) {
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    o.equal = HCBR_EQUAL_APART;
    o.keep_answers = 1;
    o.train = train;
    o.holdout = holdout;
    o.folds = s->folds > 1 ? s->folds : o.folds;
    o.repeats = s->repeats;
    o.seed = s->seed;
    o.threads = s->threads;
    o.progress = s->progress;
    o.progress_context = s->progress_context;
    hcbr_status st = hcbr_evaluate(out, s->cases, &o, err);
    if (st != HCBR_OK)
        return st;
    hcbr_evaluation_get_info(*out, &info);
    s->stated = s->case_count - info.cases;
    if (s->features == 0)
        s->features = info.features;
    return HCBR_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

void study_folds_of(study_folds *out, const study *s, const hcbr_evaluation *evaluation) {
    hcbr_evaluation_info info = {.size = sizeof info};
    hcbr_evaluation_get_info(evaluation, &info);
    *out = (study_folds){
        .part_count = info.folds * info.repeats, .folds = info.folds, .case_count = s->case_count};
    out->of = study_alloc(s->case_count * info.repeats, sizeof *out->of);
    memset(out->of, 0xFF, s->case_count * info.repeats * sizeof *out->of); // STUDY_NONE
    for (uint64_t i = 0; i < hcbr_evaluation_answer_count(evaluation); i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(evaluation, i, &a);
        out->of[a.repeat * s->case_count + a.row - 1] = a.fold; // rows of a copy count from 1
    }
}

hcbr_status study_folds_draw(study_folds *out, study *s, double holdout, hcbr_error *err) {
    hcbr_evaluation *e = NULL;
    hcbr_train_options quick;
    hcbr_train_options_init(&quick);
    quick.model = s->train.model; // only a rich one uses weights
    quick.effort = HCBR_EFFORT_LITE;
    quick.passes = quick.model == HCBR_MODEL_PLAIN ? 0 : quick.passes;
    *out = (study_folds){0};
    hcbr_status st = study_evaluate(&e, s, &quick, holdout, err);
    if (st == HCBR_OK)
        study_folds_of(out, s, e);
    hcbr_evaluation_free(e);
    return st;
}

void study_folds_clear(study_folds *folds) {
    free(folds->of);
    *folds = (study_folds){0};
}

void study_lists_make(study_lists *out, const study_folds *folds, uint32_t part) {
    const uint32_t *of = folds->of + part / folds->folds * folds->case_count;
    *out = (study_lists){.train = study_alloc(folds->case_count, sizeof *out->train),
                         .test = study_alloc(folds->case_count, sizeof *out->test)};
    for (uint64_t i = 0; i < folds->case_count; i++)
        if (of[i] == part % folds->folds)
            out->test[out->test_count++] = i;
        else
            out->train[out->train_count++] = i;
}

void study_lists_clear(study_lists *lists) {
    free(lists->train);
    free(lists->test);
    *lists = (study_lists){0};
}

/* ---- a trial --------------------------------------------------------------------------------- */

/* Accuracy, MCC and the share without a label of some answers. Matthews' correlation is that of
 * HCBR_METRIC_MCC: no label is one more answer. */
static void measure(double *accuracy, double *mcc, double *unknown, const hcbr_evaluation *e,
                    uint64_t first, uint64_t count, uint32_t labels) {
    double *truth = study_alloc((size_t)labels + 1, sizeof *truth); /* the last: no label */
    double *given = study_alloc((size_t)labels + 1, sizeof *given);
    double all = (double)count, right = 0, of_truth = 0, of_given = 0, both = 0;
    bool one_truth = false, one_answer = false;
    for (uint64_t i = first; i < first + count; i++) {
        hcbr_answer a = {.size = sizeof a};
        hcbr_evaluation_get_answer(e, i, &a);
        truth[a.truth]++;
        given[a.label < 0 ? labels : (uint32_t)a.label]++;
        right += a.label == a.truth;
    }
    for (uint32_t l = 0; l <= labels; l++) {
        one_truth |= truth[l] == all;
        one_answer |= given[l] == all;
        of_truth += truth[l] * (all - truth[l]);
        of_given += given[l] * (all - given[l]);
        both += truth[l] * given[l];
    }
    *accuracy = all > 0 ? right / all : NAN;
    *mcc = one_truth    ? NAN
           : one_answer ? 0
                        : (right * all - both) / (sqrt(of_truth) * sqrt(of_given));
    if (unknown)
        *unknown = all > 0 ? given[labels] / all : NAN;
    free(truth);
    free(given);
}

/*
 * A model of the training cases of lists decides the held-out ones and its own. The library gets
 * one list: the cases to train on, then those to hold out, which are the others and copies of the
 * first.
 */
static hcbr_status try(double *to, const study *s, const study_lists *lists,
                       const hcbr_train_options *train, const study_stop *stop, hcbr_error *err) {
    const uint64_t seen = lists->train_count - s->stated, count = 2 * seen + lists->test_count;
    uint64_t *which = study_alloc(count + s->stated, sizeof *which);
    hcbr_cases *cases = NULL;
    hcbr_evaluation *e = NULL;
    hcbr_evaluate_options o;
    memcpy(which, lists->train, seen * sizeof *which);
    memcpy(which + seen, lists->test, lists->test_count * sizeof *which);
    memcpy(which + seen + lists->test_count, lists->train, lists->train_count * sizeof *which);
    hcbr_evaluate_options_init(&o);
    o.equal = HCBR_EQUAL_APART;
    o.test_start = seen;
    o.keep_answers = 1;
    o.train = train;
    o.progress = stop->ask;
    o.progress_context = stop->context;
    hcbr_status st = hcbr_cases_copy(&cases, s->cases, NULL, which, count + s->stated, err);
    if (st == HCBR_OK)
        st = hcbr_evaluate(&e, cases, &o, err);
    if (st == HCBR_OK) {
        measure(&to[TRIAL_TEST_ACCURACY], &to[TRIAL_TEST_MCC], &to[TRIAL_TEST_UNKNOWN], e, 0,
                lists->test_count, s->labels);
        measure(&to[TRIAL_TRAIN_ACCURACY], &to[TRIAL_TRAIN_MCC], NULL, e, lists->test_count, seen,
                s->labels);
        to[TRIAL_CASES] = (double)lists->train_count;
    }
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
    free(which);
    return st;
}

/* ---- several ways ---------------------------------------------------------------------------- */

static hcbr_status try_way(void *context, uint64_t index, const study_stop *stop, hcbr_error *err) {
    const study_grid *g = context;
    uint32_t parts = g->folds.part_count, part = (uint32_t)(index % parts);
    uint32_t way = (uint32_t)(g->ways - 1 - index / parts); /* the longest first */
    hcbr_train_options train = g->study->train;
    study_lists lists;
    study_lists_make(&lists, &g->folds, part);
    g->arrange(g->study, way, part, &lists, &train);
    hcbr_status st = try(g->figures + ((size_t)way * parts + part) * TRIAL_FIGURES, g->study,
                         &lists, &train, stop, err);
    study_lists_clear(&lists);
    return st;
}

hcbr_status study_grid_run(study_grid *grid, hcbr_error *err) {
    hcbr_status st = study_folds_draw(&grid->folds, grid->study, grid->holdout, err);
    if (st != HCBR_OK)
        return st;
    size_t count = (size_t)grid->ways * grid->folds.part_count;
    grid->figures = study_alloc(count, TRIAL_FIGURES * sizeof *grid->figures);
    st = study_each(grid->study, count, try_way, grid, err);
    if (st != HCBR_OK)
        study_grid_clear(grid);
    return st;
}

void study_grid_clear(study_grid *grid) {
    free(grid->figures);
    grid->figures = NULL;
    study_folds_clear(&grid->folds);
}

study_spread study_grid_get(const study_grid *grid, uint32_t way, study_figure figure) {
    uint32_t parts = grid->folds.part_count;
    const double *first = grid->figures + (size_t)way * parts * TRIAL_FIGURES;
    return study_spread_of(first + figure, parts, TRIAL_FIGURES);
}
