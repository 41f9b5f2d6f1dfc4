// Every allocation and every call to the system made to fail in turn, once and from then on: the
// reader says so and leaves nothing behind (the sanitizer looks for leaks).
#include "read_support.h"
#include "words_support.h"

/** Files of a format that between them need every kind of memory the reader has. */
typedef struct input {
    char paths[2][64];
    job j;
} input;

static void make_input(input *in, const char *ending, const char *bytes, size_t long_line) {
    text second = {NULL, 0, 0};

    in->j = job_make(ending, true);
    in->j.options.bad_rows = HCBR_BAD_ROWS_SKIP;
    write_file(in->paths[0], ending, bytes, strlen(bytes));
    text_print(&second, "%s", bytes);
    for (size_t i = 0; i < long_line; i++)
        text_print(&second, "%s%zu:1", i == 0 ? "9 " : " ", i);
    write_file(in->paths[1], ending, second.at, second.length);
    text_free(&second);
}

static hcbr_status run(text *out, const input *in) {
    const char *paths[] = {in->paths[0], in->paths[1]};

    return read_paths(out, paths, 2, &in->j);
}

/** Fail the n-th call for every n until a run needs fewer. Returns how many calls there are. */
static uint64_t fail_each(const input *in, hcbr_i_fault_kind kind, bool on) {
    hcbr_status expected = kind == HCBR_I_FAULT_ALLOC ? HCBR_ENOMEM : HCBR_EIO;
    text good = {NULL, 0, 0};

    hcbr_i_fault_arm(kind, 0, false);
    assert_int_equal(run(&good, in), HCBR_OK);
    for (uint64_t n = 1;; n++) {
        text out = {NULL, 0, 0};
        hcbr_status st;
        uint64_t calls;

        hcbr_i_fault_arm(kind, n, on);
        st = run(&out, in);
        calls = hcbr_i_fault_count(kind);
        hcbr_i_fault_arm(kind, 0, false);
        if (calls < n) {
            assert_int_equal(st, HCBR_OK);
            assert_string_equal(out.at, good.at);
            text_free(&out);
            text_free(&good);
            return n - 1;
        }
        assert_int_equal(st, expected);
        text_free(&out);
    }
}

static void check(const char *ending, const char *bytes, size_t long_line, const char *id) {
    static const char *const ignore[] = {"skip"};
    input in;

    make_input(&in, ending, bytes, long_line);
    in.j.options.id = id;
    if (id != NULL) {
        in.j.options.ignore = ignore;
        in.j.options.ignore_count = 1;
    }
    for (int on = 0; on < 2; on++) {
        assert_true(fail_each(&in, HCBR_I_FAULT_ALLOC, on) >= 8);
        assert_true(fail_each(&in, HCBR_I_FAULT_IO, on) >= 4);
    }
    unlink(in.paths[0]);
    unlink(in.paths[1]);
}

static void faults__are_reported_by_libsvm(void **state) {
    (void)state;
    check(".svm",
          "1 3:1 007:2.50 12345678901234567:1.50\n2 4:x\n3\n4\n5\n6\n7\n8\n9\n10\n"
          "1 1 2 3 4 5 6 7 8 9 10 11:1234567890123\n",
          70000, NULL);
}

static void faults__are_reported_by_csv(void **state) {
    (void)state;
    check(".csv",
          "label,who,skip,\"a \"\"long\"\" name of a column\",b,c,d,e,f,g,h\n"
          "1,x,y,\"a \"\"long\"\" value\",1,2,3,4,5,6,7\n"
          "2,\"x\"\"\",y,b\n"
          "3,x,y,,,?,,,\"\"\"a value that is longer\",,\n",
          0, "who");
}

static void faults__are_reported_by_jsonl(void **state) {
    (void)state;
    check(".jsonl",
          "{\"label\": \"x\", \"who\": \"a\\u0041\", \"k\": {\"l\": [1, \"a long value \\n of "
          "it\"]}}\n"
          "{\"label\": \"x\", \"who\": 2, \"k\": }\n"
          "{\"label\": true, \"who\": \"b\", \"skip\": 1, \"k\": {\"l\": 2}}\n",
          0, "who");
}

/** The same with sets, texts, presence, and labels in a file of their own. */
static void check_words(const char *ending, const char *bytes, bool columns, const char *labels) {
    static const hcbr_split split = {"a set of parts", "|"};
    static const char *const texts[] = {"text"}, *const presence[] = {"there"};
    char path[64];
    input in;

    make_input(&in, ending, bytes, 0);
    write_file(path, "", labels, strlen(labels));
    in.j.options.outcomes = labels[0] != '\0' ? path : NULL;
    in.j.options.words = test_words;
    in.j.options.ngrams = 2;
    if (columns) {
        in.j.options.split = &split;
        in.j.options.text = texts;
        in.j.options.presence = presence;
        in.j.options.split_count = in.j.options.text_count = in.j.options.presence_count = 1;
    }
    for (int on = 0; on < 2; on++) {
        assert_true(fail_each(&in, HCBR_I_FAULT_ALLOC, on) >= 8);
        assert_true(fail_each(&in, HCBR_I_FAULT_IO, on) >= 4);
    }
    unlink(in.paths[0]);
    unlink(in.paths[1]);
    unlink(path);
}

static void faults__are_reported_by_names(void **state) {
    static const char names[] = "label_name\tclass\nlabel\t1\tone\nfeature\t3\ta\\tkey\tvalue\n"
                                "feature\t4\ta long key of many bytes\tvalue\ncase\t2\tAnn\n";
    char path[64];
    input in;

    (void)state;
    make_input(&in, ".svm", "1 3:1\n1 4 3\n1 5\n", 0);
    write_file(path, ".names", names, sizeof names - 1);
    in.j.options.names = path;
    for (int on = 0; on < 2; on++) {
        assert_true(fail_each(&in, HCBR_I_FAULT_ALLOC, on) >= 12);
        assert_true(fail_each(&in, HCBR_I_FAULT_IO, on) >= 7);
    }
    unlink(in.paths[0]);
    unlink(in.paths[1]);
    unlink(path);
}

static void faults__are_reported_by_texts_and_sets(void **state) {
    (void)state;
    check_words(".csv",
                "label,a set of parts,text,there\n"
                "1,x|y|a part that is long,\"some words \"\"and\"\" some more of the words\",1\n"
                "2,x\n3,,a b c d e f g h i j k l m n o p q r s t u v w x y z,\n",
                true, "");
    check_words(
        ".jsonl",
        "{\"label\":1,\"text\":[\"a\\u0020b\",\"a long word: parallelogram\"],\"there\":1}\n"
        "{\"a set of parts\":\"x|y\",\"text\":\"z\"}\n",
        true, "x\ny\nz\nu\n");
    check_words(".txt", "a\tsome words of a text, and a parallelogram\nb\n", false, "");
    check_words(".cases", "1 22 333 anamethatisratherlong\nb\n", false, "x\ny\nz\nu\n");
}

static void faults__are_reported_by_joined_sources(void **state) {
    static const char *const sources[] = {
        "id,a,a column of many bytes\n1,x,a value of many bytes\n2,y,z\n2,y2,\n,n,n\n",
        "{\"id\":[1,2],\"k\":{\"l\":\"a long value of it\"}}\n{\"id\":3,\"b\":[1,2]}\n"};
    static const char *const ignore[] = {"id", "t.b"};
    char paths[2][64];
    hcbr_join join[2];
    input in;

    (void)state;
    make_input(&in, ".csv", "label,id,c\nx,1,2\ny,2,\nx,,a value of many bytes\ny,1\n", 0);
    for (int i = 0; i < 2; i++) {
        write_file(paths[i], i == 0 ? ".csv" : ".jsonl", sources[i], strlen(sources[i]));
        join[i] = (hcbr_join){paths[i], "id", i == 0 ? "s" : "t"};
    }
    in.j.options.join = join;
    in.j.options.join_count = 2;
    in.j.options.ignore = ignore;
    in.j.options.ignore_count = 2;
    for (int on = 0; on < 2; on++) {
        assert_true(fail_each(&in, HCBR_I_FAULT_ALLOC, on) >= 30);
        assert_true(fail_each(&in, HCBR_I_FAULT_IO, on) >= 12);
    }
    for (int i = 0; i < 2; i++) {
        unlink(in.paths[i]);
        unlink(paths[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults__are_reported_by_libsvm),
        cmocka_unit_test(faults__are_reported_by_csv),
        cmocka_unit_test(faults__are_reported_by_jsonl),
        cmocka_unit_test(faults__are_reported_by_texts_and_sets),
        cmocka_unit_test(faults__are_reported_by_names),
        cmocka_unit_test(faults__are_reported_by_joined_sources),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
