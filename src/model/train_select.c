/*
 * The cases and features that a model is built from: those of weight above 0, without features of
 * importance 0, values that few cases have, and features with the least information gain.
 *
 * Invariant: the list is the one that reading the data without the others gives.
 */
#include "model/training.h"

/* ---- weights --------------------------------------------------------------------------------- */

static bool any_zero(const double *weight, uint32_t count) {
    for (uint32_t i = 0; weight && i < count; i++)
        if (weight[i] == 0)
            return true;
    return false;
}

/* The cases of weight above 0, with their weights. */
static hcbr_status select_weighed(hcbr_i_training *t, hcbr_error *err) {
    const hcbr_cases *cases = t->cases;
    const double *weight = t->options.weight;
    if (!any_zero(weight, cases->case_count))
        return HCBR_OK;
    hcbr_cases *weighed = NULL;
    uint32_t count = 0, *which = hcbr_i_alloc(cases->case_count, sizeof *which);
    uint32_t *label = hcbr_i_alloc(cases->labels.count, sizeof *label);
    hcbr_i_feature_id *known = hcbr_i_alloc(hcbr_i_dict_count(cases->dict), sizeof *known);
    double *kept = hcbr_i_alloc(cases->case_count, sizeof *kept);
    hcbr_status st = which && label && known && kept ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++)
        if (weight[i] > 0) {
            kept[count] = weight[i];
            which[count++] = i;
        }
    if (st == HCBR_OK)
        st = hcbr_i_cases_subset(&weighed, cases, which, count, known, label, err);
    if (st == HCBR_OK) {
        hcbr_i_training_replace(t, weighed);
        t->options.weight = t->weight = kept;
        kept = NULL; // now the training's
    }
    hcbr_i_free(kept);
    hcbr_i_free(known);
    hcbr_i_free(label);
    hcbr_i_free(which);
    return st;
}

/* ---- features -------------------------------------------------------------------------------- */

/* Without features of importance 0. */
static hcbr_status select_important(hcbr_i_training *t, hcbr_error *err) {
    const hcbr_train_options *o = &t->options;
    hcbr_cases *fewer = NULL;
    if (o->emphasis_count == 0)
        return HCBR_OK;
    hcbr_status st = hcbr_i_emphases_make(&t->emphases, o->emphasis, o->emphasis_count, err);
    if (st == HCBR_OK)
        st = hcbr_i_emphases_apply(&fewer, t->cases, t->emphases, err);
    hcbr_i_training_replace(t, fewer);
    return st;
}

/* hcbr_i_number_keys_fn; the context is the training. */
static hcbr_status find_number_keys(void *context, const hcbr_cases *cases, bool *by_key,
                                    hcbr_error *err) {
    const hcbr_i_training *t = context;
    return t->engine->number_keys(cases, &t->options, by_key, err);
}

/* Without values that few cases have. */
static hcbr_status select_common(hcbr_i_training *t, hcbr_error *err) {
    hcbr_cases *common = NULL;
    if (t->options.min_cases <= 1)
        return HCBR_OK;
    hcbr_status st = hcbr_i_cases_common(&common, t->cases, t->options.min_cases,
                                         t->engine->number_keys ? find_number_keys : NULL, t, err);
    hcbr_i_training_replace(t, common);
    return st;
}

/* Leave out the features with the least information gain. */
static hcbr_status select_telling(hcbr_i_training *t, hcbr_error *err) {
    hcbr_cases *pruned = NULL;
    if (t->options.prune == 0)
        return HCBR_OK;
    hcbr_status st = hcbr_i_model_prune(&pruned, t->cases, &t->options, t->emphases, err);
    hcbr_i_training_replace(t, pruned);
    return st;
}

hcbr_status hcbr_i_training_select(hcbr_i_training *t, hcbr_error *err) {
    hcbr_status st = select_weighed(t, err);
    if (st == HCBR_OK)
        st = select_important(t, err);
    if (st == HCBR_OK)
        st = select_common(t, err);
    return st == HCBR_OK ? select_telling(t, err) : st;
}
