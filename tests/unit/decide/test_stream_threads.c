// Files decided by several threads: whatever their number and the sizes of chunks and buffers, the
// same decisions, warnings and failures come out, in the same order, as with one thread.
#include "../read/pack_support.h"
#include "../read/random_files.h"
#include "decide/decide.h"

#include <hcbr/hcbr.h>

/* How files are decided. */
typedef struct manner {
    hcbr_read_options options;
    uint32_t threads;
    size_t chunk, buffer;
} manner;

static void write_text(text *out, const char *bytes, size_t length) {
    text_add(out, bytes ? "[" : "-", 1);
    text_add(out, bytes, bytes ? length : 0);
}

/* All that a decision says. */
static void write_decision(text *out, const hcbr_decision *d) {
    text_print(out, "row %llu label %d winner %d by %d of %zu labels, %llu of %llu known, lead %a",
               (unsigned long long)d->row, (int)d->label, (int)d->winner, (int)d->reason,
               d->label_count, (unsigned long long)d->known_count,
               (unsigned long long)d->feature_count, d->lead);
    for (size_t l = 0; l < d->label_count; l++)
        text_print(out, " %a/%a", d->support[l], d->probability ? d->probability[l] : -1.0);
    write_text(out, d->id, d->id_length);
    write_text(out, d->given, d->given_length);
    for (size_t n = 0; n < d->unseen_count; n++) {
        write_text(out, d->unseen[n].key, d->unseen[n].key_length);
        write_text(out, d->unseen[n].value, d->unseen[n].value_length);
    }
    text_add(out, "\n", 1);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of the notices, sorted: what is said of columns comes when the first block is read,
 * which may be before or after what is said of its rows. */
static void write_notices(text *out, text *notices) {
    char *lines[512];
    size_t count = 0;
    for (char *line = notices->at ? strtok(notices->at, "\n") : NULL; line;
         line = strtok(NULL, "\n")) {
        assert_true(count < sizeof lines / sizeof *lines);
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t i = 0; i < count; i++)
        text_print(out, "%s\n", lines[i]);
}

static hcbr_status decide(text *out, const hcbr_model *model, const char *const *paths,
                          size_t count, const manner *m) {
    hcbr_read_options options = m->options;
    text notices = {NULL, 0, 0};
    hcbr_decider *decider = NULL;
    hcbr_stream *stream = NULL;
    hcbr_error err = {.status = HCBR_OK};
    hcbr_rule rule;
    int more = 1;

    options.threads = m->threads;
    options.notify = text_notice;
    options.notify_context = &notices;
    hcbr_i_reader_chunk = m->chunk;
    hcbr_i_reader_buffer = m->buffer;
    hcbr_rule_init(&rule);
    rule.fallback = "unknown";
    text_add(out, "", 0);
    hcbr_status st = hcbr_decider_create(&decider, model, &rule, &err);
    if (st == HCBR_OK)
        st = hcbr_stream_create(&stream, decider, paths, count, &options, &err);
    while (st == HCBR_OK && more) {
        hcbr_decision d = {.size = sizeof d};
        st = hcbr_stream_next(stream, &d, &more, &err);
        if (st == HCBR_OK && more)
            write_decision(out, &d);
    }
    if (st == HCBR_OK)
        text_print(out, "%llu skipped\n", (unsigned long long)hcbr_stream_skipped_count(stream));
    write_notices(out, &notices);
    if (st != HCBR_OK)
        text_failure(out, st, &err, false);
    text_free(&notices);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    return st;
}

/* A model of a random file of the format. */
static hcbr_model *train(size_t format, bool rich, uint64_t *seed) {
    text bytes = {NULL, 0, 0};
    char path[64];
    const char *paths[] = {path};
    hcbr_read_options read;
    hcbr_train_options o;
    hcbr_cases *cases;
    hcbr_model *model;

    random_formats[format].make(&bytes, 60, seed);
    write_file(path, format == 3 ? ".csv" : random_formats[format].ending, bytes.at, bytes.length);
    hcbr_read_options_init(&read);
    read.strict = 1; // what is guessed has tests of its own
    read.bad_rows = HCBR_BAD_ROWS_SKIP;
    hcbr_i_reader_chunk = 1 << 19;
    hcbr_i_reader_buffer = 1 << 18;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, paths, 1, &read, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    o.effort = HCBR_EFFORT_LITE;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    unlink(path);
    text_free(&bytes);
    return model;
}

static void check_random(size_t format, bool rich, uint64_t *seed) {
    char path[2][64];
    const char *paths[] = {path[0], path[1]};
    size_t count = 1 + draw(seed, 2), rows = 1 + draw(seed, 60);
    text wanted = {NULL, 0, 0};
    manner m = {.threads = 1, .chunk = 1 << 19, .buffer = 1 << 18};
    hcbr_model *model = train(format, rich, seed);

    hcbr_read_options_init(&m.options);
    m.options.strict = 1; // what is guessed has tests of its own
    m.options.bad_rows = draw(seed, 4) > 0 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    m.options.id = random_formats[format].id && draw(seed, 2) ? "who" : NULL;
    for (size_t i = 0; i < count; i++) {
        text plain = {NULL, 0, 0}, packed = {NULL, 0, 0};

        random_formats[format].make(&plain, rows, seed);
        if (strstr(random_formats[format].ending, ".gz") != NULL)
            pack_gzip(&packed, plain.at, plain.length, 1);
        else
            text_add(&packed, plain.at, plain.length);
        write_file(path[i], random_formats[format].ending, packed.at, packed.length);
        text_free(&plain);
        text_free(&packed);
    }
    decide(&wanted, model, paths, count, &m);
    for (int i = 0; i < 6; i++) {
        static const uint32_t threads[] = {2, 3, 8};
        text found = {NULL, 0, 0};

        m.threads = threads[draw(seed, 3)];
        m.chunk = 1 + draw(seed, draw(seed, 2) ? 100 : 1000);
        m.buffer = 3 + draw(seed, 60);
        decide(&found, model, paths, count, &m);
        assert_string_equal(found.at, wanted.at);
        text_free(&found);
    }
    for (size_t i = 0; i < count; i++)
        unlink(path[i]);
    hcbr_model_free(model);
    text_free(&wanted);
}

static void stream__decides_as_one_thread_does(void **state) {
    uint64_t seed = random_seed(20261117);

    (void)state;
    for (int i = 0; i < 160; i++)
        check_random((size_t)i % 4, i % 3 == 0, &seed);
}

/* Memory and reads fail in turn, in whatever thread: an error of that kind, or the same decisions.
 */
static void stream__reports_every_failure(void **state) {
    uint64_t seed = random_seed(12);

    (void)state;
    for (size_t format = 0; format < 3; format++) {
        char path[64];
        const char *paths[] = {path};
        text bytes = {NULL, 0, 0}, good = {NULL, 0, 0};
        manner m = {.threads = 3, .chunk = 300, .buffer = 64};
        hcbr_model *model = train(format, false, &seed);

        hcbr_read_options_init(&m.options);
        m.options.strict = 1; // what is guessed has tests of its own
        m.options.bad_rows = HCBR_BAD_ROWS_SKIP;
        random_formats[format].make(&bytes, 80, &seed);
        write_file(path, random_formats[format].ending, bytes.at, bytes.length);
        assert_int_equal(decide(&good, model, paths, 1, &m), HCBR_OK);
        for (int round = 0; round < 2; round++) {
            hcbr_i_fault_kind kind = round ? HCBR_I_FAULT_IO : HCBR_I_FAULT_ALLOC;
            uint64_t failed = 0, calls = UINT64_MAX;

            for (uint64_t n = 1; calls >= n - 1; n++) {
                text found = {NULL, 0, 0};

                hcbr_i_fault_arm(kind, n, false);
                hcbr_status st = decide(&found, model, paths, 1, &m);
                calls = hcbr_i_fault_count(kind);
                hcbr_i_fault_arm(kind, 0, false);
                if (st == HCBR_OK)
                    assert_string_equal(found.at, good.at);
                else
                    assert_int_equal(st, round ? HCBR_EIO : HCBR_ENOMEM);
                failed += st != HCBR_OK;
                text_free(&found);
            }
            assert_true(failed >= (round ? 2 : 30));
        }
        unlink(path);
        hcbr_model_free(model);
        text_free(&bytes);
        text_free(&good);
    }
}

/* ---- bad rows ----------------------------------------------------------------------------------
 */

enum { ROWS = 60 };

/* A table whose row `bad` is this. */
static void write_with_bad(char path[64], int bad, const char *row) {
    text bytes = {NULL, 0, 0};
    text_print(&bytes, "who,label,a,b,\"a rather long name\",set\n");
    for (int i = 1; i <= ROWS; i++)
        if (i == bad)
            text_print(&bytes, "%s\n", row);
        else
            text_print(&bytes, "w%d,l%d,%d,red,x,22\n", i, i % 2, i);
    write_file(path, ".csv", bytes.at, bytes.length);
    text_free(&bytes);
}

static size_t count_of(const char *where, const char *what) {
    size_t count = 0;
    for (const char *at = where; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* One bad row at any place: all rows before it are decided, by any thread, and it is handled at its
 * place. Chunks and buffers hold from a part of a row to all of them. */
static void stream__finds_a_bad_row_wherever_it_stands(void **state) {
    static const struct {
        const char *row;
        hcbr_bad_rows how;
        bool stops;
    } tries[] = {
        {"w0,l0,1,red,x,22,and more", HCBR_BAD_ROWS_AUTO, false}, // one of many: it is left out
        {"w0,l0,1,red,x,22,and more", HCBR_BAD_ROWS_STOP, true},
        {"w0,l0,1,red,x,22,and more", HCBR_BAD_ROWS_SKIP, false},
        {"w0,l0,1,\"red\"x,x,22", HCBR_BAD_ROWS_STOP, true},
        {"w0,l0,1,red", HCBR_BAD_ROWS_AUTO, false}, // short: the rest is missing
        {"w0,l0,1,red", HCBR_BAD_ROWS_STOP, true},
        {"w0,l0,1,red", HCBR_BAD_ROWS_SKIP, false},
    };
    static const size_t chunks[] = {30, 64, 150, 400};
    uint64_t seed = random_seed(5);
    hcbr_model *model = train(0, false, &seed);

    (void)state;
    for (size_t t = 0; t < sizeof tries / sizeof *tries; t++)
        for (int bad = 1; bad <= ROWS; bad++) {
            char path[64], place[100];
            const char *paths[] = {path};
            text wanted = {NULL, 0, 0};
            manner m = {.threads = 1, .chunk = 1 << 19, .buffer = 1 << 18};
            bool stops = tries[t].stops;
            bool skips = tries[t].how == HCBR_BAD_ROWS_SKIP || count_of(tries[t].row, ",") > 5;

            hcbr_read_options_init(&m.options);
            m.options.bad_rows = tries[t].how;
            write_with_bad(path, bad, tries[t].row);
            snprintf(place, sizeof place, "DATA %d:", bad + 1);
            assert_int_equal(decide(&wanted, model, paths, 1, &m), stops ? HCBR_EDATA : HCBR_OK);
            assert_int_equal(count_of(wanted.at, " winner "), stops ? bad - 1 : ROWS - skips);
            assert_true(!stops || strstr(wanted.at, place) != NULL);
            for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
                text found = {NULL, 0, 0};

                m.threads = 2 + (uint32_t)(c % 2);
                m.chunk = chunks[c];
                m.buffer = 10 + 20 * (c % 2);
                decide(&found, model, paths, 1, &m);
                assert_string_equal(found.at, wanted.at);
                text_free(&found);
            }
            text_free(&wanted);
            unlink(path);
        }
    hcbr_model_free(model);
}

/* A case cannot be asked for where another thread has read it. */
static void stream__says_that_cases_are_gone(void **state) {
    text bytes = {NULL, 0, 0};
    uint64_t seed = 3;
    char path[64];
    const char *paths[] = {path};
    hcbr_model *model = train(0, false, &seed);
    hcbr_decider *decider;
    hcbr_stream *stream;
    hcbr_read_options options;
    hcbr_error err;
    int more = 1, refused = 0;

    (void)state;
    random_formats[0].make(&bytes, 200, &seed);
    write_file(path, ".csv", bytes.at, bytes.length);
    hcbr_read_options_init(&options);
    options.strict = 1; // what is guessed has tests of its own
    options.threads = 2;
    options.bad_rows = HCBR_BAD_ROWS_SKIP;
    hcbr_i_reader_chunk = 100;
    hcbr_i_reader_buffer = 100;
    assert_int_equal(hcbr_decider_create(&decider, model, NULL, &err), HCBR_OK);
    assert_int_equal(hcbr_stream_create(&stream, decider, paths, 1, &options, &err), HCBR_OK);
    while (more) {
        hcbr_decision d = {.size = sizeof d};
        hcbr_row *row;
        assert_int_equal(hcbr_stream_next(stream, &d, &more, &err), HCBR_OK);
        hcbr_status st = hcbr_stream_get_row(stream, &row, &err);
        assert_true(st == HCBR_OK || (st == HCBR_EUSAGE && !row));
        hcbr_row_free(row);
        refused += more && st == HCBR_EUSAGE;
    }
    assert_true(refused > 100);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    unlink(path);
    text_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream__decides_as_one_thread_does),
        cmocka_unit_test(stream__reports_every_failure),
        cmocka_unit_test(stream__finds_a_bad_row_wherever_it_stands),
        cmocka_unit_test(stream__says_that_cases_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
