// The reader around the formats: recognising them, bad rows, limits, blocks, progress, options.
#include "read_support.h"

static void reader__goes_by_the_ending(void **state) {
    static const char *const csv[] = {".csv", ".CSV"}, *const svm[] = {".libsvm", ".svm", ".Svm"};
    job j = job_make("", true);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        j.ending = csv[i];
        expect(&j, "a,y\n1,2\n", "1@2 2 a=1\n");
    }
    for (size_t i = 0; i < 3; i++) {
        j.ending = svm[i];
        expect(&j, "a 3\n", "1@1 a 3=1\n");
    }
    j.ending = ".tsv";
    expect(&j, "a\ty\n1\t2\n", "1@2 2 a=1\n");
    j.options.format = HCBR_FORMAT_LIBSVM; // what is asked for goes before the ending
    expect(&j, "a 3\n", "1@1 a 3=1\n");
}

static void reader__recognises_formats_strictly(void **state) {
    job j = job_make("", true);
    text out = {NULL, 0, 0};

    (void)state;
    expect(
        &j, "\n \n1 3:1 4\n",
        "1@3 1 3=1 4=1\nnote read as libsvm, by its first line (option format overrides this)\n");
    expect(&j, "a\ty\n1\t2\n",
           "1@2 2 a=1\nnote read as tsv, by its first line (option format overrides this)\n");
    expect(
        &j, "a,y\tz,label\n1,2,3\n",
        "1@2 3 a=1 y\tz=2\nnote read as csv, by its first line (option format overrides this)\n");
    expect(
        &j, "label,at 10:30\n1,2\n",
        "1@2 1 at 10:30=2\nnote read as csv, by its first line (option format overrides this)\n");
    expect(&j, "y\n1\n",
           "EDATA 1:1 cannot tell the format: found 'y', expected option format csv, tsv, "
           "jsonl, libsvm, text or cases\n");
    expect(&j, "\n1 2 3\r\n",
           "EDATA 2:1 cannot tell the format: found '1 2 3', expected option format "
           "csv, tsv, jsonl, libsvm, text or cases\n");
    expect(&j, "1 2:1 3:x\n",
           "EDATA 1:1 cannot tell the format: found '1 2:1 3:x', expected "
           "option format csv, tsv, jsonl, libsvm, text or cases\n");
    read_bytes(&out, "{\"label\": \"x\"}\n", 15, &j);
    assert_non_null(strstr(out.at, "note read as jsonl"));
    text_free(&out);
    j.options.delimiter = ';';
    expect(&j, "a;y\n1;2\n",
           "1@2 2 a=1\nnote read as csv, by its first line (option format overrides this)\n");
    j.labelled = false;
    j.options.delimiter = 0;
    expect(&j, "3:1\n",
           "1@1 - 3=1\n"
           "note read as libsvm, by its first line (option format overrides this)\n");
}

static void reader__refuses_utf16(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    EXPECT_BYTES(&j,
                 "\xFF\xFE"
                 "a\0,\0",
                 "EDATA 1:1 found a UTF-16 byte order mark, expected UTF-8\n");
    j.ending = "";
    EXPECT_BYTES(&j, "\xFE\xFF\0a", "EDATA 1:1 found a UTF-16 byte order mark, expected UTF-8\n");
    j.packets = 1;
    EXPECT_BYTES(&j, "\xFE\xFF\0a", "EDATA 1:1 found a UTF-16 byte order mark, expected UTF-8\n");
}

static void reader__says_when_there_is_no_case(void **state) {
    static const char *const empty[] = {"", "\xEF\xBB\xBF", "\n\r\n"};
    job j = job_make("", true);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        j.labelled = true;
        j.ending = ".csv";
        expect(&j, empty[i], "EDATA empty file, expected a header with the names of the columns\n");
        j.ending = ".svm";
        expect(&j, empty[i], "EDATA empty file: found no case, expected at least one\n");
        j.ending = "";
        expect(&j, empty[i], "EDATA empty file: found no case, expected at least one\n");
        j.labelled = false;
        expect(&j, empty[i], "");
        j.ending = ".svm";
        expect(&j, empty[i], "");
        j.ending = ".csv";
        expect(&j, empty[i], "warning 0:0 empty file\n");
        j.options.no_header = 1;
        expect(&j, empty[i], "");
        j.options.no_header = 0;
    }
    expect(&j, "a,y\n", "");
    j.labelled = true;
    expect(&j, "a,y\n", "EDATA found no case, expected at least one\n");
    j.ending = ".svm";
    expect(&j, "# words\n", "EDATA found no case, expected at least one\n");
}

static void reader__skips_and_counts_bad_rows(void **state) {
    char path[64];
    const char *paths[] = {path};
    job j = job_make(".svm", true);
    hcbr_i_reader *r;
    const hcbr_i_block *block;

    (void)state;
    j.options.bad_rows = HCBR_BAD_ROWS_SKIP;
    expect(&j, "1 3:1 12345678901234567:1\n1 4:1 12345678901234567:1 x:1\n2 5:1\n? 6:1\n3 7:1\n",
           "1@1 1 3=1 12345678901234567=1\n3@3 2 5=1\n5@5 3 7=1\n"
           "warning 2:27 found 'x:1', expected id:value with an id of digits (row skipped)\n"
           "warning 4:1 found '?', which means missing, expected a label (row skipped)\n");
    j.ending = ".csv";
    // Where a bad row ends: at the end of its line, unless a quote that may stand there is open.
    expect(
        &j,
        "a,label,b\n\"x\ny\",1\nz,2,3\nq\"r,\"\ns,4,5\n\"t\n\"u,\"\nv,6,7\n\"\xFF\n\",1,2\nw,8,9\n",
        "2@4 2 a=z b=3\n4@6 4 a=s b=5\n6@9 6 a=v b=7\n8@12 8 a=w b=9\n"
        "warning 3:5 found 2 fields, expected 3 (row skipped)\n"
        "warning 5:2 found a quote inside a field, expected the whole field in quotes and this "
        "one doubled (option quote none takes quotes as they stand) (row skipped)\n"
        "warning 8:2 found 'u' after a closing quote, expected the delimiter or the end of the "
        "line (option quote none takes quotes as they stand) (row skipped)\n"
        "warning 10:2 found byte 0xff, expected UTF-8 (option encoding names another) (row "
        "skipped)\n");
    expect(&j, "a,label\nx,1\n\"y,2\nz,3\n",
           "1@2 1 a=x\n"
           "warning 3:1 found a quote that is never closed, expected another one "
           "(option quote none takes quotes as they stand) (row skipped)\n");
    expect(&j, "a,b\nx,1\n",
           "EDATA 1:1 found columns 'a', 'b', expected one named label, y, class, target or "
           "outcome, or the label's name (option label)\n"); // a header is no row
    write_file(path, ".svm", "1 123456789012345:1 3:x\n1 4:1\n1 5:x\n", 36);
    assert_int_equal(hcbr_i_reader_create(&r, paths, 1, &j.options, true, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    assert_int_equal(block->case_count, 1);
    assert_int_equal(block->name_count, 1);
    assert_int_equal(block->long_count, 0); // nothing of a bad row stays
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    assert_null(block);
    assert_int_equal(hcbr_i_reader_skipped(r), 2);
    hcbr_i_reader_free(r);
    unlink(path);
}

static void reader__holds_lines_to_the_limit(void **state) {
    static const char limit[] = "EDATA 2:1 found a record of more than 8 bytes, expected a shorter "
                                "one (option max_line raises the limit)\n";
    char wanted[200];
    job j = job_make(".svm", true);

    (void)state;
    j.options.max_line = 8;
    for (int skip = 0; skip < 2; skip++)
        for (size_t largest = 0; largest < 20; largest++) {
            j.options.bad_rows = skip ? HCBR_BAD_ROWS_SKIP : HCBR_BAD_ROWS_STOP;
            j.packets = largest;
            j.options.format = HCBR_FORMAT_LIBSVM;
            expect(&j, "1 3:1\n1 4:1\r\n2 3456:1\r\n3 5:1 \n",
                   "1@1 1 3=1\n2@2 1 4=1\n3@3 2 3456=1\n4@4 3 5=1\n");
            snprintf(wanted, sizeof wanted, "1@1 1 3=1\n%s", limit);
            expect(&j, "1 3:1\n2 34567:1\r\n3 5:1\n", wanted);
            expect(&j, "1 3:1\n2 34567:1", wanted);
            j.options.format = HCBR_FORMAT_CSV;
            snprintf(wanted, sizeof wanted, "%s", limit);
            expect(&j, "a,label\n\"1\n34567\",2\n3,4\n",
                   "EDATA 2:1 found a record of more than 8 bytes over several lines, perhaps for "
                   "want of a closing quote, expected a shorter one (option max_line raises the "
                   "limit)\n");
            expect(&j, "a,label\n\"1\n3\",2\r\n3,4\n", "1@2 2 a=1\n3\n2@4 4 a=3\n");
            expect(&j, "a,label\nx\"34567,2\n3,4\n", wanted);
        }
}

static void reader__grows_its_buffer_for_long_records(void **state) {
    const size_t tokens = 200000;
    text file = {NULL, 0, 0}, out = {NULL, 0, 0}, again = {NULL, 0, 0};
    job j = job_make(".svm", true);

    (void)state;
    text_print(&file, "1 5:1\nL");
    for (size_t i = 0; i < tokens; i++)
        text_print(&file, " %zu:1", i * 7919 % 1000003);
    text_print(&file, "\n2 6:1\n");
    assert_int_equal(read_bytes(&out, file.at, file.length, &j), HCBR_OK);
    j.options.format = HCBR_FORMAT_LIBSVM;
    j.packets = 60000;
    assert_int_equal(read_bytes(&again, file.at, file.length, &j), HCBR_OK);
    assert_string_equal(out.at, again.at);
    assert_non_null(strstr(out.at, "2@2 L 0=1 7919=1 "));
    assert_non_null(strstr(out.at, "\n3@3 2 6=1\n"));
    text_free(&again);
    j.packets = 0;
    j.options.max_line = 300000; // above the first buffer, below the line
    assert_int_equal(read_bytes(&again, file.at, file.length, &j), HCBR_EDATA);
    assert_non_null(strstr(again.at, "EDATA 2:1 found a record of more than 300000 bytes"));
    text_free(&file);
    text_free(&out);
    text_free(&again);
}

static void reader__ends_blocks_between_cases(void **state) {
    text file = {NULL, 0, 0};
    char path[64];
    const char *paths[] = {path};
    hcbr_i_reader *r;
    const hcbr_i_block *block;
    uint64_t rows = 0;
    size_t blocks = 0;

    (void)state;
    for (size_t i = 0; i < 100000; i++)
        text_print(&file, "%zu %zu:1 %zu:1 12345678901234567:%zu\n", i % 3, i, i + 1, i);
    write_file(path, ".svm", file.at, file.length);
    assert_int_equal(hcbr_i_reader_create(&r, paths, 1, NULL, true, NULL), HCBR_OK);
    for (;; blocks++) {
        assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
        if (block == NULL)
            break;
        assert_true(block->name_count < 4096 + 3);
        for (size_t i = 0; i < block->case_count; i++, rows++) {
            const hcbr_i_raw_case *c = &block->cases[i];
            const hcbr_i_long_name *l;
            char number[24], id[24];

            assert_int_equal(c->row, rows + 1);
            assert_int_equal(c->line, rows + 1);
            assert_int_equal(c->count, 3);
            assert_true(hcbr_i_name_is_long(block->names[c->first + 2]));
            l = &block->longs[block->names[c->first + 2].lo];
            snprintf(number, sizeof number, "%llu", (unsigned long long)rows);
            assert_int_equal(l->value_length, strlen(number));
            assert_memory_equal(l->value, number, l->value_length);
            hcbr_i_name_unpack(block->names[c->first], id, &(size_t){0}, &(bool){0}, &(size_t){0});
            assert_memory_equal(id, number, strlen(number));
        }
    }
    assert_int_equal(rows, 100000);
    assert_true(blocks >= 300000 / 4100);
    hcbr_i_reader_free(r);
    unlink(path);
    text_free(&file);
}

typedef struct watch {
    uint64_t calls, done, total, stop_at;
} watch;

static int watch_progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    watch *w = context;

    assert_string_equal(stage, "read");
    assert_true(done >= w->done && (total == 0 || done <= total));
    w->calls++;
    w->done = done;
    w->total = total;
    return w->stop_at != 0 && w->calls >= w->stop_at;
}

static void reader__reports_progress_and_can_be_cancelled(void **state) {
    text file = {NULL, 0, 0}, out = {NULL, 0, 0};
    watch w = {0, 0, 0, 0};
    job j = job_make(".svm", true);

    (void)state;
    for (size_t i = 0; i < 100000; i++)
        text_print(&file, "1 %zu:1\n", i);
    j.options.progress = watch_progress;
    j.options.progress_context = &w;
    assert_int_equal(read_bytes(&out, file.at, file.length, &j), HCBR_OK);
    assert_true(w.calls >= file.length / (256 << 10));
    assert_int_equal(w.done, file.length);
    assert_int_equal(w.total, file.length);
    text_free(&out);
    w = (watch){0, 0, 0, 2};
    assert_int_equal(read_bytes(&out, file.at, file.length, &j), HCBR_ECANCELLED);
    assert_int_equal(w.calls, 2); // not asked again once it said stop
    assert_non_null(strstr(out.at, "ECANCELLED reading "));
    text_free(&out);
    text_free(&file);
}

static void reader__knows_the_bytes_of_several_files(void **state) {
    char paths[3][64];
    const char *all[3] = {paths[0], paths[1], "/dev/null"};
    text out = {NULL, 0, 0};
    watch w = {0, 0, 0, 0};
    job j = job_make(".svm", false);

    (void)state;
    write_file(paths[0], ".svm", "1 1:1\n", 6);
    write_file(paths[1], ".svm", "1 1:1\n0 12\n", 11);
    j.options.progress = watch_progress;
    j.options.progress_context = &w;
    j.options.format = HCBR_FORMAT_LIBSVM;
    assert_int_equal(read_paths(&out, all, 2, &j), HCBR_OK);
    assert_int_equal(w.done, 17);
    assert_int_equal(w.total, 17);
    w = (watch){0, 0, 0, 0};
    assert_int_equal(read_paths(&out, all, 3, &j), HCBR_OK);
    assert_int_equal(w.done, 17);
    assert_int_equal(w.total, 0); // not known for a device
    text_free(&out);
    unlink(paths[0]);
    unlink(paths[1]);
}

static void reader__refuses_options_that_make_no_sense(void **state) {
    static const char *const ignore[] = {"a"};
    job j = job_make(".csv", true);
    const char *path = "nowhere";
    hcbr_i_reader *r;

    (void)state;
    j.options.max_line = 0;
    expect(&j, "",
           "EUSAGE found a longest line of 0 bytes, expected 1 to 4294967295 (option max_line)\n");
    j.options.max_line = (size_t)1 << 32;
    expect(&j, "",
           "EUSAGE found a longest line of 4294967296 bytes, expected 1 to 4294967295 "
           "(option max_line)\n");
    j = job_make(".csv", true);
    j.options.max_depth = 0;
    expect(&j, "", "EUSAGE found a depth of 0, expected at least 1 (option max_depth)\n");
    j = job_make(".csv", true);
    j.options.format = (hcbr_format)9;
    expect(&j, "", "EUSAGE found format 9, expected one of hcbr_format\n");
    j = job_make(".csv", true);
    j.options.bad_rows = (hcbr_bad_rows)3;
    expect(&j, "", "EUSAGE found bad_rows 3, expected auto, stop or skip\n");
    j = job_make(".csv", true);
    j.options.label = j.options.id = "a";
    expect(&j, "", "EUSAGE found 'a' for both option label and option id, expected two\n");
    j.options.id = NULL;
    j.options.ignore = ignore;
    j.options.ignore_count = 1;
    expect(
        &j, "",
        "EUSAGE found 'a' for both option label and option ignore, expected it in one of them\n");
    assert_int_equal(hcbr_i_reader_create(&r, &path, 0, NULL, true, NULL), HCBR_EUSAGE);
    assert_null(r);
    assert_int_equal(hcbr_i_reader_create(&r, &path, 1, NULL, true, NULL), HCBR_OK);
    hcbr_i_reader_free(r);
}

static void reader__copies_what_it_is_given(void **state) {
    char path[64], label[] = "z", name[] = "b", missing[] = "none";
    const char *ignore[] = {name}, *na[] = {missing};
    char *given;
    const char *paths[1];
    hcbr_read_options options;
    hcbr_i_reader *r;
    const hcbr_i_block *block;
    text out = {NULL, 0, 0};

    (void)state;
    write_file(path, ".csv", "a,b,z\nnone,2,3\n4,5,6\n", 21);
    given = strdup(path);
    paths[0] = given;
    hcbr_read_options_init(&options);
    options.label = label;
    options.ignore = ignore;
    options.ignore_count = 1;
    options.na = na;
    options.na_count = 1;
    assert_int_equal(hcbr_i_reader_create(&r, paths, 1, &options, true, NULL), HCBR_OK);
    memset(given, 'x', strlen(given));
    memset(&options, 0xFF, sizeof options);
    label[0] = name[0] = missing[0] = 'x';
    ignore[0] = na[0] = paths[0] = NULL;
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    text_block(&out, block);
    assert_string_equal(out.at, "1@2 3\n2@3 6 a=4\n");
    text_free(&out);
    hcbr_i_reader_free(r);
    free(given);
    unlink(path);
}

static void reader__says_which_file_cannot_be_read(void **state) {
    char one[64];
    char empty[] = "/tmp/hcbr-folder-XXXXXX"; // a folder without folders in it
    const char *paths[] = {one, "/nowhere/at/all.svm"}, *folder = mkdtemp(empty);
    job j = job_make("", true);
    text out = {NULL, 0, 0};

    (void)state;
    write_file(one, ".svm", "1 2:1\n", 6);
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_EIO);
    assert_memory_equal(out.at, "1@1 1 2=1\nEIO", 13);
    text_free(&out);
    assert_int_equal(read_paths(&out, &folder, 1, &j), HCBR_EIO);
    rmdir(empty);
    text_free(&out);
    unlink(one);
}

static void reader__takes_files_of_one_format_only(void **state) {
    char one[64], two[64];
    const char *paths[] = {one, two};
    job j = job_make("", true);
    text out = {NULL, 0, 0};

    (void)state;
    write_file(one, ".svm", "1 2:1\n", 6);
    write_file(two, ".csv", "a,y\n1,2\n", 8);
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_EDATA);
    assert_string_equal(out.at, "1@1 1 2=1\nEDATA found csv after a file of libsvm, expected files "
                                "of one format\n");
    text_free(&out);
    unlink(one);
    unlink(two);
}

// The label as a format implies it, and a note where an option has no meaning.
static void reader__names_the_label_of_libsvm(void **state) {
    char path[64];
    const char *paths[] = {path};
    job j = job_make(".svm", true);
    hcbr_i_reader *r;
    const hcbr_i_block *block;

    (void)state;
    j.options.label = "other";
    write_file(path, ".svm", "1 2:1\n", 6);
    assert_int_equal(hcbr_i_reader_create(&r, paths, 1, &j.options, true, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    assert_string_equal(hcbr_i_reader_label_name(r), "label");
    hcbr_i_reader_free(r);
    unlink(path);
    j.options.id = "name";
    expect(&j, "1 2:1\n", "1@1 1 2=1\nnote libsvm has no ids of cases: option id is not used\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader__goes_by_the_ending),
        cmocka_unit_test(reader__recognises_formats_strictly),
        cmocka_unit_test(reader__refuses_utf16),
        cmocka_unit_test(reader__says_when_there_is_no_case),
        cmocka_unit_test(reader__skips_and_counts_bad_rows),
        cmocka_unit_test(reader__holds_lines_to_the_limit),
        cmocka_unit_test(reader__grows_its_buffer_for_long_records),
        cmocka_unit_test(reader__ends_blocks_between_cases),
        cmocka_unit_test(reader__reports_progress_and_can_be_cancelled),
        cmocka_unit_test(reader__knows_the_bytes_of_several_files),
        cmocka_unit_test(reader__refuses_options_that_make_no_sense),
        cmocka_unit_test(reader__copies_what_it_is_given),
        cmocka_unit_test(reader__says_which_file_cannot_be_read),
        cmocka_unit_test(reader__takes_files_of_one_format_only),
        cmocka_unit_test(reader__names_the_label_of_libsvm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
