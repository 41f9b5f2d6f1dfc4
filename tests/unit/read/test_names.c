// Names of ids: what a libsvm file means together with its file of names. Mistakes in such a file
// are in tests/cli/test_convert.sh.
#include "read_support.h"

/** Read data with names and compare all that comes out. */
static void named(const char *names, const char *data, const char *wanted) {
    job j = job_make(".svm", true);
    char path[64];

    write_file(path, ".names", names, strlen(names));
    j.options.names = path;
    expect(&j, data, wanted);
    unlink(path);
}

static void names__stand_for_ids(void **state) {
    (void)state;
    named("feature\t7\tcolour\tred\nfeature\t12345678901234567890\tp\nfeature\t8\t\t\n",
          "1 7:1 12345678901234567890\n2 008:1.0\n", "1@1 1 colour=red p\n2@2 2 =\n");
}

static void names__resolve_escapes(void **state) {
    (void)state;
    named("feature\t1\ta\\tb\\n\\r\\\\\tx\\x01\\xc3\\xbc\n", "1 1\n",
          "1@1 1 a\tb\n\r\\=x\x01\xc3\xbc\n");
}

static void names__may_end_without_newline_or_with_crlf(void **state) {
    (void)state;
    named("\xEF\xBB\xBF"
          "feature\t1\ta\tx\r\n\r\nfeature\t2\tb",
          "1 1 2\n", "1@1 1 a=x b\n");
}

static void names__of_labels_and_rows_are_taken_by_text_and_number(void **state) {
    (void)state;
    named("case\t3\tCy\nlabel\t-1\ttwo words\ncase\t1\tAnn\nlabel\t+1\tyes\n", "+1\n-1\n+1\n",
          "1@1 yes [Ann]\n2@2 two words\n3@3 yes [Cy]\n");
}

/** A name may be longer than 14 bytes where its id was not, and the other way round. */
static void names__are_packed_by_their_own_length(void **state) {
    (void)state;
    named("feature\t1\ta key of many bytes\tand a value\nfeature\t123456789012345\ts\tt\n",
          "1 1 123456789012345\n", "1@1 1 a key of many bytes=and a value s=t\n");
}

static void names__say_what_the_label_is_called(void **state) {
    char names[64], data[64];
    const char *paths[] = {data};
    hcbr_i_reader *reader;
    const hcbr_i_block *block;
    hcbr_read_options options;

    (void)state;
    write_file(names, ".names", "label_name\tthe class\n", 21);
    write_file(data, ".svm", "1\n", 2);
    hcbr_read_options_init(&options);
    options.names = names;
    assert_int_equal(hcbr_i_reader_create(&reader, paths, 1, &options, true, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_reader_next(reader, &block, NULL), HCBR_OK);
    assert_string_equal(hcbr_i_reader_label_name(reader), "the class");
    hcbr_i_reader_free(reader);
    unlink(names);
    unlink(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names__stand_for_ids),
        cmocka_unit_test(names__resolve_escapes),
        cmocka_unit_test(names__may_end_without_newline_or_with_crlf),
        cmocka_unit_test(names__of_labels_and_rows_are_taken_by_text_and_number),
        cmocka_unit_test(names__are_packed_by_their_own_length),
        cmocka_unit_test(names__say_what_the_label_is_called),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
