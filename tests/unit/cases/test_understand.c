/*
 * What the columns of a list are taken for, against a tally to which each value is added by itself:
 * columns that are sure, few numbers, dates and texts are counted in shorter ways. Columns that
 * repeat another one differ from it in one late case, or in none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cases/cases.h"
#include "seed.h"

#include <hcbr/preview.h>

#include <stdio.h>
#include <unistd.h>

enum { CASES = 700, COLUMNS = 11, ROOM = 64, FLAGS = 8 };

static uint64_t draw_state;
static bool listed; /* the option na_only */
static hcbr_numbers form;
static char values[COLUMNS][CASES][ROOM];

static unsigned draw(unsigned below) {
    return (unsigned)(hcbr_i_mix(++draw_state) % below);
}

static const char *const names[COLUMNS] = {"whole", "pointed",  "few",    "when",
                                           "day",   "note",     "either", "code",
                                           "flags", "negative", "thirds"};

/* A value of a column; some say missing where `dirty`. */
static void make(char out[ROOM], unsigned column, bool dirty) {
    static const char *const forms[] = {"N/A", "-", "#N/A", "none"};
    static const char *const words[] = {"red", "house", "of", "hill", "7"};
    if (dirty && column != 5 && draw(20) == 0) {
        snprintf(out, ROOM, "%s", forms[draw(4)]);
        return;
    }
    switch (column) {
    case 0:
        snprintf(out, ROOM, "%u", draw(5000));
        break;
    case 1:
        snprintf(out, ROOM, "%u.%02u", draw(50), draw(100));
        break;
    case 2:
        snprintf(out, ROOM, "%u", 1 + 2 * draw(4));
        break;
    case 3:
        snprintf(out, ROOM, "20%02u-%02u-%02u %02u:%02u:%02u", draw(20), 1 + draw(12), 1 + draw(28),
                 draw(24), draw(60), draw(60));
        break;
    case 4:
        snprintf(out, ROOM, "2019-%02u-%02u", 1 + draw(12), 1 + draw(28));
        break;
    case 5:
        if (draw(40) == 0)
            snprintf(out, ROOM, "%u", draw(100));
        else
            snprintf(out, ROOM, "%s %s %s %u", words[draw(4)], words[draw(5)], words[draw(4)],
                     draw(100000));
        break;
    case 6:
        snprintf(out, ROOM, draw(2) ? "%u" : "%u,5", draw(900));
        break;
    case 7:
        snprintf(out, ROOM, "%u", 100 * draw(5));
        break;
    case FLAGS:
        snprintf(out, ROOM, "%s", draw(2) ? "1.0" : "0.0");
        break;
    case 9:
        snprintf(out, ROOM, draw(2) ? "%u.%u" : "(%u.%u)", draw(200), draw(10));
        break;
    default:
        snprintf(out, ROOM, "%u.%u00", 1 + draw(99), draw(10));
    }
}

static hcbr_cases *read_values(const char *path, const hcbr_type *types, size_t count) {
    const char *paths[] = {path};
    hcbr_read_options o;
    hcbr_cases *cases = NULL;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("label", f);
    for (unsigned c = 0; c < COLUMNS; c++)
        fprintf(f, "\t%s", names[c]);
    for (unsigned i = 0; i < CASES; i++) {
        fprintf(f, "\n%s", i % 2 ? "a" : "b");
        for (unsigned c = 0; c < COLUMNS; c++)
            fprintf(f, "\t%s", values[c][i]);
    }
    fputs("\n", f);
    fclose(f);
    hcbr_read_options_init(&o);
    o.format = HCBR_FORMAT_TSV;
    o.na_only = listed;
    o.numbers = form;
    o.types = types;
    o.type_count = count;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, paths, 1, &o, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    unlink(path);
    return cases;
}

static void understand__counts_as_one_by_one(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-understand-%ld.tsv", (long)getpid());
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned c = 0; c < COLUMNS; c++)
            for (unsigned i = 0; i < CASES; i++)
                make(values[c][i], c, round % 2);
        listed = round % 3 == 2;
        hcbr_cases *cases = read_values(path, NULL, 0);
        for (unsigned c = 0; c < COLUMNS; c++) {
            const hcbr_i_schema_column *found =
                hcbr_i_schema_find(cases->schema, names[c], strlen(names[c]));
            hcbr_i_tally tally;
            hcbr_i_kind kind;
            hcbr_i_tally_init(&tally);
            tally.listed = listed;
            for (unsigned i = 0; i < CASES; i++)
                assert_true(hcbr_i_tally_add(&tally, values[c][i], strlen(values[c][i]), 1));
            hcbr_i_tally_judge(&kind, &tally, names[c], strlen(names[c]), 0);
            hcbr_i_tally_clear(&tally);
            assert_non_null(found);
            // decimals alone are never looked at as flags
            if (c != FLAGS || round % 2)
                assert_int_equal(found->kind.kind, kind.kind);
            assert_int_equal(found->kind.values, kind.values);
            assert_int_equal(found->kind.forms, kind.forms);
            assert_int_equal(found->kind.odd, kind.odd);
            assert_int_equal(found->kind.plain, kind.plain || found->kind.kind != kind.kind);
            assert_int_equal(found->kind.mark, kind.mark);
            assert_int_equal(found->kind.has, kind.has);
            assert_int_equal(found->kind.order, kind.order);
            assert_int_equal(found->kind.doubtful, kind.doubtful);
            assert_int_equal(found->said, HCBR_I_SAID_FOUND);
        }
        hcbr_cases_free(cases);
    }
    listed = false;
}

/* Cases of a preview, each failure of memory on the way: it is said, and nothing is left behind. */
static void understand__shows_first_cases(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-first-%ld.tsv", (long)getpid());
    const char *paths[] = {path};
    for (unsigned c = 0; c < COLUMNS; c++)
        for (unsigned i = 0; i < CASES; i++)
            make(values[c][i], c, true);
    hcbr_cases *cases = read_values(path, NULL, 0);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("when\tnote\n2019-03-14 10:20:30\tred hill of red\nN/A\t7\n", f);
    fclose(f);
    hcbr_read_options o;
    hcbr_read_options_init(&o);
    o.label_need = HCBR_LABEL_NONE;
    for (uint64_t n = 0;; n++) {
        hcbr_preview *preview;
        hcbr_preview_case x = {.size = sizeof x};
        assert_int_equal(hcbr_preview_create(&preview, paths, 1, &o, 10, NULL), HCBR_OK);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        const hcbr_status st = hcbr_preview_understand(preview, cases, NULL, NULL);
        const uint64_t calls = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        const bool failed = n > 0 && calls >= n;
        assert_int_equal(st, failed ? HCBR_ENOMEM : HCBR_OK);
        hcbr_preview_get_case(preview, 0, &x);
        if (!failed) { // 8 parts of a moment, 3 words, 3 pairs of words
            assert_int_equal(x.feature_count, 8 + 3 + 3);
            hcbr_preview_get_case(preview, 1, &x);
            assert_int_equal(x.feature_count, 1);
            assert_memory_equal(x.features[0].key, "note:7", 6);
        }
        hcbr_preview_free(preview);
        if (n > 0 && !failed)
            break;
        assert_true(n < 1000);
    }
    unlink(path);
    hcbr_cases_free(cases);
}

static void understand__finds_columns_that_repeat(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-repeated-%ld.tsv", (long)getpid());
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned c = 0; c < COLUMNS; c++)
            for (unsigned i = 0; i < CASES; i++)
                make(values[c][i], c, false);
        /* "day" is "when"; two late values of it are exchanged in half of the rounds */
        memcpy(values[4], values[3], sizeof values[3]);
        if (round % 2) {
            memcpy(values[4][CASES - 1], values[3][CASES - 2], ROOM);
            memcpy(values[4][CASES - 2], values[3][CASES - 1], ROOM);
        }
        hcbr_cases *cases = read_values(path, NULL, 0);
        const hcbr_i_schema_column *day = hcbr_i_schema_find(cases->schema, "day", 3);
        const hcbr_i_schema_column *when = hcbr_i_schema_find(cases->schema, "when", 4);
        assert_int_equal(day->said, HCBR_I_SAID_FOUND); // the first by name stays
        assert_int_equal(when->said, round % 2 ? HCBR_I_SAID_FOUND : HCBR_I_SAID_REPEATED);
        hcbr_cases_free(cases);
    }
}

/* What an option says is not told as if the values had said it. */
static void understand__says_what_was_asked_for(void **state) {
    const hcbr_type types[] = {{"few", "text"}, {"code", "flag"}};
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-asked-%ld.tsv", (long)getpid());
    for (unsigned c = 0; c < COLUMNS; c++)
        for (unsigned i = 0; i < CASES; i++)
            make(values[c][i], c, false);
    hcbr_cases *cases = read_values(path, types, 2);
    for (size_t t = 0; t < 2; t++) {
        const hcbr_i_schema_column *found =
            hcbr_i_schema_find(cases->schema, types[t].column, strlen(types[t].column));
        assert_int_equal(found->said, HCBR_I_SAID_GIVEN);
        assert_string_equal(hcbr_i_kind_name(found->kind.kind), types[t].kind);
        assert_memory_equal(found->why.at, "asked for; ", 11);
    }
    hcbr_cases_free(cases);
}

/* Whether numbers are spelled, merged or apart, columns are taken for the same. */
static void understand__is_the_same_however_numbers_are_kept(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/hcbr-understand-%ld.tsv", (long)getpid());
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned c = 0; c < COLUMNS; c++)
            for (unsigned i = 0; i < CASES; i++)
                make(values[c][i], c, round % 2);
        hcbr_cases *lists[HCBR_NUMBERS_AS_READ + 1];
        for (int n = 0; n <= HCBR_NUMBERS_AS_READ; n++) {
            form = (hcbr_numbers)n;
            lists[n] = read_values(path, NULL, 0);
        }
        form = HCBR_NUMBERS_APART;
        const hcbr_i_schema *wanted = lists[HCBR_NUMBERS_APART]->schema;
        for (int n = 1; n <= HCBR_NUMBERS_AS_READ; n++) {
            assert_int_equal(hcbr_i_schema_count(lists[n]->schema), COLUMNS);
            for (size_t c = 0; c < COLUMNS; c++) {
                const hcbr_i_schema_column *a = hcbr_i_schema_get(wanted, c);
                const hcbr_i_schema_column *b = hcbr_i_schema_get(lists[n]->schema, c);
                assert_string_equal(a->name.at, b->name.at);
                assert_string_equal(a->why.at, b->why.at);
                assert_int_equal(a->use, b->use);
                assert_int_equal(a->kind.kind, b->kind.kind);
                assert_int_equal(a->kind.mark, b->kind.mark);
                assert_int_equal(a->kind.ambiguous, b->kind.ambiguous);
                assert_int_equal(a->kind.distinct, b->kind.distinct);
                assert_int_equal(a->kind.odd, b->kind.odd);
            }
        }
        for (int n = 0; n <= HCBR_NUMBERS_AS_READ; n++)
            hcbr_cases_free(lists[n]);
    }
}

int main(void) {
    draw_state = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(understand__counts_as_one_by_one),
        cmocka_unit_test(understand__is_the_same_however_numbers_are_kept),
        cmocka_unit_test(understand__shows_first_cases),
        cmocka_unit_test(understand__finds_columns_that_repeat),
        cmocka_unit_test(understand__says_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
