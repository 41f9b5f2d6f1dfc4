/*
 * The case base: what is counted, where cases came from and what they are called, over several
 * calls that add, read and fail.
 */
#include "add_case.h"
#include "cases/cases.h"

#include <hcbr/columns.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static hcbr_cases *make(void) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    cases->formed = true; // spelled: test_numbers.c has those that stand apart
    return cases;
}

/* Add a case of bare keys, one for each letter of `keys`. */
static hcbr_status add(hcbr_cases *cases, const char *keys, const char *label, const char *id) {
    hcbr_feature features[32];
    size_t count = strlen(keys);
    for (size_t n = 0; n < count; n++)
        features[n] = (hcbr_feature){keys + n, 1, NULL, 0};
    return add_one_case(cases, features, count, label, id, NULL);
}

/* Read one csv text, bad rows left out, names of cases in column `id` if there is one. */
static hcbr_status read_csv(hcbr_cases *cases, const char *text) {
    char path[64];
    static unsigned number;
    const char *paths[] = {path};
    hcbr_read_options o;
    snprintf(path, sizeof path, "/tmp/hcbr-cases-%ld-%u.csv", (long)getpid(), number++);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    fclose(f);
    hcbr_read_options_init(&o);
    o.bad_rows = HCBR_BAD_ROWS_SKIP;
    o.id = strncmp(text, "id,", 3) ? NULL : "id";
    hcbr_status st = hcbr_cases_read(cases, paths, 1, &o, NULL);
    unlink(path);
    return st;
}

static uint64_t row_of(const hcbr_cases *cases, uint32_t i) {
    return cases->row ? cases->row[i] : (uint64_t)i + 1;
}

static void expect_id(const hcbr_cases *cases, uint32_t i, const char *id) {
    size_t length = cases->id_start ? (size_t)(cases->id_start[i + 1] - cases->id_start[i]) : 0;
    assert_int_equal(length, strlen(id));
    if (length)
        assert_memory_equal(cases->ids + cases->id_start[i], id, length);
}

static void cases__are_sets_in_order_of_appearance(void **state) {
    (void)state;
    hcbr_cases *cases = make();
    assert_int_equal(add(cases, "cab", "y", NULL), HCBR_OK);
    assert_int_equal(add(cases, "", "x", NULL), HCBR_OK);
    assert_int_equal(add(cases, "bdbcd", "y", NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_count(cases), 3);
    assert_int_equal(hcbr_cases_get_info(cases).empty, 1);
    assert_int_equal(hcbr_cases_get_info(cases).features, 4);
    assert_int_equal(hcbr_cases_get_info(cases).occurrences, 6);
    assert_int_equal(hcbr_cases_get_info(cases).labels, 2);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    const uint64_t start[] = {0, 3, 3, 6};
    const uint32_t features[] = {0, 1, 2, 2, 3, 0}, label[] = {1, 0, 1};
    assert_memory_equal(cases->start, start, sizeof start);
    assert_memory_equal(cases->features, features, sizeof features);
    assert_memory_equal(cases->label, label, sizeof label);
    assert_string_equal(cases->labels.names[0], "x");
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK); /* does nothing */
    assert_memory_equal(cases->label, label, sizeof label);
    hcbr_cases_free(cases);
}

static void cases__know_their_rows(void **state) {
    (void)state;
    static const uint64_t expected[] = {1, 2, 4, 5, 7, 8, 9};
    hcbr_cases *cases = make();
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_int_equal(read_csv(cases, "label,a\nx,1\nx\ny,2\n"), HCBR_OK); /* row 3 is bad */
    assert_int_equal(read_csv(cases, "label,a\nx,1\nx,1,1\n"), HCBR_OK);  /* so is row 6 */
    assert_int_equal(read_csv(cases, "label,a\nx,1\n"), HCBR_OK);
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_count(cases), 7);
    assert_int_equal(hcbr_cases_get_info(cases).skipped, 2);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(row_of(cases, i), expected[i]);
    hcbr_cases_free(cases);
}

static void cases__count_bytes_of_files(void **state) {
    (void)state;
    hcbr_cases *cases = make();
    assert_int_equal(hcbr_cases_get_info(cases).bytes, 0);
    assert_int_equal(read_csv(cases, "label,a\nx,1\n"), HCBR_OK);
    assert_int_equal(read_csv(cases, "label,a\ny,10\n"), HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).bytes, 12 + 13);
    hcbr_cases_free(cases);
}

static void cases__keep_their_names(void **state) {
    (void)state;
    static const char *const expected[] = {"", "one", "", "r1", "r2", "", "two"};
    hcbr_cases *cases = make();
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_null(cases->id_start); /* nothing is stored before there is one */
    assert_int_equal(add(cases, "a", "x", "one"), HCBR_OK);
    assert_int_equal(read_csv(cases, "label,a\nx,1\n"), HCBR_OK);
    assert_int_equal(read_csv(cases, "id,label,a\nr1,x,1\nr2,x,2\n"), HCBR_OK);
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_int_equal(add(cases, "a", "x", "two"), HCBR_OK);
    for (uint32_t i = 0; i < 7; i++)
        expect_id(cases, i, expected[i]);
    hcbr_cases_free(cases);
}

static void cases__remember_the_name_of_the_label(void **state) {
    (void)state;
    hcbr_cases *cases = make();
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_null(cases->label_name);
    assert_int_equal(read_csv(cases, "a,class\n1,x\n"), HCBR_OK);
    assert_int_equal(read_csv(cases, "a,y\n1,x\n"), HCBR_OK);
    assert_string_equal(cases->label_name, "class"); /* the first file decides */
    hcbr_cases_free(cases);
}

/* Features with long names in one file, read as one block, again and again. */
static void cases__share_long_names(void **state) {
    (void)state;
    hcbr_cases *cases = make();
    assert_int_equal(read_csv(cases, "label,a column with a long name,b\nx,some long value,1\n"
                                     "y,some long value,1\nx,short,1\nx,some long value,2\n"),
                     HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).features, 4);
    const uint32_t features[] = {0, 1, 0, 1, 2, 1, 0, 3};
    assert_memory_equal(cases->features, features, sizeof features);
    assert_int_equal(hcbr_i_dict_key_count(cases->dict), 2);
    assert_int_equal(hcbr_i_dict_key(cases->dict, 1).length, 1);
    hcbr_cases_free(cases);
}

static void cases__refuse_what_is_no_text(void **state) {
    (void)state;
    static const hcbr_feature bad[] = {
        {"a\0b", 3, NULL, 0}, {"a\xFF", 2, NULL, 0}, {"a", 1, "\xC3", 1}, {"a", 1, "\0", 1}};
    const hcbr_feature good = {"a", 1, NULL, 0};
    hcbr_cases *cases = make();
    hcbr_error err;
    for (size_t n = 0; n < 4; n++) {
        const hcbr_feature pair[] = {good, bad[n]};
        err.message[0] = '\0';
        assert_int_equal(add_one_case(cases, pair, 2, "x", NULL, &err), HCBR_EDATA);
        assert_int_equal(err.status, HCBR_EDATA);
        assert_true(err.message[0] != '\0');
    }
    assert_int_equal(add_one_case(cases, &good, 1, "", NULL, NULL), HCBR_EDATA);
    assert_int_equal(add_one_case(cases, &good, 1, "\xFF", NULL, NULL), HCBR_EDATA);
    assert_int_equal(add_one_case(cases, &good, 1, "x", "\xFF", NULL), HCBR_EDATA);
    assert_int_equal(hcbr_cases_count(cases), 0);
    assert_int_equal(hcbr_cases_get_info(cases).features, 0);
    assert_int_equal(hcbr_cases_get_info(cases).labels, 0);
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_EDATA); /* no case at all */
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    assert_int_equal(add(cases, "a", "x", NULL), HCBR_EUSAGE);
    assert_int_equal(read_csv(cases, "label,a\nx,1\n"), HCBR_EUSAGE);
    hcbr_cases_free(cases);
}

/* Rows before a bad one stay; the list can be used on. */
static void cases__stay_usable_after_a_bad_row(void **state) {
    (void)state;
    hcbr_cases *cases = make();
    assert_int_equal(read_csv(cases, "label,a\nx,1\ny,2\nx,\"un\"closed\n"), HCBR_OK); /* skipped */
    assert_int_equal(hcbr_cases_count(cases), 2);
    assert_int_equal(read_csv(cases, "nothing,a\nx,1\n"), HCBR_EDATA); /* no label column */
    assert_int_equal(hcbr_cases_count(cases), 2);
    assert_int_equal(add(cases, "b", "z", NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_count(cases), 3);
    assert_int_equal(hcbr_cases_get_info(cases).labels, 3);
    hcbr_cases_free(cases);
}

/* ---- stopping -------------------------------------------------------------------------------- */

enum { ROWS = 32000, MANY = 6 }; /* different values enough to ask many times, and to grow */

typedef struct asking {
    unsigned asked, stop; /* stop at this question; 0: never */
    char stage[16];       /* of the last one */
} asking;

static int ask(void *context, const char *stage, uint64_t done, uint64_t total) {
    asking *a = context;
    (void)done, (void)total;
    snprintf(a->stage, sizeof a->stage, "%s", stage);
    return ++a->asked == a->stop;
}

/* Columns of numbers in memory, all of them different. */
static hcbr_status add_columns(hcbr_cases *cases, const hcbr_read_options *o) {
    static double values[MANY][ROWS];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static int64_t codes[ROWS];
    static const int32_t starts[] = {0, 1, 2};
    hcbr_memory_column columns[MANY + 1], labels;
    hcbr_memory_column_init(&labels);
    labels.type = HCBR_MEMORY_UTF8;
    labels.values = starts;
    labels.text = "pq";
    labels.text_size = labels.length = 2;
    for (int c = 0; c < MANY; c++) {
        for (int i = 0; i < ROWS; i++)
            values[c][i] = c + i / 3.0;
        hcbr_memory_column_init(&columns[c]);
        columns[c].name = names[c];
        columns[c].type = HCBR_MEMORY_F64;
        columns[c].length = ROWS;
        columns[c].values = values[c];
    }
    for (int i = 0; i < ROWS; i++)
        codes[i] = i % 2;
    hcbr_memory_column_init(&columns[MANY]);
    columns[MANY].name = "label";
    columns[MANY].type = HCBR_MEMORY_I64;
    columns[MANY].length = ROWS;
    columns[MANY].values = codes;
    columns[MANY].dictionary = &labels;
    return hcbr_cases_add_columns(cases, columns, MANY + 1, o, NULL);
}

/* Reading asks while its table of names grows, and finishing while it looks at all values: neither
 * only between two steps. Whoever says stop is heard at once. */
static void cases__can_be_stopped_anywhere(void **state) {
    (void)state;
    asking reading = {0}, finishing = {0};
    hcbr_read_options o;
    hcbr_read_options_init(&o);
    o.numbers = HCBR_NUMBERS_SPELLED;
    o.progress = ask;
    o.progress_context = &reading;
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    assert_int_equal(add_columns(cases, &o), HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).features, MANY * ROWS);
    hcbr_cases_watch(cases, ask, &finishing);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    assert_string_equal(finishing.stage, "finish");
    assert_null(cases->watch.progress); // who asked may be gone
    hcbr_cases_free(cases);
    // numbers of equal spelling, features, cases, values of columns: each once every 16,384 of them
    assert_true(finishing.asked >= 4 * (MANY * ROWS / 16384));
    // rows, and a table of 2^19 slots that was cleared in two parts
    assert_true(reading.asked >= ROWS / 16384 + 2);
    const unsigned asked = reading.asked;
    for (unsigned stop = 1; stop <= finishing.asked; stop += 3) {
        asking a = {.stop = stop};
        reading = (asking){0};
        assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
        assert_int_equal(add_columns(cases, &o), HCBR_OK);
        hcbr_cases_watch(cases, ask, &a);
        assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_ECANCELLED);
        assert_int_equal(a.asked, stop);
        hcbr_cases_free(cases);
    }
    for (unsigned stop = 1; stop <= asked; stop++) {
        reading = (asking){.stop = stop};
        assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
        assert_int_equal(add_columns(cases, &o), HCBR_ECANCELLED);
        assert_int_equal(reading.asked, stop);
        hcbr_cases_free(cases);
    }
}

/* Numbers that stand apart are counted in parts of their hashes: each different one once. */
static void cases__count_different_numbers(void **state) {
    (void)state;
    uint32_t count = 0;
    hcbr_cases *cases;
    for (int times = 1; times <= 2; times++) {
        assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
        for (int n = 0; n < times; n++)
            assert_int_equal(add_columns(cases, NULL), HCBR_OK);
        assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
        assert_true(cases->apart);
        assert_int_equal(hcbr_i_cases_value_count(&count, cases, NULL, NULL), HCBR_OK);
        assert_int_equal(count, MANY * ROWS);
        hcbr_cases_free(cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases__count_different_numbers),
        cmocka_unit_test(cases__can_be_stopped_anywhere),
        cmocka_unit_test(cases__are_sets_in_order_of_appearance),
        cmocka_unit_test(cases__know_their_rows),
        cmocka_unit_test(cases__count_bytes_of_files),
        cmocka_unit_test(cases__keep_their_names),
        cmocka_unit_test(cases__remember_the_name_of_the_label),
        cmocka_unit_test(cases__share_long_names),
        cmocka_unit_test(cases__refuse_what_is_no_text),
        cmocka_unit_test(cases__stay_usable_after_a_bad_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
