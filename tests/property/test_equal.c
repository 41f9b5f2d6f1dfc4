/*
 * Equal numbers are equal values: a table whose numbers are spelled in another way gives the same
 * plain model, byte for byte, the same fingerprint in every form, and is known to a model of the
 * first one.
 */
#include "../unit/read/read_support.h"
#include "cases/cases.h"
#include "seed.h"

#include <hcbr/hcbr.h>

#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 5, MOST_ROWS = 60 };

/* Another text of a number, or the same. */
static void respell(text *out, const char *number, uint64_t *seed) {
    const char *point = strchr(number, '.'), *digits = number + (*number == '-');
    switch (draw(seed, 5)) {
    case 0:
        text_print(out, "%s%s", *number == '-' ? "" : "+", number);
        return;
    case 1:
        text_print(out, "%s%s", number, point ? "00" : ".0");
        return;
    case 2:
        text_print(out, "%se0", number);
        return;
    case 3: // 2.5 is 25e-1, 7 is 70e-1
        text_print(out, "%s", *number == '-' ? "-" : "");
        if (point)
            text_print(out, "0.%.*s%se%d", (int)(point - digits), digits, point + 1,
                       (int)(point - digits));
        else
            text_print(out, *digits == '0' ? "%s" : "%s0e-1", digits); // not 00e-1, a code
        return;
    default:
        text_print(out, "%s", number);
    }
}

/* Values of a column: numbers alone, ids of 20 digits, numbers and words, codes. */
static void draw_value(text *out, int column, uint64_t *seed) {
    static const char *const numbers[] = {"1", "2", "-3", "2.5", "-0.125", "100", "0.001"};
    if (column == 0 || (column == 2 && draw(seed, 4)))
        text_print(out, "%s", numbers[draw(seed, 7)]);
    else if (column == 1)
        text_print(out, "1234567890123456789%d", (int)(1 + draw(seed, 9)));
    else if (column == 2)
        text_print(out, "%s", draw(seed, 2) ? "none" : ">9");
    else if (column == 3)
        text_print(out, "00%d", (int)draw(seed, 9));
    else
        text_print(out, "%d", (int)draw(seed, 30));
}

/* One table in two spellings; in columns of words and codes they are the same. */
static void make(text *one, text *other, uint64_t *seed) {
    const size_t rows = 2 + (size_t)draw(seed, MOST_ROWS);
    static const char head[] = "label,n,id,mixed,code,7\n";
    text_add(one, head, sizeof head - 1);
    text_add(other, head, sizeof head - 1);
    for (size_t i = 0; i < rows; i++) {
        text_print(one, "%s", draw(seed, 2) ? "yes" : "no");
        text_add(other, one->at + one->length - (one->at[one->length - 1] == 's' ? 3 : 2),
                 one->at[one->length - 1] == 's' ? 3 : 2);
        for (int c = 0; c < COLUMNS; c++) {
            text value = {NULL, 0, 0};
            text_add(&value, "", 0);
            if (draw(seed, 9))
                draw_value(&value, c, seed);
            text_print(one, ",%s", value.length ? value.at : "");
            text_print(other, ",");
            if (value.length && (c < 2 || c == 4))
                respell(other, value.at, seed);
            else
                text_print(other, "%s", value.length ? value.at : "");
            text_free(&value);
        }
        text_add(one, "\n", 1);
        text_add(other, "\n", 1);
    }
}

static hcbr_cases *read_table(const char *path, hcbr_numbers numbers) {
    hcbr_read_options options;
    hcbr_cases *cases;
    hcbr_error err;
    hcbr_read_options_init(&options);
    options.numbers = numbers;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    if (hcbr_cases_read(cases, &path, 1, &options, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static void train(const char *path, const char *model_path) {
    hcbr_cases *cases = read_table(path, HCBR_NUMBERS_SPELLED);
    hcbr_train_options options;
    hcbr_model *model;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_train(&model, cases, &options, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_save(model, model_path, NULL), HCBR_OK);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

static void load_bytes(text *out, const char *path) {
    char bytes[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add(out, bytes, got);
    fclose(file);
}

static void equal__numbers_give_the_same_model(void **context) {
    uint64_t seed = test_seed(8101);
    (void)context;
    for (int round = 0; round < 60; round++) {
        text one = {NULL, 0, 0}, other = {NULL, 0, 0}, a = {NULL, 0, 0}, b = {NULL, 0, 0};
        char path[2][64], model[2][160];
        make(&one, &other, &seed);
        write_file(path[0], ".csv", one.at, one.length);
        write_file(path[1], ".csv", other.at, other.length);
        for (int i = 0; i < 2; i++) {
            snprintf(model[i], sizeof model[i], "%s.model", path[i]);
            train(path[i], model[i]);
        }
        load_bytes(&a, model[0]);
        load_bytes(&b, model[1]);
        assert_int_equal(a.length, b.length);
        assert_memory_equal(a.at, b.at, a.length);
        text_free(&a);
        text_free(&b);
        text_free(&one);
        text_free(&other);
        for (int i = 0; i < 2; i++) {
            unlink(path[i]);
            unlink(model[i]);
        }
    }
}

static void equal__numbers_have_one_digest_in_every_form(void **context) {
    uint64_t seed = test_seed(8102);
    (void)context;
    for (int round = 0; round < 60; round++) {
        text one = {NULL, 0, 0}, other = {NULL, 0, 0};
        char path[2][64];
        uint64_t digest[6][2], occurrences[6];
        make(&one, &other, &seed);
        write_file(path[0], ".csv", one.at, one.length);
        write_file(path[1], ".csv", other.at, other.length);
        for (int i = 0; i < 6; i++) {
            hcbr_cases *cases = read_table(path[i / 3], (hcbr_numbers)(i % 3));
            assert_int_equal(hcbr_i_cases_digest(digest[i], &occurrences[i], cases,
                                                 1 + (uint32_t)i % 3, NULL, NULL),
                             HCBR_OK);
            assert_memory_equal(digest[i], digest[0], sizeof digest[0]);
            assert_int_equal(occurrences[i], occurrences[0]);
            hcbr_cases_free(cases);
        }
        text_free(&one);
        text_free(&other);
        unlink(path[0]);
        unlink(path[1]);
    }
}

/* Every feature of the other spelling is known. */
static void equal__numbers_are_known_to_the_model(void **context) {
    uint64_t seed = test_seed(8103);
    (void)context;
    for (int round = 0; round < 30; round++) {
        text one = {NULL, 0, 0}, other = {NULL, 0, 0};
        char path[2][64];
        make(&one, &other, &seed);
        write_file(path[0], ".csv", one.at, one.length);
        write_file(path[1], ".csv", other.at, other.length);
        hcbr_cases *known = read_table(path[0], HCBR_NUMBERS_SPELLED);
        hcbr_cases *asked = read_table(path[1], HCBR_NUMBERS_AS_READ);
        assert_int_equal(hcbr_i_dict_need_tables(known->dict, NULL), HCBR_OK);
        for (uint32_t f = 0; f < hcbr_cases_get_info(asked).features; f++) {
            hcbr_feature x;
            uint32_t found[1];
            hcbr_i_block block = {0};
            hcbr_cases_get_feature(asked, f, &x);
            assert_true(hcbr_i_block_add(&block, x.key, x.key_length, x.value, x.value_length));
            hcbr_i_dict_find_block(known->dict, &block, found);
            assert_int_not_equal(found[0], HCBR_I_NONE);
            assert_int_equal(
                hcbr_i_dict_find(known->dict, x.key, x.key_length, x.value, x.value_length),
                found[0]);
            hcbr_i_block_clear(&block);
        }
        hcbr_cases_free(known);
        hcbr_cases_free(asked);
        text_free(&one);
        text_free(&other);
        unlink(path[0]);
        unlink(path[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal__numbers_give_the_same_model),
        cmocka_unit_test(equal__numbers_have_one_digest_in_every_form),
        cmocka_unit_test(equal__numbers_are_known_to_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
