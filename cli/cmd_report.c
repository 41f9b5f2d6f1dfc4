/*
 * hcbr report: a page of HTML from data, from a model with or without new data, or from results
 * that were printed as JSON.
 */
#include "commands.h"
#include "kinds_text.h"
#include "result_page.h"
#include "settings.h"
#include "study/study.h"

#include <stdlib.h>

enum { TOP = 15, FEW = 1000, CURVES = 3 }; /* cases that are few; draws of the curve for these */

typedef struct reporting {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_train_options train;
    hcbr_rule rule;
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_evaluate_options held; /* how cases are held out */
    const char *positive;
    uint64_t labelled; /* new cases with a label */
    page page;
    const char *stage; /* that is running */
} reporting;

/* Parts of the library have stages of their own; here a stage is a result. */
static int progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    reporting *r = context;
    return term_progress(&r->term, r->stage ? r->stage : stage, done, total);
}

static void begin(reporting *r, const char *stage) {
    r->stage = stage;
    term_begin(&r->term, stage);
}

/* ---- printed results ------------------------------------------------------------------------- */

static int add_file(reporting *r, const char *path) {
    hcbr_error err = {0};
    char *bytes = NULL;
    size_t used = 0, room = 0, got = 1;
    FILE *file = fopen(path, "rb");
    int code = EXIT_DONE;
    while (file && got > 0) {
        if (used == room) {
            room = room ? 2 * room : 1 << 16;
            char *more = realloc(bytes, room);
            if (!more) {
                code = say_no_memory("report");
                break;
            }
            bytes = more;
        }
        got = fread(bytes + used, 1, room - used, file);
        used += got;
    }
    if (!file || ferror(file)) {
        err.status = HCBR_EIO;
        snprintf(err.file, sizeof err.file, "%s", path);
        snprintf(err.message, sizeof err.message, "cannot be read");
        code = term_fail(&r->term, &err);
    }
    if (code == EXIT_DONE &&
        hcbr_report_add(r->page.report, bytes ? bytes : "", used, path, &err) != HCBR_OK)
        code = term_fail(&r->term, &err);
    if (file)
        fclose(file);
    free(bytes);
    return code;
}

static int report_results(reporting *r) {
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < r->given->operand_count; i++)
        code = add_file(r, r->given->operands[i]);
    return code;
}

/* ---- a model --------------------------------------------------------------------------------- */

static int add_inspection(reporting *r) {
    hcbr_error err = {0};
    begin(r, "inspect");
    return page_take(&r->page, hcbr_json_inspection(r->page.writer, r->model, TOP, &err), &err);
}

static int add_evaluation(reporting *r, const hcbr_evaluation *e, uint64_t skipped) {
    hcbr_error err = {0};
    int code = page_take(&r->page, hcbr_json_evaluation(r->page.writer, e, skipped, &err), &err);
    return code ? code : page_take(&r->page, hcbr_json_curves(r->page.writer, e, 0, &err), &err);
}

typedef int over_fn(reporting *r, hcbr_stream *stream);

/* The results of the model on new data, which are read once for each result. */
static int add_over(reporting *r, const char *stage, over_fn *add) {
    hcbr_error err = {0};
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    int code;
    begin(r, stage);
    if (hcbr_decider_create(&decider, r->model, NULL, &err) != HCBR_OK ||
        hcbr_stream_create(&stream, decider, r->settings.paths, r->settings.path_count, &r->read,
                           &err) != HCBR_OK)
        code = term_fail(&r->term, &err);
    else
        code = add(r, stream);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return code;
}

static int add_drift(reporting *r, hcbr_stream *stream) {
    hcbr_drift_options o;
    hcbr_drift_info info = {.size = sizeof info};
    hcbr_error err = {0};
    hcbr_drift *drift;
    hcbr_drift_options_init(&o);
    o.progress = progress;
    o.progress_context = r;
    if (hcbr_drift_measure(&drift, r->model, stream, &o, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    hcbr_drift_get_info(drift, &info);
    r->labelled = info.labelled;
    const uint64_t skipped = hcbr_stream_skipped_count(stream);
    term_skipped(&r->term, skipped);
    int code = page_take(&r->page, hcbr_json_drift(r->page.writer, drift, skipped, &err), &err);
    hcbr_drift_free(drift);
    return code;
}

static int add_stored(reporting *r, hcbr_stream *stream) {
    hcbr_evaluate_options o;
    hcbr_error err = {0};
    hcbr_evaluation *e;
    hcbr_evaluate_options_init(&o);
    o.keep_answers = 1;
    o.positive = r->positive;
    o.progress = progress;
    o.progress_context = r;
    if (hcbr_evaluate_stream(&e, r->model, stream, &o, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    int code = add_evaluation(r, e, hcbr_stream_skipped_count(stream));
    hcbr_evaluation_free(e);
    return code;
}

static int report_model(reporting *r) {
    bool own;
    for (size_t i = 1; i < r->given->operand_count; i++)
        if (strcmp(r->given->operands[i], "-") == 0)
            return say_usage("report", "new data are read twice, so they cannot be standard input");
    int code = settings_load(&r->settings, r->given, &r->term, &r->model, &r->read, &r->rule, &own);
    r->read.progress = progress;
    r->read.progress_context = r;
    if (code == EXIT_DONE && r->given->operand_count > 1)
        code = add_over(r, "drift", add_drift);
    r->read.notify = NULL; // drift has said it
    if (code == EXIT_DONE && r->labelled)
        code = add_over(r, "evaluate", add_stored);
    return code ? code : add_inspection(r);
}

/* ---- data ------------------------------------------------------------------------------------ */

static int read_cases(reporting *r) {
    hcbr_error err = {0};
    begin(r, "read");
    if (hcbr_cases_create(&r->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(r->cases, r->given->operands, r->given->operand_count, &r->read, &err) !=
            HCBR_OK ||
        hcbr_cases_finish(r->cases, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    r->train.kinds_said = kinds_say(&r->term, r->cases, &r->train);
    return settings_check_columns(r->given, r->cases, &r->train);
}

static int add_audit(reporting *r) {
    hcbr_audit_options o;
    hcbr_audit *audit = NULL;
    hcbr_error err = {0};
    hcbr_audit_options_init(&o);
    o.most = 5;
    o.rows = 5;
    o.progress = progress;
    o.progress_context = r;
    begin(r, "audit");
    if (hcbr_audit_create(&audit, r->cases, &o, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    int code = page_take(&r->page, hcbr_json_audit(r->page.writer, audit, &err), &err);
    hcbr_audit_free(audit);
    return code;
}

static int add_held_out(reporting *r) {
    hcbr_evaluate_options o = r->held;
    hcbr_evaluation *e = NULL;
    hcbr_error err = {0};
    o.keep_answers = 1;
    o.train = &r->train;
    o.notify = term_notify;
    o.notify_context = &r->term;
    o.progress = progress;
    o.progress_context = r;
    begin(r, "evaluate");
    if (hcbr_evaluate(&e, r->cases, &o, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    int code = add_evaluation(r, e, hcbr_cases_get_info(r->cases).skipped);
    hcbr_evaluation_free(e);
    return code;
}

static int add_study(reporting *r, const char *name) {
    const study_kind *kind = study_find(name);
    hcbr_error err = {0};
    study s = {.kind = kind,
               .train = r->train,
               .folds = r->held.folds,
               .repeats =
                   hcbr_cases_count(r->cases) <= FEW && kind->run == study_curve ? CURVES : 1,
               .seed = r->train.seed,
               .threads = r->train.threads,
               .progress = progress,
               .progress_context = r};
    begin(r, name);
    int code =
        study_run(&s, r->cases, &err) != HCBR_OK
            ? term_fail(&r->term, &err)
            : page_take(&r->page,
                        study_json(r->page.writer, &s, hcbr_cases_get_info(r->cases).skipped, &err),
                        &err);
    study_clear(&s);
    return code;
}

static int add_model(reporting *r) {
    hcbr_error err = {0};
    begin(r, "train");
    if (hcbr_model_train(&r->model, r->cases, &r->train, &err) != HCBR_OK)
        return term_fail(&r->term, &err);
    return add_inspection(r);
}

static int report_data(reporting *r) {
    hcbr_estimate estimate;
    bool quick = args_has(r->given, "quick");
    int code;
    if ((code = settings_read(&r->settings, r->given, &r->read)) ||
        (code = settings_evaluate(&r->settings, r->given, &r->held)) ||
        (code = settings_train(&r->settings, r->given, &r->train)))
        return code;
    r->read.keep_rare = 1; // rare words are found in each training part
    if (r->train.model == HCBR_MODEL_PLAIN)
        r->read.numbers = HCBR_NUMBERS_SPELLED;
    if ((code = read_cases(r)) ||
        (code = settings_estimate(&r->term, r->cases, &r->train,
                                  (double)r->held.folds * (quick ? 1 : 2) + 1, &estimate)) ||
        (code = add_audit(r)) || (code = add_held_out(r)))
        return code;
    if (!quick && ((code = add_study(r, "curve")) || (code = add_study(r, "pareto"))))
        return code;
    term_skipped(&r->term, hcbr_cases_get_info(r->cases).skipped);
    return add_model(r);
}

/* ---- sources --------------------------------------------------------------------------------- */

typedef enum source { FROM_DATA, FROM_MODEL, FROM_RESULTS } source;

/* By its first bytes. Results begin with their schema. */
static source source_of(const char *path) {
    static const unsigned char MAGIC[8] = {0x89, 'H', 'C', 'B', 'R', '\r', '\n', 0x1A};
    static const char RESULT[] = "{\"schema\":\"hcbr.";
    char first[64] = "", *at = first;
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    size_t got = file ? fread(first, 1, sizeof first - 1, file) : 0;
    if (file)
        fclose(file);
    if (got >= sizeof MAGIC && memcmp(first, MAGIC, sizeof MAGIC) == 0)
        return FROM_MODEL;
    size_t length = 0;
    for (size_t i = 0; i < got; i++) // without blanks
        if (!strchr(" \t\r\n", first[i]) || !first[i])
            at[length++] = first[i];
    return length >= sizeof RESULT - 1 && memcmp(first, RESULT, sizeof RESULT - 1) == 0
               ? FROM_RESULTS
               : FROM_DATA;
}

/* Options that say how models are built need data to build them from. */
static int check_options(const reporting *r, source from) {
    static const char *const BUILDING[] = {
        "model",   "effort", "seed",  "folds",     "quick", "type",      "categorical",
        "numeric", "passes", "scope", "calibrate", "bins",  "min-cases", "equal-rows"};
    for (size_t i = 0; from != FROM_DATA && i < sizeof BUILDING / sizeof *BUILDING; i++)
        if (args_has(r->given, BUILDING[i]))
            return say_usage("report",
                             "%s%s: %s is no data of which models are built; leave the "
                             "option out",
                             opt_dashes(BUILDING[i]), opt_name(BUILDING[i]), r->given->operands[0]);
    return EXIT_DONE;
}

static int report(reporting *r) {
    static int (*const MAKE[])(reporting *) = {report_data, report_model, report_results};
    const char *path = r->given->operands[0], *slash = strrchr(path, '/');
    const char *to = args_get(r->given, "output");
    char title[300];
    source from = source_of(path);
    int error = to ? out_check(to) : 0;
    int code = check_options(r, from);
    if (code)
        return code;
    if (error)
        return say_unwritable("report", to, error);
    r->positive = args_get(r->given, "positive");
    snprintf(title, sizeof title, "Report: %s", slash && slash[1] ? slash + 1 : path);
    if ((code = page_begin(&r->page, &r->term, title)) || (code = MAKE[from](r)))
        return code;
    term_end(&r->term);
    if (from != FROM_RESULTS &&
        (code = page_take_times(&r->page, r->given->operands, r->given->operand_count)))
        return code;
    term_finish(&r->term);
    return page_write(&r->page, args_has(r->given, "json") ? HCBR_JSON : HCBR_HTML, to);
}

int cmd_report(const args *given) {
    reporting r = {.given = given};
    term_init(&r.term, "report", args_has(given, "quiet"), args_has(given, "verbose"), true);
    hcbr_read_options_init(&r.read);
    hcbr_train_options_init(&r.train);
    hcbr_rule_init(&r.rule);
    hcbr_evaluate_options_init(&r.held);
    r.train.rule = &r.rule;
    r.read.notify = r.train.notify = term_notify;
    r.read.progress = r.train.progress = progress;
    r.read.notify_context = r.train.notify_context = &r.term;
    r.read.progress_context = r.train.progress_context = &r;
    int code = report(&r);
    term_finish(&r.term);
    page_clear(&r.page);
    hcbr_model_free(r.model);
    hcbr_cases_free(r.cases);
    settings_clear(&r.settings);
    return code;
}
