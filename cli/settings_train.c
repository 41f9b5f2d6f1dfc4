/*
 * The options of building a model, and its estimated cost.
 */
#include "settings.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Options that the other model does not know. */
static int check_model(const args *given, const hcbr_train_options *options) {
    static const char *const MODELS[] = {"plain", "rich"};
    static const struct {
        const char *id;
        hcbr_model_kind model;
    } ONLY[] = {{"effort", HCBR_MODEL_RICH},       {"numeric", HCBR_MODEL_RICH},
                {"categorical", HCBR_MODEL_RICH},  {"weight", HCBR_MODEL_RICH},
                {"scope", HCBR_MODEL_PLAIN},       {"passes", HCBR_MODEL_PLAIN},
                {"given-order", HCBR_MODEL_PLAIN}, {"try-passes", HCBR_MODEL_PLAIN},
                {"try-scopes", HCBR_MODEL_PLAIN},  {"prune", HCBR_MODEL_PLAIN},
                {"importance", HCBR_MODEL_PLAIN}};
    for (size_t i = 0; i < sizeof ONLY / sizeof *ONLY; i++)
        if (options->model != ONLY[i].model && args_has(given, ONLY[i].id))
            return say_usage(given->command->name, "--%s is for --model %s", opt_name(ONLY[i].id),
                             MODELS[ONLY[i].model]);
    return EXIT_DONE;
}

/* A column that an option names and no case has is a mistake. */
static int check_column(const args *given, const hcbr_cases *cases, const char *option,
                        const char *name) {
    const uint32_t count = hcbr_cases_get_info(cases).keys;
    const size_t length = strlen(name);
    for (uint32_t k = 0; k < count; k++) {
        hcbr_feature key;
        hcbr_cases_get_key_name(cases, k, &key);
        if (key.key_length == length && memcmp(key.key, name, length) == 0)
            return EXIT_DONE;
    }
    return say_usage(given->command->name, "--%s %s: no case has this column or key", option,
                     settings_shown(name));
}

int settings_check_columns(const args *given, const hcbr_cases *cases,
                           const hcbr_train_options *options) {
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < options->numeric_count; i++)
        code = check_column(given, cases, "numeric", options->numeric[i]);
    for (size_t i = 0; code == EXIT_DONE && i < options->categorical_count; i++)
        code = check_column(given, cases, "categorical", options->categorical[i]);
    return code;
}

int settings_finish(term *t, const args *given, const hcbr_read_options *read,
                    const hcbr_train_options *options, hcbr_cases *cases) {
    const char *path = args_get(given, "belief");
    hcbr_error err = {0};
    if ((path && hcbr_cases_read_beliefs(cases, path, read, options->model == HCBR_MODEL_PLAIN,
                                         &err) != HCBR_OK) ||
        hcbr_cases_finish(cases, &err) != HCBR_OK)
        return term_fail(t, &err);
    return EXIT_DONE;
}

int settings_importance(settings *s, term *t, const args *given, const hcbr_cases *cases,
                        hcbr_train_options *options) {
    const char *path = args_get(given, "importance");
    hcbr_error err = {0};
    if (!path)
        return EXIT_DONE;
    if (hcbr_emphases_load(&s->emphases, path, cases, &err) != HCBR_OK)
        return term_fail(t, &err);
    options->emphasis = hcbr_emphases_get(s->emphases, &options->emphasis_count);
    return EXIT_DONE;
}

static void format_time(char text[32], double seconds) {
    if (seconds < 90)
        snprintf(text, 32, "%.0f s", fmax(seconds, 1));
    else if (seconds < 5400)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
}

/* All memory of the machine; 0 if that is not known. */
static uint64_t machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* Training would take too much: report it, with options that need less. */
static int refuse(term *t, const hcbr_cases *cases, const hcbr_train_options *options,
                  const hcbr_estimate *need) {
    hcbr_train_options less = *options;
    hcbr_estimate lite = {.size = sizeof lite};
    char instead[80] = "";
    less.effort = HCBR_EFFORT_LITE;
    if (options->model == HCBR_MODEL_RICH && options->effort != HCBR_EFFORT_LITE &&
        hcbr_model_estimate(cases, &less, &lite, NULL) == HCBR_OK &&
        lite.bytes <= options->max_memory)
        snprintf(instead, sizeof instead, "use --effort lite (about %.0f MB), or ",
                 lite.bytes / 1e6);
    hcbr_error err = {.status = HCBR_ENOMEM};
    snprintf(err.message, sizeof err.message,
             "training would take about %.0f MB of memory, expected at most %.0f MB: %sraise "
             "--max-memory",
             need->bytes / 1e6, options->max_memory / 1e6, instead);
    return term_fail(t, &err);
}

int settings_estimate(term *t, const hcbr_cases *cases, const hcbr_train_options *options,
                      double runs, hcbr_estimate *out) {
    enum { LONG = 10 }; // seconds
    char time[32];
    *out = (hcbr_estimate){.size = sizeof *out};
    if (hcbr_model_estimate(cases, options, out, NULL) != HCBR_OK)
        return EXIT_DONE; // training says why
    if (options->max_memory > 0 && out->bytes > options->max_memory)
        return refuse(t, cases, options, out);
    out->seconds *= runs;
    if ((out->seconds < LONG && !t->verbose) || (!t->live && !t->verbose))
        return EXIT_DONE;
    format_time(time, out->seconds);
    term_say(t, "about     %s, %.0f MB of memory; Ctrl-C stops", time, out->bytes / 1e6);
    return EXIT_DONE;
}

int settings_train(settings *s, const args *given, hcbr_train_options *options) {
    s->set.train = options;
    options->max_memory = (double)machine_memory();
    int code = settings_set(s, given, HCBR_OPTION_OF_TRAIN);
    return code == EXIT_DONE ? check_model(given, options) : code;
}

/* One fold holds everything out, unless the past decides it. */
static int check_folds(const args *given, uint32_t folds) {
    return folds > 1 || args_has(given, "past-only")
               ? EXIT_DONE
               : say_usage(given->command->name,
                           "--folds %u: a number from 2 to 1000000 was expected", folds);
}

int settings_evaluate(settings *s, const args *given, hcbr_evaluate_options *options) {
    s->set.evaluate = options;
    int code = settings_set(s, given, HCBR_OPTION_OF_EVALUATE);
    return code == EXIT_DONE ? check_folds(given, options->folds) : code;
}

int settings_tune(settings *s, const args *given, hcbr_tune_options *options) {
    s->set.tune = options;
    int code = settings_set(s, given, HCBR_OPTION_OF_TUNE);
    if (code == EXIT_DONE)
        code = settings_set(s, given, HCBR_OPTION_OF_EVALUATE);
    return code == EXIT_DONE ? check_folds(given, options->folds) : code;
}
