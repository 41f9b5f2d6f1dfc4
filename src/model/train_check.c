/*
 * Checks of the request for training: options that are valid and fit each other and the cases; and
 * warnings about the labels.
 */
#include "model/training.h"

#define MOST_THREADS 1024u
#define MANY_LABELS 100u /* from here on, nearly as many labels as cases are a mistake */

/* ---- options --------------------------------------------------------------------------------- */

hcbr_status hcbr_i_train_options_check(const hcbr_train_options *o, hcbr_error *err) {
    if (HCBR_I_UNSIZED(err, o->rule, o->tune, o->read))
        return HCBR_EUSAGE;
    if (o->scope != HCBR_SCOPE_CLASS && o->scope != HCBR_SCOPE_ALL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "scope %d, expected class or all", (int)o->scope);
    if (o->keep != HCBR_KEEP_NONE && o->keep != HCBR_KEEP_ANONYMOUS && o->keep != HCBR_KEEP_FULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "keep %d, expected none, anonymous or full",
                           (int)o->keep);
    if ((unsigned)o->calibrate > HCBR_CALIBRATE_ISOTONIC)
        return hcbr_i_fail(err, HCBR_EUSAGE, "calibration %d, expected none, platt or isotonic",
                           (int)o->calibrate);
    if (o->threads > MOST_THREADS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u threads, expected at most %u", o->threads,
                           MOST_THREADS);
    if (o->model != HCBR_MODEL_PLAIN && o->model != HCBR_MODEL_RICH)
        return hcbr_i_fail(err, HCBR_EUSAGE, "model %d, expected plain or rich", (int)o->model);
    if (o->min_cases == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "min_cases 0, expected at least 1");
    if (o->prune != HCBR_PRUNE_CHOOSE && !(o->prune >= 0 && o->prune <= 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "prune %g, expected a share from 0 to 1", o->prune);
    if (o->prune != 0 && o->model != HCBR_MODEL_PLAIN)
        return hcbr_i_fail(err, HCBR_EUSAGE, "option prune is for plain models");
    if (o->emphasis_count && o->model != HCBR_MODEL_PLAIN)
        return hcbr_i_fail(err, HCBR_EUSAGE, "importance of features is for plain models");
    if ((unsigned)o->effort > HCBR_EFFORT_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE, "effort %d, expected lite, normal or max",
                           (int)o->effort);
    return hcbr_i_typed_labels_check(o, err);
}

static hcbr_status check_cases(const hcbr_train_options *o, const hcbr_cases *cases,
                               hcbr_error *err) {
    if (!cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished");
    if (cases->consumed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases was used up by an earlier model");
    if (cases->least_count > 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases has kept its rare words");
    if (o->rule && o->rule->memory && o->keep == HCBR_KEEP_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the memory rule needs the cases, expected keep anonymous or full");
    return HCBR_OK;
}

static hcbr_status check_engine(const hcbr_train_options *o, const hcbr_cases *cases,
                                hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < o->numeric_count; i++)
        for (size_t k = 0; k < o->categorical_count; k++)
            if (strcmp(o->numeric[i], o->categorical[k]) == 0)
                return hcbr_i_fail(
                    err, HCBR_EUSAGE,
                    "found %s for both option numeric and option categorical, expected it in "
                    "one of them",
                    hcbr_i_quote(quoted, o->numeric[i], strlen(o->numeric[i])));
    if (o->model == HCBR_MODEL_PLAIN)
        return !o->weight ? HCBR_OK
                          : hcbr_i_fail(err, HCBR_EUSAGE,
                                        "found weights, which a plain model has not, expected a "
                                        "rich one");
    if (o->calibrate != HCBR_CALIBRATE_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a rich model has probabilities that held-out cases have calibrated, "
                           "expected no other calibration");
    if (o->tune && (o->tune->pass_count || o->tune->choose_scope))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a rich model has no passes and no scope, expected none to choose from");
    return hcbr_i_model_check_weights(cases, o->weight, err);
}

hcbr_status hcbr_i_train_check(const hcbr_train_options *o, const hcbr_cases *cases,
                               hcbr_error *err) {
    hcbr_status st = hcbr_i_train_options_check(o, err);
    if (st == HCBR_OK)
        st = check_cases(o, cases, err);
    return st == HCBR_OK ? check_engine(o, cases, err) : st;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Warnings about the labels. */
void hcbr_i_train_warn_labels(const hcbr_train_options *o, const hcbr_cases *cases) {
    const hcbr_i_labels *labels = &cases->labels;
    char quoted[2][200];
    if (labels->count == 1)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "all cases have the label %s: it is all the model can decide",
                      hcbr_i_quote(quoted[0], labels->names[0], labels->lengths[0]));
    if (labels->count > MANY_LABELS && labels->count > cases->case_count / 2)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "%u different labels in %u cases: is the label column the right one?",
                      labels->count, cases->case_count);
    if (cases->empty_count == cases->case_count)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "no case has a feature: the model can decide nothing");
    for (uint32_t l = 1; l < labels->count; l++) {
        double a, b;
        if (hcbr_number_parse(&a, labels->names[l - 1], labels->lengths[l - 1]) &&
            hcbr_number_parse(&b, labels->names[l], labels->lengths[l]) && a == b)
            hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                          "labels %s and %s are the same number but different labels",
                          hcbr_i_quote(quoted[0], labels->names[l - 1], labels->lengths[l - 1]),
                          hcbr_i_quote(quoted[1], labels->names[l], labels->lengths[l]));
    }
}
