/*
 * Being stopped: by the user, a closed terminal, a scheduler or a limit.
 *
 * A signal sets a flag that the progress callbacks turn into cancellation. A program that waits for
 * a pipe gets no callback, so a moment later an alarm ends it, unless it is writing its result.
 * Until a result is written there is nothing to undo except its temporary files. The exit status is
 * 128 plus the number of the signal, as in a shell.
 *
 * Writing to a closed pipe and beyond the limit of a file's size are errors of writing, with a
 * message: their signals are ignored.
 */
#include "opt.h"
#include "term.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const struct {
    int signal;
    const char *name;
} ENDING[] = {{SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"},
              {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"}, {SIGUSR1, "SIGUSR1"},
              {SIGUSR2, "SIGUSR2"}};
enum { ENDINGS = sizeof ENDING / sizeof ENDING[0], LEFTOVERS = 4 };

static volatile sig_atomic_t asked, held, drawn;
static const char *volatile leftover[LEFTOVERS];

static void begin_alarm(void) {
    const struct itimerval moment = {{0, 0}, {0, 200000}};
    setitimer(ITIMER_REAL, &moment, NULL);
}

static void on_stop(int signal) {
    if (asked)
        return; // the alarm goes on
    asked = signal;
    begin_alarm();
}

/* Text to standard error when stdio may be in use. */
static void put(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; // a terminal that is gone
}

static void on_alarm(int signal) {
    (void)signal;
    if (held) {
        begin_alarm();
        return;
    }
    for (int i = 0; i < LEFTOVERS; i++) {
        const char *path = leftover[i];
        if (path)
            unlink(path);
    }
    if (drawn)
        put("\r\033[K");
    put("hcbr: stopped by ");
    put(stop_name());
    put("\n");
    _exit(stop_code());
}

void stop_watch(void) {
    struct sigaction act = {.sa_flags = SA_RESTART}, before;
    sigemptyset(&act.sa_mask);
    act.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &act, NULL);
    sigaction(SIGXFSZ, &act, NULL);
    act.sa_handler = on_alarm;
    sigaction(SIGALRM, &act, NULL);
    act.sa_handler = on_stop;
    for (int i = 0; i < ENDINGS; i++)
        if (sigaction(ENDING[i].signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ENDING[i].signal, &act, NULL); // nohup and the like stay in force
}

const char *stop_name(void) {
    for (int i = 0; i < ENDINGS; i++)
        if (ENDING[i].signal == asked)
            return ENDING[i].name;
    return "the caller";
}

int stop_code(void) {
    return 128 + (asked ? (int)asked : SIGINT);
}

bool stop_asked(void) {
    return asked != 0;
}

void stop_remove(const char *path) {
    int i = 0;
    while (i < LEFTOVERS - 1 && leftover[i])
        i++;
    leftover[i] = path;
}

void stop_forget(const char *path) {
    for (int i = 0; i < LEFTOVERS; i++)
        if (leftover[i] == path)
            leftover[i] = NULL;
}

void stop_drawn(bool is) {
    drawn = is;
}

void stop_hold(bool hold) {
    held = hold;
}
