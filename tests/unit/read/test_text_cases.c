// The formats text and cases, and labels in a file of their own.
#include "read_support.h"
#include "words_support.h"

static job words_job(const char *ending, bool labelled) {
    job j = job_make(ending, labelled);

    j.options.words = test_words;
    return j;
}

/** Read with labels from a file that holds `labels`. */
static void expect_with(job j, const char *labels, const char *bytes, const char *wanted) {
    char path[64];

    write_file(path, ".labels", labels, strlen(labels));
    j.options.outcomes = path;
    expect(&j, bytes, wanted);
    unlink(path);
}

static void text__is_a_label_a_tab_and_words(void **state) {
    (void)state;
    job j = words_job(".txt", true);

    expect(&j, "ham\tHi you, HI!\r\n\n \t\nspam x\t\nspam\twin",
           "1@1 ham hi=2 you=1\n2@4 spam x\n3@5 spam win=1\n");
    expect(&j, "a\tx\nno tab\n",
           "1@1 a x=1\nEDATA 2:1 found no tab, expected a label, a tab and words\n");
    expect(&j, "a\tx\ty\n",
           "EDATA 1:4 found a second tab, expected one, between the label and the words (tsv?)\n");
    expect(&j, "\tx\n", "EDATA 1:1 found '', which means missing, expected a label\n");
    expect(&j, "a\tx\nNA\tx\n",
           "1@1 a x=1\nEDATA 2:1 found 'NA', which means missing, expected a label\n");
    expect(&j, "label,a\nx,1\n",
           "EDATA 1:1 found no tab, expected a label, a tab and words; this looks like csv "
           "(option format csv)\n");
    expect(&j, "1 2:1\n",
           "EDATA 1:1 found no tab, expected a label, a tab and words; this looks like libsvm "
           "(option format libsvm)\n");
    EXPECT_BYTES(&j, "a\tx\0y\n", "EDATA 1:4 found a NUL byte, expected text\n");
    expect(
        &j, "a\tx\nb\t\xFF\n",
        "1@1 a x=1\nEDATA 2:3 found byte 0xff, expected UTF-8 (option encoding names another)\n");
}

static void text__needs_no_label_to_be_decided(void **state) {
    (void)state;
    job j = words_job(".txt", false);

    expect(&j, "x y\n\tz\na\tb\n", "1@1 - x=1 y=1\n2@2 - z=1\n3@3 a b=1\n");
}

static void text__leaves_ignored_words_out(void **state) {
    (void)state;
    static const char *const ignore[] = {"the", "a very long word"};
    job j = words_job(".txt", true);

    j.options.ignore = ignore;
    j.options.ignore_count = 2;
    j.options.ngrams = 4;
    j.options.id = "who";
    expect(&j, "l\tthe cat the\nl\ta very long word\n",
           "1@1 l cat=1 the cat=1 cat the=1 the cat the=1\n"
           "2@2 l a=1 very=1 a very=1 long=1 very long=1 a very long=1 word=1 long word=1 very "
           "long word=1\n"
           "note text has no ids of cases: option id is not used\n");
}

static void cases__are_names_and_a_label_last(void **state) {
    (void)state;
    job j = words_job(".cases", true);

    expect(&j, "1 2  3 \t yes \r\n\n7 07 a=b 7:1 no\nonly\n? x NA z",
           "1@1 yes 1 2 3\n2@3 no 7 07 a=b 7:1\n3@4 only\n4@5 z x\n");
    expect(&j, "1 2 ?\n", "EDATA 1:5 found '?', which means missing, expected a label\n");
    j.options.label = "last";
    expect(&j, "1 2\n", "1@1 2 1\n");
    j.options.label = "who";
    expect(&j, "1 2\n",
           "EUSAGE found the label 'who', expected the last name of each line (option label last) "
           "or a "
           "file of labels (option outcomes)\n");
}

static void cases__that_look_like_another_format_are_refused(void **state) {
    (void)state;
    job j = words_job(".cases", true);

    expect(&j, "1 2:1 3:1\n",
           "EDATA 1:1 found '1 2:1 3:1', which looks like libsvm, expected names of features "
           "between blanks (option format libsvm reads the other)\n");
    expect(&j, "a,b c,d yes\n", "1@1 yes a,b c,d\n");
}

static void cases__to_be_decided_say_where_labels_are(void **state) {
    (void)state;
    job j = words_job(".cases", false);

    expect(
        &j, "1 2\n",
        "EUSAGE cannot tell a label from a feature: expected option label last (the last name of "
        "each line is its label), option label none or option outcomes\n");
    j.options.label = "label"; // as a model stores it
    expect(
        &j, "1 2\n",
        "EUSAGE cannot tell a label from a feature: expected option label last (the last name of "
        "each line is its label), option label none or option outcomes\n");
    j.options.label = "none";
    expect(&j, "1 2\n\n3\n", "1@1 - 1 2\n2@2 -\n3@3 - 3\n");
    j.options.label = "last";
    expect(&j, "1 2\n\n3\n", "1@1 2 1\n2@3 3\n");
}

static void outcomes__label_any_format(void **state) {
    (void)state;
    expect_with(words_job(".cases", true), "x\n y \r\n", "1 2\n\n", "1@1 x 1 2\n2@2 y\n");
    expect_with(words_job(".txt", true), "\xEF\xBB\xBFx\ny", "a\tb\n\n", "1@1 x a=1 b=1\n2@2 y\n");
    expect_with(words_job(".csv", true), "x\ny\n", "a,y\n1,2\n\n3,4\n",
                "1@2 x a=1\n2@4 y a=3\nnote 'y' is left out: labels come from option outcomes\n");
    expect_with(words_job(".csv", true), "x\n", "a,b\n1,2\n", "1@2 x a=1 b=2\n");
    expect_with(
        words_job(".jsonl", true), "x\ny\n", "{\"a\":1}\n{\"a\":2,\"class\":3}\n",
        "1@1 x a=1\n2@2 y a=2\nnote 'class' is left out: labels come from option outcomes\n");
    expect_with(words_job(".svm", true), "x\n", "1 2:1\n", "1@1 x 2=1\n");
    expect_with(words_job(".csv", false), "?\n\nz\n", "a\n1\n2\n3\n",
                "1@2 - a=1\n2@3 - a=2\n3@4 z a=3\n");
}

static void outcomes__must_be_as_many_as_rows(void **state) {
    (void)state;
    job j = words_job(".csv", true);

    expect_with(j, "x\n", "a\n1\n2\n",
                "1@2 x a=1\nEDATA found 1 label, expected one for each row: row 2 has none\n");
    expect_with(j, "x\ny\nz\n", "a\n1\n",
                "1@2 x a=1\nEDATA 2:1 found 3 labels, expected one for each of 1 row\n");
    expect_with(j, "x\n\nz\n", "a\n1\n", "EDATA 2:1 found an empty line, expected a label\n");
    expect_with(j, "x\n  NA\n", "a\n1\n",
                "EDATA 2:3 found 'NA', which means missing, expected a label\n");
    expect_with(j, "x\ny\xFF\n", "a\n1\n",
                "EDATA 2:2 found byte 0xff, expected UTF-8 (option encoding names another)\n");
    expect_with(j, "", "a\n1\n", "EDATA empty file, expected a label for each row\n");
    j.options.bad_rows = HCBR_BAD_ROWS_SKIP; // rows that are skipped have labels too
    expect_with(j, "x\ny\nz\n", "a,b\n1,2\n3\n4,5\n",
                "1@2 x a=1 b=2\n3@4 z a=4 b=5\n"
                "warning 3:2 found 1 field, expected 2 (row skipped)\n");
    expect_with(j, "x\n", "a,b\n1,2\n3\n",
                "1@2 x a=1 b=2\nwarning 3:2 found 1 field, expected 2 (row skipped)\n"
                "EDATA found 1 label, expected one for each row: row 2 has none\n");
}

static void outcomes__go_over_all_files(void **state) {
    (void)state;
    job j = words_job(".csv", true);
    char first[64], second[64], labels[64];
    const char *paths[] = {first, second};
    text out = {NULL, 0, 0};

    write_file(first, ".csv", "a\n1\n2\n", 6);
    write_file(second, ".csv", "a\n3\n", 4);
    write_file(labels, "", "x\ny\nz\n", 6);
    j.options.outcomes = labels;
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_OK);
    assert_string_equal(out.at, "1@2 x a=1\n2@3 y a=2\n3@2 z a=3\n");
    text_free(&out);
    unlink(first);
    unlink(second);
    unlink(labels);
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_EIO);
    assert_non_null(strstr(out.at, "EIO"));
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text__is_a_label_a_tab_and_words),
        cmocka_unit_test(text__needs_no_label_to_be_decided),
        cmocka_unit_test(text__leaves_ignored_words_out),
        cmocka_unit_test(cases__are_names_and_a_label_last),
        cmocka_unit_test(cases__that_look_like_another_format_are_refused),
        cmocka_unit_test(cases__to_be_decided_say_where_labels_are),
        cmocka_unit_test(outcomes__label_any_format),
        cmocka_unit_test(outcomes__must_be_as_many_as_rows),
        cmocka_unit_test(outcomes__go_over_all_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
