/*
 * Buffered results with every write checked.
 *
 * A file appears under its name only when all its bytes are on disk: they are written under a
 * temporary name in the same folder, synced and renamed. Devices and pipes cannot be replaced by a
 * rename and are written directly. If the reader of a pipe closes it, that is not an error.
 */
#include "out.h"

#include "opt.h"
#include "term.h"

#include <hcbr/number.h>
#include <hcbr/text.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Something that exists and is not a regular file: a rename cannot replace it. */
bool out_is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The folder of a path, to be freed; NULL: out of memory. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

int out_check(const char *path) {
    struct stat st;
    if (out_is_special(path))
        return access(path, W_OK) == 0 ? 0 : errno;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return EISDIR;
    if (path[0] == '\0')
        return ENOENT;
    char *folder = folder_of(path);
    if (!folder)
        return ENOMEM;
    int error = stat(folder, &st) != 0             ? errno
                : !S_ISDIR(st.st_mode)             ? ENOTDIR
                : access(folder, W_OK | X_OK) != 0 ? errno
                                                   : 0;
    free(folder);
    return error;
}

/* A new file in the folder of o->path, with the rights of the final one. */
static int open_temporary(out *o) {
    struct stat st;
    size_t room = strlen(o->path) + sizeof ".XXXXXX";
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(o->path, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
    if (!(o->temporary = malloc(room)))
        return ENOMEM;
    snprintf(o->temporary, room, "%s.XXXXXX", o->path);
    stop_hold(true); // until the file is registered for removal
    if ((o->fd = mkstemp(o->temporary)) >= 0)
        stop_remove(o->temporary);
    int error = o->fd < 0 ? errno : 0;
    stop_hold(false);
    if (error)
        return error;
    return fchmod(o->fd, mode) == 0 ? 0 : errno;
}

static int open_path(out *o, const char *path) {
    int error = 0;
    if (!(o->own_name = strdup(path)))
        return ENOMEM;
    o->name = o->own_name;
    if (out_is_special(path)) {
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
        return o->fd < 0 ? errno : 0;
    }
    if ((error = out_check(path)))
        return error;
    o->path = realpath(path, NULL); // a link stays, and its target is replaced
    if (!o->path && !(o->path = strdup(path)))
        return ENOMEM;
    return open_temporary(o);
}

/* Whether standard output is a terminal with colours, which the user has not disabled. */
static bool may_style(void) {
    const char *none = getenv("NO_COLOR");
    return !(none && none[0]) && term_knows(STDOUT_FILENO);
}

int out_open(out *o, const char *path) {
    o->fd = STDOUT_FILENO;
    o->name = "standard output";
    o->own_name = o->path = o->temporary = NULL;
    o->writer = NULL;
    o->used = 0;
    o->error = 0;
    o->closed = o->placed = o->in_memory = false;
    o->memory = NULL;
    o->memory_size = o->memory_room = 0;
    o->styled = (!path || strcmp(path, "-") == 0) && may_style();
    if (!path || strcmp(path, "-") == 0)
        return 0;
    int error = open_path(o, path);
    if (error)
        out_discard(o);
    return error;
}

void out_open_memory(out *o) {
    (void)out_open(o, NULL);
    o->name = "memory";
    o->in_memory = true;
    o->styled = false;
}

/* Move the buffer to the memory of out_open_memory(). */
static void keep(out *o) {
    if (o->memory_room - o->memory_size < o->used) {
        size_t room = 2 * o->memory_room + o->used;
        char *grown = realloc(o->memory, room);
        if (!grown) {
            o->error = ENOMEM;
            o->used = 0;
            return;
        }
        o->memory = grown;
        o->memory_room = room;
    }
    memcpy(o->memory + o->memory_size, o->buffer, o->used);
    o->memory_size += o->used;
    o->used = 0;
}

void out_flush(out *o) {
    if (o->in_memory) {
        if (o->used > 0 && !o->error)
            keep(o);
        return;
    }
    const char *at = o->buffer, *end = at + o->used;
    if (at < end && isatty(o->fd))
        term_erase();
    while (at < end && out_good(o)) {
        ssize_t n = write(o->fd, at, (size_t)(end - at));
        if (n > 0)
            at += n;
        else if (n < 0 && errno == EPIPE)
            o->closed = true;
        else if (n < 0 && errno != EINTR)
            o->error = errno;
    }
    o->used = 0;
}

void out_long(out *o, const char *bytes, size_t count) {
    while (count > 0) {
        size_t n = OUT_ROOM - o->used;
        n = n < count ? n : count;
        memcpy(o->buffer + o->used, bytes, n);
        o->used += n;
        bytes += n;
        count -= n;
        if (o->used == OUT_ROOM)
            out_flush(o);
    }
}

/* All bytes on disk, under the temporary name if there is one. */
static void finish(out *o) {
    out_flush(o);
    if (o->temporary && !o->error && fsync(o->fd) != 0)
        o->error = errno;
    if (o->fd > STDOUT_FILENO && close(o->fd) != 0 && !o->error)
        o->error = errno;
    o->fd = STDOUT_FILENO;
}

/* Give the file its name. */
static void take_place(out *o) {
    if (!o->temporary || o->error)
        return;
    if (rename(o->temporary, o->path) != 0) {
        o->error = errno;
        return;
    }
    stop_forget(o->temporary);
    free(o->temporary);
    o->temporary = NULL;
    o->placed = true;
}

/* The first of the files that failed, or NULL. */
static const out *first_failed(out *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i]->error)
            return list[i];
    return NULL;
}

int out_close_all(out *const *list, size_t count, const char *command) {
    term_erase(); // the reader of a pipe may write to the terminal
    for (size_t i = 0; i < count; i++)
        finish(list[i]);
    stop_hold(true);
    for (size_t i = 0; i < count && !first_failed(list, count); i++)
        take_place(list[i]);
    const out *failed = first_failed(list, count);
    for (size_t i = 0; failed && i < count; i++)
        if (list[i]->placed)
            unlink(list[i]->path); // half of the files would be worse than none
    stop_hold(false);
    int code = failed ? say_unwritable(command, failed->name, failed->error) : EXIT_DONE;
    for (size_t i = 0; i < count; i++)
        out_discard(list[i]);
    return code;
}

int out_close(out *o, const char *command) {
    return out_close_all(&o, 1, command);
}

void out_discard(out *o) {
    if (o->fd > STDOUT_FILENO)
        close(o->fd);
    if (o->temporary && o->fd >= 0)
        unlink(o->temporary);
    stop_forget(o->temporary);
    free(o->temporary);
    free(o->path);
    free(o->own_name);
    free(o->memory);
    hcbr_writer_free(o->writer);
    o->fd = STDOUT_FILENO;
    o->name = "standard output";
    o->own_name = o->temporary = o->path = o->memory = NULL;
    o->writer = NULL;
}

size_t out_mark(out *o) {
    if (o->used > OUT_ROOM / 2) // room for wrapping
        out_flush(o);
    return o->used;
}

/* Bytes up to the next blank; *width receives how many characters they are. */
static size_t take_word(const char *text, size_t length, size_t *width) {
    size_t n = 0, within = 0;
    for (; n < length && text[n] != ' '; n++)
        within += ((unsigned char)text[n] & 0xC0) == 0x80;
    *width = n - within;
    return n;
}

static size_t count_blanks(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] == ' ')
        n++;
    return n;
}

/* One line without its end. */
static void wrap_line(out *o, const char *line, size_t length, size_t columns, size_t hang) {
    const size_t indent = count_blanks(line, length);
    size_t column = 0, width;
    for (size_t n = 0, word; n < length; n += word) {
        const size_t blanks = count_blanks(line + n, length - n);
        n += blanks;
        word = take_word(line + n, length - n, &width);
        size_t before = blanks;
        if (column > indent && column + blanks + width > columns) {
            out_byte(o, '\n');
            before = indent + hang;
            column = 0;
        }
        for (size_t i = 0; i < before; i++)
            out_byte(o, ' ');
        out_bytes(o, line + n, word);
        column += before + width;
    }
}

void out_wrap(out *o, size_t mark, size_t columns, size_t hang) {
    if (mark > o->used) // it is too long, and partly written
        return;
    const size_t length = o->used - mark;
    if (length <= columns) // nothing to break
        return;
    char *copy = malloc(length + 1);
    if (!copy)
        return;
    memcpy(copy, o->buffer + mark, length);
    o->used = mark;
    for (size_t n = 0, end; n < length; n = end + 1) {
        const char *stop = memchr(copy + n, '\n', length - n);
        end = stop ? (size_t)(stop - copy) : length;
        if (end - n > columns)
            wrap_line(o, copy + n, end - n, columns, hang);
        else
            out_bytes(o, copy + n, end - n);
        if (end < length)
            out_byte(o, '\n');
    }
    free(copy);
}

void out_style(out *o, size_t mark, out_look look) {
    static const char *const BEGIN[] = {"\033[1m", "\033[1;31m", "\033[1;32m"};
    const size_t length = strlen(BEGIN[look]);
    if (!o->styled || mark >= o->used || o->used + length > OUT_ROOM)
        return;
    const bool row = o->buffer[o->used - 1] == '\n';
    memmove(o->buffer + mark + length, o->buffer + mark, o->used - mark);
    memcpy(o->buffer + mark, BEGIN[look], length);
    o->used += length - row;
    out_string(o, row ? "\033[0m\n" : "\033[0m");
}

size_t out_columns(const out *o) {
    enum { USUAL = 80, LEAST = 40 };
    struct winsize size;
    if (o->in_memory || o->temporary || !isatty(o->fd) || ioctl(o->fd, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0)
        return USUAL;
    return size.ws_col < LEAST ? LEAST : size.ws_col;
}

/* An hcbr_write_fn. Writes begin and end at rows, as far as rows fit into the buffer. */
static int take(void *context, const char *bytes, size_t count) {
    out *o = context;
    out_bytes(o, bytes, count);
    if (o->used > OUT_ROOM - OUT_ROOM / 4)
        out_flush(o);
    return !out_good(o);
}

int out_writer(out *o, const char *command, hcbr_writer **writer) {
    if (!o->writer && hcbr_writer_create(&o->writer, take, o, NULL) != HCBR_OK)
        return say_no_memory(command);
    *writer = o->writer;
    return EXIT_DONE;
}

char *put_u64(char *text, uint64_t value) {
    char digits[OUT_SHORT];
    size_t at = 20;
    if (value < 10) { // most numbers of a row have one or two digits
        *text = (char)('0' + value);
        return text + 1;
    }
    if (value < 100) {
        text[0] = (char)('0' + value / 10);
        text[1] = (char)('0' + value % 10);
        return text + 2;
    }
    for (; value >= 100; value /= 100) { // two digits for one division
        unsigned pair = (unsigned)(value % 100);
        digits[--at] = (char)('0' + pair % 10);
        digits[--at] = (char)('0' + pair / 10);
    }
    if (value >= 10)
        digits[--at] = (char)('0' + value % 10), value /= 10;
    digits[--at] = (char)('0' + value);
    memcpy(text, digits + at, 20 - at);
    return text + (20 - at);
}

void out_u64(out *o, uint64_t value) {
    char text[OUT_SHORT];
    out_short(o, text, (size_t)(put_u64(text, value) - text));
}

void out_rounded(out *o, double value) {
    char text[HCBR_NUMBER_SIZE];
    _Static_assert(sizeof text == OUT_SHORT, "a number is a short text");
    out_short(o, text, hcbr_number_round(text, value, 6));
}

void out_said(out *o, const char *text) {
    char spelled[4096];
    opt_spell(spelled, sizeof spelled, text);
    out_string(o, spelled);
}

size_t out_plain(const char *text, size_t length) {
    size_t n = hcbr_text_plain(text, length);
    const char *slash = memchr(text, '\\', n);
    return slash ? (size_t)(slash - text) : n;
}

void out_text(out *o, const char *text, size_t length) {
    char escape[4];
    for (;;) {
        size_t n = out_plain(text, length);
        out_bytes(o, text, n);
        if (n == length)
            return;
        out_bytes(o, escape, hcbr_text_escape(escape, text[n]));
        text += n + 1;
        length -= n + 1;
    }
}
