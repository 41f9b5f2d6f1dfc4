/**
 * @file term.h
 * Messages on standard error: errors, warnings, notes, progress; and being stopped.
 */
#ifndef HCBR_CLI_TERM_H
#define HCBR_CLI_TERM_H

#include <hcbr/hcbr.h>

#include <stdbool.h>

enum { TERM_STAGES = 12 };

struct out;

/** Messages and progress of a run. One per run; the library's callbacks get it as context. */
typedef struct term {
    const char *command;
    bool quiet, verbose;
    bool live;             /**< progress is drawn */
    double last_draw;      /**< when it was drawn */
    double total;          /**< of the stage shown; 0: unknown */
    bool no_lines;         /**< the data are not a file: lines and columns have no meaning */
    bool rows_named;       /**< a warning was about one row */
    uint64_t row_warnings; /**< warnings about rows so far; only the first ones are shown */
    struct {
        const char *name;
        double seconds;
        double memory;     /**< bytes: the most that was in use up to its end */
    } stages[TERM_STAGES]; /**< the last one may be running */
    size_t stage_count;
    bool running; /**< the last stage is */
    double stage_start;
} term;

/** Whether a file is a terminal on which text can be erased and coloured. */
bool term_knows(int file);
/** @param progress draw progress if standard error is a terminal. */
void term_init(term *t, const char *command, bool quiet, bool verbose, bool progress);

/** Begin a stage, ending the one before; nothing if it is running already. */
void term_begin(term *t, const char *stage);
/** End the running stage. */
void term_end(term *t);

/** An hcbr_notify_fn: notes unless quiet, warnings always. Context: a term. */
void term_notify(void *context, hcbr_notice kind, const hcbr_error *where);
/** An hcbr_progress_fn: draws progress and cancels when the user asked to stop. */
int term_progress(void *context, const char *stage, uint64_t done, uint64_t total);

/** Print a failure of the library. Returns the exit status for it. */
int term_fail(term *t, const hcbr_error *err);
/** The exit status for the status of a writer of `to`. Errors of the file itself are reported when
 *  it is closed. */
int term_written(term *t, const struct out *to, hcbr_status status, const hcbr_error *err);
/** Say a warning that has no place in the data; a note likewise, unless quiet. */
void term_warn(term *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void term_note(term *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Print how many rows were skipped, if any. */
void term_skipped(term *t, uint64_t rows);
/** Print a line of the summary, unless quiet. */
void term_say(term *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Remove the line of progress before anything else is written to the terminal. Returns whether
 *  there was one. */
bool term_erase(void);
/** Remove the line of progress and print how many warnings were not shown. */
void term_finish(term *t);

/** Print a mistake on the command line and where help is. Returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Print a note before any progress is drawn. */
void say_note(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Returns EXIT_MEMORY. */
int say_no_memory(const char *command);
/** Print that a file cannot be written. Returns EXIT_IO. */
int say_unwritable(const char *command, const char *path, int error);

/** Seconds since some moment in the past. */
double now(void);

/** Treat SIGINT, SIGTERM and the like as a request to stop, and let writing to a closed pipe or to
 *  a file at its size limit fail instead of ending the program. */
void stop_watch(void);
/** Whether the user asked to stop. */
bool stop_asked(void);
/** The signal that asked. */
const char *stop_name(void);
/** The exit status for it: 128 plus its number. */
int stop_code(void);
/** A file to remove when the program is stopped while it waits; a few at once. Borrowed. */
void stop_remove(const char *path);
/** No longer to be removed; NULL is fine. */
void stop_forget(const char *path);
/** Set whether a line of progress is on the terminal, to be removed likewise. */
void stop_drawn(bool is);
/** From now on (true) the program writes its result and must not be stopped half-way. */
void stop_hold(bool hold);

#endif
