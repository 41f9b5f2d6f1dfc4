/*
 * Evaluation: held-out parts, one after the other or in parallel, then the figures of all together.
 *
 * A part writes to its own place only, and places are added up in their order afterwards, so the
 * figures are the same for any number of threads.
 */
#include "evaluate/evaluate.h"

#define MOST_THREADS 1024u
#define MOST_PARTS 1000000u
#define MATTERS 0.01 /* share of held-out cases that equal a training case */

void hcbr_evaluation_free(hcbr_evaluation *e) {
    if (!e)
        return;
    hcbr_evaluation_free(e->together);
    for (uint32_t p = 0; e->parts && p < e->part_count; p++)
        hcbr_i_eval_part_clear(&e->parts[p]);
    hcbr_i_free(e->parts);
    hcbr_i_labels_clear(&e->labels);
    hcbr_i_counts_clear(&e->counts);
    hcbr_i_counts_clear(&e->baseline_counts);
    hcbr_i_free(e->ranks);
    hcbr_i_free(e->confusion);
    hcbr_i_free(e->folds);
    hcbr_i_record_clear(&e->record);
    hcbr_i_free(e->answers);
    hcbr_i_free(e->truth);
    hcbr_i_free(e->row);
    hcbr_i_free(e->ids);
    hcbr_i_free(e->id_start);
    hcbr_i_free(e);
}

/* ---- options --------------------------------------------------------------------------------- */

static hcbr_status check_options(const hcbr_evaluate_options *o, const hcbr_cases *cases,
                                 hcbr_error *err) {
    if (HCBR_I_UNSIZED(err, o->train))
        return HCBR_EUSAGE;
    if (!cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished");
    if (cases->consumed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases was used up by an earlier model");
    if (o->threads > MOST_THREADS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%u threads, expected at most %u", o->threads,
                           MOST_THREADS);
    if ((unsigned)o->equal > HCBR_EQUAL_TOGETHER)
        return hcbr_i_fail(err, HCBR_EUSAGE, "equal cases %d, which is no choice", (int)o->equal);
    if (o->equal == HCBR_EQUAL_TOGETHER && o->by_group)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "parts by group and equal cases together, expected one "
                           "of them");
    if (o->repeats == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found 0 repeats, expected at least 1");
    if (o->repeats > 1 && (o->past_only || o->given_folds || o->test_start))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u repeats of parts that are not drawn, expected 1 repeat", o->repeats);
    if (o->test_start > 0 && o->test_start >= cases->case_count)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no test case, expected at least one");
    return HCBR_OK;
}

hcbr_status hcbr_i_find_positive(hcbr_label *out, const char *name, const hcbr_i_labels *labels,
                                 hcbr_error *err) {
    char quoted[200];
    *out = labels->count == 2 ? 1 : HCBR_LABEL_UNKNOWN;
    if (!name)
        return HCBR_OK;
    uint32_t label = hcbr_i_labels_find(labels, name, strlen(name));
    if (label == HCBR_I_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE, "positive label %s, which no case has",
                           hcbr_i_quote(quoted, name, strlen(name)));
    *out = (hcbr_label)label;
    return HCBR_OK;
}

/* The progress call between reading and the first part: stage "numbers", at its end. */
static hcbr_i_watch watch_of(const struct hcbr_cases *cases, hcbr_progress_fn *progress,
                             void *context) {
    return (hcbr_i_watch){.progress = progress,
                          .context = context,
                          .stage = "numbers",
                          .done = cases->case_count,
                          .total = cases->case_count};
}

/* Options of the model of each part; the rule is checked against all labels here, once. */
static hcbr_status checked_train(hcbr_train_options *out, const hcbr_train_options *given,
                                 const hcbr_i_labels *labels, hcbr_error *err) {
    hcbr_i_rule rule;
    hcbr_train_options_init(out);
    if (given)
        *out = *given;
    hcbr_status st = hcbr_i_train_options_check(out, err);
    if (st == HCBR_OK)
        st = hcbr_i_rule_resolve(&rule, out->rule, labels, hcbr_i_rule_of(out), err);
    if (st != HCBR_OK)
        return st;
    out->consume = 1;
    out->keep = rule.memory ? HCBR_KEEP_ANONYMOUS : HCBR_KEEP_NONE;
    hcbr_i_rule_clear(&rule);
    out->read = NULL;
    out->notify = NULL;
    return HCBR_OK;
}

static hcbr_i_fold_options fold_options(const hcbr_evaluate_options *o) {
    return (hcbr_i_fold_options){.folds = o->folds,
                                 .seed = o->seed,
                                 .holdout = o->holdout,
                                 .by_group = o->by_group != 0,
                                 .together = o->equal == HCBR_EQUAL_TOGETHER,
                                 .fewer = o->equal == HCBR_EQUAL_TOGETHER,
                                 .past_only = o->past_only != 0,
                                 .test_start = (uint32_t)o->test_start,
                                 .given = o->given_folds,
                                 .given_count = o->given_count};
}

/* ---- running the parts ----------------------------------------------------------------------- */

typedef struct run_state {
    hcbr_i_evaluate_job job;
    bool again; /* it is the second time */
    hcbr_evaluation *evaluation;
} run_state;

static hcbr_status run_part(void *context, uint64_t part, const hcbr_i_asked_stop *stop,
                            hcbr_error *err) {
    const run_state *run = context;
    hcbr_i_evaluate_job job = run->job;
    job.train.progress = stop->ask;
    job.train.progress_context = stop->context;
    return hcbr_i_eval_part_run(&run->evaluation->parts[part], &job, err);
}

static hcbr_status run_all(run_state *run, hcbr_error *err) {
    hcbr_evaluation *e = run->evaluation;
    const hcbr_evaluate_options *o = run->job.options;
    uint32_t threads = o->threads ? o->threads : 1;
    assert(e->part_count > 0);
    for (uint32_t p = 0; p < e->part_count; p++) {
        e->parts[p].repeat = p / e->fold_count;
        e->parts[p].fold = p % e->fold_count;
    }
    /* threads without a part help to build the models */
    run->job.train.threads = threads > e->part_count ? threads / e->part_count : 1;
    const char *stage = run->again ? "together" : "evaluate";
    const hcbr_i_each_options each = {threads, stage, o->progress, o->progress_context};
    return hcbr_i_each(e->part_count, &each, run_part, run, err);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static void warn(const hcbr_evaluation *e, const hcbr_evaluate_options *o) {
    uint32_t lacking = 0;
    char quoted[200];
    if (e->labels.count == 1) {
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "all cases have the label %s: there is nothing to be told apart",
                      hcbr_i_quote(quoted, e->labels.names[0], e->labels.lengths[0]));
        return;
    }
    for (uint32_t p = 0; p < e->part_count; p++)
        lacking += e->parts[p].labels < e->labels.count;
    if (lacking)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "in %u of %u parts the training cases lack a label: its cases are decided "
                      "wrongly there",
                      lacking, e->part_count);
}

/* ---- an evaluation --------------------------------------------------------------------------- */

/* Folds of the first repeat: how many there are, and the one of each data row. */
static hcbr_status first_folds(hcbr_evaluation *e, const hcbr_cases *cases,
                               const hcbr_i_fold_options *options, hcbr_error *err) {
    hcbr_i_folds folds;
    hcbr_status st = hcbr_i_folds_make(&folds, cases, options, err);
    if (st != HCBR_OK)
        return st;
    e->fold_count = folds.count;
    e->row_count = (size_t)hcbr_cases_get_info(cases).rows;
    e->folds = hcbr_i_alloc_zero(e->row_count, sizeof *e->folds);
    for (uint32_t i = 0; e->folds && i < cases->case_count; i++)
        if (folds.of[i] != HCBR_I_NONE)
            e->folds[cases->row ? cases->row[i] - 1 : i] = folds.of[i];
    hcbr_i_folds_clear(&folds);
    return e->folds ? HCBR_OK : hcbr_i_no_memory(err);
}

/* The weights that count, on the grid on which their sums are exact. */
static hcbr_status take_weights(hcbr_i_evaluate_job *job, double **out, hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    const double *weight = job->train.weight ? job->train.weight : cases->weight;
    if (!weight)
        return HCBR_OK;
    hcbr_status st = hcbr_i_model_check_weights(cases, weight, err);
    if (st == HCBR_OK)
        st = hcbr_i_model_exact_weights(out, cases, weight, err);
    job->weight = *out;
    return st;
}

/*
 * The answer of the baseline. Stratified folds may leave the rarer of two nearly equal labels more
 * frequent in training, so all cases determine the label. A model of the past, or of other files
 * than those decided, knows its training cases only.
 */
static hcbr_status find_most(hcbr_i_evaluate_job *job, hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    const uint32_t stated = hcbr_i_beliefs_cases(cases->beliefs);
    job->most = HCBR_LABEL_UNKNOWN;
    if (job->folds.past_only || job->folds.test_start)
        return HCBR_OK;
    double *sum = hcbr_i_alloc_zero(cases->labels.count, sizeof *sum);
    if (!sum)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count - stated; i++)
        sum[cases->label[i]] += job->weight ? job->weight[i] : 1;
    job->most = 0;
    for (uint32_t l = 1; l < cases->labels.count; l++)
        job->most = sum[l] > sum[job->most] ? (hcbr_label)l : job->most;
    hcbr_i_free(sum);
    return HCBR_OK;
}

static hcbr_status evaluate(hcbr_evaluation *e, const hcbr_cases *cases,
                            const hcbr_evaluate_options *o, bool again, hcbr_error *err) {
    run_state run = {.evaluation = e, .again = again};
    uint32_t *same = NULL;
    double *weight = NULL;
    run.job.cases = cases;
    run.job.options = o;
    run.job.folds = fold_options(o);
    hcbr_status st = checked_train(&run.job.train, o->train, &cases->labels, err);
    if (st == HCBR_OK)
        st = hcbr_i_find_positive(&e->positive, o->positive, &cases->labels, err);
    if (st == HCBR_OK)
        st = hcbr_i_labels_copy(&e->labels, &cases->labels, err);
    if (st == HCBR_OK)
        st = take_weights(&run.job, &weight, err);
    run.job.folds.weight = run.job.weight;
    if (st == HCBR_OK)
        st = first_folds(e, cases, &run.job.folds, err);
    if (st == HCBR_OK && (uint64_t)e->fold_count * o->repeats > MOST_PARTS)
        st = hcbr_i_fail(err, HCBR_EUSAGE, "%u folds in %u repeats, expected at most %u parts",
                         e->fold_count, o->repeats, MOST_PARTS);
    if (st != HCBR_OK) {
        hcbr_i_free(weight);
        return st;
    }
    run.job.positive = e->positive;
    e->part_count = e->fold_count * o->repeats;
    e->parts = hcbr_i_alloc_zero(e->part_count, sizeof *e->parts);
    run.job.same = same = hcbr_i_alloc(cases->case_count, sizeof *same);
    const hcbr_i_watch watch = watch_of(cases, o->progress, o->progress_context);
    st = !e->parts || !same ? hcbr_i_no_memory(err)
         : again            ? HCBR_OK
                            : hcbr_i_copies_number(same, cases, &watch, err);
    for (uint32_t i = 0; st == HCBR_OK && again && i < cases->case_count; i++)
        same[i] = i; // equal cases are together: there are no copies to be found
    if (st == HCBR_OK)
        st = find_most(&run.job, err);
    if (st == HCBR_OK)
        st = run_all(&run, err);
    hcbr_i_free(same);
    if (st == HCBR_OK)
        st = hcbr_i_evaluation_merge(e, cases->label, run.job.weight, err);
    if (st == HCBR_OK && o->keep_answers)
        st = hcbr_i_evaluation_order(e, cases, err);
    else if (st == HCBR_OK)
        hcbr_i_evaluation_drop(e);
    hcbr_i_free(weight);
    return st;
}

/* Whether it matters where equal cases are, and whether folds may separate them. */
static bool copies_matter(const hcbr_evaluation *e, const hcbr_evaluate_options *o) {
    double copies = 0, held_out = 0;
    if (o->equal != HCBR_EQUAL_BESIDE || o->by_group || o->past_only || o->test_start ||
        o->given_folds)
        return false;
    for (uint32_t p = 0; p < e->part_count; p++) {
        copies += e->parts[p].copies;
        held_out += e->parts[p].held_weight;
    }
    return copies >= MATTERS * held_out && copies > 0;
}

/* The same evaluation with equal cases together. */
static hcbr_status evaluate_again(hcbr_evaluation *e, const hcbr_cases *cases,
                                  const hcbr_evaluate_options *o, hcbr_error *err) {
    hcbr_evaluate_options together = *o;
    together.equal = HCBR_EQUAL_TOGETHER;
    together.keep_answers = 0;
    hcbr_evaluation *again = hcbr_i_alloc_zero(1, sizeof *again);
    if (!again)
        return hcbr_i_no_memory(err);
    again->case_count = e->case_count;
    again->feature_count = e->feature_count;
    again->repeats = e->repeats;
    again->seed = e->seed;
    again->at = e->at;
    hcbr_status st = evaluate(again, cases, &together, true, err);
    if (st == HCBR_OK) {
        e->together = again;
        again = NULL; // now of e
    }
    hcbr_evaluation_free(again);
    return st == HCBR_EDATA ? HCBR_OK : st; // all cases are equal
}

/* Cases in the form that models of them take. */
typedef struct taken_cases {
    const struct hcbr_cases *cases; /* one of these, or the list itself */
    struct hcbr_cases *understood, *spelled;
} taken_cases;

/* Also on failure taken_clear() it. The list must outlive it. */
static hcbr_status take(taken_cases *out, const struct hcbr_cases *cases,
                        const hcbr_train_options *train, hcbr_progress_fn *progress, void *context,
                        hcbr_error *err) {
    *out = (taken_cases){.cases = cases};
    hcbr_status st = hcbr_i_model_understand(&out->understood, cases, train, err);
    if (out->understood)
        out->cases = out->understood;
    if (st == HCBR_OK && out->cases->apart && train->model == HCBR_MODEL_PLAIN)
        st = hcbr_i_cases_spell(&out->spelled, out->cases, "numbers", progress, context, err);
    if (out->spelled)
        out->cases = out->spelled;
    return st;
}

static void taken_clear(taken_cases *taken) {
    hcbr_cases_free(taken->spelled);
    hcbr_cases_free(taken->understood);
    *taken = (taken_cases){0};
}

static hcbr_status copy(hcbr_cases **out, const struct hcbr_cases *cases, const uint64_t *which,
                        uint32_t count, hcbr_error *err) {
    uint32_t *list = hcbr_i_alloc(count, sizeof *list);
    hcbr_status st = list ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t k = 0; st == HCBR_OK && k < count; k++) {
        list[k] = which ? (uint32_t)which[k] : k;
        if (which && which[k] >= cases->case_count)
            st = hcbr_i_fail(err, HCBR_EUSAGE, "case %llu of %u", (unsigned long long)which[k],
                             cases->case_count);
    }
    if (st == HCBR_OK)
        st = hcbr_i_cases_copy(out, cases, list, count, err);
    hcbr_i_free(list);
    return st;
}

hcbr_status hcbr_cases_copy(hcbr_cases **out, const hcbr_cases *cases,
                            const hcbr_train_options *options, const uint64_t *which, size_t count,
                            hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    hcbr_status st = check_options(&o, cases, err);
    if (st == HCBR_OK && which && (count == 0 || count >= HCBR_I_NONE))
        st = hcbr_i_fail(err, HCBR_EUSAGE, "found a list of %zu cases", count);
    if (st != HCBR_OK)
        return st;
    taken_cases taken = {.cases = cases};
    if (options && (st = hcbr_i_train_options_check(options, err)) == HCBR_OK)
        st = take(&taken, cases, options, options->progress, options->progress_context, err);
    if (st == HCBR_OK)
        st = copy(out, taken.cases, which, which ? (uint32_t)count : cases->case_count, err);
    taken_clear(&taken);
    return st;
}

hcbr_status hcbr_evaluate(hcbr_evaluation **out, const hcbr_cases *cases,
                          const hcbr_evaluate_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_evaluate_options o;
    hcbr_evaluate_options_init(&o);
    if (options)
        o = *options;
    hcbr_status st = check_options(&o, cases, err);
    if (st != HCBR_OK)
        return st;
    hcbr_evaluation *e = hcbr_i_alloc_zero(1, sizeof *e);
    if (!e)
        return hcbr_i_no_memory(err);
    e->case_count = cases->case_count - hcbr_i_beliefs_cases(cases->beliefs);
    e->repeats = o.repeats;
    e->seed = o.seed;
    e->at = o.at;
    hcbr_train_options train;
    hcbr_train_options_init(&train);
    if (o.train)
        train = *o.train;
    taken_cases taken;
    st = take(&taken, cases, &train, o.progress, o.progress_context, err);
    const hcbr_i_watch watch = watch_of(cases, o.progress, o.progress_context);
    if (st == HCBR_OK)
        st = hcbr_i_cases_value_count(&e->feature_count, taken.cases, &watch, err);
    if (st == HCBR_OK)
        st = evaluate(e, taken.cases, &o, false, err);
    if (st == HCBR_OK && copies_matter(e, &o))
        st = evaluate_again(e, taken.cases, &o, err);
    taken_clear(&taken);
    if (st == HCBR_OK) {
        warn(e, &o);
        hcbr_i_model_warn_ids(cases, &train, o.notify, o.notify_context);
        *out = e;
        e = NULL; // now the caller's
    }
    hcbr_evaluation_free(e);
    return st;
}
