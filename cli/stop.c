/*
 * Being stopped by the user.
 *
 * A signal sets a flag that the progress callbacks turn into cancellation. A program that waits
 * for a pipe sees no callback, so a moment later an alarm ends it, unless it is writing its result.
 * Until a result is written there is nothing to undo but its temporary files.
 */
#include "opt.h"
#include "term.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t asked, held, drawn;
enum { LEFTOVERS = 4 };
static const char *volatile leftover[LEFTOVERS];

static void begin_alarm(void) {
    const struct itimerval moment = {{0, 0}, {0, 200000}};
    setitimer(ITIMER_REAL, &moment, NULL);
}

static void on_stop(int signal) {
    (void)signal;
    asked = 1;
    begin_alarm();
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
    if (drawn && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        _exit(EXIT_CANCELLED);
    _exit(EXIT_CANCELLED);
}

void stop_watch(void) {
    struct sigaction act = {.sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    act.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &act, NULL);
    act.sa_handler = on_stop;
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    act.sa_handler = on_alarm;
    sigaction(SIGALRM, &act, NULL);
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
