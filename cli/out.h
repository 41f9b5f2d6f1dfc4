/**
 * @file out.h
 * Buffered results: to standard output, or to a file that is written completely or not at all.
 *
 * A failure is kept and later calls do nothing, so rows need no check; out_close() reports it.
 */
#ifndef HCBR_CLI_OUT_H
#define HCBR_CLI_OUT_H

#include <hcbr/render.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { OUT_ROOM = 1 << 16, OUT_SHORT = 32 };

typedef struct out {
    int fd;
    const char *name;       /**< for messages: own_name, or a literal */
    char *own_name;         /**< as out_open() was given it */
    char *path, *temporary; /**< NULL: written straight to fd */
    size_t used;
    int error;           /**< errno of the first failure, 0 for none */
    bool closed;         /**< the pipe has no reader any more: stop quietly */
    bool placed;         /**< the file has its name */
    hcbr_writer *writer; /**< of out_writer(); NULL: none yet */
    bool in_memory;      /**< of out_open_memory() */
    bool styled;         /**< out_style() works: a terminal, and nothing speaks against it */
    char *memory;        /**< the output so far, without the buffer */
    size_t memory_size, memory_room;
    char buffer[OUT_ROOM + OUT_SHORT]; /**< OUT_ROOM bytes are used; see out_short() */
} out;

/**
 * @param path NULL or "-": standard output. Something that exists and is not a regular file (a
 *             device, a pipe) is written directly.
 * @return 0 or errno.
 */
int out_open(out *o, const char *path);
/** Keep all that is written; out_discard() releases it. Running out of memory is its only error. */
void out_open_memory(out *o);
/** The number of bytes written to memory. */
static inline size_t out_position(const out *o) {
    return o->memory_size + o->used;
}
/** Whether the path is a device, a pipe or another special file. */
bool out_is_special(const char *path);
/** Write the buffer. */
void out_flush(out *o);
/** Whether more can be written. */
static inline bool out_good(const out *o) {
    return !o->error && !o->closed;
}
/**
 * Complete the file. After a failure no file remains.
 *
 * @return EXIT_DONE (also when the pipe is closed), or EXIT_IO with a message.
 */
int out_close(out *o, const char *command);
/** The same for several files that belong together: all of them appear, or none. */
int out_close_all(out *const *list, size_t count, const char *command);
/**
 * A writer of the library whose bytes go here, until out_discard() or out_close().
 *
 * @return EXIT_DONE, or EXIT_MEMORY after saying so.
 */
int out_writer(out *o, const char *command, hcbr_writer **writer);
/** Give up, so that no file remains. Also after out_close(). */
void out_discard(out *o);

/** Bytes that do not fit into the room left. */
void out_long(out *o, const char *bytes, size_t count);

static inline void out_bytes(out *o, const char *bytes, size_t count) {
    if (count <= OUT_ROOM - o->used) {
        memcpy(o->buffer + o->used, bytes, count);
        o->used += count;
    } else {
        out_long(o, bytes, count);
    }
}

/** The first `count` bytes of a short text: all of it is copied, which needs no loop or call. */
static inline void out_short(out *o, const char text[OUT_SHORT], size_t count) {
    if (count <= OUT_ROOM - o->used) {
        memcpy(o->buffer + o->used, text, OUT_SHORT);
        o->used += count;
    } else {
        out_long(o, text, count);
    }
}

static inline void out_byte(out *o, char byte) {
    if (o->used == OUT_ROOM)
        out_flush(o);
    o->buffer[o->used++] = byte;
}

static inline void out_string(out *o, const char *text) {
    out_bytes(o, text, strlen(text));
}

/** End of a row: writes begin and end at rows, as far as rows fit into the buffer. */
static inline void out_row(out *o) {
    out_byte(o, '\n');
    if (o->used > OUT_ROOM - OUT_ROOM / 4)
        out_flush(o);
}

/** Before sentences that out_wrap() breaks into lines. */
size_t out_mark(out *o);
/**
 * Break the lines since a mark that are wider than `columns` at their blanks, never inside a word.
 * Continuation lines are indented as their line is, and `hang` further.
 */
void out_wrap(out *o, size_t mark, size_t columns, size_t hang);
typedef enum out_look { OUT_BOLD, OUT_RED, OUT_GREEN } out_look; /**< the colours are bold, too */
/**
 * Set the look of the text since a mark, without the end of its last line, on a terminal that is
 * standard output, unless NO_COLOR is set or TERM is dumb. The text itself does not change.
 */
void out_style(out *o, size_t mark, out_look look);
/** The largest width of lines: that of the output terminal, else 80. */
size_t out_columns(const out *o);

/** Write a number's digits to a text of at least 20 bytes; returns their end. */
char *put_u64(char *text, uint64_t value);
void out_u64(out *o, uint64_t value);
/** A number for people, six significant digits. */
void out_rounded(out *o, double value);
/** A sentence of the library, its options spelled as on the command line. */
void out_said(out *o, const char *text);
/** The number of bytes before the first one that out_text() changes. */
size_t out_plain(const char *text, size_t length);
/** Text in one line and one tab-separated field: each byte of a character that hcbr_text_plain()
 *  does not let pass, and of a backslash, is written by hcbr_text_escape(). */
void out_text(out *o, const char *text, size_t length);

/**
 * Whether the result can be written. Checked before the work is done.
 *
 * @return 0 or errno.
 */
int out_check(const char *path);

#endif
