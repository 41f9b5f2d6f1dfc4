// LIBSVM lines: labels, ids, values, comments, and the place of everything that is wrong.
#include "read_support.h"

static void libsvm__reads_labels_and_pairs(void **state) {
    job j = job_make(".svm", true);

    (void)state;
    expect(&j, "+1 3:1 7:1\n-1 2:1\n", "1@1 +1 3=1 7=1\n2@2 -1 2=1\n");
    expect(&j, "a 12345678:1 123456789:1 1234567890123:1\n",
           "1@1 a 12345678=1 123456789=1 1234567890123=1\n");
    expect(&j, "a 12345678901234:1 5:1\n", "1@1 a 12345678901234=1 5=1\n");
    expect(&j, "a 72048431380967004:1 99999999999999999999:2\n",
           "1@1 a 72048431380967004=1 99999999999999999999=2\n");
    expect(&j, "\xC3\xA9t\xC3\xA9 1:1\n", "1@1 \xC3\xA9t\xC3\xA9 1=1\n");
}

static void libsvm__writes_equal_features_alike(void **state) {
    job j = job_make(".svm", true);

    (void)state;
    expect(&j, "1 7:1 7:1.000 7 7:+1 07:1e0 007\n", "1@1 1 7=1 7=1 7=1 7=1 7=1 7=1\n");
    expect(&j, "1 0:1 00:1 000 0:0 0:-0 0:0.0\n", "1@1 1 0=1 0=1 0=1 0=0 0=0 0=0\n");
    expect(&j, "1 3:0.50 3:.5 3:5e-1 3:0.5\n", "1@1 1 3=0.5 3=0.5 3=0.5 3=0.5\n");
    expect(&j, "1 3:-2.50 3:1e300 3:1000000\n", "1@1 1 3=-2.5 3=1e300 3=1000000\n");
    expect(&j, "1 123456789012:1.5 000000123456789012:1.50\n",
           "1@1 1 123456789012=1.5 123456789012=1.5\n");
}

static void libsvm__accepts_blanks_comments_and_ends_of_line(void **state) {
    job j = job_make(".libsvm", true);

    (void)state;
    expect(&j, "  1  3:1\t\t7:1 \t\n", "1@1 1 3=1 7=1\n");
    expect(&j, "1 3:1 7:1 # words: 1:2\r\n# only words\n\n \t\r\n1 2:1#\n",
           "1@1 1 3=1 7=1\nEDATA 5:5 found '1#' as a value, expected a finite number\n");
    expect(&j, "  # nothing\n1 #\n0\n0 \n", "1@2 1\n2@3 0\n3@4 0\n");
    expect(&j, "1 3:1\r\n2 4:1\r\n", "1@1 1 3=1\n2@2 2 4=1\n");
    expect(&j, "1 3:1\n2 4:1", "1@1 1 3=1\n2@2 2 4=1\n");
    expect(&j, "1 3:2\r\n2 4:1\r", "1@1 1 3=2\n2@2 2 4=1\n");
    expect(&j,
           "\xEF\xBB\xBF"
           "1 3:1\n",
           "1@1 1 3=1\n");
}

static void libsvm__names_the_place_of_a_bad_token(void **state) {
    static const struct {
        const char *line, *wanted;
    } cases[] = {
        {"1 3:1 2x:1", "1:7 found '2x:1', expected id:value with an id of digits"},
        {"1 3:1 -2:1", "1:7 found '-2:1', expected id:value with an id of digits"},
        {"1 +2:1", "1:3 found '+2:1', expected id:value with an id of digits"},
        {"1 1e3:1", "1:3 found '1e3:1', expected id:value with an id of digits"},
        {"1 :1 2:1", "1:3 found ':1', expected id:value with an id of digits"},
        {"1 colour=red", "1:3 found 'colour=red', expected id:value with an id of digits"},
        {"1 14:Safari", "1:6 found 'Safari' as a value, expected a finite number"},
        {"1 14:", "1:6 found '' as a value, expected a finite number"},
        {"1 4:nan", "1:5 found 'nan' as a value, expected a finite number"},
        {"1 4:-inf", "1:5 found '-inf' as a value, expected a finite number"},
        {"1 4:1e400", "1:5 found '1e400' as a value, expected a finite number"},
        {"1 4:0x1p3", "1:5 found '0x1p3' as a value, expected a finite number"},
        {"1 4:1,5", "1:5 found '1,5' as a value, expected a finite number"},
        {"1 4:1_000", "1:5 found '1_000' as a value, expected a finite number"},
        {"1 4:1:1", "1:5 found '1:1' as a value, expected a finite number"},
        {"1 4:11x 5:1", "1:5 found '11x' as a value, expected a finite number"},
        {"1 qid:3 4:1", "1:3 found 'qid:3': query ids are not supported, expected id:value"},
        {"3:1 4:1", "1:1 found '3:1', expected a label before the features"},
        {"? 4:1", "1:1 found '?', which means missing, expected a label"},
        {"1 3:1\r4:1", "1:6 found a carriage return, expected it only before a newline"},
        {"1 3:\xE9", "1:5 found byte 0xe9, expected UTF-8 (option encoding names another)"},
        {"1 3\r4", "1:4 found a carriage return, expected it only before a newline"},
        {"1\r 3:1", "1:2 found a carriage return, expected it only before a newline"},
        {"a\xFF 3:1", "1:2 found byte 0xff, expected UTF-8 (option encoding names another)"},
        {"1 \xC3( 3:1", "1:3 found byte 0xc3, expected UTF-8 (option encoding names another)"},
        {"1 3:1 # \xC0\x80", "1:9 found byte 0xc0, expected UTF-8 (option encoding names another)"},
        {"1 3:1 # \xEF\xBB\xBF",
         "1:9 found a byte order mark, expected one only at the beginning of a file"},
    };
    job j = job_make(".svm", true);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[300], second[400], line[100];

        snprintf(wanted, sizeof wanted, "EDATA %s\n", cases[i].wanted);
        expect(&j, cases[i].line, wanted);
        // The same on the second line, after a good row, with CRLF.
        snprintf(line, sizeof line, "1 5:1\r\n%s\r\n1 6:1\r\n", cases[i].line);
        snprintf(second, sizeof second, "1@1 1 5=1\nEDATA 2%s\n", cases[i].wanted + 1);
        expect(&j, line, second);
    }
    EXPECT_BYTES(&j, "1 3:1\na\0b 3:1\n", "1@1 1 3=1\nEDATA 2:2 found a NUL byte, expected text\n");
    EXPECT_BYTES(&j, "1 3:1\0 4:1\n", "EDATA 1:6 found a NUL byte, expected text\n");
}

static void libsvm__hints_at_other_formats(void **state) {
    job j = job_make(".svm", true);

    (void)state;
    expect(&j, "a,b,label\n1,2,3\n",
           "EDATA 1:1 found 'a,b,label', expected one label without a comma (csv, or several "
           "labels of a case?); this looks like csv (option format csv)\n");
    expect(&j, "{\"a\": 1}\n",
           "EDATA 1:1 found '{\"a\":', expected a label before the features; this looks like jsonl "
           "(option format jsonl)\n");
    expect(&j, "1 2:1\n1,2 3:1\n",
           "1@1 1 2=1\nEDATA 2:1 found '1,2', expected one label without a comma (csv, or several "
           "labels of a case?)\n");
}

static void libsvm__needs_no_label_to_predict(void **state) {
    job j = job_make(".svm", false);

    (void)state;
    expect(&j, "3:1 4:1\n5 6:1\n? 7:1\n12:0.5\n",
           "1@1 - 3=1 4=1\n2@2 5 6=1\n3@3 - 7=1\n4@4 - 12=0.5\n");
    expect(&j, "qid:1 3:1\n",
           "EDATA 1:1 found 'qid:1': query ids are not supported, expected id:value\n");
    expect(&j, "", "");
}

static void libsvm__leaves_out_ignored_ids(void **state) {
    const char *const ignore[] = {"7", "12345678901234567"};
    job j = job_make(".svm", true);

    (void)state;
    j.options.ignore = ignore;
    j.options.ignore_count = 2;
    expect(&j, "1 7:1 8:1 7:3 12345678901234567:1 77:1\n1 7\n", "1@1 1 8=1 77=1\n2@2 1\n");
}

/** Text of a random number in one of many spellings. */
static size_t spell(char out[64], uint64_t *seed) {
    static const char *const odd[] = {"1",    "0",     "-0",   "1.0",    "0.001", "0.0001", "0.01",
                                      "0.05", "1e5",   "+3",   "123456", "1.50",  "0.1",    "10",
                                      ".5",   "00.50", "1e-9", "5e-324", "2.",    "0.00001"};
    int length;

    if (draw(seed, 3) == 0)
        return (size_t)snprintf(out, 64, "%s", odd[draw(seed, sizeof odd / sizeof *odd)]);
    if (draw(seed, 2) == 0)
        length = snprintf(out, 64, "%llu", (unsigned long long)draw(seed, 1000000000));
    else
        length = snprintf(out, 64, "%llu.%0*llu", (unsigned long long)draw(seed, 1000),
                          (int)(1 + draw(seed, 14)), (unsigned long long)draw(seed, 100000));
    return (size_t)length;
}

// The fast and the slow way must give what packing the canonical texts gives.
static void libsvm__packs_as_name_pack_does(void **state) {
    uint64_t seed = 11;
    job j = job_make(".svm", true);

    (void)state;
    print_message("seed 11\n");
    for (int round = 0; round < 300; round++) {
        text file = {NULL, 0, 0}, wanted = {NULL, 0, 0}, out = {NULL, 0, 0};

        text_print(&file, "L");
        text_print(&wanted, "1@1 L");
        for (int k = 0; k < 50; k++) {
            char id[40], value[64], number[HCBR_NUMBER_SIZE];
            size_t digits = 1 + draw(&seed, draw(&seed, 4) == 0 ? 22 : 9), length;
            double v;

            for (size_t d = 0; d < digits; d++)
                id[d] = (char)('0' + draw(&seed, 10));
            if (id[0] == '0')
                id[0] = '4';
            id[digits] = '\0';
            length = draw(&seed, 3) ? (size_t)sprintf(value, "1") : spell(value, &seed);
            assert_true(hcbr_number_parse(&v, value, length));
            hcbr_number_format(number, v == 0 ? 0 : v);
            text_print(&file, " %s%s:%s", draw(&seed, 9) == 0 ? "00" : "", id, value);
            text_print(&wanted, " %s=%s", id, number);
        }
        text_print(&file, "\n");
        text_print(&wanted, "\n");
        read_bytes(&out, file.at, file.length, &j); // text_name() compares with name_pack()
        assert_string_equal(out.at, wanted.at);
        text_free(&file);
        text_free(&wanted);
        text_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libsvm__reads_labels_and_pairs),
        cmocka_unit_test(libsvm__writes_equal_features_alike),
        cmocka_unit_test(libsvm__accepts_blanks_comments_and_ends_of_line),
        cmocka_unit_test(libsvm__names_the_place_of_a_bad_token),
        cmocka_unit_test(libsvm__hints_at_other_formats),
        cmocka_unit_test(libsvm__needs_no_label_to_predict),
        cmocka_unit_test(libsvm__leaves_out_ignored_ids),
        cmocka_unit_test(libsvm__packs_as_name_pack_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
