/*
 * One held-out part: a model of the training cases, its answers to the held-out ones, their
 * metrics.
 *
 * The model knows only the training cases: they are a separate case base with its own dictionary
 * and labels. A held-out feature that no training case has is unseen and counts in |x|.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <time.h>

/* Working memory of a part. */
typedef struct part_work {
    uint32_t *train;
    hcbr_i_feature_id *known; /* by feature of all cases: that of the training part */
    uint32_t *back;           /* by label of the training part: that of all cases */
    uint32_t *cost_label; /* by label of all cases: that of the training part, if there are costs */
    uint32_t *truth;      /* of the held-out cases */
    double *weight;       /* of the training cases; NULL: no weights by case */
    double *held_weight;  /* of the held-out cases; NULL: each counts once */
    struct hcbr_cases *cases; /* the training part */
    hcbr_threshold *thresholds;
    hcbr_cost *costs;
    hcbr_model *model;
    hcbr_decider *decider;
    hcbr_i_item_key *keys; /* for separate numbers: the model's key by key of all cases */
} part_work;

static void work_clear(part_work *w) {
    hcbr_i_free(w->train);
    hcbr_i_free(w->known);
    hcbr_i_free(w->back);
    hcbr_i_free(w->cost_label);
    hcbr_i_free(w->truth);
    hcbr_i_free(w->weight);
    hcbr_i_free(w->held_weight);
    hcbr_i_free(w->thresholds);
    hcbr_i_free(w->costs);
    hcbr_i_free(w->keys);
    hcbr_decider_free(w->decider);
    hcbr_model_free(w->model);
    hcbr_cases_free(w->cases);
}

void hcbr_i_eval_part_clear(hcbr_i_eval_part *part) {
    hcbr_i_free(part->test);
    hcbr_i_free(part->label);
    hcbr_i_free(part->reason);
    hcbr_i_free(part->copy);
    hcbr_i_free(part->support);
    hcbr_i_free(part->probability);
    hcbr_i_free(part->chance);
    hcbr_i_free(part->difference);
    hcbr_i_free(part->ranks);
    hcbr_i_counts_clear(&part->counts);
    hcbr_i_counts_clear(&part->baseline_counts);
    *part = (hcbr_i_eval_part){0};
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* The held-out cases and the training cases. */
static hcbr_status split(hcbr_i_eval_part *part, part_work *w, const hcbr_i_evaluate_job *job,
                         hcbr_error *err) {
    hcbr_i_folds folds;
    hcbr_i_fold_options options = job->folds;
    uint32_t n = job->cases->case_count, *smaller;
    options.repeat = part->repeat;
    hcbr_status st = hcbr_i_folds_make(&folds, job->cases, &options, err);
    if (st != HCBR_OK)
        return st;
    w->train = hcbr_i_alloc(n, sizeof *w->train);
    part->test = hcbr_i_alloc(n, sizeof *part->test);
    if (w->train && part->test) {
        hcbr_i_folds_split(&folds, part->fold, w->train, &part->trained, part->test,
                           &part->held_out);
        smaller = hcbr_i_realloc(part->test, part->held_out, sizeof *part->test);
        part->test = smaller ? smaller : part->test;
    } else
        st = hcbr_i_no_memory(err);
    hcbr_i_folds_clear(&folds);
    return st;
}

/* Remove the cases of weight 0; returns the number of the others, and sets their weight. */
static uint32_t weighed(uint32_t *list, uint32_t count, const double *weight, double *sum) {
    uint32_t kept = 0;
    *sum = weight ? 0 : count;
    for (uint32_t k = 0; weight && k < count; k++)
        if (weight[list[k]] > 0) {
            *sum += weight[list[k]];
            list[kept++] = list[k];
        }
    return weight ? kept : count;
}

/* Exclude cases of weight 0 from both sides. */
static hcbr_status weigh(hcbr_i_eval_part *part, part_work *w, const hcbr_i_evaluate_job *job,
                         hcbr_error *err) {
    part->trained = weighed(w->train, part->trained, job->weight, &part->trained_weight);
    part->held_out = weighed(part->test, part->held_out, job->weight, &part->held_weight);
    if (!job->weight)
        return HCBR_OK;
    if (!(w->held_weight = hcbr_i_alloc(part->held_out, sizeof *w->held_weight)))
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < part->held_out; k++)
        w->held_weight[k] = job->weight[part->test[k]];
    return part->trained ? HCBR_OK
                         : hcbr_i_fail(err, HCBR_EDATA,
                                       "the training cases of a part have no weight, "
                                       "expected one above 0");
}

static bool has_label(const struct hcbr_cases *cases, const char *name) {
    return hcbr_i_labels_find(&cases->labels, name, strlen(name)) != HCBR_I_NONE;
}

/* A fallback label that the training part lacks cannot be used by its model. */
static const char *usable_fallback(const struct hcbr_cases *cases, const char *name) {
    if (!name || strcmp(name, "unknown") == 0 || strcmp(name, "prior") == 0 ||
        strcmp(name, "auto") == 0)
        return name;
    return has_label(cases, name) ? name : "unknown";
}

/* The rule without labels that the training part lacks. */
static hcbr_status fit_rule(hcbr_rule *rule, part_work *w, hcbr_error *err) {
    size_t count = 0, costs = 0;
    w->thresholds = hcbr_i_alloc(rule->threshold_count, sizeof *w->thresholds);
    w->costs = hcbr_i_alloc(rule->cost_count, sizeof *w->costs);
    if (!w->thresholds || !w->costs)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < rule->cost_count; i++)
        if ((!rule->costs[i].truth || has_label(w->cases, rule->costs[i].truth)) &&
            (!rule->costs[i].given || has_label(w->cases, rule->costs[i].given)))
            w->costs[costs++] = rule->costs[i];
    rule->by_cost = rule->by_cost || rule->cost_count > 0;
    rule->costs = w->costs;
    rule->cost_count = costs;
    if (w->cases->labels.count != 2)
        rule->cut = NULL;
    for (size_t i = 0; i < rule->threshold_count; i++) {
        hcbr_threshold threshold = rule->thresholds[i];
        if (!has_label(w->cases, threshold.label))
            continue;
        threshold.fallback = usable_fallback(w->cases, threshold.fallback);
        w->thresholds[count++] = threshold;
    }
    rule->thresholds = w->thresholds;
    rule->threshold_count = count;
    rule->fallback = usable_fallback(w->cases, rule->fallback);
    return HCBR_OK;
}

/* Map features to those of the model, which may number them differently and leave out numbers. */
static void find_features(const part_work *w, const struct hcbr_cases *cases) {
    for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, x.key);
        hcbr_feature name = {key.at, key.length, x.value, x.value ? x.value_length : 0};
        w->known[f] = hcbr_model_find_feature(w->model, &name);
    }
}

static hcbr_status fit(hcbr_i_eval_part *part, part_work *w, const hcbr_i_evaluate_job *job,
                       hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    hcbr_train_options train = job->train;
    hcbr_rule rule;
    double begin = seconds();
    w->known = hcbr_i_alloc(hcbr_i_dict_count(cases->dict), sizeof *w->known);
    w->back = hcbr_i_alloc(cases->labels.count, sizeof *w->back);
    if (!w->known || !w->back)
        return hcbr_i_no_memory(err);
    hcbr_status st =
        hcbr_i_cases_subset(&w->cases, cases, w->train, part->trained, w->known, w->back, err);
    if (st == HCBR_OK && train.weight &&
        !(w->weight = hcbr_i_alloc(part->trained, sizeof *w->weight)))
        st = hcbr_i_no_memory(err);
    for (uint32_t k = 0; st == HCBR_OK && w->weight && k < part->trained; k++)
        w->weight[k] = train.weight[w->train[k]];
    train.weight = w->weight;
    hcbr_rule_init(&rule);
    if (train.rule)
        rule = *train.rule;
    train.rule = &rule;
    if (st == HCBR_OK)
        st = fit_rule(&rule, w, err);
    if (st == HCBR_OK)
        st = hcbr_model_train(&w->model, w->cases, &train, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_create(&w->decider, w->model, NULL, false, err);
    if (st != HCBR_OK)
        return st;
    if (w->model->dict != w->cases->dict)
        find_features(w, cases);
    if (cases->apart &&
        (st = hcbr_i_item_keys_make(&w->keys, w->model, cases->dict, err)) != HCBR_OK)
        return st;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(w->model, &info);
    part->labels = w->cases->labels.count;
    part->value[HCBR_METRIC_FEATURES] = info.values;
    part->value[HCBR_METRIC_ATOMS] = info.atoms;
    part->value[HCBR_METRIC_FIT] = seconds() - begin;
    return HCBR_OK;
}

/* ---- the answers ----------------------------------------------------------------------------- */

static hcbr_status answers_alloc(hcbr_i_eval_part *part, part_work *w,
                                 const hcbr_i_evaluate_job *job, hcbr_error *err) {
    size_t n = part->held_out, labels = job->cases->labels.count;
    part->label = hcbr_i_alloc(n, sizeof *part->label);
    part->reason = hcbr_i_alloc(n, 1);
    part->copy = hcbr_i_alloc_zero(n, 1);
    w->truth = hcbr_i_alloc(n, sizeof *w->truth);
    part->support = hcbr_i_alloc_zero(n, labels * sizeof *part->support);
    bool ok = part->label && part->reason && part->copy && w->truth && part->support;
    if (ok && labels == 2)
        ok = (part->difference = hcbr_i_alloc(n, sizeof *part->difference));
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

/* Store one decision, in the labels of all cases. */
static hcbr_status keep_decision(hcbr_i_eval_part *part, part_work *w,
                                 const hcbr_i_evaluate_job *job, uint32_t k, const hcbr_decision *d,
                                 hcbr_error *err) {
    size_t labels = job->cases->labels.count;
    if (d->probability && !part->probability &&
        !(part->probability =
              hcbr_i_alloc_zero(part->held_out, labels * sizeof *part->probability)))
        return hcbr_i_no_memory(err);
    part->label[k] = d->label < 0 ? HCBR_LABEL_UNKNOWN : (hcbr_label)w->back[d->label];
    part->reason[k] = (uint8_t)d->reason;
    for (size_t l = 0; l < d->label_count; l++) {
        part->support[k * labels + w->back[l]] = d->support[l];
        if (d->probability)
            part->probability[k * labels + w->back[l]] = d->probability[l];
    }
    if (!part->difference)
        return HCBR_OK;
    /* the lead is exact; the difference of two supports may have lost digits */
    const double *support = part->support + k * labels;
    if (d->label_count == 2 && d->winner >= 0)
        part->difference[k] = w->back[d->winner] ? d->lead : -d->lead;
    else
        part->difference[k] = support[1] - support[0];
    return HCBR_OK;
}

static hcbr_status answer(hcbr_i_eval_part *part, part_work *w, const hcbr_i_evaluate_job *job,
                          hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    hcbr_decision decision = {.size = sizeof decision};
    double begin = seconds();
    hcbr_status st = answers_alloc(part, w, job, err);
    for (uint32_t k = 0; st == HCBR_OK && k < part->held_out; k++) {
        uint32_t i = part->test[k];
        hcbr_i_numbered_case x = {.dict = cases->dict,
                                  .features = cases->features + cases->start[i],
                                  .count = (size_t)(cases->start[i + 1] - cases->start[i]),
                                  .known = w->known,
                                  .numbers = &cases->numbers,
                                  .keys = w->keys};
        if (cases->numbers.start) {
            x.first_item = cases->numbers.start[i];
            x.item_count = cases->numbers.start[i + 1] - x.first_item;
        }
        w->truth[k] = cases->label[i];
        st = hcbr_i_decider_run_numbered(w->decider, &x, &decision, err);
        if (st == HCBR_OK)
            st = keep_decision(part, w, job, k, &decision, err);
    }
    part->value[HCBR_METRIC_PREDICT] = seconds() - begin;
    part->probabilities = part->probability != NULL;
    return st;
}

/* ---- the metrics ----------------------------------------------------------------------------- */

/* The held-out cases with a copy among the training cases. */
static hcbr_status find_copies(hcbr_i_eval_part *part, const part_work *w,
                               const hcbr_i_evaluate_job *job, hcbr_error *err) {
    uint8_t *trained = hcbr_i_alloc_zero(job->cases->case_count, 1);
    if (!trained)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < part->trained; k++)
        trained[job->same[w->train[k]]] = 1;
    for (uint32_t k = 0; k < part->held_out; k++) {
        double weight = w->held_weight ? w->held_weight[k] : 1;
        bool right = part->label[k] == (hcbr_label)w->truth[k];
        part->copy[k] = trained[job->same[part->test[k]]];
        part->copies += part->copy[k] ? weight : 0;
        part->new_right += !part->copy[k] && right ? weight : 0;
    }
    hcbr_i_free(trained);
    return HCBR_OK;
}

/* The model's number of each label of all cases. */
static hcbr_status find_cost_labels(part_work *w, uint32_t labels, hcbr_error *err) {
    uint32_t *list = w->cost_label = hcbr_i_alloc(labels, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < labels; l++)
        list[l] = HCBR_I_NONE;
    for (uint32_t l = 0; l < w->cases->labels.count; l++)
        list[w->back[l]] = l;
    return HCBR_OK;
}

static hcbr_status measure(hcbr_i_eval_part *part, part_work *w, const hcbr_i_evaluate_job *job,
                           hcbr_error *err) {
    uint32_t labels = job->cases->labels.count;
    hcbr_i_answers answers = {part->held_out,   labels,        w->truth,          part->label,
                              part->difference, part->support, part->probability, w->held_weight};
    double *share = hcbr_i_alloc_zero(labels, sizeof *share);
    if (!share)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < part->trained; k++)
        share[job->cases->label[w->train[k]]] += job->weight ? job->weight[w->train[k]] : 1;
    for (uint32_t l = 0; l < labels; l++)
        share[l] /= part->trained_weight;
    hcbr_i_measured what = {share, job->positive, job->most, NULL, NULL};
    hcbr_status st = find_copies(part, w, job, err);
    part->has_costs = w->model->rule.costs.by_given != NULL;
    part->has_cut = w->model->rule.has_cut;
    if (st == HCBR_OK && part->has_costs) {
        what.costs = &w->model->rule.costs;
        st = find_cost_labels(w, labels, err);
        what.cost_label = w->cost_label;
    }
    if (st == HCBR_OK)
        st = hcbr_i_eval_part_measure(part, &answers, &what, err);
    hcbr_i_free(share);
    return st;
}

hcbr_status hcbr_i_eval_part_run(hcbr_i_eval_part *part, const hcbr_i_evaluate_job *job,
                                 hcbr_error *err) {
    part_work w = {0};
    for (int m = 0; m < HCBR_METRIC_END; m++)
        part->value[m] = part->baseline[m] = NAN;
    hcbr_status st = split(part, &w, job, err);
    if (st == HCBR_OK)
        st = weigh(part, &w, job, err);
    if (st == HCBR_OK)
        st = fit(part, &w, job, err);
    if (st == HCBR_OK)
        st = answer(part, &w, job, err);
    if (st == HCBR_OK)
        st = measure(part, &w, job, err);
    if (!job->options->keep_answers &&
        !hcbr_i_pools(job->cases->labels.count, job->cases->case_count)) {
        hcbr_i_free(part->support);
        part->support = NULL;
    }
    if (!job->options->keep_answers) {
        hcbr_i_free(part->probability);
        part->probability = NULL;
    }
    work_clear(&w);
    return st;
}
