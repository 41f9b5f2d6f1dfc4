/*
 * hcbr tune: thresholds are chosen on held-out cases inside hcbr_model_train(). Here the options
 * for that are read, and the whole of it, tuning included, is evaluated on other held-out cases, so
 * that the printed figures are not in-sample.
 */
#include "tuning.h"

#include "label.h"
#include "settings.h"

#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

int tuning_read(tuning *t, settings *s, const args *given, hcbr_train_options *train) {
    hcbr_tune_options_init(&t->options);
    t->options.goal = HCBR_GOAL_ACCURACY;
    if (args_has(given, "eta") || args_has(given, "eta-share"))
        return say_usage("tune", "--eta and --eta-share are what is chosen; train takes them");
    int code = settings_tune(s, given, &t->options);
    if (code != EXIT_DONE)
        return code;
    if (t->options.goal == HCBR_GOAL_NONE)
        return say_usage("tune", "--metric none: accuracy, balanced, f1 or mcc was expected");
    if (args_has(given, "confidence") && t->options.goal != HCBR_GOAL_MAX_ERROR)
        return say_usage("tune", "--confidence goes with --max-error");
    train->tune = &t->options;
    return EXIT_DONE;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* A label in an option that no case has is a mistake. */
static int check_label(const hcbr_cases *cases, const char *option, const char *label) {
    for (uint32_t l = 0; l < hcbr_cases_get_info(cases).labels; l++)
        if (strcmp(hcbr_cases_get_label(cases, (hcbr_label)l, NULL), label) == 0)
            return EXIT_DONE;
    return say_usage("tune", "%s: no case has the label %s", option, label);
}

int tuning_evaluate(tuning *t, term *words, const hcbr_cases *cases,
                    const hcbr_train_options *train, bool grouped) {
    hcbr_evaluate_options options;
    hcbr_error err = {0};
    int code = EXIT_DONE;
    if (t->options.positive)
        code = check_label(cases, "--positive", t->options.positive);
    for (size_t i = 0; code == EXIT_DONE && i < t->options.cost_count; i++)
        if ((!t->options.costs[i].truth ||
             (code = check_label(cases, "--cost", t->options.costs[i].truth)) == EXIT_DONE) &&
            t->options.costs[i].given)
            code = check_label(cases, "--cost", t->options.costs[i].given);
    if (code != EXIT_DONE)
        return code;
    hcbr_evaluate_options_init(&options);
    options.folds = t->options.folds;
    options.seed = train->seed;
    options.positive = t->options.positive;
    options.threads = train->threads;
    options.by_group = grouped;
    options.equal = grouped ? HCBR_EQUAL_APART : HCBR_EQUAL_TOGETHER;
    options.train = train;
    options.progress = term_progress;
    options.progress_context = words;
    term_begin(words, "evaluate");
    if (hcbr_evaluate(&t->result, cases, &options, &err) != HCBR_OK)
        return term_fail(words, &err);
    return EXIT_DONE;
}

static hcbr_figure figure_of(const tuning *t, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(t->result, metric, HCBR_LABEL_UNKNOWN, &figure);
    return figure;
}

int tuning_judge(tuning *t, term *words, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_label_info label = {.size = sizeof label};
    hcbr_model_get_info(model, &info);
    hcbr_model_get_label_info(model, 0, &label);
    if (t->options.goal != HCBR_GOAL_MAX_ERROR || label.eta < 1e100)
        return EXIT_DONE;
    term_finish(words);
    term_warn(words, "%s; no model was written", info.why ? info.why : "nothing is answered");
    return EXIT_NO;
}

static void say_figure(const tuning *t, term *words, const char *name, hcbr_metric metric) {
    hcbr_figure f = figure_of(t, metric);
    if (f.count > 0)
        term_say(words, "          %-10s %.4f  (%.4f to %.4f)", name, f.mean, f.low, f.high);
}

void tuning_say(const tuning *t, term *words, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_evaluation_info held = {.size = sizeof held};
    hcbr_model_get_info(model, &info);
    hcbr_evaluation_get_info(t->result, &held);
    if (info.why)
        term_say(words, "tuned     %s", info.why);
    if (t->options.pass_count || t->options.choose_scope)
        term_say(words, "chosen    %u passes, scope %s", info.passes,
                 info.scope == HCBR_SCOPE_ALL ? "all" : "class");
    term_say(words, "held out  %llu cases in %u folds, each tuned and trained without them:",
             (unsigned long long)held.held_out, held.folds);
    say_figure(t, words, "accuracy", HCBR_METRIC_ACCURACY);
    say_figure(t, words, "mcc", HCBR_METRIC_MCC);
    say_figure(t, words, "f1", HCBR_METRIC_F1);
    say_figure(t, words, "log-loss", HCBR_METRIC_LOG_LOSS);
    if (t->options.goal == HCBR_GOAL_MAX_ERROR ||
        (t->options.goal == HCBR_GOAL_COST && figure_of(t, HCBR_METRIC_UNKNOWN).mean > 0)) {
        say_figure(t, words, "on answers", HCBR_METRIC_DECIDED);
        term_say(words, "          %-10s %.1f %%", "answered",
                 100 * (1 - figure_of(t, HCBR_METRIC_UNKNOWN).mean));
    }
}

static void json_figure(const tuning *t, hcbr_writer *w, const char *name, hcbr_metric metric) {
    hcbr_figure f = figure_of(t, metric);
    if (f.count == 0) {
        HCBR_PUT(w, hcbr_item_string(name, NULL));
        return;
    }
    HCBR_PUT(w, hcbr_item_open(name, '{'), hcbr_item_number("mean", f.mean),
             hcbr_item_number("sd", f.sd), hcbr_item_close('}'));
}

void tuning_json(const tuning *t, hcbr_writer *w, const hcbr_model *model) {
    static const hcbr_metric METRICS[] = {
        HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC,   HCBR_METRIC_F1,  HCBR_METRIC_DECIDED,
        HCBR_METRIC_UNKNOWN,  HCBR_METRIC_BRIER, HCBR_METRIC_ECE, HCBR_METRIC_LOG_LOSS};
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    HCBR_PUT(w, hcbr_item_string("why", info.why), hcbr_item_u64("passes", info.passes),
             hcbr_item_string("scope", info.scope == HCBR_SCOPE_ALL ? "all" : "class"),
             hcbr_item_open("rule", '{'));
    for (uint32_t l = 0; l < info.labels; l++) {
        label_facts label = label_of(model, (hcbr_label)l);
        HCBR_PUT(w, hcbr_item_key(label.name, label.name_length), hcbr_item_open(NULL, '{'),
                 hcbr_item_number("eta", label.info.eta),
                 hcbr_item_number("eta_share", label.info.eta_share),
                 hcbr_item_key("fallback", SIZE_MAX));
        if (label.info.fallback < 0) {
            HCBR_PUT(w, hcbr_item_string(
                            NULL, label.info.fallback == HCBR_LABEL_PRIOR ? "prior" : "unknown"));
        } else {
            label_facts fallback = label_of(model, label.info.fallback);
            HCBR_PUT(w, hcbr_item_text(NULL, fallback.name, fallback.name_length));
        }
        HCBR_PUT(w, hcbr_item_close('}'));
    }
    HCBR_PUT(w, hcbr_item_close('}'));
    hcbr_json_rule(w, model);
    HCBR_PUT(w, hcbr_item_open("held_out", '{'));
    for (size_t i = 0; i < sizeof METRICS / sizeof *METRICS; i++)
        json_figure(t, w, hcbr_metric_name(METRICS[i]), METRICS[i]);
    HCBR_PUT(w, hcbr_item_close('}'));
}

void tuning_clear(tuning *t) {
    hcbr_evaluation_free(t->result);
}
