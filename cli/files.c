/*
 * No run writes to a file that it reads, and none writes one file twice.
 *
 * This is checked here for all commands and all paths, before any of them is opened. The check uses
 * the table of options, so no option whose value is a file can be forgotten.
 */
#include "files.h"

#include "sqlite.h"
#include "term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The identity of a file for the system. One that does not exist has that of its folder, and its
 * name.
 */
typedef struct place {
    char says[32];    /* the option or operand */
    const char *path; /* as it was given */
    bool written, exists;
    dev_t device;
    ino_t inode;
    const char *base; /* of a file that does not exist */
} place;

typedef struct places {
    place *list;
    size_t count;
} places;

/* Devices and pipes store nothing: writing and reading do not conflict. */
static bool is_place(const struct stat *st) {
    return S_ISREG(st->st_mode) || S_ISBLK(st->st_mode);
}

static void add_found(places *p, const place *x, const struct stat *st) {
    if (!is_place(st))
        return;
    p->list[p->count] = *x;
    p->list[p->count].exists = true;
    p->list[p->count].device = st->st_dev;
    p->list[p->count++].inode = st->st_ino;
}

/* A file that will be made: the folder's identity and the name in it. */
static void add_new(places *p, const place *x) {
    const char *slash = strrchr(x->path, '/');
    char *folder = !slash             ? strdup(".")
                   : slash == x->path ? strdup("/")
                                      : strndup(x->path, (size_t)(slash - x->path));
    struct stat st;
    if (folder && stat(folder, &st) == 0) { // else it cannot be written, which is reported later
        p->list[p->count] = *x;
        p->list[p->count].device = st.st_dev;
        p->list[p->count].inode = st.st_ino;
        p->list[p->count++].base = slash ? slash + 1 : x->path;
    }
    free(folder);
}

static void add_path(places *p, const char *says, const char *path, bool written) {
    place x = {.path = path, .written = written};
    struct stat st;
    snprintf(x.says, sizeof x.says, "%s", says);
    if (strcmp(path, "-") == 0) {
        x.path = "standard input";
        if (!written && fstat(STDIN_FILENO, &st) == 0) // standard output: see add_output()
            add_found(p, &x, &st);
    } else if (stat(path, &st) == 0) {
        add_found(p, &x, &st);
    } else if (written) {
        add_new(p, &x);
    }
}

/* Files that are read, with those that SQLite keeps next to a database. */
static bool add_read(places *p, const char *says, const char *path) {
    static const char *const BESIDE[] = {"", "-wal", "-journal", "-shm"};
    char *file = sqlite_file(path);
    if (!file) {
        add_path(p, says, path, false);
        return true;
    }
    char *beside = malloc(strlen(file) + sizeof "-journal");
    for (size_t i = 0; beside && i < sizeof BESIDE / sizeof *BESIDE; i++) {
        size_t before = p->count;
        sprintf(beside, "%s%s", file, BESIDE[i]);
        add_path(p, says, beside, false);
        if (p->count > before)
            p->list[before].path = path; // as it was given; the other text ends here
    }
    bool done = beside != NULL;
    free(beside);
    free(file);
    return done;
}

/* FILE:KEY is cut at the last colon, as --join is. *cut: the text to be freed. */
static bool add_option(places *p, const opt_spec *spec, const char *value, char **cut) {
    char says[32];
    if (spec->name)
        snprintf(says, sizeof says, "--%s", spec->name);
    else
        snprintf(says, sizeof says, "-%c", spec->letter);
    if (opt_file_of(spec) == OPT_FILE_WRITTEN) {
        add_path(p, says, value, true);
        return true;
    }
    const char *colon = strchr(spec->argument, ':') ? strrchr(value, ':') : NULL;
    if (!colon)
        return add_read(p, says, value);
    *cut = strndup(value, (size_t)(colon - value));
    return *cut && add_read(p, says, *cut);
}

/* Whether the run prints to standard output. */
static bool prints(const args *given) {
    const char *to = args_get(given, "output");
    bool there = to && strcmp(to, "-") == 0;
    switch (given->command->prints) {
    case PRINTS_INSTEAD:
        return there || (!to && !args_has(given, "html"));
    case PRINTS_BESIDE:
        return there || args_has(given, "json") || args_has(given, "explain-input");
    case PRINTS_ALWAYS:
        break;
    }
    return true;
}

static void add_output(places *p, const args *given) {
    place x = {.says = "standard output", .path = "", .written = true};
    struct stat st;
    if (prints(given) && fstat(STDOUT_FILENO, &st) == 0)
        add_found(p, &x, &st);
}

static bool is_same(const place *a, const place *b) {
    if (a->exists != b->exists || a->device != b->device || a->inode != b->inode)
        return false;
    return a->exists || strcmp(a->base, b->base) == 0;
}

static int refuse(const args *given, const place *to, const place *other) {
    const char *blank = to->path[0] ? " " : "", *comma = other->path[0] ? " " : "";
    if (other->written)
        return say_usage(given->command->name,
                         "%s%s%s: %s%s%s writes to the same file; name another one", to->says,
                         blank, to->path, other->says, comma, other->path);
    return say_usage(given->command->name,
                     "%s%s%s: this file is read as %s%s%s and would be lost; name another one",
                     to->says, blank, to->path, other->says, comma, other->path);
}

static int compare(const args *given, const places *p) {
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; p->list[i].written && k < p->count; k++)
            if ((k < i || !p->list[k].written) && is_same(&p->list[i], &p->list[k]))
                return refuse(given, &p->list[i], &p->list[k]);
    return EXIT_DONE;
}

int files_check(const args *given, const files_made *made, size_t made_count) {
    enum { EACH = 4 }; // a database has files next to it
    size_t room = EACH * (given->operand_count + given->given_count) + made_count + 1;
    places p = {.list = calloc(room, sizeof *p.list)};
    char **cuts = calloc(given->given_count + 1, sizeof *cuts);
    bool done = p.list && cuts;
    for (size_t i = 0; done && i < given->operand_count; i++)
        done = add_read(&p, i == 0 ? given->command->operand : "DATA", given->operands[i]);
    for (size_t i = 0; done && i < given->given_count; i++) {
        const opt_spec *spec = given->given[i].spec;
        opt_file file = opt_file_of(spec);
        bool last = args_get(given, spec->id) == given->given[i].value; // only that one is written
        if (file == OPT_FILE_READ || (file == OPT_FILE_WRITTEN && last))
            done = add_option(&p, spec, given->given[i].value, &cuts[i]);
    }
    for (size_t i = 0; done && i < made_count; i++)
        add_path(&p, made[i].says, made[i].path, true);
    if (done)
        add_output(&p, given);
    int code = done ? compare(given, &p) : say_no_memory(given->command->name);
    for (size_t i = 0; cuts && i < given->given_count; i++)
        free(cuts[i]);
    free(cuts);
    free(p.list);
    return code;
}
