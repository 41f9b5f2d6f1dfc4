/*
 * Random tables, each row once, n times, and with weight n: columns and labels are judged alike,
 * and the last two give the same model, byte for byte of what is fitted.
 *
 *     test_kinds_rows     HCBR_SEED=7
 */
#include "property/harness.h"
#include "seed.h"
#include "unit/rich/rich_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TABLES = 60, MOST_ROWS = 90, MOST_TIMES = 4 };

typedef enum form { ONCE, COPIES, WEIGHTS, FORMS } form;

static unsigned draw(harness_random *r, unsigned below) {
    return (unsigned)harness_below(r, (int)below);
}

/* A value of a column: numbers, dates, names, constants, ids, odd values. */
static void put_value(FILE *f, harness_random *r, unsigned kind, unsigned row, unsigned range) {
    const unsigned x = draw(r, range);
    switch (kind) {
    case 0:
        fprintf(f, "%u", x);
        break;
    case 1:
        fprintf(f, "20%02u-%02u-%02u", x % 20, 1 + x % 12, 1 + x % 28);
        break;
    case 2:
        fprintf(f, "%s", x % 5 ? "same" : "other");
        break;
    case 3:
        fprintf(f, "only");
        break;
    case 4:
        fprintf(f, "K%05u", row * 37);
        break;
    case 5:
        fprintf(f, x % 9 ? "%u.%u" : "n/a", x, x % 7);
        break;
    case 6:
        fprintf(f, x % 6 ? "%u" : "refused", x);
        break;
    case 7:
        fprintf(f, "word%u and %u more", x, x % 5);
        break;
    default:
        fprintf(f, "%u", row / 2 + 1000);
    }
}

/* The lines of a table of so many rows, as drawn by `at`: without what ends them. */
static unsigned put_table(FILE *f, uint64_t at, form how, unsigned kinds[6]) {
    harness_random r = {.state = at};
    const unsigned rows = 8 + draw(&r, MOST_ROWS - 8), columns = 1 + draw(&r, 6);
    const unsigned labels = 2 + draw(&r, 9);
    unsigned range[6];
    for (unsigned c = 0; c < columns; c++) {
        kinds[c] = draw(&r, 9);
        range[c] = 2 + draw(&r, draw(&r, 2) ? 8 : 300);
    }
    fprintf(f, "label,weight");
    for (unsigned c = 0; c < columns; c++)
        fprintf(f, ",%s%u", kinds[c] == 8 ? "patient_id" : "c", c);
    for (unsigned i = 0; i < rows; i++) {
        char line[600];
        FILE *one = fmemopen(line, sizeof line, "w");
        const unsigned times = 1 + draw(&r, MOST_TIMES);
        assert_non_null(one);
        fprintf(one, "\n%u,%u", draw(&r, labels), how == WEIGHTS ? times : 1);
        for (unsigned c = 0; c < columns; c++) {
            fputc(',', one);
            put_value(one, &r, kinds[c], i, range[c]);
        }
        fclose(one);
        for (unsigned n = 0; n < (how == COPIES ? times : 1); n++)
            fputs(line, f);
    }
    fputc('\n', f);
    return columns;
}

static hcbr_status read_table(hcbr_cases **out, uint64_t at, form how, hcbr_numbers numbers) {
    char path[64];
    const char *paths[] = {path};
    unsigned kinds[6];
    hcbr_read_options o;
    snprintf(path, sizeof path, "/tmp/hcbr-kinds-rows-%ld.csv", (long)getpid());
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    put_table(f, at, how, kinds);
    fclose(f);
    hcbr_read_options_init(&o);
    o.format = HCBR_FORMAT_CSV;
    o.weight = "weight";
    o.numbers = numbers;
    assert_int_equal(hcbr_cases_create(out, 1, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_read(*out, paths, 1, &o, NULL), HCBR_OK);
    unlink(path);
    return hcbr_cases_finish(*out, NULL);
}

static void assert_same_kinds(const hcbr_cases *a, const hcbr_cases *b) {
    assert_int_equal(hcbr_cases_get_info(a).kinds, hcbr_cases_get_info(b).kinds);
    for (size_t i = 0; i < hcbr_cases_get_info(a).kinds; i++) {
        hcbr_kind x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_cases_get_kind(a, i, &x);
        hcbr_cases_get_kind(b, i, &y);
        assert_int_equal(x.name_length, y.name_length);
        assert_memory_equal(x.name, y.name, x.name_length);
        assert_string_equal(x.kind, y.kind);
        assert_string_equal(x.becomes, y.becomes);
        assert_string_equal(x.why, y.why);
        assert_int_equal(x.values, y.values);
        assert_int_equal(x.shared, y.shared);
    }
}

static void kinds__are_those_of_different_rows(void **state) {
    const uint64_t seed = test_seed(20261118);
    unsigned refused = 0, judged = 0;
    (void)state;
    for (uint64_t at = 0; at < (uint64_t)harness_rounds(TABLES); at++) {
        hcbr_cases *cases[FORMS] = {NULL}, *spelled = NULL;
        hcbr_status st[FORMS];
        for (form how = ONCE; how < FORMS; how++)
            st[how] = read_table(&cases[how], seed + at, how, HCBR_NUMBERS_APART);
        const hcbr_status same = read_table(&spelled, seed + at, COPIES, HCBR_NUMBERS_SPELLED);
        assert_int_equal(st[ONCE], st[COPIES]);
        assert_int_equal(st[ONCE], st[WEIGHTS]);
        assert_int_equal(st[ONCE], same);
        if (st[ONCE] == HCBR_OK) {
            judged += hcbr_cases_get_info(cases[ONCE]).kinds > 0;
            assert_same_kinds(cases[ONCE], cases[COPIES]);
            assert_same_kinds(cases[ONCE], cases[WEIGHTS]);
            assert_same_kinds(cases[ONCE], spelled);
            hcbr_model *x = rich_model_train(cases[COPIES], HCBR_EFFORT_LITE, 1, NULL);
            hcbr_model *y = rich_model_train(cases[WEIGHTS], HCBR_EFFORT_LITE, 1, NULL);
            assert_same_rich(x, y);
            hcbr_model_free(x);
            hcbr_model_free(y);
        } else {
            refused++; // labels that look like measurements
        }
        for (form how = ONCE; how < FORMS; how++)
            hcbr_cases_free(cases[how]);
        hcbr_cases_free(spelled);
    }
    print_message("%u tables judged, %u refused\n", judged, refused);
    assert_true(judged > 3 && refused > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds__are_those_of_different_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
