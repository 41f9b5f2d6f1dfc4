// Large files by several threads: whatever the number of threads and the sizes of chunks, reads and
// buffers, the same case base, warnings and failures come out as with one thread.
#include "../read/pack_support.h"
#include "../read/random_files.h"
#include "add_case.h"
#include "cases/cases.h"
#include "read/source.h"
#include "rounds.h"

#include <hcbr/hcbr.h>

/** How a file is read. */
typedef struct manner {
    hcbr_read_options options;
    uint32_t threads;
    size_t chunk, buffer;
} manner;

/** Everything in a case base, and the names in the order of their numbers. */
static void write_cases(text *out, const hcbr_cases *cases) {
    const hcbr_i_dict *dict = cases->dict;

    text_print(out, "%llu cases %llu empty %llu rows %llu skipped %llu bytes\n",
               (unsigned long long)hcbr_cases_count(cases),
               (unsigned long long)hcbr_cases_get_info(cases).empty,
               (unsigned long long)hcbr_cases_get_info(cases).rows,
               (unsigned long long)hcbr_cases_get_info(cases).skipped,
               (unsigned long long)hcbr_cases_get_info(cases).bytes);
    for (uint32_t f = 0; f < hcbr_i_dict_count(dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        hcbr_i_text key = hcbr_i_dict_key(dict, x.key);

        text_print(out, "%u key %u ", f, x.key);
        text_add(out, key.at, key.length);
        text_add(out, x.value != NULL ? "=" : "", x.value != NULL);
        text_add(out, x.value, x.value_length);
        text_add(out, "\n", 1);
    }
    for (uint32_t i = 0; i < cases->case_count; i++) {
        const char *label = cases->labels.names[cases->label[i]];

        text_print(out, "row %llu ",
                   (unsigned long long)(cases->row != NULL ? cases->row[i] : (uint64_t)i + 1));
        text_add(out, label, strlen(label));
        if (cases->id_start != NULL) {
            text_add(out, " [", 2);
            text_add(out, cases->ids + cases->id_start[i],
                     (size_t)(cases->id_start[i + 1] - cases->id_start[i]));
            text_add(out, "]", 1);
        }
        if (cases->group != NULL)
            text_print(out, " group %d", (int)cases->group[i]);
        for (uint64_t n = cases->start[i]; n < cases->start[i + 1]; n++)
            text_print(out, " %u", cases->features[n]);
        text_add(out, "\n", 1);
    }
    text_print(out, "label %s\n", cases->label_name != NULL ? cases->label_name : "(none)");
}

/** Read the files into a case base and write all of it down, warnings and failure too. */
static hcbr_status read_cases(text *out, const char *const *paths, size_t count, const manner *m) {
    hcbr_read_options options = m->options;
    text notices = {NULL, 0, 0};
    hcbr_cases *cases;
    hcbr_error err = {.status = HCBR_OK};
    hcbr_status st;

    options.threads = m->threads;
    options.numbers = HCBR_NUMBERS_SPELLED; // test_numbers.c has those that stand apart
    options.notify = text_notice;
    options.notify_context = &notices;
    hcbr_i_reader_chunk = m->chunk;
    hcbr_i_reader_buffer = m->buffer;
    text_add(out, "", 0);
    st = hcbr_cases_create(&cases, 0, &err);
    if (st == HCBR_OK) {
        st = hcbr_cases_read(cases, paths, count, &options, &err);
        text_add(out, notices.at, notices.length);
        if (st != HCBR_OK)
            text_failure(out, st, &err, false);
        else
            write_cases(out, cases);
    }
    text_free(&notices);
    hcbr_cases_free(cases);
    return st;
}

/* ---- random files ---------------------------------------------------------------------------- */

/** One random file, or two, in random manners: as with one thread. */
static void check_random(size_t format, uint64_t *seed) {
    char path[2][64];
    const char *paths[] = {path[0], path[1]};
    size_t count = 1 + draw(seed, 2), rows = 1 + draw(seed, 60);
    text wanted = {NULL, 0, 0};
    manner m = {.threads = 1, .chunk = 1 << 19, .buffer = 1 << 18};

    hcbr_read_options_init(&m.options);
    m.options.strict = 1; // what is guessed has tests of its own
    m.options.bad_rows = draw(seed, 4) > 0 ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
    if (random_formats[format].id && draw(seed, 2))
        m.options.id = "who";
    else if (random_formats[format].id && draw(seed, 3) == 0)
        m.options.group = "who";
    if (draw(seed, 20) == 0)
        m.options.max_line = 40 + draw(seed, 40);
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
    read_cases(&wanted, paths, count, &m);
    for (int i = 0; i < 6; i++) {
        static const uint32_t threads[] = {2, 3, 8};
        text found = {NULL, 0, 0};

        m.threads = threads[draw(seed, 3)];
        m.chunk = 1 + draw(seed, draw(seed, 2) ? 100 : 1000);
        m.buffer = 3 + draw(seed, 60);
        read_cases(&found, paths, count, &m);
        if (strcmp(found.at, wanted.at) != 0)
            print_message("%u threads, chunks of %zu, buffer of %zu\n", m.threads, m.chunk,
                          m.buffer);
        assert_string_equal(found.at, wanted.at);
        text_free(&found);
    }
    for (size_t i = 0; i < count; i++)
        unlink(path[i]);
    text_free(&wanted);
}

static void lanes__give_what_one_thread_gives(void **state) {
    uint64_t seed = 4711;

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < test_rounds(300); i++)
        check_random((size_t)i % (sizeof random_formats / sizeof *random_formats), &seed);
}

/** The sizes a user has: chunks as they are, more than a round of them. */
static void lanes__give_it_for_large_files_too(void **state) {
    uint64_t seed = 11;

    (void)state;
    for (size_t format = 0; format < 3; format++) {
        text bytes = {NULL, 0, 0}, wanted = {NULL, 0, 0}, found = {NULL, 0, 0};
        manner m = {.threads = 1, .chunk = 1 << 17, .buffer = 1 << 16};
        char path[64];
        const char *paths[] = {path};

        hcbr_read_options_init(&m.options);
        m.options.strict = 1; // what is guessed has tests of its own
        m.options.bad_rows = HCBR_BAD_ROWS_SKIP;
        random_formats[format].make(&bytes, 60000, &seed);
        write_file(path, random_formats[format].ending, bytes.at, bytes.length);
        assert_int_equal(read_cases(&wanted, paths, 1, &m), HCBR_OK);
        m.threads = 2;
        assert_int_equal(read_cases(&found, paths, 1, &m), HCBR_OK);
        assert_true(strcmp(found.at, wanted.at) == 0);
        unlink(path);
        text_free(&bytes);
        text_free(&wanted);
        text_free(&found);
    }
}

/** Another table below an empty line, or the header again, wherever a chunk begins. */
static void lanes__say_where_another_table_begins(void **state) {
    static const struct {
        const char *below;
        bool other, again;
    } files[] = {{"\nriver,length,basin,x\n", true, false},
                 {"\n\nb,\"a \"\"c\",x,\n", true, false},
                 {"\nA table of rivers\nriver,length,basin,x\n", true, false},
                 {"\nUlm,unknown,7,\n", false, false},
                 {"\nUlm,7,unknown,\n", false, false},
                 {"river,length,basin,x\n", false, false},
                 {"label,size,year,note\n", false, true},
                 {"\nlabel,size,year,note\n", false, true}};
    (void)state;
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        char path[64];
        const char *paths[] = {path};
        text file = {NULL, 0, 0}, wanted = {NULL, 0, 0};
        manner m = {.threads = 1, .chunk = 1 << 19, .buffer = 1 << 18};

        hcbr_read_options_init(&m.options);
        m.options.max_line = 300; // of which as much is looked at first
        text_print(&file, "label,size,year,note\n");
        for (unsigned i = 0; i < 120; i++)
            text_print(&file, "%s,%u,%u,x%u\n", i % 2 ? "a" : "b", i * 7 % 90, 1990 + i % 30, i);
        text_print(&file, "%sa,1,1999,x\nb,2,2000,\n", files[n].below);
        write_file(path, ".csv", file.at, file.length);
        assert_int_equal(read_cases(&wanted, paths, 1, &m), HCBR_OK);
        assert_true((strstr(wanted.at, "below an empty one, has words") != NULL) == files[n].other);
        assert_true((strstr(wanted.at, "1 row repeats the header") != NULL) == files[n].again);
        for (size_t chunk = 1; chunk < 60; chunk++) {
            text found = {NULL, 0, 0};

            m.threads = 3;
            m.chunk = chunk;
            m.buffer = 40;
            read_cases(&found, paths, 1, &m);
            assert_string_equal(found.at, wanted.at);
            text_free(&found);
        }
        unlink(path);
        text_free(&file);
        text_free(&wanted);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

/** Memory and reads fail in turn, in whatever thread: an error of that kind, or the same cases. */
static void lanes__report_every_failure(void **state) {
    uint64_t seed = 12;

    (void)state;
    for (size_t format = 0; format < sizeof random_formats / sizeof *random_formats; format++) {
        char path[64];
        const char *paths[] = {path};
        text bytes = {NULL, 0, 0}, packed = {NULL, 0, 0}, good = {NULL, 0, 0};
        manner m = {.threads = 3, .chunk = 300, .buffer = 64};

        hcbr_read_options_init(&m.options);
        m.options.strict = 1; // what is guessed has tests of its own
        m.options.bad_rows = HCBR_BAD_ROWS_SKIP;
        m.options.id = random_formats[format].id ? "who" : NULL;
        hcbr_i_source_ahead = 0;
        random_formats[format].make(&bytes, 80, &seed);
        if (strstr(random_formats[format].ending, ".gz") != NULL)
            pack_gzip(&packed, bytes.at, bytes.length, 1);
        write_file(path, random_formats[format].ending, packed.at != NULL ? packed.at : bytes.at,
                   packed.at != NULL ? packed.length : bytes.length);
        assert_int_equal(read_cases(&good, paths, 1, &m), HCBR_OK);
        for (int round = 0; round < 4; round++) {
            hcbr_i_fault_kind kind = round & 1 ? HCBR_I_FAULT_IO : HCBR_I_FAULT_ALLOC;
            uint64_t failed = 0, calls = UINT64_MAX;

            for (uint64_t n = 1; calls >= n - 1; n++) {
                text found = {NULL, 0, 0};
                hcbr_status st;

                hcbr_i_fault_arm(kind, n, round & 2);
                st = read_cases(&found, paths, 1, &m);
                calls = hcbr_i_fault_count(kind);
                hcbr_i_fault_arm(kind, 0, false);
                if (st == HCBR_OK)
                    assert_string_equal(found.at, good.at);
                else
                    assert_int_equal(st, kind == HCBR_I_FAULT_IO ? HCBR_EIO : HCBR_ENOMEM);
                failed += st != HCBR_OK;
                text_free(&found);
            }
            assert_true(failed >= (kind == HCBR_I_FAULT_IO ? 2 : 30));
        }
        unlink(path);
        text_free(&bytes);
        text_free(&packed);
        text_free(&good);
    }
}

/** After a failure the list holds the rows before it, complete, and goes on. */
static void lanes__leave_a_usable_list_behind(void **state) {
    text bytes = {NULL, 0, 0};
    hcbr_read_options options;
    hcbr_cases *cases;
    hcbr_error err;
    char path[64];
    const char *paths[] = {path};

    (void)state;
    text_print(&bytes, "label,a,b\n");
    for (int i = 0; i < 1000; i++)
        text_print(&bytes, "%s,%d,x%d\n", i % 3 ? "yes" : "no", i, i % 7);
    text_print(&bytes, "yes,1\n");
    for (int i = 0; i < 1000; i++)
        text_print(&bytes, "no,%d,x%d\n", i, i % 7);
    write_file(path, ".csv", bytes.at, bytes.length);
    hcbr_read_options_init(&options);
    options.strict = 1; // what is guessed has tests of its own
    options.numbers = HCBR_NUMBERS_SPELLED;
    options.threads = 4;
    hcbr_i_reader_chunk = 500;
    hcbr_i_reader_buffer = 100;
    assert_int_equal(hcbr_cases_create(&cases, 0, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, paths, 1, &options, &err), HCBR_EDATA);
    assert_int_equal(err.line, 1002);
    assert_string_equal(err.message, "found 2 fields, expected 3");
    assert_int_equal(hcbr_cases_count(cases), 1000);
    assert_int_equal(hcbr_cases_get_info(cases).features, 1007);
    assert_int_equal(hcbr_cases_get_info(cases).occurrences, 2000);
    assert_int_equal(add_one_case(cases, NULL, 0, "yes", NULL, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).labels, 2);
    hcbr_cases_free(cases);
    unlink(path);
    text_free(&bytes);
}

typedef struct counter {
    uint64_t calls, last, stop_at;
} counter;

static int count_progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    counter *c = context;

    assert_string_equal(stage, "read");
    assert_true(done >= c->last && done <= total);
    c->last = done;
    return ++c->calls == c->stop_at;
}

static void lanes__tell_their_progress_and_can_be_stopped(void **state) {
    text bytes = {NULL, 0, 0}, out = {NULL, 0, 0};
    uint64_t seed = 13;
    char path[64];
    const char *paths[] = {path};
    counter c = {.stop_at = 0};
    manner m = {.threads = 3, .chunk = 200, .buffer = 50};

    (void)state;
    hcbr_read_options_init(&m.options);
    m.options.strict = 1; // what is guessed has tests of its own
    m.options.bad_rows = HCBR_BAD_ROWS_SKIP;
    m.options.progress = count_progress;
    m.options.progress_context = &c;
    random_libsvm(&bytes, 3000, &seed);
    write_file(path, ".svm", bytes.at, bytes.length);
    assert_int_equal(read_cases(&out, paths, 1, &m), HCBR_OK);
    assert_int_equal(c.last, bytes.length);
    for (uint64_t calls = c.calls, n = 1; n <= calls; n += 1 + n / 3) {
        c = (counter){.stop_at = n};
        assert_int_equal(read_cases(&out, paths, 1, &m), HCBR_ECANCELLED);
        assert_int_equal(c.calls, n);
    }
    unlink(path);
    text_free(&bytes);
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes__give_what_one_thread_gives),
        cmocka_unit_test(lanes__give_it_for_large_files_too),
        cmocka_unit_test(lanes__say_where_another_table_begins),
        cmocka_unit_test(lanes__report_every_failure),
        cmocka_unit_test(lanes__leave_a_usable_list_behind),
        cmocka_unit_test(lanes__tell_their_progress_and_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
