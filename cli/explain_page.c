/*
 * Further parts of a page of hcbr explain: names of model and data, an optional date, texts of past
 * cases; and many pages in a folder with one that lists them.
 */
#include "explain_page.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { DAY_SIZE = 16, ADDRESS_SIZE = 48, LOOKED_AT = 200 /* atoms, to find combinations */ };

/* ---- texts ----------------------------------------------------------------------------------- */

/* All rows with their texts whole; NULL: they cannot be had. */
static hcbr_cases *read_texts(const hcbr_read_options *read, const char *const *paths, size_t count,
                              hcbr_error *err) {
    hcbr_read_options o = *read;
    hcbr_cases *cases = NULL;
    o.text = NULL;
    o.text_count = 0;
    o.label_need = HCBR_LABEL_OPTIONAL;
    o.notify = NULL;
    o.progress = NULL;
    if (hcbr_cases_create(&cases, 0, err) == HCBR_OK &&
        hcbr_cases_read(cases, paths, count, &o, err) == HCBR_OK &&
        hcbr_cases_finish(cases, err) == HCBR_OK)
        return cases;
    hcbr_cases_free(cases);
    return NULL;
}

/* The number of the case of a row: rows rise. */
static uint64_t find_row(const hcbr_cases *cases, uint64_t row) {
    uint64_t low = 0, high = hcbr_cases_count(cases);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        hcbr_case c = {.size = sizeof c};
        hcbr_cases_get(cases, middle, &c);
        if (c.row == row)
            return middle;
        if (c.row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return UINT64_MAX;
}

static bool find_text(const hcbr_cases *cases, uint64_t row, const char *column, size_t length,
                      const char **text, size_t *text_length) {
    const uint64_t number = cases ? find_row(cases, row) : UINT64_MAX;
    hcbr_case c = {.size = sizeof c};
    if (number == UINT64_MAX)
        return false;
    hcbr_cases_get(cases, number, &c);
    for (size_t i = 0; i < c.feature_count; i++) {
        hcbr_feature f = {0};
        hcbr_cases_get_feature(cases, c.features[i], &f);
        if (f.value && f.key_length == length && memcmp(f.key, column, length) == 0) {
            *text = f.value;
            *text_length = f.value_length;
            return true;
        }
    }
    return false;
}

/* hcbr_page_text_fn */
static int past_text(void *context, uint64_t row, const char *column, size_t column_length,
                     const char **text, size_t *length) {
    const explaining *x = context;
    return find_text(x->past_texts, row, column, column_length, text, length);
}

/* ---- options --------------------------------------------------------------------------------- */

/* The day of SOURCE_DATE_EPOCH, else with --date today; in UTC. */
static void find_day(const explaining *x, char day[DAY_SIZE]) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = epoch && *epoch ? strtoll(epoch, &end, 10) : 0;
    time_t now = end && !*end ? (time_t)seconds : time(NULL);
    struct tm parts;
    day[0] = '\0';
    if (((end && !*end) || args_has(x->given, "date")) && gmtime_r(&now, &parts))
        strftime(day, DAY_SIZE, "%Y-%m-%d", &parts);
}

/* Several files are named one after the other. */
static char *join_names(const char *const *paths, size_t count) {
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        size += strlen(paths[i]) + 2;
    char *names = malloc(size), *at = names;
    if (!names)
        return NULL;
    *at = '\0';
    for (size_t i = 0; i < count; i++)
        at += snprintf(at, size - (size_t)(at - names), "%s%s", i ? ", " : "", paths[i]);
    return names;
}

bool explain_hides(const explaining *x, const char *name, size_t length) {
    const hcbr_feature f = {.key = name, .key_length = length, .value = ""};
    return explain_hides_feature(x, &f);
}

bool explain_hides_feature(const explaining *x, const hcbr_feature *f) {
    return hcbr_page_hides(&x->page, f);
}

bool explain_hides_id(const explaining *x) {
    hcbr_read_options read;
    hcbr_model_get_read_options(x->model, &read);
    return read.id && explain_hides(x, read.id, strlen(read.id));
}

/* Whether the model has a column of that name, or keys below it. */
static bool has_column(const explaining *x, const char *name) {
    size_t length = strlen(name);
    for (uint32_t k = 0; k < x->info.keys; k++) {
        hcbr_column column = {.size = sizeof column};
        hcbr_model_get_column(x->model, k, &column);
        if (column.name_length >= length && memcmp(column.name, name, length) == 0 &&
            (column.name_length == length || column.name[length] == ':' ||
             column.name[length] == '.'))
            return true;
    }
    return false;
}

/* A typo would leave a column on the page. */
static int check_column(const explaining *x, const char *name) {
    hcbr_read_options read;
    hcbr_model_get_read_options(x->model, &read);
    if (has_column(x, name) || (read.id && strcmp(read.id, name) == 0))
        return EXIT_DONE;
    return say_usage("explain", "--hide %s: the model has no such column", settings_shown(name));
}

int explain_page_prepare(explaining *x, const hcbr_read_options *read) {
    const char *past = args_get(x->given, "past");
    hcbr_error err = {0};
    int code = settings_list(x->given, "hide", &x->hide_text, &x->hide, &x->hide_count);
    if (code != EXIT_DONE)
        return code;
    for (size_t i = 0; i < x->hide_count; i++)
        if ((code = check_column(x, x->hide[i])))
            return code;
    hcbr_page_options_init(&x->page);
    if (!(x->data_names = join_names(x->settings.paths, x->settings.path_count)) ||
        !(x->day = calloc(1, DAY_SIZE)))
        return say_no_memory("explain");
    find_day(x, x->day);
    x->page.name = x->given->operands[0];
    x->page.data = x->settings.path_count ? x->data_names : NULL;
    x->page.date = x->day[0] ? x->day : NULL;
    x->page.past = past;
    x->page.hide = x->hide;
    x->page.hide_count = x->hide_count;
    x->page.top = x->top;
    x->page.beside = x->beside; // --all lists all, but not column by column
    if (args_has(x->given, "html") && x->options.atoms > 0) { // the strongest may all be single
        x->options.atom_cases = 0;
        x->options.atoms = x->options.atoms < LOOKED_AT ? LOOKED_AT : x->options.atoms;
    }
    if (past && !(x->past_texts = read_texts(read, &past, 1, &err)))
        return term_fail(&x->term, &err);
    x->page.past_text = past ? past_text : NULL;
    x->page.text_context = x;
    return EXIT_DONE;
}

void explain_page_clear(explaining *x) {
    hcbr_cases_free(x->past_texts);
    if (x->list)
        out_discard(x->list);
    free(x->list);
    free(x->data_names);
    free(x->day);
    free(x->hide);
    free(x->hide_text);
}

/* ---- a folder of pages ----------------------------------------------------------------------- */

bool explain_page_is_folder(const char *path) {
    struct stat about;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

static int open_in(const explaining *x, out *o, const char *name) {
    const char *folder = args_get(x->given, "html");
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return say_no_memory("explain");
    snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
    const files_made page = {"--html", path};
    int code = files_check(x->given, &page, 1), error;
    if (code == EXIT_DONE && (error = out_open(o, path)))
        code = say_unwritable("explain", path, error);
    free(path);
    return code;
}

int explain_page_folder(explaining *x) {
    const char *folder = args_get(x->given, "html");
    hcbr_writer *w;
    hcbr_error err = {0};
    int code;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return say_unwritable("explain", folder, errno);
    if (!(x->list = calloc(1, sizeof *x->list)))
        return say_no_memory("explain");
    if ((code = open_in(x, x->list, "index.html")) || (code = out_writer(x->list, "explain", &w)))
        return code;
    x->page.list = 1;
    hcbr_writer_set_page(w, &x->page);
    hcbr_status st = hcbr_html_begin(w, x->model, &err);
    return term_written(&x->term, x->list, st, &err);
}

int explain_page_open(explaining *x, const hcbr_decision *d) {
    char address[ADDRESS_SIZE];
    hcbr_writer *list;
    hcbr_error err = {0};
    int code;
    snprintf(address, sizeof address, "case-%llu.html", 1 + (unsigned long long)x->shown);
    if ((code = open_in(x, x->out, address)) ||
        (code = out_writer(x->out, "explain", &x->writer)) ||
        (code = out_writer(x->list, "explain", &list)))
        return code;
    hcbr_page_options page = x->page;
    page.address = address;
    hcbr_writer_set_page(list, &page);
    page.list = 0;
    page.index = "index.html";
    hcbr_writer_set_page(x->writer, &page);
    hcbr_status st = hcbr_write_decision(list, HCBR_HTML, x->model, d, &err);
    if (st == HCBR_OK)
        st = hcbr_html_begin(x->writer, x->model, &err);
    return term_written(&x->term, x->out, st, &err);
}

int explain_page_close(explaining *x) {
    hcbr_error err = {0};
    int code = term_written(&x->term, x->out, hcbr_html_end(x->writer, &err), &err);
    if (code == EXIT_DONE)
        code = out_close(x->out, "explain");
    out_discard(x->out);
    return code;
}

int explain_page_end(explaining *x) {
    hcbr_writer *list;
    hcbr_error err = {0};
    int code = out_writer(x->list, "explain", &list);
    if (code == EXIT_DONE)
        code = term_written(&x->term, x->list, hcbr_html_end(list, &err), &err);
    return code == EXIT_DONE ? out_close(x->list, "explain") : code;
}
