// Help for the tests of the reader: give it bytes, as a file or in packets through standard
// input, and write down everything that comes out as one text that can be compared.
#ifndef HCBR_TEST_READ_SUPPORT_H
#define HCBR_TEST_READ_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/read.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/** A text that grows. */
typedef struct text {
    char *at;
    size_t length, capacity;
} text;

static inline void text_add(text *t, const char *bytes, size_t length) {
    if (t->length + length + 1 > t->capacity) {
        t->capacity = (t->length + length + 1) * 2;
        t->at = realloc(t->at, t->capacity);
        assert_non_null(t->at);
    }
    if (length > 0)
        memcpy(t->at + t->length, bytes, length);
    t->length += length;
    t->at[t->length] = '\0';
}

static inline void text_print(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void text_print(text *t, const char *format, ...) {
    char piece[2048];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    assert_true(length >= 0 && (size_t)length < sizeof piece);
    text_add(t, piece, (size_t)length);
}

static inline void text_free(text *t) {
    free(t->at);
    *t = (text){NULL, 0, 0};
}

/** A random number generator whose whole state is its seed. */
static inline uint64_t draw(uint64_t *seed, uint64_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) % below;
}

/** What a test asks of the reader. */
typedef struct job {
    const char *ending; /**< of the file's name, with its dot; "" for none */
    bool labelled;
    bool numeric;   /**< take numeric and coded blocks */
    bool brief;     /**< leave the words of a failure out, not its place */
    size_t packets; /**< 0: from a file; else at most this many bytes in one read */
    hcbr_read_options options;
} job;

static inline job job_make(const char *ending, bool labelled) {
    job j = {.ending = ending, .labelled = labelled};

    hcbr_read_options_init(&j.options);
    j.options.strict = 1; // what is guessed has tests of its own
    return j;
}

typedef struct sender {
    const char *bytes;
    size_t size, largest;
    int socket;
} sender;

static inline void *sender_run(void *context) {
    sender *p = context;

    for (size_t sent = 0; sent < p->size;) {
        size_t n = p->size - sent < p->largest ? p->size - sent : p->largest;

        if (send(p->socket, p->bytes + sent, n, MSG_NOSIGNAL) < 0)
            break;
        sent += n;
    }
    close(p->socket);
    return NULL;
}

static inline void text_name(text *out, const hcbr_i_block *b, hcbr_i_name name) {
    char bytes[HCBR_I_NAME_TEXT];
    const char *key = bytes, *value;
    size_t key_length, value_length;
    bool bare;

    if (hcbr_i_name_is_long(name)) {
        const hcbr_i_long_name *l = &b->longs[name.lo];

        assert_true(name.lo < b->long_count);
        key = l->key;
        key_length = l->key_length;
        value = l->value;
        value_length = l->value_length;
        bare = value == NULL;
        assert_true(key_length + value_length > HCBR_I_SHORT);
    } else {
        hcbr_i_name again;

        hcbr_i_name_unpack(name, bytes, &key_length, &bare, &value_length);
        value = bytes + key_length;
        again = hcbr_i_name_pack(key, key_length, bare ? NULL : value, value_length);
        assert_true(again.lo == name.lo && again.hi == name.hi);
    }
    text_add(out, " ", 1);
    text_add(out, key, key_length);
    if (!bare) {
        text_add(out, "=", 1);
        text_add(out, value, value_length);
    }
}

/** One line a case: row, line, label, [id], features; "-" for a label that is absent. */
static inline void text_block(text *out, const hcbr_i_block *b) {
    size_t names = 0;

    for (size_t i = 0; i < b->case_count; i++) {
        const hcbr_i_raw_case *c = &b->cases[i];

        text_print(out, "%llu@%llu ", (unsigned long long)c->row, (unsigned long long)c->line);
        text_add(out, c->label.at != NULL ? c->label.at : "-",
                 c->label.at != NULL ? c->label.length : 1);
        if (c->id.at != NULL) {
            text_add(out, " [", 2);
            text_add(out, c->id.at, c->id.length);
            text_add(out, "]", 1);
        }
        assert_int_equal(c->first, names);
        for (size_t k = c->first; k < c->first + c->count; k++)
            if (!b->coded)
                text_name(out, b, b->names[k]);
            else if (b->numbers[k] < HCBR_I_OTHER)
                text_name(out, &b->values->names, b->values->names.names[b->numbers[k]]);
            else
                text_name(out, b, b->names[b->numbers[k] - HCBR_I_OTHER]);
        names += c->count;
        text_add(out, "\n", 1);
    }
    assert_int_equal(names, b->name_count);
}

/** Notices as lines: "warning 3:4 words" or "note words". */
static inline void text_notice(void *context, hcbr_notice kind, const hcbr_error *where) {
    if (kind == HCBR_WARNING)
        text_print(context, "warning %llu:%llu %s\n", (unsigned long long)where->line,
                   (unsigned long long)where->column, where->message);
    else
        text_print(context, "note %s\n", where->message);
}

static inline void text_failure(text *out, hcbr_status st, const hcbr_error *err, bool brief) {
    assert_int_equal(st, err->status);
    assert_true(err->message[0] != '\0' && strchr(err->message, '\n') == NULL);
    text_print(out, "%s", hcbr_status_name(st) + 5);
    if (err->line != 0)
        text_print(out, " %llu:%llu", (unsigned long long)err->line,
                   (unsigned long long)err->column);
    if (!brief)
        text_print(out, " %s", err->message);
    text_add(out, "\n", 1);
}

/** Read everything from paths into out: cases, notices, failure. Returns the status. */
static inline hcbr_status read_paths(text *out, const char *const *paths, size_t count,
                                     const job *j) {
    hcbr_read_options options = j->options;
    text notices = {NULL, 0, 0};
    hcbr_i_reader *reader;
    hcbr_error err;
    hcbr_status st;

    if (options.notify == NULL) {
        options.notify = text_notice;
        options.notify_context = &notices;
    }
    text_add(out, "", 0);
    st = hcbr_i_reader_create(&reader, paths, count, &options, j->labelled, &err);
    if (st == HCBR_OK)
        hcbr_i_reader_set_numeric(reader, j->numeric);
    if (st == HCBR_OK && j->numeric)
        hcbr_i_reader_set_coded(reader);
    while (st == HCBR_OK) {
        const hcbr_i_block *block;

        st = hcbr_i_reader_next(reader, &block, &err);
        if (st != HCBR_OK) {
            const hcbr_i_block *again;

            assert_null(block);
            assert_int_equal(hcbr_i_reader_next(reader, &again, NULL), st); // a failure stays
        } else if (block == NULL) {
            break;
        } else {
            assert_true(block->case_count > 0);
            assert_true(j->numeric || !block->coded);
            if (block->numeric) {
                hcbr_i_block names = *block;

                assert_true(j->numeric);
                names.names = NULL;
                names.name_capacity = 0;
                assert_true(hcbr_i_block_spell(&names, block));
                text_block(out, &names);
                hcbr_i_free(names.names);
            } else {
                text_block(out, block);
            }
        }
    }
    text_add(out, notices.at, notices.length);
    text_free(&notices);
    if (st != HCBR_OK)
        text_failure(out, st, &err, j->brief);
    hcbr_i_reader_free(reader);
    return st;
}

static inline void write_file(char path[64], const char *ending, const char *bytes, size_t size) {
    static unsigned number;
    FILE *f;

    snprintf(path, 64, "/tmp/hcbr-read-%ld-%u%s", (long)getpid(), number++, ending);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/** The bytes through standard input, a packet per read. */
static inline hcbr_status read_packets(text *out, const char *bytes, size_t size, const job *j) {
    sender p = {bytes, size, j->packets, -1};
    const char *path = "-";
    int ends[2], saved = dup(STDIN_FILENO);
    pthread_t thread;
    hcbr_status st;

    assert_true(saved >= 0);
    // A packet that meets a smaller read loses its rest: only where the buffer cannot be full.
    assert_int_equal(socketpair(AF_UNIX, size < 200000 ? SOCK_SEQPACKET : SOCK_STREAM, 0, ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    p.socket = ends[1];
    assert_int_equal(pthread_create(&thread, NULL, sender_run, &p), 0);
    st = read_paths(out, &path, 1, j);
    dup2(saved, STDIN_FILENO); // the sender sees a closed socket if it is not done
    close(saved);
    pthread_join(thread, NULL);
    return st;
}

/** The bytes as a file or in packets; out is appended to. */
static inline hcbr_status read_bytes(text *out, const char *bytes, size_t size, const job *j) {
    char path[64];
    const char *paths[1] = {path};
    hcbr_status st;

    if (j->packets > 0)
        return read_packets(out, bytes, size, j);
    write_file(path, j->ending, bytes, size);
    st = read_paths(out, paths, 1, j);
    unlink(path);
    return st;
}

/** Read the text and compare all that comes out, whether names, numbers or codes are asked for. */
static inline void expect(const job *j, const char *bytes, const char *wanted) {
    for (int numeric = 0; numeric < 2; numeric++) {
        text out = {NULL, 0, 0};
        job as = *j;

        as.numeric = numeric != 0;
        read_bytes(&out, bytes, strlen(bytes), &as);
        assert_string_equal(out.at, wanted);
        text_free(&out);
    }
}

/** The same for bytes that may hold NUL. */
#define EXPECT_BYTES(j, literal, wanted)                                                           \
    do {                                                                                           \
        text out_ = {NULL, 0, 0};                                                                  \
        read_bytes(&out_, literal, sizeof(literal) - 1, j);                                        \
        assert_string_equal(out_.at, wanted);                                                      \
        text_free(&out_);                                                                          \
    } while (0)

#endif
