/*
 * hcbr study: an experiment with models of the cases, as tables and a sentence.
 */
#include "commands.h"
#include "kinds_text.h"
#include "label.h"
#include "out.h"
#include "settings.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN = 24, WIDTH = 18 }; /* rows of a table for people; room for a column */

typedef struct studying {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    study study;
    hcbr_cases *cases;
    out *out;
} studying;

/* ---- for people ------------------------------------------------------------------------------ */

static void put_right(out *o, const char *text, size_t width) {
    size_t length = strlen(text);
    for (size_t i = length; i < width; i++)
        out_byte(o, ' ');
    out_string(o, text);
}

/* Room for the widest cell of a column. */
static size_t column_width(const char *name) {
    size_t length = strlen(name);
    return length < 11 ? 13 : length + 2;
}

static void put_row(out *o, const study_table *t, size_t r) {
    char text[HCBR_NUMBER_SIZE];
    if (t->rows[r]) {
        out_string(o, t->rows[r]);
        put_right(o, "", WIDTH + 2 - strlen(t->rows[r]));
    }
    for (size_t c = 0; c < t->column_count; c++) {
        double value = t->values[r * t->column_count + c];
        size_t used = isnan(value) ? 0 : hcbr_number_round(text, value, 5);
        text[used] = 0;
        put_right(o, isnan(value) ? "-" : text, column_width(t->columns[c]));
    }
    out_row(o);
}

/* Of a long table some rows, evenly spaced, the first and the last among them. */
static void put_table(out *o, const study_table *t) {
    size_t shown = t->row_count < SHOWN ? t->row_count : SHOWN;
    out_row(o);
    const size_t mark = out_mark(o);
    out_string(o, t->name);
    out_string(o, ": ");
    out_string(o, t->says);
    out_row(o);
    out_style(o, mark, OUT_BOLD);
    if (t->row_count && t->rows[0])
        put_right(o, "", WIDTH + 2);
    for (size_t c = 0; c < t->column_count; c++)
        put_right(o, t->columns[c], column_width(t->columns[c]));
    out_row(o);
    for (size_t r = 0; r < shown; r++)
        put_row(o, t, shown == t->row_count ? r : r * (t->row_count - 1) / (shown - 1));
    if (shown < t->row_count) {
        out_string(o, "... ");
        out_u64(o, t->row_count - shown);
        out_string(o, " more rows (--json)");
        out_row(o);
    }
}

static void study_text(studying *s) {
    out_said(s->out, s->study.says);
    out_row(s->out);
    for (size_t i = 0; i < s->study.table_count; i++)
        put_table(s->out, &s->study.tables[i]);
}

/* ---- options --------------------------------------------------------------------------------- */

static int find_kind(studying *s) {
    const char *name = s->given->operands[0];
    char all[200] = "";
    if ((s->study.kind = study_find(name)))
        return EXIT_DONE;
    for (const study_kind *k = STUDY_KINDS; k->name; k++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", k->name);
    }
    return say_usage("study", "there is no study %s, expected one of %s", settings_shown(name),
                     all);
}

static int check_operands(const studying *s) {
    bool makes_own = s->study.kind->own_cases;
    if (makes_own && s->given->operand_count > 1)
        return say_usage("study", "study time makes its own cases: one argument too many: %s",
                         settings_shown(s->given->operands[1]));
    if (makes_own && (args_has(s->given, "importance") || args_has(s->given, "belief")))
        return say_usage("study",
                         "study time makes its own cases: nothing is known of them before");
    if (!makes_own && s->given->operand_count < 2)
        return say_usage("study", "DATA is missing: study %s is about cases",
                         s->given->operands[0]);
    return EXIT_DONE;
}

static int read_options(studying *s) {
    uint64_t folds = 10, repeats = 0, passes = 20, generations = 100;
    study *o = &s->study;
    int code;
    if ((code = find_kind(s)) || (code = check_operands(s)) ||
        (code = settings_read(&s->settings, s->given, &s->read)) ||
        (code = settings_train(&s->settings, s->given, &o->train)) ||
        (code = settings_number(s->given, "folds", 2, 100000, &folds)) ||
        (code = settings_number(s->given, "repeats", 1, 100000, &repeats)) ||
        (code =
             settings_number(s->given, "passes", o->kind->run == study_passes, 10000, &passes)) ||
        (code = settings_number(s->given, "generations", 0, 1000000, &generations)))
        return code;
    o->generations = (uint32_t)generations;
    o->folds = (uint32_t)folds;
    o->repeats = (uint32_t)repeats;
    o->passes = (uint32_t)passes;
    o->seed = o->train.seed;
    o->threads = s->read.threads = o->train.threads;
    if (o->train.model == HCBR_MODEL_PLAIN)
        s->read.numbers = HCBR_NUMBERS_SPELLED;
    s->read.keep_rare = 1; // rare words are found in each training part
    return EXIT_DONE;
}

/* ---- the work -------------------------------------------------------------------------------- */

static int read_cases(studying *s) {
    hcbr_error err = {0};
    hcbr_estimate estimate;
    term_begin(&s->term, "read");
    if (hcbr_cases_create(&s->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(s->cases, s->given->operands + 1, s->given->operand_count - 1, &s->read,
                        &err) != HCBR_OK)
        return term_fail(&s->term, &err);
    int code = settings_finish(&s->term, s->given, &s->read, &s->study.train, s->cases);
    if (code != EXIT_DONE)
        return code;
    kinds_say(&s->term, s->cases, &s->study.train);
    code = settings_check_columns(s->given, s->cases, &s->study.train);
    if (code == EXIT_DONE)
        code = settings_importance(&s->settings, &s->term, s->given, s->cases, &s->study.train);
    if (code == EXIT_DONE)
        code = settings_estimate(&s->term, s->cases, &s->study.train, s->study.folds, &estimate);
    return code;
}

static int put_json(studying *s, uint64_t skipped) {
    hcbr_error err = {0};
    hcbr_writer *w;
    int code = out_writer(s->out, "study", &w);
    if (code != EXIT_DONE)
        return code;
    return term_written(&s->term, s->out, study_json(w, &s->study, skipped, &err), &err);
}

static int run(studying *s) {
    hcbr_error err = {0};
    uint64_t skipped = 0;
    int code = read_options(s);
    if (code == EXIT_DONE && !s->study.kind->own_cases)
        code = read_cases(s);
    if (code != EXIT_DONE)
        return code;
    term_begin(&s->term, "study");
    if (study_run(&s->study, s->cases, &err) != HCBR_OK)
        return term_fail(&s->term, &err);
    term_finish(&s->term);
    if (s->cases) {
        skipped = hcbr_cases_get_info(s->cases).skipped;
        term_skipped(&s->term, skipped);
        label_summary labels = label_count(s->cases);
        label_say(&s->term, &labels);
    }
    if (!(s->out = malloc(sizeof *s->out)))
        return say_no_memory("study");
    out_open(s->out, NULL);
    if (!args_has(s->given, "json"))
        study_text(s);
    else if ((code = put_json(s, skipped)))
        return code;
    return out_close(s->out, "study");
}

void study_no_memory(void) {
    exit(say_no_memory("study"));
}

int cmd_study(const args *given) {
    studying s = {.given = given};
    term_init(&s.term, "study", args_has(given, "quiet"), args_has(given, "verbose"), true);
    hcbr_read_options_init(&s.read);
    hcbr_train_options_init(&s.study.train);
    s.study.train.model = HCBR_MODEL_PLAIN;
    s.read.notify = term_notify;
    s.read.progress = s.study.progress = term_progress;
    s.read.notify_context = s.read.progress_context = s.study.progress_context = &s.term;
    int code = run(&s);
    term_finish(&s.term);
    if (s.out)
        out_discard(s.out);
    free(s.out);
    study_clear(&s.study);
    hcbr_cases_free(s.cases);
    settings_clear(&s.settings);
    return code;
}
