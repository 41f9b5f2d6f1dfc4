/*
 * hcbr train and hcbr tune: read labelled cases, build a model and save it. The additional steps of
 * tune are in tuning.c.
 *
 * The model file is the only file written, and it is written last.
 */
#include "commands.h"
#include "explain_input.h"
#include "kinds_text.h"
#include "label.h"
#include "out.h"
#include "result_page.h"
#include "settings.h"
#include "term.h"
#include "tuning.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { PAGE_TOP = 15 }; /* groups and columns on a page */

typedef struct training {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_train_options options;
    hcbr_rule rule;   /* of the options */
    const char *path; /* of the model */
    hcbr_cases *cases;
    hcbr_model *model;
    uint64_t skipped, bytes_read, model_size;
    hcbr_model_info info;
    label_summary labels;
    hcbr_estimate estimate;
    tuning *tuning; /* NULL: train */
} training;

static const char *command(const training *t) {
    return t->given->command->name;
}

static int read_options(training *t) {
    int code;
    if ((code = settings_read(&t->settings, t->given, &t->read)) ||
        (code = settings_rule(&t->settings, t->given, NULL, &t->rule)) ||
        (code = settings_train(&t->settings, t->given, &t->options)))
        return code;
    t->options.read = &t->read;
    t->options.rule = &t->rule;
    if (t->options.model == HCBR_MODEL_PLAIN)
        t->read.numbers = HCBR_NUMBERS_SPELLED;
    if (t->tuning && (code = tuning_read(t->tuning, &t->settings, t->given, &t->options)))
        return code;
    if (t->rule.memory && t->options.keep == HCBR_KEEP_NONE)
        return say_usage(command(t), "--memory needs the cases that --keep-cases none leaves out");
    return EXIT_DONE;
}

/* Mistakes about the model file are found before an hour of reading, not after it. */
static int check_output(const training *t) {
    if (!t->path)
        return say_usage(command(t), "-o MODEL is missing: the file to write the model to");
    if (strcmp(t->path, "-") == 0)
        return say_usage(command(t), "-o -: a model is written to a file, not to standard output");
    const char *html = args_get(t->given, "html");
    if (html && strcmp(html, "-") == 0)
        return say_usage(command(t), "--html -: a page is written to a file");
    int error = out_check(t->path);
    if (error)
        return say_unwritable(command(t), t->path, error);
    error = html ? out_check(html) : 0;
    return error ? say_unwritable(command(t), html, error) : EXIT_DONE;
}

static int save(training *t) {
    hcbr_error err = {0};
    struct stat st;
    if (stop_asked()) {
        err.status = HCBR_ECANCELLED;
        return term_fail(&t->term, &err);
    }
    term_begin(&t->term, "save");
    stop_hold(!out_is_special(t->path)); // a pipe may never have a reader
    hcbr_status status = hcbr_model_save(t->model, t->path, &err);
    stop_hold(false);
    if (status != HCBR_OK)
        return term_fail(&t->term, &err);
    t->model_size = stat(t->path, &st) == 0 ? (uint64_t)st.st_size : 0;
    return EXIT_DONE;
}

static int build(training *t) {
    hcbr_error err = {0};
    term_begin(&t->term, "read");
    if (hcbr_cases_create(&t->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(t->cases, t->given->operands, t->given->operand_count, &t->read, &err) !=
            HCBR_OK)
        return term_fail(&t->term, &err);
    int code = settings_finish(&t->term, t->given, &t->read, &t->options, t->cases);
    if (code != EXIT_DONE)
        return code;
    t->labels = label_count(t->cases);
    t->options.kinds_said = kinds_say(&t->term, t->cases, &t->options);
    code = settings_check_columns(t->given, t->cases, &t->options);
    if (code == EXIT_DONE)
        code = settings_importance(&t->settings, &t->term, t->given, t->cases, &t->options);
    if (code == EXIT_DONE) {
        double folds = t->tuning ? t->tuning->options.folds : 0;
        code = settings_estimate(&t->term, t->cases, &t->options, 1 + folds, &t->estimate);
    }
    if (code == EXIT_DONE && t->tuning)
        code = tuning_evaluate(t->tuning, &t->term, t->cases, &t->options, t->read.group != NULL);
    if (code != EXIT_DONE)
        return code;
    bool held = t->options.tune || t->options.calibrate != HCBR_CALIBRATE_NONE;
    term_begin(&t->term, held ? "held out" : "partition");
    t->options.consume = 1; // the cases are not used afterwards
    if (hcbr_model_train(&t->model, t->cases, &t->options, &err) != HCBR_OK)
        return term_fail(&t->term, &err);
    term_end(&t->term);
    const hcbr_cases_info all = hcbr_cases_get_info(t->cases);
    t->skipped = all.skipped;
    t->bytes_read = all.bytes;
    hcbr_cases_free(t->cases);
    t->cases = NULL;
    t->info.size = sizeof t->info;
    hcbr_model_get_info(t->model, &t->info);
    return t->tuning ? tuning_judge(t->tuning, &t->term, t->model) : EXIT_DONE;
}

static void say_labels(training *t) {
    char line[512];
    size_t used = 0;
    uint32_t shown = 0;
    for (; shown < t->info.labels && shown < 12 && used < 400; shown++) {
        label_facts label = label_of(t->model, (hcbr_label)shown);
        int length = label.name_length < 40 ? (int)label.name_length : 40;
        while (length > 37 && ((unsigned char)label.name[length] & 0xC0) == 0x80)
            length--; // not half of a letter
        used += (size_t)snprintf(
            line + used, sizeof line - used, "%s%.*s%s %llu", shown ? ", " : "", length, label.name,
            label.name_length > 40 ? "..." : "", (unsigned long long)label.info.cases);
    }
    if (shown < t->info.labels)
        snprintf(line + used, sizeof line - used, ", +%u more", t->info.labels - shown);
    term_say(&t->term, "labels    %s", line);
}

static void say_errors(training *t) {
    const uint64_t *errors = hcbr_model_get_pass_errors(t->model);
    char line[512];
    size_t used = 0;
    uint32_t passes = t->info.passes, first = passes > 10 ? passes - 10 : 0;
    for (uint32_t p = first; p < passes; p++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%llu", p > first ? ", " : "",
                                 (unsigned long long)errors[p]);
    if (passes == 1)
        term_say(&t->term, "wrong     %s in pass 1", line);
    else if (passes > 1)
        term_say(&t->term, "wrong     %s in passes %u to %u", line, first + 1, passes);
}

static void format_size(char text[32], uint64_t bytes) {
    if (bytes < 1000)
        snprintf(text, 32, "%u bytes", (unsigned)bytes);
    else if (bytes < 1000000)
        snprintf(text, 32, "%.1f kB", (double)bytes / 1e3);
    else
        snprintf(text, 32, "%.1f MB", (double)bytes / 1e6);
}

static void say_times(training *t) {
    char line[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < t->term.stage_count; i++) {
        double seconds = t->term.stages[i].seconds;
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %.3f s", i ? ", " : "",
                                 t->term.stages[i].name, seconds);
        if (i == 0 && seconds > 0)
            used += (size_t)snprintf(line + used, sizeof line - used, " (%.1f MB/s)",
                                     (double)t->bytes_read / 1e6 / seconds);
    }
    term_say(&t->term, "time      %s", line);
    used = 0;
    for (size_t i = 0; i < t->term.stage_count; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %.0f MB", i ? ", " : "",
                                 t->term.stages[i].name, t->term.stages[i].memory / 1e6);
    term_say(&t->term, "memory    %s: the most so far", line);
}

/* Cases that are stated; they are among all. */
static uint64_t count_stated(const hcbr_model *model) {
    uint64_t cases = 0;
    for (size_t i = 0; i < hcbr_model_belief_count(model); i++) {
        hcbr_belief belief = {.size = sizeof belief};
        hcbr_model_get_belief(model, i, &belief);
        cases += belief.cases;
    }
    return cases;
}

static void say_beliefs(training *t) {
    const size_t count = hcbr_model_belief_count(t->model);
    if (count)
        term_say(&t->term, "beliefs   %zu of them, %llu cases", count,
                 (unsigned long long)count_stated(t->model));
}

static void say_summary(training *t) {
    char size[32], empty[64] = "";
    format_size(size, t->model_size);
    if (t->info.empty_cases)
        snprintf(empty, sizeof empty, ", %llu of them empty",
                 (unsigned long long)t->info.empty_cases);
    label_say(&t->term, &t->labels);
    term_say(&t->term, "cases     %llu%s", (unsigned long long)t->info.cases, empty);
    say_beliefs(t);
    if (t->info.model == HCBR_MODEL_RICH)
        term_say(&t->term, "features  %u", t->info.values);
    else
        term_say(&t->term, "features  %u in %u atoms", t->info.values, t->info.atoms);
    say_labels(t);
    say_errors(t);
    if (t->tuning)
        tuning_say(t->tuning, &t->term, t->model);
    term_say(&t->term, "model     %s, %s", t->path, size);
    if (t->term.verbose)
        say_times(t);
}

static hcbr_status write_json(training *t, hcbr_writer *w, hcbr_error *err) {
    HCBR_PUT(w, hcbr_item_open(NULL, '{'),
             hcbr_item_string("schema", t->tuning ? "hcbr.tune/1" : "hcbr.train/1"),
             hcbr_item_u64("cases", t->info.cases),
             hcbr_item_u64("empty_cases", t->info.empty_cases),
             hcbr_item_u64("skipped_rows", t->skipped),
             hcbr_item_u64("beliefs", hcbr_model_belief_count(t->model)),
             hcbr_item_u64("belief_cases", count_stated(t->model)),
             hcbr_item_u64("importances", hcbr_model_emphasis_count(t->model)),
             hcbr_item_u64("features", t->info.values), hcbr_item_u64("atoms", t->info.atoms),
             hcbr_item_u64("occurrences", t->info.occurrences), hcbr_item_open("labels", '['));
    for (uint32_t l = 0; l < t->info.labels; l++) {
        label_facts label = label_of(t->model, (hcbr_label)l);
        HCBR_PUT(w, hcbr_item_open(NULL, '{'),
                 hcbr_item_text("name", label.name, label.name_length),
                 hcbr_item_u64("cases", label.info.cases), hcbr_item_close('}'));
    }
    HCBR_PUT(w, hcbr_item_close(']'), hcbr_item_open("pass_errors", '['));
    for (uint32_t p = 0; p < t->info.passes; p++)
        HCBR_PUT(w, hcbr_item_u64(NULL, hcbr_model_get_pass_errors(t->model)[p]));
    HCBR_PUT(w, hcbr_item_close(']'), hcbr_item_string("fingerprint", t->info.fingerprint));
    if (t->tuning)
        tuning_json(t->tuning, w, t->model);
    HCBR_PUT(w, hcbr_item_open("estimate", '{'), hcbr_item_number("seconds", t->estimate.seconds),
             hcbr_item_number("bytes", t->estimate.bytes), hcbr_item_close('}'),
             hcbr_item_u64("bytes_read", t->bytes_read),
             hcbr_item_u64("model_bytes", t->model_size));
    stages_json(&t->term, w);
    return hcbr_write_end(w, HCBR_JSON, err);
}

static int print_json(training *t) {
    out *o = malloc(sizeof *o);
    if (!o)
        return say_no_memory(command(t));
    hcbr_error err = {0};
    hcbr_writer *w;
    out_open(o, NULL);
    int code = out_writer(o, command(t), &w);
    if (code == EXIT_DONE)
        code = term_written(&t->term, o, write_json(t, w, &err), &err);
    if (code == EXIT_DONE)
        code = out_close(o, command(t));
    out_discard(o);
    free(o);
    return code;
}

/* The page of tune --html. */
static int write_page(training *t) {
    const char *path = args_get(t->given, "html");
    hcbr_error err = {0};
    page p = {.term = &t->term};
    char title[300];
    int code;
    if (!path)
        return EXIT_DONE;
    snprintf(title, sizeof title, "Tuned model: %s", t->path);
    code = page_begin(&p, &t->term, title);
    if (code == EXIT_DONE)
        code = page_take(&p, write_json(t, p.writer, &err), &err);
    if (code == EXIT_DONE)
        code = page_take(&p, hcbr_json_inspection(p.writer, t->model, PAGE_TOP, &err), &err);
    if (code == EXIT_DONE)
        code = page_write(&p, HCBR_HTML, path);
    page_clear(&p);
    return code;
}

static int train(training *t) {
    int code;
    if (args_has(t->given, "explain-input"))
        return (code = read_options(t)) ? code
                                        : explain_input(&t->term, t->given, &t->read, &t->options);
    if (args_has(t->given, "no-label"))
        return say_usage(command(t), "--no-label: a model is trained from labels; only "
                                     "--explain-input and convert need none");
    if ((code = read_options(t)) || (code = check_output(t)) || (code = build(t)) ||
        (code = save(t)))
        return code;
    term_finish(&t->term);
    term_skipped(&t->term, t->skipped);
    if ((code = write_page(t)))
        return code;
    say_summary(t);
    return args_has(t->given, "json") ? print_json(t) : EXIT_DONE;
}

static int run(const args *given, tuning *tuned) {
    training t = {.given = given, .path = args_get(given, "output"), .tuning = tuned};
    term_init(&t.term, given->command->name, args_has(given, "quiet"), args_has(given, "verbose"),
              true);
    hcbr_read_options_init(&t.read);
    hcbr_train_options_init(&t.options);
    hcbr_rule_init(&t.rule);
    t.read.notify = t.options.notify = term_notify;
    t.read.progress = t.options.progress = term_progress;
    t.read.notify_context = t.options.notify_context = &t.term;
    t.read.progress_context = t.options.progress_context = &t.term;
    int code = train(&t);
    term_finish(&t.term);
    hcbr_model_free(t.model);
    hcbr_cases_free(t.cases);
    settings_clear(&t.settings);
    return code;
}

int cmd_train(const args *given) {
    return run(given, NULL);
}

int cmd_tune(const args *given) {
    tuning tuned = {0};
    int code = run(given, &tuned);
    tuning_clear(&tuned);
    return code;
}
