/*
 * The same data from a file and from memory gives the same model, byte for byte: typed columns,
 * record batches and streams of Arrow, sparse matrices; plain and rich; with sets, texts, presence,
 * ids, weights and missing values. Numbers in memory mean their shortest decimals.
 */
#include "random_sparse.h"
#include "random_table.h"

#include "cases/cases.h"
#include "faults.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool long_tier;

/** Options that name some columns of the table; column 0 is the label. */
typedef struct naming {
    hcbr_read_options options;
    const char *ignore[1], *text[1], *presence[1], *na[2];
    hcbr_split split[1];
    bool weighs;
} naming;

/** Are all values of a column weights? */
static bool is_weight(const random_table *t, int c) {
    for (int i = 0; i < t->rows; i++) {
        const table_cell *cell = &t->columns[c].cells[i][0];
        double value;
        if (t->columns[c].list || cell->missing ||
            !hcbr_number_parse(&value, cell->text, strlen(cell->text)) || value < 0 || value > 1e9)
            return false;
    }
    return true;
}

static void draw_naming(naming *n, harness_random *r, const random_table *t) {
    hcbr_read_options *o = &n->options;
    memset(n, 0, sizeof *n);
    hcbr_read_options_init(o);
    o->words = table_words;
    o->hash_key = 1;
    for (int c = 1; c < t->count; c++) {
        const char *name = t->columns[c].name;
        bool list = t->columns[c].list;
        switch (harness_below(r, 10)) {
        case 0:
            n->ignore[0] = name;
            o->ignore = n->ignore;
            o->ignore_count = 1;
            break;
        case 1:
            n->text[0] = name;
            o->text = n->text;
            o->text_count = 1;
            break;
        case 2:
            n->presence[0] = name;
            o->presence = n->presence;
            o->presence_count = 1;
            break;
        case 3:
            n->split[0] = (hcbr_split){name, "|"};
            o->split = n->split;
            o->split_count = 1;
            break;
        case 4:
            o->id = list ? o->id : name;
            break;
        case 5:
            o->group = list ? o->group : name;
            break;
        default:
            if (is_weight(t, c)) {
                o->weight = name;
                n->weighs = true;
            }
        }
    }
    if (!t->jsonl && harness_below(r, 4) == 0) { // in jsonl the list is about strings alone
        n->na[0] = "7";
        n->na[1] = "";
        o->na = n->na;
        o->na_count = 2;
    }
}

static fault_bytes train(hcbr_cases *cases, const naming *n, hcbr_model_kind kind) {
    hcbr_train_options options;
    hcbr_model *model = NULL;
    hcbr_error err = {0};
    hcbr_train_options_init(&options);
    options.model = kind;
    options.read = &n->options;
    harness_ok(hcbr_model_train(&model, cases, &options, &err), &err);
    fault_bytes b = fault_serialize(model);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    return b;
}

/** Two finished lists have the same features; the first that differ are shown. */
static void expect_features(const hcbr_cases *a, const hcbr_cases *b) {
    for (uint64_t i = 0; i < hcbr_cases_count(a); i++) {
        hcbr_case x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_cases_get(a, i, &x);
        hcbr_cases_get(b, i, &y);
        assert_int_equal(x.feature_count, y.feature_count);
        for (size_t k = 0; k < x.feature_count; k++) {
            hcbr_feature f, g;
            hcbr_cases_get_feature(a, x.features[k], &f);
            hcbr_cases_get_feature(b, y.features[k], &g);
            if (f.value_length != g.value_length || f.key_length != g.key_length ||
                memcmp(f.key, g.key, f.key_length) != 0 || !f.value != !g.value ||
                (f.value && memcmp(f.value, g.value, f.value_length) != 0))
                fail_msg("row %llu: file %.*s=%.*s, memory %.*s=%.*s", (unsigned long long)i + 1,
                         (int)f.key_length, f.key, (int)f.value_length, f.value ? f.value : "",
                         (int)g.key_length, g.key, (int)g.value_length, g.value ? g.value : "");
        }
    }
}

static void expect_same(hcbr_cases *file, hcbr_cases *memory, const naming *n,
                        hcbr_model_kind kind) {
    assert_int_equal(hcbr_cases_count(memory), hcbr_cases_count(file));
    assert_int_equal(hcbr_cases_get_info(memory).rows, hcbr_cases_get_info(file).rows);
    assert_int_equal(hcbr_cases_get_info(memory).empty, hcbr_cases_get_info(file).empty);
    assert_int_equal(hcbr_cases_get_info(memory).occurrences,
                     hcbr_cases_get_info(file).occurrences);
    assert_string_equal(hcbr_cases_get_info(memory).label_column,
                        hcbr_cases_get_info(file).label_column);
    hcbr_error err = {0};
    if (hcbr_cases_count(file) == 0) { // all weights are 0
        hcbr_cases_free(file);
        hcbr_cases_free(memory);
        return;
    }
    harness_ok(hcbr_cases_finish(file, &err), &err);
    harness_ok(hcbr_cases_finish(memory, &err), &err);
    expect_features(file, memory);
    fault_bytes a = train(file, n, kind), b = train(memory, n, kind);
    fault_expect_bytes(&a, &b);
    hcbr_bytes_free(a.at);
    hcbr_bytes_free(b.at);
}

static hcbr_cases *read_file(const random_table *t, const naming *n) {
    const char *path = table_file(t);
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    harness_ok(hcbr_cases_read(cases, &path, 1, &n->options, &err), &err);
    return cases;
}

static hcbr_cases *add_columns(const random_table *t, const naming *n) {
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    harness_ok(hcbr_cases_add_columns(cases, t->described, (size_t)t->count, &n->options, &err),
               &err);
    return cases;
}

static hcbr_cases *add_arrow(random_table *t, const naming *n) {
    hcbr_cases *cases = fault_new_cases();
    hcbr_error err = {0};
    table_to_arrow(t);
    harness_ok(hcbr_cases_add_arrow(cases, &t->schema, &t->array, &n->options, &err), &err);
    assert_non_null(t->array.release);
    return cases;
}

static hcbr_cases *add_stream(random_table *t, const naming *n, int64_t step) {
    hcbr_cases *cases = fault_new_cases();
    table_stream s;
    hcbr_error err = {0};
    table_to_arrow(t);
    table_stream_init(&s, t, step);
    harness_ok(hcbr_cases_add_arrow_stream(cases, &s.stream, &n->options, &err), &err);
    assert_true(s.schema_given && s.schema_released && s.given > 0 && s.given == s.released);
    assert_non_null(s.stream.release);
    return cases;
}

static void columns__give_the_model_of_the_same_file(void **state) {
    harness_random r = {harness_seed(20250717)};
    random_table *t = malloc(sizeof *t);
    (void)state;
    assert_non_null(t);
    for (int round = 0; round < (long_tier ? 4000 : harness_rounds(240)); round++) {
        int way = harness_below(&r, 3);
        naming n;
        table_draw(t, &r, harness_below(&r, 2), way != 0);
        draw_naming(&n, &r, t);
        hcbr_cases *file = read_file(t, &n);
        hcbr_cases *memory = way == 0   ? add_columns(t, &n)
                             : way == 1 ? add_arrow(t, &n)
                                        : add_stream(t, &n, 1 + harness_below(&r, 40));
        expect_same(file, memory, &n,
                    n.weighs || harness_below(&r, 4) == 0 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
        table_free(t);
    }
    free(t);
}

/* ---- lists with separate numbers ------------------------------------------------------------- */

/** Two finished lists have the same numbers beside the same features. */
static void expect_same_numbers(hcbr_cases *file, hcbr_cases *memory) {
    hcbr_error err = {0};
    harness_ok(hcbr_cases_finish(file, &err), &err);
    harness_ok(hcbr_cases_finish(memory, &err), &err);
    expect_features(file, memory);
    const hcbr_i_numbers *a = &file->numbers, *b = &memory->numbers;
    assert_true(file->apart && memory->apart);
    assert_int_equal(hcbr_i_cases_item_count(memory), hcbr_i_cases_item_count(file));
    for (uint64_t i = 0; i < hcbr_i_cases_item_count(file); i++) {
        char room[2][HCBR_NUMBER_SIZE];
        hcbr_i_text x = hcbr_i_numbers_text(a, i, room[0]), y = hcbr_i_numbers_text(b, i, room[1]);
        hcbr_i_text key = hcbr_i_dict_key(file->dict, a->key[i]);
        assert_int_equal(a->key[i], b->key[i]);
        assert_true(key.length == hcbr_i_dict_key(memory->dict, b->key[i]).length);
        if (a->value[i] != b->value[i] || x.length != y.length || memcmp(x.at, y.at, x.length) != 0)
            fail_msg("%.*s: file %.*s, memory %.*s", (int)key.length, key.at, (int)x.length, x.at,
                     (int)y.length, y.at);
    }
    for (uint32_t i = 0; a->start && i < file->case_count; i++)
        assert_int_equal(a->start[i], b->start[i]);
}

static void columns__give_the_numbers_of_the_same_file(void **state) {
    harness_random r = {harness_seed(20250721)};
    random_table *t = malloc(sizeof *t);
    (void)state;
    assert_non_null(t);
    for (int round = 0; round < (long_tier ? 8000 : harness_rounds(400)); round++) {
        int way = harness_below(&r, 3);
        naming n;
        table_draw(t, &r, harness_below(&r, 2), way != 0);
        draw_naming(&n, &r, t);
        n.options.weight = NULL;
        hcbr_cases *file = read_file(t, &n);
        hcbr_cases *memory = way == 0   ? add_columns(t, &n)
                             : way == 1 ? add_arrow(t, &n)
                                        : add_stream(t, &n, 1 + harness_below(&r, 40));
        expect_same_numbers(file, memory);
        hcbr_cases_free(file);
        hcbr_cases_free(memory);
        table_free(t);
    }
    free(t);
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static void sparse__gives_the_model_of_the_same_libsvm(void **state) {
    harness_random r = {harness_seed(20250718)};
    random_sparse *d = malloc(sizeof *d);
    (void)state;
    assert_non_null(d);
    for (int round = 0; round < (long_tier ? 3000 : harness_rounds(200)); round++) {
        const char *path = sparse_draw(d, &r), *ignore[] = {"3"};
        naming n = {.weighs = false};
        hcbr_error err = {0};
        hcbr_read_options_init(&n.options);
        if (harness_below(&r, 3) == 0) {
            n.options.ignore = ignore;
            n.options.ignore_count = 1;
        }
        hcbr_cases *file = fault_new_cases(), *memory = fault_new_cases();
        harness_ok(hcbr_cases_read(file, &path, 1, &n.options, &err), &err);
        harness_ok(hcbr_cases_add_sparse(memory, &d->matrix, &d->y, 1, &n.options, &err), &err);
        expect_same(file, memory, &n,
                    harness_below(&r, 5) == 0 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN);
    }
    free(d);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(columns__give_the_model_of_the_same_file, fault_folder_empty),
        cmocka_unit_test_teardown(columns__give_the_numbers_of_the_same_file, fault_folder_empty),
        cmocka_unit_test_teardown(sparse__gives_the_model_of_the_same_libsvm, fault_folder_empty),
    };
    long_tier = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, fault_folder_make, fault_folder_remove);
}
