/*
 * --min-cases: a model without what few cases have is the model of the table without those values,
 * byte by byte except for the stored option. The values to remove are found here by counting the
 * cells of the table, over and over where one column makes it plain what it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness.h"
#include "model/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 60
#define COLUMNS 7
#define SET 5

typedef struct table {
    char cell[ROWS][COLUMNS][24];
    char label[ROWS];
    unsigned weight[ROWS];
} table;

/* Columns: two of words, a number with many values, one with two values (categories), numbers with
 * words among them, a set, a number that few rows have. */
static void draw_table(table *t, harness_random *r) {
    static const char *const spelled[] = {"1", "1.0", "2", "2.50", "2.5", "7", "refused", "late"};
    for (int i = 0; i < ROWS; i++) {
        t->label[i] = (char)('p' + harness_below(r, 3));
        t->weight[i] = 1 + (unsigned)harness_below(r, 3);
        snprintf(t->cell[i][0], 24, "w%d", harness_below(r, 25));
        snprintf(t->cell[i][1], 24, "%c", "aaabbbbcd"[harness_below(r, 9)]);
        snprintf(t->cell[i][2], 24, "%d.5", harness_below(r, 1000));
        snprintf(t->cell[i][3], 24, "%d", harness_below(r, 20) == 0);
        snprintf(t->cell[i][4], 24, "%s", spelled[harness_below(r, 8)]);
        snprintf(t->cell[i][5], 24, "x%d|y%d", harness_below(r, 8), harness_below(r, 30));
        snprintf(t->cell[i][6], 24, i % 13 ? "" : "%d", harness_below(r, 50));
        if (harness_below(r, 8) == 0)
            t->cell[i][harness_below(r, COLUMNS)][0] = 0;
    }
}

static bool part_is(const char *part, size_t length, const char *value, size_t value_length) {
    return length == value_length && memcmp(part, value, length) == 0;
}

/* Has the cell the value, alone or as a part of its set? */
static bool cell_has(const char *cell, int column, const char *value, size_t length) {
    const char *bar = column == SET ? strchr(cell, '|') : NULL;
    if (!bar)
        return part_is(cell, strlen(cell), value, length);
    return part_is(cell, (size_t)(bar - cell), value, length) ||
           part_is(bar + 1, strlen(bar + 1), value, length);
}

static unsigned count(const table *t, int column, const char *value, size_t length) {
    unsigned n = 0;
    for (int i = 0; i < ROWS; i++)
        n += cell_has(t->cell[i][column], column, value, length);
    return n;
}

static bool is_word(const char *value) {
    return (value[0] < '0' || value[0] > '9');
}

/* Numbers alone: then equal ones are one value. */
static bool all_numbers(const table *t, int column) {
    for (int i = 0; i < ROWS; i++)
        if (t->cell[i][column][0] && is_word(t->cell[i][column]))
            return false;
    return true;
}

static unsigned count_equal(const table *t, int column, double value) {
    unsigned n = 0;
    for (int i = 0; i < ROWS; i++)
        n += t->cell[i][column][0] && strtod(t->cell[i][column], NULL) == value;
    return n;
}

static unsigned different(const table *t, int column) {
    unsigned n = 0;
    for (int i = 0; i < ROWS; i++) {
        bool first = t->cell[i][column][0] != 0;
        for (int k = 0; first && k < i; k++)
            first = !t->cell[k][column][0] ||
                    strtod(t->cell[k][column], NULL) != strtod(t->cell[i][column], NULL);
        n += first;
    }
    return n;
}

/* The table without what fewer than `least` rows have. */
static void remove_rare(table *out, const table *t, unsigned least, bool rich) {
    table words = *t;
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < ROWS; i++) {
            const char *cell = t->cell[i][c], *bar = c == SET ? strchr(cell, '|') : NULL;
            if (bar) {
                bool first = count(t, c, cell, (size_t)(bar - cell)) >= least;
                bool second = count(t, c, bar + 1, strlen(bar + 1)) >= least;
                snprintf(words.cell[i][c], 24, "%.*s%s%s", first ? (int)(bar - cell) : 0, cell,
                         first && second ? "|" : "", second ? bar + 1 : "");
            } else if (cell[0] && is_word(cell) && count(t, c, cell, strlen(cell)) < least) {
                words.cell[i][c][0] = 0;
            }
        }
    *out = words;
    for (int c = 0; c < COLUMNS; c++) {
        if (c == SET)
            continue;
        bool numbers = all_numbers(&words, c);
        bool column = rich && numbers && different(&words, c) >= 3;
        unsigned filled = 0;
        for (int i = 0; i < ROWS; i++)
            filled += words.cell[i][c][0] != 0;
        for (int i = 0; i < ROWS; i++) {
            const char *cell = words.cell[i][c];
            unsigned n = column    ? filled
                         : numbers ? count_equal(&words, c, strtod(cell, NULL))
                                   : count(&words, c, cell, strlen(cell));
            if (cell[0] && n < least)
                out->cell[i][c][0] = 0;
        }
    }
}

static hcbr_cases *read_table(const table *t, bool weights, bool spelled) {
    char path[] = "/tmp/hcbr-min-cases-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    const char *paths[1] = {path}, *ignore[1] = {"w"};
    hcbr_split split = {"e", "|"};
    hcbr_read_options o;
    hcbr_cases *cases;
    hcbr_error err;
    fputs("label,w,word,cat,num,two,mixed,e,few\n", f);
    for (int i = 0; i < ROWS; i++) {
        fprintf(f, "%c,%u", t->label[i], t->weight[i]);
        for (int c = 0; c < COLUMNS; c++)
            fprintf(f, ",%s", t->cell[i][c]);
        fputs(i == 20 ? "\ntoo,few\n" : "\n", f); // a row that is skipped
    }
    fclose(f);
    hcbr_read_options_init(&o);
    o.format = HCBR_FORMAT_CSV;
    o.split = &split;
    o.split_count = 1;
    o.bad_rows = HCBR_BAD_ROWS_SKIP;
    o.strict = 1; // columns are judged by all values, before rare ones are left out
    o.numbers = spelled ? HCBR_NUMBERS_SPELLED : HCBR_NUMBERS_APART;
    if (weights) {
        o.weight = "w";
    } else {
        o.ignore = ignore;
        o.ignore_count = 1;
    }
    harness_ok(hcbr_cases_create(&cases, 0, &err), &err);
    harness_ok(hcbr_cases_read(cases, paths, 1, &o, &err), &err);
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    unlink(path);
    return cases;
}

static void *bytes_of(const table *t, const hcbr_train_options *o, bool weights, size_t *size) {
    hcbr_cases *cases = read_table(t, weights, o->model == HCBR_MODEL_PLAIN);
    hcbr_model *model;
    hcbr_error err;
    void *bytes;
    harness_ok(hcbr_model_train(&model, cases, o, &err), &err);
    assert_int_equal(model->min_cases, o->min_cases);
    model->min_cases = 1; // all else must be the same
    harness_ok(hcbr_model_serialize(model, &bytes, size, &err), &err);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    return bytes;
}

static void min_cases__model_is_that_of_the_smaller_table(void **state) {
    (void)state;
    harness_random r = {harness_seed(1)};
    for (int round = 0; round < 24; round++) {
        table all, less;
        size_t sizes[2];
        hcbr_train_options o;
        bool rich = round % 2, weights = rich && round % 3 == 0;
        draw_table(&all, &r);
        hcbr_train_options_init(&o);
        o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        o.effort = HCBR_EFFORT_LITE;
        o.keep = (hcbr_keep)harness_below(&r, 3);
        o.consume = (int)harness_below(&r, 2);
        o.min_cases = 2 + (uint32_t)harness_below(&r, 5);
        remove_rare(&less, &all, o.min_cases, rich);
        assert_memory_not_equal(&all, &less, sizeof all);
        void *got = bytes_of(&all, &o, weights, &sizes[0]);
        o.min_cases = 1;
        void *want = bytes_of(&less, &o, weights, &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(got, want, sizes[0]);
        hcbr_bytes_free(got);
        hcbr_bytes_free(want);
    }
}

/* More cases than there are: nothing is left to learn from, and the model says so. */
static void min_cases__may_leave_nothing(void **state) {
    (void)state;
    harness_random r = {harness_seed(2)};
    for (int rich = 0; rich < 2; rich++) {
        table t;
        hcbr_train_options o;
        hcbr_model *model;
        hcbr_error err;
        hcbr_model_info info = {.size = sizeof info};
        draw_table(&t, &r);
        hcbr_cases *cases = read_table(&t, false, true);
        hcbr_train_options_init(&o);
        o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        o.min_cases = 0;
        assert_int_equal(hcbr_model_train(&model, cases, &o, &err), HCBR_EUSAGE);
        assert_non_null(strstr(err.message, "min_cases 0"));
        o.min_cases = ROWS + 1;
        harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
        hcbr_model_get_info(model, &info);
        assert_int_equal(info.features, 0);
        assert_int_equal(info.empty_cases, ROWS);
        assert_int_equal(info.min_cases, ROWS + 1);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

/* The option is stored, and a damaged one refused. */
static void min_cases__is_in_the_file(void **state) {
    (void)state;
    harness_random r = {harness_seed(3)};
    table t;
    hcbr_train_options o;
    hcbr_model *model, *again;
    hcbr_error err;
    hcbr_model_info info = {.size = sizeof info};
    void *bytes;
    size_t size;
    draw_table(&t, &r);
    hcbr_cases *cases = read_table(&t, false, true);
    hcbr_train_options_init(&o);
    o.min_cases = 3;
    o.model = HCBR_MODEL_PLAIN;
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    harness_ok(hcbr_model_serialize(model, &bytes, &size, &err), &err);
    harness_ok(hcbr_model_parse(&again, bytes, size, &err), &err);
    hcbr_model_get_info(again, &info);
    assert_int_equal(info.min_cases, 3);
    for (uint32_t f = 0; f < info.features; f++) {
        uint64_t cases_with = 0;
        for (uint32_t l = 0; l < info.labels; l++)
            cases_with +=
                hcbr_model_get_atom_count(again, hcbr_model_get_atom(again, f), (hcbr_label)l);
        assert_true(cases_with >= 3);
    }
    hcbr_model_free(again);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

/* Every allocation made to fail: no model, and the list is as it was. */
static void min_cases__failures_leave_the_list(void **state) {
    (void)state;
    harness_random r = {harness_seed(4)};
    for (int rich = 0; rich < 2; rich++) {
        table t;
        hcbr_train_options o;
        hcbr_cases *common = NULL;
        hcbr_error err;
        hcbr_status st = HCBR_ENOMEM;
        draw_table(&t, &r);
        hcbr_cases *cases = read_table(&t, false, true);
        uint64_t n = 1, before = hcbr_cases_get_info(cases).occurrences;
        hcbr_train_options_init(&o);
        o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        o.min_cases = 3;
        for (; st != HCBR_OK; n++) {
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
            hcbr_i_training training = {
                .options = o, .engine = hcbr_i_engine_of(o.model), .given = cases, .cases = cases};
            st = hcbr_i_training_select(&training, &err);
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            common = training.cases == cases ? NULL : training.cases;
            assert_true(st == HCBR_OK || (st == HCBR_ENOMEM && !common));
            assert_int_equal(hcbr_cases_get_info(cases).occurrences, before);
        }
        assert_true(n > 20);
        assert_true(hcbr_cases_get_info(common).occurrences < before);
        hcbr_cases_free(common);
        hcbr_cases_free(cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(min_cases__model_is_that_of_the_smaller_table),
        cmocka_unit_test(min_cases__may_leave_nothing),
        cmocka_unit_test(min_cases__is_in_the_file),
        cmocka_unit_test(min_cases__failures_leave_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
