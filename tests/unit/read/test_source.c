// Sources of bytes: what was packed comes out again whatever the sizes of the reads, and nothing
// that is damaged, cut or grows without end passes for whole.
#include "pack_support.h"
#include "read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/** How a source is read. */
typedef struct manner {
    hcbr_read_options options;
    size_t room;    /**< bytes asked for at once */
    size_t packets; /**< 0: a file; else through standard input, in packets of this many bytes */
    uint64_t ahead; /**< expanded bytes before a thread takes over */
    bool once;      /**< do not ask again at the end */
} manner;

static manner manner_make(void) {
    manner m = {.room = 1000, .ahead = UINT64_MAX};

    hcbr_read_options_init(&m.options);
    m.options.strict = 1; // bytes as they are
    return m;
}

/** Everything a source gives, and then what it says of a failure. */
static hcbr_status drain(text *out, const char *path, const manner *m, hcbr_error *err) {
    hcbr_i_source *source;
    char *piece = malloc(m->room);
    size_t got = 1;
    hcbr_status st;

    assert_non_null(piece);
    hcbr_i_source_ahead = m->ahead;
    text_add(out, "", 0);
    st = hcbr_i_source_open(&source, path, &m->options, err);
    while (st == HCBR_OK && got > 0) {
        st = hcbr_i_source_read(source, piece, m->room, &got, err);
        assert_true(st == HCBR_OK || got == 0);
        text_add(out, piece, got);
    }
    if (st == HCBR_OK && !m->once) { // the end stays
        assert_int_equal(hcbr_i_source_read(source, piece, m->room, &got, err), HCBR_OK);
        assert_int_equal(got, 0);
        if (hcbr_i_source_size(source) > 0)
            assert_int_equal(hcbr_i_source_position(source), hcbr_i_source_size(source));
    } else if (st != HCBR_OK) {
        assert_int_equal(err->status, st);
        assert_true(err->message[0] != '\0' && strchr(err->message, '\n') == NULL);
    }
    hcbr_i_source_close(st == HCBR_OK || source != NULL ? source : NULL);
    free(piece);
    return st;
}

static hcbr_status drain_packets(text *out, const text *bytes, const manner *m, hcbr_error *err) {
    sender p = {bytes->at, bytes->length, m->packets, -1};
    int ends[2], saved = dup(STDIN_FILENO);
    pthread_t thread;
    hcbr_status st;

    assert_true(saved >= 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    p.socket = ends[1];
    assert_int_equal(pthread_create(&thread, NULL, sender_run, &p), 0);
    st = drain(out, "-", m, err);
    dup2(saved, STDIN_FILENO);
    close(saved);
    pthread_join(thread, NULL);
    return st;
}

static hcbr_status drain_bytes(text *out, const text *bytes, const manner *m, hcbr_error *err) {
    char path[64];
    hcbr_status st;

    if (m->packets > 0)
        return drain_packets(out, bytes, m, err);
    write_file(path, ".any", bytes->at, bytes->length);
    st = drain(out, path, m, err);
    unlink(path);
    return st;
}

static void expect_bytes(const text *packed, const text *wanted, const manner *m) {
    text out = {NULL, 0, 0};
    hcbr_error err = {.status = HCBR_OK};
    hcbr_status st = drain_bytes(&out, packed, m, &err);

    if (st != HCBR_OK)
        print_message("%s\n", err.message);
    assert_int_equal(st, HCBR_OK);
    assert_int_equal(out.length, wanted->length);
    assert_memory_equal(out.at, wanted->at, wanted->length);
    text_free(&out);
}

static void expect_failure(const text *packed, const char *words, const manner *m) {
    text out = {NULL, 0, 0};
    hcbr_error err = {.status = HCBR_OK};

    assert_int_equal(drain_bytes(&out, packed, m, &err), HCBR_EDATA);
    if (strstr(err.message, words) == NULL)
        print_message("%s\n", err.message);
    assert_non_null(strstr(err.message, words));
    assert_non_null(strstr(err.message, "of the compressed data"));
    text_free(&out);
}

/** Bytes that can be compressed and are not all alike. */
static void random_text(text *out, size_t size, uint64_t *seed) {
    text_add(out, "", 0);
    while (out->length < size) {
        char word[24];
        int n = snprintf(word, sizeof word, "%llu,", (unsigned long long)draw(seed, 1000));

        text_add(out, word, (size_t)n);
    }
    out->length = size;
    out->at[size] = '\0';
}

/* ---- packed data ----------------------------------------------------------------------------- */

static void source__gives_what_was_packed(void **state) {
    uint64_t seed = 20250;

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 200; i++) {
        text plain = {NULL, 0, 0}, packed = {NULL, 0, 0};
        manner m = manner_make();
        bool zstd = draw(&seed, 2);

        random_text(&plain, draw(&seed, draw(&seed, 4) == 0 ? 300000 : 300), &seed);
        pack_pieces(&packed, plain.at, plain.length, zstd, 1 + draw(&seed, 4), &seed);
        m.room = 1 + draw(&seed, draw(&seed, 2) ? 7 : 70000);
        m.packets = draw(&seed, 2) ? 0 : 1 + draw(&seed, draw(&seed, 2) ? 5 : 4000);
        m.ahead = draw(&seed, 2) ? 0 : draw(&seed, 5000);
        if (m.packets == 0 || m.packets > 100 || packed.length < 2000)
            expect_bytes(&packed, &plain, &m);
        text_free(&plain);
        text_free(&packed);
    }
}

static void source__gives_plain_bytes_as_they_are(void **state) {
    static const char *const starts[] = {
        "",  "\x1F",      "\x28\xB5", "\x28\xB5/\xFE",    "P*M", "P*M\x19x", "\x1Fx",
        "(", "\x28\xB5/", "_",        "a,b\nlabel,x,y\n", "P"};
    manner m = manner_make();

    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (m.packets = 0; m.packets < 3; m.packets++)
            for (m.room = 1; m.room < 6; m.room++) {
                text plain = {NULL, 0, 0};

                text_add(&plain, starts[i], strlen(starts[i]));
                expect_bytes(&plain, &plain, &m);
                text_free(&plain);
            }
}

static void source__skips_frames_without_data(void **state) {
    text plain = {NULL, 0, 0}, packed = {NULL, 0, 0};
    manner m = manner_make();

    (void)state;
    text_add(&plain, "abcabc", 6);
    text_add(&packed, "\x5F\x2A\x4D\x18\x03\0\0\0xyz", 11);
    pack_zstd(&packed, "abc", 3, 3, 0);
    text_add(&packed, "\x50\x2A\x4D\x18\x00\0\0\0", 8);
    pack_zstd(&packed, "abc", 3, 3, 0);
    for (m.packets = 0; m.packets < 5; m.packets++)
        expect_bytes(&packed, &plain, &m);
    text_free(&plain);
    text_free(&packed);
}

/* ---- damaged data ---------------------------------------------------------------------------- */

static void source__refuses_every_truncation(void **state) {
    text plain = {NULL, 0, 0};
    uint64_t seed = 7;
    manner m = manner_make();

    (void)state;
    random_text(&plain, 3000, &seed);
    for (int zstd = 0; zstd < 2; zstd++) {
        text packed = {NULL, 0, 0};
        size_t whole;

        if (zstd)
            pack_zstd(&packed, plain.at, plain.length, 3, 0);
        else
            pack_gzip(&packed, plain.at, plain.length, 6);
        whole = packed.length;
        for (packed.length = 4; packed.length < whole; packed.length++) {
            m.ahead = packed.length % 2 == 0 ? 0 : UINT64_MAX;
            expect_failure(&packed, "found the end of the file inside", &m);
        }
        expect_bytes(&packed, &plain, &m);
        // A second piece, cut: the first does not pass for all there is.
        if (zstd)
            pack_zstd(&packed, plain.at, plain.length, 3, 0);
        else
            pack_gzip(&packed, plain.at, plain.length, 6);
        for (packed.length = whole + 2; packed.length < 2 * whole; packed.length += 13)
            expect_failure(&packed, "found the end of the file inside", &m);
        text_free(&packed);
    }
    text_free(&plain);
}

/** Flip each bit: an error, or the very bytes that were packed. */
static void source__notices_every_flipped_bit(void **state) {
    text plain = {NULL, 0, 0};
    uint64_t seed = 8;
    manner m = manner_make();

    (void)state;
    random_text(&plain, 700, &seed);
    for (int zstd = 0; zstd < 2; zstd++) {
        text packed = {NULL, 0, 0};
        size_t failed = 0;

        if (zstd)
            pack_zstd(&packed, plain.at, plain.length, 3, 0);
        else
            pack_gzip(&packed, plain.at, plain.length, 6);
        for (size_t bit = 32; bit < 8 * packed.length; bit++) { // behind the magic bytes
            text out = {NULL, 0, 0};
            hcbr_error err;
            hcbr_status st;

            packed.at[bit / 8] ^= (char)(1 << bit % 8);
            st = drain_bytes(&out, &packed, &m, &err);
            failed += st != HCBR_OK;
            if (st == HCBR_OK) {
                assert_int_equal(out.length, plain.length);
                assert_memory_equal(out.at, plain.at, plain.length);
            } else {
                assert_int_equal(st, HCBR_EDATA);
                assert_non_null(strstr(err.message, "of the compressed data"));
            }
            packed.at[bit / 8] ^= (char)(1 << bit % 8);
            text_free(&out);
        }
        assert_true(failed > 7 * packed.length);
        text_free(&packed);
    }
    text_free(&plain);
}

static void source__refuses_what_follows_the_last_piece(void **state) {
    static const char *const tails[] = {"x", "label,a\n", "\x1F", "\x1Fx", "\x28\xB5\x2Fx"};
    manner m = manner_make();

    (void)state;
    for (int zstd = 0; zstd < 2; zstd++)
        for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
            text packed = {NULL, 0, 0};

            if (zstd)
                pack_zstd(&packed, "label,a\nx,1\n", 12, 3, 0);
            else
                pack_gzip(&packed, "label,a\nx,1\n", 12, 6);
            text_add(&packed, tails[i], strlen(tails[i]));
            expect_failure(&packed,
                           zstd ? "not zstd, expected another frame or the end"
                                : "not gzip, expected another member or the end",
                           &m);
            text_free(&packed);
        }
}

static void source__says_where_the_damage_is(void **state) {
    text packed = {NULL, 0, 0}, out = {NULL, 0, 0};
    manner m = manner_make();
    hcbr_error err;

    (void)state;
    pack_gzip(&packed, "label,a\nx,1\n", 12, 6);
    text_add(&packed, "garbage", 7);
    assert_int_equal(drain_bytes(&out, &packed, &m, &err), HCBR_EDATA);
    text_free(&out);
    text_print(&out, "at byte %zu of the compressed data: ", packed.length - 7);
    assert_memory_equal(err.message, out.at, out.length);
    assert_int_equal(err.line, 0);
    assert_non_null(strstr(err.file, ".any"));
    text_free(&packed);
    text_free(&out);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void source__stops_at_what_grows_too_much(void **state) {
    size_t size = ((size_t)64 << 20) + 100000;
    char *zeros = calloc(size, 1);
    text plain = {zeros, size, size};
    manner m = manner_make();

    (void)state;
    assert_non_null(zeros);
    for (int zstd = 0; zstd < 2; zstd++)
        for (m.ahead = 0; m.ahead < 2; m.ahead++) {
            text packed = {NULL, 0, 0};

            m.room = 1 << 20;
            if (zstd)
                pack_zstd(&packed, zeros, size, 1, 0);
            else
                pack_gzip(&packed, zeros, size, 9);
            m.options.max_expand = 200;
            expect_failure(&packed, "option max_expand", &m);
            m.options.max_expand = 1000000;
            if (m.ahead == 0)
                expect_bytes(&packed, &plain, &m);
            text_free(&packed);
            // 64 MiB are allowed whatever they come from.
            pack_gzip(&packed, zeros, (size_t)64 << 20, 9);
            m.options.max_expand = 1;
            plain.length = (size_t)64 << 20;
            if (m.ahead == 0)
                expect_bytes(&packed, &plain, &m);
            plain.length = size;
            text_free(&packed);
        }
    free(zeros);
}

static void source__limits_the_window(void **state) {
    text packed = {NULL, 0, 0}, plain = {NULL, 0, 0};
    manner m = manner_make();

    (void)state;
    text_add(&plain, "label,a\nx,1\n", 12);
    pack_zstd(&packed, plain.at, plain.length, 3, 28);
    expect_failure(&packed, "found a window of more than 134217728 bytes", &m);
    m.options.max_window = (uint32_t)1 << 28;
    expect_bytes(&packed, &plain, &m);
    m.options.max_window = ((uint32_t)1 << 28) - 1; // what is left of a power counts as one less
    expect_failure(&packed, "(option max_window raises the limit)", &m);
    text_free(&packed);
    m = manner_make();
    pack_zstd(&packed, plain.at, plain.length, 3, 27);
    expect_bytes(&packed, &plain, &m);
    text_free(&packed);
    text_free(&plain);
}

/* ---- failures -------------------------------------------------------------------------------- */

/** Memory and reads made to fail in turn: an error of that kind, or all the bytes after all. */
static void source__reports_every_failure(void **state) {
    text plain = {NULL, 0, 0};
    uint64_t seed = 9;
    manner m = manner_make();

    (void)state;
    random_text(&plain, 900000, &seed);
    m.room = 50000;
    m.once = true;
    for (int round = 0; round < 12; round++) {
        hcbr_i_fault_kind kind = round & 1 ? HCBR_I_FAULT_IO : HCBR_I_FAULT_ALLOC;
        bool on = round & 2;
        text packed = {NULL, 0, 0};
        uint64_t n, calls, failed = 0;

        m.ahead = round & 1 ? 0 : 100000;
        if (round < 4)
            pack_zstd(&packed, plain.at, plain.length, 3, 0);
        else if (round < 8)
            pack_gzip(&packed, plain.at, plain.length, 1);
        else
            text_add(&packed, plain.at, plain.length);
        for (n = 1;; n++) {
            text out = {NULL, 0, 0};
            hcbr_error err;
            hcbr_status st;

            hcbr_i_fault_arm(kind, n, on);
            st = drain_bytes(&out, &packed, &m, &err);
            calls = hcbr_i_fault_count(kind);
            hcbr_i_fault_arm(kind, 0, false);
            if (st == HCBR_OK) {
                assert_int_equal(out.length, plain.length);
                assert_memory_equal(out.at, plain.at, plain.length);
            } else {
                assert_int_equal(st, kind == HCBR_I_FAULT_IO ? HCBR_EIO : HCBR_ENOMEM);
                failed++;
            }
            text_free(&out);
            if (calls < n)
                break;
        }
        assert_true(failed >= (kind == HCBR_I_FAULT_IO ? 3 : round < 8 ? 3 : 1));
        text_free(&packed);
    }
    text_free(&plain);
}

static void source__stops_its_thread_when_closed(void **state) {
    text plain = {NULL, 0, 0}, packed = {NULL, 0, 0};
    uint64_t seed = 10;
    manner m = manner_make();
    hcbr_i_source *source;
    char path[64], piece[100];
    size_t got;

    (void)state;
    random_text(&plain, 3000000, &seed);
    pack_gzip(&packed, plain.at, plain.length, 1);
    write_file(path, ".gz", packed.at, packed.length);
    hcbr_i_source_ahead = 0;
    for (int reads = 0; reads < 20; reads++) {
        assert_int_equal(hcbr_i_source_open(&source, path, &m.options, NULL), HCBR_OK);
        for (int i = 0; i < reads; i++)
            assert_int_equal(hcbr_i_source_read(source, piece, sizeof piece, &got, NULL), HCBR_OK);
        hcbr_i_source_close(source);
    }
    unlink(path);
    text_free(&plain);
    text_free(&packed);
}

/* ---- special files --------------------------------------------------------------------------- */

static void source__refuses_a_folder(void **state) {
    manner m = manner_make();
    text out = {NULL, 0, 0};
    hcbr_error err;

    (void)state;
    char folder[] = "/tmp/hcbr-folder-XXXXXX"; // one without folders in it

    assert_non_null(mkdtemp(folder));
    assert_int_equal(drain(&out, folder, &m, &err), HCBR_EIO);
    assert_string_equal(err.message, "is a directory, expected a file");
    rmdir(folder);
    text_free(&out);
}

static void *write_fifo(void *context) {
    FILE *f = fopen(context, "wb");

    assert_non_null(f);
    fputs("label,a\n", f);
    fflush(f);
    fputs("x,1\n", f);
    fclose(f);
    return NULL;
}

static void source__reads_a_fifo_to_its_end(void **state) {
    manner m = manner_make();
    text out = {NULL, 0, 0};
    char path[64];
    pthread_t thread;
    hcbr_error err;

    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-fifo-%ld", (long)getpid());
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, write_fifo, path), 0);
    assert_int_equal(drain(&out, path, &m, &err), HCBR_OK);
    pthread_join(thread, NULL);
    assert_string_equal(out.at, "label,a\nx,1\n");
    unlink(path);
    text_free(&out);
}

static void source__notices_a_file_that_shrinks(void **state) {
    manner m = manner_make();
    hcbr_i_source *source;
    hcbr_error err;
    char path[64], piece[10];
    size_t got;

    (void)state;
    write_file(path, ".csv", "label,a\nx,1\nx,2\n", 16);
    assert_int_equal(hcbr_i_source_open(&source, path, &m.options, &err), HCBR_OK);
    assert_int_equal(hcbr_i_source_read(source, piece, sizeof piece, &got, &err), HCBR_OK);
    assert_int_equal(got, 10);
    assert_int_equal(truncate(path, 5), 0);
    assert_int_equal(hcbr_i_source_read(source, piece, sizeof piece, &got, &err), HCBR_EIO);
    assert_string_equal(err.message,
                        "became shorter while it was read: found 10 bytes, expected 16");
    hcbr_i_source_close(source);
    unlink(path);
}

/* ---- files opened by the caller -------------------------------------------------------------- */

/** Bytes of a caller, a few at a time. */
typedef struct given {
    const text *bytes;
    size_t at, fail_at;
    int opened, closed;
} given;

static hcbr_status given_read(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    given *g = context;
    size_t left = g->bytes->length - g->at, n = left < 7 ? left : 7;

    if (g->at >= g->fail_at) {
        *got = 99; // means nothing
        if (err != NULL && g->fail_at > 0)
            snprintf(err->message, sizeof err->message, "the line went dead");
        return HCBR_EIO;
    }
    if (n > room)
        n = room;
    memcpy(to, g->bytes->at + g->at, n);
    g->at += n;
    *got = n;
    return HCBR_OK;
}

static void given_close(void *context) {
    ((given *)context)->closed++;
}

static hcbr_status given_open(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    given *g = context;

    if (strcmp(path, "refuse") == 0) {
        snprintf(err->message, sizeof err->message, "no such table");
        err->status = HCBR_EDATA;
        return HCBR_EDATA;
    }
    if (strcmp(path, "mine") != 0)
        return HCBR_OK;
    g->opened++;
    g->at = 0;
    *input = (hcbr_input){given_read, given_close, g, HCBR_FORMAT_JSONL};
    return HCBR_OK;
}

static void source__reads_what_the_caller_opens(void **state) {
    text plain = {NULL, 0, 0}, packed = {NULL, 0, 0}, out = {NULL, 0, 0};
    uint64_t seed = 11;
    given g = {.bytes = &plain, .fail_at = SIZE_MAX};
    manner m = manner_make();
    hcbr_i_source *source;
    hcbr_error err = {.status = HCBR_OK};
    char path[64];

    (void)state;
    m.options.open = given_open;
    m.options.open_context = &g;
    m.ahead = 0; // and yet no thread calls what is the caller's
    random_text(&plain, 5000, &seed);
    pack_gzip(&packed, plain.at, plain.length, 6);
    assert_int_equal(drain(&out, "mine", &m, &err), HCBR_OK);
    assert_string_equal(out.at, plain.at);
    text_free(&out);
    g.bytes = &packed;
    assert_int_equal(drain(&out, "mine", &m, &err), HCBR_OK);
    assert_string_equal(out.at, plain.at);
    text_free(&out);
    assert_int_equal(hcbr_i_source_open(&source, "mine", &m.options, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_source_format(source), HCBR_FORMAT_JSONL);
    assert_false(hcbr_i_source_is_ours(source));
    hcbr_i_source_close(source);
    g.fail_at = 70;
    assert_int_equal(drain(&out, "mine", &m, &err), HCBR_EIO);
    assert_string_equal(err.message, "the line went dead");
    g.fail_at = 0;
    err.message[0] = '\0';
    assert_int_equal(drain(&out, "mine", &m, &err), HCBR_EIO);
    assert_string_equal(err.message, "cannot read");
    assert_int_equal(g.opened, 5);
    assert_int_equal(g.closed, 5);
    assert_int_equal(drain(&out, "refuse", &m, &err), HCBR_EDATA);
    assert_string_equal(err.message, "no such table");
    assert_int_equal(g.closed, 5);
    text_free(&out);
    write_file(path, ".gz", packed.at, packed.length); // not the caller's: an ordinary file
    assert_int_equal(drain(&out, path, &m, &err), HCBR_OK);
    assert_string_equal(out.at, plain.at);
    unlink(path);
    text_free(&out);
    text_free(&plain);
    text_free(&packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source__gives_what_was_packed),
        cmocka_unit_test(source__gives_plain_bytes_as_they_are),
        cmocka_unit_test(source__skips_frames_without_data),
        cmocka_unit_test(source__refuses_every_truncation),
        cmocka_unit_test(source__notices_every_flipped_bit),
        cmocka_unit_test(source__refuses_what_follows_the_last_piece),
        cmocka_unit_test(source__says_where_the_damage_is),
        cmocka_unit_test(source__stops_at_what_grows_too_much),
        cmocka_unit_test(source__limits_the_window),
        cmocka_unit_test(source__reports_every_failure),
        cmocka_unit_test(source__stops_its_thread_when_closed),
        cmocka_unit_test(source__refuses_a_folder),
        cmocka_unit_test(source__reads_a_fifo_to_its_end),
        cmocka_unit_test(source__notices_a_file_that_shrinks),
        cmocka_unit_test(source__reads_what_the_caller_opens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
