/*
 * Messages on standard error.
 *
 * Progress is one line that is rewritten, only on a terminal; it is removed before any other
 * message. In text that comes from files, characters that would control the terminal are shown as
 * bytes.
 */
#include "term.h"

#include "one_case.h"

#include "opt.h"
#include "out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_ROW_WARNINGS = 10 };

static bool drawn; // a line of progress is on the terminal

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool term_erase(void) {
    bool was = drawn;
    if (was)
        fputs("\r\033[K", stderr);
    drawn = false;
    stop_drawn(false);
    return was;
}

/*
 * Print one line to standard error; characters that would control the terminal are shown as bytes.
 */
static void print_shown(const char *line) {
    size_t left = strlen(line);
    char escape[4];
    term_erase();
    while (left > 0) {
        size_t n = hcbr_text_plain(line, left);
        fwrite(line, 1, n, stderr);
        if (n < left) {
            fwrite(escape, 1, hcbr_text_escape(escape, line[n]), stderr);
            n++;
        }
        line += n;
        left -= n;
    }
    fputc('\n', stderr);
}

static void print_line(const char *command, const char *kind, const char *format, va_list list) {
    char line[2048];
    int head = snprintf(line, sizeof line, "hcbr%s%s: %s", command ? " " : "",
                        command ? command : "", kind);
    vsnprintf(line + head, sizeof line - (size_t)head, format, list);
    print_shown(line);
}

__attribute__((format(printf, 3, 4))) static void say(const char *command, const char *kind,
                                                      const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, kind, format, list);
    va_end(list);
}

int say_usage(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, "", format, list);
    va_end(list);
    fprintf(stderr, "Try 'hcbr%s%s --help'.\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

void say_note(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, "note: ", format, list);
    va_end(list);
}

int say_no_memory(const char *command) {
    say(command, "", "out of memory");
    return EXIT_MEMORY;
}

int say_unwritable(const char *command, const char *path, int error) {
    say(command, "", "%s: cannot be written: %s", path[0] ? path : "''", strerror(error));
    return EXIT_IO;
}

bool term_knows(int file) {
    const char *kind = getenv("TERM");
    return kind && kind[0] && strcmp(kind, "dumb") != 0 && isatty(file);
}

void term_init(term *t, const char *command, bool quiet, bool verbose, bool progress) {
    *t = (term){.command = command, .quiet = quiet, .verbose = verbose};
    t->live = progress && !quiet && term_knows(STDERR_FILENO);
    t->last_draw = now() + 0.2; // a short run shows no progress
}

static void say_where(term *t, const char *kind, const hcbr_error *where) {
    char message[2 * sizeof where->message];
    opt_spell(message, sizeof message, where->message);
    if (!where->file[0])
        say(t->command, kind, "%s", message);
    else if (!where->line || (t->no_lines && strcmp(where->file, ONE_CASE_PATH) == 0))
        say(t->command, kind, "%s: %s", where->file, message);
    else if (!where->column)
        say(t->command, kind, "%s:%llu: %s", where->file, (unsigned long long)where->line, message);
    else
        say(t->command, kind, "%s:%llu:%llu: %s", where->file, (unsigned long long)where->line,
            (unsigned long long)where->column, message);
}

void term_notify(void *context, hcbr_notice kind, const hcbr_error *where) {
    term *t = context;
    if (kind == HCBR_NOTE) {
        if (!t->quiet)
            say_where(t, "note: ", where);
        return;
    }
    t->rows_named = t->rows_named || where->line > 0;
    if (!where->line || t->row_warnings++ < SHOWN_ROW_WARNINGS)
        say_where(t, "warning: ", where);
}

/* "1:05", "2:00:10" */
static void format_duration(char text[32], double seconds) {
    unsigned long long s = seconds < 0       ? 0
                           : seconds > 3.6e8 ? 360000000
                                             : (unsigned long long)seconds;
    if (s >= 3600)
        snprintf(text, 32, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, 32, "%llu:%02llu", s / 60, s % 60);
}

/* The longest line of progress; a longer one could not be erased. */
static size_t most_columns(void) {
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col - 1 : 79;
}

/* Add a part to the line, if it fits whole. */
__attribute__((format(printf, 3, 4))) static void add_part(char line[128], size_t columns,
                                                           const char *format, ...) {
    char part[64];
    va_list list;
    va_start(list, format);
    vsnprintf(part, sizeof part, format, list);
    va_end(list);
    size_t used = strlen(line), length = strlen(part);
    if (used + length <= columns && used + length < 128)
        memcpy(line + used, part, length + 1);
}

static void draw(term *t, const char *stage, double done, double total) {
    double spent = now() - t->stage_start;
    char line[128] = "", left[32];
    size_t columns = most_columns();
    add_part(line, columns, "%-9s", stage);
    if (total > 0)
        add_part(line, columns, " %3.0f %%", 100 * done / total);
    if (strcmp(stage, "read") == 0)
        add_part(line, columns, "  %.1f MB  %.0f MB/s", done / 1e6,
                 spent > 0 ? done / 1e6 / spent : 0);
    if (total > 0 && done > 0 && done < total && spent > 0.5) {
        format_duration(left, spent * (total - done) / done + 0.5);
        add_part(line, columns, "  %s left", left);
    }
    fprintf(stderr, "\r%s\033[K", line);
    t->total = total;
    drawn = true;
    stop_drawn(true);
}

/* Bytes of memory that the process has had in use at once. */
static double most_memory(void) {
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0)
        return 0;
#ifdef __APPLE__
    return (double)used.ru_maxrss;
#else
    return 1024.0 * (double)used.ru_maxrss;
#endif
}

void term_end(term *t) {
    if (t->running) {
        if (drawn && t->total > 0) // the work may have ended sooner than was expected
            draw(t, t->stages[t->stage_count - 1].name, t->total, t->total);
        t->stages[t->stage_count - 1].seconds += now() - t->stage_start;
        t->stages[t->stage_count - 1].memory = most_memory();
    }
    t->running = false;
}

void term_begin(term *t, const char *stage) {
    if (t->running && strcmp(t->stages[t->stage_count - 1].name, stage) == 0)
        return;
    term_end(t);
    if (t->stage_count == TERM_STAGES)
        return;
    t->stages[t->stage_count].name = stage;
    t->stages[t->stage_count++].seconds = 0;
    t->stage_start = now();
    t->running = true;
    if (drawn)
        draw(t, stage, 0, 0);
}

int term_progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    term *t = context;
    term_begin(t, stage);
    if (t->live) {
        double time = now();
        if (time - t->last_draw >= 0.1) {
            t->last_draw = time;
            draw(t, stage, (double)done, (double)total);
        }
    }
    return stop_asked();
}

static int exit_status(hcbr_status status) {
    switch (status) {
    case HCBR_OK:
        return EXIT_DONE;
    case HCBR_EUSAGE:
        return EXIT_USAGE;
    case HCBR_EDATA:
        return EXIT_DATA;
    case HCBR_EFORMAT:
        return EXIT_MODEL;
    case HCBR_EIO:
        return EXIT_IO;
    case HCBR_ENOMEM:
        return EXIT_MEMORY;
    case HCBR_ECANCELLED:
        return stop_code();
    }
    return EXIT_IO;
}

int term_fail(term *t, const hcbr_error *err) {
    term_erase();
    if (err->status == HCBR_ECANCELLED)
        say(t->command, "", "stopped by %s", stop_name());
    else
        say_where(t, "", err);
    if (err->status == HCBR_EUSAGE)
        fprintf(stderr, "Try 'hcbr %s --help'.\n", t->command);
    return exit_status(err->status);
}

int term_written(term *t, const struct out *to, hcbr_status status, const hcbr_error *err) {
    return status == HCBR_OK || !out_good(to) ? EXIT_DONE : term_fail(t, err);
}

void term_warn(term *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(t->command, "warning: ", format, list);
    va_end(list);
}

void term_note(term *t, const char *format, ...) {
    va_list list;
    if (t->quiet)
        return;
    va_start(list, format);
    print_line(t->command, "note: ", format, list);
    va_end(list);
}

void term_skipped(term *t, uint64_t rows) {
    if (!t->rows_named)
        return; // one warning has counted them
    if (rows == 1)
        term_warn(t, "1 row could not be used and was skipped");
    else if (rows > 1)
        term_warn(t, "%llu rows could not be used and were skipped", (unsigned long long)rows);
}

void term_say(term *t, const char *format, ...) {
    char line[2048];
    va_list list;
    if (t->quiet)
        return;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    print_shown(line);
}

void term_finish(term *t) {
    term_end(t);
    term_erase();
    if (t->row_warnings > SHOWN_ROW_WARNINGS)
        term_warn(t, "%llu more warnings about rows are not shown",
                  (unsigned long long)t->row_warnings - SHOWN_ROW_WARNINGS);
    t->row_warnings = 0;
}
