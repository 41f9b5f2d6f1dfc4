/*
 * A model of some cases, and how well it decides these and others; and the lists of cases that
 * folds make.
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
