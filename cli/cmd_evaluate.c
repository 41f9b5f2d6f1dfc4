/*
 * hcbr evaluate: holds cases out, decides them with models of the others, and reports how well.
 *
 * Requested files are written last, all of them completely or none at all.
 */
#include "commands.h"
#include "evaluation.h"
#include "kinds_text.h"

#include <stdlib.h>

#define SUSPICIOUS 0.99 /* accuracy that makes one look for a column that gives labels away */

hcbr_figure evaluation_figure(const evaluation *e, hcbr_metric metric, hcbr_label label) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e->result, metric, label, &figure);
    return figure;
}

hcbr_figure evaluation_baseline(const evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_baseline(e->result, metric, &figure);
    return figure;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Options for holding cases out that exclude each other. */
static int check_plan(const evaluation *e) {
    static const struct {
        const char *one, *other, *names;
    } EXCLUDED[] = {{"folds-file", "folds", "--folds-file and --folds"},
                    {"folds-file", "repeats", "--folds-file and --repeats"},
                    {"folds-file", "holdout", "--folds-file and --holdout"},
                    {"folds-file", "group", "--folds-file and --group"},
                    {"folds-file", "past-only", "--folds-file and --past-only"},
                    {"folds-file", "test", "--folds-file and --test"},
                    {"test", "folds", "--test and --folds"},
                    {"test", "repeats", "--test and --repeats"},
                    {"test", "holdout", "--test and --holdout"},
                    {"test", "group", "--test and --group"},
                    {"test", "past-only", "--test and --past-only"},
                    {"test", "outcomes", "--test and --outcomes"},
                    {"holdout", "folds", "--holdout and --folds"},
                    {"past-only", "group", "--past-only and --group"},
                    {"past-only", "repeats", "--past-only and --repeats"},
                    {"equal-rows", "group", "--equal-rows and --group"},
                    {"equal-rows", "test", "--equal-rows and --test"},
                    {"equal-rows", "folds-file", "--equal-rows and --folds-file"},
                    {"equal-rows", "past-only", "--equal-rows and --past-only"},
                    {"folds-out", "test", "--folds-out and --test"},
                    {"folds-out", "holdout", "--folds-out and --holdout"},
                    {"folds-out", "past-only", "--folds-out and --past-only"}};
    for (size_t i = 0; i < sizeof EXCLUDED / sizeof *EXCLUDED; i++)
        if (args_has(e->given, EXCLUDED[i].one) && args_has(e->given, EXCLUDED[i].other))
            return say_usage("evaluate", "%s exclude each other", EXCLUDED[i].names);
    if (args_has(e->given, "folds-out") && e->options.repeats > 1)
        return say_usage("evaluate", "--folds-out needs folds that are drawn once: --repeats 1");
    return EXIT_DONE;
}

static int take_tests(evaluation *e) {
    e->tests = calloc(e->given->given_count + 1, sizeof *e->tests);
    if (!e->tests)
        return say_no_memory("evaluate");
    for (size_t i = 0; i < e->given->given_count; i++)
        if (opt_is(e->given->given[i].spec, "test"))
            e->tests[e->test_count++] = e->given->given[i].value;
    return EXIT_DONE;
}

/* Options about the figures. */
static int read_figures(evaluation *e) {
    e->options.keep_answers = args_has(e->given, "predictions") || args_has(e->given, "html");
    return settings_evaluate(&e->settings, e->given, &e->options);
}

static int read_options(evaluation *e) {
    hcbr_evaluate_options *o = &e->options;
    int code;
    if ((code = settings_read(&e->settings, e->given, &e->read)) ||
        (code = settings_rule(&e->settings, e->given, NULL, &e->rule)) ||
        (code = settings_train(&e->settings, e->given, &e->train)) || (code = take_tests(e)))
        return code;
    o->by_group = args_has(e->given, "group");
    o->train = &e->train;
    if (e->train.model == HCBR_MODEL_PLAIN)
        e->read.numbers = HCBR_NUMBERS_SPELLED;
    e->read.keep_rare = 1; // rare words are found in each training part
    return check_plan(e);
}

/* Mistakes about files to be written are found before the work is done, not after it. */
static int check_output(const evaluation *e, const char *id, const char *name) {
    const char *path = args_get(e->given, id);
    if (!path)
        return EXIT_DONE;
    if (strcmp(path, "-") == 0)
        return say_usage("evaluate", "--%s -: the report stands on standard output", name);
    int error = out_check(path);
    return error ? say_unwritable("evaluate", path, error) : EXIT_DONE;
}

/* ---- the work -------------------------------------------------------------------------------- */

static int fail(evaluation *e, const hcbr_error *err) {
    return term_fail(&e->term, err);
}

static int read_cases(evaluation *e) {
    hcbr_error err = {0};
    term_begin(&e->term, "read");
    if (hcbr_cases_create(&e->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(e->cases, e->given->operands, e->given->operand_count, &e->read, &err) !=
            HCBR_OK)
        return fail(e, &err);
    e->test_row_base = 0;
    if (e->test_count) {
        e->options.test_start = hcbr_cases_count(e->cases);
        e->test_row_base = hcbr_cases_get_info(e->cases).rows;
        if (hcbr_cases_read(e->cases, e->tests, e->test_count, &e->read, &err) != HCBR_OK)
            return fail(e, &err);
    }
    int code = settings_finish(&e->term, e->given, &e->read, &e->train, e->cases);
    if (code == EXIT_DONE)
        code = settings_importance(&e->settings, &e->term, e->given, e->cases, &e->train);
    if (code != EXIT_DONE)
        return code;
    e->skipped = hcbr_cases_get_info(e->cases).skipped;
    e->labels = label_count(e->cases);
    e->train.kinds_said = kinds_say(&e->term, e->cases, &e->train);
    return EXIT_DONE;
}

static int load_folds(evaluation *e) {
    const char *path = args_get(e->given, "folds-file");
    uint64_t rows = hcbr_cases_get_info(e->cases).rows;
    hcbr_error err = {0};
    size_t count;
    if (!path)
        return EXIT_DONE;
    if (hcbr_folds_load(&e->folds, &count, path, &err) != HCBR_OK)
        return fail(e, &err);
    if (count != rows) {
        err.status = HCBR_EDATA;
        snprintf(err.file, sizeof err.file, "%s", path);
        snprintf(err.message, sizeof err.message,
                 "found %zu lines, expected one for each of %llu data rows", count,
                 (unsigned long long)rows);
        return fail(e, &err);
    }
    e->options.given_folds = e->folds;
    e->options.given_count = count;
    return EXIT_DONE;
}

/*
 * If nearly all answers are right: whether a column leaks the labels. The finding of an audit is
 * kept for a warning; without memory for one, there is no warning.
 */
static void find_leak(evaluation *e) {
    hcbr_audit_options o;
    hcbr_audit *audit = NULL;
    hcbr_figure accuracy = evaluation_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN);
    if (!(accuracy.value >= SUSPICIOUS))
        return;
    hcbr_audit_options_init(&o);
    o.threads = e->train.threads;
    if (hcbr_audit_create(&audit, e->cases, &o, NULL) != HCBR_OK)
        return;
    for (size_t i = 0; i < hcbr_audit_count(audit) && !e->leak[0]; i++) {
        hcbr_finding f = {.size = sizeof f};
        hcbr_audit_get(audit, i, &f);
        if (f.kind == HCBR_FOUND_LEAK || f.kind == HCBR_FOUND_LEAK_KEY)
            hcbr_finding_say(audit, &f, e->leak);
    }
    hcbr_audit_free(audit);
}

static int run(evaluation *e) {
    hcbr_error err = {0};
    hcbr_estimate estimate;
    bool once = e->options.holdout > 0 || e->options.test_start > 0;
    double parts = once ? e->options.repeats : (double)e->options.folds * e->options.repeats;
    int code = settings_estimate(&e->term, e->cases, &e->train, parts, &estimate);
    if (code != EXIT_DONE)
        return code;
    term_begin(&e->term, "evaluate");
    if (hcbr_evaluate(&e->result, e->cases, &e->options, &err) != HCBR_OK)
        return fail(e, &err);
    term_end(&e->term);
    e->info.size = sizeof e->info;
    hcbr_evaluation_get_info(e->result, &e->info);
    find_leak(e);
    hcbr_cases_free(e->cases);
    e->cases = NULL;
    return EXIT_DONE;
}

/* ---- results --------------------------------------------------------------------------------- */

static int write_folds(evaluation *e, out *to) {
    size_t count;
    const uint64_t *folds = hcbr_evaluation_get_folds(e->result, &count);
    for (size_t i = 0; i < count; i++) {
        out_u64(to, folds[i]);
        out_row(to);
    }
    return EXIT_DONE;
}

/* Each held-out decision, a line of JSON. */
static int write_answers(evaluation *e, out *to) {
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(to, "evaluate", &w);
    if (code != EXIT_DONE)
        return code;
    hcbr_status status = hcbr_json_answers(w, e->result, e->test_row_base, &err);
    return term_written(&e->term, to, status, &err);
}

/* Open a file to be written; NULL: *code says why not. */
static out *open_file(const char *path, int *code) {
    out *to = malloc(sizeof *to);
    if (!to) {
        *code = say_no_memory("evaluate");
        return NULL;
    }
    int error = out_open(to, path);
    if (error) {
        *code = say_unwritable("evaluate", path, error);
        free(to);
        return NULL;
    }
    return to;
}

/* The requested files appear together, or none of them. */
static int write_files(evaluation *e) {
    static const struct {
        const char *id;
        int (*write)(evaluation *, out *);
    } FILES[] = {{"folds-out", write_folds}, {"predictions", write_answers}};
    enum { MOST = sizeof FILES / sizeof FILES[0] };
    out *list[MOST];
    size_t count = 0;
    int code = EXIT_DONE;
    for (size_t i = 0; i < MOST && code == EXIT_DONE; i++) {
        const char *path = args_get(e->given, FILES[i].id);
        out *to = path ? open_file(path, &code) : NULL;
        if (!to)
            continue;
        list[count++] = to;
        code = FILES[i].write(e, to);
    }
    if (code == EXIT_DONE)
        code = out_close_all(list, count, "evaluate");
    for (size_t i = 0; i < count; i++) {
        out_discard(list[i]);
        free(list[i]);
    }
    return code;
}

/* The page of --html, once the other files are there. */
static int write_page(evaluation *e) {
    const char *path = args_get(e->given, "html"), *data = e->given->operands[0];
    const char *slash = strrchr(data, '/');
    hcbr_error err = {0};
    char title[300];
    int code;
    if (!path)
        return EXIT_DONE;
    snprintf(title, sizeof title, "Evaluation: %s", slash && slash[1] ? slash + 1 : data);
    if ((code = page_begin(&e->page, &e->term, title)) ||
        (code = page_take(
             &e->page, hcbr_json_evaluation(e->page.writer, e->result, e->skipped, &err), &err)) ||
        (code = page_take(
             &e->page, hcbr_json_curves(e->page.writer, e->result, e->test_row_base, &err), &err)))
        return code;
    return page_write(&e->page, HCBR_HTML, path);
}

static int report(evaluation *e) {
    e->out = malloc(sizeof *e->out);
    if (!e->out)
        return say_no_memory("evaluate");
    out_open(e->out, NULL);
    if (!args_has(e->given, "json")) {
        evaluation_text(e);
        return out_close(e->out, "evaluate");
    }
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(e->out, "evaluate", &w);
    if (code == EXIT_DONE)
        code = term_written(&e->term, e->out, hcbr_json_evaluation(w, e->result, e->skipped, &err),
                            &err);
    return code == EXIT_DONE ? out_close(e->out, "evaluate") : code;
}

/* Models of the cases, each without a part of them. */
static int evaluate_cases(evaluation *e) {
    int code;
    if ((code = read_options(e)) || (code = check_output(e, "folds-out", "folds-out")) ||
        (code = read_cases(e)) || (code = settings_check_columns(e->given, e->cases, &e->train)) ||
        (code = load_folds(e)))
        return code;
    return run(e);
}

static int evaluate(evaluation *e) {
    int code;
    if ((code = read_figures(e)) || (code = check_output(e, "predictions", "predictions")) ||
        (code = check_output(e, "html", "html")) ||
        (code = evaluates_stored(e->given) ? evaluate_stored(e) : evaluate_cases(e)))
        return code;
    term_finish(&e->term);
    term_skipped(&e->term, e->skipped);
    if ((code = write_files(e)) || (code = write_page(e)))
        return code;
    if (!e->stored)
        label_say(&e->term, &e->labels);
    if (e->leak[0])
        term_warn(&e->term, "%s: is it known before the label is? (hcbr audit)", e->leak);
    return report(e);
}

int cmd_evaluate(const args *given) {
    evaluation e = {.given = given};
    term_init(&e.term, "evaluate", args_has(given, "quiet"), args_has(given, "verbose"), true);
    hcbr_read_options_init(&e.read);
    hcbr_train_options_init(&e.train);
    hcbr_rule_init(&e.rule);
    e.train.rule = &e.rule;
    hcbr_evaluate_options_init(&e.options);
    e.read.notify = e.options.notify = term_notify;
    e.read.progress = e.options.progress = term_progress;
    e.read.notify_context = e.options.notify_context = &e.term;
    e.read.progress_context = e.options.progress_context = &e.term;
    int code = evaluate(&e);
    term_finish(&e.term);
    page_clear(&e.page);
    hcbr_evaluation_free(e.result);
    hcbr_cases_free(e.cases);
    hcbr_model_free(e.model);
    hcbr_bytes_free(e.folds);
    settings_clear(&e.settings);
    free(e.tests);
    if (e.out)
        out_discard(e.out);
    free(e.out);
    return code;
}
