/*
 * hcbr convert: reads labelled cases as train would and writes them in another format.
 *
 * The files of a target belong together and appear together, completely or not at all. They hold
 * the cases, not the rows: read again with the options in the summary, they give the same model,
 * byte for byte, except for differences listed in the summary.
 */
#include "convert.h"

#include "cell.h"
#include "commands.h"
#include "files.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

enum { LIST_SIZE = 2000 }; /* a line of a summary has room for it */

int convert_fail(conversion *c, uint64_t row, const char *format, ...) {
    hcbr_error err = {.status = HCBR_EDATA};
    int used = snprintf(err.message, sizeof err.message, "row %llu: ", (unsigned long long)row);
    va_list list;
    va_start(list, format);
    vsnprintf(err.message + used, sizeof err.message - (size_t)used, format, list);
    va_end(list);
    return term_fail(&c->term, &err);
}

const char *convert_quote(char buffer[96], const char *text, size_t length) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_cut(&c, text, length, 72);
    bool cut = c.used > 92; // letters of several bytes
    if (cut)
        c.used = 89;
    while (cut && c.used > 0 && ((unsigned char)c.text[c.used] & 0xC0) == 0x80)
        c.used--; // not half of one
    snprintf(buffer, 96, "'%.*s%s'", (int)c.used, c.text, cut ? "..." : "");
    return buffer;
}

/* ---- options --------------------------------------------------------------------------------- */

/* The format, from --to or the ending of the file. */
static int read_target(conversion *c) {
    static const target TARGETS[] = {
        {HCBR_FORMAT_CSV, .write = convert_csv, .delimiter = ','},
        {HCBR_FORMAT_TSV, .write = convert_csv, .delimiter = '\t'},
        {HCBR_FORMAT_JSONL, .write = convert_jsonl},
        {HCBR_FORMAT_LIBSVM, .write = convert_ids, .ids = true},
        {HCBR_FORMAT_CASES, .write = convert_ids, .ids = true, .outcomes = true}};
    enum { COUNT = sizeof TARGETS / sizeof *TARGETS };
    const char *path = c->paths[OUT_DATA], *names[COUNT + 1] = {NULL};
    const hcbr_format ending = hcbr_format_of_path(path);
    char all[100] = "";
    int chosen = -1;
    for (int i = 0; i < COUNT; i++) {
        size_t used = strlen(all);
        names[i] = hcbr_format_name(TARGETS[i].format);
        snprintf(all + used, sizeof all - used, "%s%s",
                 i == 0          ? ""
                 : i + 1 < COUNT ? ", "
                                 : " or ",
                 names[i]);
    }
    int code = settings_choice(c->given, "to", names, &chosen);
    if (code != EXIT_DONE)
        return code;
    for (int i = 0; chosen < 0 && i < COUNT; i++)
        if (TARGETS[i].format == ending)
            chosen = i;
    if (chosen < 0)
        return say_usage("convert", "-o %s: --to %s is needed here", path, all);
    c->to = &TARGETS[chosen];
    return EXIT_DONE;
}

static const char *target_name(const conversion *c) {
    return hcbr_format_name(c->to->format);
}

/* The path of a file that goes with the data: as given, or OUT with an ending. */
static int read_beside(conversion *c, int file, const char *id, const char *option,
                       const char *ending) {
    const char *path = c->paths[OUT_DATA];
    size_t room = strlen(path) + strlen(ending) + 1;
    if ((c->paths[file] = args_get(c->given, id)))
        return EXIT_DONE;
    if (strcmp(path, "-") == 0)
        return say_usage("convert", "-o -: --%s FILE is needed, since %s needs more than one file",
                         option, target_name(c));
    if (!(c->made[file] = malloc(room)))
        return say_no_memory("convert");
    snprintf(c->made[file], room, "%s%s", path, ending);
    c->paths[file] = c->made[file];
    return EXIT_DONE;
}

static int read_paths(conversion *c) {
    int code;
    if (!c->to->ids && (args_has(c->given, "names-out") || args_has(c->given, "sorted")))
        return say_usage("convert", "--%s is for libsvm and cases, not for %s",
                         args_has(c->given, "sorted") ? "sorted" : "names-out", target_name(c));
    if (!c->to->outcomes && args_has(c->given, "outcomes-out"))
        return say_usage("convert", "--outcomes-out is for cases, not for %s", target_name(c));
    if (c->to->ids && (code = read_beside(c, OUT_NAMES, "names-out", "names-out", ".names")))
        return code;
    return c->to->outcomes
               ? read_beside(c, OUT_OUTCOMES, "outcomes-out", "outcomes-out", ".outcomes")
               : EXIT_DONE;
}

/* Mistakes about the files are found before the data is read. */
static int check_paths(const conversion *c) {
    files_made made[OUT_FILES];
    size_t count = 0;
    for (int i = 0; i < OUT_FILES; i++)
        if (c->made[i])
            made[count++] = (files_made){i == OUT_NAMES ? "OUT.names" : "OUT.outcomes", c->made[i]};
    int code = files_check(c->given, made, count);
    if (code != EXIT_DONE)
        return code;
    for (int i = 0; i < OUT_FILES; i++) {
        const char *path = c->paths[i];
        if (!path || strcmp(path, "-") == 0)
            continue;
        int error = out_check(path);
        if (error)
            return say_unwritable("convert", path, error);
    }
    for (int i = 1; i < OUT_FILES; i++)
        if (c->paths[i] && strcmp(c->paths[i], "-") == 0)
            return say_usage("convert", "only the data can be written to standard output");
    assert(c->paths[OUT_DATA]);
    if (strcmp(c->paths[OUT_DATA], "-") == 0 && args_has(c->given, "json"))
        return say_usage("convert", "--json prints to standard output, where -o - sends the data");
    return EXIT_DONE;
}

static int read_options(conversion *c) {
    int code;
    if (!c->paths[OUT_DATA])
        return say_usage("convert", "-o OUT is missing: the file to write to, or -");
    if ((code = settings_read(&c->settings, c->given, &c->read)) || (code = read_target(c)) ||
        (code = read_paths(c)))
        return code;
    return check_paths(c);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int read_cases(conversion *c) {
    hcbr_error err = {0};
    term_begin(&c->term, "read");
    if (hcbr_cases_create(&c->cases, 0, &err) != HCBR_OK ||
        hcbr_cases_read(c->cases, c->given->operands, c->given->operand_count, &c->read, &err) !=
            HCBR_OK ||
        (hcbr_cases_count(c->cases) > 0 && hcbr_cases_finish(c->cases, &err) != HCBR_OK))
        return term_fail(&c->term, &err);
    const hcbr_cases_info all = hcbr_cases_get_info(c->cases);
    c->label_name = all.label_column;
    c->unlabelled =
        !c->label_name || (all.labels == 1 && hcbr_cases_get_label(c->cases, 0, NULL)[0] == '\0');
    if (!c->label_name)
        c->label_name = "label";
    if (c->unlabelled && c->to->ids)
        return say_usage("convert",
                         "the cases have no label, which every line of %s begins with; "
                         "csv, tsv and jsonl need none",
                         target_name(c));
    uint64_t count = hcbr_cases_count(c->cases);
    for (uint64_t i = 0; i < count && !c->id_name; i++) {
        hcbr_case x = {.size = sizeof x};
        hcbr_cases_get(c->cases, i, &x);
        if (x.id)
            c->id_name = c->read.id                         ? c->read.id
                         : strcmp(c->label_name, "id") != 0 ? "id"
                                                            : "case_id";
    }
    return EXIT_DONE;
}

static int write_files(conversion *c) {
    for (int i = 0; i < OUT_FILES; i++) {
        if (!c->paths[i])
            continue;
        out *o = malloc(sizeof *o);
        if (!o)
            return say_no_memory("convert");
        int error = out_open(o, c->paths[i]);
        if (error) {
            free(o);
            return say_unwritable("convert", c->paths[i], error);
        }
        c->files[i] = o;
    }
    term_begin(&c->term, "write");
    int code = c->to->write(c);
    out *list[OUT_FILES];
    size_t count = 0;
    for (int i = 0; i < OUT_FILES; i++)
        if (c->files[i])
            list[count++] = c->files[i];
    if (code == EXIT_DONE && stop_asked()) {
        hcbr_error err = {.status = HCBR_ECANCELLED};
        code = term_fail(&c->term, &err);
    }
    return code == EXIT_DONE ? out_close_all(list, count, "convert") : code;
}

/* ---- summary --------------------------------------------------------------------------------- */

/* Whether the label would be found without --label. */
static bool label_is_found(const conversion *c) {
    static const char *const NAMES[] = {"label", "y", "class", "target", "outcome"};
    uint32_t features = hcbr_cases_get_info(c->cases).features;
    if (c->to->ids)
        return true; // the names say it
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(c->label_name, NAMES[i]) == 0)
            return true;
        for (uint32_t f = 0; c->to->delimiter && f < features; f++) {
            hcbr_feature feature;
            hcbr_cases_get_feature(c->cases, f, &feature);
            if (convert_same(feature.key, feature.key_length, NAMES[i]))
                return false; // a column of this name would be taken
        }
    }
    return false;
}

/* Options that a model of DATA remembers, though their work is done: that of OUT differs in them.
 */
static void list_remembered(const conversion *c, char list[128]) {
    static const char *const IDS[] = {"ignore", "split", "text", "presence", "join", "bins"};
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < sizeof IDS / sizeof *IDS; i++)
        if (args_has(c->given, IDS[i]))
            used += (size_t)snprintf(list + used, 128 - used, "%s--%s", used ? ", " : "",
                                     opt_name(IDS[i]));
}

/* A word of a command line, in quotes where a shell would take it for something else. A list that
 * is full stays as it is. */
static void add_word(char list[LIST_SIZE], const char *text) {
    bool plain = text[0] != '\0';
    size_t used = strlen(list), quotes = 0;
    for (const char *c = text; *c; c++) {
        plain = plain && (isalnum((unsigned char)*c) || (*c & 0x80) || strchr("_-./:,=@%+", *c));
        quotes += *c == '\'';
    }
    if (used + strlen(text) + 3 * quotes + 4 > LIST_SIZE)
        return;
    char *to = list + used;
    if (used)
        *to++ = ' ';
    if (!plain)
        *to++ = '\'';
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            to += snprintf(to, 4, "'\\'"); // and the quote itself opens the rest
        *to++ = *c;
    }
    if (!plain)
        *to++ = '\'';
    *to = '\0';
}

/* The options with which the target is to be read. */
static void list_options(const conversion *c, char list[LIST_SIZE]) {
    assert(c->paths[OUT_DATA]);
    const struct {
        bool needed;
        const char *option, *value;
    } OPTIONS[] = {{strcmp(c->paths[OUT_DATA], "-") == 0 ||
                        hcbr_format_of_path(c->paths[OUT_DATA]) != c->to->format,
                    "--format", target_name(c)},
                   {c->unlabelled, "--no-label", NULL},
                   {!c->unlabelled && !label_is_found(c), "--label", c->label_name},
                   {c->id_name != NULL, "--id", c->id_name},
                   {args_has(c->given, "na"), "--na", args_get(c->given, "na")},
                   {args_has(c->given, "na-only"), "--na-only", args_get(c->given, "na-only")},
                   {args_has(c->given, "strict"), "--strict", NULL},
                   {c->paths[OUT_OUTCOMES] != NULL, "--outcomes", c->paths[OUT_OUTCOMES]},
                   {c->paths[OUT_NAMES] != NULL, "--names", c->paths[OUT_NAMES]}};
    list[0] = '\0';
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        if (OPTIONS[i].needed)
            add_word(list, OPTIONS[i].option);
        if (OPTIONS[i].needed && OPTIONS[i].value)
            add_word(list, OPTIONS[i].value);
    }
}

static void say_summary(conversion *c) {
    char list[LIST_SIZE], empty[64] = "";
    const hcbr_cases_info all = hcbr_cases_get_info(c->cases);
    if (all.empty)
        snprintf(empty, sizeof empty, ", %llu of them empty", (unsigned long long)all.empty);
    term_say(&c->term, "cases     %llu%s", (unsigned long long)all.cases, empty);
    term_say(&c->term, "features  %u of %u keys", all.features, all.keys);
    term_say(&c->term, "labels    %u", c->unlabelled ? 0 : all.labels);
    for (int i = 0; i < OUT_FILES; i++)
        if (c->paths[i])
            term_say(&c->term, "written   %s", c->paths[i]);
    if (c->other_order)
        term_say(&c->term,
                 "order     of the features is lost: a model from this file differs only in that");
    if (c->unsorted)
        term_say(&c->term,
                 "order     of the features is kept: ids do not always ascend (--sorted)");
    list_remembered(c, list);
    if (list[0])
        term_say(&c->term, "differs   a model of the data as it was remembers %s", list);
    list_options(c, list);
    if (list[0])
        term_say(&c->term, "read with %s", list);
}

static hcbr_status write_json(const conversion *c, hcbr_writer *w, hcbr_error *err) {
    const hcbr_cases_info all = hcbr_cases_get_info(c->cases);
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_string("schema", "hcbr.convert/1"),
             hcbr_item_string("format", target_name(c)), hcbr_item_u64("cases", all.cases),
             hcbr_item_u64("empty_cases", all.empty), hcbr_item_u64("skipped_rows", all.skipped),
             hcbr_item_u64("features", all.features), hcbr_item_u64("keys", all.keys),
             hcbr_item_u64("occurrences", all.occurrences), hcbr_item_u64("labels", all.labels),
             hcbr_item_string("label", c->label_name), hcbr_item_string("id", c->id_name),
             hcbr_item_bool("order_kept", !c->other_order),
             hcbr_item_string("data", c->paths[OUT_DATA]),
             hcbr_item_string("names", c->paths[OUT_NAMES]),
             hcbr_item_string("outcomes", c->paths[OUT_OUTCOMES]),
             hcbr_item_u64("bytes_read", all.bytes));
    return hcbr_write_end(w, HCBR_JSON, err);
}

static int print_json(conversion *c) {
    out *o = malloc(sizeof *o);
    if (!o)
        return say_no_memory("convert");
    hcbr_error err = {0};
    hcbr_writer *w;
    out_open(o, NULL);
    int code = out_writer(o, "convert", &w);
    if (code == EXIT_DONE)
        code = term_written(&c->term, o, write_json(c, w, &err), &err);
    if (code == EXIT_DONE)
        code = out_close(o, "convert");
    out_discard(o);
    free(o);
    return code;
}

static int convert(conversion *c) {
    int code;
    if ((code = read_options(c)) || (code = read_cases(c)) || (code = write_files(c)))
        return code;
    term_finish(&c->term);
    term_skipped(&c->term, hcbr_cases_get_info(c->cases).skipped);
    say_summary(c);
    return args_has(c->given, "json") ? print_json(c) : EXIT_DONE;
}

int cmd_convert(const args *given) {
    conversion c = {.given = given, .paths = {[OUT_DATA] = args_get(given, "output")}};
    term_init(&c.term, "convert", args_has(given, "quiet"), args_has(given, "verbose"), true);
    hcbr_read_options_init(&c.read);
    c.read.numbers = HCBR_NUMBERS_AS_READ;
    c.read.may_be_empty = 1;
    c.read.notify = term_notify;
    c.read.progress = term_progress;
    c.read.notify_context = c.read.progress_context = &c.term;
    int code = convert(&c);
    term_finish(&c.term);
    for (int i = 0; i < OUT_FILES; i++) {
        if (c.files[i])
            out_discard(c.files[i]);
        free(c.files[i]);
        free(c.made[i]);
    }
    hcbr_cases_free(c.cases);
    settings_clear(&c.settings);
    return code;
}
