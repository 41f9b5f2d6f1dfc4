/*
 * hcbr explain: decides cases as predict does and shows why: the groups of features that counted,
 * and their past cases, for and against.
 */
#include "commands.h"
#include "explain_page.h"

#include <stdlib.h>
#include <unistd.h>

/* A case in text is a screen; --top, --cases and --all show more. */
enum { TEXT_COLUMNS = 5, TEXT_CASES = 2, TEXT_BESIDE = 1 };

#define ATOM_CASES 3 /* past cases of each group of a rich model under --all */

static int compare_ranges(const void *a, const void *b) {
    const row_range *p = a, *q = b;
    return (p->first > q->first) - (p->first < q->first);
}

/* A row number; *end moves to after it. */
static bool read_row(const char *text, uint64_t *row, const char **end) {
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value < UINT64_MAX / 20; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    *row = value;
    *end = at;
    return at > text && value > 0 && !(*at >= '0' && *at <= '9');
}

/* --rows 3,7-20 */
static int read_rows(explaining *x) {
    const char *text = args_get(x->given, "rows"), *at = text;
    if (!text)
        return EXIT_DONE;
    x->ranges = malloc((strlen(text) + 1) * sizeof *x->ranges);
    if (!x->ranges)
        return say_no_memory("explain");
    for (;; at++) {
        row_range *r = &x->ranges[x->range_count];
        bool good = read_row(at, &r->first, &at);
        r->last = r->first;
        if (good && *at == '-')
            good = read_row(at + 1, &r->last, &at) && r->last >= r->first;
        if (!good || (*at && *at != ','))
            return say_usage("explain",
                             "--rows %s: rows and ranges of rows, from 1, were expected, as in "
                             "3,7-20",
                             text);
        x->range_count++;
        if (!*at)
            break;
    }
    qsort(x->ranges, x->range_count, sizeof *x->ranges, compare_ranges);
    return EXIT_DONE;
}

static bool is_wanted(const explaining *x, uint64_t row) {
    if (!x->ranges)
        return true;
    for (size_t i = 0; i < x->range_count && x->ranges[i].first <= row; i++)
        if (row <= x->ranges[i].last)
            return true;
    return false;
}

static int read_options(explaining *x) {
    uint64_t top = x->options.atoms, cases = x->options.cases;
    int code;
    if ((code = read_rows(x)) || (code = settings_number(x->given, "top", 0, UINT32_MAX, &top)) ||
        (code = settings_number(x->given, "cases", 0, UINT32_MAX, &cases)) ||
        (code = settings_number(x->given, "threads", 1, 1024, &x->threads)) ||
        (code = settings_number(x->given, "max-memory", 0, UINT64_MAX >> 1, &x->max_memory)))
        return code;
    const bool text = !args_has(x->given, "json") && !args_has(x->given, "html") &&
                      !args_has(x->given, "summary");
    x->options.atoms = x->options.columns = x->top = (size_t)top;
    if (text && !x->term.verbose && !args_has(x->given, "top")) {
        x->options.columns = TEXT_COLUMNS;
        x->options.atoms = 0;
    }
    x->options.cases = x->beside = (size_t)cases;
    if (text && !x->term.verbose && !args_has(x->given, "cases") && !args_has(x->given, "all"))
        x->options.cases = TEXT_CASES, x->beside = TEXT_BESIDE;
    if (cases == 0)
        x->options.atom_cases = 0;
    if (args_has(x->given, "all"))
        x->top = x->options.atoms = x->options.columns = x->options.cases = x->options.atom_cases =
            SIZE_MAX;
    return EXIT_DONE;
}

/* --flip-limit N */
static int read_limit(explaining *x) {
    hcbr_flip_options_init(&x->flip);
    if (args_has(x->given, "flip-limit") && !args_has(x->given, "flip"))
        return say_usage("explain", "--flip-limit is for --flip, which is missing");
    return settings_number(x->given, "flip-limit", 0, UINT64_MAX, &x->flip.limit);
}

/* --versus CASE */
static int find_versus(explaining *x) {
    const char *name = args_get(x->given, "versus");
    if (!name)
        return EXIT_DONE;
    if (x->info.keep == HCBR_KEEP_NONE)
        return say_usage("explain", "--versus %s: the model was trained with --keep-cases none",
                         name);
    x->versus = hcbr_model_find_kept(x->model, name, strlen(name));
    if (x->versus == UINT64_MAX)
        return say_usage("explain",
                         "--versus %s: the model has no past case of that %s; it was built from "
                         "%llu cases",
                         name, x->info.keep == HCBR_KEEP_FULL ? "id or row" : "row",
                         (unsigned long long)x->info.cases);
    return EXIT_DONE;
}

/* Progress within a row, and being stopped there. */
static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    explaining *x = context;
    bool live = x->term.live;
    if (x->term.stage_count == TERM_STAGES) // many rows: their times are not shown
        x->term.stage_count = 0, x->term.running = false;
    x->term.live = x->watched;
    int stop = term_progress(&x->term, stage, done, total);
    x->term.live = live;
    return stop;
}

/* Before and after progress on the terminal that gets the text. */
static void clear_way(explaining *x) {
    if (!x->shared)
        return;
    if (term_erase())
        term_end(&x->term);
    out_flush(x->out);
}

/* As large as --max-memory says. */
static hcbr_status make_index(explaining *x, hcbr_error *err) {
    hcbr_index_options o;
    if (!args_has(x->given, "max-memory"))
        return HCBR_OK;
    hcbr_index_options_init(&o);
    o.max_memory = x->max_memory;
    o.threads = (uint32_t)x->threads;
    o.progress = watch;
    o.progress_context = x;
    return hcbr_index_create(&x->index, x->model, &o, err);
}

static int prepare(explaining *x) {
    const args *given = x->given;
    hcbr_error err = {0};
    hcbr_read_options read;
    int code;
    hcbr_explain_options_init(&x->options);
    if ((code = read_options(x)) || (code = read_limit(x)) || (code = explain_read_bounds(x)) ||
        (code = settings_load(&x->settings, given, &x->term, &x->model, &read, &x->rule,
                              &x->own_rule)))
        return code;
    x->info.size = sizeof x->info;
    hcbr_model_get_info(x->model, &x->info);
    if ((code = explain_check_bounds(x)) || (code = explain_page_prepare(x, &read)))
        return code;
    if (x->info.model == HCBR_MODEL_RICH && x->options.atom_cases == SIZE_MAX)
        x->options.atom_cases = ATOM_CASES; // of thousands of groups
    if (!args_has(given, "json") && !x->term.verbose)
        x->options.atom_cases = 0; // text has their number only
    if ((code = find_versus(x)) || (code = explain_begin_summary(x)))
        return code;
    if (hcbr_decider_create(&x->decider, x->model, x->own_rule ? &x->rule : NULL, &err) !=
            HCBR_OK ||
        make_index(x, &err) != HCBR_OK ||
        hcbr_stream_create(&x->stream, x->decider, x->settings.paths, x->settings.path_count, &read,
                           &err) != HCBR_OK)
        return term_fail(&x->term, &err);
    return EXIT_DONE;
}

/* ---- other results than reasons -------------------------------------------------------------- */

static hcbr_status explain_versus(explaining *x, const hcbr_row *row, hcbr_error *err) {
    clear_way(x);
    hcbr_comparison c = {.size = sizeof c};
    hcbr_status st = hcbr_explainer_compare(x->explainer, row, x->versus, 1, &c, err);
    clear_way(x);
    if (st != HCBR_OK)
        return st;
    if (x->writer)
        return hcbr_write_comparison(x->writer, x->form, x->model, &c, err);
    explain_versus_text(x, &c);
    return HCBR_OK;
}

static hcbr_status explain_flip(explaining *x, const hcbr_row *row, hcbr_error *err) {
    clear_way(x);
    hcbr_flips f = {.size = sizeof f};
    hcbr_status st = hcbr_explainer_flip(x->explainer, row, &x->flip, &f, err);
    clear_way(x);
    if (st != HCBR_OK)
        return st;
    if (x->writer)
        return hcbr_write_flips(x->writer, x->form, x->model, &f, err);
    explain_flip_text(x, &f);
    return HCBR_OK;
}

static hcbr_status explain_ask(explaining *x, const hcbr_row *row, hcbr_error *err) {
    clear_way(x);
    hcbr_questions q = {.size = sizeof q};
    hcbr_status st = hcbr_explainer_ask(x->explainer, row, x->page.top, &q, err);
    clear_way(x);
    if (st != HCBR_OK)
        return st;
    if (x->writer)
        return hcbr_write_questions(x->writer, x->form, x->model, &q, err);
    explain_ask_text(x, &q);
    return HCBR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static hcbr_status explain_reasons(explaining *x, const hcbr_explained_row *row, hcbr_error *err) {
    clear_way(x);
    if (x->writer)
        return hcbr_write_explanation(x->writer, x->form, x->model, row, err);
    explain_text(x, row);
    return explain_cases_text(x, row, err);
}

static int show_one(explaining *x, const hcbr_explained_row *row) {
    hcbr_error err = {0};
    hcbr_status st;
    x->explainer = row->explainer;
    if (x->summary) {
        st = hcbr_summary_add(x->summary, row->decision, row->explanation, &err);
        x->shown++;
        return (x->code = st == HCBR_OK ? EXIT_DONE : term_fail(&x->term, &err)) != EXIT_DONE;
    }
    if (x->list && (x->code = explain_page_open(x, row->decision)) != EXIT_DONE)
        return 1;
    if ((st = explain_reasons(x, row, &err)) == HCBR_OK && args_has(x->given, "versus"))
        st = explain_versus(x, row->row, &err);
    if (st == HCBR_OK && args_has(x->given, "flip"))
        st = explain_flip(x, row->row, &err);
    if (st == HCBR_OK && args_has(x->given, "ask"))
        st = explain_ask(x, row->row, &err);
    if (st == HCBR_OK && x->writer)
        st = hcbr_write_end(x->writer, x->form, &err);
    x->shown++;
    x->code = term_written(&x->term, x->out, st, &err);
    if (x->list && x->code == EXIT_DONE)
        return (x->code = explain_page_close(x)) != EXIT_DONE;
    if (!x->out->temporary && hcbr_stream_must_read(x->stream))
        out_flush(x->out);
    return x->code != EXIT_DONE || !out_good(x->out);
}

static int explain_one(void *context, const hcbr_explained_row *row) {
    const int stop = show_one(context, row);
    hcbr_row_free(row->row);
    return stop;
}

static int wants(void *context, uint64_t row) {
    explaining *x = context;
    x->last = row;
    return is_wanted(x, row);
}

static int explain_all(explaining *x) {
    hcbr_error err = {0};
    hcbr_explain_rows_options o;
    hcbr_explain_rows_options_init(&o);
    o.explain = &x->options;
    o.threads = (uint32_t)x->threads;
    o.index = x->index;
    o.wanted = wants;
    for (size_t i = 0; i < x->range_count; i++)
        o.last = i == 0 || x->ranges[i].last > o.last ? x->ranges[i].last : o.last;
    o.progress = watch;
    o.progress_context = x;
    hcbr_status st = hcbr_explain_rows(x->model, x->stream, x->own_rule ? &x->rule : NULL, &o,
                                       explain_one, x, &err);
    if (x->code != EXIT_DONE || !out_good(x->out))
        return x->code;
    if (st != HCBR_OK) {
        out_flush(x->out);
        return term_fail(&x->term, &err);
    }
    if (x->ranges && x->shown == 0) {
        out_flush(x->out);
        term_warn(&x->term, "none of the rows %s is in the data, which ends at row %llu",
                  args_get(x->given, "rows"), (unsigned long long)x->last);
    }
    return EXIT_DONE;
}

/* Open the output, and begin its page. */
static int begin_output(explaining *x) {
    const char *html = args_get(x->given, "html");
    const char *path = html ? html : args_get(x->given, "output");
    hcbr_error err = {0};
    int code, error;
    if (!(x->out = calloc(1, sizeof *x->out)))
        return say_no_memory("explain");
    if (html && explain_page_is_folder(html))
        return explain_page_folder(x);
    if ((error = out_open(x->out, path))) {
        free(x->out);
        x->out = NULL;
        return say_unwritable("explain", path, error);
    }
    x->columns = out_columns(x->out);
    if (x->form == HCBR_TEXT)
        return EXIT_DONE;
    if ((code = out_writer(x->out, "explain", &x->writer)))
        return code;
    hcbr_writer_set_page(x->writer, &x->page);
    hcbr_status st = html ? hcbr_html_begin(x->writer, x->model, &err) : HCBR_OK;
    return term_written(&x->term, x->out, st, &err);
}

static int explain(explaining *x) {
    const bool html = args_has(x->given, "html");
    hcbr_error err = {0};
    int code;
    if (html && (args_has(x->given, "json") || args_has(x->given, "output")))
        return say_usage("explain", "--html FILE is the output: --json and -o cannot be given too");
    if ((code = prepare(x)) != EXIT_DONE || (code = begin_output(x)) != EXIT_DONE)
        return code;
    term_begin(&x->term, "read");
    if ((code = explain_all(x)) != EXIT_DONE ||
        (x->summary && (code = explain_end_summary(x)) != EXIT_DONE))
        return code;
    if (x->list)
        code = explain_page_end(x);
    else if (html)
        code = term_written(&x->term, x->out, hcbr_html_end(x->writer, &err), &err);
    if (code == EXIT_DONE && !x->list)
        code = out_close(x->out, "explain");
    term_finish(&x->term);
    term_skipped(&x->term, hcbr_stream_skipped_count(x->stream));
    return code;
}

int cmd_explain(const args *given) {
    const char *path = args_get(given, "output");
    bool elsewhere = (path && strcmp(path, "-") != 0) || args_has(given, "html");
    explaining x = {.given = given,
                    .threads = 1,
                    .form = args_has(given, "html")   ? HCBR_HTML
                            : args_has(given, "json") ? HCBR_JSON
                                                      : HCBR_TEXT,
                    .shared = !elsewhere && isatty(STDOUT_FILENO)};
    term_init(&x.term, "explain", args_has(given, "quiet"), args_has(given, "verbose"), true);
    // Progress must not interrupt a half-written line of JSON.
    x.watched = x.term.live && !(x.shared && args_has(given, "json"));
    x.term.live = x.term.live && !x.shared;
    int code = explain(&x);
    term_finish(&x.term);
    if (x.out)
        out_discard(x.out);
    free(x.out);
    free(x.ranges);
    explain_page_clear(&x);
    explain_free_bounds(&x);
    hcbr_summary_free(x.summary);
    hcbr_stream_free(x.stream);
    hcbr_index_free(x.index);
    hcbr_decider_free(x.decider);
    hcbr_model_free(x.model);
    settings_clear(&x.settings);
    return code;
}
