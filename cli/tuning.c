/*
 * hcbr tune: thresholds are chosen on held-out cases inside hcbr_model_train(). Here the options
 * for that are read, and the whole of it, tuning included, is evaluated on other held-out cases, so
 * that the figures printed are those of cases that had no part in any choice.
 */
#include "tuning.h"

#include "label.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

/* A number of an open interval; *share stays where the option was not given. */
static int read_share(const args *given, opt_id id, const char *name, double *share) {
    const char *text = args_get(given, id);
    double value;
    if (!text)
        return EXIT_DONE;
    if (!hcbr_number_parse(&value, text, strlen(text)) || !(value > 0 && value < 1))
        return say_usage("tune", "--%s %s: a number above 0 and below 1 was expected", name,
                         text[0] ? text : "''");
    *share = value;
    return EXIT_DONE;
}

/* Are two names the same, or both none? */
static bool same_name(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Adds a cost; false if it is listed already. There is room: see make_room(). */
static bool add_cost(tuning *t, const char *truth, const char *given, double cost) {
    for (size_t i = 0; i < t->options.cost_count; i++)
        if (same_name(t->costs[i].truth, truth) && same_name(t->costs[i].given, given))
            return false;
    t->costs[t->options.cost_count++] = (hcbr_cost){truth, given, cost};
    return true;
}

/* One cost: "fp", "fn", "unknown" or "TRUE:GIVEN", cut in place. sides: which of the first three
 * came before. */
static int read_cost(tuning *t, const char *given, char *text, double cost, bool sides[3]) {
    static const char *const SIDES[] = {"fp", "fn", "unknown"};
    double *const to[] = {&t->options.cost_fp, &t->options.cost_fn, &t->options.cost_unknown};
    char *colon = strchr(text, ':');
    for (int side = 0; !colon && side < 3; side++)
        if (strcmp(text, SIDES[side]) == 0) {
            if (sides[side])
                return say_usage("tune", "--cost %s: %s is given twice", given, text);
            *to[side] = cost;
            sides[side] = true;
            return EXIT_DONE;
        }
    if (!colon || colon == text || !colon[1])
        return say_usage("tune", "--cost %s: found %s, expected fp, fn, unknown or TRUE:GIVEN",
                         given, text[0] ? text : "nothing before =");
    *colon++ = '\0';
    if (strcmp(text, colon) == 0)
        return say_usage("tune", "--cost %s: found %s:%s, but a right answer costs nothing", given,
                         text, colon);
    if (!add_cost(t, text, strcmp(colon, "unknown") == 0 ? NULL : colon, cost))
        return say_usage("tune", "--cost %s: %s:%s is given twice", given, text, colon);
    return EXIT_DONE;
}

/* "fp=1,fn=30,unknown=0.2" or "TRUE:GIVEN=V,...", cut in place. */
static int read_costs(tuning *t, const char *given, char *text) {
    bool sides[3] = {false, false, false};
    while (text) {
        char *comma = strchr(text, ','), *equals;
        double cost;
        if (comma)
            *comma = '\0';
        equals = strrchr(text, '=');
        if (!equals || !hcbr_number_parse(&cost, equals + 1, strlen(equals + 1)) || cost < 0 ||
            cost > 1e6)
            return say_usage("tune",
                             "--cost %s: fp=V,fn=V,unknown=V or TRUE:GIVEN=V,... with V from 0 to "
                             "1e6 was expected",
                             given);
        *equals = '\0';
        int code = read_cost(t, given, text, cost, sides);
        if (code != EXIT_DONE)
            return code;
        text = comma ? comma + 1 : NULL;
    }
    if (t->options.cost_count && (sides[0] || sides[1]))
        return say_usage("tune", "--cost %s: fp and fn and pairs of labels exclude each other",
                         given);
    if (t->options.cost_count && sides[2])
        add_cost(t, NULL, NULL, t->options.cost_unknown);
    t->options.costs = t->costs;
    t->options.goal = HCBR_GOAL_COST;
    return EXIT_DONE;
}

static int read_passes(tuning *t, const char *text) {
    const char *at = text;
    for (;;) {
        uint64_t value = 0;
        const char *digits = at;
        for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
            value = 10 * value + (uint64_t)(*at - '0');
        if (at == digits || value > UINT32_MAX || (*at && *at != ','))
            return say_usage("tune", "--try-passes %s: numbers separated by commas were expected",
                             text[0] ? text : "''");
        t->passes[t->options.pass_count++] = (uint32_t)value;
        if (!*at++)
            break;
    }
    t->options.passes = t->passes;
    return EXIT_DONE;
}

/* All of --cost, which may be given again, with commas between them. */
static bool join_costs(tuning *t, const args *given) {
    size_t bytes = 1;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_COST)
            bytes += strlen(given->given[i].value) + 1;
    t->text = calloc(bytes, 1);
    t->cost = calloc(bytes, 1);
    t->costs = calloc(bytes / 2 + 2, sizeof *t->costs); // no item is shorter than two bytes
    if (!t->text || !t->cost || !t->costs)
        return false;
    char *to = t->cost;
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].id == OPT_COST) {
            size_t length = strlen(given->given[i].value);
            if (to > t->cost)
                *to++ = ',';
            memcpy(to, given->given[i].value, length);
            to += length;
        }
    memcpy(t->text, t->cost, bytes);
    return true;
}

/* Room for whatever the texts can hold. */
static bool make_room(tuning *t, const args *given, const char *passes) {
    t->passes = calloc((passes ? strlen(passes) : 0) / 2 + 1, sizeof *t->passes);
    return join_costs(t, given) && t->passes;
}

int tuning_read(tuning *t, const args *given, hcbr_train_options *train) {
    static const char *const METRICS[] = {"accuracy", "balanced", "f1", "mcc", NULL};
    const char *passes = args_get(given, OPT_TRY_PASSES);
    int metric = 0, code;
    uint64_t folds;
    hcbr_tune_options_init(&t->options);
    folds = t->options.folds;
    if (!make_room(t, given, passes))
        return say_no_memory("tune");
    if (args_has(given, OPT_METRIC) + args_has(given, OPT_COST) + args_has(given, OPT_MAX_ERROR) >
        1)
        return say_usage("tune", "--metric, --cost and --max-error exclude each other");
    if (args_has(given, OPT_ETA) || args_has(given, OPT_ETA_SHARE))
        return say_usage("tune", "--eta and --eta-share are what is chosen; train takes them");
    if ((code = settings_choice(given, OPT_METRIC, METRICS, &metric)) ||
        (code = settings_number(given, OPT_FOLDS, 2, 1000000, &folds)) ||
        (code = read_share(given, OPT_MAX_ERROR, "max-error", &t->options.max_error)) ||
        (code = read_share(given, OPT_CONFIDENCE, "confidence", &t->options.confidence)))
        return code;
    t->options.goal = (hcbr_goal)(HCBR_GOAL_ACCURACY + metric);
    if (args_has(given, OPT_MAX_ERROR))
        t->options.goal = HCBR_GOAL_MAX_ERROR;
    else if (args_has(given, OPT_CONFIDENCE))
        return say_usage("tune", "--confidence goes with --max-error");
    t->options.folds = (uint32_t)folds;
    t->options.positive = args_get(given, OPT_POSITIVE);
    t->options.choose_scope = args_has(given, OPT_TRY_SCOPES);
    if ((args_has(given, OPT_COST) && (code = read_costs(t, t->cost, t->text))) ||
        (passes && (code = read_passes(t, passes))))
        return code;
    train->tune = &t->options;
    return EXIT_DONE;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* A label that stands in an option and in no case is a mistake. */
static int check_label(const hcbr_cases *cases, const char *option, const char *label) {
    for (uint32_t l = 0; l < hcbr_cases_label_count(cases); l++)
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
        if ((!t->costs[i].truth ||
             (code = check_label(cases, "--cost", t->costs[i].truth)) == EXIT_DONE) &&
            t->costs[i].given)
            code = check_label(cases, "--cost", t->costs[i].given);
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
    hcbr_json_key(w, name);
    if (f.count == 0) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "mean"), hcbr_json_number(w, f.mean);
    hcbr_json_key(w, "sd"), hcbr_json_number(w, f.sd);
    hcbr_json_close(w, '}');
}

void tuning_json(const tuning *t, hcbr_writer *w, const hcbr_model *model) {
    static const hcbr_metric METRICS[] = {
        HCBR_METRIC_ACCURACY, HCBR_METRIC_MCC,   HCBR_METRIC_F1,  HCBR_METRIC_DECIDED,
        HCBR_METRIC_UNKNOWN,  HCBR_METRIC_BRIER, HCBR_METRIC_ECE, HCBR_METRIC_LOG_LOSS};
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_json_key(w, "why"), hcbr_json_string(w, info.why);
    hcbr_json_key(w, "passes"), hcbr_json_u64(w, info.passes);
    hcbr_json_key(w, "scope"), hcbr_json_string(w, info.scope == HCBR_SCOPE_ALL ? "all" : "class");
    hcbr_json_key(w, "rule"), hcbr_json_open(w, '{');
    for (uint32_t l = 0; l < info.labels; l++) {
        label_facts label = label_of(model, (hcbr_label)l);
        hcbr_json_key_text(w, label.name, label.name_length), hcbr_json_open(w, '{');
        hcbr_json_key(w, "eta"), hcbr_json_number(w, label.info.eta);
        hcbr_json_key(w, "eta_share"), hcbr_json_number(w, label.info.eta_share);
        hcbr_json_key(w, "fallback");
        if (label.info.fallback < 0) {
            hcbr_json_string(w, label.info.fallback == HCBR_LABEL_PRIOR ? "prior" : "unknown");
        } else {
            label_facts fallback = label_of(model, label.info.fallback);
            hcbr_json_text(w, fallback.name, fallback.name_length);
        }
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, '}');
    hcbr_json_rule(w, model);
    hcbr_json_key(w, "held_out"), hcbr_json_open(w, '{');
    for (size_t i = 0; i < sizeof METRICS / sizeof *METRICS; i++)
        json_figure(t, w, hcbr_metric_name(METRICS[i]), METRICS[i]);
    hcbr_json_close(w, '}');
}

void tuning_clear(tuning *t) {
    hcbr_evaluation_free(t->result);
    free(t->text);
    free(t->cost);
    free(t->costs);
    free(t->passes);
}
