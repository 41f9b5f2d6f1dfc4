/*
 * A model of some cases, and how well it decides these and others; the lists of cases that folds
 * make; and trials of several ways on the same folds.
 */
#include "study/study.h"

#include <math.h>

/* Accuracy, MCC and share of no label of some answers. */
static hcbr_status measure(double *accuracy, double *mcc, double *unknown,
                           const struct hcbr_cases *cases, const uint32_t *list,
                           const hcbr_label *label, uint32_t count, hcbr_error *err) {
    hcbr_i_counts counts;
    uint32_t *truth = hcbr_i_alloc(count, sizeof *truth);
    if (!truth)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_counts_init(&counts, cases->labels.count, err);
    if (st == HCBR_OK) {
        for (uint32_t k = 0; k < count; k++)
            truth[k] = cases->label[list[k]];
        hcbr_i_answers answers = {
            .count = count, .label_count = cases->labels.count, .truth = truth, .label = label};
        hcbr_i_counts_add(&counts, &answers);
        *accuracy = hcbr_i_counts_metric(&counts, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN);
        *mcc = hcbr_i_counts_metric(&counts, HCBR_METRIC_MCC, HCBR_LABEL_UNKNOWN);
        if (unknown)
            *unknown = hcbr_i_counts_metric(&counts, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN);
    }
    hcbr_i_counts_clear(&counts);
    hcbr_i_free(truth);
    return st;
}

hcbr_status hcbr_i_study_try(hcbr_i_study_trial *t, const hcbr_i_study_job *job,
                             const hcbr_i_asked_stop *stop, hcbr_error *err) {
    uint32_t both = t->test_count + t->train_count;
    uint32_t *list = hcbr_i_alloc(both, sizeof *list);
    hcbr_i_eval_part part = {0};
    hcbr_evaluate_options evaluate;
    if (!list)
        return hcbr_i_no_memory(err);
    memcpy(list, t->test, t->test_count * sizeof *list);
    memcpy(list + t->test_count, t->train, t->train_count * sizeof *list);
    hcbr_evaluate_options_init(&evaluate);
    hcbr_i_evaluate_job one = {.cases = job->cases,
                               .options = &evaluate,
                               .train = t->options,
                               .same = job->same,
                               .positive = job->positive,
                               .most = HCBR_LABEL_UNKNOWN,
                               .train_list = t->train,
                               .test_list = list,
                               .train_count = t->train_count,
                               .test_count = both};
    one.train.progress = stop->ask;
    one.train.progress_context = stop->context;
    hcbr_status st = hcbr_i_eval_part_run(&part, &one, err);
    if (st == HCBR_OK)
        st = measure(&t->test_accuracy, &t->test_mcc, &t->test_unknown, job->cases, t->test,
                     part.label, t->test_count, err);
    if (st == HCBR_OK)
        st = measure(&t->train_accuracy, &t->train_mcc, NULL, job->cases, t->train,
                     part.label + t->test_count, t->train_count, err);
    if (st == HCBR_OK && t->label)
        memcpy(t->label, part.label, t->test_count * sizeof *t->label);
    t->features = part.value[HCBR_METRIC_FEATURES];
    t->atoms = part.value[HCBR_METRIC_ATOMS];
    t->seconds = part.value[HCBR_METRIC_FIT];
    hcbr_i_eval_part_clear(&part);
    hcbr_i_free(list);
    return st;
}

/* ---- lists ----------------------------------------------------------------------------------- */

hcbr_status hcbr_i_study_folds_make(hcbr_i_study_folds *out, const hcbr_i_study_job *job,
                                    double holdout, hcbr_error *err) {
    const hcbr_study *s = job->study;
    hcbr_status st = HCBR_OK;
    *out = (hcbr_i_study_folds){.folds = holdout > 0 ? 1 : s->folds,
                                .repeats = s->repeats,
                                .case_count = job->cases->case_count};
    out->part_count = out->folds * out->repeats;
    out->drawn = hcbr_i_alloc_zero(s->repeats, sizeof *out->drawn);
    if (!out->drawn)
        return hcbr_i_no_memory(err);
    for (uint32_t r = 0; st == HCBR_OK && r < s->repeats; r++) {
        hcbr_i_fold_options options = {
            .folds = out->folds, .seed = s->seed, .repeat = r, .holdout = holdout};
        st = hcbr_i_folds_make(&out->drawn[r], job->cases, &options, err);
    }
    if (st != HCBR_OK)
        hcbr_i_study_folds_clear(out);
    return st;
}

void hcbr_i_study_folds_clear(hcbr_i_study_folds *folds) {
    for (uint32_t r = 0; folds->drawn && r < folds->repeats; r++)
        hcbr_i_folds_clear(&folds->drawn[r]);
    hcbr_i_free(folds->drawn);
    *folds = (hcbr_i_study_folds){0};
}

hcbr_status hcbr_i_study_lists_make(hcbr_i_study_lists *out, const hcbr_i_study_folds *folds,
                                    uint32_t part, hcbr_error *err) {
    *out = (hcbr_i_study_lists){.train = hcbr_i_alloc(folds->case_count, sizeof *out->train),
                                .test = hcbr_i_alloc(folds->case_count, sizeof *out->test)};
    if (!out->train || !out->test) {
        hcbr_i_study_lists_clear(out);
        return hcbr_i_no_memory(err);
    }
    hcbr_i_folds_split(&folds->drawn[part / folds->folds], part % folds->folds, out->train,
                       &out->train_count, out->test, &out->test_count);
    return HCBR_OK;
}

void hcbr_i_study_lists_clear(hcbr_i_study_lists *lists) {
    hcbr_i_free(lists->train);
    hcbr_i_free(lists->test);
    *lists = (hcbr_i_study_lists){0};
}

/* ---- several ways ---------------------------------------------------------------------------- */

static hcbr_status try_way(void *context, uint64_t index, const hcbr_i_asked_stop *stop,
                           hcbr_error *err) {
    const hcbr_i_study_grid *g = context;
    uint32_t parts = g->folds.part_count, part = (uint32_t)(index % parts);
    uint32_t way = (uint32_t)(g->ways - 1 - index / parts); /* the longest first */
    double *to = g->figures + ((size_t)way * parts + part) * HCBR_I_TRIAL_FIGURES;
    hcbr_i_study_lists lists;
    hcbr_status st = hcbr_i_study_lists_make(&lists, &g->folds, part, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_study_trial trial = {.options = g->job->train};
    g->arrange(g->job, way, part, &lists, &trial.options);
    trial.train = lists.train;
    trial.test = lists.test;
    trial.train_count = lists.train_count;
    trial.test_count = lists.test_count;
    st = hcbr_i_study_try(&trial, g->job, stop, err);
    to[HCBR_I_TRAIN_ACCURACY] = trial.train_accuracy;
    to[HCBR_I_TRAIN_MCC] = trial.train_mcc;
    to[HCBR_I_TEST_ACCURACY] = trial.test_accuracy;
    to[HCBR_I_TEST_MCC] = trial.test_mcc;
    to[HCBR_I_TEST_UNKNOWN] = trial.test_unknown;
    to[HCBR_I_TRIAL_CASES] = lists.train_count;
    to[HCBR_I_TRIAL_FEATURES] = trial.features;
    to[HCBR_I_TRIAL_ATOMS] = trial.atoms;
    to[HCBR_I_TRIAL_SECONDS] = trial.seconds;
    hcbr_i_study_lists_clear(&lists);
    return st;
}

hcbr_status hcbr_i_study_grid_run(hcbr_i_study_grid *grid, const hcbr_i_study_job *job,
                                  hcbr_error *err) {
    grid->job = job;
    grid->figures = NULL;
    hcbr_status st = hcbr_i_study_folds_make(&grid->folds, job, grid->holdout, err);
    if (st != HCBR_OK)
        return st;
    size_t count = (size_t)grid->ways * grid->folds.part_count;
    grid->figures = hcbr_i_alloc_zero(count, HCBR_I_TRIAL_FIGURES * sizeof *grid->figures);
    st = grid->figures ? hcbr_i_each(count, &job->each, try_way, grid, err) : hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        hcbr_i_study_grid_clear(grid);
    return st;
}

void hcbr_i_study_grid_clear(hcbr_i_study_grid *grid) {
    hcbr_i_free(grid->figures);
    grid->figures = NULL;
    hcbr_i_study_folds_clear(&grid->folds);
}

hcbr_i_spread hcbr_i_study_grid_get(const hcbr_i_study_grid *grid, uint32_t way,
                                    hcbr_i_study_figure figure) {
    uint32_t parts = grid->folds.part_count;
    const double *first = grid->figures + (size_t)way * parts * HCBR_I_TRIAL_FIGURES;
    return hcbr_i_study_spread(first + figure, parts, HCBR_I_TRIAL_FIGURES);
}
