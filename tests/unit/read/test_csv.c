// CSV and TSV: headers, quoting, missing values, and the place of everything that is wrong.
#include "read/csv.h"

#include "read_support.h"

static void csv__takes_label_and_features_by_name(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,label,b\n1,x,2\n3,y,4\n", "1@2 x a=1 b=2\n2@3 y a=3 b=4\n");
    expect(&j, "class,y,b\nc,d,e\n", "1@2 d class=c b=e\n"); // y goes before class
    expect(&j, "outcome,target\nc,d\n", "1@2 d outcome=c\n");
    j.options.label = "b";
    j.options.id = "label";
    expect(&j, "a,label,b\n1,x,2\n1,,2\n", "1@2 2 [x] a=1\n2@3 2 a=1\n");
    j.ending = ".tsv";
    expect(&j, "a\tlabel\tb\n1, 2\t x\t\"q\tr\"\n", "1@2 q\tr [ x] a=1, 2\n");
}

static void csv__packs_values_of_every_length(void **state) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    job j = job_make(".csv", true);

    (void)state;
    for (size_t key = 1; key <= 20; key++)
        for (size_t value = 1; value <= 30; value++) {
            char file[200], wanted[200];

            snprintf(file, sizeof file, "%.*s,label\n%.*s,L\n", (int)key, letters, (int)value,
                     letters);
            snprintf(wanted, sizeof wanted, "1@2 L %.*s=%.*s\n", (int)key, letters, (int)value,
                     letters);
            expect(&j, file, wanted);
            snprintf(file, sizeof file, "label,%.*s\r\nL,\"%.*s\"", (int)key, letters, (int)value,
                     letters);
            expect(&j, file, wanted);
        }
}

static void csv__follows_quotes(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,label\n\"x,y\",1\n\"x\"\"y\",1\n\"\"\"\",1\n\"two\nlines\",1\nz,1\n",
           "1@2 1 a=x,y\n2@3 1 a=x\"y\n3@4 1 a=\"\n4@5 1 a=two\nlines\n5@7 1 a=z\n");
    expect(&j, "\"a\nb\",\"label\"\r\n\"c\r\nd\",\"1\"\r\n", "1@3 1 a\nb=c\r\nd\n");
    expect(&j, " a ,label\n x ,1\n", "1@2 1  a = x \n"); // nothing is trimmed
    expect(&j, "a,label\n=1+1,x\n+2,\"@y\"\n", "1@2 x a==1+1\n2@3 @y a=+2\n");
}

static void csv__treats_ends_of_line_alike(void **state) {
    static const char wanted[] = "1@2 1 a=x\n2@3 2 a=y\n";
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,label\nx,1\ny,2\n", wanted);
    expect(&j, "a,label\nx,1\ny,2", wanted);
    expect(&j, "a,label\r\nx,1\r\ny,2\r\n", wanted);
    expect(&j, "a,label\r\nx,1\ny,2\r", wanted);
    expect(&j,
           "\xEF\xBB\xBF"
           "a,label\nx,1\ny,2\n",
           wanted);
    expect(&j, "\n\r\na,label\n\nx,1\r\n\r\n\ny,2\n\n", "1@5 1 a=x\n2@8 2 a=y\n");
}

static void csv__leaves_out_missing_values(void **state) {
    static const char *const own[] = {"-", "none at all, sir", "?"};
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,b,label\n,?,1\nNA,NaN,1\nnull,\"\",1\n\"?\",n,1\nN,NAN,1\nnul,NULL,1\n",
           "1@2 1\n2@3 1\n3@4 1\n4@5 1 b=n\n5@6 1 a=N b=NAN\n6@7 1 a=nul b=NULL\n");
    j.options.na = own;
    j.options.na_count = 3;
    expect(&j, "a,b,label\n,-,1\n\"none at all, sir\",NA,1\n", "1@2 1 a=\n2@3 1 b=NA\n");
    j.options.na_count = 0;
    expect(&j, "a,b,label\n,?,1\n", "1@2 1 a= b=?\n");
    expect(&j, "a,b,label\n,?,\n", "EDATA 2:4 found '', which means missing, expected a label\n");
}

static void csv__names_columns_without_a_name_by_place(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,,label,\n1,2,3,4\n", "1@2 3 a=1 2=2 4=4\n");
    expect(&j, "2,,label\n1,2,3\n",
           "EDATA 1:3 found a second column '2', expected every name once\n");
    j.options.no_header = 1;
    j.options.label = "2";
    expect(&j, "x,1,\"y\nz\"\nu,2,v\n", "1@1 1 1=x 3=y\nz\n2@3 2 1=u 3=v\n");
    j.options.label = NULL;
    expect(&j, "x,1\n",
           "EDATA 1:1 found columns '1', '2', expected one named label, y, class, target or "
           "outcome, or the label's name (option label): without a header, columns are named by "
           "their place\n");
}

static void csv__names_the_place_of_what_is_wrong(void **state) {
    static const struct {
        const char *row, *wanted; // the row stands in line 3
    } rows[] = {
        {"1,2", "3:4 found 2 fields, expected 3"},
        {"1", "3:2 found 1 field, expected 3"},
        {" ", "3:2 found 1 field, expected 3"},
        {"1,2,3,4", "3:7 found more than 3 fields, expected 3"},
        {"1,2,3,", "3:7 found more than 3 fields, expected 3"},
        {"1,x\"y,3", "3:4 found a quote inside a field, expected the whole field in quotes and "
                     "this one doubled (option quote none takes quotes as they "
                     "stand)"},
        {"1,\"x\"y,3", "3:6 found 'y' after a closing quote, expected the delimiter or the end of "
                       "the line (option quote none takes quotes as they stand)"},
        {"\"a\nb\",\"x\" ,3", "4:7 found ' ' after a closing quote, expected the delimiter or the "
                              "end of the line (option quote none takes quotes as they "
                              "stand)"},
        {"1,x\ry,3", "3:4 found a carriage return, expected it only before a newline or in quotes"},
        {"1,\"x\"\r,3", "3:6 found '\\x0d' after a closing quote, expected the delimiter or the "
                        "end of the line (option quote none takes quotes as they "
                        "stand)"},
        {"1,?,3", "3:3 found '?', which means missing, expected a label"},
        {"1,,3", "3:3 found '', which means missing, expected a label"},
        {"1,2,\xFFx", "3:5 found byte 0xff, expected UTF-8 (option encoding names another)"},
        {"1,2,\"\n\xC3\"", "4:1 found byte 0xc3, expected UTF-8 (option encoding names another)"},
        {"1,caf\xE9,2", "3:6 found byte 0xe9, expected UTF-8 (option encoding names another)"},
        {"1,\xC0\xAF,2", "3:3 found byte 0xc0, expected UTF-8 (option encoding names another)"},
        {"1,2,\xEF\xBB\xBF", "3:5 found a byte order mark, expected one only at the beginning of a "
                             "file"},
    };
    job j = job_make(".csv", true);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[200], wanted[300];

        snprintf(file, sizeof file, "a,label,b\n7,8,9\n%s\n4,5,6\n", rows[i].row);
        snprintf(wanted, sizeof wanted, "1@2 8 a=7 b=9\nEDATA %s\n", rows[i].wanted);
        expect(&j, file, wanted);
        snprintf(file, sizeof file, "a,label,b\n7,8,9\n%s", rows[i].row); // no final newline
        expect(&j, file, wanted);
    }
    EXPECT_BYTES(&j, "a,label\n1,2\n3\0,4\n",
                 "1@2 2 a=1\nEDATA 3:2 found a NUL byte, expected text\n");
    expect(&j, "a,label\n1,2\n3,\"4\n5,6\n7,8\n",
           "1@2 2 a=1\nEDATA 3:3 found a quote that is never closed, expected another one "
           "(option quote none takes quotes as they stand)\n");
    expect(&j, "a,label\n\"1\n2\",\"4\n5,6\n",
           "EDATA 3:4 found a quote that is never closed, expected another one "
           "(option quote none takes quotes as they stand)\n");
}

static void csv__checks_the_header(void **state) {
    static const char *const ignore[] = {"b", "nope"};
    job j = job_make(".csv", true);

    (void)state;
    expect(&j, "a,label,b,a,b\n",
           "EDATA 1:11 found a second column 'a', expected every name once\n");
    expect(&j, "a,b\n1,2\n",
           "EDATA 1:1 found columns 'a', 'b', expected one named label, y, class, target or "
           "outcome, or the label's name (option label)\n");
    expect(&j, "a,l\"b\n",
           "EDATA 1:4 found a quote inside a field, expected the whole field in "
           "quotes and this one doubled (option quote none takes quotes as they stand)\n");
    expect(&j, "a,\"label\n",
           "EDATA 1:3 found a quote that is never closed, expected another one "
           "(option quote none takes quotes as they stand)\n");
    expect(&j, "\na,\xFF\n",
           "EDATA 2:3 found byte 0xff, expected UTF-8 (option encoding names another)\n");
    j.options.label = "c";
    expect(&j, "a,b\n1,2\n", "EDATA 1:1 found columns 'a', 'b', expected 'c' (option label)\n");
    j.labelled = false;
    expect(&j, "a,b\n1,2\n", "1@2 - a=1 b=2\n");
    expect(&j, "a,c\n1,2\n1,?\n", "1@2 2 a=1\n2@3 - a=1\n");
    j.options.id = "d";
    expect(&j, "a,b\n1,2\n", "EDATA 1:1 found columns 'a', 'b', expected 'd' (option id)\n");
    j.options.id = NULL;
    j.options.ignore = ignore;
    j.options.ignore_count = 1;
    expect(&j, "a,b\n1,2\n", "1@2 - a=1\n");
    j.options.ignore_count = 2;
    expect(&j, "a,b\n1,2\n", "EDATA 1:1 found columns 'a', 'b', expected 'nope' (option ignore)\n");
}

static void csv__finds_no_label_among_columns_with_another_use(void **state) {
    static const char *const ignore[] = {"label"};
    job j = job_make(".csv", true);

    (void)state;
    j.options.ignore = ignore;
    j.options.ignore_count = 1;
    j.options.id = "y";
    expect(&j, "label,y,class\n1,2,3\n", "1@2 3 [2]\n");
}

static void csv__lists_only_as_many_columns_as_fit(void **state) {
    job j = job_make(".csv", true);
    text file = {NULL, 0, 0}, out = {NULL, 0, 0};

    (void)state;
    for (int i = 0; i < 200; i++)
        text_print(&file, "%scolumn%d", i == 0 ? "" : ",", i);
    read_bytes(&out, file.at, file.length, &j);
    assert_non_null(strstr(out.at, "'column0', 'column1'"));
    assert_non_null(strstr(out.at, "(200 in all), expected one named label"));
    assert_non_null(strstr(out.at, "(option label)"));
    text_free(&file);
    text_free(&out);
}

static void csv__refuses_other_formats(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    expect(
        &j, "1 3:1 7:1\n",
        "EDATA 1:1 found '1 3:1 7:1', which looks like libsvm, expected csv (option format libsvm "
        "reads the other)\n");
    expect(&j, "{\"label\": 1, \"a\": 2}\r\n",
           "EDATA 1:1 found '{\"label\": 1, \"a\": 2}', which looks like jsonl, expected csv "
           "(option format jsonl reads the other)\n");
    expect(&j, "label,day 10:30\n1,2\n", "1@2 1 day 10:30=2\n");
    expect(&j, "label\ta\n1\t2\n",
           "EDATA 1:1 found 'label\\x09a', which looks like tsv, expected csv (option format tsv "
           "reads "
           "the other)\n");
    j.ending = ".tsv";
    expect(&j, "label,a\n1,2\n",
           "EDATA 1:1 found 'label,a', which looks like csv, expected tsv (option format csv reads "
           "the "
           "other)\n");
    expect(&j, "label\ta,b\n1\t2\n", "1@2 1 a,b=2\n");
    expect(
        &j, "1\t3:1\t7:1\n",
        "EDATA 1:1 found '1\\x093:1\\x097:1', which looks like libsvm, expected tsv (option format "
        "libsvm reads the other)\n");
}

static void csv__splits_at_the_delimiter_asked_for(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    j.options.delimiter = ';';
    expect(&j, "a;label\n1,5;x\n\"2;3\";y\n", "1@2 x a=1,5\n2@3 y a=2;3\n");
    j.options.delimiter = 1;
    expect(&j, "a\001label\n1\t5\001x\n", "1@2 x a=1\t5\n");
    for (const char *c = "\"\n\r\x7F"; *c != '\0'; c++) {
        text out = {NULL, 0, 0};

        j.options.delimiter = *c;
        assert_int_equal(read_bytes(&out, "", 0, &j), HCBR_EUSAGE);
        assert_non_null(strstr(out.at, "option delimiter"));
        text_free(&out);
    }
}

static void csv__reads_each_file_by_its_own_header(void **state) {
    char one[64], two[64], three[64];
    const char *paths[] = {one, two};
    job j = job_make(".csv", true);
    text out = {NULL, 0, 0};

    (void)state;
    write_file(one, ".csv", "a,y,b\n1,p,2\n", 12);
    write_file(two, ".csv", "\xEF\xBB\xBFlabel,b,c,y\n5,6,7,q\n", 22);
    write_file(three, ".csv", "b,label\n5,6\n", 12);
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_OK);
    assert_string_equal(out.at, "1@2 p a=1 b=2\n2@2 q label=5 b=6 c=7\n"); // y stays the label
    text_free(&out);
    paths[1] = three;
    assert_int_equal(read_paths(&out, paths, 2, &j), HCBR_EDATA);
    assert_string_equal(out.at,
                        "1@2 p a=1 b=2\n"
                        "EDATA 1:1 found columns 'b', 'label', expected 'y' (option label)\n");
    text_free(&out);
    unlink(one);
    unlink(two);
    unlink(three);
}

static void csv__tells_the_columns_of_the_current_file(void **state) {
    char one[64], two[64];
    const char *paths[] = {one, two};
    hcbr_i_reader *r;
    const hcbr_i_block *block;
    const hcbr_i_text *columns;
    size_t count;
    uint64_t first, second;
    hcbr_read_options options;

    (void)state;
    hcbr_read_options_init(&options);
    options.id = "i";
    write_file(one, ".csv", "a,y,i,bb\n1,p,2,3\n", 17);
    write_file(two, ".csv", "i,c,y\n1,p,2\n", 12);
    assert_int_equal(hcbr_i_reader_create(&r, paths, 2, &options, true, NULL), HCBR_OK);
    hcbr_i_reader_columns(r, &count, &first);
    assert_int_equal(count, 0);
    assert_int_equal(first, 0);
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    columns = hcbr_i_reader_columns(r, &count, &first);
    assert_int_equal(count, 2);
    assert_true(first > 0);
    assert_int_equal(columns[0].length, 1);
    assert_memory_equal(columns[0].at, "a", 1);
    assert_int_equal(columns[1].length, 2);
    assert_memory_equal(columns[1].at, "bb", 2);
    assert_string_equal(hcbr_i_reader_label_name(r), "y");
    assert_string_equal(hcbr_i_reader_file(r), one);
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    columns = hcbr_i_reader_columns(r, &count, &second);
    assert_int_equal(count, 1);
    assert_memory_equal(columns[0].at, "c", 1);
    assert_true(second != first && second != 0);
    assert_string_equal(hcbr_i_reader_file(r), two);
    assert_int_equal(hcbr_i_reader_next(r, &block, NULL), HCBR_OK);
    assert_null(block);
    assert_int_equal(hcbr_i_reader_bytes(r), 29);
    hcbr_i_reader_free(r);
    unlink(one);
    unlink(two);
}

/** What hcbr_i_csv_whole() must say: byte by byte, by the rules of quotes. */
static size_t whole_records(const char *bytes, size_t size, char delimiter) {
    enum { START, PLAIN, QUOTES, CLOSED, BAD } where = START;
    size_t whole = 0;

    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];

        if (where == QUOTES) {
            where = c == '"' ? CLOSED : QUOTES;
        } else if (c == '\n') {
            where = START;
            whole = i + 1;
        } else if (c == '"') {
            where = where == START || where == CLOSED ? QUOTES : BAD;
        } else if (where != BAD) {
            where = c == delimiter ? START : where == CLOSED ? BAD : PLAIN;
        }
    }
    return whole;
}

static void csv__tells_where_whole_records_end(void **state) {
    static const char letters[] = "a,\"\n\"\n,;\r";
    uint64_t seed = 99;

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 200000; i++) {
        hcbr_i_csv csv = {.delimiter = draw(&seed, 4) ? ',' : ';'};
        size_t size = draw(&seed, 24);
        char *bytes = malloc(size + 1); // its own block: the sanitizer sees what is read beyond

        assert_non_null(bytes);
        for (size_t n = 0; n < size; n++)
            bytes[n] = letters[draw(&seed, sizeof letters - 1)];
        assert_int_equal(hcbr_i_csv_whole(&csv, bytes, size),
                         whole_records(bytes, size, csv.delimiter));
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv__takes_label_and_features_by_name),
        cmocka_unit_test(csv__packs_values_of_every_length),
        cmocka_unit_test(csv__follows_quotes),
        cmocka_unit_test(csv__treats_ends_of_line_alike),
        cmocka_unit_test(csv__leaves_out_missing_values),
        cmocka_unit_test(csv__names_columns_without_a_name_by_place),
        cmocka_unit_test(csv__names_the_place_of_what_is_wrong),
        cmocka_unit_test(csv__checks_the_header),
        cmocka_unit_test(csv__finds_no_label_among_columns_with_another_use),
        cmocka_unit_test(csv__lists_only_as_many_columns_as_fit),
        cmocka_unit_test(csv__refuses_other_formats),
        cmocka_unit_test(csv__splits_at_the_delimiter_asked_for),
        cmocka_unit_test(csv__reads_each_file_by_its_own_header),
        cmocka_unit_test(csv__tells_the_columns_of_the_current_file),
        cmocka_unit_test(csv__tells_where_whole_records_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
