/* The JSON Lines parser over many rows: keys that are remembered, labels, memory that runs out. */
#include "jsonl_support.h"

/* ---- keys over many lines ----------------------------------------------------------------------
 */

static void jsonl__remembers_keys_without_mixing_them_up(void **state) {
    (void)state;
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    expect_row(&b, "{\"a\":1,\"b\":2,\"c\":{\"a\":3}}", "a=1|b=2|c.a=3|");
    expect_row(&b, "{\"a\":1,\"b\":2,\"c\":{\"a\":3}}", "a=1|b=2|c.a=3|");
    expect_row(&b, "{\"a\":1,\"c\":{\"a\":3},\"b\":2}", "a=1|c.a=3|b=2|");
    expect_row(&b, "{\"ab\":1,\"b\":2}", "ab=1|b=2|");
    expect_row(&b, "{\"a\":1,\"bb\":2}", "a=1|bb=2|");
    expect_row(&b, "{\"a\\\"b\":1,\"c\":2}", "a\"b=1|c=2|");
    expect_row(&b, "{\"a\\\"b\":1,\"c\":2}", "a\"b=1|c=2|");
    // the text of the key before stands here as it is, which is no JSON
    assert_int_equal(bench_row(&b, "{\"a\"b\":1,\"c\":2}", 15), HCBR_EDATA);
    assert_int_equal(b.err.column, 5);
    expect_row(&b, "{\"a\\nb\":1}", "a\nb=1|");
    expect_row(&b, "{\"\\u0061\":1}", "a=1|");
    expect_row(&b, "{\"a\":1}", "a=1|");
    // a key of many bytes is compared in words: one that differs in each byte
    char line[64] = "{\"0123456789abcdefghij\":1}", text[64] = "0123456789abcdefghij=1|";
    for (size_t i = 0; i < 20; i++) {
        expect_row(&b, "{\"0123456789abcdefghij\":1}", "0123456789abcdefghij=1|");
        line[2 + i] = text[i] = 'X';
        expect_row(&b, line, text);
        line[2 + i] = text[i] = "0123456789abcdefghij"[i];
    }
    bench_clear(&b);
}

/** Many keys in an object, and many more over the blocks than are remembered. */
static void jsonl__finds_duplicates_among_many_keys(void **state) {
    (void)state;
    enum { KEYS = 200000 };
    char *line = malloc(24 * KEYS);
    assert_non_null(line);
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    for (size_t round = 0; round < 3; round++) {
        size_t n = 0;
        for (size_t i = 0; i < KEYS; i++)
            n += (size_t)sprintf(line + n, "%c\"%zu:%zu\":1", i == 0 ? '{' : ',', round, i);
        line[n++] = '}';
        assert_int_equal(bench_row(&b, line, n), HCBR_OK);
        assert_int_equal(b.block.name_count, KEYS);
        n--;
        size_t column = n + 2;
        n += (size_t)sprintf(line + n, ",\"%zu:%d\":1}", round, KEYS / 3);
        assert_int_equal(bench_row(&b, line, n), HCBR_EDATA);
        assert_int_equal(b.err.column, column);
    }
    bench_clear(&b);
    free(line);
}

/* ---- labels ------------------------------------------------------------------------------------
 */

static void jsonl__finds_the_label_by_the_usual_names(void **state) {
    (void)state;
    static const char *const names[] = {"label", "y", "class", "target", "outcome"};
    for (size_t from = 0; from < 5; from++) {
        bench b;
        char line[128] = "{", text[128] = "";
        size_t n = 1, m = 0;
        for (size_t i = 5; i-- > from;) { // the least wanted first
            n += (size_t)sprintf(line + n, "\"%s\":%zu%s", names[i], i, i == from ? "}" : ",");
            if (i != from)
                m += (size_t)sprintf(text + m, "%s=%zu|", names[i], i);
        }
        sprintf(text + m, "L:%zu|", from);
        assert_int_equal(bench_init(&b, NULL, true), HCBR_OK);
        expect_row(&b, line, text);
        assert_string_equal(b.p.label_name, names[from]);
        bench_clear(&b);
    }
}

static void jsonl__keeps_the_label_of_the_first_good_row(void **state) {
    (void)state;
    bench b;
    assert_int_equal(bench_init(&b, NULL, true), HCBR_OK);
    assert_int_equal(bench_row(&b, "{\"a\":1}", 7), HCBR_EDATA);
    assert_int_equal(b.err.column, 1);
    assert_non_null(strstr(b.err.message, "option label"));
    // rows that cannot be used decide nothing
    assert_int_equal(bench_row(&b, "{\"label\":1,}", 12), HCBR_EDATA);
    assert_int_equal(bench_row(&b, "{\"label\":null}", 14), HCBR_EDATA);
    assert_int_equal(b.err.column, 10);
    assert_int_equal(bench_row(&b, "{\"label\":{}}", 12), HCBR_EDATA);
    assert_null(b.p.label_name);
    expect_row(&b, "{\"class\":\"c\",\"a\":1}", "a=1|L:c|");
    assert_string_equal(b.p.label_name, "class");
    expect_row(&b, "{\"label\":\"l\",\"class\":\"c\"}", "label=l|L:c|");
    assert_int_equal(bench_row(&b, "{\"label\":\"l\"}", 13), HCBR_EDATA);
    assert_non_null(strstr(b.err.message, "'class'"));
    assert_non_null(strstr(b.err.message, "option label"));
    assert_int_equal(bench_row(&b, "{\"class\":\"?\"}", 13), HCBR_EDATA);
    assert_int_equal(b.err.column, 10);
    bench_clear(&b);
}

static void jsonl__needs_no_label_to_predict(void **state) {
    (void)state;
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    expect_row(&b, "{\"a\":1}", "a=1|");
    assert_null(b.p.label_name);
    expect_row(&b, "{\"a\":1,\"y\":2}", "a=1|L:2|");
    expect_row(&b, "{\"a\":1}", "a=1|");
    expect_row(&b, "{\"y\":null,\"a\":1}", "a=1|");
    bench_clear(&b);

    hcbr_read_options options = options_with("a.b", NULL, NULL, 0);
    assert_int_equal(bench_init(&b, &options, true), HCBR_OK);
    expect_row(&b, "{\"a\":{\"b\":\"x\",\"c\":1},\"y\":2}", "a.c=1|y=2|L:x|");
    assert_string_equal(b.p.label_name, "a.b");
    expect_row(&b, "{\"a.b\":false}", "L:false|");
    assert_int_equal(bench_row(&b, "{\"a\":1}", 7), HCBR_EDATA);
    assert_non_null(strstr(b.err.message, "'a.b'"));
    bench_clear(&b);
}

/** A label found by another format (an earlier file) holds here too. */
static void jsonl__uses_the_label_name_found_before(void **state) {
    (void)state;
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    expect_row(&b, "{\"target\":1,\"z\":2}", "z=2|L:1|");
    bench_clear(&b);
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    expect_row(&b, "{\"z\":2}", "z=2|");
    assert_true(hcbr_i_parser_name_label(&b.p, "z", 1));
    expect_row(&b, "{\"target\":1,\"z\":2}", "target=1|L:2|");
    bench_clear(&b);
}

static void jsonl__takes_the_missing_values_given(void **state) {
    (void)state;
    static const char *const na[] = {"-", "n/a"};
    hcbr_read_options options = options_with(NULL, NULL, NULL, 0);
    options.na = na;
    options.na_count = 2;
    bench b;
    assert_int_equal(bench_init(&b, &options, false), HCBR_OK);
    expect_row(&b, "{\"a\":\"-\",\"b\":\"n/a\",\"c\":\"\",\"d\":\"?\",\"e\":\"n\\/a\"}", "c=|d=?|");
    expect_row(&b, "{\"features\":[\"-\",\"?\"]}", "!?|");
    assert_int_equal(bench_row(&b, "{\"features\":[\"\"]}", 17), HCBR_EDATA);
    assert_int_equal(b.err.column, 14);
    bench_clear(&b);
}

/* ---- memory ------------------------------------------------------------------------------------
 */

/** Parse some rows from the start; what fails must say that memory is short. */
static hcbr_status rows_with_faults(uint64_t n, bool on) {
    static const char *const rows[] = {
        "{\"a\":1,\"label\":\"x\",\"n\":{\"a long inner key\":[\"\\u00e9 a long "
        "value\",{\"k\":[[1]]}]}}",
        "{\"features\":[\"one\",\"a long proposition of words\"],\"label\":\"\\u0041\"}",
    };
    char many[4096] = "{\"label\":1";
    size_t length = strlen(many);
    for (int i = 0; i < 200; i++)
        length += (size_t)sprintf(many + length, ",\"key%d\":%d", i, i);
    length += (size_t)sprintf(many + length, "}");
    bench b;
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    hcbr_status st = bench_init(&b, NULL, true);
    assert_int_equal(st, HCBR_OK);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, on);
    for (size_t i = 0; i < 2 && st == HCBR_OK; i++)
        st = bench_row(&b, rows[i], strlen(rows[i]));
    if (st == HCBR_OK)
        st = bench_row(&b, many, length);
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    if (st != HCBR_OK) {
        assert_int_equal(st, HCBR_ENOMEM);
        assert_int_equal(b.err.status, HCBR_ENOMEM);
        // and the parser can go on once there is memory again
        expect_row(&b, "{\"q\":1,\"label\":2}", "q=1|L:2|");
    }
    bench_clear(&b);
    return st;
}

static void jsonl__survives_every_failing_allocation(void **state) {
    (void)state;
    for (int on = 0; on < 2; on++) {
        uint64_t n = 1;
        while (rows_with_faults(n, on != 0) != HCBR_OK) {
            n++;
            assert_true(n < 1000);
        }
        assert_true(n > 10); // there were that many to fail
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jsonl__remembers_keys_without_mixing_them_up),
        cmocka_unit_test(jsonl__finds_duplicates_among_many_keys),
        cmocka_unit_test(jsonl__finds_the_label_by_the_usual_names),
        cmocka_unit_test(jsonl__keeps_the_label_of_the_first_good_row),
        cmocka_unit_test(jsonl__needs_no_label_to_predict),
        cmocka_unit_test(jsonl__uses_the_label_name_found_before),
        cmocka_unit_test(jsonl__takes_the_missing_values_given),
        cmocka_unit_test(jsonl__survives_every_failing_allocation),
    };
    return cmocka_run_group_tests_name("jsonl_rows", tests, NULL, NULL);
}
